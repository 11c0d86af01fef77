// Files in the page: read and checked here, sent record by record, and taken up again where they
// were stopped. First: files of the console look for a browser when they are loaded.
import '../../support/pages/console-page.ts'

import { beforeEach, describe, expect, test } from 'vitest'
import { lotkeeper } from '../../../src/client/client.ts'
import { type ImportRequest, importFile, rejectedBlob } from '../../../src/console/files/file-import.ts'
import { ImportMemory } from '../../../src/console/state/exchange/import-memory.ts'
import { noCounts, type Progress } from '../../../src/intake/import-run.ts'
import { plainOptions } from '../../../src/intake/intake.ts'
import { withMends } from '../../../src/intake/mending/mends.ts'
import { csvOf, eventHeadings, goodRow } from '../../support/files/import-files.ts'

/** A service that stores events, as far as an import asks it. */
class FakeService {
  readonly stored = new Map<string, string>()
  readonly #answers = new Map<string, string>()
  /** Calls that are answered so before they are looked at, and what is done at each create. */
  turns: ('busy' | 'refuse')[] = []
  atCreate: () => void = () => undefined

  readonly fetch: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input), 'http://service')
    if (pathname === '/settings') return json(200, { lotNumberRequiredFrom: '2026-01-01' })
    if (String(input).includes('dryRun=true')) return json(200, { wouldBe: 'created', findings: [], findingCount: 0 })
    this.atCreate()
    const turn = this.turns.shift()
    if (turn === 'busy') return problem(503, 'unavailable', {}, { 'retry-after': '0' })
    if (turn === 'refuse') return problem(422, 'refused', { findings: [] })
    const repeated = new Headers(init?.headers).get('idempotency-key') ?? ''
    const known = this.#answers.get(repeated)
    if (known !== undefined) return json(201, { request_ids: [known] }, { 'idempotency-replayed': 'true' })
    const { eventList } = JSON.parse(String(init?.body))
    const name = `${eventList.purchaseOrderNumber}`
    const id = `id-of-${name}`
    this.stored.set(name, id)
    this.#answers.set(repeated, id)
    return json(201, { request_ids: [id] })
  }
}

const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })

const problem = (status: number, name: string, more: object, headers: Readonly<Record<string, string>> = {}) =>
  json(
    status,
    { type: `/docs/problems/${name}`, title: '', status, detail: `It is ${name}.`, instance: 'urn:uuid:1', ...more },
    { 'content-type': 'application/problem+json', ...headers },
  )

/** A file with an event in each row, at times of their own. */
const eventsFile = (rows: readonly Readonly<Record<string, string>>[]): File => {
  const cells = rows.map((changes, i) =>
    goodRow({
      purchaseOrderNumber: `PO-${i + 1}`,
      eventDateTime: `2026-03-04T09:${String(i % 60).padStart(2, '0')}:00-06:00`,
      ...changes,
    }),
  )
  return new File([csvOf([eventHeadings, ...cells])], 'events.csv', { lastModified: 1 })
}

const rows = (count: number) => Array.from({ length: count }, () => ({}))

let service: FakeService
beforeEach(() => {
  service = new FakeService()
  localStorage.clear()
})

const run = (file: File, more: Partial<ImportRequest> = {}) =>
  importFile({
    file,
    intake: plainOptions,
    createClient: (onRetry) => lotkeeper({ url: '', key: 'lk_1', fetch: service.fetch, onRetry }),
    signal: new AbortController().signal,
    onProgress: () => undefined,
    account: 'Green Valley',
    replace: false,
    ...more,
  })

const sending = { mayRemove: async () => false }

