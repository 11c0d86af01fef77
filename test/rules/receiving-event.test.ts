import * as event from '../../src/rules/receiving-event.ts'
import { identifierKey } from '../../src/rules/rule.ts'
import type { Json } from '../samples/declared-shapes.ts'
import { byVendor, proveGroup, proveRule } from '../support/records/prove-rule.ts'

const set = (changes: object) => (payload: Json) => Object.assign(payload.eventList, changes)
const toGap = 'receiving-event/ship-to-description'

/** A create of two events; the second differs from the first by `changes`. */
const two =
  (changes: object, firstAt = '2026-03-04T09:30:00-06:00') =>
  (payload: Json) => {
    const one = { ...payload.eventList, eventDateTime: firstAt }
    payload.eventList = [one, { ...one, ...changes }]
  }

const utc = set({ eventDateTime: '2026-03-04T02:30:00Z' })

proveRule(event.dateReceivedLocal, {
  accepts: [
    { title: 'a time with an offset', facts: { timeZones: new Map() } },
    {
      title: 'a time in UTC at a location with a time zone',
      edit: utc,
      facts: { timeZones: byVendor(['V-1', 'SHIP-TO', 'America/Chicago']) },
    },
    {
      title: 'a time in UTC at a location code with a time zone at every vendor',
      edit: utc,
      facts: { timeZones: byVendor(['', 'SHIP-TO', 'America/Chicago']) },
    },
  ],
  refuses: [
    {
      title: 'a time in UTC',
      edit: utc,
      facts: { timeZones: new Map() },
      at: '/eventList/eventDateTime',
      says: '2026-03-04, the date in UTC',
    },
    {
      title: 'an offset of zero',
      edit: set({ eventDateTime: '2026-03-04T02:30:00+00:00' }),
      facts: { timeZones: new Map() },
      at: '/eventList/eventDateTime',
    },
    {
      title: 'a time in UTC where another vendor has the time zone',
      edit: utc,
      facts: { timeZones: byVendor(['V-2', 'SHIP-TO', 'America/Chicago']) },
      at: '/eventList/eventDateTime',
    },
    {
      title: 'a time in UTC where another location has the time zone',
      edit: utc,
      facts: { timeZones: byVendor(['V-1', 'SHIP-FROM', 'America/Chicago']) },
      at: '/eventList/eventDateTime',
    },
  ],
})

proveRule(event.shipFromListed, {
  accepts: [
    { title: 'a code of the location list' },
    {
      title: 'one location that ships to itself',
      edit: set({ shipFromLocationCode: 'SHIP-TO' }),
      alsoReports: ['receiving-event/ends-differ'],
    },
  ],
  refuses: [
    {
      title: 'a code that is not in the list',
      edit: set({ shipFromLocationCode: 'ELSEWHERE' }),
      at: '/eventList/shipFromLocationCode',
      says: '"ELSEWHERE" is not in locationMasterList. Known: "SHIP-FROM", "SHIP-TO".',
    },
    {
      title: 'a code in another case',
      edit: set({ shipFromLocationCode: 'ship-from' }),
      at: '/eventList/shipFromLocationCode',
      says: '"ship-from" is not in locationMasterList. "SHIP-FROM" differs only in upper and lower case.',
    },
    {
      title: 'a code with a blank at its end',
      edit: set({ shipFromLocationCode: 'SHIP-FROM ' }),
      at: '/eventList/shipFromLocationCode',
      says: '"SHIP-FROM " is not in locationMasterList. "SHIP-FROM" differs only in blanks at its ends.',
    },
    {
      title: 'a code of master data that the payload does not list',
      edit: set({ shipFromLocationCode: 'KNOWN' }),
      facts: { masterLocations: byVendor(['V-1', 'KNOWN', { gln: '0614141999996' }]) },
      at: '/eventList/shipFromLocationCode',
    },
    {
      title: 'a wrong code in the second event of a create',
      edit: two({ eventDateTime: '2026-03-05T09:30:00Z', shipFromLocationCode: 'X' }),
      at: '/eventList/1/shipFromLocationCode',
    },
  ],
})

proveRule(event.shipToListed, {
  accepts: [{ title: 'a code of the location list' }],
  refuses: [
    {
      title: 'a code that is not in the list',
      edit: set({ shipToLocationCode: 'ELSEWHERE' }),
      at: '/eventList/shipToLocationCode',
    },
    {
      title: 'the code of a location whose entry has another code',
      edit: (payload) => Object.assign(payload.locationMasterList[1], { locationCode: 'MOVED' }),
      at: '/eventList/shipToLocationCode',
    },
  ],
})

