// The drawing: XML that any reader takes whatever the names are, with every place in it, and
// nothing in it that runs.
import { DOMParser } from '@xmldom/xmldom'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { graphOf } from '../../src/drawing/graph.ts'
import { traceSvg } from '../../src/drawing/svg.ts'
import { element, toXml } from '../../src/drawing/svg-element.ts'
import { cut, textWidth } from '../../src/drawing/svg-text.ts'
import { runSteps } from '../../src/steps.ts'
import type { LotTrace } from '../../src/tracing/lot-trace.ts'
import { center, cooler, store, traced, tracedWith, went, wholesaler } from '../samples/lot-events.ts'
import { processorMs } from '../support/patience.ts'
import { runs } from '../support/runs.ts'

const drawn = (trace: LotTrace): string => runSteps(traceSvg(trace))

/** Parses, and fails at the first fault. */
function parsed(svg: string) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters XML 1.0 forbids
  expect(svg).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/)
  expect(svg.isWellFormed()).toBe(true)
  const parser = new DOMParser({
    onError: (level, message) => {
      // What XML cannot hold is drawn as U+FFFD, which the parser takes for a sign of trouble.
      if (level !== 'warning' || !message.includes('replacement character')) throw new Error(`${level}: ${message}`)
    },
  })
  return parser.parseFromString(svg, 'image/svg+xml')
}

const elementsIn = (svg: string, name: string) => [...parsed(svg).getElementsByTagName(name)]
const textsIn = (svg: string) => elementsIn(svg, 'text').map((element) => element.textContent ?? '')

const place = (n: number, locationName = `Store ${n}`) => ({ locationCode: `L-${n}`, locationName, gln: String(n) })
const chain = [went(cooler, wholesaler), went(wholesaler, center, { day: 5 }), went(center, store, { day: 6 })]

test('a part of a text that reads from right to left reorders no other', () => {
  const text = element('text', {}, ['חוות כרמל · GLN 0614141000012'])
  expect(runSteps(toXml(text))).toBe(
    '<text><tspan unicode-bidi="isolate">חוות כרמל</tspan> · <tspan unicode-bidi="isolate">GLN 0614141000012</tspan></text>',
  )
})

describe('a drawing of what was shipped', () => {
  const shipped = [
    went(cooler, wholesaler, { day: 3 }),
    went(wholesaler, store, { day: 5, lines: [{ shipQuantity: 7 }] }),
  ]
  const svg = drawn(tracedWith(shipped, chain.slice(0, 2)))

  test('says in words and marks which way was received and which was not', () => {
    const texts = textsIn(svg)
    for (const text of [
      'shipped 2026-03-03, received 2026-03-04',
      'shipped 2026-03-05',
      '7 case',
      'no receipt recorded',
      'shipped and received',
      'shipped, no receipt recorded',
    ])
      expect(texts).toContain(text)
    expect(elementsIn(svg, 'desc')[0]?.textContent).toContain(
      'Shipped, no receipt recorded: Pacific Fresh Oakland to Store 114: 7 case.',
    )
    // In the drawing and in the legend.
    expect(elementsIn(svg, 'path').filter((path) => path.getAttribute('stroke-dasharray') === '3 4')).toHaveLength(1)
    expect(elementsIn(svg, 'line').filter((line) => line.getAttribute('stroke-dasharray') === '3 4')).toHaveLength(1)
    expect(elementsIn(svg, 'circle')).toHaveLength(3)
  })

  test('has nothing of it in a trace without shipping events', () => {
    const alone = drawn(traced(chain))
    expect([elementsIn(alone, 'circle'), textsIn(alone).filter((text) => text.includes('shipped'))]).toEqual([[], []])
  })

  test('has many places that wait in one panel', () => {
    const many = Array.from({ length: 60 }, (_, n) => went(cooler, place(n)))
    expect(textsIn(drawn(tracedWith(many, [])))).toContain('60 places')
  })
})

describe('a drawing', () => {
  const svg = drawn(traced(chain))

  test('says what it shows to those who do not see it', () => {
    const [root] = elementsIn(svg, 'svg')
    expect(root?.getAttribute('role')).toBe('img')
    expect(svg).toContain('Lot GV26063-A: 3 events, 3 lines, 4 places, 1 source')
    expect(elementsIn(svg, 'desc')[0]?.textContent).toContain('Green Valley Cooler to Pacific Fresh Oakland: 10 case')
  })

  test('has each place with its name, code and quantities, and each link with quantity and date', () => {
    const texts = textsIn(svg)
    for (const text of [
      'Green Valley Cooler',
      'Store 114',
      'received 10 case',
      'sent on 10 case',
      '10 case',
      '2026-03-05',
    ])
      expect(texts).toContain(text)
  })

  test('marks a place with its notes, and says them', () => {
    const missing = drawn(traced([...chain, went(store, store, { day: 9 })]))
    expect(missing).toContain('class="warn"')
    expect(textsIn(missing)).toContain('Store 114 received the lot from itself.')
  })

  test('reads without its style element: every colour is an attribute', () => {
    const drawn = ['rect', 'text'].flatMap((name) => elementsIn(svg, name))
    expect(drawn.length).toBeGreaterThan(20)
    expect(drawn.filter((element) => !element.getAttribute('fill'))).toEqual([])
  })
})

