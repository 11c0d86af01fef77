// What to do with a partner's copy of a record, so that it shows what is shared now. Compares
// states, not events. Pure: it decides what a partner sees. Source: decision 0078.
import { createHash } from 'node:crypto'
import type { ReceivingEventPayload } from '../../contract/payloads.ts'
import { eventKinds, isEventKind, location, masterProduct, type SharedKindName } from '../../contract/record-kinds.ts'
import {
  type GlnOf,
  maskEvent,
  maskMasterData,
  openerOf,
  type Sharing,
  withheldOfMasterData,
} from '../../contract/sharing.ts'
import type { KnownCopy, SourceVersion } from '../../store/sharing/shared-copies.ts'
import { hashOf } from '../records/judged-payload.ts'
import { codeOf, nameOf } from './named-codes.ts'

/** Versions of one record that are written at once. */
const versionsAtOnce = 4

export type Content = Readonly<Record<string, unknown>>

const kinds = { ...eventKinds, masterProduct, location }

/** The grants and places of a partner. */
export interface SharedWith extends Sharing {
  readonly isDeleted: boolean
  readonly open: ReturnType<typeof openerOf>
  /** Opens versions from before the record was shared, as only grants with history do. */
  readonly openEarlier: ReturnType<typeof openerOf>
  readonly hasHistory: boolean
}

export function sharedWith(
  { places, grants, isDeleted }: Sharing & Pick<SharedWith, 'isDeleted'>,
  glnOf: GlnOf,
): SharedWith {
  const left = isDeleted ? [] : grants
  const withHistory = left.filter((grant) => grant.withHistory === true)
  return {
    places,
    grants: left,
    isDeleted,
    open: openerOf({ places, grants: left }, glnOf),
    openEarlier: openerOf({ places, grants: withHistory }, glnOf),
    hasHistory: withHistory.length > 0,
  }
}

/** A record of the provider, and its copy as it is known. */
export interface CopySource {
  readonly id: string
  readonly kind: SharedKindName
  /** In their order, from the first one that is needed. */
  readonly versions: readonly SourceVersion[]
  readonly copy: KnownCopy | undefined
  /** The id of a copy where there is none. Never one that was withdrawn. */
  readonly freshId: string
}

/** Which versions of a record a plan is made from. */
export interface VersionsToRead {
  /** Undefined when the record was purged. */
  readonly current: SourceVersion | undefined
  /** Those that the copy does not show yet, and whether there are still more. */
  readonly coming: readonly SourceVersion[]
  readonly hasMore: boolean
  /** Those whose content is needed. */
  readonly wanted: readonly SourceVersion[]
}

export interface ReadSource extends CopySource, VersionsToRead {
  readonly contents: ReadonlyMap<number, Content>
}

/** The state that a plan depends on besides the record and the grants. */
export interface PlanningAt {
  readonly now: Date
  /** Codes of master data that events of the account name, or are about to (see `nameOf`). */
  readonly named: ReadonlySet<string>
  /** Whether versions that were copied before are compared, as after a change of what is shared. */
  readonly compares: boolean
}

/** A version as the partner may see it. */
export interface SharedVersion {
  readonly version: number
  readonly content: Content
  readonly hash: Buffer
  readonly voidReason: string | null
}

export type CopyPlan =
  /** There is no copy, and none is made. */
  { readonly is: 'nothing' } | KeepPlan | WritePlan | WithdrawPlan

/** The copy has all that is shared. Some of its versions may go. */
interface KeepPlan {
  readonly is: 'keep'
  readonly copyId: string
  readonly last: Content
  readonly purged: readonly number[]
}

/** The copy is created, or gets further versions. */
export interface WritePlan {
  readonly is: 'write'
  readonly source: ReadSource
  readonly copyId: string
  /** The content of each version of the copy, before the writing. */
  readonly versions: readonly number[]
  readonly shownHash: Buffer
  /** None where none of the new versions is shared, which is then noted. */
  readonly coming: readonly SharedVersion[]
  readonly hasMore: boolean
  /** The search values of the current record: every version is found by them. */
  readonly last: Content
  /** The version that the copy is brought up to. */
  readonly sourceVersion: number
  /** The version that the record was at when the copy was begun. */
  readonly firstVersion: number
}

interface WithdrawPlan {
  readonly is: 'withdraw'
  readonly copyId: string
  /** True when the record is copied again, under another id. */
  readonly isReplaced: boolean
}

/**
 * What the copy shows has to be read. `fits` is the plan when each of its versions shows no more
 * than is allowed now, and `exceeds` when one does.
 */
