// The built service and receivers as they are outside: over TLS, by names whose addresses change,
// and the program that the guide for receivers shows.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { placeOf } from '../house/tree.ts'
import { type OwnDatabase, ownDatabase } from '../support/databases/database.ts'
import { changed, eventPayload, type Payload, paths } from '../support/records/payloads.ts'
import { certificateFor } from '../support/servers/certificate.ts'
import { faultOfSignature } from '../support/servers/failing-receiver.ts'
import { freePort } from '../support/servers/free-port.ts'
import { type ServerProcess, startServerProcess } from '../support/servers/server-process.ts'
import { type Call, calling } from '../support/servers/service.ts'

const trusted = certificateFor('erp.test')
const shim = new URL('../support/servers/dns-shim.mjs', import.meta.url).href

let folder: string
let database: OwnDatabase
let server: ServerProcess
let call: Call
/** Names resolve as this file says. */
let names: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lotkeeper-receivers-'))
  names = join(folder, 'names.json')
  const certificates = join(folder, 'trusted.pem')
  await writeFile(certificates, trusted.cert)
  await writeFile(
    names,
    JSON.stringify({
      'erp.test': [['127.0.0.1']],
      'other.test': [['127.0.0.1']],
      'rebinding.test': [['1.1.1.1'], ['169.254.169.254']],
    }),
  )
  database = await ownDatabase()
  server = await startServerProcess(
    { ...database.env, WEBHOOK_ALLOW_PRIVATE: 'true', DNS_SHIM: names, NODE_EXTRA_CA_CERTS: certificates },
    { nodeOptions: ['--import', shim] },
  )
  call = calling(server.address, server.firstKey)
})
afterAll(async () => {
  await server?.end('SIGKILL')
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

async function createWebhook(url: string): Promise<Payload> {
  const reply = await call('POST', '/webhooks', { body: { url } })
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}

const tryOnce = async (id: string): Promise<Payload> => {
  const reply = await call('POST', `/webhooks/${id}/test`, { body: {} })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

test('a message goes over TLS to the address that was checked, by the name of the certificate, and to no other name', async () => {
  const messages: { readonly fault: string | undefined; readonly name: unknown }[] = []
  let key = ''
  const receiver = createTlsServer(trusted, (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part) => parts.push(part))
    request.once('end', () => {
      const fault = faultOfSignature([key], request.headers, Buffer.concat(parts).toString())
      messages.push({ fault, name: (request.socket as unknown as { servername: unknown }).servername })
      response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  const right = await createWebhook(`https://erp.test:${port}/`)
  key = right.publicKey
  expect(await tryOnce(right.id)).toMatchObject({ outcome: 'delivered', status: 204 })
  expect(messages).toEqual([{ fault: undefined, name: 'erp.test' }])

  const wrong = await createWebhook(`https://other.test:${port}/`)
  expect(await tryOnce(wrong.id)).toMatchObject({
    outcome: 'failed',
    status: null,
    error: expect.stringContaining('certificate'),
  })
  expect(messages).toHaveLength(1)
  receiver.close()
  for (const { id } of [right, wrong]) expect((await call('DELETE', `/webhooks/${id}`)).status).toBe(200)
})

test('a name that resolves to a metadata service after the webhook was created gets nothing, and is asked for once each time', async () => {
  const { id } = await createWebhook('https://rebinding.test/')
  expect(await tryOnce(id)).toMatchObject({
    outcome: 'failed',
    status: null,
    error: expect.stringContaining('169.254.169.254'),
  })
  const asked = (await readFile(`${names}.asked`, 'utf8')).split('\n').filter((name) => name === 'rebinding.test')
  expect(asked).toHaveLength(2)
  expect((await call('DELETE', `/webhooks/${id}`)).status).toBe(200)
})

test('the receiver of the guide stores each message once and on disk, across its death, and refuses what is not signed', async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const inbox = join(folder, 'inbox.ndjson')
  const { id, publicKey } = await createWebhook(url)
  let output = ''
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(process.execPath, [placeOf('examples/receiver/receive-webhooks.mjs')], {
      env: { PATH: process.env.PATH, WEBHOOK_KEYS: publicKey, PORT: String(port), INBOX: inbox },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const before = output.length
    child.stdout?.on('data', (chunk) => {
      output += chunk
    })
    await expect.poll(() => output.slice(before)).toContain(`Receiving at ${url}`)
    return child
  }
  const stored = async (): Promise<readonly Payload[]> =>
    (await readFile(inbox, 'utf8')).split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
  const changes = async (): Promise<readonly string[]> =>
    (await stored())
      .flatMap(({ message: { type, data } }) => (type === 'changes' ? data.changes : [data]))
      .map(({ type, version }) => `${type} ${version}`)

  let receiver = await start()
  const forged = await fetch(url, { method: 'POST', body: '{"type":"receivingEvent.created"}' })
  expect(forged.status).toBe(401)
  const body = eventPayload()
  const created = await call('POST', paths.receivingEvent, { body })
  const at = `${paths.receivingEvent}/${created.body.request_ids[0]}`
  // The locations of the event come with it.
  await expect.poll(changes).toContain('receivingEvent.created 1')
  await expect.poll(() => output).toContain(`receivingEvent.created ${created.body.request_ids[0]} 1`)

  receiver.kill('SIGKILL')
  await once(receiver, 'exit')
  // As a machine leaves it that lost its power in the middle of a line.
  await writeFile(inbox, '{"id":"msg_half', { flag: 'a' })
  changed.receivingEvent(body)
  expect((await call('PUT', at, { body })).status).toBe(200)
  await expect.poll(async () => (await call('GET', `/webhooks/${id}`)).body.failedAttempts).toBeGreaterThan(0)
  receiver = await start()
  expect((await call('POST', `/webhooks/${id}/resume`, { body: {} })).status).toBe(200)
  await expect.poll(changes).toContain('receivingEvent.replaced 2')
  const first = await changes()
  expect(new Set((await stored()).map((line) => line.id)).size).toBe((await stored()).length)

  // What is replayed has new ids, and the same order.
  expect((await call('POST', `/webhooks/${id}/replay`, { body: {} })).status).toBe(200)
  await expect.poll(changes).toEqual([...first, ...first])
  receiver.kill('SIGTERM')
  await once(receiver, 'exit')
})
