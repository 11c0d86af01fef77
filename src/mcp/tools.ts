// The tools of assistants, derived from operations that read. Source: decision 0098.
import type { JSONValue } from '@modelcontextprotocol/server'
import { recordKinds } from '../contract/record-kinds.ts'
import { mayAs, type Role } from '../contract/role.ts'
import { capitalize } from '../contract/text/capitalize.ts'
import type { Operation } from '../operations/base/operation.ts'
import { pathSchemasOf, querySchema } from '../operations/base/parameter-schema.ts'
import { catalogue, operations } from '../operations/catalogue.ts'

const { countFdaLines, exportFdaPackage } = operations

const reads = new Set(recordKinds.map(({ name }) => `read${capitalize(name)}`))

const toolOperations: readonly Operation[] = [
  operations.search,
  operations.traceLot,
  operations.traceChain,
  operations.listReceivingEvents,
  operations.listShippingEvents,
  ...catalogue.filter(({ name }) => reads.has(name)),
  operations.readCompleteness,
  operations.listGapCauses,
  operations.listGaps,
  operations.listDifferences,
  countFdaLines,
  exportFdaPackage,
]

/** Entries of a page unless the assistant asks for another number: it reads all of them. */
const entriesDefault = 10

/** Of operations that also return files: an assistant reads JSON. */
const isOffered = (name: string): boolean => name !== 'format'

/** The tools for a role, or for all roles. */
export const toolsOf = (role: Role | undefined): readonly Operation[] =>
  toolOperations.filter((one) => role === undefined || mayAs(role, one.role))

const isPaged = ({ query }: Operation): boolean => 'cursor' in query

/** The operation as the protocol describes a tool. */
export function describeTool(operation: Operation) {
  const path = pathSchemasOf(operation)
  const query = Object.entries(operation.query)
    .filter(([name]) => isOffered(name))
    .map(([name, parameter]) => [name, { description: parameter.meaning, ...querySchema(parameter) }] as const)
  const properties: Record<string, object> = { ...path, ...Object.fromEntries(query) }
  if (isPaged(operation)) properties.limit = { ...properties.limit, default: entriesDefault }
  const isFile = operation.name === exportFdaPackage.name
  return {
    name: operation.name,
    description: `${operation.summary} ${isFile ? `${filePromise} ` : ''}${operation.description}\n\nSource: ${operation.cites}.`,
    inputSchema: {
      type: 'object' as const,
      properties: properties as Record<string, JSONValue>,
      required: Object.keys(path),
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  }
}

const filePromise =
  'Returns counts and a link for a person with a key, not the file: downloads are made by people and are in the access log.'

export type Arguments = Readonly<Record<string, unknown>>

/** The address that a call asks for, or what is wrong with its arguments. */
export function addressOf(operation: Operation, given: Arguments): string | { readonly problem: string } {
  const left = new Map(Object.entries(given))
  if (left.has('format')) return { problem: 'format is not a parameter here. Answers are JSON.' }
  const missing = Object.keys(pathSchemasOf(operation)).find((name) => textOf(left.get(name)) === '')
  if (missing !== undefined) return { problem: `${missing} is missing. ${operation.name} needs it.` }
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = textOf(left.get(name))
    left.delete(name)
    return encodeURIComponent(value.toWellFormed())
  })
  if (isPaged(operation) && !left.has('limit')) left.set('limit', entriesDefault)
  return path + queryOf(left)
}

/** What is not text becomes text: the operation says whether it is a value of the parameter. */
function queryOf(values: Iterable<readonly [string, unknown]>): string {
  const pairs = [...values].flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, textOf(one)]),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')

/** The count that stands for the file, and where a person gets the file. */
export function linksOf(given: Arguments, service: string) {
  const { gaps: _gaps, contact: _contact, ...selection } = given
  const query = queryOf(Object.entries(given))
  return {
    count: addressOf(countFdaLines, selection),
    links: {
      page: `${service}/console/fda${queryOf(Object.entries(selection))}`,
      download: service + exportFdaPackage.path + query,
    },
  }
}

export const isFileTool = ({ name }: Operation): boolean => name === exportFdaPackage.name
