// Master products: how they are found and written.
import type { WrittenKind } from './record-writer.ts'
import { recordStatements, type SearchRows } from './records.ts'
import { idMadeBefore, search } from './search.ts'

/** What a master product is found by, under the wire names. */
export interface ProductSearch {
  readonly dataProviderVendorId: string
  readonly itemCode: string
  readonly alternateItemCode: string | undefined
  readonly gtin: string | undefined
}

const searchRows: SearchRows<ProductSearch> = {
  kind: 'masterProduct',
  plural: 'MasterProducts',
  table: 'master_product',
  columns: {
    vendor: ['text', ({ dataProviderVendorId }) => dataProviderVendorId],
    item_code: ['text', ({ itemCode }) => itemCode],
    alternate_item_code: ['text', ({ alternateItemCode }) => alternateItemCode ?? null],
    gtin: ['text', ({ gtin }) => gtin ?? null],
  },
  sets: {},
  followedSets: {},
  rowsOf: () => ({}),
  judgedByMasterData: false,
  before: {
    sql: 'e."dataProviderVendorId" AS vendor_before, e."itemCode" AS code_before',
    names: 'seen.vendor_before, seen.code_before',
  },
  inserted: (from) => `search_rows AS (
  INSERT INTO master_product (provider_id, id, "dataProviderVendorId", "itemCode", "alternateItemCode", gtin)
  SELECT $1, id, vendor, item_code, alternate_item_code, gtin FROM ${from}
)`,
  updated: (from) => `search_rows AS (
  UPDATE master_product p
  SET "dataProviderVendorId" = a.vendor, "itemCode" = a.item_code, "alternateItemCode" = a.alternate_item_code, gtin = a.gtin
  FROM ${from} a
  WHERE p.provider_id = $1 AND p.id = a.id
)`,
  followed: (write) => `to_recount AS (
  INSERT INTO awaiting_recount (provider_id, what, "dataProviderVendorId", code)
  SELECT $1, 'item', c.vendor, c.code
  FROM (
    SELECT vendor, item_code AS code FROM accepted${write === 'create' ? '' : ' UNION SELECT vendor_before, code_before FROM accepted'}
  ) AS c
  RETURNING id
)`,
}

/** How master products are written. */
export const masterProducts: WrittenKind<ProductSearch> = {
  rows: searchRows,
  statements: recordStatements(searchRows),
  holds: () => [],
}

/** Searches master products, newest first. */
export const searchMasterProducts = search('searchMasterProducts', {
  kind: 'masterProduct',
  table: 'master_product',
  conditions: {
    itemCode: { sql: 'r."itemCode" = $?', walk: true },
    dataProviderVendorId: { sql: 'r."dataProviderVendorId" = $?', walk: true },
    submitStartDateTime: { of: 'version', sql: 'v.submitted_at >= $?::timestamptz' },
    submitEndDateTime: { of: 'version', sql: 'v.submitted_at <= $?::timestamptz', bound: idMadeBefore },
  },
})
