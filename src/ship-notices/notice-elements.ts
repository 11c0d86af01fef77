// The use of each element of a ship notice: the field it is stored in, another use, or neither, and
// then a finding names it. The reader, the findings and the reference are derived from this list.
// Source: X12 856, 004010 and 005010; the guides of GS1 US, PTI and large buyers.
import { codesMeaning, usualDates } from './codes.ts'

export interface NoticeElement {
  readonly segment: string
  /** Its numbers in the segment; `pairs` of qualifier and code in LIN and SLN. */
  readonly elements: readonly number[] | 'pairs'
  /** Codes of the qualifier for which this holds; without them, any. */
  readonly codes?: readonly string[]
  readonly meaning: string
  /** The field of the shipping event it is stored in, below the list it is in. */
  readonly field?: string
  /** Its use when no field holds it. */
  readonly use?: string
}

/** Fields of an event that references have, in the order in which their qualifiers count. */
const references = [
  ['billOfLadingNumber', ['BM', 'MB'], 'bill of lading, master bill of lading'],
  ['carrierTrackingNumber', ['CN', '2I'], "carrier's reference, tracking number"],
  ['loadPlanningNumber', ['LO'], 'load planning number'],
  ['appointmentNumber', ['AO'], 'appointment number'],
] as const

/** Qualifiers of a lot, and of a batch, which is the lot where there is none. */
export const lotQualifiers: readonly (readonly string[])[] = [['LT'], ['B8', 'BT']]

/** Qualifiers of SSCCs: with and without the application identifier. */
const palletQualifiers = ['GM', 'AA']

const shippedDates = ['011', '370']
const deliveryDates = ['017', '067', '002']

/** Item codes by their issuer; the first present one counts. */
const vendorItems = ['VN', 'VA', 'VP', 'VC']
const purchaserItems = ['BP', 'IN', 'SK', 'CB', 'PI']
/** Qualifiers of GTINs and UPCs, which also stand under each other's. */
const numberedItems = ['UK', 'UP', 'EN', 'EO', 'UA', 'UD', 'UI', 'UN', 'GT', 'GE']

const of = (
  segment: string,
  elements: readonly number[] | 'pairs',
  meaning: string,
  becomes: Pick<NoticeElement, 'codes' | 'field' | 'use'> = {},
): NoticeElement => ({ segment, elements, meaning, ...becomes })

const lineDates = [...new Set(Object.values(usualDates))].map((field) =>
  of('DTM', [2], `${field.replaceAll(/[A-Z]/g, ' $&').toLowerCase()} of the line`, {
    codes: codesMeaning(usualDates, field),
    field: `productList.${field}`,
  }),
)

