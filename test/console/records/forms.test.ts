// What fields, tables and pickers of the form make of what is typed, pasted and picked, without a
// page.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyPayload, examplePayload, isExample } from '../../../src/console/drafts/example-payload.ts'
import { choicesFor } from '../../../src/console/records/choices.ts'
import { withPlace, withVendor } from '../../../src/console/records/event-places.ts'
import { formLayouts } from '../../../src/console/records/form-layout.ts'
import {
  cellsOf,
  columnsWith,
  firstColumns,
  withDates,
  withLabel,
  withRows,
} from '../../../src/console/records/line-columns.ts'
import { clockWords, dateReceived, dateTimeOf, partsOf } from '../../../src/console/records/received-time.ts'
import { payloadShape, shapeAt } from '../../../src/console/records/shapes.ts'
import type { MasterLocation } from '../../../src/contract/location.ts'
import { receivingEvent, recordKinds } from '../../../src/contract/record-kinds.ts'

describe('the time of a receipt', () => {
  test.each([
    ['2026-03-04', '22:30', 'America/New_York', '2026-03-04T22:30:00-05:00'],
    ['2026-07-04', '22:30', 'America/New_York', '2026-07-04T22:30:00-04:00'],
    ['2026-07-04', '22:30:15', '-08:00', '2026-07-04T22:30:15-08:00'],
    ['2026-07-04', '22:30', 'Z', '2026-07-04T22:30:00Z'],
    ['2026-07-04', '12:00', 'Europe/London', '2026-07-04T12:00:00+01:00'],
    // The contract takes whole hours.
    ['2026-07-04', '12:00', 'Asia/Kolkata', '2026-07-04T06:30:00Z'],
  ])('%s %s in %s is %s', (date, time, zone, text) => expect(dateTimeOf({ date, time, zone })).toBe(text))

  test('is none until date and time are there', () => {
    expect(dateTimeOf({ date: '', time: '12:00', zone: 'Z' })).toBeUndefined()
    expect(dateTimeOf({ date: '2026-07-04', time: '', zone: 'Z' })).toBeUndefined()
  })

  test('keeps its zone where it names the same instant, and else its own offset', () => {
    expect(partsOf('2026-03-04T22:30:00-05:00', 'America/New_York')).toEqual({
      date: '2026-03-04',
      time: '22:30',
      zone: 'America/New_York',
    })
    expect(partsOf('2026-03-04T22:30:07-08:00', 'America/New_York')?.zone).toBe('-08:00')
    expect(partsOf('yesterday', 'Z')).toBeUndefined()
  })

  test('written as its parts and put together again is the same text, whatever the offset', () => {
    const texts = fc
      .tuple(
        fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
        fc.integer({ min: -12, max: 14 }),
      )
      .map(([at, hours]) => {
        const offset = hours === 0 ? 'Z' : `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`
        return at.toISOString().slice(0, 19) + offset
      })
    fc.assert(
      fc.property(texts, (text) => {
        const parts = partsOf(text, 'America/Chicago')
        expect(parts && dateTimeOf(parts)).toBe(text)
      }),
    )
  })

  test('a clock that changes is told, and so is the date received at the place', () => {
    expect(clockWords({ date: '2026-11-01', time: '01:30', zone: 'America/New_York' })).toMatch(/twice/)
    expect(clockWords({ date: '2026-03-08', time: '02:30', zone: 'America/New_York' })).toMatch(/no such time/)
    expect(clockWords({ date: '2026-03-04', time: '02:30', zone: 'America/New_York' })).toBeUndefined()
    expect(dateReceived('2026-05-30T02:00:00Z', 'America/New_York')).toBe('2026-05-29')
    expect(dateReceived('2026-05-30T02:00:00Z', undefined)).toBe('2026-05-30')
  })
})

