// What a finding says to do about it is enough: the remedy is applied, and the finding is gone.
import { describe, expect, it } from 'vitest'
import type { RecordKindName } from '../../src/contract/record-kinds.ts'
import { catalogue } from '../../src/rules/catalogue.ts'
import { type Facts, identifierKey, numberedIn } from '../../src/rules/rule.ts'
import type { Json } from '../samples/declared-shapes.ts'
import { sampleSeeds } from '../samples/payloads.ts'
import { byVendor, judged } from '../support/records/prove-rule.ts'

type Edit = (payload: Json) => void

/** A part of the remedy, where it names several: each of them is enough. */
interface Remedy {
  readonly title: string
  readonly edit?: Edit
  readonly facts?: Partial<Facts>
}

interface Case {
  readonly kind?: RecordKindName
  /** Makes the finding. */
  readonly found: Edit
  readonly facts?: Partial<Facts>
  readonly remedies: readonly Remedy[]
}

const inEvent =
  (changes: object): Edit =>
  (payload) =>
    Object.assign(payload.eventList, changes)
const inLine =
  (changes: object): Edit =>
  (payload) =>
    Object.assign(payload.eventList.productList[0], changes)
const inProduct =
  (changes: object): Edit =>
  (payload) =>
    Object.assign(payload.productMasterDataList[0], changes)
const inLocation =
  (changes: object, n = 0): Edit =>
  (payload) =>
    Object.assign(payload.locationMasterList[n], changes)
const inAll =
  (...edits: readonly Edit[]): Edit =>
  (payload) => {
    for (const edit of edits) edit(payload)
  }
const unchanged: Edit = () => undefined

/** A field that is set to undefined is not sent. */
function leaveOut(value: Json): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, part] of Object.entries(value))
    if (part === undefined) delete value[name]
    else leaveOut(part as Json)
}

/** One field with a wrong value, and the right one that the remedy names. */
const field = (
  edit: (changes: object) => Edit,
  name: string,
  wrong: unknown,
  right: unknown,
  more: Partial<Case> = {},
): Case => ({
  found: edit({ [name]: wrong }),
  remedies: [{ title: `sends ${name}`, edit: edit({ [name]: right }) }],
  ...more,
})

const now = (at: string): Partial<Facts> => ({ now: Date.parse(at) })
const address = { streetAddress1: '9 Field Road', city: 'Salinas', state: 'CA', postalCode: '93901', country: 'USA' }
const place = { locationName: 'Salinas Packing', phoneNumber: '+1.831.555.0142', address }
const product = { id: 'r-1', itemDescription: 'Tomatoes', packSize: '12 lb', packStyle: 'carton' }
const tomatoes = { ...product, isFtlItem: true, ftlCategory: 'tomatoes', productCommodity: 'Tomato' }
const masterProduct = (code: string, fields: object) => ({
  masterProducts: byVendor(['V-1', code, fields as typeof tomatoes]),
})
const storedPlace = (locationCode: string, fields: object): Partial<Facts> => {
  const masterLocations = byVendor(['V-1', locationCode, { locationCode, ...fields }])
  return { masterLocations, locationsByNumber: numberedIn(masterLocations) }
}
const heldBy = (name: string, value: string, code = '') => ({
  heldBy: new Map([[identifierKey(name, value, code), 'r-1']]),
})

/** Takes the description of a place away, and names what completes it. */
const undescribed = (n: number, code = n === 0 ? 'SHIP-FROM' : 'SHIP-TO'): Omit<Case, 'kind'> => {
  const bare: Edit = (payload) => {
    const { locationCode, locationName, gln } = payload.locationMasterList[n]
    payload.locationMasterList[n] = { locationCode, locationName, gln }
    inLine({ tlcSourceReferenceFfrn: '14532865782' })(payload)
  }
  return {
    found: bare,
    remedies: [
      { title: 'sends the missing parts with the location', edit: inLocation(place, n) },
      { title: 'sets them up in location master data', facts: storedPlace(code, place) },
    ],
  }
}

