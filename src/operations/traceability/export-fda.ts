// Files for FDA on request: the electronic sortable spreadsheet, alone or in a package. Decided in
// 0029, 0030, 0094.
import type { Static } from 'typebox'
import { EarlierLot, earlierLotsMax } from '../../contract/earlier-lot.ts'
import { eventKindNames, type RecordKind, receivingEvent } from '../../contract/record-kinds.ts'
import { Type } from '../../contract/shape/type.ts'
import { ending } from '../base/bodies.ts'
import { lineSelection } from '../base/event-selection.ts'
import type { Operation, Outcome } from '../base/operation.ts'
import type { QueryParameter } from '../base/query.ts'
import { least } from './trace-chain.ts'
import { foodSelection } from './trace-food.ts'

const gaps = {
  form: 'boolean',
  meaning:
    'When `true`, cells of the workbook that are empty because the record lacks a key data element are marked, and a sheet `Gaps` lists them.',
  example: 'true',
} as const satisfies QueryParameter

const contact = {
  form: 'text',
  meaning:
    'Contact for FDA about these records: name and phone number. The explanation and the workbook show it. Without it they show the point of contact of the traceability plan.',
  example: 'Ana Lopez, +1.614.555.0170',
} as const satisfies QueryParameter

const ofFood = <P extends QueryParameter>(parameter: P): P => ({
  ...parameter,
  meaning: `With \`chain=forward\`, instead of \`lotCode\`: ${parameter.meaning}`,
})

/** The lines of the filters, or of the chain of a lot or of food. */
export const fdaSelection = {
  ...lineSelection,
  chain: {
    form: 'choice',
    meaning:
      'Other than `none`, the lines of the chain of the lot, instead of those with its lot code: `forward`, with the lots that were made of it; `back`, with those it was made of; or `both`. `lotCode` names the lot, `tlcSource` its source and `gtin` its item where several have the code. Instead of a lot, `recordId` names a harvest or a cooling, or `dataProviderVendorId`, `locationCode` and `date` do, with `itemCode` and `growingArea` where needed: its food is followed `forward`. Other filters are not possible with it. The workbook and the package say on what ground each lot is in them, and what was left out.',
    example: 'forward',
    values: ['none', 'forward', 'back', 'both'],
  },
  least: { ...least, meaning: `With \`chain\`: ${least.meaning}` },
  recordId: ofFood(foodSelection.recordId),
  record: ofFood(foodSelection.record),
  locationCode: ofFood(foodSelection.locationCode),
  date: ofFood(foodSelection.date),
  growingArea: ofFood(foodSelection.growingArea),
} as const satisfies Record<string, QueryParameter>

const tooMany: Outcome = {
  status: 422,
  when: 'More events or product lines match than one export may hold.',
  retry: 'changed',
}

/** Sheets of FDA's template that have rows, as parameters name them. */
export const sheetNames = [
  'receiving',
  'shipping',
  'harvesting',
  'cooling',
  'initial-packing',
  'initial-packing-sprouts',
  'initial-packing-from-exempt',
  'first-land-based-receiving',
  'receiving-from-exempt',
  'transformation',
  'farm-purchase-by-rfe-or-rest',
  'ad-hoc-rfe-or-rest-purchase',
  'farm-to-school-or-institution',
] as const

/** Most lot codes that read alike that a count names. */
export const alikeLotCodesMax = 20

const FdaLines = Type.Object(
  {
    events: Type.Integer({ description: 'Receiving events with a matching line.' }),
    lines: Type.Integer({
      description: 'Their matching lines: rows of the sheet Receiving, or of a sheet of exempt places.',
    }),
    shippingEvents: Type.Integer({ description: 'Shipping events with a matching line.' }),
    shippingLines: Type.Integer({ description: 'Their matching lines: rows of the sheet Shipping.' }),
    others: Type.Array(
      Type.Object(
        {
          kind: Type.Enum([...eventKindNames]),
          events: Type.Integer({ description: 'Events of the kind with a matching line.' }),
          lines: Type.Integer({ description: 'Their lines in rows of its sheet.' }),
        },
        { additionalProperties: false },
      ),
      { description: 'Events of the other kinds, of each that has any.' },
    ),
    correctedEvents: Type.Integer({
      description: 'Events of all kinds among them that were replaced since they were submitted.',
    }),
    readAlikeLines: Type.Integer({
      description: 'Lines whose lot code only reads like a requested one; rows of a sheet only with `readAlike`.',
    }),
    readAlikeLotCodes: Type.Array(Type.String(), { description: `Their lot codes, at most ${alikeLotCodesMax}.` }),
    chain: Type.Optional(
      Type.Object(
        {
          lots: Type.Integer({ description: 'Lots of the chain, with the one that was asked for.' }),
          food: Type.Integer({ description: 'Food before it was packed, each of one harvest or cooling.' }),
          uncertainLines: Type.Integer({
            description: 'Lines that may be of other lots: by lot code alone, or by place and date.',
          }),
          leftOutLines: Type.Integer({ description: 'Lines that are less sure than `least`.' }),
          isWhole: Type.Boolean({ description: 'False where the chain is larger than a response may be.' }),
        },
        { description: 'With `chain`.', additionalProperties: false },
      ),
    ),
    earlierLots: Type.Array(EarlierLot, {
      description: `Records that had a requested lot code until a correction or a void, at most ${earlierLotsMax}.`,
    }),
  },
  { title: 'FdaLines', additionalProperties: false },
)
export type FdaLines = Static<typeof FdaLines>

