// The electronic sortable spreadsheet that FDA may request: a workbook in the form of its template,
// and its filled sheets as CSV. Source: 21 CFR 1.1455(c)(3); decision 0029.

import { nodePacking } from 'lotkeeper-sheets/node-packing'
import { byteOrderMark, csvRow } from 'lotkeeper-sheets/safe-csv'
import { type WrittenCell, type WrittenSheet, workbook } from 'lotkeeper-sheets/write-workbook'
import type { EventBatches } from '../exported-event.ts'
import { chainSentences } from './chain-explained.ts'
import { type Correction, correctionCells, correctionHeadings, correctionsListedMax } from './corrections.ts'
import { shownText, type Value } from './event-columns.ts'
import type { ExportFilters } from './event-lines.ts'
import {
  alikeWords,
  correctionsListed,
  definitions,
  type ExportRequest,
  earlierLotSentence,
  filterWords,
  gapsMarked,
  gapsNotMarked,
  instantText,
  noCorrections,
  program,
  readingRules,
} from './explained.ts'
import { columnReference, type EventColumn, isOfLine, type KindSheet, receiving } from './kind-sheets.ts'
import { linesOfRows, type SheetRow, sheetRows } from './sheet-rows.ts'
import { type MissingElement, missingListedMax, type Tally } from './tally.ts'
import { definitionsHeadings, definitionsSheet, eventSheets, headingCell, introductionSheet } from './template.ts'

/** Lines from which a sheet may pass 4 GiB of XML, at a good 16 KB per line. */
const largeFromLines = 250_000

/** Rows built between two pauses for other work. */
const rowsAtOnce = 64
const csvRowsAtOnce = 250

/**
 * The workbook. With `judging`, everything in it is counted in the tally while it is read, gaps
 * included. Without, only gaps are, and only if they are marked.
 */
export function fdaWorkbook(
  request: ExportRequest,
  batches: EventBatches,
  tally: Tally,
  { lines, judging }: { readonly lines: number; readonly judging: boolean },
): AsyncGenerator<Uint8Array> {
  const filledSheet = (
    sheet: KindSheet,
    { batches, counts, rows }: { readonly batches: EventBatches; readonly counts: Tally; readonly rows: number },
  ): WrittenSheet => ({
    name: sheet.name,
    widths: sheet.columns.map(({ width }) => width),
    frozenRows: 1,
    filteredColumns: sheet.columns.length,
    rows: eventRows(request, sheet, { batches, tally: counts, judging }),
    large: rows >= largeFromLines,
  })
  const received = filledSheet(receiving, { batches, counts: tally, rows: lines })
  const others = (request.others ?? []).map(({ sheet, read, rows }) =>
    filledSheet(sheet, { batches: read(), counts: tally.of(sheet), rows }),
  )
  const empty = eventSheets.map(
    ({ name, headings }): WrittenSheet => ({
      name,
      widths: headings.map(() => 24),
      frozenRows: 1,
      rows: [headingRow(headings.map(headingCell))],
    }),
  )
  const sheets: WrittenSheet[] = [
    introduction(request),
    {
      name: definitionsSheet,
      widths: [36, 110],
      frozenRows: 1,
      rows: [headingRow(definitionsHeadings), ...definitions.map((row) => row.map(wrapped))],
    },
    ...empty.map((sheet) => [received, ...others].find(({ name }) => name === sheet.name) ?? sheet),
    ...(request.gaps ? [gapSheet(tally)] : []),
    ...(request.corrections === undefined ? [] : [correctionSheet(request.corrections, tally)]),
  ]
  const properties = {
    title: `Electronic sortable spreadsheet: ${[received, ...others].map(({ name }) => name.toLowerCase()).join(', ')}`,
    creator: program,
    madeAt: request.madeAt,
    openAt: sheets.indexOf(lines === 0 ? (others[0] ?? received) : received),
  }
  return workbook(sheets, properties, nodePacking)
}

const styled =
  (style: 'heading' | 'wrapped' | 'title') =>
  (text: string): WrittenCell => ({ style, text })
