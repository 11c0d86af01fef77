// Cells that a person corrects after a check: the file is read with them, by the same reader, and
// only what was rejected is taken again.
import { describe, expect, test } from 'vitest'
import { type ImportEnd, ImportRun, type Rejection } from '../../src/intake/import-run.ts'
import { plainOptions } from '../../src/intake/intake.ts'
import type { IntakeRecord } from '../../src/intake/intake-record.ts'
import { FinishedRun } from '../../src/intake/mending/finished-run.ts'
import { readFirstRows } from '../../src/intake/mending/first-rows.ts'
import { leftOut, type Mend, type Mends, takenBack, withMends } from '../../src/intake/mending/mends.ts'
import { mendsOf, type RejectedCells, rejectedCells, valuesIn } from '../../src/intake/mending/rejected-cells.ts'
import { csvOf, eventHeadings, goodRow, memoryFile, workbookOf } from '../support/files/import-files.ts'

const settings = { lotNumberRequiredFrom: '2026-01-01' }
const now = Date.UTC(2026, 5, 1)

interface Result {
  readonly end: ImportEnd
  readonly finished: FinishedRun
  readonly sent: readonly IntakeRecord[]
  readonly rejections: readonly Rejection[]
  readonly rows: readonly RejectedCells[]
}

async function run(
  content: string | Uint8Array,
  mends: Mends = {},
  before?: FinishedRun,
  mapping = plainOptions.mapping,
): Promise<Result> {
  const sent: IntakeRecord[] = []
  const rejections: Rejection[] = []
  const finished = new FinishedRun(before)
  const end = await new ImportRun(
    memoryFile(content, typeof content === 'string' ? 'a.csv' : 'a.xlsx'),
    {
      intake: { ...plainOptions, mends, mapping },
      ...{ settings, now, parallel: 2 },
      ...(before && {
        earlier: {
          ...{ through: 0, again: new Set(), counts: before.counts },
          isFinished: (from) => before.isFinished(from),
        },
      }),
    },
    {
      send: async (record) => {
        sent.push(record)
        return { is: 'created', ids: ['id'] }
      },
      stopAsked: () => false,
      onNote: () => undefined,
      onColumns: () => undefined,
      onEnded: (ended) => {
        finished.done(ended)
        if (ended.rejected !== undefined) rejections.push(ended.rejected)
      },
      onProgress: () => undefined,
    },
  ).run()
  return { end, finished, sent, rejections, rows: rejectedCells(rejections, mends) }
}

const eventAt = (n: number, changes: Readonly<Record<string, string>> = {}) =>
  goodRow({
    purchaseOrderNumber: `PO-${n}`,
    eventDateTime: `2026-03-04T09:${String(n).padStart(2, '0')}:00-06:00`,
    ...changes,
  })

const sheetOf = (rows: readonly (readonly string[])[]) => csvOf([eventHeadings, ...rows])

const ordersIn = (sent: readonly IntakeRecord[]) =>
  sent.map(({ payload }) => (payload.eventList as { purchaseOrderNumber: string }).purchaseOrderNumber)

const mend = (row: number, column: string, to: string, was = ''): Mend => ({ sheet: '', row, column, was, to })
const mendsFor = (...all: readonly Mend[]) => withMends({}, all)

