// `lotkeeper import FILE…`: reads files, judges here, sends what may pass, and writes what may not into a file to correct.

import { createHash } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type Client, lotkeeper } from '../client/client.ts'
import { ProblemError, UnreachableError } from '../client/failure.ts'
import { type IntakeOptions, readIntake } from '../intake/intake.ts'
import type { Intake, IntakeRecord, PlacedFinding, RowsOfSheet } from '../intake/intake-record.ts'
import { judgeRecord } from '../intake/judge-record.ts'
import type { Line } from '../intake/lines.ts'
import { isColumn, mappingText, readMapping, unknownColumn } from '../intake/mapping.ts'
import { columnLetters } from '../intake/sheet.ts'
import { importArchive } from './import-archive.ts'
import { type Counts, ImportJournal, type Rejected } from './import-journal.ts'
import { InFlight } from './in-flight.ts'
import { type OpenFile, openFile } from './open-file.ts'
import { Progress } from './progress.ts'
import { closeConnections, quickFetch } from './quick-fetch.ts'
import { writeRejected } from './rejected-rows.ts'
import { withoutEndSlashes } from './remote.ts'
import { sendRecord } from './send-record.ts'
import { isArchive } from './verify.ts'

export interface ImportOptions {
  readonly url: string
  readonly key?: string
  readonly dryRun?: 'here' | 'service' | true
  readonly replace: boolean
  readonly mapping?: string
  readonly set: readonly string[]
  readonly dates: 'mdy' | 'dmy'
  readonly utcOffset?: string
  readonly time: string
  readonly restoreZeros: boolean
  readonly parallel: number
  readonly lotNumberRequiredFrom: string
}

type End = 'all in' | 'some rejected' | 'called wrongly'
const exitCodes: Readonly<Record<End, number>> = { 'all in': 0, 'some rejected': 1, 'called wrongly': 2 }

/** Patient: a service that asks to come back later is asked again, the pauses growing to half a minute. */
const retriesMax = 40

/** Rejected records listed on a terminal; elsewhere all are. */
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
  if (!(await isArchive(file))) return (await FileImport.open(path, options, read)).run()
  const { url, key = '', dryRun } = options
  const given = { path, file, url, key, dryRun: dryRun !== undefined, retries: retriesMax, stopAsked: () => stopAsked }
  return stoppable(async () => ((await importArchive(given)) ? 'all in' : 'some rejected'))
}

/** Runs the work; a first signal asks it to stop. */
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

/** What intake is to know, or what is wrong with how the command was called. */
function readOptions(paths: readonly string[], options: ImportOptions): IntakeOptions | string {
  const missing = paths.find((path) => !existsSync(path))
  if (missing !== undefined) return `There is no file ${missing}.`
  if (options.dryRun !== true && options.dryRun !== 'here' && !options.key)
    return 'There is no key: set LOTKEEPER_KEY, or give --key. With --dry-run none is needed.'
  const defaults: Record<string, string> = {}
  for (const one of options.set) {
    const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(one) ?? []
    if (name === undefined || value === undefined) return `--set is ${one}; it has to be column=value.`
    if (!isColumn(name)) return `--set names ${unknownColumn(name)}`
    defaults[name] = value
  }
  // One that is not there yet is written, as a suggestion.
  const path = options.mapping
  const mapping =
    path !== undefined && existsSync(path) ? readMapping(readFileSync(path, 'utf8'), `The mapping ${path}`) : undefined
  if (typeof mapping === 'string') return mapping
  return {
    mapping,
    defaults,
    dates: options.dates,
    utcOffset: options.utcOffset,
    timeOfDay: options.time,
    restoreZeros: options.restoreZeros,
  }
}

type Item = Extract<Intake, { is: 'record' | 'fault' }>

const dryRunOf = ({ dryRun }: ImportOptions): 'here' | 'service' | undefined => (dryRun === true ? 'here' : dryRun)

class FileImport {
  readonly #path: string
  readonly #options: ImportOptions
  readonly #read: IntakeOptions
  readonly #file: OpenFile
  readonly #client: Client
  readonly #inFlight: InFlight
  readonly #progress = new Progress()
  readonly #journal: ImportJournal
  /** Ends the pauses of calls that wait to be sent again. */
  readonly #givenUp = new AbortController()
  readonly #dryRun: 'here' | 'service' | undefined
  #listed = 0
  #suggested = false

