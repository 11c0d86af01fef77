// The OpenAPI 3.1 document, derived from the catalogue of operations.
import type { TSchema } from 'typebox'
import { mayAs, type Role, roles } from '../contract/role.ts'
import { digitCounts } from '../contract/text/identifiers.ts'
import { Problem } from '../operations/base/bodies.ts'
import {
  isJsonType,
  type Operation,
  type Outcome,
  outcomesOf,
  type RequestHeader,
} from '../operations/base/operation.ts'
import { pathSchemasOf, querySchema } from '../operations/base/parameter-schema.ts'
import { catalogue } from '../operations/catalogue.ts'
import { topics } from '../operations/topics.ts'
import { version } from '../version.ts'
import { answerHeadersOf, headerComponents } from './answer-headers.ts'

const headerMeanings: Readonly<Record<RequestHeader, string>> = {
  'If-Match': 'ETag of the version that was read. Replaces only that version, else 412.',
  'If-None-Match': 'ETag of the version you have. The answer is 304 while it is still the current one.',
  Prefer:
    '`return=representation` adds findings and changes to the answer; `handling=strict` turns warnings into errors for this call.',
  'Change-Reason':
    'Why the record is replaced, for its history: a text in quotes of at most 100 characters, e.g. `"Read from the paper"`; beyond ASCII a display string of RFC 9651, e.g. `%"Se%c3%b1al"`.',
  'Last-Event-ID':
    'What a browser sends when it connects again to a stream: `id` of the last event, in place of `after`.',
  'Idempotency-Key': 'Makes retries safe: a repeated request returns the first answer instead of creating again.',
}

const ifNoneMatchOnPut = 'ETags of versions that must not be replaced, else 412; `*` names every version.'

/** Named shapes that the paths refer to. */
const schemas: Record<string, unknown> = {}

export const openapi = {
  openapi: '3.1.0',
  info: {
    title: 'Lotkeeper',
    version,
    description:
      'Traceability data provider service for FSMA 204: stores, replaces and exports receiving events and master products. A PUT replaces the whole record; the previous version is kept.',
    contact: { name: 'The operator of this service' },
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: '/', description: 'The service that serves this document.' }],
  tags: Object.entries(topics).map(([name, description]) => ({ name, description })),
  security: [{ bearer: [] }, { apiKey: [] }, { session: [] }],
  paths: pathsOf(catalogue),
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'A key: `lk_<key id>_<provider>_<secret>`.' },
      apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: '__Host-lotkeeper-session',
        description:
          'For pages of this service: who is signed in to the console is signed in here too. Without TLS its name is `lotkeeper-session`. Any answer may renew it.',
      },
    },
    headers: headerComponents,
    schemas,
  },
}

function pathsOf(operations: readonly Operation[]): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    const path = paths[operation.path] ?? {}
    path[operation.method.toLowerCase()] = operationObject(operation)
    paths[operation.path] = path
  }
  return paths
}

function operationObject(operation: Operation) {
  const pathParameters = Object.entries(pathSchemasOf(operation)).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    schema,
  }))
  return {
    operationId: operation.name,
    tags: [operation.topic],
    summary: operation.summary,
    description: `${operation.description}\n\nKey: ${keysOf(operation.role)}.\n\nSource: ${operation.cites}.`,
    'x-required-role': operation.role,
    parameters: [
      ...pathParameters,
      ...Object.entries(operation.query).map(([name, parameter]) => ({
        name,
        in: 'query',
        description: parameter.meaning,
        schema: querySchema(parameter),
        ...(parameter.isTriedFirst && {
          example: parameter.form === 'boolean' ? parameter.example === 'true' : parameter.example,
        }),
      })),
      ...operation.headers.map((name) => ({
        name,
        in: 'header',
        description: operation.method === 'PUT' && name === 'If-None-Match' ? ifNoneMatchOnPut : headerMeanings[name],
        schema: { type: 'string' },
      })),
    ],
    ...(operation.body && {
      requestBody: {
        required: true,
        content: Object.fromEntries(
          ['application/json', ...(operation.bodyTypes ?? [])].map((type) => [
            type,
            {
              schema:
                operation.fileField !== undefined && !isJsonType(type)
                  ? { type: 'string' }
                  : withReferences(operation.body),
            },
          ]),
        ),
      },
    }),
    responses: responsesOf(operation),
  }
}

