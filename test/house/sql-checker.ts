// Reads SQL with PostgreSQL's own parser, and says where a statement could reach beyond its
// provider.
import { parse } from 'libpg-query'

export type Node = { readonly [key: string]: unknown }

/**
 * A rule, an index or a statement that does not keep to its provider: its name, and what is wrong.
 */
interface Fault {
  readonly name: string
  readonly fault: string
  /** The table, of a key. */
  readonly table?: string
}

export interface Schema {
  readonly tables: ReadonlySet<string>
  /** The table of each partition, by the name of the partition. */
  readonly partitions: ReadonlyMap<string, string>
  readonly keyCount: number
  /** Tables whose column provider_id has no statistics. */
  readonly withoutStatistics: ReadonlySet<string>
  readonly faults: readonly Fault[]
}

/**
 * Reads the statements of migrations: tables made, and keys, unique rules and indexes that do not
 * begin with provider_id.
 */
export async function readMigrations(sql: string): Promise<Schema> {
  const tables = new Set<string>()
  const partitions = new Map<string, string>()
  const withoutStatistics = new Set<string>()
  const faults: Fault[] = []
  let keyCount = 0
  const key = (name: string, table: string, first: unknown) => {
    keyCount++
    if (first !== 'provider_id')
      faults.push({ name, table, fault: `begins with ${first ?? 'an expression'}, not provider_id` })
  }
  for (const statement of await statementsIn(sql)) {
    faults.push(...forbiddenIn(statement).map((fault) => ({ name: 'migration', fault })))
    const table = nodeAt(statement, 'CreateStmt')
    // A partition has the columns and the keys of its table.
    if (table?.partbound !== undefined) {
      const [parent] = listOf(table.inhRelations)
      partitions.set(String(nodeAt(table, 'relation')?.relname), String(nodeAt(parent, 'RangeVar')?.relname))
      continue
    }
    if (table !== undefined) tables.add(String(nodeAt(table, 'relation')?.relname))
    const owner = (nodeAt(table ?? nodeAt(statement, 'AlterTableStmt'), 'relation')?.relname ?? '') as string
    let hasPrimaryKey = false
    for (const { kind, node, parent } of nodesIn(statement)) {
      if (kind === 'IndexStmt')
        key(
          String(node.idxname),
          String(nodeAt(node, 'relation')?.relname),
          nodeAt(firstOf(node.indexParams), 'IndexElem')?.name,
        )
      // The parser leaves out a zero.
      if (kind === 'AlterTableCmd' && node.subtype === 'AT_SetStatistics' && node.name === 'provider_id')
        if (nodeAt(nodeAt(node, 'def'), 'Integer')?.ival === undefined) withoutStatistics.add(owner)
      if (kind !== 'Constraint' || !keyKinds.has(String(node.contype))) continue
      hasPrimaryKey ||= node.contype === 'CONSTR_PRIMARY'
      key(String(node.conname ?? owner), owner, node.keys ? stringOf(firstOf(node.keys)) : parent?.colname)
    }
    if (table !== undefined && !hasPrimaryKey) faults.push({ name: owner, fault: 'has no primary key' })
  }
  return { tables, partitions, keyCount, withoutStatistics, faults }
}

const keyKinds = new Set(['CONSTR_PRIMARY', 'CONSTR_UNIQUE', 'CONSTR_EXCLUSION'])

/** Everything in which a statement does not keep to the provider of $1, as sentences. */
export async function faultsOf(sql: string, tables: ReadonlySet<string>): Promise<readonly string[]> {
  const [statement, ...more] = await statementsIn(sql)
  if (statement === undefined || more.length > 0) return ['is not one statement']
  const [kind = ''] = Object.keys(statement)
  if (!queryKinds.has(kind)) return [`is a ${kind}`, ...forbiddenIn(statement)]
  return [...forbiddenIn(statement), ...queryFaults(kind, nodeAt(statement, kind) ?? {}, { tables, ctes: [] })]
}

/** What is wrong with a table whose rows may be of any provider. */
export const unboundFault = (alias: string): string => `does not begin with ${alias}.provider_id = $1`

export const queryKinds = new Set(['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'])

interface Scope {
  readonly tables: ReadonlySet<string>
  /** Names of common table expressions in sight. */
  readonly ctes: readonly string[]
}

/** A base table that stands in a query level, and the conditions that hold for its rows there. */
interface Occurrence {
  readonly alias: string
  readonly conditions: readonly unknown[]
}

