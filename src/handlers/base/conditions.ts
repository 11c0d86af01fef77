// The conditions of a write on the current version. Source: decisions 0013, 0053.
import { type Edited, versionOfSetting } from '../../store/base/setting-versions.ts'
import { isIn, type VersionSet } from '../../store/base/writes.ts'
import type { Queryable } from '../../store/database/statement.ts'
import type { Answer, OperationCall } from './handler.ts'

/** The versions that both conditions of a call allow. */
function allowedBy({ ifMatch, ifNoneMatch }: OperationCall): VersionSet | undefined {
  if (ifNoneMatch === 'any') return { versions: [], are: 'in' }
  if (ifMatch !== undefined) return { versions: ifMatch.filter((version) => !ifNoneMatch.includes(version)), are: 'in' }
  return ifNoneMatch.length === 0 ? undefined : { versions: ifNoneMatch, are: 'out' }
}

export function isAllowed(call: OperationCall, version: number): boolean {
  const allowed = allowedBy(call)
  return allowed === undefined || isIn(version, allowed)
}

/** The versions that a write may follow: only `at`, if given and allowed by the conditions. */
export const allowedAt = (call: OperationCall, at: number | undefined): VersionSet | undefined =>
  at !== undefined && isAllowed(call, at) ? { versions: [at], are: 'in' } : allowedBy(call)

/**
 * `without` and `again` describe how to send the write without a condition, and on the version
 * read.
 */
export const stale = (
  { ifMatch }: OperationCall,
  version: number,
  { what = 'The record', without, again }: { readonly what?: string; readonly without: string; readonly again: string },
): Answer<'stale'> => ({
  outcome: 'stale',
  version,
  detail:
    ifMatch === undefined || ifMatch.includes(version)
      ? `${what} is at version ${version}, which If-None-Match excludes. ${without}`
      : `${what} is at version ${version}, and your change is based on another one. ${again}`,
})

/**
 * Edits something that is no record, if it is at a version that the call allows. `write` holds the
 * guard.
 */
export async function editUnderCondition<R>(
  store: Queryable,
  call: OperationCall,
  { edited, what }: { readonly edited: Edited; readonly what: string },
  write: (allowed: VersionSet | undefined) => Promise<R | 'stale'>,
): Promise<R | Answer<'stale'>> {
  const done = await write(allowedBy(call))
  if (done !== 'stale') return done
  return stale(call, await versionOfSetting(store, call.provider, edited), {
    what,
    without: 'Send it without If-None-Match, or name the version that it may change in If-Match.',
    again: 'Read it again, apply your change to it, and send it with its new ETag.',
  })
}
