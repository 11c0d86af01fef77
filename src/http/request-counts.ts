// Counts requests per minute: of a key, or without a valid key from an address (decision 0042).

const windowMs = 60_000
/**
 * Most keys and addresses counted at once; the oldest are dropped. Only many addresses can fill
 * this.
 */
const placesMax = 100_000

export interface RequestCount {
  /** Requests in the minute, this one among them. */
  readonly current: number
  /** Milliseconds until the minute is over. */
  readonly ttl: number
}

/** Counts one request of a key or address. */
export type CountRequest = (place: string) => RequestCount | Promise<RequestCount>

/** Counts in memory. A minute begins with the first request after the previous minute ended. */
export function requestCounts(): (place: string) => RequestCount {
  const minutes = new Map<string, { requests: number; readonly endsAt: number }>()
  return (place) => {
    const now = performance.now()
    // The oldest come first. The map holds only those of the last minute.
    for (const [oldest, { endsAt }] of minutes) {
      if (endsAt > now && minutes.size < placesMax) break
      minutes.delete(oldest)
    }
    const minute = minutes.get(place) ?? { requests: 0, endsAt: now + windowMs }
    minute.requests++
    minutes.set(place, minute)
    return { current: minute.requests, ttl: minute.endsAt - now }
  }
}

/**
 * The key under which an address is counted: itself, or the /64 of an IPv6 address, because one
 * client usually has all of it. A closed connection has no address, despite Fastify's types.
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return 'ended'
  if (address.includes('.') || !address.includes(':')) return address.slice(address.lastIndexOf(':') + 1)
  const [head = '', tail] = address.split('::')
  const groups = head.split(':')
  const left = tail === undefined ? [] : Array<string>(8 - groups.length - tail.split(':').length).fill('0')
  return [...groups, ...left, ...(tail ?? '').split(':')]
    .slice(0, 4)
    .map((group) => group || '0')
    .join(':')
}
