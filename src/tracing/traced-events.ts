// Events, lines and vendors in the form of the answer.
import { descriptionOf } from '../contract/line-item.ts'
import { isGiven } from '../contract/shape/field.ts'
import { mapInSteps, type Steps } from '../steps.ts'
import { type Movement, placeId, sourceId } from './links.ts'
import type { LotEvent, LotLine } from './lot-event.ts'
import type { LotTrace, ShippedLine, TracedEvent } from './lot-trace.ts'

export function vendorsOf(events: readonly LotEvent[]): LotTrace['vendors'] {
  const vendors = new Map<string, { name: string | undefined; events: number }>()
  for (const { event } of events) {
    const known = vendors.get(event.dataProviderVendorId) ?? { name: undefined, events: 0 }
    vendors.set(event.dataProviderVendorId, known)
    known.events++
    if (known.name === undefined && isGiven(event.dataProviderVendorName)) known.name = event.dataProviderVendorName
  }
  return [...vendors].map(([dataProviderVendorId, { name, events: count }]) => ({
    dataProviderVendorId,
    ...(name !== undefined && { dataProviderVendorName: name }),
    events: count,
  }))
}

/** The answer about an event of either kind. */
export const eventFields = ({ id, version, event }: LotEvent, from: number, to: number) => ({
  id,
  version,
  eventDateTime: event.eventDateTime,
  dataProviderVendorId: event.dataProviderVendorId,
  ...givenText('dataProviderVendorName', event.dataProviderVendorName),
  ...givenText('purchaseOrderNumber', event.purchaseOrderNumber),
  ...givenText('asnNumber', event.asnNumber),
  ...givenText('billOfLadingNumber', event.billOfLadingNumber),
  shipFromLocationCode: event.shipFromLocationCode,
  from: placeId(from),
  shipToLocationCode: event.shipToLocationCode,
  to: placeId(to),
})

export function* tracedEvents(movements: readonly Movement[]): Steps<TracedEvent[]> {
  const events = new Map<LotEvent, TracedEvent>()
  yield* mapInSteps(movements, ({ event, from, to, line, gtin, source }) => {
    const { purchaseOrderNumber } = event.event
    const traced = events.get(event) ?? { ...eventFields(event, from, to), purchaseOrderNumber, lines: [] }
    events.set(event, traced)
    traced.lines.push({ source: sourceId(source), ...lineFields(line, gtin) })
  })
  return [...events.values()]
}

const givenText = <K extends string>(name: K, value: string | undefined): { readonly [_ in K]?: string } =>
  isGiven(value) ? ({ [name]: value } as { readonly [_ in K]: string }) : {}

/** The answer about a line of an event of either kind. */
export function lineFields({ index, line, product }: LotLine, gtin: string | undefined): ShippedLine {
  const description = descriptionOf(line, product)
  return {
    pointer: `/eventList/productList/${index}`,
    lotCode: line.caseLotNumber ?? '',
    vendorItemCode: line.vendorItemCode,
    ...givenText('purchaserItemCode', line.purchaserItemCode),
    ...givenText('itemDescription', description),
    ...(gtin !== undefined && { gtin }),
    shipQuantity: line.shipQuantity,
    shipQuantityUom: line.shipQuantityUom,
    ...givenText('palletId', line.palletId),
    ...givenText('harvestDate', line.harvestDate),
    ...givenText('packagingDate', line.packagingDate),
    ...givenText('productionDate', line.productionDate),
    ...givenText('bestBeforeDate', line.bestBeforeDate),
    ...givenText('expirationDate', line.expirationDate),
    ...givenText('countryOfOrigin', line.countryOfOrigin),
  }
}
