// What events of EPCIS become: the payloads of records, or a reason why not. Source: decision 0083.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isGiven } from '../../src/contract/shape/field.ts'
import { documentEventsMax, type EpcisDocument, readDocument } from '../../src/epcis/document.ts'
import { drafting, type SenderDefaults } from '../../src/epcis/draft.ts'
import { masterDataKey, numberOfDocument, readGoods, readPlace } from '../../src/epcis/identifiers.ts'
import { keysOf, type StoredMasterData } from '../../src/epcis/known-master-data.ts'
import { wordOf } from '../../src/epcis/words.ts'
import { readXmlDocument } from '../../src/epcis/xml.ts'
import { eventsOf } from '../../src/exports/epcis/events.ts'
import { receivingEventPayloads } from '../samples/arbitrary-payloads.ts'
import type { Json } from '../samples/declared-shapes.ts'
import { processorMs } from '../support/patience.ts'
import { runs } from '../support/runs.ts'

const nothingStored: StoredMasterData = { locations: [], products: [] }

const read = (...eventList: Json[]): EpcisDocument => readWhole({ epcisBody: { eventList } })

function readWhole(parts: Json): EpcisDocument {
  const document = readDocument({ type: 'EPCISDocument', ...parts })
  if ('fault' in document) throw new Error(`${document.pointer} ${document.fault}`)
  return document
}

function draftsOf(document: EpcisDocument, stored = nothingStored, defaults: SenderDefaults = {}) {
  const draft = drafting(document, stored, defaults)
  return document.events.map(draft) as Json[]
}

const receiving = (parts: Json = {}): Json => ({
  type: 'ObjectEvent',
  eventTime: '2026-03-04T17:30:00Z',
  eventTimeZoneOffset: '-08:00',
  action: 'OBSERVE',
  bizStep: 'receiving',
  bizLocation: { id: 'urn:epc:id:sgln:0614141.00002.0' },
  ...parts,
})

const lot = (lotCode: string, quantity: number | undefined, uom?: string): Json => ({
  epcClass: `urn:epc:class:lgtin:0614141.100041.${lotCode}`,
  quantity,
  ...(uom && { uom }),
})

const pallet = (n: number) => `urn:epc:id:sscc:0614141.1${String(n).padStart(9, '0')}`
const ssccOf = (n: number) => readGoods(pallet(n)).sscc

/** The lines of the payload of the last event. */
const linesOf = (...events: Json[]): Json[] => draftsOf(read(...events)).at(-1)?.payload?.eventList.productList

describe('events of the whole chain', () => {
  const where = { bizLocation: { id: 'urn:epc:id:sgln:0614141.00002.0' } }
  const when = { eventTime: '2026-03-04T17:30:00Z', eventTimeZoneOffset: '-08:00' }
  const transformation = (parts: Json = {}): Json => ({ type: 'TransformationEvent', ...when, ...where, ...parts })
  const inputs = { inputQuantityList: [lot('IN-1', 40, 'KGM'), lot('IN-2', 8, 'KGM')] }
  const outputs = { outputQuantityList: [lot('OUT-1', 96)] }
  const food = { epcClass: 'urn:epc:idpat:sgtin:0614141.100041.*', quantity: 75, uom: 'KGM' }
  const kindOfOne = (event: Json): string => draftsOf(read(event))[0]?.kind ?? draftsOf(read(event))[0]?.reason

  test('a transformation has the lots that it used and those that it made, with its document', () => {
    const [draft] = draftsOf(
      read(
        transformation({
          ...inputs,
          ...outputs,
          inputEPCList: ['urn:epc:id:sgtin:0614141.100041.1', 'urn:epc:id:sgtin:0614141.100041.2'],
          ilmd: { 'cbvmda:bestBeforeDate': '2026-03-20' },
          bizTransactionList: [
            { type: 'prodorder', bizTransaction: 'urn:epcglobal:cbv:bt:0614141000029:WO-7' },
            { bizTransaction: 'urn:epcglobal:cbv:bt:0614141000029:X-1' },
            { type: 'po', bizTransaction: 'urn:epcglobal:cbv:bt:0614141000029:88120' },
          ],
        }),
      ),
      nothingStored,
      { shipQuantityUom: 'each' },
    )
    expect(draft).toMatchObject({ is: 'record', kind: 'transformationEvent' })
    const { ingredientList, productList, ...event } = draft?.payload.eventList ?? {}
    expect(event).toMatchObject({
      eventDateTime: '2026-03-04T09:30:00-08:00',
      transformationLocationCode: '0614141000029',
      referenceDocumentType: 'Work Order',
      referenceDocumentNumber: 'WO-7',
      referenceDocumentType2: 'Other Document',
      referenceDocumentNumber2: 'X-1',
    })
    const said = (lines: Json[]) => lines.map((line) => [line.caseLotNumber, line.shipQuantity, line.shipQuantityUom])
    expect(said(ingredientList)).toEqual([
      ['IN-1', 40, 'kg'],
      ['IN-2', 8, 'kg'],
      [undefined, 2, 'case'],
    ])
    expect(said(productList)).toEqual([['OUT-1', 96, 'case']])
    expect(ingredientList.map((line: Json) => line.bestBeforeDate)).toEqual([undefined, undefined, undefined])
    expect(productList[0].bestBeforeDate).toBe('2026-03-20')
    expect(draft?.told).toEqual([
      'The record has no field left for these documents, and they are not stored: Purchase Order (PO) "88120".',
    ])
    expect(draft?.pointerOf('/eventList/productList/0/caseLotNumber')).toBe(
      '/epcisBody/eventList/0/outputQuantityList/0',
    )
    expect(draft?.pointerOf('/eventList/ingredientList/1')).toBe('/epcisBody/eventList/0/inputQuantityList/1')
  })

  const begun = (bizStep: string, quantityList: Json[], parts: Json = {}): Json =>
    receiving({ bizStep, action: 'ADD', quantityList, ...parts })

  test.each<[string, Json, string]>([
    ['lots of lots', transformation({ ...inputs, ...outputs, bizStep: 'packing' }), 'transformationEvent'],
    [
      'lots of food without lots',
      transformation({ inputQuantityList: [food], ...outputs, bizStep: 'packing' }),
      'initialPackingEvent',
    ],
    ['lots of nothing', transformation({ ...outputs, bizStep: 'urn:gdst:bizstep:packaging' }), 'initialPackingEvent'],
    ['lots by another step', transformation({ inputQuantityList: [food], ...outputs }), 'transformationEvent'],
    ['lots that are commissioned', begun('commissioning', [lot('A', 4)]), 'initialPackingEvent'],
    [
      'a class that is made',
      begun('https://ref.gs1.org/cbv/BizStep-creating_class_instance', [lot('A', 4)]),
      'initialPackingEvent',
    ],
    ['food without a lot', begun('urn:epcglobal:cbv:bizstep:commissioning', [food]), 'harvestingEvent'],
    ['a harvest on a farm', begun('urn:gdst:bizstep:farmharvest', [food]), 'harvestingEvent'],
    [
      'a landing',
      begun('urn:gdst:bizStep:landing', [lot('A', 4)], { action: 'OBSERVE' }),
      'firstLandBasedReceivingEvent',
    ],
    ['a cooling', begun('https://example.com/bizstep/Cooling', [food], { action: 'OBSERVE' }), 'coolingEvent'],
    [
      'labels',
      receiving({ bizStep: 'commissioning', action: 'ADD', epcList: ['urn:epc:id:sgtin:0614141.100041.1'] }),
      'otherStep',
    ],
    ['what is seen again', begun('commissioning', [lot('A', 4)], { action: 'OBSERVE' }), 'otherStep'],
    ['a transaction', { ...receiving({ quantityList: [lot('A', 1)] }), type: 'TransactionEvent' }, 'otherType'],
  ])('%s: the kind follows from type, step and lots', (_, event, kind) => {
    expect(kindOfOne(event)).toBe(kind)
  })

  test('a harvest says what its lines cannot hold', () => {
    const [draft] = draftsOf(
      read(begun('urn:gdst:bizstep:farmharvest', [food], { ilmd: { 'cbvmda:harvestEndDate': '2026-03-03' } })),
    )
    expect(draft?.payload.eventList.productList).toEqual([
      { vendorItemCode: '10614141000415', shipQuantity: 75, shipQuantityUom: 'kg' },
    ])
    expect(draft?.told).toEqual(['Lines of productList have no caseGtin, harvestDate: not stored.'])
  })

  test('too many goods on one side are refused with their place', () => {
    const inputQuantityList = Array.from({ length: 5_001 }, (_, i) => lot(`L${i}`, 1))
    const [draft] = draftsOf(read(transformation({ inputQuantityList, ...outputs })))
    expect(draft).toMatchObject({ is: 'refused', faults: [{ pointer: '/epcisBody/eventList/0' }] })
  })
})

