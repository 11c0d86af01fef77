// What the rules say to senders of JSON, in the words of the page: labels in place of names of
// fields. Pure.
import type { Shape } from '../../contract/field.ts'
import { recordKinds } from '../../contract/record-kinds.ts'
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

/** A remedy for a person who fills in the form: "Send packStyle." becomes "Enter Pack style." */
export const screenRemedy = (remedy: string): string =>
  remedy
    .replaceAll('`', '')
    .replaceAll(/\b[a-z][A-Za-z0-9]*\b/g, (word) => (wireNames.has(word) ? labelOf(word) : word))
    .replaceAll(/(?<=^|[.;] )Send\b/g, 'Enter')
    .replaceAll(/(?<=; )send\b/g, 'enter')

/** A text in parts: ids of records, which can be links, and what stands between them. */
export const idParts = (text: string): readonly string[] => text.split(idForm)

const idForm = /\b([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b/

/** True for the parts that are ids. */
export const isId = (part: string): boolean => part.length === 36 && idForm.test(part)
