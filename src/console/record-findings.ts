// The findings of a record as it is now.
import { ProblemError } from '../client/failure.ts'
import type { Finding } from '../contract/finding.ts'
import { knownFindings } from './known-findings.ts'
import type { RecordSection, StoredRecord } from './record-sections.ts'
import type { Session } from './session.ts'

export interface RecordFindings {
  readonly findings: readonly Finding[]
  readonly findingCount: number
  /** False when the page judged alone, without what only the service knows. */
  readonly complete: boolean
}

/** A writer has the record judged by the service, in a dry run of replacing it with itself; for a reader the page judges. */
export async function findingsOf(
  { api, role }: Session,
  { kind, replace }: RecordSection,
  record: StoredRecord,
  signal: AbortSignal,
): Promise<RecordFindings> {
  const here = (): RecordFindings => {
    const { findings, final } = knownFindings(kind, record)
    return { findings, findingCount: findings.length, complete: final }
  }
  if (role === 'reader') return here()
  try {
    const { body } = await replace(api, { id: record.id, body: record, dryRun: true, signal })
    return { findings: body.findings ?? [], findingCount: body.findingCount ?? 0, complete: true }
  } catch (error) {
    // What was taken once may be refused today.
    if (error instanceof ProblemError && error.findings.length > 0)
      return { findings: error.findings, findingCount: error.problem.findingCount ?? 0, complete: true }
    if (error instanceof ProblemError) return here()
    throw error
  }
}
