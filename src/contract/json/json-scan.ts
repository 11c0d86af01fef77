// The one scanner of JSON text: where its parts lie, and where it stops being JSON. It makes no
// values, so that a limit is checked before anything is parsed: 300,000 empty objects take 55 ms to
// parse and 3 ms to count.
import { listEntriesMax, nestedPartsMax, nestingDepthMax, objectNamesMax } from '../shape/field.ts'
import { pointerStep } from '../shape/finding.ts'
import { type Awaited, expectedWords, scalarFault, stringFault, unclosedWords } from './json-fault.ts'

/**
 * The names and list positions that lead to a value. One array is reused for all values: read it
 * during the call.
 */
type Steps = readonly (string | number)[]

/** The results of a scan, in the order of the text. */
export interface JsonEvents {
  /**
   * A value begins at `start`. A member's name is at `nameAt`; of any other value, `nameAt` is
   * `start`.
   */
  readonly begin?: (steps: Steps, nameAt: number, start: number) => void
  /** The value that began at `start` ends before `end`. */
  readonly end?: (steps: Steps, start: number, end: number) => void
}

interface ScanOptions {
  readonly events?: JsonEvents
  /** Whether the inside of strings, numbers and words is checked. */
  readonly isStrict?: boolean
}

export interface JsonScan {
  /** How many names all objects have together. */
  readonly names: number
  /** True when there is white space between the parts. */
  readonly spaced: boolean
  /** True when a number is long enough, or has an exponent, that a double might not hold it. */
  readonly longNumbers: boolean
  /** Why the scan ended early. */
  readonly fault: JsonFault | undefined
}

interface JsonFault {
  /**
   * The first character with which the text cannot go on; the length of the text when only its end
   * is missing.
   */
  readonly at: number
  /** One sentence. */
  readonly why: string
  /** True when the text exceeds a limit of `field.ts`; it may be JSON otherwise. */
  readonly isExcess?: boolean
}

/** A double keeps this many digits exactly; only an exponent can exceed its range. */
export const exactDigits = 15

export const pointerOf = (steps: Steps): string => steps.map(pointerStep).join('')

const quote = 0x22

/**
 * Scans a text, JSON or not, and reports its values if asked. Checks the inside of strings, numbers
 * and words only when `isStrict`: JSON.parse is faster, and only the place of a fault needs a scan.
 */
export function scanJson(text: string, { events, isStrict = false }: ScanOptions = {}): JsonScan {
  const token = new Token(text, { isStrict })
  const found = { names: 0, spaced: false }
  const fault = firstFault(text, token, found, events && new Values(events))
  return { names: found.names, spaced: found.spaced, longNumbers: token.hasLongNumber, fault }
}

