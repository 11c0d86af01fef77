// Large answers have room for a few at once: for the others they wait in turn, and nobody's share
// is all of it.
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LargeAnswers } from '../../../src/http/large-answers.ts'

/** An answer as far as it is looked at: something that is closed once. */
class Answer extends EventEmitter {
  closed = false
  destroyed = false
  close() {
    this.closed = true
    this.emit('close')
  }
}
const answer = () => new Answer()
const asAnswer = (one: Answer) => one as unknown as ServerResponse

test('whatever comes and goes in whatever order: no more have room than may, of no provider more than its share, and all get in at last', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(20)), { minLength: 1, maxLength: 30 }),
      async (atOnceMax, ofProviderMax, arrivals) => {
        const room = new LargeAnswers({ atOnceMax, ofProviderMax, waitMsMax: 60_000 })
        const inside: { provider: string; answer: Answer }[] = []
        let entered = 0
        const waits = arrivals.map(async ([provider, leaves], i) => {
          const own = answer()
          await room.room(provider, asAnswer(own))
          entered++
          inside.push({ provider, answer: own })
          expect(inside.length).toBeLessThanOrEqual(atOnceMax)
          expect(inside.filter((one) => one.provider === provider).length).toBeLessThanOrEqual(ofProviderMax)
          for (let turn = 0; turn < (leaves + i) % 7; turn++) await Promise.resolve()
          inside.splice(
            inside.findIndex((one) => one.answer === own),
            1,
          )
          own.close()
        })
        await Promise.all(waits)
        expect(entered).toBe(arrivals.length)
      },
    ),
  )
})

test('a response whose reader leaves gives up its place in the queue; one that waits too long gets an error', async () => {
  const room = new LargeAnswers({ atOnceMax: 1, ofProviderMax: 1, waitMsMax: 20 })
  const [first, second, third] = [answer(), answer(), answer()]
  await room.room('a', asAnswer(first))
  const left = room.room('b', asAnswer(second))
  second.close()
  await expect(left).rejects.toMatchObject({ code: 'LK_OVERLOADED' })
  await expect(room.room('c', asAnswer(third))).rejects.toMatchObject({ code: 'LK_OVERLOADED' })
  first.close()
  await room.room('c', asAnswer(third))
  expect([first, second, third].map((one) => one.listenerCount('close'))).toEqual([0, 0, 1])
})

test('one that is closed already takes no room', async () => {
  const room = new LargeAnswers({ atOnceMax: 1, ofProviderMax: 1, waitMsMax: 20 })
  const gone = answer()
  gone.close()
  await expect(room.room('a', asAnswer(gone))).rejects.toMatchObject({ code: 'LK_OVERLOADED' })
  await room.room('a', asAnswer(answer()))
})
