// The parts of a location description. Source: 21 CFR 1.1310.

import type { Location } from './location.ts'
import { isGiven } from './shape/field.ts'
import { isStated, isStatedNumber } from './shape/placeholder.ts'
import type { Loose } from './shape/read-shape.ts'
import { countryOf, hasPostalCodes, hasStates, isStateOfUsa } from './text/country.ts'

type Address = NonNullable<Loose<Location>['address']>

const isNa = (text: string | undefined): boolean => text?.trim().toUpperCase() === 'NA'

/** Italy's NA is Naples, and a country NA is Namibia. */
const isStatedState = ({ state, country }: Address): boolean =>
  isStated(state) || (isNa(state) && isGiven(country) && countryOf(country) === 'IT')
const isStatedCountry = ({ country }: Address): boolean => isStated(country) || isNa(country)

/** Alpha-2 code of the country; undefined when it is not stated or unknown. */
const countryIn = (address: Address): string | undefined =>
  isStatedCountry(address) ? countryOf(address.country ?? '') : undefined

/**
 * Whether the country is known: it is stated, or state, ZIP code and phone number have the form of
 * the USA.
 */
function isCountryClear({ address = {}, phoneNumber }: Loose<Location>): boolean {
  if (isStatedCountry(address)) return true
  const { state, postalCode } = address
  if (isStatedState(address) && !isStateOfUsa(state ?? '')) return false
  if (isStatedNumber(postalCode) && !/^\d{5}(-?\d{4})?$/.test(postalCode.trim())) return false
  return !isStated(phoneNumber) || !/^\s*(\+|00)\s*[2-9]/.test(phoneNumber)
}

/**
 * The parts of a location description, as a person would name them, whether a location has them,
 * and the present substitutes. A state or postal code is no part where the country has none. 21 CFR
 * 1.1310: business name, phone number, physical address or geographic coordinates, city, State and
 * zip code (for a foreign location comparable information, including country).
 */
export const descriptionParts: readonly (readonly [
  part: string,
  has: (location: Loose<Location>) => boolean,
  written: (location: Loose<Location>) => string | undefined,
])[] = [
  ['business name', ({ locationName }) => isStated(locationName), ({ locationName }) => locationName],
  ['phone number', ({ phoneNumber }) => isStatedNumber(phoneNumber), ({ phoneNumber }) => phoneNumber],
  [
    'street address or coordinates',
    ({ address, geoLocation }) =>
      isStated(address?.streetAddress1) ||
      geoLocation?.gpsCoordinates?.some(isStated) === true ||
      geoLocation?.geoFence !== undefined,
    ({ address }) => address?.streetAddress1,
  ],
  ['city', ({ address }) => isStated(address?.city), ({ address }) => address?.city],
  [
    'state or region',
    ({ address = {} }) => isStatedState(address) || !hasStates(countryIn(address) ?? 'US'),
    ({ address }) => address?.state,
  ],
  [
    'postal code',
    ({ address = {} }) => isStatedNumber(address.postalCode) || !hasPostalCodes(countryIn(address) ?? 'US'),
    ({ address }) => address?.postalCode,
  ],
  ['country', isCountryClear, ({ address }) => address?.country],
]

/** True when a person can phone the location and go there. */
export const isDescribed = (location: Loose<Location>): boolean => descriptionParts.every(([, has]) => has(location))
