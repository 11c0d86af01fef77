// What stands in the account of a partner, while records, places and grants of the provider change.
// Source: decision 0078.

import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Grant, Place } from '../../../src/contract/sharing.ts'
import { type SharingCopier, sharingCopier } from '../../../src/handlers/sharing/sharing-copier.ts'
import { recount } from '../../../src/handlers/traceability/recounts.ts'
import { checkEvidence } from '../../../src/operator/evidence-check.ts'
import { createApiKey } from '../../../src/store/base/api-keys.ts'
import { commandLine } from '../../../src/store/evidence/access-log.ts'
import { purgeAllDue } from '../../../src/store/keeping/purge.ts'
import { findPartner, replacePartnerSettings } from '../../../src/store/sharing/partners.ts'
import {
  claimSharing,
  completeSharing,
  noteRescan,
  openSharedAccount,
  partnersToCopyFor,
  restartRescan,
} from '../../../src/store/sharing/shared-copies.ts'
import { searchComparison } from '../../../src/wiring.ts'
import { isOnCluster } from '../../support/databases/database.ts'
import { untilItWaits } from '../../support/databases/lock-waits.ts'
import { allowMs } from '../../support/patience.ts'
import { eventPayload, locationPayload, type Payload, paths, productPayload } from '../../support/records/payloads.ts'
import { isShortRun } from '../../support/runs.ts'
import { handlerContextOn } from '../../support/servers/handler-context.ts'
import {
  type Call,
  calling,
  type Service,
  startServiceAlone,
  type TestProvider,
  testConfig,
} from '../../support/servers/service.ts'

let service: Service
beforeAll(async () => {
  service = await startServiceAlone()
})
afterAll(() => service?.close())

let provider: TestProvider
let administrate: Call
let context: ReturnType<typeof handlerContextOn>
let copier: SharingCopier | undefined
const dropped: string[] = []
beforeEach(async () => {
  provider = await service.provider()
  administrate = calling(service.url, await provider.key('administrator'))
  context = handlerContextOn(service.database.pool, { reportDropped: (what) => dropped.push(what) })
  dropped.length = 0
})
afterEach(async () => {
  await copier?.end()
  await context.changeListeners.end()
  expect(dropped).toEqual([])
  const { pool } = service.database
  const accounts = await pool.query('SELECT account_id AS account FROM partner WHERE provider_id = $1', [provider.id])
  for (const { account } of accounts.rows)
    await checkEvidence(
      pool,
      account,
      { ownKeyId: undefined, compareSearch: searchComparison(pool, testConfig()) },
      {
        fault: async (fault) => expect.fail(JSON.stringify(fault)),
        progress: () => undefined,
      },
    )
})

const begin = () => {
  copier = sharingCopier(context, { isAlone: false })
}

interface Partner {
  readonly id: string
  readonly account: string
  /** As a key of the account sees it. */
  readonly call: Call
}

async function addPartner(places: readonly Place[], grants: readonly Grant[]): Promise<Partner> {
  const { pool } = service.database
  const reply = await administrate('POST', '/partners', {
    body: { name: `River Foods ${randomUUID()}`, places, grants },
  })
  expect(reply.status, reply.text).toBe(201)
  const { id } = reply.body
  copier?.due(provider.id)
  const { rows } = await pool.query('SELECT account_id AS account FROM partner WHERE id = $1', [id])
  const { account } = rows[0]
  const key = await createApiKey(
    pool,
    { provider: account, role: 'partner', label: 'partner', expiresAt: undefined },
    commandLine,
  )
  return { id, account, call: calling(service.url, key) }
}

async function changePartner({ id }: Partner, places: readonly Place[], grants: readonly Grant[]) {
  const reply = await administrate('PUT', `/partners/${id}`, { body: { name: `River Foods ${id}`, places, grants } })
  expect(reply.status, reply.text).toBe(200)
  copier?.due(provider.id)
}

const isComplete = async ({ id }: Partner): Promise<boolean> => {
  const { state, completeDateTime } = (await administrate('GET', `/partners/${id}`)).body
  return state === 'open' && completeDateTime !== null
}
const untilComplete = (partner: Partner) =>
  expect.poll(() => isComplete(partner), { timeout: allowMs(20_000) }).toBe(true)

const post = async (path: string, body: Payload): Promise<string> => {
  const reply = await provider.call('POST', path, { body })
  expect(reply.status).toBe(201)
  return reply.body.request_ids[0]
}
const put = async (path: string, id: string, body: Payload) => {
  const reply = await provider.call('PUT', `${path}/${id}`, { body })
  expect(reply.status, reply.text).toBe(200)
}

