// Sheets of FDA and PTI as they are in use: no value is lost or changed without a line that says
// so.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Exemption, exemptPlaceKey, type NewExemptPlace } from '../../src/contract/exempt-place.ts'
import type { IntakeOptions } from '../../src/intake/intake.ts'
import type { IntakeRecord } from '../../src/intake/intake-record.ts'
import { judgeRecord } from '../../src/intake/judge-record.ts'
import { ExemptReceipts } from '../../src/intake/layouts/exempt-receipts.ts'
import { fdaHeadings, fdaRow, ptiReceivingHeadings, ptiRow, ptiSheets } from '../support/files/foreign-sheets.ts'
import { csvOf, intakeOf, recordsIn, toldIn, workbookOf } from '../support/files/import-files.ts'
import type { Payload } from '../support/records/payloads.ts'
import { now } from '../support/records/prove-rule.ts'
import { runs } from '../support/runs.ts'

const settings = { lotNumberRequiredFrom: '2026-01-01' }
const options = { utcOffset: '-06:00', defaults: { dataProviderVendorId: 'V-1' } } as const

const eventOf = (record: IntakeRecord | undefined): Payload => record?.payload.eventList
const errorsOf = (record: IntakeRecord) =>
  judgeRecord(record, settings, now).findings.filter(({ severity }) => severity === 'error')

async function fda(rows: readonly (readonly string[])[], changes: Partial<IntakeOptions> = {}) {
  const all = await intakeOf(csvOf([fdaHeadings, ...rows]), 'fda.csv', { ...options, ...changes })
  return { records: recordsIn(all), told: toldIn(all) }
}

/** Columns of FDA's sheet, counted from 0. */
const at = {
  lot: 0,
  brand: 4,
  style: 8,
  shipFrom: 9,
  shipTo: 16,
  street: 18,
  date: 23,
  type: 32,
  number: 33,
  number2: 35,
}

describe('n/a', () => {
  test.each([
    ['lot', 'NA-2291'],
    ['brand', 'NA Organics'],
    ['style', 'NA crate'],
    ['number', 'NA-55310'],
    ['shipFrom', 'NA Produce LLC'],
    ['lot', 'n/a-7'],
    ['brand', 'N/A (seedless)'],
  ] as const)('in a longer text of %s is part of the value: %s', async (column, text) => {
    const { records, told } = await fda([fdaRow({ [at[column]]: text })])
    expect(records.flatMap(errorsOf)).toEqual([])
    expect(JSON.stringify(records[0]?.payload)).toContain(JSON.stringify(text).slice(1, -1))
    expect(told).not.toContain(text)
  })

  test.each([
    'n/a',
    'N/A',
    'na',
    'NA',
    ' n/a ',
    'n/a (See Reference)',
    'N/A (see column AF)',
    'NA (See TLC Source Reference)',
  ])('alone is a blank, and that is said with the count and the first row: %s', async (text) => {
    const { records, told } = await fda([fdaRow(), fdaRow({ [at.brand]: text }), fdaRow({ [at.brand]: text })])
    expect(records[0]?.payload.productMasterDataList).toHaveLength(2)
    expect(JSON.stringify(records[0]?.payload)).not.toContain(`"${text}"`)
    expect(told).toContain(`Brand Name (if applicable) has ${JSON.stringify(text.trim())} and the like`)
    expect(told).toContain('(2 rows, the first is row 3).')
  })
})

