// Which lots were made of a lot, and of which lots it was made: a walk over events that use lots
// and make others. It names the lot codes whose events it still needs. Source: 21 CFR 1.1350(a);
// decision 0091.

import { readLotCode } from '../contract/lots/lot-code.ts'
import type { ProductLine } from '../contract/product-line.ts'
import { mapInSteps, type Steps } from '../steps.ts'
import { groupsOf } from './groups.ts'
import type { TracedSource } from './lot-trace.ts'
import { isNamed, sourcesOf } from './sources.ts'

/** What an event does with the goods of a line. */
export const lineParts = ['made', 'received', 'used', 'shipped'] as const
export type LinePart = (typeof lineParts)[number]

/** A line with a lot code. Of a lot that is made, it states the source: at least the place. */
export interface ChainLine {
  readonly pointer: string
  readonly part: LinePart
  readonly line: ProductLine
  /** GTIN-14 that its item may have; empty where none is known. */
  readonly gtins: readonly string[]
  readonly itemDescription: string | undefined
}

interface WalkedEvent {
  readonly id: string
  readonly lines: readonly ChainLine[]
}

/** Why lines are taken for those of one lot, the surest first. */
export const grounds = ['sameSource', 'sourceUnknown'] as const
export type Ground = (typeof grounds)[number]
const [surest] = grounds

/** `forward`: to the lots that were made of it. `back`: to the lots of which it was made. */
export const directions = ['forward', 'back'] as const
export type Direction = (typeof directions)[number]

export interface ChainQuery {
  readonly lotCode: string
  readonly gtin: string | undefined
  /** An identifier or a name of the source; undefined for all sources. */
  readonly tlcSource: string | undefined
  readonly direction: Direction
  /** The least sure ground that is followed. */
  readonly least: Ground
}

export interface WalkedLot<Event> {
  readonly lotCode: string
  readonly source: TracedSource
  readonly gtin: string | undefined
  /** How many events lie between it and the lot that was asked for, on the surest way. */
  readonly distance: number
  /** The least sure ground on the surest way to it. */
  readonly ground: Ground

  readonly lines: readonly FoundLine<Event>[]
}

interface FoundLine<Event> {
  readonly event: Event
  readonly line: ChainLine
}

/** An event by which lots became others; lots by their place in the list. */
interface WalkedStep<Event> {
  readonly event: Event
  readonly used: readonly number[]
  readonly made: readonly number[]
  /** Why a lot that led here is taken for one of the event, on the surest way. */
  readonly ground: Ground
}

export interface ChainWalk<Event> {
  /** In the order in which the walk reaches them, those that were asked for first. */
  readonly lots: readonly WalkedLot<Event>[]
  readonly steps: readonly WalkedStep<Event>[]
  /** Lot codes that the walk reached, and whose events it has not seen. */
  readonly wanted: readonly string[]
  /** Lines on a ground that is less sure than `least`, which were not followed. */
  readonly leftOut: number
}

/** A lot: of one source, and of one item if any is known. */
interface Lot {
  readonly key: string
  readonly lotCode: string
  readonly source: TracedSource
  readonly gtins: ReadonlySet<string>
}

interface Reached {
  readonly lot: Lot
  readonly distance: number
  readonly ground: Ground
}

const isSurer = (a: Ground, b: Ground): boolean => grounds.indexOf(a) < grounds.indexOf(b)
const lessSure = (a: Ground, b: Ground): Ground => (isSurer(a, b) ? b : a)

/**
 * Walks as far as the events go. `read` has the lot codes all of whose events are there; the caller
 * adds those of `wanted`, and walks again until nothing is wanted.
 */
export function* walkChain<Event extends WalkedEvent>(
  query: ChainQuery,
  lots: ChainLots<Event>,
  read: ReadonlySet<string>,
): Steps<ChainWalk<Event>> {
  const isForward = query.direction === 'forward'
  const [from, to]: readonly LinePart[] = isForward ? ['used', 'made'] : ['made', 'used']
  const reached = new Map<string, Reached>()
  const steps = new Map<Event, { readonly from: Set<string>; readonly to: Set<string>; ground: Ground; way?: Ground }>()
  const wanted = new Set<string>()
  let leftOut = 0
  // A lot is left by the surest way to it: all that is reached as surely goes first.
  const waiting = new Map(grounds.map((ground) => [ground, [] as Reached[]]))
  const reach = (lot: Lot, distance: number, ground: Ground): void => {
    const known = reached.get(lot.key)
    if (known !== undefined && !isSurer(ground, known.ground)) return
    const now = { lot, distance, ground }
    reached.set(lot.key, now)
    waiting.get(ground)?.push(now)
  }
  for (const lot of yield* lots.asked(query)) reach(lot, 0, surest)
  for (const queue of waiting.values())
    for (const at of queue) {
      yield
      const { lot, distance } = at
      if (reached.get(lot.key) !== at) continue
      if (!read.has(lot.lotCode)) wanted.add(lot.lotCode)
      for (const { event, line } of lots.linesOf(lot.lotCode)) {
        const ground = line.part === from ? yield* lots.groundOf(lot, line) : undefined
        if (ground === undefined) continue
        if (isSurer(query.least, ground)) {
          leftOut++
          continue
        }
        const step = steps.get(event) ?? { from: new Set<string>(), to: new Set<string>(), ground }
        steps.set(event, step)
        step.from.add(lot.key)
        if (isSurer(ground, step.ground)) step.ground = ground
        // However many lots lead to an event, it is left once for each ground.
        const way = lessSure(at.ground, ground)
        if (step.way !== undefined && !isSurer(way, step.way)) continue
        step.way = way
        for (const other of event.lines)
          if (other.part === to) {
            const next = yield* lots.of(other)
            step.to.add(next.key)
            reach(next, distance + 1, way)
          }
      }
    }
  const numbers = new Map([...reached.keys()].map((key, i) => [key, i]))
  const numbersOf = (keys: Iterable<string>) => [...keys].map((key) => numbers.get(key) ?? 0)
  return {
    lots: yield* mapInSteps([...reached.values()], (one) => lots.walked(one)),
    steps: [...steps].map(([event, step]) => ({
      event,
      used: numbersOf(isForward ? step.from : step.to),
      made: numbersOf(isForward ? step.to : step.from),
      ground: step.ground,
    })),
    wanted: [...wanted],
    leftOut,
  }
}

