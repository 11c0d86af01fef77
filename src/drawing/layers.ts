// The positions of the boxes: layers from left to right along the arrows, ordered for few
// crossings, each box near its neighbours. Linear in boxes and arrows except for sorting, since
// other requests wait meanwhile.
import { mapInSteps, type Steps } from '../steps.ts'

export interface Box {
  readonly width: number
  readonly height: number
}

/** Numbers of boxes. */
export interface Arrow {
  readonly from: number
  readonly to: number
}

export interface Layers {
  /** Upper left corners of the boxes; boxes are left-aligned in their column. */
  readonly corners: readonly { readonly x: number; readonly y: number }[]
  /** Columns from left to right. */
  readonly columns: readonly { readonly x: number; readonly width: number }[]
  /** The column each box is in. */
  readonly columnOf: readonly number[]
  /**
   * Heights at which each arrow passes the columns between its ends, from left to right; undefined
   * for one against the direction.
   */
  readonly passes: readonly (readonly number[] | undefined)[]
  readonly width: number
  readonly height: number
}

interface Spacing {
  readonly betweenColumns: number
  readonly betweenBoxes: number
}

/** Takes space in a layer: a box, or an arrow that passes through it. */
interface Slot {
  readonly height: number
  readonly before: number[]
  readonly after: number[]
  middle: number
}

const passHeight = 18
/** Most slots for passing arrows; arrows beyond go straight. */
const passesMax = 4_000
const sweeps = 8

export function* layersOf(boxes: readonly Box[], arrows: readonly Arrow[], spacing: Spacing): Steps<Layers> {
  const forward = forwardArrows(boxes.length, arrows)
  const columnOf = ranksOf(
    boxes.length,
    arrows.filter((_, i) => forward[i]),
  )
  const slots: Slot[] = boxes.map(({ height }) => ({ height, before: [], after: [], middle: 0 }))
  const layers: number[][] = Array.from({ length: Math.max(0, ...columnOf) + 1 }, () => [])
  for (const [box, column] of columnOf.entries()) layers[column]?.push(box)

  let passing = 0
  yield
  const waysOf = yield* mapInSteps(arrows, ({ from, to }, i): readonly number[] | undefined => {
    if (!forward[i]) return undefined
    const [first, last] = [columnOf[from] ?? 0, columnOf[to] ?? 0]
    const way: number[] = []
    if (passing + last - first - 1 <= passesMax)
      for (let column = first + 1; column < last; column++) {
        passing++
        const slot = slots.push({ height: passHeight, before: [], after: [], middle: 0 }) - 1
        layers[column]?.push(slot)
        way.push(slot)
      }
    const all = [from, ...way, to]
    for (let step = 1; step < all.length; step++) {
      const [a, b] = [all[step - 1] ?? 0, all[step] ?? 0]
      slots[a]?.after.push(b)
      slots[b]?.before.push(a)
    }
    return way
  })
  yield* order(layers, slots)
  yield* align(layers, slots, spacing.betweenBoxes)

  let x = 0
  const columns = layers.map((layer) => {
    const width = Math.max(0, ...layer.map((slot) => boxes[slot]?.width ?? 0))
    const column = { x, width }
    x += width + spacing.betweenColumns
    return column
  })
  const top = Math.min(...slots.map(({ middle, height }) => middle - height / 2))
  const bottom = Math.max(...slots.map(({ middle, height }) => middle + height / 2))
  const middleOf = (slot: number) => (slots[slot]?.middle ?? 0) - top
  return {
    corners: boxes.map(({ height }, box) => ({
      x: columns[columnOf[box] ?? 0]?.x ?? 0,
      y: middleOf(box) - height / 2,
    })),
    columns,
    columnOf,
    passes: waysOf.map((way) => way?.map(middleOf)),
    width: x - spacing.betweenColumns,
    height: bottom - top,
  }
}

/** False for arrows that would close a cycle, walking from boxes without predecessors. */
function forwardArrows(count: number, arrows: readonly Arrow[]): readonly boolean[] {
  const after: number[][] = Array.from({ length: count }, () => [])
  const entered = new Set<number>()
  for (const [i, { from, to }] of arrows.entries()) {
    after[from]?.push(i)
    if (from !== to) entered.add(to)
  }
  const forward = arrows.map(() => true)
  const state = new Uint8Array(count)
  const all = Array.from({ length: count }, (_, box) => box)
  for (const start of [...all.filter((box) => !entered.has(box)), ...all]) {
    if (state[start] !== 0) continue
    const path = [{ box: start, tried: 0 }]
    state[start] = 1
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const arrow = after[step.box]?.[step.tried++]
      const to = arrow === undefined ? undefined : arrows[arrow]?.to
      if (arrow === undefined || to === undefined) {
        state[step.box] = 2
        path.pop()
      } else if (state[to] === 1) forward[arrow] = false
      else if (state[to] === 0) {
        state[to] = 1
        path.push({ box: to, tried: 0 })
      }
    }
  }
  return forward
}

