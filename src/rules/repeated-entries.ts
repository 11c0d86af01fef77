// Two entries with one code in one list: which of them the event means cannot be told when they differ (decision 0009).
import { canonicalJson } from '../contract/canonical.ts'
import { given } from '../contract/field.ts'
import { pointerStep } from '../contract/finding.ts'
import { isRefused } from '../contract/read-shape.ts'
import type { Breach, Placed } from './rule.ts'

/** Reports entries whose code an earlier entry has; `alike` selects those that repeat it, or those that contradict it. */
export function repeatedEntries<T extends object>(
  entries: readonly Placed<T>[],
  codeField: keyof T & string,
  alike: boolean,
  report: (breach: Breach) => void,
): void {
  if (entries.length < 2) return
  const firsts = new Map<unknown, { readonly entry: Placed<T>; content?: string }>()
  for (const entry of entries) {
    if (isRefused(entry.value, codeField)) continue
    const code = entry.value[codeField]
    if (!given(code)) continue
    const first = firsts.get(code)
    if (first === undefined) {
      firsts.set(code, { entry })
      continue
    }
    first.content ??= canonicalJson(first.entry.value)
    if ((first.content === canonicalJson(entry.value)) === alike)
      report({
        pointer: entry.at + pointerStep(codeField),
        message: `${codeField} ${JSON.stringify(code)} stands already at ${first.entry.at}${alike ? ', with the same content' : ', with other content'}.`,
      })
  }
}
