// Bulk corrections: one change in many events, newest first.
import type { Correction } from '../../../client/generated/shapes.ts'
import { Instant } from '../../parts/frame/instant.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty } from '../../parts/frame/states.tsx'
import { PagedTable } from '../../parts/tables/paged-table.tsx'
import { changeWords, stateWords } from '../../records/correction-words.ts'
import type { Column } from '../../records/drawn-column.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { usePaged } from '../../state/frame/paged.ts'
import { useMay } from '../../state/frame/session.ts'

export function CorrectionsPage() {
  const mayWrite = useMay('writer')
  const paged = usePaged((api, options) => api.listCorrections(options), [])
  return (
    <>
      <PageHead
        title="Corrections"
        actions={
          mayWrite && (
            <a class="button main" href={hrefTo('/corrections/new')}>
              New correction
            </a>
          )
        }
      >
        <p class="quiet">
          One change in many receiving events, with one reason. Each corrected event gets a new version; the version
          before stays in its history.
        </p>
      </PageHead>
      <PagedTable
        paged={paged}
        noun="correction"
        newestFirst
        label="Corrections"
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No events have been corrected together">
            <p>
              Start from <a href={hrefTo('/completeness/gaps')}>events with gaps</a>, or choose the events yourself.
            </p>
          </Empty>
        }
      />
    </>
  )
}

export const StateTag = ({ state }: Pick<Correction, 'state'>) => (
  <span class={`tag ${state === 'done' ? 'added' : state === 'cancelled' ? 'removed' : 'replaced'}`}>
    {stateWords[state]}
  </span>
)

const columns: readonly Column<Correction>[] = [
  {
    heading: 'Reason',
    cell: ({ id, reason }) => (
      <a href={hrefTo(`/corrections/${id}`)} dir="auto">
        {reason}
      </a>
    ),
  },
  {
    heading: 'Change',
    cell: ({ changes: [first, ...others], undoes }) => (
      <>
        {undoes === null ? <bdi>{first && changeWords(first)}</bdi> : 'Undoes another correction'}
        {others.length > 0 && <span class="quiet"> and {others.length} more</span>}
      </>
    ),
  },
  {
    heading: 'Events',
    isNumber: true,
    cell: ({ events, outcomes: { corrected } }) =>
      (corrected > 0 ? `${corrected.toLocaleString('en')} of ` : '') + events.toLocaleString('en'),
  },
  { heading: 'State', cell: ({ state }) => <StateTag state={state} /> },
  {
    heading: 'Created',
    cell: ({ createdDateTime }) => <Instant instant={createdDateTime} toSecond />,
  },
]
