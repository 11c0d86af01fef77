// Whatever somebody changes in the database past the service is named, with record and version or
// checkpoint; and a database that nobody touched has no fault. Source: decision 0075.
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { yearsBefore } from '../../../src/contract/shape/date-and-time.ts'
import { checkpointText } from '../../../src/evidence/evidence.ts'
import { makeCheckpoints } from '../../../src/handlers/base/checkpoint-making.ts'
import { checkEvidence, type EvidenceFault } from '../../../src/operator/evidence-check.ts'
import { type Signer, signerOf } from '../../../src/signing-key.ts'
import type { Queryable } from '../../../src/store/database/statement.ts'
import { newestCheckpoints } from '../../../src/store/evidence/checkpoints.ts'
import { purgeAllDue } from '../../../src/store/keeping/purge.ts'
import { searchComparison } from '../../../src/wiring.ts'
import { exported, importArchive } from '../../support/files/archives.ts'
import {
  changed,
  eventPayload,
  locationPayload,
  paths,
  productPayload,
  shippingPayload,
} from '../../support/records/payloads.ts'
import { type Service, startService, type TestProvider, testConfig } from '../../support/servers/service.ts'
import { testSigner } from '../../support/servers/signer.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const newSigner = (): Signer => signerOf(generateKeyPairSync('ed25519').privateKey)

/** Ids of what the tests change. */
interface World {
  readonly provider: TestProvider
  /** An event with four versions, of which the last is a void. */
  readonly voided: string
  /** An event with three versions, and another with one. */
  readonly event: string
  readonly other: string
  readonly product: string
  readonly place: string
  readonly shipped: string
}

/** A provider with records of all kinds, voids, several checkpoints, and an earlier signing key. */
async function filled(): Promise<World> {
  const provider = await service.provider()
  const { call } = provider
  const create = async (path: string, body: unknown): Promise<string> => {
    const reply = await call('POST', path, { body })
    expect(reply.status, reply.text).toBe(201)
    return reply.body.request_ids[0]
  }
  const put = async (path: string, id: string, body: unknown) =>
    expect((await call('PUT', `${path}/${id}`, { body })).status).toBe(200)
  const replaced = async (versions: number): Promise<string> => {
    const payload = eventPayload((one) => {
      one.payloadId = randomUUID()
      delete one.eventList.productList[0].caseLotNumber
      one.eventList.eventDateTime = one.eventList.eventDateTime.replace('2026', '2025')
    })
    const id = await create(paths.receivingEvent, payload)
    for (let version = 2; version <= versions; version++) {
      changed.receivingEvent(payload)
      payload.payloadId = randomUUID()
      await put(paths.receivingEvent, id, payload)
    }
    return id
  }
  const checkpoint = (signer: Signer) => makeCheckpoints(service.database.pool, signer, provider.id)
  const place = await create(paths.location, locationPayload())
  const voided = await replaced(3)
  await checkpoint(newSigner())
  expect((await call('POST', `${paths.receivingEvent}/${voided}/void`, { body: { reason: 'a test' } })).status).toBe(
    200,
  )
  const event = await replaced(3)
  await checkpoint(testSigner)
  const other = await replaced(1)
  const product = await create(paths.masterProduct, productPayload())
  const shipped = await create(paths.shippingEvent, shippingPayload())
  await checkpoint(testSigner)
  // Under no checkpoint yet.
  await create(paths.masterProduct, productPayload())
  return { provider, voided, event, other, product, place, shipped }
}

async function faultsOf(provider: string, db: Queryable = service.database.pool): Promise<EvidenceFault[]> {
  const faults: EvidenceFault[] = []
  await checkEvidence(
    db,
    provider,
    { ownKeyId: testSigner.signingKeyId, compareSearch: searchComparison(db, testConfig()) },
    {
      fault: async (fault) => void faults.push(fault),
      progress: () => undefined,
    },
  )
  return faults
}

/** The connection on which a test changes what it undoes again. */
let client: pg.PoolClient

const inDatabase = async (text: string, values: unknown[] = []) => {
  const { rowCount } = await client.query(text, values)
  // A change that hits nothing proves nothing.
  expect(rowCount).toBeGreaterThan(0)
}

