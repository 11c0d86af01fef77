// A database as it is at one moment, read page by page while others go on writing.
import type { Pool, PoolClient } from 'pg'
import { version } from '../../version.ts'
import { oneConnectionPerNode } from '../distribute.ts'
import { readAppliedMigrations } from '../migrate.ts'
import type { BackupHead, BackupPage } from './backup-file.ts'
import { onTable, readTables, type Table } from './tables.ts'

export interface AllRows {
  readonly head: BackupHead
  /** All rows, table by table; to be read once. */
  readonly pages: AsyncIterable<BackupPage>
}

/**
 * Hands `use` the database as it is at one moment. Rows that others write meanwhile are not in it, and on a server nobody
 * waits for it.
 * @throws Error when the schema is changed at that moment; another try may succeed.
 */
export async function withAllRows<Result>(pool: Pool, use: (all: AllRows) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  try {
    const known = await readTables(client)
    if (known.length === 0) throw new Error('The database holds no tables.')
    await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await oneConnectionPerNode(client)
    // The first query fixes the moment, and a lock is none: from here to there no table can be altered.
    for (const table of known) await onTable(client, 'lock', table)
    const tables = await readTables(client)
    if (JSON.stringify(tables) !== JSON.stringify(known))
      throw new Error('The schema was changed while the backup began. Run it again.')
    const migrations = await readAppliedMigrations(client)
    const counted: { readonly name: string; readonly rows: number }[] = []
    for (const table of tables) {
      const [row] = await onTable<{ count: number }>(client, 'count', table)
      counted.push({ name: table.name, rows: row?.count ?? 0 })
    }
    return await use({
      head: {
        lotkeeper: 'backup',
        format: 1,
        program: version,
        madeAt: new Date().toISOString(),
        migrations,
        tables: counted,
      },
      pages: pagesOf(client, tables),
    })
  } finally {
    await client.query('ROLLBACK').catch(() => undefined)
    client.release()
  }
}

/** What a page should take, in bytes. */
const pageBytes = 1024 * 1024

const pageSizes = [512, 64, 8, 1] as const

/** A cursor counts rows and not bytes: the largest row of a page tells how many the next one takes. */
async function* pagesOf(client: PoolClient, tables: readonly Table[]): AsyncGenerator<BackupPage> {
  for (const table of tables) {
    await onTable(client, 'openPages', table)
    let size: (typeof pageSizes)[number] = 8
    for (;;) {
      const rows = await onTable<{ row: string }>(client, `page${size}`, table)
      if (rows.length === 0) break
      yield { table: table.name, rows: rows.length, text: `[${rows.map(({ row }) => row).join(',')}]` }
      const largest = Math.max(...rows.map(({ row }) => row.length))
      size = pageSizes.find((rowsOfPage) => rowsOfPage * largest <= pageBytes) ?? 1
    }
    await onTable(client, 'closePages', table)
  }
}
