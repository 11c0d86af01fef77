// A trace or a chain as a drawing that needs nothing around it: heading, legend, picture and notes.
// Source: SVG 1.1, decisions 0028, 0094.

import { groundWords, surest } from '../contract/lots/grounds.ts'
import { eventKinds } from '../contract/record-kinds.ts'
import { capitalize } from '../contract/text/capitalize.ts'
import { pluralize } from '../contract/text/pluralize.ts'
import type { Steps } from '../steps.ts'
import { startWords } from '../tracing/chain.ts'
import type { LotChain } from '../tracing/lot-chain.ts'
import type { LotTrace } from '../tracing/lot-trace.ts'
import { listSome, writtenQuantitiesText } from '../tracing/wording.ts'
import { noteLinesMax } from './boxes.ts'
import { chainPictureOf } from './chain-graph.ts'
import { datesText } from './figure.ts'
import { type Graph, graphOf } from './graph.ts'
import { type LegendEntry, legendOf } from './legend.ts'
import { boldness, light, textAt } from './marks.ts'
import { element, type SvgElement, toXml } from './svg-element.ts'
import { textWidth, wrap } from './svg-text.ts'

const margin = 28
const widthMin = 880

const dark = { background: '#12171d', box: '#1c242d', line: '#3d4a58', text: '#eef2f6', faint: '#aab7c4' } as const

/** Turns the colours dark for readers who ask for dark. */
const style = `@media (prefers-color-scheme:dark){.bg{fill:${dark.background}}.box{fill:${dark.box};stroke:${dark.line}}.text{fill:${dark.text}}.faint{fill:${dark.faint}}.warn{fill:#f59e0b}}`

/** The parts of a drawing beside its picture. */
interface Sheet {
  readonly heading: string
  readonly counts: string
  /** Beside the counts. */
  readonly more: string
  /** For those who do not see it. */
  readonly description: string
  readonly legend: readonly (readonly LegendEntry[])[]
  readonly notes: readonly { readonly message: string }[]
  readonly noteCount: number
}

export function* traceSvg(trace: LotTrace): Steps<string> {
  const dates = datesText(trace.events.map(({ eventDateTime }) => eventDateTime))
  return yield* svgOf(yield* graphOf(trace), {
    heading: `Lot ${trace.lotCode}`,
    counts: countsOf(trace),
    more: ` · received ${dates}`,
    description: descriptionOf(trace),
    legend: legendOf(trace),
    notes: trace.notes,
    noteCount: trace.noteCount,
  })
}

export function* chainSvg(chain: LotChain): Steps<string> {
  const picture = yield* chainPictureOf(chain)
  return yield* svgOf(picture, {
    heading: chainHeading(chain),
    counts: `${pluralize(chain.lots.length, 'lot')}, ${pluralize(chain.events.length, 'event')}`,
    more: picture.isFolded ? ' · several in one box where there are many; the table of the chain has each' : '',
    description: chainDescription(chain),
    legend: picture.legend.map((entry) => [entry]),
    notes: chain.notes,
    noteCount: chain.noteCount,
  })
}

const chainHeading = (chain: LotChain): string =>
  `${capitalize(startWords(chain))}: ${chain.direction === 'forward' ? 'lots that were made of it' : 'lots that are in it'}`

function chainDescription({ lots, food, events }: LotChain): string {
  const names = new Map([
    ...lots.map(({ id, lotCode }) => [id, lotCode] as const),
    ...food.map(({ id, place, date }) => [id, `food of ${place.name ?? place.locationCode} on ${date}`] as const),
  ])
  const textOf = (ids: readonly string[]) => listSome(ids.map((id) => names.get(id) ?? id))
  const shown = events
    .slice(0, 50)
    .map(
      ({ record, eventDateTime, used, made, ground }) =>
        `${eventKinds[record].noun} of ${eventDateTime.slice(0, 10)}: ${textOf(used) || 'nothing of the chain'} to ${textOf(made)}${ground === surest ? '' : ` (by ${groundWords[ground]})`}`,
    )
  return `Events from left to right, with the lots they used and the lots they made. ${shown.join('; ')}${events.length > shown.length ? '; and more' : ''}.`
}

