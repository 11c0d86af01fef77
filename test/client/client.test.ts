// The typed client, against a real server: every operation, retries that double nothing, failures
// that say what to do.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Static } from 'typebox'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Client, lotkeeper } from '../../src/client/client.ts'
import { InvalidPayloadError, ProblemError, UnreachableError } from '../../src/client/failure.ts'
import type {
  Change,
  Judged,
  MasterLocationRecord,
  MasterProductReplacement,
  Problem,
  ReceivingEventRecord,
  ReceivingEventsPayload,
  VersionPage,
} from '../../src/client/generated/shapes.ts'
import { localRules } from '../../src/client/local-rules.ts'
import { pauseBefore } from '../../src/client/retry.ts'
import { type location, type masterProduct, type receivingEvent, recordKinds } from '../../src/contract/record-kinds.ts'
import type * as bodies from '../../src/operations/base/bodies.ts'
import { catalogue } from '../../src/operations/catalogue.ts'
import { changed, eventPayload, type Payload, paths, payloadOf } from '../support/records/payloads.ts'
import { type Service, startService } from '../support/servers/service.ts'

let service: Service
let key: string
let api: Client

beforeAll(async () => {
  service = await startService()
  key = await (await service.provider()).key('writer')
  api = lotkeeper({ url: service.url, key })
})
afterAll(() => service?.close())

const create = async (body: Payload = eventPayload()): Promise<string> =>
  (await api.createReceivingEvents({ body })).body.request_ids[0] ?? ''

