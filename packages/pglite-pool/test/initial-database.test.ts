// The packed database of the build: what comes out is what went in, or nothing comes out.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { initialDatabaseName, packFolder, unpackFolder } from '../src/initial-database.ts'
import { contentsOf } from './folder-contents.ts'

let folder: string
let made: string
let unpacked: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lot-'))
  made = join(folder, 'made')
  unpacked = join(folder, 'unpacked')
  mkdirSync(join(made, 'base', 'empty'), { recursive: true })
  mkdirSync(unpacked)
  writeFileSync(join(made, 'PG_VERSION'), '18\n')
  writeFileSync(join(made, 'base', 'nothing'), '')
  writeFileSync(join(made, 'base', '1249'), Buffer.from(Array.from({ length: 100_000 }, (_, n) => n % 251)))
})

afterEach(() => rmSync(folder, { recursive: true }))

test('what is unpacked is what was packed, with empty files and empty folders', () => {
  unpackFolder(packFolder(made), unpacked)
  expect(contentsOf(unpacked)).toEqual(contentsOf(made))
  expect(Object.keys(contentsOf(unpacked))).toHaveLength(5)
})

test.skipIf(process.platform === 'win32')('what is unpacked is for the owner alone', () => {
  unpackFolder(packFolder(made), unpacked)
  for (const path of readdirSync(unpacked, { recursive: true, encoding: 'utf8' }))
    expect(statSync(join(unpacked, path)).mode & 0o077).toBe(0)
})

test('a packed database that is cut off is refused', () => {
  const packed = packFolder(made)
  for (const length of [0, 1, Math.floor(packed.length / 2), packed.length - 1])
    expect(() => unpackFolder(packed.subarray(0, length), unpacked)).toThrow()
})

test('its name has the version of PGlite that package.json pins', () => {
  const root = new URL('../../../package.json', import.meta.url)
  const { dependencies } = JSON.parse(readFileSync(root, 'utf8'))
  expect(initialDatabaseName()).toBe(`initial-database-${dependencies['@electric-sql/pglite']}.br`)
})
