// Stores refused payloads, so that the people responsible for the data see them; and lists them.

import { recordKinds } from '../../contract/record-kinds.ts'
import { isFieldText } from '../../contract/shape/field.ts'
import { docsUrlOf, type Finding } from '../../contract/shape/finding.ts'
import { type NoticeSender, senderKeyOf } from '../../contract/ship-notice-sender.ts'
import { refusalFindingsMax } from '../../operations/records/refusals.ts'
import { newestRefusals, type RecordedRefusal } from '../../store/records/refusals.ts'
import { recordRefusal } from '../../store/store.ts'
import { pageOf, recordIdIn, scopeOf } from '../base/cursor.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { keyNamer } from '../base/key-names.ts'
import { newRecordId } from '../base/record-id.ts'

/**
 * Outcomes that are mistakes of the sender: the payload was wrong, or its key was taken. A
 * concurrent write of somebody else is none.
 */
const kept = ['refused', 'taken', 'keyReused', 'tooLarge']

/**
 * The same handler, which also stores its refusals, after the answer and without delaying it. Dry
 * runs are not stored.
 */
export const notingRefusals =
  <A extends Answer<string>>(
    context: HandlerContext,
    operation: string,
    handler: (call: OperationCall) => Promise<A>,
  ) =>
  async (call: OperationCall): Promise<A> => {
    const answer = await handler(call)
    if (kept.includes(answer.outcome) && call.query.dryRun !== 'true') {
      const { outcome, detail = '', findings = [], findingCount = findings.length } = answer
      noteRefusal(context, call, {
        operation,
        dataProviderVendorId: vendorIn(call.body.value),
        outcome,
        detail,
        // The page of a rule is an address of this service, and no part of the stored finding.
        findings: JSON.stringify(findings.slice(0, refusalFindingsMax).map(({ docsUrl: _, ...kept }) => kept)),
        findingCount,
      })
    }
    return answer
  }

/** Stores a refusal without waiting for it. */
function noteRefusal(
  { store, reportDropped }: HandlerContext,
  { provider, requestId, keyId, id }: OperationCall,
  refusal: Omit<RecordedRefusal, 'id' | 'requestId' | 'keyId' | 'recordId'>,
): void {
  recordRefusal(store, provider, {
    id: newRecordId(),
    requestId,
    keyId,
    recordId: id === '' ? undefined : id,
    ...refusal,
  }).catch(() => reportDropped('A refusal was not recorded.'))
}

/**
 * Stores that ship notices of senders that are not set up were refused, once for each sender. Not
 * for dry runs.
 */
export function noteUnknownSenders(
  context: HandlerContext,
  call: OperationCall,
  senders: readonly NoticeSender[],
): void {
  if (call.query.dryRun === 'true') return
  const byKey = new Map(senders.map((sender) => [senderKeyOf(sender), sender.senderId]))
  for (const [sender, senderId] of byKey)
    if (isFieldText(senderId))
      noteRefusal(context, call, {
        operation: 'importShipNotices',
        dataProviderVendorId: undefined,
        outcome: 'refused',
        detail: `The sender ${JSON.stringify(senderId)} of ship notices is not set up. Nothing of its notices was stored.`,
        findings: '[]',
        findingCount: 0,
        sender,
      })
}

/**
 * The vendor that a payload names, whatever else is wrong with it; of several records the first.
 */
function vendorIn(payload: object): string | undefined {
  for (const subject of recordSubjects) {
    const list: unknown = Object.hasOwn(payload, subject) ? (payload as Record<string, unknown>)[subject] : undefined
    const record: unknown = Array.isArray(list) ? list[0] : list
    const vendor =
      typeof record === 'object' && record !== null && 'dataProviderVendorId' in record && record.dataProviderVendorId
    if (typeof vendor === 'string' && isFieldText(vendor)) return vendor
  }
  return undefined
}

const recordSubjects = recordKinds.map(({ subject }) => subject)

export const listRefusals =
  ({ store }: HandlerContext) =>
  async ({ provider, query }: OperationCall): Promise<Answer<'listed' | 'badQuery'>> => {
    const listed = await pageOf(query, {
      scope: scopeOf('refusals', {}),
      positionIn: recordIdIn,
      find: (before, limit) => newestRefusals(store, { provider, before, limit }),
      positionOf: ({ id }) => id,
    })
    if ('outcome' in listed) return listed
    const nameOf = await keyNamer(
      { store },
      provider,
      listed.page.map(({ keyId }) => keyId),
    )
    return {
      outcome: 'listed',
      body: {
        content: listed.page.map(({ refusedAt, findings, ...refusal }) => ({
          ...refusal,
          keyName: nameOf(refusal.keyId),
          refusedDateTime: refusedAt.toISOString(),
          findings: findingsIn(findings),
        })),
        nextCursor: listed.nextCursor,
      },
    }
  }

/** The findings of a stored refusal, with the pages of their rules. */
export const findingsIn = (stored: string): Finding[] =>
  (JSON.parse(stored) as Omit<Finding, 'docsUrl'>[]).map((finding) => ({
    ...finding,
    docsUrl: docsUrlOf(finding.rule),
  }))
