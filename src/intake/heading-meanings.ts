// The possible meanings of a heading of another program's sheet: columns of our template, each with
// its plainness. Declared as patterns over its words (`headingWords`).
import type { EventKindName } from '../contract/record-kinds.ts'

/** A column that a heading may mean. */
export interface Meant {
  readonly column: string
  /**
   * How plainly the heading names the column: of two headings for one column, the plainer gets it.
   */
  readonly rank: number
  /** A heading with many meanings has this one only where its values are of this form. */
  readonly form?: RegExp
}

type Party = 'tlcSource' | 'shipFrom' | 'shipTo' | 'vendor'

/** Words that name a party, the more exact ones first. */
const parties: readonly (readonly [Party, RegExp])[] = [
  [
    'tlcSource',
    /\b(?:tlc|traceability lot code|traceability lot|lot code|lot|case lot) (?:source|assigned by|created by)\b/,
  ],
  [
    'shipFrom',
    /\b(?:immediate )?previous source\b|\bship(?:per)? (?:from|out of)\b|\b(?:from|sender|shipper|pickup)\b/,
  ],
  // "Origin" alone is a region or a country, and a "Receiver #" is a document.
  ['shipFrom', /\borigin (?=(?:gln|name|address|street|location|facility|site|city|state|zip|phone|id|code)\b)/],
  ['shipFrom', /\bship (?=(?:location|facility|site|dc|warehouse|plant|point$)\b)/],
  [
    'shipTo',
    /\b(?:immediate )?subsequent recipient\b|\bship to\b|\b(?:delivery|deliver|delivered|receive|received|receiving) (?:to|at)\b|\b(?:destination|consignee|recipient)\b/,
  ],
  ['shipTo', /\breceiver (?=(?:gln|name|address|street|location|facility|site|city|state|zip|phone)\b)/],
  [
    'shipTo',
    /\b(?:receiving|receive|received|delivery) (?=(?:location|facility|site|dc|warehouse|plant|store|gln|name)\b)/,
  ],
  ['vendor', /\b(?:vendor|supplier)\b/],
]

/** Parties and things that an event has no field for. A heading that names one is left out. */
const foreignWords =
  /\b(?:carrier|transporter|hauler|broker|bill to|billed|sold to|sold|remit|customer|grower|farm|field|ranch|block|crew|harvester|cooler|packer|manufacturer|importer|vessel|buyer|invoice|price|cost|amount|total|temperature|temp|status|type|kind|email|fax|contact|website|remarks?|notes?|comments?|assigned|internal|storage|bay|bin|aisle|cooling|landing|transformation|input|output|certification|user|entered|entry date|created|modified|company|currency|weight uom|voice|serial|seq|sequence)\b/

/** The parts of a place, and the fields of a location and of a lot code source that hold them. */
const placeParts: readonly (readonly [words: RegExp, ofLocation: string, ofSource: string])[] = [
  [/^(?:gln|global location number)$/, 'gln', 'tlcSourceReferenceGln'],
  [/^duns(?: number)?$/, 'duns', 'tlcSourceReferenceDuns'],
  [/^name$/, 'locationName', 'tlcSourceName'],
  [/^phone(?: number)?$/, 'phoneNumber', 'tlcSourcePhoneNumber'],
  [
    /^(?:street|address|street address|address line)(?: 1)?(?: or geographic coordinates)?$/,
    'address.streetAddress1',
    'tlcSourceAddress1',
  ],
  [/^(?:street|address|street address|address line) 2$/, 'address.streetAddress2', 'tlcSourceAddress2'],
  [/^(?:city|town)$/, 'address.city', 'tlcSourceCity'],
  [/^(?:state|province|region)(?: (?:or )?(?:region|province))?$/, 'address.state', 'tlcSourceState'],
  [/^(?:zip|postal|post)(?: code)?(?: (?:or )?postal(?: code)?)?$/, 'address.postalCode', 'tlcSourcePostalCode'],
  [/^country(?: region)?(?: code)?$/, 'address.country', 'tlcSourceCountry'],
]
const placeNoun = /^(?:location|facility|site|dc|warehouse|plant|store|branch|business|company|physical) (?=\w)/
const placeCode = /^(?:location|facility|site|dc|warehouse|plant|store|branch|point)?(?: ?(?:id|code|number))?$/

