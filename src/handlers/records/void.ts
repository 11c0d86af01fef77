// Voids an event: keeps it, and takes it out of all that counts; and lists voids. Source: decisions
// 0066, 0080.
import type { Static } from 'typebox'
import { type EventKind, eventKinds } from '../../contract/record-kinds.ts'
import { isGiven } from '../../contract/shape/field.ts'
import type { NewVoid, voidEventOperations } from '../../operations/records/void.ts'
import { countBySeverity } from '../../rules/finding-counts.ts'
import { settle } from '../../store/database/settle.ts'
import { traceOfRequest } from '../../store/records/record-versions.ts'
import { findLatestVoids, type Voided } from '../../store/records/voids.ts'
import { readRecord, voidEvent as voidStored } from '../../store/store.ts'
import { allowedAt, isAllowed, stale } from '../base/conditions.ts'
import { pageOf, scopeOf } from '../base/cursor.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { keyNamer } from '../base/key-names.ts'
import { isRecordId } from '../base/record-id.ts'
import { shapeRefusal } from './failure-answers.ts'
import { missingRecord, purgedRecord } from './read.ts'

type VoidOutcome = 'refused' | 'unknownRecord' | 'purged' | 'stale' | 'judged' | 'unchanged' | 'voided'

type VoidOperation = (typeof voidEventOperations)[keyof typeof voidEventOperations]

const nothingVoided = 'Nothing was voided.'
const resend = {
  without: 'Send the void without If-None-Match, or name the version it may void in If-Match.',
  again: 'Read the record again, and void that version if it is still wrong.',
}

export const voidEvent =
  (context: HandlerContext, kind: EventKind, operation: VoidOperation) =>
  async (call: OperationCall): Promise<Answer<VoidOutcome>> => {
    const { store } = context
    const { provider, id, keyId, requestId } = call
    const refusal = shapeRefusal(operation.body, call, nothingVoided)
    if (refusal !== undefined) return refusal
    const { reason } = call.body.value as Static<typeof NewVoid>
    if (!isGiven(reason))
      return {
        outcome: 'refused',
        detail: `reason is blank. Say why the record was entered by mistake. ${nothingVoided}`,
      }
    if (!isRecordId(id)) return missing(context, kind, operation, call)
    if (call.query.dryRun === 'true') return dryRun(context, kind, operation, call)

    const written = await settle<Voided>({
      attempt: (at) =>
        voidStored(store, kind.name, provider, { id, keyId, requestId, reason, allowed: allowedAt(call, at) }),
      findWritten: async () => {
        const trace = await traceOfRequest(store, provider, id, requestId)
        return trace.written === undefined
          ? { at: trace.current }
          : { written: { is: 'voided', version: trace.written } }
      },
      classify: (result, at) => {
        if (result.is === 'voided') return 'written'
        return result.is === 'stale' && at !== undefined && isAllowed(call, at) ? 'superseded' : 'refused'
      },
    })
    if (written.is === 'unknown') return missing(context, kind, operation, call)
    if (written.is === 'stale') return stale(call, written.version, resend)
    return { outcome: written.is, version: written.version, body: { request_ids: [id] } }
  }

/** Why there is no such record: it was purged, or never existed. */
async function missing(
  context: HandlerContext,
  kind: EventKind,
  operation: VoidOperation,
  call: OperationCall,
): Promise<Answer<'unknownRecord' | 'purged'>> {
  const left = isRecordId(call.id)
    ? await readRecord(context.store, call.provider, { kind: kind.name, id: call.id })
    : undefined
  return left !== undefined && 'purgedAt' in left
    ? purgedRecord(operation, kind, left, call)
    : { outcome: 'unknownRecord', detail: await missingRecord(context, call, kind) }
}

/** Reports the result of the void without writing, by the same order of outcomes. */
async function dryRun(
  context: HandlerContext,
  kind: EventKind,
  operation: VoidOperation,
  call: OperationCall,
): Promise<Answer<'unknownRecord' | 'purged' | 'stale' | 'judged'>> {
  const stored = await readRecord(context.store, call.provider, { kind: kind.name, id: call.id })
  if (stored === undefined || 'purgedAt' in stored) return missing(context, kind, operation, call)
  if (!isAllowed(call, stored.version)) return stale(call, stored.version, resend)
  return {
    outcome: 'judged',
    version: stored.version,
    body: {
      wouldBe: stored.voidReason === undefined ? 'voided' : 'unchanged',
      findings: [],
      findingCount: 0,
      severities: countBySeverity([]),
    },
  }
}

export const listVoids =
  (context: HandlerContext) =>
  async ({ provider, query }: OperationCall): Promise<Answer<'listed' | 'badQuery'>> => {
    const listed = await pageOf(query, {
      scope: scopeOf('voids', {}),
      positionIn: positionOfVoid,
      find: (behind, limit) => findLatestVoids(context.store, { ...behind, limit, provider }),
      positionOf: ({ voidedDateTime, id }) => `${voidedDateTime} ${id}`,
    })
    if ('outcome' in listed) return listed
    const nameOf = await keyNamer(
      context,
      provider,
      listed.page.map(({ keyId }) => keyId),
    )
    const content = listed.page.map(({ place, counterpart, ...one }) => {
      const { place: placeField, counterpart: otherField } = eventKinds[one.kind]
      return {
        ...one,
        [placeField]: place,
        ...(otherField !== undefined && { [otherField]: counterpart }),
        keyName: nameOf(one.keyId),
      }
    })
    return { outcome: 'listed', body: { content, nextCursor: listed.nextCursor } }
  }

/** A cursor comes from outside: a value that the database could not read makes it invalid. */
function positionOfVoid(text: string): { readonly voidedDateTime: string; readonly id: string } | undefined {
  const [, voidedDateTime = '', id = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) (\S+)$/.exec(text) ?? []
  return isRecordId(id) && !Number.isNaN(Date.parse(voidedDateTime)) ? { voidedDateTime, id } : undefined
}
