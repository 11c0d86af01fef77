// Saved views of tables; each belongs to the key that saved it.

import { allowedVersions, provideSettingVersion, versionRaised } from '../base/setting-versions.ts'
import type { VersionSet } from '../base/writes.ts'
import { type Queryable, statement } from '../database/statement.ts'
import { newEntryId } from '../evidence/access-log.ts'

export interface StoredListView {
  readonly id: string
  readonly list: string
  readonly name: string
  readonly query: string
  readonly shared: boolean
  readonly savedBy: string
  readonly savedAt: Date
}

const shown = 'v.id, v.list, v.name, v.query, v.shared, v.saved_by AS "savedBy", v.saved_at AS "savedAt"'

const views = statement<StoredListView>(
  'listViews',
  `(SELECT ${shown} FROM list_view v WHERE v.provider_id = $1 AND v.saved_by = $2 ORDER BY v.name, v.id LIMIT $3)
   UNION ALL
   (SELECT ${shown} FROM list_view v WHERE v.provider_id = $1 AND v.saved_by <> $2 AND v.shared ORDER BY v.name, v.id LIMIT $3)
   ORDER BY name, id`,
)

/** Views of a key, and shared ones of other keys, up to so many of each. */
export const findListViews = (
  db: Queryable,
  provider: string,
  keyId: string,
  limit: number,
): Promise<StoredListView[]> => views(db, [provider, keyId, limit])

const save = statement<Partial<StoredListView> & { fits: boolean; version: number | null }>(
  'saveListView',
  `WITH counted AS MATERIALIZED (
  SELECT count(*) < $10 OR count(*) FILTER (WHERE list = $6::text AND name = $7::text) > 0 AS fits
  FROM list_view
  WHERE provider_id = $1 AND saved_by = $4::text
), edited AS (
  ${versionRaised} AND EXISTS (SELECT 1 FROM counted WHERE fits)
  RETURNING v.version
), v AS (
  INSERT INTO list_view (provider_id, saved_by, id, list, name, query, shared)
  SELECT $1, $4::text, $5::uuid, $6::text, $7::text, $8::text, $9::boolean
  FROM edited
  ON CONFLICT (provider_id, saved_by, list, name) DO UPDATE SET query = excluded.query, shared = excluded.shared, saved_at = excluded.saved_at
  RETURNING *
)
SELECT c.fits, e.version, ${shown} FROM counted c LEFT JOIN edited e ON true LEFT JOIN v ON true`,
)

/**
 * Saves a view, which replaces the key's view of this name. `tooMany`: the key has the most it may
 * have. `stale`: the views are at another version than those it may follow.
 */
export const insertListView = async (
  db: Queryable,
  provider: string,
  keyId: string,
  { list, name, query, shared }: Pick<StoredListView, 'list' | 'name' | 'query' | 'shared'>,
  most: number,
  allowed?: VersionSet,
): Promise<(StoredListView & { readonly version: number }) | 'tooMany' | 'stale'> => {
  const values = [keyId, newEntryId(), list, name, query, shared, most]
  await provideSettingVersion(db, provider, 'listView')
  const [row] = await save(db, [provider, 'listView', allowedVersions(allowed), ...values])
  if (row === undefined || !row.fits) return 'tooMany'
  const { fits: _, version, ...view } = row
  return version === null ? 'stale' : { ...(view as StoredListView), version }
}

const remove = statement<StoredListView>(
  'deleteListView',
  `WITH v AS (
  DELETE FROM list_view WHERE provider_id = $1 AND id = $3 AND (saved_by = $2 OR shared) RETURNING *
), raised AS (
  UPDATE setting_version s SET version = s.version + 1 FROM v WHERE s.provider_id = $1 AND s.id = 'listView'
)
SELECT ${shown} FROM v`,
)

/** The deleted view, of the key or shared; undefined if there is none with this id. */
export const removeListView = async (
  db: Queryable,
  provider: string,
  keyId: string,
  id: string,
): Promise<StoredListView | undefined> => (await remove(db, [provider, keyId, id]))[0]
