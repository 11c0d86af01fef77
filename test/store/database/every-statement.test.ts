// Both databases are PostgreSQL, of other versions: what one of them resolves, the other may not.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { statements } from '../../../src/store/database/statement.ts'
import { filesUnder, placeOf } from '../../house/tree.ts'
import { type TestDatabase, testDatabase } from '../../support/databases/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  for (const file of filesUnder('src/store', /\.ts$/)) await import(placeOf(file))
})
afterAll(() => database?.close())

/** What the database says against each statement; nothing of one that it has prepared. */
async function objections(texts: readonly (readonly [name: string, text: string])[]): Promise<readonly string[]> {
  const refused: string[] = []
  const client = await database.pool.connect()
  try {
    for (const [name, text] of texts) {
      // Others may prepare meanwhile on the one session of the embedded database.
      const prepared = `understood_${name.replaceAll(/\W/g, '_')}`
      await client
        .query(`PREPARE ${prepared} AS ${text}; DEALLOCATE ${prepared}`)
        .catch((error: Error) => refused.push(`${name}: ${error.message}`))
    }
  } finally {
    client.release()
  }
  return refused
}

test('the database resolves every table, column, function and type of every statement of the store', async () => {
  // What makes a table or a setting cannot be prepared: every run of the tests runs it. Citus has functions of its own.
  const prepared = [...statements].filter(
    ([, sql]) =>
      /^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE)/.test(sql) &&
      !/citus|pg_dist|shard|_prepared_|_table\(|_all_nodes\(/.test(sql),
  )
  expect(prepared.length).toBeGreaterThan(100)
  expect(await objections(prepared)).toEqual([])
})

test('a statement with a function that the database does not have is an objection', async () => {
  expect(await objections([['strange', 'SELECT no_such_function(provider_id) FROM record']])).toEqual([
    expect.stringContaining('no_such_function'),
  ])
})
