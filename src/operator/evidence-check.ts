// Checks every stored hash, chain, checkpoint and search value of a provider in the database, some
// at a time, beside a running service (decision 0075). Reads only.
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { RecordKindName } from '../contract/record-kinds.ts'
import { type Checkpoint, checkpointText, rootEntry, rootHead, versionFaults } from '../evidence/evidence.ts'
import { sha256Hex } from '../sha256.ts'
import { signingKeyIdOf } from '../signing-key.ts'
import type { Queryable } from '../store/database/statement.ts'
import { nextCheckpoints, signingKeys } from '../store/evidence/checkpoints.ts'
import { evidenceGaps } from '../store/evidence/evidence-gaps.ts'
import {
  archiveImportOf,
  countVersions,
  entriesOfRoot,
  recordsWithoutSearchRow,
  type WalkedVersion,
  walkVersions,
} from '../store/evidence/evidence-walk.ts'
import { searchRowsWithoutRecord } from '../store/records/search-values.ts'

/** A fault, its place, and its remedy. */
export interface EvidenceFault {
  readonly record?: string
  readonly version?: number
  readonly checkpoint?: number
  readonly what: string
  readonly remedy: string
}

export interface CheckedEvidence {
  readonly versions: number
  readonly checkpoints: number
  /** The key of the last checkpoint, when the key of this service has signed none. */
  readonly foreignKeyId: string | undefined
}

/** Which current versions are found by other values than their own. */
export type CompareSearch = (
  provider: string,
  versions: readonly { kind: RecordKindName; id: string; version: number; body: string; findings: string }[],
) => Promise<readonly { readonly id: string; readonly version: number; readonly differing: readonly string[] }[]>

interface Reports {
  readonly fault: (fault: EvidenceFault) => Promise<void>
  /** How much was checked: versions of all. */
  readonly progress: (done: number, of: number) => void
}

const restore =
  'Compare it with a backup or an archive from before, and send what that has as a replacement: see Damage in docs/operating.md.'
const added =
  'Nobody stored it by this service. Compare it with an archive from before, and delete its row if it is not there.'
const signedAgain =
  'Compare number and hash with a checkpoint that was written down, or with an archive from before. Restore a backup if they differ.'

/** Nothing rewrites a search row that is not there, but the import of an archive. */
const withoutRow =
  'Restore a backup, or export an archive and import it into another account, which writes all search rows: see Damage in docs/operating.md.'
const rewritten = (id: string): string =>
  `Run UPDATE record SET search_hash = '' WHERE id = '${id}' in the database, and send the record as a replacement with another payloadId: that writes its search values again.`

/** Most missing and added versions, and records without a search row, that are named. */
const namedMax = 10_000

/**
 * Checks a provider. `ownKeyId` is the key with which this service signs; undefined when it is
 * elsewhere. Returns the counts of the check, or undefined while an archive is imported.
 */
