// Counts of an export, made while it is written: rows, and missing key data elements.
import { allPlaceFieldsOf, eventKinds, linePlacesOf } from '../../contract/record-kinds.ts'
import { isInUtc } from '../../contract/shape/date-and-time.ts'
import { isGiven } from '../../contract/shape/field.ts'
import type { Finding } from '../../contract/shape/finding.ts'
import { type Correction, correctionsListedMax } from './corrections.ts'
import { codeAt, type EventLine, placeFieldsOfLine } from './event-lines.ts'
import { type EventColumn, isOfLine, type KindSheet, kindSheets, receiving } from './kind-sheets.ts'
import { sourceReferenceOf } from './places.ts'

/** A missing key data element, for the sheet that lists them. */
export interface MissingElement {
  readonly id: string
  /** Index in its list; absent where all lines of the event lack it. */
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
  /** Lines whose date is in UTC, since the time zone of the place is unknown. */
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
  readonly #sheet: KindSheet
  /** Of each other sheet. */
  readonly #others = new Map<KindSheet, Tally>()

  /** `listing` keeps the missing elements themselves, to list them. */
  constructor(listing: boolean, sheet = receiving) {
    this.#listing = listing
    this.#sheet = sheet
  }

  /** The same of another sheet; of Receiving this one. */
  of(sheet: KindSheet): Tally {
    if (sheet === receiving) return this
    const tally = this.#others.get(sheet) ?? new Tally(this.#listing, sheet)
    this.#others.set(sheet, tally)
    return tally
  }

  /** The sheets of which events were counted, and what was counted; of Receiving in any case. */
  get sheets(): readonly (readonly [sheet: KindSheet, tally: Tally])[] {
    return kindSheets.flatMap((sheet) => {
      const tally = sheet === receiving ? this : this.#others.get(sheet)
      return tally === undefined ? [] : [[sheet, tally] as const]
    })
  }

  /** The sum over all sheets. */
  sum(count: (tally: Tally) => number): number {
    return this.sheets.reduce((sum, [, tally]) => sum + count(tally), 0)
  }

  /**
   * Lot codes of all rows, each within its source: the same code of two sources is two lots.
   */
  get lots(): number {
    return this.#sizeOf((tally) => tally.#lots)
  }

  /** Locations of all rows. */
  get places(): number {
    return this.#sizeOf((tally) => tally.#places)
  }

  #sizeOf(read: (tally: Tally) => ReadonlySet<string>): number {
    const [first = new Set<string>(), ...others] = this.sheets.map(([, tally]) => read(tally))
    return others.length === 0 ? first.size : new Set([first, ...others].flatMap((some) => [...some])).size
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
    const { kind, payload, timeZone } = first.event
    const { dataProviderVendorId: vendor, eventDateTime } = payload.eventList
    this.events++
    this.lines += lines.length
    if (timeZone === undefined && isInUtc(eventDateTime)) this.utcDates += lines.length
    const addPlace = (code: unknown) => code !== undefined && this.#places.add(`${vendor}\u0000${code}`)
    for (const field of allPlaceFieldsOf(eventKinds[kind])) addPlace(payload.eventList[field])
    for (const { field } of linePlacesOf(eventKinds[kind])) for (const line of lines) addPlace(codeAt(line, field))
    for (const { lot, source } of lines)
      if (isGiven(lot.caseLotNumber))
        this.#lots.add(`${lot.caseLotNumber}\u0000${sourceReferenceOf(lot) ?? source.name ?? ''}`)
  }

  /**
   * Counts the cells of a line that gaps leave empty, and returns their columns. An element that
   * the whole event lacks is one missing element, and one empty cell in each line.
   */
  takeGaps(received: EventLine, { isFirst }: { readonly isFirst: boolean }): ReadonlySet<EventColumn> {
    const { gaps, event, index, line } = received
    const empty = new Set<EventColumn>()
    for (const { finding, ofEvent } of gaps())
      for (const column of columnsOf(this.#sheet, finding, received)) {
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
function columnsOf({ columns: all }: KindSheet, finding: Finding, received: EventLine): readonly EventColumn[] {
  const names = [finding.rule, ...fieldsOf(finding, received).map((field) => `${finding.rule} ${field}`)]
  const columns = all.filter((column) => isOfLine(column, received) && column.gaps?.some((gap) => names.includes(gap)))
  const open = columns.filter((column) => column.cell(received) === undefined)
  return open.length > 0 ? open : columns.slice(0, 1)
}

/** The fields that a finding is about: of a location, each that has its code. */
function fieldsOf({ pointer }: Finding, received: EventLine): readonly string[] {
  const [, index] = /^\/locationMasterList\/(\d+)/.exec(pointer) ?? []
  if (index === undefined) return [pointer.slice(pointer.lastIndexOf('/') + 1)]
  const { payload, kind } = received.event
  const code = payload.locationMasterList[Number(index)]?.locationCode
  return placeFieldsOfLine(kind, received.list).filter((field) => codeAt(received, field) === code)
}
