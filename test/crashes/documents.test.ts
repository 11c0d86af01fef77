// Documents of several events, broken off at each of their statements: an EPCIS document and a file
// of ship notices. Sent again, they leave what they would have left at once: nothing twice, nothing
// lost. Source: decisions 0082, 0083.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKey } from '../../src/store/base/api-keys.ts'
import { provideProvider } from '../../src/store/database/providers.ts'
import { commandLine } from '../../src/store/evidence/access-log.ts'
import { epcisDocumentOf } from '../samples/operation-requests.ts'
import {
  exampleCancellation,
  exampleNotice,
  exampleReplacement,
  interchangeOf,
  noticeOf,
} from '../samples/ship-notices.ts'
import { isLongRun, timeFor } from '../support/records/crash-cycles.ts'
import { type Payload, paths } from '../support/records/payloads.ts'
import { type BrokenOffServices, startBrokenOffServices } from '../support/servers/broken-off-services.ts'
import { runCommand, startServerProcess } from '../support/servers/server-process.ts'
import { type Call, calling } from '../support/servers/service.ts'

let services: BrokenOffServices
let direct: pg.Pool
let address: string

beforeAll(async () => {
  services = await startBrokenOffServices()
  ;({ direct, whole: address } = services)
})
afterAll(() => services?.close())

let accounts = 0
/** An account that reads the samples: its key, and a caller whose statements are never cut. */
async function account() {
  const provider = await provideProvider(direct, `documents ${++accounts}`)
  const keyOf = (role: 'writer' | 'administrator') =>
    createApiKey(direct, { provider, role, label: 'documents', expiresAt: undefined }, commandLine)
  const key = await keyOf('writer')
  const administrator = calling(address, await keyOf('administrator'))
  const whole = calling(address, key)
  const vendor = { dataProviderVendorId: 'V-1001', tlcSourceIsShipFrom: true }
  const sender = { ...vendor, timeZone: 'America/Los_Angeles' }
  const senders = ['GREENVALLEY', 'SENDER'].map((senderId) => ({ ...sender, senderId }))
  expect((await administrator('PUT', '/ship-notice-senders', { body: { senders } })).status).toBe(200)
  const declared = { ...vendor, locationNameIsCode: true }
  expect((await administrator('PUT', '/capture/senders', { body: { senders: [declared] } })).status).toBe(200)
  return { key, whole }
}

const shippingPath = '/data-provider/events/shipping'

/** Everything that counts, without ids and times of storing. */
async function contentOf(call: Call): Promise<unknown> {
  const lists = await Promise.all(
    [paths.receivingEvent, shippingPath].flatMap((path) =>
      ['', '&voided=only'].map(async (query) => {
        const { content } = (await call('GET', `${path}?limit=200${query}`)).body
        return content.map(({ id: _, ...one }: Payload) => JSON.stringify(one)).sort()
      }),
    ),
  )
  return lists
}

const [sample] = epcisDocumentOf('first').epcisBody.eventList
const event = (eventID: string, second: number, parts: Payload = {}): Payload => ({
  ...sample,
  eventID: `urn:uuid:${eventID}`,
  eventTime: `2026-03-04T17:30:0${second}Z`,
  ...parts,
})
const documentOf = (...eventList: Payload[]): Payload => ({ ...epcisDocumentOf(''), epcisBody: { eventList } })
const wrong = (...correctiveEventIDs: string[]) => ({
  errorDeclaration: {
    declarationTime: '2026-03-06T00:00:00Z',
    reason: 'incorrect_data',
    ...(correctiveEventIDs.length > 0 && { correctiveEventIDs: correctiveEventIDs.map((id) => `urn:uuid:${id}`) }),
  },
})
const shipped = {
  bizStep: 'shipping',
  readPoint: { id: 'urn:epc:id:sgln:0614141.00001.0' },
  destinationList: [{ type: 'location', destination: 'urn:epc:id:sgln:0614141.00002.0' }],
}
const epcis = [event('received', 1), event('shipped', 2, shipped), event('twice', 3)]
const corrections = [
  { ...event('received', 1), ...wrong('corrected') },
  event('corrected', 4, { quantityList: [{ ...sample.quantityList[0], quantity: 40 }] }),
  { ...event('twice', 3), ...wrong() },
]

const order = (hl: number, purchaseOrder: string, quantity: number) => [
  `HL*${hl}*1*O`,
  `PRF*${purchaseOrder}`,
  `HL*${hl + 1}*${hl}*I`,
  `LIN**UK*10614141000415*LT*LOT-${purchaseOrder}`,
  `SN1**${quantity}*CA`,
]
const ofOrders = (purpose: string, minute: number, ...levels: readonly string[][]) =>
  interchangeOf([
    noticeOf(levels.flat()).map((segment) =>
      segment
        .replace('BSN*00', `BSN*${purpose}`)
        .replace('*1612*', `*16${minute}*`)
        .replace('*92*DC07', '*UL*0614141000029'),
    ),
  ])

const send = (path: string, body: unknown, type: string) => (call: Call) =>
  call('POST', path, { body, headers: { 'content-type': type } })
const capture = (...events: Payload[]) => send('/capture', documentOf(...events), 'application/ld+json')
const notices = (text: string) => send('/ship-notices', text, 'application/edi-x12')

type Send = ReturnType<typeof send>

