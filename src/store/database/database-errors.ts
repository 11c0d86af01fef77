// The meaning of PostgreSQL errors for the store. Codes: PostgreSQL documentation, appendix A.
// Those that Citus passes on from a worker, and its own: decision 0058.

/** The SQLSTATE or system error code of an error, if it has one. */
export function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown }
  if (typeof code !== 'string') return undefined
  return code === internalError ? (codeInMessage(error) ?? code) : code
}

const internalError = 'XX000'

/**
 * Citus loses the code of a worker's error while it copies rows there, and some of its own errors
 * have no code.
 */
const codesByMessage: readonly (readonly [RegExp, string])[] = [
  [/^duplicate key value violates unique constraint /, '23505'],
  [/^could not serialize access /, '40001'],
  [/^deadlock detected$/, '40P01'],
  [/: No space left on device$/, '53100'],
  [/^out of memory$/, '53200'],
  [/^canceling statement due to (?:statement timeout|user request)$/, '57014'],
  [/^cannot execute .* in a read-only transaction$/, '25006'],
  [/^canceling statement due to lock timeout$/, '55P03'],
  [/^terminating connection /, '57P01'],
  [/^the database system is (?:starting up|shutting down|in recovery mode|not accepting connections)/, '57P03'],
  [/^(?:sorry, too many clients already|remaining connection slots are reserved )/, '53300'],
  [/^failure on connection marked as essential: /, '08006'],
  [/^server closed the connection unexpectedly/, '08006'],
]

const codeInMessage = (error: unknown): string | undefined =>
  codesByMessage.find(([words]) => words.test(messageOf(error)))?.[1]

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '')

/**
 * Returns `taken` when a write that ran alone violates this unique index: another transaction took
 * the key after the statement had looked. Batched writes get the error and run again one by one
 * (batched-statement.ts).
 */
export async function takenOnConflict<Answer>(
  writes: readonly unknown[],
  index: string,
  run: () => Promise<readonly Answer[]>,
): Promise<readonly (Answer | { readonly is: 'taken' })[]> {
  try {
    return await run()
  } catch (error) {
    if (brokenIndex(error) === index && writes.length === 1) return [{ is: 'taken' }]
    throw error
  }
}

/**
 * The unique index that a write conflicts with. Citus omits the field that names it, and each shard
 * has its own index, with the number of the shard behind the name.
 */
function brokenIndex(error: unknown): string | undefined {
  if (codeOf(error) !== '23505') return undefined
  const { constraint } = error as { constraint?: string }
  const name = constraint ?? /^duplicate key value violates unique constraint "([^"]+)"$/.exec(messageOf(error))?.[1]
  return name?.replace(/_\d+$/, '')
}

/** A stored record already has the key of the one to be written. */
export const keyIsHeld = (error: unknown): boolean => codeOf(error) === '23505'

/**
 * An intermediate result that Citus keeps on a worker is missing: a parallel step failed, and with
 * it the whole statement.
 */
const resultOfStepLost = 'CIINF'

/**
 * Serialization failure, deadlock, or another statement that set up the same location at the same
 * moment: nothing was written, and the same statement may succeed when sent again.
 */
export const mayRetry = (error: unknown): boolean =>
  ['40001', '40P01', resultOfStepLost].includes(codeOf(error) ?? '') || brokenIndex(error) === 'location_one_per_code'

/** Codes of a server that shuts down, is not reachable, or accepts no more connections. */
const lostCodes = new Set([
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '53300', // too_many_connections
  '55000', // object_not_in_prerequisite_state: the database takes no connections
  '3D000', // invalid_catalog_name: it is being restored or renamed
  '28000', // invalid_authorization_specification
  '28P01', // invalid_password: it is being rotated
  '08000',
  '08003',
  '08006',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
])

/**
 * True when the connection to the database was lost or could not be made: then it is unknown
 * whether a write took effect.
 */
export function connectionLost(error: unknown): boolean {
  if (lostCodes.has(codeOf(error) ?? '')) return true
  // The driver sets no code for the first ones; Citus gives the last one the code of a failing
  // disk.
  return /Connection terminated|connection timeout|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|^failed to (?:complete )?COPY /i.test(
    messageOf(error),
  )
}

/** True when the database accepted no connection in time: nothing was sent to it. */
export const connectionTimedOut = (error: unknown): boolean =>
  /connection timeout|timeout exceeded when trying to connect/.test(messageOf(error))

/** The node that a statement was sent to, on the error it failed with. */
export const ofNode = (error: unknown, node: string): unknown => Object.assign(error as Error, { node })

/**
 * True when the server responds, and one behind it does not: an error that ends the session has
 * another severity.
 */
export const nodeLost = (error: unknown): boolean => {
  const { severity, node } = error as { severity?: unknown; node?: string }
  return connectionLost(error) && (severity === 'ERROR' || node !== undefined)
}

/** Why the database cannot execute the statement. */
export type DatabaseTrouble =
  | 'unreachable'
  | 'noConnection'
  | 'notLetIn'
  | 'restarting'
  | 'conflict'
  | (typeof refusals)[keyof typeof refusals]

/** Codes of a reachable database that cannot execute the statement now: nothing was written. */
const refusals = {
  '53000': 'outOfMemory',
  '53100': 'diskFull',
  '53200': 'outOfMemory',
  '57014': 'timedOut',
  '25006': 'readOnly',
  '55P03': 'locked',
  // duplicate_file: a full disk broke off the creation of a file, which was left behind.
  '58P02': 'diskFull',
} as const

const refusalOf = (error: unknown) => refusals[codeOf(error) as keyof typeof refusals] as DatabaseTrouble | undefined

/**
 * Disk full, out of memory, read-only, or a statement cancelled for its time: the service cannot
 * write now, and nothing was written.
 */
export const cannotWriteNow = (error: unknown): boolean => refusalOf(error) !== undefined

/** The disk of the database is full. */
export const diskFull = (error: unknown): boolean => refusalOf(error) === 'diskFull'

/** Kinds of a lost connection that ask for something else than the way to the database. */
const lostBy: Readonly<Record<string, DatabaseTrouble>> = {
  '57P01': 'restarting',
  '57P02': 'restarting',
  '57P03': 'restarting',
  '55000': 'restarting',
  '53300': 'noConnection',
  '3D000': 'notLetIn',
  '28000': 'notLetIn',
  '28P01': 'notLetIn',
}

/**
 * The trouble that an error of the database means, with its code if it has one; undefined for an
 * error that is a fault of the program.
 */
export function troubleOf(
  error: unknown,
): { readonly is: DatabaseTrouble; readonly code: string | undefined } | undefined {
  const code = codeOf(error)
  const refused = refusalOf(error)
  if (refused !== undefined) return { is: refused, code }
  if (mayRetry(error)) return { is: 'conflict', code }
  if (!connectionLost(error)) return undefined
  // The pool has none free, and the server none to give.
  if (/^timeout exceeded when trying to connect/.test(messageOf(error))) return { is: 'noConnection', code }
  return { is: lostBy[code ?? ''] ?? 'unreachable', code }
}

/** The version already stored, where a write found its number taken. No record names it. */
export function addedVersionIn(error: unknown): { readonly id: string; readonly version: number } | undefined {
  if (brokenIndex(error) !== 'record_version_pkey') return undefined
  const [, id, version] = /, ([0-9a-f-]{36}), (\d+)\)/.exec((error as { detail?: string }).detail ?? '') ?? []
  return id === undefined ? undefined : { id, version: Number(version) }
}
