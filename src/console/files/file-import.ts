// Runs the import with a file of the browser: read and validated in the page, then sent record by
// record. Each pass reads the file again, so that its size does not matter.

import type { ImportFile } from 'lotkeeper-sheets/import-file'
import type { Client } from '../../client/client.ts'
import { recordCalls } from '../../client/record-calls.ts'
import type { RecordKind } from '../../contract/record-kinds.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import { recordCheck } from '../../intake/check-record.ts'
import { type FindingCause, FindingCauses } from '../../intake/finding-causes.ts'
import {
  addCounts,
  type Ended,
  type ImportEnd,
  ImportRun,
  noCounts,
  type Progress,
  type Rejection,
} from '../../intake/import-run.ts'
import type { IntakeOptions } from '../../intake/intake.ts'
import type { SheetColumns } from '../../intake/intake-record.ts'
import { ExemptReceipts } from '../../intake/layouts/exempt-receipts.ts'
import { FinishedRun } from '../../intake/mending/finished-run.ts'
import type { Mends } from '../../intake/mending/mends.ts'
import { recordNames } from '../../intake/record-name.ts'
import { rejectedEntry, rejectedFile, type ScreenWords } from '../../intake/rejected-rows.ts'
import { type Removal, sendRecord } from '../../intake/send-record.ts'
import { MasterCompletion } from '../../intake/stored-master.ts'
import { textHash } from '../../intake/text-hash.ts'
import type { RuleSettings } from '../../rules/rule.ts'
import { columnLabel } from '../records/column-words.ts'
import { placeWords } from '../records/comparison.ts'
import { ImportMemory, importStateOf } from '../state/exchange/import-memory.ts'
import { nameFieldsOf } from '../words/labels.ts'
import { screenText } from '../words/screen-words.ts'
import { blobOf } from './saving.ts'
import { sha256Of } from './sha256.ts'

/** The columns of all sheets that need or have a mapping. */
export interface AskedColumns extends Omit<SheetColumns, 'is' | 'sheet'> {
  /** False when something is imported only once its columns are matched. */
  readonly isRead: boolean
}

export type StoredRecord = NonNullable<Ended['stored']>

export interface ImportReport extends ImportEnd {
  /** False when the file was only checked. */
  readonly isSent: boolean
  /** Choices made, and why reading ended early. */
  readonly notes: readonly string[]
  /** Rejections, by cause. */
  readonly causes: readonly FindingCause[]
  /** Warnings of accepted records, by cause. */
  readonly warnings: readonly FindingCause[]
  /** At most `rejectionsKept`. */
  readonly rejections: readonly Rejection[]
  /** The first `storedKept` records that this run stored, or found stored before. */
  readonly stored: readonly StoredRecord[]
  /** Undefined when every heading is one of ours. */
  readonly columns: AskedColumns | undefined
  /** Records of this file that an interrupted import stored. */
  readonly before: number
  /** Those of the service. */
  readonly settings: RuleSettings
  /** Undefined where a part of the file was not taken: the next run takes all of it. */
  readonly finished: FinishedRun | undefined
}

/** Limited, since they are in memory until they are saved. */
export const rejectionsKept = 5_000
export const storedKept = 1_000
const callsInFlight = 8
/** How often the page gets the progress and can redraw, in milliseconds. */
const reportEveryMs = 100

export interface ImportRequest {
  readonly file: File
  readonly intake: IntakeOptions
  /** Called when a busy service makes requests wait for a retry. */
  readonly createClient: (onRetry: () => void) => Client
  readonly signal: AbortSignal
  readonly onProgress: (progress: Progress) => void
  /** The provider of the records. */
  readonly account: string
  readonly replace: boolean
  /** Codes of the sheet are completed from stored locations and products. */
  readonly completes?: boolean
  /** The run before some rejected rows were corrected: its other records are not taken again. */
  readonly earlierRun?: Pick<ImportReport, 'finished' | 'stored'> | undefined
  /**
   * Asks whether a replacement may remove product lines. Without it, the file is only checked: the
   * service reports the result of each record.
   */
  readonly mayRemove?: (removal: Removal) => Promise<boolean>
}

const saidOnScreen = {
  remedies: {
    replace: 'Select “Replace stored records” above and check the file again to make it the next version.',
    remove: 'Add the lines to the file and send it again, or allow their removal when the import asks.',
  },
  screenWords: {
    // A link beside the message leads to it.
    record: '',
    place: ({ name }: RecordKind, pointer: string) => {
      nameFieldsOf(name)
      return placeWords(pointer)
    },
  },
}

/**
 * Reads the file to its end or until the signal, and sends valid records. An interrupted import can
 * continue later.
 */
