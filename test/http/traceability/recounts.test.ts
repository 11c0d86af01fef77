// Counts follow master data: whatever changes in whatever order, counts, gaps, findings of today
// and the package say the same of a record.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type OwnDatabase, ownDatabase } from '../../support/databases/database.ts'
import { download } from '../../support/files/download.ts'
import { readWorkbook, textIn, unzipped } from '../../support/files/read-workbook.ts'
import { allowMs } from '../../support/patience.ts'
import { eventPayload, locationPayload, type Payload, paths, productPayload } from '../../support/records/payloads.ts'
import { runs } from '../../support/runs.ts'
import { runCommand, type ServerProcess, startServerProcess } from '../../support/servers/server-process.ts'
import { type Call, calling, type Reply } from '../../support/servers/service.ts'

vi.setConfig({ testTimeout: allowMs(240_000) })

const completenessPath = '/traceability/completeness'
const gapsPath = '/traceability/gaps'

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
async function newProvider(): Promise<{ readonly call: Call; readonly key: string }> {
  const name = `recount ${++providers}`
  const { stdout, stderr } = await runCommand(['keys', 'create', '--provider', name, '--role', 'writer'], own.env)
  const key = /lk_\w+_[\w-]{43}/.exec(stdout)?.[0]
  if (key === undefined) throw new Error(stderr)
  return { call: calling(server.address, key), key }
}

async function ok(reply: Promise<Reply>): Promise<Reply> {
  const answered = await reply
  expect([200, 201], answered.text).toContain(answered.status)
  return answered
}

/** What a path answers once no count waits for a change of master data. */
async function settled(call: Call, path: string): Promise<Payload> {
  let body: Payload
  await expect
    .poll(
      async () => {
        body = (await ok(call('GET', path))).body
        return body.recounting
      },
      { timeout: allowMs(30_000), interval: 20 },
    )
    .toBeNull()
  return body
}

/** An event of one line from a place of which only the GLN is known. */
const bareEvent = () =>
  eventPayload((payload) => {
    const [from] = payload.locationMasterList
    payload.locationMasterList[0] = { locationCode: from.locationCode, locationName: from.locationName, gln: from.gln }
    payload.eventList.productList = payload.eventList.productList.slice(0, 1)
  })

/** Brings the location of this code to this content. */
async function setLocation(call: Call, fields: Payload): Promise<void> {
  const { dataProviderVendorId, locationCode } = fields
  const body = { locationMasterList: fields }
  const created = await call('POST', paths.location, { body })
  if (created.status === 201) return
  expect(created.status, created.text).toBe(409)
  const query = new URLSearchParams({ dataProviderVendorId, locationCode })
  const { content } = (await ok(call('GET', `${paths.location}?${query}`))).body
  if (content.length > 0) await ok(call('PUT', `${paths.location}/${content[0].id}`, { body }))
}

const described = (locationCode: string) =>
  locationPayload((payload) => {
    Object.assign(payload.locationMasterList, { locationCode, gln: '0614141000012' })
  }).locationMasterList

