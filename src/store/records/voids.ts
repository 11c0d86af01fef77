// Voids: an event that was entered by mistake, with the reason. A void is a version with the
// content of the one before. It takes the event out of its search rows and codes, and puts it into
// those of voided events; a replacement brings it back (event-rows.ts). Source: decisions 0066,
// 0080.

import { type EventKindName, eventKinds, ofEventKinds } from '../../contract/record-kinds.ts'
import { multirangeOf, type VersionSet } from '../base/writes.ts'
import { answerAll, BatchedStatement, type BatchLimits, Failed } from '../database/batched-statement.ts'
import { partitionsOf } from '../database/partitions.ts'
import { highestId, type Page, type Queryable, statement } from '../database/statement.ts'
import { awaitingInserted } from '../evidence/checkpoints.ts'
import { DamagedRecord } from '../evidence/damaged-record.ts'
import { events, type KindRelations, onEvents } from './event-kinds.ts'
import type { EventSearch } from './event-rows.ts'
import { codesLike, lotRowOf } from './lot-rows.ts'
import { hashVersions, type ImportedRecord } from './records.ts'
import type { FoundVersion } from './search.ts'
import { searchAwaited } from './search-blocks.ts'

/** One void. `allowed` are the versions it may void: undefined when there is no condition. */
export interface Voiding {
  readonly id: string
  readonly keyId: string
  readonly requestId: string
  readonly reason: string
  readonly allowed: VersionSet | undefined
}

/** How a void ended, and the version the record is at now. Only `voided` wrote anything. */
export type Voided =
  | { readonly is: 'voided' | 'unchanged' | 'stale'; readonly version: number }
  | { readonly is: 'unknown' }

const voidedColumns = `kind, id, "dataProviderVendorId", "eventDateTime", place, counterpart,
                            "purchaseOrderNumber", "asnNumber", "billOfLadingNumber", event_date, line_count, item_codes, voided_at`

/**
 * `again`: the record changed while the statement waited for it; `missing`: its version was lost.
 * In both cases nothing was written.
 */
interface VoidingRow {
  readonly id: string
  readonly outcome: 'voided' | 'unchanged' | 'stale' | 'again' | 'missing'
  readonly version: number
}

// The body stays in the database: it may have 10 MB, and only its hash is new. An empty content
// hash marks the record as voided, so that any replacement differs from it; with an empty search
// hash the replacement writes search rows.
const declareVoid = ({ kind, plural }: KindRelations) => {
  const { rows, codes, voided } = partitionsOf(kind)
  return statement<VoidingRow, { provider: string; submitted: readonly Voiding[] }>(
    `void${plural}`,
    `WITH submitted AS (
  SELECT * FROM $submitted
), seen AS MATERIALIZED (
  SELECT r.id, r.version
  FROM record r
  WHERE r.provider_id = $1 AND r.id = ANY (ARRAY(SELECT id FROM submitted)) AND r.kind = '${kind}'
), stored AS (
  SELECT r.id, r.version, r.content_hash, r.version_hash
  FROM record r
  WHERE r.provider_id = $1 AND r.id = ANY (ARRAY(SELECT id FROM seen))
  ORDER BY r.id
  FOR UPDATE
), decided AS MATERIALIZED (
  SELECT s.id, s.key_id, s.request_id, s.reason, r.version, r.version_hash AS previous_hash,
         CASE
           WHEN NOT s.allowed @> r.version THEN 'stale'
           WHEN r.version <> seen.version THEN 'again'
           WHEN r.content_hash = '' THEN 'unchanged'
           WHEN NOT EXISTS (
             SELECT 1 FROM record_version v WHERE v.provider_id = $1 AND v.record_id = r.id AND v.version = r.version
           ) THEN 'missing'
           ELSE 'voided'
         END AS outcome
  FROM submitted s JOIN stored r ON r.id = s.id JOIN seen ON seen.id = s.id
), written AS MATERIALIZED (
  ${hashVersions(
    kind,
    `SELECT d.id, d.key_id, d.request_id, d.reason, d.version, d.previous_hash, NULL AS payload_id, v.content_hash,
           v.detail[2] AS findings, v.detail[1] AS body
    FROM decided d JOIN record_version v ON v.provider_id = $1 AND v.record_id = d.id AND v.version = d.version
    WHERE d.outcome = 'voided'`,
    { voidReason: 'a.reason' },
  )}
), records_updated AS (
  UPDATE record r
  SET version = w.version + 1, content_hash = '', version_hash = w.next_hash, search_hash = '', compared = NULL
  FROM written w
  WHERE r.provider_id = $1 AND r.id = w.id
), versions AS (
  INSERT INTO record_version (provider_id, record_id, version, kind, submitted_at, key_id, request_id, content_hash, detail,
                              version_hash, void_reason)
  SELECT $1, id, version + 1, kind, at, key_id, request_id, content_hash, ARRAY[body, findings], next_hash, reason
  FROM written
), awaiting AS (
  ${awaitingInserted('(SELECT id, version + 1 AS version FROM written) v')}
), to_search AS (
  ${searchAwaited('written')}
), search_rows AS (
  DELETE FROM ${rows} e
  USING written w
  WHERE e.provider_id = $1 AND e.id = w.id
  RETURNING e.kind, e.id, e."dataProviderVendorId", e."eventDateTime", e.place, e.counterpart, e."purchaseOrderNumber", e."asnNumber", e."billOfLadingNumber", e.event_date, e.line_count, w.at
), codes_removed AS (
  DELETE FROM ${codes} c
  USING written w
  WHERE c.provider_id = $1 AND c.id = w.id
  RETURNING c.id, c.field, c.code, c.unfolded, w.version
), earlier_lots AS (
  INSERT INTO earlier_lot_code (provider_id, code, id, unfolded, last_version)
  SELECT $1, code, id, unfolded, version
  FROM codes_removed
  WHERE field = 'lotCode'
  ON CONFLICT (provider_id, code, id, unfolded) DO UPDATE SET last_version = excluded.last_version
), voided_rows AS (
  INSERT INTO ${voided} (provider_id, ${voidedColumns})
  SELECT $1, s.kind, s.id, s."dataProviderVendorId", s."eventDateTime", s.place, s.counterpart, s."purchaseOrderNumber", s."asnNumber", s."billOfLadingNumber", s.event_date, s.line_count,
         ARRAY(SELECT c.code FROM codes_removed c WHERE c.id = s.id AND c.field = 'itemCode' ORDER BY c.code), s.at
  FROM search_rows s
)
SELECT id, outcome, version FROM decided`,
    {
      rows: {
        submitted: {
          id: 'uuid',
          key_id: ['text', ({ keyId }) => keyId],
          request_id: ['uuid', ({ requestId }) => requestId],
          reason: 'text',
          allowed: ['int4multirange', ({ allowed }) => (allowed === undefined ? null : multirangeOf(allowed))],
        },
      },
    },
  )
}

