// What is read of ship notices in the dialects in use, and what is said of files that are broken.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { NoticeLine } from '../../src/ship-notices/ship-notice.ts'
import { shippingEventsOf } from '../../src/ship-notices/shipping-event.ts'
import { dialects, exampleNotice, interchangeOf, noticeIn, noticeOf } from '../samples/ship-notices.ts'
import { damagedText } from '../support/files/damaged-text.ts'
import { readNotices } from '../support/files/read-notices.ts'
import { runs } from '../support/runs.ts'

const dialectNames = Object.keys(dialects) as (keyof typeof dialects)[]

const linesOf = (text: string): readonly NoticeLine[] =>
  readNotices(text).notices.flatMap(({ shipments }) => shipments.flatMap(({ lines }) => lines))

const said = (text: string): string[] =>
  readNotices(text).findings.map(
    ({ segment, segmentId, element, severity, message }) =>
      `${severity} ${segment} ${segmentId}${element === undefined ? '' : `.${element}`}: ${message}`,
  )

describe('the example', () => {
  test('is read whole, each value with its segment and element', () => {
    const { notices, findings } = readNotices(exampleNotice)
    expect(findings).toEqual([])
    const [notice] = notices
    const [shipment] = notice?.shipments ?? []
    expect(notice?.number).toEqual({ text: 'ASN-771203', segment: 4, segmentId: 'BSN', element: 2 })
    expect(shipment?.parties.get('SF')).toMatchObject({
      name: { text: 'Green Valley Cooler' },
      qualifier: 'UL',
      code: { text: '0614141000012', segment: 12, element: 4 },
      city: { text: 'Salinas' },
      phone: { text: '8315550100' },
    })
    expect(
      shipment?.lines.map(({ lots, pallet, quantity, unit, purchaseOrder }) => [
        lots[0]?.text,
        pallet?.text,
        quantity?.text,
        unit?.text,
        purchaseOrder?.text,
      ]),
    ).toEqual([
      ['GV26062-A', '00106141410000000019', '56', 'CA', 'PO-88120'],
      ['GV26063-B', '00106141410000000026', '40', 'CA', 'PO-88120'],
      ['GV26062-C', undefined, '24', 'CA', 'PO-88120'],
    ])
  })
})

