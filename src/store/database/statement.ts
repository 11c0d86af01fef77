// SQL statements as values: each is complete in the source, has a name, and is registered for the
// test that parses them all.
import type { QueryResultRow } from 'pg'
import type { Spans } from '../../spans.ts'
import { binaryArray, isElementType } from './array-parameter.ts'
import { nodeLost } from './database-errors.ts'

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

/** A statement with the values of its parameters. */
export interface Query {
  readonly name?: string
  readonly text: string
  readonly values: unknown[]
  /** The provider whose rows it is about. */
  readonly provider?: string
}

/** Runs a statement: a pool, or one connection of it inside a transaction. */
export interface Queryable {
  query<R extends QueryResultRow>(query: Query): Promise<{ rows: R[] }>
  readonly nodes?: WatchedNodes
  /** Undefined when the operator asks for no spans. */
  readonly spans?: StatementSpans | undefined
}

/** Spans of statements. */
export type StatementSpans = Pick<Spans, 'statement' | 'current' | 'together'>

/** The nodes of a cluster. */
interface WatchedNodes {
  /** Those that did not answer when they were asked last. */
  readonly away: readonly string[]
  look(): Promise<void>
  /** Providers on the others, and the accounts of their partners. */
  providersInReach(): Promise<readonly string[]>
}

/** Every statement of the store, by name. */
export const statements = new Map<string, string>()
/** The names of those whose first parameter is the provider whose rows they are about. */
export const statementsOfProviders = new Set<string>()

/** The type of each column of rows that are sent as arrays: how elements are encoded, and casts. */
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

type ColumnType = keyof typeof columnTypes

/**
 * Columns of rows that are sent with a statement, in order: the type of each, and how its value is
 * read from a row and the row's place, from 0. A type alone reads the property of that name.
 * `ordinality`, as the last column, is the place of the row, from 1.
 */
export type RowColumns<Row> = Readonly<
  Record<string, readonly [ColumnType, (row: Row, place: number) => unknown] | ColumnType | 'ordinality'>
>

/** The rows of a statement, by the name of each set, as they are declared. */
type DeclaredRows = readonly (readonly [set: string, RowColumns<never>])[]

/** What is declared of a statement beside its text. */
export interface StatementOptions<Params> {
  /** Parameters that are rows. */
  readonly rows?: {
    readonly [Set in keyof Params]?: Params[Set] extends readonly (infer Row)[] ? RowColumns<Row> : never
  }
  /** Values of parameters that a caller leaves out. */
  readonly defaults?: Readonly<Record<string, unknown>>
  /**
   * `each time` is for a statement that works on many rows of a table that was nearly empty a
   * moment ago: prepared, it would go on as if it still was. `once` hides the number of rows from
   * the planner, which takes a known number for an advantage and plans at each execution.
   */
  readonly planned?: 'once' | 'each time'
}

/** A page of a list of a provider: up to `limit` rows, before or after one where that is given. */
export interface Page {
  readonly provider: string
  readonly limit: number
  readonly before?: string | undefined
  readonly after?: string | undefined
}

/** A declared statement, which takes its parameters by name. */
type Statement<Params, Result> = (db: Queryable, params: Params) => Promise<Result>

/**
 * Declares a statement. What a caller sends is a parameter, never part of the text. In the text,
 * `$id` is the parameter of this name, null if it is left out, and `$events` is the table of the
 * rows of this name. `$provider` is also `$1`, for fragments of texts. A statement is prepared once
 * per connection: planning a replacement of 64 records takes 2 ms of 12.
 */
export function statement<Row extends QueryResultRow, Params>(
  name: string,
  text: string,
  { planned, defaults, rows = {} }: StatementOptions<Params> = {},
): Statement<Params, Row[]> {
  const sets: DeclaredRows = Object.entries(rows as Readonly<Record<string, RowColumns<never>>>)
  const tables = sets.map(([set, of]) => [set, tableOf(set, of, planned)] as const)
  const [numbered, names] = numberParameters(tables.reduce(withTable, text))
  statements.set(name, numbered)
  const encoders = encodersOf(numbered)
  const prepared = planned === 'each time' ? {} : { name }
  const columns = columnReaders(sets)
  const readers = names.map((param, i) => {
    const read = columns.get(param) ?? ((given: Given) => given[param] ?? defaults?.[param] ?? null)
    const encode = encoders.get(i + 1)
    if (encode === undefined) return read
    return (given: Given) => {
      const value = read(given)
      return value === null ? null : encode(value)
    }
  })
  const isOfProvider = names[0] === 'provider'
  if (isOfProvider) statementsOfProviders.add(name)
  return async (db, params) => {
    const given = (params ?? {}) as Given
    const values = readers.map((read) => read(given))
    const provider = isOfProvider ? { provider: values[0] as string } : {}
    return (await db.query<Row>({ ...prepared, ...provider, text: numbered, values })).rows
  }
}

/** The lowest and the highest id that there can be. */
export const lowestId = '00000000-0000-0000-0000-000000000000'
export const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Declares a statement of one row at most. */
statement.one = <Row extends QueryResultRow, Params>(
  ...declared: Parameters<typeof statement<Row, Params>>
): Statement<Params, Row | undefined> => {
  const run = statement<Row, Params>(...declared)
  return async (db, params) => (await run(db, params))[0]
}

