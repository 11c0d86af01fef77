// A worker of a Citus cluster that is emptied, removed, added and filled again while the providers
// whose shards move write and read. On a cluster of its own, where `npm run test:distributed` runs.
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { statementMsMax } from '../../../src/store/database/database.ts'
import { providerPlaces } from '../../../src/store/database/distribute.ts'
import { migrate } from '../../../src/store/database/migrate.ts'
import { type Running, start } from '../../../src/wiring.ts'
import { type CitusCluster, startCitusCluster } from '../../support/databases/citus-cluster.ts'
import { startClusterLoad } from '../../support/servers/cluster-load.ts'
import { testConfig } from '../../support/servers/service.ts'

const binaries = process.env.TEST_CITUS_BIN ?? ''
const onCluster = test.runIf(binaries !== '')

let cluster: CitusCluster
let pool: pg.Pool
let services: readonly Running[] = []
beforeAll(async () => {
  if (binaries === '') return
  cluster = await startCitusCluster(binaries)
  const { url } = cluster.coordinator
  pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => undefined)
  await migrate(pool, { distribute: true })
  // One asks the coordinator, the other a worker.
  services = await Promise.all([url, cluster.workers[0]?.url].map(serviceOn))
})
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()))
  await pool?.end()
  await cluster?.stop()
})

async function serviceOn(databaseUrl: string | undefined): Promise<Running> {
  const started = await start(testConfig({ databaseUrl, port: 0, workers: 1, logLevel: 'silent' }))
  if ('problem' in started) throw new Error(started.problem)
  return started
}

/** Moves the shards to where they belong. */
async function rebalance(): Promise<void> {
  await pool.query('SELECT citus_rebalance_start()')
  await pool.query('SELECT citus_rebalance_wait()')
}

onCluster(
  'requests are answered while the shards of their providers move, and nothing acknowledged is lost',
  async () => {
    const [, emptied] = cluster.workers
    if (emptied === undefined) throw new Error('A cluster has two workers.')
    const worker = new URL(emptied.url)
    const place = [worker.hostname, Number(worker.port)]
    const addresses = services.map(({ address }) => address)
    const load = await startClusterLoad(pool, addresses, { providersOnEach: 2, eventsOfEach: 1 })
    const nodes = async () => new Set((await providerPlaces(pool)).map(({ node }) => node))
    const began = performance.now()
    let lost: readonly string[] = []
    try {
      await pool.query(`SELECT citus_set_node_property($1, $2, 'shouldhaveshards', false)`, place)
      await rebalance()
      expect(await nodes()).not.toContain(worker.host)
      await pool.query('SELECT citus_remove_node($1, $2)', place)
      await pool.query('SELECT citus_add_node($1, $2)', place)
      await rebalance()
      expect(await nodes()).toContain(worker.host)
    } finally {
      lost = await load.stop()
    }
    const longest = (method: string) =>
      Math.round(Math.max(...load.answers.filter((one) => one.method === method).map((one) => one.ended - one.began)))
    const failed = load.answers.filter(({ end }) => end !== 200)
    console.log(
      `2 rebalances in ${Math.round((performance.now() - began) / 1_000)} s, ${load.acknowledged()} acknowledged writes of ${load.answers.length} requests, ${failed.length} not answered; longest PUT ${longest('PUT')} ms, GET ${longest('GET')} ms`,
    )
    expect(lost).toEqual([])
    expect(failed).toEqual([])
    expect(longest('PUT')).toBeLessThan(statementMsMax)
  },
  1_200_000,
)
