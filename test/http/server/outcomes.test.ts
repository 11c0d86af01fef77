// Every operation, once per outcome it declares, over real HTTP; and every answer has the shape the
// operation declares for it.
import { randomBytes, randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventKindNames, isEventKind, receivingEvent, recordKinds } from '../../../src/contract/record-kinds.ts'
import { mayAs, roles } from '../../../src/contract/role.ts'
import { yearsBefore } from '../../../src/contract/shape/date-and-time.ts'
import { capitalize } from '../../../src/contract/text/capitalize.ts'
import { planTextMax } from '../../../src/contract/traceability-plan.ts'
import { changeListenersOfProviderMax } from '../../../src/handlers/changes/change-listeners.ts'
import { Problem } from '../../../src/operations/base/bodies.ts'
import {
  bodyOutcomes,
  commonOutcomes,
  type Operation,
  type Outcome,
  outcomesOf,
} from '../../../src/operations/base/operation.ts'
import { catalogue, type OperationName } from '../../../src/operations/catalogue.ts'
import { listFileRecordsMax } from '../../../src/operations/records/list-file.ts'
import { voidEventOperations } from '../../../src/operations/records/void.ts'
import { identifier } from '../../../src/store/base/api-keys.ts'
import { DamagedRecord } from '../../../src/store/evidence/damaged-record.ts'
import { purgeAllDue } from '../../../src/store/keeping/purge.ts'
import { withdrawCopies } from '../../../src/store/keeping/retention.ts'
import { sessionFinder } from '../../../src/store/people/sessions.ts'
import { partnerKeysMax } from '../../../src/store/sharing/partners.ts'
import {
  archiveOfNothing,
  correctionOf,
  epcisDocumentOf,
  packageLinkOf,
  partnerOf,
  planOf,
  type RequestSample,
  requestSamples,
  webhookOf,
} from '../../samples/operation-requests.ts'
import { exampleNotice } from '../../samples/ship-notices.ts'
import { storeAged } from '../../support/databases/aged-records.ts'
import { takeStatistics } from '../../support/databases/statistics.ts'
import { lookAt } from '../../support/records/alert-looks.ts'
import { changed, type Payload, paths, payloadOf } from '../../support/records/payloads.ts'
import { isSecondDatabase, isShortRun } from '../../support/runs.ts'
import { startOwnServer } from '../../support/servers/own-server.ts'
import {
  type Call,
  calling,
  cookieOf,
  type Reply,
  type Service,
  startService,
  type TestProvider,
} from '../../support/servers/service.ts'

let service: Service
let limited: Service
/** A provider of whom nothing is stored or changed. */
let untouched: TestProvider
let administrator: string
/**
 * A server whose handlers work on a database that fails, or is away, while keys are still found.
 */
let failing: FastifyInstance
let away: FastifyInstance
/** One whose database lost what is asked for. */
let damaged: FastifyInstance
/** The same, where keys are looked up there too. */
let signInsFailing: FastifyInstance
let signInsAway: FastifyInstance
let signInsDamaged: FastifyInstance
let unreachable: pg.Pool
const closing: Service[] = []

beforeAll(async () => {
  service = await startService({ failedSignInsPerMinute: 0 })
  untouched = await service.provider()
  administrator = await untouched.key('administrator')
  limited = await startService({ rateLimitPerMinute: 1 })
  unreachable = new pg.Pool({ host: '127.0.0.1', port: 1, connectionTimeoutMillis: 200 })
  const { pool } = service.database
  const broken = { query: () => pool.query('SELECT 1 / 0') }
  const lossy = { query: () => Promise.reject(new DamagedRecord({ id: randomUUID(), version: 2 })) }
  failing = await serverWorkingOn(broken, pool)
  away = await serverWorkingOn(unreachable, pool)
  signInsFailing = await serverWorkingOn(broken, broken)
  signInsAway = await serverWorkingOn(unreachable, unreachable)
  damaged = await serverWorkingOn(lossy, pool)
  signInsDamaged = await serverWorkingOn(lossy, lossy)
})

afterAll(async () => {
  await Promise.all(
    [...[service, limited, failing, away, damaged, signInsFailing, signInsAway, signInsDamaged, ...closing]].map(
      (server) => server?.close(),
    ),
  )
  await unreachable?.end()
})

interface Database {
  readonly query: pg.Pool['query'] | (() => Promise<pg.QueryResult>)
}

async function serverWorkingOn(db: Database, keys: Database) {
  const { server } = await startOwnServer(db as pg.Pool, {
    identify: identifier(keys as pg.Pool),
    identifySession: sessionFinder(keys as pg.Pool),
  })
  return server
}

const urlOf = (server: FastifyInstance) => `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`

const unknownKey = `lk_0123456789abcdef_${'0'.repeat(32)}_${'A'.repeat(43)}`

/** Makes one operation end in one way. */
type Proof = (operation: Operation, call: Call, provider: string) => Promise<Reply>

/** An id that nothing has, of a form that the database is asked for. */
const strangeIdOf = ({ topic }: Operation): string => (topic === 'keys' ? randomBytes(8).toString('hex') : randomUUID())

/** The address of an operation, for a record and a version of it. */
const at = (operation: Operation, id = strangeIdOf(operation), version = '1') =>
  operation.path.replace('{id}', id).replace('{version}', version).replace('{lotCode}', id)

/** The query without which the operation asks nothing. */
const queryOf = ({ name }: Operation): string => {
  const { query }: RequestSample = requestSamples[name as OperationName]
  return query === undefined ? '' : `?${new URLSearchParams(query)}`
}

/** A lot code of the sample of a receiving event. */
const knownLotCode = payloadOf.receivingEvent().eventList.productList[0].caseLotNumber

