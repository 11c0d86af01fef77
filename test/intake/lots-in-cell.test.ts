// Several lots in one cell become lines where the row says how much there is of each; no quantity is
// ever guessed.
import { expect, test } from 'vitest'
import type { Intake } from '../../src/intake/intake-record.ts'
import { judgeRecord } from '../../src/intake/judge-record.ts'
import {
  csvOf,
  eventHeadings,
  goodRow,
  intakeOf,
  proposedIn,
  recordsIn,
  toldIn,
  workbookOf,
} from '../support/files/import-files.ts'
import type { Payload } from '../support/records/payloads.ts'
import { now } from '../support/records/prove-rule.ts'

async function read(caseLotNumber: string, shipQuantity: string, form: 'csv' | 'xlsx' = 'csv') {
  const rows = [eventHeadings, goodRow({ caseLotNumber, shipQuantity }), goodRow({ caseLotNumber: 'LAST' })]
  const all = await intakeOf(form === 'csv' ? csvOf(rows) : await workbookOf([{ name: 'S', rows }]), `e.${form}`)
  const [record] = recordsIn(all)
  const lines: Payload[] = (record?.payload.eventList as Payload | undefined)?.productList ?? []
  return {
    lines: lines.map((line) => [line.caseLotNumber, line.shipQuantity]),
    findings: record === undefined ? [] : judgeRecord(record, { lotNumberRequiredFrom: '2026-01-01' }, now).findings,
    told: toldIn(all),
  }
}

test.each<[string, string]>([
  ['GV26063-A, GV26063-B', '10, 20'],
  ['GV26063-A; GV26063-B', '10; 20'],
  ['GV26063-A\nGV26063-B', '10\n20'],
  ['GV26063-A & GV26063-B', '10 & 20'],
  ['GV26063-A (10), GV26063-B (20)', ''],
  ['GV26063-A (10); GV26063-B (20)', '30'],
])('%j with the quantities %j is a line for each lot, and told', async (lots, quantities) => {
  for (const form of ['csv', 'xlsx'] as const) {
    const { lines, findings, told } = await read(lots, quantities, form)
    expect(lines).toEqual([
      ['GV26063-A', 10],
      ['GV26063-B', 20],
      ['LAST', 40],
    ])
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(told).toContain('column caseLotNumber has cells with several lot codes and the quantity of each')
    expect(told).toContain('(row 2)')
  }
})

test('lots of different forms are a line each, too', async () => {
  const { lines } = await read('GV26063-A; ALPHA', '10; 20')
  expect(lines).toEqual([
    ['GV26063-A', 10],
    ['ALPHA', 20],
    ['LAST', 40],
  ])
})

test.each<[string, string]>([
  ['GV26063-A; ALPHA', '30'],
  ['Lots 12/13', '30'],
  ['GV26063-A, GV26063-B', '30'],
  ['GV26063-A (10), GV26063-B (20)', '40'],
  ['GV26063-A, GV26063-B (20)', '30'],
])('%j with the quantity %j stays one line, with a warning at its row', async (lots, quantity) => {
  const { lines, findings, told } = await read(lots, quantity)
  expect(lines).toEqual([
    [lots, Number(quantity)],
    ['LAST', 40],
  ])
  expect(findings).toContainEqual(expect.objectContaining({ severity: 'warning', row: 2, column: 'caseLotNumber' }))
  expect(told).not.toContain('several lot codes')
})

/** Beside a row that says which sign separates decimals. */
async function linesBesideSigns(caseLotNumber: string, shipQuantity: string) {
  const last = goodRow({ caseLotNumber: 'LAST', shipQuantity: '1,234.5' })
  const rows = [eventHeadings, goodRow({ caseLotNumber, shipQuantity }), last]
  return linesIn(await intakeOf(csvOf(rows), 'e.csv')).map((line) => [line.caseLotNumber, line.shipQuantity])
}

test.each<[string, string, number]>([
  ['LX1 (1,200), LX2 (300)', '1,500', 1500],
  ['LX1 (1,200), LX2 (300)', '1500', 1500],
  ['LX1 (1.200), LX2 (300)', '301.2', 301.2],
  ['LX1 (1.200), LX2 (300)', '1500', 1500],
])('%j with the quantity %j stays one line: a quantity has two meanings', async (lots, quantity, expected) => {
  expect(await linesBesideSigns(lots, quantity)).toEqual([
    [lots, expected],
    ['LAST', 1234.5],
  ])
})

test.each(['LX1 (1 200), LX2 (300)', "LX1 (1'200), LX2 (300)", 'LX1 (1,200.0), LX2 (300)'])(
  '%j with their sum is a line for each lot: the quantities have one meaning',
  async (lots) => {
    expect(await linesBesideSigns(lots, '1500')).toEqual([
      ['LX1', 1200],
      ['LX2', 300],
      ['LAST', 1234.5],
    ])
  },
)

const harbor = '0614141000012'
const river = '0614141999996'

const linesIn = (all: readonly Intake[]): Payload[] =>
  recordsIn(all).flatMap(({ payload }) => (payload.eventList as Payload).productList as Payload[])

