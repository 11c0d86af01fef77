// Checks once, before the service starts, whether a PostgreSQL server and any pooler in front of it
// can be used. A pooler may drop settings of a connection without an error.
import type { Pool, PoolClient } from 'pg'
import { statementMsMax } from './database.ts'
import type { OpeningProblem } from './opening-problem.ts'
import { type Queryable, statement } from './statement.ts'

const oldestMajor = 15

/** What a server reports about itself. */
export interface ServerFacts {
  readonly version: string
  /** Major version × 10,000, and the minor one. */
  readonly number: number
  readonly encoding: string
  readonly isReadOnly: boolean
}

// No provider: these belong to the server.
const serverFacts = statement.one<ServerFacts, void>(
  'serverFacts',
  `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::integer AS number,
          current_setting('server_encoding') AS encoding, current_setting('transaction_read_only') = 'on' AS "isReadOnly"`,
)

export async function readServerFacts(db: Queryable): Promise<ServerFacts> {
  const facts = await serverFacts(db)
  if (facts === undefined) throw new Error('The server says nothing of itself.')
  return facts
}

/** Limit of the role or of the database, in milliseconds: connections begin with it. 0 is none. */
const defaultStatementLimit = statement.one<{ ms: number }, void>(
  'defaultStatementLimit',
  `SELECT reset_val::integer AS ms FROM pg_catalog.pg_settings WHERE name = 'statement_timeout'`,
)

const backendProcess = statement.one<{ pid: number }, void>('backendProcess', `SELECT pg_backend_pid() AS pid`)

/** Why this server cannot be used, or undefined. */
export async function serverProblem(pool: Pool): Promise<OpeningProblem | undefined> {
  const { version, number, encoding } = await readServerFacts(pool)
  if (number < oldestMajor * 10_000)
    return {
      found: `The database is PostgreSQL ${version}, which is too old.`,
      remedy: `Upgrade it to version ${oldestMajor} or later.`,
    }
  if (encoding !== 'UTF8')
    return {
      found: `The database has the encoding ${encoding}, which cannot hold every name and lot code.`,
      remedy: "Create it again: CREATE DATABASE … OWNER … ENCODING 'UTF8' TEMPLATE template0.",
    }
  return undefined
}

/**
 * Why the pooler in front of the server cannot be used, or undefined, also without a pooler. One
 * that loses prepared statements fails here with an error of the server.
 */
export async function poolerProblem(pool: Pool): Promise<OpeningProblem | undefined> {
  if (!(await sharesConnections(pool))) return undefined
  const limit = await defaultStatementLimit(pool)
  if (limit !== undefined && limit.ms > 0 && limit.ms <= statementMsMax) return undefined
  return {
    found:
      'The pooler in front of the database gives each transaction another connection, so the time limit of statements would be lost.',
    remedy: `Give the role the limit, in PostgreSQL: ALTER ROLE … SET statement_timeout = '${statementMsMax / 1_000}s'. Then let the pooler open new connections (RECONNECT in PgBouncer).`,
  }
}

/** Poolers that choose connections at random show it in one of these. */
const rounds = 5
/** Longest wait for the connection of a pooler that the other client has, in milliseconds. */
const waitMsMax = 2_000

/**
 * Without a pooler, and with one that keeps a connection for each client, two clients have two
 * server processes, each always the same.
 */
async function sharesConnections(pool: Pool): Promise<boolean> {
  const clients: PoolClient[] = []
  let failure: Error | undefined
  try {
    const one = await pool.connect()
    clients.push(one)
    const other = await pool.connect()
    clients.push(other)
    for (let round = 0; round < rounds; round++) if (await areShared(one, other)) return true
    return false
  } catch (error) {
    failure = error as Error
    throw error
  } finally {
    for (const client of clients) client.release(failure)
  }
}

async function areShared(one: PoolClient, other: PoolClient): Promise<boolean> {
  const before = await backendProcess(one)
  await other.query('BEGIN')
  let answering: Promise<{ readonly pid: number } | undefined>
  let held: { readonly pid: number } | undefined
  try {
    held = await backendProcess(other)
    answering = backendProcess(one)
    // Awaited below, unless the other client fails first.
    answering.catch(() => undefined)
    // A pooler with a single connection answers only when the other one gives it back.
    await Promise.race([answering, nothingAfter(waitMsMax)])
  } finally {
    await other.query('ROLLBACK')
  }
  // A late answer is compared like any other: a busy server is late as well.
  const after = await answering
  return before?.pid === held?.pid || before?.pid !== after?.pid
}

const nothingAfter = (ms: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(resolve, ms, undefined).unref())
