// The general constraints of §2, which `contract/shape/read-shape.ts` checks. This file explains
// them to the reader of a finding.
import type { TSchema } from 'typebox'
import { docsUrlOf, type Finding, findingsMax } from '../contract/shape/finding.ts'
import { readShape, type ShapeRuleId } from '../contract/shape/read-shape.ts'
import type { Rule } from './rule.ts'

interface Words {
  readonly cites: string
  readonly summary: string
  readonly remedy: string
  readonly onScreen?: string
}

const shapeRule = (id: ShapeRuleId, { cites, summary, remedy, onScreen }: Words): Rule<never> => ({
  id,
  severity: 'error',
  cites,
  summary,
  remedy,
  ...(onScreen !== undefined && { onScreen }),
  // An error, so it is never stored: the reader of the shape gives it its sentence.
  says: { breach: (message: string) => String(message) },
  // Found while the shape is read, before there is a typed subject to check.
  check: () => undefined,
  needs: [],
})

const wordsOf: Readonly<Record<ShapeRuleId, Words>> = {
  'shape/required': {
    cites: '§2',
    summary: 'A required field is there, and is not null or blank.',
    remedy: 'Send the field. The message shows an example of its value.',
    onScreen: 'Fill in the field. The message shows an example.',
  },
  'shape/type': {
    cites: '§2',
    summary: 'A field has the type the contract gives it.',
    remedy: 'Send a value of the type that the message names. Nothing is converted on the way.',
    onScreen: 'Enter a value as the message describes it.',
  },
  'shape/length': {
    cites: '§2, §8',
    summary: 'A string has at most 100 characters.',
    remedy: 'Shorten the text. Characters are Unicode code points.',
  },
  'shape/text': {
    cites: '§2',
    summary: 'A string is well-formed text without NUL.',
    remedy:
      'Remove the character; it usually comes from cutting text in the middle of an emoji, or from a binary field.',
  },
  'shape/number': {
    cites: '§2',
    summary: 'A number is one that every JSON reader reads alike.',
    remedy: 'Send at most 15 significant digits, within ±1.7e308.',
  },
  'shape/date': {
    cites: '§2 date format',
    summary: 'A date is a calendar date in the form yyyy-MM-dd.',
    remedy: 'Send a date of the calendar, e.g. 2026-03-04.',
  },
  'shape/date-time': {
    cites: '§2 datetime format',
    summary: 'A datetime has one of the three stated forms, and names a real instant.',
    remedy:
      'Send the time in UTC, e.g. 2026-03-04T17:30:00Z, or with the offset of its place, e.g. 2026-03-04T09:30:00-08:00.',
    onScreen: 'Choose the date, the time and the time zone.',
  },
  'shape/unknown-field': {
    cites: '§2',
    summary: 'Every field is one the contract knows.',
    remedy:
      'Correct the name, or move or remove the field. It is refused because dropping it in silence would lose data.',
    onScreen: 'Choose JSON above, and correct the name, or remove the field there.',
  },
  'shape/list-minimum': {
    cites: '§2.3, §2.4',
    summary: 'A list has the least number of entries it needs.',
    remedy:
      'Send at least as many entries as the message names. The location list of an event holds its ship-from and its ship-to location.',
    onScreen: 'Add what is missing. An event needs a product line, a ship-from location and a receiving location.',
  },
  'shape/list-maximum': {
    cites: '§8',
    summary: 'A list has no more entries than the service takes at once.',
    remedy: 'Send fewer entries. The message says what can be left out.',
  },
  'shape/record-id': {
    cites: '§1 {id}',
    summary: 'An `id` in the body of a replacement is the id in the address.',
    remedy: 'Send the record to its own address, or leave id out of the body.',
    onScreen: 'Choose JSON above, and remove the id there.',
  },
  'shape/address': {
    cites: '§8',
    summary: 'The address of a webhook begins with https, and its host has public addresses only.',
    remedy:
      'Send an address that anybody can reach by https. The operator can allow private networks: WEBHOOK_ALLOW_PRIVATE.',
    onScreen:
      'Enter an address that anybody can reach by https. The operator of the service can allow private networks.',
  },
  'shape/message-type': {
    cites: '§8',
    summary: 'Each type of a webhook is a type of messages, or a pattern that names some.',
    remedy: 'Send a type that the message names, or its beginning with .* at the end, such as receivingEvent.*.',
    onScreen: 'Choose among the types.',
  },
  'shape/place': {
    cites: '§8',
    summary: 'A place of a partner is named by a GLN, or by a location code of one vendor or of all.',
    remedy: 'Send gln alone, or locationCode with or without dataProviderVendorId.',
    onScreen: 'Enter a GLN, or a location code.',
  },
  'shape/grant': {
    cites: '§8',
    summary: 'A grant opens events by their direction, or one lot for at most 30 days.',
    remedy: 'Send direction, or lotCode with endDateTime and without what narrows a direction.',
    onScreen: 'Choose a direction, or a lot and when it ends.',
  },
}

export const shapeRules = Object.fromEntries(
  Object.entries(wordsOf).map(([id, words]) => [id, shapeRule(id as ShapeRuleId, words)]),
) as Readonly<Record<ShapeRuleId, Rule<never>>>

/** A finding at one place of a body that has no rules besides. */
export function shapeFinding(rule: ShapeRuleId, pointer: string, message: string, section?: string): Finding {
  const { severity, remedy, cites } = shapeRules[rule]
  return {
    rule,
    severity,
    pointer,
    message,
    remedy,
    cites: section ? `§${section}` : cites,
    docsUrl: docsUrlOf(rule),
  }
}

/**
 * Breaches of a body with a shape but no other rules: at most `findingsMax`, and the number of all.
 */
export function shapeFindings(
  shape: TSchema,
  body: unknown,
): { readonly findings: readonly Finding[]; readonly findingCount: number } {
  const findings: Finding[] = []
  let findingCount = 0
  readShape(shape, body, (breach) => {
    findingCount++
    if (findings.length >= findingsMax) return
    const { rule, section, pointer, message } = breach()
    findings.push(shapeFinding(rule, pointer, message, section))
  })
  return { findings, findingCount }
}
