// Differences between what was shipped and what was received: each that there is, and no other.
// Source: decision 0081.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DifferenceKind, differenceKinds } from '../../src/contract/difference-kinds.ts'
import { dayAfter } from '../../src/contract/shape/date-and-time.ts'
import { unitKeyOf } from '../../src/contract/text/units.ts'
import { runSteps } from '../../src/steps.ts'
import { compareDeliveries } from '../../src/tracing/delivery-comparison.ts'
import type { DeliveryDifference } from '../../src/tracing/delivery-difference.ts'
import type { DeliveryEvent } from '../../src/tracing/delivery-event.ts'
import { deliveryDifference } from '../../src/tracing/difference-words.ts'
import { deliveryWorld, received, shipped } from '../samples/delivery-world.ts'
import { leastProcessorMs } from '../support/patience.ts'
import { runs } from '../support/runs.ts'

const comparison = { daysUnderWay: 7, knownUntil: '2026-06-30' }
const compare = (events: readonly DeliveryEvent[], changes = {}) =>
  runSteps(compareDeliveries(events, { ...comparison, ...changes }))

describe('100 mismatches among 10,000 deliveries', () => {
  const wanted = Array.from({ length: 100 }, (_, i) => differenceKinds[i % differenceKinds.length] as DifferenceKind)

  test.each(Array.from({ length: runs(3, 1) }, (_, i) => i + 1))(
    'are all found, and nothing else (world %i)',
    (seed) => {
      const { events, planted } = deliveryWorld(10_000, wanted, seed)
      const found = compare(events).differences.map((one) => {
        const { kind, shipped, received } = deliveryDifference(one)
        return { kind, records: [...(shipped?.records ?? []), ...(received?.records ?? [])].map(({ id }) => id) }
      })
      const isOf = ({ kind, records }: (typeof planted)[number], one: (typeof found)[number]) =>
        kind === one.kind && one.records.every((id) => records.has(id))
      const missed = planted.filter((one) => !found.some((other) => isOf(one, other)))
      const wrong = found.filter((one) => !planted.some((other) => isOf(other, one)))
      expect({ missed: missed.map(({ kind, records }) => [kind, ...records]), wrong }).toEqual({
        missed: [],
        wrong: [],
      })
    },
  )
})

test('periods side by side, each read with some days before and after it, list each difference once', () => {
  const days = 10
  const margin = 2 * comparison.daysUnderWay
  // Dates that differ by more than is read are two differences.
  const wanted = differenceKinds.filter((kind) => kind !== 'date')
  const { events } = deliveryWorld(
    600,
    Array.from({ length: 60 }, (_, i) => wanted[i % wanted.length] as DifferenceKind),
    7,
  )
  const found: DeliveryDifference[] = []
  for (let start = '2026-02-20'; start < '2026-04-20'; start = dayAfter(start, days)) {
    const end = dayAfter(start, days - 1)
    const knownUntil = dayAfter(end, margin)
    const read = events.filter(({ date }) => date >= dayAfter(start, -margin) && date <= knownUntil)
    const { differences } = compare(read, { knownUntil })
    found.push(...differences.map(deliveryDifference).filter(({ date }) => date >= start && date <= end))
  }
  const texts = (all: readonly DeliveryDifference[]) => all.map((one) => JSON.stringify(one)).sort()
  expect(texts(found)).toEqual(texts(compare(events).differences.map(deliveryDifference)))
})

const kindsOf = (events: readonly DeliveryEvent[], changes = {}) =>
  compare(events, changes).differences.map(({ kind }) => kind)
const only = (events: readonly DeliveryEvent[], changes = {}) => {
  const [found, ...more] = compare(events, changes).differences.map(deliveryDifference)
  expect(more).toEqual([])
  return found
}

