// One bulk correction: its preview, its progress, and the result of each event.
import { useState } from 'preact/hooks'
import type { Correction, CorrectionEvent } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { useSaving } from '../../files/saving.ts'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, When } from '../../parts/frame/states.tsx'
import { ReasonQuestion } from '../../parts/records/reason-question.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { ListEnd } from '../../parts/tables/list-end.tsx'
import { SavingState } from '../../parts/tables/saving-state.tsx'
import { Tabs } from '../../parts/tables/tabs.tsx'
import { placeWords } from '../../records/comparison.ts'
import {
  type CorrectionOutcome,
  changeWords,
  effectWords,
  outcomeWords,
  whereWords,
} from '../../records/correction-words.ts'
import type { Column } from '../../records/drawn-column.ts'
import { go, hrefTo } from '../../state/frame/address.ts'
import { usePaged } from '../../state/frame/paged.ts'
import { useAnswer, useAskAgain } from '../../state/frame/request.ts'
import { useMay, useOpenSession } from '../../state/frame/session.ts'
import { say } from '../../state/frame/toasts.ts'
import { failureSentence } from '../../words/failure-words.ts'
import { screenText } from '../../words/screen-words.ts'
import type { PageProps } from '../frame/page.ts'
import { StateTag } from './corrections.tsx'

/** Pause before a correction that is under way is asked for again, in milliseconds. */
const askAgainMs = 700

export function CorrectionPage({ values, query }: PageProps) {
  const { id = '' } = values
  const asked = useAnswer((api, signal) => api.readCorrection({ id, signal }), [id])
  const correction = asked.is === 'answered' ? asked.value : undefined
  useAskAgain(asked, ({ state }) => state === 'previewing' || state === 'applying', askAgainMs)
  return (
    <>
      <PageHead title="Correction" document={correction?.reason ?? 'Correction'}>
        {correction && (
          <>
            <p>
              <StateTag state={correction.state} /> <bdi>{correction.reason}</bdi>
            </p>
            <ul class="plain-list">
              {correction.changes.map((change) => (
                <li key={change.field}>
                  <bdi>{changeWords(change)}</bdi>
                </li>
              ))}
            </ul>
            {correction.undoes === null ? (
              <p class="quiet small">
                <bdi>{whereWords(correction.where).join(' · ') || 'All events'}</bdi>
              </p>
            ) : (
              <p>
                Brings events back to what stood before{' '}
                <a href={hrefTo(`/corrections/${correction.undoes}`)}>the correction that it undoes</a>.
              </p>
            )}
            {correction.undoneBy !== null && (
              <p>
                Undone by <a href={hrefTo(`/corrections/${correction.undoneBy}`)}>a later correction</a>.
              </p>
            )}
          </>
        )}
      </PageHead>
      <When asked={asked} what="the correction">
        {(current) => <Progress correction={current} outcome={query.get('outcome')} again={asked.again} />}
      </When>
    </>
  )
}

interface ProgressProps {
  readonly correction: Correction
  readonly outcome: string | null
  readonly again: () => void
}

function Progress({ correction, outcome, again }: ProgressProps) {
  const { id, state, events, outcomes } = correction
  const mayWrite = useMay('writer')
  const shown = (Object.keys(outcomeWords) as CorrectionOutcome[]).filter((one) => outcomes[one] > 0)
  const chosen = shown.find((one) => one === outcome) ?? shown[0]
  const [choice, setChoice] = useChoice(id)
  if (events === 0)
    return (
      <Empty title="No event fits">
        <p>
          <a href={hrefTo('/corrections/new')}>Choose other events</a>. Codes match exactly.
        </p>
      </Empty>
    )
  return (
    <>
      <Summary correction={correction} choice={choice} />
      <div class="correction-actions">
        {mayWrite && <Actions {...{ correction, choice, again }} />}
        <Report correction={correction} />
      </div>
      <Tabs
        label="Events by outcome"
        tabs={shown.map((one) => ({
          words: outcomeWords[one],
          path: `/corrections/${id}?outcome=${one}`,
          isHere: one === chosen,
          count: outcomes[one],
        }))}
      />
      {chosen && state !== 'previewing' && (
        <Events
          id={id}
          outcome={chosen}
          state={state}
          count={outcomes[chosen]}
          choice={mayWrite && state === 'previewed' && chosen === 'ready' ? choice : undefined}
          onChoose={setChoice}
        />
      )}
    </>
  )
}

/** Which of the ready events to correct: all but these, or these alone. */
interface Choice {
  readonly isAll: boolean
  readonly ids: ReadonlySet<string>
}

const allReady: Choice = { isAll: true, ids: new Set() }

/** Kept while the user looks at an event and comes back. */
const choices = new Map<string, Choice>()

function useChoice(id: string): readonly [Choice, (choice: Choice) => void] {
  const [, setDrawn] = useState<Choice>()
  return [
    choices.get(id) ?? allReady,
    (choice) => {
      choices.set(id, choice)
      setDrawn(choice)
    },
  ]
}

