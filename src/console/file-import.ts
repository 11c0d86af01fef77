// A file on its way into the service: read and judged in the page, then sent record by record. The file is read anew for each
// pass, so that its size does not matter.
import type { Client } from '../client/client.ts'
import { ProblemError } from '../client/failure.ts'
import { lotNumberRequiredFromDefault } from '../contract/product-line.ts'
import type { RecordKindName } from '../contract/record-kinds.ts'
import { csvLine } from '../intake/csv.ts'
import type { ImportFile } from '../intake/import-file.ts'
import { type IntakeOptions, readIntake } from '../intake/intake.ts'
import type { Intake, IntakeRecord, PlacedFinding, RowsOfSheet } from '../intake/intake-record.ts'
import { judgeRecord, placedFinding } from '../intake/judge-record.ts'
import type { Mapping } from '../intake/layout.ts'
import type { Line } from '../intake/lines.ts'
import { reasonHeading } from '../intake/template.ts'
import { workbookBytes } from '../intake/write-workbook.ts'
import { sectionOf } from './record-sections.ts'
import { sha256Of } from './sha256.ts'

/** A record that is not taken, and why. */
export interface Rejection {
  readonly from: RowsOfSheet | Line | undefined
  readonly findings: readonly PlacedFinding[]
}

export interface ImportCounts {
  /** How far the file is read, 0 to 1. */
  readonly read: number
  readonly lines: number
  readonly accepted: number
  readonly rejected: number
}

export interface ImportPass extends ImportCounts {
  /** Choices that were made, and why reading ended early. */
  readonly notes: readonly string[]
  /** At most `rejectionsKept`. */
  readonly rejections: readonly Rejection[]
  /** Undefined when every heading is understood. */
  readonly unknown: UnknownHeadings | undefined
}

/** Headings that are of no column we know, with what they may be. */
export interface UnknownHeadings {
  readonly columns: Mapping['columns']
  /** The first text below each heading. */
  readonly sample: Readonly<Record<string, string>>
  /** True when they are all the headings of a file, and not some beside ours. */
  readonly whole: boolean
}

/** They are in memory until they are saved. */
export const rejectionsKept = 5_000
const callsInFlight = 8
/** How often the page is told how far it is, in milliseconds; then it can also be drawn. */
const toldEveryMs = 100

/** What becomes of one record; findings when it is not taken. */
type Take = (record: IntakeRecord) => Promise<readonly PlacedFinding[] | undefined>

/** Reads the file to its end and hands over what may pass; up to `callsInFlight` at once, kind after kind. */
async function pass(
  file: File,
  options: IntakeOptions,
  signal: AbortSignal,
  tell: (counts: ImportCounts) => void,
  take: Take,
): Promise<ImportPass> {
  const opened = openedFile(file)
  const notes: string[] = []
  const rejections: Rejection[] = []
  let unknown: UnknownHeadings | undefined
  const counts = { lines: 0, accepted: 0, rejected: 0 }
  const reject = (from: Rejection['from'], findings: readonly PlacedFinding[]) => {
    counts.rejected++
    if (rejections.length < rejectionsKept) rejections.push({ from, findings })
  }
  const flying = new Set<Promise<void>>()
  let kind: RecordKindName | undefined
  let toldAt = performance.now()
  const handle = async (record: IntakeRecord) => {
    const findings = await take(record)
    if (findings === undefined) counts.accepted++
    else reject(record.from, findings)
  }
  const one = async (found: Intake) => {
    if (found.is === 'surveying' || found.is === 'surveyed') return
    if (found.is === 'note' || found.is === 'unreadable') return void notes.push(found.text)
    if (found.is === 'fault' && found.suggestion !== undefined) {
      notes.push(found.text)
      unknown = {
        columns: { ...unknown?.columns, ...found.suggestion },
        sample: { ...unknown?.sample, ...found.sample },
        whole: found.whole ?? false,
      }
      return
    }
    if (found.is === 'fault')
      return reject(found.from, [{ severity: 'error', row: rowOf(found.from), message: found.text }])
    counts.lines += found.lines
    const verdict = judgeRecord(found, { lotNumberRequiredFrom: lotNumberRequiredFromDefault })
    if (verdict.refused)
      return reject(
        found.from,
        verdict.findings.filter(({ severity }) => severity === 'error'),
      )
    // Events refer to the locations and products before them.
    if (found.kind.name !== kind) await Promise.all(flying)
    kind = found.kind.name
    const call = handle(found).finally(() => flying.delete(call))
    flying.add(call)
    if (flying.size >= callsInFlight) await Promise.race(flying)
  }
  try {
    for await (const found of readIntake(opened, options)) {
      signal.throwIfAborted()
      await one(found)
      if (performance.now() - toldAt < toldEveryMs) continue
      tell({ ...counts, read: opened.read() })
      await new Promise((resolve) => setTimeout(resolve))
      toldAt = performance.now()
    }
  } finally {
    await Promise.allSettled(flying)
  }
  await Promise.all(flying)
  return { ...counts, read: 1, notes, rejections, unknown }
}

