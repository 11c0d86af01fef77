// What came in of each lot at each place, what went out and what is left, by the events of a chain.
// Source: decision 0092.
import type { Fraction } from '../contract/text/fraction.ts'
import { unitKeyOf } from '../contract/text/units.ts'
import { groupsOf } from '../groups.ts'
import { mapInSteps, type Steps } from '../steps.ts'
import { type FoundLine, groundOf, type LinePart, type Lot, lineParts, type WalkedLot } from './chain-walk.ts'
import { DisjointSets } from './disjoint-sets.ts'
import type { ChainedLot, RecoveredLot } from './lot-chain.ts'
import type { ChainEvent } from './lot-event.ts'
import {
  type Amounts,
  balanceOf,
  ComparableUnits,
  type MassBalance,
  quantitiesOf,
  type Sides,
  withoutZeros,
} from './mass-balance.ts'
import type { MergedPlace } from './places.ts'
import { Quantities } from './quantities.ts'
import { ItemCodes, type ItemOfLine, type UnitConversions, type UnitTable } from './unit-conversions.ts'

export interface BalanceQuery {
  /** First and last date of the balance, `yyyy-MM-dd`; undefined for all dates. */
  readonly start: string | undefined
  readonly end: string | undefined
  /** The share of what came in by which more may go out. */
  readonly tolerance: Fraction
}

/** Where the events of a chain took place, by the number of the place in the list. */
export interface ChainPlaces {
  readonly list: readonly MergedPlace[]
  readonly at: (event: ChainEvent) => number
  /** Where goods came from or go to, of events of goods on their way. */
  readonly other: (event: ChainEvent) => number | undefined
}

/** A balance of lots at a place. */
export interface LotBalance extends MassBalance {
  /** Numbers of lots of the chain whose lines cannot be told apart there. */
  readonly lots: readonly number[]
  /** Undefined: all of them. */
  readonly place: number | undefined
  readonly events: readonly ChainEvent[]
  /** True where something ever came in; else the goods are from outside of the records. */
  readonly hasCome: boolean
}

type Walked = WalkedLot<ChainEvent>
type Found = FoundLine<ChainEvent>

/** The codes under which lines have the item of a lot: those by which conversions are declared. */
export type ItemsOfLots = ReadonlyMap<Lot<ChainEvent>, readonly ItemOfLine[]>

/** Of lots with a lot code whose lines have several units; of others nothing is converted. */
export function* itemsToConvert(lots: readonly Walked[]): Steps<ItemsOfLots> {
  const items = new Map<Lot<ChainEvent>, readonly ItemOfLine[]>()
  for (const ofCode of new Set(lots.map((lot) => lot.ofCode))) {
    yield
    const texts = new Set<string>()
    for (const { lines } of ofCode) yield* mapInSteps(lines, ({ line }) => texts.add(line.line.shipQuantityUom))
    if (new Set([...texts].map(unitKeyOf)).size > 1)
      for (const lot of ofCode) {
        const own = new ItemCodes()
        yield* mapInSteps(lot.lines, ({ event, line }) => own.add(event.dataProviderVendorId, line.line.vendorItemCode))
        items.set(lot, own.list())
      }
  }
  return items
}

/** How units convert, of the lots of a chain. */
export interface ChainUnits {
  readonly items: ItemsOfLots
  readonly conversions: UnitConversions
}

export const tableOf = ({ items, conversions }: ChainUnits, lots: readonly Lot<ChainEvent>[]): UnitTable =>
  conversions.tableOf(lots.flatMap((lot) => items.get(lot) ?? []))

/** Balances of all lots, in their order, and of each in the order of the places. */
export function* lotBalances(
  lots: readonly Walked[],
  places: ChainPlaces,
  chainUnits: ChainUnits,
  query: BalanceQuery,
): Steps<LotBalance[]> {
  const balances: LotBalance[] = []
  const numberOf = new Map(lots.map(({ own }, number) => [own, number]))
  for (const ofCode of new Set(lots.map((lot) => lot.ofCode))) {
    const byPlace = yield* entriesByPlace(ofCode, places, query.end)
    const overSomewhere = new Set<Lot<ChainEvent>>()
    for (const [place, byLot] of [...byPlace, [undefined, madeAndUsed(byPlace)] as const])
      for (const together of yield* inseparable([...byLot.keys()])) {
        yield
        const numbers = together.flatMap((lot) => numberOf.get(lot) ?? []).sort((a, b) => a - b)
        if (numbers.length === 0) continue
        const entries = together.flatMap((lot) => byLot.get(lot) ?? [])
        const balance = yield* balanceAt(entries, tableOf(chainUnits, together), query)
        const hasCome = entries.some(({ side }) => side === 'made' || side === 'received')
        const isOver = hasCome && balance.over.length > 0
        // What is over at a place has its note there.
        if (place === undefined && (!isOver || together.some((lot) => overSomewhere.has(lot)))) continue
        if (isOver) for (const lot of together) overSomewhere.add(lot)
        const events = [...new Set(entries.map(({ found }) => found.event))]
        balances.push({ lots: numbers, place, events, hasCome, ...balance })
      }
  }
  return balances.sort((a, b) => (a.lots[0] ?? 0) - (b.lots[0] ?? 0) || (a.place ?? -1) - (b.place ?? -1))
}

