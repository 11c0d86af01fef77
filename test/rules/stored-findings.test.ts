// Findings are stored as data, and read by the catalogue of today.
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { type RecordKind, receivingEvent, recordKinds } from '../../src/contract/record-kinds.ts'
import { areKeptFindings, type FindingValue, type KeptFinding } from '../../src/contract/shape/finding.ts'
import { catalogue } from '../../src/rules/catalogue.ts'
import { judge, judgeStored, onlyRecordOf, readPayload } from '../../src/rules/judge.ts'
import { noFacts } from '../../src/rules/rule.ts'
import { shownFinding, shownFindings } from '../../src/rules/stored-findings.ts'
import { declared, type Json, placesOf, withValue } from '../samples/declared-shapes.ts'
import { samplePayload } from '../samples/payloads.ts'
import { storedFindings } from '../samples/stored-findings.ts'
import { settings } from '../support/records/prove-rule.ts'
import { runs } from '../support/runs.ts'

describe('a stored finding', () => {
  it.each(storedFindings)('%j reads as it did when it was stored', (stored, message) => {
    expect(shownFinding(stored, 'receivingEvent').message).toBe(message)
  })

  it('has each sentence that can be stored among those examples', () => {
    const stored = catalogue.filter(({ severity }) => severity !== 'error')
    const names = stored.flatMap(({ id, says }) => Object.keys(says).map((name) => `${id} ${name}`))
    expect([...new Set(storedFindings.map(([[rule, says]]) => `${rule} ${says}`))].sort()).toEqual(names.sort())
  })

  it('is shown with the severity, remedy and source of its rule', () => {
    expect(shownFinding(['product/packaging-size', 'missing', '/x'], 'receivingEvent')).toEqual({
      rule: 'product/packaging-size',
      severity: 'gap',
      pointer: '/x',
      message: 'The product has no packSize, and so no packaging size.',
      remedy: 'Send packSize.',
      cites: '21 CFR 1.1345(a)(3)',
      docsUrl: '/docs/rules/product/packaging-size',
    })
  })

  it('of a rule that is gone is shown with its id and values', () => {
    expect(shownFinding(['old/rule', 'late', '/x', 'harvestDate', 7, ['a', ['b']]], 'receivingEvent')).toEqual({
      rule: 'old/rule',
      severity: 'warning',
      pointer: '/x',
      message:
        'late, "harvestDate", 7, ["a",["b"]]: this version of the service no longer has the text of this finding.',
      remedy: '',
      cites: '',
      docsUrl: '/docs/rules/old/rule',
    })
  })

  it.each(['no-such-sentence', 'constructor', 'toString', '__proto__'])(
    'of a sentence that is gone (%s) is shown with its values',
    (says) => {
      const { message, severity } = shownFinding(['product/packaging-size', says, '/x', 'TOM-1'], 'receivingEvent')
      expect(message).toBe(`${says}, "TOM-1": this version of the service no longer has the text of this finding.`)
      expect(severity).toBe('gap')
    },
  )

  it('is shown whatever its values are', () => {
    const value: fc.Arbitrary<FindingValue> = fc.letrec<{ value: FindingValue }>((tie) => ({
      value: fc.oneof(fc.string(), fc.double({ noNaN: true }), fc.array(tie('value'), { maxLength: 3 })),
    })).value
    const names = catalogue.flatMap(({ id, says }) => Object.keys(says).map((name) => [id, name] as const))
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.array(value, { maxLength: 5 }), ([rule, says], values) => {
        expect(shownFinding([rule, says, '/x', ...values], 'receivingEvent').message).toEqual(expect.any(String))
      }),
      { numRuns: runs(2_000) },
    )
  })
})

/** Texts and numbers that many rules have something to say of, and that every shape takes. */
const texts = [
  'n/a',
  ' ',
  '0000',
  '0'.repeat(13),
  '10614141000414',
  '0614141000013',
  'SHIP-FROM',
  'ship-to',
  'TOM-2',
  'ZZZ',
  'a"\\b',
]
const numbers = [0, -5, 7.25]

