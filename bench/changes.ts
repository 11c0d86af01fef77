// npm run bench:changes: what followers cost the writers, how fast changes are read and delivered,
// and how soon they are seen.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startPostgresqlServer } from '../test/support/databases/postgresql-server.ts'
import { ask, startLongPoll, startReceiver } from './listeners.ts'
import { type KnownRecord, LoadGenerator } from './load.ts'
import { machineLine } from './machine.ts'
import { writeToPage } from './page.ts'
import { show } from './progress.ts'
import { eventsPath, type Place, type ServiceUnderLoad, startService } from './service-under-load.ts'
import { median, quantile } from './statistics.ts'
import { markdownTable, milliseconds, perSecond } from './table.ts'

const usage = `Usage: npm run bench:changes -- [--quick] [--before folder] [--json]

  --quick   one short round of everything: to see that it works, not how fast it is
  --before  a built checkout of another commit, whose PUT rate is measured in turn with this one
  --json    raw results instead of the tables

A whole run with --before writes its tables to docs/performance.md.`

interface Extent {
  readonly rounds: number
  readonly settleMs: number
  readonly warmUpMs: number
  readonly measuredMs: number
  readonly records: number
  /** Writes one after another, whose way to the followers is timed. */
  readonly pacedWrites: number
}

const whole: Extent = {
  rounds: 7,
  settleMs: 40_000,
  warmUpMs: 1_000,
  measuredMs: 5_000,
  records: 2_000,
  pacedWrites: 100,
}
const quick: Extent = {
  rounds: 1,
  settleMs: 1_000,
  warmUpMs: 300,
  measuredMs: 1_200,
  records: 200,
  pacedWrites: 10,
}

const connectionCounts = [16, 64] as const
/** Followers are at most so far behind when a round begins, in milliseconds. */
const catchUpMsMax = 300_000
/** The last of the timed writes is seen by then, in milliseconds. */
const lookMsMax = 60_000
/** Time between two writes that are timed, in milliseconds: none of them at the same moment of a second. */
const pacedMs = 273

/** A service with records to replace. */
interface Loaded {
  readonly service: ServiceUnderLoad
  readonly records: readonly KnownRecord[]
}

type Rates = Record<'before' | 'alone' | 'followed', number[]>

async function load(place: Place, generator: LoadGenerator, extent: Extent, checkout?: string): Promise<Loaded> {
  const env = { ...place, WEBHOOK_ALLOW_PRIVATE: 'true' }
  const service = await startService(env, generator, undefined, checkout)
  const records = await service.seed(extent.records, 'usual')
  const length = { connections: 64, warmUpMs: 0, measuredMs: extent.settleMs }
  await service.replace(length, records, 'usual')
  return { service, records }
}

/** Rates of PUT without followers, with a long poll and an endpoint, and of the commit before, in turn. */
async function measureRates(
  alone: Loaded,
  followed: Loaded,
  before: Loaded | undefined,
  extent: Extent,
): Promise<ReadonlyMap<number, Rates>> {
  const all = new Map<number, Rates>(connectionCounts.map((count) => [count, { before: [], alone: [], followed: [] }]))
  const put = async ({ service, records }: Loaded, connections: number): Promise<number> => {
    const run = await service.replace({ connections, ...extent }, records, 'usual')
    if (run.faults.length > 0) throw new Error(run.faults.join('; '))
    return run.perSecond
  }
  const receiver = await startReceiver()
  // From now on: what was written to settle is of no interest.
  await ask(followed.service, 'POST', '/webhooks', { body: { url: receiver.url, description: 'Benchmark' } })
  const poll = await startLongPoll(followed.service, () => undefined)
  try {
    for (let round = 1; round <= extent.rounds; round++)
      for (const connections of connectionCounts) {
        const rates = all.get(connections)
        if (before !== undefined) rates?.before.push(await put(before, connections))
        rates?.alone.push(await put(alone, connections))
        rates?.followed.push(await put(followed, connections))
        // Else it would work on while the next rate is measured.
        await settled(receiver.counts)
        show(`round ${round} of ${extent.rounds}, ${connections} connections: ${JSON.stringify(rates)}`)
      }
  } finally {
    await poll.end()
    receiver.end()
  }
  return all
}

/** Resolves when nothing has come for two seconds. */
async function settled(counts: { readonly changes: number }): Promise<void> {
  const until = performance.now() + catchUpMsMax
  for (let last = -1; last !== counts.changes; await pause(2_000)) {
    last = counts.changes
    if (performance.now() > until) throw new Error('The endpoint does not catch up.')
  }
}

