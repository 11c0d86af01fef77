// Starts, lists and reads mock recalls. The work is done after the answer, step by step, and its
// report is signed as checkpoints are. Source: decision 0069.
import { createHash, randomBytes } from 'node:crypto'
import type { Static } from 'typebox'
import { canonicalJson } from '../../contract/json/canonical.ts'
import type { EventPayload } from '../../contract/payloads.ts'
import { firstOfMonthBefore } from '../../contract/shape/date-and-time.ts'
import { isGiven } from '../../contract/shape/field.ts'
import { mockRecallFormat, mockRecallText } from '../../evidence/evidence.ts'
import { eventLines } from '../../exports/fda-spreadsheet/event-lines.ts'
import {
  drillSecondsMax,
  type MockRecall,
  type MockRecallReport,
  mockRecallOperations,
  recoveryMax,
  targetSeconds,
} from '../../operations/keeping/mock-recalls.ts'
import { countedEventsMax, periodMonthsDefault } from '../../operations/traceability/completeness.ts'
import { gapKeyOf } from '../../rules/gap-keys.ts'
import { keyDataElementOf } from '../../rules/key-data-elements.ts'
import { sha256, sha256Hex } from '../../sha256.ts'
import { readProviderName } from '../../store/database/providers.ts'
import { DamagedRecord, missingWords } from '../../store/evidence/damaged-record.ts'
import {
  countDrawnEvents,
  drawEvent,
  endMockRecall,
  findMockRecall,
  insertMockRecall,
  mockRecalls,
  newestDateOfEvents,
  noteSteps,
  type StoredMockRecall,
} from '../../store/keeping/mock-recalls.ts'
import { readRecord } from '../../store/store.ts'
import type { LotChain, RecoveredLot } from '../../tracing/lot-chain.ts'
import type { LotTrace } from '../../tracing/lot-trace.ts'
import { pageOf, recordIdIn, scopeOf } from '../base/cursor.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { keyNamer } from '../base/key-names.ts'
import { isRecordId, newRecordId } from '../base/record-id.ts'
import { eventsOfKind } from '../records/exported-events.ts'
import { shapeRefusal } from '../records/failure-answers.ts'
import { exportFdaPackage } from '../traceability/export-fda.ts'
import { selectForFda } from '../traceability/fda-selection.ts'
import { latestInstant } from '../traceability/line-selection.ts'
import { traceChain } from '../traceability/trace-chain.ts'
import { traceLot } from '../traceability/trace-lot.ts'

type Drawn = MockRecallReport['drawn']

const startMockRecall =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'drillRunning' | 'started'>> => {
    const refusal = shapeRefusal(mockRecallOperations.startMockRecall.body, call, notStarted)
    if (refusal !== undefined) return refusal
    const { store, reportDropped } = context
    const { provider, keyId, requestId } = call
    const {
      lotCode: named,
      seed,
      chain = false,
    } = call.body.value as Static<typeof mockRecallOperations.startMockRecall.body>
    const blank = Object.entries({ lotCode: named, seed }).find(([, value]) => value !== undefined && !isGiven(value))
    if (blank !== undefined) return refuse(`${blank[0]} is blank. Omit it.`)
    if (named !== undefined && seed !== undefined)
      return refuse('lotCode and seed exclude each other: a named lot is not drawn. Send one of them.')
    const drawing =
      named === undefined ? await drawLot(context, call, seed ?? randomBytes(8).toString('hex')) : undefined
    if (drawing !== undefined && 'problem' in drawing) return refuse(drawing.problem)
    const recall = {
      id: newRecordId(),
      lotCode: drawing?.lotCode ?? named ?? '',
      drawn: drawing?.drawn ?? null,
      startedAt: new Date(),
    }
    if (
      !(await insertMockRecall(store, { ...recall, secondsMax: drillSecondsMax, provider }, { who: keyId, requestId }))
    )
      return {
        outcome: 'drillRunning',
        detail: 'Another mock recall is running. Wait until it ends, which takes at most 15 minutes.',
      }
    runDrill(context, call, { ...recall, chain }).catch(() =>
      reportDropped(`Mock recall ${recall.id} was interrupted.`),
    )
    const started = { ...recall, startedBy: keyId, steps: [], ...unsigned }
    return {
      outcome: 'started',
      body: (await viewsOf(context, provider, [started]))[0] as object,
      createdId: recall.id,
    }
  }

