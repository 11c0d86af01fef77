// Captures an EPCIS document: each event becomes a record, changes one, or has a reason why not.
// Records are written by the same handlers as those of any other caller. Source: decision 0083.

import { NewCaptureSender } from '../../contract/capture-sender.ts'
import { canonicalJson } from '../../contract/json/canonical.ts'
import type { JsonObjectText } from '../../contract/json/json-text.ts'
import {
  type EventKindName,
  eventKindList,
  eventKinds,
  isDeliveryKind,
  ofEventKinds,
} from '../../contract/record-kinds.ts'
import { instantOf, isDateTime } from '../../contract/shape/date-and-time.ts'
import { listEntriesMax } from '../../contract/shape/field.ts'
import type { SeverityCounts } from '../../contract/shape/finding.ts'
import { type DocumentFault, type EpcisDocument, type EpcisEvent, readDocument } from '../../epcis/document.ts'
import {
  type Draft,
  drafting,
  type OutOfScopeReason,
  outOfScopeReasons,
  type SenderDefaults,
} from '../../epcis/draft.ts'
import { contentOf } from '../../epcis/event-content.ts'
import { keysOf } from '../../epcis/known-master-data.ts'
import { readXmlDocument } from '../../epcis/xml.ts'
import { captureFindingsMax, type effects, type verdicts } from '../../operations/exchange/capture.ts'
import { createOperations } from '../../operations/records/create.ts'
import { operationOf } from '../../operations/records/of-kinds.ts'
import { replaceOperations } from '../../operations/records/replace.ts'
import { voidEventOperations } from '../../operations/records/void.ts'
import { identified } from '../../rules/location.ts'
import { shapeFindings } from '../../rules/shape.ts'
import { sha256 } from '../../sha256.ts'
import { declaredSettingsOf } from '../../store/base/declared-settings.ts'
import {
  type CapturedEvent,
  findCapturedEvents,
  findNamedMasterData,
  rememberCapturedEvents,
} from '../../store/exchange/captured-events.ts'
import { readFirstAnswer } from '../../store/records/idempotency-keys.ts'
import { Slice } from '../base/cooperative.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { bodyWith, callWithBody } from '../base/inner-call.ts'
import { create } from '../records/create.ts'
import { replace } from '../records/replace.ts'
import { storedEvents } from '../records/stored-kinds.ts'
import { voidEvent } from '../records/void.ts'
import { withDatesOfProgram } from './dates-of-program.ts'

interface CaptureFinding {
  readonly pointer: string
  readonly message: string
  readonly remedy: string
  readonly rule: string | null
}

/** The result of one event. */
interface Verdict {
  readonly verdict: (typeof verdicts)[number]
  readonly effect?: (typeof effects)[number]
  readonly kind?: string | null
  readonly recordId?: string | null
  readonly reason?: OutOfScopeReason
  readonly detail?: string
  readonly findings?: readonly CaptureFinding[]
  readonly severities?: SeverityCounts
}

/** An event of the document, with how it is recognised. */
interface Arrival {
  readonly event: EpcisEvent
  readonly id: string
  readonly contentHash: Buffer
  /** The one event that is right instead. */
  readonly correctedBy: string | null
}

/** Events that are written at the same time: the store puts their writes into one statement. */
const atOnce = 128

export const captureEpcis = (service: HandlerContext) => {
  const context = withDatesOfProgram(service)
  return async (call: OperationCall): Promise<Answer<'refused' | 'judged' | 'captured'>> => {
    const document = await context.runLargeWork(call.body.text.length, () => readBody(call))
    if ('fault' in document) return refusedWhole(document)
    const faultOfDefaults = faultOfTried(call)
    if (faultOfDefaults !== undefined) return refusedWhole(faultOfDefaults)
    const sender = call.query.sender ?? document.sender
    const capture = await Capture.of(context, call, document, sender)
    const verdicts = await capture.run()
    const counts = { captured: 0, duplicate: 0, outOfScope: 0, refused: 0 }
    for (const { verdict } of verdicts) counts[verdict]++
    let room = captureFindingsMax
    const events = verdicts.map((verdict, i) => {
      const findings = (verdict.findings ?? []).slice(0, room)
      room -= findings.length
      return {
        pointer: document.events[i]?.pointer ?? '',
        eventId: document.events[i]?.eventId ?? null,
        verdict: verdict.verdict,
        effect: verdict.effect ?? null,
        kind: verdict.kind ?? null,
        recordId: verdict.recordId ?? null,
        reason: verdict.reason ?? null,
        detail: verdict.detail ?? null,
        findings,
        findingCount: verdict.findings?.length ?? 0,
        severities: verdict.severities ?? null,
      }
    })
    return {
      outcome: capture.isDryRun ? 'judged' : 'captured',
      body: { sender: sender ?? null, eventCount: events.length, ...counts, events },
    }
  }
}

