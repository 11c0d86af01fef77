// Bulk corrections: the events of each, and their outcomes (decision 0067). The store of receiving
// events writes the versions, with the id of the correction as request id.
import { v7 } from 'uuid'
import { leaseStatements } from '../base/leases.ts'
import { type Queryable, statement } from '../database/statement.ts'
import { counted } from '../records/event-kinds.ts'
import type { EventSelection, SelectedEvent } from '../records/event-selection.ts'
import { lotRowOf } from '../records/lot-rows.ts'

const countedEvents = counted.dated
const countedRows = counted.rows
const countedCodes = counted.codes

/** The filters: an event matches one value of each that is given. */
export interface CorrectionSelection extends EventSelection {
  readonly purchaseOrderNumber?: readonly string[] | undefined
  /** The rule of a gap in a line of one of the items, where any are named. */
  readonly gap?: string | undefined
}

// Planned at each execution: filters that are not given then cost nothing.
const chosen = statement<SelectedEvent>(
  'selectEventsToCorrect',
  `SELECT e.id, e.version, e.line_count AS "lineCount"
   FROM ${countedEvents} e
   WHERE ($2::date IS NULL OR e."eventDateTime" >= ($2::date - interval '14 hours') AT TIME ZONE 'UTC' AND e.local_date >= $2::date)
     AND ($3::date IS NULL OR e."eventDateTime" <= ($3::date + interval '38 hours') AT TIME ZONE 'UTC' AND e.local_date <= $3::date)
     AND ($4::text[] IS NULL OR e."dataProviderVendorId" = ANY ($4)) AND ($5::text[] IS NULL OR e.place = ANY ($5))
     AND ($6::text[] IS NULL OR e."purchaseOrderNumber" = ANY ($6))
     AND ($7::text[] IS NULL OR e.id IN (
       SELECT i.id FROM ${countedCodes} i WHERE i.field = 'itemCode' AND i.code = ANY ($7)
     ))
     AND ($8::text[] IS NULL OR e.id IN (
       SELECT l.id
       FROM unnest($8::text[], $9::text[]) AS w (code, unfolded)
       JOIN ${countedCodes} l ON l.field = 'lotCode' AND l.code = w.code AND l.unfolded = w.unfolded
     ))
     AND ($10::text IS NULL OR EXISTS (
       SELECT true
       FROM jsonb_to_recordset(e.completeness) AS t (item text, gaps jsonb)
       WHERE t.gaps ? $10 AND ($7::text[] IS NULL OR t.item = ANY ($7))
     ))
   ORDER BY e.id
   LIMIT $11`,
  'each time',
)

/** Up to `limit` events, oldest first, as they are now. */
export function selectEventsToCorrect(
  db: Queryable,
  provider: string,
  selection: CorrectionSelection,
  limit: number,
): Promise<SelectedEvent[]> {
  const lots = selection.lotCode?.map(lotRowOf)
  return chosen(db, [
    provider,
    selection.eventStartDate ?? null,
    selection.eventEndDate ?? null,
    selection.dataProviderVendorId ?? null,
    selection.shipToLocationCode ?? null,
    selection.purchaseOrderNumber ?? null,
    selection.itemCode ?? null,
    lots?.map(({ code }) => code) ?? null,
    lots?.map(({ unfolded }) => unfolded) ?? null,
    selection.gap ?? null,
    limit,
  ])
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

const forgotten = statement(
  'cancelForgottenCorrections',
  `UPDATE correction c SET state = 'cancelled', ended_at = now()
   WHERE c.provider_id = $1 AND c.state = 'previewed' AND c.created_at < $2::timestamptz`,
)

const old = statement(
  'deleteOldCorrectionEvents',
  `DELETE FROM correction_event e
   USING correction c
   WHERE e.provider_id = $1 AND c.provider_id = $1 AND e.correction_id = c.id AND c.ended_at < $2::timestamptz`,
)

/**
 * Cancels previews created before `unapplied` and never applied, and deletes the events of
 * corrections that ended before `ended`, because they quote records.
 */
export async function forgetCorrections(db: Queryable, provider: string, unapplied: Date, ended: Date): Promise<void> {
  await forgotten(db, [provider, unapplied.toISOString()])
  await old(db, [provider, ended.toISOString()])
}

const insert = statement<StoredCorrection>(
  'insertCorrection',
  `WITH open AS MATERIALIZED (
  SELECT count(*) AS corrections FROM correction WHERE provider_id = $1 AND state IN ('previewing', 'previewed', 'applying')
), c AS (
  INSERT INTO correction (provider_id, id, state, reason, asked, event_count, created_by)
  SELECT $1, $2::uuid, CASE WHEN $6 = 0 THEN 'previewed' ELSE 'previewing' END, $3::text, $4::json, $6, $5::text
  FROM open
  WHERE corrections < $10
  RETURNING *
), events AS (
  INSERT INTO correction_event (provider_id, correction_id, record_id, version, line_count, outcome)
  SELECT $1, c.id, w.id, w.version, w.lines, 'waiting'
  FROM c CROSS JOIN unnest($7::uuid[], $8::integer[], $9::integer[]) AS w (id, version, lines)
)
SELECT ${shown} FROM c`,
)

/** Creates a correction of these events. Undefined if `openMax` others are in progress. */
export async function insertCorrection(
  db: Queryable,
  provider: string,
  correction: { readonly reason: string; readonly asked: object; readonly createdBy: string },
  events: readonly SelectedEvent[],
  openMax: number,
): Promise<StoredCorrection | undefined> {
  const [created] = await insert(db, [
    provider,
    v7(),
    correction.reason,
    JSON.stringify(correction.asked),
    correction.createdBy,
    events.length,
    events.map(({ id }) => id),
    events.map(({ version }) => version),
    events.map(({ lineCount }) => lineCount),
    openMax,
  ])
  return created
}

const insertedUndoing = statement<StoredCorrection>(
  'insertUndoing',
  `WITH open AS MATERIALIZED (
  SELECT count(*) AS corrections FROM correction WHERE provider_id = $1 AND state IN ('previewing', 'previewed', 'applying')
), corrected AS MATERIALIZED (
  SELECT e.record_id, e.version, e.to_version, e.line_count, r.version AS latest
  FROM correction_event e
  JOIN record r ON r.provider_id = $1 AND r.id = e.record_id
  WHERE e.provider_id = $1 AND e.correction_id = $3 AND e.outcome = 'corrected'
), c AS (
  INSERT INTO correction (provider_id, id, state, reason, asked, event_count, created_by, undoes)
  SELECT $1, $2::uuid, 'previewing', $4::text, $5::json, (SELECT count(*)::integer FROM corrected), $6::text, $3::uuid
  FROM open
  WHERE corrections < $7
  RETURNING *
), events AS (
  INSERT INTO correction_event (provider_id, correction_id, record_id, version, back_to, line_count, outcome, detail)
  SELECT $1, c.id, x.record_id, x.to_version, x.version, x.line_count,
         CASE WHEN x.latest = x.to_version THEN 'waiting' ELSE 'superseded' END,
         CASE WHEN x.latest > x.to_version THEN 'The event changed after the correction: it is at version ' || x.latest::text || '.' END
  FROM c CROSS JOIN corrected x
)
SELECT ${shown} FROM c`,
)

/**
 * Creates a correction that restores the events of another one to their earlier content. Those that
 * changed since then stay. Undefined if `openMax` are not ended.
 */
export async function insertUndoing(
  db: Queryable,
  provider: string,
  correction: { readonly undoes: string; readonly reason: string; readonly asked: object; readonly createdBy: string },
  openMax: number,
): Promise<StoredCorrection | undefined> {
  const { undoes, reason, asked, createdBy } = correction
  const [created] = await insertedUndoing(db, [
    provider,
    v7(),
    undoes,
    reason,
    JSON.stringify(asked),
    createdBy,
    openMax,
  ])
  return created
}

const undoing = statement<{ readonly id: string; readonly undoneBy: string }>(
  'undoingCorrections',
  `SELECT c.undoes AS id, c.id AS "undoneBy"
   FROM correction c
   WHERE c.provider_id = $1 AND c.undoes = ANY ($2::uuid[]) AND c.state <> 'cancelled'
   ORDER BY c.id`,
)

/** The latest corrections that undo these, by the id of the undone one. */
export const undoingOf = async (
  db: Queryable,
  provider: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> =>
  new Map((await undoing(db, [provider, ids])).map(({ id, undoneBy }) => [id, undoneBy]))

const list = statement<StoredCorrection>(
  'listCorrections',
  `SELECT ${shown}
   FROM correction c
   WHERE c.provider_id = $1 AND ($2::uuid IS NULL OR c.id < $2)
   ORDER BY c.id DESC
   LIMIT $3`,
)

/** Up to `limit` corrections, newest first; those below an id when one is given. */
export const findCorrections = (db: Queryable, provider: string, before: string | undefined, limit: number) =>
  list(db, [provider, before ?? null, limit])

const one = statement<StoredCorrection>(
  'readCorrection',
  `SELECT ${shown} FROM correction c WHERE c.provider_id = $1 AND c.id = $2`,
)

export const findCorrection = async (
  db: Queryable,
  provider: string,
  id: string,
): Promise<StoredCorrection | undefined> => (await one(db, [provider, id]))[0]

/** Events with one outcome, and the changes of the correction in them. */
export interface OutcomeCounts {
  readonly outcome: CorrectionOutcome
  readonly events: number
  readonly values: number
  readonly completedLines: number
  readonly closedGaps: number
}

const counts = statement<OutcomeCounts & { readonly id: string }>(
  'countCorrectionEvents',
  `SELECT e.correction_id AS id, e.outcome, count(*)::integer AS events, sum(e.value_count)::integer AS "values",
          sum(e.completed_lines)::integer AS "completedLines", sum(e.closed_gaps)::integer AS "closedGaps"
   FROM correction_event e
   WHERE e.provider_id = $1 AND e.correction_id = ANY ($2::uuid[])
   GROUP BY e.correction_id, e.outcome`,
)

/** Events of these corrections by outcome. */
export const countCorrectionEvents = (db: Queryable, provider: string, ids: readonly string[]) =>
  counts(db, [provider, ids])

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
const events = statement<CorrectedEvent>(
  'listCorrectionEvents',
  `SELECT page.id, page.version, page."lineCount", page.outcome, page."toVersion", page."values", page."completedLines",
          page."closedGaps", page.differences, page.detail, r.local_date::text AS "eventDate", r."dataProviderVendorId",
          r.place AS "shipToLocationCode", r."purchaseOrderNumber"
   FROM (
     SELECT e.record_id AS id, e.version, e.line_count AS "lineCount", e.outcome, e.to_version AS "toVersion",
            e.value_count AS "values", e.completed_lines AS "completedLines", e.closed_gaps AS "closedGaps",
            e.differences::text AS differences, e.detail
     FROM correction_event e
     WHERE e.provider_id = $1 AND e.correction_id = $2 AND ($3::text IS NULL OR e.outcome = $3)
       AND ($4::uuid IS NULL OR e.record_id > $4)
     ORDER BY e.record_id
     LIMIT $5
   ) page
   LEFT JOIN ${countedEvents} r ON r.id = page.id
   ORDER BY page.id`,
)

/** Up to `limit` events of a correction, oldest first; those behind an id when one is given. */
export const findCorrectionEvents = (
  db: Queryable,
  provider: string,
  correction: string,
  outcome: CorrectionOutcome | undefined,
  after: string | undefined,
  limit: number,
): Promise<CorrectedEvent[]> => events(db, [provider, correction, outcome ?? null, after ?? null, limit])

/** Which of the events that are ready are corrected: all without a choice. */
export interface ReadyChoice {
  readonly only?: readonly string[] | undefined
  readonly leaveOut?: readonly string[] | undefined
}

const ready = statement<{ id: string }>(
  'readyAmong',
  `SELECT e.record_id AS id
   FROM correction_event e
   WHERE e.provider_id = $1 AND e.correction_id = $2 AND e.record_id = ANY ($3::uuid[]) AND e.outcome = 'ready'`,
)

/** Those of the events that are ready. */
export const readyAmong = async (
  db: Queryable,
  provider: string,
  correction: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => new Set((await ready(db, [provider, correction, ids])).map(({ id }) => id))

const apply = statement<{ id: string }>(
  'applyCorrection',
  `WITH c AS (
  UPDATE correction c SET state = 'applying', applied_at = now(), applied_by = $3
  WHERE c.provider_id = $1 AND c.id = $2 AND c.state = 'previewed'
  RETURNING c.id
), left_out AS (
  UPDATE correction_event e SET outcome = 'leftOut'
  FROM c
  WHERE e.provider_id = $1 AND e.correction_id = c.id AND e.outcome = 'ready'
    AND (e.record_id = ANY ($4::uuid[]) OR NOT e.record_id = ANY ($5::uuid[]))
)
SELECT c.id FROM c`,
)

/** True when this call began to apply a previewed correction. */
export const beginToApply = async (
  db: Queryable,
  provider: string,
  id: string,
  keyId: string,
  { only, leaveOut }: ReadyChoice,
): Promise<boolean> => (await apply(db, [provider, id, keyId, leaveOut ?? null, only ?? null])).length > 0

const cancel = statement<{ id: string }>(
  'cancelCorrection',
  `UPDATE correction c SET state = 'cancelled', ended_at = now()
   WHERE c.provider_id = $1 AND c.id = $2 AND c.state IN ('previewing', 'previewed', 'applying')
   RETURNING c.id`,
)

/** True when this call cancelled a correction that was not ended. */
export const endByCancelling = async (db: Queryable, provider: string, id: string): Promise<boolean> =>
  (await cancel(db, [provider, id])).length > 0

const due = statement<{ provider: string }>(
  'providersToCorrect',
  `SELECT DISTINCT provider_id AS provider FROM correction WHERE state IN ('previewing', 'applying')`,
)

/** Providers with a correction to work on. */
export const providersToCorrect = async (db: Queryable): Promise<string[]> =>
  (await due(db, [])).map(({ provider }) => provider)

const next = statement<{ id: string; free: boolean }>(
  'nextCorrection',
  `SELECT c.id, c.until IS NULL OR c.until < now() AS free
   FROM correction c
   WHERE c.provider_id = $1 AND c.state IN ('previewing', 'applying')
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
  const [waiting] = await next(db, [provider])
  if (waiting === undefined) return 'none'
  return (waiting.free && (await correctionLease.claim(db, { provider, id: waiting.id }))) || 'others'
}

const endPhase = statement(
  'endCorrectionPhase',
  `UPDATE correction c
   SET state = CASE c.state WHEN 'previewing' THEN 'previewed' ELSE 'done' END,
       ended_at = CASE c.state WHEN 'previewing' THEN NULL ELSE t.now END
   FROM (SELECT now()) t
   WHERE c.provider_id = $1 AND c.id = $2 AND c.fence = $3 AND c.state = $4`,
)

/** All events have been previewed, or all that were ready were applied. */
export const endCorrectionPhase = async (
  db: Queryable,
  provider: string,
  { id, fence, state }: ClaimedCorrection,
): Promise<void> => {
  await endPhase(db, [provider, id, fence, state])
}

/** The next event of a correction. */
export interface EventToCorrect extends SelectedEvent {
  /** The version whose content comes back, where a correction is undone. */
  readonly backTo: number | null
  readonly resultHash: Buffer | null
}

const toDo = statement<EventToCorrect>(
  'eventsToCorrect',
  `SELECT record_id AS id, version, back_to AS "backTo", line_count AS "lineCount", result_hash AS "resultHash"
   FROM correction_event
   WHERE provider_id = $1 AND correction_id = $2 AND outcome = $3 AND ($4::uuid IS NULL OR record_id > $4)
   ORDER BY record_id
   LIMIT $5`,
)

/** Up to `limit` events with this outcome behind an id. */
export const eventsToCorrect = (
  db: Queryable,
  provider: string,
  correction: string,
  outcome: CorrectionOutcome,
  after: string | undefined,
  limit: number,
): Promise<EventToCorrect[]> => toDo(db, [provider, correction, outcome, after ?? null, limit])

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

const results = statement(
  'writeCorrectionResults',
  `UPDATE correction_event e
   SET outcome = w.outcome, to_version = w.to_version, value_count = coalesce(w.value_count, e.value_count),
       completed_lines = coalesce(w.completed_lines, e.completed_lines), closed_gaps = coalesce(w.closed_gaps, e.closed_gaps),
       differences = coalesce(w.differences::json, e.differences), detail = w.detail, result_hash = w.result_hash
   FROM unnest($4::uuid[], $5::text[], $6::integer[], $7::integer[], $8::integer[], $9::integer[], $10::text[], $11::text[], $12::bytea[])
     AS w (id, outcome, to_version, value_count, completed_lines, closed_gaps, differences, detail, result_hash)
   WHERE e.provider_id = $1 AND e.correction_id = $2 AND e.record_id = w.id AND e.outcome = $3`,
)

/** Writes results of events that still have the outcome `from`: a late step changes nothing. */
export const writeCorrectionResults = async (
  db: Queryable,
  provider: string,
  correction: string,
  from: CorrectionOutcome,
  written: readonly CorrectionResult[],
): Promise<void> => {
  await results(db, [
    provider,
    correction,
    from,
    written.map(({ id }) => id),
    written.map(({ outcome }) => outcome),
    written.map(({ toVersion }) => toVersion ?? null),
    written.map(({ values }) => values ?? null),
    written.map(({ completedLines }) => completedLines ?? null),
    written.map(({ closedGaps }) => closedGaps ?? null),
    written.map(({ differences }) => differences ?? null),
    written.map(({ detail }) => detail ?? null),
    written.map(({ resultHash }) => resultHash ?? null),
  ])
}

/** Lines of an event without a gap, and gaps of the others: a line once for each rule. */
export interface EventCompleteness {
  readonly completeLines: number
  readonly gaps: number
}

const completeness = statement<EventCompleteness & { readonly id: string }>(
  'completenessOfEvents',
  `SELECT e.id, coalesce(sum(t.complete), 0)::integer AS "completeLines", coalesce(sum(g.lines), 0)::integer AS gaps
   FROM ${countedRows} e
   CROSS JOIN LATERAL jsonb_to_recordset(e.completeness) AS t (complete integer, gaps jsonb)
   CROSS JOIN LATERAL (SELECT sum(x.lines::integer) AS lines FROM jsonb_each_text(t.gaps) AS x (rule, lines)) g
   WHERE e.id = ANY ($2::uuid[])
   GROUP BY e.id`,
)

/** The completeness of these events, by id. */
export const completenessOfEvents = async (
  db: Queryable,
  provider: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, EventCompleteness>> =>
  new Map((await completeness(db, [provider, ids])).map((row) => [row.id, row]))
