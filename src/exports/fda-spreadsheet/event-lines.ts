// From stored events to the lines that have rows in a spreadsheet: those that match the filters,
// with the known facts about each.

import { placesByNumber } from '../../contract/completion.ts'
import type { MasterProduct } from '../../contract/product.ts'
import type { ProductLine } from '../../contract/product-line.ts'
import { type DocumentCells, documentCells, documentsOf } from '../../contract/reference-document.ts'
import type { Finding } from '../../contract/shape/finding.ts'
import type { Loose } from '../../contract/shape/read-shape.ts'
import type { ExportedEvent } from '../exported-event.ts'
import { isChosen, isChosenAlike, type LineFilters } from './line-filters.ts'
import { type PlaceTexts, placeOf, sourceOf } from './places.ts'

/** The filters of the query: a line matches if it has one of the values of each. */
export interface ExportFilters extends LineFilters {
  readonly eventStartDate?: string | undefined
  readonly eventEndDate?: string | undefined
  readonly dataProviderVendorId?: readonly string[] | undefined
  readonly shipToLocationCode?: readonly string[] | undefined
}

/** One product line, with the data beside it in the record and in master data. */
export interface EventLine {
  readonly event: ExportedEvent
  /** Index in the product list. */
  readonly index: number
  readonly line: ProductLine
  readonly product: Loose<MasterProduct>
  readonly shipFrom: PlaceTexts
  readonly shipTo: PlaceTexts
  readonly source: PlaceTexts
  /** The values of the pairs of columns for reference documents. */
  readonly documents: readonly DocumentCells[]
  /** Gaps of the line, its product and its event, when requested. */
  readonly gaps: () => readonly LineGap[]
}

interface LineGap {
  readonly finding: Finding
  /** True for a gap of the event, and thus of all its lines. */
  readonly ofEvent: boolean
}

/**
 * Lot codes of the event that only read like a requested one: one for each line that matches all
 * other filters.
 */
export function alikeLotCodes(event: ExportedEvent, filters: ExportFilters): readonly string[] {
  const places = placesByNumber(event.locations.values())
  return event.payload.eventList.productList.flatMap((line) => {
    const product = event.products.get(line.vendorItemCode) ?? {}
    const source = sourceOf(line, places)
    return isChosenAlike({ line, product, source }, filters) ? [line.caseLotNumber ?? ''] : []
  })
}

/**
 * The event's lines that match the filters: a lot code, item or source selects only the lines that
 * have it.
 */
export function eventLines(event: ExportedEvent, filters: ExportFilters): readonly EventLine[] {
  const { eventList } = event.payload
  const shipFrom = placeOf(event.locations.get(eventList.shipFromLocationCode))
  const shipTo = placeOf(event.locations.get(eventList.shipToLocationCode))
  const places = placesByNumber(event.locations.values())
  const documents = documentCells(documentsOf(eventList))
  let gaps: ((index: number) => readonly LineGap[]) | undefined
  return eventList.productList.flatMap((line, index) => {
    const product = event.products.get(line.vendorItemCode) ?? {}
    const source = sourceOf(line, places)
    if (!isChosen({ line, product, source }, filters)) return []
    return [
      {
        event,
        index,
        line,
        product,
        shipFrom,
        shipTo,
        source,
        documents,
        gaps: () => {
          gaps ??= gapsByLine(event)
          return gaps(index)
        },
      },
    ]
  })
}

/**
 * Groups the gaps of an event by line: by their pointer, and by the item for a pointer into the
 * product list.
 */
function gapsByLine({ gaps, payload }: ExportedEvent): (index: number) => readonly LineGap[] {
  const { productList } = payload.eventList
  const ofEvent: LineGap[] = []
  const byLine = new Map<number, LineGap[]>()
  const add = (index: number, finding: Finding) => {
    const known = byLine.get(index)
    if (known === undefined) byLine.set(index, [{ finding, ofEvent: false }])
    else known.push({ finding, ofEvent: false })
  }
  for (const finding of gaps()) {
    const [, list, index = ''] = /^\/(eventList\/productList|productMasterDataList)\/(\d+)/.exec(finding.pointer) ?? []
    if (list === undefined) ofEvent.push({ finding, ofEvent: true })
    else if (list !== 'productMasterDataList') add(Number(index), finding)
    else {
      const item = payload.productMasterDataList[Number(index)]?.itemCode
      for (const [place, { vendorItemCode }] of productList.entries()) if (vendorItemCode === item) add(place, finding)
    }
  }
  return (index) => [...ofEvent, ...(byLine.get(index) ?? [])]
}
