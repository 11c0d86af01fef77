// The message about a text that is not JSON. JSON.parse does not always give the position, and
// engines word it differently.

/** The characters that may follow in the text. */
export type Awaited = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or end'

export function expectedWords(awaits: Awaited, open: readonly string[], before: string, found = ''): string {
  const inside = open.at(-1) === '{' ? '}' : ']'
  if (before === ',' && (found === '}' || found === ']')) return `Remove the comma before ${found}.`
  if (found === "'") return 'Names and texts must be in double quotes.'
  switch (awaits) {
    case ', or end':
      return open.length === 0
        ? 'The JSON ended before. Send one object and nothing after it.'
        : `A comma or ${inside} is expected here.`
    case ':':
      return 'A colon is expected here, between a name and its value.'
    case 'name':
    case 'name or }':
      return `A name in double quotes${awaits === 'name' ? '' : ' or }'} is expected here.`
    default:
      return 'A value is expected here: text in double quotes, a number, true, false, null, { or [.'
  }
}

/** What is wrong with a number or word that begins with this character. */
export function scalarFault(character: string, awaits: Awaited, open: readonly string[], before: string): string {
  if (/[-\d]/.test(character))
    return 'The number is not one of JSON: digits, with a point and digits behind it if need be.'
  if (/[.+]/.test(character)) return 'A number begins with a digit or a minus sign.'
  return expectedWords(awaits, open, before, character)
}

export const stringFault = (found = ''): string =>
  found < ' '
    ? 'A text contains a line break or control character. Close the text with ", or write \\n for a line break.'
    : 'After a backslash one of " \\ / b f n r t is expected, or u and four hexadecimal digits.'

/** Most closing marks that are listed. */
const closersMax = 10

/** The missing end of a text. */
export function unclosedWords(open: readonly string[], { isInText = false } = {}): string {
  const closers = [...(isInText ? ['"'] : []), ...open.map((one) => (one === '{' ? '}' : ']')).reverse()]
  if (closers.length === 0) return 'A value is missing.'
  return `Its end lacks ${closers.slice(0, closersMax).join(' ')}${closers.length > closersMax ? ' and more' : ''}.`
}