describe('a record that is not sent again', () => {
  test('is complete once its location is set up with an address, and keeps its version, ETag and findings', async () => {
    const { call } = await newProvider()
    const { body } = await ok(call('POST', paths.receivingEvent, { body: bareEvent() }))
    const at = `${paths.receivingEvent}/${body.request_ids[0]}`
    const before = { record: await ok(call('GET', at)), findings: await ok(call('GET', `${at}/findings`)) }
    expect(before.findings.body.findings.map(({ rule }: Payload) => rule)).toEqual([
      'receiving-event/ship-from-description',
    ])
    expect((await settled(call, completenessPath)).total).toMatchObject({ lines: 1, completeLines: 0 })

    await setLocation(call, described('GV-COOLER-1'))
    expect((await settled(call, completenessPath)).total).toMatchObject({ lines: 1, completeLines: 1, share: 1 })
    expect((await settled(call, gapsPath)).content).toEqual([])
    const after = { record: await ok(call('GET', at)), findings: await ok(call('GET', `${at}/findings`)) }
    expect(after.record.text).toBe(before.record.text)
    expect(after.record.headers.get('etag')).toBe(before.record.headers.get('etag'))
    expect(after.findings.text).toBe(before.findings.text)
    expect((await ok(call('GET', `${at}/versions`))).body.content).toHaveLength(1)
  })

  test('is incomplete again once the location loses its phone number', async () => {
    const { call } = await newProvider()
    await setLocation(call, described('GV-COOLER-1'))
    const event = bareEvent()
    event.locationMasterList[0] = { locationCode: 'GV-COOLER-1', locationName: 'Green Valley Cooler' }
    await ok(call('POST', paths.receivingEvent, { body: event }))
    expect((await settled(call, completenessPath)).total).toMatchObject({ completeLines: 1 })
    const { phoneNumber: _, ...silent } = described('GV-COOLER-1')
    await setLocation(call, silent)
    expect((await settled(call, completenessPath)).total).toMatchObject({ completeLines: 0 })
  })

  test('is complete once another event says more of the place', async () => {
    const { call } = await newProvider()
    await ok(call('POST', paths.receivingEvent, { body: bareEvent() }))
    await ok(call('POST', paths.receivingEvent, { body: eventPayload() }))
    expect((await settled(call, completenessPath)).total).toMatchObject({ events: 2, eventsWithGaps: 0 })
  })

  test('is complete, or off the list, as its master product says, and again when that moves to another code', async () => {
    const { call } = await newProvider()
    const event = eventPayload((payload) => {
      payload.productMasterDataList = []
      payload.eventList.productList = payload.eventList.productList.slice(0, 1)
    })
    await ok(call('POST', paths.receivingEvent, { body: event }))
    const product = (fields: object) =>
      productPayload((payload) => Object.assign(payload.productMasterDataList, { itemCode: 'ROM-24' }, fields))
    const { body } = await ok(call('POST', paths.masterProduct, { body: product({}) }))
    const at = `${paths.masterProduct}/${body.request_ids[0]}`
    const total = async () => (await settled(call, completenessPath)).total
    expect(await total()).toMatchObject({ lines: 1, completeLines: 1 })
    await ok(call('PUT', at, { body: product({ isFtlItem: false, ftlCategory: undefined }) }))
    expect(await total()).toMatchObject({ lines: 0 })
    await ok(call('PUT', at, { body: product({ itemCode: 'OTHER' }) }))
    expect(await total()).toMatchObject({ lines: 1, completeLines: 0 })
  })

  test('is complete once a third location of its list gets the number its lot code source is referred to by', async () => {
    const { call } = await newProvider()
    const event = eventPayload((payload) => {
      const { locationName, address, phoneNumber } = payload.locationMasterList[0]
      payload.locationMasterList.push({ locationCode: 'SOURCE', locationName, address, phoneNumber })
      const [line] = payload.eventList.productList
      payload.eventList.productList = [
        { ...line, tlcSourceReferenceFfrn: undefined, tlcSourceReferenceGln: '4006381333931' },
      ]
    })
    await ok(call('POST', paths.receivingEvent, { body: event }))
    expect((await settled(call, completenessPath)).total).toMatchObject({ completeLines: 0 })
    await setLocation(call, { ...described('SOURCE'), gln: '4006381333931' })
    expect((await settled(call, completenessPath)).total).toMatchObject({ completeLines: 1 })
  })

  test('is not counted with the master data of another provider or vendor', async () => {
    const [one, other] = [await newProvider(), await newProvider()]
    await ok(one.call('POST', paths.receivingEvent, { body: bareEvent() }))
    await setLocation(other.call, described('GV-COOLER-1'))
    await setLocation(one.call, { ...described('GV-COOLER-1'), dataProviderVendorId: 'V-2' })
    expect((await settled(one.call, completenessPath)).total).toMatchObject({ completeLines: 0 })
  })

  test('that many changes touch at once is counted with the last of them', async () => {
    const { call } = await newProvider()
    for (let n = 0; n < 20; n++) await ok(call('POST', paths.receivingEvent, { body: bareEvent() }))
    for (let n = 0; n < 10; n++)
      await setLocation(call, { ...described('GV-COOLER-1'), phoneNumber: n % 2 === 0 ? ' ' : '+1.831.555.0100' })
    expect((await settled(call, completenessPath)).total).toMatchObject({ events: 20, eventsWithGaps: 0 })
  })
})

