// The events behind a number of completeness: the gaps of each, with a link to the place.
import type { GapPage } from '../../../client/generated/shapes.ts'
import { eventKinds } from '../../../contract/record-kinds.ts'
import { capitalize } from '../../../contract/text/capitalize.ts'
import { listGaps } from '../../../operations/traceability/completeness.ts'
import { gapCauseOperations } from '../../../operations/traceability/gap-causes.ts'
import { gapKeyOf } from '../../../rules/gap-keys.ts'
import { gapRules, keyDataElementOf } from '../../../rules/key-data-elements.ts'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, When } from '../../parts/frame/states.tsx'
import { VendorName } from '../../parts/records/vendor-name.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { FilterBar } from '../../parts/tables/filter-bar.tsx'
import { ListEnd } from '../../parts/tables/list-end.tsx'
import { GapCauseTable } from '../../parts/traceability/gap-causes.tsx'
import { KindChoice } from '../../parts/traceability/kind-choice.tsx'
import { RecountNote } from '../../parts/traceability/recount-note.tsx'
import type { Column } from '../../records/drawn-column.ts'
import { askOf, filtersIn, queryOf } from '../../records/filters.ts'
import { sectionOf } from '../../records/record-sections.ts'
import { go, hrefTo } from '../../state/frame/address.ts'
import { usePaged } from '../../state/frame/paged.ts'
import { useRequest } from '../../state/frame/request.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { screenRemedy } from '../../words/screen-words.ts'
import type { PageProps } from '../frame/page.ts'

const path = '/completeness/gaps'
/** Causes that fit above the events. */
const causesShown = 8
const { limit: _, cursor: __, ...declared } = listGaps.query
const { kind: ___, rule: ____, cites: _____, ...entered } = declared
const { limit: ______, ...causing } = gapCauseOperations.listGapCauses.query

export function GapsPage({ query }: PageProps) {
  const { api } = useOpenSession()
  const { filters, unknown } = filtersIn(query, declared)
  const paged = usePaged((api, options) => api.listGaps({ ...askOf(filters, declared), ...options }), [filters])
  const { kind = '', rule, cites } = filters
  // Of receiving events: those of other kinds are corrected one by one.
  const haveCauses = (kind === '' || kind === 'receivingEvent') && (rule === undefined || gapRules.includes(rule))
  const causes = useRequest(
    async (signal) =>
      haveCauses && cites === undefined
        ? (
            await api.listGapCauses({
              ...askOf(filtersIn(query, causing).filters, causing),
              limit: causesShown,
              signal,
            })
          ).body
        : undefined,
    [filters],
  )
  const element = rule === undefined ? undefined : keyDataElementOf(cites === undefined ? rule : gapKeyOf(rule, cites))
  return (
    <>
      <PageHead title="Events with gaps">
        <p>
          {element === undefined ? (
            'Events with incomplete lines, latest first.'
          ) : (
            <>
              Without <strong>{element.kde}</strong> <span class="quiet">({element.cites || element.rule})</span>.{' '}
              {screenRemedy(element.rule)}
            </>
          )}{' '}
          <a href={hrefTo('/completeness')}>All counts</a>
        </p>
      </PageHead>
      <KindChoice
        kind={kind}
        onChoose={(chosen) => go(path + queryOf({ ...filters, kind: chosen, rule: '', cites: '' }, declared))}
      />
      <FilterBar
        declared={entered}
        search="dataProviderVendorId"
        filters={filtersIn(query, entered).filters}
        onFilter={(next) => go(path + queryOf({ kind, rule: rule ?? '', cites: cites ?? '', ...next }, declared))}
      />
      {unknown.length > 0 && (
        <p class="callout" role="alert">
          The address contains {unknown.join(', ')}, which is not a filter of this page. It is ignored, so the list may
          show more than you asked for.
        </p>
      )}
      {paged.asked.is === 'answered' && (
        <RecountNote of={paged.asked.value} what="This list is" again={paged.asked.again} />
      )}
      {causes.is === 'answered' && causes.value !== undefined && <GapCauseTable causes={causes.value} />}
      <When asked={causes.is === 'asking' ? causes : paged.asked} what="the events">
        {({ content }) =>
          content.length === 0 ? (
            <Empty title="No event has such a gap">
              <p>Choose another period or filter to see other events.</p>
            </Empty>
          ) : (
            <>
              <h2>Events</h2>
              <DataTable label="Events with gaps" columns={columns} rows={content} keyOf={({ id }) => id} />
              <ListEnd paged={paged} noun="event" />
            </>
          )
        }
      </When>
    </>
  )
}

const columns: readonly Column<GapPage['content'][number]>[] = [
  {
    heading: 'Event',
    cell: ({ id, record, eventDate, purchaseOrderNumber }) => (
      <a href={hrefTo(`${sectionOf({ name: record }).path}/${id}`)}>
        {eventDate} <bdi>{purchaseOrderNumber}</bdi>
      </a>
    ),
  },
  { heading: 'Kind', cell: ({ record }) => capitalize(eventKinds[record].noun) },
  {
    heading: 'Vendor',
    cell: ({ dataProviderVendorId, dataProviderVendorName }) => (
      <VendorName id={dataProviderVendorId} name={dataProviderVendorName} />
    ),
  },
  { heading: 'Ship to', cell: ({ shipToLocationCode }) => <bdi>{shipToLocationCode}</bdi> },
  {
    heading: 'Incomplete lines',
    isNumber: true,
    cell: ({ lines, completeLines }) => (
      <>
        {(lines - completeLines).toLocaleString('en')} <span class="quiet">of {lines.toLocaleString('en')}</span>
      </>
    ),
  },
  {
    heading: 'What they lack',
    class: 'lacking',
    cell: ({ gaps }) => (
      <ul class="plain-list">
        {gaps.map(({ rule, lines, kde, cites }) => (
          <li key={`${rule} ${cites}`}>
            {lines.toLocaleString('en')} {kde} <span class="quiet small">{cites}</span>
          </li>
        ))}
      </ul>
    ),
  },
]
