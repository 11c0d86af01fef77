// `lotkeeper list` and `lotkeeper versions`: records, or the versions of one, as a table or as
// lines of JSON.
import type { ApiResponse, Page } from '../../client/call.ts'
import type { AnyRecord } from '../../client/client.ts'
import type { VersionSummary } from '../../client/generated/shapes.ts'
import { damageWords, eachEntry } from '../../client/pages.ts'
import type { ReceivingEventPayload, ShippingEventPayload } from '../../contract/payloads.ts'
import type { CommandEnd } from '../../terminal/command-end.ts'
import { type Column, tableOf, tableText } from '../../terminal/table.ts'
import { remarks, results } from '../../terminal/terminal.ts'
import { askOfKind, type KindWord, kinds } from '../base/kinds.ts'
import { type RemoteOptions, withClient } from '../base/remote.ts'

export interface ListOptions<Query = Readonly<Record<string, unknown>>> extends RemoteOptions {
  readonly json?: boolean
  readonly all?: boolean
  /** The parameters of the operation, by name. */
  readonly query: Query
}

interface ListRequest {
  readonly limit?: number | undefined
}

/**
 * Fetches a page. A page that depends on counts has the time since which these lag behind master
 * data.
 */
type List<Request, Entry> = (
  request: Request,
) => Promise<ApiResponse<Page<Entry> & { readonly recounting?: string | null }>>

/** Printed beside counts that lag behind master data. */
export const recountingWords = 'Master data changed; the counts are being brought up to date. Ask again in a moment.'

export const list = (
  word: KindWord,
  { json = false, all = false, query, ...service }: ListOptions,
): Promise<CommandEnd> =>
  withClient({ ...service, json }, (api) => {
    const columns = columnsOf[word] as readonly Column<AnyRecord>[]
    const { name, nouns } = kinds[word]
    return writePages(api.of(name).list, query, columns, { json, all, nouns })
  })

/** Prints one page and how to continue, or all pages. */
export async function writePages<Request extends ListRequest, Entry>(
  list: List<Request, Entry>,
  query: Request,
  columns: readonly Column<Entry>[],
  { json, all, nouns }: { readonly json: boolean; readonly all: boolean; readonly nouns: string },
): Promise<CommandEnd> {
  if (all) return writeAll(list, query, columns, json, nouns)
  const { body } = await list(query)
  await writeEntries(body.content, columns, json, nouns)
  if (typeof body.recounting === 'string') await remarks.say(recountingWords)
  if (body.nextCursor !== null)
    await remarks.say(`There are more. Continue with --cursor ${body.nextCursor}, or list all with --all.`)
  return body.damaged === undefined ? undefined : { problem: damageWords(body.damaged) }
}

export const versions = (
  id: string,
  { kind, json = false, ...service }: RemoteOptions & { readonly kind?: KindWord; readonly json?: boolean },
): Promise<CommandEnd> =>
  withClient({ ...service, json }, (api) =>
    // Without reading the record first: a purged one cannot be read, and still has this list.
    askOfKind(
      kind,
      (word) => writeAll(api.of(kinds[word].name).listVersions, { id }, versionColumns, json, 'versions'),
      (what) => `There is no ${what} with id ${id}. lotkeeper list shows ids.`,
    ),
  )

async function writeEntries<Entry>(
  entries: readonly Entry[],
  columns: readonly Column<Entry>[],
  json: boolean,
  nouns: string,
): Promise<void> {
  if (json) return results.write(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  if (entries.length === 0) return remarks.say(`There are no such ${nouns}.`)
  await results.write(tableText(columns, entries))
}

/** Number of rows that determine the widths of the table. */
const firstRowsMax = 200

/** Prints while it reads: a list may be larger than memory. */
async function writeAll<Request extends ListRequest, Entry>(
  list: List<Request, Entry>,
  query: Request,
  columns: readonly Column<Entry>[],
  json: boolean,
  nouns: string,
): Promise<CommandEnd> {
  const pages = { limit: firstRowsMax, ...query }
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

type EventRecord = (ReceivingEventPayload | ShippingEventPayload) & { readonly id: string }
type Subject<Field extends string> = { readonly id: string } & {
  readonly [F in Field]: Readonly<Record<string, string | undefined>>
}

const eventColumns: readonly Column<EventRecord>[] = [
  { heading: 'id', cell: ({ id }) => id },
  { heading: 'received', cell: ({ eventList }) => eventList.eventDateTime },
  { heading: 'to', cell: ({ eventList }) => eventList.shipToLocationCode },
  { heading: 'from', cell: ({ eventList }) => eventList.shipFromLocationCode },
  { heading: 'vendor', cell: ({ eventList }) => eventList.dataProviderVendorId },
  { heading: 'order', cell: ({ eventList }) => eventList.purchaseOrderNumber ?? '' },
  { heading: 'lines', cell: ({ eventList }) => String(eventList.productList.length), right: true },
  {
    heading: 'lot codes',
    cell: ({ eventList }) =>
      [...new Set(eventList.productList.flatMap(({ caseLotNumber }) => caseLotNumber ?? []))].join(', '),
  },
]

const shippedColumns: readonly Column<EventRecord>[] = eventColumns.map((column) =>
  column.heading === 'received' ? { ...column, heading: 'shipped' } : column,
)

const fieldColumns = <Field extends string>(
  subject: Field,
  fields: Readonly<Record<string, string>>,
): readonly Column<Subject<Field>>[] => [
  { heading: 'id', cell: ({ id }) => id },
  ...Object.entries(fields).map(([heading, field]) => ({
    heading,
    cell: (row: Subject<Field>) => String(row[subject][field] ?? ''),
  })),
]

const columnsOf = {
  event: eventColumns,
  'shipping-event': shippedColumns,
  product: fieldColumns('productMasterDataList', {
    'item code': 'itemCode',
    description: 'itemDescription',
    vendor: 'dataProviderVendorId',
    gtin: 'gtin',
    category: 'ftlCategory',
  }),
  location: fieldColumns('locationMasterList', {
    code: 'locationCode',
    name: 'locationName',
    vendor: 'dataProviderVendorId',
    gln: 'gln',
    type: 'locationType',
  }),
} as const

const versionColumns: readonly Column<VersionSummary>[] = [
  { heading: 'version', cell: ({ version }) => String(version), right: true },
  { heading: 'submitted', cell: ({ submittedDateTime }) => submittedDateTime },
  { heading: 'by', cell: ({ keyName, keyId }) => keyName ?? keyId },
  { heading: 'findings', cell: ({ findingCount }) => String(findingCount ?? 'purged'), right: true },
  { heading: 'payload', cell: ({ payloadId }) => payloadId ?? '' },
  { heading: 'voided', cell: ({ voidReason }) => voidReason ?? '' },
]
