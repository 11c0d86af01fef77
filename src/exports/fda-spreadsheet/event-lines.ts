// From stored events to the lines that have rows in a spreadsheet: those that match the filters,
// with the known facts about each.

import { placesByNumber } from '../../contract/completion.ts'
import { documentPairNames } from '../../contract/events/event-fields.ts'
import type { Ground } from '../../contract/lots/grounds.ts'
import type { MasterProduct } from '../../contract/product.ts'
import type { ProductLine } from '../../contract/product-line.ts'
import {
  allPlaceFieldsOf,
  type EventKindName,
  eventKinds,
  isDeliveryKind,
  linePlacesOf,
} from '../../contract/record-kinds.ts'
import {
  type DocumentCells,
  type DocumentFields,
  documentCells,
  documentsOf,
} from '../../contract/reference-document.ts'
import type { Finding } from '../../contract/shape/finding.ts'
import type { Loose } from '../../contract/shape/read-shape.ts'
import { madeAt } from '../../tracing/sources.ts'
import type { AnyExportedEvent } from '../exported-event.ts'
import { isChosen, isChosenAlike, type LineFilters } from './line-filters.ts'
import { type PlaceTexts, placeOf, sourceOf } from './places.ts'

/** The filters of the query: a line matches if it has one of the values of each. */
export interface ExportFilters extends LineFilters {
  readonly eventStartDate?: string | undefined
  readonly eventEndDate?: string | undefined
  readonly dataProviderVendorId?: readonly string[] | undefined
  readonly shipToLocationCode?: readonly string[] | undefined
  /** With `chain`, food before it was packed, from which it begins. */
  readonly recordId?: string | undefined
  readonly record?: string | undefined
  readonly locationCode?: string | undefined
  readonly date?: string | undefined
  readonly growingArea?: string | undefined
  /** Chooses the lines of the chain of the lot instead of those of the other filters. */
  readonly chain?: 'forward' | 'back' | 'both' | undefined
  /** The least sure ground of the chain. */
  readonly least?: Ground | undefined
  /** With `chain`, true of its lines. */
  readonly isInChain?: ((line: ChainableLine) => boolean) | undefined
}

/** A line, and the version of the event that has it. */
export type ChainableLine = Pick<EventLine, 'event' | 'list' | 'index' | 'line'>

/** A line of an event, with the data beside it in the record and in master data. */
export interface EventLine {
  readonly event: AnyExportedEvent
  /** Its list, such as `productList`, and its index there. */
  readonly list: string
  readonly index: number
  readonly line: ProductLine
  /** The line with the source of its lot code, also where that is the place of the event. */
  readonly lot: ProductLine
  readonly product: Loose<MasterProduct>
  readonly source: PlaceTexts
  /** The location of the line or the event in a field such as `shipToLocationCode`. */
  readonly placeAt: (field: string) => PlaceTexts
  /** The values of the pairs of columns for reference documents. */
  readonly documents: readonly { readonly [Cell in keyof DocumentCells]?: string | undefined }[]
  /** Gaps of the line, its product and its event, when requested. */
  readonly gaps: () => readonly LineGap[]
}

/** The name of a line within its event. */
export const lineNameOf = ({ list, index }: Pick<EventLine, 'list' | 'index'>): string => `${list}/${index}`

interface LineGap {
  readonly finding: Finding
  /** True for a gap of the event, and thus of all its lines. */
  readonly ofEvent: boolean
}

/**
 * Lot codes of the event that only read like a requested one: one for each line that matches all
 * other filters.
 */
export const alikeLotCodes = (event: AnyExportedEvent, filters: ExportFilters): readonly string[] =>
  allLines(event).flatMap((line) => (isChosenAlike(lotOf(line), filters) ? [line.line.caseLotNumber ?? ''] : []))

/**
 * The event's lines that match the filters: a lot code, item or source selects only the lines that
 * have it.
 */
export const eventLines = (event: AnyExportedEvent, filters: ExportFilters): readonly EventLine[] =>
  allLines(event).filter((line) => filters.isInChain?.(line) ?? isChosen(lotOf(line), filters))

const lotOf = (line: EventLine) => (line.lot === line.line ? line : { ...line, line: line.lot })

