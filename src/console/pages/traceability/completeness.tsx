// How many lines have every key data element, by group; the address has the view.

import type { Completeness } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { groupings, readCompleteness } from '../../../operations/traceability/completeness.ts'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, When } from '../../parts/frame/states.tsx'
import { FilterBar } from '../../parts/tables/filter-bar.tsx'
import { Sparkline } from '../../parts/tables/sparkline.tsx'
import { Tabs } from '../../parts/tables/tabs.tsx'
import { CompletenessTable, Count, headOf } from '../../parts/traceability/completeness-table.tsx'
import { KindChoice } from '../../parts/traceability/kind-choice.tsx'
import { RecountNote } from '../../parts/traceability/recount-note.tsx'
import { askOf, filtersIn, queryOf } from '../../records/filters.ts'
import { go, hrefTo } from '../../state/frame/address.ts'
import { useAnswer } from '../../state/frame/request.ts'
import { shareWords } from '../../words/percent.ts'
import type { PageProps } from '../frame/page.ts'

const path = '/completeness'
const { by: _, limit: __, ...declared } = readCompleteness.query
const { kind: ___, ...entered } = declared
/** Groups that fit on a page a person reads. */
const limit = 100

export function CompletenessPage({ query }: PageProps) {
  const by = groupings.find((one) => one === query.get('by')) ?? groupings[0]
  const { filters } = filtersIn(query, declared)
  const { kind = '' } = filters
  const asked = useAnswer(
    (api, signal) => api.readCompleteness({ ...askOf(filters, declared), by, limit, signal }),
    [by, filters],
  )
  const filtered = Object.keys(filters).length > 0
  return (
    <>
      <PageHead
        title="Completeness"
        actions={
          <a class="button" href={hrefTo('/completeness/history')}>
            Over time
          </a>
        }
      >
        <Tabs
          label="Grouped by"
          tabs={groupings.map((one) => ({
            words: headOf(one),
            path: path + queryOf({ by: one, ...filters }, declared),
            isHere: one === by,
          }))}
        />
      </PageHead>
      <KindChoice kind={filters.kind} onChoose={(kind) => go(path + queryOf({ by, ...filters, kind }, declared))} />
      <FilterBar
        declared={entered}
        search="dataProviderVendorId"
        filters={filtersIn(query, entered).filters}
        onFilter={(next) => go(path + queryOf({ by, kind, ...next }, declared))}
      />
      {asked.is === 'answered' && <RecountNote of={asked.value} what="These counts are" again={asked.again} byItself />}
      <When asked={asked} what="the counts">
        {(completeness) =>
          completeness.total.lines > 0 ? (
            <Counts completeness={completeness} />
          ) : (
            <Empty title={filtered ? 'No lines match these filters' : 'There are no lines yet'}>
              <p>
                {filtered ? 'Filters match exactly: enter the whole code, as it was submitted.' : 'Events bring them.'}
              </p>
            </Empty>
          )
        }
      </When>
    </>
  )
}

function Counts({ completeness }: { readonly completeness: Completeness }) {
  const { total, trend, groups, groupCount, eventStartDate, eventEndDate } = completeness
  const incomplete = total.lines - total.completeLines
  return (
    <>
      <p class="facts totals">
        <span>
          <strong>{shareWords(total.share)}</strong> of {pluralize(total.lines, 'line')} complete
        </span>
        <span>
          <Count count={incomplete} to={total.records} what={`${incomplete} incomplete lines: show the events`} />{' '}
          incomplete, in {pluralize(total.eventsWithGaps, 'event')} of {total.events.toLocaleString('en')}
        </span>
        <Sparkline trend={trend} records={total.records} />
        <span class="quiet">
          {eventStartDate} to {eventEndDate}
        </span>
      </p>
      <CompletenessTable completeness={completeness} />
      <p class="list-end quiet">
        {groups.length < groupCount
          ? `The ${groups.length} with the most incomplete lines, of ${groupCount.toLocaleString('en')}. `
          : ''}
        {completeness.recounting === null && 'Counted with the current locations and products.'}
      </p>
    </>
  )
}
