// A workbook of the missing data in the lines of a vendor, one row for each element, for the vendor
// to complete at the source.

import { nodePacking } from 'lotkeeper-sheets/node-packing'
import { type WrittenCell, type WrittenSheet, workbook } from 'lotkeeper-sheets/write-workbook'
import type { ReceivingEvent } from '../contract/receiving-event.ts'
import { dateAt } from '../contract/shape/date-and-time.ts'
import type { EventBatches } from './exported-event.ts'
import { type EventLine, eventLines } from './fda-spreadsheet/event-lines.ts'
import { instantText, program } from './fda-spreadsheet/explained.ts'

export interface ScorecardRequest {
  /** Name of the provider. */
  readonly provider: string
  readonly vendor: string
  readonly eventStartDate: string
  readonly eventEndDate: string
  readonly madeAt: Date
  /** Number of product lines of the events, complete or not. */
  readonly lines: number
  /** The key data element that a rule misses, and its paragraph. */
  readonly nameOf: (rule: string) => { readonly kde: string; readonly cites: string }
}

/** Most rows: a sheet holds 1,048,576. */
const rowsMax = 1_000_000

/** Lines from which the sheet may pass 4 GiB of XML: each may lack a dozen elements. */
const largeFromLines = 100_000

/** Rows built between two pauses for other work. */
const rowsAtOnce = 64

const headings = [
  'Purchase order',
  'Date received',
  'Received at',
  'Product line',
  'Item',
  'Description',
  'Traceability lot code',
  'What is missing',
  '21 CFR',
  'What to do',
  'Record id',
]

export function scorecardWorkbook(request: ScorecardRequest, batches: EventBatches): AsyncGenerator<Uint8Array> {
  const { provider, vendor, eventStartDate, eventEndDate, madeAt, lines } = request
  const introduction: WrittenSheet = {
    name: 'Introduction',
    widths: [24, 100],
    rows: [
      [{ style: 'title', text: 'Incomplete product lines' }],
      [],
      ...[
        ['Records of', provider],
        ['Vendor', vendor],
        ['Received', `${eventStartDate} to ${eventEndDate}`],
        ['Made', `${instantText(madeAt)} (UTC), by ${program}`],
        [
          'How to read it',
          'The sheet Lines has one row for each key data element that a product line lacks. 21 CFR 1.1345 requires them of foods on the Food Traceability List. Correct them where they come from and send the records again.',
        ],
      ].map(([what = '', text = '']) => [
        { style: 'heading' as const, text: what },
        { style: 'wrapped' as const, text },
      ]),
    ],
  }
  const sheet: WrittenSheet = {
    name: 'Lines',
    widths: [20, 14, 16, 12, 18, 40, 26, 48, 16, 60, 38],
    frozenRows: 1,
    filteredColumns: headings.length,
    rows: rowsOf(request, batches),
    large: lines >= largeFromLines,
  }
  return workbook(
    [introduction, sheet],
    { title: `Incomplete product lines of ${vendor}`, creator: program, madeAt, openAt: 1 },
    nodePacking,
  )
}

async function* rowsOf(
  request: ScorecardRequest,
  batches: EventBatches,
): AsyncGenerator<readonly (readonly WrittenCell[])[]> {
  yield [headings.map((text) => ({ style: 'heading', text }))]
  let rows: (readonly WrittenCell[])[] = []
  let [written, leftOut] = [0, 0]
  for await (const events of batches)
    for (const event of events)
      for (const line of eventLines(event, {}))
        for (const row of rowsOfLine(line, request)) {
          if (written >= rowsMax) leftOut++
          else {
            written++
            rows.push(row)
          }
          if (rows.length < rowsAtOnce) continue
          yield rows
          rows = []
        }
  if (leftOut > 0) rows.push([`${leftOut} more rows are left out. Ask for a shorter period to see them.`])
  yield rows
}

function rowsOfLine(
  { event, index, line, product, gaps }: EventLine,
  { nameOf }: ScorecardRequest,
): readonly (readonly WrittenCell[])[] {
  const { purchaseOrderNumber, eventDateTime, shipToLocationCode } = event.payload.eventList as ReceivingEvent
  return gaps().map(({ finding: { rule, remedy } }) => [
    purchaseOrderNumber,
    { date: dateAt(eventDateTime, event.timeZone) },
    shipToLocationCode,
    index + 1,
    line.vendorItemCode,
    product.itemDescription ?? line.vendorItemDescription,
    line.caseLotNumber,
    nameOf(rule).kde,
    nameOf(rule).cites,
    remedy,
    event.id,
  ])
}
