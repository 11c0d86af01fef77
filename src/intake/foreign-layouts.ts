// Layouts of other organisations, and cells of their sheets that have a meaning only together.
// Source: decisions 0036, 0048, 0050.

import type { ColumnValue } from 'lotkeeper-sheets/sheet'
import { type EventKindName, isDeliveryKind } from '../contract/record-kinds.ts'
import {
  type DocumentField,
  fieldsInOrder,
  fieldsOfDocuments,
  plainKinds,
  type ReferenceDocument,
  readDocumentCells,
  readNamedDocument,
  readReferenceDocument,
} from '../contract/reference-document.ts'
import { isCalendarDate } from '../contract/shape/date-and-time.ts'
import type { Use } from './cell-text.ts'
import type { Conversion } from './conversions.ts'
import { documentPairs } from './document-columns.ts'
import type { Layout } from './layout.ts'
import { fdaLayouts } from './layouts/fda.ts'
import { namedDocument, ptiDate, ptiDateKind } from './layouts/meanings.ts'
import { ptiLayouts } from './layouts/pti.ts'
import { moveUnit } from './quantity-with-unit.ts'

const dateKinds: readonly (readonly [form: RegExp, column: string])[] = [
  [/pack/i, 'packagingDate'],
  [/harvest/i, 'harvestDate'],
  [/best|quality/i, 'bestBeforeDate'],
  [/use by|expir|sell/i, 'expirationDate'],
  [/prod/i, 'productionDate'],
]

export const foreignLayouts: readonly Layout[] = [...fdaLayouts, ...ptiLayouts]

/** Only this whole text, in any case, means blank: `NA-2291` is a lot code. */
const notApplicable = /^n\/?a(?:\s*\(see\b[^()]*\))?$/i
export const isNotApplicable = (text: string): boolean => notApplicable.test(text.trim())

/**
 * True for a row that explains a table instead of being part of it: a footnote or instruction alone
 * in its row, or a row whose first cell marks it as an example.
 */
export function isExplanation(texts: readonly string[]): boolean {
  const [first = '', ...others] = texts
  return others.length === 0
    ? /^(?:\*|(?:note|example|instruction|hint)s?\b[^\d]*$)/i.test(first)
    : /^\(?(?:example|sample)(?: row| data| only)*\)?:?$/i.test(first)
}

/** Cells that have a meaning only together. */
export const useOfJoined = (name: string): Use =>
  name === ptiDate ? 'value' : name.includes('type') ? 'words' : 'code'

const documentFields = Object.keys(plainKinds) as DocumentField[]

type Tell = (at: number, conversion: Conversion) => void

/** Text that has no field, and where it is. */
interface Lost {
  readonly text: string
  readonly at: number
}

/**
 * Replaces cells that have a meaning only together, or two meanings, by the columns of that
 * meaning. `isSet` is true of columns that have a value for all rows. Returns texts that have no
 * field.
 */
export function joinCells(
  said: Map<string, ColumnValue>,
  kind: EventKindName | undefined,
  isSet: (column: string) => boolean,
  tell: Tell,
): readonly Lost[] {
  const date = take(said, ptiDate)
  const dateKind = take(said, ptiDateKind)
  const kindText = dateKind?.cell.text ?? ''
  const lost: Lost[] = []
  if (date !== undefined) {
    const name = dateKinds.find(([form]) => form.test(kindText))?.[1]
    if (name === undefined) lost.push({ text: `${kindText} ${date.cell.text}`.trim(), at: (dateKind ?? date).at })
    else said.set(name, labelDate(date, tell))
  } else if (dateKind !== undefined)
    tell(dateKind.at, { kind: 'type alone', says: 'has kinds of dates without a date; they are left out' })
  // Other events have fields for kind and number.
  if (kind === undefined || isDeliveryKind(kind)) joinDocuments(said, kind === 'shippingEvent', isSet, tell)
  moveUnit(said, tell)
  return lost
}

/** `230712`, as case labels print a date: year, month, day. */
function labelDate(date: ColumnValue, tell: Tell): ColumnValue {
  const [, year, month, day] = /^(\d{2})(\d{2})(\d{2})$/.exec(date.cell.text.trim()) ?? []
  const iso = `20${year}-${month}-${day}`
  if (year === undefined || !isCalendarDate(iso)) return date
  tell(date.at, {
    kind: 'label date',
    says: `has dates as printed on labels, in the order year, month, day; ${date.cell.text.trim()} is read as ${iso}`,
  })
  return { ...date, cell: { text: iso, is: 'date' } }
}