/** In the order in which segments stand in a notice. */
export const noticeElements: readonly NoticeElement[] = [
  of('BSN', [1], 'purpose', { use: 'original, replacement or cancellation' }),
  of('BSN', [2], 'number of the notice', { field: 'asnNumber' }),
  of('BSN', [3, 4], 'date and time of the notice', {
    use: 'which of two notices is later; `eventDateTime` without DTM*011',
  }),
  of('BSN', [5], 'order of the levels', { use: 'nothing: HL itself says it' }),
  of('HL', [1, 2, 3, 4], 'level', { use: 'which level is part of which' }),
  of('TD1', [1], 'packaging; digits of its material are a finding', { field: 'shipmentLadingUom' }),
  of('TD1', [2], 'lading quantity', { field: 'shipmentLadingQuantity' }),
  of('TD1', [3, 4, 5, 6, 7, 8, 9, 10], 'commodity, weight and volume of the lading'),
  of('TD5', [1, 2], 'routing sequence, kind of the carrier code', { use: 'how TD503 is read' }),
  of('TD5', [3], 'carrier; four letters are its SCAC', { field: 'standardCarrierAlphaCode' }),
  of('TD5', [4], 'mode of transport', { field: 'carrierShipmentMethod' }),
  of('TD5', [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], "carrier's name, status, service level"),
  of('TD3', [1], 'kind of trailer', { field: 'equipmentDescription' }),
  of('TD3', [3], 'number of the trailer', { field: 'equipmentNumber' }),
  of('TD3', [2, 4, 5, 6, 7, 8, 9, 10], 'initial, weight, seal of the trailer'),
  of('TD4', [1, 2, 3, 4, 5], 'special handling'),
  ...references.map(([field, codes, meaning]) => of('REF', [2], meaning, { codes, field })),
  of('REF', [2], 'purchase order number', { codes: ['PO'], field: 'purchaseOrderNumber' }),
  ...lotQualifiers.map((codes, i) =>
    of('REF', [2], i === 0 ? 'lot' : 'batch, the lot where there is none', {
      codes,
      field: 'productList.caseLotNumber',
    }),
  ),
  of('REF', [2], 'expiration date', { codes: ['EXP'], field: 'productList.expirationDate' }),
  of('REF', [2, 3, 4], 'other references, descriptions'),
  of('PER', [4, 6, 8], 'telephone of the party', { codes: ['TE'], field: 'locationMasterList.phoneNumber' }),
  of('PER', [1], 'kind of contact', { use: 'nothing' }),
  of('PER', [2, 4, 6, 8], 'contact, fax, mail'),
  of('DTM', [2, 3, 4, 5, 6], 'when the goods left', { codes: shippedDates, field: 'eventDateTime' }),
  of('DTM', [2], 'expected delivery', { codes: deliveryDates, field: 'expectedDeliveryDate' }),
  ...lineDates,
  of('DTM', [2, 3, 4, 5, 6], 'other dates; of a date without time, the time'),
  of('FOB', [1], 'who pays the freight', { field: 'methodOfPayment' }),
  of('FOB', [2, 3, 4, 5, 6, 7, 8, 9], 'terms of delivery'),
  of('N1', [2, 3, 4], 'ship-from location: name, kind of code, code', { codes: ['SF'], field: 'shipFromLocationCode' }),
  of('N1', [2, 3, 4], 'ship-to location: name, kind of code, code', { codes: ['ST'], field: 'shipToLocationCode' }),
  of('N1', [2, 3, 4], "the party of the sender's `tlcSourceRole`", { field: 'productList.tlcSourceName' }),
  of('N1', [2, 3, 4], 'other parties, with all segments that follow'),
  of('N2', [1, 2], 'additional names'),
  of('N3', [1, 2], 'street', { field: 'locationMasterList.address' }),
  of('N4', [1, 2, 3, 4], 'city, state, postal code, country', { field: 'locationMasterList.address' }),
  of('N4', [5, 6, 7], 'other codes of the place'),
  of('PRF', [1], 'purchase order number', { field: 'purchaseOrderNumber' }),
  of('PRF', [4], 'purchase order date', { field: 'purchaseOrderDate' }),
  of('PRF', [2, 3, 5, 6, 7], 'release, change, contract'),
  of('PAL', [1], 'kind of pallet', { field: 'productList.palletPackagingDescriptionCode' }),
  of('PAL', [2], 'tiers', { field: 'productList.palletHigh' }),
  of('PAL', [3], 'blocks of a tier', { field: 'productList.palletTie' }),
  of('PAL', [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17], 'weight and measures of the pallet'),
  of('MAN', [2], 'SSCC of the pallet, else of the outermost pack', {
    codes: palletQualifiers,
    field: 'productList.palletId',
  }),
  of('MAN', [3], 'end of a range of SSCCs', { codes: palletQualifiers }),
  of('MAN', [2, 3, 5, 6], 'other marks, marks of packs on a pallet'),
  of('LIN', [1], 'line', { field: 'productList.poLineNumber' }),
  of('LIN', 'pairs', "vendor's item code", { codes: vendorItems, field: 'productList.vendorItemCode' }),
  of('LIN', 'pairs', "purchaser's item code", { codes: purchaserItems, field: 'productList.purchaserItemCode' }),
  of('LIN', 'pairs', 'GTIN-14', { codes: numberedItems, field: 'productList.caseGtin' }),
  of('LIN', 'pairs', 'UPC, GTIN of 8, 12 or 13 digits', { codes: numberedItems, field: 'productList.itemUpc' }),
  ...lotQualifiers.map((codes, i) =>
    of('LIN', 'pairs', i === 0 ? 'lot' : 'batch, the lot where there is none', {
      codes,
      field: 'productList.caseLotNumber',
    }),
  ),
  of('LIN', 'pairs', 'country of origin', { codes: ['CH'], field: 'productList.countryOfOrigin' }),
  of('LIN', 'pairs', 'other codes of the item'),
  of('SN1', [2], 'quantity shipped', { field: 'productList.shipQuantity' }),
  of('SN1', [3], 'its unit', { field: 'productList.shipQuantityUom' }),
  of('SN1', [1], 'line, where LIN01 has none', { field: 'productList.poLineNumber' }),
  of('SN1', [4, 5, 6, 7, 8], 'quantity shipped to date, quantity ordered, status'),
  of('SLN', 'pairs', 'lot of a part of the line', {
    codes: lotQualifiers[0] ?? [],
    field: 'productList.caseLotNumber',
  }),
  of('SLN', [4], 'quantity of that part', { field: 'productList.shipQuantity' }),
  of('SLN', [5], 'its unit', { field: 'productList.shipQuantityUom' }),
  of('SLN', [1, 2, 3], 'number and relation of the part', { use: 'nothing: its lot and quantity say it' }),
  of('SLN', 'pairs', 'other codes of the part'),
  of('PO4', [1, 2, 3], 'count and size of inner packs', { field: 'productMasterDataList.packSize' }),
  of('PO4', [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14], 'packaging, weight and measures of a pack'),
  of('PID', [5], 'description', { field: 'productList.vendorItemDescription' }),
  of('PID', [1, 2, 3], 'kind of the description', { use: 'nothing' }),
  of('PID', [4, 6, 7, 8, 9], 'code of the description'),
  of('MEA', [3, 4], 'weights and measures'),
  of('PKG', [4, 5], 'packaging'),
  of('ITD', [1, 2, 3, 7, 12], 'terms of payment'),
  of('CTT', [1], 'number of lines or levels', { use: 'compared with those that were read' }),
  of('CTT', [2], 'sum of the quantities', { use: 'compared with those that were read' }),
]

/** Codes of the qualifier by which the field is read, in the order in which they count. */
export const codesOf = (segment: string, field: string): readonly string[] =>
  noticeElements.filter((one) => one.segment === segment && one.field === field).flatMap(({ codes = [] }) => codes)

/** Fields of an event that references have, with their qualifiers. */
export const referenceFields = references.map(([field]) => [field, codesOf('REF', field)] as const)
