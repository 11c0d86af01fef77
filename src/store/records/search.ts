// Searches: the ids of a page are found in indexes, and only then are its bodies read
// (decision 0025).
import type { RecordKindName } from '../../contract/record-kinds.ts'
import { type Page, type Queryable, statements } from '../database/statement.ts'

/** A record a search found, in its current version. */
export interface FoundVersion {
  readonly id: string
  readonly version: number
  /**
   * JSON text of the record, without its id; null for each record of a page that is too large to
   * read at once, and for one whose version is missing.
   */
  readonly body: string | null
  /** True when the database does not have the version that the record names. */
  readonly isMissing: boolean
  /** In a sorted list, the value it is sorted by, in the form of its cursor. */
  readonly key?: string | undefined
}

/**
 * Most bytes of a page whose bodies come with the search, in stored form, which is known without
 * reading them. PostgreSQL compresses text up to 90 times, so no page exceeds 12 MB in memory.
 * Larger pages are read in portions.
 */
const storedBytesMax = 128 * 1024

/**
 * One condition of a search. Its SQL has `$?` in place of the value. With several values, a record
 * matches if it matches one of them.
 */
export type Condition =
  | {
      /** SQL on the record `r`. */
      readonly sql: string
      readonly several?: true
      /**
       * True if an index has the compared column and then the id: it gives the matching ids, newest
       * first.
       */
      readonly indexScan?: true
      /** True if an index has it before the column of the ranges. */
      readonly beforeRange?: true
      /** True if checking it takes some ten microseconds. */
      readonly isSlow?: true
    }
  | {
      readonly sql: string
      /** Column of an index that gives the ids in a range, but not newest first. */
      readonly range: string
    }
  | {
      readonly sql: string
      readonly several?: true
      /** The same by an index of another table, also named `r`, with the condition on it. */
      readonly indexScan: { readonly table: string; readonly sql: string }
    }
  | {
      /** On the current version `v` of the record. */
      readonly sql: string
      readonly of: 'version'
      /** An id above all matches. */
      readonly bound?: string
    }

/** A search and its conditions; those that usually leave fewer records come first. */
export interface SearchDeclaration<Name extends string> {
  readonly kind: RecordKindName
  readonly table: string
  readonly conditions: Readonly<Record<Name, Condition>>
}

/** Every search of the store, by name: its conditions, and its SQL for those in use. */
export const searches = new Map<
  string,
  { readonly conditions: readonly string[]; readonly several: readonly string[]; readonly textOf: Compose }
>()

/** After the name of a condition that is in use with several values. */
const severalMark = '[]'

/** The conditions that may have several values, as they are in use with them. */
export const severalOf = (conditions: Readonly<Record<string, Condition>>): readonly string[] =>
  Object.entries(conditions).flatMap(([name, condition]) => ('several' in condition ? [name + severalMark] : []))

/** The conditions in use, in the order of the declaration, and their values. */
export function usedIn<Name extends string>(
  names: readonly Name[],
  wanted: Partial<Record<string, unknown>>,
): { readonly used: readonly string[]; readonly given: readonly unknown[] } {
  const wantedNames = names.filter((name) => wanted[name] !== undefined)
  return {
    used: wantedNames.map((name) => (Array.isArray(wanted[name]) ? name + severalMark : name)),
    given: wantedNames.map((name) => wanted[name]),
  }
}

/** `isBelow`: whether the list continues below an id. */
type Compose = (used: readonly string[], list: { readonly isBelow: boolean }) => SearchTexts

interface SearchTexts {
  readonly boundedScan: string
  /** Undefined if the bounded scan finds all. */
  readonly fullScan: string | undefined
}

/** Most records that a scan checks against other conditions. */
export const scanMax = 500
/**
 * Most records of a range that are read first: about as many as arrive in a day, or at one place in
 * a month.
 */
export const rangeMax = 1_000

