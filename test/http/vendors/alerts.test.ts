// Alerts: what begins and ends them, which of them a provider wants, and what a look costs where
// nothing happened. Those about vendors are in vendors.test.ts. Source: decision 0073.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Queryable } from '../../../src/store/database/statement.ts'
import { alertsAfter } from '../../../src/store/vendors/alerts.ts'
import { storeAged } from '../../support/databases/aged-records.ts'
import { lookAt } from '../../support/records/alert-looks.ts'
import { type Payload, paths, productPayload } from '../../support/records/payloads.ts'
import { calling, type Service, startService, type TestProvider } from '../../support/servers/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const look = (provider: TestProvider, now?: Date) => lookAt(service.database.pool, provider.id, {}, now)

async function alerts({ call }: TestProvider, query = ''): Promise<Payload[]> {
  const reply = await call('GET', `/alerts${query}`)
  expect(reply.status, reply.text).toBe(200)
  return reply.body.content
}

const administratorOf = async (provider: TestProvider) => calling(service.url, await provider.key('administrator'))

test('an alert begins once and ends once, keeps the numbers it ended with, and is listed by state and type', async () => {
  const provider = await service.provider()
  const administrator = await administratorOf(provider)
  const expectDelivery = (silentDays: number | undefined) =>
    administrator('PUT', '/vendor-targets', { body: { targets: [{ dataProviderVendorId: 'V-NEVER', silentDays }] } })
  expect((await provider.call('GET', '/alerts')).body).toEqual({
    content: [],
    nextCursor: null,
    lookedDateTime: null,
    isCurrent: false,
  })
  await expectDelivery(10)
  await look(provider)
  const begun = await alerts(provider, '?open=true')
  expect(begun).toMatchObject([
    {
      number: 1,
      type: 'alert.vendorSilent',
      dataProviderVendorId: 'V-NEVER',
      endedDateTime: null,
      data: { silentDays: 10 },
    },
  ])
  await expectDelivery(20)
  await look(provider)
  expect(await alerts(provider)).toEqual([{ ...begun[0], data: { ...begun[0].data, silentDays: 20 } }])
  await expectDelivery(undefined)
  await look(provider)
  const [ended] = await alerts(provider)
  expect(ended).toEqual({ ...begun[0], endedDateTime: expect.any(String), data: { ...begun[0].data, silentDays: 20 } })
  await expectDelivery(10)
  await look(provider)
  // What a message says never changes, whatever the numbers are later.
  const messages = await alertsAfter(service.database.pool, { provider: provider.id, number: 0, limit: 10 })
  expect(messages.map(({ number, alert, state, data }) => [number, alert, state, JSON.parse(data).silentDays])).toEqual(
    [
      [1, 1, 'begun', 10],
      [2, 1, 'ended', 20],
      [3, 3, 'begun', 10],
    ],
  )
  expect((await alerts(provider)).map(({ number }) => number)).toEqual([3, 1])
  expect((await alerts(provider, '?open=true&type=alert.vendorSilent')).map(({ number }) => number)).toEqual([3])
  expect(await alerts(provider, '?open=false')).toEqual([ended])
  expect(await alerts(provider, '?type=alert.retentionDue')).toEqual([])
  const first = (await provider.call('GET', '/alerts?limit=1')).body
  expect(first.lookedDateTime).not.toBeNull()
  expect(await alerts(provider, `?limit=1&cursor=${first.nextCursor}`)).toEqual([ended])
})

test('the list says whether anything was stored or refused since the last look', async () => {
  const provider = await service.provider()
  const isCurrent = async () => (await provider.call('GET', '/alerts')).body.isCurrent
  await look(provider)
  expect(await isCurrent()).toBe(true)
  await provider.call('POST', paths.masterProduct, { body: productPayload() })
  expect(await isCurrent()).toBe(false)
  await look(provider)
  expect(await isCurrent()).toBe(true)
  expect((await provider.call('POST', paths.masterProduct, { body: {} })).status).toBe(422)
  // A refusal is stored after its answer.
  await expect.poll(isCurrent).toBe(false)
})

