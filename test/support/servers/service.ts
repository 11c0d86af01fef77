// A real server on the database of the running test project, reached over real HTTP.
import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import { pino } from 'pino'
import { type Config, readConfig } from '../../../src/config.ts'
import type { Role } from '../../../src/contract/role.ts'
import { lateMsMax, type SetLimits, setLimitsOf } from '../../../src/limits.ts'
import { createApiKey } from '../../../src/store/base/api-keys.ts'
import { reachMigratedDatabase } from '../../../src/store/database/migrated-database.ts'
import { provideProvider } from '../../../src/store/database/providers.ts'
import { commandLine } from '../../../src/store/evidence/access-log.ts'
import { serverOn } from '../../../src/wiring.ts'
import { ownDatabase, type TestDatabase, testDatabase } from '../databases/database.ts'
import { allowMs } from '../patience.ts'
import { testSigner } from './signer.ts'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  /** Parsed JSON, or the text where it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies by name, and a wrong name fails the test
  readonly body: any
  readonly text: string
}

interface CallOptions {
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** Calls the service with one key. */
export type Call = (method: string, path: string, options?: CallOptions) => Promise<Reply>

export interface Service {
  readonly url: string
  readonly database: TestDatabase
  /**
   * A provider of its own, so that tests share a database without seeing each other; or the one of
   * this name.
   */
  provider(name?: string): Promise<TestProvider>
  close(): Promise<void>
}

export interface TestProvider {
  readonly id: string
  readonly name: string
  readonly call: Call
  key(role: Role, expiresAt?: Date): Promise<string>
}

/** The configuration of a server without any environment. */
export function testConfig(overrides: Partial<Config> = {}): Config & Pick<SetLimits, 'lateMsMax'> {
  const config = readConfig({})
  if ('problem' in config) throw new Error(config.problem)
  // Receivers of webhooks in tests are on this machine, which does more than the service's work.
  return { ...config, webhookAllowPrivate: true, lateMsMax: allowMs(lateMsMax), ...overrides }
}

/** Limits of a server that a test puts together itself. */
export const testLimits = setLimitsOf(testConfig({ bodyLimitBytes: 1_000_000, failedSignInsPerMinute: 0 }))

/**
 * A service with this configuration, on the database of the running project or on one of the test's
 * own; `onStatement` is told the name of each statement the database is asked.
 */
export async function startService(
  overrides: Partial<Config> = {},
  onStatement?: (name: string) => void,
  own?: TestDatabase,
  logger = pino({ level: 'silent' }),
): Promise<Service> {
  const database = own ?? (await testDatabase())
  const pool = onStatement === undefined ? database.pool : toldOf(database.pool, onStatement)
  const server = await serverOn({ pool }, testConfig(overrides), logger, testSigner)
  await server.listen({ host: '127.0.0.1', port: overrides.port ?? 0 })
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  return {
    url,
    database,
    provider: (name) => makeProvider(database.pool, url, name),
    close: async () => {
      await server.close()
      await database.close()
    },
  }
}

/**
 * A service on a database of its own: background work of other tests, which is for every provider
 * of a database, does not reach it.
 */
export async function startServiceAlone(
  overrides: Partial<Config> = {},
  onStatement?: (name: string) => void,
): Promise<Service> {
  const own = await ownDatabase()
  const opened = await reachMigratedDatabase(own.place)
  if ('problem' in opened) throw new Error(opened.problem)
  const { pool, close } = opened.database
  const kind = own.place.databaseUrl === undefined ? 'embedded' : 'postgresql'
  return startService(overrides, onStatement, {
    kind,
    pool,
    close: async () => {
      await close()
      await own.drop()
    },
  })
}

/** A service as it is configured without any environment, and a writer of a new provider. */
export async function startServiceWithWriter(): Promise<{
  readonly service: Service
  readonly call: Call
  readonly key: string
}> {
  const service = await startService()
  const provider = await service.provider()
  return { service, call: provider.call, key: await provider.key('writer') }
}

/** The pool, with somebody who is told of each statement. */
const toldOf = (pool: pg.Pool, onStatement: (name: string) => void): pg.Pool =>
  new Proxy(pool, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name)
      return (asked: { name?: string; text: string }) => {
        onStatement(asked.name ?? asked.text)
        return target.query(asked)
      }
    },
  })

/** A provider with a writer key, calling the service at `url`. */
export async function makeProvider(pool: pg.Pool, url: string, name = `test ${randomUUID()}`): Promise<TestProvider> {
  const id = await provideProvider(pool, name)
  const key = (role: Role, expiresAt?: Date) =>
    createApiKey(pool, { provider: id, role, label: 'test', expiresAt }, commandLine)
  return { id, name, key, call: calling(url, await key('writer')) }
}

/** The cookie of a new session of this key, as a browser sends it. */
export async function cookieOf(url: string, key: string, keep = false): Promise<string> {
  const reply = await calling(url, key)('POST', '/session', { body: { keep } })
  return reply.headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** Text and bytes as they are, other values as JSON. */
const sentBody = (body: unknown): string | Uint8Array<ArrayBuffer> =>
  body instanceof Uint8Array ? new Uint8Array(body) : typeof body === 'string' ? body : JSON.stringify(body)

/** Calls with this key, or with none. */
export const calling =
  (url: string, key: string | undefined): Call =>
  async (method, path, { body, headers = {} } = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        // fetch takes gzip unasked, whose ETags are others: see compression.test.ts.
        'accept-encoding': 'identity',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        body: sentBody(body),
      }),
    })
    const text = await response.text()
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '')
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : text,
    }
  }
