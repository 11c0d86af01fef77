// Validates a record before it is sent: every rule, with each finding at its place in the file.
import type { Finding } from '../contract/shape/finding.ts'
import { judgeAlone } from '../rules/judge.ts'
import type { RuleSettings } from '../rules/rule.ts'
import type { IntakeRecord, PlacedFinding } from './intake-record.ts'

export interface RecordVerdict {
  readonly findings: readonly PlacedFinding[]
  /** Those that only the service can decide, from its master data. */
  readonly undecided: readonly PlacedFinding[]
  readonly refused: boolean
}

export function judgeRecord(record: IntakeRecord, settings: RuleSettings, now: number): RecordVerdict {
  const { kind, payload, breaches, findings } = record
  const verdict = judgeAlone(kind, kind.createPayload, payload, { now, settings, textBreaches: breaches })
  // A cell that cannot be read was reported already, so no rule reports its field as missing.
  const saidAt = new Set(findings.map(placeOf))
  const placedFindings = verdict.findings.map((finding) => placedFinding(record, finding))
  const refusedAt = new Set(placedFindings.filter(({ severity }) => severity === 'error').map(placeOf))
  return {
    findings: [
      ...findings.map((one) => (refusedAt.has(placeOf(one)) ? { ...one, severity: 'error' as const } : one)),
      ...placedFindings.filter((one) => !saidAt.has(placeOf(one))),
    ],
    undecided: verdict.undecided.map((finding) => placedFinding(record, finding)),
    refused: verdict.refused || findings.some(({ severity }) => severity === 'error'),
  }
}

const placeOf = ({ row, column }: PlacedFinding): string => `${row} ${column ?? ''}`

/** A finding about a payload, from here or from the service, with its place in the file. */
export const placedFinding = (record: IntakeRecord, finding: Finding): PlacedFinding => ({
  severity: finding.severity,
  rule: finding.rule,
  ...record.locate(finding.pointer),
  message: finding.message,
  remedy: finding.remedy,
})
