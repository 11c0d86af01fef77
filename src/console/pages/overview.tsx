// The start: how complete the data is and what to do about it first, recent arrivals, and refusals.

import type { ComponentChildren } from 'preact'
import type { Completeness, MockRecall, Refusal } from '../../client/generated/shapes.ts'
import { dayAfter, isCalendarDate } from '../../contract/shape/date-and-time.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import { readCompleteness } from '../../operations/traceability/completeness.ts'
import { readGapKey } from '../../rules/gap-keys.ts'
import { copy } from '../files/clipboard.ts'
import { Instant } from '../parts/frame/instant.tsx'
import { PageHead } from '../parts/frame/page-head.tsx'
import { Empty, When } from '../parts/frame/states.tsx'
import { type Day, DayPlot } from '../parts/records/day-plot.tsx'
import { TextWithLinks } from '../parts/records/findings.tsx'
import { RefusedAt } from '../parts/records/refusal-entry.tsx'
import { DataTable } from '../parts/tables/data-table.tsx'
import { FactList } from '../parts/tables/fact-list.tsx'
import { FilterBar } from '../parts/tables/filter-bar.tsx'
import { Sparkline } from '../parts/tables/sparkline.tsx'
import { CompletenessTable, Count } from '../parts/traceability/completeness-table.tsx'
import { drillColumns } from '../parts/traceability/drill-columns.tsx'
import { AlertList, BrokenOffImports, type OpenAlerts } from '../parts/vendors/alert-list.tsx'
import { askOf, filtersIn, queryOf } from '../records/filters.ts'
import { go, hrefTo } from '../state/frame/address.ts'
import { type RequestState, useAnswer, useRequest } from '../state/frame/request.ts'
import { useMay, useOpenSession } from '../state/frame/session.ts'
import { daysUntil } from '../words/days.ts'
import { gapsAt, shareWords } from '../words/percent.ts'
import { firstOfEach, operationWords, outcomeOf, refusalWords, sectionPathOf } from '../words/refusals.ts'
import { screenRemedy } from '../words/screen-words.ts'
import type { PageProps } from './frame/page.ts'

const plottedDays = 90
const vendorsShown = 8
const gapsShown = 3
const drillsShown = 3
/** Open alerts that are asked for; the gravest of them are shown. */
const alertsRead = 200
/** Refusals that are read, and the number of distinct ones that are shown. */
const refusalsRead = 25
const refusalsShown = 5

/** Filters for the counts of the overview. */
const { dataProviderVendorId, eventStartDate, eventEndDate } = readCompleteness.query
const declared = { dataProviderVendorId, eventStartDate, eventEndDate }

