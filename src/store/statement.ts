// SQL statements as values: each stands whole in the source, is named, and is known to the test that reads them all.
import type { QueryResultRow } from 'pg'

/** One version of a record, as stored. */
export interface StoredVersion {
  readonly id: string
  readonly version: number
  /** JSON text of the record, without its id. */
  readonly body: string
}

/** What runs a statement: a pool, or one connection of it inside a transaction. */
export interface Queryable {
  query<R extends QueryResultRow>(query: { text: string; values: unknown[] }): Promise<{ rows: R[] }>
}

/** Every statement of the store, by name. */
export const statements = new Map<string, string>()

/** Declares a statement. Parameters only: nothing a caller brings ever becomes part of the text. */
export function statement<Row extends QueryResultRow>(name: string, text: string) {
  statements.set(name, text)
  return async (db: Queryable, values: unknown[]): Promise<Row[]> => (await db.query<Row>({ text, values })).rows
}
