// The columns of another program's sheet, each with its mapping or a suggestion.
import type { Row } from 'lotkeeper-sheets/sheet'
import { type ColumnMatch, type ColumnValues, comparedRowsMax, matchColumns, suggestKind } from './column-matches.ts'
import type { SheetColumn, SheetColumns } from './intake-record.ts'
import { isReasonHeading, type Recognition, type SheetContext, titlesOf } from './layout.ts'
import { eventKindOf } from './template.ts'

const sampleLengthMax = 60

/** The first hundred texts below each heading. */
export function valuesBelow(headings: Row, looked: readonly Row[]): readonly ColumnValues[] {
  const below = looked.slice(looked.indexOf(headings) + 1).slice(0, comparedRowsMax)
  return titlesOf(Array.from(headings.cells, (cell) => cell?.text)).map((title, at) => ({
    title,
    values: below.flatMap(({ cells }) => cells[at]?.text.trim() || []),
  }))
}

const columnOf = ({ title, values }: ColumnValues, { column, basis }: ColumnMatch): SheetColumn => ({
  title,
  sample: (values[0] ?? '').slice(0, sampleLengthMax),
  column,
  basis,
})

/** Columns of a known table that the mapping names, that are not known, or that mean the same. */
export function columnsInQuestion(
  { layout, meanings, unknown, repeated, mapped, isOpen }: Recognition,
  values: readonly ColumnValues[],
  sheet: string,
  { kind: chosen }: Partial<Pick<SheetContext, 'kind'>>,
): SheetColumns {
  const found = eventKindOf(layout.table)
  const kind = found && ((isOpen && chosen === undefined ? suggestKind(values, sheet) : undefined) ?? found)
  const inQuestion = new Map<number, ColumnMatch>()
  for (const [at, column] of mapped) inQuestion.set(at, { column, basis: { is: 'chosen' } })
  for (const { first, second, column } of repeated) {
    if (column !== undefined) inQuestion.set(first, { column, basis: { is: 'chosen' } })
    const basis =
      column === undefined
        ? ({ is: 'unknown' } as const)
        : ({ is: 'contested', column, by: values[first]?.title ?? '' } as const)
    inQuestion.set(second, { column: null, basis })
  }
  const taken = new Map<string, string>()
  for (const [at, meaning] of meanings.entries())
    if (meaning !== undefined && meaning !== 'ignored' && 'column' in meaning)
      taken.set(meaning.column, values[at]?.title ?? '')
  const open = unknown.filter((at) => !inQuestion.has(at))
  const matches = matchColumns(
    open.flatMap((at) => values[at] ?? []),
    kind ?? 'receivingEvent',
    taken,
  )
  for (const [i, at] of open.entries()) {
    const match = matches[i]
    if (match !== undefined) inQuestion.set(at, match)
  }
  const given = [...taken.keys()].filter((name) => ![...inQuestion.values()].some(({ column }) => column === name))
  const columns = values.flatMap((one, at) => {
    const match = inQuestion.get(at)
    return match === undefined ? [] : [columnOf(one, match)]
  })
  return { is: 'columns', sheet, kind, isRead: unknown.length + repeated.length === 0, given, columns }
}

/** All columns of a sheet of no known table. */
export function allColumns(
  values: readonly ColumnValues[],
  sheet: string,
  { kind: chosen, mapping }: Partial<Pick<SheetContext, 'kind' | 'mapping'>>,
): SheetColumns {
  const kind = chosen ?? mapping?.kind ?? suggestKind(values, sheet) ?? 'receivingEvent'
  const said = new Map(Object.entries(mapping?.columns ?? {}))
  const theirs = values.filter(({ title }) => title !== '' && !isReasonHeading(title))
  const taken = new Map<string, string>()
  for (const { title } of values) {
    const column = said.get(title)
    if (typeof column === 'string') taken.set(column, title)
  }
  const open = theirs.filter(({ title }) => !said.has(title))
  const matches = new Map(matchColumns(open, kind, taken).map((match, i) => [open[i], match]))
  const columns = theirs.map((one) =>
    columnOf(one, matches.get(one) ?? { column: said.get(one.title) ?? null, basis: { is: 'chosen' } }),
  )
  return { is: 'columns', sheet, kind, isRead: false, given: [], columns }
}

/** Why a sheet of a known table is not imported, as sentences. */
export const problemsOf = (
  { unknown, repeated, titles }: Recognition,
  { columns }: SheetColumns,
): readonly string[] => [
  ...unknown.map((at) => {
    const match = columns.find(({ title }) => title === titles[at])
    const perhaps = match?.column ? `; perhaps it is ${match.column}` : ''
    return `The column "${titles[at]}" is not known${perhaps}. Map it to a column, or to null to leave it out. A sheet with unknown columns is not imported.`
  }),
  ...repeated.map(({ text }) => text),
]
