// Sheets of what was shipped: FDA's, PTI's, our template, and sheets with headings of their own.
// Each says which kind of events it has, or is asked for it.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eventKindNames } from '../../src/contract/record-kinds.ts'
import { documentCells, documentsOf } from '../../src/contract/reference-document.ts'
import { eventSheets, headingCell } from '../../src/exports/fda-spreadsheet/template.ts'
import type { IntakeOptions } from '../../src/intake/intake.ts'
import type { IntakeRecord } from '../../src/intake/intake-record.ts'
import { judgeRecord } from '../../src/intake/judge-record.ts'
import { oneLine } from '../../src/intake/layout.ts'
import { readMapping } from '../../src/intake/mapping.ts'
import { reasonHeadings, receivingTable, shippingTable } from '../../src/intake/template.ts'
import {
  fdaRow,
  fdaShippingHeadings,
  fdaShippingRow,
  ptiRow,
  ptiSheets,
  ptiShippingHeadings,
  ptiShippingRow,
  ptiShippingSheets,
} from '../support/files/foreign-sheets.ts'
import {
  csvOf,
  eventHeadings,
  goodRow,
  intakeOf,
  proposedIn,
  recordsIn,
  shippingHeadings,
  toldIn,
  workbookOf,
} from '../support/files/import-files.ts'
import { type Payload, shippingPayload } from '../support/records/payloads.ts'
import { now } from '../support/records/prove-rule.ts'
import { runs } from '../support/runs.ts'

const options = { utcOffset: '-06:00', defaults: { dataProviderVendorId: 'V-1' } } as const
const settings = { lotNumberRequiredFrom: '2026-01-01' }

const eventOf = (record: IntakeRecord | undefined): Payload => record?.payload.eventList
const kindsOf = (records: readonly IntakeRecord[]) => records.map(({ kind }) => kind.name)
const errorsOf = (record: IntakeRecord) =>
  judgeRecord(record, settings, now).findings.filter(({ severity }) => severity === 'error')

type Rows = readonly (readonly string[])[]
async function read(content: string | Uint8Array, name: string, changes: Partial<IntakeOptions> = {}) {
  const all = await intakeOf(content, name, { ...options, ...changes })
  return { all, records: recordsIn(all), told: toldIn(all) }
}

/** Columns of FDA's sheet Shipping, counted from 0. */
const at = { lot: 0, quantity: 1, shipTo: 9, shipFrom: 16, date: 23, type: 32, number: 33, type2: 34, number2: 35 }
const fda = (rows: Rows, changes: Partial<IntakeOptions> = {}) =>
  read(csvOf([fdaShippingHeadings, ...rows]), 'fda.csv', changes)

const harbor = 'Harbor Greenhouse, 5 Quay Street, Watsonville, CA, 95076'
const river = 'River Warehouse, 17 Levee Road, Memphis, TN, 38103'

