// The access log: nothing is handed over without an entry, and each says how it ended.
// Source: decision 0039.
import { once } from 'node:events'
import { request } from 'node:http'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { revokeApiKey } from '../../../src/store/base/api-keys.ts'
import { serverOn } from '../../../src/wiring.ts'
import { eventPayload, type Payload, paths } from '../../support/records/payloads.ts'
import { type Call, calling, type Service, startService, type TestProvider } from '../../support/servers/service.ts'
import { testSigner } from '../../support/servers/signer.ts'

let service: Service
let provider: TestProvider
/** Of an administrator. */
let call: Call
let keyId = ''
beforeAll(async () => {
  service = await startService()
  provider = await service.provider()
  const key = await provider.key('administrator')
  keyId = key.split('_')[1] ?? ''
  call = calling(service.url, key)
  await provider.call('POST', paths.receivingEvent, { body: eventPayload() })
})
afterAll(() => service?.close())

interface Entry {
  readonly id: string
  readonly who: string
  readonly operation: string
  readonly ending: string
  readonly bytes: number | null
  readonly requestId: string | null
}

/** The newest entry once it has ended: how an export ended is noted after it. */
async function newest(of: Call = call, query = ''): Promise<Entry> {
  for (;;) {
    const { content } = (await of('GET', `/access-log?limit=1${query}`)).body
    if (content[0]?.ending !== 'open') return content[0]
  }
}

describe('an export', () => {
  const lotCode = 'GV26062-A'

  test.each([
    ['/traceability/fda-spreadsheet?format=csv&lotCode=GV26062-A', 'exportFdaSpreadsheet', { format: 'csv', lotCode }],
    ['/traceability/fda-spreadsheet?gaps=true', 'exportFdaSpreadsheet', { gaps: 'true' }],
    [
      '/traceability/fda-spreadsheet?format=csv&lotCode=GV26062-A&lotCode=B',
      'exportFdaSpreadsheet',
      { format: 'csv', lotCode: [lotCode, 'B'] },
    ],
    ['/traceability/fda-package', 'exportFdaPackage', {}],
    ['/traceability/epcis?perPage=5', 'exportEpcis', { perPage: '5' }],
    [`/traceability/lots/${lotCode}?format=csv`, 'traceLot', { format: 'csv', lotCode }],
  ])(
    '%s has an entry: who, by which request, what was asked, how much was handed over',
    async (path, operation, asked) => {
      const response = await fetch(service.url + path, {
        headers: { authorization: `Bearer ${await provider.key('reader')}` },
      })
      const file = new Uint8Array(await response.arrayBuffer())
      const entry = await newest(call, `&operation=${operation}`)
      expect(entry).toMatchObject({
        operation,
        asked,
        ending: 'done',
        records: 1,
        bytes: file.length,
        requestId: response.headers.get('request-id'),
        endedDateTime: expect.stringMatching(/Z$/),
      })
      expect(entry.who).toMatch(/^[0-9a-f]{16}$/)
      expect(entry.who).not.toBe(keyId)
    },
  )

  test.each([
    [`/traceability/lots/${lotCode}`],
    [`/traceability/lots/${lotCode}?format=svg`],
    [paths.receivingEvent],
    ['/traceability/fda-spreadsheet?format=csv&gaps=true'],
    ['/traceability/completeness'],
  ])('%s hands over no file to be saved, and has none', async (path) => {
    const own = await service.provider()
    const administrator = calling(service.url, await own.key('administrator'))
    await own.call('GET', path)
    expect((await administrator('GET', '/access-log')).body.content.map(({ operation }: Entry) => operation)).toEqual([
      'createKey',
      'createKey',
    ])
  })

  test('whose reader leaves is recorded as cut off', async () => {
    const own = await service.provider()
    const key = await own.key('administrator')
    // Each line repeats what the event says of its places and its product: 8 MB, more than a
    // connection holds that nobody reads.
    const long = (text: string) => text.padEnd(100, '.')
    const body = eventPayload(({ eventList, locationMasterList, productMasterDataList }: Payload) => {
      for (const place of locationMasterList) {
        place.locationName = long(place.locationName)
        for (const name of ['streetAddress1', 'streetAddress2', 'city']) place.address[name] = long(name)
      }
      Object.assign(productMasterDataList[0], { itemDescription: long('Romaine'), brandName: long('Green Valley') })
      const [line] = eventList.productList
      eventList.productList = Array.from({ length: 5_000 }, (_, n) => ({ ...line, caseLotNumber: `L-${n}` }))
    })
    expect((await own.call('POST', paths.receivingEvent, { body })).status).toBe(201)
    const asked = request(`${service.url}/traceability/fda-spreadsheet?format=csv`, {
      headers: { authorization: `Bearer ${key}` },
    })
    asked.on('error', () => undefined).end()
    const [answer] = await once(asked, 'response')
    // The head is here; nothing of the file is taken.
    answer.on('error', () => undefined)
    answer.destroy()
    const entry = await newest(calling(service.url, key))
    expect(entry).toMatchObject({ operation: 'exportFdaSpreadsheet', ending: 'cutOff', records: 1 })
  })

  test('whose entry cannot be written is not sent', async () => {
    const { pool } = service.database
    const failing = {
      on: pool.on.bind(pool),
      query: (query: { name?: string }) =>
        query.name === 'beginAccess' ? pool.query('SELECT 1 / 0') : pool.query(query as pg.QueryConfig),
    }
    const config = readConfig({})
    if ('problem' in config) throw new Error(config.problem)
    const server = await serverOn(
      { pool: failing as unknown as pg.Pool },
      config,
      pino({ level: 'silent' }),
      testSigner,
    )
    const headers = { authorization: `Bearer ${await provider.key('reader')}` }
    const ask = (path: string) => server.inject({ url: `/traceability/${path}`, headers })
    const answers = await Promise.all(['fda-spreadsheet', 'fda-package', 'epcis'].map(ask))
    expect((await ask('completeness')).statusCode).toBe(200)
    await server.close()
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([500, 500, 500])
    for (const { headers } of answers) expect(headers['content-type']).toMatch(/problem\+json/)
  })
})

