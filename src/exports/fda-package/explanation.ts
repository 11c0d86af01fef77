// The page that explains the spreadsheet. Source: 21 CFR 1.1455(c)(1): records are provided with
// the information needed to understand them; decision 0030.
import { correctionCells, correctionHeadings } from '../fda-spreadsheet/corrections.ts'
import {
  columnReference,
  type EventColumn,
  receivingColumns,
  shippingColumns,
} from '../fda-spreadsheet/event-columns.ts'
import {
  alikeWords,
  correctionsListed,
  definitions,
  type ExportRequest,
  earlierLotSentence,
  filterWords,
  gapsMarked,
  gapsNotMarked,
  instantText,
  noCorrections,
  program,
  readingRules,
} from '../fda-spreadsheet/explained.ts'
import type { Tally } from '../fda-spreadsheet/tally.ts'
import { page, paragraph, table } from './html.ts'
import { type VoidedTally, voidedHeadings } from './voided.ts'

/** Names of the other files of the package. */
export interface PackageFiles {
  readonly workbook: string
  readonly csv: string
  /** Absent when no shipping event matches. */
  readonly shipping?: string | undefined
  /** Absent when no record was corrected. */
  readonly corrections?: string | undefined
  /** Empty when no record was voided. */
  readonly voided: readonly string[]
  /** Absent when the provider has stored no traceability plan. */
  readonly plan?: string | undefined
  readonly manifest: string
}

/** An HTML page for any browser, without scripts and external files. */
export function explanation(request: ExportRequest, tally: Tally, voided: VoidedTally, files: PackageFiles): string {
  const { provider, filters, madeAt, gaps, contact, earlierLots = [] } = request
  const missing = [tally, tally.shipping].flatMap(({ byColumn, lines }, i) =>
    (i === 0 ? receivingColumns : shippingColumns).flatMap((column) => {
      const count = byColumn.get(column.letter)
      return count === undefined
        ? []
        : [[columnReference(column), column.heading, column.paragraph, numberText(count), share(count, lines)]]
    }),
  )
  const emptyCells = tally.emptyCells + tally.shipping.emptyCells
  const records = files.shipping === undefined ? 'Receiving records' : 'Receiving and shipping records'
  return page(`${records}: explanation`, [
    paragraph(
      `${records} of ${provider}, kept under 21 CFR part 1 subpart S (food traceability). Made on ${instantText(madeAt)} (UTC) by ${program}.`,
    ),
    ...missingRecords(request),
    '<h2>Filters of this export</h2>',
    table(['Filter', 'Value'], [...filterWords(filters), ...alikeWords(request)]),
    ...earlierLots.map((lot) => paragraph(earlierLotSentence(lot))),
    '<h2>Contents</h2>',
    table(['Count', ''], counts(tally, voided, files)),
    ...(tally.lines + tally.shipping.lines === 0
      ? [paragraph('No record matches the filters. The files have headings but no rows.')]
      : []),
    '<h2>Files</h2>',
    table(['File', 'What it is'], fileRows(files)),
    paragraph(
      'In the CSV file each heading is on one line, without its hint. Text that a spreadsheet would run as a formula gets an apostrophe in front, in the CSV file only. This applies to text that begins with =, @, a tab or a carriage return, and to text that begins with + or - and is not a number.',
    ),
    '<h2>How to read the rows</h2>',
    table(['Subject', 'Rule'], readingRules),
    '<h2>Columns of the sheet Receiving</h2>',
    paragraph(
      'Names in the last column are fields of the stored record. "Product" is the entry for the item in the event’s own product list, completed with the vendor’s master product. Locations are completed in the same way.',
    ),
    columnTable(receivingColumns),
    ...(files.shipping === undefined ? [] : ['<h2>Columns of the sheet Shipping</h2>', columnTable(shippingColumns)]),
    '<h2>Codes</h2>',
    table(['Code', 'Meaning'], codes),
    '<h2>Gaps</h2>',
    paragraph(
      emptyCells === 0
        ? 'No cell is empty because of a gap. Every key data element required by 21 CFR 1.1345 and 1.1340 is present.'
        : `${numberText(emptyCells)} cells are empty because the record lacks a key data element required by 21 CFR 1.1345 or 1.1340. ${gaps ? gapsMarked : gapsNotMarked}`,
    ),
    ...(missing.length > 0
      ? [table(['Column', 'Key data element', '21 CFR', 'Empty cells', 'Of all rows'], missing)]
      : []),
    '<h2>Corrections</h2>',
    ...corrections(request, tally),
    '<h2>Voided records</h2>',
    ...voidedRecords(voided),
    '<h2>Glossary</h2>',
    table(['Term', 'Meaning'], definitions),
    '<h2>Questions</h2>',
    paragraph(
      `Ask ${contact ?? provider}${contact === undefined ? ', who keeps these records,' : ` of ${provider}, who keeps these records,`} and give the lot code and the number of the reference document. Columns Q to W of the sheet Receiving identify the firm that received the food, with its phone number. ${files.plan === undefined ? 'The traceability plan of that firm (21 CFR 1.1315) names a point of contact.' : `Its traceability plan (21 CFR 1.1315) is in ${files.plan}.`}`,
    ),
  ])
}

