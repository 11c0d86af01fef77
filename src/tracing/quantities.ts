// Sums by unit. Units are free text: compared without case and outer blanks, shown as first
// written.
import { ExactSum } from '../contract/exact-sum.ts'
import type { QuantityByUnit } from './lot-trace.ts'
import { sameAs } from './wording.ts'

export class Quantities {
  readonly #byUnit = new Map<string, { readonly unit: string; readonly sum: ExactSum }>()

  add(quantity: number, unit: string): void {
    const key = sameAs(unit)
    const known = this.#byUnit.get(key) ?? { unit: unit.trim(), sum: new ExactSum() }
    this.#byUnit.set(key, known)
    known.sum.add(quantity)
  }

  addAll(others: readonly QuantityByUnit[]): void {
    for (const { quantity, unit } of others) this.add(quantity, unit)
  }

  of(unit: string): number | undefined {
    return this.#byUnit.get(sameAs(unit))?.sum.value
  }

  list(): QuantityByUnit[] {
    return [...this.#byUnit.values()].map(({ unit, sum }) => ({ quantity: sum.value, unit }))
  }
}

/** All of them together. */
export function sumOf(all: readonly Quantities[]): QuantityByUnit[] {
  const sum = new Quantities()
  for (const one of all) sum.addAll(one.list())
  return sum.list()
}
