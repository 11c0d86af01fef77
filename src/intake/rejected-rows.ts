// The file of rejected rows: the same columns, and the reason beside each row. Once corrected, it
// is imported like any other.

import { csvLine } from 'lotkeeper-sheets/csv'
import { columnLetters } from 'lotkeeper-sheets/sheet'
import { widthOfHeading, workbookBytes } from 'lotkeeper-sheets/text-workbook'
import { readJsonObject } from '../contract/json/json-text.ts'
import { isEventKind, type RecordKindName } from '../contract/record-kinds.ts'
import type { Rejection } from './import-run.ts'
import type { PlacedFinding, RowsOfSheet } from './intake-record.ts'
import { isReasonHeading } from './layout.ts'
import type { Line } from './lines.ts'
import { reasonHeading, reasonHeadings } from './template.ts'

interface RejectedRow {
  readonly number: number
  readonly cells: readonly string[]
  /**
   * Absent for locations and products that are not rejected, and are included because a rejected
   * event refers to them.
   */
  readonly reason?: string
}

interface RejectedRows {
  readonly sheet: string
  readonly headings: readonly string[]
  readonly rows: readonly RejectedRow[]
}

/** A rejection in a form that can be stored on disk: rows of sheets, or a line. */
export type RejectedEntry = { readonly kind?: RecordKindName | undefined } & (
  | { readonly sheets: readonly RejectedRows[] }
  | { readonly line: string; readonly reason: string }
)

const reasonHeadingOf = (kind: RecordKindName | undefined): string =>
  kind !== undefined && isEventKind(kind) ? reasonHeadings[kind] : reasonHeading

const reasonLengthMax = 2_000

const cut = (text: string): string => (text.length > reasonLengthMax ? `${text.slice(0, reasonLengthMax)}…` : text)

/** A finding with its place in the file, as one text. */
function findingInWords({ row, column, message, remedy }: PlacedFinding, from: RowsOfSheet | Line): string {
  const at = 'headings' in from && column !== undefined ? from.headings.indexOf(column) : -1
  const where =
    column === undefined || column === '' ? '' : `, ${at >= 0 ? `column ${columnLetters(at + 1)} ` : ''}${column}`
  return `${'headings' in from ? 'row' : 'line'} ${row}${where}: ${message}${remedy === undefined ? '' : ` ${remedy}`}`
}

/** Words of a screen for a sentence, and for a column that the file does not have. */
export interface ScreenWords {
  readonly sentence: (text: string, kind: RecordKindName | undefined) => string
  readonly column: (name: string, kind: RecordKindName | undefined) => string
}

const namesOfFields: ScreenWords = { sentence: (text) => text, column: (name) => name }

/** `file` is the name of the first file, whose rows a reason may name. */
export function rejectedEntry(
  { kind, from, findings }: Rejection,
  file = 'the first file',
  { sentence, column: columnWords }: ScreenWords = namesOfFields,
): RejectedEntry {
  if ('text' in from) {
    const reason = findings.map((finding) => findingInWords(finding, from)).join(' ')
    return { kind, line: from.text, reason: cut(`${reason} (Lines as numbered in ${file}.)`) }
  }
  const words = (text: string) => sentence(text, kind)
  const reasons = new Map<number, string[]>()
  for (const { row, column, message, remedy } of findings) {
    const list = reasons.get(row) ?? []
    reasons.set(row, list)
    const place =
      column === undefined || column === ''
        ? ''
        : `${from.headings.includes(column) ? column : columnWords(column, kind)}: `
    list.push(`${place}${words(message)}${remedy === undefined ? '' : ` ${words(remedy)}`}`)
  }
  // In the file of rejected rows, each row has another number.
  const reasonOf = (number: number) => {
    const reason =
      reasons.get(number)?.join(' ') ?? 'Another row of the same event was rejected. An event is imported whole.'
    return /\brows? \d/i.test(reason) ? `${reason} (Rows as numbered in ${file}; this one was row ${number}.)` : reason
  }
  const cellsOf = ({ headings }: RowsOfSheet, cells: RowsOfSheet['rows'][number]['cells']) =>
    Array.from({ length: Math.max(headings.length, cells.length) }, (_, at) => cells[at]?.text ?? '')
  return {
    kind,
    sheets: [
      {
        sheet: from.sheet,
        headings: from.headings,
        rows: from.rows.map(({ number, cells }) => ({
          number,
          cells: cellsOf(from, cells),
          reason: cut(reasonOf(number)),
        })),
      },
      ...(from.leansOn ?? []).map((master) => ({
        sheet: master.sheet,
        headings: master.headings,
        rows: master.rows.map(({ number, cells }) => ({ number, cells: cellsOf(master, cells) })),
      })),
    ],
  }
}

