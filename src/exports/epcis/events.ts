// One version of an event as events of EPCIS 2.0. Source: decision 0032.
import { v5 } from 'uuid'
import { documentPairNames } from '../../contract/events/event-fields.ts'
import { Location } from '../../contract/location.ts'
import { Product } from '../../contract/product.ts'
import type { ProductLine } from '../../contract/product-line.ts'
import { allPlaceFieldsOf, type EventKind, eventKinds, eventShapeOf } from '../../contract/record-kinds.ts'
import {
  findKind,
  plainKinds,
  type ReferenceDocument,
  readReferenceDocument,
  referenceKinds,
} from '../../contract/reference-document.ts'
import { isGiven } from '../../contract/shape/field.ts'
import { gtin14Of, readGs1Lot } from '../../contract/text/gs1-text.ts'
import { countedUnit, unitOf } from '../../contract/text/units.ts'
import { prefixed } from '../../epcis/namespace.ts'
import type { AnyExportedEvent } from '../exported-event.ts'
import { asWritten, type JsonObject } from './extension.ts'
import {
  classLink,
  isGln,
  isGs1Lot,
  isGtin,
  isSscc,
  locationLink,
  ownUri,
  palletLink,
  transactionOfGln,
} from './identifiers.ts'

/** A version of an event, with the facts outside of its content. */
export interface ExportedVersion extends Omit<AnyExportedEvent, 'gaps'> {
  /** The beginning of the provider's own URIs: `providerUri`. */
  readonly root: string
  /** When it was stored. */
  readonly submittedAt: Date
  /**
   * When the next version was stored, with its event or the reason of the void; null for the
   * current version.
   */
  readonly declaredWrong:
    | { readonly at: Date; readonly correctedBy: string; readonly changeReason?: string | undefined }
    | { readonly at: Date; readonly voidReason: string }
    | null
  /** Number of purged versions before it, for the first that was not purged; else null. */
  readonly purgedBefore: number | null
}

/** The event id of a version: the same in every export, and unique. */
export const eventIdOf = (recordId: string, version: number): string => `urn:uuid:${v5(String(version), recordId)}`

/** The id of the AggregationEvent for a pallet of a version. */
const aggregationIdOf = (recordId: string, version: number, pallet: string): string =>
  `urn:uuid:${v5(`${version} ${pallet}`, recordId)}`

/**
 * A value that does not fit its standard field, with its place in the record; the namespace has it
 * as written.
 */
interface NotExpressed {
  readonly pointer: string
  readonly value: unknown
  readonly why: string
}

/** Why a version is wrong: it was voided, or corrected by the next one. */
const declarationOf = (declared: NonNullable<ExportedVersion['declaredWrong']>): JsonObject => ({
  declarationTime: declared.at.toISOString(),
  ...('voidReason' in declared
    ? { reason: 'did_not_occur', [prefixed('voidReason')]: declared.voidReason }
    : {
        reason: 'incorrect_data',
        correctiveEventIDs: [declared.correctedBy],
        ...(declared.changeReason !== undefined && { [prefixed('changeReason')]: declared.changeReason }),
      }),
})

/**
 * The EPCIS events of one version: an ObjectEvent of the goods, or a TransformationEvent of those
 * that were used and made; and for each pallet with an SSCC that was observed an AggregationEvent,
 * in the order of the lines.
 */
