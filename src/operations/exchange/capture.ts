// Capture of EPCIS documents: their events become records, each with a verdict. Not shown in the
// contract; decided in 0083.
import { NewCaptureSender } from '../../contract/capture-sender.ts'
import { optional } from '../../contract/shape/field.ts'
import { SeverityCounts } from '../../contract/shape/finding.ts'
import { Type } from '../../contract/shape/type.ts'
import type { Operation } from '../base/operation.ts'
import { dryRun } from '../base/query.ts'

/** Media types of XML. */
const xmlTypes = ['application/xml', 'text/xml'] as const
/** Media type of JSON-LD. */
const jsonLd = 'application/ld+json'

/** Most findings that one answer lists. */
export const captureFindingsMax = 500

export const verdicts = ['captured', 'duplicate', 'outOfScope', 'refused'] as const
export const effects = ['created', 'replaced', 'voided', 'remembered'] as const

const anything = (description: string) => Type.Unsafe<unknown>({ description })

const CaptureDocument = Type.Object(
  {
    '@context': Type.Optional(anything('Context of JSON-LD. The words of EPCIS are known without it.')),
    type: Type.Optional(
      Type.String({ description: '`EPCISDocument`, or `EPCISQueryDocument`.', examples: ['EPCISDocument'] }),
    ),
    xml: Type.Optional(
      Type.String({
        description: 'The document in XML, instead of the other fields.',
        examples: ['<EPCISDocument>…</EPCISDocument>'],
      }),
    ),
    schemaVersion: Type.Optional(Type.String({ examples: ['2.0'] })),
    creationDate: Type.Optional(Type.String({ examples: ['2026-03-04T18:00:00Z'] })),
    sender: Type.Optional(
      Type.String({
        description: 'Who sent it. The defaults of this sender are used.',
        examples: ['urn:epc:id:pgln:0614141.00001'],
      }),
    ),
    epcisHeader: Type.Optional(anything('Master data of items and places.')),
    epcisBody: Type.Optional(anything('`eventList`, or the results of a query.')),
    senderDefaults: optional(NewCaptureSender),
  },
  {
    title: 'CaptureDocument',
    description:
      'An EPCIS 2.0 document in JSON-LD. Everything that the standard allows is accepted. As XML, versions 1.1 to 2.0.',
  },
)

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const CaptureFinding = Type.Object(
  {
    pointer: Type.String({ description: 'JSON Pointer (RFC 6901) into the document as sent.' }),
    message: Type.String({ description: 'What was found there.' }),
    remedy: Type.String({ description: 'What to do about it.' }),
    rule: orNull('Id of the rule of the contract; null where EPCIS itself is wrong or incomplete.'),
  },
  { title: 'CaptureFinding', additionalProperties: false },
)

const CapturedEvent = Type.Object(
  {
    pointer: Type.String({ description: 'JSON Pointer of the event in the document.' }),
    eventId: orNull('`eventID` of the event; null when it has none.'),
    verdict: Type.Enum([...verdicts], {
      description:
        '`captured`: it became a record, or changed one. `duplicate`: it was captured before. `outOfScope`: events of this kind become no record. `refused`: it has errors.',
    }),
    effect: Type.Union([Type.Enum([...effects]), Type.Null()], {
      description:
        'What a captured event did, or would do in a dry run. `remembered`: the sender declared a record wrong, and the event that corrects it replaced the record.',
    }),
    kind: orNull('Kind of the record, such as `receivingEvent`.'),
    recordId: orNull('Id of the record; null where there is none, and for one that a dry run would create.'),
    reason: orNull(
      'Why the event is out of scope: `otherStep`, `otherType`, `otherAction`, `packing`, `declaredWrong`.',
    ),
    detail: orNull('The verdict as a sentence; null when the event became a record.'),
    findings: Type.Array(CaptureFinding, {
      description: `Errors of a refused event. One answer lists at most ${captureFindingsMax}.`,
    }),
    findingCount: Type.Integer({ description: 'Number of errors.' }),
    severities: Type.Union([SeverityCounts, Type.Null()], {
      description: 'Findings of the new record, by severity; null where no record was created.',
    }),
  },
  { title: 'CaptureVerdict', additionalProperties: false },
)

const count = (description: string) => Type.Integer({ description })

const CaptureResult = Type.Object(
  {
    sender: orNull('The sender whose defaults were used; null when the document names none.'),
    eventCount: count('Events of the document.'),
    captured: count('Events that became records, or changed them.'),
    duplicate: count('Events that were captured before.'),
    outOfScope: count('Events that become no record.'),
    refused: count('Events with errors.'),
    events: Type.Array(CapturedEvent, { description: 'A verdict for each event, in the order of the document.' }),
  },
  { title: 'CaptureResult', additionalProperties: false },
)

export const captureEpcis = {
  name: 'captureEpcis',
  method: 'POST',
  path: '/capture',
  cites: 'decision 0083',
  summary: 'Captures the events of an EPCIS document.',
  description:
    'Each event has a verdict of its own: those that are right are stored, whatever is wrong with others. `receiving` becomes a receiving event, `shipping` a shipping event. An event with an `errorDeclaration` voids the record of the event, or the event that corrects it replaces the record. Events are recognised by their `eventID`, so a document can be sent again. What records need and events lack comes from the header, from stored master data, from the shipping event of the same document, and from the defaults of the sender. A dry run can try other defaults: `senderDefaults` beside the document holds instead of the stored ones of its sender, or without a sender, of those of all senders.',
  role: 'writer',
  topic: 'EPCIS capture',
  query: {
    dryRun,
    sender: {
      form: 'text',
      meaning: 'Sender whose defaults are used, instead of the one in the document.',
      example: 'urn:epc:id:pgln:0614141.00001',
    },
  },
  headers: [],
  body: CaptureDocument,
  bodyTypes: [jsonLd, ...xmlTypes],
  fileField: 'xml',
  outcomes: {
    refused: {
      status: 422,
      when: 'The body is not an EPCIS document, has too many events, or tries defaults without `dryRun`. Nothing is stored.',
      retry: 'changed',
    },
    judged: {
      status: 200,
      when: 'The request was a dry run. Nothing is stored.',
      body: CaptureResult,
      retry: 'never',
    },
    captured: {
      status: 200,
      when: 'Each event has its verdict. Records of captured events are stored.',
      body: CaptureResult,
      retry: 'never',
    },
  },
} as const satisfies Operation
