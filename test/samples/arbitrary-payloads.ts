// Payloads of events of the declared shape, with any text in them: right in form, odd in content.
import fc from 'fast-check'
import { type EventKindName, eventKinds, placeFieldsOf } from '../../src/contract/record-kinds.ts'
import { type DeclaredShape, declared, type Json } from './declared-shapes.ts'

const twoDigits = (n: number): string => String(n).padStart(2, '0')

const date = fc
  .date({ min: new Date('0001-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true })
  .map((day) => day.toISOString().slice(0, 10))

const dateTime = fc
  .tuple(date, fc.nat(23), fc.nat(59), fc.constantFrom('Z', '+00:00', '-05:00', '+09:00', '-14:00', '+14:00'))
  .map(([day, hour, second, offset]) => `${day}T${twoDigits(hour)}:30:${twoDigits(second)}${offset}`)

/** What fields of records hold, rightly and wrongly, besides text of any kind. */
const likely = fc.constantFrom(
  '10614141000415',
  '10614141000416',
  '0614141000012',
  '0614141000013',
  '106141410000000019',
  '106141410000000018',
  'GV26063-A',
  'a lot with blanks, and more than twenty',
  '.',
  '..',
  '%2E',
  'case',
  'LB.',
  'each',
  'ea',
  'pallet',
  'kg',
  '',
  ' ',
)
const anyText = fc.string({ unit: 'grapheme', maxLength: 30 })
const text = fc.oneof({ weight: 2, arbitrary: likely }, { weight: 1, arbitrary: anyText })
/** Required text is not blank. */
const code = text.filter((one) => one.trim() !== '')

const number = fc.oneof(fc.nat(5_000), fc.double({ noNaN: true, noDefaultInfinity: true }))

function anyOf(shape: DeclaredShape, required: boolean): fc.Arbitrary<unknown> {
  if (shape.properties !== undefined) return objectOf(shape)
  if (shape.type === 'array' && shape.items !== undefined)
    return fc.array(anyOf(shape.items, false), { minLength: required ? 2 : 0, maxLength: 4 })
  if (shape['x-form'] === 'date') return date
  if (shape['x-form'] === 'dateTime') return dateTime
  if (shape.type === 'number') return number
  if (shape.type === 'boolean') return fc.boolean()
  return required ? code : text
}

function objectOf({ properties = {}, required = [] }: DeclaredShape): fc.Arbitrary<Json> {
  const fields = Object.entries(properties).map(([name, field]) => [name, anyOf(field, required.includes(name))])
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] as never[] })
}

/** Payloads of a kind whose location codes are in their list, as the rules ask. */
export const eventPayloadsOf = (kind: EventKindName): fc.Arbitrary<Json> =>
  objectOf(declared(eventKinds[kind].payload)).map((payload: Json) => {
    const listed = payload.locationMasterList.map(({ locationCode }: Json) => locationCode)
    for (const [i, field] of placeFieldsOf(eventKinds[kind]).entries())
      payload.eventList[field] = listed[i % listed.length]
    return payload
  })

export const receivingEventPayloads = eventPayloadsOf('receivingEvent')