export async function checkEvidence(
  db: Queryable,
  provider: string,
  { ownKeyId, compareSearch }: { readonly ownKeyId: string | undefined; readonly compareSearch: CompareSearch },
  { fault, progress }: Reports,
): Promise<CheckedEvidence | undefined> {
  const imported = await archiveImportOf(db, { provider })
  if (imported?.ended === false) return undefined
  const all = await countVersions(db, provider)
  /** Named once, without the faults that follow from them. */
  const named = new Set<string>()
  const missing = new Set<string>()
  for (const { id, version, is } of await evidenceGaps(db, provider, namedMax)) {
    named.add(nameOf(id, version))
    if (is === 'missing') missing.add(nameOf(id, version))
    await fault(
      is === 'missing'
        ? { record: id, version, what: 'It is missing: its row was deleted.', remedy: restore }
        : { record: id, version, what: 'It was added: it is under no checkpoint and waits for none.', remedy: added },
    )
  }
  const chains = new ChainCheck(missing, async (one) => {
    if (!named.has(nameOf(one.record ?? '', one.version ?? 0))) await fault(one)
  })
  let done = 0
  for await (const versions of walkVersions(db, provider)) {
    const current: Parameters<CompareSearch>[1][number][] = []
    for (const version of versions) {
      const isSound = await chains.take(version)
      const { kind, id, version: number, detail, isNamed } = version
      if (isSound && isNamed && version.current === number && detail !== undefined && detail.voidReason === undefined)
        current.push({ kind, id, version: number, body: detail.body, findings: detail.findings })
    }
    if (current.length > 0)
      for (const { id, version, differing } of await compareSearch(provider, current))
        await fault({
          record: id,
          version,
          what: `Lists, exports and traces find the record by other values than it has: ${differing.join(', ')}.`,
          remedy: rewritten(id),
        })
    done += versions.length
    progress(done, all)
  }
  await chains.end()
  const checkpoints = await checkCheckpoints(db, provider, { ownKeyId, isImported: imported !== undefined }, fault)
  for (const { id, version } of await recordsWithoutSearchRow(db, { provider, limit: namedMax }))
    await fault({
      record: id,
      version,
      what: 'Its search row is missing, so no list, export or trace finds it.',
      remedy: withoutRow,
    })
  for (const { id } of await searchRowsWithoutRecord(db, { provider, limit: namedMax }))
    await fault({
      record: id,
      what: 'It has a search row, but the record is voided or not stored: the row was added.',
      remedy: added,
    })
  return { versions: done, ...checkpoints }
}

const nameOf = (id: string, version: number): string => `${id}.${version}`

/**
 * The versions of each record in order: their hashes, their chain, and the version that the record
 * names.
 */
class ChainCheck {
  readonly #missing: ReadonlySet<string>
  readonly #fault: Reports['fault']
  #before: WalkedVersion | undefined

  constructor(missing: ReadonlySet<string>, fault: Reports['fault']) {
    this.#missing = missing
    this.#fault = fault
  }

  /** Returns whether nothing is wrong with the version. */
  async take(version: WalkedVersion): Promise<boolean> {
    if (this.#before !== undefined && this.#before.id !== version.id) await this.#endRecord(this.#before)
    const before = this.#before?.id === version.id ? this.#before : undefined
    this.#before = version
    const at = { record: version.id, version: version.version }
    const isNext = version.version === (before?.version ?? 0) + 1
    if (!isNext)
      for (let n = (before?.version ?? 0) + 1; n < version.version; n++)
        if (!this.#missing.has(nameOf(version.id, n)))
          await this.#fault({
            record: version.id,
            version: n,
            what: 'It is missing: its row was deleted.',
            remedy: restore,
          })
    const hashed = { ...version, previousHash: before?.versionHash ?? null }
    const faults = versionFaults(hashed, sha256Hex, { isPreviousMissing: !isNext })
    for (const what of faults)
      await this.#fault({ ...at, what: `It was altered, exchanged or added: ${what}.`, remedy: restore })
    return faults.length === 0
  }

  async end(): Promise<void> {
    if (this.#before !== undefined) await this.#endRecord(this.#before)
  }

  /** Compares the last version with the one that the record names. */
  async #endRecord(last: WalkedVersion): Promise<void> {
    const at = { record: last.id, version: last.version }
    if (last.current === null) {
      if (!last.isPurged)
        await this.#fault({ ...at, what: 'The row of its record is missing, so nothing finds it.', remedy: restore })
    } else if (last.current < last.version)
      await this.#fault({
        ...at,
        what: `The record names version ${last.current} as its current one: its number was changed back, or this version was added.`,
        remedy: restore,
      })
    else if (last.current > last.version) {
      // Then the version that it names is missing, and named as such.
      if (!this.#missing.has(nameOf(last.id, last.current)))
        await this.#fault({
          ...at,
          version: last.current,
          what: 'It is missing: its row was deleted.',
          remedy: restore,
        })
    } else if (!last.isNamed)
      await this.#fault({
        ...at,
        what: 'The hashes that its record names are not those of this version.',
        remedy: restore,
      })
  }
}