// ---- any master data, any events, in any order

const vendors = ['V-1', 'V-2']
const places = ['A', 'B', 'C']
const items = ['I', 'J']
const numbers: Record<string, string> = { A: '0614141000012', B: '0614141000029', C: '4006381333931' }
const street = { streetAddress1: '1 Road', city: 'Salinas', state: 'CA', postalCode: '93901', country: 'USA' }

const entry = fc.record({
  gln: fc.boolean(),
  address: fc.constantFrom(undefined, street, { ...street, city: ' ' }, { city: 'Salinas' }),
  phone: fc.constantFrom(undefined, '+1.831.555.0100'),
})
type Entry = typeof entry extends fc.Arbitrary<infer T> ? T : never

/** A location as it is sent; one that nothing else identifies has its number. */
const locationOf = (locationCode: string, { gln, address, phone }: Entry): Payload => ({
  locationCode,
  locationName: `Place ${locationCode}`,
  ...((gln || address === undefined || phone === undefined) && { gln: numbers[locationCode] }),
  ...(address && { address }),
  ...(phone !== undefined && { phoneNumber: phone }),
})

const productFields = fc.record({
  packSize: fc.constantFrom(undefined, '24 ct'),
  packStyle: fc.constantFrom(undefined, 'carton', ' ', 'TBD'),
  isFtlItem: fc.constantFrom(undefined, false, true),
  ftlCategory: fc.constantFrom(undefined, 'herbs', 'nut butter'),
})
type ProductFields = typeof productFields extends fc.Arbitrary<infer T> ? T : never

const productOf = (itemCode: string, { packSize, packStyle, isFtlItem, ftlCategory }: ProductFields): Payload => ({
  itemCode,
  itemDescription: `Item ${itemCode}`,
  ...(packSize !== undefined && { packSize }),
  ...(packStyle !== undefined && { packStyle }),
  ...(isFtlItem !== undefined && { isFtlItem }),
  ...((isFtlItem === true || ftlCategory !== undefined) && { ftlCategory: ftlCategory ?? 'herbs' }),
})

const lineArb = fc.record({
  item: fc.constantFrom(...items),
  lot: fc.constantFrom(undefined, 'LOT-1', 'n/a'),
  source: fc.constantFrom('FFRN', ...places),
})

const eventArb = fc.record({
  event: fc.nat(2),
  vendor: fc.constantFrom(...vendors),
  entries: fc.tuple(entry, entry, fc.option(entry, { nil: undefined })),
  turned: fc.nat(2),
  products: fc.dictionary(fc.constantFrom(...items), productFields, { maxKeys: 2 }),
  lines: fc.array(lineArb, { minLength: 1, maxLength: 3 }),
})

function eventOf({
  event,
  vendor,
  entries,
  turned,
  products,
  lines,
}: typeof eventArb extends fc.Arbitrary<infer T> ? T : never): Payload {
  const codes = places.map((_, n) => places[(n + turned) % places.length] ?? '')
  return {
    productMasterDataList: Object.entries(products).map(([code, fields]) => productOf(code, fields)),
    locationMasterList: entries.flatMap((one, n) => (one === undefined ? [] : [locationOf(codes[n] ?? '', one)])),
    eventList: {
      dataProviderVendorId: vendor,
      purchaseOrderNumber: 'PO-1',
      eventDateTime: `2025-03-0${event + 1}T10:00:00Z`,
      shipFromLocationCode: codes[0],
      shipToLocationCode: codes[1],
      productList: lines.map(({ item, lot, source }) => ({
        vendorItemCode: item,
        shipQuantity: 1,
        shipQuantityUom: 'case',
        ...(lot !== undefined && { caseLotNumber: lot }),
        ...(source === 'FFRN' ? { tlcSourceReferenceFfrn: '14532865782' } : { tlcSourceReferenceGln: numbers[source] }),
      })),
    },
  }
}

