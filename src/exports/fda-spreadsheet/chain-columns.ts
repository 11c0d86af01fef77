// Columns of the kinds of event that declare their key data elements: each column is one of these
// elements, whose paragraph it has. Source: 21 CFR 1.1325 to 1.1350; decisions 0029, 0090.
import { coolingEvent } from '../../contract/events/cooling-event.ts'
import { documentPairNames } from '../../contract/events/event-fields.ts'
import { firstLandBasedReceivingEvent } from '../../contract/events/first-land-based-receiving-event.ts'
import { harvestingEvent } from '../../contract/events/harvesting-event.ts'
import { transformationEvent } from '../../contract/events/transformation-event.ts'
import type { ExemptionReason } from '../../contract/exempt-place.ts'
import type { EventKind, KeyDataElement } from '../../contract/record-kinds.ts'
import {
  type DeclaredColumn,
  dateColumn,
  documentColumns,
  eventPlace,
  lotCodeColumn,
  productColumns,
  quantityColumns,
  referenceColumn,
  unpackedColumns,
  type Value,
} from './event-columns.ts'
import type { EventLine } from './event-lines.ts'
import { textIfGiven } from './places.ts'

type Is = KeyDataElement['is']

/** The columns of the elements of a kind. */
export function columnsOfElements({ elements = [], place, happened }: EventKind) {
  /** The paragraph of an element, by the field or list that it is about. */
  const paragraphOf = (is: Is, about?: string): string => {
    const found = elements.find(
      (one) =>
        one.is === is &&
        (about === undefined ||
          ('field' in one && one.field === about) ||
          ('fields' in one && one.fields.includes(about)) ||
          (!('fields' in one) && 'list' in one && one.list === about)),
    )
    if (found === undefined) throw new Error(`The element ${is} ${about ?? ''} is not declared.`)
    return found.cites.replace('21 CFR ', '')
  }
  /** A field that is no element of its own has the paragraph of another. */
  const value = (field: string, list?: string, { width = 24, beside = field } = {}): DeclaredColumn => ({
    paragraph: elements.some((one) => 'field' in one && one.field === beside)
      ? paragraphOf('location', beside)
      : paragraphOf('value', beside),
    ...(list !== undefined && { list }),
    from: field,
    ...(beside === field && { gaps: [`event/${list === undefined ? '' : 'line-'}element-stated ${field}`] }),
    width,
    cell: ({ line, event }) => shownValue((list === undefined ? event.payload.eventList : line)[field as never]),
  })
  return {
    location: (field: string, which: string) =>
      eventPlace(paragraphOf('location', field), `event/location-description ${field}`, field, which),
    /** A location that the lines of a list name. */
    lineLocation: (list: string, field: string, which: string): readonly DeclaredColumn[] =>
      eventPlace(
        paragraphOf('location', field),
        [`event/location-description ${field}`, `event/line-element-stated ${field}`],
        field,
        which,
      ).map((column) => ({ ...column, list })),
    /** A shareable reference to the place that assigns the lot codes. */
    reference: () => referenceColumn(paragraphOf('location', place)),
    lotCode: (list: string) => lotCodeColumn(paragraphOf('lotCode', list), list),
    product: (list: string, has?: { readonly hasSpecies: boolean }) =>
      productColumns(paragraphOf('product', list), list, has),
    commodity: (list = 'productList') => unpackedColumns(paragraphOf('commodity', list), list),
    quantity: (list: string) => quantityColumns(paragraphOf('quantity', list), list),
    value,
    day: (field: string, list?: string, beside = field): DeclaredColumn => ({
      ...value(field, list, { width: 16, beside }),
      cell: ({ line, event }) => dayOf((list === undefined ? event.payload.eventList : line)[field as never]),
    }),
    date: () =>
      dateColumn(paragraphOf('date'), {
        from: `the calendar date of eventDateTime, when the food was ${happened}: in the time zone set for the location, otherwise as written`,
        gaps: ['event/date-given'],
      }),
    documents: () => documentColumns(paragraphOf('document'), 'event/reference-document', documentPairNames),
    paragraphOf,
  }
}

const shownValue = (value: unknown): Value =>
  Array.isArray(value) ? textIfGiven(value.join('; ')) : textIfGiven(value as string | undefined)

const dayOf = (value: unknown): Value => {
  const date = textIfGiven(value as string | undefined)
  return date === undefined ? undefined : { date }
}

function harvesting(): readonly DeclaredColumn[] {
  const { location, commodity, quantity, value, date, documents } = columnsOfElements(harvestingEvent)
  return [
    ...location('shipToLocationCode', 'ship-to location'),
    ...commodity(),
    ...quantity('productList'),
    ...location('harvestLocationCode', 'harvest location'),
    value('growingAreaName', 'productList'),
    value('containerName', 'productList'),
    date(),
    ...documents(),
  ]
}

function cooling(): readonly DeclaredColumn[] {
  const { location, commodity, quantity, date, documents } = columnsOfElements(coolingEvent)
  return [
    ...location('shipToLocationCode', 'ship-to location'),
    ...commodity(),
    ...quantity('productList'),
    ...location('coolingLocationCode', 'cooling location'),
    date(),
    ...location('harvestLocationCode', 'harvest location'),
    ...documents(),
  ]
}

function firstLandBasedReceiving(): readonly DeclaredColumn[] {
  const { location, reference, lotCode, product, quantity, value, day, date, documents, paragraphOf } =
    columnsOfElements(firstLandBasedReceivingEvent)
  return [
    lotCode('productList'),
    {
      paragraph: paragraphOf('product', 'productList'),
      list: 'productList',
      from: 'acceptableSpeciesName and scientificName of the product, separated by "; "',
      width: 28,
      cell: ({ product }) =>
        textIfGiven(
          [product.acceptableSpeciesName, product.scientificName].flatMap((one) => textIfGiven(one) ?? []).join('; '),
        ),
    },
    ...product('productList', { hasSpecies: true }),
    ...quantity('productList'),
    day('harvestStartDate'),
    day('harvestEndDate'),
    value('harvestAreaList'),
    ...location('receivingLocationCode', 'receiving location'),
    reference(),
    date(),
    ...documents(),
  ]
}

function transformation(): readonly DeclaredColumn[] {
  const { location, reference, lotCode, product, quantity, date, documents } = columnsOfElements(transformationEvent)
  return [
    lotCode('ingredientList'),
    ...product('ingredientList'),
    ...quantity('ingredientList'),
    lotCode('productList'),
    ...location('transformationLocationCode', 'transformation location'),
    reference(),
    date(),
    ...product('productList'),
    ...quantity('productList'),
    ...documents(),
  ]
}

/** A sheet of the template: its kind of event, and its columns. */
export interface DeclaredSheet {
  readonly name: string
  readonly kind: EventKind
  readonly columns: readonly DeclaredColumn[]
  /** Of a kind with several sheets, whether the line is in this one. */
  readonly takes?: (line: EventLine) => boolean
  /** Why the sources of its rows are exempt, in a sheet of exempt places. */
  readonly reasons?: readonly ExemptionReason[]
  /** True if it has no lots: it has all of its lines where any line of the event is chosen. */
  readonly hasNoLots?: boolean
}

export const chainSheets: readonly DeclaredSheet[] = [
  { name: 'Harvesting', kind: harvestingEvent, columns: harvesting() },
  { name: 'Cooling', kind: coolingEvent, columns: cooling() },
  { name: 'First Land-Based Receiving', kind: firstLandBasedReceivingEvent, columns: firstLandBasedReceiving() },
  { name: 'Transformation', kind: transformationEvent, columns: transformation() },
]
