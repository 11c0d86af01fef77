// What partners poll stands in the access log once an hour. Source: decision 0077.
import { expect, test } from 'vitest'
import { RepeatedAnswers } from '../../src/handlers/base/repeated-answers.ts'

test('an answer is noted again when it, its question or its hour is another one, and when it could not be noted', async () => {
  let now = 0
  const answers = new RepeatedAnswers(() => now)
  const noted: string[] = []
  const ask = (key: string, answer: string) =>
    answers.noteOnce([key, { limit: '5' }], answer, async () => noted.push(`${key} ${answer} ${now}`))

  await expect(
    answers.noteOnce(['a', { limit: '5' }], '1', () => Promise.reject(new Error('The database is away.'))),
  ).rejects.toThrow('away')
  for (const answer of ['1', '1', '2', '1']) await ask('a', answer)
  await ask('b', '1')
  now = 3_599_999
  await ask('a', '1')
  now = 3_600_000
  await ask('a', '1')
  now = 7_199_999
  await ask('a', '1')
  expect(noted).toEqual(['a 1 0', 'a 2 0', 'b 1 0', 'a 1 3600000'])
})

test('memory is bounded: the oldest are noted again', async () => {
  const answers = new RepeatedAnswers(() => 0)
  let noted = 0
  const ask = (n: number) => answers.noteOnce([n], '', async () => noted++)
  for (let n = 0; n < 1_001; n++) await ask(n)
  await ask(1_000)
  expect(noted).toBe(1_001)
  await ask(0)
  expect(noted).toBe(1_002)
})
