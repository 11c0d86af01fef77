// Tables whose rows are all here: they are filtered and sorted in the page. Pure.
import type { ListValues } from '../../client/generated/shapes.ts'
import { valuesOf } from './filters.ts'
import type { NamedColumn, Table, TableView } from './table-view.ts'

/** A value of a row, and its name. */
interface RowValue {
  readonly value: string
  readonly label?: string | null
}

/** A column with the text of its cells. */
export interface TextColumn<Row> extends NamedColumn {
  readonly text: (row: Row) => string | number
}

export interface LocalTable<Row, Column extends TextColumn<Row> = TextColumn<Row>> extends Table {
  readonly columns: readonly Column[]
  /** What a row has of each filter but the search; it fits by one of them. */
  readonly valuesIn: Readonly<Record<string, (row: Row) => readonly RowValue[]>>
  /** The text that is searched: a row matches when it contains every word. */
  readonly textIn: (row: Row) => string
  /** Ids that the search finds by their beginning: any digit is somewhere in them. */
  readonly idsIn: (row: Row) => readonly (string | null)[]
}

const fits = <Row>(table: LocalTable<Row>, name: string, text: string, row: Row): boolean => {
  if (name === table.search) {
    const whole = table.textIn(row).toLowerCase()
    const sought = text.toLowerCase()
    return (
      sought.split(/\s+/).every((word) => whole.includes(word)) ||
      table.idsIn(row).some((id) => id?.toLowerCase().startsWith(sought))
    )
  }
  const wanted = valuesOf(text)
  return table.valuesIn[name]?.(row).some(({ value }) => wanted.includes(value)) ?? true
}

const fitting = <Row>(table: LocalTable<Row>, rows: readonly Row[], filters: TableView['filters']): readonly Row[] =>
  rows.filter((row) => Object.entries(filters).every(([name, text]) => fits(table, name, text, row)))

/** The columns of a view, in its order. */
export const localColumns = <Row, Column extends TextColumn<Row>>(
  { columns }: LocalTable<Row, Column>,
  names: readonly string[],
): readonly Column[] => names.flatMap((name) => columns.filter((column) => column.name === name))

/** The rows that a view shows, in its order; those that are equal stay as they came. */
export function localRows<Row>(table: LocalTable<Row>, rows: readonly Row[], view: TableView): readonly Row[] {
  const column = table.columns.find(({ sort }) => sort === view.sort)
  const shown = fitting(table, rows, view.filters)
  if (column === undefined) return shown
  const way = view.ascending ? 1 : -1
  return [...shown].sort((a, b) => way * compare(column.text(a), column.text(b)))
}

const collator = new Intl.Collator('en', { numeric: true })

const compare = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b))

interface ValuesAsked {
  readonly filters: TableView['filters']
  /** Name of the filter. */
  readonly of: string
  readonly containing: string
}

/** The values of a filter among the rows that the other filters leave, those of most rows first. */
export function localValues<Row>(
  table: LocalTable<Row>,
  rows: readonly Row[],
  { filters, of, containing }: ValuesAsked,
): ListValues {
  const { [of]: _, ...others } = filters
  const counts = new Map<string, ListValues['content'][number]>()
  for (const row of fitting(table, rows, others))
    for (const { value, label = null } of table.valuesIn[of]?.(row) ?? [])
      counts.set(value, { value, label, records: (counts.get(value)?.records ?? 0) + 1 })
  const text = containing.toLowerCase()
  return {
    content: [...counts.values()]
      .filter(({ value, label }) => `${value} ${label ?? ''}`.toLowerCase().includes(text))
      .sort((a, b) => b.records - a.records),
    isWhole: true,
  }
}
