// The connections to a PostgreSQL server. On a Citus cluster, a statement of one provider is sent
// to the node that has its rows, as a statement of the tables there: no other node takes part in
// it, and it costs what it costs on one server (decision 0089).
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { declareLimit } from '../../limits.ts'
import { connectionLost, ofNode } from './database-errors.ts'
import { readCluster } from './distribute.ts'
import { shardMoved } from './hold-shard.ts'
import { findShard, forShards, type ProviderShard, textOnShard } from './provider-shard.ts'
import { type Query, statement } from './statement.ts'

/** How often a statement looks for a provider that moved, and the time between two looks. */
const looksMax = 30
const lookAgainMs = 100

/** Providers whose shards are known at once: anybody can name some that there are not. */
const shardsKnownMax = 10_000

const preparedMax = declareLimit(
  'preparedStatements',
  200,
  'statements',
  'Statements prepared on a connection to a node of a cluster, where each shard has its own.',
)

/** A statement of a provider. */
type ProviderQuery = Query & { readonly provider: string }

const changeShards = statement<never, void>(
  'changeShards',
  `SELECT set_config('citus.enable_manual_changes_to_shards', 'on', false)`,
  { planned: 'each time' },
)

export class ServerPool extends pg.Pool {
  /** Unknown until the first statement of a provider asks. */
  #isCluster: Promise<boolean> | boolean | undefined
  /** By provider. */
  readonly #shards = new Map<string, ProviderShard>()
  /** By address. */
  readonly #nodes = new Map<string, NodePool>()

  /** The addresses of nodes that do not answer; by who watches them. */
  nodesAway: () => readonly string[] = () => []

  /** True of a node that is known not to answer. */
  isAway(node: Pick<ProviderShard, 'host' | 'port'>): boolean {
    return this.nodesAway().includes(addressOf(node))
  }

  /** The connections to the server and to the nodes. */
  get pools(): readonly pg.Pool[] {
    return [this, ...this.#nodes.values()]
  }

  override query(...asked: never[]): never {
    const [query, ...more] = asked as readonly Query[]
    const isRouted = query?.provider !== undefined && more.length === 0 && this.#isCluster !== false
    if (isRouted) return this.#queryOfProvider(query as ProviderQuery) as never
    return super.query(...(asked as unknown as [string])) as never
  }

  override async end(): Promise<void> {
    await Promise.all([...this.#nodes.values()].map((pool) => pool.end()))
    await super.end()
  }

  async #queryOfProvider(query: ProviderQuery): Promise<pg.QueryResult> {
    this.#isCluster ??= this.#findCluster()
    const cut = (await this.#isCluster) ? forShards(query) : undefined
    if (cut === undefined) return super.query(query)
    for (let look = 1; ; look++) {
      const shard = await this.#shardOf(query.provider)
      if (shard === undefined) return super.query(query)
      const name = query.name && `${query.name} ${shard.id}`
      try {
        return await this.#nodeOf(shard).run({ ...query, ...(name && { name }), text: textOnShard(cut, shard) })
      } catch (error) {
        const moved = shardMoved(error)
        if (moved || connectionLost(error)) this.#shards.delete(query.provider)
        if (!moved || look === looksMax) throw ofNode(error, addressOf(shard))
        // The nodes hear of a move one after the other.
        if (look > 1) await pause(lookAgainMs)
      }
    }
  }

  async #findCluster(): Promise<boolean> {
    try {
      const cluster = await readCluster(this)
      this.#isCluster = cluster !== undefined && cluster.distributed.length > 0
      return this.#isCluster
    } catch (error) {
      this.#isCluster = undefined
      throw error
    }
  }

  async #shardOf(provider: string): Promise<ProviderShard | undefined> {
    const known = this.#shards.get(provider)
    if (known !== undefined) return known
    const found = await findShard(this, provider)
    if (found === undefined) return undefined
    const [oldest] = this.#shards.keys()
    if (this.#shards.size >= shardsKnownMax && oldest !== undefined) this.#shards.delete(oldest)
    this.#shards.set(provider, found)
    return found
  }

  #nodeOf(shard: ProviderShard): NodePool {
    const address = addressOf(shard)
    const known = this.#nodes.get(address)
    if (known !== undefined) return known
    const pool = new NodePool(this.options, shard)
    this.#nodes.set(address, pool)
    return pool
  }
}

/** Connections to a node, for who signs in there as at the server that is configured. */
class NodePool extends pg.Pool {
  readonly #prepared = new WeakMap<pg.PoolClient, Set<string>>()

  constructor({ connectionString, onConnect, ...options }: pg.PoolOptions, { host, port }: ProviderShard) {
    super({
      ...options,
      ...(connectionString === undefined ? { host, port } : { connectionString: at(connectionString, host, port) }),
      onConnect: async (client) => {
        await onConnect?.(client)
        await changeShards(client)
      },
    })
    this.on('error', ignore)
  }

  /**
   * Runs a statement. A connection with many prepared statements is closed: each takes up to a
   * megabyte of the node's memory.
   */
  async run(query: Query): Promise<pg.QueryResult> {
    const client = await this.connect()
    const prepared = this.#prepared.get(client) ?? new Set()
    if (query.name !== undefined) this.#prepared.set(client, prepared.add(query.name))
    // A broken connection fails the statement. Without a listener its event would end the process.
    client.on('error', ignore)
    let failure: Error | undefined
    try {
      return await client.query(query)
    } catch (error) {
      failure = error as Error
      throw error
    } finally {
      client.off('error', ignore)
      client.release(failure ?? prepared.size >= preparedMax)
    }
  }
}

const ignore = () => undefined

/** How many connections there are. */
export function countConnections(pool: pg.Pool): Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'> {
  const pools = pool instanceof ServerPool ? pool.pools : [pool]
  const sum = (of: (pool: pg.Pool) => number) => pools.reduce((total, one) => total + of(one), 0)
  return {
    totalCount: sum((one) => one.totalCount),
    idleCount: sum((one) => one.idleCount),
    waitingCount: sum((one) => one.waitingCount),
  }
}

const addressOf = ({ host, port }: Pick<ProviderShard, 'host' | 'port'>): string => `${host}:${port}`

function at(connectionString: string, host: string, port: number): string {
  const url = new URL(connectionString)
  url.hostname = host
  url.port = String(port)
  return url.href
}