const refusedWhole = ({ pointer, fault }: DocumentFault): Answer<'refused'> => ({
  outcome: 'refused',
  detail: `${pointer}: ${fault} Nothing was stored.`,
})

/** Defaults that a dry run tries; their shape is checked. */
const triedDefaults = ({ body }: OperationCall) =>
  (body.value as { readonly senderDefaults?: NewCaptureSender }).senderDefaults

/** Why defaults cannot be tried. */
function faultOfTried(call: OperationCall): DocumentFault | undefined {
  const tried = triedDefaults(call)
  if (tried === undefined) return undefined
  const [first] = shapeFindings(NewCaptureSender, tried).findings
  const pointer = '/senderDefaults'
  if (first !== undefined) return { pointer: `${pointer}${first.pointer}`, fault: first.message }
  return call.query.dryRun === 'true'
    ? undefined
    : {
        pointer,
        fault:
          'Defaults are tried in a dry run only. Send the document with dryRun=true, or store them with PUT /capture/senders.',
      }
}

/** The defaults of all senders, then those of this one; tried defaults take precedence. */
async function defaultsOf({ store }: HandlerContext, call: OperationCall, sender: string): Promise<SenderDefaults> {
  const declared = await declaredSettingsOf<NewCaptureSender>(store, call.provider, 'captureSender', [sender])
  const byKey = new Map(declared.map(({ key, value }) => [key, value]))
  const tried = triedDefaults(call)
  if (tried !== undefined) byKey.set(tried.sender ?? '', tried)
  return { ...byKey.get(''), ...byKey.get(sender) }
}

/** XML becomes the object that JSON-LD has. */
function readBody({ body }: OperationCall): EpcisDocument | DocumentFault {
  const { xml } = body.value
  if (typeof xml !== 'string') return readDocument(body.value)
  const document = readXmlDocument(xml)
  return 'fault' in document
    ? { pointer: `The XML, ${document.place}`, fault: String(document.fault) }
    : readDocument(document)
}

/** How records of a kind are written. */
interface CapturedKindWriter {
  readonly create: (call: OperationCall) => Promise<Answer<string>>
  readonly replace: (call: OperationCall) => Promise<Answer<string>>
  readonly void: (call: OperationCall) => Promise<Answer<string>>
  readonly createOperation: string
}

class Capture {
  readonly isDryRun: boolean
  readonly #context: HandlerContext
  readonly #call: OperationCall
  readonly #arrivals: readonly Arrival[]
  readonly #draftOf: (event: EpcisEvent) => Draft
  /** Events captured before, and by this call, by event id. */
  readonly #known: Map<string, CapturedEvent>
  /** Events that this call captured. */
  readonly #fresh = new Map<string, CapturedEvent>()
  /** Of each event, those that it corrects. */
  readonly #corrects = new Map<string, string[]>()
  /** Events whose records have a vendor, a place and a second. */
  readonly #taken = new Map<string, EpcisEvent>()
  /** Size of the records of new events together. */
  #recordLines = 0
  #recordBytes = 0
  readonly #writers: { readonly [K in EventKindName]: CapturedKindWriter }

