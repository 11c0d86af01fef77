// Providers, the tenants of the service. The operator creates them by name.
import { randomUUID } from 'node:crypto'
import { version } from '../../version.ts'
import { type Queryable, statement } from './statement.ts'

const insertProvider = statement<never, { provider: string; name: string }>(
  'insertProvider',
  `WITH made AS (
  INSERT INTO provider (provider_id, name) VALUES ($provider, $name) ON CONFLICT (name) DO NOTHING
  RETURNING provider_id
), looked_at AS (
  INSERT INTO alert_look (provider_id) SELECT provider_id FROM made
)
INSERT INTO recount (provider_id, counted_by)
SELECT provider_id, $version FROM made`,
  { defaults: { version } },
)

const providerByName = statement.one<{ provider: string }, { name: string }>(
  'providerByName',
  `SELECT provider_id AS provider FROM provider WHERE name = $name`,
)

/** Id of the provider with this name; undefined if there is none. */
export const findProvider = async (db: Queryable, name: string): Promise<string | undefined> =>
  (await providerByName(db, { name }))?.provider

/** Id of the provider with this name, created if there is none. */
export async function provideProvider(db: Queryable, name: string): Promise<string> {
  await insertProvider(db, { provider: randomUUID(), name })
  const provider = await findProvider(db, name)
  if (provider === undefined) throw new Error(`Provider ${name} was neither found nor made.`)
  return provider
}

const providerName = statement.one<{ name: string }, { provider: string }>(
  'providerName',
  `SELECT name FROM provider WHERE provider_id = $provider`,
)

/** Name of the provider. */
export async function readProviderName(db: Queryable, provider: string): Promise<string> {
  const row = await providerName(db, { provider })
  if (row === undefined) throw new Error(`There is no provider ${provider}.`)
  return row.name
}

/** Every provider, for the operator. */
export const allProviders = statement<{ provider: string; name: string }, void>(
  'allProviders',
  `SELECT provider_id AS provider, name FROM provider ORDER BY name`,
)

const anyProvider = statement.one<{ any: boolean }, void>(
  'anyProvider',
  `SELECT EXISTS (SELECT 1 FROM provider) AS any`,
)

/** False for an unused database. */
export const hasProviders = async (db: Queryable): Promise<boolean> => (await anyProvider(db))?.any ?? false
