// What a trace says of a lot, and which notes it makes: each where it should, and none where all is
// well. Source: decision 0028.
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { readLotCode } from '../../src/contract/lots/lot-code.ts'
import type { LotEvent } from '../../src/tracing/lot-event.ts'
import { nearCodesOf, readLotQuery } from '../../src/tracing/lot-query.ts'
import { LotTrace } from '../../src/tracing/lot-trace.ts'
import { UnitConversions } from '../../src/tracing/unit-conversions.ts'
import { center, cooler, endOf, lotCode, store, traced, tracedWith, went, wholesaler } from '../samples/lot-events.ts'
import { processorMs } from '../support/patience.ts'

const inFull = {
  tlcSourceName: 'Green Valley Farms',
  tlcSourceAddress1: '1200 Harvest Road',
  tlcSourceCity: 'Salinas',
  tlcSourceState: 'CA',
  tlcSourcePostalCode: '93901',
  tlcSourceCountry: 'USA',
  tlcSourcePhoneNumber: '+1.831.555.0100',
}
const lines = (...quantities: number[]) => quantities.map((shipQuantity) => ({ ...inFull, shipQuantity }))

/** Four tiers without a fault. */
const chain = (): LotEvent[] => [
  went(cooler, wholesaler, { day: 4, lines: lines(112) }),
  went(wholesaler, center, { day: 5, vendor: 'V-2', lines: lines(60, 36) }),
  went(center, store, { day: 6, vendor: 'V-3', lines: lines(24) }),
]
const kinds = (events: readonly LotEvent[], ask = {}) => traced(events, ask).notes.map(({ kind }) => kind)

describe('a chain of four tiers', () => {
  const trace = traced(chain())

  test('has its places in order, each with one step back and forward, and nothing to note', () => {
    expect(trace.notes).toEqual([])
    expect(trace.places.map(({ id, name, role, previous, next }) => [id, name, role, previous, next])).toEqual([
      ['P1', 'Green Valley Cooler', 'first', [], ['P2']],
      ['P2', 'Pacific Fresh Oakland', 'between', ['P1'], ['P3']],
      ['P3', 'Distribution Center 7', 'between', ['P2'], ['P4']],
      ['P4', 'Store 114', 'last', ['P3'], []],
    ])
    expect(trace.chains).toEqual([{ source: 'S1', places: ['P1', 'P2', 'P3', 'P4'] }])
  })

  test('has what each place received and sent on', () => {
    const cases = (quantity: number) => [{ quantity, unit: 'case' }]
    expect(trace.places.map(({ received, sentOn }) => [received, sentOn])).toEqual([
      [[], cases(112)],
      [cases(112), cases(96)],
      [cases(96), cases(24)],
      [cases(24), []],
    ])
    expect(trace.totals).toMatchObject({
      events: 3,
      lines: 4,
      places: 4,
      sources: 1,
      entered: cases(112),
      remained: cases(24),
      moved: cases(232),
    })
  })

  test('has its vendors in order, and pointers that lead to the lines', () => {
    expect(trace.vendors.map(({ dataProviderVendorId }) => dataProviderVendorId)).toEqual(['V-1', 'V-2', 'V-3'])
    expect(trace.events[1]?.lines.map(({ pointer }) => pointer)).toEqual([
      '/eventList/productList/0',
      '/eventList/productList/1',
    ])
  })
})

