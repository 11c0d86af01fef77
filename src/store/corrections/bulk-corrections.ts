// Bulk corrections: the events of each, and their outcomes (decision 0067). The store of receiving
// events writes the versions, with the id of the correction as request id.
import { v7 } from 'uuid'
import { leaseStatements } from '../base/leases.ts'
import { amongProviders, type Page, type Queryable, statement } from '../database/statement.ts'
import { events } from '../records/event-kinds.ts'
import type { EventSelection, SelectedEvent } from '../records/event-selection.ts'
import { lotRowOf } from '../records/lot-rows.ts'

const countedEvents = events.receivingEvent.dated
const countedRows = events.receivingEvent.rows
const countedCodes = events.receivingEvent.codes

/** The filters: an event matches one value of each that is given. */
export interface CorrectionSelection extends EventSelection {
  readonly recordId?: readonly string[] | undefined
  readonly purchaseOrderNumber?: readonly string[] | undefined
  /** The rule of a gap in a line of one of the items, where any are named. */
  readonly gap?: string | undefined
}

type Chosen = Omit<CorrectionSelection, 'recordId'> & {
  provider: string
  lotCodes: readonly string[] | undefined
  unfolded: readonly string[] | undefined
  limit: number
}

const fitting = `WHERE ($eventStartDate::date IS NULL OR e."eventDateTime" >= ($eventStartDate::date - interval '14 hours') AT TIME ZONE 'UTC' AND e.local_date >= $eventStartDate::date)
     AND ($eventEndDate::date IS NULL OR e."eventDateTime" <= ($eventEndDate::date + interval '38 hours') AT TIME ZONE 'UTC' AND e.local_date <= $eventEndDate::date)
     AND ($dataProviderVendorId::text[] IS NULL OR e."dataProviderVendorId" = ANY ($dataProviderVendorId)) AND ($shipToLocationCode::text[] IS NULL OR e.place = ANY ($shipToLocationCode))
     AND ($purchaseOrderNumber::text[] IS NULL OR e."purchaseOrderNumber" = ANY ($purchaseOrderNumber))
     AND ($itemCode::text[] IS NULL OR e.id IN (
       SELECT i.id FROM ${countedCodes} i WHERE i.field = 'itemCode' AND i.code = ANY ($itemCode)
     ))
     AND ($lotCodes::text[] IS NULL OR e.id IN (
       SELECT l.id
       FROM unnest($lotCodes::text[], $unfolded::text[]) AS w (code, unfolded)
       JOIN ${countedCodes} l ON l.field = 'lotCode' AND l.code = w.code AND l.unfolded = w.unfolded
     ))
     AND ($gap::text IS NULL OR EXISTS (
       SELECT true
       FROM jsonb_to_recordset(e.completeness) AS t (item text, gaps jsonb)
       WHERE t.gaps ? $gap AND ($itemCode::text[] IS NULL OR t.item = ANY ($itemCode))
     ))
   ORDER BY e.id
   LIMIT $limit`

// Planned at each execution: filters that are not given then cost nothing.
const chosen = statement<SelectedEvent, Chosen>(
  'selectEventsToCorrect',
  `SELECT e.id, e.version, e.line_count AS "lineCount"
   FROM ${countedEvents} e
   ${fitting}`,
  { planned: 'each time' },
)

const named = statement<SelectedEvent, Chosen & { recordId: readonly string[] }>(
  'selectNamedEventsToCorrect',
  `SELECT e.id, e.version, e.line_count AS "lineCount"
   FROM unnest($recordId::uuid[]) AS named (id)
   CROSS JOIN LATERAL (SELECT e.* FROM ${countedEvents} e WHERE e.id = named.id LIMIT 1) e
   ${fitting}`,
  { planned: 'each time' },
)

/** Up to `limit` events, oldest first, as they are now. */
export function selectEventsToCorrect(
  db: Queryable,
  provider: string,
  selection: CorrectionSelection,
  limit: number,
): Promise<SelectedEvent[]> {
  const lots = selection.lotCode?.map(lotRowOf)
  const { recordId, ...others } = selection
  const asked = {
    ...others,
    lotCodes: lots?.map(({ code }) => code),
    unfolded: lots?.map(({ unfolded }) => unfolded),
    limit,
    provider,
  }
  return recordId === undefined ? chosen(db, asked) : named(db, { ...asked, recordId: [...new Set(recordId)] })
}

