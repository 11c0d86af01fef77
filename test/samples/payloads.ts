// One canonical payload of each kind, complete and right: no rule finds anything in it. Tests
// change copies of them.
import type { RecordKindName } from '../../src/contract/record-kinds.ts'
import type { Json } from './declared-shapes.ts'

const greenhouse = {
  locationCode: 'SHIP-FROM',
  locationName: 'Harbor Greenhouse',
  gln: '0614141000012',
  duns: '123456789',
  address: {
    streetAddress1: '5 Quay Street',
    streetAddress2: 'Gate B',
    city: 'Watsonville',
    state: 'CA',
    postalCode: '95076',
    country: 'USA',
  },
  geoLocation: { gpsCoordinates: ['36 54.60 N', '121 45.41 W'] },
  locationType: 'Supplier',
  glnAssignedBy: 'GS1',
  phoneNumber: '+1.831.555.0142',
}

const warehouse = {
  locationCode: 'SHIP-TO',
  locationName: 'River Warehouse',
  gln: '0614141999996',
  address: { streetAddress1: '17 Levee Road', city: 'Memphis', state: 'TN', postalCode: '38103', country: 'USA' },
  locationType: 'Customer',
  phoneNumber: '+1.901.555.0186',
}

const tomatoes = {
  itemCode: 'TOM-1',
  itemDescription: 'Vine tomatoes 12 lb',
  gtin: '10614141000415',
  itemUpc: '036000291452',
  innerPackUpc: '4006381333931',
  isFtlItem: true,
  ftlCategory: 'tomatoes',
  packStyle: 'carton',
  packSize: '12 lb',
  productCommodity: 'Tomato',
}

const line = {
  vendorItemCode: 'TOM-1',
  shipQuantity: 40,
  shipQuantityUom: 'case',
  palletId: '106141411234567897',
  caseGtin: '10614141000415',
  caseLotNumber: 'HG-2026-061',
  itemUpc: '96385074',
  countryOfOrigin: 'USA',
  tlcSourceReferenceGln: '0614141000012',
}

const receivingEvent = {
  payloadId: 'P-1',
  transmissionDateTime: '2026-03-04T20:00:00Z',
  productMasterDataList: [tomatoes],
  locationMasterList: [greenhouse, warehouse],
  eventList: {
    dataProviderVendorId: 'V-1',
    purchaseOrderNumber: 'PO-1',
    eventDateTime: '2026-03-04T09:30:00-06:00',
    shipFromLocationCode: 'SHIP-FROM',
    shipToLocationCode: 'SHIP-TO',
    standardCarrierAlphaCode: 'HGTL',
    productList: [line],
  },
}

const masterProduct = {
  payloadId: 'P-2',
  transmissionDateTime: '2026-03-01T12:00:00Z',
  productMasterDataList: { ...tomatoes, dataProviderVendorId: 'V-1', dataProviderVendorName: 'Harbor Greens' },
}

const location = {
  payloadId: 'P-3',
  transmissionDateTime: '2026-03-01T12:00:00Z',
  locationMasterList: { ...greenhouse, dataProviderVendorId: 'V-1' },
}

const shippingEvent = {
  ...receivingEvent,
  eventList: { ...receivingEvent.eventList, eventDateTime: '2026-03-03T16:10:00-06:00' },
}

/** The source of a lot that an event makes is its place. */
const { tlcSourceReferenceGln: _source, ...lineWithoutSource } = line

const transformationEvent = {
  payloadId: 'P-4',
  transmissionDateTime: '2026-03-04T20:00:00Z',
  productMasterDataList: [tomatoes],
  locationMasterList: [warehouse],
  eventList: {
    dataProviderVendorId: 'V-1',
    eventDateTime: '2026-03-04T09:30:00-06:00',
    transformationLocationCode: 'SHIP-TO',
    referenceDocumentType: 'Work Order',
    referenceDocumentNumber: 'WO-1',
    ingredientList: [line],
    productList: [{ ...lineWithoutSource, caseLotNumber: 'RW-2026-063' }],
  },
}

