// The place of each field of a receiving event in EPCIS: one table for the export and for the
// reference page.
import type { Location } from '../../contract/location.ts'
import type { ReceivingEventPayload } from '../../contract/payloads.ts'
import type { Product } from '../../contract/product.ts'
import type { ProductLine } from '../../contract/product-line.ts'
import type { ReceivingEvent } from '../../contract/receiving-event.ts'

export interface Mapped {
  /** The standard field it becomes, or is part of. */
  readonly standard?: string
  /**
   * Whether the namespace has it too, as written. Not where the standard field has exactly the same
   * text.
   */
  readonly asWritten: boolean
}

type FieldMapping<T> = { readonly [Field in keyof Required<T>]: Mapped }

/** Only under the namespace, as written. */
const extension: Mapped = { asWritten: true }
/** In a standard field, in its form, and under the namespace as written. */
const both = (standard: string): Mapped => ({ standard, asWritten: true })
/** In a standard field with exactly the same text. */
const standard = (where: string): Mapped => ({ standard: where, asWritten: false })

const payload: FieldMapping<ReceivingEventPayload> = {
  payloadId: extension,
  transmissionDateTime: extension,
  productMasterDataList: extension,
  locationMasterList: extension,
  eventList: standard('the ObjectEvent'),
}

const event: FieldMapping<ReceivingEvent> = {
  dataProviderVendorId: both('sourceList: owning_party'),
  purchaseOrderNumber: both('bizTransactionList: po'),
  eventDateTime: standard('eventTime, eventTimeZoneOffset'),
  shipFromLocationCode: both('sourceList: location'),
  shipToLocationCode: both('readPoint, bizLocation; destinationList: location'),
  productList: both('quantityList, epcList'),
  eventId: extension,
  dataProviderVendorName: extension,
  purchaseOrderDate: extension,
  businessUnit: extension,
  eventTransactionTime: extension,
  billOfLadingNumber: both('bizTransactionList: bol'),
  asnNumber: both('bizTransactionList: desadv'),
  expectedDeliveryDate: extension,
  standardCarrierAlphaCode: extension,
  carrierShipmentMethod: extension,
  equipmentDescription: extension,
  equipmentNumber: extension,
  appointmentNumber: extension,
  carrierTrackingNumber: extension,
  loadPlanningNumber: extension,
  methodOfPayment: extension,
  shipmentLadingQuantity: extension,
  shipmentLadingUom: extension,
}

const line: FieldMapping<ProductLine> = {
  vendorItemCode: both('quantityList: epcClass, when there is no GTIN'),
  shipQuantity: both('quantityList: quantity'),
  shipQuantityUom: both('quantityList: uom, for a unit of mass or volume'),
  productId: extension,
  businessUnit: extension,
  vendorItemDescription: extension,
  palletId: both('epcList'),
  palletLpn: extension,
  palletPackagingDescriptionCode: extension,
  palletHigh: extension,
  palletTie: extension,
  iotDevice: extension,
  poLineNumber: extension,
  purchaserItemCode: extension,
  caseGtin: both('quantityList: epcClass'),
  caseLotNumber: both('quantityList: epcClass'),
  expirationDate: extension,
  productionDate: extension,
  packagingDate: extension,
  bestBeforeDate: extension,
  harvestDate: extension,
  countryOfOrigin: extension,
  itemUpc: extension,
  itemPlu: extension,
  itemDateCode: extension,
  itemDateCodeType: extension,
  tlcSourceReferenceDuns: extension,
  tlcSourceReferenceGln: extension,
  tlcSourceReferenceFfrn: extension,
  tlcSourceReferenceFei: extension,
  tlcSourceReferenceUrl: extension,
  tlcSourceReferenceOther: extension,
  tlcSourceName: extension,
  tlcSourceAddress1: extension,
  tlcSourceAddress2: extension,
  tlcSourceCity: extension,
  tlcSourceState: extension,
  tlcSourcePostalCode: extension,
  tlcSourceCountry: extension,
  tlcSourcePhoneNumber: extension,
}

const location: FieldMapping<Location> = {
  locationName: extension,
  locationCode: both('readPoint, bizLocation, sourceList, destinationList, when there is no GLN'),
  gln: both('readPoint, bizLocation, sourceList, destinationList, bizTransactionList'),
  duns: extension,
  address: extension,
  geoLocation: extension,
  businessUnit: extension,
  market: extension,
  region: extension,
  locationType: extension,
  parentLocationId: extension,
  glnAssignedBy: extension,
  alternateLocationCode: extension,
  phoneNumber: extension,
  isPrimaryLocation: extension,
  isCoveredByGdst: extension,
}

const address: FieldMapping<NonNullable<Location['address']>> = {
  streetAddress1: extension,
  streetAddress2: extension,
  city: extension,
  state: extension,
  postalCode: extension,
  country: extension,
}

const geoLocation: FieldMapping<NonNullable<Location['geoLocation']>> = {
  gpsCoordinates: extension,
  geoFence: extension,
}

const product: FieldMapping<Product> = {
  itemCode: extension,
  itemDescription: extension,
  businessUnit: extension,
  alternateItemCode: extension,
  gtin: both('quantityList: epcClass, when the line has no caseGtin'),
  itemUpc: extension,
  innerPackUpc: extension,
  plu: extension,
  isFtlItem: extension,
  ftlCategory: extension,
  brandName: extension,
  packStyle: extension,
  packSize: extension,
  productCommodity: extension,
  productVariety: extension,
  scientificName: extension,
  acceptableSpeciesName: extension,
  isCoveredByGdst: extension,
  grossWeight: extension,
  grossWeightUOM: extension,
  netWeight: extension,
  netWeightUOM: extension,
}

/** The table of each object of the contract, under the name of its shape. */
export const mapping: Readonly<Record<string, Readonly<Record<string, Mapped>>>> = {
  ReceivingEventPayload: payload,
  ReceivingEvent: event,
  ProductLine: line,
  Location: location,
  Address: address,
  GeoLocation: geoLocation,
  Product: product,
}
