// Validates payloads in the client. A file of its own, so that programs that do not use it do not
// load the rules.

import type { Operation } from '../operations/base/operation.ts'
import { operations } from '../operations/catalogue.ts'
import { judgeAlone } from '../rules/judge.ts'
import type { LocalJudge } from './client.ts'
import type { Finding, RuleSettings } from './generated/shapes.ts'

/**
 * All rules that need no database, for `judgeFirst`. `settings` are those of the service:
 * `readSettings` returns them, e.g. `{ lotNumberRequiredFrom: '2026-01-01' }`. Dates
 * decades away from `now` are found.
 */
export const localRules =
  (settings: RuleSettings, now: () => number = Date.now): LocalJudge =>
  (name, payload): readonly Finding[] => {
    const { record, body }: Operation = operations[name]
    if (record === undefined || body === undefined) return []
    return judgeAlone(record, body, payload, { now: now(), settings }).findings
  }
