// The three kinds of record, as the console asks for them. Everything but the words at the top is
// read off the declarations.
import { location, masterProduct, type RecordKind, receivingEvent } from '../../contract/record-kinds.ts'
import { recordLists } from '../../operations/list.ts'
import type { QueryParameter } from '../../operations/query.ts'

export interface RecordSection {
  /** Below `/console`. */
  readonly path: string
  readonly words: string
  readonly kind: RecordKind
  /** Every filter of the list. */
  readonly filters: Readonly<Record<string, QueryParameter>>
  /** The filter people look for a record by; always in sight. */
  readonly search: string
}

const section = (kind: RecordKind, path: string, words: string, search: string): RecordSection => ({
  path,
  words,
  kind,
  filters: recordLists[kind.name].filters,
  search,
})

export const recordSections: readonly RecordSection[] = [
  section(receivingEvent, '/events', 'Receiving events', 'lotCode'),
  section(masterProduct, '/products', 'Master products', 'itemCode'),
  section(location, '/locations', 'Locations', 'locationCode'),
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
