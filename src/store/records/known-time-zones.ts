// The time zones of locations, which rules and exports need for every event, in memory for a
// moment.

import type { Queryable } from '../database/statement.ts'
import { type LocationTimeZone, timeZonesOfProvider } from './location-time-zones.ts'

/** How long they stay in memory: a time zone set by another process counts after this time. */
const believedMs = 2_000
/** Providers whose time zones are kept at once. */
const providersMax = 200

interface Known {
  readonly zones: Promise<readonly LocationTimeZone[]>
  readonly until: number
}

/**
 * Time zones by provider. A write needs them and must not wait for a separate statement each time.
 */
export class KnownTimeZones {
  readonly #db: Queryable
  readonly #known = new Map<string, Known>()

  constructor(db: Queryable) {
    this.#db = db
  }

  /** The provider's time zones, at most `believedMs` old. */
  async of(provider: string): Promise<readonly LocationTimeZone[]> {
    const known = this.#known.get(provider)
    if (known !== undefined && known.until > performance.now()) return known.zones
    this.#known.delete(provider)
    const [oldest] = this.#known.keys()
    if (this.#known.size >= providersMax && oldest !== undefined) this.#known.delete(oldest)
    const zones = timeZonesOfProvider(this.#db, { provider })
    this.#known.set(provider, { zones, until: performance.now() + believedMs })
    return zones.catch((error) => {
      this.#known.delete(provider)
      throw error
    })
  }

  /** Reads them again next time: this process changed some. */
  forget(provider: string): void {
    this.#known.delete(provider)
  }
}