  private constructor(
    context: HandlerContext,
    call: OperationCall,
    {
      arrivals,
      known,
      draftOf,
    }: {
      readonly arrivals: readonly Arrival[]
      readonly known: readonly CapturedEvent[]
      readonly draftOf: (event: EpcisEvent) => Draft
    },
  ) {
    this.#context = context
    this.#call = call
    this.isDryRun = call.query.dryRun === 'true'
    this.#arrivals = arrivals
    this.#draftOf = draftOf
    this.#known = new Map(known.map((event) => [event.eventId, event]))
    for (const { id, correctedBy } of arrivals) this.#noteCorrection(correctedBy, id)
    for (const { eventId, correctedBy } of known) this.#noteCorrection(correctedBy, eventId)
    this.#writers = ofEventKinds((kind) => ({
      create: create(context, storedEvents[kind], operationOf(createOperations, eventKinds[kind])),
      replace: replace(context, storedEvents[kind], operationOf(replaceOperations, eventKinds[kind])),
      void: voidEvent(context, eventKinds[kind], operationOf(voidEventOperations, eventKinds[kind])),
      createOperation: operationOf(createOperations, eventKinds[kind]).name,
    }))
  }

  static async of(
    context: HandlerContext,
    call: OperationCall,
    document: EpcisDocument,
    sender: string | undefined,
  ): Promise<Capture> {
    const { store } = context
    const arrivals = await context.runLargeWork(call.body.text.length, () => document.events.map(arrivalOf))
    const known = await findCapturedEvents(store, { provider: call.provider, eventIds: arrivals.map(({ id }) => id) })
    const defaults = await defaultsOf(context, call, sender ?? '')
    const stored = await findNamedMasterData(store, call.provider, keysOf(document, defaults))
    return new Capture(context, call, { arrivals, known, draftOf: drafting(document, stored, defaults) })
  }

  #noteCorrection(correctedBy: string | null, id: string): void {
    if (correctedBy === null) return
    const corrected = this.#corrects.get(correctedBy)
    if (corrected === undefined) this.#corrects.set(correctedBy, [id])
    else corrected.push(id)
  }

  /** A verdict for each event. Valid events are written before those declared wrong. */
  async run(): Promise<readonly Verdict[]> {
    const verdicts = new Array<Verdict>(this.#arrivals.length)
    const isWrong = ({ event }: Arrival) => event.declaredWrong !== undefined
    const seen = new Map<string, Arrival>()
    await this.#each(verdicts, (arrival) => {
      if (isWrong(arrival)) return undefined
      const early = knownVerdict(arrival, this.#known.get(arrival.id) ?? seen.get(arrival.id))
      seen.set(arrival.id, arrival)
      if (early?.verdict === 'refused') return this.#outOfScope(arrival.event) ?? early
      return early ?? this.#captureNew(arrival)
    })
    await this.#each(verdicts, (arrival) => (isWrong(arrival) ? this.#declareWrong(arrival) : undefined))
    if (!this.isDryRun && this.#fresh.size > 0)
      await rememberCapturedEvents(this.#context.store, {
        provider: this.#call.provider,
        events: [...this.#fresh.values()],
      })
    return verdicts
  }

  /** Begins the work on the events in their order, as much of it at once as the store can use. */
  async #each(verdicts: Verdict[], work: (arrival: Arrival) => Verdict | Promise<Verdict> | undefined): Promise<void> {
    const slice = new Slice()
    let running: Promise<void>[] = []
    for (const [i, arrival] of this.#arrivals.entries()) {
      const verdict = work(arrival)
      if (verdict instanceof Promise) {
        const written = verdict.then((one) => {
          verdicts[i] = one
        })
        // A promise that fails before all are awaited has a handler.
        written.catch(() => undefined)
        running.push(written)
      } else if (verdict !== undefined) verdicts[i] = verdict
      if (running.length === atOnce) {
        await Promise.all(running)
        running = []
      }
      if (slice.isOver) await slice.next()
    }
    await Promise.all(running)
  }

  /** An event that becomes no record has that verdict, whatever its id. */
  #outOfScope(event: EpcisEvent): Verdict | undefined {
    const draft = this.#draftOf(event)
    return draft.is === 'outOfScope' ? verdictWithoutRecord(draft) : undefined
  }

  #captureNew(arrival: Arrival): Verdict | Promise<Verdict> {
    if (this.#recordLines > recordLinesMax || this.#recordBytes > this.#context.limits.createBytesMax)
      return tooMuch(arrival.event)
    const draft = this.#draftOf(arrival.event)
    if (draft.is !== 'record') return verdictWithoutRecord(draft)
    const body = bodyWith(draft.payload)
    this.#recordLines += linesIn(draft)
    this.#recordBytes += body.text.length
    return collision(draft, arrival.event, this.#taken) ?? this.#write(arrival, draft, body)
  }

  #note(event: CapturedEvent): void {
    this.#known.set(event.eventId, event)
    this.#fresh.set(event.eventId, event)
  }

  /** The record of the event that this one corrects, through declarations in between. */
  #correctedRecord(id: string, seen = new Set<string>()): CapturedEvent | undefined {
    if (seen.has(id)) return undefined
    seen.add(id)
    for (const corrected of this.#corrects.get(id) ?? []) {
      const known = this.#known.get(corrected)
      const found = known?.recordId == null ? this.#correctedRecord(corrected, seen) : known
      if (found !== undefined) return found
    }
    return undefined
  }

  #callOf(id: string, body: JsonObjectText): OperationCall {
    return { ...callWithBody(this.#call, body), id, query: this.isDryRun ? { dryRun: 'true' } : {} }
  }

  async #write(arrival: Arrival, draft: RecordDraft, body: JsonObjectText): Promise<Verdict> {
    const writer = this.#writers[draft.kind]
    const corrected = this.#correctedRecord(arrival.id)
    const note = (recordId: string | null) => {
      if (recordId !== null || this.isDryRun)
        this.#note({ ...rowOf(arrival), kind: recordId === null ? null : draft.kind, recordId })
    }
    if (corrected?.recordId != null && corrected.kind === draft.kind) {
      const { recordId } = corrected
      const answer = await writer.replace(this.#callOf(recordId, body))
      if (answer.outcome === 'replaced' || answer.outcome === 'unchanged' || answer.outcome === 'judged') {
        note(recordId)
        return { verdict: 'captured', effect: 'replaced', kind: draft.kind, recordId, ...remarksOn(draft) }
      }
      // A record that was purged is not corrected: the event is one of its own.
      if (answer.outcome !== 'unknownRecord' && answer.outcome !== 'purged')
        return refusedVerdict(answer, draft, arrival.event)
    }
    const idempotencyKey = `epcis:${sha256(arrival.id).toString('hex')}`
    const call = { ...this.#callOf('', body), idempotencyKey }
    const answer = await writer.create(call)
    if (answer.outcome === 'judged' || answer.outcome === 'created') {
      const body = answer.body as { readonly request_ids?: readonly string[]; readonly severities: SeverityCounts }
      const recordId = body.request_ids?.[0] ?? null
      note(recordId)
      if (answer.replayed) return duplicateVerdict({ kind: draft.kind, recordId })
      const { severities } = body
      return { verdict: 'captured', effect: 'created', kind: draft.kind, recordId, severities, ...remarksOn(draft) }
    }
    if (answer.outcome === 'keyReused') {
      // Stored by a call that ended before it remembered the event, with other defaults.
      const first = await readFirstAnswer(this.#context.store, { provider: this.#call.provider, key: idempotencyKey })
      const recordId = first?.operation === writer.createOperation ? (first.recordIds[0] ?? null) : null
      note(recordId)
      return duplicateVerdict({ kind: draft.kind, recordId })
    }
    return refusedVerdict(answer, draft, arrival.event)
  }

  /** The event did not happen as it was sent: its record is replaced by now, or voided. */
  async #declareWrong(arrival: Arrival): Promise<Verdict> {
    const { event, id, correctedBy } = arrival
    const known = this.#known.get(id)
    const declared = { ...rowOf(arrival), declaredWrong: true }
    if (known?.declaredWrong && (correctedBy === null || known.correctedBy === correctedBy))
      return duplicateVerdict(known)
    if (known?.recordId == null || known.kind === null) {
      const draft = this.#draftOf(event)
      if (draft.is === 'outOfScope') return verdictWithoutRecord(draft)
      const { kind = null, recordId = null } = this.#correctedRecord(id) ?? {}
      this.#note({ ...declared, kind, recordId })
      return { verdict: 'outOfScope', reason: 'declaredWrong', detail: outOfScopeReasons.declaredWrong }
    }
    const { kind, recordId } = known
    this.#note({ ...declared, kind, recordId })
    const correction = correctedBy === null ? undefined : this.#known.get(correctedBy)
    if (known.declaredWrong || (correction?.recordId === recordId && !correction.declaredWrong))
      return {
        verdict: 'captured',
        effect: 'remembered',
        kind,
        recordId,
        detail: 'The event that corrects it replaced the record.',
      }
    const answer = await this.#writers[kind as EventKindName].void(
      this.#callOf(recordId, bodyWith({ reason: voidReasonOf(event) })),
    )
    const effect = answer.outcome === 'unknownRecord' || answer.outcome === 'purged' ? 'remembered' : 'voided'
    return { verdict: 'captured', effect, kind, recordId }
  }
}

