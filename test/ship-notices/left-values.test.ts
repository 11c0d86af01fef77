// Every value of a ship notice is in an event, or a finding names its segment and element.
import { describe, expect, test } from 'vitest'
import type { ShipNoticeSender } from '../../src/contract/ship-notice-sender.ts'
import { noticeElements } from '../../src/ship-notices/notice-elements.ts'
import { shippingEventsOf } from '../../src/ship-notices/shipping-event.ts'
import { exampleNotice, interchangeOf, noticeOf } from '../samples/ship-notices.ts'
import { readNotices } from '../support/files/read-notices.ts'

const sender: ShipNoticeSender = {
  senderId: 'SENDER',
  dataProviderVendorId: 'V-1001',
  timeZone: 'America/Los_Angeles',
  tlcSourceIsShipFrom: true,
}

function made(segments: readonly string[], settings: Partial<ShipNoticeSender> = {}, text?: string) {
  const [notice] = readNotices(text ?? interchangeOf([segments])).notices
  if (notice === undefined) throw new Error('There is no notice.')
  const { events, findings, left } = shippingEventsOf(notice, { ...sender, ...settings })
  const say = ({ severity, segment, segmentId, element, message }: (typeof left)[number]) =>
    `${severity} ${segment} ${segmentId}${element === undefined ? '' : `.${element}`}: ${message}`
  return {
    lines: events.flatMap(({ payload }) => payload.eventList.productList),
    event: events[0]?.payload.eventList,
    locations: events[0]?.payload.locationMasterList,
    said: [...notice.findings, ...findings].map(say),
    left: left.map(say),
  }
}

const item = ['HL*2*1*I', 'LIN**UK*10614141000415*LT*LOT-A', 'SN1**56*CA']
const with_ = (...levels: string[]) => noticeOf(levels)