/** What a call throws. */
const thrown = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('the client', () => {
  test('has a method for every operation', () => {
    for (const { name } of catalogue)
      expect(typeof (api as unknown as Record<string, unknown>)[name], name).toBe('function')
  })

  test.each(['nonsense', '127.0.0.1:3000', 'ftp://127.0.0.1', 'http://', 'localhost:3000'])(
    'throws at once for the url %s, which no call could reach',
    (url) => {
      expect(() => lotkeeper({ url, key })).toThrow(`url is "${url}". It must be the address of the service`)
    },
  )

  test('takes an address with slashes at its end', async () => {
    const own = lotkeeper({ url: `${service.url}//`, key })
    expect((await own.readOwnKey({})).status).toBe(200)
  })

  test('creates, reads, replaces what it read, and reads the history', async () => {
    const created = await api.createReceivingEvents({ body: eventPayload(), representation: true })
    expect(created).toMatchObject({ status: 201, version: 1, replayed: false })
    expect(created.requestId).toMatch(/^[\da-f-]{36}$/)
    expect(created.headers.get('location')).toContain(created.body.request_ids[0])
    const id = created.body.request_ids[0] ?? ''
    const read = await api.readReceivingEvent({ id })
    const { version, body } = read
    if (version === undefined) throw new Error('The record was not read.')
    changed.receivingEvent(body)
    const replaced = await api.replaceReceivingEvent({ id, body, ifMatch: version, representation: true })
    expect(replaced.version).toBe(2)
    expect(replaced.body.changes?.replaced).toEqual(['/eventList/productList/0/shipQuantity'])
    expect((await api.readReceivingEvent({ id, ifNoneMatch: 2 })).status).toBe(304)
    expect((await api.listReceivingEventVersions({ id, limit: 1 })).body.content).toMatchObject([{ version: 2 }])
    expect((await api.readReceivingEventVersion({ id, version: 1 })).version).toBe(1)
  })

  test('reads settings on condition: the tag that it has is answered 304, without a body', async () => {
    const own = lotkeeper({ url: service.url, key: await (await service.provider()).key('administrator') })
    const { tag, version } = await own.listVendorTargets()
    expect([version, tag]).toEqual([0, expect.stringMatching(/^"0\..+"$/)])
    const again = await own.listVendorTargets({ ifNoneMatch: tag })
    expect([again.status, again.body]).toEqual([304, undefined])
    await own.setVendorTargets({
      body: { targets: [{ dataProviderVendorId: 'V-1', silentDays: 5 }] },
      ifMatch: version,
    })
    const changed = await own.listVendorTargets({ ifNoneMatch: tag })
    expect([changed.status, changed.version]).toEqual([200, 1])
  })

  test.each(recordKinds.map(({ name }) => name))(
    'does with a %s by its kind what the methods of the kind do',
    async (name) => {
      const own = lotkeeper({ url: service.url, key: await (await service.provider()).key('writer') })
      const records = own.of(name)
      const created = await records.create({ body: payloadOf[name](), representation: true })
      const id = created.body.request_ids[0] ?? ''
      expect((await records.list({ limit: 1 })).body.content.map((record) => record.id)).toEqual([id])
      for await (const record of records.each()) expect(record.id).toBe(id)
      const { body, version } = await records.read({ id })
      changed[name](body)
      expect((await records.replace({ id, body, dryRun: true })).body).toMatchObject({ wouldBe: 'replaced' })
      expect((await records.replace({ id, body, ifMatch: version })).version).toBe(2)
      expect((await records.readVersion({ id, version: 1 })).body).not.toEqual(body)
      expect((await records.listVersions({ id })).body.content.map((one) => one.version)).toEqual([2, 1])
      expect((await records.readFindings({ id })).body.version).toBe(2)
      expect((await records.readVersionFindings({ id, version: 1 })).body).toMatchObject({
        version: 1,
        findings: created.body.findings,
      })
    },
  )

  test('the types are those of the declarations', () => {
    type Equal<A, B> = [A, B] extends [B, A] ? true : false
    const equal: readonly true[] = [
      true satisfies Equal<ReceivingEventsPayload, Static<typeof receivingEvent.createPayload>>,
      true satisfies Equal<ReceivingEventRecord, Static<typeof receivingEvent.record>>,
      true satisfies Equal<MasterProductReplacement, Static<typeof masterProduct.replacement>>,
      true satisfies Equal<MasterLocationRecord, Static<typeof location.record>>,
      true satisfies Equal<Problem, Static<typeof bodies.Problem>>,
      true satisfies Equal<VersionPage, Static<typeof bodies.VersionPage>>,
      true satisfies Equal<Judged, Static<typeof bodies.Judged>>,
    ]
    expect(equal).not.toContain(false)
  })

  test('a dry run is answered with a judgement, and the types say so', async () => {
    const { body } = await api.createReceivingEvents({ body: eventPayload(), dryRun: true })
    expect(body.wouldBe).toBe('created')
    // @ts-expect-error: nothing was created, so there is no id.
    expect(body.request_ids).toBeUndefined()
  })

  test('walks a list to its end, page after page', async () => {
    const own = lotkeeper({ url: service.url, key: await (await service.provider()).key('writer') })
    for (let i = 0; i < 5; i++) await own.createReceivingEvents({ body: eventPayload() })
    const ids: string[] = []
    for await (const event of own.each('listReceivingEvents', { limit: 2 })) ids.push(event.id)
    expect(new Set(ids).size).toBe(5)
  })

  test('writes what has to be escaped in an address', async () => {
    const own = lotkeeper({ url: service.url, key: await (await service.provider()).key('writer') })
    const lot = 'A/ß+&?=1 %'
    const { body } = await own.createReceivingEvents({
      body: eventPayload(({ eventList }) => {
        eventList.productList[0].caseLotNumber = lot
      }),
    })
    const found = await own.listReceivingEvents({ lotCode: lot, eventStartDateTime: '2026-01-01T00:00:00+09:00' })
    expect(found.body.content.map(({ id }) => id)).toEqual(body.request_ids)
  })

  test('throws a refusal with its outcome and every finding', async () => {
    const error = await thrown(api.createReceivingEvents({ body: {} as never }))
    expect(error).toBeInstanceOf(ProblemError)
    expect(error).toMatchObject({ outcome: 'refused', status: 422 })
    expect((error as ProblemError).findings.length).toBeGreaterThan(1)
    expect(await thrown(api.readReceivingEvent({ id: 'nobody' }))).toMatchObject({
      outcome: 'unknownRecord',
      status: 404,
    })
  })

  test('validates locally with judgeFirst and sends nothing that fails', async () => {
    const sent = vi.fn(fetch)
    const careful = lotkeeper({
      url: service.url,
      key,
      fetch: sent,
      judgeFirst: localRules({ lotNumberRequiredFrom: '2026-01-01' }, () => Date.parse('2026-12-01T00:00:00Z')),
    })
    const wrong = eventPayload(({ eventList }) => {
      eventList.productList[0].shipQuantity = 'many'
    })
    const error = await thrown(careful.createReceivingEvents({ body: wrong }))
    expect(error).toBeInstanceOf(InvalidPayloadError)
    expect((error as InvalidPayloadError).findings).toMatchObject([
      { pointer: '/eventList/productList/0/shipQuantity', severity: 'error' },
    ])
    const warned = eventPayload(({ eventList }) => {
      eventList.productList[0].caseLotNumber = 'longer than twenty characters'
    })
    expect(await thrown(careful.createReceivingEvents({ body: warned, strict: true }))).toBeInstanceOf(
      InvalidPayloadError,
    )
    expect(sent).toHaveBeenCalledTimes(0)
    expect((await careful.createReceivingEvents({ body: warned })).status).toBe(201)
    expect(sent).toHaveBeenCalledTimes(1)
  })

  test('stops when its signal is aborted', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    expect(await thrown(api.listReceivingEvents({ signal }))).toMatchObject({ message: 'enough' })
  })
})

