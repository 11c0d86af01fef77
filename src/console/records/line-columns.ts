// The columns of the editable table of product lines, and the values of a pasted table or a scanned
// label for them. Pure.

import type { Gs1Label } from '../../contract/lots/gs1-label.ts'
import type { Shape } from '../../contract/shape/field.ts'
import { foldName } from '../../contract/text/name-distance.ts'
import { labelOf } from '../words/labels.ts'
import { type DateOrder, type PastedDate, provenOrder, readingIn, readPastedDate } from './pasted-dates.ts'
import type { Fields } from './record-summary.ts'

/** Always there; others as soon as a line has a value in them. */
export const firstColumns: readonly string[] = [
  'vendorItemCode',
  'vendorItemDescription',
  'caseLotNumber',
  'shipQuantity',
  'shipQuantityUom',
  'tlcSourceReferenceGln',
]

/** In the order of their declaration, those of the beginning first. */
export function columnsWith(shape: Shape, lines: readonly Fields[], before: readonly string[]): readonly string[] {
  const given = new Set(before)
  for (const line of lines) for (const name of Object.keys(line)) given.add(name)
  const others = Object.keys(shape.properties ?? {}).filter((name) => given.has(name) && !firstColumns.includes(name))
  return [...firstColumns, ...others]
}

/** The value of a typed text. Text that is no number stays text: the rules report it. */
export function parseInput({ type }: Shape, text: string): unknown {
  if (text === '') return undefined
  return type === 'number' && text.trim() !== '' && String(Number(text)) === text ? Number(text) : text
}

/** A line with another value; an empty one is taken out. */
export function withField(line: Fields, name: string, value: unknown): Fields {
  if (value !== undefined) return { ...line, [name]: value }
  const { [name]: _, ...others } = line
  return others
}

/** Rows and cells of a copy from a spreadsheet. A cell with a tab or a line break is in quotes. */
export function cellsOf(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [['']]
  let quoted = false
  const put = (character: string) => {
    const row = rows.at(-1) as string[]
    row[row.length - 1] += character
  }
  const clean = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').replace(/\n$/, '')
  for (let at = 0; at < clean.length; at++) {
    const character = clean.charAt(at)
    if (quoted) {
      if (character !== '"') put(character)
      else if (clean.charAt(at + 1) === '"') {
        put('"')
        at++
      } else quoted = false
    } else if (character === '"' && rows.at(-1)?.at(-1) === '') quoted = true
    else if (character === '\t') rows.at(-1)?.push('')
    else if (character === '\n') rows.push([''])
    else put(character)
  }
  return rows
}

/** The fields that these headings name, by label, wire name or synonym. */
function namesIn(headings: readonly string[], { properties = {} }: Shape): readonly (string | undefined)[] {
  const known = new Map<string, string>()
  for (const [name, field] of Object.entries(properties))
    for (const word of [...(field['x-synonyms'] ?? []), labelOf(name), name]) known.set(foldName(word), name)
  return headings.map((heading) => known.get(foldName(heading)))
}

export interface Pasted {
  readonly lines: readonly Fields[]
  /** Rows that were filled. */
  readonly rowCount: number
  /** Headings of a first row that are of no field: their columns are left out. */
  readonly unknown: readonly string[]
  /** A date that was read, as an example, and its result. */
  readonly readDate?: { readonly text: string; readonly date: string } | undefined
  /** Ambiguous dates, as they were pasted. */
  readonly ambiguous: readonly AmbiguousCell[]
}

export interface AmbiguousCell {
  readonly index: number
  readonly name: string
  readonly pasted: PastedDate
}

export const isDateColumn = ({ properties }: Shape, name: string): boolean => properties?.[name]?.['x-form'] === 'date'

/** The lines with the ambiguous dates read in this order, unless they were edited since. */
export function withDates(
  lines: readonly Fields[],
  cells: readonly AmbiguousCell[],
  order: DateOrder,
): readonly Fields[] {
  const next = [...lines]
  for (const { index, name, pasted } of cells) {
    const line = next[index]
    if (line?.[name] === pasted.text) next[index] = withField(line, name, readingIn(pasted, order)?.date)
  }
  return next
}

/**
 * The lines after rows were pasted at a place. A first row in which more than half of the headings
 * are known names the columns; else they are those of the table from the place on.
 */
export function withRows(
  lines: readonly Fields[],
  rows: readonly (readonly string[])[],
  { index, column, columns, shape }: { index: number; column: string; columns: readonly string[]; shape: Shape },
  order?: DateOrder,
): Pasted {
  const [headings = []] = rows
  const named = namesIn(headings, shape)
  const knownCount = named.filter((name) => name !== undefined).length
  const hasHeadings = rows.length > 1 && knownCount > 1 && knownCount * 2 > headings.length
  const names = hasHeadings ? named : columns.slice(columns.indexOf(column))
  const filling = rows.slice(hasHeadings ? 1 : 0).filter((row) => row.some((cell) => cell.trim() !== ''))
  const next = [...lines]
  const ambiguous: AmbiguousCell[] = []
  let readDate: Pasted['readDate']
  const isDate = names.map((name) => name !== undefined && isDateColumn(shape, name))
  const proven = provenOrder(filling.flatMap((row) => row.filter((_, j) => isDate[j])))
  const readCell = (cell: string, name: string, line: number): string => {
    if (!isDateColumn(shape, name)) return cell
    const pasted = readPastedDate(cell)
    const date = readingIn(pasted, proven ?? order)?.date
    if (date === undefined) {
      if (pasted.readings.length > 1) ambiguous.push({ index: line, name, pasted })
      return cell
    }
    if (date !== cell) readDate ??= { text: cell, date }
    return date
  }
  filling.forEach((row, i) => {
    let line = next[index + i] ?? {}
    row.forEach((cell, j) => {
      const name = names[j]
      const field = name === undefined ? undefined : shape.properties?.[name]
      if (name !== undefined && field !== undefined)
        line = withField(line, name, parseInput(field, readCell(cell.trim(), name, index + i)))
    })
    next[index + i] = line
  })
  return {
    lines: next,
    rowCount: filling.length,
    unknown: hasHeadings ? headings.filter((_, i) => named[i] === undefined) : [],
    readDate,
    ambiguous,
  }
}

/** A product that a label can name by its GTIN. */
export interface KnownItem {
  readonly itemCode: string
  readonly itemDescription?: string | undefined
  readonly gtin?: string | undefined
}

/** A line with the values of a label. Its item is found by the GTIN, where it is known. */
export function withLabel(line: Fields, { count, ...label }: Gs1Label, items: readonly KnownItem[]): Fields {
  const item = label.caseGtin === undefined ? undefined : items.find(({ gtin }) => gtin === label.caseGtin)
  return {
    ...line,
    ...label,
    ...(item !== undefined && { vendorItemCode: item.itemCode }),
    ...(item?.itemDescription !== undefined && { vendorItemDescription: item.itemDescription }),
    ...(count !== undefined && { shipQuantity: count }),
  }
}
