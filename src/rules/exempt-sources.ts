// Gaps that receipts from exempt places do not have, and what the others cite. Source: 21 CFR
// 1.1305(j), (k), (l), 1.1345(b); decision 0093.
import { type Exemption, exemptionReasons, isRetailReason, type RetailReason } from '../contract/exempt-place.ts'

/**
 * What a retail food establishment, restaurant or school records instead: name and address of the
 * source, and of an ad hoc purchase its date and the name of the product.
 */
const wantedGaps: Readonly<Record<RetailReason, readonly string[]>> = {
  farmPurchase: ['receiving-event/ship-from-description'],
  adHocPurchase: ['receiving-event/ship-from-description', 'receiving-event/date-received', 'product/name'],
  farmToSchool: ['receiving-event/ship-from-description'],
}

/**
 * True if a receipt does not need what a rule reports missing. What is received from a person to
 * whom the rule does not apply has its lot code from the place of receipt, which has a gap of its
 * own: 1.1345(b)(5).
 */
export const isGapLifted = (rule: string, { reason }: Exemption): boolean =>
  isRetailReason(reason) ? !wantedGaps[reason].includes(rule) : rule === 'product-line/tlc-source-place'

/** The elements of 1.1345(b) that are those of (a), by their numbers. */
const elementsOfExempt: Readonly<Record<string, string>> = { 7: '5', 8: '7' }

/** What a gap of a receipt cites, if it is from an exempt place. */
export const citesFrom = (cites: string, { reason }: Exemption): string =>
  cites.replace(/1\.1345\(a\)\((\d)\)/, (_, element: string) =>
    isRetailReason(reason)
      ? `${exemptionReasons[reason].paragraph}(2)`
      : `1.1345(b)(${elementsOfExempt[element] ?? element})`,
  )
