// Names of fields as words: those of the trade where it has its own, else made from the spelling of
// the contract.

import { type EventKind, eventKinds, ofEventKinds, type RecordKindName } from '../../contract/record-kinds.ts'
import { capitalize } from '../../contract/text/capitalize.ts'

/** Fields that the trade calls otherwise than the contract spells them. */
const tradeLabels: Readonly<Record<string, string>> = {
  asnNumber: 'Advance ship notice',
  appointmentNumber: 'Delivery appointment',
  billOfLadingNumber: 'Bill of lading',
  carrierShipmentMethod: 'Mode of transport',
  carrierTrackingNumber: 'Tracking number',
  caseLotNumber: 'Lot code',
  dataProviderVendorId: 'Vendor',
  dataProviderVendorName: 'Vendor name',
  equipmentDescription: 'Equipment',
  equipmentNumber: 'Trailer or container',
  eventDateTime: 'Received at',
  eventEndDate: 'Received until',
  eventList: 'Event',
  eventStartDate: 'Received from',
  eventTransactionTime: 'Time of the transaction',
  expectedDeliveryDate: 'Expected delivery',
  geoFence: 'Fence',
  geoLocation: 'Position',
  grossWeightUOM: 'Unit of gross weight',
  isCoveredByGdst: 'Covered by GDST',
  isFtlItem: 'On the Food Traceability List',
  ingredientList: 'Ingredients',
  isHarvestedWithoutRoots: 'Harvested without roots',
  isPrimaryLocation: 'Headquarters',
  itemDateCode: 'Date code',
  itemDateCodeType: 'Type of date code',
  loadPlanningNumber: 'Load number',
  locationMasterList: 'Locations',
  methodOfPayment: 'Freight payment',
  netWeightUOM: 'Unit of net weight',
  palletHigh: 'Layers per pallet',
  palletId: 'Pallet SSCC',
  palletLpn: 'License plate number',
  palletPackagingDescriptionCode: 'Pallet packaging',
  palletTie: 'Cases per layer',
  parentLocationId: 'Parent location',
  poLineNumber: 'Purchase order line',
  productId: 'Line id',
  productList: 'Product lines',
  productMasterDataList: 'Products',
  purchaseOrderNumber: 'Purchase order',
  receivedList: 'Food received',
  purchaserItemCode: 'Item code of the buyer',
  seedList: 'Seeds',
  shipFromLocationCode: 'Ship-from location',
  shipQuantity: 'Quantity',
  shipQuantityUom: 'Unit',
  shipToLocationCode: 'Receiving location',
  shipmentLadingQuantity: 'Total quantity loaded',
  shipmentLadingUom: 'Unit of the total',
  standardCarrierAlphaCode: 'Carrier (SCAC)',
  streetAddress1: 'Street',
  streetAddress2: 'Street, line 2',
  tlcSourceAddress1: 'TLC source street',
  tlcSourceAddress2: 'TLC source street, line 2',
  tlcSourceReferenceDuns: 'TLC source DUNS',
  tlcSourceReferenceFei: 'TLC source FEI',
  tlcSourceReferenceFfrn: 'TLC source FFRN',
  tlcSourceReferenceGln: 'TLC source GLN',
  tlcSourceReferenceOther: 'Other TLC source reference',
  tlcSourceReferenceUrl: 'TLC source web link',
  transmissionDateTime: 'Sent at',
  vendorItemCode: 'Item code',
  vendorItemDescription: 'Item description',
}

/** Fields that mean something else in records of a kind. */
const labelsOfKinds: Readonly<Partial<Record<RecordKindName, Readonly<Record<string, string>>>>> = {
  ...ofEventKinds((kind) => (kind === 'receivingEvent' ? {} : labelsOfEvents(eventKinds[kind]))),
}

function labelsOfEvents({ happened }: EventKind): Readonly<Record<string, string>> {
  const words = capitalize(happened)
  return {
    eventDateTime: `${words} at`,
    eventEndDate: `${words} until`,
    eventStartDate: `${words} from`,
    shipToLocationCode: 'Ship-to location',
  }
}

let ownLabels: Readonly<Record<string, string>> = {}

/** Names fields as this kind of record does, until the next page: like the language of a page. */
export function nameFieldsOf(kind: RecordKindName | undefined): void {
  ownLabels = (kind && labelsOfKinds[kind]) ?? {}
}

/** Parts of names that are abbreviations. */
const abbreviations = new Set(
  'asn duns epcis fda fei ffrn ftl gdst gln gps gtin id iot lpn plu po tlc uom upc url'.split(' '),
)

/** `purchaseOrderNumber` as "Purchase order", `packStyle` as "Pack style". */
export function labelOf(name: string): string {
  const own = ownLabels[name]
  if (own !== undefined) return own
  if (Object.hasOwn(tradeLabels, name)) return tradeLabels[name] ?? name
  const words = name
    .replace(/(?<=[a-z])LocationCode$/, 'Location')
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z])(?=\d)/g, ' ')
    .split(' ')
    .map((word) => (abbreviations.has(word.toLowerCase()) ? word.toUpperCase() : word.toLowerCase()))
    .join(' ')
  return capitalize(words)
}

/**
 * A datetime as written, in a form that is quick to read: `2026-03-04 09:30 −05:00`. Text in
 * another form stays.
 */
export function dateTimeWords(written: string): string {
  const { time, zone } = dateTimeParts(written)
  return zone === '' ? time : `${time} ${zone}`
}

/** The same to the minute, for a time in UTC that the service recorded. */
export const minuteWords = (instant: string): string => dateTimeWords(instant.replace(/:\d{2}(\.\d+)?Z$/, ':00Z'))

/** A datetime in two parts: date and time, and the offset. */
export function dateTimeParts(written: string): { readonly time: string; readonly zone: string } {
  const [, date, time, seconds, offset = ''] =
    /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):(\d{2})(?:\.\d+)?(Z|[+-]\d{2}:00)$/.exec(written) ?? []
  if (date === undefined) return { time: written, zone: '' }
  const zone = offset === 'Z' ? 'UTC' : offset.replace('-', '−')
  return { time: `${date} ${time}${seconds === '00' ? '' : `:${seconds}`}`, zone }
}
