// The rows of rejected records, with each reason at its cell.
import type { Row } from 'lotkeeper-sheets/sheet'
import type { RecordKindName } from '../../contract/record-kinds.ts'
import { causeKey } from '../finding-causes.ts'
import type { Rejection } from '../import-run.ts'
import type { PlacedFinding } from '../intake-record.ts'
import { type Mend, type Mends, mendKey } from './mends.ts'

export interface CellFinding extends PlacedFinding {
  /** Of its cause (`FindingCause`). */
  readonly cause: string
}

export interface RejectedCells {
  readonly kind: RecordKindName | undefined
  readonly sheet: string
  readonly headings: readonly string[]
  readonly number: number
  /** The texts of the file, by heading. */
  readonly cells: ReadonlyMap<string, string>
  readonly findings: readonly CellFinding[]
}

/**
 * The rows that have a reason of their own, in the order of the file; first those because of which
 * others are rejected. Lines of JSON are none. `mends` are those with which they were read.
 */
export function rejectedCells(rejections: readonly Rejection[], mends: Mends): readonly RejectedCells[] {
  const found: RejectedCells[] = []
  const named = new Set<string>()
  for (const { kind, from, findings } of rejections) {
    if (!('rows' in from)) continue
    const { sheet, headings } = from
    const byRow = new Map<number, CellFinding[]>()
    for (const finding of findings) {
      if (finding.because !== undefined) {
        named.add(`${sheet} ${finding.because}`)
        continue
      }
      const own = byRow.get(finding.row) ?? []
      byRow.set(finding.row, own)
      own.push({ ...finding, cause: causeKey(finding, from) })
    }
    // A row of several lots is read as several rows.
    const rows = new Map<number, Row[]>()
    for (const row of from.rows) rows.set(row.number, [...(rows.get(row.number) ?? []), row])
    for (const [number, parts] of rows) {
      const own = byRow.get(number)
      if (own === undefined) continue
      const texts = headings.map((heading, at) => {
        const read = new Set(parts.map(({ cells }) => cells[at]?.text ?? ''))
        return [heading, mends[mendKey({ sheet, row: number, column: heading })]?.was ?? [...read].join('; ')] as const
      })
      found.push({ kind, sheet, headings, number, cells: new Map(texts), findings: own })
    }
  }
  const isNamed = ({ sheet, number }: RejectedCells) => Number(named.has(`${sheet} ${number}`))
  return found.sort((a, b) => isNamed(b) - isNamed(a))
}

/** The text of a cell with its correction. */
export const textIn = ({ sheet, number, cells }: RejectedCells, column: string, mends: Mends): string =>
  mends[mendKey({ sheet, row: number, column })]?.to ?? cells.get(column) ?? ''

export const isLeftOut = ({ sheet, number }: RejectedCells, mends: Mends): boolean =>
  mends[mendKey({ sheet, row: number, column: null })] !== undefined

/** How often each text is in a column of these rows, the most frequent first. */
export function valuesIn(
  rows: readonly RejectedCells[],
  column: string,
  mends: Mends,
): readonly (readonly [text: string, count: number])[] {
  const counts = new Map<string, number>()
  for (const row of rows) {
    const text = textIn(row, column, mends).trim()
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return [...counts].sort(([, a], [, b]) => b - a)
}

/** Where cells of many rows get another value at once. */
export interface ValueChange {
  /** The column that is written, by its heading or by its name where the sheet lacks it. */
  readonly column: string
  /** The column whose text decides. */
  readonly by: string
  /** What the cell becomes for each of its texts. */
  readonly values: ReadonlyMap<string, string>
}

/** The cells that the change writes. Cells that have the text already are none. */
export const mendsOf = (
  rows: readonly RejectedCells[],
  { column, by, values }: ValueChange,
  mends: Mends,
): readonly Mend[] =>
  rows.flatMap((row) => {
    const to = values.get(textIn(row, by, mends).trim())
    if (to === undefined || to === textIn(row, column, mends)) return []
    return [{ sheet: row.sheet, row: row.number, column, was: row.cells.get(column) ?? '', to }]
  })
