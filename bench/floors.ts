// The floors: what the machine, its PostgreSQL and node:http can do without this service, measured
// between its figures.
import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Pool } from 'pg'
import { exampleOf, numberDigits } from './records.ts'
import type { RunLength } from './service-under-load.ts'

const placeOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

/** Providers of the floors: records like the service's, of their own. */
export const floorProviders = {
  pgbench: '00000000-0000-4000-8000-00000000000a',
  naive: '00000000-0000-4000-8000-00000000000b',
} as const

/**
 * Copies the records of the service to the floors, so that both write to the same tables and to as
 * much.
 */
export async function copyToFloors(pool: Pool, provider: string): Promise<void> {
  // pgbench draws a number and makes the id of it; the naive path takes the ids as they are.
  const numbered = `('00000000-0000-7000-8000-' || lpad(right(e."purchaseOrderNumber", ${numberDigits}), 12, '0'))::uuid`
  for (const [floor, id] of [
    [floorProviders.pgbench, numbered],
    [floorProviders.naive, 'e.id'],
  ] as const) {
    const values = [provider, floor]
    await pool.query(
      `WITH copied AS (
         INSERT INTO record (provider_id, id, kind, version, content_hash, version_hash, search_hash)
         SELECT $2, ${id}, r.kind, 1, r.content_hash, r.version_hash, r.search_hash
         FROM record r JOIN event e ON e.provider_id = $1 AND e.kind = 'receivingEvent' AND e.id = r.id
         WHERE r.provider_id = $1
       )
       INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, content_hash, findings, body)
       SELECT $2, ${id}, 1, v.kind, v.key_id, v.request_id, v.content_hash, v.findings, v.body
       FROM record_version v JOIN event e ON e.provider_id = $1 AND e.kind = 'receivingEvent' AND e.id = v.record_id
       WHERE v.provider_id = $1 AND v.version = 1`,
      values,
    )
  }
}

export interface FloorResult {
  readonly perSecond: number
  readonly meanMs: number
}

/** Floor (a): runs a statement over records 1 to `records` of its provider, by pgbench. */
export interface PreparedFloor {
  run(file: 'floor-replace.sql' | 'floor-write.sql', length: RunLength): Promise<FloorResult>
}

export const preparedFloor = (databaseUrl: string, records: number): PreparedFloor => {
  const values = { provider: floorProviders.pgbench, body: exampleOf('usual'), records: String(records) }
  return { run: (file, length) => runPgbench(databaseUrl, file, values, length) }
}

const run = promisify(execFile)

async function runPgbench(
  databaseUrl: string,
  file: string,
  values: Readonly<Record<string, string>>,
  { connections, warmUpMs, measuredMs }: RunLength,
): Promise<FloorResult> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  // Whole seconds are all it knows. The first ones do not count: each connection plans its first
  // executions anew.
  const warmUpSeconds = Math.max(1, Math.round(warmUpMs / 1000))
  const seconds = warmUpSeconds + Math.max(1, Math.round(measuredMs / 1000))
  const args = [
    ...['-h', hostname, '-p', port, '-U', username, '-n', '-M', 'prepared', '-f', placeOf(file), '-P', '1'],
    ...['-c', String(connections), '-j', String(Math.min(2, connections)), '-T', String(seconds)],
    ...Object.entries({ ...values, clients: String(connections) }).flatMap(([name, value]) => [
      '-D',
      `${name}=${value}`,
    ]),
    pathname.slice(1),
  ]
  const { stderr } = await run('pgbench', args, { env: { ...process.env, PGPASSWORD: password, LC_ALL: 'C' } })
  const measured = [...stderr.matchAll(/^progress: ([\d.]+) s, ([\d.]+) tps, lat ([\d.]+) ms/gm)]
    .map(([, second, rate, latency]) => ({ second: Number(second), rate: Number(rate), latency: Number(latency) }))
    .filter(({ second }) => second > warmUpSeconds + 0.5)
  const transactions = measured.reduce((sum, { rate }) => sum + rate, 0)
  if (!(transactions > 0)) throw new Error(`pgbench said something else than expected:\n${stderr}`)
  return {
    perSecond: transactions / measured.length,
    meanMs: measured.reduce((sum, { rate, latency }) => sum + rate * latency, 0) / transactions,
  }
}

export interface FloorServer {
  readonly address: string
  end(): void
}

/** Starts the server of floor (b) or (c) as a process of its own. */
export async function startFloorServer(
  file: './naive-server.ts' | './no-op-server.ts',
  args: readonly string[] = [],
): Promise<FloorServer> {
  const child: ChildProcess = fork(placeOf(file), args)
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { address: `http://127.0.0.1:${port}`, end: () => child.disconnect() }
}
