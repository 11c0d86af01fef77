// Copies of records in the accounts of partners, and their originals. Statements that change rows
// of a provider name the fence of the claim, so that a late process changes nothing. Source:
// decision 0078.
import type { RecordKindName } from '../../contract/record-kinds.ts'
import type { Grant, Place } from '../../contract/sharing.ts'
import { ClaimLost, leaseStatements } from '../base/leases.ts'
import { amongProviders, type Page, type Queryable, statement } from '../database/statement.ts'
import { shareable } from '../records/event-kinds.ts'
import type { LocationTimeZone } from '../records/location-time-zones.ts'
import { withAccount } from './partner-accounts.ts'

const shareableRows = shareable.rows
const shareableCodes = shareable.codes
const shareableVoided = shareable.voided

// Of all providers: who copies has to learn for whom.
/** Providers that have partners, and whether no process copies for them. */
export const providersSharing = statement.ofAll<{ provider: string; isFree: boolean }>(
  'providersSharing',
  `SELECT p.provider_id AS provider, bool_and(coalesce(s.until < now(), true)) AS "isFree"
   FROM partner p LEFT JOIN sharing s ON s.provider_id = p.provider_id
   WHERE ${amongProviders('p')}
   GROUP BY p.provider_id`,
)

/** A claim on the copies of one provider. */
export interface SharingClaim {
  readonly provider: string
  readonly fence: number
}

const insertSharing = statement<never, { provider: string }>(
  'insertSharing',
  `INSERT INTO sharing (provider_id) VALUES ($provider) ON CONFLICT (provider_id) DO NOTHING`,
)

export const sharingLease = leaseStatements<
  { fence: number; position: string | null; isFailing: boolean },
  { fence: number }
>({
  name: 'Sharing',
  table: 'sharing',
  alias: 's',
  seconds: 60,
  claimed: 's.fence, s.position, s.failing_since IS NOT NULL AS "isFailing"',
  renewed: 's.fence',
})

/** As `sharingLease.claim`, also for a provider that shares for the first time. */
export async function claimSharing(
  db: Queryable,
  { provider, isAlone }: { readonly provider: string; readonly isAlone: boolean },
) {
  await insertSharing(db, { provider })
  return sharingLease.claim(db, { provider, isAlone })
}

/** Notes how far the feed is followed. False when another process has taken over. */
export const moveSharing = statement.any<SharingClaim & { position: string }>(
  'moveSharing',
  `UPDATE sharing s SET position = $position WHERE s.provider_id = $provider AND s.fence = $fence RETURNING s.fence`,
)

export const beginSharingFailure = statement<never, SharingClaim>(
  'beginSharingFailure',
  `UPDATE sharing s SET failing_since = now()
   WHERE s.provider_id = $provider AND s.fence = $fence AND s.failing_since IS NULL`,
)

export const endSharingFailure = statement<never, SharingClaim>(
  'endSharingFailure',
  `UPDATE sharing s SET failing_since = NULL WHERE s.provider_id = $provider AND s.fence = $fence`,
)

/** A partner as the copier sees it. */
export interface SharingPartner {
  readonly id: string
  /** The provider of its copies. */
  readonly account: string
  readonly places: readonly Place[]
  readonly grants: readonly Grant[]
  readonly isDeleted: boolean
  readonly generation: number
  readonly copiedGeneration: number
  /** How far the rescan of all records is; null when there is none. */
  readonly rescanned: string | null
  /** True until records that are no longer shared are withdrawn. */
  readonly isClosed: boolean
  /** The time of the database. */
  readonly now: Date
}

const toCopyFor = statement<Omit<SharingPartner, 'isClosed'> & { isClosed: boolean | null }, { provider: string }>(
  'partnersToCopyFor',
  `SELECT p.id, p.account_id AS account, p.places, p.grants, p.deleted_at IS NOT NULL AS "isDeleted", p.generation,
          p.copied_generation AS "copiedGeneration", p.rescanned, a.sharing_closed OR coalesce(a.sharing_until <= now(), false) AS "isClosed",
          now() AS now
   FROM partner p LEFT JOIN partner_account a ON a.provider_id = p.account_id AND a.shared_by = $provider
   WHERE p.provider_id = $provider
   ORDER BY p.id`,
)

