// Which versions are old enough to purge, their purge, and the withdrawal of copies for partners:
// the two statements that remove content of records. Sources: decisions 0040, 0041, 0078.
import type { RecordKindName } from '../../contract/record-kinds.ts'
import { lowestId, type Page, type Queryable, statement } from '../database/statement.ts'
import { purgesInserted } from '../evidence/checkpoints.ts'
import { allEvents, linesIn } from '../records/event-kinds.ts'
import { codesLike, lotRowsOf } from '../records/lot-rows.ts'
import { searchAwaited } from '../records/search-blocks.ts'
import { countHoldChanges, type LegalHold } from './legal-holds.ts'

/** A version to purge: nothing keeps it any longer. */
export interface DueVersion {
  readonly id: string
  readonly version: number
  readonly kind: RecordKindName
  readonly dataProviderVendorId: string
  /** Calendar year of its submission, in UTC. */
  readonly submittedYear: number
  /** True for the current version: its purge removes the record. */
  readonly isCurrent: boolean
}

/** Most records that one statement checks, and most versions it selects. */
const recordsAtOnce = 100
const versionsAtOnce = 500

const kindsOfEvents = allEvents.kinds
const linesOfVersion = linesIn('k.body')
const linesOfBody = linesIn('v.detail[1]::json')

/** True of the kinds of events: their records are purged as a whole. */
const isEvent = `kind IN (${kindsOfEvents})`

/** The vendor in a body. */
const vendorOfBody = `coalesce(body #>> '{eventList,dataProviderVendorId}', body #>> '{productMasterDataList,dataProviderVendorId}',
       body #>> '{locationMasterList,dataProviderVendorId}')`

/**
 * What a hold `h` covers of a version `k` that is still whole. Lot codes are those of
 * events; dates are those of events as written, and for master data the days on which the version
 * was in force, with two more at each end for the ways in which a day can be counted.
 *
 * Lot codes are read outside of SQL (decision 0049): `read_lots` has the texts of lot codes that
 * were read, `covered_lots` the holds and the texts they cover. A text that came in between was not
 * read, and counts as covered.
 */
const covers = `(h.record_id IS NULL OR h.record_id = k.id)
     AND (h."dataProviderVendorId" IS NULL OR h."dataProviderVendorId" = ${vendorOfBody})
     AND (h."lotCode" IS NULL OR EXISTS (
       SELECT 1 FROM ${linesOfVersion} AS l
       WHERE NOT (l.line ->> 'caseLotNumber' IN (SELECT text FROM read_lots))
         OR (h.id, l.line ->> 'caseLotNumber') IN (SELECT hold, text FROM covered_lots)))
     AND (h.event_start_date IS NULL AND h.event_end_date IS NULL OR CASE
       WHEN k.${isEvent} THEN left(k.body #>> '{eventList,eventDateTime}', 10)::date
         BETWEEN coalesce(h.event_start_date, '-infinity') AND coalesce(h.event_end_date, 'infinity')
       ELSE k.submitted_at < coalesce(h.event_end_date, 'infinity') + 2
         AND coalesce(k.superseded_at, 'infinity') >= coalesce(h.event_start_date, '-infinity') - 2
     END)`

/** What holds of lots cover: the lot codes that were read, and those that a hold covers. */
interface HeldLots {
  readonly texts: readonly string[]
  readonly covered: readonly { readonly hold: string; readonly text: string }[]
}

const heldLotRows = { covered: { hold: 'uuid', text: 'text' } } as const

/** The versions to look at. */
interface DueParams extends HeldLots, Due {
  readonly fromId: string
  readonly fromVersion: number
  readonly idsEnd: string
}

/**
 * The versions that are due, of up to `$records` records from an id on (of that record, those above
 * a version). `$before` is the instant before which the time of a version has to have begun,
 * `$idsEnd` an id above all that were made by then.
 *
 * The time of a version begins when it was submitted, when the next one took its place, or at its
 * own event date time, whichever is latest; and not before that of the versions before it, so that
 * they go in their order. A held record keeps all of its versions. Master data in force stays:
 * events to come refer to it.
 */