describe('the places of an event', () => {
  const place = (locationCode: string, dataProviderVendorId: string): MasterLocation => ({
    locationCode,
    locationName: `Name of ${locationCode}`,
    dataProviderVendorId,
    gln: '0614141000012',
  })
  const stored = [place('DC-07', 'V-1'), place('DC-08', 'V-2')]
  const begun = { eventList: { dataProviderVendorId: 'V-1' }, locationMasterList: [] }

  test('of the vendor are named, and those of another vendor described in full', () => {
    const one = withPlace(begun, 'shipToLocationCode', 'DC-07', stored)
    expect(one).toEqual({
      eventList: { dataProviderVendorId: 'V-1', shipToLocationCode: 'DC-07' },
      locationMasterList: [{ locationCode: 'DC-07', locationName: 'Name of DC-07' }],
    })
    const both = withPlace(one, 'shipFromLocationCode', 'DC-08', stored)
    expect(both.locationMasterList).toEqual([
      { locationCode: 'DC-07', locationName: 'Name of DC-07' },
      { locationCode: 'DC-08', locationName: 'Name of DC-08', gln: '0614141000012' },
    ])
    expect(withVendor(both, 'V-2', stored).locationMasterList).toEqual([
      { locationCode: 'DC-07', locationName: 'Name of DC-07', gln: '0614141000012' },
      { locationCode: 'DC-08', locationName: 'Name of DC-08' },
    ])
  })

  test('keep what was typed of a new one while its code is typed, and nothing of a stored one', () => {
    const typed = {
      ...begun,
      locationMasterList: [{ locationCode: 'F', locationName: 'Farm' }],
      eventList: { ...begun.eventList, shipFromLocationCode: 'F' },
    }
    expect(withPlace(typed, 'shipFromLocationCode', 'F9', stored).locationMasterList).toEqual([
      { locationCode: 'F9', locationName: 'Farm' },
    ])
    expect(withPlace(typed, 'shipFromLocationCode', '', stored).locationMasterList).toEqual(typed.locationMasterList)
    const picked = withPlace(begun, 'shipFromLocationCode', 'DC-07', stored)
    expect(withPlace(picked, 'shipFromLocationCode', 'DC-0', stored).locationMasterList).toEqual([
      { locationCode: 'DC-0' },
    ])
    expect(withPlace(picked, 'shipFromLocationCode', '', stored).locationMasterList).toEqual([])
  })

  test('named at both ends have one entry, which stays with the other end', () => {
    const both = ['shipFromLocationCode', 'shipToLocationCode'].reduce<Readonly<Record<string, unknown>>>(
      (payload, field) => withPlace(payload, field as 'shipToLocationCode', 'DC-07', stored),
      begun,
    )
    expect(both.locationMasterList).toHaveLength(1)
    expect(withPlace(both, 'shipFromLocationCode', 'X', stored).locationMasterList).toEqual([
      { locationCode: 'DC-07', locationName: 'Name of DC-07' },
      { locationCode: 'X' },
    ])
  })
})

