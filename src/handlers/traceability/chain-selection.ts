// The events and lines of the chain of a lot, as an export takes them: with the versions that the
// walk read, so that lines and rows are of one version. Source: decisions 0030, 0094.
import {
  type CountsByGround,
  type Ground,
  leastDefault,
  noCounts,
  surerOf,
  unsure,
} from '../../contract/lots/grounds.ts'
import { readLotCode } from '../../contract/lots/lot-code.ts'
import type { EventKindName } from '../../contract/record-kinds.ts'
import type { ExportedChain } from '../../exports/fda-spreadsheet/chain-explained.ts'
import type { ChainableLine, ExportFilters } from '../../exports/fda-spreadsheet/event-lines.ts'
import type { Query } from '../../operations/base/query.ts'
import type { FdaLines } from '../../operations/traceability/export-fda.ts'
import { foodSelection } from '../../operations/traceability/trace-food.ts'
import type { SelectedEvent } from '../../store/records/event-selection.ts'
import { type ChainLines, type Direction, type LinesByEvent, linesOfChain } from '../../tracing/chain-walk.ts'
import type { ChainEvent } from '../../tracing/lot-event.ts'
import { runCooperatively } from '../base/cooperative.ts'
import type { Answer, HandlerContext } from '../base/handler.ts'
import { type FollowedChain, followChain, readChainQuery } from './trace-chain.ts'
import { readFoodQuery } from './trace-food.ts'

type ChainChoice = Pick<ExportFilters, 'chain' | 'least' | FoodName>

/** What names food, where a chain begins at a harvest or a cooling. */
const foodNames = Object.keys(foodSelection) as readonly FoodName[]
type FoodName = keyof typeof foodSelection

/** Whether a request asks for a chain; or the answer when it cannot have one. */
export function readChainChoice(query: Query, filters: ExportFilters): ChainChoice | Answer<'badQuery'> {
  const { chain = 'none', least } = query
  const food = Object.fromEntries(foodNames.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])))
  const [ofFood] = Object.keys(food)
  if (chain === 'none') {
    if (ofFood !== undefined) return refuse(`${ofFood} names food of a chain. Give chain=forward too, or omit it.`)
    return least === undefined
      ? {}
      : refuse('least is the least sure ground of a chain. Give chain too, or omit least.')
  }
  const refusal = ofFood === undefined ? refusalOfLot(filters) : refusalOfFood(chain, ofFood, filters)
  return refusal ?? { ...food, chain: chain as 'forward' | 'back' | 'both', least: (least ?? leastDefault) as Ground }
}

const refuse = (detail: string): Answer<'badQuery'> => ({ outcome: 'badQuery', detail })

function refusalOfLot({ lotCode, tlcSource, gtin, ...others }: ExportFilters): Answer<'badQuery'> | undefined {
  if (lotCode === undefined || lotCode.length > 1)
    return refuse(
      `chain follows one lot, and the request names ${lotCode?.length ?? 'none'}. Give lotCode once, and ask for one lot at a time; or name food, such as a harvesting event by recordId.`,
    )
  return refusalOfMore({ tlcSource, gtin }, others)
}

function refusalOfFood(
  chain: string,
  name: string,
  { dataProviderVendorId, itemCode, ...others }: ExportFilters,
): Answer<'badQuery'> | undefined {
  if (chain !== 'forward')
    return refuse(`${name} names food, which is followed to what was packed of it. Give chain=forward.`)
  return refusalOfMore({ dataProviderVendorId, itemCode }, others)
}

function refusalOfMore(
  once: Readonly<Record<string, readonly string[] | undefined>>,
  others: ExportFilters,
): Answer<'badQuery'> | undefined {
  const several = Object.entries(once).find(([, values]) => values !== undefined && values.length > 1)
  if (several !== undefined)
    return refuse(`${several[0]} occurs more than once. With chain it says where the chain begins: give it once.`)
  const [other] = Object.entries(others).find(([, value]) => value !== undefined) ?? []
  return other === undefined
    ? undefined
    : refuse(`${other} cannot be combined with chain, which has all records of its lots. Omit one of them.`)
}

interface Followed extends FollowedChain {
  readonly lines: ChainLines<ChainEvent>
}

interface SelectedChain {
  readonly exported: ExportedChain
  /** Events of a kind with a line of the chain, by date and then by id. */
  readonly eventsOf: (kind: EventKindName) => readonly SelectedEvent[]
  readonly isInChain: (line: ChainableLine) => boolean
  /** Of all lots of the chain. */
  readonly lotCodes: readonly string[]
}

/** Undefined where the filters ask for no chain. */
export async function selectChain(
  context: HandlerContext,
  provider: string,
  filters: ExportFilters,
): Promise<SelectedChain | undefined | Answer<'badQuery'>> {
  const { chain } = filters
  if (chain === undefined) return undefined
  const followed: Followed[] = []
  for (const direction of chain === 'both' ? (['forward', 'back'] as const) : [chain satisfies Direction]) {
    const asked = await chainQueryOf(context, provider, filters, direction)
    if ('outcome' in asked) return refuse(asked.detail ?? '')
    const found = await followChain(context, provider, asked)
    if (found === undefined) continue
    followed.push({ ...found, lines: await runCooperatively(linesOfChain(found.walked, asked)) })
  }
  return selectionOf(followed)
}

