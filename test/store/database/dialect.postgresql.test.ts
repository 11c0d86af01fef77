// What Citus refuses of a statement that changes rows is a matter of volatility, and that is known
// only once every function, operator and type is resolved: so PostgreSQL analyses each statement,
// and its catalogue says which of its functions are immutable. The rules are those of Citus 13
// (decision 0087); no Citus runs here.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { statements } from '../../../src/store/database/statement.ts'
import { filesUnder, placeOf } from '../../house/tree.ts'
import { isNode, type Tree, type TreeNode, withAnalysis } from '../../support/databases/analysed-query.ts'
import { type TestDatabase, testDatabase } from '../../support/databases/database.ts'

/** Statements that Citus refuses, and what is to become of them. */
const refused: Readonly<Record<string, string>> = {}

let database: TestDatabase
let catalogue: Catalogue
beforeAll(async () => {
  database = await testDatabase()
  catalogue = await readCatalogue(database)
  for (const file of filesUnder('src/store', /\.ts$/)) await import(placeOf(file))
})
afterAll(() => database?.close())

/** `i`: immutable; `s`: stable, within one statement; `v`: volatile. */
type Volatility = 'i' | 's' | 'v'

/**
 * Volatility of functions, of operators, and of what makes text of a type and a type of text; by
 * oid.
 */
interface Catalogue {
  readonly functions: ReadonlyMap<string, Volatility>
  readonly operators: ReadonlyMap<string, Volatility>
  readonly outputs: ReadonlyMap<string, Volatility>
  readonly inputs: ReadonlyMap<string, Volatility>
}

async function readCatalogue({ pool }: TestDatabase): Promise<Catalogue> {
  const byOid = async (sql: string) =>
    new Map((await pool.query<{ oid: string; is: Volatility }>(sql)).rows.map(({ oid, is }) => [oid, is]))
  return {
    functions: await byOid('SELECT oid::text, provolatile AS is FROM pg_proc'),
    operators: await byOid(
      'SELECT o.oid::text, p.provolatile AS is FROM pg_operator o JOIN pg_proc p ON p.oid = o.oprcode',
    ),
    outputs: await byOid(
      'SELECT t.oid::text, p.provolatile AS is FROM pg_type t JOIN pg_proc p ON p.oid = t.typoutput',
    ),
    inputs: await byOid('SELECT t.oid::text, p.provolatile AS is FROM pg_type t JOIN pg_proc p ON p.oid = t.typinput'),
  }
}

const partsOf = (tree: Tree | undefined): readonly Tree[] =>
  tree === undefined || typeof tree === 'string' ? [] : isNode(tree) ? [...tree.fields.values()] : tree

/** Every node of a tree; `into` says whether to look inside one. */
function* nodesIn(tree: Tree | undefined, into: (node: TreeNode) => boolean = () => true): Generator<TreeNode> {
  if (isNode(tree)) yield tree
  if (isNode(tree) && !into(tree)) return
  for (const part of partsOf(tree)) yield* nodesIn(part, into)
}

const typeFields = [
  ...['vartype', 'consttype', 'paramtype', 'funcresulttype', 'opresulttype', 'resulttype', 'aggtype', 'casetype'],
  ...['coalescetype', 'minmaxtype', 'array_typeid', 'refrestype'],
]

const word = (node: TreeNode, name: string): string => String(node.fields.get(name) ?? '')

/** How volatile a node is by itself, whatever is inside it. */
function volatilityOf(node: TreeNode, { functions, operators, outputs, inputs }: Catalogue): Volatility {
  const functionOf = { FUNCEXPR: 'funcid', AGGREF: 'aggfnoid', WINDOWFUNC: 'winfnoid' }[node.type]
  if (functionOf !== undefined) return functions.get(word(node, functionOf)) ?? 'v'
  if (['OPEXPR', 'DISTINCTEXPR', 'NULLIFEXPR', 'SCALARARRAYOPEXPR'].includes(node.type))
    return operators.get(word(node, 'opno')) ?? 'v'
  if (node.type === 'COERCEVIAIO') {
    const arg = node.fields.get('arg')
    const type = isNode(arg) ? typeFields.map((field) => word(arg, field)).find((oid) => oid !== '') : undefined
    const both = [outputs.get(type ?? ''), inputs.get(word(node, 'resulttype'))]
    return both.every((one) => one === 'i') ? 'i' : 's'
  }
  return ['SQLVALUEFUNCTION', 'JSONCONSTRUCTOREXPR'].includes(node.type)
    ? 's'
    : node.type === 'NEXTVALUEEXPR'
      ? 'v'
      : 'i'
}

const isMutable = (tree: Tree | undefined, catalogue: Catalogue): boolean =>
  [...nodesIn(tree)].some((node) => volatilityOf(node, catalogue) !== 'i')

/** Its own expressions; a query inside is one of its own. */
const notQueries = ({ type }: TreeNode): boolean => type !== 'QUERY'

/** What Citus cannot work out before it sends the expression to a worker. */
function irreducibleIn(tree: Tree | undefined, catalogue: Catalogue): string[] {
  const nodes = [...nodesIn(tree, notQueries)]
  const faults: string[] = []
  if (nodes.some((node) => volatilityOf(node, catalogue) === 'v')) faults.push('calls a volatile function')
  for (const node of nodes) {
    if (/^(?:CASE|COALESCE)(?:EXPR)?$/.test(node.type) && isMutable(node, catalogue))
      faults.push(`has a ${node.type} with a function that is not immutable`)
    else if (volatilityOf(node, catalogue) === 's' && [...nodesIn(node, notQueries)].some(({ type }) => type === 'VAR'))
      faults.push('calls a stable function with a column')
  }
  return faults
}

