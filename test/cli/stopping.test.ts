// A stop under load: whoever has sent a request gets its answer, and is told to go elsewhere with
// the next.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as immediately } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OwnDatabase, ownDatabase } from '../support/databases/database.ts'
import { allowMs } from '../support/patience.ts'
import { eventPayload, locationPayload, paths } from '../support/records/payloads.ts'
import { isSecondDatabase } from '../support/runs.ts'
import { freePort } from '../support/servers/free-port.ts'
import { type ServerProcess, spawnServer, startServerProcess } from '../support/servers/server-process.ts'
import { calling } from '../support/servers/service.ts'
import { switchingLoad } from '../support/servers/switching-client.ts'

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

test.each(forms)('%s under load stops with 0 requests failed', async (_name, env) => {
  if (env.WORKERS !== '1' && own.env.DATABASE_URL === undefined) return
  const server = await started(env)
  const load = switchingLoad(16, [server.address], create)
  await expect.poll(load.answered).toBeGreaterThan(50)
  await stopped(server)
  const { answers, failed, created } = await load.ended
  expect({ failed, statuses: Object.keys(answers) }).toEqual({ failed: [], statuses: ['201'] })
  await expectStored(created)
})

test('two services on one database are restarted one after the other, and no client notices', async () => {
  if (own.env.DATABASE_URL === undefined) return
  const port = String(await freePort())
  const [one, other] = await Promise.all([started({ PORT: port }), started()])
  const load = switchingLoad(8, [one.address, other.address], create)
  await expect.poll(load.answered).toBeGreaterThan(30)
  await stopped(one)
  const after = load.answered()
  await expect.poll(load.answered).toBeGreaterThan(after + 30)
  const again = await started({ PORT: port })
  await stopped(other)
  const last = load.answered()
  await expect.poll(load.answered).toBeGreaterThan(last + 30)
  load.stop()
  const { answers, failed, created } = await load.ended
  expect({ failed, statuses: Object.keys(answers) }).toEqual({ failed: [], statuses: ['201'] })
  await stopped(again)
  await expectStored(created)
})

// It makes a database in a folder, whichever the tests run on.
test
  .skipIf(isSecondDatabase)
  .concurrent('a service that is told to stop while it starts ends with exit code 0, and starts again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lotkeeper-'))
    try {
      const child = spawnServer({ DATA_DIR: folder })
      // It says that it creates its database, and does so from then on.
      child.stdout.once('data', () => child.kill('SIGTERM'))
      expect(await once(child, 'exit')).toEqual([0, null])
      const again = await startServerProcess({ DATA_DIR: folder })
      expect(await again.end('SIGTERM')).toBe(0)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

test
  .skipIf(isSecondDatabase)
  .concurrent('a service that stops says that it is not ready, until it takes no connection', async () => {
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

/** Connections by what they sent, and whether they are told that the request was not complete. */
const connections: readonly (readonly [string, () => string, 'closed' | 'refused'])[] = [
  ['has sent nothing', () => '', 'closed'],
  ['waits after an answer', () => 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n', 'closed'],
  ['has sent an empty line', () => '\r\n', 'refused'],
  ['has sent half a request line', () => 'GET /hea', 'refused'],
  ['has sent half a header line', () => 'GET /health/live HTTP/1.1\r\nHos', 'refused'],
  ['has sent headers without their end', () => 'GET /health/live HTTP/1.1\r\nHost: x\r\n', 'refused'],
  [
    'has sent half a request after an answer',
    () => 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\nGET /health/live HTTP/1.1\r\nHos',
    'closed',
  ],
  ['has sent no byte of its body', () => upload('Content-Length: 1000', ''), 'refused'],
  ['has sent half a body', () => upload('Content-Length: 1000', '{"payloadId":'), 'refused'],
  ['has sent half a body in chunks', () => upload('Transfer-Encoding: chunked', '8\r\n{"payloa'), 'refused'],
  ['waits to be told to send its body', () => upload('Content-Length: 1000\r\nExpect: 100-continue', ''), 'refused'],
  ['was refused and goes on with its body', () => upload('Content-Length: 1000', '{', 'text/plain'), 'closed'],
]

const upload = (framing: string, body: string, type = 'application/json'): string =>
  `POST ${paths.location} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: ${type}\r\n${framing}\r\n\r\n${body}`

/** A connection, what came on it so far, and what came until its end. */
async function connectedTo({ address }: ServerProcess, bytes = '', host = '127.0.0.1') {
  const socket = connect(Number(new URL(address).port), host)
  await once(socket, 'connect')
  let seen = ''
  socket.on('data', (chunk) => {
    seen += chunk
  })
  const all = new Promise<string>((resolve) => socket.on('error', () => undefined).on('close', () => resolve(seen)))
  if (bytes !== '') socket.write(bytes)
  return { socket, seen: () => seen, all }
}

/**
 * Sends the rest of a body, for a second longer than the service takes to hear that it has to stop,
 * without a pause between its bytes.
 */
async function sendPastStop(server: ServerProcess, socket: Socket): Promise<void> {
  for (let endsAt = Number.POSITIVE_INFINITY; performance.now() < endsAt; await immediately()) {
    if (!socket.write('1\r\n \r\n')) await once(socket, 'drain')
    if (endsAt === Number.POSITIVE_INFINITY && server.output().includes('Stopping')) endsAt = performance.now() + 1_000
  }
  const rest = JSON.stringify(locationPayload())
  socket.write(`${rest.length.toString(16)}\r\n${rest}\r\n0\r\n\r\n`)
}

/** True where ::1 is an address of this machine. */
const hasIpv6 = (): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false))
    probe.listen(0, '::1', () => probe.close(() => resolve(true)))
  })

