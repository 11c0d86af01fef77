// One mock recall: its clock while it runs, and the report to print or save.
import { useEffect, useState } from 'preact/hooks'
import type { MockRecall } from '../../../client/generated/shapes.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { copy } from '../../files/clipboard.ts'
import { handOver, sizeWords } from '../../files/saving.ts'
import { KeyName } from '../../parts/fields/key-name.tsx'
import { Instant } from '../../parts/frame/instant.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { When } from '../../parts/frame/states.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { FactList } from '../../parts/tables/fact-list.tsx'
import type { Column } from '../../records/drawn-column.ts'
import { queryOf } from '../../records/filters.ts'
import { sectionOf } from '../../records/record-sections.ts'
import { amounts } from '../../records/trace-choice.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { printPage } from '../../state/frame/printing.ts'
import { useAnswer, useAskAgain } from '../../state/frame/request.ts'
import { drillStates, durationWords, stepWords } from '../../words/drills.ts'
import { shareWords } from '../../words/percent.ts'
import { screenText } from '../../words/screen-words.ts'
import type { PageProps } from '../frame/page.ts'

/** How often a running drill is asked about, in milliseconds. */
const askedEveryMs = 500

export function MockRecallPage({ values }: PageProps) {
  const id = values.id ?? ''
  const asked = useAnswer((api, signal) => api.readMockRecall({ id, signal }), [id])
  const recall = asked.is === 'answered' ? asked.value : undefined
  useAskAgain(asked, ({ state }) => state === 'running', askedEveryMs)
  const save = () =>
    handOver(new Blob([`${JSON.stringify(recall, null, 2)}\n`], { type: 'application/json' }), `mock-recall-${id}.json`)
  return (
    <>
      <PageHead
        title={recall === undefined ? 'Mock recall' : `Mock recall of lot ${recall.lotCode}`}
        actions={
          recall?.report && (
            <>
              <button type="button" onClick={save}>
                Save signed report
              </button>
              <button type="button" onClick={printPage}>
                Print
              </button>
            </>
          )
        }
      >
        <p class="quiet">
          <a href={hrefTo('/mock-recalls')}>All mock recalls</a>
        </p>
      </PageHead>
      <When asked={asked} what="the mock recall">
        {(drill) => (
          <div class="sections">
            <Progress drill={drill} />
            {drill.report !== null && <Report drill={drill} report={drill.report} />}
          </div>
        )}
      </When>
    </>
  )
}

/** Seconds since the page first showed the drill; stopped when the drill is not running. */
function useClock(isRunning: boolean): number {
  const [began] = useState(() => performance.now())
  const [now, setNow] = useState(began)
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(performance.now()), 100)
    return () => clearInterval(timer)
  }, [isRunning])
  return (now - began) / 1_000
}

const stepNames = Object.keys(stepWords) as (keyof typeof stepWords)[]

function Progress({
  drill: { state, steps, report, startedDateTime, startedBy, startedByName },
}: {
  readonly drill: MockRecall
}) {
  const isRunning = state === 'running'
  const clock = useClock(isRunning)
  return (
    <section class="drill" aria-labelledby="drill-progress">
      <h2 id="drill-progress">
        <span class={`tag ${drillStates[state].tag}`}>{drillStates[state].words}</span>{' '}
        <span class="big" role={isRunning ? 'timer' : undefined}>
          {report === null && !isRunning ? '–' : durationWords(report?.seconds ?? clock)}
        </span>{' '}
        <span class="quiet">of 24 hours</span>
      </h2>
      <ol class="drill-steps" aria-live="polite">
        {stepNames.map((name, i) => {
          const done = steps.find((step) => step.name === name)
          const words = done ? durationWords(done.seconds) : isRunning && i === steps.length ? 'running…' : 'not done'
          return (
            <li key={name} class={done ? 'done' : undefined}>
              {stepWords[name]} <span class="quiet">{words}</span>
            </li>
          )
        })}
      </ol>
      {state === 'interrupted' && (
        <p class="callout">The service was stopped before the mock recall ended. Start another one.</p>
      )}
      {report?.failure && <p class="callout error">{screenText(report.failure)}</p>}
      <p class="quiet">
        Started <Instant instant={startedDateTime} /> by <KeyName name={startedByName} id={startedBy} />
      </p>
    </section>
  )
}

interface ReportProps {
  readonly drill: MockRecall
  readonly report: NonNullable<MockRecall['report']>
}

const Report = (props: ReportProps) => (
  <>
    <Found {...props} />
    <Proof {...props} />
  </>
)

