// The built service as a process of its own, with a provider's records in it, and how to put load
// on it.
import type { Pool } from 'pg'
import { reachDatabase } from '../src/store/database/database.ts'
import { startServerProcess } from '../test/support/servers/server-process.ts'
import { countVersions, faultsAfter, storedBytes } from './evidence.ts'
import type { KnownRecord, LoadGenerator, LoadOrder, LoadResult, Requests } from './load.ts'
import { postgresqlPid, processorMs, watchMemory } from './processes.ts'
import type { EventForm } from './records.ts'

export const eventsPath = '/data-provider/events/receiving'

/** As `npm start` has it. */
const nodeOptions = '--max-semi-space-size=16 --use-largepages=silent'.split(' ')

/** As many workers as the service takes by itself. */
export const asInstalled = { WORKERS: '' } as const

const seedConnections = 16
const seedMsMax = 300_000

/** How long and over how many connections a run goes. */
export interface RunLength {
  readonly connections: number
  readonly warmUpMs: number
  readonly measuredMs: number
}

export interface LoadedRun extends LoadResult {
  /**
   * Most memory one process of the service had during the run, in MB; 0 where it cannot be
   * measured.
   */
  readonly memoryMb: number
  /** Processor time per acknowledged request; 0 where it cannot be measured. */
  readonly serviceUs: number
  readonly databaseUs: number
  /** Growth of all tables of the database, with their indexes and TOAST, per acknowledged request. */
  readonly bytesPerWrite: number
  /** What is wrong with the run; a figure with faults is reported as failed. */
  readonly faults: readonly string[]
}

export interface ServiceUnderLoad {
  readonly address: string
  /** Of an administrator. */
  readonly key: string
  readonly provider: string
  readonly readyMs: number
  /** Its first process. */
  readonly pid: number
  /** The database of the service, beside it. */
  readonly pool: Pool
  /** Replaces these records in turn, and looks for every version in the database. */
  replace(length: RunLength, records: readonly KnownRecord[], form: EventForm): Promise<LoadedRun>
  /** Creates events, and looks for them in the database. */
  create(length: RunLength, form: EventForm): Promise<LoadedRun>
  /** Reads these paths in turn. */
  read(length: RunLength, paths: readonly string[]): Promise<LoadedRun>
  /** Creates so many events as fast as it goes, to have something to replace. */
  seed(count: number, form: EventForm): Promise<readonly KnownRecord[]>
  end(): Promise<void>
}

/** Where the service keeps its data, as the operator says it. */
export type Place = { readonly DATABASE_URL: string } | { readonly DATA_DIR: string }

/** Starts the service on an empty database; `env` and `node` say how, else as installed. */
export async function startService(
  place: Place,
  load: LoadGenerator,
  { env = asInstalled, node }: { env?: Record<string, string>; node?: string | undefined } = {},
): Promise<ServiceUnderLoad> {
  const server = await startServerProcess({ ...place, ...env }, { node, nodeOptions })
  const { address, firstKey, pid } = server
  if (firstKey === undefined) throw new Error('The database of the benchmark was not empty.')
  const reached = await reachDatabase({
    databaseUrl: 'DATABASE_URL' in place ? place.DATABASE_URL : undefined,
    dataDir: 'DATA_DIR' in place ? place.DATA_DIR : '',
  })
  if ('heldBy' in reached) throw new Error(`The embedded database of the service cannot be reached: ${reached.heldBy}`)
  const { pool } = reached
  const { rows } = await pool.query<{ provider: string }>('SELECT provider_id AS provider FROM provider')
  const provider = rows[0]?.provider ?? ''
  let nextMark = 1
  let nextNumber = 1

  const orderOf = (length: RunLength, requests: Requests) => ({
    ...length,
    address,
    key: firstKey,
    requestsMax: undefined,
    requests,
  })
  const target = { pid, pool }
  const written = async (length: RunLength, requests: Requests): Promise<LoadedRun> => {
    const versionsBefore = await countVersions(pool, provider)
    const result = await runWatched(target, load, orderOf(length, requests))
    return { ...result, faults: [...result.faults, ...(await faultsAfter(pool, provider, versionsBefore, result))] }
  }
  return {
    address,
    key: firstKey,
    provider,
    readyMs: server.readyMs,
    pid,
    pool,
    async replace(length, records, form) {
      const run = await written(length, { kind: 'put', path: eventsPath, records, form, markFrom: nextMark })
      nextMark += run.sent
      return run
    },
    async create(length, form) {
      const run = await written(length, { kind: 'post', path: eventsPath, form, numberFrom: nextNumber })
      nextNumber += run.sent
      return run
    },
    read: (length, paths) => runWatched(target, load, orderOf(length, { kind: 'get', paths })),
    async seed(count, form) {
      const length = { connections: seedConnections, warmUpMs: 0, measuredMs: seedMsMax }
      const requests = { kind: 'post', path: eventsPath, form, numberFrom: nextNumber } as const
      const { created, refused } = await load.run({ ...orderOf(length, requests), requestsMax: count })
      nextNumber += count
      if (created.length !== count)
        throw new Error(`Only ${created.length} of ${count} events were created; refused: ${JSON.stringify(refused)}.`)
      return created
    },
    async end() {
      await reached.close()
      await server.end('SIGTERM')
    },
  }
}

/** Sends load, and measures what it takes of a server and its database. */
export async function runWatched(
  { pid, pool }: { readonly pid: number; readonly pool: Pool },
  load: LoadGenerator,
  order: LoadOrder,
): Promise<LoadedRun> {
  const database = postgresqlPid()
  const taken = async () => [processorMs(pid), processorMs(database), await storedBytes(pool)] as const
  const before = await taken()
  const memory = watchMemory(pid)
  const result = await load.run(order)
  const memoryMb = memory.end()
  const [serviceMs, databaseMs, bytes] = (await taken()).map(
    (now, i) => (now - (before[i] ?? 0)) / Math.max(1, result.acknowledged),
  ) as [number, number, number]
  const faults = Object.entries(result.refused).map(([status, count]) => `${count} answers were ${status}`)
  return {
    ...result,
    memoryMb,
    serviceUs: serviceMs * 1000,
    databaseUs: databaseMs * 1000,
    bytesPerWrite: bytes,
    faults,
  }
}
