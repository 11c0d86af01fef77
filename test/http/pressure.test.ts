// Large bodies take turns, so that a caller with a small request waits for one of them at most.
import { expect, test } from 'vitest'
import { Pressure } from '../../src/http/pressure.ts'

const large = 1_000_000

test('a small body is read at once; large ones one by one, with whatever else is ready in between', async () => {
  const pressure = new Pressure({ requestsAtWorkMax: 10, bodyBytesAtOnceMax: 10 * large })
  const seen: string[] = []
  const read = (name: string): void => {
    seen.push(name)
    setImmediate(() => seen.push(`others after ${name}`))
  }
  await new Promise<void>((done) => {
    pressure.inTurn(large, () => read('large 1'))
    pressure.inTurn(large, () => read('large 2'))
    pressure.inTurn(large, () => {
      read('large 3')
      done()
    })
    pressure.inTurn(1_000, () => seen.push('small'))
  })
  expect(seen).toEqual(['small', 'large 1', 'others after large 1', 'large 2', 'others after large 2', 'large 3'])
})
