// How much of one unit another is, as a provider declares it for an item. Not shown in the
// contract; decided in 0092.
import type { Static } from 'typebox'
import { list, number, object, optional, text } from './shape/field.ts'

const section = '2.5'

/** Conversions of an item that one call sets. */
const conversionsOfItemMax = 20

const EqualUnit = object('EqualUnit', {
  unit: text({ meaning: 'The unit of which one is described.', example: 'case', section }),
  quantity: number({ meaning: 'How much of the other unit it is.', example: 24, section }),
  inUnit: text({ meaning: 'The other unit.', example: 'each', section }),
})
export type EqualUnit = Static<typeof EqualUnit>

export const NewUnitConversion = object('NewUnitConversion', {
  itemCode: optional(
    text({
      meaning: 'Vendor item code of the item. Without it the conversions are those of all items.',
      example: 'ROM-24',
      section,
    }),
  ),
  dataProviderVendorId: optional(
    text({
      meaning: 'Vendor of the item. Without it they apply to the code at every vendor.',
      example: 'V-1001',
      section,
    }),
  ),
  units: optional(
    list(
      EqualUnit,
      {
        meaning: 'How much of one unit another is. Omit it to remove the conversions.',
        example: [{ unit: 'case', quantity: 24, inUnit: 'each' }],
        section,
      },
      { maxItems: conversionsOfItemMax },
    ),
  ),
})
export type NewUnitConversion = Static<typeof NewUnitConversion>

/** What tells the conversions of an item from others; empty for all items. */
export const unitConversionKey = ({
  itemCode,
  dataProviderVendorId,
}: Pick<NewUnitConversion, 'itemCode' | 'dataProviderVendorId'>): string =>
  itemCode === undefined
    ? ''
    : JSON.stringify([itemCode, ...(dataProviderVendorId === undefined ? [] : [dataProviderVendorId])])
