// Group commit as such: order, bounds, and one refused ask that never disturbs its neighbours.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BatchedStatement, type BatchLimits, QueueFull } from '../../../src/store/database/batched-statement.ts'

interface Ask {
  readonly n: number
  readonly record: string
}

const limits: BatchLimits = {
  rowsMax: 8,
  bytesMax: 1_000,
  waitingRowsMax: 100,
  waitingBytesMax: 10_000,
  inFlightMax: 1,
}

/**
 * A database that keeps every statement it was sent, and answers each ask with its number; `settle`
 * lets one statement end.
 */
function recording(more: Partial<BatchLimits> = {}, refuse: (ask: Ask) => Error | undefined = () => undefined) {
  const statements: number[][] = []
  const ends: (() => void)[] = []
  const inFlight = new Set<readonly Ask[]>()
  /** Records that two statements had at once. */
  const together: string[] = []
  let held = false
  const grouped = new BatchedStatement<Ask, number>({
    run: async (_provider, asks) => {
      statements.push(asks.map(({ n }) => n))
      const others = new Set([...inFlight].flat().map(({ record }) => record))
      together.push(...asks.flatMap(({ record }) => (others.has(record) ? [record] : [])))
      inFlight.add(asks)
      if (held) await new Promise<void>((end) => ends.push(end))
      inFlight.delete(asks)
      const error = asks.map(refuse).find((one) => one !== undefined)
      if (error !== undefined) throw error
      return asks.map(({ n }) => n)
    },
    bytesOf: () => 10,
    conflictKeys: ({ n, record }) => [[record, n]],
    limits: { ...limits, ...more },
  })
  return {
    statements,
    together,
    ask: (n: number, record = `r${n}`, provider = 'p') => grouped.submit(provider, { n, record }),
    hold: () => {
      held = true
    },
    release: () => {
      held = false
      for (const end of ends.splice(0)) end()
    },
    /** Ends one of the statements in flight. */
    settle: (n: number) => {
      for (const end of ends.splice(n, 1)) end()
    },
  }
}

/** The end of this turn of the event loop, when what came in it is sent. */
const turn = () => new Promise<void>((end) => setImmediate(end))

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

