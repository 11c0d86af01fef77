// A trace as rows: one for each product line, readable without the others. Lines of shipping events
// follow those of receiving events, and lines that read alike are last.

import { csvRow } from 'lotkeeper-sheets/safe-csv'
import type {
  LotTrace,
  ReadAlikeLine,
  ShippedLine,
  ShippedLink,
  TracedEvent,
  TracedPlace,
  TracedShippingEvent,
  TracedSource,
} from '../tracing/lot-trace.ts'

/** A line of a shipping event has no source. */
type OneLine = ShippedLine & { readonly source?: string }

interface Row {
  /** Receiving or shipping event. */
  readonly record: 'receivingEvent' | 'shippingEvent'
  readonly event: TracedEvent | TracedShippingEvent
  readonly line: OneLine
  /** Whether the goods of a shipping event arrived. */
  readonly arrival: ShippedLink['arrival'] | undefined
  readonly from: TracedPlace | undefined
  readonly to: TracedPlace | undefined
  readonly source: TracedSource | undefined
  /** Kinds of the notes about the event. */
  readonly notes: string
}

type Column = readonly [heading: string, cell: (row: Row) => string | number | undefined]

const joinTexts = (texts: readonly string[] = []): string => texts.join('; ')

const columns: readonly Column[] = [
  ['lotCode', ({ line }) => line.lotCode],
  ['match', () => 'same'],
  ['record', ({ record }) => record],
  ['arrival', ({ arrival }) => arrival],
  ['shipQuantity', ({ line }) => line.shipQuantity],
  ['shipQuantityUom', ({ line }) => line.shipQuantityUom],
  ['vendorItemCode', ({ line }) => line.vendorItemCode],
  ['purchaserItemCode', ({ line }) => line.purchaserItemCode],
  ['itemDescription', ({ line }) => line.itemDescription],
  ['gtin', ({ line }) => line.gtin],
  ['eventDateTime', ({ event }) => event.eventDateTime],
  ['shipFromLocationCode', ({ event }) => event.shipFromLocationCode],
  ...placeColumns('shipFrom', ({ from }) => from),
  ['shipToLocationCode', ({ event }) => event.shipToLocationCode],
  ...placeColumns('shipTo', ({ to }) => to),
  ['tlcSource', ({ source }) => source?.id],
  ['tlcSourceNames', ({ source }) => joinTexts(source?.names)],
  ['tlcSourceAddresses', ({ source }) => joinTexts(source?.addresses)],
  ['tlcSourcePhoneNumbers', ({ source }) => joinTexts(source?.phoneNumbers)],
  ['tlcSourceGlns', ({ source }) => joinTexts(source?.glns)],
  ['tlcSourceDuns', ({ source }) => joinTexts(source?.duns)],
  ['tlcSourceFfrns', ({ source }) => joinTexts(source?.ffrns)],
  ['tlcSourceFeis', ({ source }) => joinTexts(source?.feis)],
  ['tlcSourceUrls', ({ source }) => joinTexts(source?.urls)],
  ['tlcSourceOthers', ({ source }) => joinTexts(source?.others)],
  ['dataProviderVendorId', ({ event }) => event.dataProviderVendorId],
  ['dataProviderVendorName', ({ event }) => event.dataProviderVendorName],
  ['purchaseOrderNumber', ({ event }) => event.purchaseOrderNumber],
  ['asnNumber', ({ event }) => event.asnNumber],
  ['billOfLadingNumber', ({ event }) => event.billOfLadingNumber],
  ['palletId', ({ line }) => line.palletId],
  ['harvestDate', ({ line }) => line.harvestDate],
  ['packagingDate', ({ line }) => line.packagingDate],
  ['productionDate', ({ line }) => line.productionDate],
  ['bestBeforeDate', ({ line }) => line.bestBeforeDate],
  ['expirationDate', ({ line }) => line.expirationDate],
  ['countryOfOrigin', ({ line }) => line.countryOfOrigin],
  ['id', ({ event }) => event.id],
  ['version', ({ event }) => event.version],
  ['pointer', ({ line }) => line.pointer],
  ['notes', ({ notes }) => notes],
]

function placeColumns(end: 'shipFrom' | 'shipTo', placeOf: (row: Row) => TracedPlace | undefined): readonly Column[] {
  return [
    [`${end}Place`, (row) => placeOf(row)?.id],
    [`${end}Name`, (row) => placeOf(row)?.name],
    [`${end}Gln`, (row) => placeOf(row)?.gln],
    [`${end}Address`, (row) => placeOf(row)?.address],
    [`${end}PhoneNumber`, (row) => placeOf(row)?.phoneNumber],
  ]
}

/** The header row, and then a row at a time. */
export function* traceRows(trace: LotTrace): Generator<string> {
  yield csvRow(columns.map(([heading]) => heading))
  const places = new Map(trace.places.map((place) => [place.id, place]))
  const sources = new Map(trace.sources.map((source) => [source.id, source]))
  const notes = kindsByEvent(trace)
  const arrivals = new Map(trace.shippedLinks.map(({ from, to, arrival }) => [`${from} ${to}`, arrival]))
  for (const record of ['receivingEvent', 'shippingEvent'] as const)
    for (const event of record === 'receivingEvent' ? trace.events : trace.shippingEvents)
      for (const line of event.lines as readonly OneLine[]) {
        const row: Row = {
          record,
          event,
          line,
          arrival: record === 'receivingEvent' ? undefined : arrivals.get(`${event.from} ${event.to}`),
          from: places.get(event.from),
          to: places.get(event.to),
          source: sources.get(line.source ?? ''),
          notes: notes.get(event.id) ?? '',
        }
        yield csvRow(columns.map(([, cell]) => String(cell(row) ?? '')))
      }
  for (const line of trace.readAlike) yield csvRow(columns.map(([heading]) => readAlikeCell(line, heading)))
}

/**
 * A line that may be of the lot is not in its places and sources, so only its own text is known.
 */
function readAlikeCell(line: ReadAlikeLine, heading: string): string {
  if (heading === 'match') return 'readsAlike'
  if (heading === 'tlcSourceNames') return line.source ?? ''
  if (heading === 'notes') return 'readAlike'
  return Object.hasOwn(line, heading) ? String(line[heading as keyof ReadAlikeLine]) : ''
}

function kindsByEvent({ notes }: LotTrace): ReadonlyMap<string, string> {
  const kinds = new Map<string, Set<string>>()
  for (const { kind, events } of notes) for (const id of events) kinds.set(id, (kinds.get(id) ?? new Set()).add(kind))
  return new Map([...kinds].map(([id, own]) => [id, [...own].join(' ')]))
}
