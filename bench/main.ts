// npm run bench: measures the service beside its peers on a PostgreSQL of its own, and prints tables.
import { parseArgs } from 'node:util'
import { startPostgresqlServer } from '../test/support/databases/postgresql-server.ts'
import { type Ending, untilEnded } from './ends.ts'
import { type Figure, figures, type Results, recordsLine, roundsLine } from './figures.ts'
import { startPeer } from './floors.ts'
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
import { duration, show } from './progress.ts'
import { compareReplacements } from './replacements.ts'
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
  readonly replacements: { readonly rounds: number; readonly measuredMs: number }
}

const whole: Extent = {
  ...{ settleMs: 40_000, rounds: 3, warmUpMs: 1_000, measuredMs: 5_000, records: 2_000 },
  replacements: { rounds: 2, measuredMs: 2_500 },
}
const quick: Extent = {
  ...{ settleMs: 1_000, rounds: 1, warmUpMs: 300, measuredMs: 1_200, records: 500 },
  replacements: { rounds: 1, measuredMs: 1_000 },
}

const longRecords = 200

const usage = `Usage: npm run bench -- [--quick] [--only figure,…] [--node path]

  --quick   one short round of everything, in about a minute: to see that it works, not how fast it is
  --only    some figures: put (PUTs beside their peers), ${figures.map(({ name }) => name).join(', ')}
  --node    another Node, on which PUTs and their peers run too; its figures are held against the bars

A run that is not quick writes to docs/performance.md: one of put its table, one of everything all its tables.`

async function bench(): Promise<void> {
  const { values: options } = parseArgs({
    options: { quick: { type: 'boolean' }, only: { type: 'string' }, node: { type: 'string' } },
  })
  const asked = options.only?.split(',').map((name) => name.trim())
  for (const name of asked ?? [])
    if (name !== 'put' && !figures.some((figure) => figure.name === name))
      throw new TypeError(`There is no figure ${name}.`)
  const extent = options.quick ? quick : whole
  const beganAt = performance.now()
  const postgresql = await startPostgresqlServer()
  try {
    const sections: { name: 'put' | 'bench'; text: string; faults: readonly string[]; isWhole: boolean }[] = []
    const machine = `${new Date().toISOString().slice(0, 10)}, ${machineLine(postgresql.version)}.`
    if (asked?.includes('put') ?? true)
      sections.push({
        name: 'put',
        isWhole: true,
        ...(await compareReplacements(postgresql.url, options.node, extent.replacements)),
      })
    const wanted = figures.filter(({ name }) => asked?.includes(name) ?? true)
    if (wanted.length > 0)
      sections.push({
        name: 'bench',
        isWhole: asked === undefined,
        ...(await measureFigures(postgresql.url, extent, wanted)),
      })
    for (const { name, text, faults, isWhole } of sections) {
      const report = `${machine}\n${text}`
      console.log(report)
      for (const fault of faults) console.error(`Failed: ${fault}`)
      if (faults.length > 0) process.exitCode = 1
      else if (isWhole && !options.quick) {
        writeToPage(name, report)
        console.error(`Written to docs/performance.md, after ${duration((performance.now() - beganAt) / 1000)}.`)
      }
    }
  } finally {
    await postgresql.stop()
  }
}

async function measureFigures(databaseUrl: string, extent: Extent, wanted: readonly Figure[]) {
  const names = (Object.keys(measurements) as MeasurementName[]).filter((name) =>
    wanted.some((figure) => figure.measurements.includes(name)),
  )
  const startsService = wanted.some((figure) => figure.startsService)
  const needs = new Set(names.map((name) => (measurements[name] as Measurement).needs))
  show('Starting the service, creating records, settling')
  const measured = mediansOf(
    await inNewFolder((place) =>
      untilEnded(async (ending) => {
        const site = await setUp(databaseUrl, place, needs, extent, ending)
        return measure(site, names, extent)
      }),
    ),
  )
  if (startsService) show('Time from start to ready')
  const starts = startsService ? await measureStarts(databaseUrl, extent.rounds) : undefined
  show('')
  const results: Results = { measured, starts }
  const text = [
    `${roundsLine(extent.rounds, extent.measuredMs)}; ${recordsLine()}; ${extent.records} records.`,
    '',
    figureTable(wanted.flatMap((figure) => figure.rows(results))),
  ].join('\n')
  return {
    text,
    faults: Object.entries(measured).flatMap(([name, { faults }]) => faults.map((fault) => `${name}: ${fault}`)),
  }
}

async function setUp(
  databaseUrl: string,
  place: { readonly DATA_DIR: string },
  needs: ReadonlySet<Measurement['needs']>,
  extent: Extent,
  ending: Ending,
): Promise<Site> {
  const load = ending(new LoadGenerator())
  const service = ending(await startService({ DATABASE_URL: databaseUrl }, load))
  const usual = await service.seed(extent.records, 'usual')
  const long = await service.seed(longRecords, 'long')
  const embedded = needs.has('embedded') ? ending(await startService(place, load)) : undefined
  const embeddedRecords = (await embedded?.seed(extent.records, 'usual')) ?? []
  await settle(service, usual, extent)
  if (embedded !== undefined) await settle(embedded, embeddedRecords, extent)
  // Else it comes by itself in the middle of a run.
  await service.pool.query('VACUUM ANALYZE')
  return {
    load,
    service,
    records: { usual, long },
    embedded: embedded && { service: embedded, records: embeddedRecords },
    noOp: needs.has('noOp') ? ending(await startPeer('./no-op-server.ts')) : undefined,
  }
}

/** Replaces and reads until V8 has compiled what every request passes. */
async function settle(service: ServiceUnderLoad, records: readonly KnownRecord[], { settleMs }: Extent): Promise<void> {
  const length = { connections: 64, warmUpMs: 0 }
  await service.replace({ ...length, measuredMs: settleMs * 0.75 }, records, 'usual')
  await service.read({ ...length, measuredMs: settleMs * 0.25 }, pathsOf(records))
}

type Runs = Partial<Record<MeasurementName, Measured[]>>

/** Runs the measurements group by group, those of a group in turn, round after round. */
async function measure(
  site: Site,
  names: readonly MeasurementName[],
  { rounds, warmUpMs, measuredMs }: Extent,
): Promise<Runs> {
  const runs: Runs = {}
  const groups = new Set(names.map((name) => measurements[name].group))
  for (const group of groups)
    for (let round = 1; round <= rounds; round++)
      for (const name of names.filter((one) => measurements[one].group === group)) {
        const { title, connections, run }: Measurement = measurements[name]
        show(`${title}, connections: ${connections}, round ${round} of ${rounds}`)
        const measured = await run(site, { connections, warmUpMs, measuredMs })
        runs[name] = [...(runs[name] ?? []), measured]
      }
  return runs
}

function mediansOf(runs: Runs): Results['measured'] {
  const middle = (all: readonly Measured[], field: Exclude<keyof Measured, 'ownCpu' | 'faults'>) =>
    all[0]?.[field] === undefined ? undefined : median(all.map((one) => one[field] ?? Number.NaN))
  return Object.fromEntries(
    Object.entries(runs).map(([name, all]) => [
      name,
      {
        perSecond: middle(all, 'perSecond'),
        p50Ms: middle(all, 'p50Ms'),
        p99Ms: middle(all, 'p99Ms'),
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