describe('sources', () => {
  test('lines that share any identifier are of one source, whichever line comes first', () => {
    const events = [
      went(cooler, center, { lines: [{ tlcSourceReferenceGln: '1', tlcSourceReferenceFfrn: undefined }] }),
      went(cooler, center, { lines: [{ tlcSourceReferenceGln: undefined, tlcSourceReferenceDuns: '2' }] }),
      went(cooler, center, { lines: [{ tlcSourceReferenceGln: '1', tlcSourceReferenceUrl: 'u' }] }),
      went(cooler, center, {
        lines: [{ tlcSourceReferenceGln: undefined, tlcSourceReferenceUrl: ' U ', tlcSourceReferenceDuns: '2' }],
      }),
    ]
    const [source, ...more] = traced(events).sources
    expect(more).toEqual([])
    expect(source).toMatchObject({ glns: ['1'], duns: ['2'], urls: ['u'], lines: 4, events: 4 })
  })

  test('a placeholder joins nothing', () => {
    const events = ['A', 'B'].map((tlcSourceReferenceFei) =>
      went(cooler, center, {
        lines: [{ tlcSourceReferenceGln: undefined, tlcSourceReferenceFei, tlcSourceReferenceOther: 'N/A' }],
      }),
    )
    expect(traced(events).totals.sources).toBe(2)
  })

  describe('that lines do not say are unknown', () => {
    const silent = { tlcSourceReferenceGln: undefined }
    const saying = (text: string) => ({ ...silent, tlcSourceReferenceFei: text, tlcSourceName: text })

    test.each(['n/a', 'N.A.', 'unknown', 'TBD', '-', '?', 'see paperwork'])('and %j is no source', (text) => {
      const events = ['V-1', 'V-2'].map((vendor) => went(cooler, center, { vendor, lines: [saying(text)] }))
      const { sources, totals, notes } = traced(events)
      expect(sources).toMatchObject([{ known: false, names: [], feis: [], others: [], lines: 2 }])
      expect(totals).toMatchObject({ sources: 0, sourcesOfCode: 0 })
      expect(notes.map(({ kind }) => kind)).toEqual(['sourceUnknown'])
      expect(JSON.stringify(notes)).not.toContain(JSON.stringify(text))
    })

    test('and no note reasons about whose they are', () => {
      const events = [
        went(cooler, center, { lines: lines(9) }),
        went(center, store, { day: 5, lines: [saying('n/a')] }),
        went(center, store, { day: 6, lines: [{ ...saying('n/a'), vendorItemCode: 'CIL-30' }] }),
        went(store, cooler, { day: 7, lines: [{ tlcSourceReferenceGln: '1' }] }),
      ]
      const notes = traced(events).notes.filter(({ kind }) => kind !== 'sourcePlaceMissing')
      expect(notes.map(({ kind }) => kind)).not.toContain('itemsDiffer')
      expect(notes.filter(({ kind }) => kind === 'sourceChanged' || kind === 'receiptMissing')).toEqual([])
      expect(notes.find(({ kind }) => kind === 'sharedCode')?.message).toMatch(/^2 sources /)
    })

    test('and stand apart where their lot codes name several items, and together where they name one', () => {
      const gtins = ['10614141000415', '10614141000521']
      const texts = gtins.map((gtin) => `(01)${gtin}(10)${lotCode}`)
      const of = (some: readonly string[]) =>
        traced([went(cooler, center, { lines: some.map((caseLotNumber) => ({ ...silent, caseLotNumber })) })]).sources
      expect(of([...texts, lotCode])).toMatchObject([
        { gtins: gtins.slice(0, 1) },
        { gtins: gtins.slice(1) },
        { gtins: [] },
      ])
      expect(of([texts[0] ?? '', lotCode])).toMatchObject([{ known: false, lines: 2 }])
    })
  })

  test('two that share the code are said, and one is chosen by any identifier or name', () => {
    const other = { ...inFull, tlcSourceName: 'Golden Vista', tlcSourceReferenceGln: undefined }
    const events = [...chain(), went(store, center, { day: 9, lines: [other] })]
    expect(kinds(events)).toContain('sharedCode')
    const chosen = traced(events, { tlcSource: ' golden  VISTA' })
    expect(chosen.totals).toMatchObject({ events: 1, sources: 1, sourcesOfCode: 2 })
    expect(traced(events, { tlcSource: cooler.gln }).totals.events).toBe(3)
    expect(endOf(events, { tlcSource: 'nobody' })).toEqual({
      unknownSource: [expect.stringContaining('Green Valley Farms'), 'Golden Vista'],
    })
  })

  test('their quantities do not make up for each other', () => {
    const other = [{ ...inFull, tlcSourceName: 'Golden Vista', tlcSourceReferenceGln: undefined, shipQuantity: 50 }]
    const events = [
      went(cooler, center, { day: 1, lines: lines(10) }),
      went(wholesaler, center, { day: 1, lines: other }),
      went(center, store, { day: 2, lines: lines(20) }),
    ]
    expect(kinds(events)).toContain('sentMoreThanReceived')
  })
})