export function OverviewPage({ query }: PageProps) {
  const { api } = useOpenSession()
  const mayWrite = useMay('writer')
  // A partner has no alerts, mock recalls and refusals of its own, and cannot fill gaps.
  const isOwn = useMay('reader')
  const { filters } = filtersIn(query, declared)
  const chosen = askOf(filters, declared)
  const vendors = useAnswer(
    (api, signal) => api.readCompleteness({ ...chosen, by: 'dataProviderVendorId', limit: vendorsShown, signal }),
    [filters],
  )
  const elements = useRequest(
    async (signal) => (await api.readCompleteness({ ...chosen, by: 'kde', signal })).body.groups,
    [filters],
  )
  const kinds = useRequest(
    async (signal) => (await api.readCompleteness({ ...chosen, by: 'kind', signal })).body,
    [filters],
  )
  const alerts = useRequest(async (signal) => {
    if (!isOwn) return
    const [alerts, targets] = await Promise.all([
      api.listAlerts({ open: true, limit: alertsRead, signal }),
      api.listVendorTargets({ signal }),
    ])
    return { ...alerts.body, hasTargets: targets.body.content.length > 0 }
  }, [])
  const drills = useRequest(
    async (signal) => (isOwn ? (await api.listMockRecalls({ limit: drillsShown, signal })).body.content : []),
    [],
  )
  const refusals = useRequest(
    async (signal) => (isOwn ? (await api.listRefusals({ limit: refusalsRead, signal })).body.content : []),
    [],
  )
  // Drawn at once: parts that come one by one would push each other down.
  const isWaiting = [elements, kinds, alerts, drills, refusals].some(({ is }) => is === 'asking')
  return (
    <>
      <PageHead
        title="Overview"
        actions={
          mayWrite && (
            <a class="button" href={hrefTo('/events/new')}>
              New receiving event
            </a>
          )
        }
      />
      <FilterBar
        declared={declared}
        search="dataProviderVendorId"
        filters={filters}
        onFilter={(next) => go(`/${queryOf(next, declared)}`)}
      />
      <div class="overview">
        <When asked={isWaiting ? { is: 'asking', again: vendors.again } : vendors} what="the overview">
          {(completeness) => (
            <>
              {completeness.eventEndDate !== null ? (
                <>
                  <Numbers completeness={completeness} />
                  {isOwn && (
                    <>
                      <Alerts asked={alerts} />
                      <Attention asked={elements} />
                      <RecallReadiness asked={drills} />
                    </>
                  )}
                  <EventDays newest={completeness.eventEndDate} until={query.get('until')} />
                  {kinds.is === 'answered' && <ByKind completeness={kinds.value} />}
                  <ByVendor completeness={completeness} isOwn={isOwn} />
                </>
              ) : isOwn ? (
                <FirstSteps />
              ) : (
                <NothingShared />
              )}
              {isOwn && <Refusals asked={refusals} />}
            </>
          )}
        </When>
      </div>
    </>
  )
}

/** Only where there is a choice. */
const ByKind = ({ completeness }: { readonly completeness: Completeness }) =>
  completeness.groups.length > 1 && (
    <Part
      title="Completeness by kind of event"
      end={<a href={hrefTo(`/completeness${queryOf({ by: 'kind' })}`)}>What each kind lacks</a>}
    >
      <CompletenessTable completeness={completeness} brief />
    </Part>
  )

const ByVendor = ({ completeness, isOwn }: { readonly completeness: Completeness; readonly isOwn: boolean }) => (
  <Part
    title="Completeness by vendor"
    end={
      <span class="steps">
        {isOwn && <a href={hrefTo('/completeness/history')}>Over time</a>}
        <a href={hrefTo('/completeness')}>All counts, by location, item, month and element</a>
      </span>
    }
  >
    {completeness.groups.length === 0 ? (
      <p class="quiet">No line needs key data elements.</p>
    ) : (
      <CompletenessTable completeness={completeness} brief />
    )}
  </Part>
)

interface PartProps {
  readonly title: string
  /** Beside the heading. */
  readonly end?: ComponentChildren
  readonly children: ComponentChildren
}

const Part = ({ title, end, children }: PartProps) => (
  <section aria-label={title}>
    <div class="section-head">
      <h2>{title}</h2>
      {end}
    </div>
    {children}
  </section>
)

function Numbers({
  completeness: { total, trend, eventStartDate, eventEndDate },
}: {
  readonly completeness: Completeness
}) {
  const incomplete = total.lines - total.completeLines
  const numbers: readonly (readonly [string, ComponentChildren, ComponentChildren?])[] = [
    ['Lines complete', shareWords(total.share), <Sparkline key="trend" trend={trend} records={total.records} />],
    [
      'Incomplete lines',
      <Count
        key="count"
        count={incomplete}
        to={total.records}
        what={`${incomplete} incomplete lines: show the events`}
      />,
      `of ${total.lines.toLocaleString('en')}`,
    ],
    [
      'Events with gaps',
      <Count
        key="count"
        count={total.eventsWithGaps}
        to={total.records}
        what={`${total.eventsWithGaps} events with gaps: show them`}
      />,
      `of ${total.events.toLocaleString('en')}`,
    ],
  ]
  return (
    <div>
      <FactList
        class="numbers"
        facts={numbers.map(([words, number, beside]) => [
          words,
          <>
            <span class="big">{number}</span> <span class="quiet">{beside}</span>
          </>,
        ])}
      />
      <p class="quiet small">
        Counts events from {eventStartDate} to {eventEndDate}: the twelve months up to the newest event.
      </p>
    </div>
  )
}