const notStarted = 'No mock recall was started.'
const refuse = (why: string): Answer<'refused'> => ({ outcome: 'refused', detail: `${why} ${notStarted}` })
const unsigned = { report: null, reportHash: null, signingKeyId: null, publicKey: null, signature: null }

/** Draws until one has a lot: an event may have lines without lot codes only. */
const drawsMax = 20

/**
 * A lot of the events of the last twelve months: first an event, then one of its lines, by the
 * hash of the seed.
 */
async function drawLot(
  context: HandlerContext,
  { provider }: OperationCall,
  seed: string,
): Promise<{ readonly lotCode: string; readonly drawn: Drawn } | { readonly problem: string }> {
  const { store } = context
  const eventEndDate = await newestDateOfEvents(store, provider, latestInstant())
  if (eventEndDate === undefined) return nothingToDraw
  const period = { eventStartDate: firstOfMonthBefore(eventEndDate, periodMonthsDefault - 1), eventEndDate }
  if ((await countDrawnEvents(store, provider, period, countedEventsMax + 1)) > countedEventsMax)
    return {
      problem: `The last 12 months have more than ${countedEventsMax.toLocaleString('en-US')} events, too many to draw from. Name a lotCode.`,
    }
  for (let draw = 0; draw < drawsMax; draw++) {
    const hash = sha256(`${seed} ${draw}`)
    const found = await drawEvent(store, { ...period, provider, position: hash.readUIntBE(0, 6) / 2 ** 48 })
    if (found === undefined) return nothingToDraw
    const stored = await readRecord(store, provider, { kind: found.kind, id: found.id })
    if (stored === undefined || !('body' in stored)) continue
    const { eventList } = JSON.parse(stored.body) as EventPayload
    const lots = eventList.productList.map(({ caseLotNumber }) => caseLotNumber).filter(isGiven)
    const lotCode = lots[hash.readUIntBE(6, 6) % Math.max(1, lots.length)]
    if (lotCode === undefined) continue
    return { lotCode, drawn: { seed, ...period, events: found.events, record: found.kind, event: found.id } }
  }
  return nothingToDraw
}

const nothingToDraw = { problem: 'No event of the last 12 months has a lot code that could be drawn. Name a lotCode.' }

interface Recall {
  readonly id: string
  readonly lotCode: string
  readonly drawn: Drawn
  readonly startedAt: Date
  /** True to report the lots that were made of it, too. */
  readonly chain: boolean
}

/** A step failed; the message is for the report. */
class FailedStep extends Error {}

