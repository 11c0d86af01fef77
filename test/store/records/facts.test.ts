// Facts of several payloads in one statement.
import { expect, test } from 'vitest'
import type { Queryable } from '../../../src/store/database/statement.ts'
import { type FactsRequest, findFactsOfMany } from '../../../src/store/records/facts.ts'

const provider = '019a3c1e-7d2b-7c4a-9f10-3a5b6c7d8e9f'
const [first, second, third] = ['01', '02', '03'].map((end) => `019a3c1e-7d2b-7c4a-9f10-3a5b6c7d8e${end}`)

const asking = (
  kind: FactsRequest['kind'],
  replacedRecordId: string | undefined,
  locations: string[],
  items: string[],
): FactsRequest => ({
  kind,
  replacedRecordId,
  payloadId: undefined,
  identifiers: [],
  locations: locations.map((code) => ({ vendor: 'V-1', code })),
  items: items.map((code) => ({ vendor: 'V-1', code })),
})

/**
 * A database that has the places and items with these numbers, and says how many it was asked for.
 */
function databaseWith(codes: { readonly location: readonly string[]; readonly item: readonly string[] }) {
  const asked = { statements: 0, locations: 0, items: 0 }
  const rowsOf = (fact: 'location' | 'item') =>
    codes[fact].map((code, n) => ({ fact, n, vendor: 'V-1', code, id: `id of ${code}`, content: { name: code } }))
  const db = {
    query: async ({ values }: { values: unknown[] }) => {
      // Where an array of PostgreSQL says how many elements it has.
      const countOf = (value: unknown) => (value as Buffer).readInt32BE(12)
      asked.statements++
      asked.locations += countOf(values[2])
      asked.items += countOf(values[5])
      return { rows: [...rowsOf('location'), ...rowsOf('item')] }
    },
  } as unknown as Queryable
  return { db, asked }
}

test('what events of one group name alike is looked up once, and each event gets all it asked for', async () => {
  const { db, asked } = databaseWith({ location: ['GV-1', 'DC-1', 'DC-2'], item: ['ROM-24', 'CIL-30'] })
  const facts = await findFactsOfMany(db, provider, [
    asking('receivingEvent', first, ['GV-1', 'DC-1'], ['ROM-24']),
    asking('receivingEvent', second, ['DC-2', 'GV-1'], ['CIL-30', 'ROM-24']),
    asking('receivingEvent', third, [], []),
  ])
  expect(asked).toEqual({ statements: 1, locations: 3, items: 2 })
  const codes = facts.map(({ locations, items }) => [locations.map(({ code }) => code), items.map(({ code }) => code)])
  expect(codes).toEqual([
    [['GV-1', 'DC-1'], ['ROM-24']],
    [
      ['DC-2', 'GV-1'],
      ['CIL-30', 'ROM-24'],
    ],
    [[], []],
  ])
  expect(facts[1]?.items[1]).toEqual({ vendor: 'V-1', code: 'ROM-24', id: 'id of ROM-24', content: { name: 'ROM-24' } })
})

test('replacements of two products with one code are each looked up, since none is its own double', async () => {
  const { db, asked } = databaseWith({ location: [], item: ['ROM-24', 'ROM-24'] })
  await findFactsOfMany(db, provider, [
    asking('masterProduct', first, [], ['ROM-24']),
    asking('masterProduct', second, [], ['ROM-24']),
  ])
  expect(asked).toEqual({ statements: 1, locations: 0, items: 2 })
})

test('codes, payload ids and numbers of locations are looked up in one statement', async () => {
  const { db, asked } = databaseWith({ location: ['GV-1'], item: ['ROM-24'] })
  await findFactsOfMany(db, provider, [
    {
      ...asking('receivingEvent', first, ['GV-1'], ['ROM-24']),
      payloadId: 'P-1',
      numbers: [{ vendor: 'V-1', code: '0614141000012' }],
    },
  ])
  expect(asked).toEqual({ statements: 1, locations: 1, items: 1 })
})
