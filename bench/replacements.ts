// A replacement beside its peers, round by round: the service as installed, a thin Fastify server
// that keeps versions too, and the floor, which is the bare database.
import { execFileSync } from 'node:child_process'
import pg from 'pg'
import { type Ending, untilEnded } from './ends.ts'
import { roundsLine, sizeOf } from './figures.ts'
import { startFloor, startPeer } from './floors.ts'
import { type KnownRecord, LoadGenerator } from './load.ts'
import { show } from './progress.ts'
import { eventsPath, type LoadedRun, type RunLength, runWatched, startService } from './service-under-load.ts'
import { createDatabase } from './start-times.ts'
import { mean, median } from './statistics.ts'
import { type Goal, judged, markdownTable, ratio } from './table.ts'

const connectionCounts = [16, 64] as const
type Connections = (typeof connectionCounts)[number]
type Each<Value> = Readonly<Record<Connections, Value>>

const form = 'faulty'
const recordCount = 2_000
const settling: RunLength = { connections: 64, warmUpMs: 0, measuredMs: 5_000 }
const warmUpMs = 500

const titles = {
  installed: 'as installed',
  withoutGap: 'as installed, records without a gap',
  group: 'thin server, group commit',
  single: 'thin server, a transaction each',
} as const
type Role = keyof typeof titles

interface OnNode {
  readonly version: string
  readonly runs: Readonly<Record<Role, (length: RunLength) => Promise<LoadedRun>>>
}

interface Site {
  readonly nodes: readonly OnNode[]
  readonly floor: (length: RunLength) => Promise<number>
}

/** Starts everything and measures it, first on the Node `another` if there is one. */
export async function compareReplacements(
  databaseUrl: string,
  another: string | undefined,
  { rounds, measuredMs }: { readonly rounds: number; readonly measuredMs: number },
): Promise<{ readonly text: string; readonly faults: readonly string[] }> {
  const nodes = [...(another === undefined ? [] : [another]), process.execPath]
  show('Starting services and their peers, settling')
  return untilEnded(async (ending) => {
    const site = await startAll(databaseUrl, ending(new LoadGenerator()), nodes, ending)
    const { tables, faults } = await measure(site, rounds, measuredMs)
    show('')
    const text = `${roundsLine(rounds, measuredMs)}; ${recordCount} records of ${sizeOf(form)}.\n\n${tables}`
    return { text, faults }
  })
}

/** Starts everything, each with a database of its own, on each of these Nodes. */
async function startAll(
  databaseUrl: string,
  load: LoadGenerator,
  nodes: readonly string[],
  ending: Ending,
): Promise<Site> {
  let databases = 0
  const newDatabase = () => createDatabase(databaseUrl, `bench_${databases++}`)
  const startOn = async (node: string): Promise<OnNode> => {
    const installed = ending(await startService({ DATABASE_URL: await newDatabase() }, load, { node }))
    const records = await installed.seed(recordCount, form)
    const complete = await installed.seed(recordCount, 'usual')
    const runs: OnNode['runs'] = {
      installed: (length) => installed.replace(length, records, form),
      withoutGap: (length) => installed.replace(length, complete, 'usual'),
      group: await startThin(await newDatabase(), 'group', node, load, ending),
      single: await startThin(await newDatabase(), 'single', node, load, ending),
    }
    for (const run of [runs.installed, runs.group, runs.single]) await run(settling)
    await installed.pool.query('VACUUM ANALYZE')
    return { version: execFileSync(node, ['--version'], { encoding: 'utf8' }).trim(), runs }
  }

  const started: OnNode[] = []
  for (const node of nodes) started.push(await startOn(node))
  const database = await newDatabase()
  const floor = await untilEnded(async (endingSoon) => {
    const service = endingSoon(await startService({ DATABASE_URL: database }, load))
    await service.seed(recordCount, form)
    return startFloor(database, service, form)
  })
  return { nodes: started, floor }
}

