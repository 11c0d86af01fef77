import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { masterProduct, receivingEvent, recordKinds } from '../../src/contract/record-kinds.ts'
import type { StoredFinding } from '../../src/contract/shape/finding.ts'
import { judge, judgeAlone, readPayload } from '../../src/rules/judge.ts'
import { type Facts, noFacts } from '../../src/rules/rule.ts'
import { declared, deepFrozen, type Json, placesOf, withValue } from '../samples/declared-shapes.ts'
import { sampleLine, samplePayload } from '../samples/payloads.ts'
import { processorMs } from '../support/patience.ts'
import { judged, now, settings } from '../support/records/prove-rule.ts'
import { runs } from '../support/runs.ts'

const rulesOf = (findings: readonly { readonly rule: string }[]) => findings.map(({ rule }) => rule)

const placesKept = (kept: readonly StoredFinding[]) => kept.map(([rule, , pointer]) => `${rule} ${pointer}`)

describe('the canonical payloads', () => {
  it.each(recordKinds)('of a $noun have no finding, as replacement and in a create', (kind) => {
    const payload = samplePayload(kind.name)
    for (const [shape, body] of [
      [kind.replacement, payload],
      [kind.createPayload, payload],
      [kind.createPayload, { ...payload, [kind.subject]: [payload[kind.subject]] }],
    ] as const) {
      const verdict = judge(kind, readPayload(kind, shape, deepFrozen(body)), {
        facts: noFacts,
        settings,
        strict: true,
      })
      expect(verdict.findings).toEqual([])
      expect(verdict).toMatchObject({ refused: false, findingCount: 0 })
      expect(verdict.records()[0]?.findings()).toEqual([])
    }
  })
})

const manyWrongs = (payload: Json) => {
  payload.surprise = 1
  payload.eventList.productList[0].shipQuantity = '40'
  payload.eventList.productList[0].caseGtin = '10614141000414'
  payload.eventList.productList[0].countryOfOrigin = 'US'
  payload.locationMasterList[0].locationType = 'Farm'
  delete payload.locationMasterList[1].phoneNumber
  delete payload.productMasterDataList[0].packSize
}

