// Time zones of locations: a setting of this service beside the records. Not shown in the contract; decided in 0055.
import { Type } from 'typebox'
import { list, object, optional, text } from '../contract/field.ts'
import { nextCursor } from './bodies.ts'
import type { Operation } from './operation.ts'
import { paging } from './query.ts'

/** Locations that one call sets. */
export const timeZonesPerCallMax = 1_000

const section = '2.4'

const NewTimeZone = object('NewTimeZone', {
  locationCode: text({ meaning: 'Code of a location at which goods are received.', example: 'DC-07', section }),
  dataProviderVendorId: optional(
    text({
      meaning: 'Vendor whose location it is; without it the time zone is for the code at every vendor.',
      example: 'V-1001',
      section,
    }),
  ),
  timeZone: optional(
    text({
      meaning: 'Name in the IANA time zone database; without it the location has none any more.',
      example: 'America/New_York',
      section,
    }),
  ),
})

const NewTimeZones = object('NewTimeZones', {
  timeZones: list(
    NewTimeZone,
    {
      meaning: 'Locations and their time zones; each location once.',
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
      description: 'Vendor whose location it is; null for the code at every vendor.',
    }),
    timeZone: Type.String({ description: 'Name in the IANA time zone database.', examples: ['America/New_York'] }),
    setDateTime: Type.String({ description: 'When it was set, in UTC.' }),
    setBy: Type.String({ description: 'Id of the key that set it.' }),
  },
  { title: 'LocationTimeZone', additionalProperties: false },
)

const shared = {
  path: '/location-time-zones',
  cites: '21 CFR 1.1345(a)(6); decision 0055',
  topic: 'time zones',
  headers: [],
} as const

export const listTimeZones = {
  ...shared,
  name: 'listTimeZones',
  method: 'GET',
  summary: 'Lists the time zones of locations, by location code.',
  description: 'Those that were set; a location without one has the date received that its events carry.',
  role: 'reader',
  query: { ...paging },
  outcomes: {
    listed: {
      status: 200,
      when: 'The page is found, be it empty.',
      body: Type.Object(
        { content: Type.Array(TimeZone), nextCursor },
        { title: 'LocationTimeZonePage', additionalProperties: false },
      ),
      retry: 'never',
    },
  },
} as const satisfies Operation

export const setTimeZones = {
  ...shared,
  name: 'setTimeZones',
  method: 'PUT',
  summary: 'Sets the time zones of locations: the date received is the date there.',
  description:
    'For all events at these locations, stored ones too: the date received, the filters by date and the spreadsheets follow when it is answered. No record changes. Locations that are not named keep theirs.',
  role: 'administrator',
  query: {},
  body: NewTimeZones,
  outcomes: {
    refused: {
      status: 422,
      when: 'A field is missing or wrong, a location stands twice, or a time zone is not known; nothing is set.',
      retry: 'changed',
    },
    set: {
      status: 200,
      when: 'All are set.',
      body: Type.Object(
        { set: Type.Integer({ description: 'Locations that were named.' }) },
        { title: 'TimeZonesSet', additionalProperties: false },
      ),
      retry: 'never',
    },
  },
} as const satisfies Operation
