// What a ship notice becomes: shipping events, by the settings of its sender.
import { describe, expect, test } from 'vitest'
import type { ShipNoticeSender } from '../../src/contract/ship-notice-sender.ts'
import { shippingEventsOf } from '../../src/ship-notices/shipping-event.ts'
import { exampleNotice, interchangeOf, noticeIn, noticeOf } from '../samples/ship-notices.ts'
import { readNotices } from '../support/files/read-notices.ts'

const sender: ShipNoticeSender = {
  senderId: 'SENDER',
  dataProviderVendorId: 'V-1001',
  timeZone: 'America/Los_Angeles',
  tlcSourceIsShipFrom: true,
}

function made(text: string, settings: Partial<ShipNoticeSender> = {}) {
  const [notice] = readNotices(text).notices
  if (notice === undefined) throw new Error('There is no notice.')
  const { events, findings } = shippingEventsOf(notice, { ...sender, ...settings })
  return {
    events,
    event: events[0]?.payload.eventList,
    line: events[0]?.payload.eventList.productList[0],
    locations: events[0]?.payload.locationMasterList,
    said: findings.map(
      ({ severity, segment, segmentId, element, message }) =>
        `${severity} ${segment} ${segmentId}${element === undefined ? '' : `.${element}`}: ${message}`,
    ),
  }
}

const notice = (...levels: string[]) => interchangeOf([noticeOf(levels)])
const item = ['HL*2*1*I', 'LIN**UK*10614141000415*LT*LOT-A', 'SN1**56*CA']
const heading = noticeIn('S-I')

describe('the example', () => {
  test('becomes one event with all it says', () => {
    const { events, said } = made(exampleNotice, {
      dataProviderVendorName: 'Green Valley Farms',
      places: [{ code: '0614141000029', locationCode: 'DC-07' }],
      lineDefaults: { countryOfOrigin: 'USA' },
    })
    expect(said).toEqual([])
    expect(events).toHaveLength(1)
    const source = {
      tlcSourceReferenceGln: '0614141000012',
      tlcSourceName: 'Green Valley Cooler',
      tlcSourceAddress1: '1200 Harvest Road',
      tlcSourceCity: 'Salinas',
      tlcSourceState: 'CA',
      tlcSourcePostalCode: '93901',
      tlcSourceCountry: 'US',
      tlcSourcePhoneNumber: '+1.831.555.0100',
      countryOfOrigin: 'USA',
    }
    const romaine = {
      vendorItemCode: 'ROM-24',
      shipQuantityUom: 'case',
      vendorItemDescription: 'Romaine hearts 24 ct',
      poLineNumber: '1',
      caseGtin: '10614141000415',
      ...source,
    }
    expect(events[0]?.payload).toEqual({
      productMasterDataList: [
        { itemCode: 'ROM-24', itemDescription: 'Romaine hearts 24 ct', gtin: '10614141000415' },
        { itemCode: 'CIL-30', itemDescription: 'Cilantro bunched 30 ct', gtin: '10614141000521' },
      ],
      locationMasterList: [
        {
          locationCode: '0614141000012',
          locationName: 'Green Valley Cooler',
          gln: '0614141000012',
          address: {
            streetAddress1: '1200 Harvest Road',
            city: 'Salinas',
            state: 'CA',
            postalCode: '93901',
            country: 'US',
          },
          phoneNumber: '+1.831.555.0100',
        },
        { locationCode: 'DC-07', locationName: 'Distribution Center 7' },
      ],
      eventList: {
        dataProviderVendorId: 'V-1001',
        dataProviderVendorName: 'Green Valley Farms',
        eventDateTime: '2026-03-03T16:10:00-08:00',
        shipFromLocationCode: '0614141000012',
        shipToLocationCode: 'DC-07',
        purchaseOrderNumber: 'PO-88120',
        purchaseOrderDate: '2026-03-01',
        asnNumber: 'ASN-771203',
        billOfLadingNumber: 'BOL-55310',
        expectedDeliveryDate: '2026-03-04',
        standardCarrierAlphaCode: 'GVTL',
        carrierShipmentMethod: 'Motor carrier',
        equipmentDescription: 'Temperature-controlled trailer',
        equipmentNumber: 'TR-4471',
        shipmentLadingQuantity: 120,
        shipmentLadingUom: 'carton',
        productList: [
          { ...romaine, shipQuantity: 56, palletId: '106141410000000019', caseLotNumber: 'GV26062-A' },
          { ...romaine, shipQuantity: 40, palletId: '106141410000000026', caseLotNumber: 'GV26063-B' },
          {
            ...romaine,
            vendorItemCode: 'CIL-30',
            vendorItemDescription: 'Cilantro bunched 30 ct',
            poLineNumber: '2',
            caseGtin: '10614141000521',
            shipQuantity: 24,
            caseLotNumber: 'GV26062-C',
          },
        ],
      },
    })
  })

  test('says of each value where it stands', () => {
    const { places } = made(exampleNotice).events[0] ?? { places: new Map() }
    expect(places.get('/eventList/productList/1/caseLotNumber')).toMatchObject({
      segment: 31,
      segmentId: 'LIN',
      element: 7,
    })
    expect(places.get('/locationMasterList/0/gln')).toMatchObject({ segment: 12, segmentId: 'N1', element: 4 })
  })
})