const heading = styled('heading')
const wrapped = styled('wrapped')
const title = styled('title')
const headingRow = (headings: readonly string[]): readonly WrittenCell[] => headings.map(heading)

function introduction(request: ExportRequest): WrittenSheet {
  const { provider, filters, madeAt, gaps, contact, corrections, earlierLots = [] } = request
  const rows: readonly (readonly [string, string])[] = [
    ['Records of', provider],
    ['Made', `${instantText(madeAt)} (UTC), by ${program}`],
    ...(contact === undefined ? [] : [['Contact', contact] as const]),
    ...filterWords(filters),
    ...alikeWords(request),
    ...chainSentences(request.chain, filters),
    ...earlierLots.map((lot) => ['Earlier lot code', earlierLotSentence(lot)] as const),
    ...readingRules,
    ['Corrections', corrections === undefined ? noCorrections : correctionsListed],
    ['Gaps', gaps ? gapsMarked : gapsNotMarked],
    ['Form', 'Sheets and headings are those of the template that FDA offers for 21 CFR 1.1455(c)(3).'],
  ]
  return {
    name: introductionSheet,
    widths: [36, 110],
    rows: [[title('Introduction')], [], ...rows.map(([what, text]) => [heading(what), wrapped(text)])],
  }
}

async function* eventRows(
  { filters, gaps }: ExportRequest,
  sheet: KindSheet,
  { batches, tally, judging }: { readonly batches: EventBatches; readonly tally: Tally; readonly judging: boolean },
): AsyncGenerator<readonly (readonly WrittenCell[])[]> {
  const { columns } = sheet
  yield [headingRow(columns.map((column) => column.headingCell))]
  let rows: (readonly WrittenCell[])[] = []
  for await (const events of batches) {
    for (const event of events) {
      const ofEvent = sheetRows(event, filters, sheet)
      const lines = gaps || judging ? linesOfRows(ofEvent) : []
      if (judging) tally.take(lines)
      const missing = new Map(lines.map((line, i) => [line, tally.takeGaps(line, { isFirst: i === 0 })]))
      for (const row of ofEvent) {
        const marked = gaps ? row.flatMap((line) => [...(missing.get(line) ?? [])]) : []
        rows.push(
          columns.map((column) => cellOf(row, column) ?? (marked.includes(column) ? { style: 'gap' } : undefined)),
        )
        if (rows.length < rowsAtOnce) continue
        yield rows
        rows = []
      }
    }
  }
  if (rows.length > 0) yield rows
}

/** Of a row that pairs lines of two lists, the value of the line that has the column. */
function cellOf(row: SheetRow, column: EventColumn): Value {
  for (const line of row) if (isOfLine(column, line)) return column.cell(line)
  return undefined
}

const gapHeadings = [
  'Record id',
  'Product line',
  'Traceability Lot Code',
  'Column',
  'Key data element',
  '21 CFR',
  'What is missing',
  'Remedy',
]

/** Built after the rows of the filled sheets were counted. */
function gapSheet(tally: Tally): WrittenSheet {
  async function* rows() {
    yield [headingRow(gapHeadings)]
    for (const [, { missing, missingCount }] of tally.sheets) {
      for (let start = 0; start < missing.length; start += rowsAtOnce)
        yield missing.slice(start, start + rowsAtOnce).map(gapRow)
      if (missingCount > missingListedMax)
        yield [[`${missingCount - missingListedMax} more are not listed here. Ask for fewer events to see them all.`]]
    }
  }
  return {
    name: 'Gaps',
    widths: [38, 12, 24, 10, 60, 16, 60, 70],
    frozenRows: 1,
    filteredColumns: gapHeadings.length,
    rows: rows(),
  }
}

