// The part of a trace that the address selects: a place in the table of places, or the events of a
// place or route. Pure.
import type { LotTrace, QuantityByUnit, TracedEvent, TracedLine, TracedLink } from '../../tracing/lot-trace.ts'

export const placeAnchor = (id: string): string => `place-${id}`
export const eventsOfPlace = (id: string): string => `events-${id}`
/** A route has the name of its first link: an arrow of the drawing may represent many. */
export const eventsOfWay = ([first]: readonly TracedLink[]): string =>
  `way-${first?.from}-${first?.to}-${first?.source}`

/** Where the list of events begins. */
export const allEvents = 'events'

export interface EventChoice {
  readonly words: string
  readonly holds: (event: TracedEvent, line: TracedLine) => boolean
}

/**
 * The events an address chooses; undefined when it chooses none. `ways` are those of the drawing,
 * by the name of each.
 */
export function eventChoice(
  hash: string,
  { places }: LotTrace,
  ways: ReadonlyMap<string, readonly TracedLink[]>,
): EventChoice | undefined {
  const nameOf = (id: string) => places.find((place) => place.id === id)?.name ?? id
  const place = places.find(({ id }) => eventsOfPlace(id) === hash)
  if (place !== undefined)
    return { words: `to and from ${place.name}`, holds: ({ from, to }) => from === place.id || to === place.id }
  const links = ways.get(hash)
  const [first] = links ?? []
  if (links === undefined || first === undefined) return undefined
  const known = new Set(links.map(({ from, to, source }) => `${from} ${to} ${source}`))
  const end = (side: 'from' | 'to') => {
    const count = new Set(links.map((link) => link[side])).size
    return count === 1 ? nameOf(first[side]) : `${count} places`
  }
  return {
    words: `from ${end('from')} to ${end('to')}`,
    holds: ({ from, to }, { source }) => known.has(`${from} ${to} ${source}`),
  }
}

export const amounts = (quantities: readonly QuantityByUnit[]): string =>
  quantities.map(({ quantity, unit }) => `${quantity.toLocaleString('en')} ${unit}`).join(', ') || '–'
