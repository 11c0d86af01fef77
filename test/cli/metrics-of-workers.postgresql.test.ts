// With workers there is one answer for all processes, and a counter does not fall when a worker
// dies.
import { get } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownPostgresqlDatabase } from '../support/databases/database.ts'
import { paths } from '../support/records/payloads.ts'
import { killProcess, runCommand, type ServerProcess, startServerProcess } from '../support/servers/server-process.ts'

let database: { url: string; drop(): Promise<void> }
let server: ServerProcess
beforeAll(async () => {
  database = await ownPostgresqlDatabase()
  server = await startServerProcess(
    { DATABASE_URL: database.url, WORKERS: '2', METRICS_PORT: '0', LOG_LEVEL: 'info' },
    { ownGroup: true },
  )
})
afterAll(async () => {
  await server?.end('SIGTERM')
  await server?.allEnded
  await database?.drop()
})

const metricsPort = () => /Metrics: port (\d+)/.exec(server.output())?.[1] ?? ''

async function value(series: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort()}/metrics`)).text()
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')[1],
  )
}

const answered = 'lotkeeper_requests_total{operation="listReceivingEvents",outcome="listed"}'

/** Over a connection of its own, which any worker may get. */
const list = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.firstKey}`, connection: 'close' }
    get(`${server.address}${paths.receivingEvent}`, { headers }, (reply) => reply.resume().once('end', resolve)).once(
      'error',
      reject,
    )
  })

const workersThatAnswered = () => [
  ...new Set([...server.output().matchAll(/"pid":(\d+)[^\n]*"msg":"answered"/g)].map(([, pid]) => Number(pid))),
]

test('counts are of all workers, and stay when one dies', async () => {
  let asked = 0
  while (workersThatAnswered().length < 2) {
    await list()
    asked++
  }
  await expect.poll(() => value(answered)).toBe(asked)
  expect(await value('lotkeeper_processes')).toBe(3)
  const [killed] = workersThatAnswered()
  killProcess(killed)
  await expect.poll(() => value('lotkeeper_worker_replacements_total')).toBe(1)
  expect(await value(answered)).toBe(asked)
  await expect.poll(() => value('lotkeeper_processes')).toBe(3)
  await list()
  await expect.poll(() => value(answered)).toBe(asked + 1)
})

test('a port for metrics that is taken stops the start with one line', async () => {
  const env = { DATABASE_URL: database.url, WORKERS: '2', PORT: '0', METRICS_PORT: metricsPort() }
  expect(await runCommand(['serve'], env)).toEqual({
    code: 1,
    stdout: '',
    stderr: `lotkeeper: The metrics endpoint cannot listen on 127.0.0.1:${metricsPort()} (EADDRINUSE). Set METRICS_HOST and METRICS_PORT.\n`,
  })
})
