// The picture of a trace without what is around it: boxes for places, arrows for what went
// between them.

import { mapInSteps, type Steps } from '../steps.ts'
import type { LotTrace, TracedPlace, TraceNote } from '../tracing/lot-trace.ts'
import { pluralize, quantitiesText } from '../tracing/wording.ts'
import { type DrawnArrow, drawnArrows } from './arrows.ts'
import { cellGap, cellHeight, cellWidth, figureOf, labelSize, panelHead, panelPadding, type Unit } from './figure.ts'
import { layersOf } from './layers.ts'
import { roleColour, sourceColoursOf } from './legend.ts'
import { boldness, light, textAt, warningAt } from './marks.ts'
import { element, type Subject, type SvgElement } from './svg-element.ts'
import { textWidth } from './svg-text.ts'

const betweenBoxes = 26

/** Notes with these numbers and lower ones are listed below a drawing, and numbered in it. */
export const noteLinesMax = 20

export interface Graph {
  readonly width: number
  readonly height: number
  readonly elements: readonly SvgElement[]
}

/**
 * Places from left to right in the order of the lot's way. Each place and way is an element with
 * its subject.
 */
export function* graphOf(trace: LotTrace): Steps<Graph> {
  const figure = yield* figureOf(trace)
  const layers = yield* layersOf(figure.units, figure.arrows, {
    betweenColumns: Math.max(120, figure.labelWidth + 70),
    betweenBoxes,
  })
  const drawn = yield* drawnArrows(figure, layers)
  const notes = notesByPlace(trace.notes)
  const colourOf = sourceColoursOf(trace)
  const names = new Map(trace.places.map(({ id, name }) => [id, name]))
  const arrows = yield* mapInSteps(drawn.list, (arrow) => arrowDrawing(arrow, colourOf(arrow.arrow.source), names))
  const units: SvgElement[] = []
  for (const [i, unit] of figure.units.entries())
    units.push(yield* unitDrawing(unit, layers.corners[i] ?? { x: 0, y: 0 }, notes))
  const labels = yield* mapInSteps(drawn.list, (arrow) => labelDrawing(arrow, names))
  return {
    width: layers.width,
    height: layers.height + drawn.below,
    elements: [...arrows, ...units, ...labels.flat()],
  }
}

// Boxes

interface NumberedNote {
  readonly number: number
  readonly message: string
}

type NotesByPlace = ReadonlyMap<string, readonly NumberedNote[]>

function notesByPlace(notes: readonly TraceNote[]): NotesByPlace {
  const byPlace = new Map<string, NumberedNote[]>()
  for (const [i, { message, places }] of notes.entries())
    for (const place of places) {
      const own = byPlace.get(place) ?? []
      byPlace.set(place, own)
      own.push({ number: i + 1, message })
    }
  return byPlace
}

const translateTo = (x: number, y: number) => ({ transform: `translate(${Math.round(x)} ${Math.round(y)})` })

function* unitDrawing(
  unit: Unit,
  { x, y }: { readonly x: number; readonly y: number },
  notes: NotesByPlace,
): Steps<SvgElement> {
  const { panelColumns, places, width, height } = unit
  const [place] = places
  if (panelColumns === undefined && place !== undefined) {
    yield
    const own = notes.get(place.id) ?? []
    return element('g', translateTo(x, y), boxDrawing(place, width, height, own), subjectOf(place, own))
  }
  const cells = yield* mapInSteps(places, (one, i) => {
    const left = panelPadding + (i % (panelColumns ?? 1)) * (cellWidth + cellGap)
    const top = panelHead + Math.floor(i / (panelColumns ?? 1)) * (cellHeight + cellGap)
    const own = notes.get(one.id) ?? []
    return element('g', translateTo(left, top), cellDrawing(one, own), subjectOf(one, own))
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
    textAt(panelPadding, 18, pluralize(places.length, 'place'), {
      size: 12,
      widthMax: width - 2 * panelPadding,
      of: 'faint',
      bold: true,
    }),
    ...cells,
  ])
}

const frame = (width: number, height: number, place: TracedPlace): readonly SvgElement[] => [
  element('rect', { class: 'box', width, height, rx: 6, fill: light.box, stroke: light.line }),
  element('rect', { width: 5, height, rx: 2, fill: roleColour(place) }),
]

const subjectOf = (place: TracedPlace, notes: readonly NumberedNote[]): Subject => ({
  is: 'place',
  id: place.id,
  words: wordsOf(place, notes),
})

const wordsOf = (place: TracedPlace, notes: readonly NumberedNote[]): string =>
  [
    place.name,
    place.codes
      .map(({ dataProviderVendorId, locationCode }) => `${locationCode} (vendor ${dataProviderVendorId})`)
      .join(', '),
    place.gln && `GLN ${place.gln}`,
    place.address,
    place.received.length > 0 && `received ${quantitiesText(place.received)}`,
    place.sentOn.length > 0 && `sent on ${quantitiesText(place.sentOn)}`,
    ...notes.map(({ message }) => message),
  ]
    .filter(Boolean)
    .join('\n')

