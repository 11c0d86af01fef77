// A chain of lots as rows: one for each lot, and each food before it was packed, with the event by
// which it came into the chain; a further row for each further event. Quantities are in the first
// row of a lot, so that a column can be added up.
import { byteOrderMark, csvRow } from 'lotkeeper-sheets/safe-csv'
import { startWords } from '../tracing/chain.ts'
import type { ChainedEvent, ChainedFood, ChainedLot, LotChain } from '../tracing/lot-chain.ts'
import { quantitiesText } from '../tracing/wording.ts'

interface Row {
  readonly chain: LotChain
  readonly lot: ChainedLot | undefined
  readonly food: ChainedFood | undefined
  readonly event: ChainedEvent | undefined
  /** Codes of the lots on the other side of the event. */
  readonly by: string
  readonly isFirst: boolean
  /** Kinds of the notes about it. */
  readonly notes: string
}

type Column = readonly [heading: string, cell: (row: Row) => string | number | undefined]

const amounts = (name: 'made' | 'entered' | 'received' | 'used' | 'shipped' | 'left'): Column => [
  name,
  ({ lot, food, isFirst }) => {
    const ofFood = name === 'made' ? food?.harvested : name === 'used' ? food?.packed : undefined
    return isFirst ? quantitiesText(lot?.[name] ?? ofFood ?? []) : ''
  },
]

const columns: readonly Column[] = [
  ['direction', ({ chain }) => chain.direction],
  ['id', ({ lot, food }) => (lot ?? food)?.id],
  ['lotCode', ({ lot }) => lot?.lotCode],
  ['foodRecord', ({ food }) => food?.record],
  ['foodDate', ({ food }) => food?.date],
  ['foodLocationCode', ({ food }) => food?.place.locationCode],
  ['foodLocationName', ({ food }) => food?.place.name],
  ['growingArea', ({ food }) => food?.area],
  ['tlcSource', ({ lot }) => lot?.tlcSource],
  ['tlcSourceName', ({ lot }) => lot?.source],
  ['gtin', ({ lot }) => lot?.gtin],
  ['vendorItemCode', ({ lot, food }) => (lot ?? food)?.vendorItemCode],
  ['itemDescription', ({ lot, food }) => (lot ?? food)?.itemDescription],
  ['distance', ({ lot, food }) => (lot ?? food)?.distance],
  ['ground', ({ lot, food }) => (lot ?? food)?.ground],
  ['readsLike', ({ lot }) => lot?.readsLike],
  amounts('made'),
  amounts('entered'),
  amounts('received'),
  amounts('used'),
  amounts('shipped'),
  amounts('left'),
  ['receivedBy', ({ lot }) => lot?.places.map(({ locationCode }) => locationCode).join('; ')],
  ['eventRecord', ({ event }) => event?.record],
  ['eventDateTime', ({ event }) => event?.eventDateTime],
  ['eventLocationCode', ({ event }) => event?.place.locationCode],
  ['eventLocationName', ({ event }) => event?.place.name],
  ['eventGround', ({ event }) => event?.ground],
  ['eventLots', ({ by }) => by],
  ['dataProviderVendorId', ({ event, food }) => event?.dataProviderVendorId ?? food?.dataProviderVendorId],
  ['dataProviderVendorName', ({ event }) => event?.dataProviderVendorName],
  ['eventId', ({ event }) => event?.id],
  ['eventVersion', ({ event }) => event?.version],
  ['notes', ({ notes }) => notes],
]

/** Lots of the other side of an event that a cell names. */
const namedMax = 20

/** The header row, and then a row at a time. */
export function* chainRows(chains: readonly LotChain[]): Generator<string> {
  yield csvRow(columns.map(([heading]) => heading))
  for (const chain of chains) yield* rowsOf(chain)
}

/** The rows as a file for programs that open files. */
export function* chainCsv(chains: readonly LotChain[]): Generator<string> {
  yield byteOrderMark
  yield* chainRows(chains)
}

function* rowsOf(chain: LotChain): Generator<string> {
  const isForward = chain.direction === 'forward'
  const codes = new Map([
    ...chain.lots.map(({ id, lotCode }) => [id, lotCode] as const),
    ...chain.food.map(({ id, date, place }) => [id, `${place.locationCode} ${date}`] as const),
  ])
  const eventsTo = new Map<string, ChainedEvent[]>()
  for (const event of chain.events)
    for (const id of isForward ? event.made : event.used) {
      const known = eventsTo.get(id) ?? []
      eventsTo.set(id, known)
      known.push(event)
    }
  const notes = new Map<string, Set<string>>()
  const [first] = [...chain.lots, ...chain.food]
  // Those about the whole chain are in its first row.
  for (const { kind, lots } of chain.notes)
    for (const id of lots.length > 0 ? lots : [first?.id ?? '']) notes.set(id, (notes.get(id) ?? new Set()).add(kind))
  const all = [
    ...chain.lots.map((lot) => ({ lot, food: undefined, id: lot.id })),
    ...chain.food.map((food) => ({ lot: undefined, food, id: food.id })),
  ]
  for (const { lot, food, id } of all)
    for (const [i, event] of (eventsTo.get(id) ?? [undefined]).entries()) {
      const others = event === undefined ? [] : isForward ? event.used : event.made
      const more = others.length - namedMax
      const by = `${others
        .slice(0, namedMax)
        .map((other) => codes.get(other) ?? other)
        .join('; ')}${more > 0 ? `; and ${more} more` : ''}`
      const row = { chain, lot, food, event, by, isFirst: i === 0, notes: [...(notes.get(id) ?? [])].join(' ') }
      yield csvRow(columns.map(([, cell]) => String(cell(row) ?? '')))
    }
}

/** `chain-forward-GV26062-A.csv`: the lot code with nothing in it that a header cannot hold. */
export const chainFileName = (chain: LotChain, extension: string): string =>
  `chain-${chain.direction}-${(chain.lotCode ?? startWords(chain)).replaceAll(/[^A-Za-z0-9._-]+/g, '_').slice(0, 60)}.${extension}`
