// Gathers what is compared of shipping and receiving events, and keeps it for the next page.
import { instantOf } from '../contract/date-and-time.ts'
import { isGiven } from '../contract/field.ts'
import { gtin14Of } from '../contract/gs1-text.ts'
import { gtinsOf } from '../contract/line-item.ts'
import { readLotCode } from '../contract/lot-code.ts'
import type { ReceivingEventPayload } from '../contract/payloads.ts'
import { isStatedCode } from '../contract/placeholder.ts'
import { type DeliveryRow, readDeliveries } from '../store/delivery-events.ts'
import type { DeliveryEvent } from '../tracing/delivery-event.ts'
import { nextTurn } from './cooperative.ts'
import type { HandlerContext } from './handler.ts'

type BySide<Value> = Readonly<Record<DeliveryEvent['side'], Value>>

/** How long events are kept after a comparison, in milliseconds. */
const keptMs = 120_000

/**
 * The events of the last comparison of this process, by record and version. A version never
 * changes, and reading them again would be two thirds of the work for the next page.
 */
let kept: ReadonlyMap<string, DeliveryEvent> = new Map()
let release: NodeJS.Timeout | undefined

const keyOf = ({ id, version }: DeliveryRow): string => `${id} ${version}`

/**
 * The events of these rows, in their order. Those that were not in the last comparison are read;
 * those that were purged meanwhile are left out.
 */
export async function gatherDeliveries(
  context: HandlerContext,
  provider: string,
  { shipped, received }: BySide<readonly DeliveryRow[]>,
): Promise<BySide<readonly DeliveryEvent[]>> {
  const gathered = new Map<string, DeliveryEvent>()
  const sides = {
    shipped: await gather(context, provider, 'shipped', shipped, gathered),
    received: await gather(context, provider, 'received', received, gathered),
  }
  kept = gathered
  clearTimeout(release)
  release = setTimeout(() => {
    kept = new Map()
  }, keptMs).unref()
  return sides
}

async function gather(
  { store }: HandlerContext,
  provider: string,
  side: DeliveryEvent['side'],
  rows: readonly DeliveryRow[],
  gathered: Map<string, DeliveryEvent>,
): Promise<readonly DeliveryEvent[]> {
  const unread: DeliveryRow[] = []
  for (const row of rows) {
    const event = kept.get(keyOf(row))
    if (event === undefined) unread.push(row)
    // The date changes with the time zone of a location.
    else gathered.set(keyOf(row), event.date === row.date ? event : { ...event, date: row.date })
  }
  for await (const batch of readDeliveries(store, provider, unread)) {
    for (const { event, body } of batch) gathered.set(keyOf(event), deliveryEventOf(side, event, body))
    await nextTurn()
  }
  return rows.flatMap((row) => gathered.get(keyOf(row)) ?? [])
}

function deliveryEventOf(side: DeliveryEvent['side'], { id, date }: DeliveryRow, body: string): DeliveryEvent {
  const { eventList: event, locationMasterList, productMasterDataList } = JSON.parse(body) as ReceivingEventPayload
  const placeAt = (code: string) => {
    const gln = locationMasterList.find(({ locationCode }) => locationCode === code)?.gln
    return { code, gln: isStatedCode(gln) ? gln : undefined }
  }
  const products = new Map(productMasterDataList.map((product) => [product.itemCode, product]))
  return {
    side,
    id,
    vendor: event.dataProviderVendorId,
    vendorName: isGiven(event.dataProviderVendorName) ? event.dataProviderVendorName : undefined,
    instant: instantOf(event.eventDateTime),
    date,
    shipFrom: placeAt(event.shipFromLocationCode),
    shipTo: placeAt(event.shipToLocationCode),
    documents: {
      purchaseOrderNumber: event.purchaseOrderNumber,
      billOfLadingNumber: event.billOfLadingNumber,
      asnNumber: event.asnNumber,
    },
    lines: event.productList.map((line, index) => ({
      index,
      itemCode: line.vendorItemCode,
      caseGtin: isStatedCode(line.caseGtin) ? (gtin14Of(line.caseGtin.trim()) ?? line.caseGtin.trim()) : undefined,
      gtins: gtinsOf(line, products.get(line.vendorItemCode)),
      lotCode: isStatedCode(line.caseLotNumber) ? readLotCode(line.caseLotNumber).lotCode : undefined,
      quantity: line.shipQuantity,
      unit: line.shipQuantityUom,
      palletId: isStatedCode(line.palletId) ? line.palletId.trim() : undefined,
    })),
  }
}
