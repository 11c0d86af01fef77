// From a finding as data to its sentence, by the current catalogue (decision 0057).
import { docsUrlOf, type Finding, type FindingValue, type Severity, type StoredFinding } from '../contract/finding.ts'
import { ruleOf } from './catalogue.ts'
import type { Rule } from './rule.ts'

/** The findings that are stored with a version, from their JSON text. */
export const shownFindings = (text: string): Finding[] => (JSON.parse(text) as StoredFinding[]).map(shownFinding)

/** The current severity of a rule; a warning for one that left the catalogue. */
export const severityOf = (rule: string): Severity => ruleOf(rule)?.severity ?? 'warning'

/** A stored finding with the current texts of its rule. */
export function shownFinding([id, says, pointer, ...values]: StoredFinding): Finding {
  const rule = ruleOf(id)
  const { remedy = '', cites = '' } = rule ?? {}
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