/**
 * Declares a search, newest first by id. Its values are the provider, the most records, the id to
 * continue below, if any, and those of the conditions in use. Its SQL has only these conditions and
 * not `$2 IS NULL OR …`, because only then can an index serve a condition.
 *
 * `boundedScan` reads one index in the order of the list. It ends when the page is full, at the end
 * of the index, or after `scanMax` records that had to be checked against other conditions. A range
 * of event date times is read first, unless a condition before it leaves few: if it holds no more
 * than `rangeMax`, it is sorted and no scan is needed.
 *
 * `fullScan` runs only if the bounded scan neither fills the page nor comes to an end. It finds all
 * matches and sorts out the first. So a page costs little where matches are dense and where one
 * condition leaves few. The planner knows the values of all providers together, so its guesses
 * would send it down the wrong index for long.
 */
export function search<Name extends string>(name: string, declaration: SearchDeclaration<Name>) {
  const names = Object.keys(declaration.conditions) as Name[]
  const compose: Compose = (used, { isBelow }) => textsOf(declaration, { names: used, before: isBelow })
  const whole = compose(names, { isBelow: true })
  statements.set(name, whole.boundedScan)
  statements.set(`${name}Far`, whole.fullScan ?? '')
  searches.set(name, { conditions: names, several: severalOf(declaration.conditions), textOf: compose })
  return async (
    db: Queryable,
    { provider, limit, before }: Page,
    wanted: Partial<Record<Name, unknown>>,
  ): Promise<FoundVersion[]> => {
    const { used, given } = usedIn(names, wanted)
    const values = [provider, limit, ...(before === undefined ? [] : [before]), ...given]
    const run = async (text: string) => (await db.query<FoundVersion>({ text, values, provider })).rows
    const { boundedScan, fullScan } = compose(used, { isBelow: before !== undefined })
    const found = await run(boundedScan)
    if (fullScan === undefined || found.length === limit) return found
    const all = await run(fullScan)
    return all.length > 0 ? all : found
  }
}

function textsOf(
  { kind, table, conditions }: SearchDeclaration<string>,
  { names, before }: { readonly names: readonly string[]; readonly before: boolean },
): SearchTexts {
  const used = conditionsInUse(conditions, names, table, before ? 4 : 3)
  const ranges = used.filter(({ range }) => range !== undefined)
  const driver = used.find(({ indexScan }) => indexScan !== undefined)
  const others = used.filter((one) => one !== driver)
  const cursor = before ? ['$3::uuid'] : []
  const below = (id: string, tops: readonly string[]) =>
    tops.length > 0 ? [`${id} < ${tops.length > 1 ? `least(${tops.join(', ')})` : tops[0]}`] : []
  const idsBy = (one: InUse | undefined) => matchingIds(one, table, below('r.id', cursor))
  const tops = below('r.id', [...cursor, ...used.flatMap(({ bounds }) => bounds)])
  const newest = (limit: string) => newestIds(driver, table, tops, limit)
  if (others.length === 0) return { boundedScan: pageOf(newest('$2')), fullScan: undefined }

  const sqlOf = (some: typeof used) => some.map(({ sql }) => sql)
  const ofVersion = sqlOf(used.filter(({ of }) => of === 'version'))
  const ofRecord = (some: typeof used) => sqlOf(some.filter(({ of }) => of !== 'version'))
  const record = (id: string) => recordWith(table, id)
  const joinsFor = (some: typeof used, id: string) =>
    `${ofRecord(some).length > 0 ? record(id) : ''} ${ofVersion.length > 0 ? versionOf(id) : ''}`

  const first = used.find((one) => one === driver || ranges.includes(one))
  const rangeScan =
    first?.range === undefined
      ? undefined
      : `SELECT r.id FROM ${table} r
    WHERE ${all(['r.provider_id = $1', ...sqlOf(used.filter((one) => one.beforeRange || ranges.includes(one)))])}
    ORDER BY ${first.range}`
  const rangeCount = '(SELECT count(*) FROM ranged)'
  const scanned = `SELECT walked.id FROM (
    ${newest(String(scanMax))}
  ) AS walked ${joinsFor(others, 'walked.id')}
  WHERE ${all([...(rangeScan === undefined ? [] : [`${rangeCount} > ${rangeMax}`]), ...ofRecord(others), ...ofVersion])}
  ORDER BY walked.id DESC LIMIT $2`
  const unindexed = used.filter((one) => !one.beforeRange && !ranges.includes(one))
  const near =
    rangeScan === undefined
      ? scanned
      : `WITH ranged AS MATERIALIZED (
    ${rangeScan} LIMIT ${rangeMax + 1}
  )
  SELECT near.id FROM (
    (SELECT ranged.id FROM ranged ${joinsFor(unindexed, 'ranged.id')}
    WHERE ${all([`${rangeCount} <= ${rangeMax}`, ...below('ranged.id', cursor), ...ofRecord(unindexed), ...ofVersion])}
    ORDER BY ranged.id DESC LIMIT $2)
    UNION ALL
    (${scanned})
  ) AS near
  ORDER BY near.id DESC LIMIT $2`

  const matching =
    ofVersion.length > 0
      ? `SELECT v.record_id AS id FROM record_version v ${record('v.record_id')}
    WHERE ${all([
      'v.provider_id = $1',
      `v.kind = '${kind}'`,
      `v.version = (SELECT c.version FROM record c WHERE c.provider_id = $1 AND c.id = v.record_id)`,
      ...ofVersion,
      ...ofRecord(used),
      ...below('v.record_id', cursor),
    ])}`
      : used.some(({ of }) => of === 'record')
        ? all([idsBy(undefined), ...sqlOf(used)])
        : used.map(idsBy).join(' INTERSECT ')
  const far = `SELECT matching.id FROM (
    ${matching} OFFSET 0
  ) AS matching
  WHERE ${areMoreThan(newest(String(scanMax)), scanMax - 1)}${rangeScan === undefined ? '' : ` AND EXISTS (${rangeScan} OFFSET ${rangeMax} LIMIT 1)`}
  ORDER BY matching.id DESC LIMIT $2`
  return { boundedScan: pageOf(near), fullScan: pageOf(far) }
}

