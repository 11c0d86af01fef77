// The parts of a drawing of a trace: a box for each place, and one panel for many places with the
// same neighbour. Two hundred stores in one column would be unreadable.

import { pluralize } from '../contract/text/pluralize.ts'
import { unitKeyOf } from '../contract/text/units.ts'
import { groupsOf } from '../groups.ts'
import { mapInSteps, type Steps } from '../steps.ts'
import type { LotTrace, QuantityByUnit, ShippedLink, TracedLink, TracedPlace } from '../tracing/lot-trace.ts'
import { Quantities } from '../tracing/quantities.ts'
import { quantitiesText, writtenQuantitiesText } from '../tracing/wording.ts'
import { notesByPlace, type PlaceBox, placeBox } from './boxes.ts'
import { boldness } from './marks.ts'
import { cut, textWidth } from './svg-text.ts'

const boxWidth = 236
const boxHeightMin = 64
const cellWidth = 216
export const cellGap = 8
export const panelPadding = 12
export const panelHead = 26
/** Fewest places that make a panel. */
const panelFrom = 6
const panelColumnsMax = 6
/** Height of an arrow with its label above and below it. */
export const labelHeight = 42
/** Most arrows with labels, which need high boxes. A drawing with more has tooltips instead. */
const labelledMax = 400

export interface Unit {
  readonly boxes: readonly PlaceBox[]
  /** Columns of a panel; undefined for the box of one place. */
  readonly panelColumns: number | undefined
  /** Height of one place of a panel. */
  readonly cellHeight: number
  readonly width: number
  readonly height: number
}

/**
 * All links between two units with the lot of one source; or, without links, shipments from one to
 * the other that were not received there.
 */
export interface UnitArrow {
  readonly from: number
  readonly to: number
  readonly source: string
  readonly links: readonly TracedLink[]
  /** The shipping events of these ways. */
  readonly shipped: readonly ShippedLink[]
  /** The text at the arrow, and all of it with each spelling of a unit. */
  readonly quantity: string
  readonly allQuantities: string
  readonly dates: string
  /**
   * The quantity relative to the largest of any arrow: 0 to 1. Undefined where units differ, since
   * cases and eaches cannot be compared.
   */
  readonly share: number | undefined
}

export interface Figure {
  readonly units: readonly Unit[]
  readonly arrows: readonly UnitArrow[]
  /** Widest label of an arrow, in pixels; 0 where arrows have none. */
  readonly labelWidth: number
}

export const labelSize = 12
const labelWidthMax = 220

export function* figureOf(trace: LotTrace): Steps<Figure> {
  const { places, links, shippedLinks } = trace
  const shippedTo = groupsOf(shippedLinks, ({ to }) => to)
  const expectedFrom = ({ id, role }: TracedPlace): string | undefined => {
    const [link, another] = shippedTo.get(id) ?? []
    return role === 'expected' && another === undefined ? link?.from : undefined
  }
  const hubs = groupsOf(
    places.filter((place) => place.previous.length + place.next.length === 1 || expectedFrom(place) !== undefined),
    (place) => {
      const [before] = place.previous
      const expected = expectedFrom(place)
      if (expected !== undefined) return `expected ${expected}`
      return before === undefined ? `to ${place.next[0]}` : `from ${before}`
    },
  )
  const panels = [...hubs.values()].filter((group) => group.length >= panelFrom)
  const inPanel = new Set(panels.flat())
  const notes = notesByPlace(trace)
  const boxOf =
    (width: number, { isCell }: { readonly isCell: boolean }) =>
    (place: TracedPlace) =>
      placeBox(place, notes.get(place.id) ?? [], width, { inPanel: isCell })
  const single = yield* mapInSteps(
    places.filter((place) => !inPanel.has(place)),
    boxOf(boxWidth, { isCell: false }),
  )
  const units = [...single.map(unitOf)]
  for (const panel of panels) units.push(panelOf(yield* mapInSteps(panel, boxOf(cellWidth, { isCell: true }))))
  const unitOfPlace = new Map(
    units.flatMap(({ boxes }, number) => boxes.map(({ place }) => [place.id, number] as const)),
  )
  yield
  const arrows = [
    ...(yield* arrowsOf(links, shippedLinks, (id) => unitOfPlace.get(id) ?? 0)),
    ...openArrowsOf(shippedLinks, (id) => unitOfPlace.get(id) ?? 0),
  ]
  if (arrows.length > labelledMax) return { units, arrows, labelWidth: 0 }
  const widths = arrows.map(({ quantity, dates }) =>
    Math.max(textWidth(quantity, labelSize * boldness), textWidth(dates, labelSize)),
  )
  return { units: withRoomForLabels(units, arrows), arrows, labelWidth: Math.ceil(Math.max(0, ...widths)) }
}

const unitOf = (box: PlaceBox): Unit => ({
  boxes: [box],
  panelColumns: undefined,
  cellHeight: 0,
  width: box.width,
  height: Math.max(boxHeightMin, box.height),
})

