// Completeness of events of all kinds: each number is that of the findings of the events, before and
// after master data completes them. Source: decision 0031.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EventKindName, eventKindNames, eventKinds } from '../../../src/contract/record-kinds.ts'
import { samplePayload } from '../../samples/payloads.ts'
import { type OwnDatabase, ownDatabase } from '../../support/databases/database.ts'
import { allowMs } from '../../support/patience.ts'
import { type Payload, paths } from '../../support/records/payloads.ts'
import { runs } from '../../support/runs.ts'
import { runCommand, type ServerProcess, startServerProcess } from '../../support/servers/server-process.ts'
import { type Call, calling } from '../../support/servers/service.ts'

let own: OwnDatabase
let server: ServerProcess
beforeAll(async () => {
  own = await ownDatabase()
  server = await startServerProcess(own.env)
})
afterAll(async () => {
  await server?.end('SIGTERM')
  await own?.drop()
})

let providers = 0

/** A provider of its own. */
async function newProvider(): Promise<Call> {
  const { stdout } = await runCommand(['keys', 'create', '--provider', `kinds ${++providers}`], own.env)
  return calling(server.address, stdout.trim())
}

/** An event of a kind, what it lacks, and which of its lines it has twice. */
interface Drawn {
  readonly kind: EventKindName
  readonly lacks: readonly string[]
  readonly twice: boolean
  readonly isOffList: boolean
}

const lineFields = [
  'caseLotNumber',
  'growingAreaName',
  'harvesterName',
  'harvesterPhoneNumber',
  'harvestDate',
  'coolingDate',
]
const productFields = ['packSize', 'packStyle', 'productCommodity']
const eventFields = ['referenceDocumentNumber', 'billOfLadingNumber', 'seedList', 'harvestStartDate']

const drawn: fc.Arbitrary<Drawn> = fc.record({
  kind: fc.constantFrom(...eventKindNames),
  lacks: fc.subarray([...lineFields, ...productFields, ...eventFields, 'phoneNumber']),
  twice: fc.boolean(),
  isOffList: fc.boolean(),
})

function payloadOf({ kind, lacks, twice, isOffList }: Drawn, n: number): Payload {
  const payload = samplePayload(kind)
  const { eventList: event, productMasterDataList: products, locationMasterList: locations } = payload
  payload.payloadId = `P-${n}`
  // One vendor each, so that no event sets up what another lacks.
  event.dataProviderVendorId = `V-${n}`
  delete event.eventId
  for (const place of locations) if (lacks.includes('phoneNumber')) delete place.phoneNumber
  for (const product of products) for (const field of productFields) if (lacks.includes(field)) delete product[field]
  if (isOffList && products.length > 0) {
    products[0].isFtlItem = false
    delete products[0].ftlCategory
  }
  for (const field of eventFields) if (lacks.includes(field)) delete event[field]
  for (const list of Object.keys(eventKinds[kind].lists)) {
    if (!Array.isArray(event[list])) continue
    if (twice) event[list].push(structuredClone(event[list][0]))
    for (const [i, line] of event[list].entries())
      for (const field of lineFields) if (lacks.includes(field) && i === 0) delete line[field]
  }
  return payload
}

interface CountedLine {
  readonly event: string
  readonly kind: EventKindName
  readonly gaps: ReadonlySet<string>
}

/** The lines of an event, each with the gaps that concern it: read off its findings. */
async function linesOf(call: Call, kind: EventKindName, id: string): Promise<readonly CountedLine[]> {
  const { body } = await call('GET', `${paths[kind]}/${id}`)
  const { findings } = (await call('GET', `${paths[kind]}/${id}/findings?judged=now`)).body
  const gaps = findings.filter(({ severity }: Payload) => severity === 'gap')
  const offList = new Set(
    body.productMasterDataList
      .filter(({ isFtlItem }: Payload) => isFtlItem === false)
      .map(({ itemCode }: Payload) => itemCode),
  )
  const lists = Object.entries(eventKinds[kind].lists).filter(([, { hasItems }]) => hasItems !== false)
  return lists.flatMap(([list]) =>
    ((body.eventList[list] ?? []) as Payload[]).flatMap((line, n) => {
      if (offList.has(line.vendorItemCode)) return []
      const concerns = gaps.filter(({ pointer }: Payload) => {
        const [, part = '', place = '', at] = pointer.split('/')
        if (part === 'productMasterDataList')
          return body.productMasterDataList[Number(place)]?.itemCode === line.vendorItemCode
        return part === 'eventList' && lists.some(([one]) => one === place) && at !== undefined
          ? place === list && Number(at) === n
          : true
      })
      return [
        { event: id, kind, gaps: new Set<string>(concerns.map(({ rule, cites }: Payload) => `${rule} ${cites}`)) },
      ]
    }),
  )
}

const countsOf = (lines: readonly CountedLine[], lacks = ({ gaps }: CountedLine) => gaps.size > 0) => ({
  events: new Set(lines.map(({ event }) => event)).size,
  eventsWithGaps: new Set(lines.filter(lacks).map(({ event }) => event)).size,
  lines: lines.length,
  completeLines: lines.filter((line) => !lacks(line)).length,
})

