// Movements of the lot from place to place; those of one source between the same two places are one
// link.

import type { LotEvent, LotLine } from './lot-event.ts'
import type { TracedLink } from './lot-trace.ts'
import { Quantities } from './quantities.ts'
import { ItemCodes } from './unit-conversions.ts'

/**
 * A product line and the values derived from it. Numbers are indexes into the lists of sources and
 * places.
 */
export interface Movement {
  readonly event: LotEvent
  readonly line: LotLine
  readonly gtin: string | undefined
  readonly source: number
  readonly from: number
  readonly to: number
}

/** A link, with places as numbers. */
export interface Link {
  readonly from: number
  readonly to: number
  readonly source: number
  readonly events: readonly LotEvent[]
  readonly quantities: Quantities
  readonly items: ItemCodes
}

/** Expects movements in the order of their events. */
export function linksOf(movements: readonly Movement[]): readonly Link[] {
  const links = new Map<string, Link & { readonly events: LotEvent[] }>()
  for (const { event, line, source, from, to } of movements) {
    const key = `${from} ${to} ${source}`
    const link = links.get(key) ?? {
      from,
      to,
      source,
      events: [],
      quantities: new Quantities(),
      items: new ItemCodes(),
    }
    links.set(key, link)
    if (link.events.at(-1) !== event) link.events.push(event)
    link.quantities.add(line.line.shipQuantity, line.line.shipQuantityUom)
    link.items.add(event.event.dataProviderVendorId, line.line.vendorItemCode)
  }
  return [...links.values()]
}

export const tracedLink = ({ from, to, source, events, quantities }: Link): TracedLink => ({
  from: placeId(from),
  to: placeId(to),
  source: sourceId(source),
  quantities: quantities.list(),
  firstDateTime: events[0]?.event.eventDateTime ?? '',
  lastDateTime: events.at(-1)?.event.eventDateTime ?? '',
  events: events.map(({ id }) => id),
})

export const placeId = (number: number): string => `P${number + 1}`
export const sourceId = (number: number): string => `S${number + 1}`
