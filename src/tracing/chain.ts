// Tells a walk from lot to lot as a chain: each lot with its quantities and places, each event with
// its lots, and notes about what the records leave open.

import { type Ground, isSurer } from '../contract/lots/grounds.ts'
import { eventKinds } from '../contract/record-kinds.ts'
import { isGiven } from '../contract/shape/field.ts'
import { pluralize } from '../contract/text/pluralize.ts'
import { mapInSteps, type Steps } from '../steps.ts'
import { type ChainQuery, groundOf, type LinePart, lineParts, type WalkedChain, type WalkedLot } from './chain-walk.ts'
import { referenceOfCode } from './field-reference.ts'
import {
  amountsOf,
  type BalanceQuery,
  type ChainPlaces,
  type ChainUnits,
  type LotAmounts,
  type LotBalance,
  lotBalances,
  recoveryOf,
  tableOf,
} from './lot-balances.ts'
import {
  type ChainedBalance,
  type ChainedEvent,
  type ChainedFood,
  type ChainedLot,
  type ChainedPlace,
  type ChainNote,
  type ChainNoteKind,
  chainBalancesMax,
  chainedPlacesMax,
  chainNotesMax,
  type LotChain,
} from './lot-chain.ts'
import type { ChainEvent, NamedPlace } from './lot-event.ts'
import { type Amounts, quantitiesOf } from './mass-balance.ts'
import { mergedPlaces } from './places.ts'
import { Quantities } from './quantities.ts'
import { sourceLabel, tlcSourceOf } from './sources.ts'
import { listSome, quantitiesText } from './wording.ts'

/** What a chain does not show, and what to do about it. */
export interface Unread {
  readonly kind: 'truncated' | 'damaged'
  readonly message: string
  readonly remedy: string
}

/** What is asked of the quantities of a chain, and how their units convert. */
export interface ChainQuantities {
  readonly balances: BalanceQuery
  readonly units: ChainUnits
}

type Walk = WalkedChain<ChainEvent>
type Walked = WalkedLot<ChainEvent>

const lotId = (number: number): string => `L${number + 1}`
const foodId = (number: number): string => `F${number + 1}`

export function* chainOf(
  query: ChainQuery,
  walk: Walk,
  { balances: asked, units }: ChainQuantities,
  unread: readonly Unread[],
): Steps<LotChain> {
  const places = yield* placesOfChain(walk)
  const balances = yield* lotBalances(walk.lots, places, units, asked)
  const amounts: LotAmounts[] = []
  for (const lot of walk.lots) {
    yield
    amounts.push(yield* amountsOf(lot, tableOf(units, [lot.own])))
  }
  for (const balance of balances) if (balance.place !== undefined) amounts[balance.lots[0] ?? 0]?.addBalance(balance)
  const notes = [
    ...unread.map((one) => ({ ...one, lots: [], events: [] })),
    ...groundNotes(walk, query),
    ...(yield* lotNotes(walk)),
    ...amounts.flatMap((lot, number) => unitsNote(lot, walk.lots[number], number)),
    // Where events are missing, what they brought is missing too.
    ...(unread.length > 0 ? [] : yield* balanceNotes(walk, balances, places, asked)),
  ]
  return {
    ...(referenceOfCode(query.lotCode) === undefined && { lotCode: query.lotCode }),
    direction: query.direction,
    least: query.least,
    notes: notes.slice(0, chainNotesMax),
    noteCount: notes.length,
    lots: yield* mapInSteps(walk.lots, (lot, i) => chainedLot(lot, i, amounts[i])),
    balances: yield* mapInSteps(balances.slice(0, chainBalancesMax), (one) => chainedBalance(one, places)),
    balanceCount: balances.length,
    food: (yield* mapInSteps(walk.food, (one, i) => chainedFood(one, i, query))).flat(),
    recovery: yield* recoveryOf(walk.lots, amounts, units),
    events: yield* mapInSteps(walk.steps, chainedEvent),
  }
}

/** What a chain begins at: a lot, or food before it was packed. */
export function startWords({ lotCode, food: [first] }: LotChain): string {
  if (lotCode !== undefined) return `lot ${lotCode}`
  if (first === undefined) return 'food'
  return `food ${eventKinds[first.record].happened} on ${first.date} at ${first.place.name ?? first.place.locationCode}`
}