describe('values without a field', () => {
  test('of the example are none', () => {
    expect(made([], {}, exampleNotice)).toMatchObject({ said: [], left: [] })
  })

  test.each([
    ['REF*IA*77123', 'REF*IA is "77123"', 'REF.2'],
    ['MEA*PD*G*450*LB', 'MEA*PD*G is "450"', 'MEA.3'],
    ['N1*BY*BUYER*92*B1', 'N1*BY is "BUYER"', 'N1.2'],
    ['DTM*017*20260304*0800', 'DTM*017 (DTM02) is "20260304"', 'DTM.2'],
    ['TD4*ZZZ***KEEP COLD', 'TD401 is "ZZZ"', 'TD4.1'],
    ['PKG*F*66***CRATE', 'PKG*F*66 (PKG05) is "CRATE"', 'PKG.5'],
    ['XYZ*1', 'XYZ01 is "1"', 'XYZ.1'],
    ['SN1**1*CA**60', 'SN102 is "1"', 'SN1.2'],
    ['MAN*CP*1Z999', 'MAN*CP is "1Z999"', 'MAN.2'],
  ])('at a line are named with segment and element: %s', (segment, message, place) => {
    const { left, said, lines } = made(with_(...item, segment))
    expect(lines).toHaveLength(1)
    const found = [...left, ...said].find((one) => one.startsWith(`warning 15 ${place}: `))
    expect(found).toBeDefined()
    if (!segment.startsWith('DTM')) expect(found).toContain(message)
  })

  test('are named once for each kind, with how many others there are', () => {
    const levels = Array.from({ length: 40 }, (_, i) => [
      `HL*${i + 2}*1*I`,
      `LIN**UK*10614141000415*LT*LOT-${i}`,
      'SN1**56*CA',
      `MEA*WT*G*${i}*LB`,
    ])
    const { left } = made(with_(...levels.flat()))
    expect(left).toEqual([
      `warning 15 MEA.3: MEA*WT*G is "0" (weights and measures). A shipping event has no field for it. The notice has 39 more: "1", "2", "3", "4", "5", "6", "7", "8" and others.`,
      `warning 15 MEA.4: MEA*WT*G (MEA04) is "LB" (weights and measures). A shipping event has no field for it. The notice has 39 more.`,
    ])
  })

  test('of many kinds make a bounded list', () => {
    const segments = Array.from({ length: 900 }, (_, i) => `Z${i.toString(36).toUpperCase().padStart(2, '0')}*${i}`)
    const { left } = made(with_(...item, ...segments))
    expect(left).toHaveLength(100)
    expect(left.at(-1)).toContain('801 more kinds of values from this one on have no field in a shipping event.')
  })

  test('of a party are one finding, which quotes each of them', () => {
    const party = ['N1*BY*BUYER*92*B1', 'N2*PRODUCE', 'N3*1 ROAD', 'N4*RENO*NV*89501', 'PER*BD*JO*FX*7755550100']
    expect(made(with_(...item, ...party)).left).toEqual([
      'warning 15 N1.2: N1*BY is "BUYER", which is not stored. The notice has 8 more: N104 "B1", N201 "PRODUCE", N301 "1 ROAD", N401 "RENO", N402 "NV", N403 "89501", PER02 "JO", PER04 "7755550100".',
    ])
  })

  test('of a short code that another qualifier repeats are named: it may be another thing', () => {
    expect(made(with_('HL*2*1*I', 'LIN**BP*7*LT*A', 'SN1**56*CA', 'REF*DP*7', 'REF*IA*56')).left).toEqual([
      expect.stringContaining('REF*DP is "7"'),
      expect.stringContaining('REF*IA is "56"'),
    ])
  })

  test('of a state of origin are named, and the country is stored', () => {
    const { lines, said } = made(with_('HL*2*1*I', 'LIN**UK*10614141000415*CH*US-CA*LT*A', 'SN1**5*CA'))
    expect(lines[0]).toMatchObject({ countryOfOrigin: 'USA' })
    expect(said).toEqual([expect.stringContaining('LIN05 is "US-CA". The country is stored')])
  })

  test('that disagree with one that is stored are named with it', () => {
    expect(made(with_(...item, 'PID*F****Romaine', 'PID*F****Cilantro')).left).toEqual([
      'warning 16 PID.5: PID05 is "Cilantro" here and "Romaine" in segment 15, which is stored.',
    ])
  })

  test('of a second beginning or end are named, unless they say the same', () => {
    const notice = [
      'BSN*00*ASN-1*20260303*1612*0001',
      ...with_(...item, 'CTT*1*56', 'CTT*1*99', 'BSN*04*ASN-2*20260304'),
    ]
    expect(made(notice).left).toEqual([
      'warning 17 CTT.2: CTT02 is "99" (sum of the quantities). A shipping event has no field for it.',
      'warning 18 BSN.1: BSN01 is "04" (purpose). A shipping event has no field for it.',
      'warning 18 BSN.2: BSN02 is "ASN-2" here and "ASN-1" in segment 4, which is stored.',
      'warning 18 BSN.3: BSN03 is "20260304" (date and time of the notice). A shipping event has no field for it.',
    ])
  })

  test.each([
    [
      'TD1*PLT94*2',
      'pallet',
      ['TD101 is "PLT94". The packaging is stored; a shipping event has no field for its material, "94".'],
    ],
    [
      'TD1*CTN25*40',
      'carton',
      ['TD101 is "CTN25". The packaging is stored; a shipping event has no field for its material, "25".'],
    ],
    ['TD1*CTN*40', 'carton', []],
    ['TD1*PALLET*2', 'PALLET', []],
  ])('of the material of packaging are named: %s', (td1, unit, messages) => {
    const notice = with_(...item)
    notice.splice(2, 0, td1)
    const { event, said } = made(notice)
    expect(event).toMatchObject({ shipmentLadingUom: unit })
    expect(said).toEqual(messages.map((message) => `warning 6 TD1.1: ${message}`))
  })

  test('of a trailer and of measures are each named', () => {
    const { left } = made(with_(...['TD3*TL*ABCD*123456******SEAL99*53', ...item, 'MEA*PD*G*450*LB', 'MEA****12']))
    for (const message of [
      'TD302 is "ABCD"',
      'TD309 is "SEAL99"',
      'TD310 is "53"',
      'MEA*PD*G is "450"',
      'MEA04 is "12"',
    ])
      expect(left.filter((one) => one.includes(message))).toHaveLength(1)
  })

  test('that repeat what is stored are not named', () => {
    expect(made(with_(...item, 'REF*LT*LOT-A', 'REF*BM*BOL-1')).left).toEqual([])
  })
})

