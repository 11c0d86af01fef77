// Collects the differences of a comparison: those about whole events once for each pair of events,
// the others once for each kind of goods.
import type { DifferenceKind } from '../contract/difference-kinds.ts'
import { ExactSum } from '../contract/text/exact-sum.ts'
import { groupsOf } from '../groups.ts'
import type { Steps } from '../steps.ts'
import { doDocumentsDiffer } from './deliveries.ts'
import type { DeliveryEvent, DeliveryPlace } from './delivery-event.ts'
import { type Entry, type Goods, type Lines, quantityOf, type Side } from './goods.ts'
import type { LikelyPair } from './likely-pairs.ts'
import { areRepeated, RepeatedLines } from './repeated-lines.ts'
import { isUnderWay } from './shipped.ts'
import { sameAs } from './wording.ts'

/** A difference and the lines it is about, none on a side where nothing was found. */
export interface FoundDifference extends Lines {
  readonly kind: DifferenceKind
  /** Lines of which it is true, of the side that has more. */
  readonly lines: number
}

export interface ComparedDeliveries {
  readonly differences: readonly FoundDifference[]
  /** Shipped lines that may still arrive, which is no difference. */
  readonly underWay: readonly Entry[]
}

export interface Comparison {
  /** Days that goods may be on their way. */
  readonly daysUnderWay: number
  /** The date up to which receiving events are known, `yyyy-MM-dd`. */
  readonly knownUntil: string
}

interface DifferenceOfEvents {
  readonly kind: DifferenceKind
  readonly shipped: Set<Entry>
  readonly received: Set<Entry>
  /** Lines that repeat others, of goods that were recorded twice. */
  repeated: number
}

const goodsPerStep = 200
const dayMs = 86_400_000

export class FoundDifferences {
  readonly #comparison: Comparison
  readonly #byEvents = new Map<string, DifferenceOfEvents>()
  readonly #byGoods: FoundDifference[] = []
  readonly #underWay: Entry[] = []
  /** Events of which the other side has something. */
  readonly #matched = new Set<DeliveryEvent>()
  readonly #repeated = new RepeatedLines()
  readonly #days = new Map<string, number>()

  constructor(comparison: Comparison) {
    this.#comparison = comparison
  }

  settle(goods: Goods): void {
    for (const lines of goods.settle()) this.#match(lines)
  }

  /** Settles equal goods of several deliveries: parts that complete others, and then the rest. */
  settleTogether(group: readonly Goods[]): void {
    const alone = group.filter(({ isTwoSided }) => !isTwoSided)
    for (const goods of group.filter(({ isTwoSided }) => isTwoSided)) {
      const missing = goods.balance.value
      const parts = alone.filter(({ isOpen, isShipped }) => isOpen && isShipped === missing < 0)
      const one = parts.find(({ balance }) => balance.value === -missing)
      const sum = new ExactSum()
      for (const part of parts) sum.add(part.balance.value)
      const all = sum.value === -missing ? parts : []
      const completing = one === undefined ? all : [one]
      for (const part of completing) goods.takeIn(part)
      if (completing.length > 0) this.settle(goods)
    }
    const [first, ...others] = alone.filter(({ isOpen }) => isOpen)
    if (first === undefined || others.every(({ isShipped }) => isShipped === first.isShipped)) return
    for (const goods of others) first.takeIn(goods)
    this.settle(first)
  }

  /** Takes out lines of one event that repeat those of another and are all that is too much. */
  settleRepeated(goods: Goods): void {
    if (!goods.isTwoSided) return
    const side = goods.balance.sign > 0 ? 'shipped' : 'received'
    const surplus = Math.abs(goods.balance.value)
    const records = [...groupsOf([...goods.agreed[side], ...goods.left[side]], ({ event }) => event).values()]
    for (const lines of records) {
      const left = lines.filter((entry) => goods.left[side].includes(entry))
      if (left.length === 0 || quantityOf(left) !== surplus) continue
      const original = records.find((others) => others !== lines && areRepeated(others, lines))
      if (original === undefined) continue
      this.#addToEvents('duplicate', linesOf(side, [...original, ...lines]), lines.length)
      goods.agree(linesOf(side, left))
      this.settle(goods)
      return
    }
  }

  addPair({ kind, shipped, received }: LikelyPair): void {
    const [sum, otherSum] = [shipped.balance.value, -received.balance.value]
    const areAlone = !shipped.isTwoSided && !received.isTwoSided
    const lines = { shipped: shipped.left.shipped, received: received.left.received }
    if (kind === 'place') this.#addToEvents(kind, lines)
    else if (kind !== 'gtin') this.#addOfGoods(kind, lines)
    if (areAlone && kind !== 'unit' && sum !== otherSum) this.#addOfGoods('quantity', lines)
    shipped.takeIn(received)
    this.#match(shipped.left, kind)
    shipped.agree({ ...shipped.left })
  }

  /**
   * True when the goods were received after they were shipped, and within the days under way. Dates
   * alone do not say so: a place to the west may still have the day before.
   */
  isInTime({ shipped, received }: Pick<LikelyPair, 'shipped' | 'received'>): boolean {
    const [some, other] = [shipped.left.shipped[0], received.left.received[0]]
    if (some === undefined || other === undefined) return false
    const days = this.#daysBetween(some.event, other.event)
    return (days >= 0 || other.event.instant >= some.event.instant) && days <= this.#comparison.daysUnderWay
  }

  /** True when nothing contradicts that these goods are the same. */
  areAlike(shipped: Goods, received: Goods): boolean {
    const [some, other] = [shipped.left.shipped[0], received.left.received[0]]
    return (
      some !== undefined &&
      other !== undefined &&
      !doDocumentsDiffer(some.delivery.keys, other.delivery.keys) &&
      this.isInTime({ shipped, received })
    )
  }

