// Which lots were made of a lot, and of which lots it was made: a walk over events that use lots
// and make others. It names the lot codes whose events it needs next; food without a lot code is
// known by where and when it was harvested or cooled. Source: 21 CFR 1.1330(a), 1.1350(a); decision
// 0091.

import { readLotCode } from '../contract/lots/lot-code.ts'
import type { ProductLine } from '../contract/product-line.ts'
import { mapInSteps, type Steps } from '../steps.ts'
import { DisjointSets } from './disjoint-sets.ts'
import { codeOfReference, type FieldReference, referenceOfCode } from './field-reference.ts'
import { groupsOf } from './groups.ts'
import type { TracedSource } from './lot-trace.ts'
import { isNamed, sourcesOf } from './sources.ts'

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
  readonly reference?: FieldReference
  /** Name of the location of the reference. */
  readonly placeName?: string | undefined
}

interface WalkedEvent {
  readonly id: string
  readonly lines: readonly ChainLine[]
}

/** Why lines are taken for those of one lot, the surest first. */
export const grounds = ['sameSource', 'sourceUnknown', 'reference'] as const
export type Ground = (typeof grounds)[number]
const [surest] = grounds

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
  /** How many events lie between it and the lot that was asked for, on the surest way. */
  readonly distance: number
  /** The least sure ground on the surest way to it. */
  readonly ground: Ground
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
  readonly leftOut: Readonly<Record<Ground, number>>
}

interface Step<Event> {
  readonly from: Set<Lot<Event>>
  readonly to: Set<ChainLine>
  ground: Ground
  /** The surest way on which it was left, and how near. */
  way?: Ground
  distance?: number
}

const isSurer = (a: Ground, b: Ground): boolean => grounds.indexOf(a) < grounds.indexOf(b)
export const surerOf = (a: Ground, b: Ground): Ground => (isSurer(a, b) ? a : b)
export const lessSure = (a: Ground, b: Ground): Ground => (isSurer(a, b) ? b : a)

/**
 * A walk that goes on as events are read. It leaves lots by the surest way first, and of these the
 * nearest, so each is left once, however many rounds of reading there are.
 */
export class ChainWalk<Event extends WalkedEvent> {
  readonly #query: ChainQuery
  readonly #lots = new ChainLots<Event>()
  readonly #reached = new Map<Lot<Event>, { readonly distance: number; readonly ground: Ground }>()
  readonly #steps = new Map<Event, Step<Event>>()
  readonly #read = new Set<string>()
  /** Lines to which the walk comes next: by ground, and by distance. */
  readonly #waiting = new Map(grounds.map((ground) => [ground, [] as ChainLine[][]]))
  readonly #lotsMax: number
  readonly #linksMax: number
  /** Steps from a lot into an event: lines without a source may be of each lot with their code. */
  #links = 0
  readonly #leftOut = { sameSource: 0, sourceUnknown: 0, reference: 0 }
  #isBegun = false
  #ended: 'full' | 'late' | undefined

