// The engine itself: what it tells while it runs, in which order, and what it says when it is
// stopped or fails.
import { expect, test } from 'vitest'
import { recordCheck } from '../../src/intake/check-record.ts'
import { readInWords } from '../../src/intake/count-words.ts'
import {
  type Ended,
  type ImportCounts,
  type ImportEnd,
  ImportRun,
  type ImportWork,
  noCounts,
  type Progress,
} from '../../src/intake/import-run.ts'
import { plainOptions } from '../../src/intake/intake.ts'
import type { IntakeRecord } from '../../src/intake/intake-record.ts'
import { type RecordCalls, type Sent, sendRecord } from '../../src/intake/send-record.ts'
import { csvFile, imported, serviceInMemory } from '../support/files/broken-files.ts'
import { eventHeadings, goodRow } from '../support/files/import-files.ts'
import { now } from '../support/records/prove-rule.ts'

const day = (n: number) => ({
  eventDateTime: `2026-03-${String(n).padStart(2, '0')}T09:30:00-06:00`,
  purchaseOrderNumber: `PO-${n}`,
  caseLotNumber: `L${n}`,
})
const file = (rows: readonly (readonly string[])[]) => {
  const bytes = new TextEncoder().encode(csvFile(rows))
  return {
    name: 'in.csv',
    size: bytes.length,
    bytes: async function* (start: number, end: number) {
      if (start < end) yield bytes.subarray(start, end)
    },
  }
}
const tenDays = Array.from({ length: 10 }, (_, n) => goodRow(day(n + 1)))
const lotOf = ({ payload }: IntakeRecord) =>
  (payload.eventList as { productList: { caseLotNumber: string }[] }).productList[0]?.caseLotNumber ?? ''

interface Told {
  readonly ended: Ended[]
  readonly progress: Progress[]
  readonly notes: string[]
}

async function run(
  rows: readonly (readonly string[])[],
  send: (record: IntakeRecord) => Promise<Sent>,
  more: Partial<ImportWork> & { readonly through?: number; readonly again?: readonly number[] } = {},
): Promise<Told & { readonly end: ImportEnd }> {
  const told: Told = { ended: [], progress: [], notes: [] }
  const { through = 0, again = [], ...work } = more
  const end = await new ImportRun(
    file(rows),
    {
      intake: plainOptions,
      settings: { lotNumberRequiredFrom: '2026-01-01' },
      now,
      parallel: 3,
      earlier: { through, again: new Set(again), counts: noCounts },
    },
    {
      send,
      stopAsked: () => false,
      onNote: (text) => told.notes.push(text),
      onColumns: () => undefined,
      onEnded: (one) => told.ended.push(one),
      onProgress: (one) => void told.progress.push(one),
      ...work,
    },
  ).run()
  return { ...told, end }
}

const created = async (): Promise<Sent> => ({ is: 'created', ids: ['id'] })

test('progress moves with each row and knows how many there are, also where the file arrives in one piece', async () => {
  const { progress, end } = await run(tenDays, created)
  const importing = progress.filter(({ is }) => is === 'importing')
  expect(new Set(importing.map(({ of }) => of))).toEqual(new Set([10]))
  const parts = [...new Set(importing.map(({ part }) => part))]
  expect(parts).toEqual([...parts].sort((a, b) => a - b))
  expect(parts.length).toBeGreaterThanOrEqual(10)
  expect(parts.at(-1)).toBe(1)
  expect(end).toMatchObject({ is: 'done', rows: 10, of: 10, whole: true })
})

