// The nodes of a Citus cluster: which of them answer, and what is done when one is back. A single
// server has none. Source: decision 0088.
import { setTimeout as pause } from 'node:timers/promises'
import { hasCitus, providerPlaces } from './distribute.ts'
import { accountsOf } from './providers.ts'
import { type Queryable, statement } from './statement.ts'

/** Longest wait for the answer of a node, in milliseconds: one that hangs returns no error. */
const answerMsMax = 2_000
/** Time between two looks, in milliseconds; the second while a node is away or a write in doubt. */
const lookMs = 10_000
const lookAgainMs = 500

// No provider: these belong to the cluster.
const clusterNodes = statement<{ host: string; port: number }, void>(
  'clusterNodes',
  `SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE noderole = 'primary' ORDER BY nodename, nodeport`,
)
// The limit of Citus is half a minute, in which a command that asked a node that hangs would not
// end.
const nodeAnswers = statement.any<{ host: string; port: number }>(
  'nodeAnswers',
  `WITH limited AS MATERIALIZED (SELECT set_config('citus.node_connection_timeout', $limitMs::text, true) AS ms)
   SELECT 1 FROM limited WHERE ms IS NOT NULL AND citus_check_connection_to_node($host::text, $port::integer)`,
  { defaults: { limitMs: String(answerMsMax) } },
)
/** True when the role may end transactions that a node has prepared. */
export const mayRecoverWrites = statement.any<void>(
  'mayRecoverWrites',
  `SELECT 1 WHERE has_function_privilege('recover_prepared_transactions()', 'EXECUTE')`,
)
const recoverWrites = statement<never, void>('recoverWrites', `SELECT recover_prepared_transactions()`)

/** Events for the log. */
export interface NodeEvents {
  /** A node of a Citus cluster does not answer, in words. */
  readonly nodeAway: (message: string) => void
  readonly nodeBack: (back: NodeBack) => void
}

/** A node that answers again. */
interface NodeBack {
  readonly node: string
  readonly awayMs: number
  /** False where the role may not end the writes that the node had prepared. */
  readonly mayRecover: boolean
}

interface WatchedNode {
  readonly host: string
  readonly port: number
  awaySince: number | undefined
  /** It may have prepared a write whose end it was not told. */
  isInDoubt: boolean
  /** Until it answers: one that hangs is not asked twice. */
  asked: Promise<boolean> | undefined
}

const silent: NodeEvents = { nodeAway: () => undefined, nodeBack: () => undefined }

/** Asks the nodes whether they answer, and has prepared writes ended when one is back. */
export class NodeWatch {
  readonly #db: Queryable
  readonly #events: NodeEvents
  /** By host and port. */
  readonly #nodes = new Map<string, WatchedNode>()
  #isCluster: boolean | undefined
  #looking: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isWatching = false

  constructor(db: Queryable, events = silent) {
    this.#db = db
    this.#events = events
  }

