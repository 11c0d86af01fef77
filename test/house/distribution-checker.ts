// Reads SQL with PostgreSQL's own parser, and says what Citus refuses, or runs with another meaning
// (decision 0087).
import {
  aliasOf,
  columnOf,
  faultsOf,
  listOf,
  type Node,
  nodeAt,
  nodesIn,
  queryKinds,
  type Schema,
  statementsIn,
  unboundFault,
} from './sql-checker.ts'

/**
 * The subqueries of a statement that correlate with the query around them. In a statement of all
 * providers Citus runs none: the rows may be on different nodes. One that reads no table of ours
 * asks the catalogue, which every node has.
 */
export async function correlationFaults(sql: string, tables: ReadonlySet<string>): Promise<readonly string[]> {
  const parsed = await statementsIn(sql)
  return relationsIn(parsed).some((name) => tables.has(name)) ? correlated(parsed, [], []) : []
}

/**
 * `own` are the names by which the query itself speaks of its rows, `around` those of the queries
 * around it.
 */
function correlated(part: unknown, own: readonly string[], around: readonly string[]): string[] {
  if (Array.isArray(part)) return part.flatMap((one) => correlated(one, own, around))
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([kind, inner]) => {
    if (queryKinds.has(kind)) return correlated(Object.values(inner), aliasesOf(inner), [...around, ...own])
    const [alias = '', column] = columnOf(part)?.split('.') ?? []
    return column !== undefined && !own.includes(alias) && around.includes(alias)
      ? [`correlates with ${alias}.${column}`]
      : correlated(inner, own, around)
  })
}

/** Aliases of tables, functions and subqueries among which a query chooses. */
function aliasesOf(query: Node): string[] {
  const among = [query.fromClause, query.usingClause, query.relation && { RangeVar: query.relation }]
  const named = (part: unknown): string[] => {
    if (Array.isArray(part)) return part.flatMap(named)
    if (typeof part !== 'object' || part === null) return []
    return Object.entries(part).flatMap(([kind, inner]) => {
      if (kind === 'RangeVar') return [aliasOf(inner)]
      if (kind === 'alias') return [String(inner.aliasname)]
      return queryKinds.has(kind) ? [] : named(inner)
    })
  }
  return named(among)
}

/** The distributed tables of which a statement reads rows of more providers than that of $1. */
export async function readOfAllProviders(
  sql: string,
  tables: ReadonlySet<string>,
  distributed: readonly string[],
): Promise<readonly string[]> {
  const faults = await faultsOf(sql, tables)
  const relations = [...nodesIn(await statementsIn(sql))].filter(({ kind }) => kind === 'RangeVar')
  return relations
    .filter(({ node }) => faults.includes(unboundFault(aliasOf(node))))
    .map(({ node }) => String(node.relname))
    .filter((name) => distributed.includes(name))
}

/**
 * The reference tables whose rows a statement changes or locks. It waits for every node, and for
 * whoever changes or locks any row of the table: Citus locks the whole of it, so that the copies
 * stay alike.
 */
export async function changedEverywhere(sql: string, references: readonly string[]): Promise<readonly string[]> {
  const tables = [...nodesIn(await statementsIn(sql))].flatMap(({ kind, node }) => {
    if (changingKinds.has(kind)) return relationsIn({ RangeVar: node.relation })
    return node.lockingClause === undefined ? [] : relationsIn(node.fromClause)
  })
  return [...new Set(tables)].filter((table) => references.includes(table))
}

const changingKinds = new Set([...queryKinds].filter((kind) => kind !== 'SelectStmt'))

/** A part of a statement: a common table expression, or what follows them. */
interface Part {
  readonly name: string
  readonly kind: string
  readonly query: Node
  /** It runs once and before what follows, wherever it is used. */
  readonly isFixed: boolean
}

