// A table whose rows are all here, with all that tables of records have: filters, order, columns,
// views and its file. A row opens to a dialog that has an address.
import type { ComponentChildren } from 'preact'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { useSaving } from '../../files/saving.ts'
import { fileOfTable, type TableFormat } from '../../files/table-file.ts'
import type { DrawnColumn } from '../../records/drawn-column.ts'
import { type LocalTable as Declared, localColumns, localRows, localValues } from '../../records/local-table.ts'
import { viewIn, viewQuery } from '../../records/table-view.ts'
import { go } from '../../state/frame/address.ts'
import { printPage } from '../../state/frame/printing.ts'
import { showView } from '../../state/frame/shown-view.ts'
import { Empty } from '../frame/states.tsx'
import { FilterBar } from './filter-bar.tsx'
import { SavingState } from './saving-state.tsx'
import { TableActions, UnknownFilters } from './table-actions.tsx'
import { TableRows } from './table-rows.tsx'

interface Props<Row> {
  readonly table: Declared<Row, DrawnColumn<Row>>
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly query: URLSearchParams
  /** Filters in sight beside the search. */
  readonly shownElsewhere?: readonly string[]
  /** Drawn between filters and rows, for the rows that are shown. */
  readonly above?: (shown: readonly Row[]) => ComponentChildren
  /** True while there are no rows yet: what is above says why. */
  readonly isPending?: boolean
  /** The dialog of a row. */
  readonly opened: (row: Row, close: () => void) => ComponentChildren
}

/** Names the row whose dialog is open. */
const openedName = 'open'

export function LocalTable<Row>({ table, rows, keyOf, query, shownElsewhere = [], ...more }: Props<Row>) {
  const { above, isPending = false, opened } = more
  const { view, unknown } = viewIn(query, table, [openedName])
  const columns = localColumns(table, view.columns)
  const shown = localRows(table, rows, view)
  const open = rows.find((row) => keyOf(row) === query.get(openedName))
  const { saving, save, giveUp } = useSaving()
  const saveAs = (format: TableFormat) => save(async () => ({ file: fileOfTable(table.words, columns, shown, format) }))
  const pathOf = (row: Row): string => {
    const chosen = new URLSearchParams(viewQuery(view, table))
    chosen.set(openedName, keyOf(row))
    return `${table.path}?${chosen}`
  }
  const results = <p class="total">{pluralize(shown.length, 'result')}</p>
  return (
    <>
      <FilterBar
        declared={table.filters}
        search={table.search}
        shownElsewhere={shownElsewhere}
        filters={view.filters}
        onFilter={(filters) => showView(table, { ...view, filters })}
        values={{
          of: table.picked,
          nouns: table.nouns,
          ask: async (of, containing) => localValues(table, rows, { filters: view.filters, of, containing }),
        }}
        beside={<TableActions table={table} view={view} total={results} onSave={saveAs} onPrint={printPage} />}
      />
      <SavingState saving={saving} giveUp={giveUp} again={() => saveAs('xlsx')} />
      <UnknownFilters unknown={unknown} />
      {above?.(shown)}
      {isPending ? null : shown.length === 0 ? (
        <Empty title={`No ${table.nouns} match these filters`} />
      ) : (
        <TableRows
          table={table}
          columns={columns}
          rows={shown}
          keyOf={keyOf}
          pathOf={pathOf}
          view={view}
          onSort={(next) => showView(table, next)}
        />
      )}
      {open !== undefined && opened(open, () => go(table.path + viewQuery(view, table), { replace: true }))}
    </>
  )
}
