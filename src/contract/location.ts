// Location data: who and where. Source: §2.3.
import type { Static } from 'typebox'
import { dataProviderVendorId } from './product.ts'
import { boolean, type FieldSays, list, object, optional, stringLengthMax, text } from './shape/field.ts'
import { Type } from './shape/type.ts'

/** Listed values of `locationType`. Not known to be a closed set. Source: §2.3. */
export const locationTypes = ['Internal', 'Supplier', 'Customer'] as const

/**
 * Listed values of `glnAssignedBy`. The contract spells out the last three, and describes the first
 * two without naming them: a global standards body and a farm assurance scheme. Source: §2.3.
 */
export const glnAssigners = ['GS1', 'GLOBALG.A.P.', 'Internal', 'Trading Partner', 'Other'] as const

const section = '2.3'
const addressSection = '2.3 address'
const geoSection = '2.3 geoLocation'

const Address = object(
  'Address',
  {
    streetAddress1: optional(
      text({
        meaning: 'Street line 1.',
        example: '1200 Harvest Road',
        section: addressSection,
        synonyms: ['street', 'street1', 'streetAddress', 'address1', 'addressLine1', 'line1'],
      }),
    ),
    streetAddress2: optional(
      text({
        meaning: 'Street line 2, if applicable.',
        example: 'Dock 4',
        section: addressSection,
        synonyms: ['street2', 'address2', 'addressLine2', 'line2'],
      }),
    ),
    city: optional(
      text({
        meaning: 'City.',
        example: 'Salinas',
        section: addressSection,
        synonyms: ['town', 'municipality', 'locality'],
      }),
    ),
    state: optional(
      text({
        meaning: 'State or region.',
        example: 'CA',
        section: addressSection,
        synonyms: ['stateCode', 'stateOrRegion', 'stateProvince', 'province'],
      }),
    ),
    postalCode: optional(
      text({
        meaning: 'Postal code.',
        example: '93901',
        section: addressSection,
        synonyms: ['zip', 'zipCode', 'postcode', 'postal', 'zipPostalCode'],
      }),
    ),
    country: optional(
      text({ meaning: 'Country.', example: 'USA', section: addressSection, synonyms: ['countryCode'] }),
    ),
  },
  {
    meaning: 'Address of the location.',
    example: { streetAddress1: '1200 Harvest Road', city: 'Salinas', state: 'CA', postalCode: '93901', country: 'USA' },
    section,
    synonyms: ['addr'],
    requiredWhen: 'neither gln nor duns is given and the location is not set up in master data',
  },
)

/** Most corners of a fence: far more than any field has, to bound the work. */
const fenceCornersMax = 1_000

const coordinate = Type.String({ maxLength: stringLengthMax })

const GeoLocation = object(
  'GeoLocation',
  {
    gpsCoordinates: optional(
      list(
        coordinate,
        {
          meaning: 'Latitude, then longitude, in degrees and minutes.',
          example: ['36 40.66 N', '121 39.33 W'],
          section: geoSection,
          synonyms: ['coordinates', 'gps', 'latLong'],
        },
        { maxItems: 10 },
      ),
    ),
    geoFence: optional(
      list(
        Type.Array(coordinate, { maxItems: 10 }),
        {
          meaning: 'Pairs of latitude and longitude that together define the fence.',
          example: [
            ['36 40.66 N', '121 39.33 W'],
            ['36 40.70 N', '121 39.33 W'],
            ['36 40.70 N', '121 39.40 W'],
          ],
          section: geoSection,
        },
        { maxItems: fenceCornersMax },
      ),
    ),
  },
  {
    meaning: 'Position of the location: coordinates or a fence.',
    synonyms: ['geo', 'position', 'coordinates', 'gps'],
    example: { gpsCoordinates: ['36 40.66 N', '121 39.33 W'] },
    section,
  },
)

const identification = 'the location is not set up in master data: at least one of gln, duns, address'

const locationFields = {
  locationName: text({
    meaning: "Name of the vendor's or purchaser's location.",
    example: 'Green Valley Cooler',
    section,
    synonyms: ['name', 'siteName', 'facilityName', 'businessName', 'displayName'],
  }),
  locationCode: text({
    meaning: 'Location code referenced in the event.',
    example: 'GV-COOLER-1',
    section,
    synonyms: ['code', 'locationId', 'siteCode', 'siteId', 'facilityCode'],
  }),
  gln: optional(
    text({
      meaning: '13-digit global location number.',
      example: '0614141000012',
      section,
      synonyms: ['globalLocationNumber', 'gln13'],
      requiredWhen: identification,
    }),
  ),
  duns: optional(
    text({
      meaning: '9-digit business identification number.',
      example: '123456789',
      section,
      synonyms: ['dunsNumber', 'dunsNo'],
      requiredWhen: identification,
    }),
  ),
  address: optional(Address),
  geoLocation: optional(GeoLocation),
  businessUnit: optional(text({ meaning: 'Business unit of the location.', example: 'Produce West', section })),
  market: optional(text({ meaning: 'Market of the location.', example: 'Northern California', section })),
  region: optional(text({ meaning: 'Region of the location.', example: 'West', section })),
  locationType: optional(
    text({
      meaning: 'Kind of location, described as one of Internal, Supplier, Customer.',
      example: 'Supplier',
      section,
      synonyms: ['type', 'siteType', 'kind'],
      listed: locationTypes,
    }),
  ),
  parentLocationId: optional(
    text({
      meaning: 'Points to the parent location to form a hierarchy.',
      example: 'GV-HQ',
      section,
      synonyms: ['parent', 'parentId', 'parentLocation'],
    }),
  ),
  glnAssignedBy: optional(
    text({
      meaning:
        'Who assigned the GLN: a global standards body (GS1), a farm assurance scheme (GLOBALG.A.P.), Internal, Trading Partner or Other.',
      example: 'Internal',
      section,
      listed: glnAssigners,
    }),
  ),
  alternateLocationCode: optional(
    text({
      meaning: 'Alternate identifier, unique per location and shared between shipper and receiver.',
      example: 'https://id.example.com/414/0614141000012',
      section,
      synonyms: ['alternateCode', 'alternateId'],
    }),
  ),
  phoneNumber: optional(
    text({
      meaning: 'Phone number with country code, described as format +1.999.999.999.',
      example: '+1.831.555.0100',
      section,
      synonyms: ['phone', 'phoneNo', 'telephone', 'tel', 'contactPhone'],
      requiredWhen: 'the address is used to identify the location',
    }),
  ),
  isPrimaryLocation: optional(
    boolean({ meaning: "Location is the organisation's primary headquarters.", example: false, section }),
  ),
  isCoveredByGdst: optional(
    boolean({
      meaning: 'Location is covered by the seafood traceability dialogue requirements.',
      example: false,
      section,
    }),
  ),
}

/** Element of `locationMasterList` in a receiving event payload. */
export const Location = object('Location', locationFields)
export type Location = Static<typeof Location>

/** The declaration of a field that holds a master location. */
export const masterLocationSays: FieldSays = {
  meaning: 'The location.',
  example: {
    locationCode: 'GV-COOLER-1',
    locationName: 'Green Valley Cooler',
    dataProviderVendorId: 'V-1001',
    gln: '0614141000012',
  },
  section,
}

/**
 * Location master data as the locations endpoint takes it: the same fields, and whose location it
 * is (decision 0010).
 */
export const MasterLocation = object(
  'MasterLocation',
  { ...locationFields, dataProviderVendorId: dataProviderVendorId(section) },
  masterLocationSays,
)
export type MasterLocation = Static<typeof MasterLocation>
