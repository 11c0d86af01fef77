// Types that writes of all kinds of record share. Writes are batched (`batched-statement.ts`) and
// answered one by one.

/** One record to write. */
export interface RecordWrite<Search> {
  readonly id: string
  /** JSON text of the record, without its id. */
  readonly body: string
  /** SHA-256 of the content, whatever the order of its keys. */
  readonly contentHash: Buffer
  /** JSON text of the findings kept with the version. */
  readonly findings: string
  /** Its search values. */
  readonly search: Search
}

/** The writer, and its request. */
export interface Writer {
  readonly keyId: string
  readonly requestId: string
  readonly payloadId: string | undefined
  /** Why a record is replaced, where its sender says. */
  readonly reason?: string | undefined
}

/** One create: all of its records, or none. */
export interface Creation<Search> extends Writer {
  readonly records: readonly RecordWrite<Search>[]
  /** Its idempotency key, and the hash of its request. */
  readonly claim: { readonly key: string; readonly operation: string; readonly fingerprint: Buffer } | undefined
}

/**
 * The outcome of a create. `repeated`: the idempotency key existed. `taken`: another record has the
 * key of one of them.
 */
export interface Created {
  readonly is: 'created' | 'repeated' | 'taken'
}

/** A set of versions of a record: those listed, or all but those. */
export interface VersionSet {
  readonly versions: readonly number[]
  readonly are: 'in' | 'out'
}

export const isIn = (version: number, { versions, are }: VersionSet): boolean =>
  versions.includes(version) === (are === 'in')

/**
 * The set as a multirange of PostgreSQL, which takes `{}`, and ranges in any order and without
 * numbers in them.
 */
export function multirangeOf({ versions, are }: VersionSet): string {
  if (are === 'in') return `{${versions.map((version) => `[${version},${version}]`).join(',')}}`
  const bounds = ['', ...[...new Set(versions)].sort((a, b) => a - b), '']
  return `{${bounds.slice(1).map((bound, i) => `(${bounds[i]},${bound})`)}}`
}

/**
 * One replacement. `allowed` are the versions it may replace: undefined when there is no condition.
 */
export interface Replacement<Search> extends Writer {
  readonly record: RecordWrite<Search>
  readonly allowed: VersionSet | undefined
}

/** The outcome of a replacement, and the current version. Only `replaced` wrote anything. */
export type Replaced =
  | { readonly is: 'replaced' | 'unchanged' | 'stale'; readonly version: number }
  | { readonly is: 'unknown' | 'taken' }
