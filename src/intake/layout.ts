// A layout: which table a sheet holds, and what its columns mean. Recognised by the headings.
import { distance } from '../contract/name-distance.ts'
import { type EventKindName, eventKindNames } from '../contract/record-kinds.ts'
import type { Conversion } from './conversions.ts'
import {
  type Column,
  eventKindOf,
  eventTables,
  locationTable,
  productTable,
  reasonHeading,
  receivingTable,
  shippedHeading,
  shippingReasonHeading,
  shippingTable,
  type Table,
} from './template.ts'

/**
 * What one column of a sheet means: a column of our template, or text that is split into several.
 */
export type Meaning =
  | { readonly column: string /** Columns that get the same text. */; readonly also?: readonly string[] }
  | {
      readonly read: (text: string) => Readonly<Record<string, string>>
      /** What the reading changed, for the report. */
      readonly tell?: (text: string) => Conversion | undefined
    }
  | 'ignored'

export interface Layout {
  /** Its name in the report. */
  readonly name: string
  readonly table: Table
  /** By heading as its program writes it. */
  readonly headings: Readonly<Record<string, Meaning>>
  /** A sheet has this layout only with these headings. */
  readonly marks: readonly string[]
  /**
   * True for layouts of other organisations. They have no codes, so names replace them, and `n/a`
   * is blank.
   */
  readonly foreign: boolean
  /** What is decided or left out for the whole sheet, for the report. */
  readonly note?: string
}

/**
 * The heading without what makes no difference: hints below a blank line, case, spaces, punctuation
 * and citations.
 */
const headingKey = (heading: string): string =>
  (heading.split(/\n\s*\n/)[0] ?? '')
    .replaceAll(/(?:\([ab]\))?\(\d\)/g, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}&.]/gu, '')

const reasonKeys = [reasonHeading, shippingReasonHeading].map(headingKey)

/** True for the heading of the column of reasons, in any spelling. */
export const isReasonHeading = (heading: string): boolean => reasonKeys.includes(headingKey(heading))

const ofTable = (table: Table, marks: readonly string[]): Layout => ({
  name: `our template of ${table.kind.nouns}`,
  table,
  headings: Object.fromEntries(
    table.columns.flatMap(({ name, heading }) => [name, heading].map((one) => [one, { column: name }])),
  ),
  marks,
  foreign: false,
})

/** Columns that identify a sheet of events. */
export const eventMarks = ['vendorItemCode', 'shipQuantity'] as const

const eventLayouts: Readonly<Record<EventKindName, Layout>> = {
  receivingEvent: ofTable(receivingTable, eventMarks),
  shippingEvent: ofTable(shippingTable, eventMarks),
}
export const ownLayouts: readonly Layout[] = [
  ...Object.values(eventLayouts),
  ofTable(locationTable, ['locationCode', 'locationName']),
  ofTable(productTable, ['itemCode', 'itemDescription']),
]

/** A column mapping as it is saved. */
export interface Mapping {
  /** Kind of the events in sheets whose headings fit both kinds. */
  readonly kind?: EventKindName | undefined
  /** Heading of the file to column of the template; null leaves the column out. */
  readonly columns: Readonly<Record<string, string | null>>
}

/** What decides on the kind of events besides the headings of a sheet. */
export interface SheetContext {
  /** Name of the sheet; empty in CSV. */
  readonly sheet: string
  readonly mapping: Mapping | undefined
  /** The kind that was chosen for the import. */
  readonly kind: EventKindName | undefined
}

/** The meanings of the columns of a sheet, or what is not understood. */
export interface Recognition {
  readonly layout: Layout
  /** The meaning of each column; undefined without a heading. */
  readonly meanings: readonly (Meaning | undefined)[]
  readonly problems: readonly string[]
  /** A suggested mapping of the headings that are not understood. */
  readonly suggestion: Readonly<Record<string, string | null>>
  /** True when the sheet does not say which kind of events it has. */
  readonly isOpen: boolean
}

const columnNames = (table: Table): ReadonlyMap<string, string> =>
  new Map(table.columns.flatMap(({ name, heading }) => [name, heading].map((one) => [headingKey(one), name])))

/** Headings of the date that tell the kind of the events. */
const shippedWords = [
  ...['shipdate', 'shipdatetime', 'shipped', 'shippedat', 'shippedon', 'shippeddate', 'shippeddatetime'],
  ...['dateshipped', 'datetimeshipped', 'shippingdate', 'shipmentdate', 'dispatchdate', 'dispatched'],
]
const receivedWords = [
  ...['receivedate', 'received', 'receivedat', 'receivedon', 'receiveddate', 'receiveddatetime'],
  ...['datereceived', 'datetimereceived', 'receivingdate', 'receiptdate', 'deliverydate'],
]

const kindOfDates = (keys: readonly (string | undefined)[]): EventKindName | undefined => {
  const has = (words: readonly string[]) => keys.some((key) => key !== undefined && words.includes(key))
  const [isShipped, isReceived] = [has(shippedWords), has(receivedWords)]
  return isShipped === isReceived ? undefined : isShipped ? 'shippingEvent' : 'receivingEvent'
}

