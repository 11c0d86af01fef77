// npm run tenant-timing: whether an answer about what is another's takes another time than one
// about what is not there. Asks both in random order, one at a time, and compares the two samples
// by rank (Mann-Whitney U), which outliers do not sway.
import { randomBytes, randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { parseArgs } from 'node:util'
import { createApiKey } from '../src/store/base/api-keys.ts'
import { reachDatabase } from '../src/store/database/database.ts'
import { provideProvider } from '../src/store/database/providers.ts'
import { commandLine } from '../src/store/evidence/access-log.ts'
import { marked } from '../test/samples/operation-requests.ts'
import { startPostgresqlServer } from '../test/support/databases/postgresql-server.ts'
import { paths } from '../test/support/records/payloads.ts'
import { startServerProcess } from '../test/support/servers/server-process.ts'
import { machineLine } from './machine.ts'
import { median } from './statistics.ts'
import { markdownTable } from './table.ts'

const { values: options } = parseArgs({ options: { pairs: { type: 'string', default: '4000' } } })
const pairs = Number(options.pairs)
const warmUps = Math.ceil(pairs / 10)

/**
 * A difference counts when chance makes one like it in less than a thousand runs, and when it can
 * be told apart oftener than this.
 */
const zMax = 3.29
const control = "control: one's own event"
const shareOffMax = 0.03

/**
 * How often a value of `one` is above a value of `other`, ties half: 0.5 when nothing tells them
 * apart; and how many standard deviations that is away from 0.5. Source: Mann and Whitney 1947,
 * normal approximation.
 */
function compared(one: readonly number[], other: readonly number[]): { share: number; z: number } {
  const all = [...one.map((ms) => ({ ms, first: true })), ...other.map((ms) => ({ ms, first: false }))]
  all.sort((a, b) => a.ms - b.ms)
  const rankSum = all.reduce((sum, { first }, i) => (first ? sum + i + 1 : sum), 0)
  const [n, m] = [one.length, other.length]
  const u = rankSum - (n * (n + 1)) / 2
  return { share: u / (n * m), z: (u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12) }
}

const postgresql = await startPostgresqlServer()
const machine = machineLine(postgresql.version)
const server = await startServerProcess({ DATABASE_URL: postgresql.url })
const database = await reachDatabase({ databaseUrl: postgresql.url, dataDir: '' })
if ('heldBy' in database) throw new Error(database.heldBy)

async function call(key: string, method: string, path: string, body?: unknown) {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const began = performance.now()
  return new Promise<{ status: number; ms: number; text: string }>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    }
    request(server.address + path, { method, headers }, async (answer) => {
      const chunks = await answer.toArray()
      const ms = performance.now() - began
      resolve({ status: answer.statusCode ?? 0, ms, text: Buffer.concat(chunks).toString() })
    })
      .on('error', reject)
      .end(text)
  })
}

async function providerKey(name: string): Promise<string> {
  if ('heldBy' in database) throw new Error(database.heldBy)
  const provider = await provideProvider(database.pool, name)
  return createApiKey(
    database.pool,
    { provider, role: 'administrator', label: name, expiresAt: undefined },
    commandLine,
  )
}

try {
  const ours = await providerKey('ours')
  const theirs = await providerKey('theirs')
  const hidden: { event: string; key: string; lot: string }[] = []
  for (let i = 0; i < 50; i++) {
    const lot = randomBytes(8).toString('hex')
    const event = await call(theirs, 'POST', paths.receivingEvent, marked.receivingEvent(lot))
    const key = await call(theirs, 'POST', '/keys', { role: 'reader', label: lot })
    hidden.push({ event: JSON.parse(event.text).request_ids[0], key: JSON.parse(key.text).keyId, lot: `LOT-${lot}` })
  }
  await database.pool.query('ANALYZE')
  const event = paths.receivingEvent
  const payload = marked.receivingEvent('ours')
  const cases: readonly (readonly [string, string, (of: (typeof hidden)[number]) => string, unknown?])[] = [
    ['read an event', 'GET', (of) => `${event}/${of.event}`],
    ['replace an event', 'PUT', (of) => `${event}/${of.event}`, payload],
    ['judge a replacement', 'PUT', (of) => `${event}/${of.event}?dryRun=true`, payload],
    ['list versions', 'GET', (of) => `${event}/${of.event}/versions`],
    ['read a version', 'GET', (of) => `${event}/${of.event}/versions/1`],
    ['read findings', 'GET', (of) => `${event}/${of.event}/findings`],
    ['trace a lot', 'GET', (of) => `/traceability/lots/${of.lot}`],
    ['revoke a key', 'DELETE', (of) => `/keys/${of.key}`],
    // What is there takes another time: a comparison that does not see that sees nothing.
    [control, 'GET', () => `${event}/${own}`],
  ]
  const own: string = JSON.parse((await call(ours, 'POST', event, marked.receivingEvent('own'))).text).request_ids[0]
  const rows: (readonly string[])[] = []
  for (const [name, method, pathOf, body] of cases) {
    process.stderr.write(`${name}, ${pairs} pairs\n`)
    const samples = { hidden: [] as number[], missing: [] as number[] }
    for (let i = 0; i < pairs + warmUps; i++) {
      const of = hidden[i % hidden.length] as (typeof hidden)[number]
      const nobodys = {
        event: randomUUID(),
        key: randomBytes(8).toString('hex'),
        lot: `LOT-${randomBytes(8).toString('hex')}`,
      }
      const order = Math.random() < 0.5 ? (['hidden', 'missing'] as const) : (['missing', 'hidden'] as const)
      for (const which of order) {
        const path =
          name === control && which === 'missing'
            ? `${event}/${nobodys.event}`
            : pathOf(which === 'hidden' ? of : nobodys)
        const { status, ms } = await call(ours, method, path, body)
        if (status !== (name === control && which === 'hidden' ? 200 : 404))
          throw new Error(`${name}: ${which} was answered with ${status}.`)
        if (i >= warmUps) samples[which].push(ms)
      }
    }
    const { share, z } = compared(samples.hidden, samples.missing)
    const isAlike = Math.abs(z) <= zMax || Math.abs(share - 0.5) <= shareOffMax
    if (isAlike === (name === control)) process.exitCode = 1
    const shown = (ms: readonly number[]) => `${median(ms).toFixed(3)} ms`
    rows.push([
      name,
      shown(samples.hidden),
      shown(samples.missing),
      share.toFixed(3),
      z.toFixed(1),
      isAlike ? 'alike' : 'differ',
    ])
  }
  console.log(`${new Date().toISOString().slice(0, 10)}, ${machine}; one process of the service.`)
  console.log(
    `${pairs.toLocaleString('en')} pairs each, in random order. Share: how often the answer about what is another's is the later one; alike at |z| ≤ ${zMax} or within ${shareOffMax} of 0.5.\n`,
  )
  console.log(markdownTable(['asked', "another's, median", "nobody's, median", 'share', 'z', 'verdict'], rows))
} finally {
  await database.close()
  await server.end('SIGTERM')
  await postgresql.stop()
}