export interface Comparison {
  readonly is: 'compare'
  readonly copyId: string
  readonly allowed: readonly (Content | undefined)[]
  readonly fits: CopyPlan
  readonly exceeds: CopyPlan
}

const isThere = (copy: KnownCopy | undefined): copy is KnownCopy => copy !== undefined && !copy.withdrawn

const shownBy = (copy: KnownCopy | undefined): readonly number[] => (isThere(copy) ? copy.versions : [])

/** The first version that is needed; undefined for the current one. */
export const firstVersionToRead = (copy: KnownCopy | undefined, { hasHistory }: SharedWith): number | undefined => {
  const shown = shownBy(copy)
  return shown.length > 0 ? Math.min(...shown) : hasHistory ? 1 : undefined
}

export function versionsToRead(
  { kind, versions, copy }: CopySource,
  { hasHistory }: SharedWith,
  { compares }: Pick<PlanningAt, 'compares'>,
): VersionsToRead {
  const current = versions.find(({ version, current, isPurged }) => version === current && !isPurged)
  if (current === undefined) return { current, coming: [], hasMore: false, wanted: [] }
  const shown = shownBy(copy)
  const reached = isThere(copy) ? copy.sourceVersion : 0
  const isWhole = isEventKind(kind) && (shown.length > 0 || (hasHistory && current.voidReason === null))
  const isBehind = current.version > reached || shown.length === 0
  const ahead = isWhole
    ? versions.filter(({ version, isPurged }) => version > reached && !isPurged)
    : isBehind
      ? [current]
      : []
  const coming = ahead.slice(0, versionsAtOnce)
  const compared = compares ? versions.filter(({ version, isPurged }) => shown.includes(version) && !isPurged) : []
  return {
    current,
    coming,
    hasMore: ahead.length > coming.length,
    wanted: [...new Set([...compared, ...coming, current])],
  }
}

/** What to do with the copy of a record whose wanted versions have been read. */
export function planCopy(source: ReadSource, sharing: SharedWith, at: PlanningAt): CopyPlan | Comparison {
  const { current, copy } = source
  const show = showing(source, sharing, at)
  const shown = current && show(current, current.version)
  if (current === undefined || shown === undefined)
    return isThere(copy) ? { is: 'withdraw', copyId: copy.copyId, isReplaced: false } : { is: 'nothing' }
  if (isThere(copy) && copy.versions.length > 0) {
    const plan = keepOrWrite(source, show, { ...copy, shown })
    return at.compares ? compareFirst(source, show, { copy, shown, plan }) : plan
  }
  // Do not copy events that were voided before they were shared.
  if (current.voidReason !== null) return { is: 'nothing' }
  const { copyId, shownHash } = isThere(copy) ? copy : { copyId: source.freshId, shownHash: noHash }
  return writePlan(source, show, { copyId, versions: [], shownHash, firstVersion: current.version, shown })
}

/**
 * A version as the partner may see it, in a copy that was begun when the record was at
 * `firstVersion`; undefined when it may not, or was not read.
 */
type Show = (one: SourceVersion, firstVersion: number) => SharedVersion | undefined

const showing =
  ({ kind, contents }: ReadSource, sharing: SharedWith, at: PlanningAt): Show =>
  ({ version, voidReason }, firstVersion) => {
    const read = contents.get(version)
    const content = read && sharedContent[kind](read, sharing, { ...at, isEarlier: version < firstVersion })
    return content && { version, content, hash: hashOf(kinds[kind], content), voidReason }
  }

/** A copy that there is, or is begun, and what is shared of the record as it is now. */
interface Begun extends Pick<WritePlan, 'copyId' | 'versions' | 'shownHash' | 'firstVersion'> {
  readonly shown: SharedVersion
}

function keepOrWrite(source: ReadSource, show: Show, begun: Begun): CopyPlan {
  if (source.coming.length > 0) return writePlan(source, show, begun)
  const { copyId, versions, shown } = begun
  return { is: 'keep', copyId, last: shown.content, purged: purgedVersions(source, versions) }
}

function writePlan(
  source: ReadSource,
  show: Show,
  { copyId, versions, shownHash, firstVersion, shown }: Begun,
): WritePlan {
  const { current, coming, hasMore, copy } = source
  return {
    is: 'write',
    source,
    copyId,
    versions,
    shownHash,
    coming: withOwnContents(
      coming.flatMap((one) => (one.version === current?.version ? shown : (show(one, firstVersion) ?? []))),
      versions.at(-1),
    ),
    hasMore,
    last: shown.content,
    sourceVersion: coming.at(-1)?.version ?? copy?.sourceVersion ?? shown.version,
    firstVersion,
  }
}

