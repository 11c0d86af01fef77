// From an event of EPCIS to the payload of a record. Values that the contract requires and the
// event lacks come from the header, from stored master data, from the shipping event of the same
// document and from the defaults of the sender, in this order. Nothing is guessed. Source:
// decision 0083.
import type { NewCaptureSender } from '../contract/capture-sender.ts'
import { documentPairNames } from '../contract/events/event-fields.ts'
import { type EventKindName, eventKinds, eventShapeOf, isDeliveryKind } from '../contract/record-kinds.ts'
import {
  billOfLading,
  fieldsOfDocuments,
  purchaseOrder,
  type ReferenceDocument,
  referenceKinds,
  shippingNotice,
} from '../contract/reference-document.ts'
import { type Known, sourceOfLocation } from '../contract/source-of-location.ts'
import { unitName, unitOf } from '../contract/text/units.ts'
import type { EpcisDocument, EpcisEvent, MasterData } from './document.ts'
import { kindOf, listsOfGoods } from './event-kinds.ts'
import { readEventTime } from './event-time.ts'
import {
  datesIn,
  type GoodsFault,
  type GoodsHistory,
  type GoodsLine,
  goodsOf,
  historyOf,
  ilmdOf,
  otherLotOf,
  stepsOfRecords,
} from './goods.ts'
import { codeOfPlace, masterDataKey, numberOfDocument, type PlaceName, readPlace } from './identifiers.ts'
import { byKey, codesOfPlace, type KnownByKey, placeKey, type StoredMasterData } from './known-master-data.ts'
import { isOwnEvent, readOwnEvent } from './own-event.ts'
import { shippingEventOf, shippingEventsIn } from './shipments.ts'
import { placeAt, sitesOf, transferEnds } from './transfer-ends.ts'
import { sourceNames, unstoredDocuments, unstoredEnds, unstoredFields } from './unstored-fields.ts'
import { entriesOf, type Found, localNameOf, memberOf, textOf, wordOf } from './words.ts'

/** Settings of a provider for the documents of one sender. */
export type SenderDefaults = Omit<NewCaptureSender, 'sender'>

/** Why an event becomes no record. */
export const outOfScopeReasons = {
  otherStep: 'Only receiving, shipping, transformation and what makes lots become records.',
  otherType: 'Only object and transformation events become records.',
  otherAction: 'The action is DELETE: the goods are gone.',
  packing: 'Packing is no record. The pallets are read with the events that name them.',
  declaredWrong: 'The sender declared the event wrong, and it was never captured.',
} as const
export type OutOfScopeReason = keyof typeof outOfScopeReasons

export type Draft =
  | { readonly is: 'outOfScope'; readonly reason: OutOfScopeReason }
  | { readonly is: 'refused'; readonly faults: readonly GoodsFault[] }
  | {
      readonly is: 'record'
      readonly kind: EventKindName
      readonly payload: Readonly<Record<string, unknown>>
      /** Defaults of the sender that the payload has. */
      readonly supplied: readonly string[]
      /** Sentences about values of the event that the payload does not have. */
      readonly told: readonly string[]
      /** The place in the document that a place of the payload comes from. */
      readonly pointerOf: (pointer: string) => string
    }