/** The places of all events, each once. */
function* placesOfChain({ lots }: Walk): Steps<ChainPlaces> {
  const events = new Set<ChainEvent>()
  for (const ofCode of new Set(lots.map((lot) => lot.ofCode)))
    for (const { lines } of ofCode) yield* mapInSteps(lines, ({ event }) => events.add(event))
  const named: NamedPlace[] = []
  const numberOf = new Map<NamedPlace, number>()
  for (const { place, other } of [...events].sort(byInstant))
    for (const one of [place, other]) if (one !== undefined) numberOf.set(one, named.push(one) - 1)
  const { list, numbers } = yield* mergedPlaces(named)
  const of = (one: NamedPlace) => numbers[numberOf.get(one) ?? 0] ?? 0
  return { list, at: ({ place }) => of(place), other: ({ other }) => other && of(other) }
}

const byInstant = (a: ChainEvent, b: ChainEvent): number => a.instant - b.instant || (a.id < b.id ? -1 : 1)

function chainedLot(lot: Walked, number: number, amounts: LotAmounts | undefined): ChainedLot {
  const { lotCode, source, gtins, distance, ground, lines } = lot
  const [gtin] = gtins
  const [first] = lines
  const receipts = inOrder(lines.filter(({ line }) => line.part === 'received').map(({ event }) => event))
  const places = new Map(receipts.map(({ place }) => [`${place.code}\u0000${place.fields.locationName}`, place]))
  const tlcSource = tlcSourceOf(source)
  const itemDescription = lines.find(({ line }) => isGiven(line.itemDescription))?.line.itemDescription
  return {
    id: lotId(number),
    lotCode,
    source: sourceLabel(source),
    ...(tlcSource !== undefined && { tlcSource }),
    ...(gtin !== undefined && { gtin }),
    ...(first !== undefined && { vendorItemCode: first.line.line.vendorItemCode }),
    ...(itemDescription !== undefined && { itemDescription }),
    distance,
    ground,
    ...(typeof lot.readsLike === 'number' && { readsLike: lotId(lot.readsLike) }),
    made: [],
    entered: [],
    received: [],
    used: [],
    shipped: [],
    left: [],
    ...amounts?.lists(),
    places: [...places.values()].slice(0, chainedPlacesMax).map(chainedPlace),
    placeCount: places.size,
  }
}

const chainedPlace = ({ code, fields: { locationName } }: NamedPlace): ChainedPlace => ({
  locationCode: code,
  ...(isGiven(locationName) && { name: locationName }),
})

const chainedBalance = (balance: LotBalance, { list }: ChainPlaces): ChainedBalance => {
  const place = balance.place === undefined ? undefined : list[balance.place]
  return {
    lots: balance.lots.map(lotId),
    ...(place && { place: { locationCode: place.codes[0]?.locationCode ?? '', name: place.name } }),
    opening: quantitiesOf(balance.hasCome ? balance.opening : []),
    made: quantitiesOf(balance.made),
    received: quantitiesOf(balance.received),
    used: quantitiesOf(balance.used),
    shipped: quantitiesOf(balance.shipped),
    left: quantitiesOf(balance.hasCome ? balance.left : []),
    isOver: balance.hasCome && balance.over.length > 0,
  }
}

function chainedFood(
  { reference, source, distance, ground, lines, possible }: Walked,
  number: number,
  { least, direction }: ChainQuery,
): readonly ChainedFood[] {
  if (reference === undefined) return []
  const { kind, vendor, locationCode, date } = reference
  const name = lines.find(({ line }) => isGiven(line.placeName))?.line.placeName
  const itemDescription = lines.find(({ line }) => isGiven(line.itemDescription))?.line.itemDescription
  const others = possible.flatMap(({ lot, ground }) => (isSurer(least, ground) ? [] : lot.lines))
  const sumOf = (part: LinePart, all: Walked['lines']) => {
    const sum = new Quantities()
    for (const { line } of all) if (line.part === part) sum.add(line.line.shipQuantity, line.line.shipQuantityUom)
    return quantitiesOf(sum.amounts())
  }
  return [
    {
      id: foodId(number),
      record: kind,
      place: { locationCode, ...(isGiven(name) && { name }) },
      date,
      ...(source.known && { area: sourceLabel(source) }),
      dataProviderVendorId: vendor,
      vendorItemCode: lines[0]?.line.line.vendorItemCode ?? '',
      ...(itemDescription !== undefined && { itemDescription }),
      distance,
      ground,
      harvested: sumOf('made', others),
      packed: sumOf('used', direction === 'forward' ? others : lines),
    },
  ]
}

const chainedEvent = ({ event, used, made, usedFood, madeFood, ground }: Walk['steps'][number]): ChainedEvent => ({
  id: event.id,
  version: event.version,
  record: event.kind,
  eventDateTime: event.eventDateTime,
  dataProviderVendorId: event.dataProviderVendorId,
  ...(isGiven(event.dataProviderVendorName) && { dataProviderVendorName: event.dataProviderVendorName }),
  place: chainedPlace(event.place),
  used: [...used.map(lotId), ...usedFood.map(foodId)],
  made: [...made.map(lotId), ...madeFood.map(foodId)],
  ground,
})