describe('places', () => {
  const places = (...events: LotEvent[]) => traced(events).places
  const unnumbered = (place: typeof center) => ({ ...place, gln: undefined })

  test('the same GLN is one place, whatever vendor, code and name', () => {
    const renamed = { ...center, locationCode: '7', locationName: 'DC Seven' }
    const found = places(went(cooler, center), went(renamed, store, { day: 5, vendor: 'V-2' }))
    expect(found.map(({ id }) => id)).toEqual(['P1', 'P2', 'P3'])
    expect(found[1]).toMatchObject({
      name: 'DC Seven',
      assumed: false,
      codes: [{ locationCode: 'DC-07' }, { locationCode: '7' }],
    })
  })

  test('a code of one vendor is one place, be the GLN missing once', () => {
    expect(places(went(cooler, center), went(unnumbered(center), store, { day: 5 }))).toHaveLength(3)
  })

  test('a code of one vendor with two GLNs is two places, and a third without one', () => {
    const moved = { ...center, gln: '1' }
    const events = [went(cooler, center), went(cooler, moved, { day: 5 }), went(cooler, unnumbered(center), { day: 6 })]
    expect(places(...events)).toHaveLength(4)
    expect(kinds(events)).toContain('placeKeptApart')
  })

  test('an equal code and name of two vendors is one place by assumption, which is said', () => {
    const events = [went(cooler, unnumbered(center)), went(unnumbered(center), store, { day: 5, vendor: 'V-2' })]
    expect(traced(events).places[1]).toMatchObject({ assumed: true, role: 'between' })
    expect(kinds(events)).toContain('placeAssumed')
  })

  test('an equal code with another name stays apart, which is said', () => {
    const events = [
      went(cooler, unnumbered(center)),
      went({ ...unnumbered(center), locationName: 'Other' }, store, { day: 5, vendor: 'V-2' }),
    ]
    expect(places(...events)).toHaveLength(4)
    expect(kinds(events)).toContain('placeKeptApart')
  })

  test('an equal name and address is one place by assumption', () => {
    const address = { streetAddress1: '88 Freight Ave', city: 'Columbus', postalCode: '43217' }
    const events = [
      went(cooler, { ...unnumbered(center), address }),
      went({ ...center, locationCode: '7', address }, store, { day: 5, vendor: 'V-2' }),
    ]
    expect(places(...events)).toHaveLength(3)
    expect(places(...events)[1]).toMatchObject({ assumed: true, gln: center.gln })
  })
})

