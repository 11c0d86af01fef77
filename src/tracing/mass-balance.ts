// What came in of goods, what went out and what is left: in one unit where the provider declared
// how the units convert, and else in each. Source: decision 0092.
import { Fraction } from '../contract/text/fraction.ts'
import type { LinePart } from './chain-walk.ts'
import type { QuantityByUnit } from './lot-trace.ts'
import type { UnitTable } from './unit-conversions.ts'

interface Amount {
  readonly unit: string
  readonly amount: Fraction
}
export type Amounts = readonly Amount[]

/** Amounts of the same goods, each unit that converts into another as the first of them. */
export class ComparableUnits {
  readonly #table: UnitTable
  readonly #shown = new Map<string, string>()
  /** By the text of a unit: reading one takes a microsecond. */
  readonly #units = new Map<string, ReturnType<UnitTable['of']>>()

  /** Of several units that convert, the first is shown. */
  constructor(table: UnitTable, amounts: Amounts) {
    this.#table = table
    for (const { unit } of amounts) {
      const { base } = this.#of(unit)
      if (!this.#shown.has(base)) this.#shown.set(base, unit)
    }
  }

  #of(unit: string): ReturnType<UnitTable['of']> {
    const known = this.#units.get(unit) ?? this.#table.of(unit)
    this.#units.set(unit, known)
    return known
  }

  /** The unit in which a unit is shown. */
  shownAs(unit: string): string {
    return this.#shown.get(this.#of(unit).base) ?? unit
  }

  sum(...lists: readonly Amounts[]): Amounts {
    const sums = new Map<string, Amount>()
    for (const { unit, amount } of lists.flat()) {
      const { base, amount: inBase } = this.#of(unit)
      const shown = this.shownAs(unit)
      const { amount: shownInBase } = this.#of(shown)
      const inShown = inBase === shownInBase ? amount : amount.times(inBase).over(shownInBase)
      const known = sums.get(base)
      sums.set(base, { unit: shown, amount: known === undefined ? inShown : known.amount.plus(inShown) })
    }
    return [...sums.values()]
  }

  /** Some less others. */
  less(some: Amounts, others: Amounts): Amounts {
    return this.sum(
      some,
      others.map(({ unit, amount }) => ({ unit, amount: amount.negated })),
    )
  }
}

export const quantitiesOf = (amounts: Amounts): QuantityByUnit[] =>
  amounts.map(({ unit, amount }) => ({ quantity: amount.value, unit }))

/** What is not nothing; nothing in its first unit, where all is. */
export function withoutZeros(amounts: Amounts): Amounts {
  const given = amounts.filter(({ amount }) => amount.sign !== 0)
  return given.length > 0 ? given : amounts.slice(0, 1)
}

/** Amounts of goods at a place, or in all places. */
export type Sides = Readonly<Record<LinePart, Amounts>>
const noSides: Sides = { made: [], received: [], used: [], shipped: [] }

export interface MassBalance extends Sides {
  /** What was left before. */
  readonly opening: Amounts
  /** Below zero where more went out than came in. */
  readonly left: Amounts
  /** What went out, where it is more than came in, beyond the tolerance. */
  readonly over: readonly { readonly came: Amount; readonly went: Amount }[]
}

/** `tolerance` is the share of what came in by which more may go out. */
export function balanceOf(
  sides: Partial<Sides>,
  table: UnitTable,
  { opening = [], tolerance }: { readonly opening?: Amounts; readonly tolerance: Fraction },
): MassBalance {
  const { made, received, used, shipped } = { ...noSides, ...sides }
  const units = new ComparableUnits(table, [opening, made, received, used, shipped].flat())
  const came = units.sum(opening, made, received)
  const went = units.sum(used, shipped)
  // No amount is one in any unit.
  const given = came.filter(({ amount }) => amount.sign !== 0)
  const nothing = came.length > 0 && given.length === 0 ? Fraction.zero : undefined
  const over = went.flatMap((out) => {
    const into = given.find(({ unit }) => unit === out.unit) ?? (nothing && { unit: out.unit, amount: nothing })
    const isOver = into !== undefined && out.amount.minus(into.amount).minus(into.amount.times(tolerance)).sign > 0
    return isOver ? [{ came: into, went: out }] : []
  })
  return {
    opening,
    made: units.sum(made),
    received: units.sum(received),
    used: units.sum(used),
    shipped: units.sum(shipped),
    left: withoutZeros(units.less(came, went)),
    over,
  }
}
