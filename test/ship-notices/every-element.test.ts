// Every element that guides of 856 for food name, at every level of a notice: its value is in an
// event, or a finding names segment and element.
import { describe, expect, test } from 'vitest'
import type { ShipNoticeSender } from '../../src/contract/ship-notice-sender.ts'
import { noticeElements } from '../../src/ship-notices/notice-elements.ts'
import { shippingEventsOf } from '../../src/ship-notices/shipping-event.ts'
import { interchangeOf } from '../samples/ship-notices.ts'
import { readNotices } from '../support/files/read-notices.ts'
import { isShortRun } from '../support/runs.ts'

const sender: ShipNoticeSender = {
  senderId: 'SENDER',
  dataProviderVendorId: 'V-1001',
  timeZone: 'America/Los_Angeles',
  tlcSourceIsShipFrom: true,
}

const levels = {
  heading: ['BSN*00*ASN-1*20260303*1612*0001'],
  shipment: [
    ...['HL*1**S', 'TD1*PLT94*2', 'TD5*B*2*ABCD*M', 'TD3*TL**T-1', 'REF*BM*BOL-1', 'DTM*011*20260303*1610', 'FOB*PP'],
    ...['N1*SF*COOLER*UL*0614141000012', 'N3*1 ROAD', 'N4*SALINAS*CA*93901*US', 'PER*IC**TE*8315550100'],
    'N1*ST*DC 7*UL*0614141000029',
  ],
  order: ['HL*2*1*O', 'PRF*PO-1***20260301'],
  tare: ['HL*3*2*T', 'MAN*GM*00106141410000000019', 'PAL*4*7*8'],
  pack: ['HL*4*3*P', 'PO4*24*10*OZ'],
  item: ['HL*5*4*I', 'LIN*1*UK*10614141000415*VN*ROM*BP*B-1*LT*LOT-A*CH*US', 'SN1**56*CA', 'PID*F****Romaine'],
}
type LevelName = keyof typeof levels

/** Segments of the 856 of 004010 and 005010, and how many elements each has. */
const segments: Readonly<Record<string, number>> = {
  ...{ BSN: 7, TD1: 10, TD3: 10, TD4: 5, TD5: 15, TSD: 2, REF: 4, PER: 9, DTM: 6, FOB: 9, N1: 6, N2: 2, N3: 2 },
  ...{ N4: 7, PRF: 7, PAL: 17, MAN: 6, LIN: 31, SN1: 8, SLN: 28, PO4: 18, PID: 9, MEA: 12, PKG: 6, CLD: 5, ITD: 15 },
  ...{ SDQ: 23, PWK: 9, CUR: 21, SAC: 16, CTT: 7, QTY: 4, YNQ: 10, ETD: 4, ITA: 17, GF: 9, AMT: 3, LM: 2, LQ: 2 },
  ...{ TSR: 14, V1: 9, R4: 8, EFI: 11, CSH: 10, DTP: 3, NM1: 12, TXI: 10, ZZZ: 4 },
}

/** Elements that say what another one is, and what they say here. */
const codes: Readonly<Record<string, string>> = {
  ...{ REF01: 'ZZ', DTM01: '999', MAN01: 'CP', MAN04: 'CP', N101: 'BY', N103: '92', PER03: 'FX', PER05: 'EM' },
  ...{ PER07: 'XX', MEA01: 'PD', MEA02: 'G', PKG01: 'F', PKG02: '66', PKG03: 'ZZ', DTM05: 'D8' },
}
const nameOf = (segment: string, element: number) => `${segment}${String(element).padStart(2, '0')}`
const isPair = (segment: string, element: number) =>
  (segment === 'LIN' && element > 1) || (segment === 'SLN' && element > 8)

/** The segment with one value: what says what it is, is beside it. */
function segmentWith(segment: string, element: number, text: string, code: string | undefined): string {
  const elements = Array.from({ length: element }, (_, i) => codes[nameOf(segment, i + 1)] ?? '')
  if (isPair(segment, element)) elements[element - 2] = code ?? 'ZZ'
  elements[element - 1] = text
  if (code !== undefined && !isPair(segment, element)) elements[qualifierAt(segment, element) - 1] = code
  return [segment, ...elements].join('*')
}

const qualifierAt = (segment: string, element: number): number =>
  segment === 'PER' ? element - 1 : segment === 'MAN' && element > 3 ? 4 : 1

const declaredUses = new Set(
  noticeElements.flatMap(({ segment, elements, use, codes: held }) =>
    use === undefined || elements === 'pairs' || held !== undefined
      ? []
      : elements.map((element) => nameOf(segment, element)),
  ),
)

/** Qualifiers under which the element has a meaning of its own. */
const codesOf = (segment: string, element: number): readonly (string | undefined)[] => [
  undefined,
  ...new Set(
    noticeElements.flatMap(({ segment: id, elements, codes: held = [] }) =>
      id === segment && (elements === 'pairs' ? isPair(segment, element) : elements.includes(element)) ? held : [],
    ),
  ),
]

/** What is neither stored nor told of one segment that is put behind a level, or instead of its like. */
function lostIn(level: LevelName, segment: string, text: string, isInstead: boolean): boolean {
  const id = segment.split('*', 1)[0]
  const notice = Object.entries(levels).flatMap(([name, own]) => {
    const kept = isInstead
      ? own.filter((one) => one.split('*', 1)[0] !== id || /^(?:HL|BSN|SN1|LIN|N1)/.test(one))
      : own
    return name === level ? [...kept, segment] : kept
  })
  const [read] = readNotices(interchangeOf([notice])).notices
  if (read === undefined) throw new Error('There is no notice.')
  const { events, findings, left } = shippingEventsOf(read, sender)
  const all = [...read.findings, ...findings, ...left]
  const number = read.set.segments.find((one) => one.text.includes(text))?.number
  return (
    !JSON.stringify(events.map(({ payload }) => payload)).includes(text) &&
    !all.some((one) => one.segment === number && one.element !== undefined && one.message.includes(text))
  )
}

describe.each(Object.entries(segments))('%s', (segment, elementCount) => {
  test('has no element whose value is neither stored nor told', () => {
    const lost: string[] = []
    for (let element = 1; element <= elementCount; element++) {
      const name = nameOf(segment, element)
      if (declaredUses.has(name) || codes[name] !== undefined) continue
      if (isPair(segment, element) && (element - (segment === 'LIN' ? 2 : 9)) % 2 === 0) continue
      for (const code of codesOf(segment, element))
        for (const level of isShortRun ? (['shipment', 'item'] as const) : (Object.keys(levels) as LevelName[]))
          for (const isInstead of isShortRun ? [false] : [false, true]) {
            const text = `Q${element}X`
            if (lostIn(level, segmentWith(segment, element, text, code), text, isInstead))
              lost.push(`${level} ${segmentWith(segment, element, text, code)}${isInstead ? ' alone' : ''}`)
          }
    }
    expect(lost).toEqual([])
  })
})