describe('a database that nobody touched has no fault', () => {
  test('with voids, several checkpoints, another signing key before, and versions that wait', async () => {
    const { provider } = await filled()
    expect(await faultsOf(provider.id)).toEqual([])
  })

  test('after a purge, and brought into another account, before and after it goes on there', async () => {
    const [{ provider: from }, to] = [await filled(), await service.provider()]
    const now = new Date(Date.now() + 3 * 366 * 86_400_000)
    for await (const _ of purgeAllDue(service.database.pool, from.id, {
      before: yearsBefore(now, 2),
      now,
      retentionYears: 2,
    }));
    expect(await faultsOf(from.id)).toEqual([])
    expect((await importArchive(service, to, await exported(from))).body).toMatchObject({ ended: true })
    expect(await faultsOf(to.id)).toEqual([])
    expect((await to.call('POST', paths.masterProduct, { body: productPayload() })).status).toBe(201)
    await makeCheckpoints(service.database.pool, testSigner, to.id)
    expect(await faultsOf(to.id)).toEqual([])
  })

  test('with an event that is sent again unchanged, whose warnings stay those of its version', async () => {
    const provider = await service.provider()
    const body = eventPayload((payload) => payload.productMasterDataList.shift())
    const { body: created } = await provider.call('POST', paths.receivingEvent, { body })
    const [id] = created.request_ids
    const hasWarnings = async () =>
      (await provider.call('GET', `${paths.receivingEvent}?hasWarnings=true`)).body.content.length
    expect(await hasWarnings()).toBe(1)
    const product = productPayload((payload) => {
      payload.productMasterDataList.itemCode = body.eventList.productList[0].vendorItemCode
    })
    expect((await provider.call('POST', paths.masterProduct, { body: product })).status).toBe(201)
    // As a program with other search values finds it.
    await service.database.pool.query(`UPDATE record SET search_hash = '' WHERE id = $1`, [id])
    expect((await provider.call('PUT', `${paths.receivingEvent}/${id}`, { body })).status).toBe(200)
    expect(await hasWarnings()).toBe(1)
    expect(await faultsOf(provider.id)).toEqual([])
  })

  test('while others write to it', async () => {
    const { provider, other } = await filled()
    const writes = (async () => {
      const payload = eventPayload()
      for (let i = 0; i < 20; i++) {
        changed.receivingEvent(payload)
        await provider.call('PUT', `${paths.receivingEvent}/${other}`, { body: payload })
        if (i % 5 === 0) await makeCheckpoints(service.database.pool, testSigner, provider.id)
      }
    })()
    for (let i = 0; i < 10; i++) expect(await faultsOf(provider.id)).toEqual([])
    await writes
  })
})

const ofVersion = 'WHERE provider_id = $1 AND record_id = $2 AND version = $3'
const copyOf = (version: string, id = 'record_id') => `INSERT INTO record_version
  (provider_id, record_id, version, kind, submitted_at, key_id, request_id, payload_id, content_hash, detail, version_hash)
  SELECT provider_id, ${id}, ${version}, kind, submitted_at, key_id, request_id, payload_id, content_hash, detail, version_hash
  FROM record_version ${ofVersion}`

/** What is changed, and the version or the checkpoint that has to be named for it. */
type Tampering = readonly [
  what: string,
  change: (world: World) => Promise<unknown>,
  named: (world: World) => Partial<EvidenceFault>,
]

const change =
  (set: string, version = 2): Tampering[1] =>
  ({ provider, event }) =>
    inDatabase(`UPDATE record_version SET ${set} ${ofVersion}`, [provider.id, event, version])
const at =
  (version: number): Tampering[2] =>
  ({ event }) => ({ record: event, version })

