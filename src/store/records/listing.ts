// Other orders, counts, and the values of a column, for tables that show more than the newest
// records. It uses the conditions of the searches (decision 0063).
import type { QueryResultRow } from 'pg'
import type { Queryable } from '../database/statement.ts'
import {
  all,
  areMoreThan,
  conditionsInUse,
  type FoundVersion,
  type InUse,
  matchingIds,
  newestIds,
  pageOf,
  rangeMax,
  recordWith,
  type SearchDeclaration,
  severalOf,
  usedIn,
  versionOf,
} from './search.ts'

/** A column to sort by, with an index on it and then the id. */
export interface Order {
  /** SQL on the record `r`. */
  readonly column: string
  readonly type: 'text' | 'instant' | 'id'
}

/** A column whose values can be listed. */
export interface Values {
  /** Query that gives the values of the record `r`, as `value`. */
  readonly sql: string
  /** Most records whose values are counted; fewer where reading one costs more. */
  readonly recordsMax: number
  /** SQL for the name of `counted.value`. */
  readonly label?: string
}

export interface ListingDeclaration<Name extends string, OrderName extends string, ValueName extends string>
  extends SearchDeclaration<Name> {
  readonly orders: Readonly<Record<OrderName, Order>>
  readonly values: Readonly<Record<ValueName, Values>>
}

export interface Sorting<OrderName extends string = string> {
  readonly by: OrderName
  readonly ascending: boolean
}

/** The start of a page of a sorted list: after this record. */
export interface SortedPosition {
  readonly key: string
  readonly id: string
}

/** Most records that are counted. */
const countMax = 10_000

/** Most records that are checked to count matches; fewer where a check takes longer. */
const lookedAtMax = 50_000
const lookedAtSlowlyMax = 20_000
const mostOf = (used: readonly InUse[], most: number): number =>
  used.some(({ isSlow }) => isSlow) ? Math.min(most, lookedAtSlowlyMax) : most

/** Most records of an order that are checked before all matches are looked for. */
export const walkMax = 2_000

/** A count that stops before it becomes slow: then there are, or may be, more. */
export interface BoundedCount {
  readonly records: number
  readonly orMore: boolean
}

export interface CountedValue {
  readonly value: string
  readonly label: string | null
  readonly records: number
}

/** Every listing, for the test that parses its SQL. */
export const listings = new Map<
  string,
  {
    readonly conditions: readonly string[]
    readonly several: readonly string[]
    readonly orders: readonly string[]
    readonly values: readonly string[]
    readonly sortedTexts: (used: readonly string[], page: SortedPage) => readonly string[]
    readonly countText: (used: readonly string[]) => string
    readonly valuesText: (used: readonly string[], values: { readonly of: string; readonly named: boolean }) => string
  }
>()

/** The order of a page, and whether it follows a position. */
type SortedPage = Sorting & { readonly isBehind: boolean }

/** Up to `limit` records in an order, after a position where one is given. */
interface WantedPage<OrderName extends string> {
  readonly limit: number
  readonly sorting: Sorting<OrderName>
  readonly behind: SortedPosition | undefined
}

/** Up to `limit` values of a column, with a text those that contain it. */
interface WantedValues<ValueName extends string> {
  readonly of: ValueName
  readonly limit: number
  readonly named: string | undefined
}

/** A listing of any kind of record. It ignores names that it does not know. */
export interface Listed {
  /** True if a position can be compared with the column: it may come from anywhere. */
  isPosition(by: string, position: SortedPosition): boolean
  sorted(
    db: Queryable,
    provider: string,
    page: WantedPage<string>,
    wanted: Readonly<Record<string, unknown>>,
  ): Promise<FoundVersion[]>
  count(db: Queryable, provider: string, wanted: Readonly<Record<string, unknown>>): Promise<BoundedCount>
  values(
    db: Queryable,
    provider: string,
    values: WantedValues<string>,
    wanted: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly values: CountedValue[]; readonly isWhole: boolean }>
}

type Wanted<Name extends string> = Partial<Record<Name, unknown>>

/**
 * Declares the listings of a kind of record. As in `search`, the SQL has only the conditions in
 * use, and each page comes from an index in its order, or is sorted from few records.
 */
