// The start on a database that another program made, or that another process makes at that moment.

import type pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { type OwnDatabase, ownDatabase } from '../support/database.ts'
import { eventPayload, paths } from '../support/payloads.ts'
import { isSecondDatabase } from '../support/runs.ts'
import { runCommand, type ServerProcess, startServerProcess } from '../support/server-process.ts'
import { calling } from '../support/service.ts'

let own: OwnDatabase
const processes: ServerProcess[] = []
afterEach(async () => {
  for (const server of processes.splice(0)) await server.end('SIGKILL')
  await own.drop()
})

/** Makes the database, and changes it with this SQL. */
async function makeDatabase(sql: string): Promise<void> {
  own = await ownDatabase()
  const opened = await openDatabase(own.place)
  if ('heldBy' in opened) throw new Error(opened.heldBy)
  const pool: pg.Pool = opened.pool
  try {
    await migrate(pool)
    await pool.query(sql)
  } finally {
    await opened.close()
  }
}

describe('a database is refused by every command in one line, and left as it is,', () => {
  test.each([
    [
      'when a newer program migrated it',
      `INSERT INTO schema_migration (file, checksum) VALUES ('9999-later.sql', '')`,
      'lotkeeper: The database was migrated by a newer version of Lotkeeper (9999-later.sql). Use that version or a later one.\n',
    ],
    [
      'when it is from before the first release, with the way to bring its data over',
      `UPDATE schema_migration SET file = '0001-records.sql' WHERE file = '0001.sql'`,
      'lotkeeper: The database is from before release 0.1.0 and cannot be upgraded. Export an archive of each provider with the program that made it (lotkeeper export ndjson), and import it into a new database (lotkeeper import): docs/operating.md, Moving.\n',
    ],
  ])('%s', async (_when, sql, line) => {
    await makeDatabase(sql)
    const commands = [['serve'], ['keys', 'list'], ['migrate']]
    // Each command starts the embedded one anew.
    for (const args of own.env.DATA_DIR ? commands.slice(0, 1) : commands) {
      const { code, stdout, stderr } = await runCommand(args, { ...own.env, PORT: '0' })
      expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: line })
    }
  })
})

// The embedded one is held by one process; the other is told so.
test.skipIf(isSecondDatabase)(
  'two processes that start together make the database once, and both serve it',
  async () => {
    own = await ownDatabase()
    const servers = await Promise.all([startServerProcess(own.env), startServerProcess(own.env)])
    processes.push(...servers)
    const [key, ...more] = servers.flatMap(({ firstKey }) => firstKey ?? [])
    expect(more).toEqual([])
    const [one, other] = servers.map(({ address }) => calling(address, key ?? ''))
    const created = await one?.('POST', paths.receivingEvent, { body: eventPayload() })
    expect(created?.status, created?.text).toBe(201)
    const read = await other?.('GET', `${paths.receivingEvent}/${created?.body.request_ids[0]}`)
    expect(read?.status).toBe(200)
  },
)
