// Tells a walk from lot to lot as a chain: each lot with its quantities and places, each event with
// its lots, and notes about what the records leave open.
import type { EventKindName } from '../contract/record-kinds.ts'
import { instantOf } from '../contract/shape/date-and-time.ts'
import { isGiven } from '../contract/shape/field.ts'
import { pluralize } from '../contract/text/pluralize.ts'
import { mapInSteps, type Steps } from '../steps.ts'
import {
  type ChainLine,
  type ChainQuery,
  type ChainWalk,
  type LinePart,
  lineParts,
  type WalkedLot,
} from './chain-walk.ts'
import {
  type ChainedEvent,
  type ChainedLot,
  type ChainedPlace,
  type ChainNote,
  type ChainNoteKind,
  chainedPlacesMax,
  type LotChain,
} from './lot-chain.ts'
import { Quantities } from './quantities.ts'
import { sourceLabel, tlcSourceOf } from './sources.ts'
import { listSome, quantitiesText } from './wording.ts'

/** An event as a chain shows it, with its lines that have lot codes. */
export interface ChainEvent {
  readonly id: string
  readonly version: number
  readonly kind: EventKindName
  readonly eventDateTime: string
  readonly dataProviderVendorId: string
  readonly dataProviderVendorName: string | undefined
  /** Where it took place. */
  readonly place: ChainedPlace
  readonly lines: readonly ChainLine[]
}

/** What a chain does not show, and what to do about it. */
export interface Unread {
  readonly kind: 'truncated' | 'damaged'
  readonly message: string
  readonly remedy: string
}

type Walk = ChainWalk<ChainEvent>
type Walked = WalkedLot<ChainEvent>

const lotId = (number: number): string => `L${number + 1}`

export function* chainOf(query: ChainQuery, walk: Walk, unread: readonly Unread[]): Steps<LotChain> {
  const sums = yield* mapInSteps(walk.lots, sumsOf)
  return {
    lotCode: query.lotCode,
    direction: query.direction,
    least: query.least,
    notes: [
      ...unread.map((one) => ({ ...one, lots: [], events: [] })),
      ...groundNotes(walk),
      ...(yield* lotNotes(walk, sums)),
    ],
    lots: yield* mapInSteps(walk.lots, (lot, i) => chainedLot(lot, i, sums[i])),
    events: yield* mapInSteps(walk.steps, chainedEvent),
  }
}

type Sums = Readonly<Record<LinePart, Quantities>>

function sumsOf({ lines }: Walked): Sums {
  const sums = Object.fromEntries(lineParts.map((part) => [part, new Quantities()])) as Record<LinePart, Quantities>
  for (const { line } of lines) sums[line.part].add(line.line.shipQuantity, line.line.shipQuantityUom)
  return sums
}

function chainedLot(lot: Walked, number: number, sums: Sums | undefined): ChainedLot {
  const { lotCode, source, gtin, distance, ground, lines } = lot
  const [first] = lines
  const places = new Map(
    inOrder(lines.filter(({ line }) => line.part === 'received').map(({ event }) => event)).map(({ place }) => [
      JSON.stringify(place),
      place,
    ]),
  )
  const listOf = (part: LinePart) => sums?.[part].list() ?? []
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
    made: listOf('made'),
    received: listOf('received'),
    used: listOf('used'),
    shipped: listOf('shipped'),
    places: [...places.values()].slice(0, chainedPlacesMax),
    placeCount: places.size,
  }
}

const chainedEvent = ({ event, used, made, ground }: Walk['steps'][number]): ChainedEvent => ({
  id: event.id,
  version: event.version,
  record: event.kind,
  eventDateTime: event.eventDateTime,
  dataProviderVendorId: event.dataProviderVendorId,
  ...(isGiven(event.dataProviderVendorName) && { dataProviderVendorName: event.dataProviderVendorName }),
  place: event.place,
  used: used.map(lotId),
  made: made.map(lotId),
  ground,
})

