// docs/reference/schema.md is read from the text of the migrations: here it is compared with a
// database that ran them. Partitions are described with their tables.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSchema } from '../../../scripts/schema-reference.ts'
import { type TestDatabase, testDatabase } from '../../support/databases/database.ts'

const schema = readSchema()
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database?.close())

const rowsOf = async (sql: string) => (await database.pool.query({ text: sql, rowMode: 'array' })).rows

test('the page has every table and column, with its type and whether it may be null', async () => {
  const read = [...schema.tables].flatMap(([table, { columns }]) =>
    columns.map(({ name, type, isRequired }) => [table, name, type, isRequired]),
  )
  const there = await rowsOf(
    `SELECT c.relname, a.attname, replace(format_type(a.atttypid, a.atttypmod), 'timestamp with time zone', 'timestamptz'), a.attnotnull
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`,
  )
  expect(read.map(String).sort()).toEqual(there.map(String).sort())
})

test('the page has every index that is no primary key, with its comment as the database has it', async () => {
  const there = await rowsOf(
    `SELECT i.indexrelid::regclass::text, i.indisunique, obj_description(i.indexrelid)
     FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid AND c.relnamespace = 'public'::regnamespace
     WHERE NOT i.indisprimary AND NOT c.relispartition`,
  )
  const described = schema.indexes.filter(({ table }) => schema.tables.has(table))
  const read = described.map(({ name, isUnique }) => [name, isUnique, schema.comments.get(name)])
  expect(read.sort()).toEqual(there.sort())
})