describe('what agrees is no difference', () => {
  const documents = (billOfLadingNumber: string) => ({ purchaseOrderNumber: 'PO-1', billOfLadingNumber })
  const half = { quantity: 28 }

  test.each<[string, readonly DeliveryEvent[]]>([
    [
      'received in parts on two days',
      [shipped(), received({ lines: [half] }), received({ at: '2026-03-06T12:00:00Z', lines: [half] })],
    ],
    [
      'decimal parts that add up exactly',
      [shipped({ lines: [{ quantity: 0.3 }] }), received({ lines: [{ quantity: 0.1 }, { quantity: 0.2 }] })],
    ],
    [
      'another spelling of unit, item, lot and document',
      [
        shipped(),
        received({
          documents: { billOfLadingNumber: 'bol 0001' },
          lines: [{ itemCode: ' rom-24', unit: 'CS', lotCode: 'GV26063-A' }],
        }),
      ],
    ],
    [
      'two shipments of an order, received at once',
      [
        shipped({ documents: documents('BOL-1') }),
        shipped({ documents: documents('BOL-2') }),
        received({ documents: { purchaseOrderNumber: 'PO-1' }, lines: [{ quantity: 112 }] }),
      ],
    ],
    [
      'the rest of a shipment, received without its bill of lading',
      [
        shipped(),
        received({ lines: [{ quantity: 50 }] }),
        received({ at: '2026-03-06T12:00:00Z', documents: { purchaseOrderNumber: 'PO-1' }, lines: [{ quantity: 6 }] }),
      ],
    ],
    [
      'the rest of a shipment that names no order, received under the order of the first part',
      [
        shipped({ documents: { billOfLadingNumber: 'BOL-1' } }),
        received({ lines: [{ quantity: 50 }] }),
        received({ at: '2026-03-06T12:00:00Z', documents: { purchaseOrderNumber: 'PO-1' }, lines: [{ quantity: 6 }] }),
      ],
    ],
    [
      'the rest of an order whose shipment has a number of the vendor, too',
      [
        shipped({ documents: { billOfLadingNumber: 'Sales Order 5', purchaseOrderNumber: 'PO-1' } }),
        received({ documents: { purchaseOrderNumber: 'PO-1' } }),
      ],
    ],
    [
      'received in the west before midnight, and shipped in the east after it',
      [
        shipped({ at: '2026-03-05T05:30:00Z', date: '2026-03-05', documents: { asnNumber: 'ASN-9' } }),
        received({ at: '2026-03-05T05:50:00Z', date: '2026-03-04', documents: { purchaseOrderNumber: 'PO-7' } }),
      ],
    ],
    [
      'one number of a notice at several vendors',
      ['V-1', 'V-2'].flatMap((vendor) => {
        const documents = { asnNumber: 'ASN-1' }
        const lines = [{ quantity: vendor === 'V-1' ? 7 : 9 }]
        return [shipped({ vendor, documents, lines }), received({ vendor, documents, lines })]
      }),
    ],
    [
      'a shipment and a receipt that name different documents of it',
      [shipped({ documents: { asnNumber: 'ASN-9' } }), received({ documents: { purchaseOrderNumber: 'PO-7' } })],
    ],
    [
      'a pallet that is all that connects them',
      [
        shipped({ documents: {}, lines: [{ palletId: '106141410000000019' }, { lotCode: 'B' }] }),
        received({ documents: {}, lines: [{ palletId: '106141410000000019' }, { lotCode: 'B' }] }),
      ],
    ],
    [
      'a place with another code and one GLN',
      [shipped({ toGln: '0614141000012' }), received({ to: 'Store 7', toGln: '0614141000012' })],
    ],
    [
      'another item code with one GTIN',
      [
        shipped({ lines: [{ gtins: ['10614141000415'] }] }),
        received({ lines: [{ itemCode: '4711', gtins: ['10614141000415'] }] }),
      ],
    ],
    [
      'two trucks of one lot and one order',
      [
        shipped({ documents: documents('BOL-1') }),
        shipped({ documents: documents('BOL-2') }),
        received({ documents: documents('BOL-1') }),
        received({ documents: documents('BOL-2'), at: '2026-03-06T12:00:00Z' }),
      ],
    ],
  ])('%s', (_, events) => {
    expect(compare(events).differences.map(deliveryDifference)).toEqual([])
    expect(kindsOf(events.toReversed())).toEqual([])
  })
})

