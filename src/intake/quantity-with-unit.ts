// A quantity and its unit in one cell: "40 cases", "1,200 lb".
import type { ColumnValue } from 'lotkeeper-sheets/sheet'
import { unitOf } from '../contract/text/units.ts'
import type { Conversion } from './conversions.ts'

export interface QuantityWithUnit {
  readonly quantity: string
  /** Empty without one. */
  readonly unit: string
}

const numberThenText = /^(\d(?:[\d.,' ]*\d)?)\s*(\D.*)?$/s

/** A number, and any text after it. */
export function splitQuantity(text: string): QuantityWithUnit | undefined {
  const [, quantity, unit = ''] = numberThenText.exec(text.trim()) ?? []
  return quantity === undefined ? undefined : { quantity, unit }
}

/** A number, alone or with a known unit; undefined for any other text. */
export function quantityIn(text: string): QuantityWithUnit | undefined {
  const read = splitQuantity(text)
  return read === undefined || (read.unit !== '' && unitOf(read.unit) === undefined) ? undefined : read
}

export const unitSplit = (text: string): Conversion => ({
  kind: 'quantity',
  says: `has quantities with their unit, such as ${text}; they are split`,
})

/** Moves the unit of a quantity into its own column, where the row has no other. */
export function moveUnit(said: Map<string, ColumnValue>, tell: (at: number, conversion: Conversion) => void): void {
  const quantity = said.get('shipQuantity')
  if (quantity?.cell.is !== 'text' || said.has('shipQuantityUom')) return
  const read = quantityIn(quantity.cell.text)
  if (read === undefined || read.unit === '') return
  said.set('shipQuantity', { ...quantity, cell: { ...quantity.cell, text: read.quantity } })
  said.set('shipQuantityUom', { ...quantity, cell: { ...quantity.cell, text: read.unit } })
  tell(quantity.at, unitSplit(quantity.cell.text))
}