export function eventsOf(exported: ExportedVersion): readonly [JsonObject, ...JsonObject[]] {
  const { id, version, payload, submittedAt, declaredWrong, purgedBefore } = exported
  const kind = eventKinds[exported.kind]
  const { eventList: event } = payload
  const notExpressed: NotExpressed[] = []
  const locations = locationUris(exported, notExpressed)
  const { type, ...step } = kind.epcis
  const lists = Object.entries(kind.lists).map(([list, { lots, hasItems = true }]) => ({
    list,
    lots,
    lines: listIn(event, list).map(
      (line, i): ExportedLine =>
        hasItems
          ? lineOf(line as ProductLine, { list, i }, exported, notExpressed)
          : { written: writtenLine(kind, list, line) },
    ),
  }))
  const lines = type === 'ObjectEvent' ? lists.flatMap((one) => one.lines) : []
  const transactions = transactionsOf(exported, notExpressed)
  const pallets = [...new Set(lines.map(({ pallet }) => pallet).filter(isGiven))]
  const when = {
    eventTime: event.eventDateTime,
    eventTimeZoneOffset: event.eventDateTime.endsWith('Z') ? '+00:00' : event.eventDateTime.slice(-6),
    recordTime: submittedAt.toISOString(),
    ...(declaredWrong && { errorDeclaration: declarationOf(declaredWrong) }),
    ...step,
  }
  const place = { id: locations.of(textIn(event, kind.place) ?? '') }
  const where = {
    readPoint: place,
    // Shipped goods are at no location.
    ...(kind.name !== 'shippingEvent' && { bizLocation: place }),
    bizTransactionList: transactions,
  }
  const quantities = (some: typeof lists) => some.flatMap((one) => one.lines.flatMap(({ quantity }) => quantity ?? []))
  const which = { [prefixed('recordId')]: id, [prefixed('version')]: version }
  const used = quantities(lists.filter(({ lots }) => lots !== 'made'))
  const { from, to } = ends(kind, event)
  const whole = {
    type,
    eventID: eventIdOf(id, version),
    ...when,
    ...(pallets.length > 0 && { epcList: pallets }),
    ...(type === 'ObjectEvent'
      ? { quantityList: quantities(lists) }
      : {
          // The standard requires one or the other.
          ...(used.length > 0
            ? { inputQuantityList: used }
            : { transformationID: ownUri(exported.root, 'transformation', [id]) }),
          outputQuantityList: quantities(lists.filter(({ lots }) => lots === 'made')),
        }),
    ...where,
    sourceList: [
      { type: 'owning_party', source: ownUri(exported.root, 'party', [event.dataProviderVendorId]) },
      ...from.map((code) => ({ type: 'location', source: locations.of(code) })),
    ],
    ...(to.length > 0 && {
      destinationList: to.map((code) => ({ type: 'location', destination: locations.of(code) })),
    }),
    ...which,
    ...(purgedBefore !== null && { [prefixed('versionsPurged')]: purgedBefore }),
    ...asWritten(kind.payload, payload),
    ...asWritten(eventShapeOf(kind), event),
    ...Object.fromEntries(
      lists
        .filter(({ list }) => list in event)
        .map(({ list, lines }) => [prefixed(list), lines.map(({ written }) => written)]),
    ),
    [prefixed('locationMasterList')]: locations.written,
    [prefixed('productMasterDataList')]: productsOf(exported).map((product) => asWritten(Product, product)),
    ...(notExpressed.length > 0 && {
      [prefixed('notExpressed')]: notExpressed.map(({ pointer, value, why }) => ({
        [prefixed('pointer')]: pointer,
        [prefixed('value')]: value,
        [prefixed('why')]: why,
      })),
    }),
  }
  const onPallets = pallets.map((pallet) => ({
    type: 'AggregationEvent',
    eventID: aggregationIdOf(id, version, pallet),
    ...when,
    parentID: pallet,
    childQuantityList: lines.filter((line) => line.pallet === pallet).map(({ quantity }) => quantity),
    ...where,
    ...which,
  }))
  return [whole, ...onPallets]
}

/** A line as written; of an item also its quantity, and its pallet if that has an SSCC. */
interface ExportedLine {
  readonly written: JsonObject
  readonly quantity?: JsonObject
  readonly pallet?: string | undefined
}

type Event = ExportedVersion['payload']['eventList']

const listIn = (event: Event, field: string): readonly object[] => (event[field] as readonly object[] | undefined) ?? []

const textIn = (event: Event, field: string): string | undefined => {
  const text = event[field]
  return typeof text === 'string' && isGiven(text) ? text : undefined
}

/** A line of an item, or of something else such as seeds. */
const writtenLine = (kind: EventKind, list: string, line: object): JsonObject =>
  asWritten(eventShapeOf(kind).properties?.[list]?.items ?? {}, line)

