// Which mentions of a location are the same place. Location codes belong to a vendor; between
// vendors only a GLN proves that two codes are one place (decision 0028).

import type { Location } from '../contract/location.ts'
import { isGiven } from '../contract/shape/field.ts'
import type { Loose } from '../contract/shape/read-shape.ts'
import { groupsOf } from '../groups.ts'
import { mapInSteps, type Steps } from '../steps.ts'
import { DisjointSets } from './disjoint-sets.ts'
import type { LotEvent, NamedPlace } from './lot-event.ts'
import type { TracedSource } from './lot-trace.ts'
import { inOneLine, sameAs } from './wording.ts'

type End = 'shipFrom' | 'shipTo'

/** A name that one vendor uses for a place. */
interface Mention {
  readonly vendor: string
  readonly code: string
  readonly gln: string
  /** As last written. */
  fields: Loose<Location>
}

export interface MergedPlace {
  readonly name: string
  readonly codes: readonly { readonly dataProviderVendorId: string; readonly locationCode: string }[]
  readonly gln: string | undefined
  readonly fields: Loose<Location>
  readonly assumed: boolean
}

export interface Places {
  /** In the order in which events mention them, the ship-from location of an event first. */
  readonly list: readonly MergedPlace[]
  readonly of: (event: LotEvent, end: End) => number
  /** Codes that several places share, as indexes into the list. */
  readonly keptApart: readonly { readonly code: string; readonly places: readonly number[] }[]
}

const textOf = (value: string | undefined): string => (isGiven(value) ? value.trim() : '')

/** Street, city and postal code; empty unless all three are given. */
function addressKeyOf({ address }: Loose<Location>): string {
  const parts = [address?.streetAddress1, address?.city, address?.postalCode]
  return parts.every(isGiven) ? parts.map((part) => sameAs(part)).join('\u0000') : ''
}

/** An address in one line, or undefined. */
export const addressLineOf = ({ address }: Loose<Location>): string | undefined => {
  const line = inOneLine([
    address?.streetAddress1,
    address?.streetAddress2,
    address?.city,
    address?.state,
    address?.postalCode,
    address?.country,
  ])
  return line === '' ? undefined : line
}

/** True when the lot code was assigned at the place, which need not have received the lot. */
export const isOfSource = ({ gln, name }: MergedPlace, { glns, names }: TracedSource): boolean =>
  (gln !== undefined && glns.includes(gln)) || names.some((other) => sameAs(other) === sameAs(name))

/** True for a complete location description, as 21 CFR 1.1310 defines it. */
export const isFullyDescribed = ({ locationName, phoneNumber, address }: Loose<Location>): boolean =>
  [locationName, phoneNumber, address?.streetAddress1, address?.city, address?.state, address?.postalCode].every(
    isGiven,
  )

/** Expects events in order. */
export function* placesOf(events: readonly LotEvent[]): Steps<Places> {
  const named = events.flatMap(({ event, shipFrom, shipTo }) => [
    { vendor: event.dataProviderVendorId, code: event.shipFromLocationCode, fields: shipFrom },
    { vendor: event.dataProviderVendorId, code: event.shipToLocationCode, fields: shipTo },
  ])
  const { numbers, ...merged } = yield* mergedPlaces(named)
  const first = new Map(events.map((event, i) => [event, 2 * i]))
  return {
    ...merged,
    of: (event, end) => numbers[(first.get(event) ?? 0) + (end === 'shipFrom' ? 0 : 1)] ?? 0,
  }
}

/** The places of locations, and the number of each in the list. Expects them in order. */
export function* mergedPlaces(
  named: readonly NamedPlace[],
): Steps<Pick<Places, 'list' | 'keptApart'> & { readonly numbers: readonly number[] }> {
  const { mentions, of: mentionOf } = yield* mentionsIn(named)
  const joined = new JoinedMentions(mentions)
  yield

  for (const group of groupsBy(mentions, ({ gln }) => gln)) joined.join(group, { assumed: false })
  // A code of one vendor is one place unless its GLNs differ. If they do, mentions without a GLN
  // stay separate.
  for (const group of groupsBy(mentions, ({ vendor, code }) => `${vendor}\u0000${code}`))
    joined.joinUnlessGlnsDiffer(group, { assumed: false })
  yield
  for (const group of groupsBy(mentions, ({ code, fields }) => `${code}\u0000${sameAs(textOf(fields.locationName))}`))
    joined.joinUnlessGlnsDiffer(group, { assumed: true })
  yield
  for (const group of groupsBy(mentions, ({ fields }) => {
    const address = addressKeyOf(fields)
    return address === '' ? '' : `${address}\u0000${sameAs(textOf(fields.locationName))}`
  }))
    joined.joinUnlessGlnsDiffer(group, { assumed: true })
  yield

  const { list, numberOf } = joined.places()
  return {
    list,
    numbers: mentionOf.map(numberOf),
    keptApart: groupsBy(mentions, ({ code }) => code).flatMap((group) => {
      const places = [...new Set(group.map(numberOf))]
      return places.length > 1 ? [{ code: mentions[group[0] ?? 0]?.code ?? '', places }] : []
    }),
  }
}

