// Workers of a Citus cluster that are killed while writes are under way, and what the service says
// of them. On a cluster of its own, where `npm run test:distributed` runs; with TEST_SCOPE=all
// there are 20 kills.
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { statementMsMax } from '../../../src/store/database/database.ts'
import { migrate } from '../../../src/store/database/migrate.ts'
import { type Running, start } from '../../../src/wiring.ts'
import { type CitusCluster, startCitusCluster } from '../../support/databases/citus-cluster.ts'
import { inDatabase } from '../../support/databases/in-database.ts'
import { allowMs } from '../../support/patience.ts'
import { runs } from '../../support/runs.ts'
import { startClusterLoad } from '../../support/servers/cluster-load.ts'
import { testConfig } from '../../support/servers/service.ts'

const binaries = process.env.TEST_CITUS_BIN ?? ''
const onCluster = test.runIf(binaries !== '')

let cluster: CitusCluster
let pool: pg.Pool
let running: Running
beforeAll(async () => {
  if (binaries === '') return
  cluster = await startCitusCluster(binaries)
  const { url } = cluster.coordinator
  pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => undefined)
  await migrate(pool, { distribute: true })
  const started = await start(testConfig({ databaseUrl: url, port: 0, workers: 1, logLevel: 'silent' }))
  if ('problem' in started) throw new Error(started.problem)
  running = started
})
afterAll(async () => {
  await running?.stop()
  await pool?.end()
  await cluster?.stop()
})

const kills = runs(20, 2)

/** What a node is left with that is killed between the two halves of a commit. */
const prepared = 'citus_0_1_1_1'
async function isPreparedOn(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('SELECT FROM pg_prepared_xacts WHERE gid = $1', [prepared])
  await client.end()
  return rows.length > 0
}

onCluster(
  'acknowledged writes are read again within 2 s after a killed worker is back',
  async () => {
    const load = await startClusterLoad(pool, running.address, { providersOnEach: 3, eventsOfEach: 2 })
    const ready = async () => (await fetch(`${running.address}/health/ready`)).json()
    const unreadable: number[] = []
    for (let kill = 0; kill < kills; kill++) {
      const worker = cluster.workers[kill % 2]
      if (worker === undefined) throw new Error('A cluster has two workers.')
      const node = new URL(worker.url).host
      const before = load.acknowledged()
      await expect.poll(load.acknowledged, { timeout: allowMs(20_000) }).toBeGreaterThan(before + 50 + 7 * kill)
      await inDatabase(worker.url, ['BEGIN'], ['SELECT pg_current_xact_id()'], [`PREPARE TRANSACTION '${prepared}'`])
      const killed = performance.now()
      await worker.kill()
      await expect.poll(ready, { timeout: allowMs(10_000) }).toEqual({ status: 'ready', nodesAway: [node] })
      await worker.restart()
      const back = performance.now()
      await expect.poll(ready, { timeout: allowMs(10_000) }).toEqual({ status: 'ready' })
      await expect.poll(() => isPreparedOn(worker.url), { timeout: allowMs(2_000) }).toBe(false)
      const since = () => load.answers.filter(({ method, began }) => method === 'GET' && began > back)
      // Everything has been read since, and a while later.
      await expect
        .poll(() => since().filter(({ began }) => began > back + allowMs(2_000)).length, { timeout: allowMs(20_000) })
        .toBeGreaterThan(50)
      unreadable.push(
        Math.max(
          0,
          ...since()
            .filter(({ end }) => end !== 200)
            .map(({ ended }) => ended - back),
        ),
      )
      const ofOthers = load.answers.filter((one) => one.method === 'GET' && one.node !== node && one.began > killed)
      expect(new Set(ofOthers.map(({ end }) => end))).toEqual(new Set([200]))
    }
    expect(await load.stop()).toEqual([])
    expect(load.answers.filter(({ end }) => ![200, 503, 'stale'].includes(end))).toEqual([])
    expect(Math.max(...load.answers.map(({ began, ended }) => ended - began))).toBeLessThan(statementMsMax)
    console.log(
      `${kills} kills, ${load.acknowledged()} acknowledged writes; unreadable for at most (ms):`,
      unreadable.map(Math.round).join(' '),
    )
    expect(Math.max(...unreadable)).toBeLessThan(allowMs(2_000))
  },
  600_000,
)
