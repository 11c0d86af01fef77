// Master products: how they are searched and written.
import { listing } from './listing.ts'
import type { WrittenKind } from './record-writer.ts'
import { asMasterData, recordStatements, type SearchRows, searchRowWrites } from './records.ts'
import { idMadeBefore, type SearchDeclaration, search } from './search.ts'

/** The search values of a master product, under their wire names. */
export interface ProductSearch {
  readonly dataProviderVendorId: string
  readonly itemCode: string
  readonly alternateItemCode: string | undefined
  readonly gtin: string | undefined
}

const searchRows: SearchRows<ProductSearch> = {
  kind: 'masterProduct',
  plural: 'MasterProducts',
  ...searchRowWrites('master_product', [
    ['"dataProviderVendorId"', 'vendor'],
    ['"itemCode"', 'code'],
    ['"alternateItemCode"', 'alternate_code'],
    ['gtin', 'gtin'],
  ]),
  columns: {
    vendor: ['text', ({ dataProviderVendorId }) => dataProviderVendorId],
    code: ['text', ({ itemCode }) => itemCode],
    alternate_code: ['text', ({ alternateItemCode }) => alternateItemCode],
    gtin: 'text',
  },
  ...asMasterData('item', '"itemCode"'),
}

/** How master products are written. */
export const masterProducts: WrittenKind<ProductSearch> = {
  rows: searchRows,
  statements: recordStatements(searchRows),
  conflictKeys: () => [],
}

const searched = {
  kind: 'masterProduct',
  table: 'master_product',
  conditions: {
    itemCode: { sql: 'r."itemCode" = $?', several: true, indexScan: true },
    dataProviderVendorId: { sql: 'r."dataProviderVendorId" = $?', several: true, indexScan: true },
    submitStartDateTime: { of: 'version', sql: 'v.submitted_at >= $?::timestamptz' },
    submitEndDateTime: { of: 'version', sql: 'v.submitted_at <= $?::timestamptz', bound: idMadeBefore },
  },
} as const satisfies SearchDeclaration<string>

/** Searches master products, newest first. */
export const searchMasterProducts = search('searchMasterProducts', searched)

/** Master products in other orders, their number, and the values of their columns. */
export const listedMasterProducts = listing('listMasterProducts', {
  ...searched,
  orders: {
    created: { column: 'r.id', type: 'id' },
    dataProviderVendorId: { column: 'r."dataProviderVendorId"', type: 'text' },
    itemCode: { column: 'r."itemCode"', type: 'text' },
  },
  values: { dataProviderVendorId: { sql: 'SELECT r."dataProviderVendorId" AS value', recordsMax: 100_000 } },
})
