// The journal of an import, beside its file, from which an interrupted import continues. It only
// saves repeated work, and keeps rejected rows until they are written: the keys of the records
// prevent duplicates.
import { appendFileSync, createReadStream, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { addCounts, type Ended, type ImportCounts, noCounts } from '../../intake/import-run.ts'
import { type RejectedEntry, rejectedEntry } from '../../intake/rejected-rows.ts'

/** Number of records after which progress is saved. */
const everyMax = 200

export class ImportJournal {
  readonly #path: string
  /** Name of the imported file. */
  readonly #file: string
  /** All records up to this number are finished. */
  #through = 0
  #counts: ImportCounts = noCounts
  #anyRejected = false
  #unwritten = 0

  private constructor(path: string, file: string) {
    this.#path = path
    this.#file = file
  }

  /** Opens the journal for this state of the file, or creates one. */
  static async open(path: string, state: string, file: string): Promise<ImportJournal> {
    const journal = new ImportJournal(path, file)
    const first = `${JSON.stringify({ state })}\n`
    const before = `${path}.before`
    if (!existsSync(path) || (await firstLine(path)) !== first.trimEnd()) {
      writeFileSync(path, first)
      return journal
    }
    for await (const { through, counts } of entriesOf(path))
      if (typeof through === 'number') {
        journal.#through = through
        journal.#counts = { ...noCounts, ...(counts as ImportCounts) }
      }
    // Rejected records after that are sent again, and may end otherwise.
    renameSync(path, before)
    writeFileSync(path, first)
    for await (const entry of entriesOf(before))
      if (typeof entry.number === 'number' && entry.number <= journal.#through) {
        appendFileSync(path, `${JSON.stringify(entry)}\n`)
        journal.#anyRejected = true
      }
    journal.write()
    rmSync(before)
    return journal
  }

  get through(): number {
    return this.#through
  }

  /** The finished part of the import. */
  get counts(): ImportCounts {
    return this.#counts
  }

  get anyRejected(): boolean {
    return this.#anyRejected
  }

  /**
   * Records the outcome of the next record; a rejected one is on disk before it counts as finished.
   */
  done({ number, counts, rejected }: Ended): void {
    if (rejected !== undefined) {
      appendFileSync(this.#path, `${JSON.stringify({ number, ...rejectedEntry(rejected, this.#file) })}\n`)
      this.#anyRejected = true
    }
    this.#through = number
    this.#counts = addCounts(this.#counts, counts)
    if (++this.#unwritten >= everyMax) this.write()
  }

  write(): void {
    this.#unwritten = 0
    appendFileSync(this.#path, `${JSON.stringify({ through: this.#through, counts: this.#counts })}\n`)
  }

  /** Everything that was rejected, in the order of the file. */
  async *rejected(): AsyncGenerator<RejectedEntry> {
    for await (const entry of entriesOf(this.#path))
      if (typeof entry.number === 'number') yield entry as unknown as RejectedEntry
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

/** The entries of a journal, without a line that a power failure cut off. */
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
