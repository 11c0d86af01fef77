// From unknown to typed: walks a value beside its declared shape and reports every place where they
// differ, all at once.
import type { TSchema } from 'typebox'
import { dateFault, dateTimeFault, isCalendarDate, isDateTime } from './date-and-time.ts'
import { isGiven, listEntriesMax, type Shape, stringLengthMax } from './field.ts'
import { pointerStep } from './finding.ts'
import { adviceOn, isFieldOf, unwrappedField } from './known-names.ts'
import { hasShape, type ShapeNotes } from './shape-check.ts'
import {
  envelopeWords,
  missingWords,
  quote,
  quotedLengthMax,
  tooManyWords,
  valueWords,
  wantedWords,
} from './shape-words.ts'

/** The general constraints of §2, one id each; `rules/shape.ts` has severity and remedy. */
export type ShapeRuleId =
  | 'shape/required'
  | 'shape/type'
  | 'shape/length'
  | 'shape/text'
  | 'shape/number'
  | 'shape/date'
  | 'shape/date-time'
  | 'shape/unknown-field'
  | 'shape/list-minimum'
  | 'shape/list-maximum'
  | 'shape/record-id'
  | 'shape/address'
  | 'shape/message-type'
  | 'shape/place'
  | 'shape/grant'

export interface ShapeBreach {
  readonly rule: ShapeRuleId
  readonly pointer: string
  readonly message: string
  /** Section of the field's own declaration. */
  readonly section?: string
}

/**
 * Called once per breach. The message is made on demand: a hostile body can have a million
 * breaches.
 */
export type ShapeReport = (breach: () => ShapeBreach) => void

/** `T` with every field possibly absent: a payload without the parts that breach its shape. */
export type Loose<T> = T extends readonly (infer I)[]
  ? readonly Loose<I>[]
  : T extends object
    ? { readonly [K in keyof T]?: Loose<T[K]> | undefined }
    : T

/**
 * Reports every breach, and returns the valid parts for the rules. The submitted text is stored:
 * nothing is coerced, stripped or defaulted. A refused field or list entry reads as undefined there
 * and calls `refusedRead`, so that no rule takes a wrong value for a missing one (decision 0054).
 */
export function readShape(
  shape: TSchema,
  value: unknown,
  report: ShapeReport,
  { refusedRead = () => undefined, ...notes }: ShapeNotes & { readonly refusedRead?: () => void } = {},
): unknown {
  if (hasShape(shape as Shape, value, notes)) return value
  // Of a body with breaches, the check above may have seen a part only.
  notes.noteUnusual?.()
  const refused = { get: refusedRead as () => undefined, enumerable: true, configurable: true }
  const root = shape as Shape
  return read(root, value, '', { report, refused, root, listed: new Set(), entriesLeft: listEntriesMax })
}

/** True for a field or list entry whose value the shape refused. */
export const isRefused = (holder: object, name: string | number): boolean =>
  Object.getOwnPropertyDescriptor(holder, name)?.get !== undefined

/** The state of one walk. */
interface Walk {
  readonly report: ShapeReport
  /** The property that is in the place of a refused value. */
  readonly refused: PropertyDescriptor
  /** The shape of the whole body. */
  readonly root: Shape
  /** Objects whose names were listed in a message. */
  readonly listed: Set<Shape>
  entriesLeft: number
}

function read(shape: Shape, value: unknown, pointer: string, walk: Walk): unknown {
  if (shape['x-one-or-many']) {
    const many = shape.anyOf?.find((choice) => choice.type === 'array')
    const one = shape.anyOf?.find((choice) => choice.type === 'object')
    return read({ ...shape, ...(Array.isArray(value) ? many : one), 'x-one-or-many': false }, value, pointer, walk)
  }
  if (typeName(value) !== shape.type) {
    walk.report(() => ({
      rule: 'shape/type',
      pointer,
      message: `${nameOf(pointer)} is ${valueWords(value)}. ${wantedWords(shape, value)}`,
      ...sectionOf(shape),
    }))
    return undefined
  }
  switch (shape.type) {
    case 'object':
      return readObject(shape, value as Record<string, unknown>, pointer, walk)
    case 'array':
      return readList(shape, value as unknown[], pointer, walk)
    case 'string':
      return readText(shape, value as string, pointer, walk) ? value : undefined
    default:
      return value
  }
}

interface Field {
  readonly name: string
  readonly shape: Shape
  readonly required: boolean
}

/** The fields of each object shape, listed once: 50,000 empty lines took twice as long without. */
const fieldsOfShapes = new WeakMap<object, readonly Field[]>()

function fieldsOf({ properties = {}, required = [] }: Shape): readonly Field[] {
  let fields = fieldsOfShapes.get(properties)
  if (fields === undefined) {
    fields = Object.entries(properties).map(([name, shape]) => ({ name, shape, required: required.includes(name) }))
    fieldsOfShapes.set(properties, fields)
  }
  return fields
}