  constructor(query: ChainQuery, { lotsMax, linksMax }: { readonly lotsMax: number; readonly linksMax: number }) {
    this.#query = query
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
   * its end. `read` are those whose events have been added since. `isLate` ends it before.
   */
  *next(read: readonly string[], isLate: () => boolean = () => false): Steps<readonly string[]> {
    for (const lotCode of read) this.#read.add(lotCode)
    if (!this.#isBegun) {
      this.#isBegun = true
      for (const lot of yield* this.#lots.asked(this.#query)) yield* this.#leave(lot, 0, surest)
    }
    for (const [ground, byDistance] of this.#waiting)
      for (const [distance, lines] of byDistance.entries()) {
        if (lines === undefined || lines.length === 0) continue
        const codes = yield* mapInSteps(lines, lotCodeOf)
        const wanted = [...new Set(codes)].filter((code) => !this.#read.has(code))
        if (wanted.length > 0) return wanted
        for (const line of lines) {
          if (isLate()) this.#ended ??= 'late'
          if (this.#ended !== undefined) return []
          const lot = yield* this.#lots.lotOf(line)
          if (lot !== undefined) yield* this.#leave(lot, distance, ground)
        }
        byDistance[distance] = []
      }
    return []
  }

  #reach(lot: Lot<Event>, distance: number, ground: Ground): boolean {
    if (this.#reached.has(lot)) return false
    if (this.#reached.size === this.#lotsMax) this.#ended = 'full'
    if (this.#ended === 'full') return false
    this.#reached.set(lot, { distance, ground })
    return true
  }

  *#leave(lot: Lot<Event>, distance: number, ground: Ground): Steps<void> {
    yield
    if (!this.#reach(lot, distance, ground)) return
    const [from, to] = endsOf(this.#query)
    for (const other of yield* this.#lots.lotsOf(lot.lotCode)) {
      const own = groundOf(lot, other)
      if (own === undefined) continue
      for (const { event, line } of other.lines) {
        if (line.part !== from) continue
        if (isSurer(this.#query.least, own)) {
          this.#leftOut[own]++
          continue
        }
        const step = this.#steps.get(event) ?? { from: new Set(), to: new Set(), ground: own }
        if (!step.from.has(lot) && ++this.#links > this.#linksMax) {
          this.#ended = 'full'
          return
        }
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
        this.#wait(next, distance + 1, way)
      }
    }
  }

  #wait(lines: readonly ChainLine[], distance: number, ground: Ground): void {
    const byDistance = this.#waiting.get(ground) ?? []
    const waiting = byDistance[distance] ?? []
    byDistance[distance] = waiting
    for (const line of lines) waiting.push(line)
  }

  /** The chain so far. A walk that was ended early also has the lots that it saw last. */
  *chain(): Steps<WalkedChain<Event>> {
    for (const [ground, byDistance] of this.#waiting)
      for (const [distance, lines] of byDistance.entries())
        for (const line of lines ?? []) {
          const lot = yield* this.#lots.lotOf(line)
          if (lot !== undefined) this.#reach(lot, distance, ground)
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
    for (const [lot, way] of this.#reached) {
      const ofCode = yield* this.#lots.lotsOf(lot.lotCode)
      lots.push({ ...lot, ...way, ofCode, own: lot })
    }
    return {
      lots: lots.filter((lot) => !isFood(lot)),
      food: lots.filter(isFood),
      steps,
      leftOut: this.#leftOut,
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
  { lots, food }: WalkedChain<Event>,
  { least, direction }: Pick<ChainQuery, 'least' | 'direction'>,
): Steps<ChainLines<Event>> {
  const ways = { lines: new Map<Lot<Event>, Ground>(), leftOut: new Map<Lot<Event>, Ground>() }
  for (const { own, ofCode, ground } of [...lots, ...food]) {
    yield
    for (const other of ofCode) {
      const why = groundOf(own, other)
      if (why === undefined) continue
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
  if (other.source !== lot.source && isKnown) return undefined
  const [some, more] = [lot.gtins, other.gtins]
  if (some.size > 0 && more.size > 0 && [...more].every((gtin) => !some.has(gtin))) return undefined
  return ground
}

/**
 * The lots of the lines of events. Those of a lot code are found when they are first asked for; an
 * event that is added after that, because it was stored meanwhile, has no line of them.
 */
class ChainLots<Event extends WalkedEvent> {
  readonly #byCode = new Map<string, FoundLine<Event>[]>()
  readonly #known = new Map<string, readonly Lot<Event>[]>()
  readonly #lotOf = new Map<ChainLine, Lot<Event>>()

  add(event: Event): void {
    for (const line of event.lines) {
      const lotCode = lotCodeOf(line)
      if (this.#known.has(lotCode)) continue
      const lines = this.#byCode.get(lotCode) ?? []
      this.#byCode.set(lotCode, lines)
      lines.push({ event, line })
    }
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

  /** The lots that a query names. */
  *asked({ lotCode, gtin, tlcSource, eventId }: ChainQuery): Steps<readonly Lot<Event>[]> {
    return (yield* this.lotsOf(lotCode)).filter(
      ({ source, gtins, lines }) =>
        (eventId === undefined || lines.some(({ event }) => event.id === eventId)) &&
        (tlcSource === undefined || isNamed(source, tlcSource)) &&
        (gtin === undefined || gtins.size === 0 || gtins.has(gtin)),
    )
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