/** Changes read per second, page by page and as one stream. */
async function measureReading({ service }: Loaded): Promise<{ readonly paged: number; readonly streamed: number }> {
  let count = 0
  let beganAt = performance.now()
  for (let query = 'limit=200'; ; ) {
    const { body } = await ask(service, 'GET', `/changes?${query}`)
    count += body.content.length
    if (body.content.length === 0) break
    query = `limit=200&after=${encodeURIComponent(body.nextPosition)}`
  }
  const paged = count / ((performance.now() - beganAt) / 1_000)
  beganAt = performance.now()
  const ending = new AbortController()
  const response = await fetch(`${service.address}/changes`, {
    headers: { authorization: `Bearer ${service.key}`, accept: 'text/event-stream' },
    signal: ending.signal,
  })
  let streamed = 0
  let rest = ''
  for await (const part of response.body ?? []) {
    rest += Buffer.from(part).toString('latin1')
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    streamed += lines.filter((line) => line.startsWith('data:')).length
    if (streamed >= count) break
  }
  const streamedPerSecond = streamed / ((performance.now() - beganAt) / 1_000)
  ending.abort()
  return { paged, streamed: streamedPerSecond }
}

/** Changes and messages delivered per second to an endpoint that is set back to the beginning. */
async function measureDelivering(
  { service }: Loaded,
  payload: 'thin' | 'record',
): Promise<{ readonly changes: number; readonly messages: number }> {
  const receiver = await startReceiver()
  try {
    const { body } = await ask(service, 'POST', '/webhooks', { body: { url: receiver.url, payload } })
    const { rows } = await service.pool.query('SELECT sum(version_count)::integer AS count FROM checkpoint')
    const beganAt = performance.now()
    await ask(service, 'POST', `/webhooks/${body.id}/replay`, { body: {} })
    await receiver.reach(rows[0].count)
    const seconds = (performance.now() - beganAt) / 1_000
    await ask(service, 'DELETE', `/webhooks/${body.id}`)
    return { changes: receiver.counts.changes / seconds, messages: receiver.counts.messages / seconds }
  } finally {
    receiver.end()
  }
}

type Delays = Record<'poll' | 'webhook', Float64Array>

/** From the answer to a PUT to the moment a follower has the change, in milliseconds. */
async function measureDelays({ service, records }: Loaded, { pacedWrites }: Extent): Promise<Delays> {
  const seen = { poll: new Map<string, number>(), webhook: new Map<string, number>() }
  const noting = (name: keyof typeof seen) => (versions: readonly string[], atMs: number) => {
    for (const version of versions) if (!seen[name].has(version)) seen[name].set(version, atMs)
  }
  const receiver = await startReceiver(noting('webhook'))
  const { body: endpoint } = await ask(service, 'POST', '/webhooks', { body: { url: receiver.url } })
  const poll = await startLongPoll(service, noting('poll'))
  try {
    const written = new Map<string, number>()
    for (let n = 0; n < pacedWrites; n++) {
      const { id } = records[n % records.length] as KnownRecord
      const { body } = await ask(service, 'GET', `${eventsPath}/${id}`)
      const { id: _, ...event } = body
      event.eventList.productList[0].shipQuantity += 1
      const { headers } = await ask(service, 'PUT', `${eventsPath}/${id}`, { body: event })
      written.set(`${id} ${Number(headers.get('etag')?.replaceAll('"', ''))}`, performance.now())
      await pause(pacedMs)
    }
    const delays = (name: keyof typeof seen): Float64Array =>
      Float64Array.from([...written].map(([version, atMs]) => (seen[name].get(version) ?? Number.NaN) - atMs)).sort()
    const until = performance.now() + lookMsMax
    while ([...written.keys()].some((version) => !seen.poll.has(version) || !seen.webhook.has(version))) {
      if (performance.now() > until) throw new Error('Some of the changes were not seen.')
      await pause(100)
    }
    return { poll: delays('poll'), webhook: delays('webhook') }
  } finally {
    await poll.end()
    receiver.end()
    await ask(service, 'DELETE', `/webhooks/${endpoint.id}`)
  }
}

async function newDatabase(url: string, name: string): Promise<Place> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
  const own = new URL(url)
  own.pathname = `/${name}`
  return { DATABASE_URL: own.href }
}

