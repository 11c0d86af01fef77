// The journal of a pull: the origin of each record of this account. It has a line for each stored
// change, and one for each finished page, after which the next pull continues.
import { appendFileSync, createReadStream, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { RecordKindName } from '../../contract/record-kinds.ts'

/** The account that records are pulled from. */
export interface PullOrigin {
  readonly url: string
  /** Name of the data provider. */
  readonly provider: string
}

/**
 * How a change ended: stored here; the same as here; left alone, since this account has its own; or
 * refused by the rules of this service.
 */
export type PullOutcome = 'stored' | 'unchanged' | 'kept' | 'refused' | 'gone'

/** A change of the origin, and its result here. */
export interface PulledChange {
  /** In the feed of the origin: it begins with the number of the checkpoint. */
  readonly position: string
  readonly kind: RecordKindName
  /** Record and version there. */
  readonly id: string
  readonly version: number
  /** SHA-256 of the content, as the origin states it and as it arrived. */
  readonly contentHash?: string
  readonly outcome: PullOutcome
  /** Record and version here. */
  readonly storedId?: string
  readonly storedVersion?: number
  /** Why it was not stored. */
  readonly why?: string
}

/** A record of the origin as it is here. */
export interface PulledRecord {
  readonly id: string
  readonly version: number
}

export class PullJournal {
  readonly #path: string
  readonly #records = new Map<string, PulledRecord>()
  #position: string | undefined

  private constructor(path: string) {
    this.#path = path
  }

  /** Opens the journal, or begins one. `otherOrigin`: it is of another account. */
  static async open(path: string, origin: PullOrigin): Promise<PullJournal | { readonly otherOrigin: PullOrigin }> {
    const journal = new PullJournal(path)
    if (!existsSync(path)) {
      writeFileSync(path, `${JSON.stringify({ origin })}\n`)
      return journal
    }
    // A line that a power failure cut off: its change is pulled again.
    const text = readFileSync(path)
    const whole = text.lastIndexOf(0x0a) + 1
    if (whole < text.length) truncateSync(path, whole)
    const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })
    let isFirst = true
    for await (const line of lines) {
      const entry = JSON.parse(line) as { origin?: PullOrigin; through?: string } & Partial<PulledChange>
      if (isFirst && (entry.origin?.url !== origin.url || entry.origin.provider !== origin.provider)) {
        lines.close()
        return { otherOrigin: entry.origin ?? { url: '', provider: '' } }
      }
      isFirst = false
      if (entry.through !== undefined) journal.#position = entry.through
      if (entry.id !== undefined) journal.#remember(entry as PulledChange)
    }
    return journal
  }

  /** Behind the last page that is done; undefined before the first one. */
  get position(): string | undefined {
    return this.#position
  }

  /** The record of this account that was pulled from that one. */
  recordOf(id: string): PulledRecord | undefined {
    return this.#records.get(id)
  }

  note(change: PulledChange): void {
    appendFileSync(this.#path, `${JSON.stringify(change)}\n`)
    this.#remember(change)
  }

  /** All changes up to this position are noted. */
  through(position: string): void {
    if (position === this.#position) return
    appendFileSync(this.#path, `${JSON.stringify({ through: position })}\n`)
    this.#position = position
  }

  #remember({ id, storedId, storedVersion }: PulledChange): void {
    if (storedId !== undefined && storedVersion !== undefined)
      this.#records.set(id, { id: storedId, version: storedVersion })
  }
}
