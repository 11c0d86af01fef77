// Requests of any operation: right ones, wrong ones, and what somebody sends who means harm.
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import type { Operation } from '../../src/operations/base/operation.ts'
import { catalogue, type OperationName } from '../../src/operations/catalogue.ts'
import { receivingEventPayloads } from './arbitrary-payloads.ts'
import { declared, fullPayload, type Json, placesOf, withoutPlace, withValue } from './declared-shapes.ts'
import { addressOf } from './operation-requests.ts'

export interface HostileRequest {
  readonly operation: OperationName
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
  /** Which key it is sent with. */
  readonly key: 'administrator' | 'reader' | 'none'
}

/** Text that stands in the body as it is, where JSON.stringify would not write it. */
const raw = (text: string): string => `@raw:${text}@`
const printed = (value: unknown): string =>
  JSON.stringify(value ?? null).replaceAll(/"@raw:([^"]*)@"/g, (_whole, text: string) => text)

const oddText = fc.constantFrom(
  '',
  ' ',
  'x'.repeat(100),
  'x'.repeat(101),
  '🍅'.repeat(100),
  'a\u0000b',
  '\ud800',
  '\udc00\ud800',
  '\ufeff',
  '\u202e',
  "'; DROP TABLE record_version; --",
  '%00',
  '../../etc/passwd',
  '__proto__',
  '2026-02-30',
  '2026-03-04T25:00:00Z',
  '0000-00-00',
  '99999999999999',
)
const oddNumber = fc.constantFrom(
  ...['1e999', '-1e999', '1e-999', '12345678901234567890', '0.1e1', '-0', '00', '1.', '.5', '0x10', 'NaN', 'Infinity']
    .concat('9'.repeat(400))
    .map(raw),
)
const oddValue = fc.oneof(
  oddText,
  oddNumber,
  fc.constantFrom(null, true, false, 0, -1, 1e308, 5e-324, [], {}, [[]], [null], [{}]),
  fc.jsonValue({ maxDepth: 3 }),
  fc.integer({ min: 30, max: 40 }).map((depth) => raw('['.repeat(depth) + ']'.repeat(depth))),
  fc.integer({ min: 900, max: 6_000 }).map((length) => Array.from({ length }, () => ({}))),
)
const oddName = fc.constantFrom(
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '',
  'id',
  'a\u0000',
  'x'.repeat(300),
)

/**
 * The full payload of an operation, with one to three places of it changed, taken away, or added
 * to.
 */
function mutatedPayload({ body }: Operation): fc.Arbitrary<Json> {
  if (body === undefined) return fc.constant(undefined)
  const whole = fullPayload(body)
  const pointers = [...placesOf(declared(body))].map(({ pointer }) => pointer)
  const change = fc.oneof(
    // An empty body has no places.
    ...(pointers.length === 0
      ? []
      : [
          fc.tuple(fc.constantFrom(...pointers), oddValue).map(
            ([at, value]) =>
              (one: Json) =>
                withValue(one, at, value),
          ),
          fc.constantFrom(...pointers).map((at) => (one: Json) => withoutPlace(one, at)),
        ]),
    fc.tuple(fc.constantFrom('', ...pointers), oddName, oddValue).map(
      ([at, name, value]) =>
        (one: Json) =>
          withValue(one, `${at}/${name}`, value),
    ),
  )
  return fc.array(change, { minLength: 0, maxLength: 3 }).map((changes) =>
    changes.reduce((one: Json, edit) => {
      try {
        return edit(one)
      } catch {
        // The place is gone with an earlier change.
        return one
      }
    }, structuredClone(whole)),
  )
}

/** Text of a payload, hurt as text: cut, doubled, with strange pieces put in. */
const hurt = (text: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.nat(text.length),
      fc.constantFrom('', '{', '}', '"', ',', '\\', '\\u0000', '\\ud800', '\u0000', '\ufeff', '//', '"a":1,', '1e999'),
      fc.nat(4),
    )
    .map(([at, piece, skipped]) => text.slice(0, at) + piece + text.slice(at + skipped))

const bytesOf = (text: string): fc.Arbitrary<Buffer> =>
  fc.oneof(
    { weight: 20, arbitrary: fc.constant(Buffer.from(text)) },
    { weight: 1, arbitrary: fc.constant(Buffer.from(text, 'utf16le')) },
    { weight: 1, arbitrary: fc.constant(Buffer.from(`\ufeff${text}`)) },
    { weight: 1, arbitrary: fc.constant(Buffer.from(text, 'latin1')) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 1, arbitrary: fc.constant(Buffer.from(`{"payloadId":"a","payloadId":"b",${text.slice(1)}`)) },
  )

