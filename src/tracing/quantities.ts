// Sums by unit. Units are free text: texts that mean the same unit are one, shown as first written,
// with the amounts as written in each.
import { ExactSum } from '../contract/text/exact-sum.ts'
import { unitKeyOf } from '../contract/text/units.ts'
import type { QuantityByUnit } from './lot-trace.ts'
import { sameAs } from './wording.ts'

interface Amount {
  readonly unit: string
  readonly sum: ExactSum
}

/** All of a unit, and the amounts by its text. */
interface UnitAmount extends Amount {
  readonly written: Map<string, Amount>
}

export class Quantities {
  readonly #byUnit = new Map<string, UnitAmount>()

  add(quantity: number, text: string): void {
    const unit = text.trim()
    const key = unitKeyOf(unit)
    const all = this.#byUnit.get(key) ?? { unit, sum: new ExactSum(), written: new Map<string, Amount>() }
    this.#byUnit.set(key, all)
    const own = all.written.get(sameAs(unit)) ?? { unit, sum: new ExactSum() }
    all.written.set(sameAs(unit), own)
    for (const { sum } of [all, own]) sum.add(quantity)
  }

  addAll(others: readonly QuantityByUnit[]): void {
    for (const one of others) for (const { quantity, unit } of one.written ?? [one]) this.add(quantity, unit)
  }

  of(unit: string): number | undefined {
    return this.#byUnit.get(unitKeyOf(unit))?.sum.value
  }

  list(): QuantityByUnit[] {
    return [...this.#byUnit.values()].map(({ written, ...all }) => ({
      ...amountOf(all),
      ...(written.size > 1 && { written: [...written.values()].map(amountOf) }),
    }))
  }
}

const amountOf = ({ unit, sum }: Amount) => ({ quantity: sum.value, unit })

/** All of them together. */
export function sumOf(all: readonly Quantities[]): QuantityByUnit[] {
  const sum = new Quantities()
  for (const one of all) sum.addAll(one.list())
  return sum.list()
}