async function bench(): Promise<void> {
  const { values: options } = parseArgs({
    options: { quick: { type: 'boolean' }, before: { type: 'string' }, json: { type: 'boolean' } },
  })
  const extent = options.quick ? quick : whole
  const folder = await mkdtemp(join(tmpdir(), 'lotkeeper-changes-'))
  const postgresql = await startPostgresqlServer()
  const generator = new LoadGenerator()
  const started: Loaded[] = []
  const start = async (place: Place, checkout?: string): Promise<Loaded> => {
    const loaded = await load(place, generator, extent, checkout)
    started.push(loaded)
    return loaded
  }
  try {
    const machine = machineLine(postgresql.version)
    show('starting and settling the services')
    const alone = await start(await newDatabase(postgresql.url, 'alone'))
    const followed = await start(await newDatabase(postgresql.url, 'followed'))
    const before =
      options.before === undefined
        ? undefined
        : await start(await newDatabase(postgresql.url, 'before'), resolve(options.before))
    const rates = await measureRates(alone, followed, before, extent)
    const results: Record<string, Followed> = {}
    const stores = { PostgreSQL: async () => alone, embedded: () => start({ DATA_DIR: join(folder, 'data') }) }
    for (const [name, open] of Object.entries(stores)) {
      show(`${name}: reading, delivering, delays`)
      const loaded = await open()
      // First, so that everything that was written is under a checkpoint.
      const delays = await measureDelays(loaded, extent)
      results[name] = {
        delays,
        reading: await measureReading(loaded),
        thin: await measureDelivering(loaded, 'thin'),
        record: await measureDelivering(loaded, 'record'),
      }
    }
    const report = reportOf(machine, extent, rates, results)
    console.log(
      options.json ? JSON.stringify({ machine, extent, rates: Object.fromEntries(rates), results }, null, 2) : report,
    )
    if (!options.quick && before !== undefined) writeToPage('changes', report)
  } finally {
    for (const { service } of started.reverse()) await service.end()
    generator.end()
    await postgresql.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Followed {
  readonly delays: Delays
  readonly reading: { readonly paged: number; readonly streamed: number }
  readonly thin: { readonly changes: number; readonly messages: number }
  readonly record: { readonly changes: number; readonly messages: number }
}

function reportOf(
  machine: string,
  { rounds, measuredMs }: Extent,
  rates: ReadonlyMap<number, Rates>,
  results: Readonly<Record<string, Followed>>,
): string {
  const percent = (one: readonly number[], other: readonly number[]): string =>
    one.length === 0 || other.length === 0 ? '–' : `${((median(one) / median(other) - 1) * 100).toFixed(1)} %`
  const rate = (all: readonly number[]): string => (all.length === 0 ? '–' : perSecond(median(all)))
  const delay = (all: Float64Array): string =>
    `${milliseconds(quantile(all, 0.5))}, ${milliseconds(quantile(all, 0.99))}`
  const delivered = ({ changes, messages }: Followed['thin']): string =>
    `${perSecond(changes)} in ${perSecond(messages).replace('/s', '')} messages a second`
  return [
    `${new Date().toISOString().slice(0, 10)}, ${machine}.`,
    `${rounds} ${rounds === 1 ? 'round' : 'rounds'} of ${measuredMs / 1000} s each in turn, medians. Followed: by a long poll and one webhook endpoint.`,
    '',
    markdownTable(
      ['PUT', 'commit before', 'nobody follows', 'difference', 'followed', 'difference'],
      [...rates].map(([connections, { before, alone, followed }]) => [
        `${connections} connections`,
        rate(before),
        rate(alone),
        percent(alone, before),
        rate(followed),
        percent(followed, alone),
      ]),
    ),
    '',
    markdownTable(
      [
        'database',
        'from PUT to long poll, p50, p99',
        'from PUT to receiver, p50, p99',
        'read by pages',
        'by a stream',
        'delivered',
        'delivered with records',
      ],
      Object.entries(results).map(([name, { delays, reading, thin, record }]) => [
        name,
        delay(delays.poll),
        delay(delays.webhook),
        perSecond(reading.paged),
        perSecond(reading.streamed),
        delivered(thin),
        delivered(record),
      ]),
    ),
  ].join('\n')
}

bench().catch((error) => {
  console.error(error instanceof TypeError ? `${error.message}\n\n${usage}` : error)
  process.exitCode = 1
})