/** An event of a vendor at a place. */
const eventAt = (shipTo: string, edit: (payload: Payload) => void = () => undefined): Payload =>
  eventPayload((payload) => {
    for (const one of payload.locationMasterList)
      if (one.locationCode === payload.eventList.shipToLocationCode) {
        one.locationCode = shipTo
        one.locationName = `Place ${shipTo}`
        delete one.gln
      }
    payload.eventList.shipToLocationCode = shipTo
    payload.eventList.methodOfPayment = 'Prepaid'
    edit(payload)
  })

const idsIn = async ({ call }: Partner, path: string = paths.receivingEvent): Promise<string[]> =>
  (await call('GET', path)).body.content.map(({ id }: { id: string }) => id).sort()
const shows = (partner: Partner, ids: readonly string[], path?: string) =>
  expect.poll(() => idsIn(partner, path), { timeout: allowMs(20_000) }).toEqual([...ids].sort())

const versionsOf = async ({ call }: Partner, id: string): Promise<readonly { keyId: string }[]> =>
  (await call('GET', `${paths.receivingEvent}/${id}/versions`)).body.content

/** Counts what the copies of master data made due. */
const countAgain = async ({ account }: Partner) => {
  for await (const _ of recount(context, account));
}

/** Purges what nothing kept since a moment; returns the versions, `id version`. */
async function purge(before: Date): Promise<string[]> {
  const purged: string[] = []
  for await (const { versions } of purgeAllDue(service.database.pool, provider.id, {
    before,
    now: new Date(),
    retentionYears: 2,
  }))
    purged.push(...versions.map(({ id, version }) => `${id} ${version}`))
  return purged
}

const shipTo: Grant = { direction: 'shipTo', withheld: ['methodOfPayment'] }

test('a partner sees the events at its places and what they name, without what is withheld, and what is stored later', async () => {
  const [own, other] = [
    await post(paths.receivingEvent, eventAt('DC-07')),
    await post(paths.receivingEvent, eventAt('DC-08')),
  ]
  const partner = await addPartner([{ locationCode: 'DC-07' }], [shipTo])
  begin()
  await untilComplete(partner)
  await shows(partner, [own])
  const source = (await provider.call('GET', `${paths.receivingEvent}/${own}`)).body
  const copy = (await partner.call('GET', `${paths.receivingEvent}/${own}`)).body
  const { methodOfPayment, ...event } = source.eventList
  expect(methodOfPayment).toBe('Prepaid')
  expect(copy).toEqual({ ...source, eventList: event })
  expect((await partner.call('GET', `${paths.receivingEvent}/${other}`)).status).toBe(404)
  const places = (await partner.call('GET', paths.location)).body.content
  expect(places.map((one: Payload) => one.locationMasterList.locationCode).sort()).toEqual(
    [event.shipFromLocationCode, 'DC-07'].sort(),
  )
  const later = await post(paths.receivingEvent, eventAt('DC-07'))
  await shows(partner, [own, later])
  expect((await versionsOf(partner, own)).map(({ keyId }) => keyId)).toEqual(['sharing'])
  await countAgain(partner)
  // Judged again, with the master data of the account.
  const countsOf = async (of: string) =>
    (
      await service.database.pool.query(
        'SELECT id, completeness FROM event WHERE provider_id = $1 AND id = ANY ($2) ORDER BY id',
        [of, [own, later]],
      )
    ).rows
  const counts = await countsOf(partner.account)
  expect(counts).toHaveLength(2)
  expect(counts).toEqual(await countsOf(provider.id))
})

