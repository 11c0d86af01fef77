// A trace as a drawing that needs nothing around it. Colours stand as attributes, so that they hold where a policy blocks
// styles; the style element only turns them dark for readers who ask for dark. Source: SVG 1.1, decision 0028.
import type { LotTrace, TracedPlace, TraceNote } from '../../contract/lot-trace.ts'
import { sourceLabel } from './sources.ts'
import { counted, quantitiesText } from './spoken.ts'
import { type DrawnArrow, drawnArrows } from './svg-arrows.ts'
import {
  cellGap,
  cellHeight,
  cellWidth,
  datesText,
  figureOf,
  labelSize,
  panelHead,
  panelPadding,
  type Unit,
} from './svg-figure.ts'
import { layersOf } from './svg-layers.ts'
import { cut, escaped, textWidth } from './svg-text.ts'

const margin = 28
const noteLinesMax = 20
const widthMin = 880
const betweenBoxes = 26

const roles = {
  first: { colour: '#2e7d32', words: 'first seen: only sent the lot on' },
  between: { colour: '#5b6b7b', words: 'received and sent on' },
  last: { colour: '#6a3fb5', words: 'last seen: only received the lot' },
} as const
/** Of sources, told apart by readers who see no red or no green too (Okabe and Ito). */
const sourceColours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#b8860b', '#3fa7d6']
const otherColour = '#7a7a7a'
const warningColour = '#b45309'

const light = { background: '#ffffff', box: '#f7f9fb', line: '#c3ccd6', text: '#16202a', faint: '#51606f' } as const
const dark = { background: '#12171d', box: '#1c242d', line: '#3d4a58', text: '#eef2f6', faint: '#aab7c4' } as const

const style = `@media (prefers-color-scheme:dark){.bg{fill:${dark.background}}.box{fill:${dark.box};stroke:${dark.line}}.text{fill:${dark.text}}.faint{fill:${dark.faint}}.warn{fill:#f59e0b}}`

export function traceSvg(trace: LotTrace): string {
  const figure = figureOf(trace)
  const layers = layersOf(figure.units, figure.arrows, {
    betweenColumns: Math.max(120, figure.labelWidth + 70),
    betweenBoxes,
  })
  const drawn = drawnArrows(figure, layers)
  const notes = notesByPlace(trace.notes)
  const head = headOf(trace)
  const width = Math.max(widthMin, layers.width + 2 * margin)
  const foot = footOf(trace, width)
  const graphTop = head.height
  const graphLeft = margin + (width - 2 * margin - layers.width) / 2
  const height = graphTop + layers.height + drawn.below + foot.height + 2 * margin
  const colourOf = sourceColoursOf(trace)
  const names = new Map(trace.places.map(({ id, name }) => [id, name]))
  const title = `Lot ${trace.lotCode}: ${countsOf(trace)}`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="t d" viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}" width="${Math.ceil(width)}" height="${Math.ceil(height)}" font-family="system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif">`,
    `<title id="t">${escaped(title)}</title>`,
    `<desc id="d">${escaped(descriptionOf(trace))}</desc>`,
    `<style>${style}</style>`,
    `<rect class="bg" width="100%" height="100%" fill="${light.background}"/>`,
    head.drawing,
    `<g transform="translate(${Math.round(graphLeft)} ${Math.round(graphTop)})">`,
    ...drawn.list.map((arrow) => arrowDrawing(arrow, colourOf(arrow.arrow.source), names)),
    ...figure.units.map((unit, i) => unitDrawing(unit, layers.corners[i] ?? { x: 0, y: 0 }, notes)),
    ...drawn.list.map((arrow) => labelDrawing(arrow)),
    '</g>',
    `<g transform="translate(${margin} ${Math.round(graphTop + layers.height + drawn.below + margin)})">${foot.drawing}</g>`,
    '</svg>\n',
  ].join('\n')
}

const countsOf = ({ totals }: LotTrace): string =>
  [
    counted(totals.events, 'event'),
    counted(totals.lines, 'line'),
    counted(totals.places, 'place'),
    counted(totals.sources, 'source'),
  ].join(', ')

function descriptionOf({ places, links }: LotTrace): string {
  const names = new Map(places.map(({ id, name }) => [id, name]))
  const ways = links
    .slice(0, 50)
    .map(({ from, to, quantities }) => `${names.get(from)} to ${names.get(to)}: ${quantitiesText(quantities)}`)
  return `Places from left to right in the order of the lot's way. ${ways.join('; ')}${links.length > ways.length ? '; and more' : ''}.`
}

function sourceColoursOf({ sources }: LotTrace): (source: string) => string {
  const colours = new Map(sources.map(({ id }, i) => [id, sourceColours[i] ?? otherColour]))
  return (source) => colours.get(source) ?? otherColour
}

/** How much wider bold text is. */
const boldness = 1.08

type Classes = 'text' | 'faint' | 'warn'
const fills: Readonly<Record<Classes, string>> = { text: light.text, faint: light.faint, warn: warningColour }

