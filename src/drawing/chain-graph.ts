// The graph of a chain without heading and legend: lots and events from left to right in the order
// in which goods were used and made.

import { groundWords } from '../contract/lots/grounds.ts'
import { eventKinds } from '../contract/record-kinds.ts'
import { capitalize } from '../contract/text/capitalize.ts'
import { mapInSteps, type Steps } from '../steps.ts'
import type { ChainedEvent, ChainedFood, ChainedLot, ChainedPlace, LotChain } from '../tracing/lot-chain.ts'
import { quantitiesText } from '../tracing/wording.ts'
import { type DrawnArrow, drawnArrows } from './arrows.ts'
import { type ChainArrow, type ChainNode, type ChainPart, chainFigureOf, countText } from './chain-figure.ts'
import { datesText } from './figure.ts'
import { type Graph, translateTo } from './graph.ts'
import { layersOf } from './layers.ts'
import { chainColours, chainDashes, chainLegendOf, type LegendEntry } from './legend.ts'
import { boldness, light, textAt } from './marks.ts'
import { element, type Subject, type SvgElement } from './svg-element.ts'
import { wrap } from './svg-text.ts'

const spacing = { betweenColumns: 64, betweenBoxes: 18 } as const
const boxWidth = { lot: 220, food: 220, event: 196 } as const
const padding = { left: 14, right: 10, top: 8, bottom: 10 } as const
const lineHeight = 17
/** Height of a box for each arrow that enters or leaves it. */
const arrowHeight = 7
const linesMax = 3
/** Lots or events that a box of many names. */
const namedMax = 4

interface Line {
  readonly text: string
  readonly of: 'text' | 'faint' | 'warn'
  readonly bold?: boolean
}

interface NodeBox {
  readonly node: ChainNode
  readonly lines: readonly Line[]
  readonly width: number
  readonly height: number
}

export interface ChainPicture extends Graph {
  readonly legend: readonly LegendEntry[]
  /** True where boxes stand for several lots or events. */
  readonly isFolded: boolean
}

export function* chainPictureOf(chain: LotChain): Steps<ChainPicture> {
  const { nodes, arrows } = yield* chainFigureOf(chain)
  const ends = nodes.map(() => ({ in: 0, out: 0 }))
  for (const { from, to } of arrows) {
    const [one, other] = [ends[from], ends[to]]
    if (one !== undefined) one.out++
    if (other !== undefined) other.in++
  }
  const units = yield* mapInSteps(nodes, (node, i) =>
    boxOf(node, arrowHeight * Math.max(ends[i]?.in ?? 0, ends[i]?.out ?? 0)),
  )
  const layers = yield* layersOf(units, arrows, spacing)
  const drawn = yield* drawnArrows({ units, arrows, labelWidth: 0 }, layers)
  const lines = yield* mapInSteps(drawn.list, arrowDrawing)
  const boxes = yield* mapInSteps(units, (box, i) => {
    const { x = 0, y = 0 } = layers.corners[i] ?? {}
    return element('g', translateTo(x, y), boxDrawing(box), subjectOf(box))
  })
  const isFolded = nodes.some(({ parts }) => parts.length > 1)
  return {
    width: layers.width,
    height: layers.height + drawn.below,
    elements: [...lines, ...boxes],
    legend: chainLegendOf(chain, { isFolded }),
    isFolded,
  }
}

// Boxes

const sortOf = ({ parts: [first] }: ChainNode): ChainPart['is'] => first?.is ?? 'lot'

function boxOf(node: ChainNode, heightMin: number): NodeBox {
  const width = boxWidth[sortOf(node)]
  const wide = width - padding.left - padding.right
  const lines = linesOf(node).flatMap(({ text, of, bold }) =>
    wrap(text, bold ? 13 * boldness : 12, wide, linesMax).map((one): Line => ({ text: one, of, bold: bold === true })),
  )
  const height = padding.top + lineHeight * lines.length + padding.bottom
  return { node, lines, width, height: Math.max(height, heightMin) }
}