export const partnersToCopyFor = async (
  db: Queryable,
  asked: { readonly provider: string },
): Promise<SharingPartner[]> => (await toCopyFor(db, asked)).map(withAccount)

/** A partner at a generation: a change of it begins another one. */
interface PartnerAt extends SharingClaim {
  readonly partner: string
  readonly generation: number
}

/** Notes how far a rescan is. False when the partner was changed, or another process took over. */
export const noteRescan = statement.any<PartnerAt & { rescanned: string }>(
  'noteRescan',
  `UPDATE partner p
   SET rescanned = $rescanned
   FROM sharing s
   WHERE p.provider_id = $provider AND s.provider_id = $provider AND s.fence = $fence AND p.id = $partner AND p.generation = $generation
   RETURNING p.id`,
)

/**
 * Restarts the rescan of these partners. A rescan in progress belongs to the old generation, and
 * its notes are ignored.
 */
export const restartRescan = statement<never, SharingClaim & { partnerIds: readonly string[] }>(
  'restartRescan',
  `UPDATE partner p
   SET generation = p.generation + 1, rescanned = NULL
   FROM sharing s
   WHERE p.provider_id = $provider AND s.provider_id = $provider AND s.fence = $fence AND p.id = ANY ($partnerIds::uuid[])`,
)

/**
 * Opens an account in which nothing is left that is not shared, until the next grant ends. False
 * when the partner was changed, or another process took over. The partner is locked: a change that
 * closes the account while this waits is seen.
 */
export const openSharedAccount = statement.any<PartnerAt & { until: Date | undefined }>(
  'openSharedAccount',
  `WITH complete AS MATERIALIZED (
  SELECT p.account_id FROM partner p JOIN sharing s ON s.provider_id = $provider
  WHERE p.provider_id = $provider AND s.fence = $fence AND p.id = $partner AND p.generation = $generation
  FOR SHARE
), opened AS (
  UPDATE partner_account a
  SET sharing_closed = false, sharing_until = $until::timestamptz
  FROM complete c
  WHERE a.shared_by = $provider AND a.provider_id = c.account_id
  RETURNING a.provider_id AS id
)
SELECT id FROM opened`,
)

/** Records that all shared records are copied. */
export const completeSharing = statement.any<PartnerAt>(
  'completeSharing',
  `UPDATE partner p
   SET rescanned = NULL, copied_generation = p.generation, complete_at = t.now
   FROM sharing s, (SELECT now() AS now) t
   WHERE p.provider_id = $provider AND s.provider_id = $provider AND s.fence = $fence AND p.id = $partner AND p.generation = $generation
   RETURNING p.id`,
)

/** Forgets a deleted partner whose copies are withdrawn. */
export const removeDeletedPartner = statement<never, SharingClaim & { partner: string }>(
  'removeDeletedPartner',
  `WITH gone AS (
  DELETE FROM partner p
  USING sharing s
  WHERE p.provider_id = $provider AND s.provider_id = $provider AND s.fence = $fence AND p.id = $partner AND p.deleted_at IS NOT NULL
  RETURNING p.id
)
DELETE FROM shared_copy c USING gone WHERE c.provider_id = $provider AND c.partner_id = gone.id`,
)

/** A copy, as the provider knows it. */
export interface KnownCopy {
  readonly id: string
  readonly copyId: string
  readonly kind: RecordKindName
  readonly sourceVersion: number
  /** The version that the record was at when the copy was begun. */
  readonly firstVersion: number
  readonly versions: readonly number[]
  readonly shownHash: Buffer
  readonly withdrawn: boolean
  readonly settled: boolean
}

const copyColumns = `c.record_id AS id, c.copy_id AS "copyId", c.kind, c.source_version AS "sourceVersion",
          c.first_version AS "firstVersion", c.versions, c.shown_hash AS "shownHash", c.withdrawn, c.settled`