/** Makes drafts of the events of one document. */
export function drafting(
  document: EpcisDocument,
  stored: StoredMasterData,
  defaults: SenderDefaults,
): (event: EpcisEvent) => Draft {
  const history = historyOf(document)
  const shipments = shippingEventsIn(document)
  const known = byKey(stored)
  return (event) => {
    if (event.type === 'AggregationEvent') return { is: 'outOfScope', reason: 'packing' }
    const kind = kindOf(event)
    if (kind === undefined)
      return { is: 'outOfScope', reason: stepsOfRecords[event.bizStep ?? ''] === undefined ? 'otherStep' : 'otherType' }
    if (event.action === 'DELETE') return { is: 'outOfScope', reason: 'otherAction' }
    const eventDateTime = readEventTime(event)
    if (typeof eventDateTime !== 'string') return { is: 'refused', faults: [eventDateTime] }
    if (isOwnEvent(event))
      return {
        is: 'record',
        kind,
        ...readOwnEvent(event, eventKinds[kind], eventDateTime),
        supplied: [],
        told: unstoredFields(event),
      }
    const goods = listsOfGoods(kind, event).map(([list, of]) => ({
      list,
      hasIlmd: of.hasIlmd === true,
      ...goodsOf(event, of, history),
    }))
    const faults = goods.flatMap((one) => one.faults)
    if (faults.length > 0) return { is: 'refused', faults }
    const [{ lines } = { lines: [] }] = goods
    const shipment = kind === 'receivingEvent' ? shippingEventOf(event, lines, shipments) : undefined
    return new Drafting({ document, history, known, defaults, event, kind, shipment }).draft(eventDateTime, goods)
  }
}

/** A list of the record, and its goods. */
interface GoodsList {
  readonly list: string
  /** The instance and lot master data of the event are of these goods. */
  readonly hasIlmd: boolean
  readonly lines: readonly GoodsLine[]
}

/** The event that is drafted, and what is known about it. */
interface DraftingOf {
  readonly document: EpcisDocument
  readonly history: GoodsHistory
  readonly known: KnownByKey
  readonly defaults: SenderDefaults
  readonly event: EpcisEvent
  readonly kind: EventKindName
  readonly shipment: EpcisEvent | undefined
}

/** A place of the payload, and where the document has it. */
interface Source<T> {
  readonly value: T
  readonly pointer: string
}

class Drafting {
  readonly #masterData: MasterData
  readonly #history: GoodsHistory
  readonly #known: KnownByKey
  readonly #defaults: SenderDefaults
  readonly #event: EpcisEvent
  readonly #kind: EventKindName
  readonly #shipment: EpcisEvent | undefined
  readonly #supplied = new Set<keyof SenderDefaults>()
  readonly #told = new Set<string>()
  /** The party that the vendor is known by. */
  #vendorParty: PlaceName | undefined
  /** Pointers into the payload, and their origins; of nested ones the longest counts. */
  readonly #sources = new Map<string, string>()

  constructor({ document, history, known, defaults, event, kind, shipment }: DraftingOf) {
    this.#masterData = document.masterData
    this.#history = history
    this.#known = known
    this.#defaults = defaults
    this.#event = event
    this.#kind = kind
    this.#shipment = shipment
  }

