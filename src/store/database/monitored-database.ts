// Observes statements from outside: their number and duration, and when the database goes away and
// comes back.
import type { QueryResultRow } from 'pg'
import { type NodeEvents, NodeWatch } from './cluster-nodes.ts'
import { connectionLost, diskFull, nodeLost } from './database-errors.ts'
import { type Query, type Queryable, type StatementSpans, statements } from './statement.ts'

/** Events for the log. */
export interface DatabaseEvents extends NodeEvents {
  /** A statement took longer than `slowMs`. */
  readonly slow: (statement: string, ms: number) => void
  /** The first failure to reach the database, with its code. */
  readonly away: (code: string) => void
  /** The first successful statement after it was away, for so many milliseconds. */
  readonly back: (awayMs: number) => void
}

/** A statement is slow from this many milliseconds. */
const slowMs = 1_000
/** Shortest time between two log lines about one slow statement, in milliseconds. */
const slowAgainMs = 60_000

/**
 * How long a full disk is reported after a write failed, in milliseconds, unless one like it
 * succeeds. Without an end, a service that gets no requests would never learn of the space.
 */
const diskFullMs = 10_000

interface StatementTally {
  ended: number
  failed: number
  ms: number
  slowLoggedAt: number
}

/** Searches have varying texts, and no name. */
const searchName = 'search'

/** Passes statements on to a database, and counts them by name. */
export class MonitoredDatabase implements Queryable {
  readonly tallies: ReadonlyMap<string, StatementTally> = new Map(
    [searchName, ...statements.keys()].map((name) => [
      name,
      { ended: 0, failed: 0, ms: 0, slowLoggedAt: Number.NEGATIVE_INFINITY },
    ]),
  )
  readonly nodes: NodeWatch
  readonly spans: StatementSpans | undefined
  readonly #db: Queryable
  readonly #news: DatabaseEvents
  #awaySince: number | undefined
  #diskFull: { readonly at: number; readonly statement: string } | undefined

  constructor(db: Queryable, news: DatabaseEvents, spans?: StatementSpans) {
    this.spans = spans
    this.#db = db
    this.#news = news
    this.nodes = new NodeWatch(this, news)
  }

  get isUp(): boolean {
    return this.#awaySince === undefined
  }

  /** True when a write failed a moment ago because the disk of the database is full. */
  get diskIsFull(): boolean {
    return this.#diskFull !== undefined && performance.now() - this.#diskFull.at < diskFullMs
  }

  async query<R extends QueryResultRow>(query: Query): Promise<{ rows: R[] }> {
    const began = performance.now()
    try {
      const result = await (this.spans === undefined
        ? this.#db.query<R>(query)
        : this.spans.statement(query.name ?? searchName, () => this.#db.query<R>(query)))
      this.#ended(query.name ?? searchName, began)
      return result
    } catch (error) {
      const name = query.name ?? searchName
      const tally = this.tallies.get(name)
      if (tally !== undefined) tally.failed++
      if (diskFull(error)) this.#diskFull = { at: performance.now(), statement: name }
      if (nodeLost(error)) {
        const trouble = nodeTrouble(error as Error)
        this.#news.nodeAway(trouble)
        this.nodes.lost(trouble)
      } else if (connectionLost(error) && this.#awaySince === undefined) {
        this.#awaySince = began
        this.#news.away(String((error as { code?: unknown }).code ?? 'no code'))
      }
      throw error
    }
  }

  #ended(name: string, began: number): void {
    const now = performance.now()
    const tally = this.tallies.get(name)
    if (tally !== undefined) {
      tally.ended++
      tally.ms += now - began
      if (now - began > slowMs && now - tally.slowLoggedAt > slowAgainMs) {
        tally.slowLoggedAt = now
        this.#news.slow(name, now - began)
      }
    }
    if (this.#diskFull?.statement === name) this.#diskFull = undefined
    if (this.#awaySince !== undefined) {
      const awayMs = now - this.#awaySince
      this.#awaySince = undefined
      this.#news.back(awayMs)
    }
  }
}

/** The words of an error, with the node it came from if it was asked by itself. */
const nodeTrouble = ({ message, node }: Error & { readonly node?: string }): string =>
  node === undefined ? message : `${node}: ${message}`
