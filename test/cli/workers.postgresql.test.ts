// Several processes that serve as one, seen from outside: started, called, signalled and killed as
// on a machine.
import { get, type IncomingMessage, request } from 'node:http'
import { connect, createServer } from 'node:net'
import { describe, type ExpectStatic, expect, test } from 'vitest'
import { ownPostgresqlDatabase } from '../support/databases/database.ts'
import { eventPayload, paths } from '../support/records/payloads.ts'
import { killProcess, runCommand, type ServerProcess, startServerProcess } from '../support/servers/server-process.ts'

type StartWorkers = (workers: number, env?: Record<string, string>) => Promise<ServerProcess>

/** Does something with a database of its own, which holds services of several workers. */
async function withWorkers(work: (startWorkers: StartWorkers, databaseUrl: string) => Promise<void>): Promise<void> {
  const { url, drop } = await ownPostgresqlDatabase()
  const servers: ServerProcess[] = []
  const startWorkers: StartWorkers = async (workers, env = {}) => {
    const database = { DATABASE_URL: url, WORKERS: String(workers), LOG_LEVEL: 'debug' }
    const server = await startServerProcess({ ...database, ...env }, { ownGroup: true })
    servers.push(server)
    return server
  }
  try {
    await work(startWorkers, url)
  } finally {
    for (const server of servers) {
      await server.end('SIGKILL')
      await server.allEnded
    }
    await drop()
  }
}

/** Of every worker that listens or did, in the order in which they came. */
const workersThatListened = ({ output }: ServerProcess): readonly number[] =>
  logged(output())
    .filter(({ msg }) => msg.startsWith('Server listening at '))
    .map(({ pid }) => pid)

const workersThatAnswered = ({ output }: ServerProcess): readonly number[] => [
  ...new Set(
    logged(output())
      .filter(({ msg }) => msg === 'answered')
      .map(({ pid }) => pid),
  ),
]

const logged = (output: string): readonly { pid: number; msg: string }[] =>
  output.split('\n').flatMap((line) => (line.startsWith('{') && line.endsWith('}') ? JSON.parse(line) : []))

/** Over a connection of its own, which any worker may get. */
const listStatus = ({ address, firstKey }: ServerProcess): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(
      `${address}${paths.receivingEvent}`,
      { headers: { authorization: `Bearer ${firstKey}`, connection: 'close' } },
      (reply) => resolve(reply.resume().statusCode),
    ).once('error', reject)
  })

/** Asks until both of two workers have answered, each time with this status. */
const bothAnswer = (expect: ExpectStatic, started: ServerProcess, status: number) =>
  expect
    .poll(async () => {
      expect(await listStatus(started)).toBe(status)
      return workersThatAnswered(started).length
    })
    .toBe(2)

const takesConnections = ({ address }: ServerProcess): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(address)
    const socket = connect(Number(port), hostname)
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })

const ended = /Worker (\d+) ended by (\w+); worker (\d+) takes its place/g

// Together, each with a service and a database of its own: each waits for processes that start.
test.concurrent('workers share one address, one ready line and one first key', ({ expect }) =>
  withWorkers(async (startWorkers) => {
    const started = await startWorkers(2)
    expect(new Set(workersThatListened(started)).size).toBe(2)
    expect(started.output().match(/ready at/g)).toHaveLength(1)
    expect(started.output().match(/This database is new/g)).toHaveLength(1)
    await bothAnswer(expect, started, 200)
    expect([...workersThatAnswered(started)].sort()).toEqual([...workersThatListened(started)].sort())
  }))

test.concurrent('RATE_LIMIT_PER_MINUTE holds for all workers together', ({ expect }) =>
  withWorkers(async (startWorkers) => {
    const started = await startWorkers(2, { RATE_LIMIT_PER_MINUTE: '10' })
    for (let i = 0; i < 10; i++) expect(await listStatus(started)).toBe(200)
    // Whoever answers: one that counted for itself would have some left.
    await bothAnswer(expect, started, 429)
  }))

