// E-mail addresses that identify a person: an invitation and a claim name the same person only if
// they are the same text. Source: decision 0062.

import { characterWords, codePointWords, hiddenCharacters } from '../text/hidden-characters.ts'
import { stringLengthMax } from './field.ts'

/** One address as programs write it: no blanks, no name before it, no second address. */
const form = /^[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/

/**
 * The address in lower case, or its mistake. Nothing is cut, trimmed or replaced, because that
 * turns one person into another. A valid address has no letters but A to Z, which become a to z.
 */
export function readEmailAddress(text: string): { readonly address: string } | { readonly fault: string } {
  if (text.length > stringLengthMax) return { fault: `has ${text.length} characters. It may have ${stringLengthMax}` }
  const [hidden] = hiddenCharacters(text)
  if (hidden !== undefined) return { fault: `contains the hidden character ${characterWords(hidden.codePoint)}` }
  const foreign = /[^ -~\t\n\r]/u.exec(text)?.[0]?.codePointAt(0)
  if (foreign !== undefined)
    return { fault: `contains ${codePointWords(foreign)}. It must be ASCII, with its domain in the form xn--…` }
  if (!form.test(text)) return { fault: 'must be one address such as ana.lopez@example.com, without blanks' }
  return { address: text.toLowerCase() }
}