test('what happens to a record happens to its copy: replacement, void, return, and withdrawal when it goes elsewhere or is purged', async () => {
  const [moved, voided, purged] = [
    await post(paths.receivingEvent, eventAt('DC-07')),
    await post(paths.receivingEvent, eventAt('DC-07')),
    await post(paths.receivingEvent, eventAt('DC-07')),
  ]
  begin()
  const partner = await addPartner([{ locationCode: 'DC-07' }], [shipTo])
  await untilComplete(partner)
  await shows(partner, [moved, voided, purged])
  const [place] = await idsIn(partner, paths.location)

  await put(paths.receivingEvent, moved, eventAt('DC-08'))
  expect(
    (await provider.call('POST', `${paths.receivingEvent}/${voided}/void`, { body: { reason: 'Entered twice' } }))
      .status,
  ).toBe(200)
  await shows(partner, [purged])
  expect((await partner.call('GET', `${paths.receivingEvent}/${moved}`)).status).toBe(410)
  const ofVoid = await partner.call('GET', `${paths.receivingEvent}?voided=only`)
  expect(ofVoid.body.content.map(({ id }: Payload) => id)).toEqual([voided])

  // It comes back under another id: what was withdrawn stays withdrawn.
  const back = eventAt('DC-07')
  await put(paths.receivingEvent, moved, back)
  await put(paths.receivingEvent, voided, eventAt('DC-07'))
  await expect.poll(async () => (await idsIn(partner)).length).toBe(3)
  const ids = await idsIn(partner)
  expect(ids).toEqual(expect.arrayContaining([voided, purged]))
  const again = ids.find((id) => id !== voided && id !== purged) as string
  expect((await partner.call('GET', `${paths.receivingEvent}/${again}`)).body.eventList.eventDateTime).toBe(
    back.eventList.eventDateTime,
  )
  // What changes of a record that the partner does not see makes no version.
  await put(paths.receivingEvent, moved, { ...back, eventList: { ...back.eventList, methodOfPayment: 'Collect' } })
  await put(paths.receivingEvent, voided, eventAt('DC-07'))
  await expect.poll(async () => (await versionsOf(partner, voided)).length).toBe(4)
  expect((await versionsOf(partner, again)).length).toBe(1)

  await purge(new Date(Date.now() + 2 * 86_400_000))
  await shows(partner, [])
  expect((await partner.call('GET', `${paths.receivingEvent}/${purged}`)).status).toBe(410)
  // Nor is master data left that no event names.
  await expect.poll(() => idsIn(partner, paths.location)).toEqual([])
  expect(await partner.call('GET', `${paths.location}/${place}`)).toMatchObject({
    status: 410,
    body: { detail: expect.stringContaining('is not shared with you since') },
  })
  const changes = (await partner.call('GET', '/changes?limit=200')).body
  expect(JSON.stringify(changes)).toContain('receivingEvent.purged')
})

test('places, grants and what they withhold can change: the account is opened again once it fits', async () => {
  const first = [await post(paths.receivingEvent, eventAt('DC-07')), await post(paths.receivingEvent, eventAt('DC-07'))]
  const second = await post(
    paths.receivingEvent,
    eventAt('DC-09', (payload) => {
      payload.eventList.dataProviderVendorId = 'V-OTHER'
    }),
  )
  begin()
  const partner = await addPartner([{ locationCode: 'DC-07' }], [shipTo])
  await untilComplete(partner)
  const [one = ''] = first
  const shownOf = async () => (await partner.call('GET', `${paths.receivingEvent}/${one}`)).body

  // More is shown in a new version of the same copy.
  const before = await shownOf()
  await changePartner(
    partner,
    [{ locationCode: 'DC-07' }, { locationCode: 'DC-09', dataProviderVendorId: 'V-OTHER' }],
    [{ ...shipTo, withheld: [] }],
  )
  await untilComplete(partner)
  expect(await idsIn(partner)).toEqual([...first, second].sort())
  const shown = await shownOf()
  expect(shown).toEqual({ ...before, eventList: { ...shown.eventList, methodOfPayment: 'Prepaid' } })
  expect((await versionsOf(partner, one)).length).toBe(2)

  // Less is shown under another id, with nothing of before in its history.
  await changePartner(
    partner,
    [{ locationCode: 'DC-07' }],
    [{ ...shipTo, withheld: ['methodOfPayment', 'billOfLadingNumber'] }],
  )
  await untilComplete(partner)
  const ids = await idsIn(partner)
  expect(ids).toHaveLength(2)
  expect(ids.filter((id) => first.includes(id))).toEqual([])
  expect((await partner.call('GET', `${paths.receivingEvent}/${one}`)).status).toBe(410)
  const { rows } = await service.database.pool.query(
    "SELECT record_id FROM record_version WHERE provider_id = $1 AND detail[1] LIKE '%methodOfPayment%'",
    [partner.account],
  )
  expect(rows).toEqual([])
})