describe('notes', () => {
  test.each<[string, () => readonly LotEvent[]]>([
    ['sourcePlaceMissing', () => [went(cooler, center)]],
    [
      'sourceIdentifiersDiffer',
      () => [went(cooler, center, { lines: [{ ...inFull }, { ...inFull, tlcSourceReferenceGln: '1' }] })],
    ],
    [
      'sourceChanged',
      () => [
        went(cooler, center, { lines: lines(9) }),
        went(center, store, { day: 5, lines: [{ tlcSourceReferenceGln: '1' }] }),
      ],
    ],
    [
      'sentMoreThanReceived',
      () => [went(cooler, center, { lines: lines(9) }), went(center, store, { day: 5, lines: lines(6, 4) })],
    ],
    [
      'unitNeverReceived',
      () => [
        went(cooler, center, { lines: lines(9) }),
        went(center, store, { day: 5, lines: [{ ...inFull, shipQuantityUom: 'each' }] }),
      ],
    ],
    [
      'sentBeforeReceived',
      () => [went(cooler, center, { day: 5, lines: lines(9) }), went(center, store, { lines: lines(9) })],
    ],
    [
      'receiptMissing',
      () => [...chain(), went({ ...center, locationCode: 'X', gln: '1', locationName: 'X' }, store, { day: 9 })],
    ],
    ['cycle', () => [...chain(), went(store, wholesaler, { day: 9, lines: lines(1) })]],
    ['cycle', () => [...chain(), went(store, store, { day: 9, lines: lines(1) })]],
    [
      'itemsDiffer',
      () => [
        went(cooler, center, { lines: [{ ...inFull, caseGtin: '10614141000415' }] }),
        went(center, store, { day: 5, lines: [{ ...inFull, caseGtin: '10614141000521' }] }),
      ],
    ],
    ['itemsDiffer', () => [went(cooler, center, { lines: [{ ...inFull }, { ...inFull, vendorItemCode: 'CIL-30' }] })]],
  ])('%s', (kind, events) => {
    const note = traced(events()).notes.find((one) => one.kind === kind)
    expect(note).toMatchObject({ message: expect.stringMatching(/\.$/), remedy: expect.stringMatching(/\.$/) })
    expect(note?.eventCount).toBeGreaterThan(0)
  })

  test('of amounts are in one unit where the provider declared how the units convert', () => {
    const each = (shipQuantity: number) => [{ ...inFull, shipQuantity, shipQuantityUom: 'each' }]
    const [arrived, left] = [
      went(cooler, center, { lines: lines(2) }),
      went(center, store, { day: 5, lines: each(60) }),
    ]
    const conversions = new UnitConversions([{ units: [{ unit: 'case', quantity: 24, inUnit: 'each' }] }])
    expect(kinds([arrived, left])).toEqual(['unitNeverReceived'])
    const { notes } = traced([arrived, left], { conversions })
    expect(notes.map(({ kind, message }) => [kind, message])).toEqual([
      ['sentMoreThanReceived', 'Distribution Center 7 sent on 2.5 case but received 2.'],
    ])
    const shipment = went(cooler, center, { lines: each(60) })
    expect(tracedWith([shipment], [arrived]).shippedLinks).toMatchObject([{ arrival: 'received', missing: [] }])
    expect(tracedWith([shipment], [arrived], { conversions }).shippedLinks).toMatchObject([
      { arrival: 'partlyReceived', missing: [{ quantity: 12, unit: 'each' }] },
    ])
  })

  test('nearCodes', () => {
    const events = chain().map((event) => ({ ...event, nearCodes: ['GV26O63-A'] }))
    expect(traced(events).notes).toMatchObject([{ kind: 'nearCodes', message: expect.stringContaining('GV26O63-A') }])
  })

  test.each([
    ['GV26O63-A', true],
    ['gv26o63a', true],
    ['(01)10614141000415(10)GV 26O63 A', true],
    ['GV26063-B', false],
    ['gv26063a', false],
    [lotCode, false],
  ])('%s matches the lot code only when letters are read as digits: %s', (other, near) => {
    expect(nearCodesOf([other, other], readLotCode(lotCode))).toEqual(near ? [other] : [])
  })

  test('readAlike', () => {
    const [first, ...others] = chain()
    const [line] = went(cooler, store, { lines: [{ caseLotNumber: 'gv26063a' }] }).lines
    if (first === undefined || line === undefined) throw new Error('The chain has events with lines.')
    const trace = traced([{ ...first, alike: [line] }, ...others])
    expect(trace.notes).toMatchObject([{ kind: 'readAlike', message: expect.stringContaining('"gv26063a" on 1 line') }])
    expect(trace.readAlike).toMatchObject([{ id: first.id, lotCode: 'gv26063a', source: `GLN ${cooler.gln}` }])
    expect(trace.totals).toEqual(traced(chain()).totals)
    expect(traced([{ ...first, alike: [line] }], { moreAlike: true }).notes[0]?.message).toMatch(/^At least 1 line /)
  })

  test('what was left out is said', () => {
    expect(
      kinds(chain(), { leftOut: { why: 'There are more.', remedy: 'Narrow.' }, period: 'from 2026-03-01' }),
    ).toEqual(['truncated', 'narrowed'])
  })

  test('units are compared without case and outer blanks', () => {
    const events = chain()
    const shouted = events.map((event) => ({
      ...event,
      lines: event.lines.map((one) => ({ ...one, line: { ...one.line, shipQuantityUom: ' CASE' } })),
    }))
    expect(kinds([...events.slice(0, 1), ...shouted.slice(1)])).toEqual([])
  })

  test('a returned lot that comes back in time is a circle and no missing receipt', () => {
    expect(kinds([...chain(), went(store, center, { day: 7, lines: lines(4) })])).toEqual(['cycle'])
  })
})

