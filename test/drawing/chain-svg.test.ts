// The drawing of a chain: every lot and event is in it, alone or in a box that says how many it
// stands for, and what is not certain is dashed and told in words.
import { DOMParser } from '@xmldom/xmldom'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Ground, grounds } from '../../src/contract/lots/grounds.ts'
import { chainBoxesMax, chainFigureOf } from '../../src/drawing/chain-figure.ts'
import { chainPictureOf } from '../../src/drawing/chain-graph.ts'
import { chainSvg } from '../../src/drawing/svg.ts'
import { runSteps } from '../../src/steps.ts'
import { type Direction, directions } from '../../src/tracing/chain-walk.ts'
import type { ChainedEvent, ChainedFood, ChainedLot, LotChain } from '../../src/tracing/lot-chain.ts'
import { processorMs } from '../support/patience.ts'
import { runs } from '../support/runs.ts'

const nothing = { made: [], entered: [], received: [], used: [], shipped: [], left: [], places: [], placeCount: 0 }
const lot = (
  number: number,
  distance: number,
  ground: Ground = 'sameSource',
  lotCode = `LOT-${number}`,
): ChainedLot => ({
  id: `L${number}`,
  lotCode,
  source: 'Fresh Cut',
  vendorItemCode: 'ITEM',
  distance,
  ground,
  ...nothing,
})
const event = (number: number, used: string[], made: string[], ground: Ground = 'sameSource'): ChainedEvent => ({
  id: `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`,
  version: 1,
  record: 'transformationEvent',
  eventDateTime: '2026-03-04T10:00:00Z',
  dataProviderVendorId: 'V-1',
  place: { locationCode: 'PLANT', name: 'Fresh Cut Monterey' },
  used,
  made,
  ground,
})
const chain = (
  lots: readonly ChainedLot[],
  events: readonly ChainedEvent[],
  { food = [], direction = 'forward' }: { readonly food?: ChainedFood[]; readonly direction?: Direction } = {},
): LotChain => ({
  lotCode: lots[0]?.lotCode ?? '',
  direction,
  least: 'reference',
  notes: [],
  noteCount: 0,
  lots: [...lots],
  balances: [],
  balanceCount: 0,
  food,
  recovery: [],
  events: [...events],
})

const parsed = (svg: string) =>
  new DOMParser({
    onError: (level, message) => {
      if (level !== 'warning' || !message.includes('replacement character')) throw new Error(`${level}: ${message}`)
    },
  }).parseFromString(svg, 'image/svg+xml')
const textsOf = (svg: string) => [...parsed(svg).getElementsByTagName('text')].map((one) => one.textContent ?? '')
const drawn = (one: LotChain) => runSteps(chainSvg(one))

const small = chain(
  [lot(1, 0), lot(2, 1), lot(3, 2, 'sourceUnknown')],
  [event(1, ['L1'], ['L2']), event(2, ['L2'], ['L3'], 'sourceUnknown')],
)

test('a lot that reads like another is joined to it, dashed and in words', () => {
  const alike = { ...lot(2, 0, 'readAlike', 'lot 1'), readsLike: 'L1' }
  const one = chain([lot(1, 0), alike, lot(3, 1, 'readAlike')], [event(1, ['L2'], ['L3'])])
  expect(runSteps(chainFigureOf(one)).arrows).toContainEqual(
    expect.objectContaining({ from: 0, to: 1, ground: 'readAlike' }),
  )
  const texts = textsOf(drawn(one))
  expect(texts.filter((text) => text === 'by lot code read alike')).toHaveLength(2)
  expect(texts.some((text) => text.includes('so it may be another lot'))).toBe(true)
})

describe('a drawing of a chain', () => {
  const svg = drawn(small)

  test('has each lot and each event, and says in words what is not certain', () => {
    const texts = textsOf(svg)
    for (const text of ['LOT-1', 'LOT-2', 'LOT-3', 'Transformation', 'source Fresh Cut']) expect(texts).toContain(text)
    expect(texts.filter((text) => text === 'by lot code alone')).toHaveLength(2)
    expect(texts.filter((text) => text.startsWith('by lot code alone: a line'))).toHaveLength(1)
    const dashed = [...parsed(svg).getElementsByTagName('path')].filter((path) => path.getAttribute('stroke-dasharray'))
    expect(dashed).toHaveLength(1)
  })

  test('is told to those who do not see it', () => {
    expect(svg).toContain('Lot LOT-1: lots that were made of it: 3 lots, 2 events')
    const [words] = [...parsed(svg).getElementsByTagName('desc')]
    expect(words?.textContent).toContain('LOT-2 to LOT-3 (by lot code alone)')
  })

  test('back has the lot that was asked for at the right', () => {
    const back = chain([lot(1, 0), lot(2, 1)], [event(1, ['L2'], ['L1'])], { direction: 'back' })
    const { elements } = runSteps(chainPictureOf(back))
    const xOf = (text: string) => {
      const box = elements.find(({ subject }) => subject?.words.startsWith(text))
      return Number(/translate\((\d+)/.exec(String(box?.attributes.transform))?.[1])
    }
    expect(xOf('LOT-2')).toBeLessThan(xOf('Transformation'))
    expect(xOf('Transformation')).toBeLessThan(xOf('LOT-1'))
  })

  test('is XML whatever the names are', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 60 })
    fc.assert(
      fc.property(texts, texts, (code, place) => {
        const odd = event(1, ['L1'], ['L2'])
        parsed(drawn(chain([lot(1, 0, 'sameSource', code), lot(2, 1)], [{ ...odd, place: { locationCode: place } }])))
      }),
      { numRuns: runs(50) },
    )
  })
})

