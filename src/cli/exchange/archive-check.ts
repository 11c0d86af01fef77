// Checks an archive line by line, with nothing but the file, SHA-256 and Ed25519. Source:
// docs/evidence.md.
import { createHash, createPublicKey, type Hash, type KeyObject, verify } from 'node:crypto'
import { textOf } from 'lotkeeper-sheets/import-file'
import { UnreadableFile } from 'lotkeeper-sheets/unreadable-file'
import {
  type ArchivedCheckpoint,
  type ArchivedKey,
  type ArchivedVersion,
  type ArchiveEnd,
  type ArchiveHead,
  type ArchiveLine,
  archiveLineLengthMax,
  type MissingVersion,
  readArchiveLine,
} from '../../evidence/archive.ts'
import { checkpointText, rootEntry, rootHead, versionFaults } from '../../evidence/evidence.ts'
import { linesOf } from '../../intake/lines.ts'
import { sha256Hex } from '../../sha256.ts'
import type { OpenFile } from '../base/open-file.ts'
import { RecordHeads } from '../base/record-heads.ts'

/** A fault, and its place. */
export interface ArchiveFault {
  readonly line: number
  /** Id and version of the record, where it concerns one. */
  readonly record?: string
  readonly version?: number
  readonly what: string
}

/** Most faults that are reported; all are counted. */
const faultsMax = 10

/** In the place of the hash of a version that is missing. */
const noHash = '0'.repeat(64)

export class ArchiveCheck {
  /** Ids of keys from another source; one of them must have signed the last checkpoint. */
  readonly #trusted: readonly string[]
  readonly faults: ArchiveFault[] = []
  faultCount = 0
  head: ArchiveHead | undefined
  lastCheckpoint: ArchivedCheckpoint | undefined
  versions = 0
  purged = 0
  /** Ids of all keys that signed a checkpoint. */
  readonly signedWith = new Set<string>()
  readonly #keys = new Map<string, KeyObject>()
  readonly #heads = new RecordHeads()
  #root: Hash = createHash('sha256').update(rootHead)
  #underNext = 0
  #missingUnderNext = 0
  #missing = 0
  /** The first versions since the last checkpoint. */
  #unproved: { readonly line: number; readonly id: string; readonly version: number }[] = []
  #checkpoints = 0
  /** Line of the last checkpoint, or of the line before the first version. */
  #checkpointLine = 1
  #line = 0
  #end: ArchiveEnd | undefined

  constructor(trusted: readonly string[]) {
    this.#trusted = trusted
  }

  get records(): number {
    return this.#heads.size
  }

  /** Reads the whole file. Reports each line that it can read, and then checks it. */
  async run(file: OpenFile, onLine: (line: ArchiveLine) => void): Promise<void> {
    try {
      for await (const lines of archiveLines(file))
        for (const { number, text } of lines) {
          this.#line = number
          const line = readArchiveLine(text)
          if ('problem' in line) this.#fault(line.problem)
          else {
            onLine(line)
            this.#take(line)
          }
        }
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      this.#line++
      this.#fault(error.message)
      return
    }
    this.#finish()
  }

