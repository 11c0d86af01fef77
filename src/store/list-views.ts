// Saved views of tables; each belongs to the key that saved it.
import { newEntryId } from './access-log.ts'
import { type Queryable, statement } from './statement.ts'

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

const save = statement<StoredListView>(
  'saveListView',
  `WITH counted AS MATERIALIZED (
  SELECT count(*) AS views, count(*) FILTER (WHERE list = $4::text AND name = $5::text) AS same
  FROM list_view
  WHERE provider_id = $1 AND saved_by = $2::text
), v AS (
  INSERT INTO list_view (provider_id, saved_by, id, list, name, query, shared)
  SELECT $1, $2::text, $3::uuid, $4::text, $5::text, $6::text, $7::boolean
  FROM counted
  WHERE views < $8 OR same > 0
  ON CONFLICT (provider_id, saved_by, list, name) DO UPDATE SET query = excluded.query, shared = excluded.shared, saved_at = excluded.saved_at
  RETURNING *
)
SELECT ${shown} FROM v`,
)

/**
 * Saves a view, which replaces the key's view of this name. Undefined if the key has the most it
 * may have.
 */
export const insertListView = async (
  db: Queryable,
  provider: string,
  keyId: string,
  { list, name, query, shared }: Pick<StoredListView, 'list' | 'name' | 'query' | 'shared'>,
  most: number,
): Promise<StoredListView | undefined> =>
  (await save(db, [provider, keyId, newEntryId(), list, name, query, shared, most]))[0]

const remove = statement<StoredListView>(
  'deleteListView',
  `WITH v AS (
  DELETE FROM list_view WHERE provider_id = $1 AND id = $3 AND (saved_by = $2 OR shared) RETURNING *
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
