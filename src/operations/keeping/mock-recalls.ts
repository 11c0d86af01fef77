// Mock recalls: drills against the clock, with a signed report. Not shown in the contract; decided
// in 0069.
import type { Static, TSchema } from 'typebox'
import { deliveryKindNames } from '../../contract/record-kinds.ts'
import { boolean, object, optional, text } from '../../contract/shape/field.ts'
import { Type } from '../../contract/shape/type.ts'
import { mockRecallFormat } from '../../evidence/evidence.ts'
import { RecoveredLot } from '../../tracing/lot-chain.ts'
import { keyName, nextCursor } from '../base/bodies.ts'
import type { Operation } from '../base/operation.ts'
import { paging } from '../base/query.ts'
import { dates } from '../traceability/completeness.ts'

/** FDA may ask for the records within 24 hours. Source: 21 CFR 1.1455(c)(3). */
export const targetSeconds = 86_400

/** Longest a drill runs. A drill without an end after this time was interrupted. */
export const drillSecondsMax = 900

const section = '8'

const NewMockRecall = object('NewMockRecall', {
  lotCode: optional(
    text({
      meaning: 'The lot to recall, in any form. Without it a lot is drawn from the events of the last 12 months.',
      example: 'GV26063-A',
      section,
    }),
  ),
  chain: optional(
    boolean({
      meaning:
        'True to report recovered ÷ made of all lots that were made of it, too, and to put their records into the package.',
      example: true,
      section,
    }),
  ),
  seed: optional(
    text({
      meaning:
        'What the draw depends on: the same seed draws the same lot from the same events. Without it one is made.',
      example: '2026-Q1',
      section,
    }),
  ),
})

/** Most lot codes in a report. */
export const recoveryMax = 500

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const MockRecallStep = Type.Object(
  {
    name: Type.Enum(['trace', 'package', 'gaps'], {
      description:
        '`trace`: where the lot came from and went, and how much of it is found. `package`: the files for FDA. `gaps`: what they lack.',
    }),
    seconds: Type.Number({ description: 'Duration, to the millisecond.' }),
  },
  { title: 'MockRecallStep', additionalProperties: false },
)
const steps = Type.Array(MockRecallStep, { description: 'Steps that are done, in order.' })

const MockRecallDraw = Type.Union(
  [
    Type.Object(
      {
        seed: Type.String({ description: 'What the draw depended on.' }),
        ...dates,
        events: Type.Integer({
          description: 'Receiving and shipping events from which it was drawn, in the order of date and id.',
        }),
        record: Type.Enum([...deliveryKindNames], { description: 'Kind of the event that was drawn.' }),
        event: Type.String({ description: 'Its id.' }),
      },
      { title: 'MockRecallDraw', additionalProperties: false },
    ),
    Type.Null(),
  ],
  { description: 'How the lot was drawn; null when it was named.' },
)

