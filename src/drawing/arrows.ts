// The routes of the arrows in a drawing, and places for their labels that nothing covers.

import { groupsOf } from '../groups.ts'
import { mapInSteps, type Steps } from '../steps.ts'
import { labelHeight } from './figure.ts'
import type { Arrow, Box, Layers } from './layers.ts'

interface Point {
  readonly x: number
  readonly y: number
}

/** Boxes, and the arrows between them. */
interface Boxes<A> {
  readonly units: readonly Box[]
  readonly arrows: readonly A[]
  /** Widest label of an arrow, in pixels; 0 where arrows have none. */
  readonly labelWidth: number
}

/** An arrow as wide as its share of the largest, or as all others where they cannot be compared. */
type SharedArrow = Arrow & { readonly share: number | undefined }

export interface DrawnArrow<A> {
  readonly arrow: A
  /** Path data. */
  readonly path: string
  readonly width: number
  /** Path data of the head. */
  readonly head: string
  /** Where it leaves one box, and where its head touches the other. */
  readonly start: Point
  readonly tip: Point
  /** True for an arrow against the direction of the others: a return, or a cycle. */
  readonly back: boolean
  /** Middle of the label; undefined where arrows have none. */
  readonly label: Point | undefined
}

export interface DrawnArrows<A> {
  readonly list: readonly DrawnArrow<A>[]
  /** Height below the boxes that arrows against the direction take. */
  readonly below: number
}

const widthMin = 1.5
const widthMax = 8
/** The width of all arrows, where their quantities cannot be compared. */
const widthEqual = 3
const laneHeight = 46
/** Space between an arrow and the right side of a column, and before the next one. */
const marginX = 26
const headLength = 8
const besideLabel = 10

/**
 * Arrows cross and bend behind a column, and then run straight into the next one, each at its own
 * height. Labels are on the straight part, where nothing covers them.
 */
export const straightWidth = ({ labelWidth }: Pick<Boxes<unknown>, 'labelWidth'>): number =>
  labelWidth === 0 ? headLength : labelWidth + 2 * besideLabel + headLength

export function* drawnArrows<A extends SharedArrow>(figure: Boxes<A>, layers: Layers): Steps<DrawnArrows<A>> {
  const { units, arrows, labelWidth } = figure
  const ports = portsOf(units, arrows, layers)
  const straight = straightWidth(figure)
  const labelOf = (point: Point): Point | undefined => (labelWidth === 0 ? undefined : point)
  let lanes = 0
  yield
  const list = yield* mapInSteps(arrows, (arrow, i): DrawnArrow<A> => {
    const [start, tip] = ports[i] ?? [origin, origin]
    const end = { x: tip.x - headLength, y: tip.y }
    const width =
      arrow.share === undefined ? widthEqual : widthMin + (widthMax - widthMin) * Math.sqrt(Math.min(1, arrow.share))
    const half = 3 + width / 2
    const head = `M${at(tip)}l${-headLength} ${round(-half)}v${round(2 * half)}z`
    const passes = layers.passes[i]
    if (passes === undefined) {
      if (arrow.from === arrow.to)
        return { arrow, path: loopOf(start), width, head: '', start, tip, back: true, label: undefined }
      const lane = layers.height + laneHeight * ++lanes
      const right = (layers.columns[layers.columnOf[arrow.from] ?? 0]?.x ?? 0) + widthOf(layers, arrow.from)
      // Shifted up where arrows bend, so that it covers no label; nothing precedes the first
      // column.
      const left = tip.x - (tip.x === 0 ? marginX / 2 : straight + marginX / 2)
      const label = labelOf({ x: (right + left) / 2, y: lane })
      return {
        arrow,
        path: returnOf(start, end, { lane, right: right + marginX / 2, left }),
        width,
        head,
        start,
        tip,
        back: true,
        label,
      }
    }
    const path = pathThrough(start, end, { passes, layers, column: layers.columnOf[arrow.from] ?? 0, straight })
    const label = labelOf({ x: tip.x - headLength - besideLabel - labelWidth / 2, y: tip.y })
    return { arrow, path, width, head, start, tip, back: false, label }
  })
  return { list, below: lanes === 0 ? 0 : laneHeight * lanes + labelHeight / 2 }
}

const widthOf = ({ columns, columnOf }: Layers, unit: number): number => columns[columnOf[unit] ?? 0]?.width ?? 0

const origin: Point = { x: 0, y: 0 }
const round = (value: number): number => Math.round(value * 10) / 10
const at = ({ x, y }: Point): string => `${round(x)} ${round(y)}`

/**
 * The points where each arrow leaves and enters. Arrows of one side are spread over it in the order
 * of their targets.
 */
function portsOf(units: readonly Box[], arrows: readonly Arrow[], { corners }: Layers) {
  const ports = arrows.map((): [Point, Point] => [origin, origin])
  const middleOf = (unit: number) => (corners[unit]?.y ?? 0) + (units[unit]?.height ?? 0) / 2
  const spread = (side: 'from' | 'to') => {
    const other = side === 'from' ? 'to' : 'from'
    for (const [unit, own] of groupsOf(arrows.keys(), (i) => arrows[i]?.[side] ?? 0)) {
      own.sort((a, b) => middleOf(arrows[a]?.[other] ?? 0) - middleOf(arrows[b]?.[other] ?? 0) || a - b)
      const { x = 0, y = 0 } = corners[unit] ?? {}
      const { width = 0, height = 0 } = units[unit] ?? {}
      for (const [n, i] of own.entries()) {
        const point = { x: side === 'from' ? x + width : x, y: y + (height * (n + 0.5)) / own.length }
        const port = ports[i]
        if (port !== undefined) port[side === 'from' ? 0 : 1] = point
      }
    }
  }
  spread('from')
  spread('to')
  return ports
}

/**
 * A curve from the end of one column, then straight into the next; straight through each column
 * between.
 */
function pathThrough(
  start: Point,
  end: Point,
  {
    passes,
    layers: { columns },
    column,
    straight,
  }: {
    readonly passes: readonly number[]
    readonly layers: Layers
    readonly column: number
    readonly straight: number
  },
): string {
  const own = columns[column]
  let from = own === undefined ? start : { x: own.x + own.width, y: start.y }
  const parts = [`M${at(start)}`]
  const to = (entry: number, point: Point) => {
    const bent = { x: entry - straight, y: point.y }
    const bend = (bent.x - from.x) / 2
    parts.push(
      `L${at(from)}C${at({ x: from.x + bend, y: from.y })} ${at({ x: bent.x - bend, y: bent.y })} ${at(bent)}L${at(point)}`,
    )
  }
  for (const [n, y] of passes.entries()) {
    const passed = columns[column + 1 + n]
    if (passed === undefined) continue
    to(passed.x, { x: passed.x, y })
    from = { x: passed.x + passed.width, y }
  }
  to(end.x + headLength, end)
  return parts.join('')
}

/**
 * Back to an earlier column: out into the gap, below everything, and up in the gap before the
 * target.
 */
const returnOf = (
  start: Point,
  end: Point,
  { lane, right, left }: { readonly lane: number; readonly right: number; readonly left: number },
): string =>
  `M${at(start)}L${at({ x: right, y: start.y })} ${at({ x: right, y: lane })} ${at({ x: left, y: lane })} ${at({ x: left, y: end.y })} ${at(end)}`

const loopOf = ({ x, y }: Point): string => `M${at({ x, y })}c26 -4 26 -30 0 -26`
