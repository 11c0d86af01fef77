// What a run of a file that came to its end leaves to the next one: once rejected rows are
// corrected, only their records are taken again.
import { FindingCauses } from '../finding-causes.ts'
import { addCounts, type Ended, type ImportCounts, noCounts } from '../import-run.ts'
import type { RowsOfSheet } from '../intake-record.ts'
import type { Line } from '../lines.ts'

export class FinishedRun {
  /** Of the records that were taken. */
  counts: ImportCounts = noCounts
  readonly warnings: FindingCauses
  /** Locations that records of a check set up (`recordCheck`). */
  readonly setUp: Set<string>
  readonly #rejected = new Map<string, Set<number>>()

  constructor(before?: FinishedRun) {
    this.counts = before?.counts ?? noCounts
    this.warnings = before?.warnings.copy() ?? new FindingCauses()
    this.setUp = new Set(before?.setUp)
  }

  done({ counts, rejected, warned }: Ended): void {
    if (rejected !== undefined) this.#reject(rejected.from)
    else this.counts = addCounts(this.counts, counts)
    if (warned !== undefined) this.warnings.add(warned)
  }

  /** False for a record with a row that was rejected. */
  isFinished(from: RowsOfSheet | Line): boolean {
    const rejected = this.#rejected.get('rows' in from ? from.sheet : '')
    return rejected === undefined || !numbersIn(from).some((number) => rejected.has(number))
  }

  isRejected(sheet: string, row: number): boolean {
    return this.#rejected.get(sheet)?.has(row) === true
  }

  #reject(from: RowsOfSheet | Line): void {
    const sheet = 'rows' in from ? from.sheet : ''
    const rejected = this.#rejected.get(sheet) ?? new Set()
    this.#rejected.set(sheet, rejected)
    for (const number of numbersIn(from)) rejected.add(number)
  }
}

const numbersIn = (from: RowsOfSheet | Line): readonly number[] =>
  'rows' in from ? from.rows.map(({ number }) => number) : [from.number]