const ofEvent = (group: 'receiving-event' | 'shipping-event'): Record<string, Case> => {
  const kind = group === 'receiving-event' ? ('receivingEvent' as const) : ('shippingEvent' as const)
  const [event, dated] = kind === 'receivingEvent' ? ['receipt', 'received'] : ['shipment', 'shipped']
  const when = '2026-03-03T09:30:00-06:00'
  return {
    [`${group}/${dated}-in-past`]: field(
      inEvent,
      'eventDateTime',
      '2026-03-04T20:30:00Z',
      '2026-03-04T20:30:00+10:00',
      {
        kind,
        facts: now('2026-03-04T12:00:00Z'),
      },
    ),
    [`${group}/years-plausible`]: field(inEvent, 'eventDateTime', '0026-03-03T09:30:00-06:00', when, { kind }),
    [`${group}/ordered-before-${event}`]: field(inEvent, 'purchaseOrderDate', '2026-03-20', '2026-02-20', { kind }),
    [`${group}/event-id-unique`]: field(inEvent, 'eventId', 'EV-1', 'EV-2', { kind, facts: heldBy('eventId', 'EV-1') }),
    [`${group}/ends-differ`]: field(inEvent, 'shipFromLocationCode', 'SHIP-TO', 'SHIP-FROM', { kind }),
    [`${group}/lading-quantity-positive`]: {
      kind,
      found: inEvent({ shipmentLadingQuantity: 0 }),
      remedies: [
        { title: 'sends what was loaded', edit: inEvent({ shipmentLadingQuantity: 40 }) },
        { title: 'leaves the field out', edit: inEvent({ shipmentLadingQuantity: undefined }) },
      ],
    },
    [`${group}/text-visible`]: field(inEvent, 'purchaseOrderNumber', 'PO-1\u200B', 'PO-1', { kind }),
    [`${group}/date-${dated}`]: field(inEvent, 'eventDateTime', '1970-01-01T00:00:00Z', when, { kind }),
    [`${group}/date-${dated}-local`]: {
      kind,
      found: inEvent({ eventDateTime: '2026-03-03T02:30:00Z' }),
      facts: { timeZones: new Map() },
      remedies: [
        { title: 'sends the offset of the place', edit: inEvent({ eventDateTime: '2026-03-02T20:30:00-06:00' }) },
        {
          title: 'sets the time zone of the location',
          facts: {
            timeZones: byVendor(['', kind === 'receivingEvent' ? 'SHIP-TO' : 'SHIP-FROM', 'America/Chicago']),
          },
        },
      ],
    },
    [`${group}/ship-from-description`]: { kind, ...undescribed(0) },
    [`${group}/ship-to-description`]: { kind, ...undescribed(1) },
    [`${group}/reference-document`]: {
      kind,
      found: inEvent({ purchaseOrderNumber: 'n/a' }),
      remedies: [
        { title: 'sends purchaseOrderNumber', edit: inEvent({ purchaseOrderNumber: 'PO-1' }) },
        { title: 'sends billOfLadingNumber', edit: inEvent({ billOfLadingNumber: 'B-1' }) },
        { title: 'sends asnNumber', edit: inEvent({ asnNumber: 'A-1' }) },
      ],
    },
  }
}

const ofOtherEvents: Record<string, Case> = Object.fromEntries(
  Object.entries<Case>({
    'event/event-in-past': field(inEvent, 'eventDateTime', '2026-03-04T20:30:00Z', '2026-03-04T20:30:00+10:00', {
      facts: now('2026-03-04T12:00:00Z'),
    }),
    'event/years-plausible': field(inEvent, 'eventDateTime', '0026-03-03T09:30:00-06:00', '2026-03-03T09:30:00-06:00'),
    'event/event-id-unique': field(inEvent, 'eventId', 'EV-1', 'EV-2', { facts: heldBy('eventId', 'EV-1') }),
    'event/lots-differ': field(inLine, 'caseLotNumber', 'HG-2026-061', 'RW-2'),
    'event/text-visible': field(inEvent, 'referenceDocumentNumber', 'WO-1\u200B', 'WO-1'),
    'event/date-given': field(inEvent, 'eventDateTime', '1970-01-01T00:00:00Z', '2026-03-03T09:30:00-06:00'),
    'event/date-local': {
      found: inEvent({ eventDateTime: '2026-03-03T02:30:00Z' }),
      facts: { timeZones: new Map() },
      remedies: [
        { title: 'sends the offset of the place', edit: inEvent({ eventDateTime: '2026-03-02T20:30:00-06:00' }) },
        {
          title: 'sets the time zone of the location',
          facts: { timeZones: byVendor(['', 'SHIP-TO', 'America/Chicago']) },
        },
      ],
    },
    'event/location-description': undescribed(0, 'SHIP-TO'),
    'event/reference-document': field(inEvent, 'referenceDocumentNumber', 'n/a', 'WO-1'),
    'product-line/made-before-event': field(inLine, 'harvestDate', '2026-03-06', '2026-03-01'),
    'product-line/good-at-event': field(inLine, 'expirationDate', '2026-02-20', '2026-03-20'),
  }).map(([id, one]) => [id, { ...one, kind: 'transformationEvent' as const }]),
)

