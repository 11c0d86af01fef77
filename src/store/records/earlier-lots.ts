// Lot codes that a correction removed from an event. A request for one leads to the record.
// Source: decision 0030.
import type { EarlierLot } from '../../contract/earlier-lot.ts'
import { readLotCode } from '../../contract/lots/lot-code.ts'
import { type Queryable, statement } from '../database/statement.ts'
import { codesLike, type LotRow, lotRowsOf } from './lot-rows.ts'

/** A code of rows that a lot finds: the `n`-th of those that are looked for. */
interface WantedCode {
  readonly code: string
  readonly lot: string
  readonly n: number
}

/** Lot codes that the record `l` has now. */
const lotsOfRecord = `SELECT c.code, c.unfolded FROM event_code c WHERE c.provider_id = $provider AND c.id = l.id AND c.field = 'lotCode'`

const earlierLots = statement<EarlierLot, { provider: string; wanted: readonly WantedCode[]; limit: number }>(
  'findEarlierLots',
  `SELECT r.kind, l."lotCode", l.id, l.last_version AS version,
          r.version AS "currentVersion", r.content_hash = '' AS voided,
          ARRAY(
            SELECT DISTINCT coalesce(nullif(c.unfolded, ''), c.code) AS lot
            FROM (
  ${lotsOfRecord}
            ) c
            ORDER BY lot
            LIMIT 20
          ) AS "lotCodes"
   FROM (
     SELECT min(wanted.n) AS n, e.id, coalesce(nullif(e.unfolded, ''), e.code) AS "lotCode", max(e.last_version) AS last_version, wanted.lot
     FROM $wanted
     JOIN earlier_lot_code e ON e.provider_id = $provider AND e.code = wanted.code
     GROUP BY wanted.lot, e.id, "lotCode"
   ) l
   JOIN record r ON r.provider_id = $provider AND r.id = l.id
   WHERE NOT EXISTS (
     SELECT 1 FROM (
  ${lotsOfRecord}
     ) c
     WHERE coalesce(nullif(c.unfolded, ''), c.code) IN (l.lot, l."lotCode")
   )
   ORDER BY l.n, l.id DESC, l."lotCode"
   LIMIT $limit`,
  { rows: { wanted: { code: 'text', lot: 'text', n: 'integer' } } },
)

/**
 * Up to `limit` events that had one of these lots, or a lot code that reads alike, before
 * a correction or a void, and no longer have it; in the order of the lots, and then the newest
 * first. The lots are any texts that name them (decision 0049).
 */
export async function findEarlierLots(
  db: Queryable,
  provider: string,
  lots: readonly string[],
  limit: number,
): Promise<EarlierLot[]> {
  if (lots.length === 0) return []
  const wanted = lots.flatMap((written, n) => {
    const { lotCode } = readLotCode(written)
    return codesLike(written).map((code) => ({ code, lot: lotCode, n }))
  })
  return earlierLots(db, { provider, wanted, limit })
}

/** Lot codes that a version had and the next one has not. */
export interface LostLots {
  readonly id: string
  /** The version that still had them. */
  readonly version: number
  /** Texts of the lines, as written. */
  readonly lotCodes: readonly string[]
}

const importing = statement<never, { provider: string; lots: readonly (LotRow & { id: string; version: number })[] }>(
  'importEarlierLots',
  `INSERT INTO earlier_lot_code AS l (provider_id, code, id, unfolded, last_version)
   SELECT $provider, lots.code, lots.id, lots.unfolded, max(lots.version)
   FROM $lots
   GROUP BY lots.code, lots.id, lots.unfolded
   ON CONFLICT (provider_id, code, id, unfolded) DO UPDATE SET last_version = greatest(l.last_version, excluded.last_version)`,
  { rows: { lots: { code: 'text', id: 'uuid', unfolded: 'text', version: 'integer' } } },
)

/** Imports them with the versions of an archive. */
export async function importEarlierLots(db: Queryable, provider: string, lost: readonly LostLots[]): Promise<void> {
  const lots = lost.flatMap(({ id, version, lotCodes }) =>
    lotCodes.flatMap((text) => lotRowsOf(text).map((row) => ({ id, version, ...row }))),
  )
  if (lots.length > 0) await importing(db, { provider, lots })
}
