// Ship notices that mean earlier ones: sent again, sent too late, replacements, cancellations.
// Source: decision 0082.

import { randomUUID } from 'node:crypto'
import { errorAt, type Place, quoted, warningAt, type X12Finding } from 'lotkeeper-x12/finding'
import type { ShippingEventPayload } from '../../contract/payloads.ts'
import { shippingEvent } from '../../contract/record-kinds.ts'
import type { NoticePurpose, ShipNoticeSender } from '../../contract/ship-notice-sender.ts'
import { replaceOperations } from '../../operations/records/replace.ts'
import { voidOperations } from '../../operations/records/void.ts'
import { sha256 } from '../../sha256.ts'
import { writtenAtOf } from '../../ship-notices/purpose.ts'
import type { ShipNotice } from '../../ship-notices/ship-notice.ts'
import type { NoticeEvent } from '../../ship-notices/shipping-event.ts'
import {
  beginShipNotice,
  findShipNotices,
  type NoticeIdentity,
  noticesOfNumberMax,
  rememberShipNotice,
  type SenderQualifiers,
  type TakenNotice,
} from '../../store/exchange/ship-notices.ts'
import { readRecord } from '../../store/store.ts'
import { nextTurn } from '../base/cooperative.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { callWith } from '../base/inner-call.ts'
import { replace } from '../records/replace.ts'
import { storedEvents } from '../records/stored-kinds.ts'
import { voidEvent } from '../records/void.ts'
import {
  findingsOf,
  type NoticeEffect,
  type NoticeFinding,
  type NoticeResult,
  otherContent,
  refusalsOf,
  refused,
} from './notice-findings.ts'
import { findReceipts } from './receiving-draft.ts'

/** A notice with a number, which later ones can name. */
export interface NumberedNotice extends NoticeIdentity {
  readonly notice: ShipNotice
  readonly sender: ShipNoticeSender
  readonly qualifiers: SenderQualifiers
  readonly purpose: NoticePurpose
  readonly writtenAt: string | undefined
  /** BSN02, and BSN01 where there is one. */
  readonly numberAt: Place
  readonly purposeAt: Place
  readonly findings: readonly X12Finding[]
  /** None of a cancellation. */
  readonly events: readonly NoticeEvent[]
}

/** The form of a number that can be remembered: asnNumber has no other. */
const isNumber = (text: string): boolean => text.length <= 100 && !/\p{Cc}/u.test(text)

/** Undefined of a notice whose number cannot be remembered. */
export function numberedNotice(
  notice: ShipNotice,
  {
    sender,
    qualifiers,
    purpose,
    findings,
    events,
  }: Pick<NumberedNotice, 'sender' | 'qualifiers' | 'purpose' | 'findings' | 'events'>,
): NumberedNotice | undefined {
  const { number, set } = notice
  if (number === undefined || !isNumber(number.text)) return undefined
  const content = set.segments.slice(1, -1).map(({ id, elements }) => [id, ...elements])
  return {
    senderId: set.interchange.senderId,
    senderQualifier: set.interchange.senderQualifier,
    number: number.text,
    contentHash: sha256(JSON.stringify(content)),
    notice,
    sender,
    qualifiers,
    purpose,
    writtenAt: writtenAtOf(notice),
    numberAt: number,
    purposeAt: notice.purpose ?? number,
    findings,
    events,
  }
}

/** A replacement or cancellation without a known original. */
export const unnumbered = ({ number, purpose }: ShipNotice): X12Finding =>
  errorAt(number ?? { ...(purpose ?? { segment: 1, segmentId: 'BSN' }), element: 2 }, {
    message: `BSN02 ${number === undefined ? 'is empty' : 'is no number of a notice'}, so nobody can say which notice is meant.`,
    remedy: 'Have the sender send the number of the original in BSN02.',
    code: number === undefined ? '1' : '7',
  })

