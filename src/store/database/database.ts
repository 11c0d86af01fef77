// Opens the database: a PostgreSQL server if configured, otherwise the embedded one. Both return a
// pg pool (decisions 0021, 0060).
import pg from 'pg'
import { openEmbeddedDatabase, reachRunningDatabase } from 'pglite-pool'
import { declareLimit } from '../../limits.ts'
import { signingKeyName } from '../../signing-key.ts'
import { type DatabasePlace, serverAddress } from './database-place.ts'
import { ServerPool } from './server-pool.ts'
import { statement } from './statement.ts'
import { watchedClient } from './watched-client.ts'

export interface OpenDatabase {
  readonly pool: pg.Pool
  /** Its name for people, without a password. */
  readonly name: string
  close(): Promise<void>
}

export const statementMsMax = declareLimit('statement', 30_000, 'ms', 'Time for a statement of the database.')
const connectionWaitMsMax = declareLimit('connectionWait', 3_000, 'ms', 'Waiting time for a connection to PostgreSQL.')
/** How long a statement waits for a node of a cluster that also answers no other node. */
const silentAwayMsMax = 5_000
/**
 * Connections of one process. More than a few times the cores of the database do not make writes
 * faster.
 */
const connectionsMax = 10
/**
 * Connections of all workers together, beyond one for each: a server with default settings accepts
 * about a hundred.
 */
const connectionsTogetherMax = 60

/** Texts of the embedded database about its folder, and the other files in it. */
export const folderOptions = { label: 'DATA_DIR', otherFiles: [signingKeyName] }

/** Opens the database for a server. `heldBy` names the process that has the embedded one open. */
export async function openDatabase(place: DatabasePlace): Promise<OpenDatabase | { readonly heldBy: string }> {
  if (place.databaseUrl !== undefined) return openServer(place.databaseUrl, place.workers)
  const embedded = await openEmbeddedDatabase(place.dataDir, {
    ...folderOptions,
    statementTimeoutMs: statementMsMax,
  })
  if ('heldBy' in embedded) return embedded
  return asOpen(new pg.Pool(embedded.poolConfig), `embedded database in ${place.dataDir}`, () => embedded.close())
}

/**
 * Opens the database for a command. If a server has the embedded one open, the command goes through
 * that server.
 */
export async function reachDatabase(place: DatabasePlace): Promise<OpenDatabase | { readonly heldBy: string }> {
  if (place.databaseUrl !== undefined) return openServer(place.databaseUrl, place.workers)
  const running = await reachRunningDatabase(place.dataDir)
  if (running !== undefined)
    return asOpen(new pg.Pool(running), `embedded database in ${place.dataDir}, through the running server`)
  return openDatabase(place)
}

function openServer(databaseUrl: string, workers = 1): OpenDatabase {
  const pool: ServerPool = new ServerPool({
    connectionString: databaseUrl,
    max: Math.max(1, Math.min(connectionsMax, Math.floor(connectionsTogetherMax / workers))),
    connectionTimeoutMillis: connectionWaitMsMax,
    onConnect: limitStatements,
    Client: watchedClient((client) => (pool.isAway(client) ? silentAwayMsMax : statementMsMax + 5_000)),
    keepAlive: true,
    application_name: 'lotkeeper',
  })
  return asOpen(pool, `PostgreSQL at ${serverAddress(databaseUrl)}`)
}

/**
 * Limits the time of the statements of a connection, unless its role has a limit as short. Not a
 * startup parameter: PgBouncer refuses it, or ignores it in silence. Not prepared: behind a pooler,
 * connections to the server are older than this one.
 */
const limitConnection = statement<never, { limit: string }>(
  'limitConnection',
  `SELECT set_config('statement_timeout', $limit::text, false)
   WHERE NOT current_setting('statement_timeout')::interval BETWEEN interval '1 ms' AND $limit::text::interval`,
  { planned: 'each time' },
)

const limitStatements = async (client: pg.ClientBase): Promise<void> => {
  await limitConnection(client, { limit: `${statementMsMax}ms` })
}

function asOpen(pool: pg.Pool, name: string, closeAfter: () => Promise<void> = async () => undefined): OpenDatabase {
  // A broken idle connection is replaced at the next use. Without a listener, its event would end
  // the process.
  pool.on('error', () => undefined)
  return {
    pool,
    name,
    async close() {
      await pool.end()
      await closeAfter()
    },
  }
}