describe("FDA's sheet Shipping", () => {
  test('becomes shipping events: the recipient is where they were shipped to, every column has its field', async () => {
    const rows = [
      fdaShippingHeadings,
      fdaShippingRow(),
      fdaShippingRow({ [at.lot]: 'HG-2' }),
      fdaShippingRow({ [at.date]: '03/05/2026' }),
    ]
    const { records, told } = await read(await workbookOf([{ name: 'Shipping', rows }]), 'fda.xlsx')
    expect(kindsOf(records)).toEqual(['shippingEvent', 'shippingEvent'])
    expect(records.flatMap(errorsOf)).toEqual([])
    expect(records[0]?.payload).toEqual({
      productMasterDataList: [
        {
          itemCode: 'Vine tomatoes, Harbor, Tomato, 12 lb, carton',
          itemDescription: 'Vine tomatoes',
          brandName: 'Harbor',
          productCommodity: 'Tomato',
          packSize: '12 lb',
          packStyle: 'carton',
        },
      ],
      locationMasterList: [
        {
          locationCode: harbor,
          locationName: 'Harbor Greenhouse',
          phoneNumber: '+1.831.555.0142',
          address: { streetAddress1: '5 Quay Street', city: 'Watsonville', state: 'CA', postalCode: '95076' },
        },
        {
          locationCode: river,
          locationName: 'River Warehouse',
          phoneNumber: '+1.901.555.0186',
          address: {
            streetAddress1: '17 Levee Road',
            city: 'Memphis',
            state: 'TN',
            postalCode: '38103',
            country: 'USA',
          },
        },
      ],
      eventList: {
        dataProviderVendorId: 'V-1',
        purchaseOrderNumber: 'PO-1',
        billOfLadingNumber: 'B-1',
        eventDateTime: expect.stringMatching(/^2026-03-04T(1[2-9]|2[0-3]):[0-5]\d:[0-5]\d-06:00$/),
        shipFromLocationCode: harbor,
        shipToLocationCode: river,
        productList: ['HG-1', 'HG-2'].map((caseLotNumber) => ({
          vendorItemCode: 'Vine tomatoes, Harbor, Tomato, 12 lb, carton',
          vendorItemDescription: 'Vine tomatoes',
          shipQuantity: 40,
          shipQuantityUom: 'case',
          caseLotNumber,
          tlcSourceReferenceFfrn: '14532865782',
          tlcSourceReferenceGln: '0614141000012',
          tlcSourceReferenceUrl: 'https://x.example/1',
        })),
      },
    })
    expect(told).toContain("Sheet Shipping: read as FDA's sheet Shipping.")
    expect(told).toContain('gets its own time, from 12:00:00 on (3 rows, the first is row 2)')
  })

  test.each([
    ['a bill of lading alone', ['Bill of Lading (BOL)', 'B-1', '', ''], { billOfLadingNumber: 'B-1' }],
    ['an invoice alone', ['Invoice', '750A', '', ''], { purchaseOrderNumber: 'Invoice 750A' }],
    [
      'an invoice before a ship notice',
      ['Invoice', '750A', 'Advance Shipping Notice (ASN)', 'A-1'],
      { billOfLadingNumber: 'Invoice 750A', asnNumber: 'A-1' },
    ],
    [
      'a ship notice before a packing list',
      ['Advance Shipping Notice', 'A-1', 'Packing List', '48661'],
      { asnNumber: 'A-1', purchaseOrderNumber: 'Packing List 48661' },
    ],
    [
      'an invoice, a packing list and a field tag',
      ['Invoice', '7', 'Packing List; Field Tag', '8; 9'],
      { billOfLadingNumber: 'Invoice 7', asnNumber: 'Packing List 8', purchaseOrderNumber: 'Field Tag 9' },
    ],
    ['no document', ['', '', '', ''], {}],
  ])('no purchase order is made up, and documents keep their order: %s', async (_, cells, fields) => {
    const { records } = await fda([fdaShippingRow(Object.fromEntries(cells.map((text, i) => [at.type + i, text])))])
    expect(records.flatMap(errorsOf)).toEqual([])
    const { purchaseOrderNumber, billOfLadingNumber, asnNumber } = eventOf(records[0])
    const given = Object.entries({ purchaseOrderNumber, billOfLadingNumber, asnNumber }).filter(([, text]) => text)
    expect(Object.fromEntries(given)).toEqual(fields)
  })

  test.each([
    [at.quantity, 'forty', 'Quantity'],
    [at.date, '03/45/2026', 'Shipping Date (mm/dd/yyyy)'],
    [at.number, 'B'.repeat(101), 'Reference Document Number'],
  ] as const)('a cell that cannot be read is an error at its column: %i %s', async (column, text, heading) => {
    const { records } = await fda([fdaShippingRow({ [column]: text })])
    expect(records.flatMap(errorsOf)).toContainEqual(expect.objectContaining({ row: 2, column: heading }))
  })

  test('a broken row rejects the shipment it may belong to, and no other', async () => {
    const { records } = await fda([
      fdaShippingRow({ [at.lot]: 'L-1' }),
      fdaShippingRow({ [at.number]: 'B-2', [at.number2]: 'PO-2' }),
      fdaShippingRow({ [at.number]: 'B-3', [at.number2]: 'PO-3' }),
      fdaShippingRow({ [at.lot]: 'L-2', [at.date]: '03/40/2026' }),
    ])
    const sent = records.filter((record) => errorsOf(record).length === 0)
    expect(sent.map((record) => eventOf(record).billOfLadingNumber)).toEqual(['B-2'])
  })

  test('in the whole workbook of FDA both Receiving and Shipping come in, or the kind that is chosen', async () => {
    const filled: Readonly<Record<string, Rows>> = { Receiving: [fdaRow()], Shipping: [fdaShippingRow()] }
    const workbook = await workbookOf(
      eventSheets.map(({ name, headings }) => ({ name, rows: [headings.map(headingCell), ...(filled[name] ?? [])] })),
    )
    const both = await read(workbook, 'fda.xlsx')
    expect(kindsOf(both.records)).toEqual(['receivingEvent', 'shippingEvent'])
    expect(both.records.flatMap(errorsOf)).toEqual([])
    expect(both.told).toContain('Receiving and shipping events both get the vendor V-1. If they have different vendors')
    const shipped = await read(workbook, 'fda.xlsx', { kind: 'shippingEvent' })
    expect(kindsOf(shipped.records)).toEqual(['shippingEvent'])
    expect(shipped.told).toContain(
      'Sheet Receiving was not read: it holds receiving events, and shipping events were chosen.',
    )
    expect(kindsOf((await read(workbook, 'fda.xlsx', { kind: 'receivingEvent' })).records)).toEqual(['receivingEvent'])
  })
})

