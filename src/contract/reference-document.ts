// The reference documents of a receiving event, and how a kind that has no field of its own is
// handed over: written in front of the number. Source: 21 CFR 1.1310, 1.1345(a)(8); decision 0050.

/** A document as people name it: `{kind: 'Packing List', number: '48661'}`. */
export interface ReferenceDocument {
  /** One of `referenceKinds`, or another name in letters such as `Truck Log`. */
  readonly kind: string
  /** As submitted, never blank. */
  readonly number: string
}

/** Fields that hold a document, in the order in which the documents of an event are listed. */
export const documentFields = ['billOfLadingNumber', 'asnNumber', 'purchaseOrderNumber'] as const
export type DocumentField = (typeof documentFields)[number]
/** As an event has them; a receiving event has a purchase order, a shipping event may have none. */
export type DocumentFields = { readonly [Field in DocumentField]?: string | undefined }

interface ReferenceKind {
  /** As FDA names it, and as a spreadsheet shows it. */
  readonly name: string
  /** Other names, in any case of letters. */
  readonly also?: readonly string[]
  /** Taken in capital letters only. */
  readonly abbreviation?: string
  /**
   * Kind of business transaction in the Core Business Vocabulary of EPCIS (CBV 2.0, 7.3), where
   * there is one.
   */
  readonly cbv?: 'bol' | 'desadv' | 'inv' | 'po' | 'prodorder' | 'recadv' | 'cert'
}

export const billOfLading = 'Bill of Lading (BOL)'
export const shippingNotice = 'Advance Shipping Notice (ASN)'
export const purchaseOrder = 'Purchase Order (PO)'
/** A document whose kind cannot be written in front of its number. */
const otherDocument = 'Other Document'

/**
 * Kinds that 21 CFR 1.1310 and FDA's template name, and those of the trade beside them. An EPCIS
 * export takes the type of a business transaction from `cbv`; a kind without one is a transaction
 * without a type.
 */
export const referenceKinds: readonly ReferenceKind[] = [
  { name: billOfLading, also: ['Bill of Lading'], abbreviation: 'BOL', cbv: 'bol' },
  {
    name: shippingNotice,
    also: [
      'Advance Shipping Notice',
      'Advance Ship Notice',
      'Advance Shipment Notice',
      'Advanced Shipping Notice',
      'Advanced Ship Notice',
      'Advanced Shipment Notice',
    ],
    abbreviation: 'ASN',
    cbv: 'desadv',
  },
  { name: purchaseOrder, also: ['Purchase Order'], abbreviation: 'PO', cbv: 'po' },
  { name: 'Receipt of Goods', also: ['Goods Receipt'], cbv: 'recadv' },
  { name: 'Sales Receipt' },
  { name: 'Receipt', cbv: 'recadv' },
  { name: 'Packing List' },
  { name: 'Packing Slip' },
  { name: 'Invoice', abbreviation: 'INV', cbv: 'inv' },
  { name: 'Inter-Location Transfer', also: ['Inter Location Transfer', 'Interlocation Transfer'] },
  { name: 'Transfer Order' },
  { name: 'Work Order', cbv: 'prodorder' },
  { name: 'Production Log' },
  { name: 'Batch Log' },
  { name: 'Harvest Log' },
  { name: 'Field Tag' },
  { name: 'Catch Certificate', cbv: 'cert' },
  { name: 'Weight Ticket' },
  { name: 'Dealers Report', also: ["Dealer's Report", 'Dealer Report'] },
  { name: 'Database Record' },
  { name: 'Delivery Note', also: ['Delivery Ticket'] },
  { name: 'Sales Order' },
  { name: otherDocument },
]

/** The kind of a field's number when no kind is written in front of it. */
export const plainKinds: Readonly<Record<DocumentField, string>> = {
  billOfLadingNumber: billOfLading,
  asnNumber: shippingNotice,
  purchaseOrderNumber: purchaseOrder,
}

/**
 * Reads a document from the text of a field: `Packing List 48661` is number `48661` of kind
 * `Packing List`, and `88120` is one of `plainKind`. A kind is a known one in front of a number, or
 * any name in letters in front of a colon and a blank. The number is the text after the kind, or
 * the whole text where the kind is spelled in another way: `writeReferenceDocument` always returns
 * the text that was read.
 */
export function readReferenceDocument(text: string, plainKind: string = purchaseOrder): ReferenceDocument {
  const kind = kindBefore(text) ?? plainKind
  const known = isKnown(kind)
  const front = known ? `${kind} ` : `${kind}: `
  const rest = text.startsWith(front) ? text.slice(front.length) : ''
  const isCut = rest.trim() !== '' && writeReferenceDocument({ kind, number: rest }, plainKind) === text
  return { kind, number: isCut ? rest : text }
}

