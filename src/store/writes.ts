// What every write of a record has in common, whatever its kind.

/** One record to write. */
export interface RecordWrite<Search> {
  readonly id: string
  /** JSON text of the record, without its id. */
  readonly body: string
  /** SHA-256 of the content, whatever the order of its keys. */
  readonly contentHash: Buffer
  /** JSON text of the findings kept with the version. */
  readonly findings: string
  /** The values lists search by. */
  readonly search: Search
}

/** Who writes, and by which request. */
export interface Writer {
  readonly provider: string
  readonly keyId: string
  readonly requestId: string
  readonly payloadId: string | undefined
}

/** The key under which a create is remembered, and the hash of the request it stands for. */
export interface IdempotencyClaim {
  readonly key: string
  readonly operation: string
  readonly fingerprint: Buffer
}

/** How a create ended. `repeated` means the idempotency key was there already, and nothing was written. */
export type Created = { readonly is: 'created' } | { readonly is: 'repeated' } | KeyTaken

/** How a replacement ended. `versions` allowed by If-Match decide between `stale` and the rest; nothing is written unless `replaced`. */
export type Replaced =
  | { readonly is: 'replaced'; readonly version: number }
  | { readonly is: 'unchanged'; readonly version: number }
  | { readonly is: 'stale'; readonly version: number }
  | { readonly is: 'unknown' }
  | KeyTaken

/** Another record of the provider holds the key that is one per provider; which one, `holderOf` of its kind says. */
interface KeyTaken {
  readonly is: 'taken'
}

/** The row every replace statement ends with: none when the record is unknown. */
export interface ReplaceRow {
  readonly stored: number
  readonly replaced: number | null
  readonly unchanged: boolean
}

/** Reads the row of a replace statement. A stale If-Match wins over an unchanged body, as RFC 9110 orders preconditions first. */
export function replacedBy(row: ReplaceRow | undefined, allowed: readonly number[] | undefined): Replaced {
  if (row === undefined) return { is: 'unknown' }
  if (allowed !== undefined && !allowed.includes(row.stored)) return { is: 'stale', version: row.stored }
  if (row.replaced !== null) return { is: 'replaced', version: row.replaced }
  return { is: 'unchanged', version: row.stored }
}

/** Parameters 1 to 4 of every write statement: provider, key, request, payload id. */
export const writerValues = ({ provider, keyId, requestId, payloadId }: Writer) => [
  provider,
  keyId,
  requestId,
  payloadId ?? null,
]