proveRule(event.carrierCodeLetters, {
  accepts: [
    { title: 'four letters', edit: set({ standardCarrierAlphaCode: 'abCD' }) },
    { title: 'an event without carrier code', edit: (payload) => delete payload.eventList.standardCarrierAlphaCode },
    { title: 'a blank carrier code', edit: set({ standardCarrierAlphaCode: '  ' }) },
  ],
  refuses: ['HGT', 'HGTLX', 'HGT1', 'HG L', 'ÄBCD'].map((code) => ({
    title: `the carrier code ${code}`,
    edit: set({ standardCarrierAlphaCode: code }),
    at: '/eventList/standardCarrierAlphaCode',
    says: JSON.stringify(code),
  })),
})

proveRule(event.onePayloadPerEventDateTime, {
  accepts: [
    { title: 'a single event' },
    { title: 'events of one vendor at different instants', edit: two({ eventDateTime: '2026-03-04T09:30:01-06:00' }) },
    { title: 'events at one instant of two vendors', edit: two({ dataProviderVendorId: 'V-2' }) },
    {
      title: 'events at one instant at two ship-to locations',
      edit: two({ shipToLocationCode: 'SHIP-FROM' }),
      alsoReports: ['receiving-event/ends-differ'],
    },
    {
      title: 'events with one clock time and different offsets',
      edit: two({ eventDateTime: '2026-03-04T09:30:00-05:00' }),
    },
  ],
  refuses: [
    {
      title: 'two events of one vendor at one place and instant',
      edit: two({ purchaseOrderNumber: 'PO-2' }),
      at: '/eventList/1/eventDateTime',
      says: 'The event at /eventList/0 has the same vendor, ship-to location and event date time.',
    },
    {
      title: 'two events at one instant spelled with different offsets',
      edit: two({ eventDateTime: '2026-03-04T15:30:00Z' }),
      at: '/eventList/1/eventDateTime',
    },
    {
      title: 'two events at one instant on different calendar dates',
      edit: two({ eventDateTime: '2026-03-05T01:30:00+10:00' }),
      at: '/eventList/1/eventDateTime',
    },
    {
      title: 'every further event at one instant',
      edit: (payload) => {
        payload.eventList = [1, 2, 3].map((number) => ({ ...payload.eventList, purchaseOrderNumber: `PO-${number}` }))
      },
      at: ['/eventList/1/eventDateTime', '/eventList/2/eventDateTime'],
    },
  ],
})

const take =
  (index: number, ...fields: readonly string[]) =>
  (payload: Json) => {
    for (const field of fields) delete payload.locationMasterList[index][field]
  }
const river = {
  locationName: 'River Warehouse',
  phoneNumber: '+1.901.555.0186',
  address: { streetAddress1: '17 Levee Road', city: 'Memphis', state: 'TN', postalCode: '38103' },
}

/** Another address for the ship-to location, and another phone number. */
const abroad =
  (address: object, phoneNumber = '+52.686.555.0186') =>
  (payload: Json) =>
    Object.assign(payload.locationMasterList[1], {
      address: { streetAddress1: '17 Levee Road', city: 'A', ...address },
      phoneNumber,
    })

