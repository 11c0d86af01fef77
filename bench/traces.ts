// npm run bench:traces: a million events in chains of depth 8 with fan-out 50, followed over HTTP
// beside a trace of as many lines, and the longest piece of the event loop meanwhile.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chainLotsMax } from '../src/operations/traceability/trace-chain.ts'
import type { LotChain } from '../src/tracing/lot-chain.ts'
import type { LotTrace } from '../src/tracing/lot-trace.ts'
import { samplePayload } from '../test/samples/payloads.ts'
import { startPostgresqlServer } from '../test/support/databases/postgresql-server.ts'
import { type Payload, paths } from '../test/support/records/payloads.ts'
import { calling } from '../test/support/servers/service.ts'
import { untilEnded } from './ends.ts'
import { copying, createModel, loadRows, modelDateTime, prepareToLoad, thousands } from './growth-loader.ts'
import { LoadGenerator } from './load.ts'
import { machineLine } from './machine.ts'
import { writeToPage } from './page.ts'
import { show } from './progress.ts'
import { digits } from './records.ts'
import { startService } from './service-under-load.ts'
import { inNewFolder } from './start-times.ts'
import { judged, markdownTable, milliseconds, ratio } from './table.ts'

/** Each lot that is worked on goes into as many; one of them is worked on, and of the seventh step 40. */
const [fanOut, depth, worked] = [50, 8, 40]
const eventsOfChain = (depth - 1) * fanOut + worked * fanOut
/** Chains whose first lot is the same, so that all of it is more than an answer may have. */
const chainsOfLot = 5
const chainsDefault = Math.ceil(1_000_000 / eventsOfChain)
const linesOfEvent = 2
const lotsFound = 1 + 2 * fanOut + worked * fanOut
const tracedEvents = 2_000
const length = { connections: 1, warmUpMs: 0, measuredMs: 20_000 }

/** Lot codes have the number of a chain, a step and a number within that. */
const lotOf = (chain: number, step: number, number: number): string =>
  `C-${digits(chain, 4)}${step}${digits(number, 4)}`
const chain = `e / ${eventsOfChain}`
const at = `e % ${eventsOfChain}`
const step = `least(${at} / ${fanOut} + 1, ${depth})`
const number = `(${at} - (${step} - 1) * ${fanOut})`
const lotInSql = (chain: string, step: string, number: string): string =>
  `lpad((${chain})::text, 4, '0') || (${step}) || lpad((${number})::text, 4, '0')`
/** The lot that event `e` makes, and the one that it uses: of the first step that of several chains. */
const made = lotInSql(chain, step, number)
const used = `CASE ${step} WHEN 1 THEN ${lotInSql(`${chain} / ${chainsOfLot}`, '0', '0')}
  ELSE ${lotInSql(chain, `${step} - 1`, `CASE ${step} WHEN ${depth} THEN ${number} / ${fanOut} ELSE 0 END`)} END`

/** The events that are copied: lots `USED` go into lots `MADE`, and `USED` is received in two lines. */
function modelOf(kind: 'transformationEvent' | 'receivingEvent'): Payload {
  const payload = samplePayload(kind)
  const [{ gln: tlcSourceReferenceGln }] = payload.locationMasterList
  const [{ vendorItemCode }] = payload.eventList.productList
  const lineOf = (caseLotNumber: string, shipQuantity: number) => ({
    ...{ vendorItemCode, caseLotNumber, shipQuantity, shipQuantityUom: 'case', tlcSourceReferenceGln },
  })
  const [some, more, made] = [lineOf('C-USED', 10), lineOf('C-USED', 20), lineOf('C-MADE', 100)]
  const lines =
    kind === 'receivingEvent' ? { productList: [some, more] } : { ingredientList: [some], productList: [made] }
  Object.assign(payload.eventList, { eventDateTime: modelDateTime, ...lines })
  return payload
}

/** What is asked for: paths in turn, and what each answer has to have. */
interface Figure {
  readonly title: string
  readonly paths: readonly string[]
  readonly has: (body: Answered) => boolean
}
type Answered = Partial<LotChain & Pick<LotTrace, 'totals'>>

const chainOf = (lot: string, query = '') => `/traceability/lots/${lot}/chain${query}`