/** The lines of all lists of an event. */
function allLines(event: AnyExportedEvent): readonly EventLine[] {
  const kind = eventKinds[event.kind]
  const { eventList } = event.payload
  const placeOfCode = placesOf(event)
  const places = placesByNumber(event.locations.values())
  const documents = documentsIn(event)
  let gaps: ((line: Pick<EventLine, 'list' | 'index'>) => readonly LineGap[]) | undefined
  return Object.entries(kind.lists).flatMap(([list, { lots }]) =>
    linesIn(eventList, list).map((line, index) => {
      const lot = lots === 'made' ? madeAt(line, event.locations.get(String(eventList[kind.place])) ?? {}) : line
      return {
        event,
        list,
        index,
        line,
        lot,
        product: event.products.get(line.vendorItemCode) ?? {},
        source: sourceOf(lot, places),
        placeAt: (field) => placeOfCode(line[field as keyof ProductLine] ?? eventList[field]),
        documents,
        gaps: () => {
          gaps ??= gapsByLine(event)
          return gaps({ list, index })
        },
      }
    }),
  )
}

const linesIn = (event: Readonly<Record<string, unknown>>, list: string) =>
  (event[list] ?? []) as readonly ProductLine[]

function placesOf({ locations }: AnyExportedEvent): (code: unknown) => PlaceTexts {
  const known = new Map<unknown, PlaceTexts>()
  return (code) => {
    const place = known.get(code) ?? placeOf(locations.get(String(code ?? '')))
    known.set(code, place)
    return place
  }
}

/** The location code in a field of a line, else of its event. */
export const codeAt = ({ line, event }: Pick<EventLine, 'line' | 'event'>, field: string): unknown =>
  (line as Readonly<Record<string, unknown>>)[field] ?? event.payload.eventList[field]

/** Fields of locations that a line of a list has, or its event. */
export const placeFieldsOfLine = (kind: EventKindName, ofList: string): readonly string[] => [
  ...allPlaceFieldsOf(eventKinds[kind]),
  ...linePlacesOf(eventKinds[kind]).flatMap(({ list, field }) => (list === ofList ? [field] : [])),
]

/** Deliveries have a field for each kind of document, other events pairs of type and number. */
function documentsIn({ kind, payload: { eventList } }: AnyExportedEvent): EventLine['documents'] {
  if (isDeliveryKind(kind)) return documentCells(documentsOf(eventList as DocumentFields))
  const fields = eventList as Readonly<Record<string, string | undefined>>
  return documentPairNames.map(([type, number]) => ({ type: fields[type], number: fields[number] }))
}

/**
 * Groups the gaps of an event by line: by their pointer, and by the item for a pointer into the
 * product list.
 */
function gapsByLine(event: AnyExportedEvent): (line: Pick<EventLine, 'list' | 'index'>) => readonly LineGap[] {
  const { gaps, payload, kind } = event
  const { lists } = eventKinds[kind]
  const ofEvent: LineGap[] = []
  const byLine = new Map<string, LineGap[]>()
  const add = (list: string, index: number, finding: Finding) => {
    const name = lineNameOf({ list, index })
    const known = byLine.get(name)
    if (known === undefined) byLine.set(name, [{ finding, ofEvent: false }])
    else known.push({ finding, ofEvent: false })
  }
  const addWhere = (finding: Finding, isAbout: (line: ProductLine, list: string) => boolean) => {
    for (const list of Object.keys(lists))
      for (const [index, line] of linesIn(payload.eventList, list).entries())
        if (isAbout(line, list)) add(list, index, finding)
  }
  const linePlaces = linePlacesOf(eventKinds[kind])
  for (const finding of gaps()) {
    const [, list = '', index = ''] = /^\/(?:eventList\/)?(\w+)\/(\d+)/.exec(finding.pointer) ?? []
    const code = list === 'locationMasterList' ? payload.locationMasterList[Number(index)]?.locationCode : undefined
    if (Object.hasOwn(lists, list)) add(list, Number(index), finding)
    else if (list === 'productMasterDataList') {
      const item = payload.productMasterDataList[Number(index)]?.itemCode
      addWhere(finding, ({ vendorItemCode }) => vendorItemCode === item)
    } else if (
      code === undefined ||
      allPlaceFieldsOf(eventKinds[kind]).some((field) => payload.eventList[field] === code)
    )
      ofEvent.push({ finding, ofEvent: true })
    else
      addWhere(finding, (line, list) =>
        linePlaces.some((one) => one.list === list && line[one.field as keyof ProductLine] === code),
      )
  }
  return (line) => [...ofEvent, ...(byLine.get(lineNameOf(line)) ?? [])]
}
