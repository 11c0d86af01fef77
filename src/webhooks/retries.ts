// When a failed message is sent again, and when it is given up.

/**
 * Pauses between attempts in seconds, as "Standard Webhooks" recommends: they end after three days.
 */
const pauses = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]

/** Longest pause that a receiver can ask for with Retry-After, in milliseconds. */
const retryAfterMsMax = 86_400_000
const retryAfterMsMin = 1_000

/** Pauses vary by up to a tenth, so that receivers do not get all messages at once. */
const jitter = 0.1

/** An attempt that the jitter made early still counts for its pause. */
const tolerance = 0.85

/**
 * Milliseconds until the next attempt of a message that first failed `failingMs` ago; undefined
 * when it is given up. It counts time and not attempts: a receiver that asks for short pauses also
 * has three days.
 */
export function pauseAfterFailure(
  failingMs: number,
  retryAfterMs: number | undefined,
  pauseSecondsMax: number,
  random: () => number = Math.random,
): number | undefined {
  let sum = 0
  for (const pause of pauses) {
    sum += pause
    if (failingMs >= tolerance * sum * 1_000) continue
    if (retryAfterMs !== undefined) return Math.min(Math.max(retryAfterMs, retryAfterMsMin), retryAfterMsMax)
    return Math.round(Math.min(pause, pauseSecondsMax) * 1_000 * (1 - jitter + 2 * jitter * random()))
  }
  return undefined
}

/** Reads Retry-After: seconds, or a date. Undefined for anything else. */
export function readRetryAfter(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const at = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime())
}