/** The chain of checkpoints: their versions, their links, and their signers. */
async function checkCheckpoints(
  db: Queryable,
  provider: string,
  { ownKeyId, isImported }: { readonly ownKeyId: string | undefined; readonly isImported: boolean },
  fault: Reports['fault'],
): Promise<Pick<CheckedEvidence, 'checkpoints' | 'foreignKeyId'>> {
  const keys = await publicKeys(db, provider, fault)
  const signedWith = new Set<string>()
  let hasOwn = false
  let checkpoints = 0
  let before: Checkpoint | undefined
  for (let number = 0; ; ) {
    const some = await nextCheckpoints(db, provider, number)
    if (some.length === 0) break
    for (const { checkpoint, under } of some) {
      const at = { checkpoint: checkpoint.number, remedy: signedAgain }
      number = checkpoint.number
      checkpoints++
      for (let n = (before?.number ?? 0) + 1; n < number; n++)
        await fault({ ...at, checkpoint: n, what: 'It is missing: its row was deleted.' })
      const follows = number === (before?.number ?? 0) + 1
      if (follows && checkpoint.previousHash !== (before?.checkpointHash ?? null))
        await fault({ ...at, what: 'It does not follow the one before it, which was altered or signed again.' })
      const entries = await entriesOfRoot(db, { provider, under })
      const root = createHash('sha256').update(rootHead)
      for (const entry of entries) root.update(`\n${rootEntry(entry)}`)
      if (under.length !== checkpoint.versionCount)
        await fault({
          ...at,
          what: `It was altered: it is over ${checkpoint.versionCount} versions, and names ${under.length}.`,
        })
      // Of a missing version the hash is not known.
      else if (entries.length === under.length && root.digest('hex') !== checkpoint.root)
        await fault({ ...at, what: 'Its root does not match: versions under it were altered or exchanged, or it was.' })
      const text = checkpointText(checkpoint)
      const key = keys.get(checkpoint.signingKeyId)
      if (sha256Hex(text) !== checkpoint.checkpointHash)
        await fault({ ...at, what: 'It was altered: it does not match its checkpointHash.' })
      else if (key === undefined)
        await fault({ ...at, what: `It is signed with key ${checkpoint.signingKeyId}, which is not stored.` })
      else if (!verify(null, Buffer.from(text), key, Buffer.from(checkpoint.signature, 'base64')))
        await fault({ ...at, what: `It was altered: its signature is not that of key ${checkpoint.signingKeyId}.` })
      if (checkpoint.signedFor !== provider && !isImported)
        await fault({ ...at, what: 'It is signed for another account, and no archive was imported here.' })
      // A new key signs from then on: the one before it never comes back.
      if (hasOwn && checkpoint.signingKeyId !== ownKeyId)
        await fault({
          ...at,
          what: `It is signed with key ${checkpoint.signingKeyId}, after the key of this service had signed: it was signed again.`,
        })
      if (checkpoint.signedFor === provider && checkpoint.signingKeyId === ownKeyId) hasOwn = true
      signedWith.add(checkpoint.signingKeyId)
      before = checkpoint
    }
  }
  for (const keyId of keys.keys())
    if (!signedWith.has(keyId))
      await fault({
        ...(before && { checkpoint: before.number }),
        what: `Key ${keyId} signed checkpoints of this account, and none of them is stored: they were deleted or signed again.`,
        remedy: signedAgain,
      })
  const isOwn = hasOwn || ownKeyId === undefined || before?.signedFor !== provider
  return { checkpoints, foreignKeyId: isOwn ? undefined : before?.signingKeyId }
}

/** The stored keys whose ids are right. */
async function publicKeys(db: Queryable, provider: string, fault: Reports['fault']): Promise<Map<string, KeyObject>> {
  const keys = new Map<string, KeyObject>()
  const pageSize = 100
  for (let after: string | undefined, more = true; more; ) {
    const page = await signingKeys(db, { provider, after, limit: pageSize })
    for (const { signingKeyId, publicKey } of page)
      if (signingKeyIdOf(publicKey) === signingKeyId)
        keys.set(signingKeyId, createPublicKey({ key: publicKey, format: 'der', type: 'spki' }))
      else
        await fault({
          what: `The key stored as ${signingKeyId} is another one: it was exchanged.`,
          remedy: signedAgain,
        })
    after = page.at(-1)?.signingKeyId
    more = page.length === pageSize
  }
  return keys
}
