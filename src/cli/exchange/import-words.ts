// The end of an import, and the columns it proposes, in words.
import { pluralize } from '../../contract/text/pluralize.ts'
import type { MatchBasis } from '../../intake/column-matches.ts'
import { findingsInWords, readInWords } from '../../intake/count-words.ts'
import type { ImportCounts } from '../../intake/import-run.ts'

/** Why a column is proposed or left out. */
export function basisInWords(basis: MatchBasis): string {
  switch (basis.is) {
    case 'fits':
      return ` (heading and ${pluralize(basis.values, 'value')} fit)`
    case 'empty':
      return ' (by its heading; it has no values)'
    case 'contradicted':
      return ` (the heading says ${basis.column}, but ${JSON.stringify(basis.value.slice(0, 40))} is none)`
    case 'contested':
      return ` (${basis.by} may be ${basis.column} too)`
    case 'no kind':
      return ' (nothing says which kind of document it is)'
    case 'unknown':
      return ' (no column means the same)'
    case 'chosen':
      return ''
  }
}

const replacing = ({ toReplace }: ImportCounts): string =>
  toReplace === 0 ? '' : ` (${toReplace.toLocaleString('en')} as the next version of a stored record)`

export function summary(counts: ImportCounts): string {
  const parts = [
    [counts.judged, `would be stored${replacing(counts)}`],
    [counts.created, 'created'],
    [counts.replaced, 'replaced'],
    [counts.unchanged, 'stored before'],
    [counts.rejected, 'rejected'],
  ] as const
  const ends = parts.filter(([count]) => count > 0).map(([count, what]) => `${count.toLocaleString('en')} ${what}`)
  if (ends.length === 0) return 'nothing was imported.'
  const [read, found] = [readInWords(counts), findingsInWords(counts)]
  return `${ends.join(', ')}${read && `; ${read}`}.${found && ` ${found}.`}`
}

/** The speed, in lines or, where there are none, in records. */
export function rateOf({ lines, masterProduct, location }: ImportCounts, seconds: number): string {
  const [count, unit] = lines > 0 ? [lines, 'lines'] : [masterProduct + location, 'records']
  return count === 0 ? '' : ` ${Math.round(count / Math.max(seconds, 0.001)).toLocaleString('en')} ${unit}/s.`
}
