// The type of a rule. Rules are constants that read a payload and report its mistakes; they never
// throw or call each other. Where one place breaks two rules, the weaker rule is silent and names
// the other in a comment.

import type { PlacesByNumber } from '../contract/completion.ts'
import type { Exemption, ExemptPlaces } from '../contract/exempt-place.ts'
import type { Location, MasterLocation } from '../contract/location.ts'
import type { MasterProduct } from '../contract/product.ts'
import type { ProductLine } from '../contract/product-line.ts'
import type { ReceivingEvent } from '../contract/receiving-event.ts'
import { type EventKind, linesOf } from '../contract/record-kinds.ts'
import { isGiven } from '../contract/shape/field.ts'
import type { FindingValue, Severity } from '../contract/shape/finding.ts'
import type { Loose } from '../contract/shape/read-shape.ts'

/** One rule about one kind of subject. */
export interface Rule<Subject> {
  /** `group/guarantee`; the group is the noun of the rule. */
  readonly id: string
  readonly severity: Severity
  /** `§` and the section of the contract, or the paragraph of 21 CFR. */
  readonly cites: string
  /** The guarantee, as one present-tense sentence. */
  readonly summary: string
  /** The remedy, for people who send JSON. */
  readonly remedy: string
  /** The remedy in a form, where replacing field names by labels is not enough. */
  readonly onScreen?: string
  /** Its sentences for findings, by short names. */
  readonly says: Sentences
  /**
   * Reports each place where the rule does not hold. Called for every subject of every payload, so
   * it allocates nothing where all is well.
   */
  readonly check: (subject: Subject, context: Context, report: (breach: Breach) => void) => void
  /** Facts of the store that it needs; it gets no others. */
  readonly needs: readonly FactName[]
}

/** A place where a rule does not hold. */
export interface Breach {
  /** JSON Pointer into the payload. */
  readonly pointer: string
  /** The sentence of the rule. */
  readonly says: string
  readonly values: readonly FindingValue[]
  /** Vendors whose events it concerns; absent when it concerns all. */
  readonly vendors?: readonly string[] | undefined
}

/**
 * Sentences by name, each made of values. Findings are stored as name and values: a sentence may be
 * reworded, and one that takes other values gets another name (decision 0057).
 */
type Sentences = Readonly<Record<string, (...values: never[]) => string>>

/** A breach that names one of the sentences, with the values it takes. */
export type BreachOf<Says extends Sentences> = {
  [Name in keyof Says & string]: Pick<Breach, 'pointer' | 'vendors'> & {
    readonly says: Name
    readonly values: Parameters<Says[Name]> extends readonly FindingValue[] ? Parameters<Says[Name]> : never
  }
}[keyof Says & string]

interface Declared<Subject, Says extends Sentences, Needs extends FactName>
  extends Omit<Rule<Subject>, 'says' | 'check' | 'needs'> {
  readonly says: Says
  readonly needs?: readonly Needs[]
  readonly check: (subject: Subject, context: Context<Needs>, report: (breach: BreachOf<Says>) => void) => void
}

/**
 * Declares rules about one kind of subject: `check` reports one of the sentences, with its values,
 * and uses only the facts that the rule needs.
 */
export const rulesAbout =
  <Subject>() =>
  <const Says extends Sentences, Needs extends FactName = never>(rule: Declared<Subject, Says, Needs>): Rule<Subject> =>
    ({ needs: [], ...rule }) as Rule<Subject>

/** An event of any kind: the fields of the contract's, and those of the kind itself. */
export type LooseEvent = Loose<ReceivingEvent> & Readonly<Record<string, unknown>>

/** A text of a field that only some kinds have, or their lines. */
export const textIn = (of: object, field: string): string | undefined =>
  (of as Readonly<Record<string, unknown>>)[field] as string | undefined

/** The lines of a list that only some kinds have. A refused one is undefined. */
export const linesIn = (event: LooseEvent, list: string): readonly (Loose<ProductLine> | undefined)[] =>
  (event[list] ?? []) as readonly (Loose<ProductLine> | undefined)[]

/** The lines of all lists of an event, which has a kind. */
export const allLinesOf = (event: LooseEvent, kind: EventKind | undefined) =>
  kind === undefined ? [] : linesOf<Loose<ProductLine> | undefined>(event, kind)

/** GLNs and DUNS numbers of locations that are described completely. */
export interface DescribedNumbers {
  readonly glns: ReadonlySet<string>
  readonly duns: ReadonlySet<string>
}

/** A list entry and its place. */
export interface Placed<T> {
  readonly at: string
  /** Its index in the list; absent when the field holds one object. */
  readonly index?: number
  readonly value: T
}

