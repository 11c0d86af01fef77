// What one account exports as EPCIS and another captures: the same records, in JSON-LD and in XML.
// Source: decision 0083.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  allPlaceFieldsOf,
  type EventKind,
  type EventKindName,
  eventKindList,
  eventKindNames,
} from '../../../src/contract/record-kinds.ts'
import { isGiven } from '../../../src/contract/shape/field.ts'
import { eventPayloadsOf } from '../../samples/arbitrary-payloads.ts'
import { samplePayload } from '../../samples/payloads.ts'
import { epcisXmlOf } from '../../support/files/epcis-xml.ts'
import { allowMs } from '../../support/patience.ts'
import type { Payload } from '../../support/records/payloads.ts'
import { runs } from '../../support/runs.ts'
import { type Call, type Reply, type Service, startService } from '../../support/servers/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

async function exported(call: Call, kind: EventKindName): Promise<Payload[]> {
  const found: Payload[] = []
  const first = `/traceability/epcis?documentType=EPCISDocument&kind=${kind}&perPage=5`
  for (let next: string | undefined = first; next; ) {
    const reply: Reply = await call('GET', next)
    expect(reply.status, reply.text).toBe(200)
    found.push(reply.body)
    next = /^<([^>]+)>/.exec(reply.headers.get('link') ?? '')?.[1]
  }
  return found
}

/** Blank is absent, and so are lists and objects with nothing in them (decision 0009). */
function stated(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stated)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, field]) => [name, stated(field)] as const)
  return Object.fromEntries(
    fields.filter(([, field]) => isGiven(field) && !/^(?:\{\}|\[\])$/.test(JSON.stringify(field))),
  )
}

const lastOf = (list: Payload[], code: string) => [...new Map(list.map((entry) => [entry[code], entry])).values()]

/** What the records of a kind say, by vendor. Of entries with one code an export has one. */
async function contentOf(call: Call, path: string): Promise<ReadonlyMap<string, unknown>> {
  const { content } = (await call('GET', `${path}?limit=200`)).body
  return new Map(
    content.map(({ id: _, locationMasterList, productMasterDataList, ...one }: Payload) => [
      one.eventList.dataProviderVendorId,
      stated({
        ...one,
        locationMasterList: lastOf(locationMasterList, 'locationCode'),
        productMasterDataList: lastOf(productMasterDataList, 'itemCode'),
      }),
    ]),
  )
}

/** XML has no place for other characters. */
const hasXmlText = (payload: unknown): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML does not take
  !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/u.test(
    JSON.stringify(payload).replaceAll(/\\u00[01]./g, '\u0000'),
  )

/** The sample with what is arbitrary laid over it. */
function overlaid(base: unknown, odd: unknown): unknown {
  if (Array.isArray(base) && Array.isArray(odd)) return base.map((entry, i) => overlaid(entry, odd[i] ?? entry))
  if (typeof base !== 'object' || base === null || typeof odd !== 'object' || odd === null) return odd
  const names = new Set([...Object.keys(base), ...Object.keys(odd)])
  const field = (name: string) => {
    const [one, other] = [base, odd].map((object) => (object as Payload)[name])
    return one === undefined || other === undefined ? (other ?? one) : overlaid(one, other)
  }
  return Object.fromEntries([...names].map((name) => [name, field(name)]))
}

/** What is at the pointer as the sample has it. */
function restore(payload: Payload, base: Payload, pointer: string): void {
  const steps = pointer.split('/').slice(1)
  const last = steps.pop() ?? ''
  const [at, from] = [payload, base].map((one) => steps.reduce((value, step) => value?.[step], one))
  if (at === undefined || from?.[last] === at[last]) return
  if (from?.[last] === undefined) delete at[last]
  else at[last] = structuredClone(from[last])
}

/** Stores as much of the payload as the rules take; false if that is nothing. */
async function store(call: Call, kind: EventKind, odd: Payload, vendor: string): Promise<boolean> {
  const base = samplePayload(kind.name)
  const body = overlaid(base, odd) as Payload
  for (const one of [base, body]) {
    one.eventList.dataProviderVendorId = vendor
    for (const field of allPlaceFieldsOf(kind)) one.eventList[field] = base.eventList[field]
  }
  const codes = base.locationMasterList.map(({ locationCode }: Payload) => locationCode)
  for (const [i, code] of codes.entries()) body.locationMasterList[i].locationCode = code
  for (const line of Object.keys(kind.lists).flatMap((list) => body.eventList[list] ?? []))
    for (const field of Object.keys(line))
      if (field.endsWith('LocationCode') && isGiven(line[field])) line[field] = codes[0]
  for (let attempt = 0; attempt < 8; attempt++) {
    const reply = await call('POST', kind.path, { body })
    if (reply.status === 201) return true
    for (const { pointer, severity } of reply.body.findings ?? [])
      if (severity === 'error') restore(body, base, pointer)
  }
  return false
}

test('every event that was exported is the same record in another account', { timeout: allowMs(120_000) }, async () => {
  const payloads = fc.record(
    Object.fromEntries(
      eventKindNames.map((kind) => [
        kind,
        fc.array(eventPayloadsOf(kind).filter(hasXmlText), { minLength: 6, maxLength: 6 }),
      ]),
    ),
  )
  const stored: string[] = []
  await fc.assert(
    fc.asyncProperty(payloads, async (odd) => {
      const [source, asJson, asXml] = [await service.provider(), await service.provider(), await service.provider()]
      for (const kind of eventKindList) {
        const { path, name } = kind
        // Each has a vendor of its own: master data from other events would complete it.
        for (const [n, payload] of (odd[name] ?? []).entries())
          if (await store(source.call, kind, payload, `V-${name}-${n}`)) stored.push(name)
        const expected = await contentOf(source.call, path)
        for (const document of await exported(source.call, name)) {
          const captured = document.epcisBody.eventList.filter(
            ({ type }: Payload) => type !== 'AggregationEvent',
          ).length
          const asText = { body: epcisXmlOf(document), headers: { 'content-type': 'application/xml' } }
          for (const { status, body, text } of [
            await asJson.call('POST', '/capture', { body: document }),
            await asXml.call('POST', '/capture', asText),
          ])
            expect([status, body.captured], text).toEqual([200, captured])
        }
        expect(await contentOf(asJson.call, path)).toEqual(expected)
        expect(await contentOf(asXml.call, path)).toEqual(expected)
      }
    }),
    { numRuns: runs(3, 2), endOnFailure: true },
  )
  for (const name of eventKindNames) expect(stored.filter((one) => one === name).length, name).toBeGreaterThan(5)
})
