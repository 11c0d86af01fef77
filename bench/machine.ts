// On what it was measured: without it a figure says nothing.
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { readConfig } from '../src/config.ts'
import { pluralize } from '../src/contract/text/pluralize.ts'
import { asInstalled } from './service-under-load.ts'

/**
 * One line about the machine; the load average is of the minute before, so that company on the
 * machine shows.
 */
export function machineLine(postgresqlVersion: string): string {
  const [{ model } = { model: 'unknown processor' }] = cpus()
  return [
    `${availableParallelism()} cores (${model.trim()})`,
    `${Math.round(totalmem() / 2 ** 30)} GB of memory`,
    `${process.platform} ${process.arch}`,
    `${pluralize(workersOn('postgres://'), 'worker')} on PostgreSQL`,
    `Node ${process.versions.node}`,
    `PostgreSQL ${postgresqlVersion}, fsync on`,
    `load average before the run ${loadavg()[0]?.toFixed(1)}`,
  ].join(', ')
}

/** Workers the service takes for such a database when nobody says how many. */
function workersOn(databaseUrl: string): number {
  const config = readConfig({ DATABASE_URL: databaseUrl, ...asInstalled })
  if ('problem' in config) throw new Error(config.problem)
  return config.workers
}
