// The scorecard of a vendor: one page to print or to send, with the lines that the vendor has to
// complete.

import type { DifferencePage, Scorecard } from '../../../client/generated/shapes.ts'
import { kindCountsText } from '../../../contract/difference-kinds.ts'
import { dayAfter } from '../../../contract/shape/date-and-time.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { periodDaysDefault } from '../../../operations/traceability/differences.ts'
import { readScorecard } from '../../../operations/vendors/scorecard.ts'
import { copy } from '../../files/clipboard.ts'
import { useSaving } from '../../files/saving.ts'
import { useOwnName } from '../../parts/fields/display-name.tsx'
import { Instant } from '../../parts/frame/instant.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, When } from '../../parts/frame/states.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { FactList } from '../../parts/tables/fact-list.tsx'
import { FilterBar } from '../../parts/tables/filter-bar.tsx'
import { SavingState } from '../../parts/tables/saving-state.tsx'
import { Sparkline } from '../../parts/tables/sparkline.tsx'
import { Count } from '../../parts/traceability/completeness-table.tsx'
import { RecountNote } from '../../parts/traceability/recount-note.tsx'
import { AgainstTarget } from '../../parts/vendors/against-target.tsx'
import type { Column } from '../../records/drawn-column.ts'
import { askOf, filtersIn, queryOf } from '../../records/filters.ts'
import { scorecardMail } from '../../records/scorecard-mail.ts'
import { go, hrefTo } from '../../state/frame/address.ts'
import { printPage } from '../../state/frame/printing.ts'
import { type RequestState, useAnswer, useRequest } from '../../state/frame/request.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { shareWords } from '../../words/percent.ts'
import { firstOfEach, toldWords } from '../../words/refusals.ts'
import { screenRemedy } from '../../words/screen-words.ts'
import type { PageProps } from '../frame/page.ts'

const path = '/scorecard'
const { dataProviderVendorId: _, ...declared } = readScorecard.query

export function ScorecardPage({ query }: PageProps) {
  const vendor = query.get('vendor') ?? ''
  const { filters } = filtersIn(query, declared)
  return vendor === '' ? (
    <>
      <PageHead title="Scorecard" />
      <Empty title="No vendor is chosen">
        <p>
          Choose one in <a href={hrefTo('/completeness/history')}>Completeness over time</a>.
        </p>
      </Empty>
    </>
  ) : (
    <VendorCard key={vendor} vendor={vendor} filters={filters} />
  )
}

function VendorCard({
  vendor,
  filters,
}: {
  readonly vendor: string
  readonly filters: Readonly<Record<string, string>>
}) {
  const { api, own } = useOpenSession()
  const chosen = { ...askOf(filters, declared), dataProviderVendorId: vendor }
  const asked = useAnswer((api, signal) => api.readScorecard({ ...chosen, signal }), [vendor, filters])
  const { saving, save, giveUp } = useSaving()
  const download = () => save((signal) => api.exportScorecardLines({ ...chosen, signal }))
  const card = asked.is === 'answered' ? asked.value : undefined
  const eventEndDate = card?.eventEndDate ?? null
  const lastMonth = eventEndDate !== null && {
    ...{ dataProviderVendorId: vendor, eventStartDate: dayAfter(eventEndDate, 1 - periodDaysDefault), eventEndDate },
  }
  const compared = useRequest(
    async (signal) => (lastMonth ? (await api.listDifferences({ ...lastMonth, limit: 1, signal })).body : undefined),
    [eventEndDate],
  )
  const provider = useOwnName()
  const differences = compared.is === 'answered' ? compared.value : undefined
  return (
    <>
      <PageHead
        title={`Scorecard of ${card?.label ?? vendor}`}
        actions={
          card && (
            <>
              <button
                type="button"
                disabled={compared.is === 'asking'}
                onClick={() => copy(scorecardMail(card, { ...own, provider }, differences), 'Mail text')}
              >
                Copy mail text
              </button>
              <button type="button" disabled={saving.is === 'running'} onClick={download}>
                Download incomplete lines
              </button>
              {lastMonth && differences !== undefined && differences.differences > 0 && (
                <button
                  type="button"
                  disabled={saving.is === 'running'}
                  onClick={() => save((signal) => api.listDifferences({ ...lastMonth, format: 'csv', signal }))}
                >
                  Download differences
                </button>
              )}
              <button type="button" onClick={printPage}>
                Print
              </button>
            </>
          )
        }
      >
        <p class="quiet">
          Vendor <bdi class="mono">{vendor}</bdi>
          {card && `, received ${card.eventStartDate} to ${card.eventEndDate}`}. Judged with the current locations and
          products.
        </p>
      </PageHead>
      <FilterBar
        declared={declared}
        search="eventStartDate"
        shownElsewhere={['eventEndDate']}
        filters={filters}
        onFilter={(next) => go(path + queryOf({ vendor, ...next }))}
      />
      <SavingState saving={saving} giveUp={giveUp} again={download} />
      {card && <RecountNote of={card} what="This scorecard is" again={asked.again} byItself />}
      <When asked={asked} what="the scorecard">
        {(card) => (
          <div class="sections scorecard">
            <Card card={card} />
            <DifferenceCounts vendor={vendor} compared={compared} />
          </div>
        )}
      </When>
    </>
  )
}

