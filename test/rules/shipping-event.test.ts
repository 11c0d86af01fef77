import { expect, it } from 'vitest'
import { identifierKey } from '../../src/rules/rule.ts'
import * as event from '../../src/rules/shipping-event.ts'
import type { Json } from '../samples/declared-shapes.ts'
import { type Accepted, byVendor, judged, proveGroup, proveRule } from '../support/records/prove-rule.ts'

const kind = 'shippingEvent' as const
const set = (changes: object) => (payload: Json) => Object.assign(payload.eventList, changes)
const take = (index: number, field: string) => (payload: Json) => delete payload.locationMasterList[index][field]

/** A create of two events; the second differs from the first by `changes`. */
const two = (changes: object) => (payload: Json) => {
  payload.eventList = [payload.eventList, { ...payload.eventList, ...changes }]
}

const right: Accepted = { kind, title: 'the sample' }
const reports = (title: string, edit: (payload: Json) => void, at: string, says = '') => ({
  kind,
  title,
  edit,
  at,
  says,
})

proveRule(event.shipFromListed, {
  accepts: [right],
  refuses: [reports('a strange code', set({ shipFromLocationCode: 'ELSEWHERE' }), '/eventList/shipFromLocationCode')],
})
proveRule(event.shipToListed, {
  accepts: [right],
  refuses: [reports('a strange code', set({ shipToLocationCode: 'ELSEWHERE' }), '/eventList/shipToLocationCode')],
})

proveRule(event.oneEventPerDocuments, {
  accepts: [
    right,
    { kind, title: 'another order at the same moment', edit: two({ purchaseOrderNumber: 'PO-2' }) },
    { kind, title: 'another bill of lading', edit: two({ billOfLadingNumber: 'B-2' }) },
    { kind, title: 'another advance ship notice', edit: two({ asnNumber: 'A-2' }) },
    { kind, title: 'another vendor', edit: two({ dataProviderVendorId: 'V-2' }) },
    {
      kind,
      title: 'another destination',
      edit: two({ shipToLocationCode: 'SHIP-FROM' }),
      alsoReports: ['shipping-event/ends-differ'],
    },
  ],
  refuses: [
    reports(
      'the same moment in another offset',
      two({ eventDateTime: '2026-03-03T17:10:00-05:00' }),
      '/eventList/1/eventDateTime',
      'The event at /eventList/0 has the same vendor, locations, event date time and reference documents.',
    ),
    reports(
      'events that name no document',
      (payload) => {
        delete payload.eventList.purchaseOrderNumber
        two({})(payload)
      },
      '/eventList/1/eventDateTime',
    ),
  ].map((one, i) => (i === 1 ? { ...one, alsoReports: ['shipping-event/reference-document'] } : one)),
})

proveRule(event.carrierCodeLetters, {
  accepts: [right],
  refuses: [reports('five letters', set({ standardCarrierAlphaCode: 'HGTLX' }), '/eventList/standardCarrierAlphaCode')],
})
proveRule(event.eventIdUnique, {
  accepts: [{ kind, title: 'an id of its own', edit: set({ eventId: 'S-1' }) }],
  refuses: [
    {
      ...reports('the id of another record', set({ eventId: 'S-1' }), '/eventList/eventId', 'that of record R'),
      facts: { heldBy: new Map([[identifierKey('eventId', 'S-1', ''), 'R']]) },
    },
  ],
})
proveRule(event.endsDiffer, {
  accepts: [right],
  refuses: [reports('one place twice', set({ shipToLocationCode: 'SHIP-FROM' }), '/eventList/shipToLocationCode')],
})
proveRule(event.ladingQuantityPositive, {
  accepts: [{ kind, title: 'a quantity', edit: set({ shipmentLadingQuantity: 7 }) }],
  refuses: [reports('nothing', set({ shipmentLadingQuantity: 0 }), '/eventList/shipmentLadingQuantity')],
})
proveRule(event.textVisible, {
  accepts: [right],
  refuses: [reports('a direction that turns', set({ eventId: 'A\u202eB' }), '/eventList/eventId')],
})
proveRule(event.shippedInPast, {
  accepts: [{ ...right, facts: { now: Date.parse('2026-03-04T00:00:00Z') } }],
  refuses: [
    {
      ...reports('tomorrow', set({ eventDateTime: '2026-03-05T00:00:00-06:00' }), '/eventList/eventDateTime'),
      facts: { now: Date.parse('2026-03-04T00:00:00Z') },
    },
  ],
})

