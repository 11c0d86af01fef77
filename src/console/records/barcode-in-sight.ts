// Which barcode in the pictures of a camera counts as a scan. A label stays in sight for seconds,
// and the label of a pallet has several barcodes. Pure.
import { readScan } from '../../contract/lots/gs1-label.ts'

/** The barcode that was taken last, and when it was last in sight, in milliseconds. */
export interface BarcodeInSight {
  readonly text: string
  readonly at: number
}

/** A label counts again after it was out of sight for this time. */
export const outOfSightMs = 2_000

const isPallet = (text: string): boolean => readScan(text)?.palletId !== undefined

/**
 * Takes one barcode of a picture. An SSCC goes before the others: they say what is on the pallet,
 * and would tick lines of other pallets. Not while one of them alone is readable for a moment.
 */
export function takeBarcode(
  texts: readonly string[],
  before: BarcodeInSight | undefined,
  at: number,
): { readonly inSight: BarcodeInSight | undefined; readonly isScan: boolean } {
  const inSight = before !== undefined && at - before.at < outOfSightMs ? before : undefined
  const pallets = texts.filter(isPallet)
  const candidates = pallets.length > 0 ? pallets : texts
  const same = inSight && candidates.includes(inSight.text)
  const text = same ? inSight.text : candidates[0]
  if (text === undefined || (inSight && isPallet(inSight.text) && pallets.length === 0))
    return { inSight, isScan: false }
  return { inSight: { text, at }, isScan: !same }
}
