// EPCIS export: nothing is dropped, nothing is claimed that the record does not say.
// Source: decision 0032.
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { ReceivingEventPayload } from '../../src/contract/payloads.ts'
import { eventKindNames } from '../../src/contract/record-kinds.ts'
import { isGiven, type Shape } from '../../src/contract/shape/field.ts'
import { unitOf, units } from '../../src/contract/text/units.ts'
import { type DocumentType, documentBytesMax, Page } from '../../src/exports/epcis/document.ts'
import { preHashOf } from '../../src/exports/epcis/event-hash.ts'
import { type ExportedVersion, eventIdOf, eventsOf } from '../../src/exports/epcis/events.ts'
import { classLink, isGs1Lot, namespaceOf, ownUri, providerUri } from '../../src/exports/epcis/identifiers.ts'
import { mapping } from '../../src/exports/epcis/mapping.ts'
import { EpcisDocument, EpcisQueryDocument } from '../../src/operations/traceability/export-epcis.ts'
import { eventPayloadsOf, receivingEventPayloads } from '../samples/arbitrary-payloads.ts'
import type { Json } from '../samples/declared-shapes.ts'
import { samplePayload } from '../samples/payloads.ts'

const base = 'https://id.example.com/trace'
const provider = '4f2b9345-6bb1-4b3e-9812-c6997e9d1214'
const root = providerUri(base, provider)
const id = '01a1fd7e-36b4-773b-88a1-0182bd6cf48a'

const exported = (payload: Json, changes: Partial<ExportedVersion> = {}): ExportedVersion => ({
  kind: 'receivingEvent',
  root,
  id,
  version: 1,
  submittedAt: new Date('2026-03-05T08:00:00Z'),
  declaredWrong: null,
  purgedBefore: null,
  payload,
  locations: new Map(payload.locationMasterList.map((entry: Json) => [entry.locationCode, entry])),
  products: new Map(payload.productMasterDataList.map((entry: Json) => [entry.itemCode, entry])),
  ...changes,
})

/** The canonical event after `edit`, exported. */
function eventOf(edit: (payload: Json) => void = () => undefined, changes: Partial<ExportedVersion> = {}): Json {
  const payload = samplePayload('receivingEvent')
  edit(payload)
  return eventsOf(exported(payload, changes))[0]
}

/** The first line of it after `edit`: its quantity, and what could not be said of it. */
function lineOf(edit: (line: Json, payload: Json) => void) {
  const event = eventOf((payload) => edit(payload.eventList.productList[0], payload))
  const listed: Json[] = event['lotkeeper:notExpressed'] ?? []
  return {
    quantity: event.quantityList[0],
    pallets: event.epcList,
    listed: listed.map((one) => `${one['lotkeeper:pointer']} ${one['lotkeeper:value']}`),
  }
}

const at = '/eventList/productList/0'

function documentOf(type: DocumentType, ...versions: ExportedVersion[]): Json {
  const page = new Page(type, base, new Date('2026-03-06T00:00:00Z'), 1_000)
  for (const version of versions) for (const event of eventsOf(version)) expect(page.add(event)).toBe(true)
  return JSON.parse([...page.parts()].join(''))
}

/** Every object of the contract that is part of a receiving event, by the name of its shape. */
function objectsIn(shape: Shape): Shape[] {
  const parts = [...Object.values(shape.properties ?? {}), ...(shape.items ? [shape.items] : [])]
  return [...(shape.properties ? [shape] : []), ...parts.flatMap(objectsIn)]
}

describe('the mapping', () => {
  test('has every declared field of every object of a receiving event, and no other', () => {
    const objects = objectsIn(ReceivingEventPayload as object as Shape)
    expect(objects.length).toBe(7)
    const fields = (table: object) => Object.keys(table).sort()
    expect(objects.map(({ title = '' }) => [title, fields(mapping[title] ?? {})])).toEqual(
      objects.map(({ title = '', properties = {} }) => [title, fields(properties)]),
    )
    expect(Object.keys(mapping)).toHaveLength(objects.length)
  })

  test('has a place for each field: a standard one, one under the namespace, or both', () => {
    const all = Object.values(mapping).flatMap((table) => Object.values(table))
    expect(all.length).toBeGreaterThan(0)
    expect(all.filter(({ standard, asWritten }) => !standard && !asWritten)).toEqual([])
  })
})

