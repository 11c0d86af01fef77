// A file to import, and its format by its content. No file system here: a program and a page each
// open files their own way.
import { UnreadableFile } from './unreadable-file.ts'

export interface ImportFile {
  /** Its name; the ending decides nothing. */
  readonly name: string
  /** In bytes. */
  readonly size: number
  /** Bytes from `start` up to, not including, `end`, read on demand. */
  readonly bytes: (start: number, end: number) => AsyncIterable<Uint8Array>
}

type FileForm = 'xlsx' | 'ndjson' | 'csv'
type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

export interface Recognised {
  readonly form: FileForm
  readonly encoding: Encoding
}

/** All of a short stretch of a file. */
export async function bytesOf(file: ImportFile, start: number, end: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(Math.max(0, Math.min(end, file.size) - start))
  let at = 0
  for await (const part of file.bytes(start, start + bytes.length)) {
    bytes.set(part.subarray(0, bytes.length - at), at)
    at += part.length
    if (at >= bytes.length) break
  }
  return bytes.subarray(0, at)
}

/** Bytes that are enough to detect the format. */
const lookedAt = 4_096

const known: readonly (readonly [start: readonly number[], what: string])[] = [
  [
    [0xd0, 0xcf, 0x11, 0xe0],
    'an old Excel file (.xls) or one with a password. Open it and save it as "Excel Workbook (.xlsx)" without a password.',
  ],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF. Import the spreadsheet it was made from.'],
  [[0x1f, 0x8b], 'compressed with gzip. Unpack it first.'],
  [[0x89, 0x50, 0x4e, 0x47], 'a picture. Import the spreadsheet it shows.'],
]

/** Detects the format by the first bytes, not by the ending of the name. */
export async function recognise(file: ImportFile): Promise<Recognised> {
  const first = await bytesOf(file, 0, lookedAt)
  const begins = (bytes: readonly number[]) => bytes.every((byte, i) => first[i] === byte)
  if (first.length === 0) throw new UnreadableFile('The file is empty.')
  if (begins([0x50, 0x4b, 0x03, 0x04])) return { form: 'xlsx', encoding: 'utf-8' }
  for (const [start, what] of known) if (begins(start)) throw new UnreadableFile(`The file is ${what}`)
  const encoding: Encoding = begins([0xff, 0xfe]) ? 'utf-16le' : begins([0xfe, 0xff]) ? 'utf-16be' : 'utf-8'
  const text = new TextDecoder(encoding).decode(first)
  if (text.includes('\u0000'))
    throw new UnreadableFile(
      'The file is neither a spreadsheet nor UTF-8 text. Save it as XLSX, or as "CSV UTF-8"; UTF-16 needs its byte order mark.',
    )
  const begun = text.trimStart()
  for (const [form, what] of knownTexts) if (form.test(begun)) throw new UnreadableFile(`The file is ${what}`)
  return { form: begun.startsWith('{') ? 'ndjson' : 'csv', encoding }
}

/** Texts that are neither CSV nor payloads, with any file extension. */
const knownTexts: readonly (readonly [start: RegExp, what: string])[] = [
  [
    /^\[/,
    'a JSON list. Write one payload per line, without the brackets around them and the commas between them (NDJSON).',
  ],
  [
    /^<(?:!doctype html|html|table|head|meta|style)\b/i,
    'a web page that a program saved as .xls. Open it in a spreadsheet program and save it as XLSX.',
  ],
  [
    /^<\?xml[^>]*>[\s\S]*<(?:\w+:)?Workbook\b/i,
    'an XML spreadsheet of Excel 2003. Open it in a spreadsheet program and save it as XLSX.',
  ],
  [/^<\?xml\b/i, 'XML. Import the spreadsheet or the payloads it was made from.'],
  [/^ISA[^A-Za-z0-9\s].{2}/, 'an EDI message (X12). Import the spreadsheet or the payloads of what it announces.'],
  [/^\{\\rtf/, 'a text document (RTF). Copy its table into a spreadsheet and save it as XLSX.'],
]

/** The text of a file as it is read. Bytes that are invalid in this encoding end it. */
export async function* textOf(file: ImportFile, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  let read = 0
  for await (const bytes of file.bytes(0, file.size)) {
    yield decodeChunk(decoder, bytes, read)
    read += bytes.length
  }
  yield decodeChunk(decoder, undefined, read)
}

function decodeChunk(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array | undefined, at: number): string {
  let text: string
  try {
    text = bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
  } catch {
    throw new UnreadableFile(
      `The text is not ${decoder.encoding.toUpperCase()}, somewhere after byte ${at}. Save the file again as "CSV UTF-8", or give it a byte order mark.`,
    )
  }
  if (text.includes('\u0000'))
    throw new UnreadableFile(
      `The file holds binary data, somewhere after byte ${at}. Only text and XLSX can be imported.`,
    )
  return text
}