describe('fields that no record holds', () => {
  const toldOf = (parts: Json): string[] =>
    draftsOf(read(receiving({ quantityList: [lot('A', 1)], ...parts })))[0]?.told

  test.each<[string, Json, string]>([
    ['an extension of the event', { 'ex:temperature': 4 }, '"ex:temperature"'],
    ['one with a name of EPCIS', { 'ex:action': 'OBSERVE' }, '"ex:action"'],
    ['one under a full name', { 'https://example.com/ns/dock': { 'ex:door': 7 } }, '"https://example.com/ns/dock"'],
    ['one without a prefix', { dockDoor: '7' }, '"dockDoor"'],
    ['one of a lot', { ilmd: { 'ex:brix': 12, 'cbvmda:lotNumber': 'A' } }, '"ex:brix"'],
    ['one of a quantity', { quantityList: [{ ...lot('A', 1), 'ex:weight': 4 }] }, '"ex:weight"'],
    ['one of a place', { readPoint: { id: 'urn:x', 'ex:bay': '4' } }, '"ex:bay"'],
    [
      'sensor data',
      { sensorElementList: [{ sensorReport: [{ type: 'Temperature', value: 4 }] }] },
      '"sensorElementList"',
    ],
    ['several, each once', { 'ex:a': 1, 'ex:b': 2, ilmd: { 'ex:a': 3 } }, '"ex:a", "ex:b"'],
    [
      'many, of which the first are named',
      Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`ex:f${i}`, i])),
      `${Array.from({ length: 10 }, (_, i) => `"ex:f${i}"`).join(', ')} and 190 more`,
    ],
  ])('are told: %s', (_, parts, names) => {
    expect(toldOf(parts)).toEqual([`No record holds these fields, and they are not stored: ${names}.`])
  })

  test.each<[string, Json]>([
    ['the source of a lot code', { 'ex:traceabilityLotCodeSource': 'https://example.com/s' }],
    ['dates of a lot', { ilmd: { 'cbvmda:lotNumber': 'A', 'cbvmda:bestBeforeDate': '2026-03-20' } }],
    [
      'fields under other spellings',
      { 'epcis:disposition': 'in_progress', 'https://ref.gs1.org/epcis/recordTime': 'x' },
    ],
    ['what JSON-LD says of itself', { '@context': { ex: 'https://example.com/' } }],
    ['fields without a value', { 'ex:a': null, 'ex:b': '', 'ex:c': [], 'ex:d': {} }],
  ])('are not: %s', (_, parts) => {
    expect(toldOf(parts)).toEqual([])
  })

  test('are told of XML, under their names there', () => {
    const xml = `<epcis:EPCISDocument xmlns:epcis="urn:epcglobal:epcis:xsd:1" xmlns:ex="https://example.com/"><EPCISBody><EventList>
      <ObjectEvent><eventTime>2026-03-04T17:30:00Z</eventTime><eventTimeZoneOffset>-08:00</eventTimeZoneOffset><epcList/>
      <action>OBSERVE</action><bizStep>urn:epcglobal:cbv:bizstep:receiving</bizStep>
      <extension><quantityList><quantityElement><epcClass>urn:epc:class:lgtin:0614141.100041.A</epcClass><quantity>1</quantity></quantityElement></quantityList></extension>
      <ex:temperature>4</ex:temperature></ObjectEvent></EventList></EPCISBody></epcis:EPCISDocument>`
    const document = readDocument(readXmlDocument(xml) as Json)
    if ('fault' in document) throw new Error(document.fault)
    expect(draftsOf(document)[0]?.told).toEqual([
      'No record holds these fields, and they are not stored: "temperature".',
    ])
  })
})

