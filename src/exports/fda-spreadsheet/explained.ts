// Sentences that explain the spreadsheet: for its Introduction, for the page beside it and for the
// reference.

import { type EarlierLot, earlierLotText } from '../../contract/earlier-lot.ts'
import { ignoredText } from '../../contract/lots/alike-lots.ts'
import type { EventKindName } from '../../contract/record-kinds.ts'
import { version } from '../../version.ts'
import type { EventBatches } from '../exported-event.ts'
import { chainValue, type ExportedChain } from './chain-explained.ts'
import type { Correction } from './corrections.ts'
import type { ExportFilters } from './event-lines.ts'
import { exemptSheets } from './exempt-columns.ts'
import { type KindSheet, sheetKinds, sheetsFor } from './kind-sheets.ts'
import { pairsMax } from './sheet-rows.ts'

/** The program, as the author of files. */
export const program = `Lotkeeper ${version}`

/** The request of an export, and who sent it. */
export interface ExportRequest {
  /** Name of the data provider whose records they are. */
  readonly provider: string
  readonly filters: ExportFilters
  /** The chains of the lot that the request names, when it asks for them. */
  readonly chain?: ExportedChain | undefined
  /** Undefined when the request names no lot. */
  readonly alike?: AlikeLots | undefined
  readonly madeAt: Date
  /** True when empty cells for missing data are marked and listed. */
  readonly gaps: boolean
  /** The contact for FDA's questions: name and phone number. */
  readonly contact?: string | undefined
  /**
   * Corrections of the selected records, in the order of the rows. Each call starts again. Absent
   * when none was replaced.
   */
  readonly corrections?: (() => AsyncIterable<readonly Correction[]>) | undefined
  /** The sheets that may have rows; all of them if it is not said. */
  readonly sheets?: readonly KindSheet[]
  /** Events of further sheets that match, by sheet and in their order. */
  readonly others?: readonly OtherEvents[] | undefined
  /** Records that had a requested lot code, and no longer do. */
  readonly earlierLots?: readonly EarlierLot[] | undefined
  /** Versions that belong in the export and are missing in the database (decision 0075). */
  readonly missing?: readonly MissingRecord[] | undefined
}

/** Events of a sheet that match. */
interface OtherEvents {
  readonly sheet: KindSheet
  /** Each call starts again. */
  readonly read: () => EventBatches
  /** Most rows that they have. */
  readonly rows: number
}

/** A version that the database lost, with the known facts about its record. */
export interface MissingRecord {
  readonly id: string
  readonly version: number
  readonly kind: EventKindName
  /** Whether it is the current one, without which the record has no rows. */
  readonly isCurrent: boolean
  readonly eventDate?: string | undefined
  readonly dataProviderVendorId?: string | undefined
  readonly purchaseOrderNumber?: string | undefined
}

/** One sentence about a record that had a lot code. */
export const earlierLotSentence = (lot: EarlierLot): string =>
  `Record ${lot.id} had lot code ${earlierLotText(lot)}. These rows include it only where its current version, ${lot.currentVersion}, matches.`

export const noCorrections = 'None of these records was replaced after it was first submitted.'
export const correctionsListed =
  'Some of these records were replaced after they were first submitted. The sheet Corrections lists each changed cell with its value before and after, and the time when the change was submitted. The rows of the other sheets show the current records.'

/** Lot codes that read like a requested one, and the number of their lines (decision 0049). */
export interface AlikeLots {
  readonly lines: number
  readonly lotCodes: readonly string[]
}

/** Most of them that a file lists. */
const alikeNamedMax = 20

/** States which lines may be of a lot without being known to be; empty when there are none. */
export function alikeWords({
  alike,
  filters,
}: Pick<ExportRequest, 'alike' | 'filters'>): readonly (readonly [what: string, value: string])[] {
  if (alike === undefined || alike.lines === 0) return []
  const { lines, lotCodes } = alike
  const named = lotCodes.slice(0, alikeNamedMax).map((lotCode) => JSON.stringify(lotCode))
  const more = lotCodes.length > named.length ? ` and ${lotCodes.length - named.length} more` : ''
  const carry = lines === 1 ? '1 line has' : `${lines.toLocaleString('en-US')} lines have`
  const where = filters.readAlike === true ? 'These lines are included as rows.' : 'No row here includes them.'
  return [
    [
      'Lot codes that read alike',
      `${carry} another lot code that reads like the requested one: ${named.join(', ')}${more}. ${where} These differences were ignored: ${ignoredText}. Only the sender knows whether they are the same lot.`,
    ],
  ]
}

