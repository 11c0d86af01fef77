// The file of rejected rows: the same columns, and beside each row why. Corrected, it is imported as any other.
import { createWriteStream, existsSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { csvLine } from '../intake/csv.ts'
import { reasonHeading } from '../intake/template.ts'
import { workbookBytes } from '../intake/write-workbook.ts'
import type { ImportJournal } from './import-journal.ts'

/** Writes it beside the file, under a name that is free, and returns the path. */
export async function writeRejected(path: string, journal: ImportJournal): Promise<string> {
  const sheets = new Map<string, readonly string[]>()
  let lines = false
  for await (const { sheet, headings, line } of journal.rejected()) {
    if (sheet !== undefined && !sheets.has(sheet)) sheets.set(sheet, headings ?? [])
    lines ||= line !== undefined
  }
  const form = lines ? 'ndjson' : [...sheets.keys()].every((sheet) => sheet === '') ? 'csv' : 'xlsx'
  const target = freeName(path, form)
  const bytes =
    form === 'ndjson'
      ? rejectedLines(journal)
      : form === 'csv'
        ? rejectedCsv(journal, sheets.get('') ?? [])
        : workbookBytes([...sheets].map(([name, headings]) => ({ name, rows: rejectedRows(journal, name, headings) })))
  await pipeline(Readable.from(bytes), createWriteStream(target))
  return target
}

function freeName(path: string, form: string): string {
  const base = path.replace(/\.[^./\\]*$/, '').replace(/\.rejected(-\d+)?$/, '')
  for (let number = 1; ; number++) {
    const name = `${base}.rejected${number === 1 ? '' : `-${number}`}.${form}`
    if (!existsSync(name)) return name
  }
}

async function* rejectedLines(journal: ImportJournal): AsyncGenerator<string> {
  for await (const { line = '', reason } of journal.rejected()) yield `${withReason(line, reason ?? '')}\n`
}

/** The payload with the reason as its first member, which the reading of the file leaves out again. */
function withReason(line: string, reason: string): string {
  const text = line.trim()
  const isObject = text.startsWith('{') && text.endsWith('}') && !text.startsWith(`{"${reasonHeading}"`)
  if (!isObject) return text
  const rest = text.slice(1)
  return `{${JSON.stringify(reasonHeading)}:${JSON.stringify(reason)}${rest.trimStart().startsWith('}') ? '' : ','}${rest}`
}

/** The headings, with the reason as the last; the one of an earlier import makes way. */
async function* rejectedRows(
  journal: ImportJournal,
  sheet: string,
  headings: readonly string[],
): AsyncGenerator<readonly string[]> {
  const before = headings.indexOf(reasonHeading)
  const row = (cells: readonly string[], reason: string) => [
    ...headings.flatMap((_, at) => (at === before ? [] : [cells[at] ?? ''])),
    reason,
  ]
  yield row(headings, reasonHeading)
  for await (const rejected of journal.rejected())
    if (rejected.sheet === sheet) for (const { cells, reason } of rejected.rows ?? []) yield row(cells, reason)
}

async function* rejectedCsv(journal: ImportJournal, headings: readonly string[]): AsyncGenerator<string> {
  // With a byte order mark, spreadsheets read it as UTF-8.
  yield '\uFEFF'
  for await (const cells of rejectedRows(journal, '', headings)) yield csvLine(cells)
}
