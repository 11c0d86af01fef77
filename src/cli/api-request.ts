// From the words of `lotkeeper api` to one call of an operation, by what the operation declares.
import type { Shape } from '../contract/shape/field.ts'
import { isNear, type NamedThing, nearestName } from '../contract/text/name-distance.ts'
import type { Operation, RequestHeader } from '../operations/base/operation.ts'
import { type QueryParameter, readQuery } from '../operations/base/query.ts'
import { catalogue } from '../operations/catalogue.ts'
import { optionName } from './base/options.ts'

type Parameters = Readonly<Record<string, QueryParameter>>
type Request = Readonly<Record<string, unknown>>
type Fault = { readonly problem: string }
type Read = { readonly values: Request }

const text = { form: 'text', meaning: '', example: '' } as const
const flag = { form: 'boolean', meaning: '', example: 'true' } as const

/** What the client calls the values of the headers. */
const headerParameters: Readonly<Record<RequestHeader, Parameters>> = {
  'If-Match': { ifMatch: text },
  'If-None-Match': { ifNoneMatch: text },
  Prefer: { strict: flag, representation: flag },
  'Idempotency-Key': { idempotencyKey: text },
  'Change-Reason': { reason: text },
  // Only browsers send it. A call has `after`.
  'Last-Event-ID': {},
}

const pathNames = ({ path }: Operation): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

/** Everything of a call but its body, by name. */
export const parametersOf = (operation: Operation): Parameters => ({
  ...Object.fromEntries(pathNames(operation).map((name) => [name, text])),
  ...operation.query,
  ...Object.assign({}, ...operation.headers.map((header) => headerParameters[header])),
})

/** The operation of this name, or which names are like it. */
export function operationNamed(name: string): Operation | Fault {
  if (name.startsWith('-')) return { problem: `Name the operation before ${name}. lotkeeper api lists all.` }
  const found = catalogue.find((operation) => operation.name === name)
  return found ?? { problem: `There is no operation ${name}. ${suggestionOf(name, catalogue)}lotkeeper api lists all.` }
}

const suggestionsMax = 5

function suggestionOf(name: string, things: readonly Pick<NamedThing, 'name'>[], prefix = ''): string {
  const named = things.map((one) => ({ name: one.name, synonyms: [] }))
  const near = new Set(
    [nearestName(name, named) ?? [], named.filter((one) => isNear(name, one)).map((one) => one.name)].flat(2),
  )
  const shown = [...near].slice(0, suggestionsMax).map((one) => prefix + one)
  return shown.length === 0 ? '' : `Did you mean ${shown.join(', ')}? `
}

/** Reads `--name value`, `--name=value` and `--flag`, where a name may be spelled as in the API. */
export function readParameters(operation: Operation, given: readonly string[]): Read | Fault {
  const declared = parametersOf(operation)
  const request: Record<string, unknown> = {}
  const left = [...given]
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const [, written = '', inline] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? []
    if (written === '') return { problem: `${word} is not a parameter. Write --name value, or --field for the body.` }
    const name = Object.keys(declared).find((one) => one === written || optionName(one) === written)
    const parameter = name === undefined ? undefined : declared[name]
    if (name === undefined || parameter === undefined) return unknownParameter(operation, written)
    const value = inline ?? (parameter.form === 'boolean' ? 'true' : left.shift())
    if (value === undefined) return { problem: `--${written} needs a value.` }
    const all = parameter.many || name in request ? [request[name] ?? [], value].flat() : value
    const read = readQuery({ [name]: parameter }, { [name]: all })
    if ('problem' in read) return { problem: `--${written}: ${read.problem}` }
    request[name] = all
  }
  const missing = pathNames(operation).filter((name) => request[name] === undefined)
  if (missing.length > 0)
    return {
      problem: `${operation.name} needs ${missing.map((name) => `--${optionName(name)} <value>`).join(' and ')}.`,
    }
  const parsed = Object.entries(request).map(([name, value]) => [name, parsedValue(declared[name], name, value)])
  return { values: Object.fromEntries(parsed) }
}

