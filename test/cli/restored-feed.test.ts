// A backup that is restored under somebody who follows the changes and a webhook: who had read on is
// told so, and nobody is sent what is gone.
import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { isOnCluster, type OwnDatabase, ownDatabase, ownEmptyDatabase } from '../support/databases/database.ts'
import { paths, payloadOf } from '../support/records/payloads.ts'
import { runCommand, type ServerProcess, startServerProcess } from '../support/servers/server-process.ts'
import { type Call, calling } from '../support/servers/service.ts'
import { changesIn, type Received, type Receiver, startReceiver } from '../support/servers/webhook-receiver.ts'

const isServer = inject('runningDatabase').kind === 'postgresql'

/** False where PostgreSQL is that of npm. */
function hasPgDump(): boolean {
  try {
    return execFileSync('pg_dump', ['--version']).length > 0
  } catch {
    return false
  }
}

/** Saves a database to a file, as docs/operating.md says. */
async function backUp({ env }: OwnDatabase, file: string): Promise<void> {
  if (env.DATABASE_URL !== undefined) {
    await promisify(execFile)('pg_dump', ['--format=custom', `--file=${file}`, env.DATABASE_URL])
    return
  }
  const { code, stderr } = await runCommand(['backup', file], env)
  expect(code, stderr).toBe(0)
}

/** The same back, into an empty database. */
async function restore({ env }: OwnDatabase, file: string): Promise<void> {
  if (env.DATABASE_URL !== undefined) {
    const options = ['--exit-on-error', '--single-transaction', '--no-owner', `--dbname=${env.DATABASE_URL}`]
    await promisify(execFile)('pg_restore', [...options, file])
    return
  }
  const { code, stderr } = await runCommand(['restore', file], env)
  expect(code, stderr).toBe(0)
}

let folder: string
let receiver: Receiver
const owned: OwnDatabase[] = []
const servers: ServerProcess[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lotkeeper-restored-'))
  receiver = await startReceiver()
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.end('SIGTERM')))
  await receiver?.close()
  for (const { drop } of owned) await drop()
  await rm(folder, { recursive: true, force: true })
})

async function owning(own: Promise<OwnDatabase>): Promise<OwnDatabase> {
  owned.push(await own)
  return own
}

async function serve({ env }: OwnDatabase): Promise<ServerProcess> {
  const webhooks = { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_RETRY_SECONDS: '1' }
  const server = await startServerProcess({ DATA_DIR: folder, ...env, ...webhooks })
  servers.push(server)
  return server
}

async function create(call: Call): Promise<string> {
  const { status, text, body } = await call('POST', paths.masterProduct, { body: payloadOf.masterProduct() })
  expect(status, text).toBe(201)
  return body.request_ids[0]
}

interface Change {
  readonly id: string
  readonly position: string
}

async function readOn(
  call: Call,
  after?: string,
): Promise<{ readonly content: Change[]; readonly nextPosition: string }> {
  const { status, text, body } = await call('GET', `/changes${after === undefined ? '' : `?after=${after}`}`)
  expect(status, text).toBe(200)
  return body
}

const idsIn = (received: readonly Received[]) =>
  received.flatMap((one) => changesIn(one).map((change) => (change as unknown as Change).id))

// Once: on PostgreSQL, or on the embedded database, whose backups are the same byte for byte.
test.skipIf(isServer !== hasPgDump())(
  'after a restore who had read on gets 410, others go on, and a webhook sends what was not confirmed and what is new',
  async ({ skip }) => {
    skip(isOnCluster(), 'pg_dump saves one server')
    const source = await owning(ownDatabase())
    const first = await serve(source)
    const key = first.firstKey ?? ''
    let call = calling(first.address, key)
    const { body: webhook } = await call('POST', '/webhooks', { body: { url: receiver.url } })
    const before = [await create(call), await create(call), await create(call)]
    await expect.poll(() => idsIn(receiver.received)).toEqual(before)
    // Begun and not confirmed when the backup is made.
    receiver.answer(503)
    before.push(await create(call))
    await expect.poll(() => idsIn(receiver.received).at(-1)).toBe(before.at(-1))
    const known = await readOn(call)
    expect(known.content.map(({ id }) => id)).toEqual(before)
    const file = join(folder, 'backup')
    await backUp(source, file)

    receiver.answer(204)
    const lost = [await create(call), await create(call)]
    await expect.poll(() => idsIn(receiver.received).slice(-2)).toEqual(lost)
    const { content, nextPosition: ahead } = await readOn(call, known.nextPosition)
    expect(content.map(({ id }) => id)).toEqual(lost)
    await first.end('SIGTERM')

    const target = await owning(ownEmptyDatabase())
    await restore(target, file)
    const sent = receiver.received.length
    const second = await serve(target)
    call = calling(second.address, key)
    const expectOtherHistory = async (position: string) => {
      const reply = await call('GET', `/changes?after=${position}`)
      expect([reply.status, reply.body.type]).toEqual([410, '/docs/problems/otherHistory'])
      expect(reply.body.detail).toMatch(/without after.*GET \/changes\/now/)
      const stream = { headers: { accept: 'text/event-stream', 'last-event-id': position } }
      expect((await call('GET', '/changes', stream)).status).toBe(410)
      const replayed = await call('POST', `/webhooks/${webhook.id}/replay`, { body: { after: position } })
      expect([replayed.status, replayed.body.findings?.[0]?.pointer]).toEqual([422, '/after'])
    }
    await expectOtherHistory(ahead)
    for (const { position } of content) await expectOtherHistory(position)
    // Under the id that it had before the backup.
    await expect.poll(() => idsIn(receiver.received.slice(sent))).toEqual(before.slice(-1))
    expect(receiver.received[sent]?.id).toBe(receiver.received.find((one) => idsIn([one])[0] === before.at(-1))?.id)

    // New checkpoints take the numbers of those that are gone, and have other hashes.
    const numberOf = (position: string) => Number(position.split('-')[0])
    const after: string[] = []
    let newest = known.nextPosition
    while (numberOf(newest) <= numberOf(ahead)) {
      after.push(await create(call))
      newest = (await readOn(call)).nextPosition
    }
    await expectOtherHistory(ahead)
    for (const { position } of content) await expectOtherHistory(position)
    expect((await readOn(call, known.nextPosition)).content.map(({ id }) => id)).toEqual(after)
    expect((await readOn(call, known.content[1]?.position)).content.map(({ id }) => id)).toEqual([
      ...before.slice(2),
      ...after,
    ])
    await expect.poll(() => idsIn(receiver.received.slice(sent))).toEqual([...before.slice(-1), ...after])

    const remote = { LOTKEEPER_URL: second.address, LOTKEEPER_KEY: key }
    const tail = await runCommand(['tail', '--after', ahead, '--no-follow'], remote)
    expect(tail.code).toBe(1)
    expect(tail.stderr.replaceAll('\n', ' ')).toMatch(/Read everything again without after/)
  },
)
