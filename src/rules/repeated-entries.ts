// Two entries with one code in a list: if they differ, it is unknown which one the event means
// (decision 0009).
import { canonicalJson } from '../contract/json/canonical.ts'
import { isGiven } from '../contract/shape/field.ts'
import { pointerStep } from '../contract/shape/finding.ts'
import { isRefused } from '../contract/shape/read-shape.ts'
import type { Placed } from './rule.ts'

/** The one sentence of rules about repeated entries; `what` is the compared value. */
export const repeatedEntrySays = (codeField: string, what: string) => ({
  repeated: (code: string, firstAt: string) =>
    `${codeField} ${JSON.stringify(code)} is already used at ${firstAt}, with ${what} content.`,
})

/**
 * Reports entries whose code an earlier entry has; `alike` selects those that repeat it, or those
 * that contradict it.
 */
export function repeatedEntries<T extends object>(
  entries: readonly Placed<T>[],
  codeField: keyof T & string,
  alike: boolean,
  report: (breach: { pointer: string; says: 'repeated'; values: [code: string, firstAt: string] }) => void,
): void {
  if (entries.length < 2) return
  const firsts = new Map<unknown, { readonly entry: Placed<T>; content?: string }>()
  for (const entry of entries) {
    if (isRefused(entry.value, codeField)) continue
    const code = entry.value[codeField]
    if (!isGiven(code)) continue
    const first = firsts.get(code)
    if (first === undefined) {
      firsts.set(code, { entry })
      continue
    }
    first.content ??= canonicalJson(first.entry.value)
    if ((first.content === canonicalJson(entry.value)) === alike)
      report({
        pointer: entry.at + pointerStep(codeField),
        says: 'repeated',
        values: [String(code), first.entry.at],
      })
  }
}
