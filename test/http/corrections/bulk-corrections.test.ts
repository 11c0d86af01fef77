// Bulk corrections, carried out by the program as a user runs it: what is previewed is what is
// stored, once, whatever happens meanwhile.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type OwnDatabase, ownDatabase } from '../../support/databases/database.ts'
import { passLeases } from '../../support/databases/passed-leases.ts'
import { download } from '../../support/files/download.ts'
import { readCsv, readWorkbook } from '../../support/files/read-workbook.ts'
import { allowMs } from '../../support/patience.ts'
import { eventPayload, nextDateTime, type Payload, paths } from '../../support/records/payloads.ts'
import { isShortRun } from '../../support/runs.ts'
import { type ServerProcess, startServerProcess } from '../../support/servers/server-process.ts'
import { type Call, calling, makeProvider, type Reply } from '../../support/servers/service.ts'

vi.setConfig({ testTimeout: allowMs(120_000) })

let own: OwnDatabase
let pool: pg.Pool
let server: ServerProcess
beforeAll(async () => {
  own = await ownDatabase()
  server = await startServerProcess(own.env)
  pool = new pg.Pool({ connectionString: own.place.databaseUrl })
})
afterAll(async () => {
  await pool?.end()
  await server?.end('SIGTERM')
  await own?.drop()
})

/** A call of a provider of its own, to whichever server runs. */
async function newProvider(): Promise<Call & { readonly key: string }> {
  const key = await (await makeProvider(pool, server.address)).key('writer')
  return Object.assign((...asked: Parameters<Call>) => calling(server.address, key)(...asked), { key })
}

async function ok(reply: Promise<Reply>): Promise<Payload> {
  const answered = await reply
  expect([200, 201], answered.text).toContain(answered.status)
  return answered.body
}

const createEvent = async (call: Call, edit?: (payload: Payload) => void): Promise<string> =>
  (await ok(call('POST', paths.receivingEvent, { body: eventPayload(edit) }))).request_ids[0]

/** The correction once it has come to one of these states. */
async function settled(call: Call, id: string, ...states: string[]): Promise<Payload> {
  let correction: Payload
  await expect
    .poll(
      async () => {
        correction = await ok(call('GET', `/corrections/${id}`))
        return states.includes(correction.state)
      },
      { timeout: allowMs(60_000), interval: 20 },
    )
    .toBe(true)
  return correction
}

async function preview(call: Call, asked: { where?: Payload; changes: Payload }): Promise<Payload> {
  const { id } = await ok(call('POST', '/corrections', { body: { reason: 'told by the vendor', where: {}, ...asked } }))
  return settled(call, id, 'previewed')
}

async function apply(call: Call, id: string, choice: Payload = {}): Promise<Payload> {
  const { outcomes } = await ok(call('GET', `/corrections/${id}`))
  await ok(call('POST', `/corrections/${id}/apply`, { body: { ready: outcomes.ready, ...choice } }))
  return settled(call, id, 'done')
}

const events = async (call: Call, id: string, query = ''): Promise<Payload[]> =>
  (await ok(call('GET', `/corrections/${id}/events${query}`))).content

const record = (call: Call, id: string): Promise<Payload> => ok(call('GET', `${paths.receivingEvent}/${id}`))

const versions = async (call: Call, id: string): Promise<Payload[]> =>
  (await ok(call('GET', `${paths.receivingEvent}/${id}/versions`))).content

const asnOf = ({ eventList }: Payload): string => eventList.asnNumber

const withoutStyle = (payload: Payload): void => {
  delete payload.productMasterDataList[0].packStyle
}

