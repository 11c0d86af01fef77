// Ship notices over HTTP: what becomes of them, and what their senders are told.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exampleNotice, interchangeOf, noticeIn, noticeOf } from '../samples/ship-notices.ts'
import { damagedText } from '../support/damaged-text.ts'
import { type Payload, paths } from '../support/payloads.ts'
import { runs } from '../support/runs.ts'
import { type Call, calling, type Service, startService } from '../support/service.ts'

const shippingPath = '/data-provider/events/shipping'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const greenValley = {
  senderId: 'GREENVALLEY',
  dataProviderVendorId: 'V-1001',
  timeZone: 'America/Los_Angeles',
  tlcSourceIsShipFrom: true,
}
const sender = {
  ...greenValley,
  senderId: 'SENDER',
  lineDefaults: { countryOfOrigin: 'USA' },
  places: [{ code: 'DC07', locationCode: '0614141000029' }],
}

/** An account with senders; its places are known by an earlier event. */
async function account() {
  const { key, ...provider } = await service.provider()
  const administrator = calling(service.url, await key('administrator'))
  const set = await administrator('PUT', '/ship-notice-senders', { body: { senders: [greenValley, sender] } })
  expect(set.status, set.text).toBe(200)
  const place = {
    dataProviderVendorId: 'V-1001',
    locationCode: '0614141000029',
    locationName: 'Distribution Center 7',
    gln: '0614141000029',
  }
  expect((await provider.call('POST', paths.location, { body: { locationMasterList: place } })).status).toBe(201)
  return { ...provider, administrator }
}

const x12 = { 'content-type': 'application/EDI-X12' }
const post = async (call: Call, body: string, query = ''): Promise<Payload> => {
  const reply = await call('POST', `/ship-notices${query}`, { body, headers: x12 })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}
const verdicts = ({ notices }: Payload) => notices.map(({ verdict }: Payload) => verdict)
const storedEvents = async (call: Call): Promise<Payload[]> => (await call('GET', shippingPath)).body.content
const errorsOf = ({ findings }: Payload) => findings.filter(({ severity }: Payload) => severity === 'error')

describe('a notice', () => {
  test('becomes a shipping event with its lots, and nothing more when it is sent again', async () => {
    const { call } = await account()
    const first = await post(call, exampleNotice)
    expect(first.findings).toEqual([])
    expect(first.notices).toMatchObject([
      { segment: 3, senderId: 'GREENVALLEY', number: 'ASN-771203', verdict: 'created' },
    ])
    expect(errorsOf(first.notices[0])).toEqual([])
    const [event] = await storedEvents(call)
    expect(event?.id).toBe(first.notices[0].request_ids[0])
    expect(event?.eventList).toMatchObject({ asnNumber: 'ASN-771203', purchaseOrderNumber: 'PO-88120' })
    expect(event?.eventList.productList.map(({ caseLotNumber }: Payload) => caseLotNumber)).toEqual([
      'GV26062-A',
      'GV26063-B',
      'GV26062-C',
    ])

    const again = await post(call, exampleNotice)
    expect(again.notices).toMatchObject([
      { verdict: 'duplicate', request_ids: first.notices[0].request_ids, findings: [] },
    ])
    expect(await storedEvents(call)).toHaveLength(1)
  })

  test('that arrives several times at once becomes one event', async () => {
    const { call } = await account()
    const all = await Promise.all(Array.from({ length: 5 }, () => post(call, exampleNotice)))
    expect(all.flatMap(verdicts).sort()).toEqual(['created', 'duplicate', 'duplicate', 'duplicate', 'duplicate'])
    expect(await storedEvents(call)).toHaveLength(1)
  })

  test('whose event was corrected leaves the correction, and says so', async () => {
    const { call } = await account()
    const [id] = (await post(call, exampleNotice)).notices[0].request_ids
    const { id: _, ...event } = (await call('GET', `${shippingPath}/${id}`)).body
    event.eventList.productList[0].shipQuantity = 55
    expect((await call('PUT', `${shippingPath}/${id}`, { body: event })).status).toBe(200)
    const [notice] = (await post(call, exampleNotice)).notices
    expect(notice).toMatchObject({ verdict: 'duplicate', request_ids: [id] })
    expect(notice.findings).toMatchObject([
      {
        severity: 'warning',
        segment: 5,
        segmentId: 'HL',
        message: `The shipping event ${id} of this notice has other content now. It was not changed.`,
      },
    ])
    expect((await call('GET', `${shippingPath}/${id}`)).body.eventList.productList[0].shipQuantity).toBe(55)
  })

  test('with two orders becomes two events or none', async () => {
    const { call } = await account()
    const order = (number: number, hl: number, gtin: string) => [
      `HL*${hl}*1*O`,
      `PRF*PO-${number}`,
      `HL*${hl + 1}*${hl}*I`,
      `LIN**UK*${gtin}*LT*LOT-${number}`,
      'SN1**5*CA',
    ]
    const right = [...order(1, 2, '10614141000415'), ...order(2, 4, '10614141000415')]
    const wrong = [
      ...order(3, 2, '10614141000415'),
      ...order(4, 4, '10614141000415')
        .map((segment) => (segment.startsWith('LIN') ? `${segment}*EN*1` : segment))
        .map((segment) => segment.replace('5*CA', '5*')),
    ]
    const read = await post(call, interchangeOf([noticeOf(right), noticeOf(wrong)]))
    expect(verdicts(read)).toEqual(['created', 'refused'])
    expect(read.notices[0].request_ids).toHaveLength(2)
    expect(await storedEvents(call)).toHaveLength(2)
    expect(errorsOf(read.notices[1])).toMatchObject([
      { segmentId: 'HL', pointer: '/eventList/productList/0/shipQuantityUom' },
    ])
  })

  test('is judged in a dry run against what is stored, and shows its event', async () => {
    const { call } = await account()
    const read = await post(call, exampleNotice, '?dryRun=true')
    expect(read.notices).toMatchObject([{ verdict: 'accepted', request_ids: [] }])
    expect(read.notices[0].events[0].eventList.asnNumber).toBe('ASN-771203')
    expect(await storedEvents(call)).toEqual([])
    await post(call, exampleNotice)
    expect(verdicts(await post(call, exampleNotice, '?dryRun=true'))).toEqual(['duplicate'])
  })
})

