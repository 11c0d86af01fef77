// Export as EPCIS 2.0: receiving events as ObjectEvents, page by page. Not shown in the contract; decided in 0032.
import { Type } from 'typebox'
import { receivingEvent } from '../contract/record-kinds.ts'
import { eventSelection } from './event-selection.ts'
import type { Operation } from './operation.ts'

/** Events a page holds when it is not told how many, and at most. */
export const perPageLimits = { default: 30, max: 100 } as const

const uri = (description: string) => Type.String({ description, pattern: '^(https://|urn:)' })

const instant = (description: string) =>
  Type.String({ description, pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$' })

const place = Type.Object({ id: uri('The ship-to location.') }, { additionalProperties: false })

/** What stands under the namespace is not named one by one: decision 0032 has the table. */
const extensible = { patternProperties: { '^lotkeeper:': {} }, additionalProperties: false }

const ObjectEvent = Type.Object(
  {
    type: Type.Literal('ObjectEvent'),
    eventID: uri('Of this version of the record, in every export.'),
    eventTime: instant('`eventDateTime` as it was written.'),
    eventTimeZoneOffset: Type.String({ pattern: '^[+-]\\d{2}:\\d{2}$' }),
    recordTime: instant('When the version was stored.'),
    errorDeclaration: Type.Optional(
      Type.Object(
        {
          declarationTime: instant('When the version after it was stored.'),
          reason: Type.Literal('incorrect_data'),
          correctiveEventIDs: Type.Array(uri('The version after it.'), { minItems: 1 }),
        },
        { description: 'Only of a version that was replaced.', additionalProperties: false },
      ),
    ),
    action: Type.Literal('OBSERVE'),
    bizStep: Type.Literal('receiving'),
    disposition: Type.Literal('in_progress'),
    epcList: Type.Optional(Type.Array(uri('A pallet, by its SSCC.'), { minItems: 1, uniqueItems: true })),
    quantityList: Type.Array(
      Type.Object(
        {
          epcClass: uri('Item and lot.'),
          quantity: Type.Optional(Type.Number()),
          uom: Type.Optional(Type.String({ pattern: '^[A-Z0-9]{2,3}$' })),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, description: 'One for each product line, in their order.' },
    ),
    readPoint: place,
    bizLocation: place,
    bizTransactionList: Type.Array(
      Type.Object(
        { type: Type.Enum(['po', 'desadv', 'bol']), bizTransaction: uri('The document.') },
        { additionalProperties: false },
      ),
    ),
    sourceList: Type.Array(
      Type.Object(
        { type: Type.Enum(['owning_party', 'location']), source: uri('Vendor, or ship-from location.') },
        { additionalProperties: false },
      ),
    ),
    destinationList: Type.Array(
      Type.Object(
        { type: Type.Literal('location'), destination: uri('The ship-to location.') },
        { additionalProperties: false },
      ),
    ),
  },
  { title: 'EpcisObjectEvent', ...extensible },
)

/** Source: the JSON Schema of EPCIS 2.0, and narrower: what an export of receiving events uses of it. */
export const EpcisQueryDocument = Type.Object(
  {
    '@context': Type.Array(Type.Union([Type.String(), Type.Object({})])),
    type: Type.Literal('EPCISQueryDocument'),
    schemaVersion: Type.Literal('2.0'),
    creationDate: instant('When the page was made.'),
    epcisBody: Type.Object(
      {
        queryResults: Type.Object(
          {
            queryName: Type.String(),
            resultsBody: Type.Object({ eventList: Type.Array(ObjectEvent) }, { additionalProperties: false }),
          },
          { additionalProperties: false },
        ),
      },
      { additionalProperties: false },
    ),
  },
  { title: 'EpcisQueryDocument', additionalProperties: false },
)

export const exportEpcis = {
  name: 'exportEpcis',
  method: 'GET',
  path: '/traceability/epcis',
  cites: '21 CFR 1.1455(c); decision 0032',
  summary: 'Exports receiving events as EPCIS 2.0.',
  description:
    'One ObjectEvent for each version of each record that is found, newest record first, the versions of a record from the first to the last; all but the last carry an `errorDeclaration` that leads to the next. Records are found by what they are now, and exported whole. What EPCIS has no place for stands under the namespace `lotkeeper`; what a standard field cannot hold is listed with the event. Pages neither skip nor repeat while others write.',
  role: 'reader',
  topic: 'traceability',
  record: receivingEvent,
  query: {
    ...eventSelection,
    itemCode: { ...eventSelection.itemCode, meaning: 'Only events with a line of this vendor or purchaser item code.' },
    lotCode: { ...eventSelection.lotCode, meaning: 'Only events with a line of this lot code (`caseLotNumber`).' },
    perPage: {
      form: 'limit',
      meaning: `Events per page, 1 to ${perPageLimits.max}.`,
      example: String(perPageLimits.default),
      limits: perPageLimits,
    },
    nextPageToken: {
      form: 'cursor',
      meaning: 'From the address in the `Link` header of the page before, with the same filters.',
      example: 'MDE5YTNjMWU',
    },
  },
  headers: [],
  recorded: 'everyFile',
  outcomes: {
    exported: {
      status: 200,
      when: 'The page is found, be it empty. A `Link` header with `rel="next"` has the address of the next one.',
      body: EpcisQueryDocument,
      bodyType: 'application/ld+json',
      headers: { 'GS1-EPCIS-Version': '2.0.0', 'GS1-CBV-Version': '2.0.0' },
      retry: 'never',
    },
  },
} as const satisfies Operation
