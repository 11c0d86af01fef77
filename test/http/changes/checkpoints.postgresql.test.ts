// No version is left out of the checkpoints, and none is under two: whoever makes them, whenever it
// was committed, whatever the clock said.
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCheckpoints, makeCheckpointsDue } from '../../../src/handlers/base/checkpoint-making.ts'
import { checkpointRounds } from '../../../src/handlers/changes/checkpoint-rounds.ts'
import { migrate } from '../../../src/store/database/migrate.ts'
import { checkpointVersionsMax } from '../../../src/store/evidence/checkpoints.ts'
import { ownPostgresqlDatabase } from '../../support/databases/database.ts'
import { writeLateVersion } from '../../support/databases/late-version.ts'
import { takeStatistics } from '../../support/databases/statistics.ts'
import { exported, faultsIn, type Line, linesOf } from '../../support/files/archives.ts'
import { paths, productPayload } from '../../support/records/payloads.ts'
import { type Service, startService, type TestProvider } from '../../support/servers/service.ts'
import { testSigner } from '../../support/servers/signer.ts'

// Of its own: what is due is due for every provider of a database.
let own: { url: string; drop(): Promise<void> }
let service: Service
beforeAll(async () => {
  own = await ownPostgresqlDatabase()
  const pool = new pg.Pool({ connectionString: own.url })
  await migrate(pool)
  service = await startService({}, undefined, { kind: 'postgresql', pool, url: own.url, close: () => pool.end() })
})
afterAll(async () => {
  await service?.close()
  await own?.drop()
})

const create = async ({ call }: TestProvider): Promise<string> =>
  (await call('POST', paths.masterProduct, { body: productPayload() })).body.request_ids[0]

const make = ({ id }: TestProvider) => makeCheckpoints(service.database.pool, testSigner, id)

async function versionsIn(provider: TestProvider): Promise<string[]> {
  const archive = await exported(provider)
  expect(faultsIn(archive)).toEqual([])
  return linesOf(archive)
    .map((line): Line => JSON.parse(line))
    .filter(({ is }) => is === 'version')
    .map(({ id, version }) => `${id}.${version}`)
}

test('a version that is committed after a checkpoint was made, with a time before it, is under the next one', async () => {
  const provider = await service.provider()
  const late = await writeLateVersion(service.database.url, provider.id, '1 hour')
  try {
    const seen = await create(provider)
    expect(await make(provider)).toBe(1)
    await late.commit()
    expect(await make(provider)).toBe(2)
    expect(await versionsIn(provider)).toEqual(expect.arrayContaining([`${late.id}.1`, `${seen}.1`]))
  } finally {
    await late.end()
  }
})

test('eight processes that make checkpoints while others write put every version under exactly one', async () => {
  const provider = await service.provider()
  const made: string[] = []
  const writing = (async () => {
    for (let i = 0; i < 60; i++) made.push(await create(provider))
  })()
  let writes = true
  writing.finally(() => {
    writes = false
  })
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (writes) await make(provider)
    }),
  )
  await writing
  const versions = await versionsIn(provider)
  expect(versions.sort()).toEqual(made.map((id) => `${id}.1`).sort())
})

test('one is due when the last is as old as the interval, and not before', async () => {
  const provider = await service.provider()
  const { pool } = service.database
  const count = async () => (await provider.call('GET', '/checkpoints')).body.content.length
  await create(provider)
  await makeCheckpointsDue(pool, testSigner, 60_000)
  await create(provider)
  await makeCheckpointsDue(pool, testSigner, 60_000)
  expect(await count()).toBe(1)
  await pool.query(`UPDATE checkpoint SET made_at = made_at - interval '61 seconds' WHERE provider_id = $1`, [
    provider.id,
  ])
  await makeCheckpointsDue(pool, testSigner, 60_000)
  expect(await count()).toBe(2)
})

test('a process that ends makes the last ones', async () => {
  const provider = await service.provider()
  await create(provider)
  const rounds = checkpointRounds(service.database.pool, testSigner, 3_600_000, () => undefined)
  await rounds.end()
  expect((await provider.call('GET', '/checkpoints')).body.content).toHaveLength(1)
})

test('more than fit under one are under several, in one go', async () => {
  const provider = await service.provider()
  const id = await create(provider)
  const count = checkpointVersionsMax + 5
  await service.database.pool.query(
    `WITH RECURSIVE chain AS (
       SELECT v.*, 1 AS n FROM record_version v WHERE provider_id = $1 AND record_id = $2
     ), more AS (
       INSERT INTO record_version (provider_id, record_id, version, kind, submitted_at, key_id, request_id, content_hash, detail, version_hash)
       SELECT $1, md5(n::text)::uuid, 1, c.kind, c.submitted_at, c.key_id, c.request_id, c.content_hash, c.detail,
              version_hash_of(c.kind, md5(n::text)::uuid, 1, c.submitted_at, c.key_id, c.content_hash, detail_hash_of(c.payload_id, c.void_reason, c.reason, c.detail[2], c.detail[1]), NULL)
       FROM record_version c, generate_series(1, $3::integer) AS n
       WHERE c.provider_id = $1 AND c.record_id = $2
     )
     INSERT INTO awaiting_checkpoint (provider_id, since, id, record_ids, versions)
     SELECT $1, now(), gen_random_uuid(), array_agg(md5(n::text)::uuid), array_agg(1) FROM generate_series(1, $3::integer) AS n GROUP BY n / 1000`,
    [provider.id, id, count],
  )
  await takeStatistics(service.database.pool)
  expect(await make(provider)).toBe(2)
  const counts: number[] = (await provider.call('GET', '/checkpoints')).body.content.map(
    ({ versionCount }: { versionCount: number }) => versionCount,
  )
  expect(counts).toHaveLength(2)
  expect(Math.max(...counts)).toBeLessThanOrEqual(checkpointVersionsMax)
  expect(counts.reduce((sum, one) => sum + one)).toBe(count + 1)
  expect(await versionsIn(provider)).toHaveLength(count + 1)
})
