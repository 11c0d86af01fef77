// The reports of workers as one. The counts of a worker outlive it: a sum that fell would look like
// a new start.
import { countersOf, mergeReports, type Report } from './declared.ts'

/** Gives the report of all workers, from those that answered now, by process id. */
export function workerReports(): (reports: ReadonlyMap<number, Report>) => Report {
  /** Counts of workers that ended, or do not answer, as of their last answer. */
  const last = new Map<number, Report>()
  return (reports) => {
    for (const [pid, report] of reports) last.set(pid, countersOf(report))
    const silent = [...last].filter(([pid]) => !reports.has(pid)).map(([, report]) => report)
    return mergeReports([...reports.values(), ...silent])
  }
}
