// Location descriptions in the form of the spreadsheet. Source: 21 CFR 1.1310; decision 0029.
import { type PlacesByNumber, sourcePlaceOf } from '../../contract/completion.ts'
import type { Location } from '../../contract/location.ts'
import type { ProductLine } from '../../contract/product-line.ts'
import { isGiven } from '../../contract/shape/field.ts'
import type { Loose } from '../../contract/shape/read-shape.ts'

/** The seven parts of a location description. Parts that the record lacks are missing. */
export interface PlaceTexts {
  readonly name?: string | undefined
  readonly phone?: string | undefined
  readonly street?: string | undefined
  readonly city?: string | undefined
  readonly state?: string | undefined
  readonly postalCode?: string | undefined
  readonly country?: string | undefined
}

/** The text unchanged, or undefined when it is blank: blank counts as absent (decision 0009). */
export const textIfGiven = (text: string | undefined): string | undefined => (isGiven(text) ? text : undefined)

export const placeOf = ({ locationName, phoneNumber, address, geoLocation }: Loose<Location> = {}): PlaceTexts => ({
  name: textIfGiven(locationName),
  phone: textIfGiven(phoneNumber),
  street: inOneLine(address?.streetAddress1, address?.streetAddress2) ?? coordinatesOf(geoLocation),
  city: textIfGiven(address?.city),
  state: textIfGiven(address?.state),
  postalCode: textIfGiven(address?.postalCode),
  country: textIfGiven(address?.country),
})

/** The source of a line's lot code. */
export const sourceOf = (line: ProductLine, places: PlacesByNumber): PlaceTexts => placeOf(sourcePlaceOf(line, places))

/**
 * Prefixes that distinguish the references to a lot code source; a web link and an "other"
 * reference need none.
 */
const referenceKinds = [
  ['tlcSourceReferenceFfrn', 'FFRN:'],
  ['tlcSourceReferenceFei', 'FEI:'],
  ['tlcSourceReferenceGln', 'GLN:'],
  ['tlcSourceReferenceDuns', 'DUNS:'],
  ['tlcSourceReferenceUrl', ''],
  ['tlcSourceReferenceOther', ''],
] as const

/** All references of a line to the source of its lot code, FDA's own registers first. */
export const sourceReferenceOf = (line: ProductLine): string | undefined =>
  textIfGiven(referenceKinds.flatMap(([field, kind]) => (isGiven(line[field]) ? [kind + line[field]] : [])).join('; '))

const inOneLine = (...parts: readonly (string | undefined)[]): string | undefined =>
  textIfGiven(parts.filter(isGiven).join(', '))

/** Most corners of a fence in one cell; further ones are counted there. */
const cornersMax = 20

function coordinatesOf({ gpsCoordinates, geoFence }: NonNullable<Loose<Location>['geoLocation']> = {}) {
  if (gpsCoordinates !== undefined) return inOneLine(...gpsCoordinates)
  if (geoFence === undefined) return undefined
  const corners = geoFence.slice(0, cornersMax).map((pair) => pair.join(', '))
  const rest = geoFence.length - corners.length
  return textIfGiven([...corners, ...(rest > 0 ? [`and ${rest} more corners in the record`] : [])].join('; '))
}