const correction = {
  at: new Date('2026-03-07T01:02:03.004Z'),
  correctedBy: 'urn:uuid:6bb14b3e-9812-5699-87e9-d12144f2b934',
}

describe('any event', () => {
  const documents = [
    ['EPCISQueryDocument', Compile(EpcisQueryDocument)],
    ['EPCISDocument', Compile(EpcisDocument)],
  ] as const
  test.each(eventKindNames.flatMap((kind) => documents.map(([type, compiled]) => [kind, type, compiled] as const)))(
    '%s: makes an %s of the declared shape, whose URIs are URIs',
    (kind, type, compiled) => {
      fc.assert(
        fc.property(eventPayloadsOf(kind), (payload) => {
          const document = documentOf(
            type,
            exported(payload, { kind }),
            exported(payload, { kind, version: 2, declaredWrong: correction }),
          )
          expect([...compiled.Errors(document)]).toEqual([])
          const { eventList = document.epcisBody.queryResults?.resultsBody.eventList } = document.epcisBody
          for (const event of eventList)
            for (const uri of urisOf(event)) {
              expect(uri).toMatch(/^(https:\/\/|urn:)(?:[A-Za-z0-9\-._~:/]|%[0-9A-F]{2})+$/)
              // No step of the path is lost when a program reads the address.
              if (uri.startsWith('https:')) expect(new URL(uri).href).toBe(uri)
            }
        }),
      )
    },
  )

  test('keeps every field that is given, letter by letter', () => {
    fc.assert(
      fc.property(receivingEventPayloads, (payload) => {
        const event: Json = eventsOf(exported(payload))[0]
        const { productMasterDataList: products, locationMasterList: locations, eventList } = payload
        const lost = [
          ...lostFrom(payload, event, ['eventList']),
          ...lostFrom(eventList, event, ['eventDateTime', 'productList']),
          ...eventList.productList.flatMap((line: Json, i: number) =>
            lostFrom(line, event['lotkeeper:productList'][i], []),
          ),
          ...lostFromList(locations, event['lotkeeper:locationMasterList'], 'locationCode'),
          ...lostFromList(products, event['lotkeeper:productMasterDataList'], 'itemCode'),
        ]
        expect(lost).toEqual([])
        expect(event.eventTime).toBe(eventList.eventDateTime)
        expect(new Date(event.eventTime).getTime()).toBe(
          Date.parse(eventList.eventDateTime.slice(0, 19) + event.eventTimeZoneOffset),
        )
      }),
    )
  })

  test('has a quantity for each line that is the one received, or says why not', () => {
    fc.assert(
      fc.property(receivingEventPayloads, (payload) => {
        const event: Json = eventsOf(exported(payload))[0]
        const listed: string[] = (event['lotkeeper:notExpressed'] ?? []).map((one: Json) => one['lotkeeper:pointer'])
        for (const [i, line] of payload.eventList.productList.entries()) {
          const { quantity, epcClass } = event.quantityList[i]
          const about = (field: string) => listed.includes(`/eventList/productList/${i}/${field}`)
          if (quantity === undefined) expect(about('shipQuantity') || about('shipQuantityUom')).toBe(true)
          else expect(quantity).toBe(line.shipQuantity)
          if (epcClass.startsWith('https://id.gs1.org/')) {
            const [, , , , gtin, , lot] = epcClass.split('/')
            expect(gtin).toMatch(/^\d{14}$/)
            if (isGiven(line.caseLotNumber)) expect(decodeURIComponent(lot)).toBe(line.caseLotNumber)
          } else expect(['caseGtin', 'vendorItemCode', 'caseLotNumber'].some(about)).toBe(true)
          if (isGiven(line.palletId) && !event.epcList?.includes(`https://id.gs1.org/00/${line.palletId}`))
            expect(about('palletId')).toBe(true)
        }
      }),
    )
  })

  test('has no quantity that is not above zero', () => {
    fc.assert(
      fc.property(receivingEventPayloads, (payload) => {
        for (const event of [...eventsOf(exported(payload))] as Json[])
          for (const { quantity = 1 } of event.quantityList ?? event.childQuantityList)
            expect(quantity).toBeGreaterThan(0)
      }),
    )
  })

  test('says of each pallet what was on it: together the lines that name one', () => {
    fc.assert(
      fc.property(receivingEventPayloads, (payload) => {
        const [received, ...pallets] = [...eventsOf(exported(payload))] as Json[]
        expect(pallets.map(({ type, parentID }) => [type, parentID])).toEqual(
          (received.epcList ?? []).map((pallet: string) => ['AggregationEvent', pallet]),
        )
        const onPallets = pallets.flatMap(({ parentID, childQuantityList }) =>
          childQuantityList.map((quantity: Json) => [parentID.split('/').at(-1), quantity]),
        )
        const named = payload.eventList.productList
          .map(({ palletId }: Json, i: number) => [palletId, received.quantityList[i]])
          .filter(([palletId]: [string]) => received.epcList?.includes(`https://id.gs1.org/00/${palletId}`))
        const sorted = (entries: Json[]) => entries.map((entry) => JSON.stringify(entry)).sort()
        expect(sorted(onPallets)).toEqual(sorted(named))
      }),
    )
  })

  const code = fc.string({ unit: 'grapheme', maxLength: 12 })
  test('has a separate URI for each pair of codes', () => {
    fc.assert(
      fc.property(fc.tuple(code, code), fc.tuple(code, code), (one, other) => {
        const same = one[0] === other[0] && one[1] === other[1]
        expect(ownUri(root, 'class', one) === ownUri(root, 'class', other)).toBe(same)
      }),
    )
  })
})