/** A condition that is in use: its SQL with the number of its parameter. */
export interface InUse {
  /** With several values: of one of them. */
  readonly sql: string
  /** Several values as rows `w`, whose `value` its index scan compares. */
  readonly values: string | undefined
  /** Whose columns it compares: of the record `r`, of its version `v`, or of another table. */
  readonly of: 'record' | 'version' | 'code'
  readonly indexScan: { readonly table: string; readonly sql: string } | undefined
  readonly range: string | undefined
  readonly beforeRange: boolean
  readonly isSlow: boolean
  readonly bounds: readonly string[]
}

/** Conditions by their names, with parameters from a number on. */
export const conditionsInUse = (
  conditions: Readonly<Record<string, Condition>>,
  names: readonly string[],
  table: string,
  parameter: number,
): readonly InUse[] =>
  names.map((marked, i) => {
    const several = marked.endsWith(severalMark)
    const name = several ? marked.slice(0, -severalMark.length) : marked
    return inUse(conditions[name] as Condition, { table, parameter: parameter + i, several })
  })

function inUse(
  condition: Condition,
  { table, parameter, several }: { readonly table: string; readonly parameter: number; readonly several: boolean },
): InUse {
  const values = several ? `unnest($${parameter}::text[]) AS w (value)` : undefined
  const withValue = (sql: string) => sql.replaceAll('$?', several ? 'w.value' : `$${parameter}`)
  const indexScan = 'indexScan' in condition ? condition.indexScan : undefined
  return {
    sql: values === undefined ? withValue(condition.sql) : anyOf(condition.sql, parameter, values),
    values,
    of: 'of' in condition ? condition.of : typeof indexScan === 'object' ? 'code' : 'record',
    indexScan:
      indexScan &&
      (indexScan === true ? { table, sql: withValue(condition.sql) } : { ...indexScan, sql: withValue(indexScan.sql) }),
    range: 'range' in condition ? condition.range : undefined,
    // Of several values no index has the range in one order.
    beforeRange: 'beforeRange' in condition && !several,
    isSlow: 'isSlow' in condition || 'of' in condition,
    bounds: 'of' in condition && condition.bound !== undefined ? [withValue(condition.bound)] : [],
  }
}

