// The trace of a lot: where it came from, where it went, and what the records leave open. Source: decision 0028.
import { type Static, type TSchema, Type } from 'typebox'
import { RecordId } from '../contract/payloads.ts'

const shape = <P extends Record<string, TSchema>>(title: string, properties: P, description: string) =>
  Type.Object(properties, { title, additionalProperties: false, description })

const text = (description: string) => Type.String({ description })
const whole = (description: string) => Type.Integer({ description })
const optional = Type.Optional

const QuantityByUnit = shape(
  'QuantityByUnit',
  {
    quantity: Type.Number({ description: 'Sum of `shipQuantity`.' }),
    unit: text('`shipQuantityUom` as first written; units are compared without case and outer blanks.'),
  },
  'How much, in one unit.',
)
export type QuantityByUnit = Static<typeof QuantityByUnit>
const quantities = (description: string) => Type.Array(QuantityByUnit, { description })

const PlaceId = text('Id of a place in this answer, such as `P1`.')
const SourceId = text('Id of a lot code source in this answer, such as `S1`.')

const TracedSpelling = shape(
  'TracedSpelling',
  {
    lotCode: text('`caseLotNumber` as written.'),
    lines: whole('Product lines of this answer with it.'),
  },
  'One text that names the lot.',
)
export type TracedSpelling = Static<typeof TracedSpelling>

const LotReading = shape(
  'LotReading',
  {
    form: Type.Enum(['text', 'elementString', 'scanData', 'digitalLink', 'lgtinUrn', 'labelled'], {
      description: 'What the lot code in the address was read as; `text` when it is in no other form.',
    }),
    gtin: optional(text('GTIN-14 the lines are narrowed to, from the lot code or from `gtin`.')),
    spellings: Type.Array(TracedSpelling, {
      description: 'The texts that name the lot, in the order of their first line.',
    }),
  },
  'How the lot code was read, and under which texts the lot is stored.',
)

const identifierList = (name: string) =>
  Type.Array(Type.String(), { description: `Values of \`tlcSourceReference${name}\`.` })

