// A row whose cell names several lots becomes a row for each of them, where the row also states the
// quantity of each. No quantity is ever guessed: any other row stays whole, and a rule warns of its
// lot code.

import type { Cell, Row } from 'lotkeeper-sheets/sheet'
import { severalLots } from '../contract/lots/several-lots.ts'
import { ExactSum } from '../contract/text/exact-sum.ts'
import type { Meaning } from './layout.ts'

/** Columns of the lot code and of the quantity, counted from 0. */
export interface LotColumns {
  readonly lot: number
  readonly quantity: number
}

/** Undefined for a sheet without one of both. */
export function lotColumnsOf(meanings: readonly (Meaning | undefined)[]): LotColumns | undefined {
  const at = (name: string) =>
    meanings.findIndex((meaning) => typeof meaning === 'object' && 'column' in meaning && meaning.column === name)
  const [lot, quantity] = [at('caseLotNumber'), at('shipQuantity')]
  return lot === -1 || quantity === -1 ? undefined : { lot, quantity }
}

interface LotOfRow {
  readonly lot: string
  readonly quantity: string
}

/**
 * The separators of entries of a cell; a comma only before a blank, because `1,000` is one number.
 */
const betweenEntries = /[;|&\n/]|,\s/

const entriesOf = (text: string): readonly string[] => text.split(betweenEntries).map((entry) => entry.trim())
/** `L1 (10)` */
const lotWithQuantity = /^([^()]+)\(\s*([\d.]+)\s*\)$/

/** A quantity with one meaning: three digits behind a point may be a thousand. */
const isPlainQuantity = (text: string): boolean => /^\d{1,9}(?:\.\d{1,2})?$/.test(text)

function sumOf(quantities: readonly string[]): string {
  const sum = new ExactSum()
  for (const quantity of quantities) sum.add(Number(quantity))
  return String(sum.value)
}

/** The rows of the lots that a row names with their quantities, else the row alone. */
export function rowsOfLots(row: Row, { lot, quantity }: LotColumns): readonly Row[] {
  const [lotCell, quantityCell] = [row.cells[lot], row.cells[quantity]]
  if (lotCell?.is !== 'text') return [row]
  const lots = withOwnQuantities(lotCell.text, quantityCell?.text ?? '') ?? withQuantities(lotCell, quantityCell)
  return (
    lots?.map((one) => {
      const cells = [...row.cells]
      cells[lot] = { text: one.lot, is: 'text' }
      cells[quantity] = { text: one.quantity, is: 'number' }
      return { ...row, cells }
    }) ?? [row]
  )
}

/** `L1 (10), L2 (20)`, beside no other quantity than their sum. */
function withOwnQuantities(text: string, quantity: string): readonly LotOfRow[] | undefined {
  if (!text.includes('(')) return undefined
  const lots = entriesOf(text).map((entry) => {
    const [, lot = '', own = ''] = lotWithQuantity.exec(entry) ?? []
    return { lot: lot.trim(), quantity: own }
  })
  const quantities = lots.map((one) => one.quantity)
  if (lots.length < 2 || lots.some(({ lot }) => lot === '') || !quantities.every(isPlainQuantity)) return undefined
  return quantity.trim() === '' || sumOf(quantities) === quantity.trim() ? lots : undefined
}

/** `L1, L2` beside `10, 20`. */
function withQuantities(lotCell: Cell, quantityCell: Cell | undefined): readonly LotOfRow[] | undefined {
  if (quantityCell?.is !== 'text') return undefined
  const quantities = entriesOf(quantityCell.text)
  if (quantities.length < 2 || !quantities.every(isPlainQuantity)) return undefined
  const lots = severalLots(lotCell.text)
  return lots.length === quantities.length
    ? lots.map((lot, at) => ({ lot, quantity: quantities[at] ?? '' }))
    : undefined
}
