// Spans as a collector gets them: what each says and what it never says, and that nothing of the
// service waits for a collector.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { placeOf } from '../house/tree.ts'
import { type OwnDatabase, ownDatabase } from '../support/databases/database.ts'
import { eventPayload, paths } from '../support/records/payloads.ts'
import { startServerProcess } from '../support/servers/server-process.ts'
import { calling } from '../support/servers/service.ts'
import { startReceiver } from '../support/servers/webhook-receiver.ts'

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly status: { readonly code?: number }
}

/** As OTLP has them in JSON. */
interface Batch {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<Span, 'attributes' | 'links'> & {
        readonly attributes: readonly Attribute[]
        readonly links?: Span['links']
      })[]
    }[]
  }[]
}
interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

const valuesOf = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

const [server, client] = [2, 3]
const failed = 2

const ends: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

/** A collector that keeps what it was sent. */
async function startCollector(answer = (response: ServerResponse): unknown => response.writeHead(200).end('{}')) {
  const texts: string[] = []
  const collector = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    texts.push(text)
    answer(response)
  })
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  ends.push(async () => {
    collector.closeAllConnections()
    collector.close()
  })
  const batches = () => texts.map((text) => JSON.parse(text) as Batch)
  return {
    url: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    texts,
    resources: () =>
      batches().flatMap(({ resourceSpans }) => resourceSpans.map(({ resource }) => valuesOf(resource.attributes))),
    spans: (): readonly Span[] =>
      batches()
        .flatMap(({ resourceSpans }) => resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans)
        .map((span) => ({ links: [], ...span, attributes: valuesOf(span.attributes) })),
  }
}

async function startTraced(collector: string, env: Readonly<Record<string, string>> = {}, nodeOptions: string[] = []) {
  const own: OwnDatabase = await ownDatabase()
  ends.push(() => own.drop())
  const running = await startServerProcess(
    {
      ...own.env,
      LOG_LEVEL: 'warn',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      ...env,
    },
    { nodeOptions },
  )
  ends.push(() => running.end('SIGTERM'))
  return { ...running, running, key: running.firstKey ?? '', call: calling(running.address, running.firstKey) }
}

const shim = ['--import', placeOf('test/support/servers/packages-shim.mjs')]

