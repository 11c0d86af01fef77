// The values that a filter of a list can have, of those that occur. Not shown in the contract;
// decided in 0063.
import { type RecordKind, recordKinds, slugOf } from '../../contract/record-kinds.ts'
import { Type } from '../../contract/shape/type.ts'
import type { Operation } from '../base/operation.ts'
import { paging } from '../base/query.ts'
import { recordLists } from './list.ts'
import { ofKinds } from './of-kinds.ts'

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

/** Filters whose values can be listed. */
const valued = ({ name }: RecordKind): readonly string[] => recordLists[name].valued

const listValues = (record: RecordKind, name: string) =>
  ({
    name,
    method: 'GET',
    path: `/lists/${slugOf(record)}/values`,
    cites: 'decision 0063',
    summary: `Lists the values that a filter of ${record.nouns} can have.`,
    description:
      'Counts the values of one filter among the records that match the other filters. Of very many records, only the newest are looked at.',
    role: 'partner',
    topic: record.nouns,
    record,
    query: {
      of: {
        form: 'choice',
        meaning: `The filter; \`${valued(record)[0]}\` when omitted.`,
        values: valued(record),
        example: valued(record)[0] ?? '',
      },
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

export const listValuesOperations = ofKinds(recordKinds, ['list', 'Values'], listValues)
