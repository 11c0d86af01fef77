// The item of a line, and the lines that may be of a given item.
import { canBeOfItem, gtinsOf } from '../contract/line-item.ts'
import { pluralize } from '../contract/text/pluralize.ts'
import { mapInSteps, type Steps } from '../steps.ts'
import type { LotEvent, LotLine } from './lot-event.ts'
import type { LotQuery } from './lot-query.ts'
import type { Notes } from './notes.ts'
import { listSome } from './wording.ts'

export interface FoundLine {
  readonly event: LotEvent
  readonly line: LotLine
  readonly gtin: string | undefined
}

export const eventsOf = (lines: readonly FoundLine[]): readonly LotEvent[] => [
  ...new Set(lines.map(({ event }) => event)),
]

/** GTIN-14 of a line's item: of its cases, else of the item, else the one its lot code contains. */
export const gtinOf = ({ line, product }: LotLine): string | undefined => gtinsOf(line, product)[0]

function* foundLines(events: readonly LotEvent[]): Steps<readonly FoundLine[]> {
  const lines = events.flatMap((event) => event.lines.map((line) => ({ event, line })))
  return yield* mapInSteps(lines, (found) => ({ ...found, gtin: gtinOf(found.line) }))
}

export function* gtinsIn(events: readonly LotEvent[]): Steps<readonly string[]> {
  return [...new Set((yield* foundLines(events)).flatMap(({ gtin }) => gtin ?? []))]
}

/**
 * The lines that may be of the given item. Those known to be of another are left out, which answers
 * state.
 */
export function* linesOfItem(
  { gtin }: LotQuery,
  events: readonly LotEvent[],
  notes: Notes,
  { saysMore }: { readonly saysMore: boolean },
): Steps<readonly FoundLine[]> {
  const found = yield* foundLines(events)
  if (gtin === undefined) return found
  const fits = yield* mapInSteps(found, ({ line: { line, product } }) => canBeOfItem(line, product, gtin))
  const kept = found.filter((_, i) => fits[i])
  const unknown = kept.filter((one) => one.gtin === undefined)
  const left = new Set(kept)
  const others = found.filter((one) => !left.has(one))
  if (others.length > 0 && (kept.length > 0 || saysMore))
    notes.add('otherItems', {
      message: `${pluralize(others.length, 'line')} with the lot code ${others.length === 1 ? 'has' : 'have'} another item and ${others.length === 1 ? 'is' : 'are'} left out: GTIN ${listSome([...new Set(others.map((one) => one.gtin ?? ''))])}.`,
      remedy: 'To see them, trace the lot code without a GTIN.',
      events: others.map(({ event }) => event),
    })
  if (unknown.length > 0)
    notes.add('itemUnknown', {
      message: `${pluralize(unknown.length, 'line')} with the lot code ${unknown.length === 1 ? 'has' : 'have'} no known GTIN and may belong to another item.`,
      remedy: 'Send caseGtin with the line, or gtin with the product.',
      events: unknown.map(({ event }) => event),
    })
  return kept
}
