// A finding: the report of a rule on one place in a payload.
import type { Static } from 'typebox'
import { declareLimit } from '../../limits.ts'
import { Type } from './type.ts'

/**
 * `error` refuses the payload · `warning` is stored with the version and shown · `gap` never
 * refuses: a key data element that 21 CFR 1.1345 wants and the record lacks (decision 0023).
 */
export type Severity = 'error' | 'warning' | 'gap'

/** The worst first. */
export const severities = ['error', 'warning', 'gap'] as const satisfies readonly Severity[]

const count = Type.Integer({ minimum: 0 })

/** How many findings of each severity. */
export const SeverityCounts = Type.Object(
  { error: count, warning: count, gap: count },
  { title: 'SeverityCounts', description: 'Findings of each severity; all of them, not only those listed.' },
)
export type SeverityCounts = Static<typeof SeverityCounts>

/** Most findings one answer lists; the count is always the full one (decision 0019). */
export const findingsMax = declareLimit(
  'findings',
  500,
  'findings',
  'Findings listed in an answer; findingCount counts all.',
)

export const Finding = Type.Object(
  {
    rule: Type.String({ description: 'Id of the rule, e.g. `product/gtin-digits`. Each has a page in the reference.' }),
    severity: Type.Enum([...severities], {
      description: '`error` refuses; `warning` and `gap` are stored with the version.',
    }),
    pointer: Type.String({ description: 'JSON Pointer (RFC 6901) into the body as submitted.' }),
    message: Type.String({ description: 'What was found there.' }),
    remedy: Type.String({ description: 'What to do about it.' }),
    cites: Type.String({ description: 'Section of the contract, or paragraph of 21 CFR, the rule follows.' }),
    docsUrl: Type.String({
      description: 'Address of a page about the rule, on the service itself. Open without a key.',
    }),
  },
  { title: 'Finding' },
)
export type Finding = Static<typeof Finding>

/** A value in the sentence of a finding, as the rule saw it. */
export type FindingValue = string | number | readonly FindingValue[]

/** A finding as data: rule, which sentence of the rule, JSON Pointer, values of the sentence. */
export type StoredFinding = readonly [rule: string, says: string, pointer: string, ...values: FindingValue[]]

/**
 * The same sentence at entries of a list: its pointer has `*` instead of the entry, and each set
 * has the indexes of the entries with its values.
 */
type FindingGroup = readonly [rule: string, says: string, pointer: string, sets: readonly FindingSet[]]

export type FindingSet = readonly [entries: readonly number[], ...values: FindingValue[]]

/** A finding as it is stored with a version, with its pointer into the record (decision 0057). */
export type KeptFinding = StoredFinding | FindingGroup

const anyEntry = '/*'

/** The pointer of a group about entries of a list, and of a place in each of them. */
export const pointerInEach = (list: string, place: string): string => list + anyEntry + place

/** The sets of a group; undefined of a single finding. */
export const setsOf = (kept: KeptFinding): readonly FindingSet[] | undefined =>
  kept[2].includes(anyEntry) ? (kept as FindingGroup)[3] : undefined

/** Number of findings that are kept as one. */
export const sizeOf = (kept: KeptFinding): number =>
  setsOf(kept)?.reduce((sum, [entries]) => sum + entries.length, 0) ?? 1

/**
 * One finding after another, in the order in which they were judged: groups about entries of one
 * list that stand together are read entry by entry.
 */
export function expandFindings(kept: readonly KeptFinding[]): StoredFinding[] {
  const found: StoredFinding[] = []
  for (let from = 0; from < kept.length; ) {
    const list = listOf(kept[from])
    let to = from + 1
    while (list !== undefined && listOf(kept[to]) === list) to++
    const together = kept.slice(from, to).flatMap(placedFindings)
    together.sort((one, other) => one.entry - other.entry)
    for (const { finding } of together) found.push(finding)
    from = to
  }
  return found
}

/** The list that a group is about; undefined of a single finding. */
const listOf = (kept: KeptFinding | undefined): string | undefined =>
  kept && setsOf(kept) && kept[2].slice(0, kept[2].indexOf(anyEntry))

function placedFindings(kept: KeptFinding): readonly { readonly entry: number; readonly finding: StoredFinding }[] {
  const sets = setsOf(kept)
  if (sets === undefined) return [{ entry: 0, finding: kept as StoredFinding }]
  const [rule, says, pointer] = kept
  return sets.flatMap(([entries, ...values]) =>
    entries.map((entry) => ({
      entry,
      finding: [rule, says, pointer.replace(anyEntry, `/${entry}`), ...values] as const,
    })),
  )
}

/** True for findings as they are stored: those of an archive come from outside. */
export const areKeptFindings = (value: unknown): value is readonly KeptFinding[] =>
  Array.isArray(value) && value.every(isKeptFinding)

const isKeptFinding = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length >= 3 &&
  value.slice(0, 3).every((part) => typeof part === 'string') &&
  ((value[2] as string).includes(anyEntry)
    ? value.length === 4 && isFilled(value[3]) && value[3].every(isFindingSet)
    : value.slice(3).every(isFindingValue))

const isFindingSet = (value: unknown): boolean =>
  isFilled(value) && isFilled(value[0]) && value[0].every(isIndex) && value.slice(1).every(isFindingValue)

const isFilled = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > 0

const isIndex = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0

const isFindingValue = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || (Array.isArray(value) && value.every(isFindingValue))

/**
 * Where the pages of rules are, and of fields. Relative to the host, as the `type` of a problem is
 * (decision 0054).
 */
export const ruleDocsPath = '/docs/rules'
export const fieldDocsPath = '/docs/fields'

/** The page about a rule. */
export const docsUrlOf = (rule: string): string => `${ruleDocsPath}/${rule}`

/**
 * One step of a JSON Pointer, escaped. Cut when it is very long, as in hostile bodies: the pointer
 * is shown and not resolved.
 */
export const pointerStep = (key: string | number): string => {
  const step = String(key).replaceAll('~', '~0').replaceAll('/', '~1')
  return `/${step.length > 120 ? `${step.slice(0, 120)}…` : step}`
}