describe.concurrent.each([
  ['SIGTERM to the primary', (started: ServerProcess) => started.end('SIGTERM')],
  ['SIGINT to all processes at once', (started: ServerProcess) => started.endGroup('SIGINT')],
])('%s', (_name, end) => {
  test.concurrent('has every worker finish what is under way, and ends with 0', ({ expect }) =>
    withWorkers(async (startWorkers) => {
      const started = await startWorkers(2)
      const body = JSON.stringify(eventPayload())
      const call = request(`${started.address}${paths.receivingEvent}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${started.firstKey}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      })
      const reply = new Promise<IncomingMessage>((resolve, reject) =>
        call.once('response', resolve).once('error', reject),
      )
      call.write(body.slice(0, 100))
      await expect.poll(() => started.output()).toContain('arrived')
      const code = end(started)
      // A slow upload goes on, until all workers have stopped taking calls.
      let sent = 100
      await expect
        .poll(async () => {
          call.write(body.slice(sent, ++sent))
          return takesConnections(started)
        })
        .toBe(false)
      call.end(body.slice(sent))
      const { statusCode, headers } = (await reply).resume()
      expect(statusCode).toBe(201)
      expect(headers.connection).toBe('close')
      expect(await code).toBe(0)
      await started.allEnded
      expect(started.output().match(/Stopping…/g)).toHaveLength(1)
      expect(started.output()).not.toMatch(ended)
    }))
})

test.concurrent('a worker that is killed is replaced, with one line that names both', ({ expect }) =>
  withWorkers(async (startWorkers) => {
    const started = await startWorkers(2)
    const [killed] = workersThatListened(started)
    killProcess(killed)
    await expect.poll(() => workersThatListened(started).length).toBe(3)
    const [, , replacement] = workersThatListened(started)
    expect([...started.output().matchAll(ended)].map(([, ...parts]) => parts)).toEqual([
      [String(killed), 'SIGKILL', String(replacement)],
    ])
    await expect
      .poll(async () => {
        expect(await listStatus(started)).toBe(200)
        return workersThatAnswered(started)
      })
      .toContain(replacement)
  }))

test.concurrent.for([1, 2])(
  'a start that finds the port taken, with WORKERS=%i, is one clear line, and leaves the first key to the next start',
  (workers, { expect }) =>
    withWorkers(async (startWorkers, databaseUrl) => {
      const other = createServer().listen(0, '127.0.0.1')
      await new Promise((listening) => other.once('listening', listening))
      const { port } = other.address() as { port: number }
      const env = { DATABASE_URL: databaseUrl, WORKERS: String(workers), PORT: String(port) }
      expect(await runCommand(['serve'], env)).toEqual({
        code: 1,
        stdout: '',
        stderr: `lotkeeper: Port ${port} on 127.0.0.1 is in use. Stop the program that listens there, or set PORT.\n`,
      })
      other.close()
      expect((await startWorkers(workers)).firstKey).toBeDefined()
    }),
)

// Alone: it is about starts that follow each other soon, which others would hold up.
test('workers that end again and again right after their start end the service, with one line', () =>
  withWorkers(async (startWorkers) => {
    const started = await startWorkers(2)
    let newest: number | undefined = workersThatListened(started)[0]
    const hasEnded = started.ended.then(() => undefined)
    while (newest !== undefined) {
      const last: number = newest
      killProcess(last)
      const replacement = expect
        .poll(() => Number([...started.output().matchAll(ended)].at(-1)?.[3] ?? last))
        .not.toBe(last)
        .then(() => Number([...started.output().matchAll(ended)].at(-1)?.[3]))
      replacement.catch(() => undefined)
      newest = await Promise.race([replacement, hasEnded])
    }
    expect(await started.ended).toBe(1)
    await started.allEnded
    expect(started.output().match(/^lotkeeper: .*$/gm)).toEqual([
      'lotkeeper: 5 workers ended within 10 s, each soon after its start, the last by SIGKILL. Their log lines above give the cause.',
    ])
  }))