describe('parties of a transfer', () => {
  const parties = {
    sourceList: [
      { type: 'owning_party', source: 'urn:epc:id:pgln:0614141.00001' },
      { type: 'urn:epcglobal:cbv:sdt:possessing_party', source: 'https://id.gs1.org/417/0614141000029' },
      { type: 'location', source: 'urn:epc:id:sgln:0614141.00003.0' },
    ],
    destinationList: [
      { type: 'owning_party', destination: 'urn:epc:id:pgln:0614141.00005' },
      { type: 'location', destination: 'urn:epc:id:sgln:0614141.00002.0' },
      { type: 'location', destination: 'urn:epc:id:sgln:0614141.00006.0' },
    ],
  }
  const [party, holder] = ['urn:epc:id:pgln:0614141.00001', 'https://id.gs1.org/417/0614141000029']
  const others = [
    `destination owning_party "urn:epc:id:pgln:0614141.00005"`,
    `destination location "urn:epc:id:sgln:0614141.00006.0"`,
  ]
  const storedAs = (dataProviderVendorId: string, gln: string) => ({
    gln,
    dataProviderVendorId,
    locationCode: 'HQ',
    locationName: 'Harbor Farms',
  })
  const draftWith = (locations: StoredMasterData['locations'], defaults: SenderDefaults = {}) => {
    const [draft] = draftsOf(
      read(receiving({ quantityList: [lot('A', 1)], ...parties })),
      { ...nothingStored, locations },
      defaults,
    )
    return { vendor: draft?.payload.eventList.dataProviderVendorId, told: draft?.told }
  }
  const told = (...ends: string[]) =>
    `No record holds these sources and destinations, and they are not stored: ${ends.join(', ')}.`

  test('are told, and a second place', () => {
    expect(draftWith([])).toEqual({
      vendor: undefined,
      told: [told(`source owning_party "${party}"`, `source possessing_party "${holder}"`, ...others)],
    })
  })

  test.each<[string, string, string]>([
    ['the owner', '0614141000012', `source possessing_party "${holder}"`],
    ['the holder', '0614141000029', `source owning_party "${party}"`],
  ])('name the vendor that has %s among its locations', (_, gln, left) => {
    expect(draftWith([storedAs('V-7', gln)], { dataProviderVendorId: 'V-1' })).toEqual({
      vendor: 'V-7',
      told: [told(left, ...others)],
    })
  })

  test('give way to the place that the goods come from', () => {
    const { vendor } = draftWith([storedAs('V-7', '0614141000012'), storedAs('V-3', '0614141000036')])
    expect(vendor).toBe('V-3')
  })

  test('leave a place without an identifier to the next one', () => {
    const places = ['', 'urn:epc:id:sgln:0614141.00003.0'].map((source) => ({ type: 'location', source }))
    const [draft] = draftsOf(read(receiving({ quantityList: [lot('A', 1)], sourceList: places })))
    expect(draft?.payload.locationMasterList[0].gln).toBe('0614141000036')
    expect(draft?.told).toEqual([])
  })

  test('do not choose between vendors that both have them', () => {
    const both = [storedAs('V-7', '0614141000012'), storedAs('V-8', '0614141000012')]
    expect(draftWith(both).vendor).toBeUndefined()
    expect(draftWith(both, { dataProviderVendorId: 'V-8' }).vendor).toBe('V-8')
  })
})

test('documents beyond the three fields of an event are told', () => {
  const documents = ['po', 'bol', 'desadv', 'inv'].map((type, i) => ({ type, bizTransaction: `urn:x:${type}:${i}00` }))
  const [draft] = draftsOf(read(receiving({ quantityList: [lot('A', 1)], bizTransactionList: documents })))
  expect(draft?.told).toEqual([
    'The record has no field left for these documents, and they are not stored: Invoice "300".',
  ])
})

test('sources and documents are read in time that grows with their number', () => {
  // Work that grows with the square would take half a minute.
  const all = Array.from({ length: 120_000 }, (_, i) => i)
  const startedAt = processorMs()
  const [draft] = draftsOf(
    read(
      receiving({
        quantityList: [lot('A', 1)],
        sourceList: all.map((i) => ({ type: i < 60_000 ? 'owning_party' : 'location', source: `urn:x:${i}` })),
        bizTransactionList: all.map((i) => ({ type: 'inv', bizTransaction: `urn:x:inv:${i}` })),
      }),
    ),
  )
  expect(processorMs() - startedAt).toBeLessThan(10_000)
  expect(draft?.told).toHaveLength(2)
})

describe('identifiers', () => {
  test('of one lot are the same in URNs and in Digital Links of any host', () => {
    for (const uri of [
      'urn:epc:class:lgtin:0614141.100041.GV26063%2FA',
      'https://id.gs1.org/01/10614141000415/10/GV26063%2FA',
      'http://example.com/some/path/gtin/10614141000415/lot/GV26063%2FA?linkType=all',
    ])
      expect(readGoods(uri), uri).toMatchObject({ gtin: '10614141000415', lotCode: 'GV26063/A', serial: undefined })
  })

  test('of one item, pallet, place and document are read in the forms of the standard and of GDST', () => {
    expect(readGoods('urn:epc:id:sgtin:0614141.100041.2018')).toMatchObject({ gtin: '10614141000415', serial: '2018' })
    expect(readGoods('urn:epc:idpat:sgtin:0614141.100041.*')).toMatchObject({
      gtin: '10614141000415',
      serial: undefined,
    })
    expect(readGoods('https://id.gs1.org/00/106141410000000019').sscc).toBe('106141410000000019')
    expect(readGoods(pallet(1)).sscc).toMatch(/^10614141000000001\d$/)
    expect(readGoods('urn:gdst:example.org:product:lot:class:processor.2u.v1-0122')).toMatchObject({
      itemCode: 'processor.2u',
      lotCode: 'v1-0122',
      item: 'urn:gdst:example.org:product:class:processor.2u',
    })
    for (const uri of [
      'urn:epc:id:sgln:0614141.00001.0',
      'https://id.gs1.org/414/0614141000012/254/7',
      '0614141000012',
    ])
      expect(readPlace(uri).gln, uri).toBe('0614141000012')
    expect(readPlace('geo:36.6,-121.6').gln).toBeUndefined()
    expect(numberOfDocument('urn:epcglobal:cbv:bt:0614141073467:PO%2F1152')).toBe('PO/1152')
    expect(numberOfDocument('http://transaction.acme.com/po/12345678')).toBe('12345678')
    expect(numberOfDocument('urn:epc:id:gdti:0614141.00001.1618034')).toBe('1618034')
    expect(masterDataKey('urn:epc:idpat:sgtin:0614141.100041.*')).toBe(
      masterDataKey('https://id.gs1.org/01/10614141000415'),
    )
  })

  test('that are none of these stay as they are', () => {
    for (const uri of [
      '',
      'urn:epc:class:lgtin:0614141.1.A',
      'https://example.com/01/123',
      'urn:epc:id:sgtin:x.y.z',
      '%',
    ])
      expect(readGoods(uri), uri).toEqual({ uri, itemCode: uri, item: uri })
  })

  test('of the vocabulary are one word in each spelling', () => {
    for (const word of [
      'receiving',
      'urn:epcglobal:cbv:bizstep:receiving',
      'https://ref.gs1.org/cbv/BizStep-receiving',
      'cbv:BizStep-receiving',
    ])
      expect(wordOf(word)).toBe('receiving')
    expect(wordOf('https://example.com/steps/receiving')).toBe('https://example.com/steps/receiving')
  })
})

