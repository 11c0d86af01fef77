// The import: reads a file, validates and sends its records, counts, and reports rejections. The
// command line and the console share it. File system, network and clock are parameters. Source:
// decision 0047.

import type { ImportFile } from 'lotkeeper-sheets/import-file'
import { ofEventKinds, type RecordKindName } from '../contract/record-kinds.ts'
import type { RuleSettings } from '../rules/rule.ts'
import { InFlight } from './in-flight.ts'
import { type IntakeOptions, readIntake } from './intake.ts'
import type { Intake, IntakeRecord, PlacedFinding, RowsOfSheet, SheetColumns } from './intake-record.ts'
import { judgeRecord } from './judge-record.ts'
import type { ExemptReceipts } from './layouts/exempt-receipts.ts'
import type { Line } from './lines.ts'
import { recordNames } from './record-name.ts'
import type { Sent } from './send-record.ts'
import type { MasterCompletion } from './stored-master.ts'

/** The results of the records of a file. */
export type ImportCounts = Readonly<Record<CountName, number>>
type CountName =
  | 'created'
  | 'replaced'
  /** Stored before, with the same content. */
  | 'unchanged'
  /** Valid, and not sent. */
  | 'judged'
  /** Those of them that would replace a stored version. */
  | 'toReplace'
  | 'rejected'
  /** Rows of events that do not say of which event they are. */
  | 'loose'
  /** Product lines of all events that were read. */
  | 'lines'
  | 'warnings'
  | 'gaps'
  | RecordKindName

export const noCounts: ImportCounts = {
  created: 0,
  replaced: 0,
  unchanged: 0,
  judged: 0,
  toReplace: 0,
  rejected: 0,
  loose: 0,
  lines: 0,
  warnings: 0,
  gaps: 0,
  ...ofEventKinds(() => 0),
  masterProduct: 0,
  location: 0,
}

export const addCounts = (counts: ImportCounts, more: Partial<ImportCounts>): ImportCounts => ({
  ...counts,
  ...Object.fromEntries(Object.entries(more).map(([name, count]) => [name, counts[name as CountName] + count])),
})

/** The findings in a record or line of the file. */
export interface Found {
  /** Its noun; undefined for a line that is no payload, unless the file states it. */
  readonly kind?: RecordKindName | undefined
  readonly from: RowsOfSheet | Line
  readonly findings: readonly PlacedFinding[]
}

/** A record or line that was not taken, and why. */
export interface Rejection extends Found {
  /** The stored record that has the same key. */
  readonly heldBy?: { readonly kind: RecordKindName; readonly id: string }
}

/** The outcome of one record, or of a line that is none. */
export interface Ended {
  /** In the order of the file, counted from 1. */
  readonly number: number
  /** Its share of the counts. */
  readonly counts: Partial<ImportCounts>
  /** Set when it is stored, or would replace a stored record. */
  readonly stored?: {
    readonly is: 'created' | 'replaced' | 'unchanged' | 'toReplace'
    readonly kind: RecordKindName
    readonly ids: readonly string[]
    /** The words for each. */
    readonly names: readonly string[]
    /** First row or line. */
    readonly row: number
    readonly gaps: number
  }
  readonly rejected?: Rejection
  /** Warnings of a record that was taken. */
  readonly warned?: Found
}

export interface Progress {
  /** The first pass only finds out which rows belong together. */
  readonly is: 'reading' | 'importing'
  /** 0 to 1: the share of the bytes in the first pass, of the rows in the second. */
  readonly part: number
  /** Rows or lines read in the first pass, or finished in the second. */
  readonly rows: number
  /** Those that an earlier run finished. */
  readonly skipped: number
  /** The total; undefined during the first pass. */
  readonly of: number | undefined
  readonly counts: ImportCounts
}

export interface ImportOptions {
  readonly intake: IntakeOptions
  /** Those of the service. */
  readonly settings: RuleSettings
  /** When the import began: which dates cannot be. */
  readonly now: number
  /** Most records in flight at once. */
  readonly parallel: number
  /** The records that an earlier run of the same file finished. */
  readonly earlier?: {
    /** All records up to this number are finished, */
    readonly through: number
    /** except these, which are sent again. */
    readonly again: ReadonlySet<number>
    readonly counts: ImportCounts
    /** True for a record of these rows that is finished, whatever its number. */
    readonly isFinished?: ((from: RowsOfSheet | Line) => boolean) | undefined
  }
}

