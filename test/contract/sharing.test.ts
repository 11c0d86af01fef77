// What a partner sees of an event, and what is left out of it.
import { expect, test } from 'vitest'
import type { ReceivingEventPayload } from '../../src/contract/payloads.ts'
import {
  type Grant,
  maskEvent,
  maskMasterData,
  nextEnd,
  openerOf,
  type Sharing,
  withheldOfMasterData,
} from '../../src/contract/sharing.ts'
import { eventPayload } from '../support/records/payloads.ts'

const now = new Date('2026-03-10T12:00:00Z')
const event = (): ReceivingEventPayload => {
  const payload = eventPayload()
  const [line] = payload.eventList.productList
  payload.eventList.productList = [
    { ...line, vendorItemCode: 'A', caseLotNumber: 'GV26063-A', palletLpn: 'inside' },
    { ...line, vendorItemCode: 'B', purchaserItemCode: 'P', caseLotNumber: 'gv 26064 b', palletLpn: 'inside' },
  ]
  payload.productMasterDataList = ['A', 'B', 'C'].map((itemCode) => ({ itemCode, itemDescription: itemCode }))
  payload.locationMasterList.push({ locationCode: 'OTHER', locationName: 'Another customer', gln: '0614141000036' })
  Object.assign(payload.eventList, {
    methodOfPayment: 'Prepaid',
    shipmentLadingQuantity: 9,
    eventDateTime: '2026-03-04T23:30:00-08:00',
  })
  return payload
}
const { dataProviderVendorId: vendor, shipToLocationCode: shipTo, shipFromLocationCode: shipFrom } = event().eventList

/** The item codes of the lines that are opened; undefined for an event that is not. */
function linesOf(sharing: Partial<Sharing>, glnOf: Parameters<typeof openerOf>[1] = () => undefined) {
  const whole = { places: [{ locationCode: shipTo }], grants: [], ...sharing }
  const opened = openerOf(whole, glnOf)(event(), now)
  return opened && maskEvent(event(), opened).eventList.productList.map(({ vendorItemCode }) => vendorItemCode)
}
const all = ['A', 'B']

test.each<[string, Partial<Sharing>, string[] | undefined]>([
  ['without a grant', {}, undefined],
  ['by ship-to', { grants: [{ direction: 'shipTo' }] }, all],
  ['not by ship-to where it is shipped from', { grants: [{ direction: 'shipFrom' }] }, undefined],
  ['by ship-from', { places: [{ locationCode: shipFrom }], grants: [{ direction: 'shipFrom' }] }, all],
  ['at another place', { places: [{ locationCode: 'X' }], grants: [{ direction: 'shipTo' }] }, undefined],
  ['at no place', { places: [], grants: [{ direction: 'shipTo' }] }, undefined],
  ['of its vendor', { grants: [{ direction: 'shipTo', dataProviderVendorIds: ['V', vendor] }] }, all],
  ['of another vendor', { grants: [{ direction: 'shipTo', dataProviderVendorIds: ['V'] }] }, undefined],
  ['from its date on, as written', { grants: [{ direction: 'shipTo', firstEventDate: '2026-03-04' }] }, all],
  ['from a later date on', { grants: [{ direction: 'shipTo', firstEventDate: '2026-03-05' }] }, undefined],
  ['of one item', { grants: [{ direction: 'shipTo', itemCodes: ['P'] }] }, ['B']],
  ['of no item of it', { grants: [{ direction: 'shipTo', itemCodes: ['C'] }] }, undefined],
  ['until it ends', { grants: [{ direction: 'shipTo', endDateTime: '2026-03-10T12:00:00Z' }] }, undefined],
  [
    'of one lot in another spelling',
    { grants: [{ lotCode: 'LOT# GV26064-B', endDateTime: '2026-03-11T00:00:00Z' }] },
    ['B'],
  ],
  [
    'of a code of its vendor',
    { places: [{ locationCode: shipTo, dataProviderVendorId: vendor }], grants: [{ direction: 'shipTo' }] },
    all,
  ],
  [
    'of a code of another vendor',
    { places: [{ locationCode: shipTo, dataProviderVendorId: 'V' }], grants: [{ direction: 'shipTo' }] },
    undefined,
  ],
])('an event is opened %s', (_how, sharing, lines) => expect(linesOf(sharing)).toEqual(lines))

