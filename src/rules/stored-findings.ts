// From a finding as data to its sentence, by the catalogue of today (decision 0057).
import { docsUrlOf, type Finding, type FindingValue, type Severity, type StoredFinding } from '../contract/finding.ts'
import { ruleOf } from './catalogue.ts'
import type { Rule } from './rule.ts'

/** The findings that are stored with a version, from their JSON text. */
export const shownFindings = (text: string): Finding[] => (JSON.parse(text) as StoredFinding[]).map(shownFinding)

/** The severity of a rule today; of one that left the catalogue, a warning. */
export const severityOf = (rule: string): Severity => ruleOf(rule)?.severity ?? 'warning'

/** A stored finding with what the catalogue says of its rule today. */
export function shownFinding([id, says, pointer, ...values]: StoredFinding): Finding {
  const rule = ruleOf(id)
  const { remedy = '', cites = '' } = rule ?? {}
  const severity = severityOf(id)
  return { rule: id, severity, pointer, message: messageOf(rule, says, values), remedy, cites, docsUrl: docsUrlOf(id) }
}

/**
 * The sentence; or the values alone, when this program no longer has it, or has it for other
 * values.
 */
export function messageOf(rule: Rule<never> | undefined, says: string, values: readonly FindingValue[]): string {
  const sentence = rule !== undefined && Object.hasOwn(rule.says, says) ? rule.says[says] : undefined
  if (sentence?.length === values.length)
    try {
      return (sentence as (...values: readonly FindingValue[]) => string)(...values)
    } catch {
      // Values of other types than it takes today: an archive may hold anything.
    }
  const found = [says, ...values.map((value) => JSON.stringify(value))].join(', ')
  return `${found}: this version of the service no longer has the text of this finding.`
}