/** The values that a rule may read beside its subject: only the facts it needs. */
export interface Context<Needs extends FactName = FactName> {
  /** JSON Pointer of the subject. */
  readonly at: string
  /** `payloadId` of the payload. */
  readonly payloadId: string | undefined
  readonly transmissionDateTime: string | undefined
  /** True when a text of the payload has more than printable ASCII. */
  readonly hasUnusualText: boolean
  readonly products: readonly Placed<Loose<MasterProduct>>[]
  readonly locations: readonly Placed<Loose<MasterLocation>>[]
  readonly events: readonly Placed<LooseEvent>[]
  /** First location of the payload under each code. */
  readonly locationByCode: ReadonlyMap<string, Placed<Loose<MasterLocation>>>
  /** First product of the payload under each item code. */
  readonly productByCode: ReadonlyMap<string, Placed<Loose<MasterProduct>>>
  /** The kind of the events; undefined in a payload of master data. */
  readonly eventKind: EventKind | undefined
  /** Items of lines that state a commodity, and not the description of packed food. */
  readonly unpackedItems: ReadonlySet<string>
  /** Vendors of the events of the payload, each once. */
  readonly vendors: readonly string[]
  /** Locations that the payload itself describes completely. */
  readonly describedLocations: ReadonlySet<Loose<MasterLocation>>
  /** Their numbers. */
  readonly described: DescribedNumbers
  /** Its locations completed with the master data of a vendor, and those its lines refer to. */
  readonly placesInForce: (vendor: string, facts: Pick<Facts, PlaceFact>) => PlacesByNumber
  /** Why the rule does not apply to the source of a receipt; undefined if it does. */
  readonly exemptionOf: (event: LooseEvent) => Exemption | undefined
  /**
   * The first entry with each identifier that §2 calls unique, by list of entries and by field, as
   * they are asked for. A WeakMap beside the payload would keep them: V8 lets go of its values at
   * full collections only.
   */
  readonly firstHolders: Map<object, Map<string, ReadonlyMap<string, Holder>>>
  readonly facts: Pick<Facts, Needs | 'now' | 'storedAt'>
  readonly settings: RuleSettings
  /**
   * True for a stored record: a missing value is a gap, even if a write would be rejected for it
   * today.
   */
  readonly isStored: boolean
}

/** An entry with an identifier; entries with the same `sameAs` are the same thing. */
export interface Holder {
  readonly at: string
  readonly value: string
  readonly sameAs: string
}

/** A line with its event. */
export interface LineSubject {
  readonly line: Loose<ProductLine>
  /** The field that has its list. */
  readonly list: string
  readonly event: LooseEvent
}

/** Facts of the store that the rules of this payload need (`facts-wanted.ts`). */
export interface Facts {
  /** Location master data by vendor and location code. */
  readonly masterLocations: ByVendor<Loose<Location>>
  /**
   * Master products by vendor and item code; for a master product payload, the other record with
   * the code.
   */
  readonly masterProducts: ByVendor<Loose<MasterProduct> & { readonly id: string }>
  /** The same locations by vendor and GLN or DUNS number: `numberedIn`. */
  readonly locationsByNumber: ByVendor<readonly Loose<Location>[]>
  /** The record that an earlier payload with the same `payloadId` created or replaced. */
  readonly payloadIdUsedBy: string | undefined
  /** The record with an identifier that §2 calls unique, by `identifierKey`. */
  readonly heldBy: ReadonlyMap<string, string>
  /** Time zones of locations by vendor and location code; those for all vendors under no vendor. */
  readonly timeZones: ByVendor<string>
  /** Places to which the rule does not apply. */
  readonly exemptPlaces: ExemptPlaces
  /**
   * The time of validation in milliseconds since 1970; undefined without a clock, and then nothing
   * is in the future.
   */
  readonly now: number | undefined
  /**
   * The same of the first version of a stored record, for rules whose result must not change with
   * its age.
   */
  readonly storedAt?: number | undefined
}

/** The facts that complete places. */
type PlaceFact = 'masterLocations' | 'locationsByNumber'

/** A fact that only the store knows. */
export type FactName = Exclude<keyof Facts, 'now' | 'storedAt'>

/** Keyed by `vendorKey(vendor, code)`. */
type ByVendor<T> = ReadonlyMap<string, T>

/** The time zone of a vendor's location, or of the location code for all vendors. */
export const timeZoneOf = (timeZones: ByVendor<string>, vendor: string, code: string): string | undefined =>
  timeZones.get(vendorKey(vendor, code)) ?? timeZones.get(vendorKey('', code))

/** Map key of a vendor and one of its codes. Neither contains NUL. */
export const vendorKey = (vendor: string, code: string): string => `${vendor}\u0000${code}`

/** Locations by vendor and each of their numbers, in the order of their codes. */
export function numberedIn(masterLocations: Facts['masterLocations']): Facts['locationsByNumber'] {
  const numbered = new Map<string, Loose<Location>[]>()
  for (const [key, location] of masterLocations)
    for (const number of [location.gln, location.duns]) {
      if (!isGiven(number)) continue
      const numberKey = vendorKey(key.slice(0, key.indexOf('\u0000')), number)
      const known = numbered.get(numberKey)
      if (known === undefined) numbered.set(numberKey, [location])
      else known.push(location)
    }
  const codeOf = ({ locationCode = '' }: Loose<Location>) => locationCode
  for (const known of numbered.values()) known.sort((one, other) => (codeOf(one) < codeOf(other) ? -1 : 1))
  return numbered
}

/** Map key of an identifier that §2 calls unique and the code of its holder. None contains NUL. */
export const identifierKey = (field: string, value: string, code: string): string =>
  `${field}\u0000${value}\u0000${code}`

export const noFacts: Facts = {
  heldBy: new Map(),
  masterLocations: new Map(),
  locationsByNumber: new Map(),
  masterProducts: new Map(),
  payloadIdUsedBy: undefined,
  timeZones: new Map(),
  exemptPlaces: new Map(),
  now: undefined,
}

/** Settings of the operator. */
export interface RuleSettings {
  /**
   * First calendar date, `yyyy-MM-dd`, from which a line needs a lot number. Compliance dates move
   * (decision 0008).
   */
  readonly lotNumberRequiredFrom: string
  /**
   * True for the document of another program. Clocks wrote its dates, and nobody typed its year
   * (decision 0008).
   */
  readonly areDatesOfProgram?: true
}
