// Identifiers that §2 calls unique: of an event, a product, a location, a line. A repetition is a
// warning, since the contract does not state its consequence (decision 0056).
import { isGiven } from '../contract/shape/field.ts'
import { isPlaceholderCode } from '../contract/shape/placeholder.ts'
import { type Context, type Facts, type Holder, identifierKey } from './rule.ts'

/** The first entry of the payload with the value; found once, however many subjects ask. */
function firstHolder(
  field: string,
  value: string,
  { entries, holdersIn, context: { firstHolders } }: Asked,
): Holder | undefined {
  let byField = firstHolders.get(entries)
  if (byField === undefined) {
    byField = new Map()
    firstHolders.set(entries, byField)
  }
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

/** Where an identifier is looked for. */
interface Asked {
  readonly entries: object
  readonly holdersIn: () => Iterable<Holder>
  readonly context: Pick<Context<never>, 'firstHolders'>
  /** Of other records. */
  readonly heldBy?: Facts['heldBy']
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
  asked: Asked,
  report: (breach: { pointer: string; says: 'repeated' | 'held'; values: [value: string, where: string] }) => void,
): void {
  if (isPlaceholderCode(value)) return
  const pointer = `${at}/${field}`
  const first = firstHolder(field, value, asked)
  if (first !== undefined && first.at !== at && first.sameAs !== sameAs) {
    report({ pointer, says: 'repeated', values: [value, first.at] })
    return
  }
  const id = asked.heldBy?.get(identifierKey(field, value, code ?? ''))
  if (id !== undefined) report({ pointer, says: 'held', values: [value, id] })
}