async function startThin(
  database: string,
  commit: 'group' | 'single',
  node: string,
  load: LoadGenerator,
  ending: Ending,
): Promise<OnNode['runs'][Role]> {
  const { pid, address } = ending(await startPeer('./thin-server.ts', [database, commit], node))
  const pool = new pg.Pool({ connectionString: database, max: 1 })
  ending({ end: () => pool.end() })
  // The thin server creates a record that it does not have, so any ids do.
  const records: readonly KnownRecord[] = Array.from({ length: recordCount }, (_, i) => ({
    id: `00000000-0000-7000-8000-${String(i + 1).padStart(12, '0')}`,
    number: i + 1,
  }))
  let markFrom = 1
  return async (length) => {
    const requests = { kind: 'put', path: eventsPath, records, form, markFrom } as const
    const run = await runWatched({ pid, pool }, load, {
      ...length,
      address,
      key: '-',
      requestsMax: undefined,
      requests,
    })
    markFrom += run.sent
    return run
  }
}

/** How the figures of all rounds become one. */
const figures = {
  perSecond: median,
  p99Ms: median,
  serviceUs: median,
  databaseUs: median,
  bytesPerWrite: mean,
  memoryMb: (values: readonly number[]) => Math.max(...values),
} as const
type Measured = Readonly<Record<keyof typeof figures, number>>

/** Measures everything in turn, round after round. Returns the tables and what went wrong. */
async function measure(
  { nodes, floor }: Site,
  rounds: number,
  measuredMs: number,
): Promise<{ readonly tables: string; readonly faults: readonly string[] }> {
  const floors: Each<number[]> = { 16: [], 64: [] }
  const all = nodes.map(({ version, runs }) => ({
    version,
    contenders: (Object.keys(titles) as Role[]).map((role) => ({
      role,
      title: `${titles[role]}, Node ${version}`,
      run: runs[role],
      done: { 16: [], 64: [] } as Each<LoadedRun[]>,
    })),
  }))
  for (let round = 1; round <= rounds; round++)
    for (const connections of connectionCounts) {
      const length = { connections, warmUpMs, measuredMs }
      const turn = `connections: ${connections}, round ${round} of ${rounds}`
      show(`replacement by the bare database, ${turn}`)
      floors[connections].push(await floor(length))
      for (const { title, run, done } of all.flatMap(({ contenders }) => contenders)) {
        show(`PUT, ${title}, ${turn}`)
        done[connections].push(await run(length))
      }
    }
  const middle = (runs: readonly LoadedRun[]) =>
    Object.fromEntries(
      Object.entries(figures).map(([name, of]) => [name, of(runs.map((run) => run[name as keyof Measured]))]),
    ) as Measured
  const measured = all.map(({ version, contenders }) => ({
    version,
    of: Object.fromEntries(
      contenders.map(({ role, done }) => [role, { 16: middle(done[16]), 64: middle(done[64]) }]),
    ) as Record<Role, Each<Measured>>,
  }))
  const floorAt = { 16: median(floors[16]), 64: median(floors[64]) }
  return {
    tables: `${tableOf(measured, floorAt)}\n\n${barsOf(measured, floorAt)}`,
    faults: all.flatMap(({ contenders }) =>
      contenders.flatMap(({ title, done }) =>
        [...done[16], ...done[64]].flatMap(({ faults }) => faults.map((fault) => `${title}: ${fault}`)),
      ),
    ),
  }
}

type MeasuredOnNodes = readonly { readonly version: string; readonly of: Readonly<Record<Role, Each<Measured>>> }[]

const both = (show: (connections: Connections) => string): string => connectionCounts.map(show).join(' / ')
const rate = (value: number): string => Math.round(value).toLocaleString('en-US')
const memoryOf = (one: Each<Measured>): number => Math.max(one[16].memoryMb, one[64].memoryMb)
/**
 * Over all runs: records are replaced in turn, so that the pages of an index fill and split together,
 * and one run sees none of it, or all.
 */