describe('a correction', () => {
  test('stores nothing before it is applied, and then a version with its reason where the field is missing', async () => {
    const call = await newProvider()
    const incomplete = await createEvent(call, (payload) => {
      withoutStyle(payload)
      payload.payloadId = 'sent by the vendor'
    })
    const complete = await createEvent(call)
    const itemCode = (await record(call, incomplete)).productMasterDataList[0].itemCode
    const lines = (await record(call, incomplete)).eventList.productList.filter(
      ({ vendorItemCode }: Payload) => vendorItemCode === itemCode,
    ).length

    const previewed = await preview(call, { changes: [{ field: 'product.packStyle', set: 'Carton' }] })
    expect(previewed).toMatchObject({
      events: 2,
      outcomes: { ready: 1, unchanged: 1, corrected: 0 },
      values: 1,
      completedLines: lines,
      closedGaps: lines,
    })
    expect(await events(call, previewed.id, '?outcome=ready')).toMatchObject([
      {
        id: incomplete,
        version: 1,
        toVersion: null,
        differences: [{ pointer: '/productMasterDataList/0/packStyle', before: null, after: 'Carton' }],
      },
    ])
    expect(await versions(call, incomplete)).toHaveLength(1)

    expect(await apply(call, previewed.id)).toMatchObject({ outcomes: { ready: 0, unchanged: 1, corrected: 1 } })
    expect((await record(call, incomplete)).productMasterDataList[0].packStyle).toBe('Carton')
    expect(await versions(call, incomplete)).toMatchObject([
      { version: 2, payloadId: null, correction: { id: previewed.id, reason: 'told by the vendor' } },
      { version: 1, payloadId: 'sent by the vendor', correction: null },
    ])
    expect(await versions(call, complete)).toHaveLength(1)
    expect((await ok(call('GET', `${paths.receivingEvent}/${incomplete}/findings`))).findings).toEqual([])
    expect((await ok(call('GET', '/traceability/completeness'))).total).toMatchObject({ share: 1 })
    // Once more changes nothing.
    await apply(call, previewed.id)
    expect(await versions(call, incomplete)).toHaveLength(2)
  })

  test('leaves alone what the rules refuse and what others changed, and reports why', async () => {
    const call = await newProvider()
    const [first, second, third] = [await createEvent(call), await createEvent(call), await createEvent(call)]
    const previewed = await preview(call, {
      changes: [{ field: 'event.purchaseOrderNumber', set: 'PO-NEW', overwrite: true }],
    })
    expect(previewed.outcomes).toMatchObject({ ready: 3 })
    const edited = await record(call, second)
    edited.eventList.billOfLadingNumber = 'BOL-EDITED'
    await ok(call('PUT', `${paths.receivingEvent}/${second}`, { body: edited }))
    expect((await apply(call, previewed.id)).outcomes).toMatchObject({ corrected: 2, superseded: 1 })
    expect((await record(call, second)).eventList).toMatchObject({
      billOfLadingNumber: 'BOL-EDITED',
      purchaseOrderNumber: edited.eventList.purchaseOrderNumber,
    })
    expect((await record(call, third)).eventList.purchaseOrderNumber).toBe('PO-NEW')
    expect(await events(call, previewed.id, '?outcome=superseded')).toMatchObject([
      { id: second, detail: 'The event changed after it was chosen: it is at version 2.' },
    ])

    const wrong = await preview(call, {
      where: { purchaseOrderNumber: ['PO-NEW'] },
      changes: [{ field: 'event.shipToLocationCode', set: 'NOWHERE', overwrite: true }],
    })
    expect(wrong).toMatchObject({ events: 2, outcomes: { refused: 2, ready: 0 }, values: 0 })
    const [refused] = await events(call, wrong.id, '?outcome=refused')
    expect(refused.detail).toMatch(/^\/eventList\/shipToLocationCode: .*NOWHERE/)
    expect((await apply(call, wrong.id)).outcomes).toMatchObject({ refused: 2, corrected: 0 })
    expect(await versions(call, first)).toHaveLength(2)

    const report = `/corrections/${previewed.id}/report`
    const rows = readCsv((await call('GET', `${report}?format=csv`)).text)
    const { bytes } = await download({ url: server.address }, { key: async () => call.key }, report)
    const sheets = await readWorkbook(bytes)
    expect(sheets.get('Events')).toEqual(rows)
    const column = (heading: string) => rows.slice(1).map((row) => row[rows[0]?.indexOf(heading) ?? -1])
    expect(column('Receiving event')).toEqual([first, second, third])
    expect(column('Outcome')).toEqual(['corrected', 'superseded', 'corrected'])
    expect(column('To version')).toEqual(['2', '', '2'])
    expect(sheets.get('Correction')).toContainEqual(['Reason', 'told by the vendor'])
  })

  test('is applied without the events that are left out, or to those alone that are chosen', async () => {
    const call = await newProvider()
    const [first, second, third] = [await createEvent(call), await createEvent(call), await createEvent(call)]
    const changes = (set: string) => ({ changes: [{ field: 'event.asnNumber', set, overwrite: true }] })
    const previewed = await preview(call, changes('ASN-1'))
    for (const [choice, words] of [
      [{ only: [first], leaveOut: [second] }, 'Both only and leaveOut'],
      [{ only: ['x'] }, 'only has "x", which is no event of this correction that is ready'],
      [{ leaveOut: [previewed.id] }, 'which is no event of this correction'],
      [{ leaveOut: [first, second, third] }, 'leaveOut names every event'],
    ] as const) {
      const reply = await call('POST', `/corrections/${previewed.id}/apply`, { body: { ready: 3, ...choice } })
      expect(reply.status).toBe(422)
      expect(reply.body.detail).toContain(words)
    }
    expect((await apply(call, previewed.id, { leaveOut: [second] })).outcomes).toMatchObject({
      corrected: 2,
      leftOut: 1,
      ready: 0,
    })
    expect(await events(call, previewed.id, '?outcome=leftOut')).toMatchObject([{ id: second, toVersion: null }])
    const other = await preview(call, changes('ASN-2'))
    expect((await apply(call, other.id, { only: [second] })).outcomes).toMatchObject({ corrected: 1, leftOut: 2 })
    const numbers = await Promise.all(
      [first, second, third].map(async (id) => (await record(call, id)).eventList.asnNumber),
    )
    expect(numbers).toEqual(['ASN-1', 'ASN-2', 'ASN-1'])
    expect(await versions(call, second)).toHaveLength(2)
  })

  test('is undone as one act: back to what stood before, where nothing newer stands', async () => {
    const call = await newProvider()
    const ids = [
      await createEvent(call, withoutStyle),
      await createEvent(call, withoutStyle),
      await createEvent(call, withoutStyle),
    ]
    const [first = '', edited = '', voided = ''] = ids
    const before = await record(call, first)
    const undo = (id: string, reason = 'the vendor was wrong') =>
      call('POST', `/corrections/${id}/undo`, { body: { reason } })
    const previewed = await preview(call, {
      changes: [
        { field: 'product.packStyle', set: 'Carton' },
        { field: 'location.address.streetAddress2', set: 'Dock 4' },
      ],
    })
    expect((await undo(previewed.id)).status).toBe(409)
    const done = await apply(call, previewed.id)
    expect(done).toMatchObject({ undoes: null, undoneBy: null })
    expect((await undo(previewed.id, ' ')).status).toBe(422)

    const newer = await record(call, edited)
    newer.eventList.billOfLadingNumber = 'BOL-EDITED'
    await ok(call('PUT', `${paths.receivingEvent}/${edited}`, { body: newer }))
    await ok(call('POST', `${paths.receivingEvent}/${voided}/void`, { body: { reason: 'entered twice' } }))
    const undoing = await settled(call, (await ok(undo(previewed.id))).id, 'previewed')
    expect(undoing).toMatchObject({
      undoes: previewed.id,
      events: 3,
      outcomes: { ready: 1, superseded: 2 },
      closedGaps: -done.closedGaps / 3,
      completedLines: -done.completedLines / 3,
    })
    const [{ differences, values }] = await events(call, undoing.id, '?outcome=ready')
    expect(values).toBe(done.values / 3)
    expect(differences).toContainEqual({ pointer: '/productMasterDataList/0/packStyle', before: 'Carton', after: null })
    expect(await versions(call, first)).toHaveLength(2)

    expect((await apply(call, undoing.id)).outcomes).toMatchObject({ corrected: 1, superseded: 2 })
    expect(await record(call, first)).toEqual(before)
    expect(await versions(call, first)).toMatchObject([
      { version: 3, correction: { id: undoing.id, reason: 'the vendor was wrong' } },
      { version: 2, correction: { id: previewed.id } },
      { version: 1 },
    ])
    expect((await record(call, edited)).eventList.billOfLadingNumber).toBe('BOL-EDITED')
    expect(await ok(call('GET', `/corrections/${previewed.id}`))).toMatchObject({ undoneBy: undoing.id })
    // What was undone can be undone; what an undoing left alone cannot be undone by it.
    const again = await settled(call, (await ok(undo(undoing.id))).id, 'previewed')
    expect(again).toMatchObject({ events: 1, outcomes: { ready: 1 } })
    await apply(call, again.id)
    expect((await record(call, first)).productMasterDataList[0].packStyle).toBe('Carton')
    const late = await settled(call, (await ok(undo(previewed.id))).id, 'previewed')
    expect(late.outcomes).toMatchObject({ ready: 0, superseded: 3 })
    const wanted = await preview(call, { changes: [{ field: 'product.packStyle', replace: 'none', set: 'Bag' }] })
    await apply(call, wanted.id)
    expect((await undo(wanted.id)).body.detail).toContain('no event that it corrected')
  })

  test('completes the source of the lot codes that lack it, and no other line', async () => {
    const call = await newProvider()
    const id = await createEvent(call, ({ eventList }) => {
      const [line] = eventList.productList
      const number = { ...line, tlcSourceReferenceFfrn: undefined, tlcSourceReferenceGln: '4006381333931' }
      eventList.productList = [line, number, { ...number, vendorItemCode: eventList.productList.at(-1).vendorItemCode }]
    })
    const before = await record(call, id)
    const source = {
      'line.tlcSourceName': 'Green Valley Farms',
      'line.tlcSourceAddress1': '1200 Harvest Road',
      'line.tlcSourceCity': 'Salinas',
      'line.tlcSourceState': 'CA',
      'line.tlcSourcePostalCode': '93901',
      'line.tlcSourceCountry': 'USA',
      'line.tlcSourcePhoneNumber': '+1.831.555.0100',
    }
    const previewed = await preview(call, {
      where: { gap: 'product-line/tlc-source-place', dataProviderVendorId: [before.eventList.dataProviderVendorId] },
      changes: Object.entries(source).map(([field, set]) => ({ field, set })),
    })
    const count = before.eventList.productList.length - 1
    expect(previewed).toMatchObject({ values: count * Object.keys(source).length, completedLines: count })
    await apply(call, previewed.id)
    const after = (await record(call, id)).eventList.productList
    expect(after[0]).toEqual(before.eventList.productList[0])
    expect(after.slice(1).map(({ tlcSourceName }: Payload) => tlcSourceName)).toEqual(
      Array(count).fill('Green Valley Farms'),
    )
  })

  test('of an event of 5,000 lines changes the lines of one lot', async () => {
    const call = await newProvider()
    const id = await createEvent(call, ({ eventList }) => {
      const [line] = eventList.productList
      eventList.productList = Array.from({ length: 5_000 }, (_, n) => ({ ...line, caseLotNumber: `LOT-${n % 100}` }))
    })
    const previewed = await preview(call, {
      where: { lotCode: ['LOT-7'] },
      changes: [{ field: 'line.countryOfOrigin', set: 'MEX', overwrite: true }],
    })
    expect(previewed).toMatchObject({ values: 50, outcomes: { ready: 1 } })
    await apply(call, previewed.id)
    const changed = (await record(call, id)).eventList.productList.filter(
      ({ countryOfOrigin }: Payload) => countryOfOrigin === 'MEX',
    )
    expect(new Set(changed.map(({ caseLotNumber }: Payload) => caseLotNumber))).toEqual(new Set(['LOT-7']))
  })

  test('chooses the events that are named by their ids, and no others', async () => {
    const call = await newProvider()
    const [first, second, third] = [await createEvent(call), await createEvent(call), await createEvent(call)]
    const where = { recordId: [first, third] }
    const changes = [{ field: 'event.asnNumber', set: 'ASN-9', overwrite: true }]
    const previewed = await preview(call, { where, changes })
    expect(previewed).toMatchObject({ where, events: 2, outcomes: { ready: 2 } })
    await apply(call, previewed.id)
    expect((await Promise.all([first, second, third].map((id) => record(call, id)))).map(asnOf)).toEqual([
      'ASN-9',
      eventPayload().eventList.asnNumber,
      'ASN-9',
    ])
    const reply = await call('POST', '/corrections', {
      body: { reason: 'a test', where: { recordId: ['7'] }, changes },
    })
    expect(reply.status).toBe(422)
    expect(reply.body.detail).toContain('no id of a record')
  })

  test('ends when it is cancelled, and is refused when it says nothing', async () => {
    const call = await newProvider()
    const id = await createEvent(call)
    const previewed = await preview(call, {
      changes: [{ field: 'event.asnNumber', set: 'ASN-9', overwrite: true }],
    })
    expect(await ok(call('DELETE', `/corrections/${previewed.id}`))).toMatchObject({ state: 'cancelled' })
    expect((await call('POST', `/corrections/${previewed.id}/apply`, { body: { ready: 1 } })).status).toBe(409)
    expect(await versions(call, id)).toHaveLength(1)
    const none = { reason: 'a test', where: {} }
    for (const [changes, words] of [
      [[{ field: 'event.asnNumber' }], 'needs either set'],
      [[{ field: 'event.asnNumber', remove: true }], 'Say which values'],
      [[{ field: 'product.isFtlItem', set: 'yes' }], 'It must be true or false'],
      [[{ field: 'event.asnNumber', set: 'A', replace: 'B', overwrite: true }], 'both replace and overwrite'],
    ] as const) {
      const reply = await call('POST', '/corrections', { body: { ...none, changes } })
      expect(reply.status).toBe(422)
      expect(reply.body.detail).toContain(words)
    }
  })
})

