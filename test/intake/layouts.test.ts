// Sheets of others, and cells as spreadsheets leave them: what each becomes, and what is said of
// it.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withCheckDigit } from '../../src/contract/text/identifiers.ts'
import type { IntakeOptions } from '../../src/intake/intake.ts'
import { judgeRecord } from '../../src/intake/judge-record.ts'
import { fdaHeadings, fdaRow } from '../support/files/foreign-sheets.ts'
import {
  csvOf,
  eventHeadings,
  goodRow,
  intakeOf,
  recordsIn,
  toldIn,
  workbookOf,
} from '../support/files/import-files.ts'
import { now } from '../support/records/prove-rule.ts'
import { runs } from '../support/runs.ts'

const fromCode = 'Harbor Greenhouse, 5 Quay Street, Watsonville, CA, 95076'
const toCode = 'River Warehouse, 17 Levee Road, Memphis, TN, 38103'

const fdaOptions = { utcOffset: '-06:00', defaults: { dataProviderVendorId: 'V-1' } } as const

describe("FDA's sheet Receiving", () => {
  test('becomes events: dates at the receiver, names in place of codes, references and documents by their kind', async () => {
    expect(fdaHeadings).toHaveLength(36)
    const rows = [fdaHeadings, fdaRow(), fdaRow({ 0: 'HG-2' })]
    const all = await intakeOf(await workbookOf([{ name: 'Receiving', rows }]), 'fda.xlsx', fdaOptions)
    const [record] = recordsIn(all)
    expect(record?.payload).toEqual({
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
          locationCode: fromCode,
          locationName: 'Harbor Greenhouse',
          phoneNumber: '+1.831.555.0142',
          address: { streetAddress1: '5 Quay Street', city: 'Watsonville', state: 'CA', postalCode: '95076' },
        },
        {
          locationCode: toCode,
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
        shipFromLocationCode: fromCode,
        shipToLocationCode: toCode,
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
    const told = toldIn(all)
    for (const said of [
      "FDA's sheet Receiving",
      'gets its own time, from 12:00:00 on (2 rows, the first is row 2)',
      '-06:00 is assumed',
      'month first',
      'it is made from name and address, or is the GLN',
      'has "n/a" and the like, which is imported as blank (2 rows, the first is row 2)',
    ])
      expect(told).toContain(said)
    expect(record && judgeRecord(record, { lotNumberRequiredFrom: '2026-01-01' }, now).refused).toBe(false)
  })
})

test('a PTI receiving sheet becomes events', async () => {
  const sheet: Readonly<Record<string, string>> = {
    '(a)(1) TLC - GTIN': '10614141000415',
    '(a)(1) TLC - Batch': 'B-7',
    '(a)(1) TLC - Date**': '3/2/2026',
    '(a)(1) TLC - Date Type**': 'Pack Date',
    '(a)(1) TLC - SSCC**': '106141411234567897',
    '(b)(1) TLC - Assigned By': 'Harbor',
    '(a)(2) Qty & UOM': '40 CASES',
    '(a)(3) Product Description': 'Vine tomatoes',
    '(a)(4) Immediate Previous Source (IPS) Location - (Shipped from Location)': 'Harbor Greenhouse',
    '(a)(5) Receive Location': 'River Warehouse',
    '(a)(6) Receive Date': '2026-03-04',
    '(a)(7) TLC Source ReferenceGLN': '0614141000012',
    '(a)(7) TLC Source ReferenceGGN': '4049928415684',
    '(a)(8) Ref Doc': 'PO 88120',
  }
  const all = await intakeOf(csvOf([Object.keys(sheet), Object.values(sheet)]), 'pti.csv', fdaOptions)
  expect(toldIn(all)).toContain('without its columns (b)(1) TLC - Assigned By')
  const [record] = recordsIn(all)
  expect(record?.findings).toEqual([])
  expect(record?.payload).toMatchObject({
    productMasterDataList: [{ itemCode: '10614141000415', gtin: '10614141000415', itemDescription: 'Vine tomatoes' }],
    eventList: {
      purchaseOrderNumber: 'PO 88120',
      productList: [
        {
          caseGtin: '10614141000415',
          caseLotNumber: 'B-7',
          packagingDate: '2026-03-02',
          palletId: '106141411234567897',
          shipQuantity: 40,
          shipQuantityUom: 'CASES',
          tlcSourceReferenceGln: '0614141000012',
          tlcSourceReferenceOther: 'GGN:4049928415684',
        },
      ],
    },
  })
})

test('a PTI workbook becomes locations, products, and events that carry them', async () => {
  const place = ['Business or Farm Name', 'Phone', 'Address', 'City', 'State', 'Zip', 'Country', 'Field Name*']
  const farm = ['Harbor Greenhouse', '+1.831.555.0142', '5 Quay Street', 'Watsonville', 'CA', '95076', 'n/a', 'North 4']
  const sheets = [
    {
      name: 'Receiving',
      rows: [
        [
          '(a)(1) TLC - GTIN',
          '(a)(1) TLC - Batch',
          '(a)(2) Qty & UOM',
          '(a)(3) Product Description',
          '(a)(4) IPS Location',
          '(a)(5) Receive Location',
          '(a)(6) Receive Date',
          '(a)(7) TLC Source Reference FFRN',
          '(a)(8) Ref Doc',
        ],
        [
          ...['10614141000415', 'B-7', '40 CASES', 'Vine tomatoes', 'Harbor Greenhouse', 'River Warehouse'],
          ...['3/4/2026', '14532865782', 'PO 88120'],
        ],
      ],
    },
    {
      name: 'Locations',
      rows: [
        [...place, 'Geo-Coordinates*', 'GLN**', 'FFRN**'],
        [...farm, '36 55.1 N, 121 45.3 W', '0614141000012', '14532865782'],
        ['River Warehouse', '+1.901.555.0186', '17 Levee Road', 'Memphis', 'TN', '38103', 'USA', '', '', '', ''],
      ],
    },
    {
      name: 'Products',
      rows: [
        ['FTL List Category', 'GTIN', 'Product Name'],
        ['tomatoes', '10614141000415', 'Vine tomatoes 12 lb'],
      ],
    },
  ]
  const all = await intakeOf(await workbookOf(sheets), 'pti.xlsx', fdaOptions)
  expect(toldIn(all)).toContain('without its columns Field Name*, FFRN**')
  const records = recordsIn(all)
  const refused = records
    .map((one) => judgeRecord(one, { lotNumberRequiredFrom: '2026-01-01' }, now))
    .filter((one) => one.refused)
  expect(refused).toEqual([])
  const [location, , product, event] = records
  const harbor = {
    locationCode: 'Harbor Greenhouse',
    locationName: 'Harbor Greenhouse',
    phoneNumber: '+1.831.555.0142',
    address: { streetAddress1: '5 Quay Street', city: 'Watsonville', state: 'CA', postalCode: '95076' },
    geoLocation: { gpsCoordinates: ['36 55.1 N', '121 45.3 W'] },
    gln: '0614141000012',
  }
  const tomatoes = { itemCode: '10614141000415', gtin: '10614141000415', ftlCategory: 'tomatoes', isFtlItem: true }
  expect(location?.payload).toEqual({ locationMasterList: { ...harbor, dataProviderVendorId: 'V-1' } })
  expect(product?.payload).toEqual({
    productMasterDataList: { ...tomatoes, itemDescription: 'Vine tomatoes 12 lb', dataProviderVendorId: 'V-1' },
  })
  expect(event?.payload).toMatchObject({
    productMasterDataList: [tomatoes],
    locationMasterList: [harbor, { locationCode: 'River Warehouse' }],
    eventList: { shipFromLocationCode: 'Harbor Greenhouse', shipToLocationCode: 'River Warehouse' },
  })
})

describe('cells', () => {
  const readOne = async (cells: Readonly<Record<string, string>>, options: Partial<IntakeOptions> = {}) => {
    const all = await intakeOf(csvOf([eventHeadings, goodRow(cells)]), 'events.csv', options)
    const [record] = recordsIn(all)
    // biome-ignore lint/suspicious/noExplicitAny: looked into by name
    return { event: record?.payload.eventList as any, findings: record?.findings, told: toldIn(all) }
  }

  test.each([
    ['2026-03-04T09:30:00Z', '2026-03-04T09:30:00Z', ''],
    ['2026-03-04 09:30', '2026-03-04T09:30:00-08:00', '-08:00 is assumed'],
    ['3/4/2026 9:30 PM', '2026-03-04T21:30:00-08:00', 'month first'],
    ['3/4/2026 12:00 am', '2026-03-04T00:00:00-08:00', 'month first'],
    ['04.03.2026 09:30:15', '2026-03-04T09:30:15-08:00', 'day first'],
    ['2026/03/04', '2026-03-04T12:00:00-08:00', 'without a time of day; 12:00:00'],
    ['46085', '2026-03-04T12:00:00-08:00', 'days since 1900, 46085 as 2026-03-04'],
    ['46085.5', '2026-03-04T12:00:00-08:00', 'days since 1900'],
  ])('the date time %s is read as %s, and the choice is told', async (text, value, says) => {
    const { event, findings, told } = await readOne({ eventDateTime: text }, { utcOffset: '-08:00' })
    expect(findings).toEqual([])
    expect(event.eventDateTime).toBe(value)
    expect(told).toContain(says)
  })

  test.each([
    ['eventDateTime', '2026-03-04 09:30', 'has no offset'],
    ['eventDateTime', '2026-03-04T09:30:00+05:30', 'whole hours'],
    ['eventDateTime', 'yesterday', 'not a date'],
    ['eventDateTime', '3/4/2026 25:99', 'not a time of day'],
    ['harvestDate', '31/12/2025', 'month first'],
    ['harvestDate', '2026-02-30', 'no such date'],
    ['harvestDate', '2026-03-04 10:00', 'has a time of day'],
    ['shipQuantity', '1,234', 'two different numbers'],
    ['shipQuantity', '40 cases', 'not a number'],
    ['shipQuantity', '1.23456789012345678', 'more than 15 digits'],
    ['product.isFtlItem', 'maybe', 'neither yes nor no'],
    ['caseGtin', '1.06141E+13', 'last digits are lost'],
  ])('%s %s is an error at its column', async (column, text, says) => {
    expect((await readOne({ [column]: text })).findings).toMatchObject([
      { severity: 'error', row: 2, column, message: expect.stringContaining(says) },
    ])
  })

  test('day first is a choice for slashes', async () => {
    const { event } = await readOne({ harvestDate: '31/12/2025' }, { dates: 'dmy' })
    expect(event.productList[0].harvestDate).toBe('2025-12-31')
  })

  test('a lot code that looks like a lost number is kept as it is, and doubted', async () => {
    const { event, findings } = await readOne({ caseLotNumber: '1E5' })
    expect(event.productList[0].caseLotNumber).toBe('1E5')
    expect(findings).toMatchObject([{ severity: 'warning', column: 'caseLotNumber' }])
  })

  test('zeros that a spreadsheet took are offered where the check digit proves them, and put back only when asked', async () => {
    const withZeros = (length: number, zeros: RegExp) =>
      fc.stringMatching(zeros).map((some) => withCheckDigit(some.padEnd(length - 1, '1')))
    const codes = fc.oneof(
      withZeros(14, /^0{3,5}[1-9]\d{5}$/).map((code) => ['caseGtin', code] as const),
      withZeros(13, /^0{1,5}[1-9]\d{5}$/).map((code) => ['tlcSourceReferenceGln', code] as const),
      withZeros(18, /^0{1,5}[1-9]\d{10}$/).map((code) => ['palletId', code] as const),
    )
    await fc.assert(
      fc.asyncProperty(codes, async ([field, code]) => {
        const lost = String(BigInt(code))
        const left = await readOne({ [field]: lost })
        expect(left.event.productList[0][field]).toBe(lost)
        // A long number that ends in 0 may also be rounded, which is told too.
        expect(left.findings).toContainEqual(
          expect.objectContaining({ severity: 'warning', message: expect.stringContaining(code) }),
        )
        const back = await readOne({ [field]: lost }, { restoreZeros: true })
        expect(back.event.productList[0][field]).toBe(code)
        expect(back.told).toContain('leading zeros')
      }),
      { numRuns: runs(60) },
    )
    const wrong = await readOne({ caseGtin: '61414100041' }, { restoreZeros: true })
    expect(wrong.event.productList[0].caseGtin).toBe('61414100041')
  })

  test.each(['614141000418', '4006381333931', '96385074'])(
    'a whole GTIN of a consumer package, %s, is never made the GTIN-14 of a case, nor called a spreadsheet loss',
    async (gtin) => {
      for (const restoreZeros of [false, true]) {
        const { event, findings, told } = await readOne({ caseGtin: gtin }, { restoreZeros })
        expect(event.productList[0].caseGtin).toBe(gtin)
        expect(findings).toMatchObject([{ message: expect.stringContaining(`complete GTIN-${gtin.length}`) }])
        expect(findings?.[0]?.message).not.toContain('spreadsheet')
        expect(told).not.toContain('zeros')
      }
    },
  )
})

describe('rows of one event', () => {
  test('that do not agree, or stand apart, are errors at their rows', async () => {
    const other = { eventDateTime: '2026-03-05T09:30:00-06:00' }
    const rows = [
      eventHeadings,
      goodRow(),
      goodRow({ asnNumber: 'A-2' }),
      goodRow(other),
      goodRow(),
      goodRow({ 'product.itemDescription': 'Other' }),
    ]
    const [first, second, third] = recordsIn(await intakeOf(csvOf(rows), 'e.csv'))
    expect(first?.findings).toMatchObject([
      { row: 2, message: expect.stringContaining('they continue in row 5'), severity: 'error' },
      { row: 3, column: 'asnNumber', severity: 'error' },
    ])
    expect(second?.findings).toEqual([])
    expect(third?.findings).toMatchObject([
      { row: 5, message: expect.stringContaining('others are further up') },
      { row: 6, column: 'product.itemDescription' },
    ])
  })

  test('findings of the rules have row and column, also in another part of the payload', async () => {
    const rows = [eventHeadings, goodRow(), goodRow({ caseGtin: '123', 'shipTo.gln': '' })]
    const [record] = recordsIn(await intakeOf(csvOf(rows), 'e.csv'))
    const verdict = record && judgeRecord(record, { lotNumberRequiredFrom: '2026-01-01' }, now)
    expect(verdict?.refused).toBe(true)
    expect(verdict?.findings).toContainEqual(expect.objectContaining({ row: 3, column: 'caseGtin', severity: 'error' }))
    const [bad] = recordsIn(
      await intakeOf(csvOf([eventHeadings, goodRow({ 'shipTo.gln': '12', purchaseOrderNumber: '' })]), 'e.csv'),
    )
    const found = bad && judgeRecord(bad, { lotNumberRequiredFrom: '2026-01-01' }, now).findings
    expect(found?.map(({ column }) => column)).toEqual(expect.arrayContaining(['shipTo.gln', 'purchaseOrderNumber']))
  })

  test('an event given twice in NDJSON is an error on both lines', async () => {
    const [record] = recordsIn(await intakeOf(csvOf([eventHeadings, goodRow()]), 'e.csv'))
    const line = JSON.stringify(record?.payload)
    const [first, second] = recordsIn(await intakeOf(`${line}\n\n${line}\n`, 'e.ndjson'))
    expect(first?.findings).toMatchObject([
      { severity: 'error', row: 1, message: expect.stringMatching(/^Line 3 holds/) },
    ])
    expect(second?.findings).toMatchObject([{ severity: 'error', row: 3 }])
  })
})
