import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { readJsonObject } from '../../src/contract/json/json-text.ts'
import { location, masterProduct, receivingEvent } from '../../src/contract/record-kinds.ts'
import { dateFault, dateTimeFault, isCalendarDate, isDateTime } from '../../src/contract/shape/date-and-time.ts'
import { readShape, type ShapeBreach, type ShapeRuleId } from '../../src/contract/shape/read-shape.ts'
import { namesSome } from '../../src/contract/webhooks.ts'
import { judge, readPayload } from '../../src/rules/judge.ts'
import { noFacts } from '../../src/rules/rule.ts'
import { shapeFinding } from '../../src/rules/shape.ts'
import { faultOfUrl } from '../../src/webhooks/address-guard.ts'
import {
  type DeclaredShape,
  declared,
  deepFrozen,
  fullPayload,
  type Json,
  type Place,
  payloadShapes,
  placesOf,
  withoutPlace,
  withValue,
} from '../samples/declared-shapes.ts'
import { provedByWalk, proveGroup, settings } from '../support/records/prove-rule.ts'
import { runs } from '../support/runs.ts'

function breachesOf(shape: TSchema, value: unknown): ShapeBreach[] {
  const breaches: ShapeBreach[] = []
  readShape(shape, value, (breach) => breaches.push(breach()))
  return breaches
}

const found = (shape: TSchema, value: unknown): string[] =>
  breachesOf(shape, value).map(({ rule, pointer }) => `${rule} ${pointer}`)

/**
 * Records the rule as proved: `it` shows that readShape reports it, and that it does not without
 * cause.
 */
const itProves = (rule: ShapeRuleId, title: string, test: () => void) => {
  provedByWalk(rule)
  it(title, test)
}

const unlike: Readonly<Record<string, readonly unknown[]>> = {
  string: [0, true, {}, [], ['x']],
  number: ['1', true, {}, []],
  boolean: ['true', 1, {}, []],
  object: ['x', 1, true, []],
  array: ['x', 1, true, {}],
}

const isText = ({ shape }: Place) => shape.type === 'string'
const isPlainText = (place: Place) => isText(place) && place.shape['x-form'] === undefined
const formRule = ({ shape }: Place) => (shape['x-form'] === 'date' ? 'shape/date' : 'shape/date-time')

