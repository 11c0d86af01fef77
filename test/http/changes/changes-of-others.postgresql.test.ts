// What others write comes into the order as well: transactions that commit late, and processes beside
// this one.
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../../src/store/database/migrate.ts'
import { ownPostgresqlDatabase } from '../../support/databases/database.ts'
import { writeLateVersion } from '../../support/databases/late-version.ts'
import { untilItWaits } from '../../support/databases/lock-waits.ts'
import { changed, paths, productPayload } from '../../support/records/payloads.ts'
import { type Call, calling, type Service, startService, type TestProvider } from '../../support/servers/service.ts'

let services: readonly Service[]
let service: Service
beforeAll(async () => {
  services = await Promise.all([startService(), startService()])
  service = services[0] as Service
})
afterAll(() => Promise.all((services ?? []).map((one) => one.close())))

interface Change {
  readonly id: string
  readonly version: number
}

const nameOf = ({ id, version }: Change) => `${id} ${version}`

/** What is behind a position, with the position behind that. */
async function readOn(call: Call, after?: string, wait = 0): Promise<{ found: string[]; next: string }> {
  const query = new URLSearchParams({ wait: String(wait), ...(after && { after }) })
  const { status, text, body } = await call('GET', `/changes?${query}`)
  expect(status, text).toBe(200)
  return { found: body.content.map(nameOf), next: body.nextPosition }
}

const create = async ({ call }: Pick<TestProvider, 'call'>): Promise<string> =>
  (await call('POST', paths.masterProduct, { body: productPayload() })).body.request_ids[0]

test('what is committed a minute late, with a time before what was read, is read behind it', async () => {
  const provider = await service.provider()
  const late = await writeLateVersion(service.database.url, provider.id, '1 minute')
  try {
    const seen = await create(provider)
    const first = await readOn(provider.call)
    expect(first.found).toEqual([`${seen} 1`])
    const waiting = readOn(provider.call, first.next, 30)
    await late.commit()
    expect((await waiting).found).toEqual([`${late.id} 1`])
    expect((await readOn(provider.call)).found).toEqual([`${seen} 1`, `${late.id} 1`])
  } finally {
    await late.end()
  }
})

test('a write whose statement is done and stays uncommitted while others write and read is read behind them', async () => {
  const { url, drop } = await ownPostgresqlDatabase()
  const pool = new pg.Pool({ connectionString: url })
  const blocker = await pool.connect()
  const start = () => {
    const own = new pg.Pool({ connectionString: url })
    return startService({}, undefined, { kind: 'postgresql', pool: own, close: () => own.end() })
  }
  const own: Service[] = []
  try {
    await migrate(pool)
    own.push(await start(), await start())
    const provider = await (own[0] as Service).provider()
    const other = calling((own[1] as Service).url, await provider.key('writer'))
    // At the end of the statement, when its rows are there with their times.
    await pool.query(`CREATE FUNCTION wait_here() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NULL; END $$`)
    await pool.query(`CREATE TRIGGER waits AFTER INSERT ON record_version FOR EACH ROW
      WHEN (NEW.detail[1] LIKE '%STAYS OPEN%') EXECUTE FUNCTION wait_here()`)
    await blocker.query('SELECT pg_advisory_lock(7)')
    const body = productPayload()
    body.productMasterDataList.itemDescription = 'STAYS OPEN'
    const held = provider.call('POST', paths.masterProduct, { body })
    await untilItWaits(pool, 'asked AS (')
    const others = [await create({ call: other }), await create({ call: other })]
    const first = await readOn(other)
    expect(first.found).toEqual(others.map((id) => `${id} 1`))
    others.push(await create({ call: other }))
    const second = await readOn(other, first.next)
    expect(second.found).toEqual([`${others[2]} 1`])
    const waiting = readOn(other, second.next, 30)
    await blocker.query('SELECT pg_advisory_unlock(7)')
    const late = `${(await held).body.request_ids[0]} 1`
    expect((await waiting).found).toEqual([late])
    expect((await readOn(provider.call)).found).toEqual([...first.found, ...second.found, late])
  } finally {
    // With its lock, where something failed.
    blocker.release(true)
    await Promise.all(own.map((one) => one.close()))
    await pool.end()
    await drop()
  }
})

test('readers at two processes get all that writers at both write, each once and in one order', async () => {
  const provider = await service.provider()
  const key = await provider.key('writer')
  const calls = services.map(({ url }) => calling(url, key))
  const written: string[] = []
  const writers = Array.from({ length: 6 }, async (_, n) => {
    const call = calls[n % 2] as Call
    for (let i = 0; i < 8; i++) {
      const body = productPayload()
      const id = (await call('POST', paths.masterProduct, { body })).body.request_ids[0]
      written.push(`${id} 1`)
      changed.masterProduct(body)
      // At the other process than the one before it.
      expect((await (calls[(n + 1) % 2] as Call)('PUT', `${paths.masterProduct}/${id}`, { body })).status).toBe(200)
      written.push(`${id} 2`)
    }
  })
  const following = calls.map(async (call) => {
    const found: string[] = []
    for (let next: string | undefined; found.length < 96; ) {
      const more = await readOn(call, next, 30)
      found.push(...more.found)
      next = more.next
    }
    return found
  })
  const [one = [], other = []] = await Promise.all(following)
  await Promise.all(writers)
  expect([...one].sort()).toEqual(written.sort())
  expect(other).toEqual(one)
  for (const name of one.filter((name) => name.endsWith(' 2')))
    expect(one.indexOf(name.replace(/2$/, '1'))).toBeLessThan(one.indexOf(name))
})