describe('a file', () => {
  test('is checked by the service, which stores nothing, and nothing is remembered', async () => {
    const report = await run(eventsFile(rows(3)))
    expect(report).toMatchObject({ is: 'done', isSent: false, whole: true, rows: 3, counts: { judged: 3, created: 0 } })
    expect(service.stored.size).toBe(0)
    expect(Object.keys(localStorage)).toEqual([])
  })

  test('is sent, and what was stored is reported with its row', async () => {
    const report = await run(eventsFile(rows(3)), sending)
    expect(report).toMatchObject({ is: 'done', isSent: true, counts: { created: 3, rejected: 0, receivingEvent: 3 } })
    expect(report.stored).toEqual(
      [1, 2, 3].map((number) => ({
        is: 'created',
        kind: 'receivingEvent',
        ids: [`id-of-PO-${number}`],
        names: [expect.stringMatching(`^PO-${number}, lot `)],
        row: number + 1,
        gaps: expect.any(Number),
      })),
    )
  })

  test('that is sent twice makes nothing twice', async () => {
    const file = eventsFile(rows(2))
    await run(file, sending)
    expect(await run(file, sending)).toMatchObject({ counts: { created: 0, unchanged: 2 } })
    expect(service.stored.size).toBe(2)
  })

  test('has its wrong rows rejected here and its refused ones by the service; both can be saved, corrected and sent', async () => {
    service.turns = ['refuse']
    const report = await run(eventsFile([{}, { shipQuantity: 'many' }, {}]), sending)
    expect(report.counts).toMatchObject({ created: 1, rejected: 2 })
    const saved = await rejectedBlob('events.rejected.csv', report.rejections)
    expect(saved?.name).toBe('events.rejected.csv')
    const text = (await saved?.blob.text()) ?? ''
    expect(text).toContain('many')
    const corrected = new File([text.replace('many', '4')], 'events.rejected.csv', { lastModified: 2 })
    expect(await run(corrected, sending)).toMatchObject({ counts: { created: 2, rejected: 0 } })
    expect([...service.stored.keys()].sort()).toEqual(['PO-1', 'PO-2', 'PO-3'])
  })

  test('of which rejected rows were corrected has only their records taken again, and counts all', async () => {
    const file = eventsFile([{}, { shipQuantity: 'many' }, {}])
    const first = await run(file, sending)
    expect(first.counts).toMatchObject({ created: 2, rejected: 1, receivingEvent: 3 })
    const mends = withMends({}, [{ sheet: '', row: 3, column: 'shipQuantity', was: 'many', to: '4' }])
    const creates: number[] = []
    service.atCreate = () => creates.push(1)
    const second = await run(file, { ...sending, intake: { ...plainOptions, mends }, earlierRun: first })
    expect(second).toMatchObject({ is: 'done', counts: { created: 3, rejected: 0, receivingEvent: 3 } })
    expect(creates).toHaveLength(1)
    expect(second.stored.map(({ names }) => names[0]?.slice(0, 4))).toEqual(['PO-1', 'PO-3', 'PO-2'])
  })

  test('without a rejected row leaves nothing to save', async () => {
    const report = await run(eventsFile(rows(1)), sending)
    expect(await rejectedBlob('events.csv', report.rejections)).toBeUndefined()
  })

  test('with headings of another program says which, with a first value of each', async () => {
    const file = new File(['PO#,Case count\nPO-7,12\n'], 'other.csv')
    const report = await run(file)
    expect(report.whole).toBe(false)
    expect(report.columns).toMatchObject({
      isRead: false,
      columns: [
        { title: 'PO#', sample: 'PO-7' },
        { title: 'Case count', sample: '12' },
      ],
    })
    expect(report.notes).toContainEqual(expect.stringContaining('headings'))
  })

  test('is sent on when the service is busy', async () => {
    service.turns = ['busy', 'busy']
    expect(await run(eventsFile(rows(3)), sending)).toMatchObject({ is: 'done', counts: { created: 3 } })
  })

  test('tells how far it is, up to the end it was asked for', async () => {
    const told: Progress[] = []
    const slow: typeof fetch = async (...call) => {
      await new Promise((resolve) => setTimeout(resolve, 60))
      return service.fetch(...call)
    }
    await run(eventsFile(rows(40)), {
      ...sending,
      onProgress: (progress) => told.push(progress),
      createClient: () => lotkeeper({ url: '', key: 'lk_1', fetch: slow }),
    })
    const importing = told.filter(({ is }) => is === 'importing')
    expect(importing.length).toBeGreaterThan(0)
    expect(importing.every(({ of, rows: done }) => of === 40 && done <= 40)).toBe(true)
    expect(importing.map(({ rows: done }) => done)).toEqual(
      importing.map(({ rows: done }) => done).sort((a, b) => a - b),
    )
  })
})