const tooltipOf = (place: TracedPlace, notes: readonly NumberedNote[]): SvgElement =>
  element('title', {}, [wordsOf(place, notes)])

const whereOf = ({ codes, city, state }: TracedPlace): string =>
  [[...new Set(codes.map(({ locationCode }) => locationCode))].join(', '), [city, state].filter(Boolean).join(', ')]
    .filter(Boolean)
    .join(' · ')

interface Marks {
  readonly drawing: readonly SvgElement[]
  readonly room: number
}

/**
 * The warning mark with the numbers of the notes, at the right end of a box; and the room it takes.
 */
function marksOf(notes: readonly NumberedNote[], right: number): Marks {
  if (notes.length === 0) return { drawing: [], room: 0 }
  const numbers = notes.filter(({ number }) => number <= noteLinesMax).slice(0, 3)
  const text = numbers.map(({ number }) => number).join(' ') + (notes.length > numbers.length ? ' …' : '')
  const length = textWidth(text, 11) + 2
  return {
    drawing: [
      warningAt(right - length - 22, 7),
      textAt(right - length - 3, 19, text, { size: 11, widthMax: 90, of: 'warn', bold: true }),
    ],
    room: length + 28,
  }
}

function boxDrawing(place: TracedPlace, width: number, height: number, notes: readonly NumberedNote[]): SvgElement[] {
  const marks = marksOf(notes, width - 6)
  const wide = width - 24
  const amounts = [
    place.received.length > 0 && `received ${quantitiesText(place.received)}`,
    place.sentOn.length > 0 && `sent on ${quantitiesText(place.sentOn)}`,
  ].filter((text) => text !== false)
  return [
    tooltipOf(place, notes),
    ...frame(width, height, place),
    textAt(14, 21, place.name, { size: 13, widthMax: wide - marks.room, bold: true }),
    textAt(14, 40, whereOf(place), { size: 11.5, widthMax: wide, of: 'faint' }),
    ...amounts.map((text, i) => textAt(14, 60 + 18 * i, text, { size: 12, widthMax: wide })),
    ...marks.drawing,
  ]
}

/**
 * A place of a panel: what it received or sent is on its one arrow, which the panel shares, so it
 * stands here.
 */
function cellDrawing(place: TracedPlace, notes: readonly NumberedNote[]): SvgElement[] {
  const marks = marksOf(notes, cellWidth - 6)
  const wide = cellWidth - 22
  const amount = quantitiesText(place.role === 'first' ? place.sentOn : place.received)
  const date = (place.firstReceivedDateTime ?? place.firstSentOnDateTime ?? '').slice(0, 10)
  return [
    tooltipOf(place, notes),
    ...frame(cellWidth, cellHeight, place),
    textAt(13, 19, place.name, { size: 12, widthMax: wide - marks.room, bold: true }),
    textAt(13, 36, whereOf(place), { size: 11, widthMax: wide, of: 'faint' }),
    textAt(13, 54, `${amount} · ${date}`, { size: 11, widthMax: wide }),
    ...marks.drawing,
  ]
}

// Arrows

function wordsOfWay({ arrow }: DrawnArrow, names: ReadonlyMap<string, string>): string {
  const name = (id: string | undefined) => names.get(id ?? '') ?? ''
  const [first] = arrow.links
  const ends =
    arrow.links.length === 1 ? `${name(first?.from)} → ${name(first?.to)}` : `${pluralize(arrow.links.length, 'link')}`
  return `${ends}\n${arrow.quantity}\n${arrow.dates}`
}

function arrowDrawing(drawn: DrawnArrow, colour: string, names: ReadonlyMap<string, string>): SvgElement {
  const { arrow, path, width, head, back } = drawn
  const words = wordsOfWay(drawn, names)
  const line = {
    d: path,
    fill: 'none',
    stroke: colour,
    'stroke-opacity': 0.75,
    'stroke-width': Math.round(width * 10) / 10,
    'stroke-dasharray': back ? '7 5' : undefined,
  }
  return element(
    'g',
    {},
    [element('path', line, [element('title', {}, [words])]), element('path', { d: head, fill: colour })],
    { is: 'way', links: arrow.links, words },
  )
}

function labelDrawing(drawn: DrawnArrow, names: ReadonlyMap<string, string>): SvgElement[] {
  const { arrow, label } = drawn
  if (label === undefined) return []
  const width = Math.max(textWidth(arrow.quantity, labelSize * boldness), textWidth(arrow.dates, labelSize)) + 6
  const [x, y] = [Math.round(label.x), Math.round(label.y)]
  const inside = [
    element('rect', {
      class: 'bg',
      x: Math.round(x - width / 2),
      y: y - 14,
      width: Math.round(width),
      height: 28,
      rx: 4,
      fill: light.background,
      'fill-opacity': 0.88,
    }),
    textAt(x, y - 2, arrow.quantity, { size: labelSize, widthMax: 200, bold: true, anchor: 'middle' }),
    textAt(x, y + 11, arrow.dates, { size: labelSize, widthMax: 200, of: 'faint', anchor: 'middle' }),
  ]
  return [element('g', {}, inside, { is: 'wayLabel', links: arrow.links, words: wordsOfWay(drawn, names) })]
}
