// Location master data: how it is searched and written. Accepted receiving events also create and
// update locations (receiving-events.ts).
import type { Location } from '../../contract/location.ts'
import { type Queryable, statement } from '../database/statement.ts'
import { listing } from './listing.ts'
import type { WrittenKind } from './record-writer.ts'
import { asMasterData, recordStatements, type SearchRows, searchRowWrites } from './records.ts'
import { idMadeBefore, type SearchDeclaration, search } from './search.ts'

/**
 * The search values of a location, under their wire names, and the content that events are compared
 * with.
 */
export interface LocationSearch {
  readonly dataProviderVendorId: string
  readonly locationCode: string
  readonly content: Location
}

const searchRows: SearchRows<LocationSearch> = {
  kind: 'location',
  plural: 'Locations',
  ...searchRowWrites('location', [
    ['"dataProviderVendorId"', 'vendor'],
    ['"locationCode"', 'code'],
    ['"alternateLocationCode"', 'alternate_code'],
    ['content', 'content'],
  ]),
  columns: {
    vendor: ['text', ({ dataProviderVendorId }) => dataProviderVendorId],
    code: ['text', ({ locationCode }) => locationCode],
    alternate_code: ['text', ({ content }) => content.alternateLocationCode ?? null],
    content: ['jsonb', ({ content }) => JSON.stringify(content)],
  },
  ...asMasterData('location', '"locationCode"'),
  key: {
    index: 'location_one_per_code',
    columns: [
      ['"dataProviderVendorId"', 'vendor'],
      ['"locationCode"', 'code'],
    ],
  },
}

/** How locations are written. Two with the same code are written one after the other. */
export const locations: WrittenKind<LocationSearch> = {
  rows: searchRows,
  statements: recordStatements(searchRows),
  conflictKeys: ({ dataProviderVendorId, locationCode }) => [
    [`code ${dataProviderVendorId}\u0000${locationCode}`, Symbol(locationCode)],
  ],
}

const withCode = statement<{ id: string; n: number }>(
  'locationsWithCode',
  `SELECT l.id, w.n::integer AS n
   FROM location l, unnest($2::text[], $3::text[]) WITH ORDINALITY AS w (vendor, code, n)
   WHERE l.provider_id = $1 AND l."dataProviderVendorId" = w.vendor AND l."locationCode" = w.code
     AND l.id IS DISTINCT FROM $4::uuid
   ORDER BY w.n
   LIMIT 1`,
)

/**
 * The first location whose code another record has, and that record; `except` is the record being
 * replaced.
 */
export async function holderOfLocationCode(
  db: Queryable,
  provider: string,
  locations: readonly LocationSearch[],
  except: string | undefined,
): Promise<{ readonly id: string; readonly index: number } | undefined> {
  const [row] = await withCode(db, [
    provider,
    locations.map(({ dataProviderVendorId }) => dataProviderVendorId),
    locations.map(({ locationCode }) => locationCode),
    except ?? null,
  ])
  return row && { id: row.id, index: row.n - 1 }
}

const searched = {
  kind: 'location',
  table: 'location',
  conditions: {
    locationCode: { sql: 'r."locationCode" = $?', several: true, indexScan: true },
    dataProviderVendorId: { sql: 'r."dataProviderVendorId" = $?', several: true, indexScan: true },
    submitStartDateTime: { of: 'version', sql: 'v.submitted_at >= $?::timestamptz' },
    submitEndDateTime: { of: 'version', sql: 'v.submitted_at <= $?::timestamptz', bound: idMadeBefore },
  },
} as const satisfies SearchDeclaration<string>

/** Searches locations, newest first. */
export const searchLocations = search('searchLocations', searched)

/** Locations in other orders, their number, and the values of their columns. */
export const listedLocations = listing('listLocations', {
  ...searched,
  orders: {
    created: { column: 'r.id', type: 'id' },
    dataProviderVendorId: { column: 'r."dataProviderVendorId"', type: 'text' },
    locationCode: { column: 'r."locationCode"', type: 'text' },
  },
  values: { dataProviderVendorId: { sql: 'SELECT r."dataProviderVendorId" AS value', recordsMax: 100_000 } },
})
