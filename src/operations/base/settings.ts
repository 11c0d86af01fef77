// The operator's settings that rules use. Clients that validate before they send apply the same.
import type { Static } from 'typebox'
import { Type } from '../../contract/shape/type.ts'
import type { Operation } from './operation.ts'

const RuleSettings = Type.Object(
  {
    lotNumberRequiredFrom: Type.String({
      description:
        'First event date, yyyy-MM-dd, from which a product line needs a lot number (LOT_NUMBER_REQUIRED_FROM).',
      examples: ['2026-01-01'],
    }),
  },
  { title: 'RuleSettings', additionalProperties: false },
)
export type RuleSettingsBody = Static<typeof RuleSettings>

export const readSettings = {
  name: 'readSettings',
  method: 'GET',
  path: '/settings',
  cites: '§2.5; decision 0047',
  summary: 'Reads the settings that the rules use.',
  description:
    'The operator sets them, and they are the same for every key. Use them in a client that validates payloads before it sends them.',
  role: 'reader',
  topic: 'limits',
  query: {},
  headers: [],
  outcomes: { found: { status: 200, when: 'Always.', body: RuleSettings, retry: 'never' } },
} as const satisfies Operation