describe('a refusal', () => {
  test('by the reader or by a rule names segment and element, and leaves the other notices', async () => {
    const { call } = await account()
    const text = interchangeOf([
      noticeIn('S-O-I').map((segment) => segment.replace('56*CA', 'many*CA')),
      noticeIn('S-O-T-P-I').map((segment) => segment.replace('00106141410000000019', '00106141410000')),
      noticeIn('S-O-P-I'),
    ])
    const read = await post(call, text)
    expect(verdicts(read)).toEqual(['refused', 'refused', 'created'])
    expect(errorsOf(read.notices[0])).toEqual([
      {
        severity: 'error',
        segment: 16,
        segmentId: 'SN1',
        element: 2,
        message: 'SN102 is "many". It must be a number, e.g. 40.',
        remedy: 'Have the sender send the quantity as digits, with a decimal point if needed.',
      },
    ])
    expect(errorsOf(read.notices[1])).toMatchObject([
      {
        segmentId: 'MAN',
        element: 2,
        rule: 'product-line/pallet-id-digits',
        pointer: '/eventList/productList/0/palletId',
      },
    ])
  })

  test.each([
    [
      'of a sender that is not set up',
      exampleNotice.replace('*ZZ*GREENVALLEY    *', '*ZZ*UNKNOWN        *'),
      { segment: 1, segmentId: 'ISA', element: 6, message: 'The sender "UNKNOWN" is not set up.' },
    ],
    [
      'of a cancellation',
      exampleNotice.replace('BSN*00', 'BSN*01'),
      { segment: 4, segmentId: 'BSN', element: 1, message: 'BSN01 is "01". Only originals (00) are read.' },
    ],
  ])('%s says what to do', async (_, text, finding) => {
    const { call } = await account()
    const read = await post(call, text)
    expect(read.notices).toMatchObject([{ verdict: 'refused', request_ids: [], findings: [finding] }])
    expect(await storedEvents(call)).toEqual([])
  })

  test('of a whole file says what is wrong with it', async () => {
    const { call } = await account()
    expect((await post(call, 'hello')).findings).toMatchObject([{ severity: 'error', segment: 1 }])
    const many = await call('POST', '/ship-notices', {
      body: interchangeOf(Array.from({ length: 201 }, () => noticeIn('S-I'))),
      headers: x12,
    })
    expect([many.status, many.body.detail]).toEqual([422, expect.stringContaining('more than 200 notices')])
  })
})