  /** Whether each node answered when it was asked last; empty for a single server. */
  get answering(): ReadonlyMap<string, boolean> {
    return new Map([...this.#nodes].map(([name, { awaySince }]) => [name, awaySince === undefined]))
  }

  /** Nodes that do not answer. */
  get away(): readonly string[] {
    return [...this.#nodes].filter(([, { awaySince }]) => awaySince !== undefined).map(([name]) => name)
  }

  /** Providers on the nodes that answer, and the accounts of their partners. */
  async providersInReach(): Promise<readonly string[]> {
    const places = await providerPlaces(this.#db)
    const { away } = this
    const providers = places.filter(({ node }) => !away.includes(node)).map(({ provider }) => provider)
    const accounts = await accountsOf(this.#db, { providers })
    return [...providers, ...accounts.map(({ account }) => account)]
  }

  /** Looks from time to time until the end. */
  watch(): void {
    this.#isWatching = true
    this.#lookIn(0)
  }

  end(): void {
    this.#isWatching = false
    clearTimeout(this.#timer)
  }

  /** Call it with an error that means that a node is lost. */
  lost(message: string): void {
    if (!this.warned(message)) this.#doubt([...this.#nodes.values()])
  }

  /**
   * Call it with each warning of the database; true if it names a node. Citus reports a write as
   * stored that a node has only prepared, and warns of that node.
   */
  warned(message: string): boolean {
    const named = [...this.#nodes].filter(([name]) => message.includes(name)).map(([, node]) => node)
    this.#doubt(named)
    return named.length > 0
  }

  /** Those that are away are asked again soon anyway. */
  #doubt(nodes: readonly WatchedNode[]): void {
    const isNew = nodes.some(({ isInDoubt, awaySince }) => !isInDoubt && awaySince === undefined)
    for (const node of nodes) node.isInDoubt = true
    if (this.#isWatching && isNew) this.#lookIn(0)
  }

  /** Asks every node. */
  look(): Promise<void> {
    this.#looking ??= this.#lookNow().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  #lookIn(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(async () => {
      await this.look()
      if (!this.#isWatching || this.#isCluster === false) return
      const isUnsettled = [...this.#nodes.values()].some(
        ({ awaySince, isInDoubt }) => isInDoubt || awaySince !== undefined,
      )
      // At different moments in different processes.
      this.#lookIn((isUnsettled ? lookAgainMs : lookMs) * (0.5 + Math.random() / 2))
    }, ms).unref()
  }

  async #lookNow(): Promise<void> {
    try {
      this.#isCluster ??= (await hasCitus(this.#db))?.has ?? false
      if (!this.#isCluster) return
      const places = new Map((await clusterNodes(this.#db)).map((place) => [`${place.host}:${place.port}`, place]))
      for (const name of this.#nodes.keys()) if (!places.has(name)) this.#nodes.delete(name)
      for (const [name, place] of places)
        if (!this.#nodes.has(name))
          this.#nodes.set(name, { ...place, awaySince: undefined, isInDoubt: false, asked: undefined })
      const asked = await Promise.all(
        [...this.#nodes].map(async ([name, node]) => ({ name, node, answers: await this.#answerOf(node) })),
      )
      for (const { name, node, answers } of asked) if (!answers) this.#noteAway(name, node)
      const inDoubt = asked.filter(({ node, answers }) => answers && (node.isInDoubt || node.awaySince !== undefined))
      if (inDoubt.length > 0) await this.#recover(inDoubt)
    } catch {
      // The database itself is away. What it was about to end is in doubt.
      for (const node of this.#nodes.values()) node.isInDoubt = true
    }
  }

  #answerOf(node: WatchedNode): Promise<boolean> {
    node.asked ??= nodeAnswers(this.#db, node)
      .catch(() => false)
      .finally(() => {
        node.asked = undefined
      })
    return Promise.race([node.asked, pause(answerMsMax, false, { ref: false })])
  }

  #noteAway(name: string, node: WatchedNode): void {
    if (node.awaySince !== undefined) return
    node.awaySince = performance.now()
    this.#events.nodeAway(`${name} does not answer.`)
  }

  /** Ends the writes that nodes prepared. A warning meanwhile puts its node in doubt again. */
  async #recover(nodes: readonly { readonly name: string; readonly node: WatchedNode }[]): Promise<void> {
    const mayRecover = await mayRecoverWrites(this.#db)
    for (const { node } of nodes) node.isInDoubt = false
    if (mayRecover) await recoverWrites(this.#db)
    for (const { name, node } of nodes) {
      if (node.awaySince === undefined) continue
      this.#events.nodeBack({ node: name, awayMs: performance.now() - node.awaySince, mayRecover })
      node.awaySince = undefined
    }
  }
}

/** A database with the nodes of its cluster, each of which was asked whether it answers. */
export interface DatabaseWithNodes extends Queryable {
  readonly nodes: NodeWatch
}

/** Asks the nodes, for a command, which then goes on without those that do not answer. */
export async function withNodes(db: Queryable): Promise<DatabaseWithNodes> {
  const nodes = new NodeWatch(db)
  await nodes.look()
  return { query: (query) => db.query(query), nodes }
}
