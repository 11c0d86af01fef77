// While a worker of a Citus cluster is down, providers on the other worker read. On a cluster of its
// own, where `npm run test:distributed` runs.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogue, type OperationName } from '../../../src/operations/catalogue.ts'
import { providerPlaces } from '../../../src/store/database/distribute.ts'
import { migrate } from '../../../src/store/database/migrate.ts'
import { addressOf, requestSamples, type Subject } from '../../samples/operation-requests.ts'
import { type CitusCluster, startCitusCluster } from '../../support/databases/citus-cluster.ts'
import { newSubjects } from '../../support/records/new-subjects.ts'
import type { Payload } from '../../support/records/payloads.ts'
import { type Call, calling, type Service, startService } from '../../support/servers/service.ts'

const binaries = process.env.TEST_CITUS_BIN ?? ''
const onCluster = test.runIf(binaries !== '')

let cluster: CitusCluster
let service: Service
beforeAll(async () => {
  if (binaries === '') return
  cluster = await startCitusCluster(binaries)
  const { url } = cluster.coordinator
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => undefined)
  await migrate(pool, { distribute: true })
  service = await startService({}, undefined, { kind: 'postgresql', pool, url, close: () => pool.end() })
})
afterAll(async () => {
  await service?.close()
  await cluster?.stop()
})

interface Tenant {
  readonly call: Call
  /** What operations are about. */
  readonly subjects: ReadonlyMap<Subject, string>
}

/** A provider on the worker at this port, with what operations are about. */
async function tenantOn(port: string): Promise<Tenant> {
  for (;;) {
    const { name, key } = await service.provider()
    const place = (await providerPlaces(service.database.pool)).find((one) => one.name === name)
    if (!place?.node.endsWith(`:${port}`)) continue
    const call = calling(service.url, await key('administrator'))
    const subjects = await newSubjects(call, `MARK${randomBytes(8).toString('hex')}`)
    // Its state is part of what is read.
    await expect
      .poll(async () => (await call('GET', '/mock-recalls')).body.content.map(({ state }: Payload) => state))
      .not.toContain('running')
    return { call, subjects }
  }
}

/** Reads the account of a partner, which is a provider of its own: on either worker. */
const ofOthers = ['listPartnerAccesses']

/** The answer of each operation that reads, by its name. */
async function readAll({ call, subjects }: Tenant): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>()
  for (const { name, path, method } of catalogue) {
    if (method !== 'GET' || ofOthers.includes(name)) continue
    const { query, subject } = requestSamples[name as OperationName]
    const about = subject === undefined ? '' : (subjects.get(subject) ?? '')
    const { status, text } = await call(method, addressOf(path, about, query))
    answers.set(name, `${status}${status >= 500 ? `: ${text}` : ''}`)
  }
  return answers
}

onCluster('providers on the other worker read as before', async () => {
  const [up, down] = cluster.workers
  if (up === undefined || down === undefined) throw new Error('A cluster has two workers.')
  const tenant = await tenantOn(new URL(up.url).port)
  const before = await readAll(tenant)
  await down.kill()
  const answers = await readAll(tenant)
  expect(answers.size).toBeGreaterThan(50)
  expect([...answers]).toEqual([...before])
})
