// The rows of a trace: one for each line, each to be read alone.
import { expect, test } from 'vitest'
import { traceRows } from '../../src/exports/trace-csv.ts'
import { center, cooler, store, traced, tracedWith, went } from '../samples/lot-events.ts'

const rowsOf = (...events: Parameters<typeof traced>[0]) => [...traceRows(traced(events))]

test('each line is a row that says the lot, how much, of what, from where, to where and whose code it is', () => {
  const [header = '', row = '', ...more] = rowsOf(went(cooler, center))
  expect(more).toEqual([])
  const cells = new Map(
    header
      .trimEnd()
      .split(',')
      .map((name, i) => [name, row.trimEnd().split(',')[i]]),
  )
  expect(Object.fromEntries(cells)).toMatchObject({
    lotCode: 'GV26063-A',
    shipQuantity: '10',
    shipQuantityUom: 'case',
    vendorItemCode: 'ROM-24',
    eventDateTime: '2026-03-04T09:00:00Z',
    shipFromName: 'Green Valley Cooler',
    shipFromGln: '0614141000012',
    shipToLocationCode: 'DC-07',
    tlcSourceGlns: '0614141000012',
    pointer: '/eventList/productList/0',
    notes: 'sourcePlaceMissing',
  })
})

test('every row has as many cells as the header', () => {
  const rows = rowsOf(went(cooler, center, { lines: [{}, {}] }), went(center, store, { day: 5, vendorName: 'V' }))
  expect(rows).toHaveLength(4)
  expect(new Set(rows.map((row) => row.split(',').length)).size).toBe(1)
})

test('a name that a spreadsheet would run is not run', () => {
  const [, row = ''] = rowsOf(went({ ...cooler, locationName: '=HYPERLINK("x")' }, center))
  expect(row).toContain(`"'=HYPERLINK(""x"")"`)
})

test('lines of shipping events follow, each with its kind of record and whether it arrived, and with a note where it did not', () => {
  const events = [went(cooler, center, { day: 3 }), went(center, store, { day: 4 })]
  const [header = '', ...rows] = [...traceRows(tracedWith(events, [went(cooler, center)]))]
  const names = header.trimEnd().split(',')
  const cellsOf = (row: string) => {
    const cells = row.trimEnd().split(',')
    return ['record', 'arrival', 'eventDateTime', 'shipToName', 'notes'].map((name) => cells[names.indexOf(name)])
  }
  expect(rows.map(cellsOf)).toEqual([
    ['receivingEvent', '', '2026-03-04T09:00:00Z', 'Distribution Center 7', 'sourcePlaceMissing'],
    ['shippingEvent', 'received', '2026-03-03T09:00:00Z', 'Distribution Center 7', ''],
    ['shippingEvent', 'notReceived', '2026-03-04T09:00:00Z', 'Store 114', 'notReceived'],
  ])
})
