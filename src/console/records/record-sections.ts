// The kinds of record, as the console asks for them. Everything but the words at the top is
// read off the declarations.

import { type ListColumn, listColumns } from '../../contract/list-columns.ts'
import {
  eventKindList,
  location,
  masterProduct,
  type RecordKind,
  type RecordKindName,
} from '../../contract/record-kinds.ts'
import { capitalize } from '../../contract/text/capitalize.ts'
import { recordLists } from '../../operations/records/list.ts'
import type { Table } from './table-view.ts'

/** Its filters are all of the list. */
export interface RecordSection extends Table {
  readonly kind: RecordKind
  readonly columns: readonly ListColumn[]
  /** The operation that lists them. */
  readonly valuesOperation: `list${Capitalize<RecordKindName>}Values`
  /** The operation that saves the list as a file. */
  readonly fileOperation: `save${Capitalize<RecordKindName>}List`
}

const section = (kind: RecordKind, path: string, search: string, sort = 'created'): RecordSection => ({
  path,
  words: capitalize(kind.nouns),
  nouns: kind.nouns,
  list: kind.name,
  kind,
  filters: recordLists[kind.name].filters,
  search,
  columns: listColumns[kind.name],
  sort,
  picked: recordLists[kind.name].valued,
  valuesOperation: `list${capitalize(kind.name)}Values`,
  fileOperation: `save${capitalize(kind.name)}List`,
})

const eventPaths: Readonly<Partial<Record<RecordKindName, string>>> = { receivingEvent: '/events' }
/** `/shipping`, as in the API. */
const pathOf = ({ path }: RecordKind): string => path.slice(path.lastIndexOf('/'))

export const recordSections: readonly RecordSection[] = [
  ...eventKindList.map((kind) => section(kind, eventPaths[kind.name] ?? pathOf(kind), 'lotCode', 'eventDateTime')),
  section(masterProduct, '/products', 'itemCode'),
  section(location, '/locations', 'locationCode'),
]

/** The section of a kind of record. */
export function sectionOf({ name }: Pick<RecordKind, 'name'>): RecordSection {
  const found = recordSections.find(({ kind }) => kind.name === name)
  if (found === undefined) throw new Error(`There is no section for ${name}.`)
  return found
}

/** The page of a record, by its address in the API. */
export function pageOf(path: string): string {
  const section = recordSections.find(({ kind }) => path.startsWith(`${kind.path}/`))
  return section === undefined ? '/' : section.path + path.slice(section.kind.path.length)
}

/** The section a path of the console is in. */
export function sectionAt(path: string): RecordSection {
  const found = recordSections.find((one) => path === one.path || path.startsWith(`${one.path}/`))
  if (found === undefined) throw new Error(`${path} is in no section of records.`)
  return found
}
