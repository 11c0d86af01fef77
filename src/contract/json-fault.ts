// Where a text stops being JSON. JSON.parse does not always say it, and engines word it differently.

/** Position of the first character with which the text cannot go on to be JSON; the length of the text when only its end is missing. */
export function faultAt(text: string): number {
  const open: string[] = []
  let awaits: 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or end' = 'value'
  let at = afterSpaces(text, 0)
  while (at < text.length) {
    const character = text[at]
    const closes = open.at(-1) === '{' ? '}' : open.at(-1) === '[' ? ']' : undefined
    const mayClose = awaits === 'value or ]' || awaits === 'name or }' || awaits === ', or end'
    if (mayClose && closes !== undefined && character === closes) {
      open.pop()
      awaits = ', or end'
      at++
    } else if (awaits === ', or end') {
      if (character !== ',' || closes === undefined) return at
      awaits = closes === '}' ? 'name' : 'value'
      at++
    } else if (awaits === ':') {
      if (character !== ':') return at
      awaits = 'value'
      at++
    } else if (awaits === 'name' || awaits === 'name or }') {
      if (character !== '"') return at
      const end = scalar(text, at)
      if (!end.whole) return end.at
      awaits = ':'
      at = end.at
    } else if (character === '{' || character === '[') {
      open.push(character)
      awaits = character === '{' ? 'name or }' : 'value or ]'
      at++
    } else {
      const end = scalar(text, at)
      if (!end.whole) return end.at
      awaits = ', or end'
      at = end.at
    }
    at = afterSpaces(text, at)
  }
  return text.length
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
