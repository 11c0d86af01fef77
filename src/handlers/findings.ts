// Reads the findings of a record: those kept with a version, or those of today.
import { type Finding, findingsMax } from '../contract/finding.ts'
import type { RecordKind } from '../contract/record-kinds.ts'
import type { Operation } from '../operations/operation.ts'
import { judge, readPayload } from '../rules/judge.ts'
import { noFacts } from '../rules/rule.ts'
import { shownFindings } from '../rules/stored-findings.ts'
import { type JudgedVersion, readCurrentVersion } from '../store/record-versions.ts'
import type { StoredVersion } from '../store/statement.ts'
import { findFacts } from '../store/store.ts'
import type { Answer, HandlerContext, OperationCall } from './handler.ts'
import { heldByIn, masterDataIn, timeZonesFor } from './judged-payload.ts'
import {
  isAtHand,
  missingRecord,
  missingVersion,
  namedVersion,
  type Purged,
  purgedRecord,
  purgedVersion,
  type ReadOutcome,
} from './read.ts'
import { isRecordId } from './record-id.ts'

export const readFindings =
  <O extends Operation>(context: HandlerContext, kind: RecordKind, operation: O) =>
  async (call: OperationCall): Promise<Answer<ReadOutcome | Purged<O>>> => {
    const { store } = context
    const stored = isRecordId(call.id) ? await readCurrentVersion(store, call.provider, kind.name, call.id) : undefined
    if (stored === undefined) return { outcome: 'unknownRecord', detail: await missingRecord(context, call, kind) }
    if ('purgedAt' in stored) return purgedRecord(operation, kind, stored)
    return call.query.judged === 'now'
      ? judgedNow(context, call.provider, kind, stored)
      : storedFindingsAnswer(call, stored)
  }

export const readVersionFindings =
  ({ store }: HandlerContext, kind: RecordKind) =>
  async (call: OperationCall): Promise<Answer<ReadOutcome | 'purged'>> => {
    const stored = await namedVersion(store, call, kind)
    if (stored === undefined) return { outcome: 'unknownRecord', detail: missingVersion(call, kind) }
    return 'purgedAt' in stored ? purgedVersion(kind, stored) : storedFindingsAnswer(call, stored)
  }

function storedFindingsAnswer(call: OperationCall, stored: JudgedVersion): Answer<'unmodified' | 'found'> {
  const { version } = stored
  if (isAtHand(call, stored)) return { outcome: 'unmodified', version }
  const findings = shownFindings(stored.findings)
  return { outcome: 'found', version, body: bodyOf(version, findings, findings.length) }
}

/** Without a version for an ETag: the answer changes with master data, and the version does not. */
async function judgedNow(
  { store, settings }: HandlerContext,
  provider: string,
  kind: RecordKind,
  { id, version, body }: StoredVersion,
): Promise<Answer<'found'>> {
  const reading = readPayload(kind, kind.payload, JSON.parse(body))
  // Whether a payload id is used twice was a question when it was submitted, and the records of one
  // create share theirs.
  const wanted = { ...reading.wanted, kind: kind.name, payloadId: undefined, replacedRecordId: id }
  const stored = await findFacts(store, provider, wanted)
  const facts = {
    ...noFacts,
    ...masterDataIn(stored),
    heldBy: heldByIn(stored),
    timeZones: await timeZonesFor(store, provider, reading),
    now: Date.now(),
  }
  const { findings, findingCount } = judge(kind, reading, [], facts, settings, false, true)
  return { outcome: 'found', body: bodyOf(version, findings, findingCount) }
}

const bodyOf = (version: number, findings: readonly Finding[], findingCount: number) => ({
  version,
  findings: findings.slice(0, findingsMax),
  findingCount,
})