function queryFaults(kind: string, query: Node, around: Scope): string[] {
  const ctes = listOf(nodeAt(query, 'withClause')?.ctes).map((cte) => String(nodeAt(cte, 'CommonTableExpr')?.ctename))
  const scope = { ...around, ctes: [...around.ctes, ...ctes] }
  const faults = ctes.filter((name) => scope.tables.has(name)).map((name) => `names a query ${name}, like a table`)
  const larg = nodeAt(query, 'larg')
  const rarg = nodeAt(query, 'rarg')
  if (larg !== undefined && rarg !== undefined) {
    faults.push(...queryFaults('SelectStmt', larg, scope), ...queryFaults('SelectStmt', rarg, scope))
    return [...faults, ...nestedFaults(query.withClause, scope), ...nestedFaults(query.sortClause, scope)]
  }
  if (kind === 'InsertStmt') faults.push(...insertFaults(query, scope))

  const first = Number(kind === 'UpdateStmt' || kind === 'DeleteStmt')
  const from = [...listOf(query.fromClause), ...listOf(query.usingClause)]
  const inWhere = [
    ...(first ? [nodeAt(query, 'relation')] : []),
    ...from.flatMap((item) => relationsOutsideJoins(item)),
  ].filter((relation) => relation !== undefined)
  const joined = from.flatMap((item) => joinedRelations(item))
  faults.push(
    ...[...inWhere, ...joined.map(({ relation }) => relation)]
      .map(({ relname }) => String(relname))
      .filter((name) => !scope.ctes.includes(name) && !scope.tables.has(name))
      .map((name) => `reads ${name}, which no migration makes`),
  )

  const isBase = ({ relname }: Node) => !scope.ctes.includes(String(relname))
  const needed = inWhere.filter(isBase)
  const conditions = conjunctsOf(query.whereClause).slice(0, needed.length)
  const occurrences: Occurrence[] = [
    ...needed.map((relation) => ({ alias: aliasOf(relation), conditions })),
    ...joined
      .filter(({ relation }) => isBase(relation))
      .map(({ relation, quals }) => ({ alias: aliasOf(relation), conditions: conjunctsOf(quals).slice(0, 1) })),
  ]
  faults.push(...unscoped(occurrences).map(unboundFault))
  if (kind === 'UpdateStmt') faults.push(...movedRows(query.targetList))

  return [...faults, ...nestedFaults(query, scope)]
}

/**
 * Aliases of base tables without a condition that leads to $1, directly or by way of another table
 * of the same query level that has one. Citus sees no constant across the border of a subquery: one
 * that correlates with the query around it is on no single shard.
 */
function unscoped(occurrences: readonly Occurrence[]): string[] {
  const own = occurrences.map(({ alias }) => alias)
  const scoped = new Set<string>()
  const only = occurrences.length === 1
  for (let before = -1; before !== scoped.size; ) {
    before = scoped.size
    for (const { alias, conditions } of occurrences)
      if (conditions.some((condition) => scopes(condition, alias, only, scoped))) scoped.add(alias)
  }
  return own.filter((alias) => !scoped.has(alias))
}

/**
 * True for `alias.provider_id = $1`, and for `alias.provider_id = other.provider_id` where the
 * other is known to be the provider's.
 */
function scopes(condition: unknown, alias: string, unqualified: boolean, scoped: ReadonlySet<string>): boolean {
  const equation = nodeAt(condition, 'A_Expr')
  if (equation?.kind !== 'AEXPR_OP' || stringOf(firstOf(equation.name)) !== '=') return false
  const [left, right] = [equation.lexpr, equation.rexpr]
  const isOwn = (side: unknown) => {
    const column = columnOf(side)
    return column === `${alias}.provider_id` || (unqualified && column === 'provider_id')
  }
  const isProvider = (side: unknown) =>
    nodeAt(side, 'ParamRef')?.number === 1 || [...scoped].some((other) => columnOf(side) === `${other}.provider_id`)
  return (isOwn(left) && isProvider(right)) || (isOwn(right) && isProvider(left))
}

function insertFaults(query: Node, scope: Scope): string[] {
  const table = String(nodeAt(query, 'relation')?.relname)
  const faults: string[] = []
  if (!scope.tables.has(table)) faults.push(`writes ${table}, which no migration makes`)
  if (nodeAt(firstOf(query.cols), 'ResTarget')?.name !== 'provider_id')
    faults.push(`inserts into ${table} without provider_id as its first column`)
  if (!firstValues(nodeAt(query.selectStmt, 'SelectStmt')).every((value) => nodeAt(value, 'ParamRef')?.number === 1))
    faults.push(`inserts into ${table} another first value than $1`)
  const conflict = nodeAt(query, 'onConflictClause')
  if (conflict !== undefined) {
    const target = nodeAt(firstOf(nodeAt(conflict, 'infer')?.indexElems), 'IndexElem')?.name
    if (target !== 'provider_id')
      faults.push(`has an ON CONFLICT target on ${table} that does not begin with provider_id`)
    faults.push(...movedRows(conflict.targetList))
  }
  return faults
}

/** The first value of every row a query gives. */
function firstValues(query: Node | undefined): unknown[] {
  if (query === undefined) return [undefined]
  const [larg, rarg] = [nodeAt(query, 'larg'), nodeAt(query, 'rarg')]
  if (larg !== undefined && rarg !== undefined) return [...firstValues(larg), ...firstValues(rarg)]
  if (query.valuesLists) return listOf(query.valuesLists).map((row) => firstOf(nodeAt(row, 'List')?.items))
  return [nodeAt(firstOf(query.targetList), 'ResTarget')?.val]
}

