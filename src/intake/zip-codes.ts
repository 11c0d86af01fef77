// ZIP codes whose zeros in front a spreadsheet removed: 1234 for 01234. Only the country beside
// them shows whether four digits are a ZIP code, or the postal code of another country.

import { isGiven } from '../contract/shape/field.ts'
import { countryOf, isStateOfUsa } from '../contract/text/country.ts'
import type { Spoiled } from './spoiled-text.ts'
import type { Parts } from './template.ts'

interface ZipAddress {
  readonly postalCode?: unknown
  readonly state?: unknown
  readonly country?: unknown
}

/** States whose ZIP codes begin with a zero. */
const statesWithZeros = new Set('CT MA ME NH NJ PR RI VT VI'.split(' '))

/** `1234` of 01234, `601` of 00601, `1234-5678` and `12345678` of 01234-5678. */
const withoutZeros = /^\d{3,4}(?:-\d{4})?$|^\d{8}$/

export interface ZipReading {
  /** The ZIP code with its zeros, where nothing else can be meant. */
  readonly full?: string
  readonly spoiled: NonNullable<Spoiled>
}

/** Undefined for every postal code that may be whole. */
export function readZipCode({ postalCode, state, country }: ZipAddress): ZipReading | undefined {
  if (typeof postalCode !== 'string' || !withoutZeros.test(postalCode)) return undefined
  const full = /^\d{8}$/.test(postalCode) ? `0${postalCode}` : postalCode.replace(/^\d+/, (zip) => zip.padStart(5, '0'))
  const stateText = typeof state === 'string' ? state.trim() : ''
  const isUsa = isGiven(country) ? countryOf(String(country)) === 'US' : isStateOfUsa(stateText)
  if (!isUsa)
    return isGiven(country) || stateText !== ''
      ? undefined
      : {
          spoiled: {
            doubt: `${postalCode} may be the ZIP code ${full}, without the zeros that a spreadsheet removes in front. If it is, write ${full}. If not, write the country.`,
          },
        }
  const problem = `${postalCode} is no ZIP code of the USA: it has too few digits. Spreadsheets remove zeros in front.`
  return statesWithZeros.has(stateText.toUpperCase())
    ? { full, spoiled: { problem: `${problem} Write ${full}, or import with restored zeros.` } }
    : { spoiled: { problem: `${problem} Write it with five digits.` } }
}

interface ZipField {
  /** Where it is, as in `columnAt`. */
  readonly place: string
  readonly address: ZipAddress
  readonly put: (postalCode: string) => void
}

/** The postal codes of a row, each with state and country beside it. */
export function zipFields(parts: Parts): readonly ZipField[] {
  const { line } = parts
  const { tlcSourcePostalCode, tlcSourceState, tlcSourceCountry } = line
  const ofPlaces = Object.entries(parts).flatMap(([part, { address }]) =>
    typeof address === 'object' && address !== null
      ? [
          {
            place: `${part}/address/postalCode`,
            address: address as ZipAddress,
            put: (postalCode: string) => Object.assign(address, { postalCode }),
          },
        ]
      : [],
  )
  const ofSource = {
    place: 'line/tlcSourcePostalCode',
    address: { postalCode: tlcSourcePostalCode, state: tlcSourceState, country: tlcSourceCountry },
    put: (postalCode: string) => Object.assign(line, { tlcSourcePostalCode: postalCode }),
  }
  return [...ofPlaces, ofSource]
}
