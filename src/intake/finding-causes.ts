// Findings in many rows, by cause: "180 rows, the first is row 2: …" in place of 180 lines.

import { columnLetters } from 'lotkeeper-sheets/sheet'
import type { RecordKindName } from '../contract/record-kinds.ts'
import type { Found, Rejection } from './import-run.ts'
import type { PlacedFinding } from './intake-record.ts'

export interface FindingCause {
  /** The same for all findings of this cause. */
  readonly key: string
  /** Empty for CSV and NDJSON. */
  readonly sheet: string
  /** Heading, or the name of the column that is missing; absent where the whole row is meant. */
  readonly column?: string
  /** Letters of the column; absent when the file has none of this name. */
  readonly letters?: string
  /** Id of the rule; absent for findings of the reader. */
  readonly rule?: string
  /** Of the first row. */
  readonly message: string
  readonly remedy?: string
  readonly rows: number
  readonly firstRow: number
  /** False for lines of NDJSON. */
  readonly isRow: boolean
  /** The noun of the first record; undefined for a line that is no payload. */
  readonly kind?: RecordKindName
  /** The stored record that has the key of the first. */
  readonly heldBy?: NonNullable<Rejection['heldBy']>
}

/** Most causes that are kept: a hostile file has a new one in each row. */
const causesMax = 200

export class FindingCauses {
  readonly #causes = new Map<string, FindingCause & { rows: number; lastRow: number }>()
  #others = 0

  /** Causes to which more can be added without changing these. */
  copy(): FindingCauses {
    const copy = new FindingCauses()
    copy.#others = this.#others
    for (const [key, cause] of this.#causes) copy.#causes.set(key, { ...cause })
    return copy
  }

  /** Adds the reasons of a rejected record, or the warnings of an accepted one. */
  add({ kind, from, findings, heldBy }: Found & Pick<Rejection, 'heldBy'>): void {
    const headings = 'headings' in from ? from.headings : []
    const sheet = 'headings' in from ? from.sheet : ''
    for (const finding of findings) {
      const { row, column, rule, message, remedy } = finding
      const key = causeKey(finding, from)
      const known = this.#causes.get(key)
      if (known !== undefined) {
        if (known.lastRow !== row) known.rows++
        known.lastRow = row
      } else if (this.#causes.size >= causesMax) this.#others++
      else {
        const at = column === undefined ? -1 : headings.indexOf(column)
        this.#causes.set(key, {
          ...{ key, sheet },
          ...(column !== undefined && column !== '' && { column }),
          ...(at >= 0 && { letters: columnLetters(at + 1) }),
          ...(rule !== undefined && { rule }),
          ...{ message, rows: 1, firstRow: row, lastRow: row, isRow: 'headings' in from },
          ...(remedy !== undefined && { remedy }),
          ...(kind !== undefined && { kind }),
          ...(heldBy !== undefined && { heldBy }),
        })
      }
    }
  }

  /** In the order of their first rows. */
  get all(): readonly FindingCause[] {
    return [...this.#causes.values()].map(({ lastRow: _, ...cause }) => cause)
  }

  /** Findings of further causes. */
  get others(): number {
    return this.#others
  }
}

/** Alike for findings of one cause, in the column of one sheet. */
export const causeKey = (finding: PlacedFinding, from: Rejection['from']): string =>
  JSON.stringify(['headings' in from ? from.sheet : '', finding.column, finding.rule, causeOf(finding, from)])

/**
 * The message without the parts that differ from row to row: the value of the cell, ids and
 * numbers.
 */
function causeOf({ row, column, message }: PlacedFinding, from: Rejection['from']): string {
  const at = 'headings' in from && column !== undefined ? from.headings.indexOf(column) : -1
  const cell = 'rows' in from && at >= 0 ? from.rows.find(({ number }) => number === row)?.cells[at]?.text.trim() : ''
  const without = cell ? message.replaceAll(cell.slice(0, 40), '…') : message
  return without
    .replaceAll(/\\[\s\S]/g, '')
    .replaceAll(/"[^"]*"/g, '"…"')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, '…')
    .replaceAll(/\d+/g, '#')
}

/** "180 rows, the first is row 2, column B Ship To: …" */
export function causeInWords(cause: FindingCause): string {
  const { column, letters, message, rows, firstRow, isRow } = cause
  const remedy = lacksColumn(cause)
    ? `No column has it: add one, map a column to it, or give all rows one value with --set ${column}=VALUE.`
    : cause.remedy
  const noun = isRow ? 'row' : 'line'
  const where = `${rows > 1 ? `${rows.toLocaleString('en')} ${noun}s, the first is ` : ''}${noun} ${firstRow}`
  const place = column === undefined ? '' : letters === undefined ? `, ${column}` : `, column ${letters} ${column}`
  return `${where}${place}: ${message}${remedy === undefined ? '' : ` ${remedy}`}`
}

/** Whether the sheet has no column for a field that is required. */
const lacksColumn = ({ rule, column, letters, isRow }: FindingCause): boolean =>
  isRow && rule === 'shape/required' && column !== undefined && letters === undefined