function linesOf(node: ChainNode): readonly Line[] {
  const { parts, ground } = node
  const [first] = parts
  const unsure: Line[] = ground === 'sameSource' ? [] : [{ text: `by ${groundWords[ground]}`, of: 'warn', bold: true }]
  if (first === undefined || parts.length > 1) {
    const events = parts.flatMap((part) => (part.is === 'event' ? part.event : []))
    const names = [
      ...parts.flatMap((part) => (part.is === 'event' ? [] : nameOf(part))),
      ...new Set(events.map(({ place }) => placeText(place))),
    ]
    const more = names.length - namedMax
    return [
      { text: countText(node), of: 'text', bold: true },
      ...(events.length > 0 ? [{ text: datesText(events.map(dateOf)), of: 'faint' } as const] : []),
      {
        text: `${names.slice(0, namedMax).join(', ')}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}`,
        of: 'faint',
      },
      ...unsure,
    ]
  }
  const lines =
    first.is === 'lot' ? lotLines(first.lot) : first.is === 'food' ? foodLines(first.food) : eventLines(first.event)
  return [
    { text: first.is === 'event' ? kindOf(first.event) : nameOf(first), of: 'text', bold: true },
    ...lines.flatMap((text): Line[] => (text === '' ? [] : [{ text, of: 'faint' }])),
    ...unsure,
  ]
}

const nameOf = (part: Exclude<ChainPart, { is: 'event' }>): string =>
  part.is === 'lot' ? part.lot.lotCode : `${capitalize(eventKinds[part.food.record].happened)} ${part.food.date}`

const kindOf = ({ record }: ChainedEvent): string => capitalize(eventKinds[record].noun.replace(/ event$/, ''))
const dateOf = ({ eventDateTime }: ChainedEvent): string => eventDateTime.slice(0, 10)
const placeText = ({ name, locationCode }: ChainedPlace): string => name ?? locationCode

const lotLines = ({ itemDescription, vendorItemCode, source, ...lot }: ChainedLot): readonly string[] => [
  itemDescription ?? vendorItemCode ?? '',
  `source ${source}`,
  ...(['made', 'received', 'used'] as const).map((what) =>
    lot[what].length === 0 ? '' : `${what} ${quantitiesText(lot[what])}`,
  ),
]

const foodLines = ({ itemDescription, vendorItemCode, place, area }: ChainedFood): readonly string[] => [
  itemDescription ?? vendorItemCode,
  [placeText(place), area].filter(Boolean).join(', '),
]

const eventLines = (event: ChainedEvent): readonly string[] => [`${dateOf(event)} · ${placeText(event.place)}`]

function colourOf(node: ChainNode): string {
  const sort = sortOf(node)
  return node.isAsked ? chainColours.asked : chainColours[sort]
}

function boxDrawing(box: NodeBox): SvgElement[] {
  const { node, lines, width, height } = box
  const isEvent = sortOf(node) === 'event'
  const top = Math.round((height - padding.bottom - padding.top - lineHeight * lines.length) / 2) + padding.top
  const frame = {
    class: 'box',
    width,
    height,
    rx: isEvent ? 16 : 6,
    fill: light.box,
    stroke: light.line,
    'stroke-dasharray': chainDashes[node.ground],
  }
  return [
    element('title', {}, [wordsOf(box)]),
    // A second edge behind the box: it stands for several.
    ...(node.parts.length > 1 ? [element('rect', { ...frame, x: 4, y: 4 })] : []),
    element('rect', frame),
    element('rect', { width: 5, height, rx: 2, fill: colourOf(node) }),
    ...lines.map(({ text, of, bold }, i) =>
      textAt(padding.left, top + 13 + lineHeight * i, text, {
        size: bold ? 13 : 12,
        widthMax: width,
        of,
        ...(bold && { bold }),
      }),
    ),
  ]
}

const wordsOf = ({ node }: Pick<NodeBox, 'node'>): string =>
  linesOf(node)
    .map(({ text }) => text)
    .join('\n')

function subjectOf(box: NodeBox): Subject {
  const { parts } = box.node
  const words = wordsOf(box)
  const [first] = parts
  if (parts.length === 1 && first?.is === 'lot')
    return { is: 'lot', lotCode: first.lot.lotCode, tlcSource: first.lot.tlcSource, words }
  if (parts.length === 1 && first?.is === 'event')
    return { is: 'event', record: first.event.record, id: first.event.id, words }
  return { is: 'several', words }
}

// Arrows

function arrowDrawing({ arrow: { ground }, path, head, width }: DrawnArrow<ChainArrow>): SvgElement {
  const colour = chainColours.event
  const line = {
    d: path,
    fill: 'none',
    stroke: colour,
    'stroke-opacity': 0.75,
    'stroke-width': width / 2,
    'stroke-dasharray': chainDashes[ground],
  }
  return element('g', {}, [
    element('path', line, [element('title', {}, [`by ${groundWords[ground]}`])]),
    element('path', { d: head, fill: colour }),
  ])
}