describe('levels', () => {
  test.each(dialectNames)('of %s give one line with its lot', (dialect) => {
    const text = interchangeOf([noticeIn(dialect)])
    expect(said(text)).toEqual([])
    const lines = linesOf(text)
    expect(lines).toHaveLength(1)
    const [line] = lines
    expect(line?.lots.map(({ text: lot }) => lot)).toEqual(['LOT-A'])
    expect([line?.quantity?.text, line?.unit?.text]).toEqual(['56', 'CA'])
    expect(line?.items.map(({ text: code }) => code)).toContain('10614141000415')
    if (dialect.includes('O')) expect(line?.purchaseOrder?.text).toBe('PO-1')
    if (/[TP]/.test(dialect)) expect(line?.pallet?.text).toBe('00106141410000000019')
  })

  test('that name no level above belong to the nearest one that can have them, with a warning', () => {
    const numbered = [...dialects['S-O-I'], 'HL*4*2*I', 'LIN**UK*10614141000422*LT*LOT-B', 'SN1**5*CA']
    const unnumbered = numbered.map((segment) => segment.replace(/^(HL\*\d+)\*\d+/, '$1*'))
    expect(said(interchangeOf([noticeOf(unnumbered)]))).toEqual([
      'warning 12 HL.2: HL02 is empty. Such levels are read as parts of the nearest level before them that can have them, here of HL "1".',
    ])
    expect(linesOf(interchangeOf([noticeOf(unnumbered)]))).toEqual(linesOf(interchangeOf([noticeOf(numbered)])))
  })

  const numbered = [
    ...['HL*2*1*O', 'PRF*PO-1', 'HL*3*2*P', 'MAN*GM*00106141410000000019'],
    ...['HL*4*3*I', 'LIN**UK*10614141000415*LT*LOT-A', 'SN1**56*CA'],
    ...['HL*5*1*O', 'PRF*PO-2', 'HL*6*5*P', 'MAN*GM*00106141410000000026'],
    ...['HL*7*6*I', 'LIN**UK*10614141000415*LT*LOT-B', 'SN1**5*CA'],
  ]
  const below = [
    ...['HL*2*1*O', 'PRF*PO-1', 'HL*3*2*I', 'LIN**UK*10614141000415*LT*LOT-A', 'SN1**56*CA'],
    ...['HL*4*3*P', 'MAN*GM*00106141410000000019', 'HL*5*2*I', 'LIN**UK*10614141000422*LT*LOT-B', 'SN1**5*CA'],
    ...['HL*6*5*P', 'MAN*GM*00106141410000000026'],
  ]
  const inOrder = ' The levels are read by their order: each is part of the nearest level before it that can have it.'

  test.each([
    ['HL02 names no level', 'HL02 is "9", but no HL before it has that number.', numbered, /^HL\*(4|7)\*\d/, 'HL*$1*9'],
    [
      'HL02 names the shipment',
      'By the numbers in HL02, HL "2" (O) has no item.',
      numbered,
      /^HL\*(\d)\*\d/,
      'HL*$1*1',
    ],
    ['HL02 names a level of another order', 'HL "5" (O) has no item.', numbered, /^HL\*7\*6/, 'HL*7*3'],
    ['HL02 names the level itself', 'HL02 is "2", but no HL', numbered, /^HL\*(\d)\*\d/, 'HL*$1*$1'],
    ['HL01 is one number', 'HL01 "1" is used twice.', numbered, /^HL\*\d/, 'HL*1'],
    ['HL01 is empty', 'HL01 is empty.', numbered, /^HL\*\d/, 'HL*'],
    ['packs are below items', 'HL02 is "8", but no HL', below, /^HL\*(4|6)\*\d/, 'HL*$1*8'],
    ['packs are below items, and HL02 is empty', 'HL02 is empty.', below, /^HL\*(\d)\*\d/, 'HL*$1*'],
  ])('are read by their order where that is one thing only, with a warning: %s', (_, message, levels, from, to) => {
    const broken = levels.map((segment) => segment.replace(from, to))
    const [finding = '', ...others] = said(interchangeOf([noticeOf(broken)]))
    expect(finding).toMatch(/^warning \d+ HL\.[12]: /)
    expect(finding).toContain(message)
    if (!message.includes('is empty') || message.includes('HL01')) expect(finding).toContain(inOrder)
    expect(others).toEqual([])
    expect(linesOf(interchangeOf([noticeOf(broken)]))).toEqual(linesOf(interchangeOf([noticeOf(levels)])))
  })

  test('whose order could mean two things are refused where their numbers do not fit', () => {
    const loose = ['HL*8*5*I', 'LIN**UK*10614141000415*LT*LOT-C', 'SN1**7*CA']
    const broken = [...numbered, ...loose].map((one) => one.replace('HL*4*3', 'HL*4*9'))
    expect(said(interchangeOf([noticeOf(broken.toSpliced(2, 0, ...loose))])).join()).toMatch(/error \d+ HL\.[12]: /)
    const barren = [...numbered, 'HL*8*1*O', 'PRF*PO-3'].map((one) => one.replace('HL*4*3', 'HL*4*9'))
    expect(said(interchangeOf([noticeOf(barren)])).join()).toContain('error ')
  })

  test('of lots below an item are a line each, and the total is none', () => {
    const levels = [
      ...dialects['S-O-I with a level for each lot'].slice(0, -1),
      'SN1**16*CA',
      'HL*5*3*B',
      'LIN**LT*LOT-B',
      'SN1**40*CA',
    ]
    const lines = linesOf(interchangeOf([noticeOf(levels)]))
    expect(lines.map(({ lots, quantity }) => [lots[0]?.text, quantity?.text])).toEqual([
      ['LOT-A', '16'],
      ['LOT-B', '40'],
    ])
  })

  test.each([
    [['HL*2*7*O'], 'error 12 HL.2: HL02 is "7", but no HL before it has that number.'],
    [['HL*1*1*O'], 'error 12 HL.1: HL01 "1" is used twice.'],
    [['HL*2*1'], 'error 12 HL.3: HL03 is empty.'],
    [
      ['HL*2*1*I', 'LIN**UP*614141000418', 'SN1*02*40*03*CA'],
      'error 14 SN1.1: "SN1*02*40*03*CA" has the numbers of elements among its elements.',
    ],
  ])('that do not fit are refused at their place: %j', (levels, finding) => {
    expect(said(interchangeOf([noticeOf(levels)]))).toContain(finding)
  })

  test('below each other are bounded, and so are segments of one level', () => {
    const deep = Array.from({ length: 40 }, (_, i) => `HL*${i + 2}*${i + 1}*I`)
    expect(said(interchangeOf([noticeOf(deep)]))).toContain('error 23 HL.2: More than 12 levels are nested.')
    const wide = ['HL*2*1*I', ...Array.from({ length: 2_000 }, (_, i) => `REF*SE*${i}`)]
    expect(said(interchangeOf([noticeOf(wide)])).join()).toContain('A level has more than 1,000 segments.')
  })
})

