// One lot: who had it, from whom, when, how much, and the open questions of the records. The view
// is in the address.
import { Fragment } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { ProblemError } from '../../../client/failure.ts'
import { earlierLotText } from '../../../contract/earlier-lot.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import type { LotTrace } from '../../../tracing/lot-trace.ts'
import { handOver } from '../../files/saving.ts'
import { type SettingField, SettingFields } from '../../parts/fields/setting-fields.tsx'
import { PageHead } from '../../parts/frame/page-head.tsx'
import { Empty, When } from '../../parts/frame/states.tsx'
import { LotChains } from '../../parts/traceability/lot-chain.tsx'
import { drawingFile, LotDrawing, lotPicture } from '../../parts/traceability/lot-drawing.tsx'
import {
  TraceEvents,
  TraceNotes,
  TracePlaces,
  TraceReadAlike,
  TraceShipped,
  TraceSources,
} from '../../parts/traceability/trace-tables.tsx'
import { queryOf } from '../../records/filters.ts'
import { periodWords } from '../../records/note-ways.ts'
import { sectionOf } from '../../records/record-sections.ts'
import { allEvents, eventChoice, placeAnchor } from '../../records/trace-choice.ts'
import { go, hrefTo, useAddress } from '../../state/frame/address.ts'
import { useRequest } from '../../state/frame/request.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { say } from '../../state/frame/toasts.ts'
import { failureWords } from '../../words/failure-words.ts'
import { screenText } from '../../words/screen-words.ts'
import type { PageProps } from '../frame/page.ts'

const path = '/trace'

export function TracePage({ query }: PageProps) {
  const lotCode = query.get('lotCode') ?? ''
  const given = (name: string): string | undefined => query.get(name) || undefined
  const asked: AskedTrace = {
    lotCode,
    tlcSource: given('tlcSource'),
    eventStartDate: given('eventStartDate'),
    eventEndDate: given('eventEndDate'),
  }
  const least = given('least')
  return (
    <>
      <PageHead title={lotCode === '' ? 'Trace a lot' : `Lot ${lotCode}`} />
      <LotSearch key={JSON.stringify(asked)} asked={asked} />
      {lotCode === '' ? (
        <Empty title="Type or paste a lot code">
          <p>
            Enter it as printed on the case. A GS1 element string such as <code>(01)10614141000415(10)GV26063-A</code>,
            scanner output, a GS1 Digital Link or an LGTIN also works.
          </p>
        </Empty>
      ) : (
        <>
          <Traced asked={asked} />
          <div class="lot-chains">
            <LotChains key={least} lotCode={lotCode} tlcSource={asked.tlcSource} least={least} />
          </div>
        </>
      )}
    </>
  )
}

/** What is asked for, by the names that the address has for it. */
interface AskedTrace {
  readonly lotCode: string
  readonly tlcSource: string | undefined
  readonly eventStartDate: string | undefined
  readonly eventEndDate: string | undefined
}

const pathOf = (asked: Readonly<Partial<Record<string, string>>>): string =>
  path + queryOf(Object.fromEntries(Object.entries(asked).map(([name, value]) => [name, value ?? ''])))

const periodFields: readonly SettingField[] = [
  { is: 'date', name: 'eventStartDate', label: periodWords.from },
  { is: 'date', name: 'eventEndDate', label: periodWords.until },
]

function LotSearch({ asked }: { readonly asked: AskedTrace }) {
  const { lotCode } = asked
  const find = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const next = Object.fromEntries([...form].map(([name, value]) => [name, String(value).trim()]))
    if (next.lotCode !== '') go(pathOf({ ...(next.lotCode === lotCode && asked), ...next }))
  }
  return (
    <search>
      <form class="filters" onSubmit={find}>
        <div class="search trace-search">
          <label for="filter-lotCode">Lot code</label>
          <input id="filter-lotCode" name="lotCode" type="search" defaultValue={lotCode} autocomplete="off" />
          <button type="submit" class="main">
            Trace
          </button>
        </div>
        <SettingFields form="trace" fields={periodFields} values={asked} />
      </form>
    </search>
  )
}

function Traced({ asked }: { readonly asked: AskedTrace }) {
  const { api } = useOpenSession()
  const answer = useRequest(
    async (signal): Promise<LotTrace | ProblemError> => {
      try {
        return (await api.traceLot({ ...asked, signal })).body
      } catch (error) {
        if (error instanceof ProblemError && error.status === 404) return error
        throw error
      }
    },
    [asked],
  )
  return (
    <When asked={answer} what="the trace">
      {(trace) =>
        trace instanceof ProblemError ? (
          <Empty title={trace.outcome === 'unknownSource' ? 'No such source' : 'No delivery has this lot code'}>
            <p>{screenText(trace.message)}</p>
            {trace.problem.records !== undefined && (
              <ul aria-label="Records that had it until a correction or a void">
                {trace.problem.records.map((record) => (
                  <li key={`${record.id} ${record.lotCode}`}>
                    <a href={hrefTo(`${sectionOf({ name: record.kind }).path}/${record.id}/versions`)}>
                      {earlierLotText(record)}
                    </a>
                  </li>
                ))}
              </ul>
            )}
          </Empty>
        ) : (
          <Trace key={JSON.stringify(asked)} trace={trace} asked={asked} />
        )
      }
    </When>
  )
}

