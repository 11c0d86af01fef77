// An event completed with master data, field by field: the one way in which rules, counts, FDA's
// sheets, EPCIS and traces see its products, its places and the sources of its lot codes.
// Source: decision 0023.

import type { Location } from './location.ts'
import { isDescribed } from './location-description.ts'
import type { EventPayload } from './payloads.ts'
import type { MasterProduct } from './product.ts'
import type { ProductLine } from './product-line.ts'
import { givenOf, isGiven } from './shape/field.ts'
import { isPlaceholder, isStated, isStatedCode } from './shape/placeholder.ts'
import type { Loose } from './shape/read-shape.ts'
import { countryOf } from './text/country.ts'

/** Master data of one vendor. */
export interface KnownMasterData {
  readonly location: (code: string) => Loose<Location> | undefined
  readonly product: (code: string) => Loose<MasterProduct> | undefined
  /** The locations with a GLN or DUNS number. */
  readonly numbered: (number: string) => readonly Loose<Location>[]
}

/**
 * An entry completed with master data: blank counts as absent, a placeholder yields to master data,
 * and the address is completed part by part.
 */
export function mergeLocation(entry: Loose<Location>, master: Loose<Location> | undefined): Loose<Location> {
  return { ...mergeStated(master, entry), address: mergeStated(master?.address, entry.address) }
}

/** The same for a product. */
export const mergeProduct = (
  entry: Loose<MasterProduct> | undefined,
  master: Loose<MasterProduct> | undefined,
): Loose<MasterProduct> => mergeStated(master, entry)

/** Overlays fields: blank is absent, and a placeholder does not hide a known value. */
function mergeStated(known: object | undefined, carried: object | undefined): Record<string, unknown> {
  if (known === undefined) return givenOf(carried)
  const all: Record<string, unknown> = givenOf(known)
  for (const [name, value] of Object.entries(givenOf(carried)))
    if (!(name in all) || typeof value !== 'string' || !isPlaceholder(value)) all[name] = value
  return all
}

type Line = Loose<ProductLine> | undefined

/** GLNs and DUNS numbers by which lines refer to the sources of their lot codes, each once. */
export function sourceNumbersOf(lines: readonly Line[]): ReadonlySet<string> {
  const numbers = new Set<string>()
  const add = (number: string | undefined) => {
    // Mostly all lines have the same.
    if (number !== undefined && !numbers.has(number) && isStatedCode(number)) numbers.add(number)
  }
  for (const line of lines) {
    add(line?.tlcSourceReferenceGln)
    add(line?.tlcSourceReferenceDuns)
  }
  return numbers
}

/**
 * Places by location code: those that are listed, completed, and the stored ones that the numbers
 * refer to.
 */
export function completePlaces(
  listed: readonly Loose<Location>[],
  numbers: Iterable<string>,
  known: Pick<KnownMasterData, 'location' | 'numbered'>,
): ReadonlyMap<string, Loose<Location>> {
  const places = new Map<string, Loose<Location>>()
  for (const entry of listed) {
    const code = entry.locationCode ?? ''
    places.set(code, mergeLocation(entry, known.location(code)))
  }
  for (const number of numbers)
    for (const place of known.numbered(number)) {
      const { locationCode: code = '' } = place
      if (!places.has(code)) places.set(code, place)
    }
  return places
}

/** The places and products of an event. */
export function completeEvent({ eventList: event, ...lists }: EventPayload, known: KnownMasterData) {
  const locations = completePlaces(lists.locationMasterList, sourceNumbersOf(event.productList), known)
  const own = new Map(lists.productMasterDataList.map((entry) => [entry.itemCode, entry]))
  const products = new Map<string, Loose<MasterProduct>>()
  for (const { vendorItemCode: code } of event.productList) {
    const set = known.product(code)
    const entry = own.get(code)
    if (!products.has(code) && (entry !== undefined || set !== undefined)) products.set(code, mergeProduct(entry, set))
  }
  return { locations, products }
}

/** The place of each GLN and DUNS number. */
export type PlacesByNumber = ReadonlyMap<string, Loose<Location>>

/** Of several places with a number the first that is described, otherwise the first. */
export function placesByNumber(places: Iterable<Loose<Location>>): PlacesByNumber {
  const byNumber = new Map<string, Loose<Location>>()
  for (const place of places)
    for (const number of [place.gln, place.duns]) {
      if (!isGiven(number)) continue
      const found = byNumber.get(number)
      if (found === undefined || (!isDescribed(found) && isDescribed(place))) byNumber.set(number, place)
    }
  return byNumber
}

/** The place with the GLN or DUNS number that a line refers to: rather one that is described. */
export function numberedPlaceOf(line: Loose<ProductLine>, places: PlacesByNumber): Loose<Location> | undefined {
  const numbers = [line.tlcSourceReferenceGln, line.tlcSourceReferenceDuns].filter(isStatedCode)
  const found = numbers.map((number) => places.get(number))
  return found.find((place) => place !== undefined && isDescribed(place)) ?? found.find(Boolean)
}

/**
 * The source of a line's lot code: the fields of the line, completed with the place that has its
 * number. If the two differ in a part, only the line counts: a name and the address of somebody
 * else would be no place.
 */
export function sourcePlaceOf(line: Loose<ProductLine>, places: PlacesByNumber): Loose<Location> {
  const own = ownSourceOf(line)
  const place = numberedPlaceOf(line, places)
  if (place === undefined) return own
  return differingPart(own, place) === undefined ? mergeLocation(own, place) : own
}

/** The line and the place with its number name different sources of the lot code. */
export function differingSourceText(line: Loose<ProductLine>, places: PlacesByNumber): string | undefined {
  const place = numberedPlaceOf(line, places)
  return place && differingPart(ownSourceOf(line), place)
}

function differingPart({ locationName, phoneNumber, address }: OwnSource, place: Loose<Location>): string | undefined {
  const { country, ...own } = address
  const { address: there = {} } = place
  const parts: (readonly [string | undefined, string | undefined])[] = [
    [locationName, place.locationName],
    [phoneNumber, place.phoneNumber],
    ...Object.entries(own).map(([name, text]) => [text, there[name as keyof typeof own]] as const),
  ]
  const differing = parts.find(([text, other]) => isStated(text) && isStated(other) && !areAlike(text, other))?.[0]
  if (differing !== undefined || !isStated(country) || !isStated(there.country)) return differing
  return countryOf(country) === countryOf(there.country) ? undefined : country
}

/** A shorter text may leave out a beginning or an end: "LLC", a suite, the code of a country. */
const leftOutMin = 4

function areAlike(one: string, other: string): boolean {
  const [short = '', long = ''] = [one, other].map(foldText).sort((a, b) => a.length - b.length)
  return short === long || (short.length >= leftOutMin && (long.startsWith(short) || long.endsWith(short)))
}

/** Letters and digits, without case. */
const foldText = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')

type OwnSource = ReturnType<typeof ownSourceOf>

const ownSourceOf = (line: Loose<ProductLine>) => ({
  locationName: line.tlcSourceName,
  phoneNumber: line.tlcSourcePhoneNumber,
  address: {
    streetAddress1: line.tlcSourceAddress1,
    streetAddress2: line.tlcSourceAddress2,
    city: line.tlcSourceCity,
    state: line.tlcSourceState,
    postalCode: line.tlcSourcePostalCode,
    country: line.tlcSourceCountry,
  },
})
