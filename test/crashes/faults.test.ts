// Errors and broken connections at every statement of every write: never a 2xx for what did not happen, never half of
// something, never a version twice, and never a failure without a remedy.
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serverOn } from '../../src/main.ts'
import { commandLine } from '../../src/store/access-log.ts'
import { createApiKey } from '../../src/store/api-keys.ts'
import { openDatabase } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { provideProvider } from '../../src/store/providers.ts'
import { changed, type Payload, paths, payloadOf } from '../support/payloads.ts'
import { type PostgresqlServer, startPostgresqlServer } from '../support/postgresql-server.ts'
import { type Call, calling, testConfig } from '../support/service.ts'
import { testSigner } from '../support/signer.ts'
import { type Kind, readStoredRows } from '../support/stored-rows.ts'
import { type Fault, startWireProxy, type WireProxy } from '../support/wire-proxy.ts'

let database: PostgresqlServer
let proxy: WireProxy
let direct: pg.Pool
let address: string
let provider: string
let end: () => Promise<void>

beforeAll(async () => {
  database = await startPostgresqlServer()
  proxy = await startWireProxy(database.url)
  direct = new pg.Pool({ connectionString: database.url })
  await migrate(direct)
  provider = await provideProvider(direct, 'faults')
  const opened = await openDatabase({ databaseUrl: proxy.url, dataDir: '' })
  if ('heldBy' in opened) throw new Error(opened.heldBy)
  const server = await serverOn(opened, testConfig(), pino({ level: 'silent' }), testSigner)
  await server.listen({ host: '127.0.0.1', port: 0 })
  address = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  end = async () => {
    await server.close()
    await opened.close()
  }
}, 120_000)
afterAll(async () => {
  await end?.()
  await proxy?.close()
  await direct?.end()
  await database?.stop()
})

const faults: readonly Fault[] = [
  { is: 'refuse', code: '40001' },
  { is: 'refuse', code: '40P01' },
  { is: 'refuse', code: '57P01' },
  { is: 'lose', code: '57P01' },
  { is: 'cutBefore' },
  { is: 'cutDuring' },
  { is: 'cutAfter' },
]

/** A caller whose key the service has not seen: so looking it up is one of the statements. */
const stranger = async (): Promise<Call> =>
  calling(
    address,
    await createApiKey(direct, { provider, role: 'writer', label: 'faults', expiresAt: undefined }, commandLine),
  )

/** Has one statement go wrong, the `at`th from now, and counts all. */
function arm(at: number, fault: Fault | undefined): { readonly seen: () => number } {
  let seen = 0
  proxy.onStatement = () => (++seen === at ? fault : undefined)
  return { seen: () => seen }
}

const kinds: readonly Kind[] = ['receivingEvent', 'masterProduct', 'location']
const writes = kinds.flatMap((kind) => [
  { kind, write: 'create', headers: {} },
  { kind, write: 'create', headers: { 'idempotency-key': 'drawn anew' } },
  { kind, write: 'replace', headers: {} },
  { kind, write: 'replace', headers: { 'if-match': '"1"' } },
  { kind, write: 'replace', headers: { prefer: 'return=representation' } },
])

let keys = 0

test.each(writes)(
  '$write of a $kind with $headers: as many versions as were answered, at each statement and fault',
  async ({ kind, write, headers: given }) => {
    let statements = 1
    let answered = 0
    let unavailable = 0
    for (let at = 1; at <= statements; at++)
      for (const fault of [undefined, ...faults]) {
        const call = await stranger()
        const body = payloadOf[kind]()
        const headers = 'idempotency-key' in given ? { ...given, 'idempotency-key': `fault-${++keys}` } : given
        let id: string | undefined
        const sent: Payload[] = [body]
        if (write === 'replace') {
          id = (await call('POST', paths[kind], { body })).body.request_ids[0]
          sent.push(structuredClone(body))
          changed[kind](sent[1])
        }
        const caller = await stranger()
        const before = (await readStoredRows({ DATABASE_URL: database.url }, new Set())).current[kind]
        const send = () =>
          write === 'create'
            ? caller('POST', paths[kind], { body, headers })
            : caller('PUT', `${paths[kind]}/${id}`, { body: sent[1], headers })
        const { seen } = arm(fault === undefined ? 0 : at, fault)
        const reply = await send()
        // Noting that a key was used goes on beside the answer.
        if (fault === undefined) statements = Math.max(statements, seen())
        proxy.onStatement = () => undefined
        const named = `${JSON.stringify(fault)} at statement ${at}: ${reply.text}`
        expect([write === 'create' ? 201 : 200, 503], named).toContain(reply.status)
        const stored = await readStoredRows({ DATABASE_URL: database.url }, 'all')
        expect(stored.defects, named).toEqual([])
        const made = [...stored.current[kind].keys()].filter((one) => !before.has(one))
        if (reply.status === 503) {
          unavailable++
          expect(made.length, named).toBeLessThanOrEqual(write === 'create' ? 1 : 0)
          // What the answer says to do: send it again.
          if (write === 'create' && made.length > 0 && !('idempotency-key' in given)) continue
          const again = await send()
          if ('if-match' in given && again.status === 412) continue
          expect(again.status, named).toBe(write === 'create' ? 201 : 200)
          id = again.body.request_ids[0]
        } else {
          answered++
          if (write === 'create') {
            expect(made, named).toEqual(reply.body.request_ids)
            ;[id] = made
          } else expect([made.length, reply.headers.get('etag')], named).toEqual([0, '"2"'])
        }
        const versions = (await readStoredRows({ DATABASE_URL: database.url }, new Set([id ?? '']))).versions.get(
          id ?? '',
        )
        expect(
          versions?.map((row) => row.body),
          named,
        ).toEqual(sent)
      }
    expect(statements).toBeGreaterThanOrEqual(2)
    console.log(
      `${write} of a ${kind} ${JSON.stringify(given)}: ${statements} statements, ${faults.length} faults at each: ${answered} answered and right, ${unavailable} times 503`,
    )
  },
  240_000,
)
