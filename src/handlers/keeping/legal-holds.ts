// Sets, lists and lifts legal holds.
import type { Static } from 'typebox'
import { isGiven } from '../../contract/shape/field.ts'
import { legalHoldOperations, type NewLegalHold } from '../../operations/keeping/legal-holds.ts'
import {
  endLegalHold,
  type Held,
  insertLegalHold,
  type LegalHold,
  legalHolds,
  standingHoldsMax,
} from '../../store/keeping/legal-holds.ts'
import { holdsOnRecord } from '../../store/keeping/retention.ts'
import { isStored } from '../../store/records/record-versions.ts'
import { pageOf, recordIdIn, scopeOf } from '../base/cursor.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { keyNamer } from '../base/key-names.ts'
import { isRecordId } from '../base/record-id.ts'
import { shapeRefusal } from '../records/failure-answers.ts'

const listLegalHolds =
  ({ store }: HandlerContext) =>
  async ({ provider, query }: OperationCall): Promise<Answer<'listed' | 'badQuery'>> => {
    const { limit: _, cursor: __, ...filters } = query
    const { recordId } = filters
    if (recordId !== undefined && !isRecordId(recordId))
      return { outcome: 'badQuery', detail: 'recordId is not the id of any record.' }
    const listed = await pageOf(query, {
      scope: scopeOf('legal holds', filters),
      positionIn: recordIdIn,
      find: (before, count) =>
        recordId === undefined
          ? legalHolds(store, { provider, onlyStanding: filters.standing === 'true', before, limit: count })
          : holdsOnRecord(store, { provider, recordId, before, limit: count }),
      positionOf: ({ id }) => id,
    })
    if ('outcome' in listed) return listed
    return {
      outcome: 'listed',
      body: { content: await viewsOf({ store }, provider, listed.page), nextCursor: listed.nextCursor },
    }
  }

const setLegalHold =
  ({ store }: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'created'>> => {
    const refusal = shapeRefusal(legalHoldOperations.setLegalHold.body, call, 'No hold was set.')
    if (refusal !== undefined) return refusal
    const { provider, keyId, requestId } = call
    const { reason, everything, ...held } = call.body.value as Static<typeof NewLegalHold>
    const fault = faultOf(held, { everything }) ?? (await unknownRecordIn(held, store, provider))
    if (fault !== undefined) return { outcome: 'refused', detail: `${fault} No hold was set.` }
    const hold = await insertLegalHold(store, { reason, ...held, provider }, { who: keyId, requestId })
    return hold === undefined
      ? {
          outcome: 'refused',
          detail: `There are ${standingHoldsMax} active holds, which is the limit. Lift some, or hold a vendor or a range of dates. No hold was set.`,
        }
      : { outcome: 'created', body: (await viewsOf({ store }, provider, [hold]))[0] as object }
  }

/** Why the conditions of a hold are empty or contradict each other. */
function faultOf(held: Held, { everything }: { readonly everything: boolean | undefined }): string | undefined {
  const conditions = Object.entries(held)
  const blank = conditions.find(([, value]) => !isGiven(value))
  if (blank !== undefined) return `${blank[0]} is blank and would hold nothing. Omit it.`
  if (everything === true)
    return conditions.length > 0
      ? 'everything is true beside other conditions. Send either everything or conditions.'
      : undefined
  if (conditions.length === 0)
    return 'Give at least one condition: recordId, lotCode, dataProviderVendorId, eventStartDate, eventEndDate; or everything: true.'
  const { recordId, eventStartDate, eventEndDate } = held
  if (recordId !== undefined && !isRecordId(recordId)) return 'recordId is not the id of any record.'
  if (eventStartDate !== undefined && eventEndDate !== undefined && eventEndDate < eventStartDate)
    return `eventEndDate ${eventEndDate} is before eventStartDate ${eventStartDate}. Swap them.`
  return undefined
}

/** A mistyped id would hold nothing, without notice. */
const unknownRecordIn = async (
  { recordId }: Held,
  store: HandlerContext['store'],
  provider: string,
): Promise<string | undefined> =>
  recordId === undefined || (await isStored(store, { provider, id: recordId }))
    ? undefined
    : `There is no record with id ${recordId}, or it was purged.`

const liftLegalHold =
  ({ store }: HandlerContext) =>
  async ({ provider, keyId, requestId, id }: OperationCall): Promise<Answer<'unknownHold' | 'lifted'>> => {
    const hold = isRecordId(id) ? await endLegalHold(store, { provider, id }, { who: keyId, requestId }) : undefined
    return hold === undefined
      ? { outcome: 'unknownHold', detail: `There is no legal hold with id ${id.slice(0, 60)}.` }
      : { outcome: 'lifted', body: (await viewsOf({ store }, provider, [hold]))[0] as object }
  }

async function viewsOf(
  context: Pick<HandlerContext, 'store'>,
  provider: string,
  holds: readonly LegalHold[],
): Promise<readonly object[]> {
  const keyIds = holds.flatMap(({ setBy, liftedBy }) => (liftedBy === null ? [setBy] : [setBy, liftedBy]))
  const nameOf = await keyNamer(context, provider, keyIds)
  return holds.map((hold) => toView(hold, nameOf))
}

function toView({ setAt, liftedAt, ...hold }: LegalHold, nameOf: (keyId: string) => string | null) {
  const { recordId, lotCode, dataProviderVendorId, eventStartDate, eventEndDate, setBy, liftedBy } = hold
  return {
    ...hold,
    setByName: nameOf(setBy),
    liftedByName: liftedBy === null ? null : nameOf(liftedBy),
    everything: [recordId, lotCode, dataProviderVendorId, eventStartDate, eventEndDate].every((one) => one === null),
    setDateTime: setAt.toISOString(),
    liftedDateTime: liftedAt?.toISOString() ?? null,
  }
}

export const legalHoldHandlers = { listLegalHolds, setLegalHold, liftLegalHold }
