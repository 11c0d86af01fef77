// The graph of a trace without heading and legend: boxes for places, arrows for movements between
// them.

import { pluralize } from '../contract/text/pluralize.ts'
import { mapInSteps, type Steps } from '../steps.ts'
import type { LotTrace } from '../tracing/lot-trace.ts'
import { writtenQuantitiesText } from '../tracing/wording.ts'
import { type DrawnArrow, drawnArrows, straightWidth } from './arrows.ts'
import { boxDrawing, subjectOf } from './boxes.ts'
import {
  cellGap,
  figureOf,
  labelHeight,
  labelSize,
  panelHead,
  panelPadding,
  type Unit,
  type UnitArrow,
} from './figure.ts'
import { layersOf } from './layers.ts'
import { openColour, openDashes, openHead, shippedDotRadius, sourceColoursOf } from './legend.ts'
import { boldness, light, textAt } from './marks.ts'
import { element, type SvgElement } from './svg-element.ts'
import { textWidth } from './svg-text.ts'

/**
 * Space between two columns: arrows bend and cross there before they run straight with their
 * labels.
 */
const bendWidth = 76
const betweenBoxes = 26

export interface Graph {
  readonly width: number
  readonly height: number
  readonly elements: readonly SvgElement[]
}

/**
 * Places from left to right in the order of the lot's route. Each place and route is an element
 * with its subject.
 */
export function* graphOf(trace: LotTrace): Steps<Graph> {
  const figure = yield* figureOf(trace)
  const layers = yield* layersOf(figure.units, figure.arrows, {
    betweenColumns: bendWidth + straightWidth(figure),
    betweenBoxes,
  })
  const drawn = yield* drawnArrows(figure, layers)
  const colourOf = sourceColoursOf(trace)
  const names = new Map(trace.places.map(({ id, name }) => [id, name]))
  const arrows = yield* mapInSteps(drawn.list, (arrow) =>
    arrowDrawing(arrow, isOpen(arrow.arrow) ? openColour : colourOf(arrow.arrow.source), names),
  )
  const units: SvgElement[] = []
  for (const [i, unit] of figure.units.entries())
    units.push(yield* unitDrawing(unit, layers.corners[i] ?? { x: 0, y: 0 }))
  const labels = yield* mapInSteps(drawn.list, (arrow) => labelDrawing(arrow, names))
  return {
    width: layers.width,
    height: layers.height + drawn.below,
    elements: [...arrows, ...units, ...labels.flat()],
  }
}

// Boxes

export const translateTo = (x: number, y: number) => ({ transform: `translate(${Math.round(x)} ${Math.round(y)})` })

function* unitDrawing(unit: Unit, { x, y }: { readonly x: number; readonly y: number }): Steps<SvgElement> {
  const { panelColumns, cellHeight, boxes, width, height } = unit
  const [box] = boxes
  if (panelColumns === undefined && box !== undefined) {
    yield
    return element('g', translateTo(x, y), boxDrawing(box, height), subjectOf(box))
  }
  const cells = yield* mapInSteps(boxes, (one, i) => {
    const left = panelPadding + (i % (panelColumns ?? 1)) * (one.width + cellGap)
    const top = panelHead + Math.floor(i / (panelColumns ?? 1)) * (cellHeight + cellGap)
    return element('g', translateTo(left, top), boxDrawing(one, cellHeight), subjectOf(one))
  })
  return element('g', translateTo(x, y), [
    element('rect', {
      class: 'bg',
      width,
      height,
      rx: 10,
      fill: light.background,
      stroke: light.line,
      'stroke-dasharray': '5 4',
    }),
    textAt(panelPadding, 18, pluralize(boxes.length, 'place'), {
      size: 12,
      widthMax: width - 2 * panelPadding,
      of: 'faint',
      bold: true,
    }),
    ...cells,
  ])
}

// Arrows

/** Nobody received its shipments. */
const isOpen = ({ links }: UnitArrow): boolean => links.length === 0

const waysOf = (arrow: UnitArrow) => (isOpen(arrow) ? arrow.shipped : arrow.links)

function wordsOfWay({ arrow }: DrawnArrow<UnitArrow>, names: ReadonlyMap<string, string>): string {
  const name = (id: string | undefined) => names.get(id ?? '') ?? ''
  const ways = waysOf(arrow)
  const [first] = ways
  const ends = ways.length === 1 ? `${name(first?.from)} → ${name(first?.to)}` : `${pluralize(ways.length, 'link')}`
  const shipped = arrow.shipped.map(({ quantities }) => writtenQuantitiesText(quantities)).join(', ')
  const end = isOpen(arrow)
    ? '\nNo receiving event says that it arrived.'
    : shipped === ''
      ? ''
      : `\nshipped: ${shipped}`
  return `${ends}\n${arrow.allQuantities}\n${arrow.dates}${end}`
}

/** The dot at the beginning of shipments is visible on the widest line. */
const dotRadius = (width: number): number => Math.round((shippedDotRadius + width / 2) * 10) / 10

function arrowDrawing(drawn: DrawnArrow<UnitArrow>, colour: string, names: ReadonlyMap<string, string>): SvgElement {
  const { arrow, path, width, head, start, tip } = drawn
  const words = wordsOfWay(drawn, names)
  const line = {
    d: path,
    fill: 'none',
    stroke: colour,
    'stroke-opacity': 0.75,
    'stroke-width': Math.round(width * 10) / 10,
    'stroke-dasharray': isOpen(arrow) ? openDashes : drawn.back ? '7 5' : undefined,
  }
  return element(
    'g',
    {},
    [
      element('path', line, [element('title', {}, [words])]),
      isOpen(arrow) ? openHead(tip.x, tip.y, colour) : element('path', { d: head, fill: colour }),
      ...(arrow.shipped.length > 0
        ? [element('circle', { cx: start.x + dotRadius(width), cy: start.y, r: dotRadius(width), fill: colour })]
        : []),
    ],
    { is: 'way', links: waysOf(arrow), words },
  )
}

/**
 * The quantity is above the line and the dates are below it, so neither covers the line or another
 * one.
 */
function labelDrawing(drawn: DrawnArrow<UnitArrow>, names: ReadonlyMap<string, string>): SvgElement[] {
  const { arrow, label, width } = drawn
  if (label === undefined) return []
  const long = Math.max(textWidth(arrow.quantity, labelSize * boldness), textWidth(arrow.dates, labelSize))
  const [x, y] = [Math.round(label.x), Math.round(label.y)]
  const away = Math.ceil(width / 2)
  const text = (at: number, words: string, style: object) =>
    textAt(x, at, words, { size: labelSize, widthMax: long + 1, anchor: 'middle', ...style })
  const inside = [
    // Takes the pointer between the two lines.
    element('rect', {
      class: 'label',
      x: Math.round(x - long / 2),
      y: y - labelHeight / 2,
      width: Math.ceil(long),
      height: labelHeight,
      fill: 'transparent',
    }),
    text(y - away - 4, arrow.quantity, { bold: true }),
    text(y + away + 12, arrow.dates, { of: 'faint' }),
  ]
  return [element('g', {}, inside, { is: 'wayLabel', links: waysOf(arrow), words: wordsOfWay(drawn, names) })]
}