  draft(eventDateTime: string, goods: readonly GoodsList[]): Draft {
    const { event } = this
    for (const text of unstoredFields(event)) this.#told.add(text)
    // Every pointer ends here, so it comes first: without it a look-up would not end.
    this.#note('', event.pointer)
    const places = this.#places()
    const vendor = this.#vendor(places[0]?.place?.value)
    for (const text of unstoredEnds(event, ({ uri }) => uri === this.#vendorParty?.uri)) this.#told.add(text)
    const coded = places.map(({ field, place }) => ({ field, place, code: this.#code(place, vendor, field) }))
    const documents = isDeliveryKind(this.#kind) ? this.#documents() : this.#documentPairs()
    const locationMasterList = this.#locations(coded, vendor)
    const from = coded.find(({ field }) => field === 'shipFromLocationCode')
    const shipFromSource = this.#shipFromSource(from?.code, from?.place?.value, vendor, locationMasterList)
    this.#note('/eventList/eventDateTime', `${event.pointer}/eventTime`)
    const payload = {
      productMasterDataList: this.#products(
        goods.flatMap(({ lines }) => lines),
        vendor,
      ),
      locationMasterList,
      eventList: {
        ...given({
          dataProviderVendorId: vendor,
          dataProviderVendorName: this.#default('dataProviderVendorName'),
          ...documents,
        }),
        eventDateTime,
        ...given(Object.fromEntries(coded.map(({ field, code }) => [field, code]))),
        ...Object.fromEntries(
          goods.map(({ list, hasIlmd, lines }) => [
            list,
            lines.map((line, i) => this.#line(line, { list, i, hasIlmd }, vendor, shipFromSource)),
          ]),
        ),
      },
    }
    const pointerOf = (pointer: string) => this.#pointerOf(pointer)
    return { is: 'record', kind: this.#kind, payload, pointerOf, supplied: [...this.#supplied], told: [...this.#told] }
  }

  /** A default that is used, which the verdict names. */
  #default<Name extends keyof SenderDefaults>(name: Name): SenderDefaults[Name] {
    if (this.#defaults[name] !== undefined) this.#supplied.add(name)
    return this.#defaults[name]
  }

  get event(): EpcisEvent {
    return this.#event
  }

  #note(pointer: string, source: string): void {
    this.#sources.set(pointer, source)
  }

  #pointerOf(pointer: string): string {
    for (let part = pointer; ; part = part.slice(0, part.lastIndexOf('/'))) {
      const source = this.#sources.get(part)
      if (source !== undefined) return source
    }
  }

  /** The event, and the shipping event of the same goods. */
  get #both(): readonly EpcisEvent[] {
    return this.#shipment === undefined ? [this.#event] : [this.#event, this.#shipment]
  }

  /** The places of the event by their fields: first the one that the vendor is known by. */
  #places(): readonly { readonly field: string; readonly place: Source<PlaceName> | undefined }[] {
    const { place, counterpart, furtherPlaces = [] } = eventKinds[this.#kind]
    if (isDeliveryKind(this.#kind))
      return [
        { field: 'shipFromLocationCode', place: this.#place('from') },
        { field: 'shipToLocationCode', place: this.#place('to') },
      ]
    const ends = transferEnds(this.#event)
    const read = (found: { readonly uri: string; readonly pointer: string } | undefined) =>
      found && { value: readPlace(found.uri), pointer: found.pointer }
    return [
      { field: place, place: read(sitesOf(this.#event)[0]) },
      ...(counterpart === undefined ? [] : [{ field: counterpart, place: read(placeAt('destination', ends)) }]),
      ...furtherPlaces.slice(0, 1).map((field) => ({ field, place: read(placeAt('source', ends)) })),
    ]
  }

  /** Where the goods came from, or went. */
  #place(side: 'from' | 'to'): Source<PlaceName> | undefined {
    const end = side === 'from' ? 'source' : 'destination'
    const ownKind = side === 'from' ? 'shippingEvent' : 'receivingEvent'
    for (const event of this.#both) {
      // Where an event took place is the side that wrote it.
      const isOwn = (stepsOfRecords[event.bizStep ?? ''] ?? '') === ownKind
      const [site] = isOwn ? sitesOf(event) : []
      const found = placeAt(end, transferEnds(event)) ?? site
      if (found !== undefined) return { value: readPlace(found.uri), pointer: found.pointer }
    }
    return undefined
  }

  /**
   * The vendor that has the place stored, else the one that has the owner or the holder of the
   * goods there stored, if it is one; else the vendor of the sender.
   */
  #vendor(from: PlaceName | undefined): string | undefined {
    const declared = this.#defaults.dataProviderVendorId
    const known = [from, ...this.#sourceParties()].find((one) => this.#storedByAny(one).length > 0)
    const stored = new Set(this.#storedByAny(known).map(({ dataProviderVendorId }) => dataProviderVendorId))
    if (known !== from) this.#vendorParty = known
    if (declared === undefined || (stored.size > 0 && !stored.has(declared)))
      if (stored.size === 1) return [...stored][0]
    return this.#default('dataProviderVendorId')
  }

  /** The parties that the goods come from. */
  #sourceParties(): readonly PlaceName[] {
    const ends = this.#both.flatMap(transferEnds).filter(({ end }) => end === 'source')
    return ['owning_party', 'possessing_party'].flatMap((party) =>
      ends.filter(({ type }) => type === party).map(({ uri }) => readPlace(uri)),
    )
  }

  /** Stored locations of any vendor with the GLN, or the identifier as their alternate code. */
  #storedByAny(place: PlaceName | undefined): StoredMasterData['locations'] {
    return place === undefined ? [] : (this.#known.locations.get(place.gln ?? place.uri) ?? [])
  }

  #stored(place: PlaceName, vendor: string | undefined) {
    const found = this.#storedByAny(place).find(({ dataProviderVendorId }) => dataProviderVendorId === vendor)
    if (found !== undefined || place.gln !== undefined) return found
    return codesOfPlace(place)
      .map((locationCode) => this.#known.places.get(placeKey({ dataProviderVendorId: vendor ?? '', locationCode })))
      .find((one) => one !== undefined)
  }

  #code(place: Source<PlaceName> | undefined, vendor: string | undefined, field: string): string | undefined {
    if (place === undefined)
      return field === 'shipFromLocationCode' || field === 'shipToLocationCode' ? this.#default(field) : undefined
    this.#note(`/eventList/${field}`, place.pointer)
    return this.#stored(place.value, vendor)?.locationCode ?? codeOfPlace(place.value)
  }

  #locations(
    places: readonly {
      readonly field: string
      readonly code: string | undefined
      readonly place: Source<PlaceName> | undefined
    }[],
    vendor: string | undefined,
  ): readonly Known[] {
    const entries = new Map<string, Known>()
    for (const { field, code, place } of places) {
      if (code === undefined || entries.has(code)) continue
      this.#note(`/locationMasterList/${entries.size}`, this.#pointerOf(`/eventList/${field}`))
      entries.set(code, this.#location(code, place?.value, vendor))
    }
    return [...entries.values()]
  }

  #location(code: string, place: PlaceName | undefined, vendor: string | undefined): Known {
    const attributes = place === undefined ? undefined : this.#masterData.get(masterDataKey(place.uri))
    const stored = this.#known.places.get(placeKey({ dataProviderVendorId: vendor ?? '', locationCode: code }))
    const address = given({
      streetAddress1: attributes?.get('streetAddressOne') ?? attributes?.get('streetAddress'),
      streetAddress2: attributes?.get('streetAddressTwo'),
      city: attributes?.get('city'),
      state: attributes?.get('state'),
      postalCode: attributes?.get('postalCode'),
      country: attributes?.get('countryCode') ?? attributes?.get('country'),
    })
    const hasAddress = Object.keys(address).length > 0
    return {
      locationCode: code,
      ...given({
        locationName:
          attributes?.get('name') ??
          stored?.locationName ??
          (place !== undefined && this.#default('locationNameIsCode') ? code : undefined),
        gln: place?.gln,
        phoneNumber:
          attributes?.get('telephone') ??
          attributes?.get('phone') ??
          (hasAddress ? this.#default('locationPhoneNumber') : undefined),
      }),
      ...(hasAddress && { address }),
    }
  }

  /** Business documents of an event with two pairs of type and number. */
  #documentPairs() {
    const documents = documentsIn(this.#event)
    for (const text of unstoredDocuments(documents.slice(documentPairNames.length))) this.#told.add(text)
    return Object.fromEntries(
      documentPairNames.flatMap(([type, field], i) => {
        const document = documents[i]
        if (document === undefined) return []
        this.#note(`/eventList/${field}`, document.pointer)
        return [
          [type, document.kind],
          [field, document.number],
        ]
      }),
    )
  }

  /** Business documents: the first of each kind that has a field, others with their kind. */
  #documents() {
    const declared = this.#defaults.purchaseOrderNumber
    for (const event of this.#both) {
      const byText = new Map<string, ReferenceDocument>()
      for (const { kind, number, pointer } of documentsIn(event)) {
        byText.set(`${kind}\n${number}`, { kind, number })
        this.#note('/eventList/purchaseOrderNumber', pointer)
      }
      const documents = [...byText.values()]
      const isOrdered = documents.some(({ kind }) => kind === purchaseOrder)
      if (documents.length === 0) continue
      if (!isOrdered) this.#default('purchaseOrderNumber')
      const { fields, left } = fieldsOfDocuments(
        isOrdered || declared === undefined ? documents : [{ kind: purchaseOrder, number: declared }, ...documents],
      )
      for (const text of unstoredDocuments(left)) this.#told.add(text)
      // A receiving event needs a purchase order number, which then repeats another document.
      const isRepeated = documents.every(({ kind }) => kind === billOfLading || kind === shippingNotice)
      if (this.#kind === 'shippingEvent' && isRepeated && declared === undefined) delete fields.purchaseOrderNumber
      return fields
    }
    return given({ purchaseOrderNumber: this.#default('purchaseOrderNumber') })
  }

  #itemCode(line: GoodsLine, vendor: string | undefined): string {
    const gtin = line.gtin ?? this.#attribute(line, ['gtin'])
    const stored = (this.#known.products.get(gtin ?? line.item) ?? []).find(
      ({ dataProviderVendorId }) => dataProviderVendorId === vendor,
    )
    return stored?.itemCode ?? line.gtin ?? line.itemCode ?? line.uri
  }

  /** From the master data of the lot, else of the item. */
  #attribute(line: GoodsLine, names: readonly string[]): string | undefined {
    for (const key of [masterDataKey(line.uri), line.item])
      for (const name of names) {
        const text = this.#masterData.get(key)?.get(name)
        if (text !== undefined) return text
      }
    return undefined
  }

  #products(lines: readonly GoodsLine[], vendor: string | undefined): readonly object[] {
    const products = new Map<string, object>()
    for (const [i, line] of lines.entries()) {
      const itemCode = this.#itemCode(line, vendor)
      const itemDescription = this.#attribute(line, descriptions)
      if (itemDescription === undefined || products.has(itemCode)) continue
      this.#note(`/productMasterDataList/${products.size}`, lines[i]?.pointer ?? this.#event.pointer)
      products.set(itemCode, {
        itemCode,
        itemDescription,
        ...given({
          gtin: line.gtin ?? this.#attribute(line, ['gtin']),
          brandName: this.#attribute(line, ['brandName']),
          scientificName: this.#attribute(line, ['speciesForFisheryStatisticsPurposesName']),
        }),
      })
    }
    return [...products.values()]
  }

  #line(
    line: GoodsLine,
    { list, i, hasIlmd }: Pick<GoodsList, 'list' | 'hasIlmd'> & { readonly i: number },
    vendor: string | undefined,
    shipFromSource: object,
  ) {
    this.#note(`/eventList/${list}/${i}`, line.pointer)
    const origin = this.#history.origins.get(line.uri)
    const ilmd = new Map([...(origin?.ilmd ?? []), ...(hasIlmd ? ilmdOf(this.#event) : [])])
    const { dates, told } = datesIn(ilmd)
    for (const text of [...told, ...otherLotOf(line, ilmd)]) this.#told.add(text)
    const all = {
      ...given({
        vendorItemCode: this.#itemCode(line, vendor),
        shipQuantity: line.quantity,
        shipQuantityUom: line.uom === undefined ? this.#countedUnit(line) : unitName(line.uom),
        vendorItemDescription: this.#attribute(line, descriptions),
        palletId: line.pallet,
        caseGtin: line.gtin ?? this.#attribute(line, ['gtin']),
        caseLotNumber: line.lotCode,
      }),
      ...dates,
      ...(isDeliveryKind(this.#kind) && this.#tlcSource(line, ilmd, origin?.place, shipFromSource)),
    }
    return this.#declared(all, list)
  }

  /** The fields that lines of the list have: food that has no lot code yet has fewer. */
  #declared(line: object, list: string): object {
    const { properties = {} } = eventShapeOf(eventKinds[this.#kind]).properties?.[list]?.items ?? {}
    const left = Object.keys(line).filter((name) => !Object.hasOwn(properties, name))
    if (left.length > 0) this.#told.add(`Lines of ${list} have no ${left.join(', ')}: not stored.`)
    return Object.fromEntries(Object.entries(line).filter(([name]) => Object.hasOwn(properties, name)))
  }

  /**
   * A GTIN with an indicator from 1 to 8 identifies a grouping of items: a case, or the sender's
   * word for one. It is never counted in single items or by weight.
   */
  #countedUnit({ gtin }: GoodsLine): string | undefined {
    const { shipQuantityUom } = this.#defaults
    if (!/^[1-8]/.test(gtin ?? '')) return this.#default('shipQuantityUom')
    const unit = unitOf(shipQuantityUom ?? '')
    return unit !== undefined && 'counts' in unit && unit.counts === 'cases' ? this.#default('shipQuantityUom') : 'case'
  }

  /** The source of the lot code: as events say, else where the lot was made, else as declared. */
  #tlcSource(line: GoodsLine, ilmd: ReadonlyMap<string, string>, madeAt: string | undefined, shipFromSource: object) {
    const stated =
      firstOf(ilmd, sourceNames) ?? this.#attribute(line, sourceNames) ?? this.#both.map(sourceIn).find((one) => one)
    const place = stated ?? madeAt
    if (place !== undefined) {
      const { gln } = readPlace(place)
      if (gln !== undefined) return { tlcSourceReferenceGln: gln }
      return /^https?:/i.test(place) ? { tlcSourceReferenceUrl: place } : { tlcSourceReferenceOther: place }
    }
    const { tlcSourceReferenceGln, tlcSourceReferenceOther } = this.#defaults
    if (tlcSourceReferenceGln ?? tlcSourceReferenceOther)
      return given({
        tlcSourceReferenceGln: this.#default('tlcSourceReferenceGln'),
        tlcSourceReferenceOther: this.#default('tlcSourceReferenceOther'),
      })
    if (Object.keys(shipFromSource).length > 0) this.#default('tlcSourceIsShipFrom')
    return shipFromSource
  }

  /** The ship-from location as the source of lot codes, if the sender's are assigned there. */
  #shipFromSource(
    code: string | undefined,
    place: PlaceName | undefined,
    vendor: string | undefined,
    locations: readonly Known[],
  ): object {
    if (!this.#defaults.tlcSourceIsShipFrom || code === undefined) return {}
    const stored = this.#known.places.get(placeKey({ dataProviderVendorId: vendor ?? '', locationCode: code }))
    const described = locations.find(({ locationCode }) => locationCode === code)
    const location = { ...stored?.content, ...described }
    if (location.gln !== undefined) return { tlcSourceReferenceGln: location.gln }
    return sourceOfLocation(location, place?.uri ?? code)
  }
}

/** The business documents of an event. */
const documentsIn = (event: EpcisEvent): readonly (ReferenceDocument & { readonly pointer: string })[] =>
  entriesOf(memberOf(event, 'bizTransactionList')).flatMap((entry) => {
    const uri = textOf(memberOf(entry, 'bizTransaction'))
    const type = wordOf(textOf(memberOf(entry, 'type')) ?? '')
    const kind = referenceKinds.find(({ cbv }) => cbv === type)?.name ?? 'Other Document'
    return uri === undefined ? [] : [{ kind, number: numberOfDocument(uri), pointer: entry.pointer }]
  })

const descriptions = ['descriptionShort', 'functionalName', 'tradeItemDescription', 'productName', 'name']

const firstOf = (texts: ReadonlyMap<string, string>, names: readonly string[]): string | undefined =>
  names.map((name) => texts.get(name)).find((text) => text !== undefined)

function sourceIn(event: EpcisEvent): string | undefined {
  for (const [name, value] of Object.entries(event.value))
    if (sourceNames.includes(localNameOf(name))) {
      const found: Found = { value, pointer: '' }
      return textOf(memberOf(found, 'gln') ?? found)
    }
  return undefined
}

/** The fields that have a value. */
const given = <T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }
