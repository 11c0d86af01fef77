// retention, holds and access-log, as an operator runs them beside a running server. Sources:
// decisions 0039 to 0041.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { yearsBefore } from '../../src/contract/shape/date-and-time.ts'
import { storeAged } from '../support/databases/aged-records.ts'
import { ownPostgresqlDatabase } from '../support/databases/database.ts'
import { type Payload, paths } from '../support/records/payloads.ts'
import { runCommand, type ServerProcess, startServerProcess } from '../support/servers/server-process.ts'
import { calling } from '../support/servers/service.ts'

let env: Record<string, string>
let clean: () => Promise<void>
let server: ServerProcess
let folder = ''
let ids: readonly string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lotkeeper-retention-'))
  const own = await ownPostgresqlDatabase()
  env = { DATABASE_URL: own.url }
  clean = async () => {
    await own.drop()
    await rm(folder, { recursive: true, force: true })
  }
  server = await startServerProcess(env)
  const pool = new pg.Pool({ connectionString: own.url })
  const { rows } = await pool.query('SELECT provider_id AS id FROM provider')
  const at = (years: number) => yearsBefore(new Date(), years)
  const edit = (years: number, lot: string) => (payload: Payload) => {
    payload.eventList.eventDateTime = `${at(years).toISOString().slice(0, 19)}Z`
    payload.eventList.productList = [{ ...payload.eventList.productList[0], caseLotNumber: lot }]
  }
  ids = await storeAged(pool, rows[0].id, [
    { kind: 'receivingEvent', versions: [{ submittedAt: at(4), edit: edit(4, 'OLD') }] },
    { kind: 'receivingEvent', versions: [{ submittedAt: at(5), edit: edit(5, 'HELD') }] },
    { kind: 'receivingEvent', versions: [{ submittedAt: at(1), edit: edit(1, 'YOUNG') }] },
    { kind: 'masterProduct', versions: [{ submittedAt: at(5) }, { submittedAt: at(4) }] },
  ])
  await pool.end()
})
afterAll(async () => {
  await server?.end('SIGTERM')
  await clean?.()
})

const run = (...args: string[]) =>
  runCommand(args, { ...env, LOTKEEPER_URL: server.address, LOTKEEPER_KEY: server.firstKey ?? '' })

// In this order: looked at, held, purged.

describe('lotkeeper retention', () => {
  test('shows what is due by kind, vendor and year, and changes nothing', async () => {
    const { code, stdout, stderr } = await run('retention')
    expect(code, stderr).toBe(0)
    expect(stdout.split('\n').slice(1, -1)).toHaveLength(3)
    expect(stdout).toMatch(/default +receiving event +V-1001 +\d{4} +1 +1\n/)
    expect(stdout).toMatch(/default +master product +V-1001 +\d{4} +1 +0\n/)
    expect(stderr).toMatch(/^Due: 3 versions, 2 whole events among them.*retention --purge purges them\.\n$/)
  })

  test('keeps what is held, and says that holds stand', async () => {
    const { code, stdout, stderr } = await run('holds', 'set', '--reason', 'Recall', '--lot-code', 'HELD')
    expect(code, stderr).toBe(0)
    expect((await run('holds', 'list', '--standing')).stdout).toMatch(
      new RegExp(`${stdout.trim()} +\\d{4}-\\d\\d-\\d\\d +lot HELD +Recall`),
    )
    const { stdout: about } = await run('retention', '--json')
    expect(JSON.parse(about)).toMatchObject({ purged: false, versions: 2, records: 1, standingHolds: 1 })
  })

  test('with --purge purges it beside the running service, and reports the id of each version', async () => {
    const report = join(folder, 'purged.ndjson')
    const { code, stdout, stderr } = await run('retention', '--purge', '--report', report)
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/default +receiving event/)
    expect(stderr).toMatch(/^Purged: 2 versions, 1 whole event among them.* Records under 1 legal hold stay\.\n$/)
    const lines = (await readFile(report, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ id, version, purged }) => [id, version, purged])).toEqual([
      [ids[3], 1, true],
      [ids[0], 1, true],
    ])
    const call = calling(server.address, server.firstKey)
    const statuses = await Promise.all(ids.slice(0, 3).map((id) => call('GET', `${paths.receivingEvent}/${id}`)))
    expect(statuses.map(({ status }) => status)).toEqual([410, 200, 200])
    expect((await run('versions', ids[0] ?? '')).stdout).toMatch(/\n +1 .* aged +purged\n$/)

    const overwriting = await run('retention', '--purge', '--report', report)
    expect([overwriting.code, overwriting.stderr]).toEqual([1, expect.stringContaining('already exists')])
  })
})

test('a lifted hold holds nothing any more', async () => {
  const { stdout } = await run('holds', 'list', '--json')
  const { id } = JSON.parse(stdout)
  expect((await run('holds', 'lift', id)).stdout).toMatch(/was lifted on /)
  const more = { ...env, RETENTION_YEARS: '3' }
  const { stdout: about } = await runCommand(['retention', '--json'], more)
  expect(JSON.parse(about)).toMatchObject({ retentionYears: 3, versions: 1, standingHolds: 0 })
})

test('lotkeeper access-log lists purges, holds and keys with who it was', async () => {
  const { code, stdout, stderr } = await run('access-log', '--json', '--all')
  expect(code, stderr).toBe(0)
  const entries = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(
    entries.map(({ operation, who, records }) => [operation, /^[0-9a-f]{16}$/.test(who) ? 'key' : who, records]),
  ).toEqual([
    ['liftLegalHold', 'key', null],
    ['purge', 'command line', 2],
    ['setLegalHold', 'key', null],
    ['createKey', 'first start', null],
  ])
})