/**
 * A server that treats each request in its turn as told, and then passes them on to the service.
 */
async function unreliable(
  turns: ('drop' | 'busy' | 'broken' | 'other' | 'forget')[],
): Promise<{ url: string; server: Server }> {
  const server = createServer(async (request, response) => {
    const turn = turns.shift()
    if (turn === 'drop') return request.socket.destroy()
    if (turn === 'busy')
      return response
        .writeHead(503, { 'content-type': 'application/problem+json', 'retry-after': '0' })
        .end(
          '{"type":"/docs/problems/unavailable","status":503,"detail":"busy","title":"busy","instance":"urn:uuid:0"}',
        )
    if (turn === 'broken')
      return response
        .writeHead(500, { 'content-type': 'application/problem+json' })
        .end('{"type":"/docs/problems/failed","status":500,"detail":"broken","title":"broken","instance":"urn:uuid:0"}')
    if (turn === 'other') return response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { authorization, 'idempotency-key': idempotencyKey } = request.headers
    const answer = await fetch(service.url + request.url, {
      method: request.method ?? 'GET',
      headers: {
        // fetch would unpack the answer, whose headers are handed on.
        'accept-encoding': 'identity',
        authorization: authorization ?? '',
        ...(typeof idempotencyKey === 'string' && { 'idempotency-key': idempotencyKey }),
        ...(chunks.length > 0 && { 'content-type': 'application/json' }),
      },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    // The work is done and the answer is lost: what a retry must not do twice.
    if (turn === 'forget') return request.socket.destroy()
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

describe('a call that fails', () => {
  test('is sent again after a lost connection and a busy service, and says so', async () => {
    const id = await create()
    const { url, server } = await unreliable(['drop', 'busy'])
    const why: string[] = []
    const patient = lotkeeper({ url, key, onRetry: (_pauseMs, error) => why.push(error.name) })
    expect((await patient.readReceivingEvent({ id })).status).toBe(200)
    expect(why).toEqual(['UnreachableError', 'ProblemError'])
    server.close()
  })

  test('a create whose answer was lost is sent again and makes nothing twice', async () => {
    const own = await service.provider()
    const ownKey = await own.key('writer')
    const { url, server } = await unreliable(['forget'])
    const created = await lotkeeper({ url, key: ownKey }).createReceivingEvents({ body: eventPayload() })
    expect(created).toMatchObject({ status: 201, replayed: true })
    expect((await own.call('GET', paths.receivingEvent)).body.content).toHaveLength(1)
    server.close()
  })

  test('a replacement bound to a version whose answer was lost is left to the caller', async () => {
    const body = eventPayload()
    const id = await create(body)
    changed.receivingEvent(body)
    const { url, server } = await unreliable(['drop'])
    const error = await thrown(lotkeeper({ url, key }).replaceReceivingEvent({ id, body, ifMatch: 1 }))
    expect(error).toBeInstanceOf(UnreachableError)
    server.close()
  })

  test('is not retried after a rejection, nor more often than configured', async () => {
    const { url, server } = await unreliable(['busy', 'busy', 'busy'])
    let retries = 0
    const hasty = lotkeeper({ url, key, retries: 1, onRetry: () => retries++ })
    expect(await thrown(hasty.readReceivingEvent({ id: 'x' }))).toMatchObject({ outcome: 'unavailable' })
    expect(retries).toBe(1)
    server.close()
  })

  test('is retried for longer than a database takes to restart', () => {
    const call = { method: 'GET', path: '/', headers: {}, body: undefined } as const
    const pauses = Array.from({ length: 8 }, (_, i) => pauseBefore(i, call, new UnreachableError(''), null) ?? 0)
    const sum = pauses.reduce((total, one) => total + one, 0)
    expect(sum).toBeGreaterThanOrEqual(25_500)
    expect(sum).toBeLessThanOrEqual(51_000)
  })

  test('ends after its time limit, and is not sent again then', async () => {
    const silent = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    // Counts what is sent: on a busy machine a request may not arrive within its limit.
    const sent = vi.fn(fetch)
    const late = { name: 'UnreachableError', message: 'There was no answer for 0.05 s.' }
    expect(await thrown(lotkeeper({ url, key, fetch: sent, timeoutMs: 50 }).readOwnKey())).toMatchObject(late)
    expect(await thrown(lotkeeper({ url, key, fetch: sent }).readOwnKey({ timeoutMs: 50 }))).toMatchObject(late)
    expect(sent).toHaveBeenCalledTimes(2)
    silent.closeAllConnections()
    silent.close()
  })

  test('may be aborted while its file is read', async () => {
    const endless = createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/csv' }).write('lot'),
    )
    await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(endless.address() as AddressInfo).port}`
    const giveUp = new AbortController()
    const { file } = await lotkeeper({ url, key }).exportFdaSpreadsheet({ signal: giveUp.signal })
    const reader = file?.stream.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('lot')
    giveUp.abort(new Error('enough'))
    expect(await thrown(reader?.read() ?? Promise.resolve())).toMatchObject({ message: 'enough' })
    endless.closeAllConnections()
    endless.close()
  })

  test('says when something else is at the address', async () => {
    const { url, server } = await unreliable(['other'])
    const error = await thrown(lotkeeper({ url, key, retries: 0 }).readReceivingEvent({ id: 'x' }))
    expect(error).toBeInstanceOf(UnreachableError)
    expect(String(error)).toContain('502')
    server.close()
  })
})

describe('the changes', () => {
  test('come in order and go on by themselves, whatever the service does, from any position', async () => {
    const own = await service.provider()
    const ownKey = await own.key('writer')
    const writer = lotkeeper({ url: service.url, key: ownKey })
    const createOne = async () =>
      (await writer.createReceivingEvents({ body: eventPayload() })).body.request_ids[0] ?? ''
    const ids = [await createOne(), await createOne()]
    // Each of these comes before an answer, at the beginning and while it waits for the next change.
    const turns: Parameters<typeof unreliable>[0] = ['drop', 'busy', 'forget']
    const { url, server } = await unreliable(turns)
    const giveUp = new AbortController()
    const follower = lotkeeper({ url, key: ownKey, retries: 0 })
    const seen: Change[] = []
    const error = await thrown(
      (async () => {
        for await (const change of follower.changes({ kind: ['receivingEvent'], signal: giveUp.signal })) {
          seen.push(change)
          if (seen.length === 2) {
            turns.push('broken', 'other')
            ids.push(await createOne())
          }
          if (seen.length === 3) giveUp.abort(new Error('enough'))
        }
      })(),
    )
    expect(error).toMatchObject({ message: 'enough' })
    expect(seen.map(({ type, id, version }) => [type, id, version])).toEqual(
      ids.map((id) => ['receivingEvent.created', id, 1]),
    )
    for await (const { content } of follower.changePages({ after: seen[0]?.position, kind: ['receivingEvent'] })) {
      expect(content).toEqual(seen.slice(1))
      break
    }
    server.close()
  })

  test('throw what waiting does not help against', async () => {
    const first = api.changes({ after: '999-1-00000000' }).next()
    expect(await thrown(first)).toMatchObject({ status: 410, outcome: 'otherHistory' })
  })
})