function panelOf(boxes: readonly PlaceBox[]): Unit {
  const columns = Math.min(panelColumnsMax, Math.ceil(Math.sqrt(boxes.length / 3)))
  const rows = Math.ceil(boxes.length / columns)
  const cellHeight = Math.max(...boxes.map(({ height }) => height))
  return {
    boxes,
    panelColumns: columns,
    cellHeight,
    width: columns * (cellWidth + cellGap) - cellGap + 2 * panelPadding,
    height: panelHead + rows * (cellHeight + cellGap) - cellGap + panelPadding,
  }
}

/**
 * Each arrow enters a box at its own height, with its label, so boxes are as high as their labels.
 */
function withRoomForLabels(units: readonly Unit[], arrows: readonly UnitArrow[]): readonly Unit[] {
  const entering = units.map(() => 0)
  for (const { to } of arrows) entering[to] = (entering[to] ?? 0) + 1
  return units.map((unit, i) => ({ ...unit, height: Math.max(unit.height, labelHeight * (entering[i] ?? 0)) }))
}

/** Ways on which the lot was shipped and not received. */
function openArrowsOf(shipped: readonly ShippedLink[], unitOf: (place: string) => number): readonly UnitArrow[] {
  const open = shipped.filter(({ received }) => received.length === 0)
  return [...groupsOf(open, ({ from, to }) => `${unitOf(from)} ${unitOf(to)}`).values()].flatMap((own) => {
    const [first] = own
    if (first === undefined) return []
    const sum = new Quantities()
    for (const { quantities } of own) sum.addAll(quantities)
    return [
      {
        from: unitOf(first.from),
        to: unitOf(first.to),
        source: '',
        links: [],
        shipped: own,
        quantity: quantityLabel(sum.list()),
        allQuantities: writtenQuantitiesText(sum.list()),
        dates: `shipped ${datesOf(own)}`,
        share: 0,
      },
    ]
  })
}

const datesOf = (links: readonly Pick<TracedLink, 'firstDateTime' | 'lastDateTime'>[]): string =>
  datesText(links.flatMap(({ firstDateTime, lastDateTime }) => [firstDateTime, lastDateTime]))

function* arrowsOf(
  links: readonly TracedLink[],
  shippedLinks: readonly ShippedLink[],
  unitOf: (place: string) => number,
): Steps<readonly UnitArrow[]> {
  const shippedOn = groupsOf(shippedLinks, ({ from, to }) => `${from} ${to}`)
  const groups = groupsOf(links, ({ from, to, source }) => `${unitOf(from)} ${unitOf(to)} ${source}`)
  const sums = [...groups.values()].map((own) => {
    const sum = new Quantities()
    for (const { quantities } of own) sum.addAll(quantities)
    return { own, quantities: sum.list() }
  })
  const shares = sharesOf(sums.map(({ quantities }) => quantities))
  const drawn = yield* mapInSteps(sums, ({ own, quantities }, i): UnitArrow[] => {
    const [first] = own
    if (first === undefined) return []
    const shipped = own.flatMap(({ from, to }) => shippedOn.get(`${from} ${to}`) ?? [])
    const received = datesOf(own)
    return [
      {
        from: unitOf(first.from),
        to: unitOf(first.to),
        source: first.source,
        links: own,
        shipped,
        quantity: quantityLabel(quantities),
        allQuantities: writtenQuantitiesText(quantities),
        dates: shipped.length === 0 ? received : `shipped ${datesOf(shipped)}, received ${received}`,
        share: shares?.[i],
      },
    ]
  })
  return drawn.flat()
}

/** Each sum relative to the largest; undefined where there are several units. */
function sharesOf(sums: readonly (readonly QuantityByUnit[])[]): readonly number[] | undefined {
  if (new Set(sums.flat().map(({ unit }) => unitKeyOf(unit))).size > 1) return undefined
  const quantities = sums.map(([only]) => Math.max(0, only?.quantity ?? 0))
  const most = Math.max(...quantities)
  return quantities.map((quantity) => quantity / (most || 1))
}

/** The whole text, or the first unit and the number of further ones. */
function quantityLabel(quantities: readonly QuantityByUnit[]): string {
  const whole = quantitiesText(quantities)
  const size = labelSize * boldness
  if (textWidth(whole, size) <= labelWidthMax) return whole
  const others = quantities.length - 1
  const more = others > 0 ? `, ${pluralize(others, 'unit')} more` : ''
  return cut(quantitiesText(quantities.slice(0, 1)), size, labelWidthMax - textWidth(more, size)) + more
}

/** The first and last date as written: `2026-03-06`, `2026-03-06 – 03-09`. */
export function datesText(dateTimes: readonly string[]): string {
  const dates = dateTimes.map((text) => text.slice(0, 10)).sort()
  const [first = ''] = dates
  const last = dates.at(-1) ?? first
  if (first === last) return first
  return `${first} – ${last.slice(0, 4) === first.slice(0, 4) ? last.slice(5) : last}`
}
