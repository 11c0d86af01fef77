// Texts of rules for senders of JSON, in the words of the page: labels in place of names of fields.
// Pure.

import { changedFieldNames } from '../../contract/field-change.ts'
import { recordKinds } from '../../contract/record-kinds.ts'
import type { Shape } from '../../contract/shape/field.ts'
import { ruleOf } from '../../rules/catalogue.ts'
import { placeWords } from '../records/comparison.ts'
import { fieldWords } from '../records/correction-words.ts'
import { labelOf } from './labels.ts'

/** Names of fields that are no words of the language. */
const wireNames: ReadonlySet<string> = new Set(
  recordKinds
    .flatMap(({ payload }) => namesIn(payload as Shape))
    .filter((name) => /[A-Z]/.test(name) || ['duns', 'gln', 'gtin', 'plu'].includes(name)),
)

function namesIn({ properties = {}, items }: Shape): readonly string[] {
  const inner = [...Object.values(properties), ...(items === undefined ? [] : [items])]
  return [...Object.keys(properties), ...inner.flatMap(namesIn)]
}

/**
 * A sentence with labels for names of fields, and with words for the place that it begins with.
 * Quoted values and other pointers stay as they are.
 */
export const screenText = (text: string): string =>
  text
    .replace(/^(\/\S*): /, (_, pointer) => `${placeWords(pointer)}: `)
    .split(/("(?:[^"\\]|\\[\s\S])*(?:"|\\?$))/)
    .map((part, i) => (i % 2 === 1 ? isolated(part) : withLabels(part)))
    .join('')

/** Letters that are read from right to left would reorder what stands beside them. */
const isolated = (quoted: string): string =>
  /[\u0590-\u08ff\ufb1d-\ufefc]/.test(quoted) ? `\u2068${quoted}\u2069` : quoted

/** A field of a part of an event, as bulk corrections name it. */
const fieldOfPart = /\b(?:event|line|product|location)\.(?:address\.)?[A-Za-z][A-Za-z0-9]*/g

const withLabels = (text: string): string =>
  text
    .replaceAll('`', '')
    // Several fields that begin alike.
    .replaceAll(/\b([a-z]+(?:[A-Z][a-z]+)+)…/g, (_, beginning) => labelOf(beginning))
    .replaceAll(fieldOfPart, (name) => (changedFieldNames.includes(name) ? fieldWords(name) : name))
    .replaceAll(/(^|[^/\w])([a-z][A-Za-z0-9]*)\b/g, (all, before, word) =>
      wireNames.has(word) ? before + labelOf(word) : all,
    )

/**
 * The remedy of a finding for a person who fills in the form: as its rule says it for screens, else
 * "Send packStyle." as "Enter Pack style."
 */
export function screenRemedy(rule: string, remedy = ruleOf(rule)?.remedy ?? ''): string {
  const own = ruleOf(rule)?.onScreen
  return (
    own ??
    screenText(remedy)
      .replaceAll(/(?<=^|[.;] )Send\b/g, 'Enter')
      .replaceAll(/(?<=; )send\b/g, 'enter')
      .replace('with PUT /unit-conversions', 'under Unit conversions')
  )
}

/** The remedy of a finding in a file, if it has one: of a rule, or of the reader. */
export const remedyWords = ({ rule, remedy = '' }: { readonly rule?: string; readonly remedy?: string }): string =>
  rule === undefined ? screenText(remedy) : screenRemedy(rule, remedy)

/** A text in parts: ids of records, which can be links, and the text between them. */
export const idParts = (text: string): readonly string[] => text.split(idForm)

const idForm = /\b([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b/

/** True for the parts that are ids. */
export const isId = (part: string): boolean => part.length === 36 && idForm.test(part)