/**
 * The places where a statement reads a table that it also changes. PostgreSQL runs all its parts on
 * one state of the table; on Citus each part that changes something is a step, and what runs after
 * it sees the change. What reads the old state is a query that only selects, stands before, and
 * runs once: it is materialized, locks its rows, or is used more than once.
 */
export async function changedReadFaults(
  sql: string,
  { tables, partitions }: Pick<Schema, 'tables' | 'partitions'>,
): Promise<readonly string[]> {
  const tableOf = (relation: unknown): string => partitions.get(String(relation)) ?? String(relation)
  const parts = (await statementsIn(sql)).flatMap(partsOf)
  const changes = parts.flatMap(({ kind, query }, at) =>
    kind === 'SelectStmt' ? [] : [{ at, table: tableOf(nodeAt(query, 'relation')?.relname) }],
  )
  return parts.flatMap(({ name, kind, query, isFixed }, at) =>
    readsOf(query)
      .map((relation) => tableOf(relation))
      .filter((table) => tables.has(table))
      .filter((table) => {
        const changedAt = changes.filter((change) => change.table === table).map((change) => change.at)
        const isBefore = kind === 'SelectStmt' && isFixed && changedAt.every((change) => at < change)
        return changedAt.length > 0 && !isBefore
      })
      .map((table) => `reads ${table} in ${name}, and changes it`),
  )
}

/**
 * The parts of a statement that lock rows of a table and join them with rows that are not in a
 * table. What follows cannot read them on Citus: beside the columns PostgreSQL keeps the whole of a
 * row that it has no address of, and Citus decides by it, and without it, in which format the rows
 * of a step travel. A subquery around the query keeps that inside. Only of statements that run in
 * steps: those with an INSERT among their parts.
 */
export async function lockedJoinFaults(sql: string, tables: ReadonlySet<string>): Promise<readonly string[]> {
  const parts = (await statementsIn(sql)).flatMap(partsOf)
  if (!parts.some(({ kind }) => kind === 'InsertStmt')) return []
  return parts
    .filter(({ query }) => query.lockingClause !== undefined && joinsOthers(query, tables))
    .map(({ name }) => `locks rows in ${name} that it joins with others than of a table`)
}

function joinsOthers(query: Node, tables: ReadonlySet<string>): boolean {
  const own = aliasesOf(query)
  const isOther = (part: unknown): boolean =>
    [...nodesIn(part)].some(
      ({ kind, node }) =>
        kind === 'RangeFunction' ||
        kind === 'RangeSubselect' ||
        (kind === 'RangeVar' && !tables.has(String(node.relname))),
    )
  // PostgreSQL makes joins of these, but for an EXISTS that is asked once for all rows.
  const joined = [...nodesIn(query.whereClause)].filter(
    ({ kind, node }) =>
      kind === 'SubLink' &&
      (node.subLinkType === 'ANY_SUBLINK' ||
        (node.subLinkType === 'EXISTS_SUBLINK' && correlated(node.subselect, [], own).length > 0)),
  )
  return isOther(query.fromClause) || joined.some(({ node }) => isOther(node.subselect))
}

/**
 * The reference tables that a part of a statement changes by what it reads in distributed ones.
 * Citus refuses it: such rows are read in a part before, and what follows the parts changes no
 * reference table.
 */
export async function mixedChangeFaults(
  sql: string,
  references: readonly string[],
  tables: ReadonlySet<string>,
): Promise<readonly string[]> {
  const statement = await statementsIn(sql)
  const isDistributed = (name: string) => tables.has(name) && !references.includes(name)
  return statement.flatMap(partsOf).flatMap(({ name, kind, query }, at, parts) => {
    const changed = String(nodeAt(query, 'relation')?.relname)
    if (kind === 'SelectStmt' || !references.includes(changed)) return []
    const read = at === parts.length - 1 ? relationsIn(statement) : readsOf(query)
    return read.some(isDistributed) ? [`changes ${changed} in ${name} by rows of a distributed table`] : []
  })
}