const payload = ({ record, name }: Operation) => {
  if (record !== undefined) return payloadOf[record.name]()
  if (name === 'importArchive') return { archive: archiveOfNothing, lines: [] }
  if (name === 'createSession' || name === 'rotateKey') return {}
  if (Object.hasOwn(voidEventOperations, name)) return { reason: 'a test' }
  if (name === 'invitePerson') return { role: 'reader', email: 'ana@example.com' }
  if (name === 'createKey' || name === 'changeKey') return { role: 'reader', label: 'a test' }
  if (name === 'saveListView') return { list: 'receivingEvent', name: 'a test', query: '' }
  if (name === 'setLegalHold') return { reason: 'a test', lotCode: 'GV26062-A' }
  if (name === 'setTimeZones') return { timeZones: [{ locationCode: 'DC-07', timeZone: 'America/New_York' }] }
  if (name === 'startMockRecall') return { lotCode: knownLotCode }
  if (name === 'captureEpcis') return epcisDocumentOf(randomUUID())
  if (name === 'setUnitConversions')
    return { conversions: [{ itemCode: 'ROM-24', units: [{ unit: 'case', quantity: 24, inUnit: 'each' }] }] }
  if (name === 'setExemptPlaces')
    return { places: [{ dataProviderVendorId: 'V-1001', exemptions: [{ reason: 'nonprofit' }] }] }
  if (name === 'setSourceAddresses')
    return { addresses: [{ name: 'cooler', dataProviderVendorId: 'V-1001', locationCode: 'GV-COOLER-1' }] }
  if (name === 'setCaptureSenders') return { senders: [{ dataProviderVendorId: 'V-1001' }] }
  if (name === 'importShipNotices') return { interchange: exampleNotice }
  if (name === 'setShipNoticeSenders') return { senders: [{ senderId: 'GREENVALLEY', dataProviderVendorId: 'V-1001' }] }
  if (name === 'setVendorTargets') return { targets: [{ dataProviderVendorId: 'V-1001', completeShare: 0.98 }] }
  if (name === 'createWebhook' || name === 'replaceWebhook') return webhookOf('a test')
  if (['replayWebhook', 'testWebhook', 'resumeWebhook', 'rotateWebhookKey'].includes(name)) return {}
  if (name === 'replaceTraceabilityPlan') return planOf('a test')
  if (name === 'createPackageLink') return packageLinkOf('a test')
  if (name === 'createPartner' || name === 'replacePartner') return partnerOf('a test')
  if (name === 'invitePartner' || name === 'acceptInvitation') return {}
  if (name === 'revokePartnerKey') return { keyId: '1f0c6c2b9a7d4e11' }
  if (name === 'setDisplayName') return { name: 'Green Valley Foods' }
  if (name === 'setAlertSettings') return { switchedOff: ['alert.retentionDue'] }
  if (name === 'previewMasterData') return { masterProduct: payloadOf.masterProduct().productMasterDataList }
  if (name === 'applyCorrection') return { ready: 0 }
  if (name === 'undoCorrection') return { reason: 'a test' }
  if (name === 'createCorrection') return correctionOf('a test')
  throw new Error(`${name} takes no payload.`)
}

/** A payload that creates what the operation is about. */
const newRecord = (operation: Operation) => payload({ ...operation, record: recordOf(operation) ?? receivingEvent })

/** Saves a list of more records than a file may hold; `inserted` makes the search rows. */
const eventsOf = (kind: string): string =>
  `INSERT INTO event SELECT $1, '${kind}', id, 'V', timestamptz '2026-01-01' + i * interval '1 minute', 'T', 'F', 'P', NULL, 'V', '2026-01-01', 1, '[]' FROM `

async function savedOfMany(operation: Operation, call: Call, provider: string, inserted: string): Promise<Reply> {
  const { pool } = service.database
  const ids = `(SELECT i, ('01900000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid AS id FROM generate_series(0, ${listFileRecordsMax}) AS i) AS made`
  await pool.query(inserted + ids, [provider])
  await pool.query(
    `INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, content_hash, detail)
     SELECT $1, id, 1, $2, '', $1, '', '{"{}",[]}' FROM ${ids}`,
    [provider, operation.record?.name],
  )
  await pool.query(
    `INSERT INTO record (provider_id, id, kind, version, content_hash, search_hash) SELECT $1, id, $2, 1, '', '' FROM ${ids}`,
    [provider, operation.record?.name],
  )
  await takeStatistics(pool)
  return send(operation, call)
}

/** A right call of the operation, on a record that is not there. */
const send = (operation: Operation, call: Call, options: { headers?: Record<string, string>; query?: string } = {}) =>
  call(operation.method, at(operation) + (options.query ?? queryOf(operation)), {
    ...(operation.body && { body: payload(operation) }),
    ...(options.headers && { headers: options.headers }),
  })

/** Of an event with more lines than one export may hold. */
async function withTooMany(operation: Operation, call: Call, provider: string): Promise<Reply> {
  await call('POST', paths.receivingEvent, { body: payloadOf.receivingEvent() })
  await service.database.pool.query('UPDATE event SET line_count = 2000000 WHERE provider_id = $1', [provider])
  return send(operation, call)
}

const recordOf = ({ record, topic }: Operation) => record ?? recordKinds.find(({ nouns }) => nouns === topic)

const collectionOf = (operation: Operation): string => {
  const record = recordOf(operation)
  if (record === undefined) throw new Error(`${operation.name} has no record.`)
  return record.path
}

async function created(operation: Operation, call: Call, body = newRecord(operation)): Promise<string> {
  const reply = await call('POST', collectionOf(operation), { body })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.request_ids[0]
}

/** The id of a new partner or webhook, where the operation is about one. */
async function settingFor({ path }: Operation, call: Call): Promise<string> {
  const [, collection = ''] = /^(.*)\/\{id\}$/.exec(path) ?? []
  if (collection === '') return ''
  if (collection === '/keys')
    return (await call('POST', collection, { body: { role: 'reader', label: 'a test' } })).body.keyId
  const body = collection === '/webhooks' ? webhookOf('a test') : partnerOf('a test')
  return (await call('POST', collection, { body })).body.id
}

