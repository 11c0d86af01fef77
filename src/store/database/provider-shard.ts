// A statement of one provider as a statement of the tables on one node: a Citus cluster keeps the
// rows of a provider in tables of their own there, its shard (decision 0089).
import { anchorTable, distributedTables, partitions, referenceTables } from './distribute.ts'
import { type Query, type Queryable, statement } from './statement.ts'

/** The shard with the rows of a provider, and its node. */
export interface ProviderShard {
  readonly id: string
  readonly host: string
  readonly port: number
  /** The name that each table has there. */
  readonly tables: Readonly<Record<string, string>>
}

// Reference tables have one shard, which is on every node.
const shardOfProvider = statement.one<ProviderShard, { of: string; anchor: string }>(
  'shardOfProvider',
  `SELECT s.shardid::text AS id, n.nodename AS host, n.nodeport AS port,
          json_object_agg(t.logicalrelid::text, shard_name(t.logicalrelid, t.shardid)) AS tables
   FROM pg_dist_shard s
   JOIN pg_dist_partition d ON d.logicalrelid = s.logicalrelid
   JOIN pg_dist_placement l ON l.shardid = s.shardid AND l.shardstate = 1
   JOIN pg_dist_node n ON n.groupid = l.groupid AND n.noderole = 'primary'
   JOIN pg_dist_partition c ON c.colocationid = d.colocationid OR c.repmodel = 't'
   JOIN pg_dist_shard t ON t.logicalrelid = c.logicalrelid AND (t.shardminvalue = s.shardminvalue OR c.repmodel = 't')
   WHERE s.shardid = get_shard_id_for_distribution_column($anchor::regclass, $of::uuid)
   GROUP BY s.shardid, n.nodename, n.nodeport`,
)

/** Asks the cluster for the shard of a provider. */
export const findShard = (db: Queryable, provider: string): Promise<ProviderShard | undefined> =>
  shardOfProvider(db, { of: provider, anchor: anchorTable })

/**
 * The word in the place of a table, and the one before it. The tests ask the parser whether these
 * are all of them.
 */
const tablePlace = /(\b(?:FROM|JOIN|INTO|UPDATE|USING)\s+)([a-z_]+)\b/

const changedTable = /\b(?:INTO|UPDATE|DELETE FROM)\s+([a-z_]+)/g
const references = new Set<string>(referenceTables)
const changesReferences = (text: string): boolean =>
  [...text.matchAll(changedTable)].some(([, table = '']) => references.has(table))
const onShards = new Set<string>([...distributedTables, ...partitions])

/** A statement for any shard, cut up: each third piece stands in the place of a table. */
interface ShardStatement {
  readonly isRecursive: boolean
  readonly pieces: readonly string[]
}

/** By text; a search or a listing has a text for each set of conditions, and is none of these. */
const known = new Map<string, ShardStatement | undefined>()

/**
 * Undefined of a statement that is for no shard: it reads no table that is distributed, or changes
 * one that every node has.
 */
export function forShards({ name, text }: Query): ShardStatement | undefined {
  if (known.has(text)) return known.get(text)
  const statement = changesReferences(text) ? undefined : cutUp(text)
  if (name !== undefined) known.set(text, statement)
  return statement
}

function cutUp(text: string): ShardStatement | undefined {
  const bound = text.replaceAll(/\$1\b/g, '(SELECT provider_id FROM own_shard)')
  const [head, recursive] = /^\s*WITH\s+(RECURSIVE\s+)?/.exec(bound) ?? []
  const rest = head === undefined ? ` ${bound}` : `, ${bound.slice(head.length)}`
  const pieces = rest.split(tablePlace)
  const isForShard = pieces.some((piece, i) => isTable(i) && onShards.has(piece))
  return isForShard ? { isRecursive: recursive !== undefined, pieces } : undefined
}

const isTable = (at: number): boolean => at % 3 === 2

/**
 * The statement as one of the tables of a shard. `own_shard` keeps the shard where it is until the
 * end of the statement, and fails if it has moved.
 */
export function textOnShard({ isRecursive, pieces }: ShardStatement, { id, tables }: ProviderShard): string {
  const named = pieces.map((piece, i) => (isTable(i) && tables[piece]) || piece)
  const recursive = isRecursive ? 'RECURSIVE ' : ''
  return `WITH ${recursive}own_shard AS MATERIALIZED (SELECT hold_shard($1, ${id}) AS provider_id)${named.join('')}`
}
