// Several lots in the text of one lot code, and real lot codes with the same signs.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withoutWords } from '../../src/contract/lots/lot-words.ts'
import { rangeLotsMax, severalLots } from '../../src/contract/lots/several-lots.ts'
import { processorMs } from '../support/patience.ts'
import { isShortRun, runs } from '../support/runs.ts'

describe('a text of several lots names each of them', () => {
  test.each([
    ['L1, L2', 'L1 L2'],
    ['L1,L2,L3', 'L1 L2 L3'],
    ['L3/L4', 'L3 L4'],
    ['L3 / L4', 'L3 L4'],
    ['L3\\L4', 'L3 L4'],
    ['L5; L6', 'L5 L6'],
    ['L7\nL8', 'L7 L8'],
    ['L7\r\nL8\r\n', 'L7 L8'],
    ['L7<br>L8', 'L7 L8'],
    ['L1\tL2', 'L1 L2'],
    ['L9 & L10', 'L9 L10'],
    ['L1+L2', 'L1 L2'],
    ['L1 | L2', 'L1 L2'],
    ['L1 • L2', 'L1 L2'],
    ['L1，L2', 'L1 L2'],
    ['L1 and L2', 'L1 L2'],
    ['L1 AND L2', 'L1 L2'],
    ['L1 y L2', 'L1 L2'],
    ['L1 et L2', 'L1 L2'],
    ['L1 und L2', 'L1 L2'],
    ['L1 or L2', 'L1 L2'],
    ['L1 L2', 'L1 L2'],
    ['L1, L2 & L3', 'L1 L2 L3'],
    ['L1, L2, etc', 'L1 L2'],
    ['L1, 2, 3', 'L1 L2 L3'],
    ['L101/102', 'L101 L102'],
    ['24131, 24132', '24131 24132'],
    ['24131/24132', '24131 24132'],
    ['101,102,103', '101 102 103'],
    ['12, 13, 14', '12 13 14'],
    ['GV26063-A/GV26063-B', 'GV26063-A GV26063-B'],
    ['GV26063-A GV26063-B', 'GV26063-A GV26063-B'],
    ['ABC123 / XYZ789', 'ABC123 XYZ789'],
    ['AB123/CD456', 'AB123 CD456'],
    ['Lot L1 Lot L2', 'L1 L2'],
    ['LOT: L1, LOT: L2', 'L1 L2'],
    ['Lotes: L1, L2', 'L1 L2'],
    ['LOT1 / LOT2', 'LOT1 LOT2'],
    ['L1 (20 cs), L2 (30 cs)', 'L1 L2'],
    ['L1=20; L2=30', 'L1 L2'],
    ['L1 exp 12/26, L2 exp 1/27', 'L1 L2'],
    ['L1,L2 best by 3/4', 'L1 L2'],
    ['24131A/B', '24131A 24131B'],
    ['24131A, B, C', '24131A 24131B 24131C'],
    ['VEN-001-A & B', 'VEN-001-A VEN-001-B'],
    ['1234/1235', '1234 1235'],
    ['24/131, 24/132', '24/131 24/132'],
    ['Mixed (L1, L2)', 'L1 L2'],
    ['["L1","L2"]', 'L1 L2'],
    ['(10)L1, (10)L2', 'L1 L2'],
    ['(01)10614141000415(10)L1; (01)10614141000415(10)L2', 'L1 L2'],
    ['(01)10614141000415(10)L1, L2', 'L1 L2'],
    ['https://id.gs1.org/01/10614141000415/10/L1%2CL2', 'L1 L2'],
    ['L1.L2', 'L1 L2'],
    ['L1_L2_L3', 'L1 L2 L3'],
    ['24131_24132', '24131 24132'],
    ['ALPHA, BETA', 'ALPHA BETA'],
    ['Alpha & Beta', 'Alpha Beta'],
    ['ALPHA\nBETA', 'ALPHA BETA'],
    ['ALPHA/BETA', 'ALPHA BETA'],
    ['AB; CD', 'AB CD'],
    ['ROSA-A, ROSA-B', 'ROSA-A ROSA-B'],
    ['Lots: ALPHA, BETA', 'ALPHA BETA'],
    ['alpha, beta', 'alpha beta'],
    ['alpha & beta; gamma', 'alpha beta gamma'],
    ['alpha/beta', 'alpha beta'],
    ['rosa-a, rosa-b', 'rosa-a rosa-b'],
    ['lot alpha, lot beta', 'alpha beta'],
    ['Lot A, Lot B', 'A B'],
    ['LOT A & LOT B', 'A B'],
    ['L1-L2-L3', 'L1 L2 L3'],
    ['L1–L2–L3', 'L1 L2 L3'],
    ['L1-L3-L7', 'L1 L3 L7'],
    ['L001-L002-L003-L004', 'L001 L002 L003 L004'],
    ['Lots L1-L2-L3', 'L1 L2 L3'],
    ['24131-24132-24133', '24131 24132 24133'],
    ['26063A-26063B-26063C', '26063A 26063B 26063C'],
    ['L1和L2', 'L1 L2'],
    ['LX101 en AB202', 'LX101 AB202'],
    ['LX101 и AB202', 'LX101 AB202'],
    ['L1; ALPHA', 'L1 ALPHA'],
    ['ALPHA | 24131', 'ALPHA 24131'],
    ['L1\nALPHA\nROSA-A', 'L1 ALPHA ROSA-A'],
    ['L1; L2; ALPHA', 'L1 L2 ALPHA'],
    ['Lots: L1; ALPHA', 'L1 ALPHA'],
    ['Lots 12/13', '12 13'],
    ['LOTS: 12 13', '12 13'],
    ['Lotes 7, 8', '7 8'],
    ['batches 7/9', '7 9'],
    ['Lots A12/B7', 'A12 B7'],
    ['Lots 101/103', '101 103'],
    ['Lots 1 and 2', '1 2'],
    ['Lots A/B', 'A B'],
    ['Lots # 12/13', '12 13'],
    ['LX:1342, LX:1343', 'LX:1342 LX:1343'],
    ['(L1)(L2)', 'L1 L2'],
    ['L1 (L2)', 'L1 L2'],
    ['GV26063A [GV26064B]', 'GV26063A GV26064B'],
    ['L1 x10 L2 x20', 'L1 L2'],
    ['L1 (10cs) L2 (20cs)', 'L1 L2'],
    ['L101 50% L205 50%', 'L101 L205'],
    ['GV26063Ax40/GV26063Bx16', 'GV26063Ax40 GV26063Bx16'],
    ['40 GV26063A, 16 GV26063B', 'GV26063A GV26063B'],
    ['10xGV26063A, 20xGV26063B', 'GV26063A GV26063B'],
    ['1) L101 2) L205', 'L101 L205'],
    ['1. L101 2. L205 3. L7', 'L101 L205 L7'],
    ['Pallet 1: L101, Pallet 2: L205', 'L101 L205'],
    ['L1^L2', 'L1 L2'],
    ['L1>L2', 'L1 L2'],
    ['GV26063A#GV26063B', 'GV26063A GV26063B'],
    ['L101 :: L205', 'L101 L205'],
    ['L1 &amp; L2', 'L1 L2'],
    ['L1・L2', 'L1 L2'],
    ['26063-01 26063-02', '26063-01 26063-02'],
    ['6072145 6072988', '6072145 6072988'],
    ['Lot 26063-01 and Lot 26063-02', '26063-01 26063-02'],
    ['26063-01, 26063-02 organic', '26063-01 26063-02'],
    ['2 lots: L1, L2', 'L1 L2'],
  ])('%j', (written, lots) => {
    expect(severalLots(written).join(' ')).toBe(lots)
  })

  test.each([
    ['L1-L3', 'L1 L2 L3'],
    ['L1 – L3', 'L1 L2 L3'],
    ['L1..L3', 'L1 L2 L3'],
    ['L1 thru L3', 'L1 L2 L3'],
    ['L1 to L3', 'L1 L2 L3'],
    ['L1 through 3', 'L1 L2 L3'],
    ['L1 hasta L3', 'L1 L2 L3'],
    ['L8-L11', 'L8 L9 L10 L11'],
    ['L008-L010', 'L008 L009 L010'],
    ['GV-1 - GV-3', 'GV-1 GV-2 GV-3'],
    ['24131-24133', '24131 24132 24133'],
    ['24131A-24131C', '24131A 24131B 24131C'],
    ['L1~L3', 'L1 L2 L3'],
    ['L1--L3', 'L1 L2 L3'],
    ['L1 -> L3', 'L1 L2 L3'],
    ['from L1 to L3', 'L1 L2 L3'],
    ['between L1 and L3', 'L1 L2 L3'],
    ['L1, L5-L7', 'L1 L5 L6 L7'],
    ['L1 thru L3, L9', 'L1 L2 L3 L9'],
    ['L1-L500', 'L1 L500'],
    ['1001-1003', '1001 1002 1003'],
    ['1001 - 1003', '1001 1002 1003'],
    ['101-103', '101 102 103'],
    ['099 - 101', ''],
    ['001 - 003', '001 002 003'],
    ['L001 - 003', 'L001 L002 L003'],
    ['L001-003', 'L001 L002 L003'],
    ['GV-001 – 003', 'GV-001 GV-002 GV-003'],
    ['Lots 12-13', '12 13'],
    ['Lots 5 to 8', '5 6 7 8'],
  ])('%j: those of a range, of a long one the first and the last', (written, lots) => {
    expect(severalLots(written).join(' ')).toBe(lots)
  })
})

