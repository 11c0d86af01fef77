// Lines that were recorded twice: the same goods in the same quantity, on the same side, under the
// same document (decision 0081).
import type { Steps } from '../steps.ts'
import { doDocumentsDiffer, isDocumentShared } from './deliveries.ts'
import { type Entry, type Goods, type Side, sides, textOf } from './goods.ts'

/** Two records of one order that are further apart are two shipments. */
const apartMsMax = 86_400_000

const goodsPerStep = 200

/** Most lines of equal goods that one line is compared with. */
const comparedMax = 20

export class RepeatedLines {
  readonly #known = new Map<string, Entry[]>()
  /** Lines without a counterpart on the other side. */
  #unmatched: ReadonlySet<Entry> = new Set()
  /** Lines that repeat others. */
  readonly #repeated = new Set<Entry>()

  /** The line that another repeats: one that agrees with the other side, or an earlier one. */
  repeatedBy(goods: Goods, side: Side, entry: Entry): Entry | undefined {
    const twin = this.#known
      .get(keyOf(goods, side, entry))
      ?.slice(0, comparedMax)
      .find(
        (other) =>
          !this.#repeated.has(other) &&
          (!this.#unmatched.has(other) || isEarlier(other, entry)) &&
          areOneRecord(other, entry),
      )
    if (twin !== undefined) this.#repeated.add(entry)
    return twin
  }

  /** Knows the lines of all goods that lines left over in some of them may repeat. */
  *learn(all: Iterable<Goods>, left: readonly Goods[]): Steps<void> {
    const wanted = new Set(
      left.flatMap((goods) => sides.flatMap((side) => goods.left[side].map((entry) => keyOf(goods, side, entry)))),
    )
    this.#unmatched = new Set(left.flatMap((goods) => sides.flatMap((side) => goods.left[side])))
    let count = 0
    for (const goods of all) {
      if (count++ % goodsPerStep === 0) yield
      for (const side of sides)
        for (const entry of [...goods.agreed[side], ...goods.left[side]]) {
          const key = keyOf(goods, side, entry)
          if (!wanted.has(key)) continue
          const known = this.#known.get(key)
          if (known === undefined) this.#known.set(key, [entry])
          else known.push(entry)
        }
    }
  }
}

/** True when the lines of one event repeat those of another: the same quantities, of one record. */
export const areRepeated = (lines: readonly Entry[], others: readonly Entry[]): boolean =>
  lines.length === others.length &&
  quantitiesText(lines) === quantitiesText(others) &&
  lines[0] !== undefined &&
  others[0] !== undefined &&
  areOneRecord(lines[0], others[0])

const quantitiesText = (lines: readonly Entry[]): string =>
  lines
    .map(({ line }) => line.quantity)
    .sort((some, other) => some - other)
    .join(' ')

const keyOf = (goods: Goods, side: Side, { line }: Entry): string =>
  `${side}\u0000${textOf(goods.key)}\u0000${line.quantity}`

const isEarlier = (some: Entry, other: Entry): boolean =>
  some.event.instant < other.event.instant ||
  (some.event.instant === other.event.instant && some.event.id < other.event.id)

function areOneRecord(some: Entry, other: Entry): boolean {
  const [pallet, otherPallet] = [some.line.palletId, other.line.palletId]
  if (some.event === other.event) return some.line !== other.line && pallet !== undefined && pallet === otherPallet
  if (pallet !== undefined && otherPallet !== undefined && pallet !== otherPallet) return false
  const [keys, otherKeys] = [some.delivery.keys, other.delivery.keys]
  if (doDocumentsDiffer(keys, otherKeys)) return false
  return (
    isDocumentShared(keys.shipment, otherKeys.shipment) ||
    (isDocumentShared(keys.order, otherKeys.order) && Math.abs(some.event.instant - other.event.instant) <= apartMsMax)
  )
}
