// Replaces a record as a whole, and keeps the version before.

import { differencesBetween } from '../../contract/differences.ts'
import type { CommonOutcome } from '../../operations/base/operation.ts'
import type { replaceOperations } from '../../operations/records/replace.ts'
import type { Verdict } from '../../rules/judge.ts'
import type { Replaced } from '../../store/base/writes.ts'
import { readWithRetry, settle } from '../../store/database/settle.ts'
import { DamagedRecord } from '../../store/evidence/damaged-record.ts'
import { findVersion, traceOfRequest } from '../../store/records/record-versions.ts'
import { readRecord } from '../../store/store.ts'
import { allowedAt, isAllowed, stale } from '../base/conditions.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { isRecordId } from '../base/record-id.ts'
import { refusedAnswer, takenAnswer, unknownRecord } from './failure-answers.ts'
import { hashOf, judgePayload } from './judged-payload.ts'
import { type Purged, purgedRecord } from './read.ts'
import { notingRefusals } from './refusals.ts'
import type { StoredKind } from './stored-kinds.ts'

type ReplaceOperation = (typeof replaceOperations)[keyof typeof replaceOperations]

type ReplaceOutcome = 'refused' | 'unknownRecord' | 'stale' | 'judged' | 'unchanged' | 'replaced'

export const replace = <Search, Taken extends 'taken', O extends ReplaceOperation>(
  context: HandlerContext,
  storedKind: StoredKind<Search, Taken>,
  operation: O,
) =>
  notingRefusals(
    context,
    operation.name,
    async (call: OperationCall): Promise<Answer<ReplaceOutcome | Taken | Purged<O> | CommonOutcome>> => {
      const { store } = context
      const { kind } = storedKind
      const { id } = call
      if (!isRecordId(id)) return unknownRecord(context, call, kind)
      const payload = await judgePayload(context, call, kind, { shape: operation.body, replacedRecordId: id })
      const { verdict } = payload
      if (verdict.refused) return refusedAnswer(verdict, kind)

      const [judged] = payload.records()
      if (judged === undefined) throw new Error('A replacement holds one record.')
      const record = { ...judged, id, search: storedKind.searchOf(judged) }
      if (call.query.dryRun === 'true')
        return dryRun(context, storedKind, operation, { call, record, judged: payload.verdict })

      const writer = { keyId: call.keyId, requestId: call.requestId, payloadId: payload.payloadId, reason: call.reason }
      const written = await settle<Replaced>({
        attempt: (at) =>
          storedKind.writer(store).replace(call.provider, { ...writer, record, allowed: allowedAt(call, at) }),
        findWritten: async () => {
          const trace = await traceOfRequest(store, call.provider, id, call.requestId)
          return trace.written === undefined
            ? { at: trace.current }
            : { written: { is: 'replaced', version: trace.written } }
        },
        classify: (result, at) => {
          if (result.is === 'replaced') return 'written'
          return result.is === 'stale' && at !== undefined && isAllowed(call, at) ? 'superseded' : 'refused'
        },
      })
      switch (written.is) {
        case 'unknown': {
          const left = await readRecord(store, call.provider, { kind: kind.name, id })
          return left !== undefined && 'purgedAt' in left
            ? purgedRecord(operation, kind, left, call)
            : unknownRecord(context, call, kind)
        }
        case 'stale':
          return stale(call, written.version, resendOf(written.version))
        case 'taken': {
          if (storedKind.key === undefined) throw new Error(`A ${kind.noun} has no key to be taken.`)
          return takenAnswer(
            storedKind.key,
            [record.search],
            await storedKind.written.statements.findHolder?.(store, {
              provider: call.provider,
              s: [record.search],
              except: id,
            }),
          )
        }
        case 'unchanged':
        case 'replaced': {
          const before =
            call.representation && written.is === 'replaced'
              ? await readWithRetry(() =>
                  findVersion(store, call.provider, { kind: kind.name, id, version: written.version - 1 }),
                ).catch(unlessMissing)
              : undefined
          return {
            outcome: written.is,
            version: written.version,
            body: {
              request_ids: [id],
              ...(call.representation && {
                findings: verdict.findings,
                findingCount: verdict.findingCount,
                severities: verdict.severities,
                ...(before !== 'missing' && {
                  changes: differencesBetween(
                    before && 'body' in before ? JSON.parse(before.body) : record.content,
                    record.content,
                  ),
                }),
              }),
            },
          }
        }
      }
    },
  )

/** The replaced version is missing in the database: the replacement still took place. */
function unlessMissing(error: unknown): 'missing' {
  if (error instanceof DamagedRecord) return 'missing'
  throw error
}

const resendOf = (version: number) => ({
  without: 'Send the replacement without If-None-Match, or name the version it may replace in If-Match.',
  again: `Read the record again, apply your change to it, and send it as a replacement of version ${version}.`,
})

/** Reports the result of the write without writing, by the same order of outcomes. */
async function dryRun<Search, Taken extends 'taken', O extends ReplaceOperation>(
  context: HandlerContext,
  { kind, key, written }: StoredKind<Search, Taken>,
  operation: O,
  {
    call,
    record,
    judged: { findings, findingCount, severities },
  }: {
    readonly call: OperationCall
    readonly record: { readonly content: unknown; readonly contentHash: Buffer; readonly search: Search }
    readonly judged: Pick<Verdict, 'findings' | 'findingCount' | 'severities'>
  },
): Promise<Answer<'unknownRecord' | 'stale' | 'judged' | Taken | Purged<O>>> {
  const { store } = context
  const stored = await readRecord(store, call.provider, { kind: kind.name, id: call.id })
  if (stored === undefined) return unknownRecord(context, call, kind)
  if ('purgedAt' in stored) return purgedRecord(operation, kind, stored, call)
  if (!isAllowed(call, stored.version)) return stale(call, stored.version, resendOf(stored.version))
  const before = JSON.parse(stored.body) as unknown
  // A replacement with the content of a void brings the record back.
  const unchanged = stored.voidReason === undefined && hashOf(kind, before).equals(record.contentHash)
  if (!unchanged && key !== undefined) {
    const holder = await written.statements.findHolder?.(store, {
      provider: call.provider,
      s: [record.search],
      except: call.id,
    })
    if (holder !== undefined) return takenAnswer(key, [record.search], holder)
  }
  return {
    outcome: 'judged',
    version: stored.version,
    body: {
      wouldBe: unchanged ? 'unchanged' : 'replaced',
      findings,
      findingCount,
      severities,
      changes: differencesBetween(before, record.content),
    },
  }
}