test.skipIf(isShortRun)('a grant that ends takes its events along, and the other one stays', async () => {
  const payload = eventAt('DC-07')
  const id = await post(paths.receivingEvent, payload)
  const other = await post(
    paths.receivingEvent,
    eventAt('DC-07', ({ eventList }) => {
      eventList.dataProviderVendorId = 'V-ENDS'
    }),
  )
  const places = [{ locationCode: 'DC-07' }]
  const grantsUntil = (ms: number): readonly Grant[] => [
    { ...shipTo, dataProviderVendorIds: [payload.eventList.dataProviderVendorId] },
    { ...shipTo, dataProviderVendorIds: ['V-ENDS'], endDateTime: new Date(ms).toISOString().replace(/\.\d+Z/, 'Z') },
  ]
  begin()
  const partner = await addPartner(places, grantsUntil(Date.now() + 86_400_000))
  await shows(partner, [id, other])
  // It need not end before all is copied: only the change has to come before its end.
  const endsAt = Math.ceil((Date.now() + allowMs(1_000)) / 1_000) * 1_000
  await changePartner(partner, places, grantsUntil(endsAt))
  await shows(partner, [id])
  expect(Date.now()).toBeGreaterThanOrEqual(endsAt)
  await untilComplete(partner)
})

test('a lot that is opened in a recall shows its lines at both ends, and vendors see what they ship', async () => {
  const lot = 'RECALLED-1'
  const payload = eventAt('DC-07', ({ eventList }) => {
    eventList.productList = [
      { ...eventList.productList[0], caseLotNumber: lot },
      { ...eventList.productList[0], caseLotNumber: 'ANOTHER-LOT' },
    ]
  })
  const [id, unrelated] = [
    await post(paths.receivingEvent, payload),
    await post(paths.receivingEvent, eventAt('DC-07')),
  ]
  const elsewhere = await post(
    paths.receivingEvent,
    eventAt('DC-08', ({ eventList }) => {
      eventList.productList[0].caseLotNumber = lot
    }),
  )
  begin()
  const endDateTime = new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+Z/, 'Z')
  const inRecall = await addPartner([{ locationCode: 'DC-07' }], [{ lotCode: ` ${lot.toLowerCase()}`, endDateTime }])
  const vendor = await addPartner(
    [{ locationCode: payload.eventList.shipFromLocationCode }],
    [{ direction: 'shipFrom' }],
  )
  await untilComplete(inRecall)
  await untilComplete(vendor)
  expect(await idsIn(inRecall)).toEqual([id])
  const { productList } = (await inRecall.call('GET', `${paths.receivingEvent}/${id}`)).body.eventList
  expect(productList.map((line: Payload) => line.caseLotNumber)).toEqual([lot])
  expect(await idsIn(vendor)).toEqual([id, unrelated, elsewhere].sort())
})

test('places that are named by their GLN follow the locations that have it', async () => {
  const gln = '0614141000036'
  const atPlace = (code: string, own: string | undefined) =>
    eventAt(code, (payload) => {
      for (const one of payload.locationMasterList) if (one.locationCode === code && own !== undefined) one.gln = own
    })
  const [near, far] = [
    await post(paths.receivingEvent, atPlace('DC-A', gln)),
    await post(paths.receivingEvent, atPlace('DC-B', undefined)),
  ]
  begin()
  const partner = await addPartner([{ gln }], [shipTo])
  await untilComplete(partner)
  expect(await idsIn(partner)).toEqual([near])
  const locations = (await provider.call('GET', `${paths.location}?locationCode=DC-B`)).body.content
  const { id, ...location } = locations[0]
  await put(paths.location, id, { locationMasterList: { ...location.locationMasterList, gln } })
  await shows(partner, [near, far])
  await put(paths.location, id, { locationMasterList: { ...location.locationMasterList, gln: '0614141000043' } })
  await shows(partner, [near])
})

test('a location that lost the GLN of a place takes its events along, also where what it was before is purged', async () => {
  const gln = '0614141000036'
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+Z$/, 'Z')
  const event = eventAt('DC-A', (payload) => {
    payload.eventList.eventDateTime = tomorrow
    for (const one of payload.locationMasterList) if (one.locationCode === 'DC-A') one.gln = gln
  })
  const id = await post(paths.receivingEvent, event)
  begin()
  const partner = await addPartner([{ gln }], [shipTo])
  await untilComplete(partner)
  expect(await idsIn(partner)).toEqual([id])
  await copier?.end()
  const [location] = (await provider.call('GET', `${paths.location}?locationCode=DC-A`)).body.content
  await put(paths.location, location.id, {
    locationMasterList: { ...location.locationMasterList, gln: '0614141000043' },
  })
  const inAnHour = new Date(Date.now() + 3_600_000)
  expect(await purge(inAnHour)).toEqual([`${location.id} 1`])
  begin()
  await shows(partner, [])
})

