// Sums by unit. Units are free text: texts that mean the same unit are one, shown as first written,
// with the amounts as written in each.
import { ExactSum } from '../contract/text/exact-sum.ts'
import { unitKeyOf } from '../contract/text/units.ts'
import { groupsOf } from '../groups.ts'
import type { QuantityByUnit } from './lot-trace.ts'
import type { Amounts, ComparableUnits } from './mass-balance.ts'
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
  readonly #byText = new Map<string, readonly Amount[]>()

  add(quantity: number, text: string): void {
    const sums = this.#byText.get(text) ?? this.#sumsOf(text)
    this.#byText.set(text, sums)
    for (const { sum } of sums) sum.add(quantity)
  }

  #sumsOf(text: string): readonly Amount[] {
    const unit = text.trim()
    const key = unitKeyOf(unit)
    const all = this.#byUnit.get(key) ?? { unit, sum: new ExactSum(), written: new Map<string, Amount>() }
    this.#byUnit.set(key, all)
    const own = all.written.get(sameAs(unit)) ?? { unit, sum: new ExactSum() }
    all.written.set(sameAs(unit), own)
    return [all, own]
  }

  addAll(others: readonly QuantityByUnit[]): void {
    for (const one of others) for (const { quantity, unit } of one.written ?? [one]) this.add(quantity, unit)
  }

  of(unit: string): number | undefined {
    return this.#byUnit.get(unitKeyOf(unit))?.sum.value
  }

  /** The same, exact. */
  amounts(): Amounts {
    return [...this.#byUnit.values()].map(({ unit, sum }) => ({ unit, amount: sum.fraction }))
  }

  /** In one unit where units convert, with the amounts as written where they are in others. */
  listIn(units: ComparableUnits): QuantityByUnit[] {
    return [...groupsOf(this.#byUnit.values(), (one) => units.shownAs(one.unit))].map(([unit, own]) => {
      const written = own.flatMap((one) => [...one.written.values()])
      const isConverted = own.some((one) => unitKeyOf(one.unit) !== unitKeyOf(unit))
      const [sum] = units.sum(own.map((one) => ({ unit: one.unit, amount: one.sum.fraction })))
      return {
        quantity: sum?.amount.value ?? 0,
        unit,
        ...((isConverted || written.length > 1) && { written: written.map(amountOf) }),
      }
    })
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
