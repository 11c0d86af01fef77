import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { dataFolderPaths } from '../src/data-folder.ts'
import { openEmbeddedDatabase } from '../src/embedded-database.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lot-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

test('a folder that holds other files is refused and left as it was', async () => {
  writeFileSync(join(folder, 'thesis.txt'), 'final')
  await expect(openEmbeddedDatabase(folder)).rejects.toThrow(`data folder ${folder} holds other files (thesis.txt)`)
  expect(readdirSync(folder)).toEqual(['thesis.txt'])
})

test('the folder of a PostgreSQL server is refused', async () => {
  writeFileSync(join(folder, 'PG_VERSION'), '18\n')
  await expect(openEmbeddedDatabase(folder)).rejects.toThrow('holds other files (PG_VERSION)')
})

test('a database of another PostgreSQL is refused with both versions', async () => {
  mkdirSync(join(folder, 'database'))
  writeFileSync(join(folder, 'database', 'PG_VERSION'), '19\n')
  await expect(openEmbeddedDatabase(folder)).rejects.toThrow('holds a database of PostgreSQL 19; this program reads 18')
})

test('a database that does not start is reported with the words of PostgreSQL, and the lock is given back', async () => {
  mkdirSync(join(folder, 'database'))
  writeFileSync(join(folder, 'database', 'PG_VERSION'), '18\n')
  await expect(openEmbeddedDatabase(folder)).rejects.toThrow(/did not start.*\n.*postgresql\.conf/)
  expect(readdirSync(folder)).toEqual(['database'])
})

test('a place where no folder can be made is refused with the reason', async () => {
  writeFileSync(join(folder, 'file'), '')
  const impossible = join(folder, 'file', 'data')
  await expect(openEmbeddedDatabase(impossible)).rejects.toThrow(
    `data folder ${impossible} cannot be written to (ENOTDIR)`,
  )
})

test('a path too long for a Unix socket has none', () => {
  expect(dataFolderPaths(join(folder, 'x'.repeat(90))).socket).toBeUndefined()
  expect(dataFolderPaths(folder).socket).toBe(join(folder, '.s.PGSQL.5432'))
})