const counts = (tally: Tally, voided: VoidedTally, { shipping }: PackageFiles): readonly (readonly string[])[] => [
  ['Receiving events', numberText(tally.events)],
  ['Product lines, one row each', numberText(tally.lines)],
  ...(shipping === undefined
    ? []
    : [
        ['Shipping events', numberText(tally.shipping.events)],
        ['Product lines shipped, one row each', numberText(tally.shipping.lines)],
      ]),
  ['Traceability lots', numberText(tally.lots)],
  ['Places shipped from or received at', numberText(tally.places)],
  ['Records replaced after they were first submitted', numberText(tally.correctedRecords)],
  ['Rows whose date is the date in UTC', numberText(tally.utcDates + tally.shipping.utcDates)],
  ['Voided records, which have no rows', numberText(voided.records)],
]

function fileRows({ workbook, csv, shipping, corrections, voided, plan, manifest }: PackageFiles) {
  const rows: readonly (readonly [name: string | undefined, is: string])[] = [
    [workbook, 'The electronic sortable spreadsheet, in the sheets and headings of FDA’s template.'],
    [csv, 'Its sheet Receiving as comma-separated values in UTF-8, for programs. Every cell has the same text.'],
    [shipping, 'Its sheet Shipping as comma-separated values, in the same form.'],
    [corrections, 'The sheet Corrections as comma-separated values: what was replaced in these records, and when.'],
    ...voided.map(
      (name) => [name, 'Records that were voided: the rows they had, when they were voided and why.'] as const,
    ),
    [plan, 'The traceability plan of the firm that keeps these records (21 CFR 1.1315).'],
    [manifest, 'Size and SHA-256 of each file and the counts above, for programs.'],
  ]
  return rows.flatMap(([name, is]) => (name === undefined ? [] : [[name, is]]))
}

/** First of all: a reader must not take the package for complete. */
function missingRecords({ missing = [], provider }: ExportRequest): readonly string[] {
  if (missing.length === 0) return []
  return [
    '<h2>This package is not complete</h2>',
    paragraph(
      `The database of ${provider} lost ${numberText(missing.length)} ${missing.length === 1 ? 'version' : 'versions'} of records that belong in this package. A record without its current version has no rows in the other files; without an earlier version, what was corrected in it is not listed. Ask for these records again after they were restored.`,
    ),
    table(
      ['Record', 'Version', 'Kind', 'Date', 'Vendor', 'Purchase order'],
      missing.map(({ id, version, isCurrent, kind, eventDate, dataProviderVendorId, purchaseOrderNumber }) => [
        id,
        `${version}${isCurrent ? ', the current one' : ''}`,
        kind === 'shippingEvent' ? 'Shipping' : 'Receiving',
        eventDate ?? '',
        dataProviderVendorId ?? '',
        purchaseOrderNumber ?? '',
      ]),
    ),
  ]
}

function corrections({ corrections: any }: ExportRequest, tally: Tally): readonly string[] {
  if (any === undefined) return [paragraph(noCorrections)]
  const more = tally.correctionCount - tally.corrections.length
  return [
    paragraph(correctionsListed),
    table(correctionHeadings, tally.corrections.map(correctionCells)),
    ...(more > 0 ? [paragraph(`${numberText(more)} more are in the sheet Corrections.`)] : []),
  ]
}

function voidedRecords({ records, listed }: VoidedTally): readonly string[] {
  if (records === 0) return [paragraph('No record that matches the filters was voided.')]
  const more = records - listed.length
  return [
    paragraph(
      'These records were entered by mistake and voided. They have no rows in the other files. They are still kept, and can be given to FDA.',
    ),
    table([...voidedHeadings, 'Kind', 'Rows'], listed),
    ...(more > 0 ? [paragraph(`${numberText(more)} more are in the files of voided records.`)] : []),
  ]
}

/** Values that are codes rather than words. */
const codes: readonly (readonly [string, string])[] = [
  ['FFRN:…', 'Lot code source, by food facility registration number.'],
  ['FEI:…', 'Lot code source, by FDA establishment identifier.'],
  ['GLN:…', 'Lot code source, by GS1 Global Location Number.'],
  ['DUNS:…', 'Lot code source, by DUNS number.'],
  ['Bill of Lading (BOL)', 'The carrier’s document for the load.'],
  ['Advance Shipping Notice (ASN)', 'The electronic notice the shipper sends ahead of the load.'],
  ['Purchase Order (PO)', 'The buyer’s order.'],
]

const numberText = (count: number): string => count.toLocaleString('en-US')

const share = (count: number, all: number): string => `${((100 * count) / all).toFixed(1)} %`

const columnTable = (columns: readonly EventColumn[]): string =>
  table(
    ['Column', 'Heading', '21 CFR', 'Comes from'],
    columns.map(({ letter, heading, paragraph, from }) => [letter, heading, paragraph, `${from}.`]),
  )