proveRule(event.shipToDescription, {
  accepts: [
    ...[
      ['Singapore without state', { postalCode: '609078', country: 'SGP' }],
      ['Panama without state and postal code', { country: 'PAN' }],
      ['Panama by name', { country: 'Panamá' }],
      ['Hong Kong without postal code', { state: 'Kowloon', country: 'HK' }],
      ['the Netherlands without province', { postalCode: '2665 MS', country: 'NL' }],
      ['Guatemala with a placeholder for its state', { state: 'n/a', postalCode: 'n/a', country: 'Guatemala' }],
      ['Naples, whose province is NA', { state: 'NA', postalCode: '80121', country: 'ITA' }],
      ['Namibia, whose code is NA', { country: 'NA' }],
      ['Mexico with its state', { state: 'BC', postalCode: '21000', country: 'México' }],
    ].map(([place, address]) => ({ title: `a place in ${place}`, edit: abroad(address as object) })),
    {
      title: 'a place in the USA that does not say so',
      edit: abroad({ state: 'TN', postalCode: '38103-0001' }, '(901) 555-0186'),
      alsoReports: ['location/phone-format'],
    },
    {
      title: 'a place with placeholders in the way of what master data says',
      edit: (payload) => {
        Object.assign(payload.locationMasterList[1], { phoneNumber: 'n/a', locationName: 'unknown' })
        Object.assign(payload.locationMasterList[1].address, { city: '-', streetAddress1: 'see BOL' })
      },
      facts: { masterLocations: byVendor(['V-1', 'SHIP-TO', river]) },
      alsoReports: ['location/phone-format'],
    },
    { title: 'a location with name, phone, street, city, state and postal code' },
    {
      title: 'a location with coordinates in place of the street',
      edit: (payload) => {
        const [, to] = payload.locationMasterList
        delete to.address.streetAddress1
        to.geoLocation = { gpsCoordinates: ['35 8.97 N', '90 2.93 W'] }
      },
    },
    {
      title: 'a location whose address is in the master data of the vendor',
      edit: take(1, 'address', 'phoneNumber'),
      facts: { masterLocations: byVendor(['V-1', 'SHIP-TO', river]) },
    },
    {
      title: 'a location whose phone number alone is in the master data of the vendor',
      edit: take(1, 'phoneNumber'),
      facts: { masterLocations: byVendor(['V-1', 'SHIP-TO', { phoneNumber: '+1.901.555.0186' }]) },
    },
  ],
  refuses: [
    {
      title: 'a location with gln alone, and says all that is missing',
      edit: take(1, 'address', 'phoneNumber'),
      at: '/locationMasterList/1',
      says: 'Location "SHIP-TO" has no phone number, no street address or coordinates, no city, no state or region, no postal code.',
    },
    {
      title: 'a location without phone number',
      edit: take(1, 'phoneNumber'),
      at: '/locationMasterList/1',
      says: 'Location "SHIP-TO" has no phone number.',
    },
    ...[
      ['Mexico without state', { postalCode: '21000', country: 'MEX' }, 'no state or region.'],
      ['Canada without postal code', { state: 'BC', country: 'Canada' }, 'no postal code.'],
      ['a country that is not known, without either', { country: 'Ruritania' }, 'no state or region, no postal code.'],
      ['no country that is stated, with a state abroad', { state: 'Sonora', postalCode: '83000' }, 'no country.'],
      ['no country that is stated, with a postal code abroad', { state: 'WA', postalCode: 'V6B 1A1' }, 'no country.'],
      ['no country that is stated, with a phone number abroad', { state: 'TN', postalCode: '38103' }, 'no country.'],
      ['a placeholder for a country', { state: 'Sonora', postalCode: '83000', country: 'n/a' }, 'no country ("n/a").'],
    ].map(([place, address, says]) => ({
      title: `a place in ${place as string}`,
      edit: abroad(address as object),
      at: '/locationMasterList/1',
      says: says as string,
    })),
    {
      title: 'a location of placeholders, once, with each of them',
      edit: (payload) => {
        Object.assign(payload.locationMasterList[1], { phoneNumber: '000-000-0000', locationName: 'n/a' })
        Object.assign(payload.locationMasterList[1].address, {
          city: '-',
          streetAddress1: 'unknown',
          state: '?',
          postalCode: '00000',
        })
      },
      at: '/locationMasterList/1',
      says: 'Location "SHIP-TO" has no business name ("n/a"), no phone number ("000-000-0000"), no street address or coordinates ("unknown"), no city ("-"), no state or region ("?"), no postal code ("00000").',
      alsoReports: ['location/phone-format'],
    },
    {
      title: 'a location with a blank city',
      edit: (payload) => Object.assign(payload.locationMasterList[1].address, { city: ' ' }),
      at: '/locationMasterList/1',
      says: 'no city.',
    },
    {
      title: 'a location whose address is in the master data of another vendor',
      edit: take(1, 'address'),
      facts: { masterLocations: byVendor(['V-2', 'SHIP-TO', river]) },
      at: '/locationMasterList/1',
    },
    {
      title: 'a location whose master data lacks the same parts, also in strict mode without refusing',
      strict: true,
      edit: take(1, 'phoneNumber'),
      facts: { masterLocations: byVendor(['V-1', 'SHIP-TO', { address: river.address }]) },
      at: '/locationMasterList/1',
    },
    {
      title: 'once for two events that refer to it',
      edit: (payload) => {
        take(1, 'phoneNumber')(payload)
        two({ eventDateTime: '2026-03-05T09:30:00Z' })(payload)
      },
      at: '/locationMasterList/1',
    },
  ],
})