/**
 * The lots of the lines of events. Those of a lot code are found when they are first asked for, and
 * stay while no event with it is added.
 */
export class ChainLots<Event extends WalkedEvent> {
  readonly #byCode = new Map<string, FoundLine<Event>[]>()
  readonly #known = new Map<string, readonly Lot[]>()
  readonly #lotOf = new Map<ChainLine, Lot>()

  add(event: Event): void {
    for (const line of event.lines) {
      const lotCode = lotCodeOf(line)
      const lines = this.#byCode.get(lotCode) ?? []
      this.#byCode.set(lotCode, lines)
      lines.push({ event, line })
      this.#known.delete(lotCode)
    }
  }

  linesOf(lotCode: string): readonly FoundLine<Event>[] {
    return this.#byCode.get(lotCode) ?? []
  }

  /**
   * The lots with a lot code: one for each source, and of each source one for each item. Lines of
   * which no item is known are of the one item that there is, or a lot of their own.
   */
  *#lotsOf(lotCode: string): Steps<readonly Lot[]> {
    const known = this.#known.get(lotCode)
    if (known !== undefined) return known
    const lines = this.linesOf(lotCode)
    const { list, ofLines } = yield* sourcesOf(lines.map(({ event, line: { line } }) => ({ line, eventId: event.id })))
    const bySource = groupsOf(lines.keys(), (i) => ofLines[i] ?? 0)
    const lots: Lot[] = []
    for (const [number, source] of list.entries()) {
      yield
      const own = (bySource.get(number) ?? []).flatMap((i) => lines[i]?.line ?? [])
      for (const [gtins, some] of linesByItem(own)) {
        const lot = { key: JSON.stringify([lotCode, lots.length]), lotCode, source, gtins }
        for (const line of some) this.#lotOf.set(line, lot)
        lots.push(lot)
      }
    }
    this.#known.set(lotCode, lots)
    return lots
  }

  /** The lots that a query names. */
  *asked({ lotCode, gtin, tlcSource }: ChainQuery): Steps<readonly Lot[]> {
    return (yield* this.#lotsOf(lotCode)).filter(
      ({ source, gtins }) =>
        (tlcSource === undefined || isNamed(source, tlcSource)) &&
        (gtin === undefined || gtins.size === 0 || gtins.has(gtin)),
    )
  }

  /** The lot of a line. */
  *of(line: ChainLine): Steps<Lot> {
    yield* this.#lotsOf(lotCodeOf(line))
    return this.#lotOf.get(line) as Lot
  }

  /** Why a line with its lot code may be of a lot; undefined where it is of another. */
  *groundOf(lot: Lot, line: ChainLine): Steps<Ground | undefined> {
    const other = yield* this.of(line)
    if (other.source !== lot.source && other.source.known && lot.source.known) return undefined
    if (
      other !== lot &&
      other.gtins.size > 0 &&
      lot.gtins.size > 0 &&
      [...other.gtins].every((gtin) => !lot.gtins.has(gtin))
    )
      return undefined
    return other.source.known && lot.source.known ? 'sameSource' : 'sourceUnknown'
  }

  walked({ lot, distance, ground }: Reached): WalkedLot<Event> {
    const { lotCode, source, gtins } = lot
    const lines = this.linesOf(lotCode).filter(({ line }) => this.#lotOf.get(line) === lot)
    return { lotCode, source, gtin: [...gtins][0], distance, ground, lines }
  }
}

/** Lines by the GTINs of their item; a line that has several joins them. */
function linesByItem(lines: readonly ChainLine[]): readonly (readonly [gtins: Set<string>, lines: ChainLine[]])[] {
  const items: { gtins: Set<string>; lines: ChainLine[] }[] = []
  for (const { gtins } of lines) {
    if (gtins.length === 0) continue
    const own = items.filter((item) => gtins.some((gtin) => item.gtins.has(gtin)))
    const [item = { gtins: new Set<string>(), lines: [] }, ...others] = own
    for (const gtin of [...gtins, ...others.flatMap((other) => [...other.gtins])]) item.gtins.add(gtin)
    for (const other of others) items.splice(items.indexOf(other), 1)
    if (own.length === 0) items.push(item)
  }
  const [only, ...more] = items
  const none = only === undefined || more.length > 0 ? { gtins: new Set<string>(), lines: [] } : only
  const itemOf = new Map(items.flatMap((item) => [...item.gtins].map((gtin) => [gtin, item] as const)))
  for (const line of lines) (itemOf.get(line.gtins[0] ?? '') ?? none).lines.push(line)
  return [...items, ...(none === only ? [] : [none])]
    .filter((item) => item.lines.length > 0)
    .map((item) => [item.gtins, item.lines])
}

const lotCodeOf = ({ line }: ChainLine): string => readLotCode(line.caseLotNumber ?? '').lotCode
