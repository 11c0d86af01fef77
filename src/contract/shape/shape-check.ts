// Checks whether a value has its declared shape, and writes its canonical text in the same walk.
// Nearly every payload has its shape; `read-shape.ts` finds the breaches of the others. Each shape
// becomes a tree of closures once: 7 µs for an event of 5 lines, where `read-shape.ts` takes 170.

import { asciiOf, JsonBytes } from '../json/json-bytes.ts'
import { isPlainText } from '../text/hidden-characters.ts'
import { isCalendarDate, isDateTime } from './date-and-time.ts'
import { isGiven, listEntriesMax, type Shape, stringLengthMax } from './field.ts'

/** What is told about a value while its shape is checked. */
export interface ShapeNotes {
  /** Called for texts that may hide a character. */
  readonly noteUnusual?: (() => void) | undefined
  /**
   * Called with what `canonicalJson` makes of a value that has its shape, as UTF-8, without the id
   * at the top. The bytes are valid during the call.
   */
  readonly noteContent?: ((canonical: Uint8Array) => void) | undefined
}

interface Count {
  /** All lists of a body share one limit. */
  entriesLeft: number
  readonly noteUnusual: (() => void) | undefined
}

/** Checks a value, and writes it. */
type Check = (value: unknown, count: Count) => boolean

const compiled = new WeakMap<Shape, Check>()

/** The canonical text of the value that is checked. */
const canonical = new JsonBytes()

/**
 * True only when `readShape` would report nothing. False is no proof of a breach: a long text may
 * still have few enough code points.
 */
export function hasShape(shape: Shape, value: unknown, { noteUnusual, noteContent }: ShapeNotes = {}): boolean {
  let check = compiled.get(shape)
  if (check === undefined) {
    check = checkOf(shape, 'id')
    compiled.set(shape, check)
  }
  canonical.begin()
  if (!check(value, { entriesLeft: listEntriesMax, noteUnusual })) return false
  noteContent?.(canonical.written())
  return true
}

/** `unwritten` is the field of an object that is checked alone. */
function checkOf(shape: Shape, unwritten?: string): Check {
  if (shape['x-one-or-many']) {
    const [one, many] = ['object', 'array'].map((type) => checkOf(shape.anyOf?.find((of) => of.type === type) ?? {}))
    return (value, count) => (Array.isArray(value) ? many : one)?.(value, count) ?? false
  }
  switch (shape.type) {
    case 'object':
      return objectCheck(shape, unwritten)
    case 'array':
      return listCheck(shape)
    case 'string':
      return textCheck(shape)
    default:
      return (value) => {
        if (typeof value !== shape.type) return false
        canonical.putWord(typeof value === 'number' && !Number.isFinite(value) ? 'null' : String(value))
        return true
      }
  }
}

interface Field {
  readonly name: string
  /** Its place in the canonical text. */
  readonly place: number
  /** The comma before it, its name and the colon. */
  readonly begin: Uint8Array
  readonly check: Check
  readonly required: boolean
  readonly written: boolean
}

function objectCheck({ properties = {}, required = [] }: Shape, unwritten: string | undefined): Check {
  const declared = Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1))
  const fields = new Map(
    declared.map(([name, shape], place): [string, Field] => [
      name,
      {
        name,
        place,
        begin: asciiOf(`,${JSON.stringify(name)}:`),
        check: checkOf(shape),
        required: required.includes(name),
        written: name !== unwritten,
      },
    ]),
  )
  return (value, count) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    const given: Field[] = []
    for (const name in value) {
      const field = fields.get(name)
      if (field === undefined) return false
      let at = given.length
      given.push(field)
      for (; at > 0 && (given[at - 1] as Field).place > field.place; at--) given[at] = given[at - 1] as Field
      given[at] = field
    }
    const start = canonical.length
    let requiredLeft = required.length
    for (let at = 0; at < given.length; at++) {
      const { name, begin, check, required, written } = given[at] as Field
      const part = (value as Record<string, unknown>)[name]
      const before = canonical.length
      canonical.put(begin)
      if (!check(part, count)) return false
      if (!written) canonical.shorten(before)
      if (required) {
        if (!isGiven(part)) return false
        requiredLeft--
      }
    }
    canonical.enclose(start, 0x7b, 0x7d)
    return requiredLeft === 0
  }
}

function listCheck({ items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Shape): Check {
  const check = checkOf(items)
  return (value, count) => {
    if (!Array.isArray(value) || value.length < minItems || value.length > maxItems) return false
    count.entriesLeft -= value.length
    if (count.entriesLeft < 0) return false
    const start = canonical.length
    for (let at = 0; at < value.length; at++) {
      canonical.put(comma)
      if (!check(value[at], count)) return false
    }
    canonical.enclose(start, 0x5b, 0x5d)
    return true
  }
}

const comma = asciiOf(',')

const forms = { date: isCalendarDate, dateTime: isDateTime }

function textCheck({ maxLength = stringLengthMax, 'x-form': form, enum: values }: Shape): Check {
  const formed = form && forms[form]
  return (value, count) => {
    // In code units: a longer text may still be short enough in code points, which read-shape.ts
    // counts.
    if (typeof value !== 'string' || value.length > maxLength) return false
    if (!canonical.putPlainText(value)) {
      if (!isPlainText(value)) {
        count.noteUnusual?.()
        if (value.includes('\u0000') || !value.isWellFormed()) return false
      }
      canonical.putJson(JSON.stringify(value))
    }
    return (formed === undefined || formed(value)) && (values === undefined || values.includes(value))
  }
}
