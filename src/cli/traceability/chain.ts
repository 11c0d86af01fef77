// `lotkeeper chain`: the lots that were made of a lot, or of which it was made.
import type { Client } from '../../client/client.ts'
import type { TraceChainRequest, TraceFoodRequest } from '../../client/generated/methods.ts'
import { groundWords } from '../../contract/lots/grounds.ts'
import { eventKinds } from '../../contract/record-kinds.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { type Column, tableText } from '../../terminal/table.ts'
import { plain, results } from '../../terminal/terminal.ts'
import type { ChainedBalance, ChainedEvent, ChainedFood, ChainedLot, LotChain } from '../../tracing/lot-chain.ts'
import { type RemoteOptions, withClient } from '../base/remote.ts'
import { download } from '../records/download.ts'
import { amount, notesText } from './trace.ts'

interface ChainOptions extends RemoteOptions {
  readonly json?: boolean
  readonly output?: string
  /** The parameters of the operation, by name. */
  readonly query: Omit<TraceChainRequest, 'lotCode'>
}

export const chain = (lotCode: string, options: ChainOptions): Promise<CommandEnd> =>
  printChain(options, (api, query) => api.traceChain({ ...query, lotCode }))

interface FoodOptions extends Omit<ChainOptions, 'query'> {
  readonly query: TraceFoodRequest
}

export const food = (options: FoodOptions): Promise<CommandEnd> =>
  printChain(options, (api, query) => api.traceFood(query))

interface PrintOptions<Query> extends Omit<ChainOptions, 'query'> {
  readonly query: Query
}

const printChain = <Query extends { readonly format?: string | undefined }>(
  { json, output, query, ...service }: PrintOptions<Query>,
  ask: (api: Client, query: Query) => ReturnType<Client['traceChain']>,
): Promise<CommandEnd> =>
  withClient({ ...service, json }, async (api) => {
    const { body, file } = await ask(api, query)
    if (file !== undefined) return download({ name: file.name ?? `chain.${query.format}`, parts: file.stream }, output)
    const text = `${JSON.stringify(body, undefined, 2)}\n`
    if (output !== undefined) return download({ name: 'chain.json', parts: [text] }, output)
    await results.write(json || query.format === 'json' ? text : summary(body))
    return undefined
  })

const foodColumns: readonly Column<ChainedFood>[] = [
  { heading: 'food', cell: ({ id, itemDescription, vendorItemCode }) => `${id} ${itemDescription ?? vendorItemCode}` },
  { heading: 'was', cell: ({ record }) => eventKinds[record].happened },
  { heading: 'on', cell: ({ date }) => date },
  { heading: 'at', cell: ({ place }) => place.name ?? place.locationCode },
  { heading: 'field', cell: ({ area }) => area ?? '' },
  { heading: 'recorded', cell: ({ harvested }) => amount(harvested), right: true },
  { heading: 'packed', cell: ({ packed }) => amount(packed), right: true },
]

const lotColumns: readonly Column<ChainedLot>[] = [
  { heading: 'lot', cell: ({ id, lotCode }) => `${id} ${lotCode}` },
  { heading: 'steps', cell: ({ distance }) => String(distance), right: true },
  {
    heading: 'by',
    cell: ({ ground, readsLike }) => `${groundWords[ground]}${readsLike === undefined ? '' : `, like ${readsLike}`}`,
  },
  { heading: 'source', cell: ({ source }) => source },
  { heading: 'made', cell: ({ made }) => amount(made), right: true },
  { heading: 'received', cell: ({ received }) => amount(received), right: true },
  { heading: 'used', cell: ({ used }) => amount(used), right: true },
  { heading: 'left', cell: ({ left }) => amount(left), right: true },
  { heading: 'places', cell: ({ placeCount }) => String(placeCount), right: true },
]

const sides = ['made', 'received', 'used', 'shipped', 'left'] as const
const sideColumn = (heading: string, side: (typeof sides)[number] | 'opening'): Column<ChainedBalance> => ({
  heading,
  cell: ({ [side]: quantities }) => amount(quantities),
  right: true,
})

/** Lots named in one cell. */
const namedMax = 6

/** What the chain begins at. */
function startText({ lotCode, food: [first] }: LotChain): string {
  if (lotCode !== undefined || first === undefined) return `Lot ${plain(lotCode ?? '')}`
  const { record, date, place } = first
  return `Food ${eventKinds[record].happened} on ${date} at ${plain(place.name ?? place.locationCode)}`
}

function summary(chain: LotChain): string {
  const { direction, lots, balances, balanceCount, food, events, notes } = chain
  const codes = new Map(lots.map((lot) => [lot.id, lot.lotCode]))
  // Several lots may have one code: their ids tell them apart.
  const named = (ids: readonly string[]) => {
    const [only] = ids
    if (only !== undefined && ids.length === 1) return [only, codes.get(only)].join(' ').trimEnd()
    return `${ids.slice(0, namedMax).join(', ')}${ids.length > namedMax ? ` and ${ids.length - namedMax} more` : ''}`
  }
  const eventColumns: readonly Column<ChainedEvent>[] = [
    { heading: 'when', cell: ({ eventDateTime }) => eventDateTime },
    { heading: 'at', cell: ({ place }) => place.locationCode },
    { heading: 'used', cell: ({ used }) => named(used) },
    { heading: 'made', cell: ({ made }) => named(made) },
    { heading: 'record', cell: ({ id }) => id },
  ]
  const balanceColumns: readonly Column<ChainedBalance>[] = [
    { heading: 'balance of', cell: ({ lots: ids }) => named(ids) },
    { heading: 'at', cell: ({ place }) => place?.name ?? place?.locationCode ?? 'all places' },
    ...(balances.some(({ opening }) => opening.length > 0) ? [sideColumn('before', 'opening')] : []),
    ...sides.map((side) => sideColumn(side, side)),
    { heading: 'note', cell: ({ isOver }) => (isOver ? 'more out than in' : '') },
  ]
  const unlisted = balanceCount - balances.length
  const what = direction === 'forward' ? 'made of it' : 'in it'
  const others = lots.filter(({ distance }) => distance > 0).length
  return [
    `${results.styled('bold', `${startText(chain)}: ${pluralize(others, 'lot')} ${what}, by ${pluralize(events.length, 'event')}`)}\n`,
    ...(lots.length > 0 ? [tableText(lotColumns, lots)] : []),
    ...(balances.length > 0 ? [tableText(balanceColumns, balances)] : []),
    ...(unlisted > 0 ? [`and ${pluralize(unlisted, 'more balance')}\n`] : []),
    ...(food.length > 0 ? [tableText(foodColumns, food)] : []),
    ...(events.length > 0 ? [tableText(eventColumns, events)] : []),
    ...(notes.length > 0 ? [notesText(notes)] : []),
  ].join('\n')
}