proveRule(event.shipFromDescription, {
  accepts: [
    { title: 'a complete location' },
    {
      title: 'a location that master data completes',
      edit: take(0, 'address', 'phoneNumber'),
      facts: { masterLocations: byVendor(['V-1', 'SHIP-FROM', river]) },
    },
  ],
  refuses: [
    {
      title: 'a location without street and coordinates',
      edit: (payload) => {
        take(0, 'geoLocation')(payload)
        delete payload.locationMasterList[0].address.streetAddress1
      },
      at: '/locationMasterList/0',
      says: 'no street address or coordinates.',
      alsoReports: ['product-line/tlc-source-place'],
    },
    {
      title: 'a location that an event ships from and to, once for each',
      edit: (payload) => {
        take(1, 'phoneNumber')(payload)
        set({ shipFromLocationCode: 'SHIP-TO' })(payload)
      },
      at: '/locationMasterList/1',
      alsoReports: ['receiving-event/ends-differ', toGap],
    },
  ],
})

proveRule(event.referenceDocument, {
  accepts: [
    { title: 'a purchase order' },
    {
      title: 'a bill of lading beside a placeholder',
      edit: set({ purchaseOrderNumber: 'n/a', billOfLadingNumber: 'BOL-1' }),
    },
    {
      title: 'a bill of lading, when the purchase order is missing',
      edit: (payload) => {
        delete payload.eventList.purchaseOrderNumber
        payload.eventList.billOfLadingNumber = 'BOL-1'
      },
      alsoReports: ['shape/required'],
    },
    {
      title: 'an event whose purchase order is missing, which is another error',
      edit: (payload) => delete payload.eventList.purchaseOrderNumber,
      alsoReports: ['shape/required'],
    },
    {
      title: 'an advance ship notice, when the purchase order is blank',
      edit: set({ purchaseOrderNumber: ' ', asnNumber: 'ASN-1' }),
      alsoReports: ['shape/required'],
    },
  ],
  refuses: [
    ...['n/a', 'See BOL 55310', '-', '0000000'].map((purchaseOrderNumber) => ({
      title: `the purchase order ${purchaseOrderNumber} alone`,
      edit: set({ purchaseOrderNumber }),
      at: '/eventList/purchaseOrderNumber',
      says: `purchaseOrderNumber is ${JSON.stringify(purchaseOrderNumber)}.`,
    })),
    {
      title: 'placeholders in all three, once',
      edit: set({ purchaseOrderNumber: 'n/a', billOfLadingNumber: 'none', asnNumber: '?' }),
      at: '/eventList/purchaseOrderNumber',
      says: 'purchaseOrderNumber is "n/a", billOfLadingNumber is "none", asnNumber is "?".',
    },
  ],
})

const held = (field: string, value: string, code = '') => ({
  heldBy: new Map([[identifierKey(field, value, code), 'r-1']]),
})

proveRule(event.eventIdUnique, {
  accepts: [
    { title: 'an id of its own', edit: set({ eventId: 'EV-1' }) },
    { title: 'no id', facts: held('eventId', 'EV-1') },
    {
      title: 'placeholders',
      edit: two({ eventDateTime: '2026-03-05T09:30:00Z', eventId: 'n/a' }),
      facts: held('eventId', 'n/a'),
    },
    {
      title: 'two ids in one create',
      edit: (payload) => {
        set({ eventId: 'EV-1' })(payload)
        two({ eventDateTime: '2026-03-05T09:30:00Z', eventId: 'EV-2' })(payload)
      },
    },
  ],
  refuses: [
    {
      title: 'an id of another record',
      edit: set({ eventId: 'EV-1' }),
      facts: held('eventId', 'EV-1'),
      at: '/eventList/eventId',
      says: 'eventId "EV-1" is that of record r-1.',
    },
    {
      title: 'one id twice in one create',
      edit: (payload) => {
        set({ eventId: 'EV-1' })(payload)
        two({ eventDateTime: '2026-03-05T09:30:00Z' })(payload)
      },
      at: '/eventList/1/eventId',
      says: 'eventId "EV-1" is already used at /eventList/0.',
    },
  ],
})

const at = (instant: string) => ({ now: Date.parse(instant) })