  /** Turns remaining goods into differences, and returns all that were found. */
  *end(all: readonly Goods[], left: readonly Goods[]): Steps<ComparedDeliveries> {
    yield* this.#repeated.learn(all, left)
    for (const goods of left) if (goods.isTwoSided) this.#match(goods.left)
    for (const [i, goods] of left.entries()) {
      if (i % goodsPerStep === 0) yield
      if (goods.isTwoSided) this.#addTwoSided(goods)
      else this.#addOneSided(goods, goods.isShipped ? 'shipped' : 'received')
    }
    const byEvents = [...this.#byEvents.values()].map(({ kind, shipped, received, repeated }) => {
      const lines = { shipped: [...shipped], received: [...received] }
      return { kind, ...lines, lines: repeated || countOf(lines) }
    })
    return { differences: [...this.#byGoods, ...byEvents], underWay: this.#underWay }
  }

  #addTwoSided({ agreed, left, balance }: Goods): void {
    const underWay = left.shipped.filter((entry) => this.#isUnderWay(entry))
    if (balance.sign > 0 && quantityOf(underWay) >= balance.value) this.#underWay.push(...underWay)
    else
      this.#addOfGoods('quantity', {
        shipped: [...agreed.shipped, ...left.shipped],
        received: [...agreed.received, ...left.received],
      })
  }

  #addOneSided(goods: Goods, side: Side): void {
    const { agreed, left } = goods
    const rest: Entry[] = []
    const kind = side === 'shipped' ? 'notReceived' : 'notShipped'
    for (const entry of left[side]) {
      const twin = this.#repeated.repeatedBy(goods, side, entry)
      if (twin !== undefined) this.#addToEvents('duplicate', linesOf(side, [twin, entry]), 1)
      else if (side === 'shipped' && this.#isUnderWay(entry)) this.#underWay.push(entry)
      else if (this.#matched.has(entry.event)) rest.push(entry)
      else this.#addToEvents(kind, linesOf(side, [entry]))
    }
    if (rest.length === 0) return
    if (agreed[side].length === 0) this.#addOfGoods(kind, linesOf(side, rest))
    else this.#addOfGoods('quantity', { ...agreed, [side]: [...agreed[side], ...rest] })
  }

  /**
   * Records that lines are of the same goods, and their further differences. Once for each line,
   * since a difference is one.
   */
  #match({ shipped, received }: Lines, known?: LikelyPair['kind']): void {
    for (const { event } of shipped) this.#matched.add(event)
    for (const { event } of received) this.#matched.add(event)
    const [firstShipped, lastShipped] = endsOf(shipped)
    const [firstReceived, lastReceived] = endsOf(received)
    const first = { shipped: [firstShipped], received: [firstReceived] }
    if (known !== 'place' && !isSamePlace(firstShipped.event.shipFrom, firstReceived.event.shipFrom))
      this.#addToEvents('place', first)
    const [gtin, otherGtin] = [firstShipped.line.caseGtin, firstReceived.line.caseGtin]
    if (known !== 'item' && gtin !== undefined && otherGtin !== undefined && gtin !== otherGtin)
      this.#addOfGoods('item', first)
    if (firstReceived.event.instant < firstShipped.event.instant && firstReceived.event.date < firstShipped.event.date)
      this.#addToEvents('date', first)
    else if (this.#daysBetween(lastShipped.event, lastReceived.event) > this.#comparison.daysUnderWay)
      this.#addToEvents('date', { shipped: [lastShipped], received: [lastReceived] })
  }

  #addOfGoods(kind: DifferenceKind, lines: Lines): void {
    this.#byGoods.push({ kind, ...lines, lines: countOf(lines) })
  }

  #addToEvents(kind: DifferenceKind, lines: Lines, repeated = 0): void {
    const ids = (entries: readonly Entry[]) => [...new Set(entries.map(({ event }) => event.id))]
    const key = [kind, ...ids(lines.shipped), '', ...ids(lines.received)].join(' ')
    const known = this.#byEvents.get(key) ?? { kind, shipped: new Set(), received: new Set(), repeated: 0 }
    this.#byEvents.set(key, known)
    for (const entry of lines.shipped) known.shipped.add(entry)
    for (const entry of lines.received) known.received.add(entry)
    known.repeated += repeated
  }

  #isUnderWay({ event }: Entry): boolean {
    return isUnderWay(event.date, this.#comparison.daysUnderWay, this.#comparison.knownUntil)
  }

  #daysBetween(some: DeliveryEvent, other: DeliveryEvent): number {
    return this.#dayOf(other.date) - this.#dayOf(some.date)
  }

  #dayOf(date: string): number {
    const known = this.#days.get(date) ?? Date.parse(date) / dayMs
    this.#days.set(date, known)
    return known
  }
}

const linesOf = (side: Side, entries: readonly Entry[]): Lines => ({ shipped: [], received: [], [side]: entries })

const countOf = ({ shipped, received }: Lines): number => Math.max(shipped.length, received.length)

/** The earliest and the latest of lines, of which there is one. */
function endsOf(entries: readonly Entry[]): readonly [Entry, Entry] {
  const [some] = entries
  if (some === undefined) throw new Error('There is a line on each side.')
  let [first, last] = [some, some]
  for (const entry of entries) {
    if (entry.event.instant < first.event.instant) first = entry
    if (entry.event.instant >= last.event.instant) last = entry
  }
  return [first, last]
}

const isSamePlace = (some: DeliveryPlace, other: DeliveryPlace): boolean =>
  sameAs(some.code) === sameAs(other.code) || (some.gln !== undefined && some.gln === other.gln)
