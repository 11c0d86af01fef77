// The rows of a table, of which only the visible ones are drawn, so that ten thousand rows scroll
// like ten.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { DrawnColumn } from '../../records/drawn-column.ts'
import { sortedBy, type Table, type TableView, usualView } from '../../records/table-view.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { useMedia } from '../../state/frame/media.ts'
import { usePrinting } from '../../state/frame/printing.ts'
import { useRowHeight } from '../../state/frame/row-height.ts'
import { dateTimeWords } from '../../words/labels.ts'

/** Heights in pixels. */
const rowHeights = { comfortable: 40, compact: 30 } as const
/** Of a card: its lines, and the space around them. */
const lineHeight = 24
const cardHeight = 12
/** Below this width, columns that were not chosen are left out. */
const wideFrom = 1_100
const narrow = '(max-width: 700px)'

/** Rows are drawn in steps of so many, and as many beyond each edge of the window. */
const step = 10

interface Props<Row> {
  readonly table: Table
  /** Those of the view, in its order. */
  readonly columns: readonly DrawnColumn<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** Where a row leads to, below `/console`. */
  readonly pathOf: (row: Row) => string
  readonly view: TableView
  readonly onSort: (view: TableView) => void
  /** Where rows can be chosen, to do something with all of them. */
  readonly choice?: RowChoice
}

/** Keys of the chosen rows. */
interface RowChoice {
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (chosen: ReadonlySet<string>) => void
}

/** Of the column with a box to tick for each row. */
const choiceWidth = 36

