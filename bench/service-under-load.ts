// The built service as a process of its own, with a provider's records in it, and how to put load
// on it.
import type { Pool } from 'pg'
import { reachDatabase } from '../src/store/database/database.ts'
import { startServerProcess } from '../test/support/servers/server-process.ts'
import { countVersions, faultsAfter, storedBytes } from './evidence.ts'
import type { KnownRecord, LoadGenerator, LoadResult, Requests } from './load.ts'
import { postgresqlPid, processorMs, watchMemory } from './processes.ts'
import type { EventForm } from './records.ts'

export const eventsPath = '/data-provider/events/receiving'

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
  replace(length: RunLength, records: readonly KnownRecord[], form: EventForm): Promise<WrittenRun>
  /** Voids events and brings them back in turn, and looks for the versions in the database. */
  voidAndRestore(length: RunLength, records: readonly KnownRecord[]): Promise<WrittenRun>
  /** Creates events, and looks for them in the database. */
  create(length: RunLength, form: EventForm): Promise<WrittenRun>
  /** Reads these paths in turn. */
  read(length: RunLength, paths: readonly string[]): Promise<LoadedRun>
  /** Creates so many events as fast as it goes, to have something to replace. */
  seed(count: number, form: EventForm): Promise<readonly KnownRecord[]>
  end(): Promise<void>
}

interface WrittenRun extends LoadedRun {
  /** Growth of all tables of the database, with their indexes and TOAST, per acknowledged write. */
  readonly bytesPerWrite: number
}

/** Where the service keeps its data, as the operator says it. */
export type Place = { readonly DATABASE_URL: string } | { readonly DATA_DIR: string }

/** Starts the service on an empty database; `env` and `node` say how, else as installed. */
export async function startService(
  place: Place,
  load: LoadGenerator,
  { env = asInstalled, node }: { env?: Record<string, string>; node?: string | undefined } = {},
): Promise<ServiceUnderLoad> {
  const server = await startServerProcess({ ...place, ...env }, { node })
  const { address, firstKey, pid } = server
  const database = postgresqlPid()
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
  let voidTurns = 0

  const orderOf = (length: RunLength, requests: Requests) => ({
    ...length,
    address,
    key: firstKey,
    requestsMax: undefined,
    requests,
  })
  const watched = async (length: RunLength, requests: Requests): Promise<LoadedRun> => {
    const memory = watchMemory(pid)
    const before = [processorMs(pid), processorMs(database)] as const
    const result = await load.run(orderOf(length, requests))
    const usPerRequest = (ms: number) => (ms * 1000) / Math.max(1, result.acknowledged)
    const serviceUs = usPerRequest(processorMs(pid) - before[0])
    const databaseUs = usPerRequest(processorMs(database) - before[1])
    const refusals = Object.entries(result.refused).map(([status, count]) => `${count} answers were ${status}`)
    return { ...result, memoryMb: memory.end(), serviceUs, databaseUs, faults: refusals }
  }
  const written = async (length: RunLength, requests: Requests): Promise<WrittenRun> => {
    const versionsBefore = await countVersions(pool, provider)
    const bytesBefore = await storedBytes(pool)
    const result = await watched(length, requests)
    const bytesPerWrite = ((await storedBytes(pool)) - bytesBefore) / Math.max(1, result.acknowledged)
    const faults = [...result.faults, ...(await faultsAfter(pool, provider, versionsBefore, result))]
    return { ...result, bytesPerWrite, faults }
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
    async voidAndRestore(length, records) {
      const requests = { kind: 'void', path: eventsPath, records, from: voidTurns, markFrom: nextMark } as const
      const run = await written(length, requests)
      voidTurns += run.sent
      nextMark += voidTurns
      return run
    },
    async create(length, form) {
      const run = await written(length, { kind: 'post', path: eventsPath, form, numberFrom: nextNumber })
      nextNumber += run.sent
      return run
    },
    read: (length, paths) => watched(length, { kind: 'get', paths }),
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