/** The present and former copies of these records for one partner. */
export const copiesOfRecords = statement<KnownCopy, { provider: string; partner: string; ids: readonly string[] }>(
  'copiesOfRecords',
  `SELECT ${copyColumns}
   FROM unnest($ids::uuid[]) AS w (id)
   CROSS JOIN LATERAL (
     SELECT * FROM shared_copy WHERE provider_id = $provider AND record_id = w.id AND partner_id = $partner LIMIT 1
   ) c`,
)

/** More partners than a provider has, with those that are being deleted. */
const partnersEverMax = 10_000

// Looked up record by record, here and below: as a join, on tables without statistics of the
// provider, PostgreSQL compared every id with every row.
/** Which partners have copies of these records. */
export const partnersWithCopies = statement<
  { partner: string; id: string },
  { provider: string; ids: readonly string[] }
>(
  'partnersWithCopies',
  `SELECT c.partner_id AS partner, w.id
   FROM unnest($ids::uuid[]) AS w (id)
   CROSS JOIN LATERAL (
     SELECT partner_id, withdrawn FROM shared_copy WHERE provider_id = $provider AND record_id = w.id ORDER BY partner_id LIMIT $partnersEverMax
   ) c
   WHERE NOT c.withdrawn`,
  { defaults: { partnersEverMax } },
)

/** Up to `limit` copies of a partner by their ids, above one. */
export const copiesAfter = statement<{ copyId: string; id: string; kind: RecordKindName }, Page & { partner: string }>(
  'copiesAfter',
  `SELECT c.copy_id AS "copyId", c.record_id AS id, c.kind
   FROM shared_copy c
   WHERE c.provider_id = $provider AND c.partner_id = $partner AND c.copy_id > $after AND NOT c.withdrawn
   ORDER BY c.copy_id
   LIMIT $limit`,
)

/** The records that these are copies of. */
export const sourcesOfCopies = statement<
  { id: string; copyId: string },
  { provider: string; partner: string; copyIds: readonly string[] }
>(
  'sourcesOfCopies',
  `SELECT c.record_id AS id, c.copy_id AS "copyId"
   FROM shared_copy c
   WHERE c.provider_id = $provider AND c.partner_id = $partner AND c.copy_id = ANY ($copyIds::uuid[]) AND NOT c.withdrawn`,
)

const versions =
  'ARRAY(SELECT v.n::integer FROM jsonb_array_elements_text(copies.versions) WITH ORDINALITY AS v (n, i) ORDER BY v.i)'

/** Copies of a partner to note. */
interface NotedCopies extends SharingClaim {
  readonly partner: string
  readonly copies: readonly Omit<KnownCopy, 'withdrawn'>[]
}

const note = statement<{ id: string }, NotedCopies>(
  'noteCopies',
  `INSERT INTO shared_copy (provider_id, record_id, partner_id, kind, copy_id, source_version, first_version, versions, shown_hash, settled)
SELECT $provider, copies.record_id, $partner::uuid, copies.kind, copies.copy_id, copies.source_version, copies.first_version, ${versions}, copies.shown_hash, copies.settled::boolean
FROM sharing s CROSS JOIN $copies
WHERE s.provider_id = $provider AND s.fence = $fence
ON CONFLICT (provider_id, record_id, partner_id) DO UPDATE
SET copy_id = excluded.copy_id, source_version = excluded.source_version,
    first_version = excluded.first_version, versions = excluded.versions, shown_hash = excluded.shown_hash, withdrawn = false, settled = excluded.settled
RETURNING record_id AS id`,
  {
    rows: {
      copies: {
        record_id: ['uuid', ({ id }) => id],
        kind: 'text',
        copy_id: ['uuid', ({ copyId }) => copyId],
        source_version: ['integer', ({ sourceVersion }) => sourceVersion],
        first_version: ['integer', ({ firstVersion }) => firstVersion],
        versions: ['jsonb', ({ versions }) => JSON.stringify(versions)],
        shown_hash: ['bytea', ({ shownHash }) => shownHash],
        settled: ['jsonb', ({ settled }) => String(settled)],
      },
    },
  },
)

/** Notes planned writes into the account, or with `settled` their result. Throws `ClaimLost`. */
export async function noteCopies(db: Queryable, noted: NotedCopies): Promise<void> {
  if (noted.copies.length === 0) return
  const rows = await note(db, noted)
  if (rows.length < noted.copies.length) throw new ClaimLost('Another process copies for this provider.')
}

