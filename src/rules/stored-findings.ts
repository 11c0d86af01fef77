// From a finding as data to its sentence, by the current catalogue (decision 0057).

import { eventKinds, isEventKind, type RecordKindName } from '../contract/record-kinds.ts'
import {
  docsUrlOf,
  expandFindings,
  type Finding,
  type FindingValue,
  type KeptFinding,
  type Severity,
  type SeverityCounts,
  type StoredFinding,
  sizeOf,
} from '../contract/shape/finding.ts'
import { ruleOf } from './catalogue.ts'
import type { Rule } from './rule.ts'

/** The findings that are stored with a version, from their JSON text. */
export const storedFindings = (text: string): StoredFinding[] => expandFindings(JSON.parse(text) as KeptFinding[])

/** The same with the texts of their rules. */
export const shownFindings = (text: string, kind: RecordKindName): Finding[] =>
  storedFindings(text).map((stored) => shownFinding(stored, kind))

/**
 * The citation of a rule for a record of a kind. Lines and products are under the same paragraphs
 * in both sections: 21 CFR 1.1345(a)(1) to (3) and (7) for receipts, 1.1340(a) for shipments.
 */
export const citesOf = ({ cites }: Pick<Rule<never>, 'cites'>, kind: RecordKindName): string =>
  isEventKind(kind) ? cites.replace(eventKinds.receivingEvent.paragraph, eventKinds[kind].paragraph) : cites

/** The current severity of a rule; a warning for one that left the catalogue. */
export const severityOf = (rule: string): Severity => ruleOf(rule)?.severity ?? 'warning'

/** A stored finding with the current texts of its rule. */
export function shownFinding([id, says, pointer, ...values]: StoredFinding, kind: RecordKindName): Finding {
  const rule = ruleOf(id)
  const remedy = rule?.remedy ?? ''
  const cites = rule === undefined ? '' : citesOf(rule, kind)
  const severity = severityOf(id)
  return { rule: id, severity, pointer, message: messageOf(rule, says, values), remedy, cites, docsUrl: docsUrlOf(id) }
}

/** The sentence, or only the values when this program lacks it or has it for other values. */
export function messageOf(rule: Rule<never> | undefined, says: string, values: readonly FindingValue[]): string {
  const sentence = rule !== undefined && Object.hasOwn(rule.says, says) ? rule.says[says] : undefined
  if (sentence?.length === values.length)
    try {
      return (sentence as (...values: readonly FindingValue[]) => string)(...values)
    } catch {
      // Values of other types than today's: an archive may contain anything.
    }
  const found = [says, ...values.map((value) => JSON.stringify(value))].join(', ')
  return `${found}: this version of the service no longer has the text of this finding.`
}

/** How many findings of each severity are kept with a version, from their JSON text. */
export function severitiesIn(text: string): SeverityCounts {
  const counts = { error: 0, warning: 0, gap: 0 }
  for (const kept of JSON.parse(text) as readonly KeptFinding[]) {
    const severity = ruleOf(kept[0])?.severity
    if (severity !== undefined) counts[severity] += sizeOf(kept)
  }
  return counts
}