describe.each(payloadShapes)('a payload to $name, field by field', ({ shape }) => {
  const full = fullPayload(shape)
  const places = [...placesOf(declared(shape))]

  /**
   * What is reported of each place when `change` makes it wrong, where that is not what `expected`
   * says.
   */
  const surprises = (
    of: readonly Place[],
    change: (place: Place) => Json,
    expected: (place: Place) => readonly string[],
  ): string[] => {
    expect(of.length).toBeGreaterThan(0)
    return of.flatMap((place) => {
      const reported = found(shape, deepFrozen(change(place)))
      return JSON.stringify(reported) === JSON.stringify(expected(place))
        ? []
        : [`${place.pointer}: ${reported.join(', ') || 'nothing reported'}`]
    })
  }

  it('takes the full example', () => {
    expect(found(shape, full)).toEqual([])
  })

  it.each(['x', '😀', 'é', '"'])('takes 100 characters of %s in every text field', (character) => {
    const texts = places.filter(isPlainText)
    expect(
      surprises(
        texts,
        ({ pointer }) => withValue(full, pointer, character.repeat(100)),
        () => [],
      ),
    ).toEqual([])
  })

  it.each(['x', '😀', 'é', '"'])('refuses 101 characters of %s in every string field, dates included', (character) => {
    expect(
      surprises(
        places.filter(isText),
        ({ pointer }) => withValue(full, pointer, character.repeat(101)),
        ({ pointer }) => [`shape/length ${pointer}`],
      ),
    ).toEqual([])
  })

  it('refuses a string of a million characters as one that is too long', () => {
    const million = '😀'.repeat(1_000_000)
    expect(
      surprises(
        places.filter(isText).slice(0, 3),
        ({ pointer }) => withValue(full, pointer, million),
        ({ pointer }) => [`shape/length ${pointer}`],
      ),
    ).toEqual([])
  })

  it('reports 100 characters in a date field as a wrong form, not as a length', () => {
    const formed = places.filter((place) => isText(place) && !isPlainText(place))
    if (formed.length === 0) return
    expect(
      surprises(
        formed,
        ({ pointer }) => withValue(full, pointer, 'x'.repeat(100)),
        (place) => [`${formRule(place)} ${place.pointer}`],
      ),
    ).toEqual([])
  })

  it('refuses every required field that is absent', () => {
    expect(
      surprises(
        places.filter(({ required }) => required),
        ({ pointer }) => withoutPlace(full, pointer),
        ({ pointer }) => [`shape/required ${pointer}`],
      ),
    ).toEqual([])
  })

  it('takes a payload without any one of its optional fields', () => {
    expect(
      surprises(
        places.filter(({ required, pointer }) => !required && !/\/0$/.test(pointer)),
        ({ pointer }) => withoutPlace(full, pointer),
        () => [],
      ),
    ).toEqual([])
  })

  it.each([
    ['null', null],
    ['empty', ''],
    ['blank', '   '],
    ['a tab and a line break', '\t\n'],
  ])('refuses every required field that is %s', (_title, value) => {
    expect(
      surprises(
        places.filter(({ required }) => required),
        ({ pointer }) => withValue(full, pointer, value),
        ({ pointer }) => [`shape/required ${pointer}`],
      ),
    ).toEqual([])
  })

  it('takes blank text in every optional text field, and refuses it in every optional date', () => {
    expect(
      surprises(
        places.filter((place) => isText(place) && !place.required),
        ({ pointer }) => withValue(full, pointer, '   '),
        (place) => (isPlainText(place) ? [] : [`${formRule(place)} ${place.pointer}`]),
      ),
    ).toEqual([])
  })

  it('refuses null in every optional field and list entry: to remove a field is to leave it out', () => {
    expect(
      surprises(
        places.filter(({ required }) => !required),
        ({ pointer }) => withValue(full, pointer, null),
        ({ pointer }) => [`shape/type ${pointer}`],
      ),
    ).toEqual([])
  })

  it.each([0, 1, 2, 3, 4])('refuses every field of a wrong type (choice %i), and converts nothing', (choice) => {
    const wrong = (place: Place) => {
      // Where one or many are taken, a list is of the right type.
      const all = (unlike[place.shape.type ?? ''] ?? []).filter((one) => !(place.oneOrMany && Array.isArray(one)))
      return all[choice % all.length]
    }
    expect(
      surprises(
        places,
        (place) => withValue(full, place.pointer, wrong(place)),
        ({ pointer }) => [`shape/type ${pointer}`],
      ),
    ).toEqual([])
  })

  it.each([null, 'x', 1, true, []])('refuses %j in place of the whole body', (body) => {
    expect(found(shape, body)).toEqual(['shape/type '])
  })

  const objects = [{ pointer: '', shape: declared(shape) }, ...places].filter((place) => place.shape.type === 'object')

  it('suggests the known name for every name in the wrong case, at every level', () => {
    const missed = objects.flatMap(({ pointer, shape: object }) =>
      Object.keys(object.properties ?? {}).flatMap((name) => {
        const wrong = `${pointer}/${name.toUpperCase()}`
        const [breach, ...more] = breachesOf(shape, withValue(full, wrong, 'x'))
        return breach?.rule === 'shape/unknown-field' &&
          breach.pointer === wrong &&
          breach.message.endsWith(`Did you mean ${name}?`) &&
          more.length === 0
          ? []
          : [`${wrong}: ${breach?.message}`]
      }),
    )
    expect(missed).toEqual([])
  })

  it.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString', '', '0', 'a/b', 'a~b'])(
    'refuses the key %j at every level as an unknown field',
    (key) => {
      const step = key.replaceAll('~', '~0').replaceAll('/', '~1')
      for (const { pointer } of objects) {
        const body = deepFrozen(withValue(full, `${pointer}/${step}`, { polluted: true }))
        expect(found(shape, body)).toEqual([`shape/unknown-field ${pointer}/${step}`])
        expect(({} as Json).polluted).toBeUndefined()
      }
    },
  )

  it.each([
    ['a NUL', 'a\u0000b'],
    ['a high surrogate alone', 'a\ud83d'],
    ['a low surrogate alone', '\ude00b'],
  ])('refuses %s in every string field', (_title, text) => {
    expect(
      surprises(
        places.filter(isText),
        ({ pointer }) => withValue(full, pointer, text),
        ({ pointer }) => [`shape/text ${pointer}`],
      ),
    ).toEqual([])
  })

  it('reports every wrong field of a body at once', () => {
    const texts = places.filter(isPlainText)
    const body = texts.reduce((payload, { pointer }) => withValue(payload, pointer, 7), full)
    expect(found(shape, body)).toEqual(expect.arrayContaining(texts.map(({ pointer }) => `shape/type ${pointer}`)))
    expect(found(shape, body)).toHaveLength(texts.length)
  })
})

