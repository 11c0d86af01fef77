// The receipt of a shipment at the dock: begun from the draft of its receiving event, ticked line
// by line, and made into a payload. It is no record until it is sent. Pure. Source: decision 0027.
import type { ShippingEventRecord } from '../../client/generated/shapes.ts'
import { type Gs1Label, readScan } from '../../contract/lots/gs1-label.ts'
import { foldLotCode, readLotCode } from '../../contract/lots/lot-code.ts'
import type { ShippingEventPayload } from '../../contract/payloads.ts'
import { draftReceipt } from '../../contract/receiving-draft.ts'
import { documentsOf, foldDocumentNumber } from '../../contract/reference-document.ts'
import type { Finding } from '../../contract/shape/finding.ts'
import { gtin14Of } from '../../contract/text/gs1-text.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import { type EventSummary, eventSummary, type Fields, fieldsOf, joinGiven, listOf, textOf } from './record-summary.ts'

export interface ReceiptLine {
  /** The line of the draft that it was begun from. */
  readonly of: number
  readonly hasArrived: boolean
  /** As typed. */
  readonly quantity: string
  readonly lotCode: string
  /** True of a lot that arrived and that the shipper does not list. */
  readonly isAdded?: boolean
}

/** Why the service did not take a receipt. */
export interface Refusal {
  readonly words: string
  /** True when an earlier receipt of the shipment was sent. */
  readonly isSecond: boolean
  readonly findings: readonly { readonly finding: Finding; readonly line: number | undefined }[]
}

export interface Receipt {
  readonly id: string
  readonly shipment: string
  /** 1 for the first receipt of the shipment. A further one has to be asked for. */
  readonly attempt: number
  readonly shippedDateTime: string
  readonly draft: Fields
  readonly lines: readonly ReceiptLine[]
  /** When the goods arrived; empty until the first line is ticked. */
  readonly dateTime: string
  readonly purchaseOrder: string
  /** A receipt that waits was given to be sent. */
  readonly state: 'open' | 'waiting' | 'refused' | 'stored'
  /** True once it was sent: without an answer it may be stored, and so must stay as it is. */
  readonly isInDoubt: boolean
  /** In milliseconds. */
  readonly changedAt: number
  readonly refusal?: Refusal | undefined
  /** Id of the receiving event. */
  readonly stored?: string
}

const receiptId = (shipment: string, attempt: number): string => `${shipment} ${attempt}`

/**
 * The same on every device: of two people who receive one shipment, the second gets an error, and
 * nothing is stored twice.
 */
export const idempotencyKeyOf = ({ shipment, attempt }: Pick<Receipt, 'shipment' | 'attempt'>): string =>
  `dock-${shipment}-${attempt}`

export function beginReceipt(shipment: ShippingEventRecord, attempt: number, at: number): Receipt {
  const draft = fieldsOf(draftReceipt(shipment as ShippingEventPayload))
  return {
    id: receiptId(shipment.id, attempt),
    shipment: shipment.id,
    attempt,
    shippedDateTime: shipment.eventList.eventDateTime,
    draft,
    lines: partsOfDraft(draft).lines.map(({ shipQuantity, caseLotNumber }, of) => ({
      of,
      hasArrived: false,
      quantity: textOf(shipQuantity),
      lotCode: textOf(caseLotNumber),
    })),
    dateTime: '',
    purchaseOrder: textOf(fieldsOf(draft.eventList).purchaseOrderNumber),
    state: 'open',
    isInDoubt: false,
    changedAt: at,
  }
}

/**
 * A further receipt of the same shipment: of later goods, or with the same ticks when somebody else
 * was first.
 */
export const beginAgain = (receipt: Receipt, at: number): Receipt => ({
  ...receipt,
  ...(receipt.state === 'stored' && {
    lines: receipt.lines.map((line) => ({ ...line, hasArrived: false })),
    dateTime: '',
  }),
  id: receiptId(receipt.shipment, receipt.attempt + 1),
  attempt: receipt.attempt + 1,
  state: 'open',
  isInDoubt: false,
  refusal: undefined,
  changedAt: at,
})

/** Lines and products of a draft, which never changes. It may have thousands, each looked up. */
interface DraftParts {
  readonly lines: readonly Fields[]
  readonly products: ReadonlyMap<unknown, Fields>
}

const partsOfDrafts = new WeakMap<Fields, DraftParts>()

