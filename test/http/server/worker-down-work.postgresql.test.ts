// While a worker of a Citus cluster is down, what the service does in the background for the
// providers on the other worker goes on. On a cluster of its own, where `npm run test:distributed`
// runs.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { providerPlaces } from '../../../src/store/database/distribute.ts'
import type { Running } from '../../../src/wiring.ts'
import { allowMs } from '../../support/patience.ts'
import { eventPayload, locationPayload, paths } from '../../support/records/payloads.ts'
import { type OwnCluster, startOwnCluster } from '../../support/servers/own-cluster.ts'
import { type Call, calling, makeProvider } from '../../support/servers/service.ts'
import { type Receiver, startReceiver } from '../../support/servers/webhook-receiver.ts'

const binaries = process.env.TEST_CITUS_BIN ?? ''
const onCluster = test.runIf(binaries !== '')

let cluster: OwnCluster
let running: Running
let receiver: Receiver
beforeAll(async () => {
  if (binaries === '') return
  cluster = await startOwnCluster(binaries, { fsync: 'off' })
  receiver = await startReceiver()
  running = await cluster.serviceOn(cluster.url)
})
afterAll(async () => {
  await cluster?.stop()
  await receiver?.close()
})

const nodeOf = async (provider: string): Promise<string> =>
  (await providerPlaces(cluster.pool)).find((place) => place.provider === provider)?.node ?? ''

/** A provider on a node, and the call of its administrator. */
async function providerOn(node: string): Promise<{ readonly id: string; readonly call: Call }> {
  for (;;) {
    const { id, key } = await makeProvider(cluster.pool, '')
    if ((await nodeOf(id)) === node) return { id, call: calling(running.address, await key('administrator')) }
  }
}

/** Makes a partner with the place that events are shipped to. */
async function newPartner(call: Call): Promise<string> {
  const { body } = await call('POST', '/partners', {
    body: { name: randomUUID(), places: [{ locationCode: 'DC-07' }], grants: [{ direction: 'shipTo' }] },
  })
  return body.id
}

const supplier = 'GV-COOLER-1'
/** Complete once its supplier is set up. */
const incomplete = () =>
  eventPayload(({ locationMasterList }) => {
    locationMasterList[0] = { locationCode: supplier, locationName: 'Green Valley Cooler', gln: '0614141000012' }
  })
const ofSupplier = () =>
  locationPayload(({ locationMasterList }) => {
    Object.assign(locationMasterList, { locationCode: supplier, gln: '0614141000012' })
  })

onCluster(
  'recounts, corrections, checkpoints, webhooks, copies and alerts go on for providers on the other worker',
  async () => {
    const [up, down] = cluster.workers.map(({ url }) => new URL(url).host)
    if (up === undefined || down === undefined) throw new Error('A cluster has two workers.')
    const { id, call } = await providerOn(up)
    await providerOn(down)
    await call('POST', '/webhooks', { body: { url: receiver.url } })
    const partner = await newPartner(call)
    await cluster.workers[1]?.kill()
    const within = { timeout: allowMs(30_000) }

    const created = await call('POST', paths.receivingEvent, { body: incomplete() })
    expect([created.status, created.text]).toEqual([201, expect.any(String)])
    const completeLines = async () => (await call('GET', '/traceability/completeness')).body.total.completeLines
    expect(await completeLines()).toBe(0)
    const [stored] = (await call('GET', `${paths.location}?locationCode=${supplier}`)).body.content
    const replaced = await call('PUT', `${paths.location}/${stored.id}`, { body: ofSupplier() })
    expect([replaced.status, replaced.text]).toEqual([200, expect.any(String)])
    await expect.poll(completeLines, within).toBeGreaterThan(0)

    await expect.poll(() => receiver.received.length, within).toBeGreaterThan(0)
    expect((await call('GET', '/checkpoints')).body.content.length).toBeGreaterThan(0)

    const copied = async () => (await call('GET', `/partners/${partner}`)).body.records.receivingEvents
    await expect.poll(copied, within).toBe(1)

    const correction = await call('POST', '/corrections', {
      body: { reason: 'test', where: {}, changes: [{ field: 'product.brandName', set: 'Green' }] },
    })
    const state = async () => (await call('GET', `/corrections/${correction.body.id}`)).body.state
    await expect.poll(state, within).toBe('previewed')

    const looked = async () => Date.parse((await call('GET', '/alerts')).body.lookedDateTime ?? '')
    await cluster.pool.query('UPDATE alert_look SET looked_at = NULL, until = NULL WHERE provider_id = $1', [id])
    await expect.poll(looked, { timeout: allowMs(70_000) }).toBeGreaterThan(0)
  },
  600_000,
)