/** An instant in the form of files. */
export const instantText = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`

/** The filters in words, those that were given. */
export const filterWords = (filters: ExportFilters): readonly (readonly [what: string, value: string])[] => {
  const given = Object.entries(filterNames).flatMap(([name, words]): [string, string][] => {
    const value = filters[name as keyof typeof filterNames]
    if (value === undefined) return []
    if (name === 'chain' || name === 'least' || name === 'record') return [[words, chainValue(String(value), filters)]]
    return [[words, value === true ? 'included' : [value].flat().join(' or ')]]
  })
  return given.length > 0 ? given : [['Records', 'all events of the data provider']]
}

const filterNames: Readonly<Record<Exclude<keyof ExportFilters, 'isInChain'>, string>> = {
  eventStartDate: 'Events on this date or later',
  eventEndDate: 'Events on this date or earlier',
  dataProviderVendorId: 'Vendor',
  shipToLocationCode: 'Ship-to location, or place of an event without one',
  itemCode: 'Item code of vendor or purchaser',
  gtin: 'GTIN of the item',
  ftlCategory: 'Category of the Food Traceability List',
  productText: 'Text in the product description',
  lotCode: 'Traceability lot code',
  recordId: 'Record of the harvest or the cooling',
  record: 'What happened to the food',
  locationCode: 'Location of the food',
  date: 'Date at this location',
  growingArea: 'Growing area or container',
  chain: 'Chain',
  least: 'Least sure ground of the chain',
  readAlike: 'Lot codes that read alike',
  tlcSource: 'Traceability lot code source',
}

/** The columns of reference documents of deliveries. Source: decisions 0029, 0050. */
export const documentRule =
  'A row of Receiving or Shipping lists all documents of the event that the record has, in this order: bill of lading, advance shipping notice, purchase order. The first is alone in the first pair of columns. The others are in the second pair, kinds and numbers in the same order, separated by "; ". A kind that the sender wrote in front of a number, as in "Packing List 48661", is the kind of that document. Rows of other sheets have both documents of the event as the record has them.'

const retailSheets = exemptSheets.slice(1).map(({ name }) => name.trim())

/** How to read the filled sheets. */
export const readingRules: readonly (readonly [subject: string, rule: string])[] = [
  [
    'Rows',
    'One row per line of an event, in the sheet of its kind: one quantity of one item, under one traceability lot code where it has one. Rows are sorted by the date of the event. A filter by lot code, item, category or source selects only the lines that match it, not the other lines of the same event. A line matches one of several values of one filter, and it matches every filter.',
  ],
  [
    'Rows of pairs',
    `A row of Transformation pairs a lot that was used with a lot that was made, and one of Initial Packing food that was received with a lot that was packed. The records do not say which went into which, so each is paired with each of the same event, and both have their whole quantity in each of these rows. Do not add up a column of quantities: a line counts once for each event. A further line with the same values has a row of its own. In an event with more than ${pairsMax.toLocaleString('en-US')} pairs, every line has a row of its own. Such rows are of one event if date, place and reference documents agree. A filter that selects a lot selects its pairs.`,
  ],
  ['Sheets without rows', 'No record matches.'],
  [
    'Exempt sources',
    `The provider keeps a list of places to which the rule does not apply, each with the paragraph of 21 CFR 1.1305 and its period. A receipt from such a place, by its date, is in Receiving From Exempt instead of Receiving: the place of receipt is the source of the lot code, 1.1345(b)(5). What a retail food establishment, restaurant or school received under 1.1305(j), (k) or (l) is in one of the sheets ${retailSheets.join(', ')}, with what these paragraphs require.`,
  ],
  [
    'Text',
    'Every text, including lot codes and document numbers, is exactly as submitted. Nothing is trimmed, reformatted or changed in case, and leading zeros stay. Texts are in text cells, which a spreadsheet does not calculate.',
  ],
  [
    'Quantity',
    'A number, or text where a spreadsheet would not keep all of its digits. The unit is exactly as submitted.',
  ],
  [
    'Dates',
    'A date is the calendar date at the place of the event: where food was received, landed, harvested, cooled, packed or transformed, or where it was shipped from. If the provider has set a time zone for the place, the date is in that zone. Otherwise it is the date as submitted, with the offset of the submitter. A time submitted in UTC for a place without a time zone gives the date in UTC, which differs from the local date by a day for some hours of each day. The explanation counts these rows. Dates are in real date cells shown as mm/dd/yyyy, so they sort by time.',
  ],
  ['Reference documents', documentRule],
  [
    'Products and locations',
    'As the event describes them. Where the event is silent, as the master data of the vendor described them when this file was made.',
  ],
  [
    'Lot code source',
    'In Receiving and Shipping as the line describes it. Otherwise, the location of the event with the GLN or DUNS number that the line refers to. The column of the source reference has all references of the line, each with its kind. A lot code identifies a lot only within the records of its source.',
  ],
  [
    'Empty cells',
    'The record does not have the value. Part of a location description is never copied from another location in the row. An empty country is not a gap for a place in the United States. Empty brand, commodity and variety are not gaps where they do not apply.',
  ],
]

export const gapsMarked =
  'A cell that is empty because the record lacks a key data element that 21 CFR part 1 subpart S requires is filled in amber, without text. The sheet Gaps lists what is missing, where, and what to do about it.'
export const gapsNotMarked = 'Empty cells are not marked. Request the same export with gaps=true to mark and list them.'

/** Terms of the key data elements, in words of our own. Source: 21 CFR 1.1310. */
export const definitions: readonly (readonly [term: string, definition: string])[] = [
  [
    'Critical tracking event (CTE)',
    `A step in the supply chain of a food for which records are kept. Here: ${sheetKinds.map((kind) => sheetsFor(kind)[0]?.name.toLowerCase()).join(', ')}.`,
  ],
  ['Key data element (KDE)', 'A piece of information recorded for a critical tracking event.'],
  [
    'Food Traceability List (FTL)',
    'The foods for which FDA requires additional records. A product whose record does not say whether it is on the list is treated as if it were.',
  ],
  [
    'Traceability lot code',
    'The text that identifies a lot within the records of the firm that assigned it. It is free text and stays the same until the food is transformed.',
  ],
  [
    'Traceability lot code source',
    'The place where the lot code was assigned. The same lot code from two sources means two lots.',
  ],
  [
    'Traceability lot code source reference',
    'Another way to reach the description of that place: a registration number, a location number or a web address.',
  ],
  [
    'Location description',
    'What is needed to call or visit a place: business name, phone number, street address or coordinates, city, state, ZIP code, and the country if it is outside the United States.',
  ],
  [
    'Immediate previous source',
    'The place that the food came from directly, not the carrier that brought it. Here: the ship-from location.',
  ],
  [
    'Lot used, lot made',
    'In a transformation: a lot of food that went in, under the code it came with, and a lot that came out, under a new code.',
  ],
  ['Where the food was received', 'The place that received the goods. Here: the ship-to location.'],
  [
    'Immediate subsequent recipient',
    'The place that the food was shipped to, not the carrier that took it there. Here: the ship-to location.',
  ],
  [
    'Product description',
    'Name of the product with brand, commodity and variety where they apply, packaging size and packaging style. Seafood may be described by its species or market name.',
  ],
  ['Quantity and unit of measure', 'How much of the lot the line has, in the unit beside it.'],
  ['Date received', 'The calendar date on which the goods were received, at the place of receipt.'],
  ['Date shipped', 'The calendar date on which the goods left the place that was shipped from.'],
  [
    'Reference document',
    'A business paper or electronic record of the delivery: bill of lading (BOL), advance shipping notice (ASN), purchase order (PO), packing list, invoice, receipt and the like.',
  ],
  ['GLN', 'GS1 Global Location Number: 13 digits that identify a place.'],
  ['DUNS', 'Nine-digit number of a business site, assigned by Dun & Bradstreet.'],
  ['FFRN', 'Food facility registration number, assigned by FDA.'],
  ['FEI', 'FDA establishment identifier.'],
  ['Gap', 'A key data element that the rule requires for the event of the row and the record lacks.'],
]
