// npm run bench: measures the service beside its floors, on a PostgreSQL of its own, and prints one
// table.
import { parseArgs } from 'node:util'
import { startPostgresqlServer } from '../test/support/databases/postgresql-server.ts'
import { type Figure, figures, type Results, recordsLine } from './figures.ts'
import { copyToFloors, floorProviders, preparedFloor, startFloorServer } from './floors.ts'
import { type KnownRecord, LoadGenerator } from './load.ts'
import { machineLine } from './machine.ts'
import {
  type Measured,
  type Measurement,
  type MeasurementName,
  measurements,
  pathsOf,
  type Site,
} from './measurements.ts'
import { writeToPage } from './page.ts'
import { duration, Progress } from './progress.ts'
import { type ServiceUnderLoad, startService } from './service-under-load.ts'
import { inNewFolder, measureStarts } from './start-times.ts'
import { median } from './statistics.ts'
import { figureTable } from './table.ts'

/** How much is measured. */
interface Extent {
  /** Load before anything is measured: see "Method" in docs/performance.md. */
  readonly settleMs: number
  readonly rounds: number
  readonly warmUpMs: number
  readonly measuredMs: number
  readonly records: number
}

const whole: Extent = { settleMs: 40_000, rounds: 3, warmUpMs: 1_000, measuredMs: 5_000, records: 2_000 }
const quick: Extent = { settleMs: 1_000, rounds: 1, warmUpMs: 300, measuredMs: 1_200, records: 500 }

const longRecords = 200
/** Beside what is measured: opening connections, looking into the database. */
const secondsPerRunBeside = 0.5
const secondsOfStarts = 8
const secondsOfSetup = 12

const usage = `Usage: npm run bench -- [--quick] [--only figure,…] [--json]

  --quick   one short round of everything, in about a minute: to see that it works, not how fast it is
  --only    some figures: ${figures.map(({ name }) => name).join(', ')}
  --json    raw results instead of the table, on standard output

A whole run writes its table to docs/performance.md; a quick one and one of some figures do not.`

async function bench(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      quick: { type: 'boolean' },
      only: { type: 'string' },
      json: { type: 'boolean' },
    },
  })
  const wanted = options.only === undefined ? figures : figuresNamed(options.only)
  const extent = options.quick ? quick : whole
  const names = (Object.keys(measurements) as MeasurementName[]).filter((name) =>
    wanted.some((figure) => figure.measurements.includes(name)),
  )
  const startsService = wanted.some((figure) => figure.startsService)

  const settleSeconds =
    ((names.some((name) => (measurements[name] as Measurement).needs === 'embedded') ? 2 : 1) * extent.settleMs) / 1000
  const secondsPerRun = (extent.warmUpMs + extent.measuredMs) / 1000 + secondsPerRunBeside
  const progress = new Progress(
    secondsOfSetup +
      settleSeconds +
      names.length * extent.rounds * secondsPerRun +
      (startsService ? extent.rounds * secondsOfStarts : 0),
  )
  const beganAt = performance.now()
  progress.step('Starting PostgreSQL and the service, creating records, settling', secondsOfSetup + settleSeconds)
  const postgresql = await startPostgresqlServer()
  try {
    const machine = machineLine(postgresql.version)
    const needs = new Set(names.map((name) => (measurements[name] as Measurement).needs))
    const { measured, runs } = await inNewFolder((place) =>
      untilEnded(async (ends) => {
        const site = await setUp(postgresql.url, place, needs, extent, ends)
        const runs = await measure(site, names, extent, (title) => progress.step(title, secondsPerRun))
        return { runs, measured: mediansOf(runs) }
      }),
    )
    if (startsService) progress.step('Time from start to ready', extent.rounds * secondsOfStarts)
    const starts = startsService ? await measureStarts(postgresql.url, extent.rounds) : undefined
    progress.end()

    const results: Results = { measured, starts }
    const rows = wanted.flatMap((figure) => figure.rows(results))
    const report = [
      `${new Date().toISOString().slice(0, 10)}, ${machine}.`,
      `${extent.rounds} ${extent.rounds === 1 ? 'round' : 'rounds'} of ${extent.measuredMs / 1000} s each, medians; ${recordsLine()}; ${extent.records} records.`,
      '',
      figureTable(rows),
    ].join('\n')
    console.log(options.json ? JSON.stringify({ machine, extent, runs, starts, rows }, null, 2) : report)

    const faults = Object.entries(measured).flatMap(([name, { faults }]) => faults.map((fault) => `${name}: ${fault}`))
    for (const fault of faults) console.error(`Failed: ${fault}`)
    if (faults.length > 0) process.exitCode = 1
    else if (options.quick !== true && options.only === undefined) {
      writeToPage('bench', report)
      console.error(`Written to docs/performance.md, after ${duration((performance.now() - beganAt) / 1000)}.`)
    }
  } finally {
    await postgresql.stop()
  }
}

