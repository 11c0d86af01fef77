// Writes JSON as UTF-8 bytes. A text that is put together of pieces is copied before it is hashed,
// and each piece is garbage.

/** Bytes that stay reserved from one text to the next. */
const keptBytes = 1 << 16

/** Most bytes of a UTF-16 unit in UTF-8. */
const unitBytesMax = 3

const utf8 = new TextEncoder()

/** Writes one text at a time. */
export class JsonBytes {
  #bytes = new Uint8Array(keptBytes)
  #end = 0

  begin(): void {
    this.#end = 0
    if (this.#bytes.length > keptBytes) this.#bytes = new Uint8Array(keptBytes)
  }

  /** How many bytes are written. */
  get length(): number {
    return this.#end
  }

  /** The text so far. It is valid until the next one begins. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#end)
  }

  /** Takes back what was written after this length. */
  shorten(length: number): void {
    this.#end = length
  }

  /** Writes ASCII, one of its characters a byte. */
  put(characters: Uint8Array): void {
    this.#reserve(characters.length)
    const bytes = this.#bytes
    let end = this.#end
    for (let at = 0; at < characters.length; at++) bytes[end++] = characters[at] as number
    this.#end = end
  }

  /**
   * Puts brackets around what was written after this length: parts that each begin with a comma.
   */
  enclose(length: number, open: number, close: number): void {
    this.#reserve(2)
    if (this.#end === length) this.#end++
    this.#bytes[length] = open
    this.#bytes[this.#end++] = close
  }

  /**
   * Writes a text in quotes, if it is printable ASCII that needs no escape. Writes nothing of
   * another, and returns false.
   */
  putPlainText(text: string): boolean {
    this.#reserve(text.length + 2)
    const bytes = this.#bytes
    let end = this.#end
    bytes[end++] = 0x22
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code < 0x20 || code > 0x7e || code === 0x22 || code === 0x5c) return false
      bytes[end++] = code
    }
    bytes[end++] = 0x22
    this.#end = end
    return true
  }

  /** Writes a number, true, false or null. */
  putWord(word: string): void {
    this.#reserve(word.length)
    for (let at = 0; at < word.length; at++) this.#bytes[this.#end++] = word.charCodeAt(at)
  }

  /** Writes any JSON text. */
  putJson(json: string): void {
    this.#reserve(json.length * unitBytesMax)
    this.#end += utf8.encodeInto(json, this.#bytes.subarray(this.#end)).written
  }

  #reserve(length: number): void {
    if (this.#end + length <= this.#bytes.length) return
    const more = new Uint8Array(2 * (this.#end + length))
    more.set(this.written())
    this.#bytes = more
  }
}

/** Written once, put often. */
export const asciiOf = (text: string): Uint8Array => utf8.encode(text)
