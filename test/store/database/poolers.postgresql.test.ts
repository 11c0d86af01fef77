// What stands between the service and PostgreSQL: used when nothing is lost there, else refused at
// the start with the setting that is missing.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase, statementMsMax } from '../../../src/store/database/database.ts'
import { openMigratedDatabase } from '../../../src/store/database/migrated-database.ts'
import { ownPostgresqlDatabase } from '../../support/databases/database.ts'
import { inDatabase } from '../../support/databases/in-database.ts'
import { startSharedConnections } from '../../support/databases/shared-connections.ts'

let own: { url: string; drop(): Promise<void> }
beforeEach(async () => {
  own = await ownPostgresqlDatabase()
})
afterEach(() => own.drop())

const onServer = (...texts: readonly string[]) => inDatabase(own.url, ...texts.map((text) => [text] as const))

/** Why the service does not start through a pooler, or undefined. */
async function startedThrough(keepsStatements: boolean): Promise<string | undefined> {
  const pooler = await startSharedConnections(own.url, { keepsStatements })
  try {
    const opened = await openMigratedDatabase({ databaseUrl: pooler.url, dataDir: '' })
    if ('problem' in opened) return opened.problem
    await opened.database.close()
    return undefined
  } finally {
    await pooler.close()
  }
}

test('each connection has the time limit of statements, without a startup parameter that poolers refuse', async () => {
  const opened = await openDatabase({ databaseUrl: own.url, dataDir: '' })
  if ('heldBy' in opened) throw new Error(opened.heldBy)
  const limit = async () => (await opened.pool.query(`SELECT current_setting('statement_timeout') AS now`)).rows[0].now
  expect(await Promise.all([limit(), limit(), limit()])).toEqual(Array(3).fill(`${statementMsMax / 1_000}s`))
  await opened.close()
})

test('a role with a shorter limit keeps it, and a longer one is cut', async () => {
  const name = new URL(own.url).pathname.slice(1)
  for (const [set, now] of [
    ['7s', '7s'],
    ['2min', '30s'],
  ]) {
    await onServer(`ALTER DATABASE ${name} SET statement_timeout = '${set}'`)
    const opened = await openDatabase({ databaseUrl: own.url, dataDir: '' })
    if ('heldBy' in opened) throw new Error(opened.heldBy)
    const { rows } = await opened.pool.query(`SELECT current_setting('statement_timeout') AS now`)
    expect(rows).toEqual([{ now }])
    await opened.close()
  }
})

test('a pooler that shares connections is refused where the time limit would be lost, and used where the role has it', async () => {
  const refused = await startedThrough(true)
  expect(refused).toContain('the time limit of statements would be lost')
  expect(refused).toContain(`ALTER ROLE … SET statement_timeout = '30s'`)
  await onServer(`ALTER DATABASE ${new URL(own.url).pathname.slice(1)} SET statement_timeout = '30s'`)
  expect(await startedThrough(true)).toBeUndefined()
})

test('a pooler that loses prepared statements is refused with the setting that keeps them', async () => {
  await onServer(`ALTER DATABASE ${new URL(own.url).pathname.slice(1)} SET statement_timeout = '30s'`)
  const refused = await startedThrough(false)
  expect(refused).toContain('loses prepared statements')
  expect(refused).toContain('max_prepared_statements')
})