/** A sheet of another program whose quantities have their units with them. */
async function readWithUnits(lots: string, quantities: string, heading = 'Qty & UOM') {
  const sheet = {
    'TLC - Batch': [lots, 'caseLotNumber'],
    [heading]: [quantities, 'shipQuantity'],
    Description: ['Romaine hearts', 'vendorItemDescription'],
    'Ship From GLN': [harbor, 'shipFrom.gln'],
    'Ship To GLN': [river, 'shipTo.gln'],
    'Receive Date': ['2026-03-04', 'eventDateTime'],
  } as const
  const columns = Object.fromEntries(Object.entries(sheet).map(([title, [, column]]) => [title, column]))
  const content = csvOf([Object.keys(sheet), Object.values(sheet).map(([value]) => value)])
  const all = await intakeOf(content, 'e.csv', { mapping: { columns, kind: 'receivingEvent' }, utcOffset: '-06:00' })
  return {
    lines: linesIn(all).map((line) => [line.caseLotNumber, line.shipQuantity, line.shipQuantityUom].join(' ')),
    errors: recordsIn(all).flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'error')),
    told: toldIn(all),
  }
}

test.each<[string, string, string]>([
  ['L101, L102', '40 cases, 20 cases', 'L101 40 cases; L102 20 cases'],
  ['L101, L102', '40, 20 CS', 'L101 40 CS; L102 20 CS'],
  ['L101; L102', '1,200 lb; 800.5 lb', 'L101 1200 lb; L102 800.5 lb'],
  ['L101\nL102', '40 ctn.\n20 ea', 'L101 40 ctn.; L102 20 ea'],
  ['L101 (40 cs), L102 (20 cs)', '60 cs', 'L101 40 cs; L102 20 cs'],
  ['L101 (40), L102 (20)', '60 cases', 'L101 40 cases; L102 20 cases'],
  ['L101', '40 cases', 'L101 40 cases'],
  ['L101', '1,200.5lbs', 'L101 1200.5 lbs'],
])('%j with %j, units with them, is a line for each lot', async (lots, quantities, expected) => {
  const { lines, errors, told } = await readWithUnits(lots, quantities)
  expect(errors).toEqual([])
  expect(lines.join('; ')).toBe(expected)
  expect(told).toContain('has quantities with their unit')
})

test.each<[string, string]>([
  ['L101, L102', '60 cases'],
  ['L101 (40 cs), L102 (20 cs)', '70 cs'],
])('%j with %j in all stays one line', async (lots, quantities) => {
  const { lines } = await readWithUnits(lots, quantities)
  expect(lines).toEqual([`${lots} ${quantities}`])
})

test.each(['40 hectares', 'about 40 cases', '40 cases 2'])(
  'the quantity %j is refused, not guessed',
  async (quantity) => {
    expect((await readWithUnits('L101', quantity)).errors).toContainEqual(expect.objectContaining({ row: 2 }))
  },
)

test.each<[string, string]>([
  ['Quantity & UOM', '40 cases'],
  ['Qty/UOM', '1,200 lb'],
  ['Shipped Qty & UOM', '40 CS'],
  ['Quantity and Unit of Measure', '40 ea'],
  ['Quantity with unit', '40cs'],
  ['Qty', '40 cases'],
])('a column %s with %s is proposed as the quantity', async (heading, value) => {
  const headings = { 'Lot #': 'L101', [heading]: value, Item: 'ROM-24', 'Ship Date': '2026-03-04' }
  const all = await intakeOf(csvOf([Object.keys(headings), Object.values(headings)]), 'e.csv')
  expect(proposedIn(all)[heading]).toBe('shipQuantity')
})

test('a PTI sheet with several lots in a cell becomes a line for each, with the unit', async () => {
  const sheet = {
    '(1) TLC - GTIN': '10614141000415',
    '(1) TLC - Batch': 'B-7, B-8',
    '(2) Qty & UOM': '40 CASES, 20 CASES',
    '(3) Product Description': 'Vine tomatoes',
    '(4) Ship-To Location': 'River Warehouse',
    '(5) Ship-From Location': 'Harbor Greenhouse',
    '(6) Ship Date': '2026-03-04',
  }
  const all = await intakeOf(csvOf([Object.keys(sheet), Object.values(sheet)]), 'pti.csv', { utcOffset: '-06:00' })
  expect(linesIn(all).map((line) => [line.caseLotNumber, line.shipQuantity, line.shipQuantityUom])).toEqual([
    ['B-7', 40, 'CASES'],
    ['B-8', 20, 'CASES'],
  ])
})

test.each<[string, string]>([
  ['GV26063-A, GV26063-B', '10, 20, 30'],
  ['GV26063-A', '10, 20'],
])('%j with the quantities %j is refused: no quantity is guessed', async (lots, quantities) => {
  const { findings } = await read(lots, quantities)
  expect(findings).toContainEqual(expect.objectContaining({ severity: 'error', row: 2, column: 'shipQuantity' }))
})
