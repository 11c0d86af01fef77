// What every write of a record has in common, whatever its kind. Writes come in groups (grouped.ts) and are answered one by one.

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
interface Writer {
  readonly keyId: string
  readonly requestId: string
  readonly payloadId: string | undefined
}

/** One create: all of its records, or none. */
export interface Creation<Search> extends Writer {
  readonly records: readonly RecordWrite<Search>[]
  /** The key under which it is remembered, and the hash of the request it stands for. */
  readonly claim: { readonly key: string; readonly operation: string; readonly fingerprint: Buffer } | undefined
}

/** How a create ended. `repeated`: the idempotency key was there already. `taken`: another record holds the key of one of them. */
export interface Created {
  readonly is: 'created' | 'repeated' | 'taken'
}

/** Versions of a record: those named, or all but those. */
export interface VersionSet {
  readonly versions: readonly number[]
  readonly are: 'in' | 'out'
}

export const isIn = (version: number, { versions, are }: VersionSet): boolean =>
  versions.includes(version) === (are === 'in')

/** The set as a multirange of PostgreSQL, which takes `{}`, and ranges in any order and without numbers in them. */
function multirangeOf({ versions, are }: VersionSet): string {
  if (are === 'in') return `{${versions.map((version) => `[${version},${version}]`).join(',')}}`
  const bounds = ['', ...[...new Set(versions)].sort((a, b) => a - b), '']
  return `{${bounds.slice(1).map((bound, i) => `(${bounds[i]},${bound})`)}}`
}

/** One replacement. `allowed` are the versions it may take the place of: undefined when there is no condition. */
export interface Replacement<Search> extends Writer {
  readonly record: RecordWrite<Search>
  readonly allowed: VersionSet | undefined
}

/** How a replacement ended, and the version the record is at now. Only `replaced` wrote anything. */
export type Replaced =
  | { readonly is: 'replaced' | 'unchanged' | 'stale'; readonly version: number }
  | { readonly is: 'unknown' | 'taken' }

/** Writes the records of one kind, several writes in one statement; answers them in their order. */
export interface RecordStatements<Search> {
  readonly create: (provider: string, creations: readonly Creation<Search>[]) => Promise<readonly Created[]>
  readonly replace: (provider: string, replacements: readonly Replacement<Search>[]) => Promise<readonly Replaced[]>
}

/** Parameters 2 to 6 of a create statement, one element per create: number, idempotency key, operation, fingerprint, record ids. */
export const claimValues = (creations: readonly Creation<unknown>[]): unknown[] => [
  creations.map((_, n) => n),
  creations.map(({ claim }) => claim?.key ?? null),
  creations.map(({ claim }) => claim?.operation ?? null),
  creations.map(({ claim }) => claim?.fingerprint ?? null),
  creations.map(({ records }) => `{${records.map(({ id }) => id).join(',')}}`),
]

/** Parameters 7 to 14 of a create statement, one element per record. */
export function creationValues(creations: readonly Creation<unknown>[]): unknown[] {
  const rows = creations.flatMap((creation, n) => creation.records.map((record) => ({ creation, record, n })))
  return [
    rows.map(({ n }) => n),
    rows.map(({ creation }) => creation.keyId),
    rows.map(({ creation }) => creation.requestId),
    rows.map(({ creation }) => creation.payloadId ?? null),
    rows.map(({ record }) => record.id),
    rows.map(({ record }) => record.contentHash),
    rows.map(({ record }) => record.body),
    rows.map(({ record }) => record.findings),
  ]
}

/** The row a create statement answers each create with. */
export interface CreationRow {
  readonly n: number
  readonly outcome: Created['is']
}

export const createdBy = (creations: readonly Creation<unknown>[], rows: readonly CreationRow[]): Created[] => {
  const outcomes = new Map(rows.map(({ n, outcome }) => [n, outcome]))
  return creations.map((_, n) => ({ is: outcomes.get(n) ?? 'repeated' }))
}

/** Parameters 2 to 9 of a replace statement, one element per replacement. */
export const replacementValues = (replacements: readonly Replacement<unknown>[]): unknown[] => [
  replacements.map(({ record }) => record.id),
  replacements.map(({ keyId }) => keyId),
  replacements.map(({ requestId }) => requestId),
  replacements.map(({ payloadId }) => payloadId ?? null),
  replacements.map(({ allowed }) => (allowed === undefined ? null : multirangeOf(allowed))),
  replacements.map(({ record }) => record.contentHash),
  replacements.map(({ record }) => record.body),
  replacements.map(({ record }) => record.findings),
]

/** The row a replace statement answers each known record with; `version` is the one before the statement. */
export interface ReplacementRow {
  readonly id: string
  readonly outcome: 'replaced' | 'unchanged' | 'stale' | 'taken'
  readonly version: number
}

export function replacedBy(replacements: readonly Replacement<unknown>[], rows: readonly ReplacementRow[]): Replaced[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return replacements.map(({ record }) => {
    const row = byId.get(record.id)
    if (row === undefined) return { is: 'unknown' }
    if (row.outcome === 'taken') return { is: 'taken' }
    return { is: row.outcome, version: row.outcome === 'replaced' ? row.version + 1 : row.version }
  })
}