/** What is asked of settings under a condition. */
const onSetting = async (operation: Operation, call: Call, headers: Record<string, string>): Promise<Reply> =>
  call(operation.method, at(operation, await settingFor(operation, call)), {
    ...(operation.body && { body: payload(operation) }),
    headers,
  })

/** What is asked of a record that was voided. */
async function ofVoided(operation: Operation, call: Call): Promise<Reply> {
  const id = await created(operation, call)
  await call('POST', `${collectionOf(operation)}/${id}/void`, { body: { reason: 'a test' } })
  return call('GET', at(operation, id) + queryOf(operation))
}

/** A correction of one event, in a state that only the work on it leads to. */
async function correctionAt(call: Call, provider?: string, state?: string): Promise<string> {
  await call('POST', paths.receivingEvent, { body: payloadOf.receivingEvent() })
  const reply = await call('POST', '/corrections', { body: correctionOf('a test') })
  expect(reply.status, reply.text).toBe(201)
  if (state !== undefined)
    await service.database.pool.query('UPDATE correction SET state = $2 WHERE provider_id = $1', [provider, state])
  return reply.body.id
}

/** A correction that is ended and has corrected its event. */
async function correctedAt(call: Call, provider: string): Promise<string> {
  const id = await correctionAt(call)
  await call('DELETE', `/corrections/${id}`)
  await service.database.pool.query(
    `UPDATE correction_event SET outcome = 'corrected', to_version = 2 WHERE provider_id = $1`,
    [provider],
  )
  return id
}

/** An operation on a webhook that is there. */
const onWebhook = async (operation: Operation, call: Call): Promise<Reply> => {
  const { id } = (await call('POST', '/webhooks', { body: webhookOf('a test') })).body
  return call(operation.method, at(operation, id), { ...(operation.body && { body: payload(operation) }) })
}

/** An operation on a partner that is there. */
const onPartner = async (operation: Operation, call: Call): Promise<Reply> => {
  const { id } = (await call('POST', '/partners', { body: partnerOf('a test') })).body
  return call(operation.method, at(operation, id), { ...(operation.body && { body: payload(operation) }) })
}

/** An invitation of a new partner, as a key, and the id of the partner. */
async function invitation(call: Call): Promise<{ readonly token: string; readonly id: string }> {
  const { id } = (await call('POST', '/partners', { body: partnerOf('a test') })).body
  return { id, token: (await call('POST', `/partners/${id}/invitations`, { body: {} })).body.token }
}

const longAgo = (body: Payload): void => {
  if ('eventList' in body) body.eventList.eventDateTime = '2019-12-30T12:00:00Z'
}

/** An administrator of a provider whose people sign in with an identity provider. */
async function atInviting(): Promise<Call> {
  const provider = `inviting ${randomUUID()}`
  const settings = { issuer: 'http://127.0.0.1:1', clientId: 'x', clientSecret: undefined, name: 'x', scope: 'openid' }
  const inviting = await startService({
    identityProvider: {
      ...settings,
      roleClaim: undefined,
      roles: new Map(),
      provider,
      trustEmails: false,
      publicUrl: 'http://127.0.0.1:1',
    },
  })
  closing.push(inviting)
  return calling(inviting.url, await (await inviting.provider(provider)).key('administrator'))
}

/** Sent by an administrator to a server whose database cannot do what it is asked. */
async function sendTo(server: FastifyInstance, operation: Operation): Promise<Reply> {
  const key = await (await service.provider()).key('administrator')
  return calling(urlOf(server), key)(operation.method, at(operation) + queryOf(operation), {
    ...(operation.body && { body: payload(operation) }),
  })
}

/** The session is begun where the database answers, and ended at another server. */
async function endAt(operation: Operation, server: FastifyInstance | undefined): Promise<Reply> {
  const cookie = await cookieOf(service.url, await (await service.provider()).key('reader'))
  const call = calling(server === undefined ? service.url : urlOf(server), undefined)
  return send(operation, call, { headers: { cookie, 'sec-fetch-site': 'same-origin' } })
}

/**
 * Proofs by outcome; where the same outcome comes about in another way by verb or operation, by
 * `METHOD outcome` or `operation outcome`.
 */
