// Which shipping and receiving events are of one delivery: those that share a bill of lading, a
// ship notice, another document of a shipment, or a pallet (decision 0081). A purchase order is of
// several deliveries, so it only groups the remaining lines.

import { documentsOf, foldDocumentNumber, purchaseOrder } from '../contract/reference-document.ts'
import { isStatedCode } from '../contract/shape/placeholder.ts'
import type { Steps } from '../steps.ts'
import type { DeliveryEvent } from './delivery-event.ts'
import { DisjointSets } from './disjoint-sets.ts'

/** The documents of an event, as keys by which events are compared. */
export interface DocumentKeys {
  /** Number by kind: bill of lading, ship notice, packing list and the like. */
  readonly shipment: ReadonlyMap<string, string>
  /** Number by kind: purchase, sales, transfer or work order. */
  readonly order: ReadonlyMap<string, string>
}

export interface Delivery {
  readonly number: number
  readonly keys: DocumentKeys
  /** The first order that any event of the delivery names, a purchase order before others. */
  readonly order: string | undefined
}

const eventsPerStep = 50

/** The delivery of each event. */
export function* deliveriesOf(events: readonly DeliveryEvent[]): Steps<ReadonlyMap<DeliveryEvent, Delivery>> {
  const sets = new DisjointSets()
  const byKey = new Map<string, number>()
  const joinBy = (number: number, key: string) => {
    const other = byKey.get(key)
    if (other === undefined) byKey.set(key, number)
    else sets.join(other, number)
  }
  const keysOf: DocumentKeys[] = []
  for (const event of events) {
    const number = sets.add()
    if (number % eventsPerStep === 0) yield
    const keys = documentKeysOf(event)
    keysOf.push(keys)
    for (const [kind, text] of keys.shipment) joinBy(number, `${event.vendor}\u0000${kind}\u0000${text}`)
    for (const { palletId } of event.lines)
      if (palletId !== undefined) joinBy(number, `${event.vendor}\u0000${palletId}`)
  }
  const orders = new Map<number, string>()
  for (const orderIn of [purchaseOrderIn, firstOrderIn])
    for (const [i, { order }] of keysOf.entries()) {
      const named = orderIn(order)
      if (named !== undefined && !orders.has(sets.rootOf(i))) orders.set(sets.rootOf(i), named)
    }
  return new Map(
    events.map((event, i) => {
      const number = sets.rootOf(i)
      return [event, { number, keys: keysOf[i] ?? { shipment: none, order: none }, order: orders.get(number) }]
    }),
  )
}

const none: ReadonlyMap<string, string> = new Map()

const orderText = (kind: string, number: string): string => `${kind}\u0000${number}`

export function purchaseOrderIn(orders: DocumentKeys['order']): string | undefined {
  const number = orders.get(purchaseOrder)
  return number && orderText(purchaseOrder, number)
}

function firstOrderIn([first]: DocumentKeys['order']): string | undefined {
  return first && orderText(...first)
}

function documentKeysOf({ documents }: DeliveryEvent): DocumentKeys {
  const shipment = new Map<string, string>()
  const order = new Map<string, string>()
  for (const { kind, number } of documentsOf(documents)) {
    const text = foldDocumentNumber(number)
    if (text !== '' && isStatedCode(number)) (kind.includes('Order') ? order : shipment).set(kind, text)
  }
  return { shipment, order }
}

/** True when both have a document of one kind, and its numbers differ. */
export const doDocumentsDiffer = (some: DocumentKeys, others: DocumentKeys): boolean =>
  differ(some.shipment, others.shipment) || differ(some.order, others.order)

const differ = (some: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>): boolean =>
  [...some].some(([kind, number]) => others.has(kind) && others.get(kind) !== number)

/** True when both have the same document of one kind. */
export const isDocumentShared = (some: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>): boolean =>
  [...some].some(([kind, number]) => others.get(kind) === number)