describe('each kind', () => {
  test('says what was shipped and received, and where it is', () => {
    const events = [
      shipped({ lines: [{ lotCode: 'B' }, {}] }),
      received({ lines: [{ quantity: 50 }, { lotCode: 'B' }] }),
    ]
    expect(only(events)).toMatchObject({
      kind: 'quantity',
      date: '2026-03-04',
      purchaseOrderNumber: 'PO-1',
      billOfLadingNumber: 'BOL-1',
      lines: 1,
      message: 'Shipped 56 case, received 50 case.',
      shipped: {
        records: [{ id: events[0]?.id, pointer: '/eventList/productList/1' }],
        shipQuantity: 56,
        shipQuantityUom: 'case',
      },
      received: {
        records: [{ id: events[1]?.id, pointer: '/eventList/productList/0' }],
        shipQuantity: 50,
        caseLotNumber: 'GV26063-A',
      },
    })
  })

  test.each<[DifferenceKind, string, readonly DeliveryEvent[]]>([
    ['unit', 'Shipped 56 case, received 56 each.', [shipped(), received({ lines: [{ unit: 'each' }] })]],
    [
      'lot',
      'Shipped as lot GV26063-A, received as lot GV26O63A. The codes read alike.',
      [shipped(), received({ lines: [{ lotCode: 'GV26O63A' }] })],
    ],
    [
      'lot',
      'Shipped as lot 00123X, received as lot 123X. The codes read alike.',
      [shipped({ lines: [{ lotCode: '00123X' }] }), received({ lines: [{ lotCode: '123X' }] })],
    ],
    ['lot', 'Shipped as lot GV26063-A, received as lot X.', [shipped(), received({ lines: [{ lotCode: 'X' }] })]],
    [
      'lot',
      'Shipped as lot GV26063-A, received without a lot code.',
      [shipped(), received({ lines: [{ lotCode: undefined }] })],
    ],
    [
      'lot',
      'Shipped as lot GV26063-A, received as lot X.',
      [
        shipped({ lines: [{ quantity: 100 }] }),
        received({ lines: [{ quantity: 60 }, { quantity: 40, lotCode: 'X' }] }),
      ],
    ],
    [
      'item',
      'Shipped as item ROM-24, received as item CIL-30.',
      [shipped(), received({ lines: [{ itemCode: 'CIL-30' }] })],
    ],
    ['place', 'Shipped from COOLER to DC-07, received from COOLER at DC-9.', [shipped(), received({ to: 'DC-9' })]],
    ['place', 'Shipped from FARM to DC-07, received from COOLER at DC-07.', [shipped({ from: 'FARM' }), received()]],
    ['date', 'Shipped on 2026-03-04, received on 2026-03-01.', [shipped(), received({ at: '2026-03-01T12:00:00Z' })]],
    ['date', 'Shipped on 2026-03-04, received on 2026-04-05.', [shipped(), received({ at: '2026-04-05T12:00:00Z' })]],
    [
      'duplicate',
      'Received once and recorded twice: ROM-24, lot GV26063-A.',
      [shipped(), received(), received({ at: '2026-03-05T12:01:00Z' })],
    ],
    [
      'duplicate',
      'Shipped once and recorded twice: 2 lines.',
      [
        ...['2026-03-04T12:00:00Z', '2026-03-04T12:01:00Z'].map((at) => shipped({ at, lines: [{}, { lotCode: 'B' }] })),
        received({ lines: [{}, { lotCode: 'B' }] }),
      ],
    ],
    ['notReceived', 'Shipped on 2026-03-04 to DC-07 and not received: 56 case of ROM-24, lot GV26063-A.', [shipped()]],
    [
      'notReceived',
      'Shipped on 2026-03-04 to DC-07 and not received: 2 lines.',
      [shipped({ lines: [{}, { lotCode: 'B' }] })],
    ],
    [
      'notReceived',
      'Shipped on 2026-03-04 to DC-07 and not received: 56 case of ROM-24, lot B.',
      [shipped({ lines: [{}, { lotCode: 'B' }] }), received()],
    ],
    [
      'notShipped',
      'Received on 2026-03-05 at DC-07, and no shipping event has it: 2 lines.',
      [received({ lines: [{}, { lotCode: 'B' }] })],
    ],
    [
      'quantity',
      'Shipped 168 case, received 112 case.',
      [shipped({ lines: [{}, {}, {}] }), received({ lines: [{}, {}] })],
    ],
  ])('%s: %s', (kind, message, events) => {
    expect(only(events)).toMatchObject({ kind, message })
    expect(only(events.toReversed())).toMatchObject({ kind, message })
  })

  test('a difference that is true of all lines of an event is one', () => {
    const lines = Array.from({ length: 20 }, (_, i) => ({ lotCode: `L${i}` }))
    expect(only([shipped({ lines }), received({ lines, to: 'DC-9' })])).toMatchObject({ kind: 'place', lines: 20 })
  })

  test.each<[string, DifferenceKind, readonly DeliveryEvent[]]>([
    ['both places', 'place', [shipped({ from: 'FARM' }), received({ to: 'DC-9' })]],
    [
      'another item with another GTIN',
      'item',
      [
        shipped({ lines: [{ caseGtin: '10614141000415' }] }),
        received({ lines: [{ itemCode: 'CIL-30', caseGtin: '10614141000422' }] }),
      ],
    ],
    [
      'another GTIN of what was received in two rounds',
      'item',
      [
        shipped({ lines: [{ caseGtin: '10614141000415' }] }),
        received({ lines: [{ quantity: 50, caseGtin: '10614141000422' }] }),
        received({ at: '2026-03-06T12:00:00Z', documents: { purchaseOrderNumber: 'PO-1' }, lines: [{ quantity: 6 }] }),
      ],
    ],
    [
      'another place of what was received in two rounds',
      'place',
      [
        shipped({ from: 'FARM' }),
        received({ lines: [{ quantity: 50 }] }),
        received({ at: '2026-03-06T12:00:00Z', documents: { purchaseOrderNumber: 'PO-1' }, lines: [{ quantity: 6 }] }),
      ],
    ],
  ])('%s is one difference of one line', (_, kind, events) => {
    expect(only(events)).toMatchObject({ kind, lines: 1, shipped: { shipQuantity: 56 } })
  })

  test('goods that arrived too late are paired with the next that fit', () => {
    const order = { purchaseOrderNumber: 'PO-1' }
    expect(
      kindsOf([
        shipped({ documents: { ...order, billOfLadingNumber: 'BOL-9' } }),
        received({ documents: order, at: '2026-02-20T12:00:00Z', lines: [{ lotCode: 'GV26063-B' }] }),
        received({ documents: order, lines: [{ lotCode: 'ANOTHER' }] }),
      ]),
    ).toEqual(['lot', 'notShipped'])
  })

  test('lots that differ by zeros in front are likely pairs, each with its own quantity', () => {
    const lines = (lots: Readonly<Record<string, number>>) =>
      Object.entries(lots).map(([lotCode, quantity]) => ({ lotCode, quantity }))
    expect(
      kindsOf([
        shipped({ lines: lines({ '00123X': 10, '00124X': 20 }) }),
        received({ lines: lines({ '0123X': 9, '124X': 18 }) }),
      ]).sort(),
    ).toEqual(['lot', 'lot', 'quantity', 'quantity'])
  })

  test('two things that differ in one line are two', () => {
    expect(kindsOf([shipped(), received({ lines: [{ lotCode: 'X', quantity: 50 }] })])).toEqual(['lot', 'quantity'])
  })
})

