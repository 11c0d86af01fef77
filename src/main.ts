// The one place where the rooms are wired together.
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { handlersAt } from './handlers/catalogue.ts'
import { buildServer } from './http/server.ts'
import { createApiKey, identify, noteKeyUsed } from './store/api-keys.ts'
import { type DatabasePlace, type OpenDatabase, openDatabase, reachDatabase } from './store/database.ts'
import { cannotWriteNow, connectionLost } from './store/database-errors.ts'
import { QueueFull } from './store/grouped.ts'
import { migrate } from './store/migrate.ts'
import { hasProviders, isReachable, provideProvider } from './store/providers.ts'
import { storeOn } from './store/store.ts'

export interface Running {
  readonly address: string
  readonly databaseName: string
  /** The first key, when this start made it. */
  readonly firstKey: string | undefined
  /** Answers what is under way, then closes. */
  stop(): Promise<void>
}

/** Name of the provider that the first start of an empty database makes. */
const firstProviderName = 'default'

/** Opens the database, brings its schema up to date, and serves. `problem` is one line for the operator. */
export async function start(config: Config): Promise<Running | { readonly problem: string }> {
  const logger = pino({ level: config.logLevel })
  const opened = await openMigrated(config, openDatabase)
  if ('problem' in opened) return opened
  const { database } = opened
  try {
    const firstKey = (await hasProviders(database.pool)) ? undefined : await firstKeyOf(database)
    const server = await serverOn(database, config, logger)
    await server.listen({ host: config.host, port: config.port })
    return {
      address: addressOf(server, config),
      databaseName: database.name,
      firstKey,
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

async function firstKeyOf({ pool }: OpenDatabase): Promise<string> {
  const provider = await provideProvider(pool, firstProviderName)
  return createApiKey(pool, { provider, role: 'writer', label: 'first key', expiresAt: undefined })
}

/** The server on an open database, without listening. */
export function serverOn(
  { pool }: Pick<OpenDatabase, 'pool'>,
  config: Config,
  logger: Logger,
): Promise<FastifyInstance> {
  /** When each key's use was last noted, so that noting costs a statement a minute and not one per request. */
  const noted = new Map<string, number>()
  return buildServer({
    handlers: handlersAt({
      store: storeOn(pool),
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
    isUnavailable: (error) => connectionLost(error) || cannotWriteNow(error) || error instanceof QueueFull,
    notReady: async () => ((await isReachable(pool)) ? undefined : 'The database does not answer.'),
    bodyLimitBytes: config.bodyLimitBytes,
    rateLimitPerMinute: config.rateLimitPerMinute,
    trustProxy: config.trustProxy,
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
