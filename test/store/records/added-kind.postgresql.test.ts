// Kinds that are added as CONTRIBUTING says: one of record with a search table and a declaration, and
// one of event with a partition and a declaration. And two processes that write one record.
import { createHash, randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EventKindName, type RecordKindName, shippingEvent } from '../../../src/contract/record-kinds.ts'
import { migrate } from '../../../src/store/database/migrate.ts'
import { provideProvider } from '../../../src/store/database/providers.ts'
import { statements } from '../../../src/store/database/statement.ts'
import { type EventSearch, eventRows, identityOf, placeConflicts } from '../../../src/store/records/event-rows.ts'
import { findVersions, readCurrentVersion } from '../../../src/store/records/record-versions.ts'
import { type RecordWriter, recordWriter, type WrittenKind } from '../../../src/store/records/record-writer.ts'
import { recordStatements, type SearchRows, searchRowWrites } from '../../../src/store/records/records.ts'
import { ownPostgresqlDatabase } from '../../support/databases/database.ts'
import { untilItWaits } from '../../support/databases/lock-waits.ts'

interface SealSearch {
  readonly sealNumber: string
}

const kind = 'seal' as RecordKindName

const searchRows: SearchRows<SealSearch> = {
  kind,
  plural: 'Seals',
  ...searchRowWrites('seal', [['"sealNumber"', 'seal_number']]),
  columns: { seal_number: ['text', ({ sealNumber }) => sealNumber] },
  sets: {},
  followedSets: {},
  rowsOf: () => ({}),
  searchHash: ({ sealNumber }) => createHash('sha256').update(sealNumber).digest(),
  key: { index: 'seal_one_per_number', columns: [['"sealNumber"', 'seal_number']] },
  judgedByMasterData: false,
  followed: () => 'to_recount AS (SELECT 1 WHERE false)',
}

const seals: WrittenKind<SealSearch> = {
  rows: searchRows,
  statements: recordStatements(searchRows),
  conflictKeys: ({ sealNumber }) => [[`seal ${sealNumber}`, Symbol(sealNumber)]],
}

const storingRows = eventRows({ ...shippingEvent, name: 'storingEvent' as EventKindName })
const storings: WrittenKind<EventSearch> = {
  rows: storingRows,
  statements: recordStatements(storingRows),
  conflictKeys: placeConflicts,
}

const limits = { rowsMax: 128, bytesMax: 1_000_000, waitingRowsMax: 1_000, waitingBytesMax: 1_000_000, inFlightMax: 1 }

let own: Awaited<ReturnType<typeof ownPostgresqlDatabase>>
const pools: pg.Pool[] = []
let provider: string
/** Each as a process of its own would have it. */
let writers: readonly RecordWriter<SealSearch>[]
beforeAll(async () => {
  own = await ownPostgresqlDatabase()
  pools.push(new pg.Pool({ connectionString: own.url }), new pg.Pool({ connectionString: own.url }))
  const [pool] = pools as [pg.Pool]
  await migrate(pool)
  await pool.query(`CREATE TABLE seal (provider_id uuid, id uuid, "sealNumber" text, PRIMARY KEY (provider_id, id))`)
  await pool.query('CREATE UNIQUE INDEX seal_one_per_number ON seal (provider_id, "sealNumber")')
  for (const table of ['event', 'event_code', 'voided_event']) {
    const partition = table.replace('event', 'storing_event')
    await pool.query(`CREATE TABLE ${partition} (LIKE ${table} INCLUDING CONSTRAINTS)`)
    if (table === 'event')
      await pool.query(
        `CREATE UNIQUE INDEX storing_event_one_per_identity
         ON storing_event (provider_id, place, "eventDateTime", identity, kind) INCLUDE (id, event_date)`,
      )
    await pool.query(`ALTER TABLE ${table} ATTACH PARTITION ${partition} FOR VALUES IN ('storingEvent')`)
  }
  provider = await provideProvider(pool, 'Harbor')
  writers = pools.map((one) => recordWriter(one, seals, limits, () => undefined).writer)
})
afterAll(async () => {
  // Files share modules, and other tests read all statements of the store.
  for (const name of statements.keys())
    if (name.includes(searchRows.plural) || name.includes(storingRows.plural)) statements.delete(name)
  await Promise.all(pools.map((pool) => pool.end()))
  await own.drop()
})

const by = () => ({ keyId: 'k', requestId: randomUUID(), payloadId: undefined })

const seal = (id: string, sealNumber: string, note: number) => {
  const body = JSON.stringify({ sealNumber, note })
  return { id, body, contentHash: createHash('sha256').update(body).digest(), findings: '[]', search: { sealNumber } }
}

const create = (record: ReturnType<typeof seal>, [writer] = writers) =>
  writer?.create(provider, { ...by(), records: [record], claim: undefined })

const replace = (record: ReturnType<typeof seal>, writer = writers[0]) =>
  writer?.replace(provider, { ...by(), record, allowed: undefined })

const numberOf = async (id: string): Promise<string> =>
  (await pools[0]?.query('SELECT "sealNumber" AS number FROM seal WHERE id = $1', [id]))?.rows[0]?.number