const ofVersions: readonly Tampering[] = [
  ['a body', change(`detail[1] = replace(detail[1], '"shipQuantity":', '"shipQuantity":1')`), at(2)],
  ['findings', change(`detail[2] = '[]'`), at(2)],
  ['the time', change(`submitted_at = '2026-01-01T00:00:00Z'`), at(2)],
  ['who submitted it', change(`key_id = '0123456789abcdef'`), at(2)],
  ['the payload id', change(`payload_id = 'another'`), at(2)],
  ['a body and all hashes of it', change(`detail[1] = '{}', content_hash = sha256('{}')`), at(2)],
  [
    'the reason of a void',
    ({ provider, voided }) =>
      inDatabase(`UPDATE record_version SET void_reason = 'another' ${ofVersion}`, [provider.id, voided, 4]),
    ({ voided }) => ({ record: voided, version: 4 }),
  ],
  [
    'two versions that were exchanged',
    async ({ provider, event }) => {
      for (const [from, to] of [
        [1, 9],
        [2, 1],
        [9, 2],
      ])
        await inDatabase(`UPDATE record_version SET version = $4 ${ofVersion}`, [provider.id, event, from, to])
    },
    at(1),
  ],
  [
    'the last version, deleted',
    ({ provider, event }) => inDatabase(`DELETE FROM record_version ${ofVersion}`, [provider.id, event, 3]),
    at(3),
  ],
  [
    'a version in the middle, deleted',
    ({ provider, event }) => inDatabase(`DELETE FROM record_version ${ofVersion}`, [provider.id, event, 2]),
    at(2),
  ],
  [
    'the first version, deleted',
    ({ provider, event }) => inDatabase(`DELETE FROM record_version ${ofVersion}`, [provider.id, event, 1]),
    at(1),
  ],
  [
    'all versions, deleted',
    ({ provider, event }) =>
      inDatabase('DELETE FROM record_version WHERE provider_id = $1 AND record_id = $2', [provider.id, event]),
    at(3),
  ],
  [
    'all of a record, deleted',
    async ({ provider, other }) => {
      for (const [table, column] of [
        ['record_version', 'record_id'],
        ['record', 'id'],
        ['event', 'id'],
      ])
        await inDatabase(`DELETE FROM ${table} WHERE provider_id = $1 AND ${column} = $2`, [provider.id, other])
    },
    ({ other }) => ({ record: other, version: 1 }),
  ],
  [
    'the row of the record, deleted',
    ({ provider, event }) => inDatabase('DELETE FROM record WHERE provider_id = $1 AND id = $2', [provider.id, event]),
    at(3),
  ],
  [
    'a version put behind the last one',
    ({ provider, event }) => inDatabase(copyOf('4'), [provider.id, event, 3]),
    at(4),
  ],
  [
    'a version put behind the last one, and named as the current one',
    async ({ provider, event }) => {
      await inDatabase(copyOf('4'), [provider.id, event, 3])
      await inDatabase('UPDATE record SET version = 4 WHERE provider_id = $1 AND id = $2', [provider.id, event])
    },
    at(4),
  ],
  [
    'the number of the current version, set back',
    ({ provider, event }) =>
      inDatabase('UPDATE record SET version = 2 WHERE provider_id = $1 AND id = $2', [provider.id, event]),
    at(3),
  ],
  [
    'the number of the current version, set forward',
    ({ provider, event }) =>
      inDatabase('UPDATE record SET version = 5 WHERE provider_id = $1 AND id = $2', [provider.id, event]),
    at(5),
  ],
  [
    'the hash that the record names',
    ({ provider, event }) =>
      inDatabase(`UPDATE record SET version_hash = sha256('x') WHERE provider_id = $1 AND id = $2`, [
        provider.id,
        event,
      ]),
    at(3),
  ],
  [
    'the search row, deleted',
    ({ provider, event }) => inDatabase('DELETE FROM event WHERE provider_id = $1 AND id = $2', [provider.id, event]),
    at(3),
  ],
]

const ofEvent =
  (text: string): Tampering[1] =>
  ({ provider, event }) =>
    inDatabase(text, [provider.id, event])
const eventColumns: Readonly<Record<string, string>> = {
  dataProviderVendorId: `"dataProviderVendorId" = 'V-other'`,
  eventDateTime: `"eventDateTime" = '2020-01-01T00:00:00Z'`,
  place: `place = 'elsewhere'`,
  counterpart: `counterpart = 'elsewhere'`,
  identity: `identity = 'other'`,
  purchaseOrderNumber: `"purchaseOrderNumber" = 'other'`,
  asnNumber: `"asnNumber" = 'other'`,
  billOfLadingNumber: `"billOfLadingNumber" = 'other'`,
  event_date: 'event_date = event_date + 1',
  line_count: 'line_count = line_count + 1',
  warnings: 'warnings = warnings + 1',
  ftl_categories: `ftl_categories = '["herbs", "melons"]'`,
  completeness: `completeness = '[]'`,
}

