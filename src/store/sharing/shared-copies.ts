// Copies of records in the accounts of partners, and their originals. Statements that change rows
// of a provider name the fence of the claim, so that a late process changes nothing. Source:
// decision 0078.
import type { RecordKindName } from '../../contract/record-kinds.ts'
import type { Grant, Place } from '../../contract/sharing.ts'
import { ClaimLost, leaseStatements } from '../base/leases.ts'
import { type Page, type Queryable, statement } from '../database/statement.ts'
import { shareable } from '../records/event-kinds.ts'
import type { LocationTimeZone } from '../records/location-time-zones.ts'

const shareableRows = shareable.rows
const shareableCodes = shareable.codes
const shareableVoided = shareable.voided

// Of all providers: who copies has to learn for whom.
const sharing = statement<{ provider: string; isFree: boolean }>(
  'providersSharing',
  `SELECT p.provider_id AS provider, bool_and(coalesce(s.until < now(), true)) AS "isFree"
   FROM partner p LEFT JOIN sharing s ON s.provider_id = p.provider_id
   GROUP BY p.provider_id`,
)

/** Providers that have partners, and whether no process copies for them. */
export const providersSharing = (db: Queryable) => sharing(db, [])

/** A claim on the copies of one provider. */
export interface SharingClaim {
  readonly provider: string
  readonly fence: number
}

const insertSharing = statement(
  'insertSharing',
  `INSERT INTO sharing (provider_id) VALUES ($1) ON CONFLICT (provider_id) DO NOTHING`,
)

export const sharingLease = leaseStatements<{ fence: number; position: string | null }, { fence: number }>({
  name: 'Sharing',
  table: 'sharing',
  alias: 's',
  seconds: 60,
  claimed: 's.fence, s.position',
  renewed: 's.fence',
})

/** As `sharingLease.claim`, also for a provider that shares for the first time. */
export async function claimSharing(
  db: Queryable,
  { provider, isAlone }: { readonly provider: string; readonly isAlone: boolean },
) {
  await insertSharing(db, [provider])
  return sharingLease.claim(db, { provider, isAlone })
}

const move = statement<{ fence: number }>(
  'moveSharing',
  `UPDATE sharing s SET position = $3 WHERE s.provider_id = $1 AND s.fence = $2 RETURNING s.fence`,
)

/** Notes how far the feed is followed. False when another process has taken over. */
export const moveSharing = async (
  db: Queryable,
  { provider, fence }: SharingClaim,
  position: string,
): Promise<boolean> => (await move(db, [provider, fence, position])).length > 0

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

const partners = statement<SharingPartner>(
  'partnersToCopyFor',
  `SELECT p.id, p.account_id AS account, p.places, p.grants, p.deleted_at IS NOT NULL AS "isDeleted", p.generation,
          p.copied_generation AS "copiedGeneration", p.rescanned, a.sharing_closed OR coalesce(a.sharing_until <= now(), false) AS "isClosed",
          now() AS now
   FROM partner p JOIN provider a ON a.shared_by = p.provider_id AND a.provider_id = p.account_id
   WHERE p.provider_id = $1
   ORDER BY p.id`,
)

export const partnersToCopyFor = (db: Queryable, provider: string): Promise<SharingPartner[]> =>
  partners(db, [provider])

const noteProgress = statement<{ id: string }>(
  'noteRescan',
  `UPDATE partner p
   SET rescanned = $5
   FROM sharing s
   WHERE p.provider_id = $1 AND s.provider_id = $1 AND s.fence = $2 AND p.id = $3 AND p.generation = $4
   RETURNING p.id`,
)

/** Notes how far a rescan is. False when the partner was changed, or another process took over. */
export const noteRescan = async (
  db: Queryable,
  { provider, fence }: SharingClaim,
  { id, generation }: SharingPartner,
  rescanned: string,
): Promise<boolean> => (await noteProgress(db, [provider, fence, id, generation, rescanned])).length > 0

const restart = statement(
  'restartRescan',
  `UPDATE partner p
   SET generation = p.generation + 1, rescanned = NULL
   FROM sharing s
   WHERE p.provider_id = $1 AND s.provider_id = $1 AND s.fence = $2 AND p.id = ANY ($3::uuid[])`,
)

/**
 * Restarts the rescan of these partners. A rescan in progress belongs to the old generation, and
 * its notes are ignored.
 */
export const restartRescan = async (
  db: Queryable,
  { provider, fence }: SharingClaim,
  partnerIds: readonly string[],
): Promise<void> => {
  await restart(db, [provider, fence, partnerIds])
}

