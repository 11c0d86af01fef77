// A service whose statements can be broken off, and one beside it on the same database.
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { pino } from 'pino'
import { openDatabase } from '../../../src/store/database/database.ts'
import { migrate } from '../../../src/store/database/migrate.ts'
import { serverOn } from '../../../src/wiring.ts'
import { type PostgresqlServer, startPostgresqlServer } from '../databases/postgresql-server.ts'
import { startWireProxy, type WireProxy } from '../databases/wire-proxy.ts'
import { testConfig } from './service.ts'
import { testSigner } from './signer.ts'

export interface BrokenOffServices {
  readonly database: PostgresqlServer
  /** Breaks off what the first service says to the database. */
  readonly proxy: WireProxy
  /** Connections past the proxy. */
  readonly direct: pg.Pool
  readonly addresses: readonly [broken: string, whole: string]
  close(): Promise<void>
}

export async function startBrokenOffServices(): Promise<BrokenOffServices> {
  const database = await startPostgresqlServer({ fsync: 'off' })
  const proxy = await startWireProxy(database.url)
  const direct = new pg.Pool({ connectionString: database.url })
  // The server may stop before an idle connection has closed.
  direct.on('error', () => undefined)
  await migrate(direct)
  const services = [await serve(proxy.url), await serve(database.url)] as const
  return {
    database,
    proxy,
    direct,
    addresses: [services[0].address, services[1].address],
    async close() {
      for (const service of services) await service.end()
      await proxy.close()
      await direct.end()
      await database.stop()
    },
  }
}

async function serve(databaseUrl: string) {
  const opened = await openDatabase({ databaseUrl, dataDir: '' })
  if ('heldBy' in opened) throw new Error(opened.heldBy)
  const server = await serverOn(opened, testConfig(), pino({ level: 'silent' }), testSigner)
  await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    address: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    end: async () => {
      await server.close()
      await opened.close()
    },
  }
}
