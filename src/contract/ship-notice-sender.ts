// How to read the ship notices of one sender: its vendor, and the meaning of its codes. Not shown
// in the contract; decided in 0082.
import type { Static } from 'typebox'
import { dataProviderVendorId, dataProviderVendorName } from './product.ts'
import { tlcSourcePlaceFields, tlcSourceReferenceFields } from './product-line.ts'
import { boolean, choice, list, object, optional, text } from './shape/field.ts'

const section = '2.5'

/** Most entries of the lists of one sender. */
const senderPlacesMax = 1_000
const senderItemsMax = 2_000
const senderCodesMax = 100

/** Fields of a product line into which a date of a notice may go. */
export const lineDateFields = [
  'expirationDate',
  'productionDate',
  'packagingDate',
  'bestBeforeDate',
  'harvestDate',
] as const
export type LineDateField = (typeof lineDateFields)[number]

const SenderPlace = object('ShipNoticePlace', {
  code: text({
    meaning: 'Code of the place in the notice (N104), or its name (N102).',
    example: 'DC12',
    section: '2.3',
  }),
  locationCode: text({ meaning: 'Its location code.', example: 'DC-07', section: '2.3' }),
  locationName: optional(
    text({ meaning: 'Its name, if not the one in the notice.', example: 'Distribution Center 7', section: '2.3' }),
  ),
})

const SenderItem = object('ShipNoticeItem', {
  code: text({ meaning: 'A code of the item in the notice (LIN).', example: '10614141000415', section }),
  vendorItemCode: text({ meaning: 'Its vendor item code.', example: 'ROM-24', section }),
})

const SenderUnit = object('ShipNoticeUnit', {
  code: text({ meaning: 'Unit of the quantity in the notice (SN103).', example: 'CT', section }),
  shipQuantityUom: text({ meaning: 'The unit of measure.', example: 'case', section }),
})

const SenderDate = object('ShipNoticeDate', {
  code: text({ meaning: 'Qualifier of the date in the notice (DTM01).', example: '094', section }),
  field: choice(lineDateFields, { meaning: 'The field of a product line.', example: 'packagingDate', section }),
})

/** The purposes of a notice. */
export const noticePurposes = ['original', 'replacement', 'cancellation'] as const
export type NoticePurpose = (typeof noticePurposes)[number]

const SenderPurpose = object('ShipNoticePurpose', {
  code: text({ meaning: 'Purpose of the notice (BSN01).', example: '04', section: '2.1' }),
  purpose: choice(noticePurposes, { meaning: 'What it means.', example: 'replacement', section: '2.1' }),
})

/** Defaults of lines without such a value in the notice. */
const LineDefaults = object(
  'ShipNoticeLineDefaults',
  {
    countryOfOrigin: optional(text({ meaning: 'Three-letter country code.', example: 'USA', section })),
    ...tlcSourceReferenceFields,
    ...tlcSourcePlaceFields,
  },
  {
    meaning: 'What lines get that have no such value in the notice.',
    example: { countryOfOrigin: 'USA', tlcSourceReferenceGln: '0614141000012' },
    section,
  },
)

/** The name of a sender in its files: the text of ISA06, without the blanks behind it. */
const senderId = text({
  meaning: 'Id of the sender: the text of ISA06 without the blanks at its end.',
  example: 'GREENVALLEY',
  section: '2.1',
  synonyms: ['isaSenderId', 'interchangeSenderId', 'sender'],
})

/** `01` is a DUNS, `08` a code of UCC, `12` a phone number, `ZZ` an id that both agreed on. */
const senderQualifier = optional(
  text({
    meaning:
      'Qualifier of the id: the text of ISA05. Without it, the settings apply to the id under every qualifier that has no settings of its own.',
    example: 'ZZ',
    section: '2.1',
    synonyms: ['isaSenderQualifier', 'interchangeSenderQualifier'],
  }),
)