describe('unknown fields', () => {
  const suggestion = (name: string): string | undefined => {
    const [breach] = breachesOf(masterProduct.replacement, withValue(fullPayload(masterProduct.replacement), name, 1))
    return /Did you mean (.*)\?$/.exec(breach?.message ?? '')?.[1]
  }

  it.each([
    ['itmCode', 'itemCode'],
    ['itemcode', 'itemCode'],
    ['gtim', 'gtin'],
    ['ftlcategroy', 'ftlCategory'],
    ['grossWeightUom', 'grossWeightUOM'],
    ['vendorId', 'dataProviderVendorId'],
    ['catchWeight', undefined],
    ['x', undefined],
    ['y'.repeat(500), undefined],
  ])('suggests for %s the name %s', (name, known) => {
    expect(suggestion(`/productMasterDataList/${name}`)).toBe(known)
  })

  const adviceAt = (pointer: string, name: string, edit: (payload: Json) => void = () => undefined): string => {
    const payload = fullPayload(receivingEvent.replacement)
    edit(payload)
    const body = withValue(payload, `${pointer}/${name}`, 'x')
    const breach = breachesOf(receivingEvent.replacement, body).find(({ rule }) => rule === 'shape/unknown-field')
    return breach?.message.replace(/^.*? is not a field here\. ?/, '') ?? ''
  }
  const event = '/eventList'
  const line = '/eventList/productList/0'
  const place = '/locationMasterList/0'
  const product = '/productMasterDataList/0'

  it.each([
    [event, 'purchaseOrderNo', 'purchaseOrderNumber'],
    [event, 'poNumber', 'purchaseOrderNumber'],
    [event, 'vendorId', 'dataProviderVendorId'],
    [event, 'vendor_id', 'dataProviderVendorId'],
    [event, 'shipFrom', 'shipFromLocationCode'],
    [event, 'shipTo', 'shipToLocationCode'],
    [event, 'eventDate', 'eventDateTime'],
    [line, 'itemCode', 'vendorItemCode'],
    [line, 'quantity', 'shipQuantity'],
    [line, 'uom', 'shipQuantityUom'],
    [place, 'name', 'locationName'],
    [place, 'code', 'locationCode'],
    [product, 'description', 'itemDescription'],
  ])('answer a name at %s, %s, with the required field that is missing: %s', (pointer, name, missing) => {
    const remove = (payload: Json) =>
      delete pointer
        .split('/')
        .slice(1)
        .reduce((part, step) => part[step], payload)[missing]
    expect(adviceAt(pointer, name, remove)).toBe(`Did you mean ${missing}?`)
  })

  it.each([
    [line, 'lotNumber', 'caseLotNumber'],
    [line, 'lot_number', 'caseLotNumber'],
    [line, 'LOT', 'caseLotNumber'],
    [line, 'qty', 'shipQuantity'],
    [line, 'unit', 'shipQuantityUom'],
    [line, 'gtin', 'caseGtin'],
    [line, 'country', 'countryOfOrigin'],
    [line, 'upc', 'itemUpc'],
    [line, 'description', 'vendorItemDescription'],
    [product, 'brand', 'brandName'],
    [product, 'upc', 'itemUpc'],
    [product, 'name', 'itemDescription'],
    [product, 'code', 'itemCode'],
    [place, 'phone', 'phoneNumber'],
    [event, 'bol', 'billOfLadingNumber'],
    ['', 'locations', 'locationMasterList'],
  ])('answer a name at %s, %s, with the field that has it as another name: %s', (pointer, name, known) => {
    expect(adviceAt(pointer, name)).toBe(`Did you mean ${known}?`)
  })

  it.each([
    [place, 'city', 'It belongs in address.'],
    [place, 'zip', 'Did you mean postalCode? It belongs in address.'],
    [place, 'zipCode', 'Did you mean postalCode? It belongs in address.'],
    [place, 'street', 'Did you mean streetAddress1? It belongs in address.'],
    [place, 'country', 'It belongs in address.'],
    [event, 'shipQuantity', 'It belongs in each entry of productList.'],
    [event, 'quantity', 'Did you mean shipQuantity? It belongs in each entry of productList.'],
    [event, 'payloadId', 'It belongs at the top of the body.'],
    [line, 'purchaseOrderNumber', 'It belongs in eventList.'],
    [line, 'brand', 'Did you mean brandName? It belongs in each entry of productMasterDataList.'],
    ['', 'eventDateTime', 'It belongs in eventList.'],
  ])('answer a name at %s, %s, with the place where it belongs: %s', (pointer, name, advice) => {
    expect(adviceAt(pointer, name)).toBe(advice)
  })

  it('lists the names that an object may still have, once, where nothing is near', () => {
    const payload = fullPayload(masterProduct.replacement)
    delete payload.productMasterDataList.plu
    Object.assign(payload.productMasterDataList, { catchWeight: 1, zzz: 1 })
    const messages = breachesOf(masterProduct.replacement, payload).map(({ message }) => message)
    expect(messages).toEqual(['"catchWeight" is not a field here. Known here: plu.', '"zzz" is not a field here.'])
  })

  it('says once that an event, a product or a location came without its envelope', () => {
    for (const { kind, words } of [
      { kind: receivingEvent, words: '{"productMasterDataList": […], "locationMasterList": […], "eventList": {…}}' },
      { kind: masterProduct, words: '{"productMasterDataList": {…}}' },
      { kind: location, words: '{"locationMasterList": {…}}' },
    ])
      for (const shape of [kind.replacement, kind.createPayload])
        expect(breachesOf(shape, fullPayload(kind.replacement)[kind.subject]), kind.name).toEqual([
          expect.objectContaining({
            rule: 'shape/required',
            pointer: `/${kind.subject}`,
            message: `The body is the content of ${kind.subject} without its envelope. Send ${words}, with the body as ${kind.subject}.`,
          }),
        ])
  })

  it('quotes at most the beginning of a name a megabyte long', () => {
    const [breach] = breachesOf(masterProduct.replacement, {
      ...fullPayload(masterProduct.replacement),
      ['n'.repeat(1_000_000)]: 1,
    })
    expect(breach?.pointer.length).toBeLessThan(130)
    expect(breach?.message.length).toBeLessThan(130)
  })

  it('refuses the vendor fields of §2.2 in the product list of an event', () => {
    const body = withValue(
      fullPayload(receivingEvent.replacement),
      '/productMasterDataList/0/dataProviderVendorId',
      'V-1',
    )
    expect(found(receivingEvent.replacement, body)).toEqual([
      'shape/unknown-field /productMasterDataList/0/dataProviderVendorId',
    ])
  })

  it('takes an id beside the record in a replacement, and refuses it in a create', () => {
    for (const { replacement, createPayload } of [receivingEvent, masterProduct, location]) {
      const body = { ...fullPayload(createPayload), id: '019a3c1e-7d2b-7c4a-9f10-3a5b6c7d8e9f' }
      expect(found(replacement, body)).toEqual([])
      expect(found(createPayload, body)).toEqual(['shape/unknown-field /id'])
    }
  })
})

