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

/**
 * Declares a search: a statement with a fixed list of conditions, of which each call uses those it has a value for.
 * A condition says `$?` where its value goes; `{conditions}` in the text says where the conditions go.
 * Spelled out like this, and not as `$2 IS NULL OR …`, because only then an index can serve a condition on another table.
 */
export function search<Condition extends string>(
  name: string,
  text: string,
  fixedCount: number,
  conditions: Readonly<Record<Condition, string>>,
) {
  const compose = (used: readonly Condition[]) =>
    text.replace(
      '{conditions}',
      used.map((key, i) => `AND ${conditions[key].replace('$?', `$${fixedCount + 1 + i}`)}`).join('\n  '),
    )
  statements.set(name, compose(Object.keys(conditions) as Condition[]))
  return async (
    db: Queryable,
    fixed: unknown[],
    wanted: Partial<Record<Condition, unknown>>,
  ): Promise<StoredVersion[]> => {
    const used = (Object.keys(conditions) as Condition[]).filter((key) => wanted[key] !== undefined)
    const values = [...fixed, ...used.map((key) => wanted[key])]
    return (await db.query<StoredVersion>({ text: compose(used), values })).rows
  }
}
