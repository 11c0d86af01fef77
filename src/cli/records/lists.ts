// `lotkeeper list`: records of each kind, and the columns of their tables.
import type { AnyRecord } from '../../client/client.ts'
import { recordOperations } from '../../client/generated/addresses.ts'
import type { Column } from '../../terminal/table.ts'
import type { EntryOf } from '../base/answers.ts'
import type { CommandDeclaration } from '../base/command.ts'
import { type KindWord, kinds, kindWords } from '../base/kinds.ts'
import { listCommand } from '../base/operation-command.ts'

type EventEntry = EntryOf<'listReceivingEvents' | 'listShippingEvents'>

const eventColumns = (date: string): readonly Column<EventEntry>[] => [
  { heading: 'id', cell: ({ id }) => id },
  { heading: date, cell: ({ eventList }) => eventList.eventDateTime },
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

const fieldColumns = (subject: string, fields: Readonly<Record<string, string>>): readonly Column<AnyRecord>[] => [
  { heading: 'id', cell: ({ id }) => id },
  ...Object.entries(fields).map(([heading, field]) => ({
    heading,
    cell: (row: AnyRecord) => String((row[subject] as Readonly<Record<string, unknown>>)[field] ?? ''),
  })),
]

const tables = {
  event: {
    columns: eventColumns('received'),
    example: 'lotkeeper list events --lot-code GV26063-A --all --json > events.ndjson',
  },
  'shipping-event': {
    columns: eventColumns('shipped'),
    example: 'lotkeeper list shipping-events --ship-to-location-code DC-07',
  },
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
} as const satisfies Readonly<Record<KindWord, unknown>>

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
      columns: columns as readonly Column<object>[],
      examples: [example],
    })
  }),
]