describe('every place is drawn once', () => {
  test.each([2, 5, 30, 200, 1_000])('%i places', (count) => {
    const events = Array.from({ length: count - 1 }, (_, n) =>
      went(place(count > 30 ? n % 7 : n % 3), place(n + 1), { day: 1 + (n % 28) }),
    )
    const trace = traced(events)
    const texts = textsIn(drawn(trace))
    for (const { name } of trace.places) expect(texts.filter((text) => text === name)).toHaveLength(1)
  })

  test('2,000 events between any places are drawn in seconds at most', () => {
    const events = Array.from({ length: 2_000 }, (_, n) =>
      went(place(n % 700), place((n * 7919) % 900), { day: 1 + (n % 28) }),
    )
    const trace = traced(events)
    const startedAt = processorMs()
    drawn(trace)
    expect(processorMs() - startedAt).toBeLessThan(10_000)
  })
})

/** Rectangles of the boxes, in the coordinates of the drawing. */
function boxesIn(svg: string) {
  return elementsIn(svg, 'rect')
    .filter((rect) => rect.getAttribute('class') === 'box')
    .map((rect) => {
      const box = { x: 0, y: 0, width: Number(rect.getAttribute('width')), height: Number(rect.getAttribute('height')) }
      for (let node = rect.parentNode; node !== null && 'getAttribute' in node; node = node.parentNode) {
        const [, x = '0', y = '0'] =
          /translate\((\S+) (\S+)\)/.exec((node as unknown as Element).getAttribute('transform') ?? '') ?? []
        box.x += Number(x)
        box.y += Number(y)
      }
      return box
    })
}

interface Element {
  getAttribute(name: string): string | null
}

const somePlaces = fc.array(fc.tuple(fc.nat(25), fc.nat(25), fc.integer({ min: 1, max: 28 })), {
  minLength: 1,
  maxLength: 60,
})

test('no box overlaps another or the edge, whatever the route of the lot', () => {
  fc.assert(
    fc.property(somePlaces, (ways) => {
      const svg = drawn(traced(ways.map(([from, to, day]) => went(place(from), place(to), { day }))))
      const [root] = elementsIn(svg, 'svg')
      const boxes = boxesIn(svg)
      for (const [i, a] of boxes.entries()) {
        expect(a.x).toBeGreaterThanOrEqual(0)
        expect(a.x + a.width).toBeLessThanOrEqual(Number(root?.getAttribute('width')))
        expect(a.y + a.height).toBeLessThanOrEqual(Number(root?.getAttribute('height')))
        for (const b of boxes.slice(i + 1))
          expect(a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y).toBe(
            true,
          )
      }
    }),
    { numRuns: runs(50) },
  )
})

interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const apart = (a: Rectangle, b: Rectangle): boolean =>
  a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y

/** Points of a path of absolute lines and curves, close to each other. */
function pointsOf(path: string): readonly Point[] {
  const points: Point[] = []
  for (const [, command, numbers = ''] of path.matchAll(/([MLC])([^MLC]*)/g)) {
    const values = numbers.trim().split(/\s+/).map(Number)
    const corners = values.flatMap((x, i) => (i % 2 === 0 ? [{ x, y: values[i + 1] ?? 0 }] : []))
    const from = points.at(-1)
    const last = corners.at(-1)
    if (from === undefined || last === undefined) points.push(...corners)
    else
      for (let t = 0.02; t < 1.01; t += 0.02) {
        const [b = from, c = last] =
          command === 'C' ? corners : [between(from, last, 1 / 3), between(from, last, 2 / 3)]
        points.push(
          between(
            between(between(from, b, t), between(b, c, t), t),
            between(between(b, c, t), between(c, last, t), t),
            t,
          ),
        )
      }
  }
  return points
}

interface Point {
  readonly x: number
  readonly y: number
}

const between = (a: Point, b: Point, t: number): Point => ({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t })

