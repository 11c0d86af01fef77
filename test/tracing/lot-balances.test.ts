// Balances of a lot at places: of any events, as a plain count by place and way has them.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Fraction } from '../../src/contract/text/fraction.ts'
import { runSteps } from '../../src/steps.ts'
import { chainOf } from '../../src/tracing/chain.ts'
import { ChainWalk, type LinePart } from '../../src/tracing/chain-walk.ts'
import type { ChainEvent } from '../../src/tracing/lot-event.ts'
import { UnitConversions } from '../../src/tracing/unit-conversions.ts'

const placeAt = (number: number) => ({
  vendor: 'V-1',
  code: `P${number}`,
  fields: { locationName: `Place ${number}`, gln: String(number) },
})
/** Eaches in a unit. */
const eaches = { each: 1, case: 24, box: 2.5 } as const

const movedLine = fc.record({
  part: fc.constantFrom<LinePart>('made', 'received', 'used', 'shipped'),
  at: fc.nat({ max: 2 }),
  other: fc.nat({ max: 2 }),
  day: fc.integer({ min: 1, max: 5 }),
  quantity: fc.constantFrom(0, 1, 2, 0.1, 0.2, 12.5, 100),
  unit: fc.constantFrom(...(Object.keys(eaches) as (keyof typeof eaches)[])),
})
type Moved = typeof movedLine extends fc.Arbitrary<infer One> ? One : never

const eventOf = ({ part, at, other, day, quantity, unit }: Moved, i: number): ChainEvent => ({
  id: `E${i}`,
  version: 1,
  kind: part === 'shipped' ? 'shippingEvent' : part === 'received' ? 'receivingEvent' : 'transformationEvent',
  eventDateTime: `2026-03-0${day}T10:00:00Z`,
  instant: day,
  date: `2026-03-0${day}`,
  dataProviderVendorId: 'V-1',
  dataProviderVendorName: undefined,
  place: placeAt(at),
  other: part === 'shipped' || part === 'received' ? placeAt(other) : undefined,
  lines: [
    {
      pointer: '/eventList/productList/0',
      part,
      gtins: [],
      itemDescription: undefined,
      line: {
        vendorItemCode: 'ITEM',
        shipQuantity: quantity,
        shipQuantityUom: unit,
        caseLotNumber: 'A',
        tlcSourceReferenceGln: '9',
      },
    },
  ],
})

function balancesOf(lines: readonly Moved[], end: string) {
  const query = {
    lotCode: 'A',
    gtin: undefined,
    tlcSource: undefined,
    direction: 'forward',
    least: 'reference',
  } as const
  const walk = new ChainWalk<ChainEvent>(query, { lotsMax: 10, linksMax: 1_000 })
  for (const [i, line] of lines.entries()) walk.add(eventOf(line, i))
  expect(runSteps(walk.next(['A']))).toEqual([])
  const conversions = new UnitConversions([
    {
      units: [
        { unit: 'case', quantity: eaches.case, inUnit: 'each' },
        { unit: 'box', quantity: eaches.box, inUnit: 'each' },
      ],
    },
  ])
  const balances = { start: undefined, end, tolerance: Fraction.zero }
  const units = { items: new Map(), conversions }
  return runSteps(chainOf(query, runSteps(walk.chain()), { balances, units }, []))
}

test('what is left, and where more went out than came in, is as a plain count has it', () => {
  fc.assert(
    fc.property(fc.array(movedLine, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 5 }), (lines, last) => {
      const { balances, notes } = balancesOf(lines, `2026-03-0${last}`)
      const counted = lines.filter(({ day }) => day <= last)
      const sum = (some: readonly Moved[]) => some.reduce((all, { quantity, unit }) => all + quantity * eaches[unit], 0)
      let over = 0
      for (const at of [0, 1, 2]) {
        const came = counted.filter((one) => one.at === at && (one.part === 'made' || one.part === 'received'))
        const used = counted.filter((one) => one.at === at && one.part === 'used')
        const ways = [0, 1, 2].map((to) =>
          Math.max(
            sum(counted.filter((one) => one.part === 'shipped' && one.at === at && one.other === to)),
            sum(counted.filter((one) => one.part === 'received' && one.at === to && one.other === at)),
          ),
        )
        const out = sum(used) + ways.reduce((all, one) => all + one, 0)
        const balance = balances.find(({ place }) => place?.name === `Place ${at}`)
        const left = (balance?.left ?? []).map(({ quantity, unit }) => quantity * eaches[unit as keyof typeof eaches])
        expect(left).toHaveLength(came.length > 0 ? 1 : 0)
        if (came.length > 0) expect(left[0]).toBeCloseTo(sum(came) - out, 6)
        const isOver = came.length > 0 && out - sum(came) > 1e-9
        expect(balance?.isOver ?? false).toBe(isOver)
        if (isOver) over++
      }
      const noted = notes.filter(({ kind, message }) => kind === 'moreOutThanIn' && message.startsWith('At '))
      expect(noted).toHaveLength(over)
    }),
  )
})

test('a lot at thousands of places, each with a unit of its own, is counted in small steps', () => {
  const query = {
    ...{ lotCode: 'A', gtin: undefined, tlcSource: undefined },
    direction: 'forward',
    least: 'reference',
  } as const
  const walk = new ChainWalk<ChainEvent>(query, { lotsMax: 10, linksMax: 10_000 })
  const places = 2_000
  for (let i = 0; i < places; i++) {
    const event = eventOf({ part: 'used', at: i, other: 0, day: 1, quantity: 0.1, unit: 'each' }, i)
    const [line] = event.lines
    walk.add({
      ...event,
      lines: [{ ...line, line: { ...line?.line, shipQuantityUom: `unit ${i}` } } as ChainEvent['lines'][number]],
    })
  }
  runSteps(walk.next(['A']))
  const counting = chainOf(
    query,
    runSteps(walk.chain()),
    {
      balances: { start: undefined, end: undefined, tolerance: Fraction.zero },
      units: { items: new Map(), conversions: new UnitConversions([]) },
    },
    [],
  )
  let longestUs = 0
  for (;;) {
    const before = process.cpuUsage()
    const step = counting.next()
    const { user, system } = process.cpuUsage(before)
    longestUs = Math.max(longestUs, user + system)
    if (!step.done) continue
    expect(step.value.lots[0]?.entered).toHaveLength(places)
    break
  }
  // It took 5 s when what is left was summed up anew for each place.
  expect(longestUs).toBeLessThan(500_000)
})
