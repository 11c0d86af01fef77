// The values that a filter of a list can have, of those that occur. Not shown in the contract;
// decided in 0063.
import { location, masterProduct, type RecordKind, receivingEvent, shippingEvent } from '../../contract/record-kinds.ts'
import { Type } from '../../contract/shape/type.ts'
import type { Operation } from '../base/operation.ts'
import { paging } from '../base/query.ts'
import { recordLists } from './list.ts'

const ListValues = Type.Object(
  {
    content: Type.Array(
      Type.Object({
        value: Type.String({ description: 'As the filter takes it.' }),
        label: Type.Union([Type.String(), Type.Null()], { description: 'Its name; null if it has none.' }),
        records: Type.Integer({ description: 'Records that have it and match the other filters.' }),
      }),
      { description: 'Those of most records first.' },
    ),
    isWhole: Type.Boolean({
      description: 'True if all matching records were looked at; false if only the newest, up to 100,000.',
    }),
  },
  { title: 'ListValues', additionalProperties: false },
)

const listValues = <K extends RecordKind, N extends string, const Of extends string>(
  record: K,
  name: N,
  path: string,
  of: readonly Of[],
) =>
  ({
    name,
    method: 'GET',
    path,
    cites: 'decision 0063',
    summary: `Lists the values that a filter of ${record.nouns} can have.`,
    description:
      'Counts the values of one filter among the records that match the other filters. Of very many records, only the newest are looked at.',
    role: 'partner',
    topic: record.nouns,
    record,
    query: {
      of: { form: 'choice', meaning: `The filter; \`${of[0]}\` when omitted.`, values: of, example: of[0] ?? '' },
      containing: {
        form: 'text',
        meaning: 'Only values that have this text in their value or name, in any case.',
        example: 'farm',
      },
      ...recordLists[record.name].filters,
      limit: paging.limit,
    },
    headers: [],
    outcomes: { listed: { status: 200, when: 'The values; there may be none.', body: ListValues, retry: 'never' } },
  }) as const satisfies Operation

export const listReceivingEventValues = listValues(
  receivingEvent,
  'listReceivingEventValues',
  '/lists/receiving-events/values',
  ['dataProviderVendorId', 'shipFromLocationCode', 'shipToLocationCode', 'itemCode', 'ftlCategory', 'gapRule'],
)
export const listShippingEventValues = listValues(
  shippingEvent,
  'listShippingEventValues',
  '/lists/shipping-events/values',
  ['dataProviderVendorId', 'shipFromLocationCode', 'shipToLocationCode', 'itemCode', 'ftlCategory'],
)
export const listMasterProductValues = listValues(
  masterProduct,
  'listMasterProductValues',
  '/lists/master-products/values',
  ['dataProviderVendorId'],
)
export const listLocationValues = listValues(location, 'listLocationValues', '/lists/locations/values', [
  'dataProviderVendorId',
])

export const listValuesOperations = {
  listReceivingEventValues,
  listShippingEventValues,
  listMasterProductValues,
  listLocationValues,
}