export function listing<Name extends string, OrderName extends string, ValueName extends string>(
  name: string,
  declaration: ListingDeclaration<Name, OrderName, ValueName>,
) {
  const names = Object.keys(declaration.conditions) as Name[]
  const sortedTexts = (used: readonly string[], { by, ...page }: SortedPage) =>
    sortedTextsOf(declaration, { names: used, order: declaration.orders[by as OrderName], ...page })
  const countText = (used: readonly string[]) => countTextOf(declaration, used)
  const valuesText = (used: readonly string[], { of, named }: { readonly of: string; readonly named: boolean }) =>
    valuesTextOf(declaration, { names: used, shown: declaration.values[of as ValueName], named })
  const { orders, values } = declaration
  listings.set(name, {
    conditions: names,
    several: severalOf(declaration.conditions),
    orders: Object.keys(orders),
    values: Object.keys(values),
    sortedTexts,
    countText,
    valuesText,
  })
  return {
    isPosition: (by: OrderName, { key }: SortedPosition): boolean =>
      orders[by].type === 'instant' ? instantForm.test(key) : !key.includes('\u0000'),

    /** Up to `limit` records after a position, in this order. */
    async sorted(
      db: Queryable,
      provider: string,
      { limit, sorting, behind }: WantedPage<OrderName>,
      wanted: Wanted<Name>,
    ): Promise<FoundVersion[]> {
      const { used, given } = usedIn(names, wanted)
      const position =
        behind === undefined ? [] : orders[sorting.by].type === 'id' ? [behind.id] : [behind.key, behind.id]
      const run = (text: string) => ask<FoundVersion>(db, text, [provider, limit, ...position, ...given])
      const [near = '', far] = sortedTexts(used, { ...sorting, isBehind: behind !== undefined })
      const found = await run(near)
      if (far === undefined || found.length === limit) return found
      const every = await run(far)
      return every.length > 0 ? every : found
    },

    /** The number of matching records, up to `countMax`. */
    async count(db: Queryable, provider: string, wanted: Wanted<Name>): Promise<BoundedCount> {
      const { used, given } = usedIn(names, wanted)
      const [row] = await ask<{ records: number; cut: boolean }>(db, countText(used), [provider, ...given])
      const { records = 0, cut = false } = row ?? {}
      return { records: Math.min(records, countMax), orMore: cut || records > countMax }
    },

    /**
     * Up to `limit` values of a column, those of most records first. With a text, only values that
     * contain it in value or name, in any case.
     */
    async values(
      db: Queryable,
      provider: string,
      { of, limit, named }: WantedValues<ValueName>,
      wanted: Wanted<Name>,
    ): Promise<{ readonly values: CountedValue[]; readonly isWhole: boolean }> {
      const { used, given } = usedIn(names, wanted)
      const values = [provider, limit, ...(named === undefined ? [] : [named]), ...given]
      const text = valuesText(used, { of, named: named !== undefined })
      const rows = await ask<CountedValue & { isWhole: boolean }>(db, text, values)
      return {
        values: rows.map(({ value, label, records }) => ({ value, label, records })),
        isWhole: rows.every(({ isWhole }) => isWhole),
      }
    },
  }
}

const ask = async <Row extends QueryResultRow>(db: Queryable, text: string, values: unknown[]): Promise<Row[]> =>
  (await db.query<Row>({ text, values, provider: values[0] as string })).rows

/** Seconds since 1970 that are valid as an instant of PostgreSQL. */
const instantForm = /^(?:\d{1,12}|-\d{1,11})(?:\.\d{1,6})?$/

/** The value of an order as cursors have it, and back. */
const keyText = {
  text: (column: string) => column,
  instant: (column: string) => `extract(epoch FROM ${column})::text`,
  id: (column: string) => `${column}::text`,
}
const keyValue = { text: '$3::text', instant: 'to_timestamp($3::double precision)', id: '$3::uuid' }

/** Most SQL conditions are on the record, some on its version. */
const sqlOf = (some: readonly InUse[]) => some.filter(({ of }) => of !== 'version').map(({ sql }) => sql)
const ofVersion = (some: readonly InUse[]) => some.filter(({ of }) => of === 'version').map(({ sql }) => sql)
const versionJoin = (some: readonly InUse[], id: string) => (ofVersion(some).length > 0 ? versionOf(id) : '')

/** A selective condition: one with an index, or a range of an index. */
const driverOf = (used: readonly InUse[]) =>
  used.find(({ indexScan }) => indexScan !== undefined) ?? used.find(({ range }) => range !== undefined)