describe('lists', () => {
  const shape = receivingEvent.createPayload
  const full = fullPayload(shape)
  const repeated = (pointer: string, one: unknown, count: number): Json =>
    withValue(
      full,
      pointer,
      Array.from({ length: count }, () => one),
    )
  const line = full.eventList.productList[0]
  const product = full.productMasterDataList[0]
  const place = full.locationMasterList[0]

  it.each([
    ['product lines', '/eventList/productList', line, 1, 'shape/list-minimum', 0],
    ['product lines', '/eventList/productList', line, 5_000, 'shape/list-maximum', 5_001],
    ['products', '/productMasterDataList', product, 5_000, 'shape/list-maximum', 5_001],
    ['locations', '/locationMasterList', place, 2, 'shape/list-minimum', 1],
    ['locations', '/locationMasterList', place, 2, 'shape/list-minimum', 0],
    ['locations', '/locationMasterList', { locationCode: 'A', locationName: 'a' }, 1_000, 'shape/list-maximum', 1_001],
    ['events', '/eventList', full.eventList, 1, 'shape/list-minimum', 0],
    ['events', '/eventList', full.eventList, 1_000, 'shape/list-maximum', 1_001],
  ])('of %s at %s: takes %4$i, and reports %5$s for %6$i', (_title, pointer, one, right, rule, wrong) => {
    expect(found(shape, repeated(pointer, one, right))).toEqual([])
    expect(found(shape, repeated(pointer, one, wrong))).toEqual([`${rule} ${pointer}`])
  })

  it('takes an empty product list in an event payload: the items may be set up as master products', () => {
    expect(found(shape, repeated('/productMasterDataList', product, 0))).toEqual([])
  })

  it.each([masterProduct, location])('of $nouns to create: takes 1 and 1,000, refuses none and 1,001', (kind) => {
    const payload = fullPayload(kind.createPayload)
    const entries = (count: number) => ({
      ...payload,
      [kind.subject]: Array.from({ length: count }, () => payload[kind.subject]),
    })
    expect(found(kind.createPayload, entries(1))).toEqual([])
    expect(found(kind.createPayload, entries(1_000))).toEqual([])
    expect(found(kind.createPayload, entries(0))).toEqual([`shape/list-minimum /${kind.subject}`])
    expect(found(kind.createPayload, entries(1_001))).toEqual([`shape/list-maximum /${kind.subject}`])
  })

  it('reads every record of a create, and points into the one that is wrong', () => {
    const events = [full.eventList, withValue(full.eventList, '/productList/0/shipQuantity', '56'), 7]
    expect(found(shape, { ...full, eventList: events })).toEqual([
      'shape/type /eventList/1/productList/0/shipQuantity',
      'shape/type /eventList/2',
    ])
  })

  it('refuses a list of records in a replacement', () => {
    for (const { replacement, subject } of [receivingEvent, masterProduct, location]) {
      const payload = fullPayload(replacement)
      expect(found(replacement, { ...payload, [subject]: [payload[subject]] })).toEqual([`shape/type /${subject}`])
    }
  })

  it('does not walk a list past its maximum', () => {
    expect(found(shape, repeated('/eventList/productList', 7, 5_001))).toEqual([
      'shape/list-maximum /eventList/productList',
    ])
  })

  it('stops walking lists in lists at 50,000 entries in all', () => {
    const event = { ...full.eventList, productList: Array.from({ length: 5_000 }, () => line) }
    const events = (count: number) => ({ ...full, eventList: Array.from({ length: count }, () => event) })
    expect(found(shape, events(9))).toEqual([])
    expect(found(shape, events(10))).toEqual(['shape/list-maximum /eventList/9/productList'])
  })
})

