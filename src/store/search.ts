// Searches: the ids of a page are found in indexes, and only then are its bodies read (decision 0025).
import type { RecordKindName } from '../contract/record-kinds.ts'
import { type Queryable, statements } from './statement.ts'

/** A record a search found, in its current version. */
export interface FoundVersion {
  readonly id: string
  readonly version: number
  /** JSON text of the record, without its id; null for each record of a page that is too large to be read at once. */
  readonly body: string | null
}

/**
 * Most bytes of a page whose bodies come with the search: as stored, compressed, which is known without reading them. PostgreSQL
 * packs text up to 90 times as small, so that no page is more than 12 MB here. Larger ones are read bit by bit.
 */
const storedBytesMax = 128 * 1024

/** One condition of a search. Its SQL says `$?` where the value goes. */
type Condition =
  | {
      /** On the record `r`. */
      readonly sql: string
      /** True where an index has what is compared with one value, and then the id: it gives the ids that fit, newest first. */
      readonly walk?: true
      /** True where an index has it before the column of the ranges. */
      readonly beforeRange?: true
    }
  | {
      readonly sql: string
      /** The column an index has in order: it gives the ids in a range, but not newest first. */
      readonly range: string
    }
  | {
      readonly sql: string
      /** The same by an index of another table, named `r` too, and the condition on that. */
      readonly walk: { readonly table: string; readonly sql: string }
    }
  | {
      /** On the current version `v` of the record. */
      readonly sql: string
      readonly of: 'version'
      /** An id that all that fit are below. */
      readonly bound?: string
    }

/** A search: what is listed, and its conditions; those that tend to leave fewer records stand before the others. */
export interface SearchDeclaration<Name extends string> {
  readonly kind: RecordKindName
  readonly table: string
  readonly conditions: Readonly<Record<Name, Condition>>
}

/** Every search of the store, by name: its conditions, and its SQL for those in use. */
export const searches = new Map<string, { readonly conditions: readonly string[]; readonly textOf: Compose }>()

/** `before`: whether the list goes on below an id. */
type Compose = (used: readonly string[], before: boolean) => Texts

interface Texts {
  readonly near: string
  /** None where a walk alone finds all there is. */
  readonly far: string | undefined
}

/** How many records a walk looks at where it has to look at each. */
export const walkMax = 500
/** How many records of a range are looked at first: what is received in a day, or at one place in a month. */
export const rangeMax = 1_000

/**
 * Declares a search, newest first by id. Its values are the provider, how many records at most, the id to go on below, if
 * there is one, and those of the conditions in use. Spelled out for these, and not as `$2 IS NULL OR …`, because only then
 * an index can serve a condition.
 *
 * Near: a walk down one index in the order of the list. It ends with the page full, with the index, or after `walkMax`
 * records that had to be looked at for other conditions. A range of event date times, unless a condition before it leaves
 * few, is read first: when it holds no more than `rangeMax`, it is sorted and no walk is needed.
 *
 * Far, only where near neither fills the page nor comes to an end: all that fits is found, and the first of it sorted out.
 * So a page costs little where matches are dense and where one condition leaves few, and no guess of the planner, who knows
 * the values of all providers together, sends it down the wrong index for long.
 */
export function search<Name extends string>(name: string, declaration: SearchDeclaration<Name>) {
  const names = Object.keys(declaration.conditions) as Name[]
  const compose: Compose = (used, before) =>
    textsOf(
      declaration,
      names.filter((one) => used.includes(one)),
      before,
    )
  const whole = compose(names, true)
  statements.set(name, whole.near)
  statements.set(`${name}Far`, whole.far ?? '')
  searches.set(name, { conditions: names, textOf: compose })
  return async (
    db: Queryable,
    [provider, limit]: readonly unknown[],
    { before, ...wanted }: { readonly before?: unknown } & Partial<Record<Name, unknown>>,
  ): Promise<FoundVersion[]> => {
    const given: Partial<Record<string, unknown>> = wanted
    const used = names.filter((one) => given[one] !== undefined)
    const values = [provider, limit, ...(before === undefined ? [] : [before]), ...used.map((one) => given[one])]
    const run = async (text: string) => (await db.query<FoundVersion>({ text, values })).rows
    const { near, far } = compose(used, before !== undefined)
    const found = await run(near)
    if (far === undefined || found.length === limit) return found
    const all = await run(far)
    return all.length > 0 ? all : found
  }
}

