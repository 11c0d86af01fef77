// Findings as they are stored, one of each sentence, and how each reads. Records hold such findings
// for years: a line may get a new text, and stays here as long as its rule is in the catalogue.
import type { StoredFinding } from '../../src/contract/shape/finding.ts'

type Sample = readonly [stored: StoredFinding, message: string]

const ofReceiving: readonly Sample[] = [
  [
    ['payload/payload-id-unique', 'used', '/payloadId', 'P-1', '0192f0c4-7a7e-7000-8000-000000000001'],
    'payloadId "P-1" was already used by the payload that made record 0192f0c4-7a7e-7000-8000-000000000001.',
  ],
  [
    ['payload/transmission-date-time-form', 'form', '/transmissionDateTime', '2026-03-04 18:05'],
    'transmissionDateTime is "2026-03-04 18:05". A date and time has the form yyyy-MM-ddTHH:mm:ssZ, e.g. 2026-03-04T17:30:00Z or 2026-03-04T09:30:00-08:00.',
  ],
  [
    [
      'product/item-code-repeated',
      'repeated',
      '/productMasterDataList/1/itemCode',
      'TOM-1',
      '/productMasterDataList/0',
    ],
    'itemCode "TOM-1" is already used at /productMasterDataList/0, with the same content.',
  ],
  [
    ['location/code-repeated', 'repeated', '/locationMasterList/1/locationCode', 'SHIP-TO', '/locationMasterList/0'],
    'locationCode "SHIP-TO" is already used at /locationMasterList/0, with the same content.',
  ],
  [
    ['product/ftl-category-listed', 'unlisted', '/productMasterDataList/0/ftlCategory', 'Salad'],
    '"Salad" is not a listed FTL category.',
  ],
  [
    ['product/off-list-without-category', 'listed', '/productMasterDataList/0/isFtlItem', 'tomatoes'],
    'isFtlItem is false and ftlCategory is "tomatoes".',
  ],
  [
    ['product/gtin-check-digit', 'mismatch', '/productMasterDataList/0/gtin', '10614141000414', '5'],
    'gtin 10614141000414 ends in 4; its other digits call for 5.',
  ],
  [
    ['product/item-upc-check-digit', 'mismatch', '/productMasterDataList/0/itemUpc', '036000291459', '2'],
    'itemUpc 036000291459 ends in 9; its other digits call for 2.',
  ],
  [
    ['product/inner-pack-upc-check-digit', 'mismatch', '/productMasterDataList/0/innerPackUpc', '036000291459', '2'],
    'innerPackUpc 036000291459 ends in 9; its other digits call for 2.',
  ],
  [
    ['product/identifiers-assigned', 'toNobody', '/productMasterDataList/0/gtin', 'gtin', '00000000000000', 'GTIN-14'],
    'gtin is "00000000000000", which was assigned to nobody as a GTIN-14.',
  ],
  [
    ['product/weight-positive', 'notPositive', '/productMasterDataList/0/netWeight', 'netWeight', -1.5],
    'netWeight is -1.5; a weight is more than 0.',
  ],
  [
    ['product/weight-unit', 'missing', '/productMasterDataList/0/netWeightUOM', 'netWeight', 15, 'netWeightUOM'],
    'netWeight is 15 and netWeightUOM is missing.',
  ],
  [
    [
      'product/weight-unit',
      'placeholder',
      '/productMasterDataList/0/netWeightUOM',
      'netWeight',
      15,
      'netWeightUOM',
      'n/a',
    ],
    'netWeight is 15 and netWeightUOM is "n/a".',
  ],
  [
    ['product/net-within-gross', 'above', '/productMasterDataList/0/netWeight', 15, 'LB', 5, 'KG'],
    'netWeight is 15 LB, more than grossWeight, 5 KG.',
  ],
  [
    ['product/one-record-per-item-code', 'repeated', '/productMasterDataList/1/itemCode', '/productMasterDataList/0'],
    'The entry at /productMasterDataList/0 has the same vendor and item code.',
  ],
  [
    [
      'product/one-record-per-item-code',
      'held',
      '/productMasterDataList/0/itemCode',
      'V-1',
      'TOM-1',
      '0192f0c4-7a7e-7000-8000-000000000001',
    ],
    'Vendor "V-1" has another master product with item code "TOM-1": record 0192f0c4-7a7e-7000-8000-000000000001.',
  ],
  [
    [
      'product/alternate-item-code-unique',
      'repeated',
      '/productMasterDataList/0/alternateItemCode',
      'A-1',
      '/productMasterDataList/0',
    ],
    'alternateItemCode "A-1" is already used at /productMasterDataList/0.',
  ],
  [
    [
      'product/alternate-item-code-unique',
      'held',
      '/productMasterDataList/0/alternateItemCode',
      'A-1',
      '0192f0c4-7a7e-7000-8000-000000000001',
    ],
    'alternateItemCode "A-1" is that of record 0192f0c4-7a7e-7000-8000-000000000001.',
  ],
  [
    ['product/name', 'missing', '/productMasterDataList/0/itemDescription'],
    'The product has no itemDescription, and so no product name.',
  ],
  [
    ['product/name', 'placeholder', '/productMasterDataList/0/itemDescription', 'n/a'],
    'itemDescription is "n/a", which states no product name.',
  ],
  [
    ['product/commodity', 'missing', '/productMasterDataList/0/productCommodity'],
    'The product has no productCommodity, and so no commodity.',
  ],
  [
    ['product/commodity', 'placeholder', '/productMasterDataList/0/productCommodity', 'tbd'],
    'productCommodity is "tbd", which states no commodity.',
  ],
  [
    ['product/packaging-size', 'missing', '/productMasterDataList/0/packSize'],
    'The product has no packSize, and so no packaging size.',
  ],
  [
    ['product/packaging-size', 'placeholder', '/productMasterDataList/0/packSize', '?'],
    'packSize is "?", which states no packaging size.',
  ],
  [
    ['product/packaging-style', 'missing', '/productMasterDataList/0/packStyle'],
    'The product has no packStyle, and so no packaging style.',
  ],
  [
    ['product/packaging-style', 'placeholder', '/productMasterDataList/0/packStyle', 'see "label"'],
    'packStyle is "see \\"label\\"", which states no packaging style.',
  ],
  [
    ['location/gln-check-digit', 'mismatch', '/locationMasterList/0/gln', '0614141000013', '2'],
    'gln 0614141000013 ends in 3; its other digits call for 2.',
  ],
  [
    ['location/identifiers-assigned', 'toNobody', '/locationMasterList/0/gln', 'gln', '0000000000000', 'GLN'],
    'gln is "0000000000000", which was assigned to nobody as a GLN.',
  ],
  [
    [
      'location/alternate-location-code-unique',
      'repeated',
      '/locationMasterList/0/alternateLocationCode',
      'L-1',
      '/locationMasterList/0',
    ],
    'alternateLocationCode "L-1" is already used at /locationMasterList/0.',
  ],
  [
    [
      'location/alternate-location-code-unique',
      'held',
      '/locationMasterList/0/alternateLocationCode',
      'L-1',
      '0192f0c4-7a7e-7000-8000-000000000001',
    ],
    'alternateLocationCode "L-1" is that of record 0192f0c4-7a7e-7000-8000-000000000001.',
  ],
  [
    ['location/coordinates-form', 'fault', '/locationMasterList/0/geoLocation/gpsCoordinates', ['95 N', '121 39.33 W']],
    'gpsCoordinates ["95 N","121 39.33 W"] has a latitude of more than 90 degrees.',
  ],
  [
    ['location/fence-form', 'fault', '/locationMasterList/0/geoLocation/geoFence/1', 2, ['36 40.66 N']],
    'Corner 2 of the fence, ["36 40.66 N"], does not read as one latitude and one longitude.',
  ],
  [
    ['location/fence-form', 'few', '/locationMasterList/0/geoLocation/geoFence', 2],
    'A fence of 2 corners encloses nothing.',
  ],
  [
    ['location/phone-format', 'form', '/locationMasterList/0/phoneNumber', '831-555-0100'],
    'phoneNumber is "831-555-0100"; described is +1.999.999.999.',
  ],
  [
    ['location/type-listed', 'unlisted', '/locationMasterList/0/locationType', 'Farm'],
    '"Farm" is not a listed location type.',
  ],
  [
    ['location/gln-assigner-listed', 'unlisted', '/locationMasterList/0/glnAssignedBy', 'Us'],
    '"Us" is none of the described assigners.',
  ],
  [
    ['payload/transmission-date-plausible', 'wrong', '/transmissionDateTime', '0026-03-04T18:05:00Z'],
    'transmissionDateTime is "0026-03-04T18:05:00Z". A record of this time cannot have the year 0026. Year 26 was probably meant as 2026.',
  ],
  [
    ['payload/transmission-date-plausible', 'future', '/transmissionDateTime', '2206-03-04T18:05:00Z'],
    'transmissionDateTime is "2206-03-04T18:05:00Z", which lies in the future.',
  ],
  [
    ['payload/transmission-date-plausible', 'early', '/transmissionDateTime', '2025-03-04T18:05:00Z', '2026-03-04'],
    'transmissionDateTime is "2025-03-04T18:05:00Z", before the event on 2026-03-04.',
  ],
  [
    ['receiving-event/years-plausible', 'wrong', '/eventList/purchaseOrderDate', 'purchaseOrderDate', '1926-03-01'],
    'purchaseOrderDate is "1926-03-01". A record of this time cannot have the year 1926.',
  ],
  [
    ['receiving-event/years-plausible', 'wrongOfEvent', '/eventList/eventDateTime', '2006-03-04T09:30:00-06:00'],
    'eventDateTime is "2006-03-04T09:30:00-06:00". A record of this time cannot have the year 2006. No list, completeness or package of this year shows the event.',
  ],
  [
    ['receiving-event/ordered-before-receipt', 'late', '/eventList/purchaseOrderDate', '2026-03-05', '2026-03-04'],
    'purchaseOrderDate is 2026-03-05, after the receipt on 2026-03-04.',
  ],
  [
    ['receiving-event/ordered-before-receipt', 'future', '/eventList/purchaseOrderDate', '2027-03-05'],
    'purchaseOrderDate is 2027-03-05, which lies in the future.',
  ],
  [
    ['product-line/years-plausible', 'wrong', '/eventList/productList/0/harvestDate', 'harvestDate', '0026-03-01'],
    'harvestDate is "0026-03-01". A record of this time cannot have the year 0026. Year 26 was probably meant as 2026.',
  ],
  [
    [
      'product-line/made-in-order',
      'after',
      '/eventList/productList/0/harvestDate',
      'harvestDate',
      '2026-03-03',
      'packagingDate',
      '2026-03-02',
    ],
    'harvestDate is 2026-03-03, after packagingDate, 2026-03-02.',
  ],
  [
    [
      'product-line/good-at-receipt',
      'past',
      '/eventList/productList/0/expirationDate',
      'expirationDate',
      '2026-03-03',
      '2026-03-04',
    ],
    'expirationDate is 2026-03-03, before the receipt on 2026-03-04.',
  ],
  [
    ['receiving-event/received-in-past', 'futureYear', '/eventList/eventDateTime', '2206-03-04T09:30:00-06:00'],
    'eventDateTime is "2206-03-04T09:30:00-06:00", which lies in the future. No list, completeness or package of this year shows the event.',
  ],
  [
    ['receiving-event/received-in-past', 'transaction', '/eventList/eventTransactionTime', '2026-03-04T20:41:00-06:00'],
    'eventTransactionTime is "2026-03-04T20:41:00-06:00", which lies in the future.',
  ],
  [
    ['receiving-event/received-in-past', 'future', '/eventList/eventDateTime', '2027-03-04T09:30:00-06:00'],
    'eventDateTime is "2027-03-04T09:30:00-06:00", which lies in the future.',
  ],
  [
    ['receiving-event/event-id-unique', 'repeated', '/eventList/eventId', 'E-1', '/eventList/0'],
    'eventId "E-1" is already used at /eventList/0.',
  ],
  [
    ['receiving-event/event-id-unique', 'held', '/eventList/eventId', 'E-1', '0192f0c4-7a7e-7000-8000-000000000001'],
    'eventId "E-1" is that of record 0192f0c4-7a7e-7000-8000-000000000001.',
  ],
  [
    ['receiving-event/ends-differ', 'oneCode', '/eventList/shipToLocationCode', 'SHIP-TO'],
    'shipFromLocationCode and shipToLocationCode are both "SHIP-TO".',
  ],
  [
    ['receiving-event/ends-differ', 'oneGln', '/locationMasterList/1/gln', 'SHIP-FROM', 'SHIP-TO', '0614141000012'],
    'Locations "SHIP-FROM" and "SHIP-TO" have one GLN, 0614141000012.',
  ],
  [
    ['receiving-event/lading-quantity-positive', 'notPositive', '/eventList/shipmentLadingQuantity', 0],
    'shipmentLadingQuantity is 0; what was loaded is more than 0.',
  ],
  [
    ['receiving-event/date-received', 'placeholder', '/eventList/eventDateTime', '1970-01-01T00:00:00Z'],
    'eventDateTime is "1970-01-01T00:00:00Z", which is a placeholder and not a date.',
  ],
  [
    ['receiving-event/date-received-local', 'inUtc', '/eventList/eventDateTime', '2026-03-05T02:30:00Z', 'SHIP-TO'],
    'eventDateTime is "2026-03-05T02:30:00Z", a time in UTC, and no time zone is set for shipToLocationCode "SHIP-TO": the date received is taken to be 2026-03-05, the date in UTC.',
  ],
  [
    [
      'receiving-event/ship-from-description',
      'missing',
      '/locationMasterList/0',
      'SHIP-FROM',
      ['city', ['phone number', 'n/a']],
    ],
    'Location "SHIP-FROM" has no city, no phone number ("n/a").',
  ],
  [
    [
      'receiving-event/ship-from-description',
      'missingOfVendor',
      '/locationMasterList/0',
      'SHIP-FROM',
      'V-1',
      ['phone number'],
    ],
    'Location "SHIP-FROM" of vendor "V-1" has no phone number.',
  ],
  [
    ['receiving-event/ship-to-description', 'missing', '/locationMasterList/1', 'SHIP-TO', ['postal code']],
    'Location "SHIP-TO" has no postal code.',
  ],
  [
    [
      'receiving-event/ship-to-description',
      'missingOfVendor',
      '/locationMasterList/1',
      'SHIP-TO',
      'V-2',
      [['business name', 'tbd']],
    ],
    'Location "SHIP-TO" of vendor "V-2" has no business name ("tbd").',
  ],
  [
    ['receiving-event/reference-document', 'none', '/eventList/billOfLadingNumber'],
    'The event names no reference document.',
  ],
  [
    [
      'receiving-event/reference-document',
      'placeholders',
      '/eventList/purchaseOrderNumber',
      [
        ['purchaseOrderNumber', 'n/a'],
        ['asnNumber', '0000'],
      ],
    ],
    'The event names no reference document: purchaseOrderNumber is "n/a", asnNumber is "0000".',
  ],
  [
    ['product-line/case-gtin-check-digit', 'mismatch', '/eventList/productList/0/caseGtin', '10614141000414', '5'],
    'caseGtin 10614141000414 ends in 4; its other digits call for 5.',
  ],
  [
    ['product-line/pallet-id-check-digit', 'mismatch', '/eventList/productList/0/palletId', '106141411234567890', '7'],
    'palletId 106141411234567890 ends in 0; its other digits call for 7.',
  ],
  [
    ['product-line/item-upc-check-digit', 'mismatch', '/eventList/productList/0/itemUpc', '036000291459', '2'],
    'itemUpc 036000291459 ends in 9; its other digits call for 2.',
  ],
  [
    [
      'product-line/tlc-source-gln-check-digit',
      'mismatch',
      '/eventList/productList/0/tlcSourceReferenceGln',
      '0614141000013',
      '2',
    ],
    'tlcSourceReferenceGln 0614141000013 ends in 3; its other digits call for 2.',
  ],
  [
    [
      'product-line/identifiers-assigned',
      'toNobody',
      '/eventList/productList/0/palletId',
      'palletId',
      '000000000000000000',
      'SSCC-18',
    ],
    'palletId is "000000000000000000", which was assigned to nobody as a SSCC-18.',
  ],
  [
    [
      'product-line/case-gtin-of-product',
      'mismatch',
      '/eventList/productList/0/caseGtin',
      '10614141000415',
      'TOM-1',
      '10614141000521',
    ],
    'caseGtin is 10614141000415; product "TOM-1" has the GTIN 10614141000521.',
  ],
  [
    [
      'product-line/one-lot',
      'several',
      '/eventList/productList/0/caseLotNumber',
      'L1-L9',
      ['L1', 'L2', 'L3', 'L4', 'L5'],
      9,
    ],
    'caseLotNumber "L1-L9" seems to name several lots: "L1", "L2", "L3", "L4", "L5" and 4 more.',
  ],
  [
    ['product-line/one-lot', 'more', '/eventList/productList/0/caseLotNumber', 'L1 + 2 more'],
    'caseLotNumber "L1 + 2 more" says that there are more lots than it names.',
  ],
  [
    ['product-line/quantity-positive', 'notPositive', '/eventList/productList/0/shipQuantity', -5],
    'shipQuantity is -5. It must be more than 0.',
  ],
  [
    [
      'product-line/made-before-receipt',
      'late',
      '/eventList/productList/0/harvestDate',
      'harvestDate',
      '2026-03-06',
      '2026-03-04',
    ],
    'harvestDate is 2026-03-06, after the receipt on 2026-03-04.',
  ],
  [
    ['product-line/made-before-receipt', 'future', '/eventList/productList/0/harvestDate', 'harvestDate', '2027-01-01'],
    'harvestDate is 2027-01-01, which lies in the future.',
  ],
  [
    [
      'product-line/good-after-made',
      'before',
      '/eventList/productList/0/expirationDate',
      'expirationDate',
      '2026-03-01',
      'packagingDate',
      '2026-03-02',
    ],
    'expirationDate is 2026-03-01, before packagingDate, 2026-03-02.',
  ],
  [
    ['product-line/tlc-source-ffrn-form', 'form', '/eventList/productList/0/tlcSourceReferenceFfrn', '123456789'],
    'tlcSourceReferenceFfrn is "123456789"; expected is 11 digits.',
  ],
  [
    ['product-line/tlc-source-fei-form', 'form', '/eventList/productList/0/tlcSourceReferenceFei', '300456789'],
    'tlcSourceReferenceFei is "300456789"; expected is 7 or 10 digits.',
  ],
  [
    ['product-line/tlc-source-url-form', 'form', '/eventList/productList/0/tlcSourceReferenceUrl', 'trace.example.com'],
    'tlcSourceReferenceUrl is "trace.example.com"; expected is a web address.',
  ],
  [
    ['product-line/country-known', 'unknown', '/eventList/productList/0/countryOfOrigin', 'ZZZ'],
    'countryOfOrigin is "ZZZ", which is not a country in ISO 3166.',
  ],
  [
    [
      'product-line/product-id-unique',
      'repeated',
      '/eventList/productList/0/productId',
      'P-1',
      '/eventList/productList/0',
    ],
    'productId "P-1" is already used at /eventList/productList/0.',
  ],
  [
    [
      'product-line/product-id-unique',
      'held',
      '/eventList/productList/0/productId',
      'P-1',
      '0192f0c4-7a7e-7000-8000-000000000001',
    ],
    'productId "P-1" is that of record 0192f0c4-7a7e-7000-8000-000000000001.',
  ],
  [
    ['product-line/item-code-listed', 'unlisted', '/eventList/productList/0/vendorItemCode', 'TOM-2'],
    'No product with item code "TOM-2" is in productMasterDataList or in the master products of the vendor.',
  ],
  [
    ['product-line/item-code-listed', 'alike', '/eventList/productList/0/vendorItemCode', 'tom-1', 'TOM-1'],
    'No product with item code "tom-1" is in productMasterDataList or in the master products of the vendor. "TOM-1" differs only in upper and lower case.',
  ],
  [
    ['product-line/lot-code-barcode', 'unfit', '/eventList/productList/0/caseLotNumber', 'GV 26063 #A'],
    'caseLotNumber has " ", "#", which a GS1 barcode cannot carry.',
  ],
  [
    ['product-line/lot-code', 'missing', '/eventList/productList/0/caseLotNumber'],
    'The line has no traceability lot code.',
  ],
  [
    ['product-line/lot-code', 'placeholder', '/eventList/productList/0/caseLotNumber', 'see label'],
    'caseLotNumber is "see label", which is no traceability lot code.',
  ],
  [
    ['product-line/quantity-unit', 'placeholder', '/eventList/productList/0/shipQuantityUom', 'n/a'],
    'shipQuantityUom is "n/a", which is no unit of measure.',
  ],
  [
    ['product-line/product-description', 'undescribed', '/eventList/productList/0/vendorItemCode', 'TOM-2'],
    'Item "TOM-2" is in no product list and no master product: the line has no product description.',
  ],
  [
    ['product-line/product-description', 'unpackaged', '/eventList/productList/0/vendorItemCode', 'TOM-2'],
    'Item "TOM-2" is in no product list and no master product: the line has no packaging size and no packaging style.',
  ],
  [
    [
      'product-line/product-description',
      'incomplete',
      '/eventList/productList/0/vendorItemCode',
      'TOM-2',
      ['packSize', ['packStyle', 'n/a']],
    ],
    'The master product of item "TOM-2" has no packSize, no packStyle ("n/a").',
  ],
  [
    ['product-line/tlc-source-place', 'number', '/eventList/productList/0/tlcSourceReferenceGln'],
    'The lot code source is referred to by a number that does not say where it is.',
  ],
  [
    ['product-line/tlc-source-place', 'differs', '/eventList/productList/0/tlcSourceReferenceGln', 'Delta Farms'],
    'The line says a part of its lot code source, "Delta Farms", and the location with its number says otherwise.',
  ],
  [
    [
      'product-line/tlc-source-place',
      'placeholders',
      '/eventList/productList/0/tlcSourceName',
      [
        ['tlcSourceName', 'unknown'],
        ['tlcSourcePhoneNumber', '0'],
      ],
    ],
    'The line does not say where the lot code was assigned: tlcSourceName is "unknown", tlcSourcePhoneNumber is "0".',
  ],
  ...(
    [
      ['payload', '/payloadId', 'payloadId'],
      ['product', '/productMasterDataList/0/brandName', 'brandName'],
      ['location', '/locationMasterList/1/address/city', 'city'],
      ['receiving-event', '/eventList/billOfLadingNumber', 'billOfLadingNumber'],
      ['product-line', '/eventList/productList/0/caseLotNumber', 'caseLotNumber'],
    ] as const
  ).map(
    ([group, pointer, field]) =>
      [
        [`${group}/text-visible`, 'hidden', pointer, field, 0x202e, 4, ['region', 'state'], 3],
        `Character 4 of ${field} is U+202E RIGHT-TO-LEFT OVERRIDE, which cannot be seen. Also with such characters: region, state and 1 more.`,
      ] as const,
  ),
]

