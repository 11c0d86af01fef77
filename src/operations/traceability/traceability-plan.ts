// The traceability plan: procedures by the firm, and facts that the service knows itself. Not shown
// in the contract; decided in 0084.
import type { Static } from 'typebox'
import { eventKindNames } from '../../contract/record-kinds.ts'
import { Type } from '../../contract/shape/type.ts'
import { PlanContent } from '../../contract/traceability-plan.ts'
import { keyName, listedPage } from '../base/bodies.ts'
import { type Operation, taggedRead, unmodified } from '../base/operation.ts'
import { paging } from '../base/query.ts'

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const inForceFrom = 'When it came into force: when the service stored it, in UTC.'
const replacedDateTime = 'When the next version replaced it, in UTC; null while it is in force.'

const PlanGap = Type.Object(
  {
    cites: Type.String({ description: 'Paragraph that requires it.', examples: ['21 CFR 1.1315(a)(4)'] }),
    pointer: Type.String({ description: 'JSON Pointer of the field that would close it.' }),
    message: Type.String({ description: 'What is missing.' }),
    remedy: Type.String({ description: 'What to do.' }),
  },
  { title: 'TraceabilityPlanGap', additionalProperties: false },
)

const KnownStatement = Type.Object(
  {
    cites: Type.String({ description: 'Paragraph that it belongs to.' }),
    subject: Type.String(),
    statement: Type.String(),
  },
  { title: 'TraceabilityPlanStatement', additionalProperties: false },
)

const PlanElement = Type.Object(
  {
    sheet: Type.String({ description: 'The sheet of FDA’s spreadsheet.', examples: ['Harvesting'] }),
    cites: Type.String({ description: 'Paragraph that requires the key data element.' }),
    element: Type.String({ description: 'The key data element, as FDA’s spreadsheet names it.' }),
    fields: Type.String({ description: 'The fields of the record that it comes from.' }),
  },
  { title: 'TraceabilityPlanElement', additionalProperties: false },
)

const TraceabilityPlan = Type.Object(
  {
    version: Type.Integer({ description: 'Counted from 1; 0 while no plan is stored.' }),
    inForceFrom: orNull(`${inForceFrom} Null while no plan is stored.`),
    replacedDateTime: orNull(replacedDateTime),
    submittedBy: orNull('Id of the key that submitted it; null while no plan is stored.'),
    submittedByName: keyName,
    plan: PlanContent,
    gaps: Type.Array(PlanGap, { description: 'What 21 CFR 1.1315(a) requires and the plan lacks.' }),
    service: Type.Object(
      {
        kinds: Type.Array(Type.Enum([...eventKindNames]), { description: 'Kinds of which there are events.' }),
        statements: Type.Array(KnownStatement, { description: 'Formats, location and time of the records.' }),
        keyDataElements: Type.Array(PlanElement, {
          description:
            'Fields to key data elements, of the kinds of which there are events; of all kinds before there are any.',
        }),
      },
      {
        title: 'TraceabilityPlanAddition',
        description: 'What the service adds. It is always that of now, also for an earlier version.',
        additionalProperties: false,
      },
    ),
  },
  { title: 'TraceabilityPlan', additionalProperties: false },
)
export type TraceabilityPlanBody = Static<typeof TraceabilityPlan>

const PlanVersion = Type.Object(
  {
    version: Type.Integer({ description: 'Counted from 1; the highest is in force.' }),
    inForceFrom: Type.String({ description: inForceFrom }),
    replacedDateTime: orNull(replacedDateTime),
    submittedBy: Type.String({ description: 'Id of the key that submitted it.' }),
    submittedByName: keyName,
    contentHash: Type.String({ description: 'SHA-256 of the plan as JSON with its keys in order.' }),
  },
  { title: 'TraceabilityPlanVersion', additionalProperties: false },
)

const shared = { cites: '21 CFR 1.1315; decision 0084', topic: 'traceability plan' } as const

const readTraceabilityPlan = {
  ...shared,
  name: 'readTraceabilityPlan',
  method: 'GET',
  path: '/traceability-plan',
  summary: 'Reads the traceability plan, with what the service adds and what the plan lacks.',
  description:
    'The plan in force, or the one that was in force on a date. While no plan is stored, it is empty and has version 0. The ETag has the version, for If-Match.',
  role: 'reader',
  query: {
    onDate: {
      form: 'date',
      meaning: 'The plan that was in force at the end of this date, in UTC.',
      example: '2026-03-04',
    },
  },
  ...taggedRead,
  outcomes: {
    unmodified,
    found: { status: 200, when: 'There is always a plan.', body: TraceabilityPlan, retry: 'never' },
  },
} as const satisfies Operation

const replaceTraceabilityPlan = {
  ...shared,
  name: 'replaceTraceabilityPlan',
  method: 'PUT',
  path: '/traceability-plan',
  summary: 'Replaces the traceability plan as a whole.',
  description:
    'The new version is in force at once. Earlier versions are kept. A plan may lack something: the answer lists its gaps. The access log has an entry of each version.',
  role: 'administrator',
  query: {},
  headers: ['If-Match', 'If-None-Match'],
  body: PlanContent,
  outcomes: {
    refused: {
      status: 422,
      when: 'A field is unknown, too long or of the wrong type, or the plan has as many versions as it may have.',
      retry: 'changed',
    },
    stale: {
      status: 412,
      when: 'If-Match does not name the current version of the plan, or If-None-Match names it.',
      retry: 'changed',
    },
    unchanged: {
      status: 200,
      when: 'The plan already has this content. No version is created.',
      body: TraceabilityPlan,
      retry: 'never',
    },
    replaced: { status: 200, when: 'The plan is in force.', body: TraceabilityPlan, retry: 'never' },
  },
} as const satisfies Operation

const listTraceabilityPlanVersions = {
  ...shared,
  name: 'listTraceabilityPlanVersions',
  method: 'GET',
  path: '/traceability-plan/versions',
  summary: 'Lists the versions of the traceability plan, newest first.',
  description: 'Each with the time from which it was in force, and the time when it was replaced.',
  role: 'reader',
  query: { ...paging },
  headers: [],
  outcomes: { listed: listedPage(PlanVersion, 'TraceabilityPlanVersionPage') },
} as const satisfies Operation

const readTraceabilityPlanVersion = {
  ...shared,
  name: 'readTraceabilityPlanVersion',
  method: 'GET',
  path: '/traceability-plan/versions/{version}',
  summary: 'Reads one version of the traceability plan.',
  description: 'As it was written, with what it lacks.',
  role: 'reader',
  query: {},
  ...taggedRead,
  outcomes: {
    unknownVersion: { status: 404, when: 'The plan has no such version.', retry: 'never' },
    unmodified,
    found: { status: 200, when: 'The version.', body: TraceabilityPlan, retry: 'never' },
  },
} as const satisfies Operation

export const planOperations = {
  readTraceabilityPlan,
  replaceTraceabilityPlan,
  listTraceabilityPlanVersions,
  readTraceabilityPlanVersion,
}
