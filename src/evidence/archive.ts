// An archive: everything a provider has, history included, as lines of JSON. Source:
// docs/evidence.md, decision 0037. First the archive line and the keys; then, checkpoint by
// checkpoint, the versions under it and the checkpoint; then the end.

import { isEventKind, type RecordKindName, recordKinds } from '../contract/record-kinds.ts'
import { areKeptFindings } from '../contract/shape/finding.ts'
import type { Checkpoint, HashedVersion, VersionDetail } from './evidence.ts'

/** Names the format and its version; a program that does not know it must not read on. */
export const archiveFormat = 'lotkeeper archive 1'

/**
 * Longest line, in characters: more than the largest body that a service can be configured to
 * accept.
 */
export const archiveLineLengthMax = 120 * 1024 * 1024

/** The beginning of every archive, so that its first bytes identify it. */
export const archiveBeginning = `{"is":"archive","format":"lotkeeper archive `

export interface ArchiveHead {
  readonly is: 'archive'
  readonly format: typeof archiveFormat
  readonly provider: { readonly id: string; readonly name: string }
  readonly madeDateTime: string
  /** How many lines of each are to come. */
  readonly keys: number
  readonly versions: number
  readonly checkpoints: number
}

export interface ArchivedKey {
  readonly is: 'key'
  readonly signingKeyId: string
  /** SubjectPublicKeyInfo (DER) of an Ed25519 key, in base64. */
  readonly publicKey: string
}

export interface ArchivedVersion extends HashedVersion {
  readonly is: 'version'
  /**
   * It was the current one when the archive was made. Of a receiving event: its tallies then, as
   * JSON text (decision 0031).
   */
  readonly current: true | { readonly completeness: string } | undefined
}

/** A version that the database lost, in its place: nothing of it is known but its name. */
export interface MissingVersion {
  readonly is: 'missing'
  readonly id: string
  readonly version: number
}

export type ArchivedCheckpoint = Checkpoint & { readonly is: 'checkpoint' }

export interface ArchiveEnd {
  readonly is: 'end'
  /** Records of all kinds. */
  readonly records: number
  readonly versions: number
  readonly checkpoints: number
  /** Only of a damaged database: lines of missing versions, and versions under no checkpoint. */
  readonly missing?: number
  readonly added?: number
}

export type ArchiveLine = ArchiveHead | ArchivedKey | ArchivedVersion | MissingVersion | ArchivedCheckpoint | ArchiveEnd

/** The text of a line that holds no JSON of others. */
export const archiveLine = (
  line: ArchiveHead | ArchivedKey | MissingVersion | ArchivedCheckpoint | ArchiveEnd,
): string => `${JSON.stringify(line)}\n`

/** The text of a version: its last members are findings and body, byte for byte as stored. */
export function versionLine({ detail, current, ...version }: Omit<ArchivedVersion, 'is'>): string {
  const head = JSON.stringify({
    is: 'version',
    kind: version.kind,
    id: version.id,
    version: version.version,
    submittedDateTime: version.submittedDateTime,
    keyId: version.keyId,
    contentHash: version.contentHash,
    detailHash: version.detailHash,
    previousHash: version.previousHash,
    versionHash: version.versionHash,
    ...(detail === undefined
      ? { purged: true }
      : { payloadId: detail.payloadId, voidReason: detail.voidReason, reason: detail.reason }),
  }).slice(0, -1)
  const now =
    current === undefined
      ? ''
      : current === true
        ? ',"current":true'
        : `,"current":true,"completeness":${current.completeness}`
  return detail === undefined
    ? `${head}${now}}\n`
    : `${head}${now},"findings":${detail.findings},"body":${detail.body}}\n`
}

const hash = /^[0-9a-f]{64}$/
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const keyId = /^[0-9a-zA-Z_-]{1,64}$/
const signingKeyId = /^[0-9a-f]{32}$/
const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/
const base64 = /^[A-Za-z0-9+/]{1,400}={0,2}$/
const countMax = 2 ** 31 - 1

type Form = (value: unknown) => boolean
const matching =
  (pattern: RegExp): Form =>
  (value) =>
    typeof value === 'string' && pattern.test(value)
const orNull =
  (form: Form): Form =>
  (value) =>
    value === null || form(value)
const orAbsent =
  (form: Form): Form =>
  (value) =>
    value === undefined || form(value)