const countFdaLines = {
  name: 'countFdaLines',
  method: 'GET',
  path: '/traceability/fda-lines',
  cites: '21 CFR 1.1455(c)(3); decision 0030',
  summary: 'Counts what the files for FDA would hold.',
  description:
    'Takes the same filters as the spreadsheet and the package and returns counts instead of a file: how much matches, and what else may belong to it.',
  role: 'partner',
  topic: 'traceability',
  record: receivingEvent as RecordKind,
  query: fdaSelection,
  headers: [],
  outcomes: {
    tooMany,
    counted: { status: 200, when: 'The counts; they may be 0.', body: FdaLines, retry: 'never' },
  },
} as const satisfies Operation

const exportFdaSpreadsheet = {
  name: 'exportFdaSpreadsheet',
  method: 'GET',
  path: '/traceability/fda-spreadsheet',
  cites: '21 CFR 1.1455(c)(3); decision 0029',
  summary: "Makes FDA's electronic sortable spreadsheet of all kinds of events.",
  description:
    'A workbook with the sheets and headings of the FDA template, each kind of event in its sheet with one row per line; or one of these sheets as CSV. A row of `Transformation` pairs a lot used with a lot made. Completed with the master data in force. A repeated parameter matches any of its values; different parameters must all match. When nothing matches, the file has headings and no rows. CSV cannot have marks and is refused with `gaps=true`.',
  role: 'partner',
  topic: 'traceability',
  record: receivingEvent as RecordKind,
  query: {
    ...fdaSelection,
    format: { form: 'choice', meaning: 'What the file is.', example: 'xlsx', values: ['xlsx', 'csv'] },
    sheet: {
      form: 'choice',
      meaning: 'The sheet that a CSV has, `receiving` when omitted. A workbook has all.',
      example: 'shipping',
      values: sheetNames,
    },
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
        'text/csv; charset=utf-8': 'One sheet, with a byte order mark.',
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
  summary: 'Makes a ZIP archive of everything FDA asks for: the spreadsheet and how to read it.',
  description:
    'The workbook and the CSV of `exportFdaSpreadsheet`, those of its other sheets that have rows, the corrections and voided records where there are any, `explanation.html` (columns, codes, words, counts, gaps), `traceability-plan.html` where a plan is stored, and `manifest.json` with the SHA-256 of each.',
  role: 'partner',
  topic: 'traceability',
  record: receivingEvent as RecordKind,
  query: { ...fdaSelection, gaps, contact },
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

const LastPackage = Type.Object(
  {
    made: Type.Union(
      [
        Type.Object(
          {
            beganDateTime: Type.String({ description: 'When it was asked for, in UTC.' }),
            ending,
            records: Type.Union([Type.Integer(), Type.Null()], { description: 'Events in it.' }),
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'The last package; null if none was made yet.' },
    ),
  },
  { title: 'LastFdaPackage', additionalProperties: false },
)

const readLastFdaPackage = {
  name: 'readLastFdaPackage',
  method: 'GET',
  path: '/traceability/fda-package/last',
  cites: 'decisions 0030 and 0039',
  summary: 'Reads when the last FDA package was made.',
  description:
    'For everybody who may make one, so that they see how long ago the last one was. Who made it, and of what, is in the access log.',
  role: 'partner',
  topic: 'traceability',
  query: {},
  headers: [],
  outcomes: { found: { status: 200, when: 'Always.', body: LastPackage, retry: 'never' } },
} as const satisfies Operation

export const fdaOperations = { exportFdaSpreadsheet, exportFdaPackage, readLastFdaPackage, countFdaLines }