proveRule(event.yearsPlausible, {
  accepts: [right],
  refuses: [
    reports(
      'a year of two digits',
      set({ eventDateTime: '0026-03-03T16:10:00-06:00' }),
      '/eventList/eventDateTime',
      'Year 26 was probably meant as 2026. No list, completeness or package of this year shows the event.',
    ),
  ],
})

proveRule(event.orderedBeforeShipping, {
  accepts: [right, { kind, title: 'an order of the same day', edit: set({ purchaseOrderDate: '2026-03-03' }) }],
  refuses: [
    reports(
      'an order after the shipment',
      set({ purchaseOrderDate: '2026-03-04' }),
      '/eventList/purchaseOrderDate',
      'purchaseOrderDate is 2026-03-04, after the shipment on 2026-03-03.',
    ),
  ],
})

proveRule(event.dateShipped, {
  accepts: [right],
  refuses: [
    reports(
      'the first day of a calendar',
      set({ eventDateTime: '1970-01-01T00:00:00-06:00' }),
      '/eventList/eventDateTime',
    ),
  ],
})
proveRule(event.dateShippedLocal, {
  accepts: [
    right,
    {
      kind,
      title: 'a time in UTC where the ship-from location has a time zone',
      edit: set({ eventDateTime: '2026-03-04T02:30:00Z' }),
      facts: { timeZones: byVendor(['V-1', 'SHIP-FROM', 'America/Chicago']) },
    },
  ],
  refuses: [
    reports(
      'a time in UTC where only the ship-to location has a time zone',
      set({ eventDateTime: '2026-03-04T02:30:00Z' }),
      '/eventList/eventDateTime',
      'no time zone is set for shipFromLocationCode "SHIP-FROM": the date shipped is taken to be 2026-03-04, the date in UTC.',
    ),
  ],
})

proveRule(event.shipToDescription, {
  accepts: [right],
  refuses: [reports('no phone number', take(1, 'phoneNumber'), '/locationMasterList/1', 'no phone number')],
})
proveRule(event.shipFromDescription, {
  accepts: [right],
  refuses: [
    {
      ...reports('no phone number', take(0, 'phoneNumber'), '/locationMasterList/0', 'no phone number'),
      alsoReports: ['product-line/tlc-source-place'],
    },
  ],
})
proveRule(event.referenceDocument, {
  accepts: [
    right,
    {
      kind,
      title: 'an advance ship notice in place of an order',
      edit: (payload) => {
        delete payload.eventList.purchaseOrderNumber
        payload.eventList.asnNumber = 'A-1'
      },
    },
  ],
  refuses: [
    reports(
      'no document at all',
      (payload) => delete payload.eventList.purchaseOrderNumber,
      '/eventList/billOfLadingNumber',
      'The event names no reference document.',
    ),
  ],
})

proveGroup('shipping-event')

it('a shipping event is judged by the paragraphs of what is shipped, lines and products as well', () => {
  const edit = (payload: Json) => {
    payload.eventList.productList[0].caseLotNumber = 'unknown'
    delete payload.productMasterDataList[0].packSize
  }
  const cites = (name: 'shippingEvent' | 'receivingEvent') =>
    judged({ kind: name, edit }).findings.map(({ cites }) => cites)
  expect(cites('shippingEvent')).toEqual(['21 CFR 1.1340(a)(3)', '21 CFR 1.1340(a)(1)'])
  expect(cites('receivingEvent')).toEqual(['21 CFR 1.1345(a)(3)', '21 CFR 1.1345(a)(1)'])
})