const documents: readonly (readonly [name: string, before: readonly Send[], sent: Send])[] = [
  ['an EPCIS document', [], capture(...epcis)],
  ['an EPCIS document with error declarations', [capture(...epcis)], capture(...corrections)],
  [
    'a file with a ship notice, its replacement and its cancellation',
    [],
    notices(exampleNotice + exampleReplacement + exampleCancellation),
  ],
  [
    'a replacement that adds, replaces and leaves out orders',
    [notices(ofOrders('00', 12, order(2, 'PO-1', 5), order(4, 'PO-2', 6)))],
    notices(ofOrders('05', 20, order(2, 'PO-2', 7), order(4, 'PO-3', 8), order(6, 'PO-4', 9))),
  ],
]

const verdictsIn = ({ events, notices: read }: Payload): string[] =>
  (events ?? read).map(({ verdict }: Payload) => verdict)

// Together, each with a service of its own: a service waits 3 s for a database that is away.
test.concurrent.each(documents)(
  '%s that is broken off at any statement leaves the same when it is sent again',
  async (name, before, sent) => {
    const { proxy, address } = await services.breakOff()
    const undisturbed = await account()
    for (const one of [...before, sent]) expect((await one(undisturbed.whole)).status).toBe(200)
    const expected = await contentOf(undisturbed.whole)
    const again = verdictsIn((await sent(undisturbed.whole)).body)
    let isWhole = false
    let breaks = 0
    // A short run breaks off at every second statement, before it and when it was run in turn.
    for (let at = 1; !isWhole; at += isLongRun ? 1 : 2)
      for (const isRun of isLongRun ? [false, true] : [at % 4 === 3]) {
        const { key, whole } = await account()
        for (const one of before) await one(whole)
        let seen = 0
        // As if the process had ended before the statement, or when it had run.
        proxy.onStatement = () => {
          seen++
          if (seen < at) return undefined
          return { is: isRun && seen === at ? 'cutAfter' : 'cutBefore' }
        }
        const reply = await sent(calling(address, key))
        proxy.onStatement = () => undefined
        isWhole = seen < at
        const named = `at statement ${at}${isRun ? ', which was run' : ''}: ${reply.text}`
        if (!isWhole) breaks++
        if (!isWhole) expect([200, 503], named).toContain(reply.status)
        const repeated = await sent(whole)
        expect(repeated.status, named).toBe(200)
        expect(verdictsIn(repeated.body), named).not.toContain('refused')
        expect(await contentOf(whole), named).toEqual(expected)
        expect(verdictsIn((await sent(whole)).body), named).toEqual(again)
        expect(await contentOf(whole), named).toEqual(expected)
      }
    console.log(`| ${name} | ${breaks} times broken off | 0 doubled, 0 lost |`)
    expect(breaks).toBeGreaterThan(3)
  },
  timeFor(8),
)

test.concurrent(
  'kill -9 between what was stored and its remembering doubles nothing and loses nothing',
  async () => {
    const { proxy } = await services.breakOff()
    const folder = await mkdtemp(join(tmpdir(), 'lotkeeper-documents-'))
    const { key, whole } = await account()
    const environment = { DATABASE_URL: proxy.url }
    let server = await startServerProcess(environment)
    /** Ends the server when it begins a statement for the nth time. */
    const killAt = (statement: string, nth: number) => {
      let left = nth
      proxy.onStatement = (text) => {
        if (!text.includes(statement) || --left > 0) return undefined
        void server.end('SIGKILL')
        return { is: 'cutBefore' }
      }
    }
    const startAgain = async () => {
      await server.ended
      proxy.onStatement = () => undefined
      server = await startServerProcess(environment)
    }
    try {
      const path = join(folder, 'asn.edi')
      const ofMinute = (minute: number) =>
        ofOrders('00', minute, order(2, `PO-${minute}`, 5)).replaceAll('ASN-1*', `ASN-${minute}*`)
      const originals = Array.from({ length: 20 }, (_, n) => ofMinute(10 + n))
      const replacements = originals
        .slice(0, 10)
        .map((text) => text.replace('BSN*00', 'BSN*05').replace('**5*CA', '**6*CA'))
      await writeFile(path, [...originals, ...replacements].join(''))
      const runImport = () => runCommand(['import', path], { LOTKEEPER_URL: server.address, LOTKEEPER_KEY: key })
      killAt('finishShipNotice', 14)
      const broken = await runImport()
      expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('Run the same command again')])
      await startAgain()
      killAt('finishShipNotice', 13)
      expect((await runImport()).code).toBe(1)
      await startAgain()
      const done = await runImport()
      expect(done.code, done.stderr).toBe(0)
      // Of notices that were replaced before the crash, and of nothing else.
      const others = done.stderr
        .split('\n')
        .filter((line) => line !== '' && !/warning at .*(?:A later notice|has other content now)/.test(line))
      expect(others).toEqual([])
      expect((await runImport()).stdout).toContain('ship notices: 30 imported before.')
      const stored = (await whole('GET', `${shippingPath}?limit=200`)).body.content
      expect(
        stored.map(({ eventList }: Payload) => [eventList.asnNumber, eventList.productList[0].shipQuantity]).sort(),
      ).toEqual(originals.map((_, n) => [`ASN-${10 + n}`, n < 10 ? 6 : 5]))

      killAt('rememberCapturedEvents', 1)
      await expect(capture(...epcis)(calling(server.address, key))).rejects.toThrow()
      await startAgain()
      const captured = await capture(...epcis)(calling(server.address, key))
      expect(verdictsIn(captured.body)).toEqual(['duplicate', 'duplicate', 'duplicate'])
      expect((await whole('GET', paths.receivingEvent)).body.content).toHaveLength(2)
      expect((await whole('GET', `${shippingPath}?limit=200`)).body.content).toHaveLength(21)
    } finally {
      proxy.onStatement = () => undefined
      await server.end('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    }
  },
  timeFor(3),
)
