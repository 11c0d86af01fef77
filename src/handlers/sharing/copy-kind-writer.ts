// Writes versions of copies of one kind into a partner's account.
import type { StoredVerdict } from '../../rules/judge.ts'
import type { Created, RecordWrite, Replaced } from '../../store/base/writes.ts'
import { keyIsHeld } from '../../store/database/database-errors.ts'
import type { RecordWriter } from '../../store/records/record-writer.ts'
import type { Store } from '../../store/store.ts'
import { nextTurn } from '../base/cooperative.ts'
import type { StoredKind } from '../records/stored-kinds.ts'
import { type Content, hashAfter, type SharedVersion, type WritePlan } from './copy-plan.ts'

/** How long computing keeps others waiting at a time, in milliseconds. */
export const turnMs = 8
/** Who copies are written by, as their versions say. */
export const keyId = 'sharing'

/** A copy while it is written. */
export interface WritingCopy {
  readonly plan: WritePlan
  /** The contents of its versions so far: of several equal ones, the last version. */
  readonly versions: number[]
  shownHash: Buffer
  /** Finds the copy that has its key, where another one had it. */
  findHolder: (() => Promise<string | undefined>) | undefined
}

export const beginCopy = (plan: WritePlan): WritingCopy => ({
  plan,
  versions: [...plan.versions],
  shownHash: plan.shownHash,
  findHolder: undefined,
})

export function noteVersion(copy: WritingCopy, { version, hash }: SharedVersion): void {
  copy.versions.push(version)
  copy.shownHash = hashAfter(copy.shownHash, hash)
}

export interface CopyKindWriter {
  readonly writeVersion: (copy: WritingCopy, shown: SharedVersion, requestId: string) => Promise<void>
  /**
   * Creates the first versions of copies in one statement. Creates none, and returns false, when
   * another copy has the key of one of them.
   */
  readonly createTogether: (copies: readonly WritingCopy[], requestId: string) => Promise<boolean>
}

/** How copies of a kind are stored. */
interface CopiedKind<Search, Taken extends 'taken'> {
  readonly stored: StoredKind<Search, Taken>
  readonly writer: RecordWriter<Search>
  readonly verdictOf: (content: Content) => StoredVerdict
  /** The search values of all versions of a copy, from the last one. */
  readonly foundAs: (last: Content) => Partial<Search>
}

export function copyKindWriter<Search, Taken extends 'taken'>(
  store: Store,
  account: string,
  { stored, writer, verdictOf, foundAs }: CopiedKind<Search, Taken>,
): CopyKindWriter {
  const recordOf = ({ copyId, last }: WritePlan, { content, hash }: SharedVersion): RecordWrite<Search> => {
    const { kept, warnings, tallies } = verdictOf(content)
    return {
      id: copyId,
      body: JSON.stringify(content),
      contentHash: hash,
      findings: JSON.stringify(kept),
      search: { ...stored.searchOf({ content, warnings, tallies, judgedIn: undefined }), ...foundAs(last) },
    }
  }
  const by = (requestId: string) => ({ keyId, requestId, payloadId: undefined })
  const create = (records: readonly RecordWrite<Search>[], requestId: string) =>
    writer.create(account, { ...by(requestId), records, claim: undefined })
  return {
    async writeVersion(copy, shown, requestId) {
      const { plan, versions } = copy
      const record = recordOf(plan, shown)
      const at = versions.length
      const { is } = await takenWhenHeld<Created | Replaced>(
        at === 0
          ? create([record], requestId)
          : writer.replace(account, { ...by(requestId), record, allowed: { versions: [at], are: 'in' } }),
      )
      if (is === 'created' || is === 'replaced') noteVersion(copy, shown)
      else if (is === 'unchanged') versions[at - 1] = shown.version
      else if (is !== 'taken') throw new Error(`The copy ${plan.copyId} could not be written: ${is}.`)
      // Of an earlier version nothing but its place in the history is lost.
      else if (shown.version === plan.source.current?.version)
        copy.findHolder = async () =>
          (
            await stored.written.statements.findHolder?.(store, {
              provider: account,
              s: [record.search],
              except: plan.copyId,
            })
          )?.id
    },
    async createTogether(copies, requestId) {
      const records: RecordWrite<Search>[] = []
      let since = performance.now()
      for (const { plan } of copies) {
        records.push(...plan.coming.slice(0, 1).map((shown) => recordOf(plan, shown)))
        if (performance.now() - since < turnMs) continue
        await nextTurn()
        since = performance.now()
      }
      if ((await takenWhenHeld(create(records, requestId))).is !== 'created') return false
      for (const copy of copies) for (const shown of copy.plan.coming.slice(0, 1)) noteVersion(copy, shown)
      return true
    },
  }
}

/** The result of a write; `taken` also where the index reported it. */
const takenWhenHeld = <Outcome>(write: Promise<Outcome>): Promise<Outcome | { readonly is: 'taken' }> =>
  write.catch((error: unknown) => {
    if (keyIsHeld(error)) return { is: 'taken' } as const
    throw error
  })
