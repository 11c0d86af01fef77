// Who follows changes makes his process look for them; with nobody, it looks no more.
import { afterAll, beforeAll, test } from 'vitest'
import { beginning } from '../../src/contract/changes.ts'
import { ChangeListeners } from '../../src/handlers/changes/change-listeners.ts'
import type { Queryable } from '../../src/store/database/statement.ts'
import { paths, productPayload } from '../support/records/payloads.ts'
import { type Service, startService, type TestProvider } from '../support/servers/service.ts'
import { testSigner } from '../support/servers/signer.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

/** Listeners of a process of its own, and how often it looked, by provider. */
function watchedListeners() {
  const looks = new Map<unknown, number>()
  const dropped: string[] = []
  const watched = { isAway: false }
  const db: Queryable = {
    query: (asked) => {
      if (asked.name === 'stateOfOrder') looks.set(asked.values[0], (looks.get(asked.values[0]) ?? 0) + 1)
      if (watched.isAway) return service.database.pool.query('SELECT 1 / 0')
      return service.database.pool.query(asked)
    },
  }
  const listeners = new ChangeListeners(db, testSigner, (what) => dropped.push(what))
  return { listeners, dropped, watched, looksOf: ({ id }: TestProvider) => looks.get(id) ?? 0 }
}

// Together, each with listeners and providers of its own: they wait for looks.
test.concurrent('with nobody who listens nothing is looked up, while others are listened for', async ({ expect }) => {
  const { listeners, looksOf } = watchedListeners()
  const [left, kept] = [await service.provider(), await service.provider()]
  const [leaving, staying] = [listeners.listen(left.id), listeners.listen(kept.id)]
  await expect.poll(() => looksOf(left)).toBeGreaterThan(1)
  leaving.end()
  // Two more looks for the other, and the last for this one is over.
  const soon = looksOf(kept) + 2
  await expect.poll(() => looksOf(kept)).toBeGreaterThan(soon)
  const last = looksOf(left)
  const later = looksOf(kept) + 3
  await expect.poll(() => looksOf(kept)).toBeGreaterThan(later)
  expect(looksOf(left)).toBe(last)
  // And is looked for again when somebody comes.
  const back = listeners.listen(left.id)
  await expect.poll(() => looksOf(left)).toBeGreaterThan(last)
  back.end()
  staying.end()
  await listeners.end()
})

test.concurrent('who needs fewer looks causes fewer, until somebody comes who needs more', async ({ expect }) => {
  const { listeners, looksOf } = watchedListeners()
  const [seldom, often] = [await service.provider(), await service.provider()]
  const patient = listeners.listen(seldom.id, 600_000)
  const other = listeners.listen(often.id)
  await expect.poll(() => looksOf(often)).toBeGreaterThan(3)
  expect(looksOf(seldom)).toBe(1)
  const caller = listeners.listen(seldom.id)
  await expect.poll(() => looksOf(seldom)).toBeGreaterThan(3)
  for (const one of [patient, other, caller]) one.end()
  await listeners.end()
})

test.concurrent('a listener learns of a checkpoint that follows a write, also after the database was away', async ({
  expect,
}) => {
  const { listeners, watched, dropped, looksOf } = watchedListeners()
  const provider = await service.provider()
  const listener = listeners.listen(provider.id)
  await expect.poll(() => looksOf(provider)).toBeGreaterThan(0)
  watched.isAway = true
  const looks = looksOf(provider)
  await expect.poll(() => looksOf(provider)).toBeGreaterThan(looks + 2)
  // Reported once, and not with each look.
  expect(dropped).toHaveLength(1)
  await provider.call('POST', paths.masterProduct, { body: productPayload() })
  watched.isAway = false
  await listener.changed(beginning, 30_000)
  expect((await provider.call('GET', '/checkpoints')).body.content).toHaveLength(1)
  listener.end()
  await listeners.end()
})

test('one who waits is let go by its caller and by the end of the process', async () => {
  const { listeners } = watchedListeners()
  const provider = await service.provider()
  const listener = listeners.listen(provider.id)
  const caller = new AbortController()
  const waiting = listener.changed(beginning, 600_000, caller.signal)
  caller.abort()
  await waiting
  const ending = listener.changed(beginning, 600_000)
  await listeners.end()
  await ending
  listener.end()
})