describe('the time of an event', () => {
  test.each([
    ['2026-03-04T17:30:00.999Z', '-08:00', '2026-03-04T09:30:00-08:00'],
    ['2026-03-05T02:30:00Z', '-08:00', '2026-03-04T18:30:00-08:00'],
    ['2026-03-04T09:30:00.5-08:00', undefined, '2026-03-04T09:30:00-08:00'],
    ['2026-03-04T17:30:00Z', '+00:00', '2026-03-04T17:30:00Z'],
    ['2026-03-04T17:30:00+02:00', '+00:00', '2026-03-04T15:30:00Z'],
    ['2026-03-04T18:40:00Z', '+05:30', '2026-03-05T00:40:00+06:00'],
    ['2026-03-04T18:10:00Z', '+05:30', '2026-03-04T23:10:00+05:00'],
    ['2026-03-04T12:00:00+05:30', undefined, '2026-03-04T11:30:00+05:00'],
  ])('%s at %s is %s: the same instant, and the date at the place', (eventTime, eventTimeZoneOffset, expected) => {
    const [draft] = draftsOf(read(receiving({ eventTime, eventTimeZoneOffset, quantityList: [lot('A', 1)] })))
    expect(draft?.payload.eventList.eventDateTime).toBe(expected)
    expect(Date.parse(expected)).toBe(Math.floor(Date.parse(eventTime) / 1000) * 1000)
  })

  test.each([
    ['eventTime', '2026-02-30T00:00:00Z'],
    ['eventTime', '2026-03-04 17:30'],
    ['eventTimeZoneOffset', 'PST'],
  ])('with %s %s is refused at its place', (field, value) => {
    const [draft] = draftsOf(read(receiving({ [field]: value })))
    expect(draft).toMatchObject({ is: 'refused', faults: [{ pointer: `/epcisBody/eventList/0/${field}` }] })
  })
})

describe('goods', () => {
  test('are lines of their lots; serial numbers are counted by lot', () => {
    const serial = (n: number) => `https://id.gs1.org/01/10614141000415/10/GV1/21/${n}`
    const made = {
      ...receiving({ action: 'ADD', bizStep: 'commissioning', bizLocation: { id: 'urn:epc:id:sgln:0614141.00009.0' } }),
      epcList: ['urn:epc:id:sgtin:0614141.100041.77', 'urn:epc:id:sgtin:0614141.100041.78'],
      ilmd: { 'cbvmda:lotNumber': 'GV2', 'cbvmda:harvestStartDate': '2026-03-01T00:00:00Z' },
    }
    const lines = linesOf(
      made,
      receiving({
        epcList: [serial(1), serial(2), serial(3), ...made.epcList],
        quantityList: [lot('GV3', 12.5, 'LBR'), lot('GV3', 2)],
      }),
    )
    expect(
      lines.map(({ caseLotNumber, shipQuantity, shipQuantityUom }) => [caseLotNumber, shipQuantity, shipQuantityUom]),
    ).toEqual([
      ['GV3', 12.5, 'lb'],
      ['GV3', 2, 'case'],
      ['GV1', 3, 'case'],
      ['GV2', 2, 'case'],
    ])
    expect(lines[3]).toMatchObject({ harvestDate: '2026-03-01', tlcSourceReferenceGln: '0614141000098' })
  })

  test('on pallets are found in units as deep as a document is long, and on units that thousands of pallets share', () => {
    const packing = (n: number, parts: Json) => ({
      type: 'AggregationEvent',
      eventTime: '2026-03-04T10:00:00Z',
      action: 'ADD',
      parentID: pallet(n),
      ...parts,
    })
    const deep = Array.from({ length: documentEventsMax - 1 }, (_, n) =>
      packing(n, n < documentEventsMax - 2 ? { childEPCs: [pallet(n + 1)] } : { childQuantityList: [lot('A', 10)] }),
    )
    expect(linesOf(...deep, receiving({ epcList: [pallet(0)] }))).toMatchObject([
      { caseLotNumber: 'A', palletId: ssccOf(0) },
    ])
    const half = Array.from({ length: documentEventsMax / 2 - 1 }, (_, n) => n + 1)
    const shared = [
      ...half.map((n) => packing(n, { childEPCs: [pallet(0)] })),
      ...half.map((n) => packing(0, { action: 'OBSERVE', childQuantityList: [lot('B', n)] })),
    ]
    const lines = linesOf(...shared, receiving({ epcList: half.map(pallet) }))
    expect(lines).toHaveLength(half.length)
    expect(lines.at(-1)).toMatchObject({ caseLotNumber: 'B', shipQuantity: half.length, palletId: ssccOf(half.length) })
  })

  test('on pallets come from packing before the event, through units within units', () => {
    const packing = (parent: string, parts: Json) => ({
      type: 'AggregationEvent',
      eventTime: '2026-03-04T10:00:00Z',
      eventTimeZoneOffset: '-08:00',
      action: 'ADD',
      parentID: parent,
      ...parts,
    })
    const packed = [
      packing(pallet(1), { childQuantityList: [lot('A', 10)] }),
      packing(pallet(1), { eventTime: '2026-03-04T11:00:00Z', childEPCs: [pallet(3)] }),
      packing(pallet(3), { childQuantityList: [lot('B', 5)] }),
      packing(pallet(2), { childQuantityList: [lot('A', 7)] }),
      packing(pallet(2), { action: 'OBSERVE', eventTime: '2026-03-05T10:00:00Z', childQuantityList: [lot('Z', 99)] }),
    ]
    const onPallets = [
      ['A', 10, ssccOf(1)],
      ['B', 5, ssccOf(1)],
      ['A', 7, ssccOf(2)],
    ]
    const drawn = (event: Json) =>
      linesOf(...packed, event).map(({ caseLotNumber, shipQuantity, palletId }) => [
        caseLotNumber,
        shipQuantity,
        palletId,
      ])
    expect(drawn(receiving({ epcList: [pallet(1), pallet(2)] }))).toEqual(onPallets)
    // The quantities of the event are those on its pallets, and divide by pallet.
    expect(drawn(receiving({ epcList: [pallet(1), pallet(2)], quantityList: [lot('A', 17), lot('B', 5)] }))).toEqual(
      onPallets,
    )
    // They are others: what was received counts, and nobody knows on which pallet.
    expect(drawn(receiving({ epcList: [pallet(1), pallet(2)], quantityList: [lot('A', 16)] }))).toEqual([
      ['A', 16, undefined],
    ])
    expect(drawn(receiving({ epcList: [pallet(4)], quantityList: [lot('A', 16)] }))).toEqual([['A', 16, ssccOf(4)]])
  })

  test('on a pallet that the document does not open are refused at the pallet', () => {
    const [draft] = draftsOf(read(receiving({ epcList: [pallet(1)] })))
    expect(draft).toMatchObject({ is: 'refused', faults: [{ pointer: '/epcisBody/eventList/0/epcList/0' }] })
  })
})

