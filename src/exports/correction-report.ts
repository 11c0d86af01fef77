// The report of a bulk correction: a row for each event, as a workbook or as CSV.
import { byteOrderMark, csvRow } from 'lotkeeper-sheets/safe-csv'
import { widthOfHeading, workbookBytes } from 'lotkeeper-sheets/text-workbook'

/** The outcome of a correction for one event. */
export interface ReportedEvent {
  readonly id: string
  readonly version: number
  readonly toVersion: number | null
  readonly outcome: string
  readonly eventDate: string | null
  readonly dataProviderVendorId: string | null
  readonly shipToLocationCode: string | null
  readonly purchaseOrderNumber: string | null
  readonly values: number
  readonly differences: readonly { readonly pointer: string; readonly before: unknown; readonly after: unknown }[]
  readonly completedLines: number
  readonly closedGaps: number
  readonly detail: string | null
}

type Column = readonly [heading: string, cell: (event: ReportedEvent) => string | number | null]

const columns: readonly Column[] = [
  ['Receiving event', ({ id }) => id],
  ['Date received', ({ eventDate }) => eventDate],
  ['Vendor', ({ dataProviderVendorId }) => dataProviderVendorId],
  ['Ship to', ({ shipToLocationCode }) => shipToLocationCode],
  ['Purchase order', ({ purchaseOrderNumber }) => purchaseOrderNumber],
  ['Outcome', ({ outcome }) => outcome],
  ['From version', ({ version }) => version],
  ['To version', ({ toVersion }) => toVersion],
  ['Values changed', ({ values }) => values],
  ['What changed', changeWords],
  ['Lines completed', ({ completedLines }) => completedLines],
  ['Gaps closed', ({ closedGaps }) => closedGaps],
  ['Why not', ({ detail }) => detail],
]

const headings = columns.map(([heading]) => heading)

function changeWords({ differences, values }: ReportedEvent): string {
  const named = differences.map(
    ({ pointer, before, after }) => `${pointer}: ${valueWords(before)} → ${valueWords(after)}`,
  )
  const more = values - differences.length
  return [...named, ...(more > 0 ? [`${more.toLocaleString('en-US')} more`] : [])].join('; ')
}

const valueWords = (value: unknown): string => (value === null ? '(missing)' : String(value))

const cellsOf = (event: ReportedEvent): string[] => columns.map(([, cell]) => String(cell(event) ?? ''))

export async function* correctionCsv(events: AsyncIterable<ReportedEvent>): AsyncGenerator<string> {
  yield byteOrderMark + csvRow(headings)
  for await (const event of events) yield csvRow(cellsOf(event))
}

/** The workbook: a sheet about the correction, and one with its events. */
export const correctionWorkbook = (
  about: readonly (readonly [string, string])[],
  events: AsyncIterable<ReportedEvent>,
): AsyncGenerator<Uint8Array> =>
  workbookBytes({ title: 'Correction', creator: 'Lotkeeper' }, [
    { name: 'Events', widths: headings.map(widthOfHeading), rows: eventRows(events) },
    { name: 'Correction', widths: [24, 80], rows: [['Property', 'Value'], ...about.map((row) => [...row])] },
  ])

async function* eventRows(events: AsyncIterable<ReportedEvent>): AsyncGenerator<readonly string[]> {
  yield headings
  for await (const event of events) yield cellsOf(event)
}
