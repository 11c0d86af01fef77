// Captured EPCIS events: their ids, their results, and master data that they name by GS1 numbers.
// Source: decision 0083.
import type { Location } from '../../contract/location.ts'
import { type Queryable, statement } from '../database/statement.ts'

export interface CapturedEvent {
  readonly eventId: string
  readonly contentHash: Buffer
  /** Both null for an event that was declared wrong before it was captured. */
  readonly kind: string | null
  readonly recordId: string | null
  readonly declaredWrong: boolean
  readonly correctedBy: string | null
}

/** Most events that one event is known to correct: a correction stands for one, or for a few. */
const correctedMax = 200

// With its limit, each look-up of a correction is one by index: compared with a list, all
// corrections of the provider were read where statistics know few. So it is with alternate codes.
/** The stored results of these events, and of events that they correct. */
export const findCapturedEvents = statement<CapturedEvent, { provider: string; eventIds: readonly string[] }>(
  'capturedEvents',
  `SELECT event_id AS "eventId", content_hash AS "contentHash", kind, record_id AS "recordId",
          declared_wrong AS "declaredWrong", corrected_by AS "correctedBy"
   FROM captured_event
   WHERE provider_id = $provider AND event_id = ANY($eventIds::text[])
   UNION
   SELECT c.event_id, c.content_hash, c.kind, c.record_id, c.declared_wrong, c.corrected_by
   FROM unnest($eventIds::text[]) AS w (event_id)
   CROSS JOIN LATERAL (
     SELECT event_id, content_hash, kind, record_id, declared_wrong, corrected_by
     FROM captured_event
     WHERE provider_id = $provider AND corrected_by = w.event_id
     LIMIT $correctedMax
   ) c`,
  { defaults: { correctedMax } },
)

/** Remembers events, each once; an existing row stays. */
export const rememberCapturedEvents = statement<never, { provider: string; events: readonly CapturedEvent[] }>(
  'rememberCapturedEvents',
  `INSERT INTO captured_event AS c (provider_id, event_id, content_hash, kind, record_id, declared_wrong, corrected_by)
SELECT $provider, "eventId", "contentHash", kind, "recordId", "declaredWrong"::boolean, "correctedBy" FROM $events ORDER BY "eventId"
ON CONFLICT (provider_id, event_id) DO UPDATE
SET declared_wrong = c.declared_wrong OR excluded.declared_wrong,
    corrected_by = coalesce(excluded.corrected_by, c.corrected_by),
    kind = coalesce(c.kind, excluded.kind),
    record_id = coalesce(c.record_id, excluded.record_id)`,
  {
    rows: {
      events: {
        eventId: 'text',
        contentHash: 'bytea',
        kind: 'text',
        recordId: 'uuid',
        declaredWrong: ['text', ({ declaredWrong }) => String(declaredWrong)],
        correctedBy: 'text',
      },
    },
  },
)

/** Most rows of master data that one look-up returns. */
const namedMax = 5_000

/** Most of those of one alternate code: one for each vendor. */
const alternatesMax = 200

const namedLocations = statement<
  {
    gln: string | null
    dataProviderVendorId: string
    locationCode: string
    locationName: string
    content: Partial<Location>
  },
  Omit<MasterDataKeys, 'gtins' | 'alternateItemCodes'> & { provider: string }
>(
  'namedLocations',
  `SELECT content ->> 'gln' AS gln, "dataProviderVendorId", "locationCode", content ->> 'locationName' AS "locationName", content
   FROM location
   WHERE provider_id = $provider AND content ->> 'gln' = ANY($glns::text[])
   UNION
   SELECT content ->> 'gln', "dataProviderVendorId", "locationCode", content ->> 'locationName', content
   FROM location
   WHERE provider_id = $provider AND "locationCode" = ANY($locationCodes::text[])
   UNION
   SELECT l.content ->> 'gln', l."dataProviderVendorId", l."locationCode", l.content ->> 'locationName', l.content
   FROM unnest($alternateLocationCodes::text[]) AS w (code)
   CROSS JOIN LATERAL (
     SELECT "dataProviderVendorId", "locationCode", content
     FROM location
     WHERE provider_id = $provider AND "alternateLocationCode" = w.code
     LIMIT $alternates
   ) l
   ORDER BY gln, "dataProviderVendorId", "locationCode"
   LIMIT $limit`,
  { defaults: { limit: namedMax, alternates: alternatesMax } },
)

const namedProducts = statement<
  {
    gtin: string | null
    alternateItemCode: string | null
    dataProviderVendorId: string
    itemCode: string
  },
  Pick<MasterDataKeys, 'gtins' | 'alternateItemCodes'> & { provider: string }
>(
  'namedProducts',
  `SELECT gtin, "alternateItemCode", "dataProviderVendorId", "itemCode", id
   FROM master_product
   WHERE provider_id = $provider AND gtin = ANY($gtins::text[])
   UNION
   SELECT p.gtin, p."alternateItemCode", p."dataProviderVendorId", p."itemCode", p.id
   FROM unnest($alternateItemCodes::text[]) AS w (code)
   CROSS JOIN LATERAL (
     SELECT gtin, "alternateItemCode", "dataProviderVendorId", "itemCode", id
     FROM master_product
     WHERE provider_id = $provider AND "alternateItemCode" = w.code
     LIMIT $alternates
   ) p
   ORDER BY gtin, id
   LIMIT $limit`,
  { defaults: { limit: namedMax, alternates: alternatesMax } },
)

/** Identifiers of master data. One that is not of GS1 is an alternate code. */
export interface MasterDataKeys {
  readonly glns: readonly string[]
  readonly gtins: readonly string[]
  readonly locationCodes: readonly string[]
  readonly alternateLocationCodes: readonly string[]
  readonly alternateItemCodes: readonly string[]
}

/**
 * Locations and products with one of these keys; of those of a vendor with one GTIN, the oldest
 * first.
 */
export const findNamedMasterData = async (
  db: Queryable,
  provider: string,
  {
    glns = [],
    gtins = [],
    locationCodes = [],
    alternateLocationCodes = [],
    alternateItemCodes = [],
  }: Partial<MasterDataKeys>,
) => ({
  locations:
    glns.length + locationCodes.length + alternateLocationCodes.length === 0
      ? []
      : await namedLocations(db, { provider, glns, locationCodes, alternateLocationCodes }),
  products:
    gtins.length + alternateItemCodes.length === 0
      ? []
      : await namedProducts(db, { provider, gtins, alternateItemCodes }),
})