describe('many are folded, none is dropped', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)
  const star = chain(
    [lot(1, 0), ...numbers(4_000).map((i) => lot(i + 2, 1))],
    numbers(4_000).map((i) => event(i, ['L1'], [`L${i + 2}`])),
  )
  const path = chain(
    [lot(1, 0), ...numbers(2_000).map((i) => lot(i + 2, i + 1))],
    numbers(2_000).map((i) => event(i, [`L${i + 1}`], [`L${i + 2}`])),
  )
  const fan = chain(
    [lot(1, 0), ...numbers(60).map((i) => lot(i + 2, 1))],
    [
      event(
        1,
        ['L1'],
        numbers(60).map((i) => `L${i + 2}`),
      ),
    ],
  )

  test('lots with the same neighbours', () => {
    const texts = textsOf(drawn(fan))
    expect(texts).toContain('60 lots')
    expect(texts.join(' ')).toContain('LOT-2, LOT-3, LOT-4, LOT-5 and 56 more')
    expect(texts).toContain('several in one box; the table has each')
  })

  test.each([
    ['a star of 4,000 events', star, ['4,000 lots', '4,000 transformation events']],
    ['a path of 2,000 events', path, ['1,961 lots', '1,960 transformation events']],
  ])('%s', (_, one, words) => {
    const began = processorMs()
    const svg = drawn(one)
    expect(processorMs() - began).toBeLessThan(5_000)
    const texts = textsOf(svg).join(' ')
    for (const text of words) expect(texts).toContain(text)
    expect(svg.length).toBeLessThan(300_000)
  })

  test('no step of any of them takes long', () => {
    for (const one of [star, path, fan]) {
      // The least of each step in five drawings: the process also collects garbage and compiles, which
      // fell into one step of a busy machine.
      const least: number[] = []
      for (let i = 0; i < 5; i++) {
        const steps = chainSvg(one)
        let step = 0
        for (let began = processorMs(); !steps.next().done; began = processorMs(), step++)
          least[step] = Math.min(least[step] ?? Number.POSITIVE_INFINITY, processorMs() - began)
      }
      expect(Math.max(...least)).toBeLessThan(50)
    }
  })

  const any = fc
    .record({
      direction: fc.constantFrom(...directions),
      lots: fc.array(
        fc.record({
          distance: fc.nat(5),
          ground: fc.constantFrom(...grounds),
          like: fc.option(fc.nat(20), { nil: undefined }),
        }),
        { maxLength: 200 },
      ),
      events: fc.array(
        fc.record({
          used: fc.uniqueArray(fc.nat(210), { maxLength: 5 }),
          made: fc.uniqueArray(fc.nat(210), { maxLength: 5 }),
          ground: fc.constantFrom(...grounds),
        }),
        { maxLength: 150 },
      ),
    })
    .map(({ direction, lots, events }) => {
      const all: ChainedLot[] = [
        lot(1, 0),
        ...lots.map(({ distance, ground, like }, i) => ({
          ...lot(i + 2, distance + 1, ground),
          ...(like !== undefined && like <= i && { readsLike: `L${like + 1}` }),
        })),
      ]
      const idsOf = (some: readonly number[]) => some.filter((i) => i < all.length).map((i) => `L${i + 1}`)
      return chain(
        all,
        events.map(({ used, made, ground }, i) => event(i, idsOf(used), idsOf(made), ground)),
        { direction },
      )
    })

  test('of any chain each lot and event is in one box, and each arrow stands for a line between them', () => {
    fc.assert(
      fc.property(any, (one) => {
        const { nodes, arrows } = runSteps(chainFigureOf(one))
        const idOf = (part: (typeof nodes)[number]['parts'][number]) =>
          part.is === 'lot' ? part.lot.id : part.is === 'food' ? part.food.id : part.event.id
        const ids = nodes.flatMap(({ parts }) => parts.map(idOf))
        expect(ids.sort()).toEqual([...one.lots, ...one.events].map(({ id }) => id).sort())
        expect(nodes.length).toBeLessThanOrEqual(Math.max(chainBoxesMax, 82))
        const nodeOf = new Map(nodes.flatMap(({ parts }, i) => parts.map((part) => [idOf(part), i] as const)))
        const pairs = [
          ...one.events.flatMap(({ id, used, made }) => [
            ...used.map((other) => [other, id]),
            ...made.map((other) => [id, other]),
          ]),
          ...one.lots.flatMap(({ id, readsLike }) =>
            readsLike === undefined ? [] : [one.direction === 'forward' ? [readsLike, id] : [id, readsLike]],
          ),
        ].map((ids) => ids.map((id) => nodeOf.get(id ?? '')))
        const expected = new Set(pairs.filter(([from, to]) => from !== to).map((pair) => pair.join(' ')))
        expect(new Set(arrows.map(({ from, to }) => `${from} ${to}`))).toEqual(expected)
        for (const { parts, isAsked } of nodes) if (isAsked) expect(parts.map(idOf)).toContain('L1')
        drawn(one)
      }),
      { numRuns: runs(60) },
    )
  })
})
