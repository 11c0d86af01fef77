// Differences in the form of the answer: their sides, a sentence and a remedy.

import type { DifferenceKind } from '../contract/difference-kinds.ts'
import { documentFields } from '../contract/reference-document.ts'
import { isGiven } from '../contract/shape/field.ts'
import { ExactSum } from '../contract/text/exact-sum.ts'
import { pluralize } from '../contract/text/pluralize.ts'
import { type DeliveryDifference, type DifferenceSide, sideRecordsMax } from './delivery-difference.ts'
import type { FoundDifference } from './found-differences.ts'
import type { Entry } from './goods.ts'
import { foldedLot } from './likely-pairs.ts'

/** The date by which a difference belongs to a period: when it was shipped, else received. */
export const dateOf = ({ shipped, received }: FoundDifference): string => (shipped[0] ?? received[0])?.event.date ?? ''

export function deliveryDifference(found: FoundDifference): DeliveryDifference {
  const { kind, lines } = found
  const entries = [...found.shipped, ...found.received]
  const event = entries[0]?.event
  const vendorName = entries.find((entry) => entry.event.vendorName !== undefined)?.event.vendorName
  const shipped = sideOf(found.shipped, { isOfGoods: isOfGoods(found) })
  const received = sideOf(found.received, { isOfGoods: isOfGoods(found) })
  const documents = documentFields.flatMap((field) => {
    const number = entries.find((entry) => isGiven(entry.event.documents[field]))?.event.documents[field]
    return number === undefined ? [] : [[field, number]]
  })
  return {
    kind,
    date: dateOf(found),
    dataProviderVendorId: event?.vendor ?? '',
    ...(vendorName !== undefined && { dataProviderVendorName: vendorName }),
    ...Object.fromEntries(documents),
    lines,
    message: messageOf(kind, lines, shipped, received),
    remedy: remedies[kind],
    shipped,
    received,
  }
}

/** True when it is about one item and lot, and not about the whole event. */
const isOfGoods = ({ kind, lines, shipped, received }: FoundDifference): boolean =>
  ['quantity', 'unit', 'lot', 'item'].includes(kind) ||
  lines === 1 ||
  new Set([...shipped, ...received].map(({ line }) => `${line.itemCode}\u0000${line.lotCode ?? ''}`)).size === 1

function sideOf(entries: readonly Entry[], { isOfGoods }: { readonly isOfGoods: boolean }): DifferenceSide | null {
  const [first] = entries
  if (first === undefined) return null
  const records = new Map<string, string>()
  for (const { event, line } of entries)
    if (!records.has(event.id)) records.set(event.id, isOfGoods ? `/eventList/productList/${line.index}` : '/eventList')
  const sum = new ExactSum()
  for (const { line } of entries) sum.add(line.quantity)
  return {
    records: [...records].slice(0, sideRecordsMax).map(([id, pointer]) => ({ id, pointer })),
    recordCount: records.size,
    date: first.event.date,
    shipFromLocationCode: first.event.shipFrom.code,
    shipToLocationCode: first.event.shipTo.code,
    ...(isOfGoods && {
      vendorItemCode: first.line.itemCode,
      ...(first.line.lotCode !== undefined && { caseLotNumber: first.line.lotCode }),
      shipQuantity: sum.value,
      shipQuantityUom: first.line.unit,
    }),
  }
}

type Side = DifferenceSide | null

const quantityText = (side: Side): string =>
  side === null ? 'nothing' : `${side.shipQuantity ?? 0} ${side.shipQuantityUom ?? ''}`
const lotText = (side: Side): string =>
  side?.caseLotNumber === undefined ? 'without a lot code' : `as lot ${side.caseLotNumber}`

function messageOf(kind: DifferenceKind, lines: number, shipped: Side, received: Side): string {
  switch (kind) {
    case 'notReceived':
      return `Shipped on ${shipped?.date} to ${shipped?.shipToLocationCode} and not received: ${goodsText(lines, shipped)}.`
    case 'notShipped':
      return `Received on ${received?.date} at ${received?.shipToLocationCode}, and no shipping event has it: ${goodsText(lines, received)}.`
    case 'quantity':
    case 'unit':
      return `Shipped ${quantityText(shipped)}, received ${quantityText(received)}.`
    case 'lot':
      return `Shipped ${lotText(shipped)}, received ${lotText(received)}.${areAlike(shipped, received) ? ' The codes read alike.' : ''}`
    case 'item':
      return `Shipped as item ${shipped?.vendorItemCode}, received as item ${received?.vendorItemCode}.`
    case 'place':
      return `Shipped from ${shipped?.shipFromLocationCode} to ${shipped?.shipToLocationCode}, received from ${received?.shipFromLocationCode} at ${received?.shipToLocationCode}.`
    case 'date':
      return `Shipped on ${shipped?.date}, received on ${received?.date}.`
    case 'duplicate':
      return `${shipped === null ? 'Received' : 'Shipped'} once and recorded twice: ${goodsText(lines, shipped ?? received, { isTwice: true })}.`
  }
}

/** The goods of a difference, e.g. `56 case of ROM-24, lot GV26063-A` or `12 lines`. */
function goodsText(
  lines: number,
  side: Side,
  { isTwice = false }: { readonly isTwice?: boolean | undefined } = {},
): string {
  if (side?.vendorItemCode === undefined) return pluralize(lines, 'line')
  const lot = side.caseLotNumber === undefined ? '' : `, lot ${side.caseLotNumber}`
  return `${isTwice ? '' : `${quantityText(side)} of `}${side.vendorItemCode}${lot}`
}

const areAlike = (shipped: Side, received: Side): boolean =>
  shipped?.caseLotNumber !== undefined &&
  received?.caseLotNumber !== undefined &&
  foldedLot(shipped.caseLotNumber) === foldedLot(received.caseLotNumber)

const remedies: Readonly<Record<DifferenceKind, string>> = {
  notReceived:
    'Look for the delivery at the receiving location. If it arrived, create its receiving event. If it was never sent, void the shipping event.',
  notShipped: 'Ask the vendor for its shipping event. If nothing arrived, void the receiving event.',
  quantity: 'Compare both with the delivery note, and correct the event that is wrong.',
  unit: 'Agree on one unit with the vendor, and correct the event that has the other one.',
  lot: 'Compare both with the case label, and correct the event that is wrong.',
  item: 'Compare both with the case label, and correct the event that is wrong.',
  place: 'Find out where the food was shipped from and received, and correct the event that is wrong.',
  date: 'Compare both with the delivery note, and correct the event that is wrong.',
  duplicate: 'Compare the two records. If they are one delivery, void one of them.',
}