describe('separators', () => {
  test('repeat an element from version 00402 on', () => {
    const levels = ['HL*2*1*I', 'LIN**UK*10614141000415', 'SN1**56*CA', 'REF*LT*LOT-A^LOT-B']
    const lots = (version: string, repetition: string) =>
      linesOf(interchangeOf([noticeOf(levels)], { version, repetition }))[0]?.lots.map(({ text }) => text)
    expect(lots('00501', '^')).toEqual(['LOT-A', 'LOT-B'])
    expect(lots('00401', 'U')).toEqual(['LOT-A^LOT-B'])
  })
})

describe('files', () => {
  const whole = interchangeOf([noticeIn('S-O-I')])
  test.each([
    [
      whole.replaceAll('ST*856', 'ST*850'),
      'warning 3 ST.1: The transaction set is "850", not an 856. It was not read.',
    ],
    [whole.replace(/BSN[^~]*~\n/, ''), 'error 3 ST: The notice has no BSN.'],
  ])('that are broken are reported at their place: %.30s', (text, finding) => {
    expect(said(text)).toContain(finding)
  })
})

describe('any damage', () => {
  const sender = { senderId: 'SENDER', dataProviderVendorId: 'V-1', timeZone: 'America/Chicago' }
  const text = interchangeOf([noticeIn('S-O-T-P-I'), noticeIn('S-O-I')]) + exampleNotice

  test('ends in notices, events and findings, and each finding names a segment, and an element where it is about one', () => {
    fc.assert(
      fc.property(damagedText(text), (broken) => {
        const { notices, findings } = readNotices(broken)
        expect(notices.length + findings.length).toBeGreaterThan(0)
        const made = notices.map((notice) => shippingEventsOf(notice, sender))
        // What made no event, nor a finding of its own, was refused when it was read.
        for (const [i, { events, findings: found }] of made.entries())
          expect(events.length + found.length + (notices[i]?.findings.length ?? 0)).toBeGreaterThan(0)
        const all = [...findings, ...made.flatMap(({ findings: found }) => found)]
        for (const { segment, segmentId, element = 1, message, remedy } of all) {
          expect(segment).toBeGreaterThan(0)
          expect(element).toBeGreaterThan(0)
          expect(segmentId.length).toBeLessThan(20)
          expect(message).toMatch(/^.{10,400}$/u)
          expect(remedy).toMatch(/\.$/)
        }
      }),
      { numRuns: runs(1_000) },
    )
  })
})
