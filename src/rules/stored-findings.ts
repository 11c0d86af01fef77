// From a finding as data to its sentence, by the current catalogue (decision 0057).

import type { Exemption } from '../contract/exempt-place.ts'
import {
  deliveryKinds,
  type EventKind,
  type EventKindName,
  eventKinds,
  isDeliveryKind,
  isEventKind,
  type KeyDataElement,
  type RecordKindName,
} from '../contract/record-kinds.ts'
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
import { dateGiven, elementStated, locationDescription, referenceDocument, seedsStated } from './event.ts'
import { commodityStated, lineElementStated } from './event-line.ts'
import { citesFrom } from './exempt-sources.ts'
import { gapKeyOf } from './gap-keys.ts'
import type { Rule } from './rule.ts'

/** The findings that are stored with a version, from their JSON text. */
export const storedFindings = (text: string): StoredFinding[] => expandFindings(JSON.parse(text) as KeptFinding[])

/** The same with the texts of their rules. */
export const shownFindings = (text: string, kind: RecordKindName): Finding[] =>
  storedFindings(text).map((stored) => shownFinding(stored, kind))

/** Where a finding is, and its values. */
interface Place {
  readonly pointer: string
  readonly values: readonly FindingValue[]
}

/**
 * The citation of a finding about a record of a kind. Lines and products are under the same
 * paragraphs in both sections of deliveries: 21 CFR 1.1345(a)(1) to (3) and (7) for receipts,
 * 1.1340(a) for shipments. Other kinds name the paragraph of each of their elements.
 */
export function citesOf({ id, cites }: Pick<Rule<never>, 'id' | 'cites'>, name: RecordKindName, place: Place): string {
  if (!isEventKind(name)) return cites
  if (isDeliveryKind(name)) return cites.replace(deliveryKinds.receivingEvent.paragraph, deliveryKinds[name].paragraph)
  const kind = eventKinds[name]
  const [, list] = /^\/eventList(?:\/\d+)?\/(\w+List)\//.exec(place.pointer) ?? []
  const { is, field } = elementIn(id, cites, kind, place)
  if (id === elementStated.id || id === lineElementStated.id)
    return kind.elements?.find((one) => 'name' in one && one.name === place.values[0])?.cites ?? cites
  const found = (kind.elements ?? []).filter(
    (one) =>
      one.is === is &&
      (field === undefined || ('field' in one && one.field === field)) &&
      (list === undefined || !('list' in one) || one.list === list),
  )
  // A product may stand in several lists.
  return found.length === 0 ? cites : joinCites(found.map((one) => one.cites))
}

/**
 * Gaps by the keys under which they are counted: of receiving events the rule, of other kinds with
 * the paragraph, since one rule reports several of their elements.
 */
export const withGapKeys = (gaps: readonly KeptFinding[], kind: EventKindName): readonly KeptFinding[] =>
  kind === deliveryKinds.receivingEvent.name
    ? gaps
    : expandFindings(gaps).map(([id, says, pointer, ...values]) => {
        const cites = citesOf({ id, cites: ruleOf(id)?.cites ?? '' }, kind, { pointer, values })
        return [gapKeyOf(id, cites), says, pointer]
      })

/** The element that a rule is about: by its id, or by what it cites of 21 CFR 1.1345(a). */
function elementIn(
  id: string,
  cites: string,
  { place }: EventKind,
  { values }: Place,
): { readonly is: KeyDataElement['is'] | undefined; readonly field?: string | undefined } {
  const [, number = ''] = /^21 CFR 1\.1345\(a\)\((\d)\)$/.exec(cites) ?? []
  if (number === '7') return { is: 'location', field: place }
  if (id === locationDescription.id) return { is: 'location', field: String(values[0]) }
  return { is: elementOfRule[id] ?? elementOfNumber[number] }
}

const elementOfRule: Readonly<Record<string, KeyDataElement['is']>> = {
  [dateGiven.id]: 'date',
  [referenceDocument.id]: 'document',
  [commodityStated.id]: 'commodity',
  [seedsStated.id]: 'seeds',
}
const elementOfNumber: Readonly<Record<string, KeyDataElement['is']>> = { 1: 'lotCode', 2: 'quantity', 3: 'product' }

/** Paragraphs of one section: `21 CFR 1.1350(a)(1)(ii), 1.1350(a)(2)(iv)`. */
const joinCites = (cites: readonly string[]): string =>
  [...new Set(cites)].map((one, i) => (i === 0 ? one : one.replace('21 CFR ', ''))).join(', ')

/** The current severity of a rule; a warning for one that left the catalogue. */
export const severityOf = (rule: string): Severity => ruleOf(rule)?.severity ?? 'warning'

/**
 * A stored finding with the current texts of its rule; of a receipt from an exempt place with the
 * paragraph that applies to it.
 */
export function shownFinding(
  [id, says, pointer, ...values]: StoredFinding,
  kind: RecordKindName,
  exemption?: Exemption | undefined,
): Finding {
  const rule = ruleOf(id)
  const remedy = rule?.remedy ?? ''
  const paragraph = rule === undefined ? '' : citesOf(rule, kind, { pointer, values })
  const cites = exemption === undefined ? paragraph : citesFrom(paragraph, exemption)
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