/**
 * A stop beside connections may take so much longer than one of a service to which nothing is
 * connected, in milliseconds. One that waited for a client would take seconds longer.
 */
const longerMsMax = () => allowMs(500)

/** How long a service takes to stop, in milliseconds. */
async function stopMsOf(server: ServerProcess): Promise<number> {
  const began = performance.now()
  await stopped(server)
  return performance.now() - began
}

// Of connections no database decides.
describe.skipIf(isSecondDatabase)('a service', () => {
  test.each(forms)('of %s stops at once, whatever is connected and has no whole request under way', async (_, env) => {
    const [lonely, server] = await Promise.all([started(env), started(env)])
    const lonelyMs = await stopMsOf(lonely)
    const open = await Promise.all(
      connections.map(async ([name, bytes, end]) => ({ name, end, ...(await connectedTo(server, bytes())) })),
    )
    for (const { name, seen } of open.filter(({ name }) => /answer|refused|told/.test(name)))
      await expect.poll(seen, { message: name }).toMatch(/^HTTP/)
    expect(await stopMsOf(server)).toBeLessThan(2 * lonelyMs + longerMsMax())
    for (const { name, end, all } of open) {
      const problems = (await all).match(/HTTP\/1\.1 408 .*?"detail":"[^"]*"/gs) ?? []
      expect([name, problems.length], await all).toEqual([name, end === 'refused' ? 1 : 0])
      expect(await all).not.toContain('HTTP/1.1 503')
      if (end === 'refused') expect(problems[0]).toContain('The service is stopping')
    }
  })

  // Together: each is a second of waiting, and a service that starts.
  test.concurrent.for(forms)(
    'of %s stops in the same way on both addresses of localhost',
    async ([, env], { expect, skip }) => {
      if (!(await hasIpv6())) return skip()
      const server = await started({ ...env, HOST: 'localhost' })
      for (const host of ['127.0.0.1', '::1']) {
        const whole = await connectedTo(
          server,
          'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
          host,
        )
        expect(await whole.all).toMatch(/^HTTP\/1\.1 200 /)
        // What Node would answer without a body, on a server of its own.
        expect(await (await connectedTo(server, 'NONSENSE\r\n\r\n', host)).all).toContain(
          '"type":"/docs/problems/notHttp"',
        )
      }
      const waiting = await connectedTo(server, 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n', '::1')
      await expect.poll(waiting.seen).toMatch(/^HTTP\/1\.1 200 /)
      const half = await connectedTo(server, 'GET /health/live HTTP/1.1\r\nHos', '::1')
      const slow = await connectedTo(server, upload('Transfer-Encoding: chunked', '1\r\n \r\n'), '::1')
      const end = stopped(server)
      await sendPastStop(server, slow.socket)
      expect(await slow.all).toMatch(/^HTTP\/1\.1 201 /)
      expect(await half.all).toContain('The service is stopping')
      expect(await waiting.all).not.toContain('HTTP/1.1 503')
      await end
    },
  )

  test.concurrent.for(forms)(
    'of %s answers each request that is under way when it stops, and a body that still arrives',
    async ([, env]) => {
      const server = await started(env)
      const call = calling(server.address, key)
      const { position } = (await call('GET', '/changes/now')).body
      const waiting = call('GET', `/changes?after=${position}&wait=30`)
      const slow = await connectedTo(server, upload('Transfer-Encoding: chunked', '1\r\n \r\n'))
      const end = stopped(server)
      await sendPastStop(server, slow.socket)
      expect(await slow.all).toMatch(/^HTTP\/1\.1 201 /)
      expect((await waiting).status).toBe(200)
      await end
    },
  )
})
