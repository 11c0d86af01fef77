// Checks whether a value has its declared shape. Nearly every payload has; `read-shape.ts` finds
// the breaches of the others. Each shape becomes a tree of closures once: 12 µs for an event of 5
// lines, where `read-shape.ts` takes 170.

import { isPlainText } from '../text/hidden-characters.ts'
import { isCalendarDate, isDateTime } from './date-and-time.ts'
import { isGiven, listEntriesMax, type Shape, stringLengthMax } from './field.ts'

interface Count {
  /** All lists of a body share one limit. */
  entriesLeft: number
  readonly noteUnusual: () => void
}

type Check = (value: unknown, count: Count) => boolean

const compiled = new WeakMap<Shape, Check>()

/**
 * True only when `readShape` would report nothing. False is no proof of a breach: a long text may
 * still have few enough code points. Calls `noteUnusual` for texts that may hide a character.
 */
export function hasShape(shape: Shape, value: unknown, noteUnusual: () => void): boolean {
  let check = compiled.get(shape)
  if (check === undefined) {
    check = checkOf(shape)
    compiled.set(shape, check)
  }
  return check(value, { entriesLeft: listEntriesMax, noteUnusual })
}

function checkOf(shape: Shape): Check {
  if (shape['x-one-or-many']) {
    const checks = shape.anyOf?.map(checkOf) ?? []
    return (value, count) => checks.some((check) => check(value, count))
  }
  switch (shape.type) {
    case 'object':
      return objectCheck(shape)
    case 'array':
      return listCheck(shape)
    case 'string':
      return textCheck(shape)
    default:
      return (value) => typeof value === shape.type
  }
}

function objectCheck({ properties = {}, required = [] }: Shape): Check {
  const fields = new Map(
    Object.entries(properties).map(([name, field]) => [
      name,
      { check: checkOf(field), required: required.includes(name) },
    ]),
  )
  return (value, count) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    let requiredLeft = required.length
    for (const name in value) {
      const field = fields.get(name)
      if (field === undefined) return false
      const part = (value as Record<string, unknown>)[name]
      if (!field.check(part, count)) return false
      if (field.required) {
        if (!isGiven(part)) return false
        requiredLeft--
      }
    }
    return requiredLeft === 0
  }
}

function listCheck({ items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Shape): Check {
  const check = checkOf(items)
  return (value, count) => {
    if (!Array.isArray(value) || value.length < minItems || value.length > maxItems) return false
    count.entriesLeft -= value.length
    return count.entriesLeft >= 0 && value.every((item) => check(item, count))
  }
}

const forms = { date: isCalendarDate, dateTime: isDateTime }

function textCheck({ maxLength = stringLengthMax, 'x-form': form, enum: values }: Shape): Check {
  const formed = form && forms[form]
  return (value, count) =>
    typeof value === 'string' &&
    // In code units: a longer text may still be short enough in code points, which read-shape.ts
    // counts.
    value.length <= maxLength &&
    (isPlainText(value) || isWellFormed(value, count)) &&
    (formed === undefined || formed(value)) &&
    (values === undefined || values.includes(value))
}

function isWellFormed(text: string, { noteUnusual }: Count): boolean {
  noteUnusual()
  return !text.includes('\u0000') && text.isWellFormed()
}
