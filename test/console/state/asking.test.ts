// What the console asks of the service: once for what is shown, again when the service is back,
// never for what is gone. First: files of the console look for a browser when they are loaded.
import '../../support/pages/console-page.ts'

import { act } from 'preact/test-utils'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ApiResponse } from '../../../src/client/call.ts'
import { ProblemError, UnreachableError } from '../../../src/client/failure.ts'
import type { Judged } from '../../../src/client/generated/shapes.ts'
import { judgedBy, useDryRun } from '../../../src/console/drafts/dry-run.ts'
import { recordSections } from '../../../src/console/records/record-sections.ts'
import { usualView } from '../../../src/console/records/table-view.ts'
import { go } from '../../../src/console/state/frame/address.ts'
import { noteAnswered, noteFailure, useAway } from '../../../src/console/state/frame/connection.ts'
import { usePages } from '../../../src/console/state/frame/paged.ts'
import { useRequest } from '../../../src/console/state/frame/request.ts'
import { runQueued } from '../../../src/console/state/frame/request-queue.ts'
import type { Session } from '../../../src/console/state/frame/session.ts'
import { useRecordList } from '../../../src/console/state/records/record-list.ts'
import { drawn, goBack, settled } from '../../support/pages/console-page.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Lets what is due within the time happen, and draws it. */
const pass = (ms: number) =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(ms)
  })

const problem = (status: number, more: object = {}) =>
  new ProblemError({ type: '/docs/problems/x', title: '', status, detail: 'why', instance: 'urn:uuid:1', ...more })

describe('what a page asks', () => {
  test('is there when it is answered, and failed when it is not', async () => {
    const page = await drawn(() => useRequest(async () => 'answer', ['a']))
    expect(page.now()).toMatchObject({ is: 'answered', value: 'answer' })
    const failing = await drawn(() => useRequest(() => Promise.reject(problem(500)), ['a']))
    expect(failing.now()).toMatchObject({ is: 'failed', error: { status: 500 } })
    await page.leave()
    await failing.leave()
  })

  test('is asked once for the same subject, again for another one, and again when it is told to', async () => {
    const asked: string[] = []
    const about = (subject: string) => () =>
      useRequest(async () => {
        asked.push(subject)
        return subject
      }, [subject])
    const page = await drawn(about('a'))
    await page.draw()
    await page.draw(about('b'))
    expect(page.now()).toMatchObject({ is: 'answered', value: 'b' })
    await settled(() => page.now().again())
    expect(asked).toEqual(['a', 'b', 'b'])
    await page.leave()
  })

  test('is given up when the page is left, and an answer is never shown for another subject', async () => {
    const signals: AbortSignal[] = []
    const answers: ((text: string) => void)[] = []
    const about = (subject: string) => () =>
      useRequest(
        (signal) => {
          signals.push(signal)
          return new Promise<string>((resolve) => answers.push(resolve))
        },
        [subject],
      )
    const page = await drawn(about('a'))
    await settled(() => answers[0]?.('answer'))
    await page.draw(about('b'))
    expect(page.now()).toMatchObject({ is: 'asking' })
    await page.draw(about('c'))
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, false])
    await settled(() => answers[1]?.('late'))
    expect(page.now()).toMatchObject({ is: 'asking' })
    await page.leave()
    expect(signals[2]?.aborted).toBe(true)
  })

  test('is asked again when the service is back, if it was away', async () => {
    let isThere = false
    const page = await drawn(() =>
      useRequest(async () => {
        if (!isThere) throw new UnreachableError('away')
        return 'answer'
      }, []),
    )
    expect(page.now()).toMatchObject({ is: 'failed' })
    noteFailure()
    isThere = true
    await settled(noteAnswered)
    expect(page.now()).toMatchObject({ is: 'answered', value: 'answer' })
    await page.leave()
  })
})

