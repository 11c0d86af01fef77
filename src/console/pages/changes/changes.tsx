// Changes of records as they happen, newest first. The address holds the filters.
import { useRef } from 'preact/hooks'
import type { Change } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { listChanges } from '../../../operations/changes/changes.ts'
import { DamageNote } from '../../parts/frame/damage-note.tsx'
import { Instant } from '../../parts/frame/instant.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, Failure, When } from '../../parts/frame/states.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { FilterBar } from '../../parts/tables/filter-bar.tsx'
import { UnknownFilters } from '../../parts/tables/table-actions.tsx'
import { Tabs } from '../../parts/tables/tabs.tsx'
import { changeAddresses, changeWords } from '../../records/change-words.ts'
import type { Column } from '../../records/drawn-column.ts'
import { type EventValueField, readEventValues } from '../../records/event-values.ts'
import { type Filters, filtersIn, queryOf } from '../../records/filters.ts'
import { recordSections } from '../../records/record-sections.ts'
import { recordName } from '../../records/record-summary.ts'
import { go, hrefTo } from '../../state/frame/address.ts'
import { type LiveChanges, useLiveChanges } from '../../state/frame/live-changes.ts'
import { useNearWindow } from '../../state/frame/near-window.ts'
import { useRequest } from '../../state/frame/request.ts'
import { runQueued } from '../../state/frame/request-queue.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import type { PageProps } from '../frame/page.ts'

const path = '/changes'
const { after: _after, limit: _limit, wait: _wait, kind, ...declared } = listChanges.query
const addressed = { kind, ...declared }

export function ChangesPage({ query }: PageProps) {
  const { filters, unknown } = filtersIn(query, addressed)
  const { kind: chosen = '', ...others } = filters
  const live = useLiveChanges(filters)
  return (
    <>
      <PageHead
        title="Changes"
        actions={
          <button type="button" onClick={() => live.setPaused(!live.isPaused)} aria-pressed={live.isPaused}>
            Pause
          </button>
        }
      >
        <p class="quiet">
          What happened to which record, newest first. A change appears here about a second after it is stored.
        </p>
        <Tabs
          label="Kind of record"
          tabs={[
            ['', 'All records'] as const,
            ...recordSections.map(({ kind, words }) => [kind.name, words] as const),
          ].map(([kind, words]) => ({ words, path: path + queryOf({ kind, ...others }), isHere: kind === chosen }))}
        />
      </PageHead>
      <ChangeFilters filters={others} onFilter={(next) => go(path + queryOf({ kind: chosen, ...next }))} />
      <UnknownFilters unknown={unknown} />
      <LiveState live={live} />
      <DamageNote damaged={live.damaged} noun="change" nouns="changes" />
      <When asked={live.asked} what="the changes">
        {(changes) =>
          changes.length === 0 ? (
            <Empty title={query.size > 0 ? 'No recent change matches' : 'Nothing has changed yet'}>
              <p>Leave this page open: the next change appears here.</p>
            </Empty>
          ) : (
            <ChangeTable changes={changes} fresh={live.fresh} />
          )
        }
      </When>
    </>
  )
}

interface FilterProps {
  readonly filters: Filters
  readonly onFilter: (filters: Filters) => void
}

function ChangeFilters({ filters, onFilter }: FilterProps) {
  const { api } = useOpenSession()
  return (
    <FilterBar
      declared={declared}
      search="lotCode"
      shownElsewhere={['dataProviderVendorId']}
      filters={filters}
      onFilter={onFilter}
      values={{
        of: ['dataProviderVendorId', 'shipToLocationCode'],
        nouns: 'events',
        ask: (name, containing, signal) => readEventValues(api, name as EventValueField, containing, signal),
      }}
    />
  )
}

function LiveState({ live: { asked, isPaused, waiting, isLost, error, setPaused } }: { readonly live: LiveChanges }) {
  if (error !== undefined && asked.is === 'answered') return <Failure error={error} again={asked.again} />
  const state = isLost ? 'lost' : isPaused ? 'paused' : asked.is === 'answered' ? 'on' : 'begins'
  return (
    <p class={`live ${state}`}>
      <span role="status">
        {
          {
            lost: 'The connection is lost. The page reconnects by itself and misses no change.',
            paused: waiting === 0 ? 'Paused.' : `Paused. ${pluralize(waiting, 'new change')}.`,
            on: 'Live',
            begins: 'Connecting…',
          }[state]
        }
      </span>
      {isPaused && waiting > 0 && (
        <button type="button" class="plain in-line" onClick={() => setPaused(false)}>
          Show {waiting === 1 ? 'it' : 'them'}
        </button>
      )}
    </p>
  )
}

interface TableProps {
  readonly changes: readonly Change[]
  /** How many at the top are new. */
  readonly fresh: number
}

function ChangeTable({ changes, fresh }: TableProps) {
  return (
    <>
      <DataTable
        class="changes"
        label="Changes"
        columns={columns}
        rows={changes}
        keyOf={({ position }) => position}
        rowAttributes={(_, i) => ({ class: i < fresh ? 'fresh' : undefined })}
      />
      <p class="list-end quiet">
        {pluralize(changes.length, 'change')}, newest first. A record lists its earlier changes under “Versions”.
      </p>
    </>
  )
}

const columns: readonly Column<Change>[] = [
  { heading: 'Record', cell: (change) => <ChangedRecord change={change} /> },
  {
    heading: 'What',
    cell: (change) => {
      const { what, tag } = changeWords(change)
      return <span class={`tag ${tag}`}>{what}</span>
    },
  },
  {
    heading: 'Version',
    cell: (change) => (
      <a href={hrefTo(changeAddresses(change).version)}>
        {change.version}
        <span class="hidden"> of {change.id}</span>
      </a>
    ),
  },
  {
    heading: 'When',
    class: 'when',
    cell: ({ submittedDateTime }) => <Instant instant={submittedDateTime} toSecond />,
  },
]

function ChangedRecord({ change }: { readonly change: Change }) {
  const link = useRef<HTMLAnchorElement>(null)
  const name = useName({ change, isSeen: useNearWindow(link) })
  return (
    <>
      <a ref={link} href={hrefTo(changeAddresses(change).record)}>
        {changeWords(change).noun} <bdi>{name}</bdi>
      </a>{' '}
      <code class="quiet small">{change.id}</code>
    </>
  )
}

/** The name of the record, loaded once its row is visible, because a change has only its id. */
function useName({ change, isSeen }: { readonly change: Change; readonly isSeen: boolean }): string | undefined {
  const { api } = useOpenSession()
  const { id, version } = change
  const { kind, what } = changeWords(change)
  const asked = useRequest(
    async (signal) => {
      if (!isSeen || what === 'purged') return undefined
      const { body } = await runQueued(signal, () => api.of(kind).readVersion({ id, version, signal }))
      return recordName(kind, body)
    },
    [id, version, isSeen],
  )
  return asked.is === 'answered' ? asked.value : undefined
}
