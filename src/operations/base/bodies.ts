// Shapes of answers. The success bodies of the two operations of the contract are exactly what §4
// shows, unless the call asks for more. Operations of a kind see them as TSchema only: with the
// full types of all operations, types exceed the length that the compiler writes out (TS7056).

import type { Static, TSchema } from 'typebox'
import { EarlierLot, earlierLotsMax } from '../../contract/earlier-lot.ts'
import { RecordId } from '../../contract/payloads.ts'
import type { RecordKind } from '../../contract/record-kinds.ts'
import { Finding, findingsMax, SeverityCounts } from '../../contract/shape/finding.ts'
import { Type } from '../../contract/shape/type.ts'
import { capitalize } from '../../contract/text/capitalize.ts'

const Pointers = Type.Array(Type.String(), { description: 'JSON Pointers.' })

/**
 * The changes of a replacement, as pointers into the record. Rule 3 of §1 removes fields silently,
 * and this reports them.
 */
const Changes = Type.Object(
  { added: Pointers, removed: Pointers, replaced: Pointers },
  { title: 'Changes', description: 'Against the version before.' },
)

const findings = Type.Array(Finding, { maxItems: findingsMax })

const findingCount = Type.Integer({ description: `All of them; at most ${findingsMax} are listed.` })

/**
 * Source: §4.1, §4.2. The fields after the first only with `Prefer: return=representation`
 * (decision 0014).
 */
export const Ingested: TSchema = Type.Object(
  {
    request_ids: Type.Array(RecordId, {
      description: 'Ids of the records, in the order of the payload. Each works as {id}.',
    }),
    findings: Type.Optional(findings),
    findingCount: Type.Optional(findingCount),
    severities: Type.Optional(SeverityCounts),
    changes: Type.Optional(Changes),
  },
  { title: 'Ingested', additionalProperties: false },
)

/** Answer to a dry run. */
export const Judged = Type.Object(
  {
    wouldBe: Type.Enum(['created', 'replaced', 'voided', 'unchanged'], {
      description: 'What the same call would do without dryRun.',
    }),
    findings,
    findingCount,
    severities: SeverityCounts,
    changes: Type.Optional(Changes),
  },
  { title: 'Judged', additionalProperties: false },
)

export const nextCursor = Type.Union([Type.String(), Type.Null()], {
  description: 'Send it as `cursor` to get the next page; null on the last page.',
})

/** The outcome of a list that is read page by page. `title` is the name of the page in OpenAPI. */
export const listedPage = <Entry extends TSchema>(entry: Entry, title: string) =>
  ({
    status: 200,
    when: 'The page; it may be empty.',
    body: Type.Object({ content: Type.Array(entry), nextCursor }, { title, additionalProperties: false }),
    retry: 'never',
  }) as const

const list = Type.String({ description: 'JSON Pointer of a list in the record.', examples: ['/eventList/productList'] })
const first = Type.Integer({ minimum: 0, description: 'Number of the first entry, from 0 as in a pointer.' })
const last = Type.Integer({ minimum: 0, description: 'Number of the last entry.' })

/** Neighbouring entries of a list. */
const EntrySpan = Type.Object({ list, first, last }, { title: 'EntrySpan', additionalProperties: false })

/** All findings of one rule. */
const RuleFindings = Type.Object(
  {
    rule: Finding.properties.rule,
    severity: Finding.properties.severity,
    findingCount: Type.Integer({ description: 'Findings of this rule.' }),
    summary: Type.String({ description: 'What must hold.' }),
    message: Type.Optional(Type.String({ description: 'What was found, when it is the same at every place.' })),
    remedy: Finding.properties.remedy,
    cites: Finding.properties.cites,
    docsUrl: Finding.properties.docsUrl,
    entries: Type.Array(EntrySpan, { description: 'Entries of lists that have a finding of this rule.' }),
  },
  { title: 'RuleFindings', additionalProperties: false },
)

/** Neighbouring entries of a list with as many findings each. */
const EntryFindings = Type.Object(
  { list, first, last, each: SeverityCounts },
  { title: 'EntryFindings', additionalProperties: false },
)

/** All findings of one version of a record. */
export const VersionFindings: TSchema = Type.Object(
  {
    version: Type.Integer({ description: 'The version of the record that they refer to.' }),
    findings: Type.Array(Finding, {
      maxItems: findingsMax,
      description: 'One page of those that the filters choose. Errors come first.',
    }),
    findingCount: Type.Integer({ description: 'Findings that the filters choose, on all pages.' }),
    severities: SeverityCounts,
    rules: Type.Optional(
      Type.Array(RuleFindings, {
        description: 'With `counts=true`: the findings by rule, errors first, then the rule with the most.',
      }),
    ),
    entries: Type.Optional(
      Type.Array(EntryFindings, {
        description: 'With `counts=true`: entries of lists that have findings. Entries that are not named have none.',
      }),
    ),
    nextCursor,
  },
  { title: 'VersionFindings', additionalProperties: false },
)

const Total = Type.Object(
  {
    records: Type.Integer({ description: 'Records that match the filters, as far as they were counted.' }),
    orMore: Type.Boolean({ description: 'True if there are more, or may be: counting ends after some 10,000.' }),
  },
  { title: 'Total', description: 'Only with `total=true`.', additionalProperties: false },
)

/** The records that an answer leaves out because the database lost them. Source: decision 0075. */
export const damaged = Type.Optional(
  Type.Array(
    Type.Object(
      { id: RecordId, version: Type.Integer({ description: 'The version that is missing.' }) },
      { title: 'MissingVersion', additionalProperties: false },
    ),
    {
      description:
        'Only when the database is damaged: versions that belong in this answer and are missing. They are not in `content`.',
    },
  ),
)

