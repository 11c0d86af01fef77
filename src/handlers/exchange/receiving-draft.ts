// The draft of a receiving event, and receipts that there are already. Source: decision 0082.

import type { ShippingEventPayload } from '../../contract/payloads.ts'
import { draftReceipt } from '../../contract/receiving-draft.ts'
import { isGiven } from '../../contract/shape/field.ts'
import { exchangeOperations } from '../../operations/exchange/operations.ts'
import { namedReceiptsMax } from '../../operations/exchange/receiving-draft.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { storedEvents } from '../records/stored-kinds.ts'
import { shippedRecord } from './shipped-record.ts'

export const draftReceivingEvent =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'unknownRecord' | 'purged' | 'eventVoided' | 'drafted'>> => {
    const shipped = await shippedRecord(context, call, exchangeOperations.draftReceivingEvent)
    if ('outcome' in shipped) return shipped
    const draft = draftReceipt(shipped.payload)
    return {
      outcome: 'drafted',
      body: {
        draft,
        toConfirm: [
          '/eventList/eventDateTime',
          ...draft.eventList.productList.map((_, i) => `/eventList/productList/${i}/shipQuantity`),
        ],
        receivingEvents: await findReceipts(context, call.provider, draft.eventList),
      },
    }
  }

/** Events that perhaps are the receipt of these goods already. */
export async function findReceipts(
  { store }: HandlerContext,
  provider: string,
  {
    dataProviderVendorId,
    shipToLocationCode,
    asnNumber,
    purchaseOrderNumber,
  }: Pick<
    ShippingEventPayload['eventList'],
    'dataProviderVendorId' | 'shipToLocationCode' | 'asnNumber' | 'purchaseOrderNumber'
  >,
): Promise<readonly string[]> {
  const document = isGiven(asnNumber)
    ? { asnNumber }
    : isGiven(purchaseOrderNumber)
      ? { purchaseOrderNumber }
      : undefined
  if (document === undefined) return []
  const found = await storedEvents.receivingEvent.search(
    store,
    { provider, limit: namedReceiptsMax },
    {
      dataProviderVendorId,
      shipToLocationCode,
      ...document,
    },
  )
  return found.map((receipt) => receipt.id)
}