export function TableRows<Row>({ table, columns: all, rows, keyOf, pathOf, view, onSort, choice }: Props<Row>) {
  const box = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  const isPrinting = usePrinting()
  const [range, setRange] = useState<readonly [number, number]>([0, 60])
  const isNarrow = useMedia(narrow)
  const [width, setWidth] = useState(0)
  const [timeWidth, setTimeWidth] = useState(0)
  const [first, end] = isPrinting ? [0, rows.length] : range
  const usualHeight = useRowHeight()
  const chosenHeight = rowHeights[view.rows ?? usualHeight]
  const isUsual = view.columns.join() === usualView(table).columns.join()
  const columns = all.filter(({ wide }) => !(wide && isUsual && (isNarrow || (width > 0 && width < wideFrom))))
  const long = columns.filter(({ isLong }) => isLong).length
  const height = isNarrow ? cardHeight + lineHeight * (long + Math.ceil((columns.length - long) / 2)) : chosenHeight

  useLayoutEffect(() => {
    const look = () => {
      setWidth(box.current?.clientWidth ?? 0)
      if (box.current) setTimeWidth(timeWidthIn(box.current))
      const above = -(body.current?.getBoundingClientRect().top ?? 0)
      const from = Math.max(0, Math.floor(above / height / step) - 1) * step
      const to = (Math.ceil((above + innerHeight) / height / step) + 1) * step
      setRange((before) => (before[0] === from && before[1] === to ? before : [from, to]))
    }
    look()
    addEventListener('scroll', look, { passive: true })
    addEventListener('resize', look)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', look)
    }
  }, [rows.length, height])

  const widths = widthsOf(columns, width - (choice ? choiceWidth : 0), timeWidth)
  const shown = rows.slice(first, end)
  const after = Math.max(0, rows.length - end)
  return (
    <div ref={box}>
      <table class="rows" aria-rowcount={rows.length + 1} aria-label={table.words}>
        <colgroup>
          {choice && <col style={{ width: `${choiceWidth}px` }} />}
          {columns.map(({ name }, n) => (
            <col key={name} style={{ width: `${widths[n]}px` }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {choice && (
              <th scope="col" class="choose">
                <ChooseAll {...choice} keys={rows.map(keyOf)} nouns={table.words.toLowerCase()} />
              </th>
            )}
            {columns.map((column) => (
              <Heading key={column.name} column={column} view={view} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {first > 0 && (
            <Space height={Math.min(first, rows.length) * height} columns={columns.length + (choice ? 1 : 0)} />
          )}
          {shown.map((row, i) => (
            <DrawnRow
              key={keyOf(row)}
              row={row}
              path={pathOf(row)}
              columns={columns}
              choice={choice}
              id={keyOf(row)}
              index={first + i + 2}
              height={height}
            />
          ))}
          {after > 0 && <Space height={after * height} columns={columns.length + (choice ? 1 : 0)} />}
        </tbody>
      </table>
    </div>
  )
}

const classOf = ({ onScreen, isTime, isLong }: Omit<DrawnColumn<never>, 'cell' | 'text'>): string | undefined =>
  isTime ? 'time' : isLong ? 'long' : onScreen ? 'on-screen' : undefined

/** Time columns have a fixed width. The other columns share the rest. */
function widthsOf(
  columns: readonly Pick<DrawnColumn<never>, 'isTime' | 'share'>[],
  width: number,
  timeWidth: number,
): readonly number[] {
  const times = columns.filter(({ isTime }) => isTime).length
  const shares = columns.reduce((sum, { isTime, share }) => sum + (isTime ? 0 : share), 0)
  const rest = Math.max(0, width - times * timeWidth)
  return columns.map(({ isTime, share }) => (isTime ? timeWidth : (rest * share) / shares))
}

const pen = document.createElement('canvas').getContext('2d')
/** The longest time, in digits as wide as those of a table, and the space around it. */
const longestTime = '0000-00-00 00:00:00 −00:00'
const cellPadding = 24

function timeWidthIn(box: HTMLElement): number {
  if (pen === null) return 240
  const { fontSize, fontFamily } = getComputedStyle(box)
  pen.font = `500 ${fontSize} ${fontFamily}`
  return Math.ceil(pen.measureText(longestTime).width) + cellPadding
}

interface HeadingProps extends Pick<Props<never>, 'view' | 'onSort'> {
  readonly column: DrawnColumn<never>
}

function Heading({ column, view, onSort }: HeadingProps) {
  const { heading, sort, tip } = column
  if (sort === undefined)
    return (
      <th scope="col" class={classOf(column)} title={tip}>
        {heading}
      </th>
    )
  const isSorted = view.sort === sort
  return (
    <th scope="col" aria-sort={isSorted ? (view.ascending ? 'ascending' : 'descending') : 'none'}>
      <button type="button" class="sort" onClick={() => onSort(sortedBy(view, column))}>
        {heading}
        <span class="sort-mark" aria-hidden="true">
          {isSorted && !view.ascending ? '↓' : '↑'}
        </span>
      </button>
    </th>
  )
}

const Space = ({ height, columns }: { readonly height: number; readonly columns: number }) => (
  <tr class="space">
    <td colSpan={columns} style={{ height: `${height}px` }} />
  </tr>
)

/** What tells a row from others that begin alike. */
const nameOf = <Row,>(row: Row, columns: readonly DrawnColumn<Row>[]): string =>
  columns
    .slice(0, 4)
    .map(({ isTime, text }) => (isTime ? dateTimeWords(String(text(row))) : text(row)))
    .filter((text) => text !== '')
    .join(', ')

/** With the key, or without it where it was chosen. */
function toggled(chosen: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(chosen)
  if (!next.delete(key)) next.add(key)
  return next
}

/** Chooses every row that is loaded, or none. */
const ChooseAll = ({
  chosen,
  onChoose,
  keys,
  nouns,
}: RowChoice & { readonly keys: readonly string[]; readonly nouns: string }) => {
  const count = keys.filter((key) => chosen.has(key)).length
  return (
    <input
      type="checkbox"
      aria-label={`Choose all ${keys.length.toLocaleString('en')} loaded ${nouns}`}
      checked={count > 0 && count === keys.length}
      indeterminate={count > 0 && count < keys.length}
      onChange={() => onChoose(new Set(count === keys.length ? [] : keys))}
    />
  )
}

interface RowProps<Row> {
  readonly choice: RowChoice | undefined
  readonly id: string
  readonly row: Row
  readonly path: string
  readonly columns: readonly DrawnColumn<Row>[]
  readonly index: number
  readonly height: number
}

const DrawnRow = <Row,>({ choice, id, row, path, columns, index, height }: RowProps<Row>) => (
  <tr aria-rowindex={index} style={{ height: `${height}px` }}>
    {choice && (
      <td class="choose">
        <input
          type="checkbox"
          aria-label={`Choose ${nameOf(row, columns)}`}
          checked={choice.chosen.has(id)}
          onChange={() => choice.onChoose(toggled(choice.chosen, id))}
        />
      </td>
    )}
    {columns.map((column, i) => (
      <td key={column.name} class={classOf(column)} data-words={column.heading}>
        {i === 0 ? (
          <a class="row-link" href={hrefTo(path)}>
            {column.text(row) === '' ? 'no name' : column.cell(row)}
          </a>
        ) : (
          column.cell(row)
        )}
      </td>
    ))}
  </tr>
)
