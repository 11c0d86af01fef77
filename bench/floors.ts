// The floor and the peers: what the machine, its PostgreSQL, Fastify and node:http do without this
// service, measured between its figures.
import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type EventForm, exampleOf, numberDigits } from './records.ts'
import type { RunLength, ServiceUnderLoad } from './service-under-load.ts'
import { mean } from './statistics.ts'

const placeOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

/** The records of the floor are of a provider of their own. */
const floorProvider = '00000000-0000-4000-8000-00000000000a'

/**
 * Copies the records of the service, so that both write the same amount to the same tables. Returns
 * a function that runs the floor over the copies, by pgbench.
 */
export async function startFloor(databaseUrl: string, { pool, provider }: ServiceUnderLoad, form: EventForm) {
  // The script of pgbench draws a number and makes an id of it.
  const id = `('00000000-0000-7000-8000-' || lpad(right(e."purchaseOrderNumber", ${numberDigits}), 12, '0'))::uuid`
  const { rowCount } = await pool.query(
    `WITH copied AS (
       INSERT INTO record (provider_id, id, kind, version, content_hash, version_hash, search_hash)
       SELECT $2, ${id}, r.kind, 1, r.content_hash, r.version_hash, r.search_hash
       FROM record r JOIN event e ON e.provider_id = $1 AND e.kind = 'receivingEvent' AND e.id = r.id
       WHERE r.provider_id = $1
     )
     INSERT INTO record_version (provider_id, record_id, version, kind, key_id, request_id, content_hash, detail)
     SELECT $2, ${id}, 1, v.kind, v.key_id, v.request_id, v.content_hash, v.detail
     FROM record_version v JOIN event e ON e.provider_id = $1 AND e.kind = 'receivingEvent' AND e.id = v.record_id
     WHERE v.provider_id = $1 AND v.version = 1`,
    [provider, floorProvider],
  )
  const values = { provider: floorProvider, body: exampleOf(form), records: String(rowCount) }
  return (length: RunLength): Promise<number> => runPgbench(databaseUrl, values, length)
}

const run = promisify(execFile)

async function runPgbench(
  databaseUrl: string,
  values: Readonly<Record<string, string>>,
  { connections, warmUpMs, measuredMs }: RunLength,
): Promise<number> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  // pgbench takes whole seconds. The first ones do not count: each connection plans its first
  // executions anew.
  const warmUpSeconds = Math.max(1, Math.round(warmUpMs / 1000))
  const seconds = warmUpSeconds + Math.max(1, Math.round(measuredMs / 1000))
  const args = [
    ...['-h', hostname, '-p', port, '-U', username, '-n', '-M', 'prepared', '-f', placeOf('floor.sql'), '-P', '1'],
    ...['-c', String(connections), '-j', String(Math.min(2, connections)), '-T', String(seconds)],
    ...Object.entries({ ...values, clients: String(connections) }).flatMap(([name, value]) => [
      '-D',
      `${name}=${value}`,
    ]),
    pathname.slice(1),
  ]
  const { stderr } = await run('pgbench', args, { env: { ...process.env, PGPASSWORD: password, LC_ALL: 'C' } })
  const rates = [...stderr.matchAll(/^progress: ([\d.]+) s, ([\d.]+) tps/gm)]
    .filter(([, second]) => Number(second) > warmUpSeconds + 0.5)
    .map(([, , rate]) => Number(rate))
  const rate = mean(rates)
  if (!(rate > 0)) throw new Error(`pgbench measured nothing:\n${stderr}`)
  return rate
}

export interface Peer {
  readonly address: string
  readonly pid: number
  end(): void
}

/** Starts a server of the benchmark as a process of its own. */
export async function startPeer(
  file: './thin-server.ts' | './no-op-server.ts',
  args: readonly string[] = [],
  execPath = process.execPath,
): Promise<Peer> {
  const child: ChildProcess = fork(placeOf(file), args, { execPath })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { address: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, end: () => child.disconnect() }
}