describe('goods under way', () => {
  const until = (knownUntil: string) => ({ knownUntil })

  test('are no difference until their days are over', () => {
    expect(kindsOf([shipped()], until('2026-03-11'))).toEqual([])
    expect(compare([shipped()], until('2026-03-11')).underWay).toHaveLength(1)
    expect(kindsOf([shipped()], until('2026-03-12'))).toEqual(['notReceived'])
  })

  test('may be the rest of a shipment, but what came too much is none of them', () => {
    expect(kindsOf([shipped(), received({ lines: [{ quantity: 50 }] })], until('2026-03-11'))).toEqual([])
    expect(kindsOf([shipped(), received({ lines: [{ quantity: 60 }] })], until('2026-03-11'))).toEqual(['quantity'])
  })
})

describe('events of different deliveries', () => {
  const other = { documents: { purchaseOrderNumber: 'PO-2', billOfLadingNumber: 'BOL-2' } }

  test('are not paired by their goods when their documents contradict', () => {
    expect(kindsOf([shipped(), received(other)])).toEqual(['notReceived', 'notShipped'])
  })

  test('are not paired across vendors', () => {
    expect(kindsOf([shipped(), received({ vendor: 'V-2' })])).toEqual(['notReceived', 'notShipped'])
  })

  test('are not paired by a placeholder', () => {
    const documents = { billOfLadingNumber: 'N/A' }
    expect(kindsOf([shipped({ documents }), received({ documents, lines: [{ lotCode: 'X', quantity: 1 }] })])).toEqual([
      'notReceived',
      'notShipped',
    ])
  })
})