interface TextStyle {
  readonly size: number
  readonly widthMax: number
  readonly of?: Classes
  readonly bold?: boolean
  readonly anchor?: 'middle'
}

/** Text that fits; what was cut off is in its tooltip. */
function textAt(x: number, y: number, text: string, { size, widthMax, of = 'text', bold, anchor }: TextStyle): string {
  const measured = bold ? size * boldness : size
  const shown = cut(text, measured, widthMax)
  const attributes = `${bold ? ' font-weight="600"' : ''}${anchor ? ` text-anchor="${anchor}"` : ''}`
  const tooltip = shown === text ? '' : `<title>${escaped(text)}</title>`
  return `<text class="${of}" x="${x}" y="${y}" font-size="${size}" fill="${fills[of]}"${attributes}>${escaped(shown)}${tooltip}</text>`
}

// Head and foot

interface Part {
  readonly drawing: string
  readonly height: number
}

function headOf(trace: LotTrace): Part {
  const wide = widthMin - 2 * margin
  const dates = datesText(trace.events.map(({ eventDateTime }) => eventDateTime))
  const lines = [
    textAt(margin, 46, `Lot ${trace.lotCode}`, { size: 22, widthMax: wide, bold: true }),
    textAt(margin, 70, `${countsOf(trace)} · received ${dates}`, { size: 13, widthMax: wide, of: 'faint' }),
  ]
  let y = 96
  let x = margin
  const entry = (mark: (x: number, y: number) => string, words: string) => {
    const text = cut(words, 12, 300)
    const length = 30 + textWidth(text, 12) + 18
    if (x + length > widthMin - margin) {
      x = margin
      y += 22
    }
    lines.push(mark(x, y), textAt(x + 28, y, words, { size: 12, widthMax: 300, of: 'faint' }))
    x += Math.ceil(length)
  }
  for (const { colour, words } of Object.values(roles))
    entry((left, base) => `<rect x="${left + 8}" y="${base - 12}" width="6" height="16" fill="${colour}"/>`, words)
  if (trace.notes.length > 0) entry((left, base) => warningAt(left + 2, base - 12), 'see the notes below')
  x = margin
  y += 22
  for (const [i, source] of trace.sources.slice(0, sourceColours.length).entries())
    entry(
      (left, base) =>
        `<line x1="${left}" y1="${base - 4}" x2="${left + 22}" y2="${base - 4}" stroke="${sourceColours[i]}" stroke-width="4"/>`,
      `source ${sourceLabel(source)}`,
    )
  if (trace.sources.length > sourceColours.length)
    entry(
      (left, base) =>
        `<line x1="${left}" y1="${base - 4}" x2="${left + 22}" y2="${base - 4}" stroke="${otherColour}" stroke-width="4"/>`,
      `${counted(trace.sources.length - sourceColours.length, 'other source')}`,
    )
  return { drawing: lines.join('\n'), height: y + 34 }
}