describe('deliveries of one day without a time of day', () => {
  test('are distinct events if they differ in their ship-from location or a document, which is reported once', async () => {
    const rows = [
      fdaRow(),
      fdaRow({ 0: 'HG-2' }),
      fdaRow({ [at.number]: 'B-2' }),
      fdaRow({ [at.number2]: 'PO-2' }),
      fdaRow({ [at.shipFrom]: 'Dune Farm' }),
      fdaRow({ [at.date]: '03/05/2026' }),
    ]
    const { records, told } = await fda(rows)
    expect(records.flatMap(errorsOf)).toEqual([])
    expect(records.map(({ lines }) => lines)).toEqual([2, 1, 1, 1, 1])
    const times = records.map((record) => eventOf(record).eventDateTime)
    expect(new Set(times).size).toBe(5)
    expect(times.map((time) => time.slice(0, 10))).toEqual([...Array(4).fill('2026-03-04'), '2026-03-05'])
    expect(told.match(/gets its own time/g)).toHaveLength(1)
  })

  test('have the same event date times in any order of the rows and in any part of the file', async () => {
    const delivery = fc.record({
      farm: fc.constantFrom('Dune Farm', 'Harbor Greenhouse', 'Kelp Cove'),
      document: fc.constantFrom('B-1', 'B-2', 'B-3'),
      day: fc.constantFrom('03/04/2026', '03/05/2026'),
    })
    const rowsOf = ({ farm, document, day }: { farm: string; document: string; day: string }) =>
      ['L-1', 'L-2'].map((lot) => fdaRow({ [at.lot]: lot, [at.shipFrom]: farm, [at.number]: document, [at.date]: day }))
    const timesIn = async (rows: readonly (readonly string[])[]) =>
      new Map(
        (await fda(rows)).records.map((record) => [
          `${record.payload.locationMasterList} ${eventOf(record).shipFromLocationCode} ${eventOf(record).billOfLadingNumber} ${eventOf(record).eventDateTime.slice(0, 10)}`,
          [eventOf(record).eventDateTime, record.lines, errorsOf(record).length],
        ]),
      )
    const many = fc.uniqueArray(delivery, { minLength: 1, maxLength: 12, selector: (one) => JSON.stringify(one) })
    await fc.assert(
      fc.asyncProperty(many, fc.infiniteStream(fc.nat(99)), async (deliveries, random) => {
        const rows = deliveries.flatMap(rowsOf)
        const whole = await timesIn(rows)
        expect(whole.size).toBe(deliveries.length)
        const shuffled = rows
          .map((row) => ({ row, by: random.next().value }))
          .sort((one, other) => one.by - other.by)
          .map(({ row }) => row)
        // Rows of one delivery that stand apart are put together.
        expect(new Map([...(await timesIn(shuffled))].sort())).toEqual(new Map([...whole].sort()))
        for (const [key, value] of await timesIn(deliveries.slice(0, 1).flatMap(rowsOf)))
          expect(whole.get(key)).toEqual(value)
      }),
      { numRuns: runs(60) },
    )
  })

  test('a sheet sorted by lot code gives the same events as one sorted by delivery', async () => {
    const rows = ['B-1', 'B-2', 'B-3'].flatMap((document) =>
      ['L-1', 'L-2', 'L-3'].map((lot) => fdaRow({ [at.lot]: lot, [at.number]: document })),
    )
    const byLot = [...rows].sort((one, other) => (one[0] ?? '').localeCompare(other[0] ?? ''))
    const sorted = await fda(byLot)
    expect(sorted.records.flatMap(errorsOf)).toEqual([])
    const payloads = ({ records }: { records: readonly IntakeRecord[] }) =>
      new Set(records.map(({ payload }) => JSON.stringify(payload)))
    expect(payloads(sorted)).toEqual(payloads(await fda(rows)))
  })

  test('a row whose date cannot be read rejects the delivery that it may belong to', async () => {
    const rows = [
      fdaRow({ [at.lot]: 'L-1' }),
      fdaRow({ [at.number]: 'B-2', [at.number2]: 'PO-2' }),
      fdaRow({ [at.number]: 'B-3', [at.number2]: 'PO-3' }),
      fdaRow({ [at.lot]: 'L-2', [at.date]: '03/40/2026' }),
    ]
    const { records } = await fda(rows)
    const sent = records.filter((record) => errorsOf(record).length === 0)
    expect(sent.map((record) => eventOf(record).billOfLadingNumber)).toEqual(['B-2'])
  })

  test('two that have the same second by chance stay two events, and have further times to choose from', async () => {
    const bills = Array.from({ length: 900 }, (_, i) => `B-${i}`)
    const { records } = await fda(bills.map((bill) => fdaRow({ [at.number]: bill })))
    expect(records).toHaveLength(900)
    const secondOf = (record: IntakeRecord) => eventOf(record).eventDateTime
    const seconds = records.map(secondOf)
    const twice = seconds.find((second, i) => seconds.indexOf(second) < i)
    const alike = records.filter((record) => secondOf(record) === twice)
    expect(alike.length).toBeGreaterThan(1)
    expect(alike.flatMap(errorsOf)).toEqual([])
    const next = alike.map(({ atOtherTime }) => (atOtherTime?.(1) as Payload)?.eventList)
    expect(new Set(next.map(({ eventDateTime }) => eventDateTime)).size).toBe(alike.length)
    for (const { eventDateTime } of next) expect(eventDateTime).toMatch(/^2026-03-04T(1[2-9]|2[0-3])/)
    expect(next.map(({ billOfLadingNumber }) => billOfLadingNumber)).toEqual(
      alike.map((record) => eventOf(record).billOfLadingNumber),
    )
  })

  test('an event date time with its time of day is kept as it is', async () => {
    const { records } = await fda([fdaRow({ [at.date]: '03/04/2026 9:30' })])
    expect(eventOf(records[0]).eventDateTime).toBe('2026-03-04T09:30:00-06:00')
    expect(records[0]?.atOtherTime).toBeUndefined()
  })
})