/** The location codes that goods come from, and go to: cooled food comes from its farm. */
function ends({ place, counterpart, furtherPlaces = [] }: EventKind, event: Event) {
  const to = counterpart === 'shipFromLocationCode' ? place : counterpart
  const from = counterpart === 'shipFromLocationCode' ? counterpart : place
  const codesIn = (fields: readonly string[]) => fields.flatMap((field) => textIn(event, field) ?? [])
  const further = codesIn(furtherPlaces)
  return {
    from: further.length > 0 ? further : codesIn([from]),
    to: to === undefined ? [] : [textIn(event, to) ?? ''],
  }
}

/** The products of the lines and of the event's own list, each once. */
function productsOf({ payload, products }: ExportedVersion): readonly object[] {
  const own = payload.productMasterDataList.map((product) => [product.itemCode, product] as const)
  return [...new Map<string, object>([...own, ...products]).values()]
}

function locationUris(exported: ExportedVersion, notExpressed: NotExpressed[]) {
  const { root, payload, locations } = exported
  const { dataProviderVendorId: vendor } = payload.eventList
  const named = new Set(allPlaceFieldsOf(eventKinds[exported.kind]).map((field) => textIn(payload.eventList, field)))
  const uris = new Map(
    [...locations].map(([code, { gln }]) => [
      code,
      isGiven(gln) && isGln(gln) ? locationLink(gln) : ownUri(root, 'location', [vendor, code]),
    ]),
  )
  for (const [i, { locationCode: code }] of payload.locationMasterList.entries()) {
    if (!named.has(code)) continue
    const gln = locations.get(code)?.gln
    if (!isGiven(gln) || !isGln(gln))
      notExpressed.push({
        pointer: `/locationMasterList/${i}/${isGiven(gln) ? 'gln' : 'locationCode'}`,
        value: gln ?? code,
        why: isGiven(gln)
          ? 'Not a GLN (13 digits, the last one a check digit). The place has a URI of this service.'
          : 'No GLN is known. The place has a URI of this service.',
      })
  }
  const of = (code: string): string => uris.get(code) ?? ownUri(root, 'location', [vendor, code])
  return {
    of,
    written: [...locations].map(([code, location]) => ({
      [prefixed('identifiedBy')]: of(code),
      ...asWritten(Location, location),
    })),
  }
}

/** Documents by their kinds. The receiver numbers some of them, the sender the others. */
function transactionsOf({ root, kind: name, payload, locations }: ExportedVersion, notExpressed: NotExpressed[]) {
  const { eventList: event } = payload
  const { dataProviderVendorId: vendor } = event
  const { from, to } = ends(eventKinds[name], event)
  return documentsOf(event).flatMap(({ field, kind, number }) => {
    const type = referenceKinds.find(({ name }) => name === kind)?.cbv
    const [issuer] = type === 'po' || type === 'recadv' ? [...to, ...from] : from
    const gln = locations.get(issuer ?? '')?.gln
    const typed = type === undefined ? {} : { type }
    if (isGiven(gln) && isGln(gln)) return [{ ...typed, bizTransaction: transactionOfGln(gln, number) }]
    notExpressed.push({
      pointer: `/eventList/${field}`,
      value: textIn(event, field),
      why: 'No GLN is known of the party that numbered it. The document has a URI of this service.',
    })
    return [{ ...typed, bizTransaction: ownUri(root, 'transaction', [type ?? kind, vendor, number]) }]
  })
}

/** The documents of an event, and their fields. */
function documentsOf(event: Event): readonly (ReferenceDocument & { readonly field: string })[] {
  const ofDelivery = (['purchaseOrderNumber', 'asnNumber', 'billOfLadingNumber'] as const).flatMap((field) => {
    const written = textIn(event, field)
    return written === undefined ? [] : [{ field, ...readReferenceDocument(written, plainKinds[field]) }]
  })
  const inPairs = documentPairNames.flatMap(([type, field]) => {
    const number = textIn(event, field)
    return number === undefined
      ? []
      : [{ field, kind: findKind(textIn(event, type) ?? '') ?? 'Other Document', number }]
  })
  return [...ofDelivery, ...inPairs]
}

