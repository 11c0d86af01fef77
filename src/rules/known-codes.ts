// What to say of a code that is not known, where others are.
import { quote } from '../contract/shape-words.ts'

/** Most codes that one is compared with: every line of a payload may have a code of its own. */
const comparedMax = 100
/** Most codes that a sentence names. */
export const codesNamedMax = 5

/** The known code that differs in case and blanks only. */
export const alikeCode = (code: string, known: ReadonlyMap<string, unknown>): string | undefined =>
  known.size > comparedMax
    ? undefined
    : [...known.keys()].find((one) => one.trim().toLowerCase() === code.trim().toLowerCase())

export const alikeWords = (code: string, alike: string): string =>
  `${quote(alike)} differs only in ${alike.trim() === code.trim() ? 'blanks at its ends' : 'upper and lower case'}.`

/** `named` are the first of the codes, `count` is how many there are. */
export const knownWords = (named: readonly string[], count: number): string =>
  `Known: ${named.map(quote).join(', ')}${count > named.length ? ` and ${count - named.length} more` : ''}.`
