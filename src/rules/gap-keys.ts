// The keys under which gaps are counted (decision 0031): the rule that found them, and of kinds of
// events in which one rule reports several elements, the paragraph.
import { receivingEvent } from '../contract/record-kinds.ts'

const section = '21 CFR '

/** `event/line-element-stated 1.1325(a)(1)(v)`. */
export const gapKeyOf = (rule: string, cites: string): string =>
  cites.startsWith(receivingEvent.paragraph) ? rule : `${rule} ${cites.replace(section, '')}`

/** Rule and paragraph of a key; without a paragraph where the rule alone is the key. */
export function readGapKey(key: string): { readonly rule: string; readonly cites: string | undefined } {
  const end = key.indexOf(' ')
  return end < 0 ? { rule: key, cites: undefined } : { rule: key.slice(0, end), cites: section + key.slice(end + 1) }
}