test('results are reported in the order of the file, whichever call ends first', async () => {
  const waiting = new Map<string, () => void>()
  const { ended } = await run(tenDays, async (record) => {
    const lot = lotOf(record)
    // The first of each three ends last.
    if (['L1', 'L4', 'L7'].includes(lot)) await new Promise<void>((resolve) => waiting.set(lot, resolve))
    else if (['L3', 'L6', 'L9'].includes(lot)) waiting.get(`L${Number(lot.slice(1)) - 2}`)?.()
    return created()
  })
  expect(ended.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('an import that is stopped says what was stored and how many rows were not sent', async () => {
  let sent = 0
  const { end } = await run(
    tenDays,
    async () => {
      sent++
      return created()
    },
    { stopAsked: () => sent >= 4 },
  )
  expect(end.is).toBe('stopped')
  expect(end.counts.created).toBe(sent)
  expect(end).toMatchObject({ rows: sent, of: 10 })
})

test('an import that fails counts what was stored, and gives up what is in flight', async () => {
  const failure = new Error('away')
  const givenUp: unknown[] = []
  const { end, ended } = await run(
    tenDays,
    async (record) => {
      if (lotOf(record) === 'L5') throw failure
      return created()
    },
    { giveUp: (error) => givenUp.push(error) },
  )
  expect(end).toMatchObject({ is: 'failed', error: failure, of: 10 })
  expect(givenUp).toEqual([failure])
  expect(end.counts.created).toBeGreaterThanOrEqual(4)
  expect(ended.map(({ number }) => number)).toEqual([1, 2, 3, 4])
})

test('an import continues where it stopped, and repeats what it is asked to', async () => {
  const sent: string[] = []
  const { end, progress } = await run(
    tenDays,
    async (record) => {
      sent.push(lotOf(record))
      return created()
    },
    { through: 6, again: [2] },
  )
  expect(sent).toEqual(['L2', 'L7', 'L8', 'L9', 'L10'])
  expect(progress.at(-1)).toMatchObject({ rows: 10, of: 10, skipped: 5 })
  expect(end.is).toBe('done')
})

test('a file of no known headings is not read, and no record counts as rejected', async () => {
  const bytes = new TextEncoder().encode('a,b\n1,2\n')
  const told: ImportCounts[] = []
  const end = await new ImportRun(
    {
      name: 'in.csv',
      size: bytes.length,
      bytes: async function* (start, stop) {
        yield bytes.subarray(start, stop)
      },
    },
    { intake: plainOptions, settings: { lotNumberRequiredFrom: '2026-01-01' }, now, parallel: 1 },
    {
      stopAsked: () => false,
      onNote: () => undefined,
      onColumns: () => undefined,
      onEnded: ({ counts }) => told.push({ ...noCounts, ...counts }),
      onProgress: () => undefined,
    },
  ).run()
  expect(told).toEqual([])
  expect(end).toMatchObject({ is: 'done', whole: false, counts: noCounts })
})

test('a replacement that somebody else was faster with is compared and tried again, three times at most', async () => {
  const rows = [goodRow(day(1)), goodRow({ ...day(1), caseLotNumber: 'L1b' })]
  const changed = rows.map((row) => row.map((cell, at) => (eventHeadings[at] === 'shipQuantity' ? '41' : cell)))
  for (const staleTimes of [1, 2, 3]) {
    const { calls, payloads } = serviceInMemory()
    await imported(calls, csvFile(rows), 'in.csv', false)
    let tries = 0
    const racing: RecordCalls = {
      ...calls,
      replace: async (...asked) =>
        ++tries <= staleTimes ? { is: 'stale', message: 'stale' } : calls.replace(...asked),
    }
    const { end, rejections } = await imported(racing, csvFile(changed), 'in.csv', true)
    if (staleTimes < 3) {
      expect(end.counts.replaced).toBe(1)
      expect(JSON.stringify(payloads())).toContain('"shipQuantity":41')
    } else expect(rejections).toMatchObject([{ findings: [{ message: 'stale' }] }])
  }
})

test('a replacement in doubt that took place is not made twice', async () => {
  const { calls, payloads } = serviceInMemory()
  await imported(calls, csvFile([goodRow(day(1))]), 'in.csv', false)
  let replaced = 0
  const losing: RecordCalls = {
    ...calls,
    replace: async (...asked) => {
      replaced++
      await calls.replace(...asked)
      return { is: 'inDoubt', error: new Error('lost') }
    },
  }
  const { end } = await imported(losing, csvFile([goodRow({ ...day(1), shipQuantity: '41' })]), 'in.csv', true)
  expect(replaced).toBe(1)
  expect(end.counts).toMatchObject({ unchanged: 1, rejected: 0 })
  expect(payloads()).toHaveLength(1)
})

test('lines that are removed are named by item and lot code, each as often as it is missing', async () => {
  const { calls } = serviceInMemory()
  const line = (lot: string, quantity: string) => goodRow({ ...day(1), caseLotNumber: lot, shipQuantity: quantity })
  await imported(calls, csvFile([line('A', '1'), line('A', '2'), line('B', '3'), line('C', '4')]), 'in.csv', false)
  const { rejections } = await imported(calls, csvFile([line('A', '9'), line('D', '5')]), 'in.csv', true)
  expect(rejections[0]?.findings[0]?.message).toMatch(
    /removes 3 product lines: item TOM-1 lot A \(2 case\), item TOM-1 lot B \(3 case\), item TOM-1 lot C \(4 case\)\.$/,
  )
  const corrected = await imported(
    calls,
    csvFile([line('A', '1'), line('A', '2'), line('B', '30'), line('C', '4'), line('D', '5')]),
    'in.csv',
    true,
  )
  expect(corrected.end.counts.replaced).toBe(1)
})

test('who may be asked decides whether lines are removed', async () => {
  const { calls, payloads } = serviceInMemory()
  const rows = [goodRow(day(1)), goodRow({ ...day(1), caseLotNumber: 'GONE' })]
  await imported(calls, csvFile(rows), 'in.csv', false)
  const asked: (readonly string[])[] = []
  const send = (answer: boolean) => (record: IntakeRecord) =>
    sendRecord(calls, record, {
      replace: true,
      dryRun: false,
      mayRemove: async ({ lines }) => {
        asked.push(lines)
        return answer
      },
      remedies: { replace: '', remove: '' },
    })
  expect((await run(rows.slice(0, 1), send(false))).end.counts.rejected).toBe(1)
  expect(JSON.stringify(payloads())).toContain('GONE')
  expect((await run(rows.slice(0, 1), send(true))).end.counts.replaced).toBe(1)
  expect(JSON.stringify(payloads())).not.toContain('GONE')
  expect(asked).toEqual([['item TOM-1 lot GONE (40 case)'], ['item TOM-1 lot GONE (40 case)']])
})

test('a row whose event cannot be read is no event of its own, and does not split the event around it', async () => {
  const { calls } = serviceInMemory()
  const line = (lot: string, more = {}) => goodRow({ ...day(1), caseLotNumber: lot, ...more })
  const rows = [line('A'), line('B', { eventDateTime: 'soon' }), line('C'), goodRow(day(2))]
  const { end } = await imported(calls, csvFile(rows), 'in.csv', false)
  expect(end.counts).toMatchObject({ receivingEvent: 2, lines: 3, loose: 1, created: 1, rejected: 2 })
  expect(readInWords(end.counts)).toBe('2 receiving events with 3 product lines, 1 row whose event cannot be read')
})

test('an event whose rows are in several places of the file counts once', async () => {
  const { calls } = serviceInMemory()
  const rows = [goodRow(day(1)), goodRow(day(2)), goodRow({ ...day(1), caseLotNumber: 'B' }), goodRow(day(2))]
  const { end, rejections } = await imported(calls, csvFile(rows), 'in.csv', false)
  expect(end.counts).toMatchObject({ receivingEvent: 2, lines: 4, rejected: 2 })
  expect(rejections).toHaveLength(4)
})

test('a check says of each record what it would become, by name, and stores nothing', async () => {
  const { calls, payloads } = serviceInMemory()
  await imported(calls, csvFile([goodRow(day(1)), goodRow(day(2))]), 'in.csv', false)
  const rows = [goodRow(day(1)), goodRow({ ...day(2), shipQuantity: '41' }), goodRow(day(3))]
  const asked = { replace: true, mayRemove: async () => true, remedies: { replace: '', remove: '' } }
  const { end, ended } = await run(rows, recordCheck(calls, asked))
  expect(end.counts).toMatchObject({ unchanged: 1, judged: 2, toReplace: 1, rejected: 0, created: 0, replaced: 0 })
  expect(ended.flatMap(({ stored }) => stored ?? [])).toMatchObject([
    { is: 'unchanged', row: 2, names: ['PO-1, lot L1, 2026-03-01 09:30'] },
    { is: 'toReplace', row: 3, names: ['PO-2, lot L2, 2026-03-02 09:30'] },
  ])
  expect(payloads()).toHaveLength(2)
  expect(JSON.stringify(payloads())).not.toContain('"shipQuantity":41')
  const without = await run(rows, recordCheck(calls, { ...asked, replace: false }))
  expect(without.end.counts).toMatchObject({ unchanged: 1, judged: 1, rejected: 1 })
  expect(without.ended[1]?.rejected?.findings[0]?.message).toMatch(
    /^The receiving event "PO-2, lot L2, 2026-03-02 09:30" is already stored as record .+, version 1\. This one changes \/eventList\/productList\/0\/shipQuantity\.$/,
  )
})
