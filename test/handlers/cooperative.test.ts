// Long computations in turns: others get the event loop between two of them.
import { expect, test } from 'vitest'
import { runCooperatively } from '../../src/handlers/base/cooperative.ts'
import type { Steps } from '../../src/steps.ts'

function* longWork(steps: number, stepMs: number, log: string[]): Steps<string> {
  for (let step = 0; step < steps; step++) {
    const endsAt = performance.now() + stepMs
    while (performance.now() < endsAt);
    log.push('step')
    yield
  }
  return 'done'
}

test('what is ready goes ahead of work that takes longer than a turn', async () => {
  const log: string[] = []
  const work = runCooperatively(longWork(4, 20, log))
  setImmediate(() => log.push('other'))
  expect(await work).toBe('done')
  expect(log.indexOf('other')).toBeLessThan(log.lastIndexOf('step'))
})

test('what fails in a later turn fails', async () => {
  function* failing(): Steps<string> {
    yield* longWork(2, 20, [])
    throw new Error('broken')
  }
  await expect(runCooperatively(failing())).rejects.toThrow('broken')
})
