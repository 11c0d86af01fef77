// The reports of workers as one. What a worker counted outlives it: a sum that fell would look like
// a new start.
import { countersOf, mergeReports, type Report } from './declared.ts'

/** Gives the report of all workers, from those that answered now, by process id. */
export function workerReports(): (reports: ReadonlyMap<number, Report>) => Report {
  /** Counts of workers that are gone, or do not answer, as they were when they last did. */
  const last = new Map<number, Report>()
  return (reports) => {
    for (const [pid, report] of reports) last.set(pid, countersOf(report))
    const silent = [...last].filter(([pid]) => !reports.has(pid)).map(([, report]) => report)
    return mergeReports([...reports.values(), ...silent])
  }
}
