// npm run bench:growth: the same operations at 10 thousand, 100 thousand and 2 million events in
// one table.
import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { startPostgresqlServer } from '../test/support/databases/postgresql-server.ts'
import {
  copyingUsual,
  loadProvidersOnce,
  loadRows,
  prepareToLoad,
  providerCount,
  shareOfFirst,
  someOfFirst,
  thousands,
} from './growth-loader.ts'
import { type KnownRecord, LoadGenerator } from './load.ts'
import { machineLine } from './machine.ts'
import { writeToPage } from './page.ts'
import { duration, show } from './progress.ts'
import {
  digits,
  eventDateTimeOf,
  lotEvents,
  lotEventsApart,
  lotOf,
  numberDigits,
  sharedLotNumber,
  sharedLotOf,
  shipToOf,
} from './records.ts'
import { eventsPath, type LoadedRun, type ServiceUnderLoad, startService } from './service-under-load.ts'
import { median } from './statistics.ts'
import { judged, markdownTable, milliseconds, ratio } from './table.ts'

const eventsDefault = 2_000_000
/**
 * What an event takes on disk with its search rows, indexes and the log written on the way, in
 * bytes; an estimate on the safe side.
 */
const bytesPerEvent = 6_000

const lineCount = 5
const rounds = 3
const recordsMax = 10_000
/** Few connections: what is compared is what one request costs, not how requests queue. */
const length = { connections: 2, warmUpMs: 1_000, measuredMs: 4_000 }
/**
 * Long enough for all of `recordsMax`: the loader knows no search hash, and the first replacement
 * of a record writes its search row.
 */
const settling = { connections: 64, warmUpMs: 0, measuredMs: 8_000 }
/** Events 30 s apart: of the measured provider 360, of one of its ship-to locations 72. */
const eventsPerHalfDay = 1_440
const eventsPerDay = 2 * eventsPerHalfDay
/**
 * Days in which the measured provider has 100,000 lines: what is counted in two seconds at most.
 */
const countedDays = 28
const countedMsMax = 2_000

const listedBy = (queryOf: (record: KnownRecord, text: string) => string) => (records: readonly KnownRecord[]) =>
  records.map((record) => `${eventsPath}?${queryOf(record, digits(record.number, numberDigits))}`)

/**
 * Ranges begin at a record; they end before the last event, so that each is as full as the others,
 * however few there are.
 */
const halfDaysBy = (queryOf: (record: KnownRecord) => string) => (records: readonly KnownRecord[], events: number) =>
  records
    .filter(({ number }) => number + eventsPerHalfDay <= events)
    .map((record) => `${eventsPath}?${queryOf(record)}`)

const halfDayOf = ({ number }: KnownRecord): string =>
  `eventStartDateTime=${eventDateTimeOf(number)}&eventEndDateTime=${eventDateTimeOf(number + eventsPerHalfDay)}`

const completenessPath = '/traceability/completeness'

/** Counts the lines of a record's day; of days that are full, so that each has as many. */
const countsByDay = (records: readonly KnownRecord[], events: number) =>
  records
    .map(({ number }) => Math.floor(number / eventsPerDay))
    .filter((day) => day > 0 && (day + 1) * eventsPerDay <= events)
    .map((day) => countsOf(day, 1))

function countsOf(day: number, days: number): string {
  const [start, end] = [day, day + days - 1].map((one) => eventDateTimeOf(one * eventsPerDay).slice(0, 10))
  return `${completenessPath}?eventStartDate=${start}&eventEndDate=${end}`
}

/**
 * The read whose slowest answers count: someone waits for it, with an outbreak on the telephone.
 */
const trace = `trace of a lot in ${lotEvents} events`
const tracesMin = 200

/** Lots all of whose events are there, each once; lot 0 lacks event 0. */
const wholeLots = (records: readonly KnownRecord[], events: number): readonly string[] => {
  const block = lotEvents * lotEventsApart
  const whole = records.filter(
    ({ number }) => sharedLotNumber(number) > 0 && (Math.floor(number / block) + 1) * block <= events,
  )
  return [...new Set(whole.map(({ number }) => sharedLotOf(digits(sharedLotNumber(number), numberDigits))))]
}

