// Saves settings that another user may change meanwhile: on the version that was read, or not at
// all.
import { useRef, useState } from 'preact/hooks'
import { ProblemError } from '../../../client/failure.ts'
import { differencesBetween } from '../../../contract/differences.ts'
import { changeCount } from '../../records/comparison.ts'

/** Something as it was read, and its version. */
export interface Edited<Content> {
  readonly content: Content
  readonly version: number
}

export interface Conflict<Content> {
  readonly base: Edited<Content>
  readonly mine: Content
  readonly theirs: Edited<Content>
}

interface Store<Content> {
  /** Which one it is, of a list with one version. */
  readonly entry?: string
  /** Sends it for this version; a refusal with 412 is a conflict. */
  readonly send: (content: Content, version: number) => Promise<unknown>
  readonly read: () => Promise<Edited<Content>>
}

export interface GuardedSave<Content> {
  /** The difference between mine and the current version; undefined without a conflict. */
  readonly conflict: Conflict<Content> | undefined
  /** False when another user has changed it. Nothing is saved then. */
  readonly save: (base: Edited<Content>, mine: Content, store: Store<Content>) => Promise<boolean>
  readonly settle: () => void
}

export const isStale = (error: unknown): boolean => error instanceof ProblemError && error.status === 412

/** Runs a change of one read version; where another is current, reads it again and fails. */
export async function atReadVersion(change: () => Promise<unknown>, again: () => void): Promise<void> {
  try {
    await change()
  } catch (error) {
    if (isStale(error)) again()
    throw error
  }
}

export const differs = (before: unknown, after: unknown): boolean => changeCount(differencesBetween(before, after)) > 0

export function useGuardedSave<Content>(): GuardedSave<Content> {
  const [conflict, setConflict] = useState<Conflict<Content>>()
  /** What the reader saw in the last conflict: a page may not have read it again yet. */
  const seen = useRef<{ readonly entry: string | undefined; readonly theirs: Edited<Content> }>(undefined)
  const save: GuardedSave<Content>['save'] = async (start, mine, { entry, send, read }) => {
    const last = seen.current?.entry === entry ? seen.current?.theirs : undefined
    const base = last !== undefined && last.version > start.version ? last : start
    for (let { version } = base; ; ) {
      try {
        await send(mine, version)
        return true
      } catch (error) {
        if (!isStale(error)) throw error
        const theirs = await read()
        // It was saved, and the answer was lost.
        if (!differs(mine, theirs.content)) return true
        if (differs(base.content, theirs.content)) {
          seen.current = { entry, theirs }
          setConflict({ base, mine, theirs })
          return false
        }
        // Another entry of the list was changed, which has one version for all.
        version = theirs.version
      }
    }
  }
  return { conflict, save, settle: () => setConflict(undefined) }
}
