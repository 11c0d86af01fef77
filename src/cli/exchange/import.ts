// `lotkeeper import FILE…`: runs the import with a file on disk, a terminal, and a journal beside
// the file.

import { setMaxListeners } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Client } from '../../client/client.ts'
import { ProblemError, UnreachableError } from '../../client/failure.ts'
import { recordCalls } from '../../client/record-calls.ts'
import { lotNumberRequiredFromDefault } from '../../contract/product-line.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import { recordCheck } from '../../intake/check-record.ts'
import { partnerDocumentOf } from '../../intake/file-form.ts'
import { causeInWords, FindingCauses } from '../../intake/finding-causes.ts'
import {
  type Ended,
  type ImportCounts,
  type ImportEnd,
  type Progress as ImportProgress,
  ImportRun,
} from '../../intake/import-run.ts'
import type { IntakeOptions } from '../../intake/intake.ts'
import type { IntakeRecord, SheetColumns } from '../../intake/intake-record.ts'
import { ExemptReceipts } from '../../intake/layouts/exempt-receipts.ts'
import { mappingText } from '../../intake/mapping.ts'
import { type Removal, type SendOptions, type Sent, sendRecord } from '../../intake/send-record.ts'
import { MasterCompletion } from '../../intake/stored-master.ts'
import type { RuleSettings } from '../../rules/rule.ts'
import { sha256Hex } from '../../sha256.ts'
import { Progress } from '../../terminal/progress.ts'
import { type OpenFile, openFile } from '../base/open-file.ts'
import { closeConnections } from '../base/quick-fetch.ts'
import { askRemoval } from '../base/removal-question.ts'
import { importArchive } from './import-archive.ts'
import { importClient } from './import-client.ts'
import { importEpcis } from './import-epcis.ts'
import { ImportJournal } from './import-journal.ts'
import { importNotices } from './import-notices.ts'
import { dryRunOf, type ImportOptions, readOptions } from './import-options.ts'
import { basisInWords, rateOf, summary } from './import-words.ts'
import { writeRejected } from './rejected-file.ts'
import { isArchive } from './verify.ts'

type End = 'all in' | 'some rejected' | 'called wrongly'
const exitCodes: Readonly<Record<End, number>> = { 'all in': 0, 'some rejected': 1, 'called wrongly': 2 }

/** Most causes of rejections that are listed; `--json` and the file of rejected rows have all. */
const listedMax = 20

export async function importFiles(paths: readonly string[], options: ImportOptions): Promise<undefined> {
  const read = readOptions(paths, options)
  if (typeof read === 'string') {
    process.stderr.write(`lotkeeper: ${read}\n`)
    process.exitCode = exitCodes['called wrongly']
    return
  }
  let worst: End = 'all in'
  for (const path of paths) {
    const end = await importOne(path, options, read)
    if (exitCodes[end] > exitCodes[worst]) worst = end
    if (stopAsked) break
  }
  process.exitCode = exitCodes[worst]
}

let stopAsked = false

async function importOne(path: string, options: ImportOptions, read: IntakeOptions): Promise<End> {
  const file = openFile(path)
  const document = await partnerDocumentOf(file)
  if (options.json && (document !== undefined || (await isArchive(file)))) {
    process.stderr.write(
      `lotkeeper: --json reports on sheets and payloads. ${path} is none: import it without --json.\n`,
    )
    return 'called wrongly'
  }
  if (document === 'epcis') {
    const isIn = await importEpcis({ path, ...options, dryRun: dryRunOf(options) })
    return isIn ? 'all in' : 'some rejected'
  }
  const given = { ...options, path, file, dryRun: options.dryRun !== undefined, stopAsked: () => stopAsked }
  if (document === 'shipNotices')
    return stoppable(async () => ((await importNotices(given)) ? 'all in' : 'some rejected'))
  if (!(await isArchive(file))) return (await FileImport.open(path, options, read)).run()
  return stoppable(async () => ((await importArchive(given)) ? 'all in' : 'some rejected'))
}