type RecordDraft = Extract<Draft, { readonly is: 'record' }>

/** Most sentences about values that are not stored. */
const toldMax = 10

/**
 * Values that came from the settings of the sender and not from an event, and values that the
 * record lacks.
 */
function remarksOn({ supplied, told }: RecordDraft): Pick<Verdict, 'detail'> {
  const remarks = [
    ...(supplied.length === 0 ? [] : [`From the defaults of the sender: ${supplied.join(', ')}.`]),
    ...told.slice(0, toldMax),
    ...(told.length > toldMax ? [`${told.length - toldMax} more values are not stored.`] : []),
  ]
  return remarks.length === 0 ? {} : { detail: remarks.join(' ') }
}

/** Longest text of a field. */
const reasonLengthMax = 100

const voidReasonOf = ({ declaredWrong }: EpcisEvent): string =>
  [
    ...(declaredWrong?.voidReason ??
      `The sender declared the event wrong${declaredWrong?.reason ? ` (${declaredWrong.reason})` : ''}.`),
  ]
    .slice(0, reasonLengthMax)
    .join('')

function arrivalOf(event: EpcisEvent): Arrival {
  const contentHash = sha256(canonicalJson(contentOf(event)))
  const correctives = event.declaredWrong?.correctiveIds ?? []
  return {
    event,
    contentHash,
    id: event.eventId ?? `sha256:${contentHash.toString('hex')}`,
    correctedBy: correctives.length === 1 ? (correctives[0] ?? null) : null,
  }
}

