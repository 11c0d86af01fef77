// JSON text, read without losing anything: JSON.parse keeps the last of two equal keys and rounds long numbers, both in silence.
// A survey of the text says whether there can be such a thing; only then, or when it is asked where the parts lie, the
// text is read name by name (5 µs and 90 µs for an event of 5 lines).
import { listEntriesMax, nestedPartsMax, nestingDepthMax, objectNamesMax } from './field.ts'
import { pointerStep } from './finding.ts'
import { faultIn } from './json-fault.ts'

/** Half-open range of the text. */
interface Span {
  readonly start: number
  readonly end: number
}

export interface JsonObjectText {
  readonly text: string
  readonly value: Readonly<Record<string, unknown>>
  /** True when there is white space between the parts. */
  readonly spaced: boolean
  /** Numbers that a double cannot hold exactly, as written. */
  readonly inexactNumbers: readonly { readonly pointer: string; readonly written: string }[]
  /** Where the parts lie. The first call reads the text name by name. */
  readonly parts: () => JsonParts
}

interface JsonParts {
  /** Where the value of each top-level member lies. */
  readonly members: ReadonlyMap<string, Span>
  /** Where each element lies, for every top-level member that is a list. */
  readonly elements: ReadonlyMap<string, readonly Span[]>
}

/** Why a text is not one unambiguous JSON object, and where. */
export interface JsonDefect {
  readonly defect: string
  /** 1-based. */
  readonly line: number
  readonly column: number
  readonly pointer?: string
}

/**
 * Reads one JSON object. Anything else is a defect, and so are two equal names in one object and more names, levels,
 * list entries or objects than `field.ts` allows.
 */
export function readJsonObject(text: string): JsonObjectText | JsonDefect {
  const survey = surveyOf(text)
  if (survey.excess !== undefined) return defectAt(text, survey.excess.at, survey.excess.defect)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return syntaxDefect(text)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return defectAt(text, 0, `The body is ${describe(value)}. Send one JSON object.`)
  const body = { text, value: value as Record<string, unknown>, spaced: survey.spaced }
  // As many names as the text has colons: then no two of them fell together.
  if (namesIn(value) === survey.colons && !survey.longNumbers) {
    let parts: JsonParts | undefined
    const partsOnce = (): JsonParts => {
      parts ??= partsOf(text)
      return parts
    }
    return { ...body, inexactNumbers: [], parts: partsOnce }
  }
  const scanned = scan(text)
  if ('defect' in scanned) return scanned
  return { ...body, inexactNumbers: scanned.inexactNumbers, parts: () => scanned }
}

const quoteCode = 0x22

interface Survey {
  /** Colons between parts: as many as there are names, when the text is JSON. */
  readonly colons: number
  /** True when there is white space between the parts. */
  readonly spaced: boolean
  /** True when a number is long enough, or has an exponent, that a double might not hold it. */
  readonly longNumbers: boolean
  /** Where the text has too much of something; the rest is not surveyed. */
  readonly excess?: { readonly at: number; readonly defect: string }
}

/**
 * What can be said of a text, JSON or not, without taking anything out of it. Too much of anything is told here, because it
 * is slow to parse: 300,000 empty objects take 55 ms, most of it to clear them away, and 3 ms to count. Line and column are
 * left to the caller: V8 was seen to take the search for line breaks out of two branches and into the loop, and so over the
 * whole text for every character, 80 s for 4 MB.
 */