const due = `read_lots AS (
  SELECT unnest($texts::text[]) AS text
), covered_lots AS (
  SELECT hold, text FROM $covered
), walked AS MATERIALIZED (
  SELECT r.id, r.version FROM record r WHERE r.provider_id = $provider AND r.id >= $fromId AND r.id < $idsEnd ORDER BY r.id LIMIT $records
), versions AS (
  SELECT w.id, v.version, v.version = w.version AS is_current, v.kind, v.submitted_at, v.purged_at, v.detail[1]::json AS body,
         lead(v.submitted_at) OVER (PARTITION BY v.record_id ORDER BY v.version) AS superseded_at
  FROM walked w JOIN record_version v ON v.provider_id = $provider AND v.record_id = w.id
), aged AS (
  SELECT k.id, k.version, k.is_current, k.kind, k.body, k.submitted_at, k.purged_at,
         max(greatest(
           k.submitted_at, k.superseded_at,
           CASE WHEN k.submitted_at < $before THEN (k.body #>> '{eventList,eventDateTime}')::timestamptz END
         )) OVER (PARTITION BY k.id ORDER BY k.version) AS kept_from
  FROM versions k
), held AS MATERIALIZED (
  SELECT DISTINCT k.id
  FROM versions k JOIN legal_hold h ON h.provider_id = $provider AND h.lifted_at IS NULL
  WHERE k.purged_at IS NULL AND ${covers}
), chosen AS (
  SELECT a.id, a.version, a.kind, ${vendorOfBody} AS vendor, a.is_current, a.submitted_at
  FROM aged a
  WHERE a.purged_at IS NULL AND a.kept_from < $before AND (NOT a.is_current OR a.${isEvent})
    AND (a.id, a.version) > ($fromId, $fromVersion::integer)
    AND a.id NOT IN (SELECT id FROM held)
  ORDER BY a.id, a.version
  LIMIT $versions
)`
const limits = { records: recordsAtOnce, versions: versionsAtOnce }

/**
 * Takes the content of the versions of `hashed`; the hash of it stays. Citus does not compute that
 * in an UPDATE.
 */
const contentTaken = `UPDATE record_version v
  SET detail = NULL, payload_id = NULL, void_reason = NULL, reason = NULL, detail_hash = h.detail_hash, purged_at = h.now
  FROM hashed h
  WHERE v.provider_id = $provider AND v.record_id = h.id AND v.version = h.version AND v.purged_at IS NULL
  RETURNING v.record_id AS id, v.version`
const hashedDetail =
  'v.record_id AS id, v.version, detail_hash_of(v.payload_id, v.void_reason, v.reason, v.detail[2], v.detail[1]) AS detail_hash'

const columns = `c.id, c.version, c.kind, c.vendor AS "dataProviderVendorId", c.is_current AS "isCurrent",
       extract(year FROM c.submitted_at AT TIME ZONE 'UTC')::integer AS "submittedYear"`

interface StepRow {
  /** The last record that was checked, and how many were. */
  readonly reached: string
  readonly walked: number
  readonly id: string | null
  readonly version: number
  readonly kind: RecordKindName
  readonly dataProviderVendorId: string
  readonly isCurrent: boolean
  readonly submittedYear: number
}

const look = statement<StepRow, DueParams>(
  'dueVersions',
  `WITH ${due}
SELECT w.reached, w.walked, ${columns}
FROM (SELECT (SELECT id FROM walked ORDER BY id DESC LIMIT 1) AS reached, count(*)::integer AS walked FROM walked) w
LEFT JOIN chosen c ON true
WHERE w.walked > 0
ORDER BY c.id, c.version`,
  { rows: heldLotRows, defaults: limits },
)

/** The rows by which a `leaving` record and a `purged` version are found: deleted. */
const rowsRemoved = `codes_removed AS (
  DELETE FROM event_code r USING leaving l WHERE r.provider_id = $provider AND r.kind = l.kind AND r.id = l.id
), earlier_lots_removed AS (
  DELETE FROM earlier_lot_code r USING purged p WHERE r.provider_id = $provider AND r.id = p.id AND r.last_version = p.version
), events_removed AS (
  DELETE FROM event e USING leaving l WHERE e.provider_id = $provider AND e.kind = l.kind AND e.id = l.id
), voided_removed AS (
  DELETE FROM voided_event e USING leaving l WHERE e.provider_id = $provider AND e.kind = l.kind AND e.id = l.id
), records_removed AS (
  DELETE FROM record r USING leaving l WHERE r.provider_id = $provider AND r.id = l.id
)`

