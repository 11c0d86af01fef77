// How each column of a list is drawn; the contract's table of columns has their texts.
import type { AnyRecord } from '../../client/client.ts'
import type { ListColumn } from '../../contract/list-columns.ts'
import type { SeverityCounts as Counts } from '../../contract/shape/finding.ts'
import { SeverityCounts } from '../parts/records/severity-counts.tsx'
import { TextList } from '../parts/records/text-list.tsx'
import { dateTimeParts } from '../words/labels.ts'
import type { DrawnColumn } from './drawn-column.ts'
import type { RecordSection } from './record-sections.ts'

const shownCodes = 2

function Codes({ text }: { readonly text: string }) {
  const codes = text.split(', ')
  return (
    <>
      <span class="mono" title={codes.length > shownCodes ? text.slice(0, 500) : undefined}>
        <TextList texts={codes.slice(0, shownCodes)} />
      </span>
      {codes.length > shownCodes && <span class="quiet"> +{codes.length - shownCodes}</span>}
    </>
  )
}

export function Time({ written }: { readonly written: string }) {
  const { time, zone } = dateTimeParts(written)
  return (
    <time dateTime={written}>
      {time} <span class="quiet">{zone}</span>
    </time>
  )
}

/** Not known of a record that was lost between two requests. */
const Findings = ({ counts }: { readonly counts: Counts | undefined }) =>
  counts === undefined ? <span class="quiet">?</span> : <SeverityCounts counts={counts} />

type Drawn = Partial<Omit<DrawnColumn<AnyRecord>, keyof ListColumn>>
type Draw = (column: ListColumn, findings: FindingsById) => Drawn

/** Current findings of the records of a list. */
type FindingsById = ReadonlyMap<string, Counts>

const mono =
  (share: number): ((column: ListColumn) => Drawn) =>
  (column) => ({
    share,
    cell: (record) => <bdi class="mono">{column.text(record)}</bdi>,
  })
const codes = (column: ListColumn): Drawn => ({
  share: 14,
  cell: (record) => <Codes text={String(column.text(record))} />,
})

const time = (column: ListColumn): Drawn => ({
  isTime: true,
  cell: (record) => <Time written={String(column.text(record))} />,
})

/** By name, where a column is not just text. */
const drawn: Readonly<Record<string, Drawn | Draw>> = {
  received: time,
  shipped: time,
  from: { share: 15 },
  to: { share: 15 },
  vendor: { share: 14, wide: true },
  purchaseOrder: { share: 13 },
  lotCodes: codes,
  items: codes,
  lines: { share: 6, wide: true },
  asn: { tip: 'Cannot be sorted: many events have none, and no index has their order. Filter by it instead.' },
  findings: (_, findings) => ({
    share: 18,
    tip: 'Cannot be sorted: findings change with rules and dates. Filter by gap or warning instead.',
    cell: ({ id }) => <Findings counts={findings.get(id)} />,
  }),
  description: { share: 26 },
  products: { share: 20 },
  name: { share: 26 },
  itemCode: mono(14),
  locationCode: mono(14),
  gtin: (column) => ({ ...mono(14)(column), wide: true }),
  gln: (column) => ({ ...mono(14)(column), wide: true }),
  id: mono(30),
  brand: { wide: true },
  type: { wide: true },
}

/** Text that is cut off where it is long, and whole as a tip. */
export const Cut = ({ text }: { readonly text: string | number }) => (
  <bdi title={String(text).length > 24 ? String(text).slice(0, 500) : undefined}>{text}</bdi>
)

function columnOf(column: ListColumn, findings: FindingsById): DrawnColumn<AnyRecord> {
  const own = drawn[column.name] ?? {}
  return {
    share: 12,
    cell: (record) => <Cut text={column.text(record)} />,
    ...column,
    ...(typeof own === 'function' ? own(column, findings) : own),
  }
}

/** The columns of a view, in its order. */
export const columnsOf = (
  { columns }: RecordSection,
  names: readonly string[],
  findings: FindingsById,
): readonly DrawnColumn<AnyRecord>[] =>
  names.flatMap((name) => columns.filter((column) => column.name === name).map((column) => columnOf(column, findings)))
