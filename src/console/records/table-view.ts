// What a table shows, as it stands in the address: filters, columns and order. Pure.
import type { ListColumn } from '../../contract/list-columns.ts'
import { type Filters, filtersIn, queryOf } from './filters.ts'
import type { RecordSection } from './record-sections.ts'

export interface TableView {
  readonly filters: Filters
  /** Names of columns in their order. */
  readonly columns: readonly string[]
  readonly sort: string
  readonly ascending: boolean
}

/** What a person sees who has not chosen anything. */
export const usualView = ({ columns, sort }: Pick<RecordSection, 'columns' | 'sort'>): TableView => ({
  filters: {},
  columns: columns.filter(({ shown }) => shown).map(({ name }) => name),
  sort,
  ascending: false,
})

/** Reads an address; what it names and is not there is said. */
export function viewIn(
  query: URLSearchParams,
  section: RecordSection,
): { readonly view: TableView; readonly unknown: readonly string[] } {
  const usual = usualView(section)
  const rest = new URLSearchParams(query)
  for (const name of ['sort', 'direction', 'columns']) rest.delete(name)
  const { filters, unknown } = filtersIn(rest, section.filters)
  const strange = [...unknown]
  const sort = query.get('sort') ?? usual.sort
  const isKnown = sort === 'created' || section.columns.some((column) => column.sort === sort)
  if (!isKnown) strange.push(`sort=${sort}`)
  const named = query.get('columns')?.split(',').filter(Boolean) ?? []
  const columns = named.filter((name) => section.columns.some((column) => column.name === name))
  if (columns.length < named.length) strange.push('columns')
  return {
    view: {
      filters,
      columns: columns.length > 0 ? [...new Set(columns)] : usual.columns,
      sort: isKnown ? sort : usual.sort,
      ascending: isKnown && query.get('direction') === 'ascending',
    },
    unknown: strange,
  }
}

/** As it stands in an address, with the question mark: only what differs from the usual view. */
export function viewQuery(view: TableView, section: RecordSection): string {
  const usual = usualView(section)
  const columns = view.columns.join(',')
  return queryOf({
    ...view.filters,
    columns: columns === usual.columns.join(',') ? '' : columns,
    sort: view.sort === usual.sort ? '' : view.sort,
    direction: view.ascending ? 'ascending' : '',
  })
}

/** The order of the call. */
export const askedOrder = ({ sort, ascending }: TableView): Readonly<Record<string, string>> => ({
  ...(sort !== 'created' && { sort }),
  ...(ascending && { direction: 'ascending' }),
})

/** The order after a click on a heading: texts from A on first, times from the newest on. */
export const sortedBy = (view: TableView, { sort }: ListColumn): TableView =>
  sort === undefined
    ? view
    : { ...view, sort, ascending: view.sort === sort ? !view.ascending : sort !== 'eventDateTime' }