describe('dates', () => {
  const shape = receivingEvent.replacement
  const full = fullPayload(shape)
  const dates = [...placesOf(declared(shape))].filter((place) => place.shape['x-form'] === 'date')
  const good = ['2026-03-04', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31', '2026-01-31', '2026-04-30']
  const bad = [
    '2026-02-30',
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-00-10',
    '2026-13-01',
    '2026-01-00',
    '2026-01-32',
    '0000-01-01',
    '26-03-04',
    '2026-3-4',
    '2026/03/04',
    '20260304',
    '04.03.2026',
    '03-04-2026',
    '+002026-03-04',
    '2026-03-04Z',
    '2026-03-04T00:00:00Z',
    ' 2026-03-04',
    '2026-03-04 ',
    '2026-03-04\n',
    '２０２６-03-04',
    'today',
  ]

  it.each(good)('takes %j in every date field', (text) => {
    expect(dates.length).toBe(8)
    for (const { pointer } of dates) expect(found(shape, withValue(full, pointer, text))).toEqual([])
  })
  it.each(bad)('refuses %j in every date field', (text) => {
    for (const { pointer } of dates)
      expect(found(shape, withValue(full, pointer, text))).toEqual([`shape/date ${pointer}`])
  })
})

describe('what is wrong with a date', () => {
  const shape = receivingEvent.replacement
  const said = (pointer: string, text: string) =>
    breachesOf(shape, withValue(fullPayload(shape), pointer, text))[0]?.message

  it.each([
    ['2026-02-30', '2026-02 has 28 days.'],
    ['2024-02-30', '2024-02 has 29 days.'],
    ['2026-04-31', '2026-04 has 30 days.'],
    ['2026-13-01', 'There is no month 13.'],
    ['2026-01-00', 'There is no day 00.'],
    ['0000-01-01', 'There is no year 0.'],
    ['03/04/2026', 'A date has the form yyyy-MM-dd, e.g. 2026-03-04.'],
  ])('of %s is said: %s', (text, fault) => {
    expect(said('/eventList/purchaseOrderDate', text)).toBe(`purchaseOrderDate is ${JSON.stringify(text)}. ${fault}`)
  })

  const examples = '2026-03-04T17:30:00Z or 2026-03-04T09:30:00-08:00'
  it.each([
    ['2026-02-30T09:30:00Z', '2026-02 has 28 days.'],
    ['2026-03-04T24:00:00Z', 'There is no hour 24. Midnight is 00:00:00 of the next day.'],
    ['2026-03-04T25:00:00Z', 'There is no hour 25.'],
    ['2026-03-04T23:60:00Z', 'There is no minute 60.'],
    ['2026-03-04T23:59:60Z', 'There is no second 60.'],
    ['2026-03-04T09:30:00+15:00', 'There is no offset +15:00. Offsets reach from -14:00 to +14:00.'],
    ['2026-03-04T09:30:00.000Z', `Fractions of a second are not accepted. Send, e.g., ${examples}.`],
    ['2026-03-04T09:30:00', `The offset is missing. Send, e.g., ${examples}.`],
    ['2026-03-04T09:30:00+05:30', 'Offsets are whole hours. Convert the time to UTC, with Z at the end.'],
    ['03/04/2026 9:30', `A date and time has the form yyyy-MM-ddTHH:mm:ssZ, e.g. ${examples}.`],
  ])('and a time of %s is said: %s', (text, fault) => {
    expect(said('/eventList/eventDateTime', text)).toBe(`eventDateTime is ${JSON.stringify(text)}. ${fault}`)
  })

  it('there is always something wrong with a text that is none, and one sentence more than its form', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), (text) => {
        if (!isDateTime(text)) expect(dateTimeFault(text)).toMatch(/^[A-Z].*\.$/)
        if (!isCalendarDate(text)) expect(dateFault(text)).toMatch(/^[A-Z].*\.$/)
      }),
    )
  })
})

describe('what a message says', () => {
  const shape = receivingEvent.replacement
  const said = (pointer: string, value: unknown) =>
    breachesOf(shape, withValue(fullPayload(shape), pointer, value))[0]?.message

  it.each([
    ['/eventList/productList/0/shipQuantity', '40', 'shipQuantity is "40" (text). It must be a number, e.g. 40.'],
    ['/eventList/productList/0/shipQuantity', 'forty', 'shipQuantity is "forty" (text). It must be a number, e.g. 56.'],
    [
      '/eventList/productList/0/caseLotNumber',
      7781,
      'caseLotNumber is 7781 (a number). It must be text, e.g. "GV26063-A".',
    ],
    [
      '/eventList/productList/0/caseLotNumber',
      null,
      'caseLotNumber is null. Leave the field out, or send text, e.g. "GV26063-A".',
    ],
    ['/productMasterDataList/0/isFtlItem', 'yes', 'isFtlItem is "yes" (text). It must be true or false.'],
    [
      '/locationMasterList/0/address',
      '1 Main St',
      'address is "1 Main St" (text). It must be an object with streetAddress1, streetAddress2, city, state, postalCode, country.',
    ],
    ['/eventList/productList', {}, 'productList is an object. It must be a list.'],
    [
      '/eventList/purchaseOrderNumber',
      '',
      'purchaseOrderNumber is required and is blank, and blank counts as absent. Example: "PO-88120".',
    ],
    [
      '/eventList/purchaseOrderNumber',
      'x'.repeat(127),
      'purchaseOrderNumber has 127 characters. At most 100 are taken.',
    ],
    [
      '/eventList/purchaseOrderNumber',
      '😀'.repeat(101),
      'purchaseOrderNumber has 101 characters. At most 100 are taken.',
    ],
  ])('at %s of %j: %s', (pointer, value, message) => {
    expect(said(pointer, value)).toBe(message)
  })

  it('never advises to split an event', () => {
    for (const pointer of ['/eventList/productList', '/productMasterDataList', '/locationMasterList']) {
      const message = said(
        pointer,
        Array.from({ length: 5_001 }, () => 7),
      )
      expect(message).toMatch(/has 5001 entries\. At most \d000 are taken\. [A-Z]/)
      expect(message).not.toContain('several payloads')
    }
  })
})

