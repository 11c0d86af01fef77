// The operator's commands, and a service that starts, while a worker of a Citus cluster is down or
// hangs: they go on without it, or say at once that they cannot. On a cluster of its own, where
// `npm run test:distributed` runs.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { providerPlaces } from '../../src/store/database/distribute.ts'
import type { PostgresqlServer } from '../support/databases/postgresql-server.ts'
import { allowMs } from '../support/patience.ts'
import { type OwnCluster, startOwnCluster } from '../support/servers/own-cluster.ts'
import { type CommandRun, runCommand } from '../support/servers/server-process.ts'
import { calling } from '../support/servers/service.ts'

const binaries = process.env.TEST_CITUS_BIN ?? ''

let cluster: OwnCluster
/** Names of providers on each worker, in the order of the workers. */
let names: readonly [reached: string, away: string]
let worker: PostgresqlServer
beforeAll(async () => {
  if (binaries === '') return
  cluster = await startOwnCluster(binaries, { fsync: 'off' })
  const [other, away] = cluster.workers
  if (other === undefined || away === undefined) throw new Error('A cluster has two workers.')
  worker = away
  for (let n = 1; n <= 6; n++) expect((await run('keys', 'create', '--provider', `Farm ${n}`)).code).toBe(0)
  const places = await providerPlaces(cluster.pool)
  const on = ({ url }: PostgresqlServer) => places.find(({ node }) => node === new URL(url).host)?.name ?? ''
  names = [on(other), on(away)]
})
afterAll(() => cluster?.stop())

/** Less than the limit of a statement, and of Citus for the answer of a node. */
const waitMsMax = 20_000

async function run(...args: readonly string[]): Promise<CommandRun> {
  const began = performance.now()
  const ran = await runCommand(args, { DATABASE_URL: cluster.url, PORT: '0' })
  expect(performance.now() - began, args.join(' ')).toBeLessThan(allowMs(waitMsMax))
  return ran
}

const listed = ({ stdout }: CommandRun): readonly { readonly provider: string; readonly keyId: string }[] =>
  JSON.parse(stdout)

describe.runIf(binaries !== '').each([
  ['is down', () => worker.kill(), () => worker.restart()],
  ['hangs', async () => worker.halt(), async () => worker.resume()],
])('while a worker %s', (_, begin, end) => {
  let away = ''
  let keyThere = ''
  beforeAll(async () => {
    away = `lotkeeper: ${new URL(worker.url).host} does not answer.`
    keyThere = listed(await run('keys', 'list', '--json')).find(({ provider }) => provider === names[1])?.keyId ?? ''
    await begin()
  })
  afterAll(end)

  test('keys of the providers on the other one are listed, created and revoked', async () => {
    const list = await run('keys', 'list', '--json')
    expect(list).toMatchObject({ code: 1, stderr: `${away} Keys of providers there are not listed.\n` })
    const providers = listed(list).map(({ provider }) => provider)
    expect(providers).toContain(names[0])
    expect(providers).not.toContain(names[1])
    const made = await run('keys', 'create', '--provider', names[0])
    expect(made.code).toBe(0)
    expect((await run('keys', 'revoke', made.stdout.trim())).code).toBe(0)
  })

  test('a key there is not revoked, and a new provider is not made: both are told why', async () => {
    const revoked = await run('keys', 'revoke', keyThere)
    expect(revoked).toMatchObject({ code: 1, stderr: `${away} The others have no key with id ${keyThere}.\n` })
    const made = await run('keys', 'create', '--provider', 'A New Farm')
    const remedy = 'Every node keeps a new provider: create A New Farm when all answer.'
    expect(made).toMatchObject({ code: 1, stdout: '', stderr: `${away} ${remedy}\n` })
  })

  test('retention is shown of the others, and doctor checks them', async () => {
    const shown = await run('retention')
    expect(shown.code).toBe(1)
    expect(shown.stderr).toContain(`${away} Left out: `)
    const { code, stdout } = await run('doctor', '--json')
    expect(code).toBe(1)
    expect(stdout).toContain(`\\"${names[1]}\\": not checked: its node does not answer.`)
    expect(stdout).toContain(`\\"${names[0]}\\": 0 versions`)
  })

  test('a service starts, and serves the providers on the other one', async () => {
    const key = (await run('keys', 'create', '--provider', names[0])).stdout.trim()
    const { address } = await cluster.serviceOn(cluster.url)
    expect((await calling(address, key)('GET', '/keys/own')).status).toBe(200)
  })
})