const settings = {
  dataProviderVendorName: optional(dataProviderVendorName('2.4')),
  timeZone: optional(
    text({
      meaning: 'Time zone of dates and times that name none.',
      example: 'America/Los_Angeles',
      section: '2.4',
      requiredWhen: 'the notices do not name one (DTM04)',
    }),
  ),
  releaseCharacter: optional(
    text({ meaning: 'Character that takes the meaning from a separator behind it.', example: '?', section: '2.1' }),
  ),
  shipFromLocationCode: optional(
    text({ meaning: 'Ship-from location of notices that name none.', example: 'GV-COOLER-1', section: '2.3' }),
  ),
  shipToLocationCode: optional(
    text({ meaning: 'Ship-to location of notices that name none.', example: 'DC-07', section: '2.3' }),
  ),
  shipQuantityUom: optional(text({ meaning: 'What a quantity without a unit counts.', example: 'case', section })),
  locationPhoneNumber: optional(
    text({
      meaning: 'Phone number of places that have an address and no number.',
      example: '+1.831.555.0100',
      section: '2.3',
    }),
  ),
  locationCodeIsName: optional(
    boolean({ meaning: 'A place without a code (N104) has its name as code.', example: true, section: '2.3' }),
  ),
  tlcSourceRole: optional(
    text({ meaning: 'Role (N101) of the party that assigned the lot codes.', example: 'DA', section }),
  ),
  tlcSourceIsShipFrom: optional(
    boolean({ meaning: 'Lot codes are assigned at the ship-from location.', example: true, section }),
  ),
  places: optional(
    list(
      SenderPlace,
      {
        meaning: 'Places of notices, and their location codes.',
        example: [{ code: 'DC12', locationCode: 'DC-07' }],
        section,
      },
      { maxItems: senderPlacesMax },
    ),
  ),
  items: optional(
    list(
      SenderItem,
      {
        meaning: 'Items of notices, and their vendor item codes.',
        example: [{ code: '10614141000415', vendorItemCode: 'ROM-24' }],
        section,
      },
      { maxItems: senderItemsMax },
    ),
  ),
  units: optional(
    list(
      SenderUnit,
      { meaning: 'Units that mean something else.', example: [{ code: 'CT', shipQuantityUom: 'case' }], section },
      { maxItems: senderCodesMax },
    ),
  ),
  dates: optional(
    list(
      SenderDate,
      { meaning: 'Dates of lines, and their fields.', example: [{ code: '094', field: 'packagingDate' }], section },
      { maxItems: senderCodesMax },
    ),
  ),
  purposes: optional(
    list(
      SenderPurpose,
      {
        meaning: 'Purposes of notices (BSN01) that mean something else.',
        example: [{ code: '04', purpose: 'replacement' }],
        section: '2.1',
      },
      { maxItems: senderCodesMax },
    ),
  ),
  lineDefaults: optional(LineDefaults),
}

/** A sender as it is set. */
export const NewShipNoticeSender = object('NewShipNoticeSender', {
  senderId,
  senderQualifier,
  dataProviderVendorId: optional(dataProviderVendorId('2.4')),
  ...settings,
})
export type NewShipNoticeSender = Static<typeof NewShipNoticeSender>

/** A sender whose notices are read. */
export interface ShipNoticeSender extends NewShipNoticeSender {
  readonly dataProviderVendorId: string
}

/** Who sends a notice, or whose settings these are. */
export type NoticeSender = Pick<NewShipNoticeSender, 'senderId' | 'senderQualifier'>

/** Neither has a line break: ISA loses them, and settings with one are refused. */
const betweenParts = '\n'

/** A key for the settings of a sender: the id, with its qualifier where there is one. */
export const senderKeyOf = ({ senderId, senderQualifier }: NoticeSender): string =>
  senderQualifier === undefined ? senderId.trim() : `${senderId.trim()}${betweenParts}${senderQualifier}`

/** The parts of a key. */
export function senderOfKey(key: string): NoticeSender {
  const [senderId = '', senderQualifier] = key.split(betweenParts)
  return { senderId, ...(senderQualifier !== undefined && { senderQualifier }) }
}

/** The settings of a sender: those of id and qualifier, else those of the id alone. */
export const settingsOf = <Settings>(
  senders: ReadonlyMap<string, Settings>,
  sender: NoticeSender,
): Settings | undefined => senders.get(senderKeyOf(sender)) ?? senders.get(senderKeyOf({ senderId: sender.senderId }))
