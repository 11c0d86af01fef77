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

/** Up to `limit` current events with a code, newest first; those below an id when one is given. */
interface EventsWanted {
  readonly provider: string
  readonly code: string
  readonly before: string | undefined
  readonly limit: number
}

const shippedTo = statement<EventAt, EventsWanted>(
  'eventsShippedTo',
  `SELECT e.id, r.version FROM ${shareableRows} e JOIN record r ON r.provider_id = $provider AND r.id = e.id
   WHERE e.place = $code AND ($before::uuid IS NULL OR e.id < $before)
   ORDER BY e.id DESC
   LIMIT $limit`,
)

const shippedFrom = statement<EventAt, EventsWanted>(
  'eventsShippedFrom',
  `SELECT e.id, r.version FROM ${shareableRows} e JOIN record r ON r.provider_id = $provider AND r.id = e.id
   WHERE e.counterpart = $code AND ($before::uuid IS NULL OR e.id < $before)
   ORDER BY e.id DESC
   LIMIT $limit`,
)

const ofLot = statement<EventAt, EventsWanted>(
  'eventsOfLot',
  `SELECT DISTINCT c.id, r.version FROM ${shareableCodes} c JOIN record r ON r.provider_id = $provider AND r.id = c.id
   WHERE c.field = 'lotCode' AND c.code = $code AND ($before::uuid IS NULL OR c.id < $before)
   ORDER BY c.id DESC
   LIMIT $limit`,
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
  const [find, code] =
    'shipTo' in at
      ? [shippedTo, at.shipTo]
      : 'shipFrom' in at
        ? [shippedFrom, at.shipFrom]
        : [ofLot, lotRowOf(at.lotCode).code]
  return find(db, { provider, code, before, limit })
}

export interface LocationGln {
  readonly dataProviderVendorId: string
  readonly locationCode: string
  readonly gln: string | null
}

/** The locations that have one of these GLNs. */
export const locationsWithGln = statement<LocationGln, { provider: string; glns: readonly string[] }>(
  'locationsWithGln',
  `SELECT l."dataProviderVendorId", l."locationCode", l.content ->> 'gln' AS gln
   FROM location l
   WHERE l.provider_id = $provider AND btrim(l.content ->> 'gln') = ANY ($glns::text[])`,
)

/** GLNs of locations, null where one has none; a location that is not stored is missing. */
export const glnsOfLocations = statement<
  LocationGln,
  { provider: string; locations: readonly Omit<LocationGln, 'gln'>[] }
>(
  'glnsOfLocations',
  `SELECT l."dataProviderVendorId", l."locationCode", l.content ->> 'gln' AS gln
   FROM $locations
   JOIN location l ON l.provider_id = $provider AND l."dataProviderVendorId" = locations."dataProviderVendorId" AND l."locationCode" = locations."locationCode"`,
  { rows: { locations: { dataProviderVendorId: 'text', locationCode: 'text' } } },
)

/** Up to `limit` events that a partner sees. */
export const sharedEvents = statement<EventAt, { provider: string; partner: string; limit: number }>(
  'sharedEvents',
  `SELECT c.record_id AS id, r.version FROM shared_copy c JOIN record r ON r.provider_id = $provider AND r.id = c.record_id
   WHERE c.provider_id = $provider AND c.partner_id = $partner::uuid AND c.kind IN (${kindsOfEvents}) AND NOT c.withdrawn
   LIMIT $limit`,
)

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

interface PlacesWanted {
  readonly provider: string
  readonly after: string | undefined
  readonly codes: number
  readonly eventsMax: number
}

// A code may be another place for another vendor: their GLNs decide.
/**
 * Places of up to `codes` location codes behind one, with at most `eventsMax` events of each, the
 * newest.
 */
export const shipToPlaces = statement<ShipToPlace, PlacesWanted>(
  'shipToPlaces',
  `WITH RECURSIVE walked AS (
  SELECT (
    SELECT e.place FROM ${shareableRows} e WHERE e.place > $after::text ORDER BY e.place LIMIT 1
  ) AS code, 1 AS step
  UNION ALL
  SELECT (
    SELECT e.place FROM ${shareableRows} e WHERE e.place > w.code ORDER BY e.place LIMIT 1
  ), w.step + 1
  FROM walked w
  WHERE w.code IS NOT NULL AND w.step < $codes
)
SELECT w.code AS "locationCode", l.gln, l.name AS "locationName", l.vendors AS "dataProviderVendorIds", f.events,
       f.first::text AS "firstEventDate", f.last::text AS "lastEventDate"
FROM walked w
CROSS JOIN LATERAL (
  SELECT nullif(btrim(k.content ->> 'gln'), '') AS gln, min(k.content ->> 'locationName') AS name,
         array_agg(k."dataProviderVendorId" ORDER BY k."dataProviderVendorId") AS vendors
  FROM location k
  WHERE k.provider_id = $provider AND k."locationCode" = w.code
  GROUP BY nullif(btrim(k.content ->> 'gln'), '')
) l
CROSS JOIN LATERAL (
  SELECT count(*)::integer AS events, min(d.event_date) AS first, max(d.event_date) AS last
  FROM (
    SELECT e.event_date FROM ${shareableRows} e
    WHERE e.place = w.code AND e."dataProviderVendorId" = ANY (l.vendors)
    ORDER BY e."eventDateTime" DESC
    LIMIT $eventsMax
  ) d
) f
WHERE f.events > 0
ORDER BY w.code, l.gln`,
  { defaults: { after: '' } },
)
