// Counts findings by severity, by rule and by entry of the lists, also beyond the listed ones.

import type { Exemption } from '../contract/exempt-place.ts'
import type { RecordKindName } from '../contract/record-kinds.ts'
import { type SeverityCounts, type StoredFinding, severities } from '../contract/shape/finding.ts'
import { ruleOf } from './catalogue.ts'
import { severityOf, shownFinding } from './stored-findings.ts'

interface Span {
  readonly list: string
  readonly first: number
  readonly last: number
}

/** Number of findings of each severity. */
export function countBySeverity(findings: readonly StoredFinding[]): SeverityCounts {
  const counts = { error: 0, warning: 0, gap: 0 }
  for (const [rule] of findings) counts[severityOf(rule)]++
  return counts
}

/** The findings by rule: errors first, then the rule with the most. */
export function countByRule(
  findings: readonly StoredFinding[],
  kind: RecordKindName,
  exemption?: Exemption | undefined,
) {
  const groups = new Map<
    string,
    { readonly first: StoredFinding; count: number; isSame: boolean; places: Map<string, Set<number>> }
  >()
  for (const finding of findings) {
    const [rule] = finding
    let group = groups.get(rule)
    if (group === undefined) {
      group = { first: finding, count: 0, isSame: true, places: new Map() }
      groups.set(rule, group)
    }
    group.count++
    group.isSame &&= saysSame(group.first, finding)
    const [list, index] = entryOf(finding) ?? []
    if (list !== undefined && index !== undefined)
      group.places.set(list, (group.places.get(list) ?? new Set()).add(index))
  }
  return [...groups.values()]
    .map(({ first, count, isSame, places }) => {
      const { rule, severity, message, remedy, cites, docsUrl } = shownFinding(first, kind, exemption)
      return {
        rule,
        severity,
        findingCount: count,
        summary: ruleOf(rule)?.summary ?? rule,
        ...(isSame && { message }),
        remedy,
        cites,
        docsUrl,
        entries: [...places].flatMap(([list, indexes]) => spansOf(list, indexes)),
      }
    })
    .sort((a, b) => rankOf(a) - rankOf(b) || b.findingCount - a.findingCount)
}

const rankOf = ({ severity }: { readonly severity: (typeof severities)[number] }) => severities.indexOf(severity)

/** Number of findings of list entries; neighbours with the same number are one span. */
export function countByEntry(findings: readonly StoredFinding[]): (Span & { readonly each: SeverityCounts })[] {
  const lists = new Map<string, Map<number, SeverityCounts>>()
  for (const finding of findings) {
    const [list, index] = entryOf(finding) ?? []
    if (list === undefined || index === undefined) continue
    const entries = lists.get(list) ?? new Map<number, SeverityCounts>()
    lists.set(list, entries)
    const counts = entries.get(index) ?? { error: 0, warning: 0, gap: 0 }
    entries.set(index, counts)
    counts[severityOf(finding[0])]++
  }
  return [...lists].flatMap(([list, entries]) => {
    const spans: { list: string; first: number; last: number; each: SeverityCounts }[] = []
    for (const [index, each] of [...entries].sort(([a], [b]) => a - b)) {
      const before = spans.at(-1)
      if (before?.last === index - 1 && severities.every((severity) => before.each[severity] === each[severity]))
        before.last = index
      else spans.push({ list, first: index, last: index, each })
    }
    return spans
  })
}

/** Numbers as spans of neighbours. */
function spansOf(list: string, indexes: ReadonlySet<number>): Span[] {
  const spans: { list: string; first: number; last: number }[] = []
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const before = spans.at(-1)
    if (before?.last === index - 1) before.last = index
    else spans.push({ list, first: index, last: index })
  }
  return spans
}

const entryForm = /^(\/eventList\/productList|\/productMasterDataList|\/locationMasterList)\/(\d{1,9})(?:\/|$)/

/** The list and the index of the entry with a finding. */
function entryOf([, , pointer]: StoredFinding): readonly [list: string, index: number] | undefined {
  const [, list, index] = entryForm.exec(pointer) ?? []
  return list === undefined ? undefined : [list, Number(index)]
}

const saysSame = ([, says, , ...values]: StoredFinding, [, otherSays, , ...others]: StoredFinding): boolean =>
  says === otherSays &&
  values.length === others.length &&
  values.every((value, i) => value === others[i] || JSON.stringify(value) === JSON.stringify(others[i]))
