// The start on a database that another program made.

import type pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../src/store/database/database.ts'
import { migrate } from '../../../src/store/database/migrate.ts'
import { type OwnDatabase, ownDatabase } from '../../support/databases/database.ts'
import { isSecondDatabase } from '../../support/runs.ts'
import { runCommand } from '../../support/servers/server-process.ts'

let own: OwnDatabase
afterEach(() => own.drop())

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
  const foreign: readonly (readonly [when: string, sql: string, line: string])[] = [
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
  ]
  // One shows that the embedded database is asked too: to make one takes seconds.
  test.each(foreign.slice(0, isSecondDatabase ? 1 : undefined))('%s', async (_when, sql, line) => {
    await makeDatabase(sql)
    const commands = [['serve'], ['keys', 'list'], ['migrate']]
    // Each command starts the embedded one anew.
    for (const args of own.env.DATA_DIR ? commands.slice(0, 1) : commands) {
      const { code, stdout, stderr } = await runCommand(args, { ...own.env, PORT: '0' })
      expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: line })
    }
  })
})
