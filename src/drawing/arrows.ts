// How the arrows of a drawing run, and where their labels stand without being in the way of boxes
// and of each other.
import { mapInSteps, type Steps } from '../steps.ts'
import { groupsOf } from '../tracing/groups.ts'
import type { Figure, UnitArrow } from './figure.ts'
import type { Layers } from './layers.ts'

interface Point {
  readonly x: number
  readonly y: number
}

export interface DrawnArrow {
  readonly arrow: UnitArrow
  /** Path data. */
  readonly path: string
  readonly width: number
  /** Path data of the head. */
  readonly head: string
  /** Against the direction of the others: a return, or a circle. */
  readonly back: boolean
  /** Middle of the label; undefined where there is no room for it. */
  readonly label: Point | undefined
}

export interface DrawnArrows {
  readonly list: readonly DrawnArrow[]
  /** Height below the boxes that arrows against the direction take. */
  readonly below: number
}

const widthMin = 1.5
const widthMax = 8
const laneHeight = 36
/** Room an arrow keeps at the right of a column and at the left of the next. */
const marginX = 26
const headLength = 8
const labelHeight = 30
/**
 * Most arrows of which labels are looked for a place: beyond, the drawing is read by its tooltips.
 */
const labelledMax = 400

export function* drawnArrows({ units, arrows, labelWidth }: Figure, layers: Layers): Steps<DrawnArrows> {
  const ports = portsOf(units, arrows, layers)
  const taken: { readonly x: number; readonly y: number }[] = []
  const isFree = ({ x, y }: Point) =>
    taken.every((other) => Math.abs(other.x - x) >= labelWidth || Math.abs(other.y - y) >= labelHeight)
  let lanes = 0
  yield
  const list = yield* mapInSteps(arrows, (arrow, i): DrawnArrow => {
    const [start, tip] = ports[i] ?? [origin, origin]
    const end = { x: tip.x - headLength, y: tip.y }
    const width = widthMin + (widthMax - widthMin) * Math.sqrt(Math.min(1, Math.max(0, arrow.share)))
    const half = 3 + width / 2
    const head = `M${at(tip)}l${-headLength} ${round(-half)}v${round(2 * half)}z`
    const passes = layers.passes[i]
    if (passes === undefined) {
      if (arrow.from === arrow.to) return { arrow, path: loopOf(start), width, head: '', back: true, label: undefined }
      const lane = layers.height + laneHeight * ++lanes
      const label = { x: (start.x + end.x) / 2, y: lane }
      return { arrow, path: returnOf(start, end, lane), width, head, back: true, label }
    }
    const curves = curvesOf(start, end, passes, layers, layers.columnOf[arrow.from] ?? 0)
    const label = arrows.length > labelledMax ? undefined : labelPoints(curves).find((point) => isFree(point))
    if (label !== undefined) taken.push(label)
    const path = `M${at(start)}${curves.map(([from, ...rest]) => `L${at(from)}C${rest.map(at).join(' ')}`).join('')}`
    return { arrow, path, width, head, back: false, label }
  })
  return { list, below: laneHeight * (lanes + 1) * Math.min(1, lanes) }
}

const origin: Point = { x: 0, y: 0 }
const round = (value: number): number => Math.round(value * 10) / 10
const at = ({ x, y }: Point): string => `${round(x)} ${round(y)}`

/**
 * Where each arrow leaves and enters: those of one side are spread over it in the order of where
 * they lead.
 */
function portsOf(units: Figure['units'], arrows: readonly UnitArrow[], { corners }: Layers) {
  const ports = arrows.map((): [Point, Point] => [origin, origin])
  const middleOf = (unit: number) => (corners[unit]?.y ?? 0) + (units[unit]?.height ?? 0) / 2
  const spread = (side: 'from' | 'to') => {
    const other = side === 'from' ? 'to' : 'from'
    for (const [unit, own] of groupsOf(arrows.keys(), (i) => arrows[i]?.[side] ?? 0)) {
      own.sort((a, b) => middleOf(arrows[a]?.[other] ?? 0) - middleOf(arrows[b]?.[other] ?? 0) || a - b)
      const { x = 0, y = 0 } = corners[unit] ?? {}
      const { width = 0, height = 0 } = units[unit] ?? {}
      for (const [n, i] of own.entries()) {
        const point = { x: side === 'from' ? x + width : x, y: y + (height * (n + 1)) / (own.length + 1) }
        const port = ports[i]
        if (port !== undefined) port[side === 'from' ? 0 : 1] = point
      }
    }
  }
  spread('from')
  spread('to')
  return ports
}

type Curve = readonly [Point, Point, Point, Point]

/** From the end of one column to the next a curve, through each column between straight. */
function curvesOf(start: Point, end: Point, passes: readonly number[], { columns }: Layers, column: number): Curve[] {
  const curves: Curve[] = []
  const own = columns[column]
  let from = own === undefined ? start : { x: own.x + own.width, y: start.y }
  const to = (point: Point) => {
    const bend = (point.x - from.x) / 2
    curves.push([from, { x: from.x + bend, y: from.y }, { x: point.x - bend, y: point.y }, point])
  }
  for (const [n, y] of passes.entries()) {
    const passed = columns[column + 1 + n]
    if (passed === undefined) continue
    to({ x: passed.x, y })
    from = { x: passed.x + passed.width, y }
  }
  to(end)
  return curves
}

/**
 * Points of the curves where a label could stand: the middle first, and then nearer to the ends.
 */
function labelPoints(curves: readonly Curve[]): Point[] {
  const ordered = curves.length > 2 ? [...curves.slice(-1), ...curves.slice(0, -1)] : curves
  return [0.5, 0.62, 0.38, 0.72, 0.28].flatMap((t) => ordered.map((curve) => pointAt(curve, t)))
}

function pointAt([a, b, c, d]: Curve, t: number): Point {
  const u = 1 - t
  const mix = (axis: 'x' | 'y') =>
    u * u * u * a[axis] + 3 * u * u * t * b[axis] + 3 * u * t * t * c[axis] + t * t * t * d[axis]
  return { x: mix('x'), y: mix('y') }
}

/**
 * Back to an earlier column: out into the gap, below everything, and up in the gap before the
 * target.
 */
const returnOf = (start: Point, end: Point, lane: number): string => {
  const [right, left] = [start.x + marginX / 2, end.x - marginX / 2]
  return `M${at(start)}L${at({ x: right, y: start.y })} ${at({ x: right, y: lane })} ${at({ x: left, y: lane })} ${at({ x: left, y: end.y })} ${at(end)}`
}

const loopOf = ({ x, y }: Point): string => `M${at({ x, y })}c26 -4 26 -30 0 -26`
