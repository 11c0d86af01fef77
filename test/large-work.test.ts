// Large bodies take turns, so that a caller with a small request waits for one of them at most.
import { expect, test } from 'vitest'
import { LargeWork } from '../src/large-work.ts'

const large = 1_000_000

test('a small body is read at once; large ones one by one, with whatever else is ready in between', async () => {
  const { seen, said } = seenInOrder()
  const turns = new LargeWork()
  const last = [1, 2, 3].map((n) => turns.run(large, said(`large ${n}`)))
  turns.run(1_000, said('small'))
  await Promise.all(last)
  expect(seen).toEqual(['small', 'large 1', 'others after large 1', 'large 2', 'others after large 2', 'large 3'])
})

test('what is left to do for a body that was read goes before the next body', async () => {
  const { seen, said } = seenInOrder()
  const turns = new LargeWork()
  await Promise.all([
    turns.run(large, () => {
      said('reads 1')()
      return turns.run(large, said('judges 1'), 'continuing')
    }),
    turns.run(large, said('reads 2')),
  ])
  expect(seen.filter((what) => !what.startsWith('others'))).toEqual(['reads 1', 'judges 1', 'reads 2'])
})

test('large work that fails fails for its caller, and the next has its turn', async () => {
  const turns = new LargeWork()
  const failing = turns.run(large, () => {
    throw new Error('broken')
  })
  const next = turns.run(large, () => 'done')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('done')
})

/** Work that notes when it is done, and when others had the process after it. */
function seenInOrder() {
  const seen: string[] = []
  const said = (what: string) => () => {
    seen.push(what)
    if (what !== 'small') setImmediate(() => seen.push(`others after ${what}`))
  }
  return { seen, said }
}
