import { expect, test } from 'vitest'
import { catalogue } from '../../src/rules/catalogue.ts'
import { gapRules, keyDataElementOf } from '../../src/rules/key-data-elements.ts'

test('every rule that reports gaps has the name of its key data element and its paragraph', () => {
  expect(gapRules.length).toBeGreaterThan(0)
  for (const rule of gapRules) {
    const { kde, cites } = keyDataElementOf(rule)
    expect(kde, rule).toMatch(/^[A-Z][a-z: ]+$/)
    expect(cites).toMatch(/^21 CFR 1\.1345\(a\)\(\d\)$/)
  }
  expect(new Set(gapRules.map((rule) => keyDataElementOf(rule).kde)).size).toBe(gapRules.length)
  const others = catalogue.filter(({ severity }) => severity !== 'gap').map(({ id }) => id)
  expect(gapRules.filter((rule) => others.includes(rule))).toEqual([])
})

test('a rule that is gone goes by its id', () => {
  expect(keyDataElementOf('product/no-such-rule')).toEqual({
    rule: 'product/no-such-rule',
    kde: 'product/no-such-rule',
    cites: '',
  })
})
