// While the rows of a provider move to another node of a Citus cluster, it is served, and nothing
// that was acknowledged is lost. Where `npm run test:distributed` runs.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findShard } from '../../../src/store/database/provider-shard.ts'
import { isOnCluster } from '../../support/databases/database.ts'
import { allowMs } from '../../support/patience.ts'
import { eventPayload, paths } from '../../support/records/payloads.ts'
import { type Service, startServiceAlone } from '../../support/servers/service.ts'

const onCluster = test.runIf(isOnCluster())

let service: Service
beforeAll(async () => {
  if (isOnCluster()) service = await startServiceAlone()
})
afterAll(() => service?.close())

const writers = 4

/** Moves the rows of a provider to the node where they are not. */
async function move(provider: string, mode: string): Promise<void> {
  const { pool } = service.database
  const shard = await findShard(pool, provider)
  await pool.query(
    `SELECT citus_move_shard_placement($1, $2, $3, nodename, nodeport, shard_transfer_mode => $4::citus.shard_transfer_mode)
     FROM pg_dist_node WHERE groupid > 0 AND nodeport <> $3`,
    [shard?.id, shard?.host, shard?.port, mode],
  )
}

/**
 * What a move left behind, which Citus drops once no query reads it: until then it refuses to move
 * the same rows back.
 */
async function orphans(): Promise<number> {
  const { pool } = service.database
  await pool.query('CALL citus_cleanup_orphaned_resources()')
  return (await pool.query('SELECT FROM pg_dist_cleanup')).rows.length
}

onCluster('writes go on while the rows of their provider move there and back, and none is lost', async () => {
  const { id: provider, call } = await service.provider()
  const create = async () => (await call('POST', paths.receivingEvent, { body: eventPayload() })).body.request_ids[0]
  const events: string[] = []
  while (events.length < writers) events.push(await create())

  let isMoving = true
  const moveThereAndBack = async () => {
    await move(provider, 'force_logical')
    await expect.poll(orphans, { timeout: allowMs(20_000) }).toBe(0)
    await move(provider, 'block_writes')
  }
  const moved = moveThereAndBack().finally(() => {
    isMoving = false
  })
  /** Replaces an event and reads it, one after the other. */
  const writeAndRead = async (id: string) => {
    const path = `${paths.receivingEvent}/${id}`
    let written = 0
    while (isMoving) {
      const carrierTrackingNumber = `${id} ${++written}`
      const body = eventPayload(({ eventList }) => Object.assign(eventList, { carrierTrackingNumber }))
      expect((await call('PUT', path, { body })).status).toBe(200)
      expect((await call('GET', path)).body.eventList).toMatchObject({ carrierTrackingNumber })
    }
    return written
  }
  const [written] = await Promise.all([Promise.all(events.map(writeAndRead)), moved])
  for (const [at, id] of events.entries()) {
    const { body } = await call('GET', `${paths.receivingEvent}/${id}/versions?limit=1`)
    expect(body.content[0].version).toBe(1 + (written[at] ?? 0))
  }
  expect(Math.min(...written)).toBeGreaterThan(1)
})
