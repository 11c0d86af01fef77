// Location master data: how it is searched and written. Accepted receiving events also create and
// update locations (receiving-events.ts).
import type { Location } from '../../contract/location.ts'
import { statement } from '../database/statement.ts'
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
    alternate_code: ['text', ({ content }) => content.alternateLocationCode],
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

/** What is known of a location. */
export const describedLocation = statement.one<
  { content: Location },
  { provider: string; vendor: string; code: string }
>(
  'describedLocation',
  'SELECT content FROM location WHERE provider_id = $provider AND "dataProviderVendorId" = $vendor AND "locationCode" = $code',
)

/** Up to `limit` locations with these GLNs, of any vendor. */
export const locationsNamedByGln = statement<
  { gln: string; dataProviderVendorId: string; locationCode: string },
  { provider: string; glns: readonly string[]; limit: number }
>(
  'locationsNamedByGln',
  `SELECT content ->> 'gln' AS gln, "dataProviderVendorId", "locationCode"
   FROM location
   WHERE provider_id = $provider AND content ->> 'gln' = ANY($glns::text[])
   ORDER BY gln, "dataProviderVendorId", "locationCode"
   LIMIT $limit`,
)

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