test('versions that wait too long for a checkpoint are one alert, until they have one', async () => {
  const provider = await service.provider()
  const { pool } = service.database
  await provider.call('POST', paths.masterProduct, { body: productPayload() })
  await look(provider)
  expect(await alerts(provider)).toEqual([])
  const wait = (minutes: number) =>
    pool.query(
      'UPDATE awaiting_checkpoint SET since = now() - make_interval(mins => $2::integer) WHERE provider_id = $1',
      [provider.id, minutes],
    )
  await wait(11)
  await look(provider)
  expect(await alerts(provider)).toMatchObject([
    { type: 'alert.checkpointOverdue', dataProviderVendorId: null, data: { versions: 1, minutes: 10 } },
  ])
  const administrator = await administratorOf(provider)
  await administrator('PUT', '/alert-settings', { body: { checkpointOverdueMinutes: 12 } })
  await look(provider)
  expect(await alerts(provider, '?open=true')).toEqual([])
  await wait(13)
  await look(provider)
  expect(await alerts(provider, '?open=true')).toHaveLength(1)
  await pool.query('DELETE FROM awaiting_checkpoint WHERE provider_id = $1', [provider.id])
  await look(provider)
  expect(await alerts(provider, '?open=true')).toEqual([])
})

test('webhooks that fail for some time are one alert, until they are delivered or resumed', async () => {
  const provider = await service.provider()
  const administrator = await administratorOf(provider)
  const { id } = (await administrator('POST', '/webhooks', { body: { url: 'http://127.0.0.1:9/' } })).body
  const failFor = (minutes: number) =>
    service.database.pool.query(
      'UPDATE webhook SET failing_since = now() - make_interval(mins => $3::integer) WHERE provider_id = $1 AND id = $2',
      [provider.id, id, minutes],
    )
  await failFor(14)
  await look(provider)
  expect(await alerts(provider)).toEqual([])
  await failFor(16)
  await look(provider)
  expect(await alerts(provider, '?type=alert.webhookFailing')).toMatchObject([
    { dataProviderVendorId: null, endedDateTime: null, data: { webhooks: 1, failingSince: expect.any(String) } },
  ])
  await administrator('POST', `/webhooks/${id}/resume`, { body: {} })
  await look(provider)
  expect(await alerts(provider, '?open=true')).toEqual([])
})

test('copies for partners that fail for some time are one alert, and so is an import of an archive that broke off', async () => {
  const provider = await service.provider()
  const { pool } = service.database
  const failFor = (minutes: number) =>
    pool.query(
      `INSERT INTO sharing (provider_id, failing_since) VALUES ($1, now() - make_interval(mins => $2::integer))
       ON CONFLICT (provider_id) DO UPDATE SET failing_since = excluded.failing_since`,
      [provider.id, minutes],
    )
  const lastPart = (minutes: number) =>
    pool.query(
      `INSERT INTO archive_import (provider_id, archive, continued_at) VALUES ($1, '', now() - make_interval(mins => $2::integer))
       ON CONFLICT (provider_id) DO UPDATE SET continued_at = excluded.continued_at`,
      [provider.id, minutes],
    )
  await Promise.all([failFor(14), lastPart(14)])
  await look(provider)
  expect(await alerts(provider)).toEqual([])
  await Promise.all([failFor(16), lastPart(16)])
  await look(provider)
  const open = await alerts(provider, '?open=true')
  expect(open.map(({ type, data }) => [type, Object.keys(data)])).toEqual([
    ['alert.importBrokenOff', ['lastPartDateTime']],
    ['alert.copiesFailing', ['failingSince']],
  ])
  await pool.query('UPDATE sharing SET failing_since = NULL WHERE provider_id = $1', [provider.id])
  await pool.query('UPDATE archive_import SET ended_at = now() WHERE provider_id = $1', [provider.id])
  await look(provider)
  expect(await alerts(provider, '?open=true')).toEqual([])
})

test('versions past the retention time are one alert, from the number that was set on and while no hold covers them', async () => {
  const provider = await service.provider()
  const administrator = await administratorOf(provider)
  await storeAged(
    service.database.pool,
    provider.id,
    [2019, 2020, new Date().getUTCFullYear()].map((year) => ({
      kind: 'receivingEvent' as const,
      versions: [
        {
          submittedAt: new Date(Date.UTC(year, 0, 1)),
          edit: ({ eventList }: Payload) => {
            eventList.eventDateTime = `${year}-01-01T00:00:00Z`
          },
        },
      ],
    })),
  )
  await administrator('PUT', '/alert-settings', { body: { retentionDueVersions: 3 } })
  await look(provider)
  expect(await alerts(provider)).toEqual([])
  await administrator('PUT', '/alert-settings', { body: {} })
  await look(provider)
  expect(await alerts(provider)).toMatchObject([
    { type: 'alert.retentionDue', dataProviderVendorId: null, data: { versions: 2, retentionYears: 2 } },
  ])
  const hold = await administrator('POST', '/legal-holds', { body: { reason: 'a test', everything: true } })
  await look(provider)
  expect(await alerts(provider, '?open=true')).toEqual([])
  await administrator('DELETE', `/legal-holds/${hold.body.id}`)
  await look(provider)
  expect(await alerts(provider, '?open=true')).toHaveLength(1)
})

