// Ship notices over HTTP: what becomes of them, and what their senders are told.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  exampleCancellation,
  exampleNotice,
  exampleReplacement,
  interchangeOf,
  noticeIn,
  noticeOf,
} from '../../samples/ship-notices.ts'
import { damagedText } from '../../support/files/damaged-text.ts'
import { type Payload, paths } from '../../support/records/payloads.ts'
import { type Call, calling, type Service, startService } from '../../support/servers/service.ts'

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

const quantities = (event: Payload) => event.eventList.productList.map(({ shipQuantity }: Payload) => shipQuantity)
const effects = ({ notices }: Payload) =>
  notices.map(({ effects: list }: Payload) => list.map((one: Payload) => one.effect))
/** What is said of notices beside gaps. */
const messages = ({ notices }: Payload): string[] =>
  notices.flatMap(({ findings }: Payload) =>
    findings.flatMap(({ severity, message }: Payload) => (severity === 'gap' ? [] : message)),
  )

describe('a replacement', () => {
  test('replaces the event of its original, and names itself in the history', async () => {
    const { call } = await account()
    const [id] = (await post(call, exampleNotice)).notices[0].request_ids
    const planned = await post(call, exampleReplacement, '?dryRun=true')
    expect(planned.notices).toMatchObject([
      { purpose: 'replacement', verdict: 'accepted', effects: [{ id, effect: 'replaced' }] },
    ])
    expect(messages(planned)).toEqual([])
    expect(quantities((await storedEvents(call))[0])).toEqual([56, 40, 24])

    const replaced = await post(call, exampleReplacement, '?acknowledgment=997')
    expect(replaced.notices).toMatchObject([
      { verdict: 'replaced', request_ids: [id], effects: [{ id, effect: 'replaced' }] },
    ])
    expect(replaced.acknowledgment).toContain('~\nAK5*A~\nAK9*A*1*1*1~')
    const [event, ...others] = await storedEvents(call)
    expect([event?.id, quantities(event), others]).toEqual([id, [56, 38, 24], []])
    expect((await call('GET', `${shippingPath}/${id}/versions`)).body.content).toMatchObject([
      { version: 2, shipNotice: { senderId: 'GREENVALLEY', number: 'ASN-771203' } },
      { version: 1, shipNotice: null },
    ])
  })

  test('and its original change nothing when they are sent again, in any order', async () => {
    const { call } = await account()
    // The replacement has another time of departure, and so another key than its original.
    const later = exampleReplacement.replace('20260303*1610*PT', '20260303*1725*PT')
    const [id] = (await post(call, exampleNotice)).notices[0].request_ids
    expect(verdicts(await post(call, later))).toEqual(['replaced'])
    const last = later.replace('20260303*1702', '20260303*1802').replace('SN1**38*CA', 'SN1**37*CA')
    expect(verdicts(await post(call, last))).toEqual(['replaced'])
    for (const text of [exampleNotice, later]) {
      const again = await post(call, text)
      expect([verdicts(again), messages(again)]).toEqual([
        ['duplicate'],
        ['A later notice with the number "ASN-771203" replaced this one. Nothing was changed.'],
      ])
    }
    expect((await post(call, last)).notices).toMatchObject([{ verdict: 'duplicate', request_ids: [id], findings: [] }])
    const between = later.replace('20260303*1702', '20260303*1732').replace('SN1**38*CA', 'SN1**1*CA')
    const late = await post(call, between, '?acknowledgment=997')
    expect([verdicts(late), messages(late)]).toEqual([
      ['superseded'],
      ['A later notice with the number "ASN-771203" replaced this one. Nothing was changed.'],
    ])
    expect(late.acknowledgment).toContain('AK5*E~')
    const events = await storedEvents(call)
    expect(events.map(quantities)).toEqual([[56, 37, 24]])
    expect((await call('GET', `${shippingPath}/${id}/versions`)).body.content).toHaveLength(3)
  })

  test('of several orders replaces, adds and voids the event of each', async () => {
    const { call } = await account()
    const order = (hl: number, order: string, quantity: number) => [
      `HL*${hl}*1*O`,
      `PRF*${order}`,
      `HL*${hl + 1}*${hl}*I`,
      `LIN**UK*10614141000415*LT*LOT-${order}`,
      `SN1**${quantity}*CA`,
    ]
    const notice = (purpose: string, time: string, levels: readonly string[]) =>
      interchangeOf([
        noticeOf(levels).map((segment) => segment.replace('BSN*00', `BSN*${purpose}`).replace('*1612*', `*${time}*`)),
      ])
    const first = await post(call, notice('00', '1612', [...order(2, 'PO-1', 5), ...order(4, 'PO-2', 6)]))
    const replacement = notice('05', '1712', [...order(2, 'PO-3', 7), ...order(4, 'PO-2', 8), ...order(6, 'PO-4', 9)])
    const read = await post(call, replacement)
    expect(effects(read)).toEqual([['voided', 'created', 'replaced', 'created']])
    const standing = (await storedEvents(call)).map((event) => [event.eventList.purchaseOrderNumber, quantities(event)])
    expect(standing.sort()).toEqual([
      ['PO-2', [8]],
      ['PO-3', [7]],
      ['PO-4', [9]],
    ])
    const [gone] = (await call('GET', `${shippingPath}/${first.notices[0].request_ids[0]}/versions`)).body.content
    expect(gone.voidReason).toBe('The sender replaced ship notice ASN-1, without this shipment.')
    // The next one is about what is left.
    const last = await post(call, notice('05', '1812', order(2, 'PO-2', 1)))
    expect(effects(last)).toEqual([['voided', 'voided', 'replaced']])
  })

  test('that a rule refuses changes nothing, and names segment and element', async () => {
    const { call } = await account()
    await post(call, exampleNotice)
    const wrong = exampleReplacement.replace('00106141410000000026', '0010614141')
    const read = await post(call, wrong, '?acknowledgment=999')
    expect(errorsOf(read.notices[0])).toMatchObject([{ segmentId: 'MAN', element: 2 }])
    expect(read.acknowledgment).toContain('IK5*R*5~')
    expect((await storedEvents(call)).map(quantities)).toEqual([[56, 40, 24]])
    expect(verdicts(await post(call, exampleReplacement))).toEqual(['replaced'])
  })

  test('of what was received says so', async () => {
    const { call } = await account()
    const [id] = (await post(call, exampleNotice)).notices[0].request_ids
    const { draft } = (await call('GET', `${shippingPath}/${id}/receiving-draft`)).body
    draft.eventList.eventDateTime = '2026-03-04T09:30:00-05:00'
    const received = (await call('POST', paths.receivingEvent, { body: draft })).body.request_ids[0]
    const warning = {
      severity: 'warning',
      segmentId: 'BSN',
      element: 1,
      message: `These goods were received: receiving event ${received}. It was not changed.`,
    }
    for (const [text, verdict] of [
      [exampleReplacement, 'replaced'],
      [exampleCancellation, 'cancelled'],
    ] as const)
      expect((await post(call, text)).notices).toMatchObject([
        { verdict, findings: expect.arrayContaining([expect.objectContaining(warning)]) },
      ])
  })

  test('of a number that several notices have is refused, and names their events', async () => {
    const { call } = await account()
    const first = (await post(call, exampleNotice)).notices[0].request_ids[0]
    const other = exampleNotice.replaceAll('PO-88120', 'PO-88121')
    const second = await post(call, other)
    expect([verdicts(second), messages(second)]).toEqual([
      ['created'],
      [`Another notice has the number "ASN-771203": shipping event ${first}.`],
    ])
    for (const text of [exampleReplacement, exampleCancellation])
      expect(errorsOf((await post(call, text)).notices[0])).toMatchObject([
        {
          segmentId: 'BSN',
          element: 2,
          message: 'Several notices have the number "ASN-771203", so nobody can say which of them is meant.',
          remedy: expect.stringContaining(`${first}, ${second.notices[0].request_ids[0]}`),
        },
      ])
  })

  test('of another sender, or of another account, finds no original', async () => {
    const [here, there] = [await account(), await account()]
    await post(here.call, exampleNotice)
    const ofOther = exampleReplacement.replace('*ZZ*GREENVALLEY    *', '*ZZ*SENDER         *')
    const refused = (await post(here.call, ofOther)).notices[0]
    expect(refused).toMatchObject({ verdict: 'refused', request_ids: [] })
    // Both senders are the same vendor, so that what has the number can be named.
    expect(refused.findings[0].remedy).toMatch(
      /or correct by hand what has this number: shipping event [0-9a-f-]{36}\.$/,
    )
    expect(verdicts(await post(there.call, exampleReplacement))).toEqual(['refused'])
  })

  test('that arrives several times at once replaces once', async () => {
    const { call } = await account()
    const [id] = (await post(call, exampleNotice)).notices[0].request_ids
    const minute = (n: number) =>
      exampleReplacement.replace('*1702*', `*171${n}*`).replace('SN1**38*CA', `SN1**3${n}*CA`)
    const texts = [0, 1, 2, 3, 4].map(minute)
    const all = await Promise.all([...texts, ...texts].map((text) => post(call, text)))
    for (const { notices } of all) expect(['replaced', 'duplicate', 'superseded']).toContain(notices[0].verdict)
    // Whatever the order in which they came: the one that was written last is in force.
    expect((await storedEvents(call)).map(quantities)).toEqual([[56, 34, 24]])
    expect((await storedEvents(call))[0]?.id).toBe(id)
  })
})