/** What records are found by, and the value that is named. */
const ofSearchValues: readonly Tampering[] = [
  ...Object.entries(eventColumns).map(
    ([column, set]): Tampering => [
      `${column} of an event`,
      async (world) => {
        await ofEvent(`UPDATE event SET ${set} WHERE provider_id = $1 AND id = $2`)(world)
        // Events that wait to be counted again are not compared.
        await client.query('DELETE FROM awaiting_recount WHERE provider_id = $1', [world.provider.id])
      },
      ({ event }) => ({ record: event, version: 3, what: expect.stringMatching(`: ${column}\\.$`) }),
    ],
  ),
  [
    'a code that is taken away',
    ofEvent(`DELETE FROM event_code WHERE provider_id = $1 AND id = $2 AND field = 'itemCode'`),
    ({ event }) => ({ record: event, what: expect.stringContaining('codes') }),
  ],
  [
    'a lot code that is added',
    ofEvent(
      `INSERT INTO event_code (provider_id, kind, field, code, id, unfolded) VALUES ($1, 'receivingEvent', 'lotCode', 'L-9', $2, '')`,
    ),
    ({ event }) => ({ record: event, what: expect.stringContaining('codes') }),
  ],
  [
    'what is compared with shipments',
    ofEvent(`UPDATE record SET compared = '[]' WHERE provider_id = $1 AND id = $2`),
    ({ event }) => ({ record: event, what: expect.stringContaining('compared') }),
  ],
  [
    'the code of a product',
    ({ provider, product }) =>
      inDatabase(`UPDATE master_product SET "itemCode" = 'other' WHERE provider_id = $1 AND id = $2`, [
        provider.id,
        product,
      ]),
    ({ product }) => ({ record: product, version: 1, what: expect.stringContaining('itemCode') }),
  ],
  [
    'the content of a location',
    ({ provider, place }) =>
      inDatabase(
        `UPDATE location SET content = content || '{"locationName": "other"}' WHERE provider_id = $1 AND id = $2`,
        [provider.id, place],
      ),
    ({ place }) => ({ record: place, version: 1, what: expect.stringContaining('content') }),
  ],
  [
    'the identity of a shipping event',
    ({ provider, shipped }) =>
      inDatabase(`UPDATE event SET identity = '' WHERE provider_id = $1 AND id = $2`, [provider.id, shipped]),
    ({ shipped }) => ({ record: shipped, version: 1, what: expect.stringContaining('identity') }),
  ],
  [
    'a search row of a record that is not stored',
    ({ provider }) =>
      inDatabase(
        `INSERT INTO master_product (provider_id, id, "dataProviderVendorId", "itemCode") VALUES ($1, $2, 'V', 'I')`,
        [provider.id, unknownId],
      ),
    () => ({ record: unknownId }),
  ],
]
const unknownId = '01890000-0000-7000-8000-000000000000'

/** Signs the checkpoints from a number on again, with another key, as if nothing had been before. */
async function signAgain({ provider }: World, from: number, hidesOwnKey = false): Promise<void> {
  const forger = newSigner()
  let previousHash =
    (await newestCheckpoints(client, { provider: provider.id, before: from, limit: 1 }))[0]?.checkpointHash ?? null
  for (const checkpoint of (
    await newestCheckpoints(client, { provider: provider.id, before: 1_000, limit: 100 })
  ).reverse()) {
    if (checkpoint.number < from) continue
    const text = checkpointText({ ...checkpoint, previousHash, signingKeyId: forger.signingKeyId })
    const { rows } = await client.query(
      `UPDATE checkpoint SET previous_hash = decode($3, 'hex'), signing_key_id = $4, signature = decode($5, 'base64'),
                             checkpoint_hash = sha256(convert_to($6, 'UTF8'))
       WHERE provider_id = $1 AND number = $2 RETURNING encode(checkpoint_hash, 'hex') AS hash`,
      [provider.id, checkpoint.number, previousHash, forger.signingKeyId, forger.sign(text), text],
    )
    previousHash = rows[0].hash
  }
  await inDatabase('INSERT INTO signing_key (provider_id, signing_key_id, public_key) VALUES ($1, $2, $3)', [
    provider.id,
    forger.signingKeyId,
    forger.publicKey,
  ])
  if (hidesOwnKey)
    await inDatabase('DELETE FROM signing_key WHERE provider_id = $1 AND signing_key_id = $2', [
      provider.id,
      testSigner.signingKeyId,
    ])
}

const checkpointOf =
  (number: number): Tampering[2] =>
  () => ({ checkpoint: number })
