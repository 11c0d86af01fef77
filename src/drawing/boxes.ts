// The box of a place: its name in full, its address, its received and sent quantities, and the
// numbers of its notes.
import type { LotTrace, TracedPlace } from '../tracing/lot-trace.ts'
import { quantitiesText, writtenQuantitiesText } from '../tracing/wording.ts'
import { roleColour } from './legend.ts'
import { boldness, light, textAt, warningAt } from './marks.ts'
import { element, type Subject, type SvgElement } from './svg-element.ts'
import { textWidth, wrap } from './svg-text.ts'

/** Notes up to this number are listed below a drawing, and numbered in it. */
export const noteLinesMax = 20

export interface NumberedNote {
  readonly number: number
  readonly message: string
}

export type NotesByPlace = ReadonlyMap<string, readonly NumberedNote[]>

export function notesByPlace({ notes }: LotTrace): NotesByPlace {
  const byPlace = new Map<string, NumberedNote[]>()
  for (const [i, { message, places }] of notes.entries())
    for (const place of places) {
      const own = byPlace.get(place) ?? []
      byPlace.set(place, own)
      own.push({ number: i + 1, message })
    }
  return byPlace
}

interface Line {
  readonly text: string
  readonly size: number
  readonly of: 'text' | 'faint'
  readonly bold?: boolean
}

export interface PlaceBox {
  readonly place: TracedPlace
  readonly notes: readonly NumberedNote[]
  readonly lines: readonly Line[]
  readonly width: number
  /** Smallest height for its text. */
  readonly height: number
}

const lineHeight = 17
const padding = { left: 14, right: 10, top: 8, bottom: 10 } as const
const nameSize = 13
const textSize = 12
const nameLinesMax = 8
const linesMax = 4

/** `inPanel`: one line in place of the shared arrow of a panel. */
export function placeBox(
  place: TracedPlace,
  notes: readonly NumberedNote[],
  width: number,
  { inPanel }: { readonly inPanel: boolean },
): PlaceBox {
  const wide = width - padding.left - padding.right
  const named = wrap(place.name, nameSize * boldness, wide - marksOf(notes).room, nameLinesMax)
  const lines: Line[] = named.map((text) => ({ text, size: nameSize, of: 'text', bold: true }))
  const add = (text: string, of: Line['of']) => {
    if (text === '') return
    for (const one of wrap(text, textSize, wide, linesMax)) lines.push({ text: one, size: textSize, of })
  }
  add(whereOf(place), 'faint')
  if (place.role === 'expected') add('no receipt recorded', 'text')
  else if (inPanel) {
    const date = (place.firstReceivedDateTime ?? place.firstSentOnDateTime ?? '').slice(0, 10)
    add(`${quantitiesText(place.role === 'first' ? place.sentOn : place.received)} · ${date}`, 'text')
  } else {
    if (place.received.length > 0) add(`received ${quantitiesText(place.received)}`, 'text')
    if (place.sentOn.length > 0) add(`sent on ${quantitiesText(place.sentOn)}`, 'text')
  }
  return { place, notes, lines, width, height: padding.top + lineHeight * lines.length + padding.bottom }
}

const whereOf = ({ codes, city, state }: TracedPlace): string =>
  [[...new Set(codes.map(({ locationCode }) => locationCode))].join(', '), [city, state].filter(Boolean).join(', ')]
    .filter(Boolean)
    .join(' · ')

/** As high as the space for it, with its text in the middle. */
export function boxDrawing({ place, notes, lines, width, height: least }: PlaceBox, height: number): SvgElement[] {
  const top = Math.round((height - least) / 2) + padding.top
  return [
    element('title', {}, [wordsOf(place, notes)]),
    element('rect', { class: 'box', width, height, rx: 6, fill: light.box, stroke: light.line }),
    element('rect', { width: 5, height, rx: 2, fill: roleColour(place) }),
    ...lines.map(({ text, size, of, bold }, i) =>
      textAt(padding.left, top + 13 + lineHeight * i, text, { size, widthMax: width, of, ...(bold && { bold }) }),
    ),
    ...marksOf(notes).drawingAt(width - 6, top),
  ]
}

export const subjectOf = ({ place, notes }: PlaceBox): Subject => ({
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
    place.received.length > 0 && `received ${writtenQuantitiesText(place.received)}`,
    place.sentOn.length > 0 && `sent on ${writtenQuantitiesText(place.sentOn)}`,
    ...notes.map(({ message }) => message),
  ]
    .filter(Boolean)
    .join('\n')

/**
 * The warning mark with the numbers of the notes, at the right end of a box; and the room it takes.
 */
function marksOf(notes: readonly NumberedNote[]) {
  if (notes.length === 0) return { room: 0, drawingAt: () => [] }
  const numbers = notes.filter(({ number }) => number <= noteLinesMax).slice(0, 3)
  const others = notes.length - numbers.length
  const text = [...numbers.map(({ number }) => number), ...(others > 0 ? [`+${others}`] : [])].join(' ')
  const length = textWidth(text, textSize * boldness) + 2
  return {
    room: length + 28,
    drawingAt: (right: number, top: number) => [
      warningAt(right - length - 22, top),
      textAt(right - length - 3, top + 13, text, { size: textSize, widthMax: length + 2, of: 'warn', bold: true }),
    ],
  }
}
