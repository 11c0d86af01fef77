// Our own template, declared once: a table of product lines for each kind of event, one of
// locations, one of products. Columns have the wire names of the fields and are derived from the
// contract. Reading, the template file, its help and the reference use it. Source: §2.2 to §2.5;
// decision 0080.

import { Location, MasterLocation } from '../contract/location.ts'
import { payloadEnvelope } from '../contract/payload-envelope.ts'
import { MasterProduct, Product } from '../contract/product.ts'
import {
  allPlaceFieldsOf,
  type EventKind,
  type EventKindName,
  eventKinds,
  isEventKind,
  linePlacesOf,
  location,
  masterProduct,
  ofEventKinds,
  placePartOf,
  type RecordKind,
  receivingEvent,
  shippingEvent,
} from '../contract/record-kinds.ts'
import type { Shape } from '../contract/shape/field.ts'
import { capitalize } from '../contract/text/capitalize.ts'

/**
 * Which object of a payload a column fills: `payload`, `event`, `line`, `product`, a location such
 * as `shipFrom`, or a further list of lines such as `ingredientList`, whose product is
 * `ingredientList.product`. A location or product table has only `record`.
 */
export type Part = string

/** The parts of a payload that a row fills; those of other kinds of events are empty. */
export interface Parts {
  readonly payload: Record<string, unknown>
  readonly event: Record<string, unknown>
  readonly line: Record<string, unknown>
  readonly product: Record<string, unknown>
  readonly record: Record<string, unknown>
  readonly [part: Part]: Record<string, unknown>
}

type Form = 'text' | 'number' | 'boolean' | 'date' | 'dateTime' | 'list' | 'pairs'

export interface Column {
  /** Wire name, with the part before it where two parts have a field of this name. */
  readonly name: string
  /** In the template: the name, unless it shows the kind of the event. */
  readonly heading: string
  readonly part: Part
  /** Field in that part, and field in that field. */
  readonly path: readonly [string] | readonly [string, string]
  readonly form: Form
  readonly required: boolean
  readonly meaning: string
  readonly example: string
  /** Section of the contract. */
  readonly section: string
}

export interface Table {
  /** Name of its sheet. */
  readonly name: string
  /** The records that its rows become. */
  readonly kind: RecordKind
  readonly columns: readonly Column[]
}

const formOf = (field: Shape): Form => {
  if (field.type === 'array') return field.items?.type === 'array' ? 'pairs' : 'list'
  if (field.type === 'number' || field.type === 'boolean') return field.type
  return field['x-form'] ?? 'text'
}

/**
 * A list in one cell: latitude and longitude separated by a semicolon, corners of a fence by a bar.
 */
const inOneCell = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(inOneCell).join(Array.isArray(value[0]) ? ' | ' : '; ')
    : value === undefined
      ? ''
      : String(value)

function columnsOf(
  properties: object,
  part: Part,
  nameOf: (path: string) => string,
  {
    leaveOut = [],
    required = [],
  }: { readonly leaveOut?: readonly string[]; readonly required?: readonly string[] } = {},
): readonly Column[] {
  return Object.entries(properties as Readonly<Record<string, Shape>>).flatMap(([field, says]) => {
    if (leaveOut.includes(field)) return []
    const column = (path: Column['path'], inner: Shape): Column => ({
      name: nameOf(path.join('.')),
      heading: nameOf(path.join('.')),
      part,
      path,
      form: formOf(inner),
      required: path.length === 1 && required.includes(field),
      meaning: inner.description ?? '',
      example: inOneCell(inner.examples?.[0]),
      section: inner['x-section'] ?? '',
    })
    if (says.type === 'object')
      return Object.entries(says.properties ?? {}).map(([name, inner]) => column([field, name], inner))
    return [column([field], says)]
  })
}

const own = (path: string): string => path
const withPrefix = (part: string) => (path: string) => `${part}.${path}`

/** The part with the product of a line of a further list. */
export const productPartOf = (list: string): Part => `${list}.product`

/** Parts with the locations of an event. */
export const placePartsOf = ofEventKinds((kind) => allPlaceFieldsOf(eventKinds[kind]).map(placePartOf))

/** Parts with the locations that the lines of a list name. */
export const linePlacePartsOf = ofEventKinds((kind) =>
  linePlacesOf(eventKinds[kind]).map(({ list, field }) => ({ list, field, part: placePartOf(field) })),
)

