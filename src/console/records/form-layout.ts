// The order of a form and its groups: as the work goes, not as the payload is built
// (decision 0070). A field that is not named here is in the last group. Pure.
import { documentPairNames } from '../../contract/events/event-fields.ts'
import {
  allPlaceFieldsOf,
  type EventKind,
  eventKinds,
  isDeliveryKind,
  ofEventKinds,
  type RecordKindName,
} from '../../contract/record-kinds.ts'
import { labelOf } from '../words/labels.ts'

export interface FormGroup {
  readonly title: string
  /** Names of fields below the subject; those of the payload itself begin with a slash. */
  readonly fields: readonly string[]
  /** Open when a person opened it, it has a value, or something in it is wrong. */
  readonly isFolded?: true
}

const deliveryLayout: readonly FormGroup[] = [
  {
    title: 'Who and when',
    fields: ['dataProviderVendorId', 'dataProviderVendorName', 'purchaseOrderNumber', 'eventDateTime'],
  },
  { title: 'Where', fields: ['shipFromLocationCode', 'shipToLocationCode'] },
  { title: 'Product lines', fields: ['productList'] },
  {
    title: 'Documents',
    fields: ['billOfLadingNumber', 'asnNumber', 'purchaseOrderDate', 'expectedDeliveryDate'],
  },
  {
    title: 'Transport',
    isFolded: true,
    fields: [
      'standardCarrierAlphaCode',
      'carrierShipmentMethod',
      'equipmentDescription',
      'equipmentNumber',
      'carrierTrackingNumber',
      'appointmentNumber',
      'loadPlanningNumber',
      'methodOfPayment',
      'shipmentLadingQuantity',
      'shipmentLadingUom',
    ],
  },
  { title: 'Descriptions of the products', isFolded: true, fields: ['/productMasterDataList'] },
  { title: 'Other locations', isFolded: true, fields: ['/locationMasterList'] },
]

const titlesOfLists: Readonly<Record<string, string>> = { productList: 'Product lines' }

/** Of the other kinds of events: lists in the order of their declaration. */
const layoutOf = (kind: EventKind): readonly FormGroup[] => [
  { title: 'Who and when', fields: ['dataProviderVendorId', 'dataProviderVendorName', 'eventDateTime'] },
  { title: 'Where', fields: allPlaceFieldsOf(kind) },
  ...Object.keys(kind.lists).map((list) => ({ title: titlesOfLists[list] ?? labelOf(list), fields: [list] })),
  { title: 'Documents', fields: documentPairNames.flat() },
  { title: 'Descriptions of the products', isFolded: true, fields: ['/productMasterDataList'] },
  { title: 'Other locations', isFolded: true, fields: ['/locationMasterList'] },
]

export const formLayouts: Readonly<Record<RecordKindName, readonly FormGroup[]>> = {
  ...ofEventKinds((kind) => (isDeliveryKind(kind) ? deliveryLayout : layoutOf(eventKinds[kind]))),
  masterProduct: [
    {
      title: 'Product',
      fields: ['dataProviderVendorId', 'dataProviderVendorName', 'itemCode', 'itemDescription', 'brandName', 'gtin'],
    },
    {
      title: 'Description for FDA',
      fields: ['isFtlItem', 'ftlCategory', 'packSize', 'packStyle', 'productCommodity', 'productVariety'],
    },
    { title: 'Other numbers', isFolded: true, fields: ['itemUpc', 'innerPackUpc', 'plu', 'alternateItemCode'] },
    {
      title: 'Seafood',
      isFolded: true,
      fields: ['scientificName', 'acceptableSpeciesName', 'isCoveredByGdst'],
    },
    {
      title: 'Weight',
      isFolded: true,
      fields: ['grossWeight', 'grossWeightUOM', 'netWeight', 'netWeightUOM'],
    },
  ],
  location: [
    {
      title: 'Location',
      fields: ['dataProviderVendorId', 'locationCode', 'locationName', 'gln', 'duns', 'phoneNumber'],
    },
    { title: 'Address', fields: ['address'] },
    { title: 'Position', isFolded: true, fields: ['geoLocation'] },
  ],
}

/** Title of the group of all other fields. */
export const otherFields = 'More'