const packedSprouts = (payload: Json) => {
  payload.productMasterDataList[1].ftlCategory = 'sprouts'
}
const inReceived = (changes: object) => (payload: Json) => Object.assign(payload.eventList.receivedList[0], changes)

const ofTrip = (harvestStartDate: string, harvestEndDate: string) => (payload: Json) =>
  Object.assign(payload.eventList, { harvestStartDate, harvestEndDate })

const ofFieldAndDock: Record<string, Case> = {
  'event/event-dates': {
    kind: 'firstLandBasedReceivingEvent',
    found: ofTrip('2026-03-01', '2026-02-27'),
    remedies: [{ title: 'exchanges both dates', edit: ofTrip('2026-02-27', '2026-03-01') }],
  },
  'event/line-dates': {
    kind: 'initialPackingEvent',
    found: inReceived({ harvestDate: '2026-03-04', receivedDate: '2026-03-02' }),
    remedies: [
      { title: 'exchanges both dates', edit: inReceived({ harvestDate: '2026-03-02', receivedDate: '2026-03-04' }) },
    ],
  },
  'event/one-origin': {
    kind: 'initialPackingEvent',
    found: inReceived({ exemptSourceLocationCode: 'SHIP-FROM' }),
    remedies: [
      {
        title: 'leaves the data of the harvest out',
        edit: inReceived({
          harvestLocationCode: undefined,
          growingAreaName: undefined,
          harvesterName: undefined,
          harvesterPhoneNumber: undefined,
          harvestDate: undefined,
        }),
      },
      { title: 'leaves exemptSourceLocationCode out', edit: inReceived({ exemptSourceLocationCode: undefined }) },
    ],
  },
  'event/seeds-stated': {
    kind: 'initialPackingEvent',
    found: packedSprouts,
    remedies: [
      { title: 'sends isHarvestedWithoutRoots', edit: inEvent({ isHarvestedWithoutRoots: true }) },
      {
        title: 'sends seedList',
        edit: inEvent({
          seedList: [sampleSeeds()],
        }),
      },
    ],
  },
  'event/element-stated': {
    kind: 'firstLandBasedReceivingEvent',
    found: inEvent({ harvestStartDate: undefined }),
    remedies: [{ title: 'sends the field', edit: inEvent({ harvestStartDate: '2026-02-24' }) }],
  },
  'event/line-element-stated': {
    kind: 'harvestingEvent',
    found: inLine({ growingAreaName: undefined }),
    remedies: [{ title: 'sends the field', edit: inLine({ growingAreaName: 'Field 7' }) }],
  },
  'event/commodity-stated': {
    kind: 'harvestingEvent',
    found: inProduct({ productCommodity: undefined }),
    remedies: [
      { title: 'sends productCommodity', edit: inProduct({ productCommodity: 'Tomato' }) },
      { title: 'sends acceptableSpeciesName', edit: inProduct({ acceptableSpeciesName: 'Shrimp' }) },
      {
        title: 'sets it up in the master product',
        facts: { masterProducts: byVendor(['V-1', 'TOM-1', { id: 'R', productCommodity: 'Tomato' }]) },
      },
    ],
  },
}