describe('what an event lacks', () => {
  const shipping = receiving({
    bizStep: 'urn:epcglobal:cbv:bizstep:shipping',
    eventTime: '2026-03-03T17:30:00Z',
    bizLocation: undefined,
    readPoint: { id: 'urn:epc:id:sgln:0614141.00001.0' },
    destinationList: [{ type: 'location', destination: 'urn:epc:id:sgln:0614141.00002.0' }],
    bizTransactionList: [
      { type: 'urn:epcglobal:cbv:btt:po', bizTransaction: 'urn:epcglobal:cbv:bt:0614141000029:88120' },
      { type: 'desadv', bizTransaction: 'urn:epcglobal:cbv:bt:0614141000012:ASN-1' },
    ],
    quantityList: [lot('A', 10)],
  })
  const received = receiving({ quantityList: [lot('A', 9)] })
  const header = {
    epcisHeader: {
      epcisMasterData: {
        vocabularyList: [
          {
            type: 'urn:epcglobal:epcis:vtype:Location',
            vocabularyElementList: [
              {
                id: 'https://id.gs1.org/414/0614141000012',
                attributes: [
                  { id: 'urn:epcglobal:cbv:mda#name', attribute: 'Green Valley Cooler' },
                  { id: 'cbvmda:city', attribute: 'Salinas' },
                ],
              },
            ],
          },
          {
            type: 'urn:epcglobal:epcis:vtype:EPCClass',
            vocabularyElementList: [
              {
                id: 'urn:epc:idpat:sgtin:0614141.100041.*',
                attributes: [{ id: 'urn:epcglobal:cbv:mda#descriptionShort', attribute: 'Romaine hearts' }],
              },
            ],
          },
        ],
      },
    },
  }

  test('comes from the header, stored master data, the shipping event and the sender, in this order', () => {
    const stored = {
      locations: [
        { gln: '0614141000012', dataProviderVendorId: 'V-1', locationCode: 'COOLER', locationName: 'Stored name' },
        { gln: '0614141000029', dataProviderVendorId: 'V-1', locationCode: 'DC-07', locationName: 'Distribution' },
      ],
      products: [{ gtin: '10614141000415', dataProviderVendorId: 'V-1', itemCode: 'ROM-24' }],
    }
    const document = readWhole({ ...header, epcisBody: { eventList: [shipping, received] } })
    expect(keysOf(document)).toMatchObject({
      glns: expect.arrayContaining(['0614141000012', '0614141000029']),
      gtins: ['10614141000415'],
    })
    const [, draft] = draftsOf(document, stored, { tlcSourceIsShipFrom: true, shipQuantityUom: 'carton' })
    expect(draft).toMatchObject({ is: 'record', kind: 'receivingEvent' })
    expect(draft?.payload).toEqual({
      productMasterDataList: [{ itemCode: 'ROM-24', itemDescription: 'Romaine hearts', gtin: '10614141000415' }],
      locationMasterList: [
        {
          locationCode: 'COOLER',
          locationName: 'Green Valley Cooler',
          gln: '0614141000012',
          address: { city: 'Salinas' },
        },
        { locationCode: 'DC-07', locationName: 'Distribution', gln: '0614141000029' },
      ],
      eventList: {
        dataProviderVendorId: 'V-1',
        purchaseOrderNumber: '88120',
        asnNumber: 'ASN-1',
        eventDateTime: '2026-03-04T09:30:00-08:00',
        shipFromLocationCode: 'COOLER',
        shipToLocationCode: 'DC-07',
        productList: [
          {
            vendorItemCode: 'ROM-24',
            vendorItemDescription: 'Romaine hearts',
            shipQuantity: 9,
            shipQuantityUom: 'carton',
            caseGtin: '10614141000415',
            caseLotNumber: 'A',
            tlcSourceReferenceGln: '0614141000012',
          },
        ],
      },
    })
    expect(draft?.pointerOf('/eventList/productList/0/shipQuantity')).toBe('/epcisBody/eventList/1/quantityList/0')
    expect(draft?.pointerOf('/locationMasterList/0/locationName')).toBe('/epcisBody/eventList/0/readPoint')
    expect(draft?.pointerOf('/eventList/dataProviderVendorId')).toBe('/epcisBody/eventList/1')
  })

  describe('of a lot code source is the ship-from location, if the sender says so', () => {
    const goods = { quantityList: [lot('A', 9)] }
    const sourceOf = (event: Json, defaults: SenderDefaults, stored = nothingStored, header: Json = {}) => {
      const [draft] = draftsOf(readWhole({ ...header, epcisBody: { eventList: [event] } }), stored, {
        dataProviderVendorId: 'V-1',
        tlcSourceIsShipFrom: true,
        ...defaults,
      })
      const [line] = draft?.payload.eventList.productList ?? []
      return Object.fromEntries(Object.entries(line).filter(([field]) => field.startsWith('tlcSource')))
    }
    const address = { streetAddress1: '1 Farm Road', city: 'Salinas', state: 'CA', postalCode: '93901', country: 'US' }
    const described = {
      tlcSourceName: 'The farm',
      tlcSourceAddress1: '1 Farm Road',
      tlcSourceCity: 'Salinas',
      tlcSourceState: 'CA',
      tlcSourcePostalCode: '93901',
      tlcSourceCountry: 'US',
      tlcSourcePhoneNumber: '+1.831.555.0100',
    }
    const storedAs = (content: Json) => ({
      ...nothingStored,
      locations: [
        {
          gln: content.gln ?? null,
          dataProviderVendorId: 'V-1',
          locationCode: 'FARM',
          locationName: 'The farm',
          content: { locationCode: 'FARM', locationName: 'The farm', ...content },
        },
      ],
    })

    test('that is a default with a stored GLN', () => {
      expect(sourceOf(receiving(goods), { shipFromLocationCode: 'FARM' }, storedAs({ gln: '0614141000012' }))).toEqual({
        tlcSourceReferenceGln: '0614141000012',
      })
    })

    test('that is a default with a stored address and phone number', () => {
      const stored = storedAs({ address, phoneNumber: '+1.831.555.0100' })
      expect(sourceOf(receiving(goods), { shipFromLocationCode: 'FARM' }, stored)).toEqual(described)
    })

    test('that has an address in the header and no GLN', () => {
      const id = 'urn:gdst:example.org:location:loc:farm.1'
      const attributes = [
        { id: 'cbvmda:name', attribute: 'The farm' },
        { id: 'cbvmda:streetAddressOne', attribute: '1 Farm Road' },
        { id: 'cbvmda:city', attribute: 'Salinas' },
        { id: 'cbvmda:state', attribute: 'CA' },
        { id: 'cbvmda:postalCode', attribute: '93901' },
        { id: 'cbvmda:countryCode', attribute: 'US' },
      ]
      const header = {
        epcisHeader: { epcisMasterData: { vocabularyList: [{ vocabularyElementList: [{ id, attributes }] }] } },
      }
      const event = receiving({ ...goods, sourceList: [{ type: 'location', source: id }] })
      expect(sourceOf(event, { locationPhoneNumber: '+1.831.555.0100' }, nothingStored, header)).toEqual(described)
      expect(sourceOf(event, {}, nothingStored, header)).toMatchObject({
        tlcSourceReferenceOther: id,
        tlcSourceName: 'The farm',
      })
    })

    test('that nobody knows more of is named as the document names it', () => {
      const id = 'urn:gdst:example.org:location:loc:farm.1'
      const event = receiving({ ...goods, sourceList: [{ type: 'location', source: id }] })
      expect(sourceOf(event, {})).toEqual({ tlcSourceReferenceOther: id })
      expect(sourceOf(event, { tlcSourceIsShipFrom: false })).toEqual({})
    })
  })

  test.each([
    ['each', 'case'],
    ['lb', 'case'],
    [undefined, 'case'],
    ['carton', 'carton'],
  ])(
    'of a unit is a case for a GTIN with an indicator from 1 to 8, whatever the sender declares: %s',
    (declared, unit) => {
      const defaults = declared === undefined ? {} : { shipQuantityUom: declared }
      const unitOf = (epcClass: string) =>
        draftsOf(read(receiving({ quantityList: [{ epcClass, quantity: 12 }] })), nothingStored, defaults)[0]?.payload
          .eventList.productList[0].shipQuantityUom
      expect(unitOf('urn:epc:class:lgtin:0614141.100041.LOT1')).toBe(unit)
      expect(unitOf('https://id.gs1.org/01/10614141000415/10/LOT1')).toBe(unit)
      expect(unitOf('urn:epc:class:lgtin:0614141.000041.LOT1')).toBe(declared)
      expect(unitOf('urn:epc:class:lgtin:0614141.900041.LOT1')).toBe(declared)
    },
  )

  test('is left out where nothing says it; only who declares it takes the code of a place for its name', () => {
    const [draft] = draftsOf(read(received))
    const names = (defaults: SenderDefaults, locations: StoredMasterData['locations'] = []) =>
      draftsOf(read(received), { ...nothingStored, locations }, defaults)[0]?.payload.locationMasterList.map(
        ({ locationName }: Json) => locationName,
      )
    expect(names({})).toEqual([undefined])
    const place = { gln: null, dataProviderVendorId: 'V-1', locationCode: 'FARM', locationName: 'The farm' }
    const declared = { dataProviderVendorId: 'V-1', shipFromLocationCode: 'FARM', locationNameIsCode: true }
    expect(names(declared)).toEqual([undefined, '0614141000029'])
    expect(names(declared, [place])).toEqual(['The farm', '0614141000029'])
    expect(draft?.payload.eventList).toEqual({
      eventDateTime: '2026-03-04T09:30:00-08:00',
      shipToLocationCode: '0614141000029',
      productList: [
        {
          vendorItemCode: '10614141000415',
          shipQuantity: 9,
          shipQuantityUom: 'case',
          caseGtin: '10614141000415',
          caseLotNumber: 'A',
        },
      ],
    })
  })

  test('is not taken from a shipment of other goods, of a later time, or one that was declared wrong', () => {
    for (const other of [
      { ...shipping, quantityList: [lot('B', 10)] },
      { ...shipping, eventTime: '2026-03-05T17:30:00Z' },
      { ...shipping, errorDeclaration: { declarationTime: '2026-03-05T17:30:00Z' } },
    ])
      expect(draftsOf(read(other, received))[1]?.payload.eventList.purchaseOrderNumber).toBeUndefined()
  })

  test('is that of the last shipment before the event, among thousands of the same lots', () => {
    const at = (minute: number) => new Date(Date.UTC(2026, 2, 4) + minute * 60_000).toISOString()
    const order = (n: number) => [{ type: 'po', bizTransaction: `urn:epcglobal:cbv:bt:0614141000012:${n}` }]
    const goods = { quantityList: ['A', 'B', 'C', 'D', 'E'].map((lotCode) => lot(lotCode, 1)) }
    const minutes = Array.from({ length: documentEventsMax / 2 }, (_, i) => i)
    const shipped = minutes.map((i) => ({
      ...shipping,
      ...goods,
      eventTime: at(i),
      bizTransactionList: order(i),
    }))
    const drafts = draftsOf(
      read(...shipped.reverse(), ...minutes.map((i) => receiving({ ...goods, eventTime: at(i + 0.5) }))),
    ).slice(minutes.length)
    expect(drafts.map(({ payload }) => payload.eventList.purchaseOrderNumber)).toEqual(minutes.map(String))
  })

  test('is that of the later one in the document, of two shipments at one time', () => {
    const order = (n: number) => ({
      ...shipping,
      bizTransactionList: [{ type: 'po', bizTransaction: `urn:epcglobal:cbv:bt:0614141000012:${n}` }],
    })
    expect(draftsOf(read(order(1), order(2), received)).at(-1)?.payload.eventList.purchaseOrderNumber).toBe('2')
  })

  describe('of places and items without a number of GS1 is stored under their identifiers', () => {
    const [plant, hatchery] = ['urn:gdst:example.org:location:loc:plant.1', 'https://example.org/places/hatchery']
    const shipped = receiving({
      bizStep: 'shipping',
      bizLocation: { id: plant },
      destinationList: [{ type: 'location', destination: hatchery }],
      quantityList: [{ epcClass: 'urn:gdst:example.org:product:lot:class:eggs.2u.L1', quantity: 4, uom: 'KGM' }],
    })
    const location = (locationCode: string, alternateLocationCode?: string) => ({
      gln: null,
      dataProviderVendorId: 'V-1',
      locationCode,
      locationName: `Name of ${locationCode}`,
      content: { locationCode, duns: '123456789', ...(alternateLocationCode && { alternateLocationCode }) },
    })
    const eggs = { gtin: null, dataProviderVendorId: 'V-1', itemCode: 'EGGS' }
    const draftWith = (locations: StoredMasterData['locations'], vendor?: string) =>
      draftsOf(
        read(shipped),
        { locations, products: [{ ...eggs, alternateItemCode: 'urn:gdst:example.org:product:class:eggs.2u' }] },
        { tlcSourceIsShipFrom: true, ...(vendor && { dataProviderVendorId: vendor }) },
      )[0]?.payload

    test('as alternate codes', () => {
      const payload = draftWith([location('PLANT', plant), location('HATCH', hatchery)])
      expect(payload.eventList).toMatchObject({
        dataProviderVendorId: 'V-1',
        shipFromLocationCode: 'PLANT',
        shipToLocationCode: 'HATCH',
        productList: [{ vendorItemCode: 'EGGS', caseLotNumber: 'L1', tlcSourceReferenceDuns: '123456789' }],
      })
      expect(payload.locationMasterList).toMatchObject([
        { locationCode: 'PLANT', locationName: 'Name of PLANT' },
        { locationCode: 'HATCH', locationName: 'Name of HATCH' },
      ])
    })

    test('as location codes, of the vendor of the sender only', () => {
      const stored = [location('plant.1'), location(hatchery)]
      expect(draftWith(stored, 'V-1').eventList).toMatchObject({
        shipFromLocationCode: 'plant.1',
        shipToLocationCode: hatchery,
        productList: [{ tlcSourceReferenceDuns: '123456789' }],
      })
      expect(draftWith(stored, 'V-2').eventList).toMatchObject({
        dataProviderVendorId: 'V-2',
        productList: [{ tlcSourceReferenceOther: plant }],
      })
    })

    test('and they are looked up', () => {
      expect(keysOf(read(shipped), { shipToLocationCode: 'DC-07' })).toMatchObject({
        alternateLocationCodes: expect.arrayContaining([plant, hatchery]),
        locationCodes: expect.arrayContaining([plant, 'plant.1', hatchery, 'DC-07']),
        alternateItemCodes: ['urn:gdst:example.org:product:class:eggs.2u'],
      })
    })
  })

  test('a vendor that several have stored is that of the sender', () => {
    const stored = {
      ...nothingStored,
      locations: ['V-1', 'V-2'].map((dataProviderVendorId) => ({
        gln: '0614141000012',
        dataProviderVendorId,
        locationCode: `of ${dataProviderVendorId}`,
        locationName: 'A place',
      })),
    }
    const vendorBy = (defaults: SenderDefaults) =>
      draftsOf(read(shipping, received), stored, defaults)[1]?.payload.eventList.dataProviderVendorId
    expect(vendorBy({})).toBeUndefined()
    expect(vendorBy({ dataProviderVendorId: 'V-2' })).toBe('V-2')
  })
})