/** As packers and their programs make them: dates, lines, plants, documents, GS1 texts. */
const real =
  `24/131 | A-12/3 | 2026/03/04 | 2026-03-04 | 03/04/2026 | 04.03.26 | 6063 | 24131 | 063/26 | 26063/1 | 26063/A | 24131/2 | L24/131
  L24131/2 | L24131/L2 | 24A/131B | CA-12/MX-3 | L1/P2 | F1/R2 | B12/C12 | W12/26 | 26/W12 | KW12/2026 | B-17/04 | MX-1234/2026 | SO-4411/10
  WO#1234/5 | 1234567890/12 | EU/DE/1234 | 0512/1830 | 240512/183042 | 240512/241112 | 2024/2025 | 1/2 | A/B | N/A | P/N 4711
  GV26063-A | GV26063-14 | A12-15 | L24131-2 | L1-2-3 | A1-B2 | 10-20 | 05-06-07 | 2026-2027 | L-2026-05-01 | 2026-05-01-L1 | S-1234-5678
  24131-A/C | 12/13 | 1234/1236 | 2024/2025 | 26.063.1 | 550e8400-e29b-41d4-a716-446655440000 | 08:30-16:45 | 24131 14:30 | 24131, 14:30 | 24131-1 24:30
  P&G 123 | H&H 12/3 | M&M24131 | R2&D2 | R&D-2024-15 | AT&T 55 | LX13 & Co | 24131+A | A+ 24131 | 12,345 | 1,234,567 | 1.234,5
  24131 L2 | P12 L3 | AB 123 | ABC 12 34 | USDA 123 456 | 12 Y 34 | 24131 E 2 | B12 24131 | 3/4 24131 | 3PK 24131 | L3 4 | 00012 00034 00056
  0061 4141 0004 15 | 2026 063 12 | DE NW 20045 EG | 24131 (A) | 24131 (2) | 24131, Line 3 | 24131, Line3 | Lot 5, Line 2 | Plant 12, 24131
  Block 7/Row 12 | JULIAN 063/26 | May 4, 2026 | Packed May 4, 2026 | SEP 12, 26 | 4 mai 2026 | LX13 (best by 3/4) | LX13, use by 3/4/26
  LX13 exp 12/26 | Honey, raw | ORGANIC; FRESH | A, B | see label, box 2 | Grown in 2026, washed 2026 | GTIN: 10614141000415 + Lot: GV26063-A
  Item# 4711 + Lot# GV26063-A | (01)10614141000415(10)GV26063-A | 011061414100041510GV26063-A | urn:epc:class:lgtin:0614141.100041.GV26063-A
  2024-05-17 | 12.345 | 123-456 | 555-5567 | 1234-5678 | 2001-2005 | 2001 - 2005 | A123-456 | A1.B2 | L1.1 | GV.26063 | IMG_1234_5678
  ACME, INC | Acme & Sons | AT&T | MIXED, VARIOUS | none; n/a | see label/box | FRESH & RAW | S/N | L1-L2-B3 | L1-L2-L1
  romaine | organic, washed | raw; frozen | same/mixed | 26-063-01-02 | P12-L3-S1 | A-B-C | 12-13-14 | L1-L2-2026
  L1; organic | L1; MIXED | L1; TBD | L1; A | 24131; Salinas | 24131; see label | L1, ALPHA | L1 & ALPHA | L1/ALPHA | Lot 12/13 | LX:1342
  Lots 24131/2 | Lots A12-3, B7 | Lots 26-063 | Lots 24131 | Batch-Nr. 12/13 | Lotus 12/13
  24131 (22) | LX1342 (40) | LX1342 (LX1342) | 24131#22 | A1:B2 | 24A^131 | LX1342*40 | 1. L101 | 3) 24131 | 40 GV26063A | 123456 654321 | 2 lots
  https://id.gs1.org/01/10614141000415/10/GV26063-A | https://trace.example.com/lots/L1/L2 | L1/L1 | L1, L1`.split(
    / \| |\n +/,
  )

