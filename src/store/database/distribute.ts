// The tables on a Citus cluster: which are distributed by provider, which every node has, and the
// node of a provider (decision 0058). What statements keep to, so that a cluster runs them as one
// server does: decision 0087.
import { eventKindNames } from '../../contract/record-kinds.ts'
import { makeHoldShard } from './hold-shard.ts'
import { partitionsOf } from './partitions.ts'
import { namedProviders } from './providers.ts'
import { type Queryable, statement } from './statement.ts'

/** The table that the others are colocated with: all rows of a provider are on one node. */
export const anchorTable = 'record_version'

/** Tables whose rows are on the node of their provider. */
export const distributedTables = [
  anchorTable,
  'record',
  'event',
  'event_code',
  'earlier_lot_code',
  'voided_event',
  'master_product',
  'location',
  'awaiting_search',
  'search_block',
  'location_time_zone',
  'list_view',
  'declared_setting',
  'setting_version',
  'captured_event',
  'traceability_plan',
  'ship_notice',
  'refusal',
  'idempotency_key',
  'awaiting_checkpoint',
  'recount',
  'awaiting_recount',
  'alert',
  'alert_look',
  'alert_setting',
  'correction',
  'correction_event',
  'signing_key',
  'checkpoint',
  'archive_import',
  'legal_hold',
  'mock_recall',
  'package_link',
  'webhook',
  'webhook_attempt',
  'partner',
  'partner_account',
  'deleted_partner',
  'sharing',
  'shared_copy',
  'access_log',
  'access_log_end',
  'api_key',
  'session',
] as const

/** Small tables that every node has completely. They hardly change: that takes every node. */
export const referenceTables = ['provider', 'schema_migration'] as const

/** Partitions of distributed tables, which are distributed with them. */
export const partitions: readonly string[] = eventKindNames.flatMap((kind) => Object.values(partitionsOf(kind)))

/** Ordered: a table follows those that its foreign keys name. */
const tables: readonly string[] = [...referenceTables, ...distributedTables]

/** The tables of a cluster. */
export interface Cluster {
  /** The text of Citus, e.g. `Citus 13.2.2`. */
  readonly version: string
  /** False on a worker: only the coordinator changes tables. */
  readonly isCoordinator: boolean
  readonly distributed: readonly string[]
  /** Tables on this node only. */
  readonly missing: readonly string[]
}

/**
 * Asks for a function of the extension, which is missing where Citus is installed but not created
 * in this database.
 */
export const hasCitus = statement.one<{ has: boolean }, void>(
  'hasCitus',
  `SELECT to_regproc('create_distributed_table') IS NOT NULL AS has`,
)

const aboutCluster = statement.one<{ version: string; isCoordinator: boolean }, void>(
  'aboutCluster',
  `SELECT substring(citus_version() FROM '^\\S+ \\S+') AS version, citus_is_coordinator() AS "isCoordinator"`,
)

// No provider: tables are distributed for all providers alike.
const tablesOfCluster = statement<{ table: string; isDistributed: boolean }, { tables: readonly string[] }>(
  'tablesOfCluster',
  `SELECT t.name AS "table", coalesce(p.partmethod = 'h' OR p.repmodel = 't', false) AS "isDistributed"
   FROM unnest($tables::text[]) WITH ORDINALITY AS t (name, n)
   LEFT JOIN pg_dist_partition p ON p.logicalrelid = to_regclass(t.name)
   WHERE to_regclass(t.name) IS NOT NULL
   ORDER BY t.n`,
)

/** The tables of the cluster; undefined on a server without Citus. */
export async function readCluster(db: Queryable): Promise<Cluster | undefined> {
  if (!(await hasCitus(db))?.has) return undefined
  const about = await aboutCluster(db)
  if (about === undefined) throw new Error('A statement that always has a row had none.')
  const rows = await tablesOfCluster(db, { tables })
  const named = (isDistributed: boolean) =>
    rows.filter((row) => row.isDistributed === isDistributed).map(({ table }) => table)
  return { ...about, distributed: named(true), missing: named(false) }
}

const distributeTable = statement<never, { table: string; with: string }>(
  'distributeTable',
  `SELECT create_distributed_table($table::regclass, 'provider_id', colocate_with => $with::text)`,
)
const makeReferenceTable = statement<never, { table: string }>(
  'makeReferenceTable',
  `SELECT create_reference_table($table::regclass)`,
)

/** Distributes these tables and their rows. */
export async function distributeTables(db: Queryable, missing: readonly string[]): Promise<void> {
  for (const table of missing) {
    if (referenceTables.some((name) => name === table)) await makeReferenceTable(db, { table })
    else await distributeTable(db, { table, with: table === anchorTable ? 'none' : anchorTable })
  }
  await makeHoldShard(db)
}

const removeLocal = statement<never, { table: string }>(
  'removeLocalRows',
  `SELECT truncate_local_data_after_distributing_table($table::regclass)`,
)

/**
 * Removes the rows that distributing a table leaves on the coordinator: no query sees them, but
 * they take space.
 */
export async function removeLocalRows(db: Queryable, distributed: readonly string[]): Promise<void> {
  for (const table of distributed) await removeLocal(db, { table })
}

// Not a query, which would fix the snapshot of a transaction that reads the database as of one
// moment.
/**
 * Keeps the transaction to one connection per node. Citus requires it where tables are changed or
 * loaded that foreign keys name, and reads of a node are then of one moment. A server without Citus
 * ignores it.
 */
export const oneConnectionPerNode = statement<never, void>(
  'oneConnectionPerNode',
  `SET LOCAL citus.multi_shard_modify_mode = 'sequential'`,
  { planned: 'each time' },
)

/** Where the rows of a provider are. */
export interface ProviderPlace {
  readonly provider: string
  /** Name of the provider. */
  readonly name: string
  /** Host and port. */
  readonly node: string
  readonly shard: string
}

const nodesOfProviders = statement<
  { provider: string; node: string; shard: string },
  { providers: readonly string[]; table: string }
>(
  'nodesOfProviders',
  `SELECT p.id AS provider, n.nodename || ':' || n.nodeport::text AS node, s.id::text AS shard
   FROM unnest($providers::uuid[]) AS p (id)
   CROSS JOIN LATERAL get_shard_id_for_distribution_column($table::regclass, p.id) AS s (id)
   JOIN pg_dist_placement l ON l.shardid = s.id AND l.shardstate = 1
   JOIN pg_dist_node n ON n.groupid = l.groupid AND n.noderole = 'primary'`,
)

/**
 * Where each provider is, by name, on a cluster whose tables are distributed. The accounts of its
 * partners are there, too.
 */
export async function providerPlaces(db: Queryable): Promise<readonly ProviderPlace[]> {
  const providers = await namedProviders(db)
  const nodes = await nodesOfProviders(db, { providers: providers.map(({ provider }) => provider), table: anchorTable })
  const byProvider = new Map(nodes.map((row) => [row.provider, row]))
  return providers.flatMap(({ provider, name }) => {
    const place = byProvider.get(provider)
    return place === undefined ? [] : [{ provider, name, node: place.node, shard: place.shard }]
  })
}
