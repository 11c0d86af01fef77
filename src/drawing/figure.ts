// What is drawn of a trace: a box for each place, and one panel for many places that hang on the
// same one, since two hundred stores below each other are no picture.

import { mapInSteps, type Steps } from '../steps.ts'
import { groupsOf } from '../tracing/groups.ts'
import type { LotTrace, TracedLink, TracedPlace } from '../tracing/lot-trace.ts'
import { Quantities } from '../tracing/quantities.ts'
import { quantitiesText } from '../tracing/wording.ts'
import { cut, textWidth } from './svg-text.ts'

const boxWidth = 236
const boxHeight = 92
export const cellWidth = 208
export const cellHeight = 64
export const cellGap = 8
export const panelPadding = 12
export const panelHead = 26
/** Fewest places that make a panel. */
const panelFrom = 6
const panelColumnsMax = 6

export interface Unit {
  readonly places: readonly TracedPlace[]
  /** Columns of a panel; undefined for the box of one place. */
  readonly panelColumns: number | undefined
  readonly width: number
  readonly height: number
}

/** All links between two units with the lot of one source. */
export interface UnitArrow {
  readonly from: number
  readonly to: number
  readonly source: string
  readonly links: readonly TracedLink[]
  readonly quantity: string
  readonly dates: string
  /** How much it is, against the most any arrow has in the same unit: 0 to 1. */
  readonly share: number
}

export interface Figure {
  readonly units: readonly Unit[]
  readonly arrows: readonly UnitArrow[]
  /** Widest label of an arrow, in pixels. */
  readonly labelWidth: number
}

export const labelSize = 11
const labelWidthMax = 170

export function* figureOf({ places, links }: LotTrace): Steps<Figure> {
  const hubs = groupsOf(
    places.filter(({ previous, next }) => previous.length + next.length === 1),
    ({ previous: [before], next: [after] }) => (before === undefined ? `to ${after}` : `from ${before}`),
  )
  const panels = [...hubs.values()].filter((group) => group.length >= panelFrom)
  const inPanel = new Set(panels.flat())
  const units = [...places.filter((place) => !inPanel.has(place)).map(boxOf), ...panels.map(panelOf)]
  const unitOf = new Map(units.flatMap((unit, number) => unit.places.map(({ id }) => [id, number] as const)))
  yield
  const arrows = yield* arrowsOf(links, (id) => unitOf.get(id) ?? 0)
  const labels = arrows.flatMap(({ quantity, dates }) => [quantity, dates])
  const widths = yield* mapInSteps(labels, (label) => textWidth(label, labelSize))
  return { units, arrows, labelWidth: Math.max(0, ...widths) }
}

const boxOf = (place: TracedPlace): Unit => ({
  places: [place],
  panelColumns: undefined,
  width: boxWidth,
  height: boxHeight,
})

function panelOf(places: readonly TracedPlace[]): Unit {
  const columns = Math.min(panelColumnsMax, Math.ceil(Math.sqrt(places.length / 3)))
  const rows = Math.ceil(places.length / columns)
  return {
    places,
    panelColumns: columns,
    width: columns * (cellWidth + cellGap) - cellGap + 2 * panelPadding,
    height: panelHead + rows * (cellHeight + cellGap) - cellGap + panelPadding,
  }
}

function* arrowsOf(links: readonly TracedLink[], unitOf: (place: string) => number): Steps<readonly UnitArrow[]> {
  const groups = groupsOf(links, ({ from, to, source }) => `${unitOf(from)} ${unitOf(to)} ${source}`)
  const sums = [...groups.values()].map((own) => {
    const sum = new Quantities()
    for (const { quantities } of own) sum.addAll(quantities)
    return { own, quantities: sum.list() }
  })
  const most = new Map<string, number>()
  for (const { quantities } of sums)
    for (const { quantity, unit } of quantities) most.set(unit, Math.max(most.get(unit) ?? 0, quantity))
  const drawn = yield* mapInSteps(sums, ({ own, quantities }): UnitArrow[] => {
    const [first] = own
    if (first === undefined) return []
    return [
      {
        from: unitOf(first.from),
        to: unitOf(first.to),
        source: first.source,
        links: own,
        quantity: cut(quantitiesText(quantities), labelSize, labelWidthMax),
        dates: datesText(own.flatMap(({ firstDateTime, lastDateTime }) => [firstDateTime, lastDateTime])),
        share: Math.max(0, ...quantities.map(({ quantity, unit }) => quantity / (most.get(unit) || 1))),
      },
    ]
  })
  return drawn.flat()
}

/** The first and last date as written: `2026-03-06`, `2026-03-06 – 03-09`. */
export function datesText(dateTimes: readonly string[]): string {
  const dates = dateTimes.map((text) => text.slice(0, 10)).sort()
  const [first = ''] = dates
  const last = dates.at(-1) ?? first
  if (first === last) return first
  return `${first} – ${last.slice(0, 4) === first.slice(0, 4) ? last.slice(5) : last}`
}
