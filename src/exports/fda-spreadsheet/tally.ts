// Counts of an export, made while it is written: rows, and missing key data elements.
import { isInUtc } from '../../contract/shape/date-and-time.ts'
import { isGiven } from '../../contract/shape/field.ts'
import { type Correction, correctionsListedMax } from './corrections.ts'
import { columnsFor, type EventColumn } from './event-columns.ts'
import type { EventLine } from './event-lines.ts'
import { sourceReferenceOf } from './places.ts'

/** A missing key data element, for the sheet that lists them. */
export interface MissingElement {
  readonly id: string
  /** Index in the product list; absent where all lines of the event lack it. */
  readonly index?: number
  readonly lotCode?: string | undefined
  readonly column: EventColumn
  readonly message: string
  readonly remedy: string
}

/**
 * Most missing elements that are listed; the rest is counted. They stay in memory until their sheet
 * is written.
 */
export const missingListedMax = 200_000

/** Most corrections in the explanation; the sheet has all. */
const correctionsShownMax = 500

export class Tally {
  events = 0
  lines = 0
  /** Lines whose date received is in UTC, since the time zone of the place is unknown. */
  utcDates = 0
  /** Cells that are empty because of a gap in the record. */
  emptyCells = 0
  /** The same for each column, by letter. */
  readonly byColumn = new Map<string, number>()
  readonly missing: MissingElement[] = []
  /** Missing elements found, listed or not. */
  missingCount = 0
  /** The first corrections, for the page that explains the spreadsheet. */
  readonly corrections: Correction[] = []
  correctionCount = 0
  readonly #correctedRecords = new Set<string>()
  readonly #lots = new Set<string>()
  readonly #places = new Set<string>()
  readonly #listing: boolean
  #shipping: Tally | undefined

  /** `listing` keeps the missing elements themselves, to list them. */
  constructor(listing: boolean) {
    this.#listing = listing
  }

  /** The same of shipping events. */
  get shipping(): Tally {
    this.#shipping ??= new Tally(this.#listing)
    return this.#shipping
  }

  /**
   * Lot codes of all rows, each within its source: the same code of two sources is two lots.
   */
  get lots(): number {
    return this.#shipping === undefined ? this.#lots.size : new Set([...this.#lots, ...this.#shipping.#lots]).size
  }

  /** Locations of all rows. */
  get places(): number {
    return this.#shipping === undefined ? this.#places.size : new Set([...this.#places, ...this.#shipping.#places]).size
  }

  /** Records with corrections. */
  get correctedRecords(): number {
    return this.#correctedRecords.size
  }

  /** Counts corrections, and returns those that fit into a sheet. */
  takeCorrections(batch: readonly Correction[]): readonly Correction[] {
    const room = Math.max(0, correctionsListedMax - this.correctionCount)
    this.correctionCount += batch.length
    this.corrections.push(...batch.slice(0, Math.max(0, correctionsShownMax - this.corrections.length)))
    for (const { id } of batch) this.#correctedRecords.add(id)
    return batch.slice(0, room)
  }

  /** Counts the selected lines of one event. */
  take(lines: readonly EventLine[]): void {
    const [first] = lines
    if (first === undefined) return
    const {
      dataProviderVendorId: vendor,
      shipFromLocationCode,
      shipToLocationCode,
      eventDateTime,
    } = first.event.payload.eventList
    this.events++
    this.lines += lines.length
    if (first.event.timeZone === undefined && isInUtc(eventDateTime)) this.utcDates += lines.length
    for (const code of [shipFromLocationCode, shipToLocationCode]) this.#places.add(`${vendor}\u0000${code}`)
    for (const { line, source } of lines)
      if (isGiven(line.caseLotNumber))
        this.#lots.add(`${line.caseLotNumber}\u0000${sourceReferenceOf(line) ?? source.name ?? ''}`)
  }

  /**
   * Counts the cells of a line that gaps leave empty, and returns their columns. An element that
   * the whole event lacks is one missing element, and one empty cell in each line.
   */
  takeGaps(received: EventLine, { isFirst }: { readonly isFirst: boolean }): ReadonlySet<EventColumn> {
    const { gaps, event, index, line } = received
    const empty = new Set<EventColumn>()
    for (const { finding, ofEvent } of gaps())
      for (const column of columnsOf(finding.rule, received)) {
        if (empty.has(column)) continue
        if (column.cell(received) === undefined) {
          empty.add(column)
          this.emptyCells++
          this.byColumn.set(column.letter, (this.byColumn.get(column.letter) ?? 0) + 1)
        }
        if (ofEvent && !isFirst) continue
        this.missingCount++
        if (this.#listing && this.missing.length < missingListedMax)
          this.missing.push({
            id: event.id,
            ...(!ofEvent && { index, lotCode: line.caseLotNumber }),
            column,
            message: finding.message,
            remedy: finding.remedy,
          })
      }
    return empty
  }
}

/**
 * The columns that a gap leaves empty; the first of its rule if none is, so that each gap is
 * listed.
 */
function columnsOf(rule: string, received: EventLine): readonly EventColumn[] {
  const columns = columnsFor[received.event.kind].filter(({ gaps }) => gaps?.includes(rule))
  const open = columns.filter((column) => column.cell(received) === undefined)
  return open.length > 0 ? open : columns.slice(0, 1)
}
