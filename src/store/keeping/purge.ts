// A whole purge with its entry in the access log, or a preview of it.

import type { Queryable } from '../database/statement.ts'
import { beginAccess, commandLine, type Ending, endAccess } from '../evidence/access-log.ts'
import { type DueVersion, findDue, type Position, purgeDue, type Step } from './retention.ts'

/** The versions that one step found due or purged. */
export interface PurgeStep {
  readonly versions: readonly DueVersion[]
  /** Records that were checked. */
  readonly records: number
}

async function* steps(run: (from: Position | undefined) => Promise<Step>) {
  for (let from: Position | undefined, more = true; more; ) {
    const { next, ...found } = await run(from)
    yield found
    from = next
    more = next !== undefined
  }
}

/**
 * Previews the purge of everything of the provider that nothing has kept since `before`, step by
 * step.
 */
export const findAllDue = (db: Queryable, provider: string, before: Date): AsyncGenerator<PurgeStep> =>
  steps((from) => findDue(db, { provider, before }, from))

/**
 * Purges it, step by step. Each step is committed when it is yielded. A caller that stops iterating
 * ends the purge there, and another one continues. `now` is the time in the tombstones.
 */
export async function* purgeAllDue(
  db: Queryable,
  provider: string,
  { before, now, retentionYears }: { readonly before: Date; readonly now: Date; readonly retentionYears: number },
): AsyncGenerator<PurgeStep> {
  const entry = await beginAccess(db, provider, {
    ...commandLine,
    operation: 'purge',
    asked: { retentionYears, before: before.toISOString() },
    records: undefined,
  })
  let versions = 0
  let ending: Ending = 'cutOff'
  try {
    for await (const step of steps((from) => purgeDue(db, { provider, before }, { now, entry }, from))) {
      versions += step.versions.length
      yield step
    }
    ending = 'done'
  } catch (error) {
    ending = 'failed'
    throw error
  } finally {
    await endAccess(db, { provider, id: entry, ending, records: versions })
  }
}