/** The roles that include this one, in words. */
export function keysOf(needed: Role): string {
  const held = roles.filter((role) => mayAs(role, needed))
  return held
    .map((role) => (role === 'administrator' ? `an ${role}` : `a ${role}`))
    .join(', ')
    .replace(/, ([^,]+)$/, ' or $1')
}

/** One response for each status, because OpenAPI cannot distinguish outcomes. */
function responsesOf(operation: Operation): Record<string, unknown> {
  const byStatus = new Map<number, [string, Outcome][]>()
  for (const [name, outcome] of Object.entries(outcomesOf(operation)))
    byStatus.set(outcome.status, [...(byStatus.get(outcome.status) ?? []), [name, outcome]])
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, outcomes]) => {
        const shapes = [...new Set(outcomes.map(([, { body }]) => body).filter((body) => body !== undefined))]
        const media = Object.assign({}, ...outcomes.map(([, outcome]) => outcome.media))
        return [
          String(status),
          {
            description: outcomes.map(([name, { when }]) => `**${name}**: ${when}`).join('\n\n'),
            headers: answerHeadersOf(
              operation,
              status,
              outcomes.map(([, outcome]) => outcome),
            ),
            ...contentOf(status, shapes, media, outcomes.find(([, { bodyType }]) => bodyType)?.[1].bodyType),
          },
        ]
      }),
  )
}

function contentOf(
  status: number,
  shapes: readonly TSchema[],
  media: Readonly<Record<string, string>>,
  bodyType = 'application/json',
) {
  if (status >= 400) return { content: { 'application/problem+json': { schema: withReferences(Problem) } } }
  const content = {
    ...(shapes.length > 0 && {
      [bodyType]: { schema: shapes.length === 1 ? withReferences(shapes[0]) : { anyOf: shapes.map(withReferences) } },
    }),
    ...Object.fromEntries(
      Object.entries(media).map(([type, description]) => [
        type,
        { schema: type.startsWith('text/') ? { type: 'string', description } : { description } },
      ]),
    ),
  }
  return Object.keys(content).length > 0 ? { content } : {}
}

/**
 * A shape in which every named shape is a reference, so that the document defines each of them
 * once.
 */
function withReferences(shape: unknown): unknown {
  if (Array.isArray(shape)) return shape.map(withReferences)
  if (typeof shape !== 'object' || shape === null) return shape
  const { title } = shape as { title?: unknown }
  const inside = () =>
    Object.fromEntries(Object.entries(withDescriptions(shape)).map(([key, value]) => [key, withReferences(value)]))
  if (typeof title !== 'string') return inside()
  if (schemas[title] === undefined) {
    schemas[title] = {}
    schemas[title] = inside()
  }
  return { $ref: `#/components/schemas/${title}` }
}

/**
 * Adds properties that client generators need: a type for each enum, and patterns for numbers of a
 * scheme.
 */
function withDescriptions(shape: object): object {
  if ('enum' in shape && Array.isArray(shape.enum) && !('type' in shape))
    return { type: typeof shape.enum[0], ...shape }
  if (!('properties' in shape)) return shape
  const properties = Object.entries(shape.properties as Readonly<Record<string, object>>).map(([name, property]) => {
    const counts = Object.hasOwn(digitCounts, name) ? digitCounts[name as keyof typeof digitCounts] : undefined
    return [
      name,
      counts === undefined || !('x-section' in property) ? property : { ...property, pattern: digitsOf(counts) },
    ]
  })
  return { ...shape, properties: Object.fromEntries(properties) }
}

/** Blank counts as absent (decision 0009). */
function digitsOf(counts: readonly number[]): string {
  return `^(${['\\s*', ...counts.map((count) => `[0-9]{${count}}`)].join('|')})$`
}
