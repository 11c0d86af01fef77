// The parts of a drawing of a chain: a box for each lot, each food before it was packed and each
// event. Many are folded into boxes that say how many they are: first those with the same
// neighbours, then those that came about in the same way, at last all that are equally far away.
import { type Ground, isAskedFor, lessSure } from '../contract/lots/grounds.ts'
import { eventKinds } from '../contract/record-kinds.ts'
import { pluralize } from '../contract/text/pluralize.ts'
import { groupsOf } from '../groups.ts'
import { mapInSteps, type Steps } from '../steps.ts'
import type { ChainedEvent, ChainedFood, ChainedLot, LotChain } from '../tracing/lot-chain.ts'

/** Most boxes of a drawing that is not folded further. */
export const chainBoxesMax = 120
/** Fewest with the same neighbours that are folded where there is room. */
const foldedFrom = 6
/** Columns of lots, where only their distance tells boxes apart. */
const distancesMax = 40

export type ChainPart =
  | { readonly is: 'lot'; readonly lot: ChainedLot }
  | { readonly is: 'food'; readonly food: ChainedFood }
  | { readonly is: 'event'; readonly event: ChainedEvent }

/** Parts that are one box: all of one sort. */
export interface ChainNode {
  readonly parts: readonly ChainPart[]
  /** The least sure ground of any of them. */
  readonly ground: Ground
  /** True of the lot that was asked for. */
  readonly isAsked: boolean
}

/** From what was used to its event, or from an event to what it made. */
export interface ChainArrow {
  readonly from: number
  readonly to: number
  /** Why a lot is taken for one of the event; the less sure of those that it stands for. */
  readonly ground: Ground
  readonly share: undefined
}

export interface ChainFigure {
  readonly nodes: readonly ChainNode[]
  readonly arrows: readonly ChainArrow[]
}

/** A part with its neighbours, by their numbers; `distance` is that of the lot before an event. */
interface Vertex {
  readonly part: ChainPart
  readonly distance: number
  readonly ground: Ground
  /** Those that are nearer to the lot that was asked for; of an event its nearest lots. */
  readonly before: number[]
  /** Of a lot the events that lead on, and the others as negative numbers. */
  readonly links: number[]
  isEnd: boolean
}

interface Edge {
  readonly from: number
  readonly to: number
  readonly ground: Ground
}

export function* chainFigureOf(chain: LotChain): Steps<ChainFigure> {
  const { vertices, edges } = yield* verticesOf(chain)
  let keys: readonly string[] = []
  for (const keysOf of foldings) {
    keys = yield* keysOf(vertices)
    if (new Set(keys).size <= chainBoxesMax) break
  }
  const groups = [...groupsOf(vertices.keys(), (i) => keys[i] ?? '').values()]
  const nodeOf = new Map(groups.flatMap((group, node) => group.map((i) => [i, node] as const)))
  const nodes = yield* mapInSteps(groups, (group): ChainNode => {
    const own = group.flatMap((i) => vertices[i] ?? [])
    return {
      parts: own.map(({ part }) => part),
      ground: own.map(({ ground }) => ground).reduce(lessSure),
      isAsked: own.some((vertex) => vertex.part.is !== 'event' && isAskedFor(vertex)),
    }
  })
  const arrows = new Map<string, ChainArrow>()
  yield* mapInSteps(edges, ({ from, to, ground }) => {
    const [a, b] = [nodeOf.get(from) ?? 0, nodeOf.get(to) ?? 0]
    if (a === b) return
    const known = arrows.get(`${a} ${b}`)
    arrows.set(`${a} ${b}`, { from: a, to: b, ground: lessSure(ground, known?.ground ?? ground), share: undefined })
  })
  return { nodes, arrows: [...arrows.values()] }
}