/** The earlier notices of the number. Senders may use one again after a year. */
async function earlierNotices(
  { store }: HandlerContext,
  provider: string,
  given: NumberedNotice,
): Promise<readonly TakenNotice[]> {
  const { writtenAt } = given
  const yearBefore = writtenAt && `${Number(writtenAt.slice(0, 4)) - 1}${writtenAt.slice(4)}`
  const found = await findShipNotices(store, { ...given, ...given.qualifiers, provider })
  return found.filter(
    (one) => isSame(one, given) || !yearBefore || one.writtenAt === null || one.writtenAt > yearBefore,
  )
}

const isSame = (one: Pick<TakenNotice, 'contentHash'>, { contentHash }: NumberedNotice): boolean =>
  one.contentHash.equals(contentHash)

/** The place of the notice among those of its number, unless it is to be carried out. */
async function standing(
  context: HandlerContext,
  call: OperationCall,
  given: NumberedNotice,
  earlier: readonly TakenNotice[],
): Promise<NoticeResult | undefined> {
  const known = earlier.findIndex((one) => isSame(one, given) && one.isDone)
  const { writtenAt } = given
  const by = earlier.findLast(
    (one, i) =>
      one.purpose !== 'original' &&
      !isSame(one, given) &&
      (known >= 0
        ? i > known && one.isDone
        : writtenAt !== undefined && one.writtenAt !== null && writtenAt < one.writtenAt),
  )
  const itself = earlier[known]
  if (itself === undefined && by === undefined) return undefined
  const ids = (itself ?? by)?.recordIds ?? []
  const found: NoticeFinding[] = [...given.findings]
  if (by !== undefined) found.push(laterNotice(given, by))
  else for (const id of ids) found.push(...(await changesSince(context, call, given, id)))
  return {
    verdict: itself === undefined ? 'superseded' : 'duplicate',
    effects: ids.map((id) => ({ id, effect: 'unchanged' })),
    findings: found,
    events: given.events,
  }
}

const laterNotice = ({ number, purposeAt }: NumberedNotice, by: TakenNotice): NoticeFinding =>
  warningAt(purposeAt, {
    message: `A later notice with the number ${quoted(number)} ${by.purpose === 'cancellation' ? 'cancelled' : 'replaced'} this one. Nothing was changed.`,
    remedy: 'Nothing, if the later notice is right.',
  })

/** A change that somebody made to a shipping event of an earlier notice. */
async function changesSince(
  { store }: HandlerContext,
  { provider }: OperationCall,
  { events, purpose, numberAt }: NumberedNotice,
  id: string,
): Promise<NoticeFinding[]> {
  const stored = await readRecord(store, provider, { kind: shippingEvent.name, id })
  if (purpose === 'cancellation' || stored === undefined || 'purgedAt' in stored) return []
  const at = events[0]?.at ?? numberAt
  if (stored.voidReason !== undefined)
    return [
      warningAt(at, {
        message: `The shipping event ${id} of this notice was voided: ${quoted(stored.voidReason)}. It was not changed.`,
        remedy: 'Replace the shipping event to bring it back, if it was voided by mistake.',
      }),
    ]
  return events.some(({ payload }) => JSON.stringify(payload) === stored.body) ? [] : [otherContent(id, at)]
}

/** Carries out an original, unless it was or is too late, and remembers it. */
export async function carryOutOriginal(
  context: HandlerContext,
  call: OperationCall,
  given: NumberedNotice,
  store: () => Promise<NoticeResult>,
): Promise<NoticeResult> {
  const earlier = await earlierNotices(context, call.provider, given)
  const stands = await standing(context, call, given, earlier)
  if (stands !== undefined) return stands
  const result = await store()
  if (result.verdict === 'refused') return result
  if (call.query.dryRun !== 'true')
    await remember(context, call, given, { effects: result.effects, requestId: call.requestId })
  const { current } = inForce(earlier)
  if (current.length === 0 || result.verdict === 'duplicate') return result
  const ids = current.flatMap(({ recordIds }) => recordIds)
  const numberUsed = warningAt(given.numberAt, {
    message: `Another notice has the number ${quoted(given.number)}: ${eventsNamed(ids)}.`,
    remedy: 'If this notice corrects it, void those, and have the sender send replacements (BSN01 05) from now on.',
  })
  return { ...result, findings: [...result.findings, numberUsed] }
}