test('a grant of a lot opens no lot that differs where a folded code is cut', () => {
  // One character that becomes 18 when it is folded.
  const long = '\ufdfa'.repeat(7)
  const opens = (lotCode: string, caseLotNumber: string) => {
    const payload = event()
    Object.assign(payload.eventList.productList[0] ?? {}, { caseLotNumber })
    const grants = [{ lotCode, endDateTime: '2026-03-11T00:00:00Z' }]
    return openerOf({ places: [{ locationCode: shipTo }], grants }, () => undefined)(payload, now) !== undefined
  }
  expect([opens(`${long}A`, `${long}A`), opens(`${long}A`, `${long}B`)]).toEqual([true, false])
})

test('a GLN is that of master data, and of the event only where master data has no such location', () => {
  const own = event().locationMasterList.find(({ locationCode }) => locationCode === shipTo)?.gln ?? ''
  const sharing = { places: [{ gln: own }], grants: [{ direction: 'shipTo' as const }] }
  expect(own).not.toBe('')
  expect(linesOf(sharing)).toEqual(all)
  expect(linesOf(sharing, () => null)).toBeUndefined()
  expect(linesOf(sharing, (_vendor, code) => (code === shipTo ? own : null))).toEqual(all)
  expect(linesOf({ ...sharing, places: [{ gln: 'nowhere' }] }, () => 'elsewhere')).toBeUndefined()
})

const masked = (...grants: Grant[]) => {
  const opened = openerOf({ places: [{ locationCode: shipTo }], grants }, () => undefined)(event(), now)
  return opened && maskEvent(event(), opened)
}

test('what is left out of an event is nowhere in it: lines, their products, other places, totals and withheld fields', () => {
  const some = masked({ direction: 'shipTo', itemCodes: ['B'] })
  expect(some?.productMasterDataList.map(({ itemCode }) => itemCode)).toEqual(['B'])
  expect(some?.locationMasterList.map(({ locationCode }) => locationCode).sort()).toEqual([shipFrom, shipTo].sort())
  expect(JSON.stringify(some)).not.toMatch(/Another customer|Prepaid|inside|shipmentLadingQuantity|GV26063/)
  const whole = masked({ direction: 'shipTo', withheld: [] })
  expect(JSON.stringify(whole)).toMatch(/Prepaid.*inside|inside.*Prepaid/)
  expect(whole?.eventList.shipmentLadingQuantity).toBe(9)
})

test('a field is withheld when every grant that opens the line withholds it', () => {
  const both = masked(
    { direction: 'shipTo', withheld: ['methodOfPayment', 'palletLpn'] },
    { direction: 'shipTo', itemCodes: ['B'], withheld: ['palletLpn', 'eventId'] },
    { direction: 'shipTo', itemCodes: ['A'], withheld: [] },
    { direction: 'shipFrom', withheld: [] },
  )
  expect(both?.eventList.methodOfPayment).toBe('Prepaid')
  expect(both?.eventList.productList.map(({ palletLpn }) => palletLpn)).toEqual(['inside', undefined])
})

test('of master data a field is withheld that one grant in force withholds', () => {
  const product = { itemCode: 'A', itemDescription: 'A', dataProviderVendorId: vendor, businessUnit: 'U', netWeight: 1 }
  const grants: Grant[] = [
    { direction: 'shipTo', withheld: [] },
    { direction: 'shipTo', withheld: ['businessUnit'] },
    { direction: 'shipTo', withheld: ['netWeight'], endDateTime: '2026-03-10T12:00:00Z' },
  ]
  const { businessUnit: _, ...rest } = product
  expect(maskMasterData(product, withheldOfMasterData({ places: [], grants }, now))).toEqual(rest)
})

test('the next end is the earliest that is still to come', () => {
  const ends = ['2026-03-10T12:00:00Z', '2026-03-12T00:00:00Z', '2026-03-11T00:00:00+02:00']
  const grants = ends.map((endDateTime): Grant => ({ direction: 'shipTo', endDateTime }))
  expect(nextEnd(grants, now)).toEqual(new Date('2026-03-10T22:00:00Z'))
  expect(nextEnd([{ direction: 'shipTo' }], now)).toBeUndefined()
})