const reads: Readonly<Record<string, (records: readonly KnownRecord[], events: number) => readonly string[]>> = {
  GET: (records) => records.map(({ id }) => `${eventsPath}/${id}`),
  'list, newest first': listedBy(() => ''),
  'list by lot code': listedBy((_, text) => `lotCode=${lotOf(text, 2)}`),
  'list by purchase order': listedBy((_, text) => `purchaseOrderNumber=PO-${text}`),
  'list by half a day': halfDaysBy(halfDayOf),
  'list by ship-to location and half a day': halfDaysBy(
    (record) => `shipToLocationCode=DC-${shipToOf(record.number)}&${halfDayOf(record)}`,
  ),
  'completeness of a day by vendor': countsByDay,
  [trace]: (records, events) => wholeLots(records, events).map((lotCode) => `/traceability/lots/${lotCode}`),
}

const operations = ['PUT', ...Object.keys(reads)]

/** p50 and p99 of each operation, in ms, at so many events. */
interface Level {
  readonly events: number
  readonly p50Ms: Readonly<Record<string, number>>
  readonly p99Ms: Readonly<Record<string, number>>
  /** Different lots that were traced. */
  readonly traces: number
}

async function growth(): Promise<void> {
  const { values } = parseArgs({ options: { events: { type: 'string', default: String(eventsDefault) } } })
  const most = Number(values.events)
  if (!Number.isInteger(most) || most < 100) throw new TypeError('--events takes a whole number from 100.')
  const levels = [10_000, 100_000, most].filter((events, i, all) => events <= most && all.indexOf(events) === i)
  requireDisk(most)

  const beganAt = performance.now()
  show('Starting PostgreSQL and the service')
  const postgresql = await startPostgresqlServer()
  const load = new LoadGenerator()
  try {
    const machine = machineLine(postgresql.version)
    await prepareToLoad(postgresql.url)
    const service = await startService({ DATABASE_URL: postgresql.url }, load)
    const measured: Level[] = []
    const loads: string[] = []
    let counted: readonly string[] = []
    try {
      await loadProvidersOnce(postgresql.url, service.provider)
      const statement = await copyingUsual(service)
      for (const [i, events] of levels.entries()) {
        const loadFrom = (levels[i - 1] ?? 0) + 1
        const loadingAt = performance.now()
        await loadRows(postgresql.url, statement, { first: service.provider, from: loadFrom, to: events })
        const seconds = (performance.now() - loadingAt) / 1000
        loads.push(
          `${thousands(events - loadFrom + 1)} events in ${duration(seconds)} (${thousands((events - loadFrom + 1) / seconds)}/s)`,
        )
        measured.push({ events, ...(await measure(service, events)) })
      }
      counted = await measureCounts(service, most)
    } finally {
      await service.end()
    }
    show('')
    const report = [
      `${new Date().toISOString().slice(0, 10)}, ${machine}.`,
      `p50 of ${rounds} rounds of ${length.measuredMs / 1000} s over ${length.connections} connections; ${providerCount} providers, the measured one has a quarter of all events, and up to ${thousands(recordsMax)} of its events are asked for at random. Loaded: ${loads.join('; ')}.`,
      '',
      table(measured),
      ...counted,
      '',
      traceTable(measured),
    ].join('\n')
    console.log(report)
    if (most >= eventsDefault) {
      writeToPage('growth', report)
      console.error(`Written to docs/performance.md, after ${duration((performance.now() - beganAt) / 1000)}.`)
    }
  } finally {
    load.end()
    await postgresql.stop()
  }
}

function requireDisk(events: number): void {
  const { bavail, bsize } = statfsSync(tmpdir())
  const [needed, free] = [events * bytesPerEvent, bavail * bsize].map((bytes) => bytes / 2 ** 30)
  if (needed !== undefined && free !== undefined && needed > free)
    throw new TypeError(
      `${thousands(events)} events take about ${needed.toFixed(0)} GB; ${tmpdir()} has ${free.toFixed(0)} GB left. Ask for fewer with --events, or set TMPDIR.`,
    )
}

