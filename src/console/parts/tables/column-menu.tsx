// Which columns a table shows, in which order, and how high its rows are.
import { type RowHeight, rowHeightNames, type Table, type TableView, usualView } from '../../records/table-view.ts'
import { setRowHeight, useRowHeight } from '../../state/frame/row-height.ts'
import { showView } from '../../state/frame/shown-view.ts'
import { Menu } from '../frame/menu.tsx'

interface Props {
  readonly table: Table
  readonly view: TableView
}

const heightWords: Readonly<Record<RowHeight, string>> = { comfortable: 'Comfortable', compact: 'Compact' }

export function ColumnMenu({ table, view }: Props) {
  const usualRows = useRowHeight()
  const rows = view.rows ?? usualRows
  const { columns } = view
  const hidden = table.columns.filter(({ name }) => !columns.includes(name))
  const shown = columns.flatMap((name) => table.columns.find((column) => column.name === name) ?? [])
  const show = (names: readonly string[]) => showView(table, { ...view, columns: names })
  const setHeight = (height: RowHeight) => {
    setRowHeight(height)
    // No step back: the same rows are shown.
    showView(table, { ...view, rows: height }, { replace: true })
  }
  const move = (name: string, by: number) => {
    const at = columns.indexOf(name)
    const others = columns.filter((one) => one !== name)
    show([...others.slice(0, at + by), name, ...others.slice(at + by)])
  }
  return (
    <Menu words="Columns">
      <ul class="column-list">
        {shown.map(({ name, heading }, n) => (
          <li key={name}>
            <label>
              <input
                type="checkbox"
                checked
                disabled={columns.length === 1}
                onChange={() => show(columns.filter((one) => one !== name))}
              />
              {heading}
            </label>
            <button
              type="button"
              class="plain"
              disabled={n === 0}
              onClick={() => move(name, -1)}
              aria-label={`Move ${heading} left`}
            >
              ↑
            </button>
            <button
              type="button"
              class="plain"
              disabled={n === shown.length - 1}
              onClick={() => move(name, 1)}
              aria-label={`Move ${heading} right`}
            >
              ↓
            </button>
          </li>
        ))}
        {hidden.map(({ name, heading }) => (
          <li key={name}>
            <label>
              <input type="checkbox" checked={false} onChange={() => show([...columns, name])} />
              {heading}
            </label>
          </li>
        ))}
      </ul>
      <div class="menu-end">
        <span aria-hidden="true">Row height</span>
        <fieldset class="choice" aria-label="Row height">
          {rowHeightNames.map((name) => (
            <button key={name} type="button" aria-pressed={rows === name} onClick={() => setHeight(name)}>
              {heightWords[name]}
            </button>
          ))}
        </fieldset>
        <button type="button" class="plain" onClick={() => show(usualView(table).columns)}>
          Usual columns
        </button>
      </div>
    </Menu>
  )
}
