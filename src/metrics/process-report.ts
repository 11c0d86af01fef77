// The report of one process: its counts, and its current state.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { version } from '../version.ts'
import { type MetricName, type Report, series } from './declared.ts'
import type { DeliveryTally } from './delivery-tally.ts'
import type { Histogram } from './histogram.ts'

/** Where the numbers of a process that serves come from. */
export interface ServingSources {
  readonly operations: Readonly<
    Record<string, { readonly outcomes: Readonly<Record<string, number>>; readonly seconds: Histogram }>
  >
  readonly groups: Readonly<
    Record<
      string,
      {
        readonly waiting: { readonly rows: number; readonly bytes: number }
        readonly rows: Histogram
        readonly refused: number
      }
    >
  >
  readonly database: {
    readonly isUp: boolean
    /** Whether each node of a cluster answered last. */
    readonly nodes: { readonly answering: ReadonlyMap<string, boolean> }
    readonly tallies: ReadonlyMap<string, { readonly ended: number; readonly failed: number; readonly ms: number }>
  }
  /** Who follows changes. */
  readonly changeListeners: { readonly callers: number }
  readonly connections: () => {
    readonly totalCount: number
    readonly idleCount: number
    readonly waitingCount: number
  }
  /** Events counted again in the background. */
  readonly recounts: () => {
    readonly events: number
    readonly changed: number
    readonly providers: number
    readonly lastSeconds: number
  }
  /** By type, as last looked up. */
  readonly openAlerts: () => Readonly<Record<string, number>> | undefined
  /**
   * The results of deliveries of webhooks, and the states of the webhooks that this process sends
   * to.
   */
  readonly deliveries: DeliveryTally
  readonly webhooks: () => { readonly webhooks: number; readonly failing: number; readonly lagSeconds: number }
  /** As last looked up: by how many changes the last of these webhooks is behind. */
  readonly changesBehind: () => number | undefined
  /** The partners that this process copies for, and the copies it wrote. */
  readonly sharing: () => { readonly partners: number; readonly behind: number; readonly written: number }
  readonly sizes: () => { readonly bytes: number; readonly rows: Readonly<Record<string, number>> } | undefined
}

/** Gives the report of this process, as often as it is asked. */
export function processReport(serving?: ServingSources): () => Report {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  return () => {
    const { rss, heapUsed } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    // The monitor counts its own interval in, in nanoseconds.
    const delaySeconds = Math.max(0, delay.percentile(99) / 1e9 - 0.02)
    delay.reset()
    return {
      ...(serving && servingReport(serving)),
      [series('lotkeeper_processes')]: 1,
      [series('lotkeeper_event_loop_delay_seconds')]: delaySeconds,
      [series('lotkeeper_heap_used_bytes')]: heapUsed,
      [series('lotkeeper_build_info', { version, node: process.versions.node })]: 1,
      [series('process_resident_memory_bytes')]: rss,
      [series('process_cpu_seconds_total')]: (user + system) / 1e6,
      [series('process_start_time_seconds')]: Math.round(Date.now() / 1_000 - process.uptime()),
    }
  }
}

/**
 * What alerts ask for is reported as 0 before it happens to an operation that was called: the rate
 * of a series that begins with 1 is 0. Nothing else is reported that never happened.
 */
const alertedOutcomes: readonly string[] = ['failed', 'unavailable']