/**
 * A void repeats what its copy shows before it. Where that is older than what was voided, because
 * versions in between were purged, the content of the void comes first.
 */
function withOwnContents(coming: readonly SharedVersion[], lastShown: number | undefined): readonly SharedVersion[] {
  let before = lastShown
  return coming.flatMap((one) => {
    const isBehind = one.voidReason !== null && before !== undefined && before < one.version - 1
    before = one.version
    return isBehind ? [{ ...one, voidReason: null }, one] : one
  })
}

/** `plan` where the copy shows what is shared now; else what it shows has to be read first. */
function compareFirst(
  source: ReadSource,
  show: Show,
  { copy, shown, plan }: { readonly copy: KnownCopy; readonly shown: SharedVersion; readonly plan: CopyPlan },
): CopyPlan | Comparison {
  const { copyId, firstVersion } = copy
  const allowed = copy.versions.map((version) => {
    const one = source.versions.find((other) => other.version === version)
    return one && show(one, firstVersion)
  })
  const shownHash = allowed.reduce<Buffer>((hash, one) => hashAfter(hash, one?.hash), noHash)
  if (shownHash.equals(copy.shownHash)) return plan
  const begun = { ...copy, shownHash, shown }
  const write = writePlan(source, show, begun)
  const showsMore = write.coming.length === 0 && shown.voidReason === null && allowed.at(-1) !== undefined
  return {
    is: 'compare',
    copyId,
    allowed: allowed.map((one) => one?.content),
    fits: showsMore ? { ...write, coming: [shown] } : keepOrWrite(source, show, begun),
    // Under a new id, so that nothing that was shown before is left in its history.
    exceeds: { is: 'withdraw', copyId, isReplaced: true },
  }
}

/** Versions of a copy, counted from 1, whose last shown version was purged: they are taken out. */
export const purgedVersions = (source: CopySource, shown: readonly number[]): readonly number[] =>
  shown.flatMap((version, i) => (source.versions.some((one) => one.version === version && one.isPurged) ? [i + 1] : []))

/** A copy as it is in the account, where the process that wrote it ended before it noted that. */
export function copyAsFound(copy: KnownCopy, count: number): KnownCopy {
  if (count >= copy.versions.length) return copy
  const versions = copy.versions.slice(0, count)
  const last = versions.at(-1) ?? 0
  // The content of a void may be there, and the void not.
  const sourceVersion = copy.versions[count] === last ? last - 1 : last
  // The next rescan compares what its versions show.
  return { ...copy, versions, sourceVersion, shownHash: unknownHash }
}

/** The part of a content that the partner may see; undefined for none. */
type ContentSharedOf = (
  content: Content,
  sharing: SharedWith,
  at: PlanningAt & { readonly isEarlier: boolean },
) => Content | undefined

const contentOfMasterData =
  (kind: 'masterProduct' | 'location'): ContentSharedOf =>
  (content, sharing, { now, named }) => {
    const code = codeOf(kind, content)
    if (sharing.isDeleted || code === undefined || !named.has(nameOf(code))) return undefined
    const withheld = withheldOfMasterData(sharing, now)
    const { subject } = kinds[kind]
    const { [subject]: record, ...envelope } = content
    return { ...maskMasterData(envelope, withheld), [subject]: maskMasterData(record as Content, withheld) }
  }

const sharedContent: Readonly<Record<SharedKindName, ContentSharedOf>> = {
  receivingEvent: (content, { open, openEarlier }, { now, isEarlier }) => {
    const payload = content as unknown as ReceivingEventPayload
    if (isEarlier && openEarlier(payload, now) === undefined) return undefined
    const opened = open(payload, now)
    return opened && (maskEvent(payload, opened) as unknown as Content)
  },
  masterProduct: contentOfMasterData('masterProduct'),
  location: contentOfMasterData('location'),
}

const noHash = Buffer.alloc(0)
/** Differs from the content of any version. */
export const unknownHash = Buffer.from([0])

/** The hash of some versions and one more. */
export const hashAfter = (before: Buffer, hash: Buffer | undefined): Buffer =>
  hash === undefined ? unknownHash : createHash('sha256').update(before).update(hash).digest()

/** True when everything that is in one value is in the other as well. */
export function isWithin(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part)) {
    if (!Array.isArray(whole)) return false
    let next = 0
    return part.every((one) => {
      while (next < whole.length && !isWithin(one, whole[next])) next++
      return next++ < whole.length
    })
  }
  if (typeof part !== 'object' || part === null) return part === whole
  if (typeof whole !== 'object' || whole === null) return false
  return Object.entries(part).every(
    ([name, value]) => Object.hasOwn(whole, name) && isWithin(value, (whole as Content)[name]),
  )
}
