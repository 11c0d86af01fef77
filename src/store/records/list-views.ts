// Saved views of tables; each belongs to the key that saved it.

import { type Guard, guardOf, versionRaised } from '../base/setting-versions.ts'
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

/** Views of a key, and shared ones of other keys, up to so many of each. */
export const findListViews = statement<StoredListView, { provider: string; keyId: string; limit: number }>(
  'listViews',
  `(SELECT ${shown} FROM list_view v WHERE v.provider_id = $provider AND v.saved_by = $keyId ORDER BY v.name, v.id LIMIT $limit)
   UNION ALL
   (SELECT ${shown} FROM list_view v WHERE v.provider_id = $provider AND v.saved_by <> $keyId AND v.shared ORDER BY v.name, v.id LIMIT $limit)
   ORDER BY name, id`,
)

const save = statement.one<
  Partial<StoredListView> & { fits: boolean; version: number | null },
  Guard & SavedView & { id: string }
>(
  'saveListView',
  `WITH counted AS MATERIALIZED (
  SELECT count(*) < $most OR count(*) FILTER (WHERE list = $list::text AND name = $name::text) > 0 AS fits
  FROM list_view
  WHERE provider_id = $provider AND saved_by = $keyId::text
), edited AS (
  ${versionRaised} AND EXISTS (SELECT 1 FROM counted WHERE fits)
  RETURNING v.version
), v AS (
  INSERT INTO list_view (provider_id, saved_by, id, list, name, query, shared)
  SELECT $provider, $keyId::text, $id::uuid, $list::text, $name::text, $query::text, $shared::boolean
  FROM edited
  ON CONFLICT (provider_id, saved_by, list, name) DO UPDATE SET query = excluded.query, shared = excluded.shared, saved_at = excluded.saved_at
  RETURNING *
)
SELECT c.fits, e.version, ${shown} FROM counted c LEFT JOIN edited e ON true LEFT JOIN v ON true`,
)

/** A view to save, of a key that may have `most`. */
interface SavedView extends Pick<StoredListView, 'list' | 'name' | 'query' | 'shared'> {
  readonly keyId: string
  readonly most: number
}

/**
 * Saves a view, which replaces the key's view of this name. `tooMany`: the key has the most it may
 * have. `stale`: the views are at another version than those it may follow.
 */
export const insertListView = async (
  db: Queryable,
  provider: string,
  saved: SavedView,
  allowed?: VersionSet,
): Promise<(StoredListView & { readonly version: number }) | 'tooMany' | 'stale'> => {
  const guard = await guardOf(db, provider, 'listView', allowed)
  const row = await save(db, { ...saved, id: newEntryId(), ...guard })
  if (row === undefined || !row.fits) return 'tooMany'
  const { fits: _, version, ...view } = row
  return version === null ? 'stale' : { ...(view as StoredListView), version }
}

const remove = statement.one<
  Partial<StoredListView> & { isThere: boolean; version: number | null },
  Guard & { keyId: string; id: string }
>(
  'deleteListView',
  `WITH found AS MATERIALIZED (
  SELECT id FROM list_view WHERE provider_id = $provider AND id = $id::uuid AND (saved_by = $keyId::text OR shared)
), edited AS (
  ${versionRaised} AND EXISTS (SELECT 1 FROM found)
  RETURNING v.version
), v AS (
  DELETE FROM list_view l USING edited WHERE l.provider_id = $provider AND l.id IN (SELECT id FROM found) RETURNING l.*
)
SELECT f.id IS NOT NULL AS "isThere", e.version, ${shown}
FROM (SELECT 1) one LEFT JOIN found f ON true LEFT JOIN edited e ON true LEFT JOIN v ON true`,
)

/**
 * The deleted view, of the key or shared; undefined if there is none with this id. `stale`: the
 * views are at another version than those it may follow.
 */
export const removeListView = async (
  db: Queryable,
  provider: string,
  deleted: { readonly keyId: string; readonly id: string },
  allowed?: VersionSet,
): Promise<StoredListView | 'stale' | undefined> => {
  const row = await remove(db, { ...deleted, ...(await guardOf(db, provider, 'listView', allowed)) })
  if (row === undefined || !row.isThere) return undefined
  const { isThere: _, version, ...view } = row
  if (version === null) return 'stale'
  // Somebody else may have deleted it just now.
  return view.id === null ? undefined : (view as StoredListView)
}
