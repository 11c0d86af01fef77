// migrate, doctor and demo, as an operator runs them: on a new database, beside a running server,
// and where something is wrong.
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { standInForCitus } from '../support/databases/citus-stand-in.ts'
import { ownPostgresqlDatabase, testDatabase } from '../support/databases/database.ts'
import { isSecondDatabase } from '../support/runs.ts'
import { runCommand, type ServerProcess, startServerProcess } from '../support/servers/server-process.ts'
import { calling } from '../support/servers/service.ts'

let env: Record<string, string>
let clean: () => Promise<void>
let server: ServerProcess | undefined
let key = ''
beforeAll(async () => {
  const { kind, close } = await testDatabase()
  await close()
  if (kind === 'postgresql') {
    const own = await ownPostgresqlDatabase()
    env = { DATABASE_URL: own.url }
    clean = own.drop
  } else {
    const folder = await mkdtemp(join(tmpdir(), 'lotkeeper-operating-'))
    env = { DATA_DIR: join(folder, 'data') }
    clean = () => rm(folder, { recursive: true, force: true })
  }
})
afterAll(async () => {
  await server?.end('SIGTERM')
  await clean?.()
})

const run = (args: readonly string[], more: Record<string, string> = {}) => runCommand(args, { ...env, ...more })

interface Check {
  readonly about: string
  readonly is: string
  readonly found: string
  readonly remedy?: string
}

const checksOf = (stdout: string): ReadonlyMap<string, Check> =>
  new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Check)
      .map((check) => [check.about, check]),
  )

// In this order: the database is new, then loaded, then served.

describe('on a database that is new', () => {
  test('migrate --check says what is missing, and ends with 1', async () => {
    const { code, stdout, stderr } = await run(['migrate', '--check'])
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toMatch(env.DATA_DIR ? /There is no database in / : /is at no schema; it lacks 0001\.sql/)
  })

  test('doctor finds no problem, and says what is still to come', async () => {
    const { code, stdout, stderr } = await run(['doctor', '--json'], { PORT: '0' })
    expect(code, stdout + stderr).toBe(0)
    const checks = checksOf(stdout)
    expect(checks.get(env.DATA_DIR ? 'database' : 'schema')).toMatchObject({
      is: 'warning',
      remedy: expect.any(String),
    })
    expect(checks.get('LOTKEEPER_KEY') ?? checks.get('key')).toMatchObject({ is: 'warning' })
  })

  test.skipIf(!existsSync('/proc/self'))('doctor finds a folder where no database can be made', async () => {
    if (env.DATA_DIR === undefined) return
    const { code, stdout } = await run(['doctor', '--json'], { PORT: '0', DATA_DIR: '/proc/lotkeeper/data' })
    expect(code).toBe(1)
    expect(checksOf(stdout).get('database')).toMatchObject({
      is: 'problem',
      found: expect.stringContaining('it cannot be created there (ENOENT)'),
      remedy: expect.stringContaining('DATA_DIR'),
    })
  })

  test('demo loads the examples, prints the first key, and says what to try', async () => {
    const { code, stdout, stderr } = await run(['demo'])
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/^Loaded \d+ records[\s\S]*GV26063-A[\s\S]*lotkeeper diff [0-9a-f-]{36}\n/)
    key = /lk_\w+_[\w-]{43}/.exec(stderr)?.[0] ?? ''
    expect(key).not.toBe('')
    const again = await run(['demo'])
    expect(again.code).toBe(1)
    expect(again.stderr).toMatch(/already has data, and the examples go only into a database without records/)
  })

  test('migrate finds nothing to do any more', async () => {
    for (const args of [['migrate'], ['migrate', '--check']]) {
      const { code, stdout } = await run(args)
      expect(code).toBe(0)
      expect(stdout).toMatch(/is up to date, at \d{4}[\w-]*\.sql\.\n$/)
    }
    expect(JSON.parse((await run(['migrate', '--json'])).stdout)).toMatchObject({ applied: [], missing: [] })
  })
})