describe('datetimes', () => {
  const shape = receivingEvent.replacement
  const full = fullPayload(shape)
  const places = [...placesOf(declared(shape))].filter((place) => place.shape['x-form'] === 'dateTime')
  const good = [
    '2026-03-04T09:30:00Z',
    '2026-03-04T09:30:00-08:00',
    '2026-03-04T09:30:00+02:00',
    '2026-03-04T09:30:00+00:00',
    '2026-03-04T09:30:00-00:00',
    '2026-03-04T09:30:00+14:00',
    '2026-03-04T09:30:00-14:00',
    '2026-03-04T00:00:00Z',
    '2026-03-04T23:59:59Z',
    '2024-02-29T12:00:00Z',
    '0001-01-01T00:00:00Z',
  ]
  const bad = [
    '2026-02-29T12:00:00Z',
    '2026-02-30T12:00:00Z',
    '0000-01-01T00:00:00Z',
    '2026-03-04T24:00:00Z',
    '2026-03-04T23:60:00Z',
    '2026-03-04T23:59:60Z',
    '2026-03-04T09:30:00.000Z',
    '2026-03-04T09:30:00.5-08:00',
    '2026-03-04T09:30:00,5Z',
    '2026-03-04t09:30:00Z',
    '2026-03-04T09:30:00z',
    '2026-03-04 09:30:00Z',
    '2026-03-04T09:30:00',
    '2026-03-04T09:30Z',
    '2026-03-04T09:30:00+05:30',
    '2026-03-04T09:30:00+05:45',
    '2026-03-04T09:30:00+15:00',
    '2026-03-04T09:30:00-15:00',
    '2026-03-04T09:30:00+24:00',
    '2026-03-04T09:30:00-0800',
    '2026-03-04T09:30:00-08',
    '2026-03-04T09:30:00-8:00',
    '2026-03-04T09:30:00−08:00',
    '2026-03-04T09:30:00 -08:00',
    '2026-03-04T09:30:00Z ',
    '2026-03-04T09:30:00Z\n',
    '2026-03-04',
    '20260304T093000Z',
    '1772617800',
  ]

  it.each(good)('takes %j in every datetime field', (text) => {
    expect(places.map(({ pointer }) => pointer).sort()).toEqual([
      '/eventList/eventDateTime',
      '/eventList/eventTransactionTime',
      '/transmissionDateTime',
    ])
    for (const { pointer } of places) expect(found(shape, withValue(full, pointer, text))).toEqual([])
  })
  it.each(bad)('refuses %j in every datetime field', (text) => {
    for (const { pointer } of places)
      expect(found(shape, withValue(full, pointer, text))).toEqual([`shape/date-time ${pointer}`])
  })

  it('leaves the form of transmissionDateTime to a rule on the master data endpoints', () => {
    for (const { replacement, createPayload } of [masterProduct, location])
      for (const one of [replacement, createPayload])
        expect(found(one, withValue(fullPayload(one), '/transmissionDateTime', 'yesterday'))).toEqual([])
  })
})

describe('what is left for the rules', () => {
  it('is the payload itself when nothing is wrong', () => {
    for (const { shape } of payloadShapes) {
      const full = deepFrozen(fullPayload(shape))
      expect(readShape(shape, full, () => expect.unreachable('nothing is wrong'))).toEqual(full)
    }
  })

  it('leaves out what has a wrong shape, and keeps the places of the other list entries', () => {
    const full = fullPayload(receivingEvent.replacement)
    const body = {
      ...full,
      surprise: 1,
      locationMasterList: [7, { ...full.locationMasterList[1], gln: 12, market: 'x'.repeat(101) }],
    }
    const read = readShape(receivingEvent.replacement, body, () => undefined) as Json
    expect('surprise' in read).toBe(false)
    expect(read.locationMasterList).toHaveLength(2)
    expect(read.locationMasterList[0]).toBeUndefined()
    const { gln: _gln, market: _market, ...rest } = full.locationMasterList[1]
    expect(read.locationMasterList[1]).toEqual(rest)
  })

  it('creates no message that is not read', () => {
    const body = withValue(fullPayload(receivingEvent.replacement), '/eventList/productList', [7])
    let reported = 0
    readShape(receivingEvent.replacement, body, () => reported++)
    expect(reported).toBe(1)
  })

  it('says in each message which field it is about', () => {
    const body = withValue(fullPayload(receivingEvent.replacement), '/eventList/productList/0/shipQuantity', '56')
    expect(breachesOf(receivingEvent.replacement, body)).toEqual([
      {
        rule: 'shape/type',
        pointer: '/eventList/productList/0/shipQuantity',
        message: 'shipQuantity is "56" (text). It must be a number, e.g. 56.',
        section: '2.5',
      },
    ])
  })
})