function bodyOf(operation: Operation): fc.Arbitrary<Buffer | undefined> {
  if (operation.body === undefined) return fc.constant(undefined)
  const payload = fc.oneof(
    { weight: 6, arbitrary: mutatedPayload(operation) },
    ...(operation.record?.name === 'receivingEvent' ? [{ weight: 3, arbitrary: receivingEventPayloads }] : []),
    { weight: 1, arbitrary: fc.jsonValue() },
  )
  const text = payload.map(printed)
  return fc.oneof({ weight: 5, arbitrary: text }, { weight: 1, arbitrary: text.chain(hurt) }).chain(bytesOf)
}

const mediaTypes = fc.oneof(
  { weight: 15, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'application/json; charset=utf-8',
      'Application/JSON;charset="UTF-8"',
      'application/json; charset=utf-16',
      'application/json;charset=latin1',
      'application/jsonx',
      'application/json, text/plain',
      'application/ld+json',
      'text/json',
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      'application/json\t; charset=utf-8',
      ' ',
      ';',
    ),
  },
)

const oddHeader = fc.constantFrom(
  '*',
  '"1"',
  'W/"1"',
  '"1", "2"',
  '',
  '"',
  '1',
  '"x"',
  '"9999999999"',
  'a b',
  'x'.repeat(300),
  'return=representation',
  'handling=strict, return=representation',
  'handling = "strict";x=1, return=representation',
)

function headersOf({ headers, body }: Operation): fc.Arbitrary<Record<string, string>> {
  const all = fc.record(Object.fromEntries(headers.map((name) => [name, oddHeader])), { requiredKeys: [] })
  const own = fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: all })
  const coding = fc.oneof(
    { weight: 12, arbitrary: fc.constant({}) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('gzip', 'gzip', 'identity', 'br', 'gzip, gzip')
        .map((coding) => ({ 'content-encoding': coding })),
    },
  )
  const accepted = fc.constantFrom({}, { 'accept-encoding': 'gzip' }, { 'accept-encoding': '*;q=0.5, gzip;q=x, "' })
  return fc.tuple(own, coding, accepted, mediaTypes).map(([own, coding, accepted, type]) => ({
    ...(own as Record<string, string>),
    ...coding,
    ...accepted,
    ...(body && { 'content-type': type }),
  }))
}

function queryOf({ query }: Operation): fc.Arbitrary<Record<string, string>> {
  const parameters = Object.entries(query).map(
    ([name, { example, values = [], form }]) =>
      [
        name,
        fc.oneof(
          {
            weight: 4,
            arbitrary: fc.constantFrom(example, ...values, ...(form === 'limit' ? ['1', '200', '0', '201'] : [])),
          },
          { weight: 1, arbitrary: oddText.map((text) => text.toWellFormed()) },
        ),
      ] as const,
  )
  // Few at a time: each is one more reason to be refused.
  const some = fc
    .shuffledSubarray(parameters, { maxLength: Math.min(2, parameters.length) })
    .chain((few) => fc.record(Object.fromEntries(few) as Record<string, fc.Arbitrary<string>>))
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant({}) },
    { weight: 6, arbitrary: some },
    { weight: 1, arbitrary: fc.constantFrom('nonsense', '__proto__', 'limit[]').map((name) => ({ [name]: '1' })) },
  )
}

/** Requests of any operation; `known` are ids and lot codes of what is there. */
export function hostileRequests(known: readonly string[]): fc.Arbitrary<HostileRequest> {
  const subject = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...known) },
    { weight: 2, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: oddText.map((text) => text.toWellFormed()).filter((text) => text !== '') },
  )
  const plainRequestOf = (operation: Operation): fc.Arbitrary<HostileRequest> =>
    fc.record({
      operation: fc.constant(operation.name as OperationName),
      address: fc.tuple(subject, queryOf(operation)).map(([about, query]) => addressOf(operation.path, about, query)),
      headers: headersOf(operation),
      body: bodyOf(operation),
      key: fc.oneof(
        { weight: 20, arbitrary: fc.constant('administrator' as const) },
        { weight: 1, arbitrary: fc.constantFrom('reader' as const, 'none' as const) },
      ),
    })
  // What says that it is gzip mostly is.
  const requestOf = (operation: Operation): fc.Arbitrary<HostileRequest> =>
    fc
      .tuple(plainRequestOf(operation), fc.nat(3))
      .map(([one, n]) =>
        one.body !== undefined && one.headers['content-encoding'] === 'gzip' && n > 0
          ? { ...one, body: gzipSync(one.body) }
          : one,
      )
  return fc.oneof(
    ...catalogue.map((operation) => ({
      weight: operation.body === undefined ? 1 : 8,
      arbitrary: requestOf(operation),
    })),
  )
}
