// A recall by any lot code finds what may be of the lot, apart from what is, in received and in
// shipped records alike. Source: decision 0049.
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ignoredDifferences } from '../../../src/contract/lots/alike-lots.ts'
import { readLotCode } from '../../../src/contract/lots/lot-code.ts'
import { download } from '../../support/files/download.ts'
import { textIn, unzipped } from '../../support/files/read-workbook.ts'
import { eventPayload, type Payload, paths, shippingPayload } from '../../support/records/payloads.ts'
import { lotsWritten, namedTogether, type WrittenLots } from '../../support/records/written-lots.ts'
import { type Service, startService, type TestProvider } from '../../support/servers/service.ts'

let service: Service
let provider: TestProvider
beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  provider = await service.provider()
})
afterAll(() => service?.close())

type Kind = 'receivingEvent' | 'shippingEvent'
const payloadOf = (kind: Kind, lotCodes: readonly string[]): Payload =>
  (kind === 'receivingEvent' ? eventPayload : shippingPayload)(({ eventList }) => {
    const [{ caseGtin: _, ...sample }] = eventList.productList
    eventList.productList = lotCodes.map((caseLotNumber) => ({ ...sample, caseLotNumber }))
  })

async function create(kind: Kind, lotCodes: readonly string[]): Promise<string> {
  const reply = await provider.call('POST', paths[kind], { body: payloadOf(kind, lotCodes) })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.request_ids[0]
}

const trace = (lotCode: string) => provider.call('GET', `/traceability/lots/${encodeURIComponent(lotCode)}`)

async function traced(lotCode: string): Promise<Payload> {
  const { status, text, body } = await trace(lotCode)
  expect(status, `${lotCode}: ${text}`).toBe(200)
  return body
}

const alikeIn = ({ readAlike }: Payload): string[] => readAlike.map((line: Payload) => line.lotCode).sort()
const linesIn = (events: Payload[]): string[] =>
  events.flatMap(({ lines }: Payload) => lines.map((line: Payload) => line.lotCode)).sort()

const fdaLines = async (query: string) => (await provider.call('GET', `/traceability/fda-lines?${query}`)).body
const sheet = async (query: string) => {
  const { bytes } = await download(service, provider, `/traceability/fda-spreadsheet?format=csv&${query}`)
  return textIn(bytes).trimEnd().split('\r\n').length - 1
}

describe.each<Kind>(['receivingEvent', 'shippingEvent'])('several lots in one lot code of a %s', (kind) => {
  const written = [
    ...['L1, L2', 'L3/L4', 'L5; L6', 'L7\nL8', 'L9 & L10', 'L11-L15', 'L16 thru L19', 'L21.L22', 'L23_L24'],
    ...['ALPHA, BETA', '1001-1005', 'L101 - 105', 'LX13 organic'],
  ]
  const lots = ['L2', 'L4', 'L5', 'L8', 'L10', 'L13', 'L19', 'L22', 'L23', 'BETA', '1003', 'L104', 'LX13']

  test.each(lots)('are each found by a trace of %s, and marked', async (lot) => {
    await create(kind, written)
    const body = await traced(lot)
    expect(body.totals).toMatchObject({ events: 0, lines: 0 })
    expect(body.readAlike).toMatchObject([
      { record: kind, lotCode: written.find((text) => alikeIn(body).includes(text)) },
    ])
    expect(body.shippingEvents).toEqual([])
    expect(body.notes.map((note: Payload) => note.kind)).toEqual(['readAlike'])
  })

  test('are rows of a sheet and a package only where that is asked for, and counted otherwise', async () => {
    await create(kind, ['L2', ...written])
    const asked = `lotCode=L2&sheet=${kind === 'receivingEvent' ? 'receiving' : 'shipping'}`
    expect(await sheet(asked)).toBe(1)
    expect(await sheet(`${asked}&readAlike=true`)).toBe(2)
    expect(await fdaLines('lotCode=L2')).toMatchObject({ readAlikeLines: 1, readAlikeLotCodes: ['L1, L2'] })
    const { bytes } = await download(service, provider, '/traceability/fda-package?lotCode=L2')
    const files = unzipped(bytes)
    expect(JSON.parse(textIn(files['manifest.json'])).readAlike).toEqual({ lines: 1, lotCodes: ['L1, L2'] })
    expect(textIn(files['explanation.html'])).toContain('several lots in one code')
  })

  test('are a warning when it is stored', async () => {
    const id = await create(kind, ['L1, L2', '24/131', 'L1-L3'])
    const { body } = await provider.call('GET', `${paths[kind]}/${id}/findings`)
    const found = body.findings.filter((finding: Payload) => finding.rule === 'product-line/one-lot')
    expect(found).toMatchObject([
      { severity: 'warning', pointer: '/eventList/productList/0/caseLotNumber' },
      { severity: 'warning', pointer: '/eventList/productList/2/caseLotNumber' },
    ])
  })

  test('lead to the record after it was corrected into one line each, and no longer read alike', async () => {
    const id = await create(kind, ['L1, L2'])
    const replaced = await provider.call('PUT', `${paths[kind]}/${id}`, { body: payloadOf(kind, ['L1', 'L3']) })
    expect(replaced.status, replaced.text).toBe(200)
    const { status, body } = await trace('L2')
    expect(status).toBe(404)
    expect(body.records).toMatchObject([{ id, lotCode: 'L1, L2', version: 1 }])
    const found = await traced('L1')
    expect(alikeIn(found)).toEqual([])
    expect(found.notes.filter((note: Payload) => note.kind === 'earlierLots')).toEqual([])
  })
})

