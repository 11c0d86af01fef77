// What is written into our template and read again is the same, field by field, whatever the values
// are.
import fc from 'fast-check'
import { csvRows } from 'lotkeeper-sheets/csv'
import { expect, test } from 'vitest'
import { type EventKindName, eventKinds } from '../../src/contract/record-kinds.ts'
import { type Column, receivingTable, shippingTable, type Table, tables } from '../../src/intake/template.ts'
import { templateCsv, templateWorkbook } from '../../src/intake/template-file.ts'
import { samplePayload } from '../samples/payloads.ts'
import {
  csvOf,
  eventHeadings,
  intakeOf,
  recordsIn,
  rowsOf,
  shippingHeadings,
  toldIn,
  workbookOf,
} from '../support/files/import-files.ts'
import { runs } from '../support/runs.ts'

/** Blanks and marks of a spreadsheet around a text are left out; errors and lost letters are refused. */
const spreadsheetMark = /^['"`´ʼ′＇\u2018\u2019\u201c-\u201e=]|^#{3}|^\s|\s$|\ufffd/

const anyText = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 30 })
  .filter(
    (value) =>
      value.trim() !== '' &&
      !spreadsheetMark.test(value) &&
      !value.includes('\u0000') &&
      value.isWellFormed() &&
      !/[\ufffe\uffff]/.test(value),
  )
const date = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((at) => at.toISOString().slice(0, 10))
const point = fc
  .tuple(fc.constantFrom('36 40.66 N', '12.5'), fc.constantFrom('121 39.33 W', '-7'))
  .map((pair) => [...pair])

const valueIn = (column: Column): fc.Arbitrary<unknown> =>
  ({
    text: anyText,
    number: fc.integer({ min: -99_999, max: 99_999 }).map((value) => value / 100),
    boolean: fc.boolean(),
    date,
    dateTime: fc
      .tuple(date, fc.constantFrom('Z', '-06:00', '+10:00'))
      .map(([day, offset]) => `${day}T09:30:00${offset}`),
    list: point,
    pairs: fc.array(point, { minLength: 1, maxLength: 3 }),
  })[column.form]

/** A part of a payload: every required field, and some of the others. */
const partOf = ({ columns }: Table, name: Column['part']): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .tuple(
      ...columns
        .filter(({ part }) => part === name)
        .map((column) =>
          (column.required ? valueIn(column) : fc.option(valueIn(column), { nil: undefined })).map(
            (value) => [column.path, value] as const,
          ),
        ),
    )
    .map((fields) => {
      const part: Record<string, Record<string, unknown> | unknown> = {}
      for (const [[field, inner], value] of fields)
        if (value === undefined) continue
        else if (inner === undefined) part[field] = value
        else part[field] = { ...(part[field] as object), [inner]: value }
      return part
    })

const payload = (table: Table) =>
  fc
    .record({
      payload: partOf(table, 'payload'),
      event: partOf(table, 'event'),
      lines: fc.array(fc.tuple(partOf(table, 'line'), partOf(table, 'product')), { minLength: 1, maxLength: 4 }),
      shipFrom: partOf(table, 'shipFrom'),
      shipTo: partOf(table, 'shipTo'),
    })
    .map(({ payload, event, lines, shipFrom, shipTo }) => ({
      ...payload,
      productMasterDataList: lines.flatMap(([, product], i) =>
        Object.keys(product).length === 0 ? [] : [{ itemCode: `ITEM-${i}`, ...product }],
      ),
      locationMasterList: [
        { locationCode: event.shipFromLocationCode, ...shipFrom },
        { locationCode: event.shipToLocationCode, ...shipTo },
      ],
      eventList: { ...event, productList: lines.map(([line], i) => ({ ...line, vendorItemCode: `ITEM-${i}` })) },
    }))

test.each([receivingTable, shippingTable])(
  'a payload written into the template as CSV or XLSX is read back equal: $name',
  async (table) => {
    const headings = table.columns.map(({ heading }) => heading)
    await fc.assert(
      fc.asyncProperty(payload(table), async (sent) => {
        const rows = [headings, ...rowsOf(sent, table)]
        for (const file of [csvOf(rows), await workbookOf([{ name: 'Sheet1', rows }])]) {
          const read = recordsIn(await intakeOf(file, 'events'))
          expect(read.map(({ kind }) => kind.name)).toEqual([table.kind.name])
          expect(read.map((one) => one.payload)).toEqual([sent])
        }
      }),
      { numRuns: runs(60) },
    )
  },
)

test.each([receivingTable, shippingTable])(
  'the canonical event is read back without a finding: $name',
  async (table) => {
    const sent = samplePayload(table.kind.name)
    const rows = [table.columns.map(({ heading }) => heading), ...rowsOf(sent, table)]
    const [record] = recordsIn(await intakeOf(csvOf(rows), 'events.csv'))
    expect(record).toMatchObject({ kind: table.kind, payload: sent, findings: [], lines: 1 })
  },
)

test('CSV is read the same in whatever pieces it arrives', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', ' ', 'é'), maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 5 }),
      async (rows, length) => {
        const written = csvOf([['x', 'y', 'z'], ...rows])
        const pieces = async function* () {
          for (let at = 0; at < written.length; at += length) yield written.slice(at, at + length)
        }
        const read: string[][] = []
        for await (const batch of csvRows(pieces()))
          for (const { cells } of batch) read.push(Array.from(cells, (one) => one?.text ?? ''))
        expect(read).toEqual([['x', 'y', 'z'], ...rows])
      },
    ),
  )
})

test('the template has every field of an event, its lines, its places and its items, and is read as itself', async () => {
  const readAs = async (kind?: EventKindName) => {
    const parts: Uint8Array[] = []
    for await (const part of templateWorkbook(kind)) parts.push(part)
    return toldIn(await intakeOf(Buffer.concat(parts), 'events.xlsx'))
  }
  const told = await readAs()
  for (const { name, kind } of tables) {
    expect(told).toContain(`Sheet ${name}: read as our template of ${kind.nouns}.`)
    expect(told).toContain(`Sheet ${name}: there are headings but no rows`)
  }
  expect(told).not.toContain('fault')
  for (const kind of ['receivingEvent', 'shippingEvent'] as const) {
    const own = await readAs(kind)
    expect(own.match(/read as our template of \w+ events/g)).toHaveLength(1)
    for (const text of [own, toldIn(await intakeOf(templateCsv(kind), 'events.csv'))])
      expect(text).toMatch(new RegExp(`read as our template of ${eventKinds[kind].nouns}[^]*but no rows`))
  }
  for (const headings of [eventHeadings, shippingHeadings]) {
    expect(headings).toEqual(
      expect.arrayContaining(['businessUnit', 'productList.businessUnit', 'shipTo.address.city']),
    )
    expect(new Set(headings).size).toBe(headings.length)
  }
})