describe("PTI's sheet Shipping", () => {
  test('comes in whole with its locations and products, the ids of places as GLN', async () => {
    const rows = [ptiShippingRow(), ptiShippingRow({ 1: '188' }), ptiShippingRow({ 19: 'ASN-7', 13: '3/5/26' })]
    const { records, told } = await read(await workbookOf(ptiShippingSheets(rows)), 'pti.xlsx')
    expect(kindsOf(records)).toEqual(['location', 'location', 'masterProduct', 'shippingEvent', 'shippingEvent'])
    expect(records.flatMap(errorsOf)).toEqual([])
    expect(records[3]?.payload).toMatchObject({
      locationMasterList: [
        { locationCode: 'Harbor Greenhouse', gln: '0614141000012', phoneNumber: '(831)555-0142' },
        { locationCode: 'River Warehouse', gln: '0614141999996', phoneNumber: '(901) 555-0186' },
      ],
      eventList: {
        purchaseOrderNumber: 'Invoice INV-12005 Line 1',
        shipFromLocationCode: 'Harbor Greenhouse',
        shipToLocationCode: 'River Warehouse',
        productList: [
          {
            caseLotNumber: '187',
            caseGtin: '10614141000415',
            packagingDate: '2026-03-02',
            palletId: '106141411234567897',
            shipQuantity: 20,
            shipQuantityUom: 'CS',
            tlcSourceReferenceFfrn: '145328657',
          },
          { caseLotNumber: '188' },
        ],
      },
    })
    expect(eventOf(records[4])).toMatchObject({ asnNumber: 'ASN-7' })
    expect(eventOf(records[4]).purchaseOrderNumber).toBeUndefined()
    expect(told).toContain(
      'Sheet Shipping: read as a PTI shipping sheet, without its columns VoiceCode**, TLC - Assigned',
    )
  })

  test('an id of a place that is no GLN is an error at its column', async () => {
    const { records } = await read(csvOf([ptiShippingHeadings, ptiShippingRow({ 10: 'DC-07' })]), 'pti.csv')
    expect(records.flatMap(errorsOf)).toContainEqual(
      expect.objectContaining({ row: 2, column: 'Ship-To Location ID**' }),
    )
  })

  test('is told from the sheet Receiving by its headings', async () => {
    const [receiving] = ptiSheets([ptiRow()])
    const [shipping, ...master] = ptiShippingSheets([ptiShippingRow()])
    if (receiving === undefined || shipping === undefined) throw new Error('There is no sheet.')
    const { records } = await read(await workbookOf([shipping, receiving, ...master]), 'pti.xlsx')
    expect(kindsOf(records).slice(-2)).toEqual(['receivingEvent', 'shippingEvent'])
  })
})

