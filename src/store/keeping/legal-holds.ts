// Legal holds: while one is active, the records it covers are not purged, whatever their age.
// retention.ts defines the coverage. Source: decision 0041.

import { declareLimit } from '../../limits.ts'
import { type Guard, guardOf, versionOfSetting, versionRaised } from '../base/setting-versions.ts'
import { type Page, type Queryable, statement } from '../database/statement.ts'
import { type Actor, loggedStatement, newEntryId } from '../evidence/access-log.ts'

/**
 * The conditions of a hold: records that match every one of them; all of the provider without any.
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

export const standingHoldsMax = declareLimit('legalHolds', 1_000, 'holds', 'Active legal holds of a provider.')

const shown = `h.id, h.reason, h.record_id AS "recordId", h."lotCode", h."dataProviderVendorId",
          h.event_start_date::text AS "eventStartDate", h.event_end_date::text AS "eventEndDate",
          h.set_at AS "setAt", h.set_by AS "setBy", h.lifted_at AS "liftedAt", h.lifted_by AS "liftedBy"`

// A running purge checks the version of the list of holds: it waits for this statement, or this
// statement waits for it.
const set = loggedStatement<LegalHold, Guard & Held & { id: string; reason: string }>(
  'setLegalHold',
  `standing AS MATERIALIZED (
  SELECT count(*) AS holds FROM legal_hold WHERE provider_id = $provider AND lifted_at IS NULL
), told AS (
  ${versionRaised}
), h AS (
  INSERT INTO legal_hold (provider_id, id, reason, record_id, "lotCode", "dataProviderVendorId", event_start_date, event_end_date, set_by)
  SELECT $provider, $id::uuid, $reason::text, $recordId::uuid, $lotCode::text, $dataProviderVendorId::text, $eventStartDate::date, $eventEndDate::date, $who::text
  FROM standing
  WHERE holds < $most
  RETURNING *
)`,
  `SELECT ${shown} FROM h`,
  {
    of: 'h',
    asked: ({ provider: _, edited: _edited, allowed: _allowed, id, reason, ...held }) => ({ id, reason, ...held }),
    defaults: { most: standingHoldsMax },
  },
)

/** Sets a hold, which is in effect when this returns. Undefined if the maximum is active. */
export const insertLegalHold = async (
  db: Queryable,
  { provider, ...held }: Held & { readonly provider: string; readonly reason: string },
  actor: Actor,
): Promise<LegalHold | undefined> => set(db, { ...held, id: newEntryId(), ...(await holdsGuard(db, provider)) }, actor)

const lift = loggedStatement<LegalHold, Guard & { id: string }>(
  'liftLegalHold',
  `lifted_before AS MATERIALIZED (
  SELECT * FROM legal_hold WHERE provider_id = $provider AND id = $id AND lifted_at IS NOT NULL
), told AS (
  ${versionRaised}
), lifted AS (
  UPDATE legal_hold SET lifted_at = now(), lifted_by = $who
  WHERE provider_id = $provider AND id = $id AND lifted_at IS NULL
  RETURNING *
), h AS (
  SELECT * FROM lifted
  UNION ALL
  SELECT * FROM lifted_before
)`,
  `SELECT ${shown} FROM h`,
  { of: 'lifted', asked: ({ id }) => ({ id }) },
)

/**
 * Lifts a hold; one that is lifted already stays as it is. Undefined when there is none with this
 * id.
 */
export const endLegalHold = async (
  db: Queryable,
  { provider, id }: { readonly provider: string; readonly id: string },
  actor: Actor,
): Promise<LegalHold | undefined> => lift(db, { id, ...(await holdsGuard(db, provider)) }, actor)

/** Changes of holds raise the version of their list. */
const holdsGuard = (db: Queryable, provider: string): Promise<Guard> => guardOf(db, provider, 'legalHold', undefined)

/**
 * Counts the changes of holds. Its row is made where there is none: a purge locks it, so that a
 * first hold waits too.
 */
export async function countHoldChanges(db: Queryable, provider: string): Promise<number> {
  await holdsGuard(db, provider)
  return versionOfSetting(db, provider, 'legalHold')
}

/** Up to `limit` holds, newest first, below an id if one is given; only active ones, or all. */
export const legalHolds = statement<LegalHold, Page & { onlyStanding: boolean }>(
  'legalHolds',
  `SELECT ${shown}
   FROM legal_hold h
   WHERE h.provider_id = $provider AND ($before::uuid IS NULL OR h.id < $before) AND (h.lifted_at IS NULL OR NOT $onlyStanding)
   ORDER BY h.id DESC
   LIMIT $limit`,
)