test.each(real)('one lot, whatever signs it has: %s', (written) => {
  expect(severalLots(written)).toEqual([])
})

const stems = fc.constantFrom('L', 'GV', 'A-', 'TOM26-')
const numbers = fc.uniqueArray(fc.integer({ min: 10, max: 99 }), { minLength: 2, maxLength: 6 })
const joints = fc.constantFrom(', ', ',', '; ', ';', ' / ', '/', ' & ', '+', ' | ', '\n', ' and ', ' y ')
const frames = fc.constantFrom<readonly [string, string]>(
  ['', ''],
  ['Lots: ', ''],
  ['LOT# ', ' (best by 3/4)'],
  ['', ', exp 12/26'],
  ['(01)10614141000415(10)', ''],
)

test('lots of one form are each named, whatever sign is between them and whatever words are around', () => {
  fc.assert(
    fc.property(stems, numbers, joints, frames, (stem, some, joint, [before, behind]) => {
      const lots = some.map((number) => `${stem}${number}`)
      expect(severalLots(before + lots.join(joint) + behind)).toEqual(lots)
    }),
    { numRuns: runs(2_000) },
  )
})

test('a range has each of its lots', () => {
  fc.assert(
    fc.property(stems, fc.nat(9_000), fc.integer({ min: 2, max: rangeLotsMax }), (stem, from, count) => {
      const lots = Array.from({ length: count }, (_, i) => `${stem}${from + i}`)
      expect(severalLots(`${lots[0]} thru ${lots.at(-1)}`)).toEqual(lots)
      expect(severalLots(`${lots[0]}-${lots.at(-1)}`)).toEqual(lots)
    }),
    { numRuns: runs(500) },
  )
})

