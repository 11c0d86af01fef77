// Each kind of record as it is stored: its store functions, and the search values that are read
// from its content.
import { sourceNumbersOf } from '../../contract/completion.ts'
import type { Location } from '../../contract/location.ts'
import { isDescribed } from '../../contract/location-description.ts'
import type { EventPayload, MasterLocationPayload, MasterProductPayload } from '../../contract/payloads.ts'
import type { ProductLine } from '../../contract/product-line.ts'
import {
  type EventKind,
  eventKinds,
  isDeliveryKind,
  linesOf,
  location,
  masterProduct,
  ofEventKinds,
  type RecordKind,
  type RecordKindName,
} from '../../contract/record-kinds.ts'
import { ownDateOf } from '../../contract/shape/date-and-time.ts'
import { isGiven } from '../../contract/shape/field.ts'
import { isPlaceholder } from '../../contract/shape/placeholder.ts'
import type { Loose } from '../../contract/shape/read-shape.ts'
import type { Page, Queryable } from '../../store/database/statement.ts'
import { type EventSearch, identityOf } from '../../store/records/event-rows.ts'
import { listedEvents, searchEvents, writtenEvents } from '../../store/records/events.ts'
import type { Listed } from '../../store/records/listing.ts'
import { type LocationSearch, listedLocations, locations, searchLocations } from '../../store/records/locations.ts'
import {
  listedMasterProducts,
  masterProducts,
  type ProductSearch,
  searchMasterProducts,
} from '../../store/records/master-products.ts'
import type { RecordWriter, WrittenKind } from '../../store/records/record-writer.ts'
import type { FoundVersion } from '../../store/records/search.ts'
import { searchVoidedEvents } from '../../store/records/voids.ts'
import type { Store } from '../../store/store.ts'
import { writeComparedFields } from '../../tracing/compared-fields.ts'
import { foodCodeOf, referencesIn } from '../../tracing/field-reference.ts'
import { newRecordId } from '../base/record-id.ts'
import type { JudgedRecord } from './judged-payload.ts'

/**
 * `Taken` is the outcome of a kind with a key that one record per provider can hold, and `never`
 * for one without.
 */
export interface StoredKind<Search, Taken extends 'taken'> {
  readonly kind: RecordKind
  /** Of a record that has been judged: its shape is right. */
  readonly searchOf: (record: Pick<JudgedRecord, 'content' | 'warnings' | 'tallies' | 'judgedIn'>) => Search
  readonly writer: (store: Store) => RecordWriter<Search>
  readonly search: (db: Queryable, page: Page, wanted: Record<string, unknown>) => Promise<FoundVersion[]>
  /** Its records in another order, their number, and the values they have. */
  readonly listed: Listed
  /** How it is written. */
  readonly written: WrittenKind<Search>
  readonly key?: {
    readonly outcome: Taken
    /** The key as a person would name it. */
    readonly named: (search: Search) => string
  }
}

const eventSearchOf =
  (kind: EventKind) =>
  ({
    content,
    warnings,
    tallies,
    judgedIn,
  }: Pick<JudgedRecord, 'content' | 'warnings' | 'tallies' | 'judgedIn'>): EventSearch => {
    const payload = content as unknown as EventPayload
    const { eventList: event, locationMasterList, productMasterDataList } = payload
    const fields = event as Readonly<Record<string, unknown>>
    const lines = linesOf<ProductLine>(fields, kind)
    const place = fields[kind.place] as string
    const counterpart = kind.counterpart === undefined ? undefined : (fields[kind.counterpart] as string)
    let locations: ReturnType<EventSearch['locations']> | undefined
    return {
      dataProviderVendorId: event.dataProviderVendorId,
      eventDateTime: event.eventDateTime,
      eventDate: ownDateOf(event.eventDateTime),
      lineCount: lines.length,
      warnings,
      ftlCategories: [...new Set(givenIn(productMasterDataList, 'ftlCategory'))],
      place,
      counterpart,
      purchaseOrderNumber: event.purchaseOrderNumber,
      asnNumber: event.asnNumber,
      billOfLadingNumber: event.billOfLadingNumber,
      lotCodes: givenIn(lines, 'caseLotNumber'),
      eventId: isGiven(event.eventId) ? event.eventId : undefined,
      itemCodes: givenIn(lines, 'vendorItemCode', 'purchaserItemCode'),
      ...foodIn(fields, kind),
      otherLocationCodes: givenIn(locationMasterList, 'locationCode').filter(
        (code) => code !== place && code !== counterpart,
      ),
      sourceNumbers: isDeliveryKind(kind.name) ? undescribedNumbers(payload) : [],
      identity: identityOf(kind.identity.map((name) => fields[name] as string | undefined)),
      completeness: JSON.stringify(tallies),
      judgedIn,
      compared: isDeliveryKind(kind.name) ? writeComparedFields(payload) : null,
      locationList: locationMasterList,
      locations: () => {
        locations ??= locationsIn(locationMasterList)
        return locations
      },
    }
  }