function partsOfDraft(draft: Fields): DraftParts {
  const known = partsOfDrafts.get(draft)
  if (known !== undefined) return known
  const products = listOf(draft.productMasterDataList)
  const parts = {
    lines: listOf(fieldsOf(draft.eventList).productList),
    products: new Map(products.map((product) => [product.itemCode, product])),
  }
  partsOfDrafts.set(draft, parts)
  return parts
}

export const lineOf = ({ draft }: Receipt, { of }: ReceiptLine): Fields => partsOfDraft(draft).lines[of] ?? {}

/** The name of the goods of a line. */
export function itemWords({ draft }: Receipt, line: Fields): string {
  const product = partsOfDraft(draft).products.get(line.vendorItemCode)
  return textOf(line.vendorItemDescription) || textOf(product?.itemDescription) || textOf(line.vendorItemCode)
}

/** True while it may be changed. */
export const isOpen = ({ state }: Receipt): boolean => state === 'open' || state === 'refused'

/** True once there is something in it that would be missed. */
export const isBegun = ({ state, lines }: Receipt): boolean =>
  state !== 'open' || lines.some(({ hasArrived }) => hasArrived)

const withChange = (receipt: Receipt, change: Partial<Receipt>, at: number): Receipt => ({
  ...receipt,
  ...change,
  // A refused receipt becomes another one once it is changed; its findings stay visible.
  state: 'open',
  changedAt: at,
})

interface Now {
  /** In milliseconds, and as the contract writes it. */
  readonly at: number
  readonly dateTime: string
}

/** A change of some lines. The first arrived line sets the time. */
export function changeLines(
  receipt: Receipt,
  indexes: readonly number[],
  change: Partial<ReceiptLine>,
  now: Now,
): Receipt {
  const wanted = new Set(indexes)
  const lines = receipt.lines.map((line, i) => (wanted.has(i) ? { ...line, ...change } : line))
  const isFirst = receipt.dateTime === '' && lines.some(({ hasArrived }) => hasArrived)
  return withChange(receipt, { lines, ...(isFirst && { dateTime: now.dateTime }) }, now.at)
}

export const changeReceipt = (
  receipt: Receipt,
  change: Partial<Pick<Receipt, 'dateTime' | 'purchaseOrder'>>,
  { at }: Now,
): Receipt => withChange(receipt, change, at)

/** A lot that was not announced, as a line behind the one of its item. Its quantity is typed. */
export function addLot(receipt: Receipt, index: number, lotCode: string, now: Now): Receipt {
  const before = receipt.lines[index]
  if (before === undefined) return receipt
  const line: ReceiptLine = { of: before.of, hasArrived: true, quantity: '', lotCode, isAdded: true }
  return withChange(
    receipt,
    {
      lines: receipt.lines.toSpliced(index + 1, 0, line),
      dateTime: receipt.dateTime || now.dateTime,
      // Lines behind it have other numbers now.
      refusal: undefined,
    },
    now.at,
  )
}

/** What prevents sending it; about a line, or about the whole. */
export interface ReceiptFault {
  readonly line?: number
  readonly about?: 'lines' | 'dateTime' | 'purchaseOrder'
  readonly words: string
}

const quantityOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text))

export function faultsOf({ lines, dateTime, purchaseOrder }: Receipt): readonly ReceiptFault[] {
  const faults: ReceiptFault[] = []
  lines.forEach(({ hasArrived, quantity }, line) => {
    if (hasArrived && !(quantityOf(quantity) > 0 && quantityOf(quantity) < 1e12))
      faults.push({ line, words: 'Enter how much arrived as a number, e.g. 56. If nothing arrived, untick the line.' })
  })
  if (!lines.some(({ hasArrived }) => hasArrived))
    faults.push({ about: 'lines', words: 'Nothing is ticked. Tick the lines that arrived.' })
  if (dateTime === '') faults.push({ about: 'dateTime', words: 'Enter when the goods arrived: date and time.' })
  if (purchaseOrder.trim() === '')
    faults.push({ about: 'purchaseOrder', words: 'The shipment names no order. Enter the number of the order.' })
  return faults
}

/** The payload, and the line of the receipt that each of its lines comes from. */
export function payloadOf(receipt: Receipt): { readonly payload: Fields; readonly lineAt: readonly number[] } {
  const lineAt = receipt.lines.flatMap(({ hasArrived }, i) => (hasArrived ? [i] : []))
  const productList = lineAt.map((i) => {
    const line = receipt.lines[i] as ReceiptLine
    const { caseLotNumber: _, ...shipped } = lineOf(receipt, line)
    const lotCode = line.lotCode.trim()
    return { ...shipped, shipQuantity: quantityOf(line.quantity), ...(lotCode !== '' && { caseLotNumber: lotCode }) }
  })
  const event = {
    ...fieldsOf(receipt.draft.eventList),
    eventDateTime: receipt.dateTime,
    purchaseOrderNumber: receipt.purchaseOrder.trim(),
    productList,
  }
  return { payload: { ...receipt.draft, eventList: event }, lineAt }
}

