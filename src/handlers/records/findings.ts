// Reads the findings of a record, those stored with a version or current ones: their counts, and
// page by page (decision 0065).

import { type Exemption, exemptionOf } from '../../contract/exempt-place.ts'
import { type RecordKind, receivingEvent } from '../../contract/record-kinds.ts'
import { findingsMax, type SeverityCounts, type StoredFinding } from '../../contract/shape/finding.ts'
import type { Operation } from '../../operations/base/operation.ts'
import { exemptKeysIn } from '../../rules/facts-wanted.ts'
import { countByEntry, countByRule, countBySeverity } from '../../rules/finding-counts.ts'
import { judgeStored, type PayloadReading, readPayload } from '../../rules/judge.ts'
import { type Facts, noFacts } from '../../rules/rule.ts'
import { severityOf, shownFinding, storedFindings } from '../../rules/stored-findings.ts'
import type { StoredVersion } from '../../store/database/statement.ts'
import { type JudgedVersion, readCurrentVersion } from '../../store/records/record-versions.ts'
import { findFacts } from '../../store/store.ts'
import { makeCursor, numberIn, scopeOf, startOf } from '../base/cursor.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { createdAt, isRecordId } from '../base/record-id.ts'
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

type FindingsOutcome = ReadOutcome | 'badQuery'

export const readFindings =
  <O extends Operation>(context: HandlerContext, kind: RecordKind, operation: O) =>
  async (call: OperationCall): Promise<Answer<FindingsOutcome | Purged<O>>> => {
    const { store } = context
    const stored = isRecordId(call.id) ? await readCurrentVersion(store, call.provider, kind.name, call.id) : undefined
    if (stored === undefined) return { outcome: 'unknownRecord', detail: await missingRecord(context, call, kind) }
    if ('purgedAt' in stored) return purgedRecord(operation, kind, stored, call)
    if (call.query.judged !== 'now') return keptFindings(context, call, kind, stored)
    return judgedNow(context, call, kind, stored)
  }

export const readVersionFindings =
  (context: HandlerContext, kind: RecordKind) =>
  async (call: OperationCall): Promise<Answer<FindingsOutcome | 'purged'>> => {
    const stored = await namedVersion(context.store, call, kind)
    if (stored === undefined) return { outcome: 'unknownRecord', detail: missingVersion(call, kind) }
    return 'purgedAt' in stored ? purgedVersion(kind, stored, call) : keptFindings(context, call, kind, stored)
  }

async function keptFindings(
  { runLargeWork }: HandlerContext,
  call: OperationCall,
  kind: RecordKind,
  stored: JudgedVersion,
): Promise<Answer<'unmodified' | 'found' | 'badQuery'>> {
  const { version } = stored
  if (isAtHand(call, stored)) return { outcome: 'unmodified', version }
  const answer = await runLargeWork(stored.findings.length, () =>
    findingsAnswer(call, kind, stored, { all: storedFindings(stored.findings) }),
  )
  return { ...answer, version }
}

/**
 * Without a version, so without an ETag: the answer changes with master data, and the version does
 * not.
 */
async function judgedNow(
  context: HandlerContext,
  call: OperationCall,
  kind: RecordKind,
  record: StoredVersion,
): Promise<Answer<'found' | 'badQuery'>> {
  const judged = await judgeAgain(context, call.provider, kind, { ...record, now: Date.now() })
  return context.runLargeWork(record.body.length, () => findingsAnswer(call, kind, record, judged))
}

type StoredRecord = Pick<StoredVersion, 'id' | 'body'>

/** How many findings each of these records has at the moment `now`, in their order. */
export const countAgain = (
  context: HandlerContext,
  provider: string,
  kind: RecordKind,
  { records, now }: { readonly records: readonly StoredRecord[]; readonly now: Date },
): Promise<{ id: string; severities: SeverityCounts }[]> =>
  Promise.all(
    records.map(async ({ id, body }) => {
      const { all } = await judgeAgain(context, provider, kind, { id, body, now: now.getTime() })
      return { id, severities: countBySeverity(all) }
    }),
  )

interface CurrentFindings {
  readonly all: readonly StoredFinding[]
  /** Of a receipt from an exempt place. */
  readonly exemption: Exemption | undefined
}

/** The findings of a stored record with the master data in force, at the moment `now`. */
async function judgeAgain(
  { store, settings, runLargeWork }: HandlerContext,
  provider: string,
  kind: RecordKind,
  { id, body, now }: StoredRecord & { readonly now: number },
): Promise<CurrentFindings> {
  const reading = await runLargeWork(body.length, () => readPayload(kind, kind.payload, JSON.parse(body)))
  // Whether a payload id is used twice was checked at submission, and the records of one create
  // share theirs.
  const wanted = {
    ...reading.wanted,
    kind: kind.name,
    exemptPlaces: exemptKeysIn(reading.view),
    payloadId: undefined,
    replacedRecordId: id,
  }
  const stored = await findFacts(store, provider, wanted)
  const facts = {
    ...noFacts,
    ...masterDataIn(stored),
    heldBy: heldByIn(stored),
    timeZones: await timeZonesFor(store, provider, reading),
    now,
    storedAt: createdAt(id),
  }
  return runLargeWork(body.length, () => ({
    all: judgeStored(kind, reading, facts, settings).all(),
    exemption: exemptionIn(kind, reading, facts),
  }))
}

function exemptionIn({ name }: RecordKind, { view }: PayloadReading, { exemptPlaces }: Pick<Facts, 'exemptPlaces'>) {
  const [event] = view.events
  return name === receivingEvent.name && event ? exemptionOf(event.value, exemptPlaces) : undefined
}

/** The page of the findings that a query asks for, and how many there are. */
function findingsAnswer(
  { query }: OperationCall,
  { name: kind }: RecordKind,
  { id, version }: StoredVersion,
  { all, exemption }: Partial<CurrentFindings> & Pick<CurrentFindings, 'all'>,
): Answer<'found' | 'badQuery'> {
  const { cursor: _, limit = String(findingsMax), counts, ...filters } = query
  const scope = scopeOf('findings', { id, version: String(version), ...filters })
  const start = startOf(query, { scope, positionIn: numberIn })
  if ('outcome' in start) return start
  const { rule, severity = 'any', at } = filters
  const chosen = all.filter(
    ([of, , pointer]) =>
      (rule === undefined || of === rule) &&
      (severity === 'any' || severityOf(of) === severity) &&
      (at === undefined || pointer === at || pointer.startsWith(`${at}/`)),
  )
  const from = start.position ?? 0
  const to = from + Number(limit)
  return {
    outcome: 'found',
    body: {
      version,
      findings: chosen.slice(from, to).map((finding) => shownFinding(finding, kind, exemption)),
      findingCount: chosen.length,
      severities: countBySeverity(chosen),
      ...(counts === 'true' && { rules: countByRule(chosen, kind, exemption), entries: countByEntry(chosen) }),
      nextCursor: to < chosen.length ? makeCursor(String(to), scope) : null,
    },
  }
}
