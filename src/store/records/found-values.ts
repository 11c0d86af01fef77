// Values that begin with a text, found in the indexes of lists and traces: from each value the
// index gives the next one, so a code of a million records costs one step (decision 0064).
import type { RecordKindName } from '../../contract/record-kinds.ts'
import { statement } from '../database/statement.ts'
import { allEvents, type KindRelations, onEvents } from './event-kinds.ts'

/** Columns whose values are found by how they begin. */
export const walkedKinds = [
  'lotCode',
  'itemCode',
  'eventId',
  'purchaseOrderNumber',
  'asnNumber',
  'billOfLadingNumber',
  'dataProviderVendorId',
  'masterProduct',
  'alternateItemCode',
  'location',
  'alternateLocationCode',
  'payloadId',
] as const
export type WalkedKind = (typeof walkedKinds)[number]

/**
 * A value, how many current records have it, and the newest of them. Receiving and shipping events
 * with one value are found apart.
 */
export interface FoundValue {
  readonly kind: WalkedKind
  readonly value: string
  readonly records: number
  readonly id: string
}

/** How the values of a kind are walked, and the records that have one of them. */
interface Walk {
  /** The next value after `w.value`. */
  readonly next: string
  /** Value, number and newest record of those that have `v.value`. */
  readonly records: string
}

const counted = (
  ids: string,
): string => `SELECT v.value, count(*)::integer AS records, (array_agg(r.id ORDER BY r.id DESC))[1] AS id
  FROM (
    ${ids}
  ) r
  HAVING count(*) > 0`

/** A walk along rows of each kind of events. */
const ofEvents = (
  nextIn: (relations: KindRelations) => string,
  records: (relations: KindRelations) => string,
): Walk => ({
  next: `LEAST(${onEvents(nextIn, ', ')})`,
  records: onEvents(records),
})

const nextCode =
  (field: string) =>
  ({ codes }: KindRelations): string =>
    `(SELECT c.code FROM ${codes} c WHERE c.field = '${field}' AND c.code > w.value ORDER BY c.code LIMIT 1)`

const byCode = (field: string): Walk =>
  ofEvents(nextCode(field), ({ codes }) =>
    counted(`SELECT c.id FROM ${codes} c
    WHERE c.field = '${field}' AND c.code = v.value
    ORDER BY c.id DESC LIMIT $recordsMax`),
  )

const byColumn = (column: string): Walk =>
  ofEvents(
    ({ rows }) => `(SELECT e."${column}" FROM ${rows} e WHERE e."${column}" > w.value ORDER BY e."${column}" LIMIT 1)`,
    ({ rows }) =>
      counted(`SELECT e.id FROM ${rows} e
    WHERE e."${column}" = v.value
    ORDER BY e.id DESC LIMIT $recordsMax`),
  )

/** Of master data. No index has an alternate code before the id. */
const byMasterCode = (table: string, column: string, order = ''): Walk => ({
  next: `(SELECT m."${column}" FROM ${table} m WHERE m.provider_id = $provider AND m."${column}" > w.value ORDER BY m."${column}" LIMIT 1)`,
  records: counted(`SELECT m.id FROM ${table} m
    WHERE m.provider_id = $provider AND m."${column}" = v.value
    ${order} LIMIT $recordsMax`),
})
const newestFirst = 'ORDER BY m.id DESC'

const walks: Readonly<Record<WalkedKind, Walk>> = {
  // One row for each text that a folded code stands for.
  lotCode: ofEvents(
    nextCode('lotCode'),
    ({
      codes,
    }) => `SELECT coalesce(nullif(r.unfolded, ''), v.value) AS value, count(*)::integer AS records, (array_agg(r.id ORDER BY r.id DESC))[1] AS id
  FROM (
    SELECT c.id, c.unfolded FROM ${codes} c
    WHERE c.field = 'lotCode' AND c.code = v.value
    ORDER BY c.id DESC LIMIT $recordsMax
  ) r
  GROUP BY r.unfolded`,
  ),
  itemCode: byCode('itemCode'),
  eventId: byCode('eventId'),
  purchaseOrderNumber: byColumn('purchaseOrderNumber'),
  asnNumber: byColumn('asnNumber'),
  billOfLadingNumber: byColumn('billOfLadingNumber'),
  dataProviderVendorId: byColumn('dataProviderVendorId'),
  masterProduct: byMasterCode('master_product', 'itemCode', newestFirst),
  alternateItemCode: byMasterCode('master_product', 'alternateItemCode'),
  location: byMasterCode('location', 'locationCode', newestFirst),
  alternateLocationCode: byMasterCode('location', 'alternateLocationCode'),
  // An event before the locations that its payload set up: their kinds stand in that order.
  payloadId: {
    next: `(SELECT p.payload_id FROM record_version p
        WHERE p.provider_id = $provider AND p.payload_id > w.value ORDER BY p.payload_id LIMIT 1)`,
    records: `SELECT v.value, count(*)::integer AS records, (array_agg(r.record_id ORDER BY r.kind DESC, r.record_id DESC))[1] AS id
  FROM (
    SELECT DISTINCT p.record_id, p.kind FROM (
      SELECT x.record_id, x.kind FROM record_version x
      WHERE x.provider_id = $provider AND x.payload_id = v.value
      LIMIT $recordsMax
    ) p
  ) r
  HAVING count(*) > 0`,
  },
}

