// What is printed, at the most talkative levels, while every operation is asked with recognisable
// texts: none of them is in it.
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { catalogue } from '../../../src/operations/catalogue.ts'
import { createApiKey } from '../../../src/store/base/api-keys.ts'
import { provideProvider } from '../../../src/store/database/providers.ts'
import { commandLine } from '../../../src/store/evidence/access-log.ts'
import { serverOn } from '../../../src/wiring.ts'
import { testDatabase } from '../../support/databases/database.ts'
import { type Payload, payloadOf } from '../../support/records/payloads.ts'
import { calling } from '../../support/servers/service.ts'
import { testSigner } from '../../support/servers/signer.ts'

/** Stands in every text that a caller sends, and in no other. */
const mark = 'ZQXJ'

const ends: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

/** Every text of a payload that may be any text, marked. */
function marked(payload: Payload): Payload {
  if (Array.isArray(payload)) return payload.map(marked)
  if (typeof payload !== 'object' || payload === null) return payload
  return Object.fromEntries(
    Object.entries(payload).map(([name, value]) => [
      name,
      typeof value === 'string' &&
      /name|number|code|address|city|description|brand|vendor/i.test(name) &&
      !/gln|gtin|phone|state|country|zip|scac/i.test(name)
        ? `${mark} ${value}`.slice(0, 100)
        : marked(value),
    ]),
  )
}

/** Behind the second `_`; a secret may hold `_` itself. */
const secretOf = (key: string): string => key.replace(/^lk_[^_]*_/, '')

async function serving(level: string, database: pg.Pool) {
  let printed = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      printed += chunk
      done()
    },
  })
  const config = readConfig({ RATE_LIMIT_PER_MINUTE: '100000' })
  if ('problem' in config) throw new Error(config.problem)
  const server = await serverOn({ pool: database }, config, pino({ level }, stream), testSigner)
  await server.listen({ host: '127.0.0.1', port: 0 })
  ends.push(() => server.close())
  return { url: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`, printed: () => printed }
}

// What is printed at debug is printed at trace too.
test.each(['trace'])(
  'at LOG_LEVEL=%s neither keys nor anything of a payload, a query or a header is printed',
  async (level) => {
    const { pool, close } = await testDatabase()
    ends.push(close)
    const provider = await provideProvider(pool, `${mark} provider ${level}`)
    const key = await createApiKey(
      pool,
      { provider, role: 'administrator', label: mark, expiresAt: undefined },
      commandLine,
    )
    const [, keyId = ''] = key.split('_')
    const revoked = await createApiKey(
      pool,
      { provider, role: 'reader', label: mark, expiresAt: new Date(0) },
      commandLine,
    )
    const service = await serving(level, pool)
    const [asked, statuses] = [new Set<string>(), new Set<number>()]
    const ids: Record<string, string> = {}
    const ask = async (with_: string | undefined, name: string, method: string, path: string, body?: unknown) => {
      const { status, body: answer } = await calling(service.url, with_)(method, path, {
        ...(body !== undefined && { body }),
        headers: { cookie: mark, ...(method === 'POST' && { 'idempotency-key': `${mark}-${Math.random()}` }) },
      })
      statuses.add(status)
      asked.add(name)
      return { status, answer }
    }
    // Creates come first in the catalogue of each kind or not: two rounds, so that each has
    // something to work on.
    for (let round = 0; round < 2; round++)
      for (const { name, method, path, record, body } of catalogue) {
        const payload =
          record === undefined ? { role: 'reader', label: `${mark} label` } : marked(payloadOf[record.name]())
        const at = path
          .replace('{id}', ids[record?.name ?? ''] ?? '01a1fe5d-cbc8-73d4-a104-2bd4df83af6a')
          .replace('{version}', '1')
          .replace('{lotCode}', `${mark}-LOT`)
        const { status, answer } = await ask(key, name, method, at, body && payload)
        if (status === 201 && record) ids[record.name] = answer.request_ids[0]
        // Wrong in every way: not JSON, the wrong shape, unknown fields, a query, no key, an old
        // one.
        await ask(key, name, method, `${at}?${mark}=${mark}`, body && payload)
        if (body) {
          await ask(key, name, method, at, `{"${mark}": "${mark}`)
          await ask(key, name, method, at, { [mark]: mark, eventList: { [mark]: mark } })
        }
        // What belongs elsewhere, where an id goes.
        for (const strange of [mark, key])
          await ask(key, name, method, path.replace(/\{\w+\}/, strange), body && payload)
        await ask(revoked, name, method, at, body && payload)
        await ask(`lk_${keyId}_${mark}`, name, method, at, body && payload)
      }
    await calling(service.url, key)('GET', `/nowhere/${key}`)
    expect([...asked].sort()).toEqual(catalogue.map(({ name }) => name).sort())
    expect([...statuses].filter((status) => status >= 500)).toEqual([])
    expect(statuses.has(201) && statuses.has(200) && statuses.has(422) && statuses.has(401)).toBe(true)
    const printed = service.printed()
    expect(printed.match(/"msg":"answered"/g)?.length).toBeGreaterThan(catalogue.length * 8)
    expect(printed.split('\n').filter((line) => line.includes(mark))).toEqual([])
    for (const forbidden of [secretOf(key), secretOf(revoked), 'SELECT', 'INSERT INTO'])
      expect(printed.includes(forbidden), forbidden).toBe(false)
  },
)

test('when the database is away, and when it quotes what it was given, the log says so once and quotes nothing', async () => {
  const { pool, close } = await testDatabase()
  ends.push(close)
  const provider = await provideProvider(pool, `${mark} provider of failures`)
  const key = await createApiKey(pool, { provider, role: 'writer', label: '', expiresAt: undefined }, commandLine)
  let state: 'away' | 'there' | 'quoting' = 'there'
  const query = (...given: unknown[]) => {
    const [{ name }] = given as [{ name?: string }]
    if (state === 'away')
      return Promise.reject(Object.assign(new Error(`connect to ${mark}`), { code: 'ECONNREFUSED' }))
    if (state === 'quoting' && name !== 'keyById') return pool.query(`SELECT '${mark}'::int`)
    return (pool.query as (...all: unknown[]) => unknown)(...given)
  }
  const service = await serving('trace', Object.assign(Object.create(pool), { query }) as pg.Pool)
  const call = calling(service.url, key)
  const list = () => call('GET', '/data-provider/products').then(({ status }) => status)
  expect(await list()).toBe(200)
  state = 'away'
  expect(await Promise.all(Array.from({ length: 20 }, list))).toEqual(new Array(20).fill(503))
  state = 'there'
  expect(await list()).toBe(200)
  state = 'quoting'
  expect(await list()).toBe(500)
  const lines = service
    .printed()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  // A busy machine adds that a statement took long.
  const warnings = lines
    .filter(({ level, statement }) => level >= 40 && statement === undefined)
    .map(({ msg }) => msg.replace(/\d+\.\d s/, 'n s'))
  expect(warnings).toEqual([
    'The database is unavailable (ECONNREFUSED). Requests are answered with 503 until it is back.',
    'The database is back after n s.',
    'The service failed.',
  ])
  expect(service.printed()).not.toContain(mark)
  for (const { msg, requestId } of lines)
    if (msg === 'answered' || msg === 'The service failed.') expect(requestId).toMatch(/^[0-9a-f-]{36}$/)
})
