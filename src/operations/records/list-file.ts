// A list as a file: the columns of a table, all of its rows. Not shown in the contract;
// decided in 0063.
import { listColumns } from '../../contract/list-columns.ts'
import { type RecordKind, recordKinds, slugOf } from '../../contract/record-kinds.ts'
import type { Operation } from '../base/operation.ts'
import { recordLists } from './list.ts'
import { ofKinds } from './of-kinds.ts'

/** Most records of one file. */
export const listFileRecordsMax = 50_000

export const listFileMedia = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
} as const

const saveList = (record: RecordKind, name: string) =>
  ({
    name,
    method: 'GET',
    path: `/lists/${slugOf(record)}/file`,
    cites: 'decision 0063',
    summary: `Saves a list of ${record.nouns} as a spreadsheet.`,
    description: `One row per record, in the order of the list, with the columns asked for. At most ${listFileRecordsMax.toLocaleString('en')} records. It is made while it is sent.`,
    role: 'partner',
    topic: record.nouns,
    record,
    recorded: 'everyFile',
    query: {
      columns: {
        form: 'choice',
        meaning: 'A column, in the order in which they are given; the usual ones when omitted.',
        values: listColumns[record.name].map((column) => column.name),
        many: true,
        example: listColumns[record.name][0]?.name ?? '',
      },
      format: { form: 'choice', meaning: 'Form of the file.', values: ['xlsx', 'csv'], example: 'csv' },
      ...recordLists[record.name].filters,
      ...recordLists[record.name].sorting,
    },
    headers: [],
    outcomes: {
      tooMany: { status: 422, when: 'More records match than one file may hold.', retry: 'changed' },
      saved: {
        status: 200,
        when: 'Always; the file may have no rows.',
        media: { [listFileMedia.xlsx]: 'The workbook.', [listFileMedia.csv]: 'The rows, with a byte order mark.' },
        retry: 'never',
      },
    },
  }) as const satisfies Operation

export const listFileOperations = ofKinds(recordKinds, ['save', 'List'], saveList)
