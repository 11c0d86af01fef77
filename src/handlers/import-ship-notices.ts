// Reads ship notices and creates their shipping events, each notice as a whole or not at all.
// Source: decision 0082.
import type { Static } from 'typebox'
import { type Finding, findingsMax } from '../contract/finding.ts'
import { readJsonObject } from '../contract/json-text.ts'
import type { ShipNoticeSender } from '../contract/ship-notice-sender.ts'
import { operations } from '../operations/catalogue.ts'
import { noticesPerCallMax, shownNoticesMax } from '../operations/ship-notices.ts'
import { shipNoticeSenders } from '../store/ship-notice-senders.ts'
import { readRecord } from '../store/store.ts'
import { type AcknowledgedNotice, writeAcknowledgments } from '../x12/acknowledgment.ts'
import { NoticeReader } from '../x12/read-notices.ts'
import { readShipNotice, type ShipNotice } from '../x12/ship-notice.ts'
import { type NoticeEvent, shippingEventsOf } from '../x12/shipping-event.ts'
import { errorAt, type Place, quoted, warningAt, type X12Finding } from '../x12/x12-finding.ts'
import { nextTurn } from './cooperative.ts'
import { create } from './create.ts'
import { shapeRefusal } from './failure-answers.ts'
import type { Answer, HandlerContext, OperationCall } from './handler.ts'
import { storedShippingEvents } from './stored-kinds.ts'

/** A finding as it is answered: of the file, or of a rule about the event that was made. */
interface NoticeFinding extends Omit<X12Finding, 'severity' | 'code'> {
  readonly severity: Finding['severity']
  readonly rule?: string
  readonly pointer?: string
}

interface NoticeResult {
  readonly verdict: 'created' | 'duplicate' | 'accepted' | 'refused'
  readonly ids: readonly string[]
  readonly findings: readonly NoticeFinding[]
  readonly events: readonly NoticeEvent[]
}

/** A notice and what is answered of it. */
interface ReadNotice extends Omit<NoticeResult, 'events'> {
  readonly notice: ShipNotice
  /** The worst are in `findings`, as many as one answer may list. */
  readonly findingCount: number
  readonly events?: readonly NoticeEvent['payload'][]
}