describe('reference documents', () => {
  test.each([
    ['Receipt', '24-1103-48', 'Receipt 24-1103-48'],
    ['Packing List', '48661', 'Packing List 48661'],
    ['Invoice', '750A', 'Invoice 750A'],
    ['Inter-Location Transfer', '77', 'Inter-Location Transfer 77'],
    ['Truck log', '5-1', 'Truck log: 5-1'],
  ])(
    'of a kind without a field of its own are the purchase order number, the kind in front: %s',
    async (type, number, order) => {
      const { records, told } = await fda([fdaRow({ [at.type]: type, [at.number]: number, 34: '', 35: '' })])
      expect(records.flatMap(errorsOf)).toEqual([])
      expect(eventOf(records[0])).toMatchObject({ purchaseOrderNumber: order })
      expect(told).toContain(`imported as purchaseOrderNumber with the kind in front, e.g. ${order} (row 2)`)
    },
  )

  test('keep their numbers as they are written', async () => {
    const { records } = await fda([
      fdaRow({ [at.type]: 'Advance Shipping Notice', [at.number]: 'ASN-12005', 35: 'PO 88120' }),
    ])
    expect(eventOf(records[0])).toMatchObject({ asnNumber: 'ASN-12005', purchaseOrderNumber: 'PO 88120' })
  })

  test('beside a purchase order go into a free field, and a document without one is reported', async () => {
    const beside = await fda([fdaRow({ [at.type]: 'Packing List', [at.number]: '48661' })])
    expect(beside.records.flatMap(errorsOf)).toEqual([])
    expect(eventOf(beside.records[0])).toMatchObject({
      purchaseOrderNumber: 'PO-1',
      billOfLadingNumber: 'Packing List 48661',
    })
    const types = 'Bill of Lading (BOL); Advance Shipping Notice (ASN); Invoice'
    const full = await fda([fdaRow({ [at.type]: types, [at.number]: 'B-1; A-1; I-1' })])
    expect(eventOf(full.records[0])).toMatchObject({
      billOfLadingNumber: 'B-1',
      asnNumber: 'A-1',
      purchaseOrderNumber: 'PO-1',
    })
    expect(full.told).toContain('Invoice I-1 and the like are left out (row 2)')
  })

  test('without a purchase order fill its field, unless one is set for the whole file', async () => {
    const only = { 34: '', 35: '' }
    const repeated = await fda([fdaRow(only)])
    expect(repeated.records.flatMap(errorsOf)).toEqual([])
    expect(eventOf(repeated.records[0])).toMatchObject({
      billOfLadingNumber: 'B-1',
      purchaseOrderNumber: 'Bill of Lading (BOL) B-1',
    })
    expect(repeated.told).toContain('has rows without the required purchase order')
    const set = await fda([fdaRow(only)], { defaults: { ...options.defaults, purchaseOrderNumber: 'PO-9' } })
    expect(eventOf(set.records[0])).toMatchObject({ billOfLadingNumber: 'B-1', purchaseOrderNumber: 'PO-9' })
  })
})

