// Identifier schemes: how many digits, and the GS1 check digit.

/** True when the text is digits only, and as many as one of the lengths. */
export const isDigits = (text: string, lengths: readonly number[]): boolean =>
  lengths.includes(text.length) && /^\d+$/.test(text)

/**
 * The GS1 check digit that the digits before the last one call for: from the right, weights 3, 1,
 * 3, 1 … Left padding with zeros does not change it, so GTIN-8 to GTIN-14, GLN and SSCC-18 share
 * it.
 */
export function checkDigitOf(digits: string): string {
  let sum = 0
  for (let i = digits.length - 2, weight = 3; i >= 0; i--, weight = 4 - weight)
    sum += (digits.charCodeAt(i) - 48) * weight
  return String((10 - (sum % 10)) % 10)
}

/** The digits with their check digit behind them. */
export const withCheckDigit = (digits: string): string => digits + checkDigitOf(`${digits}0`)

/** True when the last digit is the check digit of those before it. */
export const hasRightCheckDigit = (digits: string): boolean => digits.endsWith(checkDigitOf(digits))

/**
 * The characters a GS1 barcode can carry in a lot number (AI 10): GS1 character set 82, at most 20
 * of them.
 */
export const gs1LotPattern = /^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]{1,20}$/

/**
 * How many digits the fields have that are numbers of a scheme. The same field has the same counts
 * wherever it stands. Source: §2.2 to §2.5.
 */
export const digitCounts = {
  gtin: [14],
  caseGtin: [14],
  itemUpc: [8, 12, 13],
  innerPackUpc: [8, 12, 13, 14],
  gln: [13],
  duns: [9],
  palletId: [18],
  tlcSourceReferenceGln: [13],
  tlcSourceReferenceDuns: [9],
} as const satisfies Readonly<Record<string, readonly number[]>>
