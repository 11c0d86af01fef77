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

/** A code of the `n`-th version. */
interface VersionCode {
  readonly n: number
  readonly id: string
  readonly version: number
  readonly vendor: string
  readonly code: string
}

interface WantedCodes {
  readonly provider: string
  readonly locations: readonly VersionCode[]
  readonly items: readonly VersionCode[]
  readonly numbers: readonly VersionCode[]
}

const codeColumns = { n: 'integer', id: 'uuid', version: 'integer', vendor: 'text', code: 'text' } as const

/**
 * True of the version `v` of master data that was the last one when the version `e` of an event was
 * stored. Purged versions were replaced long before any event that is still there was stored, or a
 * hold kept them.
 */
const inForce = `v.submitted_at <= e.submitted_at
       AND NOT EXISTS (
         SELECT 1 FROM record_version n
         WHERE n.provider_id = $provider AND n.record_id = v.record_id AND n.version = v.version + 1 AND n.submitted_at <= e.submitted_at
       )`

const then = statement<ThenRow, WantedCodes>(
  'masterDataThen',
  `SELECT 'location' AS fact, locations.n, locations.code, l.content
   FROM $locations
   JOIN record_version e ON e.provider_id = $provider AND e.record_id = locations.id AND e.version = locations.version
   CROSS JOIN LATERAL (
     SELECT v.detail[1]::jsonb -> 'locationMasterList' AS content
     FROM record_version v
     WHERE v.provider_id = $provider AND v.kind = 'location' AND v.detail[1]::json -> 'locationMasterList' ->> 'locationCode' = locations.code
       AND v.detail[1]::json -> 'locationMasterList' ->> 'dataProviderVendorId' = locations.vendor
       AND ${inForce}
     ORDER BY v.record_id
     LIMIT 1
   ) l
   UNION ALL
   SELECT 'item', items.n, items.code, p.content
   FROM $items
   JOIN record_version e ON e.provider_id = $provider AND e.record_id = items.id AND e.version = items.version
   CROSS JOIN LATERAL (
     SELECT v.detail[1]::jsonb -> 'productMasterDataList' AS content
     FROM record_version v
     WHERE v.provider_id = $provider AND v.kind = 'masterProduct' AND v.detail[1]::json -> 'productMasterDataList' ->> 'itemCode' = items.code
       AND v.detail[1]::json -> 'productMasterDataList' ->> 'dataProviderVendorId' = items.vendor
       AND ${inForce}
     ORDER BY v.record_id
     LIMIT 1
   ) p
   UNION ALL
   SELECT 'location', numbers.n, l.code, l.content
   FROM $numbers
   JOIN record_version e ON e.provider_id = $provider AND e.record_id = numbers.id AND e.version = numbers.version
   CROSS JOIN LATERAL (
     (
       SELECT v.detail[1]::jsonb -> 'locationMasterList' AS content, v.detail[1]::json -> 'locationMasterList' ->> 'locationCode' AS code
       FROM record_version v
       WHERE v.provider_id = $provider AND v.kind = 'location' AND v.detail[1]::json -> 'locationMasterList' ->> 'gln' = numbers.code
         AND v.detail[1]::json -> 'locationMasterList' ->> 'dataProviderVendorId' = numbers.vendor
         AND ${inForce}
       ORDER BY 2
       LIMIT 20
     )
     UNION ALL
     (
       SELECT v.detail[1]::jsonb -> 'locationMasterList' AS content, v.detail[1]::json -> 'locationMasterList' ->> 'locationCode' AS code
       FROM record_version v
       WHERE v.provider_id = $provider AND v.kind = 'location' AND v.detail[1]::json -> 'locationMasterList' ->> 'duns' = numbers.code
         AND v.detail[1]::json -> 'locationMasterList' ->> 'dataProviderVendorId' = numbers.vendor
         AND ${inForce}
       ORDER BY 2
       LIMIT 20
     )
   ) l`,
  { rows: { locations: codeColumns, items: codeColumns, numbers: codeColumns } },
)

/** The master data in force when each version was stored, in their order. */
export async function findMasterDataThen(
  db: Queryable,
  provider: string,
  versions: readonly VersionCodes[],
): Promise<MasterDataThen[]> {
  const wanted = (codesOf: (version: VersionCodes) => readonly string[]): VersionCode[] =>
    versions.flatMap((version, n) => [...new Set(codesOf(version))].map((code) => ({ ...version, n, code })))
  const found = versions.map(() => ({
    locations: new Map<string, Loose<Location>>(),
    products: new Map<string, Loose<MasterProduct>>(),
  }))
  const rows = await then(db, {
    provider,
    locations: wanted(({ locations }) => locations),
    items: wanted(({ items }) => items),
    numbers: wanted(({ numbers }) => numbers),
  })
  for (const { fact, n, code, content } of rows) {
    if (fact === 'location') found[n]?.locations.set(code, content as Loose<Location>)
    else found[n]?.products.set(code, content as Loose<MasterProduct>)
  }
  return found
}
