// kill -9 in the middle of a recount: the change is still there, and the next start counts what is left.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { eventPayload, type Payload, paths } from '../support/payloads.ts'
import { startPostgresqlServer } from '../support/postgresql-server.ts'
import { startServerProcess } from '../support/server-process.ts'
import { type Call, calling } from '../support/service.ts'

/** A store of its own: the environment of a server on it, and what ends it. */
const stores = {
  async embedded() {
    const folder = await mkdtemp(join(tmpdir(), 'lotkeeper-crash-'))
    return { place: { DATA_DIR: join(folder, 'data') }, end: () => rm(folder, { recursive: true, force: true }) }
  },
  async postgresql() {
    const server = await startPostgresqlServer()
    return { place: { DATABASE_URL: server.url }, end: () => server.stop() }
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

describe.each(Object.entries(stores))('on the %s store', (_, open) => {
  test(`${kills} times kill -9 while ${events} events are counted again: all of them are in the end`, {
    timeout: 300_000,
  }, async () => {
    const { place, end } = await open()
    let server = await startServerProcess(place)
    try {
      const key = server.firstKey ?? ''
      await createEvents(calling(server.address, key))
      for (let kill = 1; kill <= kills; kill++) {
        const call = calling(server.address, key)
        const { body } = await call('GET', `${paths.location}?locationCode=GV-COOLER-1`)
        const [{ id, locationMasterList }] = body.content
        const { dataProviderVendorId, locationCode, locationName } = locationMasterList
        // Filled, then opened.
        const isFilled = kill % 2 === 1
        const fields = { dataProviderVendorId, locationCode, locationName, ...(isFilled ? described : { gln }) }
        const put = await call('PUT', `${paths.location}/${id}`, { body: { locationMasterList: fields } })
        expect(put.status, put.text).toBe(200)
        const before = (await call('GET', completeness)).body.total.completeLines
        // In the middle: some are counted already, and not all.
        let counted = before
        while (counted === before) {
          await pause(5)
          counted = (await call('GET', completeness)).body.total.completeLines
        }
        await server.end('SIGKILL')
        server = await startServerProcess(place)
        const again = calling(server.address, key)
        await expect
          .poll(async () => (await again('GET', completeness)).body.recounting, { timeout: 60_000, interval: 100 })
          .toBeNull()
        const { total } = (await again('GET', completeness)).body
        expect(total).toMatchObject({ events, lines: events, completeLines: isFilled ? events : 0 })
      }
    } finally {
      await server.end('SIGKILL')
      await end()
    }
  })
})