test('a service that is away is asked more and more seldom until it is back', async () => {
  const asked: number[] = []
  let isReady = false
  const health = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    asked.push(Date.now())
    if (!isReady) throw new TypeError('refused')
    return new Response()
  })
  const page = await drawn(useAway)
  const beganAt = Date.now()
  await settled(() => {
    noteFailure()
    noteFailure()
  })
  expect(page.now()).toBe(true)
  await pass(13_000)
  expect(asked.map((at) => at - beganAt)).toEqual([500, 1_500, 3_500, 7_500, 12_500])
  isReady = true
  await pass(5_000)
  expect(page.now()).toBe(false)
  await pass(60_000)
  expect(asked).toHaveLength(6)
  health.mockRestore()
  await page.leave()
})

describe('a list', () => {
  const pageAt = (cursor = 'first') =>
    cursor === 'first' ? { content: [1, 2], nextCursor: 'second' } : { content: [3], nextCursor: null }

  test('grows page by page to its end', async () => {
    const page = await drawn(() => usePages(async ({ cursor }) => ({ ...pageAt(cursor), counted: cursor }), []))
    expect(page.now().asked).toMatchObject({ is: 'answered', value: { content: [1, 2] } })
    await settled(() => page.now().more?.())
    // What a page says besides its entries is that of the first one.
    expect(page.now().asked).toMatchObject({ is: 'answered', value: { content: [1, 2, 3], counted: undefined } })
    expect(page.now().more).toBeUndefined()
    await page.leave()
  })

  test('keeps what it has when a further page fails, and can be asked for it again', async () => {
    let fails = true
    const page = await drawn(() =>
      usePages(async ({ cursor }) => {
        if (cursor !== undefined && fails) throw problem(503)
        return pageAt(cursor)
      }, []),
    )
    await settled(() => page.now().more?.())
    expect(page.now()).toMatchObject({ moreError: { status: 503 }, asked: { value: { content: [1, 2] } } })
    fails = false
    await settled(() => page.now().more?.())
    expect(page.now()).toMatchObject({ moreError: undefined, asked: { value: { content: [1, 2, 3] } } })
    await page.leave()
  })

  test('of records is shown as it was when the reader comes back, and asked anew when a link leads there', async () => {
    const asked: unknown[] = []
    const [events] = recordSections
    if (events === undefined) throw new Error('There is no section.')
    const list = async ({ signal: _, ...request }: { cursor?: string; signal?: AbortSignal }) => {
      asked.push(request)
      const { content, nextCursor } = pageAt(request.cursor)
      return { body: { content: content.map((id) => ({ id: String(id) })), nextCursor } }
    }
    const session = { key: 'lk_1', api: { of: () => ({ list }) } } as unknown as Session
    const use = () => useRecordList(session, events, { ...usualView(events), filters: { lotCode: 'A' } })
    const idsOf = ({ asked: state }: ReturnType<typeof use>) =>
      state.is === 'answered' ? state.value.content.map(({ id }) => id) : state.is

    await settled(() => go('/events'))
    const before = await drawn(use)
    await settled(() => before.now().more?.())
    expect(idsOf(before.now())).toEqual(['1', '2', '3'])
    expect(asked).toEqual([
      { lotCode: ['A'], sort: 'eventDateTime', judged: 'now', limit: 50 },
      { lotCode: ['A'], sort: 'eventDateTime', judged: 'now', limit: 200, cursor: 'second' },
    ])
    await before.leave()

    await settled(() => go('/events/1'))
    await goBack()
    const after = await drawn(use)
    expect(idsOf(after.now())).toEqual(['1', '2', '3'])
    expect(asked).toHaveLength(2)
    await after.leave()

    await settled(() => go('/products'))
    await settled(() => go('/events'))
    const anew = await drawn(use)
    expect(idsOf(anew.now())).toEqual(['1', '2'])
    expect(asked).toHaveLength(3)
    await anew.leave()
  })
})

