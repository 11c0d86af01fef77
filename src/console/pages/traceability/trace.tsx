// One lot: who had it, from whom, when, how much, and the open questions of the records. The view
// is in the address.
import { Fragment } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { ProblemError } from '../../../client/failure.ts'
import { earlierLotText } from '../../../contract/earlier-lot.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import type { LotTrace } from '../../../tracing/lot-trace.ts'
import { handOver } from '../../files/saving.ts'
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
  const tlcSource = query.get('tlcSource') ?? undefined
  return (
    <>
      <PageHead title={lotCode === '' ? 'Trace a lot' : `Lot ${lotCode}`} />
      <LotSearch lotCode={lotCode} />
      {lotCode === '' ? (
        <Empty title="Type or paste a lot code">
          <p>
            Enter it as printed on the case. A GS1 element string such as <code>(01)10614141000415(10)GV26063-A</code>,
            scanner output, a GS1 Digital Link or an LGTIN also works.
          </p>
        </Empty>
      ) : (
        <>
          <Traced lotCode={lotCode} tlcSource={tlcSource} />
          <LotChains lotCode={lotCode} tlcSource={tlcSource} />
        </>
      )}
    </>
  )
}

function LotSearch({ lotCode }: { readonly lotCode: string }) {
  const find = (event: SubmitEvent) => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget as HTMLFormElement).get('lotCode') ?? '').trim()
    if (text !== '') go(path + queryOf({ lotCode: text }))
  }
  return (
    <search>
      <form class="filters" onSubmit={find}>
        <div class="search trace-search">
          <label for="filter-lotCode">Lot code</label>
          <input
            id="filter-lotCode"
            name="lotCode"
            type="search"
            key={lotCode}
            defaultValue={lotCode}
            autocomplete="off"
          />
          <button type="submit" class="main">
            Trace
          </button>
        </div>
      </form>
    </search>
  )
}

function Traced({ lotCode, tlcSource }: { readonly lotCode: string; readonly tlcSource: string | undefined }) {
  const { api } = useOpenSession()
  const asked = useRequest(
    async (signal): Promise<LotTrace | ProblemError> => {
      try {
        return (await api.traceLot({ lotCode, tlcSource, signal })).body
      } catch (error) {
        if (error instanceof ProblemError && error.status === 404) return error
        throw error
      }
    },
    [lotCode, tlcSource],
  )
  return (
    <When asked={asked} what="the trace">
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
          <Trace key={`${lotCode} ${tlcSource ?? ''}`} trace={trace} asked={lotCode} tlcSource={tlcSource} />
        )
      }
    </When>
  )
}

interface TraceProps {
  readonly trace: LotTrace
  readonly asked: string
  readonly tlcSource: string | undefined
}

/** Lot codes offered where none was found. */
const alikeMax = 5

/** Id of the element after the drawing. */
const afterDrawing = 'after-drawing'

function Trace({ trace, asked, tlcSource }: TraceProps) {
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
        <TraceNotes trace={trace} />
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
          tlcSource={tlcSource}
          hrefOf={(source) => path + queryOf({ lotCode: asked, tlcSource: source ?? '' })}
        />
      )}
      <section>
        <div class="section-head">
          <h2>Where it went</h2>
          <SaveButtons trace={trace} asked={asked} tlcSource={tlcSource} />
        </div>
        <LotDrawing picture={picture} next={afterDrawing} />
      </section>
      <div id={afterDrawing} tabIndex={-1}>
        <TraceNotes trace={trace} />
      </div>
      <TraceReadAlike trace={trace} />
      <TraceShipped trace={trace} />
      <TracePlaces trace={trace} chosen={place} />
      <TraceEvents trace={trace} choice={choice} />
    </div>
  )
}

function SaveButtons({ trace, asked, tlcSource }: TraceProps) {
  const { api } = useOpenSession()
  const name = `lot-${asked.replaceAll(/[^\w.-]+/g, '-').slice(0, 60)}`
  const saveCsv = async () => {
    try {
      const { file } = await api.traceLot({ lotCode: asked, tlcSource, format: 'csv' })
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
