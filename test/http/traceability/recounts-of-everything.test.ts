// All events of a provider are counted again after an upgrade, once, and after an archive was
// imported, at once.
import type pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../../../src/store/database/database.ts'
import { version } from '../../../src/version.ts'
import { type OwnDatabase, ownDatabase } from '../../support/databases/database.ts'
import { exported, importArchive } from '../../support/files/archives.ts'
import { eventPayload, locationPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { metricOf } from '../../support/servers/metric-of.ts'
import { runCommand, type ServerProcess, startServerProcess } from '../../support/servers/server-process.ts'
import { type Call, calling } from '../../support/servers/service.ts'

const completenessPath = '/traceability/completeness?by=shipToLocationCode'

let own: OwnDatabase
const servers: ServerProcess[] = []
beforeEach(async () => {
  own = await ownDatabase()
})
afterEach(async () => {
  for (const server of servers.splice(0)) await server.end('SIGKILL')
  await own?.drop()
})

/**
 * Servers on the database that start at the same time: the embedded one is held by a single
 * process.
 */
async function start(count: number): Promise<ServerProcess[]> {
  const several = own.env.DATABASE_URL === undefined ? 1 : count
  servers.push(
    ...(await Promise.all(
      Array.from({ length: several }, () => startServerProcess({ ...own.env, METRICS_PORT: '0' })),
    )),
  )
  return servers
}

async function stop(): Promise<void> {
  for (const server of servers.splice(0)) expect(await server.end('SIGTERM')).toBe(0)
}

async function onDatabase(work: (pool: pg.Pool) => Promise<unknown>): Promise<void> {
  const opened = await openDatabase(own.place)
  if ('heldBy' in opened) throw new Error(opened.heldBy)
  try {
    await work(opened.pool)
  } finally {
    await opened.close()
  }
}

/** Completeness once nothing waits for a recount. */
async function settled(call: Call): Promise<Payload> {
  let body: Payload
  await expect
    .poll(
      async () => {
        body = (await call('GET', completenessPath)).body
        return body.recounting
      },
      { interval: 50 },
    )
    .toBeNull()
  return body
}

const countedEvents = async (): Promise<number> => {
  const counts = await Promise.all(servers.map((server) => metricOf(server, 'lotkeeper_recounted_events_total')))
  return counts.reduce((sum, count) => sum + count, 0)
}

async function newKey(provider: string): Promise<string> {
  const args = ['keys', 'create', '--provider', provider, '--role', 'administrator']
  const { stdout, stderr } = await runCommand(args, own.env)
  const key = /lk_\w+_[\w-]{43}/.exec(stdout)?.[0]
  if (key === undefined) throw new Error(stderr)
  return key
}

/** An event received at this place, from one of which only the GLN is known. */
const bareEvent = (shipToLocationCode: string) =>
  eventPayload((payload) => {
    const [from, to] = payload.locationMasterList
    payload.locationMasterList[0] = { locationCode: from.locationCode, locationName: from.locationName, gln: from.gln }
    Object.assign(to, { locationCode: shipToLocationCode, gln: undefined })
    Object.assign(payload.eventList, { shipToLocationCode })
  })

const places = ['ONE', 'TWO', 'THREE']
const otherNumber = '0614141000029'

/** An event at each place, of which the first two miss the address of where they came from. */
async function createEvents(call: Call): Promise<void> {
  for (const [n, place] of places.entries()) {
    const event = bareEvent(place)
    if (n === 2) Object.assign(event.eventList, { shipFromLocationCode: 'OTHER' })
    // A number of its own: that of the lot code sources would describe them too.
    if (n === 2) Object.assign(event.locationMasterList[0], { locationCode: 'OTHER', gln: otherNumber })
    const created = await call('POST', paths.receivingEvent, { body: event })
    expect(created.status, created.text).toBe(201)
  }
}

/** Says of the place that events come from what they lack. */
async function describePlace(call: Call, locationCode: string, gln = '0614141000012'): Promise<void> {
  const body = locationPayload((payload) => {
    Object.assign(payload.locationMasterList, { locationCode, gln })
  })
  const query = new URLSearchParams({
    dataProviderVendorId: body.locationMasterList.dataProviderVendorId,
    locationCode,
  })
  const { content } = (await call('GET', `${paths.location}?${query}`)).body
  const put = await call('PUT', `${paths.location}/${content[0].id}`, { body })
  expect(put.status, put.text).toBe(200)
}

test('an imported archive is counted by the master data in it, whatever counts it came with', async () => {
  const [server] = await start(1)
  const url = server?.address ?? ''
  const call = calling(url, server?.firstKey)
  await createEvents(call)
  await describePlace(call, 'GV-COOLER-1')
  const before = await settled(call)
  expect(before.total).toMatchObject({ events: 3, eventsWithGaps: 1 })

  const archive = await exported({ call })
  // As a program counted that knows other gaps.
  const miscounted = archive.replace(/"complete": \d+/g, '"complete": 0')
  expect(miscounted).not.toBe(archive)
  const key = await newKey('importer')
  const reply = await importArchive({ url }, { key: async () => key }, miscounted)
  expect(reply.body, reply.text).toMatchObject({ ended: true })
  const { recounting: _, ...counts } = await settled(calling(url, key))
  expect({ ...counts, recounting: null }).toEqual(before)
})

test('an upgrade counts every event again, once, whichever of several processes start with it', async () => {
  const [first] = await start(1)
  const key = first?.firstKey
  const call = calling(first?.address ?? '', key)
  await createEvents(call)
  await describePlace(call, 'GV-COOLER-1')
  const before = await settled(call)
  await stop()
  // As the program of the other version left it.
  await onDatabase(async (pool) => {
    await pool.query(`UPDATE recount SET counted_by = '0.0.1'`)
    await pool.query(`UPDATE event SET completeness = '[]'`)
  })

  const [upgraded] = await start(2)
  const { total } = await settled(calling(upgraded?.address ?? '', key))
  expect(total).toEqual(before.total)
  expect(await countedEvents()).toBe(3)
  await stop()

  // The next start counts what changes, and nothing else.
  const [again] = await start(2)
  const later = calling(again?.address ?? '', key)
  await describePlace(later, 'OTHER', otherNumber)
  expect((await settled(later)).total).toMatchObject({ events: 3, eventsWithGaps: 0 })
  expect(await countedEvents()).toBe(1)
  await stop()
  await onDatabase(async (pool) => {
    const { rows } = await pool.query('SELECT counted_by FROM recount')
    expect(rows).toEqual([{ counted_by: version }])
  })
})
