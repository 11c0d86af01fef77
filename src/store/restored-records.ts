// Records brought in from an archive, as lists and traces find them: the current version, and what it is searched by.
import type { LocationSearch } from './locations.ts'
import type { ProductSearch } from './master-products.ts'
import { type EventSearch, eventSearchValues } from './receiving-events.ts'
import { type Queryable, statement } from './statement.ts'

/** The current version of a record. */
export interface RestoredRecord<Search> {
  readonly id: string
  readonly version: number
  readonly contentHash: Buffer
  readonly versionHash: Buffer
  readonly search: Search
}

const events = statement(
  'restoreReceivingEvents',
  `WITH inserted AS (
  INSERT INTO receiving_event (provider_id, id, version, content_hash, version_hash, "dataProviderVendorId", "eventDateTime",
                               "shipFromLocationCode", "shipToLocationCode", "purchaseOrderNumber", "asnNumber", codes_hash, event_date,
                               line_count, completeness)
  SELECT $1, s.*
  FROM unnest($2::uuid[], $3::integer[], $4::bytea[], $5::bytea[], $6::text[], $7::text[]::timestamptz[], $8::text[], $9::text[],
              $10::text[], $11::text[], $12::bytea[], $13::text[]::date[], $14::integer[], $15::text[]::jsonb[]) AS s
  ON CONFLICT (provider_id, id) DO NOTHING
  RETURNING id
)
INSERT INTO receiving_event_code (provider_id, field, code, id, unfolded)
SELECT $1, c.field, c.code, c.id, c.unfolded
FROM unnest($16::uuid[], $17::text[], $18::text[], $19::text[]) AS c (id, field, code, unfolded) JOIN inserted ON inserted.id = c.id`,
)

const products = statement(
  'restoreMasterProducts',
  `INSERT INTO master_product (provider_id, id, version, content_hash, version_hash, "dataProviderVendorId", "itemCode")
   SELECT $1, s.*
   FROM unnest($2::uuid[], $3::integer[], $4::bytea[], $5::bytea[], $6::text[], $7::text[]) AS s
   ON CONFLICT (provider_id, id) DO NOTHING`,
)

const locations = statement(
  'restoreLocations',
  `INSERT INTO location (provider_id, id, version, content_hash, version_hash, "dataProviderVendorId", "locationCode", content)
   SELECT $1, s.*
   FROM unnest($2::uuid[], $3::integer[], $4::bytea[], $5::bytea[], $6::text[], $7::text[], $8::text[]::jsonb[]) AS s
   ON CONFLICT (provider_id, id) DO NOTHING`,
)

/** Makes records ready that are not; what is there stays. Throws what `keyIsHeld` tells when a record that is there holds the key of one. */
export const restoreEvents = async (
  db: Queryable,
  provider: string,
  records: readonly RestoredRecord<EventSearch>[],
): Promise<void> => {
  const [columns, codes] = eventSearchValues(records)
  await events(db, [provider, ...versionValues(records), ...columns, ...codes])
}

export const restoreProducts = async (
  db: Queryable,
  provider: string,
  records: readonly RestoredRecord<ProductSearch>[],
): Promise<void> => {
  await products(db, [
    provider,
    ...versionValues(records),
    records.map(({ search }) => search.dataProviderVendorId),
    records.map(({ search }) => search.itemCode),
  ])
}

export const restoreLocations = async (
  db: Queryable,
  provider: string,
  records: readonly RestoredRecord<LocationSearch>[],
): Promise<void> => {
  await locations(db, [
    provider,
    ...versionValues(records),
    records.map(({ search }) => search.dataProviderVendorId),
    records.map(({ search }) => search.locationCode),
    records.map(({ search }) => JSON.stringify(search.content)),
  ])
}

const versionValues = (records: readonly RestoredRecord<unknown>[]): unknown[] => [
  records.map(({ id }) => id),
  records.map(({ version }) => version),
  records.map(({ contentHash }) => contentHash),
  records.map(({ versionHash }) => versionHash),
]
