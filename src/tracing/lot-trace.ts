// The trace of a lot: its origin, its destinations, and the open questions of the records. Source:
// decision 0028.
import type { Static } from 'typebox'
import { type Arrival, arrivals, underWayDaysDefault } from '../contract/arrivals.ts'
import { ignoredText } from '../contract/lots/alike-lots.ts'
import { RecordId } from '../contract/payloads.ts'
import { Type } from '../contract/shape/type.ts'
import { shape, text, whole } from './answer-shapes.ts'

const optional = Type.Optional

export const QuantityByUnit = shape(
  'QuantityByUnit',
  {
    quantity: Type.Number({ description: 'Sum of `shipQuantity`.' }),
    unit: text(
      '`shipQuantityUom` as first written. Texts that mean the same unit, such as `case`, `CS` and `cases`, are one.',
    ),
    written: optional(
      Type.Array(Type.Object({ quantity: Type.Number(), unit: Type.String() }, { additionalProperties: false }), {
        description: 'The amount in each spelling of the unit, if there are several.',
      }),
    ),
  },
  'An amount in one unit.',
)
export type QuantityByUnit = Static<typeof QuantityByUnit>
const quantities = (description: string) => Type.Array(QuantityByUnit, { description })

const PlaceId = text('Id of a place in this response, such as `P1`.')
const SourceId = text('Id of a lot code source in this response, such as `S1`.')

const TracedSpelling = shape(
  'TracedSpelling',
  {
    lotCode: text('`caseLotNumber` as written.'),
    lines: whole('Product lines in this response with this text.'),
  },
  'One spelling of the lot code.',
)
export type TracedSpelling = Static<typeof TracedSpelling>

const LotReading = shape(
  'LotReading',
  {
    form: Type.Enum(['text', 'elementString', 'scanData', 'digitalLink', 'lgtinUrn', 'labelled'], {
      description: 'Form in which the lot code in the address was read. `text` if it has no other form.',
    }),
    gtin: optional(text('GTIN-14 that selects the lines, from the lot code or from `gtin`.')),
    spellings: Type.Array(TracedSpelling, {
      description: 'Spellings of the lot code, in the order of their first line.',
    }),
  },
  'How the lot code was read, and in which spellings it is stored.',
)

const identifierList = (name: string) =>
  Type.Array(Type.String(), { description: `Values of \`tlcSourceReference${name}\`.` })

const TracedSource = shape(
  'TracedSource',
  {
    id: SourceId,
    known: Type.Boolean({
      description:
        'False for lines that do not say who assigned the lot code. It is unknown whether they come from one source.',
    }),
    gtins: Type.Array(Type.String(), { description: 'GTIN-14 values in the lot codes of its lines.' }),
    names: Type.Array(Type.String(), { description: '`tlcSourceName`, and names of places with the same GLN.' }),
    addresses: Type.Array(Type.String(), { description: 'Each on one line.' }),
    phoneNumbers: Type.Array(Type.String()),
    glns: identifierList('Gln'),
    duns: identifierList('Duns'),
    ffrns: identifierList('Ffrn'),
    feis: identifierList('Fei'),
    urls: identifierList('Url'),
    others: identifierList('Other'),
    lines: whole('Product lines that name it.'),
    events: whole('Receiving events with such a line.'),
  },
  'Who assigned the lot code, as described by all lines that share an identifier.',
)
export type TracedSource = Static<typeof TracedSource>

const PlaceCode = shape(
  'PlaceCode',
  { dataProviderVendorId: text('The vendor whose code it is.'), locationCode: text('The code.') },
  'A location code of a vendor.',
)

const TracedPlace = shape(
  'TracedPlace',
  {
    id: PlaceId,
    name: text('`locationName` as last written.'),
    codes: Type.Array(PlaceCode),
    gln: optional(text('`gln`.')),
    address: optional(text('On one line.')),
    city: optional(text('City.')),
    state: optional(text('State or region.')),
    phoneNumber: optional(text('`phoneNumber`.')),
    role: Type.Enum(['first', 'between', 'last', 'expected'], {
      description:
        'According to the records, a `first` place only sent the lot on and a `last` place only received it. To an `expected` place the lot was shipped, and no receiving event names it.',
    }),
    assumed: Type.Boolean({
      description: 'True if codes of several vendors were treated as this place without a common GLN.',
    }),
    received: quantities('What it received.'),
    sentOn: quantities('What others received from it.'),
    firstReceivedDateTime: optional(text('When it first received the lot, as written.')),
    firstSentOnDateTime: optional(text('When a shipment from it was first received, as written.')),
    previous: Type.Array(PlaceId, { description: 'One step back: the places it received from.' }),
    next: Type.Array(PlaceId, { description: 'One step forward: the places that received from it.' }),
  },
  'A place where the lot was.',
)
export type TracedPlace = Static<typeof TracedPlace>