/** Most voids in one statement: each copies a body in the database. */
const voidsAtOnce = 16

/** Voids events of a kind. Those that come together share a statement, as replacements do. */
export const voider = (db: Queryable, kind: EventKindName, limits: BatchLimits): BatchedStatement<Voiding, Voided> =>
  new BatchedStatement<Voiding, Voided>({
    run: (provider, requests) =>
      answerAll(requests, async (left) => {
        const rows = await statementsOf[kind].void(db, { provider, submitted: left })
        const byId = new Map(rows.map((row) => [row.id, row]))
        const answers = new Map<Voiding, Voided | Failed>()
        for (const request of left) {
          const answer = voidedBy(byId.get(request.id))
          if (answer !== 'again') answers.set(request, answer)
        }
        return answers
      }),
    bytesOf: ({ reason }) => 200 + reason.length,
    conflictKeys: ({ id, requestId }) => [[`record ${id}`, requestId]],
    limits: { ...limits, rowsMax: voidsAtOnce },
    spans: db.spans,
  })

function voidedBy(row: VoidingRow | undefined): Voided | Failed | 'again' {
  if (row === undefined) return { is: 'unknown' }
  if (row.outcome === 'missing') return new Failed(new DamagedRecord(row))
  if (row.outcome === 'again') return 'again'
  return { is: row.outcome, version: row.outcome === 'voided' ? row.version + 1 : row.version }
}

/**
 * The filters: a voided event matches one value of each that is given. Kinds have others by
 * location.
 */
export interface VoidedSelection {
  readonly dataProviderVendorId?: readonly string[] | undefined
  readonly shipToLocationCode?: readonly string[] | undefined
  readonly purchaseOrderNumber?: readonly string[] | undefined
  readonly asnNumber?: readonly string[] | undefined
  readonly billOfLadingNumber?: readonly string[] | undefined
  readonly itemCode?: readonly string[] | undefined
  /** Texts that name lots; one line must have one of them (decision 0049). */
  readonly lotCode?: readonly string[] | undefined
  /** True to include events whose lot codes only read alike. */
  readonly readAlike?: boolean | undefined
  /** First and last date received, `yyyy-MM-dd` (decision 0055). */
  readonly eventStartDate?: string | undefined
  readonly eventEndDate?: string | undefined
  readonly eventStartDateTime?: string | undefined
  readonly eventEndDateTime?: string | undefined
  /** Of the void. */
  readonly submitStartDateTime?: string | undefined
  readonly submitEndDateTime?: string | undefined
}

