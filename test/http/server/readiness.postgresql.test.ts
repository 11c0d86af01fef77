// Whether the service can serve: what a load balancer is told when it cannot write.
import pg from 'pg'
import { expect, test } from 'vitest'
import { start } from '../../../src/wiring.ts'
import { ownPostgresqlDatabase } from '../../support/databases/database.ts'
import { allowMs } from '../../support/patience.ts'
import { testConfig } from '../../support/servers/service.ts'

test('a service whose database became read-only is not ready, says why, and is ready again afterwards', async () => {
  const own = await ownPostgresqlDatabase()
  const owner = new pg.Client({ connectionString: own.url })
  await owner.connect()
  const set = (value: string) =>
    owner.query(
      `SET default_transaction_read_only = off; ALTER DATABASE ${new URL(own.url).pathname.slice(1)} SET default_transaction_read_only = ${value}`,
    )
  const running = await start(testConfig({ databaseUrl: own.url, port: 0, workers: 1, logLevel: 'silent' }))
  if ('problem' in running) throw new Error(running.problem)
  const ready = async () => {
    const answer = await fetch(`${running.address}/health/ready`)
    return [answer.status, await answer.json()]
  }
  expect(await ready()).toEqual([200, { status: 'ready' }])
  await set('on')
  // Its connections of before are ended, as at a failover.
  await owner.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  )
  await expect
    .poll(ready, { timeout: allowMs(10_000) })
    .toEqual([503, { status: 'not ready', why: expect.stringContaining('The database is read-only') }])
  await set('off')
  await owner.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  )
  await expect.poll(ready, { timeout: allowMs(10_000) }).toEqual([200, { status: 'ready' }])
  await running.stop()
  await owner.end()
  await own.drop()
})