const change = fc.oneof(
  { weight: 3, arbitrary: eventArb.map((event) => ({ is: 'event', event }) as const) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...vendors), fc.constantFrom(...places), entry)
      .map(
        ([vendor, code, one]) =>
          ({ is: 'location', fields: { ...locationOf(code, one), dataProviderVendorId: vendor } }) as const,
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...vendors), fc.constantFrom(...items), productFields, fc.boolean())
      .map(
        ([vendor, code, fields, second]) =>
          ({ is: 'product', fields: { ...productOf(code, fields), dataProviderVendorId: vendor }, second }) as const,
      ),
  },
)
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

/** Makes a change; one of an event or product that is there replaces it. */
async function make(call: Call, events: (string | undefined)[], one: Change): Promise<void> {
  if (one.is === 'location') return setLocation(call, one.fields)
  if (one.is === 'product') {
    const body = { productMasterDataList: one.fields }
    const { dataProviderVendorId, itemCode } = one.fields
    const query = new URLSearchParams({ dataProviderVendorId, itemCode })
    const { content } = (await ok(call('GET', `${paths.masterProduct}?${query}`))).body
    if (content.length > 0 && !one.second) await ok(call('PUT', `${paths.masterProduct}/${content[0].id}`, { body }))
    else await ok(call('POST', paths.masterProduct, { body }))
    return
  }
  const body = eventOf(one.event)
  const id = events[one.event.event]
  const reply = await (id === undefined
    ? call('POST', paths.receivingEvent, { body })
    : call('PUT', `${paths.receivingEvent}/${id}`, { body }))
  // A location list may say what its own master data contradicts; such an event is refused, and
  // stays as it was.
  if (reply.status === 201) events[one.event.event] = reply.body.request_ids[0]
  else expect([200, 409, 422], reply.text).toContain(reply.status)
}

/**
 * True when key data elements are wanted of an item: as the entry of the event says, or else the
 * oldest master product.
 */
async function isWanted(call: Call, payload: Payload, itemCode: string): Promise<boolean> {
  // A product with an FTL category counts as one on the list, whatever else it says.
  const onList = (product: Payload) => product?.isFtlItem !== false || product.ftlCategory !== undefined
  const own = payload.productMasterDataList.find((product: Payload) => product.itemCode === itemCode)
  if (own?.isFtlItem !== undefined) return onList(own)
  const query = new URLSearchParams({ dataProviderVendorId: payload.eventList.dataProviderVendorId, itemCode })
  const { content } = (await ok(call('GET', `${paths.masterProduct}?${query}`))).body
  const [oldest] = content.map(({ id }: Payload) => id).sort()
  const inForce = content.find(({ id }: Payload) => id === oldest)
  return onList(inForce?.productMasterDataList)
}

