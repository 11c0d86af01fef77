// The last version of each record seen so far, in about 80 bytes a record, where a Map takes
// several times that.

const slotBytes = 36
const idBytes = 16
const hashBytes = 16

/** The end of a record's history so far. */
export interface RecordHead {
  readonly version: number
  /** The first half of its hash, in hexadecimal: enough to distinguish hashes. */
  readonly hash: string
}

export class RecordHeads {
  #slots = 1 << 12
  #bytes = Buffer.alloc(this.#slots * slotBytes)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The first half of a hash, as heads hold it. */
  static half(hash: string): string {
    return hash.slice(0, 2 * hashBytes)
  }

  get(id: string): RecordHead | undefined {
    const at = this.#find(bytesOf(id))
    const version = this.#bytes.readUInt32BE(at + idBytes)
    return version === 0 ? undefined : { version, hash: this.#bytes.toString('hex', at + idBytes + 4, at + slotBytes) }
  }

  /** `version` is 1 or more. */
  set(id: string, version: number, versionHash: string): void {
    if (this.#size * 2 > this.#slots) this.#grow()
    const key = bytesOf(id)
    const at = this.#find(key)
    if (this.#bytes.readUInt32BE(at + idBytes) === 0) this.#size++
    key.copy(this.#bytes, at)
    this.#bytes.writeUInt32BE(version, at + idBytes)
    this.#bytes.write(RecordHeads.half(versionHash), at + idBytes + 4, 'hex')
  }

  /** The slot of the record, or the free one it would get. */
  #find(key: Buffer): number {
    // The end of an id is random; its beginning is a time.
    for (let slot = key.readUInt32BE(idBytes - 4) % this.#slots; ; slot = (slot + 1) % this.#slots) {
      const at = slot * slotBytes
      if (this.#bytes.readUInt32BE(at + idBytes) === 0 || key.compare(this.#bytes, at, at + idBytes) === 0) return at
    }
  }

  #grow(): void {
    const before = this.#bytes
    this.#slots *= 2
    this.#bytes = Buffer.alloc(this.#slots * slotBytes)
    for (let at = 0; at < before.length; at += slotBytes)
      if (before.readUInt32BE(at + idBytes) !== 0)
        before.copy(this.#bytes, this.#find(before.subarray(at, at + idBytes)), at, at + slotBytes)
  }
}

const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')
