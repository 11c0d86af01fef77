// What a file is, by how it begins, not by the ending of its name: a document of a trading partner,
// which the service reads as it is, or a table or payloads, which become records.

import { bytesOf, type ImportFile, textOf } from 'lotkeeper-sheets/import-file'
import { UnreadableFile } from 'lotkeeper-sheets/unreadable-file'
import { type DocumentEncoding, encodingIn } from '../contract/text/document-text.ts'

export type PartnerDocument = 'shipNotices' | 'epcis'

/** How far into a text its type is looked for. */
const beginningLength = 65_536

export async function partnerDocumentOf(file: ImportFile): Promise<PartnerDocument | undefined> {
  const bytes = await bytesOf(file, 0, beginningLength)
  const beginning = new TextDecoder(encodingIn(bytes)).decode(bytes)
  return partnerDocumentIn(beginning) ?? (/\.jsonld$/i.test(file.name) ? 'epcis' : undefined)
}

/** Which one a text is: an X12 interchange, or EPCIS in JSON-LD or XML. */
function partnerDocumentIn(text: string): PartnerDocument | undefined {
  if (/^\uFEFF?\s*ISA[^A-Za-z0-9\s]/.test(text)) return 'shipNotices'
  if (/^\uFEFF?\s*[{<]/.test(text) && /["<:]EPCIS(?:Query)?Document\b/.test(text)) return 'epcis'
  return undefined
}

/**
 * The encoding of a document, and whether only its bytes show it, as of ship notices of old
 * programs.
 */
export async function documentEncoding(
  file: ImportFile,
): Promise<{ readonly encoding: DocumentEncoding; readonly isAssumed: boolean }> {
  const declared = encodingIn(await bytesOf(file, 0, beginningLength))
  if (declared !== undefined) return { encoding: declared, isAssumed: false }
  if ((await partnerDocumentOf(file)) !== 'shipNotices') return { encoding: 'utf-8', isAssumed: false }
  try {
    for await (const _ of textOf(file, 'utf-8'));
    return { encoding: 'utf-8', isAssumed: false }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    return { encoding: 'windows-1252', isAssumed: true }
  }
}

interface Recognised {
  readonly form: 'xlsx' | 'ndjson' | 'csv'
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be'
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

export async function recognise(file: ImportFile): Promise<Recognised> {
  const first = await bytesOf(file, 0, lookedAt)
  const begins = (bytes: readonly number[]) => bytes.every((byte, i) => first[i] === byte)
  if (first.length === 0) throw new UnreadableFile('The file is empty.')
  if (begins([0x50, 0x4b, 0x03, 0x04])) return { form: 'xlsx', encoding: 'utf-8' }
  for (const [start, what] of known) if (begins(start)) throw new UnreadableFile(`The file is ${what}`)
  const encoding = begins([0xff, 0xfe]) ? 'utf-16le' : begins([0xfe, 0xff]) ? 'utf-16be' : 'utf-8'
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