const remember = (
  { store }: HandlerContext,
  { provider }: OperationCall,
  given: NumberedNotice,
  { effects, requestId }: { readonly effects: readonly NoticeEffect[]; readonly requestId: string },
): Promise<unknown> =>
  rememberShipNotice(store, {
    ...given,
    writtenAt: given.writtenAt ?? null,
    recordIds: effects.flatMap(({ id, effect }) => (id === null || isGone(given, effect) ? [] : id)),
    requestId,
    provider,
  })

/** A shipment that the replacement no longer has; those of a cancellation are named by it. */
const isGone = ({ purpose }: NumberedNotice, effect: NoticeEffect['effect']): boolean =>
  purpose === 'replacement' && effect === 'voided'

/** Notices since the last cancellation, and whether there was one. */
function inForce(earlier: readonly TakenNotice[]): {
  readonly current: readonly TakenNotice[]
  readonly cancellation: TakenNotice | undefined
} {
  const done = earlier.filter(({ isDone }) => isDone)
  const at = done.findLastIndex(({ purpose }) => purpose === 'cancellation')
  return { current: done.slice(at + 1), cancellation: done[at] }
}

const shownIdsMax = 5

const eventsNamed = (ids: readonly string[]): string =>
  `${ids.length === 1 ? 'shipping event' : `${ids.length} shipping events:`} ${ids.slice(0, shownIdsMax).join(', ')}${ids.length > shownIdsMax ? ' …' : ''}`

/** A shipping event of the original, as it is now. */
interface Target {
  readonly id: string
  readonly version: number
  readonly payload: ShippingEventPayload
  readonly voidReason?: string
}

type Step =
  | { readonly does: 'replace'; readonly target: Target; readonly event: NoticeEvent }
  | { readonly does: 'create'; readonly event: NoticeEvent }
  | { readonly does: 'void'; readonly target: Target }

type CreateEvents = (call: OperationCall) => Promise<Answer<string>>

/** Attempts while others write to the same events. */
const attemptsMax = 5

/** Replaces or voids the shipping events of the original. */
export class LaterNotices {
  readonly #context: HandlerContext
  readonly #create: CreateEvents
  readonly #replace: CreateEvents
  readonly #void: CreateEvents

  constructor(context: HandlerContext, createEvents: CreateEvents) {
    this.#context = context
    this.#create = createEvents
    this.#replace = replace(context, storedEvents.shippingEvent, replaceOperations.replaceShippingEvent)
    this.#void = voidEvent(context, shippingEvent, voidOperations.voidShippingEvent)
  }

