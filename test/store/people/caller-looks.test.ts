import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { callerLooks } from '../../../src/store/base/caller-looks.ts'

const [away, hanging] = [randomUUID(), randomUUID()]

/** Finds each id but `none`. */
function looksAtAll(limits?: Parameters<typeof callerLooks>[2]) {
  const asked: (readonly [provider: string, ids: readonly string[]])[] = []
  const look = callerLooks(
    async (provider, ids) => {
      asked.push([provider, ids])
      if (provider === away) throw new Error('away')
      if (provider === hanging || provider.startsWith('invented')) await new Promise(() => undefined)
      return ids.filter((id) => id !== 'none').map((id) => ({ provider, id }))
    },
    ({ id }) => id,
    limits,
  )
  return { asked, look }
}

test('those who ask beside a provider whose node is away or hangs are answered, in one statement for each provider', async () => {
  const { asked, look } = looksAtAll()
  const [one, other] = [randomUUID(), randomUUID()]
  const theirs = [away, away].map((provider) => look({ provider, id: 'key' }))
  const late = look({ provider: hanging, id: 'key' })
  const ours = [one, other, one].map((provider, i) => look({ provider, id: `key ${i}` }))
  expect((await Promise.allSettled(theirs)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await Promise.all(ours)).toEqual([
    { provider: one, id: 'key 0' },
    { provider: other, id: 'key 1' },
    { provider: one, id: 'key 2' },
  ])
  expect(asked).toEqual([
    [away, ['key', 'key']],
    [hanging, ['key']],
    [one, ['key 0', 'key 2']],
    [other, ['key 1']],
  ])
  expect(await Promise.race([late, look({ provider: one, id: 'none' })])).toBeUndefined()
})

test.each([
  ['when its time is over', { waitMsMax: 1, lateMsMax: 0, lateMax: 9 }, []],
  [
    'when more hang than it has room for',
    { waitMsMax: 1, lateMsMax: 60_000, lateMax: 1 },
    ['invented 1', 'invented 2'],
  ],
])('a provider that nobody has and whose node hangs is forgotten %s', async (_, limits, others) => {
  const { asked, look } = looksAtAll(limits)
  const hang = async (provider: string) => {
    look({ provider, id: 'key' })
    // Those of which nothing was found yet are asked for one after the other.
    await look({ provider: randomUUID(), id: 'key' })
  }
  for (const provider of ['invented', ...others]) await hang(provider)
  const before = asked.length
  await hang('invented')
  await hang('invented')
  // One that is late is asked for once, and then waits for that answer.
  expect(asked.slice(before).filter(([provider]) => provider === 'invented')).toHaveLength(2)
})

test('a row of another provider than the one that was asked for is no answer', async () => {
  const look = callerLooks(
    async () => [{ provider: randomUUID(), id: 'key' }],
    ({ id }) => id,
  )
  expect(await look({ provider: randomUUID(), id: 'key' })).toBeUndefined()
})