/** Notes that these copies are no longer in the account. */
export const noteWithdrawals = statement<never, SharingClaim & { partner: string; copyIds: readonly string[] }>(
  'noteWithdrawals',
  `UPDATE shared_copy c
   SET withdrawn = true, settled = true, versions = '{}'
   FROM sharing s
   WHERE c.provider_id = $provider AND s.provider_id = $provider AND s.fence = $fence AND c.partner_id = $partner AND c.copy_id = ANY ($copyIds::uuid[])
     AND NOT c.withdrawn`,
)

/** A version of a source, without its content. */
export interface SourceVersion {
  readonly id: string
  readonly kind: RecordKindName
  readonly version: number
  /** The version that the record is at; null when the whole record was purged. */
  readonly current: number | null
  readonly isPurged: boolean
  readonly voidReason: string | null
}

/** Versions of one record that are compared, the last ones. */
const versionsAtOnce = 1_000

/** A record, and the first of its versions that is wanted; without one, the current version. */
interface WantedSource {
  readonly id: string
  readonly from: number | undefined
}

/** Versions of these records. */
export const versionsOfSources = statement<SourceVersion, { provider: string; sources: readonly WantedSource[] }>(
  'versionsOfSources',
  `SELECT sources.id, v.kind, v.version, r.version AS current, v.purged_at IS NOT NULL AS "isPurged", v.void_reason AS "voidReason"
   FROM $sources
   LEFT JOIN LATERAL (SELECT version FROM record WHERE provider_id = $provider AND id = sources.id LIMIT 1) r ON true
   CROSS JOIN LATERAL (
     SELECT version, kind, purged_at, void_reason
     FROM record_version
     WHERE provider_id = $provider AND record_id = sources.id AND version >= coalesce(sources.from_version, r.version, 1)
     ORDER BY version DESC
     LIMIT $versionsAtOnce
   ) v
   ORDER BY sources.n, v.version`,
  {
    rows: { sources: { id: 'uuid', from_version: ['integer', ({ from }) => from], n: 'ordinality' } },
    defaults: { versionsAtOnce },
  },
)

/** The values that decide whether an event may be shared, before its content is read. */
export interface EventPlaces {
  readonly id: string
  readonly vendor: string
  readonly shipTo: string
  readonly shipFrom: string
}

/** Where these events go and come from; voided ones are left out. */
export const placesOfEvents = statement<EventPlaces, { provider: string; ids: readonly string[] }>(
  'placesOfEvents',
  `SELECT w.id, e.vendor, e.ship_to AS "shipTo", e.ship_from AS "shipFrom"
   FROM unnest($ids::uuid[]) AS w (id)
   CROSS JOIN LATERAL (
     SELECT o."dataProviderVendorId" AS vendor, o.place AS ship_to, o.counterpart AS ship_from
     FROM ${shareableRows} o WHERE o.id = w.id LIMIT 1
   ) e`,
)

/** Up to `limit` events at a place, or of a lot, above an id. */
interface EventsWanted extends Page {
  readonly partner: string
  readonly code: string
  readonly vendors?: readonly string[] | undefined
  readonly firstEventDate?: string | undefined
}

// Looked up event by event: as a join, PostgreSQL read every copy of the partner each time.
const uncopied = `coalesce((
       SELECT c.withdrawn FROM shared_copy c WHERE c.provider_id = $provider AND c.record_id = e.id AND c.partner_id = $partner LIMIT 1
     ), true)`

const uncopiedAt = `e.id > $after AND ($vendors::text[] IS NULL OR e."dataProviderVendorId" = ANY ($vendors))
     AND ($firstEventDate::date IS NULL OR e.event_date >= $firstEventDate) AND ${uncopied}
   ORDER BY e.id
   LIMIT $limit`

const uncopiedByShipTo = statement<{ id: string }, EventsWanted>(
  'uncopiedEventsByShipTo',
  `SELECT e.id FROM ${shareableRows} e WHERE e.place = $code AND ${uncopiedAt}`,
  { planned: 'each time' },
)