const urisOf = (event: Json): string[] => [
  event.eventID,
  event.readPoint.id,
  ...(event.bizLocation === undefined ? [] : [event.bizLocation.id]),
  ...(event.parentID === undefined ? [] : [event.parentID]),
  ...(event.epcList ?? []),
  ...['quantityList', 'childQuantityList', 'inputQuantityList', 'outputQuantityList'].flatMap((list) =>
    (event[list] ?? []).map(({ epcClass }: Json) => epcClass),
  ),
  ...event.bizTransactionList.map(({ bizTransaction }: Json) => bizTransaction),
  ...(event.sourceList ?? []).map(({ source }: Json) => source),
  ...(event.destinationList ?? []).map(({ destination }: Json) => destination),
]

/** A list whose order JSON-LD is told to keep, as it was written. */
const unlisted = (value: Json): Json => (value?.['@list'] === undefined ? value : value['@list'].map(unlisted))

const isList = (value: unknown) =>
  Array.isArray(value) && value.some((one) => typeof one === 'object' && !Array.isArray(one))

/** Given fields of an object that are not under the namespace of the other, as they are. */
function lostFrom(part: Json, written: Json, elsewhere: readonly string[]): string[] {
  return Object.entries<Json>(part).flatMap(([field, value]) => {
    const found = written?.[`lotkeeper:${field}`]
    if (!isGiven(value) || elsewhere.includes(field) || isList(value)) return []
    if (typeof value === 'object' && !Array.isArray(value)) return lostFrom(value, found, [])
    return JSON.stringify(unlisted(found)) === JSON.stringify(value) ? [] : [field]
  })
}

/** Of entries with one code the last one counts. */
const lostFromList = (parts: Json[], written: Json[], code: string): string[] =>
  [...new Map(parts.map((part) => [part[code], part])).values()].flatMap((part) =>
    lostFrom(
      part,
      written.find((one) => one[`lotkeeper:${code}`] === part[code]),
      [],
    ),
  )

