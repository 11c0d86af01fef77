// Export as EPCIS 2.0: events of one kind, page by page. Not shown in the contract; decided in
// 0032.
import {
  deliveryKindList,
  eventKindList,
  eventKindNames,
  type RecordKind,
  receivingEvent,
} from '../../contract/record-kinds.ts'
import { Type } from '../../contract/shape/type.ts'
import { bothSelection } from '../base/event-selection.ts'
import type { Operation } from '../base/operation.ts'
import { voided } from '../records/void.ts'

/** Events of a page: by default, and at most. */
export const perPageLimits = { default: 30, max: 100 } as const

/**
 * The documents of the standard: the answer to a query, and the input of a capture interface. The
 * first is the default.
 */
export const documentTypes = ['EPCISQueryDocument', 'EPCISDocument'] as const

/** The step of deliveries; the first is the default. */
const bizSteps = deliveryKindList.map(({ epcis }) => epcis.bizStep)

/** How events are named; the first is the default. */
export const eventIdForms = ['uuid', 'hash'] as const
export type EventIdForm = (typeof eventIdForms)[number]

const uri = (description: string) => Type.String({ description, pattern: '^(https://|urn:)' })

const instant = (description: string) =>
  Type.String({ description, pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$' })

const place = (description: string) => Type.Object({ id: uri(description) }, { additionalProperties: false })

/** Fields of the namespace are not declared one by one: decision 0032 lists them. */
const extensible = { patternProperties: { '^lotkeeper:': {} }, additionalProperties: false }

const quantities = (description: string) =>
  Type.Array(
    Type.Object(
      {
        epcClass: uri('Item and lot.'),
        quantity: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
        uom: Type.Optional(Type.String({ pattern: '^[A-Z0-9]{2,3}$' })),
      },
      { additionalProperties: false },
    ),
    { minItems: 1, description },
  )

const common = {
  eventID: Type.String({
    description: 'Identifies one version of the record: the same in every export.',
    pattern: '^(urn:uuid:|ni:///sha-256;)',
  }),
  eventTime: instant('`eventDateTime` as submitted.'),
  eventTimeZoneOffset: Type.String({ pattern: '^[+-]\\d{2}:\\d{2}$' }),
  recordTime: instant('When the version was stored.'),
  errorDeclaration: Type.Optional(
    Type.Object(
      {
        declarationTime: instant('When the version after it was stored.'),
        reason: Type.Enum(['incorrect_data', 'did_not_occur'], {
          description: '`did_not_occur` where the version after it is a void.',
        }),
        correctiveEventIDs: Type.Optional(
          Type.Array(Type.String({ description: 'The ObjectEvent of the version after it.' }), { minItems: 1 }),
        ),
      },
      { description: 'Only for a version that was replaced or voided.', ...extensible },
    ),
  ),
  bizStep: Type.Enum([...new Set(eventKindList.map(({ epcis }) => epcis.bizStep))]),
  disposition: Type.Enum(['in_progress', 'in_transit'], { description: '`in_transit` of what was shipped.' }),
  readPoint: place('The location of the event: of what was received the ship-to, of what was shipped the ship-from.'),
  bizLocation: Type.Optional(place('The same, but of what was shipped.')),
  bizTransactionList: Type.Array(
    Type.Object(
      {
        type: Type.Optional(Type.Enum(['po', 'desadv', 'bol', 'inv', 'recadv', 'prodorder', 'cert'])),
        bizTransaction: uri('The document.'),
      },
      { additionalProperties: false },
    ),
  ),
}

const sources = Type.Array(
  Type.Object(
    { type: Type.Enum(['owning_party', 'location']), source: uri('Vendor, or location that goods came from.') },
    { additionalProperties: false },
  ),
)

const destinations = Type.Array(
  Type.Object(
    { type: Type.Literal('location'), destination: uri('The ship-to location.') },
    { additionalProperties: false },
  ),
)

const ObjectEvent = Type.Object(
  {
    type: Type.Literal('ObjectEvent'),
    ...common,
    action: Type.Enum(['OBSERVE', 'ADD'], { description: '`ADD` of what was harvested or landed.' }),
    epcList: Type.Optional(Type.Array(uri('A pallet, by its SSCC.'), { minItems: 1, uniqueItems: true })),
    quantityList: quantities('One for each product line, in their order.'),
    sourceList: sources,
    destinationList: Type.Optional(destinations),
  },
  { title: 'EpcisObjectEvent', ...extensible },
)

const TransformationEvent = Type.Object(
  {
    type: Type.Literal('TransformationEvent'),
    ...common,
    inputQuantityList: Type.Optional(quantities('What was used: one for each line, in their order.')),
    transformationID: Type.Optional(uri('Where nothing is known to be used.')),
    outputQuantityList: quantities('What was made: one for each line, in their order.'),
    sourceList: sources,
    destinationList: Type.Optional(destinations),
  },
  { title: 'EpcisTransformationEvent', ...extensible },
)

const AggregationEvent = Type.Object(
  {
    type: Type.Literal('AggregationEvent'),
    ...common,
    action: Type.Enum(['OBSERVE', 'ADD']),
    parentID: uri('The pallet, by its SSCC.'),
    childQuantityList: quantities('What was on it: one for each product line of the pallet, in their order.'),
  },
  { title: 'EpcisAggregationEvent', ...extensible },
)

const about = {
  '@context': Type.Array(Type.Union([Type.String(), Type.Object({})])),
  schemaVersion: Type.Literal('2.0'),
  creationDate: instant('When the page was created.'),
}

const events = { eventList: Type.Array(Type.Union([ObjectEvent, AggregationEvent, TransformationEvent])) }

/** The part of EPCIS 2.0 that an export uses. Source: its JSON Schema. */
export const EpcisQueryDocument = Type.Object(
  {
    ...about,
    type: Type.Literal('EPCISQueryDocument'),
    epcisBody: Type.Object(
      {
        queryResults: Type.Object(
          {
            queryName: Type.Literal('SimpleEventQuery'),
            resultsBody: Type.Object(events, { additionalProperties: false }),
          },
          { additionalProperties: false },
        ),
      },
      { additionalProperties: false },
    ),
  },
  { title: 'EpcisQueryDocument', additionalProperties: false },
)

/** The same events, as a capture interface takes them. */
export const EpcisDocument = Type.Object(
  { ...about, type: Type.Literal('EPCISDocument'), epcisBody: Type.Object(events, { additionalProperties: false }) },
  { title: 'EpcisDocument', additionalProperties: false },
)

export const exportEpcis = {
  name: 'exportEpcis',
  method: 'GET',
  path: '/traceability/epcis',
  cites: '21 CFR 1.1455(c); decision 0032',
  summary: 'Exports events of one kind as EPCIS 2.0.',
  description:
    'One ObjectEvent for each version of each matching record, of a transformation a TransformationEvent; and an AggregationEvent for each pallet with an SSCC; the newest record first, the versions of a record from the first to the last. All versions but the last have an `errorDeclaration` that points to the next, or says that the record was voided. An exported event never changes: it is completed with the master data from the time at which the version was stored. Filters apply to the current version, and matching records are exported whole. Data without a place in EPCIS is under the namespace `lotkeeper`; each event lists what a standard field cannot hold. Pages neither skip nor repeat events while others write.',
  role: 'partner',
  topic: 'traceability',
  record: receivingEvent as RecordKind,
  query: {
    ...bothSelection,
    itemCode: { ...bothSelection.itemCode, meaning: 'Only events with a line of this vendor or purchaser item code.' },
    lotCode: {
      ...bothSelection.lotCode,
      meaning: 'Only events with a line of this lot: its lot code, or any GS1 text that contains it.',
    },
    kind: {
      form: 'choice',
      values: eventKindNames,
      meaning: 'The events: those of this kind; receiving events when it is omitted.',
      example: 'transformationEvent',
    },
    bizStep: {
      form: 'choice',
      values: bizSteps,
      meaning: 'The same by the step: `receiving`, or `shipping` for shipping events.',
      example: 'shipping',
    },
    voided,
    documentType: {
      form: 'choice',
      values: documentTypes,
      meaning:
        'The document around the events: `EPCISQueryDocument`, or `EPCISDocument` to hand them to a capture interface; an `EPCISDocument` has less than 100,000 bytes, unless a single event is larger.',
      example: 'EPCISDocument',
    },
    eventId: {
      form: 'choice',
      values: eventIdForms,
      meaning:
        'Form of the event ids: `uuid`, or `hash` for the hash id of the Core Business Vocabulary 2.0 (`ni:///sha-256;…`).',
      example: 'hash',
    },
    perPage: {
      form: 'limit',
      meaning: `Events per page, 1 to ${perPageLimits.max}; fewer where a page would be longer than 8 MiB.`,
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
      when: 'The page; it may be empty. A `Link` header with `rel="next"` has the address of the next page.',
      body: Type.Union([EpcisQueryDocument, EpcisDocument]),
      bodyType: 'application/ld+json',
      headers: { 'GS1-EPCIS-Version': '2.0.0', 'GS1-CBV-Version': '2.0.0' },
      retry: 'never',
    },
  },
} as const satisfies Operation