describe('a table of lines', () => {
  const shape = shapeAt(payloadShape(receivingEvent), 'eventList', 'productList', '*')
  const at = { index: 1, column: 'caseLotNumber', columns: firstColumns, shape }

  test('has a column for every field that a line has, in the order of the contract', () => {
    expect(columnsWith(shape, [{ harvestDate: 'x' }, { caseGtin: 'y' }], firstColumns)).toEqual([
      ...firstColumns,
      'caseGtin',
      'harvestDate',
    ])
  })

  test('takes rows of a spreadsheet from the cell on, and adds the lines that are missing', () => {
    const pasted = withRows(
      [{ vendorItemCode: 'A' }, { vendorItemCode: 'B' }],
      cellsOf('L1\t5\tcase\nL2\t1,000\tcase\n'),
      at,
    )
    expect(pasted.lines).toEqual([
      { vendorItemCode: 'A' },
      { vendorItemCode: 'B', caseLotNumber: 'L1', shipQuantity: 5, shipQuantityUom: 'case' },
      { caseLotNumber: 'L2', shipQuantity: '1,000', shipQuantityUom: 'case' },
    ])
    expect(pasted.rowCount).toBe(2)
  })

  test('takes headings by label, wire name or what others call them, and names those it leaves out', () => {
    const rows = cellsOf('Lot code\tqty\tvendorItemCode\tColour\r\nL1\t5\tROM\tred\r\n')
    expect(withRows([], rows, { ...at, index: 0 })).toEqual({
      lines: [{ caseLotNumber: 'L1', shipQuantity: 5, vendorItemCode: 'ROM' }],
      rowCount: 1,
      unknown: ['Colour'],
      ambiguous: [],
    })
  })

  test('reads dates as spreadsheets write them, in the order that one of them proves', () => {
    const dates = { index: 0, column: 'harvestDate', columns: ['harvestDate', 'packagingDate'], shape }
    const proven = withRows([], cellsOf('7/4/2026\t07/14/26\n2026-07-05\t\n'), dates)
    expect(proven.lines).toEqual([
      { harvestDate: '2026-07-04', packagingDate: '2026-07-14' },
      { harvestDate: '2026-07-05' },
    ])
    expect(proven.readDate).toEqual({ text: '7/4/2026', date: '2026-07-04' })
    const german = withRows([], cellsOf('4/7/2026\t14/7/2026\n'), dates)
    expect(german.lines).toEqual([{ harvestDate: '2026-07-04', packagingDate: '2026-07-14' }])
  })

  test('leaves a date that can be two as it is, until somebody says which', () => {
    const dates = { index: 1, column: 'harvestDate', columns: ['harvestDate'], shape }
    const pasted = withRows([{ vendorItemCode: 'A' }], cellsOf('7/4/2026\n8/8/2026\nsoon'), dates)
    expect(pasted.lines).toEqual([
      { vendorItemCode: 'A' },
      { harvestDate: '7/4/2026' },
      { harvestDate: '2026-08-08' },
      { harvestDate: 'soon' },
    ])
    expect(withDates(pasted.lines, pasted.ambiguous, 'month first')[1]).toEqual({ harvestDate: '2026-07-04' })
    expect(withDates(pasted.lines, pasted.ambiguous, 'day first')[1]).toEqual({ harvestDate: '2026-04-07' })
    // What was typed over meanwhile stays.
    const edited = pasted.lines.with(1, { harvestDate: '2026-01-01' })
    expect(withDates(edited, pasted.ambiguous, 'day first')).toEqual(edited)
    expect(withRows([], cellsOf('7/4/2026'), { ...dates, index: 0 }, 'day first').lines).toEqual([
      { harvestDate: '2026-04-07' },
    ])
  })

  test('reads cells in quotes with what they hold', () => {
    expect(cellsOf('a\t"b\t""c""\nd"\te\r\n12" box')).toEqual([['a', 'b\t"c"\nd', 'e'], ['12" box']])
  })

  test('finds the item of a label by its GTIN, and leaves the item code alone where none is known', () => {
    const items = [{ itemCode: 'ROM-24', itemDescription: 'Romaine', gtin: '10614141000415' }]
    const label = { caseGtin: '10614141000415', caseLotNumber: 'L', count: 40 }
    expect(withLabel({}, label, items)).toEqual({
      caseGtin: '10614141000415',
      caseLotNumber: 'L',
      shipQuantity: 40,
      vendorItemCode: 'ROM-24',
      vendorItemDescription: 'Romaine',
    })
    expect(withLabel({ vendorItemCode: 'X' }, label, [])).toMatchObject({ vendorItemCode: 'X', caseLotNumber: 'L' })
  })
})

test('choices are narrowed by every word, wherever it stands', () => {
  const choices = [
    { value: 'DC-07', words: 'Distribution Center 7' },
    { value: 'GV-1', words: 'Green Valley' },
  ]
  expect(choicesFor(choices, 'center dc')).toEqual([choices[0]])
  expect(choicesFor(choices, '')).toEqual(choices)
  expect(choicesFor(choices, 'none')).toEqual([])
})

test.each(recordKinds)('the form of a $noun names declared fields, each once', (kind) => {
  const names = formLayouts[kind.name].flatMap(({ fields }) => fields)
  expect(new Set(names).size).toBe(names.length)
  const shape = payloadShape(kind)
  const declared = [
    ...Object.keys(shape.properties ?? {}).map((name) => `/${name}`),
    ...Object.keys(shapeAt(shape, kind.subject).properties ?? {}),
  ]
  expect(declared).toEqual(expect.arrayContaining(names))
})

test.each(recordKinds)('a new $noun is empty, and the example is known as it is, in any order', (kind) => {
  const example = examplePayload(kind)
  expect(isExample(kind, emptyPayload(kind))).toBe(false)
  expect(isExample(kind, Object.fromEntries(Object.entries(example).reverse()))).toBe(true)
  expect(isExample(kind, { ...example, payloadId: 'P-1' })).toBe(true)
  expect(isExample(kind, { ...example, [kind.subject]: {} })).toBe(false)
})