function Found({ report: { lotCode, found, isWithinTarget, failure } }: ReportProps) {
  const numbers: readonly (readonly [string, number])[] = [
    ['Receiving events', found.events],
    ['Lines received', found.lines],
    ['Shipping events', found.shippingEvents],
    ['Lines shipped', found.shippingLines],
    ['Places', found.places],
    ['Notes of the trace', found.notes],
    ['Incomplete lines', found.incompleteLines],
  ]
  return (
    <section aria-labelledby="found">
      <h2 id="found">What was found</h2>
      {failure === null && (
        <p class={`callout ${isWithinTarget && found.incompleteLines === 0 ? 'fine' : ''}`}>
          {isWithinTarget ? 'The package was complete within 24 hours. ' : 'It took longer than 24 hours. '}
          {found.incompleteLines === 0
            ? 'No line lacks a key data element.'
            : `${pluralize(found.incompleteLines, 'line')} ${found.incompleteLines === 1 ? 'lacks' : 'lack'} a key data element: FDA would ask about ${found.incompleteLines === 1 ? 'it' : 'them'}.`}
        </p>
      )}
      <FactList
        class="numbers"
        facts={numbers.map(([words, number]) => [words, <span class="big">{number.toLocaleString('en')}</span>])}
      />
      {!found.isInDelivery && (
        <p class="callout">
          No receiving or shipping event has this lot: it was only made, used or packed. So its trace is empty.
        </p>
      )}
      {found.missing.length > 0 && (
        <ul>
          {found.missing.map(({ kde, cites, lines }) => (
            <li key={`${kde} ${cites}`}>
              {pluralize(lines, 'line')} without: {kde} <span class="quiet small">{cites}</span>
            </li>
          ))}
        </ul>
      )}
      <Recovery found={found} />
      {found.readAlike > 0 && (
        <p class="callout">
          {pluralize(found.readAlike, 'line')} of other lot codes {found.readAlike === 1 ? 'reads' : 'read'} alike and{' '}
          {found.readAlike === 1 ? 'was' : 'were'} not recalled. The trace lists them.
        </p>
      )}
      <p class="steps on-screen">
        <a href={hrefTo(`/trace${queryOf({ lotCode })}`)}>Trace this lot</a>
        <a href={hrefTo(`/fda${queryOf({ lotCode })}`)}>FDA package of this lot</a>
      </p>
    </section>
  )
}

type RecoveredLot = ReportProps['report']['found']['recovery'][number]

const recoveryColumns: readonly Column<RecoveredLot>[] = [
  {
    heading: 'Lot',
    cell: ({ lotCode }) => (
      <a class="mono" dir="auto" href={hrefTo(`/trace${queryOf({ lotCode })}`)}>
        {lotCode}
      </a>
    ),
  },
  { heading: 'Made', cell: ({ made, entered }) => amounts([...made, ...entered]) },
  { heading: 'Recovered', cell: ({ recovered }) => amounts(recovered) },
  {
    heading: 'Recovered ÷ made',
    cell: ({ share }) => (share === null ? <span class="quiet">not comparable</span> : shareWords(share)),
  },
]

/** How much of what was made the records can find. */
function Recovery({
  found: { recovery, recoveryCount, isRecoveryWhole },
}: {
  readonly found: ReportProps['report']['found']
}) {
  if (recovery.length === 0) return null
  return (
    <>
      <h3>Recovered</h3>
      <p class="quiet">
        What is left at places by the records, and what was used in other lots. Goods that were shipped and that no
        event received are missing here.
        {recoveryCount > recovery.length && ` The first ${recovery.length} of ${recoveryCount} lots are listed.`}
      </p>
      {!isRecoveryWhole && <p class="callout">Events are missing, so these quantities are not complete.</p>}
      <DataTable label="Recovered" columns={recoveryColumns} rows={recovery} keyOf={({ lotCode }) => lotCode} />
    </>
  )
}

const verifyCommand = 'lotkeeper verify mock-recall.json --key key.pem'

/** What proves the report: the draw, the package, the hash and the signature. */
function Proof({ drill, report: { drawn, package: made } }: ReportProps) {
  return (
    <section aria-labelledby="proof">
      <h2 id="proof">Proof</h2>
      <FactList
        facts={[
          [
            'Drawn',
            drawn && (
              <>
                with seed <bdi class="mono">{drawn.seed}</bdi> from {pluralize(drawn.events, 'event')} of{' '}
                {drawn.eventStartDate} to {drawn.eventEndDate}:{' '}
                <a href={hrefTo(`${sectionOf({ name: drawn.record }).path}/${drawn.event}`)}>the event</a>
              </>
            ),
          ],
          [
            'Package',
            made && (
              <>
                <bdi>{made.name}</bdi>, {sizeWords(made.bytes)}, SHA-256 <code>{made.sha256}</code>. It was made and not
                kept.
              </>
            ),
          ],
          [
            'Report',
            <>
              SHA-256 <code>{drill.reportHash}</code>
            </>,
          ],
          [
            'Signed',
            <>
              with key <code>{drill.signingKeyId}</code>, the key of the{' '}
              <a href={hrefTo('/checkpoints')}>checkpoints</a>
            </>,
          ],
        ]}
      />
      <p class="command-line on-screen">
        Check the saved report without the service: <code>{verifyCommand}</code>
        <button type="button" class="plain" onClick={() => copy(verifyCommand, 'Command')}>
          Copy<span class="hidden"> command</span>
        </button>
      </p>
    </section>
  )
}