  #fault(what: string, of?: Pick<ArchivedVersion, 'id' | 'version'>, line = this.#line): void {
    this.faultCount++
    if (this.faults.length < faultsMax)
      this.faults.push({ line, ...(of && { record: of.id, version: of.version }), what })
  }

  #take(line: ArchiveLine): void {
    if (this.#end !== undefined) this.#fault('It is after the end of the archive.')
    if ((this.head === undefined) !== (line.is === 'archive'))
      this.#fault(this.head === undefined ? 'An archive starts with another line.' : 'A second archive begins.')
    if (line.is === 'archive') this.head ??= line
    else if (line.is === 'key') this.#takeKey(line)
    else if (line.is === 'version') this.#takeVersion(line)
    else if (line.is === 'missing') this.#takeMissing(line)
    else if (line.is === 'checkpoint') this.#takeCheckpoint(line)
    else this.#end = line
  }

  #takeKey({ signingKeyId, publicKey }: ArchivedKey): void {
    const key = publicKeyOf(Buffer.from(publicKey, 'base64'))
    if (key === undefined || signingKeyIdOf(key) !== signingKeyId)
      this.#fault(`The key is not the Ed25519 key from which its id ${signingKeyId} was computed.`)
    else this.#keys.set(signingKeyId, key)
  }

  /**
   * A version that was missing in the database already: its root and the following chain are open.
   */
  #takeMissing(missing: MissingVersion): void {
    this.#missing++
    this.#missingUnderNext++
    this.#fault(
      'This version was missing in the database when the archive was made. Restore it there from a backup, and export again.',
      missing,
    )
    this.#heads.set(missing.id, missing.version, noHash)
  }

  #takeVersion(version: ArchivedVersion): void {
    this.versions++
    if (version.detail === undefined) this.purged++
    const before = this.#heads.get(version.id)
    const expected = (before?.version ?? 0) + 1
    const isPreviousMissing = before?.hash === RecordHeads.half(noHash) && version.version === expected
    for (const fault of versionFaults(version, sha256Hex, { isPreviousMissing }))
      this.#fault(`It was altered: ${fault}.`, version)
    if (version.version > expected)
      this.#fault(`Version ${expected} of this record is missing. It must be before this line.`, version)
    else if (version.version < expected)
      this.#fault('It was added: the record has an earlier line with this version number.', version)
    else if (
      !isPreviousMissing &&
      (before?.hash ?? null) !== (version.previousHash === null ? null : RecordHeads.half(version.previousHash))
    )
      this.#fault('previousHash is not the hash of the previous version.', version)
    if (version.version >= expected) this.#heads.set(version.id, version.version, version.versionHash)
    this.#root.update(`\n${rootEntry(version)}`)
    this.#underNext++
    if (this.#unproved.length < faultsMax)
      this.#unproved.push({ line: this.#line, id: version.id, version: version.version })
  }

  #takeCheckpoint(checkpoint: ArchivedCheckpoint): void {
    const { number, versionCount, root, signingKeyId, signature, previousHash } = checkpoint
    const before = this.lastCheckpoint
    this.#checkpoints++
    if (number !== (before?.number ?? 0) + 1)
      this.#fault(`Checkpoint ${(before?.number ?? 0) + 1} is missing; this is number ${number}.`)
    else if (previousHash !== (before?.checkpointHash ?? null))
      this.#fault(`Checkpoint ${number} does not follow the previous checkpoint: previousHash differs.`)
    const where = `lines ${this.#checkpointLine + 1} to ${this.#line - 1}`
    const under = this.#underNext + this.#missingUnderNext
    if (versionCount !== under)
      this.#fault(
        `Checkpoint ${number} covers ${versionCount} versions, but ${under} come before it: ${versionCount > under ? 'some are missing' : 'some were added'} in ${where}.`,
      )
    else if (this.#missingUnderNext === 0 && root !== this.#root.digest('hex'))
      this.#fault(
        `Checkpoint ${number} covers other versions than those before it: ${where} were altered or exchanged.`,
      )
    const text = checkpointText(checkpoint)
    const key = this.#keys.get(signingKeyId)
    if (sha256Hex(text) !== checkpoint.checkpointHash)
      this.#fault(`Checkpoint ${number} was altered: it does not match its checkpointHash.`)
    else if (key === undefined)
      this.#fault(`Checkpoint ${number} was signed with key ${signingKeyId}, which is not in the file.`)
    else if (!verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64')))
      this.#fault(`Checkpoint ${number} was altered: its signature is not that of key ${signingKeyId}.`)
    this.signedWith.add(signingKeyId)
    this.lastCheckpoint = checkpoint
    this.#root = createHash('sha256').update(rootHead)
    this.#unproved = []
    this.#underNext = 0
    this.#missingUnderNext = 0
    this.#checkpointLine = this.#line
  }

  #finish(): void {
    if (this.#end === undefined) {
      this.#line++
      this.#fault('The archive is cut off: its last line is missing. Export it again.')
      return
    }
    for (const { line, ...version } of this.#unproved)
      this.#fault('It was added past the service: it is under no checkpoint.', version, line)
    if (this.#underNext > 0)
      this.#fault(
        `${this.#underNext} versions after line ${this.#checkpointLine} are under no checkpoint: they were added.`,
      )
    const counted = { records: this.records, versions: this.versions, checkpoints: this.#checkpoints }
    // Of a record that is missing as a whole nothing is known.
    for (const what of ['records', 'versions', 'checkpoints'] as const)
      if (this.#end[what] !== counted[what] && !(what === 'records' && this.#missing > 0))
        this.#fault(`The last line counts ${this.#end[what]} ${what}, but the archive has ${counted[what]}.`)
    const last = this.lastCheckpoint
    if (last !== undefined && this.#trusted.length > 0 && !this.#trusted.includes(last.signingKeyId))
      this.#fault(
        `Checkpoint ${last.number}, the last one, is signed with key ${last.signingKeyId}, which is not one of the given keys (${this.#trusted.join(', ')}).`,
      )
  }
}

const longestLine = { characters: archiveLineLengthMax, remedy: 'no archive has such a line. Export it again.' }

/** The lines of an archive as text; a line longer than any valid one ends it. */
export const archiveLines = (file: OpenFile) => linesOf(textOf(file, 'utf-8'), longestLine)

export function publicKeyOf(key: Buffer | string): KeyObject | undefined {
  try {
    const read = typeof key === 'string' ? createPublicKey(key) : createPublicKey({ key, format: 'der', type: 'spki' })
    return read.asymmetricKeyType === 'ed25519' ? read : undefined
  } catch {
    return undefined
  }
}

/**
 * The service's name of a key: the first half of the SHA-256 of the key as SubjectPublicKeyInfo.
 */
export const signingKeyIdOf = (key: KeyObject): string =>
  sha256Hex(key.export({ type: 'spki', format: 'der' })).slice(0, 32)