function figuresOf(chains: number): readonly Figure[] {
  const some = Array.from({ length: 50 }, (_, n) => Math.floor((n * chains) / 50))
  const found = (count: number) => (body: Answered) => body.lots?.length === count && body.events !== undefined
  return [
    {
      title: `trace of a lot in ${thousands(tracedEvents)} events with ${thousands(linesOfEvent * tracedEvents)} lines`,
      paths: ['/traceability/lots/C-TRACED'],
      has: ({ totals }) => totals?.lines === linesOfEvent * tracedEvents,
    },
    {
      title: `chain through three transformations to ${thousands(worked * fanOut)} lots`,
      paths: some.map((n) => chainOf(lotOf(n, 5, 0))),
      has: found(lotsFound),
    },
    {
      title: `chain back through ${depth} transformations`,
      paths: some.map((n) => chainOf(lotOf(n, depth, 7), '?direction=back')),
      has: found(depth + 1),
    },
    {
      title: `chain of ${thousands(chainsOfLot * eventsOfChain + 1)} lots, which ends at the bound with a note`,
      paths: some.slice(0, -1).map((n) => chainOf(lotOf(Math.floor(n / chainsOfLot), 0, 0))),
      has: ({ lots = [], notes = [] }) => lots.length <= chainLotsMax && notes.some(({ kind }) => kind === 'truncated'),
    },
  ]
}

/** Longest turn of the event loop since it was last asked for, in milliseconds of the processor. */
async function longestTurn(pid: number, file: string): Promise<number> {
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await setTimeout(10)
  return Number(readFileSync(file, 'utf8'))
}

async function measure(chains: number, place: string): Promise<string> {
  return untilEnded(async (ending) => {
    show('Starting PostgreSQL and the service')
    const postgresql = await startPostgresqlServer()
    ending({ end: () => postgresql.stop() })
    const machine = machineLine(postgresql.version)
    await prepareToLoad(postgresql.url)
    const file = join(place, 'longest-turn')
    const hook = new URL('./loop-hook.mjs', import.meta.url).href
    const env = { WORKERS: '1', NODE_OPTIONS: `--import ${hook}`, LOOP_FILE: file }
    const service = ending(await startService({ DATABASE_URL: postgresql.url }, ending(new LoadGenerator()), { env }))
    const events = chains * eventsOfChain
    const load = async (
      kind: Parameters<typeof modelOf>[0],
      texts: Record<string, string>,
      from: number,
      to: number,
    ) => {
      const model = await createModel(service, paths[kind], modelOf(kind))
      await loadRows(postgresql.url, copying([model], texts), { first: service.provider, from, to })
    }
    await load('transformationEvent', { USED: used, MADE: made }, 0, events - 1)
    await load('receivingEvent', { USED: "'TRACED'" }, events, events + tracedEvents - 1)
    const rows: string[][] = []
    let first = Number.NaN
    for (const { title, paths, has } of figuresOf(chains)) {
      show(title)
      const { body } = await calling(service.address, service.key)('GET', paths[0] ?? '')
      if (!has(body))
        throw new Error(`${title}: the answer has ${body.lots?.length} lots, ${JSON.stringify(body.notes)}`)
      await service.read(length, paths)
      await longestTurn(service.pid, file)
      const { p50Ms, p99Ms, serviceUs, databaseUs, faults } = await service.read(length, paths)
      if (faults.length > 0) throw new Error(`${title}: ${faults.join('; ')}`)
      const turnMs = await longestTurn(service.pid, file)
      const processor = [serviceUs / 1_000, databaseUs / 1_000] as const
      const total = processor[0] + processor[1]
      first = Number.isNaN(first) ? total : first
      const { bar = '', aim = '', verdict = '' } = judged(turnMs, { better: 'less', bar: 50, aim: 20, unit: ' ms' })
      const times = [...processor.map(milliseconds), ratio(total / first), ...[p50Ms, p99Ms, turnMs].map(milliseconds)]
      rows.push([title, ...times, bar, aim, verdict])
    }
    show('')
    return [
      `${new Date().toISOString().slice(0, 10)}, ${machine}.`,
      `${thousands(events)} transformation events of one provider in ${thousands(chains)} chains of depth ${depth} with fan-out ${fanOut}; ${length.measuredMs / 1000} s over one connection for each figure, after as long a warm-up. Processor time of an answer, and together as a share of the trace; p50 and p99 by the clock; longest turn: processor time of the main thread in one turn of its event loop.`,
      '',
      markdownTable(
        ['figure', 'service', 'PostgreSQL', '÷ trace', 'p50', 'p99', 'longest turn', 'bar', 'aim', 'verdict'],
        rows,
      ),
    ].join('\n')
  })
}

const { values } = parseArgs({ options: { chains: { type: 'string', default: String(chainsDefault) } } })
const report = await inNewFolder(({ DATA_DIR }) => measure(Number(values.chains), dirname(DATA_DIR)))
console.log(report)
if (Number(values.chains) >= chainsDefault) writeToPage('traces', report)
