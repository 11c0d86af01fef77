// Saves what a table shows as a file: all of its rows, in its order and columns.
import { Menu } from './menu.tsx'

interface Props {
  readonly onSave: (format: 'xlsx' | 'csv') => void
}

const formats = [
  ['xlsx', 'Excel workbook (.xlsx)'],
  ['csv', 'CSV (.csv)'],
] as const

export const SaveMenu = ({ onSave }: Props) => (
  <Menu words="Save as">
    {(close) => (
      <ul class="column-list">
        {formats.map(([format, words]) => (
          <li key={format}>
            <button
              type="button"
              class="plain view-link"
              onClick={() => {
                onSave(format)
                close()
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