/** Counts the corrections in the tally while it is read. */
function correctionSheet(corrections: () => AsyncIterable<readonly Correction[]>, tally: Tally): WrittenSheet {
  async function* rows() {
    yield [headingRow(correctionHeadings)]
    for await (const batch of corrections()) {
      const listed = tally.takeCorrections(batch)
      for (let start = 0; start < listed.length; start += rowsAtOnce)
        yield listed.slice(start, start + rowsAtOnce).map(correctionCells)
    }
    const more = tally.correctionCount - correctionsListedMax
    if (more > 0) yield [[`${more} more are not listed here. Ask for fewer events to see them all.`]]
  }
  return {
    name: 'Corrections',
    widths: [38, 10, 22, 12, 24, 10, 60, 40, 40],
    frozenRows: 1,
    filteredColumns: correctionHeadings.length,
    rows: rows(),
  }
}

/** The sheet Corrections as CSV. */
export async function* correctionsCsv(corrections: AsyncIterable<readonly Correction[]>): AsyncGenerator<string> {
  yield byteOrderMark + csvRow(correctionHeadings)
  for await (const batch of corrections)
    for (let start = 0; start < batch.length; start += csvRowsAtOnce)
      yield batch
        .slice(start, start + csvRowsAtOnce)
        .map((correction) => csvRow(correctionCells(correction)))
        .join('')
}

const gapRow = ({ id, index, lotCode, column, message, remedy }: MissingElement): readonly WrittenCell[] => [
  id,
  index === undefined ? 'all lines' : index + 1,
  lotCode,
  columnReference(column),
  column.heading,
  column.paragraph,
  message,
  remedy,
]

/** A filled sheet as CSV: its headings on one line each, and the same text in every cell. */
export async function* fdaCsv(
  filters: ExportFilters,
  batches: EventBatches,
  sheet = receiving,
): AsyncGenerator<string> {
  const { columns } = sheet
  yield byteOrderMark + csvRow(columns.map((column) => column.heading))
  for await (const events of batches) {
    let [text, rows] = ['', 0]
    for (const event of events)
      for (const row of sheetRows(event, filters, sheet)) {
        text += csvRow(textsOf(row, columns))
        if (++rows % csvRowsAtOnce !== 0) continue
        yield text
        text = ''
      }
    if (text !== '') yield text
  }
}

/** The texts of a row, in the order of the columns. */
export const textsOf = (row: SheetRow, columns: readonly EventColumn[]): readonly string[] =>
  columns.map((column) => shownText(cellOf(row, column)))

/** A file name that contains the request, in characters that every system accepts. */
export function exportName(filters: ExportFilters, prefix: string, extension: string): string {
  const { eventStartDate: from, eventEndDate: to } = filters
  const parts = [
    from === undefined ? undefined : to === undefined ? `from-${from}` : from,
    to === undefined ? undefined : from === undefined ? `until-${to}` : `to-${to}`,
    namePart(filters.chain === undefined ? 'lot' : `chain-${filters.chain}`, filters.lotCode ?? foodPart(filters)),
    namePart('item', filters.itemCode),
    namePart('gtin', filters.gtin),
    namePart('ftl', filters.ftlCategory),
    namePart('product', filters.productText),
    namePart('source', filters.tlcSource),
    namePart('vendor', filters.dataProviderVendorId),
    namePart('at', filters.shipToLocationCode),
  ]
  return `${[prefix, ...parts.filter((part) => part !== undefined)].join('-')}.${extension}`
}

export const csvName = (filters: ExportFilters, { slug }: KindSheet): string =>
  exportName(filters, `fda-${slug}`, 'csv')

/** Food of which a chain begins, as a record or as a place and a date. */
const foodPart = ({ recordId, locationCode, date }: ExportFilters): readonly string[] | undefined =>
  recordId !== undefined ? [recordId] : locationCode === undefined ? undefined : [`${locationCode}-${date}`]

/** Longest part of a file name that comes from a filter. */
const namePartMax = 40

function namePart(what: string, values: readonly string[] | undefined): string | undefined {
  if (values === undefined) return undefined
  const [first = ''] = values
  const more = values.length > 1 ? `-and-${values.length - 1}-more` : ''
  return `${what}-${first.replaceAll(/[^A-Za-z0-9._-]+/g, '_').slice(0, namePartMax)}${more}`
}
