// Candidates for sharing: events at the places of a partner, in pages; GLNs of locations; and
// places that events were shipped to.

import { type Queryable, statement } from '../database/statement.ts'
import { shareable } from '../records/event-kinds.ts'
import { lotRowOf } from '../records/lot-rows.ts'

const kindsOfEvents = shareable.kinds
const shareableRows = shareable.rows
const shareableCodes = shareable.codes

/** An event and the version it is at. */
export interface EventAt {
  readonly id: string
  readonly version: number
}

const shippedTo = statement<EventAt>(
  'eventsShippedTo',
  `SELECT e.id, r.version FROM ${shareableRows} e JOIN record r ON r.provider_id = $1 AND r.id = e.id
   WHERE e.place = $2 AND ($3::uuid IS NULL OR e.id < $3)
   ORDER BY e.id DESC
   LIMIT $4`,
)

const shippedFrom = statement<EventAt>(
  'eventsShippedFrom',
  `SELECT e.id, r.version FROM ${shareableRows} e JOIN record r ON r.provider_id = $1 AND r.id = e.id
   WHERE e.counterpart = $2 AND ($3::uuid IS NULL OR e.id < $3)
   ORDER BY e.id DESC
   LIMIT $4`,
)

const ofLot = statement<EventAt>(
  'eventsOfLot',
  `SELECT DISTINCT c.id, r.version FROM ${shareableCodes} c JOIN record r ON r.provider_id = $1 AND r.id = c.id
   WHERE c.field = 'lotCode' AND c.code = $2 AND ($3::uuid IS NULL OR c.id < $3)
   ORDER BY c.id DESC
   LIMIT $4`,
)

/** Events with a location code at one end, or with a lot code in any spelling. */
export type EventsAt =
  | { readonly shipTo: string }
  | { readonly shipFrom: string }
  | {
      /** As written. */
      readonly lotCode: string
    }

/** Up to `limit` current events, newest first; those below an id when one is given. */
export function eventsAt(
  db: Queryable,
  provider: string,
  { at, before, limit }: { readonly at: EventsAt; readonly before: string | undefined; readonly limit: number },
): Promise<EventAt[]> {
  const [find, value] =
    'shipTo' in at
      ? [shippedTo, at.shipTo]
      : 'shipFrom' in at
        ? [shippedFrom, at.shipFrom]
        : [ofLot, lotRowOf(at.lotCode).code]
  return find(db, [provider, value, before ?? null, limit])
}

export interface LocationGln {
  readonly dataProviderVendorId: string
  readonly locationCode: string
  readonly gln: string | null
}

const withGln = statement<LocationGln>(
  'locationsWithGln',
  `SELECT l."dataProviderVendorId", l."locationCode", l.content ->> 'gln' AS gln
   FROM location l
   WHERE l.provider_id = $1 AND btrim(l.content ->> 'gln') = ANY ($2::text[])`,
)

/** The locations that have one of these GLNs. */
export const locationsWithGln = (db: Queryable, provider: string, glns: readonly string[]): Promise<LocationGln[]> =>
  withGln(db, [provider, glns])

const glns = statement<LocationGln>(
  'glnsOfLocations',
  `SELECT l."dataProviderVendorId", l."locationCode", l.content ->> 'gln' AS gln
   FROM unnest($2::text[], $3::text[]) AS w (vendor, code)
   JOIN location l ON l.provider_id = $1 AND l."dataProviderVendorId" = w.vendor AND l."locationCode" = w.code`,
)

/** GLNs of locations, null where one has none; a location that is not stored is missing. */
export const glnsOfLocations = (
  db: Queryable,
  provider: string,
  locations: readonly Omit<LocationGln, 'gln'>[],
): Promise<LocationGln[]> =>
  glns(db, [
    provider,
    locations.map(({ dataProviderVendorId }) => dataProviderVendorId),
    locations.map(({ locationCode }) => locationCode),
  ])

const copied = statement<EventAt>(
  'sharedEvents',
  `SELECT c.record_id AS id, r.version FROM shared_copy c JOIN record r ON r.provider_id = $1 AND r.id = c.record_id
   WHERE c.provider_id = $1 AND c.partner_id = $2::uuid AND c.kind IN (${kindsOfEvents}) AND NOT c.withdrawn
   LIMIT $3`,
)

/** Up to `limit` events that a partner sees. */
export const sharedEvents = (db: Queryable, provider: string, partner: string, limit: number): Promise<EventAt[]> =>
  copied(db, [provider, partner, limit])

/** A location code that events were shipped to, as one GLN or none has it. */
export interface ShipToPlace {
  readonly locationCode: string
  readonly gln: string | null
  readonly locationName: string | null
  readonly dataProviderVendorIds: readonly string[]
  readonly events: number
  readonly firstEventDate: string
  readonly lastEventDate: string
}

// A code may be another place for another vendor: their GLNs decide.
const places = statement<ShipToPlace>(
  'shipToPlaces',
  `WITH RECURSIVE walked AS (
  SELECT (
    SELECT e.place FROM ${shareableRows} e WHERE e.place > $2::text ORDER BY e.place LIMIT 1
  ) AS code, 1 AS step
  UNION ALL
  SELECT (
    SELECT e.place FROM ${shareableRows} e WHERE e.place > w.code ORDER BY e.place LIMIT 1
  ), w.step + 1
  FROM walked w
  WHERE w.code IS NOT NULL AND w.step < $3
)
SELECT w.code AS "locationCode", l.gln, l.name AS "locationName", l.vendors AS "dataProviderVendorIds", f.events,
       f.first::text AS "firstEventDate", f.last::text AS "lastEventDate"
FROM walked w
CROSS JOIN LATERAL (
  SELECT nullif(btrim(k.content ->> 'gln'), '') AS gln, min(k.content ->> 'locationName') AS name,
         array_agg(k."dataProviderVendorId" ORDER BY k."dataProviderVendorId") AS vendors
  FROM location k
  WHERE k.provider_id = $1 AND k."locationCode" = w.code
  GROUP BY nullif(btrim(k.content ->> 'gln'), '')
) l
CROSS JOIN LATERAL (
  SELECT count(*)::integer AS events, min(d.event_date) AS first, max(d.event_date) AS last
  FROM (
    SELECT e.event_date FROM ${shareableRows} e
    WHERE e.place = w.code AND e."dataProviderVendorId" = ANY (l.vendors)
    ORDER BY e."eventDateTime" DESC
    LIMIT $4
  ) d
) f
WHERE f.events > 0
ORDER BY w.code, l.gln`,
)

/**
 * Places of up to `codes` location codes behind one, with at most `eventsMax` events of each, the
 * newest.
 */
export const shipToPlaces = (
  db: Queryable,
  {
    provider,
    after,
    codes,
    eventsMax,
  }: {
    readonly provider: string
    readonly after: string | undefined
    readonly codes: number
    readonly eventsMax: number
  },
): Promise<ShipToPlace[]> => places(db, [provider, after ?? '', codes, eventsMax])
