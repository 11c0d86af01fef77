// The receiving event that a shipping event becomes when the goods arrive: all shipped data,
// without the facts that only the receiver knows. Not shown in the contract; decided in 0082.

import type { ShippingEventPayload } from './payloads.ts'
import { documentsOf, fieldsOfDocuments } from './reference-document.ts'
import { isGiven } from './shape/field.ts'

/** Ids and times of the shipper's record are not those of the receiver's. */
export function draftReceipt({ productMasterDataList, locationMasterList, eventList }: ShippingEventPayload) {
  const {
    eventId: _,
    eventDateTime: __,
    eventTransactionTime: ___,
    purchaseOrderNumber,
    productList,
    ...event
  } = eventList
  // A receiving event needs a purchase order number: another document takes its place (0050).
  const document = purchaseOrderNumber ?? fieldsOfDocuments(documentsOf(eventList)).fields.purchaseOrderNumber
  return {
    productMasterDataList,
    locationMasterList,
    eventList: {
      ...event,
      ...(isGiven(document) && { purchaseOrderNumber: document }),
      productList: productList.map(({ productId: ____, ...line }) => line),
    },
  }
}