function textsOf<Name extends string>(
  { kind, table, conditions }: SearchDeclaration<Name>,
  names: readonly Name[],
  before: boolean,
): Texts {
  const used = names.map((name, i) => {
    const condition = conditions[name]
    const withValue = (sql: string) => sql.replaceAll('$?', `$${i + (before ? 4 : 3)}`)
    const walk = 'walk' in condition ? condition.walk : undefined
    return {
      sql: withValue(condition.sql),
      of: 'of' in condition ? condition.of : typeof walk === 'object' ? 'code' : 'record',
      walk: walk && (walk === true ? { table, sql: withValue(condition.sql) } : { ...walk, sql: withValue(walk.sql) }),
      range: 'range' in condition ? condition.range : undefined,
      beforeRange: 'beforeRange' in condition,
      bounds: 'of' in condition && condition.bound !== undefined ? [withValue(condition.bound)] : [],
    }
  })
  const ranges = used.filter(({ range }) => range !== undefined)
  const driver = used.find(({ walk }) => walk !== undefined)
  const others = used.filter((one) => one !== driver)
  const cursor = before ? ['$3::uuid'] : []
  const below = (id: string, tops: readonly string[]) =>
    tops.length > 0 ? [`${id} < ${tops.length > 1 ? `least(${tops.join(', ')})` : tops[0]}`] : []
  const idsBy = (one: (typeof used)[number] | undefined, tops: readonly string[]) =>
    `SELECT r.id FROM ${one?.walk?.table ?? table} r
    WHERE ${all(['r.provider_id = $1', ...(one?.walk ? [one.walk.sql] : []), ...below('r.id', tops)])}`
  const walk = `${idsBy(driver, [...cursor, ...used.flatMap(({ bounds }) => bounds)])} ORDER BY r.id DESC`
  if (others.length === 0) return { near: pageOf(`${walk} LIMIT $2`), far: undefined }

  const sqlOf = (some: typeof used) => some.map(({ sql }) => sql)
  const ofVersion = sqlOf(used.filter(({ of }) => of === 'version'))
  const ofRecord = (some: typeof used) => sqlOf(some.filter(({ of }) => of !== 'version'))
  /** By its key and by nothing else: a limit is a fence, or a wide range could become part of every probe. */
  const record = (id: string) => `CROSS JOIN LATERAL (
    SELECT * FROM ${table} WHERE provider_id = $1 AND id = ${id} LIMIT 1
  ) AS r`
  const version = (id: string) => `CROSS JOIN LATERAL (
    SELECT submitted_at FROM record_version WHERE provider_id = $1 AND record_id = ${id} ORDER BY version DESC LIMIT 1
  ) AS v`
  const fitting = (some: typeof used, id: string) =>
    `${ofRecord(some).length > 0 ? record(id) : ''} ${ofVersion.length > 0 ? version(id) : ''}`

  const first = used.find((one) => one === driver || ranges.includes(one))
  const ranged =
    first?.range === undefined
      ? undefined
      : `SELECT r.id FROM ${table} r
    WHERE ${all(['r.provider_id = $1', ...sqlOf(used.filter((one) => one.beforeRange || ranges.includes(one)))])}
    ORDER BY ${first.range}`
  const rangedCount = '(SELECT count(*) FROM ranged)'
  const walked = `SELECT walked.id FROM (
    ${walk} LIMIT ${walkMax}
  ) AS walked ${fitting(others, 'walked.id')}
  WHERE ${all([...(ranged === undefined ? [] : [`${rangedCount} > ${rangeMax}`]), ...ofRecord(others), ...ofVersion])}
  ORDER BY walked.id DESC LIMIT $2`
  const beside = used.filter((one) => !one.beforeRange && !ranges.includes(one))
  const near =
    ranged === undefined
      ? walked
      : `WITH ranged AS MATERIALIZED (
    ${ranged} LIMIT ${rangeMax + 1}
  )
  SELECT near.id FROM (
    (SELECT ranged.id FROM ranged ${fitting(beside, 'ranged.id')}
    WHERE ${all([`${rangedCount} <= ${rangeMax}`, ...below('ranged.id', cursor), ...ofRecord(beside), ...ofVersion])}
    ORDER BY ranged.id DESC LIMIT $2)
    UNION ALL
    (${walked})
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
        ? all([idsBy(undefined, cursor), ...sqlOf(used)])
        : used.map((one) => idsBy(one, cursor)).join(' INTERSECT ')
  const far = `SELECT matching.id FROM (
    ${matching} OFFSET 0
  ) AS matching
  WHERE EXISTS (${walk} OFFSET ${walkMax - 1} LIMIT 1)${ranged === undefined ? '' : ` AND EXISTS (${ranged} OFFSET ${rangeMax} LIMIT 1)`}
  ORDER BY matching.id DESC LIMIT $2`
  return { near: pageOf(near), far: pageOf(far) }
}

/** The current version of each id: one probe of the primary key. All bodies, or none. */
const pageOf = (ids: string): string => `SELECT found.id, found.version,
  CASE WHEN sum(pg_column_size(found.body)) OVER () <= ${storedBytesMax} THEN found.body END AS body
FROM (
  SELECT page.id, current.version, current.body
  FROM (
    ${ids}
  ) AS page CROSS JOIN LATERAL (
    SELECT version, body FROM record_version
    WHERE provider_id = $1 AND record_id = page.id
    ORDER BY version DESC LIMIT 1
  ) AS current
  ORDER BY page.id DESC
) AS found`

/**
 * An id above all that were made by then: no version is older than the id of its record (decision 0001). An hour is left for
 * clocks that differ.
 */
export const idMadeBefore = `(lpad(to_hex(greatest(0, (extract(epoch FROM $?::timestamptz)::bigint + 3600) * 1000)), 12, '0') || '00000000000000000000')::uuid`

const all = (conditions: readonly string[]): string => conditions.join(' AND ')
