// A list of records as a table of which only what is in sight is drawn, so that ten thousand rows
// scroll like ten.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { AnyRecord } from '../../client/client.ts'
import { type Column, recordColumns } from '../records/record-columns.tsx'
import type { RecordSection } from '../records/record-sections.ts'
import { hrefTo } from '../state/address.ts'

/** Heights in pixels, as in the stylesheet. */
const rowHeight = 40
const narrowRowHeight = 84
const narrow = matchMedia('(max-width: 700px)')
const printing = matchMedia('print')

/** Rows are drawn in steps of so many, and as many beyond each edge of the window. */
const step = 10

interface Props {
  readonly section: RecordSection
  readonly records: readonly AnyRecord[]
}

export function RecordRows({ section, records }: Props) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [[first, end], setRange] = useState<readonly [number, number]>([0, 60])
  const [isNarrow, setNarrow] = useState(narrow.matches)
  const height = isNarrow ? narrowRowHeight : rowHeight

  useLayoutEffect(() => {
    const look = () => {
      if (printing.matches) return setRange([0, records.length])
      const above = -(body.current?.getBoundingClientRect().top ?? 0)
      const from = Math.max(0, Math.floor(above / height / step) - 1) * step
      const to = (Math.ceil((above + innerHeight) / height / step) + 1) * step
      setRange((before) => (before[0] === from && before[1] === to ? before : [from, to]))
    }
    look()
    addEventListener('scroll', look, { passive: true })
    addEventListener('resize', look)
    printing.addEventListener('change', look)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', look)
      printing.removeEventListener('change', look)
    }
  }, [records.length, height])

  useEffect(() => {
    const look = () => setNarrow(narrow.matches)
    narrow.addEventListener('change', look)
    return () => narrow.removeEventListener('change', look)
  }, [])

  const columns = recordColumns[section.kind.name]
  const shown = records.slice(first, end)
  const after = Math.max(0, records.length - end)
  return (
    <table class="rows" aria-rowcount={records.length + 1} aria-label={section.words}>
      <colgroup>
        {columns.map(({ words, share }) => (
          <col key={words} style={{ width: `${share}%` }} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map((column) => (
            <th key={column.words} scope="col" class={classOf(column)}>
              {column.words}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {first > 0 && <Space height={Math.min(first, records.length) * height} columns={columns.length} />}
        {shown.map((record, i) => (
          <Row key={record.id} record={record} section={section} columns={columns} index={first + i + 2} />
        ))}
        {after > 0 && <Space height={after * height} columns={columns.length} />}
      </tbody>
    </table>
  )
}

const classOf = ({ wide, onScreen }: Column): string | undefined => (wide ? 'wide' : onScreen ? 'on-screen' : undefined)

const Space = ({ height, columns }: { readonly height: number; readonly columns: number }) => (
  <tr class="space">
    <td colSpan={columns} style={{ height: `${height}px` }} />
  </tr>
)

interface RowProps {
  readonly record: AnyRecord
  readonly section: RecordSection
  readonly columns: readonly Column[]
  readonly index: number
}

const Row = ({ record, section, columns, index }: RowProps) => (
  <tr aria-rowindex={index}>
    {columns.map((column, i) => (
      <td key={column.words} class={classOf(column)} data-words={column.words}>
        {i === 0 ? (
          <a class="row-link" href={hrefTo(`${section.path}/${record.id}`)}>
            {column.cell(record) || 'no name'}
          </a>
        ) : (
          column.cell(record)
        )}
      </td>
    ))}
  </tr>
)
