// Comparison of texts, and wording of lists and counts in sentences.
import { isGiven } from '../contract/field.ts'
import type { QuantityByUnit } from './lot-trace.ts'

/** Text for comparison: without case, outer blanks and repeated blanks. */
export const sameAs = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').toLowerCase()

/** The given parts on one line. */
export const inOneLine = (parts: readonly (string | undefined)[]): string =>
  parts
    .filter(isGiven)
    .map((part) => part.trim())
    .join(', ')

const namedMax = 5

/** The first names of a list, and the number of the others. */
export const listSome = (names: readonly string[]): string => {
  const shown = names.slice(0, namedMax).join(', ')
  return names.length > namedMax ? `${shown} and ${names.length - namedMax} more` : shown
}

export const quantitiesText = (all: readonly QuantityByUnit[]): string =>
  all.map(({ quantity, unit }) => `${quantity} ${unit}`).join(', ')
