// Contradictions about the items with a lot code.

import { groupsOf } from '../groups.ts'
import type { Steps } from '../steps.ts'
import type { Balance } from './balances.ts'
import type { Movement } from './links.ts'
import type { TracedSource } from './lot-trace.ts'
import type { Notes } from './notes.ts'
import { sourceLabel } from './sources.ts'
import { listSome } from './wording.ts'

/** One lot code of one source on several items. */
export function* noteItems(
  movements: readonly Movement[],
  balances: readonly Balance[],
  { sources, placeNames }: { readonly sources: readonly TracedSource[]; readonly placeNames: readonly string[] },
  notes: Notes,
): Steps<void> {
  for (const [number, own] of groupsOf(movements, ({ source }) => source)) {
    yield
    const gtins = [...new Set(own.flatMap(({ gtin }) => gtin ?? []))]
    const codes = codesOfOneVendor(own)
    const source = sources[number]
    if (source === undefined || !source.known || (gtins.length < 2 && codes === undefined)) continue
    const changedAt = balances.filter(
      ({ source: of, received, sentOn }) =>
        of === number && received.gtins.size > 0 && [...sentOn.gtins].some((gtin) => !received.gtins.has(gtin)),
    )
    const what =
      gtins.length > 1
        ? `is on items with different GTINs: ${listSome(gtins)}`
        : `is on different items of one vendor: ${listSome(codes ?? [])}`
    const where =
      changedAt.length > 0
        ? ` ${listSome(changedAt.map(({ place }) => placeNames[place] ?? ''))} sent it on with a GTIN that it never received.`
        : ''
    notes.add('itemsDiffer', {
      message: `The lot code of ${sourceLabel(source)} ${what}.${where}`,
      remedy:
        'If the food was transformed, assign a new lot code (21 CFR 1.1320). Otherwise correct the item. With its GTIN in front of the lot code, one item is traced alone.',
      places: changedAt.map(({ place }) => place),
      sources: [number],
      events: own.map(({ event }) => event),
    })
  }
}

/**
 * Item codes of the first vendor that uses several for the lot without a GTIN that distinguishes
 * them.
 */
function codesOfOneVendor(movements: readonly Movement[]): readonly string[] | undefined {
  const byVendor = new Map<string, Set<string>>()
  for (const { event, line, gtin } of movements) {
    if (gtin !== undefined) continue
    const vendor = event.event.dataProviderVendorId
    byVendor.set(vendor, (byVendor.get(vendor) ?? new Set()).add(line.line.vendorItemCode))
  }
  for (const codes of byVendor.values()) if (codes.size > 1) return [...codes]
  return undefined
}
