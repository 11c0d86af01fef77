// What FDA is handed when it asks: the electronic sortable spreadsheet, and the package of it. Decided in 0029, 0030.
import { receivingEvent } from '../contract/record-kinds.ts'
import { lineSelection } from './event-selection.ts'
import type { Operation, Outcome } from './operation.ts'
import type { QueryParameter } from './query.ts'

const gaps = {
  form: 'boolean',
  meaning:
    'When `true`, cells of the workbook that are empty because the record lacks a key data element are marked, and a sheet `Gaps` lists them.',
  example: 'true',
} as const satisfies QueryParameter

const contact = {
  form: 'text',
  meaning:
    'Whom FDA may ask about these records: name and phone number. It stands in the explanation and the workbook.',
  example: 'Ana Lopez, +1.614.555.0170',
} as const satisfies QueryParameter

const tooMany: Outcome = {
  status: 422,
  when: 'More events or product lines fit than one export holds.',
  retry: 'changed',
}

export const exportFdaSpreadsheet = {
  name: 'exportFdaSpreadsheet',
  method: 'GET',
  path: '/traceability/fda-spreadsheet',
  cites: '21 CFR 1.1455(c)(3); decision 0029',
  summary: "Makes FDA's electronic sortable spreadsheet of receiving events.",
  description:
    'A workbook with the sheets and headings of the FDA template, `Receiving` filled with one row per product line; or that sheet as CSV. Completed with the master data in force. A parameter that stands several times takes what fits one of its values; different parameters all have to fit. When nothing fits there are headings and no rows. CSV has no marks, and is refused with `gaps=true`.',
  role: 'reader',
  topic: 'traceability',
  record: receivingEvent,
  query: {
    ...lineSelection,
    format: { form: 'choice', meaning: 'What the file is.', example: 'xlsx', values: ['xlsx', 'csv'] },
    gaps,
    contact,
  },
  headers: [],
  recorded: 'everyFile',
  outcomes: {
    tooMany,
    exported: {
      status: 200,
      when: 'The file follows.',
      media: {
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'The workbook.',
        'text/csv; charset=utf-8': 'The sheet Receiving, with a byte order mark.',
      },
      retry: 'never',
    },
  },
} as const satisfies Operation

export const exportFdaPackage = {
  name: 'exportFdaPackage',
  method: 'GET',
  path: '/traceability/fda-package',
  cites: '21 CFR 1.1455(c)(3); decision 0030',
  summary: 'Makes a ZIP archive of all FDA asks for: the spreadsheet and how to read it.',
  description:
    'The workbook and the CSV of `exportFdaSpreadsheet`, `explanation.html` (columns, codes, words, counts, gaps), and `manifest.json` with the SHA-256 of each.',
  role: 'reader',
  topic: 'traceability',
  record: receivingEvent,
  query: { ...lineSelection, gaps, contact },
  headers: [],
  recorded: 'everyFile',
  outcomes: {
    tooMany,
    exported: {
      status: 200,
      when: 'The file follows.',
      media: { 'application/zip': 'The package.' },
      retry: 'never',
    },
  },
} as const satisfies Operation
