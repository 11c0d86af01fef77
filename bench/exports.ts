// npm run bench:exports: how long the exports of 100,000 product lines take, what they hold in
// memory, and what others notice.
import { parseArgs } from 'node:util'
import { startPostgresqlServer } from '../test/support/databases/postgresql-server.ts'
import { startServerProcess } from '../test/support/servers/server-process.ts'
import { LoadGenerator } from './load.ts'
import { machineLine } from './machine.ts'
import { watchMemory } from './processes.ts'
import { Progress } from './progress.ts'
import { eventsPath } from './service-under-load.ts'
import { quantile } from './statistics.ts'
import { markdownTable, milliseconds } from './table.ts'

const eventsDefault = 20_000
const lineCount = 5
const rounds = 3
const secondsOfSeeding = 25
const secondsPerExport = 8

/**
 * What is asked for, under the name it has in the table. The records of the benchmark have no
 * packaging: every row has gaps.
 */
const exports = {
  'FDA spreadsheet, CSV': '/traceability/fda-spreadsheet?format=csv',
  'FDA spreadsheet, XLSX': '/traceability/fda-spreadsheet',
  'FDA spreadsheet, XLSX with gaps': '/traceability/fda-spreadsheet?gaps=true',
  'FDA package with gaps': '/traceability/fda-package?gaps=true',
} as const

interface Measured {
  readonly seconds: number
  readonly firstByteMs: number
  readonly megabytes: number
  readonly memoryMb: number
  readonly besideP99Ms: number
  readonly besideMaxMs: number
}

async function bench(): Promise<void> {
  const { values } = parseArgs({ options: { events: { type: 'string', default: String(eventsDefault) } } })
  const events = Number(values.events)
  if (!Number.isInteger(events) || events < 1) throw new TypeError('--events takes a whole number from 1.')
  const share = events / eventsDefault
  const names = Object.keys(exports) as (keyof typeof exports)[]
  const progress = new Progress((secondsOfSeeding + rounds * names.length * secondsPerExport) * share)
  progress.step(`Starting PostgreSQL and the service, creating ${events} events`, secondsOfSeeding * share)
  const postgresql = await startPostgresqlServer()
  const load = new LoadGenerator()
  try {
    const machine = machineLine(postgresql.version)
    // One process, so that who asks beside the export is answered by the process that makes it.
    const env = { DATABASE_URL: postgresql.url, WORKERS: '1' }
    const key = await seed(env, load, events)
    const server = await startServerProcess(env)
    try {
      const { address } = server
      const all = new Map<string, Measured[]>()
      for (let round = 1; round <= rounds; round++)
        for (const name of names) {
          progress.step(`${name}, round ${round} of ${rounds}`, secondsPerExport * share)
          all.set(name, [...(all.get(name) ?? []), await measure(address, key, server.pid, exports[name])])
        }
      progress.end()
      console.log(
        [
          `${new Date().toISOString().slice(0, 10)}, ${machine}; one worker.`,
          `${events} events of ${lineCount} product lines; the slowest and largest of ${rounds} rounds. Beside each, one caller reads a page of one event again and again.`,
          '',
          markdownTable(
            ['export', 'seconds', 'first byte', 'MB', 'memory', 'read beside, p99', 'max'],
            [...all].map(([name, runs]) => row(name, runs)),
          ),
        ].join('\n'),
      )
    } finally {
      await server.end('SIGTERM')
    }
  } finally {
    load.end()
    await postgresql.stop()
  }
}

/**
 * Creates the events, by a process of their own: what it holds in memory afterwards is not that of
 * exports.
 */
async function seed(env: Record<string, string>, load: LoadGenerator, events: number): Promise<string> {
  const { address, firstKey: key = '', end } = await startServerProcess(env)
  try {
    const { created } = await load.run({
      address,
      key,
      connections: 16,
      warmUpMs: 0,
      measuredMs: 600_000,
      requestsMax: events,
      requests: { kind: 'post', path: eventsPath, form: 'usual', numberFrom: 1 },
    })
    if (created.length !== events) throw new Error(`Only ${created.length} of ${events} events were created.`)
    return key
  } finally {
    await end('SIGTERM')
  }
}

async function measure(address: string, key: string, pid: number, path: string): Promise<Measured> {
  const headers = { authorization: `Bearer ${key}` }
  const memory = watchMemory(pid)
  let over = false
  const beside = (async () => {
    const tookMs: number[] = []
    while (!over) {
      const at = performance.now()
      await (await fetch(`${address}${eventsPath}?limit=1`, { headers })).arrayBuffer()
      tookMs.push(performance.now() - at)
    }
    return Float64Array.from(tookMs).sort()
  })()
  const beganAt = performance.now()
  const response = await fetch(address + path, { headers })
  if (!response.ok || response.body === null) throw new Error(`${path} was answered ${response.status}.`)
  let [firstByteMs, bytes] = [0, 0]
  for await (const part of response.body) {
    if (bytes === 0) firstByteMs = performance.now() - beganAt
    bytes += part.length
  }
  const seconds = (performance.now() - beganAt) / 1000
  over = true
  const took = await beside
  return {
    seconds,
    firstByteMs,
    megabytes: bytes / 1e6,
    memoryMb: memory.end(),
    besideP99Ms: quantile(took, 0.99),
    besideMaxMs: quantile(took, 1),
  }
}

function row(name: string, runs: readonly Measured[]): string[] {
  const most = (field: keyof Measured) => Math.max(...runs.map((run) => run[field]))
  return [
    name,
    most('seconds').toFixed(1),
    milliseconds(most('firstByteMs')),
    most('megabytes').toFixed(1),
    `${Math.round(most('memoryMb'))} MB`,
    milliseconds(most('besideP99Ms')),
    milliseconds(most('besideMaxMs')),
  ]
}

bench().catch((error) => {
  console.error(error)
  process.exitCode = 1
})
