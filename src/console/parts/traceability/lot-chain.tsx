// The lots that were made of a lot, and those it was made of: nothing where no event made one of
// another.

import { useMemo, useState } from 'preact/hooks'
import type { ApiFile } from '../../../client/call.ts'
import { ProblemError } from '../../../client/failure.ts'
import { grounds, groundWords, isAskedFor, leastDefault, surest } from '../../../contract/lots/grounds.ts'
import { eventKinds } from '../../../contract/record-kinds.ts'
import { capitalize } from '../../../contract/text/capitalize.ts'
import { pluralize } from '../../../contract/text/pluralize.ts'
import { chainPictureOf } from '../../../drawing/chain-graph.ts'
import { chainSvg } from '../../../drawing/svg.ts'
import { runSteps } from '../../../steps.ts'
import type { ChainedFood, ChainedLot, LotChain } from '../../../tracing/lot-chain.ts'
import { handOver } from '../../files/saving.ts'
import type { Column } from '../../records/drawn-column.ts'
import { queryOf } from '../../records/filters.ts'
import { groundChoices } from '../../records/note-ways.ts'
import { amounts } from '../../records/trace-choice.ts'
import { hrefTo } from '../../state/frame/address.ts'
import { useRequest } from '../../state/frame/request.ts'
import { useOpenSession } from '../../state/frame/session.ts'
import { say } from '../../state/frame/toasts.ts'
import { failureWords } from '../../words/failure-words.ts'
import { Select } from '../fields/select.tsx'
import { When } from '../frame/states.tsx'
import { TextList } from '../records/text-list.tsx'
import { DataTable } from '../tables/data-table.tsx'
import { ChainNotes } from './chain-notes.tsx'
import { Drawing } from './lot-drawing.tsx'

interface Props {
  readonly lotCode: string
  readonly tlcSource: string | undefined
  /** Steps to follow, as an address has it. */
  readonly least: string | undefined
}

export function LotChains({ lotCode, tlcSource, least: given }: Props) {
  const { api } = useOpenSession()
  const [least, setLeast] = useState<LotChain['least']>(grounds.find((one) => one === given) ?? leastDefault)
  const asked = useRequest(
    async (signal) => {
      const chainTo = async (direction: LotChain['direction']): Promise<LotChain | undefined> => {
        try {
          return (await api.traceChain({ lotCode, tlcSource, direction, least, signal })).body
        } catch (error) {
          if (error instanceof ProblemError && error.status === 404) return undefined
          throw error
        }
      }
      return Promise.all([chainTo('forward'), chainTo('back')])
    },
    [lotCode, tlcSource, least],
  )
  return (
    <When asked={asked} what="the lots that were made of it">
      {([forward, back]) => (
        <>
          <p class="lot-left">
            <a href={hrefTo(`/balances${queryOf({ lotCode, tlcSource: tlcSource ?? '' })}`)}>
              What is left, by lot and place
            </a>
          </p>
          <p class="check on-screen">
            Follow <Select aria-label="Steps to follow" choices={groundChoices} value={least} onChoose={setLeast} />
          </p>
          <p class="on-paper">Follows {groundChoices.find(([ground]) => ground === least)?.[1]}</p>
          {(
            [
              ['Lots that were made of it', forward],
              ['Lots that are in it', back],
            ] as const
          ).map(([title, chain]) => (
            <Chain
              key={title}
              title={title}
              chain={chain}
              onFollow={setLeast}
              fda={queryOf({ lotCode, tlcSource: tlcSource ?? '', chain: chain?.direction ?? '', least })}
              readCsv={() => api.traceChain({ lotCode, tlcSource, direction: chain?.direction, least, format: 'csv' })}
            />
          ))}
        </>
      )}
    </When>
  )
}

const columns: readonly Column<ChainedLot>[] = [
  {
    heading: 'Lot',
    cell: ({ lotCode, tlcSource }) => (
      <a class="mono" dir="auto" href={hrefTo(`/trace${queryOf({ lotCode, tlcSource: tlcSource ?? '' })}`)}>
        {lotCode}
      </a>
    ),
  },
  { heading: 'Item', cell: ({ itemDescription, vendorItemCode }) => <bdi>{itemDescription ?? vendorItemCode}</bdi> },
  { heading: 'Source', cell: ({ source }) => <bdi>{source}</bdi> },
  { heading: 'Steps away', cell: ({ distance }) => distance },
  {
    heading: 'By',
    cell: ({ ground }) =>
      ground === surest ? groundWords[ground] : <span class="tag warning">{groundWords[ground]}</span>,
  },
  { heading: 'Made', cell: ({ made }) => amounts(made) },
  { heading: 'Used', cell: ({ used }) => amounts(used) },
  { heading: 'Received', cell: ({ received }) => amounts(received) },
  { heading: 'Left', cell: ({ left }) => amounts(left) },
  {
    heading: 'Received by',
    cell: ({ places, placeCount }) => (
      <>
        <TextList texts={places.slice(0, placesShown).map(({ name, locationCode }) => name ?? locationCode)} />
        {placeCount > placesShown && ` and ${placeCount - placesShown} more`}
      </>
    ),
  },
]

