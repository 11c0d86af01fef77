// Metrics, as Prometheus reads them: what is counted is what was asked, and nobody's name is in it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { metrics } from '../../src/metrics/declared.ts'
import { version } from '../../src/version.ts'
import { type OwnDatabase, ownDatabase } from '../support/databases/database.ts'
import { eventPayload, paths } from '../support/records/payloads.ts'
import { type ServerProcess, startServerProcess } from '../support/servers/server-process.ts'
import { type Call, calling } from '../support/servers/service.ts'

let own: OwnDatabase
let server: ServerProcess
let call: Call
beforeAll(async () => {
  own = await ownDatabase()
  server = await startServerProcess({ ...own.env, METRICS_PORT: '0', LOG_LEVEL: 'info' })
  call = calling(server.address, server.firstKey)
})
afterAll(async () => {
  await server?.end('SIGTERM')
  await own?.drop()
})

const metricsAddress = ({ output }: ServerProcess): string => {
  const [, port, host] = /Metrics: port (\d+) of (\S+), \/metrics/.exec(output()) ?? []
  return `http://${host}:${port}`
}

/** Every line of the text as a series and its value; fails on a line that is none. */
async function scraped(from: ServerProcess): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(`${metricsAddress(from)}/metrics`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('version=0.0.4')
  const text = await response.text()
  const declared = new Set(Object.keys(metrics))
  const values = new Map<string, number>()
  for (const line of text.trimEnd().split('\n')) {
    if (line.startsWith('# ')) continue
    const [, name = '', labels = '', value] = /^([a-z_]+)(\{(?:[a-z]+="[\w+.:-]+",?)*\})? ([\d.e+-]+)$/.exec(line) ?? []
    expect(value, line).toBeDefined()
    expect(declared.has(name) || declared.has(name.replace(/_(bucket|sum|count)$/, '')), line).toBe(true)
    values.set(name + labels, Number(value))
  }
  return values
}

const asked = 'lotkeeper_requests_total'

test('an idle service reports its build and its processes, and no series of what never happened', async () => {
  const values = await scraped(server)
  expect(values.get(`lotkeeper_build_info{version="${version}",node="${process.versions.node}"}`)).toBe(1)
  expect([...values.keys()].filter((key) => key.startsWith('process_'))).toEqual([
    'process_resident_memory_bytes',
    'process_cpu_seconds_total',
    'process_start_time_seconds',
  ])
  expect(values.size).toBeLessThan(250)
  // The first call of an operation shows the outcomes that alerts ask for, so that their rates grow.
  expect((await call('GET', '/limits')).status).toBe(200)
  const failed = `${asked}{operation="listLimits",outcome="failed"}`
  await expect.poll(async () => (await scraped(server)).get(failed)).toBe(0)
})

test('every request is counted by operation and outcome, and every write in its statement', async () => {
  const lot = 'LOT-OF-SOMEBODY'
  const body = eventPayload((payload) => {
    payload.eventList.productList[0].caseLotNumber = lot
  })
  const before = await scraped(server)
  const {
    body: {
      request_ids: [id],
    },
  } = await call('POST', paths.receivingEvent, { body })
  const at = `${paths.receivingEvent}/${id}`
  body.eventList.purchaseOrderNumber = 'changed'
  expect((await call('PUT', at, { body })).status).toBe(200)
  expect((await call('PUT', at, { body: {} })).status).toBe(422)
  expect((await call('GET', `${paths.receivingEvent}/none`)).status).toBe(404)
  expect((await calling(server.address, 'lk_none')('GET', at)).status).toBe(401)
  expect((await call('GET', '/nowhere')).status).toBe(404)
  // An answer is counted when it has left, which may be after it has come.
  const last = `${asked}{operation="none",outcome="unknownAddress"}`
  await expect.poll(async () => (await scraped(server)).get(last)).toBe((before.get(last) ?? 0) + 1)
  const after = await scraped(server)
  const grown = Object.fromEntries(
    [...after].flatMap(([key, value]) =>
      key.startsWith(asked) && value !== (before.get(key) ?? 0)
        ? [[key.slice(asked.length), value - (before.get(key) ?? 0)]]
        : [],
    ),
  )
  expect(grown).toEqual({
    '{operation="createReceivingEvents",outcome="created"}': 1,
    '{operation="replaceReceivingEvent",outcome="replaced"}': 1,
    '{operation="replaceReceivingEvent",outcome="refused"}': 1,
    '{operation="readReceivingEvent",outcome="unknownRecord"}': 1,
    '{operation="readReceivingEvent",outcome="notAuthenticated"}': 1,
    '{operation="none",outcome="unknownAddress"}': 1,
  })
  const count = (key: string) => (after.get(key) ?? 0) - (before.get(key) ?? 0)
  expect(count('lotkeeper_request_seconds_count{operation="replaceReceivingEvent"}')).toBe(2)
  expect(count('lotkeeper_request_seconds_bucket{operation="replaceReceivingEvent",le="+Inf"}')).toBe(2)
  expect(count('lotkeeper_group_rows_sum{group="createReceivingEvents"}')).toBe(1)
  expect(after.get('lotkeeper_group_waiting_rows{group="createReceivingEvents"}')).toBe(0)
  expect(after.get('lotkeeper_database_up')).toBe(1)
  expect(after.get('lotkeeper_processes')).toBe(1)
  expect(after.get('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
  const text = [...after.keys()].join('\n')
  const keyId = /lk_([0-9a-f]+)_/.exec(server.firstKey ?? '')?.[1] ?? '\0'
  for (const secret of [lot, id, keyId, 'default', body.eventList.dataProviderVendorId ?? body.dataProviderVendorId])
    expect(text).not.toContain(secret)
})

test('sizes are looked up beside the text, and are there the next time', async () => {
  await expect.poll(async () => (await scraped(server)).get('lotkeeper_database_bytes')).toBeGreaterThan(1_000_000)
})

test('a target that is not met is alerted within seconds, in the list and the log, and open alerts are counted', async () => {
  const targets = [{ dataProviderVendorId: 'V-NEVER', silentDays: 1 }]
  expect((await call('PUT', '/vendor-targets', { body: { targets } })).status).toBe(200)
  const open = async () => (await call('GET', '/alerts?open=true')).body.content
  await expect.poll(open).toMatchObject([{ type: 'alert.vendorSilent', dataProviderVendorId: 'V-NEVER' }])
  await expect.poll(() => server.output()).toContain('"begun":{"alert.vendorSilent":1}')
  // Counted once a minute: here before there was one.
  const series = 'lotkeeper_alerts_open{type="alert.vendorSilent"}'
  await expect.poll(async () => (await scraped(server)).get(series)).toBe(0)
})

describe('who may read them', () => {
  test('the port of the service tells nothing', async () => {
    expect((await call('GET', '/metrics')).status).toBe(404)
  })

  test('the port of the metrics tells nothing else, and takes nothing', async () => {
    const at = metricsAddress(server)
    for (const path of ['/', '/health/live', paths.receivingEvent]) expect((await fetch(at + path)).status).toBe(404)
    expect((await fetch(`${at}/metrics`, { method: 'HEAD' })).status).toBe(200)
    expect((await fetch(`${at}/metrics`, { method: 'POST', body: 'x' })).status).toBe(405)
  })
})
