// Where a text stops being JSON. JSON.parse does not always say it, and engines word it differently.

/** Where a text stops being JSON, and why. */
interface JsonFault {
  /** Position of the first character with which the text cannot go on to be JSON; the length of the text when only its end is missing. */
  readonly at: number
  /** One sentence. */
  readonly why: string
}

type Awaited = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or end'

export function faultIn(text: string): JsonFault {
  const open: string[] = []
  let awaits: Awaited = 'value'
  let before = ''
  const fault = (at: number, why: string, isInText = false): JsonFault => ({
    at,
    why: at >= text.length ? unclosedWords(open, isInText) : why,
  })
  const unexpected = (at: number): JsonFault => fault(at, expectedWords(awaits, open, before, text[at]))
  let at = afterSpaces(text, 0)
  while (at < text.length) {
    const character = text[at] ?? ''
    const closes = open.at(-1) === '{' ? '}' : open.at(-1) === '[' ? ']' : undefined
    const mayClose = awaits === 'value or ]' || awaits === 'name or }' || awaits === ', or end'
    if (mayClose && closes !== undefined && character === closes) {
      open.pop()
      awaits = ', or end'
      at++
    } else if (awaits === ', or end') {
      if (character !== ',' || closes === undefined) return unexpected(at)
      awaits = closes === '}' ? 'name' : 'value'
      at++
    } else if (awaits === ':') {
      if (character !== ':') return unexpected(at)
      awaits = 'value'
      at++
    } else if (awaits === 'name' || awaits === 'name or }') {
      if (character !== '"') return unexpected(at)
      const end = scalar(text, at)
      if (!end.whole) return fault(end.at, stringFault(text[end.at]), true)
      awaits = ':'
      at = end.at
    } else if (character === '{' || character === '[') {
      open.push(character)
      awaits = character === '{' ? 'name or }' : 'value or ]'
      at++
    } else {
      const end = scalar(text, at)
      if (!end.whole)
        return character === '"'
          ? fault(end.at, stringFault(text[end.at]), true)
          : fault(end.at, scalarFault(text, at, awaits, open, before))
      awaits = ', or end'
      at = end.at
    }
    before = character
    at = afterSpaces(text, at)
  }
  return unexpected(text.length)
}

function expectedWords(awaits: Awaited, open: readonly string[], before: string, found = ''): string {
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

function scalarFault(text: string, at: number, awaits: Awaited, open: readonly string[], before: string): string {
  const character = text[at] ?? ''
  if (/[-\d]/.test(character))
    return 'The number is not one of JSON: digits, with a point and digits behind it if need be.'
  if (/[.+]/.test(character)) return 'A number begins with a digit or a minus sign.'
  return expectedWords(awaits, open, before, character)
}

const stringFault = (found = ''): string =>
  found < ' '
    ? 'A text contains a line break or control character. Close the text with ", or write \\n for a line break.'
    : 'After a backslash one of " \\ / b f n r t is expected, or u and four hexadecimal digits.'

/** Most closing marks that are listed. */
const closersMax = 10

/** What the end of a text lacks. */
function unclosedWords(open: readonly string[], isInText: boolean): string {
  const closers = [...(isInText ? ['"'] : []), ...open.map((one) => (one === '{' ? '}' : ']')).reverse()]
  if (closers.length === 0) return 'A value is missing.'
  return `Its end lacks ${closers.slice(0, closersMax).join(' ')}${closers.length > closersMax ? ' and more' : ''}.`
}

/** Where a string, number or word ends, or where it goes wrong. */
interface End {
  readonly at: number
  readonly whole: boolean
}

const afterSpaces = (text: string, start: number): number => {
  let at = start
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++
  return at
}

function scalar(text: string, start: number): End {
  const first = text[start] ?? ''
  if (first === '"') return stringEnd(text, start + 1)
  const word = ['true', 'false', 'null'].find((one) => one.startsWith(first))
  if (word === undefined) return numberEnd(text, start)
  let length = 1
  while (length < word.length && text[start + length] === word[length]) length++
  return { at: start + length, whole: length === word.length }
}

function stringEnd(text: string, start: number): End {
  for (let at = start; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '"') return { at: at + 1, whole: true }
    if (character < ' ') return { at, whole: false }
    if (character !== '\\') continue
    at++
    if (text[at] === 'u')
      for (let digit = 0; digit < 4; digit++) {
        at++
        if (!/^[0-9a-fA-F]$/.test(text[at] ?? '')) return { at, whole: false }
      }
    else if (!/^["\\/bfnrt]$/.test(text[at] ?? '')) return { at, whole: false }
  }
  return { at: text.length, whole: false }
}

function numberEnd(text: string, start: number): End {
  const isDigit = (at: number) => /^\d$/.test(text[at] ?? '')
  const afterDigits = (from: number) => {
    let at = from
    while (isDigit(at)) at++
    return at
  }
  let at = text[start] === '-' ? start + 1 : start
  if (!isDigit(at)) return { at, whole: false }
  at = text[at] === '0' ? at + 1 : afterDigits(at)
  if (text[at] === '.') {
    if (!isDigit(at + 1)) return { at: at + 1, whole: false }
    at = afterDigits(at + 1)
  }
  if (text[at] === 'e' || text[at] === 'E') {
    at = text[at + 1] === '+' || text[at + 1] === '-' ? at + 2 : at + 1
    if (!isDigit(at)) return { at, whole: false }
    at = afterDigits(at)
  }
  return { at, whole: true }
}
