// Which lots were made of a lot, and of which lots it was made: a walk over events that use lots
// and make others. It names the lot codes whose events it needs next; food without a lot code is
// known by where and when it was harvested or cooled. Source: 21 CFR 1.1330(a), 1.1350(a); decision
// 0091.

import { type LotCodeReadings, readingsOf } from '../contract/lots/alike-lots.ts'
import {
  type CountsByGround,
  followsAlike,
  type Ground,
  grounds,
  isSurer,
  lessSure,
  noCounts,
  surerOf,
  surest,
} from '../contract/lots/grounds.ts'
import { readLotCode } from '../contract/lots/lot-code.ts'
import type { ProductLine } from '../contract/product-line.ts'
import { groupsOf } from '../groups.ts'
import { mapInSteps, type Steps } from '../steps.ts'
import { DisjointSets } from './disjoint-sets.ts'
import {
  codeOfReference,
  type FieldReference,
  type PlacedReference,
  placeMarkOf,
  referenceOfCode,
} from './field-reference.ts'
import type { TracedSource } from './lot-trace.ts'
import { isNamed, mayBeOneSource, sourcesOf } from './sources.ts'

/** What an event does with the goods of a line. */
export const lineParts = ['made', 'received', 'used', 'shipped'] as const
export type LinePart = (typeof lineParts)[number]

/**
 * A line with a lot code, or with a reference instead. Of a lot that is made, it states the source:
 * at least the place.
 */
export interface ChainLine {
  readonly pointer: string
  readonly part: LinePart
  /** With a reference, its source is the growing area of the food. */
  readonly line: ProductLine
  /** GTIN-14 that its item may have, with a reference item and commodity; empty if not known. */
  readonly gtins: readonly string[]
  readonly itemDescription: string | undefined
  readonly reference?: PlacedReference
  /** Name of the location of the reference. */
  readonly placeName?: string | undefined
}

interface WalkedEvent {
  readonly id: string
  readonly lines: readonly ChainLine[]
}

/** `forward`: to the lots that were made of it. `back`: to the lots of which it was made. */
export const directions = ['forward', 'back'] as const
export type Direction = (typeof directions)[number]

export interface ChainQuery {
  /** Of a lot, or of food without one: `codeOfReference`. */
  readonly lotCode: string
  /** Only the lots that a line of this event has. */
  readonly eventId?: string | undefined
  readonly gtin: string | undefined
  /** An identifier or a name of the source; undefined for all sources. */
  readonly tlcSource: string | undefined
  readonly direction: Direction
  /** The least sure ground that is followed. */
  readonly least: Ground
}

/** A lot: of one source, and of one item if any is known. */
export interface Lot<Event> {
  readonly lotCode: string
  /** Of food without a lot code. */
  readonly reference: FieldReference | undefined
  readonly source: TracedSource
  readonly gtins: ReadonlySet<string>
  readonly lines: readonly FoundLine<Event>[]
}

export interface WalkedLot<Event> extends Lot<Event> {
  /** All lots with its lot code, also those that the walk did not reach; and itself among them. */
  readonly ofCode: readonly Lot<Event>[]
  readonly own: Lot<Event>
  /** The lots whose lines may be of it, and why: itself among them. */
  readonly possible: readonly OtherLot<Event>[]
  /** How many events lie between it and the lot that was asked for, on the surest way. */
  readonly distance: number
  /** The least sure ground on the surest way to it. */
  readonly ground: Ground
  /** The lot for which it is taken because its lot code reads alike, or the code asked for. */
  readonly readsLike: number | 'asked' | undefined
}

export interface FoundLine<Event> {
  readonly event: Event
  readonly line: ChainLine
}

/** An event by which lots became others; lots and food by their places in the lists. */
interface WalkedStep<Event> {
  readonly event: Event
  readonly used: readonly number[]
  readonly made: readonly number[]
  readonly usedFood: readonly number[]
  readonly madeFood: readonly number[]
  /** Why a lot that led here is taken for one of the event, on the surest way. */
  readonly ground: Ground
}

export interface WalkedChain<Event> {
  /** The surest first, and of these the nearest. */
  readonly lots: readonly WalkedLot<Event>[]
  /** Food without a lot code, in the same order. */
  readonly food: readonly WalkedLot<Event>[]
  readonly steps: readonly WalkedStep<Event>[]
  /** How many lines were not followed, by their ground, which is less sure than `least`. */
  readonly leftOut: CountsByGround
  /** Lots whose codes name several, where these are less sure than `least`; by the way to them. */
  readonly unfollowed: ReadonlyMap<Lot<Event>, Ground>
}