/** A line of a lot, as it counts at a place; `leg` is the place to which goods went. */
type Entry = { readonly found: Found } & (
  | { readonly side: 'made' | 'received' | 'used' }
  | { readonly side: 'shipped' | 'receivedThere'; readonly leg: number | undefined }
)

function* entriesByPlace(
  lots: readonly Lot<ChainEvent>[],
  places: ChainPlaces,
  end: string | undefined,
): Steps<ReadonlyMap<number, ReadonlyMap<Lot<ChainEvent>, readonly Entry[]>>> {
  const byPlace = new Map<number, Map<Lot<ChainEvent>, Entry[]>>()
  const add = (place: number, lot: Lot<ChainEvent>, entry: Entry) => {
    const byLot = byPlace.get(place) ?? new Map<Lot<ChainEvent>, Entry[]>()
    byPlace.set(place, byLot)
    const entries = byLot.get(lot) ?? []
    byLot.set(lot, entries)
    entries.push(entry)
  }
  for (const lot of lots)
    yield* mapInSteps(lot.lines, (found) => {
      const { event, line } = found
      if (end !== undefined && event.date > end) return
      const [at, other] = [places.at(event), places.other(event)]
      if (line.part === 'shipped') add(at, lot, { found, side: 'shipped', leg: other })
      else add(at, lot, { found, side: line.part })
      if (line.part === 'received' && other !== undefined) add(other, lot, { found, side: 'receivedThere', leg: at })
    })
  return byPlace
}

/** What was made and used in all places together: it may be used where no event brought it. */
function madeAndUsed(
  byPlace: ReadonlyMap<number, ReadonlyMap<Lot<ChainEvent>, readonly Entry[]>>,
): ReadonlyMap<Lot<ChainEvent>, readonly Entry[]> {
  const together = new Map<Lot<ChainEvent>, Entry[]>()
  for (const byLot of byPlace.values())
    for (const [lot, entries] of byLot) {
      const own = together.get(lot) ?? []
      together.set(lot, own)
      for (const entry of entries) if (entry.side === 'made' || entry.side === 'used') own.push(entry)
    }
  return together
}

/** Lots in groups: lines of one group may be of each of its lots. */
function* inseparable(lots: readonly Lot<ChainEvent>[]): Steps<readonly (readonly Lot<ChainEvent>[])[]> {
  const sets = new DisjointSets()
  for (const _ of lots) sets.add()
  for (const [i, lot] of lots.entries()) {
    if (i > 0) yield
    for (let j = 0; j < i; j++) if (groundOf(lot, lots[j] as Lot<ChainEvent>) !== undefined) sets.join(i, j)
  }
  return [...groupsOf(lots.keys(), (i) => sets.rootOf(i)).values()].map((group) => group.flatMap((i) => lots[i] ?? []))
}

function* balanceAt(
  entries: readonly Entry[],
  table: UnitTable,
  { start, tolerance }: BalanceQuery,
): Steps<MassBalance> {
  const sides = yield* sidesOf(entries, table)
  if (start === undefined) return balanceOf(sides, table, { tolerance })
  const before = yield* sidesOf(
    entries.filter(({ found }) => found.event.date < start),
    table,
  )
  const units = new ComparableUnits(table, Object.values(sides).flat())
  const since = (part: keyof Sides) => units.less(sides[part], before[part])
  const { left } = balanceOf(before, table, { tolerance })
  return balanceOf(
    { made: since('made'), received: since('received'), used: since('used'), shipped: since('shipped') },
    table,
    { opening: left, tolerance },
  )
}

function* sidesOf(entries: readonly Entry[], table: UnitTable): Steps<Sides> {
  const sums = { made: new Quantities(), received: new Quantities(), used: new Quantities() }
  const legs = new Map<number | undefined, { readonly shipped: Quantities; readonly receivedThere: Quantities }>()
  yield* mapInSteps(entries, (entry) => {
    const { shipQuantity, shipQuantityUom } = entry.found.line.line
    if (!('leg' in entry)) return sums[entry.side].add(shipQuantity, shipQuantityUom)
    const leg = legs.get(entry.leg) ?? { shipped: new Quantities(), receivedThere: new Quantities() }
    legs.set(entry.leg, leg)
    leg[entry.side].add(shipQuantity, shipQuantityUom)
  })
  return {
    made: sums.made.amounts(),
    received: sums.received.amounts(),
    used: sums.used.amounts(),
    shipped: [...legs.values()].flatMap((leg) => wentOn(leg.shipped.amounts(), leg.receivedThere.amounts(), table)),
  }
}