/** Open alerts: values below their target, beyond their threshold or overdue. */
function Alerts({ asked }: { readonly asked: RequestState<OpenAlerts | undefined> }) {
  return (
    <Part title="Alerts" end={<a href={hrefTo('/alerts')}>All alerts</a>}>
      <When asked={asked} what="the alerts">
        {(alerts) => alerts && <AlertList {...alerts} />}
      </When>
      <BrokenOffImports />
    </Part>
  )
}

/** The last mock recalls, and when a package was made for FDA. */
function RecallReadiness({ asked }: { readonly asked: RequestState<readonly MockRecall[]> }) {
  return (
    <Part title="Ready for a recall" end={<a href={hrefTo('/mock-recalls')}>Mock recalls</a>}>
      <When asked={asked} what="the mock recalls">
        {(drills) =>
          drills.length === 0 ? (
            <p>
              There has been no mock recall. <a href={hrefTo('/mock-recalls')}>Start one</a>: it takes seconds.
            </p>
          ) : (
            <DataTable label="Mock recalls" columns={drillColumns} rows={drills} keyOf={({ id }) => id} />
          )
        }
      </When>
      <LastPackage />
    </Part>
  )
}

function LastPackage() {
  const { api } = useOpenSession()
  const asked = useRequest(async (signal) => (await api.readLastFdaPackage({ signal })).body.made, [])
  return (
    <p class="quiet last-package">
      {asked.is === 'answered' && (
        <>
          Last FDA package:{' '}
          {asked.value === null ? (
            'none was made yet'
          ) : (
            <>
              <Instant instant={asked.value.beganDateTime} />
              {asked.value.records !== null && `, ${pluralize(asked.value.records, 'event')}`}
              {asked.value.ending !== 'done' && ', not complete'}
            </>
          )}
          . <a href={hrefTo('/fda')}>FDA package</a>
        </>
      )}
    </p>
  )
}

/** The key data elements that most lines lack. */
function Attention({ asked }: { readonly asked: RequestState<Completeness['groups']> }) {
  return (
    <Part title="What needs attention first">
      <When asked={asked} what="what is missing">
        {(groups) => {
          const lacking = groups.filter(({ missing }) => missing.length > 0)
          if (groups.every(({ lines }) => lines === 0))
            return <p class="quiet">No line of this choice needs key data elements.</p>
          if (lacking.length === 0) return <p class="callout fine">Every line has every key data element.</p>
          return (
            <ol class="attention">
              {lacking.slice(0, gapsShown).map(({ key, label, lines, completeLines, missing, records }) => (
                <li key={key} class="finding gap">
                  <a class="place" href={hrefTo(gapsAt(records))}>
                    {pluralize(lines - completeLines, 'line')} without: {label}
                  </a>
                  <p>{screenRemedy(readGapKey(key).rule)}</p>
                  <p class="quiet small">
                    {missing[0]?.cites} · <code>{readGapKey(key).rule}</code>
                  </p>
                </li>
              ))}
            </ol>
          )
        }}
      </When>
    </Part>
  )
}

const today = (): string => new Date().toISOString().slice(0, 10)

interface EventDaysProps {
  /** Date of the newest event. */
  readonly newest: string
  /** As the address has it. */
  readonly until: string | null
}

