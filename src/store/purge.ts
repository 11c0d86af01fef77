// A purge from its beginning to its end, with its entry in the access log; or a look at what it would purge.
import type { RecordKindName } from '../contract/record-kinds.ts'
import { beginAccess, commandLine, type Ending, endAccess } from './access-log.ts'
import { type DueVersion, lookForDue, type Position, purgeDue, type Step } from './retention.ts'
import type { Queryable } from './statement.ts'

/** What one step found due or purged, all of one kind. */
export interface PurgeStep {
  readonly kind: RecordKindName
  readonly versions: readonly DueVersion[]
  /** Records that are done with. */
  readonly records: number
}

/** Events first: they are most of what there is. */
const kinds: readonly RecordKindName[] = ['receivingEvent', 'masterProduct', 'location']

async function* steps(run: (kind: RecordKindName, from: Position | undefined) => Promise<Step>) {
  for (const kind of kinds)
    for (let from: Position | undefined, more = true; more; ) {
      const { next, ...found } = await run(kind, from)
      yield { kind, ...found }
      from = next
      more = next !== undefined
    }
}

/** Everything of the provider that nothing has kept since `before`, step by step; changes nothing. */
export const lookForAllDue = (db: Queryable, provider: string, before: Date): AsyncGenerator<PurgeStep> =>
  steps((kind, from) => lookForDue(db, { provider, kind, before }, from))

/**
 * Purges it, step by step. Each step is committed when it is told; whoever stops asking ends the purge there, and another one
 * goes on. `now` is what the tombstones say.
 */
export async function* purgeAllDue(
  db: Queryable,
  provider: string,
  before: Date,
  now: Date,
  retentionYears: number,
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
    for await (const step of steps((kind, from) => purgeDue(db, { provider, kind, before }, now, entry, from))) {
      versions += step.versions.length
      yield step
    }
    ending = 'done'
  } catch (error) {
    ending = 'failed'
    throw error
  } finally {
    await endAccess(db, provider, entry, { ending, records: versions })
  }
}
