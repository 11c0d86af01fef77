// What is present but wrong is not also called missing: the shape refuses it, and no rule concludes
// from its absence.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type RecordKind, type RecordKindName, recordKinds } from '../../src/contract/record-kinds.ts'
import { judge, judgeAlone, readPayload } from '../../src/rules/judge.ts'
import { type Facts, noFacts } from '../../src/rules/rule.ts'
import {
  declared,
  deepFrozen,
  fullPayload,
  type Json,
  payloadShapes,
  placesOf,
  withoutPlace,
  withValue,
} from '../samples/declared-shapes.ts'
import { samplePayload } from '../samples/payloads.ts'
import { byVendor, now, settings } from '../support/records/prove-rule.ts'
import { runs } from '../support/runs.ts'

/** What is found besides breaches of the shape, as `rule pointer`. */
function ruleFindings(kind: RecordKind, shape: RecordKind['payload'], payload: Json, facts = noFacts): string[] {
  const { findings } = judge(kind, readPayload(kind, shape, deepFrozen(payload)), { facts, settings })
  return findings.filter(({ rule }) => !rule.startsWith('shape/')).map(({ rule, pointer }) => `${rule} ${pointer}`)
}

interface Case {
  readonly title: string
  readonly kind?: RecordKindName
  readonly edit: (payload: Json) => void
}

/** Each edit makes one value wrong; the payload before it has nothing that a rule could say. */
const cases: readonly Case[] = [
  { title: 'a lot number that is a number', edit: (p) => set(lineOf(p), 'caseLotNumber', 7781) },
  { title: 'a lot number of 101 characters', edit: (p) => set(lineOf(p), 'caseLotNumber', 'x'.repeat(101)) },
  { title: 'a lot number that is null', edit: (p) => set(lineOf(p), 'caseLotNumber', null) },
  { title: 'a lot number with a NUL', edit: (p) => set(lineOf(p), 'caseLotNumber', 'a\u0000') },
  { title: 'a category of 101 characters', edit: (p) => set(productOf(p), 'ftlCategory', 'x'.repeat(101)) },
  { title: 'an off-list flag that is text', edit: (p) => set(productOf(p), 'isFtlItem', 'no') },
  { title: 'a source reference of 101 digits', edit: (p) => set(lineOf(p), 'tlcSourceReferenceGln', '1'.repeat(101)) },
  { title: 'a GLN that is a number', edit: (p) => wrongIdentity(p, { gln: 12345 }) },
  { title: 'an address that is text', edit: (p) => wrongIdentity(p, { address: '1 Main St' }) },
  { title: 'a phone number that is a number', edit: (p) => set(p.locationMasterList[0], 'phoneNumber', 18315550100) },
  {
    title: 'coordinates that are numbers',
    edit: (p) => set(p.locationMasterList[0], 'geoLocation', { gpsCoordinates: [36, 121] }),
  },
  { title: 'a location list that is null', edit: (p) => set(p, 'locationMasterList', null) },
  { title: 'no location list', edit: (p) => delete p.locationMasterList },
  {
    title: 'a location list of 1,001 entries',
    edit: (p) =>
      set(
        p,
        'locationMasterList',
        Array.from({ length: 1_001 }, () => p.locationMasterList[0]),
      ),
  },
  { title: 'a location that is a number', edit: (p) => set(p.locationMasterList, 0, 7) },
  { title: 'a location code that is a number', edit: (p) => set(p.locationMasterList[0], 'locationCode', 5) },
  {
    title: 'a product list of 5,001 entries',
    edit: (p) =>
      set(
        p,
        'productMasterDataList',
        Array.from({ length: 5_001 }, () => productOf(p)),
      ),
  },
  { title: 'a product that is text', edit: (p) => set(p.productMasterDataList, 0, 'TOM-1') },
  { title: 'an item code that is blank', edit: (p) => set(productOf(p), 'itemCode', ' ') },
  { title: 'no vendor id', edit: (p) => delete p.eventList.dataProviderVendorId },
  { title: 'no event', edit: (p) => delete p.eventList },
  { title: 'an event that is text', edit: (p) => set(p, 'eventList', 'x') },
  { title: 'a date and time that is none', edit: (p) => set(p.eventList, 'eventDateTime', 'yesterday') },
  {
    title: 'a master product whose category is a number',
    kind: 'masterProduct',
    edit: (p) => set(p.productMasterDataList, 'ftlCategory', 5),
  },
  { title: 'a location whose GLN is a number', kind: 'location', edit: (p) => set(p.locationMasterList, 'gln', 5) },
]

const set = (holder: Json, name: string | number, value: unknown) => {
  holder[name] = value
}
const lineOf = (payload: Json) => payload.eventList.productList[0]
const productOf = (payload: Json) => payload.productMasterDataList[0]
/** A place that could only be told from others by the value that is wrong. */
const wrongIdentity = (payload: Json, fields: object) => {
  payload.locationMasterList.push({ locationCode: 'HQ', locationName: 'Office', ...fields })
}