describe('what happened', () => {
  test('is an observation of receiving, at the time and offset as written', () => {
    const event = eventOf(({ eventList }) => {
      eventList.eventDateTime = '2026-03-04T23:30:00-08:00'
    })
    expect(event).toMatchObject({
      type: 'ObjectEvent',
      action: 'OBSERVE',
      bizStep: 'receiving',
      disposition: 'in_progress',
      eventTime: '2026-03-04T23:30:00-08:00',
      eventTimeZoneOffset: '-08:00',
      recordTime: '2026-03-05T08:00:00.000Z',
    })
    expect(event).not.toHaveProperty('ilmd')
    expect(event).not.toHaveProperty('errorDeclaration')
  })

  test('in UTC has the offset +00:00', () => {
    const event = eventOf(({ eventList }) => {
      eventList.eventDateTime = '2026-03-04T23:30:00Z'
    })
    expect(event).toMatchObject({ eventTime: '2026-03-04T23:30:00Z', eventTimeZoneOffset: '+00:00' })
  })

  test('has a different id in each version, the same in every export', () => {
    expect(eventIdOf(id, 1)).toBe(eventIdOf(id, 1))
    expect(new Set([eventIdOf(id, 1), eventIdOf(id, 2), eventIdOf(provider, 1)]).size).toBe(3)
    expect(eventIdOf(id, 1)).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  test('once replaced declares the error, and leads to the version after it', () => {
    const event = eventOf(undefined, { version: 3, declaredWrong: { ...correction, correctedBy: eventIdOf(id, 4) } })
    expect(event.eventID).toBe(eventIdOf(id, 3))
    expect(event.errorDeclaration).toEqual({
      declarationTime: '2026-03-07T01:02:03.004Z',
      reason: 'incorrect_data',
      correctiveEventIDs: [eventIdOf(id, 4)],
    })
  })
})

describe('places and documents', () => {
  test('have GS1 URIs where the GLN is known', () => {
    const event = eventOf(({ eventList }) => {
      Object.assign(eventList, { purchaseOrderNumber: 'PO 1/2', asnNumber: 'ASN-1', billOfLadingNumber: 'BOL-1' })
    })
    const [from, to] = ['0614141000012', '0614141999996']
    expect(event.readPoint).toEqual({ id: `https://id.gs1.org/414/${to}` })
    expect(event.bizLocation).toEqual(event.readPoint)
    expect(event.sourceList).toContainEqual({ type: 'location', source: `https://id.gs1.org/414/${from}` })
    expect(event.destinationList).toEqual([{ type: 'location', destination: `https://id.gs1.org/414/${to}` }])
    expect(event.bizTransactionList).toEqual([
      { type: 'po', bizTransaction: `urn:epcglobal:cbv:bt:${to}:PO%201%2F2` },
      { type: 'desadv', bizTransaction: `urn:epcglobal:cbv:bt:${from}:ASN-1` },
      { type: 'bol', bizTransaction: `urn:epcglobal:cbv:bt:${from}:BOL-1` },
    ])
    expect(event).not.toHaveProperty('lotkeeper:notExpressed')
  })

  test('of cooled food are the cooler where it is, and the farm alone as its source', () => {
    const payload = samplePayload('coolingEvent')
    const sourcesOf = () => {
      const [event] = eventsOf(exported(payload, { kind: 'coolingEvent' })) as readonly [Json]
      const locations = event.sourceList.filter(({ type }: Json) => type === 'location')
      return { event, locations: locations.map(({ source }: Json) => source) }
    }
    const { event, locations } = sourcesOf()
    expect(locations).toHaveLength(1)
    expect(locations).not.toContain(event.readPoint.id)
    expect(event['lotkeeper:harvestLocationCode']).toBe(payload.eventList.harvestLocationCode)
    delete payload.eventList.harvestLocationCode
    expect(sourcesOf().locations).toEqual([event.readPoint.id])
  })

  test('have the type of their kind, and none where the standard has none', () => {
    const transactionOf = (purchaseOrderNumber: string) =>
      eventOf(({ eventList }) => Object.assign(eventList, { purchaseOrderNumber })).bizTransactionList[0]
    const [from, to] = ['0614141000012', '0614141999996']
    expect(transactionOf('Invoice 12')).toEqual({ type: 'inv', bizTransaction: `urn:epcglobal:cbv:bt:${from}:12` })
    expect(transactionOf('Receipt 991')).toEqual({ type: 'recadv', bizTransaction: `urn:epcglobal:cbv:bt:${to}:991` })
    expect(transactionOf('Packing List 48661')).toEqual({ bizTransaction: `urn:epcglobal:cbv:bt:${from}:48661` })
  })

  test.each([
    ['absent', undefined, '/locationMasterList/1/locationCode SHIP-TO'],
    ['wrong in its check digit', '0614141999997', '/locationMasterList/1/gln 0614141999997'],
  ])('have URIs of their own where the GLN is %s, and it is said', (_how, gln, listed) => {
    const event = eventOf(({ eventList, locationMasterList }) => {
      locationMasterList[1].gln = gln
      eventList.purchaseOrderNumber = 'PO-1'
    })
    const own = `${base}/id/${provider}`
    expect(event.readPoint.id).toBe(`${own}/location:V-1:SHIP-TO`)
    expect(event.bizTransactionList[0].bizTransaction).toBe(`${own}/transaction:po:V-1:PO-1`)
    expect(
      event['lotkeeper:notExpressed'].map((one: Json) => `${one['lotkeeper:pointer']} ${one['lotkeeper:value']}`),
    ).toEqual([listed, '/eventList/purchaseOrderNumber PO-1'])
  })

  test('known from master data alone have their GS1 URI too', () => {
    const payload = samplePayload('receivingEvent')
    const [from, { gln, ...to }] = payload.locationMasterList
    payload.locationMasterList = [from, to]
    const locations = new Map([
      ['SHIP-FROM', from],
      ['SHIP-TO', { ...to, gln }],
    ])
    expect((eventsOf(exported(payload, { locations }))[0] as Json).readPoint.id).toBe(`https://id.gs1.org/414/${gln}`)
  })
})

describe('a line', () => {
  const own = `${base}/id/${provider}/class`

  test.each<[string, (line: Json, payload: Json) => void, string, string[]]>([
    ['with case GTIN and lot', () => undefined, 'https://id.gs1.org/01/10614141000415/10/HG-2026-061', []],
    [
      'with the GTIN of its product',
      (line) => delete line.caseGtin,
      'https://id.gs1.org/01/10614141000415/10/HG-2026-061',
      [],
    ],
    [
      'with a lot that has to be encoded',
      (line) => Object.assign(line, { caseLotNumber: "A/1+2%(3)'*!" }),
      'https://id.gs1.org/01/10614141000415/10/A%2F1%2B2%25%283%29%27%2A%21',
      [],
    ],
    ['without a lot', (line) => delete line.caseLotNumber, 'https://id.gs1.org/01/10614141000415', []],
    [
      'without any GTIN',
      (line, { productMasterDataList: [product] }) => [delete line.caseGtin, delete product.gtin],
      `${own}:V-1:TOM-1:HG-2026-061:case`,
      [`${at}/vendorItemCode TOM-1`],
    ],
    [
      'with a GTIN that is none',
      (line) => Object.assign(line, { caseGtin: '10614141000416' }),
      `${own}:V-1:TOM-1:HG-2026-061:case`,
      [`${at}/caseGtin 10614141000416`],
    ],
    [
      'with a lot no barcode carries',
      (line) => Object.assign(line, { caseLotNumber: 'lot 7 of März' }),
      `${own}:V-1:TOM-1:lot%207%20of%20M%C3%A4rz:case`,
      [`${at}/caseLotNumber lot 7 of März`],
    ],
    [
      'with a lot that would be another path',
      (line) => Object.assign(line, { caseLotNumber: '..' }),
      `${own}:V-1:TOM-1:..:case`,
      [`${at}/caseLotNumber ..`],
    ],
    [
      'with item and lot in one text',
      (line, { productMasterDataList: [product] }) => [
        delete line.caseGtin,
        delete product.gtin,
        Object.assign(line, { caseLotNumber: '(01)10614141000415(10)HG-2026-061' }),
      ],
      'https://id.gs1.org/01/10614141000415/10/HG-2026-061',
      [],
    ],
    [
      'with a text that names the lot of another item',
      (line) => Object.assign(line, { caseLotNumber: '(01)00614141999996(10)HG-1' }),
      `${own}:V-1:TOM-1:%2801%2900614141999996%2810%29HG-1:case`,
      [`${at}/caseLotNumber (01)00614141999996(10)HG-1`],
    ],
  ])('%s has the class that says so', (_what, edit, epcClass, listed) => {
    expect(lineOf(edit)).toMatchObject({ quantity: { epcClass }, listed })
  })

  test.each<[unknown, string, object]>([
    [40, 'case', { quantity: 40 }],
    [40, 'Cases', { quantity: 40 }],
    [12.5, 'lb', { quantity: 12.5, uom: 'LBR' }],
    [12.5, 'LBS.', { quantity: 12.5, uom: 'LBR' }],
    [0.5, 'kg', { quantity: 0.5, uom: 'KGM' }],
  ])('of %s %s has that quantity', (shipQuantity, shipQuantityUom, said) => {
    const { quantity, listed } = lineOf((line) => Object.assign(line, { shipQuantity, shipQuantityUom }))
    expect(quantity).toEqual({ epcClass: expect.any(String), ...said })
    expect(listed).toEqual([])
  })

  test.each<[unknown, string, string]>([
    [3, 'pallet', 'shipQuantityUom pallet'],
    [3, 'ton', 'shipQuantityUom ton'],
    [3, 'constructor', 'shipQuantityUom constructor'],
    [3, 'each', 'shipQuantityUom each'],
    [2.5, 'case', 'shipQuantity 2.5'],
    [-1, 'lb', 'shipQuantity -1'],
    [0, 'case', 'shipQuantity 0'],
    [0, 'kg', 'shipQuantity 0'],
  ])('of %s %s has no quantity rather than a wrong one, and it is said', (shipQuantity, shipQuantityUom, said) => {
    const { quantity, listed } = lineOf((line) => Object.assign(line, { shipQuantity, shipQuantityUom }))
    expect(quantity).toEqual({ epcClass: expect.any(String) })
    expect(listed).toEqual([`${at}/${said}`])
  })

  test('of single items without a GTIN counts them', () => {
    const { quantity } = lineOf((line, { productMasterDataList: [product] }) => {
      delete line.caseGtin
      delete product.gtin
      Object.assign(line, { shipQuantity: 7, shipQuantityUom: 'each' })
    })
    expect(quantity).toEqual({ epcClass: `${own}:V-1:TOM-1:HG-2026-061:each`, quantity: 7 })
  })

  test('without a GTIN has a separate class for each counted unit, and one for weights', () => {
    const classOf = (shipQuantityUom: string): string =>
      lineOf((line, { productMasterDataList: [product] }) => {
        delete line.caseGtin
        delete product.gtin
        line.shipQuantityUom = shipQuantityUom
      }).quantity.epcClass
    expect(classOf('Cases')).toBe(classOf('cs.'))
    expect(new Set(['case', 'carton', 'each', 'lb', 'armful'].map(classOf)).size).toBe(5)
    expect(classOf('lb')).toBe(classOf('kg'))
  })

  test('has its pallet, once for all lines on it', () => {
    const event = eventOf(({ eventList }) => {
      eventList.productList.push({ ...eventList.productList[0], caseLotNumber: 'L-2' })
    })
    expect(event.epcList).toEqual(['https://id.gs1.org/00/106141411234567897'])
    expect(event.quantityList).toHaveLength(2)
  })

  test('with a pallet id that is not an SSCC has no pallet, and says so', () => {
    const { pallets, listed } = lineOf((line) => Object.assign(line, { palletId: 'PALLET-1' }))
    expect(pallets).toBeUndefined()
    expect(listed).toEqual([`${at}/palletId PALLET-1`])
  })
})

test('units: every code has the form EPCIS asks, and spellings are found whatever their case', () => {
  for (const [word, unit] of units) {
    expect(word).toBe(word.toLowerCase())
    if ('uom' in unit) expect(unit.uom).toMatch(/^[A-Z0-9]{2,3}$/)
    expect(unitOf(` ${word.toUpperCase()}. `)).toBe(unit)
  }
  expect(unitOf('')).toBeUndefined()
})

test('a lot is linked only when the link leads back to it', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 22 }), (lot) => {
      fc.pre(isGs1Lot(lot))
      const link = new URL(classLink('10614141000415', lot)).href
      expect(decodeURIComponent(link.split('/').at(-1) ?? '')).toBe(lot)
    }),
  )
})

