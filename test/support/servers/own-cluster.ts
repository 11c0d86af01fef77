// A Citus cluster of a test's own, with its tables distributed, and services on its nodes.
import pg from 'pg'
import { migrate } from '../../../src/store/database/migrate.ts'
import { type Running, start } from '../../../src/wiring.ts'
import { type CitusCluster, startCitusCluster } from '../databases/citus-cluster.ts'
import type { PostgresqlServerOptions } from '../databases/postgresql-server.ts'
import { testConfig } from './service.ts'

export interface OwnCluster {
  readonly workers: CitusCluster['workers']
  /** Of the coordinator. */
  readonly url: string
  readonly pool: pg.Pool
  /** Starts a service on a node; it stops with the cluster. */
  serviceOn(databaseUrl: string): Promise<Running>
  stopServices(): Promise<void>
  stop(): Promise<void>
}

export async function startOwnCluster(
  binaries: string,
  settings: Pick<PostgresqlServerOptions, 'fsync'> = {},
): Promise<OwnCluster> {
  const { coordinator, workers, stop } = await startCitusCluster(binaries, settings)
  const pool = new pg.Pool({ connectionString: coordinator.url })
  pool.on('error', () => undefined)
  await migrate(pool, { distribute: true })
  const services: Running[] = []
  const stopServices = async () => {
    await Promise.all(services.splice(0).map((service) => service.stop()))
  }
  return {
    workers,
    url: coordinator.url,
    pool,
    async serviceOn(databaseUrl) {
      const started = await start(testConfig({ databaseUrl, port: 0, workers: 1, logLevel: 'silent' }))
      if ('problem' in started) throw new Error(started.problem)
      services.push(started)
      return started
    },
    stopServices,
    async stop() {
      await stopServices()
      await pool.end()
      await stop()
    },
  }
}
