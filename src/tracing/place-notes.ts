// Open questions and contradictions about places: which mentions are one place, and whether a place
// received enough of the goods that it sent on.
import { instantOf } from '../contract/shape/date-and-time.ts'
import { Fraction } from '../contract/text/fraction.ts'
import { groupsOf } from '../groups.ts'
import type { Steps } from '../steps.ts'
import { type Balance, tableOfBalances } from './balances.ts'
import type { Link } from './links.ts'
import type { LotEvent } from './lot-event.ts'
import type { TracedSource } from './lot-trace.ts'
import { balanceOf, ComparableUnits, quantitiesOf } from './mass-balance.ts'
import type { Notes } from './notes.ts'
import { isOfSource, type Places } from './places.ts'
import type { UnitConversions } from './unit-conversions.ts'
import { listSome } from './wording.ts'

interface PlaceFacts {
  readonly places: Places
  readonly balances: readonly Balance[]
  readonly links: readonly Link[]
  readonly sources: readonly TracedSource[]
  readonly conversions: UnitConversions
}

export function* notePlaces(facts: PlaceFacts, notes: Notes): Steps<void> {
  noteIdentity(facts.places, eventsByPlace(facts.balances), notes)
  for (const own of groupsOf(facts.balances, ({ source }) => source).values()) {
    const all = own.map((balance) => ({ balance, receivedAt: firstInstant(balance.received.events) }))
    for (const balance of own) {
      noteReceiptMissing(balance, all, facts, notes)
      yield
    }
  }
  for (const [place, own] of groupsOf(facts.balances, (balance) => balance.place)) {
    yield
    const name = facts.places.list[place]?.name ?? ''
    // An excess over all sources together has one note; one of a single source has a note for that
    // source.
    const inAll = own.length > 1 && noteMoreSent(own, name, facts.conversions, notes)
    for (const balance of own) {
      // Movements without a source can only be compared for all sources together.
      if (own.length > 1 && facts.sources[balance.source]?.known !== true) continue
      noteBalance(balance, name, facts.conversions, notes)
      if (!inAll) noteMoreSent([balance], name, facts.conversions, notes)
    }
  }
  noteCycles(facts, notes)
}

const eventsByPlace = (balances: readonly Balance[]): ReadonlyMap<number, readonly LotEvent[]> =>
  new Map(
    [...groupsOf(balances, ({ place }) => place)].map(([place, own]) => [
      place,
      own.flatMap(({ received, sentOn }) => [...received.events, ...sentOn.events]),
    ]),
  )

function noteIdentity(
  { list, keptApart }: Places,
  eventsOf: ReadonlyMap<number, readonly LotEvent[]>,
  notes: Notes,
): void {
  for (const [number, { name, codes, assumed }] of list.entries())
    if (assumed)
      notes.add('placeAssumed', {
        message: `${name} is treated as one place because code and name, or name and address, match. No common GLN confirms it: ${listSome(codes.map(({ dataProviderVendorId, locationCode }) => `${locationCode} of vendor ${dataProviderVendorId}`))}.`,
        remedy: 'Send the GLN of the place with every event, or store the place as a location.',
        places: [number],
        events: eventsOf.get(number) ?? [],
      })
  for (const { code, places } of keptApart)
    notes.add('placeKeptApart', {
      message: `Location code ${code} identifies ${places.length} places here, because their GLN or name differs: ${listSome(places.map((place) => list[place]?.name ?? ''))}.`,
      remedy: 'If they are one place, send the same GLN for it in all events. Until then the chain breaks there.',
      places,
      events: places.flatMap((place) => eventsOf.get(place) ?? []),
    })
}

const firstInstant = ([first]: readonly LotEvent[]): number =>
  first === undefined ? Number.POSITIVE_INFINITY : instantOf(first.event.eventDateTime)

/**
 * `all` are the balances of the same source, each with the instant at which its place first
 * received the lot.
 */
function noteReceiptMissing(
  { place, source, received, sentOn }: Balance,
  all: readonly { readonly balance: Balance; readonly receivedAt: number }[],
  facts: PlaceFacts,
  notes: Notes,
): void {
  const [first] = sentOn.events
  const from = facts.places.list[place]
  const lot = facts.sources[source]
  if (first === undefined || from === undefined || lot === undefined) return
  if (received.events.length > 0 || isOfSource(from, lot)) return
  // The place may have received goods with a source and sent them on without one.
  if (!lot.known && facts.balances.some((other) => other.place === place && other.received.events.length > 0)) return
  const sentAt = instantOf(first.event.eventDateTime)
  const holders = all.filter(({ balance, receivedAt }) => receivedAt < sentAt && balance.place !== place)
  if (holders.length === 0) return
  notes.add('receiptMissing', {
    message: `${from.name} sent the lot on by ${first.event.eventDateTime}, but no event shows that it received the lot. ${listSome(holders.map(({ balance }) => facts.places.list[balance.place]?.name ?? ''))} had the lot before.`,
    remedy: `Look for the receiving event of ${from.name}. It was not sent, or it has another lot code or location.`,
    places: [place],
    sources: [source],
    events: sentOn.events,
  })
}

