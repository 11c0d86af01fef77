// Reads the compared fields of shipping and receiving events.
import { type ComparedRow, type DeliveryRow, readDeliveries } from '../../store/traceability/delivery-events.ts'
import { readComparedFields } from '../../tracing/compared-fields.ts'
import type { DeliveryEvent } from '../../tracing/delivery-event.ts'
import { nextTurn } from '../base/cooperative.ts'
import type { HandlerContext } from '../base/handler.ts'

/** The events of these rows, in their order, without those that were voided or purged meanwhile. */
export async function gatherDeliveries(
  { store }: HandlerContext,
  provider: string,
  side: DeliveryEvent['side'],
  rows: readonly DeliveryRow[],
): Promise<readonly DeliveryEvent[]> {
  const gathered: DeliveryEvent[] = []
  for await (const batch of readDeliveries(store, provider, side, rows)) {
    for (const { event, row } of batch) gathered.push(deliveryEventOf(side, event, row))
    await nextTurn()
  }
  return gathered
}

function deliveryEventOf(side: DeliveryEvent['side'], { id, date }: DeliveryRow, row: ComparedRow): DeliveryEvent {
  const { vendorName, billOfLadingNumber, shipFromGln, shipToGln, lines } = readComparedFields(row.compared)
  return {
    side,
    id,
    vendor: row.vendor,
    vendorName,
    instant: row.instant,
    date,
    shipFrom: { code: row.shipFrom, gln: shipFromGln },
    shipTo: { code: row.shipTo, gln: shipToGln },
    documents: {
      purchaseOrderNumber: row.purchaseOrderNumber ?? undefined,
      billOfLadingNumber,
      asnNumber: row.asnNumber ?? undefined,
    },
    lines,
  }
}
