// A layout: which table a sheet holds, and the meaning of its columns. Recognised by the headings.

import { type EventKindName, eventKindNames, eventKinds, ofEventKinds } from '../contract/record-kinds.ts'
import { isGiven } from '../contract/shape/field.ts'
import type { Conversion } from './conversions.ts'
import { documentColumns } from './document-columns.ts'
import { kindOfDate } from './heading-meanings.ts'
import { headingWords } from './heading-words.ts'
import {
  type Column,
  dateHeading,
  eventKindOf,
  eventTables,
  locationTable,
  productTable,
  reasonHeadings,
  type Table,
} from './template.ts'

/**
 * The meaning of one column of a sheet: a column of our template, or text that is split into
 * several.
 */
export type Meaning =
  | { readonly column: string /** Columns that get the same text. */; readonly also?: readonly string[] }
  | {
      readonly read: (text: string) => Readonly<Record<string, string>>
      /** The changes of the reader, for the report. */
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
  /** Decisions and omissions for the whole sheet, for the report. */
  readonly note?: string
}

/**
 * The heading without irrelevant parts: hints below a blank line, case, spaces, punctuation and
 * citations.
 */
const headingKey = (heading: string): string =>
  (heading.split(/\n\s*\n/)[0] ?? '')
    .replaceAll(/(?:\([ab]\))?\(\d\)/g, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}&.]/gu, '')

const reasonKeys = Object.values(reasonHeadings).map(headingKey)

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
const eventMarks = ['vendorItemCode', 'shipQuantity'] as const

const eventLayouts = ofEventKinds((kind) => ofTable(eventTables[kind], eventMarks))
export const ownLayouts: readonly Layout[] = [
  ...Object.values(eventLayouts),
  ofTable(locationTable, ['locationCode', 'locationName']),
  ofTable(productTable, ['itemCode', 'itemDescription']),
]

/** A column mapping as it is saved. */
export interface Mapping {
  /** Name of its file, for messages. */
  readonly name?: string
  /** Kind of the events in sheets whose headings fit both kinds. */
  readonly kind?: EventKindName | undefined
  /** Heading of the file to column of the template; null leaves the column out. */
  readonly columns: Readonly<Record<string, string | null>>
}

/** Evidence for the kind of events besides the headings of a sheet. */
export interface SheetContext {
  /** Name of the sheet; empty in CSV. */
  readonly sheet: string
  readonly mapping: Mapping | undefined
  /** The kind that was chosen for the import. */
  readonly kind: EventKindName | undefined
  /** Values of columns that the sheet lacks. */
  readonly defaults: Readonly<Record<string, string>>
}

/** The meanings of the columns of a sheet, or the unknown headings. */
export interface Recognition {
  readonly layout: Layout
  /** Names of the columns (`titlesOf`). */
  readonly titles: readonly string[]
  /** The meaning of each column; undefined without a heading. */
  readonly meanings: readonly (Meaning | undefined)[]
  /** Places of columns that are not known. */
  readonly unknown: readonly number[]
  /** Columns that mean the same, as a sentence. */
  readonly repeated: readonly Repeated[]
  /** The mapping of a column, by its place. */
  readonly mapped: ReadonlyMap<number, string | null>
  /** True when the sheet does not say which kind of events it has. */
  readonly isOpen: boolean
}

/** Two columns of one meaning. */
interface Repeated {
  readonly first: number
  readonly second: number
  /** The column of the template, where the meaning is one. */
  readonly column: string | undefined
  readonly text: string
}

const columnNames = (table: Table): ReadonlyMap<string, string> =>
  new Map(
    [...table.columns, ...(eventKindOf(table) === undefined ? [] : documentColumns)].flatMap(({ name, heading }) =>
      [name, heading].map((one) => [headingKey(one), name]),
    ),
  )

/** Names of sheets that show the kind of their events; the first is that of the template. */
const sheetNames = ofEventKinds((kind) =>
  [eventTables[kind].name, ...eventKinds[kind].sheetNames].map((name) => headingKey(name)),
)

