// Proposes a column of our template for each column of another program's sheet, where heading and
// values agree: a heading that names two fields, or whose values fit none, is left to a person.

import type { EventKindName } from '../contract/record-kinds.ts'
import { readNamedDocument } from '../contract/reference-document.ts'
import { distance } from '../contract/text/name-distance.ts'
import { documentColumns } from './document-columns.ts'
import { isTypeOfEvent, isWithin, kindOfDate, type Meant, meaningsOf, placeNamed } from './heading-meanings.ts'
import { headingWords } from './heading-words.ts'
import { type Column, eventTables } from './template.ts'
import { fitsColumn } from './value-forms.ts'

/** Most rows whose values are compared: enough to recognise a form, and read in a moment. */
export const comparedRowsMax = 100

/** Why a column is proposed, or left out. */
export type MatchBasis =
  /** Heading and so many values fit. */
  | { readonly is: 'fits'; readonly values: number }
  /** The heading fits, and there are no values. */
  | { readonly is: 'empty' }
  /** The heading means this column, but this value is none of its. */
  | { readonly is: 'contradicted'; readonly column: string; readonly value: string }
  /** Another heading means the same column. */
  | { readonly is: 'contested'; readonly column: string; readonly by: string }
  /** The number of a document of unknown kind. */
  | { readonly is: 'no kind' }
  | { readonly is: 'unknown' }
  /** The mapping says so. */
  | { readonly is: 'chosen' }

export interface ColumnMatch {
  readonly column: string | null
  readonly basis: MatchBasis
}

/** A heading, and the texts below it. */
export interface ColumnValues {
  readonly title: string
  readonly values: readonly string[]
}

/** A value that does not fit is a mistake when it is rare: one among three, or one in ten. */
const misfitsMax = (count: number): number => (count < 3 ? 0 : Math.max(1, Math.floor(count / 10)))

interface Candidate extends Meant {
  readonly at: number
  readonly basis: MatchBasis
}

/**
 * A proposal for each column of a sheet of events of this kind; `taken` are columns that others of
 * the sheet are.
 */
export function matchColumns(
  columns: readonly ColumnValues[],
  kind: EventKindName,
  taken: ReadonlyMap<string, string> = new Map(),
): readonly ColumnMatch[] {
  const byName = new Map([...eventTables[kind].columns, ...documentColumns].map((column) => [column.name, column]))
  const matches: ColumnMatch[] = columns.map(() => ({ column: null, basis: { is: 'unknown' } }))
  const candidates: Candidate[] = []
  for (const [at, by] of withinOthers(columns, kind))
    matches[at] = { column: null, basis: { is: 'contested', column: by.code, by: by.title } }
  for (const [at, { title, values }] of columns.entries())
    for (const meant of title === '' || matches[at]?.basis.is === 'contested' ? [] : meantBy(title, kind)) {
      const column = byName.get(meant.column)
      if (column === undefined) continue
      const wrong = misfit(column, values, meant.form)
      if (wrong === undefined)
        candidates.push({
          ...meant,
          at,
          basis: values.length === 0 ? { is: 'empty' } : { is: 'fits', values: values.length },
        })
      else if (matches[at]?.basis.is === 'unknown')
        matches[at] = { column: null, basis: { is: 'contradicted', column: meant.column, value: wrong } }
    }
  const holders = new Map(taken)
  const isOpen = (at: number) => matches[at]?.column === null && matches[at]?.basis.is !== 'contested'
  for (const candidate of [...candidates].sort(byPreference)) {
    const { column, at, basis } = candidate
    if (matches[at]?.column !== null) continue
    const rival = candidates.find(
      (one) =>
        one.column === column &&
        one.at !== at &&
        byPreference(one, candidate) === 0 &&
        matches[one.at]?.column === null,
    )
    const by = holders.get(column) ?? (rival && columns[rival.at]?.title)
    if (by === undefined) {
      holders.set(column, columns[at]?.title ?? '')
      matches[at] = { column, basis }
    } else if (isOpen(at)) matches[at] = { column: null, basis: { is: 'contested', column, by } }
  }
  return withKinds(withoutOtherBase(withoutDoubtfulVendor(matches, columns, taken), columns), columns)
}

/** Of two headings for one column, that with values gets it, else the plainer. */
const byPreference = (a: Candidate, b: Candidate): number =>
  Number(a.basis.is === 'empty') - Number(b.basis.is === 'empty') || b.rank - a.rank

/** Columns of places that others name more exactly, and which those are. */
function withinOthers(
  columns: readonly ColumnValues[],
  kind: EventKindName,
): ReadonlyMap<number, { readonly title: string; readonly code: string }> {
  const places = columns.flatMap(({ title, values }, at) => {
    const place = values.length === 0 ? undefined : placeNamed(headingWords(title), kind)
    return place === undefined ? [] : [{ at, title, place }]
  })
  return new Map(
    places.flatMap(({ at, place }) => {
      const by = places.find((other) => isWithin(place, other.place))
      return by === undefined ? [] : [[at, { title: by.title, code: place.code }] as const]
    }),
  )
}

/** The number of headings of a row that mean something: that of a title or of values is small. */
export const meaningfulIn = (titles: readonly string[]): number =>
  titles.filter(
    (title) => title !== '' && meantBy(title, 'receivingEvent').length + meantBy(title, 'shippingEvent').length > 0,
  ).length