describe('marks', () => {
  const pallets = ['HL*2*1*T', 'MAN*GM*00106141410000000019*00106141410000000033']
  const lines = ['HL*3*2*I', 'LIN**UK*10614141000415*LT*LOT-A', 'SN1**56*CA']

  test('from the first to the last name all numbers, and none is stored as that of a line', () => {
    const { said, lines: made_ } = made(with_(...pallets, ...lines))
    expect(said).toEqual([
      'warning 13 MAN.3: MAN02 and MAN03 are a range of marks: 3 numbers, 00106141410000000019, 00106141410000000026, 00106141410000000033. A line has one pallet, so none of them is stored.',
    ])
    expect(made_[0]).not.toHaveProperty('palletId')
  })

  test('from the first to the last have no finding about the first beside that of the range', () => {
    const second = [
      'HL*4*1*T',
      'MAN*GM*00106141410000000040',
      'HL*5*4*I',
      'LIN**UK*10614141000415*LT*LOT-B',
      'SN1**40*CA',
    ]
    expect(made(with_(...pallets, ...lines)).left).toEqual([])
    expect(made(with_(...pallets, ...lines, ...second)).left).toEqual([])
  })

  test('from one to itself are one pallet', () => {
    const [first = ''] = pallets
    const { said, lines: made_ } = made(with_(first, 'MAN*GM*00106141410000000019*00106141410000000019', ...lines))
    expect(said).toEqual([])
    expect(made_[0]).toMatchObject({ palletId: '106141410000000019' })
  })

  test.each(['00106141410000000010', 'ABC', '00106141419999999999', '00106141410000000001'])(
    'up to %s, which cannot be counted, are named too',
    (last) => {
      const { said } = made(with_('HL*2*1*T', `MAN*GM*00106141410000000019*${last}`, ...lines))
      expect(said[0]).toContain('warning 13 MAN.3: MAN02 and MAN03 are a range of marks')
      expect(said[0]).toContain(last)
    },
  )

  test('of packs on a pallet are named', () => {
    const { left } = made(
      with_(
        ...['HL*2*1*T', 'MAN*GM*00106141410000000019', 'HL*3*2*P', 'MAN*GM*00106141410000000026'],
        ...['HL*4*3*I', 'LIN**UK*10614141000415*LT*LOT-A', 'SN1**56*CA'],
      ),
    )
    expect(left).toEqual([
      'warning 15 MAN.2: MAN*GM is "00106141410000000026" here and "00106141410000000019" in segment 13, which is stored.',
    ])
  })
})

describe('two sources of one fact', () => {
  test.each([
    [
      ['DTM*011*20260304*1610'],
      'The notice says twice when the goods were shipped: 20260303 1610 (DTM*011) and 20260304 1610 (DTM*011). The first is stored.',
    ],
    [
      ['DTM*370*20260303*1700'],
      'The notice says twice when the goods were shipped: 20260303 1610 (DTM*011) and 20260303 1700 (DTM*370). The first is stored.',
    ],
  ])('are told: %j', (segments, message) => {
    const notice = with_(...item)
    notice.splice(4, 0, ...segments)
    const { event, said } = made(notice)
    expect(said.filter((one) => one.includes(message))).toHaveLength(1)
    expect(event?.eventDateTime).toBeDefined()
  })

  test('are told of quantities of a pack and of its lines', () => {
    const levels = ['HL*2*1*P', 'SN1**60*CA', 'HL*3*2*I', 'LIN**UK*10614141000415*LT*LOT-A', 'SN1**56*CA']
    expect(made(with_(...levels)).said).toEqual([
      'warning 13 SN1.2: SN102 is "60", but the lines below this level have 56 together. The quantities of the lines are stored.',
    ])
  })

  test.each([
    ['CTT*2', []],
    ['CTT*1*56', []],
    ['CTT*9', ['warning 15 CTT.1: CTT01 is "9", but the notice has 2 levels and 1 lines. All of them were read.']],
    [
      'CTT*2*99',
      [
        'warning 15 CTT.2: CTT02 is "99", but the quantities of the lines are 56 together. Those of the lines are stored.',
      ],
    ],
  ])('are told of the totals at the end: %s', (ctt, findings) => {
    expect(made(with_(...item, ctt)).said).toEqual(findings)
  })

  test('are told of a country that is none, which no setting replaces', () => {
    const { lines, said } = made(with_('HL*2*1*I', 'LIN**UK*10614141000415*CH*??*LT*A', 'SN1**5*CA'), {
      lineDefaults: { countryOfOrigin: 'USA' },
    })
    expect(lines[0]).not.toHaveProperty('countryOfOrigin')
    expect(said).toEqual(['warning 13 LIN.5: LIN05 is "??", which is no country. The line has no country of origin.'])
  })

  test('are told of a time zone that X12 does not have', () => {
    const notice = with_(...item).map((one) => one.replace('*1610', '*1610*QQ'))
    expect(made(notice)).toMatchObject({
      event: { eventDateTime: '2026-03-03T16:10:00-08:00' },
      said: [
        'warning 7 DTM.4: DTM04 is "QQ", which is no time zone of X12. The time zone of the settings is used, America/Los_Angeles.',
      ],
    })
  })
})