describe("FDA's sheet Receiving From Exempt", () => {
  const place = 'Location Description for where the Food was Received (i.e., the Traceability Lot Code Source)'
  const headings = [
    'Traceability Lot Code (which you must assign if one has not already been assigned)\n(does not apply if you are a Retail Food Establishment or Restaurant)\n\n(The Traceability Lot Code you assigned)',
    ...fdaHeadings.slice(1, 16),
    ...['Business Name', 'Phone Number', 'Street Address or Geographic Coordinates'].map(
      (part) => `${place} - \n${part}`,
    ),
    `${place} -  \nCity`,
    ...['State/Region', 'ZIP/Postal Code', 'Country'].map((part) => `${place} - \n${part}`),
    'Traceability Lot Code Source Reference (if applicable)\n\n(Shareable reference)',
    'Receive Date\n(mm/dd/yyyy)',
    ...fdaHeadings.slice(-4),
  ]
  const row = (changes: Readonly<Record<number, string>> = {}) => {
    const all = fdaRow()
    return [...all.slice(0, 23), 'FFRN:14532865782', '03/04/2026', ...all.slice(-4)].map(
      (text, i) => changes[i] ?? text,
    )
  }

  test('becomes events of which the place of receipt is the source of the lot code', async () => {
    expect(headings).toHaveLength(29)
    const sheets = [
      { name: 'Receiving', rows: [fdaHeadings, fdaRow({ [at.number]: 'B-7' })] },
      { name: 'Receiving From Exempt', rows: [headings, row(), row({ 0: 'OWN-2' })] },
    ]
    const all = await intakeOf(await workbookOf(sheets), 'fda.xlsx', options)
    const [, exempt] = recordsIn(all)
    expect(recordsIn(all).flatMap(errorsOf)).toEqual([])
    expect(eventOf(exempt)).toMatchObject({
      shipToLocationCode: 'River Warehouse, 17 Levee Road, Memphis, TN, 38103',
      productList: [
        {
          caseLotNumber: 'HG-1',
          tlcSourceName: 'River Warehouse',
          tlcSourceAddress1: '17 Levee Road',
          tlcSourceCity: 'Memphis',
          tlcSourceState: 'TN',
          tlcSourcePostalCode: '38103',
          tlcSourceCountry: 'USA',
          tlcSourcePhoneNumber: '+1.901.555.0186',
          tlcSourceReferenceFfrn: '14532865782',
        },
        { caseLotNumber: 'OWN-2' },
      ],
    })
    expect(toldIn(all)).toContain('that the shipper is exempt is declared once for it, and in no event')
    const undeclared = async (...places: readonly (readonly [NewExemptPlace, ...Exemption[]])[]) => {
      const declared = new Map(places.map(([place, ...some]) => [exemptPlaceKey(place), some]))
      const receipts = new ExemptReceipts(async () => declared)
      for (const record of recordsIn(all)) await receipts.take(record)
      return receipts.lines().join()
    }
    const { shipFromLocationCode: locationCode, dataProviderVendorId } = eventOf(exempt)
    expect(await undeclared()).toContain(
      `exempt on the dates of their rows: "${locationCode}" of vendor "V-1" (1 event). `,
    )
    const ended = { reason: 'nonprofit', endDate: '2026-03-03' } as const
    expect(await undeclared([{ dataProviderVendorId, locationCode }, ended])).not.toBe('')
    expect(await undeclared([{ dataProviderVendorId }, { reason: 'farmPurchase' }])).not.toBe('')
    expect(await undeclared([{ dataProviderVendorId }, { reason: 'nonprofit' }])).toBe('')
  })
})

