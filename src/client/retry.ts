// Whether a failed call may be retried, and when.
import { ProblemError, type UnreachableError } from './failure.ts'
import type { ClientRequest } from './request.ts'

const firstPauseMs = 200
const longestPauseMs = 30_000

/**
 * The pause before a retry, in milliseconds; undefined when the call may not be retried. A
 * rejection is final. A read that failed in the service is retried, unless a record is missing
 * there. Without any answer, a create without idempotency key is not retried, and neither is a
 * replacement bound to a version: if the first attempt took place, the second would fail as stale.
 */
export function pauseBefore(
  attempt: number,
  { method, headers }: ClientRequest,
  failure: ProblemError | UnreachableError,
  retryAfter: string | null,
): number | undefined {
  const mayRepeat =
    failure instanceof ProblemError
      ? failure.status === 429 ||
        failure.status === 503 ||
        (failure.status === 500 && method === 'GET' && failure.outcome !== 'damaged')
      : headers['if-match'] === undefined && (method !== 'POST' || headers['idempotency-key'] !== undefined)
  if (!mayRepeat) return undefined
  const retryAfterMs = Number(retryAfter ?? Number.NaN) * 1_000
  // Random within the upper half, so that callers who failed together do not return together.
  const backOff = firstPauseMs * 2 ** attempt * (0.5 + Math.random() / 2)
  return Math.min(Number.isFinite(retryAfterMs) ? retryAfterMs + backOff : backOff, longestPauseMs)
}