const inOrder = (events: readonly ChainEvent[]): readonly ChainEvent[] => [...new Set(events)].sort(byInstant)

// Notes

const namedMax = 100

const note = (
  kind: ChainNoteKind,
  lots: readonly number[],
  events: readonly Pick<ChainEvent, 'id'>[],
  words: Pick<ChainNote, 'message' | 'remedy'>,
): ChainNote => ({
  kind,
  ...words,
  lots: lots.slice(0, namedMax).map(lotId),
  events: [...new Set(events.map(({ id }) => id))].slice(0, namedMax),
})

const sourceRemedy = 'Send a tlcSource… field with each line, such as tlcSourceReferenceGln.'

/** What is said of steps by a ground, and of lines that were left out by it. */
const doubts = {
  sourceUnknown: {
    because: 'the lot code alone, because a line does not say who assigned it. It may be a lot of another source.',
    remedy: `${sourceRemedy} For what is certain, ask with least=sameSource.`,
    lines: (isOne: boolean) => `with a lot code of this chain ${isOne ? 'does' : 'do'} not say who assigned it`,
    toFollow: ` ${sourceRemedy}`,
  },
  reference: {
    because:
      'place, date, item and growing area, because food has no lot code before it is packed. Other food of that place and day may have the same.',
    remedy: 'Compare the reference documents of these events. To leave them out, ask with least=sourceUnknown.',
    lines: (isOne: boolean) =>
      `of food without a lot code ${isOne ? 'agrees' : 'agree'} with this chain in place, date, item and growing area`,
    toFollow: '',
  },
} as const

function groundNotes({ lots, steps, leftOut }: Walk, { lotCode: asked }: ChainQuery): ChainNote[] {
  const grounds = ['sourceUnknown', 'reference'] as const
  const stepsBy = (ground: (typeof grounds)[number]): ChainNote[] => {
    const events = steps.flatMap((step) => (step.ground === ground ? step.event : []))
    if (events.length === 0) return []
    const named = [...lots.keys()].filter((number) => lots[number]?.ground === ground)
    const { because, remedy } = doubts[ground]
    const are = events.length === 1 ? 'is' : 'are'
    const message = `${pluralize(events.length, 'event')} ${are} in this chain by ${because}`
    return [note(ground, named, events, { message, remedy })]
  }
  const leftOutBy = (ground: Ground, lines: (isOne: boolean) => string, toFollow = ''): ChainNote[] => {
    const { [ground]: count } = leftOut
    if (count === 0) return []
    const [were, them] = count === 1 ? ['was', 'it'] : ['were', 'them']
    const message = `${pluralize(count, 'line')} ${lines(count === 1)}, and ${were} not followed.`
    return [note('leftOut', [], [], { message, remedy: `Ask with least=${ground} to follow ${them}.${toFollow}` })]
  }
  return [
    ...grounds.flatMap(stepsBy),
    ...alikeNote(lots, asked),
    ...grounds.flatMap((ground) => leftOutBy(ground, doubts[ground].lines, doubts[ground].toFollow)),
    ...leftOutBy(
      'severalLots',
      (isOne) => `${isOne ? 'has' : 'have'} several lot codes in one, of which one reads like a lot of this chain`,
    ),
  ]
}

/** Lots that are here because their codes read like those of others. */
function alikeNote(lots: readonly Walked[], asked: string): ChainNote[] {
  const found = [...lots.entries()].flatMap(([number, { lotCode, readsLike }]) => {
    if (readsLike === undefined) return []
    const like = readsLike === 'asked' ? asked : (lots[readsLike]?.lotCode ?? '')
    return [{ number, words: `${JSON.stringify(lotCode)} like ${JSON.stringify(like)}` }]
  })
  if (found.length === 0) return []
  const are =
    found.length === 1
      ? 'lot is in this chain because its lot code reads'
      : 'lots are in this chain because their lot codes read'
  return [
    note(
      'readAlike',
      found.map(({ number }) => number),
      [],
      {
        message: `${found.length.toLocaleString('en')} ${are} like another, or names several: ${listSome(found.map(({ words }) => words))}.`,
        remedy:
          'Ask the sender whether it is the same lot. If so, have the lot code corrected. To leave such lots out, ask with least=reference.',
      },
    ),
  ]
}