describe('an import that was stopped', () => {
  /** Sends until so many records are stored. */
  const stoppedAfter = async (file: File, count: number) => {
    const stop = new AbortController()
    let creates = 0
    service.atCreate = () => {
      if (++creates >= count) stop.abort()
    }
    const report = await run(file, { ...sending, signal: stop.signal })
    service.atCreate = () => undefined
    return report
  }

  test('goes on where it was, and counts what it had stored before', async () => {
    const file = eventsFile(rows(30))
    const first = await stoppedAfter(file, 10)
    expect(first.is).toBe('stopped')
    const before = service.stored.size
    expect(before).toBeLessThan(30)
    let creates = 0
    service.atCreate = () => creates++
    const second = await run(file, sending)
    expect(second).toMatchObject({ is: 'done', before, counts: { created: 30 } })
    expect(creates).toBe(30 - before)
    expect(service.stored.size).toBe(30)
  })

  test('begins anew for another account, other choices or another file of the same name', async () => {
    const file = eventsFile(rows(30))
    await stoppedAfter(file, 10)
    const sent = { ...sending, account: 'Another' }
    expect(await run(file, sent)).toMatchObject({ before: 0 })
    await stoppedAfter(file, 10)
    expect(await run(file, { ...sending, replace: true })).toMatchObject({ before: 0 })
    await stoppedAfter(file, 10)
    const other = new File([await file.text()], file.name, { lastModified: 2 })
    expect(await run(other, sending)).toMatchObject({ before: 0 })
  })
})

describe('the memory of imports', () => {
  const ended = (number: number, isRejected = false) => ({
    number,
    counts: isRejected ? { rejected: 1 } : { created: 1 },
    ...(isRejected && { rejected: { from: { number, text: '' }, findings: [] } as never }),
  })

  test('knows what was done, and that what was rejected is done again', () => {
    const memory = new ImportMemory('file')
    memory.done(ended(1))
    memory.done(ended(2, true))
    memory.done(ended(3))
    memory.write()
    const { earlier } = new ImportMemory('file')
    expect(earlier).toEqual({ through: 3, again: new Set([2]), counts: { ...noCounts, created: 2 } })
    expect(new ImportMemory('another').earlier).toEqual({ through: 0, again: new Set(), counts: noCounts })
  })

  test('is written down now and then, so that a closed tab loses little', () => {
    const memory = new ImportMemory('file')
    for (let number = 1; number <= 24; number++) memory.done(ended(number))
    expect(new ImportMemory('file').earlier.through).toBe(0)
    memory.done(ended(25))
    expect(new ImportMemory('file').earlier.through).toBe(25)
  })

  test('keeps the latest eight files, and nothing of one that is done', () => {
    for (let file = 1; file <= 9; file++) {
      const memory = new ImportMemory(`file ${file}`)
      memory.done(ended(1))
      memory.write()
    }
    const kept = () => [...Array(9).keys()].filter((i) => new ImportMemory(`file ${i + 1}`).earlier.through === 1)
    expect(kept()).toHaveLength(8)
    new ImportMemory('file 9').forget()
    expect(kept()).toHaveLength(7)
  })

  test('is empty where something else stands in its place', () => {
    for (const text of ['', '{', '[]', '{"through":"1"}']) {
      localStorage.setItem('lotkeeper.import.file', text)
      expect(new ImportMemory('file').earlier.through).toBe(0)
    }
  })
})
