// What is compared of events that were stored before records had it: migration 0023 writes it.
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventPayload, type Payload, paths, shippingPayload } from '../support/payloads.ts'
import { type Service, startService } from '../support/service.ts'

const migration = await readFile(
  new URL('../../src/store/migrations/0023-compared-fields.sql', import.meta.url),
  'utf8',
)

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

/** Fields left out, a code that is there twice, escaped and rare characters, numbers of all forms. */
const edits: readonly ((payload: Payload) => void)[] = [
  () => undefined,
  ({ eventList, locationMasterList, productMasterDataList }) => {
    for (const field of ['dataProviderVendorName', 'billOfLadingNumber']) delete eventList[field]
    for (const place of locationMasterList) {
      delete place.gln
      place.address = { streetAddress1: '1 Main St', city: 'Salinas', state: 'CA', postalCode: '93901', country: 'USA' }
      place.phoneNumber = '+1.831.555.0100'
    }
    for (const product of productMasterDataList) delete product.gtin
    for (const line of eventList.productList) for (const field of ['caseGtin', 'palletId']) delete line[field]
  },
  ({ eventList, productMasterDataList }) => {
    productMasterDataList.push({ ...productMasterDataList[0] })
    eventList.dataProviderVendorName = 'A "quoted" \\ vendor\nin 𝄞 ünïcode \u2028'
    const [line] = eventList.productList
    eventList.productList.push(
      { ...line, shipQuantity: 0.1, caseLotNumber: 'L "1" \\ é' },
      { ...line, shipQuantity: 1e-7, vendorItemCode: 'an "item" \\ ü' },
      { ...line, shipQuantity: 1e21 },
    )
    productMasterDataList.push({
      ...productMasterDataList[0],
      itemCode: 'an "item" \\ ü',
      gtin: '10614141000996',
    })
  },
  ({ eventList, productMasterDataList }) => {
    const [line] = eventList.productList
    const [product] = productMasterDataList
    const itemCode = (i: number) => `ITEM-${i}`
    for (let i = 0; i < 4_990; i++) {
      productMasterDataList.push({ ...product, itemCode: itemCode(i), gtin: String(10_000_000_000_000 + i) })
      eventList.productList.push({ ...line, vendorItemCode: itemCode(4_989 - i) })
    }
  },
]

test.each([
  ['receiving', paths.receivingEvent, eventPayload],
  ['shipping', paths.shippingEvent, shippingPayload],
] as const)('of %s events stored before it is what is written today', async (_name, path, payloadOf) => {
  const { id: provider, call } = await service.provider()
  for (const edit of edits) {
    const { status, text, body } = await call('POST', path, { body: payloadOf(edit) })
    expect(status, text.slice(0, 500)).toBe(201)
    // Replaced once, so that the current version is not the only one.
    const replaced = payloadOf((payload) => {
      edit(payload)
      payload.eventList.billOfLadingNumber = 'BOL-2'
    })
    expect((await call('PUT', `${path}/${body.request_ids[0]}`, { body: replaced })).status).toBe(200)
  }
  const [, made = ''] = /(CREATE FUNCTION[\s\S]+)$/.exec(migration) ?? []
  const ofProvider = made.replace('WHERE v.provider_id', `WHERE r.provider_id = '${provider}' AND v.provider_id`)
  expect(ofProvider).toContain(provider)
  const client = await service.database.pool.connect()
  const readAll = async () => {
    const { rows } = await client.query(
      `SELECT compared FROM record WHERE provider_id = $1 AND kind LIKE '%Event' AND content_hash <> '' ORDER BY id`,
      [provider],
    )
    return rows.map(({ compared }) => JSON.parse(compared))
  }
  try {
    const written = await readAll()
    expect(written.map(([, billOfLading, , , lines]) => [billOfLading, lines.length > 0])).toEqual(
      edits.map(() => ['BOL-2', true]),
    )
    await client.query('BEGIN')
    await client.query(`UPDATE record SET compared = NULL WHERE provider_id = $1`, [provider])
    await client.query(ofProvider)
    expect(await readAll()).toEqual(written)
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
})
