// Capture of EPCIS documents over HTTP: what is stored, what is recognised, what is corrected.
// Source: decision 0083.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentEventsMax } from '../../../src/epcis/document.ts'
import { epcisDocumentOf } from '../../samples/operation-requests.ts'
import { changed, eventPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { type Call, calling, type Reply, type Service, startService } from '../../support/servers/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const path = '/capture'

async function parties() {
  const provider = await service.provider()
  return { provider, call: provider.call, administrator: calling(service.url, await provider.key('administrator')) }
}

const declared = { dataProviderVendorId: 'V-1001', tlcSourceIsShipFrom: true }

/** A provider that knows the places of the sample, and has declared what its senders do not send. */
async function receiver() {
  const { provider, call, administrator } = await parties()
  for (const [locationCode, gln] of [
    ['GV-COOLER-1', '0614141000012'],
    ['DC-07', '0614141000029'],
  ]) {
    const body = {
      locationMasterList: {
        locationCode,
        gln,
        locationName: `Name of ${locationCode}`,
        dataProviderVendorId: 'V-1001',
      },
    }
    expect((await call('POST', paths.location, { body })).status).toBe(201)
  }
  const set = await administrator('PUT', '/capture/senders', { body: { senders: [declared] } })
  expect(set.status, set.text).toBe(200)
  return { provider, call, administrator }
}

const capture = async (call: Call, body: unknown, query = ''): Promise<Payload> => {
  const reply = await call('POST', path + query, { body })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

let seconds = 0
/** An event with an id and a second of its own. */
function event(parts: Payload = {}): Payload {
  const [sample] = epcisDocumentOf(randomUUID()).epcisBody.eventList
  const eventTime = new Date(Date.UTC(2026, 2, 4) + ++seconds * 1000).toISOString()
  return { ...sample, eventTime, ...parts }
}
const documentOf = (...eventList: Payload[]): Payload => ({ ...epcisDocumentOf(''), epcisBody: { eventList } })

const eventsOf = async (call: Call): Promise<Payload[]> =>
  (await call('GET', `${paths.receivingEvent}?limit=200`)).body.content

const wrong = (parts: Payload = {}) => ({
  errorDeclaration: { declarationTime: '2026-03-06T00:00:00Z', reason: 'incorrect_data', ...parts },
})

describe('a transformation of another program', () => {
  const at = { readPoint: { id: 'urn:epc:id:sgln:0614141.00002.0' } }
  const lot = (code: string, quantity: number) => ({
    epcClass: `urn:epc:class:lgtin:0614141.100041.${code}`,
    quantity,
    uom: 'KGM',
  })
  const made = (parts: Payload = {}): Payload => ({
    type: 'TransformationEvent',
    eventID: `urn:uuid:${randomUUID()}`,
    eventTime: new Date(Date.UTC(2026, 2, 5) + ++seconds * 1000).toISOString(),
    eventTimeZoneOffset: '-08:00',
    bizTransactionList: [{ type: 'prodorder', bizTransaction: 'urn:epcglobal:cbv:bt:0614141000029:WO-7' }],
    inputQuantityList: [lot('IN-1', 40)],
    outputQuantityList: [lot('OUT-1', 38)],
    ...at,
    ...parts,
  })
  const kept = '/data-provider/events/transformation'

  test('becomes a record that the chain of its lots follows, is recognised, and is voided when it was wrong', async () => {
    const { call } = await receiver()
    const first = made()
    const reply = await capture(call, documentOf(first))
    expect(reply.events).toMatchObject([{ verdict: 'captured', effect: 'created', kind: 'transformationEvent' }])
    const [{ recordId }] = reply.events
    expect((await call('GET', `${kept}/${recordId}`)).body.eventList).toMatchObject({
      transformationLocationCode: 'DC-07',
      referenceDocumentType: 'Work Order',
      referenceDocumentNumber: 'WO-7',
      ingredientList: [{ caseLotNumber: 'IN-1', shipQuantity: 40 }],
      productList: [{ caseLotNumber: 'OUT-1', shipQuantity: 38 }],
    })
    const chain = await call('GET', '/traceability/lots/IN-1/chain')
    expect(JSON.stringify(chain.body)).toContain('OUT-1')
    expect(await capture(call, documentOf(first))).toMatchObject({ duplicate: 1 })

    const corrected = made({ outputQuantityList: [lot('OUT-1', 37)] })
    const correction = { ...first, ...wrong({ correctiveEventIDs: [corrected.eventID] }) }
    expect((await capture(call, documentOf(correction, corrected))).events[1]).toMatchObject({
      effect: 'replaced',
      recordId,
    })
    expect((await call('GET', `${kept}/${recordId}`)).body.eventList.productList[0].shipQuantity).toBe(37)
    await capture(call, documentOf({ ...corrected, ...wrong() }))
    expect((await call('GET', kept)).body.content).toEqual([])
  })

  test('is refused at the place of the document where it makes no event', async () => {
    const { call } = await receiver()
    const { events } = await capture(
      call,
      documentOf(made({ outputQuantityList: [] }), made({ readPoint: undefined }), made({ inputQuantityList: [] })),
    )
    expect(events.map(({ verdict }: Payload) => verdict)).toEqual(['refused', 'refused', 'captured'])
    expect(events[0].findings[0]).toMatchObject({ pointer: expect.stringMatching(/^\/epcisBody\/eventList\/0/) })
    expect(events[1].findings).toMatchObject([
      { message: expect.stringContaining('transformationLocationCode'), remedy: 'Send bizLocation or readPoint.' },
    ])
  })
})

describe('a document', () => {
  test('becomes records, and sent again becomes none: also at the same time', async () => {
    const { call } = await receiver()
    const document = documentOf(event(), event(), event({ eventID: undefined }), event({ bizStep: 'storing' }))
    const replies = await Promise.all([capture(call, document), capture(call, document)])
    expect(replies.map(({ captured, duplicate }) => captured + duplicate)).toEqual([3, 3])
    expect(replies[0].captured + replies[1].captured).toBe(3)
    const again = await capture(call, document)
    expect(again).toMatchObject({ eventCount: 4, captured: 0, duplicate: 3, outOfScope: 1, refused: 0 })
    const stored = await eventsOf(call)
    expect(stored).toHaveLength(3)
    expect(
      again.events
        .map(({ recordId }: Payload) => recordId)
        .filter(Boolean)
        .sort(),
    ).toEqual(stored.map(({ id }) => id).sort())
    expect(stored[0].eventList).toMatchObject({
      dataProviderVendorId: 'V-1001',
      purchaseOrderNumber: '88120',
      shipFromLocationCode: 'GV-COOLER-1',
      shipToLocationCode: 'DC-07',
    })
  })

  test('has the same event in another form: it is recognised', async () => {
    const { call } = await receiver()
    const first = event()
    expect(await capture(call, documentOf(first))).toMatchObject({ captured: 1 })
    const [line] = first.quantityList
    const { eventTimeZoneOffset: offset, ...rest } = first
    const written = {
      ...rest,
      'epcis:eventTimeZoneOffset': offset,
      eventTime: first.eventTime.replace('Z', '0000+00:00'),
      recordTime: '2026-03-09T00:00:00Z',
      bizStep: 'https://ref.gs1.org/cbv/BizStep-receiving',
      bizLocation: first.bizLocation?.id ?? first.bizLocation,
      quantityList: { ...line, quantity: `${line.quantity}.0` },
      epcList: [],
    }
    expect(await capture(call, documentOf(written))).toMatchObject({ duplicate: 1, refused: 0 })
    const xml = `<EPCISDocument><EPCISBody><EventList><ObjectEvent>${[
      ...Object.entries(first)
        .filter(([name, value]) => typeof value === 'string' && name !== 'type')
        .map(([name, value]) => `<${name}>${value}</${name}>`),
      `<bizLocation><id>${first.bizLocation.id}</id></bizLocation><epcList/>`,
      ...['source', 'destination', 'bizTransaction'].map(
        (name) =>
          `<${name}List>${(first[`${name}List`] ?? []).map((entry: Payload) => `<${name} type="${entry.type}">${entry[name]}</${name}>`).join('')}</${name}List>`,
      ),
      `<quantityList><quantityElement><epcClass>${line.epcClass}</epcClass><quantity>${line.quantity}</quantity>${line.uom ? `<uom>${line.uom}</uom>` : ''}</quantityElement></quantityList>`,
    ].join('')}</ObjectEvent></EventList></EPCISBody></EPCISDocument>`
    const asXml = await call('POST', path, { body: xml, headers: { 'content-type': 'application/xml' } })
    expect(asXml.body, asXml.text).toMatchObject({ duplicate: 1, refused: 0 })
    const { events } = await capture(
      call,
      documentOf(
        { ...first, quantityList: [{ ...line, quantity: line.quantity + 1 }] },
        { ...first, bizStep: 'storing' },
      ),
    )
    expect(events.map(({ verdict }: Payload) => verdict)).toEqual(['refused', 'outOfScope'])
  })

  test('with one event in its body has it in event instead of eventList', async () => {
    const { call } = await receiver()
    expect(await capture(call, { ...epcisDocumentOf(''), epcisBody: { event: event() } })).toMatchObject({
      captured: 1,
    })
  })

  test('whose lot or dates contradict each other, or are none, is captured with a remark', async () => {
    const { call } = await receiver()
    const [line] = event().quantityList
    const lotted = { ...line, epcClass: 'urn:epc:class:lgtin:0614141.100041.LOT-A' }
    const said = async (ilmd: Payload) =>
      (await capture(call, documentOf(event({ quantityList: [lotted], ilmd })))).events[0].detail ?? ''
    expect(await said({ 'cbvmda:lotNumber': 'LOT-A', 'cbvmda:itemExpirationDate': '2026-04-01' })).not.toContain(
      'stored',
    )
    expect(await said({ 'cbvmda:lotNumber': 'LOT-B' })).toContain(
      'lotNumber is "LOT-B", and the identifier of the goods has the lot "LOT-A", which is stored.',
    )
    expect(await said({ 'cbvmda:itemExpirationDate': '01.04.2026' })).toContain(
      'itemExpirationDate is "01.04.2026", which is no date: it is not stored.',
    )
    expect(await said({ 'cbvmda:itemExpirationDate': '2026-04-01', 'cbvmda:expirationDate': '2026-04-02' })).toContain(
      'expirationDate is "2026-04-02", and expirationDate was 2026-04-01: 2026-04-02 is stored.',
    )
  })

  test('of 2006 without a lot is captured with its gap; a clock that was never set is refused', async () => {
    const { call } = await receiver()
    const [line] = event().quantityList
    const old = (eventTime: string) =>
      documentOf(
        event({ eventTime, quantityList: [{ ...line, uom: 'KGM', epcClass: 'urn:epc:idpat:sgtin:0614141.000041.*' }] }),
      )
    const [taken] = (await capture(call, old('2006-03-04T10:00:00Z'))).events
    expect(taken, JSON.stringify(taken)).toMatchObject({ verdict: 'captured' })
    const { findings } = (await call('GET', `${paths.receivingEvent}/${taken.recordId}/findings`)).body
    expect(findings.map(({ rule }: Payload) => rule)).toEqual(
      expect.arrayContaining(['product-line/lot-code', 'receiving-event/years-plausible']),
    )
    const [refused] = (await capture(call, old('1970-03-04T10:00:00Z'))).events
    expect(refused).toMatchObject({ verdict: 'refused', detail: expect.stringContaining('caseLotNumber is missing') })
  })

  test('names places by identifiers that are not of GS1: they are found among stored locations', async () => {
    const { call } = await receiver()
    const source = 'urn:gdst:example.org:location:loc:plant.1'
    const document = documentOf(event({ sourceList: [{ type: 'location', source }] }))
    const refused = await capture(call, document)
    const pointer = '/epcisBody/eventList/0/sourceList/0/source'
    expect(refused.events[0].findings).toMatchObject([
      { rule: 'shape/required', pointer, remedy: expect.stringContaining('store the location') },
      { rule: 'location/identified', pointer, remedy: expect.stringContaining('alternateLocationCode') },
    ])
    const address = { streetAddress1: '1 Pier', city: 'Salinas', state: 'CA', postalCode: '93901', country: 'US' }
    const body = {
      locationMasterList: {
        dataProviderVendorId: 'V-1001',
        locationCode: 'PLANT',
        locationName: 'Plant',
        alternateLocationCode: source,
        phoneNumber: '+1.831.555.0100',
        address,
      },
    }
    expect((await call('POST', paths.location, { body })).status).toBe(201)
    expect(await capture(call, document)).toMatchObject({ captured: 1 })
    const [stored] = await eventsOf(call)
    expect(stored?.eventList).toMatchObject({
      shipFromLocationCode: 'PLANT',
      productList: [{ tlcSourceName: 'Plant', tlcSourceAddress1: '1 Pier' }],
    })
  })

  test('has a verdict for each event; what is wrong is found at its place in the document, and stores nothing', async () => {
    const { call } = await receiver()
    const [right, other] = [event(), event()]
    const { events, ...counts } = await capture(
      call,
      documentOf(
        right,
        event({ bizTransactionList: [] }),
        { ...event(), eventTime: right.eventTime.replace('Z', '9Z') },
        { ...other, eventID: right.eventID },
        event({ type: 'AggregationEvent' }),
        event({ bizStep: '__proto__' }),
        event({ quantityList: [{ epcClass: right.quantityList[0].epcClass, quantity: 'some' }] }),
      ),
    )
    expect(counts).toMatchObject({ eventCount: 7, captured: 1, duplicate: 0, outOfScope: 2, refused: 4 })
    expect(events[0]).toMatchObject({ verdict: 'captured', effect: 'created', kind: 'receivingEvent', findings: [] })
    expect(
      events
        .slice(1)
        .map(({ verdict, findings }: Payload) => [verdict, findings.map(({ pointer }: Payload) => pointer)]),
    ).toEqual([
      ['refused', ['/epcisBody/eventList/1']],
      ['refused', ['/epcisBody/eventList/2/eventTime']],
      ['refused', ['/epcisBody/eventList/3/eventID']],
      ['outOfScope', []],
      ['outOfScope', []],
      ['refused', ['/epcisBody/eventList/6/quantityList/0']],
    ])
    expect(events[1].findings[0].remedy).toContain('PUT /capture/senders')
    expect(await eventsOf(call)).toHaveLength(1)
  })

  test('as a dry run has the verdicts it would have, and stores nothing', async () => {
    const { call } = await receiver()
    const [first, second] = [event(), event()]
    const document = documentOf(
      { ...first, ...wrong({ correctiveEventIDs: [second.eventID] }) },
      second,
      event({ bizTransactionList: [] }),
    )
    await capture(call, documentOf(first))
    const judged = await capture(call, document, '?dryRun=true')
    expect(judged).toMatchObject({ captured: 2, refused: 1 })
    expect(await eventsOf(call)).toHaveLength(1)
    const captured = await capture(call, document)
    const verdicts = ({ events }: Payload) =>
      events.map(({ verdict, effect, findings }: Payload) => [verdict, effect, findings])
    expect(verdicts(captured)).toEqual(verdicts(judged))
  })

  test('that is none is refused with its place', async () => {
    const { call } = await receiver()
    for (const [body, place] of [
      [{ type: 'ASN' }, '/type'],
      [{ type: 'EPCISDocument', epcisBody: {} }, '/epcisBody'],
      [documentOf(...Array.from({ length: documentEventsMax + 1 }, () => ({}))), '/epcisBody/eventList'],
    ] as const) {
      const reply = await call('POST', path, { body })
      expect(reply.status).toBe(422)
      expect(reply.body.detail).toContain(`${place}:`)
    }
  })

  test('has as many events as are accepted, and each of them a verdict', async () => {
    const { call } = await receiver()
    const between = Array.from({ length: documentEventsMax - 2 }, () => event({ bizStep: 'storing' }))
    const { events, ...counts } = await capture(call, documentOf(event(), ...between, event()))
    expect(counts).toMatchObject({ eventCount: documentEventsMax, captured: 2, outOfScope: documentEventsMax - 2 })
    expect(events.at(-1)).toMatchObject({ pointer: `/epcisBody/eventList/${documentEventsMax - 1}`, effect: 'created' })
  })

  test('refuses the events behind those whose records are as many as one request stores', async () => {
    const { call } = await parties()
    const sscc = 'urn:epc:id:sscc:0614141.1000000001'
    const packing = event({
      type: 'AggregationEvent',
      action: 'ADD',
      parentID: sscc,
      childQuantityList: Array.from({ length: 5_000 }, (_, n) => ({
        epcClass: `urn:epc:class:lgtin:0614141.100041.LOT-${n}`,
        quantity: 1,
      })),
    })
    const received = Array.from({ length: 12 }, () => event({ epcList: [sscc], quantityList: [] }))
    const { events } = await capture(call, documentOf(packing, ...received))
    const details = events.slice(1).map(({ detail }: Payload) => detail)
    expect(details.slice(0, 11).filter((detail: string) => detail.includes('as many as one request'))).toEqual([])
    expect(details[11]).toBe(
      'The records of the events before this one are as many as one request stores. Send the document again: events that were captured are recognised, and the next ones follow.',
    )
  })

  test('of the examples is captured: a pallet that was packed, shipped and received', async () => {
    const { call } = await receiver()
    const example = readFileSync(new URL('../../../examples/epcis-receiving.jsonld', import.meta.url), 'utf8')
    const { events } = await capture(call, example)
    expect(events.map(({ kind, reason }: Payload) => kind ?? reason)).toEqual([
      'packing',
      'shippingEvent',
      'receivingEvent',
    ])
    const shipped = await call('GET', `${paths.shippingEvent}/${events[1].recordId}`)
    expect(shipped.body.eventList).toMatchObject({
      purchaseOrderNumber: '88120',
      eventDateTime: '2026-03-03T14:40:00-08:00',
      shipFromLocationCode: 'GV-COOLER-1',
      shipToLocationCode: 'DC-07',
      productList: [{ caseLotNumber: 'GV26063-A', shipQuantity: 56, palletId: '106141410000000019' }],
    })
    const [{ eventList }] = await eventsOf(call)
    expect(eventList).toMatchObject({
      purchaseOrderNumber: '88120',
      asnNumber: 'ASN-12005',
      eventDateTime: '2026-03-04T09:30:00-08:00',
      productList: [{ caseLotNumber: 'GV26063-A', shipQuantity: 56, palletId: '106141410000000019' }],
    })
  })

  test('is taken as JSON-LD and as XML; other operations take JSON only', async () => {
    const { call } = await receiver()
    const headers = { 'content-type': 'application/ld+json' }
    const reply = await call('POST', path, { body: documentOf(event()), headers })
    expect(reply.body, reply.text).toMatchObject({ captured: 1 })
    const { eventTime } = event()
    const xml = `<EPCISDocument><EPCISBody><EventList><ObjectEvent>
      <eventTime>${eventTime}</eventTime><eventTimeZoneOffset>-08:00</eventTimeZoneOffset>
      <action>OBSERVE</action><bizStep>urn:epcglobal:cbv:bizstep:receiving</bizStep>
      <bizLocation><id>urn:epc:id:sgln:0614141.00002.0</id></bizLocation>
      <bizTransactionList><bizTransaction type="urn:epcglobal:cbv:btt:po">urn:epcglobal:cbv:bt:0614141000029:1</bizTransaction></bizTransactionList>
      <extension><quantityList><quantityElement><epcClass>urn:epc:class:lgtin:0614141.100041.A</epcClass><quantity>5</quantity></quantityElement></quantityList>
      <sourceList><source type="urn:epcglobal:cbv:sdt:location">urn:epc:id:sgln:0614141.00001.0</source></sourceList></extension>
    </ObjectEvent></EventList></EPCISBody></EPCISDocument>`
    const asXml = { 'content-type': 'application/xml; charset=utf-8' }
    expect((await call('POST', path, { body: xml, headers: asXml })).body).toMatchObject({ captured: 1 })
    const broken = await call('POST', path, { body: '<a><b></a>', headers: asXml })
    expect([broken.status, broken.body.detail]).toEqual([
      422,
      'The XML, line 1, column 7: The end tag </a> does not end <b>, which begins in line 1. Nothing was stored.',
    ])
    expect((await call('POST', paths.receivingEvent, { body: eventPayload(), headers })).status).toBe(415)
  })
})

test.each([
  ['eventID', { eventID: 'urn:uuid:\u0000' }, '/epcisBody/eventList/1/eventID'],
  ['eventID', { eventID: `urn:uuid:${'a'.repeat(300)}` }, '/epcisBody/eventList/1/eventID'],
  [
    'correctiveEventIDs',
    wrong({ correctiveEventIDs: ['urn:uuid:1', 'u\n'.repeat(2_000)] }),
    '/epcisBody/eventList/1/errorDeclaration/correctiveEventIDs/1',
  ],
])('an identifier that cannot be stored, in %s, is named, and nothing is captured', async (_, parts, pointer) => {
  const { call } = await receiver()
  const reply = await call('POST', path, { body: documentOf(event(), event(parts)) })
  expect([reply.status, reply.body.detail]).toEqual([
    422,
    `${pointer}: An eventID has at most 300 characters, and no control characters. Nothing was stored.`,
  ])
  const ofNobody = await call('POST', path, { body: { ...documentOf(event()), sender: 'a\u0000' } })
  expect([ofNobody.status, ofNobody.body.detail]).toEqual([422, expect.stringContaining('/sender: The identifier of')])
  expect(await eventsOf(call)).toEqual([])
})

test.each(['utf8', 'utf16le'] as const)(
  'a document with a byte order mark is taken, as JSON-LD and as XML: %s',
  async (encoding) => {
    const { call } = await receiver()
    const json = Buffer.from(`\uFEFF${JSON.stringify(documentOf(event()))}`, encoding)
    for (const type of ['application/json', 'application/ld+json']) {
      const reply = await call('POST', `${path}?dryRun=true`, { body: json, headers: { 'content-type': type } })
      expect([reply.status, reply.body.eventCount], reply.text).toEqual([200, 1])
    }
    const xml = `\uFEFF<?xml version="1.0" encoding="${encoding === 'utf8' ? 'UTF-8' : 'UTF-16'}"?><EPCISDocument><EPCISBody><EventList><ObjectEvent><eventTime>2026-03-04T17:30:00Z</eventTime></ObjectEvent></EventList></EPCISBody></EPCISDocument>`
    const reply = await call('POST', `${path}?dryRun=true`, {
      body: Buffer.from(xml, encoding),
      headers: { 'content-type': 'application/xml' },
    })
    expect([reply.status, reply.body.eventCount], reply.text).toEqual([200, 1])
  },
)

describe('an event that was declared wrong', () => {
  const effects = ({ events }: Payload) =>
    events.map(({ verdict, effect, reason }: Payload) => effect ?? reason ?? verdict)

  test('voids its record, as do many others of one document', async () => {
    const { call } = await receiver()
    const many = Array.from({ length: 150 }, () => event())
    await capture(call, documentOf(...many))
    const declared = documentOf(...many.map((one) => ({ ...one, ...wrong() })))
    expect(new Set(effects(await capture(call, declared)))).toEqual(new Set(['voided']))
    expect(await eventsOf(call)).toHaveLength(0)
  })

  test('voids its record', async () => {
    const { call } = await receiver()
    const one = event()
    await capture(call, documentOf(one))
    const declared = documentOf({ ...one, ...wrong({ reason: 'did_not_occur' }) })
    expect(effects(await capture(call, declared))).toEqual(['voided'])
    expect(effects(await capture(call, declared))).toEqual(['duplicate'])
    expect(effects(await capture(call, documentOf(one)))).toEqual(['duplicate'])
    expect(await eventsOf(call)).toHaveLength(0)
    expect((await call('GET', '/voids')).body.content[0].reason).toBe(
      'The sender declared the event wrong (did_not_occur).',
    )
  })

  test('of what was shipped is corrected and voided in the same way', async () => {
    const { call } = await receiver()
    const shipping = () =>
      event({
        bizStep: 'shipping',
        destinationList: [{ type: 'location', destination: 'urn:epc:id:sgln:0614141.00002.0' }],
        bizTransactionList: [{ type: 'bol', bizTransaction: 'urn:epcglobal:cbv:bt:0614141000012:B-1' }],
      })
    const [first, second] = [shipping(), shipping()]
    const { events } = await capture(call, documentOf(first))
    const declaration = { ...first, ...wrong({ correctiveEventIDs: [second.eventID] }) }
    expect(effects(await capture(call, documentOf(declaration, second)))).toEqual(['remembered', 'replaced'])
    const address = `${paths.shippingEvent}/${events[0].recordId}`
    const { eventList } = (await call('GET', address)).body
    expect([eventList.billOfLadingNumber, eventList.purchaseOrderNumber]).toEqual(['B-1', undefined])
    expect(effects(await capture(call, documentOf({ ...second, ...wrong() })))).toEqual(['voided'])
    expect((await call('GET', address)).headers.get('record-voided')).toBe('true')
  })

  test('is replaced by the event that corrects it, in whatever order they come', async () => {
    const { call } = await receiver()
    const quantity = (n: number) => ({
      quantityList: [{ epcClass: 'urn:epc:class:lgtin:0614141.100041.A', quantity: n }],
    })
    const [first, second, third] = [event(quantity(1)), event(quantity(2)), event(quantity(3))]
    const [firstWrong, secondWrong] = [
      { ...first, ...wrong({ correctiveEventIDs: [second.eventID] }) },
      { ...second, ...wrong({ correctiveEventIDs: [third.eventID] }) },
    ]
    const { events } = await capture(call, documentOf(first))
    expect(effects(await capture(call, documentOf(second, firstWrong)))).toEqual(['replaced', 'remembered'])
    // The declaration comes alone, and its correction later.
    expect(effects(await capture(call, documentOf(secondWrong)))).toEqual(['voided'])
    expect(await eventsOf(call)).toHaveLength(0)
    expect(effects(await capture(call, documentOf(firstWrong, secondWrong, third)))).toEqual([
      'duplicate',
      'duplicate',
      'replaced',
    ])
    const [record, ...others] = await eventsOf(call)
    expect(others).toHaveLength(0)
    expect(record.id).toBe(events[0].recordId)
    expect(record.eventList.productList[0].shipQuantity).toBe(3)
  })

  test('before it was captured becomes no record, then or later; its correction does', async () => {
    const { call } = await receiver()
    const [first, second] = [event(), event()]
    const firstWrong = { ...first, ...wrong({ correctiveEventIDs: [second.eventID] }) }
    expect(effects(await capture(call, documentOf(firstWrong)))).toEqual(['declaredWrong'])
    expect(effects(await capture(call, documentOf(first, second)))).toEqual(['duplicate', 'created'])
  })

  test('keeps its record out of force when the event that corrects it is refused', async () => {
    const { call } = await receiver()
    const [first, second] = [event(), event({ quantityList: [] })]
    await capture(call, documentOf(first))
    const firstWrong = { ...first, ...wrong({ correctiveEventIDs: [second.eventID] }) }
    expect(effects(await capture(call, documentOf(firstWrong, second)))).toEqual(['voided', 'refused'])
  })
})

describe('an export of this service', () => {
  const pages = async (call: Call): Promise<Payload[]> => {
    const found: Payload[] = []
    for (let next: string | undefined = '/traceability/epcis?documentType=EPCISDocument&perPage=7'; next; ) {
      const reply: Reply = await call('GET', next)
      found.push(reply.body)
      next = /^<([^>]+)>/.exec(reply.headers.get('link') ?? '')?.[1]
    }
    return found
  }
  const contentOf = async (call: Call) =>
    (await eventsOf(call))
      .map(({ id: _, ...content }) => content)
      .sort((one, other) => (one.eventList.eventDateTime < other.eventList.eventDateTime ? -1 : 1))

  test('captured into an empty account gives the same records, all of them, and once', async () => {
    const [source, target] = [await service.provider(), await service.provider()]
    for (let n = 0; n < 12; n++) {
      const body = eventPayload((payload) => {
        payload.eventList.asnNumber = `ASN ${n}`
        if (n % 3 === 0) payload.eventList.billOfLadingNumber = 'Packing List 7'
        if (n % 4 === 0) payload.eventList.productList[0].shipQuantityUom = 'pallet'
      })
      const made = await source.call('POST', paths.receivingEvent, { body })
      expect(made.status, made.text).toBe(201)
      const address = `${paths.receivingEvent}/${made.body.request_ids[0]}`
      for (let version = 0; version < n % 3; version++) {
        changed.receivingEvent(body)
        expect((await source.call('PUT', address, { body })).status).toBe(200)
      }
      if (n % 5 === 4)
        expect((await source.call('POST', `${address}/void`, { body: { reason: 'Twice' } })).status).toBe(200)
    }
    const documents = await pages(source.call)
    for (const document of documents) expect((await capture(target.call, document)).refused).toBe(0)
    expect(await contentOf(target.call)).toEqual(await contentOf(source.call))
    for (const document of documents) expect((await capture(target.call, document)).captured).toBe(0)

    // What happened since is followed: a replacement and a void.
    const [first, second] = await eventsOf(source.call)
    const { id, ...body } = first
    changed.receivingEvent(body)
    expect((await source.call('PUT', `${paths.receivingEvent}/${id}`, { body })).status).toBe(200)
    await source.call('POST', `${paths.receivingEvent}/${second.id}/void`, { body: { reason: 'Entered twice' } })
    const voids = await source.call('GET', '/traceability/epcis?documentType=EPCISDocument&voided=only')
    for (const document of [...(await pages(source.call)), voids.body]) await capture(target.call, document)
    expect(await contentOf(target.call)).toEqual(await contentOf(source.call))
    expect((await target.call('GET', '/voids')).body.content.map(({ reason }: Payload) => reason)).toEqual([
      'Entered twice',
    ])
  })
})

describe('defaults of senders', () => {
  test('of the sender of the document hold before those of all senders; the caller may name another', async () => {
    const { call, administrator } = await receiver()
    const senders = [
      { sender: 'urn:epc:id:pgln:0614141.00001', purchaseOrderNumber: 'of the sender' },
      { sender: 'another', purchaseOrderNumber: 'of another' },
      { ...declared, purchaseOrderNumber: 'of all' },
    ]
    expect((await administrator('PUT', '/capture/senders', { body: { senders } })).body).toEqual({ set: 3 })
    const orders: string[] = []
    for (const [sender, query] of [
      [undefined, ''],
      ['urn:epc:id:pgln:0614141.00001', ''],
      ['urn:epc:id:pgln:0614141.00001', '?sender=another'],
    ] as const) {
      const { events } = await capture(call, { ...documentOf(event({ bizTransactionList: [] })), sender }, query)
      const record = await call('GET', `${paths.receivingEvent}/${events[0].recordId}`)
      orders.push(record.body.eventList.purchaseOrderNumber)
    }
    expect(orders).toEqual(['of all', 'of the sender', 'of another'])
    const removed = { senders: [{ sender: 'another' }] }
    await administrator('PUT', '/capture/senders', { body: removed })
    const listed = (await call('GET', '/capture/senders')).body.content
    expect(listed.map(({ sender: { sender } }: Payload) => sender)).toEqual([
      undefined,
      'urn:epc:id:pgln:0614141.00001',
    ])
    expect(listed[0].sender).toEqual({ ...declared, purchaseOrderNumber: 'of all' })
  })

  test('can be tried in a dry run before they are set: they hold instead of the stored ones of their sender', async () => {
    const { call, administrator } = await receiver()
    const document = { ...documentOf(event({ bizTransactionList: [] })), sender: 'one' }
    const attempt = (senderDefaults: object, query = '?dryRun=true') =>
      call('POST', `/capture${query}`, { body: { ...document, senderDefaults } })
    const without = { ...declared, purchaseOrderNumber: undefined }
    await administrator('PUT', '/capture/senders', { body: { senders: [without] } })
    const verdictOf = async (senderDefaults: object) => (await attempt(senderDefaults)).body.events[0].verdict
    expect(await verdictOf({ sender: 'other', purchaseOrderNumber: 'PO-1' })).toBe('refused')
    expect(await verdictOf({ sender: 'one', purchaseOrderNumber: 'PO-1' })).toBe('captured')
    expect(await verdictOf({ ...declared, purchaseOrderNumber: 'PO-1' })).toBe('captured')
    // Instead of those that are stored: what they had is not there.
    expect(await verdictOf({ purchaseOrderNumber: 'PO-1' })).toBe('refused')
    const stored = await attempt({ sender: 'one', purchaseOrderNumber: 'PO-1' }, '')
    expect([stored.status, stored.body.detail]).toEqual([422, expect.stringContaining('in a dry run only')])
    const wrong = await attempt({ purchaseOrder: 'PO-1' })
    expect([wrong.status, wrong.body.detail]).toEqual([422, expect.stringContaining('/senderDefaults/purchaseOrder')])
    expect((await call('GET', paths.receivingEvent)).body.content).toEqual([])
  })
})
