// The product lines of an event while they are filled in, and what each edit makes of them. Pure.
import type { Gs1Label } from '../../../contract/lots/gs1-label.ts'
import { productLinesMax } from '../../../contract/receiving-event.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import {
  type AmbiguousCell,
  cellsOf,
  columnsWith,
  isDateColumn,
  type KnownItem,
  parseInput,
  withDates,
  withField,
  withLabel,
  withRows,
} from '../../records/line-columns.ts'
import { type DateOrder, dateWords } from '../../records/pasted-dates.ts'
import { type Fields, joinGiven, textOf } from '../../records/record-summary.ts'
import { type DeclaredField, shapeAt } from '../../records/shapes.ts'

export interface Cell {
  readonly index: number
  /** Of its column. */
  readonly name: string
}

export interface LineSheet {
  readonly shape: DeclaredField['shape']
  /** Stored products, which fill in what belongs to an item code or a GTIN. */
  readonly items: readonly KnownItem[]
  readonly lines: readonly Fields[]
  readonly columns: readonly string[]
  /** Index of the line of which all fields are shown. */
  readonly opened: number | undefined
  /** What the last edit did. */
  readonly words: string
  /** Pasted dates of which only a person knows the day and the month. */
  readonly ambiguous: readonly AmbiguousCell[]
  /** The cell that an edit leads to. */
  readonly goal?: Cell
  /** The line that an edit scrolls to. */
  readonly inSight?: number
}

/** With columns for what the fresh lines bring. */
const withLines = (sheet: LineSheet, lines: readonly Fields[], fresh: readonly Fields[]): LineSheet => ({
  ...sheet,
  lines,
  columns: columnsWith(sheet.shape, fresh, sheet.columns),
})

export const cellIn = ({ columns: [name = ''] }: Pick<LineSheet, 'columns'>, index: number): Cell => ({ index, name })

const lineIn = ({ lines }: LineSheet, index: number): Fields => lines[index] ?? {}

export function addLine(sheet: LineSheet, line: Fields = {}, at = sheet.lines.length): LineSheet {
  if (sheet.lines.length >= productLinesMax)
    return { ...sheet, words: `An event takes ${productLinesMax.toLocaleString('en')} lines at most.` }
  const added = withLines(sheet, sheet.lines.toSpliced(at, 0, line), [line])
  return { ...added, opened: undefined, goal: cellIn(sheet, at) }
}

export function removeLine(sheet: LineSheet, index: number): LineSheet {
  const left = sheet.lines.length - 1
  return {
    ...sheet,
    lines: sheet.lines.toSpliced(index, 1),
    opened: undefined,
    words: `Line ${index + 1} is removed.`,
    ...(left > 0 && { goal: cellIn(sheet, Math.min(index, left - 1)) }),
  }
}

/** An item code brings the description of the item. */
export function typeText(sheet: LineSheet, { index, name }: Cell, text: string): LineSheet {
  const typed = withField(lineIn(sheet, index), name, parseInput(shapeAt(sheet.shape, name), text))
  const item = name === 'vendorItemCode' ? sheet.items.find(({ itemCode }) => itemCode === text) : undefined
  const isDescribed = textOf(typed.vendorItemDescription) !== ''
  const line =
    item?.itemDescription === undefined || isDescribed
      ? typed
      : { ...typed, vendorItemDescription: item.itemDescription }
  return withLines(sheet, sheet.lines.with(index, line), [line])
}

export const clearCell = (sheet: LineSheet, { index, name }: Cell): LineSheet => ({
  ...sheet,
  lines: sheet.lines.with(index, withField(lineIn(sheet, index), name, undefined)),
})

/** Fills a line, or a new one at the end, with what a label says. */
export function readLabel(sheet: LineSheet, index: number, label: Gs1Label): LineSheet {
  const { lines } = sheet
  const line = withLabel(lineIn(sheet, index), label, sheet.items)
  const read = withLines(sheet, index < lines.length ? lines.with(index, line) : [...lines, line], [line])
  return { ...read, words: labelWords(index, label, line) }
}

/** A label goes to the first line that has nothing, unless its lot is there already. */
export function scanLabel(sheet: LineSheet, label: Gs1Label): LineSheet {
  const { lines } = sheet
  const same = lines.findIndex((line) => isSameLot(line, label))
  if (same >= 0)
    return { ...sheet, words: `Line ${same + 1} has this item and lot already. Change its quantity there.` }
  const blank = lines.findIndex((line) => Object.keys(line).length === 0)
  const index = blank < 0 ? lines.length : blank
  return { ...readLabel(sheet, index, label), inSight: index }
}

/** True for text that is more than one value, or a date that may be written in another form. */
export const isRows = ({ shape }: LineSheet, text: string, { name }: Cell): boolean =>
  /[\t\n]/.test(text.trimEnd()) || isDateColumn(shape, name)

export function pasteRows(
  sheet: LineSheet,
  text: string,
  { index, name }: Cell,
  order: DateOrder | undefined,
): LineSheet {
  const cells = cellsOf(text)
  const pasted = withRows(
    sheet.lines,
    cells,
    { index, column: name, columns: sheet.columns, shape: sheet.shape },
    order,
  )
  const { lines, rowCount, readDate, unknown, ambiguous } = pasted
  if (lines.length > productLinesMax)
    return {
      ...sheet,
      words: `Nothing was pasted: the event would have ${lines.length.toLocaleString('en')} lines, and ${productLinesMax.toLocaleString('en')} is the most.`,
    }
  return {
    ...withLines(sheet, lines, lines.slice(index, index + rowCount)),
    ambiguous,
    words: joinGiven(
      ' ',
      (cells.length > 1 || (cells[0]?.length ?? 0) > 1) &&
        `${pluralize(rowCount, 'row')} pasted from line ${index + 1} on.`,
      readDate && `“${readDate.text.slice(0, 40)}” was read as ${dateWords(readDate.date)}.`,
      unknown.length > 0 && `Left out, as no field is called so: ${unknown.join(', ')}.`,
    ),
  }
}

/** A date that was typed in another form becomes one of the contract. */
export function commitCell(sheet: LineSheet, cell: Cell, order: DateOrder | undefined): LineSheet {
  const text = textOf(lineIn(sheet, cell.index)[cell.name])
  const isWritten = isDateColumn(sheet.shape, cell.name) && !/^(\d{4}-\d{2}-\d{2})?$/.test(text)
  return isWritten ? pasteRows(sheet, text, cell, order) : sheet
}

export const readDates = (sheet: LineSheet, order: DateOrder): LineSheet => ({
  ...sheet,
  lines: withDates(sheet.lines, sheet.ambiguous, order),
  ambiguous: [],
})

const isSameLot = (line: Fields, { caseGtin, caseLotNumber, palletId }: Gs1Label): boolean =>
  (caseGtin !== undefined || palletId !== undefined) &&
  line.caseGtin === caseGtin &&
  line.caseLotNumber === caseLotNumber &&
  line.palletId === palletId

function labelWords(index: number, { caseGtin, caseLotNumber }: Gs1Label, line: Fields): string {
  const item = textOf(line.vendorItemCode)
  const isKnown = caseGtin === undefined || item !== ''
  return joinGiven(
    ' ',
    `Line ${index + 1}:`,
    joinGiven(', ', item && `item ${item}`, caseLotNumber && `lot ${caseLotNumber}`) || 'read from the label',
    isKnown ? '' : `– no stored product has the GTIN ${caseGtin}, so enter the item code`,
  ).concat('.')
}