function surveyOf(text: string): Survey {
  /** Names so far of the innermost object that is open, and of those around it. A list has none. */
  let names = 0
  const namesAround: number[] = []
  let nameAt = 0
  let colons = 0
  let nestedParts = 0
  let entries = 0
  let spaced = false
  let longNumbers = false
  const excess = (at: number, defect: string): Survey => ({ colons, spaced, longNumbers, excess: { at, defect } })
  for (let at = 0; at < text.length; at++)
    switch (text.charCodeAt(at)) {
      case quoteCode:
        nameAt = at
        at = stringEnd(text, at) - 1
        break
      case 0x7b: // {
      case 0x5b: // [
        if (namesAround.push(names) > nestingDepthMax)
          return excess(at, `The body is nested deeper than ${nestingDepthMax} levels.`)
        if (++nestedParts > nestedPartsMax)
          return excess(at, `The body has more than ${nestedPartsMax} objects and lists. Send fewer records at once.`)
        names = 0
        break
      case 0x7d: // }
      case 0x5d: // ]
        names = namesAround.pop() ?? 0
        break
      case 0x3a: // :
        colons++
        if (++names > objectNamesMax)
          return excess(
            nameAt,
            `One object has more than ${objectNamesMax} names. No object of the contract has that many fields.`,
          )
        break
      case 0x2c: // ,
        if (names === 0 && ++entries > listEntriesMax)
          return excess(
            at,
            `The lists of the body have more than ${listEntriesMax} entries together. Send fewer records at once.`,
          )
        break
      case 0x20:
      case 0x0a:
      case 0x0d:
      case 0x09:
        spaced = true
        break
      default: {
        const end = scalarEnd(text, at)
        if (!longNumbers) longNumbers = !isShortNumber(text, at, end)
        // What is not JSON may stop where it begins.
        at = Math.max(at, end - 1)
      }
    }
  return { colons, spaced, longNumbers }
}

/** How many names all objects in a value have together. `for in` knows where each value lies: 0.3 µs for an event of 5 lines, where `Object.keys` takes 1.7. */
function namesIn(value: object): number {
  let names = 0
  if (Array.isArray(value)) {
    for (const part of value) if (typeof part === 'object' && part !== null) names += namesIn(part)
    return names
  }
  for (const name in value) {
    names++
    const part = (value as Record<string, unknown>)[name]
    if (typeof part === 'object' && part !== null) names += namesIn(part)
  }
  return names
}

function partsOf(text: string): JsonParts {
  const scanned = scan(text)
  if ('defect' in scanned) throw new Error('A text without defects has one now.')
  return scanned
}

/** JSON text without the white space between its parts; strings stay as they are. */
export function withoutSpaces(json: string): string {
  let packed = ''
  let from = 0
  for (let at = 0; at < json.length; )
    if (json[at] === '"') at = stringEnd(json, at)
    else if (isSpace(json[at])) {
      packed += json.slice(from, at)
      while (isSpace(json[at])) at++
      from = at
    } else at++
  return packed + json.slice(from)
}

const isSpace = (character: string | undefined): boolean =>
  character === ' ' || character === '\n' || character === '\r' || character === '\t'

interface Frame {
  readonly list: boolean
  /** Keys seen so far; made with the first one. */
  keys?: Set<string>
  key: string
  index: number
  awaitsKey: boolean
}

/** Reads a text that is JSON, name by name. */
function scan(text: string): (JsonParts & Pick<JsonObjectText, 'inexactNumbers'>) | JsonDefect {
  const members = new Map<string, Span>()
  const elements = new Map<string, Span[]>()
  const inexactNumbers: { pointer: string; written: string }[] = []
  const stack: Frame[] = []
  /** Where the value now being read began, for a top-level member and for an element of a top-level list. */
  const begun = [0, 0]

  const pointer = () => stack.map((frame) => pointerStep(frame.list ? frame.index : frame.key)).join('')
  const beginValue = (at: number) => {
    if (stack.length === 1 || stack.length === 2) begun[stack.length - 1] = at
  }
  const endValue = (end: number) => {
    const [top, inner] = stack
    if (top === undefined) return
    if (stack.length === 1) members.set(top.key, { start: begun[0] ?? 0, end })
    else if (stack.length === 2 && inner?.list) {
      const spans = elements.get(top.key)
      if (spans) spans.push({ start: begun[1] ?? 0, end })
      else elements.set(top.key, [{ start: begun[1] ?? 0, end }])
    }
  }

  for (let at = 0; at < text.length; ) {
    const character = text[at]
    const frame = stack.at(-1)
    switch (character) {
      case '{':
      case '[':
        beginValue(at)
        stack.push({ list: character === '[', key: '', index: 0, awaitsKey: character === '{' })
        at++
        break
      case '}':
      case ']':
        stack.pop()
        at++
        endValue(at)
        break
      case ',':
        if (frame?.list) frame.index++
        else if (frame) frame.awaitsKey = true
        at++
        break
      case '"': {
        const end = stringEnd(text, at)
        if (frame?.awaitsKey) {
          frame.key = nameIn(text, at, end)
          frame.awaitsKey = false
          frame.keys ??= new Set()
          if (frame.keys.has(frame.key))
            return defectAt(text, at, `The name ${quote(frame.key)} occurs twice in one object. Keep one.`, pointer())
          frame.keys.add(frame.key)
        } else {
          beginValue(at)
          endValue(end)
        }
        at = end
        break
      }
      case ' ':
      case '\n':
      case '\r':
      case '\t':
      case ':':
        at++
        break
      default: {
        const end = scalarEnd(text, at)
        beginValue(at)
        endValue(end)
        if (inexactNumbers.length < inexactNumbersMax) {
          const written = text.slice(at, end)
          if (isNumberText(written) && !isExact(written)) inexactNumbers.push({ pointer: pointer(), written })
        }
        at = end
      }
    }
  }
  return { members, elements, inexactNumbers }
}