describe('the kind of events in our template', () => {
  const row = goodRow()
  const shipped = csvOf([shippingHeadings, row])
  const open = csvOf([eventHeadings, row])
  const sheet = (name: string) => workbookOf([{ name, rows: [eventHeadings, row] }])
  const oneKind = async (content: string | Uint8Array, name: string, changes: Partial<IntakeOptions> = {}) =>
    kindsOf((await read(content, name, changes)).records).join()

  test('is told by the heading of the date, the name of the sheet, or the heading of the reasons', async () => {
    expect(await oneKind(shipped, 'e.csv')).toBe('shippingEvent')
    for (const name of [shippingTable.name, 'Shipments'])
      expect(await oneKind(await sheet(name), 'e.xlsx')).toBe('shippingEvent')
    for (const name of [receivingTable.name, 'Receipts']) {
      const { records, told } = await read(await sheet(name), 'e.xlsx')
      expect(kindsOf(records)).toEqual(['receivingEvent'])
      expect(told).not.toContain('also fit')
    }
    const rejected = csvOf([
      [...eventHeadings, reasonHeadings.shippingEvent],
      [...row, 'why'],
    ])
    expect(await oneKind(rejected, 'e.csv')).toBe('shippingEvent')
  })

  test('is what was chosen where nothing tells it, and receiving without a choice, which is said', async () => {
    const assumed = await read(open, 'e.csv')
    expect(kindsOf(assumed.records)).toEqual(['receivingEvent'])
    expect(assumed.told).toContain('read as our template of receiving events')
    expect(assumed.told).not.toContain('also fit')
    const mapped = await read(open.replace('caseLotNumber', 'Lot'), 'e.csv', {
      mapping: { columns: { Lot: 'caseLotNumber' } },
    })
    expect(mapped.told).toContain('Its headings also fit shipping events: choose the kind')
    const chosen = await read(open, 'e.csv', { kind: 'shippingEvent' })
    expect(kindsOf(chosen.records)).toEqual(['shippingEvent'])
    expect(chosen.told).not.toContain('also fit')
    expect((await read(shipped, 'e.csv')).told).not.toContain('also fit')
  })

  test('is never changed by a choice of the other kind: nothing is imported then', async () => {
    const { all, told } = await read(shipped, 'e.csv', { kind: 'receivingEvent' })
    expect(recordsIn(all)).toEqual([])
    expect(told).toContain('The file was not read: it holds shipping events, and receiving events were chosen.')
  })

  test('two columns of one meaning are refused by name', async () => {
    const { told } = await read(
      csvOf([
        [...shippingHeadings, 'eventDateTime'],
        [...row, 'x'],
      ]),
      'e.csv',
    )
    expect(told).toMatch(/The headings "shippedDateTime" and "eventDateTime" in columns \d+ and \d+ mean the same/)
  })
})

