// What PostgreSQL errors mean to the store. Codes: PostgreSQL documentation, appendix A.

/** The SQLSTATE or system error code of an error, if it has one. */
const codeOf = (error: unknown): string | undefined => {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

/**
 * Answers `taken` when a write that came alone breaks this unique index: another transaction took the key after the
 * statement had looked. Writes that came together are told the error, and come again one by one (grouped.ts).
 */
export async function answeringTaken<Answer>(
  writes: readonly unknown[],
  index: string,
  run: () => Promise<readonly Answer[]>,
): Promise<readonly (Answer | { readonly is: 'taken' })[]> {
  try {
    return await run()
  } catch (error) {
    const broken = codeOf(error) === '23505' && (error as { constraint?: unknown }).constraint === index
    if (broken && writes.length === 1) return [{ is: 'taken' }]
    throw error
  }
}

/** A record that is there holds the key of one that was to be written. */
export const keyIsHeld = (error: unknown): boolean => codeOf(error) === '23505'

/** Serialization failure or deadlock: nothing was written, and the same statement may succeed when sent again. */
export const mayRetry = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error) ?? '')

/** Codes of a server that goes away, is not there, or takes no more connections. */
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

/** True when the connection to the database was lost or could not be made: whether a write took place is then unknown. */
export function connectionLost(error: unknown): boolean {
  if (lostCodes.has(codeOf(error) ?? '')) return true
  // The driver has no code for these.
  return (
    error instanceof Error &&
    /Connection terminated|connection timeout|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Query read timeout/i.test(
      error.message,
    )
  )
}

/** Disk full, out of memory, read-only, or a statement cancelled for its time: the service cannot write now, and nothing was written. */
export const cannotWriteNow = (error: unknown): boolean =>
  ['53000', '53100', '53200', '57014', '25006', '55P03'].includes(codeOf(error) ?? '')