/** Up to `limit` ids of records that match a driver, newest first; for a range, in its order. */
function idsBy(driver: InUse | undefined, used: readonly InUse[], table: string, limit: number): string {
  if (driver?.range === undefined) return newestIds(driver, table, [], String(limit))
  const ranges = used.filter(({ range, beforeRange }) => range !== undefined || beforeRange)
  return `SELECT r.id FROM ${table} r WHERE ${all(['r.provider_id = $1', ...ranges.map(({ sql }) => sql)])} ORDER BY ${driver.range} LIMIT ${limit}`
}

/**
 * `near` reads few records that match the driver and sorts them, or walks the index of the order.
 * `far` finds all matches, only when the walk neither filled the page nor came to an end.
 */
function sortedTextsOf(
  { table, conditions }: SearchDeclaration<string>,
  {
    names,
    order: { column, type },
    ascending,
    isBehind,
  }: {
    readonly names: readonly string[]
    readonly order: Order
    readonly ascending: boolean
    readonly isBehind: boolean
  },
): readonly string[] {
  const positions = isBehind ? (type === 'id' ? 1 : 2) : 0
  const used = conditionsInUse(conditions, names, table, 3 + positions)
  const way = ascending ? 'ASC' : 'DESC'
  const operator = ascending ? '>' : '<'
  const key = type === 'id' ? 'r.id' : column
  const order = (of: string, id: string) => (type === 'id' ? `${id} ${way}` : `${of} ${way}, ${id} ${way}`)
  const after = !isBehind
    ? []
    : [
        type === 'id'
          ? `r.id ${operator} ${keyValue.id}`
          : `(${column}, r.id) ${operator} (${keyValue[type]}, $4::uuid)`,
      ]
  const text = { text: keyText[type]('page.key'), order: order('page.key', 'page.id') }
  const page = (ids: string) => pageOf(ids, text)

  /**
   * Conditions on the sorted column are part of its walk, which reads nothing but the index: of
   * whole records PostgreSQL may rather read all of a provider by another one and sort them.
   */
  const walked = used.filter(({ sql, of }) => of === 'record' && sql.startsWith(`${column} `))
  const others = used.filter((one) => !walked.includes(one))
  const several = walked.find(({ values }) => values !== undefined)
  const walk = (limit: string) => {
    const ended = `ORDER BY ${order(column, 'r.id')} LIMIT ${limit}`
    const compared = walked.map((one) => (one === several && one.indexScan ? one.indexScan.sql : one.sql))
    const rows = `SELECT r.id, ${key} AS key FROM ${table} r
    WHERE ${all(['r.provider_id = $1', ...compared, ...after])}
    ${ended}`
    // The index has each value in the order.
    return several === undefined
      ? rows
      : `SELECT r.* FROM ${several.values} CROSS JOIN LATERAL (${rows}) AS r ORDER BY ${order('r.key', 'r.id')} LIMIT ${limit}`
  }
  if (others.length === 0) return [page(walk('$2'))]

  const driver = driverOf(others)
  const ids = driver && idsBy(driver, others, table, rangeMax + 1)
  const few = '(SELECT count(*) FROM few)'
  const checked = (some: readonly InUse[]) => [...sqlOf(some), ...ofVersion(some)]
  const fromWalk = `SELECT walked.id, walked.key FROM (
      ${walk(String(walkMax))}
    ) AS walked ${recordWith(table, 'walked.id')} ${versionJoin(others, 'r.id')}
    WHERE ${all([...(ids === undefined ? [] : [`${few} > ${rangeMax}`]), ...checked(others)])}
    ORDER BY ${order('walked.key', 'walked.id')} LIMIT $2`
  const near =
    ids === undefined
      ? fromWalk
      : `WITH few AS MATERIALIZED (
    ${ids}
  )
  SELECT near.id, near.key FROM (
    (SELECT r.id, ${key} AS key FROM few ${recordWith(table, 'few.id')} ${versionJoin(others, 'r.id')}
    WHERE ${all([`${few} <= ${rangeMax}`, ...checked(used), ...after])}
    ORDER BY ${order('key', 'id')} LIMIT $2)
    UNION ALL
    (${fromWalk})
  ) AS near
  ORDER BY ${order('near.key', 'near.id')} LIMIT $2`

  const elsewhere = driver?.of === 'code' ? driver : undefined
  const source =
    elsewhere?.indexScan === undefined
      ? `${table} r`
      : `(
      SELECT DISTINCT r.id FROM (${matchingIds(elsewhere, table, [])}) AS r OFFSET 0
    ) AS coded ${recordWith(table, 'coded.id')}`
  const rest = used.filter((one) => one !== elsewhere)
  const far = `SELECT matching.id, matching.key FROM (
    SELECT r.id, ${key} AS key FROM ${source} ${versionJoin(others, 'r.id')}
    WHERE ${all(['r.provider_id = $1', ...checked(rest), ...after])}
    OFFSET 0
  ) AS matching
  WHERE ${areMoreThan(walk(String(walkMax)), walkMax - 1)}${ids === undefined ? '' : ` AND ${areMoreThan(ids, rangeMax)}`}
  ORDER BY ${order('matching.key', 'matching.id')} LIMIT $2`
  return [page(near), page(far)]
}

