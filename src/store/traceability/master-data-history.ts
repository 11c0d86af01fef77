// Master data at the time when a version of an event was stored, so that the export of a version
// stays the same.
import type { Location } from '../../contract/location.ts'
import type { MasterProduct } from '../../contract/product.ts'
import type { Loose } from '../../contract/shape/read-shape.ts'
import { type Queryable, statement } from '../database/statement.ts'

/** A version of an event, and the vendor's codes in it. */
export interface VersionCodes {
  readonly id: string
  readonly version: number
  readonly vendor: string
  readonly locations: readonly string[]
  readonly items: readonly string[]
  /** GLNs and DUNS numbers of lot code sources. */
  readonly numbers: readonly string[]
}

/** By code, also those with the numbers. Of several master products with one code, the oldest. */
export interface MasterDataThen {
  readonly locations: ReadonlyMap<string, Loose<Location>>
  readonly products: ReadonlyMap<string, Loose<MasterProduct>>
}

interface ThenRow {
  readonly fact: 'location' | 'item'
  readonly n: number
  readonly code: string
  readonly content: object
}

// The last version of each master data record at that time. Purged versions were replaced long
// before any event that is still there was stored, or a hold kept them.
const then = statement<ThenRow>(
  'masterDataThen',
  `SELECT 'location' AS fact, w.n, w.code, l.content
   FROM unnest($2::integer[], $3::uuid[], $4::integer[], $5::text[], $6::text[]) AS w (n, id, version, vendor, code)
   JOIN record_version e ON e.provider_id = $1 AND e.record_id = w.id AND e.version = w.version
   CROSS JOIN LATERAL (
     SELECT v.body::jsonb -> 'locationMasterList' AS content
     FROM record_version v
     WHERE v.provider_id = $1 AND v.kind = 'location' AND v.body::json -> 'locationMasterList' ->> 'locationCode' = w.code
       AND v.body::json -> 'locationMasterList' ->> 'dataProviderVendorId' = w.vendor
       AND v.submitted_at <= e.submitted_at
       AND NOT EXISTS (
         SELECT 1 FROM record_version n
         WHERE n.provider_id = $1 AND n.record_id = v.record_id AND n.version = v.version + 1 AND n.submitted_at <= e.submitted_at
       )
     ORDER BY v.record_id
     LIMIT 1
   ) l
   UNION ALL
   SELECT 'item', w.n, w.code, p.content
   FROM unnest($7::integer[], $8::uuid[], $9::integer[], $10::text[], $11::text[]) AS w (n, id, version, vendor, code)
   JOIN record_version e ON e.provider_id = $1 AND e.record_id = w.id AND e.version = w.version
   CROSS JOIN LATERAL (
     SELECT v.body::jsonb -> 'productMasterDataList' AS content
     FROM record_version v
     WHERE v.provider_id = $1 AND v.kind = 'masterProduct' AND v.body::json -> 'productMasterDataList' ->> 'itemCode' = w.code
       AND v.body::json -> 'productMasterDataList' ->> 'dataProviderVendorId' = w.vendor
       AND v.submitted_at <= e.submitted_at
       AND NOT EXISTS (
         SELECT 1 FROM record_version n
         WHERE n.provider_id = $1 AND n.record_id = v.record_id AND n.version = v.version + 1 AND n.submitted_at <= e.submitted_at
       )
     ORDER BY v.record_id
     LIMIT 1
   ) p
   UNION ALL
   SELECT 'location', w.n, l.code, l.content
   FROM unnest($12::integer[], $13::uuid[], $14::integer[], $15::text[], $16::text[]) AS w (n, id, version, vendor, code)
   JOIN record_version e ON e.provider_id = $1 AND e.record_id = w.id AND e.version = w.version
   CROSS JOIN LATERAL (
     (
       SELECT v.body::jsonb -> 'locationMasterList' AS content, v.body::json -> 'locationMasterList' ->> 'locationCode' AS code
       FROM record_version v
       WHERE v.provider_id = $1 AND v.kind = 'location' AND v.body::json -> 'locationMasterList' ->> 'gln' = w.code
         AND v.body::json -> 'locationMasterList' ->> 'dataProviderVendorId' = w.vendor
         AND v.submitted_at <= e.submitted_at
         AND NOT EXISTS (
           SELECT 1 FROM record_version n
           WHERE n.provider_id = $1 AND n.record_id = v.record_id AND n.version = v.version + 1 AND n.submitted_at <= e.submitted_at
         )
       ORDER BY 2
       LIMIT 20
     )
     UNION ALL
     (
       SELECT v.body::jsonb -> 'locationMasterList' AS content, v.body::json -> 'locationMasterList' ->> 'locationCode' AS code
       FROM record_version v
       WHERE v.provider_id = $1 AND v.kind = 'location' AND v.body::json -> 'locationMasterList' ->> 'duns' = w.code
         AND v.body::json -> 'locationMasterList' ->> 'dataProviderVendorId' = w.vendor
         AND v.submitted_at <= e.submitted_at
         AND NOT EXISTS (
           SELECT 1 FROM record_version n
           WHERE n.provider_id = $1 AND n.record_id = v.record_id AND n.version = v.version + 1 AND n.submitted_at <= e.submitted_at
         )
       ORDER BY 2
       LIMIT 20
     )
   ) l`,
)

/** The master data in force when each version was stored, in their order. */
export async function findMasterDataThen(
  db: Queryable,
  provider: string,
  versions: readonly VersionCodes[],
): Promise<MasterDataThen[]> {
  const wanted = (codesOf: (version: VersionCodes) => readonly string[]) => {
    const each = versions.flatMap((version, n) =>
      [...new Set(codesOf(version))].map((code) => ({ ...version, n, code })),
    )
    return [
      each.map(({ n }) => n),
      each.map(({ id }) => id),
      each.map(({ version }) => version),
      each.map(({ vendor }) => vendor),
      each.map(({ code }) => code),
    ]
  }
  const found = versions.map(() => ({
    locations: new Map<string, Loose<Location>>(),
    products: new Map<string, Loose<MasterProduct>>(),
  }))
  const values = [
    provider,
    ...wanted(({ locations }) => locations),
    ...wanted(({ items }) => items),
    ...wanted(({ numbers }) => numbers),
  ]
  for (const { fact, n, code, content } of await then(db, values)) {
    if (fact === 'location') found[n]?.locations.set(code, content as Loose<Location>)
    else found[n]?.products.set(code, content as Loose<MasterProduct>)
  }
  return found
}
