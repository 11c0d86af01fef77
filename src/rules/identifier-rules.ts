// The two rules of every identifier made of digits: their number, and the check digit.
import { isGiven } from '../contract/shape/field.ts'
import { pointerStep } from '../contract/shape/finding.ts'
import { hasEqualDigits } from '../contract/shape/placeholder.ts'
import { checkDigitOf, digitCounts, isDigits } from '../contract/text/identifiers.ts'
import { type Rule, rulesAbout } from './rule.ts'

interface Identifier<Subject, Field extends keyof typeof digitCounts> {
  /** Group of the rule ids. */
  readonly group: string
  /** The field's part of the rule ids. */
  readonly slug: string
  readonly field: Field
  /** Scheme, as people call it. */
  readonly scheme: string
  readonly section: string
  readonly of: (subject: Subject) => { readonly [K in Field]?: string | undefined }
}

/** The number of digits, or the other characters. */
const digitsFault = (value: string): string => (/^\d+$/.test(value) ? `, ${value.length} digits` : ', not digits only')

/** The field is digits only, as many as its scheme has. */
export function digitsRule<Subject, Field extends keyof typeof digitCounts>(
  id: Identifier<Subject, Field>,
): Rule<Subject> {
  const counts = digitCounts[id.field].join(', ').replace(/, (\d+)$/, ' or $1')
  return rulesAbout<Subject>()({
    id: `${id.group}/${id.slug}-digits`,
    severity: 'error',
    cites: `§${id.section} ${id.field}`,
    summary: `\`${id.field}\` is ${counts} digits.`,
    remedy: `Send the ${id.scheme} with all its digits, including leading zeros, and nothing else. Otherwise leave the field out.`,
    says: {
      digits: (value: string) =>
        `${id.field} is ${JSON.stringify(value)}${digitsFault(value)}; a ${id.scheme} has ${counts} digits.`,
    },
    check(subject, { at }, report) {
      const value = id.of(subject)[id.field]
      if (isGiven(value) && !isDigits(value, digitCounts[id.field]))
        report({ pointer: at + pointerStep(id.field), says: 'digits', values: [value] })
    },
  })
}

/**
 * The check digit is right. A warning: the contract states only the number of digits (decision
 * 0005).
 */
export function checkDigitRule<Subject, Field extends keyof typeof digitCounts>(
  id: Identifier<Subject, Field>,
): Rule<Subject> {
  const counts = digitCounts[id.field]
  return rulesAbout<Subject>()({
    id: `${id.group}/${id.slug}-check-digit`,
    severity: 'warning',
    cites: `§${id.section} ${id.field}`,
    summary: `The last digit of \`${id.field}\` is the GS1 check digit of the others.`,
    remedy: 'Compare the number with the label or the trading partner: one digit is probably mistyped.',
    says: {
      mismatch: (value: string, expected: string) =>
        `${id.field} ${value} ends in ${value.at(-1)}; its other digits call for ${expected}.`,
    },
    check(subject, { at }, report) {
      const value = id.of(subject)[id.field]
      if (!isGiven(value) || !isDigits(value, counts)) return
      const expected = checkDigitOf(value)
      if (!value.endsWith(expected) && !hasEqualDigits(value))
        report({ pointer: at + pointerStep(id.field), says: 'mismatch', values: [value, expected] })
    },
  })
}

/**
 * No number is all zeros or one repeated digit: such a number was never assigned (decision 0051).
 */
export function assignedRule<Subject, Field extends keyof typeof digitCounts>(
  group: string,
  section: string,
  ids: readonly Identifier<Subject, Field>[],
): Rule<Subject> {
  const fields = ids.map(({ field }) => `\`${field}\``).join(', ')
  return rulesAbout<Subject>()({
    id: `${group}/identifiers-assigned`,
    severity: 'warning',
    cites: `§${section}`,
    summary: `A number in ${fields} is one that was assigned: not all zeros, and not one digit over and over.`,
    remedy: 'Send the number from the label or the trading partner, or leave the field out.',
    says: {
      toNobody: (field: string, value: string, scheme: string) =>
        `${field} is ${JSON.stringify(value)}, which was assigned to nobody as a ${scheme}.`,
    },
    check(subject, { at }, report) {
      for (const { of, field, scheme } of ids) {
        const value = of(subject)[field]
        if (isGiven(value) && hasEqualDigits(value) && isDigits(value, digitCounts[field]))
          report({ pointer: at + pointerStep(field), says: 'toNobody', values: [field, value, scheme] })
      }
    },
  })
}
