// While a worker of a Citus cluster is down, providers on the other worker read and write. On a
// cluster of its own, where `npm run test:distributed` runs.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { catalogue, type OperationName } from '../../../src/operations/catalogue.ts'
import { providerPlaces } from '../../../src/store/database/distribute.ts'
import { migrate } from '../../../src/store/database/migrate.ts'
import { ServerPool } from '../../../src/store/database/server-pool.ts'
import { addressOf, marked, partnerOf, requestSamples, type Subject } from '../../samples/operation-requests.ts'
import { type CitusCluster, startCitusCluster } from '../../support/databases/citus-cluster.ts'
import { allowMs } from '../../support/patience.ts'
import { newSubject, newSubjects } from '../../support/records/new-subjects.ts'
import { type Payload, paths } from '../../support/records/payloads.ts'
import { type Call, calling, cookieOf, type Reply, type Service, startService } from '../../support/servers/service.ts'

const binaries = process.env.TEST_CITUS_BIN ?? ''
const onCluster = test.runIf(binaries !== '')

let cluster: CitusCluster
let service: Service
/** Answers while both workers are up, and while one is down: of a provider on the other, by operation. */
let read: readonly [up: Answers, down: Answers]
let written: readonly [up: Answers, down: Answers]
/** A provider on the worker that is down, and one that is not. */
let away: Tenant
let reach: Tenant
beforeAll(async () => {
  if (binaries === '') return
  cluster = await startCitusCluster(binaries)
  const { url } = cluster.coordinator
  const pool = new ServerPool({ connectionString: url })
  pool.on('error', () => undefined)
  await migrate(pool, { distribute: true })
  service = await startService({}, undefined, { kind: 'postgresql', pool, url, close: () => pool.end() })
  const [up, down] = cluster.workers.map((worker) => new URL(worker.url).port)
  const [reader, writer, another] = [await tenantOn(up), await tenantOn(up), await tenantOn(up)]
  away = await tenantOn(down)
  reach = writer
  const [readUp, writtenUp] = [await readAll(reader), await writeAll(writer)]
  await cluster.workers[1]?.kill()
  read = [readUp, await readAll(reader)]
  written = [writtenUp, await writeAll(another)]
})
afterAll(async () => {
  await service?.close()
  await cluster?.stop()
})

interface Tenant {
  readonly call: Call
  /** That nobody has sent yet. */
  readonly keys: readonly string[]
  /** What operations are about. */
  readonly subjects: ReadonlyMap<Subject, string>
  /** What is used up by operations, each by its name. */
  readonly spent: ReadonlyMap<string, string>
}

/** The answer of each operation, by its name. */
type Answers = ReadonlyMap<string, string>

/** A provider on the worker at this port, with what operations are about. */
async function tenantOn(port: string | undefined): Promise<Tenant> {
  for (;;) {
    const { name, key } = await service.provider()
    const place = (await providerPlaces(service.database.pool)).find((one) => one.name === name)
    if (!place?.node.endsWith(`:${port}`)) continue
    const call = calling(service.url, await key('administrator'))
    const mark = `MARK${randomBytes(8).toString('hex')}`
    const subjects = await newSubjects(call, mark)
    const spent = new Map<string, string>()
    for (const { name } of catalogue) {
      const { spends, subject } = requestSamples[name as OperationName]
      if (spends === true && subject !== undefined) spent.set(name, await newSubject(call, subject, mark))
    }
    // Its state is part of what is read.
    await vi.waitFor(
      async () => {
        const states = (await call('GET', '/mock-recalls')).body.content.map(({ state }: Payload) => state)
        expect(states).not.toContain('running')
      },
      { timeout: allowMs(5_000) },
    )
    const keys = await Promise.all(Array.from({ length: 6 }, () => key('reader')))
    return { call, keys, subjects, spent }
  }
}

/** The answers of operations that read. */
async function readAll({ call, subjects }: Tenant): Promise<Answers> {
  const answers = new Map<string, string>()
  for (const { name, path, method } of catalogue) {
    if (method !== 'GET') continue
    const { query, subject } = requestSamples[name as OperationName]
    const about = subject === undefined ? '' : (subjects.get(subject) ?? '')
    answers.set(name, answerOf(await call(method, addressOf(path, about, query))))
  }
  return answers
}

