// npm run bench:cluster -- <folder of the server programs of a PostgreSQL with Citus>: replacements
// on a cluster of three nodes, beside one PostgreSQL on the same cores, in turn.
import { parseArgs } from 'node:util'
import { pluralize } from '../src/contract/text/pluralize.ts'
import { migrate } from '../src/store/database/migrate.ts'
import { ServerPool } from '../src/store/database/server-pool.ts'
import { startCitusCluster } from '../test/support/databases/citus-cluster.ts'
import { startPostgresqlServer } from '../test/support/databases/postgresql-server.ts'
import { makeProvider } from '../test/support/servers/service.ts'
import { type Ending, untilEnded } from './ends.ts'
import { type KnownRecord, LoadGenerator } from './load.ts'
import { machineLine } from './machine.ts'
import { show } from './progress.ts'
import { eventsPath, type ServiceUnderLoad, startService } from './service-under-load.ts'
import { median } from './statistics.ts'
import { judged, markdownTable, perSecond, ratio } from './table.ts'

const connections = 64
const recordCount = 1_280
const goals = [
  { providers: 1, bar: 0.85, aim: 0.95 },
  { providers: 64, bar: 0.5, aim: 0.7 },
] as const
const rounds = 8
const length = { connections, warmUpMs: 1_000, measuredMs: 3_000, requestsMax: undefined }

/** A service on one of the two, and records of so many providers. */
interface Side {
  readonly service: ServiceUnderLoad
  readonly records: ReadonlyMap<number, readonly KnownRecord[]>
}

/** Records of several providers, in turn. */
async function makeRecords(load: LoadGenerator, { address, pool }: ServiceUnderLoad, providers: number) {
  const requests = { kind: 'post', path: eventsPath, form: 'usual', numberFrom: 1 } as const
  const ofEach: (readonly KnownRecord[])[] = []
  for (let n = 0; n < providers; n++) {
    const key = await (await makeProvider(pool, address)).key('writer')
    const requestsMax = recordCount / providers
    const order = { ...length, connections: 4, measuredMs: 60_000, address, key, requestsMax, requests }
    ofEach.push((await load.run(order)).created.map((record) => ({ ...record, key })))
  }
  const records = Array.from({ length: recordCount }, (_, i) => ofEach[i % providers]?.[Math.floor(i / providers)])
  return records.filter((record) => record !== undefined)
}

async function startSide(url: string, load: LoadGenerator, ending: Ending): Promise<Side> {
  const service = ending(await startService({ DATABASE_URL: url }, load))
  const records = new Map<number, readonly KnownRecord[]>()
  for (const { providers } of goals) records.set(providers, await makeRecords(load, service, providers))
  return { service, records }
}

async function measure(binaries: string): Promise<string> {
  return untilEnded(async (ending) => {
    show('Starting the cluster, PostgreSQL and a service on each')
    const load = ending(new LoadGenerator())
    const postgresql = await startPostgresqlServer({ binaries })
    ending({ end: () => postgresql.stop() })
    const cluster = await startCitusCluster(binaries)
    ending({ end: () => cluster.stop() })
    const machine = machineLine(postgresql.version)
    const coordinator = ending(new ServerPool({ connectionString: cluster.coordinator.url }))
    await migrate(coordinator, { distribute: true })
    const oneServer = await startSide(postgresql.url, load, ending)
    const onCluster = await startSide(cluster.coordinator.url, load, ending)
    let markFrom = 1
    const rateOf = async ({ service, records }: Side, providers: number): Promise<number> => {
      const put = { kind: 'put', path: eventsPath, records: records.get(providers) ?? [], form: 'usual' } as const
      const { address, key } = service
      const { perSecond, refused, sent } = await load.run({ ...length, address, key, requests: { ...put, markFrom } })
      if (Object.keys(refused).length > 0) throw new Error(`Not all were stored: ${JSON.stringify(refused)}`)
      markFrom += sent
      return perSecond
    }
    const rows: string[][] = []
    for (const { providers, ...goal } of goals) {
      const rates: [one: number, cluster: number][] = []
      for (let round = 0; round < rounds; round++) {
        show(`${pluralize(providers, 'provider')}, round ${round + 1} of ${rounds}`)
        // Whichever is first finds the machine as the round before left it.
        const turns = round % 2 === 0 ? [oneServer, onCluster] : [onCluster, oneServer]
        const rate = new Map<Side, number>()
        for (const side of turns) rate.set(side, await rateOf(side, providers))
        rates.push([rate.get(oneServer) ?? Number.NaN, rate.get(onCluster) ?? Number.NaN])
      }
      const share = median(rates.map(([one, cluster]) => cluster / one))
      const { bar = '', aim = '', verdict = '' } = judged(share, { better: 'more', ...goal })
      const [one, other] = [0, 1].map((side) => perSecond(median(rates.map((rate) => rate[side] ?? Number.NaN))))
      rows.push([`PUT, ${pluralize(providers, 'provider')}`, one ?? '', other ?? '', ratio(share), bar, aim, verdict])
    }
    show('')
    return [
      `${new Date().toISOString().slice(0, 10)}, ${machine}.`,
      `A coordinator and two workers; ${rounds} rounds of ${length.measuredMs / 1_000} s in turn, ${connections} connections, medians.`,
      '',
      markdownTable(['figure', 'one PostgreSQL', 'cluster', 'ratio', 'bar', 'aim', 'verdict'], rows),
    ].join('\n')
  })
}

const {
  positionals: [binaries],
} = parseArgs({ allowPositionals: true })
if (binaries === undefined) throw new Error('Name the folder with the server programs: CONTRIBUTING.md, On a cluster.')
console.log(await measure(binaries))