proveRule(event.receivedInPast, {
  accepts: [
    { title: 'an event of the past', facts: at('2026-03-04T15:31:00Z') },
    { title: 'a clock that is some minutes ahead', facts: at('2026-03-04T15:16:00Z') },
    { title: 'any time where there is no clock', edit: set({ eventDateTime: '2199-01-01T00:00:00Z' }) },
    {
      title: 'a date that stands for none, which is a gap',
      edit: set({ eventDateTime: '9999-12-31T00:00:00Z' }),
      facts: at('2026-03-04T15:16:00Z'),
      alsoReports: ['receiving-event/date-received'],
    },
  ],
  refuses: [
    {
      title: 'an event of the same day, an hour ahead',
      facts: at('2026-03-04T14:30:00Z'),
      at: '/eventList/eventDateTime',
    },
    {
      title: 'a local time that is told as UTC',
      edit: set({ eventDateTime: '2026-03-04T09:30:00Z' }),
      facts: at('2026-03-04T01:30:00Z'),
      at: '/eventList/eventDateTime',
    },
    {
      title: 'an event of 2199',
      edit: set({ eventDateTime: '2199-01-01T00:00:00Z' }),
      facts: at('2026-03-04T15:30:00Z'),
      at: '/eventList/eventDateTime',
      says: 'eventDateTime is "2199-01-01T00:00:00Z", which lies in the future. No list, completeness or package of this year shows the event.',
    },
    {
      title: 'a time of the transaction in the future',
      edit: set({ eventTransactionTime: '2026-03-04T20:41:00-06:00' }),
      facts: at('2026-03-04T21:00:00Z'),
      at: '/eventList/eventTransactionTime',
      says: 'eventTransactionTime is "2026-03-04T20:41:00-06:00", which lies in the future.',
    },
  ],
})

const otherDates = (date: string) => ({
  purchaseOrderDate: date,
  eventTransactionTime: `${date}T09:30:00-06:00`,
  expectedDeliveryDate: date,
})
const eachOtherDate = ['purchaseOrderDate', 'eventTransactionTime', 'expectedDeliveryDate'].map(
  (field) => `/eventList/${field}`,
)

proveRule(event.yearsPlausible, {
  accepts: [
    {
      title: 'dates of the last years',
      edit: set({ ...otherDates('2025-12-30'), eventDateTime: '2025-12-31T09:30:00-06:00' }),
      facts: at('2026-03-04T21:00:00Z'),
    },
    {
      title: 'an event that was stored years ago, soon after it took place',
      facts: { ...at('2041-03-04T21:00:00Z'), storedAt: Date.parse('2026-03-05T21:00:00Z') },
    },
    {
      title: 'a date that stands for none, which is a gap',
      edit: set({ eventDateTime: '1970-01-01T00:00:00Z' }),
      alsoReports: ['receiving-event/date-received'],
    },
  ],
  refuses: [
    ...['0026', '1926', '2006', '2016'].map((year) => ({
      title: `an event of ${year}`,
      edit: set({ eventDateTime: `${year}-03-04T09:30:00-05:00` }),
      facts: at('2026-03-04T21:00:00Z'),
      at: '/eventList/eventDateTime',
      says: 'No list, completeness or package of this year shows the event.',
    })),
    {
      title: 'a year of two digits without a clock, and says what was meant',
      edit: set({ eventDateTime: '0026-03-04T09:30:00-05:00' }),
      at: '/eventList/eventDateTime',
      says: 'eventDateTime is "0026-03-04T09:30:00-05:00". A record of this time cannot have the year 0026. Year 26 was probably meant as 2026.',
    },
    ...['0026-03-01', '1926-03-01', '2006-03-01', '2016-03-01'].map((date) => ({
      title: `each other date of ${date}`,
      edit: set(otherDates(date)),
      facts: at('2026-03-04T21:00:00Z'),
      at: eachOtherDate,
    })),
    {
      title: 'a delivery that is expected in another century',
      edit: set({ expectedDeliveryDate: '2206-03-04' }),
      facts: at('2026-03-04T21:00:00Z'),
      at: '/eventList/expectedDeliveryDate',
    },
  ],
})