describe('a cancellation', () => {
  test('voids the event of its original with its reason, and nothing more when it is sent again', async () => {
    const { call } = await account()
    const [id] = (await post(call, exampleNotice)).notices[0].request_ids
    expect((await post(call, exampleCancellation, '?dryRun=true')).notices).toMatchObject([
      { purpose: 'cancellation', verdict: 'accepted', effects: [{ id, effect: 'voided' }], findings: [] },
    ])
    const read = await post(call, exampleCancellation, '?acknowledgment=999')
    expect(read.notices).toMatchObject([{ verdict: 'cancelled', request_ids: [id], findings: [] }])
    expect(read.acknowledgment).toContain('IK5*A~')
    expect(await storedEvents(call)).toEqual([])
    const [version] = (await call('GET', `${shippingPath}/${id}/versions`)).body.content
    expect(version).toMatchObject({ version: 2, voidReason: 'The sender cancelled ship notice ASN-771203.' })

    const whole = exampleReplacement.replace('BSN*05', 'BSN*17')
    for (const text of [exampleCancellation, whole])
      expect((await post(call, text)).notices).toMatchObject([
        { verdict: expect.stringMatching(/duplicate|superseded/) },
      ])
    expect(verdicts(await post(call, exampleNotice))).toEqual(['duplicate'])
    expect(await storedEvents(call)).toEqual([])
  })

  test('ends replacements, and the shipment comes again as an original', async () => {
    const { call } = await account()
    await post(call, exampleNotice)
    await post(call, exampleCancellation)
    const sentAgain = (text: string) =>
      text.replace(/BSN\*(\d\d)\*ASN-771203\*20260303\*\d{4}/, 'BSN*$1*ASN-771203*20260303*1900')
    expect(errorsOf((await post(call, sentAgain(exampleReplacement))).notices[0])).toMatchObject([
      { message: 'The notice "ASN-771203" was cancelled.' },
    ])
    const reissued = await post(call, sentAgain(exampleNotice))
    expect([verdicts(reissued), messages(reissued)]).toEqual([['created'], []])
    expect(await storedEvents(call)).toHaveLength(1)
    expect(verdicts(await post(call, sentAgain(exampleCancellation)))).toEqual(['cancelled'])
    expect(await storedEvents(call)).toEqual([])
  })

  test('is told in one file with its original', async () => {
    const { call } = await account()
    const file = exampleNotice + exampleReplacement + exampleCancellation
    expect(verdicts(await post(call, file))).toEqual(['created', 'replaced', 'cancelled'])
    expect(verdicts(await post(call, file))).toEqual(['duplicate', 'duplicate', 'duplicate'])
  })
})

