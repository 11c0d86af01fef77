// Beside the filters of a table: how many rows there are, its views, its file and its columns.
import type { ComponentChildren } from 'preact'
import type { TableFormat } from '../../files/table-file.ts'
import { type Table, type TableView, viewQuery } from '../../records/table-view.ts'
import { useRowHeight } from '../../state/frame/row-height.ts'
import { Menu } from '../frame/menu.tsx'
import { ColumnMenu } from './column-menu.tsx'
import { ViewMenu } from './view-menu.tsx'

interface Props {
  readonly table: Table
  readonly view: TableView
  /** How many rows there are. */
  readonly total: ComponentChildren
  readonly onSave: (format: TableFormat) => void
  readonly onPrint: () => void
}

export function TableActions({ table, view, total, onSave, onPrint }: Props) {
  const usualRows = useRowHeight()
  return (
    <div class="table-actions">
      {total}
      <ViewMenu table={table} query={viewQuery({ ...view, rows: view.rows ?? usualRows }, table)} />
      <SaveMenu onSave={onSave} onPrint={onPrint} />
      <ColumnMenu table={table} view={view} />
    </div>
  )
}

const ways = [
  ['xlsx', 'Excel workbook (.xlsx)'],
  ['csv', 'CSV (.csv)'],
  ['print', 'Print, or save as PDF'],
] as const

/** Saves the table as a file, or prints it: all of its rows, in its order and columns. */
const SaveMenu = ({ onSave, onPrint }: Pick<Props, 'onSave' | 'onPrint'>) => (
  <Menu words="Save as">
    {(close) => (
      <ul class="column-list">
        {ways.map(([way, words]) => (
          <li key={way}>
            <button
              type="button"
              class="plain view-link"
              onClick={() => {
                close()
                if (way === 'print') onPrint()
                else onSave(way)
              }}
            >
              {words}
            </button>
          </li>
        ))}
      </ul>
    )}
  </Menu>
)

/** Unknown names in the address. */
export const UnknownFilters = ({ unknown }: { readonly unknown: readonly string[] }) =>
  unknown.length === 0 ? null : (
    <p class="callout" role="alert">
      The address contains {unknown.join(', ')}, which this page does not know. It is ignored, so the list may show more
      than you asked for.
    </p>
  )
