// The page that explains the spreadsheet. Source: 21 CFR 1.1455(c)(1): records are provided with
// the information needed to understand them; decision 0030.
import { capitalize } from '../../contract/text/capitalize.ts'
import { correctionCells, correctionHeadings } from '../fda-spreadsheet/corrections.ts'
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
import {
  columnReference,
  type EventColumn,
  type KindSheet,
  receiving,
  sheetsFor,
} from '../fda-spreadsheet/kind-sheets.ts'
import type { Tally } from '../fda-spreadsheet/tally.ts'
import { chainSection } from './chain-section.ts'
import { page, paragraph, table } from './html.ts'
import { type VoidedTally, voidedHeadings } from './voided.ts'

/** Names of the other files of the package. */
export interface PackageFiles {
  readonly workbook: string
  readonly csv: string
  /** Of the other kinds of event that match. */
  readonly others: readonly { readonly sheet: KindSheet; readonly name: string }[]
  /** Absent when no chain was asked for. */
  readonly chain?: string | undefined
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
  const sheets = [receiving, ...files.others.map(({ sheet }) => sheet)]
  const missing = tally.sheets.flatMap(([{ columns }, { byColumn, lines }]) =>
    columns.flatMap((column) => {
      const count = byColumn.get(column.letter)
      return count === undefined
        ? []
        : [[columnReference(column), column.heading, column.paragraph, numberText(count), share(count, lines)]]
    }),
  )
  const emptyCells = tally.sum((one) => one.emptyCells)
  const sections = sheets.map(({ section }) => section).join(', ')
  const names = sheets.map(({ name }) => name.toLowerCase())
  const records = `${capitalize([names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' and '))} records`
  return page(`${records}: explanation`, [
    paragraph(
      `${records} of ${provider}, kept under 21 CFR part 1 subpart S (food traceability). Made on ${instantText(madeAt)} (UTC) by ${program}.`,
    ),
    ...missingRecords(request),
    '<h2>Filters of this export</h2>',
    table(['Filter', 'Value'], [...filterWords(filters), ...alikeWords(request)]),
    ...earlierLots.map((lot) => paragraph(earlierLotSentence(lot))),
    ...chainSection(request, files),
    '<h2>Contents</h2>',
    table(['Count', ''], counts(tally, voided, files)),
    ...(tally.sum(({ lines }) => lines) === 0
      ? [paragraph('No record matches the filters. The files have headings but no rows.')]
      : []),
    '<h2>Files</h2>',
    table(['File', 'What it is'], fileRows(files)),
    paragraph(
      'In the CSV file each heading is on one line, without its hint. Text that a spreadsheet would run as a formula gets an apostrophe in front, in the CSV file only. This applies to text that begins with =, @, a tab or a carriage return, and to text that begins with + or - and is not a number.',
    ),
    '<h2>How to read the rows</h2>',
    table(['Subject', 'Rule'], readingRules),
    ...sheets.flatMap(({ name, columns }, i) => [
      `<h2>Columns of the sheet ${name}</h2>`,
      ...(i > 0
        ? []
        : [
            paragraph(
              'Names in the last column are fields of the stored record. "Product" is the entry for the item in the event’s own product list, completed with the vendor’s master product. Locations are completed in the same way.',
            ),
          ]),
      columnTable(columns),
    ]),
    '<h2>Codes</h2>',
    table(['Code', 'Meaning'], codes),
    '<h2>Gaps</h2>',
    paragraph(
      emptyCells === 0
        ? `No cell is empty because of a gap. Every key data element required by 21 CFR ${sections} is present.`
        : `${numberText(emptyCells)} cells are empty because the record lacks a key data element required by 21 CFR ${sections}. ${gaps ? gapsMarked : gapsNotMarked}`,
    ),
    ...(missing.length > 0
      ? [table(['Column', 'Key data element', '21 CFR', 'Empty cells', 'Of all lines'], missing)]
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

const counts = (tally: Tally, voided: VoidedTally, { others }: PackageFiles): readonly (readonly string[])[] => [
  ['Receiving events', numberText(tally.events)],
  ['Product lines, one row each', numberText(tally.lines)],
  ...others.flatMap(({ sheet }) => [
    [`Events in the sheet ${sheet.name}`, numberText(tally.of(sheet).events)],
    [`Lines in the sheet ${sheet.name}`, numberText(tally.of(sheet).lines)],
  ]),
  ['Traceability lots', numberText(tally.lots)],
  ['Places of the events', numberText(tally.places)],
  ['Records replaced after they were first submitted', numberText(tally.correctedRecords)],
  ['Rows whose date is the date in UTC', numberText(tally.sum(({ utcDates }) => utcDates))],
  ['Voided records, which have no rows', numberText(voided.records)],
]

function fileRows({ workbook, csv, others, chain, corrections, voided, plan, manifest }: PackageFiles) {
  const rows: readonly (readonly [name: string | undefined, is: string])[] = [
    [workbook, 'The electronic sortable spreadsheet, in the sheets and headings of FDA’s template.'],
    [csv, 'Its sheet Receiving as comma-separated values in UTF-8, for programs. Every cell has the same text.'],
    ...others.map(
      ({ name, sheet }) => [name, `Its sheet ${sheet.name} as comma-separated values, in the same form.`] as const,
    ),
    [chain, 'The lots of the chain as comma-separated values: each with the events by which it is in the chain.'],
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
        sheetsFor(kind)[0]?.name ?? '',
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