/** Each box is right of its predecessors; one without any is just left of its first successor. */
function ranksOf(count: number, arrows: readonly Arrow[]): readonly number[] {
  const after: number[][] = Array.from({ length: count }, () => [])
  const open = new Array<number>(count).fill(0)
  for (const { from, to } of arrows) {
    after[from]?.push(to)
    open[to] = (open[to] ?? 0) + 1
  }
  const ranks = new Array<number>(count).fill(0)
  const ready = open.flatMap((number, box) => (number === 0 ? [box] : []))
  const first = new Set(ready)
  for (const box of ready)
    for (const to of after[box] ?? []) {
      ranks[to] = Math.max(ranks[to] ?? 0, (ranks[box] ?? 0) + 1)
      open[to] = (open[to] ?? 0) - 1
      if (open[to] === 0) ready.push(to)
    }
  for (const box of first) {
    const next = (after[box] ?? []).map((to) => ranks[to] ?? 0)
    if (next.length > 0) ranks[box] = Math.min(...next) - 1
  }
  return ranks
}

/** Sorts each layer by the mean position of its neighbours, in both directions. */
function* order(layers: number[][], slots: readonly Slot[]): Steps<void> {
  const places = new Float64Array(slots.length)
  const wished = new Float64Array(slots.length)
  const number = (layer: readonly number[]) => {
    for (const [place, slot] of layer.entries()) places[slot] = (place + 0.5) / layer.length
  }
  for (const layer of layers) number(layer)
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const right = sweep % 2 === 0
    for (const layer of right ? layers : layers.toReversed()) {
      yield
      for (const slot of layer) {
        const neighbours = (right ? slots[slot]?.before : slots[slot]?.after) ?? []
        wished[slot] = neighbours.length === 0 ? (places[slot] ?? 0) : mean(neighbours, places)
      }
      layer.sort((a, b) => (wished[a] ?? 0) - (wished[b] ?? 0) || (places[a] ?? 0) - (places[b] ?? 0))
      number(layer)
    }
  }
}

/** Moves the slots of each layer towards their neighbours, keeping their order and distance. */
function* align(layers: readonly (readonly number[])[], slots: readonly Slot[], gap: number): Steps<void> {
  const middles = new Float64Array(slots.length)
  for (const layer of layers) {
    let y = 0
    for (const slot of layer.flatMap((number) => slots[number] ?? [])) {
      slot.middle = y + slot.height / 2
      y += slot.height + gap
    }
    for (const number of layer) middles[number] = slots[number]?.middle ?? 0
  }
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const right = sweep % 2 === 0
    for (const layer of right ? layers : layers.toReversed()) {
      yield
      const own = layer.flatMap((number) => slots[number] ?? [])
      const wished = own.map(({ before, after, middle }) => {
        const neighbours = right ? before : after
        return neighbours.length === 0 ? middle : mean(neighbours, middles)
      })
      place(own, wished, gap)
      for (const number of layer) middles[number] = slots[number]?.middle ?? 0
    }
  }
}

/** Positions as near to the wished ones as order and gap allow (least squares). */
function place(own: readonly Slot[], wished: readonly number[], gap: number): void {
  const offsets: number[] = []
  let offset = 0
  for (const { height } of own) {
    offsets.push(offset + height / 2)
    offset += height + gap
  }
  const blocks: { sum: number; count: number }[] = []
  for (const [i, wish] of wished.entries()) {
    let block = { sum: wish - (offsets[i] ?? 0), count: 1 }
    for (
      let last = blocks.at(-1);
      last !== undefined && last.sum / last.count > block.sum / block.count;
      last = blocks.at(-1)
    ) {
      block = { sum: last.sum + block.sum, count: last.count + block.count }
      blocks.pop()
    }
    blocks.push(block)
  }
  let i = 0
  for (const { sum, count } of blocks)
    for (let n = 0; n < count; n++, i++) {
      const slot = own[i]
      if (slot !== undefined) slot.middle = sum / count + (offsets[i] ?? 0)
    }
}

function mean(numbers: readonly number[], values: Float64Array): number {
  let sum = 0
  for (const number of numbers) sum += values[number] ?? 0
  return sum / numbers.length
}
