// From gaps to their causes: entries to complete, and the gaps that this would close. Decided in
// 0067.
import type { Static } from 'typebox'
import { MasterLocation } from '../../contract/location.ts'
import { MasterProduct } from '../../contract/product.ts'
import { receivingEvent } from '../../contract/record-kinds.ts'
import { object, optional } from '../../contract/shape/field.ts'
import { Type } from '../../contract/shape/type.ts'
import { vendorName } from '../base/bodies.ts'
import type { Operation } from '../base/operation.ts'
import { limitDefault, limitMax } from '../base/query.ts'
import { dates, period, recounting, selection } from './completeness.ts'

/** Most lines that one preview judges: some seconds of work. */
export const previewedLinesMax = 50_000

const GapCause = Type.Object(
  {
    rule: Type.String({ description: 'Id of the rule that finds it missing.' }),
    kde: Type.String({ description: 'Name of the key data element.' }),
    cites: Type.String({ description: 'Its paragraph of 21 CFR.' }),
    completedBy: Type.Enum(['masterProduct', 'location', 'correction'], {
      description:
        'What completes all of these lines at once: the master product or the location of `code`, or a bulk correction of the lines or events.',
    }),
    dataProviderVendorId: Type.String({ description: 'Vendor of the lines.' }),
    dataProviderVendorName: vendorName,
    code: Type.Union([Type.String(), Type.Null()], {
      description: 'Item code or location code; null where the event itself lacks it.',
    }),
    lines: Type.Integer({ description: 'Lines that lack it for this cause.' }),
    events: Type.Integer({ description: 'Events these lines are in.' }),
  },
  { title: 'GapCause', additionalProperties: false },
)

export const GapCauses = Type.Object(
  {
    ...dates,
    causes: Type.Array(GapCause, { description: 'The cause of the most lines first.' }),
    causeCount: Type.Integer({ description: 'Number of all causes; at most `limit` are listed.' }),
    recounting,
  },
  { title: 'GapCauses', additionalProperties: false },
)
export type GapCauses = Static<typeof GapCauses>

const listGapCauses = {
  name: 'listGapCauses',
  method: 'GET',
  path: '/traceability/gap-causes',
  cites: '21 CFR 1.1345(a); decision 0067',
  summary: 'Lists the causes of gaps: what to complete once, and how many lines lack it.',
  description: `Gaps of lines are grouped by key data element, vendor, and the product, location or item that causes them. ${period}`,
  role: 'reader',
  topic: 'traceability',
  record: receivingEvent,
  query: {
    ...selection,
    rule: { form: 'text', meaning: 'Only gaps that this rule found.', example: 'product/packaging-style' },
    limit: { form: 'limit', meaning: `Causes to list, 1 to ${limitMax}.`, example: String(limitDefault) },
  },
  headers: [],
  outcomes: { listed: { status: 200, when: 'The causes; there may be none.', body: GapCauses, retry: 'never' } },
} as const satisfies Operation

export const NewMasterData = object('NewMasterData', {
  masterProduct: optional(MasterProduct),
  location: optional(MasterLocation),
})
export type NewMasterData = Static<typeof NewMasterData>

export const MasterDataEffect = Type.Object(
  {
    events: Type.Integer({ description: 'Events that name the product or location.' }),
    judgedEvents: Type.Integer({ description: 'Those that were judged.' }),
    judgedLines: Type.Integer({ description: 'Lines of these.' }),
    completedEvents: Type.Integer({ description: 'Events of which lines become complete.' }),
    completedLines: Type.Integer({ description: 'Lines that become complete, less those that do not stay so.' }),
    closedGaps: Type.Integer({ description: 'Gaps that are closed, less those that are opened.' }),
    isWhole: Type.Boolean({
      description: `False when the events have more than ${previewedLinesMax.toLocaleString('en-US')} lines: then only the first are judged.`,
    }),
  },
  { title: 'MasterDataEffect', additionalProperties: false },
)
export type MasterDataEffect = Static<typeof MasterDataEffect>

const previewMasterData = {
  name: 'previewMasterData',
  method: 'POST',
  path: '/traceability/master-data-preview',
  cites: 'decision 0067',
  summary: 'Counts what a master product or location would complete, and stores nothing.',
  description:
    'Judges the stored events that name it twice: with the current master data, and with the one that was sent. The rules of the record itself are those of its own endpoint, with `dryRun=true`.',
  role: 'writer',
  topic: 'traceability',
  query: {},
  headers: [],
  body: NewMasterData,
  outcomes: {
    refused: {
      status: 422,
      when: 'A field is missing or wrong, or there is not exactly one of `masterProduct` and `location`.',
      retry: 'changed',
    },
    counted: { status: 200, when: 'The counts.', body: MasterDataEffect, retry: 'never' },
  },
} as const satisfies Operation

export const gapCauseOperations = { listGapCauses, previewMasterData }
