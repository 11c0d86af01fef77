// Time zones of locations: a setting of this service beside the records. Not shown in the contract;
// decided in 0055.
import { list, object, optional, text } from '../../contract/shape/field.ts'
import { Type } from '../../contract/shape/type.ts'
import { listedPage, setOutcome, setStamp } from '../base/bodies.ts'
import { conditionHeaders, type Operation, staleEdit, taggedRead, unmodified } from '../base/operation.ts'
import { paging } from '../base/query.ts'

/** Locations that one call sets. */
export const timeZonesPerCallMax = 1_000

const section = '2.4'

const NewTimeZone = object('NewTimeZone', {
  locationCode: text({
    meaning: 'Code of a location at which goods are received, or from which they are shipped.',
    example: 'DC-07',
    section,
  }),
  dataProviderVendorId: optional(
    text({
      meaning: 'Vendor of the location. Without it the time zone applies to the code at every vendor.',
      example: 'V-1001',
      section,
    }),
  ),
  timeZone: optional(
    text({
      meaning: 'Name in the IANA time zone database. Omit it to remove the time zone of the location.',
      example: 'America/New_York',
      section,
    }),
  ),
})

const NewTimeZones = object('NewTimeZones', {
  timeZones: list(
    NewTimeZone,
    {
      meaning: 'Locations and their time zones, each location once.',
      example: [{ locationCode: 'DC-07', timeZone: 'America/New_York' }],
      section,
    },
    { minItems: 1, maxItems: timeZonesPerCallMax },
  ),
})

const TimeZone = Type.Object(
  {
    locationCode: Type.String({ description: 'Code of the location.' }),
    dataProviderVendorId: Type.Union([Type.String(), Type.Null()], {
      description: 'Vendor of the location; null for the code at every vendor.',
    }),
    timeZone: Type.String({ description: 'Name in the IANA time zone database.', examples: ['America/New_York'] }),
    ...setStamp,
  },
  { title: 'LocationTimeZone', additionalProperties: false },
)

const shared = {
  path: '/location-time-zones',
  cites: '21 CFR 1.1345(a)(6); decision 0055',
  topic: 'time zones',
  headers: [],
} as const

const listTimeZones = {
  ...shared,
  ...taggedRead,
  name: 'listTimeZones',
  method: 'GET',
  summary: 'Lists the time zones of locations, by location code.',
  description:
    'Lists only locations with a time zone. For other locations, the date received or shipped is the date written in the event.',
  role: 'reader',
  query: { ...paging },
  outcomes: {
    unmodified,
    listed: listedPage(TimeZone, 'LocationTimeZonePage'),
  },
} as const satisfies Operation

const setTimeZones = {
  ...shared,
  headers: conditionHeaders,
  name: 'setTimeZones',
  method: 'PUT',
  summary: 'Sets the time zones of locations: the date received or shipped is the date there.',
  description:
    'It applies to all events at these locations, stored ones too: the date received at the ship-to location, the date shipped from the ship-from location, the filters by date and the spreadsheets use it as soon as the request is answered. No record changes. Other locations keep their time zones.',
  role: 'administrator',
  query: {},
  body: NewTimeZones,
  outcomes: {
    refused: {
      status: 422,
      when: 'A field is missing or wrong, a location is listed twice, or a time zone is unknown. Nothing is set.',
      retry: 'changed',
    },
    stale: staleEdit,
    set: setOutcome('All time zones are set.', 'TimeZonesSet'),
  },
} as const satisfies Operation

export const timeZoneOperations = { listTimeZones, setTimeZones }