const linePointer = /^\/eventList\/productList\/(\d+)(?:\/|$)/

/** Each finding with the line of the receipt that it is about. */
export const findingsByLine = (findings: readonly Finding[], lineAt: readonly number[]): Refusal['findings'] =>
  findings.map((finding) => {
    const [, step] = linePointer.exec(finding.pointer) ?? []
    return { finding, line: step === undefined ? undefined : lineAt[Number(step)] }
  })

/** The effect of a scan. */
export interface Scanned {
  readonly receipt: Receipt
  readonly words: string
  readonly isFound: boolean
  /** The line to show. */
  readonly line?: number
  /** A lot of an item of the shipment that was not announced, and the line of the item. */
  readonly otherLot?: { readonly line: number; readonly lotCode: string }
}

/** The GTINs by which a line can be scanned. */
function gtinsOf({ draft }: Pick<Receipt, 'draft'>, line: Fields): readonly string[] {
  const product = partsOfDraft(draft).products.get(line.vendorItemCode)
  return [line.caseGtin, product?.gtin, readLotCode(textOf(line.caseLotNumber)).gtin].flatMap(
    (gtin) => gtin14Of(textOf(gtin)) ?? [],
  )
}

const foldLot = (lotCode: string): string => foldLotCode(readLotCode(lotCode).lotCode)

export const lotWords = (lotCode: string): string => readLotCode(lotCode).lotCode

/** Ticks the scanned goods: a pallet, a case, or a lot code that was typed. */
export function scanInto(receipt: Receipt, text: string, now: Now): Scanned {
  const label = readScan(text)
  const linesWhere = (fits: (line: Fields, own: ReceiptLine) => boolean): readonly number[] =>
    receipt.lines.flatMap((own, i) => (fits(lineOf(receipt, own), own) ? [i] : []))
  const missed = (words: string): Scanned => ({ receipt, words, isFound: false })
  const tick = (indexes: readonly number[], words: string): Scanned => {
    const fresh = indexes.filter((i) => !receipt.lines[i]?.hasArrived)
    const line = fresh[0] ?? indexes[0]
    return {
      receipt: fresh.length === 0 ? receipt : changeLines(receipt, fresh, { hasArrived: true }, now),
      words: `${words} ${fresh.length === 0 ? 'is ticked already' : 'is ticked'}.`,
      isFound: true,
      ...(line !== undefined && { line }),
    }
  }

  if (label?.palletId !== undefined) {
    const { palletId } = label
    const onPallet = linesWhere((line) => textOf(line.palletId) === palletId)
    if (onPallet.length > 0) return tick(onPallet, `Pallet ${palletId} with ${pluralize(onPallet.length, 'line')}`)
    if (label.caseGtin === undefined) return missed(`Pallet ${palletId} is not on this shipment.`)
  }
  if (label?.caseGtin !== undefined) {
    const { caseGtin, caseLotNumber } = label
    const ofItem = linesWhere((line) => gtinsOf(receipt, line).includes(caseGtin))
    const [first] = ofItem
    if (first === undefined) return missed(`No line of this shipment has the GTIN ${caseGtin}.`)
    if (caseLotNumber === undefined)
      return ofItem.length === 1
        ? tick(ofItem, `Line ${first + 1}`)
        : missed(`The label names no lot, and ${ofItem.length} lines have this item. Tick the line.`)
    const ofLot = ofItem.filter((i) => foldLot(receipt.lines[i]?.lotCode ?? '') === foldLot(caseLotNumber))
    if (ofLot.length > 0)
      return tick(oneOf(receipt, ofLot), `Lot ${caseLotNumber}, line ${lineNumber(receipt, ofLot)},`)
    const line = ofItem.find((i) => !receipt.lines[i]?.hasArrived) ?? first
    return {
      ...missed(`Lot ${caseLotNumber} was not announced. Line ${line + 1} has the same item.`),
      line,
      otherLot: { line, lotCode: caseLotNumber },
    }
  }
  const lot = label?.caseLotNumber ?? text.trim()
  const ofLot = linesWhere((_, own) => own.lotCode !== '' && foldLot(own.lotCode) === foldLot(lot))
  if (ofLot.length > 0) return tick(oneOf(receipt, ofLot), `Lot ${lot}, line ${lineNumber(receipt, ofLot)},`)
  const ofItem = linesWhere((line) => [line.vendorItemCode, line.purchaserItemCode].includes(text.trim()))
  if (ofItem.length === 1) return tick(ofItem, `Line ${(ofItem[0] ?? 0) + 1}`)
  return missed(
    `“${text.trim().slice(0, 60)}” is no pallet, lot or item of this shipment. Scan the label of a case or pallet, or tick the line.`,
  )
}

