// Differences between shipped and received goods; the address has the view.
import type { DifferencePage } from '../../../client/generated/shapes.ts'
import { underWayDaysDefault } from '../../../contract/arrivals.ts'
import { differenceKinds, differenceKindWords, kindCountsText } from '../../../contract/difference-kinds.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { differenceGroupings, listDifferences } from '../../../operations/traceability/differences.ts'
import { useSaving } from '../../files/saving.ts'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, When } from '../../parts/frame/states.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { FilterBar } from '../../parts/tables/filter-bar.tsx'
import { ListEnd } from '../../parts/tables/list-end.tsx'
import { SavingState } from '../../parts/tables/saving-state.tsx'
import { Tabs } from '../../parts/tables/tabs.tsx'
import type { Column } from '../../records/drawn-column.ts'
import { askOf, type DeclaredFilter, type Filters, filtersIn, queryOf } from '../../records/filters.ts'
import { go, hrefTo } from '../../state/frame/address.ts'
import { usePaged } from '../../state/frame/paged.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import type { PageProps } from '../frame/page.ts'

type Difference = DifferencePage['content'][number]

const path = '/differences'
const { kind: _, by: __, format: ___, limit: ____, cursor: _____, ...query } = listDifferences.query
const declared: Readonly<Record<string, DeclaredFilter>> = {
  ...query,
  eventStartDate: { ...query.eventStartDate, label: 'From' },
  eventEndDate: { ...query.eventEndDate, label: 'Until' },
  underWayDays: { ...query.underWayDays, label: 'Days under way' },
}
const groupingWords = { dataProviderVendorId: 'Vendor', shipToLocationCode: 'Place', date: 'Day' } as const

const shownKinds = ['any', ...differenceKinds] as const

/** Groups that fit above the list. */
const groupsShown = 8

export function DifferencesPage({ query }: PageProps) {
  const { api } = useOpenSession()
  const { filters } = filtersIn(query, declared)
  const kind = shownKinds.find((one) => one === query.get('kind')) ?? 'any'
  const by = differenceGroupings.find((one) => one === query.get('by')) ?? differenceGroupings[0]
  const chosen = { ...askOf(filters, declared), kind, by }
  const paged = usePaged((api, options) => api.listDifferences({ ...chosen, ...options }), [filters, kind, by])
  const { saving, save, giveUp } = useSaving()
  const download = () => save((signal) => api.listDifferences({ ...chosen, format: 'csv', signal }))
  const addressOf = (changes: Filters) =>
    path +
    queryOf({ ...(kind !== 'any' && { kind }), ...(by !== differenceGroupings[0] && { by }), ...changes }, declared)
  const page = paged.asked.is === 'answered' ? paged.asked.value : undefined
  return (
    <>
      <PageHead
        title="Differences"
        actions={
          page !== undefined &&
          page.differences > 0 && (
            <button type="button" disabled={saving.is === 'running'} onClick={download}>
              Download CSV
            </button>
          )
        }
      >
        <p class="quiet">
          What was shipped and what was received, compared. A shipment counts as not received after{' '}
          {pluralize(Number(filters.underWayDays ?? underWayDaysDefault), 'day')}.
        </p>
        <Tabs
          label="Kind of difference"
          tabs={shownKinds
            .filter((one) => one === 'any' || one === kind || (page?.kinds[one] ?? 0) > 0)
            .map((one) => ({
              words: one === 'any' ? 'All' : differenceKindWords[one],
              path: addressOf({ ...filters, kind: one === 'any' ? '' : one }),
              isHere: one === kind,
              count: one === 'any' ? page?.differences : page?.kinds[one],
            }))}
        />
      </PageHead>
      <FilterBar
        declared={declared}
        search="dataProviderVendorId"
        shownElsewhere={['eventStartDate', 'eventEndDate']}
        filters={filters}
        onFilter={(next) => go(addressOf(next))}
      />
      <SavingState saving={saving} giveUp={giveUp} again={download} />
      <When asked={paged.asked} what="the differences">
        {(page) => (
          <>
            <ComparedWords page={page} />
            {page.content.length === 0 ? (
              <NoDifference page={page} />
            ) : (
              <>
                <GroupTable page={page} addressOf={(changes) => addressOf({ ...filters, ...changes })} />
                <h2>Differences</h2>
                <DataTable label="Differences" columns={columns} rows={page.content} keyOf={rowKey} />
                <ListEnd
                  paged={paged}
                  noun="difference"
                  newestFirst
                  printHint="Download the CSV to have all of them."
                />
              </>
            )}
          </>
        )}
      </When>
    </>
  )
}

const rowKey = ({ kind, shipped, received }: Difference): string =>
  JSON.stringify([kind, shipped?.records, received?.records])