function unknownParameter(operation: Operation, written: string): Fault {
  const names = Object.keys(parametersOf(operation)).map((name) => ({ name: optionName(name) }))
  const known = names.map(({ name }) => `--${name}`).join(', ') || 'none'
  const fields = operation.body ? ' --field name=value fills a field of the body.' : ''
  return {
    problem: `${operation.name} has no parameter --${written}. ${suggestionOf(written, names, '--')}It has: ${known}.${fields}`,
  }
}

/** A version is a number to the client, and a tag is text. */
function parsedValue(parameter: QueryParameter | undefined, name: string, value: unknown): unknown {
  if (parameter?.form === 'boolean') return value === 'true'
  return /^if(?:None)?Match$/.test(name) && /^\d+$/.test(String(value)) ? Number(value) : value
}

/** The body with the fields of `--field a.b=value`. Entries of a list have numbers from 0. */
export function withFields(operation: Operation, body: Request, fields: readonly string[]): Read | Fault {
  const filled = structuredClone(body) as Record<string, unknown>
  for (const field of fields) {
    const [, path = '', written = ''] = /^([^=]+)=(.*)$/s.exec(field) ?? []
    if (path === '') return { problem: `--field ${field}: write name=value, or name.inner=value.` }
    const names = path.split('.')
    const last = names.pop() ?? ''
    let [holder, shape]: [Record<string, unknown>, Shape | undefined] = [filled, operation.body as Shape]
    for (const [i, name] of names.entries()) {
      shape = innerOf(shape, name)
      if (!Object.hasOwn(holder, name)) holder[name] = isEntry(shape, names[i + 1] ?? last) ? [] : {}
      const inner = holder[name]
      if (typeof inner !== 'object' || inner === null) return { problem: `--field ${path}: ${name} has no fields.` }
      holder = inner as Record<string, unknown>
    }
    const read = readField(innerOf(shape, last), written, Object.hasOwn(holder, last) ? holder[last] : undefined)
    if ('problem' in read) return { problem: `--field ${path} is ${JSON.stringify(written)}. ${read.problem}` }
    holder[last] = read.value
  }
  return { values: filled }
}

/** The shapes that a field may have. */
const variantsOf = (shape: Shape | undefined): readonly Shape[] =>
  shape === undefined ? [] : [shape, ...(shape.anyOf ?? []).flatMap(variantsOf)]

/** True when the name inside is the number of an entry of a list. */
const isEntry = (shape: Shape | undefined, name: string): boolean =>
  /^\d+$/.test(name) && (shape === undefined || variantsOf(shape).some(({ type }) => type === 'array'))

const innerOf = (shape: Shape | undefined, name: string): Shape | undefined =>
  variantsOf(shape).flatMap(
    ({ properties = {}, items }) => properties[name] ?? (/^\d+$/.test(name) ? items : undefined) ?? [],
  )[0]

const typeWords: Readonly<Record<string, string>> = {
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object as JSON, or filled field by field with name.inner=value',
  array: 'a list as JSON, or one entry for each --field',
}

/**
 * Text stays text where the field takes text. Anything else is written as JSON, and so may be a
 * field whose type is not declared.
 */
function readField(shape: Shape | undefined, written: string, before: unknown): { readonly value: unknown } | Fault {
  const variants = variantsOf(shape)
  const types = variants.flatMap(({ type }) => type ?? [])
  const value = jsonIn(written)
  if (types.length === 0) return { value: value === undefined ? written : value }
  if (types.includes('string')) return { value: value === null && types.includes('null') ? null : written }
  if (types.some((type) => isOfType(value, type))) return { value }
  const { items } = variants.find(({ type }) => type === 'array') ?? {}
  if (items === undefined)
    return { problem: `It must be ${types.map((type) => typeWords[type] ?? type).join(', or ')}.` }
  const entry = readField(items, written, undefined)
  return 'problem' in entry ? entry : { value: [...(Array.isArray(before) ? before : []), entry.value] }
}

function jsonIn(written: string): unknown {
  try {
    return JSON.parse(written)
  } catch {
    return undefined
  }
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type && value !== null && !Array.isArray(value)
}