const foodColumns: readonly Column<ChainedFood>[] = [
  { heading: 'Item', cell: ({ itemDescription, vendorItemCode }) => <bdi>{itemDescription ?? vendorItemCode}</bdi> },
  {
    heading: 'What',
    cell: ({ record, date, place: { locationCode }, dataProviderVendorId, vendorItemCode }) => (
      <a
        href={hrefTo(`/food${queryOf({ record, dataProviderVendorId, locationCode, date, itemCode: vendorItemCode })}`)}
      >
        {capitalize(eventKinds[record].happened)} on {date}
      </a>
    ),
  },
  { heading: 'Where', cell: ({ place }) => <bdi>{place.name ?? place.locationCode}</bdi> },
  { heading: 'Growing area', cell: ({ area }) => <bdi>{area}</bdi> },
  { heading: 'Steps away', cell: ({ distance }) => distance },
  { heading: 'Recorded there', cell: ({ harvested }) => amounts(harvested) },
  { heading: 'Packed', cell: ({ packed }) => amounts(packed) },
]

/** Places of a lot in the table; its trace has all. */
const placesShown = 5
/** Lots in the table; the answer of the service has all. */
const lotsShown = 500

interface ChainDrawingProps {
  readonly chain: LotChain
  readonly title: string
  readonly next: string
}

function ChainDrawing({ chain, title, next }: ChainDrawingProps) {
  const picture = useMemo(() => runSteps(chainPictureOf(chain)), [chain])
  const size = `${pluralize(chain.lots.length, 'lot')} and ${pluralize(chain.events.length, 'event')}`
  return (
    <Drawing
      graph={picture}
      legend={picture.legend}
      name={`Drawing: ${title}`}
      label={`${title}: ${size}. The table after the drawing has the same lots.`}
      next={next}
    />
  )
}

interface ChainFilesProps {
  readonly title: string
  /** Query of the page for FDA's package of it; absent where there is none. */
  readonly fda?: string
  readonly readCsv: () => Promise<{ readonly file: ApiFile | undefined }>
}

/** Files of a chain: its rows, and the records of its lots for FDA. */
function ChainFiles({ chain, title, fda, readCsv }: ChainFilesProps & { readonly chain: LotChain }) {
  const saveCsv = async () => {
    try {
      const { file } = await readCsv()
      if (file !== undefined) handOver(await new Response(file.stream).blob(), file.name ?? 'chain.csv')
    } catch (error) {
      say(failureWords(error).title, 'failed')
    }
  }
  return (
    <div class="actions on-screen">
      {fda !== undefined && (
        <a class="button" aria-label={`FDA package: ${title}`} href={hrefTo(`/fda${fda}`)}>
          FDA package
        </a>
      )}
      <button
        type="button"
        aria-label={`Save drawing: ${title}`}
        onClick={() => {
          const drawing = new Blob([runSteps(chainSvg(chain))], { type: 'image/svg+xml' })
          handOver(drawing, chainFileName(chain))
        }}
      >
        Save drawing
      </button>
      <button type="button" aria-label={`Save CSV: ${title}`} onClick={saveCsv}>
        Save CSV
      </button>
    </div>
  )
}

const chainFileName = ({ direction, lotCode = 'food' }: LotChain): string =>
  `chain-${direction}-${lotCode.replaceAll(/[^\w.-]+/g, '-').slice(0, 60)}.svg`

interface ChainProps extends ChainFilesProps {
  readonly chain: LotChain | undefined
  readonly onFollow: (least: LotChain['least']) => void
}

export function Chain({ title, chain, onFollow, ...files }: ChainProps) {
  const lots = (chain?.lots ?? []).filter((lot) => !isAskedFor(lot))
  const isEmpty = lots.length === 0 && !chain?.events.length && !chain?.notes.some(({ kind }) => kind === 'leftOut')
  if (chain === undefined || isEmpty) return null
  return (
    <section>
      <div class="section-head">
        <h2>{title}</h2>{' '}
        <span class="quiet">
          {pluralize(lots.length, 'lot')} by {pluralize(chain.events.length, 'event')}
          {lots.length > lotsShown && `; the first ${lotsShown} are shown`}
        </span>
        <ChainFiles chain={chain} title={title} {...files} />
      </div>
      <ChainNotes chain={chain} onFollow={onFollow} />
      {lots.length + chain.events.length > 0 && (
        <ChainDrawing chain={chain} title={title} next={`after-${chain.direction}`} />
      )}
      <div id={`after-${chain.direction}`} tabIndex={-1} />
      {lots.length > 0 && (
        <DataTable isWide label={title} columns={columns} rows={lots.slice(0, lotsShown)} keyOf={({ id }) => id} />
      )}
      {chain.food.length > 0 && (
        <DataTable
          isWide
          label="Food before it was packed"
          columns={foodColumns}
          rows={chain.food.slice(0, lotsShown)}
          keyOf={({ id }) => id}
        />
      )}
    </section>
  )
}
