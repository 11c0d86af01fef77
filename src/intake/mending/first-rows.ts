// The first rows of a file as the import reads them, for a person who matches its columns.
import type { ImportFile } from 'lotkeeper-sheets/import-file'
import type { RuleSettings } from '../../rules/rule.ts'
import { type IntakeOptions, readIntake } from '../intake.ts'
import type { PlacedFinding, RowsOfSheet } from '../intake-record.ts'
import { judgeRecord } from '../judge-record.ts'
import type { ReadRow } from '../read-row.ts'
import type { MasterCompletion } from '../stored-master.ts'

export interface FirstCell {
  readonly row: number
  /** As the file has it. */
  readonly text: string
  /** What it becomes: columns of the template, each with its value. */
  readonly values: readonly (readonly [column: string, value: string])[]
  /** Why it does not fit. */
  readonly findings: readonly PlacedFinding[]
}

/** By the heading of their column, in the order of the rows. Empty when no sheet can be read. */
export type FirstRows = ReadonlyMap<string, readonly FirstCell[]>

interface FirstRowsOptions {
  readonly intake: IntakeOptions
  readonly settings: RuleSettings
  readonly now: number
  readonly master?: MasterCompletion | undefined
  readonly count: number
}

export async function readFirstRows(
  file: ImportFile,
  { intake, settings, now, master, count }: FirstRowsOptions,
): Promise<FirstRows> {
  const rows: (Pick<RowsOfSheet, 'sheet' | 'headings'> & { readonly read: ReadRow })[] = []
  const findings: (PlacedFinding & { readonly sheet: string })[] = []
  const take = (read: ReadRow, sheet: Pick<RowsOfSheet, 'sheet' | 'headings'>) => rows.push({ ...sheet, read })
  for await (const one of readIntake(file, { ...intake, first: { count, take } })) {
    if (one.is !== 'record' || !('rows' in one.from)) continue
    const { sheet } = one.from
    const record = master === undefined ? one : await master.complete(one)
    for (const finding of judgeRecord(record, settings, now).findings) findings.push({ ...finding, sheet })
  }
  const cells = new Map<string, FirstCell[]>()
  const sheetOf = new Map<string, string>()
  for (const { read, sheet, headings } of rows)
    for (const [at, heading] of headings.entries()) {
      // Of sheets that share a heading, the first.
      if (heading === '' || (sheetOf.get(heading) ?? sheet) !== sheet) continue
      sheetOf.set(heading, sheet)
      const { row } = read
      const known = cells.get(heading) ?? []
      cells.set(heading, known)
      known.push({
        row: row.number,
        text: row.cells[at]?.text ?? '',
        values: valuesOf(read, heading),
        findings: findings.filter((one) => one.sheet === sheet && one.row === row.number && one.column === heading),
      })
    }
  return cells
}

/** What the cell below a heading fills. */
function valuesOf({ parts, columnAt }: ReadRow, heading: string): FirstCell['values'] {
  return [...columnAt].flatMap(([place, column]) => {
    if (column !== heading) return []
    const [part = '', ...path] = place.split('/')
    const value = path.reduce<unknown>(
      (within, field) => (within as Record<string, unknown> | undefined)?.[field],
      parts[part],
    )
    if (value === undefined) return []
    const isOwn = part === 'event' || part === 'line' || part === 'record' || part === 'payload'
    return [
      [isOwn ? path.join('.') : `${part}.${path.join('.')}`, typeof value === 'string' ? value : JSON.stringify(value)],
    ]
  })
}
