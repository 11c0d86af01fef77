// Whether a call that failed may be sent again, and when.
import { ProblemError, type UnreachableError } from './failure.ts'
import type { ClientRequest } from './request.ts'

const firstPauseMs = 200
const longestPauseMs = 30_000

/**
 * The pause before the call is sent again, in milliseconds, or undefined when it may not be: what
 * the service refused stays refused. A read that failed in the service is sent again. After no
 * answer at all, a create without idempotency key is not sent again, and neither is a replacement
 * bound to a version: had the first one taken place, the second would be told that somebody else
 * was faster.
 */
export function pauseBefore(
  attempt: number,
  { method, headers }: ClientRequest,
  failure: ProblemError | UnreachableError,
  retryAfter: string | null,
): number | undefined {
  const mayRepeat =
    failure instanceof ProblemError
      ? failure.status === 429 || failure.status === 503 || (failure.status === 500 && method === 'GET')
      : headers['if-match'] === undefined && (method !== 'POST' || headers['idempotency-key'] !== undefined)
  if (!mayRepeat) return undefined
  const retryAfterMs = Number(retryAfter ?? Number.NaN) * 1_000
  // Drawn from the upper half, so that callers who failed together do not come back together.
  const backOff = firstPauseMs * 2 ** attempt * (0.5 + Math.random() / 2)
  return Math.min(Number.isFinite(retryAfterMs) ? retryAfterMs + backOff : backOff, longestPauseMs)
}
