// The operation that lists every limit there is. Decided in 0042.
import { Type } from '../contract/shape/type.ts'
import type { Operation } from './base/operation.ts'

const Limit = Type.Object(
  {
    name: Type.String({ description: 'Name of the limit.' }),
    value: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The largest allowed value; null when there is no limit.',
    }),
    unit: Type.String({ description: 'Unit of the value.' }),
    meaning: Type.String({ description: 'What the limit bounds.' }),
    setBy: Type.Union([Type.String(), Type.Null()], {
      description: 'Environment variable of the service that sets it; null when it is fixed.',
    }),
  },
  { title: 'Limit', additionalProperties: false },
)

const LimitList = Type.Object({ content: Type.Array(Limit) }, { title: 'LimitList', additionalProperties: false })

export const listLimits = {
  name: 'listLimits',
  method: 'GET',
  path: '/limits',
  cites: '§8; decision 0042',
  summary: 'Lists the limits of the service, with their current values.',
  description: 'The limits of payloads, requests and keys. They are the same for every key.',
  role: 'partner',
  topic: 'limits',
  query: {},
  headers: [],
  outcomes: { listed: { status: 200, when: 'Always.', body: LimitList, retry: 'never' } },
} as const satisfies Operation
