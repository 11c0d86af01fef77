// The shipping event that something is made of, or why there is none.

import type { ShippingEventPayload } from '../../contract/payloads.ts'
import { shippingEvent } from '../../contract/record-kinds.ts'
import type { exchangeOperations } from '../../operations/exchange/operations.ts'
import { readRecord } from '../../store/store.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { isRecordId } from '../base/record-id.ts'
import { missingRecord, purgedRecord } from '../records/read.ts'

export async function shippedRecord(
  context: HandlerContext,
  call: OperationCall,
  operation: (typeof exchangeOperations)['draftReceivingEvent' | 'writeShipNotice'],
): Promise<{ readonly payload: ShippingEventPayload } | Answer<'unknownRecord' | 'purged' | 'eventVoided'>> {
  const { id, provider } = call
  const stored = isRecordId(id)
    ? await readRecord(context.store, provider, { kind: shippingEvent.name, id })
    : undefined
  if (stored === undefined)
    return { outcome: 'unknownRecord', detail: await missingRecord(context, call, shippingEvent) }
  if ('purgedAt' in stored) return purgedRecord(operation, shippingEvent, stored, call)
  if (stored.voidReason !== undefined)
    return { outcome: 'eventVoided', detail: `The shipping event ${id} was voided: ${stored.voidReason}` }
  return { payload: JSON.parse(stored.body) as ShippingEventPayload }
}
