// Reads SQL with PostgreSQL's own parser, and says what Citus refuses, or runs with another meaning
// (decision 0058).
import { aliasOf, columnOf, listOf, type Node, nodeAt, nodesIn, queryKinds, statementsIn } from './sql-checker.ts'

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
  tables: ReadonlySet<string>,
  views: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const parts = (await statementsIn(sql)).flatMap(partsOf)
  const changes = parts.flatMap(({ kind, query }, at) =>
    kind === 'SelectStmt' ? [] : [{ at, table: String(nodeAt(query, 'relation')?.relname) }],
  )
  return parts.flatMap(({ name, kind, query, isFixed }, at) =>
    readsOf(query)
      .map((relation) => views.get(relation) ?? relation)
      .filter((table) => tables.has(table))
      .filter((table) => {
        const changedAt = changes.filter((change) => change.table === table).map((change) => change.at)
        const isBefore = kind === 'SelectStmt' && isFixed && changedAt.every((change) => at < change)
        return changedAt.length > 0 && !isBefore
      })
      .map((table) => `reads ${table} in ${name}, and changes it`),
  )
}

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