/** Lists of lines beside the product lines, each of which is a part. */
export const furtherListsOf = ofEventKinds((kind) =>
  Object.keys(eventKinds[kind].lists).filter((list) => list !== 'productList'),
)

/**
 * One row per line. The event and the line have the codes of locations and items, so the columns of
 * a location or product leave them out. A line and its event may share the name of a field; the
 * column of the line has the name of its list then.
 */
function eventColumns({ name, lists, payload }: EventKind): readonly Column[] {
  const { properties = {}, required = [] } = payload.properties.eventList as Shape
  const lineOf = (list: string): Shape => properties[list]?.items ?? {}
  const lineName = (path: string): string => (path in properties ? `productList.${path}` : path)
  const { properties: line = {}, required: ofLine = [] } = lineOf('productList')
  return [
    ...columnsOf(properties, 'event', own, { leaveOut: Object.keys(lists), required }),
    // A row may have a line of another list alone.
    ...columnsOf(line, 'line', lineName, { required: furtherListsOf[name].length === 0 ? ofLine : [] }),
    ...furtherListsOf[name].flatMap((list) => [
      ...columnsOf(lineOf(list).properties ?? {}, list, withPrefix(list)),
      ...(lists[list]?.hasItems === false
        ? []
        : columnsOf(Product.properties, productPartOf(list), withPrefix(productPartOf(list)), {
            leaveOut: ['itemCode'],
          })),
    ]),
    ...placePartsOf[name].flatMap((part) => placeColumns(part, Location.required)),
    ...linePlacePartsOf[name].flatMap(({ part }) => placeColumns(part)),
    ...columnsOf(Product.properties, 'product', withPrefix('product'), { leaveOut: ['itemCode'] }),
    ...columnsOf(payloadEnvelope, 'payload', own),
  ]
}

const placeColumns = (part: string, required: readonly string[] = []): readonly Column[] =>
  columnsOf(Location.properties, part, withPrefix(part), { leaveOut: ['locationCode'], required })

/**
 * Heading of `eventDateTime`. Of a kind other than receiving events it has a name of its own: all
 * other headings are alike, so it shows the kind wherever a sheet is copied to.
 */
export const dateHeading = ({ name, happened }: EventKind): string =>
  name === receivingEvent.name ? 'eventDateTime' : `${happened}DateTime`

const eventTable = (kind: EventKind): Table => ({
  name: capitalize(kind.nouns),
  kind,
  columns: eventColumns(kind).map((column) =>
    column.name === 'eventDateTime' ? { ...column, heading: dateHeading(kind) } : column,
  ),
})

export const eventTables = ofEventKinds((kind) => eventTable(eventKinds[kind]))
export const { receivingEvent: receivingTable, shippingEvent: shippingTable } = eventTables
export const shippedHeading = dateHeading(shippingEvent)

export const locationTable: Table = {
  name: 'Locations',
  kind: location,
  columns: columnsOf(MasterLocation.properties, 'record', own, MasterLocation),
}

export const productTable: Table = {
  name: 'Products',
  kind: masterProduct,
  columns: columnsOf(MasterProduct.properties, 'record', own, MasterProduct),
}

export const tables: readonly Table[] = [...Object.values(eventTables), locationTable, productTable]

/** The kind of event of a table; undefined for locations and products. */
export const eventKindOf = ({ kind }: Table): EventKindName | undefined =>
  isEventKind(kind.name) ? kind.name : undefined

/** Headings of the sheet of the template that explains the columns of the others. */
export const helpHeadings = ['Sheet', 'Column', 'Required', 'Form', 'Meaning', 'Example', 'Contract'] as const

/**
 * Heading of the column with the reason in a file of rejected rows; ignored when the file is
 * imported.
 */
export const reasonHeading = 'Lotkeeper: why not imported'
/** The same of each kind of event, so that the file of rejected rows shows its kind. */
export const reasonHeadings = ofEventKinds((kind) =>
  kind === receivingEvent.name ? reasonHeading : `Lotkeeper: why this ${eventKinds[kind].noun} was not imported`,
)

/** The cell of a payload's value, which reading a row turns back into the value. */
export const cellTextOf = (column: Column, part: Readonly<Record<string, unknown>> | undefined): string => {
  const [field, inner] = column.path
  const value = part?.[field]
  return inOneCell(inner === undefined ? value : (value as Record<string, unknown> | undefined)?.[inner])
}