describe('beside the running service', () => {
  beforeAll(async () => {
    server = await startServerProcess(env)
  })

  const at = () => {
    const { address = '' } = server ?? {}
    return { LOTKEEPER_URL: address, LOTKEEPER_KEY: key, PORT: new URL(address).port }
  }

  test('what demo loaded is what the service keeps', async () => {
    const { stdout } = await run(['list', 'events', '--lot-code', 'GV26063-A', '--json'], at())
    expect(stdout.trim().split('\n').length).toBeGreaterThan(3)
  })

  test('doctor names the service, whose key it is, and who has the port, and checks the evidence beside it', async () => {
    const { code, stdout } = await run(['doctor', '--json'], at())
    expect(checksOf(stdout).get('evidence')).toMatchObject({
      is: 'ok',
      found: expect.stringContaining('every hash and search value fits'),
    })
    expect(code, stdout).toBe(0)
    const checks = checksOf(stdout)
    expect(checks.get('service')).toMatchObject({ is: 'ok' })
    expect(checks.get('clock')).toMatchObject({ is: 'ok' })
    expect(checks.get('port')?.found).toMatch(/is in use by Lotkeeper \d/)
    expect(checks.get('schema')?.found).toMatch(/^up to date/)
    expect(checks.get('key')?.found).toMatch(/ of provider default, role administrator; never expires/)
    expect(stdout).not.toContain(key)
    if (env.DATA_DIR) expect(checks.get('disk space')).toBeDefined()
    else expect(checks.get('DATABASE_URL')?.found).not.toContain(new URL(env.DATABASE_URL ?? '').password || '\0')
  })

  test('demo refuses where there are records, and loads for a provider that has none', async () => {
    const refused = await run(['demo'], at())
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/already has receiving events/)
    const fresh = (await run(['keys', 'create', '--provider', 'demo'])).stdout.trim()
    const loaded = await run(['demo'], { ...at(), LOTKEEPER_KEY: fresh })
    expect(loaded.code, loaded.stderr).toBe(0)
    const { body } = await calling(at().LOTKEEPER_URL, fresh)('GET', '/data-provider/events/receiving')
    expect(body.content.length).toBeGreaterThan(5)
  })

  // No database is asked.
  test.skipIf(isSecondDatabase)(
    'doctor ends with 1 for a key that is not valid, a port that somebody else has, and a service that is away',
    async () => {
      const other = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1')
      await new Promise((listening) => other.once('listening', listening))
      const { port } = other.address() as AddressInfo
      const wrong = await run(['doctor', '--json'], { ...at(), LOTKEEPER_KEY: 'lk_wrong', PORT: String(port) })
      expect(wrong.code).toBe(1)
      expect(wrong.stderr).toBe('lotkeeper: 2 problems found.\n')
      const checks = checksOf(wrong.stdout)
      expect(checks.get('key')).toMatchObject({ is: 'problem', remedy: expect.stringContaining('LOTKEEPER_KEY') })
      expect(checks.get('port')).toMatchObject({ is: 'problem', found: expect.stringContaining('by another program') })
      const foreign = await run(['doctor', '--json'], { ...at(), LOTKEEPER_URL: `http://127.0.0.1:${port}` })
      expect(checksOf(foreign.stdout).get('service')).toMatchObject({
        is: 'problem',
        found: expect.stringContaining('not Lotkeeper'),
      })
      other.close()
      const away = await run(['doctor', '--json'], { ...at(), LOTKEEPER_URL: 'http://127.0.0.1:1' })
      expect(checksOf(away.stdout).get('service')).toMatchObject({ is: 'problem' })
      const problemBody = JSON.stringify({ type: '/problems/unavailable', status: 503, title: '', detail: 'Not now.' })
      const unready = createServer(({ url }, response) => {
        if (url === '/openapi.json') response.end(JSON.stringify({ info: { title: 'Lotkeeper', version: '0' } }))
        else if (url === '/health/ready') response.writeHead(503).end(JSON.stringify({ why: 'The disk is full.' }))
        else response.writeHead(503, { 'content-type': 'application/problem+json' }).end(problemBody)
      }).listen(0, '127.0.0.1')
      await new Promise((listening) => unready.once('listening', listening))
      const unreadyUrl = `http://127.0.0.1:${(unready.address() as AddressInfo).port}`
      const waiting = await run(['doctor', '--json'], { ...at(), LOTKEEPER_URL: unreadyUrl })
      expect(checksOf(waiting.stdout).get('service')).toMatchObject({
        is: 'problem',
        found: expect.stringContaining('is not ready: The disk is full.'),
      })
      expect(checksOf(waiting.stdout).get('key')).toMatchObject({
        is: 'problem',
        found: 'Not now.',
        remedy: expect.stringContaining('Run doctor again'),
      })
      unready.close()
      const config = await run(['doctor', '--json'], { ...at(), LOG_LEVEL: 'loud' })
      expect(checksOf(config.stdout).get('configuration')).toMatchObject({ is: 'problem' })
      expect(config.code).toBe(1)
    },
  )
})

