// A worker of a Citus cluster that is emptied, removed, added and filled again while the providers
// whose shards move write, read and change keys. On a cluster of its own, where `npm run test:distributed` runs.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { statementMsMax } from '../../../src/store/database/database.ts'
import { providerPlaces } from '../../../src/store/database/distribute.ts'
import type { Running } from '../../../src/wiring.ts'
import { startClusterLoad } from '../../support/servers/cluster-load.ts'
import { type OwnCluster, startOwnCluster } from '../../support/servers/own-cluster.ts'

const binaries = process.env.TEST_CITUS_BIN ?? ''
const onCluster = test.runIf(binaries !== '')

let cluster: OwnCluster
let services: readonly Running[] = []
beforeAll(async () => {
  if (binaries === '') return
  cluster = await startOwnCluster(binaries)
  // One asks the coordinator, the other a worker.
  services = await Promise.all([cluster.url, cluster.workers[0]?.url ?? ''].map(cluster.serviceOn))
})
afterAll(() => cluster?.stop())

/** Moves the shards to where they belong. */
async function rebalance(): Promise<void> {
  await cluster.pool.query('SELECT citus_rebalance_start()')
  await cluster.pool.query('SELECT citus_rebalance_wait()')
}

onCluster(
  'requests are answered while the shards of their providers move, and nothing acknowledged is lost',
  async () => {
    const [, emptied] = cluster.workers
    if (emptied === undefined) throw new Error('A cluster has two workers.')
    const worker = new URL(emptied.url)
    const place = [worker.hostname, Number(worker.port)]
    const addresses = services.map(({ address }) => address)
    const load = await startClusterLoad(cluster.pool, addresses, { providersOnEach: 2, eventsOfEach: 1 })
    const places = () => providerPlaces(cluster.pool)
    const nodes = async () => new Set((await places()).map(({ node }) => node))
    const began = performance.now()
    let lost: readonly string[] = []
    try {
      await cluster.pool.query(`SELECT citus_set_node_property($1, $2, 'shouldhaveshards', false)`, place)
      await rebalance()
      expect(await nodes()).not.toContain(worker.host)
      await cluster.pool.query('SELECT citus_remove_node($1, $2)', place)
      await cluster.pool.query('SELECT citus_add_node($1, $2)', place)
      // A node of its own for one provider, as docs/operating.md has it.
      await cluster.pool.query('SELECT replicate_reference_tables()')
      const [large] = await places()
      if (large === undefined) throw new Error('The load has providers.')
      const from = new URL(`postgres://${large.node}`)
      await cluster.pool.query('SELECT citus_move_shard_placement($1, $2, $3, $4, $5)', [
        large.shard,
        ...[from.hostname, Number(from.port)],
        ...place,
      ])
      for (const { shard, node } of await places()) expect(node === worker.host).toBe(shard === large.shard)
      await rebalance()
      expect(await nodes()).toContain(worker.host)
    } finally {
      lost = await load.stop()
    }
    const longest = (method: string) =>
      Math.round(Math.max(...load.answers.filter((one) => one.method === method).map((one) => one.ended - one.began)))
    const failed = load.answers.filter(({ end }) => end !== 200)
    console.log(
      `2 rebalances and a move of one shard in ${Math.round((performance.now() - began) / 1_000)} s, ${load.acknowledged()} acknowledged writes and ${load.keyChanges()} changes of keys of ${load.answers.length} requests, ${failed.length} not answered; longest PUT ${longest('PUT')} ms, GET ${longest('GET')} ms, key ${longest('key')} ms`,
    )
    expect(lost).toEqual([])
    expect(failed).toEqual([])
    for (const method of ['PUT', 'key']) expect(longest(method)).toBeLessThan(statementMsMax)
  },
  1_200_000,
)
