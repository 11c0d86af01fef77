// Versions of editable objects beside records: partners, webhooks, keys and lists of settings. A
// statement that changes one raises its version if it may follow the current one, and otherwise
// changes nothing. Source: decision 0013.
import { type Queryable, statement } from '../database/statement.ts'
import { multirangeOf, type VersionSet } from './writes.ts'

/** Lists of settings, each edited as a whole, and empty at version 0. */
const settingLists = [
  'alertSetting',
  'captureSender',
  'listView',
  'shipNoticeSender',
  'timeZone',
  'vendorTarget',
] as const

/** A list of settings, or the id of a partner, webhook or key, which begins with version 1. */
export type Edited = (typeof settingLists)[number] | (string & {})

const firstVersion = (edited: Edited): number => (settingLists.some((list) => list === edited) ? 0 : 1)

/**
 * The guard of a statement, included in its text. $2 is the edited object, and $3 the versions that
 * the write may follow (`allowedVersions`). Its row makes others wait until the statement ends.
 */
export const versionRaised = `UPDATE setting_version v SET version = v.version + 1
  WHERE v.provider_id = $1 AND v.id = $2::text AND ($3::int4multirange IS NULL OR v.version <@ $3::int4multirange)`

/** $3 of a guard; undefined: any version. */
export const allowedVersions = (allowed: VersionSet | undefined): string | null =>
  allowed === undefined ? null : multirangeOf(allowed)

const current = statement<{ version: number }>(
  'settingVersion',
  'SELECT version FROM setting_version WHERE provider_id = $1 AND id = $2',
)

/** Read before the object: a write in between then makes the version too old. */
export const versionOfSetting = async (db: Queryable, provider: string, edited: Edited): Promise<number> =>
  (await current(db, [provider, edited]))[0]?.version ?? firstVersion(edited)

const provide = statement(
  'provideSettingVersion',
  'INSERT INTO setting_version (provider_id, id, version) VALUES ($1, $2, $3) ON CONFLICT (provider_id, id) DO NOTHING',
)

/** Gives a guard its row. */
export const provideSettingVersion = async (db: Queryable, provider: string, edited: Edited): Promise<void> => {
  await provide(db, [provider, edited, firstVersion(edited)])
}
