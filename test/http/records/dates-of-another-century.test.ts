// Dates that cannot be: a year of two digits, another decade or century, an order that is not
// possible. Source: decisions 0008 and 0051.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { type Call, type Service, startService } from '../../support/servers/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const kinds = [
  [paths.receivingEvent, 'receiving-event'],
  [paths.shippingEvent, 'shipping-event'],
] as const

const sentWith = async (call: Call, path: string, edit: (payload: Payload) => void) =>
  call('POST', path, { body: eventPayload(edit), headers: { prefer: 'return=representation' } })

const inEvent = (changes: object) => (payload: Payload) => Object.assign(payload.eventList, changes)
const inLine = (changes: object) => (payload: Payload) => Object.assign(payload.eventList.productList[0], changes)

const farYears = ['0026', '1926', '2006']

for (const [path, group] of kinds) {
  test(`${group}: an event of another century is stored with a warning, and none without a lot number is`, async () => {
    const { call } = await service.provider()
    for (const year of farYears) {
      const eventDateTime = `${year}-03-04T09:30:00-05:00`
      const stored = await sentWith(call, path, inEvent({ eventDateTime }))
      expect(stored.status, stored.text).toBe(201)
      expect(stored.body.findings).toContainEqual(
        expect.objectContaining({
          rule: `${group}/years-plausible`,
          severity: 'warning',
          pointer: expect.stringMatching(/^\/eventList.*\/eventDateTime$/),
          message: expect.stringContaining('No list, completeness or package of this year shows the event.'),
        }),
      )
      const refused = await sentWith(call, path, (payload) => {
        inEvent({ eventDateTime })(payload)
        for (const line of payload.eventList.productList) delete line.caseLotNumber
      })
      expect(refused.status).toBe(422)
      expect(refused.body.findings.map(({ rule }: { rule: string }) => rule)).toContain('product-line/lot-number-given')
    }
  })

  test(`${group}: each date of another century has a warning at its place`, async () => {
    const { call } = await service.provider()
    let hour = 10
    for (const year of [...farYears, '2206']) {
      const date = `${year}-03-01`
      const reply = await sentWith(call, path, (payload) => {
        payload.transmissionDateTime = `${date}T12:00:00Z`
        inEvent({
          eventDateTime: `2026-03-04T${hour++}:30:00-05:00`,
          purchaseOrderDate: date,
          expectedDeliveryDate: date,
          eventTransactionTime: `${date}T12:00:00Z`,
        })(payload)
        inLine({
          harvestDate: date,
          productionDate: date,
          packagingDate: date,
          expirationDate: date,
          bestBeforeDate: date,
          itemDateCode: date,
        })(payload)
      })
      expect(reply.status, reply.text).toBe(201)
      const warned: { pointer: string; severity: string }[] = reply.body.findings
      for (const field of [
        ...['transmissionDateTime', 'purchaseOrderDate', 'expectedDeliveryDate', 'eventTransactionTime'],
        ...['harvestDate', 'productionDate', 'packagingDate', 'expirationDate', 'bestBeforeDate', 'itemDateCode'],
      ])
        expect(
          warned.filter(({ pointer }) => pointer.endsWith(`/${field}`)),
          `${field} of ${date}`,
        ).toMatchObject([{ severity: 'warning' }])
    }
  })
}

test('the findings of a stored record name its dates as those of the write did', async () => {
  const { call } = await service.provider()
  const reply = await sentWith(call, paths.receivingEvent, (payload) => {
    inEvent({ eventDateTime: '2026-03-04T09:30:00-05:00', purchaseOrderDate: '2026-03-05' })(payload)
    inLine({ harvestDate: '2016-03-01', expirationDate: '2026-03-03' })(payload)
  })
  expect(reply.status, reply.text).toBe(201)
  const [id] = reply.body.request_ids
  const ofDates = ({ rule }: { rule: string }) => /years|ordered|good-at/.test(rule)
  const atWrite = reply.body.findings.filter(ofDates)
  expect(atWrite).toHaveLength(3)
  for (const query of ['', '?judged=now']) {
    const { body } = await call('GET', `${paths.receivingEvent}/${id}/findings${query}`)
    expect(body.findings.filter(ofDates)).toEqual(atWrite)
  }
})
