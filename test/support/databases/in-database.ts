// Statements on a connection of their own.
import pg from 'pg'

type Statement = readonly [text: string, values?: (string | number)[]]

/** Runs statements one after another, on one connection that is ended behind them. */
export async function inDatabase(url: string, ...statements: readonly Statement[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const [text, values] of statements) await client.query(text, values)
  } finally {
    await client.end()
  }
}
