// A partner's account that has the copy of one record, without a database: what is planned is
// carried out as the service stores versions.
import type { SharedKindName } from '../../../src/contract/record-kinds.ts'
import {
  type Content,
  type CopyPlan,
  firstVersionToRead,
  hashAfter,
  isWithin,
  planCopy,
  purgedVersions,
  type SharedWith,
  sharedWith,
  versionsToRead,
  type WritePlan,
} from '../../../src/handlers/sharing/copy-plan.ts'
import type { KnownCopy } from '../../../src/store/sharing/shared-copies.ts'
import type { Payload } from './payloads.ts'
import type { Sharing } from './sharing-world.ts'

export const id = '0195c0de-0000-7000-8000-000000000001'
const now = new Date('2026-03-10T12:00:00Z')

/** A version of a record; void ones repeat the content of the one before. */
export interface Version {
  readonly content: Payload
  readonly isVoid?: boolean
  readonly isPurged?: boolean
}

export interface Source {
  readonly kind: SharedKindName
  readonly versions: readonly Version[]
  /** True when the record itself was purged. */
  readonly isGone?: boolean
}

/** What a partner's account has of a record, and what is noted of it. */
export interface Account {
  readonly copy: KnownCopy | undefined
  /** Contents of the versions of the copy; undefined for one that was taken out. */
  readonly contents: readonly (Content | undefined)[]
  /** True when the copy is void. */
  readonly isVoid: boolean
  readonly withdrawn: readonly string[]
}

export const empty: Account = { copy: undefined, contents: [], isVoid: false, withdrawn: [] }

export const sharedBy = (sharing: Sharing, isDeleted = false): SharedWith =>
  sharedWith({ ...(sharing as Parameters<typeof sharedWith>[0]), isDeleted }, () => undefined)

/** The plan, with what the copy shows compared where it depends on that. */
export function planFor(
  { kind, versions: all, isGone = false }: Source,
  { copy, contents: shown, withdrawn }: Account,
  sharing: SharedWith,
  { compares = false, named = new Set<string>() } = {},
): CopyPlan {
  const from = firstVersionToRead(copy, sharing) ?? all.length
  const versions = all
    .map((one, i) => ({
      id,
      kind,
      version: i + 1,
      current: isGone ? null : all.length,
      isPurged: isGone || one.isPurged === true,
      voidReason: one.isVoid === true ? 'Entered twice' : null,
    }))
    .filter(({ version }) => version >= from)
  const source = { id, kind, versions, copy, freshId: `${id}/${withdrawn.length}` }
  const read = versionsToRead(source, sharing, { compares })
  const contents = new Map(read.wanted.map(({ version }) => [version, (all[version - 1] as Version).content]))
  const plan = planCopy({ ...source, ...read, contents }, sharing, { now, named, compares })
  if (plan.is !== 'compare') return plan
  const fits = plan.allowed.every((allowed, i) => shown[i] === undefined || isWithin(shown[i], allowed))
  return fits ? plan.fits : plan.exceeds
}

/** The account once a plan has been carried out, as the service stores versions. */
export function carryOut(account: Account, plan: CopyPlan): Account {
  if (plan.is === 'nothing') return account
  if (plan.is === 'keep') return takeOut(account, plan.purged)
  if (plan.is === 'write') return write(account, plan)
  const copy = { ...(account.copy as KnownCopy), withdrawn: true, versions: [] }
  return { copy, contents: [], isVoid: false, withdrawn: [...account.withdrawn, plan.copyId] }
}

const takeOut = (account: Account, versions: readonly number[]): Account => ({
  ...account,
  contents: account.contents.map((content, i) => (versions.includes(i + 1) ? undefined : content)),
})

function write(account: Account, plan: WritePlan): Account {
  const { copyId, coming, sourceVersion, firstVersion } = plan
  const contents = plan.versions.length === 0 ? [] : [...account.contents]
  const versions = [...plan.versions]
  let [shownHash, isVoid] = [plan.shownHash, account.isVoid]
  for (const { version, content, hash, voidReason } of coming) {
    if (voidReason !== null && (versions.length === 0 || isVoid)) continue
    if (voidReason === null && !isVoid && JSON.stringify(contents.at(-1)) === JSON.stringify(content))
      versions[versions.length - 1] = version
    else {
      versions.push(version)
      contents.push(voidReason === null ? content : contents.at(-1))
      shownHash = hashAfter(shownHash, hash)
      isVoid = voidReason !== null
    }
  }
  const kind = plan.source.kind
  const copy = { id, copyId, kind, sourceVersion, firstVersion, versions, shownHash, withdrawn: false, settled: true }
  return takeOut({ ...account, copy, contents, isVoid }, purgedVersions(plan.source, versions))
}

/** Plans and carries out until nothing is left to do; returns the plans as well. */
export function reconcile(
  record: Source,
  account: Account,
  sharing: SharedWith,
  at: Parameters<typeof planFor>[3] = {},
) {
  const plans: CopyPlan[] = []
  for (let i = 0; ; i++) {
    const plan = planFor(record, account, sharing, at)
    plans.push(plan)
    account = carryOut(account, plan)
    if (!(plan.is === 'write' && plan.hasMore) && !(plan.is === 'withdraw' && plan.isReplaced))
      return { account, plans }
    if (i > 20) throw new Error('It is reconciled without an end.')
  }
}