export async function importFile(request: ImportRequest): Promise<ImportReport> {
  const { file, intake, signal, account, replace, completes, mayRemove, earlierRun } = request
  const notes: string[] = []
  const rejections: Rejection[] = []
  const causes = new FindingCauses()
  const before = earlierRun?.finished
  const finished = new FinishedRun(before)
  const stored: StoredRecord[] = [...(earlierRun?.stored ?? [])]
  let columns: AskedColumns | undefined
  const pace = new Pace(request.onProgress)
  let run: ImportRun | undefined
  const client = request.createClient(() => run?.slower())
  const { body: settings } = await client.readSettings({ signal })
  const { mends = {}, ...asked } = intake
  const state = importStateOf(file, { ...asked, ...mendedOf(mends), settings, account, replace, completes })
  const memory = new ImportMemory(state)
  const isSent = mayRemove !== undefined
  const { earlier } = memory
  const known = isSent ? earlier : { through: 0, again: new Set<number>(), counts: noCounts }
  finished.counts = addCounts(known.counts, finished.counts)
  // Waits for requests in flight, whose outcome is then known.
  const calls = recordCalls(client, { signal: new AbortController().signal, sha256: hashOf })
  const removals: Removal[] = []
  const noteRemoval = async (removal: Removal) => {
    removals.push(removal)
    return true
  }
  run = new ImportRun(
    openedFile(file),
    {
      ...{ intake, settings, now: Date.now(), parallel: callsInFlight },
      earlier: {
        ...known,
        counts: finished.counts,
        isFinished: before && ((from) => before.isFinished(from)),
      },
    },
    {
      send:
        mayRemove === undefined
          ? recordCheck(calls, { replace, mayRemove: noteRemoval, ...saidOnScreen }, finished.setUp)
          : (record) => sendRecord(calls, record, { replace, mayRemove, dryRun: false, ...saidOnScreen }),
      master: completes ? new MasterCompletion(calls.stored) : undefined,
      exempt: new ExemptReceipts(calls.exemptPlaces),
      stopAsked: () => signal.aborted,
      onNote: (text) => notes.push(text),
      onColumns: (sheet, fault) => {
        columns = withSheet(columns, sheet)
        if (fault !== undefined)
          notes.push(
            sheet.given.length === 0 ? fault : 'Some columns are not known. Match them: before, no row is read.',
          )
      },
      onEnded: (ended) => {
        if (isSent) memory.done(ended)
        if (ended.rejected !== undefined) causes.add(ended.rejected)
        finished.done(ended)
        if (ended.rejected !== undefined && rejections.length < rejectionsKept) rejections.push(ended.rejected)
        if (ended.stored !== undefined && stored.length < storedKept) stored.push(ended.stored)
      },
      onProgress: (progress) => pace.report(progress),
    },
  )
  const end = await run.run()
  pace.stop()
  const [removal] = removals
  if (removal !== undefined) notes.push(removalWords(removal, removals.length))
  if (isSent && end.is === 'done') memory.forget()
  else if (isSent) memory.write()
  return {
    ...end,
    isSent,
    notes,
    causes: causes.all,
    warnings: finished.warnings.all,
    rejections,
    stored,
    columns,
    before: earlier.through - earlier.again.size,
    settings,
    finished: end.is === 'done' ? finished : undefined,
  }
}

/** Corrections are no options to remember: they only change the state, and are kept elsewhere. */
const mendedOf = (mends: Mends) =>
  Object.keys(mends).length === 0 ? {} : { mended: textHash(JSON.stringify(Object.values(mends))) }

/** The result of a check about replacements that would remove product lines. */
function removalWords({ record, lines }: Removal, count: number): string {
  const [name = ''] = recordNames(record.kind, record.payload)
  const more = lines.length > 1 ? ` and ${pluralize(lines.length - 1, 'other line')}` : ''
  const which = count === 1 ? 'One replacement removes' : `${count.toLocaleString('en')} replacements remove`
  return `${which} product lines from the stored record; the import asks before. ${count === 1 ? 'It is' : 'The first is'} ${JSON.stringify(name)}: ${lines[0]}${more}.`
}

/**
 * Reports the progress a few times a second, the final state included, and lets the page redraw.
 */
class Pace {
  readonly #onProgress: (progress: Progress) => void
  #reportedAt = performance.now()
  #timer: ReturnType<typeof setTimeout> | undefined
  #last: Progress | undefined

  constructor(onProgress: (progress: Progress) => void) {
    this.#onProgress = onProgress
  }

  async report(progress: Progress): Promise<void> {
    this.#last = progress
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      if (this.#last !== undefined) this.#onProgress(this.#last)
    }, reportEveryMs)
    if (performance.now() - this.#reportedAt < reportEveryMs) return
    await new Promise((resolve) => setTimeout(resolve))
    this.#reportedAt = performance.now()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#last = undefined
  }
}

const withSheet = (before: AskedColumns | undefined, { kind, isRead, given, columns }: SheetColumns): AskedColumns => ({
  kind: kind ?? before?.kind,
  isRead: isRead && (before?.isRead ?? true),
  given: [...new Set([...(before?.given ?? []), ...given])],
  columns: [...(before?.columns ?? []).filter(({ title }) => columns.every((one) => one.title !== title)), ...columns],
})

const hashOf = (text: string): Promise<string | undefined> => sha256Of(new TextEncoder().encode(text))

/** A file of the browser in the form that is read. */
export const openedFile = (file: File): ImportFile => ({
  name: file.name,
  size: file.size,
  bytes: async function* (start, end) {
    if (end <= start) return
    for (const reader = file.slice(start, end).stream().getReader(); ; ) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  },
})

const wordsOfScreen: ScreenWords = {
  sentence: (text, kind) => {
    nameFieldsOf(kind)
    return screenText(text)
  },
  column: (name, kind) => columnLabel(name, kind),
}

/**
 * The rejected rows with their reasons, in the format of their file: once corrected, they can be
 * imported.
 */
export async function rejectedBlob(
  name: string,
  rejections: readonly Rejection[],
): Promise<{ readonly blob: Blob; readonly name: string } | undefined> {
  const file = await rejectedFile(async function* () {
    for (const rejection of rejections) yield rejectedEntry(rejection, name, wordsOfScreen)
  })
  if (file === undefined) return undefined
  return { blob: await blobOf(file.parts), name: `${nameWithout(name)}.rejected.${file.form}` }
}

/** The name of a file without its ending. */
export const nameWithout = (name: string): string => name.replace(/\.[^.]*$/, '').replace(/\.rejected$/, '')
