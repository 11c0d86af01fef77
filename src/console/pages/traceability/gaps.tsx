// The events behind a number of completeness: what each lacks, with a link to the place.
import { listGaps } from '../../../operations/traceability/completeness.ts'
import { keyDataElementOf } from '../../../rules/key-data-elements.ts'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, When } from '../../parts/frame/states.tsx'
import { VendorName } from '../../parts/records/vendor-name.tsx'
import { FilterBar } from '../../parts/tables/filter-bar.tsx'
import { ListEnd } from '../../parts/tables/list-end.tsx'
import { GapCauseTable } from '../../parts/traceability/gap-causes.tsx'
import { RecountNote } from '../../parts/traceability/recount-note.tsx'
import { askOf, filtersIn, queryOf } from '../../records/filters.ts'
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

export function GapsPage({ query }: PageProps) {
  const { api } = useOpenSession()
  const { filters, unknown } = filtersIn(query, declared)
  const paged = usePaged(
    async (options) => (await api.listGaps({ ...askOf(filters, declared), ...options })).body,
    [filters],
  )
  const causes = useRequest(
    async (signal) => (await api.listGapCauses({ ...askOf(filters, declared), limit: causesShown, signal })).body,
    [filters],
  )
  const { rule } = filters
  return (
    <>
      <PageHead title="Events with gaps">
        <p>
          {rule === undefined ? (
            'Receiving events with incomplete lines, latest received first.'
          ) : (
            <>
              Without <strong>{keyDataElementOf(rule).kde}</strong>{' '}
              <span class="quiet">({keyDataElementOf(rule).cites || rule})</span>. {screenRemedy(rule)}
            </>
          )}{' '}
          <a href={hrefTo('/completeness')}>All counts</a>
        </p>
      </PageHead>
      <FilterBar
        declared={declared}
        search="dataProviderVendorId"
        filters={filters}
        onFilter={(next) => go(path + queryOf(next, declared))}
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
      {causes.is === 'answered' && <GapCauseTable causes={causes.value} />}
      <When asked={causes.is === 'asking' ? causes : paged.asked} what="the events">
        {({ content }) =>
          content.length === 0 ? (
            <Empty title="No event has such a gap">
              <p>Choose another period or filter to see other events.</p>
            </Empty>
          ) : (
            <>
              <h2>Events</h2>
              <table class="measures cards" aria-label="Events with gaps">
                <thead>
                  <tr>
                    <th scope="col">Event</th>
                    <th scope="col">Vendor</th>
                    <th scope="col">Ship to</th>
                    <th scope="col" class="number">
                      Incomplete lines
                    </th>
                    <th scope="col">What they lack</th>
                  </tr>
                </thead>
                <tbody>
                  {content.map((event) => (
                    <tr key={event.id}>
                      <th scope="row">
                        <a href={hrefTo(`/events/${event.id}`)}>
                          {event.eventDate} <bdi>{event.purchaseOrderNumber}</bdi>
                        </a>
                      </th>
                      <td data-words="Vendor">
                        <VendorName id={event.dataProviderVendorId} name={event.dataProviderVendorName} />
                      </td>
                      <td data-words="Ship to">
                        <bdi>{event.shipToLocationCode}</bdi>
                      </td>
                      <td class="number" data-words="Incomplete lines">
                        {(event.lines - event.completeLines).toLocaleString('en')}{' '}
                        <span class="quiet">of {event.lines.toLocaleString('en')}</span>
                      </td>
                      <td class="lacking">
                        <ul class="plain-list">
                          {event.gaps.map((gap) => (
                            <li key={gap.rule}>
                              {gap.lines.toLocaleString('en')} {gap.kde} <span class="quiet small">{gap.cites}</span>
                            </li>
                          ))}
                        </ul>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              <ListEnd paged={paged} noun="event" />
            </>
          )
        }
      </When>
    </>
  )
}