describe('a page', () => {
  const small = () => ({ type: 'ObjectEvent', padding: 'x'.repeat(900) })

  test.each(['EPCISQueryDocument', 'EPCISDocument'] as const)('as %s ends before its document is too long', (type) => {
    const page = new Page(type, base, new Date(), 100_000)
    let events = 0
    while (page.add(small())) events++
    const bytes = Buffer.byteLength([...page.parts()].join(''))
    expect(bytes).toBeLessThanOrEqual(documentBytesMax[type])
    expect(bytes).toBeGreaterThan(documentBytesMax[type] - 1_000)
    expect(events).toBeGreaterThan(90)
  })

  test('takes at least one event, however long it is, and at most its maximum', () => {
    const page = new Page('EPCISDocument', base, new Date(), 3)
    expect(page.add({ padding: 'x'.repeat(200_000) })).toBe(true)
    expect(page.add(small())).toBe(false)
    const few = new Page('EPCISDocument', base, new Date(), 3)
    expect([small(), small(), small(), small()].map((event) => few.add(event))).toEqual([true, true, true, false])
  })
})

describe('the hash id', () => {
  const namespace = namespaceOf(base)
  const { type, eventTime, ...event } = eventOf(({ eventList }) => {
    eventList.eventDateTime = '2026-03-04T23:30:00-08:00'
  })

  test('begins with the standard fields in their order, times in UTC and words as addresses', () => {
    expect(preHashOf({ type, eventTime, ...event }, namespace)).toMatch(
      new RegExp(
        [
          '^eventType=ObjectEventeventTime=2026-03-05T07:30:00.000ZeventTimeZoneOffset=-08:00',
          'epcListepc=https://id.gs1.org/00/106141411234567897',
          'quantityListquantityElementepcClass=https://id.gs1.org/01/10614141000415/10/HG-2026-061quantity=40',
          'action=OBSERVEbizStep=https://ref.gs1.org/cbv/BizStep-receivingdisposition=https://ref.gs1.org/cbv/Disp-in_progress',
          'readPointid=https://id.gs1.org/414/0614141999996bizLocationid=https://id.gs1.org/414/0614141999996',
          'bizTransactionListtype=https://ref.gs1.org/cbv/BTT-',
        ].join('.*?'),
      ),
    )
  })

  test('is the same whatever the order of fields, and leaves out id, record time and error declaration', () => {
    const reversed = Object.fromEntries(Object.entries({ type, eventTime, ...event }).reverse())
    const changed = { ...reversed, eventID: 'urn:uuid:1', recordTime: 'later', errorDeclaration: {} }
    expect(preHashOf(changed, namespace)).toBe(preHashOf({ type, eventTime, ...event }, namespace))
  })

  test.each([
    ['40', '40'],
    [' 40.0 ', '40'],
    ['0614141000012', '614141000012'],
    ['0.00001', '1e-05'],
    ['1e21', '1000000000000000000000'],
    ['1_000', '1000'],
    ['1__0', '1__0'],
    ['_1', '_1'],
    ['1_', '1_'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['.', '.'],
    ['1e5', '100000'],
    ['e5', 'e5'],
    ['-0', '0'],
    ['GV26063-A', 'GV26063-A'],
    ['1.2.3', '1.2.3'],
    ['', ''],
  ])('takes the text %j as %j', (text, taken) => {
    const rest = taken === '' ? '' : `=${taken}`
    expect(preHashOf({ type: 'ObjectEvent', 'lotkeeper:eventId': text }, namespace)).toBe(
      `eventType=ObjectEvent{${namespace}}eventId${rest}`,
    )
  })

  test('sorts by code point, and names the entries of a list without List', () => {
    const lines = ['\u{1f951}', '\uff21', 'b'].map((code) => ({ 'lotkeeper:vendorItemCode': code }))
    expect(preHashOf({ type: 'ObjectEvent', 'lotkeeper:productList': lines }, 'n:')).toBe(
      `eventType=ObjectEvent{n:}productList${['b', '\uff21', '\u{1f951}'].map((code) => `{n:}product{n:}vendorItemCode=${code}`).join('')}`,
    )
  })
})