function servingReport({
  operations,
  groups,
  database,
  changeListeners,
  connections,
  recounts,
  deliveries,
  webhooks,
  changesBehind,
  sharing,
  openAlerts,
  sizes,
}: ServingSources): Report {
  const report: Record<string, number> = {}
  for (const [operation, { outcomes, seconds }] of Object.entries(operations)) {
    if (seconds.count === 0) continue
    for (const [outcome, count] of Object.entries(outcomes))
      if (count > 0 || alertedOutcomes.includes(outcome))
        report[series('lotkeeper_requests_total', { operation, outcome })] = count
    addHistogram(report, 'lotkeeper_request_seconds', { operation }, seconds)
  }
  for (const [group, { waiting, rows, refused }] of Object.entries(groups)) {
    if (rows.count + waiting.rows + refused === 0) continue
    report[series('lotkeeper_group_waiting_rows', { group })] = waiting.rows
    report[series('lotkeeper_group_waiting_bytes', { group })] = waiting.bytes
    report[series('lotkeeper_group_refused_total', { group })] = refused
    addHistogram(report, 'lotkeeper_group_rows', { group }, rows)
  }
  for (const [statement, { ended, failed, ms }] of database.tallies) {
    // Most statements of the store are of commands, or have not been asked for.
    if (ended + failed === 0) continue
    report[series('lotkeeper_statements_total', { statement })] = ended
    report[series('lotkeeper_statement_failures_total', { statement })] = failed
    report[series('lotkeeper_statement_seconds_total', { statement })] = ms / 1_000
  }
  report[series('lotkeeper_database_up')] = database.isUp ? 1 : 0
  for (const [node, answers] of database.nodes.answering)
    report[series('lotkeeper_database_node_up', { node })] = answers ? 1 : 0
  const { totalCount, idleCount, waitingCount } = connections()
  report[series('lotkeeper_connections', { state: 'inUse' })] = totalCount - idleCount
  report[series('lotkeeper_connections', { state: 'idle' })] = idleCount
  report[series('lotkeeper_connection_waits')] = waitingCount
  const { events, changed, providers, lastSeconds } = recounts()
  report[series('lotkeeper_recounted_events_total')] = events
  report[series('lotkeeper_recount_changes_total')] = changed
  report[series('lotkeeper_recounts_running')] = providers
  report[series('lotkeeper_recount_last_seconds')] = lastSeconds
  for (const [type, count] of Object.entries(openAlerts() ?? {}))
    report[series('lotkeeper_alerts_open', { type })] = count
  report[series('lotkeeper_change_listeners')] = changeListeners.callers
  if (deliveries.seconds.count > 0) {
    for (const [outcome, count] of Object.entries(deliveries.outcomes))
      report[series('lotkeeper_webhook_deliveries_total', { outcome })] = count
    addHistogram(report, 'lotkeeper_webhook_delivery_seconds', {}, deliveries.seconds)
  }
  const { webhooks: enabled, failing, lagSeconds } = webhooks()
  report[series('lotkeeper_webhooks')] = enabled
  report[series('lotkeeper_webhooks_failing')] = failing
  const lagChanges = changesBehind()
  if (lagChanges !== undefined) report[series('lotkeeper_webhook_lag_changes')] = lagChanges
  report[series('lotkeeper_webhook_lag_seconds')] = lagSeconds
  const { partners, behind, written } = sharing()
  report[series('lotkeeper_sharing_partners')] = partners
  report[series('lotkeeper_sharing_behind')] = behind
  report[series('lotkeeper_shared_versions_total')] = written
  const { bytes, rows } = sizes() ?? {}
  if (bytes !== undefined) report[series('lotkeeper_database_bytes')] = bytes
  for (const [table, count] of Object.entries(rows ?? {})) report[series('lotkeeper_table_rows', { table })] = count
  return report
}

function addHistogram(
  report: Record<string, number>,
  name: MetricName,
  labels: Readonly<Record<string, string>>,
  { bounds, counts, sum }: Histogram,
): void {
  let upTo = 0
  for (const [place, count] of counts.entries()) {
    upTo += count
    report[series(name, { ...labels, le: String(bounds[place] ?? '+Inf') }, '_bucket')] = upTo
  }
  report[series(name, labels, '_sum')] = sum
  report[series(name, labels, '_count')] = upTo
}

/** How long a look-up is valid, in milliseconds. */
const refreshMs = 60_000

/**
 * The last result of a look-up, or nothing yet: a reader never waits for it. It is read again when
 * it is old.
 */
export function refreshedEvery<Value>(look: () => Promise<Value>): () => Value | undefined {
  let value: Value | undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - lookedAt > refreshMs) {
      lookedAt = performance.now()
      look().then(
        (found) => {
          value = found
        },
        () => {
          value = undefined
        },
      )
    }
    return value
  }
}
