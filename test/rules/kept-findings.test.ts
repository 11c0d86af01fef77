// Findings are kept in groups, and are read one by one as they were found.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expandFindings, type FindingValue } from '../../src/contract/shape/finding.ts'
import { KeptFindings, storedForm } from '../../src/rules/kept-findings.ts'
import { type Rule, rulesAbout } from '../../src/rules/rule.ts'
import { runs } from '../support/runs.ts'

const ruleNamed = (id: string): Rule<never> =>
  rulesAbout<never>()({
    id,
    severity: 'warning',
    cites: '§2.5',
    summary: '',
    remedy: '',
    says: { a: () => '', b: () => '' },
    check: () => undefined,
  })
const ruleList = ['x/one', 'x/two', 'x/three'].map(ruleNamed)

interface Said {
  readonly rule: Rule<never>
  readonly says: string
  readonly where: string
  readonly values: readonly FindingValue[]
}

const said = fc.record<Said>({
  rule: fc.constantFrom(...ruleList),
  says: fc.constantFrom('a', 'b'),
  // In the entry, the entry itself, an entry whose index begins alike, and somewhere else.
  where: fc.constantFrom('/lot', '/gtin', '', '0/lot', 'elsewhere'),
  values: fc.constantFrom<FindingValue[]>([], ['n/a'], [7], [['a', 'b']], [['a', 'c']]),
})

const keep = (lists: readonly (readonly (readonly Said[])[])[]) => {
  const kept = new KeptFindings()
  const found: unknown[] = []
  for (const [n, entries] of lists.entries())
    for (const [entry, findings] of entries.entries()) {
      const list = `/list${n}`
      const at = `${list}/${entry}`
      for (const { rule, says, where, values } of findings) {
        const pointer = where === 'elsewhere' ? '/other/1' : at + where
        kept.add(rule, { pointer, says, values }, { at, record: undefined, list, entry })
        found.push([rule.id, says, pointer, ...values])
      }
    }
  return { kept, found }
}

describe('kept findings', () => {
  it('are those that were found, in their order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.array(said, { maxLength: 5 }), { maxLength: 12 }), { maxLength: 3 }),
        (lists) => {
          const { kept, found } = keep(lists)
          const stored = JSON.parse(JSON.stringify(kept.groups.map((group) => storedForm(group))))
          expect(expandFindings(stored)).toEqual(found)
          expect(kept.count).toBe(found.length)
        },
      ),
      { numRuns: runs(1_000) },
    )
  })

  it('of a few rules on many lines are a few groups', () => {
    const [one, two, three] = ruleList.map((rule) => ({ rule, says: 'a', where: '/lot', values: [] }))
    if (one === undefined || two === undefined || three === undefined) throw new Error('There are three rules.')
    const { kept } = keep([Array.from({ length: 200 }, (_, n) => (n % 2 === 0 ? [one, two, three] : [one, three]))])
    expect(kept.groups).toHaveLength(3)
  })

  it('that differ from line to line are as many sets, and take no time to be compared', () => {
    const lines = Array.from({ length: 50_000 }, (_, n) => [
      { rule: ruleList[0] as Rule<never>, says: 'a', where: '/lot', values: [n] },
    ])
    expect(keep([lines]).kept.groups.map(({ sets }) => sets.length)).toEqual([50_000])
  })
})
