// Writes whose outcome is in doubt: retried from the start, resolved by reading, never guessed.
// Source: design of the write path.
import { describe, expect, test } from 'vitest'
import { settle } from '../../../src/store/database/settle.ts'

const failure = (code: string) => Object.assign(new Error(code), { code })
type Result = { is: 'written' } | { is: 'superseded' } | { is: 'refused' }

/**
 * Runs `settle` over a store that plays these moves in turn: an error thrown, or a result. `ats`
 * gets what each attempt was bound to.
 */
function play(
  moves: readonly (Error | Result)[],
  written: readonly (boolean | Error)[] = [],
  ats: (number | undefined)[] = [],
) {
  const attempts = [...moves]
  const looks = [...written]
  let looked = 0
  return settle<Result>({
    attempt: async (at) => {
      ats.push(at)
      const move = attempts.shift()
      if (move === undefined) throw new Error('one attempt too many')
      if (move instanceof Error) throw move
      return move
    },
    findWritten: async () => {
      const look = looks.shift()
      if (look instanceof Error) throw look
      return look ? { written: { is: 'written' } } : { at: ++looked }
    },
    classify: ({ is }) => is,
  })
}

describe('settle', () => {
  test.each(['40001', '40P01'])('tries again after %s', async (code) => {
    expect(await play([failure(code), failure(code), { is: 'written' }])).toEqual({ is: 'written' })
  })

  test('gives up after ten serialization failures', async () => {
    await expect(play(Array(11).fill(failure('40001')))).rejects.toThrow('40001')
  })

  test('after a lost connection finds that the write took place, and does not write again', async () => {
    expect(await play([failure('57P01')], [true])).toEqual({ is: 'written' })
  })

  test('after a lost connection writes again when nothing was written', async () => {
    expect(await play([failure('ECONNRESET'), { is: 'written' }], [false])).toEqual({ is: 'written' })
  })

  test('a refusal of the second attempt is not believed when the first one was written after all', async () => {
    expect(await play([failure('ECONNRESET'), { is: 'refused' }], [false, true])).toEqual({ is: 'written' })
  })

  test('an error of the second attempt is not believed when the first one was written after all', async () => {
    expect(await play([failure('ECONNRESET'), failure('23505')], [false, true])).toEqual({ is: 'written' })
  })

  test('a refusal of the second attempt stands when nothing was written', async () => {
    expect(await play([failure('ECONNRESET'), { is: 'refused' }], [false, false])).toEqual({ is: 'refused' })
  })

  test('looks again when the look itself meets a lost connection', async () => {
    expect(await play([failure('ECONNRESET')], [failure('ECONNREFUSED'), true])).toEqual({ is: 'written' })
  })

  test('after a lost connection writes only at the version where nothing was written, and looks anew when that has passed', async () => {
    const ats: (number | undefined)[] = []
    const moves: (Error | Result)[] = [failure('ECONNRESET'), { is: 'superseded' }, { is: 'written' }]
    expect(await play(moves, [false, false], ats)).toEqual({ is: 'written' })
    expect(ats).toEqual([undefined, 1, 2])
  })

  test('a write that was committed while the second attempt came too late is found', async () => {
    expect(await play([failure('ECONNRESET'), { is: 'superseded' }], [false, true])).toEqual({ is: 'written' })
  })

  test('any other error is thrown at once', async () => {
    await expect(play([failure('22012')])).rejects.toThrow('22012')
  })
})
