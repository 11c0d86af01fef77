// `lotkeeper list`: records of each kind, and the columns of their tables.
import type { AnyRecord } from '../../client/client.ts'
import { recordOperations } from '../../client/generated/addresses.ts'
import { type EventKind, isDeliveryKind, placeFieldsOf, placePartOf } from '../../contract/record-kinds.ts'
import type { Column } from '../../terminal/table.ts'
import type { CommandDeclaration } from '../base/command.ts'
import { type EventKindWord, eventKindsByWord, eventKindWords, type KindWord, kinds, kindWords } from '../base/kinds.ts'
import { listCommand } from '../base/operation-command.ts'

type EventEntry = AnyRecord & { readonly id: string; readonly eventList: Fields }
type Fields = Readonly<Record<string, unknown>>

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const linesOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value : [])

/** Headings of the locations of a delivery; others have the name of their field. */
const placeHeadings: Readonly<Record<string, string>> = { shipToLocationCode: 'to', shipFromLocationCode: 'from' }

const eventColumns = (kind: EventKind): readonly Column<EventEntry>[] => [
  { heading: 'id', cell: ({ id }) => id },
  { heading: kind.happened, cell: ({ eventList }) => textOf(eventList.eventDateTime) },
  ...placeFieldsOf(kind)
    .toReversed()
    .map((field) => ({
      heading: placeHeadings[field] ?? placePartOf(field),
      cell: ({ eventList }: EventEntry) => textOf(eventList[field]),
    })),
  { heading: 'vendor', cell: ({ eventList }) => textOf(eventList.dataProviderVendorId) },
  isDeliveryKind(kind.name)
    ? { heading: 'order', cell: ({ eventList }) => textOf(eventList.purchaseOrderNumber) }
    : { heading: 'document', cell: ({ eventList }) => textOf(eventList.referenceDocumentNumber) },
  { heading: 'lines', cell: ({ eventList }) => String(linesOf(eventList.productList).length), right: true },
  {
    heading: 'lot codes',
    cell: ({ eventList }) =>
      [...new Set(linesOf(eventList.productList).flatMap(({ caseLotNumber }) => textOf(caseLotNumber) || []))].join(
        ', ',
      ),
  },
]

const fieldColumns = (subject: string, fields: Readonly<Record<string, string>>): readonly Column<AnyRecord>[] => [
  { heading: 'id', cell: ({ id }) => id },
  ...Object.entries(fields).map(([heading, field]) => ({
    heading,
    cell: (row: AnyRecord) => String((row[subject] as Readonly<Record<string, unknown>>)[field] ?? ''),
  })),
]

interface ListTable {
  readonly columns: readonly Column<never>[]
  readonly example: string
}

const examples: Partial<Record<EventKindWord, string>> = {
  event: 'lotkeeper list events --lot-code GV26063-A --all --json > events.ndjson',
  'shipping-event': 'lotkeeper list shipping-events --ship-to-location-code DC-07',
}

const eventTables = Object.fromEntries(
  eventKindWords.map((word): [EventKindWord, ListTable] => [
    word,
    {
      columns: eventColumns(eventKindsByWord[word]),
      example: examples[word] ?? `lotkeeper list ${word}s --has-gaps`,
    },
  ]),
) as Record<EventKindWord, ListTable>

const tables: Readonly<Record<KindWord, ListTable>> = {
  ...eventTables,
  product: {
    columns: fieldColumns('productMasterDataList', {
      'item code': 'itemCode',
      description: 'itemDescription',
      vendor: 'dataProviderVendorId',
      gtin: 'gtin',
      category: 'ftlCategory',
    }),
    example: 'lotkeeper list products --item-code ROM-24',
  },
  location: {
    columns: fieldColumns('locationMasterList', {
      code: 'locationCode',
      name: 'locationName',
      vendor: 'dataProviderVendorId',
      gln: 'gln',
      type: 'locationType',
    }),
    example: 'lotkeeper list locations --data-provider-vendor-id V-1001',
  },
}

export const listCommands: readonly CommandDeclaration[] = [
  {
    words: 'list',
    description: 'List events, products or locations, newest first',
    examples: ['lotkeeper list events --lot-code GV26063-A'],
  },
  ...kindWords.map((word) => {
    const { name, nouns } = kinds[word]
    const { columns, example } = tables[word]
    return listCommand({
      words: `list ${word}s`,
      description: `List ${nouns}, newest first`,
      operation: recordOperations[name].list,
      nouns,
      columns: columns as unknown as readonly Column<object>[],
      examples: [example],
    })
  }),
]