function* lotNotes({ lots }: Walk): Steps<ChainNote[]> {
  const notes: ChainNote[] = []
  for (const [number, lot] of lots.entries()) {
    yield
    notes.push(...notesOfLot(lot, number))
  }
  const isUsed = ({ line }: Walked['lines'][number]) => line.part === 'used'
  const isBrought = ({ line }: Walked['lines'][number]) => line.part === 'made' || line.part === 'received'
  const unknown: number[] = []
  for (const [number, lot] of lots.entries()) {
    yield
    if (!lot.lines.some(isUsed)) continue
    const isKnown = lot.ofCode.some((other) => other.lines.some(isBrought) && groundOf(lot.own, other) !== undefined)
    if (!isKnown) unknown.push(number)
  }
  return [
    ...notes,
    ...(unknown.length > 0
      ? [
          note('originUnknown', unknown, [], {
            message: `${pluralize(unknown.length, 'lot')} ${unknown.length === 1 ? 'was' : 'were'} used, and no event says where from: ${listSome(unknown.map((number) => lots[number]?.lotCode ?? ''))}.`,
            remedy: 'Send the event with which each was received or made.',
          }),
        ]
      : []),
  ]
}

const nameOf = ({ lotCode, source }: Walked): string => `${lotCode} of ${sourceLabel(source)}`

function notesOfLot(lot: Walked, number: number): ChainNote[] {
  const { source, lines } = lot
  const eventsOf = (part: LinePart) => inOrder(lines.filter(({ line }) => line.part === part).map(({ event }) => event))
  const [made, used] = [eventsOf('made'), eventsOf('used')]
  const [firstMade] = made
  const notes: ChainNote[] = []
  if (made.length > 1 && source.known)
    notes.push(
      note('madeTwice', [number], made, {
        message: `${made.length} events made the lot ${nameOf(lot)}: ${listSome(made.map(({ eventDateTime, place }) => `${eventDateTime} at ${place.code}`))}.`,
        remedy: 'If one of them is a second record of the same work, void it. Otherwise give each its own lot code.',
      }),
    )
  const early = firstMade === undefined ? [] : used.filter(({ instant }) => instant < firstMade.instant)
  if (early.length > 0 && firstMade !== undefined)
    notes.push(
      note('usedBeforeMade', [number], [...early, firstMade], {
        message: `The lot ${nameOf(lot)} was used on ${early[0]?.eventDateTime}, before it was made on ${firstMade.eventDateTime}.`,
        remedy: 'Correct the event date time of one of the events.',
      }),
    )
  return notes
}

function unitsNote({ apart }: LotAmounts, lot: Walked | undefined, number: number): ChainNote[] {
  if (apart.length === 0 || lot === undefined) return []
  const items = [...new Set(lot.lines.map(({ line }) => line.line.vendorItemCode))]
  return [
    note('unitsDiffer', [number], [], {
      message: `Quantities of the lot ${nameOf(lot)} are in units that nobody declared how to convert: ${listSome(apart)}. They are listed side by side and not added up.`,
      remedy: `Declare how much of one unit the other is, for item ${listSome(items)}, with PUT /unit-conversions.`,
    }),
  ]
}

function* balanceNotes(
  { lots }: Walk,
  balances: readonly LotBalance[],
  { list }: ChainPlaces,
  { tolerance }: BalanceQuery,
): Steps<ChainNote[]> {
  const beyond = tolerance.sign > 0 ? ` by more than ${tolerance.value * 100} %` : ''
  const notes = yield* mapInSteps(balances, ({ lots: numbers, place, events, hasCome, over, ...sides }) => {
    if (!hasCome || over.length === 0) return []
    const named = numbers.flatMap((number) => (lots[number] === undefined ? [] : [nameOf(lots[number])]))
    const where = place === undefined ? 'In all places together' : `At ${list[place]?.name ?? ''}`
    const parts = (['opening', ...lineParts] as const).flatMap((part) =>
      sides[part].length === 0 ? [] : `${part === 'opening' ? 'there before' : part} ${amountsText(sides[part])}`,
    )
    return [
      note('moreOutThanIn', numbers, inOrder(events), {
        message: `${where}, ${amountsText(over.map(({ went }) => went))} of the lot ${listSome(named)} went out, but ${amountsText(over.map(({ came }) => came))} came in${beyond}: ${parts.join(', ')}.`,
        remedy: 'Look for a missing event or a wrong quantity, and correct it.',
      }),
    ]
  })
  return notes.flat()
}

const amountsText = (amounts: Amounts): string =>
  quantitiesText(quantitiesOf(amounts).map(({ quantity, unit }) => ({ quantity: Number(quantity.toFixed(3)), unit })))
