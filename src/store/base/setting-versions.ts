// Versions of editable objects beside records: partners, webhooks, keys and lists of settings. A
// statement that changes one raises its version if it may follow the current one, and otherwise
// changes nothing. Source: decision 0013.
import { type Queryable, statement } from '../database/statement.ts'
import { multirangeOf, type VersionSet } from './writes.ts'

/** Lists, each edited as a whole, and empty at version 0. */
const settingLists = [
  'alertSetting',
  'captureSender',
  'displayName',
  'exemptPlace',
  'legalHold',
  'listView',
  'shipNoticeSender',
  'sourceAddress',
  'timeZone',
  'unitConversion',
  'vendorTarget',
] as const

/** A list of settings, or the id of a partner, webhook or key, which begins with version 1. */
export type Edited = (typeof settingLists)[number] | (string & {})

const firstVersion = (edited: Edited): number => (settingLists.some((list) => list === edited) ? 0 : 1)

/**
 * The guard of a statement, included in its text, with the parameters of `guardOf`. Its row makes
 * others wait until the statement ends.
 */
export const versionRaised = `UPDATE setting_version v SET version = v.version + 1
  WHERE v.provider_id = $provider AND v.id = $edited::text
    AND ($allowed::int4multirange IS NULL OR v.version <@ $allowed::int4multirange)`

const current = statement.one<{ version: number }, { provider: string; edited: Edited }>(
  'settingVersion',
  'SELECT version FROM setting_version WHERE provider_id = $provider AND id = $edited',
)

/** Read before the object: a write in between then makes the version too old. */
export const versionOfSetting = async (db: Queryable, provider: string, edited: Edited): Promise<number> =>
  (await current(db, { provider, edited }))?.version ?? firstVersion(edited)

const provide = statement<never, { provider: string; edited: Edited; version: number }>(
  'provideSettingVersion',
  `INSERT INTO setting_version (provider_id, id, version) VALUES ($provider, $edited, $version)
   ON CONFLICT (provider_id, id) DO NOTHING`,
)

/** Parameters of a guard. */
export interface Guard {
  readonly provider: string
  readonly edited: Edited
  /** The versions that the write may follow, as a multirange; null: any. */
  readonly allowed: string | null
}

/** Gives a guard its row, and the statement its parameters. */
export async function guardOf(
  db: Queryable,
  provider: string,
  edited: Edited,
  allowed: VersionSet | undefined,
): Promise<Guard> {
  await provide(db, { provider, edited, version: firstVersion(edited) })
  return { provider, edited, allowed: allowed === undefined ? null : multirangeOf(allowed) }
}
