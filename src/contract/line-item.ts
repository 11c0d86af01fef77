// The item of a product line: by the line itself, by the product of its list or of master data, and
// by its lot code.

import type { MasterProduct } from '../contract/product.ts'
import type { ProductLine } from '../contract/product-line.ts'
import { readLotCode } from './lots/lot-code.ts'
import { isGiven } from './shape/field.ts'
import { isPlaceholderCode } from './shape/placeholder.ts'
import type { Loose } from './shape/read-shape.ts'
import { gtin14Of } from './text/gs1-text.ts'

/**
 * The GTINs of a line, as 14 digits: of the case, of the item, in the lot code. A text that is no
 * GTIN stays as it is.
 */
export const gtinsOf = (
  line: Loose<Pick<ProductLine, 'caseGtin' | 'caseLotNumber'>>,
  product: Loose<Pick<MasterProduct, 'gtin'>> | undefined,
): readonly string[] =>
  [line.caseGtin, product?.gtin, readLotCode(line.caseLotNumber ?? '').gtin].flatMap((text) =>
    isGiven(text) && !isPlaceholderCode(text) ? [gtin14Of(text.trim()) ?? text.trim()] : [],
  )

/** What a line says of its item, else what the product says. */
export const descriptionOf = (
  line: Loose<Pick<ProductLine, 'vendorItemDescription'>>,
  product: Loose<Pick<MasterProduct, 'itemDescription'>> | undefined,
): string | undefined => (isGiven(line.vendorItemDescription) ? line.vendorItemDescription : product?.itemDescription)

/**
 * True when the line can be of the item: it names this GTIN, or none. A line that contradicts
 * itself also counts: in a recall an answer that is too wide is better than one that misses a case
 * (decision 0049).
 */
export function canBeOfItem(line: ProductLine, product: Loose<MasterProduct> | undefined, gtin: string): boolean {
  const gtins = gtinsOf(line, product)
  return gtins.length === 0 || gtins.includes(gtin)
}
