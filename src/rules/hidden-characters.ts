// The rule about invisible characters, for each kind of subject. Source: decision 0085.
import { pointerStep } from '../contract/shape/finding.ts'
import { isRefused } from '../contract/shape/read-shape.ts'
import { characterWords, hiddenCharacters } from '../contract/text/hidden-characters.ts'
import { type Rule, rulesAbout } from './rule.ts'

/** Fields that a finding names besides the one it points to. */
const othersNamedMax = 5

/**
 * No text has invisible characters. One finding for each subject, since a hostile payload can have
 * them in every field. `within` holds the texts; those of `except` belong to other subjects.
 */
export function visibleTextRule<Subject>(
  group: string,
  section: string,
  within: (subject: Subject) => object,
  except: readonly string[] = [],
): Rule<Subject> {
  return rulesAbout<Subject>()({
    id: `${group}/text-visible`,
    severity: 'warning',
    cites: `§${section}`,
    summary:
      'Every character of a text can be seen: none turns the direction of the text, and none hides between its letters.',
    remedy:
      'Remove the character: type the text again, or paste it as plain text. Two codes that differ in such a character look equal and are not.',
    says: {
      hidden: (field: string, codePoint: number, position: number, others: readonly string[], otherCount: number) =>
        `Character ${position} of ${field} is ${characterWords(codePoint)}, which cannot be seen.${othersWords(others, otherCount)}`,
    },
    check(subject, { at, hasUnusualText }, report) {
      if (!hasUnusualText) return
      const [first, ...others] = fieldsWithHidden(within(subject), at, except)
      if (first === undefined) return
      const { pointer, field, codePoint, position } = first
      const named = [...new Set(others.map((other) => other.field))].filter((other) => other !== field)
      report({
        pointer,
        says: 'hidden',
        values: [field, codePoint, position, named.slice(0, othersNamedMax), named.length],
      })
    },
  })
}

function othersWords(named: readonly string[], count: number): string {
  if (count === 0) return ''
  const rest = count > named.length ? ` and ${count - named.length} more` : ''
  return ` Also with such characters: ${named.join(', ')}${rest}.`
}

interface FieldWithHidden {
  readonly pointer: string
  readonly field: string
  readonly codePoint: number
  /** Counted from 1, in characters. */
  readonly position: number
}

function fieldsWithHidden(holder: object, at: string, except: readonly string[], field = ''): FieldWithHidden[] {
  return Object.keys(holder).flatMap((name) => {
    // Reading a refused field would silence the rule.
    if (except.includes(name) || isRefused(holder, name)) return []
    const value = (holder as Record<string, unknown>)[name]
    const pointer = at + pointerStep(name)
    const own = Array.isArray(holder) ? field : name
    if (typeof value === 'object' && value !== null) return fieldsWithHidden(value, pointer, except, own)
    const [hidden] = typeof value === 'string' ? hiddenCharacters(value) : []
    if (hidden === undefined) return []
    const position = [...String(value).slice(0, hidden.at)].length + 1
    return [{ pointer, field: own, codePoint: hidden.codePoint, position }]
  })
}
