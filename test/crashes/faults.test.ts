// Errors and broken connections at every statement of every write: never a 2xx for what did not
// happen, never half of something, never a version twice, and never a failure without a remedy.
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKey } from '../../src/store/base/api-keys.ts'
import { provideProvider } from '../../src/store/database/providers.ts'
import { commandLine } from '../../src/store/evidence/access-log.ts'
import { type Kind, readStoredRows } from '../support/databases/stored-rows.ts'
import type { Fault, WireProxy } from '../support/databases/wire-proxy.ts'
import { isLongRun, timeFor } from '../support/records/crash-cycles.ts'
import { changed, type Payload, paths, payloadOf } from '../support/records/payloads.ts'
import { type BrokenOffServices, startBrokenOffServices } from '../support/servers/broken-off-services.ts'
import { type Call, calling } from '../support/servers/service.ts'

let services: BrokenOffServices
let direct: pg.Pool
beforeAll(async () => {
  services = await startBrokenOffServices()
  ;({ direct } = services)
})
afterAll(() => services?.close())

const callerAt = async (address: string, provider: string): Promise<Call> =>
  calling(
    address,
    await createApiKey(direct, { provider, role: 'writer', label: 'faults', expiresAt: undefined }, commandLine),
  )

/** A provider of its own, callers with known keys, of a service behind a proxy and of one beside it. */
async function startBroken() {
  const { proxy, address } = await services.breakOff()
  const provider = await provideProvider(direct, `faults of ${address}`)
  return {
    proxy,
    provider,
    familiar: await callerAt(address, provider),
    other: await callerAt(services.whole, provider),
    /** A caller whose key the service has not seen: so looking it up is one of the statements. */
    stranger: () => callerAt(address, provider),
  }
}

const read = (ids: ReadonlySet<string>) => readStoredRows({ DATABASE_URL: services.database.url }, ids)

/** Ids of all records of a kind. */
async function idsOf(kind: Kind, provider: string): Promise<ReadonlySet<string>> {
  const asked = 'SELECT id FROM record WHERE provider_id = $1 AND kind = $2'
  const { rows } = await direct.query<{ id: string }>(asked, [provider, kind])
  return new Set(rows.map(({ id }) => id))
}

const faults: readonly Fault[] = [
  { is: 'refuse', code: '40001' },
  { is: 'refuse', code: '40P01' },
  { is: 'refuse', code: '57P01' },
  { is: 'lose', code: '57P01' },
  { is: 'cutBefore' },
  { is: 'cutDuring' },
  { is: 'cutAfter' },
]

/** Has one statement go wrong, the `at`th from now, and counts all. */
function arm(proxy: WireProxy, at: number, fault: Fault | undefined): { readonly seen: () => number } {
  let seen = 0
  proxy.onStatement = () => (++seen === at ? fault : undefined)
  return { seen: () => seen }
}

interface Write {
  readonly kind: Kind
  readonly write: 'create' | 'replace' | 'void'
  readonly headers: Record<string, string>
}
const kinds: readonly Kind[] = ['receivingEvent', 'masterProduct', 'location']
const writes: readonly Write[] = [
  ...kinds.flatMap((kind): Write[] => [
    { kind, write: 'create', headers: { 'idempotency-key': 'drawn anew' } },
    { kind, write: 'replace', headers: {} },
  ]),
  { kind: 'receivingEvent', write: 'create', headers: {} },
  { kind: 'receivingEvent', write: 'void', headers: {} },
  { kind: 'receivingEvent', write: 'void', headers: { 'if-match': '"1"' } },
  { kind: 'receivingEvent', write: 'replace', headers: { 'if-match': '"1"', prefer: 'return=representation' } },
]

let keys = 0

