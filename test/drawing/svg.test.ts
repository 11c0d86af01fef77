// The drawing: XML that any reader takes whatever the names are, with every place in it, and
// nothing in it that runs.
import { DOMParser } from '@xmldom/xmldom'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { traceSvg } from '../../src/drawing/svg.ts'
import { cut, textWidth } from '../../src/drawing/svg-text.ts'
import { runSteps } from '../../src/steps.ts'
import type { LotTrace } from '../../src/tracing/lot-trace.ts'
import { center, cooler, store, traced, went, wholesaler } from '../samples/lot-events.ts'
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
          (one) => !['svg', 'title', 'desc', 'style', 'rect', 'g', 'path', 'line', 'text'].includes(one),
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
