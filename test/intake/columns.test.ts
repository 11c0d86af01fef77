// Columns of a sheet that somebody else made: told apart by their places, whatever their headings.
import { describe, expect, test } from 'vitest'
import type { IntakeOptions } from '../../src/intake/intake.ts'
import {
  csvOf,
  eventHeadings,
  intakeOf,
  proposedIn,
  recordsIn,
  toldIn,
  workbookOf,
} from '../support/files/import-files.ts'

const common = {
  Date: ['eventDateTime', '2026-03-04T09:30:00-06:00'],
  'From code': ['shipFromLocationCode', 'F-1'],
  'From name': ['shipFrom.locationName', 'Harbor Greenhouse'],
  'From GLN': ['shipFrom.gln', '0614141000012'],
  'To code': ['shipToLocationCode', 'DC-07'],
  'To name': ['shipTo.locationName', 'River Warehouse'],
  'To GLN': ['shipTo.gln', '0614141999996'],
  Cases: ['shipQuantity', '40'],
  Unit: ['shipQuantityUom', 'case'],
} as const

type Columns = readonly (readonly [heading: string, column: string | null, value: string])[]

/** A row with these columns and what every event needs, read with the mapping that tells each apart. */
async function readWith(
  columns: Columns,
  mapping: Readonly<Record<string, string | null>>,
  form: 'csv' | 'xlsx' = 'csv',
  options: Partial<IntakeOptions> = {},
) {
  const all = [
    ...columns,
    ...Object.entries(common).map(([heading, [column, value]]) => [heading, column, value] as const),
  ]
  const rows = [all.map(([heading]) => heading), all.map(([, , value]) => value)]
  const content = form === 'csv' ? csvOf(rows) : await workbookOf([{ name: 'Sheet1', rows }])
  const known = Object.fromEntries(Object.entries(common).map(([heading, [column]]) => [heading, column]))
  const read = await intakeOf(content, `e.${form}`, { mapping: { columns: { ...known, ...mapping } }, ...options })
  const [record] = recordsIn(read)
  // biome-ignore lint/suspicious/noExplicitAny: looked into by name
  return { event: record?.payload.eventList as any, findings: record?.findings, told: toldIn(read), read }
}

describe('headings that differ by a sign only are different columns', () => {
  const pairs: readonly Columns[] = [
    [
      ['Vendor #', 'dataProviderVendorId', 'V-1001'],
      ['Vendor', 'dataProviderVendorName', 'Harbor Farms'],
      ['Item', 'vendorItemCode', 'TOM-1'],
      ['PO', 'purchaseOrderNumber', 'PO-1'],
    ],
    [
      ['Item', 'vendorItemDescription', 'Vine tomatoes'],
      ['Item #', 'vendorItemCode', 'TOM-1'],
      ['PO', 'poLineNumber', '3'],
      ['PO #', 'purchaseOrderNumber', 'PO-1'],
    ],
    [
      ['Lot', null, 'internal'],
      ['Lot*', 'caseLotNumber', 'HG-1'],
      ['Item No.', 'vendorItemCode', 'TOM-1'],
      ['Item (No)', 'purchaserItemCode', '77'],
    ],
    [
      ['LOT', 'caseLotNumber', 'HG-1'],
      ['Lot', 'palletLpn', 'LPN-1'],
      ['Item', 'vendorItemCode', 'TOM-1'],
    ],
  ]
  test.each(pairs.flatMap((pair) => (['csv', 'xlsx'] as const).map((form) => [form, pair] as const)))(
    'in %s: %j',
    async (form, pair) => {
      const mapping = Object.fromEntries(pair.map(([heading, column]) => [heading, column]))
      const { event, told } = await readWith(pair, mapping, form)
      expect(told).not.toMatch(/occurs twice|mean the same|not known/)
      for (const [, column, value] of pair)
        if (column !== null) expect({ ...event, ...event.productList[0] }[column]).toBe(value)
    },
  )
})