/** Where a chain begins: at a lot, or at food. */
function chainQueryOf(
  context: HandlerContext,
  provider: string,
  filters: ExportFilters,
  direction: Direction,
): ReturnType<typeof readFoodQuery> | ReturnType<typeof readChainQuery> {
  const { lotCode, ...named } = filters
  const query = Object.fromEntries(
    [...foodNames, 'least', 'tlcSource', 'gtin', 'dataProviderVendorId', 'itemCode'].flatMap((name) => {
      const [value] = [named[name as keyof typeof named]].flat()
      return value === undefined ? [] : [[name, value]]
    }),
  ) as Query
  return lotCode === undefined
    ? readFoodQuery(context, provider, query)
    : readChainQuery({ lotCode: lotCode[0] ?? '', query }, direction)
}

/** What two walks found: an event that changed between them is taken as the first one read it. */
function selectionOf(followed: readonly Followed[]): SelectedChain {
  const events = unite(followed.map(({ lines }) => lines.lines))
  const leftOut = unite(followed.map(({ lines }) => lines.leftOut))
  const isLeftOut = (id: string) => (pointer: string) => events.get(id)?.grounds.has(pointer) !== true
  const lotCodes = new Set(followed.flatMap(({ chain }) => chain.lots.map(({ lotCode }) => lotCode)))
  const ids = new Set(events.keys())
  return {
    exported: {
      chains: followed.map(({ chain }) => chain),
      lines: countByGround(events, () => () => true),
      leftOut: countByGround(leftOut, isLeftOut),
      isCut: followed.some(({ reader }) => reader.isCut),
    },
    eventsOf: (kind) => {
      const found = new Map(
        followed.flatMap(({ reader }) => reader.selectedWith(ids, kind)).map((one) => [one.id, one]),
      )
      const dateOf = ({ id }: SelectedEvent) => events.get(id)?.event.date ?? ''
      return [...found.values()]
        .map((one) => ({ ...one, version: events.get(one.id)?.event.version ?? one.version }))
        .sort((a, b) => (dateOf(a) === dateOf(b) ? (a.id < b.id ? -1 : 1) : dateOf(a) < dateOf(b) ? -1 : 1))
    },
    isInChain: ({ event, list, index, line }) => {
      const known = events.get(event.id)
      if (known?.event.version === event.version) return known.grounds.has(`/eventList/${list}/${index}`)
      // Of another version, or of a record that was voided, lines are known by their lot codes.
      return line.caseLotNumber === undefined
        ? known !== undefined
        : lotCodes.has(readLotCode(line.caseLotNumber).lotCode)
    },
    lotCodes: [...lotCodes],
  }
}

interface ChosenLines {
  readonly event: ChainEvent
  /** By pointer. */
  readonly grounds: Map<string, Ground>
}

/** The lines of several walks, by id of the event. */
function unite(all: readonly LinesByEvent<ChainEvent>[]): ReadonlyMap<string, ChosenLines> {
  const events = new Map<string, ChosenLines>()
  for (const lines of all)
    for (const [event, grounds] of lines) {
      const known = events.get(event.id) ?? { event, grounds: new Map<string, Ground>() }
      events.set(event.id, known)
      if (known.event.version !== event.version) continue
      for (const [pointer, ground] of grounds)
        known.grounds.set(pointer, surerOf(ground, known.grounds.get(pointer) ?? ground))
    }
  return events
}

function countByGround(
  events: ReadonlyMap<string, ChosenLines>,
  isCounted: (id: string) => (pointer: string) => boolean,
): CountsByGround {
  const counts = noCounts()
  for (const [id, { grounds }] of events)
    for (const [pointer, ground] of grounds) if (isCounted(id)(pointer)) counts[ground]++
  return counts
}

const uncertainOf = (counts: CountsByGround): number => unsure.reduce((sum, ground) => sum + counts[ground], 0)

export const countChain = ({ chains, lines, leftOut, isCut }: ExportedChain): NonNullable<FdaLines['chain']> => ({
  lots: new Set(
    chains.flatMap(({ lots }) => lots.map(({ lotCode, source, gtin }) => JSON.stringify([lotCode, source, gtin]))),
  ).size,
  food: chains.reduce((sum, { food }) => sum + food.length, 0),
  uncertainLines: uncertainOf(lines),
  leftOutLines: uncertainOf(leftOut),
  isWhole: !isCut,
})

export const chainTooLarge: Answer<'tooMany'> = {
  outcome: 'tooMany',
  detail:
    'The chain has more than can be followed at once, and a CSV has no place to say so. Ask for the package or the workbook, which say what is missing, or for the chain of one of its lots.',
}
