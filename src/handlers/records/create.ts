// Creates all records of a payload, or none.

import { type Finding, findingsMax } from '../../contract/shape/finding.ts'
import type { CommonOutcome } from '../../operations/base/operation.ts'
import type { createOperations } from '../../operations/records/create.ts'
import type { Verdict } from '../../rules/judge.ts'
import { shownFindings } from '../../rules/stored-findings.ts'
import type { Created } from '../../store/base/writes.ts'
import { settle } from '../../store/database/settle.ts'
import { readFirstAnswer } from '../../store/records/idempotency-keys.ts'
import { findVersion, traceOfRequest } from '../../store/records/record-versions.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { newRecordId } from '../base/record-id.ts'
import { refusedAnswer, takenAnswer } from './failure-answers.ts'
import { type JudgedPayload, judgePayload } from './judged-payload.ts'
import { notingRefusals } from './refusals.ts'
import type { StoredKind } from './stored-kinds.ts'

type CreateOutcome = 'refused' | 'keyReused' | 'judged' | 'created'

export const create = <Search, Taken extends 'taken'>(
  context: HandlerContext,
  storedKind: StoredKind<Search, Taken>,
  operation: (typeof createOperations)[keyof typeof createOperations],
) =>
  notingRefusals(
    context,
    operation.name,
    async (call: OperationCall): Promise<Answer<CreateOutcome | Taken | CommonOutcome>> => {
      const { store } = context
      const payload = await judgePayload(context, call, storedKind.kind, {
        shape: operation.body,
        replacedRecordId: undefined,
      })
      const dryRun = call.query.dryRun === 'true'

      // Before the verdict: a retry gets the first response, although its own records now conflict
      // with it.
      if (call.idempotencyKey !== undefined && !dryRun) {
        const repeated = await firstAnswer(context, call, storedKind, { operation: operation.name, payload })
        if (repeated !== undefined) return repeated
      }
      if (payload.verdict.refused) return refusedAnswer(payload.verdict)
      if (payload.bytes > context.limits.createBytesMax)
        return {
          outcome: 'tooLarge',
          detail: `Each of the ${payload.count} records is stored with the lists they share, ${payload.bytes} bytes in all. The limit is ${context.limits.createBytesMax}. Send fewer records at once, or shorter lists.`,
        }

      const records = await context.runLargeWork(call.body.text.length, () =>
        payload.records().map((record) => ({ ...record, id: newRecordId(), search: storedKind.searchOf(record) })),
      )
      const searches = records.map(({ search }) => search)
      const findHolder = () =>
        storedKind.written.statements.findHolder?.(store, { provider: call.provider, s: searches })
      if (dryRun) {
        const holder = await findHolder()
        if (holder !== undefined && storedKind.key !== undefined) return takenAnswer(storedKind.key, searches, holder)
        const { findings, findingCount, severities } = payload.verdict
        return { outcome: 'judged', body: { wouldBe: 'created', findings, findingCount, severities } }
      }

      const claim =
        call.idempotencyKey === undefined
          ? undefined
          : { key: call.idempotencyKey, operation: operation.name, fingerprint: payload.hash() }
      const writer = { keyId: call.keyId, requestId: call.requestId, payloadId: payload.payloadId }
      const [first] = records
      const written = await settle<Created>({
        // Ids are generated once, so no record is created twice.
        attempt: () => storedKind.writer(store).create(call.provider, { ...writer, records, claim }),
        findWritten: async () => {
          const trace = first && (await traceOfRequest(store, call.provider, first.id, call.requestId))
          return trace?.written === undefined ? { at: undefined } : { written: { is: 'created' } }
        },
        classify: ({ is }) => (is === 'created' ? 'written' : 'refused'),
      })
      // Also when `taken`: the conflicting records may be those of the first call, committed after
      // the check above.
      if (written.is !== 'created' && claim !== undefined) {
        const repeated = await firstAnswer(context, call, storedKind, { operation: operation.name, payload })
        if (repeated !== undefined) return repeated
      }
      if (written.is === 'repeated') throw new Error('An idempotency key was taken and is not there.')
      if (written.is === 'taken') {
        const holder = await findHolder()
        if (storedKind.key === undefined) throw new Error(`A ${storedKind.kind.noun} has no key to be taken.`)
        return takenAnswer(storedKind.key, searches, holder)
      }
      if (claim !== undefined)
        store
          .deleteExpiredKeys(call.provider, new Date())
          .catch(() => context.reportDropped('Old idempotency keys are still there.'))
      return createdAnswer(
        call,
        records.map(({ id }) => id),
        payload.verdict,
        { replayed: false },
      )
    },
  )

type Found = Pick<Verdict, 'findings' | 'findingCount' | 'severities'>

function createdAnswer(
  call: OperationCall,
  ids: readonly string[],
  { findings, findingCount, severities }: Found,
  { replayed }: { readonly replayed: boolean },
): Answer<'created'> {
  const [only] = ids
  return {
    outcome: 'created',
    body: { request_ids: ids, ...(call.representation && { findings, findingCount, severities }) },
    replayed,
    ...(ids.length === 1 && only !== undefined && { createdId: only, version: 1 }),
  }
}

async function firstAnswer<Search, Taken extends 'taken'>(
  { store }: HandlerContext,
  call: OperationCall,
  storedKind: StoredKind<Search, Taken>,
  { operation, payload }: { readonly operation: string; readonly payload: JudgedPayload },
): Promise<Answer<'created' | 'keyReused'> | undefined> {
  const first = await readFirstAnswer(store, { provider: call.provider, key: call.idempotencyKey ?? '' })
  if (first === undefined) return undefined
  if (first.operation !== operation || !first.fingerprint.equals(payload.hash()))
    return {
      outcome: 'keyReused',
      detail: 'This Idempotency-Key was used for a request with other content. Use a new key for a new request.',
    }
  const found = call.representation
    ? await firstFindings(store, call.provider, storedKind, first.recordIds)
    : noFindings
  return createdAnswer(call, first.recordIds, found, { replayed: true })
}

const noFindings: Found = { findings: [], findingCount: 0, severities: { error: 0, warning: 0, gap: 0 } }

/**
 * The findings stored with records of one create. A finding about a shared part is stored with
 * each, and was reported once.
 */
async function firstFindings<Search, Taken extends 'taken'>(
  store: HandlerContext['store'],
  provider: string,
  { kind }: StoredKind<Search, Taken>,
  ids: readonly string[],
): Promise<Found> {
  const found = new Map<string, Finding>()
  for (const [index, id] of ids.entries()) {
    const version = await findVersion(store, provider, { kind: kind.name, id, version: 1 })
    const kept = version !== undefined && 'findings' in version ? version.findings : '[]'
    for (const finding of shownFindings(kept, kind.name)) {
      const pointer = ids.length === 1 ? finding.pointer : pointerInList(finding.pointer, kind.subject, index)
      found.set(`${finding.rule} ${pointer} ${finding.message}`, { ...finding, pointer })
    }
  }
  const severities = { error: 0, warning: 0, gap: 0 }
  for (const { severity } of found.values()) severities[severity]++
  return { findings: [...found.values()].slice(0, findingsMax), findingCount: found.size, severities }
}

/** Turns a pointer into one record into a pointer into a payload with several. */
const pointerInList = (pointer: string, subject: string, index: number): string =>
  `${pointer}/`.startsWith(`/${subject}/`) ? `/${subject}/${index}${pointer.slice(subject.length + 1)}` : pointer
