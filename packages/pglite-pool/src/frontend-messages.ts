// The frontend half of PostgreSQL's wire protocol 3.0, as far as a bridge must read it: where
// messages end, and names.

/**
 * What a finished batch asks for. `flush` leaves the server waiting for more; the others end in
 * ReadyForQuery.
 */
export type BatchEnd = 'sync' | 'flush'

/** One step of a connection, in the order it was received. */
export type FrontendStep =
  | { readonly kind: 'encryption-request' }
  | { readonly kind: 'startup' }
  | { readonly kind: 'batch'; readonly end: BatchEnd; readonly bytes: Uint8Array }
  | { readonly kind: 'terminate' }
  | { readonly kind: 'violation'; readonly message: string }

const sslRequest = 80877103
const gssRequest = 80877104
const cancelRequest = 80877102
const protocolMajor = 3

/** Longest first packet that is read, as in PostgreSQL, in bytes. */
const startupLengthMax = 10_000

const batchEnds: ReadonlyMap<string, BatchEnd | 'more' | 'terminate'> = new Map([
  ['S', 'sync'],
  ['Q', 'sync'],
  ['F', 'sync'],
  ['H', 'flush'],
  ['P', 'more'],
  ['B', 'more'],
  ['D', 'more'],
  ['E', 'more'],
  ['C', 'more'],
  ['d', 'more'],
  ['c', 'more'],
  ['f', 'more'],
  ['X', 'terminate'],
])

/** Cuts the bytes of one connection, however they were split on the way, into steps. */
export class FrontendReader {
  #buffer = Buffer.allocUnsafe(4096)
  #length = 0
  /** Where the next unread message begins; everything before it belongs to the open batch. */
  #scanned = 0
  #started = false
  #over = false

  /**
   * The steps that `bytes` complete, in order. Nothing more comes after `terminate` or `violation`.
   */
  read(bytes: Uint8Array): FrontendStep[] {
    this.#append(bytes)
    const steps: FrontendStep[] = []
    while (!this.#over) {
      const step = this.#started ? this.#nextMessage() : this.#nextFirstPacket()
      if (step === undefined) break
      if (step === 'more') continue
      this.#over = step.kind === 'terminate' || step.kind === 'violation'
      steps.push(step)
    }
    return steps
  }

  #append(bytes: Uint8Array): void {
    const needed = this.#length + bytes.length
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2))
      this.#buffer.copy(larger, 0, 0, this.#length)
      this.#buffer = larger
    }
    this.#buffer.set(bytes, this.#length)
    this.#length = needed
  }

  #nextFirstPacket(): FrontendStep | undefined {
    if (this.#length < 8) return undefined
    const size = this.#buffer.readUInt32BE(0)
    if (size < 8 || size > startupLengthMax) return { kind: 'violation', message: 'invalid length of startup packet' }
    if (this.#length < size) return undefined
    const code = this.#buffer.readUInt32BE(4)
    this.#take(size)
    if (code === sslRequest || code === gssRequest) return { kind: 'encryption-request' }
    // A statement cannot be interrupted, so a cancel request is received and has no effect.
    if (code === cancelRequest) return { kind: 'terminate' }
    if (code >>> 16 !== protocolMajor) return { kind: 'violation', message: 'unsupported frontend protocol' }
    this.#started = true
    return { kind: 'startup' }
  }

  #nextMessage(): FrontendStep | 'more' | undefined {
    if (this.#length - this.#scanned < 5) return undefined
    const type = String.fromCharCode(this.#buffer.readUInt8(this.#scanned))
    const size = this.#buffer.readUInt32BE(this.#scanned + 1)
    const end = batchEnds.get(type)
    if (end === undefined || size < 4) return { kind: 'violation', message: 'invalid frontend message' }
    if (this.#length - this.#scanned < 1 + size) return undefined
    this.#scanned += 1 + size
    if (end === 'more') return 'more'
    const bytes = this.#take(this.#scanned)
    return end === 'terminate' ? { kind: 'terminate' } : { kind: 'batch', end, bytes }
  }

  #take(count: number): Uint8Array {
    const taken = new Uint8Array(this.#buffer.subarray(0, count))
    const rest = this.#buffer.subarray(count, this.#length)
    // A large parameter must not keep its buffer for the life of the connection.
    if (this.#buffer.length > 1 << 20) this.#buffer = Buffer.from(rest)
    else this.#buffer.copyWithin(0, count, this.#length)
    this.#length = rest.length
    this.#scanned = 0
    return taken
  }
}

/**
 * Bytes between a message's header and the name of a prepared statement in it, or undefined where
 * it has none.
 */
function statementNameOffset(type: string, body: Buffer): number | undefined {
  if (type === 'P') return 0
  if (type === 'B') return body.indexOf(0) + 1
  if ((type === 'D' || type === 'C') && body[0] === 0x53) return 1
  return undefined
}

/**
 * The batch with `prefix` before every named statement, so that connections which share one session
 * keep theirs apart. `names` is brought up to date with the prefixed names that exist when the
 * batch has run.
 */
export function withStatementPrefix(batch: Uint8Array, prefix: string, names: Set<string>): Uint8Array {
  const source = Buffer.from(batch.buffer, batch.byteOffset, batch.length)
  const parts: Uint8Array[] = []
  let copied = 0
  for (let at = 0; at < source.length; ) {
    const type = String.fromCharCode(source.readUInt8(at))
    const next = at + 1 + source.readUInt32BE(at + 1)
    const body = source.subarray(at + 5, next)
    const offset = statementNameOffset(type, body)
    if (offset !== undefined && offset < body.length && body[offset] !== 0) {
      const name = prefix + body.toString('latin1', offset, body.indexOf(0, offset))
      if (type === 'P') names.add(name)
      if (type === 'C') names.delete(name)
      const header = Buffer.from(source.subarray(at, at + 5))
      header.writeUInt32BE(next - at - 1 + prefix.length, 1)
      parts.push(source.subarray(copied, at), header, body.subarray(0, offset), Buffer.from(prefix, 'latin1'))
      copied = at + 5 + offset
    }
    at = next
  }
  if (parts.length === 0) return batch
  return new Uint8Array(Buffer.concat([...parts, source.subarray(copied)]))
}

function message(type: string, body: Buffer): Buffer {
  const header = Buffer.alloc(5)
  header.write(type, 0, 'latin1')
  header.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([header, body])
}

/** A simple query. */
export function queryMessage(sql: string): Uint8Array {
  return message('Q', Buffer.from(`${sql}\0`))
}

/** The end of an extended query. */
export function syncMessage(): Uint8Array {
  return message('S', Buffer.alloc(0))
}

/** Closes prepared statements by name, with the Sync that ends the batch. */
export function closeStatementsMessage(names: Iterable<string>): Uint8Array {
  const closes = [...names].map((name) => message('C', Buffer.from(`S${name}\0`, 'latin1')))
  return Buffer.concat([...closes, syncMessage()])
}

/** The first packet of a connection. */
export function startupMessage(user: string, database: string): Uint8Array {
  const body = Buffer.from(`\0\x03\0\0user\0${user}\0database\0${database}\0\0`)
  const packet = Buffer.alloc(body.length + 4)
  packet.writeUInt32BE(packet.length, 0)
  body.copy(packet, 4)
  return packet
}

/** A server's last words on a connection. `code` is an SQLSTATE. */
export function fatalMessage(code: string, text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(message('E', Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${text}\0\0`)))
}