export interface ImportWork {
  /** Sends a valid record. Without it, the file is only validated. */
  readonly send?: ((record: IntakeRecord) => Promise<Sent>) | undefined
  /** Completes events whose sheet has codes only. */
  readonly master?: MasterCompletion | undefined
  /** Compares sources of FDA's sheet Receiving From Exempt with those that are declared. */
  readonly exempt?: ExemptReceipts | undefined
  readonly stopAsked: () => boolean
  /** Called when the import fails: requests in flight may be cancelled. */
  readonly giveUp?: (error: unknown) => void
  readonly onNote: (text: string) => void
  /**
   * Called for each sheet that needs a mapping of its columns, and if it is not imported with the
   * reason.
   */
  readonly onColumns: (columns: SheetColumns, fault?: string) => void
  /** Called in the order of the file. */
  readonly onEnded: (ended: Ended) => void
  /** Awaited, so that a page can be drawn meanwhile. */
  readonly onProgress: (progress: Progress) => void | Promise<void>
}

export interface ImportEnd {
  readonly is: 'done' | 'stopped' | 'failed'
  /** Why it failed. */
  readonly error?: unknown
  readonly counts: ImportCounts
  /** False when a part of the file, or all of it, could not be read. */
  readonly whole: boolean
  readonly rows: number
  readonly of: number | undefined
}

/** Most records that may finish before an earlier one does: their outcomes are kept in memory. */
const aheadMax = 2_000

export class ImportRun {
  readonly #file: ImportFile
  readonly #options: ImportOptions
  readonly #work: ImportWork
  readonly #inFlight: InFlight
  #counts: ImportCounts
  #position = 0
  #whole = true
  #rows = 0
  #skipped = 0
  #surveyed = 0
  #of: number | undefined
  /** Records that were started, and records whose outcome was reported. */
  #started = 0
  #told = 0
  readonly #ahead = new Map<number, Ended>()

  constructor(file: ImportFile, options: ImportOptions, work: ImportWork) {
    this.#file = file
    this.#options = options
    this.#work = work
    this.#counts = options.earlier?.counts ?? noCounts
    this.#inFlight = new InFlight(options.parallel)
  }

