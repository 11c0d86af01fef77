// A placeholder in place of a key data element is one gap at its place, wherever it stands, and its
// line is complete in nothing.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gapRules } from '../../src/rules/key-data-elements.ts'
import type { Json } from '../samples/declared-shapes.ts'
import { sampleLine } from '../samples/payloads.ts'
import { judged } from '../support/records/prove-rule.ts'
import { runs } from '../support/runs.ts'

const placeholder = fc.constantFrom(
  ...[
    'n/a',
    'N/A',
    'Unknown',
    'TBA',
    '-',
    '?',
    '???',
    'see paperwork',
    'See BOL 1',
    'none',
    'xxxx',
    'Not available',
    '#REF!',
  ],
)

/**
 * A key data element: how a placeholder gets into it, and the gap that it is, by rule and place.
 */
interface Element {
  readonly set: (payload: Json, text: string, n: number) => void
  readonly rule: string
  readonly at: (n: number) => string
  /** A key data element of each line, and not of what its lines share. */
  readonly ofLine?: boolean
}

const line = (field: string, rule: string, alone?: readonly string[]): Element => ({
  set: (payload, text, n) => {
    const one = payload.eventList.productList[n]
    for (const other of alone ?? []) delete one[other]
    one[field] = text
  },
  rule,
  at: (n) => `/eventList/productList/${n}/${field}`,
  ofLine: true,
})
const product = (field: string, rule: string): Element => ({
  set: (payload, text) => Object.assign(payload.productMasterDataList[0], { [field]: text }),
  rule,
  at: () => `/productMasterDataList/0/${field}`,
})
const place = (entry: number, field: string, rule: string): Element => ({
  set: (payload, text) => {
    const location = payload.locationMasterList[entry]
    delete location.geoLocation
    Object.assign(field in location.address ? location.address : location, { [field]: text })
  },
  rule,
  at: () => `/locationMasterList/${entry}`,
})
const references = ['tlcSourceReferenceFei', 'tlcSourceReferenceGln']

const elements: readonly Element[] = [
  line('caseLotNumber', 'product-line/lot-code'),
  line('shipQuantityUom', 'product-line/quantity-unit'),
  ...['Ffrn', 'Fei', 'Url', 'Other'].map((name) =>
    line(`tlcSourceReference${name}`, 'product-line/tlc-source-place', references),
  ),
  product('itemDescription', 'product/name'),
  product('packSize', 'product/packaging-size'),
  product('packStyle', 'product/packaging-style'),
  product('productCommodity', 'product/commodity'),
  ...['locationName', 'phoneNumber', 'streetAddress1', 'city', 'state', 'postalCode'].flatMap((field) => [
    place(0, field, 'receiving-event/ship-from-description'),
    place(1, field, 'receiving-event/ship-to-description'),
  ]),
  {
    set: (payload, text) => Object.assign(payload.eventList, { purchaseOrderNumber: text }),
    rule: 'receiving-event/reference-document',
    at: () => '/eventList/purchaseOrderNumber',
  },
]

const lines = 3

/** Several key data elements, each with the line it is set in, and what is written there. */
const sprinkled = fc.array(
  fc.record({ element: fc.constantFrom(...elements), n: fc.nat(lines - 1), text: placeholder }),
  { minLength: 0, maxLength: 6 },
)

describe('placeholders', () => {
  it('are each one gap at its place that quotes it, refuse nothing, and leave no line complete that has one', () => {
    fc.assert(
      fc.property(sprinkled, (chosen) => {
        const verdict = judged({
          edit: (payload) => {
            payload.eventList.productList = Array.from({ length: lines }, () => sampleLine())
            for (const { element, text, n } of chosen) element.set(payload, text, n)
          },
        })
        expect(verdict.refused).toBe(false)
        const gaps = verdict.findings.filter(({ severity }) => severity === 'gap')
        const expected = new Map<string, string>()
        // Of two references that stand in one line, the gap is at the first.
        for (const { element, n, text } of chosen) {
          const isSource = element.rule === 'product-line/tlc-source-place'
          const key = `${element.rule} ${isSource ? n : element.at(n)}`
          expected.set(key, text)
        }
        expect(gaps).toHaveLength(expected.size)
        for (const [key, text] of expected) {
          const [rule = '', at = ''] = key.split(' ')
          const own = gaps.filter(
            (gap) =>
              gap.rule === rule && (gap.pointer === at || gap.pointer.startsWith(`/eventList/productList/${at}/tlc`)),
          )
          expect(own).toHaveLength(1)
          expect(own[0]?.message).toContain(JSON.stringify(text))
        }
        const isLacking = (n: number) => chosen.some(({ element, n: of }) => element.ofLine !== true || of === n)
        const complete = Array.from({ length: lines }, (_, n) => n).filter((n) => !isLacking(n)).length
        expect(verdict.records()[0]?.tallies).toMatchObject([{ lines, complete }])
      }),
      { numRuns: runs(1_000) },
    )
  })

  it('are tried in every key data element that has a gap, but for the date and the items of no list', () => {
    const tried = new Set(elements.map(({ rule }) => rule))
    expect(gapRules.filter((rule) => !tried.has(rule))).toEqual([
      'receiving-event/date-received',
      'product-line/product-description',
    ])
  })
})
