// A backup as bytes, before they are compressed: a line that says what it is, pages of rows, and a line with the checksum.
// Each page is a line that says how long it is, and a JSON array of rows as PostgreSQL writes and reads them.
import { createHash, type Hash } from 'node:crypto'

export interface BackupHead {
  readonly lotkeeper: 'backup'
  /** Of the file, not of the schema. */
  readonly format: 1
  /** Version of the program that made it. */
  readonly program: string
  readonly madeAt: string
  /** The schema: the migrations of the database, in order. */
  readonly migrations: readonly { readonly file: string; readonly checksum: string }[]
  /** In the order in which they are restored. */
  readonly tables: readonly { readonly name: string; readonly rows: number }[]
}

export interface BackupPage {
  readonly table: string
  readonly rows: number
  /** JSON array of its rows. */
  readonly text: string
}

/** The file is not a whole backup, for the reason in the message; what was read of it is worth nothing. */
export class NotABackup extends Error {
  override readonly name = 'NotABackup'
}

/** The bytes of a backup. */
export async function* backupBytes(head: BackupHead, pages: AsyncIterable<BackupPage>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  const summed = (bytes: Buffer): Buffer => {
    hash.update(bytes)
    return bytes
  }
  yield summed(lineOf(head))
  for await (const { text, ...page } of pages) {
    const bytes = Buffer.from(text)
    yield summed(lineOf({ ...page, bytes: bytes.length }))
    yield summed(bytes)
  }
  yield lineOf({ sha256: hash.digest('hex') })
}

const lineOf = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)}\n`)

/** Longest line, and longest page, that is read, in bytes: what claims more is not a backup. */
const lineBytesMax = 1024 * 1024
const pageBytesMax = 512 * 1024 * 1024

/**
 * Reads a backup. Its pages may be used before the end is reached, but count only once `pages` has ended without an error:
 * that is where it turns out that the file is whole.
 * @throws NotABackup, here and from `pages`.
 */
export async function readBackup(
  source: AsyncIterable<Buffer>,
): Promise<{ readonly head: BackupHead; readonly pages: AsyncIterable<BackupPage> }> {
  const reader = new Reader(source)
  const head = await reader.line()
  if (!isHead(head)) throw new NotABackup('It does not begin as a backup of Lotkeeper does.')
  if (head.format !== 1)
    throw new NotABackup(
      `It is a backup of form ${head.format}, made by Lotkeeper ${head.program}; this program reads form 1.`,
    )
  return { head, pages: pagesIn(reader, head) }
}

const isHead = (line: Line): line is Line & BackupHead =>
  line.lotkeeper === 'backup' &&
  [line.migrations, line.tables].every((list) => Array.isArray(list) && list.every((one) => one instanceof Object))

async function* pagesIn(reader: Reader, head: BackupHead): AsyncGenerator<BackupPage> {
  const rowsRead = new Map(head.tables.map(({ name }) => [name, 0]))
  for (;;) {
    const sum = reader.sum()
    const line = await reader.line()
    if (line.sha256 !== undefined) {
      if (line.sha256 !== sum || !(await reader.atEnd()))
        throw new NotABackup('It was altered: its checksum does not fit.')
      const short = head.tables.find(({ name, rows }) => rowsRead.get(name) !== rows)
      if (short !== undefined) throw new NotABackup(`It lacks rows of ${short.name}.`)
      return
    }
    const { table = '', rows = 0, bytes = 0 } = line
    const before = rowsRead.get(table)
    if (before === undefined || !(bytes > 0 && bytes <= pageBytesMax)) throw new NotABackup(altered)
    rowsRead.set(table, before + rows)
    yield { table, rows, text: (await reader.take(bytes)).toString() }
  }
}

const altered = 'It was altered: no page begins where one should.'
const cutOff = 'It was cut off: it ends before its checksum.'

/** A line, of which nothing is known but that it is an object. */
type Line = Partial<BackupHead & BackupPage & { readonly bytes: number; readonly sha256: string }>

/** Takes lines and pages from bytes, however they are split, and sums up what was taken. */
class Reader {
  readonly #source: AsyncIterator<Buffer>
  readonly #hash: Hash = createHash('sha256')
  #chunks: Buffer[] = []
  #length = 0

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Checksum of all that was taken so far. */
  sum(): string {
    return this.#hash.copy().digest('hex')
  }

  async line(): Promise<Line> {
    let end = -1
    let searched = 0
    while (end < 0) {
      const whole = this.#whole()
      end = whole.indexOf(0x0a, searched)
      searched = whole.length
      if (end < 0 && (searched > lineBytesMax || !(await this.#more()))) throw new NotABackup(cutOff)
    }
    const text = (await this.take(end + 1)).toString()
    try {
      const line: unknown = JSON.parse(text)
      if (line instanceof Object) return line
    } catch {
      // Said below.
    }
    throw new NotABackup(altered)
  }

  async take(bytes: number): Promise<Buffer> {
    while (this.#length < bytes) if (!(await this.#more())) throw new NotABackup(cutOff)
    const whole = this.#whole()
    const taken = whole.subarray(0, bytes)
    this.#chunks = [whole.subarray(bytes)]
    this.#length -= bytes
    this.#hash.update(taken)
    return taken
  }

  async atEnd(): Promise<boolean> {
    return this.#length === 0 && !(await this.#more())
  }

  #whole(): Buffer {
    const [first, second] = this.#chunks
    const whole = second === undefined && first !== undefined ? first : Buffer.concat(this.#chunks)
    this.#chunks = [whole]
    return whole
  }

  async #more(): Promise<boolean> {
    const next = await this.#source.next().catch((error: Error & { code?: string }) => {
      // What the decompression says of a file that is not whole.
      if (error.code === 'Z_BUF_ERROR') throw new NotABackup(cutOff)
      if (error.code?.startsWith('Z_'))
        throw new NotABackup(`It is not compressed as a backup is, or was altered (${error.code}).`)
      throw error
    })
    if (next.done) return false
    this.#chunks.push(next.value)
    this.#length += next.value.length
    return true
  }
}