describe('two sources of one fact that differ', () => {
  const notice = {
    heading: ['BSN*00*ASN-1*20260303*1612*0001'],
    shipment: [
      ...['HL*1**S', 'TD1*PLT94*2', 'TD5*B*2*ABCD*M', 'TD3*TL**T-1', 'REF*BM*BOL-1', 'DTM*011*20260303*1610'],
      ...['DTM*017*20260305', 'FOB*PP', 'N1*SF*COOLER*UL*0614141000012', 'N1*ST*DC 7*UL*0614141000029'],
    ],
    order: ['HL*2*1*O', 'PRF*PO-1***20260301'],
    tare: ['HL*3*2*T', 'MAN*GM*00106141410000000019', 'PAL*4*7*8'],
    pack: ['HL*4*3*P', 'PO4*24*10*OZ'],
    item: [
      ...['HL*5*4*I', 'LIN*1*UK*10614141000415*UP*614141000418*VN*ROM*BP*B-1*LT*LOT-A', 'SN1**56*CA'],
      ...['PID*F****Romaine', 'DTM*036*20260320'],
    ],
  }

  test.each([
    ['order', 'REF*PO*PO-2', 'REF*PO is "PO-2" here and "PO-1" in segment 16 (PRF01), which is stored.'],
    ['item', 'PRF*PO-3', 'PRF01 is "PO-1" here and "PO-3" in segment 27, which is stored.'],
    ['heading', 'REF*BM*BOL-2', 'REF*BM is "BOL-2" here and "BOL-1"'],
    ['shipment', 'REF*MB*MBOL-9', 'REF*MB is "MBOL-9" here and "BOL-1" in segment 9 (REF*BM), which is stored.'],
    ['order', 'REF*BM*BOL-3', 'REF*BM is "BOL-1" here and "BOL-3"'],
    ['shipment', 'DTM*067*20260307', 'DTM*067 is "20260307" here and "20260305" in segment 11 (DTM*017)'],
    ['order', 'DTM*017*20260308', 'DTM*017 is "20260305" here and "20260308"'],
    ['shipment', 'TD5*B*2*WXYZ*A', 'TD503 is "WXYZ" here and "ABCD"'],
    ['order', 'TD5*B*2*WXYZ', 'TD503 is "ABCD" here and "WXYZ"'],
    ['order', 'TD3*RT**T-2', 'TD303 is "T-1" here and "T-2"'],
    ['shipment', 'TD1*CTN25*40', 'TD102 is "40" here and "2"'],
    ['order', 'FOB*CC', 'FOB01 is "PP" here and "CC"'],
    ['shipment', 'N1*ST*DC 8*92*8', 'N1*ST (N104) is "8" here and "0614141000029" in segment 14, which is stored.'],
    ['order', 'N1*ST*DC 8*92*8', 'N1*ST (N104) is "0614141000029" here and "8" in segment 17, which is stored.'],
    ['item', 'N1*SF*C 2*92*C2', 'N1*SF (N102) is "COOLER" here and "C 2"'],
    ['heading', 'N1*ST*DC 9*92*D9', 'N1*ST (N102) is "DC 9" here and "DC 7"'],
    ['pack', 'REF*LT*LOT-B', 'REF*LT is "LOT-B" here and "LOT-A" in segment 24 (LIN*LT), which is stored.'],
    ['item', 'REF*BT*LOT-C', 'REF*BT is "LOT-C" here and "LOT-A"'],
    ['item', 'LIN*2*VN*ROM2', 'LIN*VN is "ROM2" here and "ROM"'],
    ['pack', 'LIN**UK*20614141000412', 'LIN*UK is "20614141000412" here and "10614141000415"'],
    ['pack', 'PID*F****Cilantro', 'PID05 is "Cilantro" here and "Romaine"'],
    ['item', 'REF*EXP*20260322', 'REF*EXP is "20260322" here and "20260320" in segment 26 (DTM*036), which is stored.'],
    ['pack', 'DTM*036*20260323', 'DTM*036 is "20260323" here and "20260320"'],
    ['item', 'DTM*208*20260324', 'DTM*208 is "20260324" here and "20260320"'],
    ['pack', 'MAN*GM*00106141410000000026', 'MAN*GM is "00106141410000000026" here and "00106141410000000019"'],
    ['tare', 'PAL*5*9*9', 'PAL02 is "9" here and "7"'],
    ['item', 'PO4*12*5*LB', 'PO401 is "24" here and "12"'],
    ['item', 'SN1*7*60*CA', 'SN102 is "60" here and "56"'],
    ['item', 'SN1*7', 'SN101 is "7" here and "1" in segment 23 (LIN01), which is stored.'],
    ['item', 'SLN*1**I*56*EA****LT*LOT-A', 'SLN05 is "EA" here and "CA"'],
  ] as const)('are told: %s %s', (level, segment, message) => {
    const segments = Object.entries(notice).flatMap(([name, own]) => (name === level ? [...own, segment] : own))
    const { lines, left } = made(segments)
    expect(lines).toHaveLength(1)
    expect(left.filter((one) => one.includes(message))).toHaveLength(1)
  })

  test('are refused where they are the lot of a line and of its part', () => {
    const levels = [...item, 'SLN*1**I*56*CA****LT*LOT-B']
    expect(made(with_(...levels)).said).toContain(
      'error 15 SLN.10: The line has 2 lot codes and one quantity: "LOT-A", "LOT-B".',
    )
  })
})

