// Legal holds: while one is active, what it covers is not purged, whatever its age. retention.ts
// defines what it covers. Source: decision 0041.
import { type Actor, newEntryId } from './access-log.ts'
import { type Queryable, statement } from './statement.ts'

/**
 * What a hold covers: records that match every condition given; all of the provider when none is.
 * Dates are calendar dates, `yyyy-MM-dd`.
 */
export interface Held {
  readonly recordId?: string | undefined
  readonly lotCode?: string | undefined
  readonly dataProviderVendorId?: string | undefined
  readonly eventStartDate?: string | undefined
  readonly eventEndDate?: string | undefined
}

export interface LegalHold {
  readonly id: string
  readonly reason: string
  readonly recordId: string | null
  readonly lotCode: string | null
  readonly dataProviderVendorId: string | null
  readonly eventStartDate: string | null
  readonly eventEndDate: string | null
  readonly setAt: Date
  readonly setBy: string
  readonly liftedAt: Date | null
  readonly liftedBy: string | null
}

/** Most active holds of one provider. */
export const standingHoldsMax = 1_000

const shown = `h.id, h.reason, h.record_id AS "recordId", h."lotCode", h."dataProviderVendorId",
          h.event_start_date::text AS "eventStartDate", h.event_end_date::text AS "eventEndDate",
          h.set_at AS "setAt", h.set_by AS "setBy", h.lifted_at AS "liftedAt", h.lifted_by AS "liftedBy"`

// A running purge checks the count of changes: it waits for this statement, or this statement waits
// for it.
const set = statement<LegalHold>(
  'setLegalHold',
  `WITH standing AS MATERIALIZED (
  SELECT count(*) AS holds FROM legal_hold WHERE provider_id = $1 AND lifted_at IS NULL
), told AS (
  UPDATE provider SET holds_changed = holds_changed + 1 WHERE provider_id = $1
), h AS (
  INSERT INTO legal_hold (provider_id, id, reason, record_id, "lotCode", "dataProviderVendorId", event_start_date, event_end_date, set_by)
  SELECT $1, $2::uuid, $3::text, $4::uuid, $5::text, $6::text, $7::date, $8::date, $9::text
  FROM standing
  WHERE holds < $13
  RETURNING *
), noted AS (
  INSERT INTO access_log (provider_id, id, who, request_id, operation, asked, done)
  SELECT $1, $10::uuid, $9::text, $11::uuid, 'setLegalHold', $12::json, true
  FROM h
)
SELECT ${shown} FROM h`,
)

/** Sets a hold, which is in effect when this returns. Undefined if the maximum is active. */
export async function insertLegalHold(
  db: Queryable,
  provider: string,
  held: Held,
  reason: string,
  { who, requestId }: Actor,
): Promise<LegalHold | undefined> {
  const id = newEntryId()
  const { recordId, lotCode, dataProviderVendorId, eventStartDate, eventEndDate } = held
  const [hold] = await set(db, [
    provider,
    id,
    reason,
    recordId ?? null,
    lotCode ?? null,
    dataProviderVendorId ?? null,
    eventStartDate ?? null,
    eventEndDate ?? null,
    who,
    newEntryId(),
    requestId ?? null,
    JSON.stringify({ id, reason, ...held }),
    standingHoldsMax,
  ])
  return hold
}

const lift = statement<LegalHold>(
  'liftLegalHold',
  `WITH lifted_before AS MATERIALIZED (
  SELECT * FROM legal_hold WHERE provider_id = $1 AND id = $2 AND lifted_at IS NOT NULL
), told AS (
  UPDATE provider SET holds_changed = holds_changed + 1 WHERE provider_id = $1
), lifted AS (
  UPDATE legal_hold SET lifted_at = now(), lifted_by = $3
  WHERE provider_id = $1 AND id = $2 AND lifted_at IS NULL
  RETURNING *
), noted AS (
  INSERT INTO access_log (provider_id, id, who, request_id, operation, asked, done)
  SELECT $1, $4::uuid, $3::text, $5::uuid, 'liftLegalHold', $6::json, true
  FROM lifted
), h AS (
  SELECT * FROM lifted
  UNION ALL
  SELECT * FROM lifted_before
)
SELECT ${shown} FROM h`,
)

/**
 * Lifts a hold; one that is lifted already stays as it is. Undefined when there is none with this
 * id.
 */
export const endLegalHold = async (
  db: Queryable,
  provider: string,
  id: string,
  { who, requestId }: Actor,
): Promise<LegalHold | undefined> =>
  (await lift(db, [provider, id, who, newEntryId(), requestId ?? null, JSON.stringify({ id })]))[0]

const holds = statement<LegalHold>(
  'legalHolds',
  `SELECT ${shown}
   FROM legal_hold h
   WHERE h.provider_id = $1 AND ($2::uuid IS NULL OR h.id < $2) AND (h.lifted_at IS NULL OR NOT $3)
   ORDER BY h.id DESC
   LIMIT $4`,
)

/** Up to `limit` holds, newest first, below an id if one is given; only active ones, or all. */
export const legalHolds = (
  db: Queryable,
  provider: string,
  onlyStanding: boolean,
  before: string | undefined,
  limit: number,
): Promise<LegalHold[]> => holds(db, [provider, before ?? null, onlyStanding, limit])