/** The kind of events that headings suggest, which someone has to confirm. */
export const suggestKind = (headings: readonly (string | undefined)[]): EventKindName | undefined =>
  kindOfDates(headings.map((heading) => (heading === undefined ? undefined : headingKey(heading))))

/** Names of sheets that tell the kind of their events; the first is that of the template. */
const sheetNames: Readonly<Record<EventKindName, readonly string[]>> = {
  receivingEvent: ['receivingevents', 'receiving', 'received', 'receipts'],
  shippingEvent: ['shippingevents', 'shipping', 'shipped', 'shipments'],
}

/** The kind that a sheet with our columns says it has. */
function kindSaid(
  keys: readonly (string | undefined)[],
  named: readonly (string | undefined)[],
  { sheet, mapping }: SheetContext,
): EventKindName | undefined {
  if (keys.includes(headingKey(shippingReasonHeading)) || named.includes(headingKey(shippedHeading)))
    return 'shippingEvent'
  const byName = eventKindNames.find((kind) => sheetNames[kind].includes(headingKey(sheet)))
  if (byName !== undefined) return byName
  return mapping?.kind ?? kindOfDates(keys.filter((_, at) => named[at] === 'eventdatetime'))
}

/** The layout with these headings, and what each means; undefined when there is none. */
export function recogniseLayout(
  headings: readonly (string | undefined)[],
  layouts: readonly Layout[],
  context: SheetContext,
): Recognition | undefined {
  const read = readHeadings(headings, context.mapping)
  const named = read.map(({ named }) => named)
  const score = (layout: Layout) => {
    const known = new Set(Object.keys(layout.headings).map(headingKey))
    if (!layout.marks.every((mark) => named.includes(headingKey(mark)))) return 0
    return named.filter((key) => key !== undefined && known.has(key)).length
  }
  const [layout] = [...layouts].sort((a, b) => score(b) - score(a))
  if (layout === undefined || score(layout) === 0) return undefined
  if (layout.foreign || eventKindOf(layout.table) === undefined) return { ...understood(layout, read), isOpen: false }
  const said = kindSaid(
    read.map(({ key }) => key),
    named,
    context,
  )
  const own = eventLayouts[said ?? context.kind ?? 'receivingEvent']
  return { ...understood(own, read), isOpen: said === undefined }
}

/** A heading in its place. */
interface Heading {
  /** It and no other column of the sheet; empty without a heading. */
  readonly title: string
  readonly key: string | undefined
  /** The key of the column that the mapping names, else its own. */
  readonly named: string | undefined
  readonly isLeftOut: boolean
}

function readHeadings(headings: readonly (string | undefined)[], mapping: Mapping | undefined): readonly Heading[] {
  const titles = titlesOf(headings)
  const keys = headings.map((heading) =>
    heading === undefined || heading.trim() === '' ? undefined : headingKey(heading),
  )
  const columns = new Map(Object.entries(mapping?.columns ?? {}))
  const inOtherSpelling = onlyOnes([...columns.keys()].map((heading) => [headingKey(heading), heading] as const))
  const onlyHeadings = onlyOnes(keys.map((key, at) => [key ?? '', titles[at] ?? ''] as const))
  return titles.map((title, at) => {
    const key = keys[at]
    if (key === undefined) return { title, key, named: key, isLeftOut: false }
    const mapped = columns.has(title) || !onlyHeadings.has(key) ? title : (inOtherSpelling.get(key) ?? title)
    const column = columns.get(mapped)
    return { title, key, named: typeof column === 'string' ? headingKey(column) : key, isLeftOut: column === null }
  })
}

