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

/**
 * Id of the provider with this name, created if there is none: then every node of a cluster takes
 * part.
 */
export async function provideProvider(db: Queryable, name: string): Promise<string> {
  const found = await findProvider(db, name)
  if (found !== undefined) return found
  await insertProvider(db, { provider: randomUUID(), name })
  const provider = await findProvider(db, name)
  if (provider === undefined) throw new Error(`Provider ${name} was neither found nor made.`)
  return provider
}

const providerName = statement.one<{ name: string }, { provider: string }>(
  'providerName',
  `SELECT name FROM provider WHERE provider_id = $provider
   UNION ALL
   SELECT name FROM partner_account WHERE provider_id = $provider`,
)

/** Name of the provider; of an account, that of its partner. */
export async function readProviderName(db: Queryable, provider: string): Promise<string> {
  const row = await providerName(db, { provider })
  if (row === undefined) throw new Error(`There is no provider ${provider}.`)
  return row.name
}

interface NamedProvider {
  readonly provider: string
  readonly name: string
}

/** Every provider, without the accounts of partners. */
export const namedProviders = statement<NamedProvider, void>(
  'namedProviders',
  `SELECT provider_id AS provider, name FROM provider ORDER BY name`,
)

/** The accounts of partners of these providers, also of deleted partners. */
export const accountsOf = statement<{ provider: string; account: string }, { providers: readonly string[] }>(
  'accountsOfProviders',
  `SELECT r.provider_id AS provider, r.account_id AS account FROM (
  SELECT p.provider_id, p.account_id FROM partner p WHERE p.provider_id = ANY ($providers::uuid[]) AND p.deleted_at IS NULL
  UNION ALL
  SELECT p.provider_id, p.account_id FROM deleted_partner p WHERE p.provider_id = ANY ($providers::uuid[])
) r`,
)

/** A provider, or the account of a partner. */
interface ReachedProvider extends NamedProvider {
  /** True on a node of a cluster that is away. The accounts there are not known. */
  readonly isAway: boolean
}

/** Every provider, for the operator, each with the accounts of its partners. */
export async function allProviders(db: Queryable): Promise<readonly ReachedProvider[]> {
  const named = await namedProviders(db)
  const { nodes } = db
  const inReach = nodes === undefined || nodes.away.length === 0 ? undefined : new Set(await nodes.providersInReach())
  const all = named.map((one) => ({ ...one, isAway: inReach?.has(one.provider) === false, accounts: [] as string[] }))
  const reached = new Map(all.flatMap((one) => (one.isAway ? [] : [[one.provider, one.accounts] as const])))
  for (const { provider, account } of await accountsOf(db, { providers: [...reached.keys()] }))
    reached.get(provider)?.push(account)
  return all.flatMap(({ accounts, ...one }) => [
    one,
    ...accounts.map((account) => ({ provider: account, name: `partner ${account}`, isAway: false })),
  ])
}

const anyProvider = statement.one<{ any: boolean }, void>(
  'anyProvider',
  `SELECT EXISTS (SELECT 1 FROM provider) AS any`,
)

/** False for an unused database. */
export const hasProviders = async (db: Queryable): Promise<boolean> => (await anyProvider(db))?.any ?? false
