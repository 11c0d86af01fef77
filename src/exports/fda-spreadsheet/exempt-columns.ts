// Columns of the sheets of receipts from exempt places: of a person to whom the rule does not
// apply, and of what a retail food establishment, restaurant or school gets. Source: 21 CFR
// 1.1305(j), (k), (l), 1.1345(b); decisions 0029, 0093.
import { type ExemptionReason, exemptionReasonNames, isRetailReason } from '../../contract/exempt-place.ts'
import { receivingEvent } from '../../contract/record-kinds.ts'
import type { DeclaredSheet } from './chain-columns.ts'
import {
  type DeclaredColumn,
  deliveredDate,
  deliveryDocuments,
  eventPlace,
  lotCodeColumn,
  productColumns,
  quantityColumns,
  referenceColumn,
} from './event-columns.ts'

const section = '1.1345(b)'
const shipFrom = (paragraph: string) =>
  eventPlace(paragraph, 'receiving-event/ship-from-description', 'shipFromLocationCode', 'ship-from location')
const date = (paragraph: string) =>
  deliveredDate(paragraph, { rule: 'receiving-event/date-received', place: 'ship-to location' })

const fromExempt: readonly DeclaredColumn[] = [
  lotCodeColumn(`${section}(1)`),
  ...quantityColumns(`${section}(2)`),
  ...productColumns(`${section}(3)`),
  ...shipFrom(`${section}(4)`),
  ...eventPlace(
    `${section}(5)`,
    'receiving-event/ship-to-description',
    'shipToLocationCode',
    'ship-to location, which is the source of the lot code',
  ),
  referenceColumn(`${section}(5)`),
  date(`${section}(6)`),
  ...deliveryDocuments(`${section}(7)`, 'receiving-event/reference-document'),
]

/** Name of the food, then name and address of its source. */
function purchased(paragraph: string, between: readonly DeclaredColumn[] = []): readonly DeclaredColumn[] {
  const [name] = productColumns(paragraph)
  const [source, , ...address] = shipFrom(paragraph)
  return [name, ...between, source, ...address].flatMap((column) => column ?? [])
}

const sheetFor = (
  name: string,
  columns: readonly DeclaredColumn[],
  reasons: readonly ExemptionReason[],
): DeclaredSheet => ({
  name,
  kind: receivingEvent,
  columns,
  reasons,
  takes: ({ event: { exemption } }) => exemption !== undefined && reasons.includes(exemption.reason),
})

export const exemptSheets: readonly DeclaredSheet[] = [
  sheetFor(
    'Receiving From Exempt',
    fromExempt,
    exemptionReasonNames.filter((reason) => !isRetailReason(reason)),
  ),
  sheetFor('Farm Purchase by RFE or Rest.  ', purchased('1.1305(j)(2)'), ['farmPurchase']),
  sheetFor('Ad-hoc RFE or Rest. Purchase', purchased('1.1305(k)(2)', [date('1.1305(k)(2)')]), ['adHocPurchase']),
  sheetFor('Farm to School or Institution', purchased('1.1305(l)(2)'), ['farmToSchool']),
]
