// A row whose cell names several lots becomes a row for each of them, where the row also states the
// quantity of each. No quantity is ever guessed: any other row stays whole, and a rule warns of its
// lot code.

import type { Cell, Row } from 'lotkeeper-sheets/sheet'
import { severalLots } from '../contract/lots/several-lots.ts'
import { ExactSum } from '../contract/text/exact-sum.ts'
import type { Meaning, Recognition } from './layout.ts'
import { plainNumber, readWrittenNumber } from './number-signs.ts'
import { type QuantityWithUnit, quantityIn, splitQuantity } from './quantity-with-unit.ts'

/** Columns of the lot code and of the quantity, counted from 0. */
export interface LotColumns {
  readonly lot: number
  readonly quantity: number
  /** Whether a quantity may have its unit with it. */
  readonly withUnits: boolean
}

/** Undefined for a sheet without one of both. */
export function lotColumnsOf({ meanings, layout }: Pick<Recognition, 'meanings' | 'layout'>): LotColumns | undefined {
  const at = (name: string) => meanings.findIndex((meaning) => fills(meaning, name))
  const [lot, quantity] = [at('caseLotNumber'), at('shipQuantity')]
  return lot === -1 || quantity === -1 ? undefined : { lot, quantity, withUnits: layout.foreign }
}

/** Whether a column of this meaning fills a column of the template. */
function fills(meaning: Meaning | undefined, name: string): boolean {
  if (meaning === undefined || meaning === 'ignored') return false
  return 'column' in meaning ? meaning.column === name : name in meaning.read('1 case')
}

interface LotOfRow extends QuantityWithUnit {
  readonly lot: string
}

/**
 * The separators of entries of a cell; a comma only before a blank, because `1,000` is one number.
 */
const betweenEntries = /[;|&\n/]|,\s/

const entriesOf = (text: string): readonly string[] => text.split(betweenEntries).map((entry) => entry.trim())
/** `L1 (10)`, `L1 (10 cases)` */
const lotInFront = /^([^()]+)\(([^()]+)\)$/

/** The rows of the lots that a row names with their quantities, else the row alone. */
export function rowsOfLots(row: Row, { lot, quantity, withUnits }: LotColumns): readonly Row[] {
  const [lotCell, quantityCell] = [row.cells[lot], row.cells[quantity]]
  if (lotCell?.is !== 'text') return [row]
  const lots = withOwnQuantities(lotCell.text, quantityCell?.text ?? '') ?? withQuantities(lotCell, quantityCell)
  if (lots === undefined || (!withUnits && lots.some(({ unit }) => unit !== ''))) return [row]
  return lots.map((one) => {
    const cells = [...row.cells]
    cells[lot] = { text: one.lot, is: 'text' }
    cells[quantity] = { text: `${one.quantity} ${one.unit}`.trim(), is: 'text' }
    return { ...row, cells }
  })
}

/** `L1 (10), L2 (20)`, beside no other quantity than their sum. */
function withOwnQuantities(text: string, total: string): readonly LotOfRow[] | undefined {
  const named = entriesOf(text).map((entry) => lotInFront.exec(entry) ?? [])
  if (named.length < 2 || named.some(([, lot = '']) => lot.trim() === '')) return undefined
  const quantities = quantitiesIn(named.map(([, , quantity = '']) => quantity))
  if (quantities === undefined) return undefined
  const lots = named.map(([, lot = ''], at) => ({ lot: lot.trim(), quantity: '', unit: '', ...quantities[at] }))
  if (total.trim() === '') return lots
  const sum = new ExactSum()
  for (const { quantity } of lots) {
    const number = certainNumber(quantity)
    if (number === undefined) return undefined
    sum.add(number)
  }
  const whole = splitQuantity(total)
  if (whole === undefined || String(sum.value) !== whole.quantity) return undefined
  return lots.map((lot) => ({ ...lot, unit: lot.unit || whole.unit }))
}

/** Undefined for a number with two meanings, such as `1,200` or `1.200`. */
function certainNumber(text: string): number | undefined {
  const written = readWrittenNumber(text)
  return written === undefined || written.ambiguous !== undefined ? undefined : Number(plainNumber(written))
}

/** `L1, L2` beside `10, 20`. */
function withQuantities(lotCell: Cell, quantityCell: Cell | undefined): readonly LotOfRow[] | undefined {
  if (quantityCell?.is !== 'text') return undefined
  const quantities = quantitiesIn(entriesOf(quantityCell.text))
  if (quantities === undefined || quantities.length < 2) return undefined
  const lots = severalLots(lotCell.text)
  return lots.length === quantities.length
    ? quantities.map((quantity, at) => ({ ...quantity, lot: lots[at] ?? '' }))
    : undefined
}

/** `10, 20 cases` are cases both. Undefined where one of the texts is no quantity. */
function quantitiesIn(texts: readonly string[]): readonly QuantityWithUnit[] | undefined {
  const read = texts.flatMap((text) => quantityIn(text) ?? [])
  const isComplete = read.length === texts.length && read.every(({ quantity }) => readWrittenNumber(quantity))
  const last = read.at(-1)?.unit ?? ''
  return isComplete ? read.map((one) => ({ ...one, unit: one.unit || last })) : undefined
}
