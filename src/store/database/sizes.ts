// The size of the database, as PostgreSQL knows it without counting.
import { type Queryable, statement } from './statement.ts'

const estimatedRows = statement<{ table: string; rows: number }>(
  'estimatedRows',
  `SELECT relname AS "table", reltuples::float8 AS rows
   FROM pg_catalog.pg_class
   WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND reltuples >= 0
     AND relname = ANY ($1::text[])`,
)

const databaseBytes = statement<{ bytes: number }>(
  'databaseBytes',
  `SELECT pg_database_size(current_database())::float8 AS bytes`,
)

/** Tables whose row counts are reported. */
const tables = [
  'record',
  'record_version',
  'receiving_event',
  'receiving_event_code',
  'shipping_event',
  'shipping_event_code',
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
  const [rows, [size]] = [await estimatedRows(db, [tables]), await databaseBytes(db, [])]
  return { bytes: size?.bytes ?? 0, rows: Object.fromEntries(rows.map((row) => [row.table, row.rows])) }
}
