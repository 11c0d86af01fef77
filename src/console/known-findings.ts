// What the rules say of a record as far as the page can know: what only the service knows, it has to be asked. Pure.
import type { Finding } from '../contract/finding.ts'
import type { RecordKind } from '../contract/record-kinds.ts'
import { judge, readPayload } from '../rules/judge.ts'
import { noFacts } from '../rules/rule.ts'

/** As the service has it when it is not told otherwise (decision 0008). */
const settings = { lotNumberRequiredFrom: '2026-01-01' }

export interface KnownFindings {
  readonly findings: readonly Finding[]
  /** False when a rule wanted to know what master data is stored. */
  readonly complete: boolean
}

export function knownFindings(kind: RecordKind, record: unknown): KnownFindings {
  const reading = readPayload(kind, kind.replacement, record)
  const { findings } = judge(kind, reading, [], noFacts, settings, false)
  const { locations, items } = reading.wanted
  return { findings, complete: locations.length === 0 && items.length === 0 }
}