describe('arbitrary JSON', () => {
  /**
   * What TypeBox does not check: text, the calendar, blanks. Dates are checked by the platform's
   * own calendar.
   */
  function extrasHold(shape: DeclaredShape, value: unknown): boolean {
    if (shape['x-one-or-many']) {
      const choice = shape.anyOf?.find(({ type }) => (type === 'array') === Array.isArray(value))
      return extrasHold(choice ?? {}, value)
    }
    if (Array.isArray(value)) return value.every((entry) => extrasHold(shape.items ?? {}, entry))
    if (typeof value === 'object' && value !== null)
      return Object.entries(value).every(([key, part]) => {
        const blank = typeof part === 'string' && part.trim() === ''
        return !(blank && shape.required?.includes(key)) && extrasHold(shape.properties?.[key] ?? {}, part)
      })
    if (typeof value !== 'string') return true
    if (value.includes('\u0000') || /\p{Surrogate}/u.test(value)) return false
    return shape['x-form'] === undefined || isReal(value)
  }

  const isReal = (text: string): boolean => {
    const utc = `${text.slice(0, 10)}${text.slice(10, 19) || 'T00:00:00'}Z`
    const instant = new Date(utc)
    const offset = /[+-](\d\d):00$/.exec(text.slice(19))?.[1] ?? '0'
    return (
      !Number.isNaN(instant.getTime()) &&
      instant.toISOString() === utc.replace('Z', '.000Z') &&
      !text.startsWith('0000') &&
      Number(offset) <= 14
    )
  }

  const oddTexts = fc.constantFrom(
    ...['', '  ', 'x'.repeat(100), 'x'.repeat(101), '😀'.repeat(100), '\ud83d', '\u0000', '2026-02-29', '2024-02-29'],
    ...['0000-01-01', '0001-01-01', '2026-03-04T24:00:00Z', '2026-03-04T23:59:59+14:00', '2026-03-04T09:30:00-15:00'],
  )
  const oddity: fc.Arbitrary<unknown> = fc.oneof(
    oddTexts,
    fc.constantFrom<unknown>(null, 0, -1, 1e300, true, [], {}, [[]], [{}], JSON.parse('{"__proto__":1}')),
    fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }),
    // Dates and datetimes near the edge of their forms.
    fc
      .tuple(fc.nat(2400), fc.nat(13), fc.nat(32), fc.constantFrom('', 'T09:30:00Z', 'T23:59:60Z', 'T09:30:00+13:00'))
      .map(([year, month, day, time]) => {
        const two = (part: number) => String(part).padStart(2, '0')
        return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}${time}`
      }),
  )

  describe.each(payloadShapes)('as a payload to $name', ({ kind, shape: replacementOrCreate, name }) => {
    // The form of the record id is judged against the address, not here.
    const shape: TSchema = name.startsWith('replace') ? kind.payload : replacementOrCreate
    const check = Compile(shape)
    const full = fullPayload(shape)
    const pointers = [...placesOf(declared(shape))].map(({ pointer }) => pointer)
    const unknown = pointers.map((pointer) => `${pointer}x`)
    const edit = fc.tuple(fc.constantFrom(...pointers, ...pointers, ...unknown), oddity)
    const body = fc.oneof(
      { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<unknown> },
      {
        weight: 8,
        arbitrary: fc
          .array(edit, { maxLength: 3 })
          .map((edits) =>
            edits.reduce<unknown>((payload, [pointer, value]) => withValue(payload, pointer, value), full),
          ),
      },
    )

    it('never throws nor writes, and reports nothing exactly when TypeBox and the extra checks accept', () => {
      const tries = runs(2_000)
      let right = 0
      fc.assert(
        fc.property(body, (value) => {
          const accepted = check.Check(value) && extrasHold(declared(shape), value)
          if (accepted) right++
          expect(found(shape, deepFrozen(value)).length === 0).toBe(accepted)
        }),
        { numRuns: tries },
      )
      // The property says something in both directions.
      expect(right).toBeGreaterThan(tries / 20)
    })
  })
})

describe('every rule about shapes', () => {
  itProves('shape/required', 'finds a required field that is missing, and takes a zero or false as given', () => {
    const full = fullPayload(receivingEvent.replacement)
    const pointer = '/eventList/productList/0/shipQuantity'
    expect(found(receivingEvent.replacement, withoutPlace(full, pointer))).toEqual([`shape/required ${pointer}`])
    expect(found(receivingEvent.replacement, withValue(full, pointer, 0))).toEqual([])
  })
  itProves('shape/type', 'finds a number in quotes, and takes the number', () => {
    const full = fullPayload(masterProduct.replacement)
    const pointer = '/productMasterDataList/netWeight'
    expect(found(masterProduct.replacement, withValue(full, pointer, '15'))).toEqual([`shape/type ${pointer}`])
    expect(found(masterProduct.replacement, withValue(full, pointer, 15))).toEqual([])
  })
  itProves('shape/length', 'finds 101 characters, and takes 100', () => {
    const full = fullPayload(location.replacement)
    const pointer = '/locationMasterList/address/city'
    expect(found(location.replacement, withValue(full, pointer, 'y'.repeat(101)))).toEqual([`shape/length ${pointer}`])
    expect(found(location.replacement, withValue(full, pointer, 'y'.repeat(100)))).toEqual([])
  })
  itProves('shape/text', 'finds half an emoji, and takes a whole one', () => {
    const full = fullPayload(masterProduct.replacement)
    const pointer = '/productMasterDataList/brandName'
    expect(found(masterProduct.replacement, withValue(full, pointer, '🥬'.slice(0, 1)))).toEqual([
      `shape/text ${pointer}`,
    ])
    expect(found(masterProduct.replacement, withValue(full, pointer, '🥬'))).toEqual([])
  })
  itProves('shape/date', 'finds 30 February, and takes 28 February', () => {
    const full = fullPayload(receivingEvent.replacement)
    const pointer = '/eventList/purchaseOrderDate'
    expect(found(receivingEvent.replacement, withValue(full, pointer, '2026-02-30'))).toEqual([`shape/date ${pointer}`])
    expect(found(receivingEvent.replacement, withValue(full, pointer, '2026-02-28'))).toEqual([])
  })
  itProves('shape/date-time', 'finds a datetime without offset, and takes it with one', () => {
    const full = fullPayload(receivingEvent.replacement)
    const pointer = '/eventList/eventDateTime'
    expect(found(receivingEvent.replacement, withValue(full, pointer, '2026-03-04T09:30:00'))).toEqual([
      `shape/date-time ${pointer}`,
    ])
    expect(found(receivingEvent.replacement, withValue(full, pointer, '2026-03-04T09:30:00Z'))).toEqual([])
  })
  itProves('shape/unknown-field', 'finds a field the contract does not know, and takes the one it knows', () => {
    const full = fullPayload(masterProduct.replacement)
    expect(found(masterProduct.replacement, withValue(full, '/productMasterDataList/GTIN', 'x'))).toEqual([
      'shape/unknown-field /productMasterDataList/GTIN',
    ])
    expect(found(masterProduct.replacement, withValue(full, '/productMasterDataList/gtin', 'x'))).toEqual([])
  })
  itProves('shape/list-minimum', 'finds one location, and takes two', () => {
    const full = fullPayload(receivingEvent.replacement)
    const [one, two] = full.locationMasterList
    expect(found(receivingEvent.replacement, { ...full, locationMasterList: [one] })).toEqual([
      'shape/list-minimum /locationMasterList',
    ])
    expect(found(receivingEvent.replacement, { ...full, locationMasterList: [one, two] })).toEqual([])
  })
  itProves('shape/list-maximum', 'finds 1,001 locations, and takes 1,000', () => {
    const full = fullPayload(receivingEvent.replacement)
    const many = (count: number) => ({
      ...full,
      locationMasterList: Array.from({ length: count }, (_, i) => ({ locationCode: `L${i}`, locationName: 'x' })),
    })
    expect(found(receivingEvent.replacement, many(1_001))).toEqual(['shape/list-maximum /locationMasterList'])
    expect(found(receivingEvent.replacement, many(1_000))).toEqual([])
  })
  itProves('shape/number', 'finds a number that a double cannot hold, and takes one that it can', () => {
    const rules = (text: string) => {
      const body = readJsonObject(text)
      if ('defect' in body) throw new Error(body.defect)
      const besides = body.inexactNumbers.map(({ pointer }) => ({
        rule: 'shape/number' as const,
        pointer,
        message: 'x',
      }))
      const reading = readPayload(masterProduct, masterProduct.replacement, body.value)
      const { findings, refused } = judge(masterProduct, reading, { facts: noFacts, settings, textBreaches: besides })
      return { refused, at: findings.filter(({ rule }) => rule === 'shape/number').map(({ pointer }) => pointer) }
    }
    const product = (weight: string) =>
      `{"productMasterDataList":{"itemCode":"A","itemDescription":"a","dataProviderVendorId":"V","netWeight":${weight}}}`
    expect(rules(product('0.12345678901234567891'))).toEqual({
      refused: true,
      at: ['/productMasterDataList/netWeight'],
    })
    expect(rules(product('0.123456789012345'))).toEqual({ refused: false, at: [] })
  })
  itProves(
    'shape/record-id',
    'is an error with its remedy when the address finds another id, and silent when it does not',
    () => {
      const reading = readPayload(masterProduct, masterProduct.replacement, fullPayload(masterProduct.replacement))
      const verdict = (...besides: ShapeBreach[]) =>
        judge(masterProduct, reading, { facts: noFacts, settings, textBreaches: besides })
      const other: ShapeBreach = { rule: 'shape/record-id', pointer: '/id', message: 'another record' }
      expect(verdict(other).refused).toBe(true)
      expect(verdict(other).findings).toEqual([
        {
          ...other,
          severity: 'error',
          remedy: 'Send the record to its own address, or leave id out of the body.',
          cites: '§1 {id}',
          docsUrl: '/docs/rules/shape/record-id',
        },
      ])
      expect(verdict().refused).toBe(false)
    },
  )
  itProves('shape/address', 'is an error with its remedy at the address of a webhook', () => {
    expect(faultOfUrl('https://erp.example.com/lotkeeper', { allowPrivate: false })).toBeUndefined()
    const message = faultOfUrl('http://erp.example.com/lotkeeper', { allowPrivate: false }) ?? ''
    expect(shapeFinding('shape/address', '/url', message)).toMatchObject({
      severity: 'error',
      message: expect.stringContaining('https'),
      docsUrl: '/docs/rules/shape/address',
    })
  })
  itProves('shape/message-type', 'is an error with its remedy at a type of a webhook', () => {
    expect(namesSome('receivingEvent.*', ['receivingEvent.created'])).toBe(true)
    expect(namesSome('receivingEvents.*', ['receivingEvent.created'])).toBe(false)
    expect(shapeFinding('shape/message-type', '/types/0', 'No type.')).toMatchObject({
      severity: 'error',
      pointer: '/types/0',
      docsUrl: '/docs/rules/shape/message-type',
    })
  })
  itProves('shape/place', 'is an error with its remedy at a place of a partner', () => {
    expect(shapeFinding('shape/place', '/places/0', 'No place.')).toMatchObject({
      severity: 'error',
      pointer: '/places/0',
      docsUrl: '/docs/rules/shape/place',
    })
  })
  itProves('shape/grant', 'is an error with its remedy at a grant', () => {
    expect(shapeFinding('shape/grant', '/grants/0', 'No grant.')).toMatchObject({
      severity: 'error',
      pointer: '/grants/0',
      docsUrl: '/docs/rules/shape/grant',
    })
  })
  proveGroup('shape')
})