const listOf = (tree: Tree | undefined): readonly TreeNode[] => partsOf(tree).filter(isNode)
const kinds = { '2': 'UPDATE', '3': 'INSERT', '4': 'DELETE' } as const

/** What Citus refuses of a query that changes rows: the rules of its router planner. */
function faultsOf(query: TreeNode, catalogue: Catalogue): readonly string[] {
  const { fields } = query
  const kind = kinds[word(query, 'commandType') as keyof typeof kinds]
  if (kind === undefined) return []
  const faults: string[] = []
  const add = (where: string, found: readonly string[]) => faults.push(...found.map((fault) => `${where} ${fault}`))
  const mutable = (tree: Tree | undefined) =>
    isMutable(tree, catalogue) ? ['calls a function that is not immutable'] : []
  const conflict = fields.get('onConflict')
  if (isNode(conflict)) {
    for (const target of listOf(conflict.fields.get('onConflictSet'))) {
      const value = target.fields.get('expr')
      if (isNode(value) && value.type !== 'VAR') add(`DO UPDATE SET ${word(target, 'resname')}`, mutable(value))
    }
    for (const name of ['onConflictWhere', 'arbiterWhere']) add(name, mutable(conflict.fields.get(name)))
  }
  if (kind === 'UPDATE')
    for (const target of listOf(fields.get('targetList')))
      add(`SET ${word(target, 'resname')}`, irreducibleIn(target.fields.get('expr'), catalogue))
  const joined = fields.get('jointree')
  if (kind !== 'INSERT' && isNode(joined)) add('WHERE', irreducibleIn(joined.fields.get('quals'), catalogue))
  add('RETURNING', mutable(fields.get('returningList')))
  return faults
}

/** What is wrong with each of these statements that change rows, by name. */
async function faultsIn(named: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, readonly string[]>> {
  const faults = new Map<string, readonly string[]>()
  await withAnalysis(database.url ?? '', async (analyse) => {
    for (const [name, sql] of named) {
      const queries = [...nodesIn(await analyse(sql))].filter(({ type }) => type === 'QUERY')
      faults.set(
        name,
        queries.flatMap((query) => faultsOf(query, catalogue)),
      )
    }
  })
  return faults
}

test('Citus takes every statement that changes rows, but for those named, each needed', async () => {
  const changing = new Map([...statements].filter(([, sql]) => /\b(?:INSERT|UPDATE|DELETE)\b/.test(sql)))
  const faults = [...(await faultsIn(changing))].filter(([, found]) => found.length > 0)
  expect(changing.size).toBeGreaterThan(0)
  expect(faults.filter(([name]) => refused[name] === undefined)).toEqual([])
  expect(Object.keys(refused).filter((name) => !faults.some(([faulty]) => faulty === name))).toEqual([])
})

const inserted = `INSERT INTO location_time_zone AS z (provider_id, "dataProviderVendorId", "locationCode", time_zone, set_at, set_by)
  VALUES ($1, $2, $3, $4, now(), $5)
  ON CONFLICT (provider_id, "dataProviderVendorId", "locationCode")`

describe('the test', () => {
  test.each([
    'UPDATE api_key SET revoked_at = coalesce(revoked_at, now()) WHERE provider_id = $1',
    'UPDATE api_key SET revoked_at = CASE WHEN revoked_at IS NULL THEN now() ELSE revoked_at END WHERE provider_id = $1',
    `UPDATE location SET content = jsonb_build_object('content', content) WHERE provider_id = $1`,
    'UPDATE location SET "locationCode" = "locationCode" || content WHERE provider_id = $1',
    'UPDATE record_version SET request_id = gen_random_uuid() WHERE provider_id = $1',
    'UPDATE location l SET content = to_jsonb(a.code) FROM unnest($2::text[]) AS a (code) WHERE l.provider_id = $1',
    'UPDATE event SET line_count = 2 WHERE provider_id = $1 AND "eventDateTime"::text = $2',
    `DELETE FROM event WHERE provider_id = $1 AND "eventDateTime" + interval '1 day' < now()`,
    'DELETE FROM location WHERE provider_id = $1 RETURNING now()',
    `${inserted} DO UPDATE SET set_at = now()`,
    `${inserted} DO UPDATE SET set_by = to_char(z.set_at, 'YYYY')`,
    `${inserted} DO UPDATE SET set_by = excluded.set_by WHERE z.set_at < now()`,
    `WITH changed AS (${inserted} DO UPDATE SET set_by = z.set_at::text RETURNING set_by) SELECT set_by FROM changed`,
  ])('refuses %s', async (sql) => {
    expect([...(await faultsIn(new Map([['it', sql]]))).values()].flat()).not.toEqual([])
  })

  test.each([
    'UPDATE api_key SET revoked_at = least(revoked_at, now()) WHERE provider_id = $1',
    `UPDATE api_key SET last_used_at = now() WHERE provider_id = $1 AND last_used_at < now() - interval '1 minute'`,
    'UPDATE record SET version = version + 1 WHERE provider_id = $1 AND id::text = $2 RETURNING id, version',
    `UPDATE location SET content = content || '{"a": 1}'::jsonb WHERE provider_id = $1`,
    `${inserted} DO NOTHING`,
    `${inserted} DO UPDATE SET set_at = excluded.set_at, set_by = z.set_by || ' ' || excluded.set_by WHERE z.set_at < excluded.set_at`,
    'WITH now AS (SELECT now() AS at) UPDATE record l SET version = 2 FROM now WHERE l.provider_id = $1',
  ])('lets pass %s', async (sql) => {
    expect([...(await faultsIn(new Map([['it', sql]]))).values()].flat()).toEqual([])
  })
})
