// A ZIP archive, made while it is read: only the part on its way is in memory. Sizes follow each
// entry, since they are not known before. Source: APPNOTE.TXT 6.3.10, sections 4.3 to 4.5.
//
// Not @zip.js/zip.js: for a sheet of 100,000 lines it takes 3.0 s of processor time where this
// takes 1.9, and 15 MB more, of which the workbook with gaps has 12 left below its bar; the console
// would be 38 KB larger, on 92.

export interface ZipEntry {
  readonly name: string
  readonly parts: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>
  /** True for data that is already compressed. */
  readonly stored?: boolean
  /**
   * True for data that may exceed 4 GiB: its sizes have 64 bits, which not every reader supports.
   */
  readonly large?: boolean
}

/**
 * The compressor: `node-packing.ts` in the service, `web-packing.ts` where a page may use it too.
 */
export interface Packing {
  readonly crc32: (bytes: Uint8Array, before: number) => number
  /** Must finish with the bytes of a part before it requests the next: their memory is reused. */
  readonly deflate: (parts: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>
}

/** A written entry, for the directory at the end. */
interface Written {
  readonly name: Uint8Array
  readonly method: number
  readonly large: boolean
  readonly offset: number
  readonly crc: number
  readonly compressed: number
  readonly size: number
}

const encoder = new TextEncoder()

/** Sizes follow the entry (bit 3), and names are UTF-8 (bit 11). */
const flags = 0x0808
const deflated = 8
const most32 = 0xffff_ffff
const versionNeeded = (large: boolean) => (large ? 45 : 20)

/**
 * The archive of these entries, all dated `time`. The parts of an entry are read when its turn
 * comes.
 */
export async function* zip(
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
  time: Date,
  packing: Packing,
): AsyncGenerator<Uint8Array> {
  const stamp = dosTime(time)
  const written: Written[] = []
  let offset = 0
  for await (const entry of entries) {
    const name = encoder.encode(entry.name)
    const method = entry.stored ? 0 : deflated
    const large = entry.large ?? false
    const header = fields(
      [4, 0x04034b50],
      [2, versionNeeded(large)],
      [2, flags],
      [2, method],
      [4, stamp],
      [4, 0],
      [4, large ? most32 : 0],
      [4, large ? most32 : 0],
      [2, name.length],
      [2, large ? 20 : 0],
      name,
      ...(large ? wide([0, 0]) : []),
    )
    yield header
    let [crc, size, compressed] = [0, 0, 0]
    const counted = async function* (bytesOf: (part: string) => Uint8Array) {
      for await (const part of entry.parts) {
        const bytes = typeof part === 'string' ? bytesOf(part) : part
        crc = packing.crc32(bytes, crc)
        size += bytes.length
        yield bytes
      }
    }
    // Compressed data is used up before the next part is requested; stored data is passed on.
    const parts = entry.stored ? counted((text) => encoder.encode(text)) : packing.deflate(counted(encodingInPlace()))
    for await (const part of parts) {
      compressed += part.length
      yield part
    }
    if (!large && (size > most32 || compressed > most32)) throw new RangeError(`${entry.name} is larger than 4 GiB.`)
    const width = large ? 8 : 4
    const trailer = fields([4, 0x08074b50], [4, crc], [width, compressed], [width, size])
    yield trailer
    written.push({ name, method, large, offset, crc, compressed, size })
    offset += header.length + compressed + trailer.length
  }
  yield directory(written, offset, stamp)
}

/** Encodes text into the same memory each time: the last result is invalid after the next call. */
function encodingInPlace(): (text: string) => Uint8Array {
  let memory = new Uint8Array(0)
  return (text) => {
    const most = text.length * 3
    if (memory.length < most) memory = new Uint8Array(most)
    return memory.subarray(0, encoder.encodeInto(text, memory).written)
  }
}

/** The directory of the entries written before `offset`. */
function directory(written: readonly Written[], offset: number, stamp: number): Uint8Array {
  const records = written.map(({ name, method, large, crc, ...numbers }) => {
    const { size, compressed, offset: at } = numbers
    const beyond = [size, compressed, at].filter((number) => number > most32)
    const extra = beyond.length > 0 ? wide(beyond) : []
    return fields(
      [4, 0x02014b50],
      [2, versionNeeded(true)],
      [2, versionNeeded(large || beyond.length > 0)],
      [2, flags],
      [2, method],
      [4, stamp],
      [4, crc],
      [4, Math.min(compressed, most32)],
      [4, Math.min(size, most32)],
      [2, name.length],
      [2, beyond.length > 0 ? 4 + 8 * beyond.length : 0],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, Math.min(at, most32)],
      name,
      ...extra,
    )
  })
  const size = records.reduce((sum, record) => sum + record.length, 0)
  const wideEnd =
    offset > most32
      ? [
          fields(
            [4, 0x06064b50],
            [8, 44],
            [2, 45],
            [2, 45],
            [4, 0],
            [4, 0],
            [8, written.length],
            [8, written.length],
            [8, size],
            [8, offset],
          ),
          fields([4, 0x07064b50], [4, 0], [8, offset + size], [4, 1]),
        ]
      : []
  const end = fields(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, written.length],
    [2, written.length],
    [4, size],
    [4, Math.min(offset, most32)],
    [2, 0],
  )
  return concatBytes([...records, ...wideEnd, end])
}

/** The extra field that holds numbers of 64 bits. */
const wide = (numbers: readonly number[]): Field[] => [
  [2, 1],
  [2, 8 * numbers.length],
  ...numbers.map((number): Field => [8, number]),
]

/** A number with its width in bytes, little end first; or bytes as they are. */
type Field = readonly [width: 2 | 4 | 8, value: number] | Uint8Array

const isBytes = (field: Field): field is Uint8Array => field instanceof Uint8Array

function fields(...all: readonly Field[]): Uint8Array {
  const bytes = new Uint8Array(all.reduce((sum, field) => sum + (isBytes(field) ? field.length : field[0]), 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const field of all) {
    if (isBytes(field)) bytes.set(field, at)
    else if (field[0] === 8) view.setBigUint64(at, BigInt(field[1]), true)
    else if (field[0] === 4) view.setUint32(at, field[1], true)
    else view.setUint16(at, field[1], true)
    at += isBytes(field) ? field.length : field[0]
  }
  return bytes
}

const concatBytes = (parts: readonly Uint8Array[]): Uint8Array => fields(...parts)

/**
 * Date and time in the form of MS-DOS, the date in the upper half; in UTC, so that the time zone of
 * the machine changes no byte. Years 1980 to 2107.
 */
function dosTime(time: Date): number {
  const date = ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate()
  const clock = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1)
  return ((date << 16) | clock) >>> 0
}