/** Can be read several times: entries may be many. */
type Entries = () => AsyncIterable<RejectedEntry>

export interface RejectedFile {
  readonly form: 'csv' | 'xlsx' | 'ndjson'
  readonly parts: AsyncIterable<Uint8Array | string>
}

/** The file of these entries; undefined when there are none. */
export async function rejectedFile(entries: Entries): Promise<RejectedFile | undefined> {
  const sheets = new Map<string, SheetOfRejected>()
  let lines = 0
  for await (const entry of entries()) {
    if ('line' in entry) lines++
    else
      for (const [i, { sheet, headings, rows }] of entry.sheets.entries()) {
        const known = sheets.get(sheet) ?? {
          headings,
          width: headings.length,
          rejected: new Set<number>(),
          // The rejected record is on the first of them; it refers to the others.
          reasonHeading: reasonHeadingOf(i === 0 ? entry.kind : undefined),
        }
        sheets.set(sheet, known)
        for (const { number, cells, reason } of rows) {
          known.width = Math.max(known.width, cells.length)
          if (reason !== undefined) known.rejected.add(number)
        }
      }
  }
  if (lines > 0) return { form: 'ndjson', parts: lineTexts(entries) }
  if (sheets.size === 0) return undefined
  const [only] = sheets
  if (only !== undefined && sheets.size === 1 && only[0] === '')
    return { form: 'csv', parts: csvTexts(rowsFor(entries, ...only)) }
  return {
    form: 'xlsx',
    parts: workbookBytes(
      { title: 'Rejected rows', creator: 'Lotkeeper' },
      [...sheets].map(([name, sheet]) => ({
        name,
        widths: [...columnsOf(sheet).map((at) => widthOfHeading(sheet.headings[at] ?? '')), reasonWidth],
        rows: rowsFor(entries, name, sheet),
      })),
    ),
  }
}

interface SheetOfRejected {
  readonly headings: readonly string[]
  /** Most cells of a row. */
  width: number
  /** Numbers of its rejected rows, which an event that refers to them does not write again. */
  readonly rejected: Set<number>
  readonly reasonHeading: string
}

const reasonWidth = 80

/** Columns of reasons from an earlier import are left out. */
const columnsOf = ({ headings, width }: SheetOfRejected): readonly number[] =>
  Array.from({ length: width }, (_, at) => at).filter((at) => !isReasonHeading(headings[at] ?? ''))

/** The headings, with the reason as the last, and the rows. */
async function* rowsFor(
  entries: Entries,
  name: string,
  rejectedSheet: SheetOfRejected,
): AsyncGenerator<readonly string[]> {
  const { headings, rejected, reasonHeading } = rejectedSheet
  const columns = columnsOf(rejectedSheet)
  const row = (cells: readonly string[], reason: string) => [...columns.map((at) => cells[at] ?? ''), reason]
  yield row(headings, reasonHeading)
  const written = new Set<number>()
  for await (const entry of entries()) {
    if (!('sheets' in entry)) continue
    for (const { sheet, rows } of entry.sheets) {
      if (sheet !== name) continue
      for (const { number, cells, reason } of rows) {
        if (reason === undefined && (rejected.has(number) || written.has(number))) continue
        if (reason === undefined) written.add(number)
        yield row(cells, reason ?? '')
      }
    }
  }
}

async function* csvTexts(rows: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  // With a byte order mark, spreadsheets read it as UTF-8.
  yield '\uFEFF'
  for await (const cells of rows) yield csvLine(cells)
}

async function* lineTexts(entries: Entries): AsyncGenerator<string> {
  for await (const entry of entries()) if ('line' in entry) yield `${withReason(entry)}\n`
}

/**
 * The payload with the reason as its first member. Text that is no payload is unchanged, below a
 * line with the reason alone. Reading the file removes both.
 */
function withReason({ kind, line, reason }: Extract<RejectedEntry, { line: string }>): string {
  const member = `${JSON.stringify(reasonHeadingOf(kind))}:${JSON.stringify(reason)}`
  const payload = withoutReason(line.trim())
  const read = readJsonObject(payload)
  return 'defect' in read ||
    Object.keys(read.value).length === 0 ||
    allReasonHeadings.some((name) => Object.hasOwn(read.value, name))
    ? `{${member}}\n${payload}`
    : `{${member},${payload.slice(1)}`
}

const allReasonHeadings = Object.values(reasonHeadings)

/** The text of a payload without the reason that an earlier import put in front. */
function withoutReason(text: string): string {
  const start = allReasonHeadings.map((name) => `{${JSON.stringify(name)}:"`).find((one) => text.startsWith(one))
  if (start === undefined) return text
  let end = start.length
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  const rest = text.slice(end + 1).trimStart()
  return rest.startsWith(',') ? `{${rest.slice(1).trimStart()}` : text
}