function ComparedWords({ page }: { readonly page: DifferencePage }) {
  const { eventStartDate, eventEndDate, shipped, received, underWayLines, notCompared } = page
  return (
    <p class="facts totals">
      <span>
        {pluralize(shipped.events, 'shipping event')} compared with {pluralize(received.events, 'receiving event')}
      </span>
      {underWayLines > 0 && <span>{pluralize(underWayLines, 'line')} may still be under way</span>}
      {notCompared.receivedEvents > 0 && (
        <span class="quiet">
          {pluralize(notCompared.receivedEvents, 'receiving event')} of vendors without shipping events left out
        </span>
      )}
      {notCompared.shippedEvents > 0 && (
        <span class="quiet">{pluralize(notCompared.shippedEvents, 'shipping event')} to others left out</span>
      )}
      <span class="quiet">
        {eventStartDate} to {eventEndDate}
      </span>
    </p>
  )
}

function NoDifference({ page: { shipped, received, differences } }: { readonly page: DifferencePage }) {
  if (differences > 0)
    return (
      <Empty title="No difference of this kind">
        <p>Choose another kind to see other differences.</p>
      </Empty>
    )
  return shipped.events + received.events === 0 ? (
    <Empty title="There is nothing to compare in this period">
      <p>
        Differences need shipping events of the vendors whose deliveries you receive. Choose another period, or ask
        vendors to send them.
      </p>
    </Empty>
  ) : (
    <Empty title="Everything agrees">
      <p>All that was shipped in this period was received as it was shipped, or may still be under way.</p>
    </Empty>
  )
}

interface GroupProps {
  readonly page: DifferencePage
  /** The view with these changes. */
  readonly addressOf: (changes: Filters) => string
}

function GroupTable({ page: { by, groups, groupCount }, addressOf }: GroupProps) {
  const addressOfGroup = (key: string) =>
    addressOf(by === 'date' ? { eventStartDate: key, eventEndDate: key } : { [by]: key })
  const shown = groups.slice(0, groupsShown)
  return (
    <section class="causes" aria-label="Counts">
      <Tabs
        label="Counted by"
        tabs={differenceGroupings.map((one) => ({
          words: `By ${groupingWords[one].toLowerCase()}`,
          path: addressOf({ by: one }),
          isHere: one === by,
        }))}
      />
      <DataTable
        label={`Differences by ${groupingWords[by].toLowerCase()}`}
        columns={[
          {
            heading: groupingWords[by],
            cell: ({ key, label }) => (
              <>
                <a href={hrefTo(addressOfGroup(key))}>
                  <bdi>{label ?? key}</bdi>
                </a>{' '}
                {label !== null && <bdi class="quiet">{key}</bdi>}
              </>
            ),
          },
          { heading: 'Differences', isNumber: true, cell: ({ differences }) => differences.toLocaleString('en') },
          { heading: 'Kinds', cell: ({ kinds }) => kindCountsText(kinds) },
        ]}
        rows={shown}
        keyOf={({ key }) => key}
      />
      {groupCount > shown.length && (
        <p class="list-end quiet">
          {by === 'date' ? 'The latest' : 'The first'} {shown.length} of {groupCount.toLocaleString('en')}.
        </p>
      )}
    </section>
  )
}

const columns: readonly Column<Difference>[] = [
  {
    heading: 'What',
    class: 'sentence',
    cell: ({ kind, message, remedy }) => (
      <>
        <span class="tag warning">{differenceKindWords[kind]}</span> <bdi>{message}</bdi>
        <p class="quiet small">{remedy}</p>
      </>
    ),
  },
  {
    heading: 'Vendor',
    cell: ({ dataProviderVendorName: name, dataProviderVendorId: id, ...difference }) => {
      const document = difference.purchaseOrderNumber ?? difference.billOfLadingNumber ?? difference.asnNumber
      return (
        <>
          <bdi>{name ?? id}</bdi> {document !== undefined && <bdi class="quiet small">{document}</bdi>}
        </>
      )
    },
  },
  { heading: 'Shipped', cell: ({ shipped }) => <SideLinks side={shipped} path="/shipping" /> },
  { heading: 'Received', cell: ({ received }) => <SideLinks side={received} path="/events" /> },
]

function SideLinks({ side, path }: { readonly side: Difference['shipped']; readonly path: string }) {
  if (side === null) return <span class="quiet">nothing found</span>
  const { records, recordCount, date } = side
  return (
    <ul class="plain-list">
      {records.map(({ id, pointer }, i) => (
        <li key={id}>
          <a class="line-link" href={hrefTo(`${path}/${id}#at:${pointer}`)}>
            {i === 0 ? date : `record ${i + 1}`}
            {lineWords(pointer)}
          </a>
        </li>
      ))}
      {recordCount > records.length && <li class="quiet">and {recordCount - records.length} more</li>}
    </ul>
  )
}

/** The line a pointer leads to, as a person counts them. */
const lineWords = (pointer: string): string => {
  const [, line] = /\/productList\/(\d+)$/.exec(pointer) ?? []
  return line === undefined ? '' : `, line ${Number(line) + 1}`
}
