// One row of a sheet into the parts of a payload it fills, each value with the column it stands in.
import { given } from '../contract/field.ts'
import { type Choices, readCell } from './cell-value.ts'
import { joinPairs } from './foreign-layouts.ts'
import type { PlacedFinding } from './intake-record.ts'
import { columnNamed, type Recognition } from './layout.ts'
import type { Cell, Row, Said } from './sheet.ts'
import type { Column, Part } from './template.ts'

export type Fields = Record<string, unknown>

export interface ReadRow {
  readonly row: Row
  readonly parts: Readonly<Record<Part, Fields>>
  readonly findings: PlacedFinding[]
  /** Heading of the column a value stands in, by `part/field` or `part/field/field`. */
  readonly columnAt: ReadonlyMap<string, string>
}

/** Values for columns that a file does not have, or leaves blank in a row. */
export type Defaults = Readonly<Record<string, string>>

/** Codes that others' sheets do not have, and the name that stands in for each. */
const standIns = [
  ['shipFromLocationCode', 'shipFrom.locationName'],
  ['shipToLocationCode', 'shipTo.locationName'],
  ['vendorItemCode', 'caseGtin'],
  ['vendorItemCode', 'vendorItemDescription'],
  ['locationCode', 'locationName'],
  ['itemCode', 'gtin'],
  ['itemCode', 'itemDescription'],
] as const

export function rowReader(
  { layout, meanings }: Recognition,
  headings: readonly string[],
  defaults: Defaults,
  choices: Choices,
  note: (column: string, text: string) => void,
): (row: Row) => ReadRow {
  const columnOf = columnNamed(layout.table)

  /** What the cells of a row say, by column of the template. */
  const saidBy = (row: Row, findings: PlacedFinding[]): Map<string, Said> => {
    const said = new Map<string, Said>()
    for (const [at, cell] of row.cells.entries()) {
      if (cell === undefined || cell.text.trim() === '') continue
      const meaning = meanings[at]
      if (layout.foreign && /^n\/?a\b/i.test(cell.text.trim())) {
        note(headings[at] ?? '', 'says "n/a", which is taken as blank')
        continue
      }
      if (meaning === undefined)
        findings.push({
          severity: 'error',
          row: row.number,
          message: `${JSON.stringify(cell.text.slice(0, 40))} stands in a column without a heading.`,
          remedy: 'Give the column a heading, or empty it.',
        })
      else if (meaning === 'ignored') continue
      else if ('column' in meaning)
        for (const name of [meaning.column, ...(meaning.also ?? [])]) said.set(name, { cell, at })
      else
        for (const [name, text] of Object.entries(meaning.read(cell.text)))
          if (text !== '') said.set(name, { cell: { ...cell, text }, at })
    }
    return said
  }

  return (row) => {
    const findings: PlacedFinding[] = []
    const parts: Record<Part, Fields> = {
      payload: {},
      event: {},
      line: {},
      shipFrom: {},
      shipTo: {},
      product: {},
      record: {},
    }
    const columnAt = new Map<string, string>()
    const said = saidBy(row, findings)
    if (layout.foreign) {
      for (const lost of joinPairs(said))
        findings.push({
          severity: 'error',
          row: row.number,
          message: `${JSON.stringify(lost.slice(0, 80))} has no field in a receiving event.`,
          remedy:
            'A reference document is a bill of lading (BOL), an advance ship notice (ASN) or a purchase order (PO), one of each; name its kind so.',
        })
    }
    const put = (column: Column, cell: Cell, place: string) => {
      const { value, note: choice, problem, doubt } = readCell(column, cell, choices)
      if (choice !== undefined) note(place, choice)
      if (problem !== undefined) findings.push({ severity: 'error', row: row.number, column: place, message: problem })
      else if (doubt !== undefined)
        findings.push({ severity: 'warning', row: row.number, column: place, message: doubt })
      const [field, inner] = column.path
      const part = parts[column.part]
      columnAt.set(`${column.part}/${column.path.join('/')}`, place)
      if (value === undefined) return
      if (inner === undefined) part[field] = value
      else {
        part[field] ??= {}
        ;(part[field] as Fields)[inner] = value
      }
    }
    for (const [name, { cell, at }] of said) {
      const column = columnOf(name)
      if (column !== undefined) put(column, cell, headings[at] ?? '')
    }
    for (const [name, text] of Object.entries(defaults)) {
      const column = columnOf(name)
      if (column !== undefined && !said.has(name)) put(column, { text, is: 'text' }, name)
    }
    if (layout.foreign)
      for (const [code, name] of standIns) {
        const [codeColumn, nameColumn] = [columnOf(code), columnOf(name)]
        if (codeColumn === undefined || nameColumn === undefined) continue
        const part = parts[codeColumn.part]
        const value = parts[nameColumn.part][nameColumn.path[0]]
        if (given(part[codeColumn.path[0]]) || !given(value)) continue
        part[codeColumn.path[0]] = value
        columnAt.set(
          `${codeColumn.part}/${codeColumn.path[0]}`,
          columnAt.get(`${nameColumn.part}/${nameColumn.path[0]}`) ?? name,
        )
        note(code, `is missing; ${name} stands in for it`)
      }
    return { row, parts, findings, columnAt }
  }
}
