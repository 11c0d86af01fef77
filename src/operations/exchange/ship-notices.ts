// Ship notices (X12 856) become shipping events. Not shown in the contract; decided in 0082.
import type { TSchema } from 'typebox'
import { RecordId } from '../../contract/payloads.ts'
import { optional } from '../../contract/shape/field.ts'
import { findingsMax } from '../../contract/shape/finding.ts'
import { Type } from '../../contract/shape/type.ts'
import { NewShipNoticeSender } from '../../contract/ship-notice-sender.ts'
import type { Operation } from '../base/operation.ts'
import { dryRun } from '../base/query.ts'

const shipNoticeMediaType = 'application/edi-x12'

/** Most notices that one call reads. */
export const noticesPerCallMax = 200

/** Most notices of which a dry run shows the events. */
export const shownNoticesMax = 10

const NewShipNotices = Type.Object(
  {
    interchange: Type.String({
      // The limit of bodies is the limit of files.
      maxLength: 100_000_000,
      description: 'One or more X12 interchanges, from ISA to IEA.',
      examples: ['ISA*00*          *00*          *ZZ*GREENVALLEY    *ZZ*BUYER          *260303*1615*U*00401*…'],
    }),
    sender: optional(NewShipNoticeSender),
  },
  { title: 'NewShipNotices', additionalProperties: false },
)

const NoticeFinding = Type.Object(
  {
    severity: Type.Enum(['error', 'warning', 'gap'], { description: '`error` refuses the notice.' }),
    segment: Type.Integer({ minimum: 1, description: 'Number of the segment in the file, from 1.' }),
    segmentId: Type.String({ description: 'Its id, e.g. `LIN`.' }),
    element: Type.Optional(Type.Integer({ minimum: 1, description: 'Number of the element in the segment.' })),
    message: Type.String(),
    remedy: Type.String(),
    rule: Type.Optional(Type.String({ description: 'The rule, for a finding about the event that was made.' })),
    pointer: Type.Optional(Type.String({ description: 'JSON Pointer into the event that was made.' })),
  },
  { title: 'NoticeFinding', additionalProperties: false },
)

const NoticeEffect = Type.Object(
  {
    id: Type.Union([RecordId, Type.Null()], { description: 'Null for an event that would be created.' }),
    effect: Type.Enum(['created', 'replaced', 'voided', 'unchanged']),
  },
  { title: 'NoticeEffect', additionalProperties: false },
)

const NoticeResult = Type.Object(
  {
    segment: Type.Integer({ description: 'Number of the ST segment in the file.' }),
    senderId: Type.String({ description: 'ISA06.' }),
    senderQualifier: Type.String({ description: 'ISA05.' }),
    interchange: Type.String({ description: 'Control number of the interchange, ISA13.' }),
    number: Type.Union([Type.String(), Type.Null()], { description: 'Number of the notice, BSN02.' }),
    purpose: Type.Union([Type.Enum(['original', 'replacement', 'cancellation']), Type.Null()], {
      description: 'What BSN01 means; null where that was not read.',
    }),
    verdict: Type.Enum(['created', 'replaced', 'cancelled', 'duplicate', 'superseded', 'accepted', 'refused'], {
      description:
        '`created`: its events are stored. `replaced`: those of the original are replaced. `cancelled`: they are voided. `duplicate`: that was done before. `superseded`: a later notice with this number was carried out, so this one changed nothing. `accepted`: it would be carried out, in a dry run. `refused`: nothing of it is stored.',
    }),
    request_ids: Type.Array(RecordId, { description: 'Ids of its shipping events, also of a duplicate.' }),
    effects: Type.Array(NoticeEffect, {
      description: 'What became of each shipping event, or would in a dry run.',
    }),
    findings: Type.Array(NoticeFinding, { description: `Errors first. At most ${findingsMax} in one response.` }),
    findingCount: Type.Integer({ description: 'All of them.' }),
    events: Type.Optional(
      Type.Array(Type.Unsafe<object>({ type: 'object' }), {
        description: `Of a dry run, for the first ${shownNoticesMax} notices: the payloads that would be stored.`,
      }),
    ),
  },
  { title: 'NoticeResult', additionalProperties: false },
)

const ShipNoticesRead: TSchema = Type.Object(
  {
    notices: Type.Array(NoticeResult),
    findings: Type.Array(NoticeFinding, { description: 'About the file around the notices.' }),
    acknowledgment: Type.Optional(
      Type.String({ description: 'The answer to the sender as X12, with `acknowledgment`.' }),
    ),
  },
  { title: 'ShipNoticesRead', additionalProperties: false },
)

export const importShipNotices = {
  name: 'importShipNotices',
  method: 'POST',
  path: '/ship-notices',
  cites: '21 CFR 1.1340(a); decision 0082',
  summary: 'Reads ship notices (X12 856) and creates, replaces or voids their shipping events.',
  description: `The body is the file itself as \`${shipNoticeMediaType}\`, or JSON with the file in a field. Each notice is stored as a whole or refused, whatever happens to the others. A notice that is sent again changes nothing. A replacement (BSN01 05) replaces the shipping events of the notice of the same sender and number, and a cancellation (01) voids them. Its sender must be set up with \`PUT /ship-notice-senders\`. A dry run can try other settings of a sender: \`sender\` in the JSON holds instead of the stored ones.`,
  role: 'writer',
  topic: 'ship notices',
  query: {
    dryRun,
    acknowledgment: {
      form: 'choice',
      meaning: 'Also writes an acknowledgment for the sender: a functional (997) or an implementation one (999).',
      example: '997',
      values: ['none', '997', '999'],
    },
  },
  headers: [],
  body: NewShipNotices,
  bodyTypes: [shipNoticeMediaType],
  fileField: 'interchange',
  otherEncoding: 'windows-1252',
  outcomes: {
    refused: {
      status: 422,
      when: `The body has the wrong shape, the file has more than ${noticesPerCallMax} notices, or settings are tried without \`dryRun\`. Nothing is stored.`,
      retry: 'changed',
    },
    read: {
      status: 200,
      when: 'The file was read. Each notice has its verdict.',
      body: ShipNoticesRead,
      retry: 'never',
    },
  },
} as const satisfies Operation