describe('items', () => {
  test.each([
    ['LIN**VN*ROM-24*UK*10614141000415', { vendorItemCode: 'ROM-24', caseGtin: '10614141000415' }],
    [
      'LIN**UP*614141000418*EN*10614141000415',
      { vendorItemCode: '10614141000415', caseGtin: '10614141000415', itemUpc: '614141000418' },
    ],
    ['LIN**IN*5500123', { vendorItemCode: '5500123', purchaserItemCode: '5500123' }],
    ['LIN*UP*614141000418', { vendorItemCode: '614141000418', itemUpc: '614141000418' }],
  ])('of %s are named by the vendor if possible', (lin, fields) => {
    expect(made(notice('HL*2*1*I', lin, 'SN1**56*CA', 'REF*LT*A')).line).toMatchObject(fields)
  })

  test('in packs with a level for each lot have the item of the pack, and what the level of the lot says', () => {
    const text = interchangeOf([noticeIn('S-O-T-P with a level for each lot')])
    expect(made(text, { tlcSourceRole: 'ZW' }).line).toMatchObject({
      vendorItemCode: '10614141000415',
      purchaserItemCode: '5500123',
      caseGtin: '10614141000415',
      itemUpc: '614141000418',
      vendorItemDescription: 'Romaine hearts 24 ct',
      caseLotNumber: 'LOT-A',
      palletId: '106141410000000019',
      countryOfOrigin: 'USA',
      tlcSourceName: 'Lettuce Field 7',
    })
  })

  test('keep codes that no table has, whatever they are called', () => {
    const levels = ['HL*2*1*I', 'LIN**UK*10614141000415*CH*??', 'SN1**5*constructor', 'DTM*__proto__*20260303']
    expect(made(notice(...levels)).line).toEqual({
      vendorItemCode: '10614141000415',
      caseGtin: '10614141000415',
      shipQuantity: 5,
      shipQuantityUom: 'constructor',
      tlcSourceReferenceGln: '0614141000012',
      tlcSourceName: 'GREEN VALLEY COOLER',
      tlcSourceAddress1: '1200 HARVEST ROAD',
      tlcSourceCity: 'SALINAS',
      tlcSourceState: 'CA',
      tlcSourcePostalCode: '93901',
      tlcSourceCountry: 'US',
    })
  })

  test('have the vendor item code that the settings of the sender assign', () => {
    const items = [{ code: '10614141000415', vendorItemCode: 'ROM-24' }]
    expect(made(notice(...item), { items }).line).toMatchObject({
      vendorItemCode: 'ROM-24',
      caseGtin: '10614141000415',
    })
  })

  test.each([
    [
      ['HL*2*1*I', 'LIN**LT*LOT-A', 'SN1**5*CA'],
      'error 12 HL: The line names no item: its LIN has no code that is read (VN, UK, UP, EN, BP, IN and the like).',
    ],
    [['HL*2*1*I', 'LIN**UP*614141000418'], 'error 12 HL: The line has no quantity.'],
    [['HL*2*1*O'], 'error 13 SE: The notice has no HL level with LIN and SN1.'],
    [
      ['HL*2*1*I', 'LIN**UP*614141000418', 'SN1**many*CA'],
      'error 14 SN1.2: SN102 is "many". It must be a number, e.g. 40.',
    ],
    [
      [...item, 'REF*LT*LOT-A', 'REF*LT*LOT-B'],
      'error 16 REF.2: The line has 2 lot codes and one quantity: "LOT-A", "LOT-B".',
    ],
    [
      [...item, 'DTM*036*20261332'],
      'error 15 DTM.2: DTM02 is "20261332". A date has the form CCYYMMDD, e.g. 20260304.',
    ],
  ])('that cannot be read are refused at their place: %j', (levels, finding) => {
    expect(made(notice(...levels)).said).toContain(finding)
  })

  test('have dates by the usual qualifiers and by those of the sender', () => {
    const dates = [{ code: '511', field: 'packagingDate' as const }]
    expect(
      made(notice(...item, 'DTM*036*20260320', 'DTM*511*260302', 'DTM*999*20260101'), { dates }).line,
    ).toMatchObject({
      expirationDate: '2026-03-20',
      packagingDate: '2026-03-02',
    })
  })

  test('have units as the sender means them', () => {
    expect(made(notice(...item), { units: [{ code: 'CA', shipQuantityUom: 'crate' }] }).line?.shipQuantityUom).toBe(
      'crate',
    )
    expect(made(notice('HL*2*1*I', 'LIN**UP*614141000418', 'SN1**5*ZZ')).line?.shipQuantityUom).toBe('ZZ')
  })
})