/** Declares a statement that returns rows if it found or changed something. */
statement.any = <Params>(
  ...declared: Parameters<typeof statement<QueryResultRow, Params>>
): Statement<Params, boolean> => {
  const run = statement<QueryResultRow, Params>(...declared)
  return async (db, params) => (await run(db, params)).length > 0
}

/**
 * Declares a statement of all providers, which asks every node of a cluster. While one is away, it
 * is run for the providers on the others. Its text has the condition `amongProviders`.
 */
statement.ofAll = <Row extends QueryResultRow, Params = void>(
  ...declared: Parameters<typeof statement<Row, Params>>
): Statement<Params, Row[]> => {
  const run = statement<Row, object>(...(declared as Parameters<typeof statement<Row, object>>))
  return async (db, params) => {
    const among = (providers?: readonly string[]) => run(db, { ...params, providers })
    const { nodes } = db
    if (nodes === undefined) return among()
    try {
      if (nodes.away.length === 0) return await among()
    } catch (error) {
      if (!nodeLost(error)) throw error
      await nodes.look()
      if (nodes.away.length === 0) throw error
    }
    return among(await nodes.providersInReach())
  }
}

/** The condition of a statement of all providers: Citus asks the shards of these alone. */
export const amongProviders = (alias: string): string =>
  `($providers::uuid[] IS NULL OR ${alias}.provider_id = ANY ($providers::uuid[]))`

/** The same columns, of rows that contain what the columns are read from. */
export const columnsOfPart = <Row, Part>(columns: RowColumns<Part>, partOf: (row: Row) => Part): RowColumns<Row> =>
  Object.fromEntries(
    Object.entries(columns).map(([column, of]) => {
      if (of === 'ordinality') return [column, of]
      const [type, read] = typeof of === 'string' ? [of, (part: Part) => (part as Given)[column]] : of
      return [column, [type, (row: Row, place: number) => read(partOf(row), place)] as const]
    }),
  )

/** The rows of a set as a table. */
function tableOf(set: string, columns: RowColumns<never>, planned: 'once' | 'each time' | undefined): string {
  const types = Object.entries(columns).map(([column, of]) => [column, typeof of === 'string' ? of : of[0]] as const)
  const [first, ...more] = types.flatMap(([column, type]) =>
    type === 'ordinality' ? [] : [`$${set}_${column}::${columnTypes[type]}`],
  )
  const arrays = [planned === 'once' ? `(SELECT ${first})` : first, ...more]
  const ordinality = arrays.length < types.length ? ' WITH ORDINALITY' : ''
  return `unnest(${arrays.join(', ')})${ordinality} AS ${set} (${types.map(([column]) => `"${column}"`).join(', ')})`
}

/** The text with the table of a set in place of its name. */
const withTable = (text: string, [set, table]: readonly [set: string, table: string]): string =>
  text.replaceAll(/\$(\w+)/g, (parameter, name) => (name === set ? table : parameter))

/** Parameters and rows as a caller gives them, by name. */
type Given = Readonly<Record<string, unknown>>

/** How the values of each column of each set of rows are read, by the name of its parameter. */
const columnReaders = (sets: DeclaredRows): ReadonlyMap<string, (given: Given) => unknown> =>
  new Map(
    sets.flatMap(([set, columns]) =>
      Object.entries(columns).flatMap(([column, of]) => {
        if (of === 'ordinality') return []
        const read = typeof of === 'string' ? (row: Given) => row[column] : of[1]
        const readAll = (given: Given) => (given[set] as readonly never[]).map((row, place) => read(row, place) ?? null)
        return [[`${set}_${column}`, readAll] as const]
      }),
    ),
  )

/** The text with numbers for the names of its parameters, and these in their order. */
function numberParameters(text: string): readonly [text: string, names: readonly string[]] {
  const ofProvider = /\$(?:provider|1)\b/.test(text) ? ['provider'] : []
  if (/\$(?!1\b)\d/.test(text)) throw new Error('Name all parameters of a statement: only $1 is the provider.')
  const names = [...new Set([...ofProvider, ...Array.from(text.matchAll(/\$([a-z]\w*)/gi), ([, name = '']) => name)])]
  return [text.replaceAll(/\$([a-z]\w*)/gi, (_, name: string) => `$${names.indexOf(name) + 1}`), names]
}

/**
 * How parameters are sent, by number: those that are arrays in binary form, and objects as JSON
 * text, as the text of the statement casts them, `$2::uuid[]` and `$3::json`.
 */
function encodersOf(text: string): ReadonlyMap<number, (value: unknown) => unknown> {
  const encoders = new Map<number, (value: unknown) => unknown>()
  for (const [cast, number, type = '', isArray] of text.matchAll(/\$(\d+)::(\w+)(\[\])?/g)) {
    if (isArray !== undefined) {
      if (!isElementType(type)) throw new Error(`${cast} cannot be sent; cast it from text[].`)
      encoders.set(Number(number), (value) => binaryArray(type, value as unknown[]))
    } else if (type === 'json' || type === 'jsonb')
      encoders.set(Number(number), (value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  }
  return encoders
}