const movedRows = (targets: unknown): string[] =>
  listOf(targets).some((target) => nodeAt(target, 'ResTarget')?.name === 'provider_id') ? ['sets provider_id'] : []

/** Faults of the queries that stand inside a query, at any depth. */
function nestedFaults(part: unknown, scope: Scope): string[] {
  if (Array.isArray(part)) return part.flatMap((one) => nestedFaults(one, scope))
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([kind, inner]) =>
    queryKinds.has(kind)
      ? kind === 'SelectStmt' && isValues(inner as Node)
        ? nestedFaults(inner, scope)
        : queryFaults(kind, inner as Node, scope)
      : nestedFaults(inner, scope),
  )
}

const isValues = (query: Node): boolean => query.valuesLists !== undefined

const relationsOutsideJoins = (item: unknown): Node[] => {
  const relation = nodeAt(item, 'RangeVar')
  if (relation !== undefined) return [relation]
  const join = nodeAt(item, 'JoinExpr')
  if (join === undefined) return []
  // ON keeps rows of the right side back; those of the left side only WHERE can, and after an outer
  // join on the right both.
  return [
    ...relationsOutsideJoins(join.larg),
    ...(nodeAt(join.rarg, 'RangeVar') !== undefined && filtersRight(join) ? [] : relationsOutsideJoins(join.rarg)),
  ]
}

function joinedRelations(item: unknown): { relation: Node; quals: unknown }[] {
  const join = nodeAt(item, 'JoinExpr')
  if (join === undefined) return []
  const relation = nodeAt(join.rarg, 'RangeVar')
  return [
    ...joinedRelations(join.larg),
    ...joinedRelations(join.rarg),
    ...(relation !== undefined && filtersRight(join) ? [{ relation, quals: join.quals }] : []),
  ]
}

const filtersRight = ({ jointype, quals }: Node): boolean =>
  quals !== undefined && (jointype === 'JOIN_INNER' || jointype === 'JOIN_LEFT')

function conjunctsOf(condition: unknown): readonly unknown[] {
  const expression = nodeAt(condition, 'BoolExpr')
  return expression?.boolop === 'AND_EXPR' ? listOf(expression.args) : condition === undefined ? [] : [condition]
}

/** What works on one server only, or takes the neighbours' rows with it. */
function forbiddenIn(statement: Node): string[] {
  const faults: string[] = []
  for (const { kind, node } of nodesIn(statement)) {
    if (forbiddenKinds.has(kind)) faults.push(`holds a ${kind}`)
    if (kind === 'LockingClause' && node.waitPolicy === 'LockWaitSkip') faults.push('skips locked rows')
    if (kind === 'Constraint' && node.contype === 'CONSTR_IDENTITY') faults.push('has an identity column')
    const called = kind === 'FuncCall' ? stringOf(listOf(node.funcname).at(-1)) : ''
    if (/advisory|^(nextval|currval|lastval|setval|pg_notify)$/.test(called)) faults.push(`calls ${called}`)
    const type = kind === 'ColumnDef' ? stringOf(listOf(nodeAt(node, 'typeName')?.names).at(-1)) : ''
    if (/serial/.test(type)) faults.push(`has a ${type} column`)
  }
  return faults
}

const forbiddenKinds = new Set([
  'AlterSeqStmt',
  'CopyStmt',
  'CreateSeqStmt',
  'CreateTrigStmt',
  'ListenStmt',
  'LockStmt',
  'MergeStmt',
  'NotifyStmt',
  'TruncateStmt',
  // What a view reads of a provider, Citus cannot see in the statement.
  'ViewStmt',
])

/** Every tagged node of a tree, the one around it beside it. */
export function* nodesIn(
  part: unknown,
  parent?: Node,
): Generator<{ readonly kind: string; readonly node: Node; readonly parent: Node | undefined }> {
  if (Array.isArray(part)) for (const one of part) yield* nodesIn(one, parent)
  else if (typeof part === 'object' && part !== null)
    for (const [kind, inner] of Object.entries(part)) {
      const tagged = /^[A-Z]/.test(kind) || kind === 'typeName'
      if (tagged) yield { kind, node: inner as Node, parent }
      yield* nodesIn(inner, tagged ? (inner as Node) : parent)
    }
}

export const statementsIn = async (sql: string): Promise<readonly Node[]> =>
  ((await parse(sql)).stmts ?? []).map(({ stmt }) => stmt as unknown as Node)

export const nodeAt = (node: unknown, key: string): Node | undefined =>
  typeof node === 'object' && node !== null ? ((node as Node)[key] as Node | undefined) : undefined

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const firstOf = (value: unknown): unknown => listOf(value)[0]

const stringOf = (node: unknown): string => String(nodeAt(node, 'String')?.sval ?? '')

export const aliasOf = (relation: Node): string => String(nodeAt(relation, 'alias')?.aliasname ?? relation.relname)

export const columnOf = (node: unknown): string | undefined => {
  const fields = nodeAt(node, 'ColumnRef')?.fields
  return fields === undefined ? undefined : listOf(fields).map(stringOf).join('.')
}