function footOf({ notes, noteCount }: LotTrace, width: number): Part {
  if (notes.length === 0) return { drawing: '', height: 0 }
  const shown = notes.slice(0, noteLinesMax)
  const lines = [textAt(0, 14, `${counted(noteCount, 'note')}`, { size: 14, widthMax: 300, bold: true })]
  for (const [i, { message }] of shown.entries())
    lines.push(
      textAt(0, 38 + 20 * i, String(i + 1), { size: 12, widthMax: 30, of: 'warn', bold: true }),
      textAt(28, 38 + 20 * i, message, { size: 12, widthMax: width - 2 * margin - 28 }),
    )
  if (noteCount > shown.length)
    lines.push(
      textAt(28, 38 + 20 * shown.length, `and ${noteCount - shown.length} more`, {
        size: 12,
        widthMax: 300,
        of: 'faint',
      }),
    )
  return { drawing: lines.join('\n'), height: 38 + 20 * (shown.length + 1) }
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

const warningAt = (x: number, y: number): string =>
  `<path class="warn" fill="${warningColour}" d="M${x + 8} ${y}l8 15h-16zm-1 5v5h2v-5zm0 6.5v2h2v-2z" fill-rule="evenodd"/>`

function unitDrawing(unit: Unit, { x, y }: { readonly x: number; readonly y: number }, notes: NotesByPlace): string {
  const { panelColumns, places, width, height } = unit
  const move = `transform="translate(${Math.round(x)} ${Math.round(y)})"`
  const [place] = places
  if (panelColumns === undefined && place !== undefined)
    return `<g ${move}>${boxDrawing(place, width, height, notes.get(place.id) ?? [])}</g>`
  const cells = places.map((one, i) => {
    const left = panelPadding + (i % (panelColumns ?? 1)) * (cellWidth + cellGap)
    const top = panelHead + Math.floor(i / (panelColumns ?? 1)) * (cellHeight + cellGap)
    return `<g transform="translate(${left} ${top})">${cellDrawing(one, notes.get(one.id) ?? [])}</g>`
  })
  return [
    `<g ${move}><rect class="bg" width="${width}" height="${height}" rx="10" fill="${light.background}" stroke="${light.line}" stroke-dasharray="5 4"/>`,
    textAt(panelPadding, 18, counted(places.length, 'place'), {
      size: 12,
      widthMax: width - 2 * panelPadding,
      of: 'faint',
      bold: true,
    }),
    ...cells,
    '</g>',
  ].join('\n')
}

const frame = (width: number, height: number, { role }: TracedPlace): string =>
  `<rect class="box" width="${width}" height="${height}" rx="6" fill="${light.box}" stroke="${light.line}"/><rect width="5" height="${height}" rx="2" fill="${roles[role].colour}"/>`

const tooltipOf = (place: TracedPlace, notes: readonly NumberedNote[]): string =>
  `<title>${escaped(
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
      .join('\n'),
  )}</title>`

const whereOf = ({ codes, city, state }: TracedPlace): string =>
  [[...new Set(codes.map(({ locationCode }) => locationCode))].join(', '), [city, state].filter(Boolean).join(', ')]
    .filter(Boolean)
    .join(' · ')

/** The warning mark with the numbers of the notes, at the right end of a box; and the room it takes. */
function marksOf(notes: readonly NumberedNote[], right: number): { readonly drawing: string; readonly room: number } {
  if (notes.length === 0) return { drawing: '', room: 0 }
  const numbers = notes.filter(({ number }) => number <= noteLinesMax).slice(0, 3)
  const text = numbers.map(({ number }) => number).join(' ') + (notes.length > numbers.length ? ' …' : '')
  const length = textWidth(text, 11) + 2
  return {
    drawing:
      warningAt(right - length - 22, 7) +
      textAt(right - length - 3, 19, text, { size: 11, widthMax: 90, of: 'warn', bold: true }),
    room: length + 28,
  }
}

function boxDrawing(place: TracedPlace, width: number, height: number, notes: readonly NumberedNote[]): string {
  const marks = marksOf(notes, width - 6)
  const wide = width - 24
  const amounts = [
    place.received.length > 0 && `received ${quantitiesText(place.received)}`,
    place.sentOn.length > 0 && `sent on ${quantitiesText(place.sentOn)}`,
  ].filter((text) => text !== false)
  return [
    tooltipOf(place, notes),
    frame(width, height, place),
    textAt(14, 21, place.name, { size: 13, widthMax: wide - marks.room, bold: true }),
    textAt(14, 40, whereOf(place), { size: 11.5, widthMax: wide, of: 'faint' }),
    ...amounts.map((text, i) => textAt(14, 60 + 18 * i, text, { size: 12, widthMax: wide })),
    marks.drawing,
  ].join('')
}

/** A place of a panel: what it received or sent is on its one arrow, which the panel shares, so it stands here. */
function cellDrawing(place: TracedPlace, notes: readonly NumberedNote[]): string {
  const marks = marksOf(notes, cellWidth - 6)
  const wide = cellWidth - 22
  const amount = quantitiesText(place.role === 'first' ? place.sentOn : place.received)
  const date = (place.firstReceivedDateTime ?? place.firstSentOnDateTime ?? '').slice(0, 10)
  return [
    tooltipOf(place, notes),
    frame(cellWidth, cellHeight, place),
    textAt(13, 19, place.name, { size: 12, widthMax: wide - marks.room, bold: true }),
    textAt(13, 36, whereOf(place), { size: 11, widthMax: wide, of: 'faint' }),
    textAt(13, 54, `${amount} · ${date}`, { size: 11, widthMax: wide }),
    marks.drawing,
  ].join('')
}

// Arrows

function arrowDrawing(
  { arrow, path, width, head, back }: DrawnArrow,
  colour: string,
  names: ReadonlyMap<string, string>,
): string {
  const name = (id: string | undefined) => names.get(id ?? '') ?? ''
  const [first] = arrow.links
  const ends =
    arrow.links.length === 1 ? `${name(first?.from)} → ${name(first?.to)}` : `${counted(arrow.links.length, 'link')}`
  return `<g><path d="${path}" fill="none" stroke="${colour}" stroke-opacity="0.75" stroke-width="${Math.round(width * 10) / 10}"${back ? ' stroke-dasharray="7 5"' : ''}><title>${escaped(`${ends}\n${arrow.quantity}\n${arrow.dates}`)}</title></path><path d="${head}" fill="${colour}"/></g>`
}

function labelDrawing({ arrow, label }: DrawnArrow): string {
  if (label === undefined) return ''
  const width = Math.max(textWidth(arrow.quantity, labelSize * boldness), textWidth(arrow.dates, labelSize)) + 6
  const [x, y] = [Math.round(label.x), Math.round(label.y)]
  return [
    `<rect class="bg" x="${Math.round(x - width / 2)}" y="${y - 14}" width="${Math.round(width)}" height="28" rx="4" fill="${light.background}" fill-opacity="0.88"/>`,
    textAt(x, y - 2, arrow.quantity, { size: labelSize, widthMax: 200, bold: true, anchor: 'middle' }),
    textAt(x, y + 11, arrow.dates, { size: labelSize, widthMax: 200, of: 'faint', anchor: 'middle' }),
  ].join('')
}
