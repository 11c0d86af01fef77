// An event is handed over with all of its rows, or it is rejected with all of them.
import { describe, expect, test } from 'vitest'
import { judgeRecord } from '../../src/intake/judge-record.ts'
import { fdaHeadings, fdaRow } from '../support/files/foreign-sheets.ts'
import { csvOf, eventHeadings, goodRow, intakeOf, recordsIn, workbookOf } from '../support/files/import-files.ts'
import { eventPayload } from '../support/records/payloads.ts'
import { now } from '../support/records/prove-rule.ts'

const settings = { lotNumberRequiredFrom: '2026-01-01' }

/** Lots of the events that may be sent, one text per event. */
async function sent(rows: readonly (readonly string[])[], options = {}): Promise<string[]> {
  const all = recordsIn(await intakeOf(csvOf([eventHeadings, ...rows]), 'events.csv', options))
  return all.filter((record) => !judgeRecord(record, settings, now).refused).map(lotsOf)
}
const lotsOf = ({ payload }: { payload: Readonly<Record<string, unknown>> }) =>
  (payload.eventList as { productList: { caseLotNumber: string }[] }).productList
    .map(({ caseLotNumber }) => caseLotNumber)
    .join(' ')

const day = (date: number) => ({ eventDateTime: `2026-03-${String(date).padStart(2, '0')}T09:30:00-06:00` })
/** A line of this lot; where no date is said, of one and the same event. */
const line = (lot: string, changes: Readonly<Record<string, string>> = {}) =>
  goodRow({ caseLotNumber: lot, purchaseOrderNumber: `PO-${changes.eventDateTime ?? 1}`, ...changes })

describe('a row in the middle of an event whose key cannot be read', () => {
  test.each([
    ['a date that is none', { eventDateTime: '2026-03-40' }],
    ['a date that is no text of one', { eventDateTime: 'Tuesday' }],
    ['a vendor that is blank', { dataProviderVendorId: '' }],
    ['a vendor that is too long', { dataProviderVendorId: 'V'.repeat(101) }],
    ['a ship-to location that is blank', { shipToLocationCode: ' ' }],
  ])('rejects the whole event, the rows before it included: %s', async (_, broken) => {
    const rows = [1, 2, 3, 4, 5, 6].map((n) => line(`L${n}`, n === 4 ? { purchaseOrderNumber: 'PO-1', ...broken } : {}))
    expect(await sent([line('A', day(1)), ...rows, line('Z', day(9))])).toEqual(['A', 'Z'])
  })

  test.each([0, 5])('rejects it also as row %i of six', async (at) => {
    const rows = [0, 1, 2, 3, 4, 5].map((n) => line(`L${n}`, n === at ? { eventDateTime: '2026-03-40' } : {}))
    expect(await sent(rows)).toEqual([])
  })

  test('names the row and what to do in the first row of the event', async () => {
    const rows = [line('L1'), line('L2', { eventDateTime: '2026-03-40' })]
    const [record] = recordsIn(await intakeOf(csvOf([eventHeadings, ...rows]), 'events.csv'))
    expect(record?.findings).toMatchObject([
      { row: 2, message: expect.stringMatching(/^Row 3 may belong/), remedy: expect.stringMatching(/^Correct row 3/) },
    ])
  })
})

describe('a sheet with dates without a time and with codes of places, whose names are stored', () => {
  const headings = ['PO', 'Received', 'Vendor #', 'Ship From', 'DC', 'Item', 'Lot', 'Cases', 'Unit', 'Source GLN']
  const columns = {
    PO: 'purchaseOrderNumber',
    Received: 'eventDateTime',
    'Vendor #': 'dataProviderVendorId',
    'Ship From': 'shipFromLocationCode',
    DC: 'shipToLocationCode',
    Item: 'vendorItemCode',
    Lot: 'caseLotNumber',
    Cases: 'shipQuantity',
    Unit: 'shipQuantityUom',
    'Source GLN': 'tlcSourceReferenceGln',
  }
  const row = (lot: string, po = 'PO-1', dc = 'DC-07') =>
    `${po},2026-03-04,V-1,F-1,${dc},TOM-1,${lot},40,case,0614141000012`.split(',')
  const read = async (rows: readonly (readonly string[])[], set: Readonly<Record<string, string>> = {}) =>
    recordsIn(
      await intakeOf(csvOf([headings, ...rows]), 'e.csv', {
        utcOffset: '-06:00',
        defaults: set,
        mapping: { kind: 'receivingEvent', columns },
      }),
    )

  test('has one event for each delivery, with all of its lines', async () => {
    const records = await read([row('L1'), row('L2'), row('L3'), row('L4', 'PO-2'), row('L5', 'PO-2', 'DC-08')])
    expect(records.map(lotsOf)).toEqual(['L1 L2 L3', 'L4', 'L5'])
    expect(records.map(({ part }) => part)).toEqual([undefined, undefined, undefined])
  })

  test('has one event for each delivery also where the sheet has only the GLNs of its places', async () => {
    const glns = { ...columns, 'Ship From': 'shipFrom.gln', DC: 'shipTo.gln' }
    const places = (cells: readonly string[]) => [
      ...cells.slice(0, 3),
      '0614141000012',
      '0614141999996',
      ...cells.slice(5),
    ]
    const rows = [row('L1'), row('L2'), row('L3', 'PO-2')].map(places)
    const mapping = { kind: 'receivingEvent', columns: glns } as const
    const records = recordsIn(await intakeOf(csvOf([headings, ...rows]), 'e.csv', { utcOffset: '-06:00', mapping }))
    expect(records.map(lotsOf)).toEqual(['L1 L2', 'L3'])
    expect(records.map(({ part }) => part)).toEqual([undefined, undefined])
  })

  test('rejects an event beside a row that lacks its code', async () => {
    const records = await read([row('L1'), row('L2', 'PO-1', ''), row('L3')])
    expect(records.filter(({ part }) => part === undefined).flatMap(({ findings }) => findings)).not.toEqual([])
  })
})

