// A stop under load: whoever has sent a request gets its answer, and is told to go elsewhere with
// the next.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OwnDatabase, ownDatabase } from '../support/database.ts'
import { eventPayload, paths } from '../support/payloads.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'
import { calling } from '../support/service.ts'
import { switchingLoad } from '../support/switching-client.ts'

let own: OwnDatabase
let key = ''
const running = new Set<ServerProcess>()
beforeAll(async () => {
  own = await ownDatabase()
})
afterAll(async () => {
  for (const server of running) await server.end('SIGKILL')
  await own?.drop()
})

async function started(env: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServerProcess({ ...own.env, ...env })
  running.add(server)
  key ||= server.firstKey ?? ''
  return server
}

async function stopped(server: ServerProcess): Promise<void> {
  expect(await server.end('SIGTERM')).toBe(0)
  running.delete(server)
}

const create = () => ({
  method: 'POST',
  path: paths.receivingEvent,
  body: JSON.stringify(eventPayload()),
  key,
})

/** Everything that was acknowledged is there, once. */
async function expectStored(created: readonly string[]): Promise<void> {
  expect(new Set(created).size).toBe(created.length)
  const server = await started()
  const call = calling(server.address, key)
  const stored = new Set<string>()
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await call('GET', `${paths.receivingEvent}?limit=200${cursor && `&cursor=${cursor}`}`)
    for (const { id } of body.content) stored.add(id)
    cursor = body.nextCursor
  }
  expect(created.filter((id) => !stored.has(id))).toEqual([])
  await stopped(server)
}

const forms: readonly (readonly [string, Record<string, string>])[] = [
  ['one process', { WORKERS: '1' }],
  ['two workers', { WORKERS: '2' }],
]

test.each(forms)(
  '%s under load stops with 0 requests failed',
  async (_name, env) => {
    if (env.WORKERS !== '1' && own.env.DATABASE_URL === undefined) return
    const server = await started(env)
    const load = switchingLoad(16, [server.address], create)
    await expect.poll(load.answered).toBeGreaterThan(50)
    await stopped(server)
    const { answers, failed, created } = await load.ended
    expect({ failed, statuses: Object.keys(answers) }).toEqual({ failed: [], statuses: ['201'] })
    await expectStored(created)
  },
  60_000,
)

test('two services on one database are restarted one after the other, and no client notices', async () => {
  if (own.env.DATABASE_URL === undefined) return
  const [one, other] = await Promise.all([started(), started()])
  const load = switchingLoad(8, [one.address, other.address], create)
  await expect.poll(load.answered).toBeGreaterThan(30)
  await stopped(one)
  const after = load.answered()
  await expect.poll(load.answered).toBeGreaterThan(after + 30)
  const again = await started({ PORT: new URL(one.address).port })
  await stopped(other)
  const last = load.answered()
  await expect.poll(load.answered).toBeGreaterThan(last + 30)
  load.stop()
  const { answers, failed, created } = await load.ended
  expect({ failed, statuses: Object.keys(answers) }).toEqual({ failed: [], statuses: ['201'] })
  await stopped(again)
  await expectStored(created)
})

test('a service that stops says that it is not ready, until it takes no connection', async () => {
  const server = await started()
  const load = switchingLoad(1, [server.address], () => ({ method: 'GET', path: '/health/live', body: '', key }))
  const end = stopped(server)
  const said: number[] = []
  for (;;) {
    const status = await fetch(`${server.address}/health/ready`).then(
      (reply) => reply.status,
      () => 0,
    )
    said.push(status)
    if (status === 0) break
  }
  await end
  load.stop()
  expect(said.slice(said.indexOf(503), -1).every((status) => status === 503)).toBe(true)
  expect(said).toContain(503)
})
