import { describe, expect, it } from 'vitest'
import { type RecordKindName, recordKinds } from '../../src/contract/record-kinds.ts'
import type { FactsWanted } from '../../src/rules/facts-wanted.ts'
import { readPayload } from '../../src/rules/judge.ts'
import { deepFrozen, type Json } from '../samples/declared-shapes.ts'
import { samplePayload } from '../samples/payloads.ts'

function wanted(name: RecordKindName, edit: (payload: Json) => void = () => undefined): FactsWanted {
  const kind = recordKinds.find((one) => one.name === name) ?? recordKinds[0]
  const payload = samplePayload(name)
  delete payload.payloadId
  edit(payload)
  const shape = Array.isArray(payload[kind.subject]) ? kind.createPayload : kind.replacement
  return readPayload(kind, shape, deepFrozen(payload)).wanted
}

const nothing = { payloadId: undefined, locations: [], items: [], identifiers: [], isCut: false }
/** Asked with other facts. */
const exemptPlaces = ['["V-1","SHIP-FROM"]', '["V-1"]']
const from = { vendor: 'V-1', code: 'SHIP-FROM' }
const to = { vendor: 'V-1', code: 'SHIP-TO' }

describe('a receiving event payload', () => {
  it('wants no facts when it says everything itself', () => {
    expect(wanted('receivingEvent')).toEqual(nothing)
  })

  it('wants to know whether its payload id was used before', () => {
    expect(wanted('receivingEvent', (body) => Object.assign(body, { payloadId: 'P-1' })).payloadId).toBe('P-1')
    expect(wanted('receivingEvent', (body) => Object.assign(body, { payloadId: ' ' })).payloadId).toBeUndefined()
  })

  it('wants the master data of a location that its own entry does not identify', () => {
    const third = (body: Json) => body.locationMasterList.push({ locationCode: 'HQ', locationName: 'Office' })
    expect(wanted('receivingEvent', third)).toEqual({
      ...nothing,
      exemptPlaces,
      locations: [{ vendor: 'V-1', code: 'HQ' }],
    })
  })

  it('wants the master data of a ship-from or ship-to location that its own entry does not describe', () => {
    const incomplete = (body: Json) => {
      delete body.locationMasterList[0].phoneNumber
      delete body.locationMasterList[1].address.city
      body.eventList.productList[0].tlcSourceReferenceFfrn = '14532865782'
    }
    expect(wanted('receivingEvent', incomplete)).toEqual({ ...nothing, exemptPlaces, locations: [from, to] })
  })

  it('wants nothing of an identified location that no event ships from or to', () => {
    const third = (body: Json) =>
      body.locationMasterList.push({ locationCode: 'HQ', locationName: 'Office', gln: '0614141999996' })
    expect(wanted('receivingEvent', third)).toEqual(nothing)
  })

  it('wants nothing of a location that is not in its list: that is an error whatever master data say', () => {
    expect(wanted('receivingEvent', (body) => Object.assign(body.eventList, { shipToLocationCode: 'X' }))).toEqual(
      nothing,
    )
  })

  it.each(['isFtlItem', 'packSize', 'packStyle'])('wants an item of its product list that does not say %s', (field) => {
    const silent = (body: Json) => {
      delete body.productMasterDataList[0][field]
      delete body.productMasterDataList[0].ftlCategory
    }
    expect(wanted('receivingEvent', silent)).toEqual({
      ...nothing,
      exemptPlaces,
      items: [{ vendor: 'V-1', code: 'TOM-1' }],
    })
  })

  it('wants nothing of an item that says it is off the Food Traceability List', () => {
    const off = (body: Json) => {
      delete body.productMasterDataList[0].packSize
      Object.assign(body.productMasterDataList[0], { isFtlItem: false, ftlCategory: '' })
    }
    expect(wanted('receivingEvent', off)).toEqual(nothing)
  })

  it('wants the locations of its list that may explain the number of a lot code source', () => {
    const unexplained = (body: Json) => {
      body.locationMasterList.push(
        { locationCode: 'HQ', locationName: 'Office', gln: '4006381333931' },
        { locationCode: 'LAB', locationName: 'Laboratory', duns: '999999999' },
      )
      body.eventList.productList[0].tlcSourceReferenceGln = '4006381333931'
    }
    expect(wanted('receivingEvent', unexplained).locations).toEqual([
      { vendor: 'V-1', code: 'HQ' },
      { vendor: 'V-1', code: 'LAB' },
    ])
  })

  it('says so when it wants more than is looked up', () => {
    const many = (count: number) => (body: Json) => {
      const [line] = body.eventList.productList
      const lines = Array.from({ length: 5_000 }, (_, n) => ({ ...line, vendorItemCode: `I-${n}` }))
      const event = (n: number, productList: Json[]) => ({
        ...body.eventList,
        dataProviderVendorId: `V-${n}`,
        productList,
      })
      const whole = Math.floor(count / 5_000)
      body.eventList = [
        ...Array.from({ length: whole }, (_, n) => event(n, lines)),
        event(whole, lines.slice(0, count % 5_000)),
      ]
    }
    expect(wanted('receivingEvent', many(20_000))).toMatchObject({ isCut: false })
    const cut = wanted('receivingEvent', many(20_001))
    expect(cut).toMatchObject({ isCut: true })
    expect(cut.items).toHaveLength(20_000)
  })

  it('wants each item once that is not in its product list', () => {
    const unlisted = (body: Json) => {
      const [line] = body.eventList.productList
      for (const vendorItemCode of ['A', 'B', 'A', ' ', 'TOM-1'])
        body.eventList.productList.push({ ...line, vendorItemCode })
    }
    expect(wanted('receivingEvent', unlisted).items).toEqual([
      { vendor: 'V-1', code: 'A' },
      { vendor: 'V-1', code: 'B' },
    ])
  })

  it('wants one location once for each vendor whose events use it', () => {
    const two = (body: Json) => {
      delete body.locationMasterList[0].phoneNumber
      body.eventList.productList[0].tlcSourceReferenceFfrn = '14532865782'
      const one = body.eventList
      body.eventList = [one, { ...one, dataProviderVendorId: 'V-2' }, one]
    }
    expect(wanted('receivingEvent', two).locations).toEqual([from, { ...from, vendor: 'V-2' }])
  })

  it('wants nothing for a vendor that is not given', () => {
    const nameless = (body: Json) => {
      delete body.eventList.dataProviderVendorId
      delete body.locationMasterList[0].phoneNumber
      body.eventList.productList[0].vendorItemCode = 'A'
    }
    expect(wanted('receivingEvent', nameless)).toEqual(nothing)
  })

  it('does not mix up vendors and codes that run together alike', () => {
    const two = (body: Json) => {
      const one = body.eventList
      const unlisted = (dataProviderVendorId: string, vendorItemCode: string) => ({
        ...one,
        dataProviderVendorId,
        productList: [{ ...one.productList[0], vendorItemCode }],
      })
      body.eventList = [unlisted('A', 'BC'), unlisted('AB', 'C')]
    }
    expect(wanted('receivingEvent', two).items).toEqual([
      { vendor: 'A', code: 'BC' },
      { vendor: 'AB', code: 'C' },
    ])
  })
})

describe('a master data payload', () => {
  it('wants to know which record holds the item code of a master product already', () => {
    expect(wanted('masterProduct')).toEqual({
      ...nothing,
      items: [{ vendor: 'V-1', code: 'TOM-1' }],
    })
  })

  it('wants nothing of a master product without vendor or item code', () => {
    expect(wanted('masterProduct', (body) => delete body.productMasterDataList.itemCode)).toEqual(nothing)
    expect(wanted('masterProduct', (body) => delete body.productMasterDataList.dataProviderVendorId)).toEqual(nothing)
  })

  it('wants no facts for a location', () => {
    expect(wanted('location')).toEqual(nothing)
    expect(wanted('location', (body) => delete body.locationMasterList.gln)).toEqual(nothing)
  })
})

describe('any body', () => {
  it.each([null, 7, 'text', [], {}, { eventList: 7 }, { eventList: [null] }, { locationMasterList: [null, 7] }])(
    'wants nothing when it is %j',
    (body) => {
      for (const kind of recordKinds) expect(readPayload(kind, kind.createPayload, body).wanted).toEqual(nothing)
    },
  )
})
