// Columns of a sheet of events in the words of the screen. Pure.
import { type EventKindName, eventKindList, isEventKind, type RecordKindName } from '../../contract/record-kinds.ts'
import { capitalize } from '../../contract/text/capitalize.ts'
import { documentColumns } from '../../intake/document-columns.ts'
import {
  type Column,
  eventTables,
  furtherListsOf,
  linePlacePartsOf,
  locationTable,
  type Part,
  placePartsOf,
  productPartOf,
  productTable,
} from '../../intake/template.ts'
import { labelOf } from '../words/labels.ts'

const partWords: Readonly<Record<Part, string>> = {
  event: 'The event',
  line: 'The line',
  ...Object.fromEntries(
    [
      ...new Set([
        ...Object.values(placePartsOf).flat(),
        ...Object.values(linePlacePartsOf).flatMap((of) => of.map(({ part }) => part)),
      ]),
    ].map((part) => [part, labelOf(`${part}LocationCode`)]),
  ),
  shipTo: 'Ship-to location',
  ...Object.fromEntries(
    [...new Set(Object.values(furtherListsOf).flat())].flatMap((list) => [
      [list, labelOf(list)],
      [productPartOf(list), `${labelOf(list)}: the product`],
    ]),
  ),
  product: 'The product',
  payload: 'The payload',
  record: 'Separate sheet',
}

interface ColumnGroup {
  readonly words: string
  readonly columns: readonly Column[]
}

/** Fields of an event in groups, as a list to choose from shows them. */
export const eventGroups = (kind: EventKindName): readonly ColumnGroup[] =>
  Object.entries(partWords)
    .map(([part, words]) => ({ words, columns: eventTables[kind].columns.filter((column) => column.part === part) }))
    .filter(({ columns }) => columns.length > 0)

/** The same, with the possible targets of a mapping. */
export const allGroups = (kind: EventKindName): readonly ColumnGroup[] => [
  ...eventGroups(kind),
  { words: 'Reference document', columns: documentColumns },
  { words: 'Sheet of locations', columns: locationTable.columns },
  { words: 'Sheet of products', columns: productTable.columns },
]

/** What the rows of a table of events may be. */
export const eventKindChoices = eventKindList.map(({ name, nouns }) => [name, capitalize(nouns)] as const)

/** The name of a field: the last part of its path. */
export const fieldLabel = ({ path }: Pick<Column, 'path'>): string => labelOf(path.at(-1) ?? '')

/**
 * The name of a field with the part it belongs to, where fields of two parts are called alike. Of a
 * table that is not of events, as a receiving event has it.
 */
export function columnLabel(name: string, kind: RecordKindName | undefined): string {
  const { columns } = eventTables[kind !== undefined && isEventKind(kind) ? kind : 'receivingEvent']
  const column = [...columns, ...documentColumns].find((one) => one.name === name)
  if (column === undefined) return labelOf(name)
  const isOfPart = !['event', 'line', 'payload', 'record'].includes(column.part)
  return isOfPart ? `${fieldLabel(column)} (${partWords[column.part]?.toLowerCase()})` : fieldLabel(column)
}