function figuresNamed(list: string): readonly Figure[] {
  return list.split(',').map((name) => {
    const found = figures.find((figure) => figure.name === name.trim())
    if (found === undefined) throw new TypeError(`There is no figure ${name}.`)
    return found
  })
}

/**
 * Ends what was started, the last first, also when starting the next thing failed: a process left
 * over would keep this one.
 */
async function untilEnded<Result>(work: (ends: Ends) => Promise<Result>): Promise<Result> {
  const ends: Ends = []
  try {
    return await work(ends)
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

type Ends = (() => void | Promise<void>)[]

async function setUp(
  databaseUrl: string,
  place: { readonly DATA_DIR: string },
  needs: ReadonlySet<Measurement['needs']>,
  extent: Extent,
  ends: Ends,
): Promise<Site> {
  const ending = <Started extends { end(): void | Promise<void> }>(started: Started): Started => {
    ends.push(() => started.end())
    return started
  }
  const load = ending(new LoadGenerator())
  const service = ending(await startService({ DATABASE_URL: databaseUrl }, load))
  const usual = await service.seed(extent.records, 'usual')
  // Before the others: the floors have usual records only.
  await copyToFloors(service.pool, service.provider)
  const corrected = await service.seed(extent.records, 'corrected')
  const faulty = await service.seed(extent.records, 'faulty')
  const long = await service.seed(longRecords, 'long')
  const embedded = needs.has('embedded') ? ending(await startService(place, load)) : undefined
  const embeddedRecords = (await embedded?.seed(extent.records, 'usual')) ?? []
  await settle(service, { usual, faulty }, extent)
  if (embedded !== undefined) await settle(embedded, { usual: embeddedRecords }, extent)
  // Else it comes by itself in the middle of a run.
  await service.pool.query('VACUUM ANALYZE')
  return {
    load,
    service,
    records: { usual, corrected, faulty, long },
    embedded: embedded && { service: embedded, records: embeddedRecords },
    floor: needs.has('floor') ? await preparedFloor(databaseUrl, extent.records) : undefined,
    naive: needs.has('naive')
      ? ending(await startFloorServer('./naive-server.ts', [databaseUrl, floorProviders.naive]))
      : undefined,
    noOp: needs.has('noOp') ? ending(await startFloorServer('./no-op-server.ts')) : undefined,
  }
}

/** Replaces and reads until V8 has compiled what every request passes. */
async function settle(
  service: ServiceUnderLoad,
  { usual, faulty }: { readonly usual: readonly KnownRecord[]; readonly faulty?: readonly KnownRecord[] },
  { settleMs }: Extent,
): Promise<void> {
  const length = { connections: 64, warmUpMs: 0, measuredMs: settleMs * 0.25 }
  await service.replace(length, usual, 'usual')
  await service.replace(length, faulty ?? usual, faulty === undefined ? 'usual' : 'faulty')
  await service.replace(length, usual, 'usual')
  await service.read(length, pathsOf(usual))
}

type Runs = Partial<Record<MeasurementName, Measured[]>>

/** Runs the measurements group by group, those of a group in turn, round after round. */
async function measure(
  site: Site,
  names: readonly MeasurementName[],
  { rounds, warmUpMs, measuredMs }: Extent,
  announce: (title: string) => void,
): Promise<Runs> {
  const runs: Runs = {}
  const groups = new Set(names.map((name) => measurements[name].group))
  for (const group of groups)
    for (let round = 1; round <= rounds; round++)
      for (const name of names.filter((one) => measurements[one].group === group)) {
        const { title, connections, run }: Measurement = measurements[name]
        announce(`${title}, connections: ${connections}, round ${round} of ${rounds}`)
        const measured = await run(site, { connections, warmUpMs, measuredMs })
        runs[name] = [...(runs[name] ?? []), measured]
      }
  return runs
}

function mediansOf(runs: Runs): Results['measured'] {
  const middle = (all: readonly Measured[], field: Exclude<keyof Measured, 'memoryMb' | 'ownCpu' | 'faults'>) =>
    all[0]?.[field] === undefined ? undefined : median(all.map((one) => one[field] ?? Number.NaN))
  return Object.fromEntries(
    Object.entries(runs).map(([name, all]) => [
      name,
      {
        perSecond: middle(all, 'perSecond'),
        meanMs: middle(all, 'meanMs'),
        p50Ms: middle(all, 'p50Ms'),
        p99Ms: middle(all, 'p99Ms'),
        serviceUs: middle(all, 'serviceUs'),
        databaseUs: middle(all, 'databaseUs'),
        bytesPerWrite: middle(all, 'bytesPerWrite'),
        memoryMb: Math.max(...all.map(({ memoryMb }) => memoryMb ?? 0)),
        faults: all.flatMap(({ faults }) => faults),
      },
    ]),
  )
}

bench().catch((error) => {
  // What was asked for is wrong, or something broke: only the second needs to be traced.
  console.error(error instanceof TypeError ? `${error.message}\n\n${usage}` : error)
  process.exitCode = 1
})