const ofProduct: Record<string, Case> = {
  'product/item-code-repeated': {
    found: (payload) => payload.productMasterDataList.push({ ...payload.productMasterDataList[0] }),
    remedies: [{ title: 'sends each product once', edit: (payload) => payload.productMasterDataList.pop() }],
  },
  'product/ftl-category-listed': field(inProduct, 'ftlCategory', 'Salad', 'leafy greens'),
  'product/off-list-without-category': {
    found: inProduct({ isFtlItem: false }),
    remedies: [
      { title: 'sends isFtlItem true', edit: inProduct({ isFtlItem: true }) },
      { title: 'leaves ftlCategory out', edit: inProduct({ ftlCategory: undefined }) },
    ],
  },
  'product/gtin-check-digit': field(inProduct, 'gtin', '10614141000414', '10614141000415'),
  'product/item-upc-check-digit': field(inProduct, 'itemUpc', '036000291459', '036000291452'),
  'product/inner-pack-upc-check-digit': field(inProduct, 'innerPackUpc', '036000291459', '036000291452'),
  'product/identifiers-assigned': field(inProduct, 'gtin', '0'.repeat(14), '10614141000415'),
  'product/text-visible': field(inProduct, 'brandName', 'Green\u200B', 'Green'),
  'product/weight-positive': field(inProduct, 'netWeight', 0, 12, {
    found: inProduct({ netWeight: 0, netWeightUOM: 'LB' }),
  }),
  'product/weight-unit': {
    found: inProduct({ netWeight: 12 }),
    remedies: ['LB', 'KG', 'OZ'].map((unit) => ({ title: `sends ${unit}`, edit: inProduct({ netWeightUOM: unit }) })),
  },
  'product/net-within-gross': {
    found: inProduct({ netWeight: 14, netWeightUOM: 'LB', grossWeight: 12, grossWeightUOM: 'LB' }),
    remedies: [{ title: 'exchanges both weights', edit: inProduct({ netWeight: 12, grossWeight: 14 }) }],
  },
  'product/one-record-per-item-code': {
    kind: 'masterProduct',
    found: unchanged,
    facts: masterProduct('TOM-1', tomatoes),
    // The record that is replaced is not found as another one.
    remedies: [{ title: 'replaces the record named', facts: { masterProducts: new Map() } }],
  },
  'product/alternate-item-code-unique': field(inProduct, 'alternateItemCode', 'ALT-1', 'ALT-2', {
    facts: heldBy('alternateItemCode', 'ALT-1', 'TOM-1'),
  }),
  ...Object.fromEntries(
    (
      [
        ['name', 'itemDescription', 'n/a'],
        ['commodity', 'productCommodity', undefined],
        ['packaging-size', 'packSize', undefined],
        ['packaging-style', 'packStyle', undefined],
      ] as const
    ).map(([slug, name, wrong]) => [
      `product/${slug}`,
      {
        found: inProduct({ [name]: wrong }),
        remedies: [
          { title: `sends ${name}`, edit: inProduct({ [name]: tomatoes[name] }) },
          { title: 'completes the master product', facts: masterProduct('TOM-1', tomatoes) },
        ],
      },
    ]),
  ),
}

const fence = [
  ['36 40.66 N', '121 39.33 W'],
  ['36 40.70 N', '121 39.33 W'],
  ['36 40.70 N', '121 39.40 W'],
]

const ofLocation: Record<string, Case> = {
  'location/code-repeated': {
    found: (payload) => payload.locationMasterList.push({ ...payload.locationMasterList[1] }),
    remedies: [{ title: 'sends each location once', edit: (payload) => payload.locationMasterList.pop() }],
  },
  'location/gln-check-digit': field(inLocation, 'gln', '0614141000013', '0614141000012'),
  'location/identifiers-assigned': field(inLocation, 'gln', '0'.repeat(13), '0614141000012'),
  'location/text-visible': field(inLocation, 'locationName', 'Cooler\u200B', 'Cooler'),
  'location/alternate-location-code-unique': field(inLocation, 'alternateLocationCode', 'ALT-1', 'ALT-2', {
    facts: heldBy('alternateLocationCode', 'ALT-1', 'SHIP-FROM'),
  }),
  'location/coordinates-form': field(
    inLocation,
    'geoLocation',
    { gpsCoordinates: ['36 40.66 N'] },
    { gpsCoordinates: ['36 40.66 N', '121 39.33 W'] },
  ),
  'location/fence-form': field(inLocation, 'geoLocation', { geoFence: fence.slice(1) }, { geoFence: fence }),
  'location/phone-format': field(inLocation, 'phoneNumber', '831-555-0100', '+1.831.555.0100'),
  'location/type-listed': field(inLocation, 'locationType', 'Farm', 'Supplier'),
  'location/gln-assigner-listed': field(inLocation, 'glnAssignedBy', 'Us', 'Internal'),
}

const noSource = { tlcSourceReferenceGln: '4006381333931' }