describe('a corrected cell', () => {
  const content = sheetOf([eventAt(1), eventAt(2, { shipQuantity: 'forty' }), eventAt(3)])

  test('is read in place of that of the file, and only what was rejected is taken again', async () => {
    const first = await run(content)
    expect(ordersIn(first.sent)).toEqual(['PO-1', 'PO-3'])
    expect(first.rows).toMatchObject([{ number: 3, findings: [{ column: 'shipQuantity' }] }])
    const second = await run(content, mendsFor(mend(3, 'shipQuantity', '40', 'forty')), first.finished)
    expect(ordersIn(second.sent)).toEqual(['PO-2'])
    expect(second.sent[0]?.payload.eventList).toMatchObject({ productList: [{ shipQuantity: 40 }] })
    expect(second.end.counts).toMatchObject({ created: 3, rejected: 0, receivingEvent: 3, lines: 3 })
  })

  test('that is wrong again is reported with what was written', async () => {
    const { rows } = await run(content, mendsFor(mend(3, 'shipQuantity', 'many', 'forty')))
    expect(rows[0]?.cells.get('shipQuantity')).toBe('forty')
    expect(rows[0]?.findings[0]?.message).toContain('"many"')
  })

  test('may be of a column that the sheet lacks', async () => {
    const at = eventHeadings.indexOf('shipTo.locationName')
    const without = csvOf([eventHeadings, eventAt(1), eventAt(2)].map((row) => row.filter((_, n) => n !== at)))
    const first = await run(without)
    expect(first.rows.map(({ number, findings }) => [number, findings[0]?.column])).toEqual([
      [2, 'shipTo.locationName'],
      [3, 'shipTo.locationName'],
    ])
    const second = await run(without, mendsFor(mend(3, 'shipTo.locationName', 'River')), first.finished)
    expect(ordersIn(second.sent)).toEqual(['PO-2'])
    expect(second.end.counts).toMatchObject({ created: 1, rejected: 1 })
  })

  test('may be in a row of several lots, which is shown as one and read as several', async () => {
    const lots = sheetOf([eventAt(1, { caseLotNumber: 'L1, L2', shipQuantity: '10, 20', 'shipTo.gln': '123' })])
    const first = await run(lots)
    expect(first.rows).toHaveLength(1)
    expect(first.rows[0]?.cells.get('caseLotNumber')).toBe('L1; L2')
    const fixes = mendsFor(mend(2, 'shipTo.gln', '0614141999996', '123'), mend(2, 'caseLotNumber', 'L1; L3', 'L1; L2'))
    const { sent } = await run(lots, fixes, first.finished)
    expect(sent[0]?.payload.eventList).toMatchObject({
      productList: [
        { caseLotNumber: 'L1', shipQuantity: 10 },
        { caseLotNumber: 'L3', shipQuantity: 20 },
      ],
    })
  })

  test('is of its own sheet alone', async () => {
    const book = await workbookOf([
      { name: 'May', rows: [eventHeadings, eventAt(1, { shipQuantity: 'a' })] },
      { name: 'June', rows: [eventHeadings, eventAt(2, { shipQuantity: 'b' })] },
    ])
    const first = await run(book)
    expect(first.rows.map(({ sheet, number }) => [sheet, number])).toEqual([
      ['May', 2],
      ['June', 2],
    ])
    const fix = { ...mend(2, 'shipQuantity', '5', 'b'), sheet: 'June' }
    expect(ordersIn((await run(book, mendsFor(fix), first.finished)).sent)).toEqual(['PO-2'])
  })

  test('is none when it has the text of the file, and a row that is left out can be taken back', () => {
    const first = mend(3, 'shipQuantity', '40', 'forty')
    expect(withMends(mendsFor(first), [{ ...first, to: 'forty' }])).toEqual({})
    expect(withMends(mendsFor(leftOut('', 3)), [takenBack(leftOut('', 3))])).toEqual({})
  })

  test('is taken as a person wrote it: no spreadsheet changed it', async () => {
    const lots = sheetOf([eventAt(1, { caseLotNumber: '3-Apr' })])
    const first = await run(lots)
    expect(first.rows[0]?.findings[0]?.column).toBe('caseLotNumber')
    const { end } = await run(lots, mendsFor(mend(2, 'caseLotNumber', '3-Apr ', '3-Apr')), first.finished)
    expect(end.counts).toMatchObject({ created: 1, rejected: 0 })
  })
})

test('a row that is left out frees the events that it might belong to', async () => {
  const total = goodRow(Object.fromEntries(eventHeadings.map((name) => [name, name === 'shipQuantity' ? '80' : ''])))
  const content = sheetOf([eventAt(1), total, eventAt(2)])
  const first = await run(content)
  expect(first.sent).toEqual([])
  const second = await run(content, mendsFor(leftOut('', 3)), first.finished)
  expect(ordersIn(second.sent)).toEqual(['PO-1', 'PO-2'])
  expect(second.end.counts).toMatchObject({ created: 2, rejected: 0, loose: 0 })
})

