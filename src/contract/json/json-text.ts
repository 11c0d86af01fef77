// JSON text, read without losing anything: JSON.parse keeps the last of two equal keys and rounds
// long numbers, both in silence. A scan of the text (5 µs for an event of 5 lines) shows whether
// either is possible. Only then, or when the positions of parts are needed, the text is read name
// by name (13 µs).
import { exactDigits, type JsonEvents, type JsonScan, pointerOf, scanJson, stringEnd } from './json-scan.ts'

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
 * Reads one JSON object. Anything else is a defect, and so are two equal names in one object and
 * more names, levels, list entries or objects than `field.ts` allows.
 */
export function readJsonObject(text: string): JsonObjectText | JsonDefect {
  const { fault, names, spaced, longNumbers } = scanJson(text)
  if (fault?.isExcess) return defectAt(text, fault.at, fault.why)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return syntaxDefect(text)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return defectAt(text, 0, `The body is ${describe(value)}. Send one JSON object.`)
  // The value has as many names as the text, so no name occurs twice in an object.
  let read = namesIn(value) === names && !longNumbers ? undefined : readParts(text, { longNumbers })
  if (read?.repeated !== undefined) return read.repeated
  return {
    text,
    value: value as Record<string, unknown>,
    spaced,
    inexactNumbers: read?.inexactNumbers ?? [],
    parts: () => {
      read ??= readParts(text, { longNumbers })
      return read
    },
  }
}

/**
 * Number of names of all objects in a value. `for in` takes 0.3 µs for an event of 5 lines,
 * `Object.keys` 1.7.
 */
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

interface ReadParts extends JsonParts, Pick<JsonObjectText, 'inexactNumbers'> {
  /** The first name that occurs twice in one object. */
  readonly repeated: JsonDefect | undefined
}

/** Reads an object, which the text must be, name by name. */
function readParts(text: string, { longNumbers }: Pick<JsonScan, 'longNumbers'>): ReadParts {
  const members = new Map<string, Span>()
  const elements = new Map<string, Span[]>()
  const inexactNumbers: { pointer: string; written: string }[] = []
  /** Names of the objects that lead to the value, the innermost last. */
  const namesSeen: Set<string>[] = []
  let repeated: JsonDefect | undefined
  const events: JsonEvents = {
    begin: (steps, nameAt, start) => {
      const depth = steps.length
      const name = steps[depth - 1]
      if (typeof name === 'string') {
        const seen = namesSeen[depth]
        if (seen?.has(name))
          repeated ??= defectAt(
            text,
            nameAt,
            `The name ${quote(name)} occurs twice in one object. Keep one.`,
            pointerOf(steps),
          )
        seen?.add(name)
      }
      if (text[start] === '{') namesSeen[depth + 1] = new Set()
    },
    end: (steps, start, end) => {
      const [name, index] = steps
      if (steps.length === 1) members.set(name as string, { start, end })
      else if (steps.length === 2 && typeof index === 'number') {
        const spans = elements.get(name as string)
        if (spans) spans.push({ start, end })
        else elements.set(name as string, [{ start, end }])
      }
      if (!longNumbers || inexactNumbers.length === inexactNumbersMax || !/[-\d]/.test(text[start] ?? '')) return
      const written = text.slice(start, end)
      if (!isExact(written)) inexactNumbers.push({ pointer: pointerOf(steps), written })
    },
  }
  scanJson(text, { events })
  return { members, elements, inexactNumbers, repeated }
}

/** The most that are listed; the payload is rejected anyway. */
const inexactNumbersMax = 1_000

/**
 * True when the double nearest to the written number is that number, so that readers get the number
 * that was sent.
 */
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
  const { at, why } = scanJson(text, { isStrict: true }).fault ?? { at: 0, why: '' }
  const what = at >= text.length ? 'The JSON ends before it is complete.' : 'This is not valid JSON.'
  return defectAt(text, at, `${what} ${why}`)
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