describe('items', () => {
  const gtin = '10614141000415'
  const withGtin = (caseGtin: string | undefined, product?: object) =>
    went(cooler, center, { lines: [{ ...inFull, caseGtin }], product })

  test('a GTIN leaves lines of other items out, keeps those nobody knows, and says both', () => {
    const events = [withGtin(gtin), withGtin('10614141000521'), withGtin(undefined)]
    const trace = traced(events, { gtin })
    expect(trace.totals.lines).toBe(2)
    expect(trace.notes.map(({ kind }) => kind)).toEqual(['otherItems', 'itemUnknown'])
  })

  test('the GTIN of the item counts where the line has none', () => {
    const events = [withGtin(undefined, { gtin: '614141000418' })]
    expect(traced(events).events[0]?.lines[0]?.gtin).toBe('00614141000418')
    expect(endOf(events, { gtin })).toEqual({ unknownLot: expect.stringContaining('00614141000418') })
  })

  test('a stored element string is found as such, and says its item', () => {
    const text = `(01)${gtin}(10)${lotCode}`
    const events = [
      went(cooler, center, {
        lines: [
          { ...inFull, caseLotNumber: text },
          { ...inFull, caseGtin: gtin },
        ],
      }),
    ]
    const trace = traced(events, {}, text)
    expect(trace.lotCode).toBe(lotCode)
    expect(trace.reading).toEqual({
      form: 'elementString',
      gtin,
      spellings: [
        { lotCode: text, lines: 1 },
        { lotCode, lines: 1 },
      ],
    })
    expect(trace.notes.map(({ kind }) => kind)).toEqual(['spellings'])
  })

  test('a gtin that contradicts the lot code is refused, an equal one in fewer digits is not', () => {
    expect(readLotQuery(`(01)${gtin}(10)A`, '10614141000521')).toBeUndefined()
    expect(readLotQuery('(01)00614141000418(10)A', '614141000418')?.gtin).toBe('00614141000418')
  })
})

const someEvents = fc
  .array(
    fc.record({
      from: fc.nat(6),
      to: fc.nat(6),
      day: fc.integer({ min: 1, max: 28 }),
      vendor: fc.constantFrom('V-1', 'V-2'),
      numbered: fc.boolean(),
      lines: fc.array(
        fc.record({
          shipQuantity: fc.integer({ min: 0, max: 1_000 }),
          shipQuantityUom: fc.constantFrom('case', 'CASE', 'lb'),
          tlcSourceReferenceGln: fc.constantFrom('1', '2', undefined),
          tlcSourceReferenceOther: fc.constantFrom('x', 'y', 'n/a'),
          caseGtin: fc.constantFrom(undefined, '10614141000415', '10614141000521'),
        }),
        { minLength: 1, maxLength: 4 },
      ),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map((all) =>
    all.map(({ from, to, numbered, ...told }) => {
      const place = (n: number) => ({
        locationCode: `L-${n}`,
        locationName: `Place ${n % 5}`,
        ...(numbered && { gln: String(n) }),
      })
      return went(place(from), place(to), told as object)
    }),
  )

describe('for all events', () => {
  const shape = Compile(LotTrace)
  const sum = (all: readonly { readonly quantity: number }[]) =>
    all.reduce((total, { quantity }) => total + quantity, 0)

  test('every event and every line is there once, and sums are those of the lines', () => {
    fc.assert(
      fc.property(someEvents, (events) => {
        const trace = traced(events)
        const total = sum(events.flatMap((event) => event.lines.map(({ line }) => ({ quantity: line.shipQuantity }))))
        expect(trace.events.map(({ id }) => id).sort()).toEqual(events.map(({ id }) => id).sort())
        expect(trace.events.flatMap((event) => event.lines)).toHaveLength(trace.totals.lines)
        expect(sum(trace.totals.moved)).toBe(total)
        expect(sum(trace.places.flatMap(({ received }) => received))).toBe(total)
        expect(sum(trace.places.flatMap(({ sentOn }) => sentOn))).toBe(total)
        expect(sum(trace.links.flatMap(({ quantities }) => quantities))).toBe(total)
        expect(sum(trace.sources.map(({ lines: quantity }) => ({ quantity })))).toBe(trace.totals.lines)
      }),
    )
  })

  test('the answer has its declared shape, and every id in it leads to something', () => {
    fc.assert(
      fc.property(someEvents, (events) => {
        const trace = traced(events)
        const withoutIdForms = JSON.parse(JSON.stringify(trace))
        expect([...shape.Errors(withoutIdForms)].slice(0, 3)).toEqual([])
        const places = new Set(trace.places.map(({ id }) => id))
        const named = [
          ...trace.links.flatMap(({ from, to }) => [from, to]),
          ...trace.chains.flatMap((chained) => chained.places),
          ...trace.places.flatMap(({ previous, next }) => [...previous, ...next]),
          ...trace.notes.flatMap((note) => note.places),
          ...trace.events.flatMap(({ from, to }) => [from, to]),
        ]
        expect(named.filter((id) => !places.has(id))).toEqual([])
      }),
    )
  })

  test('the order in which events are found does not matter', () => {
    fc.assert(
      fc.property(
        someEvents.chain((events) =>
          fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })),
        ),
        ([events, shuffled]) => {
          expect(traced(shuffled)).toEqual(traced(events))
        },
      ),
    )
  })

  test('no place has two GLNs, and every place is in a chain unless there are more than are listed', () => {
    fc.assert(
      fc.property(someEvents, (events) => {
        const trace = traced(events)
        const glns = new Map<string, Set<string>>()
        for (const event of trace.events) {
          const stored = events.find(({ id }) => id === event.id)
          for (const [place, gln] of [
            [event.from, stored?.shipFrom.gln],
            [event.to, stored?.shipTo.gln],
          ] as const)
            if (gln !== undefined) glns.set(place, (glns.get(place) ?? new Set()).add(gln))
        }
        expect([...glns.values()].filter(({ size }) => size > 1)).toEqual([])
        const inChains = new Set(trace.chains.flatMap(({ places }) => places))
        if (!trace.chainsTruncated) expect(trace.places.filter(({ id }) => !inChains.has(id))).toEqual([])
      }),
    )
  })
})