const proofs: Record<string, Proof> = {
  notAuthenticated: (operation) => send(operation, calling(service.url, undefined)),
  notAllowed: async (operation) => {
    const lower = roles[roles.indexOf(operation.role) - 1] ?? 'invited'
    return send(operation, calling(service.url, await (await service.provider()).key(lower)))
  },
  async sharingIsUpdated(operation) {
    const { id, key } = await service.provider()
    await service.database.pool.query(
      `INSERT INTO partner_account (provider_id, shared_by, name, sharing_closed) VALUES ($1, $1, 'a test', true)`,
      [id],
    )
    return send(operation, calling(service.url, await key(operation.role)))
  },
  async foreignPage(operation) {
    const cookie = await cookieOf(service.url, await (await service.provider()).key('administrator'))
    return send(operation, calling(service.url, undefined), { headers: { cookie, 'sec-fetch-site': 'cross-site' } })
  },
  async tooManyRequests(operation) {
    const { key } = await limited.provider()
    const call = calling(limited.url, await key('administrator'))
    await call('GET', '/keys/own')
    return send(operation, call)
  },
  badQuery: (operation, call) => send(operation, call, { query: '?nonsense=1' }),
  failed: (operation) => sendTo(failing, operation),
  damaged: (operation) => sendTo(damaged, operation),
  unavailable: (operation) => sendTo(away, operation),
  tooLarge: (operation, call) =>
    call(operation.method, at(operation), { body: `{"payloadId":"${'x'.repeat(11_000_000)}"}` }),
  wrongMediaType: (operation, call) =>
    call(operation.method, at(operation), {
      body: 'a=1',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
  malformed: (operation, call) => call(operation.method, at(operation), { body: '{"a":1,"a":2}' }),
  conditionFailed: (operation, call) => send(operation, call, { headers: { 'if-none-match': '*' } }),
  refused: (operation, call) => call(operation.method, at(operation), { body: {} }),
  async keyReused(operation, call) {
    const headers = { 'idempotency-key': randomUUID() }
    await call('POST', at(operation), { body: payload(operation), headers })
    return call('POST', at(operation), { body: payload(operation), headers })
  },
  'POST judged': (operation, call) => send(operation, call, { query: '?dryRun=true' }),
  'POST created': (operation, call) => send(operation, call),
  async 'POST taken'(operation, call) {
    const body = payload(operation)
    await created(operation, call, body)
    return call('POST', at(operation), { body })
  },
  unknownRecord: (operation, call) => send(operation, call),
  async stale(operation, call) {
    if (recordOf(operation) === undefined) return onSetting(operation, call, { 'if-match': '"7"' })
    const id = await created(operation, call)
    return call(operation.method, at(operation, id), { body: payload(operation), headers: { 'if-match': '"7"' } })
  },
  ...Object.fromEntries(
    Object.keys(voidEventOperations).flatMap((name): [string, Proof][] => [
      [
        `${name} judged`,
        async (operation, call) =>
          call('POST', `${at(operation, await created(operation, call))}?dryRun=true`, { body: payload(operation) }),
      ],
      [
        `${name} unchanged`,
        async (operation, call) => {
          const id = await created(operation, call)
          await call('POST', at(operation, id), { body: payload(operation) })
          return call('POST', at(operation, id), { body: payload(operation) })
        },
      ],
    ]),
  ),
  voided: async (operation, call) =>
    call('POST', at(operation, await created(operation, call)), { body: payload(operation) }),
  async 'PUT judged'(operation, call) {
    const id = await created(operation, call)
    return call('PUT', `${at(operation, id)}?dryRun=true`, { body: payload(operation) })
  },
  async unchanged(operation, call) {
    const body = payload(operation)
    const id = await created(operation, call, body)
    return call('PUT', at(operation, id), { body })
  },
  async replaced(operation, call) {
    const body = payload(operation)
    const id = await created(operation, call, body)
    if (operation.record !== undefined) changed[operation.record.name](body)
    return call('PUT', at(operation, id), { body })
  },
  async 'PUT taken'(operation, call) {
    const body = payload(operation)
    await created(operation, call, body)
    return call('PUT', at(operation, await created(operation, call)), { body })
  },
  async unmodified(operation, call) {
    if (operation.tag === 'content') {
      const where = at(operation, await settingFor(operation, call))
      const tag = (await call('GET', where)).headers.get('etag') ?? ''
      return call('GET', where, { headers: { 'if-none-match': tag } })
    }
    const id = await created(operation, call)
    return call('GET', at(operation, id), { headers: { 'if-none-match': '"1"' } })
  },
  found: async (operation, call) => call('GET', at(operation, await created(operation, call))),
  counted: async (operation, call) => call('GET', at(operation, await created(operation, call))),
  unknownLot: (operation, call) => send(operation, call),
  unknownFood: (operation, call) => send(operation, call),
  async unknownSource(operation, call) {
    await created(operation, call)
    return call('GET', `${at(operation, knownLotCode)}?tlcSource=nobody`)
  },
  async traced(operation, call) {
    await created(operation, call)
    return call('GET', at(operation, knownLotCode))
  },
  async chained(operation, call) {
    if (operation.name === 'traceFood') {
      await call('POST', paths.initialPackingEvent, { body: payloadOf.initialPackingEvent() })
      return send(operation, call)
    }
    await created(operation, call)
    return call('GET', at(operation, knownLotCode))
  },
  ...Object.fromEntries(
    eventKindNames.map((kind): [string, Proof] => [
      `save${capitalize(kind)}List tooMany`,
      (operation, call, provider) => savedOfMany(operation, call, provider, eventsOf(kind)),
    ]),
  ),
  'saveMasterProductList tooMany': (operation, call, provider) =>
    savedOfMany(operation, call, provider, `INSERT INTO master_product SELECT $1, id, 'V', 'I' FROM `),
  'saveLocationList tooMany': (operation, call, provider) =>
    savedOfMany(operation, call, provider, `INSERT INTO location SELECT $1, id, 'V', 'L' || i, NULL, '{}' FROM `),
  saved: async (operation, call) => {
    await created(operation, call)
    return send(operation, call)
  },
  tooMany: withTooMany,
  listed: async (operation, call) => call('GET', at(operation, await created(operation, call))),
  'listVoids listed': async (operation, call) => {
    const id = await created(operation, call)
    await call('POST', `${paths.receivingEvent}/${id}/void`, { body: { reason: 'a test' } })
    return send(operation, call)
  },
  'listRefusals listed': async (operation, call) => {
    await call('POST', paths.receivingEvent, { body: {} })
    return send(operation, call)
  },
  'previewMasterData counted': (operation, call) => send(operation, call),
  'countEventsByDay counted': (operation, call) => send(operation, call),
  // It asks the database nothing, but whose the key is.
  'listLimits failed': (operation) => send(operation, calling(urlOf(signInsFailing), unknownKey)),
  'listLimits damaged': (operation) => send(operation, calling(urlOf(signInsDamaged), unknownKey)),
  'listLimits unavailable': (operation) => send(operation, calling(urlOf(signInsAway), unknownKey)),
  'listListViews listed': (operation, call) => send(operation, call),
  'saveListView refused': (operation, call) =>
    call('POST', at(operation), { body: { list: 'receivingEvent', name: ' ', query: '' } }),
  'saveListView saved': (operation, call) => send(operation, call),
  unknownView: (operation, call) => send(operation, call),
  'deleteListView stale': async (operation, call) => {
    const { body } = await call('POST', '/list-views', { body: { list: 'location', name: 'a test', query: '' } })
    return call('DELETE', at(operation, body.id), { headers: { 'if-match': '"7"' } })
  },
  'deleteListView deleted': async (operation, call) => {
    const { body } = await call('POST', '/list-views', { body: { list: 'location', name: 'a test', query: '' } })
    return call('DELETE', at(operation, body.id))
  },
  'listLimits listed': (operation, call) => send(operation, call),
  'readSettings failed': (operation) => send(operation, calling(urlOf(signInsFailing), unknownKey)),
  'readSettings damaged': (operation) => send(operation, calling(urlOf(signInsDamaged), unknownKey)),
  'readSettings unavailable': (operation) => send(operation, calling(urlOf(signInsAway), unknownKey)),
  'readSettings found': (operation, call) => send(operation, call),
  'readOwnKey found': (operation, call) => send(operation, call),
  'createSession refused': (operation, call) => call('POST', at(operation), { body: { keep: 'yes' } }),
  async keyNeeded(operation) {
    const cookie = await cookieOf(service.url, await (await service.provider()).key('reader'))
    return send(operation, calling(service.url, undefined), { headers: { cookie, 'sec-fetch-site': 'same-origin' } })
  },
  'readLastFdaPackage found': (operation, call) => send(operation, call),
  'readSession found': (operation, call) => send(operation, call),
  noSession: (operation, call) => send(operation, call),
  'endSession failed': (operation) => endAt(operation, failing),
  'endSession damaged': (operation) => endAt(operation, damaged),
  'endSession unavailable': (operation) => endAt(operation, away),
  'endOwnSessions ended': (operation, call) => send(operation, call),
  'endKeySessions ended': async (operation, call) =>
    call('DELETE', at(operation, (await call('GET', '/keys/own')).body.keyId)),
  ended: (operation) => endAt(operation, undefined),
  'listKeys listed': (operation, call) => send(operation, call),
  'createKey created': (operation, call) => send(operation, call),
  unknownKey: (operation, call) => send(operation, call),
  noIdentityProvider: (operation, call) => send(operation, call),
  async invited(operation) {
    const call = await atInviting()
    await send(operation, call)
    return send(operation, call)
  },
  'invitePerson created': async (operation) => send(operation, await atInviting()),
  'readKey found': async (operation, call) => call('GET', at(operation, await settingFor(operation, call))),
  'changeKey ownKey': async (operation, call) =>
    call('PUT', at(operation, (await call('GET', '/keys/own')).body.keyId), { body: payload(operation) }),
  async changed(operation, call) {
    const { keyId } = (await call('POST', '/keys', { body: { role: 'writer', label: 'a test' } })).body
    return call('PUT', at(operation, keyId), { body: payload(operation) })
  },
  'rotateKey refused': (operation, call) => call('POST', at(operation), { body: { overlapHours: 'long' } }),
  async noValidKey(operation, call) {
    const { keyId } = (await call('POST', '/keys', { body: { role: 'reader', label: 'a test' } })).body
    await call('DELETE', `/keys/${keyId}`)
    return call('POST', at(operation, keyId), { body: payload(operation) })
  },
  'rotateKey created': async (operation, call) => {
    const { keyId } = (await call('POST', '/keys', { body: { role: 'reader', label: 'a test' } })).body
    return call('POST', at(operation, keyId), { body: payload(operation) })
  },
  ownKey: async (operation, call) => call('DELETE', at(operation, (await call('GET', '/keys/own')).body.keyId)),
  async revoked(operation, call) {
    const { keyId } = (await call('POST', '/keys', { body: { role: 'reader', label: 'a test' } })).body
    return call('DELETE', at(operation, keyId))
  },
  async purged(operation, call, provider) {
    const { pool } = service.database
    const kind = recordOf(operation)?.name
    if (kind !== undefined && !isEventKind(kind) && !operation.path.includes('{version}')) {
      // Master data in force is only withdrawn, from the account of a partner.
      const { body } = await call('POST', paths[kind], { body: payloadOf[kind]() })
      const [id = ''] = body.request_ids
      await pool.query(`INSERT INTO partner_account (provider_id, shared_by, name) VALUES ($1, $1, 'a test')`, [
        provider,
      ])
      await withdrawCopies(pool, provider, [{ copyId: id }])
      await pool.query('DELETE FROM partner_account WHERE provider_id = $1', [provider])
      return call(operation.method, at(operation, id))
    }
    const versions = [2020, 2021].map((year) => ({ submittedAt: new Date(Date.UTC(year, 0, 1)), edit: longAgo }))
    const [id] = await storeAged(pool, provider, [{ kind: recordOf(operation)?.name ?? 'location', versions }])
    const now = new Date()
    for await (const _ of purgeAllDue(pool, provider, { before: yearsBefore(now, 2), now, retentionYears: 2 }));
    return call(operation.method, at(operation, id) + queryOf(operation), {
      ...(operation.body && { body: payload(operation) }),
    })
  },
  'listAccessLog listed': (operation, call) => send(operation, call),
  'listLegalHolds listed': async (operation, call) => {
    await call('POST', at(operation), { body: { reason: 'a test', everything: true } })
    return send(operation, call)
  },
  async searched(operation, call) {
    await call('POST', paths.receivingEvent, { body: payloadOf.receivingEvent() })
    return call('GET', `${at(operation)}?text=GV26063`)
  },
  'listTimeZones listed': async (operation, call) => {
    await call('PUT', at(operation), { body: { timeZones: [{ locationCode: 'DC-07', timeZone: 'Asia/Tokyo' }] } })
    return send(operation, call)
  },
  'setTimeZones set': (operation, call) => send(operation, call),
  'captureEpcis captured': (operation, call) => send(operation, call),
  'listUnitConversions listed': (operation, call) => send(operation, call),
  'setUnitConversions set': (operation, call) => send(operation, call),
  'listExemptPlaces listed': (operation, call) => send(operation, call),
  'setExemptPlaces set': (operation, call) => send(operation, call),
  'listSourceAddresses listed': (operation, call) => send(operation, call),
  'setSourceAddresses set': (operation, call) => send(operation, call),
  'listCaptureSenders listed': (operation, call) => send(operation, call),
  'setCaptureSenders set': (operation, call) => send(operation, call),
  'draftReceivingEvent drafted': async (operation, call) => call('GET', at(operation, await created(operation, call))),
  'draftReceivingEvent eventVoided': (operation, call) => ofVoided(operation, call),
  'writeShipNotice written': async (operation, call) =>
    call('GET', at(operation, await created(operation, call)) + queryOf(operation)),
  'writeShipNotice eventVoided': (operation, call) => ofVoided(operation, call),
  async 'writeShipNotice unnumbered'(operation, call) {
    const body = newRecord(operation)
    delete body.eventList.asnNumber
    return call('GET', at(operation, await created(operation, call, body)) + queryOf(operation))
  },
  'importShipNotices read': (operation, call) => send(operation, call),
  'setShipNoticeSenders set': (operation, call) => send(operation, call),
  'listShipNoticeSenders listed': async (operation, call) => {
    await call('PUT', at(operation), { body: { senders: [{ senderId: 'A', dataProviderVendorId: 'V-1' }] } })
    return send(operation, call)
  },
  'setVendorTargets set': (operation, call) => send(operation, call),
  'listVendorTargets listed': async (operation, call) => {
    await call('PUT', at(operation), { body: { targets: [{ completeShare: 0.9 }] } })
    return send(operation, call)
  },
  'listAlerts listed': async (operation, call, provider) => {
    await call('PUT', '/vendor-targets', { body: { targets: [{ dataProviderVendorId: 'V-1001', silentDays: 1 }] } })
    await lookAt(service.database.pool, provider)
    return send(operation, call)
  },
  'readAlertSettings found': (operation, call) => send(operation, call),
  'readDisplayName found': (operation, call) => send(operation, call),
  'setDisplayName set': (operation, call) => send(operation, call),
  'setDisplayName refused': (operation, call) => call('PUT', at(operation), { body: { name: ' ' } }),
  'readInvitation found': async (operation, call) =>
    send(operation, calling(service.url, (await invitation(call)).token)),
  'setAlertSettings set': (operation, call) => send(operation, call),
  'listMockRecalls listed': async (operation, call) => {
    await call('POST', at(operation), { body: { lotCode: 'GV26062-A' } })
    return send(operation, call)
  },
  'setAlertSettings refused': (operation, call) => call('PUT', at(operation), { body: { switchedOff: 1 } }),
  'startMockRecall refused': (operation, call) => call('POST', at(operation), { body: {} }),
  'startMockRecall started': (operation, call) => send(operation, call),
  async drillRunning(operation, call, provider) {
    await service.database.pool.query(
      `INSERT INTO mock_recall (provider_id, id, lot_code, started_at, started_by, steps)
       VALUES ($1, $2, 'L', now(), 'k', '[]')`,
      [provider, randomUUID()],
    )
    return send(operation, call)
  },
  unknownMockRecall: (operation, call) => send(operation, call),
  async 'readMockRecall found'(operation, call) {
    const { id } = (await call('POST', '/mock-recalls', { body: { lotCode: 'GV26062-A' } })).body
    await expect.poll(async () => (await call('GET', at(operation, id))).body.state).not.toBe('running')
    return call('GET', at(operation, id))
  },
  compared: (operation, call) => send(operation, call),
  unknownVendor: (operation, call) => send(operation, call),
  async 'readScorecard found'(operation, call) {
    await created(operation, call)
    return send(operation, call)
  },
  async 'exportScorecardLines exported'(operation, call) {
    await created(operation, call)
    return send(operation, call)
  },
  unknownHold: (operation, call) => send(operation, call),
  'readTraceabilityPlan found': (operation, call) => send(operation, call),
  'readTraceabilityPlan unmodified': (operation, call) => send(operation, call, { headers: { 'if-none-match': '*' } }),
  'replaceTraceabilityPlan refused': (operation, call) =>
    call('PUT', at(operation), { body: { recordProcedures: 'x'.repeat(planTextMax + 1) } }),
  'replaceTraceabilityPlan stale': (operation, call) => send(operation, call, { headers: { 'if-match': '"7"' } }),
  'replaceTraceabilityPlan unchanged': async (operation, call) => {
    await send(operation, call)
    return send(operation, call)
  },
  'replaceTraceabilityPlan replaced': (operation, call) => send(operation, call),
  'listTraceabilityPlanVersions listed': async (operation, call) => {
    await call('PUT', '/traceability-plan', { body: planOf('a test') })
    return send(operation, call)
  },
  unknownVersion: (operation, call) => send(operation, call),
  'readTraceabilityPlanVersion unmodified': async (operation, call) => {
    await call('PUT', '/traceability-plan', { body: planOf('a test') })
    return send(operation, call, { headers: { 'if-none-match': '*' } })
  },
  'readTraceabilityPlanVersion found': async (operation, call) => {
    await call('PUT', '/traceability-plan', { body: planOf('a test') })
    return send(operation, call)
  },
  'listPackageLinks listed': async (operation, call) => {
    await call('POST', `${at(operation)}?lotCode=L`, { body: packageLinkOf('a test') })
    return send(operation, call)
  },
  unknownPackageLink: (operation, call) => send(operation, call),
  async withdrawn(operation, call) {
    const { id } = (await call('POST', '/package-links?lotCode=L', { body: packageLinkOf('a test') })).body
    return call('DELETE', at(operation, id))
  },
  async lifted(operation, call) {
    const { id } = (await call('POST', '/legal-holds', { body: { reason: 'a test', everything: true } })).body
    return call('DELETE', at(operation, id))
  },
  async exported(operation, call) {
    await created(operation, call)
    return call('GET', at(operation))
  },
  'exportArchive exported': (operation, call) => send(operation, call),
  async importing(operation, call) {
    await call('PUT', at(operation), { body: { archive: archiveOfNothing, lines: [] } })
    return send(operation, call)
  },
  'importArchive tooLarge': (operation, call) =>
    call(operation.method, at(operation), { body: `{"archive":"${'x'.repeat(33_000_000)}"}` }),
  async notEmpty(operation, call) {
    await call('POST', paths.receivingEvent, { body: payloadOf.receivingEvent() })
    return send(operation, call)
  },
  notFitting: (operation, call) =>
    call('PUT', at(operation), { body: { archive: archiveOfNothing, lines: ['{"is":"nothing"}'] } }),
  imported: (operation, call) => send(operation, call),
  otherHistory: (operation, call) => send(operation, call, { query: '?after=1-0-00000000' }),
  async tooManyListeners(operation, call) {
    const all = Array.from({ length: changeListenersOfProviderMax + 1 }, () =>
      send(operation, call, { query: '?wait=30' }),
    )
    const refused = await Promise.race(all)
    // What happens lets the others go.
    await call('POST', paths.masterProduct, { body: payloadOf.masterProduct() })
    await Promise.all(all)
    return refused
  },
  'listChanges listed': async (operation, call) => {
    await call('POST', paths.receivingEvent, { body: payloadOf.receivingEvent() })
    return send(operation, call)
  },
  'readNewestPosition found': (operation, call) => send(operation, call),
  'listWebhooks listed': async (operation, call) => {
    await call('POST', at(operation), { body: webhookOf('a test') })
    return send(operation, call)
  },
  'replayWebhook refused': (operation, call) => call('POST', at(operation), { body: { after: 'nowhere' } }),
  'testWebhook refused': (operation, call) => call('POST', at(operation), { body: { now: true } }),
  'resumeWebhook refused': (operation, call) => call('POST', at(operation), { body: { now: true } }),
  'rotateWebhookKey refused': (operation, call) => call('POST', at(operation), { body: { signature: 'v2' } }),
  unknownWebhook: (operation, call) => send(operation, call),
  'readWebhook found': onWebhook,
  'replaceWebhook changed': onWebhook,
  'deleteWebhook deleted': onWebhook,
  'listWebhookAttempts listed': onWebhook,
  moved: onWebhook,
  tried: onWebhook,
  resumed: onWebhook,
  rotated: onWebhook,
  'listPartners listed': async (operation, call) => {
    await call('POST', at(operation), { body: partnerOf('a test') })
    return send(operation, call)
  },
  'listDeletedPartners listed': async (operation, call) => {
    const { id } = (await call('POST', '/partners', { body: partnerOf('a test') })).body
    await call('DELETE', `/partners/${id}`)
    return send(operation, call)
  },
  'suggestPlaces listed': async (operation, call) => {
    await call('POST', paths.receivingEvent, { body: payloadOf.receivingEvent() })
    return send(operation, call)
  },
  'POST previewed': (operation, call) => send(operation, call, { query: '?dryRun=true' }),
  'PUT previewed': async (operation, call) => {
    const { id } = (await call('POST', '/partners', { body: partnerOf('a test') })).body
    return call('PUT', `${at(operation, id)}?dryRun=true`, { body: payload(operation) })
  },
  'createPartner nameTaken': async (operation, call) => {
    const body = payload(operation)
    await call('POST', at(operation), { body })
    return call('POST', at(operation), { body })
  },
  'replacePartner nameTaken': async (operation, call) => {
    const body = payload(operation)
    await call('POST', '/partners', { body })
    const { id } = (await call('POST', '/partners', { body: partnerOf('a test') })).body
    return call('PUT', at(operation, id), { body })
  },
  unknownPartner: (operation, call) => send(operation, call),
  'readPartner found': onPartner,
  'replacePartner changed': onPartner,
  'deletePartner deleted': onPartner,
  'invitePartner refused': (operation, call) => call('POST', at(operation), { body: { expiresInHours: 0 } }),
  'invitePartner created': onPartner,
  async tooManyKeys(operation, call) {
    const { id } = (await call('POST', '/partners', { body: partnerOf('a test') })).body
    await service.database.pool.query(
      `INSERT INTO api_key (provider_id, key_id, secret_hash, role, label)
       SELECT account_id, $2 || n, '', 'partner', '' FROM partner, generate_series(1, $3::integer) AS n WHERE id = $1`,
      [id, randomUUID(), partnerKeysMax],
    )
    return call('POST', at(operation, id), { body: {} })
  },
  'acceptInvitation refused': (operation, call) => call('POST', at(operation), { body: { label: 5 } }),
  noInvitation: (operation, call) => send(operation, call),
  accepted: async (operation, call) => send(operation, calling(service.url, (await invitation(call)).token)),
  'revokePartnerKey unknownKey': onPartner,
  'revokePartnerKey revoked': async (operation, call) => {
    const { id, token } = await invitation(call)
    return call('POST', at(operation, id), { body: { keyId: token.split('_')[1] } })
  },
  'listPartnerAccesses listed': async (operation, call) => {
    const { id, token } = await invitation(call)
    await calling(service.url, token)('POST', '/invitations/accept', { body: {} })
    return call('GET', at(operation, id))
  },
  'listCheckpoints listed': async (operation, call) => {
    await call('POST', paths.receivingEvent, { body: payloadOf.receivingEvent() })
    await call('GET', '/archive')
    return send(operation, call)
  },
  'listSigningKeys listed': (operation, call) => send(operation, call),
  async tooManyOpen(operation, call, provider) {
    const asked = operation.name === 'undoCorrection' ? at(operation, await correctedAt(call, provider)) : at(operation)
    for (;;) {
      const reply = await call('POST', asked, { body: payload(operation) })
      if (reply.status !== 201) return reply
    }
  },
  'listCorrections listed': async (operation, call) => {
    await correctionAt(call)
    return send(operation, call)
  },
  'readCorrection found': async (operation, call) => call('GET', at(operation, await correctionAt(call))),
  'listCorrectionEvents listed': async (operation, call) => call('GET', at(operation, await correctionAt(call))),
  'exportCorrectionReport exported': async (operation, call) => call('GET', at(operation, await correctionAt(call))),
  unknownCorrection: (operation, call) => send(operation, call),
  'applyCorrection refused': async (operation, call, provider) =>
    call('POST', at(operation, await correctionAt(call, provider, 'previewed')), { body: { ready: 7 } }),
  notPreviewed: async (operation, call) =>
    call('POST', at(operation, await correctionAt(call)), { body: payload(operation) }),
  applying: async (operation, call, provider) =>
    call('POST', at(operation, await correctionAt(call, provider, 'previewed')), { body: payload(operation) }),
  correctionCancelled: async (operation, call, provider) =>
    call('POST', at(operation, await correctionAt(call, provider, 'cancelled')), { body: payload(operation) }),
  correctionDone: async (operation, call, provider) =>
    call('DELETE', at(operation, await correctionAt(call, provider, 'done'))),
  cancelled: async (operation, call) => call('DELETE', at(operation, await correctionAt(call))),
  notEnded: async (operation, call) =>
    call('POST', at(operation, await correctionAt(call)), { body: payload(operation) }),
  nothingToUndo: async (operation, call) => {
    const id = await correctionAt(call)
    await call('DELETE', `/corrections/${id}`)
    return call('POST', at(operation, id), { body: payload(operation) })
  },
  'undoCorrection refused': async (operation, call) =>
    call('POST', at(operation, await correctionAt(call)), { body: { reason: ' ' } }),
  'undoCorrection created': async (operation, call, provider) =>
    call('POST', at(operation, await correctedAt(call, provider)), { body: payload(operation) }),
}

async function endsAsDeclared(operation: Operation, name: string, outcome: Outcome): Promise<void> {
  const prove = proofs[`${operation.name} ${name}`] ?? proofs[`${operation.method} ${name}`] ?? proofs[name]
  if (prove === undefined) throw new Error(`Outcome ${name} of ${operation.name} has no proof here.`)
  // What is answered before an operation begins changes nothing.
  const isShared = name in commonOutcomes || name in bodyOutcomes
  const provider = isShared ? untouched : await service.provider()
  const call = calling(service.url, isShared ? administrator : await provider.key('administrator'))
  const reply = await prove(operation, call, provider.id)

  expect(reply.status, reply.text).toBe(outcome.status)
  expect(reply.headers.get('request-id')).toMatch(/^[0-9a-f-]{36}$/)
  if (outcome.status >= 400) {
    expect(reply.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    expect(reply.body.type).toBe(`/docs/problems/${name}`)
    expect(faults(Problem, reply.body)).toEqual([])
    expect(reply.body.instance).toBe(`urn:uuid:${reply.headers.get('request-id')}`)
    expect((await call('GET', reply.body.type)).status).toBe(200)
  } else if (outcome.media !== undefined && outcome.body === undefined)
    expect(Object.keys(outcome.media)).toContain(reply.headers.get('content-type'))
  else if (outcome.body === undefined) expect(reply.text).toBe('')
  else expect(faults(outcome.body, reply.body)).toEqual([])
  if (outcome.status === 503 || outcome.status === 429)
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
  if (outcome.status === 401) expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer/)
  expect(reply.text).not.toMatch(/select|insert|division|econnrefused|node_modules|\.ts:/i)
}

// What all operations have in common is done in one place, and no database decides it: a short run
// asks it of every fifth, and the second database of none. Nor does it know of bodies that are not read
// or refused by their shape, of how many records a file may have, of readers who wait for changes, or
// of accounts that are closed while their copies are withdrawn, which the crash tests meet on both.
const isDecidedElsewhere = (name: string): boolean =>
  name in commonOutcomes ||
  name in bodyOutcomes ||
  ['refused', 'tooMany', 'tooManyListeners', 'sharingIsUpdated'].includes(name)
const declared = catalogue.flatMap((operation, n) =>
  Object.entries(outcomesOf(operation))
    .filter(
      ([name]) => !(isSecondDatabase ? isDecidedElsewhere(name) : isShortRun && n % 5 > 0 && name in commonOutcomes),
    )
    .filter(([name]) => operation.role !== roles[0] || name !== 'notAllowed')
    .map(([name, outcome]) => ({ operation, name, outcome })),
)
const unavailable = declared.filter(({ name }) => name === 'unavailable')

test.each(declared.filter((one) => !unavailable.includes(one)))(
  '$operation.name can end as declared: $name',
  ({ operation, name, outcome }) => endsAsDeclared(operation, name, outcome),
)

// Together, since writes wait three seconds for the database to come back.
test.concurrent.each(unavailable)('$operation.name can end as declared: $name', ({ operation, name, outcome }) =>
  endsAsDeclared(operation, name, outcome),
)

/** Where a body differs from its shape. */
function faults(shape: TSchema, body: unknown): unknown[] {
  const compiled = Compile(shape)
  return compiled.Check(body) ? [] : [...compiled.Errors(body)].slice(0, 5)
}

test('a reader may ask every operation that only reads', async () => {
  const call = calling(service.url, await (await service.provider()).key('reader'))
  for (const operation of catalogue.filter(({ role }) => mayAs('reader', role)))
    expect((await send(operation, call)).status, operation.name).not.toBe(403)
})