async function agree({ call, key }: Awaited<ReturnType<typeof newProvider>>, id: string): Promise<void> {
  const payload = (await ok(call('GET', `${paths.receivingEvent}/${id}`))).body
  const { productList, eventDateTime } = payload.eventList
  const { findings } = (await ok(call('GET', `${paths.receivingEvent}/${id}/findings?judged=now`))).body
  const gaps = findings.filter(({ severity }: Payload) => severity === 'gap')

  // Counted line by line from the findings of today.
  const lines: { item: string; rules: Set<string>; messages: string[] }[] = []
  for (const [n, { vendorItemCode: item }] of productList.entries()) {
    if (!(await isWanted(call, payload, item))) continue
    const own = gaps.filter(({ pointer }: Payload) => {
      const [, list, place] = /^\/(eventList\/productList|productMasterDataList)\/(\d+)/.exec(pointer) ?? []
      if (list === undefined) return true
      return list === 'productMasterDataList'
        ? payload.productMasterDataList[Number(place)].itemCode === item
        : Number(place) === n
    })
    const rules = own.map(({ rule }: Payload) => rule)
    lines.push({ item, rules: new Set(rules), messages: own.map(({ message }: Payload) => message) })
  }
  const day = eventDateTime.slice(0, 10)
  const period = `eventStartDate=${day}&eventEndDate=${day}`
  const counted = await settled(call, `${completenessPath}?by=vendorItemCode&${period}`)
  expect(counted.groups.map(({ key: item }: Payload) => item).sort()).toEqual(
    [...new Set(lines.map(({ item }) => item))].sort(),
  )
  for (const { key: item, lines: count, completeLines, missing } of counted.groups) {
    const own = lines.filter((line) => line.item === item)
    expect({ count, completeLines }).toEqual({
      count: own.length,
      completeLines: own.filter(({ rules }) => rules.size === 0).length,
    })
    const lacking = (rule: string) => own.filter(({ rules }) => rules.has(rule)).length
    for (const { rule, lines: without } of missing) expect(without, rule).toBe(lacking(rule))
    expect(missing.map(({ rule }: Payload) => rule).sort()).toEqual(
      [...new Set(own.flatMap(({ rules }) => [...rules]))].sort(),
    )
  }
  const listed = (await settled(call, `${gapsPath}?${period}`)).content
  expect(listed.length).toBe(lines.some(({ rules }) => rules.size > 0) ? 1 : 0)

  // The package, in which lines that want nothing show what the event lacks too.
  const service = { url: server.address }
  const { status, bytes } = await download(
    service,
    { key: async () => key },
    `/traceability/fda-package?gaps=true&${period}`,
  )
  expect(status).toBe(200)
  const files = unzipped(bytes)
  const { counts } = JSON.parse(textIn(files['manifest.json']))
  const [workbook = new Uint8Array()] = Object.entries(files).flatMap(([name, file]) =>
    name.endsWith('.xlsx') ? [file] : [],
  )
  const shown = ((await readWorkbook(workbook)).get('Gaps') ?? []).slice(1).map((row) => row[6])
  const named = new Set(productList.map(({ vendorItemCode }: Payload) => vendorItemCode))
  const expected = gaps
    .filter(({ pointer }: Payload) => {
      const [, place] = /^\/productMasterDataList\/(\d+)/.exec(pointer) ?? []
      return place === undefined || named.has(payload.productMasterDataList[Number(place)].itemCode)
    })
    .map(({ message }: Payload) => message)
  expect([...new Set(shown)].sort()).toEqual([...new Set(expected)].sort())
  expect(counts.gaps === 0).toBe(expected.length === 0)
}

test('counts, gaps, findings of today and the package agree about every record, whatever changed in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 3, maxLength: 14 }),
      fc.integer({ min: 1, max: 4 }),
      async (changes, atOnce) => {
        const provider = await newProvider()
        const events: (string | undefined)[] = []
        for (let start = 0; start < changes.length; start += atOnce) {
          const some = changes.slice(start, start + atOnce)
          // What is of one event in its order, everything else at once.
          const inTurn = new Map<number | undefined, Change[]>()
          for (const one of some) {
            const event = one.is === 'event' ? one.event.event : undefined
            inTurn.set(event, [...(inTurn.get(event) ?? []), one])
          }
          await Promise.all(
            [...inTurn.values()].map(async (turns) => {
              for (const one of turns) await make(provider.call, events, one)
            }),
          )
        }
        await settled(provider.call, completenessPath)
        for (const id of events) if (id !== undefined) await agree(provider, id)
      },
    ),
    { numRuns: Number(process.env.RECOUNT_RUNS ?? runs(12, 2)), endOnFailure: true },
  )
})
