// The fields of the contract, typed out by hand from its sections 2.1 to 2.5. Never generated from
// src: it is what src is compared with.

type FieldType =
  | 'string'
  | 'number'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'object'
  | 'list of string'
  | 'list of list of string'
  | 'list of object'

/** Name, type, and whether it is required. */
export type ContractField = readonly [name: string, type: FieldType, required: 'yes' | 'no']

/** §2.1, as the receiving event endpoint states it. */
export const envelope: readonly ContractField[] = [
  ['payloadId', 'string', 'no'],
  ['transmissionDateTime', 'datetime', 'no'],
]

/**
 * §2.1 where only the length rule is stated (§2, decision 0006): the form is advice, so the shape
 * knows a string.
 */
export const masterDataEnvelope: readonly ContractField[] = [
  ['payloadId', 'string', 'no'],
  ['transmissionDateTime', 'string', 'no'],
]

/** §2.2, the fields of both payloads. */
export const product: readonly ContractField[] = [
  ['itemCode', 'string', 'yes'],
  ['itemDescription', 'string', 'yes'],
  ['businessUnit', 'string', 'no'],
  ['alternateItemCode', 'string', 'no'],
  ['gtin', 'string', 'no'],
  ['itemUpc', 'string', 'no'],
  ['innerPackUpc', 'string', 'no'],
  ['plu', 'string', 'no'],
  ['isFtlItem', 'boolean', 'no'],
  // Required when the product is on the Food Traceability List: a rule, not a shape.
  ['ftlCategory', 'string', 'no'],
  ['brandName', 'string', 'no'],
  ['packStyle', 'string', 'no'],
  ['packSize', 'string', 'no'],
  ['productCommodity', 'string', 'no'],
  ['productVariety', 'string', 'no'],
  ['scientificName', 'string', 'no'],
  ['acceptableSpeciesName', 'string', 'no'],
  ['isCoveredByGdst', 'boolean', 'no'],
  ['grossWeight', 'number', 'no'],
  ['grossWeightUOM', 'string', 'no'],
  ['netWeight', 'number', 'no'],
  ['netWeightUOM', 'string', 'no'],
]

/** §2.2, the fields only the master product endpoint has. */
export const productVendor: readonly ContractField[] = [
  ['dataProviderVendorId', 'string', 'yes'],
  ['dataProviderVendorName', 'string', 'no'],
]

/** §2.3. `gln`, `duns`, `address` and `phoneNumber` depend on one another: a rule, not a shape. */
export const location: readonly ContractField[] = [
  ['locationName', 'string', 'yes'],
  ['locationCode', 'string', 'yes'],
  ['gln', 'string', 'no'],
  ['duns', 'string', 'no'],
  ['address', 'object', 'no'],
  ['geoLocation', 'object', 'no'],
  ['businessUnit', 'string', 'no'],
  ['market', 'string', 'no'],
  ['region', 'string', 'no'],
  ['locationType', 'string', 'no'],
  ['parentLocationId', 'string', 'no'],
  ['glnAssignedBy', 'string', 'no'],
  ['alternateLocationCode', 'string', 'no'],
  ['phoneNumber', 'string', 'no'],
  ['isPrimaryLocation', 'boolean', 'no'],
  ['isCoveredByGdst', 'boolean', 'no'],
]

/** The locations endpoint is the service's own: location data, and whose it is (decision 0010). */
export const locationVendor: readonly ContractField[] = [['dataProviderVendorId', 'string', 'yes']]

/** §2.3 address. */
export const address: readonly ContractField[] = [
  ['streetAddress1', 'string', 'no'],
  ['streetAddress2', 'string', 'no'],
  ['city', 'string', 'no'],
  ['state', 'string', 'no'],
  ['postalCode', 'string', 'no'],
  ['country', 'string', 'no'],
]

/** §2.3 geoLocation. */
export const geoLocation: readonly ContractField[] = [
  ['gpsCoordinates', 'list of string', 'no'],
  ['geoFence', 'list of list of string', 'no'],
]