test('a version of a copy is purged with the last version that it shows, and a void repeats it', async () => {
  const event = eventAt('DC-07')
  const id = await post(paths.receivingEvent, event)
  begin()
  const partner = await addPartner([{ locationCode: 'DC-07' }], [shipTo])
  await untilComplete(partner)
  await copier?.end()
  // Of this the partner sees nothing: its copy goes on showing the first version.
  await put(paths.receivingEvent, id, { ...event, eventList: { ...event.eventList, methodOfPayment: 'Collect' } })
  begin()
  const second = await post(paths.receivingEvent, eventAt('DC-07'))
  await shows(partner, [id, second])
  await copier?.end()
  const beforeVoid = new Date()
  const reply = await provider.call('POST', `${paths.receivingEvent}/${id}/void`, { body: { reason: 'Entered twice' } })
  expect(reply.status).toBe(200)
  const purged = await purge(beforeVoid)
  expect(purged).toContain(`${id} 1`)
  expect(purged).not.toContain(`${id} 2`)
  begin()
  await shows(partner, [id], `${paths.receivingEvent}?voided=only`)
  expect(await idsIn(partner)).toEqual([])
  // The second version is kept, and what a partner sees of it is what the first version of the copy shows.
  const versions = (await partner.call('GET', `${paths.receivingEvent}/${id}/versions`)).body.content
  expect(versions.map(({ purgedDateTime }: Payload) => purgedDateTime)).toEqual([null, null])
  const lot = event.eventList.productList[0].caseLotNumber
  const found = (await partner.call('GET', `/search?text=${encodeURIComponent(lot)}`)).body.content
  expect(found).toMatchObject([{ kind: 'earlierLotCode', match: 'exact', records: 1 }])
})

test('what has to be rescanned again stays so when a rescan that began before ends afterwards', async () => {
  const { pool } = service.database
  await addPartner([{ gln: '0614141000036' }], [shipTo])
  const claimed = {
    provider: provider.id,
    fence: (await claimSharing(pool, { provider: provider.id, isAlone: true }))?.fence ?? 0,
  }
  const [before] = await partnersToCopyFor(pool, { provider: provider.id })
  if (before === undefined) throw new Error('There is a partner.')
  await restartRescan(pool, { ...claimed, partnerIds: [before.id] })
  const atBefore = { ...claimed, partner: before.id, generation: before.generation }
  expect(await noteRescan(pool, { ...atBefore, rescanned: '{}' })).toBe(false)
  expect(await openSharedAccount(pool, { ...atBefore, until: undefined })).toBe(false)
  expect(await completeSharing(pool, atBefore)).toBe(false)
})

test('an account that a change closes while it is being opened stays closed', async ({ skip }) => {
  skip(isOnCluster(), 'It holds a transaction open around a statement, which is one of a node on a cluster')
  const { pool } = service.database
  const { id, account } = await addPartner([{ gln: '0614141000036' }], [shipTo])
  const fence = (await claimSharing(pool, { provider: provider.id, isAlone: true }))?.fence ?? 0
  const opening = { provider: provider.id, fence, partner: id, until: undefined }
  const name = `River Foods ${id}`
  const closing = await pool.connect()
  try {
    await closing.query('BEGIN')
    const partner = await findPartner(closing, provider.id, id)
    if (partner === undefined) throw new Error('There is a partner.')
    const { places, generation } = partner
    const change = { name, places, grants: [], generation, closes: true, until: undefined }
    await replacePartnerSettings(closing, { provider: provider.id, id, ...change }, commandLine)
    const opened = openSharedAccount(pool, { ...opening, generation })
    await untilItWaits(pool, 'complete AS MATERIALIZED (')
    await closing.query('COMMIT')
    expect(await opened).toBe(false)
  } finally {
    closing.release(true)
  }
  const { rows } = await pool.query('SELECT sharing_closed AS closed FROM partner_account WHERE provider_id = $1', [
    account,
  ])
  expect(rows).toEqual([{ closed: true }])
})