  private constructor(
    path: string,
    file: OpenFile,
    journal: ImportJournal,
    options: ImportOptions,
    read: IntakeOptions,
  ) {
    this.#path = path
    this.#options = options
    this.#read = read
    this.#file = file
    this.#journal = journal
    this.#dryRun = dryRunOf(options)
    this.#inFlight = new InFlight(options.parallel)
    setMaxListeners(0, this.#givenUp.signal)
    this.#client = lotkeeper({
      url: withoutEndSlashes(options.url),
      key: options.key ?? '',
      retries: retriesMax,
      fetch: quickFetch,
      onRetry: (_pauseMs, why) => {
        this.#inFlight.slower()
        this.#say(`${why.message} It is tried again.`, 'retry')
      },
    })
  }

  static async open(path: string, options: ImportOptions, read: IntakeOptions): Promise<FileImport> {
    const file = openFile(path)
    const { replace, url, key } = options
    const asked = JSON.stringify({
      ...read,
      lotNumberRequiredFrom: options.lotNumberRequiredFrom,
      replace,
      url,
      key: key?.split('_')[1],
    })
    const state = `${file.state}, asked ${createHash('sha256').update(asked).digest('hex').slice(0, 16)}`
    const journal = await ImportJournal.open(
      `${path}.import${dryRunOf(options) === undefined ? '' : '-dry-run'}`,
      state,
    )
    return new FileImport(path, file, journal, options, read)
  }

  async run(): Promise<End> {
    try {
      return await stoppable(() => this.#run())
    } catch (error) {
      const known = error instanceof ProblemError || error instanceof UnreachableError
      this.#givenUp.abort(error)
      closeConnections()
      if (!known) throw error
      this.#journal.write()
      this.#say(`${error.message} The import of ${this.#path} is broken off; run the same command again to go on.`)
      return 'some rejected'
    } finally {
      this.#progress.clear()
    }
  }

  async #run(): Promise<End> {
    const earlier = this.#journal.through
    const earlierLines = this.#journal.counts.lines
    if (earlier > 0) this.#say(`${this.#path}: ${earlier} were done before; going on behind them.`)
    let number = 0
    let kind: string | undefined
    let whole = true
    let found = false
    for await (const one of readIntake(this.#file, this.#read)) {
      if (stopAsked) break
      if (one.is === 'note') {
        this.#say(`${this.#path}: ${one.text}`)
        continue
      }
      if (one.is === 'unreadable') {
        this.#say(`${this.#path}: ${one.text}${found ? ' What came before was read.' : ''}`)
        whole = false
        continue
      }
      if (one.is === 'surveying' || one.is === 'surveyed') continue
      found ||= one.is === 'record'
      if (++number <= earlier) continue
      // Events refer to the locations and products before them.
      if (one.is === 'record' && one.kind.name !== kind) {
        await this.#inFlight.settled()
        kind = one.kind.name
      }
      await this.#take(one, number)
      const { lines, rejected } = this.#journal.counts
      this.#progress.show(
        this.#file.read(),
        lines,
        'lines',
        earlierLines,
        rejected > 0 ? ` · ${rejected} rejected` : '',
      )
    }
    await this.#inFlight.settled()
    return this.#end(whole)
  }

  async #take(one: Item, number: number): Promise<void> {
    if (one.is === 'fault') {
      this.#say(`${this.#path}: ${one.text}`)
      if (one.suggestion !== undefined) this.#suggest(one.suggestion)
      this.#journal.done(number, { rejected: 1 }, one.from && rejectedOf(number, one.from, [], one.text))
      return
    }
    const verdict = judgeRecord(one, {
      lotNumberRequiredFrom: this.#options.lotNumberRequiredFrom,
    })
    const found = {
      lines: one.lines,
      warnings: verdict.findings.filter(({ severity }) => severity === 'warning').length,
      gaps: verdict.findings.filter(({ severity }) => severity === 'gap').length,
    }
    if (verdict.refused) return this.#reject(one, number, verdict.findings)
    if (this.#dryRun === 'here') return this.#journal.done(number, { judged: 1, ...found })
    await this.#inFlight.start(async () => {
      const sent = await sendRecord(this.#client, one, {
        replace: this.#options.replace,
        dryRun: this.#dryRun === 'service',
        signal: this.#givenUp.signal,
      })
      if (sent.is === 'rejected') this.#reject(one, number, [...sent.findings, ...verdict.findings.filter(isDoubt)])
      else this.#journal.done(number, { [sent.is]: 1, ...found })
    })
  }

  #reject(record: IntakeRecord, number: number, findings: readonly PlacedFinding[]): void {
    const shown = findings.filter((finding) => finding.severity === 'error' || isDoubt(finding))
    this.#journal.done(number, { rejected: 1, lines: record.lines }, rejectedOf(number, record.from, shown))
    if (process.stdout.isTTY && this.#listed++ >= listedMax) return
    this.#progress.clear()
    for (const finding of shown) process.stdout.write(`${this.#path}: ${inWords(finding, record.from)}\n`)
    if (process.stdout.isTTY && this.#listed === listedMax)
      process.stdout.write('More are not listed here; all are in the file of rejected rows.\n')
  }

  async #end(whole: boolean): Promise<End> {
    this.#progress.clear()
    const { counts } = this.#journal
    if (stopAsked) {
      this.#journal.write()
      this.#say(`${this.#path}: stopped. ${summary(counts)} Run the same command again to go on.`)
      return 'some rejected'
    }
    this.#journal.write()
    const rate = Math.round(counts.lines / Math.max(this.#progress.seconds, 0.001)).toLocaleString('en')
    process.stdout.write(`${this.#path}: ${summary(counts)} ${rate} lines/s.\n`)
    if (counts.rejected > 0) {
      if (this.#dryRun === undefined) {
        const rows = await anyOf(this.#journal.rejected())
        if (rows)
          process.stdout.write(`Rejected rows with their reasons: ${await writeRejected(this.#path, this.#journal)}\n`)
      }
    }
    this.#journal.remove()
    return counts.rejected === 0 && whole ? 'all in' : 'some rejected'
  }

  /** Writes what a mapping could be, where one was asked for and is not there. */
  #suggest(columns: Readonly<Record<string, string | null>>): void {
    const { mapping } = this.#options
    if (this.#suggested) return
    this.#suggested = true
    const text = mappingText({ columns })
    if (mapping !== undefined && !existsSync(mapping)) {
      writeFileSync(mapping, text)
      this.#say(`A mapping to begin with is in ${mapping}: check it, and run the same command again.`)
    } else if (mapping === undefined) this.#say('With --mapping mapping.json a mapping to begin with is written there.')
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

/** A doubt of the reading belongs to the reasons: what a spreadsheet did to a code is why the service refuses it. */
const isDoubt = ({ severity, rule }: PlacedFinding): boolean => severity === 'warning' && rule === undefined

async function anyOf(many: AsyncIterable<unknown>): Promise<boolean> {
  for await (const _ of many) return true
  return false
}

function inWords({ row, column, message, remedy }: PlacedFinding, from: RowsOfSheet | Line): string {
  const at = 'headings' in from && column !== undefined ? from.headings.indexOf(column) : -1
  const where =
    column === undefined || column === '' ? '' : `, ${at >= 0 ? `column ${columnLetters(at)} ` : ''}${column}`
  return `${'headings' in from ? 'row' : 'line'} ${row}${where}: ${message}${remedy === undefined ? '' : ` ${remedy}`}`
}

const reasonLengthMax = 2_000

function rejectedOf(
  number: number,
  from: RowsOfSheet | Line,
  findings: readonly PlacedFinding[],
  otherwise = '',
): Rejected {
  const cut = (text: string) => (text.length > reasonLengthMax ? `${text.slice(0, reasonLengthMax)}…` : text)
  if ('text' in from)
    return {
      number,
      line: from.text,
      reason: cut(findings.length > 0 ? findings.map((finding) => inWords(finding, from)).join(' ') : otherwise),
    }
  const reasons = new Map<number, string[]>()
  for (const finding of findings) {
    const { column, message, remedy } = finding
    const list = reasons.get(finding.row) ?? []
    reasons.set(finding.row, list)
    list.push(`${column ? `${column}: ` : ''}${message}${remedy === undefined ? '' : ` ${remedy}`}`)
  }
  return {
    number,
    sheet: from.sheet,
    headings: from.headings,
    rows: from.rows.map((row) => ({
      cells: from.headings.map((_, at) => row.cells[at]?.text ?? ''),
      reason: cut(
        reasons.get(row.number)?.join(' ') ?? 'Another row of the same event was rejected; an event is imported whole.',
      ),
    })),
  }
}

function summary({ created, replaced, unchanged, judged, rejected, lines, warnings, gaps }: Counts): string {
  const parts = [
    [judged, 'would be taken'],
    [created, 'created'],
    [replaced, 'replaced'],
    [unchanged, 'there already'],
    [rejected, 'rejected'],
  ] as const
  const said = parts.filter(([count]) => count > 0).map(([count, what]) => `${count.toLocaleString('en')} ${what}`)
  const found = warnings + gaps > 0 ? ` ${warnings} warnings, ${gaps} gaps.` : ''
  return `${said.length > 0 ? said.join(', ') : 'nothing'}; ${lines.toLocaleString('en')} product lines.${found}`
}
