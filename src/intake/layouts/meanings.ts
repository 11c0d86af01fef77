// Meanings of columns that the sheets of several organisations have.
import { stringLengthMax } from '../../contract/shape/field.ts'
import type { Meaning } from '../layout.ts'

export const column = (name: string, ...also: readonly string[]): Meaning => ({ column: name, also })

/** Names of values that become columns only together with other cells of the row. */
export const namedDocument = '(document with its kind)'
/** A date, and the column with its kind. */
export const ptiDate = '(date)'
export const ptiDateKind = '(date type)'

export const asField = (name: string): Meaning => ({ read: (text) => ({ [name]: text }) })

/**
 * A street in the first line of an address. A text longer than the field continues in the second,
 * split at a comma.
 */
export const street = (columns: readonly string[]): Meaning => ({
  read: (text) => {
    const [first, second] = twoLines(text)
    return Object.fromEntries(
      columns.flatMap((name) => [[name, first], ...(second === '' ? [] : [[name.replace(/1$/, '2'), second]])]),
    )
  },
})

function twoLines(text: string): readonly [string, string] {
  const fits = (line: string) => [...line].length <= stringLengthMax
  if (fits(text)) return [text, '']
  for (let at = text.lastIndexOf(', '); at > 0; at = text.lastIndexOf(', ', at - 1))
    if (fits(text.slice(0, at))) return fits(text.slice(at + 2)) ? [text.slice(0, at), text.slice(at + 2)] : [text, '']
  return [text, '']
}
