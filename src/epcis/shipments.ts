// The shipments of a document: a receiving event lacks what the shipping event of its goods says.
import type { EpcisDocument, EpcisEvent } from './document.ts'
import { addTo, type GoodsLine, instantOf, lotKey, type TimedEvent } from './goods.ts'
import { readGoods } from './identifiers.ts'
import { entriesOf, memberOf, textOf } from './words.ts'

/** Shipping events by their goods, in order of time. */
export function shippingEventsIn(document: EpcisDocument): ReadonlyMap<string, readonly TimedEvent[]> {
  const shipments = new Map<string, TimedEvent[]>()
  for (const event of document.events) {
    if (event.bizStep !== 'shipping' || event.declaredWrong !== undefined) continue
    const at = instantOf(event)
    if (!Number.isNaN(at)) for (const key of shippedKeys(event)) addTo(shipments, key, { event, at })
  }
  for (const events of shipments.values()) events.sort((one, other) => one.at - other.at)
  return shipments
}

/** Pallets, serial numbers and lots; an item without a lot does not identify a shipment. */
function shippedKeys(event: EpcisEvent): readonly string[] {
  const units = entriesOf(memberOf(event, 'epcList')).map((entry) => readGoods(textOf(entry) ?? ''))
  const lots = entriesOf(memberOf(event, 'quantityList')).map((entry) =>
    readGoods(textOf(memberOf(entry, 'epcClass')) ?? ''),
  )
  return [
    ...new Set([
      ...units.map(({ sscc, uri }) => sscc ?? uri),
      ...lots.filter(({ lotCode }) => lotCode !== undefined).map(lotKey),
    ]),
  ]
}

/** The last shipping event before this one that names some of the same goods. */
export function shippingEventOf(
  event: EpcisEvent,
  lines: readonly GoodsLine[],
  shipments: ReadonlyMap<string, readonly TimedEvent[]>,
): EpcisEvent | undefined {
  const at = instantOf(event)
  let last: TimedEvent | undefined
  for (const key of new Set([...shippedKeys(event), ...lines.map(lotKey)])) {
    const shipment = lastUntil(at, shipments.get(key) ?? [])
    if (shipment !== undefined && shipment.at >= (last?.at ?? shipment.at)) last = shipment
  }
  return last?.event
}

/** Halves the range: a lot may be shipped and received thousands of times in one document. */
function lastUntil(at: number, ordered: readonly TimedEvent[]): TimedEvent | undefined {
  let [from, to] = [0, ordered.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((ordered[middle]?.at ?? Number.NaN) <= at) from = middle + 1
    else to = middle
  }
  return ordered[from - 1]
}