const TracedLink = shape(
  'TracedLink',
  {
    from: PlaceId,
    to: PlaceId,
    source: SourceId,
    quantities: quantities('What was received.'),
    firstDateTime: text('The first `eventDateTime`, as written.'),
    lastDateTime: text('The last.'),
    events: Type.Array(RecordId, { description: 'In order.' }),
  },
  'Everything that moved from one place to another under a lot code of one source.',
)
export type TracedLink = Static<typeof TracedLink>

const ofLine = {
  pointer: text('JSON Pointer into the record.'),
  lotCode: text('`caseLotNumber`.'),
  vendorItemCode: text('`vendorItemCode`.'),
  purchaserItemCode: optional(text('`purchaserItemCode`.')),
  itemDescription: optional(
    text('`vendorItemDescription`, otherwise the description of the item in the event’s own list or in master data.'),
  ),
  gtin: optional(text('GTIN-14: `caseGtin`, otherwise that of the item, otherwise the one in the lot code.')),
  shipQuantity: Type.Number(),
  shipQuantityUom: Type.String(),
  palletId: optional(Type.String()),
  harvestDate: optional(Type.String()),
  packagingDate: optional(Type.String()),
  productionDate: optional(Type.String()),
  bestBeforeDate: optional(Type.String()),
  expirationDate: optional(Type.String()),
  countryOfOrigin: optional(Type.String()),
}

const TracedLine = shape('TracedLine', { source: SourceId, ...ofLine }, 'A product line with the lot code.')
export type TracedLine = Static<typeof TracedLine>

const ofEvent = {
  id: RecordId,
  version: whole('The version that was read.'),
  eventDateTime: text('`eventDateTime` as written.'),
  dataProviderVendorId: Type.String(),
  dataProviderVendorName: optional(Type.String()),
  asnNumber: optional(Type.String()),
  billOfLadingNumber: optional(Type.String()),
  shipFromLocationCode: Type.String(),
  from: PlaceId,
  shipToLocationCode: Type.String(),
  to: PlaceId,
}

const TracedEvent = shape(
  'TracedEvent',
  {
    ...ofEvent,
    purchaseOrderNumber: Type.String(),
    lines: Type.Array(TracedLine),
  },
  'A receiving event with its lines of the lot code.',
)
export type TracedEvent = Static<typeof TracedEvent>

const ShippedLine = shape('ShippedLine', ofLine, 'A product line of a shipping event with the lot code.')
export type ShippedLine = Static<typeof ShippedLine>

const TracedShippingEvent = shape(
  'TracedShippingEvent',
  {
    ...ofEvent,
    purchaseOrderNumber: optional(Type.String()),
    lines: Type.Array(ShippedLine),
  },
  'A shipping event with its lines of the lot code.',
)
export type TracedShippingEvent = Static<typeof TracedShippingEvent>

const ShippedLink = shape(
  'ShippedLink',
  {
    from: PlaceId,
    to: PlaceId,
    arrival: Type.Enum(Object.keys(arrivals) as Arrival[], {
      description: `\`received\`: nothing is known to be missing. \`underWay\`: what is missing was shipped in the last ${underWayDaysDefault} days. \`partlyReceived\`: some is missing. \`notReceived\`: no receiving event of the lot has the same two places.`,
    }),
    quantities: quantities('What was shipped.'),
    received: quantities('What receiving events of the lot with the same two places say arrived.'),
    missing: quantities(
      'What was shipped less what was received. Empty also if something was received in a unit that nobody declared how to convert.',
    ),
    firstDateTime: text('The first `eventDateTime`, as written.'),
    lastDateTime: text('The last.'),
    events: Type.Array(RecordId, { description: 'Shipping events, in order.' }),
  },
  'Everything of the lot that was shipped from one place to another, whoever assigned its code.',
)
export type ShippedLink = Static<typeof ShippedLink>

const TracedVendor = shape(
  'TracedVendor',
  {
    dataProviderVendorId: Type.String(),
    dataProviderVendorName: optional(text('As first written.')),
    events: whole('Its events with the lot code.'),
  },
  'A vendor whose events have the lot code.',
)

const noteKinds = [
  'truncated',
  'earlierLots',
  'narrowed',
  'sharedCode',
  'sourceUnknown',
  'spellings',
  'readAlike',
  'nearCodes',
  'otherItems',
  'itemUnknown',
  'itemsDiffer',
  'sourcePlaceMissing',
  'sourceIdentifiersDiffer',
  'sourceChanged',
  'placeAssumed',
  'placeKeptApart',
  'receiptMissing',
  'notReceived',
  'sentBeforeReceived',
  'sentMoreThanReceived',
  'unitNeverReceived',
  'cycle',
] as const

