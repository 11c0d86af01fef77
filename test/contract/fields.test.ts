import { describe, expect, it } from 'vitest'
import { ftlCategories } from '../../src/contract/product.ts'
import { location, masterProduct, receivingEvent } from '../../src/contract/record-kinds.ts'
import { readShape, type ShapeBreach } from '../../src/contract/shape/read-shape.ts'
import { judge, readPayload } from '../../src/rules/judge.ts'
import { noFacts } from '../../src/rules/rule.ts'
import * as contract from '../samples/contract-fields.ts'
import {
  type DeclaredShape,
  declared,
  deepFrozen,
  fullPayload,
  oneOf,
  payloadShapes,
  placesOf,
  valueAt,
} from '../samples/declared-shapes.ts'
import { settings } from '../support/records/prove-rule.ts'

type Declared = Record<string, { readonly type: string; readonly required: 'yes' | 'no' }>

function typeOf(shape: DeclaredShape): string {
  if (shape.type === 'array') return `list of ${typeOf(shape.items ?? {})}`
  if (shape.type !== 'string') return shape.type ?? ''
  if (shape['x-form'] === 'dateTime') return 'datetime'
  return shape['x-form'] ?? 'string'
}

const declaredFields = (shape: DeclaredShape | undefined): Declared =>
  Object.fromEntries(
    Object.entries(oneOf(shape ?? {}).properties ?? {}).map(([name, field]) => [
      name,
      { type: typeOf(oneOf(field)), required: (oneOf(shape ?? {}).required ?? []).includes(name) ? 'yes' : 'no' },
    ]),
  )

const statedFields = (...groups: readonly (readonly contract.ContractField[])[]): Declared =>
  Object.fromEntries(groups.flat().map(([name, type, required]) => [name, { type, required }]))

const at = (shape: DeclaredShape, ...names: readonly string[]): DeclaredShape | undefined =>
  names.reduce<DeclaredShape | undefined>(
    (part, name) => (name === 'entry' ? part?.items : oneOf(part ?? {}).properties?.[name]),
    shape,
  )

const id: contract.ContractField = ['id', 'string', 'no']

describe('the declared fields are those of the contract, both ways', () => {
  describe.each([
    { form: 'create', shape: declared(receivingEvent.createPayload), ids: [] },
    { form: 'replace', shape: declared(receivingEvent.replacement), ids: [id] },
    { form: 'stored', shape: declared(receivingEvent.payload), ids: [] },
  ])('receiving event payload, $form', ({ shape, ids }) => {
    it('declares the envelope, two lists and the event', () => {
      expect(declaredFields(shape)).toEqual(
        statedFields(contract.envelope, ids, [
          ['productMasterDataList', 'list of object', 'yes'],
          ['locationMasterList', 'list of object', 'yes'],
          ['eventList', 'object', 'yes'],
        ]),
      )
    })
    it('declares every field of §2.2 without the vendor, and no other', () => {
      expect(declaredFields(at(shape, 'productMasterDataList', 'entry'))).toEqual(statedFields(contract.product))
    })
    it('declares every field of §2.3, and no other', () => {
      expect(declaredFields(at(shape, 'locationMasterList', 'entry'))).toEqual(statedFields(contract.location))
    })
    it('declares every field of the address and of the position, and no other', () => {
      expect(declaredFields(at(shape, 'locationMasterList', 'entry', 'address'))).toEqual(
        statedFields(contract.address),
      )
      expect(declaredFields(at(shape, 'locationMasterList', 'entry', 'geoLocation'))).toEqual(
        statedFields(contract.geoLocation),
      )
    })
    it('declares every field of §2.4, and no other', () => {
      expect(declaredFields(at(shape, 'eventList'))).toEqual(statedFields(contract.receivingEvent))
    })
    it('declares every field of §2.5, and no other', () => {
      expect(declaredFields(at(shape, 'eventList', 'productList', 'entry'))).toEqual(statedFields(contract.productLine))
    })
  })

  describe.each([
    { form: 'create', shape: declared(masterProduct.createPayload), ids: [] },
    { form: 'replace', shape: declared(masterProduct.replacement), ids: [id] },
    { form: 'stored', shape: declared(masterProduct.payload), ids: [] },
  ])('master product payload, $form', ({ shape, ids }) => {
    it('declares the envelope and the product', () => {
      expect(declaredFields(shape)).toEqual(
        statedFields(contract.masterDataEnvelope, ids, [['productMasterDataList', 'object', 'yes']]),
      )
    })
    it('declares every field of §2.2 with the vendor, and no other', () => {
      expect(declaredFields(at(shape, 'productMasterDataList'))).toEqual(
        statedFields(contract.product, contract.productVendor),
      )
    })
  })

  describe.each([
    { form: 'create', shape: declared(location.createPayload), ids: [] },
    { form: 'replace', shape: declared(location.replacement), ids: [id] },
    { form: 'stored', shape: declared(location.payload), ids: [] },
  ])('location payload, $form', ({ shape, ids }) => {
    it('declares the envelope and the location', () => {
      expect(declaredFields(shape)).toEqual(
        statedFields(contract.masterDataEnvelope, ids, [['locationMasterList', 'object', 'yes']]),
      )
    })
    it('declares every field of §2.3 with the vendor, and no other', () => {
      expect(declaredFields(at(shape, 'locationMasterList'))).toEqual(
        statedFields(contract.location, contract.locationVendor),
      )
    })
  })

  it('takes one object in a replacement, and one or many in a create', () => {
    for (const { subject, replacement, createPayload } of [receivingEvent, masterProduct, location]) {
      expect(declared(replacement).properties?.[subject]?.type, subject).toBe('object')
      const create = declared(createPayload).properties?.[subject]
      expect(create?.['x-one-or-many'], subject).toBe(true)
      expect(create?.anyOf?.map(({ type }) => type).sort(), subject).toEqual(['array', 'object'])
    }
  })

  it('closes every object: a field that is not declared is not taken', () => {
    const open = payloadShapes.flatMap(({ name, shape }) =>
      [{ pointer: '', shape: declared(shape) }, ...placesOf(declared(shape))]
        .filter((place) => place.shape.type === 'object')
        .filter((place) => (place.shape as { additionalProperties?: unknown }).additionalProperties !== false)
        .map(({ pointer }) => `${name} ${pointer}`),
    )
    expect(open).toEqual([])
  })

  it('lists the FTL categories of §2.2', () => {
    expect(ftlCategories).toEqual(contract.ftlCategories)
  })
})

