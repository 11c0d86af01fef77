// Settings for the EPCIS documents of one sender: values that records need and events lack. Not
// shown in the contract; decided in 0083.
import type { Static } from 'typebox'
import { boolean, object, optional, text } from './shape/field.ts'

const section = '8'

export const NewCaptureSender = object('NewCaptureSender', {
  sender: optional(
    text({
      meaning: 'Identifier of the sender, as its documents have it. Without it, the values are those of all senders.',
      example: 'urn:epc:id:pgln:0614141.00001',
      section,
    }),
  ),
  dataProviderVendorId: optional(
    text({ meaning: 'The vendor, where no stored location says it.', example: 'V-1001', section }),
  ),
  dataProviderVendorName: optional(text({ meaning: 'Name of the vendor.', example: 'Green Valley Farms', section })),
  purchaseOrderNumber: optional(
    text({ meaning: 'Purchase order number of events that name none.', example: 'Standing order', section }),
  ),
  shipFromLocationCode: optional(
    text({ meaning: 'Ship-from location of events that name none.', example: 'GV-COOLER-1', section }),
  ),
  shipToLocationCode: optional(
    text({ meaning: 'Ship-to location of events that name none.', example: 'DC-07', section }),
  ),
  shipQuantityUom: optional(text({ meaning: 'What a quantity without a unit counts.', example: 'case', section })),
  tlcSourceReferenceGln: optional(
    text({ meaning: 'GLN of who assigns the lot codes, where no event says it.', example: '0614141000012', section }),
  ),
  tlcSourceReferenceOther: optional(
    text({ meaning: 'Another reference to who assigns the lot codes.', example: 'USDA 1234', section }),
  ),
  locationPhoneNumber: optional(
    text({
      meaning: 'Phone number of places whose address is in the header, without a number.',
      example: '+1.831.555.0100',
      section,
    }),
  ),
  locationNameIsCode: optional(
    boolean({
      meaning: 'A place that neither the header nor a stored location names has its code as name.',
      example: true,
      section,
    }),
  ),
  tlcSourceIsShipFrom: optional(
    boolean({
      meaning: 'The ship-from location assigns the lot codes, where no event says it.',
      example: true,
      section,
    }),
  ),
})
export type NewCaptureSender = Static<typeof NewCaptureSender>
