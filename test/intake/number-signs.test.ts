// Decimal and thousands signs are decided by all rows of a column and of the file, and told; what
// nothing decides is refused.
import { describe, expect, test } from 'vitest'
import type { IntakeRecord } from '../../src/intake/intake-record.ts'
import {
  csvOf,
  eventHeadings,
  goodRow,
  intakeOf,
  recordsIn,
  toldIn,
  workbookOf,
} from '../support/files/import-files.ts'
import type { Payload } from '../support/records/payloads.ts'

const linesOf = (record: IntakeRecord | undefined): Payload[] =>
  (record?.payload.eventList as Payload | undefined)?.productList ?? []

/** A CSV file whose cells are all in quotation marks, so that a quantity may have the delimiter. */
const csv = (rows: readonly (readonly string[])[], delimiter: string) =>
  rows.map((row) => row.map((cell) => (cell === '' ? '' : `"${cell}"`)).join(delimiter)).join('\r\n')

async function quantitiesOf(
  quantities: readonly string[],
  { delimiter = ',', weights = [] as readonly string[] } = {},
) {
  const rows = quantities.map((shipQuantity, i) =>
    goodRow({ shipQuantity, vendorItemCode: `I-${i}`, 'product.grossWeight': weights[i] ?? '' }),
  )
  const all = await intakeOf(csv([eventHeadings, ...rows], delimiter), 'e.csv')
  const [record] = recordsIn(all)
  const lines = linesOf(record)
  return {
    values: lines.map(({ shipQuantity }) => shipQuantity),
    refused: (record?.findings ?? []).map(({ row }) => row),
    messages: (record?.findings ?? []).map(({ message }) => message),
    told: toldIn(all),
  }
}

describe('a column of quantities', () => {
  test.each<[readonly string[], string, readonly number[], string]>([
    [['1.000', '12,5'], ';', [1000, 12.5], 'the point is read as the thousands separator, 1.000 as 1000'],
    [['1.000', '2.500', '1.234,5'], ';', [1000, 2500, 1234.5], 'the comma is read as the decimal sign'],
    [['1.000', '1.234.567'], ';', [1000, 1234567], 'the point is read as the thousands separator'],
    [['1,000', '12.5'], ',', [1000, 12.5], 'the comma is read as the thousands separator, 1,000 as 1000'],
    [['1,000', '1,234.5'], ',', [1000, 1234.5], 'the comma is read as the thousands separator'],
    [['1,000', '0,500'], ';', [1, 0.5], 'the comma is read as the decimal sign'],
    [['1.000', '0.500'], ';', [1, 0.5], 'the point is read as the decimal sign'],
    [['1.000', '1 000'], ';', [1, 1000], 'the blank is read as the thousands separator, 1 000 as 1000'],
    [['1 000', '1 234,5'], ';', [1000, 1234.5], 'the blank is read as the thousands separator'],
    [['1\u202f000', '1\u00a0234,5'], ';', [1000, 1234.5], 'the blank is read as the thousands separator'],
    [["1'000", '1’234.5'], ',', [1000, 1234.5], 'the apostrophe is read as the thousands separator'],
    [['12,34,567', '1,000'], ',', [1234567, 1000], 'the comma is read as the thousands separator'],
    [['٤٠', '١٢٫٥'], ',', [40, 12.5], 'has digits of another script'],
    [['４０'], ',', [40], 'has digits of another script; ４０ is read as 40'],
    [['2.125'], ',', [2.125], 'the point is read as the decimal sign, 2.125 as 2.125'],
  ])('%j between %s is read as the other rows say, %j, and told once', async (texts, delimiter, values, says) => {
    const read = await quantitiesOf(texts, { delimiter })
    expect(read.messages).toEqual([])
    expect(read.values).toEqual(values)
    expect(read.told.split(says)).toHaveLength(2)
  })

  test('that says nothing is read as the other columns of the file say', async () => {
    const { values, told } = await quantitiesOf(['1.000', '2.500'], { delimiter: ';', weights: ['12,5', ''] })
    expect(values).toEqual([1000, 2500])
    expect(told).toContain(
      'column shipQuantity has numbers such as 1.000; the point is read as the thousands separator',
    )
  })

  test.each<[readonly string[], string]>([
    [['1.000', '2.500'], ';'],
    [['2.125'], ';'],
    [['1,000'], ';'],
    [['1,000', '40'], ','],
    [['1.000'], ','],
    [['1.500'], '\t'],
  ])('%j between %j is refused where nothing decides', async (texts, delimiter) => {
    const { refused, messages, values } = await quantitiesOf(texts, { delimiter })
    expect(refused).toEqual(texts.flatMap((text, i) => (/[.,]/.test(text) ? [i + 2] : [])))
    expect(messages[0]).toContain('can mean two different numbers')
    expect(values).not.toContain(1)
  })

  test('whose rows contradict each other is refused where a number has two meanings, and only there', async () => {
    const { refused, values } = await quantitiesOf(['1,5', '2.5', '1.000'], { delimiter: ';' })
    expect(values).toEqual([1.5, 2.5, undefined])
    expect(refused).toEqual([4])
  })

  test('with plain numbers is read without a word', async () => {
    const { values, told } = await quantitiesOf(['40', '1234.5', '-2', '.5', '1000'])
    expect(values).toEqual([40, 1234.5, -2, 0.5, 1000])
    expect(told).not.toContain('shipQuantity')
  })

  test.each(['1.06E+13', '1,2E+05', '1.2.3', '1 00', '40-50'])(
    'refuses %s, which is no number or a shortened one',
    async (text) => {
      expect((await quantitiesOf([text], { delimiter: ';' })).refused).toEqual([2])
    },
  )
})

test('the first row is read as the last one says, in a workbook too', async () => {
  const rows = ['1,000', '2,500', '3.25'].map((shipQuantity, i) => goodRow({ shipQuantity, vendorItemCode: `I-${i}` }))
  for (const file of [
    csvOf([eventHeadings, ...rows]),
    await workbookOf([{ name: 'S', rows: [eventHeadings, ...rows] }]),
  ]) {
    const [record] = recordsIn(await intakeOf(file, 'e'))
    expect(linesOf(record).map(({ shipQuantity }) => shipQuantity)).toEqual([1000, 2500, 3.25])
  }
})

test.each([
  ['40 cases', 'Move the text to the unit column, and write the number like 1234.5.'],
  ['forty', 'Write it in digits, like 1234.5.'],
  ['(40)', 'Write it in digits, like 1234.5.'],
  ['1/2', 'Write it in digits, like 1234.5.'],
])('%s is refused with what to write instead', async (text, remedy) => {
  const { messages } = await quantitiesOf([text])
  expect(messages).toEqual([`"${text}" is not a number. ${remedy}`])
})
