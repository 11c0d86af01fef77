// Changes by replacements in the rows for FDA, cell by cell, before and after. Source: 21 CFR
// 1.1455(c)(1); decision 0030.
import type { AnyExportedEvent } from '../exported-event.ts'
import { shownText } from './event-columns.ts'
import { type EventLine, type ExportFilters, eventLines, lineNameOf } from './event-lines.ts'
import { columnReference, type EventColumn, sheetOfLine, sheetsFor } from './kind-sheets.ts'
import { linesOfRows, sheetRows } from './sheet-rows.ts'

/** A record as it was at one version, and when that was submitted. */
export interface RecordedVersion {
  readonly event: AnyExportedEvent
  readonly submittedAt: Date
  /** Number of purged versions before it, for the first that was not purged; else null. */
  readonly purgedBefore: number | null
  /** Reason of the void; null for other versions. */
  readonly voidReason: string | null
  /** Why the version was stored, where its sender said so; else null. */
  readonly reason: string | null
}

/** One cell or row that differs from the version before. */
export interface Correction {
  /** Id of the record. */
  readonly id: string
  /** The version with the change. */
  readonly version: number
  readonly correctedAt: Date
  /** Why, where the sender said so. */
  readonly reason: string | null
  /**
   * Index of the product line in this version, or in the one before if the line was removed; absent
   * for values that all lines share.
   */
  readonly index?: number
  /** Lot code of the line in this version, or in the one before if the line was removed. */
  readonly lotCode?: string | undefined
  /** Absent for a whole row, and where no cell changed. */
  readonly column?: EventColumn
  /** The change, where it is not a single cell. */
  readonly what?:
    | 'row added'
    | 'row removed'
    | 'record voided'
    | 'record brought back'
    | 'no cell of these rows changed'
    | 'earlier versions were purged'
  readonly before: string
  readonly after: string
}

/**
 * The changes of the second version in rows that match the filters before or after it. Two lines
 * are the same line if they are equal, else if item and lot code are, else the item, else the lot
 * code.
 */
export function correctionsBetween(
  before: RecordedVersion,
  { event, submittedAt, voidReason, reason }: RecordedVersion,
  filters: ExportFilters,
): readonly Correction[] {
  const { id, version } = event
  const columnsOf = ({ line }: Row, list: string | undefined) =>
    sheetOfLine(line).columns.filter((column) => column.list === list)
  const head = { id, version, correctedAt: submittedAt, reason: voidReason ?? reason }
  if (voidReason !== null) return [{ ...head, what: 'record voided', before: '', after: voidReason }]
  const [old, now] = [rowsOf(before.event, filters), rowsOf(event, filters)]
  const pairs = pairRows(old, now).filter(([was, is]) => was?.isChosen || is?.isChosen)
  const corrections: Correction[] =
    before.voidReason === null ? [] : [{ ...head, what: 'record brought back', before: '', after: '' }]
  const compare = (was: EventLine, is: EventLine, columns: readonly EventColumn[], of: object) => {
    for (const column of columns) {
      const [text, newText] = [shownText(column.cell(was)), shownText(column.cell(is))]
      if (text !== newText) corrections.push({ ...head, ...of, column, before: text, after: newText })
    }
  }
  const [shared] = pairs.filter(([was, is]) => was !== undefined && is !== undefined)
  if (shared?.[0] !== undefined && shared[1] !== undefined)
    compare(shared[0].line, shared[1].line, columnsOf(shared[1], undefined), {})
  for (const [was, is] of pairs) {
    const row = is ?? was
    if (row === undefined) continue
    const of = { index: row.line.index, lotCode: row.line.line.caseLotNumber }
    if (was !== undefined && is !== undefined) compare(was.line, is.line, columnsOf(row, row.line.list), of)
    else if (is !== undefined) corrections.push({ ...head, ...of, what: 'row added', before: '', after: summary(is) })
    else if (was !== undefined)
      corrections.push({ ...head, ...of, what: 'row removed', before: summary(was), after: '' })
  }
  if (corrections.length === 0)
    corrections.push({ ...head, what: 'no cell of these rows changed', before: '', after: '' })
  return corrections
}

