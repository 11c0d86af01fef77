// Voided records: the rows that FDA would have got, with time and reason. Source: decisions 0030,
// 0066.

import { byteOrderMark, csvRow } from 'lotkeeper-sheets/safe-csv'
import { eventKinds } from '../../contract/record-kinds.ts'
import type { AnyExportedEvent } from '../exported-event.ts'
import type { ExportFilters } from '../fda-spreadsheet/event-lines.ts'
import { instantText } from '../fda-spreadsheet/explained.ts'
import type { KindSheet } from '../fda-spreadsheet/kind-sheets.ts'
import { sheetRows } from '../fda-spreadsheet/sheet-rows.ts'
import { textsOf } from '../fda-spreadsheet/spreadsheet.ts'

/** A record as it was when it was voided. */
export interface VoidedRecord {
  readonly event: AnyExportedEvent
  readonly voidedAt: Date
  readonly reason: string
}

export type VoidedBatches = AsyncIterable<readonly VoidedRecord[]>

/** Voided records that the explanation lists at most; the file has all of them. */
const listedMax = 200

/** Voided records, counted while their file is written; the first ones are kept for a list. */
export class VoidedTally {
  /** A record may be in several sheets. */
  readonly #ids = new Set<string>()
  /** A row of text each: id, time, reason, kind and number of rows. */
  readonly listed: (readonly string[])[] = []

  get records(): number {
    return this.#ids.size
  }

  take({ event, voidedAt, reason }: VoidedRecord, rows: number): void {
    if (this.#ids.has(event.id)) return
    this.#ids.add(event.id)
    const { noun } = eventKinds[event.kind]
    if (this.listed.length < listedMax) this.listed.push([event.id, instantText(voidedAt), reason, noun, String(rows)])
  }
}

export const voidedHeadings = ['Record id', 'Voided (UTC)', 'Reason'] as const

/** The rows of a kind that match the filters, below headings. */
export async function* voidedCsv(
  filters: ExportFilters,
  batches: VoidedBatches,
  tally: VoidedTally,
  sheet: KindSheet,
): AsyncGenerator<string> {
  const { columns } = sheet
  yield byteOrderMark + csvRow([...voidedHeadings, ...columns.map(({ heading }) => heading)])
  for await (const records of batches)
    for (const record of records) {
      const rows = sheetRows(record.event, filters, sheet)
      tally.take(record, rows.length)
      const head = [record.event.id, instantText(record.voidedAt), record.reason]
      yield rows.map((row) => csvRow([...head, ...textsOf(row, columns)])).join('')
    }
}