describe('the source of lot codes', () => {
  const farm = ['N1*DA*GREEN VALLEY FARMS*FA*14532865782', 'N3*1 FARM ROAD', 'N4*SALINAS*CA*93901*US']

  test('is the party whose role the settings name', () => {
    expect(made(notice(...item, ...farm), { tlcSourceRole: 'DA' }).line).toMatchObject({
      tlcSourceReferenceFfrn: '14532865782',
      tlcSourceName: 'GREEN VALLEY FARMS',
    })
  })

  test('comes from the settings only where the notice names none', () => {
    const lineDefaults = { tlcSourceReferenceFfrn: '11111111112', countryOfOrigin: 'USA' }
    const settings = { tlcSourceIsShipFrom: false, tlcSourceRole: 'DA', lineDefaults }
    expect(made(notice(...item), settings).line).toMatchObject(lineDefaults)
    expect(made(notice(...item, ...farm), settings).line).toMatchObject({
      tlcSourceReferenceFfrn: '14532865782',
      countryOfOrigin: 'USA',
    })
  })
})

describe('times', () => {
  const shippedAt = (dtm: string, settings: Partial<ShipNoticeSender> = {}) =>
    made(interchangeOf([heading.map((segment) => (segment.startsWith('DTM') ? dtm : segment))]), settings)

  test.each([
    ['DTM*011*20260303*1610', '2026-03-03T16:10:00-08:00'],
    ['DTM*011*20260703*161030', '2026-07-03T16:10:30-07:00'],
    ['DTM*011*20260303*1610*ET', '2026-03-03T16:10:00-05:00'],
    ['DTM*011*20260303*1610*UT', '2026-03-03T16:10:00Z'],
    ['DTM*011*20260303*1610*CD', '2026-03-03T16:10:00-05:00'],
  ])('of %s are at the place of the sender, or in the zone they name', (dtm, dateTime) => {
    const { event, said } = shippedAt(dtm)
    expect(said).toEqual([])
    expect(event?.eventDateTime).toBe(dateTime)
  })

  test('in a zone with half hours are given in UTC', () => {
    expect(shippedAt('DTM*011*20260303*1610', { timeZone: 'Asia/Kolkata' }).event?.eventDateTime).toBe(
      '2026-03-03T10:40:00Z',
    )
  })

  test.each([
    [
      'DTM*011*20260303',
      '2026-03-03T16:12:00-08:00',
      'warning 7 DTM.2: DTM*011 has no time. The time of the notice (BSN04) is used.',
    ],
    [
      'DTM*011*20260302',
      '2026-03-02T00:00:00-08:00',
      'warning 7 DTM.2: DTM*011 has no time. The event is dated to the beginning of the day.',
    ],
    [
      'DTM*017*20260305',
      '2026-03-03T16:12:00-08:00',
      'warning 4 BSN.3: The notice has no DTM*011. The time of the notice (BSN04) is used.',
    ],
  ])('that %s does not have are said to be supplied', (dtm, dateTime, finding) => {
    const { event, said } = shippedAt(dtm)
    expect(event?.eventDateTime).toBe(dateTime)
    expect(said).toEqual([finding])
  })

  test.each([
    ['DTM*011*20260303*2561', {}, 'error 7 DTM.3: DTM03 is "2561". A time has the form HHMM, e.g. 0930.'],
    ['DTM*011*20260303*1610', { timeZone: '' }, 'error 7 DTM.2: The time 2026-03-03 16:10:00 has no time zone.'],
  ])('that cannot be read are refused: %s', (dtm, settings, finding) => {
    const { events, said } = shippedAt(dtm, settings)
    expect(events).toEqual([])
    expect(said).toEqual([finding])
  })
})