/** States that the versions before one were purged. */
export const purgedBefore = ({ event, submittedAt, purgedBefore: purged }: RecordedVersion): readonly Correction[] =>
  purged === null
    ? []
    : [
        {
          id: event.id,
          version: event.version,
          correctedAt: submittedAt,
          reason: null,
          what: 'earlier versions were purged',
          before: '',
          after: '',
        },
      ]

interface Row {
  readonly line: EventLine
  readonly isChosen: boolean
  /** All cells of the line, to find equal lines. */
  readonly text: string
}

function rowsOf(event: AnyExportedEvent, filters: ExportFilters): readonly Row[] {
  const rows = sheetsFor(event.kind).flatMap((sheet) => sheetRows(event, filters, sheet))
  const chosen = new Set(linesOfRows(rows).map(lineNameOf))
  return eventLines(event, {}).map((line) => ({
    line,
    isChosen: chosen.has(lineNameOf(line)),
    text: JSON.stringify(line.line),
  }))
}

type Pair = readonly [was: Row | undefined, is: Row | undefined]

/** Keys by which lines are matched, the most reliable first. */
const likenesses: readonly ((row: Row) => string)[] = [
  ({ text }) => text,
  ({ line: { line } }) => JSON.stringify([line.vendorItemCode, line.caseLotNumber, line.palletId]),
  ({ line: { line } }) => JSON.stringify([line.vendorItemCode, line.caseLotNumber]),
  ({ line: { line } }) => line.vendorItemCode,
  ({ line: { line } }) => line.caseLotNumber ?? '',
]

function pairRows(old: readonly Row[], now: readonly Row[]): readonly Pair[] {
  const pairs: [was: Row, is: Row][] = []
  let [left, coming] = [old, now]
  for (const likeness of likenesses) {
    const likenessOf = (row: Row) => `${row.line.list} ${likeness(row)}`
    const waiting = new Map<string, Row[]>()
    for (const row of left) {
      const key = likenessOf(row)
      const known = waiting.get(key)
      if (known === undefined) waiting.set(key, [row])
      else known.push(row)
    }
    for (const rows of waiting.values()) rows.reverse()
    const found = new Set<Row>()
    coming = coming.filter((row) => {
      const was = waiting.get(likenessOf(row))?.pop()
      if (was === undefined) return true
      found.add(was)
      pairs.push([was, row])
      return false
    })
    left = left.filter((row) => !found.has(row))
  }
  const indexOf = ([was, is]: Pair): number => (is ?? was)?.line.index ?? 0
  return [...pairs, ...coming.map((row): Pair => [undefined, row]), ...left.map((row): Pair => [row, undefined])].sort(
    (one, other) => indexOf(one) - indexOf(other),
  )
}

const summary = ({ line: { line } }: Row): string =>
  [line.caseLotNumber, `${line.shipQuantity} ${line.shipQuantityUom}`, line.vendorItemCode].filter(Boolean).join(', ')

export const correctionHeadings = [
  'Record id',
  'Version',
  'Corrected (UTC)',
  'Product line',
  'Traceability Lot Code',
  'Column',
  'Key data element',
  'Before',
  'After',
  'Reason',
]

/** A correction as a row of text, in the order of the headings. */
export const correctionCells = ({
  id,
  version,
  correctedAt,
  index,
  lotCode,
  column,
  what,
  before,
  after,
  reason,
}: Correction) => [
  id,
  String(version),
  `${correctedAt.toISOString().slice(0, 19)}Z`,
  index === undefined ? 'all lines' : String(index + 1),
  lotCode ?? '',
  column === undefined ? '' : columnReference(column),
  column?.heading ?? what ?? '',
  before,
  after,
  reason ?? '',
]

/** Most corrections that are listed; the rest is counted. */
export const correctionsListedMax = 200_000
