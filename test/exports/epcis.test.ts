// EPCIS export: nothing is dropped, nothing is claimed that the record does not say. Source: decision 0032.
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { given, type Shape } from '../../src/contract/field.ts'
import { ReceivingEventPayload } from '../../src/contract/payloads.ts'
import { classLink, isGs1Lot, ownUri } from '../../src/exports/epcis/identifiers.ts'
import { mapping } from '../../src/exports/epcis/mapping.ts'
import { type ExportedVersion, eventIdOf, objectEventOf } from '../../src/exports/epcis/object-event.ts'
import { queryDocument } from '../../src/exports/epcis/query-document.ts'
import { unitOf, units } from '../../src/exports/epcis/units.ts'
import { EpcisQueryDocument } from '../../src/operations/export-epcis.ts'
import { receivingEventPayloads } from '../samples/arbitrary-payloads.ts'
import type { Json } from '../samples/declared-shapes.ts'
import { samplePayload } from '../samples/payloads.ts'

const provider = '4f2b9345-6bb1-4b3e-9812-c6997e9d1214'
const id = '01a1fd7e-36b4-773b-88a1-0182bd6cf48a'

const exported = (payload: Json, changes: Partial<ExportedVersion> = {}): ExportedVersion => ({
  provider,
  id,
  version: 1,
  submittedAt: new Date('2026-03-05T08:00:00Z'),
  replacedAt: null,
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
  return objectEventOf(exported(payload, changes))
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

async function documentOf(...versions: ExportedVersion[]): Promise<Json> {
  let text = ''
  const batches = (async function* () {
    for (const version of versions) yield [version]
  })()
  for await (const part of queryDocument('exportEpcis', new Date('2026-03-06T00:00:00Z'), batches)) text += part
  return JSON.parse(text)
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
    expect(all.length).toBeGreaterThan(110)
    expect(all.filter(({ standard, asWritten }) => !standard && !asWritten)).toEqual([])
  })
})

describe('any receiving event', () => {
  const compiled = Compile(EpcisQueryDocument)

  test('is a document of the declared shape, whose URIs are URIs', async () => {
    await fc.assert(
      fc.asyncProperty(receivingEventPayloads, async (payload) => {
        const document = await documentOf(exported(payload), exported(payload, { version: 2, replacedAt: new Date() }))
        expect([...compiled.Errors(document)]).toEqual([])
        for (const event of document.epcisBody.queryResults.resultsBody.eventList)
          for (const uri of urisOf(event)) {
            expect(uri).toMatch(/^(https:\/\/|urn:)(?:[A-Za-z0-9\-._~:/]|%[0-9A-F]{2})+$/)
            // No step of the path is lost when a program reads the address.
            if (uri.startsWith('https:')) expect(new URL(uri).href).toBe(uri)
          }
      }),
    )
  })

  test('keeps every field that is given, letter by letter', () => {
    fc.assert(
      fc.property(receivingEventPayloads, (payload) => {
        const event: Json = objectEventOf(exported(payload))
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
        const event: Json = objectEventOf(exported(payload))
        const listed: string[] = (event['lotkeeper:notExpressed'] ?? []).map((one: Json) => one['lotkeeper:pointer'])
        for (const [i, line] of payload.eventList.productList.entries()) {
          const { quantity, epcClass } = event.quantityList[i]
          const about = (field: string) => listed.includes(`/eventList/productList/${i}/${field}`)
          if (quantity === undefined) expect(about('shipQuantity') || about('shipQuantityUom')).toBe(true)
          else expect(quantity).toBe(line.shipQuantity)
          if (epcClass.startsWith('https://id.gs1.org/')) {
            const [, , , , gtin, , lot] = epcClass.split('/')
            expect(gtin).toMatch(/^\d{14}$/)
            if (given(line.caseLotNumber)) expect(decodeURIComponent(lot)).toBe(line.caseLotNumber)
          } else expect(['caseGtin', 'vendorItemCode', 'caseLotNumber'].some(about)).toBe(true)
          if (given(line.palletId) && !event.epcList?.includes(`https://id.gs1.org/00/${line.palletId}`))
            expect(about('palletId')).toBe(true)
        }
      }),
    )
  })

  const code = fc.string({ unit: 'grapheme', maxLength: 12 })
  test('has a URI of its own for each pair of codes', () => {
    fc.assert(
      fc.property(fc.tuple(code, code), fc.tuple(code, code), (one, other) => {
        const same = one[0] === other[0] && one[1] === other[1]
        expect(ownUri(provider, 'class', one) === ownUri(provider, 'class', other)).toBe(same)
      }),
    )
  })
})

