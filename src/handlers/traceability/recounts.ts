// Counts events again whose gaps a change of master data may have filled or opened.
// Source: decision 0052.
import type { AnyEventPayload } from '../../contract/payloads.ts'
import { type EventKindName, eventKinds } from '../../contract/record-kinds.ts'
import { type CurrentBody, currentBodies } from '../../store/records/current-bodies.ts'
import {
  claimRecount,
  endRecount,
  eventsTouched,
  recountCauses,
  recountDueSince,
  renewalMs,
  renewRecount,
  type TouchedEvent,
  writeCounts,
} from '../../store/records/recounts.ts'
import { nextTurn } from '../base/cooperative.ts'
import type { HandlerContext } from '../base/handler.ts'
import { MasterDataCache, verdictOf, withLinesOf } from '../records/exported-events.ts'

/** Changes taken into one recount, events chosen by one statement, and lines counted by one. */
const changesMax = 1_000
const chosenAtOnce = 20_000
const linesAtOnce = 2_000
/** Locations and products that may be kept for the next batch. */
const masterDataMax = 10_000
/** How long judging keeps others waiting at a time, in milliseconds, but for a single event. */
const judgingMs = 5

/** How far a recount has come: events counted, and those whose counts changed. */
export interface RecountStep {
  readonly events: number
  readonly changed: number
}

/**
 * Counts all waiting events again, a batch at a time, and returns when none waits. `others`:
 * another process runs the recount, unless this one `isAlone` on its database. If the caller stops
 * iterating, the rest stays for another process.
 */
export async function* recount(
  context: HandlerContext,
  provider: string,
  { isAlone = false }: { readonly isAlone?: boolean } = {},
): AsyncGenerator<RecountStep, 'done' | 'others', void> {
  const { store } = context
  for (;;) {
    const number = await claimRecount(store, { provider, isAlone })
    if (number === 'none') return 'done'
    if (number === 'others') return 'others'
    const changes = await recountCauses(store, { provider, limit: changesMax })
    let done = false
    let renewedAt = performance.now()
    // Kept across batches. Master data that change meanwhile add a row to awaiting_recount, which
    // the next recount takes.
    let master = new MasterDataCache(context, provider)
    try {
      for (let after: string | undefined; ; ) {
        const chosen = await eventsTouched(store, provider, { changes, after, limit: chosenAtOnce })
        for (const batch of batchesOf(chosen)) {
          if (performance.now() - renewedAt > renewalMs) {
            if (!(await renewRecount(store, { provider, number }))) return 'others'
            renewedAt = performance.now()
          }
          if (master.locations.size + master.products.size > masterDataMax)
            master = new MasterDataCache(context, provider)
          for await (const { records } of currentBodies<EventKindName>(store, provider, { ids: batch })) {
            const counted = await countsOf(context, master, records)
            const changed = await writeCounts(store, provider, number, counted)
            if (changed === undefined) return 'others'
            yield { events: counted.length, changed }
          }
        }
        after = chosen.at(-1)?.id
        if (chosen.length < chosenAtOnce) break
      }
      done = true
    } finally {
      // Ended early: the next recount begins at once, and finds the changes where they were.
      await endRecount(store, { provider, number, causeIds: done ? changes.map(({ id }) => id) : [] })
    }
  }
}

/** Ids of events, about `linesAtOnce` lines together. */
function* batchesOf(events: readonly TouchedEvent[]): Generator<readonly string[]> {
  for (let start = 0; start < events.length; ) {
    let end = start
    for (let lines = 0; end < events.length && lines < linesAtOnce; end++)
      lines += Math.max(1, events[end]?.lineCount ?? 0)
    yield events.slice(start, end).map(({ id }) => id)
    start = end
  }
}

/** The counts of events by the master data in force, as JSON text. */
async function countsOf(
  context: HandlerContext,
  master: MasterDataCache,
  events: readonly CurrentBody<EventKindName>[],
) {
  const read = events.map(({ id, kind, version, body }) => ({
    id,
    kind,
    version,
    payload: JSON.parse(body) as AnyEventPayload,
  }))
  await master.lookUp(read.map(({ kind, payload }) => withLinesOf(payload, eventKinds[kind])))
  const counted: { id: string; version: number; completeness: string }[] = []
  let since = performance.now()
  for (const { id, kind, version, payload } of read) {
    const { tallies } = verdictOf(payload, master.facts(), context.settings, { kind })
    counted.push({ id, version, completeness: JSON.stringify(tallies) })
    if (performance.now() - since < judgingMs) continue
    await nextTurn()
    since = performance.now()
  }
  return counted
}

/**
 * Since when counts of the provider lag behind its master data, as answers say it; null when they
 * do not.
 */
export const recountingOf = async ({ store }: HandlerContext, provider: string): Promise<string | null> =>
  (await recountDueSince(store, provider))?.toISOString() ?? null
