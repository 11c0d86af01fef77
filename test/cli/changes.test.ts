// `lotkeeper tail`, `lotkeeper listen` and `lotkeeper webhooks`.
import { spawn } from 'node:child_process'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eventPayload, paths } from '../support/records/payloads.ts'
import { runCommand } from '../support/servers/server-process.ts'
import { type Service, startService, type TestProvider } from '../support/servers/service.ts'

const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

let service: Service
let provider: TestProvider
let env: Record<string, string>
let receiver: Server
let to: string
let status = 204
let received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = []
beforeAll(async () => {
  service = await startService({ webhookAllowPrivate: true })
  receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
    response.writeHead(status).end(status === 500 ? 'no such table' : '')
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  to = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
})
beforeEach(async () => {
  provider = await service.provider()
  env = { LOTKEEPER_URL: service.url, LOTKEEPER_KEY: await provider.key('administrator') }
  status = 204
  received = []
})
afterAll(async () => {
  await service?.close()
  receiver?.close()
})

const create = async (): Promise<string> =>
  (await provider.call('POST', paths.receivingEvent, { body: eventPayload() })).body.request_ids[0]

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '')

/** A command that does not end by itself: Ctrl+C ends it. */
function start(...args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], { env: { PATH: process.env.PATH, ...env }, stdio: 'pipe' })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    said.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    said.stderr += chunk
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    said,
    interrupt: () => {
      child.kill('SIGINT')
      return ended
    },
  }
}

test('tail shows the last changes and those that come, and says where to go on', async () => {
  const ids = [await create(), await create()]
  const tail = start('tail', '--last', '1')
  await expect.poll(() => lines(tail.said.stdout).length).toBe(1)
  ids.push(await create())
  await expect.poll(() => lines(tail.said.stdout).length).toBe(2)
  expect(await tail.interrupt()).toBe(0)
  for (const [n, line] of lines(tail.said.stdout).entries())
    expect(line).toMatch(new RegExp(`^\\d{4}-\\S+Z +receivingEvent\\.created +${ids[n + 1]} +version 1$`))
  const [, position = ''] = /--after (\S+)/.exec(tail.said.stderr) ?? []
  ids.push(await create())
  const rest = await runCommand(['tail', '--after', position, '--no-follow', '--json'], env)
  expect(lines(rest.stdout).map((line) => JSON.parse(line).id)).toEqual(ids.slice(3))
  const all = await runCommand(['tail', '--from-start', '--no-follow', '--json', '--kind', 'receivingEvent'], env)
  expect(lines(all.stdout).map((line) => JSON.parse(line).id)).toEqual(ids)
})

test('listen sends each change signed to a local receiver, and shows what it answered', async () => {
  const id = await create()
  const listen = start('listen', '--to', to, '--last', '3', '--kind', 'receivingEvent', '--signature', 'v1', '--record')
  await expect.poll(() => lines(listen.said.stdout).length).toBe(1)
  status = 500
  await create()
  await expect.poll(() => lines(listen.said.stdout).length).toBe(2)
  expect(await listen.interrupt()).toBe(0)
  expect(lines(listen.said.stdout)).toEqual([
    expect.stringMatching(/receivingEvent\.created .* 204 in \d+ ms$/),
    expect.stringMatching(/receivingEvent\.created .* 500 in \d+ ms: no such table$/),
  ])
  const [, secret = ''] = /--secret (\S+)/.exec(listen.said.stderr) ?? []
  const webhook = new Webhook(secret)
  for (const { headers, body } of received) webhook.verify(body, headers as Record<string, string>)
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
    type: 'receivingEvent.created',
    data: { id, version: 1, record: { id } },
  })
  const again = await runCommand(['listen', '--to', to, '--last', '1', '--no-follow', '--secret', secret], env)
  expect(again.stderr).toContain(secret)
  expect(() => webhook.verify(received[2]?.body ?? '', received[2]?.headers as Record<string, string>)).not.toThrow()
})

test.each([
  [['--to', 'nowhere'], /--to is nowhere\./],
  [['--to', 'http://127.0.0.1:1', '--secret', 'whsec_short'], /--secret must be a key/],
])('listen %j is refused with what to do', async (args, says) => {
  const { code, stderr } = await runCommand(['listen', ...args], env)
  expect(code).toBe(2)
  expect(stderr).toMatch(says)
})

test('a webhook is created, tried, replayed and deleted from the command line', async () => {
  const run = (...args: readonly string[]) => runCommand(['webhooks', ...args], env)
  const made = await run('create', '--to', to, '--types', 'receivingEvent.*', '--types', 'alert.*')
  expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/^Webhook \S+\..*\nwhpk_\S+\n$/)])
  const [, id = ''] = /^Webhook (\S+)\./.exec(made.stdout) ?? []
  expect((await run('list')).stdout).toMatch(new RegExp(`${id} +working +${to} +receivingEvent\\.\\*, alert\\.\\*`))
  expect((await run('test', id)).stdout).toMatch(/^The receiver took the test message: 204 in \d+ ms\.\n$/)
  status = 500
  const failed = await run('test', id)
  expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('The receiver answered with 500.')])
  expect((await run('attempts', id, '--failed')).stdout).toMatch(/webhook\.test +0 +1 +500 /)
  expect((await run('rotate', id)).stdout).toContain('The old key signs too until')
  expect((await run('replay', id)).stdout).toMatch(/^Everything after 0-0 is sent again\.\n$/)
  expect((await run('delete', id)).code).toBe(0)
  expect((await run('list')).stderr).toBe('There are no webhooks.\n')
})