const uncopiedByShipFrom = statement<{ id: string }, EventsWanted>(
  'uncopiedEventsByShipFrom',
  `SELECT e.id FROM ${shareableRows} e WHERE e.counterpart = $code AND ${uncopiedAt}`,
  { planned: 'each time' },
)

const uncopiedByLot = statement<{ id: string }, EventsWanted>(
  'uncopiedEventsByLot',
  `SELECT e.id
   FROM (SELECT DISTINCT l.id FROM ${shareableCodes} l WHERE l.field = 'lotCode' AND l.code = $code AND l.id > $after) e
   WHERE ${uncopied}
   ORDER BY e.id
   LIMIT $limit`,
)

/** Where a rescan looks for events. */
export type RescanPlace =
  | { readonly by: 'lot'; readonly code: string }
  | {
      readonly by: 'shipTo' | 'shipFrom'
      readonly code: string
      /** Undefined for those of all vendors. */
      readonly vendors: readonly string[] | undefined
      readonly firstEventDate: string | undefined
    }

/** Up to `limit` events that may be shared and have no copy, above an id. */
export const uncopiedEvents = async (
  db: Queryable,
  { provider, partner, place, after, limit }: Page & { readonly partner: string; readonly place: RescanPlace },
): Promise<string[]> => {
  const run = { lot: uncopiedByLot, shipTo: uncopiedByShipTo, shipFrom: uncopiedByShipFrom }[place.by]
  const rows = await run(db, { ...place, provider, partner, after, limit })
  return rows.map(({ id }) => id)
}

/** A vendor's code of a location or an item. */
export interface NamedCode {
  readonly kind: 'location' | 'masterProduct'
  readonly vendor: string
  readonly code: string
}

const namedRows = { named: { kind: 'text', vendor: 'text', code: 'text' } } as const

/** Codes that are named in an account, or by a provider. */
interface NamedCodes {
  readonly provider: string
  readonly named: readonly NamedCode[]
}

/** The master data that these codes stand for. */
export const masterDataWithCodes = statement<NamedCode & { readonly id: string }, NamedCodes>(
  'masterDataWithCodes',
  `SELECT named.kind, named.vendor, named.code, m.id
FROM $named
CROSS JOIN LATERAL (
  SELECT l.id FROM location l
  WHERE l.provider_id = $provider AND named.kind = 'location' AND l."dataProviderVendorId" = named.vendor AND l."locationCode" = named.code
  UNION ALL
  SELECT p.id FROM master_product p
  WHERE p.provider_id = $provider AND named.kind = 'masterProduct' AND p."dataProviderVendorId" = named.vendor AND p."itemCode" = named.code
) m`,
  { rows: namedRows },
)

/** True when an event of the provider names the code of `named`. */
const isNamed = `CASE WHEN named.kind = 'location' THEN
    EXISTS (SELECT 1 FROM ${shareableRows} e
            WHERE e.place = named.code AND e."dataProviderVendorId" = named.vendor)
    OR EXISTS (SELECT 1 FROM ${shareableRows} e
               WHERE e.counterpart = named.code AND e."dataProviderVendorId" = named.vendor)
    OR EXISTS (SELECT 1 FROM ${shareableCodes} c
               CROSS JOIN LATERAL (SELECT * FROM ${shareableRows} o WHERE o.id = c.id LIMIT 1) e
               WHERE c.field = 'locationCode' AND c.code = named.code AND e."dataProviderVendorId" = named.vendor)
  ELSE
    EXISTS (SELECT 1 FROM ${shareableCodes} c
            CROSS JOIN LATERAL (SELECT * FROM ${shareableRows} o WHERE o.id = c.id LIMIT 1) e
            WHERE c.field = 'itemCode' AND c.code = named.code AND e."dataProviderVendorId" = named.vendor)
  END`

/** Those of these codes that an event in this account names. */
export const codesNamedByEvents = statement<NamedCode, NamedCodes>(
  'codesNamedByEvents',
  `SELECT named.kind, named.vendor, named.code FROM $named WHERE ${isNamed}`,
  { rows: namedRows },
)

