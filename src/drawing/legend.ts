// The meaning of the colours and marks of a drawing.

import { type Ground, groundWords, unsure } from '../contract/lots/grounds.ts'
import { pluralize } from '../contract/text/pluralize.ts'
import type { LotChain } from '../tracing/lot-chain.ts'
import type { LotTrace, TracedPlace } from '../tracing/lot-trace.ts'
import { sourceLabel } from '../tracing/sources.ts'
import { light, warningAt } from './marks.ts'
import { element, type SvgElement } from './svg-element.ts'

const roles = {
  first: { colour: '#2e7d32', words: 'first seen: only sent the lot on' },
  between: { colour: '#5b6b7b', words: 'received and sent on' },
  last: { colour: '#6a3fb5', words: 'last seen: only received the lot' },
  expected: { colour: '#b45309', words: 'shipped to, not received' },
} as const
/** Colours of sources, distinguishable without seeing red or green (Okabe and Ito). */
const sourceColours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#b8860b', '#3fa7d6']
const otherColour = '#7a7a7a'

export const roleColour = ({ role }: TracedPlace): string => roles[role].colour

/** The colour of each source by its id. */
export function sourceColoursOf({ sources }: LotTrace): (source: string) => string {
  const colours = new Map(sources.map(({ id }, i) => [id, sourceColours[i] ?? otherColour]))
  return (source) => colours.get(source) ?? otherColour
}

export interface LegendEntry {
  /** Drawn in a box of `legendMarkWidth` by `legendMarkHeight`. */
  readonly mark: SvgElement
  readonly words: string
}

export const legendMarkWidth = 22
export const legendMarkHeight = 16

/** Entries for places, then for sources, then for shipments. */
export function legendOf(trace: LotTrace): readonly (readonly LegendEntry[])[] {
  const { notes, sources, places, shippedLinks } = trace
  const line = (stroke: string) =>
    element('line', { x1: 0, y1: 8, x2: legendMarkWidth, y2: 8, stroke, 'stroke-width': 4 })
  const isExpected = places.some(({ role }) => role === 'expected')
  const ofPlaces = Object.entries(roles)
    .filter(([role]) => role !== 'expected' || isExpected)
    .map(([, { colour, words }]) => ({
      mark: element('rect', { x: 8, width: 6, height: legendMarkHeight, fill: colour }),
      words,
    }))
  const ofSources = sources.slice(0, sourceColours.length).map((source, i) => ({
    mark: line(sourceColours[i] ?? otherColour),
    words: source.known ? `source ${sourceLabel(source)}` : sourceLabel(source),
  }))
  const others = sources.length - ofSources.length
  return [
    [...ofPlaces, ...(notes.length > 0 ? [{ mark: warningAt(2, 0), words: 'see the notes below' }] : [])],
    [...ofSources, ...(others > 0 ? [{ mark: line(otherColour), words: pluralize(others, 'other source') }] : [])],
    ...(shippedLinks.length > 0 ? [shippedEntries(shippedLinks)] : []),
  ]
}

/** How the arrows show shipments: with both ends of a way, or only its beginning. */
function shippedEntries(links: LotTrace['shippedLinks']): readonly LegendEntry[] {
  const line = (stroke: string, dashes: string | undefined, end: SvgElement) =>
    element('g', {}, [
      element('line', {
        x1: 3,
        y1: 8,
        x2: legendMarkWidth - 6,
        y2: 8,
        stroke,
        'stroke-width': 2,
        'stroke-dasharray': dashes,
      }),
      end,
    ])
  const entries: LegendEntry[] = []
  if (links.some(({ received }) => received.length > 0))
    entries.push({
      mark: line(
        otherColour,
        undefined,
        element('circle', { cx: 4, cy: 8, r: shippedDotRadius + 1, fill: otherColour }),
      ),
      words: 'shipped and received',
    })
  if (links.some(({ received }) => received.length === 0))
    entries.push({
      mark: line(openColour, openDashes, openHead(legendMarkWidth, 8, openColour)),
      words: 'shipped, no receipt recorded',
    })
  return entries
}

/** The colour of shipments that were not received, for every source of the lot code. */
export const openColour = '#b45309'
export const openDashes = '3 4'
export const shippedDotRadius = 3

/** The head of an arrow that nobody received: not filled. */
export const openHead = (x: number, y: number, stroke: string): SvgElement =>
  element('path', { d: `M${x - 8} ${y - 5}L${x} ${y}L${x - 8} ${y + 5}`, fill: 'none', stroke, 'stroke-width': 1.5 })

// Chains of lots

export const chainColours = {
  asked: '#2e7d32',
  lot: '#0072b2',
  food: '#b8860b',
  event: '#5b6b7b',
} as const

const doubts: Readonly<Record<Exclude<Ground, 'sameSource'>, string>> = {
  sourceUnknown: 'a line does not say who assigned it, so it may be another lot',
  reference: 'no lot code yet, so it may be other food of that day',
  readAlike: 'the codes differ in case, signs or zeros, so it may be another lot',
  severalLots: 'the code names several or a range, so it may be none of this lot',
}
/** Lines of boxes and arrows. */
export const chainDashes: Readonly<Record<Ground, string | undefined>> = {
  sameSource: undefined,
  sourceUnknown: '7 5',
  reference: '3 4',
  readAlike: '10 3 2 3',
  severalLots: '2 6',
}

export function chainLegendOf(chain: LotChain, { isFolded }: { readonly isFolded: boolean }): readonly LegendEntry[] {
  const bar = (fill: string) => element('rect', { x: 8, width: 6, height: legendMarkHeight, fill })
  const grounds = new Set([...chain.lots, ...chain.food, ...chain.events].map(({ ground }) => ground))
  return [
    { mark: bar(chainColours.asked), words: 'what was asked for' },
    ...(chain.lots.length > 1 ? [{ mark: bar(chainColours.lot), words: 'lot' }] : []),
    ...(chain.food.length > 0 ? [{ mark: bar(chainColours.food), words: 'food before it was packed' }] : []),
    { mark: bar(chainColours.event), words: 'event that used lots on its left and made those on its right' },
    ...unsure
      .filter((ground) => grounds.has(ground))
      .map((ground) => ({
        mark: element('line', {
          x1: 0,
          y1: 8,
          x2: legendMarkWidth,
          y2: 8,
          stroke: chainColours.event,
          'stroke-width': 2,
          'stroke-dasharray': chainDashes[ground],
        }),
        words: `by ${groundWords[ground]}: ${doubts[ground]}`,
      })),
    ...(isFolded
      ? [
          {
            mark: element('g', {}, [
              element('rect', { x: 6, y: 5, width: 14, height: 10, fill: light.box, stroke: chainColours.event }),
              element('rect', { x: 2, y: 1, width: 14, height: 10, fill: light.box, stroke: chainColours.event }),
            ]),
            words: 'several in one box; the table has each',
          },
        ]
      : []),
  ]
}
