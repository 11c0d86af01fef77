// Comparison of texts, and wording of lists and counts in sentences.
import { isGiven } from '../contract/shape/field.ts'
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

/** The totals alone. */
export const quantitiesText = (all: readonly Pick<QuantityByUnit, 'quantity' | 'unit'>[]): string =>
  all.map(({ quantity, unit }) => `${quantity} ${unit}`).join(', ')

/** The totals, each with the amounts as written where its unit is written in several ways. */
export const writtenQuantitiesText = (all: readonly QuantityByUnit[]): string =>
  all.map((one) => `${quantitiesText([one])}${one.written ? ` (${quantitiesText(one.written)})` : ''}`).join(', ')