/**
 * Moves reference documents into their fields; those of other kinds with their kind in front.
 * Source: decision 0050.
 */
function joinDocuments(
  said: Map<string, ColumnValue>,
  isShipping: boolean,
  isSet: (column: string) => boolean,
  tell: Tell,
): void {
  const found: (readonly [document: ReferenceDocument, said: ColumnValue])[] = []
  for (const [typeName, numberName] of documentPairs) {
    const type = take(said, typeName)
    const number = take(said, numberName)
    if (number !== undefined)
      for (const document of readDocumentCells({ type: type?.cell.text ?? '', number: number.cell.text }))
        found.push([document, number])
    else if (type !== undefined)
      tell(type.at, { kind: 'type alone', says: 'has kinds of documents without a number; they are left out' })
  }
  const named = take(said, namedDocument)
  if (named !== undefined) found.push([documentWithKind(named, tell), named])
  if (found.length === 0) return
  // Columns of our template that were added to the sheet state the same about the event.
  for (const field of documentFields) {
    const own = take(said, field)
    if (own !== undefined) found.unshift([readReferenceDocument(own.cell.text, plainKinds[field]), own])
  }
  const documents = found.map(([document]) => document)
  const { fields, left } = isShipping ? fieldsInOrder(documents) : fieldsOfDocuments(lastInFront(documents))
  const saidOf = (document: ReferenceDocument) => found.find(([one]) => one === document)?.[1]
  for (const field of documentFields) {
    const text = fields[field]
    if (text === undefined) continue
    const read = readReferenceDocument(text, plainKinds[field])
    const from = found.find(([{ kind, number }]) => kind === read.kind && number === read.number)?.[1] ?? found[0]?.[1]
    if (from === undefined) continue
    const isOwn = read.kind === plainKinds[field]
    const repeats = !isShipping && field === 'purchaseOrderNumber' && !isOwn && hasOwnField(read, fields)
    if (repeats && isSet(field)) continue
    const isBroken = from.cell.is === 'error' || from.cell.is === 'uncomputed'
    said.set(field, { at: from.at, cell: isBroken ? from.cell : { text, is: 'text' } })
    if (repeats)
      tell(from.at, {
        kind: 'no purchase order',
        says: `has rows without the required purchase order: purchaseOrderNumber repeats the first document with its kind in front, e.g. ${text}`,
      })
    else if (!isOwn)
      tell(from.at, {
        kind: `document in ${field}`,
        says: `has documents of kinds without a field; they are imported as ${field} with the kind in front, e.g. ${text}`,
      })
  }
  for (const document of left)
    tell(saidOf(document)?.at ?? 0, {
      kind: 'document left out',
      says: `has more documents than an event has fields; ${document.kind} ${document.number} and the like are left out`,
    })
}

/**
 * Without a purchase order, the first document of another kind becomes its number, which is listed
 * last. Moving the last document to the front keeps the documents in the order of the sheet.
 */
function lastInFront(documents: readonly ReferenceDocument[]): readonly ReferenceDocument[] {
  const ownKinds = Object.values(plainKinds)
  if (documents.some(({ kind }) => kind === plainKinds.purchaseOrderNumber)) return documents
  const last = documents.filter(({ kind }) => !ownKinds.includes(kind)).at(-1)
  return last === undefined ? documents : [last, ...documents.filter((one) => one !== last)]
}

/** True when the document is in the field of its own kind as well. */
const hasOwnField = ({ kind, number }: ReferenceDocument, fields: Partial<Record<DocumentField, string>>): boolean =>
  documentFields.some(
    (field) =>
      plainKinds[field] === kind &&
      fields[field] !== undefined &&
      readReferenceDocument(fields[field], kind).number === number,
  )

/**
 * "ASN-12005" is a ship notice of that number; only FDA's own names of kinds are cut off in front
 * of a number.
 */
function documentWithKind({ cell: { text }, at }: ColumnValue, tell: Tell): ReferenceDocument {
  const document = readNamedDocument(text)
  if (document === undefined) {
    tell(at, { kind: 'no kind', says: `has documents without a known kind, e.g. ${text}` })
    return { kind: 'Other Document', number: text }
  }
  const front = `${document.kind} `
  const number = text.startsWith(front) ? text.slice(front.length) : ''
  if (number.trim() === '') return document
  tell(at, {
    kind: 'kind in front',
    says: `has kinds of documents in front of their numbers; ${text} is imported as ${document.kind} with the number ${number}`,
  })
  return { kind: document.kind, number }
}

function take(said: Map<string, ColumnValue>, name: string): ColumnValue | undefined {
  const one = said.get(name)
  said.delete(name)
  return one
}
