// Which columns a table shows, in which order, and how high its rows are.
import type { RecordSection } from '../records/record-sections.ts'
import { type TableView, usualView } from '../records/table-view.ts'
import { type RowHeight, setRowHeight, useRowHeight } from '../state/row-height.ts'
import { Menu } from './menu.tsx'

interface Props {
  readonly section: RecordSection
  readonly view: TableView
  readonly onChange: (view: TableView) => void
}

const heights: readonly (readonly [RowHeight, string])[] = [
  ['comfortable', 'Comfortable'],
  ['compact', 'Compact'],
]

export function ColumnMenu({ section, view, onChange }: Props) {
  const height = useRowHeight()
  const { columns } = view
  const hidden = section.columns.filter(({ name }) => !columns.includes(name))
  const shown = columns.flatMap((name) => section.columns.find((column) => column.name === name) ?? [])
  const show = (names: readonly string[]) => onChange({ ...view, columns: names })
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
          {heights.map(([name, words]) => (
            <button key={name} type="button" aria-pressed={height === name} onClick={() => setRowHeight(name)}>
              {words}
            </button>
          ))}
        </fieldset>
        <button type="button" class="plain" onClick={() => show(usualView(section).columns)}>
          Usual columns
        </button>
      </div>
    </Menu>
  )
}