/**
 * The tables that the INSERT at the end of a statement reads, where other parts stand before it:
 * Citus plans that INSERT for a shard, and then cannot run the other parts from there.
 */
export async function lastInsertFaults(sql: string, tables: ReadonlySet<string>): Promise<readonly string[]> {
  const parts = (await statementsIn(sql)).flatMap(partsOf)
  const last = parts.at(-1)
  if (parts.length < 2 || last?.kind !== 'InsertStmt') return []
  return readsOf(last.query).filter((name) => tables.has(name))
}

/** True where an update sets a column to a slice of an array: Citus 13.2.2 crashes the node. */
export const setsSlice = async (sql: string): Promise<boolean> =>
  [...nodesIn(await statementsIn(sql))].some(
    ({ kind, node }) =>
      kind === 'UpdateStmt' &&
      [...nodesIn(node.targetList)].some((one) => one.kind === 'A_Indices' && one.node.is_slice === true),
  )

/**
 * What is wrong with a statement of the tables of a shard, which was made of another: the same
 * relations, each by the name it has there, and no provider but the one whose shard is held.
 */
export async function shardFaults(
  sql: string,
  onShard: string,
  nameOf: (table: string) => string | undefined,
): Promise<readonly string[]> {
  const [before, after] = [await tablesOf(sql), await tablesOf(onShard)]
  const expected = [...before.read, ...before.changed].map((name) => nameOf(name) ?? name)
  const found = [...after.read, ...after.changed].filter((name) => name !== 'own_shard')
  const nodes = [...nodesIn(await statementsIn(sql))]
  const spokenOf = nodes.flatMap(({ kind, node }) =>
    kind === 'ColumnRef' ? (columnOf({ ColumnRef: node })?.split('.').slice(0, -1) ?? []) : [],
  )
  return [
    ...(String(expected) === String(found) ? [] : [`is about ${found}, not ${expected}`]),
    ...(onShard.match(/\$1\b/g)?.length === 1 ? [] : ['asks for the provider beside the shard']),
    ...spokenOf.filter((name) => nameOf(name) !== undefined).map((name) => `speaks of ${name}, which has no alias`),
    ...nodes.filter(({ node }) => node.ctename === 'own_shard').map(() => 'has a part own_shard of its own'),
  ]
}

/** The tables that a statement reads, and those that it changes. */
export async function tablesOf(sql: string): Promise<{ readonly read: string[]; readonly changed: string[] }> {
  const statement = await statementsIn(sql)
  return { read: relationsIn(statement), changed: changedIn(statement) }
}

const changedIn = (part: unknown): string[] =>
  [...nodesIn(part)].flatMap(({ kind, node }) =>
    changingKinds.has(kind) ? relationsIn({ RangeVar: node.relation }) : [],
  )

function partsOf(statement: Node): readonly Part[] {
  const [kind = ''] = Object.keys(statement)
  const { withClause, ...query } = nodeAt(statement, kind) ?? {}
  const expressions = listOf(nodeAt(withClause, 'ctes')).map((one) => nodeAt(one, 'CommonTableExpr') ?? {})
  return [
    ...expressions.map((expression) => {
      const [inner = ''] = Object.keys(nodeAt(expression, 'ctequery') ?? {})
      const own = nodeAt(nodeAt(expression, 'ctequery'), inner) ?? {}
      const name = String(expression.ctename)
      const isFixed =
        expression.ctematerialized === 'CTEMaterializeAlways' ||
        own.lockingClause !== undefined ||
        relationsIn(statement).filter((relation) => relation === name).length > 1
      return { name, kind: inner, query: own, isFixed }
    }),
    { name: 'its last part', kind, query, isFixed: false },
  ]
}

/** What a part reads, but for the row that it changes. */
const readsOf = ({ relation: _changed, ...rest }: Node): readonly string[] => relationsIn(rest)

const relationsIn = (part: unknown): string[] =>
  [...nodesIn(part)].filter(({ kind }) => kind === 'RangeVar').map(({ node }) => String(node.relname))