function* svgOf(graph: Graph, sheet: Sheet): Steps<string> {
  const head = headOf(sheet)
  const width = Math.max(widthMin, graph.width + 2 * margin)
  const foot = footOf(sheet, width)
  const graphLeft = margin + (width - 2 * margin - graph.width) / 2
  const height = head.height + graph.height + foot.height + 2 * margin
  const size = { width: Math.ceil(width), height: Math.ceil(height) }
  const drawing = element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      role: 'img',
      'aria-labelledby': 't d',
      viewBox: `0 0 ${size.width} ${size.height}`,
      ...size,
      'font-family': "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif",
    },
    [
      element('title', { id: 't' }, [`${sheet.heading}: ${sheet.counts}`]),
      element('desc', { id: 'd' }, [sheet.description]),
      element('style', {}, [style]),
      element('rect', { class: 'bg', width: '100%', height: '100%', fill: light.background }),
      ...head.drawing,
      element('g', { transform: `translate(${Math.round(graphLeft)} ${Math.round(head.height)})` }, graph.elements),
      element(
        'g',
        { transform: `translate(${margin} ${Math.round(head.height + graph.height + margin)})` },
        foot.drawing,
      ),
    ],
  )
  return `${yield* toXml(drawing)}\n`
}

const countsOf = ({ totals }: LotTrace): string =>
  [
    pluralize(totals.events, 'event'),
    pluralize(totals.lines, 'line'),
    pluralize(totals.places, 'place'),
    pluralize(totals.sources, 'source'),
  ].join(', ')

function descriptionOf({ places, links, shippedLinks }: LotTrace): string {
  const names = new Map(places.map(({ id, name }) => [id, name]))
  const ways = links
    .slice(0, 50)
    .map(({ from, to, quantities }) => `${names.get(from)} to ${names.get(to)}: ${writtenQuantitiesText(quantities)}`)
  const open = shippedLinks
    .filter(({ received }) => received.length === 0)
    .slice(0, 50)
    .map(({ from, to, quantities }) => `${names.get(from)} to ${names.get(to)}: ${writtenQuantitiesText(quantities)}`)
  const shipped = open.length === 0 ? '' : ` Shipped, no receipt recorded: ${open.join('; ')}.`
  return `Places from left to right in the order in which the lot reached them. ${ways.join('; ')}${links.length > ways.length ? '; and more' : ''}.${shipped}`
}

interface Part {
  readonly drawing: readonly SvgElement[]
  readonly height: number
}

function headOf({ heading, counts, more, legend }: Sheet): Part {
  const wide = widthMin - 2 * margin
  const drawing: SvgElement[] = []
  let y = 46
  for (const line of wrap(heading, 22 * boldness, wide, 4)) {
    drawing.push(textAt(margin, y, line, { size: 22, widthMax: wide, bold: true }))
    y += 28
  }
  drawing.push(textAt(margin, y - 4, counts + more, { size: 13, widthMax: wide, of: 'faint' }))
  for (const group of legend) {
    y += 22
    let x = margin
    for (const { mark, words } of group) {
      const [first = '', ...others] = wrap(words, 12, wide - 30, 3)
      const length = 30 + textWidth(first, 12) + 18
      if (x > margin && x + length > widthMin - margin) {
        x = margin
        y += 22
      }
      drawing.push(element('g', { transform: `translate(${x} ${y - 12})` }, [mark]))
      for (const [i, line] of [first, ...others].entries())
        drawing.push(textAt(x + 28, y + 18 * i, line, { size: 12, widthMax: wide - 30, of: 'faint' }))
      y += 18 * others.length
      x += Math.ceil(length)
    }
  }
  return { drawing, height: y + 34 }
}

function footOf({ notes, noteCount }: Pick<Sheet, 'notes' | 'noteCount'>, width: number): Part {
  if (notes.length === 0) return { drawing: [], height: 0 }
  const shown = notes.slice(0, noteLinesMax)
  const drawing = [textAt(0, 14, pluralize(noteCount, 'note'), { size: 14, widthMax: 300, bold: true })]
  const wide = width - 2 * margin - 28
  let y = 38
  for (const [i, { message }] of shown.entries()) {
    drawing.push(textAt(0, y, String(i + 1), { size: 12, widthMax: 30, of: 'warn', bold: true }))
    for (const line of wrap(message, 12, wide, 12)) {
      drawing.push(textAt(28, y, line, { size: 12, widthMax: wide }))
      y += 17
    }
    y += 4
  }
  if (noteCount > shown.length)
    drawing.push(textAt(28, y, `and ${noteCount - shown.length} more`, { size: 12, widthMax: 300, of: 'faint' }))
  return { drawing, height: y + 20 }
}
