// Reads one record, or one version of it.

import { RecordId } from '../../contract/payloads.ts'
import { type RecordKind, recordKinds } from '../../contract/record-kinds.ts'
import type { Role } from '../../contract/role.ts'
import type { Shape } from '../../contract/shape/field.ts'
import { quote } from '../../contract/shape/shape-words.ts'
import type { Operation } from '../../operations/base/operation.ts'
import type { StoredVersion, Tombstone } from '../../store/database/statement.ts'
import { findVersion } from '../../store/records/record-versions.ts'
import { readRecord } from '../../store/store.ts'
import type { Answer, HandlerContext, OperationCall } from '../base/handler.ts'
import { isRecordId } from '../base/record-id.ts'

export type ReadOutcome = 'unknownRecord' | 'unmodified' | 'found'

/** `purged` where the operation declares it: only receiving events are purged as a whole. */
export type Purged<O extends Operation> = 'purged' & keyof O['outcomes']

export const read =
  <O extends Operation>(context: HandlerContext, kind: RecordKind, operation: O) =>
  async (call: OperationCall): Promise<Answer<ReadOutcome | Purged<O>>> => {
    const stored = isRecordId(call.id)
      ? await readRecord(context.store, call.provider, { kind: kind.name, id: call.id })
      : undefined
    if (stored !== undefined && 'purgedAt' in stored) return purgedRecord(operation, kind, stored, call)
    return answer(call, stored, stored === undefined ? await missingRecord(context, call, kind) : '')
  }

/** Largest version number the store can hold; longer digits cannot name one. */
const versionDigitsMax = 9

export const readVersion =
  ({ store }: HandlerContext, kind: RecordKind) =>
  async (call: OperationCall): Promise<Answer<ReadOutcome | 'purged'>> => {
    const stored = await namedVersion(store, call, kind)
    if (stored !== undefined && 'purgedAt' in stored) return purgedVersion(kind, stored, call)
    return answer(call, stored, missingVersion(call, kind))
  }

/** The version that the address names, its tombstone after a purge, or undefined. */
export async function namedVersion(
  store: HandlerContext['store'],
  { provider, id, version }: OperationCall,
  kind: RecordKind,
) {
  const named = isRecordId(id) && /^[1-9]\d*$/.test(version) && version.length <= versionDigitsMax
  return named ? findVersion(store, provider, { kind: kind.name, id, version: Number(version) }) : undefined
}

/**
 * Why there is no such record: no id, no UUID, the id of a record of another kind, or an unknown
 * one.
 */
export async function missingRecord(
  { store }: HandlerContext,
  { id, provider }: OperationCall,
  kind: RecordKind,
): Promise<string> {
  if (id === '') return `The address names no ${kind.noun}. Its id goes at the end, as in ${kind.path}/{id}.`
  if (!isRecordId(id)) return `There is no ${kind.noun} with id ${quote(id)}. An id is a UUID, e.g. ${idExample}.`
  for (const other of recordKinds)
    if (other.name !== kind.name && (await readRecord(store, provider, { kind: other.name, id })) !== undefined)
      return `There is no ${kind.noun} with id ${id}. It is the id of a ${other.noun}: ${other.path}/${id}.`
  return `There is no ${kind.noun} with id ${id}.`
}

const [idExample] = (RecordId as Shape).examples ?? []

export const missingVersion = ({ id, version }: OperationCall, kind: RecordKind): string =>
  `There is no version ${version.slice(0, 20)} of a ${kind.noun} with id ${id.slice(0, 60)}.`

/**
 * A whole record that was purged. The current version of a kind that is not purged as a whole is
 * never a tombstone.
 */
export function purgedRecord<O extends Operation>(
  { outcomes }: O,
  kind: RecordKind,
  { id, purgedAt }: Tombstone,
  { role }: Pick<OperationCall, 'role'>,
): Answer<Purged<O>> {
  if (!('purged' in outcomes)) throw new Error(`The ${kind.noun} ${id} was purged while it was the current version.`)
  return { outcome: 'purged' as Purged<O>, detail: `The ${kind.noun} ${id} ${purgedText(kind, id, purgedAt, role)}` }
}

export const purgedVersion = (
  kind: RecordKind,
  { id, version, purgedAt }: Tombstone,
  { role }: Pick<OperationCall, 'role'>,
): Answer<'purged'> => ({
  outcome: 'purged',
  detail: `Version ${version} of the ${kind.noun} ${id} ${purgedText(kind, id, purgedAt, role)}`,
})

const purgedText = ({ path }: RecordKind, id: string, at: Date, role: Role): string =>
  role === 'partner'
    ? `is not shared with you since ${at.toISOString()}. It was corrected, purged, or is no longer among what you may see. If you need it, ask who shares with you.`
    : `was purged at ${at.toISOString()}, after the retention time. ${path}/${id}/versions still shows when and by which key it was submitted, and the hash of its content.`

function answer(call: OperationCall, stored: StoredVersion | undefined, missing: string): Answer<ReadOutcome> {
  if (stored === undefined) return { outcome: 'unknownRecord', detail: missing }
  const { version } = stored
  const voided = stored.voidReason !== undefined
  if (isAtHand(call, stored)) return { outcome: 'unmodified', version, voided }
  return { outcome: 'found', version, voided, text: withId(stored) }
}

/** True when If-None-Match names this version: the caller has it. */
export const isAtHand = ({ ifNoneMatch }: OperationCall, { version }: StoredVersion): boolean =>
  ifNoneMatch === 'any' || ifNoneMatch.includes(version)

/**
 * The stored text with the id set before its first field, so that a record is never parsed to be
 * read.
 */
export const withId = (stored: StoredVersion): string => textsWithId(stored).join('')

/** The same in two texts: a large record is not copied to be sent. */
export function textsWithId({ id, body }: StoredVersion): readonly [string, string] {
  const rest = body.trimStart().slice(1)
  return [`{"id":"${id}"${rest.trimStart().startsWith('}') ? '' : ','}`, rest]
}
