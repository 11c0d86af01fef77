// What the system calls an error.

/** The `code` of an error of the system, or the error as text. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
