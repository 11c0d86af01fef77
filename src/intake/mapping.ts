// A column mapping as a file: which heading of a file is which column of the template. Command line
// and console both save and read it.
import { type EventKindName, eventKindNames, eventKinds } from '../contract/record-kinds.ts'
import { documentColumns } from './document-columns.ts'
import type { Mapping } from './layout.ts'
import { tables } from './template.ts'

const columnNames: ReadonlySet<string> = new Set(
  [...tables.flatMap(({ columns }) => columns), ...documentColumns].flatMap(({ name, heading }) => [name, heading]),
)

export const isColumn = (name: string): boolean => columnNames.has(name)

/** Reads a saved mapping, or returns a sentence about its mistake, which begins with `called`. */
export function readMapping(text: string, called: string): Mapping | string {
  const mapping = mappingIn(text)
  if (mapping === undefined)
    return `${called} is not a mapping: {"columns": {"heading of the file": "column of the template", "other heading": null}}.`
  const { kind, columns } = mapping
  if (kind !== undefined && !isEventKindName(kind))
    return `${called} has the kind ${JSON.stringify(kind)}. It must be ${eventKindNames.slice(0, -1).join(', ')} or ${eventKindNames.at(-1)}.`
  const strange = Object.values(columns).find((name) => name !== null && !isColumn(name))
  if (typeof strange === 'string') return `${called} names ${unknownColumn(strange)}`
  return { ...(kind !== undefined && { kind }), columns }
}

const isEventKindName = (kind: unknown): kind is EventKindName =>
  typeof kind === 'string' && Object.hasOwn(eventKinds, kind)

export const unknownColumn = (name: string): string => `${name}, which is not a column of the template.`

function mappingIn(text: string): { readonly kind?: unknown; readonly columns: Mapping['columns'] } | undefined {
  try {
    const { kind, columns } = JSON.parse(text) as Partial<Mapping>
    const known = typeof columns === 'object' && columns !== null && !Array.isArray(columns)
    return known && Object.values(columns).every((name) => name === null || typeof name === 'string')
      ? { kind, columns }
      : undefined
  } catch {
    return undefined
  }
}

export const mappingText = ({ kind, columns }: Mapping): string =>
  `${JSON.stringify({ kind, columns }, undefined, 2)}\n`
