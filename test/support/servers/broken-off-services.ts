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
  /** Connections past the proxies. */
  readonly direct: pg.Pool
  /** The service whose statements all arrive. */
  readonly whole: string
  /** One more service, with a proxy that breaks off what it says to the database. */
  breakOff(): Promise<BrokenOffService>
  close(): Promise<void>
}

interface BrokenOffService {
  readonly proxy: WireProxy
  readonly address: string
}

export async function startBrokenOffServices(): Promise<BrokenOffServices> {
  const database = await startPostgresqlServer({ fsync: 'off' })
  const direct = new pg.Pool({ connectionString: database.url })
  // The server may stop before an idle connection has closed.
  direct.on('error', () => undefined)
  await migrate(direct)
  const whole = await serve(database.url)
  const ends = [whole.end]
  return {
    database,
    direct,
    whole: whole.address,
    async breakOff() {
      const proxy = await startWireProxy(database.url)
      const { address, end } = await serve(proxy.url)
      ends.push(() => end().then(proxy.close))
      return { proxy, address }
    },
    async close() {
      for (const end of ends) await end()
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