const TracedSource = shape(
  'TracedSource',
  {
    id: SourceId,
    known: Type.Boolean({
      description:
        'False for lines that do not say who assigned the lot code: nobody knows whether they are of one source.',
    }),
    gtins: Type.Array(Type.String(), { description: 'GTIN-14 that lot codes of its lines name.' }),
    names: Type.Array(Type.String(), { description: '`tlcSourceName`, and names of places with the same GLN.' }),
    addresses: Type.Array(Type.String(), { description: 'Each in one line.' }),
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
  'Who assigned the lot code: all that lines with a common identifier say of it.',
)
export type TracedSource = Static<typeof TracedSource>

const PlaceCode = shape(
  'PlaceCode',
  { dataProviderVendorId: text('The vendor whose code it is.'), locationCode: text('The code.') },
  'A location code; codes are those of a vendor.',
)

const TracedPlace = shape(
  'TracedPlace',
  {
    id: PlaceId,
    name: text('`locationName` as last written.'),
    codes: Type.Array(PlaceCode),
    gln: optional(text('`gln`.')),
    address: optional(text('In one line.')),
    city: optional(text('City.')),
    state: optional(text('State or region.')),
    phoneNumber: optional(text('`phoneNumber`.')),
    role: Type.Enum(['first', 'between', 'last'], {
      description: '`first` only sent the lot on, `last` only received it, as far as records tell.',
    }),
    assumed: Type.Boolean({
      description: 'True when codes of several vendors were taken for this place without a common GLN.',
    }),
    received: quantities('What it received.'),
    sentOn: quantities('What others received from it.'),
    firstReceivedDateTime: optional(text('When it first received the lot, as written.')),
    firstSentOnDateTime: optional(text('When something sent from it was first received, as written.')),
    previous: Type.Array(PlaceId, { description: 'One step back: the places it received from.' }),
    next: Type.Array(PlaceId, { description: 'One step forward: the places that received from it.' }),
  },
  'A place the lot was at.',
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
  'All that went from one place to another with a lot code of one source.',
)
export type TracedLink = Static<typeof TracedLink>

const TracedLine = shape(
  'TracedLine',
  {
    pointer: text('JSON Pointer into the record.'),
    source: SourceId,
    lotCode: text('`caseLotNumber`.'),
    vendorItemCode: text('`vendorItemCode`.'),
    purchaserItemCode: optional(text('`purchaserItemCode`.')),
    itemDescription: optional(
      text('`vendorItemDescription`, else that of the item in the list of the event or in master data.'),
    ),
    gtin: optional(text('GTIN-14: `caseGtin`, else that of the item, else the one the lot code names.')),
    shipQuantity: Type.Number(),
    shipQuantityUom: Type.String(),
    palletId: optional(Type.String()),
    harvestDate: optional(Type.String()),
    packagingDate: optional(Type.String()),
    productionDate: optional(Type.String()),
    bestBeforeDate: optional(Type.String()),
    expirationDate: optional(Type.String()),
    countryOfOrigin: optional(Type.String()),
  },
  'A product line that carries the lot code.',
)
export type TracedLine = Static<typeof TracedLine>

const TracedEvent = shape(
  'TracedEvent',
  {
    id: RecordId,
    version: whole('The version that was read.'),
    eventDateTime: text('`eventDateTime` as written.'),
    dataProviderVendorId: Type.String(),
    dataProviderVendorName: optional(Type.String()),
    purchaseOrderNumber: Type.String(),
    asnNumber: optional(Type.String()),
    billOfLadingNumber: optional(Type.String()),
    shipFromLocationCode: Type.String(),
    from: PlaceId,
    shipToLocationCode: Type.String(),
    to: PlaceId,
    lines: Type.Array(TracedLine),
  },
  'A receiving event with its lines of the lot.',
)
export type TracedEvent = Static<typeof TracedEvent>

const TracedVendor = shape(
  'TracedVendor',
  {
    dataProviderVendorId: Type.String(),
    dataProviderVendorName: optional(text('As first written.')),
    events: whole('Its events of the lot.'),
  },
  'A vendor in whose events the lot is.',
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
  'sentBeforeReceived',
  'sentMoreThanReceived',
  'unitNeverReceived',
  'cycle',
] as const

const TraceNote = shape(
  'TraceNote',
  {
    kind: Type.Enum(noteKinds, { description: 'What it is about.' }),
    message: text('What was found.'),
    remedy: text('What to do about it.'),
    places: Type.Array(PlaceId, { description: 'Places it concerns.' }),
    sources: Type.Array(SourceId, { description: 'Lot code sources it concerns.' }),
    events: Type.Array(RecordId, { description: 'Events it concerns; at most 100.' }),
    eventCount: whole('All of them.'),
  },
  'Something the records leave open or contradict each other in.',
)
export type TraceNote = Static<typeof TraceNote>

const TracedChain = shape(
  'TracedChain',
  { source: SourceId, places: Type.Array(PlaceId, { description: 'In order.' }) },
  'A way the lot of one source took.',
)

const ReadAlikeLine = shape(
  'ReadAlikeLine',
  {
    id: RecordId,
    version: whole('The version that was read.'),
    pointer: text('JSON Pointer into the record.'),
    lotCode: text('`caseLotNumber` as written.'),
    gtin: optional(text('GTIN-14 of the item, as of a traced line.')),
    source: optional(text('Who assigned the lot code, in a few words; absent where the line does not say it.')),
    eventDateTime: text('`eventDateTime` as written.'),
    dataProviderVendorId: Type.String(),
    dataProviderVendorName: optional(Type.String()),
    purchaseOrderNumber: Type.String(),
    shipFromLocationCode: Type.String(),
    shipToLocationCode: Type.String(),
    vendorItemCode: Type.String(),
    itemDescription: optional(Type.String()),
    shipQuantity: Type.Number(),
    shipQuantityUom: Type.String(),
  },
  'A product line whose lot code is another, and reads alike: equal without case, blanks, dashes and the like. Nothing else in the answer counts it.',
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
    sources: whole('Known sources of the lines in this answer.'),
    sourcesOfCode: whole('All known sources that use the lot code, those left out by `tlcSource` too.'),
    moved: quantities('All lines together: what passed three places is counted twice.'),
    entered: quantities('What places sent on that never received the lot of that source.'),
    remained: quantities('What places received that never sent the lot of that source on.'),
  },
  'Counts and sums.',
)

export const LotTrace = shape(
  'LotTrace',
  {
    lotCode: text('The lot code, without what a GS1 text says besides.'),
    reading: LotReading,
    totals: TraceTotals,
    notes: Type.Array(TraceNote, { description: 'What to know before acting on this answer; at most 500.' }),
    noteCount: whole('All of them.'),
    sources: Type.Array(TracedSource),
    places: Type.Array(TracedPlace, { description: 'In the order in which the lot is first seen there.' }),
    vendors: Type.Array(TracedVendor, { description: 'In the order of their first event.' }),
    links: Type.Array(TracedLink, { description: 'In the order of their first event.' }),
    chains: Type.Array(TracedChain, {
      description: 'Ways from a first place to a last one; at most 100, each of at most 100 places.',
    }),
    chainsTruncated: Type.Boolean({ description: 'True when there are more chains, or longer ones.' }),
    events: Type.Array(TracedEvent, { description: 'By instant of `eventDateTime`, the oldest first.' }),
    readAlike: Type.Array(ReadAlikeLine, {
      description: `Lines that may be of the lot: their lot code reads alike. By instant of \`eventDateTime\`; at most ${readAlikeLinesMax.toLocaleString('en')}.`,
    }),
    readAlikeCount: whole('All of them that were found.'),
  },
  'Everything the records say of one lot code.',
)
export type LotTrace = Static<typeof LotTrace>
