// kill -9 in the middle of a recount: the change is still there, and the next start or another
// process counts what is left.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { passLeases } from '../support/databases/passed-leases.ts'
import { startPostgresqlServer } from '../support/databases/postgresql-server.ts'
import { allowMs } from '../support/patience.ts'
import { eventPayload, type Payload, paths, productPayload } from '../support/records/payloads.ts'
import { metricOf } from '../support/servers/metric-of.ts'
import { type ServerProcess, startServerProcess } from '../support/servers/server-process.ts'
import { type Call, calling } from '../support/servers/service.ts'

/** A store of its own: the environment of a server on it, and what ends it. */
const stores = {
  async embedded() {
    const folder = await mkdtemp(join(tmpdir(), 'lotkeeper-crash-'))
    return {
      place: { DATA_DIR: join(folder, 'data') },
      // No other process can be on it.
      passLease: async () => undefined,
      end: () => rm(folder, { recursive: true, force: true }),
    }
  },
  async postgresql() {
    const server = await startPostgresqlServer({ fsync: 'off' })
    return {
      place: { DATABASE_URL: server.url },
      passLease: () => passLeases(server.url, 'recount'),
      end: () => server.stop(),
    }
  },
}

const events = 2_000
const eventsPerCreate = 500
const kills = 2
const completeness = '/traceability/completeness?eventStartDate=2025-01-01&eventEndDate=2025-12-31'

const gln = '0614141000012'
const described: Payload = {
  gln,
  address: { streetAddress1: '1 Road', city: 'Salinas', state: 'CA', postalCode: '93901', country: 'USA' },
  phoneNumber: '+1.831.555.0100',
}

async function createEvents(call: Call): Promise<void> {
  for (let start = 0; start < events; start += eventsPerCreate) {
    const body = eventPayload((payload) => {
      const [from] = payload.locationMasterList
      payload.locationMasterList[0] = { locationCode: from.locationCode, locationName: from.locationName, gln }
      const event = { ...payload.eventList, productList: payload.eventList.productList.slice(0, 1) }
      payload.eventList = Array.from({ length: eventsPerCreate }, (_, n) => ({
        ...event,
        eventDateTime: new Date(Date.UTC(2025, 0, 1) + (start + n) * 60_000).toISOString().replace('.000Z', 'Z'),
      }))
    })
    const reply = await call('POST', paths.receivingEvent, { body })
    expect(reply.status, reply.text).toBe(201)
  }
}

/** Says of the place all events come from what they lack, or takes it away. */
async function setPlace(call: Call, isFilled: boolean): Promise<void> {
  const { body } = await call('GET', `${paths.location}?locationCode=GV-COOLER-1`)
  const [{ id, locationMasterList }] = body.content
  const { dataProviderVendorId, locationCode, locationName } = locationMasterList
  const fields = { dataProviderVendorId, locationCode, locationName, ...(isFilled ? described : { gln }) }
  const put = await call('PUT', `${paths.location}/${id}`, { body: { locationMasterList: fields } })
  expect(put.status, put.text).toBe(200)
}

/** What is counted in all, once no change waits. */
async function settledTotal(call: Call): Promise<Payload> {
  // Not expect.poll, which tests that run together do not have.
  await vi.waitFor(async () => expect((await call('GET', completeness)).body.recounting).toBeNull(), {
    timeout: allowMs(60_000),
    interval: 100,
  })
  return (await call('GET', completeness)).body.total
}

// Together, since each waits for processes most of the time.
test.concurrent.each(Object.entries(stores))(
  `on the %s store, ${kills} times kill -9 while ${events} events are counted again: all of them are in the end`,
  async (_, open) => {
    const { place, passLease, end } = await open()
    let server = await startServerProcess(place)
    try {
      const key = server.firstKey ?? ''
      await createEvents(calling(server.address, key))
      for (let kill = 1; kill <= kills; kill++) {
        const call = calling(server.address, key)
        // Filled, then opened.
        const isFilled = kill % 2 === 1
        await setPlace(call, isFilled)
        const before = (await call('GET', completeness)).body.total.completeLines
        // In the middle: some are counted already, and not all.
        let counted = before
        while (counted === before) {
          await pause(5)
          counted = (await call('GET', completeness)).body.total.completeLines
        }
        await server.end('SIGKILL')
        await passLease()
        server = await startServerProcess(place)
        const again = calling(server.address, key)
        const total = await settledTotal(again)
        expect(total).toMatchObject({ events, lines: events, completeLines: isFilled ? events : 0 })
      }
    } finally {
      await server.end('SIGKILL')
      await end()
    }
  },
  allowMs(300_000),
)

test.concurrent('of two processes on one PostgreSQL one counts events again, and the other takes over when that one is killed', {
  timeout: allowMs(300_000),
}, async () => {
  const database = await startPostgresqlServer({ fsync: 'off' })
  const start = () => startServerProcess({ DATABASE_URL: database.url, METRICS_PORT: '0' })
  const servers: ServerProcess[] = []
  try {
    const first = await start()
    servers.push(first)
    const second = await start()
    servers.push(second)
    const [one, other] = [calling(first.address, first.firstKey), calling(second.address, first.firstKey)]
    const counted = () => Promise.all(servers.map((server) => metricOf(server, 'lotkeeper_recounted_events_total')))
    let products = 0
    /**
     * A change in each process, so that both want to count; all events are touched by one of them.
     */
    const change = async (isFilled: boolean) => {
      await setPlace(one, isFilled)
      const body = productPayload((payload) => {
        payload.productMasterDataList.itemCode = `NOBODY-HAS-IT-${++products}`
      })
      const created = await other('POST', paths.masterProduct, { body })
      expect(created.status, created.text).toBe(201)
    }
    await createEvents(one)

    await change(true)
    expect(await settledTotal(other)).toMatchObject({ events, completeLines: events })
    const before = await counted()
    expect([...before].sort()).toEqual([0, events])

    await change(false)
    let since = [0, 0]
    while (since.every((count) => count === 0)) {
      await pause(5)
      since = (await counted()).map((count, n) => count - (before[n] ?? 0))
    }
    const running = since.findIndex((count) => count > 0)
    await servers[running]?.end('SIGKILL')
    await passLeases(database.url, 'recount')
    // It was killed in the middle, and the other one had left the events to it.
    expect(since[running]).toBeLessThan(events)
    expect(since[1 - running]).toBe(0)
    expect(await settledTotal(running === 0 ? other : one)).toMatchObject({ events, completeLines: 0 })
    const survivor = servers[1 - running] as ServerProcess
    expect((await metricOf(survivor, 'lotkeeper_recounted_events_total')) - (before[1 - running] ?? 0)).toBe(events)
  } finally {
    for (const server of servers) await server.end('SIGKILL')
    await database.stop()
  }
})
