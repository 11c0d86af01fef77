// A difference between shipped and received goods, as in an answer. Source: decision 0081.
import type { Static } from 'typebox'
import { differenceKinds } from '../contract/difference-kinds.ts'
import { RecordId } from '../contract/payloads.ts'
import { Type } from '../contract/shape/type.ts'
import { text } from './answer-shapes.ts'

/** Most records that one side of a difference names. */
export const sideRecordsMax = 20

const DifferenceSide = Type.Object(
  {
    records: Type.Array(
      Type.Object(
        {
          id: RecordId,
          pointer: text('Where it is in the record, as a JSON Pointer: a product line, or the event itself.'),
        },
        { title: 'DifferenceRecord', additionalProperties: false },
      ),
      { maxItems: sideRecordsMax, description: 'Records it is in, and the first line of each that it is about.' },
    ),
    recordCount: Type.Integer({ description: `Number of these records; at most ${sideRecordsMax} are listed.` }),
    date: text('Date shipped or received, of the first of them.'),
    shipFromLocationCode: Type.String(),
    shipToLocationCode: Type.String(),
    vendorItemCode: Type.Optional(text('Of differences about one item.')),
    caseLotNumber: Type.Optional(text('Lot code, as read; absent when lines have none.')),
    shipQuantity: Type.Optional(Type.Number({ description: 'Sum of `shipQuantity`, of differences about one item.' })),
    shipQuantityUom: Type.Optional(text('Its unit, as first written.')),
  },
  { title: 'DifferenceSide', additionalProperties: false },
)
export type DifferenceSide = Static<typeof DifferenceSide>

const side = (which: string) =>
  Type.Union([DifferenceSide, Type.Null()], { description: `What the ${which} say; null when they say nothing.` })

export const DeliveryDifference = Type.Object(
  {
    kind: Type.Enum([...differenceKinds], {
      description:
        '`notReceived`: shipped, and not received in the days it may be under way. `notShipped`: received, and no shipping event names it. `quantity`, `unit`, `lot`, `item`, `place` and `date`: the two do not agree. `duplicate`: recorded twice.',
    }),
    date: text('Date shipped; date received where nothing was shipped.'),
    dataProviderVendorId: Type.String(),
    dataProviderVendorName: Type.Optional(Type.String()),
    purchaseOrderNumber: Type.Optional(Type.String()),
    billOfLadingNumber: Type.Optional(Type.String()),
    asnNumber: Type.Optional(Type.String()),
    lines: Type.Integer({ description: 'Product lines of which it is true.' }),
    message: text('The difference as a sentence.'),
    remedy: text('What to do.'),
    shipped: side('shipping events'),
    received: side('receiving events'),
  },
  { title: 'DeliveryDifference', additionalProperties: false },
)
export type DeliveryDifference = Static<typeof DeliveryDifference>
