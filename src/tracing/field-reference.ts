// What food has before it is packed, in the place of a lot code: where and when a vendor harvested
// or cooled it. Source: 21 CFR 1.1330(a); decision 0091.
import type { EventKindName } from '../contract/record-kinds.ts'

export interface FieldReference {
  readonly kind: EventKindName
  readonly vendor: string
  readonly locationCode: string
  /** `yyyy-MM-dd`. */
  readonly date: string
}

/** No lot code has a NUL. */
const mark = '\u0000'

export const codeOfReference = ({ kind, vendor, locationCode, date }: FieldReference): string =>
  mark + JSON.stringify([kind, vendor, locationCode, date])

export function referenceOfCode(code: string): FieldReference | undefined {
  if (!code.startsWith(mark)) return undefined
  const [kind, vendor, locationCode, date] = JSON.parse(code.slice(mark.length))
  return { kind, vendor, locationCode, date }
}