describe('lots of parts of a line', () => {
  const line = ['HL*2*1*I', 'LIN**UK*10614141000415', 'SN1**56*CA']
  const part = (number: number, quantity: string, lot: string) =>
    `SLN*${number}**I*${quantity}*CA***LT*${lot}`.replace('***LT', '****LT')

  test('are a line each, where their quantities are that of the line', () => {
    const { lines, said, left } = made(with_(...line, part(1, '16', 'LOT-A'), part(2, '40', 'LOT-B')))
    expect(lines).toMatchObject([
      { caseLotNumber: 'LOT-A', shipQuantity: 16, shipQuantityUom: 'case' },
      { caseLotNumber: 'LOT-B', shipQuantity: 40, shipQuantityUom: 'case' },
    ])
    expect([said, left]).toEqual([[], []])
  })

  test('are refused where their quantities are another', () => {
    const { said } = made(with_(...line, part(1, '16', 'LOT-A'), part(2, '41', 'LOT-B')))
    expect(said).toContain(
      'error 15 SLN.4: The parts of the line (SLN04) are 57 together, but its quantity (SN102) is 56.',
    )
  })

  test('without quantities are refused, but for one', () => {
    expect(made(with_(...line, 'SLN*1**I******LT*LOT-A')).lines).toMatchObject([
      { caseLotNumber: 'LOT-A', shipQuantity: 56 },
    ])
    expect(made(with_(...line, 'SLN*1**I******LT*LOT-A', 'SLN*2**I******LT*LOT-B')).said).toContain(
      'error 16 SLN.10: The line has 2 lot codes and one quantity: "LOT-A", "LOT-B".',
    )
  })

  test('are bounded like other lines', () => {
    const parts = Array.from({ length: 900 }, (_, i) => part(i, '1', `LOT-${i}`))
    const levels = Array.from({ length: 6 }, (_, i) => [
      `HL*${i + 2}*1*I`,
      'LIN**UK*10614141000415',
      'SN1**900*CA',
      ...parts,
    ])
    expect(made(with_(...levels.flat())).said.join()).toContain('The notice has more than 5,000 lines.')
  })
})

