// Log lines about the database: one when a problem begins and one when it ends, not one per
// request.
import type { Logger } from 'pino'
import type { DatabaseEvents } from './store/database/monitored-database.ts'

/** Lines about the database. */
export const logDatabaseEvents = (logger: Logger): DatabaseEvents => ({
  slow: (statement, ms) =>
    logger.warn({ statement, ms: Math.round(ms) }, `Statement ${statement} took ${(ms / 1_000).toFixed(1)} s.`),
  away: (code) =>
    logger.error({ code }, `The database is unavailable (${code}). Requests are answered with 503 until it is back.`),
  nodeAway: throttled((count, cause) =>
    logger.error(
      { count, cause },
      'A node of the database is unavailable. Requests for its providers are answered with 503 until it is back.',
    ),
  ),
  nodeBack: ({ node, awayMs, mayRecover }) =>
    logger.warn(
      { node, awayMs: Math.round(awayMs) },
      `A node of the database is back after ${(awayMs / 1_000).toFixed(1)} s.${mayRecover ? '' : ` Some of its last writes are not readable before the next citus.recover_2pc_interval: grant the role EXECUTE ON FUNCTION recover_prepared_transactions().`}`,
    ),
  back: (awayMs) =>
    logger.warn({ awayMs: Math.round(awayMs) }, `The database is back after ${(awayMs / 1_000).toFixed(1)} s.`),
})

const seldomMs = 10_000

/** Logs the first occurrence at once, then at most one summary line per ten seconds. */
export function throttled(say: (count: number, what: string) => void): (what?: string) => void {
  let [count, what] = [0, '']
  let quiet = false
  const open = (): void => {
    quiet = false
    if (count > 0) tell()
  }
  const tell = (): void => {
    say(count, what)
    count = 0
    quiet = true
    setTimeout(open, seldomMs).unref()
  }
  return (now = '') => {
    count++
    what = now
    if (!quiet) tell()
  }
}
