// Bulk corrections: one change in many events, newest first.
import type { Correction } from '../../../client/generated/shapes.ts'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, When } from '../../parts/frame/states.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { ListEnd } from '../../parts/tables/list-end.tsx'
import { changeWords, stateWords } from '../../records/correction-words.ts'
import type { Column } from '../../records/drawn-column.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { usePaged } from '../../state/frame/paged.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { dateTimeWords } from '../../words/labels.ts'

export function CorrectionsPage() {
  const { api } = useOpenSession()
  const mayWrite = useMay('writer')
  const paged = usePaged(async (options) => (await api.listCorrections(options)).body, [])
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
      <When asked={paged.asked} what="the corrections">
        {({ content }) =>
          content.length === 0 ? (
            <Empty title="No events have been corrected together">
              <p>
                Start from <a href={hrefTo('/completeness/gaps')}>events with gaps</a>, or choose the events yourself.
              </p>
            </Empty>
          ) : (
            <>
              <DataTable label="Corrections" columns={columns} rows={content} keyOf={({ id }) => id} />
              <ListEnd paged={paged} noun="correction" newestFirst />
            </>
          )
        }
      </When>
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
    cell: ({ createdDateTime }) => <time dateTime={createdDateTime}>{dateTimeWords(createdDateTime)}</time>,
  },
]