const rowOf = ({ id, contentHash, correctedBy }: Arrival): CapturedEvent => ({
  eventId: id,
  contentHash,
  kind: null,
  recordId: null,
  declaredWrong: false,
  correctedBy,
})

const duplicateVerdict = ({ kind, recordId }: Pick<CapturedEvent, 'kind' | 'recordId'>): Verdict => ({
  verdict: 'duplicate',
  kind,
  recordId,
  detail: recordId === null ? 'The event was sent before.' : `The event was captured before, as record ${recordId}.`,
})

/** The verdict on an event that is known by its id; undefined for a new one. */
function knownVerdict(
  { event, contentHash }: Arrival,
  known: CapturedEvent | Arrival | undefined,
): Verdict | undefined {
  if (known === undefined) return undefined
  const { kind = null, recordId = null } = 'recordId' in known ? known : {}
  if (Buffer.compare(known.contentHash, contentHash) === 0) return duplicateVerdict({ kind, recordId })
  const message = 'Another event has this eventID.'
  const remedy =
    'Give the event an id of its own. To correct the other event, send it again with an errorDeclaration that names this one.'
  return {
    verdict: 'refused',
    kind,
    recordId,
    detail: `${message} ${remedy}`,
    findings: [{ pointer: `${event.pointer}/eventID`, message, remedy, rule: null }],
  }
}

function verdictWithoutRecord(draft: Exclude<Draft, RecordDraft>): Verdict {
  if (draft.is === 'refused')
    return {
      verdict: 'refused',
      detail: draft.faults[0]?.message ?? '',
      findings: draft.faults.map((fault) => ({ ...fault, rule: null })),
    }
  return { verdict: 'outOfScope', reason: draft.reason, detail: outOfScopeReasons[draft.reason] }
}

/**
 * Most product lines of the records of a document, as many as a body has entries: a pallet that is
 * received often, and a text of the header, are in many records.
 */
const recordLinesMax = listEntriesMax

function linesIn({ payload, kind }: RecordDraft): number {
  const event = payload.eventList as Readonly<Record<string, unknown>>
  const lists = Object.keys(eventKinds[kind].lists).map((list) => event[list])
  return lists.reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0)
}

function tooMuch({ pointer }: EpcisEvent): Verdict {
  const message = `The records of the events before this one are as many as one request stores.`
  const remedy = 'Send the document again: events that were captured are recognised, and the next ones follow.'
  return { verdict: 'refused', detail: `${message} ${remedy}`, findings: [{ pointer, message, remedy, rule: null }] }
}

/**
 * One record has a vendor, a place and a second; of a shipment also its documents. Two events that
 * differ by a fraction of a second cannot both be records.
 */
