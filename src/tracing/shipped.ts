// What shipping events say of the lot: which way it was shipped, and whether it arrived there.
// Source: decision 0080.
import type { Steps } from '../steps.ts'
import { groupsOf } from './groups.ts'
import type { FoundLine } from './items.ts'
import { type Link, placeId } from './links.ts'
import type { LotEvent } from './lot-event.ts'
import type { ShippedLink, TracedShippingEvent } from './lot-trace.ts'
import type { Notes } from './notes.ts'
import type { Places } from './places.ts'
import { Quantities } from './quantities.ts'
import { isNamed, sourcesOf } from './sources.ts'
import { eventFields, lineFields } from './traced-events.ts'
import { quantitiesText } from './wording.ts'

/** The lines whose source is the one that was asked for; all of them when none was. */
export function* shippedFrom(tlcSource: string | undefined, found: readonly FoundLine[]): Steps<readonly FoundLine[]> {
  if (tlcSource === undefined) return found
  const { list, ofLines } = yield* sourcesOf(found.map(({ event, line }) => ({ line: line.line, eventId: event.id })))
  return found.filter((_, i) => {
    const source = list[ofLines[i] ?? 0]
    return source !== undefined && isNamed(source, tlcSource)
  })
}

/** What was shipped between two places, with places as numbers. */
interface ShippedLeg {
  readonly from: number
  readonly to: number
  readonly isReceived: boolean
  readonly events: readonly LotEvent[]
  readonly quantities: Quantities
}

/**
 * A leg is received where a receiving event of the lot has its two places. Quantities are not
 * compared here: a trace says which way the lot went.
 */
export function shippedLegs(
  found: readonly FoundLine[],
  places: Places,
  links: readonly Link[],
): readonly ShippedLeg[] {
  const received = new Set(links.map(({ from, to }) => `${from} ${to}`))
  const ways = groupsOf(found, ({ event }) => `${places.of(event, 'shipFrom')} ${places.of(event, 'shipTo')}`)
  return [...ways].map(([way, own]) => {
    const quantities = new Quantities()
    for (const { line } of own) quantities.add(line.line.shipQuantity, line.line.shipQuantityUom)
    const [from = 0, to = 0] = way.split(' ').map(Number)
    return { from, to, isReceived: received.has(way), events: [...new Set(own.map(({ event }) => event))], quantities }
  })
}

export const shippedLink = ({ from, to, isReceived, events, quantities }: ShippedLeg): ShippedLink => ({
  from: placeId(from),
  to: placeId(to),
  isReceived,
  quantities: quantities.list(),
  firstDateTime: events[0]?.event.eventDateTime ?? '',
  lastDateTime: events.at(-1)?.event.eventDateTime ?? '',
  events: events.map(({ id }) => id),
})

export function noteNotReceived(legs: readonly ShippedLeg[], { list }: Places, notes: Notes): void {
  for (const { from, to, isReceived, events, quantities } of legs)
    if (!isReceived)
      notes.add('notReceived', {
        message: `${quantitiesText(quantities.list())} shipped from ${list[from]?.name} to ${list[to]?.name} on ${events[0]?.event.eventDateTime.slice(0, 10)}: no receiving event says that it arrived.`,
        remedy:
          'Ask the receiver. If it arrived, create the receiving event; if it never left, void the shipping event.',
        places: [from, to],
      })
}

export const shippingEventsOf = (found: readonly FoundLine[], places: Places): TracedShippingEvent[] =>
  [...groupsOf(found, ({ event }) => event)].map(([event, own]) => ({
    ...eventFields(event, places.of(event, 'shipFrom'), places.of(event, 'shipTo')),
    lines: own.map(({ line, gtin }) => lineFields(line, gtin)),
  }))