function noteBalance(balance: Balance, name: string, conversions: UnitConversions, notes: Notes): void {
  const { place, source, received, sentOn } = balance
  const [firstIn] = received.events
  const [firstOut] = sentOn.events
  if (firstIn === undefined || firstOut === undefined) return
  const concerned = { places: [place], sources: [source] }
  if (instantOf(firstOut.event.eventDateTime) < instantOf(firstIn.event.eventDateTime))
    notes.add('sentBeforeReceived', {
      message: `A shipment from ${name} was received elsewhere at ${firstOut.event.eventDateTime}. ${name} itself first received the lot at ${firstIn.event.eventDateTime}.`,
      remedy: 'Check both times and their offsets, or look for an earlier receiving event.',
      ...concerned,
      events: [firstOut, firstIn],
    })
  const [came, went] = [received.quantities.amounts(), sentOn.quantities.amounts()]
  const units = new ComparableUnits(tableOfBalances([balance], conversions), [...came, ...went])
  const known = new Set(units.sum(came).map(({ unit }) => unit))
  for (const { quantity, unit } of quantitiesOf(units.sum(went)))
    if (!known.has(unit))
      notes.add('unitNeverReceived', {
        message: `${name} sent on ${quantity} ${unit} but received none in that unit.`,
        remedy: 'Declare how much of one unit the other is, with PUT /unit-conversions: else they are not compared.',
        ...concerned,
        events: [...received.events, ...sentOn.events],
      })
}

/** Notes that a place sent on more than it received, over some sources. True if it did. */
function noteMoreSent(balances: readonly Balance[], name: string, conversions: UnitConversions, notes: Notes): boolean {
  const { over } = balanceOf(
    {
      received: balances.flatMap(({ received }) => received.quantities.amounts()),
      shipped: balances.flatMap(({ sentOn }) => sentOn.quantities.amounts()),
    },
    tableOfBalances(balances, conversions),
    { tolerance: Fraction.zero },
  )
  for (const { came, went } of over)
    notes.add('sentMoreThanReceived', {
      message: `${name} sent on ${went.amount.value} ${went.unit} but received ${came.amount.value}.`,
      remedy: 'Look for a missing receiving event or a wrong quantity. The lot may also have arrived another way.',
      places: [...new Set(balances.map(({ place }) => place))],
      sources: balances.map(({ source }) => source),
      events: balances.flatMap((balance) => [...balance.received.events, ...balance.sentOn.events]),
    })
  return over.length > 0
}

function noteCycles({ links, places }: PlaceFacts, notes: Notes): void {
  for (const [source, own] of groupsOf(links, (link) => link.source)) {
    for (const cycle of cyclesIn(own)) {
      const inside = new Set(cycle)
      notes.add('cycle', {
        message:
          cycle.length === 1
            ? `${places.list[cycle[0] ?? 0]?.name ?? ''} received the lot from itself.`
            : `The lot moves in a circle between ${listSome(cycle.map((place) => places.list[place]?.name ?? ''))}.`,
        remedy: 'A return is a receiving event too. If there was no return, check ship-from and ship-to.',
        places: cycle,
        sources: [source],
        events: own.filter(({ from, to }) => inside.has(from) && inside.has(to)).flatMap(({ events }) => events),
      })
    }
  }
}

/**
 * Sets of places that can all reach each other (Tarjan), without recursion: a chain may be long.
 */
function cyclesIn(links: readonly Link[]): readonly (readonly number[])[] {
  const next = new Map([...groupsOf(links, ({ from }) => from)].map(([from, own]) => [from, own.map(({ to }) => to)]))
  const ofItself = new Set(links.filter(({ from, to }) => from === to).map(({ from }) => from))
  const found: number[][] = []
  const index = new Map<number, number>()
  const low = new Map<number, number>()
  const open: number[] = []
  const isOpen = new Set<number>()
  for (const start of next.keys()) {
    if (index.has(start)) continue
    const path: { readonly place: number; tried: number }[] = [{ place: start, tried: 0 }]
    while (path.length > 0) {
      const step = path[path.length - 1] as { readonly place: number; tried: number }
      const { place } = step
      if (step.tried === 0) {
        index.set(place, index.size)
        low.set(place, index.get(place) ?? 0)
        open.push(place)
        isOpen.add(place)
      }
      const to = next.get(place)?.[step.tried++]
      if (to !== undefined) {
        if (!index.has(to)) path.push({ place: to, tried: 0 })
        else if (isOpen.has(to)) low.set(place, Math.min(low.get(place) ?? 0, index.get(to) ?? 0))
        continue
      }
      path.pop()
      const above = path[path.length - 1]?.place
      if (above !== undefined) low.set(above, Math.min(low.get(above) ?? 0, low.get(place) ?? 0))
      if (low.get(place) !== index.get(place)) continue
      const set = open.splice(open.indexOf(place))
      for (const one of set) isOpen.delete(one)
      if (set.length > 1 || ofItself.has(place)) found.push(set.sort((a, b) => a - b))
    }
  }
  return found
}