type CorrectionState = 'previewing' | 'previewed' | 'applying' | 'done' | 'cancelled'

/** The outcome of an event so far. */
export const correctionOutcomes = [
  'waiting',
  'ready',
  'leftOut',
  'unchanged',
  'refused',
  'corrected',
  'superseded',
  'gone',
  'failed',
] as const
export type CorrectionOutcome = (typeof correctionOutcomes)[number]

export interface StoredCorrection {
  readonly id: string
  readonly state: CorrectionState
  readonly reason: string
  /** JSON text. */
  readonly asked: string
  readonly events: number
  readonly createdAt: Date
  readonly createdBy: string
  readonly appliedAt: Date | null
  readonly appliedBy: string | null
  readonly endedAt: Date | null
  /** The correction that it undoes. */
  readonly undoes: string | null
}

const shown = `c.id, c.state, c.reason, c.asked::text AS asked, c.event_count AS events, c.created_at AS "createdAt",
          c.created_by AS "createdBy", c.applied_at AS "appliedAt", c.applied_by AS "appliedBy", c.ended_at AS "endedAt",
          c.undoes`

const forgotten = statement<never, { provider: string; unapplied: Date }>(
  'cancelForgottenCorrections',
  `UPDATE correction c SET state = 'cancelled', ended_at = now()
   WHERE c.provider_id = $provider AND c.state = 'previewed' AND c.created_at < $unapplied::timestamptz`,
)

const old = statement<never, { provider: string; ended: Date }>(
  'deleteOldCorrectionEvents',
  `DELETE FROM correction_event e
   USING correction c
   WHERE e.provider_id = $provider AND c.provider_id = $provider AND e.correction_id = c.id AND c.ended_at < $ended::timestamptz`,
)

/**
 * Cancels previews created before `unapplied` and never applied, and deletes the events of
 * corrections that ended before `ended`, because they quote records.
 */
export async function forgetCorrections(db: Queryable, provider: string, unapplied: Date, ended: Date): Promise<void> {
  await forgotten(db, { provider, unapplied })
  await old(db, { provider, ended })
}

/** A correction of these events, while fewer than `openMax` are in progress. */
interface NewCorrection {
  readonly provider: string
  readonly reason: string
  readonly asked: object
  readonly createdBy: string
  readonly events: readonly SelectedEvent[]
  readonly openMax: number
}

const insert = statement.one<StoredCorrection, NewCorrection & { id: string; eventCount: number }>(
  'insertCorrection',
  `WITH open AS MATERIALIZED (
  SELECT count(*) AS corrections FROM correction WHERE provider_id = $provider AND state IN ('previewing', 'previewed', 'applying')
), c AS (
  INSERT INTO correction (provider_id, id, state, reason, asked, event_count, created_by)
  SELECT $provider, $id::uuid, CASE WHEN $eventCount = 0 THEN 'previewed' ELSE 'previewing' END, $reason::text, $asked::json, $eventCount, $createdBy::text
  FROM open
  WHERE corrections < $openMax
  RETURNING *
), events AS (
  INSERT INTO correction_event (provider_id, correction_id, record_id, version, line_count, outcome)
  SELECT $provider, c.id, events.id, events.version, events."lineCount", 'waiting'
  FROM c CROSS JOIN $events
)
SELECT ${shown} FROM c`,
  {
    rows: {
      events: { id: 'uuid', version: 'integer', lineCount: 'integer' },
    },
  },
)

/** Creates a correction. Undefined if too many others are in progress. */
export const insertCorrection = (db: Queryable, correction: NewCorrection): Promise<StoredCorrection | undefined> =>
  insert(db, { ...correction, id: v7(), eventCount: correction.events.length })

/** A correction that undoes another one. */
interface NewUndoing extends Omit<NewCorrection, 'events'> {
  readonly undoes: string
}

