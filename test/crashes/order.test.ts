// Many clients on few records, through two services of two workers each: every version is consumed
// once by a replacement or a void, and nobody reads back in time.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PostgresqlServer, startPostgresqlServer } from '../support/databases/postgresql-server.ts'
import { readStoredRows } from '../support/databases/stored-rows.ts'
import { progress, timeFor } from '../support/records/crash-cycles.ts'
import { eventPayload, type Payload, paths } from '../support/records/payloads.ts'
import { type ServerProcess, startServerProcess } from '../support/servers/server-process.ts'
import { type Call, calling } from '../support/servers/service.ts'

const clients = 32
const records = 8
/** Replacements and voids with If-Match, and at least as many reads: `ORDER_OPERATIONS`. */
const operations = Number(process.env.ORDER_OPERATIONS ?? 1_000)

let database: PostgresqlServer
let services: ServerProcess[] = []
beforeAll(async () => {
  database = await startPostgresqlServer({ fsync: 'off' })
  const start = () => startServerProcess({ DATABASE_URL: database.url, WORKERS: '2' })
  const first = await start()
  services = [first, await start()]
}, timeFor(2))
afterAll(async () => {
  await Promise.all(services.map((service) => service.end('SIGKILL')))
  await database?.stop()
})

/** What one client asked and was told; times are those of one clock. */
interface Told {
  readonly record: number
  readonly is: 'read' | 'replaced' | 'voided' | 'stale'
  /** Read: the version; replaced or voided: the one written; stale: the one the answer names. */
  readonly version: number
  /** What makes the body of that version different from all others but the void of it; not of a stale one. */
  readonly lot: string
  /** Of a read: whether the record was voided. */
  readonly isVoided?: boolean
  /** Of a stale one: the version its If-Match named. */
  readonly wanted: number
  readonly began: number
  readonly ended: number
}

const lotOf = (body: Payload): string => body.eventList.productList[0].caseLotNumber
const tagOf = (headers: Headers): number => Number(headers.get('etag')?.replaceAll('"', ''))

test(`${operations} replacements and voids with If-Match by ${clients} clients of ${records} records: versions contiguous, reads never behind`, {
  timeout: timeFor(2) + operations * 200,
}, async () => {
  const key = services[0]?.firstKey
  const calls = services.map(({ address }) => calling(address, key))
  const callOf = (n: number) => calls[n % calls.length] as Call
  const first = Array.from({ length: records }, (_, n) =>
    eventPayload((payload) => {
      payload.eventList.productList[0].caseLotNumber = `FIRST-${n}`
    }),
  )
  const ids = await Promise.all(
    first.map(
      async (body, n) => (await callOf(n)('POST', paths.receivingEvent, { body })).body.request_ids[0] as string,
    ),
  )

  const told: Told[] = []
  let left = operations
  const client = async (n: number) => {
    for (let turn = n; left > 0; turn++) {
      left--
      if (left % 1_000 === 0) progress('order', operations - left, operations)
      // Another record and another service each time.
      const record = (turn * 7 + n) % records
      const at = `${paths.receivingEvent}/${ids[record]}`
      let began = performance.now()
      const read = await callOf(turn)('GET', at)
      expect(read.status, read.text).toBe(200)
      const version = tagOf(read.headers)
      const isVoided = read.headers.get('record-voided') === 'true'
      const readLot = lotOf(read.body)
      told.push({ record, is: 'read', version, lot: readLot, isVoided, wanted: 0, began, ended: performance.now() })
      const { id: _, ...body } = read.body
      const lot = `LOT-${n}-${turn}`
      body.eventList.productList[0].caseLotNumber = lot
      const voids = turn % 4 === 0 && !isVoided
      const headers = { 'if-match': `"${version}"` }
      began = performance.now()
      const reply = voids
        ? await callOf(turn + 1)('POST', `${at}/void`, { body: { reason: lot }, headers })
        : await callOf(turn + 1)('PUT', at, { body, headers })
      const ended = performance.now()
      expect([200, 412], reply.text).toContain(reply.status)
      if (reply.status === 200)
        told.push({
          record,
          is: voids ? 'voided' : 'replaced',
          version: tagOf(reply.headers),
          // A void has the body of the version before.
          lot: voids ? readLot : lot,
          wanted: version,
          began,
          ended,
        })
      else
        told.push({ record, is: 'stale', version: reply.body.currentVersion, lot: '', wanted: version, began, ended })
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, n) => client(n)))

  const stored = await readStoredRows({ DATABASE_URL: database.url }, 'all')
  expect(stored.defects).toEqual([])
  const counts = { read: 0, replaced: 0, voided: 0, stale: 0 }
  for (const [record, id] of ids.entries()) {
    const own = told.filter((one) => one.record === record)
    for (const { is } of own) counts[is]++
    const writes = own.filter(({ is }) => is === 'replaced' || is === 'voided').sort((a, b) => a.version - b.version)
    // Each version was acknowledged to one client, and none is missing; each took the place of the
    // one before.
    expect(writes.map(({ version }) => version)).toEqual(writes.map((_, i) => i + 2))
    for (const { version, wanted } of writes) expect(version).toBe(wanted + 1)
    const lots = [`FIRST-${record}`, ...writes.map(({ lot }) => lot)]
    expect(stored.versions.get(id)?.map(({ body }) => lotOf(body))).toEqual(lots)
    expect(backInTime(own, writes, lots)).toEqual([])
  }
  expect(counts.replaced + counts.voided + counts.stale).toBeGreaterThanOrEqual(operations)
  // Clients did meet.
  expect(counts.stale).toBeGreaterThan(operations / 20)
  expect(counts.voided).toBeGreaterThan(0)
  console.log(
    `| order | ${operations} replacements and voids, ${clients} clients, ${records} records, 2 services of 2 workers | ${counts.replaced} replaced, ${counts.voided} voided, ${counts.stale} stale, ${counts.read} reads | 0 out of order |`,
  )
})

/**
 * Answers that contradict what was known before they were asked for, or that nobody had written
 * yet.
 */
function backInTime(own: readonly Told[], writes: readonly Told[], lots: readonly string[]): readonly string[] {
  const wrong: string[] = []
  const byEnd = [...own].sort((a, b) => a.ended - b.ended)
  let known = 1
  let next = 0
  for (const one of [...own].sort((a, b) => a.began - b.began)) {
    // The highest version that anyone had been told of when this was asked.
    for (; (byEnd[next]?.ended ?? Number.POSITIVE_INFINITY) < one.began; next++)
      known = Math.max(known, byEnd[next]?.version ?? 0)
    if (one.version < known) wrong.push(`${one.is} answered version ${one.version} when ${known} was known`)
    const write = writes[one.version - 2]
    if (one.version > 1 && (write === undefined || write.began > one.ended))
      wrong.push(`${one.is} answered version ${one.version} before it was sent`)
    if (one.is === 'read' && one.lot !== lots[one.version - 1])
      wrong.push(`version ${one.version} was read with another body`)
    if (one.is === 'read' && one.isVoided !== (write?.is === 'voided'))
      wrong.push(`version ${one.version} was read as ${one.isVoided ? '' : 'not '}voided`)
    if (one.is === 'stale' && one.version <= one.wanted)
      wrong.push(`If-Match ${one.wanted} was stale at version ${one.version}`)
  }
  return wrong
}