proveRule(event.orderedBeforeReceipt, {
  accepts: [
    { title: 'an order of the same day', edit: set({ purchaseOrderDate: '2026-03-04' }) },
    {
      title: 'an order whose year cannot be, which another rule reports',
      edit: set({ purchaseOrderDate: '0026-03-04' }),
      alsoReports: ['receiving-event/years-plausible'],
    },
  ],
  refuses: [
    {
      title: 'an order after the receipt',
      edit: set({ purchaseOrderDate: '2026-03-05' }),
      at: '/eventList/purchaseOrderDate',
      says: 'purchaseOrderDate is 2026-03-05, after the receipt on 2026-03-04.',
    },
    {
      title: 'an order in the future, of an event whose date stands for none',
      edit: set({ purchaseOrderDate: '2206-03-05', eventDateTime: '1970-01-01T00:00:00Z' }),
      facts: at('2026-03-04T21:00:00Z'),
      at: '/eventList/purchaseOrderDate',
      says: 'purchaseOrderDate is 2206-03-05, which lies in the future.',
      alsoReports: ['receiving-event/date-received'],
    },
  ],
})

proveRule(event.endsDiffer, {
  accepts: [
    { title: 'two locations with two GLNs' },
    { title: 'two locations without GLN', edit: (payload) => delete payload.locationMasterList[1].gln },
    {
      title: 'a list of one location only, which is an error',
      edit: (payload) => {
        set({ shipToLocationCode: 'SHIP-FROM' })(payload)
        payload.locationMasterList[1] = structuredClone(payload.locationMasterList[0])
      },
      alsoReports: ['location/code-repeated', 'location/two-locations'],
    },
    {
      title: 'one GLN of zeros, which was assigned to nobody',
      edit: (payload) => {
        for (const location of payload.locationMasterList) location.gln = '0000000000000'
      },
      alsoReports: ['location/identifiers-assigned', 'product-line/tlc-source-place'],
    },
  ],
  refuses: [
    {
      title: 'one code for both ends beside another location',
      edit: set({ shipToLocationCode: 'SHIP-FROM' }),
      at: '/eventList/shipToLocationCode',
      says: 'shipFromLocationCode and shipToLocationCode are both "SHIP-FROM".',
    },
    {
      title: 'one GLN for both ends',
      edit: (payload) => Object.assign(payload.locationMasterList[1], { gln: '0614141000012' }),
      at: '/locationMasterList/1/gln',
      says: 'Locations "SHIP-FROM" and "SHIP-TO" have one GLN, 0614141000012.',
    },
  ],
})

proveRule(event.ladingQuantityPositive, {
  accepts: [{ title: 'a quantity above 0', edit: set({ shipmentLadingQuantity: 0.5 }) }, { title: 'none' }],
  refuses: [0, -1].map((shipmentLadingQuantity) => ({
    title: `the quantity ${shipmentLadingQuantity}`,
    edit: set({ shipmentLadingQuantity }),
    at: '/eventList/shipmentLadingQuantity',
  })),
})

proveRule(event.dateReceived, {
  accepts: ['2026-03-04T09:30:00-06:00', '2025-01-01T00:00:00Z', '1999-12-31T23:59:59Z'].map((eventDateTime) => ({
    title: `the date ${eventDateTime}`,
    edit: set({ eventDateTime }),
    ...(eventDateTime.startsWith('1999') && { alsoReports: ['receiving-event/years-plausible'] }),
  })),
  refuses: ['1970-01-01T00:00:00Z', '1900-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59-05:00'].map(
    (eventDateTime) => ({
      title: `the date ${eventDateTime}, which programs write for none`,
      edit: set({ eventDateTime }),
      at: '/eventList/eventDateTime',
      says: `eventDateTime is "${eventDateTime}"`,
    }),
  ),
})

proveRule(event.textVisible, {
  accepts: [
    { title: 'line breaks and letters of other scripts', edit: set({ equipmentDescription: 'Kühl\nwagen №3' }) },
  ],
  refuses: [
    {
      title: 'an override of direction, and not that of a line',
      edit: (payload) => {
        Object.assign(payload.eventList, { billOfLadingNumber: 'BOL\u202e123' })
        payload.eventList.productList[0].vendorItemDescription = '\u200b'
      },
      at: '/eventList/billOfLadingNumber',
      says: 'Character 4 of billOfLadingNumber is U+202E RIGHT-TO-LEFT OVERRIDE, which cannot be seen.',
      alsoReports: ['product-line/text-visible'],
    },
    {
      title: 'what stands beside a refused field',
      edit: set({ billOfLadingNumber: 'BOL\u202e123', asnNumber: 7 }),
      at: '/eventList/billOfLadingNumber',
      alsoReports: ['shape/type'],
    },
  ],
})

proveGroup('receiving-event')
