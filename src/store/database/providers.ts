// Providers, the tenants of the service. The operator creates them by name.
import { randomUUID } from 'node:crypto'
import { version } from '../../version.ts'
import { type Queryable, statement } from './statement.ts'

const insertProvider = statement(
  'insertProvider',
  `WITH made AS (
  INSERT INTO provider (provider_id, name) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING
  RETURNING provider_id
), looked_at AS (
  INSERT INTO alert_look (provider_id) SELECT provider_id FROM made
)
INSERT INTO recount (provider_id, counted_by)
SELECT provider_id, $3 FROM made`,
)

const providerByName = statement<{ provider: string }>(
  'providerByName',
  `SELECT provider_id AS provider FROM provider WHERE name = $1`,
)

/** Id of the provider with this name; undefined if there is none. */
export const findProvider = async (db: Queryable, name: string): Promise<string | undefined> =>
  (await providerByName(db, [name]))[0]?.provider

/** Id of the provider with this name, created if there is none. */
export async function provideProvider(db: Queryable, name: string): Promise<string> {
  await insertProvider(db, [randomUUID(), name, version])
  const provider = await findProvider(db, name)
  if (provider === undefined) throw new Error(`Provider ${name} was neither found nor made.`)
  return provider
}

const providerName = statement<{ name: string }>('providerName', `SELECT name FROM provider WHERE provider_id = $1`)

/** Name of the provider. */
export async function readProviderName(db: Queryable, provider: string): Promise<string> {
  const [row] = await providerName(db, [provider])
  if (row === undefined) throw new Error(`There is no provider ${provider}.`)
  return row.name
}

const everyProvider = statement<{ provider: string; name: string }>(
  'allProviders',
  `SELECT provider_id AS provider, name FROM provider ORDER BY name`,
)

/** Every provider, for the operator. */
export const allProviders = (db: Queryable) => everyProvider(db, [])

const anyProvider = statement<{ any: boolean }>('anyProvider', `SELECT EXISTS (SELECT 1 FROM provider) AS any`)

/** False for an unused database. */
export const hasProviders = async (db: Queryable): Promise<boolean> => (await anyProvider(db, []))[0]?.any ?? false
