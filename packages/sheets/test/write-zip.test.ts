import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { textIn, unzipped, whole } from '../../../test/support/files/read-workbook.ts'
import { runs } from '../../../test/support/runs.ts'
import { nodePacking } from '../src/node-packing.ts'
import { webPacking } from '../src/web-packing.ts'
import { type ZipEntry, zip } from '../src/write-zip.ts'

const time = new Date('2026-03-04T05:06:08Z')

describe.each([
  ['Node', nodePacking],
  ['a page', webPacking],
])('an archive, compressed as %s does', (_, packing) => {
  const archive = (entries: readonly ZipEntry[]) => whole(zip(entries, time, packing))

  test('holds what was put in, compressed or stored, of usual or large size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(
          fc.record({
            name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map((name) => `f${name}`),
            parts: fc.array(fc.oneof(fc.string(), fc.uint8Array())),
            stored: fc.boolean(),
            large: fc.boolean(),
          }),
          { selector: ({ name }) => name, maxLength: 6 },
        ),
        async (entries) => {
          const read = unzipped(await archive(entries))
          expect(Object.keys(read).sort()).toEqual(entries.map(({ name }) => name).sort())
          for (const { name, parts } of entries)
            expect(Buffer.from(read[name] ?? [])).toEqual(
              Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))),
            )
        },
      ),
      { numRuns: runs(50) },
    )
  })

  test('is the same for the same entries and time, in any time zone', async () => {
    const entries = [{ name: 'a.txt', parts: ['x'.repeat(100_000)] }]
    const first = await archive(entries)
    const zone = process.env.TZ
    process.env.TZ = 'Pacific/Auckland'
    try {
      expect(await archive(entries)).toEqual(first)
    } finally {
      if (zone === undefined) delete process.env.TZ
      else process.env.TZ = zone
    }
    expect(first.subarray(10, 14)).toEqual(Buffer.from([0xc4, 0x28, 0x64, 0x5c]))
  })

  test('asks an entry for its parts only when its turn comes, and ends them when nobody reads on', async () => {
    const asked: string[] = []
    const ended: string[] = []
    const entry = (name: string): ZipEntry => ({
      name,
      parts: (async function* () {
        asked.push(name)
        try {
          for (let i = 0; i < 1000; i++) yield `${name} ${i} ${Math.random()}`.repeat(1000)
        } finally {
          ended.push(name)
        }
      })(),
    })
    const reading = zip([entry('first'), entry('second')], time, packing)
    // The header, and the first of the compressed parts.
    await reading.next()
    await reading.next()
    await reading.return(undefined)
    expect({ asked, ended }).toEqual({ asked: ['first'], ended: ['first'] })
  })

  test('breaks off when an entry fails', async () => {
    const failing = (async function* () {
      yield 'something'
      throw new Error('The database is gone.')
    })()
    await expect(archive([{ name: 'a', parts: failing }])).rejects.toThrow('The database is gone.')
  })

  test('may be empty', async () => {
    expect(textIn(await archive([])).length).toBe(22)
  })
})
