// A table of things, all of which are drawn. A column has its heading and its cells in one place:
// where the window is narrow, rows are cards and each cell has the heading beside it.
import type { Column } from '../../records/drawn-column.ts'

interface Attributes {
  readonly class?: string | undefined
  readonly id?: string
  readonly tabIndex?: number
}

export interface DataTableProps<Row> {
  readonly label: string
  /** `false` and `undefined` are skipped. */
  readonly columns: readonly (Column<Row> | false | undefined)[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
  readonly class?: string
  /** False for a table of few narrow columns, which fits any window. */
  readonly isCards?: boolean
  /** True for many columns: the table scrolls in a box where the window is too narrow. */
  readonly isWide?: boolean
  readonly rowAttributes?: (row: Row, index: number) => Attributes
}

export function DataTable<Row>({ isWide = false, ...table }: DataTableProps<Row>) {
  if (!isWide) return <Cells {...table} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section class="scroller" tabIndex={0} aria-label={table.label}>
      <Cells {...table} />
    </section>
  )
}

function Cells<Row>({ label, columns, rows, keyOf, isCards = true, rowAttributes, ...more }: DataTableProps<Row>) {
  const drawn = columns.filter((column) => column !== false && column !== undefined)
  const naming = drawn.find(({ isName }) => isName) ?? drawn[0]
  return (
    <table class={joinClasses('measures', isCards && 'cards', more.class)} aria-label={label}>
      <thead>
        <tr>
          {drawn.map((column) => (
            <th key={column.heading} scope="col" class={classOf(column)}>
              {column.isAction ? <span class="hidden">{column.heading}</span> : column.heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          <tr key={keyOf(row)} {...rowAttributes?.(row, i)}>
            {drawn.map((column) =>
              column === naming ? (
                <th key={column.heading} scope="row" class={column.class}>
                  {column.cell(row)}
                </th>
              ) : (
                <td
                  key={column.heading}
                  class={classOf(column, column.class)}
                  data-words={column.isAction ? undefined : column.heading}
                >
                  {column.cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const classOf = ({ isNumber, onScreen }: Pick<Column<never>, 'isNumber' | 'onScreen'>, own?: string) =>
  joinClasses(isNumber && 'number', onScreen && 'on-screen', own)

const joinClasses = (...names: readonly (string | false | undefined)[]): string | undefined =>
  names.filter(Boolean).join(' ') || undefined
