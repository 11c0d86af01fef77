// npm run bench:history: how long completeness over time, the scorecard and a look for alerts take
// with as many events as are counted at once.
import { parseArgs } from 'node:util'
import pg from 'pg'
import { findBelowTarget, findSilent } from '../src/handlers/vendors/vendor-alerts.ts'
import { readTargets } from '../src/handlers/vendors/vendor-targets.ts'
import { countedEventsMax } from '../src/operations/traceability/completeness.ts'
import { startPostgresqlServer } from '../test/support/databases/postgresql-server.ts'
import { startServerProcess } from '../test/support/servers/server-process.ts'
import { machineLine } from './machine.ts'
import { show } from './progress.ts'
import { median } from './statistics.ts'
import { markdownTable, milliseconds } from './table.ts'

const vendors = 200
const rounds = 5
/** Fewer than the service counts at once: those of the last year, up to today. */
const eventsDefault = countedEventsMax - 1
const daysCovered = 360

/** One event in seven lacks the packaging size of one of its two items. */
const tallies = (gaps: string, complete: number) =>
  `'[{"item": "ROM-24", "lines": 3, "complete": ${complete}, "gaps": {${gaps}}}, {"item": "CIL-30", "lines": 2, "complete": 2, "gaps": {}}]'::jsonb`

/** Search rows alone: nothing that is measured reads a body but for the name of a vendor. */
const loading = `INSERT INTO receiving_event (provider_id, id, "dataProviderVendorId", "eventDateTime", "shipFromLocationCode", "shipToLocationCode",
                             "purchaseOrderNumber", event_date, line_count, completeness)
SELECT $1, gen_random_uuid(), 'V-' || n % ${vendors}, at, 'FROM-' || n % 500, 'DC-' || n % 20, 'PO-' || n, (at AT TIME ZONE 'UTC')::date, 5,
       CASE WHEN n % 7 = 0 THEN ${tallies('"product/packaging-size": 3', 0)} ELSE ${tallies('', 3)} END
FROM (
  SELECT n, date_trunc('second', now()) - n * interval '1 second' * floor(${daysCovered} * 86400.0 / $2::integer) AS at
  FROM generate_series(1, $2::integer) AS n
) AS events`

async function bench(): Promise<void> {
  const { values } = parseArgs({ options: { events: { type: 'string', default: String(eventsDefault) } } })
  const events = Number(values.events)
  const postgresql = await startPostgresqlServer()
  const pool = new pg.Pool({ connectionString: postgresql.url })
  try {
    const server = await startServerProcess({ DATABASE_URL: postgresql.url, WORKERS: '1' })
    try {
      const headers = { authorization: `Bearer ${server.firstKey ?? ''}` }
      const { rows: providers } = await pool.query<{ id: string }>('SELECT provider_id AS id FROM provider')
      const provider = providers[0]?.id ?? ''
      show(`Loading ${events} events`)
      await pool.query(loading, [provider, events])
      await pool.query('VACUUM ANALYZE receiving_event')
      await fetch(`${server.address}/vendor-targets`, {
        method: 'PUT',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ targets: [{ completeShare: 0.98, silentDays: 14 }] }),
      })
      const targets = await readTargets(pool, provider)
      const ask = (path: string) => async () => {
        const response = await fetch(server.address + path, { headers })
        const text = await response.text()
        if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text}`)
      }
      const measured: Readonly<Record<string, () => Promise<unknown>>> = {
        'completeness of a year': ask('/traceability/completeness'),
        'by vendor': ask('/traceability/completeness?by=dataProviderVendorId'),
        'over time, by month': ask('/traceability/completeness-history?bucket=month'),
        'over time, by week': ask('/traceability/completeness-history?bucket=week'),
        'over time, by day': ask('/traceability/completeness-history?bucket=day'),
        'scorecard of a vendor': ask('/traceability/scorecard?dataProviderVendorId=V-7'),
        'a look for vendors below target': () => findBelowTarget(pool, provider, targets),
        'a look for silent vendors': () => findSilent(pool, provider, targets, new Date()),
      }
      const rows: string[][] = []
      for (const [name, run] of Object.entries(measured)) {
        show(name)
        await run()
        const times: number[] = []
        for (let round = 0; round < rounds; round++) {
          const beganAt = performance.now()
          await run()
          times.push(performance.now() - beganAt)
        }
        rows.push([name, milliseconds(median(times)), milliseconds(Math.max(...times))])
      }
      console.log(
        [
          `${new Date().toISOString().slice(0, 10)}, ${machineLine(postgresql.version)}; one worker, one caller.`,
          `${events.toLocaleString('en-US')} events of ${vendors} vendors over ${daysCovered} days, 5 lines each; median and worst of ${rounds}.`,
          '',
          markdownTable(['asked', 'median', 'worst'], rows),
        ].join('\n'),
      )
    } finally {
      await server.end('SIGTERM')
    }
  } finally {
    await pool.end()
    await postgresql.stop()
  }
}

await bench()