/** How a lot was reached. */
interface Way<Event> {
  readonly distance: number
  readonly ground: Ground
  /** The lot that it reads like, or the lot code that was asked for, if that is why. */
  readonly like?: Like<Event> | undefined
}

type Like<Event> = Lot<Event> | 'asked'

/** A lot that another may be, and why. */
interface OtherLot<Event> {
  readonly lot: Lot<Event>
  readonly ground: Ground
}

/** What the walk comes to next, by one ground and at one distance. */
interface Waiting<Event> {
  readonly lines: ChainLine[]
  /** With what each reads like. */
  readonly alike: Map<Lot<Event>, Like<Event>>
}

interface Step<Event> {
  readonly from: Set<Lot<Event>>
  readonly to: Set<ChainLine>
  ground: Ground
  /** The surest way on which it was left, and how near. */
  way?: Ground
  distance?: number
}

/**
 * A walk that goes on as events are read. It leaves lots by the surest way first, and of these the
 * nearest, so each is left once, however many rounds of reading there are.
 */
export class ChainWalk<Event extends WalkedEvent> {
  readonly #query: ChainQuery
  readonly #lots: ChainLots<Event>
  readonly #reached = new Map<Lot<Event>, Way<Event>>()
  readonly #steps = new Map<Event, Step<Event>>()
  readonly #read = new Set<string>()
  /** By ground, and by distance. */
  readonly #waiting = new Map(grounds.map((ground) => [ground, [] as Waiting<Event>[]]))
  readonly #lotsMax: number
  readonly #linksMax: number
  /** Steps from a lot into an event: lines without a source may be of each lot with their code. */
  #links = 0
  /** Lots whose alike ones were looked for. */
  readonly #compared = new Set<Lot<Event>>()
  readonly #leftOut = noCounts()
  readonly #unfollowed = new Map<Lot<Event>, Ground>()
  #isBegun = false
  #ended: 'full' | 'late' | undefined

  constructor(query: ChainQuery, { lotsMax, linksMax }: { readonly lotsMax: number; readonly linksMax: number }) {
    this.#query = query
    this.#lots = new ChainLots(followsAlike(query.least))
    this.#lotsMax = lotsMax
    this.#linksMax = linksMax
  }

  add(event: Event): void {
    this.#lots.add(event)
  }

  /** Why it ended early: there are more lots or links than it may have, or it was late. */
  get ended(): 'full' | 'late' | undefined {
    return this.#ended
  }

