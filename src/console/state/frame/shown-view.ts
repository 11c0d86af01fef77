// The view of a table that is shown is the one in the address.
import { type Table, type TableView, viewQuery } from '../../records/table-view.ts'
import { go } from './address.ts'

export const showView = (table: Table, view: TableView, options?: { readonly replace?: boolean }): void =>
  go(table.path + viewQuery(view, table), options)