test('damaged files are answered, and each refusal names a segment', async () => {
  const { call } = await account()
  const text = interchangeOf([noticeIn('S-O-T-P-I'), noticeIn('S-O-I')]) + exampleNotice
  await fc.assert(
    fc.asyncProperty(damagedText(text), async (broken) => {
      // Lone surrogates have no UTF-8.
      const reply = await call('POST', '/ship-notices?dryRun=true&acknowledgment=997', {
        body: broken.toWellFormed(),
        headers: x12,
      })
      expect(reply.status, reply.text).toBe(200)
      for (const { verdict, findings } of reply.body.notices)
        expect(findings.some(({ severity }: Payload) => severity === 'error')).toBe(verdict === 'refused')
      for (const { segment, segmentId } of [
        ...reply.body.findings,
        ...reply.body.notices.flatMap(({ findings }: Payload) => findings),
      ])
        expect([segment > 0, segmentId.length < 20]).toEqual([true, true])
    }),
    { numRuns: runs(200) },
  )
})

test('a file of nothing but envelopes is refused within bounds', async () => {
  const { call } = await account()
  const reply = await call('POST', '/ship-notices', {
    body: exampleNotice.slice(0, exampleNotice.indexOf('ST*')) + 'ST~SE~'.repeat(100_000),
    headers: x12,
  })
  expect([reply.status, reply.body.detail]).toEqual([422, expect.stringContaining('more than 500 faults')])
})

describe('the file', () => {
  test('is the body itself, or a field of JSON, and no body of another operation', async () => {
    const { call } = await account()
    const reply = await call('POST', '/ship-notices', { body: { interchange: exampleNotice } })
    expect([reply.status, verdicts(reply.body)]).toEqual([200, ['created']])
    const elsewhere = await call('POST', shippingPath, { body: exampleNotice, headers: x12 })
    expect([elsewhere.status, elsewhere.body.type]).toEqual([415, '/docs/problems/wrongMediaType'])
  })

  test.each(['997', '999'])('is answered by a %s for the sender', async (kind) => {
    const { call } = await account()
    const broken = noticeIn('S-O-I').map((segment) => segment.replace('56*CA', 'many*CA'))
    const { acknowledgment } = await post(call, interchangeOf([noticeIn('S-I'), broken]), `?acknowledgment=${kind}`)
    const [names] = [kind === '997' ? 'AK' : 'IK']
    expect(acknowledgment).toContain('*ZZ*RECEIVER       *ZZ*SENDER         *')
    expect(acknowledgment).toMatch(
      new RegExp(
        `~\\n${names}3\\*SN1\\*\\d+\\*\\*8~\\n${names}4\\*2\\*\\*7~\\n${names}5\\*R\\*5~\\nAK9\\*P\\*2\\*2\\*1~`,
      ),
    )
  })

  test('of one account is read by the settings of that account only', async () => {
    const [here, there] = [await account(), await service.provider()]
    await post(here.call, exampleNotice)
    expect(errorsOf((await post(there.call, exampleNotice)).notices[0])).toMatchObject([
      { segmentId: 'ISA', element: 6 },
    ])
  })
})

