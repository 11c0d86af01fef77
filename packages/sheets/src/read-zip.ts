// A ZIP archive, read by its directory: each entry is decompressed while it is read, up to its
// limit. It uses only web streams, so that a page can do it too. Source: APPNOTE.TXT 6.3.10,
// sections 4.3 to 4.5.
import { bytesOf, type ImportFile } from './import-file.ts'
import { transformStream } from './transformed.ts'
import { UnreadableFile } from './unreadable-file.ts'

interface Entry {
  readonly method: number
  readonly encrypted: boolean
  readonly compressedSize: number
  readonly offset: number
}

export interface Archive {
  readonly has: (name: string) => boolean
  /** The text of an entry, decompressed while it is read; at most `bytesMax` of it. */
  readonly text: (name: string, bytesMax: number) => AsyncGenerator<string>
}

const directoryBytesMax = 16 * 1024 * 1024
const endSignature = 0x06054b50
const end64Signature = 0x06064b50
const entrySignature = 0x02014b50
const localSignature = 0x04034b50

const damagedError = (what: string) =>
  new UnreadableFile(`The workbook is damaged: ${what}. Open it in the program that made it and save it again.`)

export async function openArchive(file: ImportFile): Promise<Archive> {
  const entries = await readDirectory(file)
  return {
    has: (name) => entries.has(name),
    text: (name, bytesMax) => readPart(file, name, entries.get(name), bytesMax),
  }
}

async function readDirectory(file: ImportFile): Promise<ReadonlyMap<string, Entry>> {
  const tailStart = Math.max(0, file.size - 66_000)
  const tail = viewOf(await bytesOf(file, tailStart, file.size))
  let at = tail.byteLength - 22
  while (at >= 0 && tail.getUint32(at, true) !== endSignature) at--
  if (at < 0) throw damagedError('its directory is missing, as when a download was cut off')
  let size = tail.getUint32(at + 12, true)
  let offset = tail.getUint32(at + 16, true)
  if (offset === 0xffff_ffff || size === 0xffff_ffff) {
    const at64 = at - 20 >= 0 ? big(tail, at - 20 + 8) : -1
    const end64 = viewOf(await bytesOf(file, at64, at64 + 56))
    if (at64 < 0 || end64.byteLength < 56 || end64.getUint32(0, true) !== end64Signature)
      throw damagedError('its directory cannot be read')
    size = big(end64, 40)
    offset = big(end64, 48)
  }
  if (size > directoryBytesMax) throw new UnreadableFile('The file has too many parts to be a workbook.')
  const directory = await bytesOf(file, offset, offset + size)
  const view = viewOf(directory)
  const entries = new Map<string, Entry>()
  for (let here = 0; here + 46 <= view.byteLength && view.getUint32(here, true) === entrySignature; ) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => view.getUint16(here + field, true))
    const nameStart = here + 46
    const extraStart = nameStart + (nameLength ?? 0)
    const extraEnd = extraStart + (extraLength ?? 0)
    if (extraEnd > view.byteLength) throw damagedError('its directory cannot be read')
    const name = new TextDecoder().decode(directory.subarray(nameStart, extraStart)).replaceAll('\\', '/')
    entries.set(name, {
      encrypted: (view.getUint16(here + 8, true) & 1) === 1,
      method: view.getUint16(here + 10, true),
      ...placeOf(view, here, extraStart, extraEnd),
    })
    here = extraEnd + (commentLength ?? 0)
  }
  return entries
}

/** Position and size of an entry; in the 64-bit extra field where 32 bits are too few. */
function placeOf(view: DataView, here: number, extraStart: number, extraEnd: number) {
  let compressedSize = view.getUint32(here + 20, true)
  let offset = view.getUint32(here + 42, true)
  for (let at = extraStart; at + 4 <= extraEnd; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue
    let field = at + 4
    if (view.getUint32(here + 24, true) === 0xffff_ffff) field += 8
    if (compressedSize === 0xffff_ffff && field + 8 <= extraEnd) {
      compressedSize = big(view, field)
      field += 8
    }
    if (offset === 0xffff_ffff && field + 8 <= extraEnd) offset = big(view, field)
  }
  return { compressedSize, offset }
}

async function* readPart(
  file: ImportFile,
  name: string,
  entry: Entry | undefined,
  bytesMax: number,
): AsyncGenerator<string> {
  if (entry === undefined) throw damagedError(`its part ${name} is missing`)
  if (entry.encrypted)
    throw new UnreadableFile('The workbook is protected with a password. Save it without, and import that.')
  if (entry.method !== 0 && entry.method !== 8) throw damagedError(`its part ${name} uses an unknown compression`)
  const header = viewOf(await bytesOf(file, entry.offset, entry.offset + 30))
  if (header.byteLength < 30 || header.getUint32(0, true) !== localSignature)
    throw damagedError(`its part ${name} is not where it should be`)
  const start = entry.offset + 30 + header.getUint16(26, true) + header.getUint16(28, true)
  const compressed = file.bytes(start, start + entry.compressedSize)
  const bytes = entry.method === 0 ? compressed : inflate(compressed, name)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let total = 0
  for await (const part of bytes) {
    total += part.length
    if (total > bytesMax)
      throw new UnreadableFile(
        `The workbook's part ${name} is larger than ${bytesMax} bytes once unpacked. Split it, or import CSV.`,
      )
    try {
      yield decoder.decode(part, { stream: true })
    } catch {
      throw damagedError(`its part ${name} is not text in UTF-8`)
    }
  }
}

async function* inflate(compressed: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* transformStream(compressed, new DecompressionStream('deflate-raw'))
  } catch {
    throw damagedError(`its part ${name} cannot be unpacked`)
  }
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const big = (view: DataView, at: number): number => Number(view.getBigUint64(at, true))