/** The distinct mentions, and which of them each place is named by. */
function* mentionsIn(
  named: readonly NamedPlace[],
): Steps<{ readonly mentions: readonly Mention[]; readonly of: readonly number[] }> {
  const mentions: Mention[] = []
  const numbers = new Map<string, number>()
  const of = yield* mapInSteps(named, ({ vendor, code, fields }) => {
    const gln = textOf(fields.gln)
    const key = `${vendor}\u0000${code}\u0000${gln}`
    const number = numbers.get(key) ?? mentions.push({ vendor, code, gln, fields }) - 1
    numbers.set(key, number)
    const mention = mentions[number] as Mention
    mention.fields = { ...mention.fields, ...fields }
    return number
  })
  return { mentions, of }
}

/** Numbers of the mentions with the same key. Mentions without a key are in no group. */
function groupsBy(mentions: readonly Mention[], keyOf: (mention: Mention) => string): readonly (readonly number[])[] {
  const groups = groupsOf(mentions.keys(), (number) => keyOf(mentions[number] as Mention))
  groups.delete('')
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
}

/**
 * A set of joined mentions has at most one GLN, so joining by anything else never connects two
 * GLNs.
 */
class JoinedMentions {
  readonly #mentions: readonly Mention[]
  readonly #sets = new DisjointSets()
  readonly #glns: string[]
  readonly #assumed: boolean[]

  constructor(mentions: readonly Mention[]) {
    this.#mentions = mentions
    for (const _ of mentions) this.#sets.add()
    this.#glns = mentions.map(({ gln }) => gln)
    this.#assumed = mentions.map(() => false)
  }

  join([first = 0, ...others]: readonly number[], { assumed }: { readonly assumed: boolean }): void {
    for (const other of others) {
      const [a, b] = [this.#sets.rootOf(first), this.#sets.rootOf(other)]
      if (a === b) continue
      const gln = this.#glns[a] || this.#glns[b] || ''
      const both = assumed || this.#assumed[a] === true || this.#assumed[b] === true
      this.#sets.join(a, b)
      const root = this.#sets.rootOf(a)
      this.#glns[root] = gln
      this.#assumed[root] = both
    }
  }

  joinUnlessGlnsDiffer(group: readonly number[], { assumed }: { readonly assumed: boolean }): void {
    const glnOf = (number: number) => this.#glns[this.#sets.rootOf(number)] ?? ''
    const glns = new Set(group.map(glnOf).filter((gln) => gln !== ''))
    this.join(glns.size <= 1 ? group : group.filter((number) => glnOf(number) === ''), { assumed })
  }

  places() {
    const numbers = new Map<number, number>()
    const members: Mention[][] = []
    const numberOf = (mention: number): number => {
      const root = this.#sets.rootOf(mention)
      const number = numbers.get(root) ?? members.push([]) - 1
      numbers.set(root, number)
      return number
    }
    for (const [i, mention] of this.#mentions.entries()) members[numberOf(i)]?.push(mention)
    const roots = [...numbers.keys()]
    const list = members.map((mentions, number): MergedPlace => {
      const root = roots[number] ?? 0
      const fields = Object.assign({}, ...mentions.map((mention) => mention.fields)) as Loose<Location>
      return {
        name: textOf(fields.locationName) || (mentions[0]?.code ?? ''),
        codes: codesOf(mentions),
        gln: this.#glns[root] || undefined,
        fields,
        assumed: this.#assumed[root] === true,
      }
    })
    return { list, numberOf }
  }
}

const codesOf = (mentions: readonly Mention[]): MergedPlace['codes'] => [
  ...new Map(
    mentions.map(({ vendor, code }) => [
      `${vendor}\u0000${code}`,
      { dataProviderVendorId: vendor, locationCode: code },
    ]),
  ).values(),
]