/** True for headings of product lines: a quantity, and a lot code or the time of an event. */
export function meansEvents(titles: readonly string[]): boolean {
  const meant = titles.flatMap((title) =>
    title === '' ? [] : [...meantBy(title, 'receivingEvent'), ...meantBy(title, 'shippingEvent')],
  )
  const has = (name: string) => meant.some(({ column }) => column === name)
  return has('shipQuantity') && (has('caseLotNumber') || has('eventDateTime'))
}

/** The kind of events that the sheet of another program suggests, for a person to confirm. */
export function suggestKind(columns: readonly ColumnValues[], sheet: string): EventKindName | undefined {
  const types = columns.filter(({ title }) => isTypeOfEvent(headingWords(title))).flatMap(({ values }) => values)
  return (
    theOnly(types.map(kindInWords)) ??
    kindOfDates(columns.map(({ title }) => headingWords(title))) ??
    theOnly([kindInWords(sheet)])
  )
}

/** A ship notice may have a delivery date beside the ship date. */
function kindOfDates(headings: readonly string[]): EventKindName | undefined {
  const isNotice = headings.some((words) =>
    meaningsOf(words, 'shippingEvent').some(({ column }) => column === 'asnNumber'),
  )
  const saidBy = (rankMin?: number) => theOnly(headings.flatMap((words) => kindOfDate(words, rankMin) ?? []))
  return saidBy() ?? (isNotice ? saidBy(5) : undefined)
}

const kindInWords = (text: string): EventKindName | undefined =>
  /ship|dispatch|despatch/i.test(text) ? 'shippingEvent' : /receiv|receipt/i.test(text) ? 'receivingEvent' : undefined

/** The common kind of all of them, when they agree. */
function theOnly<One>(all: readonly One[]): One | undefined {
  const [first] = all
  return all.every((one) => one === first) ? first : undefined
}

/** The meanings of a heading: a column of ours in any spelling, or words of the trade. */
function meantBy(title: string, kind: EventKindName): readonly Meant[] {
  const folded = fold(title)
  const { columns } = eventTables[kind]
  const own = columns.find(({ name, heading }) => fold(name) === folded || fold(heading) === folded)
  if (own !== undefined) return [{ column: own.name, rank: 9 }]
  const meant = meaningsOf(headingWords(title), kind)
  return meant.length > 0 ? meant : misspelled(folded, columns)
}

const fold = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Shortest name of which two letters may differ. */
const misspelledMin = 10

/** A name of ours in which one or two letters are wrong. */
function misspelled(folded: string, columns: readonly Column[]): readonly Meant[] {
  if (folded.length < misspelledMin || folded.length > 60) return []
  const near = columns.filter(({ name }) => distance(folded, fold(name), 3) <= 2)
  return near.length === 1 && near[0] !== undefined ? [{ column: near[0].name, rank: 1 }] : []
}

/** A value that is none of the column, when there are too many of them; undefined when they fit. */
function misfit(column: Column, values: readonly string[], form?: RegExp): string | undefined {
  const wrong = values.filter((value) => !fitsColumn(column, value) || form?.test(value) === false)
  return wrong.length > misfitsMax(values.length) ? wrong[0] : undefined
}

/** SAP Business One's number of a document of this kind, as the type of a base document. */
const purchaseOrderType = '22'

/** A base document is an order, unless its type says otherwise. */
function withoutOtherBase(matches: readonly ColumnMatch[], columns: readonly ColumnValues[]): readonly ColumnMatch[] {
  const types = columns.filter(({ title }) => headingWords(title) === 'base type').flatMap(({ values }) => values)
  if (types.every((type) => type === purchaseOrderType)) return matches
  return matches.map((match, at) =>
    match.column === 'purchaseOrderNumber' && headingWords(columns[at]?.title ?? '').startsWith('base ')
      ? { column: null, basis: { is: 'no kind' } }
      : match,
  )
}

const itemColumns: readonly (string | null)[] = ['vendorItemCode', 'vendorItemDescription', 'product.itemDescription']

/** Where no column is the item, a "Supplier code" that differs by row may be that of the item. */
function withoutDoubtfulVendor(
  matches: readonly ColumnMatch[],
  columns: readonly ColumnValues[],
  taken: ReadonlyMap<string, string>,
): readonly ColumnMatch[] {
  const hasItem = [...taken.keys(), ...matches.map(({ column }) => column)].some((name) => itemColumns.includes(name))
  return matches.map((match, at) => {
    const { title = '', values = [] } = columns[at] ?? {}
    const isDoubtful =
      match.column === 'dataProviderVendorId' &&
      /^(?:vendor|supplier) code$/.test(headingWords(title)) &&
      new Set(values).size > 1
    return isDoubtful && !hasItem ? { column: null, basis: { is: 'unknown' } } : match
  })
}

const [documentType, documentNumber] = documentColumns.map(({ name }) => name)

/** Leaves out numbers of documents whose kind neither a column nor the text states. */
function withKinds(matches: readonly ColumnMatch[], columns: readonly ColumnValues[]): readonly ColumnMatch[] {
  const has = (name: string | undefined) => matches.some(({ column }) => column === name)
  return matches.map((match, at) => {
    const values = columns[at]?.values ?? []
    const isNamed = values.length > 0 && values.every((value) => readNamedDocument(value) !== undefined)
    if (match.column === documentNumber && !has(documentType) && !isNamed)
      return { column: null, basis: { is: 'no kind' } }
    return match.column === documentType && !has(documentNumber) ? { column: null, basis: { is: 'unknown' } } : match
  })
}
