// What an import has done so far, beside its file: so that it goes on where it was broken off. It bounds no memory and is no
// guard against doubling (the keys of the records are); it saves the work, and keeps rejected rows until they are written.
import { appendFileSync, createReadStream, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** Rows or a line that were not imported. */
export interface Rejected {
  readonly number: number
  readonly sheet?: string
  readonly headings?: readonly string[]
  readonly rows?: readonly { readonly cells: readonly string[]; readonly reason: string }[]
  readonly line?: string
  readonly reason?: string
}

type Count = 'created' | 'replaced' | 'unchanged' | 'judged' | 'rejected' | 'lines' | 'warnings' | 'gaps'
export type Counts = Record<Count, number>

const noCounts = (): Counts => ({
  created: 0,
  replaced: 0,
  unchanged: 0,
  judged: 0,
  rejected: 0,
  lines: 0,
  warnings: 0,
  gaps: 0,
})

/** Progress is written down after so many. */
const everyMax = 200

export class ImportJournal {
  readonly #path: string
  /** Everything up to this number is done. */
  #through = 0
  readonly #beyond = new Map<number, Partial<Counts>>()
  readonly counts: Counts = noCounts()
  #unwritten = 0

  private constructor(path: string) {
    this.#path = path
  }

  /** Opens the journal of this state of the file, or begins one. */
  static async open(path: string, state: string): Promise<ImportJournal> {
    const journal = new ImportJournal(path)
    const first = `${JSON.stringify({ state })}\n`
    const before = `${path}.before`
    if (!existsSync(path) || (await firstLine(path)) !== first.trimEnd()) {
      writeFileSync(path, first)
      return journal
    }
    for await (const { through, counts } of entriesOf(path))
      if (typeof through === 'number') {
        journal.#through = through
        Object.assign(journal.counts, counts)
      }
    // What was rejected behind that is done again, and may end otherwise.
    renameSync(path, before)
    writeFileSync(path, first)
    for await (const entry of entriesOf(before))
      if (typeof entry.number === 'number' && entry.number <= journal.#through)
        appendFileSync(path, `${JSON.stringify(entry)}\n`)
    journal.write()
    rmSync(before)
    return journal
  }

  get through(): number {
    return this.#through
  }

  /** Notes how the next one ended; rejected rows are on disk before it counts as done. */
  done(number: number, counts: Partial<Counts>, rejected?: Rejected): void {
    if (rejected !== undefined) appendFileSync(this.#path, `${JSON.stringify(rejected)}\n`)
    this.#beyond.set(number, counts)
    for (let next = this.#beyond.get(this.#through + 1); next !== undefined; ) {
      this.#beyond.delete(++this.#through)
      for (const [name, count] of Object.entries(next)) this.counts[name as Count] += count
      this.#unwritten++
      next = this.#beyond.get(this.#through + 1)
    }
    if (this.#unwritten >= everyMax) this.write()
  }

  write(): void {
    this.#unwritten = 0
    appendFileSync(this.#path, `${JSON.stringify({ through: this.#through, counts: this.counts })}\n`)
  }

  /** Every rejected one, in the order in which they were noted. */
  async *rejected(): AsyncGenerator<Rejected> {
    for await (const entry of entriesOf(this.#path))
      if (typeof entry.number === 'number') yield entry as unknown as Rejected
  }

  remove(): void {
    rmSync(this.#path, { force: true })
  }
}

const linesOf = (path: string) =>
  createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })

async function firstLine(path: string): Promise<string | undefined> {
  for await (const line of linesOf(path)) return line
  return undefined
}

/** The entries of a journal; a line that was torn when the power went is none. */
async function* entriesOf(path: string): AsyncGenerator<Record<string, unknown>> {
  for await (const line of linesOf(path)) {
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      continue
    }
    if (typeof value === 'object' && value !== null) yield value as Record<string, unknown>
  }
}