describe('a draft', () => {
  const judgement = (findingCount: number) =>
    ({ body: { wouldBe: 'created', findings: [], findingCount } }) as unknown as ApiResponse<Judged>

  test('is judged a moment after the last key, and not while it is no JSON', async () => {
    const judged: unknown[] = []
    const judge = async (value: unknown) => {
      judged.push(value)
      return judgement(2)
    }
    const writing = (value: Readonly<Record<string, unknown>> | undefined) => () =>
      useDryRun({ value, isSending: false }, judge, 1)
    const page = await drawn(writing({ a: 1 }))
    expect(page.now()).toEqual({ is: 'asking' })
    await pass(300)
    await page.draw(writing({ a: 12 }))
    await pass(300)
    expect(judged).toEqual([])
    await pass(100)
    expect(judged).toEqual([{ a: 12 }])
    expect(page.now()).toMatchObject({ is: 'judged', refused: false, wouldBe: 'created', findingCount: 2 })
    await page.draw(writing(undefined))
    await pass(1_000)
    expect(page.now()).toBeUndefined()
    expect(judged).toHaveLength(1)
    await page.leave()
  })

  test('keeps its judgement while the next one is asked for, and ignores one that was given up', async () => {
    const answers: ((answer: ApiResponse<Judged>) => void)[] = []
    const signals: AbortSignal[] = []
    const judge = (_: unknown, signal: AbortSignal) => {
      signals.push(signal)
      return new Promise<ApiResponse<Judged>>((resolve, reject) => {
        answers.push(resolve)
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    }
    const writing = (a: number) => {
      const value = { a }
      return () => useDryRun({ value, isSending: false }, judge, 1)
    }
    const page = await drawn(writing(1))
    await pass(400)
    await settled(() => answers[0]?.(judgement(1)))
    await page.draw(writing(2))
    await pass(400)
    expect(page.now()).toMatchObject({ is: 'judged', findingCount: 1 })
    await page.draw(writing(3))
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
    await pass(400)
    expect(page.now()).toMatchObject({ is: 'judged', findingCount: 1 })
    await settled(() => answers[2]?.(judgement(3)))
    expect(page.now()).toMatchObject({ is: 'judged', findingCount: 3 })
    await page.leave()
  })

  test('that the service refuses is judged too; any other failure is none', () => {
    const finding = { rule: 'a', severity: 'error', pointer: '', message: '', remedy: '', cites: '', docsUrl: '' }
    expect(judgedBy(problem(422, { findings: [finding], findingCount: 700 }))).toEqual({
      is: 'judged',
      refused: true,
      findings: [finding],
      findingCount: 700,
      severities: { error: 1, warning: 0, gap: 0 },
    })
    expect(judgedBy(problem(409))).toMatchObject({ is: 'judged', refused: true, problem: 'why', findingCount: 0 })
    for (const error of [problem(412), problem(503), new UnreachableError('away')])
      expect(judgedBy(error)).toEqual({ is: 'failed', error })
  })
})

describe('small questions that many parts ask at once', () => {
  test('are four at a time, in their order', async () => {
    const ends: (() => void)[] = []
    const begun: number[] = []
    const all = [0, 1, 2, 3, 4, 5].map((i) =>
      runQueued(new AbortController().signal, () => {
        begun.push(i)
        return new Promise<void>((resolve) => ends.push(resolve))
      }),
    )
    await vi.advanceTimersByTimeAsync(150)
    expect(begun).toEqual([0, 1, 2, 3])
    ends[0]?.()
    await vi.advanceTimersByTimeAsync(0)
    expect(begun).toEqual([0, 1, 2, 3, 4])
    for (const end of ends) end()
    await vi.advanceTimersByTimeAsync(0)
    ends[5]?.()
    await Promise.all(all)
    expect(begun).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('are not asked when their part is gone, and hand their turn on', async () => {
    const gone = AbortSignal.abort(new Error('gone'))
    let isAsked = false
    const lost = Array.from({ length: 9 }, () =>
      expect(
        runQueued(gone, async () => {
          isAsked = true
        }),
      ).rejects.toThrow('gone'),
    )
    await vi.advanceTimersByTimeAsync(150)
    await Promise.all(lost)
    expect(isAsked).toBe(false)
    const next = runQueued(new AbortController().signal, async () => 'answer')
    await vi.advanceTimersByTimeAsync(150)
    expect(await next).toBe('answer')
  })
})