describe('a PTI workbook as PTI ships it', () => {
  const optionsPti = { ...options, defaults: { dataProviderVendorId: 'V-1' } }
  const read = async (rows: readonly (readonly string[])[], headings?: readonly string[]) =>
    intakeOf(await workbookOf(ptiSheets(rows, headings as string[])), 'pti.xlsx', optionsPti)

  test.each([
    ['with one spelling of the source reference', '(a)(7) TLC Source Reference '],
    ['with another', '(a)(7) TLC Source Reference'],
    ['of Foodservice', '(7) TLC Source Reference '],
  ])('comes in whole, %s', async (_, sourceReference) => {
    const all = await read([ptiRow(), ptiRow({ 1: '188', 2: '260303' })], ptiReceivingHeadings(sourceReference))
    const records = recordsIn(all)
    expect(records.map(({ kind }) => kind.name)).toEqual(['location', 'location', 'masterProduct', 'receivingEvent'])
    expect(records.flatMap(errorsOf)).toEqual([])
    expect(records[0]?.payload.locationMasterList).toMatchObject({
      locationCode: 'Harbor Greenhouse',
      phoneNumber: '(831)555-0142',
      address: {
        streetAddress1: '5 Quay Street',
        city: 'Watsonville',
        state: 'CA',
        postalCode: '95076',
        country: 'USA',
      },
      geoLocation: { gpsCoordinates: ['36.916446', '-121.833193'] },
      gln: '0614141000012',
    })
    expect(records[3]?.payload).toMatchObject({
      locationMasterList: [
        { locationCode: 'Harbor Greenhouse', gln: '0614141000012' },
        { phoneNumber: '(901) 555-0186' },
      ],
      eventList: {
        asnNumber: 'ASN-12005',
        purchaseOrderNumber: 'Advance Shipping Notice (ASN) ASN-12005',
        productList: [
          { caseLotNumber: '187', packagingDate: '2026-03-02', tlcSourceReferenceFfrn: '145328657', shipQuantity: 20 },
          { caseLotNumber: '188', packagingDate: '2026-03-03', shipQuantityUom: 'CS' },
        ],
      },
    })
    const told = toldIn(all)
    expect(told).toContain('260302 is read as 2026-03-02 (2 rows, the first is row 9)')
    expect(told).toContain('without its columns Field Name*, FFRN**, TLC Source Lookup Site')
    expect(told).toContain('Sheet Receiving: the sheet has explanations of the table, such as "* if applicable"')
    expect(told).toMatch(/Sheet Locations: the sheet has explanations .* \(3 rows, the first is row 8\)/)
  })

  test.each([
    ['INV-12005', 'Invoice INV-12005'],
    ['Sales Receipt', 'Other Document Sales Receipt'],
    ['48661', 'Other Document 48661'],
  ])('a document of another kind or of none, %s, is never called a purchase order', async (text, order) => {
    const event = recordsIn(await read([ptiRow({ 16: text })])).at(-1)
    expect(eventOf(event).purchaseOrderNumber).toBe(order)
  })

  test("FDA's name of a kind in front of a number is cut off, and that is told", async () => {
    const all = await read([ptiRow({ 16: 'Advance Shipping Notice (ASN) 12005' })])
    expect(eventOf(recordsIn(all).at(-1)).asnNumber).toBe('12005')
    expect(toldIn(all)).toContain('is imported as Advance Shipping Notice (ASN) with the number 12005 (row 9)')
  })

  test('a row with only one filled cell is an error unless a footnote is above it', async () => {
    const all = await read([ptiRow(), ['10614141000415', ...Array(23).fill('')], ptiRow({ 16: 'ASN-7' })])
    expect(recordsIn(all).filter((record) => errorsOf(record).length > 0).length).toBeGreaterThan(0)
    expect(toldIn(all)).toMatch(/Sheet Receiving: the sheet has explanations .* \(3 rows, the first is row 14\)/)
  })

  test('an example row that is marked so is no data; a lot that begins with the word is', async () => {
    const all = await read([ptiRow({ 0: 'Example:' }), ptiRow({ 1: 'Example-7' })])
    const event = recordsIn(all).at(-1)
    expect(eventOf(event).productList).toMatchObject([{ caseLotNumber: 'Example-7' }])
    expect(toldIn(all)).toContain('such as "Example:"; they are left out (4 rows, the first is row 9)')
  })
})