  async carryOut(call: OperationCall, given: NumberedNotice): Promise<NoticeResult> {
    const { store } = this.#context
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      const earlier = await earlierNotices(this.#context, call.provider, given)
      const stands = await standing(this.#context, call, given, earlier)
      if (stands !== undefined) return stands
      const original = await this.#originalOf(call, given, earlier)
      if ('verdict' in original) return original
      const targets = await this.#targets(call, original.recordIds)
      const steps = given.purpose === 'cancellation' ? targets.map(stepOfVoid) : stepsOf(targets, given.events)
      const judged = await this.#run(steps, given, { ...call, query: { dryRun: 'true' } })
      if (judged === 'again') continue
      const findings = [...given.findings, ...(await this.#warnings(call, given, targets))]
      if (judged.verdict === 'refused' || call.query.dryRun === 'true')
        return { ...judged, findings: [...findings, ...judged.findings] }
      const requestId = await beginShipNotice(store, {
        ...given,
        writtenAt: given.writtenAt ?? null,
        requestId: randomUUID(),
        provider: call.provider,
      })
      // A later one may have begun since. One that begins now makes these writes stale, or is
      // stale itself.
      const since = await earlierNotices(this.#context, call.provider, given)
      if ((await standing(this.#context, call, given, since)) !== undefined) continue
      const result = await this.#run(steps, given, { ...call, requestId, query: {} })
      if (result === 'again' || result.verdict === 'refused') continue
      await remember(this.#context, call, given, { effects: result.effects, requestId })
      return { ...result, findings: [...findings, ...result.findings] }
    }
    return refused([
      ...given.findings,
      errorAt(given.numberAt, {
        message: 'Other requests keep changing the shipping events of this notice.',
        remedy: 'Send the notice again.',
        code: '7',
      }),
    ])
  }

  /** The notice with the shipping events that are meant, or why there is none. */
  async #originalOf(
    call: OperationCall,
    given: NumberedNotice,
    earlier: readonly TakenNotice[],
  ): Promise<Pick<TakenNotice, 'recordIds'> | NoticeResult> {
    const { number, numberAt, purpose } = given
    const { current, cancellation } = inForce(earlier)
    const last = current.at(-1)
    const refuse = (message: string, remedy: string) =>
      refused([...given.findings, errorAt(numberAt, { message, remedy, code: '7' })], given.events)
    if (last === undefined && cancellation !== undefined && purpose === 'cancellation')
      return {
        verdict: 'duplicate',
        effects: cancellation.recordIds.map((id) => ({ id, effect: 'unchanged' })),
        findings: given.findings,
        events: [],
      }
    if (last === undefined && cancellation !== undefined)
      return refuse(
        `The notice ${quoted(number)} was cancelled.`,
        'Have the sender send the shipment as an original (BSN01 00).',
      )
    if (last === undefined) {
      const ids = await this.#eventsOfNumber(call, given)
      return refuse(
        `No notice of this sender with the number ${quoted(number)} was read before.`,
        ids.length === 0
          ? 'Send the original first, then this notice again.'
          : `Send the original first, then this notice again; or correct by hand what has this number: ${eventsNamed(ids)}.`,
      )
    }
    if (earlier.length >= noticesOfNumberMax || current.filter((one) => one.purpose === 'original').length > 1)
      return refuse(
        `Several notices have the number ${quoted(number)}, so nobody can say which of them is meant.`,
        `Replace or void by hand what is meant: ${eventsNamed(current.flatMap(({ recordIds }) => recordIds))}. Have the sender give each notice a number of its own.`,
      )
    return last
  }

  async #eventsOfNumber({ provider }: OperationCall, { number, sender }: NumberedNotice): Promise<readonly string[]> {
    const found = await storedEvents.shippingEvent.search(
      this.#context.store,
      { provider, limit: shownIdsMax + 1 },
      {
        dataProviderVendorId: sender.dataProviderVendorId,
        asnNumber: number,
      },
    )
    return found.map(({ id }) => id)
  }

  async #targets({ provider }: OperationCall, ids: readonly string[]): Promise<readonly Target[]> {
    const found = await Promise.all(
      ids.map((id) => readRecord(this.#context.store, provider, { kind: shippingEvent.name, id })),
    )
    return found.flatMap((stored) => {
      if (stored === undefined || 'purgedAt' in stored) return []
      const { body, ...target } = stored
      return { ...target, payload: JSON.parse(body) as ShippingEventPayload }
    })
  }

  async #warnings(
    { provider }: OperationCall,
    { purposeAt, purpose }: NumberedNotice,
    targets: readonly Target[],
  ): Promise<NoticeFinding[]> {
    const found: NoticeFinding[] = []
    const warn = (message: string, remedy: string) => found.push(warningAt(purposeAt, { message, remedy }))
    for (const { id, voidReason, payload } of targets) {
      if (voidReason !== undefined && purpose === 'replacement')
        warn(
          `The shipping event ${id} had been voided: ${quoted(voidReason)}. The replacement brings it back.`,
          'Void it again if the void was right.',
        )
      const receipts = await findReceipts(this.#context, provider, payload.eventList)
      if (receipts.length > 0)
        warn(
          `These goods were received: receiving event ${receipts.join(', ')}. It was not changed.`,
          'Compare the receiving event with the notice, and replace or void it if it is wrong.',
        )
    }
    return found
  }

  /** `again`: an event was changed or purged in the meantime. */
  async #run(steps: readonly Step[], given: NumberedNotice, call: OperationCall): Promise<NoticeResult | 'again'> {
    const effects: NoticeEffect[] = []
    const findings: NoticeFinding[] = []
    for (const step of steps) {
      await nextTurn()
      const answer = await this.#take(step, given, call)
      switch (answer.outcome) {
        case 'stale':
        case 'unknownRecord':
        case 'purged':
          return 'again'
        case 'refused':
        case 'tooLarge':
          return refused(step.does === 'void' ? [] : refusalsOf(answer, step.event), given.events)
        case 'taken': {
          if (step.does === 'void' || answer.heldBy === undefined) return 'again'
          if (step.does === 'replace') return refused(refusalsOf(answer, step.event), given.events)
          // An attempt that was broken off created it.
          effects.push({ id: answer.heldBy, effect: 'unchanged' })
          continue
        }
        default:
          if (step.does !== 'void') findings.push(...findingsOf(answer, step.event))
          effects.push(effectOf(step, answer))
      }
    }
    const isChanged = effects.some(({ effect }) => effect !== 'unchanged')
    const done = given.purpose === 'cancellation' ? 'cancelled' : 'replaced'
    const verdict = !isChanged ? 'duplicate' : call.query.dryRun === 'true' ? 'accepted' : done
    return { verdict, effects, findings, events: given.events }
  }

  #take(step: Step, { number, purpose }: NumberedNotice, call: OperationCall): Promise<Answer<string>> {
    if (step.does === 'create') return this.#create(callWith(call, step.event.payload))
    const { id, version } = step.target
    const about = { id, ifMatch: [version] }
    if (step.does === 'replace') return this.#replace({ ...callWith(call, step.event.payload), ...about })
    const name = number.slice(0, shownNumberLength)
    const reason =
      purpose === 'cancellation'
        ? `The sender cancelled ship notice ${name}.`
        : `The sender replaced ship notice ${name}, without this shipment.`
    return this.#void({ ...callWith(call, { reason }), ...about })
  }
}

/** A reason has 100 characters; numbers of notices have 30. */
const shownNumberLength = 40

const effectOf = (step: Step, { outcome, body }: Answer<string>): NoticeEffect => {
  const { wouldBe = outcome, request_ids: ids = [] } = (body ?? {}) as {
    readonly wouldBe?: string
    readonly request_ids?: readonly string[]
  }
  const id = step.does === 'create' ? (ids[0] ?? null) : step.target.id
  return { id, effect: wouldBe as NoticeEffect['effect'] }
}

/**
 * Events with the same places and order are the same shipment; so are the last one on each side.
 */
function stepsOf(targets: readonly Target[], events: readonly NoticeEvent[]): readonly Step[] {
  const left = new Map(targets.map((target) => [target, keyOf(target.payload.eventList)]))
  const found = new Map<NoticeEvent, Target>()
  for (const event of events) {
    const key = keyOf(event.payload.eventList)
    const [target] = [...left].find(([, one]) => one === key) ?? []
    if (target === undefined) continue
    left.delete(target)
    found.set(event, target)
  }
  const [otherEvent, ...otherEvents] = events.filter((event) => !found.has(event))
  const [otherTarget, ...otherTargets] = left.keys()
  if (otherEvent !== undefined && otherTarget !== undefined && otherEvents.length + otherTargets.length === 0) {
    left.delete(otherTarget)
    found.set(otherEvent, otherTarget)
  }
  return [
    ...[...left.keys()].map(stepOfVoid),
    ...events.map((event): Step => {
      const target = found.get(event)
      return target === undefined ? { does: 'create', event } : { does: 'replace', target, event }
    }),
  ]
}

const stepOfVoid = (target: Target): Step => ({ does: 'void', target })

const keyOf = (event: Readonly<Record<string, unknown>> | ShippingEventPayload['eventList']): string =>
  JSON.stringify([event.shipFromLocationCode, event.shipToLocationCode, event.purchaseOrderNumber ?? null])
