// Adds the rows of further lots to a database that was written before lot codes had them.
// Source: decision 0049.
import { furtherLotsIn } from '../contract/alike-lots.ts'
import { eventTables } from './event-kinds.ts'
import { allProviders } from './providers.ts'
import { type Queryable, statement } from './statement.ts'

/** The migration with which the rows are added. */
export const furtherLotsMigration = '0024-further-lots.sql'

interface LotRowAt {
  readonly id: string
  readonly code: string
  readonly unfolded: string
  /** Of a lot code before a correction, the version that had it. */
  readonly version: number
}

const behind = '(c.code, c.id, c.unfolded) > ($2, $3::uuid, $4) ORDER BY c.code, c.id, c.unfolded LIMIT $5'

const readEarlier = statement<LotRowAt>(
  'lotRowsOfEarlierLots',
  `SELECT c.id, c.code, c.unfolded, c.last_version AS version FROM earlier_lot_code c WHERE c.provider_id = $1 AND ${behind}`,
)

const addEarlier = statement(
  'addLotRowsOfEarlierLots',
  `INSERT INTO earlier_lot_code (provider_id, code, id, unfolded, last_version)
   SELECT $1, s.code, s.id, s.unfolded, s.version
   FROM unnest($2::text[], $3::uuid[], $4::text[], $5::integer[]) AS s (code, id, unfolded, version)
   ON CONFLICT (provider_id, code, id, unfolded) DO NOTHING`,
)

const tablesWithLots = [
  ...Object.values(eventTables).map(({ plural, codes }) => ({
    read: statement<LotRowAt>(
      `lotRowsOf${plural}`,
      `SELECT c.id, c.code, c.unfolded, 0 AS version FROM ${codes} c WHERE c.provider_id = $1 AND c.field = 'lotCode' AND ${behind}`,
    ),
    add: statement(
      `addLotRowsOf${plural}`,
      `INSERT INTO ${codes} (provider_id, field, code, id, unfolded)
   SELECT $1, 'lotCode', s.code, s.id, s.unfolded
   FROM unnest($2::text[], $3::uuid[], $4::text[], $5::integer[]) AS s (code, id, unfolded, version)
   ON CONFLICT (provider_id, field, code, id, unfolded) DO NOTHING`,
    ),
  })),
  { read: readEarlier, add: addEarlier },
]

const rowsAtOnce = 10_000
const first: LotRowAt = { id: '00000000-0000-0000-0000-000000000000', code: '', unfolded: '', version: 0 }

/** Adds the rows of all providers. A second time, it changes nothing. */
export async function addFurtherLotRows(db: Queryable): Promise<void> {
  for (const { provider } of await allProviders(db))
    for (const { read, add } of tablesWithLots)
      for (let last: LotRowAt | undefined = first; last !== undefined; ) {
        const rows: LotRowAt[] = await read(db, [provider, last.code, last.id, last.unfolded, rowsAtOnce])
        const further = rows.flatMap(({ id, code, unfolded, version }) => {
          const lotCode = unfolded || code
          return furtherLotsIn(lotCode).map((lot) => ({ code: lot, id, unfolded: lotCode, version }))
        })
        if (further.length > 0)
          await add(db, [
            provider,
            further.map(({ code }) => code),
            further.map(({ id }) => id),
            further.map(({ unfolded }) => unfolded),
            further.map(({ version }) => version),
          ])
        last = rows.length < rowsAtOnce ? undefined : rows.at(-1)
      }
}