/** Up to `limit` master data records of an account above an id, and whether events name them. */
export const masterDataOfAccount = statement<{ id: string; isNamed: boolean }, Page>(
  'unnamedMasterData',
  `SELECT named.id, ${isNamed} AS "isNamed"
   FROM (
     SELECT m.id, m.kind, m.vendor, m.code
     FROM (
       SELECT l.id, 'location' AS kind, l."dataProviderVendorId" AS vendor, l."locationCode" AS code
       FROM location l WHERE l.provider_id = $provider AND l.id > $after
       UNION ALL
       SELECT p.id, 'masterProduct', p."dataProviderVendorId", p."itemCode"
       FROM master_product p WHERE p.provider_id = $provider AND p.id > $after
     ) m
     ORDER BY m.id
     LIMIT $limit
   ) named
   ORDER BY named.id`,
)

/**
 * Copies time zones into an account. If they are all that there are, those that an event of the
 * account uses are added, and the account's other ones are removed.
 */
export const copyTimeZones = statement<
  never,
  { provider: string; zones: readonly LocationTimeZone[]; areAll: boolean }
>(
  'copyTimeZones',
  `WITH voided AS MATERIALIZED (
  SELECT DISTINCT v."dataProviderVendorId" AS vendor, v.place AS code
  FROM ${shareableVoided} v
  WHERE $areAll::boolean
), wanted AS (
  SELECT zones.vendor, zones.code, zones.zone
  FROM $zones
  WHERE NOT $areAll::boolean
    OR EXISTS (
      SELECT 1 FROM ${shareableRows} e
      WHERE e.place = zones.code AND (zones.vendor = '' OR e."dataProviderVendorId" = zones.vendor)
    )
    OR EXISTS (SELECT 1 FROM voided v WHERE v.code = zones.code AND (zones.vendor = '' OR v.vendor = zones.vendor))
), gone AS (
  DELETE FROM location_time_zone z
  USING partner_account a
  WHERE z.provider_id = $provider AND a.provider_id = $provider AND $areAll::boolean
    AND NOT EXISTS (SELECT 1 FROM wanted w WHERE w.vendor = z."dataProviderVendorId" AND w.code = z."locationCode")
), copied AS (
  INSERT INTO location_time_zone AS z (provider_id, "dataProviderVendorId", "locationCode", time_zone, set_at, set_by)
  SELECT $provider, w.vendor, w.code, w.zone, t.now, 'sharing'
  FROM wanted w CROSS JOIN partner_account a CROSS JOIN (SELECT now() AS now) t
  WHERE a.provider_id = $provider
  ORDER BY w.vendor, w.code
  ON CONFLICT (provider_id, "dataProviderVendorId", "locationCode") DO UPDATE
  SET time_zone = excluded.time_zone, set_at = excluded.set_at, set_by = excluded.set_by
  WHERE z.time_zone <> excluded.time_zone
)
SELECT 1`,
  {
    rows: {
      zones: {
        vendor: ['text', ({ dataProviderVendorId }) => dataProviderVendorId],
        code: ['text', ({ locationCode }) => locationCode],
        zone: ['text', ({ timeZone }) => timeZone],
      },
    },
  },
)

const inOrder = statement<{ id: string }, Page>(
  'recordsOfAccount',
  `SELECT r.id FROM record r WHERE r.provider_id = $provider AND r.id > $after ORDER BY r.id LIMIT $limit`,
)

/** Up to `limit` records of an account above an id. */
export const recordsOfAccount = async (db: Queryable, page: Page) => (await inOrder(db, page)).map(({ id }) => id)

/** How many versions these copies have in the account, and whether they are still there. */
export const versionsInAccount = statement<
  { id: string; versions: number; isThere: boolean },
  { provider: string; copyIds: readonly string[] }
>(
  'versionsInAccount',
  `SELECT w.id, coalesce(v.versions, 0)::integer AS versions, r.id IS NOT NULL AS "isThere"
   FROM unnest($copyIds::uuid[]) AS w (id)
   LEFT JOIN LATERAL (SELECT id FROM record WHERE provider_id = $provider AND id = w.id LIMIT 1) r ON true
   LEFT JOIN LATERAL (SELECT max(version) AS versions FROM record_version WHERE provider_id = $provider AND record_id = w.id) v ON true`,
)
