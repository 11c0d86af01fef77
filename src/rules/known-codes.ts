// Suggestions for an unknown code among the known ones.
import { quote } from '../contract/shape/shape-words.ts'

/** Most codes that an unknown one is compared with, which bounds the work. */
const comparedMax = 100
/** Most codes in a sentence. */
export const codesNamedMax = 5

/** The known code that differs in case and blanks only. */
export const alikeCode = (code: string, known: ReadonlyMap<string, unknown>): string | undefined =>
  known.size > comparedMax
    ? undefined
    : [...known.keys()].find((one) => one.trim().toLowerCase() === code.trim().toLowerCase())

export const alikeWords = (code: string, alike: string): string =>
  `${quote(alike)} differs only in ${alike.trim() === code.trim() ? 'blanks at its ends' : 'upper and lower case'}.`

/** `named` are the first codes, `count` is the number of all. */
export const knownWords = (named: readonly string[], count: number): string =>
  `Known: ${named.map(quote).join(', ')}${count > named.length ? ` and ${count - named.length} more` : ''}.`
