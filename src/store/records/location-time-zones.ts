// Time zones of locations: a setting of this service, not a field of the contract. They determine
// the date received of events whose time is in UTC. Source: 21 CFR 1.1345(a)(6); decision 0055.

import { type Guard, guardOf, versionRaised } from '../base/setting-versions.ts'
import type { VersionSet } from '../base/writes.ts'
import { type Queryable, statement } from '../database/statement.ts'
import { type Actor, loggedStatement } from '../evidence/access-log.ts'

/** A location of a vendor; of all vendors when `dataProviderVendorId` is empty. */
export interface LocationTimeZone {
  readonly dataProviderVendorId: string
  readonly locationCode: string
  /** Name in the IANA database, such as `America/New_York`. */
  readonly timeZone: string
}

export interface SetTimeZone extends LocationTimeZone {
  readonly setAt: Date
  readonly setBy: string
}

/** The setting of a location; no time zone removes its present one. */
export type TimeZoneChange = Omit<LocationTimeZone, 'timeZone'> & { readonly timeZone: string | undefined }

/** Most locations of one provider with a time zone. */
export const timeZonesMax = 10_000

/** Every time zone that the provider has set. */
export const timeZonesOfProvider = statement<LocationTimeZone, { provider: string }>(
  'timeZonesOfProvider',
  `SELECT "dataProviderVendorId", "locationCode", time_zone AS "timeZone" FROM location_time_zone WHERE provider_id = $provider`,
)

const stamp = statement<{ zones: number; lastSet: number | null }, { provider: string }>(
  'stampOfTimeZones',
  `SELECT count(*)::integer AS zones, extract(epoch FROM max(set_at))::float8 AS "lastSet"
   FROM location_time_zone
   WHERE provider_id = $provider`,
)

/** A text that is another one after each change of the time zones of a provider. */
export const stampOfTimeZones = async (db: Queryable, provider: string): Promise<string> =>
  JSON.stringify(await stamp(db, { provider }))

/** Up to `limit` time zones by location code and vendor, after those of the given ones. */
export const findTimeZones = statement<
  SetTimeZone,
  Partial<Pick<LocationTimeZone, 'locationCode' | 'dataProviderVendorId'>> & { provider: string; limit: number }
>(
  'listTimeZones',
  `SELECT "dataProviderVendorId", "locationCode", time_zone AS "timeZone", set_at AS "setAt", set_by AS "setBy"
   FROM location_time_zone
   WHERE provider_id = $provider AND ($locationCode::text IS NULL OR ("locationCode", "dataProviderVendorId") > ($locationCode, $dataProviderVendorId::text))
   ORDER BY "locationCode", "dataProviderVendorId"
   LIMIT $limit`,
)

// A zone unknown to the database ends the statement before it changes anything.
const change = loggedStatement<
  { existing: number; version: number | null },
  Guard & { changes: readonly TimeZoneChange[]; most: number }
>(
  'setTimeZones',
  `asked AS (
  SELECT *
  FROM $changes
  WHERE zone IS NULL OR now() AT TIME ZONE zone IS NOT NULL
), existing AS (
  SELECT count(*) AS zones
  FROM (
    SELECT "dataProviderVendorId", "locationCode" FROM location_time_zone WHERE provider_id = $provider
    UNION
    SELECT vendor, code FROM asked WHERE zone IS NOT NULL
  ) z
), edited AS (
  ${versionRaised} AND EXISTS (SELECT 1 FROM existing WHERE zones <= $most)
  RETURNING v.version
), allowed AS (
  SELECT a.* FROM asked a CROSS JOIN edited
), gone AS (
  DELETE FROM location_time_zone z USING allowed a
  WHERE z.provider_id = $provider AND z."dataProviderVendorId" = a.vendor AND z."locationCode" = a.code AND a.zone IS NULL
), changed AS (
  INSERT INTO location_time_zone AS z (provider_id, "dataProviderVendorId", "locationCode", time_zone, set_at, set_by)
  SELECT $provider, vendor, code, zone, now(), $who::text FROM allowed WHERE zone IS NOT NULL ORDER BY vendor, code
  ON CONFLICT (provider_id, "dataProviderVendorId", "locationCode") DO UPDATE
  SET time_zone = excluded.time_zone, set_at = excluded.set_at, set_by = excluded.set_by
  WHERE z.time_zone <> excluded.time_zone
)`,
  'SELECT s.zones::integer AS existing, e.version FROM existing s LEFT JOIN edited e ON true',
  {
    of: 'edited',
    asked: ({ changes }) => ({ locations: changes.length, first: changes[0] }),
    rows: {
      changes: {
        vendor: ['text', ({ dataProviderVendorId }) => dataProviderVendorId],
        code: ['text', ({ locationCode }) => locationCode],
        zone: ['text', ({ timeZone }) => timeZone],
      },
    },
  },
)

/**
 * Sets the time zones of locations and removes others, all or nothing. Each location occurs once.
 * `unknown`: the database does not know one of the zones. `tooMany`: more would be set than
 * allowed. The new version of the list, or `stale`: it is at another one than those it may follow.
 */
export async function writeTimeZones(
  db: Queryable,
  { provider, changes }: { readonly provider: string; readonly changes: readonly TimeZoneChange[] },
  actor: Actor,
  allowed?: VersionSet,
): Promise<number | 'stale' | 'tooMany' | 'unknown'> {
  try {
    const guard = await guardOf(db, provider, 'timeZone', allowed)
    const row = await change(db, { ...guard, changes, most: timeZonesMax }, actor)
    return (row?.existing ?? 0) > timeZonesMax ? 'tooMany' : (row?.version ?? 'stale')
  } catch (error) {
    if ((error as { code?: string }).code === unknownZone) return 'unknown'
    throw error
  }
}

/** PostgreSQL's invalid_parameter_value, its code for an unknown time zone. */
const unknownZone = '22023'
