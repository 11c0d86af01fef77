// How a field of the contract is declared. Everything that documents, checks, lists or draws a
// field uses this declaration.
import type { TArray, TBoolean, TNumber, TObject, TSchema, TString } from 'typebox'
import { declareLimit } from '../../limits.ts'
import { Type } from './type.ts'

/**
 * The longest string any field takes, in Unicode code points. Source: §2 general constraints, §8.
 */
export const stringLengthMax = declareLimit(
  'stringLength',
  100,
  'characters',
  'Characters (Unicode code points) in a string.',
)

/**
 * Most names one object of a body may have; the largest declared object has 43. Source:
 * docs/decisions/0019-hostile-input.md.
 */
export const objectNamesMax = declareLimit('objectNames', 1_000, 'names', 'Names in one object of a body.')

/**
 * Deepest nesting of objects and lists a body may have. Source:
 * docs/decisions/0019-hostile-input.md.
 */
export const nestingDepthMax = declareLimit('nesting', 32, 'levels', 'Levels of nesting; the body itself is the first.')

/**
 * Most entries all lists of one body may have together. Each list has its own limit, but lists in
 * lists multiply: a thousand events of five thousand lines fit into ten megabytes when the lines
 * are empty.
 */
export const listEntriesMax = declareLimit('listEntries', 50_000, 'entries', 'Entries of all lists of a body together.')

/** Most objects and lists a body may have: every entry may be one and hold another. */
export const nestedPartsMax = declareLimit(
  'objects',
  2 * listEntriesMax,
  'objects',
  'Objects and lists of a body together.',
)

/** The declaration of a field beside its type. */
export interface FieldSays {
  /** One sentence on the value that a person enters. */
  readonly meaning: string
  /** A value as it would really be sent. */
  readonly example: unknown
  /** Section of the contract that defines the field, e.g. `2.4`. */
  readonly section: string
  /** Unit, or the name of the field that carries it. */
  readonly unit?: string
  /** When an otherwise optional field must be there. */
  readonly requiredWhen?: string
  /** Values the contract lists, whether or not they are a closed set. */
  readonly listed?: readonly string[]
  /** Names of the field in other programs; compared without case and separators. */
  readonly synonyms?: readonly string[]
  /** Of a list: the remedy for too many entries, if it is not to send several payloads. */
  readonly tooMany?: string
}

/** How the text of a string field must be formed, beyond its length. */
type TextForm = 'date' | 'dateTime'

/** The annotations of a field in JSON Schema, and so in OpenAPI. */
export type FieldAnnotations = {
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly 'x-section'?: string
  readonly 'x-unit'?: string
  readonly 'x-required-when'?: string
  readonly 'x-listed-values'?: readonly string[]
  readonly 'x-synonyms'?: readonly string[]
  readonly 'x-too-many'?: string
  readonly 'x-form'?: TextForm
  readonly 'x-one-or-many'?: boolean
}

/** The keywords of JSON Schema that are read from a declared shape. */
export interface Shape extends FieldAnnotations {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  readonly minItems?: number
  readonly maxItems?: number
  readonly maxLength?: number
  readonly anyOf?: readonly Shape[]
  readonly title?: string
  readonly format?: string
  readonly enum?: readonly string[]
}

/** `yyyy-MM-dd`. Whether the date is in the calendar is checked by `calendarDate`. Source: §2. */
export const datePattern = '^\\d{4}-\\d{2}-\\d{2}$'

/** The three datetime forms of §2: UTC, or a whole-hour offset. */
export const dateTimePattern = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(Z|[+-]\\d{2}:00)$'

export const text = (says: FieldSays): TString => Type.String({ maxLength: stringLengthMax, ...annotations(says) })

export const date = (says: FieldSays): TString =>
  Type.String({ maxLength: stringLengthMax, pattern: datePattern, 'x-form': 'date', ...annotations(says) })

export const dateTime = (says: FieldSays): TString =>
  Type.String({ maxLength: stringLengthMax, pattern: dateTimePattern, 'x-form': 'dateTime', ...annotations(says) })

/** Text that is one of a closed set. */
export const choice = <const V extends string>(values: readonly V[], says: FieldSays) =>
  Type.Unsafe<V>({ type: 'string', maxLength: stringLengthMax, enum: values, ...annotations(says) })

export const number = (says: FieldSays): TNumber => Type.Number(annotations(says))

export const boolean = (says: FieldSays): TBoolean => Type.Boolean(annotations(says))

/**
 * Marks a field that may be left out. Optional fields are the exception to name, so that none is
 * optional by accident.
 */
export const optional = Type.Optional

/**
 * A closed object: a field that is not declared is refused, because dropping it would lose data
 * (decision 0004). The name is the one it has in OpenAPI.
 */
export const object = <P extends Record<string, TSchema>>(name: string, properties: P, says?: FieldSays): TObject<P> =>
  Type.Object(properties, { title: name, additionalProperties: false, ...(says && annotations(says)) })

export const list = <I extends TSchema>(
  items: I,
  says: FieldSays,
  bounds: { minItems?: number; maxItems: number },
): TArray<I> => Type.Array(items, { ...bounds, ...annotations(says) })

/** One object, or a list of them, as the create operations take them (decision 0015). */
export const oneOrMany = <I extends TObject>(item: I, maxItems: number, says: FieldSays) =>
  Type.Union([item, Type.Array(item, { minItems: 1, maxItems })], {
    'x-one-or-many': true,
    ...annotations({ ...says, tooMany: 'Send several payloads.' }),
  })

/** True when a field carries something: blank text counts as absent (decision 0009). */
export const isGiven = <T>(value: T | null | undefined): value is T & {} =>
  value !== undefined && value !== null && (typeof value !== 'string' || !isBlank(value))

/** True for a text that a field can carry: not blank, of allowed length and characters. */
export const isFieldText = (text: string): boolean =>
  isGiven(text) &&
  [...text.slice(0, 2 * stringLengthMax + 1)].length <= stringLengthMax &&
  !text.includes('\u0000') &&
  text.isWellFormed()

/** Avoids `trim` for nearly every text, which begins with a printable ASCII character. */
const isBlank = (text: string): boolean => !(text.charCodeAt(0) > 32 && text.charCodeAt(0) < 127) && text.trim() === ''

/** The fields of an object that carry something. */
export function givenOf(fields: object = {}): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) if (isGiven(value)) kept[name] = value
  return kept
}

function annotations(says: FieldSays): FieldAnnotations {
  return {
    description: says.meaning,
    examples: [says.example],
    'x-section': says.section,
    ...(says.unit !== undefined && { 'x-unit': says.unit }),
    ...(says.requiredWhen !== undefined && { 'x-required-when': says.requiredWhen }),
    ...(says.listed !== undefined && { 'x-listed-values': says.listed }),
    ...(says.synonyms !== undefined && { 'x-synonyms': says.synonyms }),
    ...(says.tooMany !== undefined && { 'x-too-many': says.tooMany }),
  }
}