/** Runs the steps, records each, and signs the result, also when one failed. */
async function runDrill(context: HandlerContext, call: OperationCall, recall: Recall): Promise<void> {
  const { store, signer } = context
  const { provider, keyId } = call
  const began = performance.now()
  const secondsSince = (start: number) => Math.round(performance.now() - start) / 1_000
  const steps: MockRecallReport['steps'] = []
  const found = {
    recovery: [] as RecoveredLot[],
    recoveryCount: 0,
    isRecoveryWhole: true,
    isInDelivery: true,
    events: 0,
    lines: 0,
    shippingEvents: 0,
    shippingLines: 0,
    places: 0,
    notes: 0,
    readAlike: 0,
    incompleteLines: 0,
    missing: [] as Missing[],
  }
  let pack: MockRecallReport['package'] = null
  let failure: string | null = null
  const inTime = () => {
    if (secondsSince(began) > drillSecondsMax)
      throw new FailedStep(`It took longer than ${drillSecondsMax / 60} minutes and was stopped.`)
  }
  const run = async (name: MockRecallReport['steps'][number]['name'], work: () => Promise<void>) => {
    const start = performance.now()
    await work()
    inTime()
    steps.push({ name, seconds: secondsSince(start) })
    await noteSteps(store, { provider, id: recall.id, steps })
  }
  const ofLot: OperationCall = {
    ...call,
    lotCode: recall.lotCode,
    query: { gaps: 'true' },
    lists: { lotCode: [recall.lotCode] },
  }
  try {
    await run('trace', async () => {
      const recovery = await recoveryOf(context, ofLot, recall)
      Object.assign(found, recovery, await deliveriesOf(context, ofLot, { isInChain: recovery.recoveryCount > 0 }))
    })
    await run('package', async () => {
      const query = { ...ofLot.query, ...(recall.chain && { chain: 'forward' }) }
      pack = await packageOf(context, { ...ofLot, query }, inTime)
    })
    await run('gaps', async () => {
      const { damaged, ...gaps } = await gapsOf(context, ofLot, inTime)
      Object.assign(found, gaps)
      if (damaged.length > 0)
        failure = `${missingWords(damaged)} Everything was found and packed without them. The operator of the service restores them.`
    })
  } catch (error) {
    failure =
      error instanceof FailedStep || error instanceof DamagedRecord
        ? error.message
        : 'The service failed. The log of the service says why.'
  }
  const seconds = secondsSince(began)
  const report: MockRecallReport = {
    format: mockRecallFormat,
    id: recall.id,
    provider: { id: provider, name: await readProviderName(store, provider) },
    lotCode: recall.lotCode,
    drawn: recall.drawn,
    startedDateTime: recall.startedAt.toISOString(),
    startedBy: keyId,
    endedDateTime: new Date().toISOString(),
    seconds,
    targetSeconds,
    isWithinTarget: failure === null && seconds <= targetSeconds,
    failure,
    steps,
    found,
    package: pack,
  }
  const text = canonicalJson(report)
  const reportHash = sha256Hex(text)
  const { signingKeyId, publicKey } = signer
  const signature = signer.sign(mockRecallText({ id: recall.id, signedFor: provider, reportHash, signingKeyId }))
  await endMockRecall(store, { provider, id: recall.id, report: text, reportHash, signingKeyId, publicKey, signature })
}

/** What the trace has; nothing of a lot that other events have, and no delivery. */
async function deliveriesOf(
  context: HandlerContext,
  call: OperationCall,
  { isInChain }: { readonly isInChain: boolean },
) {
  const { outcome, text, detail, records } = await traceLot(context)({ ...call, query: {}, lists: {} })
  // Records that had the lot until a correction are a note of the trace.
  if (outcome === 'unknownLot' && isInChain) return { isInDelivery: false, notes: records === undefined ? 0 : 1 }
  if (text === undefined) throw new FailedStep(detail ?? 'The lot cannot be traced.')
  const { totals, shippingEvents: shipped, noteCount, readAlikeCount } = JSON.parse(text) as LotTrace
  return {
    events: totals.events,
    lines: totals.lines,
    shippingEvents: shipped.length,
    shippingLines: shipped.reduce((sum, event) => sum + event.lines.length, 0),
    places: totals.places,
    notes: noteCount,
    readAlike: readAlikeCount,
  }
}

/** Recovered ÷ made of the lot, or of its whole chain. A lot that only reads alike has none. */
async function recoveryOf(context: HandlerContext, call: OperationCall, { chain }: Recall) {
  const { text } = await traceChain(context)({ ...call, query: {}, lists: {} })
  const { recovery, notes } =
    text === undefined ? { recovery: [], notes: [] } : (JSON.parse(text) as Pick<LotChain, 'recovery' | 'notes'>)
  const reported = chain ? recovery : recovery.slice(0, 1)
  return {
    recovery: reported.slice(0, recoveryMax),
    recoveryCount: reported.length,
    isRecoveryWhole: !notes.some(({ kind }) => kind === 'truncated' || kind === 'damaged'),
  }
}

/** The package is made whole, hashed, and not kept. */
async function packageOf(context: HandlerContext, call: OperationCall, inTime: () => void) {
  const { file, detail } = await exportFdaPackage(context)(call)
  if (file === undefined) throw new FailedStep(detail ?? 'The package cannot be made.')
  const hash = createHash('sha256')
  let bytes = 0
  for await (const part of file.parts) {
    hash.update(part)
    bytes += Buffer.byteLength(part)
    inTime()
  }
  return { name: file.name ?? '', bytes, sha256: hash.digest('hex') }
}

