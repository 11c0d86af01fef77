// A throwaway Citus cluster: a coordinator and two workers, each a server of its own on 127.0.0.1.
import { randomBytes } from 'node:crypto'
import { inDatabase } from './in-database.ts'
import { type PostgresqlServer, type PostgresqlServerOptions, startPostgresqlServer } from './postgresql-server.ts'

export interface CitusCluster {
  readonly coordinator: PostgresqlServer
  readonly workers: readonly PostgresqlServer[]
  stop(): Promise<void>
}

const workerCount = 2
/** Fewer than Citus makes by default: every statement of all providers asks each. */
const shardCount = 8

/**
 * Starts a cluster of the server programs of a folder, which have the extension. Its tables are
 * made and distributed by who asks for it.
 */
export async function startCitusCluster(
  binaries: string,
  { fsync }: Pick<PostgresqlServerOptions, 'fsync'> = {},
): Promise<CitusCluster> {
  const password = randomBytes(16).toString('hex')
  const settings = {
    shared_preload_libraries: 'citus',
    wal_level: 'logical',
    lc_messages: 'C',
    'citus.node_conninfo': 'sslmode=disable',
    'citus.shard_count': shardCount,
    // Citus does not look for writes in doubt by itself: the service asks for it.
    'citus.recover_2pc_interval': -1,
    // Each node also has the connections of the others.
    max_connections: 400,
    // Citus has a process for each database.
    max_worker_processes: 64,
  }
  const started = await Promise.allSettled(
    Array.from({ length: 1 + workerCount }, () =>
      startPostgresqlServer({ binaries, password, settings, ...(fsync === undefined ? {} : { fsync }) }),
    ),
  )
  const servers = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()))
  }
  try {
    const failed = started.find((one) => one.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    const [coordinator, ...workers] = servers
    if (coordinator === undefined) throw new Error('A cluster has a coordinator.')
    await joinNodes(
      coordinator.url,
      workers.map(({ url }) => url),
    )
    return { coordinator, workers, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Makes one cluster of databases that are on nodes of their own. */
export async function joinNodes(coordinator: string, workers: readonly string[]): Promise<void> {
  const place = (url: string) => [new URL(url).hostname, Number(new URL(url).port)]
  for (const url of [coordinator, ...workers]) await inDatabase(url, ['CREATE EXTENSION citus'])
  await inDatabase(
    coordinator,
    ['SELECT citus_set_coordinator_host($1, $2)', place(coordinator)],
    ...workers.map((url) => ['SELECT citus_add_node($1, $2)', place(url)] as const),
  )
}