const chosenCount = ({ isAll, ids }: Choice, ready: number): number => (isAll ? ready - ids.size : ids.size)

function Summary({ correction, choice }: Pick<ActionsProps, 'correction' | 'choice'>) {
  const { state, events, outcomes } = correction
  const { waiting, ready, corrected, refused } = outcomes
  if (state === 'previewing' || state === 'applying') {
    const [done, all] = state === 'previewing' ? [events - waiting, events] : [corrected, corrected + ready]
    return (
      <div class="callout fine" role="status">
        <p>
          {state === 'previewing' ? 'Checking what the rules say of each result: ' : 'Correcting: '}
          {done.toLocaleString('en')} of {pluralize(all, 'event')}. You can leave this page.
        </p>
        <progress value={done} max={all} aria-label="Events done" />
      </div>
    )
  }
  const count = chosenCount(choice, ready)
  // It is known of all that are ready, and not of a choice.
  const effect = state === 'previewed' && count !== ready ? undefined : effectWords(correction)
  return (
    <p class="facts totals" role="status">
      <span>
        {state === 'previewed' ? (
          <>
            <strong>{pluralize(count, 'event')}</strong> of {events.toLocaleString('en')} will get a new version
          </>
        ) : (
          <>
            <strong>{pluralize(corrected, 'event')}</strong> of {events.toLocaleString('en')} corrected
          </>
        )}
      </span>
      {effect && <span>{effect}</span>}
      {refused > 0 && <span class="fault">{refused.toLocaleString('en')} refused by the rules stay as they are</span>}
    </p>
  )
}

interface ActionsProps extends Pick<ProgressProps, 'correction' | 'again'> {
  readonly choice: Choice
}

function Actions({ correction, choice, again }: ActionsProps) {
  const { id, state, outcomes, undoneBy } = correction
  const { api } = useOpenSession()
  const [isSending, setSending] = useState(false)
  const send = async (ask: () => Promise<unknown>) => {
    setSending(true)
    try {
      await ask()
      again()
    } catch (error) {
      say(failureSentence(error), 'failed')
      again()
    }
    setSending(false)
  }
  if (state === 'done' || state === 'cancelled')
    return outcomes.corrected > 0 && undoneBy === null ? <Undo correction={correction} /> : null
  const count = chosenCount(choice, outcomes.ready)
  const ids = [...choice.ids]
  const body = { ready: outcomes.ready, ...(choice.isAll ? ids.length > 0 && { leaveOut: ids } : { only: ids }) }
  return (
    <p class="actions">
      {state === 'previewed' && outcomes.ready > 0 && (
        <button
          type="button"
          class="main"
          disabled={isSending || count === 0}
          onClick={() => send(() => api.applyCorrection({ id, body }))}
        >
          {isSending ? 'Sending…' : `Correct ${pluralize(count, 'event')}`}
        </button>
      )}
      <button type="button" disabled={isSending} onClick={() => send(() => api.cancelCorrection({ id }))}>
        {state === 'applying' ? 'Stop' : 'Discard'}
      </button>
    </p>
  )
}

/** Undoes the correction with another one, which has its own reason. */
function Undo({ correction: { id, outcomes } }: Pick<ProgressProps, 'correction'>) {
  const { api } = useOpenSession()
  const [isAsking, setAsking] = useState(false)
  return (
    <p class="actions">
      <button type="button" onClick={() => setAsking(true)}>
        Undo…
      </button>
      {isAsking && (
        <ReasonQuestion
          title="Undo this correction?"
          words="Preview"
          busyWords="Choosing events…"
          hint="The history of each event shows it, e.g. The vendor confirmed the old value."
          isDangerous={false}
          blank="Say why the correction is undone."
          send={async (reason) => {
            const { body } = await api.undoCorrection({ id, body: { reason } })
            go(`/corrections/${body.id}`)
          }}
          onClose={() => setAsking(false)}
        >
          <p>
            {pluralize(outcomes.corrected, 'event')} {outcomes.corrected === 1 ? 'gets' : 'get'} a new version with what
            stood before. An event that changed since then stays as it is. You see a preview first.
          </p>
        </ReasonQuestion>
      )}
    </p>
  )
}

function Report({ correction: { id, state } }: { readonly correction: Correction }) {
  const { api } = useOpenSession()
  const { saving, save, giveUp } = useSaving()
  const [format, setFormat] = useState<'xlsx' | 'csv'>('xlsx')
  if (state === 'previewing' || state === 'applying') return null
  const download = (as: 'xlsx' | 'csv') => {
    setFormat(as)
    save((signal) => api.exportCorrectionReport({ id, format: as, signal }))
  }
  return (
    <>
      <p class="actions">
        <span class="quiet">Report:</span>
        <button type="button" onClick={() => download('xlsx')} disabled={saving.is === 'running'}>
          Save as XLSX
        </button>
        <button type="button" onClick={() => download('csv')} disabled={saving.is === 'running'}>
          Save as CSV
        </button>
      </p>
      <SavingState saving={saving} giveUp={giveUp} again={() => download(format)} />
    </>
  )
}

