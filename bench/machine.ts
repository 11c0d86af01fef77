// On what it was measured: without it a figure says nothing.
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'

/** One line about the machine; the load average is of the minute before, so that company on the machine shows. */
export function machineLine(postgresqlVersion: string): string {
  const [{ model } = { model: 'unknown processor' }] = cpus()
  return [
    `${availableParallelism()} cores (${model.trim()})`,
    `${Math.round(totalmem() / 2 ** 30)} GB of memory`,
    `${process.platform} ${process.arch}`,
    `Node ${process.versions.node}`,
    `PostgreSQL ${postgresqlVersion}, fsync on`,
    `load average before the run ${loadavg()[0]?.toFixed(1)}`,
  ].join(', ')
}
