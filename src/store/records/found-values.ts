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

const nextCode = ({ codes }: KindRelations) => `(
        SELECT c.code FROM ${codes} c
        WHERE c.field = w.kind AND c.code > w.value ORDER BY c.code LIMIT 1)`

const nextInColumn =
  (column: string) =>
  ({ rows }: KindRelations) =>
    `(
        SELECT e.${column} FROM ${rows} e
        WHERE e.${column} > w.value ORDER BY e.${column} LIMIT 1)`

// The next value of each kind of events.
const nextCodes = onEvents(nextCode, ', ')
const nextPurchaseOrders = onEvents(nextInColumn('"purchaseOrderNumber"'), ', ')
const nextAsns = onEvents(nextInColumn('"asnNumber"'), ', ')
const nextBillsOfLading = onEvents(nextInColumn('"billOfLadingNumber"'), ', ')
const nextVendors = onEvents(nextInColumn('"dataProviderVendorId"'), ', ')

/** Events of a kind with a value in a column. */
const withColumn = ({ rows }: KindRelations, column: string, kind: WalkedKind) => `(SELECT e.id FROM ${rows} e
    WHERE e.${column} = v.value AND v.kind = '${kind}'
    ORDER BY e.id DESC LIMIT $recordsMax)`

/** Events of a kind with a value: of a lot code, one row for each text that it stands for. */
const eventsWithValue = (
  relations: KindRelations,
) => `SELECT coalesce(nullif(r.unfolded, ''), v.value) AS value, count(*)::integer AS records, (array_agg(r.id ORDER BY r.id DESC))[1] AS id
  FROM (
    SELECT c.id, c.unfolded FROM ${relations.codes} c
    WHERE c.field = 'lotCode' AND c.code = v.value AND v.kind = 'lotCode'
    ORDER BY c.id DESC LIMIT $recordsMax
  ) r
  GROUP BY r.unfolded
  UNION ALL
  SELECT v.value, count(*)::integer, (array_agg(r.id ORDER BY r.id DESC))[1]
  FROM (
    (SELECT c.id FROM ${relations.codes} c
    WHERE c.field = v.kind AND c.code = v.value AND v.kind IN ('itemCode', 'eventId')
    ORDER BY c.id DESC LIMIT $recordsMax)
    UNION ALL
    ${withColumn(relations, '"purchaseOrderNumber"', 'purchaseOrderNumber')}
    UNION ALL
    ${withColumn(relations, '"asnNumber"', 'asnNumber')}
    UNION ALL
    ${withColumn(relations, '"billOfLadingNumber"', 'billOfLadingNumber')}
    UNION ALL
    ${withColumn(relations, '"dataProviderVendorId"', 'dataProviderVendorId')}
  ) r
  HAVING count(*) > 0`

const valuesOfEvents = onEvents(eventsWithValue)

// An event before the locations that its payload set up: their kinds stand in that order.
/**
 * Up to `limit` values of each kind with a beginning, in any case, in the order of the index; a
 * value may come more than once. Databases order capitals and small letters differently: to get all
 * values, search with each form. Each counts up to `recordsMax` records.
 */
export const findValues = statement<FoundValue, WantedValues>(
  'findValues',
  `WITH RECURSIVE walked AS (
  SELECT starts.kind, starts.start, starts.start AS value, 0 AS step
  FROM $starts
  UNION ALL
  SELECT n.kind, n.start, n.value, n.step
  FROM (
    SELECT w.kind, w.start, w.step + 1 AS step, CASE
      WHEN w.kind IN ('lotCode', 'itemCode', 'eventId') THEN LEAST(${nextCodes})
      WHEN w.kind = 'purchaseOrderNumber' THEN LEAST(${nextPurchaseOrders})
      WHEN w.kind = 'asnNumber' THEN LEAST(${nextAsns})
      WHEN w.kind = 'billOfLadingNumber' THEN LEAST(${nextBillsOfLading})
      WHEN w.kind = 'dataProviderVendorId' THEN LEAST(${nextVendors})
      WHEN w.kind = 'masterProduct' THEN (
        SELECT p."itemCode" FROM master_product p
        WHERE p.provider_id = $provider AND p."itemCode" > w.value ORDER BY p."itemCode" LIMIT 1)
      WHEN w.kind = 'alternateItemCode' THEN (
        SELECT p."alternateItemCode" FROM master_product p
        WHERE p.provider_id = $provider AND p."alternateItemCode" > w.value ORDER BY p."alternateItemCode" LIMIT 1)
      WHEN w.kind = 'location' THEN (
        SELECT l."locationCode" FROM location l
        WHERE l.provider_id = $provider AND l."locationCode" > w.value ORDER BY l."locationCode" LIMIT 1)
      WHEN w.kind = 'alternateLocationCode' THEN (
        SELECT l."alternateLocationCode" FROM location l
        WHERE l.provider_id = $provider AND l."alternateLocationCode" > w.value ORDER BY l."alternateLocationCode" LIMIT 1)
      WHEN w.kind = 'payloadId' THEN (
        SELECT v.payload_id FROM record_version v
        WHERE v.provider_id = $provider AND v.payload_id > w.value ORDER BY v.payload_id LIMIT 1)
    END AS value
    FROM walked w
    WHERE w.step < $limit
    OFFSET 0
  ) n
  WHERE starts_with(lower(n.value), lower(n.start))
), candidate AS (
  SELECT DISTINCT w.kind, w.value FROM walked w
)
SELECT v.kind, f.value, f.records, f.id
FROM candidate v
CROSS JOIN LATERAL (
  ${valuesOfEvents}
  UNION ALL
  SELECT v.value, count(*)::integer, (array_agg(r.id ORDER BY r.id DESC))[1]
  FROM (
    (SELECT p.id FROM master_product p
    WHERE p.provider_id = $provider AND p."itemCode" = v.value AND v.kind = 'masterProduct'
    ORDER BY p.id DESC LIMIT $recordsMax)
    UNION ALL
    (SELECT p.id FROM master_product p
    WHERE p.provider_id = $provider AND p."alternateItemCode" = v.value AND v.kind = 'alternateItemCode'
    LIMIT $recordsMax)
    UNION ALL
    (SELECT l.id FROM location l
    WHERE l.provider_id = $provider AND l."locationCode" = v.value AND v.kind = 'location'
    ORDER BY l.id DESC LIMIT $recordsMax)
    UNION ALL
    (SELECT l.id FROM location l
    WHERE l.provider_id = $provider AND l."alternateLocationCode" = v.value AND v.kind = 'alternateLocationCode'
    LIMIT $recordsMax)
  ) r
  HAVING count(*) > 0
  UNION ALL
  SELECT v.value, count(*)::integer, (array_agg(r.record_id ORDER BY r.kind DESC, r.record_id DESC))[1]
  FROM (
    SELECT DISTINCT p.record_id, p.kind FROM (
      SELECT x.record_id, x.kind FROM record_version x
      WHERE x.provider_id = $provider AND x.payload_id = v.value AND v.kind = 'payloadId'
      LIMIT $recordsMax
    ) p
  ) r
  HAVING count(*) > 0
) f`,
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
  coalesce(l.content ->> 'locationName', CASE WHEN r.kind = 'masterProduct' THEN v.detail[2]::json -> 'productMasterDataList' ->> 'itemDescription' END) AS name,
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