/** A case names the lot and not the pallet: the first line of the lot that is not ticked yet. */
const oneOf = (receipt: Receipt, indexes: readonly number[]): readonly number[] => {
  const next = indexes.find((i) => !receipt.lines[i]?.hasArrived)
  return next === undefined ? indexes.slice(0, 1) : [next]
}

const lineNumber = (receipt: Receipt, indexes: readonly number[]): number => (oneOf(receipt, indexes)[0] ?? 0) + 1

/** Shipments that match the scanned or typed text: a pallet, a case, a lot code, or a document. */
export function findShippingEvents(
  shipments: readonly ShippingEventRecord[],
  text: string,
): readonly ShippingEventRecord[] {
  const label = readScan(text)
  if (label !== undefined) return shipments.filter((shipment) => hasLabelled(shipment, label))
  const document = foldDocumentNumber(text)
  const lot = foldLot(text)
  if (document === '') return []
  return shipments.filter(
    ({ eventList }) =>
      documentsOf(eventList).some(({ number }) => foldDocumentNumber(number) === document) ||
      eventList.productList.some(
        ({ caseLotNumber = '', palletLpn }) =>
          (caseLotNumber !== '' && foldLot(caseLotNumber) === lot) || palletLpn === text.trim(),
      ),
  )
}

function hasLabelled(shipment: ShippingEventRecord, { palletId, caseGtin, caseLotNumber }: Gs1Label): boolean {
  const draft = fieldsOf(shipment)
  return partsOfDraft(draft).lines.some((line) => {
    if (palletId !== undefined && textOf(line.palletId) === palletId) return true
    const hasItem = caseGtin === undefined ? palletId === undefined : gtinsOf({ draft }, line).includes(caseGtin)
    return hasItem && (caseLotNumber === undefined || foldLot(textOf(line.caseLotNumber)) === foldLot(caseLotNumber))
  })
}

/** Lines by pallet, in the order of the shipment; those on none together. */
export function palletsOf(
  receipt: Receipt,
): readonly { readonly palletId: string; readonly lines: readonly number[] }[] {
  const pallets = new Map<string, number[]>()
  receipt.lines.forEach((line, i) => {
    const palletId = textOf(lineOf(receipt, line).palletId)
    const lines = pallets.get(palletId)
    if (lines === undefined) pallets.set(palletId, [i])
    else lines.push(i)
  })
  return [...pallets].map(([palletId, lines]) => ({ palletId, lines }))
}

export interface ShippingSummary extends EventSummary {
  /** Ship notice, order and bill of lading, each once. */
  readonly documents: string
  readonly palletCount: number
}

/** The names by which people recognise a shipment, or the draft of its receipt. */
export function shippingSummary(record: Fields): ShippingSummary {
  const { asnNumber, purchaseOrderNumber, billOfLadingNumber, productList } = fieldsOf(record.eventList)
  return {
    ...eventSummary(record),
    documents: joinGiven(' · ', ...new Set([asnNumber, purchaseOrderNumber, billOfLadingNumber].map(textOf))),
    palletCount: new Set(listOf(productList).flatMap(({ palletId }) => textOf(palletId) || [])).size,
  }
}

/** "3 of 5 lines · 120 case". */
export function receiptTotals(receipt: Receipt): string {
  const arrived = receipt.lines.filter(({ hasArrived }) => hasArrived)
  const totals = new Map<string, number>()
  for (const line of arrived) {
    const unit = textOf(lineOf(receipt, line).shipQuantityUom)
    const quantity = quantityOf(line.quantity)
    if (Number.isFinite(quantity)) totals.set(unit, (totals.get(unit) ?? 0) + quantity)
  }
  const amounts = [...totals].slice(0, 3).map(([unit, total]) => joinGiven(' ', total.toLocaleString('en'), unit))
  return joinGiven(
    ' · ',
    `${arrived.length.toLocaleString('en')} of ${pluralize(receipt.lines.length, 'line')}`,
    amounts.join(', '),
  )
}
