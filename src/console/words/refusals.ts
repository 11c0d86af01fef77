// Refusals in words. Pure.
import type { Refusal } from '../../client/generated/shapes.ts'
import { recordKinds } from '../../contract/record-kinds.ts'
import { pluralize } from '../../contract/text/pluralize.ts'
import { placeWords } from '../records/comparison.ts'
import { recordSections } from '../records/record-sections.ts'
import { screenText } from './screen-words.ts'

/**
 * The kind of record that an operation is about, by its name: the declarations of all operations
 * are an eighth of the script.
 */
const kindIn = (operation: string) =>
  recordKinds.find(({ name }) => operation.toLowerCase().includes(name.toLowerCase()))

/**
 * `replaceReceivingEvent` as "Replace receiving event"; an operation that is no more goes by its
 * name.
 */
export function operationWords(name: string): string {
  if (name === 'importShipNotices') return 'Import ship notices'
  const noun = kindIn(name)?.noun
  if (noun === undefined) return name
  return `${name.startsWith('replace') ? 'Replace' : 'Create'} ${noun}`
}

/** Where the console has the records of an operation. */
export function sectionPathOf(operation: string): string | undefined {
  const kind = kindIn(operation)
  return recordSections.find((section) => section.kind === kind)?.path
}

/** Where the console shows the record that was to be replaced. */
export function recordAt({ operation, recordId }: Refusal): string | undefined {
  const path = sectionPathOf(operation)
  return recordId === null || path === undefined ? undefined : `${path}/${recordId}`
}

/** Why it was refused: the rules that were broken, else how the call ended. */
export function reasonsOf({ findings, outcome }: Pick<Refusal, 'findings' | 'outcome'>): readonly string[] {
  const errors = findings.filter(({ severity }) => severity === 'error')
  // With `Prefer: handling=strict` a warning refuses too.
  const refusing = errors.length > 0 ? errors : findings
  return refusing.length > 0 ? [...new Set(refusing.map(({ rule }) => rule))] : [outcome]
}

/** How a call ended, where no rule was broken. */
const outcomeWords: Readonly<Record<string, string>> = {
  refused: 'rejected',
  taken: 'already stored',
  keyReused: 'Idempotency-Key reused',
  tooLarge: 'too large',
}

export const outcomeOf = (outcome: string): string => outcomeWords[outcome] ?? outcome

/** The mistake, in labels of the page: the first finding, else the answer to the sender. */
export function refusalWords({
  findings: [first],
  findingCount,
  detail,
}: Pick<Refusal, 'findings' | 'findingCount' | 'detail'>): string {
  if (first === undefined) return screenText(detail)
  const more = findingCount > 1 ? ` And ${pluralize(findingCount - 1, 'more finding', 'more findings')}.` : ''
  const message = screenText(first.message)
  const steps = placeWords(first.pointer).split(' › ')
  // Most messages begin with the field themselves.
  if (message.startsWith(steps.at(-1) ?? '')) steps.pop()
  return `${steps.length > 0 ? `${steps.join(' › ')}: ` : ''}${message}${more}`
}

/** The answer to the sender, where nothing else is known of it. */
export const toldWords = (detail: string): string =>
  screenText(
    detail
      .replace(/^\/\S*: /, '')
      .replace(/ (?:below\. )?Nothing was stored\.$/, (end) => (end.includes('below') ? '.' : '')),
  )

interface Reason {
  readonly reason: string
  /** Refusals of which it was one reason. */
  readonly count: number
  readonly latest: Refusal
}

/** Mistakes by frequency, the most frequent first. Refusals come newest first. */
export function groupedByReason(refusals: readonly Refusal[]): readonly Reason[] {
  const groups = new Map<string, Refusal[]>()
  for (const refusal of refusals)
    for (const reason of reasonsOf(refusal)) groups.set(reason, [...(groups.get(reason) ?? []), refusal])
  return [...groups]
    .flatMap(([reason, [latest, ...others]]) => (latest ? [{ reason, count: others.length + 1, latest }] : []))
    .sort((a, b) => b.count - a.count)
}

/** Those that differ, each as it comes first. */
export function firstOfEach<T>(list: readonly T[], keyOf: (one: T) => string): readonly T[] {
  const keys = list.map(keyOf)
  return list.filter((_, i) => keys.indexOf(keys[i] ?? '') === i)
}
