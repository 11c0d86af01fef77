// Reads ship notices and creates their shipping events, each notice as a whole or not at all.
// Source: decision 0082.
import { type AcknowledgedSet, writeAcknowledgments } from 'lotkeeper-x12/acknowledgment'
import { errorAt, quoted, type X12Finding } from 'lotkeeper-x12/finding'
import type { Static } from 'typebox'
import { findingsMax } from '../../contract/shape/finding.ts'
import {
  type NewShipNoticeSender,
  type NoticePurpose,
  type ShipNoticeSender,
  senderKeyOf,
  senderOfKey,
  settingsOf,
} from '../../contract/ship-notice-sender.ts'
import { exchangeOperations } from '../../operations/exchange/operations.ts'
import { noticesPerCallMax, shownNoticesMax } from '../../operations/exchange/ship-notices.ts'
import { createOperations } from '../../operations/records/create.ts'
import { encodingFinding } from '../../ship-notices/file-encoding.ts'
import type { StoredPlaces } from '../../ship-notices/notice-places.ts'
import { purposeOf } from '../../ship-notices/purpose.ts'
import { NoticeReader } from '../../ship-notices/read-notices.ts'
import { readShipNotice, type ShipNotice } from '../../ship-notices/ship-notice.ts'
import { type NoticeEvent, shipFromCodesOf, shippingEventsOf } from '../../ship-notices/shipping-event.ts'
import { declaredSettings } from '../../store/base/declared-settings.ts'
import { findNamedMasterData } from '../../store/exchange/captured-events.ts'
import type { SenderQualifiers } from '../../store/exchange/ship-notices.ts'
import { readRecord } from '../../store/store.ts'
import { nextTurn } from '../base/cooperative.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { callWith } from '../base/inner-call.ts'
import { create } from '../records/create.ts'
import { shapeRefusal } from '../records/failure-answers.ts'
import { noteUnknownSenders } from '../records/refusals.ts'
import { storedEvents } from '../records/stored-kinds.ts'
import { withDatesOfProgram } from './dates-of-program.ts'
import { carryOutOriginal, LaterNotices, numberedNotice, unnumbered } from './later-notices.ts'
import {
  asAnswered,
  findingsOf,
  hasError,
  type NoticeEffect,
  type NoticeFinding,
  type NoticeResult,
  otherContent,
  refusalsOf,
  refused,
  sortBySeverity,
} from './notice-findings.ts'
import { faultOfShipNoticeSender, senderWords } from './senders.ts'

/** A notice and its answer. */
interface ReadNotice extends Omit<NoticeResult, 'events'> {
  readonly purpose?: NoticePurpose
  readonly notice: ShipNotice
  /** The worst are in `findings`, as many as one answer may list. */
  readonly findingCount: number
  readonly left: readonly NoticeFinding[]
  readonly events?: readonly NoticeEvent['payload'][]
}

export const importShipNotices = (service: HandlerContext) => {
  const context = withDatesOfProgram(service)
  const createEvents = create(context, storedEvents.shippingEvent, createOperations.createShippingEvents)
  const later = new LaterNotices(context, createEvents)
  return async (call: OperationCall): Promise<Answer<'refused' | 'read'>> => {
    const refusal = shapeRefusal(exchangeOperations.importShipNotices.body, call, nothingStored)
    if (refusal !== undefined) return refusal
    const { interchange, sender: tried } = call.body.value as Static<typeof exchangeOperations.importShipNotices.body>
    const fault = tried && faultOfTried(tried, call)
    if (fault !== undefined) return { outcome: 'refused', detail: `${fault} ${nothingStored}` }
    const senders = await readSenders(context, call, tried)
    const read = await context.runLargeWork(interchange.length, () => readFile(interchange, senders))
    const encoding = call.assumedEncoding && encodingFinding(interchange, call.assumedEncoding)
    const { notices } = read
    const findings = encoding ? [encoding, ...read.findings] : read.findings
    if (notices.length > noticesPerCallMax)
      return {
        outcome: 'refused',
        detail: `The file has more than ${noticesPerCallMax} notices. Send it in parts, or with lotkeeper import, which does so. ${nothingStored}`,
      }
    if (findings.length > findingsMax)
      return {
        outcome: 'refused',
        detail: `The file has more than ${findingsMax} faults outside its notices. The first is at segment ${findings[0]?.segment}: ${findings[0]?.message} ${nothingStored}`,
      }
    const stored = await readShipFrom(context, call, notices, senders)
    const results: ReadNotice[] = []
    for (const [i, notice] of notices.entries()) {
      const {
        events,
        findings: found,
        left = [],
        ...result
      } = await importOne({ context, createEvents, later }, call, notice, { senders, stored })
      const unstored = storing.has(result.verdict) ? left.slice(0, findingsMax) : []
      const isShown = call.query.dryRun === 'true' && i < shownNoticesMax
      results.push({
        notice,
        ...result,
        findings: sortBySeverity(found).slice(0, findingsMax),
        left: unstored,
        findingCount: found.length + unstored.length,
        ...(isShown && { events: events.map(({ payload }) => payload) }),
      })
    }
    const sentBy = notices.map(({ set }) => set.interchange)
    noteUnknownSenders(
      context,
      call,
      sentBy.filter((sender) => settingsOf(senders, sender) === undefined),
    )
    const { acknowledgment = 'none' } = call.query
    let room = findingsMax
    const listed = (found: readonly NoticeFinding[]) => {
      const shown = found.slice(0, room)
      room -= shown.length
      return shown.map(asAnswered)
    }
    return {
      outcome: 'read',
      body: {
        notices: results.map(
          ({ notice: { set, number }, purpose, verdict, effects, findings: found, left, findingCount, events }) => ({
            segment: set.segments[0]?.number ?? 1,
            senderId: set.interchange.senderId,
            senderQualifier: set.interchange.senderQualifier,
            interchange: set.interchange.controlNumber,
            number: number?.text ?? null,
            purpose: purpose ?? null,
            verdict,
            request_ids: effects.flatMap(({ id }) => id ?? []),
            effects,
            findings: listed(sortBySeverity([...found, ...left])),
            findingCount,
            ...(events && { events }),
          }),
        ),
        findings: findings.slice(0, findingsMax).map(asAnswered),
        ...(acknowledgment !== 'none' && {
          acknowledgment: writeAcknowledgments(
            acknowledgment === '999' ? '999' : '997',
            results.map(acknowledged),
            new Date().toISOString(),
          ),
        }),
      },
    }
  }
}

