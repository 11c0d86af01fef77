// What to say of a code that is not known, where others are.
import { quoted } from '../contract/shape-words.ts'

/** Most codes that one is compared with: every line of a payload may have a code of its own. */
const comparedMax = 100
const namedMax = 5

/** How a code differs from one that is known, when case and blanks are all: a sentence with a blank before it, else nothing. */
export function alikeCode(code: string, known: ReadonlySet<string> | ReadonlyMap<string, unknown>): string {
  if (known.size > comparedMax) return ''
  const alike = [...known.keys()].find((one) => one.trim().toLowerCase() === code.trim().toLowerCase())
  if (alike === undefined) return ''
  return ` ${quoted(alike)} differs only in ${alike.trim() === code.trim() ? 'blanks at its ends' : 'upper and lower case'}.`
}

/** The codes that are known, or the one that differs only so, as a sentence with a blank before it. */
export function knownCodes(code: string, known: ReadonlyMap<string, unknown>): string {
  const alike = alikeCode(code, known)
  if (alike !== '' || known.size === 0) return alike
  const named = [...known.keys()].slice(0, namedMax).map(quoted).join(', ')
  return ` Known: ${named}${known.size > namedMax ? ` and ${known.size - namedMax} more` : ''}.`
}