/** The current findings of the records of a page. Source: decision 0063. */
const JudgedRecords = Type.Object(
  {
    judgedDateTime: Type.String({ description: 'The moment of judging, in UTC.' }),
    records: Type.Array(
      Type.Object({ id: RecordId, severities: SeverityCounts }, { title: 'JudgedRecord', additionalProperties: false }),
    ),
  },
  {
    title: 'JudgedRecords',
    description: 'Only with `judged=now`: how many findings each record of the page has with the current master data.',
    additionalProperties: false,
  },
)
export type JudgedRecords = Static<typeof JudgedRecords>

/** One page of records. */
export const recordPage = (kind: RecordKind): TSchema =>
  Type.Object(
    {
      content: Type.Array(kind.record),
      nextCursor,
      total: Type.Optional(Total),
      judged: Type.Optional(JudgedRecords),
      damaged,
    },
    { title: `${capitalize(kind.name)}Page`, additionalProperties: false },
  )

/** The name of a key, shown beside its id. */
export const keyName = Type.Union([Type.String(), Type.Null()], {
  description: 'The person who has the key, else its label; null when the service has no such key.',
})

/** How an access ended that the access log notes (decision 0039). */
export const ending = Type.Enum(['done', 'cutOff', 'failed', 'open'], {
  description:
    '`done`: complete. `cutOff`: the receiver closed the connection. `failed`: the service broke it off. `open`: in progress, or its process ended first.',
})

/** The name of a vendor, shown beside its id. */
export const vendorName = Type.Union([Type.String(), Type.Null()], {
  description: 'Its name in its newest receiving event; null when that event has none.',
})

const VersionSummary = Type.Object(
  {
    version: Type.Integer({ description: 'Counted from 1; the highest is the record as it is now.' }),
    submittedDateTime: Type.String({ description: 'When the service stored it, in UTC.' }),
    keyId: Type.String({ description: 'Id of the key that submitted it.' }),
    keyName,
    payloadId: Type.Union([Type.String(), Type.Null()], { description: '`payloadId` of the payload.' }),
    contentHash: Type.String({ description: 'SHA-256 of the content, independent of the order of its keys.' }),
    findingCount: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Warnings and gaps kept with the version; null when they were purged with it.',
    }),
    purgedDateTime: Type.Union([Type.String(), Type.Null()], {
      description: 'When its content was purged after the retention time, in UTC; null while it is kept.',
    }),
    correction: Type.Union(
      [
        Type.Object(
          { id: Type.String(), reason: Type.String() },
          { title: 'VersionCorrection', additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'The bulk correction that made it, and its reason; null for any other version.' },
    ),
    shipNotice: Type.Union(
      [
        Type.Object(
          { senderId: Type.String(), number: Type.String() },
          { title: 'VersionShipNotice', additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'The replacement of a ship notice that made it; null for any other version.' },
    ),
    reason: Type.Union([Type.String(), Type.Null()], {
      description:
        'Why the version was stored, as its sender said in `Change-Reason`, or the reason of its bulk correction; else null.',
    }),
    voidReason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the record was voided, when the version is a void; else null.',
    }),
  },
  { title: 'VersionSummary', additionalProperties: false },
)

export const VersionPage = Type.Object(
  { content: Type.Array(VersionSummary), nextCursor, damaged },
  { title: 'VersionPage', additionalProperties: false },
)

/** RFC 9457 problem document, the body of every answer that is not a success. */
export const Problem = Type.Object(
  {
    type: Type.String({ description: 'Address of a page about this outcome.' }),
    title: Type.String({ description: 'When operations have this outcome.' }),
    status: Type.Integer(),
    detail: Type.String({ description: 'What happened this time, and what to do.' }),
    instance: Type.String({ description: 'The request, as `urn:uuid:`; also in the `Request-Id` header and the log.' }),
    findings: Type.Optional(findings),
    findingCount: Type.Optional(findingCount),
    severities: Type.Optional(SeverityCounts),
    heldBy: Type.Optional(Type.String({ description: 'Id of the record that holds the key.' })),
    records: Type.Optional(
      Type.Array(EarlierLot, {
        description: `Records that had the lot code until a correction or a void, at most ${earlierLotsMax}.`,
      }),
    ),
    currentVersion: Type.Optional(Type.Integer({ description: 'Current version of the record.' })),
  },
  { title: 'Problem' },
)
export type Problem = Static<typeof Problem>

/** The outcome of a write of a key that another record holds. `what` is the key. */
export const takenOutcome = (what: string) =>
  ({ status: 409, when: `Another record holds ${what}. The answer names it.`, retry: 'changed' }) as const

/** The outcome of a call that sets entries of a list. `title` is that of the body in OpenAPI. */
/** When a declared setting was set, and by whom. */
export const setStamp = {
  setDateTime: Type.String({ description: 'When it was set, in UTC.' }),
  setBy: Type.String({ description: 'Id of the key that set it.' }),
}

/** The list of all settings of a kind; `field` has what was sent. */
/** `more` are fields that the answer has beside what was sent. */
export const settingsListed = (title: string, field: string, sent: TSchema, more: Record<string, TSchema> = {}) =>
  ({
    status: 200,
    when: 'Always.',
    body: Type.Object(
      {
        content: Type.Array(
          Type.Object({ [field]: sent, ...more, ...setStamp }, { title, additionalProperties: false }),
        ),
      },
      { title: `${title}List`, additionalProperties: false },
    ),
    retry: 'never',
  }) as const

export const setOutcome = (when: string, title: string) =>
  ({
    status: 200,
    when,
    body: Type.Object(
      { set: Type.Integer({ description: 'Number of entries in the request.' }) },
      { title, additionalProperties: false },
    ),
    retry: 'never',
  }) as const
