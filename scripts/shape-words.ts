// Shapes of payloads and answers: those that have a name, and their types in words.

import type { TSchema } from 'typebox'
import { recordKinds } from '../src/contract/record-kinds.ts'
import type { Shape } from '../src/contract/shape/field.ts'
import { capitalize } from '../src/contract/text/capitalize.ts'
import { Problem } from '../src/operations/base/bodies.ts'
import { catalogue as operations } from '../src/operations/catalogue.ts'
import { slug } from './slug.ts'

/** Shapes that differ from a payload by the id alone. */
export const withId = new Map<string | undefined, string>(
  recordKinds.flatMap(({ payload, replacement, record }) => {
    const { title = '' } = payload as Shape
    return [replacement, record].map((shape) => [(shape as Shape).title, title] as const)
  }),
)

/** The named shapes of payloads and those of answers, each once. */
export function namedShapes(): {
  readonly payloads: ReadonlyMap<string, Shape>
  readonly answers: ReadonlyMap<string, Shape>
} {
  const payloads = objectsOf([
    ...recordKinds.flatMap(({ payload, createPayload }) => [payload, createPayload]),
    ...operations.flatMap(({ body, record }) => (body === undefined || record !== undefined ? [] : [body])),
  ])
  const bodies = operations.flatMap(({ outcomes }) => Object.values(outcomes).flatMap(({ body }) => body ?? []))
  const answers = objectsOf([...bodies.filter((shape) => !isOfRecord(shape)), Problem])
  for (const title of payloads.keys()) answers.delete(title)
  return { payloads, answers }
}

/** True for a record or a page of records: their fields stand with the payload. */
const isOfRecord = (shape: Shape): boolean =>
  withId.has(shape.title) || recordKinds.some(({ name }) => shape.title === `${capitalize(name)}Page`)

/** The objects with a name that the shapes hold, each once, in the order in which they are met. */
function objectsOf(shapes: readonly TSchema[]): Map<string, Shape> {
  const found = new Map<string, Shape>()
  const visit = (shape: Shape): void => {
    if (shape.title !== undefined && shape.properties !== undefined) {
      if (found.has(shape.title)) return
      found.set(shape.title, shape)
    }
    for (const inner of Object.values(shape.properties ?? {})) visit(inner)
    for (const choice of shape.anyOf ?? []) visit(choice)
    if (shape.items) visit(shape.items)
  }
  for (const shape of shapes) visit(shape as Shape)
  return found
}

export function typeWords(shape: Shape): string {
  if (shape['x-one-or-many']) {
    const [one, many] = shape.anyOf ?? []
    return `${one ? typeWords(one) : ''}, or ${many ? typeWords(many) : ''}`
  }
  if (shape.anyOf) return shape.anyOf.map(typeWords).join(' or ')
  if (shape.title !== undefined) return titleOf(shape) ?? shape.title
  if (shape.type === 'array') return `list of ${shape.items ? typeWords(shape.items) : 'anything'}${boundsOf(shape)}`
  if (shape['x-form'] === 'date') return 'date'
  if (shape['x-form'] === 'dateTime') return 'datetime'
  return shape.format ?? shape.type ?? 'string'
}

function boundsOf({ minItems, maxItems }: Shape): string {
  if (minItems === undefined && maxItems === undefined) return ''
  return minItems === undefined ? `, at most ${count(maxItems)}` : `, ${count(minItems)} to ${count(maxItems)}`
}

const count = (n: number | undefined): string => (n === undefined ? 'any number' : n.toLocaleString('en'))

/** A link to the table of a named shape. */
export function titleOf(shape: TSchema | Shape): string | undefined {
  const { title } = shape as Shape
  if (title === undefined) return undefined
  const payload = withId.get(title)
  if (payload !== undefined) return `[${payload}](fields.md#${slug(payload)}) with \`id\``
  const kind = recordKinds.find(({ name }) => title === `${capitalize(name)}Page`)
  if (kind)
    return `\`content\`: list of [${(kind.payload as Shape).title}](fields.md#${slug((kind.payload as Shape).title ?? '')}) with \`id\`; \`nextCursor\``
  return `[${title}](fields.md#${slug(title)})`
}

export const code = (text: string): string => `\`${text}\``
