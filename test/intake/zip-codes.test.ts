// A ZIP code that lost the zeros in front is refused or doubted, by the country and state beside it.
import { expect, test } from 'vitest'
import { csvOf, eventHeadings, goodRow, intakeOf, recordsIn, toldIn } from '../support/files/import-files.ts'
import type { Payload } from '../support/records/payloads.ts'

const place = (postalCode: string, state: string, country: string) => ({
  'shipFrom.address.streetAddress1': '1 Pier Road',
  'shipFrom.address.city': 'Harbor',
  'shipFrom.address.state': state,
  'shipFrom.address.postalCode': postalCode,
  'shipFrom.address.country': country,
})

async function read(cells: Readonly<Record<string, string>>, restoreZeros = false) {
  const all = await intakeOf(csvOf([eventHeadings, goodRow(cells)]), 'e.csv', { restoreZeros })
  const [record] = recordsIn(all)
  const [shipFrom] = (record?.payload.locationMasterList ?? []) as Payload[]
  return { zip: shipFrom?.address?.postalCode, findings: record?.findings ?? [], told: toldIn(all) }
}
const column = 'shipFrom.address.postalCode'

test.each([
  ['2134', 'MA', 'USA', '02134'],
  ['2134', 'MA', '', '02134'],
  ['2134-1000', 'MA', 'US', '02134-1000'],
  ['21341000', 'MA', 'US', '021341000'],
  ['926', 'PR', 'USA', '00926'],
])('%s in %s %s is refused with its row and the remedy, and restored on request', async (zip, state, country, full) => {
  const { findings } = await read(place(zip, state, country))
  expect(findings).toMatchObject([{ severity: 'error', row: 2, column, message: expect.stringContaining(full) }])
  const restored = await read(place(zip, state, country), true)
  expect(restored).toMatchObject({ zip: full, findings: [] })
  expect(restored.told).toContain(`column ${column} lost zeros in front of ZIP codes; they are restored, ${zip} as`)
})

test('of a State without such ZIP codes is refused, and never restored', async () => {
  for (const restoreZeros of [false, true])
    expect((await read(place('9390', 'CA', 'USA'), restoreZeros)).findings).toMatchObject([
      { severity: 'error', row: 2, column, message: expect.stringContaining('Write it with five digits') },
    ])
})

test('beside neither State nor country is kept, with a warning', async () => {
  const { zip, findings } = await read(place('2134', '', ''))
  expect(zip).toBe('2134')
  expect(findings).toMatchObject([{ severity: 'warning', row: 2, column, message: expect.stringContaining('02134') }])
})

test.each([
  ['8001', '', 'CH'],
  ['3000', 'VIC', 'AU'],
  ['1012', '', 'Netherlands'],
  ['2134', 'ON', ''],
  ['02134', 'MA', 'USA'],
  ['93901-1234', 'CA', 'USA'],
])('a whole postal code, %s of %s %s, is imported without a word', async (zip, state, country) => {
  const { zip: imported, findings, told } = await read(place(zip, state, country))
  expect(imported).toBe(zip)
  expect(findings).toEqual([])
  expect(told).not.toContain('postalCode')
})

test('the ZIP code of the source of a lot code is looked at too', async () => {
  const source = { tlcSourcePostalCode: '2134', tlcSourceState: 'MA', tlcSourceCountry: 'USA' }
  expect((await read(source)).findings).toMatchObject([{ severity: 'error', column: 'tlcSourcePostalCode' }])
})