const rowOf = (from: Rejection['from']): number =>
  from === undefined ? 1 : 'rows' in from ? (from.rows[0]?.number ?? 1) : from.number

/** Judges everything by all rules that need no look into the database, and sends nothing. */
export const check = (
  file: File,
  options: IntakeOptions,
  signal: AbortSignal,
  tell: (counts: ImportCounts) => void,
): Promise<ImportPass> => pass(file, options, signal, tell, async () => undefined)

/** Sends what may pass. What holds the key of a record is replaced by it when `replace` says so. */
export const send = (
  api: Client,
  file: File,
  options: IntakeOptions,
  replace: boolean,
  signal: AbortSignal,
  tell: (counts: ImportCounts) => void,
): Promise<ImportPass> => pass(file, options, signal, tell, (record) => sendRecord(api, record, replace, signal))

/** Statuses that say something of this record; all others concern the whole import. */
const ofRecord = [400, 404, 409, 412, 413, 422]

async function sendRecord(
  api: Client,
  record: IntakeRecord,
  replace: boolean,
  signal: AbortSignal,
): Promise<readonly PlacedFinding[] | undefined> {
  const section = sectionOf(record.kind)
  const body = record.payload
  const idempotencyKey = await keyOf(record)
  try {
    await section.create(api, { body, signal, ...(idempotencyKey !== undefined && { idempotencyKey }) })
    return undefined
  } catch (error) {
    if (!(error instanceof ProblemError) || !ofRecord.includes(error.status)) throw error
    const { heldBy } = error.problem
    if (error.outcome !== 'taken' || heldBy === undefined || !replace) return rejectedBy(error, record)
    try {
      const { version } = await section.read(api, { id: heldBy, signal })
      await section.replace(api, { id: heldBy, body, signal, ...(version !== undefined && { ifMatch: version }) })
      return undefined
    } catch (second) {
      if (second instanceof ProblemError && ofRecord.includes(second.status)) return rejectedBy(second, record)
      throw second
    }
  }
}

const rejectedBy = (error: ProblemError, record: IntakeRecord): readonly PlacedFinding[] =>
  error.findings.length > 0
    ? error.findings.map((finding) => placedFinding(record, finding))
    : [{ severity: 'error', ...record.locate(''), message: error.message }]

/** The same content has the same key: a file that is sent again makes nothing twice. Not where the page may not compute it. */
async function keyOf({ kind, payload }: IntakeRecord): Promise<string | undefined> {
  const hash = await sha256Of(new TextEncoder().encode(`${kind.name} ${JSON.stringify(payload)}`))
  return hash === undefined ? undefined : `import-${hash}`
}

function openedFile(file: File): ImportFile & { readonly read: () => number } {
  let position = 0
  return {
    name: file.name,
    size: file.size,
    read: () => (file.size === 0 ? 1 : position / file.size),
    bytes: async function* (start, end) {
      if (end <= start) return
      position = start
      for (const reader = file.slice(start, end).stream().getReader(); ; ) {
        const { done, value } = await reader.read()
        if (done) return
        yield value
        position += value.length
      }
    },
  }
}

/** The rejected rows with the reason beside each, in the form of the file they came from: corrected, they are imported again. */
export async function rejectedFile(
  name: string,
  rejections: readonly Rejection[],
): Promise<{ readonly blob: Blob; readonly name: string }> {
  const base = name.replace(/\.[^.]*$/, '')
  const reasonOf = ({ findings }: Rejection) =>
    findings
      .map(({ column, message, remedy }) => [column && `${column}:`, message, remedy].filter(Boolean).join(' '))
      .join(' | ')
  const sheets = new Map<string, (readonly string[])[]>()
  const lines: string[] = []
  for (const rejection of rejections) {
    const { from } = rejection
    if (from === undefined) continue
    if (!('rows' in from)) {
      lines.push(
        `{${JSON.stringify(reasonHeading)}:${JSON.stringify(reasonOf(rejection))},${from.text.trim().slice(1)}`,
      )
      continue
    }
    const rows = sheets.get(from.sheet) ?? [[...from.headings, reasonHeading]]
    sheets.set(from.sheet, rows)
    for (const { cells } of from.rows)
      rows.push([...from.headings.map((_, at) => cells[at]?.text ?? ''), reasonOf(rejection)])
  }
  if (lines.length > 0) return { blob: new Blob([lines.join('\n')]), name: `${base}.rejected.ndjson` }
  const [only] = sheets
  if (only !== undefined && sheets.size === 1 && only[0] === '')
    return { blob: new Blob(['\uFEFF', ...only[1].map(csvLine)]), name: `${base}.rejected.csv` }
  const parts: Uint8Array<ArrayBuffer>[] = []
  for await (const part of workbookBytes([...sheets].map(([sheet, rows]) => ({ name: sheet, rows }))))
    parts.push(part as Uint8Array<ArrayBuffer>)
  return { blob: new Blob(parts), name: `${base}.rejected.xlsx` }
}
