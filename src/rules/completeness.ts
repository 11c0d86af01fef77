// Completeness: which lines of an event have every key data element, per item, so that events can
// be summed.

import type { MasterProduct } from '../contract/product.ts'
import type { ProductLine } from '../contract/product-line.ts'
import { isGiven } from '../contract/shape/field.ts'
import { type KeptFinding, setsOf } from '../contract/shape/finding.ts'
import type { Loose } from '../contract/shape/read-shape.ts'

/** The lines of one item in one event that need key data elements. */
export interface ItemTally {
  /** `vendorItemCode` of the lines. */
  readonly item: string
  readonly lines: number
  /** Lines without a gap. */
  readonly complete: number
  /** Lines with a gap of each rule, by its id; rules without gaps are left out. */
  readonly gaps: Readonly<Record<string, number>>
}

type Line = Loose<ProductLine>

/** The lines of an event whose items are counted, by their lists. */
export type CountedLines = ReadonlyMap<string, readonly Line[]>

/**
 * One tally per item, in the order of the lines. A gap concerns the line it is at, or all lines of
 * the item whose product it is at; any other (a location, the event, seeds) concerns every line.
 * `wanted` is true of lines that need key data elements.
 */
export function tallyLines(
  lists: CountedLines,
  products: readonly Loose<MasterProduct>[],
  gaps: readonly KeptFinding[],
  wanted: (line: Line, list: string) => boolean,
): readonly ItemTally[] {
  const found = gapsByPlace(gaps, products, lists)
  const byItem = new Map<string, { item: string; lines: number; complete: number; gaps: Record<string, number> }>()
  for (const [list, lines] of lists)
    for (const [n, line] of lines.entries()) {
      const item = line.vendorItemCode
      if (!isGiven(item) || !wanted(line, list)) continue
      let tally = byItem.get(item)
      if (tally === undefined) {
        tally = { item, lines: 0, complete: 0, gaps: {} }
        byItem.set(item, tally)
      }
      tally.lines++
      const rules = found === undefined ? none : rulesAt(found, { list, n, item })
      if (rules.size === 0) tally.complete++
      for (const rule of rules) tally.gaps[rule] = (tally.gaps[rule] ?? 0) + 1
    }
  return [...byItem.values()]
}

type Rules = ReadonlySet<string>
const none: Rules = new Set()

interface GapsByPlace {
  readonly everyLine: Rules
  /** By list, and by the number of the line. */
  readonly byLine: ReadonlyMap<string, ReadonlyMap<number, Rules>>
  readonly byItem: ReadonlyMap<string, Rules>
}

/** Undefined when there is none, as in most events. */
function gapsByPlace(
  gaps: readonly KeptFinding[],
  products: readonly Loose<MasterProduct>[],
  lists: CountedLines,
): GapsByPlace | undefined {
  if (gaps.length === 0) return undefined
  const everyLine = new Set<string>()
  const byLine = new Map([...lists.keys()].map((list) => [list, new Map<number, Set<string>>()]))
  const byItem = new Map<string, Set<string>>()
  for (const gap of gaps) {
    const [rule, , pointer] = gap
    const [, list, step] = placeForm.exec(pointer) ?? []
    const entries = setsOf(gap)?.flatMap(([some]) => some) ?? [Number(step)]
    const ofList = list === undefined ? undefined : byLine.get(list)
    if (ofList !== undefined) for (const entry of entries) addTo(ofList, entry, rule)
    else if (!pointer.startsWith('/productMasterDataList/')) everyLine.add(rule)
    else
      for (const entry of entries) {
        const item = products[entry]?.itemCode
        if (isGiven(item)) addTo(byItem, item, rule)
      }
  }
  return { everyLine, byLine, byItem }
}

const placeForm = /^\/(?:eventList\/(\w+)|productMasterDataList)\/(\d+|\*)/

function addTo<Key>(rules: Map<Key, Set<string>>, key: Key, rule: string): void {
  const there = rules.get(key)
  if (there === undefined) rules.set(key, new Set([rule]))
  else there.add(rule)
}

function rulesAt(
  { everyLine, byLine, byItem }: GapsByPlace,
  { list, n, item }: { readonly list: string; readonly n: number; readonly item: string },
): Rules {
  const [atLine, atItem] = [byLine.get(list)?.get(n), byItem.get(item)]
  if (everyLine.size === 0 && (atLine === undefined || atItem === undefined)) return atLine ?? atItem ?? none
  if (atLine === undefined && atItem === undefined) return everyLine
  return new Set([...everyLine, ...(atItem ?? none), ...(atLine ?? none)])
}
