// kill -9 while records are copied for partners, rescanned and withdrawn: whoever goes on ends
// with just what is shared, and shows nothing more on the way. Source: decision 0078.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { passLeases } from '../support/databases/passed-leases.ts'
import { startPostgresqlServer } from '../support/databases/postgresql-server.ts'
import type { Place } from '../support/databases/stored-rows.ts'
import { allowMs } from '../support/patience.ts'
import { progress, seed, timeFor } from '../support/records/crash-cycles.ts'
import { type Payload, paths } from '../support/records/payloads.ts'
import {
  drawEvent,
  drawing,
  drawSharing,
  inForce,
  marks,
  type Sharing,
  seenOf,
} from '../support/records/sharing-world.ts'
import { type ServerProcess, startServerProcess } from '../support/servers/server-process.ts'
import { type Call, calling, type Reply } from '../support/servers/service.ts'

const kills = Number(process.env.SHARING_KILLS ?? 3)
const events = Number(process.env.SHARING_EVENTS ?? 200)
const partners = 2
const senders = 8

const stores = {
  async embedded() {
    const folder = await mkdtemp(join(tmpdir(), 'lotkeeper-crash-'))
    return {
      place: { DATA_DIR: join(folder, 'data') } as Place,
      passLease: async () => undefined,
      end: () => rm(folder, { recursive: true, force: true }),
    }
  },
  async postgresql() {
    const server = await startPostgresqlServer({ fsync: 'off' })
    return {
      place: { DATABASE_URL: server.url } as Place,
      passLease: () => passLeases(server.url, 'sharing'),
      end: () => server.stop(),
    }
  },
}

interface Written {
  id: string
  readonly versions: Payload[]
}

interface Partner {
  readonly id: string
  readonly key: string
  sharing: Sharing
}

/** By location codes only: whose GLN a code has is proved elsewhere. */
function drawCodes(random: ReturnType<typeof drawing>): Sharing {
  const { places, grants } = drawSharing(random)
  const coded = places.filter(({ locationCode }) => locationCode !== undefined)
  return { places: coded.length > 0 ? coded : [{ locationCode: 'L-1' }], grants }
}

const noGlns = () => []
const seen = ({ sharing }: Partner, event: Payload) => seenOf(event, inForce(sharing, Date.now()), noGlns)

const inOrder = (value: unknown): unknown =>
  typeof value !== 'object' || value === null
    ? value
    : Array.isArray(value)
      ? value.map(inOrder)
      : Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, one]) => [name, inOrder(one)]),
        )
const sorted = (all: readonly unknown[]): string[] => all.map((one) => JSON.stringify(inOrder(one))).sort()