/** Where the text stops being JSON, or exceeds a limit. Counts in `found` what it has before. */
function firstFault(
  text: string,
  token: Token,
  found: { names: number; spaced: boolean },
  values: Values | undefined,
): JsonFault | undefined {
  /** The brackets that are open. */
  const open: ('{' | '[')[] = []
  /** Names so far of the innermost object that is open, and of those around it. A list has none. */
  let names = 0
  const namesAround: number[] = []
  let awaits: Awaited = 'value'
  let before = ''
  let at = 0
  let nameAt = 0
  let allNames = 0
  let nestedParts = 0
  let entries = 0

  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code <= 0x20 && (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09)) {
      found.spaced = true
      at++
      continue
    }
    const isValueAwaited = awaits === 'value' || awaits === 'value or ]'
    if (code === quote && (isValueAwaited || awaits === 'name' || awaits === 'name or }')) {
      if (!token.readString(at))
        return faultAt(text, token.end, stringFault(text[token.end]), unclosedWords(open, { isInText: true }))
      if (isValueAwaited) {
        values?.scalar(at, token.end)
        awaits = ', or end'
      } else {
        values?.name(nameIn(text, at, token.end), at)
        nameAt = at
        awaits = ':'
      }
      at = token.end
    } else if (code === 0x3a && awaits === ':') {
      allNames++
      if (++names > objectNamesMax) return excess(nameAt, tooManyNames)
      awaits = 'value'
      at++
    } else if (code === 0x2c && awaits === ', or end' && open.length > 0) {
      if (names === 0 && ++entries > listEntriesMax) return excess(at, tooManyEntries)
      awaits = open[open.length - 1] === '{' ? 'name' : 'value'
      at++
    } else if ((code === 0x7b || code === 0x5b) && isValueAwaited) {
      if (open.length === nestingDepthMax) return excess(at, tooDeep)
      if (++nestedParts > nestedPartsMax) return excess(at, tooManyParts)
      const bracket = code === 0x5b ? '[' : '{'
      values?.open(at, bracket)
      open.push(bracket)
      namesAround.push(names)
      names = 0
      awaits = bracket === '[' ? 'value or ]' : 'name or }'
      at++
    } else if (
      (code === 0x7d && open[open.length - 1] === '{' && (awaits === ', or end' || awaits === 'name or }')) ||
      (code === 0x5d && open[open.length - 1] === '[' && (awaits === ', or end' || awaits === 'value or ]'))
    ) {
      at++
      open.pop()
      names = namesAround.pop() ?? 0
      awaits = ', or end'
      values?.close(at)
    } else if (isValueAwaited) {
      if (!token.readScalar(at))
        return faultAt(text, token.end, scalarFault(text[at] ?? '', awaits, open, before), unclosedWords(open))
      values?.scalar(at, token.end)
      awaits = ', or end'
      at = token.end
    } else break
    before = code === 0x2c ? ',' : ''
  }
  found.names = allNames
  if (at === text.length && open.length === 0 && awaits === ', or end') return undefined
  return faultAt(text, at, expectedWords(awaits, open, before, text[at]), unclosedWords(open))
}

/** The name between the quotes; only an escape needs a parser. */
function nameIn(text: string, start: number, end: number): string {
  const between = text.slice(start + 1, end - 1)
  return between.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : between
}

const excess = (at: number, why: string): JsonFault => ({ at, why, isExcess: true })

/** `unclosed` is the fault of a text that ends there. */
const faultAt = (text: string, at: number, why: string, unclosed: string): JsonFault => ({
  at,
  why: at >= text.length ? unclosed : why,
})

const tooManyNames = `One object has more than ${objectNamesMax} names. No object of the contract has that many fields.`
const tooManyEntries = `The lists of the body have more than ${listEntriesMax} entries together. Send fewer records at once.`
const tooDeep = `The body is nested deeper than ${nestingDepthMax} levels.`
const tooManyParts = `The body has more than ${nestedPartsMax} objects and lists. Send fewer records at once.`

/** Reports where values begin and end, and the steps that lead to them. */
class Values {
  readonly #events: JsonEvents
  readonly #steps: (string | number)[] = []
  readonly #starts: number[] = []
  #nameAt = 0

  constructor(events: JsonEvents) {
    this.#events = events
  }

  name(name: string, at: number): void {
    this.#steps[this.#steps.length - 1] = name
    this.#nameAt = at
  }

  scalar(start: number, end: number): void {
    this.#begin(start)
    this.#events.end?.(this.#steps, start, end)
  }

  open(start: number, bracket: '{' | '['): void {
    this.#begin(start)
    this.#starts.push(start)
    this.#steps.push(bracket === '[' ? -1 : '')
  }

  close(end: number): void {
    this.#steps.pop()
    this.#events.end?.(this.#steps, this.#starts.pop() ?? 0, end)
  }

  #begin(start: number): void {
    const last = this.#steps.length - 1
    const step = this.#steps[last]
    if (typeof step === 'number') this.#steps[last] = step + 1
    this.#events.begin?.(this.#steps, typeof step === 'string' ? this.#nameAt : start, start)
  }
}