/** Runs the work; the first signal asks it to stop. */
async function stoppable(work: () => Promise<End>): Promise<End> {
  const stop = () => {
    stopAsked = true
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  try {
    return await work()
  } finally {
    process.removeListener('SIGINT', stop)
    process.removeListener('SIGTERM', stop)
  }
}

/** A file that is to be imported, and how it is read. */
interface OpenedImport {
  readonly path: string
  readonly file: OpenFile
  readonly journal: ImportJournal
  readonly options: ImportOptions
  readonly read: IntakeOptions
}

class FileImport {
  readonly #path: string
  readonly #options: ImportOptions
  readonly #read: IntakeOptions
  readonly #file: OpenFile
  readonly #client: Client
  readonly #progress = new Progress()
  readonly #journal: ImportJournal
  /** Ends the pauses before retries. */
  readonly #givenUp = new AbortController()
  readonly #dryRun: 'here' | 'service' | undefined
  #run: ImportRun | undefined
  readonly #causes = new FindingCauses()
  readonly #warnings = new FindingCauses()
  readonly #notes: string[] = []
  #suggested = false
  #asking = false

  private constructor({ path, file, journal, options, read }: OpenedImport) {
    this.#path = path
    this.#options = options
    this.#read = read
    this.#file = file
    this.#journal = journal
    this.#dryRun = dryRunOf(options)
    setMaxListeners(0, this.#givenUp.signal)
    this.#client = importClient(options, (text) => {
      this.#run?.slower()
      this.#say(text, 'retry')
    })
  }

  static async open(path: string, options: ImportOptions, read: IntakeOptions): Promise<FileImport> {
    const file = openFile(path)
    const { replace, yes, url, key, lotNumberRequiredFrom } = options
    const asked = JSON.stringify({
      ...read,
      complete: options.complete,
      lotNumberRequiredFrom,
      replace,
      yes,
      url,
      key: key?.split('_')[1],
    })
    const state = `${file.state}, asked ${sha256Hex(asked).slice(0, 16)}`
    const journal = await ImportJournal.open(
      `${path}.import${dryRunOf(options) === undefined ? '' : '-dry-run'}`,
      state,
      basename(path),
    )
    return new FileImport({ path, file, journal, options, read })
  }

  async run(): Promise<End> {
    try {
      return await stoppable(async () => this.#ended(await this.#runOnce()))
    } catch (error) {
      if (!(error instanceof ProblemError || error instanceof UnreachableError)) throw error
      this.#say(`${error.message} The import of ${this.#path} was interrupted. Run the same command again to continue.`)
      return 'some rejected'
    } finally {
      this.#progress.clear()
    }
  }

  async #runOnce(): Promise<ImportEnd> {
    const { through, counts } = this.#journal
    if (through > 0) this.#say(`${this.#path}: ${through} were done before. Continuing after them.`)
    const run = new ImportRun(
      this.#file,
      {
        intake: this.#read,
        settings: await this.#settings(),
        now: Date.now(),
        parallel: this.#options.parallel,
        earlier: { through, again: new Set(), counts },
      },
      {
        send: this.#send(),
        stopAsked: () => stopAsked,
        giveUp: (error) => {
          this.#givenUp.abort(error)
          closeConnections()
        },
        onNote: (text) => {
          this.#notes.push(text)
          this.#say(`${this.#path}: ${text}`)
        },
        master:
          this.#dryRun !== 'here' && this.#options.complete ? new MasterCompletion(this.#calls.stored) : undefined,
        exempt: this.#dryRun === 'here' ? undefined : new ExemptReceipts(this.#calls.exemptPlaces),
        onColumns: (columns, fault) => this.#suggest(columns, fault),
        onEnded: (ended) => this.#take(ended),
        onProgress: (progress) => this.#show(progress),
      },
    )
    this.#run = run
    return run.run()
  }

  /** The settings of the service, unless the command overrides them. */
  async #settings(): Promise<RuleSettings> {
    const { lotNumberRequiredFrom } = this.#options
    if (lotNumberRequiredFrom !== undefined) return { lotNumberRequiredFrom }
    if (this.#dryRun === 'here') return { lotNumberRequiredFrom: lotNumberRequiredFromDefault }
    return (await this.#client.readSettings({ signal: this.#givenUp.signal })).body
  }

  get #calls() {
    return recordCalls(this.#client, {
      signal: this.#givenUp.signal,
      sha256: sha256Hex,
    })
  }

  /** Sends a record, or asks the service for its result. */
  #send(): ((record: IntakeRecord) => Promise<Sent>) | undefined {
    const [calls, options] = [this.#calls, this.#sendOptions]
    if (this.#dryRun === 'service') return recordCheck(calls, options)
    return this.#dryRun === 'here' ? undefined : (record) => sendRecord(calls, record, { ...options, dryRun: false })
  }

  get #sendOptions(): Omit<SendOptions, 'dryRun'> {
    return {
      replace: this.#options.replace,
      mayRemove: (removal) => this.#mayRemove(removal),
      remedies: {
        replace: 'With --replace it becomes the next version.',
        remove: 'Add the lines to the file, or allow their removal with --replace --yes.',
      },
    }
  }

  async #mayRemove(removal: Removal): Promise<boolean> {
    if (this.#options.yes) return true
    if (this.#dryRun !== undefined) return false
    this.#progress.clear()
    this.#asking = true
    try {
      return await askRemoval(removal, this.#path)
    } finally {
      this.#asking = false
    }
  }

  #take(ended: Ended): void {
    this.#journal.done(ended)
    if (ended.rejected !== undefined) this.#causes.add(ended.rejected)
    if (ended.warned !== undefined) this.#warnings.add(ended.warned)
  }

  /** Rejections, and warnings of accepted records, by cause. */
  #listCauses(): void {
    this.#list(this.#causes, '', 'The file of rejected rows has the reason of each row.')
    this.#list(this.#warnings, 'warning: ', '--json lists more of them.')
  }

  #list({ all }: FindingCauses, mark: string, where: string): void {
    for (const cause of all.slice(0, listedMax)) process.stdout.write(`${this.#path}: ${mark}${causeInWords(cause)}\n`)
    const more = all.length - listedMax
    if (more > 0)
      process.stdout.write(`${this.#path}: ${mark}${pluralize(more, 'further cause')} not listed here. ${where}\n`)
  }

  /** The end of the import for programs: one line. */
  #writeJson(end: ImportEnd, counts: ImportCounts, rejectedFile: string | undefined): void {
    const { is, whole } = end
    const listOf = ({ all }: FindingCauses) => all.map(({ isRow: _, key: __, ...cause }) => cause)
    const report = {
      file: this.#path,
      end: is,
      whole,
      counts,
      causes: listOf(this.#causes),
      otherFindings: this.#causes.others,
      warnings: listOf(this.#warnings),
      otherWarnings: this.#warnings.others,
      notes: this.#notes,
      rejectedFile,
    }
    process.stdout.write(`${JSON.stringify(report)}\n`)
  }

  #show({ is, part, rows, of, counts, skipped }: ImportProgress): void {
    const rejected = counts.rejected > 0 ? ` · ${counts.rejected.toLocaleString('en')} rejected` : ''
    if (this.#asking) return
    if (is === 'reading') this.#progress.show(part, { done: rows, unit: 'rows read' })
    else this.#progress.show(part, { done: rows, of, unit: 'rows', earlier: skipped, more: rejected })
  }

  async #ended(end: ImportEnd): Promise<End> {
    this.#progress.clear()
    this.#journal.write()
    const { json = false } = this.#options
    if (!json) this.#listCauses()
    if (end.is !== 'done') {
      if (json) this.#writeJson(end, end.counts, undefined)
      return this.#endedEarly(end)
    }
    const { counts } = this.#journal
    const isWritten = this.#journal.anyRejected && this.#dryRun === undefined
    const rejectedFile = isWritten ? await writeRejected(this.#path, this.#journal) : undefined
    if (json) this.#writeJson(end, counts, rejectedFile)
    else {
      process.stdout.write(`${this.#path}: ${summary(counts)}${rateOf(counts, this.#progress.seconds)}\n`)
      if (isWritten) process.stdout.write(`Rejected rows with their reasons: ${rejectedFile}\n`)
      if (this.#options.dryRun === true && this.#dryRun === 'here')
        this.#say('Checked here only. With a key, the service also says what is stored already.')
    }
    this.#journal.remove()
    return counts.rejected === 0 && end.whole ? 'all in' : 'some rejected'
  }

  #endedEarly({ is, error, counts, of, rows }: ImportEnd): End {
    const left = of === undefined ? '' : ` ${(of - rows).toLocaleString('en')} rows were not sent.`
    if (is === 'stopped')
      this.#say(`${this.#path}: stopped. ${summary(counts)}${left} Run the same command again to continue.`)
    else if (error instanceof ProblemError || error instanceof UnreachableError)
      this.#say(
        `${error.message} The import of ${this.#path} was interrupted. Run the same command again to continue. ${summary(counts)}${left}`,
      )
    else throw error
    return 'some rejected'
  }

  /** Writes a suggested mapping, where the file named for it does not exist. */
  #suggest({ columns, kind }: SheetColumns, fault: string | undefined): void {
    const { mapping } = this.#options
    if (fault !== undefined) this.#say(`${this.#path}: ${fault}`)
    if (fault === undefined || this.#suggested) return
    this.#suggested = true
    for (const { title, column, basis } of columns)
      this.#say(`  ${title}: ${column === null ? 'left out' : column}${basisInWords(basis)}`)
    if (mapping !== undefined && !existsSync(mapping)) {
      const draft = Object.fromEntries(columns.map(({ title, column }) => [title, column]))
      writeFileSync(mapping, mappingText({ kind, columns: draft }))
      this.#say(`A draft mapping is in ${mapping}. Check it, and run the same command again.`)
    } else if (mapping === undefined) this.#say('--mapping mapping.json writes a draft mapping there.')
    this.#say('--set COLUMN=VALUE gives all rows one value for a column, e.g. --set vendorItemCode=ROM-24.')
  }

  #saidOf = new Set<string>()
  /** One line on stderr; of each `once`, only the first. */
  #say(text: string, once?: string): void {
    if (once !== undefined && this.#saidOf.has(once)) return
    if (once !== undefined) this.#saidOf.add(once)
    this.#progress.clear()
    process.stderr.write(`${text}\n`)
  }
}
