import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPlaceholder, isPlaceholderCode, isPlaceholderDate } from '../../src/contract/shape/placeholder.ts'

const nothing = [
  ...[
    'n/a',
    'N/A',
    'na',
    'NA',
    'N.A.',
    'n.a',
    'n / a',
    'N\\A',
    '#N/A',
    '(n/a)',
    '"n/a"',
    'Ｎ／Ａ',
    ' n/a ',
    'N/A.',
    '#REF!',
    '#VALUE!',
    '#DIV/0!',
  ],
  ...['none', 'None', 'NULL', 'nil', 'NaN', 'undefined', '<null>', '[none]'],
  ...['unknown', 'UNKNOWN', 'Unk', 'unk.', 'not known', 'Unknown?', '*unknown*', 'lot unknown', 'No lot'],
  ...['TBD', 'tbd', 'T.B.D.', 'TBA', 'to be determined', 'To  be\tdetermined', 'pending', 'to follow'],
  ...['-', '--', '---', '—', '–', '?', '???', '.', '...', '…', '_', '*', '/', '//', "'", '+', '=', '- -', '\u200b'],
  ...['x', 'X', 'xx', 'XXXX', 'xxxxxxxx', 'X-X', 'XX-XX'],
  ...[
    'see paperwork',
    'See BOL',
    'see attached',
    'SEE ATTACHED SHEET',
    'see the BOL',
    'see BOL 55310',
    'See label on case',
    'see packing list',
  ],
  ...['not available', 'not applicable', 'Not Provided', 'no information', 'same as above', 'attached'],
  ...['n/a (see BOL)', 'N/A - see paperwork', 'unknown, n/a', 'TBD - pending'],
  ...['no aplica', 'Desconocido', 'SIN LOTE', 'S/N'],
]

const something = [
  ...['NA-2291', 'NA2291', 'NA Organics', 'NA crate', 'N/A-1', 'NAPA', 'Nature', 'Nadia', 'NAT', 'N A Produce LLC'],
  ...['None Such Farm', 'Nonesuch', 'Null Farms', 'Unknown Pleasures Brewing', 'Pending Creek Ranch', 'Unk & Sons'],
  ...[
    'TBD-26063',
    'TBD1',
    'X1',
    'X-1',
    'XL',
    'x-ray',
    'Xerxes',
    'MAX',
    'X Ranch',
    'A',
    '7',
    '0',
    '12',
    '-1',
    '?1',
    'é',
    '水産',
    '🍅',
  ],
  ...["See's Candies", 'See Fresh Farms', 'See The Light Farms', 'Seeds', 'Seaside', 'Seeley', 'see'],
  ...[
    'case',
    'LB',
    'EA',
    'each',
    'carton',
    '12 x 1 lb',
    'ND',
    'Salinas',
    'CA',
    'USA',
    'Same Day Produce',
    'Attached Farms',
  ],
  ...[
    'test',
    'TEST',
    'sample',
    'mixed',
    'various',
    'GV26063-A',
    'L-L',
    'NAN-1',
    'none of these Farms',
    'Nan',
    'Value',
    'Same',
    '#1',
  ],
]

describe('a placeholder', () => {
  it.each(nothing)('is %j', (text) => {
    expect(isPlaceholder(text)).toBe(true)
    expect(isPlaceholderCode(text)).toBe(true)
  })

  it.each(something)('is not %j', (text) => expect(isPlaceholder(text)).toBe(false))

  it('is a code of zeros, or of four or more equal digits', () => {
    for (const code of [
      '0',
      '00',
      '000',
      '0000',
      '000-00-0000',
      '00000000000000',
      '4444',
      '9999',
      '99999',
      '11111',
      '1111111',
      '9999 9999',
    ])
      expect([code, isPlaceholderCode(code)]).toEqual([code, true])
  })

  it('is no code that a date can be, nor one of a few digits, nor one with letters', () => {
    // 11 November, days 111, 222 and 333 of a year.
    for (const code of [
      '1111',
      '2222',
      '3333',
      '111',
      '99',
      '7',
      '9999A',
      'A0000',
      '0001',
      '10000',
      '1112',
      '26063',
      '12345',
      '123456789',
    ])
      expect([code, isPlaceholderCode(code)]).toEqual([code, false])
  })

  it('is a date with which the calendar of a program begins or ends', () => {
    for (const date of ['0001-01-01', '1899-12-30', '1900-01-01', '1970-01-01', '9999-12-31'])
      expect(isPlaceholderDate(date)).toBe(true)
    for (const date of ['2026-01-01', '2025-12-31', '1999-12-31', '2000-01-01', '2199-06-01'])
      expect(isPlaceholderDate(date)).toBe(false)
  })

  it('is one in any case, with any blanks and marks around it', () => {
    const marked = fc.record({
      text: fc.constantFrom('n/a', 'unknown', 'tbd', 'see paperwork', 'not available', 'none'),
      upper: fc.boolean(),
      before: fc.stringMatching(/^[ "'([<*#-]{0,3}$/),
      after: fc.stringMatching(/^[ "')\]>*.?!-]{0,3}$/),
    })
    fc.assert(
      fc.property(marked, ({ text, upper, before, after }) =>
        isPlaceholder(before + (upper ? text.toUpperCase() : text) + after),
      ),
    )
  })

  it('is never a text with a digit in it, unless it says where to look', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), fc.nat(9), fc.string({ maxLength: 30 }), (before, digit, after) => {
        const text = `${before}${digit}${after}`
        fc.pre(!/see/i.test(text))
        return !isPlaceholder(text)
      }),
    )
  })
})
