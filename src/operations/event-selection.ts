// The parameters that choose the events of an export: the same for every export.
import type { QueryParameter } from './query.ts'

const text = (meaning: string, example: string) => ({ form: 'text', meaning, example }) as const

/** Source: 21 CFR 1.1455(c)(3): FDA names foods, and date ranges or lot codes. */
export const eventSelection = {
  eventStartDate: {
    form: 'date',
    meaning: 'Only events received on this date or later: the date as written in `eventDateTime`, at the receiver.',
    example: '2026-03-01',
  },
  eventEndDate: { form: 'date', meaning: 'Only events received on this date or earlier.', example: '2026-03-31' },
  dataProviderVendorId: text('Only events of this vendor.', 'V-1001'),
  shipToLocationCode: text('Only events received at this location.', 'DC-07'),
  itemCode: text('Only lines of this vendor or purchaser item code.', 'ROM-24'),
  lotCode: text('Only lines of this lot code (`caseLotNumber`).', 'GV26063-A'),
} as const satisfies Record<string, QueryParameter>