/** Sentences that receiving and shipping events share, and those about their dates. */
const ofShipping: readonly Sample[] = [
  ...ofReceiving.flatMap(([[rule, ...stored], message]): readonly Sample[] =>
    rule.startsWith('receiving-event/') && !/date-received|received-in-past|ordered-before/.test(rule)
      ? [[[rule.replace('receiving', 'shipping'), ...stored], message]]
      : [],
  ),
  [
    ['shipping-event/ordered-before-shipment', 'late', '/eventList/purchaseOrderDate', '2026-03-05', '2026-03-04'],
    'purchaseOrderDate is 2026-03-05, after the shipment on 2026-03-04.',
  ],
  [
    ['shipping-event/ordered-before-shipment', 'future', '/eventList/purchaseOrderDate', '2027-03-05'],
    'purchaseOrderDate is 2027-03-05, which lies in the future.',
  ],
  [
    ['shipping-event/shipped-in-past', 'futureYear', '/eventList/eventDateTime', '2206-03-04T09:30:00-06:00'],
    'eventDateTime is "2206-03-04T09:30:00-06:00", which lies in the future. No list, completeness or package of this year shows the event.',
  ],
  [
    ['shipping-event/shipped-in-past', 'transaction', '/eventList/eventTransactionTime', '2026-03-04T20:41:00-06:00'],
    'eventTransactionTime is "2026-03-04T20:41:00-06:00", which lies in the future.',
  ],
  [
    [
      'product-line/good-at-shipment',
      'past',
      '/eventList/productList/0/expirationDate',
      'expirationDate',
      '2026-03-02',
      '2026-03-03',
    ],
    'expirationDate is 2026-03-02, before the shipment on 2026-03-03.',
  ],
  [
    ['shipping-event/shipped-in-past', 'future', '/eventList/eventDateTime', '2027-03-04T09:30:00-06:00'],
    'eventDateTime is "2027-03-04T09:30:00-06:00", which lies in the future.',
  ],
  [
    ['shipping-event/date-shipped', 'placeholder', '/eventList/eventDateTime', '1970-01-01T00:00:00Z'],
    'eventDateTime is "1970-01-01T00:00:00Z", which is a placeholder and not a date.',
  ],
  [
    ['shipping-event/date-shipped-local', 'inUtc', '/eventList/eventDateTime', '2026-03-05T02:30:00Z', 'SHIP-FROM'],
    'eventDateTime is "2026-03-05T02:30:00Z", a time in UTC, and no time zone is set for shipFromLocationCode "SHIP-FROM": the date shipped is taken to be 2026-03-05, the date in UTC.',
  ],
  [
    [
      'product-line/made-before-shipment',
      'late',
      '/eventList/productList/0/harvestDate',
      'harvestDate',
      '2026-03-05',
      '2026-03-04',
    ],
    'harvestDate is 2026-03-05, after the shipment on 2026-03-04.',
  ],
  [
    [
      'product-line/made-before-shipment',
      'future',
      '/eventList/productList/0/harvestDate',
      'harvestDate',
      '2027-01-01',
    ],
    'harvestDate is 2027-01-01, which lies in the future.',
  ],
]

