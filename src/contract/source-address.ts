// Web addresses at which a provider shows who assigned a traceability lot code, as a traceability
// lot code source reference. Not shown in the contract; decided in 0100. Source: 21 CFR 1.1310.
import type { Static } from 'typebox'
import type { Location } from './location.ts'
import { object, optional, text } from './shape/field.ts'
import type { Loose } from './shape/read-shape.ts'

const section = '2.4'

/** Below it are the provider and the name of the address. */
export const sourceAddressPath = '/tlc-sources'

/** What stands in an address without percent-encoding. */
export const isSourceName = (name: string): boolean => /^[A-Za-z0-9_-]{3,64}$/.test(name)

export const NewSourceAddress = object('NewSourceAddress', {
  name: text({
    meaning:
      'Last part of the address, 3 to 64 letters, digits, `-` and `_`. Who knows it sees the location: take 22 random characters, or a readable name if everybody may.',
    example: 'k3Zp8vQm1TtRwXy7LdN0sA',
    section,
  }),
  dataProviderVendorId: optional(text({ meaning: 'Vendor of the location.', example: 'V-1001', section })),
  locationCode: optional(
    text({
      meaning: 'Location that the address shows. Omit vendor and location to close the address.',
      example: 'GV-COOLER-1',
      section,
    }),
  ),
})
export type NewSourceAddress = Static<typeof NewSourceAddress>

/** The fields of a location description, and nothing else that is known of the location. */
export const describedParts = ({ locationName, phoneNumber, address, geoLocation }: Loose<Location>) => ({
  ...(locationName !== undefined && { locationName }),
  ...(phoneNumber !== undefined && { phoneNumber }),
  ...(address !== undefined && { address }),
  ...(geoLocation !== undefined && { geoLocation }),
})
export type SourceDescription = ReturnType<typeof describedParts>
