// npm run bench:profile: profiles the service under PUTs with findings, and prints where the
// processor time of a PUT goes: by room of src, by file and by function.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startPostgresqlServer } from '../test/support/databases/postgresql-server.ts'
import { untilEnded } from './ends.ts'
import { sizeOf } from './figures.ts'
import { LoadGenerator } from './load.ts'
import { processesOf } from './processes.ts'
import { type EventForm, eventTemplates } from './records.ts'
import { startService } from './service-under-load.ts'
import { markdownTable } from './table.ts'

const usage = `Usage: npm run bench:profile -- [--connections 16] [--seconds 10] [--workers 1] [--form faulty] [--node path]
                                [--folder path]`
const settleMs = 15_000
const settleConnections = 64
/** The profiler blocks a process meanwhile. */
const profilerStartMs = 2_000
const recordCount = 2_000
const rowsShown = 40

const microseconds = (): number => Number(process.hrtime.bigint() / 1_000n)

/** What the inspector protocol calls `Profiler.Profile`; times in microseconds, of one clock for all processes. */
interface Profile {
  readonly startTime: number
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: CallFrame
    readonly children?: readonly number[]
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

interface CallFrame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
  readonly columnNumber: number
}

async function profileService(): Promise<void> {
  const { values } = parseArgs({
    options: {
      connections: { type: 'string', default: '16' },
      seconds: { type: 'string', default: '10' },
      workers: { type: 'string', default: '1' },
      form: { type: 'string', default: 'faulty' },
      node: { type: 'string' },
      folder: { type: 'string', default: join(tmpdir(), 'lotkeeper-profiles') },
    },
  })
  const form = values.form as EventForm
  if (!(form in eventTemplates)) throw new TypeError(`--form takes ${Object.keys(eventTemplates).join(', ')}.`)
  const folder = resolve(values.folder)
  mkdirSync(folder, { recursive: true })
  const connections = Number(values.connections)
  const hook = new URL('./profile-hook.mjs', import.meta.url).href
  const env = { WORKERS: values.workers, NODE_OPTIONS: `--import ${hook}`, PROFILE_FOLDER: folder }

  const postgresql = await startPostgresqlServer()
  const length = { connections, warmUpMs: profilerStartMs, measuredMs: Number(values.seconds) * 1000 }
  const { run, pids, until } = await untilEnded(async (ending) => {
    ending({ end: () => postgresql.stop() })
    const load = ending(new LoadGenerator())
    const service = ending(await startService({ DATABASE_URL: postgresql.url }, load, { env, node: values.node }))
    const pids = processesOf(service.pid)
    const records = await service.seed(recordCount, form)
    await service.replace({ connections: settleConnections, warmUpMs: 0, measuredMs: settleMs }, records, form)
    await service.pool.query('VACUUM ANALYZE')
    for (const pid of pids) process.kill(pid, 'SIGUSR2')
    return { pids, run: await service.replace(length, records, form), until: microseconds() }
  })
  const files = pids.map((pid) => join(folder, `service-${pid}.cpuprofile`)).filter((file) => existsSync(file))
  console.log(
    `PUT over ${connections} connections, ${sizeOf(form)}, ${Math.round(run.perSecond)}/s; processor time of a PUT: service ${Math.round(run.serviceUs)} µs, PostgreSQL ${Math.round(run.databaseUs)} µs.\n`,
  )
  const profiles = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Profile)
  printShares(profiles, until - length.measuredMs * 1000, run.serviceUs)
  console.log(files.join('\n'))
  for (const fault of run.faults) throw new Error(fault)
}

/**
 * Prints what of the service's processor time each place takes. The profiler samples by the clock, so
 * on a busy machine only the shares of the samples hold.
 */
function printShares(profiles: readonly Profile[], from: number, serviceUs: number): void {
  const shares = { room: new Map<string, number>(), file: new Map<string, number>(), name: new Map<string, number>() }
  let total = 0
  for (const { startTime, nodes, samples, timeDeltas } of profiles) {
    const places = placesOf(nodes)
    let at = startTime
    samples.forEach((id, i) => {
      const took = timeDeltas[i] ?? 0
      at += took
      const place = places.get(id)
      if (at < from || place === undefined || place.room === '(idle)') return
      total += took
      for (const [by, sums] of Object.entries(shares)) {
        const key = place[by as keyof Place]
        sums.set(key, (sums.get(key) ?? 0) + took)
      }
    })
  }
  for (const [by, sums] of Object.entries(shares)) {
    const rows = [...sums].sort(([, a], [, b]) => b - a).slice(0, rowsShown)
    console.log(
      `${markdownTable(
        [by, 'µs a PUT'],
        rows.map(([key, took]) => [key, ((took / total) * serviceUs).toFixed(1)]),
      )}\n`,
    )
  }
}

interface Place {
  readonly room: string
  readonly file: string
  readonly name: string
}

/** Where each node's own time is spent; that of a native function counts for its caller. */
function placesOf(nodes: Profile['nodes']): ReadonlyMap<number, Place> {
  const places = new Map<number, Place>()
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const walk = (id: number, caller: Place | undefined): void => {
    const node = byId.get(id)
    if (node === undefined) return
    const { functionName, url } = node.callFrame
    const isNative = url === '' && caller !== undefined && !functionName.startsWith('(')
    const place = isNative ? { ...caller, name: `${functionName} < ${caller.name}` } : placeOf(node.callFrame)
    places.set(id, place)
    for (const child of node.children ?? []) walk(child, url === '' ? caller : place)
  }
  walk(nodes[0]?.id ?? 0, undefined)
  return places
}

function placeOf({ functionName, url, lineNumber, columnNumber }: CallFrame): Place {
  const named = (room: string, file: string, line = lineNumber) => ({
    room,
    file,
    name: `${functionName || '(anonymous)'} (${file}:${line + 1})`,
  })
  if (url === '') return { room: functionName, file: functionName, name: functionName }
  if (url.startsWith('node:')) return named(roomOfNode(url), url)
  const path = fileURLToPath(url)
  const [inModules, dependency = ''] = /node_modules\/(@[^/]+\/[^/]+|[^/]+).*$/.exec(path) ?? []
  if (inModules !== undefined) return named(/^pg\b/.test(dependency) ? 'pg' : dependency, inModules)
  const entry = mapOf(path)?.findEntry(lineNumber, columnNumber)
  if (entry === undefined || !('originalSource' in entry)) return named(path, path)
  const [file = path] = /(?:src|packages)\/.*$/.exec(entry.originalSource) ?? []
  return named(file.split('/').slice(0, 2).join('/'), file, entry.originalLine)
}

function roomOfNode(url: string): string {
  if (url.includes('crypto')) return 'node: crypto'
  if (url.includes('http')) return 'node: http'
  if (/net|stream|socket/.test(url)) return 'node: sockets and streams'
  return 'node: other'
}

const maps = new Map<string, SourceMap | undefined>()

function mapOf(path: string): SourceMap | undefined {
  if (!maps.has(path)) {
    try {
      maps.set(path, new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8'))))
    } catch {
      maps.set(path, undefined)
    }
  }
  return maps.get(path)
}

profileService().catch((error) => {
  console.error(error instanceof TypeError ? `${error.message}\n\n${usage}` : error)
  process.exitCode = 1
})