describe('a shipping event', () => {
  test('becomes a draft that is received as it is, but for when it arrived', async () => {
    const { call } = await account()
    const [id] = (await post(call, exampleNotice)).notices[0].request_ids
    const { draft, toConfirm, receivingEvents } = (await call('GET', `${shippingPath}/${id}/receiving-draft`)).body
    expect(toConfirm).toEqual([
      '/eventList/eventDateTime',
      ...[0, 1, 2].map((line) => `/eventList/productList/${line}/shipQuantity`),
    ])
    expect(receivingEvents).toEqual([])
    expect(draft.eventList).toMatchObject({ purchaseOrderNumber: 'PO-88120', asnNumber: 'ASN-771203' })
    const incomplete = await call('POST', paths.receivingEvent, { body: draft })
    expect([incomplete.status, incomplete.body.findings.map(({ pointer }: Payload) => pointer)]).toEqual([
      422,
      expect.arrayContaining(['/eventList/eventDateTime']),
    ])
    draft.eventList.eventDateTime = '2026-03-04T09:30:00-05:00'
    draft.eventList.productList[0].shipQuantity = 55
    const received = await call('POST', paths.receivingEvent, { body: draft })
    expect(received.status, received.text).toBe(201)
    expect((await call('GET', `${shippingPath}/${id}/receiving-draft`)).body.receivingEvents).toEqual(
      received.body.request_ids,
    )
  })

  test('without a purchase order drafts the document that names it', async () => {
    const { call } = await account()
    const levels = ['HL*2*1*I', 'LIN**UK*10614141000415*LT*LOT-A', 'SN1**5*CA']
    const [id] = (await post(call, interchangeOf([noticeOf(levels)]))).notices[0].request_ids
    const { draft } = (await call('GET', `${shippingPath}/${id}/receiving-draft`)).body
    expect(draft.eventList.purchaseOrderNumber).toBe('Bill of Lading (BOL) BOL-1')
  })

  test('is written as a notice that its recipient reads as the same event', async () => {
    const [shipper, recipient] = [await account(), await account()]
    const [id] = (await post(shipper.call, exampleNotice)).notices[0].request_ids
    const address = `${shippingPath}/${id}/ship-notice?senderId=GREENVALLEY&receiverId=BUYER`
    const { interchange, left } = (await shipper.call('GET', address)).body
    expect(left).toEqual([])
    const [received] = (await post(recipient.call, interchange)).notices[0].request_ids
    const { id: _, ...there } = (await recipient.call('GET', `${shippingPath}/${received}`)).body
    const { id: __, ...here } = (await shipper.call('GET', `${shippingPath}/${id}`)).body
    expect(there).toEqual(here)
    expect((await shipper.call('GET', `${shippingPath}/${id}/ship-notice?senderId=A*B&receiverId=BUYER`)).status).toBe(
      400,
    )
  })
})

describe('senders', () => {
  test('are replaced one by one, removed, and named in the access log', async () => {
    const { administrator } = await account()
    const listed = async () =>
      (await administrator('GET', '/ship-notice-senders')).body.content.map(({ sender: one }: Payload) => one)
    expect(await listed()).toEqual([greenValley, sender])
    const changed = { ...greenValley, dataProviderVendorId: 'V-2' }
    const body = { senders: [changed, { senderId: 'SENDER' }] }
    expect((await administrator('PUT', '/ship-notice-senders', { body })).body).toEqual({ set: 2 })
    expect(await listed()).toEqual([changed])
    const log = (await administrator('GET', '/access-log?operation=setShipNoticeSenders')).body.content
    expect(log[0].asked).toEqual({ senders: 2, first: 'GREENVALLEY' })
  })

  test.each([
    [[greenValley, greenValley], 'listed twice'],
    [[{ ...greenValley, timeZone: 'Mars/Olympus' }], 'timeZone of sender "GREENVALLEY" is "Mars/Olympus"'],
    [[{ ...greenValley, releaseCharacter: 'AB' }], 'It must be one character'],
    [[{ ...greenValley, dataProviderVendorId: ' ' }], 'is blank'],
    [[{ senderId: '  ', dataProviderVendorId: 'V' }], 'senderId is required and is blank'],
  ])('are all set or none: %j', async (senders, detail) => {
    const { administrator } = await account()
    const reply = await administrator('PUT', '/ship-notice-senders', {
      body: { senders: [{ senderId: 'OTHER', dataProviderVendorId: 'V' }, ...senders] },
    })
    expect([reply.status, reply.body.detail]).toEqual([422, expect.stringContaining(detail)])
    expect((await administrator('GET', '/ship-notice-senders')).body.content).toHaveLength(2)
  })

  test('have settings within a bound together', async () => {
    const { administrator } = await account()
    const large = (n: number) => ({
      senderId: `LARGE-${n}`,
      dataProviderVendorId: 'V-1',
      items: Array.from({ length: 2_000 }, (_, i) => ({
        code: `${i}`.padStart(100, '0'),
        vendorItemCode: 'x'.repeat(100),
      })),
    })
    const statuses: number[] = []
    for (const first of [0, 7])
      statuses.push(
        (
          await administrator('PUT', '/ship-notice-senders', {
            body: { senders: Array.from({ length: 7 }, (_, i) => large(first + i)) },
          })
        ).status,
      )
    expect(statuses).toEqual([200, 422])
  })
})
