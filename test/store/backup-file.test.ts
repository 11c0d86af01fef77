// A backup as bytes: what was written is read, and nothing that was cut off or altered passes for a backup.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type BackupHead,
  type BackupPage,
  backupBytes,
  NotABackup,
  readBackup,
} from '../../src/store/backup/backup-file.ts'
import { runs } from '../support/runs.ts'

const page = fc.record({
  table: fc.constantFrom('provider', 'record_version'),
  rows: fc.integer({ min: 1, max: 600 }),
  text: fc.array(fc.record({ body: fc.string({ unit: 'grapheme' }) })).map((rows) => JSON.stringify(rows)),
})

const headOf = (pages: readonly BackupPage[]): BackupHead => ({
  lotkeeper: 'backup',
  format: 1,
  program: '0.1.0',
  madeAt: '2026-03-01T12:00:00.000Z',
  migrations: [{ file: '0001-records.sql', checksum: 'a' }],
  tables: ['provider', 'record_version'].map((name) => ({
    name,
    rows: pages.filter(({ table }) => table === name).reduce((sum, { rows }) => sum + rows, 0),
  })),
})

async function* each<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items
}

async function bytesOf(pages: readonly BackupPage[], head = headOf(pages)): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of backupBytes(head, each(pages))) parts.push(part)
  return Buffer.concat(parts)
}

async function readWhole(chunks: Iterable<Buffer>) {
  const { head, pages } = await readBackup(each(chunks))
  const read: BackupPage[] = []
  for await (const one of pages) read.push(one)
  return { head, pages: read }
}

test('what was written is read, however the bytes are split on the way', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(page, { maxLength: 5 }), fc.integer({ min: 1, max: 300 }), async (pages, size) => {
      const bytes = await bytesOf(pages)
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      )
      expect(await readWhole(chunks)).toEqual({ head: headOf(pages), pages })
    }),
    { numRuns: runs(50), endOnFailure: true },
  )
})

test('a backup that is cut off anywhere, or has any byte altered, left out or added, is refused', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(page, { minLength: 1, maxLength: 3 }),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      async (pages, where, by) => {
        const bytes = await bytesOf(pages)
        const at = where % bytes.length
        const flipped = Buffer.from(bytes)
        flipped[at] = ((flipped[at] ?? 0) + by) % 256
        const added = Buffer.concat([bytes.subarray(0, at), Buffer.of(by), bytes.subarray(at)])
        const leftOut = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)])
        for (const altered of [bytes.subarray(0, at), flipped, leftOut, added])
          await expect(readWhole([altered])).rejects.toBeInstanceOf(NotABackup)
      },
    ),
    { numRuns: runs(100), endOnFailure: true },
  )
})

test('a backup that lacks a whole page, with a checksum that fits, is refused', async () => {
  const pages = [
    { table: 'provider', rows: 1, text: '[{}]' },
    { table: 'record_version', rows: 2, text: '[{},{}]' },
  ]
  await expect(readWhole([await bytesOf(pages.slice(0, 1), headOf(pages))])).rejects.toThrow(
    'lacks rows of record_version',
  )
})

test('a backup of a later form is refused by name', async () => {
  const bytes = await bytesOf([], { ...headOf([]), format: 2 as 1, program: '9.0.0' })
  await expect(readBackup(each([bytes]))).rejects.toThrow('form 2, made by Lotkeeper 9.0.0')
})
