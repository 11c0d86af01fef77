// Whether the database accepts writes now, for load balancers that send requests only to ready
// services.
import { setTimeout as pause } from 'node:timers/promises'
import type { MonitoredDatabase } from './monitored-database.ts'
import { readServerFacts } from './server-check.ts'

/** Longest wait for an answer, in milliseconds: a database that hangs returns no error. */
const answerMsMax = 3_000

/**
 * Why the database cannot serve requests now, for the operator; undefined when it can. Looks at the
 * nodes of a cluster too: while one is away the providers on the others are served.
 */
export async function unreadiness(db: MonitoredDatabase): Promise<string | undefined> {
  const waited = new AbortController()
  const silent = 'The database does not answer.'
  const answered = Promise.all([readServerFacts(db), db.nodes.look()]).then(
    ([{ isReadOnly }]) => (isReadOnly ? readOnlyWords : undefined),
    () => silent,
  )
  try {
    const why = await Promise.race([answered, pause(answerMsMax, silent, { signal: waited.signal })])
    return why ?? (db.diskIsFull ? 'The disk of the database is full. Writes are answered with 503.' : undefined)
  } finally {
    waited.abort()
  }
}

const readOnlyWords =
  'The database is read-only: it is a standby, or default_transaction_read_only is set. Writes are answered with 503.'
