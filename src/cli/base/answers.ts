// The answer of an operation: a list as a table or as lines of JSON, one thing in words or as JSON.
import type { ApiResponse, Page } from '../../client/call.ts'
import type { Client, OperationName } from '../../client/client.ts'
import type { ListEntries, Methods } from '../../client/generated/methods.ts'
import { damageWords, eachEntry } from '../../client/pages.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { type Column, tableOf, tableText } from '../../terminal/table.ts'
import { remarks, results } from '../../terminal/terminal.ts'
import { type RemoteOptions, withClient } from './remote.ts'

/** One thing of a list. */
export type EntryOf<Name extends OperationName> = Name extends keyof ListEntries
  ? ListEntries[Name]
  : AnswerOf<Name> extends { readonly content: readonly (infer Entry)[] }
    ? Entry
    : never

type AnswerOf<Name extends OperationName> = Methods[Name] extends (request: never) => Promise<ApiResponse<infer Body>>
  ? Body
  : never

/** One call of an operation: its request, and the options of the command. */
export interface OperationCall {
  readonly request: Readonly<Record<string, unknown>>
  readonly options: RemoteOptions & { readonly all?: true }
}

/** The output of one answer. */
export interface Answering<Name extends OperationName> {
  readonly operation: Name
  /** Lines for people. */
  readonly text: (answer: AnswerOf<Name>, call: OperationCall) => string
  /** Why the command failed, though the operation succeeded. */
  readonly problem?: (answer: AnswerOf<Name>) => string | undefined
}

/** The call of an operation whose name is known only at run time. The service checks the values. */
export const callTo = <Body>(api: Client, operation: OperationName) =>
  api[operation] as unknown as (request: OperationCall['request']) => Promise<ApiResponse<Body>>

/** Calls the operation, and prints its answer in words or as JSON. */
export const writeAnswer = <Name extends OperationName>(
  { operation, text, problem }: Answering<Name>,
  call: OperationCall,
): Promise<CommandEnd> =>
  withClient(call.options, async (api) => {
    const { body } = await callTo<AnswerOf<Name>>(api, operation)(call.request)
    const failed = problem?.(body)
    if (call.options.json) await results.write(`${JSON.stringify(body)}\n`)
    else if (failed === undefined) await results.write(`${text(body, call)}\n`)
    return failed === undefined ? undefined : { problem: failed }
  })

/** Prints one page of a list, or all. */
export const writeList = <Entry>(
  { operation, ...words }: PageWords<Entry> & { readonly operation: OperationName },
  { request, options }: OperationCall,
): Promise<CommandEnd> =>
  withClient(options, async (api) => {
    const shown = { ...words, json: options.json }
    if (options.all) return writePages(callTo<Page<Entry>>(api, operation), request, shown)
    return writePage((await callTo<AnyPage<Entry>>(api, operation)(request)).body, shown)
  })

/** A list that is always whole has no cursor. One that depends on counts may lag behind. */
type AnyPage<Entry> = Pick<Page<Entry>, 'content' | 'damaged'> & {
  readonly nextCursor?: string | null
  /** Since when the counts lag behind master data. */
  readonly recounting?: string | null
}

/** How a list is printed. */
interface PageWords<Entry> {
  readonly nouns: string
  readonly columns: readonly Column<Entry>[]
  readonly json?: boolean | undefined
}

/** Printed beside counts that lag behind master data. */
export const recountingWords = 'Master data changed; the counts are being brought up to date. Ask again in a moment.'

/** Prints one page, and how to continue. */
async function writePage<Entry>(page: AnyPage<Entry>, { nouns, columns, json }: PageWords<Entry>): Promise<CommandEnd> {
  const { content, nextCursor, recounting, damaged } = page
  if (json) await results.write(content.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  else if (content.length > 0) await results.write(tableText(columns, content))
  else await remarks.say(nextCursor === undefined ? `There are no ${nouns}.` : `There are no such ${nouns}.`)
  if (typeof recounting === 'string') await remarks.say(recountingWords)
  if (typeof nextCursor === 'string')
    await remarks.say(`There are more. Continue with --cursor ${nextCursor}, or list all with --all.`)
  return damaged === undefined ? undefined : { problem: damageWords(damaged) }
}

/** Number of rows that determine the widths of the table. */
const firstRowsMax = 200

/** Prints all pages while it reads them: a list may be larger than memory. */
export async function writePages<Request extends object, Entry>(
  list: (request: Request) => Promise<ApiResponse<Page<Entry>>>,
  request: Request,
  { nouns, columns, json }: PageWords<Entry>,
): Promise<CommandEnd> {
  const pages = { limit: firstRowsMax, ...request }
  let table: ReturnType<typeof tableOf<Entry>> | undefined
  let waiting: Entry[] = []
  let count = 0
  const flush = async () => {
    table ??= tableOf(columns, waiting, results)
    await results.write(
      (table === undefined || count > waiting.length ? '' : table.head) + waiting.map(table.row).join(''),
    )
    waiting = []
  }
  for await (const entry of eachEntry(list, pages)) {
    count++
    if (json) await results.write(`${JSON.stringify(entry)}\n`)
    else if (waiting.push(entry) === firstRowsMax) await flush()
    if (count % firstRowsMax === 0 && results.width === undefined) remarks.passing(`${count} ${nouns}…`)
  }
  if (waiting.length > 0) await flush()
  if (results.width === undefined) remarks.passing('')
  if (count === 0 && !json) await remarks.say(`There are no such ${nouns}.`)
  return undefined
}