test('master data follows, as far as events that are shared name it', async () => {
  const payload = eventAt('DC-07')
  const vendor = payload.eventList.dataProviderVendorId
  const itemCode = payload.eventList.productList[0].vendorItemCode
  await post(paths.receivingEvent, payload)
  begin()
  const partner = await addPartner([{ locationCode: 'DC-07' }], [{ ...shipTo, withheld: ['grossWeight'] }])
  await untilComplete(partner)
  const product = productPayload(({ productMasterDataList: one }) => {
    one.dataProviderVendorId = vendor
    one.itemCode = itemCode
    one.grossWeight = 18.5
    one.grossWeightUOM = 'LB'
  })
  const named = await post(paths.masterProduct, product)
  const unnamed = await post(paths.masterProduct, productPayload())
  await post(paths.location, locationPayload())
  await shows(partner, [named], paths.masterProduct)
  expect(
    (await partner.call('GET', `${paths.masterProduct}/${named}`)).body.productMasterDataList.grossWeight,
  ).toBeUndefined()
  await put(paths.masterProduct, named, {
    ...product,
    productMasterDataList: { ...product.productMasterDataList, itemDescription: 'Another name' },
  })
  await expect
    .poll(
      async () =>
        (await partner.call('GET', `${paths.masterProduct}/${named}`)).body.productMasterDataList.itemDescription,
    )
    .toBe('Another name')
  expect((await partner.call('GET', `${paths.masterProduct}/${unnamed}`)).status).toBe(404)
  await put(paths.masterProduct, named, {
    ...product,
    productMasterDataList: { ...product.productMasterDataList, itemCode: 'ELSEWHERE' },
  })
  await shows(partner, [], paths.masterProduct)
})