const ofLine: Record<string, Case> = {
  'product-line/case-gtin-check-digit': field(inLine, 'caseGtin', '10614141000414', '10614141000415'),
  'product-line/pallet-id-check-digit': field(inLine, 'palletId', '106141411234567890', '106141411234567897'),
  'product-line/item-upc-check-digit': field(inLine, 'itemUpc', '036000291459', '036000291452'),
  'product-line/tlc-source-gln-check-digit': field(inLine, 'tlcSourceReferenceGln', '0614141000013', '0614141000012'),
  'product-line/identifiers-assigned': field(inLine, 'palletId', '0'.repeat(18), '106141411234567897'),
  'product-line/text-visible': field(inLine, 'caseLotNumber', 'LOT\u200B1', 'LOT1'),
  'product-line/case-gtin-of-product': field(inLine, 'caseGtin', '10614141000521', '10614141000415'),
  'product-line/quantity-positive': {
    found: (payload) => payload.eventList.productList.push({ ...payload.eventList.productList[0], shipQuantity: 0 }),
    remedies: [
      {
        title: 'sends the quantity',
        edit: (payload) => Object.assign(payload.eventList.productList[1], { shipQuantity: 1 }),
      },
      { title: 'leaves the line out', edit: (payload) => payload.eventList.productList.pop() },
    ],
  },
  'product-line/years-plausible': field(inLine, 'harvestDate', '0026-03-01', '2026-03-01'),
  'product-line/made-before-receipt': field(inLine, 'harvestDate', '2026-03-06', '2026-03-01'),
  'product-line/made-before-shipment': field(inLine, 'harvestDate', '2026-03-06', '2026-03-01', {
    kind: 'shippingEvent',
  }),
  'product-line/made-in-order': {
    found: inLine({ harvestDate: '2026-03-02', packagingDate: '2026-03-01' }),
    remedies: [
      { title: 'exchanges the dates', edit: inLine({ harvestDate: '2026-03-01', packagingDate: '2026-03-02' }) },
    ],
  },
  'product-line/good-after-made': {
    found: inLine({ productionDate: '2026-03-02', expirationDate: '2026-03-01' }),
    remedies: [
      { title: 'exchanges the dates', edit: inLine({ productionDate: '2026-03-01', expirationDate: '2026-03-20' }) },
    ],
  },
  'product-line/good-at-receipt': field(inLine, 'expirationDate', '2026-02-20', '2026-03-20'),
  'product-line/good-at-shipment': field(inLine, 'expirationDate', '2026-02-20', '2026-03-20', {
    kind: 'shippingEvent',
  }),
  'product-line/tlc-source-ffrn-form': {
    found: inLine({ tlcSourceReferenceFfrn: '123456789' }),
    remedies: [
      { title: 'sends the number', edit: inLine({ tlcSourceReferenceFfrn: '14532865782' }) },
      { title: 'leaves the field out', edit: inLine({ tlcSourceReferenceFfrn: undefined }) },
    ],
  },
  'product-line/tlc-source-fei-form': field(inLine, 'tlcSourceReferenceFei', '300456789', '3004567890'),
  'product-line/tlc-source-url-form': field(
    inLine,
    'tlcSourceReferenceUrl',
    'trace.example.com/source/gv-1',
    'https://trace.example.com/source/gv-1',
  ),
  'product-line/country-known': field(inLine, 'countryOfOrigin', 'ZZZ', 'MEX'),
  'product-line/product-id-unique': {
    found: (payload) => {
      inLine({ productId: 'P-1' })(payload)
      payload.eventList.productList.push({ ...payload.eventList.productList[0] })
    },
    remedies: [{ title: 'gives every line its own id', edit: inLine({ productId: 'P-2' }) }],
  },
  'product-line/item-code-listed': {
    found: inLine({ vendorItemCode: 'NEW', caseGtin: undefined }),
    remedies: [
      {
        title: 'adds the product',
        edit: (payload) => payload.productMasterDataList.push({ ...tomatoes, id: undefined, itemCode: 'NEW' }),
      },
      { title: 'creates the master product', facts: masterProduct('NEW', tomatoes) },
    ],
  },
  'product-line/lot-code-barcode': field(inLine, 'caseLotNumber', 'GV 26063 #A, tomatoes of March', 'GV26063-A'),
  'product-line/one-lot': field(inLine, 'caseLotNumber', 'L1, L2', 'L1'),
  'product-line/lot-code': {
    found: inLine({ caseLotNumber: 'n/a' }),
    remedies: [{ title: 'sends the lot code of the vendor', edit: inLine({ caseLotNumber: 'GV26063-A' }) }],
  },
  'product-line/quantity-unit': field(inLine, 'shipQuantityUom', 'n/a', 'case'),
  'product-line/product-description': {
    found: inAll(inLine({ vendorItemCode: 'NEW', caseGtin: undefined })),
    remedies: [
      { title: 'creates the master product', facts: masterProduct('NEW', tomatoes) },
      {
        title: 'adds the product',
        edit: (payload) => payload.productMasterDataList.push({ ...tomatoes, id: undefined, itemCode: 'NEW' }),
      },
    ],
  },
  'product-line/tlc-source-place': {
    found: inLine(noSource),
    remedies: [
      {
        title: 'sends the name, address and phone of the source',
        edit: inLine({
          tlcSourceName: 'Salinas Packing',
          tlcSourceAddress1: '9 Field Road',
          tlcSourceCity: 'Salinas',
          tlcSourceState: 'CA',
          tlcSourcePostalCode: '93901',
          tlcSourceCountry: 'USA',
          tlcSourcePhoneNumber: '+1.831.555.0142',
        }),
      },
      { title: 'sends a registration number', edit: inLine({ tlcSourceReferenceFfrn: '14532865782' }) },
      { title: 'sends a web link', edit: inLine({ tlcSourceReferenceUrl: 'https://trace.example.com/gv-1' }) },
      {
        title: 'describes the location with this GLN in locationMasterList',
        edit: (payload) =>
          payload.locationMasterList.push({ locationCode: 'PACKER', gln: noSource.tlcSourceReferenceGln, ...place }),
      },
      {
        title: 'describes the location with this GLN as a stored location of the vendor',
        facts: storedPlace('PACKER', { gln: noSource.tlcSourceReferenceGln, ...place }),
      },
    ],
  },
}