/** The answers of operations that write. */
async function writeAll({ call, subjects, spent }: Tenant): Promise<Answers> {
  const answers = new Map<string, string>()
  for (const { name, path, method } of catalogue) {
    if (method === 'GET') continue
    const { query, subject, body } = requestSamples[name as OperationName]
    const about = spent.get(name) ?? (subject === undefined ? '' : (subjects.get(subject) ?? ''))
    const mark = randomBytes(8).toString('hex')
    const sent = body === undefined ? {} : { body: body(mark) }
    answers.set(name, answerOf(await call(method, addressOf(path, about, query), sent)))
  }
  return answers
}

const soon = { timeout: allowMs(10_000) }

async function newKeyOf({ call }: Tenant): Promise<string> {
  return (await call('POST', '/keys', { body: { role: 'reader', label: 'new' } })).body.key
}

const answerOf = ({ status, text, headers }: Reply): string =>
  status < 500 ? String(status) : `${status}, Retry-After ${headers.get('retry-after')}: ${text}`

onCluster('providers on the other worker read as before', () => {
  const [up, down] = read
  expect(up.size).toBeGreaterThan(50)
  expect([...down]).toEqual([...up])
})

onCluster('providers on the other worker write as before', () => {
  const [up, down] = written
  expect(up.size).toBeGreaterThan(50)
  expect([...down]).toEqual([...up])
})

onCluster('keys, people and partners of providers on the other worker come and go as before', async () => {
  const { call } = reach
  const statusOf = async (key: string, path = '/keys/own') => (await calling(service.url, key)('GET', path)).status
  const made = (await call('POST', '/keys', { body: { role: 'writer', label: 'made' } })).body
  const rotated = await call('POST', `/keys/${made.keyId}/rotate`, { body: { overlapHours: 1 } })
  expect([await statusOf(made.key), await statusOf(rotated.body.key)]).toEqual([200, 200])
  const cookie = await cookieOf(service.url, made.key)
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  expect((await calling(service.url, undefined)('GET', '/keys/own', { headers })).status).toBe(200)
  expect((await call('DELETE', `/keys/${made.keyId}`)).status).toBe(200)
  await expect.poll(() => statusOf(made.key), soon).toBe(401)

  const partner = (await call('POST', '/partners', { body: partnerOf('a test') })).body
  const guests = [partner, partner].map(async ({ id }) => {
    const { token } = (await call('POST', `/partners/${id}/invitations`, { body: {} })).body
    return (await calling(service.url, token)('POST', '/invitations/accept', { body: {} })).body
  })
  const [one, other] = await Promise.all(guests)
  expect([await statusOf(one.key), await statusOf(other.key)]).toEqual([200, 200])
  await expect.poll(() => statusOf(one.key, paths.receivingEvent), soon).toBe(200)
  const revoked = await call('POST', `/partners/${partner.id}/keys/revoke`, { body: { keyId: one.keyId } })
  expect(revoked.status).toBe(200)
  await expect.poll(() => statusOf(one.key), soon).toBe(401)
  expect(await statusOf(other.key)).toBe(200)
  expect((await call('DELETE', `/partners/${partner.id}`)).status).toBe(200)
  await expect.poll(() => statusOf(other.key), soon).toBe(401)
})

onCluster('who asks beside callers of the worker that is down is answered', async () => {
  const fresh = await Promise.all(Array.from({ length: 6 }, () => newKeyOf(reach)))
  const replies = await Promise.all(
    [...fresh, ...away.keys, ...fresh].map((key) => calling(service.url, key)('GET', '/keys/own')),
  )
  const answers = replies.map(answerOf)
  const [before, theirs, after] = [answers.slice(0, 6), answers.slice(6, -6), answers.slice(-6)]
  expect([...before, ...after]).toEqual(Array.from({ length: 12 }, () => '200'))
  for (const answer of theirs) expect(answer).toMatch(/^503, Retry-After \d/)
})

onCluster('providers on the worker that is down are told to come again', async () => {
  const { call, subjects } = away
  const path = `${paths.receivingEvent}/${subjects.get('receivingEvent')}`
  for (const reply of [
    await call('GET', path),
    await call('PUT', path, { body: marked.receivingEvent('x') }),
    await call('POST', paths.location, { body: marked.location('x') }),
  ])
    expect(answerOf(reply)).toMatch(/^503, Retry-After \d/)
})