  /**
   * Walks as far as the events go, and returns the lot codes whose events it needs next; none at
   * its end. `read` are those whose events have been added since, and where it follows lots that
   * read alike, the events of these. `isLate` ends it before.
   */
  *next(read: readonly string[], isLate: () => boolean = () => false): Steps<readonly string[]> {
    for (const lotCode of read) this.#read.add(lotCode)
    if (!this.#isBegun) {
      this.#isBegun = true
      yield* this.#begin()
    }
    for (const [ground, byDistance] of this.#waiting)
      for (const [distance, waiting] of byDistance.entries()) {
        if (waiting === undefined || waiting.lines.length + waiting.alike.size === 0) continue
        const codes = yield* mapInSteps(waiting.lines, lotCodeOf)
        const wanted = [...new Set(codes)].filter((code) => !this.#read.has(code))
        if (wanted.length > 0) return wanted
        for (const line of waiting.lines) {
          if (this.#isEnded(isLate)) return []
          const lot = yield* this.#lots.lotOf(line)
          if (lot !== undefined) yield* this.#leave(lot, { distance, ground })
        }
        waiting.lines.length = 0
        for (const [lot, like] of waiting.alike) {
          if (this.#isEnded(isLate)) return []
          yield* this.#leave(lot, { distance, ground, like })
        }
        waiting.alike.clear()
      }
    return []
  }

  #isEnded(isLate: () => boolean): boolean {
    if (isLate()) this.#ended ??= 'late'
    return this.#ended !== undefined
  }

  /** Leaves what was asked for; where no line has its lot code, what reads alike. */
  *#begin(): Steps<void> {
    const asked = yield* this.#lots.asked(this.#query)
    for (const lot of asked) yield* this.#leave(lot, { distance: 0, ground: surest })
    if (asked.length > 0) return
    for (const { lot, ground } of yield* this.#lots.alike(this.#query.lotCode))
      if (mayBeAsked(lot, this.#query) && !isSurer(this.#query.least, ground))
        this.#cell(0, ground).alike.set(lot, 'asked')
  }

  #reach(lot: Lot<Event>, way: Way<Event>): boolean {
    if (this.#reached.has(lot)) return false
    if (this.#reached.size === this.#lotsMax) this.#ended = 'full'
    if (this.#ended === 'full') return false
    this.#reached.set(lot, way)
    return true
  }

  *#leave(lot: Lot<Event>, way: Way<Event>): Steps<void> {
    yield
    if (this.#reach(lot, way)) yield* this.#follow(lot, way)
    // What only reads like a lot does not lead to what reads like itself: `L1, L2` joins no lots.
    if (way.like === undefined && this.#ended === undefined && !this.#compared.has(lot)) yield* this.#compare(lot, way)
  }

  /** The events that a lot leads to. */
  *#follow(lot: Lot<Event>, { distance, ground }: Way<Event>): Steps<void> {
    const [from, to] = endsOf(this.#query)
    for (const { lot: other, ground: own } of yield* this.#lots.possible(lot)) {
      for (const { event, line } of other.lines) {
        if (line.part !== from) continue
        if (isSurer(this.#query.least, own)) {
          this.#leftOut[own]++
          continue
        }
        const step = this.#steps.get(event) ?? { from: new Set(), to: new Set(), ground: own }
        if (!step.from.has(lot) && this.#isFull()) return
        this.#steps.set(event, step)
        step.from.add(lot)
        if (isSurer(own, step.ground)) step.ground = own
        // However many lots lead to an event, it is left when a way is surer or nearer than before.
        const way = lessSure(ground, own)
        if (step.way !== undefined && !isSurer(way, step.way) && distance >= (step.distance ?? 0)) continue
        step.way = way
        step.distance = distance
        yield
        const next = event.lines.filter(({ part }) => part === to)
        for (const one of next) step.to.add(one)
        for (const one of next) this.#cell(distance + 1, way).lines.push(one)
      }
    }
  }

  /** The lots that read like a lot. */
  *#compare(lot: Lot<Event>, { distance, ground }: Way<Event>): Steps<void> {
    this.#compared.add(lot)
    if (lot.reference !== undefined) return
    for (const { lot: other, ground: own } of yield* this.#lots.alike(lot.lotCode)) {
      yield
      if (!mayBeOne(lot, other)) continue
      const way = lessSure(ground, own)
      if (isSurer(this.#query.least, own)) this.#unfollowed.set(other, surerOf(way, this.#unfollowed.get(other) ?? way))
      else if (this.#isFull()) return
      else if (!this.#reached.has(other) && !this.#cell(distance, way).alike.has(other))
        this.#cell(distance, way).alike.set(other, lot)
    }
  }

  /** Counts a link, and is true if it is one too many. */
  #isFull(): boolean {
    if (++this.#links > this.#linksMax) this.#ended = 'full'
    return this.#ended === 'full'
  }

  #cell(distance: number, ground: Ground): Waiting<Event> {
    const byDistance = this.#waiting.get(ground) ?? []
    byDistance[distance] ??= { lines: [], alike: new Map() }
    return byDistance[distance]
  }

  /** The chain so far. A walk that was ended early also has the lots that it saw last. */
  *chain(): Steps<WalkedChain<Event>> {
    for (const [ground, byDistance] of this.#waiting)
      for (const [distance, waiting] of byDistance.entries()) {
        for (const line of waiting?.lines ?? []) {
          const lot = yield* this.#lots.lotOf(line)
          if (lot !== undefined) this.#reach(lot, { distance, ground })
        }
        for (const [lot, like] of waiting?.alike ?? []) this.#reach(lot, { distance, ground, like })
      }
    const all = [...this.#reached.keys()]
    const isFood = ({ reference }: Lot<Event>) => reference !== undefined
    const lotNumbers = new Map(all.filter((lot) => !isFood(lot)).map((lot, i) => [lot, i]))
    const foodNumbers = new Map(all.filter(isFood).map((lot, i) => [lot, i]))
    const numbersOf = (lots: Iterable<Lot<Event>>, numbers = lotNumbers) => [
      ...new Set([...lots].flatMap((lot) => numbers.get(lot) ?? [])),
    ]
    const isForward = this.#query.direction === 'forward'
    const steps: WalkedStep<Event>[] = []
    for (const [event, { from, to, ground }] of this.#steps) {
      yield
      const next: Lot<Event>[] = []
      for (const line of to) {
        const lot = yield* this.#lots.lotOf(line)
        if (lot !== undefined) next.push(lot)
      }
      const [used, made] = isForward ? [from, next] : [next, from]
      steps.push({
        event,
        used: numbersOf(used),
        made: numbersOf(made),
        usedFood: numbersOf(used, foodNumbers),
        madeFood: numbersOf(made, foodNumbers),
        ground,
      })
    }
    const lots: WalkedLot<Event>[] = []
    for (const [lot, { distance, ground, like }] of this.#reached) {
      const ofCode = yield* this.#lots.lotsOf(lot.lotCode)
      const readsLike = typeof like === 'object' ? lotNumbers.get(like) : like
      const possible = yield* this.#lots.possible(lot)
      lots.push({ ...lot, distance, ground, readsLike, ofCode, own: lot, possible })
    }
    const unfollowed = new Map([...this.#unfollowed].filter(([lot]) => !this.#reached.has(lot)))
    const [from] = endsOf(this.#query)
    for (const { lines } of unfollowed.keys())
      yield* mapInSteps(lines, ({ line }) => line.part === from && this.#leftOut.severalLots++)
    return {
      lots: lots.filter((lot) => !isFood(lot)),
      food: lots.filter(isFood),
      steps,
      leftOut: this.#leftOut,
      unfollowed,
    }
  }
}

/**
 * Lines by their events: the pointer of each, with the least sure ground on the surest way to it.
 */
export type LinesByEvent<Event> = ReadonlyMap<Event, ReadonlyMap<string, Ground>>

/** The lines of the lots of a chain, and those that may be of them and are less sure than asked. */
export interface ChainLines<Event> {
  readonly lines: LinesByEvent<Event>
  readonly leftOut: LinesByEvent<Event>
}

/** All lines of the lots of a chain, whether or not the walk left by them. */
export function* linesOfChain<Event>(
  { lots, food, unfollowed }: WalkedChain<Event>,
  { least, direction }: Pick<ChainQuery, 'least' | 'direction'>,
): Steps<ChainLines<Event>> {
  const ways = { lines: new Map<Lot<Event>, Ground>(), leftOut: new Map(unfollowed) }
  for (const { possible, ground } of [...lots, ...food]) {
    yield
    for (const { lot: other, ground: why } of possible) {
      const to = isSurer(least, why) ? ways.leftOut : ways.lines
      const way = lessSure(ground, why)
      to.set(other, surerOf(way, to.get(other) ?? way))
    }
  }
  const found = { lines: new Map<Event, Map<string, Ground>>(), leftOut: new Map<Event, Map<string, Ground>>() }
  const add = (name: keyof typeof found, ground: Ground, { event, line: { pointer } }: FoundLine<Event>) => {
    const known = found[name].get(event) ?? new Map<string, Ground>()
    found[name].set(event, known)
    known.set(pointer, surerOf(ground, known.get(pointer) ?? ground))
  }
  // The lines that packed food say themselves which it was.
  for (const { lines, ground } of direction === 'back' ? food : [])
    yield* mapInSteps(lines, (line) => line.line.part === 'used' && add('lines', ground, line))
  for (const name of ['lines', 'leftOut'] as const)
    for (const [lot, ground] of ways[name])
      yield* mapInSteps(lot.lines, (line) => {
        if (name === 'lines' || !found.lines.get(line.event)?.has(line.line.pointer)) add(name, ground, line)
      })
  return found
}

/** What a walk leaves lots by, and comes to them by. */
const endsOf = ({ direction }: ChainQuery): readonly [from: LinePart, to: LinePart] =>
  direction === 'forward' ? ['used', 'made'] : ['made', 'used']

/** Why lines of another lot with its lot code may be of a lot; undefined where they are not. */
export function groundOf<Event>(lot: Lot<Event>, other: Lot<Event>): Ground | undefined {
  const isKnown = other.source.known && lot.source.known
  const ground = lot.reference !== undefined ? 'reference' : isKnown ? 'sameSource' : 'sourceUnknown'
  if (other === lot) return ground
  if ((other.source !== lot.source && isKnown) || areOtherItems(lot, other)) return undefined
  return ground
}

const areOtherItems = <Event>({ gtins: some }: Lot<Event>, { gtins: more }: Lot<Event>): boolean =>
  some.size > 0 && more.size > 0 && [...more].every((gtin) => !some.has(gtin))

/** Whether lots of different lot codes may be one: neither source nor item tells them apart. */
const mayBeOne = <Event>(lot: Lot<Event>, other: Lot<Event>): boolean =>
  !areOtherItems(lot, other) && mayBeOneSource(lot.source, other.source)

/** The same of a lot with another lot code, which need not state its source. */
const mayBeAsked = <Event extends WalkedEvent>(lot: Lot<Event>, query: ChainQuery): boolean =>
  isAsked(lot, lot.source.known ? query : { ...query, tlcSource: undefined })

const isAsked = <Event extends WalkedEvent>(
  { source, gtins, lines }: Lot<Event>,
  { gtin, tlcSource, eventId }: ChainQuery,
): boolean =>
  (eventId === undefined || lines.some(({ event }) => event.id === eventId)) &&
  (tlcSource === undefined || isNamed(source, tlcSource)) &&
  (gtin === undefined || gtins.size === 0 || gtins.has(gtin))

/**
 * The lots of the lines of events. Those of a lot code are found when they are first asked for; an
 * event that is added after that, because it was stored meanwhile, has no line of them.
 */
class ChainLots<Event extends WalkedEvent> {
  readonly #byCode = new Map<string, FoundLine<Event>[]>()
  readonly #known = new Map<string, readonly Lot<Event>[]>()
  readonly #lotOf = new Map<ChainLine, Lot<Event>>()
  readonly #possible = new Map<Lot<Event>, readonly OtherLot<Event>[]>()
  readonly #readings = new Map<string, LotCodeReadings>()
  /** Lot codes by what they read as, of all but the newest. */
  readonly #byReading = new Map<string, string[]>()
  readonly #newest: Set<string> | undefined
  /** Codes of food by the places and dates that they stand for, and these of each code. */
  readonly #byPlace = new Map<string, Set<string>>()
  readonly #placesOf = new Map<string, Set<string>>()

  constructor(followsAlike: boolean) {
    if (followsAlike) this.#newest = new Set()
  }

  add(event: Event): void {
    for (const line of event.lines) {
      const lotCode = lotCodeOf(line)
      if (this.#known.has(lotCode)) continue
      const lines = this.#byCode.get(lotCode)
      if (lines !== undefined) lines.push({ event, line })
      else {
        this.#byCode.set(lotCode, [{ event, line }])
        if (line.reference === undefined) this.#newest?.add(lotCode)
      }
      const place = line.reference && placeMarkOf(line.reference)
      if (place === undefined) continue
      this.#byPlace.set(place, (this.#byPlace.get(place) ?? new Set()).add(lotCode))
      this.#placesOf.set(lotCode, (this.#placesOf.get(lotCode) ?? new Set()).add(place))
    }
  }

  /**
   * The lots whose lines may be of a lot: those of its lot code, and of food those of the same
   * place under another code.
   */
  *possible(lot: Lot<Event>): Steps<readonly OtherLot<Event>[]> {
    const known = this.#possible.get(lot)
    if (known !== undefined) return known
    const found: OtherLot<Event>[] = []
    this.#possible.set(lot, found)
    for (const other of yield* this.lotsOf(lot.lotCode)) {
      const ground = groundOf(lot, other)
      if (ground !== undefined) found.push({ lot: other, ground })
    }
    if (lot.reference === undefined) return found
    const codes = new Set(
      [...(this.#placesOf.get(lot.lotCode) ?? [])].flatMap((one) => [...(this.#byPlace.get(one) ?? [])]),
    )
    codes.delete(lot.lotCode)
    for (const code of codes)
      for (const other of yield* this.lotsOf(code))
        if (mayBeOne(lot, other)) found.push({ lot: other, ground: 'reference' })
    return found
  }

  /**
   * The lots with a lot code: one for each source, and of each source one for each item. Lines of
   * which no item is known are of the one item that there is, or a lot of their own.
   */
  *lotsOf(lotCode: string): Steps<readonly Lot<Event>[]> {
    const known = this.#known.get(lotCode)
    if (known !== undefined) return known
    const lines = this.#byCode.get(lotCode) ?? []
    const { list, ofLines } = yield* sourcesOf(lines.map(({ event, line: { line } }) => ({ line, eventId: event.id })))
    const bySource = groupsOf(lines.keys(), (i) => ofLines[i] ?? 0)
    const lots: Lot<Event>[] = []
    const reference = referenceOfCode(lotCode)
    for (const [number, source] of list.entries()) {
      yield
      const own = (bySource.get(number) ?? []).flatMap((i) => lines[i] ?? [])
      for (const item of yield* linesByItem(own)) {
        const lot = { lotCode, reference, source, ...item }
        for (const { line } of item.lines) this.#lotOf.set(line, lot)
        lots.push(lot)
      }
    }
    this.#known.set(lotCode, lots)
    return lots
  }

  /** The lots with other lot codes that read like this one. */
  *alike(lotCode: string): Steps<readonly OtherLot<Event>[]> {
    if (this.#newest === undefined) return []
    for (const code of this.#newest) {
      yield
      for (const reading of this.#readingsOf(code).all) {
        const codes = this.#byReading.get(reading) ?? []
        this.#byReading.set(reading, codes)
        codes.push(code)
      }
    }
    this.#newest.clear()
    const { all, own } = this.#readingsOf(lotCode)
    const codes = new Set(all.flatMap((reading) => this.#byReading.get(reading) ?? []))
    codes.delete(lotCode)
    const found: OtherLot<Event>[] = []
    for (const code of codes) {
      yield
      const isSpelling = this.#readingsOf(code).own.some((reading) => own.includes(reading))
      for (const lot of yield* this.lotsOf(code)) found.push({ lot, ground: isSpelling ? 'readAlike' : 'severalLots' })
    }
    return found
  }

  #readingsOf(lotCode: string): LotCodeReadings {
    const readings = this.#readings.get(lotCode) ?? readingsOf(lotCode)
    this.#readings.set(lotCode, readings)
    return readings
  }

  /** The lots that a query names. */
  *asked(query: ChainQuery): Steps<readonly Lot<Event>[]> {
    return (yield* this.lotsOf(query.lotCode)).filter((lot) => isAsked(lot, query))
  }

  /** The lot of a line; undefined where its event was added too late. */
  *lotOf(line: ChainLine): Steps<Lot<Event> | undefined> {
    if (!this.#lotOf.has(line)) yield* this.lotsOf(lotCodeOf(line))
    return this.#lotOf.get(line)
  }
}

/** Lines by the GTINs of their item; a line that has several joins them. */
function* linesByItem<Event>(
  lines: readonly FoundLine<Event>[],
): Steps<readonly { readonly gtins: ReadonlySet<string>; readonly lines: readonly FoundLine<Event>[] }[]> {
  const sets = new DisjointSets()
  const numberOf = new Map<string, number>()
  yield* mapInSteps(lines, ({ line: { gtins } }) => {
    for (const gtin of gtins) {
      const number = numberOf.get(gtin) ?? sets.add()
      numberOf.set(gtin, number)
      sets.join(number, numberOf.get(gtins[0] ?? '') ?? number)
    }
  })
  const items = new Map<number, { readonly gtins: Set<string>; readonly lines: FoundLine<Event>[] }>()
  for (const [gtin, number] of numberOf) {
    const root = sets.rootOf(number)
    const item = items.get(root) ?? { gtins: new Set(), lines: [] }
    items.set(root, item)
    item.gtins.add(gtin)
  }
  const [only, ...more] = items.values()
  const none = only === undefined || more.length > 0 ? { gtins: new Set<string>(), lines: [] } : only
  yield* mapInSteps(lines, (found) => {
    const [gtin] = found.line.gtins
    const item = gtin === undefined ? none : items.get(sets.rootOf(numberOf.get(gtin) ?? 0))
    item?.lines.push(found)
  })
  return [...items.values(), ...(none === only ? [] : [none])].filter((item) => item.lines.length > 0)
}

const lotCodeOf = ({ line, reference }: ChainLine): string =>
  reference === undefined ? readLotCode(line.caseLotNumber ?? '').lotCode : codeOfReference(reference)
