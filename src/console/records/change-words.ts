// A change of a record in words, and the addresses of its pages. Pure.

import type { Change } from '../../client/generated/shapes.ts'
import { type RecordKindName, recordKinds } from '../../contract/record-kinds.ts'
import { capitalize } from '../../contract/text/capitalize.ts'
import { sectionOf } from './record-sections.ts'

interface ChangeWords {
  readonly kind: RecordKindName
  /** "Receiving event". */
  readonly noun: string
  readonly what: string
  /** The colour of its tag. */
  readonly tag: string
}

const tags: Readonly<Record<string, string>> = {
  created: 'added',
  replaced: 'replaced',
  voided: 'removed',
  purged: 'removed',
}

function partsOf({ type }: Pick<Change, 'type'>) {
  const [name, what = ''] = type.split('.')
  const kind = recordKinds.find((one) => one.name === name)
  if (kind === undefined) throw new Error(`There is no kind of record for ${type}.`)
  return { kind, what }
}

export function changeWords(change: Pick<Change, 'type'>): ChangeWords {
  const { kind, what } = partsOf(change)
  const noun = capitalize(kind.noun)
  return { kind: kind.name, noun, what, tag: tags[what] ?? 'replaced' }
}

/** Addresses of the record, and of the difference that the change made. */
export function changeAddresses(change: Pick<Change, 'type' | 'id' | 'version'>): {
  readonly record: string
  readonly version: string
} {
  const { kind, what } = partsOf(change)
  const { id, version } = change
  const record = `${sectionOf(kind).path}/${id}`
  const isCompared = what === 'replaced' && version > 1
  return { record, version: `${record}/versions${isCompared ? `?compare=${version - 1}..${version}` : ''}` }
}
