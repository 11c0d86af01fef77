// The possible and the current view of a table, as its address states it: filters, columns, order
// and the height of its rows. Pure.
import { type DeclaredFilter, type Filters, filtersIn, queryOf } from './filters.ts'

/** A column as far as an address names it. */
export interface NamedColumn {
  readonly name: string
  readonly heading: string
  /** Its name as an order of the table. */
  readonly sort?: string
  /** Shown unless others are chosen. */
  readonly shown?: true
}

/** A table whose view can be chosen and saved. */
export interface Table {
  /** Below `/console`. */
  readonly path: string
  readonly words: string
  /** The noun for its rows. */
  readonly nouns: string
  /** The subject of its saved views. */
  readonly list: string
  readonly filters: Readonly<Record<string, DeclaredFilter>>
  /** The filter that people use most; always visible. */
  readonly search: string
  /** Filters whose values can be listed. */
  readonly picked: readonly string[]
  readonly columns: readonly NamedColumn[]
  /** The default order, the newest first. */
  readonly sort: string
}

export const rowHeightNames = ['comfortable', 'compact'] as const
export type RowHeight = (typeof rowHeightNames)[number]

export interface TableView {
  readonly filters: Filters
  /** Names of columns in their order. */
  readonly columns: readonly string[]
  readonly sort: string
  readonly ascending: boolean
  /** Undefined where the browser's own choice holds. */
  readonly rows?: RowHeight | undefined
}

/** The view of a person who has not chosen anything. */
export const usualView = ({ columns, sort }: Pick<Table, 'columns' | 'sort'>): TableView => ({
  filters: {},
  columns: columns.filter(({ shown }) => shown).map(({ name }) => name),
  sort,
  ascending: false,
})

/** Reads an address, and reports unknown names in it. `alsoKnown` is known to the page. */
export function viewIn(
  query: URLSearchParams,
  table: Pick<Table, 'columns' | 'sort' | 'filters'>,
  alsoKnown: readonly string[] = [],
): { readonly view: TableView; readonly unknown: readonly string[] } {
  const usual = usualView(table)
  const rest = new URLSearchParams(query)
  for (const name of ['sort', 'direction', 'columns', 'rows', ...alsoKnown]) rest.delete(name)
  const { filters, unknown } = filtersIn(rest, table.filters)
  const strange = [...unknown]
  const sort = query.get('sort') ?? usual.sort
  const isKnown = sort === usual.sort || sort === 'created' || table.columns.some((column) => column.sort === sort)
  if (!isKnown) strange.push(`sort=${sort}`)
  const named = query.get('columns')?.split(',').filter(Boolean) ?? []
  const columns = named.filter((name) => table.columns.some((column) => column.name === name))
  if (columns.length < named.length) strange.push('columns')
  return {
    view: {
      filters,
      columns: columns.length > 0 ? [...new Set(columns)] : usual.columns,
      sort: isKnown ? sort : usual.sort,
      ascending: isKnown && query.get('direction') === 'ascending',
      rows: rowHeightNames.find((name) => name === query.get('rows')),
    },
    unknown: strange,
  }
}

/** The view as an address, with the question mark: only differences from the usual view. */
export function viewQuery(view: TableView, table: Pick<Table, 'columns' | 'sort' | 'filters'>): string {
  const usual = usualView(table)
  const columns = view.columns.join(',')
  return queryOf(
    {
      ...view.filters,
      columns: columns === usual.columns.join(',') ? '' : columns,
      sort: view.sort === usual.sort ? '' : view.sort,
      direction: view.ascending ? 'ascending' : '',
      rows: view.rows ?? '',
    },
    table.filters,
  )
}

/** The order of the call. */
export const askedOrder = ({ sort, ascending }: TableView): Readonly<Record<string, string>> => ({
  ...(sort !== 'created' && { sort }),
  ...(ascending && { direction: 'ascending' }),
})

/** The order after a click on a heading: texts from A on first, times from the newest on. */
export const sortedBy = (view: TableView, { sort }: Pick<NamedColumn, 'sort'>): TableView =>
  sort === undefined
    ? view
    : { ...view, sort, ascending: view.sort === sort ? !view.ascending : !sort.endsWith('DateTime') }