const insertedUndoing = statement.one<StoredCorrection, NewUndoing & { id: string }>(
  'insertUndoing',
  `WITH open AS MATERIALIZED (
  SELECT count(*) AS corrections FROM correction WHERE provider_id = $provider AND state IN ('previewing', 'previewed', 'applying')
), corrected AS MATERIALIZED (
  SELECT e.record_id, e.version, e.to_version, e.line_count, r.version AS latest
  FROM correction_event e
  JOIN record r ON r.provider_id = $provider AND r.id = e.record_id
  WHERE e.provider_id = $provider AND e.correction_id = $undoes AND e.outcome = 'corrected'
), c AS (
  INSERT INTO correction (provider_id, id, state, reason, asked, event_count, created_by, undoes)
  SELECT $provider, $id::uuid, 'previewing', $reason::text, $asked::json, (SELECT count(*)::integer FROM corrected), $createdBy::text, $undoes::uuid
  FROM open
  WHERE corrections < $openMax
  RETURNING *
), events AS (
  INSERT INTO correction_event (provider_id, correction_id, record_id, version, back_to, line_count, outcome, detail)
  SELECT $provider, c.id, x.record_id, x.to_version, x.version, x.line_count,
         CASE WHEN x.latest = x.to_version THEN 'waiting' ELSE 'superseded' END,
         CASE WHEN x.latest > x.to_version THEN 'The event changed after the correction: it is at version ' || x.latest::text || '.' END
  FROM c CROSS JOIN corrected x
)
SELECT ${shown} FROM c`,
)

/**
 * Creates a correction that restores the events of another one to their earlier content. Those that
 * changed since then stay. Undefined if too many others are in progress.
 */
export const insertUndoing = (db: Queryable, undoing: NewUndoing): Promise<StoredCorrection | undefined> =>
  insertedUndoing(db, { ...undoing, id: v7() })

const undoing = statement<
  { readonly id: string; readonly undoneBy: string },
  { provider: string; ids: readonly string[] }
>(
  'undoingCorrections',
  `SELECT c.undoes AS id, c.id AS "undoneBy"
   FROM correction c
   WHERE c.provider_id = $provider AND c.undoes = ANY ($ids::uuid[]) AND c.state <> 'cancelled'
   ORDER BY c.id`,
)

