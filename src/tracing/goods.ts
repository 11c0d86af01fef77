// Goods: shipped and received lines of one item, lot, unit and place in one delivery.
import { ExactSum } from '../contract/text/exact-sum.ts'
import { type Delivery, purchaseOrderIn } from './deliveries.ts'
import type { DeliveryEvent, DeliveryLine } from './delivery-event.ts'

export interface Entry {
  readonly event: DeliveryEvent
  readonly delivery: Delivery
  readonly line: DeliveryLine
}

/** The values that distinguish goods, each in one spelling. */
export interface GoodsKey {
  readonly vendor: string
  readonly item: string
  /** Empty where lines have no lot code. */
  readonly lot: string
  readonly unit: string
  readonly shipTo: string
}

/** Lines of both sides. */
export interface Lines {
  readonly shipped: readonly Entry[]
  readonly received: readonly Entry[]
}

export type Side = 'shipped' | 'received'
export const sides: readonly Side[] = ['shipped', 'received']

/** Equal for the same goods. */
export const textOf = ({ vendor, item, lot, unit, shipTo }: GoodsKey): string =>
  `${vendor}\u0000${item}\u0000${lot}\u0000${unit}\u0000${shipTo}`

/** Shared by all goods: most lists of goods are empty, and there are 100,000 of them. */
const none: readonly Entry[] = []

const both = (some: readonly Entry[], others: readonly Entry[]): readonly Entry[] =>
  some.length === 0 ? others : others.length === 0 ? some : [...some, ...others]

interface LinesOfGoods {
  shipped: readonly Entry[]
  received: readonly Entry[]
}

export class Goods {
  readonly key: GoodsKey
  /** Lines that agree with each other. */
  readonly agreed: LinesOfGoods = { shipped: none, received: none }
  /** Lines that are left over. */
  readonly left: LinesOfGoods = { shipped: none, received: none }

  constructor(key: GoodsKey, lines: Lines) {
    this.key = key
    this.left.shipped = lines.shipped
    this.left.received = lines.received
  }

  /** Number of the delivery. */
  get delivery(): number | undefined {
    return this.#any?.delivery.number
  }

  /**
   * The first purchase order that events of these lines name, else the order of their delivery: one
   * side may name none.
   */
  get order(): string | undefined {
    const { left, agreed } = this
    const lines = [left.shipped, left.received, agreed.shipped, agreed.received].flat()
    const named = lines.find(({ delivery }) => purchaseOrderIn(delivery.keys.order) !== undefined) ?? lines[0]
    const order = named && (purchaseOrderIn(named.delivery.keys.order) ?? named.delivery.order)
    return order && `${this.key.vendor}\u0000${order}`
  }

  get #any(): Entry | undefined {
    return this.left.shipped[0] ?? this.left.received[0]
  }

  /** True when lines are left over. */
  get isOpen(): boolean {
    return this.#any !== undefined
  }

  /** True when lines that were shipped are left over. */
  get isShipped(): boolean {
    return this.left.shipped.length > 0
  }

  /** Shipped less received, of the remaining lines. */
  get balance(): ExactSum {
    const sum = new ExactSum()
    for (const { line } of this.left.shipped) sum.add(line.quantity)
    for (const { line } of this.left.received) sum.add(-line.quantity)
    return sum
  }

  /** True when lines of both sides are left over: their quantities differ. */
  get isTwoSided(): boolean {
    return this.left.shipped.length > 0 && this.left.received.length > 0
  }

  /** Takes the lines of other goods, which have none then. */
  takeIn({ left, agreed }: Goods): void {
    for (const side of sides) {
      this.left[side] = both(this.left[side], left[side])
      this.agreed[side] = both(this.agreed[side], agreed[side])
      left[side] = none
      agreed[side] = none
    }
  }

  /** Calls these lines agreed: all that is left over, or some of it. */
  agree(lines: Lines): void {
    for (const side of sides) {
      this.agreed[side] = both(this.agreed[side], lines[side])
      this.left[side] = without(this.left[side], lines[side])
    }
  }

  /**
   * Settles equal quantities: all when the sums are equal, else pairs of lines with equal
   * quantities, the earliest first. Returns the settled lines.
   */
  settle(): readonly Lines[] {
    if (!this.isTwoSided) return []
    if (this.balance.sign === 0) {
      const lines = { ...this.left }
      this.agree(lines)
      return [lines]
    }
    const pairs = equalPairs(this.left.shipped, this.left.received)
    this.agree({
      shipped: pairs.flatMap(({ shipped }) => shipped),
      received: pairs.flatMap(({ received }) => received),
    })
    return pairs
  }
}

export function quantityOf(entries: readonly Entry[]): number {
  const sum = new ExactSum()
  for (const { line } of entries) sum.add(line.quantity)
  return sum.value
}

function without(entries: readonly Entry[], some: readonly Entry[]): readonly Entry[] {
  if (some.length === entries.length) return none
  if (some.length === 0) return entries
  const gone = new Set(some)
  return entries.filter((entry) => !gone.has(entry))
}

const inTime = (entries: readonly Entry[]): readonly Entry[] =>
  [...entries].sort((one, other) => one.event.instant - other.event.instant)

function equalPairs(shipped: readonly Entry[], received: readonly Entry[]): readonly Lines[] {
  const byQuantity = new Map<number, Entry[]>()
  for (const entry of inTime(received).toReversed()) {
    const equal = byQuantity.get(entry.line.quantity)
    if (equal === undefined) byQuantity.set(entry.line.quantity, [entry])
    else equal.push(entry)
  }
  return inTime(shipped).flatMap((entry) => {
    const equal = byQuantity.get(entry.line.quantity)?.pop()
    return equal === undefined ? [] : [{ shipped: [entry], received: [equal] }]
  })
}