/** A voided event at the version of its void. */
export interface VoidedEvent {
  readonly id: string
  readonly version: number
  readonly lineCount: number
  readonly voidedAt: Date
  readonly reason: string
}

/**
 * The rows of the lots of a selection, if it has any. Where the code as read is null, every code
 * that folds to it matches.
 */
interface LotCodes {
  readonly codes: readonly string[] | undefined
  readonly unfolded: readonly (string | null)[] | undefined
}

interface PlaceCodes {
  readonly place: readonly string[] | undefined
  readonly counterpart: readonly string[] | undefined
}

// Few events are voided, so a search checks every condition along the key. The lot codes are those
// that the void removed from the event.
const declareSearch = ({ plural, datedVoided }: KindRelations) =>
  statement<VoidedEvent, VoidedSelection & Page & LotCodes & PlaceCodes>(
    `findVoided${plural}`,
    `SELECT e.id, e.version, e.line_count AS "lineCount", e.voided_at AS "voidedAt", coalesce((
     SELECT v.void_reason FROM record_version v WHERE v.provider_id = $provider AND v.record_id = e.id AND v.version = e.version
   ), '') AS reason
   FROM ${datedVoided} e
   WHERE e.id < $before::uuid
     AND ($dataProviderVendorId::text[] IS NULL OR e."dataProviderVendorId" = ANY ($dataProviderVendorId))
     AND ($place::text[] IS NULL OR e.place = ANY ($place)) AND ($counterpart::text[] IS NULL OR e.counterpart = ANY ($counterpart))
     AND ($purchaseOrderNumber::text[] IS NULL OR e."purchaseOrderNumber" = ANY ($purchaseOrderNumber))
     AND ($asnNumber::text[] IS NULL OR e."asnNumber" = ANY ($asnNumber))
     AND ($billOfLadingNumber::text[] IS NULL OR e."billOfLadingNumber" = ANY ($billOfLadingNumber)) AND ($itemCode::text[] IS NULL OR e.item_codes && $itemCode)
     AND ($codes::text[] IS NULL OR EXISTS (
       SELECT 1
       FROM unnest($codes, $unfolded::text[]) AS w (code, unfolded)
       JOIN earlier_lot_code l ON l.provider_id = $provider AND l.code = w.code AND l.id = e.id
       WHERE l.last_version = e.version - 1 AND (w.unfolded IS NULL OR l.unfolded = w.unfolded)
     ))
     AND ($eventStartDate::date IS NULL OR e.local_date >= $eventStartDate) AND ($eventEndDate::date IS NULL OR e.local_date <= $eventEndDate)
     AND ($eventStartDateTime::timestamptz IS NULL OR e."eventDateTime" >= $eventStartDateTime)
     AND ($eventEndDateTime::timestamptz IS NULL OR e."eventDateTime" <= $eventEndDateTime)
     AND ($submitStartDateTime::timestamptz IS NULL OR e.voided_at >= $submitStartDateTime)
     AND ($submitEndDateTime::timestamptz IS NULL OR e.voided_at <= $submitEndDateTime)
   ORDER BY e.id DESC
   LIMIT $limit`,
    { defaults: { before: highestId } },
  )

/** Up to `limit` voided events below the id `before`, the last created first. */
export function findVoidedEvents(
  db: Queryable,
  provider: string,
  {
    selection,
    before,
    limit,
    kind = 'receivingEvent',
  }: {
    readonly selection: VoidedSelection
    readonly before: string | undefined
    readonly limit: number
    readonly kind?: EventKindName | undefined
  },
): Promise<VoidedEvent[]> {
  const lots = selection.readAlike
    ? selection.lotCode?.flatMap(codesLike).map((code) => ({ code, unfolded: null }))
    : selection.lotCode?.map(lotRowOf)
  const { place, counterpart = '' } = eventKinds[kind]
  const codes = selection as Readonly<Record<string, readonly string[] | undefined>>
  return statementsOf[kind].find(db, {
    ...selection,
    place: codes[place],
    counterpart: codes[counterpart],
    provider,
    before,
    limit,
    codes: lots?.map(({ code }) => code),
    unfolded: lots?.map(({ unfolded }) => unfolded),
  })
}

/** A void, and what identifies its event. */
export interface VoidRow {
  readonly kind: EventKindName
  readonly id: string
  readonly version: number
  /** In UTC, to the microsecond. */
  readonly voidedDateTime: string
  readonly keyId: string
  readonly reason: string
  readonly dataProviderVendorId: string
  readonly purchaseOrderNumber: string | null
  readonly place: string
  readonly counterpart: string | null
  /** The date at its place. */
  readonly eventDate: string
}