/** References to a lot code source that a location does not have. */
const sourceParts: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:ffrn|ffr number|fda registration|fda reg|fda facility registration|facility registration)(?: number)?$/,
    'tlcSourceReferenceFfrn',
  ],
  [/^fei(?: number)?$/, 'tlcSourceReferenceFei'],
  [/^(?:url|link|web link|web address)$/, 'tlcSourceReferenceUrl'],
]

/** Columns of a source reference without its kind: the values say which it is. */
const anyReference: readonly Meant[] = [
  { column: 'tlcSourceReferenceGln', rank: 3 },
  { column: 'tlcSourceReferenceUrl', rank: 2.9 },
  { column: 'tlcSourceReferenceFfrn', rank: 2.8 },
]

const only = (column: string, rank = 3): readonly Meant[] => [{ column, rank }]

type Pattern = readonly [words: RegExp, meant: readonly Meant[] | ((kind: EventKindName) => readonly Meant[])]

/** In a sheet of one kind, headings of the other kind have no meaning. */
const inKind =
  (receiving: readonly Meant[], shipping: readonly Meant[]) =>
  (kind: EventKindName): readonly Meant[] =>
    kind === 'shippingEvent' ? shipping : receiving

const none: readonly Meant[] = []

/** A code or, where the values are texts, a description. */
const itemCodeOrName: readonly Meant[] = [
  { column: 'vendorItemCode', rank: 2 },
  { column: 'vendorItemDescription', rank: 1.9 },
]

const vendorIdOrName: readonly Meant[] = [
  { column: 'dataProviderVendorId', rank: 2 },
  { column: 'dataProviderVendorName', rank: 1.9 },
]

