// Which nodes of a cluster answer, and what is asked of Citus when one is back. Stand-ins have the
// names of its functions: `worker-kills.postgresql.test.ts` shows the same on a cluster.
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { NodeWatch } from '../../../src/store/database/cluster-nodes.ts'
import { standInForCitus } from '../../support/databases/citus-stand-in.ts'
import { ownPostgresqlDatabase } from '../../support/databases/database.ts'

let own: { url: string; drop(): Promise<void> }
let pool: pg.Pool
let told: string[]
let nodes: NodeWatch
beforeEach(async () => {
  own = await ownPostgresqlDatabase()
  pool = new pg.Pool({ connectionString: own.url })
  told = []
  nodes = new NodeWatch(pool, {
    nodeAway: (message) => told.push(message),
    nodeBack: ({ node, mayRecover }) => told.push(`${node} is back, may recover: ${mayRecover}`),
  })
})
afterEach(async () => {
  nodes.end()
  await pool.end()
  await own.drop()
})

/** The stand-ins are in the search path of new connections. */
async function onCluster(): Promise<void> {
  const maker = new pg.Pool({ connectionString: own.url })
  await standInForCitus(maker)
  await maker.end()
}
const set = (node: string, state: 'away' | 'back') =>
  pool.query(
    `${state === 'away' ? 'INSERT INTO node_away VALUES' : 'DELETE FROM node_away WHERE nodename IN'} ('${node}')`,
  )
const recoveries = async () =>
  (await pool.query(`SELECT FROM asked WHERE what = 'prepared transactions recovered'`)).rows.length

test('a single server has no nodes, and none is away', async () => {
  nodes.lost('connection to server at 127.0.0.1 failed')
  await nodes.look()
  expect([...nodes.answering]).toEqual([])
  expect(nodes.away).toEqual([])
})

test('a node that does not answer is named once, and writes are recovered when it is back', async () => {
  await onCluster()
  await nodes.look()
  expect([...nodes.answering]).toEqual([
    ['worker-1:5432', true],
    ['worker-2:5432', true],
  ])
  await set('worker-2', 'away')
  await nodes.look()
  await nodes.look()
  expect(nodes.away).toEqual(['worker-2:5432'])
  expect(nodes.answering.get('worker-1:5432')).toBe(true)
  expect(await recoveries()).toBe(0)
  await set('worker-2', 'back')
  await nodes.look()
  expect(nodes.away).toEqual([])
  expect(await recoveries()).toBe(1)
  await nodes.look()
  expect(await recoveries()).toBe(1)
  expect(told).toEqual(['worker-2:5432 does not answer.', 'worker-2:5432 is back, may recover: true'])
})

test('a warning that names a node has its writes recovered, although it always answered', async () => {
  await onCluster()
  await nodes.look()
  expect(nodes.warned('identifier "a" will be truncated')).toBe(false)
  await nodes.look()
  expect(await recoveries()).toBe(0)
  expect(nodes.warned('failed to commit transaction on worker-1:5432')).toBe(true)
  await nodes.look()
  expect(await recoveries()).toBe(1)
  expect(told).toEqual([])
})

test('while one node is away, writes of another that is back are recovered', async () => {
  await onCluster()
  await set('worker-1', 'away')
  await set('worker-2', 'away')
  await nodes.look()
  await set('worker-2', 'back')
  await nodes.look()
  expect(nodes.away).toEqual(['worker-1:5432'])
  expect(await recoveries()).toBe(1)
})

test('a role that may not recover writes is said so when the node is back', async () => {
  await onCluster()
  const role = `reader_${new URL(own.url).pathname.slice(1)}`
  await pool.query(`CREATE ROLE ${role}; REVOKE ALL ON FUNCTION recover_prepared_transactions() FROM PUBLIC;
    GRANT USAGE ON SCHEMA citus_stand_in TO ${role}; GRANT SELECT ON ALL TABLES IN SCHEMA citus_stand_in TO ${role}`)
  const limited = new pg.Pool({ connectionString: own.url, options: `-c role=${role}` })
  const ofRole = new NodeWatch(limited, {
    nodeAway: () => undefined,
    nodeBack: ({ node, mayRecover }) => told.push(`${node} is back, may recover: ${mayRecover}`),
  })
  await set('worker-1', 'away')
  await ofRole.look()
  await set('worker-1', 'back')
  await ofRole.look()
  await limited.end()
  expect(told).toEqual(['worker-1:5432 is back, may recover: false'])
  expect(await recoveries()).toBe(0)
  await pool.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
})
