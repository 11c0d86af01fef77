// A column mapping as a file: which heading of a file is which column of the template. Command line
// and console both save and read it.
import type { Mapping } from './layout.ts'
import { tables } from './template.ts'

const columnNames: ReadonlySet<string> = new Set(tables.flatMap(({ columns }) => columns.map(({ name }) => name)))

export const isColumn = (name: string): boolean => columnNames.has(name)

/**
 * Reads a saved mapping, or returns a sentence about what is wrong with it, which begins with
 * `called`.
 */
export function readMapping(text: string, called: string): Mapping | string {
  const columns = columnsIn(text)
  if (columns === undefined)
    return `${called} is not a mapping: {"columns": {"heading of the file": "column of the template", "other heading": null}}.`
  const strange = Object.values(columns).find((name) => name !== null && !isColumn(name))
  return typeof strange === 'string' ? `${called} names ${unknownColumn(strange)}` : { columns }
}

export const unknownColumn = (name: string): string => `${name}, which is not a column of the template.`

function columnsIn(text: string): Mapping['columns'] | undefined {
  try {
    const { columns } = JSON.parse(text) as Partial<Mapping>
    const known = typeof columns === 'object' && columns !== null && !Array.isArray(columns)
    return known && Object.values(columns).every((name) => name === null || typeof name === 'string')
      ? columns
      : undefined
  } catch {
    return undefined
  }
}

export const mappingText = ({ columns }: Mapping): string => `${JSON.stringify({ columns }, undefined, 2)}\n`