describe('a heading that a sheet has twice', () => {
  const columns: Columns = [
    ['Lot', null, 'BIN-7'],
    ['Lot', null, 'HG-1'],
    ['Item', null, 'TOM-1'],
  ]

  test('can be mapped in each of its places: the second is called "Lot (2)"', async () => {
    const item = { Item: 'vendorItemCode' }
    const second = await readWith(columns, { ...item, Lot: null, 'Lot (2)': 'caseLotNumber' })
    expect(second.event.productList[0].caseLotNumber).toBe('HG-1')
    const both = await readWith(columns, { ...item, Lot: 'palletLpn', 'Lot (2)': 'caseLotNumber' })
    expect(both.event.productList[0]).toMatchObject({ caseLotNumber: 'HG-1', palletLpn: 'BIN-7' })
  })

  test('is never read from one of them without a word', async () => {
    const { read, told } = await readWith(columns, {
      Item: 'vendorItemCode',
      Lot: 'caseLotNumber',
      'Lot (2)': 'caseLotNumber',
    })
    expect(recordsIn(read)).toEqual([])
    expect(told).toContain('"Lot" occurs twice')
  })

  test('gets a name of its own beside a heading that is already called so', async () => {
    const more: Columns = [['Lot (2)', null, 'X-9'], ...columns]
    const mapping = { Item: 'vendorItemCode', 'Lot (2)': 'palletLpn', Lot: null, 'Lot (3)': 'caseLotNumber' }
    const { event } = await readWith(more, mapping)
    expect(event.productList[0]).toMatchObject({ palletLpn: 'X-9', caseLotNumber: 'HG-1' })
  })

  test('of our template is left out by the mapping, and names its column in a finding', async () => {
    const twice: Columns = [
      ['vendorItemCode', null, 'TOM-1'],
      ['caseGtin', null, '1.06E+13'],
      ['caseGtin', null, '10614141000415'],
    ]
    const first = await readWith(twice, { 'caseGtin (2)': null })
    expect(first.findings).toMatchObject([{ severity: 'error', row: 2, column: 'caseGtin' }])
    const second = await readWith(twice, { caseGtin: null, 'caseGtin (2)': 'caseGtin' })
    expect(second.event.productList[0].caseGtin).toBe('10614141000415')
  })
})

test('a sheet of events with headings of our products or locations is one of events', async () => {
  const headings = ['Item Code', 'Item Description', 'Location Code', 'Location Name', 'Lot', 'Qty', 'Date Received']
  const row = ['ROM-24', 'Romaine', 'DC-07', 'River Warehouse', 'HG-1', '40', '2026-03-04']
  const all = await intakeOf(csvOf([headings, row]), 'e.csv')
  expect(all.find((one) => one.is === 'fault')?.columns?.kind).toBe('receivingEvent')
  expect(proposedIn(all)).toMatchObject({
    'Item Code': 'vendorItemCode',
    'Item Description': 'vendorItemDescription',
    'Location Code': 'shipToLocationCode',
    'Location Name': 'shipTo.locationName',
    Qty: 'shipQuantity',
  })
})

test('a mapping fits a heading in another spelling, where no other heading has it', async () => {
  const { event } = await readWith(
    [
      ['ITEM NO', null, 'TOM-1'],
      ['lot #', null, 'HG-1'],
    ],
    { 'Item No': 'vendorItemCode', 'Lot #': 'caseLotNumber' },
  )
  expect(event.productList[0]).toMatchObject({ vendorItemCode: 'TOM-1', caseLotNumber: 'HG-1' })
})

describe('a mapping that lacks a column', () => {
  const others = { Item: 'vendorItemCode', Lot: 'caseLotNumber' }
  const columns: Columns = [
    ['Item', null, 'TOM-1'],
    ['Lot', null, 'HG-1'],
    ['Cases', null, '40'],
  ]

  test('is named with the column, and nothing is imported', async () => {
    const { read, told } = await readWith(columns, { ...others, Cases: null, 'Cases (2)': null })
    expect(recordsIn(read)).toEqual([])
    expect(told).toContain('the mapping maps no heading to shipQuantity. Map a heading to it, or give')
  })

  test('is named by its file', async () => {
    const mapping = { name: 'harbor.json', columns: { ...others, Cases: null } }
    const told = toldIn(
      await intakeOf(
        csvOf([
          ['Item', 'Lot', 'Cases'],
          ['TOM-1', 'HG-1', '40'],
        ]),
        'e.csv',
        { mapping },
      ),
    )
    expect(told).toContain('the mapping harbor.json maps no heading to shipQuantity')
  })

  test('of a sheet with headings of ours is named, too', async () => {
    const ours = eventHeadings.filter((name) => name !== 'vendorItemCode' && name !== 'caseGtin')
    const told = toldIn(await intakeOf(csvOf([ours, ours.map(() => 'x')]), 'e.csv'))
    expect(told).toContain('no heading means vendorItemCode. Map a heading to it')
  })

  test.each([
    ['shipQuantity', { ...others, Cases: null, 'Cases (2)': null }, '7'],
    ['vendorItemCode', { Lot: 'caseLotNumber', Item: null, Cases: 'shipQuantity', 'Cases (2)': null }, 'ROM'],
  ])('is completed by one value for all rows: %s', async (name, mapping, value) => {
    const { event, told } = await readWith(columns, mapping, 'csv', { defaults: { [name]: value } })
    expect(event?.productList[0][name], told).toBe(name === 'shipQuantity' ? Number(value) : value)
  })
})