/** Headings that only one kind has: those of receiving events are in the contract's words. */
const ownKeys = ofEventKinds((kind) => ({
  reason: headingKey(reasonHeadings[kind]),
  date: headingKey(dateHeading(eventKinds[kind])),
}))

/** The kind that a sheet with our columns states. */
function kindSaid(headings: readonly Heading[], { sheet, mapping }: SheetContext): EventKindName | undefined {
  const titles = headings.map(({ title }) => title)
  const keys = headings.map(({ key }) => key)
  const named = headings.map(({ named }) => named)
  const own = eventKindNames.find(
    (kind) => kind !== 'receivingEvent' && (keys.includes(ownKeys[kind].reason) || named.includes(ownKeys[kind].date)),
  )
  if (own !== undefined) return own
  const byName = eventKindNames.find((kind) => sheetNames[kind].includes(headingKey(sheet)))
  if (byName !== undefined) return byName
  const dates = titles.filter((title, at) => title !== '' && named[at] === headingKey('eventDateTime'))
  const [kind, ...others] = dates.map((title) => kindOfDate(headingWords(title)))
  return mapping?.kind ?? (others.every((other) => other === kind) ? kind : undefined)
}

/** The layout with these headings, and the meaning of each; undefined without one. */
export function recogniseLayout(
  headings: readonly (string | undefined)[],
  layouts: readonly Layout[],
  context: SheetContext,
): Recognition | undefined {
  const read = readHeadings(headings, context.mapping)
  const named = read.map(({ named }) => named)
  const isOurs = read.every(({ mapped }) => typeof mapped !== 'string')
  const has = ({ foreign }: Layout, mark: string) =>
    named.includes(headingKey(mark)) ||
    (!foreign && (isGiven(context.defaults[mark]) || (!isOurs && hasReplacement(mark, named))))
  const score = (layout: Layout) => {
    const known = new Set(Object.keys(layout.headings).map(headingKey))
    if (!layout.marks.every((mark) => has(layout, mark))) return 0
    return named.filter((key) => key !== undefined && known.has(key)).length
  }
  const [layout] = [...layouts].sort((a, b) => score(b) - score(a))
  if (layout === undefined || score(layout) === 0) return undefined
  if (layout.foreign) return { ...understood(layout, read), isOpen: false }
  const isEvents = eventKindOf(layout.table) !== undefined
  const said = isEvents ? kindSaid(read, context) : undefined
  const own = isEvents ? eventLayouts[said ?? context.kind ?? 'receivingEvent'] : layout
  const recognition = understood(own, read)
  if (isOurs) return { ...recognition, isOpen: false }
  // The sheet of another program is read like those of FDA and PTI: it lacks codes and times of
  // day.
  const theirs = { ...own, name: `${own.table.kind.nouns}, by the mapping`, foreign: true }
  return { ...recognition, layout: theirs, isOpen: isEvents && said === undefined }
}

/** Columns that give the value of one that another program's sheet lacks (`eventFallbacks`). */
export const replacements: Readonly<Record<string, readonly string[]>> = {
  dataProviderVendorId: ['dataProviderVendorName'],
  purchaseOrderNumber: ['referenceDocumentNumber'],
  shipFromLocationCode: ['shipFrom.locationName', 'shipFrom.gln'],
  shipToLocationCode: ['shipTo.locationName', 'shipTo.gln'],
  vendorItemCode: ['caseGtin', 'vendorItemDescription', 'product.itemDescription'],
}

const hasReplacement = (mark: string, named: readonly (string | undefined)[]): boolean =>
  (replacements[mark] ?? []).some((name) => named.includes(headingKey(name)))