test('master data is withdrawn again when the event that names it could not be copied before it went elsewhere', async () => {
  const { pool } = service.database
  const partner = await addPartner([{ locationCode: 'DC-07' }], [shipTo])
  let failures = 0
  let isBusy = false
  const busy = new Proxy(pool, {
    get: (target, name) => {
      if (name !== 'query') return Reflect.get(target, name)
      return (...given: Parameters<typeof pool.query>) => {
        const [{ text = '', values = [] }] = given as unknown as [{ text?: string; values?: unknown[] }]
        const isNoted =
          text.includes('INSERT INTO shared_copy') &&
          values.some((value) => Buffer.isBuffer(value) && value.includes('receivingEvent'))
        if (!isBusy || !isNoted) return target.query(...given)
        failures++
        return Promise.reject(Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' }))
      }
    },
  })
  context = handlerContextOn(busy, { reportDropped: () => undefined })
  begin()
  await untilComplete(partner)
  // Its place is known long before.
  const event = eventAt('DC-07')
  const from = event.eventList.shipFromLocationCode
  for (const one of event.locationMasterList) if (one.locationCode === from) one.locationCode = 'FARM-1'
  event.eventList.shipFromLocationCode = 'FARM-1'
  const [place] = event.locationMasterList.filter((one: Payload) => one.locationCode === 'FARM-1')
  const { dataProviderVendorId } = event.eventList
  await post(paths.location, { locationMasterList: { ...place, dataProviderVendorId } })
  const shared = [await post(paths.receivingEvent, eventAt('DC-07'))]
  await shows(partner, shared)
  const failingSince = async () =>
    (await pool.query('SELECT failing_since FROM sharing WHERE provider_id = $1', [provider.id])).rows[0].failing_since
  expect(await failingSince()).toBeNull()
  isBusy = true
  const id = await post(paths.receivingEvent, event)
  await expect.poll(() => failures).toBeGreaterThan(0)
  await expect.poll(failingSince).not.toBeNull()
  await put(paths.receivingEvent, id, eventAt('DC-08'))
  isBusy = false
  shared.push(await post(paths.receivingEvent, eventAt('DC-07')))
  await shows(partner, shared)
  const codesIn = async () =>
    (await partner.call('GET', paths.location)).body.content.map((one: Payload) => one.locationMasterList.locationCode)
  await expect.poll(async () => (await codesIn()).sort()).toEqual(['DC-07', from].sort())
  await expect.poll(failingSince).toBeNull()
})

test('while what is withheld changes, nothing is shown that neither the old nor the new sharing opens', async () => {
  for (let n = 0; n < 3; n++)
    await post(
      paths.receivingEvent,
      eventAt('DC-07', ({ eventList, locationMasterList }) => {
        eventList.eventDateTime = `2026-03-0${n + 1}T08:15:00-05:00`
        for (const one of locationMasterList) one.businessUnit = 'Own unit'
      }),
    )
  begin()
  const partner = await addPartner([{ locationCode: 'DC-07' }], [{ ...shipTo, withheld: ['businessUnit'] }])
  await untilComplete(partner)
  // The key is believed for a moment after the account was closed.
  const answers: string[] = [(await partner.call('GET', paths.location)).text]
  let isDone = false
  const reading = (async () => {
    while (!isDone) answers.push((await partner.call('GET', paths.location)).text)
  })()
  await changePartner(partner, [{ locationCode: 'ELSEWHERE' }], [{ ...shipTo, withheld: [] }])
  await untilComplete(partner)
  isDone = true
  await reading
  expect(answers[0]).toContain('DC-07')
  expect(answers.filter((text) => text.includes('Own unit'))).toEqual([])
})

test('of several products with one code, the newest counts in the account too, also when an older one comes back', async () => {
  const payload = eventAt('DC-07')
  const vendor = payload.eventList.dataProviderVendorId
  const itemCode = payload.eventList.productList[0].vendorItemCode
  await post(paths.receivingEvent, payload)
  begin()
  const partner = await addPartner([{ locationCode: 'DC-07' }], [shipTo])
  await untilComplete(partner)
  const described = (itemDescription: string, code = itemCode) =>
    productPayload(({ productMasterDataList: one }) =>
      Object.assign(one, { dataProviderVendorId: vendor, itemCode: code, itemDescription }),
    )
  const older = await post(paths.masterProduct, described('Older'))
  await post(paths.masterProduct, described('Newer'))
  const shown = async (call: Call) =>
    (await call('GET', `${paths.masterProduct}?sort=created`)).body.content.map(
      (one: Payload) => one.productMasterDataList.itemDescription,
    )
  const expectShown = (descriptions: readonly string[]) =>
    expect.poll(() => shown(partner.call), { timeout: allowMs(20_000) }).toEqual(descriptions)
  await expectShown(await shown(provider.call))
  await put(paths.masterProduct, older, described('Older', 'ELSEWHERE'))
  await expectShown(['Newer'])
  await put(paths.masterProduct, older, described('Older'))
  await expect.poll(async () => (await shown(partner.call)).length, { timeout: allowMs(20_000) }).toBe(2)
  expect(await shown(partner.call)).toEqual(await shown(provider.call))
})

test('with history, the versions of before that are shared come first; records may have changed keys', async () => {
  const [at, then] = [eventAt('DC-07'), eventAt('DC-07')]
  const [one, two] = [await post(paths.receivingEvent, at), await post(paths.receivingEvent, then)]
  await put(paths.receivingEvent, one, eventAt('DC-08'))
  for (let i = 0; i < 6; i++) await put(paths.receivingEvent, one, eventAt('DC-07'))
  // They take each other's place.
  await put(paths.receivingEvent, two, at)
  await put(paths.receivingEvent, one, then)
  begin()
  const partner = await addPartner([{ locationCode: 'DC-07' }], [{ ...shipTo, withHistory: true }])
  await untilComplete(partner)
  expect(await idsIn(partner)).toEqual([one, two].sort())
  // Not the version at another place.
  expect((await versionsOf(partner, one)).length).toBe(8)
  expect((await versionsOf(partner, two)).length).toBe(2)
  const withoutHistory = await addPartner([{ locationCode: 'DC-07' }], [shipTo])
  await untilComplete(withoutHistory)
  expect((await versionsOf(withoutHistory, one)).length).toBe(1)
  await copier?.end()
  // While nobody looks they change places, so that each copy has the key of the other.
  await put(paths.receivingEvent, two, eventAt('DC-07'))
  await put(paths.receivingEvent, one, at)
  await put(paths.receivingEvent, two, then)
  begin()
  for (const { call } of [partner, withoutHistory])
    await expect
      .poll(
        async () =>
          (await call('GET', paths.receivingEvent)).body.content.map(
            ({ eventList }: Payload) => eventList.purchaseOrderNumber,
          ).length,
      )
      .toBe(2)
  const sourceTimes = [at, then].map(({ eventList }) => eventList.eventDateTime).sort()
  const timesIn = async ({ call }: Partner) =>
    (await call('GET', paths.receivingEvent)).body.content
      .map(({ eventList }: Payload) => eventList.eventDateTime)
      .sort()
  for (const each of [partner, withoutHistory]) await expect.poll(() => timesIn(each)).toEqual(sourceTimes)
})

test('the dates received are those at the provider: its time zones of these places count, and no others are there', async () => {
  const setZone = async (...timeZones: object[]) =>
    expect((await administrate('PUT', '/location-time-zones', { body: { timeZones } })).status).toBe(200)
  const inUtc = (shipTo: string) =>
    eventAt(shipTo, ({ eventList }) => {
      eventList.eventDateTime = eventList.eventDateTime.replace(/T.*/, 'T02:30:00Z')
    })
  await setZone(
    { locationCode: 'DC-07', timeZone: 'Pacific/Honolulu' },
    { locationCode: 'DC-08', timeZone: 'Asia/Tokyo' },
  )
  const id = await post(paths.receivingEvent, inUtc('DC-07'))
  await post(paths.receivingEvent, inUtc('DC-08'))
  begin()
  const partner = await addPartner([{ locationCode: 'DC-07' }, { locationCode: 'DC-09' }], [shipTo])
  await untilComplete(partner)
  const zonesIn = async () =>
    (
      await service.database.pool.query(
        'SELECT "locationCode", time_zone FROM location_time_zone WHERE provider_id = $1 ORDER BY 1',
        [partner.account],
      )
    ).rows.map((row) => Object.values(row))
  expect(await zonesIn()).toEqual([['DC-07', 'Pacific/Honolulu']])
  const sheetOf = async (call: Call) =>
    (await call('GET', '/traceability/fda-spreadsheet?format=csv&shipToLocationCode=DC-07')).text
  expect(await sheetOf(partner.call)).toBe(await sheetOf(provider.call))
  // The stored finding that a date is one in UTC does not come up where the place has a time zone.
  expect((await partner.call('GET', `${paths.receivingEvent}/${id}/findings`)).text).not.toContain(
    'date-received-local',
  )
  await setZone({ locationCode: 'DC-07' }, { locationCode: 'DC-09', timeZone: 'Asia/Tokyo' })
  copier?.due(provider.id)
  await expect.poll(zonesIn, { timeout: allowMs(20_000) }).toEqual([])
  await post(paths.receivingEvent, inUtc('DC-09'))
  await expect.poll(zonesIn, { timeout: allowMs(20_000) }).toEqual([['DC-09', 'Asia/Tokyo']])
})

test('a copier that ended in the middle is followed by one that ends the same, and a deleted partner leaves nothing', async () => {
  const ids: string[] = []
  for (let i = 0; i < 12; i++) ids.push(await post(paths.receivingEvent, eventAt('DC-07')))
  const partner = await addPartner([{ locationCode: 'DC-07' }], [shipTo])
  const { pool } = service.database
  begin()
  await untilComplete(partner)
  await copier?.end()
  // As one leaves it that ends between its note and what it writes, or between that and the next note.
  await pool.query(
    `UPDATE shared_copy SET settled = false, versions = versions || 2 WHERE provider_id = $1 AND record_id = ANY ($2)`,
    [provider.id, ids.slice(0, 4)],
  )
  await pool.query(`UPDATE sharing SET until = now() - interval '1 second' WHERE provider_id = $1`, [provider.id])
  for (const id of ids.slice(0, 6)) await put(paths.receivingEvent, id, eventAt('DC-07'))
  begin()
  await expect.poll(async () => (await versionsOf(partner, ids[0] ?? '')).length).toBe(2)
  await expect.poll(async () => (await versionsOf(partner, ids[5] ?? '')).length).toBe(2)
  expect(await idsIn(partner)).toEqual([...ids].sort())

  // What nobody noted, as one that was late may have written it, goes with the next rescan.
  const stray = ids[11] ?? ''
  await pool.query('DELETE FROM shared_copy WHERE provider_id = $1 AND record_id = $2', [provider.id, stray])
  await changePartner(partner, [{ locationCode: 'DC-07' }], [{ ...shipTo, withheld: [] }])
  await untilComplete(partner)
  expect((await partner.call('GET', `${paths.receivingEvent}/${stray}`)).status).toBe(410)
  expect(await idsIn(partner)).toHaveLength(ids.length)

  expect((await administrate('DELETE', `/partners/${partner.id}`)).status).toBe(200)
  copier?.due(provider.id)
  await expect
    .poll(async () => (await pool.query('SELECT 1 FROM partner WHERE id = $1', [partner.id])).rows.length, {
      timeout: allowMs(20_000),
    })
    .toBe(0)
  const left = await pool.query('SELECT 1 FROM record_version WHERE provider_id = $1 AND detail IS NOT NULL', [
    partner.account,
  ])
  expect(left.rows).toEqual([])
  expect((await pool.query('SELECT 1 FROM shared_copy WHERE partner_id = $1', [partner.id])).rows).toEqual([])
})
