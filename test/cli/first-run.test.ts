// The first run, as a new user lives it: one command, a key, lines that work pasted as they are;
// and the second run.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownPostgresqlDatabase, testDatabase } from '../support/databases/database.ts'
import { isSecondDatabase } from '../support/runs.ts'
import { runCommand, type ServerProcess, startServerProcess } from '../support/servers/server-process.ts'
import { calling } from '../support/servers/service.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))

/** For what is no command with all it needs, and opens no database: it runs in a thread. */
const noDatabase: Record<string, string> = { LOTKEEPER_URL: 'http://127.0.0.1:1' }

let env: Record<string, string>
let clean: () => Promise<void>
let server: ServerProcess
beforeAll(async () => {
  const { kind, close } = await testDatabase()
  await close()
  if (kind === 'postgresql') {
    const own = await ownPostgresqlDatabase()
    env = { DATABASE_URL: own.url }
    clean = own.drop
  } else {
    const folder = await mkdtemp(join(tmpdir(), 'lotkeeper-cli-'))
    env = { DATA_DIR: join(folder, 'data') }
    clean = () => rm(folder, { recursive: true, force: true })
  }
  server = await startServerProcess(env)
})
afterAll(async () => {
  await server?.end('SIGTERM')
  await clean?.()
})

const list = async (key: string) =>
  (await calling(server.address, key)('GET', '/data-provider/events/receiving')).body.content

test('the lines the first start prints work pasted as they are', async () => {
  const lines = server
    .output()
    .split('\n')
    .filter((line) => /^ {2}(export |CREATED=|ID=|curl )/.test(line))
  expect(lines).toHaveLength(6)
  const { stdout } = await promisify(execFile)('bash', ['-euc', lines.join('\necho\n')], { cwd: repository })
  const [created, replaced, record, versions] = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
  const [id] = created.request_ids
  expect(replaced.changes.removed).toContain('/eventList/carrierShipmentMethod')
  expect(record).toMatchObject({ id, payloadId: 'PL-2026-000495' })
  expect(versions.content.map(({ version }: { version: number }) => version)).toEqual([2, 1])
})

test('the second start finds the same data and makes no new key', async () => {
  const key = server.firstKey ?? ''
  const before = await list(key)
  expect(await server.end('SIGTERM')).toBe(0)
  server = await startServerProcess(env)
  expect(server.firstKey).toBeUndefined()
  expect(await list(key)).toEqual(before)
})

describe('lotkeeper keys, beside the running server', () => {
  test('creates keys for providers by name, lists them without secrets, and revokes them', async () => {
    const created = await runCommand(
      [
        'keys',
        'create',
        '--provider',
        'Green Valley',
        '--role',
        'reader',
        '--label',
        'quality office',
        '--expires',
        '2999-12-31',
      ],
      env,
    )
    expect(created.code, created.stderr).toBe(0)
    const key = created.stdout.trim()
    expect(key).toMatch(/^lk_[0-9a-f]{16}_[0-9a-f]{32}_[\w-]{43}$/)
    expect(await list(key)).toEqual([])
    const listed = await runCommand(['keys', 'list'], env)
    expect(listed.stdout).toMatch(/Green Valley +reader +valid to 2999-12-31 +quality office +\S+ +\d{4}-\d\d-\d\d/)
    expect(listed.stdout).not.toContain(key.slice(-43))
    expect(JSON.parse((await runCommand(['keys', 'list', '--json'], env)).stdout)).toHaveLength(2)

    const revoked = await runCommand(['keys', 'revoke', key], env)
    expect(revoked.code, revoked.stderr).toBe(0)
    const status = async () => (await calling(server.address, key)('GET', '/data-provider/products')).status
    await expect.poll(status, { interval: 100 }).toBe(401)
    expect((await runCommand(['keys', 'list'], env)).stdout).toContain('revoked')
  })

  test.skipIf(isSecondDatabase).each([
    [['keys', 'create', '--provider', ''], 2, '--provider'],
    [['keys', 'create', '--label', 'two\nlines'], 2, '--label'],
    [['keys', 'create', '--expires', '31.12.2999'], 2, 'yyyy-MM-dd'],
    [['keys', 'create', '--expires', '2020-01-01'], 2, 'past'],
    [['keys', 'revoke', 'ffffffffffffffff'], 1, 'no key with id'],
    [['keys', 'create', '--role', 'admin'], 2, 'Allowed choices are reader, writer, administrator', noDatabase],
    [['keys', 'create', '--nonsense'], 2, 'nonsense', noDatabase],
    [['keys', 'revoke'], 2, 'key id', noDatabase],
    [['keys', 'mend'], 2, "unknown command 'mend'", noDatabase],
    [['serv'], 2, "unknown command 'serv'", noDatabase],
  ])('%j ends with %i and says why in one line', async (args, code, says, place = env) => {
    const end = await runCommand(args, place)
    expect(end.code).toBe(code)
    expect(end.stderr).toContain(says)
    expect(end.stderr.trim()).toMatch(/^lotkeeper: .+(\n\(Did you mean .+\))?$/)
  })
})

test.skipIf(isSecondDatabase).each([[['keys']], [[]]])(
  '%j has its help beside the results, and counts as called wrongly',
  async (args) => {
    const { code, stdout, stderr } = await runCommand(args, noDatabase)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(`Usage: ${['lotkeeper', ...args].join(' ')} [options] [command]`)
  },
)

describe('a start that cannot be', () => {
  const problemOf = async (more: Record<string, string>) => {
    const end = await runCommand(['serve'], { ...env, ...more })
    expect(end.code).toBe(1)
    expect(end.stderr.trim().split('\n')).toHaveLength(1)
    return end.stderr
  }

  test.skipIf(isSecondDatabase).each([
    [{ PORT: 'http' }, 'PORT is "http"'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
    [{ RETENTION_YEARS: '1' }, 'RETENTION_YEARS'],
    [{ LOT_NUMBER_REQUIRED_FROM: '2026' }, 'LOT_NUMBER_REQUIRED_FROM'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
    [{ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, 'ECONNREFUSED'],
  ])('%j is one clear line', async (more, says) => {
    expect(await problemOf(more)).toContain(says)
  })

  test('a taken port is named', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((listening) => other.once('listening', listening))
    const { port } = other.address() as { port: number }
    const folder = await mkdtemp(join(tmpdir(), 'lotkeeper-port-'))
    const more = 'DATA_DIR' in env ? { DATA_DIR: join(folder, 'data') } : {}
    expect(await problemOf({ ...more, PORT: String(port) })).toContain(`Port ${port} on 127.0.0.1 is in use`)
    other.close()
    await rm(folder, { recursive: true, force: true })
  })

  test.skipIf(!existsSync('/proc/self'))(
    'a folder where none can be made is named, and not tried for ever',
    async () => {
      if (!('DATA_DIR' in env)) return
      expect(await problemOf({ DATA_DIR: '/proc/lotkeeper/data' })).toContain(
        'DATA_DIR /proc/lotkeeper/data cannot be written to (ENOENT)',
      )
    },
  )

  test('a second server on one embedded folder is refused, and says who has it', async () => {
    if (env.DATA_DIR === undefined) return
    expect(await problemOf({ PORT: '0' })).toMatch(/is in use by process \d+ on this machine/)
  })
})