/** One product line: its quantity, its pallet, and the line as written. */
function lineOf(
  line: ProductLine,
  { list, i }: { readonly list: string; readonly i: number },
  { kind, root, payload, products }: ExportedVersion,
  notExpressed: NotExpressed[],
) {
  const listed = (field: keyof ProductLine, why: string) =>
    notExpressed.push({ pointer: `/eventList/${list}/${i}/${field}`, value: line[field], why })
  const { gtin, epcClass } = classOf(line, payload.eventList, { products, root }, listed)
  const pallet = isGiven(line.palletId) && isSscc(line.palletId) ? palletLink(line.palletId) : undefined
  if (isGiven(line.palletId) && pallet === undefined)
    listed('palletId', 'Not an SSCC (18 digits, the last one a check digit). The pallet is not in epcList.')
  return {
    pallet,
    quantity: { epcClass, ...quantityOf(line, gtin !== undefined, listed) },
    written: {
      [prefixed('identifiedBy')]: epcClass,
      ...writtenLine(eventKinds[kind], list, line),
    },
  }
}

type List = (field: keyof ProductLine, why: string) => void

/**
 * The lot of the line: by GTIN and lot where both fit into a GS1 Digital Link, else by item code
 * and lot. In the latter case the class includes the unit, because 30 cases and 36 eaches of one
 * item do not add up to 66.
 */
function classOf(
  line: ProductLine,
  { dataProviderVendorId }: Event,
  { products, root }: { readonly products: ExportedVersion['products']; readonly root: string },
  listed: List,
) {
  const written = isGiven(line.caseLotNumber) ? line.caseLotNumber : undefined
  const read = written === undefined ? undefined : readGs1Lot(written)
  const lot = read?.lotCode ?? written
  const own = isGiven(line.caseGtin) ? line.caseGtin : undefined
  const stated = own ?? read?.gtin ?? products.get(line.vendorItemCode)?.gtin
  const isContradicted = own !== undefined && read?.gtin !== undefined && read.gtin !== gtin14Of(own)
  const isLinked = isGiven(stated) && isGtin(stated) && !isContradicted && (lot === undefined || isGs1Lot(lot))
  if (isLinked) return { gtin: stated, epcClass: classLink(stated, lot) }
  if (!isGiven(stated)) listed('vendorItemCode', 'No GTIN is known. The lot has a URI of this service.')
  else if (isContradicted)
    listed('caseLotNumber', `It names GTIN ${read?.gtin}, but caseGtin is ${own}. The lot has a URI of this service.`)
  else if (!isGtin(stated))
    listed(
      own === undefined ? 'vendorItemCode' : 'caseGtin',
      `${stated} is not a GTIN-14 (14 digits, the last one a check digit). The lot has a URI of this service.`,
    )
  if (lot !== undefined && !isGs1Lot(lot))
    listed(
      'caseLotNumber',
      'Not a GS1 lot number (at most 20 characters of GS1 character set 82). The lot has a URI of this service.',
    )
  const counted = countedUnit(line.shipQuantityUom)
  const codes = [dataProviderVendorId, line.vendorItemCode]
  if (counted !== undefined) codes.push(written ?? '', counted)
  else if (written !== undefined) codes.push(written)
  return { gtin: undefined, epcClass: ownUri(root, 'class', codes) }
}

/** Left out rather than wrong: a quantity without a unit counts items of the class. */
function quantityOf(
  { shipQuantity: quantity, shipQuantityUom: text }: ProductLine,
  isCaseLevel: boolean,
  listed: List,
): JsonObject {
  const unit = unitOf(text)
  if (unit === undefined) listed('shipQuantityUom', 'The unit is unknown, so the quantity is left out.')
  else if (!(quantity > 0)) listed('shipQuantity', 'EPCIS requires a quantity above zero, so the quantity is left out.')
  else if ('uom' in unit) return { quantity, uom: unit.uom }
  else if (!Number.isSafeInteger(quantity))
    listed('shipQuantity', 'EPCIS requires a whole number for a count, so the quantity is left out.')
  else if (unit.counts === 'items' && isCaseLevel)
    listed('shipQuantityUom', 'The GTIN counts cases and this unit does not, so the quantity is left out.')
  else return { quantity }
  return {}
}
