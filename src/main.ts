// The one place where the rooms are wired together.
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { handlersAt } from './handlers/catalogue.ts'
import { type CountRequest, type RequestCount, requestCounts } from './http/request-counts.ts'
import { buildServer } from './http/server.ts'
import { firstStart } from './store/access-log.ts'
import { createApiKey, identify, noteKeyUsed } from './store/api-keys.ts'
import { type DatabasePlace, type OpenDatabase, openDatabase, reachDatabase } from './store/database.ts'
import { cannotWriteNow, connectionLost } from './store/database-errors.ts'
import { PurgedMeanwhile } from './store/event-selection.ts'
import { QueueFull } from './store/grouped.ts'
import { migrate } from './store/migrate.ts'
import { hasProviders, isReachable, provideProvider } from './store/providers.ts'
import { storeOn } from './store/store.ts'
import { primaryOfWorker, startWorkers } from './workers.ts'

export interface Running {
  readonly address: string
  readonly databaseName: string
  /** The first key, when this start made it. */
  readonly firstKey: string | undefined
  /** Settles only when the service cannot go on. */
  readonly failed: Promise<{ readonly problem: string }>
  /** Answers what is under way, then closes. */
  stop(): Promise<void>
}

/** The console is built beside the program; the sources have it where the last build put it. */
const consoleFolder = new URL(import.meta.url.endsWith('.ts') ? '../dist/console/' : './console/', import.meta.url)

/** Name of the provider that the first start of an empty database makes. */
const firstProviderName = 'default'

/** Opens the database, brings its schema up to date, and serves, with workers where there are to be several. `problem` is one line for the operator. */
export async function start(config: Config): Promise<Running | { readonly problem: string }> {
  const opened = await openMigrated(config, openDatabase)
  if ('problem' in opened) return opened
  const { database } = opened
  const logger = loggerOf(config)
  if (config.workers === 1) {
    const listening = await listen(database, config, logger, requestCounts())
    if ('problem' in listening) return listening
    return {
      ...listening,
      databaseName: database.name,
      firstKey: await firstKeyOn(database),
      failed: new Promise(() => undefined),
    }
  }
  const workers = await startWorkers(config.workers, {
    answer: requestCounts(),
    onReplaced: ({ worker, by, replacedBy }) =>
      logger.error(
        { worker, by, replacedBy },
        `Worker ${worker} ended by ${by}; worker ${replacedBy} takes its place.`,
      ),
  })
  const firstKey = 'problem' in workers ? undefined : await firstKeyOn(database)
  await database.close()
  if ('problem' in workers) return workers
  return { ...workers, databaseName: `${database.name}, with ${config.workers} workers`, firstKey }
}

/** In a worker: serves, on the database that the primary brought up to date. `end` is called when the primary says so. */
export async function work(config: Config, end: (stop: () => Promise<void>) => void): Promise<void> {
  let stop = async (): Promise<void> => undefined
  const primary = primaryOfWorker<RequestCount>(() => end(stop))
  const opened = await openDatabase(config)
  if ('heldBy' in opened) throw new Error('The embedded database has no workers.')
  const listening = await listen(opened, config, loggerOf(config), primary.ask)
  if (!('problem' in listening)) stop = listening.stop
  primary.tell(listening)
}

const loggerOf = ({ logLevel }: Config): Logger => pino({ level: logLevel })

/** Serves on an open database, which is closed when that ends or cannot be. */
async function listen(
  database: OpenDatabase,
  config: Config,
  logger: Logger,
  countRequest: CountRequest,
): Promise<Pick<Running, 'address' | 'stop'> | { readonly problem: string }> {
  try {
    const server = await serverOn(database, config, logger, countRequest)
    await server.listen({ host: config.host, port: config.port })
    return {
      address: addressOf(server, config),
      stop: async () => {
        await server.close()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    const { code } = error as { code?: string }
    if (code === 'EADDRINUSE')
      return { problem: `Port ${config.port} on ${config.host} is taken. Stop what listens there, or set PORT.` }
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      return { problem: `Cannot listen on ${config.host}:${config.port} (${code}). Set HOST and PORT.` }
    throw error
  }
}

/** Opens the database for a command of the operator, through a running server where there is one. */
export const openForCommand = (place: DatabasePlace) => openMigrated(place, reachDatabase)

async function openMigrated(
  place: DatabasePlace,
  open: typeof openDatabase,
): Promise<{ readonly database: OpenDatabase } | { readonly problem: string }> {
  let database: OpenDatabase | undefined
  try {
    const opened = await open(place)
    if ('heldBy' in opened)
      return {
        problem: `The folder ${place.dataDir} is in use by ${opened.heldBy}. Stop that process, or set DATA_DIR to another folder.`,
      }
    database = opened
    const migrated = await migrate(database.pool)
    if (migrated.is === 'current') return { database }
    await database.close()
    return {
      problem:
        migrated.is === 'newer'
          ? `The database was migrated by a newer version of Lotkeeper (${migrated.unknown.join(', ')}). Start that version or a later one.`
          : `Migration ${migrated.file} was applied in another form than this program holds. Install the release the database belongs to.`,
    }
  } catch (error) {
    await database?.close().catch(() => undefined)
    const { message, code } = error as Error & { code?: string }
    return { problem: `The database cannot be opened: ${message || code || 'no cause given'}` }
  }
}

/** Makes the first key of a database that nobody has used yet. Only once the service listens: a start that fails shows no key, and the next would make none. */
async function firstKeyOn({ pool }: OpenDatabase): Promise<string | undefined> {
  if (await hasProviders(pool)) return undefined
  const provider = await provideProvider(pool, firstProviderName)
  return createApiKey(pool, { provider, role: 'administrator', label: 'first key', expiresAt: undefined }, firstStart)
}

/** The server on an open database, without listening. */
export function serverOn(
  { pool }: Pick<OpenDatabase, 'pool'>,
  config: Config,
  logger: Logger,
  countRequest: CountRequest = requestCounts(),
): Promise<FastifyInstance> {
  /** When each key's use was last noted, so that noting costs a statement a minute and not one per request. */
  const noted = new Map<string, number>()
  return buildServer({
    handlers: handlersAt({
      store: storeOn(pool),
      lost: (what) => logger.warn(what),
      settings: { lotNumberRequiredFrom: config.lotNumberRequiredFrom },
      createBytesMax: createBytesFactor * config.bodyLimitBytes,
    }),
    identify: (key) => identify(pool, key),
    noteUse: (caller) => {
      const now = Date.now()
      if (now - (noted.get(caller.keyId) ?? 0) < 60_000) return
      noted.set(caller.keyId, now)
      noteKeyUsed(pool, caller).catch(() => logger.warn({ keyId: caller.keyId }, 'The use of a key was not noted.'))
    },
    isUnavailable: (error) =>
      connectionLost(error) || cannotWriteNow(error) || error instanceof QueueFull || error instanceof PurgedMeanwhile,
    notReady: async () => ((await isReachable(pool)) ? undefined : 'The database does not answer.'),
    bodyLimitBytes: config.bodyLimitBytes,
    rateLimitPerMinute: config.rateLimitPerMinute,
    countRequest,
    trustProxy: config.trustProxy,
    consoleFolder,
    logger,
  })
}

/** What the records of one create may take together, in bodies of the largest size: shared lists are stored with each. */
const createBytesFactor = 4

function addressOf(server: FastifyInstance, { host }: Config): string {
  const { port } = server.server.address() as AddressInfo
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
