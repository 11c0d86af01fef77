// The parameters that choose the events and lines of an export: the same for every export.
import { ignoredText } from '../../contract/lots/alike-lots.ts'
import { ftlCategories } from '../../contract/product.ts'
import type { QueryParameter } from './query.ts'

const many = (meaning: string, example: string) => ({ form: 'text', meaning, example, many: true }) as const

/**
 * Dates, vendors and places. Source: 21 CFR 1.1455(c)(3): FDA names foods, and date ranges or lot
 * codes.
 */
export const eventSelection = {
  eventStartDate: {
    form: 'date',
    meaning: 'Only events received on this date or later: the date at the ship-to location.',
    example: '2026-03-01',
  },
  eventEndDate: { form: 'date', meaning: 'Only events received on this date or earlier.', example: '2026-03-31' },
  dataProviderVendorId: many('Only events of this vendor.', 'V-1001'),
  shipToLocationCode: many('Only events received at this location.', 'DC-07'),
  itemCode: many('Only lines of this vendor or purchaser item code.', 'ROM-24'),
  lotCode: many(
    'Only lines of this lot: its lot code, or any GS1 text that contains it, in whichever form `caseLotNumber` has it.',
    '(01)10614141000415(10)GV26063-A',
  ),
} as const satisfies Record<string, QueryParameter>

/** The same of receiving and shipping events. */
export const bothSelection = {
  ...eventSelection,
  eventStartDate: {
    ...eventSelection.eventStartDate,
    meaning:
      'Only events received or shipped on this date or later: the date at the ship-to location, or the ship-from location of what was shipped.',
  },
  eventEndDate: {
    ...eventSelection.eventEndDate,
    meaning: 'Only events received or shipped on this date or earlier.',
  },
  shipToLocationCode: many('Only events with this ship-to location.', 'DC-07'),
} as const satisfies Record<string, QueryParameter>

/**
 * Further names that FDA may use: foods by the fields of the record, and the source of lot codes.
 */
export const lineSelection = {
  ...bothSelection,
  eventStartDate: {
    ...eventSelection.eventStartDate,
    meaning: 'Only events on this date or later: the date at the place of the event.',
  },
  eventEndDate: { ...eventSelection.eventEndDate, meaning: 'Only events on this date or earlier.' },
  shipToLocationCode: many(
    'Only events with this ship-to location; of a kind without one, events at this place.',
    'DC-07',
  ),
  gtin: many(
    'Only lines of the item with this GTIN of 8, 12, 13 or 14 digits: in `caseGtin`, in the product, or in the lot code.',
    '10614141000415',
  ),
  ftlCategory: {
    ...many('Only lines of products in this category of the Food Traceability List, in any case.', 'leafy greens'),
    suggested: ftlCategories,
  },
  productText: many(
    'Only lines whose product has this text in its description, brand, commodity, variety or seafood name, in any case.',
    'romaine',
  ),
  readAlike: {
    form: 'boolean',
    meaning: `When \`true\`, also lines whose lot code reads like one of \`lotCode\`. Otherwise the file only gives their number. These differences are ignored: ${ignoredText}.`,
    example: 'true',
  },
  tlcSource: many(
    'Only lines whose lot code source has this name, GLN, DUNS number, FFRN, FEI, web link or other reference.',
    '0614141000012',
  ),
} as const satisfies Record<string, QueryParameter>
