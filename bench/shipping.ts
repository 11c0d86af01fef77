// npm run bench:shipping: POST and PUT of shipping events beside those of receiving events, of the
// same content, in turn within one run.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { receivingEvent, shippingEvent } from '../src/contract/record-kinds.ts'
import { startPostgresqlServer } from '../test/support/databases/postgresql-server.ts'
import { startServerProcess } from '../test/support/servers/server-process.ts'
import { type KnownRecord, LoadGenerator, type LoadResult, type Requests } from './load.ts'
import { machineLine } from './machine.ts'
import { show } from './progress.ts'
import type { Place } from './service-under-load.ts'
import { median } from './statistics.ts'
import { markdownTable, milliseconds, ratio } from './table.ts'

const connections = 16
const warmUpMs = 1_000
const roundsDefault = 5
const secondsDefault = 5
/** Events of each kind that are replaced in turn. */
const recordCount = 2_000

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: String(roundsDefault) },
    seconds: { type: 'string', default: String(secondsDefault) },
  },
})
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)]

const kinds = [receivingEvent, shippingEvent] as const
const writes = ['POST', 'PUT'] as const
type Write = (typeof writes)[number]
type Runs = Readonly<Record<Write, readonly (readonly [received: LoadResult, shipped: LoadResult])[]>>

async function measure(database: Place, load: LoadGenerator): Promise<Runs> {
  const { address, firstKey: key = '', end } = await startServerProcess({ ...database, WORKERS: '1' })
  const paths = kinds.map(({ path }) => path)
  const [numbers, marks] = [paths.map(() => 1), paths.map(() => 1)]
  const run = async (requests: Requests, length: { measuredMs: number; requestsMax?: number }): Promise<LoadResult> => {
    const order = { address, key, connections, warmUpMs, requestsMax: undefined, ...length, requests }
    const result = await load.run(order)
    if (Object.keys(result.refused).length > 0)
      throw new Error(`${requests.kind} was refused: ${JSON.stringify(result.refused)}`)
    return result
  }
  const create = async (kind: number, length: Parameters<typeof run>[1]): Promise<LoadResult> => {
    const numberFrom = numbers[kind] ?? 1
    const result = await run({ kind: 'post', path: paths[kind] ?? '', form: 'usual', numberFrom }, length)
    numbers[kind] = numberFrom + result.sent
    return result
  }
  const replace = async (kind: number, records: readonly KnownRecord[]): Promise<LoadResult> => {
    const markFrom = marks[kind] ?? 1
    const requests = { kind: 'put', path: paths[kind] ?? '', records, form: 'usual', markFrom } as const
    const result = await run(requests, { measuredMs: seconds * 1_000 })
    marks[kind] = markFrom + result.sent
    return result
  }
  try {
    const records: (readonly KnownRecord[])[] = []
    for (const kind of kinds.keys())
      records.push((await create(kind, { measuredMs: 300_000, requestsMax: recordCount })).created)
    const runs: Record<Write, (readonly [LoadResult, LoadResult])[]> = { POST: [], PUT: [] }
    for (let round = 0; round < rounds; round++)
      for (const write of writes) {
        const results: LoadResult[] = []
        // Each kind begins every second round: who comes second finds larger tables.
        for (const kind of round % 2 === 0 ? [0, 1] : [1, 0])
          results[kind] =
            write === 'POST'
              ? await create(kind, { measuredMs: seconds * 1_000 })
              : await replace(kind, records[kind] ?? [])
        const [received, shipped] = results
        if (received === undefined || shipped === undefined) throw new Error('A round has both kinds.')
        runs[write].push([received, shipped])
        show(`${write}: ${received.perSecond.toFixed(0)} received, ${shipped.perSecond.toFixed(0)} shipped a second`)
      }
    return runs
  } finally {
    await end('SIGTERM')
  }
}

const folder = await mkdtemp(join(tmpdir(), 'lotkeeper-bench-'))
const postgresql = await startPostgresqlServer()
const load = new LoadGenerator()
try {
  const measured: [string, Runs][] = [
    ['PostgreSQL', await measure({ DATABASE_URL: postgresql.url }, load)],
    ['embedded', await measure({ DATA_DIR: join(folder, 'data') }, load)],
  ]
  const perSecond = (runs: readonly LoadResult[]) => median(runs.map((one) => one.perSecond)).toFixed(0)
  const end = (runs: readonly LoadResult[]) => milliseconds(median(runs.map(({ p99Ms }) => p99Ms)))
  console.log(
    [
      `${new Date().toISOString().slice(0, 10)}, ${machineLine(postgresql.version)}; one process.`,
      `${connections} connections, ${rounds} rounds of ${seconds} s of each in turn, medians; events of 5 product lines.`,
      '',
      markdownTable(
        ['database', 'write', 'receiving', 'shipping', 'ratio', 'p99 receiving', 'p99 shipping'],
        measured.flatMap(([name, runs]) =>
          writes.map((write) => {
            const [received, shipped] = [runs[write].map(([one]) => one), runs[write].map(([, one]) => one)]
            const ratios = runs[write].map(([one, other]) => other.perSecond / one.perSecond)
            return [
              name,
              write,
              `${perSecond(received)}/s`,
              `${perSecond(shipped)}/s`,
              ratio(median(ratios)),
              end(received),
              end(shipped),
            ]
          }),
        ),
      ),
    ].join('\n'),
  )
} finally {
  load.end()
  await postgresql.stop()
  await rm(folder, { recursive: true, force: true })
}
