// The three kinds of record, as the console asks for them. Everything but the words at the top is read off the declarations.
import type { Answered } from '../../client/asked.ts'
import type { Client } from '../../client/client.ts'
import type { Changes } from '../../contract/changes.ts'
import type { Finding } from '../../contract/finding.ts'
import { location, masterProduct, type RecordKind, receivingEvent } from '../../contract/record-kinds.ts'
import { type OperationName, operations } from '../../operations/catalogue.ts'
import { paging, type QueryParameter } from '../../operations/query.ts'

/** A record as a read returns it. */
export type StoredRecord = Readonly<Record<string, unknown>> & { readonly id: string }

export interface RecordList {
  readonly content: readonly StoredRecord[]
  readonly nextCursor: string | null
}

export interface Version {
  readonly version: number
  readonly submittedDateTime: string
  readonly keyId: string
  readonly payloadId: string | null
  readonly contentHash: string
  /** Null when it was purged. */
  readonly findingCount: number | null
  readonly purgedDateTime: string | null
}

export interface VersionList {
  readonly content: readonly Version[]
  readonly nextCursor: string | null
}

/** What was found in a record: when its version was submitted, or today. */
interface Findings {
  readonly version: number
  readonly findings: readonly Finding[]
  readonly findingCount: number
}

/** What the service says of a payload it was asked to judge, or took. */
export interface Judgement {
  readonly wouldBe?: 'created' | 'replaced' | 'unchanged'
  readonly findings?: readonly Finding[]
  readonly findingCount?: number
  readonly changes?: Changes
  readonly request_ids?: readonly string[]
}

type Options = Readonly<Record<string, unknown>> & { readonly signal?: AbortSignal }
type Ask<Body> = (api: Client, options: Options) => Promise<Answered<Body>>

export interface RecordSection {
  /** Below `/console`. */
  readonly path: string
  readonly words: string
  readonly kind: RecordKind
  /** Every filter of the list. */
  readonly filters: Readonly<Record<string, QueryParameter>>
  /** The filter people look for a record by; always in sight. */
  readonly search: string
  readonly list: Ask<RecordList>
  readonly read: Ask<StoredRecord>
  readonly versions: Ask<VersionList>
  readonly version: Ask<StoredRecord>
  readonly findings: Ask<Findings>
  readonly replace: Ask<Judgement>
  readonly create: Ask<Judgement>
}

const ask =
  <Body>(name: OperationName): Ask<Body> =>
  (api, options) =>
    (api[name] as (options: Options) => Promise<Answered<Body>>)(options)

const section = (
  kind: RecordKind,
  path: string,
  words: string,
  search: string,
  noun: 'ReceivingEvent' | 'MasterProduct' | 'Location',
): RecordSection => ({
  path,
  words,
  kind,
  filters: Object.fromEntries(
    Object.entries<QueryParameter>(operations[`list${noun}s`].query).filter(([name]) => !(name in paging)),
  ),
  search,
  list: ask(`list${noun}s`),
  read: ask(`read${noun}`),
  versions: ask(`list${noun}Versions`),
  version: ask(`read${noun}Version`),
  findings: ask(`read${noun}Findings`),
  replace: ask(`replace${noun}`),
  create: ask(`create${noun}s`),
})

export const recordSections: readonly RecordSection[] = [
  section(receivingEvent, '/events', 'Receiving events', 'lotCode', 'ReceivingEvent'),
  section(masterProduct, '/products', 'Master products', 'itemCode', 'MasterProduct'),
  section(location, '/locations', 'Locations', 'locationCode', 'Location'),
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
