// Shipping events of the lot: the way of the goods, and how much of them arrived. Source:
// decision 0080.
import { type Arrival, underWayDaysDefault } from '../contract/arrivals.ts'
import { dayAfter } from '../contract/shape/date-and-time.ts'
import { groupsOf } from '../groups.ts'
import type { Steps } from '../steps.ts'
import type { FoundLine } from './items.ts'
import { type Link, placeId } from './links.ts'
import type { LotEvent } from './lot-event.ts'
import type { QuantityByUnit, ShippedLink, TracedShippingEvent } from './lot-trace.ts'
import { type Amounts, ComparableUnits, quantitiesOf } from './mass-balance.ts'
import type { Notes } from './notes.ts'
import type { Places } from './places.ts'
import { Quantities, sumOf } from './quantities.ts'
import { isNamed, sourcesOf, withNamesOfPlaces } from './sources.ts'
import { eventFields, lineFields } from './traced-events.ts'
import { ItemCodes, type UnitConversions } from './unit-conversions.ts'
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
  { today, conversions }: { readonly today: string; readonly conversions: UnitConversions },
): readonly ShippedLeg[] {
  const receivedOn = groupsOf(links, ({ from, to }) => `${from} ${to}`)
  const ways = groupsOf(found, ({ event }) => `${places.of(event, 'shipFrom')} ${places.of(event, 'shipTo')}`)
  return [...ways].map(([way, own]) => {
    const [from = 0, to = 0] = way.split(' ').map(Number)
    const arrived = receivedOn.get(way) ?? []
    const items = new ItemCodes()
    for (const { event, line } of own) items.add(event.event.dataProviderVendorId, line.line.vendorItemCode)
    const table = conversions.tableOf([...items.list(), ...arrived.flatMap((link) => link.items.list())])
    const shipped = shippedIn(own)
    const came = arrived.flatMap((link) => link.quantities.amounts())
    const units = new ComparableUnits(table, [...shipped.amounts(), ...came])
    const missing = missingOf(shipped.amounts(), came, units)
    const events = [...new Set(own.map(({ event }) => event))]
    const recent = shippedIn(own.filter(({ event }) => isRecent(event, today))).amounts()
    const isOnItsWay = units.less(missing, recent).every(({ amount }) => amount.sign <= 0)
    const received = sumOf(arrived.map((link) => link.quantities))
    const open = received.length > 0 ? 'partlyReceived' : 'notReceived'
    const arrival = missing.length === 0 ? 'received' : isOnItsWay ? 'underWay' : open
    return { from, to, arrival, events, quantities: shipped.list(), received, missing: quantitiesOf(missing) }
  })
}

const isRecent = ({ event }: LotEvent, today: string): boolean =>
  isUnderWay(event.eventDateTime.slice(0, 10), underWayDaysDefault, today)

function shippedIn(found: readonly FoundLine[]): Quantities {
  const quantities = new Quantities()
  for (const { line } of found) quantities.add(line.line.shipQuantity, line.line.shipQuantityUom)
  return quantities
}

/** The quantities that others lack. Nothing where the others have a unit that does not convert. */
function missingOf(some: Amounts, others: Amounts, units: ComparableUnits): Amounts {
  const left = units.less(some, others)
  const known = new Set(units.sum(some).map(({ unit }) => unit))
  if (left.some(({ unit }) => !known.has(unit))) return []
  return left.filter(({ amount }) => amount.sign > 0)
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
