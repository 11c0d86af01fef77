// The pages with 50,000 events stored, all of them of one lot: each still shows what it is asked
// for.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { takeStatistics } from '../../../support/databases/statistics.ts'
import { openBrowser, settled, visit } from '../../../support/pages/browser.ts'
import { eventPayload, paths } from '../../../support/records/payloads.ts'
import { type Service, startService } from '../../../support/servers/service.ts'

const events = 50_000

let service: Service
let browser: Browser
let key: string
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), openBrowser()])
  const provider = await service.provider()
  key = await provider.key('writer')
  const reply = await provider.call('POST', paths.receivingEvent, {
    body: eventPayload(({ eventList }) => {
      eventList.eventDateTime = '2025-12-01T00:00:00Z'
      eventList.productList[0].caseLotNumber = 'EVERYWHERE'
    }),
  })
  expect(reply.status, reply.text).toBe(201)
  // Copies of that event, two minutes apart.
  const { pool } = service.database
  const copyId = `('00000000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid`
  const values = [provider.id, events]
  await pool.query(
    `INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, content_hash, detail)
     SELECT provider_id, ${copyId}, 1, kind, key_id, request_id, content_hash, detail
     FROM record_version, generate_series(2, $2::integer) AS i WHERE provider_id = $1 AND kind = 'receivingEvent'`,
    values,
  )
  await pool.query(
    `INSERT INTO record (provider_id, id, kind, version, content_hash, search_hash)
     SELECT provider_id, ${copyId}, kind, 1, content_hash, search_hash
     FROM record, generate_series(2, $2::integer) AS i WHERE provider_id = $1 AND kind = 'receivingEvent'`,
    values,
  )
  await pool.query(
    `INSERT INTO event_code (provider_id, kind, field, code, id, unfolded)
     SELECT provider_id, kind, field, code, ${copyId}, unfolded
     FROM event_code, generate_series(2, $2::integer) AS i WHERE provider_id = $1`,
    values,
  )
  const { rows } = await pool.query<{ column_name: string }>(
    `SELECT column_name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = 'event'`,
  )
  const own: Readonly<Record<string, string>> = {
    id: copyId,
    eventDateTime: `"eventDateTime" + i * interval '2 minutes'`,
    event_date: `event_date + (i * 2 / 1440)`,
  }
  const columns = rows.map(({ column_name }) => column_name)
  await pool.query(
    `INSERT INTO event (${columns.map((name) => `"${name}"`).join(', ')})
     SELECT ${columns.map((name) => own[name] ?? `"${name}"`).join(', ')}
     FROM event, generate_series(2, $2::integer) AS i WHERE provider_id = $1`,
    values,
  )
  await takeStatistics(pool)
})
afterAll(() => Promise.all([browser?.close(), service?.close()]))

test('overview, list, counts and trace agree about what is stored', async () => {
  const { page, end } = await visit(browser, '/', { url: service.url, key })
  await page.getByText('150,000').first().waitFor()
  await page.goto(`${service.url}/console/events`)
  await page.getByRole('button', { name: 'Load more' }).click()
  await page.getByText('250 receiving events loaded').waitFor()
  await page.goto(`${service.url}/console/completeness`)
  await page.getByText('150,000 lines').first().waitFor()
  await page.goto(`${service.url}/console/trace?lotCode=EVERYWHERE`)
  await page
    .getByText(/2,000 events/)
    .first()
    .waitFor()
  await settled(page)
  await end()
})