describe('a sheet with headings of its own', () => {
  const columns = {
    'Ship Date': 'eventDateTime',
    Supplier: 'dataProviderVendorId',
    'Shipped From': 'shipFromLocationCode',
    'From GLN': 'shipFrom.gln',
    'From Name': 'shipFrom.locationName',
    'Shipped To': 'shipToLocationCode',
    'To GLN': 'shipTo.gln',
    'To Name': 'shipTo.locationName',
    Item: 'vendorItemCode',
    'Item Name': 'product.itemDescription',
    Qty: 'shipQuantity',
    UOM: 'shipQuantityUom',
    Lot: 'caseLotNumber',
    'Lot GLN': 'tlcSourceReferenceGln',
  } as const
  const good = goodRow({ eventDateTime: '3/4/26 16:10' })
  const text = csvOf([
    Object.keys(columns),
    Object.values(columns).map((name) => good[eventHeadings.indexOf(name)] ?? ''),
  ])

  test('is suggested as shipping events by its date, and read so with the mapping', async () => {
    const { all } = await read(text, 'e.csv')
    expect(all[0]).toMatchObject({ is: 'fault', columns: { kind: 'shippingEvent' } })
    expect(proposedIn(all)).toMatchObject({
      'Ship Date': 'eventDateTime',
      'Shipped From': 'shipFromLocationCode',
      Lot: 'caseLotNumber',
    })
    for (const mapping of [
      { columns },
      { kind: 'shippingEvent', columns },
      { columns: { ...columns, 'Ship Date': 'shippedDateTime' } },
    ] as const) {
      const saved = readMapping(JSON.stringify(mapping), 'mapping.json')
      if (typeof saved === 'string') throw new Error(saved)
      const { records } = await read(text, 'e.csv', { mapping: saved })
      expect(kindsOf(records)).toEqual(['shippingEvent'])
      expect(records.flatMap(errorsOf)).toEqual([])
      expect(eventOf(records[0]).eventDateTime).toBe('2026-03-04T16:10:00-06:00')
    }
    const saved = readMapping(JSON.stringify({ kind: 'receivingEvent', columns }), 'mapping.json')
    if (typeof saved === 'string') throw new Error(saved)
    expect(kindsOf((await read(text, 'e.csv', { mapping: saved })).records)).toEqual(['receivingEvent'])
  })

  test('a mapping with another kind is refused with what it may be', () => {
    expect(readMapping('{"kind": "toString", "columns": {}}', 'The mapping m.json')).toBe(
      `The mapping m.json has the kind "toString". It must be ${[...eventKindNames].slice(0, -1).join(', ')} or ${eventKindNames.at(-1)}.`,
    )
  })
})

describe('rows of shipping events', () => {
  const sent = async (rows: Rows) =>
    (await read(csvOf([shippingHeadings, ...rows]), 'e.csv')).records
      .filter((record) => errorsOf(record).length === 0)
      .map((record) =>
        eventOf(record)
          .productList.map(({ caseLotNumber }: Payload) => caseLotNumber)
          .join(' '),
      )
  const line = (caseLotNumber: string, changes: Readonly<Record<string, string>> = {}) =>
    goodRow({ caseLotNumber, ...changes })

  test('of one minute are events by their ship-from location and documents', async () => {
    const rows = [
      line('A'),
      line('B'),
      line('C', { shipFromLocationCode: 'OTHER' }),
      line('D', { purchaseOrderNumber: 'PO-2' }),
      line('E', { purchaseOrderNumber: '', billOfLadingNumber: 'B-1' }),
      line('F', { purchaseOrderNumber: '', asnNumber: 'A-1' }),
    ]
    expect(await sent(rows)).toEqual(['A B', 'C', 'D', 'E', 'F'])
  })

  test.each([
    ['below it', (rows: Rows) => rows],
    ['above it', (rows: Rows) => [...rows].reverse()],
    ['elsewhere', ([first = [], ...rest]: Rows) => [...rest, line('Y', { purchaseOrderNumber: 'PO-Y' }), first]],
  ])('that leave out documents of an event %s reject it, since they may be a part of it', async (_, order) => {
    const both = { purchaseOrderNumber: 'PO-1', billOfLadingNumber: 'B-1' }
    for (const blank of [
      { purchaseOrderNumber: '' },
      { billOfLadingNumber: '' },
      { purchaseOrderNumber: '', billOfLadingNumber: '' },
    ])
      expect(
        (await sent(order([line('A', both), line('B', { ...both, ...blank })]))).filter((lots) => lots !== 'Y'),
      ).toEqual([])
    expect(await sent([line('A', both), line('B', both), line('Z', { purchaseOrderNumber: 'PO-Z' })])).toEqual([
      'A B',
      'Z',
    ])
  })

  test('that are apart are rejected, and one that says no place or time rejects what it may belong to', async () => {
    const two = { purchaseOrderNumber: 'PO-2' }
    const later = (order: string) => ({ purchaseOrderNumber: order, eventDateTime: '2026-03-09T09:30:00-06:00' })
    expect(await sent([line('A'), line('B', two), line('C')])).toEqual(['B'])
    for (const broken of [{ shipFromLocationCode: '' }, { shipToLocationCode: '' }, { eventDateTime: 'soon' }]) {
      const rows = [line('A'), line('B', two), line('C', later('PO-3')), line('X', broken), line('D', later('PO-4'))]
      expect(await sent([...rows, line('E', later('PO-5'))])).toEqual(['B', 'E'])
    }
  })

  test('and receiving events of one workbook with the same key are two events', async () => {
    const workbook = await workbookOf([
      { name: 'Receiving events', rows: [eventHeadings, goodRow()] },
      { name: 'Shipping events', rows: [shippingHeadings, goodRow()] },
    ])
    const { records } = await read(workbook, 'e.xlsx')
    expect(kindsOf(records)).toEqual(['receivingEvent', 'shippingEvent'])
    expect(records.flatMap(errorsOf)).toEqual([])
  })
})

