// SQL statements as values: each is complete in the source, has a name, and is registered for the
// test that parses them all.
import type { QueryResultRow } from 'pg'
import { binaryArray, type ElementTypeName, isElementType } from './array-parameter.ts'

/** One version of a record, as stored. */
export interface StoredVersion {
  readonly id: string
  readonly version: number
  /** JSON text of the record, without its id. */
  readonly body: string
  /** Reason of the void; absent for other versions. */
  readonly voidReason?: string
}

/** The rest of a version whose content was purged (decision 0040). */
export interface Tombstone {
  readonly id: string
  readonly version: number
  readonly purgedAt: Date
}

/** Runs a statement: a pool, or one connection of it inside a transaction. */
export interface Queryable {
  query<R extends QueryResultRow>(query: { name?: string; text: string; values: unknown[] }): Promise<{ rows: R[] }>
}

/** Every statement of the store, by name. */
export const statements = new Map<string, string>()

/**
 * Declares a statement. Parameters only: nothing a caller brings ever becomes part of the text. It
 * is prepared under its name once per connection (planning a replacement of 64 records takes 2 ms
 * of 12), and its arrays travel as the types it gives them. `planned` each time is for one that
 * works on many rows of a table that was nearly empty a moment ago: prepared, it would go on as if
 * it still was.
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

/** Types of columns that are sent as arrays: how their elements are encoded, and their casts. */
const columnTypes = {
  uuid: 'uuid[]',
  text: 'text[]',
  integer: 'integer[]',
  bytea: 'bytea[]',
  timestamptz: 'text[]::timestamptz[]',
  date: 'text[]::date[]',
  jsonb: 'text[]::jsonb[]',
  int4multirange: 'text[]::int4multirange[]',
} as const

/**
 * Columns of rows that are sent with a statement, in order: the type of each, and how a row gives
 * its value.
 */
export type Columns<Row> = Readonly<Record<string, readonly [keyof typeof columnTypes, (row: Row) => unknown]>>

/** Rows for a statement, by the names of their sets. */
export type RowSets = Readonly<Record<string, readonly object[]>>

/**
 * Declares a statement for the provider of $1 that is sent sets of rows. The parameters of its text
 * and the values come from one declaration: by the name of each set, `textOf` is given the `unnest`
 * that reads its rows under that name.
 */
export function rowStatement<Row extends QueryResultRow, Name extends string>(
  name: string,
  sets: Readonly<Record<Name, Columns<never>>>,
  textOf: (from: Readonly<Record<Name, string>>) => string,
) {
  const values: { readonly set: string; readonly read: (row: never) => unknown }[] = []
  const from: Partial<Record<Name, string>> = {}
  for (const set of Object.keys(sets) as Name[]) {
    const columns = Object.entries(sets[set])
    const arrays = columns.map(([, [type]], i) => `$${values.length + i + 2}::${columnTypes[type]}`)
    from[set] = `unnest(${arrays.join(', ')}) AS ${set} (${columns.map(([column]) => column).join(', ')})`
    values.push(...columns.map(([, [, read]]) => ({ set, read })))
  }
  const run = statement<Row>(name, textOf(from as Record<Name, string>))
  return (db: Queryable, provider: string, rows: Readonly<Record<Name, readonly object[]>>): Promise<Row[]> =>
    run(db, [provider, ...values.map(({ set, read }) => rows[set as Name].map((row) => read(row as never)))])
}

/**
 * The element types of the parameters that are arrays, by number: as the text casts them,
 * `$2::uuid[]`.
 */
function arrayTypesIn(text: string): ReadonlyMap<number, ElementTypeName> {
  const casts = [...text.matchAll(/\$(\d+)::(\w+)\[\]/g)]
  return new Map(
    casts.map(([cast, number, type = '']) => {
      if (!isElementType(type)) throw new Error(`${cast} cannot be sent; cast it from text[].`)
      return [Number(number), type]
    }),
  )
}