/** Food that lines name by place and date of its harvest or cooling; of a kind whose lines may. */
function foodIn(event: Readonly<Record<string, unknown>>, { lists }: EventKind): Pick<EventSearch, 'food'> {
  const naming = Object.entries(lists).filter(([, { references }]) => references !== undefined)
  if (naming.length === 0) return {}
  const codes = naming.flatMap(([list, { references = [] }]) =>
    ((event[list] ?? []) as readonly object[]).flatMap((line) => referencesIn(line, references).map(foodCodeOf)),
  )
  return { food: [...new Set(codes)] }
}

const identityTextOf =
  ({ identityText, noun, alike }: EventKind) =>
  ({ counterpart = '', ...search }: EventSearch): string =>
    identityText?.({ ...search, counterpart }) ??
    `the ${noun} with the same ${alike}: ${search.eventDateTime}, ${search.dataProviderVendorId}, ${search.place}`

export const storedEvents = ofEventKinds(
  (name): StoredKind<EventSearch, 'taken'> => ({
    kind: eventKinds[name],
    searchOf: eventSearchOf(eventKinds[name]),
    writer: (store) => store.events[name],
    search: (db, page, { voided, ...wanted }) =>
      voided === 'only' ? searchVoidedEvents(name, db, page, wanted) : searchEvents[name](db, page, wanted),
    listed: listedEvents[name],
    written: writtenEvents[name],
    key: {
      outcome: 'taken',
      named: identityTextOf(eventKinds[name]),
    },
  }),
)

export const storedMasterProducts: StoredKind<ProductSearch, never> = {
  kind: masterProduct,
  searchOf({ content }) {
    const { dataProviderVendorId, itemCode, alternateItemCode, gtin } = (content as unknown as MasterProductPayload)
      .productMasterDataList
    return { dataProviderVendorId, itemCode, alternateItemCode, gtin }
  },
  writer: (store) => store.masterProducts,
  search: searchMasterProducts,
  listed: listedMasterProducts,
  written: masterProducts,
}

export const storedLocations: StoredKind<LocationSearch, 'taken'> = {
  kind: location,
  searchOf({ content }) {
    const { dataProviderVendorId, ...entry } = (content as unknown as MasterLocationPayload).locationMasterList
    return { dataProviderVendorId, locationCode: entry.locationCode, content: entry }
  },
  writer: (store) => store.locations,
  search: searchLocations,
  listed: listedLocations,
  written: locations,
  key: {
    outcome: 'taken',
    named: (search) => `location code ${search.locationCode} of vendor ${search.dataProviderVendorId}`,
  },
}

/**
 * Every kind by its name. What one kind makes of a record is only given back to the same kind, so
 * callers need not know its type.
 */
export const storedKinds = {
  ...storedEvents,
  masterProduct: storedMasterProducts,
  location: storedLocations,
} as unknown as Readonly<Record<RecordKindName, StoredKind<unknown, 'taken'>>>

/** The values of some fields that entries have, entry by entry. */
function givenIn<Name extends string>(
  entries: readonly { readonly [Field in Name]?: string | undefined }[],
  ...names: readonly Name[]
): string[] {
  const values: string[] = []
  for (const entry of entries)
    for (const name of names) {
      const value = entry[name]
      if (isGiven(value)) values.push(value)
    }
  return values
}

/** Numbers of lot code sources whose places the payload itself does not describe. */
function undescribedNumbers({ eventList: event, locationMasterList }: EventPayload): readonly string[] {
  return [...sourceNumbersOf(event.productList)].filter(
    (number) =>
      !locationMasterList.some((entry) => (entry.gln === number || entry.duns === number) && isDescribed(entry)),
  )
}

/** One location per code: the last entry counts. */
const locationsIn = (entries: readonly Location[]): ReturnType<EventSearch['locations']> =>
  [...new Map(entries.map((entry) => [entry.locationCode, entry]))].map(([locationCode, entry]) => ({
    locationCode,
    newId: newRecordId,
    content: JSON.stringify(statedOf(entry)),
  }))

/**
 * The stated values of an entry: blank is absent (decision 0009) and a placeholder states nothing
 * (decision 0051), so that an event with "n/a" for a phone number does not remove the known one.
 * Code and name stay: a location has both.
 */
function statedOf({ address, locationCode, locationName, ...entry }: Location): Loose<Location> {
  const stated: Record<string, unknown> = { locationCode, locationName }
  copyStated(entry, stated)
  if (address !== undefined) {
    const statedAddress = {}
    if (copyStated(address, statedAddress) > 0) stated.address = statedAddress
  }
  return stated
}

/** Puts the fields that say something among those that are kept, and counts them. */
function copyStated(fields: object, kept: Record<string, unknown>): number {
  let count = 0
  for (const [name, value] of Object.entries(fields))
    if (isGiven(value) && !(typeof value === 'string' && isPlaceholder(value))) {
      kept[name] = value
      count++
    }
  return count
}