/**
 * Purges due versions, only under an entry of the access log, and only when no hold was set or
 * lifted since their changes were counted: a hold that commits first stops it, a later one waits
 * for it. A record that is replaced in between is not at the selected version, and stays.
 */
const purge = statement<
  StepRow & { readonly guarded: boolean; readonly purged: boolean },
  DueParams & { now: Date; entry: string; holdsChanged: number }
>(
  'purgeVersions',
  `WITH ${due}, guard AS MATERIALIZED (
  SELECT h.version
  FROM setting_version h
  WHERE h.provider_id = $provider AND h.id = 'legalHold' AND h.version = $holdsChanged
    AND EXISTS (SELECT 1 FROM access_log a WHERE a.provider_id = $provider AND a.id = $entry)
  FOR NO KEY UPDATE
), leaving AS MATERIALIZED (
  SELECT l.* FROM (
    SELECT r.id, r.kind
    FROM record r, chosen c, guard
    WHERE r.provider_id = $provider AND r.id = c.id AND r.version = c.version AND c.is_current
    FOR UPDATE OF r
  ) l
), hashed AS MATERIALIZED (
  SELECT v.id, v.version, v.detail_hash, $now::timestamptz AS now
  FROM chosen c CROSS JOIN guard CROSS JOIN LATERAL (
    SELECT ${hashedDetail} FROM record_version v
    WHERE v.provider_id = $provider AND v.record_id = c.id AND v.version = c.version
    LIMIT 1
  ) v
  WHERE NOT c.is_current OR c.id IN (SELECT id FROM leaving)
), purged AS (
  ${contentTaken}
), awaiting AS (
  ${purgesInserted('purged')}
), ${rowsRemoved}, to_search AS (
  ${searchAwaited('leaving')}
)
SELECT w.reached, w.walked, EXISTS (SELECT 1 FROM guard) AS guarded, p.id IS NOT NULL AS purged, ${columns}
FROM (SELECT (SELECT id FROM walked ORDER BY id DESC LIMIT 1) AS reached, count(*)::integer AS walked FROM walked) w
LEFT JOIN chosen c ON true
LEFT JOIN purged p ON p.id = c.id AND p.version = c.version
WHERE w.walked > 0
ORDER BY c.id, c.version`,
  { rows: heldLotRows, defaults: limits },
)

/**
 * Where the next step begins: with later versions of this record, and then with the next records.
 */
export interface Position {
  readonly id: string
  readonly version: number
}

const first: Position = { id: lowestId, version: 0 }
const lastVersion = 2 ** 31 - 1

/** The versions that a step found due, or purged. */
export interface Step {
  readonly versions: readonly DueVersion[]
  /** Records that were checked. */
  readonly records: number
  /** Undefined when there are no more records. */
  readonly next: Position | undefined
}

/** The records to check, and when versions are due: those that nothing has kept since `before`. */
export interface Due {
  readonly provider: string
  readonly before: Date
}

/** Finds due versions step by step; changes nothing. */
export const findDue = async (db: Queryable, what: Due, from = first): Promise<Step> =>
  stepOf(await look(db, await dueParams(db, what, from)), () => true)

const lotHolds = statement<{ id: string; lotCode: string }, { provider: string }>(
  'standingLotHolds',
  `SELECT h.id, h."lotCode" FROM legal_hold h WHERE h.provider_id = $provider AND h.lifted_at IS NULL AND h."lotCode" IS NOT NULL`,
)

const lotTexts = statement<{ text: string }, { provider: string; from: string; below: string | null; limit: number }>(
  'lotTextsOfRecords',
  `SELECT DISTINCT l.line ->> 'caseLotNumber' AS text
   FROM (
     SELECT r.id FROM record r
     WHERE r.provider_id = $provider AND r.id >= $from AND ($below::uuid IS NULL OR r.id < $below) AND r.${isEvent}
     ORDER BY r.id
     LIMIT $limit
   ) w
   JOIN record_version v ON v.provider_id = $provider AND v.record_id = w.id
   CROSS JOIN LATERAL ${linesOfBody} AS l
   WHERE v.purged_at IS NULL AND l.line ->> 'caseLotNumber' IS NOT NULL`,
)

/**
 * What lot holds cover of up to `limit` events from an id on and below another. A hold on a lot
 * covers every text that names it and every lot code that reads alike: it is to hold too much
 * rather than too little.
 */
async function lotsHeld(
  db: Queryable,
  range: { readonly provider: string; readonly from: string; readonly below: string | null; readonly limit: number },
): Promise<HeldLots> {
  const holds = await lotHolds(db, range)
  if (holds.length === 0) return { texts: [], covered: [] }
  const texts = (await lotTexts(db, range)).map(({ text }) => text)
  const byCode = new Map<string, string[]>()
  for (const text of texts)
    for (const { code } of lotRowsOf(text)) {
      const own = byCode.get(code)
      if (own === undefined) byCode.set(code, [text])
      else own.push(text)
    }
  const covered = holds.flatMap(({ id, lotCode }) =>
    [...new Set(codesLike(lotCode).flatMap((code) => byCode.get(code) ?? []))].map((text) => ({ hold: id, text })),
  )
  return { texts, covered }
}

/** Of one step; it reads the lots of no more events than these. */
async function dueParams(db: Queryable, { provider, before }: Due, { id, version }: Position): Promise<DueParams> {
  const idsEnd = idAbove(before)
  const held = await lotsHeld(db, { provider, from: id, below: idsEnd, limit: recordsAtOnce })
  return { provider, before, fromId: id, fromVersion: version, idsEnd, ...held }
}

/** How often a purge starts again because a hold was set or lifted meanwhile. */
const triesMax = 20

/**
 * Purges due versions step by step, each in one statement; `entry` is the id of the purge in the
 * access log.
 */
export async function purgeDue(
  db: Queryable,
  what: Due,
  { now, entry }: { readonly now: Date; readonly entry: string },
  from = first,
): Promise<Step> {
  for (let tries = 0; tries < triesMax; tries++) {
    const holdsChanged = await countHoldChanges(db, what.provider)
    // Read after the count: a hold that is not among these has changed it.
    const params = await dueParams(db, what, from)
    const rows = await purge(db, { ...params, now, entry, holdsChanged })
    if (rows[0]?.guarded ?? true) return stepOf(rows, ({ purged }) => purged)
  }
  throw new Error('Legal holds keep changing, so the purge stopped. Try again later.')
}

function stepOf<Row extends StepRow>(rows: readonly Row[], counts: (row: Row) => boolean): Step {
  const [head] = rows
  if (head === undefined) return { versions: [], records: 0, next: undefined }
  const chosen = rows.flatMap((row) => (row.id === null ? [] : [{ ...row, id: row.id }]))
  const versions = chosen
    .filter(counts)
    .map(({ id, version, kind, dataProviderVendorId, submittedYear, isCurrent }) => ({
      id,
      version,
      kind,
      dataProviderVendorId,
      submittedYear,
      isCurrent,
    }))
  const last = chosen.at(-1)
  return last !== undefined && chosen.length === versionsAtOnce
    ? { versions, records: 0, next: { id: last.id, version: last.version } }
    : {
        versions,
        records: head.walked,
        next: head.walked < recordsAtOnce ? undefined : { id: head.reached, version: lastVersion },
      }
}

const hourMs = 3_600_000

/**
 * An id above all records created by then; ids begin with the time (decision 0001). An hour of
 * tolerance covers clocks that differ.
 */
const idAbove = (at: Date): string => {
  const digits = Math.max(0, at.getTime() + hourMs)
    .toString(16)
    .padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`
}

// Neither age nor a hold keeps a copy: the provider keeps its own record. A current version is
// deleted only together with its record.
const withdraw = statement<{ id: string }, { provider: string; copies: readonly Withdrawal[] }>(
  'withdrawCopies',
  `WITH chosen AS (
  SELECT copies."copyId" AS id, copies.version
  FROM $copies CROSS JOIN partner_account a
  WHERE a.provider_id = $provider
    AND NOT EXISTS (SELECT 1 FROM record r WHERE r.provider_id = $provider AND r.id = copies."copyId" AND r.version = copies.version)
), leaving AS MATERIALIZED (
  SELECT l.* FROM (
    SELECT r.id, r.kind FROM record r
    WHERE r.provider_id = $provider AND r.id IN (SELECT c.id FROM chosen c WHERE c.version IS NULL)
    ORDER BY r.id
    FOR UPDATE
  ) l
), hashed AS MATERIALIZED (
  SELECT v.id, v.version, v.detail_hash, now() AS now
  FROM chosen c CROSS JOIN LATERAL (
    SELECT ${hashedDetail} FROM record_version v
    WHERE v.provider_id = $provider AND v.record_id = c.id AND v.version = coalesce(c.version, v.version) AND v.purged_at IS NULL
    OFFSET 0
  ) v
), purged AS (
  ${contentTaken}
), awaiting AS (
  ${purgesInserted('purged')}
), products_removed AS (
  DELETE FROM master_product m USING leaving l WHERE m.provider_id = $provider AND m.id = l.id
), locations_removed AS (
  DELETE FROM location m USING leaving l WHERE m.provider_id = $provider AND m.id = l.id
), ${rowsRemoved}, to_search AS (
  ${searchAwaited('leaving')}
)
SELECT id FROM purged`,
  { rows: { copies: { copyId: 'uuid', version: 'integer' } } },
)

/** A copy to withdraw, or one version of it. */
export interface Withdrawal {
  readonly copyId: string
  readonly version?: number
}

/**
 * Withdraws copies from an account: takes their content away and leaves tombstones. Those withdrawn
 * before stay as they are.
 */
export const withdrawCopies = async (db: Queryable, account: string, copies: readonly Withdrawal[]): Promise<void> => {
  if (copies.length > 0) await withdraw(db, { provider: account, copies })
}

const count = statement.one<{ records: number }, { provider: string; idsEnd: string }>(
  'recordsMadeBefore',
  `SELECT count(*)::integer AS records FROM record r WHERE r.provider_id = $provider AND r.id < $idsEnd`,
)

/** Records old enough to be checked. */
export const countLookedAt = async (db: Queryable, provider: string, before: Date): Promise<number> =>
  (await count(db, { provider, idsEnd: idAbove(before) }))?.records ?? 0

const holding = statement<LegalHold, HeldLots & Page & { recordId: string }>(
  'holdsOnRecord',
  `WITH read_lots AS (
  SELECT unnest($texts::text[]) AS text
), covered_lots AS (
  SELECT hold, text FROM $covered
), versions AS (
  SELECT v.record_id AS id, v.kind, v.submitted_at, v.purged_at, v.detail[1]::json AS body,
         lead(v.submitted_at) OVER (ORDER BY v.version) AS superseded_at
  FROM record_version v
  WHERE v.provider_id = $provider AND v.record_id = $recordId
)
SELECT h.id, h.reason, h.record_id AS "recordId", h."lotCode", h."dataProviderVendorId",
       h.event_start_date::text AS "eventStartDate", h.event_end_date::text AS "eventEndDate",
       h.set_at AS "setAt", h.set_by AS "setBy", h.lifted_at AS "liftedAt", h.lifted_by AS "liftedBy"
FROM legal_hold h
WHERE h.provider_id = $provider AND h.lifted_at IS NULL AND ($before::uuid IS NULL OR h.id < $before)
  AND EXISTS (SELECT 1 FROM versions k WHERE k.purged_at IS NULL AND ${covers})
ORDER BY h.id DESC
LIMIT $limit`,
  { rows: heldLotRows },
)

/** Up to `limit` active holds that keep this record from being purged, newest first. */
export const holdsOnRecord = async (db: Queryable, asked: Page & { readonly recordId: string }): Promise<LegalHold[]> =>
  holding(db, {
    ...asked,
    ...(await lotsHeld(db, { provider: asked.provider, from: asked.recordId, below: null, limit: 1 })),
  })