function readObject(shape: Shape, value: Record<string, unknown>, pointer: string, walk: Walk): unknown {
  const kept: Record<string, unknown> = {}
  const unwrapped = pointer === '' ? unwrappedField(shape, Object.keys(value)) : undefined
  for (const { name, shape: field, required } of fieldsOf(shape)) {
    const present = Object.hasOwn(value, name)
    if (required && !(present && isGiven(value[name]))) {
      Object.defineProperty(kept, name, walk.refused)
      // Reported once for the whole object, below.
      if (unwrapped !== undefined && !present) continue
      walk.report(() => ({
        rule: 'shape/required',
        pointer: pointer + pointerStep(name),
        message: missingWords(name, field, value[name]),
        ...sectionOf(field),
      }))
    } else if (present) {
      // Declared names need no escaping, and this is the path of every field that is right.
      const read_ = read(field, value[name], `${pointer}/${name}`, walk)
      if (read_ === undefined) Object.defineProperty(kept, name, walk.refused)
      else kept[name] = read_
    }
  }
  if (unwrapped !== undefined)
    walk.report(() => ({
      rule: 'shape/required',
      pointer: pointerStep(unwrapped),
      message: envelopeWords(shape, unwrapped),
      ...sectionOf(shape),
    }))
  const properties = shape.properties ?? {}
  for (const name of Object.keys(value))
    if (!Object.hasOwn(properties, name) && !(unwrapped !== undefined && isFieldOf(properties[unwrapped], name)))
      walk.report(() => unknownName(name, { shape, pointer, given: Object.keys(value) }, walk))
  return kept
}

function unknownName(
  name: string,
  { shape, pointer, given }: { readonly shape: Shape; readonly pointer: string; readonly given: readonly string[] },
  walk: Walk,
): ShapeBreach {
  const { root } = walk
  let advice = adviceOn(name, { root, shape, pointer, given })
  // Listed once per object: it may have a thousand unknown names.
  if (advice === undefined && name.length <= quotedLengthMax && !walk.listed.has(shape)) {
    walk.listed.add(shape)
    const known = Object.keys(shape.properties ?? {}).filter((one) => !given.includes(one))
    if (known.length > 0) advice = ` Known here: ${known.join(', ')}.`
  }
  return {
    rule: 'shape/unknown-field',
    pointer: pointer + pointerStep(name),
    message: `${quote(name)} is not a field here.${advice ?? ''}`,
    ...sectionOf(shape),
  }
}

function readList(shape: Shape, value: unknown[], pointer: string, walk: Walk): unknown {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = shape
  if (value.length > maxItems) {
    // Entries of a rejected list are not read, to bound the work.
    walk.report(() => ({
      rule: 'shape/list-maximum',
      pointer,
      message: `${nameOf(pointer)} has ${value.length} entries. At most ${maxItems} are taken. ${tooManyWords(shape)}`,
      ...sectionOf(shape),
    }))
    return undefined
  }
  walk.entriesLeft -= value.length
  if (walk.entriesLeft < 0) {
    walk.report(() => ({
      rule: 'shape/list-maximum',
      pointer,
      message: `${nameOf(pointer)} brings the lists of the body past ${listEntriesMax} entries in all. Send fewer records at once.`,
      ...sectionOf(shape),
    }))
    return undefined
  }
  if (value.length < minItems)
    walk.report(() => ({
      rule: 'shape/list-minimum',
      pointer,
      message: `${nameOf(pointer)} has ${value.length} ${value.length === 1 ? 'entry' : 'entries'}. At least ${minItems} ${minItems === 1 ? 'is' : 'are'} needed.`,
      ...sectionOf(shape),
    }))
  const items = shape.items ?? {}
  const kept = value.map((item, index) => read(items, item, `${pointer}/${index}`, walk))
  for (const [index, item] of kept.entries()) if (item === undefined) Object.defineProperty(kept, index, walk.refused)
  return kept
}

function readText(shape: Shape, value: string, pointer: string, walk: Walk): boolean {
  const breach = textBreach(shape, value)
  if (breach === undefined) return true
  const [rule, message] = breach
  walk.report(() => ({ rule, pointer, message: `${nameOf(pointer)} ${message}`, ...sectionOf(shape) }))
  return false
}

function textBreach(shape: Shape, value: string): [ShapeRuleId, string] | undefined {
  const lengthMax = shape.maxLength ?? stringLengthMax
  // Code points, as the contract's "characters" and as PostgreSQL counts; `length` is an upper
  // bound for them.
  if (value.length > lengthMax) {
    const length = value.length > longestCounted ? undefined : codePointsIn(value)
    if (length === undefined || length > lengthMax)
      return [
        'shape/length',
        `has ${length ?? `more than ${longestCounted / 2}`} characters. At most ${lengthMax} are taken.`,
      ]
  }
  if (value.includes('\u0000') || !value.isWellFormed())
    return ['shape/text', 'contains a NUL character or half a surrogate pair, which is not text.']
  if (shape.enum !== undefined && !shape.enum.includes(value))
    return ['shape/type', `is ${quote(value)}. It must be one of ${shape.enum.join(', ')}.`]
  if (shape['x-form'] === 'date' && !isCalendarDate(value))
    return ['shape/date', `is ${quote(value)}. ${dateFault(value)}`]
  if (shape['x-form'] === 'dateTime' && !isDateTime(value))
    return ['shape/date-time', `is ${quote(value)}. ${dateTimeFault(value)}`]
  return undefined
}

/** Code units of the longest text whose characters are counted for a message. */
const longestCounted = 100_000

function codePointsIn(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/**
 * How a message names the place of a pointer: its last name, or for an entry of a list, the list
 * and its number.
 */
function nameOf(pointer: string): string {
  const steps = pointer.split('/').slice(1)
  const last = steps.at(-1)
  if (last === undefined) return 'The body'
  return /^\d+$/.test(last) && steps.length > 1 ? `${steps.at(-2)} entry ${last}` : last
}

const sectionOf = (shape: Shape) => {
  const section = shape['x-section'] ?? Object.values(shape.properties ?? {})[0]?.['x-section']
  return section === undefined ? {} : { section }
}