const open = statement<{ id: string }>(
  'openSharedAccount',
  `UPDATE provider a
   SET sharing_closed = false, sharing_until = $5::timestamptz
   WHERE a.shared_by = $1 AND a.provider_id = (
     SELECT p.account_id FROM partner p, sharing s
     WHERE p.provider_id = $1 AND s.provider_id = $1 AND s.fence = $2 AND p.id = $3 AND p.generation = $4
   )
   RETURNING a.provider_id AS id`,
)

/**
 * Opens an account in which nothing is left that is not shared, until the next grant ends. False
 * when the partner was changed, or another process took over.
 */
export const openSharedAccount = async (
  db: Queryable,
  { provider, fence }: SharingClaim,
  { id, generation }: SharingPartner,
  until: Date | undefined,
): Promise<boolean> => (await open(db, [provider, fence, id, generation, until?.toISOString() ?? null])).length > 0

const complete = statement<{ id: string }>(
  'completeSharing',
  `UPDATE partner p
   SET rescanned = NULL, copied_generation = p.generation, complete_at = t.now
   FROM sharing s, (SELECT now() AS now) t
   WHERE p.provider_id = $1 AND s.provider_id = $1 AND s.fence = $2 AND p.id = $3 AND p.generation = $4
   RETURNING p.id`,
)

/** Records that all shared records are copied. */
export const completeSharing = async (
  db: Queryable,
  { provider, fence }: SharingClaim,
  { id, generation }: SharingPartner,
): Promise<boolean> => (await complete(db, [provider, fence, id, generation])).length > 0

const remove = statement(
  'removeDeletedPartner',
  `WITH gone AS (
  DELETE FROM partner p
  USING sharing s
  WHERE p.provider_id = $1 AND s.provider_id = $1 AND s.fence = $2 AND p.id = $3 AND p.deleted_at IS NOT NULL
  RETURNING p.id
)
DELETE FROM shared_copy c USING gone WHERE c.provider_id = $1 AND c.partner_id = gone.id`,
)

/** Forgets a deleted partner whose copies are withdrawn. */
export const removeDeletedPartner = async (
  db: Queryable,
  { provider, fence }: SharingClaim,
  partner: string,
): Promise<void> => {
  await remove(db, [provider, fence, partner])
}

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

const copies = statement<KnownCopy>(
  'copiesOfRecords',
  `SELECT ${copyColumns}
   FROM unnest($3::uuid[]) AS w (id)
   CROSS JOIN LATERAL (
     SELECT * FROM shared_copy WHERE provider_id = $1 AND record_id = w.id AND partner_id = $2 LIMIT 1
   ) c`,
)

/** The present and former copies of these records for one partner. */
export const copiesOfRecords = (db: Queryable, provider: string, partner: string, ids: readonly string[]) =>
  copies(db, [provider, partner, ids])

// Looked up record by record, here and below: as a join, on tables without statistics of the
// provider, PostgreSQL compared every id with every row.
const holders = statement<{ partner: string; id: string }>(
  'partnersWithCopies',
  `SELECT c.partner_id AS partner, w.id
   FROM unnest($2::uuid[]) AS w (id)
   CROSS JOIN LATERAL (
     SELECT partner_id, withdrawn FROM shared_copy WHERE provider_id = $1 AND record_id = w.id ORDER BY partner_id LIMIT $3
   ) c
   WHERE NOT c.withdrawn`,
)

/** More partners than a provider has, with those that are being deleted. */
const partnersEverMax = 10_000

/** Which partners have copies of these records. */
export const partnersWithCopies = (db: Queryable, provider: string, ids: readonly string[]) =>
  holders(db, [provider, ids, partnersEverMax])

/** Up to `limit` copies of a partner by their ids, above one. */
export const copiesAfter = statement<{ copyId: string; id: string; kind: RecordKindName }, Page & { partner: string }>(
  'copiesAfter',
  `SELECT c.copy_id AS "copyId", c.record_id AS id, c.kind
   FROM shared_copy c
   WHERE c.provider_id = $provider AND c.partner_id = $partner AND c.copy_id > $after AND NOT c.withdrawn
   ORDER BY c.copy_id
   LIMIT $limit`,
)

const sources = statement<{ id: string; copyId: string }>(
  'sourcesOfCopies',
  `SELECT c.record_id AS id, c.copy_id AS "copyId"
   FROM shared_copy c
   WHERE c.provider_id = $1 AND c.partner_id = $2 AND c.copy_id = ANY ($3::uuid[]) AND NOT c.withdrawn`,
)

/** The records that these are copies of. */
export const sourcesOfCopies = (db: Queryable, provider: string, partner: string, copyIds: readonly string[]) =>
  sources(db, [provider, partner, copyIds])

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

