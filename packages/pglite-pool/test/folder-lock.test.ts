import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FolderLock, lockFolder } from '../src/folder-lock.ts'
import { newFolder, until } from './processes.ts'

let folder: string
let path: string
const onLost = (): void => {}

beforeEach(() => {
  folder = newFolder()
  path = join(folder, 'database.lock')
})

afterEach(() => rmSync(folder, { recursive: true }))

async function held(lost = onLost, at = path): Promise<FolderLock> {
  const lock = await lockFolder(at, lost)
  if ('heldBy' in lock) throw new Error(lock.heldBy)
  return lock
}

/** What this process writes into the file, with some of it changed. */
async function leave(change: object): Promise<void> {
  const lock = await held()
  const text = readFileSync(path, 'utf8')
  lock.release()
  writeFileSync(path, JSON.stringify({ ...JSON.parse(text), ...change }))
}

test('a lock that was released can be taken again and leaves nothing behind', async () => {
  ;(await held()).release()
  const lock = await held()
  expect(readdirSync(folder)).toEqual(['database.lock'])
  lock.release()
  lock.release()
  expect(readdirSync(folder)).toEqual([])
})

test('a lock of a process that is gone is taken over at once', async () => {
  await leave({ pid: 2 ** 22 + 1 })
  const started = performance.now()
  ;(await held()).release()
  // Without the 3 s that a lock of another host waits for a heartbeat.
  expect(performance.now() - started).toBeLessThan(2_900)
})

test.runIf(process.platform === 'linux')('a process id that was given to another process is seen through', async () => {
  await leave({ started: '1' })
  const started = performance.now()
  ;(await held()).release()
  // Without the 3 s that a lock of another host waits for a heartbeat.
  expect(performance.now() - started).toBeLessThan(2_900)
})

test('where the start of a process is not known, a living process id counts as the holder', async () => {
  await leave({ started: null })
  expect(await lockFolder(path, onLost)).toEqual({ heldBy: `process ${process.pid} on this machine` })
})

test('a lock of another host is respected while its heartbeat goes on', async () => {
  await leave({ host: 'abc other-boot', hostName: 'abc' })
  const heart = setInterval(() => utimesSync(path, new Date(), new Date()), 300)
  expect(await lockFolder(path, onLost)).toEqual({ heldBy: 'a process on host abc' })
  clearInterval(heart)
})

test('a lock of another host without a heartbeat, or one that cannot be read, is taken over after 3 s', async () => {
  await leave({ host: 'abc other-boot', hostName: 'abc' })
  const unreadable = join(folder, 'unreadable.lock')
  writeFileSync(unreadable, '')
  const started = performance.now()
  const waitsOf = [path, unreadable].map(async (at) => {
    const lock = await held(onLost, at)
    const waited = performance.now() - started
    lock.release()
    return waited
  })
  for (const waited of await Promise.all(waitsOf)) {
    expect(waited).toBeGreaterThan(2900)
    expect(waited).toBeLessThan(10_000)
  }
})

test('of many that find a stale lock at the same time, one gets it', async () => {
  for (let round = 0; round < 20; round += 1) {
    await leave({ pid: 2 ** 22 + 1 })
    const locks = await Promise.all(Array.from({ length: 16 }, () => lockFolder(path, onLost)))
    const winners = locks.filter((lock): lock is FolderLock => !('heldBy' in lock))
    expect(winners).toHaveLength(1)
    winners[0]?.release()
  }
})

test('the holder touches its lock, and is told when it is no longer its own', async () => {
  let lost = false
  const lock = await held(() => {
    lost = true
  })
  utimesSync(path, new Date(0), new Date(0))
  await until(() => readFileSync(path, 'utf8') !== '' && existsSync(path), 100)
  writeFileSync(path, JSON.stringify({ pid: 1, host: 'abc', hostName: 'abc', started: null, token: 'another' }))
  await until(() => lost, 3000)
  lock.release()
  expect(existsSync(path)).toBe(true)
})