describe('a collector', () => {
  test('gets one span for each request, statement and delivery, in the trace of the caller', async () => {
    const collector = await startCollector()
    const receiver = await startReceiver()
    ends.push(() => receiver.close())
    const { call, key } = await startTraced(collector.url, {
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    })
    await call('POST', '/webhooks', { body: { url: receiver.url, types: ['receivingEvent.*'] } })
    const [traceId, caller] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
    const body = eventPayload((payload) => {
      payload.eventList.productList[0].caseLotNumber = 'LOT-OF-SOMEBODY'
    })
    const headers = { traceparent: `00-${traceId}-${caller}-01`, baggage: 'customer=somebody' }
    const created = await call('POST', paths.receivingEvent, { body, headers })
    expect(created.status).toBe(201)
    await call('GET', '/traceability/lots/LOT-OF-SOMEBODY?leave=PARAMETER-OF-SOMEBODY')
    await call('GET', '/LOT-OF-SOMEBODY')
    await expect.poll(() => receiver.received.length).toBe(1)
    const named = (name: string) => collector.spans().find((span) => span.name === name && span.traceId === traceId)
    await expect
      .poll(() => named('POST') !== undefined && named(`POST ${paths.receivingEvent}`) !== undefined)
      .toBe(true)

    const request = named(`POST ${paths.receivingEvent}`)
    expect(request).toMatchObject({ kind: server, parentSpanId: caller, status: {} })
    expect(request?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': paths.receivingEvent,
      'http.response.status_code': 201,
      'url.path': paths.receivingEvent,
      'lotkeeper.operation': 'createReceivingEvents',
      'lotkeeper.outcome': 'created',
      'lotkeeper.request_id': created.headers.get('request-id'),
    })
    const statements = collector
      .spans()
      .filter(({ parentSpanId, kind }) => parentSpanId === request?.spanId && kind === client)
      .filter(({ name }) => name !== 'POST')
    expect(statements.map(({ name }) => name)).toContain('createReceivingEvents')
    for (const { name, attributes } of statements)
      expect(attributes).toEqual({ 'db.system.name': 'postgresql', 'db.query.summary': name })

    const delivery = named('POST')
    expect(delivery).toMatchObject({ kind: client, parentSpanId: request?.spanId })
    expect(delivery?.attributes).toMatchObject({
      'http.response.status_code': 204,
      'lotkeeper.outcome': 'delivered',
      'lotkeeper.message_id': receiver.received[0]?.id,
    })
    expect(receiver.received[0]?.headers.traceparent).toBe(`00-${traceId}-${delivery?.spanId}-01`)
    expect(receiver.received[0]?.headers.baggage).toBeUndefined()
    expect(collector.resources()[0]).toMatchObject({
      'service.name': 'lotkeeper',
      'deployment.environment.name': 'test',
    })

    const everything = collector.texts.join()
    const secrets = [key, key.split('_')[2] ?? key, new URL(receiver.url).host, 'PARAMETER-OF-SOMEBODY']
    const values = ['LOT-OF-SOMEBODY', body.eventList.dataProviderVendorName, body.locationMasterList[0].locationName]
    for (const text of [...secrets, ...values, 'customer']) expect(everything).not.toContain(text)
    // Of what the service asks in the background there is nothing.
    expect(collector.spans().filter(({ kind, parentSpanId }) => kind === client && parentSpanId === undefined)).toEqual(
      [],
    )
  })

  test('gets a shared statement once, with links to the other requests', async () => {
    const collector = await startCollector()
    const { call } = await startTraced(collector.url)
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => call('POST', paths.receivingEvent, { body: eventPayload() })),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    const requests = () => collector.spans().filter(({ kind, name }) => kind === server && name.startsWith('POST'))
    await expect.poll(() => requests().length).toBe(12)
    const writes = collector.spans().filter(({ name }) => name === 'createReceivingEvents')
    const named = writes.flatMap(({ parentSpanId, links }) => [parentSpanId, ...links.map(({ spanId }) => spanId)])
    expect(writes.length).toBeLessThan(12)
    expect(named.sort()).toEqual(
      requests()
        .map(({ spanId }) => spanId)
        .sort(),
    )
  })

  test('gets no request that its caller does not sample, and the refused ones too', async () => {
    const collector = await startCollector()
    const { call } = await startTraced(collector.url)
    await call('GET', '/limits', { headers: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00` } })
    await call('GET', '/limits', { headers: { traceparent: 'nonsense' } })
    await call('GET', '/nothing/here')
    await expect.poll(() => collector.spans().some(({ name }) => name === 'GET')).toBe(true)
    const limits = collector.spans().filter(({ name }) => name === 'GET /limits')
    expect(limits.map(({ parentSpanId }) => parentSpanId)).toEqual([undefined])
    expect(collector.spans().find(({ name }) => name === 'GET')?.attributes['http.response.status_code']).toBe(404)
    expect(collector.spans().filter(({ status }) => status.code === failed)).toEqual([])
  })

  test.each([
    ['hangs', () => undefined],
    ['breaks off', (response: ServerResponse) => response.destroy()],
    ['refuses', (response: ServerResponse) => response.writeHead(400).end('no')],
    ['answers with nonsense', (response: ServerResponse) => response.writeHead(200).end('<html>')],
  ])('that %s holds up neither requests nor the end of the service', async (_, answer) => {
    const collector = await startCollector(answer)
    const { call, running } = await startTraced(collector.url, {
      OTEL_EXPORTER_OTLP_TIMEOUT: '60000',
      OTEL_BSP_EXPORT_TIMEOUT: '60000',
    })
    const statuses: number[] = []
    for (let n = 0; n < 20; n++)
      statuses.push((await call('POST', paths.receivingEvent, { body: eventPayload() })).status)
    expect(statuses).toEqual(statuses.map(() => 201))
    await expect.poll(() => collector.texts.length).toBeGreaterThan(0)
    // Not 1, as after the ten seconds that a stop may take.
    expect(await running.end('SIGTERM')).toBe(0)
  })

  test('that is not there is named in the log', async () => {
    const { call, output } = await startTraced('http://127.0.0.1:9')
    expect((await call('GET', '/limits')).status).toBe(200)
    await expect.poll(output).toContain('Spans could not be sent to the collector.')
  })
})

describe('the packages', () => {
  test('are not loaded where no collector is named, or they are turned off', async () => {
    const off = [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, { OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }]
    for (const env of off) {
      const { call, output } = await startTraced('http://127.0.0.1:9', env, shim)
      expect((await call('GET', '/limits')).status).toBe(200)
      expect(output()).not.toContain('opentelemetry')
    }
  })

  test('that are missing do not keep the service from starting, and its log says how to install them', async () => {
    const { call, output } = await startTraced('http://127.0.0.1:9', {}, shim)
    expect((await call('GET', '/limits')).status).toBe(200)
    expect(output()).toContain('Run npm install @opentelemetry/api@1.9 ')
  })
})

test('a collector that cannot be stops the start with the remedy', async () => {
  const own = await ownDatabase()
  onTestFinished(() => own.drop())
  const started = (env: Record<string, string>) => startServerProcess({ ...own.env, ...env })
  await expect(started({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' })).rejects.toThrow(
    /OTEL_EXPORTER_OTLP_ENDPOINT is "collector:4318"\. It must be an address such as http:\/\/127\.0\.0\.1:4318\./,
  )
  await expect(
    started({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }),
  ).rejects.toThrow('OTEL_EXPORTER_OTLP_PROTOCOL is "grpc". Spans are sent by HTTP')
})