const noteGone = statement(
  'noteWithdrawals',
  `UPDATE shared_copy c
   SET withdrawn = true, settled = true, versions = '{}'
   FROM sharing s
   WHERE c.provider_id = $1 AND s.provider_id = $1 AND s.fence = $2 AND c.partner_id = $3 AND c.copy_id = ANY ($4::uuid[])
     AND NOT c.withdrawn`,
)

/** Notes that these copies are no longer in the account. */
export const noteWithdrawals = async (
  db: Queryable,
  { provider, fence }: SharingClaim,
  partner: string,
  copyIds: readonly string[],
): Promise<void> => {
  await noteGone(db, [provider, fence, partner, copyIds])
}

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

const ofSources = statement<SourceVersion>(
  'versionsOfSources',
  `SELECT w.id, v.kind, v.version, r.version AS current, v.purged_at IS NOT NULL AS "isPurged", v.void_reason AS "voidReason"
   FROM unnest($2::uuid[], $3::integer[]) WITH ORDINALITY AS w (id, from_version, n)
   LEFT JOIN LATERAL (SELECT version FROM record WHERE provider_id = $1 AND id = w.id LIMIT 1) r ON true
   CROSS JOIN LATERAL (
     SELECT version, kind, purged_at, void_reason
     FROM record_version
     WHERE provider_id = $1 AND record_id = w.id AND version >= coalesce(w.from_version, r.version, 1)
     ORDER BY version DESC
     LIMIT $4
   ) v
   ORDER BY w.n, v.version`,
)

/** Versions of one record that are compared, the last ones. */
const versionsAtOnce = 1_000

/** Versions of these records, each from one on; from the current one where none is given. */
export const versionsOfSources = (
  db: Queryable,
  provider: string,
  wanted: readonly { readonly id: string; readonly from: number | undefined }[],
): Promise<SourceVersion[]> =>
  ofSources(db, [provider, wanted.map(({ id }) => id), wanted.map(({ from }) => from ?? null), versionsAtOnce])

/** The values that decide whether an event may be shared, before its content is read. */
export interface EventPlaces {
  readonly id: string
  readonly vendor: string
  readonly shipTo: string
  readonly shipFrom: string
}

const placesOf = statement<EventPlaces>(
  'placesOfEvents',
  `SELECT w.id, e.vendor, e.ship_to AS "shipTo", e.ship_from AS "shipFrom"
   FROM unnest($2::uuid[]) AS w (id)
   CROSS JOIN LATERAL (
     SELECT o."dataProviderVendorId" AS vendor, o.place AS ship_to, o.counterpart AS ship_from
     FROM ${shareableRows} o WHERE o.id = w.id LIMIT 1
   ) e`,
)

/** Where these events go and come from; voided ones are left out. */
export const placesOfEvents = (db: Queryable, provider: string, ids: readonly string[]) => placesOf(db, [provider, ids])

// Looked up event by event: as a join, PostgreSQL read every copy of the partner each time.
const uncopied = `coalesce((
       SELECT c.withdrawn FROM shared_copy c WHERE c.provider_id = $1 AND c.record_id = e.id AND c.partner_id = $2 LIMIT 1
     ), true)`

const uncopiedAt = `e.id > $4 AND ($6::text[] IS NULL OR e."dataProviderVendorId" = ANY ($6))
     AND ($7::date IS NULL OR e.event_date >= $7) AND ${uncopied}
   ORDER BY e.id
   LIMIT $5`

const uncopiedByShipTo = statement<{ id: string }>(
  'uncopiedEventsByShipTo',
  `SELECT e.id FROM ${shareableRows} e WHERE e.place = $3 AND ${uncopiedAt}`,
  'each time',
)

const uncopiedByShipFrom = statement<{ id: string }>(
  'uncopiedEventsByShipFrom',
  `SELECT e.id FROM ${shareableRows} e WHERE e.counterpart = $3 AND ${uncopiedAt}`,
  'each time',
)

