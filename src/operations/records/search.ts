// Search over all kinds of records by the beginning of a text. Not shown in the contract; decided
// in 0064.
import type { TSchema } from 'typebox'
import { type RecordKindName, recordKinds } from '../../contract/record-kinds.ts'
import { Type } from '../../contract/shape/type.ts'
import { damaged } from '../base/bodies.ts'
import type { Operation } from '../base/operation.ts'

/** The kinds of matches, in the order of the answer among equally good ones. */
export const hitKinds = [
  'lotCode',
  'earlierLotCode',
  'purchaseOrderNumber',
  'asnNumber',
  'eventId',
  'masterProduct',
  'itemCode',
  'location',
  'dataProviderVendorId',
  'recordId',
  'payloadId',
] as const
export type HitKind = (typeof hitKinds)[number]

/** How a hit matches, the best first. */
export const matches = ['exact', 'alike', 'begins', 'contains'] as const

/** Hits per kind: by default, and at most. */
export const hitsDefault = 5
const hitsMax = 20
/** Records of a hit are counted up to so many. */
export const hitRecordsMax = 100
/** Newest records that a search scans for values without an index. */
export const productsLookedAt = 20_000
export const locationsLookedAt = 10_000

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

export const SearchHit = Type.Object(
  {
    kind: Type.Enum([...hitKinds], { description: 'What was found.' }),
    value: Type.String({ description: 'The code, number or id that matches; of a location or product its code.' }),
    match: Type.Enum([...matches], {
      description:
        '`exact`: the same text, GTIN, GLN or lot. `alike`: the same but for upper and lower case, or a lot code that reads alike. `begins`: it begins with the text. `contains`: its name contains the text.',
    }),
    records: Type.Integer({
      description: `Records with this value; ${hitRecordsMax} means that there may be more.`,
      maximum: hitRecordsMax,
    }),
    record: Type.Enum(
      recordKinds.map(({ name }): RecordKindName => name),
      { description: 'Kind of these records.' },
    ),
    id: Type.String({ description: 'The newest of them.' }),
    name: orNull('Name of the location, or description of the product.'),
    dataProviderVendorId: orNull('Vendor of the newest record.'),
    eventDate: orNull('Date received of the newest record; of a shipping event the date shipped.'),
    voided: Type.Boolean({
      description: 'True if the newest record is voided: only its id and earlier lot codes find it.',
    }),
  },
  { title: 'SearchHit', additionalProperties: false },
)

const SearchAnswer: TSchema = Type.Object(
  {
    content: Type.Array(SearchHit, {
      description:
        'Best matches first, then by kind. A value of receiving and shipping events is two hits, each with its records.',
    }),
    more: Type.Array(Type.Enum([...hitKinds]), {
      description: 'Kinds of which there is more than the answer has.',
    }),
    partial: Type.Boolean({
      description: `True if the provider has more master products or locations than were looked through for a GTIN, GLN, DUNS or name: the newest ${productsLookedAt.toLocaleString('en')} products and ${locationsLookedAt.toLocaleString('en')} locations.`,
    }),
    damaged,
  },
  { title: 'SearchAnswer', additionalProperties: false },
)

export const search = {
  name: 'search',
  method: 'GET',
  path: '/search',
  cites: 'decision 0064',
  summary: 'Searches all records for a code, number, name or id.',
  description:
    'Finds receiving and shipping events by lot codes in every form of GS1, lot codes that a correction removed, purchase orders, ASNs, item codes, vendors and event ids; and locations, master products, payload ids and record ids. ' +
    'Codes and numbers are found by how they begin, without regard to case; a lot code also without blanks, dashes and the like. ' +
    'A GTIN finds master products, a GLN or DUNS finds locations, and a part of its name finds a location. ' +
    'For all records with a value, use the filters of the lists.',
  role: 'partner',
  topic: 'search',
  query: {
    text: { form: 'text', meaning: 'What to look for. Required.', example: 'GV26063-A' },
    limit: {
      form: 'limit',
      meaning: `Hits of each kind, 1 to ${hitsMax}.`,
      example: String(hitsDefault),
      limits: { default: hitsDefault, max: hitsMax },
    },
  },
  headers: [],
  outcomes: {
    searched: { status: 200, when: 'What was found; it may be nothing.', body: SearchAnswer, retry: 'never' },
  },
} as const satisfies Operation
