// The part of the explanation about a chain of lots: each lot with the ground on which it is in the
// package, and the events that made lots of others. Source: 21 CFR 1.1350(a); decision 0094.
import { groundWords, isAskedFor } from '../../contract/lots/grounds.ts'
import type { ChainedEvent, ChainedFood, ChainedLot, LotChain } from '../../tracing/lot-chain.ts'
import { chainSentences } from '../fda-spreadsheet/chain-explained.ts'
import type { ExportRequest } from '../fda-spreadsheet/explained.ts'
import { sheetsFor } from '../fda-spreadsheet/kind-sheets.ts'
import { paragraph, table } from './html.ts'

/** Rows of a table; the file of the chain has all. */
const listedMax = 1_000
/** Lots named in a cell. */
const namedMax = 10

export function chainSection(
  { chain, filters }: ExportRequest,
  { chain: file }: { readonly chain?: string | undefined },
): readonly string[] {
  if (chain === undefined || chain.chains.length === 0) return []
  return [
    `<h2>${filters.lotCode === undefined ? 'Chain of the food' : 'Chain of the lot'}</h2>`,
    table(['Subject', ''], chainSentences(chain, filters)),
    ...chain.chains.flatMap((one) => tablesOf(one, file ?? '')),
  ]
}

const titles = { forward: 'Lots that were made of it', back: 'Lots that it was made of' } as const

function tablesOf(chain: LotChain, file: string): readonly string[] {
  const { direction, lots, food, events } = chain
  const codes = new Map([
    ...lots.map(({ id, lotCode }) => [id, lotCode] as const),
    ...food.map((one) => [one.id, `${nameOf(one)} of ${one.date}`] as const),
  ])
  const others = lots.filter((lot) => !isAskedFor(lot))
  return [
    ...listed(`${titles[direction]}: lots`, lotHeadings, { rows: others.map((lot) => lotCells(lot, codes)), file }),
    ...listed(`${titles[direction]}: food before it was packed`, foodHeadings, { rows: food.map(foodCells), file }),
    ...listed(`${titles[direction]}: events`, eventHeadings, {
      rows: events.map((event) => eventCells(event, (ids) => namesOf(ids, codes))),
      file,
    }),
  ]
}

function listed(
  title: string,
  headings: readonly string[],
  { rows, file }: { readonly rows: readonly (readonly string[])[]; readonly file: string },
): readonly string[] {
  if (rows.length === 0) return []
  const more = rows.length - listedMax
  return [
    `<h3>${title}</h3>`,
    table(headings, rows.slice(0, listedMax)),
    ...(more > 0 ? [paragraph(`${more.toLocaleString('en-US')} more are in ${file}.`)] : []),
  ]
}

const lotHeadings = ['Traceability lot code', 'Source', 'Item', 'Events away', 'In this package by']
const lotCells = (lot: ChainedLot, codes: ReadonlyMap<string, string>) => [
  lot.lotCode,
  lot.source,
  lot.itemDescription ?? lot.vendorItemCode ?? '',
  String(lot.distance),
  `${groundWords[lot.ground]}${lot.readsLike === undefined ? '' : `, like ${codes.get(lot.readsLike)}`}`,
]

const nameOf = ({ itemDescription, vendorItemCode }: ChainedFood): string => itemDescription ?? vendorItemCode

const foodHeadings = ['Food', 'Record', 'Date', 'Place', 'Growing area', 'Events away', 'In this package by']
const foodCells = (food: ChainedFood) => [
  nameOf(food),
  sheetsFor(food.record)[0]?.name ?? '',
  food.date,
  food.place.name ?? food.place.locationCode,
  food.area ?? '',
  String(food.distance),
  groundWords[food.ground],
]

const eventHeadings = ['Date and time', 'Sheet', 'Place', 'Used', 'Made', 'In this package by', 'Record']
const eventCells = (event: ChainedEvent, namesOf: (ids: readonly string[]) => string) => [
  event.eventDateTime,
  sheetsFor(event.record)[0]?.name ?? '',
  event.place.name ?? event.place.locationCode,
  namesOf(event.used),
  namesOf(event.made),
  groundWords[event.ground],
  event.id,
]

function namesOf(ids: readonly string[], codes: ReadonlyMap<string, string>): string {
  const more = ids.length - namedMax
  const named = ids.slice(0, namedMax).map((id) => codes.get(id) ?? id)
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
