// Alerts, whichever of several processes looks: each begins once and ends once, under numbers
// without a hole, and whoever reads them in their order misses none. Source: decision 0073.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lookForAlerts } from '../../../src/handlers/vendors/alert-looks.ts'
import { writeDeclaredSettings } from '../../../src/store/base/declared-settings.ts'
import { provideProvider } from '../../../src/store/database/providers.ts'
import { commandLine } from '../../../src/store/evidence/access-log.ts'
import {
  type AlertMessage,
  alertsAfter,
  lastLook,
  lookLease,
  openAlerts,
  providersToLookAt,
  writeAlerts,
} from '../../../src/store/vendors/alerts.ts'
import { type TestDatabase, testDatabase } from '../../support/databases/database.ts'
import { lookAt } from '../../support/records/alert-looks.ts'
import { runs } from '../../support/runs.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database?.close())

let made = 0
const newProvider = () => provideProvider(database.pool, `alerts ${process.pid} ${Date.now()} ${made++}`)

/** A vendor without events is silent where it is expected. */
const expectVendor = (provider: string, vendor: string, isExpected: boolean) =>
  writeDeclaredSettings(
    database.pool,
    { provider, kind: 'vendorTarget', settings: [{ key: vendor, value: isExpected ? { silentDays: 1 } : undefined }] },
    commandLine,
  )

const messagesAfter = (provider: string, number: number) =>
  alertsAfter(database.pool, { provider, number, limit: 1_000 })

test('looks of several processes while targets change: every alert begins once and ends once, in one order without holes', async () => {
  const { pool } = database
  const provider = await newProvider()
  const vendors = ['V-1', 'V-2', 'V-3', 'V-4']
  const rounds = runs(20)
  let changing = true
  const read: AlertMessage[] = []
  const reader = async () => {
    while (changing) read.push(...(await messagesAfter(provider, read.at(-1)?.number ?? 0)))
  }
  const changer = async () => {
    for (let n = 0; n < rounds; n++) {
      await expectVendor(provider, vendors[n % 4] ?? '', n % 8 < 4)
      await lookAt(pool, provider)
    }
    changing = false
  }
  const looker = async () => {
    while (changing) await lookAt(pool, provider)
  }
  await Promise.all([reader(), changer(), looker(), looker()])
  // The end of a vendor: none is expected, whatever look was under way.
  for (const vendor of vendors) await expectVendor(provider, vendor, false)
  await expectVendor(provider, 'V-LAST', true)
  await expect
    .poll(async () => {
      await lookAt(pool, provider)
      return (await openAlerts(pool, { provider })).map(({ subject }) => subject)
    })
    .toEqual(['V-LAST'])
  read.push(...(await messagesAfter(provider, read.at(-1)?.number ?? 0)))

  expect(read).toEqual(await messagesAfter(provider, 0))
  expect(read.length).toBeGreaterThan(2)
  expect(read.map(({ number }) => number)).toEqual(read.map((_, i) => i + 1))
  for (const vendor of [...vendors, 'V-LAST']) {
    const own = read.filter(({ subject }) => subject === vendor)
    expect(own.map(({ state }) => state)).toEqual(own.map((_, i) => (i % 2 === 0 ? 'begun' : 'ended')))
    for (const [i, { alert, number }] of own.entries()) expect(alert).toBe(i % 2 === 0 ? number : own[i - 1]?.number)
  }
  expect((await lastLook(pool, provider)).lastNumber).toBe(read.length)
})

test('a look that another one took over writes nothing, and no process looks beside another or again at once', async () => {
  const { pool } = database
  const provider = await newProvider()
  const isDue = async () => (await providersToLookAt(pool)).includes(provider)
  expect(await isDue()).toBe(true)
  const first = await lookLease.claim(pool, { provider })
  expect(first).toMatchObject({ lastNumber: 0, seen: null })
  expect([await isDue(), await lookLease.claim(pool, { provider })]).toEqual([false, undefined])
  // The process was away for longer than the look was left to it.
  await pool.query(`UPDATE alert_look SET until = now() - interval '1 second' WHERE provider_id = $1`, [provider])
  const second = await lookLease.claim(pool, { provider })
  if (first === undefined || second === undefined) throw new Error('The look was not claimed.')
  const changes = {
    begun: [{ number: 1, type: 'alert.vendorSilent' as const, subject: 'V-1', latest: '{}' }],
    changed: [],
    lastNumber: 1,
    seen: 'something',
    retentionSeen: null,
  }
  expect(await writeAlerts(pool, { provider, fence: first.fence, ...changes }, new Date())).toBe(false)
  expect(await openAlerts(pool, { provider })).toEqual([])
  expect(await writeAlerts(pool, { provider, fence: second.fence, ...changes }, new Date())).toBe(true)
  expect(await openAlerts(pool, { provider })).toHaveLength(1)
  expect([await isDue(), await lookLease.claim(pool, { provider })]).toEqual([false, undefined])
  // A clock that was set back makes no provider wait for it.
  await pool.query(`UPDATE alert_look SET looked_at = now() + interval '1 day' WHERE provider_id = $1`, [provider])
  expect(await isDue()).toBe(true)
})

test('targets that are set during a look make it write nothing, and the next one due at once', async () => {
  const provider = await newProvider()
  await expectVendor(provider, 'V-1', true)
  const steps = lookForAlerts(database.pool, provider, { checkpointMinutes: 5, retentionYears: 2 })
  await steps.next()
  await expectVendor(provider, 'V-1', false)
  let step = await steps.next()
  while (!step.done) step = await steps.next()
  expect(step.value).toBe('others')
  expect(await messagesAfter(provider, 0)).toEqual([])
  expect(await providersToLookAt(database.pool)).toContain(provider)
})

test('alerts that ended long ago are deleted, the newest of them and open ones are not', async () => {
  const { pool } = database
  const provider = await newProvider()
  await expectVendor(provider, 'V-1', true)
  await lookAt(pool, provider)
  await expectVendor(provider, 'V-1', false)
  await expectVendor(provider, 'V-2', true)
  await lookAt(pool, provider)
  const years = (n: number) => new Date(Date.now() + n * 366 * 86_400_000)
  await lookAt(pool, provider, {}, years(0.9))
  expect(await messagesAfter(provider, 0)).toHaveLength(3)
  await lookAt(pool, provider, {}, years(1.1))
  expect((await messagesAfter(provider, 0)).map(({ number, state, subject }) => [number, state, subject])).toEqual([
    [3, 'begun', 'V-2'],
  ])
})