test('a type that is switched off is not raised, and its open alerts end; what a request omits is as the program has it', async () => {
  const provider = await service.provider()
  const administrator = await administratorOf(provider)
  const unset = {
    switchedOff: [],
    checkpointOverdueMinutes: 10,
    retentionDueVersions: 1,
    setDateTime: null,
    setBy: null,
  }
  expect((await provider.call('GET', '/alert-settings')).body).toEqual(unset)
  const target = { dataProviderVendorId: 'V-NEVER', silentDays: 1 }
  await administrator('PUT', '/vendor-targets', { body: { targets: [target] } })
  await look(provider)
  expect(await alerts(provider, '?open=true')).toHaveLength(1)
  const settings = { switchedOff: ['alert.vendorSilent', 'alert.vendorSilent'], retentionDueVersions: 7 }
  const reply = await administrator('PUT', '/alert-settings', { body: settings })
  expect(reply.body).toMatchObject({
    switchedOff: ['alert.vendorSilent'],
    checkpointOverdueMinutes: 10,
    retentionDueVersions: 7,
    setDateTime: expect.any(String),
  })
  expect((await provider.call('GET', '/alert-settings')).body).toEqual(reply.body)
  await look(provider)
  expect(await alerts(provider, '?open=true')).toEqual([])
  await administrator('PUT', '/alert-settings', { body: {} })
  expect((await provider.call('GET', '/alert-settings')).body).toMatchObject({
    ...unset,
    setDateTime: expect.any(String),
    setBy: expect.any(String),
  })
  await look(provider)
  expect(await alerts(provider, '?open=true')).toHaveLength(1)
  const log = (await administrator('GET', '/access-log?operation=setAlertSettings')).body.content
  expect(log).toMatchObject([{ asked: { switchedOff: [] } }, { asked: { retentionDueVersions: 7 } }])
})

test.each([
  [{ switchedOff: ['alert.everything'] }, 'alert.vendorSilent'],
  [{ checkpointOverdueMinutes: 0 }, 'checkpointOverdueMinutes is 0. It must be a whole number from 1 to 10080.'],
  [{ retentionDueVersions: 1.5 }, 'retentionDueVersions is 1.5'],
])('settings that cannot be are refused as a whole: %j', async (wrong, detail) => {
  const provider = await service.provider()
  const reply = await (await administratorOf(provider))('PUT', '/alert-settings', {
    body: { checkpointOverdueMinutes: 30, retentionDueVersions: 5, ...wrong },
  })
  expect(reply.status).toBe(422)
  expect(reply.body.detail).toContain(detail)
  expect((await provider.call('GET', '/alert-settings')).body.setDateTime).toBeNull()
})

test('a look counts nothing again while nothing was stored, refused or counted, and does within the hour that follows', async () => {
  const provider = await service.provider()
  const counting = ['newestEventDate', 'countRefusalsByVendor', 'dueVersions']
  const looksAt = async (now: Date) => {
    const asked: string[] = []
    const query: Queryable['query'] = (statement) => {
      asked.push(statement.name ?? '')
      return service.database.pool.query(statement)
    }
    await lookAt({ query }, provider.id, {}, now)
    return asked.filter((name) => counting.includes(name))
  }
  const morning = new Date('2026-03-04T09:10:00Z')
  const after = (minutes: number) => new Date(morning.getTime() + minutes * 60_000)
  expect(await looksAt(morning)).toEqual(['newestEventDate', 'countRefusalsByVendor', 'dueVersions'])
  expect(await looksAt(after(5))).toEqual([])
  await provider.call('POST', paths.masterProduct, { body: productPayload() })
  expect(await looksAt(after(10))).toEqual(['newestEventDate', 'countRefusalsByVendor'])
  expect(await looksAt(after(60))).toEqual(['newestEventDate', 'countRefusalsByVendor'])
  expect(await looksAt(after(24 * 60))).toEqual(['newestEventDate', 'countRefusalsByVendor', 'dueVersions'])
})