const patterns: readonly Pattern[] = [
  // Lots. A vendor's lot code is the one on the case; a batch may be the receiver's own.
  [/^(?:traceability lot code|tlc|traceability lot|traceability lot number)$/, only('caseLotNumber', 5)],
  [/^(?:ship tlc|ship traceability lot code|tlc batch|case lot(?: code| number)?)$/, only('caseLotNumber', 4.5)],
  [
    /^(?:lot|lot code|lot number|lot name|lot batch|lot batch number|batch lot|batch lot number|lot serial|lot serial number|serial lot number|product lot(?: number| code)?|lot trace(?: number)?)$/,
    only('caseLotNumber', 3),
  ],
  [/^manufacture(?:r|rs)? (?:lot|batch)(?: number| code)?$/, only('caseLotNumber', 3)],
  // NetSuite calls a lot a number of the inventory.
  [/^inventory detail (?:inventory |lot )?number$|^(?:receipt|issue) inventory number$/, only('caseLotNumber', 3)],
  // A "Lot ID" of Dynamics is a number of its own, beside the batch.
  [
    /^(?:lot id|production lot(?: code| number)?|(?:item |production )?batch(?: code| number| id| reference| reference number)?|batch serial(?: number)?)$/,
    only('caseLotNumber', 2),
  ],
  // Quantities
  [
    /^(?:received|receive)$/,
    (kind) => (kind === 'receivingEvent' ? [...only('eventDateTime', 5), ...only('shipQuantity', 4)] : none),
  ],
  [/^ship$/, (kind) => [...(kind === 'shippingEvent' ? only('eventDateTime', 5) : none), ...only('shipQuantity', 3)]],
  [
    /^(?:(?:received|receive|receipt|delivered) )?(?:quantity|cases|cartons|case quantity|case count|number of cases)(?: (?:received|receive|receipt|delivered))?$/,
    inKind(only('shipQuantity', 4), only('shipQuantity', 2)),
  ],
  [
    /^(?:ship )?(?:quantity|cases|cartons|case quantity|case count|number of cases)(?: ship)?$/,
    inKind(only('shipQuantity', 3), only('shipQuantity', 4)),
  ],
  // Beside them, a quantity is that of the line, or in the base unit of the item.
  [/^quantity in unit of entry$|^(?:(?:serial )?lot|inventory detail) quantity$/, only('shipQuantity', 4.5)],
  [/^(?:item |product |part )?quantity(?: amount| done)?$|^(?:actual )?delivery quantity$/, only('shipQuantity', 3.5)],
  [/^(?:accepted|fulfilled) quantity$|^received purchase quantity$/, only('shipQuantity', 3.4)],
  [/^unit (?:received|receive|delivered)$/, inKind(only('shipQuantity', 3.4), none)],
  [/^unit ship$/, inKind(none, only('shipQuantity', 3.4))],
  [
    /^(?:(?:product |unit )?unit of measure(?: code| name| id)?|unit measure|quantity unit of measure|(?:line item )?unit|unit of entry|(?:item |product )?quantity unit|ship unit of measure|received unit of measure)$/,
    [...only('shipQuantityUom', 3), ...only('shipQuantity', 1)],
  ],
  [/^(?:sales unit|purchase unit symbol)$/, only('shipQuantityUom', 2.5)],
  [
    /^(?:ship |received |receive |item |product )?quantity (?:ship |received |receive )?(?:(?:and|with|w) )?(?:unit of measure|unit)$/,
    only('shipQuantity', 2),
  ],
  [/^base unit of measure$/, only('shipQuantityUom', 2)],
  // Dates
  [
    /^(?:date |date time |datetime )?(?:received|receive|receipt|receiving)(?: on| at)?(?: date| time| datetime)*$|^(?:goods|product) (?:receipt|received) date$|^goods in date$|^date(?: time)? (?:of )?(?:received|receipt|receiving)$/,
    inKind(only('eventDateTime', 5), none),
  ],
  [
    /^(?:actual )?(?:date |date time |datetime )?ship(?:ped)?(?: on| at| out)?(?: date| time| datetime)*$|^(?:dispatch|departure)(?: date| date time)?$|^dispatched$|^date(?: time)? (?:of )?ship$|^(?:actual )?goods (?:issue|movement) date$/,
    inKind(none, only('eventDateTime', 5)),
  ],
  [/^(?:event|cte) (?:date|date time|datetime|timestamp)$/, only('eventDateTime', 4)],
  [/^(?:event|cte) time$/, only('eventDateTime', 3.9)],
  [
    /^(?:delivery|delivered|arrival)(?: date| time| datetime)+$|^date (?:delivered|arrived)$/,
    inKind(only('eventDateTime', 3.5), only('expectedDeliveryDate', 1)),
  ],
  // Beside it, a delivery date is the one that was agreed.
  [/^posting date$/, only('eventDateTime', 3.6)],
  [/^(?:transaction|activity) date$/, only('eventDateTime', 3)],
  [/^(?:date|date time|datetime)$/, only('eventDateTime', 2)],
  [
    /^(?:expected|estimated|scheduled|planned|requested|promised|confirmed)(?: delivery| arrival| receipt)(?: date)?$|^eta$/,
    only('expectedDeliveryDate'),
  ],
  [/^(?:purchase )?order date$/, only('purchaseOrderDate')],
  [/^harvest(?: date)?$|^date (?:of )?harvest$/, only('harvestDate')],
  [/^(?:product )?pack date$|^date (?:of )?pack$|^pack on(?: date)?$/, only('packagingDate')],
  [/^best (?:by|before|if used by|by or before)(?: date)?$/, only('bestBeforeDate')],
  [
    /^(?:(?:product|lot|batch|shelf life|inventory detail) )?(?:expiration|use by|use thru|use through|sell by)(?: date)?$|^date of expiration$/,
    only('expirationDate'),
  ],
  [
    /^(?:production|produced|manufacture)(?: on| date)?$|^date (?:of )?(?:manufacture|production|produced)$|^product date$/,
    only('productionDate'),
  ],
  // Documents
  [/^(?:customer )?purchase order (?:order |document )?number$/, only('purchaseOrderNumber', 4)],
  [/^(?:customer )?purchase order(?: id| code)?$/, only('purchaseOrderNumber', 3.5)],
  [/^our purchase order(?: number)?$/, inKind(only('purchaseOrderNumber', 4), none)],
  [/^order number$/, only('purchaseOrderNumber', 1)],
  // A receipt is made from an order, and seldom from something else. Odoo numbers orders P00017.
  [/^base (?:document )?(?:reference|number)$/, inKind(only('purchaseOrderNumber', 1), none)],
  [
    /^(?:(?:picking|transfer) )?(?:source document|origin)$/,
    inKind([{ column: 'purchaseOrderNumber', rank: 1, form: /^P(?:O[-#]?)?\d{3,}$/i }], none),
  ],
  [/^customer order number$|^customer vendor reference number$/, inKind(none, only('purchaseOrderNumber', 2))],
  [/^purchase order (?:line|item)(?: number)?$/, only('poLineNumber')],
  [/^bill of lading(?: number| id)?$/, only('billOfLadingNumber')],
  [/^(?:asn|advanced? ship notice|advanced? ship notification)(?: number| id)?$/, only('asnNumber')],
  [
    /^reference document number$|^(?:reference )?document number 1$|^reference document$|^reference document id$/,
    only('referenceDocumentNumber'),
  ],
  [/^reference document type$|^(?:reference )?document type 1$/, only('referenceDocumentType')],
  [/^event id$|^event number$/, only('eventId')],
  [/^customer vendor (?:code|number)$/, inKind(only('dataProviderVendorId', 2), none)],
  [/^customer vendor name$/, inKind(only('dataProviderVendorName', 2), none)],
  [/^(?:order )?vendor account number$/, only('dataProviderVendorId', 4)],
  [/^(?:vendor )?purchased from(?: vendor)?$/, vendorIdOrName],
  // Items
  [/^(?:case )?(?:gtin|global trade item number|item gtin|product gtin)$/, only('caseGtin')],
  [
    /^(?:item |case |product |unit |consumer |each )?(?:upc|ean|upc code|upc number)$/,
    [
      { column: 'itemUpc', rank: 3 },
      { column: 'caseGtin', rank: 2 },
    ],
  ],
  [/^(?:item )?plu(?: code| number)?$/, only('itemPlu')],
  [
    /^(?:item|product|material|sku|article|part)(?: id| code| number)+$|^sku$|^(?:item|product) sku$|^inventory id$|^product (?:default code|internal reference)$/,
    only('vendorItemCode', 3),
  ],
  // Beside a material, SAP's "Item" is the number of a line.
  [/^material$/, only('vendorItemCode', 2.5)],
  [/^(?:item|product|article|part)$/, itemCodeOrName],
  [
    /^(?:(?:item(?: code| service)?|product|material|article|part|commodity|sku|short|line|transaction) )?description(?: 1)?$|^(?:item|product|material|article) name$/,
    only('vendorItemDescription', 3),
  ],
  [/^brand(?: name)?$|^product description brand name if applicable$/, only('product.brandName')],
  [/^commodity(?: name)?$/, only('product.productCommodity')],
  [/^variety(?: name)?$/, only('product.productVariety')],
  [/^pack(?: size)?$|^case pack$|^pack configuration$/, only('product.packSize')],
  [/^pack (?:style|type)$/, only('product.packStyle')],
  [/^scientific name$|^species scientific name$/, only('product.scientificName')],
  [/^(?:species|species common name|common name|species name)$/, only('product.acceptableSpeciesName')],
  [/^country of (?:origin|harvest)$|^product origin country$/, only('countryOfOrigin')],
  [/^ftl (?:list )?category$|^traceability list category$/, only('product.ftlCategory')],
  [/^(?:is )?(?:on )?ftl(?: item| flag)?$/, only('product.isFtlItem')],
  // Logistics
  [/^(?:pallet )?(?:id )?(?:sscc|serial ship container code)(?: number| pallet)?$/, only('palletId', 4)],
  [
    /^(?:pallet(?: id| number| tag| label| license plate)|license plate(?: number| id)?|lp)$/,
    [
      { column: 'palletId', rank: 3 },
      { column: 'palletLpn', rank: 2.9 },
    ],
  ],
  [/^handling unit$/, only('palletId')],
  [/^(?:scac|scac code|carrier scac)$/, only('standardCarrierAlphaCode')],
  [/^(?:trailer|container|equipment)(?: number| id)?$/, only('equipmentNumber')],
  [/^(?:pack )?tracking number$|^pro number$|^carrier tracking number$/, only('carrierTrackingNumber')],
]

/** The text after the word vendor or supplier. */
const vendorPatterns: readonly Pattern[] = [
  [/^(?:number|id|code|account)$/, only('dataProviderVendorId', 4)],
  [/^$/, vendorIdOrName],
  [/^name$/, only('dataProviderVendorName')],
  [/^(?:item|product|material|part|sku|article)(?: id| code| number)*$/, only('vendorItemCode', 4)],
  [/^(?:item|product|material)? ?description$/, only('vendorItemDescription', 4)],
  [/^(?:lot|batch|tlc|traceability lot)(?: (?:batch|code|number|id|reference))*$/, only('caseLotNumber', 4)],
]
const buyerPattern = /^(?:customer|buyer|purchaser|retailer|our) (?:item|product|material|sku)(?: id| code| number)*$/

/** Places without a party: where the goods were received, or where they left. */
const ownPlace =
  /^(?:accepted (?=warehouse))?(?:location|facility|site|inventory site|plant|warehouse|receiving dc|dc|distribution center)\b ?/

/** The columns that a heading may mean in a sheet of events of this kind. */
export function meaningsOf(words: string, kind: EventKindName): readonly Meant[] {
  // Alone, it may as well be a stage within a warehouse.
  if (words === 'from' || words === 'to') return none
  // Business Central buys from a vendor, and that need not be where goods come from.
  if (words.startsWith('buy from vendor'))
    return firstMatch(vendorPatterns, words.slice('buy from vendor'.length).trim(), kind) ?? none
  const own = firstMatch(patterns, words, kind)
  if (own !== undefined) return own
  if (buyerPattern.test(words)) return only('purchaserItemCode')
  for (const [party, named] of parties) {
    if (!named.test(words)) continue
    const left = words
      .replace(named, ' ')
      .replaceAll(/\b(?:location description|description|party|of)\b/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
    return party === 'vendor'
      ? // A vendor's address is not where the goods were shipped from.
        (firstMatch(vendorPatterns, left, kind) ?? none)
      : ofParty(party, left.replace(/\b(?:vendor|supplier|buyer|customer)\b ?/, '').trim())
  }
  if (foreignWords.test(words)) return none
  if (/^store\b/.test(words)) return ofPlace('shipTo', words, 1)
  if (!ownPlace.test(words)) return none
  const isDc = /^(?:receiving )?dc\b|^distribution center\b/.test(words)
  if (kind === 'shippingEvent') return isDc ? none : ofPlace('shipFrom', words, 1)
  const place = words.replace(/^(?:receiving )?dc|^distribution center/, 'dc').replace(/^(?:inventory|accepted) /, '')
  return ofPlace('shipTo', place, 1)
}

function firstMatch(all: readonly Pattern[], words: string, kind: EventKindName): readonly Meant[] | undefined {
  const meant = all.find(([pattern]) => pattern.test(words))?.[1]
  return typeof meant === 'function' ? meant(kind) : meant
}

function ofParty(party: Exclude<Party, 'vendor'>, left: string): readonly Meant[] {
  if (party !== 'tlcSource') return foreignWords.test(left) ? none : ofPlace(party, left, 3)
  if (/^(?:reference(?: number| value| id)?|id)$/.test(left)) return anyReference
  const part = left.replace(/^reference /, '')
  const known = sourceParts.find(([words]) => words.test(part))?.[1] ?? placePart(part)?.[2]
  if (known !== undefined) return only(known, 4)
  return left === '' ? [...anyReference, { column: 'tlcSourceName', rank: 2.7 }] : none
}

const placePart = (words: string) => placeParts.find(([pattern]) => pattern.test(words.replace(placeNoun, '')))

function ofPlace(part: 'shipFrom' | 'shipTo', left: string, rank: number): readonly Meant[] {
  const known = placePart(left)?.[1]
  // Beside a street, an address is the whole of it.
  if (known !== undefined) return only(`${part}.${known}`, rank + (/street/.test(left) ? 1.1 : 1))
  if (!placeCode.test(left)) return none
  return [
    { column: `${part}LocationCode`, rank: rank + 0.2 },
    { column: `${part}.gln`, rank: rank + 0.1 },
    { column: `${part}.locationName`, rank },
  ]
}

/** Nouns of a place, the more exact ones first. */
const placeNouns = ['warehouse', 'plant', 'dc', 'distribution center', 'facility', 'store', 'site', 'location']

/** The side and the noun of a heading that has the code of a place: "Receiving Site". */
export function placeNamed(words: string, kind: EventKindName): PlaceNamed | undefined {
  const code = meaningsOf(words, kind).find(({ column }) => /^ship(?:From|To)LocationCode$/.test(column))
  if (code === undefined) return undefined
  return {
    code: code.column,
    namesCode: /\b(?:code|id|number)$/.test(words),
    noun: placeNouns.find((noun) => ` ${words} `.includes(` ${noun} `)),
    isPlain: code.rank < 2,
  }
}

interface PlaceNamed {
  /** The column of its code. */
  readonly code: string
  readonly namesCode: boolean
  readonly noun: string | undefined
  /** Whether only the noun says which place it is. */
  readonly isPlain: boolean
}

/**
 * Whether another heading names the place of this one more exactly: a warehouse is at a site, and
 * has locations; Odoo's location is where goods come from, beside their destination.
 */
export const isWithin = (one: PlaceNamed, other: PlaceNamed): boolean =>
  one.code === other.code &&
  (other.namesCode || !one.namesCode) &&
  (isMoreExact(other, one) || (one.isPlain && one.noun === 'location' && !other.isPlain))

/** False unless both have a noun. */
const isMoreExact = ({ noun }: PlaceNamed, { noun: than }: PlaceNamed): boolean =>
  noun !== undefined && than !== undefined && placeNouns.indexOf(noun) < placeNouns.indexOf(than)

/** The kind of events that the heading of a date suggests. */
export function kindOfDate(words: string, rankMin = 3.5): EventKindName | undefined {
  const isDateIn = (kind: EventKindName) =>
    meaningsOf(words, kind).some(({ column, rank }) => column === 'eventDateTime' && rank >= rankMin)
  const [isReceived, isShipped] = [isDateIn('receivingEvent'), isDateIn('shippingEvent')]
  return isReceived === isShipped ? undefined : isShipped ? 'shippingEvent' : 'receivingEvent'
}

const typeWords =
  /^(?:(?:event|cte|activity|record|ship) )?type$|^(?:cte|critical tracking event|event|biz step|business step|activity)$/

/** True for the heading of a column with the kind of event of each row. */
export const isTypeOfEvent = (words: string): boolean => typeWords.test(words)