const ofPayload: Record<string, Case> = {
  'payload/payload-id-unique': {
    found: unchanged,
    facts: { payloadIdUsedBy: 'r-1' },
    remedies: [{ title: 'sends an id of its own', facts: { payloadIdUsedBy: undefined } }],
  },
  'payload/transmission-date-time-form': {
    kind: 'masterProduct',
    found: (payload) => Object.assign(payload, { transmissionDateTime: '2026-03-04 18:05' }),
    remedies: [
      {
        title: 'sends the form',
        edit: (payload) => Object.assign(payload, { transmissionDateTime: '2026-03-04T18:05:00Z' }),
      },
    ],
  },
  'payload/transmission-date-plausible': {
    found: (payload) => Object.assign(payload, { transmissionDateTime: '0026-03-04T18:05:00Z' }),
    remedies: [
      {
        title: 'sends a year of four digits',
        edit: (payload) => Object.assign(payload, { transmissionDateTime: '2026-03-04T18:05:00Z' }),
      },
      { title: 'leaves the field out', edit: (payload) => delete payload.transmissionDateTime },
    ],
  },
  'payload/text-visible': {
    found: (payload) => Object.assign(payload, { payloadId: 'P\u200B1' }),
    remedies: [
      { title: 'sends it without the character', edit: (payload) => Object.assign(payload, { payloadId: 'P1' }) },
    ],
  },
}

const cases: Readonly<Record<string, Case>> = {
  ...ofPayload,
  ...ofProduct,
  ...ofLocation,
  ...ofEvent('receiving-event'),
  ...ofEvent('shipping-event'),
  ...ofOtherEvents,
  ...ofFieldAndDock,
  ...ofLine,
}

const advising = catalogue.filter(({ severity }) => severity !== 'error')

it('every gap and warning of the catalogue has a case, and there is no other', () => {
  expect(Object.keys(cases).sort()).toEqual(advising.map(({ id }) => id).sort())
})

describe.each(advising.map(({ id, remedy }) => ({ id, remedy })))('the remedy of $id', ({ id }) => {
  const { kind = 'receivingEvent', found, facts = {}, remedies } = cases[id] ?? { found: unchanged, remedies: [] }
  const rulesIn = (edit: Edit, known: Partial<Facts>) => {
    const rules = judged({ kind, edit: inAll(edit, leaveOut), facts: known }).findings.map(({ rule }) => rule)
    expect(rules.filter((rule) => rule.startsWith('shape/'))).toEqual([])
    return rules
  }

  it('has something to remedy', () => {
    expect(rulesIn(found, facts)).toContain(id)
  })

  it.each(remedies)('$title: the finding is gone', ({ edit = unchanged, facts: changed = {} }) => {
    expect(rulesIn(inAll(found, edit), { ...facts, ...changed })).not.toContain(id)
  })
})
