// The chain of a lot: the lots that were made of it, or of which it was made, with what happened to
// each. Source: 21 CFR 1.1350(a); decision 0091.
import type { Static } from 'typebox'
import { type Ground, groundMeanings, grounds } from '../contract/lots/grounds.ts'
import { RecordId } from '../contract/payloads.ts'
import { type EventKindName, eventKindNames } from '../contract/record-kinds.ts'
import { Type } from '../contract/shape/type.ts'
import { shape, text, whole } from './answer-shapes.ts'
import { type Direction, directions } from './chain-walk.ts'
import { QuantityByUnit } from './lot-trace.ts'

const optional = Type.Optional
const quantities = (description: string) => Type.Array(QuantityByUnit, { description })
const LotId = text('Id of a lot in this response, such as `L1`, or of food before it was packed, such as `F1`.')

const ground = Type.Enum([...grounds] as Ground[], {
  description: `The least sure of the steps. ${grounds.map((one) => `\`${one}\`: ${groundMeanings[one]}`).join(' ')}`,
})

const ChainedPlace = shape(
  'ChainedPlace',
  { locationCode: text('The code.'), name: optional(text('`locationName`.')) },
  'A location of an event.',
)
export type ChainedPlace = Static<typeof ChainedPlace>

/** Most places that a lot names. */
export const chainedPlacesMax = 100

const ChainedLot = shape(
  'ChainedLot',
  {
    id: LotId,
    lotCode: text('The lot code.'),
    source: text('Who assigned it, in short.'),
    tlcSource: optional(text('What names its source in `tlcSource`; absent where no line says who assigned it.')),
    gtin: optional(text('GTIN-14 that tells it from lots of other items.')),
    vendorItemCode: optional(text('`vendorItemCode` of its first line.')),
    itemDescription: optional(text('Description of the item.')),
    distance: whole('Events between it and the lot that was asked for.'),
    ground,
    readsLike: optional({
      ...LotId,
      description:
        'Id of the lot for which it is taken, because its lot code reads alike, or names several lots of which this is one.',
    }),
    made: quantities('What was made of it.'),
    entered: quantities('What places used or sent on, of which no event says how they got it.'),
    received: quantities('What was received of it. What passed through three places is counted twice.'),
    used: quantities('What was used of it.'),
    shipped: quantities('What shipping events say was shipped of it.'),
    left: quantities(
      'What is left at places where it was made or received. What lots share that lines cannot tell apart is with the first of them.',
    ),
    places: Type.Array(ChainedPlace, {
      description: `Locations that received it, in the order of the first receipt, at most ${chainedPlacesMax}.`,
    }),
    placeCount: whole('All of them.'),
  },
  'A lot of the chain.',
)
export type ChainedLot = Static<typeof ChainedLot>

/** Most balances of an answer. */
export const chainBalancesMax = 10_000

const ChainedBalance = shape(
  'ChainedBalance',
  {
    lots: Type.Array(LotId, {
      description: 'The lot. Several where lines of the place do not say their source, and may be of each of them.',
    }),
    place: optional(ChainedPlace),
    opening: quantities('What was left before `eventStartDate`.'),
    made: quantities('What was made there.'),
    received: quantities('What was received there.'),
    used: quantities('What was used there.'),
    shipped: quantities(
      'What went to each other place: by shipping events, or by receiving events where these have more.',
    ),
    left: quantities(
      'Opening, made and received, less used and shipped. Below 0 where more went out than came in. Empty where nothing came in: the goods are from outside of the records.',
    ),
    isOver: Type.Boolean({ description: 'True where more went out than came in, beyond the tolerance.' }),
  },
  'What came in, went out and is left of a lot at a place; in one unit where the units convert. Without a place, of all places together: more was used than was made.',
)
export type ChainedBalance = Static<typeof ChainedBalance>

const ChainedFood = shape(
  'ChainedFood',
  {
    id: LotId,
    record: Type.Enum([...eventKindNames] as EventKindName[], { description: 'Kind of event that it names.' }),
    place: ChainedPlace,
    date: text('Date of the harvest or the cooling, `yyyy-MM-dd`.'),
    area: optional(text('Field, other growing area or container, where a line states it.')),
    dataProviderVendorId: Type.String(),
    vendorItemCode: text('`vendorItemCode` of its first line.'),
    itemDescription: optional(text('Description of the item.')),
    distance: whole('Events between it and the lot that was asked for.'),
    ground,
    harvested: quantities(
      'What events of the chain say was harvested or cooled of it. A harvest that states no growing area counts with the food of each area that it may be.',
    ),
    packed: quantities('What events of the chain packed of it.'),
  },
  'Food before it was packed: it has no lot code, and is known by where and when it was harvested or cooled.',
)
export type ChainedFood = Static<typeof ChainedFood>

export const RecoveredLot = shape(
  'RecoveredLot',
  {
    lotCode: text('The lot code.'),
    made: quantities('What was made of it.'),
    entered: quantities('What came from outside of the records.'),
    recovered: quantities('What is left at places, and what was used in other lots.'),
    share: Type.Union([Type.Number(), Type.Null()], {
      description:
        'Recovered ÷ made, or entered where no event made it; null where nothing was, or where the units do not convert. Goods that were shipped and that no event received are not recovered.',
    }),
  },
  'How much of what was made of a lot the records can find.',
)
export type RecoveredLot = Static<typeof RecoveredLot>

const ChainedEvent = shape(
  'ChainedEvent',
  {
    id: RecordId,
    version: whole('The version that was read.'),
    record: Type.Enum([...eventKindNames] as EventKindName[], { description: 'Kind of the event.' }),
    eventDateTime: text('`eventDateTime` as written.'),
    dataProviderVendorId: Type.String(),
    dataProviderVendorName: optional(Type.String()),
    place: ChainedPlace,
    used: Type.Array(LotId, {
      description: 'Forward: lots of the chain that were used. Back: all that were used, and food that was packed.',
    }),
    made: Type.Array(LotId, {
      description:
        'Forward: all lots that were made. Back: those of the chain, or the food that was harvested or cooled.',
    }),
    ground,
  },
  'An event that made lots of others. Which lot went into which is not recorded: each that was used may be in each that was made.',
)
export type ChainedEvent = Static<typeof ChainedEvent>

/** Notes about what is in the chain; others are about quantities and dates in the records. */
export const readingNotes = ['truncated', 'damaged', 'sourceUnknown', 'reference', 'readAlike', 'leftOut'] as const
const noteKinds = [
  ...readingNotes,
  'madeTwice',
  'usedBeforeMade',
  'originUnknown',
  'unitsDiffer',
  'moreOutThanIn',
] as const
export type ChainNoteKind = (typeof noteKinds)[number]

const ChainNote = shape(
  'ChainNote',
  {
    kind: Type.Enum([...noteKinds], { description: 'Kind of the note.' }),
    message: text('What was found.'),
    remedy: text('What to do about it.'),
    lots: Type.Array(LotId, { description: 'Lots it concerns, at most 100.' }),
    events: Type.Array(RecordId, { description: 'Events it concerns, at most 100.' }),
  },
  'A gap or a contradiction in the records of the chain.',
)
export type ChainNote = Static<typeof ChainNote>

/** Most notes of an answer. */
export const chainNotesMax = 500

export const LotChain = shape(
  'LotChain',
  {
    lotCode: optional(
      text(
        'The lot code, without the other elements of a GS1 text. Absent of a chain that begins at food without one.',
      ),
    ),
    direction: Type.Enum([...directions] as Direction[], { description: 'As asked.' }),
    least: ground,
    notes: Type.Array(ChainNote, {
      description: `What to know before acting on this response, at most ${chainNotesMax} notes.`,
    }),
    noteCount: whole('All of them.'),
    lots: Type.Array(ChainedLot, { description: 'Those that were asked for first, then the surest and nearest.' }),
    balances: Type.Array(ChainedBalance, {
      description: `What is left of each lot at each place, in the order of the lots, at most ${chainBalancesMax.toLocaleString('en')}.`,
    }),
    balanceCount: whole('All of them.'),
    food: Type.Array(ChainedFood, { description: 'Food of the chain before it was packed, by the way to it.' }),
    recovery: Type.Array(RecoveredLot, { description: 'Recovered ÷ made of each lot code, in the order of the lots.' }),
    events: Type.Array(ChainedEvent, { description: 'The events that made lots of others, by the way to them.' }),
  },
  'The lots that were made of a lot or of food, or of which a lot was made, over any number of events.',
)
export type LotChain = Static<typeof LotChain>