/** More than this many are not worth listing: the payload is refused all the same. */
const inexactNumbersMax = 1_000

/** Where the string that begins here ends: behind its closing quote, or with the text when it has none. */
export function stringEnd(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    const quoteAt = text.indexOf('"', at)
    if (quoteAt === -1) return text.length
    let backslashes = 0
    while (text[quoteAt - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return quoteAt + 1
    at = quoteAt
  }
}

/** The name between the quotes; only an escape needs a parser. */
function nameIn(text: string, start: number, end: number): string {
  const between = text.slice(start + 1, end - 1)
  return between.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : between
}

const scalarStop = /[,\]}\s]/g

/** Where the number or word that begins here ends. */
export function scalarEnd(text: string, start: number): number {
  scalarStop.lastIndex = start
  return scalarStop.exec(text)?.index ?? text.length
}

/** True for `true`, `false`, `null`, and a number so short that a double holds it. */
const isShortNumber = (text: string, start: number, end: number): boolean =>
  (end - start <= exactDigits && !/[eE]/.test(text.slice(start, end))) || !isNumberText(text.slice(start, end))

/** So many digits a double always keeps; only an exponent could still leave its range. */
const exactDigits = 15

const isNumberText = (written: string): boolean => written !== 'true' && written !== 'false' && written !== 'null'

/** True when the double nearest to the written number is that number, so that whoever reads the record reads what was sent. */
function isExact(written: string): boolean {
  if (written.length <= exactDigits && !/[eE]/.test(written)) return true
  const nearest = Number(written)
  return Number.isFinite(nearest) && decimal(written) === decimal(String(nearest))
}

/** One spelling for each decimal number: `-12.50e3` becomes `-125e2`. */
function decimal(written: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(written) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = trimmedRight(digits)
  if (significant === '') return '0'
  return `${sign}${significant}e${Number(exponent) - fraction.length + (digits.length - significant.length)}`
}

/** Without trailing zeros. A loop, because `/0+$/` takes quadratic time on a long run of zeros. */
function trimmedRight(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

function syntaxDefect(text: string): JsonDefect {
  if (text.startsWith('\uFEFF'))
    return defectAt(text, 0, 'The body begins with a byte order mark. Send UTF-8 without one.')
  if (text.trim() === '') return defectAt(text, 0, 'The body is empty. Send one JSON object.')
  const { at, why } = faultIn(text)
  return defectAt(
    text,
    at,
    `${at >= text.length ? 'The JSON ends before it is complete.' : 'This is not valid JSON.'} ${why}`,
  )
}

function defectAt(text: string, at: number, defect: string, pointer?: string): JsonDefect {
  let [line, lineStart] = [1, 0]
  for (let feed = text.indexOf('\n'); feed !== -1 && feed < at; feed = text.indexOf('\n', lineStart)) {
    line++
    lineStart = feed + 1
  }
  const column = at - lineStart + 1
  return { defect, line, column, ...(pointer !== undefined && { pointer }) }
}

const quote = (name: string): string => JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name)

const describe = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`
