// Completeness over time: does it get better, is it good enough, and who holds it back.
import type { CompletenessHistory } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { buckets, readCompletenessHistory } from '../../../operations/vendors/completeness-history.ts'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, When } from '../../parts/frame/states.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { FilterBar } from '../../parts/tables/filter-bar.tsx'
import { ShareBar } from '../../parts/tables/share-bar.tsx'
import { Sparkline } from '../../parts/tables/sparkline.tsx'
import { Tabs } from '../../parts/tables/tabs.tsx'
import { Count } from '../../parts/traceability/completeness-table.tsx'
import { RecountNote } from '../../parts/traceability/recount-note.tsx'
import { AgainstTarget } from '../../parts/vendors/against-target.tsx'
import { HistoryChart } from '../../parts/vendors/history-chart.tsx'
import type { Column } from '../../records/drawn-column.ts'
import { askOf, filtersIn, queryOf } from '../../records/filters.ts'
import { go, hrefTo } from '../../state/frame/address.ts'
import { printPage } from '../../state/frame/printing.ts'
import { useAnswer } from '../../state/frame/request.ts'
import { shareWords } from '../../words/percent.ts'
import type { PageProps } from '../frame/page.ts'

const path = '/completeness/history'
const { bucket: _, limit: __, ...declared } = readCompletenessHistory.query
const bucketWords = { month: 'Months', week: 'Weeks', day: 'Days' } as const
/** Vendors in the table. */
const limit = 20

export function CompletenessHistoryPage({ query }: PageProps) {
  const bucket = buckets.find((one) => one === query.get('bucket')) ?? buckets[0]
  const drawn = query.get('vendor')
  const { filters } = filtersIn(query, declared)
  const asked = useAnswer(
    (api, signal) => api.readCompletenessHistory({ ...askOf(filters, declared), bucket, limit, signal }),
    [bucket, filters],
  )
  const address = (more: Readonly<Record<string, string>>) => path + queryOf({ bucket, ...filters, ...more }, declared)
  return (
    <>
      <PageHead
        title="Completeness over time"
        actions={
          <button type="button" onClick={printPage}>
            Print
          </button>
        }
      >
        <p class="quiet">
          The share of complete lines by date received, judged with the current locations and products.{' '}
          <a href={hrefTo('/completeness')}>All counts</a> · <a href={hrefTo('/targets')}>Targets</a>
        </p>
        <Tabs
          label="Shown by"
          tabs={buckets.map((one) => ({
            words: bucketWords[one],
            path: path + queryOf({ bucket: one, ...filters }, declared),
            isHere: one === bucket,
          }))}
        />
      </PageHead>
      <FilterBar
        declared={declared}
        search="dataProviderVendorId"
        filters={filters}
        onFilter={(next) => go(path + queryOf({ bucket, ...next }, declared))}
      />
      {asked.is === 'answered' && <RecountNote of={asked.value} what="These counts are" again={asked.again} byItself />}
      <When asked={asked} what="the counts">
        {(history) => <History history={history} bucket={bucket} drawn={drawn} address={address} />}
      </When>
    </>
  )
}

interface HistoryProps {
  readonly history: CompletenessHistory
  readonly bucket: keyof typeof bucketWords
  /** Id of the vendor in the chart. */
  readonly drawn: string | null
  readonly address: (more: Readonly<Record<string, string>>) => string
}

function History({ history, bucket, drawn, address }: HistoryProps) {
  const { eventStartDate, eventEndDate, target, total, buckets: all, vendors, vendorCount } = history
  if (eventStartDate === null || eventEndDate === null || total.lines === 0)
    return (
      <Empty title="There are no lines in this period">
        <p>Choose another period or other filters, or remove the filters.</p>
      </Empty>
    )
  const vendor = vendors.find(({ dataProviderVendorId }) => dataProviderVendorId === drawn)
  return (
    <div class="sections">
      <section aria-label="Chart">
        <p class="facts totals">
          <span>
            <strong>{shareWords(total.share)}</strong> of {pluralize(total.lines, 'line')} complete
          </span>
          <span>
            <AgainstTarget share={total.share} target={target} />
          </span>
        </p>
        <HistoryChart
          key={bucket}
          start={eventStartDate}
          end={eventEndDate}
          target={vendor?.target ?? target}
          series={[
            { name: 'All vendors', buckets: all },
            ...(vendor === undefined
              ? []
              : [{ name: vendor.label ?? vendor.dataProviderVendorId, buckets: vendor.buckets }]),
          ]}
        />
      </section>
      <section aria-labelledby="by-vendor">
        <h2 id="by-vendor">By vendor</h2>
        <DataTable
          label="Completeness by vendor"
          columns={columnsOf({ bucket, drawn, address })}
          rows={vendors}
          keyOf={({ dataProviderVendorId }) => dataProviderVendorId}
          rowAttributes={({ dataProviderVendorId: id }) => ({ class: id === drawn ? 'chosen-row' : undefined })}
        />
        {vendors.length < vendorCount && (
          <p class="quiet">
            The {vendors.length} with the most incomplete lines, of {vendorCount.toLocaleString('en')}.
          </p>
        )}
      </section>
    </div>
  )
}

type Vendor = CompletenessHistory['vendors'][number]

const columnsOf = ({ bucket, drawn, address }: Omit<HistoryProps, 'history'>): readonly Column<Vendor>[] => [
  {
    heading: 'Vendor',
    cell: ({ dataProviderVendorId: id, label }) => (
      <>
        <a href={hrefTo(`/scorecard${queryOf({ vendor: id })}`)}>
          <bdi>{label ?? id}</bdi>
        </a>
        {label !== null && <bdi class="quiet small mono">{id}</bdi>}
      </>
    ),
  },
  { heading: 'Complete', cell: ({ share }) => <ShareBar share={share} /> },
  { heading: 'Target', cell: ({ share, target }) => <AgainstTarget share={share} target={target} /> },
  {
    heading: 'Incomplete lines',
    isNumber: true,
    cell: ({ dataProviderVendorId: id, label, lines, completeLines, records }) => (
      <>
        <Count
          count={lines - completeLines}
          to={records}
          what={`${lines - completeLines} incomplete lines of ${label ?? id}: show the events`}
        />{' '}
        <span class="quiet">of {lines.toLocaleString('en')}</span>
      </>
    ),
  },
  {
    heading: bucketWords[bucket],
    class: 'trend',
    cell: ({ buckets }) => <Sparkline trend={buckets.map(({ startDate, ...one }) => ({ month: startDate, ...one }))} />,
  },
  {
    heading: 'Chart',
    isAction: true,
    onScreen: true,
    cell: ({ dataProviderVendorId: id, label }) => (
      <a
        href={hrefTo(address(id === drawn ? {} : { vendor: id }))}
        aria-label={id === drawn ? `Remove ${label ?? id} from the chart` : `Draw ${label ?? id} in the chart`}
      >
        {id === drawn ? 'Remove' : 'Draw'}
      </a>
    ),
  },
]
