// Units of an item in each other, as the provider declared them. What nobody declared is not
// converted. Source: decision 0092.
import { fractionOf } from '../contract/text/exact-sum.ts'
import { Fraction } from '../contract/text/fraction.ts'
import { unitKeyOf } from '../contract/text/units.ts'
import { type EqualUnit, type NewUnitConversion, unitConversionKey } from '../contract/unit-conversion.ts'

/** The item of a product line. */
export interface ItemOfLine {
  readonly itemCode: string
  readonly dataProviderVendorId: string
}

/** The codes under which lines have an item, each once. */
export class ItemCodes {
  readonly #items = new Map<string, ItemOfLine>()

  add(dataProviderVendorId: string, itemCode: string): void {
    const key = `${dataProviderVendorId}\u0000${itemCode}`
    if (!this.#items.has(key)) this.#items.set(key, { itemCode, dataProviderVendorId })
  }

  list(): readonly ItemOfLine[] {
    return [...this.#items.values()]
  }
}

interface InBase {
  /** Equal for units that can be converted. */
  readonly base: string
  /** How much of the base one unit is. */
  readonly amount: Fraction
}

/** The units of one item. */
export class UnitTable {
  readonly #units = new Map<string, InBase>()

  /** False where the units could be converted before. */
  add({ unit, quantity, inUnit }: EqualUnit): boolean {
    const [some, other] = [this.of(unit), this.of(inUnit)]
    if (some.base === other.base) return false
    this.#units.set(unitKeyOf(unit), some).set(unitKeyOf(inUnit), other)
    const rate = fractionOf(quantity).times(other.amount).over(some.amount)
    for (const [key, { base, amount }] of this.#units)
      if (base === some.base) this.#units.set(key, { base: other.base, amount: amount.times(rate) })
    return true
  }

  of(unit: string): InBase {
    const key = unitKeyOf(unit)
    return this.#units.get(key) ?? { base: key, amount: Fraction.one }
  }
}

/** The first that says again what others say; undefined where none does. */
export function repeatedUnit(units: readonly EqualUnit[]): EqualUnit | undefined {
  const table = new UnitTable()
  return units.find((one) => !table.add(one))
}

/** The declared conversions of items, of all items among them. */
export class UnitConversions {
  readonly #byItem: ReadonlyMap<string, readonly EqualUnit[]>

  constructor(declared: readonly NewUnitConversion[]) {
    this.#byItem = new Map(declared.map((one) => [unitConversionKey(one), one.units ?? []]))
  }

  /**
   * The units of goods that lines have under these codes. Of two statements about the same units,
   * that of the item of a vendor counts, then that of its code, then that of all items.
   */
  tableOf(items: readonly ItemOfLine[]): UnitTable {
    const table = new UnitTable()
    const keys = [
      ...items.map(unitConversionKey),
      ...items.map(({ itemCode }) => unitConversionKey({ itemCode })),
      unitConversionKey({}),
    ]
    for (const key of new Set(keys)) for (const one of this.#byItem.get(key) ?? []) table.add(one)
    return table
  }
}