describe('a change of keys', () => {
  test('has an entry in the same statement, by the API and by command; never with the secret', async () => {
    const own = await service.provider()
    const administrator = calling(service.url, await own.key('administrator'))
    const asker = (await administrator('GET', '/keys/own')).body.keyId
    const made = await administrator('POST', '/keys', { body: { role: 'reader', label: 'quality office' } })
    await administrator('DELETE', `/keys/${made.body.keyId}`)
    await revokeApiKey(service.database.pool, made.body.keyId)
    const { body, text } = await administrator('GET', '/access-log?limit=3')
    expect(body.content).toMatchObject([
      { operation: 'revokeKey', who: 'command line', requestId: null, asked: { keyId: made.body.keyId } },
      { operation: 'revokeKey', who: asker, asked: { keyId: made.body.keyId }, ending: 'done' },
      {
        operation: 'createKey',
        who: asker,
        requestId: made.headers.get('request-id'),
        asked: { keyId: made.body.keyId, role: 'reader', label: 'quality office' },
        ending: 'done',
      },
    ])
    expect(text).not.toContain(made.body.key.slice(-43))
  })
})

describe('the list', () => {
  test('is read page by page, by who, by operation and by time', async () => {
    const own = await service.provider()
    const administrator = calling(service.url, await own.key('administrator'))
    const { keyId: asker } = (await administrator('GET', '/keys/own')).body
    for (let i = 0; i < 3; i++) await administrator('POST', '/keys', { body: { role: 'reader', label: `key ${i}` } })
    const list = async (query: string) => (await administrator('GET', `/access-log?${query}`)).body
    const first = await list(`limit=2&who=${asker}`)
    const second = await list(`limit=2&who=${asker}&cursor=${first.nextCursor}`)
    expect([...first.content, ...second.content].map(({ asked }) => asked.label)).toEqual(['key 2', 'key 1', 'key 0'])
    expect(second.nextCursor).toBeNull()
    expect((await list('operation=revokeKey')).content).toEqual([])
    expect((await list('endDateTime=2020-01-01T00:00:00Z')).content).toEqual([])
    expect((await list('startDateTime=2020-01-01T00:00:00Z&who=command%20line')).content).toHaveLength(2)
    expect((await administrator('GET', '/access-log?cursor=abc')).status).toBe(400)
    expect((await administrator('GET', `/access-log?cursor=${first.nextCursor}`)).status).toBe(400)
  })

  test('is for administrators, and of their own provider', async () => {
    expect((await provider.call('GET', '/access-log')).status).toBe(403)
    const other = calling(service.url, await (await service.provider()).key('administrator'))
    expect((await other('GET', '/access-log')).text).not.toContain('exportFda')
  })
})