  async run(): Promise<ImportEnd> {
    let is: ImportEnd['is'] = 'done'
    let error: unknown
    try {
      if (await this.#readAll()) is = 'stopped'
      const { master, exempt } = this.#work
      for (const line of [...(master?.lines() ?? []), ...(exempt?.lines() ?? [])]) this.#work.onNote(line)
      await this.#inFlight.settled()
    } catch (failure) {
      is = 'failed'
      error = failure
      this.#work.giveUp?.(failure)
      await this.#inFlight.drained()
    }
    return {
      is,
      ...(is === 'failed' && { error }),
      counts: this.#counts,
      whole: this.#whole,
      rows: is === 'done' ? (this.#of ?? this.#rows) : this.#rows,
      of: this.#of,
    }
  }

  /** Fewer requests at once: the service is busy. */
  slower(): void {
    this.#inFlight.slower()
  }

  /** True when it was asked to stop. */
  async #readAll(): Promise<boolean> {
    const { intake } = this.#options
    let number = 0
    let kind: RecordKindName | undefined
    for await (const one of readIntake(this.#watched(), intake)) {
      if (this.#work.stopAsked()) return true
      if (one.is === 'note') this.#work.onNote(one.text)
      else if (one.is === 'unreadable') {
        this.#work.onNote(one.text)
        this.#whole = false
      } else if (one.is === 'surveying' || one.is === 'surveyed') {
        this.#surveyed = one.rows
        if (one.is === 'surveyed') this.#of = one.rows
      } else if (one.is === 'fault' && one.from === undefined) {
        this.#whole = false
        if (one.columns === undefined) this.#work.onNote(one.text)
        else this.#work.onColumns(one.columns, one.text)
      } else if (one.is === 'columns') this.#work.onColumns(one)
      else {
        number++
        if (this.#isFinished(one, number)) {
          this.#rows += rowsIn(one)
          this.#skipped += rowsIn(one)
        } else {
          // Events refer to the locations and products before them.
          if (one.is === 'record' && one.kind.name !== kind) await this.#inFlight.settled()
          if (one.is === 'record') kind = one.kind.name
          await this.#take(one, number)
        }
      }
      await this.#report()
    }
    return false
  }

  #isFinished({ from }: Extract<Intake, { is: 'record' | 'fault' }>, number: number): boolean {
    const { through = 0, again, isFinished } = this.#options.earlier ?? {}
    if (number <= through && !again?.has(number)) return true
    return from !== undefined && isFinished?.(from) === true
  }

  async #take(read: Extract<Intake, { is: 'record' | 'fault' }>, number: number): Promise<void> {
    const { master } = this.#work
    const one = read.is === 'record' && master !== undefined ? await master.complete(read) : read
    const order = this.#started++
    while (order - this.#told > aheadMax) await this.#inFlight.next()
    const rows = rowsIn(one)
    if (one.is === 'fault') {
      const from = one.from as Line
      const findings = [{ severity: 'error' as const, row: from.number, message: one.text }]
      return this.#end(order, rows, { number, counts: { rejected: 1 }, rejected: { kind: one.kind, from, findings } })
    }
    const { findings, refused } = judgeRecord(one, this.#options.settings, this.#options.now)
    const { part } = one
    const counted = part === 'loose' ? { loose: rows } : { [one.kind.name]: part ? 0 : 1, lines: one.lines }
    const rejected = (reasons: readonly PlacedFinding[], heldBy?: string): Ended => ({
      number,
      counts: { ...counted, rejected: part === 'continued' ? 0 : 1 },
      rejected: {
        kind: one.kind.name,
        from: one.from,
        findings: reasons.filter((finding) => finding.severity === 'error' || isDoubt(finding)),
        ...(heldBy !== undefined && { heldBy: { kind: one.kind.name, id: heldBy } }),
      },
    })
    if (refused) return this.#end(order, rows, rejected(findings))
    await this.#work.exempt?.take(one)
    const warnings = findings.filter(({ severity }) => severity === 'warning')
    const gaps = findings.filter(({ severity }) => severity === 'gap')
    const found = { ...counted, warnings: warnings.length, gaps: gaps.length }
    const warned = warnings.length > 0 && { warned: { kind: one.kind.name, from: one.from, findings: warnings } }
    const { send } = this.#work
    if (send === undefined) return this.#end(order, rows, { number, counts: { ...found, judged: 1 }, ...warned })
    await this.#inFlight.start(async () => {
      const sent = await send(one)
      if (sent.is === 'rejected')
        return this.#end(order, rows, rejected([...sent.findings, ...findings.filter(isDoubt)], sent.heldBy))
      const isReplacing = sent.is === 'judged' && sent.wouldBe === 'replaced'
      this.#end(order, rows, {
        number,
        counts: { ...found, [sent.is]: 1, toReplace: isReplacing ? 1 : 0 },
        ...warned,
        ...('ids' in sent && {
          stored: {
            is: sent.is === 'judged' ? 'toReplace' : sent.is,
            kind: one.kind.name,
            ids: sent.ids,
            names: recordNames(one.kind, one.payload),
            row: firstRow(one.from),
            gaps: found.gaps,
          },
        }),
      })
      await this.#report()
    })
  }

  #end(order: number, rows: number, ended: Ended): void {
    this.#counts = addCounts(this.#counts, ended.counts)
    this.#rows += rows
    this.#ahead.set(order, ended)
    for (let next = this.#ahead.get(this.#told); next !== undefined; next = this.#ahead.get(this.#told)) {
      this.#ahead.delete(this.#told++)
      this.#work.onEnded(next)
    }
  }

  #report(): void | Promise<void> {
    const { size } = this.#file
    const [rows, of] = [this.#rows, this.#of]
    return this.#work.onProgress({
      is: of === undefined ? 'reading' : 'importing',
      part: of === undefined ? (size === 0 ? 1 : Math.min(1, this.#position / size)) : of === 0 ? 1 : rows / of,
      rows: of === undefined ? this.#surveyed : rows,
      skipped: this.#skipped,
      of,
      counts: this.#counts,
    })
  }

  /** The file, which counts the bytes read from it. */
  #watched(): ImportFile {
    const { name, size, bytes } = this.#file
    const run = this
    return {
      name,
      size,
      bytes: async function* (start, end) {
        run.#position = start
        for await (const part of bytes(start, end)) {
          run.#position += part.length
          yield part
        }
      },
    }
  }
}

const rowsIn = (one: Extract<Intake, { is: 'record' | 'fault' }>): number =>
  one.from !== undefined && 'rows' in one.from ? one.from.rows.length : 1

const firstRow = (from: RowsOfSheet | Line): number => ('rows' in from ? (from.rows[0]?.number ?? 0) : from.number)

/**
 * A warning of the reader is also a reason: the service may refuse a code because a spreadsheet
 * changed it.
 */
const isDoubt = ({ severity, rule }: PlacedFinding): boolean => severity === 'warning' && rule === undefined
