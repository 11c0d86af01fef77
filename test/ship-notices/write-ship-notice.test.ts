// Ship notices that are written are read again as the same events.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ShippingEventPayload } from '../../src/contract/payloads.ts'
import type { ShipNoticeSender } from '../../src/contract/ship-notice-sender.ts'
import { shippingEventsOf } from '../../src/ship-notices/shipping-event.ts'
import { sourceRole, writeShipNotices } from '../../src/ship-notices/write-ship-notice.ts'
import { exampleNotice } from '../samples/ship-notices.ts'
import { readNotices } from '../support/files/read-notices.ts'
import { runs } from '../support/runs.ts'

const envelope = {
  senderQualifier: 'ZZ',
  senderId: 'GREENVALLEY',
  receiverQualifier: 'ZZ',
  receiverId: 'BUYER',
  usage: 'P',
  controlNumber: 117,
  writtenAt: '2026-03-03T16:15:00Z',
}
const sender: ShipNoticeSender = {
  senderId: 'GREENVALLEY',
  dataProviderVendorId: 'V-1001',
  dataProviderVendorName: 'Green Valley Farms',
  tlcSourceRole: sourceRole,
}

/** The events of a file, as its receiver makes them. */
function readAgain(text: string): ShippingEventPayload[] {
  const { notices, findings } = readNotices(text)
  expect(findings).toEqual([])
  return notices.flatMap((notice) => {
    const made = shippingEventsOf(notice, sender)
    expect(made.findings).toEqual([])
    return made.events.map(({ payload }) => payload as unknown as ShippingEventPayload)
  })
}

const word = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 .,/#:-]{0,18}[A-Za-z0-9]$/)
const code = fc.stringMatching(/^[A-Z0-9][A-Z0-9-]{0,15}$/)
const date = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2039-12-31'), noInvalidDate: true })
  .map((made) => made.toISOString().slice(0, 10))
