// The record of an import as a workbook: the file as it was, each check and each time it was sent,
// and every cell that was corrected, by whom and what became of it.
import { widthOfHeading, workbookBytes } from 'lotkeeper-sheets/text-workbook'
import type { OwnKey } from '../../client/generated/shapes.ts'
import { type MendedFile, takenIn } from '../state/exchange/mended-file.ts'
import { dateTimeWords } from '../words/labels.ts'
import { type ImportReport, nameWithout } from './file-import.ts'
import { blobOf } from './saving.ts'
import { sha256Of } from './sha256.ts'

interface RecordOf {
  readonly mended: MendedFile
  readonly report: ImportReport
  readonly own: OwnKey
}

export const roundHeadings = ['Time', 'Step', 'Corrected cells', 'Records taken', 'Records rejected'] as const

export const roundWords = { checking: 'Checked', sending: 'Sent' } as const

/** Larger files are not read into memory to be hashed. */
const hashedMax = 100_000_000

export async function importRecord({ mended, report, own }: RecordOf) {
  const { file, mends, sent, rounds } = mended
  const name = file?.name ?? ''
  const isHashed = file !== undefined && file.size <= hashedMax
  const sha256 = isHashed ? await sha256Of(await file.arrayBuffer()) : undefined
  const facts = [
    ['File', name],
    ['SHA-256', sha256 ?? 'not computed'],
    ['Bytes', String(file?.size ?? '')],
    ['Account', own.provider],
    ['By', own.personName ?? own.label],
    ['Key', own.keyId],
    [],
    roundHeadings,
    ...rounds.map((round) => [
      new Date(round.at).toISOString(),
      roundWords[round.as],
      String(round.mended),
      String(takenIn(round)),
      String(round.counts.rejected),
    ]),
  ]
  const corrections = Object.entries({ ...sent, ...mends }).map(([key, { sheet, row, column, was, to }]) => [
    ...[sheet, String(row), column ?? 'the row', was, to],
    sent[key]?.to !== to ? 'not sent' : report.finished?.isRejected(sheet, row) ? 'rejected' : 'stored',
  ])
  const headings = ['Sheet', 'Row', 'Column', 'In the file', 'Corrected to', 'Outcome']
  const parts = workbookBytes({ title: 'Import record', creator: 'Lotkeeper' }, [
    { name: 'Import', widths: [26, 40, 16, 16, 16], rows: [['Record of an import'], ...facts] },
    { name: 'Corrections', widths: headings.map(widthOfHeading), rows: [headings, ...corrections] },
  ])
  return { blob: await blobOf(parts), name: `${nameWithout(name)}.import-record.xlsx` }
}

/** When a round ended, as the page says it. */
export const roundTime = (at: number): string => dateTimeWords(new Date(at).toISOString())
