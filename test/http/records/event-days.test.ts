// Events counted by day: the date as written, and only days that have any.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventPayload, paths } from '../../support/records/payloads.ts'
import { type Call, type Service, startService } from '../../support/servers/service.ts'

let service: Service
let call: Call
beforeAll(async () => {
  service = await startService()
  call = (await service.provider()).call
  for (const eventDateTime of ['2026-03-01T23:30:00-08:00', '2026-03-01T08:00:00Z', '2026-03-04T08:00:00Z'])
    await call('POST', paths.receivingEvent, {
      body: eventPayload(({ eventList }) => {
        eventList.eventDateTime = eventDateTime
      }),
    })
})
afterAll(() => service?.close())

const count = (query: string) => call('GET', `/traceability/event-days${query}`)

test('events and lines are counted by their date as written', async () => {
  expect((await count('?eventStartDate=2026-02-01&eventEndDate=2026-03-31')).body.content).toEqual([
    { eventDate: '2026-03-01', events: 2, lines: 6 },
    { eventDate: '2026-03-04', events: 1, lines: 3 },
  ])
})

test('a vendor or place that has none has no days', async () => {
  expect((await count('?eventEndDate=2026-03-31&dataProviderVendorId=nobody')).body.content).toEqual([])
})

test('without a first day it is the year that ends with the last', async () => {
  expect((await count('?eventEndDate=2027-03-01')).body.content).toHaveLength(2)
  expect((await count('?eventEndDate=2027-03-02')).body.content).toHaveLength(1)
  expect((await count('')).status).toBe(200)
})

test('a range that is reversed or too long is refused with what would do', async () => {
  expect((await count('?eventStartDate=2026-03-02&eventEndDate=2026-03-01')).body.detail).toContain('Swap them')
  expect((await count('?eventStartDate=2025-03-01&eventEndDate=2026-03-02')).body.detail).toContain(
    'Start with 2025-03-02',
  )
  expect((await count('?eventStartDate=2026-02-30')).status).toBe(400)
})