/**
 * The text of a field whose plain numbers are of `plainKind`: the number alone where it is read as
 * the document.
 */
export function writeReferenceDocument({ kind, number }: ReferenceDocument, plainKind: string = purchaseOrder): string {
  if ((kindBefore(number) ?? plainKind) === kind) return number
  return isKnown(kind) ? `${kind} ${number}` : `${kind}: ${number}`
}

/**
 * A kind by the name of a heading or a column: `BOL #`, `bill of lading`, `Receipt`, `Truck log`.
 * Undefined when it is blank or cannot be written in front of a number.
 */
export function findKind(label: string): string | undefined {
  const words = label
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replace(/(?: (?:number|no\.?|nr\.?|id)| ?[#:])$/i, '')
  const inFront = knownKind(`${words} `, /^\s/)
  if (inFront !== undefined) return inFront
  const within = mainKinds.find(([form]) => form.test(words))?.[1]
  if (within !== undefined) return within
  return otherKindForm.test(words) ? words : undefined
}

/**
 * A document whose kind is with its number in one cell, as in `PO 88120`, `ASN-12005` or `BOL#
 * 7`; the number is the whole text. Undefined when the text names no kind.
 */
export function readNamedDocument(text: string): ReferenceDocument | undefined {
  const kind = knownKind(text.trimStart(), /^[\s#:.\-\d]/) ?? kindBefore(text)
  return kind === undefined ? undefined : { kind, number: text }
}

/**
 * The documents of an event, each once: bill of lading, ship notice, purchase order, as far as they
 * are given.
 */
export function documentsOf(
  event: { readonly [Field in DocumentField]?: string | undefined },
): readonly ReferenceDocument[] {
  const documents: ReferenceDocument[] = []
  for (const field of documentFields) {
    const text = event[field]
    if (text === undefined || text.trim() === '') continue
    const read = readReferenceDocument(text, plainKinds[field])
    if (!documents.some(({ kind, number }) => kind === read.kind && number === read.number)) documents.push(read)
  }
  return documents
}

interface DocumentsInFields {
  readonly fields: Partial<Record<DocumentField, string>>
  /** Those that no field is free for. */
  readonly left: readonly ReferenceDocument[]
}

/** Puts each document whose kind has a field into it; `others` remain. */
function inOwnFields(documents: readonly ReferenceDocument[]) {
  const fields: Partial<Record<DocumentField, string>> = {}
  const placed = new Map<ReferenceDocument, DocumentField>()
  const put = (field: DocumentField, document: ReferenceDocument) => {
    fields[field] = writeReferenceDocument(document, plainKinds[field])
    placed.set(document, field)
  }
  const others = documents.filter((document) => {
    const own = documentFields.find((field) => plainKinds[field] === document.kind && fields[field] === undefined)
    if (own !== undefined) put(own, document)
    return own === undefined
  })
  return { fields, placed, put, others }
}

/**
 * The fields that hold the documents of a shipping event, which needs no purchase order number. One
 * of another kind goes into a free field that leaves the documents in this order, where there is
 * one.
 */
export function fieldsInOrder(documents: readonly ReferenceDocument[]): DocumentsInFields {
  const { fields, placed, put, others } = inOwnFields(documents)
  const places = (some: readonly ReferenceDocument[]) =>
    some.flatMap((one) => documentFields.indexOf(placed.get(one) as DocumentField)).filter((place) => place >= 0)
  const left = others.toReversed().filter((document) => {
    const at = documents.indexOf(document)
    const after = Math.max(-1, ...places(documents.slice(0, at)))
    const before = Math.min(documentFields.length, ...places(documents.slice(at + 1)))
    const free =
      documentFields.findLast((field, place) => fields[field] === undefined && after < place && place < before) ??
      freeOrder.find((field) => fields[field] === undefined)
    if (free !== undefined) put(free, document)
    return free === undefined
  })
  return { fields, left: left.toReversed() }
}

/**
 * The fields that hold these documents: bill of lading, ship notice and purchase order in their
 * own, the first of another kind as the purchase order number with its kind in front, further ones
 * in fields that are free. The contract requires a purchase order number; where no document takes
 * it, it repeats the first one with its kind.
 */
export function fieldsOfDocuments(documents: readonly ReferenceDocument[]): DocumentsInFields {
  const { fields, put, others } = inOwnFields(documents)
  const left = others.filter((document) => {
    const free = freeOrder.find((field) => fields[field] === undefined)
    if (free !== undefined) put(free, document)
    return free === undefined
  })
  const [first] = documents
  if (fields.purchaseOrderNumber === undefined && first !== undefined) put('purchaseOrderNumber', first)
  return { fields, left }
}

const freeOrder: readonly DocumentField[] = ['purchaseOrderNumber', 'billOfLadingNumber', 'asnNumber']

/** Kinds and numbers as the two pairs of columns of FDA's template have them. */
export interface DocumentCells {
  readonly type: string
  readonly number: string
}

/**
 * The documents in at most two pairs of cells: the first alone, the others together in the second,
 * with `; ` between kinds and between numbers, in the same order. Where a number holds `; ` itself,
 * more semicolons divide.
 */
export function documentCells([first, ...others]: readonly ReferenceDocument[]): readonly DocumentCells[] {
  if (first === undefined) return []
  const alone = { type: first.kind, number: first.number }
  if (others.length === 0) return [alone]
  let divider = '; '
  while (others.some(({ number }) => others.length > 1 && number.includes(divider))) divider = `;${divider}`
  return [
    alone,
    { type: others.map(({ kind }) => kind).join(divider), number: others.map(({ number }) => number).join(divider) },
  ]
}

/**
 * Reads one pair of cells back: several documents where the kinds and the numbers are divided
 * alike, else one. A kind that cannot be written in front of a number stays with the number.
 */
export function readDocumentCells({ type, number }: DocumentCells): readonly ReferenceDocument[] {
  const divider = dividerIn(type)
  const types = divider === undefined ? [type] : type.split(divider)
  const numbers = divider === undefined ? [number] : number.split(divider)
  if (types.length !== numbers.length) return [documentOf(type, number)]
  return types.map((one, i) => documentOf(one, numbers[i] ?? ''))
}

/** The first semicolons before a blank, with the blank. */
function dividerIn(type: string): string | undefined {
  const end = type.indexOf('; ')
  let start = end
  while (start > 0 && type[start - 1] === ';') start--
  return end < 0 ? undefined : type.slice(start, end + 2)
}

function documentOf(type: string, number: string): ReferenceDocument {
  if (type.trim() === '') return readNamedDocument(number) ?? { kind: purchaseOrder, number }
  const kind = findKind(type)
  return kind === undefined ? { kind: otherDocument, number: `${type} ${number}` } : { kind, number }
}

/** The kind written in front of a number: a known one, or any name before a colon and a blank. */
function kindBefore(text: string): string | undefined {
  const known = knownKind(text.trimStart(), /^[\s#:.]/)
  if (known !== undefined) return known
  const [label] = text.split(': ', 1)
  return label === undefined || label === text || text.slice(label.length + 2).trim() === '' || !labelForm.test(label)
    ? undefined
    : findKind(label)
}

/**
 * Every name of every kind in small letters, longest first, so that `Receipt of Goods` is no
 * `Receipt`.
 */
const names: readonly (readonly [name: string, kind: string])[] = referenceKinds
  .flatMap(({ name, also = [] }) => [name, ...also].map((one) => [one.toLowerCase(), name] as const))
  .sort(([one], [other]) => other.length - one.length)
const abbreviations = referenceKinds.flatMap(({ name, abbreviation }) =>
  abbreviation === undefined ? [] : [[abbreviation, name] as const],
)
const namesMax = Math.max(...names.map(([name]) => name.length))

/**
 * The known kind at the front of a text, when its name ends there: with a hyphen, or with something
 * of the form `next`.
 */
function knownKind(text: string, next: RegExp): string | undefined {
  const small = text.slice(0, namesMax).toLowerCase()
  const follows = (name: string) => next.test(text.slice(name.length))
  return (
    names.find(([name]) => small.startsWith(name) && (follows(name) || /^-/.test(text.slice(name.length))))?.[1] ??
    abbreviations.find(([short]) => text.startsWith(short) && follows(short))?.[1]
  )
}

const knownNames = new Set(referenceKinds.map(({ name }) => name))
const isKnown = (kind: string): boolean => knownNames.has(kind)

/** Names of the kinds with a field of their own, inside a longer name. */
const mainKinds: readonly (readonly [form: RegExp, kind: string])[] = [
  [/\bBOL\b|\bB\/L\b|bill of lading/i, billOfLading],
  [/\bASN\b|advanced? ship(?:ping|ment)? notice/i, shippingNotice],
  [/\bPO\b|purchase order/i, purchaseOrder],
]

/** A name of an unknown kind: 3 to 40 letters and the signs between words, without separators. */
const otherKindForm = /^\p{L}[\p{L}\p{M}'()&./ -]{2,39}$/u
/** A possible kind before a colon. */
const labelForm = /^\s{0,9}\p{L}[^:;]{0,49}$/u

/**
 * A number of a document as two companies may both have it: `PO-088120`, `88120` and `po 88120` are
 * one.
 */
export function foldDocumentNumber(number: string): string {
  const folded = number
    .toUpperCase()
    .replaceAll(/[\s\p{P}\p{S}\p{C}]/gu, '')
    .replace(/^(?:PO|BOL|BL|ASN)(?=\d)/, '')
  return folded.replace(/^0+/, '') || folded.slice(-1)
}