/** A condition with one of several values; of a column so that an index can serve it. */
function anyOf(sql: string, parameter: number, values: string): string {
  const [, column] = /^(\S+) = \$\?$/.exec(sql) ?? []
  return column === undefined
    ? `(SELECT true FROM ${values} WHERE ${sql.replaceAll('$?', 'w.value')} LIMIT 1)`
    : `${column} = ANY ($${parameter}::text[])`
}

/** The ids that fit a condition with an index, in no order; of the whole table without one. */
export function matchingIds(one: InUse | undefined, table: string, tops: readonly string[]): string {
  const { table: from = table, sql } = one?.indexScan ?? {}
  return `SELECT r.id FROM ${one?.values === undefined ? '' : `${one.values} CROSS JOIN `}${from} r
    WHERE ${all(['r.provider_id = $1', ...(sql === undefined ? [] : [sql]), ...tops])}`
}

/**
 * The newest of them. Of several values, each has a scan of its own that ends at the limit: no
 * index has them in one order. A record with two of them counts once.
 */
export function newestIds(one: InUse | undefined, table: string, tops: readonly string[], limit: string): string {
  const newestOf = (ids: string) => `${ids} ORDER BY r.id DESC LIMIT ${limit}`
  if (one?.values === undefined) return newestOf(matchingIds(one, table, tops))
  const ofEach = newestOf(matchingIds({ ...one, values: undefined }, table, tops))
  return newestOf(`SELECT ${one.of === 'code' ? 'DISTINCT ' : ''}r.id FROM ${one.values} CROSS JOIN LATERAL (
    ${ofEach}
  ) AS r`)
}

/** True if a query that ends by itself has more rows than that. */
export const areMoreThan = (query: string, rows: number): string =>
  `EXISTS (SELECT true FROM (${query}) AS ended OFFSET ${rows} LIMIT 1)`

/**
 * The record `r` with this id. LIMIT 1 keeps the planner from merging a range condition into each
 * primary-key lookup.
 */
export const recordWith = (table: string, id: string): string => `CROSS JOIN LATERAL (
    SELECT * FROM ${table} o WHERE o.provider_id = $1 AND o.id = ${id} LIMIT 1
  ) AS r`

/** The current version `v` of the record with this id. */
export const versionOf = (id: string): string => `CROSS JOIN LATERAL (
    SELECT submitted_at FROM record_version WHERE provider_id = $1 AND record_id = ${id} ORDER BY version DESC LIMIT 1
  ) AS v`

/**
 * The current version of each id, which its record names: two probes of primary keys. All bodies,
 * or none. `key` is the column by which the page is sorted, and how, where it is not newest first
 * by id.
 */
export const pageOf = (
  ids: string,
  key?: { readonly text: string; readonly order: string },
): string => `SELECT found.id, found.version, found.is_missing AS "isMissing",${key === undefined ? '' : ' found.key,'}
  CASE WHEN sum(pg_column_size(found.detail)) OVER () <= ${storedBytesMax} THEN found.detail[1] END AS body
FROM (
  SELECT page.id, named.version, current.version IS NULL AS is_missing, current.detail${key === undefined ? '' : `, ${key.text} AS key`}
  FROM (
    ${ids}
  ) AS page CROSS JOIN LATERAL (
    SELECT version, version_hash FROM record WHERE provider_id = $1 AND id = page.id LIMIT 1
  ) AS named LEFT JOIN LATERAL (
    SELECT version, detail FROM record_version
    WHERE provider_id = $1 AND record_id = page.id AND version = named.version AND version_hash = named.version_hash
    LIMIT 1
  ) AS current ON true
  ORDER BY ${key?.order ?? 'page.id DESC'}
) AS found`

/**
 * An id above all that were made by then: no version is older than the id of its record
 * (decision 0001). An hour is left for clocks that differ.
 */
export const idMadeBefore = `(lpad(to_hex(greatest(0, (extract(epoch FROM $?::timestamptz)::bigint + 3600) * 1000)), 12, '0') || '00000000000000000000')::uuid`

export const all = (conditions: readonly string[]): string => conditions.join(' AND ')
