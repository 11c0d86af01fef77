// Refusals: payloads that the service rejected. Not shown in the contract; decided in 0034.
import { Finding } from '../../contract/shape/finding.ts'
import { Type } from '../../contract/shape/type.ts'
import { keyName, nextCursor } from '../base/bodies.ts'
import type { Operation } from '../base/operation.ts'
import { paging } from '../base/query.ts'

/** Most findings that are kept of one refusal. */
export const refusalFindingsMax = 20

const Refusal = Type.Object(
  {
    id: Type.String({ description: 'Id of the refusal.' }),
    refusedDateTime: Type.String({ description: 'When, in UTC.' }),
    requestId: Type.String({ description: 'Id of the request; also in its answer and in the log.' }),
    keyId: Type.String({ description: 'Id of the key that sent it.' }),
    keyName,
    operation: Type.String({ description: 'Name of the operation.' }),
    recordId: Type.Union([Type.String(), Type.Null()], { description: 'The record to be replaced.' }),
    dataProviderVendorId: Type.Union([Type.String(), Type.Null()], {
      description: 'The vendor that the payload named; null if it named none.',
    }),
    outcome: Type.String({ description: 'Outcome of the call.' }),
    detail: Type.String({ description: 'The `detail` of the answer.' }),
    findings: Type.Array(Finding, { maxItems: refusalFindingsMax, description: 'The first findings, errors first.' }),
    findingCount: Type.Integer({ description: 'Number of all findings.' }),
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
  description: `The last 1,000 refusals of the provider, with the detail and findings of the answer. Ship notices of a sender that is not set up are among them. Dry runs are not recorded.`,
  role: 'reader',
  topic: 'refusals',
  query: paging,
  headers: [],
  outcomes: { listed: { status: 200, when: 'The page; it may be empty.', body: RefusalPage, retry: 'never' } },
} as const satisfies Operation