test('a corrected row that joins an event which was taken sends it again, whole', async () => {
  const content = sheetOf([eventAt(1), eventAt(1, { eventDateTime: '2026-03-04T09:02:00-06:00', shipQuantity: 'x' })])
  const first = await run(content)
  expect(first.sent).toHaveLength(1)
  const fixes = mendsFor(
    mend(3, 'shipQuantity', '7', 'x'),
    mend(3, 'eventDateTime', '2026-03-04T09:01:00-06:00', '2026-03-04T09:02:00-06:00'),
  )
  const { sent } = await run(content, fixes, first.finished)
  expect(sent).toHaveLength(1)
  expect(sent[0]?.payload.eventList).toMatchObject({ productList: [{}, { shipQuantity: 7 }] })
})

describe('a cause of many rows', () => {
  const content = sheetOf([
    ...Array.from({ length: 40 }, (_, n) => eventAt(n, { 'shipTo.gln': '123' })),
    ...Array.from({ length: 20 }, (_, n) => eventAt(n + 40, { shipToLocationCode: 'OTHER', 'shipTo.gln': '456' })),
  ])

  test('has one key, and is mended by one value, or by one for each value', async () => {
    const first = await run(content)
    expect(first.rows).toHaveLength(60)
    expect(new Set(first.rows.map(({ findings }) => findings[0]?.cause)).size).toBe(1)
    expect(valuesIn(first.rows, 'shipTo.gln', {})).toEqual([
      ['123', 40],
      ['456', 20],
    ])
    const change = {
      column: 'shipTo.gln',
      by: 'shipToLocationCode',
      values: new Map([['OTHER', '0614141999996']]),
    }
    const mends = mendsOf(first.rows, change, {})
    expect(mends).toHaveLength(20)
    expect(mends[0]).toEqual({ sheet: '', row: 42, column: 'shipTo.gln', was: '456', to: '0614141999996' })
    const second = await run(content, withMends({}, mends), first.finished)
    expect(second.end.counts).toMatchObject({ created: 20, rejected: 40 })
  })
})

describe('the first rows', () => {
  const headings = ['Supplier', 'PO', 'Received', 'From GLN', 'To GLN', 'Item', 'Description', 'Qty', 'Lot', 'Note']
  const rows = [
    ['V-1', 'PO-1', '3/4/2026 09:30', '0614141000012', '0614141999996', 'TOM', 'Tomatoes', '40 cases', 'L-1', 'wet'],
    ['V-1', 'PO-2', 'yesterday', '0614141000012', '123', 'TOM', 'Tomatoes', 'forty', 'L-2', ''],
  ]
  const mapping = {
    columns: {
      ...{ Supplier: 'dataProviderVendorId', PO: 'purchaseOrderNumber', Received: 'eventDateTime' },
      ...{ 'From GLN': 'shipFrom.gln', 'To GLN': 'shipTo.gln', Item: 'vendorItemCode' },
      ...{ Description: 'product.itemDescription', Qty: 'shipQuantity', Lot: 'caseLotNumber', Note: null },
    },
  }
  const more = Array.from({ length: 5_000 }, (_, n) => ['V-1', `PO-${n + 3}`, ...(rows[0] ?? []).slice(2)])
  const options = { settings, now, count: 2 }
  const intake = { ...plainOptions, mapping, utcOffset: '-06:00' }

  test('are shown as the import reads them, with each reason at its cell', async () => {
    const first = await readFirstRows(memoryFile(csvOf([headings, ...rows, ...more]), 'a.csv'), { ...options, intake })
    expect([...first.keys()]).toEqual(headings)
    expect(first.get('Received')).toMatchObject([
      { row: 2, text: '3/4/2026 09:30', values: [['eventDateTime', '2026-03-04T09:30:00-06:00']], findings: [] },
      { row: 3, text: 'yesterday', values: [], findings: [{ severity: 'error' }] },
    ])
    expect(first.get('Qty')).toMatchObject([
      {
        values: [
          ['shipQuantity', '40'],
          ['shipQuantityUom', 'cases'],
        ],
      },
      { values: [], findings: [{ message: expect.stringContaining('"forty" is not a number') }] },
    ])
    expect(first.get('To GLN')?.[1]).toMatchObject({ findings: [{ rule: 'location/gln-digits' }] })
    expect(first.get('Note')).toMatchObject([{ text: 'wet', values: [], findings: [] }, { text: '' }])
  })

  test('are none while the sheet cannot be read', async () => {
    const file = memoryFile(csvOf([headings, ...rows]), 'a.csv')
    expect(await readFirstRows(file, { ...options, intake: plainOptions })).toEqual(new Map())
  })
})
