// Shipping events of the lot: the way of the goods, and how much of them arrived. Source:
// decision 0080.
import { type Arrival, underWayDaysDefault } from '../contract/arrivals.ts'
import { dayAfter } from '../contract/shape/date-and-time.ts'
import { ExactSum } from '../contract/text/exact-sum.ts'
import { unitKeyOf } from '../contract/text/units.ts'
import type { Steps } from '../steps.ts'
import { groupsOf } from './groups.ts'
import type { FoundLine } from './items.ts'
import { type Link, placeId } from './links.ts'
import type { LotEvent } from './lot-event.ts'
import type { QuantityByUnit, ShippedLink, TracedShippingEvent } from './lot-trace.ts'
import type { Notes } from './notes.ts'
import type { Places } from './places.ts'
import { Quantities, sumOf } from './quantities.ts'
import { isNamed, sourcesOf, withNamesOfPlaces } from './sources.ts'
import { eventFields, lineFields } from './traced-events.ts'
import { quantitiesText, writtenQuantitiesText } from './wording.ts'

/**
 * The lines whose source is the one that was asked for; all of them when none was. They may name it
 * in other words than lines that were received of it, or than its place.
 */
export function* shippedFrom(
  tlcSource: string | undefined,
  shipped: readonly FoundLine[],
  received: readonly FoundLine[],
  places: Places['list'],
): Steps<readonly FoundLine[]> {
  if (tlcSource === undefined) return shipped
  const lines = [...received, ...shipped].map(({ event, line }) => ({ line: line.line, eventId: event.id }))
  const { list, ofLines } = yield* sourcesOf(lines)
  const sources = yield* withNamesOfPlaces(list, places)
  const ofReceived = new Set(ofLines.slice(0, received.length))
  return shipped.filter((_, i) => {
    const number = ofLines[received.length + i] ?? 0
    const source = sources[number]
    return ofReceived.has(number) || (source !== undefined && isNamed(source, tlcSource))
  })
}

/** The shipments between two places, with places as numbers. */
interface ShippedLeg {
  readonly from: number
  readonly to: number
  readonly arrival: Arrival
  readonly events: readonly LotEvent[]
  readonly quantities: readonly QuantityByUnit[]
  readonly received: readonly QuantityByUnit[]
  readonly missing: readonly QuantityByUnit[]
}

/** True while the days are not over that goods may be under way. Dates are `yyyy-MM-dd`. */
export const isUnderWay = (shipped: string, days: number, today: string): boolean => dayAfter(shipped, days) >= today

/**
 * The legs of shipping events, each with the arrivals by receiving events of the lot between the
 * same two places.
 */
export function shippedLegs(
  found: readonly FoundLine[],
  places: Places,
  links: readonly Link[],
  today: string,
): readonly ShippedLeg[] {
  const receivedOn = groupsOf(links, ({ from, to }) => `${from} ${to}`)
  const ways = groupsOf(found, ({ event }) => `${places.of(event, 'shipFrom')} ${places.of(event, 'shipTo')}`)
  return [...ways].map(([way, own]) => {
    const [from = 0, to = 0] = way.split(' ').map(Number)
    const quantities = shippedIn(own)
    const received = sumOf((receivedOn.get(way) ?? []).map((link) => link.quantities))
    const missing = missingOf(quantities, received)
    const events = [...new Set(own.map(({ event }) => event))]
    const recent = sumsByUnit(shippedIn(own.filter(({ event }) => isRecent(event, today))))
    const isOnItsWay = missing.every(({ quantity, unit }) => (recent.get(unitKeyOf(unit))?.sum.value ?? 0) >= quantity)
    const open = received.length > 0 ? 'partlyReceived' : 'notReceived'
    const arrival = missing.length === 0 ? 'received' : isOnItsWay ? 'underWay' : open
    return { from, to, arrival, events, quantities, received, missing }
  })
}

const isRecent = ({ event }: LotEvent, today: string): boolean =>
  isUnderWay(event.eventDateTime.slice(0, 10), underWayDaysDefault, today)

function shippedIn(found: readonly FoundLine[]): readonly QuantityByUnit[] {
  const quantities = new Quantities()
  for (const { line } of found) quantities.add(line.line.shipQuantity, line.line.shipQuantityUom)
  return quantities.list()
}

/**
 * The quantities that others lack, in each unit. Nothing where the others have a different unit:
 * units are never converted.
 */
function missingOf(some: readonly QuantityByUnit[], others: readonly QuantityByUnit[]): readonly QuantityByUnit[] {
  const left = sumsByUnit(some)
  for (const { quantity, unit } of others) {
    const known = left.get(unitKeyOf(unit))
    if (known === undefined) return []
    known.sum.add(-quantity)
  }
  return [...left.values()].flatMap(({ unit, sum }) => (sum.sign > 0 ? [{ quantity: sum.value, unit }] : []))
}

function sumsByUnit(quantities: readonly QuantityByUnit[]) {
  const sums = new Map<string, { readonly unit: string; readonly sum: ExactSum }>()
  for (const { quantity, unit } of quantities) {
    const known = sums.get(unitKeyOf(unit)) ?? { unit, sum: new ExactSum() }
    sums.set(unitKeyOf(unit), known)
    known.sum.add(quantity)
  }
  return sums
}

export const shippedLink = ({ from, to, arrival, events, quantities, received, missing }: ShippedLeg): ShippedLink => ({
  from: placeId(from),
  to: placeId(to),
  arrival,
  quantities: [...quantities],
  received: [...received],
  missing: [...missing],
  firstDateTime: events[0]?.event.eventDateTime ?? '',
  lastDateTime: events.at(-1)?.event.eventDateTime ?? '',
  events: events.map(({ id }) => id),
})

export function noteNotReceived(legs: readonly ShippedLeg[], { list }: Places, notes: Notes): void {
  for (const { from, to, arrival, events, quantities, received, missing } of legs) {
    if (arrival === 'received') continue
    const of = received.length > 0 ? `${quantitiesText(missing)} of ` : ''
    const [first, last] = [events[0], events.at(-1)].map((one) => one?.event.eventDateTime.slice(0, 10))
    notes.add('notReceived', {
      message: `${of}${writtenQuantitiesText(quantities)} shipped from ${list[from]?.name} to ${list[to]?.name} ${first === last ? `on ${first}` : `from ${first} to ${last}`}: no receiving event says that it arrived.${arrival === 'underWay' ? ' It may still be under way.' : ''}`,
      remedy: 'Ask the receiver. If it arrived, create the receiving event; if it never left, void the shipping event.',
      places: [from, to],
      events,
    })
  }
}

export const shippingEventsOf = (found: readonly FoundLine[], places: Places): TracedShippingEvent[] =>
  [...groupsOf(found, ({ event }) => event)].map(([event, own]) => ({
    ...eventFields(event, places.of(event, 'shipFrom'), places.of(event, 'shipTo')),
    lines: own.map(({ line, gtin }) => lineFields(line, gtin)),
  }))