const urisOf = (event: Json): string[] => [
  event.eventID,
  event.readPoint.id,
  event.bizLocation.id,
  ...(event.epcList ?? []),
  ...event.quantityList.map(({ epcClass }: Json) => epcClass),
  ...event.bizTransactionList.map(({ bizTransaction }: Json) => bizTransaction),
  ...event.sourceList.map(({ source }: Json) => source),
  ...event.destinationList.map(({ destination }: Json) => destination),
]

const isList = (value: unknown) =>
  Array.isArray(value) && value.some((one) => typeof one === 'object' && !Array.isArray(one))

/** Given fields of an object that are not under the namespace of the other, as they are. */
function lostFrom(part: Json, written: Json, elsewhere: readonly string[]): string[] {
  return Object.entries<Json>(part).flatMap(([field, value]) => {
    const found = written?.[`lotkeeper:${field}`]
    if (!given(value) || elsewhere.includes(field) || isList(value)) return []
    if (typeof value === 'object' && !Array.isArray(value)) return lostFrom(value, found, [])
    return JSON.stringify(found) === JSON.stringify(value) ? [] : [field]
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

  test('has an id of its own in each version, the same whenever it is asked for', () => {
    expect(eventIdOf(id, 1)).toBe(eventIdOf(id, 1))
    expect(new Set([eventIdOf(id, 1), eventIdOf(id, 2), eventIdOf(provider, 1)]).size).toBe(3)
    expect(eventIdOf(id, 1)).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  test('once replaced declares the error, and leads to the version after it', () => {
    const event = eventOf(undefined, { version: 3, replacedAt: new Date('2026-03-07T01:02:03.004Z') })
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

  test.each([
    ['absent', undefined, '/locationMasterList/1/locationCode SHIP-TO'],
    ['wrong in its check digit', '0614141999997', '/locationMasterList/1/gln 0614141999997'],
  ])('have URIs of their own where the GLN is %s, and it is said', (_how, gln, listed) => {
    const event = eventOf(({ eventList, locationMasterList }) => {
      locationMasterList[1].gln = gln
      eventList.purchaseOrderNumber = 'PO-1'
    })
    const own = `https://lotkeeper.example/id/${provider}`
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
    expect((objectEventOf(exported(payload, { locations })) as Json).readPoint.id).toBe(`https://id.gs1.org/414/${gln}`)
  })
})

describe('a line', () => {
  const own = `https://lotkeeper.example/id/${provider}/class`

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
      `${own}:V-1:TOM-1:HG-2026-061`,
      [`${at}/vendorItemCode TOM-1`],
    ],
    [
      'with a GTIN that is none',
      (line) => Object.assign(line, { caseGtin: '10614141000416' }),
      `${own}:V-1:TOM-1:HG-2026-061`,
      [`${at}/caseGtin 10614141000416`],
    ],
    [
      'with a lot no barcode carries',
      (line) => Object.assign(line, { caseLotNumber: 'lot 7 of März' }),
      `${own}:V-1:TOM-1:lot%207%20of%20M%C3%A4rz`,
      [`${at}/caseLotNumber lot 7 of März`],
    ],
    [
      'with a lot that would be another path',
      (line) => Object.assign(line, { caseLotNumber: '..' }),
      `${own}:V-1:TOM-1:..`,
      [`${at}/caseLotNumber ..`],
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
    expect(quantity).toEqual({ epcClass: `${own}:V-1:TOM-1:HG-2026-061`, quantity: 7 })
  })

  test('has its pallet, once for all lines on it', () => {
    const event = eventOf(({ eventList }) => {
      eventList.productList.push({ ...eventList.productList[0], caseLotNumber: 'L-2' })
    })
    expect(event.epcList).toEqual(['https://id.gs1.org/00/106141411234567897'])
    expect(event.quantityList).toHaveLength(2)
  })

  test('with a pallet id that is no SSCC has no pallet, and it is said', () => {
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