/**
 * What went from one place to another: what shipping events say left, or what receiving events say
 * arrived, where that is more. Each may lack events that the other has.
 */
function wentOn(shipped: Amounts, received: Amounts, table: UnitTable): Amounts {
  const units = new ComparableUnits(table, [...shipped, ...received])
  const [left, arrived] = [units.sum(shipped), units.sum(received)]
  if (left.length === 0) return arrived
  return left.map((one) => {
    const other = arrived.find(({ unit }) => unit === one.unit)
    return other !== undefined && other.amount.minus(one.amount).sign > 0 ? other : one
  })
}

/** The quantities of a lot, in one unit where units convert. */
export class LotAmounts {
  readonly #sums: Readonly<Record<LinePart, Quantities>>
  readonly #units: ComparableUnits
  readonly #entered: Amounts[] = []
  readonly #left: Amounts[] = []

  constructor(sums: Readonly<Record<LinePart, Quantities>>, table: UnitTable) {
    this.#sums = sums
    this.#units = new ComparableUnits(
      table,
      lineParts.flatMap((part) => sums[part].amounts()),
    )
  }

  addBalance({ hasCome, used, shipped, left }: LotBalance): void {
    if (hasCome) this.#left.push(left.filter(({ amount }) => amount.sign >= 0))
    else this.#entered.push(used, shipped)
  }

  /** Of all places, summed up once: a lot may be at thousands. */
  get entered(): Amounts {
    return this.#units.sum(...this.#entered)
  }

  get left(): Amounts {
    return this.#units.sum(...this.#left)
  }

  of(part: LinePart): Amounts {
    return this.#sums[part].amounts()
  }

  /** Units that do not convert; none where all do. */
  get apart(): readonly string[] {
    const all = withoutZeros(this.#units.sum(lineParts.flatMap((part) => this.#sums[part].amounts())))
    return all.length > 1 ? all.map(({ unit }) => unit) : []
  }

  lists(): Pick<ChainedLot, LinePart | 'entered' | 'left'> {
    const { made, received, used, shipped } = this.#sums
    return {
      made: made.listIn(this.#units),
      entered: quantitiesOf(this.entered),
      received: received.listIn(this.#units),
      used: used.listIn(this.#units),
      shipped: shipped.listIn(this.#units),
      left: quantitiesOf(withoutZeros(this.left)),
    }
  }
}

/** Of each lot code, whose lots lines may not tell apart. */
export function* recoveryOf(
  lots: readonly Walked[],
  amounts: readonly LotAmounts[],
  chainUnits: ChainUnits,
): Steps<RecoveredLot[]> {
  const byCode = groupsOf(lots.keys(), (number) => lots[number]?.lotCode ?? '')
  const recovery: RecoveredLot[] = []
  for (const [lotCode, numbers] of byCode) {
    yield
    const own = numbers.flatMap((number) => amounts[number] ?? [])
    const made = own.flatMap((lot) => lot.of('made'))
    const entered = own.flatMap((lot) => lot.entered)
    const recovered = own.flatMap((lot) => [...lot.left, ...lot.of('used')])
    const table = tableOf(
      chainUnits,
      numbers.flatMap((number) => lots[number]?.own ?? []),
    )
    const units = new ComparableUnits(table, [...made, ...entered, ...recovered])
    yield
    const [of, ...apart] = withoutZeros(units.sum(made, entered))
    const [found, ...foundApart] = withoutZeros(units.sum(recovered))
    const isOneUnit = apart.length + foundApart.length === 0 && (found === undefined || found.unit === of?.unit)
    recovery.push({
      lotCode,
      made: quantitiesOf(units.sum(made)),
      entered: quantitiesOf(units.sum(entered)),
      recovered: quantitiesOf(withoutZeros(units.sum(recovered))),
      share: of === undefined || of.amount.sign <= 0 || !isOneUnit ? null : (found?.amount.over(of.amount).value ?? 0),
    })
  }
  return recovery
}

export function* amountsOf({ lines }: Walked, table: UnitTable): Steps<LotAmounts> {
  const sums = Object.fromEntries(lineParts.map((part) => [part, new Quantities()])) as Record<LinePart, Quantities>
  yield* mapInSteps(lines, ({ line }) => sums[line.part].add(line.line.shipQuantity, line.line.shipQuantityUom))
  return new LotAmounts(sums, table)
}