test('no label stands on another, on a box or on another arrow, whatever the route of the lot', () => {
  fc.assert(
    fc.property(somePlaces, (ways) => {
      const { elements } = runSteps(
        graphOf(traced(ways.map(([from, to, day]) => went(place(from), place(to), { day })))),
      )
      const arrows = elements.filter(({ subject }) => subject?.is === 'way')
      const labels = elements.flatMap(({ subject, children: [rect] }) =>
        subject?.is === 'wayLabel' && typeof rect === 'object'
          ? [{ links: subject.links, ...(rect.attributes as unknown as Rectangle) }]
          : [],
      )
      // Only what a place received from itself goes without.
      expect(labels).toHaveLength(
        arrows.filter(({ subject }) => subject?.is === 'way' && subject.links.every(({ from, to }) => from !== to))
          .length,
      )
      const lines = arrows.map(({ subject, children: [line] }) => ({
        links: subject?.is === 'way' ? subject.links : [],
        points:
          typeof line === 'object' && !line.attributes['stroke-dasharray'] ? pointsOf(String(line.attributes.d)) : [],
      }))
      for (const [i, label] of labels.entries()) {
        for (const other of labels.slice(i + 1)) expect(apart(label, other)).toBe(true)
        for (const { links, points } of lines)
          if (links !== label.links)
            expect(points.filter((point) => !apart(label, { ...point, width: 0, height: 0 }))).toEqual([])
      }
      const boxes = boxesIn(runSteps(toXml(element('g', {}, elements))))
      for (const label of labels) for (const box of boxes) expect(apart(label, box)).toBe(true)
    }),
    { numRuns: runs(50) },
  )
})

test('every text has 12 pixels, and names, codes and notes stand in full', () => {
  const long = {
    locationCode: 'PACIFIC-FRESH-OAKLAND-COLD-STORE-17',
    locationName: 'Pacific Fresh Produce and Cold Storage of Oakland and the East Bay, Building 17',
  }
  const svg = drawn(
    traced([
      went(cooler, long),
      went(long, center, { day: 5 }),
      went(center, store, { day: 6, lines: [{ shipQuantity: 80 }] }),
    ]),
  )
  expect(elementsIn(svg, 'text').filter((text) => Number(text.getAttribute('font-size')) < 12)).toEqual([])
  const texts = textsIn(svg)
  expect(texts.filter((text) => text.includes('…'))).toEqual([])
  expect(texts.join(' ')).toContain(long.locationName)
  expect(texts.join('')).toContain(long.locationCode)
})

test('arrows are as wide as their quantities only where all have one unit', () => {
  const widthsOf = (svg: string) =>
    elementsIn(svg, 'path')
      .flatMap((path) => path.getAttribute('stroke-width') ?? [])
      .map(Number)
  const lines = (unit: string) => ({ lines: [{ shipQuantity: 40, shipQuantityUom: unit }] })
  const one = widthsOf(drawn(traced([went(cooler, center), went(center, store, { day: 5, ...lines('Case') })])))
  expect(one[1]).toBeGreaterThan(one[0] ?? 0)
  const two = widthsOf(drawn(traced([went(cooler, center), went(center, store, { day: 5, ...lines('each') })])))
  expect(new Set(two).size).toBe(1)
})

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc.constantFrom(
    '<img src=x onerror=alert(1)>',
    '</text></svg><script>alert(1)</script>',
    ']]>',
    '&#0;&amp;',
    '"\'',
    '\u202egnp.exe',
    'مركز توزيع السوق',
    '👩‍👩‍👧‍👦'.repeat(20),
    '\ud800',
    '\u0000',
    '-->',
  ),
)

test('it is well-formed XML without a script or a link, whatever names, codes and units are', () => {
  fc.assert(
    fc.property(hostile, hostile, hostile, (name, code, unit) => {
      const at = { locationCode: code || 'x', locationName: name, address: { city: name, state: unit } }
      const line = { shipQuantityUom: unit, tlcSourceReferenceGln: undefined, tlcSourceName: name }
      const trace = traced([went(at, store, { lines: [line] }), went(store, at, { day: 5, lines: [line] })])
      const svg = drawn({ ...trace, lotCode: name })
      const document = parsed(svg)
      const names = new Set([...document.getElementsByTagName('*')].map((element) => element.tagName))
      expect(
        [...names].filter(
          (one) => !['svg', 'title', 'desc', 'style', 'rect', 'g', 'path', 'line', 'text', 'tspan'].includes(one),
        ),
      ).toEqual([])
    }),
    { numRuns: runs(200) },
  )
})

test('text is cut where it does not fit, by whole characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 20, max: 200 }), (text, width) => {
      const shown = cut(text, 12, width)
      expect(textWidth(shown, 12)).toBeLessThanOrEqual(width)
      expect(text.startsWith(shown.replace(/…$/, '').trimEnd())).toBe(true)
    }),
  )
})