/**
 * Each kind has a walk of its own: in one for all, PostgreSQL adds up what each step of each kind
 * may cost, and compiles the statement first, for 130 ms.
 */
const walkOf = (kind: WalkedKind): string => `walked_${kind} AS (
  SELECT starts.start, starts.start AS value, 0 AS step
  FROM $starts
  WHERE starts.kind = '${kind}'
  UNION ALL
  SELECT n.start, n.value, n.step
  FROM (
    SELECT w.start, w.step + 1 AS step, ${walks[kind].next} AS value
    FROM walked_${kind} w
    WHERE w.step < $limit
    OFFSET 0
  ) n
  WHERE starts_with(lower(n.value), lower(n.start))
)`

const foundOf = (kind: WalkedKind): string => `SELECT '${kind}' AS kind, f.value, f.records, f.id
FROM (SELECT DISTINCT w.value FROM walked_${kind} w) v
CROSS JOIN LATERAL (
  ${walks[kind].records}
) f`

const onWalks = (sqlOf: (kind: WalkedKind) => string, between: string): string => walkedKinds.map(sqlOf).join(between)
const walked = onWalks(walkOf, ', ')
const found = onWalks(foundOf, '\nUNION ALL\n')

/**
 * Up to `limit` values of each kind with a beginning, in any case, in the order of the index; a
 * value may come more than once. Databases order capitals and small letters differently: to get all
 * values, search with each form. Each counts up to `recordsMax` records. With a limit of 0 the
 * values are those asked for.
 */
export const findValues = statement<FoundValue, WantedValues>(
  'findValues',
  `WITH RECURSIVE ${walked}
${found}`,
  { rows: { starts: { kind: 'text', start: 'text' } } },
)

/** A kind, and the beginning of the wanted values. */
export interface WalkStart {
  readonly kind: WalkedKind
  readonly start: string
}

interface WantedValues {
  readonly provider: string
  readonly starts: readonly WalkStart[]
  readonly limit: number
  readonly recordsMax: number
}

/** The name of a record of its kind. */
export interface RecordWords {
  readonly id: string
  readonly kind: RecordKindName
  /** Code of a product or location. */
  readonly code: string | null
  readonly name: string | null
  readonly vendor: string
  /** Of an event: the date at its place. */
  readonly eventDate: string | null
  readonly voided: boolean
  /** The number of its current version. */
  readonly version: number
  /** True when that version is missing: the words may be those of an older one. */
  readonly isMissing: boolean
}

const dated = allEvents.dated
const datedVoided = allEvents.datedVoided

export const findRecordWords = statement<RecordWords, { provider: string; ids: readonly string[] }>(
  'findRecordWords',
  `SELECT r.id, r.kind, coalesce(p."itemCode", l."locationCode") AS code,
  coalesce(l.content ->> 'locationName', CASE WHEN r.kind = 'masterProduct' THEN v.detail[1]::json -> 'productMasterDataList' ->> 'itemDescription' END) AS name,
  coalesce(e."dataProviderVendorId", p."dataProviderVendorId", l."dataProviderVendorId") AS vendor,
  e.date::text AS "eventDate", coalesce(e.voided, false) AS voided, r.version, v.version IS NULL AS "isMissing"
FROM unnest($ids::uuid[]) AS w (id)
JOIN record r ON r.provider_id = $provider AND r.id = w.id
LEFT JOIN LATERAL (
  (SELECT d."dataProviderVendorId", d.local_date AS date, false AS voided
   FROM ${dated} d WHERE d.kind = r.kind AND d.id = r.id LIMIT 1)
  UNION ALL
  (SELECT d."dataProviderVendorId", d.local_date, true
   FROM ${datedVoided} d WHERE d.kind = r.kind AND d.id = r.id LIMIT 1)
  LIMIT 1
) e ON true
LEFT JOIN master_product p ON p.provider_id = $provider AND p.id = r.id
LEFT JOIN record_version v ON v.provider_id = $provider AND v.record_id = r.id AND v.version = r.version
  AND v.version_hash = r.version_hash
LEFT JOIN location l ON l.provider_id = $provider AND l.id = r.id`,
)

/** Up to `limit` records with an id from `first` to `last`, the newest first. */
export const findByIdRange = statement<
  { id: string },
  { provider: string; first: string; last: string; limit: number }
>(
  'findRecordsByIdRange',
  `SELECT r.id FROM record r WHERE r.provider_id = $provider AND r.id BETWEEN $first::uuid AND $last::uuid ORDER BY r.id DESC LIMIT $limit`,
)