describe.skipIf(isSecondDatabase)('on PostgreSQL', () => {
  test('doctor hides the password and reports that the server does not respond', async () => {
    const nowhere = { DATABASE_URL: 'postgres://lotkeeper:sesame@127.0.0.1:1/none', PORT: '0' }
    const { code, stdout } = await runCommand(['doctor'], nowhere)
    expect(code).toBe(1)
    expect(stdout).not.toContain('sesame')
    expect(stdout).toMatch(/^ok +DATABASE_URL +postgres:\/\/lotkeeper:\*\*\*@127/m)
    expect(stdout).toMatch(/^problem +database +.*ECONNREFUSED.*\n +→ /m)
    const { code: migrated, stderr } = await runCommand(['migrate'], nowhere)
    expect(migrated).toBe(1)
    expect(stderr).toMatch(
      /^lotkeeper: The database at 127\.0\.0\.1:1 cannot be opened: .*ECONNREFUSED.*Start PostgreSQL there.*\n$/,
    )
  })

  test('a server that is too busy to answer in time is asked again', async () => {
    if (env.DATABASE_URL === undefined) return
    const { port, hostname } = new URL(env.DATABASE_URL)
    const sockets: Socket[] = []
    // The first connection gets no answer.
    const busy = createTcpServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => undefined)
      if (sockets.length === 1) return
      const onward = connect(Number(port), hostname).on('error', () => socket.destroy())
      socket.pipe(onward).pipe(socket)
    })
    await new Promise<void>((listening) => busy.listen(0, '127.0.0.1', listening))
    const database = new URL(env.DATABASE_URL)
    database.host = `127.0.0.1:${(busy.address() as AddressInfo).port}`
    const { code, stderr } = await runCommand(['keys', 'list'], { DATABASE_URL: database.href })
    expect(code, stderr).toBe(0)
    expect(sockets).toHaveLength(2)
    for (const socket of sockets) socket.destroy()
    await new Promise((closed) => busy.close(closed))
  })

  test('migrate says from where to where, and leaves a newer database alone', async () => {
    if (env.DATABASE_URL === undefined) return
    const own = await ownPostgresqlDatabase()
    const db = { DATABASE_URL: own.url }
    const { stdout } = await runCommand(['migrate'], db)
    expect(stdout).toMatch(/ went from no schema to \d{4}[\w-]*\.sql\.\n$/)
    const client = new pg.Client(own.url)
    await client.connect()
    await client.query(`INSERT INTO schema_migration (file, checksum) VALUES ('9999-later.sql', '')`)
    await client.end()
    for (const args of [['migrate'], ['migrate', '--check']]) {
      const { code, stderr } = await runCommand(args, db)
      expect(code).toBe(1)
      expect(stderr).toMatch(/migrated by a newer version of Lotkeeper \(9999-later\.sql\)/)
    }
    expect(checksOf((await runCommand(['doctor', '--json'], db)).stdout).get('schema')).toMatchObject({ is: 'problem' })
    await own.drop()
  })
})

