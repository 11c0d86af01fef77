// What food has before it is packed, in the place of a lot code: where and when a vendor harvested
// or cooled it. Source: 21 CFR 1.1330(a); decision 0091.
import type { EventKindName, EventReference } from '../contract/record-kinds.ts'
import { isGiven } from '../contract/shape/field.ts'

export interface FieldReference {
  readonly kind: EventKindName
  readonly vendor: string
  readonly locationCode: string
  /** `yyyy-MM-dd`. */
  readonly date: string
}

/** A reference of a line, with the GLN of the location where one is known. */
export interface PlacedReference extends FieldReference {
  readonly gln?: string | undefined
}

/** Equal of references of one place, whatever vendors call it; undefined without a GLN. */
export const placeMarkOf = ({ kind, date, gln }: PlacedReference): string | undefined =>
  gln === undefined ? undefined : JSON.stringify([kind, date, gln])

/** No lot code has a NUL. */
const mark = '\u0000'

export const codeOfReference = ({ kind, vendor, locationCode, date }: FieldReference): string =>
  mark + JSON.stringify([kind, vendor, locationCode, date])

export function referenceOfCode(code: string): FieldReference | undefined {
  if (!code.startsWith(mark)) return undefined
  const [kind, vendor, locationCode, date] = JSON.parse(code.slice(mark.length))
  return { kind, vendor, locationCode, date }
}

/** A reference without its vendor, as search rows of events have it. */
export const foodCodeOf = ({ kind, locationCode, date }: Omit<FieldReference, 'vendor'>): string =>
  JSON.stringify([kind, locationCode, date])

/** The events that a line names by place and date. */
export const referencesIn = (line: object, references: readonly EventReference[]) =>
  references.flatMap(({ kind, place, date: dateField, areas }) => {
    const { [place]: locationCode, [dateField]: date } = line as Readonly<Record<string, unknown>>
    if (typeof locationCode !== 'string' || typeof date !== 'string' || !isGiven(locationCode)) return []
    return [{ kind, locationCode, date, areas }]
  })