describe('words around a lot code', () => {
  test.each([
    ...['LX13 (best by 3/4)', 'LX13 best by 3/4', 'LX13, use by Mar 4, 2026', 'LX13 EXP 12/26', 'EXP 12/26 LX13'],
    ...['LX13 exp. date 12/26', 'LX13\nExp 3/4', 'LX13 BB 03MAR26', 'LX13 packed on 3/4/26', 'LX13 (pack date 3/4/26)'],
    ...['LX13 cad. 03/26', 'LX13 consumir antes de 03/26', 'LX13 à consommer avant le 3/4', 'LX13 MHD 04.03.2026'],
    ...[
      'Lot# LX13',
      'LOT: LX13',
      'lot LX13',
      'lot no LX13',
      'Lot No.: LX13',
      'lot code: LX13',
      'batch LX13',
      'TLC LX13',
    ],
    ...[
      'traceability lot code LX13',
      'lote LX13',
      'Número de lote: LX13',
      'N° de lot LX13',
      'lot n° LX13',
      'Charge LX13',
    ],
    ...['Chargen-Nr. LX13', 'L: LX13', 'LX13 - 20 cases', '20 cs LX13', 'LX13 x 20', 'LX13 (20 cs)', '"LX13"'],
    ...['GTIN 10614141000415 LOT LX13', 'LX13 (rework)', 'LX13 - exp 3/4/26', 'Use by 12/26 - LX13', 'LX13 / exp 3/4'],
    ...[
      'LX13 12/26',
      '3/4/26 LX13',
      'Lot_LX13',
      'LT# LX13',
      'Lot nbr. LX13',
      'T.L.C. LX13',
      'LOT N°LX13',
      'Lotto n. LX13',
    ],
    ...['Cód. lote LX13', 'numéro du lot LX13', 'Code: LX13', 'LX13 mind. haltbar bis 12.26', 'LX13 PD 3/4'],
  ])('are no part of it: %j', (written) => {
    expect(withoutWords(written)).toBe('LX13')
  })

  test.each(['MIX77', 'EXP-1234', 'BB12', 'LOTUS1', 'L123', 'P&G 123', '(10)MIX77', 'LOT', 'PACKER 7', 'EXPORT 5'])(
    'are not seen in %s',
    (written) => {
      expect(withoutWords(written)).toBe(written)
    },
  )
})

test('no text of a lot code takes long', () => {
  const pieces = [
    'LOT#',
    'lot ',
    'L1, ',
    'L1-',
    '1-',
    ' ',
    '-',
    '(',
    '(a',
    'exp ',
    'a,',
    '1 ',
    'best by ',
    '=1',
    'L1 and ',
    '[',
    '1 cs ',
    ':=',
  ]
  const times = isShortRun ? 5 : 50
  const startedAt = processorMs()
  for (const piece of pieces)
    for (let i = 0; i < times; i++) {
      severalLots(piece.repeat(100).slice(0, 100))
      severalLots(`A1${piece.repeat(100).slice(0, 97)}é`)
      withoutWords(piece.repeat(100_000))
    }
  expect(processorMs() - startedAt).toBeLessThan(10_000)
})
