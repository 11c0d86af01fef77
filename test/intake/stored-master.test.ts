// Codes of a sheet, completed from stored locations and products.
import { expect, test } from 'vitest'
import { judgeRecord } from '../../src/intake/judge-record.ts'
import { MasterCompletion } from '../../src/intake/stored-master.ts'
import { csvOf, eventHeadings, goodRow, intakeOf, recordsIn } from '../support/files/import-files.ts'
import { now } from '../support/records/prove-rule.ts'

const stored = {
  dataProviderVendorId: 'V-1',
  locationCode: 'SHIP-TO',
  locationName: 'River Warehouse',
  gln: '0614141999996',
  address: { streetAddress1: '17 Levee Road', city: 'Memphis', state: 'TN', postalCode: '38103', country: 'USA' },
  phoneNumber: '+1.901.555.0186',
}

/** The events of a sheet with these rows, completed; and what was looked up. */
async function completed(rows: readonly Readonly<Record<string, string>>[]) {
  const asked: string[] = []
  const completion = new MasterCompletion({
    location: async (vendor, code) => {
      asked.push(code)
      return vendor === 'V-1' && code === 'SHIP-TO' ? stored : undefined
    },
    product: async () => ({ itemCode: 'TOM-1', itemDescription: 'Vine tomatoes', dataProviderVendorId: 'V-1' }),
  })
  const all = rows.map((row, at) => goodRow({ eventDateTime: `2026-03-0${at + 1}T09:30:00-06:00`, ...row }))
  const records = recordsIn(await intakeOf(csvOf([eventHeadings, ...all]), 'e.csv'))
  const events = []
  for (const record of records) events.push(await completion.complete(record))
  // biome-ignore lint/suspicious/noExplicitAny: looked into by name
  const places = events.map(({ payload }) => payload.locationMasterList as any)
  const refused = events.map((event) => judgeRecord(event, { lotNumberRequiredFrom: '2026-01-01' }, now).refused)
  return { events, places, refused, asked, told: completion.lines().join('\n') }
}

const codeOnly = { 'shipTo.locationName': '', 'shipTo.gln': '' }

test('a place that the sheet names by its code only has name and address of the stored location, told once', async () => {
  const { places, refused, asked, told } = await completed([codeOnly, codeOnly, codeOnly])
  const { dataProviderVendorId: _, ...place } = stored
  expect(places.map(([, to]) => to)).toEqual([place, place, place])
  expect(refused).toEqual([false, false, false])
  expect(asked).toEqual(['SHIP-TO'])
  expect(told).toBe(
    'column shipToLocationCode has codes of stored locations, such as SHIP-TO; what the sheet does not say of them is taken from there (3 rows, the first is row 2).',
  )
})

test('what the sheet says of a place stays, and a place that it describes is not looked up', async () => {
  const described = await completed([{}])
  expect(described.asked).toEqual([])
  const { places } = await completed([
    { ...codeOnly, 'shipTo.locationName': 'River DC', 'shipTo.address.city': 'Bartlett' },
  ])
  expect(places[0][1]).toMatchObject({ locationName: 'River DC', gln: stored.gln, address: { city: 'Bartlett' } })
  expect(places[0][1].address).not.toHaveProperty('streetAddress1')
})

test('a code that is not stored, or of another vendor, stays as it is', async () => {
  const { places, refused } = await completed([
    { ...codeOnly, shipToLocationCode: 'DC-99' },
    { ...codeOnly, dataProviderVendorId: 'V-2' },
  ])
  expect(places.map(([, to]) => Object.keys(to))).toEqual([['locationCode'], ['locationCode']])
  expect(refused).toEqual([true, true])
})

test('an item with a brand and no description has that of the stored product', async () => {
  const { events, refused } = await completed([{ 'product.itemDescription': '', 'product.brandName': 'Harbor' }])
  expect(events[0]?.payload.productMasterDataList).toEqual([
    { itemCode: 'TOM-1', itemDescription: 'Vine tomatoes', brandName: 'Harbor' },
  ])
  expect(refused).toEqual([false])
})
