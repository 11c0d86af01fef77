// Search over all kinds of records by any part of a text. Not shown in the contract; decided
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
  'billOfLadingNumber',
  'referenceDocumentNumber',
  'palletId',
  'eventId',
  'masterProduct',
  'itemCode',
  'caseGtin',
  'location',
  'dataProviderVendorId',
  'recordId',
  'payloadId',
] as const
export type HitKind = (typeof hitKinds)[number]

/** How a hit matches, the best first. */
export const matches = ['exact', 'alike', 'begins', 'ends', 'contains'] as const

/** Hits per kind: by default, and at most. */
export const hitsDefault = 5
const hitsMax = 20
/** Records of a hit are counted up to so many. */
export const hitRecordsMax = 100

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

export const SearchHit = Type.Object(
  {
    kind: Type.Enum([...hitKinds], { description: 'What was found.' }),
    value: Type.String({ description: 'The code, number or id that matches; of a location or product its code.' }),
    match: Type.Enum([...matches], {
      description:
        '`exact`: the same text or lot. `alike`: the same without case, accents, signs and leading zeros, or a lot code that reads alike. `begins`, `ends`, `contains`: the value, or the name, begins or ends with the text, or has it or all its words in it.',
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
    name: orNull('Name of the location or vendor, or description of the product or item.'),
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
      description:
        'True while many records were stored a moment ago: until they are indexed, codes and numbers find them by their beginnings alone.',
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
    'Finds events by lot codes in every form of GS1, lot codes that a correction removed, purchase orders, ASNs, bills of lading, other reference documents, pallets (SSCC), GTINs, item codes, vendors and event ids; and locations, master products, payload ids and record ids. ' +
    'Codes and numbers are found by any part of at least three characters, without regard to case, signs, leading zeros and words such as PO before them. ' +
    'Items, products, vendors and locations are also found by words of their descriptions and names, without accents. ' +
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
