// The examples that the page of a rule shows are what the rule accepts, and what it finds.
import { describe, expect, it } from 'vitest'
import { catalogue, ruleOf } from '../../src/rules/catalogue.ts'
import { ruleExamples } from '../../src/rules/examples.ts'
import { withoutPlace, withValue } from '../samples/declared-shapes.ts'
import { judged } from '../support/records/prove-rule.ts'

const rulesFor = (pointer: string, value: unknown): readonly string[] => {
  const edit = (payload: object) => {
    const changed = value === undefined ? withoutPlace(payload, pointer) : withValue(payload, pointer, value)
    Object.assign(payload, changed)
  }
  return judged({ edit }).findings.map(({ rule }) => rule)
}

describe.each(Object.entries(ruleExamples))('the example of %s', (id, { pointer, accepted, found }) => {
  it('is of a rule that there is', () => {
    expect(ruleOf(id)?.id).toBe(id)
  })
  it('is accepted as said', () => {
    expect(rulesFor(pointer, accepted)).not.toContain(id)
  })
  it('is found as said', () => {
    expect(rulesFor(pointer, found)).toContain(id)
  })
})

it('most rules about a receiving event, which the examples are of, have one', () => {
  const rules = catalogue.filter(({ id }) => !/^(shipping-)?event\//.test(id))
  expect(Object.keys(ruleExamples).length / rules.length).toBeGreaterThan(0.5)
})