describe('a value that the shape refuses is not also called missing', () => {
  it.each(cases)('$title', ({ kind: name = 'receivingEvent', edit }) => {
    const kind = recordKinds.find((one) => one.name === name) ?? recordKinds[0]
    const payload = samplePayload(name)
    expect(ruleFindings(kind, kind.payload, structuredClone(payload))).toEqual([])
    edit(payload)
    const { findings } = judge(kind, readPayload(kind, kind.payload, payload), { facts: noFacts, settings })
    expect(findings.length).toBeGreaterThan(0)
    expect(findings.filter(({ rule }) => !rule.startsWith('shape/'))).toEqual([])
    expect(judgeAlone(kind, kind.payload, payload, { now, settings }).undecided).toEqual([])
  })

  it('other parts of the description of a source are still asked for', () => {
    const payload = samplePayload('receivingEvent')
    const line = lineOf(payload)
    for (const name of Object.keys(line)) if (name.startsWith('tlcSource')) delete line[name]
    Object.assign(line, { tlcSourceName: 5, tlcSourceCity: 'Salinas' })
    const [kind] = recordKinds
    const found = ruleFindings(kind, kind.payload, payload)
    expect(found.length).toBeGreaterThan(0)
    expect(found.every((one) => one.startsWith('product-line/tlc-source-given '))).toBe(true)
    expect(found.join()).not.toContain('tlcSourceName')
  })

  it('other entries of a list are still compared', () => {
    const [kind] = recordKinds
    const payload = samplePayload('receivingEvent')
    const [from] = payload.locationMasterList
    payload.locationMasterList.unshift({ ...from, locationCode: 7 })
    payload.locationMasterList.push({ ...from, locationName: 'Another name' })
    expect(ruleFindings(kind, kind.payload, payload)).toEqual([
      'location/code-conflicting /locationMasterList/3/locationCode',
    ])
  })
})

/** What the store knows of the location and the product of the full examples. */
const masterData: Facts = {
  ...noFacts,
  masterLocations: byVendor(
    ['V-1001', 'GV-COOLER-1', { locationName: 'Green Valley Cooler', address: { city: 'Salinas', state: 'CA' } }],
    ['V-1001', 'DC-07', { phoneNumber: '+1.831.555.0100' }],
  ),
  masterProducts: byVendor(['V-1001', 'ROM-24', { id: 'x', packSize: '24 x 10 oz' }]),
}

describe.each(payloadShapes)('a payload to $name', ({ kind, shape }) => {
  const full = fullPayload(shape)
  const places = [...placesOf(declared(shape))]
  /** Optional parts are left out as well, so that rules have something to conclude from absence. */
  const removable = places
    .filter(({ required, pointer }) => !required && !/\/\d+$/.test(pointer))
    .map(({ pointer }) => pointer)
  const wrongFor = (type: string | undefined) =>
    type === 'string' ? [7, null, 'x'.repeat(101), 'a\u0000', {}, []] : ['x', null, type === 'array' ? {} : [[]]]

  it('gets no finding of another rule because the form of any of its values was broken', () => {
    const tries = runs(500)
    let said = 0
    fc.assert(
      fc.property(
        fc.subarray(removable, { maxLength: 12 }),
        fc.array(fc.tuple(fc.constantFrom(...places), fc.nat(5), fc.boolean()), { minLength: 1, maxLength: 3 }),
        fc.constantFrom(noFacts, masterData),
        (left, breaks, facts) => {
          const whole = left.reduce(
            (payload, pointer) => (has(payload, pointer) ? withoutPlace(payload, pointer) : payload),
            full,
          )
          const broken = breaks.reduce((payload, [{ pointer, shape: field, required, oneOrMany }, choice, remove]) => {
            if (!has(payload, pointer)) return payload
            if (required && remove) return withoutPlace(payload, pointer)
            const wrong = wrongFor(field.type).filter((one) => !(oneOrMany && Array.isArray(one)))
            return withValue(payload, pointer, wrong[choice % wrong.length])
          }, whole)
          const before = new Set(ruleFindings(kind, shape as RecordKind['payload'], structuredClone(whole), facts))
          said += before.size
          const after = ruleFindings(kind, shape as RecordKind['payload'], structuredClone(broken), facts)
          expect(after.filter((one) => !before.has(one))).toEqual([])
        },
      ),
      { numRuns: tries },
    )
    expect(said).toBeGreaterThan(tries / 15)
  })
})

const has = (payload: Json, pointer: string): boolean => {
  const steps = pointer.split('/').slice(1)
  const last = steps.pop() ?? ''
  const holder = steps.reduce((part, step) => part?.[step], payload)
  return typeof holder === 'object' && holder !== null && Object.hasOwn(holder, last)
}