/** Of events that change goods. */
const ofOthers: readonly Sample[] = [
  [
    ['event/element-stated', 'missing', '/eventList/harvestAreaList', 'the harvest locations of the trip'],
    'The event lacks the harvest locations of the trip.',
  ],
  [
    ['event/line-element-stated', 'missing', '/eventList/productList/0/containerName', 'the name of the container'],
    'The line lacks the name of the container.',
  ],
  [
    ['event/commodity-stated', 'missing', '/eventList/productList/0/vendorItemCode', 'TOM-1'],
    'The product of item "TOM-1" states no commodity.',
  ],
  [
    ['event/event-in-past', 'future', '/eventList/eventDateTime', '2027-03-04T09:30:00-06:00'],
    'eventDateTime is "2027-03-04T09:30:00-06:00", which lies in the future.',
  ],
  [
    ['event/event-in-past', 'futureYear', '/eventList/eventDateTime', '2206-03-04T09:30:00-06:00'],
    'eventDateTime is "2206-03-04T09:30:00-06:00", which lies in the future. No list, completeness or package of this year shows the event.',
  ],
  [
    ['event/event-in-past', 'transaction', '/eventList/eventTransactionTime', '2026-03-04T20:41:00-06:00'],
    'eventTransactionTime is "2026-03-04T20:41:00-06:00", which lies in the future.',
  ],
  [
    ['event/lots-differ', 'same', '/eventList/productList/0/caseLotNumber', 'A1', '/eventList/ingredientList/0'],
    'caseLotNumber "A1" is also the lot used at /eventList/ingredientList/0.',
  ],
  [
    ['event/date-given', 'placeholder', '/eventList/eventDateTime', '1970-01-01T00:00:00Z'],
    'eventDateTime is "1970-01-01T00:00:00Z", which is a placeholder and not a date.',
  ],
  [
    ['event/date-local', 'inUtc', '/eventList/eventDateTime', '2026-03-05T02:30:00Z', 'PLANT'],
    'eventDateTime is "2026-03-05T02:30:00Z", a time in UTC, and no time zone is set for location "PLANT": the date of the event is taken to be 2026-03-05, the date in UTC.',
  ],
  [
    [
      'event/location-description',
      'missing',
      '/locationMasterList/0',
      'transformationLocationCode',
      'PLANT',
      ['phone number'],
    ],
    'Location "PLANT" (transformationLocationCode) has no phone number.',
  ],
  [
    ['event/seeds-stated', 'missing', '/eventList/seedList', 2],
    'The event makes sprouts (2 lines) and names no seeds.',
  ],
  [
    [
      'event/one-origin',
      'both',
      '/eventList/receivedList/0/exemptSourceLocationCode',
      'exemptSourceLocationCode',
      ['harvestDate'],
    ],
    'The line has exemptSourceLocationCode, and also harvestDate. Only what food from an exempt person needs is checked.',
  ],
  [
    ['event/event-dates', 'wrong', '/eventList/harvestStartDate', 'harvestStartDate', '0026-02-27'],
    'harvestStartDate is "0026-02-27". A record of this time cannot have the year 0026. Year 26 was probably meant as 2026.',
  ],
  [
    ['event/event-dates', 'late', '/eventList/harvestEndDate', 'harvestEndDate', '2026-03-05', '2026-03-04'],
    'harvestEndDate is 2026-03-05, after the event on 2026-03-04.',
  ],
  [
    ['event/event-dates', 'future', '/eventList/harvestEndDate', 'harvestEndDate', '2027-01-01'],
    'harvestEndDate is 2027-01-01, which lies in the future.',
  ],
  [
    [
      'event/event-dates',
      'after',
      '/eventList/harvestStartDate',
      'harvestStartDate',
      '2026-03-03',
      'harvestEndDate',
      '2026-03-01',
    ],
    'harvestStartDate is 2026-03-03, after harvestEndDate, 2026-03-01.',
  ],
  [
    ['event/line-dates', 'wrong', '/eventList/receivedList/0/harvestDate', 'harvestDate', '0026-03-02'],
    'harvestDate is "0026-03-02". A record of this time cannot have the year 0026. Year 26 was probably meant as 2026.',
  ],
  [
    ['event/line-dates', 'late', '/eventList/receivedList/0/harvestDate', 'harvestDate', '2026-03-05', '2026-03-04'],
    'harvestDate is 2026-03-05, after the event on 2026-03-04.',
  ],
  [
    ['event/line-dates', 'future', '/eventList/receivedList/0/harvestDate', 'harvestDate', '2027-01-01'],
    'harvestDate is 2027-01-01, which lies in the future.',
  ],
  [
    [
      'event/line-dates',
      'after',
      '/eventList/receivedList/0/harvestDate',
      'harvestDate',
      '2026-03-04',
      'coolingDate',
      '2026-03-03',
    ],
    'harvestDate is 2026-03-04, after coolingDate, 2026-03-03.',
  ],
  [
    ['event/reference-document', 'none', '/eventList/referenceDocumentNumber'],
    'The event names no reference document.',
  ],
  [
    ['event/reference-document', 'noType', '/eventList/referenceDocumentType', 'WO-1'],
    'The reference document "WO-1" has no type.',
  ],
  [
    [
      'event/reference-document',
      'placeholders',
      '/eventList/referenceDocumentNumber',
      [['referenceDocumentNumber', 'n/a']],
    ],
    'The event names no reference document: referenceDocumentNumber is "n/a".',
  ],
  [
    [
      'product-line/good-at-event',
      'past',
      '/eventList/ingredientList/0/expirationDate',
      'expirationDate',
      '2026-03-02',
      '2026-03-03',
    ],
    'expirationDate is 2026-03-02, before the event on 2026-03-03.',
  ],
  [
    [
      'product-line/made-before-event',
      'late',
      '/eventList/productList/0/harvestDate',
      'harvestDate',
      '2026-03-05',
      '2026-03-04',
    ],
    'harvestDate is 2026-03-05, after the event on 2026-03-04.',
  ],
  [
    ['product-line/made-before-event', 'future', '/eventList/productList/0/harvestDate', 'harvestDate', '2027-01-01'],
    'harvestDate is 2027-01-01, which lies in the future.',
  ],
]

/** Sentences that rules of all kinds of events share. */
const shared = ['years-plausible', 'event-id-unique', 'text-visible']
const ofOthersShared = ofShipping.flatMap(([[rule, ...rest], message]): readonly Sample[] =>
  shared.some((name) => rule === `shipping-event/${name}`)
    ? [[[rule.replace('shipping-event', 'event'), ...rest] as unknown as StoredFinding, message]]
    : [],
)

export const storedFindings: readonly Sample[] = [...ofReceiving, ...ofShipping, ...ofOthers, ...ofOthersShared]
