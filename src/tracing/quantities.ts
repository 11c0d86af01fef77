// Sums by unit. Units are free text: compared without case and outer blanks, shown as first
// written.
import type { QuantityByUnit } from './lot-trace.ts'
import { sameAs } from './wording.ts'

/** Digits a sum is rounded to: all that a double holds exactly, so that 0.1 and 0.2 are 0.3. */
const digits = 15

export class Quantities {
  readonly #byUnit = new Map<string, { unit: string; sum: number }>()

  add(quantity: number, unit: string): void {
    const key = sameAs(unit)
    const known = this.#byUnit.get(key)
    if (known === undefined) this.#byUnit.set(key, { unit: unit.trim(), sum: quantity })
    else known.sum += quantity
  }

  addAll(others: readonly QuantityByUnit[]): void {
    for (const { quantity, unit } of others) this.add(quantity, unit)
  }

  of(unit: string): number | undefined {
    const known = this.#byUnit.get(sameAs(unit))
    return known && roundSum(known.sum)
  }

  list(): QuantityByUnit[] {
    return [...this.#byUnit.values()].map(({ unit, sum }) => ({ quantity: roundSum(sum), unit }))
  }
}

/** All of them together. */
export function sumOf(all: readonly Quantities[]): QuantityByUnit[] {
  const sum = new Quantities()
  for (const one of all) sum.addAll(one.list())
  return sum.list()
}

/** A sum beyond the largest double is reported as that: JSON has no infinity. */
const roundSum = (sum: number): number =>
  Number.isFinite(sum) ? Number(sum.toPrecision(digits)) : Math.sign(sum) * Number.MAX_VALUE
