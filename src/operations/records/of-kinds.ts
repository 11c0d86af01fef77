// Operations that every kind of record has, or every kind of event: declared once, named by kind.

import type { RecordKind, RecordKindName } from '../../contract/record-kinds.ts'
import { capitalize } from '../../contract/text/capitalize.ts'
import type { Operation } from '../base/operation.ts'

/** The operation of each kind, such as `create`, `s` for `createReceivingEvents`. */
export const ofKinds = <Name extends RecordKindName, Prefix extends string, Suffix extends string, Declared>(
  kinds: readonly (RecordKind & { readonly name: Name })[],
  [prefix, suffix]: readonly [Prefix, Suffix],
  declare: (kind: RecordKind & { readonly name: Name }, name: string) => Declared,
) =>
  Object.fromEntries(
    kinds.map((kind) => {
      const name = `${prefix}${capitalize(kind.name)}${suffix}`
      return [name, declare(kind, name)]
    }),
  ) as { readonly [Kind in Name as `${Prefix}${Capitalize<Kind>}${Suffix}`]: Declared }

/** The operation of such a group that one kind has. */
export function operationOf<Group extends Readonly<Record<string, Operation>>>(
  group: Group,
  { nouns }: RecordKind,
): Group[keyof Group] {
  const found = Object.values(group).find(({ topic }) => topic === nouns)
  if (found === undefined) throw new Error(`No operation is about ${nouns}.`)
  return found as Group[keyof Group]
}
