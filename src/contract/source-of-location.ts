// A location as the lot code source of a line: the fields of the line.

import type { Location } from './location.ts'
import { isGiven } from './shape/field.ts'

type SourceFields = Readonly<Record<string, string>>

/** Fields of a line, and the values of the location for them. */
const placeFields = [
  ['tlcSourceName', ({ locationName }: Known) => locationName],
  ['tlcSourceAddress1', ({ address }: Known) => address?.streetAddress1],
  ['tlcSourceAddress2', ({ address }: Known) => address?.streetAddress2],
  ['tlcSourceCity', ({ address }: Known) => address?.city],
  ['tlcSourceState', ({ address }: Known) => address?.state],
  ['tlcSourcePostalCode', ({ address }: Known) => address?.postalCode],
  ['tlcSourceCountry', ({ address }: Known) => address?.country],
  ['tlcSourcePhoneNumber', ({ phoneNumber }: Known) => phoneNumber],
] as const

export type Known = Partial<Location>

/** True when the fields of a line describe its source completely. */
export const describesSource = (fields: Readonly<Record<string, unknown>>): boolean =>
  placeFields.every(([field]) => field === 'tlcSourceAddress2' || field in fields)

/**
 * Its GLN or DUNS number, its name and address. A place that has neither a number nor a complete
 * address is named by `otherwise`, its sender's name for it.
 */
export function sourceOfLocation(location: Known, otherwise: string | undefined): SourceFields {
  const fields: Record<string, string> = {}
  const { gln, duns } = location
  if (isGiven(gln)) fields.tlcSourceReferenceGln = gln
  else if (isGiven(duns)) fields.tlcSourceReferenceDuns = duns
  for (const [field, read] of placeFields) {
    const value = read(location)
    if (isGiven(value)) fields[field] = value
  }
  const isComplete = describesSource(fields)
  const isReferred = 'tlcSourceReferenceGln' in fields || 'tlcSourceReferenceDuns' in fields
  if (!isReferred && !isComplete && isGiven(otherwise)) fields.tlcSourceReferenceOther = otherwise
  return fields
}
