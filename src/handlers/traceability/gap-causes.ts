// From gaps to their causes, and the gaps that master data would close, judged by the rules of a
// write. Source: decision 0067.
import type { AnyEventPayload } from '../../contract/payloads.ts'
import { type EventKindName, eventKinds, linesOf } from '../../contract/record-kinds.ts'
import { isStatedCode } from '../../contract/shape/placeholder.ts'
import {
  type GapCauses,
  gapCauseOperations,
  type MasterDataEffect,
  type NewMasterData,
  previewedLinesMax,
} from '../../operations/traceability/gap-causes.ts'
import type { ItemTally } from '../../rules/completeness.ts'
import { causeOf, type GapCause, gapRules, keyDataElementOf } from '../../rules/key-data-elements.ts'
import { vendorKey } from '../../rules/rule.ts'
import { currentBodies } from '../../store/records/current-bodies.ts'
import { eventsTouched, type RecountCause } from '../../store/records/recounts.ts'
import { vendorNames } from '../../store/records/vendor-names.ts'
import { listGapGroups } from '../../store/traceability/completeness.ts'
import { nextTurn } from '../base/cooperative.ts'
import { limitOf } from '../base/cursor.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { MasterDataCache, verdictOf, withLinesOf } from '../records/exported-events.ts'
import { shapeRefusal } from '../records/failure-answers.ts'
import { type MasterDataFacts, withNumbers } from '../records/judged-payload.ts'
import { readLineSelection } from './line-selection.ts'
import { recountingOf } from './recounts.ts'
import { tallyTotals } from './tally-totals.ts'

const completedBy: Readonly<Record<GapCause, GapCauses['causes'][number]['completedBy']>> = {
  product: 'masterProduct',
  shipFrom: 'location',
  shipTo: 'location',
  lines: 'correction',
  event: 'correction',
}

const listGapCauses =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'listed' | 'badQuery'>> => {
    const { provider, query, lists } = call
    const { rule } = query
    if (rule !== undefined && !gapRules.includes(rule))
      return { outcome: 'badQuery', detail: `rule is not a rule that reports gaps. Those are: ${gapRules.join(', ')}.` }
    const recounting = await recountingOf(context, provider)
    const selection = await readLineSelection(context, provider, { query, lists, kind: 'receivingEvent' })
    if (selection !== undefined && 'outcome' in selection) return selection
    const rules = rule === undefined ? gapRules : [rule]
    const groups =
      selection === undefined
        ? []
        : await listGapGroups(context.store, {
            ...selection,
            provider,
            causes: rules.map((one) => ({ rule: one, cause: causeOf(one) })),
            limit: limitOf(query),
          })
    const nameOf = await vendorNames(
      context.store,
      provider,
      groups.map(({ dataProviderVendorId }) => dataProviderVendorId),
    )
    const body: GapCauses = {
      eventStartDate: selection?.eventStartDate ?? null,
      eventEndDate: selection?.eventEndDate ?? null,
      causes: groups.map(({ groupCount: _, code, ...group }) => ({
        ...group,
        dataProviderVendorName: nameOf(group.dataProviderVendorId),
        ...keyDataElementOf(group.rule),
        completedBy: completedBy[causeOf(group.rule)],
        code: code === '' ? null : code,
      })),
      causeCount: groups[0]?.groupCount ?? 0,
      recounting,
    }
    return { outcome: 'listed', body }
  }

/** Most events looked up, events of one batch, and how long judging delays other requests. */
const touchedAtOnce = 20_000
const eventsAtOnce = 200
const judgingMs = 5

const previewMasterData =
  (context: HandlerContext) =>
  async (call: OperationCall): Promise<Answer<'refused' | 'counted'>> => {
    const refusal = shapeRefusal(gapCauseOperations.previewMasterData.body, call, 'Nothing was counted.')
    if (refusal !== undefined) return refusal
    const change = changeOf(call.body.value as NewMasterData)
    if (change === undefined)
      return { outcome: 'refused', detail: 'Send either masterProduct or location. Nothing was counted.' }
    return { outcome: 'counted', body: await effectOf(context, call.provider, change) }
  }