test('purposes mean what the settings of the sender say', async () => {
  const { call, administrator } = await account()
  const senders = [{ ...greenValley, purposes: [{ code: '04', purpose: 'replacement' }] }]
  expect((await administrator('PUT', '/ship-notice-senders', { body: { senders } })).status).toBe(200)
  const change = exampleReplacement.replace('BSN*05', 'BSN*04')
  expect(verdicts(await post(call, exampleNotice.replace('BSN*00', 'BSN*14') + change))).toEqual([
    'created',
    'replaced',
  ])
})

test('a number can be used again after a year', async () => {
  const { call } = await account()
  const yearEarlier = (text: string) => text.replaceAll('20260303', '20250201').replaceAll('20260304', '20250202')
  await post(call, yearEarlier(exampleNotice))
  const again = await post(call, exampleNotice)
  expect([verdicts(again), messages(again)]).toEqual([['created'], []])
  expect(verdicts(await post(call, exampleReplacement))).toEqual(['replaced'])
  expect((await storedEvents(call)).map(quantities)).toEqual([
    [56, 38, 24],
    [56, 40, 24],
  ])
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
      'of a change, which may be a part of the notice',
      exampleNotice.replace('BSN*00', 'BSN*04'),
      {
        segment: 4,
        segmentId: 'BSN',
        element: 1,
        message: 'BSN01 is "04" (change). Such a notice may have only a part of the shipment.',
      },
    ],
    [
      'of a replacement without an original',
      exampleReplacement,
      {
        segment: 4,
        segmentId: 'BSN',
        element: 2,
        message: 'No notice of this sender with the number "ASN-771203" was read before.',
        remedy: 'Send the original first, then this notice again.',
      },
    ],
    [
      'of a cancellation without a number',
      exampleCancellation.replace('ASN-771203', ''),
      { segment: 4, segmentId: 'BSN', element: 2, message: expect.stringContaining('BSN02 is empty') },
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

describe('what a notice lacks', () => {
  const item = ['HL*2*1*I', 'LIN**UK*10614141000415*LT*LOT-A', 'SN1**56*CA']
  const withSettings = async (settings: object) => {
    const provider = await account()
    const senders = [{ ...greenValley, senderId: 'SENDER', ...settings }]
    await provider.administrator('PUT', '/ship-notice-senders', { body: { senders } })
    return provider
  }
  const remedyOf = ({ notices: [{ findings }] }: Payload, rule: string): string =>
    findings.find((finding: Payload) => finding.rule === rule)?.remedy ?? ''

  test('of the source of lot codes has a remedy that names the setting and the parties of the notice', async () => {
    const { call } = await withSettings({ tlcSourceIsShipFrom: false })
    const notice = noticeOf([...item, 'N1*MP*FARM 7*FA*14532865782'])
    const remedy = remedyOf(await post(call, interchangeOf([notice])), 'product-line/tlc-source-given')
    expect(remedy).toContain('tlcSourceRole')
    expect(remedy).toContain('N1*MP, N1*SF, N1*ST')
    expect(remedy).not.toContain('tlcSourceReferenceGln')
    const { call: again } = await withSettings({
      tlcSourceIsShipFrom: false,
      tlcSourceRole: 'MP',
      places: sender.places,
    })
    expect(verdicts(await post(again, interchangeOf([notice])))).toEqual(['created'])
  })

  test('of a phone number has one that names the setting, and following it helps', async () => {
    const places = sender.places
    const notice = interchangeOf([noticeOf(item).map((one) => one.replace('*UL*0614141000012', '*92*GV-1'))])
    const { call } = await withSettings({ places })
    expect(remedyOf(await post(call, notice), 'location/phone-with-address')).toContain('locationPhoneNumber')
    const { call: again } = await withSettings({ places, locationPhoneNumber: '+1.831.555.0100' })
    expect(verdicts(await post(again, notice))).toEqual(['created'])
  })

  test('of a place that ships comes from the settings and the stored location, also as source of lots', async () => {
    const { call } = await withSettings({ places: sender.places, shipFromLocationCode: 'GV-1' })
    const location = {
      dataProviderVendorId: 'V-1001',
      locationCode: 'GV-1',
      locationName: 'Green Valley Cooler',
      phoneNumber: '+1.831.555.0100',
      address: { streetAddress1: '1 Farm Road', city: 'Salinas', state: 'CA', postalCode: '93901', country: 'US' },
    }
    expect((await call('POST', paths.location, { body: { locationMasterList: location } })).status).toBe(201)
    const notice = interchangeOf([noticeOf(item).filter((one) => !/^N1\*SF|^N3|^N4/.test(one))])
    const read = await post(call, notice)
    expect(verdicts(read)).toEqual(['created'])
    expect(read.notices[0].findings).toContainEqual(expect.objectContaining({ segmentId: 'HL', severity: 'warning' }))
    const [event] = await storedEvents(call)
    expect(event?.eventList.productList[0]).toMatchObject({
      tlcSourceName: 'Green Valley Cooler',
      tlcSourceAddress1: '1 Farm Road',
      tlcSourcePhoneNumber: '+1.831.555.0100',
    })
  })

  test('of a field for a value is told, and is no fault in the acknowledgment', async () => {
    const { call } = await account()
    const notice = interchangeOf([noticeOf([...item, 'REF*IA*77123'])])
    const read = await post(call, notice, '?acknowledgment=997')
    expect(verdicts(read)).toEqual(['created'])
    expect(read.notices[0].findings).toContainEqual({
      severity: 'warning',
      segment: 15,
      segmentId: 'REF',
      element: 2,
      message: 'REF*IA is "77123" (other references, descriptions). A shipping event has no field for it.',
      remedy: 'No action is needed. If you need the value, keep the notice.',
    })
    expect(read.acknowledgment).not.toContain('AK3*REF')
  })
})

test('damaged files are answered, and each refusal names a segment', async () => {
  const { call } = await account()
  const text = interchangeOf([noticeIn('S-O-T-P-I'), noticeIn('S-O-I')]) + exampleNotice
  await fc.assert(
    fc.asyncProperty(damagedText(text), async (broken) => {
      // Lone surrogates have no UTF-8, and a file with NUL is no text.
      const reply = await call('POST', '/ship-notices?dryRun=true&acknowledgment=997', {
        body: broken.toWellFormed().replaceAll('\u0000', '?'),
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
    // What the reader makes of damaged files is tried by its own property.
    { numRuns: 20 },
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

  test.each([
    [
      'Windows-1252',
      Buffer.from('Caf\u00e9 \u201cVerde\u201d'.replace('\u201c', '\x93').replace('\u201d', '\x94'), 'latin1'),
      'Café “Verde”',
    ],
    ['UTF-8 with a byte order mark', Buffer.from('Café Verde'), 'Café Verde'],
  ])('in %s is taken, and the answer says what was assumed', async (encoding, name, text) => {
    const { call } = await account()
    const [before = '', after = ''] = exampleNotice.split('Green Valley Cooler')
    const mark = encoding.startsWith('UTF-8') ? Buffer.from('\uFEFF') : Buffer.alloc(0)
    const body = Buffer.concat([mark, Buffer.from(before), name, Buffer.from(after)])
    const reply = await call('POST', '/ship-notices', { body, headers: x12 })
    expect([reply.status, verdicts(reply.body)]).toEqual([200, ['created']])
    const [event] = await storedEvents(call)
    expect(event?.locationMasterList[0].locationName).toBe(text)
    expect(reply.body.findings).toEqual(
      encoding === 'Windows-1252'
        ? [
            {
              severity: 'warning',
              segment: 1,
              segmentId: 'ISA',
              message: 'The file is not UTF-8. It was read as Windows-1252: "Café “Verde”".',
              remedy: 'If that text is wrong, have the sender send UTF-8 or plain ASCII, and send the file again.',
            },
          ]
        : [],
    )
    const json = await call('POST', paths.location, { body: Buffer.from('{"a":"\xe9"}', 'latin1') })
    expect(json.status).toBe(400)
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

  test('that are not set up are listed with their refusals until they are, and dry runs do not count', async () => {
    const { call, administrator } = await account()
    const body = { senders: [{ senderId: 'GREENVALLEY' }] }
    await administrator('PUT', '/ship-notice-senders', { body })
    await post(call, exampleNotice, '?dryRun=true')
    await post(call, exampleNotice + exampleNotice)
    await post(call, exampleNotice)
    const unknown = async () => (await call('GET', '/ship-notice-senders')).body.notSetUp
    // Refusals are noted after the answer.
    await expect.poll(async () => (await unknown())[0]?.refusals).toBe(2)
    expect(await unknown()).toMatchObject([{ senderId: 'GREENVALLEY' }])
    expect((await call('GET', '/refusals')).body.content).toMatchObject([
      { operation: 'importShipNotices', detail: expect.stringContaining('"GREENVALLEY"') },
      { operation: 'importShipNotices' },
    ])
    await administrator('PUT', '/ship-notice-senders', { body: { senders: [greenValley] } })
    expect(await unknown()).toEqual([])
  })

  describe('with one id under two qualifiers', () => {
    const under = (qualifier: string, notice: string) => notice.replace('*ZZ*GREENVALLEY', `*${qualifier}*GREENVALLEY`)
    const ofZZ = { ...greenValley, senderQualifier: 'ZZ' }
    const of01 = { ...greenValley, senderQualifier: '01', dataProviderVendorId: 'V-2002' }

    async function accountWith(...senders: object[]) {
      const given = await account()
      const set = (all: readonly object[]) =>
        given.administrator('PUT', '/ship-notice-senders', { body: { senders: all } })
      expect((await set([{ senderId: 'GREENVALLEY' }])).status).toBe(200)
      if (senders.length > 0) expect((await set(senders)).status).toBe(200)
      return { ...given, set }
    }
    const vendors = async (call: Call) =>
      (await storedEvents(call)).map(({ eventList }) => eventList.dataProviderVendorId).sort()

    test('are read by the settings of their own', async () => {
      const { call } = await accountWith(ofZZ, of01)
      const read = await post(call, under('ZZ', exampleNotice) + under('01', exampleNotice))
      expect(read.notices).toMatchObject([
        { verdict: 'created', senderQualifier: 'ZZ' },
        { verdict: 'created', senderQualifier: '01' },
      ])
      expect(await vendors(call)).toEqual(['V-1001', 'V-2002'])
    })

    test('are read by the settings of the id alone where the qualifier has none', async () => {
      const { call } = await accountWith(of01, { ...greenValley, dataProviderVendorId: 'V-3003' })
      await post(call, under('01', exampleNotice) + under('12', exampleNotice))
      expect(await vendors(call)).toEqual(['V-2002', 'V-3003'])
    })

    test('are refused under a third, and listed with it until that is set up', async () => {
      const { call, set } = await accountWith(ofZZ, of01)
      expect(verdicts(await post(call, under('12', exampleNotice)))).toEqual(['refused'])
      const unknown = async () => (await call('GET', '/ship-notice-senders')).body.notSetUp
      await expect.poll(unknown).toMatchObject([{ senderId: 'GREENVALLEY', senderQualifier: '12', refusals: 1 }])
      await set([{ ...greenValley, senderQualifier: '12' }])
      expect(await unknown()).toEqual([])
    })

    test.each([
      ['has settings of its own', [ofZZ, of01]],
      ['is read by the id alone', [ofZZ, { ...greenValley, dataProviderVendorId: 'V-2002' }]],
      ['is read by the id alone, and the first has settings of its own later', []],
    ])('neither cancel nor replace what the other sent, when one %s', async (_, senders) => {
      const { call, set } = await accountWith(...(senders.length === 0 ? [greenValley] : senders))
      expect(verdicts(await post(call, under('ZZ', exampleNotice)))).toEqual(['created'])
      if (senders.length === 0) await set([ofZZ])
      expect(verdicts(await post(call, under('01', exampleCancellation)))).toEqual(['refused'])
      expect(verdicts(await post(call, under('01', exampleReplacement)))).toEqual(['refused'])
      expect(verdicts(await post(call, under('ZZ', exampleReplacement)))).toEqual(['replaced'])
      expect(verdicts(await post(call, under('ZZ', exampleCancellation)))).toEqual(['cancelled'])
    })

    test('are one sender where no settings name a qualifier', async () => {
      const { call } = await accountWith(greenValley)
      expect(verdicts(await post(call, under('ZZ', exampleNotice)))).toEqual(['created'])
      expect(verdicts(await post(call, under('01', exampleNotice)))).toEqual(['duplicate'])
      expect(verdicts(await post(call, under('12', exampleCancellation)))).toEqual(['cancelled'])
    })

    test('are removed each by itself', async () => {
      const { administrator, set } = await accountWith(ofZZ, of01)
      await set([{ senderId: 'GREENVALLEY', senderQualifier: '01' }])
      const { content } = (await administrator('GET', '/ship-notice-senders')).body
      expect(content.map(({ sender: one }: Payload) => [one.senderId, one.senderQualifier])).toEqual([
        ['GREENVALLEY', 'ZZ'],
        ['SENDER', undefined],
      ])
    })

    test.each(['1', 'zz', ' ZZ', 'ZZZ', '', 'Z\n'])(
      'have a qualifier as ISA05 has it, and not %j',
      async (senderQualifier) => {
        const { set } = await accountWith()
        expect((await set([{ ...greenValley, senderQualifier }])).status).toBe(422)
      },
    )
  })

  test('can be tried in a dry run before they are set up', async () => {
    const { call, administrator } = await account()
    await administrator('PUT', '/ship-notice-senders', { body: { senders: [{ senderId: 'GREENVALLEY' }] } })
    const attempt = (settings: object, query = '?dryRun=true') =>
      call('POST', `/ship-notices${query}`, { body: { interchange: exampleNotice, sender: settings } })
    const read = async (settings: object) => (await attempt(settings)).body.notices[0]
    expect(await read(greenValley)).toMatchObject({
      verdict: 'accepted',
      events: [{ eventList: { dataProviderVendorId: 'V-1001' } }],
    })
    expect((await read({ ...greenValley, dataProviderVendorId: 'V-2' })).events).toMatchObject([
      { eventList: { dataProviderVendorId: 'V-2' } },
    ])
    expect((await read({ ...greenValley, senderId: 'OTHER' })).findings).toMatchObject([
      { segmentId: 'ISA', element: 6, message: 'The sender "GREENVALLEY" is not set up.' },
    ])
    const refusals = [
      await attempt(greenValley, ''),
      await attempt({ senderId: 'GREENVALLEY' }),
      await attempt({ ...greenValley, timeZone: 'Mars/Olympus' }),
    ]
    expect(refusals.map(({ status, body: { detail } }) => [status, detail])).toEqual([
      [422, expect.stringContaining('in a dry run only')],
      [422, expect.stringContaining('Name the vendor')],
      [422, expect.stringContaining('"Mars/Olympus"')],
    ])
    expect(await storedEvents(call)).toEqual([])
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
