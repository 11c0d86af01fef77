// Which statements wait for locks.
import type pg from 'pg'
import { readCluster } from '../../../src/store/database/distribute.ts'

/** Of one server, which knows its own locks only. */
const onServer = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND starts_with(query, $1)`
/** Of all nodes of a Citus cluster: the lock is on another node than the connection. */
const onCluster = `SELECT 1 FROM citus_lock_waits WHERE starts_with(blocked_statement, $1)`

/** Resolves when a statement that begins with these words waits for a lock. */
export async function untilItWaits(pool: pg.Pool, words: string): Promise<void> {
  const looked = (await readCluster(pool)) === undefined ? onServer : onCluster
  for (;;) if ((await pool.query(looked, [words])).rows.length > 0) return
}