const uncopiedByLot = statement<{ id: string }>(
  'uncopiedEventsByLot',
  `SELECT e.id
   FROM (SELECT DISTINCT l.id FROM ${shareableCodes} l WHERE l.field = 'lotCode' AND l.code = $3 AND l.id > $4) e
   WHERE ${uncopied}
   ORDER BY e.id
   LIMIT $5`,
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
  const values = [provider, partner, place.code, after, limit]
  const run = { lot: uncopiedByLot, shipTo: uncopiedByShipTo, shipFrom: uncopiedByShipFrom }[place.by]
  const narrowed = place.by === 'lot' ? [] : [place.vendors ?? null, place.firstEventDate ?? null]
  const rows = await run(db, [...values, ...narrowed])
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

const unnamed = statement<{ id: string; isNamed: boolean }>(
  'unnamedMasterData',
  `SELECT named.id, ${isNamed} AS "isNamed"
   FROM (
     SELECT m.id, m.kind, m.vendor, m.code
     FROM (
       SELECT l.id, 'location' AS kind, l."dataProviderVendorId" AS vendor, l."locationCode" AS code
       FROM location l WHERE l.provider_id = $1 AND l.id > $2
       UNION ALL
       SELECT p.id, 'masterProduct', p."dataProviderVendorId", p."itemCode"
       FROM master_product p WHERE p.provider_id = $1 AND p.id > $2
     ) m
     ORDER BY m.id
     LIMIT $3
   ) named
   ORDER BY named.id`,
)

/** Up to `limit` master data records of an account above an id, and whether events name them. */
export const masterDataOfAccount = (db: Queryable, account: string, after: string, limit: number) =>
  unnamed(db, [account, after, limit])

const copyZones = statement(
  'copyTimeZones',
  `WITH voided AS MATERIALIZED (
  SELECT DISTINCT v."dataProviderVendorId" AS vendor, v.place AS code
  FROM ${shareableVoided} v
  WHERE NOT $5::boolean
), wanted AS (
  SELECT g.vendor, g.code, g.zone
  FROM unnest($2::text[], $3::text[], $4::text[]) AS g (vendor, code, zone)
  WHERE $5::boolean
    OR EXISTS (
      SELECT 1 FROM ${shareableRows} e
      WHERE e.place = g.code AND (g.vendor = '' OR e."dataProviderVendorId" = g.vendor)
    )
    OR EXISTS (SELECT 1 FROM voided v WHERE v.code = g.code AND (g.vendor = '' OR v.vendor = g.vendor))
), gone AS (
  DELETE FROM location_time_zone z
  USING provider a
  WHERE z.provider_id = $1 AND a.provider_id = $1 AND a.shared_by IS NOT NULL AND NOT $5::boolean
    AND NOT EXISTS (SELECT 1 FROM wanted w WHERE w.vendor = z."dataProviderVendorId" AND w.code = z."locationCode")
)
INSERT INTO location_time_zone AS z (provider_id, "dataProviderVendorId", "locationCode", time_zone, set_at, set_by)
SELECT $1, w.vendor, w.code, w.zone, t.now, 'sharing'
FROM wanted w, provider a, (SELECT now() AS now) t
WHERE a.provider_id = $1 AND a.shared_by IS NOT NULL
ORDER BY w.vendor, w.code
ON CONFLICT (provider_id, "dataProviderVendorId", "locationCode") DO UPDATE
SET time_zone = excluded.time_zone, set_at = excluded.set_at, set_by = excluded.set_by
WHERE z.time_zone <> excluded.time_zone`,
)

const zoneValues = (account: string, zones: readonly LocationTimeZone[]): unknown[] => [
  account,
  zones.map(({ dataProviderVendorId }) => dataProviderVendorId),
  zones.map(({ locationCode }) => locationCode),
  zones.map(({ timeZone }) => timeZone),
]

/** Sets these time zones in an account, and leaves its other ones. */
export const addTimeZones = async (db: Queryable, account: string, zones: readonly LocationTimeZone[]) => {
  await copyZones(db, [...zoneValues(account, zones), true])
}

/** Removes the time zones that no event of the account uses, and adds those that one does. */
export const alignTimeZones = async (db: Queryable, account: string, zones: readonly LocationTimeZone[]) => {
  await copyZones(db, [...zoneValues(account, zones), false])
}

const inOrder = statement<{ id: string }>(
  'recordsOfAccount',
  `SELECT r.id FROM record r WHERE r.provider_id = $1 AND r.id > $2 ORDER BY r.id LIMIT $3`,
)

/** Up to `limit` records of an account above an id. */
export const recordsOfAccount = async (db: Queryable, account: string, after: string, limit: number) =>
  (await inOrder(db, [account, after, limit])).map(({ id }) => id)

const inAccount = statement<{ id: string; versions: number; isThere: boolean }>(
  'versionsInAccount',
  `SELECT w.id, coalesce(v.versions, 0)::integer AS versions, r.id IS NOT NULL AS "isThere"
   FROM unnest($2::uuid[]) AS w (id)
   LEFT JOIN LATERAL (SELECT id FROM record WHERE provider_id = $1 AND id = w.id LIMIT 1) r ON true
   LEFT JOIN LATERAL (SELECT max(version) AS versions FROM record_version WHERE provider_id = $1 AND record_id = w.id) v ON true`,
)

/** How many versions these copies have in the account, and whether they are still there. */
export const versionsInAccount = (db: Queryable, account: string, copyIds: readonly string[]) =>
  inAccount(db, [account, copyIds])
