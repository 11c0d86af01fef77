// Words of messages about a shape: the sent value, the expected form, and the example of the field.
import type { Shape } from './field.ts'

/** Most characters of a value or name that a message quotes. */
export const quotedLengthMax = 60

/** A text as a message quotes it: in quotes, and cut where it is long. */
export const quote = (text: string): string =>
  JSON.stringify(text.length > quotedLengthMax ? `${text.slice(0, quotedLengthMax)}…` : text)

/** `"40" (text)`, `7781 (a number)`, `a list`. */
export function valueWords(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  switch (typeof value) {
    case 'string':
      return `${quote(value)} (text)`
    case 'number':
      return `${value} (a number)`
    case 'boolean':
      return String(value)
    default:
      return 'an object'
  }
}

/** The expected value of a field, as a sentence. */
export function wantedWords(shape: Shape, value: unknown): string {
  const must = value === null ? 'Leave the field out, or send' : 'It must be'
  return `${must} ${typeWords(shape, value)}.`
}

function typeWords(shape: Shape, value: unknown): string {
  switch (shape.type) {
    case 'boolean':
      return 'true or false'
    case 'number':
      return `a number, e.g. ${numberIn(value) ?? exampleOf(shape) ?? '1'}`
    case 'string':
      return `text${exampleWords(shape)}`
    case 'array':
      return 'a list'
    default:
      return `an object with ${formatList(Object.keys(shape.properties ?? {}))}`
  }
}

/** The number that a text spells as JSON does. */
const numberIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^-?(0|[1-9]\d{0,14})(\.\d{1,10})?$/.test(value) ? value : undefined

/** The example of a field as JSON; of an object or list none, which is too long for a sentence. */
function exampleOf({ examples: [example] = [] }: Shape): string | undefined {
  return example === undefined || typeof example === 'object' ? undefined : JSON.stringify(example)
}

const exampleWords = (shape: Shape): string => {
  const example = exampleOf(shape)
  return example === undefined ? '' : `, e.g. ${example}`
}

/** Most names that a sentence lists. */
const listedMax = 8

const formatList = (names: readonly string[]): string =>
  names.length > listedMax ? `${names.slice(0, listedMax).join(', ')} and others` : names.join(', ')

/** Of a required field without a value. */
export function missingWords(name: string, shape: Shape, value: unknown): string {
  const how = value === undefined ? 'missing' : value === null ? 'null' : 'blank, and blank counts as absent'
  const example = exampleOf(shape)
  return `${name} is required and is ${how}.${example === undefined ? '' : ` Example: ${example}.`}`
}

/** Of a body that holds the content of one field, without the envelope around it. */
export function envelopeWords({ properties = {}, required = [] }: Shape, field: string): string {
  const form = (name: string) => (properties[name]?.type === 'array' && name !== field ? '[…]' : '{…}')
  const envelope = required.map((name) => `${JSON.stringify(name)}: ${form(name)}`).join(', ')
  return `The body is the content of ${field} without its envelope. Send {${envelope}}, with the body as ${field}.`
}

/** The remedy for a list that is too long. */
export const tooManyWords = (shape: Shape): string => shape['x-too-many'] ?? 'Leave the others out.'
