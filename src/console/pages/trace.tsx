// One lot: who had it, from whom, when, how much, and what the records leave open. What is shown stands in the address.
import { useEffect, useState } from 'preact/hooks'
import { ProblemError } from '../../client/failure.ts'
import type { LotTrace } from '../../contract/lot-trace.ts'
import { go } from '../address.ts'
import { useAsked } from '../asked.ts'
import { queryOf } from '../filters.ts'
import type { PageProps } from '../page.ts'
import { PageHead } from '../parts/page-head.tsx'
import { Empty, When } from '../parts/states.tsx'
import { TraceEvents, TraceNotes, TracePlaces, TraceSources } from '../parts/trace-tables.tsx'
import { handOver } from '../saving.ts'
import { useOpenSession } from '../session.ts'

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
            As it stands on the case. A GS1 element string such as <code>(01)10614141000415(10)GV26063-A</code>, what a
            scanner sends, and a GS1 Digital Link will do as well.
          </p>
        </Empty>
      ) : (
        <Traced lotCode={lotCode} tlcSource={tlcSource} />
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
  const asked = useAsked(
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
          <Empty
            title={trace.outcome === 'unknownSource' ? 'No such source' : 'No receiving event carries this lot code'}
          >
            <p>{trace.message}</p>
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

function Trace({ trace, asked, tlcSource }: TraceProps) {
  const { reading, totals } = trace
  return (
    <div class="record">
      {reading.form !== 'text' && (
        <p class="callout">
          Read as lot <strong>{trace.lotCode}</strong>
          {reading.gtin && (
            <>
              {' '}
              of GTIN <code>{reading.gtin}</code>
            </>
          )}
          . Looked for: {reading.lookedFor.map((one) => `${one.lotCode} (${one.lines} lines)`).join(', ')}.
        </p>
      )}
      <TraceSources
        trace={trace}
        tlcSource={tlcSource}
        hrefOf={(source) => path + queryOf({ lotCode: asked, tlcSource: source ?? '' })}
      />
      <Drawing
        asked={asked}
        tlcSource={tlcSource}
        alt={`${totals.places} places and the ways between them; the tables below say the same`}
      />
      <TraceNotes trace={trace} />
      <TracePlaces trace={trace} />
      <TraceEvents trace={trace} />
    </div>
  )
}

/** The drawing of the service, shown as a picture: nothing in it can run. */
function Drawing({ asked, tlcSource, alt }: Pick<TraceProps, 'asked' | 'tlcSource'> & { readonly alt: string }) {
  const { api } = useOpenSession()
  const [address, setAddress] = useState<string>()
  const fetched = useAsked(
    async (signal) => fileOf(await api.traceLot({ lotCode: asked, tlcSource, format: 'svg', signal })),
    [asked, tlcSource],
  )
  const blob = fetched.is === 'answered' ? fetched.value : undefined
  useEffect(() => {
    if (blob === undefined) return
    const made = URL.createObjectURL(blob)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  const name = `lot-${asked.replaceAll(/[^\w.-]+/g, '-').slice(0, 60)}`
  const saveCsv = async () =>
    handOver(await fileOf(await api.traceLot({ lotCode: asked, tlcSource, format: 'csv' })), `${name}.csv`)
  return (
    <section>
      <div class="section-head">
        <h2>Where it went</h2>
        <div class="actions">
          <button type="button" disabled={blob === undefined} onClick={() => blob && handOver(blob, `${name}.svg`)}>
            Save drawing
          </button>
          <button type="button" onClick={saveCsv}>
            Save CSV
          </button>
        </div>
      </div>
      <When asked={fetched} what="the drawing">
        {() => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
          <section class="scroller drawing" tabIndex={0} aria-label="The drawing">
            {address && <img src={address} alt={alt} onLoad={({ currentTarget }) => fitToPage(currentTarget)} />}
          </section>
        )}
      </When>
    </section>
  )
}

/** A drawing that is not much wider than the page is drawn as wide as the page; a wider one is scrolled. */
function fitToPage(image: HTMLImageElement): void {
  image.classList.toggle('fits', image.naturalWidth <= 1.5 * (image.parentElement?.clientWidth ?? 0))
}

const fileOf = async ({
  file,
}: {
  readonly file: { readonly mediaType: string; readonly stream: ReadableStream } | undefined
}) => {
  if (file === undefined) throw new Error('The answer is no file.')
  return new Response(file.stream, { headers: { 'content-type': file.mediaType } }).blob()
}