export const MockRecallReport = Type.Object(
  {
    format: Type.Literal(mockRecallFormat),
    id: Type.String({ description: 'Id of the drill.' }),
    provider: Type.Object({ id: Type.String(), name: Type.String() }, { additionalProperties: false }),
    lotCode: Type.String({ description: 'The lot that was recalled.' }),
    drawn: MockRecallDraw,
    startedDateTime: Type.String({ description: 'In UTC.' }),
    startedBy: Type.String({ description: 'Id of the key that started it.' }),
    endedDateTime: Type.String({ description: 'In UTC.' }),
    seconds: Type.Number({ description: 'From the start to the end, to the millisecond.' }),
    targetSeconds: Type.Integer({ description: 'The 24 hours of 21 CFR 1.1455(c)(3).' }),
    isWithinTarget: Type.Boolean({ description: 'True when the package was complete within that time.' }),
    failure: orNull('Why the drill failed; null when all steps were done.'),
    steps,
    found: Type.Object(
      {
        recovery: Type.Array(RecoveredLot, {
          description: `Recovered ÷ made of the lot, and with \`chain\` of all lots that were made of it, at most ${recoveryMax}.`,
        }),
        recoveryCount: Type.Integer({ description: 'All of them.' }),
        isRecoveryWhole: Type.Boolean({
          description:
            'False where events are missing or more than a chain may have, so that quantities are not complete.',
        }),
        isInDelivery: Type.Boolean({
          description:
            'False for a lot that was only made, used or packed: its trace is empty, because no receiving or shipping event has it.',
        }),
        events: Type.Integer({ description: 'Receiving events with the lot.' }),
        lines: Type.Integer({ description: 'Their product lines of the lot.' }),
        shippingEvents: Type.Integer({ description: 'Shipping events with the lot.' }),
        shippingLines: Type.Integer({ description: 'Their product lines of the lot.' }),
        places: Type.Integer({ description: 'Places where it was.' }),
        notes: Type.Integer({ description: 'Gaps and contradictions that the trace found.' }),
        readAlike: Type.Integer({ description: 'Lines of lot codes that only read alike.' }),
        incompleteLines: Type.Integer({
          description: 'Lines of the lot, in events of all kinds, that lack a key data element.',
        }),
        missing: Type.Array(
          Type.Object(
            {
              kde: Type.String({ description: 'Name of the key data element.' }),
              cites: Type.String({ description: 'Its paragraph of 21 CFR.' }),
              lines: Type.Integer({ description: 'Lines that lack it.' }),
            },
            { additionalProperties: false },
          ),
        ),
      },
      { title: 'MockRecallFindings', additionalProperties: false },
    ),
    package: Type.Union(
      [
        Type.Object(
          {
            name: Type.String({ description: 'Name of the file.' }),
            bytes: Type.Integer(),
            sha256: Type.String({ description: 'Of the file. It was made and not kept.' }),
          },
          { title: 'MockRecallPackage', additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'The FDA package that was made; null when the drill failed before.' },
    ),
  },
  { title: 'MockRecallReport', additionalProperties: false },
)
export type MockRecallReport = Static<typeof MockRecallReport>

export const MockRecall = Type.Object(
  {
    id: Type.String({ description: 'Id of the drill.' }),
    state: Type.Enum(['running', 'done', 'failed', 'interrupted'], {
      description: '`interrupted`: its process ended before it.',
    }),
    lotCode: Type.String({ description: 'The lot that is recalled.' }),
    startedDateTime: Type.String({ description: 'In UTC.' }),
    startedBy: Type.String({ description: 'Id of the key that started it.' }),
    startedByName: keyName,
    steps,
    report: Type.Union([MockRecallReport, Type.Null()], { description: 'What is signed; null before its end.' }),
    reportHash: orNull('SHA-256 of the report as JSON without blanks, names sorted.'),
    signingKeyId: orNull('Id of the key that signed it.'),
    publicKey: orNull('The public key, SubjectPublicKeyInfo in base64.'),
    signature: orNull('Ed25519, in base64. `docs/evidence.md` says over which text.'),
  },
  { title: 'MockRecall', additionalProperties: false },
)
export type MockRecall = Static<typeof MockRecall>

const shared = { cites: '21 CFR 1.1455(c)(3); decision 0069', topic: 'mock recalls', headers: [], query: {} } as const

const listMockRecalls = {
  ...shared,
  name: 'listMockRecalls',
  method: 'GET',
  path: '/mock-recalls',
  summary: 'Lists mock recalls, newest first.',
  description: 'Each with its signed report, once it has ended.',
  role: 'reader',
  query: paging,
  outcomes: {
    listed: {
      status: 200,
      when: 'The page; it may be empty.',
      body: Type.Object(
        { content: Type.Array(MockRecall), nextCursor },
        { title: 'MockRecallPage', additionalProperties: false },
      ) as TSchema,
      retry: 'never',
    },
  },
} as const satisfies Operation

const startMockRecall = {
  ...shared,
  name: 'startMockRecall',
  method: 'POST',
  path: '/mock-recalls',
  summary: 'Starts a mock recall: a lot is traced and packed for FDA against the clock.',
  description: `Answers at once. The service then traces the lot, makes the FDA package and counts what its lines lack, and signs a report with the duration of each step. Read it at \`Location\` until \`state\` is no longer \`running\`. The package is hashed and not kept. A drill runs at most ${drillSecondsMax / 60} minutes.`,
  role: 'writer',
  body: NewMockRecall,
  outcomes: {
    refused: {
      status: 422,
      when: 'A field is wrong, or no lot can be drawn because the records have none.',
      retry: 'changed',
    },
    drillRunning: { status: 409, when: 'Another mock recall of the provider is running.', retry: 'later' },
    started: { status: 201, when: 'The mock recall is running.', body: MockRecall as TSchema, retry: 'never' },
  },
} as const satisfies Operation

const readMockRecall = {
  ...shared,
  name: 'readMockRecall',
  method: 'GET',
  path: '/mock-recalls/{id}',
  summary: 'Reads a mock recall with its signed report.',
  description: 'Save the answer as a file: `lotkeeper verify` checks its signature without the service.',
  role: 'reader',
  outcomes: {
    unknownMockRecall: { status: 404, when: 'The provider has no mock recall with this id.', retry: 'never' },
    found: { status: 200, when: 'The mock recall is there.', body: MockRecall as TSchema, retry: 'never' },
  },
} as const satisfies Operation

export const mockRecallOperations = { listMockRecalls, startMockRecall, readMockRecall }
