// Search over all: each thing is found by what people know of it, and nothing of other providers.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { indexAll } from '../../../src/handlers/records/search-index.ts'
import { eventPayload, locationPayload, paths, productPayload } from '../../support/records/payloads.ts'
import { type Call, type Service, startService } from '../../support/servers/service.ts'

let service: Service
let call: Call
let ids: readonly string[]
let providerId: string
beforeAll(async () => {
  service = await startService()
  const provider = await service.provider()
  call = provider.call
  providerId = provider.id
  const send = async (path: string, body: object): Promise<string> => {
    const reply = await call('POST', path, { body })
    expect(reply.status).toBe(201)
    return reply.body.request_ids[0]
  }
  ids = [
    await send(
      paths.receivingEvent,
      eventPayload((payload) => {
        payload.payloadId = 'Batch-0042'
        payload.eventList.eventId = 'EV-9000'
        payload.eventList.purchaseOrderNumber = 'po-77/1'
        payload.eventList.asnNumber = 'ASN-55'
        payload.eventList.billOfLadingNumber = 'BOL-0055310'
        payload.eventList.dataProviderVendorId = 'V-1036'
        payload.eventList.dataProviderVendorName = 'Crème & Früchte GmbH'
        payload.eventList.productList[0].caseLotNumber = '(01)10614141000415(10)Gv-26 A'
      }),
    ),
    await send(
      paths.receivingEvent,
      eventPayload((payload) => {
        payload.eventList.purchaseOrderNumber = 'PO-77/2'
        payload.eventList.productList[0].caseLotNumber = 'GV26A-2'
      }),
    ),
    await send(
      paths.receivingEvent,
      eventPayload((payload) => {
        payload.eventList.purchaseOrderNumber = 'PO-00400656'
        Object.assign(payload.eventList.productList[0], {
          caseLotNumber: 'LW-26330-D77',
          palletId: '106141411234567897',
          vendorItemCode: 'KOH-1',
          vendorItemDescription: 'Kohlrabi, purple, 12 count',
        })
      }),
    ),
    await send(
      paths.location,
      locationPayload(({ locationMasterList: location }) => {
        location.locationCode = 'JP-1'
        location.locationName = '青果市場 東京'
      }),
    ),
    await send(
      paths.masterProduct,
      productPayload(({ productMasterDataList: product }) => {
        product.itemCode = 'MANGO-9'
        product.alternateItemCode = 'ALT-MANGO'
        product.gtin = '10614141000415'
        product.itemDescription = 'Mango, 9 count'
      }),
    ),
    await send(
      paths.location,
      locationPayload(({ locationMasterList: location }) => {
        location.locationCode = 'PIER-4'
        location.locationName = 'Harbour Cold Store'
        location.gln = '0614141000012'
      }),
    ),
  ]
  // Another provider has all of it too.
  const other = (await service.provider()).call
  await other('POST', paths.receivingEvent, { body: eventPayload() })
})
afterAll(() => service?.close())

const found = async (text: string, more = '') => {
  const reply = await call('GET', `/search?text=${encodeURIComponent(text)}${more}`)
  expect(reply.status).toBe(200)
  return reply.body
}
const hits = async (text: string): Promise<readonly string[]> =>
  (await found(text)).content.map(
    ({ kind, value, match, records }: Record<string, unknown>) => `${kind} ${value} ${match} ${records}`,
  )

/** What is half remembered, and what it finds first. */
const half = [
  ['Gv-26 A', ['lotCode Gv-26 A exact 1', 'lotCode GV26A-2 begins 1']],
  ['gv26a', ['lotCode Gv-26 A alike 1', 'lotCode GV26A-2 begins 1']],
  ['https://id.gs1.org/01/10614141000415/10/GV26A', ['lotCode Gv-26 A alike 1', 'lotCode GV26A-2 begins 1']],
  ['PO-77', ['purchaseOrderNumber PO-77/2 begins 1', 'purchaseOrderNumber po-77/1 begins 1']],
  ['po-77/2', ['purchaseOrderNumber PO-77/2 alike 1']],
  ['asn-5', ['asnNumber ASN-55 begins 1']],
  ['EV-9000', ['eventId EV-9000 exact 1']],
  ['Batch-00', ['payloadId Batch-0042 begins 3']],
  ['mango', ['masterProduct MANGO-9 begins 1']],
  ['alt-mango', ['masterProduct MANGO-9 alike 1']],
  ['10614141000415', ['masterProduct MANGO-9 exact 1']],
  ['1061414100041', ['masterProduct MANGO-9 begins 1']],
  ['cold store', ['location PIER-4 contains 1']],
  ['pier', ['location PIER-4 begins 1']],
  ['0614141000012', ['location PIER-4 exact 1']],
  // The bill of lading, and numbers by their digits, with the words that people say before them.
  ['BOL-0055310', ['billOfLadingNumber BOL-0055310 exact 1']],
  ['55310', ['billOfLadingNumber BOL-0055310 ends 1']],
  ['bol 55310', ['billOfLadingNumber BOL-0055310 ends 1']],
  ['400656', ['purchaseOrderNumber PO-00400656 ends 1']],
  ['PO 400656', ['purchaseOrderNumber PO-00400656 ends 1']],
  ['P.O. #400656', ['purchaseOrderNumber PO-00400656 ends 1']],
  ['PO400656', ['purchaseOrderNumber PO-00400656 ends 1']],
  // The end of a lot, what is inside, and its last three characters.
  ['26330-D77', ['lotCode LW-26330-D77 ends 1']],
  ['6330D', ['lotCode LW-26330-D77 contains 1']],
  ['d77', ['lotCode LW-26330-D77 ends 1']],
  // A pallet, as it is scanned and by its end.
  ['(00)106141411234567897', ['palletId 106141411234567897 alike 1']],
  ['4567897', ['palletId 106141411234567897 ends 1']],
  // Names without accents, by any word, and the first characters of those that have no words.
  ['creme', ['dataProviderVendorId V-1036 begins 1']],
  ['fruchte creme', ['dataProviderVendorId V-1036 contains 1']],
  ['Kohlrabi', ['itemCode KOH-1 begins 1']],
  ['purple', ['itemCode KOH-1 contains 1']],
  ['青果', ['location JP-1 begins 1']],
  ['青', ['location JP-1 begins 1']],
  ['東京', ['location JP-1 ends 1']],
  ['no such thing', []],
  ["'; DROP TABLE record; --%_", []],
] as const
const ofTheirOwn =
  /^((location|masterProduct|itemCode) (?!PIER|MANGO|ALT|JP|KOH)|caseGtin|billOfLadingNumber BOL-55310)/
