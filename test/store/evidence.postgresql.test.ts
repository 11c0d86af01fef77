// A database of an earlier program, with data in it, is brought up to date: nothing is lost, and
// what is new holds for what was there.
import { createHash, randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { canonicalJson } from '../../src/contract/canonical.ts'
import { migrate } from '../../src/store/migrate.ts'
import { exported, faultsIn, type Line, linesOf } from '../support/archives.ts'
import { ownPostgresqlDatabase } from '../support/database.ts'
import { locationPayload, paths, productPayload } from '../support/payloads.ts'
import { type Service, startService } from '../support/service.ts'

let own: { url: string; drop(): Promise<void> }
let pool: pg.Pool
let service: Service | undefined
beforeEach(async () => {
  own = await ownPostgresqlDatabase()
  pool = new pg.Pool({ connectionString: own.url })
})
afterEach(async () => {
  await (service?.close() ?? pool.end())
  await own.drop()
})

const insertVersion = `INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, payload_id, content_hash, findings, body, submitted_at)
  VALUES ($1, $2, $3, $4, 'abc', $2, $5, CASE WHEN $4 = 'location' THEN sha256(convert_to($7::jsonb::text, 'UTF8')) ELSE $6 END, '[]', $7, now() - interval '1 day')`

test('versions stored before there was evidence are chained and come under checkpoints, and are written to as before', async () => {
  await migrate(pool, ['0001-records.sql'])
  const provider = randomUUID()
  await pool.query(`INSERT INTO provider (provider_id, name) VALUES ($1, 'Harbor')`, [provider])
  const product = productPayload()
  const location = locationPayload()
  const id = (n: number) => `019a3c1e-7d2b-7c4a-9f10-${String(n).padStart(12, '0')}`
  const write = (n: number, version: number, kind: string, payloadId: string | null, content: object) => {
    // As a sender wrote it, with its own blanks and spellings kept.
    const body = JSON.stringify(content).replace(/"packSize":"/, '"packSize": "')
    return pool.query(insertVersion, [
      provider,
      id(n),
      version,
      kind,
      payloadId,
      createHash('sha256').update(canonicalJson(content)).digest(),
      body,
    ])
  }
  const versions = 300
  for (let version = 1; version <= versions; version++)
    await write(1, version, 'masterProduct', `p "${version}"\n\\`, {
      productMasterDataList: { ...product.productMasterDataList, packSize: `${version}` },
    })
  await write(2, 1, 'location', null, location)
  await pool.query(
    `INSERT INTO record (provider_id, id, kind, version, content_hash, search_hash)
     SELECT DISTINCT ON (record_id) provider_id, record_id, kind, version, content_hash, ''::bytea
     FROM record_version WHERE provider_id = $1 ORDER BY record_id, version DESC`,
    [provider],
  )
  for (const [table, columns] of [
    ['master_product', `"dataProviderVendorId", "itemCode"`],
    ['location', `"dataProviderVendorId", "locationCode", content`],
  ] as const)
    await pool.query(
      `INSERT INTO ${table} (provider_id, id, ${columns})
       SELECT provider_id, record_id, $2, $3${table === 'location' ? ', $4' : ''}
       FROM record_version v WHERE provider_id = $1 AND kind = ${table === 'location' ? `'location'` : `'masterProduct'`}
         AND version = (SELECT max(version) FROM record_version m WHERE m.record_id = v.record_id)`,
      table === 'location'
        ? [provider, location.locationMasterList.dataProviderVendorId, location.locationMasterList.locationCode, '{}']
        : [provider, product.productMasterDataList.dataProviderVendorId, product.productMasterDataList.itemCode],
    )

  expect(await migrate(pool)).toMatchObject({ is: 'current', applied: expect.arrayContaining(['0002-evidence.sql']) })
  service = await startService({}, undefined, { kind: 'postgresql', pool, url: own.url, close: () => pool.end() })
  const harbor = await service.provider('Harbor')
  const reply = await harbor.call('PUT', `${paths.masterProduct}/${id(1)}`, { body: product })
  expect([reply.status, reply.headers.get('etag')]).toEqual([200, `"${versions + 1}"`])
  const archive = await exported(harbor)
  expect(faultsIn(archive)).toEqual([])
  const lines: Line[] = linesOf(archive).map((line) => JSON.parse(line))
  expect(lines.filter(({ is }) => is === 'version')).toHaveLength(versions + 2)
})