describe.skipIf(isShortRun)('a correction that is broken off', () => {
  /** Events of one correction, and how many it has at least corrected before it is broken off. */
  const count = 400
  const corrected = 20
  const readAtOnce = 16

  test('goes on after the server was killed, beside another process, and corrects nothing twice', async () => {
    const call = await newProvider()
    const { eventList, ...lists } = eventPayload()
    const many = Array.from({ length: count }, () => ({ ...eventList, eventDateTime: nextDateTime() }))
    const ids: string[] = (await ok(call('POST', paths.receivingEvent, { body: { ...lists, eventList: many } })))
      .request_ids
    const previewed = await preview(call, {
      changes: [{ field: 'event.purchaseOrderNumber', replace: eventList.purchaseOrderNumber, set: 'PO-RIGHT' }],
    })
    expect(previewed.outcomes).toMatchObject({ ready: count })
    await ok(call('POST', `/corrections/${previewed.id}/apply`, { body: { ready: count } }))
    const progress = async () => (await ok(call('GET', `/corrections/${previewed.id}`))).outcomes.corrected
    await expect.poll(progress, { timeout: allowMs(30_000), interval: 5 }).toBeGreaterThanOrEqual(corrected)
    await server.end('SIGKILL')
    server = await startServerProcess(own.env)
    const done = await progress()
    const other = await startServerProcess(own.env)
    await passLeases(own.place.databaseUrl ?? '', 'correction')
    const ended = await settled(call, previewed.id, 'done')
    await other.end('SIGTERM')
    expect(done).toBeLessThan(count)
    expect(ended.outcomes).toMatchObject({ corrected: count, ready: 0, superseded: 0 })
    for (let start = 0; start < count; start += readAtOnce)
      for (const [latest, ...earlier] of await Promise.all(
        ids.slice(start, start + readAtOnce).map((id) => versions(call, id)),
      )) {
        expect(latest).toMatchObject({ version: 2, correction: { id: previewed.id } })
        expect(earlier).toHaveLength(1)
      }
  })
})