describe.each(payloadShapes)('what the fields of a payload to $name say of themselves', ({ kind, shape }) => {
  /** The fields; an entry of a list is not a field, and the record id belongs to the service. */
  const fields = [...placesOf(declared(shape))].filter(
    ({ pointer }) => !/\/\d+$/.test(pointer) && !pointer.endsWith('/id'),
  )

  it('says meaning, example and section of every field', () => {
    const silent = fields
      .filter(
        ({ shape: field }) =>
          !/^[A-Z0-9].*\.$/.test(field.description ?? '') ||
          field.examples?.length !== 1 ||
          !/^(2\.[1-5]|4\.[12])( [a-zA-Z]+)?$/.test(field['x-section'] ?? ''),
      )
      .map(({ pointer }) => pointer)
    expect(silent).toEqual([])
    expect(fields.length).toBeGreaterThan(0)
  })

  it('gives examples that are of the shape of their own field', () => {
    const wrong = fields.flatMap(({ pointer, shape: field }) => {
      const breaches: ShapeBreach[] = []
      readShape(field as never, deepFrozen(field.examples?.[0]), (breach) => breaches.push(breach()))
      return breaches.map((breach) => `${pointer}${breach.pointer}: ${breach.message}`)
    })
    expect(wrong).toEqual([])
  })

  it('gives examples that together make a payload no rule finds anything in', () => {
    const payload = fullPayload(shape)
    // A position has one of two forms; the fence is judged in a payload of its own below.
    for (const one of [payload.locationMasterList].flat()) delete one?.geoLocation.geoFence
    ofOneOrigin(payload)
    expect(findingsOf(payload)).toEqual([])
  })

  it('gives examples of the single top fields that no rule refuses or warns of', () => {
    const { properties = {}, required = [] } = declared(shape)
    const payload = Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [name, structuredClone(field.examples?.[0])]),
    )
    expect(Object.keys(payload)).toEqual(expect.arrayContaining([...required]))
    expect(findingsOf(payload).filter((finding) => !finding.startsWith('gap'))).toEqual([])
  })

  it('gives an example fence no rule finds anything in', () => {
    const payload = fullPayload(shape)
    for (const one of [payload.locationMasterList].flat()) delete one?.geoLocation.gpsCoordinates
    ofOneOrigin(payload)
    expect(findingsOf(payload)).toEqual([])
  })

  it('names as unit a sibling field, or a word', () => {
    for (const { pointer, shape: field } of fields) {
      const unit = field['x-unit']
      if (unit === undefined || !/[A-Z]/.test(unit)) continue
      const sibling = pointer.replace(/[^/]+$/, unit)
      expect(valueAt(fullPayload(shape), sibling), `${pointer} has its unit in ${sibling}`).toBeTypeOf('string')
    }
  })

  function findingsOf(payload: unknown): string[] {
    const reading = readPayload(kind, shape, deepFrozen(payload))
    return judge(kind, reading, { facts: noFacts, settings }).findings.map(
      ({ severity, rule, pointer, message }) => `${severity} ${rule} ${pointer}: ${message}`,
    )
  }
})

/** Food comes from a farm, or from an exempt person. */
function ofOneOrigin(payload: ReturnType<typeof fullPayload>): void {
  for (const event of [payload.eventList].flat())
    for (const line of event?.receivedList ?? []) delete line.exemptSourceLocationCode
}