test('a kind that is declared is created, replaced in place and with its search row, and keeps its history', async () => {
  const [id, other] = [randomUUID(), randomUUID()]
  expect(await create(seal(id, 'A', 1))).toEqual({ is: 'created' })
  expect(await create(seal(other, 'A', 1))).toEqual({ is: 'taken' })
  expect(await replace(seal(id, 'A', 2))).toEqual({ is: 'replaced', version: 2 })
  expect(await replace(seal(id, 'A', 2))).toEqual({ is: 'unchanged', version: 2 })
  expect(await replace(seal(id, 'B', 3))).toEqual({ is: 'replaced', version: 3 })
  expect(await numberOf(id)).toBe('B')
  expect(await create(seal(other, 'A', 1))).toEqual({ is: 'created' })
  expect(await replace(seal(other, 'B', 2))).toEqual({ is: 'taken' })
  expect(await replace(seal(randomUUID(), 'C', 1))).toEqual({ is: 'unknown' })
  const [pool] = pools as [pg.Pool]
  expect(await readCurrentVersion(pool, provider, kind, id)).toMatchObject({ version: 3, body: seal(id, 'B', 3).body })
  expect(await findVersions(pool, { provider, kind, id, before: 9, limit: 9 })).toHaveLength(3)
})

test('of one record that two processes replace at once, the search row is that of the last version', async () => {
  const id = randomUUID()
  await create(seal(id, 'start', 0))
  for (let round = 0; round < 40; round++) {
    const replaced = await Promise.all(
      writers.flatMap((writer, i) => [1, 2].map((n) => replace(seal(id, `${round} ${i} ${n}`, round), writer))),
    )
    expect(replaced.map((one) => one?.is)).toEqual(Array(4).fill('replaced'))
    const last = await readCurrentVersion(pools[0] as pg.Pool, provider, kind, id)
    expect(JSON.parse((last as { body: string }).body).sealNumber).toBe(await numberOf(id))
  }
})

test('a statement that waited for another one writes nothing for the record, and says that it is to be run again', async () => {
  const id = randomUUID()
  await create(seal(id, 'held', 0))
  const [pool, other] = pools as [pg.Pool, pg.Pool]
  const submitted = (sealNumber: string) => {
    const record = seal(id, sealNumber, 1)
    return { provider, submitted: [{ id, search: record.search, record, writer: by() }] }
  }
  const client = await other.connect()
  try {
    await client.query('BEGIN')
    expect(await seals.statements.replace(client, submitted('first'))).toMatchObject([{ outcome: 'replaced' }])
    const waiting = seals.statements.replace(pool, submitted('second'))
    await untilItWaits(other, 'submitted AS (')
    await client.query('COMMIT')
    expect(await waiting).toMatchObject([{ outcome: 'again' }])
  } finally {
    client.release()
  }
  expect(await numberOf(id)).toBe('first')
  expect(await seals.statements.replace(pool, submitted('second'))).toMatchObject([{ outcome: 'replaced', version: 2 }])
})

test('a kind of event that is declared is found by its codes in a partition of its own, and keeps its identity', async () => {
  const [pool] = pools as [pg.Pool]
  const { writer } = recordWriter(pool, storings, limits, () => undefined)
  const [id, other] = [randomUUID(), randomUUID()]
  const cooled = (of: string, lotCodes: readonly string[], note: number) => {
    const body = JSON.stringify({ note, lotCodes })
    const search: EventSearch = {
      ...{ dataProviderVendorId: 'V', eventDateTime: '2026-03-03T10:00:00Z', eventDate: '2026-03-03' },
      ...{ place: 'COOLER', counterpart: 'DC', purchaseOrderNumber: undefined, asnNumber: undefined },
      billOfLadingNumber: undefined,
      ...{ identity: identityOf(['V']), lineCount: 1, warnings: 0, ftlCategories: [], compared: '[]' },
      ...{ lotCodes, itemCodes: ['I'], otherLocationCodes: [], sourceNumbers: [], eventId: undefined },
      ...{ completeness: '[]', judgedIn: undefined, locationList: '[]', locations: () => [] },
    }
    return { id: of, body, contentHash: createHash('sha256').update(body).digest(), findings: '[]', search }
  }
  const made = (of: string) => writer.create(provider, { ...by(), records: [cooled(of, ['A1'], 1)], claim: undefined })
  expect(await made(id)).toEqual({ is: 'created' })
  expect(await made(other)).toEqual({ is: 'taken' })
  const replaced = await writer.replace(provider, { ...by(), record: cooled(id, ['B2'], 2), allowed: undefined })
  expect(replaced).toEqual({ is: 'replaced', version: 2 })
  const { rows } = await pool.query(
    `SELECT tableoid::regclass::text AS partition, kind, code FROM event_code WHERE id = $1 AND field = 'lotCode'`,
    [id],
  )
  expect(rows).toEqual([{ partition: 'storing_event_code', kind: 'storingEvent', code: 'B2' }])
})
