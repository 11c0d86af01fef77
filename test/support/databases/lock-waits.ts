// Which statements wait for locks.
import type pg from 'pg'
import { readCluster } from '../../../src/store/database/distribute.ts'

const waiting = `FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND strpos(query, `

const onServer = `SELECT 1 ${waiting}$1) > 0`
/** Of all nodes of a Citus cluster: each knows its own locks only. */
const onCluster = `SELECT 1 FROM run_command_on_all_nodes(format($$SELECT count(*) ${waiting}%L) > 0$$, $1::text)) WHERE result <> '0'`

/**
 * Resolves when a statement with these words waits for a lock. The name of a table is the last of
 * them, since a number follows it on a node of a cluster.
 */
export async function untilItWaits(pool: pg.Pool, words: string): Promise<void> {
  const looked = (await readCluster(pool)) === undefined ? onServer : onCluster
  for (;;) if ((await pool.query(looked, [words])).rows.length > 0) return
}
