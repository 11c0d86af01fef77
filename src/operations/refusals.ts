// Refusals: what a provider sent and the service did not take. Not shown in the contract; decided in 0034.
import { Type } from 'typebox'
import { Finding } from '../contract/finding.ts'
import { nextCursor } from './bodies.ts'
import type { Operation } from './operation.ts'
import { paging } from './query.ts'

/** Findings kept of one refusal. */
export const refusalFindingsMax = 20

const Refusal = Type.Object(
  {
    id: Type.String({ description: 'Id of the refusal.' }),
    refusedDateTime: Type.String({ description: 'When, in UTC.' }),
    requestId: Type.String({ description: 'Id of the request; its answer and the log carry it too.' }),
    keyId: Type.String({ description: 'Id of the key that sent it.' }),
    operation: Type.String({ description: 'Name of the operation.' }),
    recordId: Type.Union([Type.String(), Type.Null()], { description: 'The record that was to be replaced.' }),
    outcome: Type.String({ description: 'How the call ended.' }),
    detail: Type.String({ description: 'What the sender was told.' }),
    findings: Type.Array(Finding, { maxItems: refusalFindingsMax, description: 'The first of them, errors first.' }),
    findingCount: Type.Integer({ description: 'All of them.' }),
  },
  { title: 'Refusal', additionalProperties: false },
)

const RefusalPage = Type.Object(
  { content: Type.Array(Refusal), nextCursor },
  { title: 'RefusalPage', additionalProperties: false },
)

export const listRefusals = {
  name: 'listRefusals',
  method: 'GET',
  path: '/refusals',
  cites: 'decision 0034',
  summary: 'Lists creates and replacements that were refused, newest first.',
  description: `The last thousand of the provider, with what the sender was told. Dry runs are not among them.`,
  role: 'reader',
  topic: 'refusals',
  query: paging,
  headers: [],
  outcomes: { listed: { status: 200, when: 'The page is found, be it empty.', body: RefusalPage, retry: 'never' } },
} as const satisfies Operation