const nothingStored = 'Nothing was stored.'

/** Why settings cannot be tried. */
function faultOfTried(sender: NewShipNoticeSender, { query }: OperationCall): string | undefined {
  if (query.dryRun !== 'true')
    return 'Settings are tried in a dry run only. Send the file with dryRun=true, or store them with PUT /ship-notice-senders.'
  if (sender.dataProviderVendorId === undefined) return 'sender has no dataProviderVendorId. Name the vendor.'
  return faultOfShipNoticeSender(sender, senderWords(sender))
}

/** The senders that are set up, and the one that is tried. */
async function readSenders(
  { store }: HandlerContext,
  { provider }: OperationCall,
  tried: NewShipNoticeSender | undefined,
): Promise<ReadonlyMap<string, ShipNoticeSender>> {
  const stored = await declaredSettings<ShipNoticeSender>(store, provider, 'shipNoticeSender')
  const senders = new Map(stored.map(({ key, value }) => [key, value]))
  if (tried !== undefined) senders.set(senderKeyOf(tried), tried as ShipNoticeSender)
  return senders
}

/** Characters that are read together, and in memory together. */
const pieceLength = 65_536

/** All notices of a file, or one more than may be in it, and findings around them up to a bound. */
function readFile(
  text: string,
  senders: ReadonlyMap<string, ShipNoticeSender>,
): { readonly notices: ShipNotice[]; readonly findings: X12Finding[] } {
  const reader = new NoticeReader((sender) => settingsOf(senders, sender)?.releaseCharacter)
  const notices: ShipNotice[] = []
  const findings: X12Finding[] = []
  for (let at = 0; at <= text.length; at += pieceLength)
    for (const { set, findings: found = [] } of reader.read(text.slice(at, at + pieceLength), {
      isLast: at + pieceLength > text.length,
    })) {
      findings.push(...found)
      if (set !== undefined) notices.push(readShipNotice(set))
      if (notices.length > noticesPerCallMax || findings.length > findingsMax) return { notices, findings }
    }
  return { notices, findings }
}

type CreateEvents = ReturnType<typeof create>

async function importOne(
  {
    context,
    createEvents,
    later,
  }: { readonly context: HandlerContext; readonly createEvents: CreateEvents; readonly later: LaterNotices },
  call: OperationCall,
  notice: ShipNotice,
  { senders, stored }: { readonly senders: ReadonlyMap<string, ShipNoticeSender>; readonly stored: StoredPlacesOf },
): Promise<ImportedNotice> {
  const sender = settingsOf(senders, notice.set.interchange)
  if (sender === undefined) return refused([...notice.findings, unknownSender(notice)])
  if (hasError(notice.findings)) return refused(notice.findings)
  const read = purposeOf(notice, sender)
  if ('finding' in read) return refused([...notice.findings, read.finding])
  const { is: purpose } = read
  // A cancellation may have no lines, and those that it has mean nothing.
  const {
    events,
    findings: made,
    left,
  } = purpose === 'cancellation'
    ? { events: [], findings: [], left: [] }
    : shippingEventsOf(notice, sender, stored(sender))
  const findings = [...notice.findings, ...made]
  if (hasError(findings)) return { ...refused(findings, events), purpose }
  const qualifiers = qualifiersMeant(sender, senders)
  const numbered = numberedNotice(notice, { sender, qualifiers, purpose, findings, events })
  const store = () => storeEvents(context, createEvents, call, { events, findings })
  if (purpose === 'original')
    return {
      ...(await (numbered === undefined ? store() : carryOutOriginal(context, call, numbered, store))),
      purpose,
      left,
    }
  if (numbered === undefined) return { ...refused([...findings, unnumbered(notice)], events), purpose }
  return { ...(await later.carryOut(call, numbered)), purpose, left }
}