/** §2.4. */
export const receivingEvent: readonly ContractField[] = [
  ['dataProviderVendorId', 'string', 'yes'],
  ['purchaseOrderNumber', 'string', 'yes'],
  ['eventDateTime', 'datetime', 'yes'],
  ['shipFromLocationCode', 'string', 'yes'],
  ['shipToLocationCode', 'string', 'yes'],
  ['productList', 'list of object', 'yes'],
  ['eventId', 'string', 'no'],
  ['dataProviderVendorName', 'string', 'no'],
  ['purchaseOrderDate', 'date', 'no'],
  ['businessUnit', 'string', 'no'],
  ['eventTransactionTime', 'datetime', 'no'],
  ['billOfLadingNumber', 'string', 'no'],
  ['asnNumber', 'string', 'no'],
  ['expectedDeliveryDate', 'date', 'no'],
  ['standardCarrierAlphaCode', 'string', 'no'],
  ['carrierShipmentMethod', 'string', 'no'],
  ['equipmentDescription', 'string', 'no'],
  ['equipmentNumber', 'string', 'no'],
  ['appointmentNumber', 'string', 'no'],
  ['carrierTrackingNumber', 'string', 'no'],
  ['loadPlanningNumber', 'string', 'no'],
  ['methodOfPayment', 'string', 'no'],
  ['shipmentLadingQuantity', 'number', 'no'],
  ['shipmentLadingUom', 'string', 'no'],
]

/** §2.5. The lot number and the TLC source depend on other fields: rules, not shapes. */
export const productLine: readonly ContractField[] = [
  ['vendorItemCode', 'string', 'yes'],
  ['shipQuantity', 'number', 'yes'],
  ['shipQuantityUom', 'string', 'yes'],
  ['productId', 'string', 'no'],
  ['businessUnit', 'string', 'no'],
  ['vendorItemDescription', 'string', 'no'],
  ['palletId', 'string', 'no'],
  ['palletLpn', 'string', 'no'],
  ['palletPackagingDescriptionCode', 'string', 'no'],
  ['palletHigh', 'number', 'no'],
  ['palletTie', 'number', 'no'],
  ['iotDevice', 'string', 'no'],
  ['poLineNumber', 'string', 'no'],
  ['purchaserItemCode', 'string', 'no'],
  ['caseGtin', 'string', 'no'],
  ['caseLotNumber', 'string', 'no'],
  ['expirationDate', 'date', 'no'],
  ['productionDate', 'date', 'no'],
  ['packagingDate', 'date', 'no'],
  ['bestBeforeDate', 'date', 'no'],
  ['harvestDate', 'date', 'no'],
  ['countryOfOrigin', 'string', 'no'],
  ['itemUpc', 'string', 'no'],
  ['itemPlu', 'string', 'no'],
  ['itemDateCode', 'date', 'no'],
  ['itemDateCodeType', 'string', 'no'],
  ['tlcSourceReferenceDuns', 'string', 'no'],
  ['tlcSourceReferenceGln', 'string', 'no'],
  ['tlcSourceReferenceFfrn', 'string', 'no'],
  ['tlcSourceReferenceFei', 'string', 'no'],
  ['tlcSourceReferenceUrl', 'string', 'no'],
  ['tlcSourceReferenceOther', 'string', 'no'],
  ['tlcSourceName', 'string', 'no'],
  ['tlcSourceAddress1', 'string', 'no'],
  ['tlcSourceAddress2', 'string', 'no'],
  ['tlcSourceCity', 'string', 'no'],
  ['tlcSourceState', 'string', 'no'],
  ['tlcSourcePostalCode', 'string', 'no'],
  ['tlcSourceCountry', 'string', 'no'],
  ['tlcSourcePhoneNumber', 'string', 'no'],
]

/** §2.2 `ftlCategory` listed values. */
export const ftlCategories: readonly string[] = [
  'soft cheese',
  'shell eggs',
  'nut butter',
  'cucumbers',
  'herbs',
  'leafy greens',
  'melons',
  'peppers',
  'sprouts',
  'tomatoes',
  'tropical tree fruits',
  'fresh-cut fruits',
  'fresh-cut vegetables',
  'finfish',
  'smoked finfish',
  'crustaceans',
  'molluscan shellfish',
  'ready-to-eat deli salads',
  'multiple-ftl-ingredients',
]