describe('of any events of two vendors with few lots, items, places, units and documents', () => {
  const anEvent = (document: fc.Arbitrary<string | undefined>) =>
    fc.record({
      isShipped: fc.boolean(),
      vendor: fc.constantFrom('V-1', 'V-2'),
      document,
      order: fc.constantFrom(undefined, 'PO-1'),
      from: fc.constantFrom('COOLER', 'COOLER', 'COOLER', 'FARM'),
      to: fc.constantFrom('DC-1', 'DC-2'),
      day: fc.integer({ min: 1, max: 9 }),
      lines: fc.array(
        fc.record({
          itemCode: fc.constantFrom('ROM-24', 'rom-24', 'CIL-30'),
          lotCode: fc.constantFrom('LOT-10', 'LOT-1O', 'X', undefined),
          quantity: fc.constantFrom(1, 2, 2, 3, 0.1, 0.2),
          unit: fc.constantFrom('case', 'CS', 'lb', 'pounds'),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    })
  const eventsWith = (document: fc.Arbitrary<string | undefined>) =>
    fc.array(anEvent(document), { minLength: 1, maxLength: 8 }).map((all) =>
      all.map(({ isShipped, document, order, day, ...one }, i) =>
        (isShipped ? shipped : received)({
          ...one,
          // No two at one moment.
          at: `2026-03-0${day}T12:00:0${i}Z`,
          documents: { asnNumber: document, purchaseOrderNumber: order },
        }),
      ),
    )

  const notices = ['ASN-1', 'asn 01', 'ASN-2']
  const documentedEvents = eventsWith(fc.constantFrom(...notices))
  const anyEvents = eventsWith(fc.constantFrom(...notices, undefined))

  type Line = { readonly event: DeliveryEvent; readonly line: DeliveryEvent['lines'][number] }
  /** What a person compares first: one line with each other, key by key. */
  const areOneGoods = (some: Line, other: Line): boolean =>
    some.event.vendor === other.event.vendor &&
    some.event.documents.asnNumber?.slice(-1) === other.event.documents.asnNumber?.slice(-1) &&
    some.event.shipTo.code === other.event.shipTo.code &&
    some.line.itemCode.toLowerCase() === other.line.itemCode.toLowerCase() &&
    some.line.lotCode === other.line.lotCode &&
    unitKeyOf(some.line.unit) === unitKeyOf(other.line.unit)
  const tenths = (lines: readonly Line[]): number =>
    lines.reduce((sum, { line }) => sum + Math.round(line.quantity * 10), 0)
  const netOf = (lines: readonly Line[]): number =>
    lines.reduce(
      (sum, { event, line }) => sum + Math.round(line.quantity * 10) * (event.side === 'shipped' ? 1 : -1),
      0,
    )
  const linesOf = (events: readonly DeliveryEvent[]): Line[] =>
    events.flatMap((event) => event.lines.map((line) => ({ event, line })))
  const nameOf = ({ event, line }: Line) => `${event.id}/${line.index}`
  const named = ({ kind, shipped, received }: ReturnType<typeof compare>['differences'][number]) =>
    [kind, ...[...shipped, ...received].map(nameOf).sort()].join(' ')

  test('lines whose sums agree are in no difference but of date, place and item, and each other line is in one', () => {
    fc.assert(
      fc.property(documentedEvents, (events) => {
        const { differences } = compare(events)
        const all = linesOf(events)
        const isSettled = (one: Line): boolean => {
          const same = all.filter((other) => areOneGoods(one, other))
          return netOf(same) === 0
        }
        const inSome = new Set(
          differences
            .filter(({ kind }) => !['date', 'place', 'item'].includes(kind))
            .flatMap(({ shipped, received }) => [...shipped, ...received])
            .map(nameOf),
        )
        const inAny = new Set(differences.flatMap(({ shipped, received }) => [...shipped, ...received]).map(nameOf))
        expect(all.filter((one) => isSettled(one) && inSome.has(nameOf(one))).map(nameOf)).toEqual([])
        // Lines that agree one by one beside a rest that another delivery explains may be in none.
        for (const one of all.filter((one) => !isSettled(one))) {
          const same = all.filter((other) => areOneGoods(one, other))
          const isExplained = events.some(({ documents }) => documents.purchaseOrderNumber !== undefined)
          expect(isExplained || same.some((other) => inAny.has(nameOf(other))), nameOf(one)).toBe(true)
        }
      }),
      { numRuns: runs(700) },
    )
  })

  test('what is missing and too much adds up to what was shipped less what was received', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        for (const vendor of ['V-1', 'V-2']) {
          const { differences } = compare(events)
          const own = differences.filter(
            ({ shipped, received }) => (shipped[0] ?? received[0])?.event.vendor === vendor,
          )
          // Units that differ are not added up.
          if (own.some(({ kind }) => kind === 'unit')) continue
          const explained = own.map(({ kind, shipped, received, lines }) => {
            if (['quantity', 'notReceived', 'notShipped'].includes(kind)) return tenths(shipped) - tenths(received)
            if (kind !== 'duplicate') return 0
            const [side, sign] = shipped.length > 0 ? [shipped, 1] : [received, -1]
            return (sign * tenths(side) * lines) / side.length
          })
          expect(explained.reduce((sum, one) => sum + one, 0)).toBeCloseTo(
            netOf(linesOf(events).filter(({ event }) => event.vendor === vendor)),
          )
        }
      }),
      { numRuns: runs(700) },
    )
  })

  test('each difference is there once, whatever the order of the events', () => {
    fc.assert(
      fc.property(
        anyEvents.chain((events) =>
          fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })),
        ),
        ([events, shuffled]) => {
          const names = compare(events).differences.map(named)
          expect(new Set(names).size).toBe(names.length)
          expect(compare(shuffled).differences.map(named).sort()).toEqual(names.sort())
        },
      ),
      { numRuns: runs(700) },
    )
  })
})

test('5,000 lines that all look alike are compared in less than a second', () => {
  const lines = (quantity: number) =>
    Array.from({ length: 5_000 }, (_, i) => ({ quantity: quantity + (i % 7) / 10, lotCode: `L${i % 3}` }))
  const events = [
    shipped({ lines: lines(1) }),
    shipped({ at: '2026-03-04T12:01:00Z', lines: lines(2) }),
    received({ lines: lines(3) }),
  ]
  expect(leastProcessorMs(() => compare(events))).toBeLessThan(1_000)
})