// Together, since each waits for processes most of the time.
test.concurrent.each(Object.entries(stores))(
  `on the %s store, ${kills} kills of the service while copies are made and withdrawn: none is lost, doubled, or more than is shared`,
  async (name, open) => {
    const { place, passLease, end } = await open()
    const random = drawing(seed)
    const env = { ...place, LOG_LEVEL: 'error' }
    let server: ServerProcess | undefined
    try {
      server = await startServerProcess(env)
      const key = server.firstKey ?? ''
      const ask =
        (of: string): Call =>
        (...asked) =>
          calling(server?.address ?? '', of)(...asked)
      const good = async (reply: Promise<Reply>) => {
        const { status, text, body } = await reply
        expect([200, 201], text.slice(0, 300)).toContain(status)
        return body
      }
      const administrate = ask(key)

      const all: Written[] = Array.from({ length: events }, () => ({ id: '', versions: [drawEvent(random)] }))
      const inTurn = async (left: Written[], send: (event: Written) => Promise<void>) => {
        const sender = async () => {
          for (let event = left.pop(); event !== undefined; event = left.pop()) await send(event)
        }
        await Promise.all(Array.from({ length: senders }, sender))
      }
      await inTurn([...all], async (event) => {
        const { request_ids } = await good(administrate('POST', paths.receivingEvent, { body: event.versions[0] }))
        event.id = request_ids[0]
      })

      const shared: Partner[] = []
      for (let i = 0; i < partners; i++) {
        const sharing = drawCodes(random)
        const { id } = await good(administrate('POST', '/partners', { body: { name: `Partner ${i}`, ...sharing } }))
        const { token } = await good(administrate('POST', `/partners/${id}/invitations`, { body: {} }))
        const accepted = await good(ask(token)('POST', '/invitations/accept', { body: {} }))
        shared.push({ id, key: accepted.key, sharing })
      }

      /** Everything of the partner; undefined while nothing is handed out. */
      const readAll = async (partner: Partner): Promise<Payload[] | undefined> => {
        const content: Payload[] = []
        for (let cursor = ''; ; ) {
          const reply = await ask(partner.key)('GET', `${paths.receivingEvent}?limit=100${cursor}`)
          if (reply.status === 503) return undefined
          const page = await good(Promise.resolve(reply))
          content.push(...page.content)
          if (page.nextCursor === null) return content
          cursor = `&cursor=${page.nextCursor}`
        }
      }
      const leaks: string[] = []
      const marksOf = (value: unknown): readonly string[] => JSON.stringify(value).match(marks) ?? []
      const untilRight = async (partner: Partner) => {
        // Whatever was current at any time: the feed is followed, and tells of the past.
        const shown = all.flatMap(({ versions }) => versions.flatMap((one) => seen(partner, one) ?? []))
        const allowed = new Set(marksOf(shown))
        const wanted = sorted(all.flatMap(({ versions }) => seen(partner, versions.at(-1)) ?? []))
        await vi.waitFor(
          async () => {
            const content = await readAll(partner)
            const leaked = content && marksOf(content).filter((one) => !allowed.has(one))
            leaks.push(...(leaked ?? []))
            expect(content && sorted(content.map(({ id: _, ...record }) => record))).toEqual(wanted)
          },
          { timeout: allowMs(60_000), interval: 50 },
        )
        expect(leaks).toEqual([])
      }
      const copiedOf = async ({ id }: Partner): Promise<string> => {
        const { state, records } = await good(administrate('GET', `/partners/${id}`))
        return JSON.stringify([state, records])
      }
      for (const partner of shared) await untilRight(partner)

      let cut = 0
      for (let kill = 1; kill <= kills; kill++) {
        const partner = random.pick(shared)
        const before = await copiedOf(partner)
        partner.sharing = drawCodes(random)
        await good(
          administrate('PUT', `/partners/${partner.id}`, {
            body: { name: `Partner ${partner.id}`, ...partner.sharing },
          }),
        )
        // Some events move at the same time, between places of partners and others.
        const moved = random.some(all, 0.1)
        for (const { versions } of moved) {
          const { purchaseOrderNumber, eventDateTime } = versions[0].eventList
          versions.push(drawEvent(random, purchaseOrderNumber, eventDateTime))
        }
        const replace = async ({ id, versions }: Written) => {
          const reply = await administrate('PUT', `${paths.receivingEvent}/${id}`, { body: versions.at(-1) })
          if (reply.status !== 503) await good(Promise.resolve(reply))
          return reply.status
        }
        // Whoever was not answered sends it again.
        const writing = inTurn([...moved], async (event) => {
          await replace(event).catch(() => undefined)
        })
        if (kill % 2 === 0)
          await vi.waitFor(async () => expect(await copiedOf(partner)).not.toBe(before), {
            timeout: allowMs(20_000),
            interval: 5,
          })
        await pause(random.below(80))
        const doing = await copiedOf(partner)
        if (!doing.startsWith('["open"')) cut++
        await server.end('SIGKILL')
        await writing
        await passLease()
        server = await startServerProcess(env)
        await inTurn([...moved], (event) =>
          // Also of a service that is overloaded.
          vi.waitFor(async () => expect(await replace(event)).toBe(200), { timeout: allowMs(60_000), interval: 50 }),
        )
        for (const one of shared) await untilRight(one)
        progress(`copies on ${name}`, kill, kills)
      }
      expect(cut, 'kills that came in the middle').toBeGreaterThan(0)
      console.log(`| copies on ${name} | ${kills} kills, ${cut} in a rescan | 0 lost, 0 doubled, 0 too much |`)
    } finally {
      await server?.end('SIGKILL')
      await end()
    }
  },
  timeFor(kills),
)