function collision(draft: RecordDraft, event: EpcisEvent, taken: Map<string, EpcisEvent>): Verdict | undefined {
  const fields = draft.payload.eventList as Readonly<Record<string, unknown>>
  const { eventDateTime } = fields
  if (typeof eventDateTime !== 'string' || !isDateTime(eventDateTime)) return undefined
  const named = collidingFields[draft.kind].map((field) => fields[field])
  const key = JSON.stringify([draft.kind, instantOf(eventDateTime), ...named])
  const other = taken.get(key)
  if (other === undefined) {
    taken.set(key, event)
    return undefined
  }
  const message = `Without fractions of a second, its time is that of ${other.pointer}, which has the same vendor and place.`
  const remedy = 'Send what happened in one second as one event, or give the events times that differ by a second.'
  return {
    verdict: 'refused',
    kind: draft.kind,
    detail: `${message} ${remedy}`,
    findings: [{ pointer: `${event.pointer}/eventTime`, message, remedy, rule: null }],
  }
}

/** Findings of the rules, at the places of the document that the values came from. */
function refusedVerdict(answer: Answer<string>, { kind, pointerOf }: RecordDraft, event: EpcisEvent): Verdict {
  const all = (answer.findings ?? []).filter(({ severity }) => severity === 'error')
  // Without its places an event has no list of them.
  const places = all.filter(({ pointer }) => pointer !== '/locationMasterList')
  const errors = places.length > 0 ? places : all
  const findings: CaptureFinding[] =
    errors.length > 0
      ? errors.map(({ pointer, message, remedy, rule }) => ({
          pointer: pointerOf(pointer),
          message,
          remedy:
            rule === 'shape/required'
              ? (remedies.get(pointer.replaceAll(/\/\d+/g, '/*')) ?? remedy)
              : rule === identified.id
                ? unknownPlace
                : remedy,
          rule,
        }))
      : [
          {
            pointer: answer.outcome === 'taken' ? `${event.pointer}/eventTime` : event.pointer,
            message: answer.detail ?? 'The event cannot be stored.',
            remedy:
              answer.outcome === 'taken'
                ? 'Send what happened in one second as one event, or declare the earlier event wrong.'
                : 'Send the event as several smaller ones.',
            rule: null,
          },
        ]
  return {
    verdict: 'refused',
    kind,
    ...(answer.heldBy !== undefined && { recordId: answer.heldBy }),
    detail: findings[0]?.message ?? '',
    findings,
  }
}

/** The other values that two events of one record share. */
const collidingFields = ofEventKinds((kind) => [eventKinds[kind].place, ...eventKinds[kind].identity])

const unknownPlace =
  'Store the location (POST /data-provider/locations) under this code, or with the identifier of the document as its alternateLocationCode. Or have the sender send the address in the master data of the header.'

/** Values that EPCIS often lacks, and their other sources. */
const remedies: ReadonlyMap<string, string> = new Map([
  [
    '/eventList/dataProviderVendorId',
    'Set dataProviderVendorId in the defaults of the sender (PUT /capture/senders), or store a location with the GLN of the source.',
  ],
  [
    '/eventList/purchaseOrderNumber',
    'Send a bizTransaction of type po, or set purchaseOrderNumber in the defaults of the sender (PUT /capture/senders).',
  ],
  [
    '/eventList/shipFromLocationCode',
    'Send a sourceList entry of type location, the shipping event in the same document, or set shipFromLocationCode in the defaults of the sender (PUT /capture/senders).',
  ],
  [
    '/eventList/shipToLocationCode',
    'Send a destinationList entry of type location, or set shipToLocationCode in the defaults of the sender (PUT /capture/senders).',
  ],
  [
    '/locationMasterList/*/locationName',
    'Send the name of the place in the master data of the header, store the location (POST /data-provider/locations), or set locationNameIsCode in the defaults of the sender (PUT /capture/senders).',
  ],
  [
    '/eventList/productList/*/shipQuantityUom',
    'Send uom for mass or volume. For counts, set shipQuantityUom in the defaults of the sender (PUT /capture/senders).',
  ],
  ['/eventList/productList/*/shipQuantity', 'Send the quantity of the lot.'],
  ...eventKindList.flatMap(({ name, place }) =>
    isDeliveryKind(name) ? [] : [[`/eventList/${place}`, 'Send bizLocation or readPoint.'] as const],
  ),
])
