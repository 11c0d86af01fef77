// Every metric the service has: declared once, read by the page of the reference and by the text
// that is scraped (decision 0046).

/** How the values of several processes become one. */
type Together = 'sum' | 'max'

interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly meaning: string
  /**
   * Names of its labels; each takes one of a closed set of values, or is a node of the database;
   * never an id or a name from outside.
   */
  readonly labels: readonly string[]
  readonly together: Together
}

const counter = (meaning: string, ...labels: string[]) =>
  ({ type: 'counter', meaning, labels, together: 'sum' }) as const satisfies Metric
const histogram = (meaning: string, ...labels: string[]) =>
  ({ type: 'histogram', meaning, labels, together: 'sum' }) as const satisfies Metric
const gauge = (together: Together, meaning: string, ...labels: string[]) =>
  ({ type: 'gauge', meaning, labels, together }) as const satisfies Metric

export const metrics = {
  lotkeeper_requests_total: counter(
    'Requests answered, by operation and outcome as in the reference; operation `none` is pages, health checks and unknown addresses',
    'operation',
    'outcome',
  ),
  lotkeeper_request_seconds: histogram('Time from the arrival of a request to the end of its response', 'operation'),
  lotkeeper_group_waiting_rows: gauge('sum', 'Writes or reads waiting for their statement', 'group'),
  lotkeeper_group_waiting_bytes: gauge('sum', 'What those take', 'group'),
  lotkeeper_group_rows: histogram('Writes or reads that shared a statement', 'group'),
  lotkeeper_group_refused_total: counter('Writes or reads rejected with 503 because too many were waiting', 'group'),
  lotkeeper_statement_seconds_total: counter(
    'Time spent in statements, including the wait for a connection',
    'statement',
  ),
  lotkeeper_statements_total: counter('Statements that succeeded', 'statement'),
  lotkeeper_statement_failures_total: counter('Statements that failed', 'statement'),
  lotkeeper_database_up: gauge('max', '1 if the last statement reached the database, otherwise 0'),
  lotkeeper_database_node_up: gauge(
    'max',
    'Of each node of a Citus cluster: 1 if it answered the last time it was asked, otherwise 0. Nodes are asked every 10 s, and at once after an error',
    'node',
  ),
  lotkeeper_connections: gauge('sum', 'Connections to the database', 'state'),
  lotkeeper_connection_waits: gauge('sum', 'Statements waiting for a connection'),
  lotkeeper_recounted_events_total: counter(
    'Events whose completeness was recounted in the background, because master data or the program changed',
  ),
  lotkeeper_recount_changes_total: counter('Recounted events whose counts changed'),
  lotkeeper_recounts_running: gauge('sum', 'Providers whose events are being recounted'),
  lotkeeper_recount_last_seconds: gauge('max', 'Duration of the last recount of a provider'),
  lotkeeper_alerts_open: gauge(
    'max',
    'Open alerts of all providers, by type as in the API, read once a minute',
    'type',
  ),
  lotkeeper_change_listeners: gauge('sum', 'Callers that wait for changes or read a stream of them'),
  lotkeeper_webhook_deliveries_total: counter(
    'Messages sent to webhooks, by outcome: `delivered`, `refused` (a status of 300 to 499), `failed` (500 and more), `unanswered`',
    'outcome',
  ),
  lotkeeper_webhook_delivery_seconds: histogram('Time from the look-up of the name to the status of the answer'),
  lotkeeper_webhooks: gauge('sum', 'Enabled webhooks that this service sends to'),
  lotkeeper_webhooks_failing: gauge('sum', 'Those whose last attempt failed'),
  lotkeeper_webhook_lag_changes: gauge(
    'max',
    'Changes behind the position of the webhook that is furthest behind, read once a minute',
  ),
  lotkeeper_webhook_lag_seconds: gauge('max', 'Age of the oldest message of a webhook that is not delivered'),
  lotkeeper_sharing_partners: gauge('sum', 'Partners that records are copied for'),
  lotkeeper_sharing_behind: gauge('sum', 'Those whose accounts do not yet hold all that is shared with them'),
  lotkeeper_shared_versions_total: counter('Versions of records written into accounts of partners'),
  lotkeeper_table_rows: gauge(
    'max',
    'Rows of a table as estimated by PostgreSQL, on all nodes of a cluster, read once a minute',
    'table',
  ),
  lotkeeper_database_bytes: gauge('max', 'Size of the database, of all nodes of a cluster, read once a minute'),
  lotkeeper_processes: gauge('sum', 'Processes included in this report, with the primary'),
  lotkeeper_worker_replacements_total: counter('Workers that exited unexpectedly and were replaced'),
  lotkeeper_event_loop_delay_seconds: gauge(
    'max',
    'Timer delay of the busiest process since the last scrape, 99th percentile',
  ),
  lotkeeper_heap_used_bytes: gauge('max', 'Heap of the process that uses the most'),
  lotkeeper_build_info: gauge(
    'max',
    'Always 1; its labels are the versions of the service and of Node',
    'version',
    'node',
  ),
  process_resident_memory_bytes: gauge('sum', 'Memory of all processes; shared memory is counted in each process'),
  process_cpu_seconds_total: counter('Processor time of all processes'),
  process_start_time_seconds: gauge('max', 'Start time of the youngest process, in seconds since 1970'),
} as const satisfies Readonly<Record<string, Metric>>

export type MetricName = keyof typeof metrics

/** Values by series, as the text names them: `lotkeeper_connections{state="idle"}`. */
export type Report = Readonly<Record<string, number>>

/** A series of a metric. `suffix` is that of a part of a histogram. */
export function series(name: MetricName, labels: Readonly<Record<string, string>> = {}, suffix = ''): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  return `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`}`
}

const metricOf = (key: string): MetricName => {
  const name = key.split('{')[0] ?? ''
  return (name in metrics ? name : name.replace(/_(?:bucket|sum|count)$/, '')) as MetricName
}

/** The reports of several processes as one. */
export function mergeReports(reports: readonly Report[]): Report {
  const all: Record<string, number> = {}
  for (const report of reports)
    for (const [key, value] of Object.entries(report)) {
      const before = all[key]
      if (before === undefined) all[key] = value
      else all[key] = metrics[metricOf(key)].together === 'sum' ? before + value : Math.max(before, value)
    }
  return all
}

/** The metrics of a report that must not fall when their process ends. */
export const countersOf = (report: Report): Report =>
  Object.fromEntries(Object.entries(report).filter(([key]) => metrics[metricOf(key)].type !== 'gauge'))

/** A report in the text format of Prometheus, version 0.0.4. */
export function metricsText(report: Report): string {
  const lines = new Map<string, string[]>(Object.keys(metrics).map((name) => [name, []]))
  for (const [key, value] of Object.entries(report)) lines.get(metricOf(key))?.push(`${key} ${value}`)
  return Object.entries(metrics)
    .filter(([name]) => lines.get(name)?.length)
    .map(
      ([name, { type, meaning }]) =>
        `# HELP ${name} ${meaning.replaceAll('`', '')}.\n# TYPE ${name} ${type}\n${lines.get(name)?.join('\n')}\n`,
    )
    .join('')
}