test('a long text of the header is in records without its middle, however many events name it', () => {
  const attribute = `Romaine ${'a'.repeat(1_000_000)} hearts`
  const [draft] = draftsOf(
    readWhole({
      epcisHeader: {
        epcisMasterData: {
          vocabularyList: [
            {
              vocabularyElementList: [
                { id: 'urn:epc:idpat:sgtin:0614141.100041.*', attributes: [{ id: 'cbv:descriptionShort', attribute }] },
              ],
            },
          ],
        },
      },
      epcisBody: { eventList: [receiving({ quantityList: [lot('A', 1)] })] },
    }),
  )
  expect(draft?.payload.productMasterDataList[0].itemDescription).toMatch(/^Romaine a{492}…a{493} hearts$/)
})

test('events of other kinds have the reason why they become no record', () => {
  const reasons = draftsOf(
    read(
      receiving({ bizStep: 'storing' }),
      receiving({ bizStep: undefined }),
      receiving({ type: 'TransactionEvent' }),
      receiving({ action: 'DELETE' }),
      receiving({ type: 'AggregationEvent' }),
    ),
  ).map(({ reason }) => reason)
  expect(reasons).toEqual(['otherStep', 'otherStep', 'otherType', 'otherAction', 'packing'])
})

describe('XML', () => {
  const fields = (version: string, parts: string) => `<?xml version="1.0" encoding="UTF-8"?>
<epcis:EPCISDocument xmlns:epcis="urn:epcglobal:epcis:xsd:${version}" schemaVersion="${version}.0" creationDate="2026-03-04T18:00:00Z">
  <EPCISHeader>
    <sbdh:StandardBusinessDocumentHeader><sbdh:Sender><sbdh:Identifier>0614141000012</sbdh:Identifier></sbdh:Sender></sbdh:StandardBusinessDocumentHeader>
    <extension><EPCISMasterData><VocabularyList><Vocabulary type="urn:epcglobal:epcis:vtype:Location"><VocabularyElementList>
      <VocabularyElement id="urn:epc:id:sgln:0614141.00002.0"><attribute id="urn:epcglobal:cbv:mda#name">DC &amp; more</attribute></VocabularyElement>
    </VocabularyElementList></Vocabulary></VocabularyList></EPCISMasterData></extension>
  </EPCISHeader>
  <EPCISBody><EventList><ObjectEvent><!-- When -->
    <eventTime>2026-03-04T17:30:00.250Z</eventTime><eventTimeZoneOffset>-08:00</eventTimeZoneOffset>${parts}
  </ObjectEvent></EventList></EPCISBody>
</epcis:EPCISDocument>`
  const goods =
    '<quantityList><quantityElement><epcClass>urn:epc:class:lgtin:0614141.100041.A</epcClass><quantity>56</quantity></quantityElement></quantityList><sourceList><source type="urn:epcglobal:cbv:sdt:location">urn:epc:id:sgln:0614141.00001.0</source></sourceList>'
  const rest =
    '<epcList/><action>OBSERVE</action><bizStep>urn:epcglobal:cbv:bizstep:receiving</bizStep><bizLocation><id>urn:epc:id:sgln:0614141.00002.0</id></bizLocation><bizTransactionList><bizTransaction type="urn:epcglobal:cbv:btt:po">urn:epcglobal:cbv:bt:0614141000029:88120</bizTransaction></bizTransactionList>'
  const readXml = (text: string) => readXmlDocument(text) as Json

  test.each([
    [
      '1.2',
      fields('1', `<baseExtension><eventID>urn:uuid:1</eventID></baseExtension>${rest}<extension>${goods}</extension>`),
    ],
    ['2.0', fields('2', `<eventID>urn:uuid:1</eventID>${rest}${goods}`)],
  ])('of version %s says what the same event in JSON-LD says', (_, text) => {
    const document = readDocument(readXml(text)) as EpcisDocument
    expect(document.sender).toBe('0614141000012')
    expect(document.events[0]).toMatchObject({ eventId: 'urn:uuid:1', bizStep: 'receiving', action: 'OBSERVE' })
    const [draft] = draftsOf(document)
    expect(draft?.payload).toEqual({
      productMasterDataList: [],
      locationMasterList: [
        { locationCode: '0614141000012', gln: '0614141000012' },
        { locationCode: '0614141000029', gln: '0614141000029', locationName: 'DC & more' },
      ],
      eventList: {
        purchaseOrderNumber: '88120',
        eventDateTime: '2026-03-04T09:30:00-08:00',
        shipFromLocationCode: '0614141000012',
        shipToLocationCode: '0614141000029',
        productList: [
          {
            vendorItemCode: '10614141000415',
            shipQuantity: 56,
            shipQuantityUom: 'case',
            caseGtin: '10614141000415',
            caseLotNumber: 'A',
          },
        ],
      },
    })
  })

  test.each([
    ['<a>\n <b></a>', 'line 2, column 5', 'The end tag </a> does not end <b>, which begins in line 2.'],
    ['<a/></b>', 'line 1, column 5', 'The end tag </b> has no beginning.'],
    [
      '<EPCISDocument>\n<EPCISBody><x',
      'line 2, column 12',
      'The document ends before <EPCISBody>, which begins in line 2. Send the complete document.',
    ],
    ['', 'line 1, column 1', 'The document has no element.'],
    ['\n<!-- no element -->', 'line 2, column 20', 'The document has no element.'],
    ['\nx', 'line 1, column 1', 'Text is outside of the root element.'],
    ['<a/>\n<a/>', 'line 2, column 1', 'A second document begins here. Send each document by itself.'],
    ['<a/><a', 'line 1, column 5', 'Text is outside of the root element.'],
    ['<a/>a<!-- b -->', 'line 1, column 5', 'Text is outside of the root element.'],
    ['<!DOCTYPE a [<!ENTITY b "c">]><a/>', 'line 1, column 1', 'The XML declares a document type. It is not read.'],
    [
      '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>',
      'line 1, column 1',
      'The XML declares a document type. It is not read.',
    ],
    [
      '<a>'.repeat(40),
      'line 1, column 97',
      'The document has more than 100000 elements or 32 levels. Send several documents.',
    ],
  ])('that cannot be read says where and why: %s', (text, place, fault) => {
    expect(readXmlDocument(text)).toEqual({ place, fault })
  })

  test('may have comments and processing instructions with any signs in them', () => {
    const text = `<?xml version="1.0"?>\n<?note don't > stop ?><!-- it's <b> --><EPCISDocument/>\n<!-- end --><?x?>\n`
    expect(readXmlDocument(text)).toMatchObject({ type: 'EPCISDocument' })
  })

  test('may name its root in a document type, as examples of GS1 do', () => {
    expect(readXmlDocument('<!DOCTYPE project>\n<EPCISDocument/>')).toMatchObject({ type: 'EPCISDocument' })
  })

  test('of any form breaks nothing', () => {
    const piece = fc.constantFrom(
      ...[
        '<EPCISDocument>',
        '</EPCISDocument>',
        '<EPCISBody>',
        '<EventList>',
        '<ObjectEvent>',
        '</ObjectEvent>',
        '<extension>',
      ],
      ...[
        '<bizStep>receiving</bizStep>',
        '<epcList>',
        '</epcList>',
        '<epc/>',
        '<__proto__>x</__proto__>',
        '&amp;',
        '<![CDATA[',
        ']]>',
        '<!--',
        '-->',
      ],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const read = readXmlDocument(pieces.join(''))
        if (!('fault' in read)) readDocument(read)
      }),
      { numRuns: runs(2_000, 300) },
    )
  })
})

