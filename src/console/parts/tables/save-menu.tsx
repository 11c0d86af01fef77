// Saves a table as a file, or prints it: all of its rows, in its order and columns.
import type { TableFormat } from '../../files/table-file.ts'
import { Menu } from '../frame/menu.tsx'

interface Props {
  readonly onSave: (format: TableFormat) => void
  readonly onPrint: () => void
}

const ways = [
  ['xlsx', 'Excel workbook (.xlsx)'],
  ['csv', 'CSV (.csv)'],
  ['print', 'Print, or save as PDF'],
] as const

export const SaveMenu = ({ onSave, onPrint }: Props) => (
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