const changeCheckpoint =
  (set: string, number = 2): Tampering[1] =>
  ({ provider }) =>
    inDatabase(`UPDATE checkpoint SET ${set} WHERE provider_id = $1 AND number = $2`, [provider.id, number])

const ofCheckpoints: readonly Tampering[] = [
  ['its time', changeCheckpoint(`made_at = '2026-01-01T00:00:00Z'`), checkpointOf(2)],
  ['its root', changeCheckpoint(`root = sha256('x')`), checkpointOf(2)],
  [
    'its signature',
    changeCheckpoint(`signature = set_byte(signature, 0, get_byte(signature, 0) # 1)`),
    checkpointOf(2),
  ],
  ['its hash', changeCheckpoint(`checkpoint_hash = sha256('x')`), checkpointOf(2)],
  [
    'what is under it',
    changeCheckpoint('record_ids = trim_array(record_ids, 1), versions = trim_array(versions, 1)'),
    checkpointOf(2),
  ],
  ['its number of versions', changeCheckpoint('version_count = version_count + 1'), checkpointOf(2)],
  [
    'that it is there, in the middle',
    ({ provider }) => inDatabase('DELETE FROM checkpoint WHERE provider_id = $1 AND number = 2', [provider.id]),
    checkpointOf(2),
  ],
  [
    'that it is there, as the first',
    ({ provider }) => inDatabase('DELETE FROM checkpoint WHERE provider_id = $1 AND number = 1', [provider.id]),
    checkpointOf(1),
  ],
  [
    'that it is there, as the last',
    ({ provider }) => inDatabase('DELETE FROM checkpoint WHERE provider_id = $1 AND number = 3', [provider.id]),
    ({ other }) => ({ record: other, version: 1 }),
  ],
  ['its key, exchanged in one', (world) => signAgain(world, 3), checkpointOf(3)],
  ['the keys of all, signed again', (world) => signAgain(world, 1), () => ({})],
]

describe('what was changed', () => {
  let world: World
  beforeAll(async () => {
    world = await filled()
  })
  beforeEach(async () => {
    client = await service.database.pool.connect()
    await client.query('BEGIN')
    return async () => {
      await client.query('ROLLBACK')
      client.release()
    }
  })

  describe.each([
    ['of a version', ofVersions],
    ['among search values', ofSearchValues],
    ['of a checkpoint', ofCheckpoints],
  ])('%s is named', (_of, tamperings) => {
    test.each(tamperings)('%s', async (_what, change, named) => {
      await change(world)
      const faults = await faultsOf(world.provider.id, client)
      expect(faults).toContainEqual(expect.objectContaining(named(world)))
      for (const { remedy } of faults) expect(remedy).not.toBe('')
    })
  })

  test('in all checkpoints, with the keys before taken away: the key that nobody knows here is shown', async () => {
    await signAgain(world, 1, true)
    const compare = searchComparison(client, testConfig())
    const checked = await checkEvidence(
      client,
      world.provider.id,
      { ownKeyId: testSigner.signingKeyId, compareSearch: compare },
      {
        fault: async () => undefined,
        progress: () => undefined,
      },
    )
    expect(checked?.foreignKeyId).toMatch(/^[0-9a-f]{32}$/)
  })
})

describe('the remedy that is named writes search values anew', () => {
  test.each(['receivingEvent', 'shippingEvent', 'masterProduct', 'location'] as const)('of a %s', async (kind) => {
    const { provider, other, shipped, product, place } = await filled()
    const { pool } = service.database
    const id = { receivingEvent: other, shippingEvent: shipped, masterProduct: product, location: place }[kind]
    const table = {
      receivingEvent: 'event',
      shippingEvent: 'event',
      masterProduct: 'master_product',
      location: 'location',
    }[kind]
    await pool.query(`UPDATE ${table} SET "dataProviderVendorId" = 'V-other' WHERE id = $1`, [id])
    const [fault, ...others] = await faultsOf(provider.id)
    expect(others).toEqual([])
    const { body } = await provider.call('GET', `${paths[kind]}/${id}`)
    const [, statement = ''] = /^Run (UPDATE .*?) in the database/.exec(fault?.remedy ?? '') ?? []
    await pool.query(statement)
    body.payloadId = randomUUID()
    expect((await provider.call('PUT', `${paths[kind]}/${id}`, { body })).status).toBe(200)
    expect(await faultsOf(provider.id)).toEqual([])
  })
})