/** Compares every number with the lines, and every list with its number. */
async function expectCounts(call: Call, lines: readonly CountedLine[]): Promise<void> {
  const dates = 'eventStartDate=2025-06-01&eventEndDate=2026-12-31'
  const { total, groups } = (await call('GET', `/traceability/completeness?by=kind&${dates}`)).body
  expect(total).toMatchObject(countsOf(lines))
  expect(groups.map(({ key }: Payload) => key).sort()).toEqual([...new Set(lines.map(({ kind }) => kind))].sort())
  for (const { key, missing, records, ...counts } of groups) {
    const ofKind = lines.filter(({ kind }) => kind === key)
    expect(counts, key).toMatchObject(countsOf(ofKind))
    const alone = (await call('GET', `/traceability/completeness?kind=${key}&${dates}`)).body
    expect(alone.total, key).toMatchObject(countsOf(ofKind))
    const listed = (await call('GET', `${records}&limit=200`)).body.content
    expect(listed.length, records).toBe(counts.eventsWithGaps)
    const gaps = new Set(ofKind.flatMap((line) => [...line.gaps]))
    expect(new Set(missing.map(({ rule, cites }: Payload) => `${rule} ${cites}`)), key).toEqual(gaps)
    for (const one of missing) {
      const gap = `${one.rule} ${one.cites}`
      const { eventsWithGaps, lines: count, completeLines } = countsOf(ofKind, (line) => line.gaps.has(gap))
      expect([one.events, one.lines], gap).toEqual([eventsWithGaps, count - completeLines])
      expect((await call('GET', `${one.records}&limit=200`)).body.content.length, one.records).toBe(eventsWithGaps)
      const filtered = await call(
        'GET',
        `${paths[key as EventKindName]}?gapRule=${encodeURIComponent(keyOf(key, one))}&limit=200`,
      )
      expect(filtered.body.content.length, gap).toBe(eventsWithGaps)
    }
    const withGaps = await call('GET', `${paths[key as EventKindName]}?hasGaps=true&limit=200`)
    expect(withGaps.body.content.length, key).toBe(counts.eventsWithGaps)
  }
  const elements = (await call('GET', `/traceability/completeness?by=kde&limit=200&${dates}`)).body.groups
  for (const { missing, lines: count, completeLines } of elements)
    if (missing.length > 0) expect(count - completeLines).toBe(missing[0].lines)
}

const keyOf = (kind: string, { rule, cites }: Payload): string =>
  kind === 'receivingEvent' ? rule : `${rule} ${cites.replace('21 CFR ', '')}`

const allLines = async (call: Call, stored: readonly { readonly kind: EventKindName; readonly id: string }[]) =>
  (await Promise.all(stored.map(({ kind, id }) => linesOf(call, kind, id)))).flat()

test(
  'events of all kinds are counted by what their findings say, also after places and products are completed',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(drawn, { minLength: 5, maxLength: 9 }), async (events) => {
        const call = await newProvider()
        const stored: { kind: EventKindName; id: string; body: Payload }[] = []
        for (const [n, event] of events.entries()) {
          const body = payloadOf(event, n)
          const { status, body: reply } = await call('POST', paths[event.kind], { body })
          // A value that this kind requires.
          if (status === 422) continue
          expect(status).toBe(201)
          stored.push({ kind: event.kind, id: reply.request_ids[0], body })
        }
        await expectCounts(call, await allLines(call, stored))

        for (const { body } of stored) {
          const { dataProviderVendorId } = body.eventList
          const { content } = (
            await call('GET', `/data-provider/locations?dataProviderVendorId=${dataProviderVendorId}`)
          ).body
          for (const { id, ...place } of content) {
            place.locationMasterList.phoneNumber = '+1.831.555.0100'
            await call('PUT', `/data-provider/locations/${id}`, { body: place })
          }
          const [product] = body.productMasterDataList
          if (product === undefined) continue
          const whole = {
            ...product,
            dataProviderVendorId,
            packSize: '24 ct',
            packStyle: 'carton',
            productCommodity: 'Romaine',
          }
          await call('POST', '/data-provider/products', { body: { productMasterDataList: whole } })
        }
        await expect
          .poll(async () => (await call('GET', '/traceability/completeness')).body.recounting, {
            timeout: allowMs(60_000),
          })
          .toBeNull()
        await expectCounts(call, await allLines(call, stored))
      }),
      { numRuns: runs(3), endOnFailure: true },
    )
  },
  allowMs(300_000),
)

test('the period ends with the newest event that is not in the future, of whatever kind', async () => {
  const call = await newProvider()
  const store = async (kind: EventKindName, eventDateTime: string) => {
    const payload = samplePayload(kind)
    payload.eventList.eventDateTime = eventDateTime
    expect((await call('POST', paths[kind], { body: payload })).status).toBe(201)
  }
  const end = async (query = '') => (await call('GET', `/traceability/completeness${query}`)).body.eventEndDate
  await store('coolingEvent', '2091-05-01T08:00:00-07:00')
  expect(await end()).toBe('2091-05-01')
  await store('harvestingEvent', '2026-03-02T08:00:00-07:00')
  await store('transformationEvent', '2026-03-01T08:00:00-07:00')
  expect(await end()).toBe('2026-03-02')
  expect(await end('?kind=transformationEvent')).toBe('2026-03-01')
  expect(await end('?kind=coolingEvent')).toBe('2091-05-01')
})