test('2,000 events between as many places are traced in seconds at most', () => {
  const place = (n: number) => ({ locationCode: `L-${n}`, locationName: `Place ${n}` })
  const events = Array.from({ length: 2_000 }, (_, n) =>
    went(place(n), place((n * 7919) % 2_000), { day: 1 + (n % 28), lines: lines(n, 1) }),
  )
  const startedAt = processorMs()
  expect(traced(events).totals.lines).toBe(4_000)
  expect(processorMs() - startedAt).toBeLessThan(10_000)
})

describe('what shipping events say', () => {
  const shipped = [
    went(cooler, wholesaler, { day: 3, lines: lines(112) }),
    went(wholesaler, center, { day: 4, vendor: 'V-2', lines: lines(100) }),
    went(wholesaler, store, { day: 5, vendor: 'V-2', lines: lines(12) }),
  ]

  test('has both ends of a way that was received, and the beginning of one that was not', () => {
    const { shippedLinks, shippingEvents, links, totals, places } = tracedWith(shipped, chain().slice(0, 2))
    const name = (id: string) => places.find((place) => place.id === id)?.name
    expect(
      shippedLinks.map(({ from, to, arrival, quantities }) => [name(from), name(to), arrival, quantities]),
    ).toEqual([
      ['Green Valley Cooler', 'Pacific Fresh Oakland', 'received', [{ quantity: 112, unit: 'case' }]],
      ['Pacific Fresh Oakland', 'Distribution Center 7', 'partlyReceived', [{ quantity: 100, unit: 'case' }]],
      ['Pacific Fresh Oakland', 'Store 114', 'notReceived', [{ quantity: 12, unit: 'case' }]],
    ])
    expect(shippingEvents.map(({ id, lines }) => [id, lines.length])).toEqual(shipped.map(({ id }) => [id, 1]))
    expect(places.map(({ role }) => role)).toEqual(['first', 'between', 'last', 'expected'])
    // Nothing that is counted of what was received changes.
    const alone = traced(chain().slice(0, 2))
    expect([links.length, totals]).toEqual([alone.links.length, { ...alone.totals, places: 4 }])
  })

  test('notes what nobody received, with its places, and nothing else', () => {
    const { notes } = tracedWith(shipped, chain().slice(0, 2))
    expect(notes).toMatchObject([
      { kind: 'notReceived', places: ['P2', 'P3'], events: [shipped[1]?.id] },
      { kind: 'notReceived', places: ['P2', 'P4'], events: [shipped[2]?.id] },
    ])
    expect(notes[0]?.message).toMatch(
      /^4 case of 100 case shipped from Pacific Fresh Oakland to Distribution Center 7 /,
    )
    expect(notes[1]?.message).toBe(
      '12 case shipped from Pacific Fresh Oakland to Store 114 on 2026-03-05: no receiving event says that it arrived.',
    )
  })

  describe('of a way', () => {
    const cases = (shipQuantity: number, shipQuantityUom = 'case') => [{ shipQuantity, shipQuantityUom }]
    const sent = (...lines: readonly ReturnType<typeof cases>[]) =>
      lines.map((one, i) => went(cooler, center, { day: 3 + i, lines: one }))
    const arrived = (...lines: readonly ReturnType<typeof cases>[]) =>
      lines.map((one, i) => went(cooler, center, { day: 4 + i, lines: one }))

    test.each([
      ['all, in two parts', sent(cases(56)), arrived(cases(50), cases(6)), 'received', []],
      ['more than was shipped', sent(cases(56)), arrived(cases(60)), 'received', []],
      ['another spelling of the unit', sent(cases(56)), arrived(cases(56, 'CS')), 'received', []],
      ['another unit, which is not converted', sent(cases(56)), arrived(cases(1_120, 'lb')), 'received', []],
      ['some', sent(cases(56), cases(56)), arrived(cases(60)), 'partlyReceived', [{ quantity: 52, unit: 'case' }]],
      ['decimals that add up', sent(cases(0.3)), arrived(cases(0.1), cases(0.2)), 'received', []],
      [
        'one of two units',
        sent(cases(9), cases(2, 'lb')),
        arrived(cases(9)),
        'partlyReceived',
        [{ quantity: 2, unit: 'lb' }],
      ],
      ['nothing', sent(cases(56)), [], 'notReceived', [{ quantity: 56, unit: 'case' }]],
    ] as const)('receiving events have %s', (_, shipping, receiving, arrival, missing) => {
      const { shippedLinks, notes } = tracedWith(shipping, receiving)
      expect(shippedLinks).toMatchObject([{ arrival, missing }])
      expect(notes.some(({ kind }) => kind === 'notReceived')).toBe(arrival !== 'received')
    })

    test('is under way until its days are over, and only what was shipped in them', () => {
      const arrivalOn = (today: string, shipping = sent(cases(56), cases(6)), receiving = arrived(cases(56))) =>
        tracedWith(shipping, receiving, { today }).shippedLinks[0]?.arrival
      expect(arrivalOn('2026-03-11')).toBe('underWay')
      expect(arrivalOn('2026-03-12')).toBe('partlyReceived')
      expect(arrivalOn('2026-03-11', sent(cases(56), cases(6)), arrived(cases(6)))).toBe('partlyReceived')
      expect(arrivalOn('2026-03-10', sent(cases(56), cases(6)), [])).toBe('underWay')
    })
  })

  test('is a trace of its own where nothing was received yet, of the source that is asked for', () => {
    const other = [{ tlcSourceReferenceGln: store.gln }]
    const events = [...shipped, went(cooler, center, { day: 6, lines: other })]
    const trace = tracedWith(events, [], { tlcSource: 'Green Valley Farms' })
    expect([trace.events, trace.links, trace.shippedLinks.length]).toEqual([[], [], 3])
    expect(tracedWith(events, []).shippedLinks).toHaveLength(4)
  })

  test('is of the source that is asked for by a name that only receiving events, or their places, have', () => {
    // Lines of these name the GLN of the cooler and nothing else.
    const byGln = [
      went(cooler, store, { day: 5 }),
      went(cooler, center, { lines: [{ tlcSourceReferenceGln: store.gln }] }),
    ]
    const legs = (tlcSource: string, receiving = chain()) =>
      tracedWith(byGln, receiving, { tlcSource }).shippedLinks.length
    expect(legs('Green Valley Farms')).toBe(1)
    expect(legs('Green Valley Cooler', [went(cooler, wholesaler)])).toBe(1)
    // Of another source than all that was received.
    const other = tracedWith(byGln, chain(), { tlcSource: store.gln })
    expect([other.links, other.shippedLinks.length, other.totals.lines]).toEqual([[], 1, 0])
    expect(other.notes.map(({ kind }) => kind)).toEqual(['notReceived'])
    expect(endOf(chain(), { tlcSource: store.gln }, lotCode, [went(cooler, store)])).toHaveProperty('unknownSource')
  })

  test('fits the declared shape', () => {
    expect([...Compile(LotTrace).Errors(tracedWith(shipped, chain()))]).toEqual([])
  })
})