/**
 * Records that may match: those of the driver, newest first, up to the number that is checked; of
 * several values, of each its share. `rest` are the conditions left to check; `cut` is true when
 * there are more.
 */
function candidatesOf(table: string, used: readonly InUse[], most: number) {
  const driver = driverOf(used)
  const rest = used.filter((one) => one !== driver)
  if (driver?.values !== undefined && driver.indexScan !== undefined) {
    const { values, indexScan } = driver
    const share = `${most} / (SELECT count(*) FROM ${values}) + 1`
    const ofEach = (what: string, end: string) =>
      `${values} CROSS JOIN LATERAL (SELECT ${what} FROM ${indexScan.table} r WHERE r.provider_id = $1 AND ${indexScan.sql} ${end}) AS r`
    const newest = `ORDER BY r.id DESC LIMIT ${share}`
    return {
      rows:
        driver.of === 'code'
          ? `SELECT r.* FROM (SELECT DISTINCT r.id FROM ${ofEach('r.id', newest)}) AS found ${recordWith(table, 'found.id')}`
          : `SELECT r.* FROM ${ofEach('r.*', newest)}`,
      rest,
      cut: `EXISTS (SELECT true FROM ${ofEach('true', `OFFSET ${share} LIMIT 1`)})`,
    }
  }
  const ids = idsBy(driver, used, table, most)
  return {
    rows:
      driver?.of === 'code'
        ? `SELECT r.* FROM (${ids}) AS found ${recordWith(table, 'found.id')}`
        : ids.replace('SELECT r.id', 'SELECT r.*'),
    rest,
    cut: areMoreThan(idsBy(driver, used, table, most + 1), most),
  }
}

function countTextOf({ table, conditions }: SearchDeclaration<string>, names: readonly string[]): string {
  const used = conditionsInUse(conditions, names, table, 2)
  const { rows, rest, cut } = candidatesOf(table, used, mostOf(used, lookedAtMax))
  if (rest.length === 0)
    return `SELECT count(*)::integer AS records, false AS cut FROM (${idsBy(driverOf(used), used, table, countMax + 1)}) AS fitting`
  return `SELECT count(*)::integer AS records, ${cut} AS cut FROM (
    SELECT true FROM (
      ${rows}
    ) AS r ${versionJoin(rest, 'r.id')}
    WHERE ${all([...sqlOf(rest), ...ofVersion(rest)])}
    LIMIT ${countMax + 1}
  ) AS fitting`
}

function valuesTextOf(
  { table, conditions }: SearchDeclaration<string>,
  {
    names,
    shown: { sql, recordsMax, label = 'NULL' },
    named,
  }: { readonly names: readonly string[]; readonly shown: Values; readonly named: boolean },
): string {
  const used = conditionsInUse(conditions, names, table, named ? 4 : 3)
  const { rows, rest, cut } = candidatesOf(table, used, mostOf(used, recordsMax))
  return `SELECT shown.value, shown.label, shown.records, NOT ${cut} AS "isWhole" FROM (
    SELECT counted.value, counted.records, ${label} AS label
    FROM (
      SELECT one.value, count(*)::integer AS records
      FROM (
        ${rows}
      ) AS r ${versionJoin(rest, 'r.id')} CROSS JOIN LATERAL (${sql}) AS one
      WHERE ${all(['one.value IS NOT NULL', ...sqlOf(rest), ...ofVersion(rest)])}
      GROUP BY one.value
    ) AS counted
  ) AS shown
  ${named ? `WHERE position(lower($3::text) IN lower(shown.value)) > 0 OR position(lower($3::text) IN lower(shown.label)) > 0` : ''}
  ORDER BY shown.records DESC, shown.value
  LIMIT $2`
}
