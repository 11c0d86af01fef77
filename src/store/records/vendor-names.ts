// Names of vendors, as their newest events have them.

import { type Queryable, statement } from '../database/statement.ts'
import { onEvents } from './event-kinds.ts'
import { vendorNameIn } from './event-rows.ts'

const namesIn = onEvents(vendorNameIn, ', ')

const named = statement<{ vendor: string; names: (string | null)[] }, { provider: string; vendors: readonly string[] }>(
  'vendorNames',
  `SELECT counted.value AS vendor, ARRAY[${namesIn}] AS names
   FROM unnest($vendors::text[]) AS counted (value)`,
)

/**
 * Looks up the names of vendors: that of the newest receiving event, else that of the newest
 * shipping event. A vendor that has none, or only blank ones, is null.
 */
export async function vendorNames(
  db: Queryable,
  provider: string,
  vendors: readonly (string | null)[],
): Promise<(vendor: string | null) => string | null> {
  const asked = [...new Set(vendors)].filter((vendor) => vendor !== null)
  const rows = asked.length === 0 ? [] : await named(db, { provider, vendors: asked })
  const known = new Map(rows.map(({ vendor, names }) => [vendor, names.find((name) => name?.trim()) ?? null]))
  return (vendor) => (vendor === null ? null : (known.get(vendor) ?? null))
}
