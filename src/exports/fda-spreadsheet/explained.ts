// Sentences that explain the spreadsheet: for its Introduction, for the page beside it and for the
// reference.

import { type EarlierLot, earlierLotText } from '../../contract/earlier-lot.ts'
import { ignoredText } from '../../contract/lots/alike-lots.ts'
import type { DeliveryKindName } from '../../contract/record-kinds.ts'
import { version } from '../../version.ts'
import type { EventBatches } from '../exported-event.ts'
import type { Correction } from './corrections.ts'
import type { ExportFilters } from './event-lines.ts'

/** The program, as the author of files. */
export const program = `Lotkeeper ${version}`

/** The request of an export, and who sent it. */
export interface ExportRequest {
  /** Name of the data provider whose records they are. */
  readonly provider: string
  readonly filters: ExportFilters
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
  /** Shipping events that match; absent when there are none. Each call of `read` starts again. */
  readonly shipping?: { readonly read: () => EventBatches; readonly lines: number } | undefined
  /** Records that had a requested lot code, and no longer do. */
  readonly earlierLots?: readonly EarlierLot[] | undefined
  /** Versions that belong in the export and are missing in the database (decision 0075). */
  readonly missing?: readonly MissingRecord[] | undefined
}

/** A version that the database lost, with the known facts about its record. */
export interface MissingRecord {
  readonly id: string
  readonly version: number
  readonly kind: DeliveryKindName
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
  'Some of these records were replaced after they were first submitted. The sheet Corrections lists each changed cell with its value before and after, and the time when the change was submitted. The rows of Receiving and Shipping show the current records.'

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
    const value = filters[name as keyof ExportFilters]
    return value === undefined ? [] : [[words, value === true ? 'included' : [value].flat().join(' or ')]]
  })
  return given.length > 0 ? given : [['Records', 'all receiving and shipping events of the data provider']]
}

const filterNames: Readonly<Record<keyof ExportFilters, string>> = {
  eventStartDate: 'Received or shipped on this date or later',
  eventEndDate: 'Received or shipped on this date or earlier',
  dataProviderVendorId: 'Vendor',
  shipToLocationCode: 'Ship-to location',
  itemCode: 'Item code of vendor or purchaser',
  gtin: 'GTIN of the item',
  ftlCategory: 'Category of the Food Traceability List',
  productText: 'Text in the product description',
  lotCode: 'Traceability lot code',
  readAlike: 'Lot codes that read alike',
  tlcSource: 'Traceability lot code source',
}

/** The columns of reference documents. Source: 21 CFR 1.1345(a)(8); decisions 0029, 0050. */
export const documentRule =
  'The row lists all documents of the event that the record has, in this order: bill of lading, advance shipping notice, purchase order. The first is alone in the first pair of columns. The others are in the second pair, kinds and numbers in the same order, separated by "; ". A kind that the sender wrote in front of a number, as in "Packing List 48661", is the kind of that document.'

/** How to read the filled sheets. */
export const readingRules: readonly (readonly [subject: string, rule: string])[] = [
  [
    'Rows',
    'One row per product line of a receiving event (sheet Receiving) or of a shipping event (sheet Shipping): one quantity of one item under one traceability lot code. Rows are sorted by the date received or shipped. A filter by lot code, item, category or source selects only the lines that match it, not the other lines of the same event. A line matches one of several values of one filter, and it matches every filter.',
  ],
  [
    'Other sheets',
    'The data provider keeps records of two critical tracking events, receiving and shipping. Shipping has no rows where no shipping event matches. The sheets of the other events have headings but no rows. Receiving From Exempt has no rows either: the records do not say whether a source is exempt from the rule, so food from an exempt source is in Receiving.',
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
    'The date received is the calendar date at the place of receipt; the date shipped is that at the place that was shipped from. If the provider has set a time zone for the place, the date is in that zone. Otherwise it is the date as submitted, with the offset of the submitter. A time submitted in UTC for a place without a time zone gives the date in UTC, which differs from the local date by a day for some hours of each day. The explanation counts these rows. Dates are in real date cells shown as mm/dd/yyyy, so they sort by time.',
  ],
  ['Reference documents', documentRule],
  [
    'Products and locations',
    'As the event describes them. Where the event is silent, as the master data of the vendor described them when this file was made.',
  ],
  [
    'Lot code source',
    'As the line describes it. Otherwise, the location of the event with the GLN or DUNS number that the line refers to. The column of the source reference has all references of the line, each with its kind. A lot code identifies a lot only within the records of its source.',
  ],
  [
    'Empty cells',
    'The record does not have the value. Part of a location description is never copied from another location in the row. An empty country is not a gap for a place in the United States. Empty brand, commodity and variety are not gaps where they do not apply.',
  ],
]

export const gapsMarked =
  'A cell that is empty because the record lacks a key data element required by 21 CFR 1.1345 is filled in amber, without text. The sheet Gaps lists what is missing, where, and what to do about it.'
export const gapsNotMarked = 'Empty cells are not marked. Request the same export with gaps=true to mark and list them.'

/** Terms of the key data elements, in words of our own. Source: 21 CFR 1.1310. */
export const definitions: readonly (readonly [term: string, definition: string])[] = [
  [
    'Critical tracking event (CTE)',
    'A step in the supply chain of a food for which records are kept. Here: receiving and shipping.',
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
  ['Where the food was received', 'The place that received the goods. Here: the ship-to location.'],
  [
    'Immediate subsequent recipient',
    'The place that the food was shipped to, not the carrier that took it there. Here: the ship-to location.',
  ],
  [
    'Product description',
    'Name of the product with brand, commodity and variety where they apply, packaging size and packaging style. Seafood may be described by its species or market name.',
  ],
  ['Quantity and unit of measure', 'How much of the lot the line received, in the unit beside it.'],
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
  ['Gap', 'A key data element that 21 CFR 1.1345 (receiving) or 1.1340 (shipping) requires and the record lacks.'],
]
