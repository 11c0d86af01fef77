import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openEmbeddedDatabase } from 'pglite-pool'
import { afterAll, expect, test, vi } from 'vitest'
import { newFolder, startChild, until } from '../../packages/pglite-pool/test/processes.ts'
import { allowMs } from '../support/patience.ts'

vi.setConfig({ testTimeout: allowMs(240_000) })

const dataDir = newFolder()

afterAll(() => rmSync(dataDir, { recursive: true }))

test('a first start that is killed while it makes the database leaves nothing in the way of the next', async () => {
  const child = startChild('open', dataDir)
  const half = join(dataDir, 'database.unfinished')
  await until(() => existsSync(half) && readdirSync(half).length > 3, 60_000)
  await child.kill()
  expect(existsSync(join(dataDir, 'database'))).toBe(false)
  const again = startChild('open', dataDir)
  await again.said(1)
  expect(JSON.parse(again.lines[0] ?? '')).toEqual({ pid: again.process.pid })
  expect(existsSync(half)).toBe(false)
  await again.kill()
})

test('every write that was acknowledged is there after kill -9, five times over', async () => {
  let acknowledged = 0
  for (let cycle = 1; cycle <= 6; cycle += 1) {
    const child = startChild('write', dataDir)
    await child.said(150 + cycle * 37)
    await child.kill()
    const found: { most: number; all: number } = JSON.parse(child.lines[1] ?? '')
    // One more than was acknowledged may have been on its way.
    expect([acknowledged, acknowledged + 1]).toContain(found.most)
    expect(found.all).toBe(found.most)
    acknowledged = Number(child.lines.at(-1))
  }
})

test('after kill -9 the lock is taken over at once, and a clean stop leaves neither lock nor socket', async () => {
  const child = startChild('open', dataDir)
  await child.said(1)
  await child.kill()
  expect(readdirSync(dataDir)).toContain('database.lock')
  expect(readdirSync(dataDir)).toContain('.s.PGSQL.5432')
  const database = await openEmbeddedDatabase(dataDir)
  if ('heldBy' in database) throw new Error(database.heldBy)
  await database.close()
  expect(readdirSync(dataDir)).toEqual(['database'])
})