interface TraceProps {
  readonly trace: LotTrace
  readonly asked: AskedTrace
}

/** Lot codes offered where none was found. */
const alikeMax = 5

/** Id of the element after the drawing. */
const afterDrawing = 'after-drawing'

function Trace({ trace, asked }: TraceProps) {
  const pathWith = (values: Readonly<Record<string, string>>): string => pathOf({ ...asked, ...values })
  const { reading } = trace
  const { hash } = useAddress()
  const picture = useMemo(() => lotPicture(trace), [trace])
  const choice = eventChoice(hash, trace, picture.ways)
  const place = trace.places.find(({ id }) => placeAnchor(id) === hash)?.id
  // The browser scrolls to an existing target when the address changes: not to one that arrives
  // with the answer, or has another id.
  useEffect(() => {
    const target = document.getElementById(choice === undefined ? hash : allEvents)
    if (hash === '' || target === null) return
    target.scrollIntoView({ block: place === undefined ? 'start' : 'center' })
    target.focus({ preventScroll: true })
  }, [hash])
  if (trace.totals.lines === 0 && trace.shippingEvents.length === 0)
    return (
      <>
        <Empty title="No event has this lot code">
          <p>
            Did you mean{' '}
            {[...new Set(trace.readAlike.map((line) => line.lotCode))].slice(0, alikeMax).map((code, i) => (
              <span key={code}>
                {i > 0 && ', '}
                <a href={hrefTo(path + queryOf({ lotCode: code }))}>
                  <bdi>{code}</bdi>
                </a>
              </span>
            ))}
            ?
          </p>
        </Empty>
        <TraceNotes trace={trace} pathWith={pathWith} />
        <TraceReadAlike trace={trace} />
      </>
    )
  const isWrittenOtherwise = reading.spellings.some(({ lotCode }) => lotCode !== trace.lotCode)
  return (
    <div class="record">
      {(reading.form !== 'text' || isWrittenOtherwise) && (
        <p class="callout">
          Read as lot{' '}
          <strong>
            <bdi>{trace.lotCode}</bdi>
          </strong>
          {reading.gtin && (
            <>
              {' '}
              of GTIN <code>{reading.gtin}</code>
            </>
          )}
          . Written as:{' '}
          {reading.spellings.map((one, i) => (
            <Fragment key={one.lotCode}>
              {i > 0 && ', '}
              <bdi>{one.lotCode}</bdi> ({pluralize(one.lines, 'line')})
            </Fragment>
          ))}
          .
        </p>
      )}
      {(trace.sources.length > 0 || trace.totals.sourcesOfCode > 1) && (
        <TraceSources
          trace={trace}
          tlcSource={asked.tlcSource}
          hrefOf={(source) => pathWith({ tlcSource: source ?? '' })}
        />
      )}
      <section>
        <div class="section-head">
          <h2>Where it went</h2>
          <SaveButtons trace={trace} asked={asked} />
        </div>
        <LotDrawing picture={picture} next={afterDrawing} />
      </section>
      <div id={afterDrawing} tabIndex={-1}>
        <TraceNotes trace={trace} pathWith={pathWith} />
      </div>
      <TraceReadAlike trace={trace} />
      <TraceShipped trace={trace} />
      <TracePlaces trace={trace} chosen={place} />
      <TraceEvents trace={trace} choice={choice} />
    </div>
  )
}

function SaveButtons({ trace, asked }: TraceProps) {
  const { api } = useOpenSession()
  const name = `lot-${asked.lotCode.replaceAll(/[^\w.-]+/g, '-').slice(0, 60)}`
  const saveCsv = async () => {
    try {
      const { file } = await api.traceLot({ ...asked, format: 'csv' })
      if (file !== undefined) handOver(await new Response(file.stream).blob(), `${name}.csv`)
    } catch (error) {
      say(failureWords(error).title, 'failed')
    }
  }
  return (
    <div class="actions">
      <button type="button" onClick={() => handOver(drawingFile(trace), `${name}.svg`)}>
        Save drawing
      </button>
      <button type="button" onClick={saveCsv}>
        Save CSV
      </button>
    </div>
  )
}