/** In what shipped and received goods of the vendor do not agree, in the last month of the card. */
function DifferenceCounts({
  vendor,
  compared,
}: {
  readonly vendor: string
  readonly compared: RequestState<DifferencePage | undefined>
}) {
  return (
    <section class="shipped-and-received" aria-labelledby="differences">
      <h2 id="differences">Shipped and received</h2>
      <When asked={compared} what="the differences">
        {(page) =>
          page && (
            <p>
              {page.shipped.events + page.received.events === 0 ? (
                <span class="quiet">The vendor sends no shipping events to compare with.</span>
              ) : (
                <>
                  <a
                    href={hrefTo(
                      `/differences${queryOf({ dataProviderVendorId: vendor, eventStartDate: page.eventStartDate, eventEndDate: page.eventEndDate })}`,
                    )}
                  >
                    {pluralize(page.differences, 'difference')}
                  </a>{' '}
                  from {page.eventStartDate} to {page.eventEndDate}
                  {page.differences > 0 && `: ${kindCountsText(page.kinds)}`}.
                </>
              )}
            </p>
          )
        }
      </When>
    </section>
  )
}

function Card({ card }: { readonly card: Scorecard }) {
  const { total, target, trend, missing, lastEventDate, isSilent, refusalCount, refusals } = card
  const incomplete = total.lines - total.completeLines
  return (
    <>
      <FactList
        class="numbers"
        facts={[
          [
            'Lines complete',
            <>
              <span class="big">{shareWords(total.share)}</span>{' '}
              <AgainstTarget share={total.share} target={target.completeShare} />
            </>,
          ],
          [
            'Incomplete lines',
            <>
              <span class="big">
                <Count count={incomplete} to={total.records} what={`${incomplete} incomplete lines: show the events`} />
              </span>{' '}
              <span class="quiet">
                of {total.lines.toLocaleString('en')} in {pluralize(total.events, 'event')}
              </span>
            </>,
          ],
          [
            'Last event',
            <>
              <span class="big">{lastEventDate ?? 'none'}</span> {isSilent && <span class="tag warning">silent</span>}
              {target.silentDays !== null && (
                <span class="quiet">expected every {pluralize(target.silentDays, 'day')}</span>
              )}
            </>,
          ],
          ['Month by month', <Sparkline key="trend" trend={trend} records={total.records} />],
        ]}
      />
      <section aria-labelledby="lacking">
        <h2 id="lacking">What the lines lack</h2>
        {missing.length === 0 ? (
          <p class="callout fine">Every line has every key data element.</p>
        ) : (
          <DataTable label="What the lines lack" columns={missingColumns} rows={missing} keyOf={({ rule }) => rule} />
        )}
      </section>
      <Refusals refusalCount={refusalCount} refusals={refusals} />
    </>
  )
}

const missingColumns: readonly Column<Scorecard['missing'][number]>[] = [
  {
    heading: 'Key data element',
    cell: ({ kde, cites }) => (
      <>
        {kde} <span class="quiet small">{cites}</span>
      </>
    ),
  },
  {
    heading: 'Lines',
    isNumber: true,
    cell: ({ lines, records, kde }) => (
      <Count count={lines} to={records} what={`${lines} lines without ${kde}: show the events`} />
    ),
  },
  { heading: 'What to do', cell: ({ rule, remedy }) => screenRemedy(rule, remedy) },
  {
    heading: 'Latest events',
    cell: ({ examples }) => (
      <ul class="plain-list">
        {examples.map(({ id, eventDate, purchaseOrderNumber }) => (
          <li key={id}>
            <a href={hrefTo(`/events/${id}`)}>
              {eventDate} <bdi>{purchaseOrderNumber}</bdi>
            </a>
          </li>
        ))}
      </ul>
    ),
  },
]

const Refusals = ({ refusalCount, refusals }: Pick<Scorecard, 'refusalCount' | 'refusals'>) => (
  <section aria-labelledby="refused">
    <h2 id="refused">Refused payloads</h2>
    {refusalCount === 0 ? (
      <p class="quiet">None in this period, among the last 1,000 refusals that are kept.</p>
    ) : (
      <>
        <p>
          {pluralize(refusalCount, 'payload')} in this period. The newest:{' '}
          <a class="on-screen" href={hrefTo('/refusals')}>
            All refusals
          </a>
        </p>
        <ul class="latest">
          {firstOfEach(refusals, ({ detail }) => detail).map(({ refusedDateTime, detail }) => (
            <li key={refusedDateTime}>
              <Instant instant={refusedDateTime} toSecond /> <bdi class="quiet">{toldWords(detail)}</bdi>
            </li>
          ))}
        </ul>
      </>
    )}
  </section>
)
