// SQL statements as values: each stands whole in the source, is named, and is known to the test that reads them all.
import type { QueryResultRow } from 'pg'
import { binaryArray, type ElementTypeName, isElementType } from './array-parameter.ts'

/** One version of a record, as stored. */
export interface StoredVersion {
  readonly id: string
  readonly version: number
  /** JSON text of the record, without its id. */
  readonly body: string
}

/** What is left of a version whose content was purged (decision 0040). */
export interface Tombstone {
  readonly id: string
  readonly version: number
  readonly purgedAt: Date
}

/** What runs a statement: a pool, or one connection of it inside a transaction. */
export interface Queryable {
  query<R extends QueryResultRow>(query: { name?: string; text: string; values: unknown[] }): Promise<{ rows: R[] }>
}

/** Every statement of the store, by name. */
export const statements = new Map<string, string>()

/**
 * Declares a statement. Parameters only: nothing a caller brings ever becomes part of the text. It is prepared under its name
 * once per connection (planning a replacement of 64 records takes 2 ms of 12), and its arrays travel as the types it gives them.
 * `planned` each time is for one that works on many rows of a table that was nearly empty a moment ago: prepared, it would go on as if it still was.
 */
export function statement<Row extends QueryResultRow>(
  name: string,
  text: string,
  planned: 'once' | 'each time' = 'once',
) {
  statements.set(name, text)
  const arrayTypes = arrayTypesIn(text)
  const prepared = planned === 'once' ? { name } : {}
  return async (db: Queryable, values: unknown[]): Promise<Row[]> => {
    const encoded = values.map((value, i) => {
      const type = arrayTypes.get(i + 1)
      return type === undefined || value === null ? value : binaryArray(type, value as unknown[])
    })
    return (await db.query<Row>({ ...prepared, text, values: encoded })).rows
  }
}

/** The element types of the parameters that are arrays, by number: as the text casts them, `$2::uuid[]`. */
function arrayTypesIn(text: string): ReadonlyMap<number, ElementTypeName> {
  const casts = [...text.matchAll(/\$(\d+)::(\w+)\[\]/g)]
  return new Map(
    casts.map(([cast, number, type = '']) => {
      if (!isElementType(type)) throw new Error(`${cast} cannot be sent; cast it from text[].`)
      return [Number(number), type]
    }),
  )
}
