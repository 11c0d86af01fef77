// One version of an event as events of EPCIS 2.0. Source: decision 0032.
import { v5 } from 'uuid'
import type { EventPayload } from '../../contract/payloads.ts'
import type { ProductLine } from '../../contract/product-line.ts'
import { deliveryKinds } from '../../contract/record-kinds.ts'
import { plainKinds, readReferenceDocument, referenceKinds } from '../../contract/reference-document.ts'
import { isGiven } from '../../contract/shape/field.ts'
import { gtin14Of, readGs1Lot } from '../../contract/text/gs1-text.ts'
import { countedUnit, unitOf } from '../../contract/text/units.ts'
import { prefixed } from '../../epcis/namespace.ts'
import type { ExportedEvent } from '../exported-event.ts'
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
export interface ExportedVersion extends Omit<ExportedEvent, 'gaps'> {
  /** The beginning of the provider's own URIs: `providerUri`. */
  readonly root: string
  /** When it was stored. */
  readonly submittedAt: Date
  /**
   * When the next version was stored, with its event or the reason of the void; null for the
   * current version.
   */
  readonly declaredWrong:
    | { readonly at: Date; readonly correctedBy: string }
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

/**
 * The EPCIS events of one version: an ObjectEvent of the received or shipped goods, and for each
 * pallet with an SSCC an AggregationEvent, in the order of the lines.
 */
export function eventsOf(exported: ExportedVersion): readonly [JsonObject, ...JsonObject[]] {
  const { kind, id, version, payload, submittedAt, declaredWrong, purgedBefore } = exported
  const { eventList: event } = payload
  const notExpressed: NotExpressed[] = []
  const locations = locationUris(exported, notExpressed)
  const shipFrom = locations.of(event.shipFromLocationCode)
  const shipTo = locations.of(event.shipToLocationCode)
  const lines = event.productList.map((line, i) => lineOf(line, i, exported, notExpressed))
  const transactions = transactionsOf(exported, notExpressed)
  const pallets = [...new Set(lines.map(({ pallet }) => pallet).filter(isGiven))]
  const when = {
    eventTime: event.eventDateTime,
    eventTimeZoneOffset: event.eventDateTime.endsWith('Z') ? '+00:00' : event.eventDateTime.slice(-6),
    recordTime: submittedAt.toISOString(),
    ...(declaredWrong && {
      errorDeclaration: {
        declarationTime: declaredWrong.at.toISOString(),
        ...('voidReason' in declaredWrong
          ? { reason: 'did_not_occur', [prefixed('voidReason')]: declaredWrong.voidReason }
          : { reason: 'incorrect_data', correctiveEventIDs: [declaredWrong.correctedBy] }),
      },
    }),
    action: 'OBSERVE',
    ...deliveryKinds[kind].epcis,
  }
  // Shipped goods are at no location.
  const where = {
    ...(kind === 'shippingEvent'
      ? { readPoint: { id: shipFrom } }
      : { readPoint: { id: shipTo }, bizLocation: { id: shipTo } }),
    bizTransactionList: transactions,
  }
  const which = { [prefixed('recordId')]: id, [prefixed('version')]: version }
  const received = {
    type: 'ObjectEvent',
    eventID: eventIdOf(id, version),
    ...when,
    ...(pallets.length > 0 && { epcList: pallets }),
    quantityList: lines.map(({ quantity }) => quantity),
    ...where,
    sourceList: [
      { type: 'owning_party', source: ownUri(exported.root, 'party', [event.dataProviderVendorId]) },
      { type: 'location', source: shipFrom },
    ],
    destinationList: [{ type: 'location', destination: shipTo }],
    ...which,
    ...(purgedBefore !== null && { [prefixed('versionsPurged')]: purgedBefore }),
    ...asWritten('ReceivingEventPayload', payload),
    ...asWritten('ReceivingEvent', event),
    [prefixed('productList')]: lines.map(({ written }) => written),
    [prefixed('locationMasterList')]: locations.written,
    [prefixed('productMasterDataList')]: productsOf(exported).map((product) => asWritten('Product', product)),
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
  return [received, ...onPallets]
}

/** The products of the lines and of the event's own list, each once. */
function productsOf({ payload, products }: ExportedVersion): readonly object[] {
  const own = payload.productMasterDataList.map((product) => [product.itemCode, product] as const)
  return [...new Map<string, object>([...own, ...products]).values()]
}

function locationUris(exported: ExportedVersion, notExpressed: NotExpressed[]) {
  const { root, payload, locations } = exported
  const { shipFromLocationCode, shipToLocationCode, dataProviderVendorId: vendor } = payload.eventList
  const uris = new Map(
    [...locations].map(([code, { gln }]) => [
      code,
      isGiven(gln) && isGln(gln) ? locationLink(gln) : ownUri(root, 'location', [vendor, code]),
    ]),
  )
  for (const [i, { locationCode: code }] of payload.locationMasterList.entries()) {
    if (code !== shipFromLocationCode && code !== shipToLocationCode) continue
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
      ...asWritten('Location', location),
    })),
  }
}

/** Documents by their kinds. The receiver numbers some of them, the sender the others. */
function transactionsOf({ root, payload, locations }: ExportedVersion, notExpressed: NotExpressed[]) {
  const { eventList: event } = payload
  const { dataProviderVendorId: vendor, shipFromLocationCode: from, shipToLocationCode: to } = event
  return (['purchaseOrderNumber', 'asnNumber', 'billOfLadingNumber'] as const).flatMap((field) => {
    const written = event[field]
    if (!isGiven(written)) return []
    const { kind, number } = readReferenceDocument(written, plainKinds[field])
    const type = referenceKinds.find(({ name }) => name === kind)?.cbv
    const gln = locations.get(type === 'po' || type === 'recadv' ? to : from)?.gln
    const typed = type === undefined ? {} : { type }
    if (isGiven(gln) && isGln(gln)) return [{ ...typed, bizTransaction: transactionOfGln(gln, number) }]
    notExpressed.push({
      pointer: `/eventList/${field}`,
      value: written,
      why: 'No GLN is known of the party that numbered it. The document has a URI of this service.',
    })
    return [{ ...typed, bizTransaction: ownUri(root, 'transaction', [type ?? kind, vendor, number]) }]
  })
}

/** One product line: its quantity, its pallet, and the line as written. */
function lineOf(
  line: ProductLine,
  i: number,
  { root, payload, products }: ExportedVersion,
  notExpressed: NotExpressed[],
) {
  const listed = (field: keyof ProductLine, why: string) =>
    notExpressed.push({ pointer: `/eventList/productList/${i}/${field}`, value: line[field], why })
  const { gtin, epcClass } = classOf(line, payload, { products, root }, listed)
  const pallet = isGiven(line.palletId) && isSscc(line.palletId) ? palletLink(line.palletId) : undefined
  if (isGiven(line.palletId) && pallet === undefined)
    listed('palletId', 'Not an SSCC (18 digits, the last one a check digit). The pallet is not in epcList.')
  return {
    pallet,
    quantity: { epcClass, ...quantityOf(line, gtin !== undefined, listed) },
    written: { [prefixed('identifiedBy')]: epcClass, ...asWritten('ProductLine', line) },
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
  { eventList }: EventPayload,
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
  const codes = [eventList.dataProviderVendorId, line.vendorItemCode]
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