/** The entries whose key occurs once. */
function onlyOnes(entries: readonly (readonly [key: string, value: string])[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>()
  for (const [key] of entries) counts.set(key, (counts.get(key) ?? 0) + 1)
  return new Map(entries.filter(([key]) => counts.get(key) === 1))
}

/**
 * The headings, each on one line. Of columns with one heading, the second is called "Lot (2)", so
 * that a mapping and a report can name each.
 */
export function titlesOf(headings: readonly (string | undefined)[]): readonly string[] {
  const taken = new Set(headings.map((heading) => oneLine(heading ?? '')))
  const seen = new Set<string>()
  return headings.map((heading) => {
    const title = oneLine(heading ?? '')
    if (title === '' || !seen.has(title)) {
      seen.add(title)
      return title
    }
    let number = 2
    while (taken.has(`${title} (${number})`)) number++
    taken.add(`${title} (${number})`)
    return `${title} (${number})`
  })
}

function understood(layout: Layout, headings: readonly Heading[]): Omit<Recognition, 'isOpen'> {
  const problems: string[] = []
  const suggestion = new Map<string, string | null>()
  const own = new Map(Object.entries(layout.headings).map(([heading, meaning]) => [headingKey(heading), meaning]))
  const columns = columnNames(layout.table)
  const seen = new Map<string, number>()
  const meanings = headings.map(({ title, named, isLeftOut }, at): Meaning | undefined => {
    if (named === undefined) return undefined
    if (isLeftOut || reasonKeys.includes(named)) return 'ignored'
    const column = columns.get(named)
    const meaning = own.get(named) ?? (column === undefined ? undefined : { column })
    if (meaning === undefined) {
      const near = nearest(named, columns)
      suggestion.set(title, near ?? null)
      problems.push(
        `The column "${title}" is not known${near === undefined ? '' : `; perhaps it is ${near}`}. Map it to a column, or to null to leave it out. A sheet with unknown columns is not imported.`,
      )
      return undefined
    }
    // In a sheet of others, a column of ours may say more exactly what another says.
    const means = layout.foreign || column === undefined ? named : column
    const before = seen.get(means)
    if (before === undefined) seen.set(means, at)
    else {
      const first = headings[before]
      problems.push(repeats(first, before, headings[at], at))
      if (first !== undefined && column !== undefined) suggestion.set(first.title, column)
      suggestion.set(title, null)
    }
    return meaning
  })
  return { layout, meanings, problems, suggestion: Object.fromEntries(suggestion) }
}

function repeats(first: Heading | undefined, before: number, second: Heading | undefined, at: number): string {
  const places = `in columns ${before + 1} and ${at + 1}`
  const remedy = 'Map one of them to another column, or to null to leave it out.'
  return first?.key === second?.key
    ? `The heading "${first?.title}" occurs twice, ${places}. ${remedy}`
    : `The headings "${first?.title}" and "${second?.title}" ${places} mean the same. ${remedy}`
}

/** A heading as it is written in a sentence. */
export const oneLine = (heading: string): string => (heading.split(/\n\s*\n/)[0] ?? '').replaceAll(/\s+/g, ' ').trim()

/** A suggested mapping for headings of no known layout. */
export function suggestMapping(headings: readonly (string | undefined)[]): Readonly<Record<string, string | null>> {
  const columns = columnNames(eventTables.receivingEvent)
  return Object.fromEntries(
    titlesOf(headings).flatMap((title, at) => {
      if (title === '') return []
      const key = headingKey(headings[at] ?? '')
      return [[title, columns.get(key) ?? nearest(key, columns) ?? null]]
    }),
  )
}

/** Common names of fields other than their wire names. */
const otherNames: Readonly<Record<string, string>> = {
  lot: 'caseLotNumber',
  lotcode: 'caseLotNumber',
  lotnumber: 'caseLotNumber',
  tlc: 'caseLotNumber',
  traceabilitylotcode: 'caseLotNumber',
  batch: 'caseLotNumber',
  gtin: 'caseGtin',
  casegtin14: 'caseGtin',
  sscc: 'palletId',
  sscc18: 'palletId',
  quantity: 'shipQuantity',
  qty: 'shipQuantity',
  uom: 'shipQuantityUom',
  unitofmeasure: 'shipQuantityUom',
  item: 'vendorItemCode',
  itemcode: 'vendorItemCode',
  itemnumber: 'vendorItemCode',
  sku: 'vendorItemCode',
  description: 'vendorItemDescription',
  productdescription: 'vendorItemDescription',
  po: 'purchaseOrderNumber',
  ponumber: 'purchaseOrderNumber',
  po_number: 'purchaseOrderNumber',
  bol: 'billOfLadingNumber',
  bolnumber: 'billOfLadingNumber',
  asn: 'asnNumber',
  vendor: 'dataProviderVendorId',
  vendorid: 'dataProviderVendorId',
  vendorname: 'dataProviderVendorName',
  shipfrom: 'shipFromLocationCode',
  shipto: 'shipToLocationCode',
  shippedfrom: 'shipFromLocationCode',
  shippedto: 'shipToLocationCode',
  recipient: 'shipToLocationCode',
  consignee: 'shipToLocationCode',
  ...Object.fromEntries([...receivedWords, ...shippedWords].map((word) => [word, 'eventDateTime'])),
  harvested: 'harvestDate',
  packdate: 'packagingDate',
  usebydate: 'expirationDate',
  expiry: 'expirationDate',
}

/**
 * A column with a similar name: another common name, or one in which at most a third of the letters
 * differ.
 */
function nearest(key: string, columns: ReadonlyMap<string, string>): string | undefined {
  const other = otherNames[key]
  if (other !== undefined && columns.has(headingKey(other))) return other
  let best: string | undefined
  let bestDistance = Math.floor(Math.min(key.length, 60) / 3) + 1
  for (const [known, name] of columns) {
    const apart = distance(key.slice(0, 60), known, bestDistance)
    if (apart < bestDistance) [best, bestDistance] = [name, apart]
  }
  return best
}

/** The column of a table that has this name or heading. */
export const columnNamed = (table: Table): ((name: string) => Column | undefined) => {
  const byName = new Map(table.columns.flatMap((column) => [column.name, column.heading].map((name) => [name, column])))
  return (name) => byName.get(name)
}
