// The size of the database, as PostgreSQL knows it without counting.
import { readCluster } from './distribute.ts'
import { type Queryable, statement } from './statement.ts'

// A table without partitions is not in a tree.
const estimatedRows = statement<{ table: string; rows: number }, { tables: readonly string[] }>(
  'estimatedRows',
  `SELECT t.name AS "table", sum(c.reltuples)::float8 AS rows
   FROM unnest($tables::text[]) AS t (name)
   LEFT JOIN LATERAL pg_partition_tree(to_regclass(t.name)) AS p ON true
   JOIN pg_catalog.pg_class c ON c.oid = coalesce(p.relid, to_regclass(t.name))
   WHERE p.isleaf IS NOT FALSE AND c.reltuples >= 0
   GROUP BY t.name`,
)

const databaseBytes = statement.one<{ bytes: number }, void>(
  'databaseBytes',
  `SELECT pg_database_size(current_database())::float8 AS bytes`,
)

/** Tables whose row counts are reported. */
const tables = [
  'record',
  'record_version',
  'event',
  'event_code',
  'master_product',
  'location',
  'idempotency_key',
  'awaiting_recount',
  'awaiting_search',
  'search_block',
]

export interface Sizes {
  readonly bytes: number
  /** By table; a table that was never analysed is left out. */
  readonly rows: Readonly<Record<string, number>>
}

/**
 * Of the database on a node of a cluster, by the shards there: the catalogue of tables hides them.
 */
const sizesOnNode = `SELECT json_build_object('bytes', pg_database_size(current_database()), 'rows', (
  SELECT json_object_agg(t.name, t.rows) FROM (
    SELECT coalesce(pg_partition_root(s.logicalrelid), s.logicalrelid)::text AS name,
           sum(pg_stat_get_live_tuples(to_regclass(shard_name(s.logicalrelid, s.shardid)))) AS rows
    FROM pg_dist_shard s GROUP BY 1
  ) t
  WHERE t.rows IS NOT NULL AND t.name IN (${tables.map((name) => `'${name}'`).join(', ')})
))`

const askNodes = statement<{ success: boolean; result: string }, { command: string }>(
  'sizesOfNodes',
  `SELECT success, result FROM run_command_on_all_nodes($command::text)`,
)

/** The sizes of all nodes together; throws while one does not answer. */
async function readSizesOfNodes(db: Queryable): Promise<Sizes> {
  const rows: Record<string, number> = {}
  let bytes = 0
  for (const { success, result } of await askNodes(db, { command: sizesOnNode })) {
    if (!success) throw new Error(result)
    const node: { readonly bytes: number; readonly rows: Sizes['rows'] | null } = JSON.parse(result)
    bytes += node.bytes
    for (const [table, count] of Object.entries(node.rows ?? {})) rows[table] = (rows[table] ?? 0) + count
  }
  return { bytes, rows }
}

/** Estimated rows of the tables that grow, and bytes of the database. */
export async function readSizes(db: Queryable): Promise<Sizes> {
  if (((await readCluster(db))?.distributed.length ?? 0) > 0) return readSizesOfNodes(db)
  const [rows, size] = [await estimatedRows(db, { tables }), await databaseBytes(db)]
  return { bytes: size?.bytes ?? 0, rows: Object.fromEntries(rows.map((row) => [row.table, row.rows])) }
}