/** The latest corrections that undo these, by the id of the undone one. */
export const undoingOf = async (
  db: Queryable,
  provider: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> =>
  new Map((await undoing(db, { provider, ids })).map(({ id, undoneBy }) => [id, undoneBy]))

/** Up to `limit` corrections, newest first; those below an id when one is given. */
export const findCorrections = statement<StoredCorrection, Page>(
  'listCorrections',
  `SELECT ${shown}
   FROM correction c
   WHERE c.provider_id = $provider AND ($before::uuid IS NULL OR c.id < $before)
   ORDER BY c.id DESC
   LIMIT $limit`,
)

export const findCorrection = statement.one<StoredCorrection, { provider: string; id: string }>(
  'readCorrection',
  `SELECT ${shown} FROM correction c WHERE c.provider_id = $provider AND c.id = $id`,
)

/** Events with one outcome, and the changes of the correction in them. */
export interface OutcomeCounts {
  readonly outcome: CorrectionOutcome
  readonly events: number
  readonly values: number
  readonly completedLines: number
  readonly closedGaps: number
}

/** Events of these corrections by outcome. */
export const countCorrectionEvents = statement<
  OutcomeCounts & { readonly id: string },
  { provider: string; ids: readonly string[] }
>(
  'countCorrectionEvents',
  `SELECT e.correction_id AS id, e.outcome, count(*)::integer AS events, sum(e.value_count)::integer AS "values",
          sum(e.completed_lines)::integer AS "completedLines", sum(e.closed_gaps)::integer AS "closedGaps"
   FROM correction_event e
   WHERE e.provider_id = $provider AND e.correction_id = ANY ($ids::uuid[])
   GROUP BY e.correction_id, e.outcome`,
)

/** The outcome of a correction for one event. */
export interface CorrectedEvent {
  readonly id: string
  readonly version: number
  readonly lineCount: number
  readonly outcome: CorrectionOutcome
  readonly toVersion: number | null
  readonly values: number
  readonly completedLines: number
  readonly closedGaps: number
  /** JSON text. */
  readonly differences: string | null
  readonly detail: string | null
  /** The current version; null when the event no longer exists. */
  readonly eventDate: string | null
  readonly dataProviderVendorId: string | null
  readonly shipToLocationCode: string | null
  readonly purchaseOrderNumber: string | null
}

// The search row is looked up after the limit, only for the events of the page.
/** Up to `limit` events of a correction, oldest first; those behind an id when one is given. */
export const findCorrectionEvents = statement<
  CorrectedEvent,
  Page & { correction: string; outcome: CorrectionOutcome | undefined }
>(
  'listCorrectionEvents',
  `SELECT page.id, page.version, page."lineCount", page.outcome, page."toVersion", page."values", page."completedLines",
          page."closedGaps", page.differences, page.detail, r.local_date::text AS "eventDate", r."dataProviderVendorId",
          r.place AS "shipToLocationCode", r."purchaseOrderNumber"
   FROM (
     SELECT e.record_id AS id, e.version, e.line_count AS "lineCount", e.outcome, e.to_version AS "toVersion",
            e.value_count AS "values", e.completed_lines AS "completedLines", e.closed_gaps AS "closedGaps",
            e.differences::text AS differences, e.detail
     FROM correction_event e
     WHERE e.provider_id = $provider AND e.correction_id = $correction AND ($outcome::text IS NULL OR e.outcome = $outcome)
       AND ($after::uuid IS NULL OR e.record_id > $after)
     ORDER BY e.record_id
     LIMIT $limit
   ) page
   LEFT JOIN ${countedEvents} r ON r.id = page.id
   ORDER BY page.id`,
)

/** Which of the events that are ready are corrected: all without a choice. */
export interface ReadyChoice {
  readonly only?: readonly string[] | undefined
  readonly leaveOut?: readonly string[] | undefined
}

const ready = statement<{ id: string }, { provider: string; correction: string; ids: readonly string[] }>(
  'readyAmong',
  `SELECT e.record_id AS id
   FROM correction_event e
   WHERE e.provider_id = $provider AND e.correction_id = $correction AND e.record_id = ANY ($ids::uuid[]) AND e.outcome = 'ready'`,
)

/** Those of the events that are ready. */
export const readyAmong = async (
  db: Queryable,
  provider: string,
  correction: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => new Set((await ready(db, { provider, correction, ids })).map(({ id }) => id))

/** True when this call began to apply a previewed correction. */
export const beginToApply = statement.any<ReadyChoice & { provider: string; id: string; keyId: string }>(
  'applyCorrection',
  `WITH c AS (
  UPDATE correction c SET state = 'applying', applied_at = now(), applied_by = $keyId
  WHERE c.provider_id = $provider AND c.id = $id AND c.state = 'previewed'
  RETURNING c.id
), left_out AS (
  UPDATE correction_event e SET outcome = 'leftOut'
  FROM c
  WHERE e.provider_id = $provider AND e.correction_id = c.id AND e.outcome = 'ready'
    AND (e.record_id = ANY ($leaveOut::uuid[]) OR NOT e.record_id = ANY ($only::uuid[]))
)
SELECT c.id FROM c`,
)

/** True when this call cancelled a correction that was not ended. */
export const endByCancelling = statement.any<{ provider: string; id: string }>(
  'cancelCorrection',
  `UPDATE correction c SET state = 'cancelled', ended_at = now()
   WHERE c.provider_id = $provider AND c.id = $id AND c.state IN ('previewing', 'previewed', 'applying')
   RETURNING c.id`,
)

const due = statement.ofAll<{ provider: string }>(
  'providersToCorrect',
  `SELECT DISTINCT c.provider_id AS provider
   FROM correction c
   WHERE c.state IN ('previewing', 'applying') AND ${amongProviders('c')}`,
)

/** Providers with a correction to work on. */
export const providersToCorrect = async (db: Queryable): Promise<string[]> =>
  (await due(db)).map(({ provider }) => provider)

const next = statement.one<{ id: string; free: boolean }, { provider: string }>(
  'nextCorrection',
  `SELECT c.id, c.until IS NULL OR c.until < now() AS free
   FROM correction c
   WHERE c.provider_id = $provider AND c.state IN ('previewing', 'applying')
   ORDER BY c.id
   LIMIT 1`,
)

/** A correction that this process may work on. */
export interface ClaimedCorrection extends StoredCorrection {
  readonly fence: number
}

// If a step takes longer, two processes work on it for a while, and neither does anything twice.
export const correctionLease = leaseStatements<ClaimedCorrection, Pick<ClaimedCorrection, 'id' | 'fence'>>({
  name: 'Correction',
  table: 'correction',
  alias: 'c',
  byId: true,
  seconds: 6,
  hasWork: `c.state IN ('previewing', 'applying')`,
  claimed: `c.fence, ${shown}`,
  renewed: 'c.id, c.fence',
})

/** The oldest correction to work on; `others` when another process has it. */
export async function claimCorrection(db: Queryable, provider: string): Promise<ClaimedCorrection | 'others' | 'none'> {
  const waiting = await next(db, { provider })
  if (waiting === undefined) return 'none'
  return (waiting.free && (await correctionLease.claim(db, { provider, id: waiting.id }))) || 'others'
}

/** All events have been previewed, or all that were ready were applied. */
export const endCorrectionPhase = statement<
  never,
  Pick<ClaimedCorrection, 'id' | 'fence' | 'state'> & { provider: string }
>(
  'endCorrectionPhase',
  `UPDATE correction c
   SET state = CASE c.state WHEN 'previewing' THEN 'previewed' ELSE 'done' END,
       ended_at = CASE c.state WHEN 'previewing' THEN NULL ELSE t.now END
   FROM (SELECT now()) t
   WHERE c.provider_id = $provider AND c.id = $id AND c.fence = $fence AND c.state = $state`,
)

/** The next event of a correction. */
export interface EventToCorrect extends SelectedEvent {
  /** The version whose content comes back, where a correction is undone. */
  readonly backTo: number | null
  readonly resultHash: Buffer | null
}

/** Up to `limit` events with this outcome behind an id. */
export const eventsToCorrect = statement<EventToCorrect, Page & { correction: string; outcome: CorrectionOutcome }>(
  'eventsToCorrect',
  `SELECT record_id AS id, version, back_to AS "backTo", line_count AS "lineCount", result_hash AS "resultHash"
   FROM correction_event
   WHERE provider_id = $provider AND correction_id = $correction AND outcome = $outcome AND ($after::uuid IS NULL OR record_id > $after)
   ORDER BY record_id
   LIMIT $limit`,
)

/** The result of a step for one event. */
export interface CorrectionResult {
  readonly id: string
  readonly outcome: CorrectionOutcome
  readonly toVersion?: number
  readonly values?: number
  readonly completedLines?: number
  readonly closedGaps?: number
  /** JSON text. */
  readonly differences?: string
  readonly detail?: string
  readonly resultHash?: Buffer
}

/** Writes results of events that still have the outcome `from`: a late step changes nothing. */
export const writeCorrectionResults = statement<
  never,
  {
    provider: string
    correction: string
    from: CorrectionOutcome
    written: readonly CorrectionResult[]
  }
>(
  'writeCorrectionResults',
  `UPDATE correction_event e
   SET outcome = written.outcome, to_version = written."toVersion", value_count = coalesce(written."values", e.value_count),
       completed_lines = coalesce(written."completedLines", e.completed_lines), closed_gaps = coalesce(written."closedGaps", e.closed_gaps),
       differences = coalesce(written.differences::json, e.differences), detail = written.detail, result_hash = written."resultHash"
   FROM $written
   WHERE e.provider_id = $provider AND e.correction_id = $correction AND e.record_id = written.id AND e.outcome = $from`,
  {
    rows: {
      written: {
        id: 'uuid',
        outcome: 'text',
        toVersion: 'integer',
        values: 'integer',
        completedLines: 'integer',
        closedGaps: 'integer',
        differences: 'text',
        detail: 'text',
        resultHash: 'bytea',
      },
    },
  },
)

/** Lines of an event without a gap, and gaps of the others: a line once for each rule. */
export interface EventCompleteness {
  readonly completeLines: number
  readonly gaps: number
}

const completeness = statement<
  EventCompleteness & { readonly id: string },
  { provider: string; ids: readonly string[] }
>(
  'completenessOfEvents',
  `SELECT e.id, coalesce(sum(t.complete), 0)::integer AS "completeLines", coalesce(sum(g.lines), 0)::integer AS gaps
   FROM ${countedRows} e
   CROSS JOIN LATERAL jsonb_to_recordset(e.completeness) AS t (complete integer, gaps jsonb)
   CROSS JOIN LATERAL (SELECT sum(x.lines::integer) AS lines FROM jsonb_each_text(t.gaps) AS x (rule, lines)) g
   WHERE e.id = ANY ($ids::uuid[])
   GROUP BY e.id`,
)

/** The completeness of these events, by id. */
export const completenessOfEvents = async (
  db: Queryable,
  provider: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, EventCompleteness>> =>
  new Map((await completeness(db, { provider, ids })).map((row) => [row.id, row]))