const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`))
const place = fc.record(
  { streetAddress1: word, streetAddress2: word, city: word, state: code, postalCode: code, country: fc.constant('US') },
  { requiredKeys: ['streetAddress1', 'city', 'state'] },
)
const phone = digits(10).map((ten) => `+1.${ten.slice(0, 3)}.${ten.slice(3, 6)}.${ten.slice(6)}`)
/** By GLN, or by a code of the buyer. */
const location = fc.oneof(
  fc
    .record(
      { locationCode: digits(13), locationName: word, address: place, phoneNumber: phone },
      { requiredKeys: ['locationCode', 'locationName'] },
    )
    .map((one) => ({ ...one, gln: one.locationCode })),
  fc.record(
    { locationCode: code, locationName: word, address: place, phoneNumber: phone },
    { requiredKeys: ['locationCode', 'locationName'] },
  ),
)
const source = fc.oneof(
  fc.record({ tlcSourceReferenceGln: digits(13) }),
  fc.record({ tlcSourceReferenceFfrn: digits(11), tlcSourceName: word }),
  fc.record({ tlcSourceReferenceDuns: digits(9) }),
  fc.record({
    tlcSourceName: word,
    tlcSourceAddress1: word,
    tlcSourceCity: word,
    tlcSourceState: code,
    tlcSourcePostalCode: code,
    tlcSourceCountry: fc.constant('US'),
    tlcSourcePhoneNumber: phone,
  }),
)
const line = fc
  .tuple(
    fc.record(
      {
        vendorItemCode: code,
        shipQuantity: fc.oneof(
          fc.integer({ min: 1, max: 99_999 }),
          fc.integer({ min: 1, max: 99_999 }).map((n) => n / 8),
        ),
        shipQuantityUom: fc.constantFrom('case', 'carton', 'lb', 'kg', 'each', 'tub'),
        palletId: digits(18),
        poLineNumber: digits(3),
        purchaserItemCode: code,
        caseGtin: digits(14),
        itemUpc: digits(12),
        caseLotNumber: code,
        expirationDate: date,
        productionDate: date,
      },
      { requiredKeys: ['vendorItemCode', 'shipQuantity', 'shipQuantityUom'] },
    ),
    source,
    fc.option(word, { nil: undefined }),
  )
  .map(([fields, tlc, vendorItemDescription]) => ({
    ...fields,
    ...tlc,
    ...(vendorItemDescription && { vendorItemDescription }),
  }))

const event = fc
  .tuple(
    location,
    location,
    fc.record(
      {
        asnNumber: code,
        purchaseOrderNumber: code,
        purchaseOrderDate: date,
        billOfLadingNumber: code,
        carrierTrackingNumber: code,
        loadPlanningNumber: code,
        appointmentNumber: code,
        expectedDeliveryDate: date,
        standardCarrierAlphaCode: fc.stringMatching(/^[A-Z]{4}$/),
        carrierShipmentMethod: fc.constantFrom('Motor carrier', 'Rail', 'Truckload'),
        equipmentDescription: fc.constantFrom('Trailer', 'Container'),
        equipmentNumber: code,
      },
      { requiredKeys: ['asnNumber'] },
    ),
    fc.tuple(date, fc.nat(86_399), fc.constantFrom('Z', '-05:00', '-08:00')),
    fc.array(line, { minLength: 1, maxLength: 12 }),
  )
  .filter(([from, to]) => from.locationCode !== to.locationCode)
  .map(([from, to, fields, [day, second, offset], productList]): ShippingEventPayload => {
    // In the order of the lines, as each is read with the description of its item.
    const products = new Map<string, { itemCode: string; itemDescription: string; gtin?: string }>()
    for (const { vendorItemCode, caseGtin: gtin } of productList) {
      const ofItem = productList.filter((one) => one.vendorItemCode === vendorItemCode)
      const described = ofItem.find((one) => one.vendorItemDescription !== undefined)
      if (described?.vendorItemDescription !== undefined && !products.has(vendorItemCode))
        products.set(vendorItemCode, {
          itemCode: vendorItemCode,
          itemDescription: described.vendorItemDescription,
          ...(gtin && { gtin }),
        })
    }
    // What the receiver reads of an order needs its number, and each line of an item its text.
    const { purchaseOrderDate, ...others } = fields
    return {
      productMasterDataList: [...products.values()],
      locationMasterList: [from, to],
      eventList: {
        dataProviderVendorId: sender.dataProviderVendorId,
        dataProviderVendorName: 'Green Valley Farms',
        eventDateTime: `${day}T${new Date(second * 1_000).toISOString().slice(11, 19)}${offset}`,
        shipFromLocationCode: from.locationCode,
        shipToLocationCode: to.locationCode,
        ...others,
        ...(fields.purchaseOrderNumber !== undefined && purchaseOrderDate !== undefined && { purchaseOrderDate }),
        productList: productList.map((one) => ({
          ...one,
          ...(products.has(one.vendorItemCode) && {
            vendorItemDescription: one.vendorItemDescription ?? products.get(one.vendorItemCode)?.itemDescription ?? '',
          }),
        })),
      },
    }
  })

test('events become notices that are read as the same events, and nothing of them is left', () => {
  fc.assert(
    fc.property(fc.array(event, { minLength: 1, maxLength: 3 }), (events) => {
      const { text, left } = writeShipNotices(envelope, events)
      expect(left.flat()).toEqual([])
      expect(readAgain(text)).toEqual(events)
    }),
    { numRuns: runs(500, 50) },
  )
})

test('the example is written as it was read', () => {
  const [notice] = readNotices(exampleNotice).notices
  if (notice === undefined) throw new Error('The example has no notice.')
  const [made] = shippingEventsOf(notice, {
    ...sender,
    timeZone: 'America/Los_Angeles',
    tlcSourceIsShipFrom: true,
  }).events
  const payload = made?.payload as unknown as ShippingEventPayload
  expect(readAgain(writeShipNotices(envelope, [payload]).text)).toEqual([payload])
})

test('what a notice has no place for is named', () => {
  const [payload] = fc.sample(event, { numRuns: 1, seed: 1 })
  if (payload === undefined) throw new Error('There is no sample.')
  const [line, ...lines] = payload.eventList.productList
  const more = {
    ...payload,
    eventList: {
      ...payload.eventList,
      methodOfPayment: 'Prepaid',
      productList: [{ ...line, harvestDate: '2026-03-02' }, ...lines],
    },
  } as ShippingEventPayload
  expect(writeShipNotices(envelope, [more]).left).toEqual([
    ['/eventList/methodOfPayment', '/eventList/productList/0/harvestDate'],
  ])
})
