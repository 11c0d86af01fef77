// The size of the database, as PostgreSQL knows it without counting.
import { type Queryable, statement } from './statement.ts'

const estimatedRows = statement<{ table: string; rows: number }, { tables: readonly string[] }>(
  'estimatedRows',
  `SELECT t.name AS "table", sum(c.reltuples)::float8 AS rows
   FROM unnest($tables::text[]) AS t (name)
   CROSS JOIN LATERAL pg_partition_tree(to_regclass(t.name)) AS p
   JOIN pg_catalog.pg_class c ON c.oid = p.relid
   WHERE p.isleaf AND c.reltuples >= 0
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
]

export interface Sizes {
  readonly bytes: number
  /** By table; a table that was never analysed is left out. */
  readonly rows: Readonly<Record<string, number>>
}

/** Estimated rows of the tables that grow, and bytes of the database. */
export async function readSizes(db: Queryable): Promise<Sizes> {
  const [rows, size] = [await estimatedRows(db, { tables }), await databaseBytes(db)]
  return { bytes: size?.bytes ?? 0, rows: Object.fromEntries(rows.map((row) => [row.table, row.rows])) }
}