test('an event that comes again later in the file is rejected with its earlier rows', async () => {
  expect(await sent([line('L1'), line('A', day(1)), line('L2'), line('B', day(2))])).toEqual(['A', 'B'])
})

test('two spellings of one vendor that differ in blanks are not two events', async () => {
  const vendor = (dataProviderVendorId: string) => ({ dataProviderVendorId })
  expect(await sent([line('L1', vendor('V 1')), line('L2', vendor('V  1')), line('A', day(1))])).toEqual(['A'])
  // Blanks around a code are left out, so it is one spelling.
  expect(await sent([line('L1'), line('L2', vendor('V-1 ')), line('A', day(1))])).toEqual(['L1 L2', 'A'])
  expect(await sent([line('L1'), line('L2', { dataProviderVendorId: 'V-2' })])).toEqual(['L1', 'L2'])
})

test('a separate row without a date rejects only the event that it may belong to', async () => {
  const strange = { eventDateTime: 'soon', purchaseOrderNumber: 'PO-7' }
  const rows = [
    line('L1', { purchaseOrderNumber: 'PO-7' }),
    line('A', day(1)),
    line('B', day(2)),
    line('C', day(3)),
    line('L2', strange),
    line('D', day(4)),
    line('E', day(5)),
  ]
  expect(await sent(rows)).toEqual(['A', 'B', 'E'])
})

test('a total below the table rejects the event above it only', async () => {
  const total = eventHeadings.map((name) => (name === 'shipQuantity' ? '80' : ''))
  expect(await sent([line('A', day(1)), line('B', day(2)), line('C', day(3)), total])).toEqual(['A', 'B'])
  const defaults = { dataProviderVendorId: 'V-1', shipToLocationCode: 'SHIP-TO' }
  expect(await sent([line('A', day(1)), line('B', day(2)), total], { defaults })).toEqual(['A'])
})

test('an event of more rows than an event may have is rejected with all of them', async () => {
  const rows = Array.from({ length: 5_100 }, (_, n) => line(`L${n}`))
  expect(await sent([...rows, line('A', day(1))])).toEqual(['A'])
})

test('an event on two sheets of a workbook is rejected on both', async () => {
  const sheets = ['May', 'June'].map((name, i) => ({
    name,
    rows: [eventHeadings, line(name), line(`${name} B`, day(10 + i))],
  }))
  const all = recordsIn(await intakeOf(await workbookOf(sheets), 'events.xlsx'))
  expect(all.filter((record) => !judgeRecord(record, settings, now).refused).map(lotsOf)).toEqual(['May B', 'June B'])
})

test('payloads of one event on two lines are both rejected', async () => {
  const one = eventPayload()
  const other = eventPayload()
  const text = [one, other, one].map((payload) => JSON.stringify(payload)).join('\n')
  const all = recordsIn(await intakeOf(text, 'events.ndjson'))
  expect(all.map((record) => judgeRecord(record, settings, now).refused)).toEqual([true, false, true])
  expect(all[0]?.findings[0]?.message).toMatch(/^Line 3 holds the same event/)
})

describe("a delivery in FDA's sheet, which has dates only", () => {
  const options = { utcOffset: '-06:00', defaults: { dataProviderVendorId: 'V-1' } }
  const at = { lot: 0, shipFrom: 9, shipTo: 16, date: 23, number: 33 }
  const deliveries = async (rows: readonly (readonly string[])[]) =>
    recordsIn(await intakeOf(csvOf([fdaHeadings, ...rows]), 'fda.csv', options))
      .filter((record) => !judgeRecord(record, settings, now).refused)
      .map(lotsOf)
  const row = (lot: string, changes: Readonly<Record<number, string>> = {}) => fdaRow({ [at.lot]: lot, ...changes })

  test.each([
    ['a date that is none', { [at.date]: '02/31/2026' }],
    ['a ship-from location that is blank', { [at.shipFrom]: '' }],
    ['a ship-to location that is blank', { [at.shipTo]: '' }],
    ['a document number that is too long', { [at.number]: 'B'.repeat(101) }],
  ])('is rejected whole for a row with %s, wherever the row stands', async (_, broken) => {
    const other = { [at.number]: 'B-OTHER' }
    const away = { [at.number]: 'B-AWAY', [at.shipFrom]: 'Another Farm' }
    for (const rows of [
      [row('L1'), row('L2', broken), row('L3'), row('X', other), row('Z', away)],
      [row('L1'), row('L3'), row('X', other), row('Z', away), row('L2', broken)],
    ]) {
      const sent = await deliveries(rows)
      for (const lots of sent) expect(lots).toMatch(/^[XZ]$/)
    }
  })
})
