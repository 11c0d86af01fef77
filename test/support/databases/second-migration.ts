// A folder with the migrations of the program and one more: what an upgrade is tried with.
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { migrationsFolder } from '../../../src/program-folders.ts'

/** Makes the folder with this SQL as its last migration. */
export async function withSecondMigration(
  sql: string,
): Promise<{ readonly folder: URL; readonly second: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'lotkeeper-migrations-'))
  const second = '9000-second.sql'
  await cp(migrationsFolder, path, { recursive: true })
  await writeFile(join(path, second), sql)
  return { folder: pathToFileURL(`${path}/`), second, remove: () => rm(path, { recursive: true, force: true }) }
}
