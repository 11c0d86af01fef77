// Workbooks and archives as others read them: with libraries that have nothing to do with the ones
// that wrote them.
import { unzipSync } from 'fflate'
import readSheets from 'read-excel-file/universal'

/**
 * What each cell shows, row by row, under the name of its sheet; an empty cell is the empty text.
 *
 * Not by `read-excel-file/node`: it looks for the end of a file by four bytes that compressed data
 * may have too, and then reports an unexpected end of the file. This one reads the directory.
 */
export async function readWorkbook(bytes: Uint8Array): Promise<ReadonlyMap<string, readonly (readonly string[])[]>> {
  const sheets = await readSheets(new Blob([Uint8Array.from(bytes)]), { trim: false })
  return new Map(sheets.map(({ sheet, data }) => [sheet, data.map((row) => row.map(shown))]))
}

function shown(value: unknown): string {
  if (value === null) return ''
  if (!(value instanceof Date)) return String(value)
  const [year = '', month, day] = value.toISOString().slice(0, 10).split('-')
  return `${month}/${day}/${year}`
}

/** The files of an archive, by name. */
export const unzipped = (bytes: Uint8Array): Readonly<Record<string, Uint8Array>> => unzipSync(bytes)

export const textIn = (bytes: Uint8Array | undefined): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

/** All parts of something that is made while it is read, in one. */
export async function whole(parts: AsyncIterable<string | Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = []
  for await (const part of parts) all.push(typeof part === 'string' ? new TextEncoder().encode(part) : part)
  return Buffer.concat(all)
}

/** Cells of RFC 4180 text, row by row. */
export function readCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (end === '' && row.length === 0) break
    row.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}