const storedKb = (one: Each<Measured>): number => mean([one[16].bytesPerWrite, one[64].bytesPerWrite]) / 1000

function tableOf(nodes: MeasuredOnNodes, floorAt: Each<number>): string {
  const rows = nodes.flatMap(({ version, of }) =>
    Object.entries(of).map(([role, one]) => [
      `${titles[role as Role]}, Node ${version}`,
      both((at) => rate(one[at].perSecond)),
      both((at) => ratio(one[at].perSecond / floorAt[at])),
      both((at) => ratio(one[at].perSecond / of.group[at].perSecond)),
      both((at) => (one[at].serviceUs / 1000).toFixed(3)),
      both((at) => ratio(one[at].serviceUs / of.group[at].serviceUs)),
      both((at) => (one[at].databaseUs / 1000).toFixed(3)),
      both((at) => one[at].p99Ms.toFixed(1)),
      `${Math.round(memoryOf(one))} MB`,
      `${storedKb(one).toFixed(2)} KB`,
    ]),
  )
  return markdownTable(
    [
      ...['PUT, 16 / 64 connections', 'a second', '÷ floor', '÷ thin', 'processor of the server, ms', '÷ thin'],
      ...['of PostgreSQL, ms', 'p99, ms', 'memory', 'stored'],
    ],
    [['floor', both((at) => rate(floorAt[at])), ...Array<string>(8).fill('')], ...rows],
  )
}

/** An old Node has a bar of its own, and no aim beyond it. */
const processorGoals: Readonly<Record<'new' | 'old', Each<Goal>>> = {
  new: { 16: atMost(0.22, 0.15, ' ms'), 64: atMost(0.16, 0.1, ' ms') },
  old: { 16: atMost(0.3, 0.3, ' ms'), 64: atMost(0.22, 0.22, ' ms') },
}
const floorGoals: Each<Goal> = { 16: atLeast(0.42, 0.5), 64: atLeast(0.55, 0.65) }
const thinGoals: Each<Goal> = { 16: atLeast(0.75, 1), 64: atLeast(0.8, 1) }

function barsOf(nodes: MeasuredOnNodes, floorAt: Each<number>): string {
  const row = (figure: string, value: number, goal: Goal) => {
    const { bar = '', aim = '', verdict = '' } = judged(value, goal)
    return [figure, `${value.toFixed(2)}${goal.unit ?? ''}`, bar, aim, verdict]
  }
  const rows = nodes.flatMap(({ version, of: { installed, group } }) => {
    const goals = processorGoals[Number.parseInt(version.slice(1), 10) >= 24 ? 'new' : 'old']
    return [
      ...connectionCounts.flatMap((at) => [
        row(`processor time of the service, ${at} connections`, installed[at].serviceUs / 1000, goals[at]),
        row(`PUT ÷ floor, ${at} connections`, installed[at].perSecond / floorAt[at], floorGoals[at]),
        row(`PUT ÷ thin server, ${at} connections`, installed[at].perSecond / group[at].perSecond, thinGoals[at]),
      ]),
      row('p99 ÷ that of the thin server, 16 connections', installed[16].p99Ms / group[16].p99Ms, atMost(1.8, 1.3)),
      row('memory of a process', memoryOf(installed), atMost(220, 150, ' MB')),
      row('stored for a version', storedKb(installed), atMost(1.5, 1.2, ' KB')),
    ].map(([figure, ...cells]) => [`${figure}, Node ${version}`, ...cells])
  })
  return markdownTable(['figure', 'value', 'bar', 'aim', 'verdict'], rows)
}

function atMost(bar: number, aim: number, unit = ''): Goal {
  return { better: 'less', bar, aim, unit }
}

function atLeast(bar: number, aim: number): Goal {
  return { better: 'more', bar, aim }
}
