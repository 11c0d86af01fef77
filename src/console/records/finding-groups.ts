// Groups findings by rule, and finds the list entries that have some. Pure.

import type { EntryFindings, EntrySpan, RuleFindings, VersionFindings } from '../../client/generated/shapes.ts'
import { eventKindList } from '../../contract/record-kinds.ts'
import type { Finding, SeverityCounts } from '../../contract/shape/finding.ts'
import { isWithin } from './pointers.ts'

/** The findings of one rule. The guarantee is known where the service counted them. */
export type FindingGroup = Omit<RuleFindings, 'summary'> & { readonly summary?: string }

/** Findings that are all at hand, by rule, in their order. */
export function groupByRule(findings: readonly Finding[]): readonly FindingGroup[] {
  const byRule = new Map<string, Finding[]>()
  for (const finding of findings) {
    const own = byRule.get(finding.rule)
    if (own === undefined) byRule.set(finding.rule, [finding])
    else own.push(finding)
  }
  return [...byRule.values()].map((own) => {
    const [{ rule, severity, message, remedy, cites, docsUrl }] = own as [Finding]
    const isSame = own.every((one) => one.message === message)
    const group = { rule, severity, findingCount: own.length, remedy, cites, docsUrl, entries: spansOf(own) }
    return isSame ? { ...group, message } : group
  })
}

/** The list and the index of the entry that a pointer is in; an event is no entry. */
function entryAt(pointer: string): readonly [list: string, index: number] | undefined {
  const steps = pointer.split('/')
  const at = steps.findLastIndex((step, i) => /^\d+$/.test(step) && Object.hasOwn(listNouns, steps[i - 1] ?? ''))
  return at === -1 ? undefined : [steps.slice(0, at).join('/'), Number(steps[at])]
}

function spansOf(findings: readonly Finding[]): EntrySpan[] {
  const spans: EntrySpan[] = []
  for (const { pointer } of findings) {
    const [list, index = 0] = entryAt(pointer) ?? []
    if (list === undefined) continue
    const before = spans.at(-1)
    if (before?.list === list && (before.last === index || before.last === index - 1)) before.last = index
    else spans.push({ list, first: index, last: index })
  }
  return spans
}

const listNouns: Readonly<Record<string, string>> = {
  ...Object.fromEntries(eventKindList.flatMap(({ lists }) => Object.keys(lists).map((list) => [list, 'Line']))),
  productList: 'Line',
  productMasterDataList: 'Product',
  locationMasterList: 'Location',
  ingredientList: 'Ingredient',
}

/** Spans of one list, as a person counts: "Lines", then 1–389 and 401. */
export interface NamedSpans {
  readonly words: string
  readonly spans: readonly { readonly pointer: string; readonly words: string }[]
}

export function namedSpans(entries: readonly EntrySpan[]): readonly NamedSpans[] {
  const lists = new Map<string, EntrySpan[]>()
  for (const span of entries) {
    const own = lists.get(span.list)
    if (own === undefined) lists.set(span.list, [span])
    else own.push(span)
  }
  return [...lists].map(([list, spans]) => {
    const noun = listNouns[list.slice(list.lastIndexOf('/') + 1)] ?? 'Entry'
    const isOne = spans.length === 1 && spans[0]?.first === spans[0]?.last
    return {
      words: isOne ? noun : `${noun}s`,
      spans: spans.map(({ first, last }) => ({
        pointer: `${list}/${first}`,
        words: first === last ? number(first) : `${number(first)}–${number(last)}`,
      })),
    }
  })
}

const number = (index: number): string => (index + 1).toLocaleString('en')

/** The findings of a record, perhaps only their first page. */
export class FoundInRecord {
  readonly findings: readonly Finding[]
  /** False when there are more than the page has. */
  readonly isWhole: boolean
  readonly #entries: ReadonlyMap<string, ReadonlyMap<number, SeverityCounts>>
  readonly #rules: readonly RuleFindings[]

  constructor({ findings, findingCount, entries = [], rules = [] }: Omit<VersionFindings, 'version' | 'nextCursor'>) {
    this.findings = findings
    this.isWhole = findings.length === findingCount
    this.#entries = byEntry(entries)
    this.#rules = rules
  }

  /** Of an entry of a list; undefined when it has none. */
  countsAt(list: string, index: number): SeverityCounts | undefined {
    return this.#entries.get(list)?.get(index)
  }

  /** Numbers of the entries of a list that have findings; of one rule, when one is named. */
  entriesWith(list: string, rule?: string): readonly number[] {
    if (rule === undefined) return [...(this.#entries.get(list)?.keys() ?? [])]
    const spans = this.#rules.find((one) => one.rule === rule)?.entries ?? []
    return spans
      .filter((span) => span.list === list)
      .flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, i) => first + i))
  }

  within(pointer: string): readonly Finding[] {
    return this.findings.filter((finding) => isWithin(finding.pointer, pointer))
  }
}

function byEntry(entries: readonly EntryFindings[]): ReadonlyMap<string, ReadonlyMap<number, SeverityCounts>> {
  const lists = new Map<string, Map<number, SeverityCounts>>()
  for (const { list, first, last, each } of entries) {
    const own = lists.get(list) ?? new Map<number, SeverityCounts>()
    lists.set(list, own)
    for (let index = first; index <= last; index++) own.set(index, each)
  }
  return lists
}
