// Declared statements: what they send to the database for parameters by name.
import { describe, expect, test } from 'vitest'
import { binaryArray } from '../../../src/store/database/array-parameter.ts'
import { columnsOfPart, type Queryable, statement, statements } from '../../../src/store/database/statement.ts'

interface Sent {
  readonly name?: string
  readonly text: string
  readonly values: unknown[]
}

/** A database that answers with these rows and keeps what it was sent. */
function recording(...rows: object[]) {
  const sent: Sent[] = []
  const db: Queryable = {
    query: async (query) => {
      sent.push(query)
      return { rows: rows as never[] }
    },
  }
  return { db, sent }
}

/** A statement of this file only. */
function declared<Params>(...[text, options]: [string, Parameters<typeof statement<{ n: number }, Params>>[2]?]) {
  const run = statement<{ n: number }, Params>('ofTest', text, options)
  statements.delete('ofTest')
  return run
}

describe('parameters', () => {
  test('go by name, that of the provider first, each once', async () => {
    const { db, sent } = recording()
    const run = declared<{ provider: string; id: string; after: number | undefined }>(
      'SELECT $after::integer FROM t WHERE id = $id AND provider_id = $provider AND n > $after',
    )
    await run(db, { id: 'i', after: undefined, provider: 'p' })
    expect(sent).toEqual([
      {
        name: 'ofTest',
        provider: 'p',
        text: 'SELECT $2::integer FROM t WHERE id = $3 AND provider_id = $1 AND n > $2',
        values: ['p', null, 'i'],
      },
    ])
  })

  test('of a fragment may name the provider by number', async () => {
    const { db, sent } = recording()
    await declared<{ provider: string; id: string }>('SELECT 1 FROM t WHERE id = $id AND provider_id = $1')(db, {
      provider: 'p',
      id: 'i',
    })
    expect(sent[0]).toMatchObject({ text: 'SELECT 1 FROM t WHERE id = $2 AND provider_id = $1', values: ['p', 'i'] })
  })

  test('have no numbers but that of the provider', () => {
    for (const text of ['SELECT $id, $2', 'SELECT $2', 'SELECT $1, $12'])
      expect(() => declared(text)).toThrow('Name all parameters of a statement: only $1 is the provider.')
  })

  test('that are not given are null, or what the declaration says', async () => {
    const { db, sent } = recording()
    await declared<{ id?: string }>('SELECT $id, $limit', { defaults: { limit: 3 } })(db, {})
    expect(sent[0]?.values).toEqual([null, 3])
  })

  test('that the text takes as JSON are sent as JSON, and JSON text as it is', async () => {
    const { db, sent } = recording()
    const run = declared<{ a: unknown; b: unknown; c: unknown; d: unknown }>('SELECT $a::json, $b::jsonb, $c::json, $d')
    await run(db, { a: ['x'], b: '{"y":1}', c: undefined, d: 'z' })
    expect(sent[0]?.values).toEqual(['["x"]', '{"y":1}', null, 'z'])
  })
})

test('rows are sent by column, and are a table by the name of their set', async () => {
  const { db, sent } = recording()
  const run = declared<{ provider: string; lots: readonly { code: string; lines?: number }[] }>(
    'INSERT INTO t SELECT $provider, code, lines FROM $lots ORDER BY lots.n',
    {
      rows: { lots: { code: 'text', lines: ['integer', ({ lines }) => lines], n: 'ordinality' } },
      planned: 'each time',
    },
  )
  await run(db, { provider: 'p', lots: [{ code: 'A', lines: 2 }, { code: 'B' }] })
  expect(sent).toEqual([
    {
      provider: 'p',
      text: 'INSERT INTO t SELECT $1, code, lines FROM unnest($2::text[], $3::integer[]) WITH ORDINALITY AS lots ("code", "lines", "n") ORDER BY lots.n',
      values: ['p', expect.any(Buffer), expect.any(Buffer)],
    },
  ])
})

test('a row may give its place, and what it is a part of its columns', async () => {
  const { db, sent } = recording()
  const ofLot = { code: 'text', lines: ['integer', ({ count }: { count: number }) => count] } as const
  const run = declared<{ kept: readonly { lot: { code: string; count: number } }[] }>('SELECT * FROM $kept', {
    rows: { kept: { n: ['integer', (_, place) => place], ...columnsOfPart(ofLot, ({ lot }) => lot) } },
  })
  await run(db, { kept: [{ lot: { code: 'A', count: 2 } }, { lot: { code: 'B', count: 3 } }] })
  expect(sent[0]).toMatchObject({
    text: 'SELECT * FROM unnest($1::integer[], $2::text[], $3::integer[]) AS kept ("n", "code", "lines")',
    values: [binaryArray('integer', [0, 1]), binaryArray('text', ['A', 'B']), binaryArray('integer', [2, 3])],
  })
})

test('a statement that is planned once hides how many rows it is sent', async () => {
  const { db, sent } = recording()
  const run = declared<{ lots: readonly { code: string; lines: number }[] }>('SELECT * FROM $lots', {
    rows: { lots: { code: 'text', lines: 'integer' } },
    planned: 'once',
  })
  await run(db, { lots: [] })
  expect(sent[0]).toMatchObject({
    name: 'ofTest',
    text: 'SELECT * FROM unnest((SELECT $1::text[]), $2::integer[]) AS lots ("code", "lines")',
  })
})

test('a statement of one row gives that row, and one that is asked for any says whether there was one', async () => {
  const one = statement.one<{ n: number }, { id: string }>('ofTest', 'SELECT $id')
  const any = statement.any<{ id: string }>('ofTest', 'SELECT $id')
  statements.delete('ofTest')
  expect([await one(recording({ n: 1 }).db, { id: 'i' }), await any(recording({ n: 1 }).db, { id: 'i' })]).toEqual([
    { n: 1 },
    true,
  ])
  expect([await one(recording().db, { id: 'i' }), await any(recording().db, { id: 'i' })]).toEqual([undefined, false])
})