async function measure(service: ServiceUnderLoad, events: number): Promise<Omit<Level, 'events'>> {
  const records = await someOfFirst(service.pool, service.provider, events, recordsMax)
  show(`${thousands(events)} events: replacing each of those once`)
  await service.replace(settling, records, 'usual')
  const found: Record<string, LoadedRun[]> = {}
  for (let round = 1; round <= rounds; round++)
    for (const operation of operations) {
      show(`${thousands(events)} events: ${operation}, round ${round} of ${rounds}`)
      const pathsOf = reads[operation]
      const run: LoadedRun =
        pathsOf === undefined
          ? await service.replace(length, records, 'usual')
          : await service.read(length, pathsOf(records, events))
      if (run.faults.length > 0)
        throw new Error(`${operation} at ${thousands(events)} events: ${run.faults.join('; ')}`)
      found[operation] = [...(found[operation] ?? []), run]
    }
  const medianOf = (figure: (run: LoadedRun) => number) =>
    Object.fromEntries(Object.entries(found).map(([operation, all]) => [operation, median(all.map(figure))]))
  return {
    p50Ms: medianOf(({ p50Ms }) => p50Ms),
    p99Ms: medianOf(({ p99Ms }) => p99Ms),
    traces: reads[trace]?.(records, events).length ?? 0,
  }
}

/** What a month's worth of lines costs, at the last level; nothing where there are too few. */
async function measureCounts(service: ServiceUnderLoad, events: number): Promise<readonly string[]> {
  if (events < (countedDays + 1) * eventsPerDay) return []
  show(`${thousands(events)} events: completeness of ${countedDays} days`)
  const run = await service.read(length, [countsOf(1, countedDays)])
  if (run.faults.length > 0) throw new Error(`completeness at ${thousands(events)} events: ${run.faults.join('; ')}`)
  const lines = (countedDays * eventsPerDay * lineCount) / shareOfFirst
  return [
    '',
    `Completeness by vendor of ${countedDays} days, ${thousands(lines)} lines, at ${thousands(events)} events: p50 ${milliseconds(run.p50Ms)} over ${length.connections} connections (bar ${milliseconds(countedMsMax)}: ${run.p50Ms <= countedMsMax ? 'met' : 'missed'}).`,
  ]
}

function table(levels: readonly Level[]): string {
  const [first, last] = [levels[0], levels.at(-1)]
  if (first === undefined || last === undefined) throw new Error('Nothing was measured.')
  return markdownTable(
    ['p50', ...levels.map(({ events }) => `${thousands(events)} events`), 'last ÷ first', 'bar', 'aim', 'verdict'],
    operations.map((operation) => {
      const grown = (last.p50Ms[operation] ?? Number.NaN) / (first.p50Ms[operation] ?? Number.NaN)
      const { bar = '', aim = '', verdict = '' } = judged(grown, { better: 'less', bar: 1.5, aim: 1.2 })
      return [operation, ...levels.map(({ p50Ms }) => milliseconds(p50Ms[operation])), ratio(grown), bar, aim, verdict]
    }),
  )
}

/** Traces, with the slowest of a hundred. */
function traceTable(levels: readonly Level[]): string {
  return markdownTable(
    [trace, 'lots', 'p50', 'p99', 'bar', 'aim', 'verdict'],
    levels.map(({ events, p50Ms, p99Ms, traces }) => {
      const reached = p99Ms[trace] ?? Number.NaN
      const { bar = '', aim = '', verdict = '' } = judged(reached, { better: 'less', bar: 50, aim: 20, unit: ' ms' })
      return [
        `${thousands(events)} events`,
        `${thousands(traces)}${traces < tracesMin ? ' (few)' : ''}`,
        milliseconds(p50Ms[trace]),
        milliseconds(reached),
        bar,
        aim,
        verdict,
      ]
    }),
  )
}

growth().catch((error) => {
  console.error(error instanceof TypeError ? error.message : error)
  process.exitCode = 1
})