test('a record that was exported is read back field for field', () => {
  const root = 'https://id.example.com/trace/id/4f2b9345-6bb1-4b3e-9812-c6997e9d1214'
  const byCode = (list: Json[], code: string) => [...new Map(list.map((entry) => [entry[code], entry])).values()]
  /** Blank is absent, and so is an object without fields. */
  const stated = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(stated)
    if (typeof value !== 'object' || value === null) return value
    const fields = Object.entries(value).map(([name, field]) => [name, stated(field)] as const)
    return Object.fromEntries(fields.filter(([, field]) => isGiven(field) && JSON.stringify(field) !== '{}'))
  }
  fc.assert(
    fc.property(receivingEventPayloads, (payload) => {
      const [exported] = eventsOf({
        kind: 'receivingEvent',
        root,
        id: '01a1fd7e-36b4-773b-88a1-0182bd6cf48a',
        version: 1,
        submittedAt: new Date('2026-03-05T08:00:00Z'),
        declaredWrong: null,
        purgedBefore: null,
        payload: payload as never,
        locations: new Map(payload.locationMasterList.map((entry: Json) => [entry.locationCode, entry])),
        products: new Map(payload.productMasterDataList.map((entry: Json) => [entry.itemCode, entry])),
      })
      const [draft] = draftsOf(read(JSON.parse(JSON.stringify(exported))))
      expect(stated(draft?.payload)).toEqual(
        stated(
          JSON.parse(
            JSON.stringify({
              ...payload,
              locationMasterList: byCode(payload.locationMasterList, 'locationCode'),
              productMasterDataList: byCode(payload.productMasterDataList, 'itemCode'),
            }),
          ),
        ),
      )
      // Whatever is wrong with a field of the record is found in the event.
      expect(draft?.pointerOf('/eventList/productList/0/shipQuantity')).toBe(
        '/epcisBody/eventList/0/lotkeeper:productList/0/lotkeeper:shipQuantity',
      )
    }),
    { numRuns: runs(200) },
  )
})