export const importShipNotices = (context: HandlerContext) => {
  const createEvents = create(context, storedShippingEvents, operations.createShippingEvents)
  return async (call: OperationCall): Promise<Answer<'refused' | 'read'>> => {
    const refusal = shapeRefusal(operations.importShipNotices.body, call, nothingStored)
    if (refusal !== undefined) return refusal
    const { interchange } = call.body.value as Static<(typeof operations)['importShipNotices']['body']>
    const senders = await readSenders(context, call)
    const { notices, findings } = await context.runLargeWork(interchange.length, () => readFile(interchange, senders))
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
    const results: ReadNotice[] = []
    for (const [i, notice] of notices.entries()) {
      const { events, findings: found, ...result } = await importOne(context, createEvents, call, notice, senders)
      const isShown = call.query.dryRun === 'true' && i < shownNoticesMax
      results.push({
        notice,
        ...result,
        findings: sorted(found).slice(0, findingsMax),
        findingCount: found.length,
        ...(isShown && { events: events.map(({ payload }) => payload) }),
      })
    }
    const { acknowledgment = 'none' } = call.query
    let left = findingsMax
    const listed = (found: readonly NoticeFinding[]) => {
      const shown = found.slice(0, left)
      left -= shown.length
      return shown
    }
    return {
      outcome: 'read',
      body: {
        notices: results.map(({ notice: { set, number }, verdict, ids, findings: found, findingCount, events }) => ({
          segment: set.segments[0]?.number ?? 1,
          senderId: set.interchange.senderId,
          interchange: set.interchange.controlNumber,
          number: number?.text ?? null,
          verdict,
          request_ids: ids,
          findings: listed(found),
          findingCount,
          ...(events && { events }),
        })),
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

async function readSenders(
  { store }: HandlerContext,
  { provider }: OperationCall,
): Promise<ReadonlyMap<string, ShipNoticeSender>> {
  const senders = await shipNoticeSenders(store, provider)
  return new Map(senders.map(({ senderId, settings }) => [senderId, JSON.parse(settings) as ShipNoticeSender]))
}

/** Characters that are read at once: what is read of them is in memory together. */
const pieceLength = 65_536

/** All notices of a file, or one more than may be in it, and findings around them up to a bound. */
function readFile(
  text: string,
  senders: ReadonlyMap<string, ShipNoticeSender>,
): { readonly notices: ShipNotice[]; readonly findings: X12Finding[] } {
  const reader = new NoticeReader((senderId) => senders.get(senderId)?.releaseCharacter)
  const notices: ShipNotice[] = []
  const findings: X12Finding[] = []
  for (let at = 0; at <= text.length; at += pieceLength)
    for (const { set, findings: found = [] } of reader.read(
      text.slice(at, at + pieceLength),
      at + pieceLength > text.length,
    )) {
      findings.push(...found)
      if (set !== undefined) notices.push(readShipNotice(set))
      if (notices.length > noticesPerCallMax || findings.length > findingsMax) return { notices, findings }
    }
  return { notices, findings }
}

type CreateEvents = ReturnType<typeof create>

async function importOne(
  context: HandlerContext,
  createEvents: CreateEvents,
  call: OperationCall,
  notice: ShipNotice,
  senders: ReadonlyMap<string, ShipNoticeSender>,
): Promise<NoticeResult> {
  const refused = (findings: readonly X12Finding[], events: readonly NoticeEvent[] = []): NoticeResult => ({
    verdict: 'refused',
    ids: [],
    findings: findings.map(asAnswered),
    events,
  })
  const sender = senders.get(notice.set.interchange.senderId)
  if (sender === undefined) return refused([...notice.findings, unknownSender(notice)])
  if (hasError(notice.findings)) return refused(notice.findings)
  const { events, findings: made } = shippingEventsOf(notice, sender)
  const findings = [...notice.findings, ...made, ...purposeFindings(notice)]
  if (hasError(findings)) return refused(findings, events)
  return storeEvents(context, createEvents, call, events, findings.map(asAnswered))
}

const hasError = (findings: readonly Pick<NoticeFinding, 'severity'>[]): boolean =>
  findings.some(({ severity }) => severity === 'error')

const unknownSender = ({ set: { interchange } }: ShipNotice): X12Finding =>
  errorAt(
    { segment: interchange.header.number, segmentId: 'ISA', element: 6 },
    {
      message: `The sender ${quoted(interchange.senderId)} is not set up.`,
      remedy: 'Set up its vendor, time zone and codes with PUT /ship-notice-senders, then send the file again.',
      code: '7',
    },
  )

/** What is not an original means events that exist. */
function purposeFindings({ purpose }: ShipNotice): X12Finding[] {
  if (purpose === undefined || purpose.text === '00') return []
  return [
    errorAt(purpose, {
      message: `BSN01 is ${quoted(purpose.text)}. Only originals (00) are read.`,
      remedy:
        'Replace or void the shipping events of the notice: GET /data-provider/events/shipping?asnNumber= lists them.',
      code: '7',
    }),
  ]
}

/** Several events are judged before the first is stored, so that all of a notice are or none. */
async function storeEvents(
  { store }: HandlerContext,
  createEvents: CreateEvents,
  call: OperationCall,
  events: readonly NoticeEvent[],
  findings: readonly NoticeFinding[],
): Promise<NoticeResult> {
  const isDryRun = call.query.dryRun === 'true'
  const found: NoticeFinding[] = [...findings]
  const ids: string[] = []
  const verdicts: NoticeResult['verdict'][] = []
  for (const dryRun of events.length > 1 && !isDryRun ? [true, false] : [isDryRun])
    for (const event of events) {
      await nextTurn()
      const answer = await createEvents({ ...createCall(call, event), query: { dryRun: String(dryRun) } })
      const about = (answer.findings ?? bodyFindings(answer.body)).map((finding) => placed(finding, event))
      if (answer.outcome === 'refused' || answer.outcome === 'tooLarge')
        return {
          verdict: 'refused',
          ids: [],
          findings: [...findings, ...(about.length > 0 ? about : [refusedAs(answer.detail, event)])],
          events,
        }
      if (answer.outcome === 'taken') {
        if (dryRun && !isDryRun) continue
        verdicts.push('duplicate')
        if (answer.heldBy === undefined) continue
        ids.push(answer.heldBy)
        const stored = await readRecord(store, call.provider, {
          kind: storedShippingEvents.kind.name,
          id: answer.heldBy,
        })
        if (stored !== undefined && 'body' in stored && stored.body !== JSON.stringify(event.payload))
          found.push(asAnswered(otherContent(answer.heldBy, event)))
        continue
      }
      if (dryRun && !isDryRun) continue
      found.push(...about)
      verdicts.push(dryRun ? 'accepted' : 'created')
      ids.push(...idsIn(answer.body))
    }
  const verdict = verdicts.find((one) => one !== 'duplicate') ?? 'duplicate'
  return { verdict, ids, findings: found, events }
}

/** Somebody may have corrected the event, or the sender sent another notice under the number. */
const otherContent = (id: string, { at }: NoticeEvent): X12Finding =>
  warningAt(at, {
    message: `The shipping event ${id} of this notice has other content now. It was not changed.`,
    remedy: 'Compare both, and replace the event if the notice is right.',
  })

function createCall(call: OperationCall, { payload }: NoticeEvent): OperationCall {
  const body = readJsonObject(JSON.stringify(payload))
  if ('defect' in body) throw new Error(`The payload of a notice cannot be read: ${body.defect}`)
  return { ...call, body, representation: true, idempotencyKey: undefined }
}

const bodyFindings = (body: object = {}): readonly Finding[] =>
  'findings' in body ? (body.findings as readonly Finding[]) : []

const idsIn = (body: object = {}): readonly string[] =>
  'request_ids' in body ? (body.request_ids as readonly string[]) : []

/** A finding of a rule, with the place of the value that it is about, or of what it is in. */
function placed({ severity, message, remedy, rule, pointer }: Finding, { places, at }: NoticeEvent): NoticeFinding {
  let place: Place | undefined
  for (let path = pointer; place === undefined && path !== ''; path = path.slice(0, path.lastIndexOf('/')))
    place = places.get(path)
  const { segment, segmentId, element } = place ?? at
  return { severity, segment, segmentId, ...(element !== undefined && { element }), message, remedy, rule, pointer }
}

const refusedAs = (detail: string | undefined, { at }: NoticeEvent): NoticeFinding =>
  asAnswered(
    errorAt(at, { message: detail ?? 'The event was refused.', remedy: 'Send the notice in parts.', code: '5' }),
  )

const asAnswered = ({ code: _, ...finding }: X12Finding): NoticeFinding => finding

const order = ['error', 'warning', 'gap']

const sorted = (findings: readonly NoticeFinding[]): NoticeFinding[] =>
  [...findings].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))

/** Gaps are no faults of the notice as X12. */
const acknowledged = ({ notice: { set }, verdict, findings }: ReadNotice): AcknowledgedNotice => ({
  set,
  firstSegment: set.segments[0]?.number ?? 1,
  isTaken: verdict !== 'refused',
  findings: findings.flatMap(({ severity, ...finding }) => (severity === 'gap' ? [] : [{ ...finding, severity }])),
})