describe('what orders, pallets and terms say', () => {
  test('is stored', () => {
    const { event, lines, left } = made(
      with_(
        ...['HL*2*1*O', 'PRF*PO-1', 'REF*CN*PRO-7', 'REF*AO*APP-1', 'TD3*RT**TR-1', 'DTM*017*20260305', 'FOB*PP'],
        ...['HL*3*2*T', 'MAN*GM*00106141410000000019', 'PAL*4*7*8'],
        ...['HL*4*3*I', 'LIN**UK*10614141000415*LT*LOT-A', 'SN1**56*CA'],
      ),
    )
    expect(event).toMatchObject({
      billOfLadingNumber: 'BOL-1',
      carrierTrackingNumber: 'PRO-7',
      appointmentNumber: 'APP-1',
      equipmentNumber: 'TR-1',
      expectedDeliveryDate: '2026-03-05',
      methodOfPayment: 'Prepaid',
    })
    expect(lines[0]).toMatchObject({ palletPackagingDescriptionCode: '4', palletHigh: 7, palletTie: 8 })
    expect(left).toEqual([])
  })

  test.each([
    ['DTM*011*20260303*1610*19', '2026-03-03T16:10:00-06:00'],
    ['DTM*011*20260303*1610*01', '2026-03-03T16:10:00+01:00'],
    ['DTM*011*20260303*1610*LT', '2026-03-03T16:10:00-08:00'],
    ['DTM*011*20260303*1610*HD', '2026-03-03T16:10:00-09:00'],
    ['DTM*011*20260303*1610*NS', '2026-03-03T19:40:00Z'],
    ['DTM*011**1610**D8*20260303', undefined],
    ['DTM*011****DT*202603031610', '2026-03-03T16:10:00-08:00'],
  ])('of times is read in each zone and form of X12: %s', (dtm, dateTime) => {
    const { event } = made(with_(...item).map((one) => (one.startsWith('DTM') ? dtm : one)))
    if (dateTime === undefined) expect(event?.eventDateTime).toMatch(/^2026-03-03T/)
    else expect(event?.eventDateTime).toBe(dateTime)
  })
})

describe('what the settings of a sender supply', () => {
  const without = (start: string) => with_(...item).filter((one) => !one.startsWith(start))

  test.each([
    ['N1*ST', { shipToLocationCode: 'DC-07' }, 'The location of the settings is used, "DC-07".'],
    ['N1*SF', { shipFromLocationCode: 'GV-1' }, 'The location of the settings is used, "GV-1".'],
  ])('is a place where the notice names none, and is told: %s', (start, settings, message) => {
    const { said, event } = made(without(start), settings)
    expect(event).toMatchObject(settings)
    expect(said.join()).toContain(message)
  })

  test('never stands before what the notice says', () => {
    const settings = { shipToLocationCode: 'DC-99', shipFromLocationCode: 'GV-99', shipQuantityUom: 'each' }
    expect(made(with_(...item), settings)).toMatchObject({
      event: { shipFromLocationCode: '0614141000012', shipToLocationCode: 'DC07' },
      lines: [{ shipQuantityUom: 'case' }],
      said: [],
    })
  })

  test('is the phone number of a place with an address, and is told', () => {
    const { locations, said } = made(with_(...item), { locationPhoneNumber: '+1.831.555.0100' })
    expect(locations?.[0]).toMatchObject({ phoneNumber: '+1.831.555.0100' })
    expect(said).toEqual([
      'warning 8 N1.1: N1*SF has an address and no phone number (PER). That of the settings is used, +1.831.555.0100.',
    ])
  })

  test('is the unit of a quantity that has none, told once', () => {
    const levels = [
      'HL*2*1*I',
      'LIN**UP*614141000418*LT*A',
      'SN1**5',
      'HL*3*1*I',
      'LIN**UP*614141000418*LT*B',
      'SN1**6',
    ]
    const { lines, said } = made(with_(...levels), { shipQuantityUom: 'case' })
    expect(lines).toMatchObject([{ shipQuantityUom: 'case' }, { shipQuantityUom: 'case' }])
    expect(said).toEqual(['warning 12 HL: The quantity has no unit (SN103). That of the settings is used, "case".'])
  })

  test('is that names are codes, and is told', () => {
    const notice = with_(...item).map((one) => one.replace('*92*DC07', ''))
    const { event, said } = made(notice, { locationCodeIsName: true })
    expect(event).toMatchObject({ shipToLocationCode: 'DC 7' })
    expect(said).toEqual([
      'warning 11 N1.1: N1*ST has no code (N104) beside the name "DC 7". The name is used as code, as the settings of the sender say.',
    ])
  })
})

test('each declared element has one meaning for each code of its qualifier', () => {
  const seen = new Map<string, string>()
  for (const { segment, elements, codes = [''], field, use } of noticeElements)
    for (const element of elements === 'pairs' ? ['pairs'] : elements)
      for (const code of codes) {
        if (field === undefined && use === undefined) continue
        const key = `${segment} ${element} ${code} ${elements === 'pairs' ? field : ''}`
        expect(seen.get(key), key).toBeUndefined()
        seen.set(key, field ?? use ?? '')
      }
})