describe('places', () => {
  test('without a code are found by their name, and refused without either', () => {
    const text = interchangeOf([heading.map((segment) => segment.replace('*92*DC07', ''))])
    expect(made(text, { places: [{ code: 'DC 7', locationCode: 'DC-07' }] }).event?.shipToLocationCode).toBe('DC-07')
    expect(made(text).said).toEqual(['error 11 N1.1: N1*ST has no code (N104) beside the name "DC 7".'])
  })

  test('that a notice does not name at all are refused', () => {
    const text = interchangeOf([heading.filter((segment) => !segment.startsWith('N1*ST'))])
    expect(made(text).said).toEqual(['error 5 HL: The notice does not name the place that receives (N1*ST).'])
  })
})

describe('orders', () => {
  test('and ship-to places of one notice are an event each', () => {
    const { events, said } = made(
      notice(
        'HL*2*1*O',
        'PRF*PO-1',
        'HL*3*2*I',
        'LIN**UP*614141000418*LT*A',
        'SN1**1*CA',
        'HL*4*1*O',
        'PRF*PO-2',
        'N1*ST*STORE 9*92*S9',
        'HL*5*4*I',
        'LIN**UP*614141000418*LT*B',
        'SN1**2*CA',
      ),
    )
    expect(said).toEqual([])
    expect(
      events.map(({ payload: { eventList } }) => [
        eventList.purchaseOrderNumber,
        eventList.shipToLocationCode,
        eventList.eventDateTime,
        eventList.productList.map(({ caseLotNumber }) => caseLotNumber),
      ]),
    ).toEqual([
      ['PO-1', 'DC07', '2026-03-03T16:10:00-08:00', ['A']],
      ['PO-2', 'S9', '2026-03-03T16:10:00-08:00', ['B']],
    ])
  })
})