function EventDays({ newest, until }: EventDaysProps) {
  const { api } = useOpenSession()
  const now = today()
  // Where nothing came lately, the last that came is shown.
  const latest = newest < dayAfter(now, 1 - plottedDays) ? newest : now
  const last = until !== null && isCalendarDate(until) ? until : latest
  const dates = daysUntil(last, plottedDays)
  const asked: RequestState<readonly Day[]> = useRequest(
    async (signal) => {
      const { content } = (await api.countEventsByDay({ eventStartDate: dates[0], eventEndDate: last, signal })).body
      const byDate = new Map(content.map((day) => [day.eventDate, day]))
      return dates.map((eventDate) => byDate.get(eventDate) ?? { eventDate, events: 0, lines: 0 })
    },
    [last],
  )
  const later = dayAfter(last, plottedDays)
  return (
    <Part
      title="Events by day received"
      end={
        <span class="steps">
          <a href={hrefTo(`/?until=${dayAfter(last, -plottedDays)}`)}>← Earlier</a>
          {last < now && <a href={hrefTo(later < now ? `/?until=${later}` : `/?until=${now}`)}>Later →</a>}
        </span>
      }
    >
      <div class="day-room">
        <When asked={asked} what="the days">
          {(days) => {
            const events = days.reduce((sum, day) => sum + day.events, 0)
            const lines = days.reduce((sum, day) => sum + day.lines, 0)
            return (
              <>
                <p>
                  {pluralize(events, 'event')} with {pluralize(lines, 'line')} in {plottedDays} days
                  {until === null && last !== now && ', up to the newest event'}
                </p>
                <DayPlot key={last} days={days} />
              </>
            )
          }}
        </When>
      </div>
    </Part>
  )
}

function Refusals({ asked }: { readonly asked: RequestState<readonly Refusal[]> }) {
  return (
    <Part title="Latest refusals" end={<a href={hrefTo('/refusals')}>All refusals</a>}>
      <When asked={asked} what="the refusals">
        {(refusals) =>
          refusals.length === 0 ? (
            <p class="quiet">Nothing was refused.</p>
          ) : (
            <ul class="latest">
              {firstOfEach(refusals, alike)
                .slice(0, refusalsShown)
                .map((refusal) => (
                  <li key={refusal.id}>
                    <RefusedAt refusal={refusal} /> <strong>{operationWords(refusal.operation)}</strong>{' '}
                    <span class="tag error">{outcomeOf(refusal.outcome)}</span>
                    <AlikeCount count={refusals.filter((one) => alike(one) === alike(refusal)).length} />
                    <p class="quiet">
                      <bdi>
                        <TextWithLinks text={refusalWords(refusal)} path={sectionPathOf(refusal.operation)} />
                      </bdi>
                    </p>
                  </li>
                ))}
            </ul>
          )
        }
      </When>
    </Part>
  )
}

const alike = (refusal: Refusal): string => `${refusal.operation} ${refusalWords(refusal)}`

const AlikeCount = ({ count }: { readonly count: number }) =>
  count === 1 ? null : (
    <span class="quiet">
      {' '}
      {count} times among the latest {refusalsRead}
    </span>
  )

/** The text for a partner with an empty account. */
const NothingShared = () => (
  <Empty title="No event is shared with you yet">
    <p>Receiving events of your places appear here as soon as they are stored.</p>
  </Empty>
)

/** First steps with an empty database. */
function FirstSteps() {
  const mayWrite = useMay('writer')
  const line = `curl -H "Authorization: Bearer $LOTKEEPER_KEY" -H "Content-Type: application/json" -d @examples/receiving-event.json ${location.origin}/data-provider/events/receiving`
  return (
    <Empty title="There are no receiving events yet">
      {mayWrite ? (
        <>
          <p>
            <a href={hrefTo('/import')}>Import a file</a>, or <a href={hrefTo('/events/new')}>enter one by hand</a>.
          </p>
          <p>A program sends one with your key in LOTKEEPER_KEY, here with a file from the folder of Lotkeeper:</p>
          <p class="command">
            <code>{line}</code>
            <button type="button" onClick={() => copy(line, 'curl command')}>
              Copy
            </button>
          </p>
          <p>
            <code>npx lotkeeper demo</code> loads examples: two farms, a salad and three stores, with the mistakes
            people make.
          </p>
        </>
      ) : (
        <p>They are sent by programs with a writer key; yours is a reader key.</p>
      )}
    </Empty>
  )
}