type Missing = MockRecallReport['found']['missing'][number]

async function gapsOf(context: HandlerContext, call: OperationCall, inTime: () => void) {
  const chosen = await selectForFda(context, call)
  if ('outcome' in chosen) throw new FailedStep(chosen.detail ?? 'The lines cannot be chosen.')
  // A rule of several kinds cites a paragraph for each.
  const byRule = new Map<string, Missing>()
  let incompleteLines = 0
  for (const { kind, selected } of chosen.kinds)
    for await (const events of eventsOfKind(context, call.provider, { selected, master: chosen.master, kind })) {
      inTime()
      for (const event of events)
        for (const line of eventLines(event, chosen.filters)) {
          const gaps = line.gaps()
          if (gaps.length > 0) incompleteLines++
          const lacking = new Map(gaps.map(({ finding: { rule, cites } }) => [`${rule} ${cites}`, { rule, cites }]))
          for (const [key, { rule, cites }] of lacking) {
            const gap = kind === 'receivingEvent' ? rule : gapKeyOf(rule, cites)
            const known = byRule.get(key) ?? { kde: keyDataElementOf(gap).kde, cites, lines: 0 }
            byRule.set(key, { ...known, lines: known.lines + 1 })
          }
        }
    }
  const missing = [...byRule]
    .sort(([rule, { lines }], [other, { lines: others }]) => others - lines || (rule < other ? -1 : 1))
    .map(([, element]) => element)
  return { incompleteLines, missing, damaged: chosen.missing }
}

const listMockRecalls =
  ({ store }: HandlerContext) =>
  async ({ provider, query }: OperationCall): Promise<Answer<'listed' | 'badQuery'>> => {
    const listed = await pageOf(query, {
      scope: scopeOf('mock recalls', {}),
      positionIn: recordIdIn,
      find: (before, count) => mockRecalls(store, { provider, before, limit: count }),
      positionOf: ({ id }) => id,
    })
    if ('outcome' in listed) return listed
    return {
      outcome: 'listed',
      body: { content: await viewsOf({ store }, provider, listed.page), nextCursor: listed.nextCursor },
    }
  }

const readMockRecall =
  ({ store }: HandlerContext) =>
  async ({ provider, id }: OperationCall): Promise<Answer<'unknownMockRecall' | 'found'>> => {
    const recall = isRecordId(id) ? await findMockRecall(store, { provider, id }) : undefined
    return recall === undefined
      ? { outcome: 'unknownMockRecall', detail: `There is no mock recall with id ${id.slice(0, 60)}.` }
      : { outcome: 'found', body: (await viewsOf({ store }, provider, [recall]))[0] as object }
  }

async function viewsOf(
  context: Pick<HandlerContext, 'store'>,
  provider: string,
  recalls: readonly StoredMockRecall[],
): Promise<readonly MockRecall[]> {
  const nameOf = await keyNamer(
    context,
    provider,
    recalls.map(({ startedBy }) => startedBy),
  )
  return recalls.map((recall) => toView(recall, nameOf(recall.startedBy)))
}

function toView(
  { startedAt, publicKey, report, drawn: _, ...recall }: StoredMockRecall,
  startedByName: string | null,
): MockRecall {
  return {
    ...recall,
    startedByName,
    state: stateOf(startedAt, report as MockRecallReport | null),
    steps: recall.steps as MockRecall['steps'],
    startedDateTime: startedAt.toISOString(),
    report: report as MockRecallReport | null,
    publicKey: publicKey?.toString('base64') ?? null,
  }
}

const stateOf = (startedAt: Date, report: MockRecallReport | null): MockRecall['state'] =>
  report === null
    ? Date.now() - startedAt.getTime() > drillSecondsMax * 1_000
      ? 'interrupted'
      : 'running'
    : report.failure === null
      ? 'done'
      : 'failed'

export const mockRecallHandlers = { listMockRecalls, startMockRecall, readMockRecall }