const inOrder = (events: readonly ChainEvent[]): readonly ChainEvent[] =>
  [...new Set(events)].sort((a, b) => instantOf(a.eventDateTime) - instantOf(b.eventDateTime) || (a.id < b.id ? -1 : 1))

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

function groundNotes({ lots, steps, leftOut }: Walk): ChainNote[] {
  const unsure = steps.filter(({ ground }) => ground === 'sourceUnknown')
  const remedy = 'Send a tlcSource field with each line, such as tlcSourceReferenceGln.'
  return [
    ...(unsure.length > 0
      ? [
          note(
            'sourceUnknown',
            [...lots.keys()].filter((number) => lots[number]?.ground === 'sourceUnknown'),
            unsure.map(({ event }) => event),
            {
              message: `${pluralize(unsure.length, 'event')} ${unsure.length === 1 ? 'is' : 'are'} in this chain by the lot code alone, because a line does not say who assigned it. It may be a lot of another source.`,
              remedy: `${remedy} For what is certain, ask with least=sameSource.`,
            },
          ),
        ]
      : []),
    ...(leftOut > 0
      ? [
          note('leftOut', [], [], {
            message: `${pluralize(leftOut, 'line')} with a lot code of this chain ${leftOut === 1 ? 'does' : 'do'} not say who assigned it, and ${leftOut === 1 ? 'was' : 'were'} not followed.`,
            remedy: `Ask with least=sourceUnknown to follow ${leftOut === 1 ? 'it' : 'them'}. ${remedy}`,
          }),
        ]
      : []),
  ]
}

function* lotNotes({ lots }: Walk, sums: readonly Sums[]): Steps<ChainNote[]> {
  const notes = yield* mapInSteps(lots, (lot, number) => notesOfLot(lot, number, sums[number]))
  const unknown = [...lots.keys()].filter((number) => {
    const parts = lots[number]?.lines.map(({ line }) => line.part) ?? []
    return parts.includes('used') && !parts.includes('made') && !parts.includes('received')
  })
  return [
    ...notes.flat(),
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

function notesOfLot({ lotCode, source, lines }: Walked, number: number, sums: Sums | undefined): ChainNote[] {
  const eventsOf = (part: LinePart) => inOrder(lines.filter(({ line }) => line.part === part).map(({ event }) => event))
  const named = `${lotCode} of ${sourceLabel(source)}`
  const [made, used] = [eventsOf('made'), eventsOf('used')]
  const [firstMade] = made
  const notes: ChainNote[] = []
  if (made.length > 1 && source.known)
    notes.push(
      note('madeTwice', [number], made, {
        message: `${made.length} events made the lot ${named}: ${listSome(made.map(({ eventDateTime, place }) => `${eventDateTime} at ${place.locationCode}`))}.`,
        remedy: 'If one of them is a second record of the same work, void it. Otherwise give each its own lot code.',
      }),
    )
  const early =
    firstMade === undefined
      ? []
      : used.filter(({ eventDateTime }) => instantOf(eventDateTime) < instantOf(firstMade.eventDateTime))
  if (early.length > 0 && firstMade !== undefined)
    notes.push(
      note('usedBeforeMade', [number], [...early, firstMade], {
        message: `The lot ${named} was used on ${early[0]?.eventDateTime}, before it was made on ${firstMade.eventDateTime}.`,
        remedy: 'Correct the event date time of one of the events.',
      }),
    )
  const over = (sums?.made.list() ?? []).flatMap((one) => {
    const ofUnit = sums?.used.of(one.unit) ?? 0
    return ofUnit > one.quantity ? [{ made: one, used: { ...one, quantity: ofUnit } }] : []
  })
  if (over.length > 0 && source.known)
    notes.push(
      note('usedMoreThanMade', [number], [...made, ...used], {
        message: `More of the lot ${named} was used than was made: ${over.map((one) => `used ${quantitiesText([one.used])}, made ${quantitiesText([one.made])}`).join('; ')}.`,
        remedy: 'Compare the quantities of these events with the production records, and correct them.',
      }),
    )
  return notes
}
