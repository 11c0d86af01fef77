// How many requests each key sent in its minute, for RATE_LIMIT_PER_MINUTE.

const windowMs = 60_000

export interface RequestCount {
  /** Requests of the key in its minute, this one among them. */
  readonly current: number
  /** Milliseconds until the minute is over. */
  readonly ttl: number
}

/** Counts one request of a key. */
export type CountRequest = (keyId: string) => RequestCount | Promise<RequestCount>

/** Counts in memory. The minute of a key begins with the first request after the one before. */
export function requestCounts(): (keyId: string) => RequestCount {
  const minutes = new Map<string, { requests: number; readonly endsAt: number }>()
  return (keyId) => {
    const now = performance.now()
    // The oldest come first: the map holds no more than the keys of the last minute.
    for (const [key, { endsAt }] of minutes) {
      if (endsAt > now) break
      minutes.delete(key)
    }
    const minute = minutes.get(keyId) ?? { requests: 0, endsAt: now + windowMs }
    minute.requests++
    minutes.set(keyId, minute)
    return { current: minute.requests, ttl: minute.endsAt - now }
  }
}