describe('distribute', () => {
  test('says what is missing where there is no Citus, and ends with 1', async () => {
    const own = env.DATABASE_URL === undefined ? undefined : await ownPostgresqlDatabase()
    const { code, stdout, stderr } = await run(['distribute'], own === undefined ? {} : { DATABASE_URL: own.url })
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toMatch(
      own === undefined
        ? /^lotkeeper: The embedded database is on one machine\. Set DATABASE_URL to the coordinator .*\n$/
        : /^lotkeeper: The PostgreSQL at .* does not have Citus, .* Install Citus on each node, .* docs\/operating\.md, .*\n$/,
    )
    await own?.drop()
  })

  test('distributes once, and doctor says on which node a provider is', async () => {
    if (env.DATABASE_URL === undefined) return
    // Stand-ins have the names of the functions of Citus, which is not here: this proves what is
    // asked of them and told of it.
    const own = await ownPostgresqlDatabase()
    const db = { DATABASE_URL: own.url, PORT: '0' }
    const pool = new pg.Pool({ connectionString: own.url })
    await standInForCitus(pool)
    const node = async (...args: string[]) => {
      const { code, stdout } = await runCommand(['doctor', '--json', ...args], db)
      const checks = checksOf(stdout)
      return { code, nodes: checks.get('nodes'), provider: checks.get('provider') }
    }
    expect((await node()).nodes).toMatchObject({ is: 'warning', remedy: expect.stringContaining('distribute') })
    const first = await runCommand(['distribute'], db)
    expect(first.code, first.stderr).toBe(0)
    expect(first.stdout).toMatch(
      /^Distributed \d+ tables of the PostgreSQL at .*: provider, .*\baccess_log_end\b.*\.\n$/,
    )
    expect((await runCommand(['distribute'], db)).stdout).toMatch(/^All tables of the .* are distributed already\.\n$/)
    expect(JSON.parse((await runCommand(['distribute', '--json'], db)).stdout)).toMatchObject({ distributed: [] })
    expect((await node()).nodes).toMatchObject({ is: 'ok', found: expect.stringMatching(/providers: none$/) })

    await runCommand(['keys', 'create', '--provider', 'Green Valley'], db)
    const { nodes, provider } = await node('--provider', 'Green Valley')
    expect(nodes?.found).toMatch(/^Citus 13\.2\.2; \d+ tables are distributed; providers: worker-\d:5432 has 1$/)
    expect(provider?.found).toMatch(/^"Green Valley" is on worker-\d:5432, in shard \d+$/)
    await pool.query(`INSERT INTO citus_stand_in.node_away VALUES ('worker-2')`)
    expect(await node()).toMatchObject({
      code: 1,
      nodes: { is: 'problem', found: expect.stringMatching(/^worker-2:5432 does not answer\./) },
    })
    const isThere = provider?.found.includes('worker-2') === true
    const list = await runCommand(['keys', 'list', '--json'], db)
    expect(list).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^lotkeeper: worker-2:5432 does not answer\. /),
    })
    expect(JSON.parse(list.stdout)).toHaveLength(isThere ? 0 : 1)
    expect((await runCommand(['retention'], db)).stderr).toMatch(
      isThere ? /Left out: 1 provider there\.\n$/ : /Nothing is/,
    )
    expect((await runCommand(['keys', 'create', '--provider', 'Green Valley'], db)).code).toBe(0)
    const another = await runCommand(['keys', 'create', '--provider', 'Grey Valley'], db)
    expect(another).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/ create Grey Valley when all answer\.\n$/),
    })
    await pool.query('DELETE FROM citus_stand_in.node_away')
    expect(await node('--provider', 'Grey Valley')).toMatchObject({ code: 1, provider: { is: 'problem' } })

    await pool.query('UPDATE citus_stand_in.role SET is_coordinator = false')
    const onWorker = await runCommand(['distribute'], db)
    expect(onWorker).toMatchObject({ code: 1, stderr: expect.stringMatching(/cannot be distributed: .* is a worker /) })
    await pool.end()
    await own.drop()
  })
})