const TraceNote = shape(
  'TraceNote',
  {
    kind: Type.Enum(noteKinds, { description: 'Kind of the note.' }),
    message: text('What was found.'),
    remedy: text('What to do about it.'),
    places: Type.Array(PlaceId, { description: 'Places it concerns.' }),
    sources: Type.Array(SourceId, { description: 'Lot code sources it concerns.' }),
    events: Type.Array(RecordId, { description: 'Events it concerns, at most 100.' }),
    eventCount: whole('All of them.'),
  },
  'A gap or a contradiction in the records.',
)
export type TraceNote = Static<typeof TraceNote>

const TracedChain = shape(
  'TracedChain',
  { source: SourceId, places: Type.Array(PlaceId, { description: 'In order.' }) },
  'A route of the lot of one source.',
)

const ReadAlikeLine = shape(
  'ReadAlikeLine',
  {
    record: Type.Enum(['receivingEvent', 'shippingEvent'], { description: 'Kind of the record.' }),
    id: RecordId,
    version: whole('The version that was read.'),
    pointer: text('JSON Pointer into the record.'),
    lotCode: text('`caseLotNumber` as written.'),
    gtin: optional(text('GTIN-14 of the item, as of a traced line.')),
    source: optional(text('Who assigned the lot code, in short. Absent if the line does not say.')),
    eventDateTime: text('`eventDateTime` as written.'),
    dataProviderVendorId: Type.String(),
    dataProviderVendorName: optional(Type.String()),
    purchaseOrderNumber: optional(Type.String()),
    shipFromLocationCode: Type.String(),
    shipToLocationCode: Type.String(),
    vendorItemCode: Type.String(),
    itemDescription: optional(Type.String()),
    shipQuantity: Type.Number(),
    shipQuantityUom: Type.String(),
  },
  `A product line with a different lot code that reads alike. Lot codes read alike when these differences are ignored: ${ignoredText}. Nothing else in the response counts it.`,
)
export type ReadAlikeLine = Static<typeof ReadAlikeLine>

/** Most of them in one answer. */
export const readAlikeLinesMax = 1_000

const TraceTotals = shape(
  'TraceTotals',
  {
    events: Type.Integer(),
    lines: Type.Integer(),
    places: Type.Integer(),
    sources: whole('Known sources of the lines in this response.'),
    sourcesOfCode: whole('All known sources that use the lot code, including those that `tlcSource` leaves out.'),
    moved: quantities('Sum of all lines. What passed through three places is counted twice.'),
    entered: quantities('Sent on by places that never received the lot of that source.'),
    remained: quantities('Received by places that never sent the lot of that source on.'),
  },
  'Counts and sums.',
)

export const LotTrace = shape(
  'LotTrace',
  {
    lotCode: text('The lot code, without the other elements of a GS1 text.'),
    reading: LotReading,
    totals: TraceTotals,
    notes: Type.Array(TraceNote, { description: 'What to know before acting on this response, at most 500 notes.' }),
    noteCount: whole('All of them.'),
    sources: Type.Array(TracedSource),
    places: Type.Array(TracedPlace, {
      description: 'In the order in which the lot first appears there; those last that only shipping events name.',
    }),
    vendors: Type.Array(TracedVendor, { description: 'In the order of their first event.' }),
    links: Type.Array(TracedLink, { description: 'In the order of their first event.' }),
    chains: Type.Array(TracedChain, {
      description: 'Routes from a first place to a last one. At most 100 routes, each of at most 100 places.',
    }),
    chainsTruncated: Type.Boolean({ description: 'True if there are more or longer chains.' }),
    events: Type.Array(TracedEvent, { description: 'In the order of `eventDateTime` as an instant, oldest first.' }),
    shippedLinks: Type.Array(ShippedLink, {
      description: 'What shipping events say was shipped. Nothing else in the response counts it.',
    }),
    shippingEvents: Type.Array(TracedShippingEvent, { description: 'In the order of `eventDateTime` as an instant.' }),
    readAlike: Type.Array(ReadAlikeLine, {
      description: `Lines that may belong to the lot, because their lot code reads alike. In the order of \`eventDateTime\` as an instant, at most ${readAlikeLinesMax.toLocaleString('en')}.`,
    }),
    readAlikeCount: whole('All of them that were found.'),
    readAlikeIgnores: Type.Array(Type.String(), {
      description: 'Differences between lot codes that were ignored to find these lines, in words.',
    }),
  },
  'Everything that the records say about one lot code.',
)
export type LotTrace = Static<typeof LotTrace>
