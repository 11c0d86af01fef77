// Arrays as the database reads them. Source: `array_recv` of PostgreSQL.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { binaryArray, type ElementTypeName } from '../../../src/store/database/array-parameter.ts'
import { type TestDatabase, testDatabase } from '../../support/databases/database.ts'
import { runs } from '../../support/runs.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database?.close())

const storable = fc.string({ unit: 'grapheme', maxLength: 300 }).filter((text) => !text.includes('\u0000'))

test.each<[ElementTypeName, fc.Arbitrary<unknown>]>([
  ['text', fc.oneof(storable, fc.constantFrom('', '{}', '"', '\\', 'NULL', '{"a":"\\"b\\""}', 'x'.repeat(100_000)))],
  ['uuid', fc.uuid()],
  ['integer', fc.integer()],
  ['bytea', fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes))],
])('an array of %s arrives as it was sent, nulls and no elements included', async (type, element) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(element), { maxLength: 40 }), async (sent) => {
      const { rows } = await database.pool.query<{ element: unknown }>({
        text: `SELECT element FROM unnest($1::${type}[]) WITH ORDINALITY AS a (element, n) ORDER BY n`,
        values: [binaryArray(type, sent)],
      })
      expect(rows.map((row) => row.element)).toEqual(sent)
    }),
    { numRuns: runs(50) },
  )
})