test('what reads alike is never among what is certain: no count, list, sheet or EPCIS event has it', async () => {
  const id = await create('receivingEvent', ['123X'])
  const writings = ['00123X', '123X (best by 3/4)', 'Lot no 123X', '10123X', '123X, 124X']
  for (const lotCode of writings) await create('receivingEvent', [lotCode])
  const body = await traced('123X')
  expect(body.totals).toMatchObject({ events: 1, lines: 1 })
  expect(linesIn(body.events)).toEqual(['123X'])
  expect(alikeIn(body)).toEqual([...writings].sort())
  expect(body.readAlikeIgnores).toEqual(ignoredDifferences)
  expect(await sheet('lotCode=123X')).toBe(1)
  const listed = await provider.call('GET', `${paths.receivingEvent}?lotCode=123X`)
  expect(listed.body.content.map((event: Payload) => event.id)).toEqual([id])
  const { text } = await provider.call('GET', '/traceability/epcis?lotCode=123X')
  expect(text).toContain(id)
  for (const lotCode of writings) expect(text).not.toContain(JSON.stringify(lotCode).slice(1, -1))
})

test('that nothing reads alike is said with every difference that was ignored', async () => {
  await create('receivingEvent', ['L1, L2'])
  const { status, body } = await trace('L3')
  expect(status).toBe(404)
  expect(body.detail).toContain('No other lot code reads alike when these differences are ignored: ')
  for (const difference of ignoredDifferences) expect(body.detail).toContain(difference)
})

test('a search for a lot finds the codes that name it with others, as ones that read alike', async () => {
  await create('receivingEvent', ['L71, L72'])
  const { body } = await provider.call('GET', '/search?text=L72')
  expect(body.content).toMatchObject([{ kind: 'lotCode', value: 'L71, L72', match: 'alike' }])
})

test('whatever lots are stored in whatever writing, a trace finds those that a look at each of them finds', async () => {
  const worlds = fc.tuple(
    fc.array(lotsWritten, { minLength: 1, maxLength: 30 }),
    fc.array(fc.boolean(), { maxLength: 30 }),
  )
  await fc.assert(
    fc.asyncProperty(
      worlds,
      fc.array(lotsWritten, { minLength: 3, maxLength: 3 }),
      async ([stored, isShipped], asked) => {
        provider = await service.provider()
        const kindOf = (i: number): Kind => (isShipped[i] ? 'shippingEvent' : 'receivingEvent')
        for (const kind of ['receivingEvent', 'shippingEvent'] as const) {
          const own = stored.filter((_, i) => kindOf(i) === kind).map(({ written }) => written)
          // Some lines in one event, the others in events of their own.
          const half = Math.ceil(own.length / 2)
          for (const lotCodes of [own.slice(0, half), ...own.slice(half).map((one) => [one])])
            if (lotCodes.length > 0) await create(kind, lotCodes)
        }
        for (const wanted of [...asked, ...stored.slice(0, 2)]) await expectAsModel(wanted, stored)
      },
    ),
    { numRuns: 12, endOnFailure: true },
  )
})

async function expectAsModel(asked: WrittenLots, stored: readonly WrittenLots[]): Promise<void> {
  const lotOf = ({ written }: WrittenLots) => readLotCode(written).lotCode
  const same = stored.filter((one) => lotOf(one) === lotOf(asked)).map(({ written }) => written)
  const alike = stored
    .filter((one) => lotOf(one) !== lotOf(asked) && namedTogether(one, asked))
    .map(({ written }) => written)
  const { status, body } = await trace(asked.written)
  if (same.length + alike.length === 0) {
    expect(status, asked.written).toBe(404)
    return
  }
  expect(status, asked.written).toBe(200)
  expect(linesIn([...body.events, ...body.shippingEvents]), asked.written).toEqual([...same].sort())
  expect(alikeIn(body), asked.written).toEqual([...alike].sort())
}
