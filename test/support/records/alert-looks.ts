// Looks for alerts of a provider, as the rounds of a process that serves do.
import { type LookSettings, lookForAlerts } from '../../../src/handlers/vendors/alert-looks.ts'
import type { Queryable } from '../../../src/store/database/statement.ts'

/** Looks once, whenever somebody looked last. */
export async function lookAt(
  db: Queryable,
  provider: string,
  settings: Partial<LookSettings> = {},
  now?: Date,
): Promise<void> {
  await db.query({ text: 'UPDATE alert_look SET looked_at = NULL WHERE provider_id = $1', values: [provider] })
  const steps = lookForAlerts(db, provider, { checkpointMinutes: 5, retentionYears: 2, ...settings }, now)
  for (let step = await steps.next(); !step.done; ) step = await steps.next()
}
