// The part of a trace that the address selects: a place in the table of places, or the events of a
// place or route. Pure.
import type { DrawnLink } from '../../drawing/svg-element.ts'
import type { LotTrace, QuantityByUnit, TracedEvent, TracedLine } from '../../tracing/lot-trace.ts'

export const placeAnchor = (id: string): string => `place-${id}`
export const eventsOfPlace = (id: string): string => `events-${id}`
/** A route has the name of its first link: an arrow of the drawing may represent many. */
export const eventsOfWay = ([first]: readonly DrawnLink[]): string =>
  `way-${first?.from}-${first?.to}-${first?.source ?? 'shipped'}`
/** Goods shipped from one place to another, and received on that way. */
export const eventsOfLeg = ({ from, to }: DrawnLink): string => `leg-${from}-${to}`

/** Where the list of events begins. */
export const allEvents = 'events'

export interface EventChoice {
  readonly words: string
  /** Lines of shipping events are of no source. */
  readonly holds: (event: Pick<TracedEvent, 'from' | 'to'>, line: Partial<Pick<TracedLine, 'source'>>) => boolean
}

/**
 * The events an address chooses; undefined when it chooses none. `ways` are those of the drawing,
 * by the name of each.
 */
export function eventChoice(
  hash: string,
  { places, shippedLinks }: LotTrace,
  ways: ReadonlyMap<string, readonly DrawnLink[]>,
): EventChoice | undefined {
  const nameOf = (id: string) => places.find((place) => place.id === id)?.name ?? id
  const place = places.find(({ id }) => eventsOfPlace(id) === hash)
  if (place !== undefined)
    return { words: `to and from ${place.name}`, holds: ({ from, to }) => from === place.id || to === place.id }
  const links: readonly DrawnLink[] = ways.get(hash) ?? shippedLinks.filter((link) => eventsOfLeg(link) === hash)
  const [first] = links
  if (first === undefined) return undefined
  const known = new Set(links.flatMap(({ from, to, source }) => [`${from} ${to}`, `${from} ${to} ${source}`]))
  const end = (side: 'from' | 'to') => {
    const count = new Set(links.map((link) => link[side])).size
    return count === 1 ? nameOf(first[side]) : `${count} places`
  }
  return {
    words: `from ${end('from')} to ${end('to')}`,
    // A leg of shipments has no source, and its receipts may be of any.
    holds: ({ from, to }, { source }) =>
      known.has(first.source === undefined || source === undefined ? `${from} ${to}` : `${from} ${to} ${source}`),
  }
}

export const amounts = (quantities: readonly QuantityByUnit[]): string =>
  quantities.map((one) => amount(one) + (one.written ? ` (${one.written.map(amount).join(', ')})` : '')).join(', ') ||
  '–'

const amount = ({ quantity, unit }: Pick<QuantityByUnit, 'quantity' | 'unit'>): string =>
  `${quantity.toLocaleString('en')} ${unit}`
