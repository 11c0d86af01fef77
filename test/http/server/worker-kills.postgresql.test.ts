// Workers of a Citus cluster that are killed while writes are under way. On a cluster of its own,
// where `npm run test:distributed` runs; with TEST_SCOPE=all there are 20 kills.

import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logDatabaseEvents } from '../../../src/database-log.ts'
import { statementMsMax } from '../../../src/store/database/database.ts'
import { providerPlaces } from '../../../src/store/database/distribute.ts'
import { MonitoredDatabase } from '../../../src/store/database/monitored-database.ts'
import { providersToLookAt } from '../../../src/store/vendors/alerts.ts'
import type { Running } from '../../../src/wiring.ts'
import { inDatabase } from '../../support/databases/in-database.ts'
import type { PostgresqlServer } from '../../support/databases/postgresql-server.ts'
import { allowMs } from '../../support/patience.ts'
import { runs } from '../../support/runs.ts'
import { type ClusterLoad, startClusterLoad } from '../../support/servers/cluster-load.ts'
import { type OwnCluster, startOwnCluster } from '../../support/servers/own-cluster.ts'

const binaries = process.env.TEST_CITUS_BIN ?? ''
const onCluster = test.runIf(binaries !== '')

let cluster: OwnCluster
let running: Running
beforeAll(async () => {
  if (binaries === '') return
  cluster = await startOwnCluster(binaries)
  running = await cluster.serviceOn(cluster.url)
})
afterAll(() => cluster?.stop())

const kills = runs(20, 2)
/** After a worker is back. */
const unreadableMsMax = 2_000

/** What a node is left with that is killed between the two halves of a commit. */
const prepared = 'citus_0_1_1_1'
async function isPreparedOn(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('SELECT FROM pg_prepared_xacts WHERE gid = $1', [prepared])
  await client.end()
  return rows.length > 0
}

const ready = async () => (await fetch(`${running.address}/health/ready`)).json()

/** Kills a worker under load, and resolves to how long anything of it could not be read. */
async function killUnder(load: ClusterLoad, worker: PostgresqlServer, writes: number): Promise<number> {
  const node = new URL(worker.url).host
  const before = load.acknowledged()
  await expect.poll(load.acknowledged, { timeout: allowMs(20_000) }).toBeGreaterThan(before + writes)
  await inDatabase(worker.url, ['BEGIN'], ['SELECT pg_current_xact_id()'], [`PREPARE TRANSACTION '${prepared}'`])
  const killed = performance.now()
  await worker.kill()
  await expect.poll(ready, { timeout: allowMs(10_000) }).toEqual({ status: 'ready', nodesAway: [node] })
  await worker.restart()
  const back = performance.now()
  await expect.poll(ready, { timeout: allowMs(10_000) }).toEqual({ status: 'ready' })
  await expect.poll(() => isPreparedOn(worker.url), { timeout: allowMs(unreadableMsMax) }).toBe(false)
  const readSince = (at: number) => load.answers.filter(({ method, began }) => method === 'GET' && began > at)
  const isLater = () => readSince(back + allowMs(unreadableMsMax)).length > 10
  await expect.poll(isLater, { timeout: allowMs(20_000) }).toBe(true)
  const ofOthers = load.answers.filter((one) => one.node !== node && one.began > killed)
  expect(ofOthers.filter(({ end }) => end !== 200)).toEqual([])
  const failed = readSince(back).filter(({ end }) => end !== 200)
  return Math.max(0, ...failed.map(({ ended }) => ended - back))
}

onCluster(
  'acknowledged writes are read again within 2 s after a killed worker is back',
  async () => {
    const load = await startClusterLoad(cluster.pool, [running.address], { providersOnEach: 2, eventsOfEach: 1 })
    const unreadable: number[] = []
    let lost: readonly string[] = []
    try {
      for (let kill = 0; kill < kills; kill++)
        unreadable.push(await killUnder(load, cluster.workers[kill % 2] as PostgresqlServer, 20 + 7 * kill))
    } finally {
      lost = await load.stop()
    }
    console.log(
      `${kills} kills, ${load.acknowledged()} acknowledged writes, ${load.keyChanges()} changes of keys; unreadable for at most (ms):`,
      unreadable.map(Math.round).join(' '),
    )
    expect(lost).toEqual([])
    expect(load.answers.filter(({ end }) => ![200, 503, 'stale'].includes(end))).toEqual([])
    expect(Math.max(...load.answers.map(({ began, ended }) => ended - began))).toBeLessThan(statementMsMax)
    expect(Math.max(...unreadable)).toBeLessThan(allowMs(unreadableMsMax))
  },
  1_200_000,
)

onCluster(
  'a worker that hangs is named, its providers get 503 within the limit of a statement, and no other request fails',
  async () => {
    const [worker] = cluster.workers
    if (worker === undefined) throw new Error('A cluster has workers.')
    const { host } = new URL(worker.url)
    const load = await startClusterLoad(cluster.pool, [running.address], { providersOnEach: 2, eventsOfEach: 1 })
    let lost: readonly string[] = []
    worker.halt()
    try {
      await expect.poll(ready, { timeout: allowMs(20_000) }).toEqual({ status: 'ready', nodesAway: [host] })
      const refused = () => load.answers.filter(({ node, end }) => node === host && end === 503).length
      // Those under way when it began, and several that came later, of each client.
      await expect.poll(refused, { timeout: allowMs(60_000) }).toBeGreaterThan(20)
    } finally {
      worker.resume()
      await expect.poll(ready, { timeout: allowMs(20_000) }).toEqual({ status: 'ready' })
      lost = await load.stop()
    }
    expect(lost).toEqual([])
    const failed = load.answers.filter(({ end }) => end !== 200)
    expect(failed.filter(({ node, end }) => node !== host || end !== 503)).toEqual([])
    const waited = failed.map(({ began, ended }) => ended - began)
    console.log(
      `${failed.length} of ${load.answers.length} requests failed, after ${Math.round(Math.max(...waited))} ms at most`,
    )
    expect(Math.max(...waited)).toBeLessThan(statementMsMax)
  },
  300_000,
)

onCluster('while a worker is down, work in the background finds the providers on the other one', async () => {
  const [down] = cluster.workers
  if (down === undefined) throw new Error('A cluster has workers.')
  // The service would look for them too, and claim one.
  await cluster.stopServices()
  const database = new MonitoredDatabase(cluster.pool, logDatabaseEvents(pino({ level: 'silent' })))
  const places = await providerPlaces(cluster.pool)
  await cluster.pool.query('UPDATE alert_look SET looked_at = NULL, until = NULL')
  const sorted = (providers: readonly string[]) => [...providers].sort()
  expect(sorted(await providersToLookAt(database))).toEqual(sorted(places.map(({ provider }) => provider)))
  const onOther = places.filter(({ node }) => node !== new URL(down.url).host).map(({ provider }) => provider)
  await down.kill()
  try {
    // The first one finds out, the second one knows.
    for (let look = 0; look < 2; look++) expect(sorted(await providersToLookAt(database))).toEqual(sorted(onOther))
  } finally {
    await down.restart()
  }
  await database.nodes.look()
  expect(sorted(await providersToLookAt(database))).toEqual(sorted(places.map(({ provider }) => provider)))
})