interface EventsProps {
  readonly id: string
  readonly outcome: CorrectionOutcome
  readonly state: Correction['state']
  /** How many there are: the list is asked for again when that changes. */
  readonly count: number
  /** Which of them to correct, where that can be chosen. */
  readonly choice: Choice | undefined
  readonly onChoose: (choice: Choice) => void
}

/** Examples come first; the rest is in the report. */
const firstLimit = 10

function Events({ id, outcome, state, count, choice, onChoose }: EventsProps) {
  const isChanged = outcome === 'ready' || outcome === 'corrected'
  const paged = usePaged(
    (api, options) =>
      api.listCorrectionEvents({ id, outcome, limit: options.cursor === undefined ? firstLimit : 200, ...options }),
    [id, outcome, state === 'applying' ? 0 : count],
  )
  return (
    <When asked={paged.asked} what="the events">
      {({ content }) => (
        <>
          {choice && <ChosenEvents {...{ choice, onChoose }} ready={count} />}
          <DataTable
            label={outcomeWords[outcome]}
            columns={[choice && choiceColumn({ choice, onChoose }), ...eventColumns(isChanged)]}
            rows={content}
            keyOf={({ id }) => id}
          />
          <ListEnd paged={paged} noun="event" />
        </>
      )}
    </When>
  )
}

/** How many are chosen, and the way to choose none or all of them. */
const ChosenEvents = ({ choice, ready, onChoose }: { readonly ready: number } & ChoiceProps) => (
  <p class="chosen-events" role="status">
    <span>
      {chosenCount(choice, ready).toLocaleString('en')} of {pluralize(ready, 'event')} chosen
    </span>
    {choice.isAll && (
      <button type="button" class="plain in-line" onClick={() => onChoose({ isAll: false, ids: new Set() })}>
        Choose none
      </button>
    )}
    {choice !== allReady && (
      <button type="button" class="plain in-line" onClick={() => onChoose(allReady)}>
        Choose all
      </button>
    )}
  </p>
)

interface ChoiceProps {
  readonly choice: Choice
  readonly onChoose: (choice: Choice) => void
}

const eventName = ({ id, purchaseOrderNumber }: CorrectionEvent): string => purchaseOrderNumber ?? id

const choiceColumn = ({ choice, onChoose }: ChoiceProps): Column<CorrectionEvent> => ({
  heading: 'Correct',
  class: 'choose',
  cell: (event) => (
    <input
      type="checkbox"
      aria-label={`Correct ${event.eventDate} ${eventName(event)}`}
      checked={choice.isAll !== choice.ids.has(event.id)}
      onChange={() => {
        const ids = new Set(choice.ids)
        if (!ids.delete(event.id)) ids.add(event.id)
        onChoose({ ...choice, ids })
      }}
    />
  ),
})

const eventColumns = (isChanged: boolean): readonly (Column<CorrectionEvent> | false)[] => [
  {
    heading: 'Event',
    isName: true,
    cell: (event) => (
      <a href={hrefTo(`/events/${event.id}`)}>
        {event.eventDate} <bdi>{eventName(event)}</bdi>
      </a>
    ),
  },
  { heading: 'Vendor', cell: ({ dataProviderVendorId }) => <bdi>{dataProviderVendorId}</bdi> },
  {
    heading: isChanged ? 'Changes' : 'Why',
    cell: (event) => (
      <>
        {event.detail !== null && (
          <p>
            <bdi>{screenText(event.detail)}</bdi>
          </p>
        )}
        <Differences event={event} />
      </>
    ),
  },
  isChanged && {
    heading: 'Lines completed',
    isNumber: true,
    cell: ({ completedLines }) =>
      completedLines > 0 ? completedLines.toLocaleString('en') : <span class="quiet">0</span>,
  },
  {
    heading: 'Version',
    cell: ({ id, version, toVersion }) =>
      toVersion === null ? (
        version
      ) : (
        <a href={hrefTo(`/events/${id}/versions?compare=${version}..${toVersion}`)}>
          {version} → {toVersion}
        </a>
      ),
  },
]

function Differences({ event: { differences, values } }: { readonly event: CorrectionEvent }) {
  if (differences.length === 0) return null
  return (
    <ul class="plain-list differences">
      {differences.map(({ pointer, before, after }) => (
        <li key={pointer}>
          <bdi class="quiet">{placeWords(pointer)}:</bdi>{' '}
          {before === null ? <span class="quiet">missing</span> : <del dir="auto">{String(before)}</del>} →{' '}
          {after === null ? <span class="quiet">removed</span> : <ins dir="auto">{String(after)}</ins>}
        </li>
      ))}
      {values > differences.length && <li class="quiet">and {pluralize(values - differences.length, 'more value')}</li>}
    </ul>
  )
}