const valuesFor = (type: string | undefined, form: string | undefined): readonly unknown[] =>
  type === 'number' ? numbers : type === 'string' && form === undefined ? texts : []

/** Edits of fields that are no objects or lists; undefined takes the field out. */
const editsOf = (kind: RecordKind) =>
  fc.array(
    fc.oneof(
      ...[...placesOf(declared(kind.replacement))]
        .filter(({ shape }) => shape.type !== 'object' && shape.type !== 'array')
        .map(({ pointer, shape }) =>
          fc.tuple(fc.constant(pointer), fc.constantFrom(undefined, ...valuesFor(shape.type, shape['x-form']))),
        ),
    ),
    { maxLength: 8 },
  )

test.each(recordKinds)(
  'findings of a $noun are the same right after judging and from storage, whatever the payload',
  (kind) => {
    const facts = { ...noFacts, payloadIdUsedBy: 'r-1', now: Date.parse('2026-03-05T00:00:00Z') }
    const tries = runs(1_000)
    let found = 0
    fc.assert(
      fc.property(editsOf(kind), fc.boolean(), (edits, isStored) => {
        let payload: Json = samplePayload(kind.name)
        for (const [pointer, value] of edits) payload = withValue(payload, pointer, value)
        const reading = readPayload(kind, kind.replacement, JSON.parse(JSON.stringify(payload)))
        const verdict = isStored
          ? judgeStored(kind, reading, facts, settings)
          : judge(kind, reading, { facts, settings })
        const text = JSON.stringify(verdict.records()[0]?.kept)
        expect(areKeptFindings(JSON.parse(text))).toBe(true)
        expect(shownFindings(text, kind.name)).toEqual(verdict.findings.filter(({ severity }) => severity !== 'error'))
        found += verdict.findings.length
      }),
      { numRuns: tries },
    )
    expect(found).toBeGreaterThan(tries)
  },
)

test('a finding about many lines takes hardly more room than about one', () => {
  const payload = samplePayload('receivingEvent')
  const [line] = payload.eventList.productList
  const storedOf = (count: number) => {
    payload.eventList.productList = Array.from({ length: count }, () => ({ ...line, caseLotNumber: 'n/a' }))
    const reading = readPayload(receivingEvent, receivingEvent.replacement, payload)
    const { kept, findings } = onlyRecordOf(judge(receivingEvent, reading, { facts: noFacts, settings }))
    return { findings: findings().length, bytes: JSON.stringify(kept).length }
  }
  const [one, twenty] = [storedOf(1), storedOf(20)]
  expect(twenty.findings).toBeGreaterThanOrEqual(20)
  expect(twenty.bytes).toBeLessThanOrEqual(one.bytes + 60)
})

describe('findings that come from outside', () => {
  it.each([
    ['no list', {}],
    ['a finding as an object', [{ rule: 'a/b', pointer: '', message: 'x' }]],
    ['a finding without a place', [['a/b', 'c']]],
    ['a place that is no text', [['a/b', 'c', 7]]],
    ['a value that is an object', [['a/b', 'c', '', {}]]],
    ['a value that is null, deep inside', [['a/b', 'c', '', [['x', null]]]]],
    ['a place in each entry, without entries', [['a/b', 'c', '/x/*']]],
    ['entries without a set', [['a/b', 'c', '/x/*', [1]]]],
    ['no entry', [['a/b', 'c', '/x/*', [[[]]]]]],
    ['an entry that is no index', [['a/b', 'c', '/x/*', [[[1.5]]]]]],
    ['values behind the sets', [['a/b', 'c', '/x/*', [[[1]]], 'x']]],
  ])('are none: %s', (_what, value) => {
    expect(areKeptFindings(value)).toBe(false)
  })

  it('are taken with any rule, sentence and values', () => {
    const values: KeptFinding[] = [
      ['a/b', 'c', ''],
      ['a/b', 'c', '', 'x', 7, [['y', 'z'], 'w']],
      ['a/b', 'c', '/x/*', [[[0, 3], 'x'], [[1]]]],
    ]
    expect(areKeptFindings(values)).toBe(true)
    expect(areKeptFindings([])).toBe(true)
  })
})