const whole: Form = (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= countMax
const positive: Form = (value) => whole(value) && value !== 0
const oneOf =
  (...values: readonly unknown[]): Form =>
  (value) =>
    values.includes(value)

/**
 * The members of each kind of line; any other member is refused, because no check would cover it.
 */
const forms: Readonly<Record<ArchiveLine['is'], Readonly<Record<string, Form>>>> = {
  archive: {
    format: oneOf(archiveFormat),
    provider: (value) =>
      typeof value === 'object' &&
      value !== null &&
      matching(uuid)((value as { id?: unknown }).id) &&
      typeof (value as { name?: unknown }).name === 'string',
    madeDateTime: (value) => typeof value === 'string' && value.length <= 40,
    keys: whole,
    versions: whole,
    checkpoints: whole,
  },
  key: { signingKeyId: matching(signingKeyId), publicKey: matching(base64) },
  version: {
    kind: oneOf(...recordKinds.map(({ name }) => name)),
    id: matching(uuid),
    version: positive,
    submittedDateTime: matching(moment),
    keyId: matching(keyId),
    contentHash: matching(hash),
    detailHash: matching(hash),
    previousHash: orNull(matching(hash)),
    versionHash: matching(hash),
  },
  checkpoint: {
    number: positive,
    signedFor: matching(uuid),
    madeDateTime: matching(moment),
    versionCount: whole,
    root: matching(hash),
    previousHash: orNull(matching(hash)),
    checkpointHash: matching(hash),
    signingKeyId: matching(signingKeyId),
    signature: matching(base64),
  },
  missing: { id: matching(uuid), version: positive },
  end: { records: whole, versions: whole, checkpoints: whole, missing: orAbsent(positive), added: orAbsent(positive) },
}

/** Reads one line, or returns its mistake. Hashes are not checked. */
export function readArchiveLine(text: string): ArchiveLine | { readonly problem: string } {
  const split = splitLine(text)
  if (split === undefined) return { problem: 'It is not one JSON object.' }
  const { members, findings, body, completeness } = split
  const is = members.is as ArchiveLine['is']
  if (typeof is !== 'string' || !Object.hasOwn(forms, is))
    return { problem: '"is" names none of archive, key, version, missing, checkpoint, end.' }
  const form = forms[is]
  const { is: _, ...others } = members
  const rest = is === 'version' ? withoutDetail(others) : others
  for (const [name, fits] of Object.entries(form))
    if (!fits(members[name])) return { problem: `${name} is missing or has the wrong form.` }
  const strange = Object.keys(rest).find((name) => !Object.hasOwn(form, name))
  if (strange !== undefined) return { problem: `${JSON.stringify(strange.slice(0, 60))} does not belong in this line.` }
  if (is !== 'version')
    return findings === undefined && body === undefined && completeness === undefined
      ? (members as unknown as ArchiveLine)
      : { problem: 'findings and body belong to versions.' }

  const { purged, payloadId, voidReason, reason, current } = members
  if (current !== undefined && current !== true) return { problem: 'current can only be true.' }
  if (purged === undefined ? !isPayloadId(payloadId) || findings === undefined || body === undefined : purged !== true)
    return { problem: 'A version has payloadId, findings and body, or is purged.' }
  if (purged === true && (payloadId !== undefined || findings !== undefined || body !== undefined))
    return { problem: 'A purged version has no payloadId, findings or body.' }
  if (voidReason !== undefined && !(isReason(voidReason) && payloadId === null && isVoidable(members)))
    return { problem: 'voidReason is text of a receiving event that has a version before, and no payloadId.' }
  if (
    reason !== undefined &&
    !(isReason(reason) && findings !== undefined && voidReason === undefined && members.version !== 1)
  )
    return { problem: 'reason is text of a version that has one before, is not purged, and is no void.' }
  if (findings !== undefined && !areKeptFindings(JSON.parse(findings)))
    return { problem: 'findings has an entry that is not a list of rule, sentence, pointer and values.' }
  const detail =
    findings === undefined || body === undefined
      ? undefined
      : ({
          payloadId: payloadId as string | null,
          ...(voidReason !== undefined && { voidReason: voidReason as string }),
          ...(reason !== undefined && { reason: reason as string }),
          findings,
          body,
        } satisfies VersionDetail)
  return {
    ...(rest as unknown as Omit<ArchivedVersion, 'is' | 'detail' | 'current' | 'kind'>),
    is,
    kind: members.kind as RecordKindName,
    detail,
    current: current === undefined ? undefined : completeness === undefined ? true : { completeness },
  }
}

const isPayloadId = (value: unknown): boolean => value === null || typeof value === 'string'

const isReason = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && !value.includes('\u0000') && value.isWellFormed()

const isVoidable = ({ kind, version }: Readonly<Record<string, unknown>>): boolean =>
  isEventKind(kind as RecordKindName) && version !== 1

function withoutDetail({ purged, payloadId, voidReason, reason, current, ...rest }: Record<string, unknown>) {
  return rest
}

/**
 * The small members of a line, and the text of the large ones. A quotation mark inside of a string
 * is escaped, so a text like the beginning of a member outside of the first ones is one; and the
 * first ones hold nothing but text and numbers.
 */
function splitLine(text: string):
  | {
      readonly members: Readonly<Record<string, unknown>>
      readonly completeness?: string
      readonly findings?: string
      readonly body?: string
    }
  | undefined {
  const findingsAt = text.indexOf(',"findings":')
  const bodyAt = text.indexOf(',"body":', Math.max(findingsAt, 0))
  if (findingsAt < 0 !== bodyAt < 0 || !text.endsWith('}')) return undefined
  const smallEnd = findingsAt < 0 ? text.length - 1 : findingsAt
  const completenessAt = text.indexOf(',"completeness":')
  const hasCompleteness = completenessAt >= 0 && completenessAt < smallEnd
  const large = {
    ...(hasCompleteness && { completeness: text.slice(completenessAt + ',"completeness":'.length, smallEnd) }),
    ...(findingsAt >= 0 && {
      findings: text.slice(findingsAt + ',"findings":'.length, bodyAt),
      body: text.slice(bodyAt + ',"body":'.length, -1),
    }),
  }
  try {
    const members = JSON.parse(`${text.slice(0, hasCompleteness ? completenessAt : smallEnd)}}`) as unknown
    if (typeof members !== 'object' || members === null || Array.isArray(members)) return undefined
    if (large.completeness !== undefined && !isArray(large.completeness)) return undefined
    if (large.findings !== undefined && !isArray(large.findings)) return undefined
    if (large.body !== undefined && !large.body.startsWith('{')) return undefined
    return { members: members as Record<string, unknown>, ...large }
  } catch {
    return undefined
  }
}

const isArray = (text: string): boolean => Array.isArray(JSON.parse(text))