/** The record that would be stored: its code, and how rules would see it. */
interface Change {
  readonly cause: RecountCause
  readonly withChange: (master: MasterDataFacts) => MasterDataFacts
}

function changeOf({ masterProduct, location }: NewMasterData): Change | undefined {
  if ((masterProduct === undefined) === (location === undefined)) return undefined
  if (masterProduct !== undefined) {
    const { dataProviderVendorId: vendor, itemCode: code } = masterProduct
    const product = { ...masterProduct, id: '' }
    return {
      cause: { id: '', what: 'item', vendor, code, eventId: null, numbers: [] },
      withChange: (master) => ({
        ...master,
        masterProducts: new Map(master.masterProducts).set(vendorKey(vendor, code), product),
      }),
    }
  }
  if (location === undefined) return undefined
  const { dataProviderVendorId: vendor, ...entry } = location
  const code = entry.locationCode
  return {
    cause: {
      id: '',
      what: 'location',
      vendor,
      code,
      eventId: null,
      numbers: [entry.gln, entry.duns].filter(isStatedCode),
    },
    withChange: (master) => ({
      ...master,
      ...withNumbers(new Map(master.masterLocations).set(vendorKey(vendor, code), entry)),
    }),
  }
}

async function effectOf(
  context: HandlerContext,
  provider: string,
  { cause, withChange }: Change,
): Promise<MasterDataEffect> {
  const { store, settings } = context
  const touched = await eventsTouched(store, provider, { changes: [cause], after: undefined, limit: touchedAtOnce })
  const effect = {
    events: touched.length,
    judgedEvents: 0,
    judgedLines: 0,
    completedEvents: 0,
    completedLines: 0,
    closedGaps: 0,
  }
  let since = performance.now()
  for (let start = 0; start < touched.length && effect.judgedLines < previewedLinesMax; start += eventsAtOnce) {
    const ids = touched.slice(start, start + eventsAtOnce).map(({ id }) => id)
    const master = new MasterDataCache(context, provider)
    for await (const { records } of currentBodies<EventKindName>(store, provider, { ids })) {
      const read = records.map(({ kind, body }) => ({ kind, payload: JSON.parse(body) as AnyEventPayload }))
      await master.lookUp(read.map(({ kind, payload }) => withLinesOf(payload, eventKinds[kind])))
      const known = master.facts()
      const changed = withChange(known)
      for (const { kind, payload } of read) {
        if (effect.judgedLines >= previewedLinesMax) break
        const before: readonly ItemTally[] = verdictOf(payload, known, settings, { kind }).tallies
        const after: readonly ItemTally[] = verdictOf(payload, changed, settings, { kind }).tallies
        addDifference(
          effect,
          tallyTotals(before),
          tallyTotals(after),
          linesOf(payload.eventList, eventKinds[kind]).length,
        )
        if (performance.now() - since < judgingMs) continue
        await nextTurn()
        since = performance.now()
      }
    }
  }
  return { ...effect, isWhole: touched.length < touchedAtOnce && effect.judgedEvents === touched.length }
}

function addDifference(
  effect: { -readonly [Name in keyof Omit<MasterDataEffect, 'isWhole'>]: number },
  before: ReturnType<typeof tallyTotals>,
  after: ReturnType<typeof tallyTotals>,
  lines: number,
): void {
  effect.judgedEvents++
  effect.judgedLines += lines
  // A line whose item is not on the list has no gap, and is not a complete line either.
  const completed = after.completeLines - before.completeLines
  if (completed > 0) effect.completedEvents++
  effect.completedLines += completed
  effect.closedGaps += before.gaps - after.gaps
}

export const gapCauseHandlers = { listGapCauses, previewMasterData }
