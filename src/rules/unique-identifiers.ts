// Identifiers that §2 calls unique: of an event, a product, a location, a line. A repetition is a
// warning, since the contract does not state its consequence (decision 0056).
import { isGiven } from '../contract/shape/field.ts'
import { isPlaceholderCode } from '../contract/shape/placeholder.ts'
import { type Context, identifierKey } from './rule.ts'

/** An entry with the identifier; entries with the same `sameAs` are the same thing. */
interface Holder {
  readonly at: string
  readonly value: string
  readonly sameAs: string
}

/** The first entry of a payload with each value; found once, however many subjects ask. */
const firstHolders = new WeakMap<object, Map<string, ReadonlyMap<string, Holder>>>()

function firstHolder(
  field: string,
  value: string,
  entries: object,
  holdersIn: () => Iterable<Holder>,
): Holder | undefined {
  const byField = firstHolders.get(entries) ?? new Map<string, ReadonlyMap<string, Holder>>()
  firstHolders.set(entries, byField)
  let firsts = byField.get(field)
  if (firsts === undefined) {
    const found = new Map<string, Holder>()
    for (const holder of holdersIn())
      if (isGiven(holder.value) && !found.has(holder.value)) found.set(holder.value, holder)
    byField.set(field, found)
    firsts = found
  }
  return firsts.get(value)
}

/** The sentences of rules about such an identifier. */
export const repeatedSays = (field: string) => ({
  repeated: (value: string, firstAt: string) => `${field} ${JSON.stringify(value)} is already used at ${firstAt}.`,
  held: (value: string, record: string) => `${field} ${JSON.stringify(value)} is that of record ${record}.`,
})

/**
 * Reports an identifier that an earlier entry of the payload, or else a record of the provider,
 * has.
 */
export function reportRepeated(
  {
    field,
    value,
    place: { at, sameAs = at, code },
  }: {
    readonly field: string
    readonly value: string
    readonly place: { readonly at: string; readonly sameAs?: string; readonly code?: string | undefined }
  },
  {
    entries,
    holdersIn,
    context,
  }: {
    readonly entries: object
    readonly holdersIn: () => Iterable<Holder>
    readonly context: Context<'heldBy'> | undefined
  },
  report: (breach: { pointer: string; says: 'repeated' | 'held'; values: [value: string, where: string] }) => void,
): void {
  if (isPlaceholderCode(value)) return
  const pointer = `${at}/${field}`
  const first = firstHolder(field, value, entries, holdersIn)
  if (first !== undefined && first.at !== at && first.sameAs !== sameAs) {
    report({ pointer, says: 'repeated', values: [value, first.at] })
    return
  }
  const id = context?.facts.heldBy.get(identifierKey(field, value, code ?? ''))
  if (id !== undefined) report({ pointer, says: 'held', values: [value, id] })
}
