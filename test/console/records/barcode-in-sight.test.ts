// Which barcode in the pictures of a camera is a scan, and how often.
import { expect, test } from 'vitest'
import { type BarcodeInSight, outOfSightMs, takeBarcode } from '../../../src/console/records/barcode-in-sight.ts'

const pallet = '00106141410000000026'
const otherPallet = '00106141410000000040'
const content = '02106141410004153756\u001d10GV26062-A'
const lot = '011061414100041510GV26062-A'

/** The scans in pictures that follow each other by the given time, each with the texts in it. */
function scansOf(apartMs: number, ...pictures: readonly (readonly string[])[]): readonly string[] {
  const scans: string[] = []
  let before: BarcodeInSight | undefined
  pictures.forEach((texts, i) => {
    const { inSight, isScan } = takeBarcode(texts, before, i * apartMs)
    before = inSight
    if (isScan && inSight) scans.push(inSight.text)
  })
  return scans
}

test('a label that stays in sight is one scan, however long, and another one after it was away', () => {
  expect(scansOf(150, ...Array.from({ length: 100 }, () => [lot]))).toEqual([lot])
  expect(scansOf(150, [lot], [], [lot], [], [], [lot])).toEqual([lot])
  expect(scansOf(outOfSightMs, [lot], [], [lot])).toEqual([lot, lot])
})

test('of the label of a pallet the SSCC is the scan, also while another barcode alone can be read', () => {
  expect(scansOf(150, [content, pallet], [content], [], [content], [pallet, content])).toEqual([pallet])
  expect(scansOf(outOfSightMs, [pallet], [], [lot])).toEqual([pallet, lot])
})

test('two labels in one picture do not alternate, and the next label is a scan at once', () => {
  expect(scansOf(150, [lot, 'ASN-1'], ['ASN-1', lot], ['ASN-1'])).toEqual([lot, 'ASN-1'])
  expect(scansOf(150, [pallet, otherPallet], [otherPallet, pallet], [otherPallet])).toEqual([pallet, otherPallet])
  expect(scansOf(150, [])).toEqual([])
})