/** `left` are values that no event has: no fault of the notice, so no acknowledgment names them. */
interface ImportedNotice extends NoticeResult {
  readonly purpose?: NoticePurpose
  readonly left?: readonly NoticeFinding[]
}

/** Verdicts of notices whose values were stored, or would be. */
const storing = new Set<NoticeResult['verdict']>(['created', 'replaced', 'accepted'])

/** Qualifiers of the sender: its own, or all that have no settings of their own. */
function qualifiersMeant(
  { senderId, senderQualifier }: ShipNoticeSender,
  senders: ReadonlyMap<string, ShipNoticeSender>,
): SenderQualifiers {
  if (senderQualifier !== undefined) return { only: senderQualifier, without: [] }
  const same = [...senders.keys()].map(senderOfKey).filter((one) => one.senderId === senderId.trim())
  return { only: null, without: same.flatMap((one) => one.senderQualifier ?? []) }
}

/** The locations of the vendor of a sender. */
type StoredPlacesOf = (sender: ShipNoticeSender) => StoredPlaces

/** Stored locations that shipped the goods, and may say who assigned the lot codes. */
async function readShipFrom(
  { store }: HandlerContext,
  { provider }: OperationCall,
  notices: readonly ShipNotice[],
  senders: ReadonlyMap<string, ShipNoticeSender>,
): Promise<StoredPlacesOf> {
  const codes = new Set<string>()
  for (const notice of notices) {
    const sender = settingsOf(senders, notice.set.interchange)
    if (sender !== undefined) for (const code of shipFromCodesOf(notice, sender)) codes.add(code)
  }
  const { locations } = await findNamedMasterData(store, provider, { locationCodes: [...codes] })
  return ({ dataProviderVendorId }) =>
    new Map(
      locations
        .filter((one) => one.dataProviderVendorId === dataProviderVendorId)
        .map(({ locationCode, content }) => [locationCode, content]),
    )
}

const unknownSender = ({ set: { interchange } }: ShipNotice): X12Finding =>
  errorAt(
    { segment: interchange.header.number, segmentId: 'ISA', element: 6 },
    {
      message: `The sender ${quoted(interchange.senderId)} is not set up.`,
      remedy: 'Set up its vendor, time zone and codes with PUT /ship-notice-senders, then send the file again.',
      code: '7',
    },
  )

/** Several events are judged before the first is stored, so that all of a notice are or none. */
async function storeEvents(
  { store }: HandlerContext,
  createEvents: CreateEvents,
  call: OperationCall,
  { events, findings }: { readonly events: readonly NoticeEvent[]; readonly findings: readonly NoticeFinding[] },
): Promise<NoticeResult> {
  const isDryRun = call.query.dryRun === 'true'
  const found: NoticeFinding[] = [...findings]
  const effects: NoticeEffect[] = []
  for (const dryRun of events.length > 1 && !isDryRun ? [true, false] : [isDryRun])
    for (const event of events) {
      await nextTurn()
      const answer = await createEvents({ ...callWith(call, event.payload), query: { dryRun: String(dryRun) } })
      if (answer.outcome === 'refused' || answer.outcome === 'tooLarge')
        return refused([...findings, ...refusalsOf(answer, event)], events)
      if (dryRun && !isDryRun) continue
      if (answer.outcome !== 'taken') {
        found.push(...findingsOf(answer, event))
        effects.push({ id: idIn(answer.body), effect: 'created' })
        continue
      }
      const id = answer.heldBy
      effects.push({ id: id ?? null, effect: 'unchanged' })
      if (id === undefined) continue
      const stored = await readRecord(store, call.provider, { kind: storedEvents.shippingEvent.kind.name, id })
      if (stored !== undefined && 'body' in stored && stored.body !== JSON.stringify(event.payload))
        found.push(otherContent(id, event.at))
    }
  const isCreated = effects.some(({ effect }) => effect === 'created')
  return { verdict: !isCreated ? 'duplicate' : isDryRun ? 'accepted' : 'created', effects, findings: found, events }
}

const idIn = (body: object = {}): string | null =>
  'request_ids' in body ? ((body.request_ids as readonly string[])[0] ?? null) : null

/** Gaps are no faults of the notice as X12. */
const acknowledged = ({ notice: { set }, verdict, findings }: ReadNotice): AcknowledgedSet => ({
  set,
  firstSegment: set.segments[0]?.number ?? 1,
  isTaken: verdict !== 'refused',
  findings: findings.flatMap(({ severity, ...finding }) => (severity === 'gap' ? [] : [{ ...finding, severity }])),
})