// Together, each with a service of its own: much of it is waiting for connections that are made again.
test.concurrent.each(writes)(
  '$write of a $kind with $headers: as many versions as were answered, at each statement and fault',
  async ({ kind, write, headers: given }) => {
    const { proxy, provider, familiar, stranger } = await startBroken()
    let statements = 1
    let answered = 0
    let unavailable = 0
    for (let at = 1; at <= statements; at++) {
      // All kinds are written by the same statements, with and without conditions: a short run takes a
      // third of the faults for the others.
      const isLike = kind !== 'receivingEvent' || 'if-match' in given
      const taken = isLongRun || !isLike ? faults : faults.filter((_, n) => n % 3 === at % 3)
      for (const fault of at === 1 ? [undefined, ...taken] : taken) {
        const body = payloadOf[kind]()
        const headers = 'idempotency-key' in given ? { ...given, 'idempotency-key': `fault-${++keys}` } : given
        let id: string | undefined
        const sent: Payload[] = [body]
        if (write !== 'create') {
          id = (await familiar('POST', paths[kind], { body })).body.request_ids[0]
          sent.push(structuredClone(body))
          if (write === 'replace') changed[kind](sent[1])
        }
        const caller = await stranger()
        const before = await idsOf(kind, provider)
        const send = () =>
          write === 'create'
            ? caller('POST', paths[kind], { body, headers })
            : write === 'void'
              ? caller('POST', `${paths[kind]}/${id}/void`, { body: { reason: 'a fault' }, headers })
              : caller('PUT', `${paths[kind]}/${id}`, { body: sent[1], headers })
        const { seen } = arm(proxy, fault === undefined ? 0 : at, fault)
        const reply = await send()
        if (fault === undefined) statements = seen()
        proxy.onStatement = () => undefined
        const named = `${JSON.stringify(fault)} at statement ${at}: ${reply.text}`
        expect([write === 'create' ? 201 : 200, 503], named).toContain(reply.status)
        const made = [...(await idsOf(kind, provider))].filter((one) => !before.has(one))
        if (reply.status === 503) {
          unavailable++
          expect(made.length, named).toBeLessThanOrEqual(write === 'create' ? 1 : 0)
          // What the answer says to do: send it again.
          const again = await send()
          expect(again.status, named).toBe(write === 'create' ? 201 : 200)
          id = again.body.request_ids[0]
        } else {
          answered++
          if (write === 'create') {
            expect(made, named).toEqual(reply.body.request_ids)
            id = made[0]
          } else expect([made.length, reply.headers.get('etag')], named).toEqual([0, '"2"'])
        }
        const stored = await read(new Set([id ?? '']))
        expect(stored.defects, named).toEqual([])
        expect(
          stored.versions.get(id ?? '')?.map((row) => row.body),
          named,
        ).toEqual(sent)
      }
    }
    // The key, the write, and that the key was used.
    expect(statements).toBeGreaterThanOrEqual(3)
    console.log(
      `| ${write} of a ${kind} ${JSON.stringify(given)} | ${statements} statements, ${answered + unavailable - 1} faults | ${answered} answered and right, ${unavailable} times 503 |`,
    )
  },
  timeFor(8),
)

test('a replacement whose connection breaks while it waits for another is one version, also when others write in between', async () => {
  const { proxy, familiar, other } = await startBroken()
  const body = payloadOf.receivingEvent()
  const id: string = (await familiar('POST', paths.receivingEvent, { body })).body.request_ids[0]
  const at = `${paths.receivingEvent}/${id}`
  const [ours, theirs] = [structuredClone(body), structuredClone(body)]
  ours.eventList.productList[0].shipQuantity += 1
  theirs.eventList.productList[0].shipQuantity += 2
  // The locks of one server: these tests have one of their own.
  const waiting = async () =>
    (await direct.query(`SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock'`)).rows[0].n

  const holder = await direct.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT 1 FROM record WHERE id = $1 FOR UPDATE', [id])
  let cut: () => void = () => undefined
  const when = new Promise<void>((resolve) => {
    cut = resolve
  })
  let isFirst = true
  proxy.onStatement = (text) => {
    if (!isFirst || !text.includes('replaceReceivingEvents')) return undefined
    isFirst = false
    return { is: 'cutDuring', when }
  }
  const first = familiar('PUT', at, { body: ours })
  await expect.poll(waiting).toBe(1)
  const second = other('PUT', at, { body: theirs })
  await expect.poll(waiting).toBe(2)
  cut()
  // The first one is sent again and waits too, behind itself and the other.
  await expect.poll(waiting).toBe(3)
  await holder.query('COMMIT')
  holder.release()
  proxy.onStatement = () => undefined
  const replies = [await first, await second]
  expect(replies.map(({ status, headers }) => [status, headers.get('etag')])).toEqual([
    [200, '"2"'],
    [200, '"3"'],
  ])
  const stored = await read(new Set([id]))
  expect(stored.defects).toEqual([])
  expect(stored.versions.get(id)?.map((row) => row.body)).toEqual([body, ours, theirs])
})

test.concurrent.each([
  ['/traceability/fda-spreadsheet?format=csv', 0],
  ['/traceability/fda-spreadsheet?format=xlsx', 1],
  ['/traceability/epcis', 2],
])(
  '%s is a problem, and no file that breaks off, whichever statement before its first events fails',
  async (path, turn) => {
    // A provider whose one record was never corrected: corrections are read after the first events.
    const { proxy, familiar: call } = await startBroken()
    const body = payloadOf.receivingEvent()
    expect((await call('POST', paths.receivingEvent, { body })).status).toBe(201)
    let statements = 1
    for (let at = 1; at <= statements; at++) {
      // All files are read by the same statements: a short run takes a third of the faults for each.
      const taken = isLongRun ? faults : faults.filter((_, n) => n % 3 === (at + turn) % 3)
      for (const fault of at === 1 ? [undefined, ...taken] : taken) {
        const { seen } = arm(proxy, fault === undefined ? 0 : at, fault)
        const reply = await call('GET', path)
        if (fault === undefined) statements = seen()
        proxy.onStatement = () => undefined
        // The key may be known or not: then one statement less was asked for than are counted.
        expect(fault === undefined ? [200] : [503, 200], `${JSON.stringify(fault)} at statement ${at}`).toContain(
          reply.status,
        )
        if (reply.status === 503) expect(reply.body.type).toContain('unavailable')
      }
    }
    expect(statements).toBeGreaterThanOrEqual(2)
  },
  timeFor(2),
)
