// The list of events with gaps: what the database hands over of an event does not grow with its
// lines.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listEventsWithGaps } from '../../../src/store/traceability/completeness.ts'
import { eventPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { type Service, startService } from '../../support/servers/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

test('an event of 5,000 different items is summed by the database, and every line is counted', async () => {
  const { id, call } = await service.provider()
  const body = eventPayload(({ eventList }) => {
    const [line] = eventList.productList
    eventList.productList = Array.from({ length: 5_000 }, (_, i) => ({
      ...line,
      vendorItemCode: `${i} `.padEnd(100, 'an item that nobody describes '),
    }))
  })
  const created = await call('POST', paths.receivingEvent, { body })
  expect(created.status, created.text.slice(0, 300)).toBe(201)
  const eventDate = body.eventList.eventDateTime.slice(0, 10)
  const selection = {
    kind: undefined,
    eventStartDate: eventDate,
    eventEndDate: eventDate,
    dataProviderVendorId: undefined,
    shipToLocationCode: undefined,
    vendorItemCode: undefined,
  }
  const found = await listEventsWithGaps(service.database.pool, {
    ...selection,
    provider: id,
    rule: undefined,
    gap: undefined,
    limit: 10,
  })
  expect(found).toMatchObject([{ lines: 5_000, completeLines: 0, gaps: { 'product-line/product-description': 5_000 } }])
  expect(JSON.stringify(found).length).toBeLessThan(2_000)

  const item = body.eventList.productList[7].vendorItemCode
  const [one] = await listEventsWithGaps(service.database.pool, {
    ...selection,
    vendorItemCode: item,
    provider: id,
    rule: undefined,
    gap: undefined,
    limit: 10,
  })
  expect(one).toMatchObject({ lines: 1, completeLines: 0, gaps: { 'product-line/product-description': 1 } })

  const page = (await call('GET', `/traceability/gaps?eventStartDate=${eventDate}&eventEndDate=${eventDate}`)).body
  expect(page.content).toHaveLength(1)
  expect(page.content[0]).toMatchObject({ lines: 5_000, completeLines: 0 })
  expect(page.content[0].gaps.map(({ rule, lines }: Payload) => [rule, lines])).toContainEqual([
    'product-line/product-description',
    5_000,
  ])
})