function* verticesOf({ lots, food, events, direction }: LotChain) {
  const isForward = direction === 'forward'
  const vertices: Vertex[] = []
  const numberOf = new Map<string, number>()
  const add = (part: ChainPart, { distance, ground }: Pick<Vertex, 'distance' | 'ground'>) =>
    vertices.push({ part, distance, ground, before: [], links: [], isEnd: true }) - 1
  yield* mapInSteps(lots, (lot) => numberOf.set(lot.id, add({ is: 'lot', lot }, lot)))
  const edges: Edge[] = []
  for (const { id, readsLike, ground } of lots) {
    yield
    const [number = 0, like] = [numberOf.get(id), numberOf.get(readsLike ?? '')]
    if (like === undefined) continue
    vertices[number]?.before.push(like)
    vertices[like]?.links.push(number)
    edges.push(isForward ? { from: like, to: number, ground } : { from: number, to: like, ground })
  }
  yield* mapInSteps(food, (one) => numberOf.set(one.id, add({ is: 'food', food: one }, one)))
  for (const event of events) {
    yield
    const numbersOf = (ids: readonly string[]) => ids.flatMap((id) => numberOf.get(id) ?? [])
    const [used, made] = [numbersOf(event.used), numbersOf(event.made)]
    const [from, to] = isForward ? [used, made] : [made, used]
    const distances = from.map((i) => vertices[i]?.distance ?? 0)
    const distance = distances.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
    const number = add({ is: 'event', event }, { distance, ground: event.ground })
    // From the lot that was asked for, whichever way goods went.
    for (const i of from) {
      const vertex = vertices[i]
      vertex?.links.push(number)
      if (vertex !== undefined) vertex.isEnd = false
      if (vertex?.distance === distance) vertices[number]?.before.push(i)
    }
    for (const i of to) {
      vertices[i]?.links.push(-1 - number)
      if ((vertices[i]?.distance ?? 0) > distance) vertices[i]?.before.push(number)
    }
    for (const i of used) edges.push({ from: i, to: number, ground: isForward ? event.ground : 'sameSource' })
    for (const i of made) edges.push({ from: number, to: i, ground: isForward ? 'sameSource' : event.ground })
  }
  return { vertices, edges }
}

type Keys = (vertices: readonly Vertex[]) => Steps<readonly string[]>

/** From the finest to the coarsest. The lot that was asked for is always alone with its equals. */
const foldings: readonly Keys[] = [
  bySameNeighbours,
  byOrigin((part) => (part.is === 'event' ? `${part.event.record} ${part.event.place.locationCode}` : itemOf(part))),
  byOrigin(() => ''),
  byDistance,
]

const itemOf = (part: Exclude<ChainPart, { is: 'event' }>): string =>
  part.is === 'lot' ? (part.lot.gtin ?? part.lot.vendorItemCode ?? '') : part.food.date

/** Of lots, those with the same ground too: a sure one does not hide among others. */
const sortOf = ({ part, ground, distance, isEnd }: Vertex): string =>
  `${part.is} ${ground} ${part.is === 'event' ? '' : `${distance === 0} ${isEnd}`}`

function* bySameNeighbours(vertices: readonly Vertex[]): Steps<readonly string[]> {
  const sizes = new Map<string, number>()
  const signatures: string[] = []
  for (const vertex of vertices) {
    yield
    const signature = vertex.part.is === 'event' ? '' : `${sortOf(vertex)} ${vertex.links.join(' ')}`
    signatures.push(signature)
    sizes.set(signature, (sizes.get(signature) ?? 0) + 1)
  }
  return signatures.map((signature, i) =>
    signature !== '' && (sizes.get(signature) ?? 0) >= foldedFrom ? signature : String(i),
  )
}

/** Those that came about in the same way, from the lot that was asked for. */
function byOrigin(markOf: (part: ChainPart) => string): Keys {
  return function* (vertices) {
    const numbers = new Map<string, number>()
    const keys: string[] = vertices.map(() => '')
    // A lot comes after the events that lead to it, and an event after its nearest lots.
    const ranks = vertices.map(({ part, distance }) => 2 * distance + (part.is === 'event' ? 1 : 0))
    for (const i of [...vertices.keys()].sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0))) {
      yield
      const vertex = vertices[i]
      if (vertex === undefined) continue
      const before = [...new Set(vertex.before.map((other) => keys[other]))].sort()
      const key = `${sortOf(vertex)} ${markOf(vertex.part)} < ${before.join(' ')}`
      // Numbers, since a key would contain those of all its origins.
      const number = numbers.get(key) ?? numbers.size
      numbers.set(key, number)
      keys[i] = String(number)
    }
    return keys
  }
}

function* byDistance(vertices: readonly Vertex[]): Steps<readonly string[]> {
  return yield* mapInSteps(
    vertices,
    ({ part, distance }) => `${part.is === 'event' ? part.is : 'lot'} ${Math.min(distance, distancesMax)}`,
  )
}

/** What a box stands for: `128 lots`, `3 transformation events`. */
export function countText({ parts }: ChainNode): string {
  const lots = parts.filter(({ is }) => is === 'lot').length
  const food = parts.filter(({ is }) => is === 'food').length
  const kinds = groupsOf(
    parts.flatMap((part) => (part.is === 'event' ? part.event : [])),
    ({ record }) => record,
  )
  return [
    ...(lots > 0 ? [pluralize(lots, 'lot')] : []),
    ...(food > 0 ? [pluralize(food, 'harvest or cooling', 'harvests and coolings')] : []),
    ...[...kinds].map(([record, own]) => pluralize(own.length, eventKinds[record].noun, eventKinds[record].nouns)),
  ].join(', ')
}
