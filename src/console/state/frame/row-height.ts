// How high rows of tables are: a choice of the person at this browser.
import type { RowHeight } from '../../records/table-view.ts'
import { signal } from './signal.ts'

const storedUnder = 'lotkeeper.rowHeight'

const rowHeight = signal<RowHeight>(localStorage.getItem(storedUnder) === 'compact' ? 'compact' : 'comfortable')

export const useRowHeight = (): RowHeight => rowHeight.use()

export function setRowHeight(height: RowHeight): void {
  localStorage.setItem(storedUnder, height)
  rowHeight.set(height)
}
