// Archives of another ZIP writer: each part is read whole, and what is damaged is refused with a
// remedy.
import { strToU8, Zip, ZipDeflate, ZipPassThrough, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { memoryFile } from '../../../test/support/files/import-files.ts'
import { openArchive } from '../src/read-zip.ts'

const open = (bytes: Uint8Array, pieceLength?: number) => openArchive(memoryFile(bytes, 'a.zip', pieceLength))

async function textOf(bytes: Uint8Array, name: string, { bytesMax = 1_000_000, pieceLength = 7_000 } = {}) {
  let all = ''
  for await (const text of (await open(bytes, pieceLength)).text(name, bytesMax)) all += text
  return all
}

const long = Array.from({ length: 5_000 }, (_, i) => `Zeile ${i} – 青果\n`).join('')
const parts = { 'short.txt': 'ä', 'folder/long.txt': long, 'empty.txt': '' }

/** As a program writes that does not know the sizes before the end: they follow each part. */
function streamed(makePart: (name: string) => ZipDeflate | ZipPassThrough): Uint8Array {
  const written: Uint8Array[] = []
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    written.push(bytes)
  })
  for (const [name, content] of Object.entries(parts)) {
    const part = makePart(name)
    zip.add(part)
    part.push(strToU8(content), true)
  }
  zip.end()
  return Buffer.concat(written)
}

const encoded = Object.fromEntries(Object.entries(parts).map(([name, content]) => [name, strToU8(content)]))

describe('each part is read whole from an archive', () => {
  test.each<[string, Uint8Array]>([
    ['whose parts are deflated', zipSync(encoded)],
    ['whose parts are stored as they are', zipSync(encoded, { level: 0 })],
    ['whose sizes follow deflated parts', streamed((name) => new ZipDeflate(name))],
    ['whose sizes follow stored parts', streamed((name) => new ZipPassThrough(name))],
    [
      'with extra fields and comments of its parts',
      zipSync(encoded, { comment: 'of a part', extra: { 9: strToU8('x') } }),
    ],
  ])('%s', async (_, bytes) => {
    for (const [name, content] of Object.entries(parts))
      for (const pieceLength of [13, 7_000]) expect(await textOf(bytes, name, { pieceLength })).toBe(content)
  })

  test('with a comment after it', async () => {
    const bytes = Buffer.from(zipSync(encoded))
    bytes.writeUInt16LE(300, bytes.length - 2)
    expect(await textOf(Buffer.concat([bytes, Buffer.alloc(300, '.')]), 'short.txt')).toBe('ä')
  })

  test('that names folders with backslashes', async () => {
    const bytes = zipSync({ 'xl\\workbook.xml': strToU8('x') })
    expect((await open(bytes)).has('xl/workbook.xml')).toBe(true)
  })
})

describe('refused is', () => {
  const good = Buffer.from(zipSync(encoded))
  const directoryAt = good.readUInt32LE(good.length - 6)
  /** The archive after a change at `offset` of the directory entry of its first part. */
  const changed = (change: (bytes: Buffer, entry: number) => void): Buffer => {
    const bytes = Buffer.from(good)
    change(bytes, directoryAt)
    return bytes
  }
  test.each<[string, Buffer, string]>([
    ['one that was cut off', good.subarray(0, -100), 'its directory is missing'],
    ['one without bytes', Buffer.alloc(0), 'its directory is missing'],
    ['a part with a password', changed((bytes, at) => bytes.writeUInt16LE(1, at + 8)), 'protected with a password'],
    ['a compression it does not know', changed((bytes, at) => bytes.writeUInt16LE(12, at + 10)), 'unknown compression'],
    ['a part that is elsewhere', changed((bytes, at) => bytes.writeUInt32LE(5, at + 42)), 'not where it should be'],
    ['a part that is no compressed data', changed((bytes) => bytes.fill(0xff, 39, 41)), 'cannot be unpacked'],
  ])('%s, with what to do', async (_, bytes, says) => {
    await expect(textOf(bytes, 'short.txt')).rejects.toThrow(says)
  })

  test('a part that the directory does not have', async () => {
    await expect(textOf(good, 'other.txt')).rejects.toThrow('its part other.txt is missing')
  })

  test('a part that is larger than it may be once unpacked', async () => {
    const size = strToU8(long).length
    expect(await textOf(good, 'folder/long.txt', { bytesMax: size })).toBe(long)
    await expect(textOf(good, 'folder/long.txt', { bytesMax: size - 1 })).rejects.toThrow(
      `larger than ${size - 1} bytes`,
    )
  })

  test('a part that is no text in UTF-8', async () => {
    await expect(textOf(zipSync({ x: Uint8Array.of(0xff, 0xfe, 0x41) }), 'x')).rejects.toThrow('not text in UTF-8')
  })
})