const ofChain = (name: string, fields: object, lines: object) => ({
  payloadId: `P-${name}`,
  transmissionDateTime: '2026-03-04T20:00:00Z',
  productMasterDataList: [tomatoes],
  locationMasterList: [greenhouse, warehouse],
  eventList: {
    dataProviderVendorId: 'V-1',
    eventDateTime: '2026-03-04T09:30:00-06:00',
    referenceDocumentType: 'Harvest Log',
    referenceDocumentNumber: 'HL-1',
    ...fields,
    productList: [lines],
  },
})
const harvested = { vendorItemCode: 'TOM-1', shipQuantity: 75, shipQuantityUom: 'bin' }
const harvestingEvent = ofChain(
  'harvesting',
  { harvestLocationCode: 'SHIP-FROM', shipToLocationCode: 'SHIP-TO' },
  { ...harvested, growingAreaName: 'House 3' },
)
const coolingEvent = ofChain(
  'cooling',
  { coolingLocationCode: 'SHIP-TO', shipToLocationCode: 'SHIP-TO', harvestLocationCode: 'SHIP-FROM' },
  harvested,
)
const loose = {
  itemCode: 'TOM-BULK',
  itemDescription: 'Vine tomatoes, field run',
  isFtlItem: true,
  ftlCategory: 'tomatoes',
  productCommodity: 'Tomato',
}
const initialPacked = ofChain(
  'packing',
  {
    packingLocationCode: 'SHIP-TO',
    receivedList: [
      {
        ...harvested,
        vendorItemCode: 'TOM-BULK',
        growingAreaName: 'House 3',
        receivedDate: '2026-03-03',
        harvestLocationCode: 'SHIP-FROM',
        harvesterName: 'Harbor Crew',
        harvesterPhoneNumber: '+1.831.555.0143',
        harvestDate: '2026-03-02',
        coolingLocationCode: 'SHIP-TO',
        coolingDate: '2026-03-03',
      },
    ],
  },
  { ...lineWithoutSource, caseLotNumber: 'PK-2026-063' },
)
const initialPackingEvent = {
  ...initialPacked,
  productMasterDataList: [loose, tomatoes],
  locationMasterList: [warehouse, greenhouse],
}
const firstLandBasedReceivingEvent = {
  ...ofChain(
    'landing',
    {
      receivingLocationCode: 'SHIP-TO',
      harvestStartDate: '2026-02-24',
      harvestEndDate: '2026-03-01',
      harvestAreaList: ['NMFS 5A'],
    },
    { ...lineWithoutSource, caseLotNumber: 'LD-2026-063' },
  ),
  locationMasterList: [warehouse],
}

const samples: Readonly<Record<RecordKindName, unknown>> = {
  receivingEvent,
  shippingEvent,
  harvestingEvent,
  coolingEvent,
  initialPackingEvent,
  firstLandBasedReceivingEvent,
  transformationEvent,
  masterProduct,
  location,
}

/** A copy of the canonical payload of a kind. */
export const samplePayload = (kind: RecordKindName): Json => structuredClone(samples[kind])

/** A product line that says all a line needs, and nothing else. */
export const sampleLine = (changes: object = {}): Json => ({
  vendorItemCode: 'TOM-1',
  shipQuantity: 40,
  shipQuantityUom: 'case',
  caseLotNumber: 'HG-2026-061',
  tlcSourceReferenceFei: '3004567890',
  ...changes,
})

/** Seeds of sprouts, with all that is needed of them. */
export const sampleSeeds = (): Json => ({
  seedType: 'Mung bean',
  seedGrowingSpecifications: 'GAP',
  seedPackaging: '50 lb poly bag',
  seedConditionerLocationCode: 'SHIP-TO',
  seedConditionerLotCode: 'SC-118',
  seedConditioningDate: '2025-11-04',
  seedPackerLocationCode: 'SHIP-TO',
  seedPackingDate: '2025-11-06',
  seedSupplierLocationCode: 'SHIP-TO',
  seedReceivedDate: '2026-01-12',
})
