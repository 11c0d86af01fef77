// The texts that are hashed and signed: of a version, of a checkpoint. Anyone can build these texts
// from an archive, and check them with SHA-256 and Ed25519. Source: docs/evidence.md,
// decision 0038. The database hashes versions by the same words, in version_hash_of.
import { canonicalJson, databaseJson } from '../contract/json/canonical.ts'
import type { RecordKindName } from '../contract/record-kinds.ts'

/** Replaces the hash of the predecessor of the first version or checkpoint. */
const none = 'none'

/** A version of a record with its hashes, in lower-case hexadecimal. */
export interface HashedVersion {
  readonly kind: RecordKindName
  readonly id: string
  readonly version: number
  /** In UTC, to the microsecond: `2026-03-04T14:00:00.123456Z`. */
  readonly submittedDateTime: string
  /** Id of the key that submitted it. */
  readonly keyId: string
  readonly contentHash: string
  readonly detailHash: string
  /** Of the version before it; null for the first. */
  readonly previousHash: string | null
  readonly versionHash: string
  /** The stored content; undefined once it is purged. */
  readonly detail: VersionDetail | undefined
}

/**
 * The parts that a purge removes from a version. Findings and body are JSON text, exactly as
 * stored.
 */
export interface VersionDetail {
  readonly payloadId: string | null
  /**
   * Why the version is a void; absent where it is none. Then findings and body are those voided.
   */
  readonly voidReason?: string
  /** Why the record was replaced; absent where its sender did not say. */
  readonly reason?: string
  readonly findings: string
  readonly body: string
}

const detailText = ({ payloadId, voidReason, reason, findings, body }: VersionDetail): string => {
  const head =
    voidReason !== undefined
      ? ['lotkeeper void 1', JSON.stringify(voidReason)]
      : reason !== undefined
        ? ['lotkeeper correction 1', JSON.stringify(reason), JSON.stringify(payloadId)]
        : ['lotkeeper detail 1', JSON.stringify(payloadId)]
  return [...head, findings, body].join('\n')
}

/** What is hashed beside findings and body. */
const wordsOf = ({ voidReason, reason }: VersionDetail): string =>
  voidReason !== undefined ? 'void reason' : reason !== undefined ? 'reason, payload id' : 'payload id'

const versionText = (version: Omit<HashedVersion, 'detail' | 'versionHash'>): string =>
  [
    'lotkeeper version 1',
    version.kind,
    version.id,
    version.version,
    version.submittedDateTime,
    version.keyId,
    version.contentHash,
    version.detailHash,
    version.previousHash ?? none,
  ].join('\n')

/**
 * True where the text hashed for `contentHash` is canonical JSON. Of a location it is the normal
 * form of the database (decision 0012).
 */
export const isHashedCanonically = (kind: RecordKindName): boolean => kind !== 'location'

/** The text hashed for `contentHash`. */
export const contentText = (kind: RecordKindName, content: unknown): string =>
  isHashedCanonically(kind) ? canonicalJson(content) : databaseJson(content)

/** The beginning of the text of a root; each version follows after a line break, as `rootEntry`. */
export const rootHead = 'lotkeeper root 1'

export const rootEntry = ({
  kind,
  id,
  version,
  versionHash,
}: Pick<HashedVersion, 'kind' | 'id' | 'version' | 'versionHash'>): string => `${kind} ${id} ${version} ${versionHash}`

/**
 * A signed statement: these versions, so many, were stored by then, and those of the checkpoint
 * before it. Hashes are hexadecimal.
 */
export interface Checkpoint {
  /** Counted from 1. */
  readonly number: number
  /** Id of the provider it was signed for. */
  readonly signedFor: string
  /** In UTC, to the microsecond. */
  readonly madeDateTime: string
  readonly versionCount: number
  readonly root: string
  /** Of the checkpoint before it; null for the first. */
  readonly previousHash: string | null
  readonly checkpointHash: string
  readonly signingKeyId: string
  /** Ed25519 over the text that is hashed, in base64. */
  readonly signature: string
}

/** The text that is hashed for `checkpointHash`, and signed. */
export const checkpointText = (checkpoint: Omit<Checkpoint, 'checkpointHash' | 'signature'>): string =>
  [
    'lotkeeper checkpoint 1',
    checkpoint.signedFor,
    checkpoint.number,
    checkpoint.madeDateTime,
    checkpoint.versionCount,
    checkpoint.root,
    checkpoint.previousHash ?? none,
    checkpoint.signingKeyId,
  ].join('\n')

/** The report of a mock recall, and who signed it. */
export interface SignedMockRecall {
  readonly id: string
  /** Id of the provider. */
  readonly signedFor: string
  /** SHA-256 of the report as canonical JSON. */
  readonly reportHash: string
  readonly signingKeyId: string
}

/** The signed text of a mock recall. */
export const mockRecallText = ({ id, signedFor, reportHash, signingKeyId }: SignedMockRecall): string =>
  [mockRecallFormat, signedFor, id, reportHash, signingKeyId].join('\n')

/** The beginning of the report of a mock recall, so that a file of it is recognized. */
export const mockRecallFormat = 'lotkeeper mock recall 1'

/**
 * Mistakes in a version alone, as sentences; `sha256` gives hexadecimal. Where the version before
 * it is missing, its hash is too, and the chain cannot be checked.
 */
export function versionFaults(
  version: HashedVersion,
  sha256: (text: string) => string,
  { isPreviousMissing = false }: { readonly isPreviousMissing?: boolean | undefined } = {},
): string[] {
  const faults: string[] = []
  const { detail } = version
  if (detail !== undefined) {
    if (sha256(detailText(detail)) !== version.detailHash)
      faults.push(`${wordsOf(detail)}, findings or body do not match detailHash`)
    const content = tryParse(detail.body)
    if (content === undefined || sha256(contentText(version.kind, content)) !== version.contentHash)
      faults.push('the body does not match contentHash')
  }
  if (!isPreviousMissing && sha256(versionText(version)) !== version.versionHash)
    faults.push('kind, id, version, submittedDateTime, keyId or one of the hashes does not match versionHash')
  return faults
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