describe('grouped asks', () => {
  test('one that comes alone goes alone, at the end of the turn it came in', async () => {
    const { ask, statements, hold, release } = recording()
    hold()
    const answer = ask(7)
    await turn()
    expect(statements).toEqual([[7]])
    release()
    expect(await answer).toBe(7)
  })

  test('those that come in one turn share a statement', async () => {
    const { ask, statements } = recording()
    await Promise.all(upTo(6).map((n) => ask(n)))
    await Promise.all(upTo(2).map((n) => ask(n)))
    expect(statements).toEqual([upTo(6), upTo(2)])
  })

  test('those that come while a statement is in flight share the next, at most so many', async () => {
    const { ask, statements, hold, release } = recording()
    hold()
    const first = ask(0)
    await turn()
    expect(statements).toEqual([[0]])
    const answers = [
      first,
      ...upTo(20)
        .slice(1)
        .map((n) => ask(n)),
    ]
    release()
    expect(await Promise.all(answers)).toEqual(upTo(20))
    expect(statements.map((one) => one.length)).toEqual([1, 8, 8, 3])
  })

  test('beside a statement another one is sent once as many wait as are in flight', async () => {
    const { ask, statements, hold, release } = recording({ inFlightMax: 2 })
    hold()
    const answers = upTo(3).map((n) => ask(n))
    await turn()
    answers.push(ask(3), ask(4))
    await turn()
    expect(statements).toEqual([[0, 1, 2]])
    answers.push(ask(5))
    await turn()
    expect(statements).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ])
    answers.push(...[6, 7, 8, 9, 10, 11, 12].map((n) => ask(n)))
    await turn()
    expect(statements).toHaveLength(2)
    release()
    expect(await Promise.all(answers)).toEqual(upTo(13))
  })

  test('one whose record is in flight waits for that statement, as do those of its record behind it', async () => {
    const { ask, statements, hold, release, settle } = recording({ inFlightMax: 2 })
    hold()
    const answers = [ask(0, 'a'), ask(1, 'b')]
    await turn()
    answers.push(ask(2, 'a'), ask(3, 'c'), ask(4, 'a'))
    await turn()
    expect(statements).toEqual([[0, 1], [3]])
    settle(1)
    await turn()
    await turn()
    expect(statements).toEqual([[0, 1], [3]])
    settle(0)
    await turn()
    await turn()
    expect(statements).toEqual([[0, 1], [3], [2]])
    release()
    expect(await Promise.all(answers)).toEqual(upTo(5))
    expect(statements).toEqual([[0, 1], [3], [2], [4]])
  })

  test('a statement holds at most so many bytes', async () => {
    const { ask, statements, hold, release } = recording({ bytesMax: 35 })
    hold()
    const answers = upTo(7).map((n) => ask(n))
    release()
    await Promise.all(answers)
    expect(statements.map((one) => one.length)).toEqual([3, 3, 1])
  })

  test('providers never share a statement', async () => {
    const { ask, statements, hold, release } = recording()
    hold()
    const answers = upTo(6).map((n) => ask(n, `r${n}`, `p${n % 2}`))
    release()
    await Promise.all(answers)
    expect(statements).toEqual([
      [0, 2, 4],
      [1, 3, 5],
    ])
  })

  test('a full queue refuses in rows and in bytes, and takes again when there is room', async () => {
    for (const more of [{ waitingRowsMax: 3 }, { waitingBytesMax: 30 }]) {
      const { ask, hold, release } = recording(more)
      hold()
      const answers = [ask(0)]
      await turn()
      answers.push(...[1, 2, 3].map((n) => ask(n)))
      await expect(ask(4)).rejects.toThrow(QueueFull)
      release()
      expect(await Promise.all(answers)).toEqual(upTo(4))
      expect(await ask(5)).toBe(5)
    }
  })

  test('one ask that the database refuses fails alone; its neighbours are answered', async () => {
    const { ask, hold, release, statements } = recording({}, ({ n }) => (n === 3 ? new Error('refused') : undefined))
    hold()
    const answers = upTo(6).map((n) => ask(n))
    release()
    const ends = await Promise.allSettled(answers)
    expect(ends.map(({ status }) => status)).toEqual(upTo(6).map((n) => (n === 3 ? 'rejected' : 'fulfilled')))
    expect(statements).toEqual([upTo(6), ...upTo(6).map((n) => [n])])
  })

  test('a serialization failure or a lost connection is told to all, who try again together', async () => {
    const { ask, hold, release, statements } = recording({}, ({ n }) =>
      n === 3 ? Object.assign(new Error('40001'), { code: '40001' }) : undefined,
    )
    hold()
    const answers = upTo(6).map((n) => ask(n))
    release()
    const ends = await Promise.allSettled(answers)
    expect(ends.map(({ status }) => status)).toEqual(upTo(6).map(() => 'rejected'))
    expect(statements).toHaveLength(1)
  })

  test('whatever comes and ends in whatever order: all are answered, a record is in one statement at a time, and in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 3 }),
        fc.array(fc.nat({ max: 2 }), { maxLength: 20 }),
        async (records, inFlightMax, ends) => {
          const { ask, statements, together, hold, release, settle } = recording({ inFlightMax, bytesMax: 10_000 })
          hold()
          const half = records.length >> 1
          const answers = records.slice(0, half).map((record, n) => ask(n, `r${record}`))
          await turn()
          answers.push(...records.slice(half).map((record, n) => ask(half + n, `r${record}`)))
          for (const n of ends) {
            settle(n)
            await turn()
          }
          release()
          expect(await Promise.all(answers)).toEqual(upTo(records.length))
          expect(together).toEqual([])
          for (const statement of statements) {
            const written = statement.map((n) => records[n])
            expect(new Set(written).size).toBe(written.length)
          }
          for (const record of new Set(records)) {
            const order = statements.flat().filter((n) => records[n] === record)
            expect(order).toEqual([...order].sort((a, b) => a - b))
          }
        },
      ),
    )
  })
})