test('a quantity that has no form as a number is read as none', () => {
  const quantity = JSON.parse('{"toString":1,"valueOf":1}')
  expect(linesOf(receiving({ quantityList: [{ ...lot('LOT-1', 1), quantity }] }))).toMatchObject([
    { caseLotNumber: 'LOT-1', shipQuantity: Number.NaN },
  ])
})

test('no document breaks the reader', () => {
  const names = [
    ...[
      'type',
      'eventID',
      'eventTime',
      'eventTimeZoneOffset',
      'bizStep',
      'action',
      'parentID',
      'ilmd',
      'errorDeclaration',
    ],
    ...[
      'correctiveEventIDs',
      'epcList',
      'quantityList',
      'epcClass',
      'quantity',
      'uom',
      'childEPCs',
      'childQuantityList',
    ],
    ...['sourceList', 'source', 'destinationList', 'bizTransactionList', 'bizTransaction', 'readPoint', 'id', '@list'],
    ...['lotkeeper:productList', 'lotkeeper:recordId', '__proto__', 'constructor'],
  ]
  const words = fc.constantFrom(
    ...['ObjectEvent', 'AggregationEvent', 'receiving', 'shipping', 'ADD', 'OBSERVE', '2026-03-04T17:30:00Z', '-08:00'],
    ...[
      pallet(1),
      pallet(2),
      'urn:epc:class:lgtin:0614141.100041.A',
      'urn:epc:id:sgtin:0614141.100041.1',
      '',
      '%',
      '(',
    ],
  )
  const value = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      words,
      fc.constantFrom(null, 0, -1, 1e308, true),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 8 }),
    ),
  })).value
  const event = fc
    .tuple(fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 12 }), fc.boolean())
    .map(([parts, isReceived]) => (isReceived ? { ...receiving(), ...parts } : parts))
  fc.assert(
    fc.property(fc.array(event, { maxLength: 6 }), value, (eventList, epcisHeader) => {
      const document = readDocument({ type: 'EPCISDocument', epcisHeader, epcisBody: { eventList } })
      if ('fault' in document) return
      keysOf(document)
      for (const draft of draftsOf(document))
        if (draft.is === 'record') expect(draft.pointerOf('/eventList/productList/3/x')).toMatch(/^\/epcisBody/)
    }),
    { numRuns: runs(2_000, 300) },
  )
})
