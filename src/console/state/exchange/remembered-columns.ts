// How the columns of a sheet were matched, kept in this browser for the next file of the same
// headings: headings and names of fields, no values.
import type { Mapping } from '../../../intake/layout.ts'
import { readMapping } from '../../../intake/mapping.ts'

const placeOf = (account: string): string => `lotkeeper.columns.${account}`
/** Most sheets remembered; the one used longest ago is forgotten. */
const sheetsMax = 20

interface Remembered {
  readonly headings: string
  /** A mapping as its file has it, which is read again with care. */
  readonly mapping: string
}

/** The same for the same headings in any order. */
const keyOf = (headings: readonly string[]): string => JSON.stringify([...headings].sort())

function rememberedOf(account: string): readonly Remembered[] {
  try {
    const kept = JSON.parse(localStorage.getItem(placeOf(account)) ?? '[]') as unknown
    return Array.isArray(kept)
      ? kept.filter(({ headings, mapping }) => typeof headings === 'string' && typeof mapping === 'string')
      : []
  } catch {
    return []
  }
}

export function rememberColumns(account: string, headings: readonly string[], { kind, columns }: Mapping): void {
  const key = keyOf(headings)
  const others = rememberedOf(account).filter((one) => one.headings !== key)
  const all = [{ headings: key, mapping: JSON.stringify({ kind, columns }) }, ...others]
  try {
    localStorage.setItem(placeOf(account), JSON.stringify(all.slice(0, sheetsMax)))
  } catch {
    // Without storage in the browser, the columns are matched again for the next file.
  }
}

/** How a sheet of these headings was matched before. */
export function recallColumns(account: string, headings: readonly string[]): Mapping | undefined {
  const kept = rememberedOf(account).find((one) => one.headings === keyOf(headings))
  const mapping = kept && readMapping(kept.mapping, '')
  return typeof mapping === 'object' ? mapping : undefined
}