const latestOfKinds = onEvents(
  ({
    datedVoided,
  }) => `(SELECT e.kind, e.id, e.version, e.voided_at, e."dataProviderVendorId", e."purchaseOrderNumber", e.place, e.counterpart,
            e.local_date
     FROM ${datedVoided} e
     WHERE (e.voided_at, e.id) < ($voidedDateTime::timestamptz, $id::uuid)
     ORDER BY e.voided_at DESC, e.id DESC
     LIMIT $limit)`,
)

/** Up to `limit` voids in force, the latest first; those after another one when it is given. */
export const findLatestVoids = statement<
  VoidRow,
  Partial<Pick<VoidRow, 'voidedDateTime' | 'id'>> & { provider: string; limit: number }
>(
  'latestVoids',
  `SELECT p.kind, p.id, p.version, to_char(p.voided_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "voidedDateTime",
          v.key_id AS "keyId", coalesce(v.void_reason, '') AS reason, p."dataProviderVendorId", p."purchaseOrderNumber",
          p.place, p.counterpart, p.local_date::text AS "eventDate"
   FROM (
  ${latestOfKinds}
     ORDER BY voided_at DESC, id DESC
     LIMIT $limit
   ) p
   JOIN record_version v ON v.provider_id = $provider AND v.record_id = p.id AND v.version = p.version
   ORDER BY p.voided_at DESC, p.id DESC`,
  { defaults: { voidedDateTime: 'infinity', id: highestId } },
)

/** The filters of a list that may have several values. */
const listFilters = [
  ...['dataProviderVendorId', 'purchaseOrderNumber', 'asnNumber', 'billOfLadingNumber', 'itemCode', 'lotCode'],
] as const

/** Voided events as a page of a list; its bodies are still to be read. */
export async function searchVoidedEvents(
  kind: EventKindName,
  db: Queryable,
  { provider, limit, before }: Page,
  wanted: Readonly<Record<string, unknown>>,
): Promise<FoundVersion[]> {
  const several = Object.fromEntries(
    [...listFilters, ...Object.keys(events[kind].columns)].map((name) => [
      name,
      wanted[name] === undefined ? undefined : [wanted[name]].flat(),
    ]),
  )
  const selection = { ...wanted, ...several } as VoidedSelection
  const found = await findVoidedEvents(db, provider, { selection, before, limit, kind })
  return found.map(({ id, version }) => ({ id, version, body: null, isMissing: false }))
}

/** A voided event that was stored elsewhere, and when it was voided. */
export interface ImportedVoid extends Omit<ImportedRecord<EventSearch>, 'contentHash'> {
  /** In UTC, to the microsecond. */
  readonly voidedDateTime: string
}

const declareImport = ({ kind, plural }: KindRelations) =>
  statement<never, { provider: string; submitted: readonly ImportedVoid[] }>(
    `importVoided${plural}`,
    `WITH submitted AS (
  SELECT * FROM $submitted
), ready AS (
  INSERT INTO record (provider_id, id, kind, version, content_hash, version_hash, search_hash)
  SELECT $1, id, '${kind}', version, '', version_hash, '' FROM submitted
  ON CONFLICT (provider_id, id) DO NOTHING
  RETURNING id
)
INSERT INTO voided_event (provider_id, ${voidedColumns})
SELECT $1, '${kind}', s.id, s.vendor, s.event_date_time, s.place, s.counterpart, s.purchase_order, s.asn, s.bill_of_lading, s.event_date, s.line_count,
       ARRAY(SELECT jsonb_array_elements_text(s.item_codes)), s.voided_at
FROM submitted s JOIN ready ON ready.id = s.id`,
    {
      rows: {
        submitted: {
          id: 'uuid',
          version: 'integer',
          version_hash: ['bytea', ({ versionHash }) => versionHash],
          voided_at: ['timestamptz', ({ voidedDateTime }) => voidedDateTime],
          vendor: ['text', ({ search }) => search.dataProviderVendorId],
          event_date_time: ['timestamptz', ({ search }) => search.eventDateTime],
          place: ['text', ({ search }) => search.place],
          counterpart: ['text', ({ search }) => search.counterpart],
          purchase_order: ['text', ({ search }) => search.purchaseOrderNumber],
          asn: ['text', ({ search }) => search.asnNumber],
          bill_of_lading: ['text', ({ search }) => search.billOfLadingNumber],
          event_date: ['date', ({ search }) => search.eventDate],
          line_count: ['integer', ({ search }) => search.lineCount],
          item_codes: ['jsonb', ({ search }) => JSON.stringify([...new Set(search.itemCodes)].sort())],
        },
      },
    },
  )

const statementsOf = ofEventKinds((kind) => ({
  void: declareVoid(events[kind]),
  find: declareSearch(events[kind]),
}))

/** Makes voided events visible that are not; others stay as they are. */
export const importVoidedEvents = ofEventKinds((kind) => declareImport(events[kind]))