describe('a verdict', () => {
  it('has every finding at once, shapes and rules, errors first and then in catalogue order', () => {
    expect(judged({ edit: manyWrongs }).findings.map(({ severity, rule }) => `${severity} ${rule}`)).toEqual([
      'error shape/type',
      'error shape/unknown-field',
      'error product-line/country-letters',
      'gap product/packaging-size',
      'warning location/type-listed',
      'gap receiving-event/ship-to-description',
      'warning product-line/case-gtin-check-digit',
    ])
  })

  it('turns warnings into errors in strict mode, and gaps into nothing else', () => {
    expect(
      judged({ edit: manyWrongs, strict: true }).findings.map(({ severity, rule }) => `${severity} ${rule}`),
    ).toEqual([
      'error shape/type',
      'error shape/unknown-field',
      'error location/type-listed',
      'error product-line/case-gtin-check-digit',
      'error product-line/country-letters',
      'gap product/packaging-size',
      'gap receiving-event/ship-to-description',
    ])
  })

  it('refuses for errors only: warnings and gaps are stored, unless strict', () => {
    const warned = (payload: Json) => Object.assign(payload.locationMasterList[0], { locationType: 'Farm' })
    const gapped = (payload: Json) => delete payload.productMasterDataList[0].packSize
    expect(judged({ edit: warned }).refused).toBe(false)
    expect(judged({ edit: warned, strict: true }).refused).toBe(true)
    expect(judged({ edit: gapped, strict: true }).refused).toBe(false)
  })

  it('cites for a shape the section of the field itself', () => {
    const { findings } = judged({ edit: manyWrongs })
    expect(findings[0]).toEqual({
      rule: 'shape/type',
      severity: 'error',
      pointer: '/eventList/productList/0/shipQuantity',
      message: 'shipQuantity is "40" (text). It must be a number, e.g. 40.',
      remedy: 'Send a value of the type that the message names. Nothing is converted on the way.',
      docsUrl: '/docs/rules/shape/type',
      cites: '§2.5',
    })
  })

  it('judges what is left of a field of the wrong shape, and never says a wrong one is missing', () => {
    const { findings } = judged({
      edit: (payload) => {
        payload.eventList.productList = [7, sampleLine({ caseLotNumber: 12 }), null]
        payload.locationMasterList[0] = 'SHIP-FROM'
      },
    })
    expect(findings.map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual(
      expect.arrayContaining([
        'shape/type /locationMasterList/0',
        'shape/type /eventList/productList/0',
        'shape/type /eventList/productList/1/caseLotNumber',
        'shape/type /eventList/productList/2',
      ]),
    )
  })

  it('adds what was found besides as errors, and counts it', () => {
    const reading = readPayload(receivingEvent, receivingEvent.replacement, samplePayload('receivingEvent'))
    const besides = [{ rule: 'shape/number', pointer: '/x', message: '1e999 is not a number.' }] as const
    const verdict = judge(receivingEvent, reading, { facts: noFacts, settings, textBreaches: besides })
    expect(verdict).toMatchObject({ refused: true, findingCount: 1 })
    expect(verdict.findings).toMatchObject([{ rule: 'shape/number', severity: 'error', pointer: '/x' }])
  })
})

describe('what stays with a version', () => {
  /** Three events; the second has a warning and a gap of its own, the first none. */
  const three = (payload: Json) => {
    const one = payload.eventList
    const event = (day: number, line: object) => ({
      ...one,
      eventDateTime: `2025-03-0${day}T09:30:00Z`,
      productList: [sampleLine(), sampleLine(line)],
    })
    const { caseLotNumber: _, ...withoutLot } = sampleLine()
    payload.eventList = [
      event(1, {}),
      {
        ...event(2, { caseGtin: '10614141000414' }),
        productList: [sampleLine({ caseGtin: '10614141000414' }), withoutLot],
      },
      event(3, { vendorItemCode: 'NEW' }),
    ]
    payload.locationMasterList[0].locationType = 'Farm'
  }

  it('goes to the record it concerns, with pointers into that record; what concerns all goes to each', () => {
    const { records, refused, findings } = judged({ edit: three })
    expect(refused).toBe(false)
    const of = (record: number) => placesKept(records()[record]?.findings() ?? [])
    const shared = 'location/type-listed /locationMasterList/0/locationType'
    expect(of(0)).toEqual([shared])
    expect(of(1)).toEqual([
      shared,
      'product-line/case-gtin-check-digit /eventList/productList/0/caseGtin',
      'product-line/lot-code /eventList/productList/1/caseLotNumber',
    ])
    expect(of(2)).toEqual([
      shared,
      'product-line/item-code-listed /eventList/productList/1/vendorItemCode',
      'product-line/product-description /eventList/productList/1/vendorItemCode',
    ])
    // The answer points into the body as submitted.
    expect(findings.map(({ pointer }) => pointer)).toContain('/eventList/1/productList/0/caseGtin')
  })

  it('goes to the events a location has to do with, when it is a gap of those events', () => {
    const { records } = judged({
      edit: (payload) => {
        delete payload.locationMasterList[1].phoneNumber
        const one = payload.eventList
        payload.eventList = [one, { ...one, shipToLocationCode: 'SHIP-FROM' }]
      },
    })
    expect(placesKept(records()[0]?.findings() ?? [])).toEqual([
      'receiving-event/ship-to-description /locationMasterList/1',
    ])
    expect(
      records()[1]
        ?.findings()
        .map(([rule]) => rule),
    ).toEqual(['receiving-event/ends-differ'])
  })

  it('points into the single product of a create of many', () => {
    const { records } = judged({
      kind: 'masterProduct',
      edit: (payload) => {
        const one = payload.productMasterDataList
        payload.productMasterDataList = Array.from({ length: 12 }, (_, i) => ({ ...one, itemCode: `TOM-${i}` }))
        payload.productMasterDataList[1].ftlCategory = 'fruit'
        payload.productMasterDataList[11].gtin = '10614141000414'
      },
    })
    const of = (record: number) => placesKept(records()[record]?.findings() ?? [])
    expect(of(0)).toEqual([])
    expect(of(1)).toEqual(['product/ftl-category-listed /productMasterDataList/ftlCategory'])
    expect(of(10)).toEqual([])
    expect(of(11)).toEqual(['product/gtin-check-digit /productMasterDataList/gtin'])
  })

  it('has the same pointers as the payload when it holds one record', () => {
    const { records, findings } = judged({
      edit: (payload) => Object.assign(payload.eventList.productList[0], { caseGtin: '10614141000414' }),
    })
    expect(
      records()[0]
        ?.findings()
        .map(([, , pointer]) => pointer),
    ).toEqual(findings.map(({ pointer }) => pointer))
  })
})

describe('a place that several records of a payload share', () => {
  const kind = recordKinds[0]
  const manyEvents = (count: number, vendors: readonly string[]) => {
    const payload = structuredClone(samplePayload('receivingEvent'))
    delete payload.locationMasterList[0].phoneNumber
    // The source of the lot code is found without that location.
    payload.eventList.productList[0].tlcSourceReferenceFfrn = '14532865782'
    payload.eventList = Array.from({ length: count }, (_, n) => ({
      ...payload.eventList,
      dataProviderVendorId: vendors[n % vendors.length],
      purchaseOrderNumber: `PO-${n}`,
      eventDateTime: `2026-03-04T${String(Math.floor(n / 60) % 24).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}:00-06:00`,
    }))
    return payload
  }
  const verdictOn = (payload: Json) =>
    judge(kind, readPayload(kind, kind.createPayload, payload), { facts: noFacts, settings })

  it('has each finding once, though it stays with every record', () => {
    const verdict = verdictOn(manyEvents(300, ['V-1']))
    expect(verdict.findings.map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual([
      'receiving-event/ship-from-description /locationMasterList/0',
    ])
    expect(verdict.findingCount).toBe(1)
    for (const record of [0, 1, 299]) {
      expect(verdict.records()[record]?.findings()).toHaveLength(1)
      expect(verdict.records()[record]?.tallies[0]).toMatchObject({ lines: 1, complete: 0 })
    }
  })

  it('has one for each vendor, who is named, when there are several', () => {
    const messages = verdictOn(manyEvents(6, ['V-1', 'V-2'])).findings.map(({ message }) => message)
    expect(messages).toEqual([
      'Location "SHIP-FROM" of vendor "V-1" has no phone number.',
      'Location "SHIP-FROM" of vendor "V-2" has no phone number.',
    ])
  })

  it('names every vendor that has not set up a location without identification, and at most three', () => {
    const bare = (vendors: readonly string[]) => {
      const payload = manyEvents(vendors.length, vendors)
      payload.locationMasterList.push({ locationCode: 'HQ', locationName: 'Office' })
      return verdictOn(payload).findings.find(({ rule }) => rule === 'location/identified')?.message
    }
    const start = 'Location "HQ" has no gln, duns or address, and is not set up in the master data of'
    expect(bare(['V-1'])).toBe(`${start} vendor "V-1".`)
    expect(bare(['V-1', 'V-2'])).toBe(`${start} vendors "V-1", "V-2".`)
    expect(bare(['V-1', 'V-2', 'V-3', 'V-4', 'V-5'])).toBe(`${start} vendors "V-1", "V-2", "V-3" and others.`)
  })
})

describe('judging without the service', () => {
  const alone = (edit: (payload: Json) => void) => {
    const payload = samplePayload('receivingEvent')
    edit(payload)
    return judgeAlone(receivingEvent, receivingEvent.createPayload, deepFrozen(payload), { now, settings })
  }

  it('finds what needs no look into the store, errors first', () => {
    const verdict = alone(manyWrongs)
    expect(verdict.refused).toBe(true)
    const all = rulesOf(judged({ edit: manyWrongs }).findings)
    const undecided = ['product/packaging-size', 'receiving-event/ship-to-description']
    expect(rulesOf(verdict.findings)).toEqual(all.filter((rule) => !undecided.includes(rule)))
    expect(rulesOf(verdict.undecided)).toEqual(undecided)
  })

  it('leaves to the service what master data may explain', () => {
    const verdict = alone(({ locationMasterList, eventList }) => {
      delete locationMasterList[0].gln
      delete locationMasterList[0].duns
      delete locationMasterList[0].address
      eventList.productList[0].tlcSourceReferenceFfrn = '14532865782'
      eventList.productList[0].vendorItemCode = 'SET-UP-LONG-AGO'
    })
    expect(verdict).toMatchObject({ refused: false, findings: [], findingCount: 0 })
    expect(rulesOf(verdict.undecided)).toEqual(
      expect.arrayContaining(['location/identified', 'product-line/item-code-listed']),
    )
  })

  it.each([
    ['0026-03-04T09:30:00-05:00', 'receiving-event/years-plausible'],
    ['1926-03-04T09:30:00-05:00', 'receiving-event/years-plausible'],
    ['2016-03-04T09:30:00-05:00', 'receiving-event/years-plausible'],
    ['2035-03-04T09:30:00-05:00', 'receiving-event/received-in-past'],
    ['2026-03-05T09:30:00-05:00', undefined],
  ])('finds by the clock of the caller that an event cannot be of %s', (dateTime, rule) => {
    const { findings } = alone(({ eventList }) => {
      eventList.eventDateTime = dateTime
    })
    expect(rulesOf(findings)).toEqual(rule === undefined ? [] : [rule])
  })

  it('finds by it that other dates cannot be either', () => {
    const { findings } = alone((payload) => {
      payload.transmissionDateTime = '2062-03-04T10:00:00-05:00'
      payload.eventList.purchaseOrderDate = '2016-03-01'
      Object.assign(payload.eventList.productList[0], { expirationDate: '2062-03-01', packagingDate: '2016-03-01' })
    })
    const line = '/eventList/productList/0'
    expect(findings.map(({ pointer }) => pointer).sort()).toEqual([
      `${line}/expirationDate`,
      `${line}/packagingDate`,
      '/eventList/purchaseOrderDate',
      '/transmissionDateTime',
    ])
  })

  it('says nothing that the service would not say, whatever is stored there', () => {
    const places = placesOf(declared(receivingEvent.createPayload))
    fc.assert(
      fc.property(
        fc.subarray(
          [...places].map(({ pointer }) => pointer),
          { maxLength: 6 },
        ),
        fc.boolean(),
        (gone, known) => {
          let payload: Json = samplePayload('receivingEvent')
          for (const pointer of gone) payload = withValue(payload, pointer, undefined)
          const body = JSON.parse(JSON.stringify(payload))
          const reading = readPayload(receivingEvent, receivingEvent.createPayload, body)
          const facts: Facts = known
            ? {
                ...noFacts,
                masterLocations: { get: () => samplePayload('location').locationMasterList, has: () => true } as never,
                masterProducts: {
                  get: () => samplePayload('masterProduct').productMasterDataList,
                  has: () => true,
                } as never,
              }
            : noFacts
          const grounds = { facts: { ...facts, now }, settings }
          const said = judge(receivingEvent, reading, grounds).findings.map((one) => JSON.stringify(one))
          const { findings } = judgeAlone(receivingEvent, receivingEvent.createPayload, body, { now, settings })
          for (const finding of findings) expect(said).toContain(JSON.stringify(finding))
        },
      ),
    )
  })
})

describe('arbitrary bodies', () => {
  const anything = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' })
  const blocks: fc.Arbitrary<unknown> = fc.oneof(
    anything,
    fc.constantFrom<unknown>(
      null,
      '',
      ' ',
      'SHIP-TO',
      'TOM-1',
      'constructor',
      '__proto__',
      0,
      [],
      {},
      [{}],
      [[]],
      [null],
    ),
    fc.constantFrom<unknown>('2026-01-01', '2026-01-01T00:00:00Z', '10614141000414', JSON.parse('{"__proto__":{}}')),
  )
  const names = [
    'itemCode',
    'locationCode',
    'productList',
    'dataProviderVendorId',
    'address',
    'geoLocation',
    'gln',
    '__proto__',
  ]
  const parts = fc.array(fc.dictionary(fc.constantFrom(...names), blocks, { maxKeys: 4 }), { maxLength: 3 })
  const facts = fc.constantFrom<Facts>(noFacts, { ...noFacts, payloadIdUsedBy: 'r-1' })

  it.each(recordKinds)('of $nouns are judged without throwing, and refused exactly when an error is found', (kind) => {
    const pointers = [...placesOf(declared(kind.createPayload))].map(({ pointer }) => pointer)
    const edited = fc
      .array(fc.tuple(fc.constantFrom(...pointers), fc.oneof(blocks, parts)), { maxLength: 4 })
      .map((edits) => edits.reduce<Json>((body, [at, value]) => withValue(body, at, value), samplePayload(kind.name)))
    const tries = runs(700)
    let refusals = 0
    fc.assert(
      fc.property(fc.oneof(anything, parts, edited, edited, edited), facts, fc.boolean(), (body, known, strict) => {
        deepFrozen(body)
        for (const shape of [kind.createPayload, kind.replacement]) {
          const verdict = judge(kind, readPayload(kind, shape, body), { facts: known, settings, strict })
          expect(verdict.refused).toBe(verdict.findings.some(({ severity }) => severity === 'error'))
          expect(verdict.findingCount).toBe(verdict.findings.length)
          for (const { pointer, message, remedy, cites } of verdict.findings) {
            expect(pointer).toMatch(/^(\/[^/]*)*$/)
            expect(message && remedy && cites).not.toBe('')
          }
          // Only what is accepted has records to store.
          const stored = verdict.refused ? [] : verdict.records().flatMap(({ findings }) => findings())
          expect(stored.every(([rule]) => rulesOf(verdict.findings).includes(rule))).toBe(true)
          if (verdict.refused) refusals++
        }
      }),
      // Nine of ten bodies are refused: the whole sample is always among them.
      { numRuns: tries, examples: [[samplePayload(kind.name), noFacts, false]] },
    )
    expect(refusals).toBeGreaterThan(tries / 20)
    expect(refusals).toBeLessThan(2 * tries)
  })
})

describe('large bodies', () => {
  const wrongLine = () => ({
    ...sampleLine({ caseGtin: '1', palletId: '2', itemUpc: '3', countryOfOrigin: '4', shipQuantity: 'many' }),
  })

  function timed(title: string, body: Json, kind: (typeof recordKinds)[number] = receivingEvent) {
    const started = processorMs()
    const verdict = judge(kind, readPayload(kind, kind.createPayload, deepFrozen(body)), { facts: noFacts, settings })
    const took = processorMs() - started
    console.info(`judged ${title} in ${took.toFixed(0)} ms`)
    expect(took).toBeLessThan(20_000)
    return verdict
  }

  it('of 5,000 lines that are all wrong list 500 findings with the full count', () => {
    const payload = samplePayload('receivingEvent')
    payload.eventList.productList = Array.from({ length: 5_000 }, wrongLine)
    const verdict = timed('5,000 wrong lines', payload)
    expect(verdict.findings).toHaveLength(500)
    expect(verdict.findingCount).toBe(25_000)
    expect(verdict.refused).toBe(true)
  })

  it('of 5,000 right lines have no finding', () => {
    const payload = samplePayload('receivingEvent')
    payload.eventList.productList = Array.from({ length: 5_000 }, () => sampleLine())
    expect(timed('5,000 right lines', payload).findingCount).toBe(0)
  })

  it('of 5,000 lines with a warning each are kept with all of them', () => {
    const payload = samplePayload('receivingEvent')
    payload.eventList.productList = Array.from({ length: 5_000 }, () => sampleLine({ caseGtin: '10614141000414' }))
    const verdict = timed('5,000 warnings', payload)
    expect(verdict).toMatchObject({ refused: false, findingCount: 5_000 })
    expect(verdict.findings).toHaveLength(500)
    expect(verdict.records()[0]?.findings()).toHaveLength(5_000)
  })

  it('with more warnings than are listed still list the one error that comes last', () => {
    const payload = samplePayload('receivingEvent')
    payload.eventList.productList = Array.from({ length: 2_000 }, () => sampleLine({ caseGtin: '10614141000414' }))
    payload.eventList.productList.push(sampleLine({ countryOfOrigin: 'US' }))
    const verdict = timed('2,000 warnings and an error', payload)
    expect(verdict.findings[0]).toMatchObject({ pointer: '/eventList/productList/2000/countryOfOrigin' })
    expect(verdict).toMatchObject({ refused: true, findingCount: 2_001 })
  })

  it('of a thousand events with thousands of empty lines each are refused in bounded time, without throwing', () => {
    const payload = samplePayload('receivingEvent')
    const one = payload.eventList
    payload.eventList = Array.from({ length: 1_000 }, () => ({ ...one, productList: Array(3_000).fill({}) }))
    const verdict = timed('3,000,000 empty lines', payload)
    expect(verdict.refused).toBe(true)
    expect(verdict.findings).toHaveLength(500)
    expect(verdict.findings.map(({ rule }) => rule)).toContain('shape/required')
    // Each line that was read lacks three fields; each list past 50,000 entries is one finding.
    expect(verdict.findingCount).toBeGreaterThan(100_000)
  })

  it('of a thousand locations with one code, the first of a megabyte, are refused in bounded time', () => {
    const payload = samplePayload('receivingEvent')
    const [one, two] = payload.locationMasterList
    const corner = Array.from({ length: 10 }, () => 'x'.repeat(100))
    payload.locationMasterList = [
      { ...one, geoLocation: { geoFence: Array.from({ length: 1_000 }, () => corner) } },
      two,
      ...Array.from({ length: 998 }, () => one),
    ]
    const verdict = timed('998 locations that contradict one of a megabyte', payload)
    expect(verdict.findings.filter(({ rule }) => rule === 'location/code-conflicting').length).toBeGreaterThan(400)
    expect(verdict.findingCount).toBeGreaterThanOrEqual(998)
  })

  it('of a thousand locations with the number that thousands of lines refer to are judged in bounded time', () => {
    const payload = samplePayload('receivingEvent')
    const [one] = payload.locationMasterList
    const { phoneNumber: _, ...incomplete } = one
    payload.locationMasterList.push(
      ...Array.from({ length: 998 }, (_, i) => ({ ...incomplete, locationCode: `L-${i}` })),
    )
    const line = sampleLine({ tlcSourceReferenceFei: '', tlcSourceReferenceGln: one.gln })
    payload.eventList.productList = Array.from({ length: 5_000 }, () => line)
    expect(timed('5,000 lines beside 1,000 locations', payload).findingCount).toBe(0)
  })

  it('of 1,000 master products that are all wrong list 500 findings with the full count', () => {
    const payload = samplePayload('masterProduct')
    const one = payload.productMasterDataList
    payload.productMasterDataList = Array.from({ length: 1_000 }, (_, i) => ({
      ...one,
      itemCode: `TOM-${i}`,
      gtin: 'x',
      itemUpc: 'y',
      plu: 1,
    }))
    const verdict = timed('1,000 wrong products', payload, masterProduct)
    expect(verdict.findings).toHaveLength(500)
    expect(verdict.findingCount).toBe(3_000)
  })
})
