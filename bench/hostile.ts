// npm run hostile: what callers who mean harm do to one who does not. Starts the service on a
// PostgreSQL of its own, attacks it in one way after another, and measures beside each what a good
// caller waits. Prints one table; exit code 1 when a bar is missed.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { parseArgs } from 'node:util'
import { startPostgresqlServer } from '../test/support/databases/postgresql-server.ts'
import { changed, eventPayload, paths } from '../test/support/records/payloads.ts'
import { startServerProcess } from '../test/support/servers/server-process.ts'
import { attacks, type Target } from './attacks.ts'
import { machineLine } from './machine.ts'
import { watchMemory } from './processes.ts'
import { asInstalled } from './service-under-load.ts'
import { quantile } from './statistics.ts'
import { markdownTable, milliseconds } from './table.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '15' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean' },
  },
})
const attackMs = Number(options.seconds) * 1_000

const p99MsMax = 200
const growthMbMax = 150
const goodEveryMs = 20

if (options.help || !(attackMs >= 1_000)) {
  console.log(`Usage: npm run hostile -- [--seconds 15] [--only words]

  --seconds  how long each attack takes; from 35 on slow bodies meet their limit of 30 s
  --only     attacks with these words in their name: ${attacks.map(({ name }) => name.split(',')[0]).join(', ')}`)
  process.exit(options.help ? 0 : 2)
}

const postgresql = await startPostgresqlServer()
const machine = machineLine(postgresql.version)
const server = await startServerProcess({ DATABASE_URL: postgresql.url, ...asInstalled })
const { hostname: host, port } = new URL(server.address)
const target: Target = { host, port: Number(port), key: server.firstKey ?? '', path: paths.receivingEvent }

/** One call of the good caller: its status and how long it took, in milliseconds. */
function call(method: string, path: string, body?: string): Promise<{ status: number; ms: number; text: string }> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    request(
      server.address + path,
      {
        method,
        headers: {
          authorization: `Bearer ${target.key}`,
          ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        },
      },
      async (answer) => {
        const text = Buffer.concat(await answer.toArray()).toString()
        resolve({ status: answer.statusCode ?? 0, ms: performance.now() - began, text })
      },
    )
      .on('error', reject)
      .end(body)
  })
}

/**
 * Calls all the time, whether or not earlier calls are answered; `end` says how long they took and
 * how they ended.
 */
function goodCaller(ids: readonly string[]) {
  const times: number[] = []
  const ends: Record<string, number> = {}
  const underWay = new Set<Promise<void>>()
  let n = 0
  const timer = setInterval(() => {
    n++
    const path = `${paths.receivingEvent}/${ids[n % ids.length]}`
    const payload = eventPayload()
    changed.receivingEvent(payload)
    const one = (n % 2 === 0 ? call('GET', path) : call('PUT', path, JSON.stringify(payload)))
      .then(
        ({ status, ms }) => {
          times.push(ms)
          ends[status] = (ends[status] ?? 0) + 1
        },
        (error: Error & { code?: string }) => {
          ends[error.code ?? 'error'] = (ends[error.code ?? 'error'] ?? 0) + 1
        },
      )
      .finally(() => underWay.delete(one))
    underWay.add(one)
  }, goodEveryMs)
  return async () => {
    clearInterval(timer)
    await Promise.all(underWay)
    return { times: Float64Array.from(times).sort(), ends }
  }
}

const counts = (by: Readonly<Record<string, number>>): string =>
  Object.entries(by)
    .map(([status, count]) => `${status}: ${count.toLocaleString('en')}`)
    .join(', ') || 'none'

async function measured(name: string, ids: readonly string[]) {
  const attacked = name !== 'nothing'
  const attacker = attacked ? fork(new URL('./attack-process.ts', import.meta.url)) : undefined
  attacker?.send({ attack: name, target })
  const memory = watchMemory(server.pid)
  const end = goodCaller(ids)
  await new Promise((resolve) => setTimeout(resolve, attackMs))
  const { times, ends } = await end()
  const memoryMb = memory.end()
  const told = attacker && once(attacker, 'message')
  attacker?.send('end')
  const [{ connections, statuses }] = (await told) ?? [{ connections: 0, statuses: {} }]
  const p99 = quantile(times, 0.99)
  const growth = memoryMb - memoryBefore
  const isGood = p99 <= p99MsMax && growth <= growthMbMax && Object.keys(ends).every((status) => status === '200')
  if (attacked && !isGood) process.exitCode = 1
  const row = [
    name,
    connections.toLocaleString('en'),
    counts(statuses),
    counts(ends),
    milliseconds(quantile(times, 0.5)),
    milliseconds(p99),
    `${Math.round(memoryMb)} MB`,
    isGood ? 'met' : 'missed',
  ]
  return { row, memoryMb }
}

let memoryBefore = 0
try {
  const created = await Promise.all(
    Array.from({ length: 300 }, () => call('POST', paths.receivingEvent, JSON.stringify(eventPayload()))),
  )
  const ids = created.map(({ text }) => JSON.parse(text).request_ids[0] as string)
  // The most a process has once it is warm: what it has at one moment is now 100 and now 160 MB.
  memoryBefore = (await measured('nothing', ids)).memoryMb
  const chosen = attacks.filter(({ name }) => name.includes(options.only))
  const rows: (readonly string[])[] = []
  for (const name of ['nothing', ...chosen.map(({ name }) => name), 'nothing']) {
    process.stderr.write(`${name}, ${attackMs / 1_000} s\n`)
    rows.push((await measured(name, ids)).row)
  }
  console.log(`${new Date().toISOString().slice(0, 10)}, ${machine}.`)
  console.log(
    `${attackMs / 1_000} s each. The good caller reads and replaces in turn, ${1_000 / goodEveryMs} calls a second. Bars: all of them 200, p99 at most ${p99MsMax} ms, memory of a process at most ${growthMbMax} MB above the ${Math.round(memoryBefore)} MB it had before.\n`,
  )
  console.log(
    markdownTable(
      ['attack', 'connections', 'answers to it', 'answers to the good caller', 'p50', 'p99', 'memory', 'bars'],
      rows,
    ),
  )
} finally {
  await server.end('SIGTERM')
  await postgresql.stop()
}