test('payloads of shipping events on two lines are the same event only with the same documents', async () => {
  const one = shippingPayload()
  const other = structuredClone(one)
  other.eventList.asnNumber = 'ASN-OTHER'
  const lines = (...payloads: readonly Payload[]) => payloads.map((payload) => JSON.stringify(payload)).join('\n')
  const { records } = await read(lines(one, other, one), 'e.ndjson', { kind: 'shippingEvent' })
  expect(kindsOf(records)).toEqual(['shippingEvent', 'shippingEvent', 'shippingEvent'])
  expect(records.map((record) => errorsOf(record).length)).toEqual([1, 0, 1])
  expect(records[0]?.findings[0]?.message).toContain('same vendor, ship-from and ship-to location, event date time')
})

test('the documents of a shipping event come back from FDA’s sheet, in their order', async () => {
  const text = fc.constantFrom('N-1', '88120', 'Invoice 750A', 'Packing List 4', 'Truck log: 5', 'B; 7')
  const event = fc.record(
    { billOfLadingNumber: text, asnNumber: text, purchaseOrderNumber: text },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(event, async (fields) => {
      const shown = documentCells(documentsOf(fields)).flatMap(({ type, number }) => [type, number])
      const row = fdaShippingRow(Object.fromEntries([0, 1, 2, 3].map((i) => [at.type + i, shown[i] ?? ''])))
      const { records } = await fda([row])
      expect(documentCells(documentsOf(eventOf(records[0]))).flatMap(({ type, number }) => [type, number])).toEqual(
        shown,
      )
    }),
    { numRuns: runs(300) },
  )
})

const valuesIn = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesIn) : [value]

test.each([
  ['FDA’s', fdaShippingHeadings, fdaShippingRow],
  ['PTI’s', ptiShippingHeadings, ptiShippingRow],
])(
  'no cell of %s sheet is lost: it is in the record, in a finding at its column, or in a note about it',
  async (_, headings, row) => {
    // Kinds of documents are read as FDA names them.
    const columns = fc
      .nat(headings.length - 1)
      .filter((column) => !headings[column]?.startsWith('Reference Document Type'))
    const awkward = ['-', '0', '007', 'NA-7', '1E5', '=1+1', 'Lot; 9', '99/99/9999', 'a\nb', 'Ω'.repeat(101)]
    const text = fc.oneof(
      fc.constantFrom(...awkward),
      fc.string({ minLength: 1, maxLength: 12 }).map((one) => one.trim() || 'x'),
    )
    await fc.assert(
      fc.asyncProperty(columns, text, async (column, cell) => {
        const { records, told } = await read(csvOf([headings, row({ [column]: cell })]), 'in.csv')
        const heading = oneLine(headings[column] ?? '')
        const stored = valuesIn(records.map(({ payload }) => payload))
          .map(String)
          .map(oneLine)
        const isStored = cell.split(/; |:/).every((part) => stored.some((value) => value.includes(oneLine(part))))
        const isFound = records.some((record) => errorsOf(record).some((finding) => finding.column === heading))
        const isNumber = stored.includes(String(Number(cell)))
        expect(isStored || isNumber || isFound || told.includes(heading), `${heading}: ${cell}`).toBe(true)
      }),
      { numRuns: runs(300) },
    )
  },
)