/**
 * The offset after the closing quote of the string that begins here, or the end of the text when it
 * has none.
 */
export function stringEnd(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    const quoteAt = text.indexOf('"', at)
    if (quoteAt === -1) return text.length
    let backslashes = 0
    while (text.charCodeAt(quoteAt - 1 - backslashes) === 0x5c) backslashes++
    if (backslashes % 2 === 0) return quoteAt + 1
    at = quoteAt
  }
}

/** By the code of their first letter. */
const wordsOf: Readonly<Record<number, string>> = { 116: 'true', 102: 'false', 110: 'null' }

/** Reads strings, numbers and words, one after another. */
class Token {
  /** Where the token that was read ends, or where it goes wrong. */
  end = 0
  /** True when a double might not hold one of the numbers. */
  hasLongNumber = false
  readonly #text: string
  readonly #isStrict: boolean

  constructor(text: string, { isStrict }: Required<Pick<ScanOptions, 'isStrict'>>) {
    this.#text = text
    this.#isStrict = isStrict
  }

  readString(start: number): boolean {
    const text = this.#text
    if (!this.#isStrict) return this.#endsAt(stringEnd(text, start))
    for (let at = start + 1; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === quote) return this.#endsAt(at + 1)
      if (code < 0x20) return this.#failsAt(at)
      if (code !== 0x5c) continue
      at++
      if (text[at] === 'u') {
        for (let digit = 0; digit < 4; digit++) if (!/^[0-9a-fA-F]$/.test(text[++at] ?? '')) return this.#failsAt(at)
      } else if (!/^["\\/bfnrt]$/.test(text[at] ?? '')) return this.#failsAt(at)
    }
    return this.#failsAt(text.length)
  }

  readScalar(start: number): boolean {
    const text = this.#text
    if (!this.#isStrict) return this.#passScalar(start)
    const word = wordsOf[text.charCodeAt(start)]
    if (word === undefined) return this.#readNumber(start)
    let length = 1
    while (length < word.length && text[start + length] === word[length]) length++
    return length === word.length ? this.#endsAt(start + length) : this.#failsAt(start + length)
  }

  #passScalar(start: number): boolean {
    const text = this.#text
    let at = start
    let hasExponent = false
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      // Any other ending is a fault that is found later.
      if (code === 0x2c || code === 0x5d || code === 0x7d || code <= 0x20) break
      if (code === 0x65 || code === 0x45) hasExponent = true
    }
    // The letter e of true and false is no exponent.
    if (at - start > exactDigits || (hasExponent && wordsOf[text.charCodeAt(start)] === undefined))
      this.hasLongNumber = true
    return this.#endsAt(at)
  }

  #readNumber(start: number): boolean {
    const text = this.#text
    let at = text[start] === '-' ? start + 1 : start
    if (!this.#isDigit(at)) return this.#failsAt(at)
    at = text[at] === '0' ? at + 1 : this.#afterDigits(at)
    if (text[at] === '.') {
      if (!this.#isDigit(at + 1)) return this.#failsAt(at + 1)
      at = this.#afterDigits(at + 1)
    }
    const hasExponent = text[at] === 'e' || text[at] === 'E'
    if (hasExponent) {
      at += text[at + 1] === '+' || text[at + 1] === '-' ? 2 : 1
      if (!this.#isDigit(at)) return this.#failsAt(at)
      at = this.#afterDigits(at)
    }
    if (hasExponent || at - start > exactDigits) this.hasLongNumber = true
    return this.#endsAt(at)
  }

  #isDigit(at: number): boolean {
    const code = this.#text.charCodeAt(at)
    return code >= 0x30 && code <= 0x39
  }

  #afterDigits(from: number): number {
    let at = from
    while (this.#isDigit(at)) at++
    return at
  }

  #endsAt(at: number): true {
    this.end = at
    return true
  }

  #failsAt(at: number): false {
    this.end = at
    return false
  }
}
