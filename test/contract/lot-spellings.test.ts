// Spellings of one lot, as people, programs and scanners write it: each is found by the lot code, and
// finds it. Source: decision 0049.
import { describe, expect, test } from 'vitest'
import { codesAlike, furtherLotsIn, readsAlike } from '../../src/contract/lots/alike-lots.ts'
import { foldLotCode, readLotCode } from '../../src/contract/lots/lot-code.ts'

const lot = readLotCode('LX1342')

/** Whether a search for one of them finds the other: it is the same, or reads alike. */
function areFound(written: string): boolean {
  const read = readLotCode(written)
  const stored = [foldLotCode(read.lotCode), ...furtherLotsIn(read.lotCode)]
  const found = read.lotCode === lot.lotCode || readsAlike(read, lot)
  expect(codesAlike(lot.lotCode).some((code) => stored.includes(code))).toBe(found)
  return found
}

const spellings: Readonly<Record<string, readonly string[]>> = {
  'case and blanks': [
    'lx1342',
    'LX 1342',
    ' LX1342',
    'LX1342 ',
    '\tLX1342',
    'LX1342\r\n',
    'LX\u00a01342',
    'LX\u20091342',
    'LX\u30001342',
    'LX\u200b1342',
    'LX\ufeff1342',
    '\u200fLX1342',
    '\u2066LX1342\u2069',
    'ＬＸ１３４２',
  ],
  'dashes and signs between': [
    'LX-1342',
    'LX_1342',
    'LX.1342',
    'LX/1342',
    'LX\\1342',
    'LX\u20101342',
    'LX\u20111342',
    'LX\u20121342',
    'LX\u20131342',
    'LX\u20141342',
    'LX\u20151342',
    'LX\u22121342',
    'LX\ufe631342',
    'LX\uff0d1342',
    'LX\u00ad1342',
  ],
  'signs around': [
    '0LX1342',
    '00LX1342',
    '"LX1342"',
    '“LX1342”',
    '«LX1342»',
    '*LX1342*',
    '#LX1342',
    '(LX1342)',
    '[LX1342]',
    '{LX1342}',
    '<LX1342>',
    'LX1342,',
  ],
  labels: [
    'Lot LX1342',
    'Lot# LX1342',
    'LOT:LX1342',
    'LOTLX1342',
    'LOT/LX1342',
    'LOTNOLX1342',
    'BATCHLX1342',
    'TLCLX1342',
    'LOTELX1342',
    'LOT (LX1342)',
    'Lot [LX1342]',
    'Lot：LX1342',
    'LOT – LX1342',
    'L LX1342',
    'L: LX1342',
    'L/N LX1342',
    'LN LX1342',
    'LT LX1342',
    'BN LX1342',
    'Lot No. LX1342',
    'Batch No.: LX1342',
    'Traceability lot code (TLC): LX1342',
    'Lote: LX1342',
    'Número de lote LX1342',
    'Nº de lote: LX1342',
    'Partida LX1342',
    'N° de lot : LX1342',
    'Numéro de lot LX1342',
    'Charge LX1342',
    'Chargen-Nr. LX1342',
    'Losnummer: LX1342',
    'Lotto n. LX1342',
    'Partijnummer LX1342',
  ],
  'elements of a barcode': [
    '10LX1342',
    '(10)LX1342',
    '( 10 ) LX1342',
    '[10]LX1342',
    '(01)10614141000415(10)LX1342',
    '011061414100041510LX1342',
    '01106141410004151726113010LX1342',
    ']C110LX1342',
    ']C1011061414100041510LX1342',
    '<GS>10LX1342',
    '10LX1342<GS>',
    '10LX1342\u001d',
    '^10LX1342',
    '{FNC1}10LX1342',
    '(17)261130(10)LX1342',
    '(10)LX1342(21)77',
    'https://id.gs1.org/01/10614141000415/10/LX1342',
    'urn:epc:class:lgtin:0614141.100041.LX1342',
    '10614141000415 LX1342',
    '10614141000415-LX1342',
    'GTIN 10614141000415 LOT LX1342',
    'LX1342 GTIN 10614141000415',
  ],
  'words and dates': [
    'LX1342 organic',
    'LX1342 - romaine hearts',
    'Romaine LX1342',
    'LX1342 [QA ok]',
    'LX1342 **short**',
    'LX1342 best by 3/4',
    'LX1342 (BB 12/26)',
    'LX1342 EXP:120426',
    'LX1342 use by Dec 4',
    'LX1342 12/04/2026',
    'LX1342 2026-12-04',
    'LX1342 04.12.2026',
    'LX1342 04-DEC-26',
    'LX1342 Dec 4, 2026',
    '12/04/26 LX1342',
    'LX1342 MHD 04.12.2026',
    'LX1342 vence 04/12/26',
    'LX1342 DLUO 04/12/26',
    'LX1342 scad. 04/12/26',
  ],
  quantities: [
    'LX1342 x 40',
    'LX1342 (40)',
    'LX1342 (40 cs)',
    'LX1342 40 cases',
    'LX1342 - 40 cs',
    'LX1342: 40',
    'LX1342=40',
    'LX1342 qty 40',
    'LX1342 Qty: 40',
    '40 cases of LX1342',
    '40 x LX1342',
    'LX1342 2 pallets',
    'LX1342 40 bxs',
    'LX1342 40 cajas',
    'LX1342 40 Kartons',
    'LX1342 40 caisses',
  ],
}

describe.each(Object.entries(spellings))('LX1342 is found in spite of %s', (_what, written) => {
  test.each(written.map((one) => [one]))('%j', (one) => {
    expect(areFound(one)).toBe(true)
  })
})

test.each(
  [
    'LX1342-A',
    'LX1342/1',
    'LX1342 A',
    'LXI342',
    'LX1342A',
    'LX13420',
    'XLX1342',
    'LX01342',
    'LX1343',
    '1342',
    'LX1342-01',
    'LX1342.1',
    'LX1342 1',
    'LX1342 B2',
    'A LX1342',
    'LX1342#2',
    'LLX1343',
    'PLX1342',
    'LX1342 AB',
    'LX134',
    'BLX1342',
    'L2 LX1343',
    'LOTTLX1342 B',
  ].map((one) => [one]),
)('%j is another lot', (one) => {
  expect(areFound(one)).toBe(false)
})

test.each([
  ['LOTUS12', 'US12'],
  ['24131*40', '24131'],
  ['L 1342', '1342'],
  ['L2 LX1342', 'L2 LX1343'],
])('%s is not read as %s', (written, other) => {
  expect(readsAlike(readLotCode(written), readLotCode(other))).toBe(false)
})