test.each(half)('%s finds %j', async (text, wanted) => {
  const known = await hits(text)
  // What the example events carry has numbers too.
  expect(known.filter((hit) => !ofTheirOwn.test(hit))).toEqual(wanted)
})

test('all of it is found in the same way once it is indexed', async () => {
  const before = await Promise.all(half.map(([text]) => hits(text)))
  await indexAll(service.database.pool as never, providerId)
  const waiting = await service.database.pool.query('SELECT 1 FROM awaiting_search WHERE provider_id = $1', [
    providerId,
  ])
  expect(waiting.rows).toEqual([])
  expect(await Promise.all(half.map(([text]) => hits(text)))).toEqual(before)
})

test('a record is found by its id and by the beginning of it, and says what it is', async () => {
  const [event = ''] = ids
  const product = ids[4] ?? ''
  const { content } = await found(product)
  expect(content).toEqual([
    {
      kind: 'recordId',
      value: product,
      match: 'exact',
      records: 1,
      record: 'masterProduct',
      id: product,
      name: 'Mango, 9 count',
      dataProviderVendorId: 'V-1001',
      eventDate: null,
      voided: false,
    },
  ])
  const begun = await found(event.slice(0, 13).toUpperCase())
  expect(begun.content).toContainEqual(
    expect.objectContaining({ kind: 'recordId', id: event, record: 'receivingEvent', match: 'begins' }),
  )
})

test('the id of a payload leads to its event, not to a location that this set up', async () => {
  expect((await found('Batch-0042')).content[0]).toMatchObject({ kind: 'payloadId', id: ids[0] })
})

test('a lot code that a correction removed leads to the record that had it', async () => {
  const body = eventPayload((payload) => {
    payload.eventList.productList[0].caseLotNumber = 'WRONG-1'
  })
  const [id] = (await call('POST', paths.receivingEvent, { body })).body.request_ids
  body.eventList.productList[0].caseLotNumber = 'RIGHT-1'
  expect((await call('PUT', `${paths.receivingEvent}/${id}`, { body })).status).toBe(200)
  expect(await hits('WRONG-1')).toEqual(['earlierLotCode WRONG-1 exact 1'])
  expect(await hits('right')).toEqual(['lotCode RIGHT-1 begins 1'])
})

test('a voided event is found by its id, and says so; its numbers no longer lead to it', async () => {
  const body = eventPayload((payload) => {
    payload.eventList.asnNumber = 'VOID-1'
  })
  const [id] = (await call('POST', paths.receivingEvent, { body })).body.request_ids
  expect(await hits('void-1')).toEqual(['asnNumber VOID-1 alike 1'])
  expect((await call('POST', `${paths.receivingEvent}/${id}/void`, { body: { reason: 'entered twice' } })).status).toBe(
    200,
  )
  expect(await hits('void-1')).toEqual([])
  expect((await found(id)).content).toMatchObject([
    { kind: 'recordId', id, voided: true, dataProviderVendorId: 'V-1001' },
  ])
})

test('a value of many records is one hit, with the newest; more values than asked for are named', async () => {
  const bodies = ['X-1', 'X-2', 'X-2', 'X-3'].map((asn) =>
    eventPayload((payload) => {
      payload.eventList.asnNumber = asn
    }),
  )
  const made: string[] = []
  for (const body of bodies) made.push((await call('POST', paths.receivingEvent, { body })).body.request_ids[0])
  const { content, more, partial } = await found('X-', '&limit=2')
  expect(content.map(({ value, records, id }: Record<string, unknown>) => [value, records, id])).toEqual([
    ['X-1', 1, made[0]],
    ['X-2', 2, made[2]],
  ])
  expect({ more, partial }).toEqual({ more: ['asnNumber'], partial: false })
})

test.each(['', 'text=', 'text=%20', 'text=a&limit=21'])('a search with "%s" is refused', async (query) => {
  expect((await call('GET', `/search?${query}`)).status).toBe(400)
})