/** A heading in its place. */
interface Heading {
  /** It and no other column of the sheet; empty without a heading. */
  readonly title: string
  readonly key: string | undefined
  /** The key of the column that the mapping names, else its own. */
  readonly named: string | undefined
  /** Its mapping; undefined without one. */
  readonly mapped: string | null | undefined
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
    if (key === undefined) return { title, key, named: key, mapped: undefined }
    const entry = columns.has(title) || !onlyHeadings.has(key) ? title : (inOtherSpelling.get(key) ?? title)
    const mapped = columns.get(entry)
    return { title, key, named: typeof mapped === 'string' ? headingKey(mapped) : key, mapped }
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
  const unknown: number[] = []
  const repeated: Repeated[] = []
  const own = new Map(Object.entries(layout.headings).map(([heading, meaning]) => [headingKey(heading), meaning]))
  const columns = columnNames(layout.table)
  const seen = new Map<string, number>()
  const meanings = headings.map(({ named, mapped }, at): Meaning | undefined => {
    if (named === undefined) return undefined
    if (mapped === null || reasonKeys.includes(named)) return 'ignored'
    const column = columns.get(named)
    const meaning = own.get(named) ?? (column === undefined ? undefined : { column })
    if (meaning === undefined) {
      unknown.push(at)
      return undefined
    }
    // In a sheet of another program, a column of ours may be more exact than another.
    const means = layout.foreign || column === undefined ? named : column
    const first = seen.get(means)
    if (first === undefined) seen.set(means, at)
    else repeated.push({ first, second: at, column, text: repeats(headings, first, at) })
    return meaning
  })
  const mapped = new Map(headings.flatMap(({ mapped }, at) => (mapped === undefined ? [] : [[at, mapped]])))
  return { layout, titles: headings.map(({ title }) => title), meanings, unknown, repeated, mapped }
}

function repeats(headings: readonly Heading[], before: number, at: number): string {
  const [first, second] = [headings[before], headings[at]]
  const places = `in columns ${before + 1} and ${at + 1}`
  const remedy = 'Map one of them to another column, or to null to leave it out.'
  return first?.key === second?.key
    ? `The heading "${first?.title}" occurs twice, ${places}. ${remedy}`
    : `The headings "${first?.title}" and "${second?.title}" ${places} mean the same. ${remedy}`
}

/** A heading as it is written in a sentence. */
export const oneLine = (heading: string): string => (heading.split(/\n\s*\n/)[0] ?? '').replaceAll(/\s+/g, ' ').trim()

/** Headings of a row that a mapping names. */
export const mappedIn = (headings: readonly (string | undefined)[], mapping: Mapping | undefined): number =>
  readHeadings(headings, mapping).filter(({ mapped }) => mapped !== undefined).length

const eventColumns: ReadonlySet<string> = new Set(
  Object.values(eventTables).flatMap((table) => [...columnNames(table).keys()]),
)

/** True where at least half of the headings are of our templates of events. */
export function isMostlyOurs(headings: readonly (string | undefined)[]): boolean {
  const keys = headings.flatMap((heading) => headingKey(heading ?? '') || [])
  return keys.length > 0 && keys.filter((key) => eventColumns.has(key)).length * 2 >= keys.length
}

/** Columns that a sheet of events lacks under this mapping, and without which it cannot be read. */
export const lackingIn = (
  headings: readonly (string | undefined)[],
  mapping: Mapping | undefined,
  defaults: SheetContext['defaults'],
): readonly string[] => {
  const named = readHeadings(headings, mapping).map(({ named }) => named)
  const isReplaced = (mark: string) => mapping !== undefined && hasReplacement(mark, named)
  return eventMarks.filter((mark) => !named.includes(headingKey(mark)) && !isGiven(defaults[mark]) && !isReplaced(mark))
}

/** The column of a table that has this name or heading. */
export const columnNamed = (table: Table): ((name: string) => Column | undefined) => {
  const byName = new Map(table.columns.flatMap((column) => [column.name, column.heading].map((name) => [name, column])))
  return (name) => byName.get(name)
}

/**
 * The heading of each column of the template that a sheet has, by its part and fields with slashes
 * between: where a blank cell was to be filled.
 */
export function headingsByField(
  { layout, meanings }: Pick<Recognition, 'layout' | 'meanings'>,
  headings: readonly string[],
): ReadonlyMap<string, string> {
  const columnOf = columnNamed(layout.table)
  return new Map(
    meanings.flatMap((meaning, at) => {
      const column = typeof meaning === 'object' && 'column' in meaning ? columnOf(meaning.column) : undefined
      const heading = headings[at]
      return column === undefined || heading === undefined
        ? []
        : [[`${column.part}/${column.path.join('/')}`, heading] as const]
    }),
  )
}
